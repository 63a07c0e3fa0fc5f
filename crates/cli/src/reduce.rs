//! `reductio reduce`: what is left of a model when it is sliced, dead variables are reset and paths are merged.

use std::fmt::Write;
use std::process::ExitCode;

use reductio::Questions;
use reductio_model::print::{expression, place};
use reductio_model::{ActionId, Expr, LocationId, Model, Proctype};
use reductio_reduce::model_to_model::elementary::Meaning;
use reductio_reduce::model_to_model::outline::{Leg, Outline, outline};
use reductio_reduce::model_to_model::{ModelReductions, path_obstacle, reduce};

use crate::arguments::ReduceArguments;
use crate::failure::Failure;
use crate::load::load_and_ask;
use crate::output;

pub fn run(arguments: &ReduceArguments) -> Result<ExitCode, Failure> {
    let questions =
        Questions { invariants: arguments.invariants.clone(), ltl: arguments.ltl.clone(), ..Questions::default() };
    let model = load_and_ask(&arguments.model, &questions)?;
    let all = !arguments.path && !arguments.dead && !arguments.slice;
    let obstacle = path_obstacle(&model).filter(|_| all || arguments.path);
    let wanted = ModelReductions {
        slicing: all || arguments.slice,
        dead_variables: all || arguments.dead,
        path_reduction: (all || arguments.path) && obstacle.is_none(),
        ..ModelReductions::default()
    };
    let reduced = reduce(&model, wanted);
    let mut shown = String::new();
    if let Some((because, at)) = obstacle {
        let at = at.map_or(String::new(), |position| format!(" ({})", model.place_name(position)));
        shown.push_str(&format!("no paths are merged: {because}{at}\n\n"));
    }
    // Resets are what a statement does more than it did.
    let sliced = reduce(&model, ModelReductions { slicing: wanted.slicing, ..ModelReductions::default() });
    for outline in outline(&sliced.model, &reduced) {
        let printer = Printer { model: &model, proctype: reduced.model.proctype(outline.proctype) };
        shown.push_str(&printer.process(&outline));
        shown.push('\n');
    }
    let resets = count(reduced.gain.resets, "reset of a dead variable", "resets of dead variables");
    let passed = count(reduced.gain.passed, "place that is passed", "places that are passed");
    let sliced = count(reduced.gain.sliced, "write that nothing depends on", "writes that nothing depends on");
    let sliced = if reduced.gain.sliced > 0 { format!("{sliced}, ") } else { String::new() };
    shown.push_str(&format!("{sliced}{resets}, {passed} without stopping\n"));
    output::print(&shown)?;
    Ok(ExitCode::SUCCESS)
}

fn count(number: usize, one: &str, many: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {many}") }
}

/// The printed form of one process type.
struct Printer<'m> {
    model: &'m Model,
    proctype: &'m Proctype,
}

impl Printer<'_> {
    fn process(&self, outline: &Outline) -> String {
        let (before, after) = outline.places;
        let mut shown = format!("{}: stops at {after} of {before} places\n", self.proctype.name);
        for (location, legs) in &outline.stops {
            let _ = writeln!(shown, "  {}", self.line(*location));
            legs.iter().for_each(|leg| shown.push_str(&self.leg(leg)));
        }
        shown
    }

    fn line(&self, location: LocationId) -> String {
        let location = self.proctype.location(location);
        let end = if location.edges.is_empty() { ", the end" } else { "" };
        let module = if location.module { ", a module begins" } else { "" };
        format!("line {}{module}{end}", location.position.line)
    }

    fn leg(&self, leg: &Leg) -> String {
        let texts: Vec<&str> = leg.actions.iter().map(|&action| self.text(action)).collect();
        let texts = if texts.is_empty() { "many paths".to_owned() } else { texts.join("; ") };
        let end =
            leg.end.map_or(String::new(), |end| format!(" -> line {}", self.proctype.location(end).position.line));
        let mut shown = format!("    {texts}{end}\n");
        if let Some(meaning) = &leg.meaning {
            let _ = writeln!(shown, "      = {}", self.meaning(meaning));
        }
        if !leg.resets.is_empty() {
            let _ = writeln!(shown, "      dead: {}", leg.resets.join(", "));
        }
        shown
    }

    /// What a step that nobody wrote is called.
    fn text(&self, action: ActionId) -> &str {
        let text = self.proctype.action(action).text.as_str();
        if text.is_empty() { "(skip)" } else { text }
    }

    /// The reachability condition and the state transformation of a path.
    fn meaning(&self, meaning: &Meaning) -> String {
        let expr = |expr: &Expr| expression(self.model, self.proctype, expr);
        let results: Vec<String> = meaning
            .transformation
            .iter()
            .map(|(written, value)| format!("{} := {}", place(self.model, self.proctype, written), expr(value)))
            .collect();
        let results = if results.is_empty() { "skip".to_owned() } else { results.join(", ") };
        match &meaning.condition {
            Expr::Const(value) if *value != 0 => results,
            condition => format!("if {} then {results}", expr(condition)),
        }
    }
}
