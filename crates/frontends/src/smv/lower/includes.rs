//! `ISA`, which includes a module in another, and definitions of names for other instances.

use std::rc::Rc;

use super::expressions::Place;
use super::terms::Term;
use super::{Define, Element, Lowering, Module, ScopeId, Symbol};

impl<'a> Lowering<'a> {
    /// What is in a module, with what the modules that it includes have.
    pub fn elements_of(&mut self, module: &'a Module) -> Option<Rc<[&'a Element]>> {
        let mut elements = Vec::new();
        self.include(module, &mut vec![module], &mut elements)?;
        Some(elements.into())
    }

    fn include(
        &mut self,
        module: &'a Module,
        open: &mut Vec<&'a Module>,
        elements: &mut Vec<&'a Element>,
    ) -> Option<()> {
        for element in &module.elements {
            let Element::Include(name) = element else {
                elements.push(element);
                continue;
            };
            let included = self.module_named(name)?;
            if open.iter().any(|outer| std::ptr::eq(*outer, included)) {
                self.error(format!("module `{}` contains itself", name.text), name.span);
                return None;
            }
            open.push(included);
            self.include(included, open, elements)?;
            open.pop();
        }
        Some(())
    }

    /// `DEFINE a.b := value` gives a name to the instance `a`; what the value speaks of is what it means here.
    pub fn define_for_others(&mut self) {
        for scope in 0..self.scopes.len() {
            for element in self.scopes[scope].elements.clone().iter() {
                let Element::Defines(defines) = element else { continue };
                for define in defines {
                    self.define_for_another(scope, define);
                }
            }
        }
    }

    fn define_for_another(&mut self, scope: ScopeId, define: &'a Define) {
        let Some(owner) = &define.owner else { return };
        match self.term(owner, Place::new(scope, "a definition")) {
            Some(Term::Instance(target)) => {
                self.declare(target, &define.name, Symbol::Define(&define.value, scope));
            }
            Some(_) => self.error("only instances of modules have members", owner.span),
            None => {}
        }
    }
}
