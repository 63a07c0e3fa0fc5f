//! `reductio replay` on circuits: the runs that a file holds, taken step by step on the circuit.

use std::path::Path;
use std::process::ExitCode;

use reductio::certify_circuit::false_at_the_end;
use reductio_model::Property;
use reductio_model::circuit::{Circuit, Reached, Run, RunError, Simulator};
use reductio_report::aiger_witness::{self, Bits, Named, Said, Witness};
use reductio_report::circuit::run_text;
use reductio_report::run_file::{self, StoredBranch, StoredRun};
use reductio_report::{BranchEntry, RunEntry, WitnessError};

use crate::arguments::ReplayArguments;
use crate::failure::Failure;
use crate::obligations::load_sensible_circuit;
use crate::output;
use crate::replay::is_spin_trail;

/// Where states are that are not shown.
const IN_FILE: &str = "the file has them all";

pub fn run(arguments: &ReplayArguments) -> Result<ExitCode, Failure> {
    let path = &arguments.trace;
    if is_spin_trail(path) {
        return Err(Failure::NotForCircuits { option: "a trail of SPIN's" });
    }
    let circuit = load_sensible_circuit(&arguments.model)?;
    let text = std::fs::read_to_string(path).map_err(|error| Failure::CannotRead { path: path.clone(), error })?;
    let replay = Replay { circuit: &circuit, path };
    match !circuit.may_not_end() && !text.trim_start().starts_with('{') {
        true => replay.witnesses(&text)?,
        false => replay.run_file(&text)?,
    }
    Ok(ExitCode::SUCCESS)
}

struct Replay<'a> {
    circuit: &'a Circuit,
    path: &'a Path,
}

