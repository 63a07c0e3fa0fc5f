//! Lists the states of a small model and the steps between them.

use reductio::walking::{Bounds, Described, Interpreter, Layout, StateGraph};
use reductio::{CheckError, Language, Questions, Source, System};

const MODEL: &str = "chan c = [1] of { bit }; active proctype A() { c!1 } active proctype B() { bit x; c?x }";

fn main() -> Result<(), CheckError> {
    let loaded = Source::text(Language::Promela, "handshake.pml", MODEL).load(&Questions::default())?;
    let System::Processes(model) = loaded.system else { return Ok(()) };
    let mut system = Interpreter::new(&model);
    let Ok(graph) = StateGraph::of(&mut system, Bounds { states: 1000, steps: 10_000 }) else {
        println!("too many states to list");
        return Ok(());
    };
    println!("{} states, {} steps", graph.states.len(), graph.edges.len());
    let layout: Layout = system.layout();
    for edge in &graph.edges {
        let to = edge.to.map_or("nowhere".to_owned(), |to| to.to_string());
        print!("{} to {to}: {}", edge.from, layout.step(1, &system.possible(&graph.states[edge.from], &edge.step)));
    }
    Ok(())
}
