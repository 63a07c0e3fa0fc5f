//! `reductio replay` on witnesses in AIGER, which name their property and do not say where a cycle begins.

use std::path::Path;

use reductio::certify::breaks;
use reductio_model::Property;
use reductio_model::circuit::{Circuit, Run, Simulator};
use reductio_report::aiger_witness::{self, Bits, Named, Said, Witness};
use reductio_report::{TraceEntry, WitnessError, trace_text};

use crate::failure::Failure;
use crate::output;
use crate::replay::IN_FILE;

/// A file of witnesses of a circuit.
pub struct Witnesses<'a> {
    pub circuit: &'a Circuit,
    pub path: &'a Path,
}

impl Witnesses<'_> {
    /// All witnesses of a file, one after the other.
    pub fn replay(&self, text: &str) -> Result<(), Failure> {
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
        let simulator = &mut Simulator::new(self.circuit);
        let entry = run.walk(simulator).map_or_else(TraceEntry::default, |walk| TraceEntry::of(simulator, &walk));
        trace_text::trace(&entry, IN_FILE)
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
    let Property::Claim(_) = asked else { return None };
    let count = run.states.len();
    for length in [count, count.saturating_sub(1)] {
        let states = &run.states[..length];
        let last = states.last()?;
        let beginnings: Vec<usize> = (0..length).filter(|start| simulator.is_step(last, &states[*start])).collect();
        for start in beginnings {
            let closed = Run { states: states.to_vec(), cycle_start: Some(start) };
            if breaks(simulator.circuit(), asked, &closed).is_ok() {
                return Some(closed);
            }
        }
    }
    None
}