impl Replay<'_> {
    fn run_file(&self, json: &str) -> Result<(), Failure> {
        let wrong = |error| Failure::Run { path: self.path.to_owned(), error };
        let StoredRun { property, run, branches } = run_file::read(self.circuit, json).map_err(wrong)?;
        let entry = RunEntry { branches: self.entries(&branches), ..self.entry(&run) };
        output::print(&run_text(&entry, IN_FILE))?;
        let Some(property) = property else { return Ok(()) };
        let (reached, how) = match self.broken_by(&property, &run) {
            Ok(wanted) => wanted,
            Err(why) => {
                output::print(&format!("      whether it violates {property} was not checked: {why}\n"))?;
                return Ok(());
            }
        };
        match run.confirm(&mut Simulator::new(self.circuit), reached) {
            Ok(()) => output::print(&format!("      => violates {property}: {how}\n"))?,
            Err(RunError::TooLarge) => return Err(Failure::TooMuchToTry { wanted: "a successor of the last state" }),
            Err(_) => return Err(Failure::ShowsNothing { path: self.path.to_owned(), line: None, what: property }),
        };
        Ok(())
    }

    /// What a run must lead to that breaks a property, and how that reads. An error says why there is no such thing.
    fn broken_by(&self, property: &str, run: &Run) -> Result<(Reached<'_>, String), &'static str> {
        let circuit = self.circuit;
        let mut properties = circuit.properties.iter();
        let known = properties.find(|one| one.name(circuit) == property).ok_or("the model has no such property")?;
        match *known {
            Property::Deadlock => Ok((Reached::DeadEnd, "the last state has no successor".to_owned())),
            Property::Invariant(id) => {
                let atom = circuit.invariant(id).atom;
                Ok((Reached::Without(circuit.atoms[atom.index()].expr), false_at_the_end(run)))
            }
            Property::Claim(id) => {
                let violations = &circuit.claim(id).violations;
                Ok((Reached::FairCycle(Some(violations)), "the states of the cycle repeat forever".to_owned()))
            }
            Property::Ctl(_) => Err("a CTL formula is about more than one run"),
            Property::Assertions => Err("circuits have no assertions"),
        }
    }

    /// All witnesses of a file, one after the other.
    fn witnesses(&self, text: &str) -> Result<(), Failure> {
        let inputs = self.circuit.unassigned();
        let wrong = |error: WitnessError| Failure::Witness { path: self.path.to_owned(), error };
        let latches = self.circuit.variables.len() - inputs;
        let witnesses = aiger_witness::read(text, inputs, latches).map_err(wrong)?;
        for (place, witness) in witnesses.iter().enumerate() {
            if place > 0 {
                output::print("\n")?;
            }
            let properties = witness.properties.iter().map(|named| self.property(witness, *named));
            let properties = properties.collect::<Result<Vec<Witnessed>, Failure>>()?;
            match &witness.said {
                Said::Holds => self.tell(&properties, "holds according to the file; there is no run to replay")?,
                Said::Unknown => {
                    self.tell(&properties, "is unknown according to the file; there is no run to replay")?
                }
                Said::Violated(bits) => {
                    let run = bits.run(self.circuit, inputs, witness.line).map_err(wrong)?;
                    self.witnessed(witness, bits, run, &properties)?;
                }
            }
        }
        Ok(())
    }

    fn tell(&self, properties: &[Witnessed], what: &str) -> Result<(), Failure> {
        for property in properties {
            output::print(&format!("{} {what}\n", property.name))?;
        }
        Ok(())
    }

    /// A property that a witness names, by its number among those of its kind.
    fn property(&self, witness: &Witness, named: Named) -> Result<Witnessed, Failure> {
        let (number, of_justice) = match named {
            Named::Bad(number) => (number, false),
            Named::Justice(number) => (number, true),
        };
        let is_meant = |one: &&Property| matches!(one, Property::Claim(_)) == of_justice;
        let found = self.circuit.properties.iter().filter(is_meant).nth(number);
        let property = *found.ok_or_else(|| Failure::NoSuchProperty {
            path: self.path.to_owned(),
            line: witness.line + 1,
            name: named.to_string(),
        })?;
        let name = match named.to_string() {
            name if name == property.name(self.circuit) => name,
            name => format!("{name} ({})", property.name(self.circuit)),
        };
        Ok(Witnessed { name, property })
    }

    /// Shows the run of a witness, and looks whether it shows what it should.
    fn witnessed(&self, witness: &Witness, bits: &Bits, mut run: Run, properties: &[Witnessed]) -> Result<(), Failure> {
        let mut simulator = Simulator::new(self.circuit);
        let mut ends = Vec::new();
        let mut unshown = None;
        for property in properties {
            let shown = match property.property {
                Property::Invariant(id) => {
                    let good = self.circuit.atoms[self.circuit.invariant(id).atom.index()].expr;
                    let place = run.states.iter().position(|state| !simulator.holds(good, state));
                    place.map(|place| format!("is reached in state {}", place + 1))
                }
                asked => closed(&run, &mut simulator, asked).map(|closed| {
                    run = closed;
                    "is visited infinitely often".to_owned()
                }),
            };
            match shown {
                Some(shown) => ends.push(format!("      => {} {shown}\n", property.name)),
                None => unshown = unshown.or(Some(&property.name)),
            }
        }
        let names: Vec<&str> = properties.iter().map(|property| property.name.as_str()).collect();
        let count = run.states.len();
        let states = if count == 1 { "state" } else { "states" };
        output::print(&format!("{}, {count} {states}:\n{}{}", names.join(", "), self.shown(&run), ends.concat()))?;
        let Some(unshown) = unshown else { return Ok(()) };
        let open = if bits.leaves_open() { ", with false for each `x`" } else { "" };
        let what = format!("{unshown}{open}");
        Err(Failure::ShowsNothing { path: self.path.to_owned(), line: Some(witness.line), what })
    }

    fn shown(&self, run: &Run) -> String {
        run_text(&self.entry(run), IN_FILE)
    }

    fn entry(&self, run: &Run) -> RunEntry {
        RunEntry::new(self.circuit, run, Vec::new())
    }

    fn entries(&self, branches: &[StoredBranch]) -> Vec<BranchEntry> {
        let entry = |StoredBranch { state, formula, run, branches }: &StoredBranch| {
            let run = RunEntry { branches: self.entries(branches), ..self.entry(run) };
            BranchEntry { state: *state, formula: formula.clone(), run }
        };
        branches.iter().map(entry).collect()
    }
}

/// A property that a witness is about.
struct Witnessed {
    name: String,
    property: Property,
}

/// The run with a cycle that meets a justice property. A witness does not say where the cycle begins, and tools differ on
/// whether the state in which it begins is told once more at the end.
fn closed(run: &Run, simulator: &mut Simulator<'_>, asked: Property) -> Option<Run> {
    let Property::Claim(id) = asked else { return None };
    let violations = &simulator.circuit().claim(id).violations;
    let count = run.states.len();
    for length in [count, count.saturating_sub(1)] {
        let states = &run.states[..length];
        let last = states.last()?;
        let beginnings: Vec<usize> = (0..length).filter(|start| simulator.is_step(last, &states[*start])).collect();
        for start in beginnings {
            let closed = Run { states: states.to_vec(), cycle_start: Some(start) };
            if closed.confirm(simulator, Reached::FairCycle(Some(violations))).is_ok() {
                return Some(closed);
            }
        }
    }
    None
}
