//! Types, variables and what they start with.

use reductio_model::{ChannelType, ChannelTypeId, Expr, Initial, Place, Scope, Slot, ValueType};

use super::{Lowering, Signature};
use crate::diagnostics::Diagnostic;
use crate::promela::ast::{self, Initializer, StatementKind, Step};
use crate::promela::symbols::{DeclaredType, MAX_SLOTS, Scopes, Structure, Variable};
use crate::source::Span;

impl Lowering<'_> {
    pub fn declare_typedef(&mut self, typedef: &ast::Typedef) {
        let mut structure = Structure { name: typedef.name.text.clone(), fields: Vec::new(), size: 0 };
        for declaration in &typedef.fields {
            for declarator in &declaration.variables {
                let Some(mut field) = self.variable(declaration, declarator) else { continue };
                if structure.fields.iter().any(|known| known.name == field.name) {
                    self.error(format!("there is a field `{}` already", field.name), field.span);
                    continue;
                }
                field.initial = self.field_initial(&field, declarator);
                field.base = structure.size;
                structure.size = structure.size.saturating_add(self.types.slots(&field).unwrap_or(MAX_SLOTS));
                structure.fields.push(field);
            }
        }
        if structure.size > MAX_SLOTS {
            self.error("this typedef is too large", typedef.name.span);
        }
        if structure.fields.is_empty() {
            self.error("a typedef needs at least one field", typedef.name.span);
        }
        if !self.types.add(structure) {
            self.error(format!("there is a typedef `{}` already", typedef.name.text), typedef.name.span);
        }
    }

    fn field_initial(&mut self, field: &Variable, declarator: &ast::Declarator) -> Initial {
        let DeclaredType::Scalar(ty) = field.ty else { return Initial::Value(0) };
        match &declarator.initial {
            None => Initial::Value(0),
            Some(Initializer::Expr(expr)) => {
                let value = self.constant(expr).unwrap_or(0);
                self.warn_if_cut(&field.name, ty, value, expr.span);
                Initial::Value(ty.truncate(value))
            }
            Some(Initializer::Channel(channel)) => self.channel_type(&field.name, channel),
            Some(Initializer::List(_)) => {
                self.error("a field of a typedef cannot start with a list", declarator.name.span);
                Initial::Value(0)
            }
        }
    }

    /// The variable that a declarator declares, without a place yet. `None` after an error.
    fn variable(&mut self, declaration: &ast::Declaration, declarator: &ast::Declarator) -> Option<Variable> {
        let name = &declarator.name;
        if name.text.starts_with('_') && matches!(name.text.as_str(), "_" | "_pid" | "_nr_pr" | "_last" | "_priority") {
            self.error(format!("`{}` is predefined and cannot be declared", name.text), name.span);
            return None;
        }
        let length = match &declarator.length {
            None => None,
            Some(expr) => {
                let length = self.constant(expr)?;
                if !(1..=MAX_SLOTS as i32).contains(&length) {
                    self.error(format!("an array cannot have {length} elements"), expr.span);
                    return None;
                }
                Some(length as u32)
            }
        };
        let ty = self.declared_type(&declaration.ty, declarator, length.is_some())?;
        let channel_width = match &declarator.initial {
            Some(Initializer::Channel(channel)) => Some(self.fields(channel).len()),
            _ => None,
        };
        let variable = Variable {
            name: name.text.clone(),
            span: name.span,
            ty,
            length,
            base: 0,
            channel_width,
            initial: Initial::Value(0),
            dropped: false,
        };
        if self.types.slots(&variable).is_none() {
            self.error(format!("`{}` is too large", name.text), name.span);
            return None;
        }
        Some(variable)
    }

    fn declared_type(&mut self, ty: &ast::Type, declarator: &ast::Declarator, is_array: bool) -> Option<DeclaredType> {
        if let (Some(width), false) = (&declarator.width, *ty == ast::Type::Unsigned) {
            self.error_with_help("only `unsigned` has a width", width.span, "write `unsigned x : 3`");
            return None;
        }
        Some(DeclaredType::Scalar(match ty {
            // Elements of an array of bits take a byte each and are not cut to one bit, as in SPIN.
            ast::Type::Bit | ast::Type::Bool if is_array => ValueType::BYTE,
            ast::Type::Bit | ast::Type::Bool => ValueType::BIT,
            ast::Type::Byte | ast::Type::Pid => ValueType::BYTE,
            ast::Type::Short => ValueType::Short,
            ast::Type::Int => ValueType::Int,
            ast::Type::Chan => ValueType::Chan,
            ast::Type::Mtype(subtype) => {
                ValueType::Mtype(self.enumeration(subtype.as_ref().map(|name| name.text.as_str())))
            }
            ast::Type::Unsigned => match &declarator.width {
                None => ValueType::Unsigned(32),
                Some(width) => match self.constant(width)? {
                    bits @ 1..=32 => ValueType::Unsigned(bits as u8),
                    _ => {
                        self.error("a width lies between 1 and 32", width.span);
                        return None;
                    }
                },
            },
            ast::Type::User(name) => match self.types.find(&name.text) {
                Some(index) => return Some(DeclaredType::Structure(index)),
                None => {
                    self.error(format!("there is no typedef `{}`", name.text), name.span);
                    return None;
                }
            },
        }))
    }

    /// The scalars of a message, typedefs flattened. A bit that is sent alone takes a byte and is not cut to one bit, as
    /// in SPIN.
    fn fields(&mut self, channel: &ast::ChannelInitializer) -> Vec<ValueType> {
        let mut fields = Vec::new();
        for field in &channel.fields {
            match &field.ty {
                ast::Type::User(name) => match self.types.find(&name.text) {
                    None => self.error(format!("there is no typedef `{}`", name.text), name.span),
                    Some(index) => {
                        let scalars = self.types.structure_scalars(index);
                        fields.extend(scalars.iter().map(|scalar| scalar.ty));
                    }
                },
                ast::Type::Unsigned => self.error_with_help(
                    "`unsigned` cannot be the type of a message field",
                    field.span,
                    "use byte, short or int",
                ),
                ast::Type::Bit | ast::Type::Bool => fields.push(ValueType::BIT),
                ast::Type::Byte | ast::Type::Pid => fields.push(ValueType::BYTE),
                ast::Type::Short => fields.push(ValueType::Short),
                ast::Type::Int => fields.push(ValueType::Int),
                ast::Type::Chan => fields.push(ValueType::Chan),
                ast::Type::Mtype(subtype) => {
                    let index = self.enumeration(subtype.as_ref().map(|name| name.text.as_str()));
                    fields.push(ValueType::Mtype(index));
                }
            }
        }
        if fields[..] == [ValueType::BIT] {
            fields[0] = ValueType::BYTE;
        }
        fields
    }

    fn channel_type(&mut self, name: &str, channel: &ast::ChannelInitializer) -> Initial {
        let fields = self.fields(channel);
        if fields.is_empty() {
            self.error("a channel needs at least one message field", channel.span);
        }
        let capacity = self.constant(&channel.capacity).unwrap_or(0);
        if !(0..=255).contains(&capacity) {
            self.error(
                format!("a channel cannot have room for {capacity} messages: at most 255"),
                channel.capacity.span,
            );
        }
        let position = self.position(channel.span);
        let name = name.to_owned();
        self.model.channel_types.push(ChannelType { name, capacity: capacity.max(0) as u32, fields, position });
        Initial::Channel(ChannelTypeId(self.model.channel_types.len() as u32 - 1))
    }

    pub fn declare_global(&mut self, declaration: &ast::Declaration) {
        for declarator in &declaration.variables {
            let Some(mut variable) = self.variable(declaration, declarator) else { continue };
            variable.base = self.model.globals.len() as u32;
            let hidden = declaration.visibility == Some(ast::Visibility::Hidden);
            variable.dropped = hidden && !self.names_read.contains(&variable.name);
            if !variable.dropped {
                let mut slots = self.slots_of(&variable, declarator, None);
                for slot in &mut slots {
                    if let Initial::Expr(expr) = &slot.initial {
                        let value = self.fold(expr);
                        if value.is_none() {
                            let message = format!("`{}` must start with a constant", variable.name);
                            self.error(message, variable.span);
                        }
                        slot.initial = Initial::Value(slot.ty.truncate(value.unwrap_or(0)));
                    }
                }
                self.model.globals.extend(slots);
            }
            self.declare_in(None, variable);
        }
        let channels = self.model.globals.iter().filter(|slot| matches!(slot.initial, Initial::Channel(_))).count();
        if channels > 255 {
            self.error("there cannot be more than 255 channels", declaration.span);
        }
        if self.model.globals.len() > MAX_SLOTS as usize {
            self.error("there are too many variables", declaration.span);
        }
    }

    /// The slots of a variable with what they start with. Without an initialiser in the text, that is zero, or for
    /// a structure what its fields say.
    fn slots_of(&mut self, variable: &Variable, declarator: &ast::Declarator, scopes: Option<&Scopes>) -> Vec<Slot> {
        let scalars = self.types.scalars(variable);
        let mut initials: Vec<Initial> = scalars.iter().map(|scalar| scalar.initial.clone()).collect();
        match &declarator.initial {
            None => {}
            Some(Initializer::Expr(expr)) if matches!(variable.ty, DeclaredType::Structure(_)) => {
                let message = format!("`{}` is a structure: its initial value is ignored, as by SPIN", variable.name);
                let help = "give initial values to the fields in the `typedef`, or assign to them";
                self.diagnostics.add(Diagnostic::warning(message, expr.span).help(help));
            }
            Some(Initializer::Expr(expr)) => {
                let value = self.expression(expr, scopes);
                if let (DeclaredType::Scalar(ty), Expr::Const(value)) = (variable.ty, &value) {
                    self.warn_if_cut(&variable.name, ty, *value, expr.span);
                }
                initials.fill(Initial::Expr(value));
            }
            Some(Initializer::List(list)) => {
                if variable.length.is_none() {
                    self.error(format!("`{}` is no array", variable.name), variable.span);
                } else if list.len() > initials.len() {
                    let message = format!("{} values for {} elements", list.len(), initials.len());
                    self.error(message, variable.span);
                }
                for (initial, expr) in initials.iter_mut().zip(list) {
                    let value = self.expression(expr, scopes);
                    if let (DeclaredType::Scalar(ty), Expr::Const(value)) = (variable.ty, &value) {
                        self.warn_if_cut(&variable.name, ty, *value, expr.span);
                    }
                    *initial = Initial::Expr(value);
                }
            }
            Some(Initializer::Channel(channel)) => {
                if variable.ty != DeclaredType::Scalar(ValueType::Chan) {
                    self.error_with_help(
                        format!("`{}` is no channel", variable.name),
                        variable.span,
                        "declare it with type `chan`",
                    );
                }
                initials.fill(self.channel_type(&variable.name, channel));
            }
        }
        let named = scalars.into_iter().zip(initials);
        named
            .map(|(scalar, initial)| {
                let initial = match initial {
                    Initial::Expr(Expr::Const(value)) => Initial::Value(scalar.ty.truncate(value)),
                    other => other,
                };
                Slot { name: format!("{}{}", variable.name, scalar.suffix), ty: scalar.ty, initial }
            })
            .collect()
    }

    pub fn declare_in(&mut self, scopes: Option<&mut Scopes>, variable: Variable) {
        let (name, span) = (variable.name.clone(), variable.span);
        if scopes.is_none() && self.constants.contains_key(&name) {
            self.error(format!("`{name}` is the name of an mtype constant already"), span);
        }
        if let Err(previous) = scopes.unwrap_or(&mut self.globals).declare(variable) {
            let diagnostic = Diagnostic::error(format!("`{name}` is declared twice"), span);
            self.diagnostics.add(diagnostic.note("first declared here", previous));
        }
    }

    /// Lays out the parameters and all variables of a body, in the order in which lowering the body will meet them.
    pub fn signature(&mut self, parameters: &[ast::Declaration], body: &ast::Block) -> Signature {
        let mut signature = Signature {
            variables: Vec::new(),
            parameters: 0,
            parameter_slots: 0,
            slots: Vec::new(),
            labels: Default::default(),
        };
        for declaration in parameters {
            for declarator in &declaration.variables {
                if declarator.length.is_some() || declarator.initial.is_some() {
                    let message = "a parameter is a single value, without an initial one";
                    self.error(message, declarator.name.span);
                    continue;
                }
                self.lay_out(declaration, declarator, &mut signature);
            }
        }
        signature.parameters = signature.variables.len();
        signature.parameter_slots = signature.slots.len() as u32;
        self.lay_out_block(body, &mut signature);
        if signature.slots.len() > MAX_SLOTS as usize {
            self.error("there are too many local variables", body.span);
        }
        signature
    }

    fn lay_out(&mut self, declaration: &ast::Declaration, declarator: &ast::Declarator, signature: &mut Signature) {
        let Some(mut variable) = self.variable(declaration, declarator) else { return };
        variable.base = signature.slots.len() as u32;
        let hidden = declaration.visibility == Some(ast::Visibility::Hidden);
        variable.dropped = hidden && !self.names_read.contains(&variable.name);
        if !variable.dropped {
            // Values are filled in when the body is lowered and names mean something; channels are created with the
            // process wherever they are declared.
            let slots = self.types.scalars(&variable).into_iter().map(|scalar| Slot {
                name: format!("{}{}", variable.name, scalar.suffix),
                ty: scalar.ty,
                initial: scalar.initial,
            });
            signature.slots.extend(slots);
        }
        signature.variables.push(variable);
    }

    fn lay_out_block(&mut self, block: &ast::Block, signature: &mut Signature) {
        for step in &block.steps {
            match step {
                Step::Declaration(declaration) => {
                    for declarator in &declaration.variables {
                        self.lay_out(declaration, declarator, signature);
                    }
                }
                Step::Exclusive(_) => {}
                Step::Statement(statement) => self.lay_out_statement(statement, signature),
            }
        }
    }

    fn lay_out_statement(&mut self, statement: &ast::Statement, signature: &mut Signature) {
        match &statement.kind {
            StatementKind::Labeled { label, statement } => {
                signature.labels.insert(label.text.clone());
                self.lay_out_statement(statement, signature);
            }
            StatementKind::Unless { main, escape } => {
                self.lay_out_statement(main, signature);
                self.lay_out_statement(escape, signature);
            }
            StatementKind::If(options) | StatementKind::Do(options) => {
                options.iter().for_each(|option| self.lay_out_block(option, signature));
            }
            StatementKind::ForRange { body, .. }
            | StatementKind::ForIn { body, .. }
            | StatementKind::Atomic(body)
            | StatementKind::DStep(body)
            | StatementKind::Block(body)
            | StatementKind::Inline { body, .. } => self.lay_out_block(body, signature),
            _ => {}
        }
    }

    /// What a local variable starts with, now that its initialiser can be lowered.
    pub fn local_initials(&mut self, variable: &Variable, declarator: &ast::Declarator, scopes: &Scopes) -> Vec<Slot> {
        self.slots_of(variable, declarator, Some(scopes))
    }

    /// The value of an expression that must be constant. Reports it when it is not.
    pub fn constant(&mut self, expr: &ast::Expr) -> Option<i32> {
        let before = self.diagnostics.has_errors();
        let lowered = self.expression(expr, None);
        let value = self.fold(&lowered);
        if value.is_none() && (before || !self.diagnostics.has_errors()) {
            self.error("this must be a constant", expr.span);
        }
        value
    }

    /// The number that a global variable starts with. Channels have numbers, too: they are created in order.
    fn initial_value(&self, slot: usize) -> Option<i32> {
        match self.model.globals.get(slot)?.initial {
            Initial::Value(value) => Some(value),
            Initial::Channel(_) => {
                let is_channel = |slot: &&Slot| matches!(slot.initial, Initial::Channel(_));
                Some(self.model.globals[..=slot].iter().filter(is_channel).count() as i32)
            }
            Initial::Expr(_) => None,
        }
    }

    /// The slot of a place whose indices are constant.
    fn constant_slot(&self, place: &Place) -> Option<usize> {
        place.indices.iter().try_fold(place.base as usize, |slot, index| {
            let value = u32::try_from(self.fold(&index.value)?).ok().filter(|value| *value < index.length)?;
            Some(slot + (value * index.stride) as usize)
        })
    }

    /// Warns of a constant that a variable cannot hold.
    pub fn warn_if_cut(&mut self, variable: &str, ty: ValueType, value: i32, span: Span) {
        let stored = ty.truncate(value);
        if stored == value {
            return;
        }
        let message = format!("{value} does not fit into `{variable}`, {stored} is stored");
        let help = match ty {
            ValueType::Unsigned(bits) => format!("it holds numbers from 0 to {}", (1_u64 << bits) - 1),
            ValueType::Short => "it holds numbers from -32768 to 32767".to_owned(),
            ValueType::Int | ValueType::Mtype(_) | ValueType::Chan => "it holds numbers from 0 to 255".to_owned(),
        };
        self.diagnostics.add(Diagnostic::warning(message, span).help(help));
    }

    /// Evaluates what is constant, where a global variable counts as what it starts with.
    fn fold(&self, expr: &Expr) -> Option<i32> {
        match expr {
            Expr::Const(value) => Some(*value),
            Expr::Read(place) if place.scope == Scope::Global => self.initial_value(self.constant_slot(place)?),
            Expr::Unary(operator, operand) => Some(Expr::apply_unary(*operator, self.fold(operand)?)),
            Expr::Binary(operator, left, right) => Expr::apply(*operator, self.fold(left)?, self.fold(right)?),
            Expr::Conditional(parts) => {
                let [condition, yes, no] = &**parts;
                self.fold(if self.fold(condition)? != 0 { yes } else { no })
            }
            _ => None,
        }
    }
}
