//! The arguments of the command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
pub use reductio::{Language, Vacuity};
use reductio_reduce::circuit_plan::{Direction, InitialOrder, RelationChoice};
use reductio_reduce::{CycleSearch, EngineChoice, Fairness, ReduceChoice, Reduction, SearchOrder, StoreChoice};

/// Checks models of concurrent systems, written in Promela, SMV or AIGER, and while-programs.
#[derive(Parser)]
#[command(name = "reductio", version = env!("REDUCTIO_VERSION"), after_help = EXIT_CODES)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 every checked property holds, 1 some property is violated, \
    2 the arguments, a file or the model is wrong, 3 inconclusive or something declared was not checked, 130 interrupted.";

#[derive(Subcommand)]
pub enum Command {
    /// Check every property of a model: assertions, deadlock, invariants, LTL and CTL.
    #[command(after_help = EXIT_CODES)]
    Check(Box<CheckArguments>),
    /// Follow one run of a model, at random or as you choose.
    Simulate(SimulateArguments),
    /// Show the run that a trace file holds.
    Replay(ReplayArguments),
    /// Print the control-flow graphs of a model, or its state graph, for Graphviz; of a model in SMV or AIGER, which
    /// variables depend on which.
    Graph(GraphArguments),
    /// Translate an LTL formula into a Büchi automaton.
    Ltl(LtlArguments),
    /// Check language containment: does an automaton accept every word that another one accepts?
    #[command(after_help = "Exit codes: 0 yes; 1 no; 2 usage, file or automaton error.")]
    Contains(ContainsArguments),
    /// Print the model after path reduction and the reset of dead variables.
    Reduce(ReduceArguments),
}

#[derive(Args)]
pub struct ContainsArguments {
    /// An automaton in the Hanoi format.
    pub small: PathBuf,
    /// Another one, which must be deterministic.
    pub large: PathBuf,
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
}

#[derive(Args)]
pub struct ReduceArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    /// Path reduction only.
    #[arg(long)]
    pub path: bool,
    /// Reset of dead variables only.
    #[arg(long)]
    pub dead: bool,
    /// Only leave out writes that nothing depends on.
    #[arg(long)]
    pub slice: bool,
    /// An LTL formula that will be checked: the variables in it stay visible.
    #[arg(long, value_name = "FORMULA")]
    pub ltl: Vec<String>,
    /// An invariant that will be checked: the variables in it stay visible.
    #[arg(long = "invariant", value_name = "EXPRESSION")]
    pub invariants: Vec<String>,
}

#[derive(Args)]
pub struct LtlArguments {
    /// The formula, as in an `ltl` block or in the usual spellings; whatever is in parentheses and no formula is an atom.
    pub formula: String,
    /// Print the automaton in the Hanoi format.
    #[arg(long, group = "form")]
    pub hoa: bool,
    /// Print it as a never claim of Promela, which accepts the runs that satisfy the formula.
    #[arg(long, group = "form")]
    pub never: bool,
    /// Draw it for Graphviz.
    #[arg(long, group = "form")]
    pub dot: bool,
    /// With --hoa and --dot: one acceptance set of states instead of several of edges.
    #[arg(long, conflicts_with = "never", requires = "form")]
    pub state_based: bool,
}

#[derive(Args)]
pub struct ModelArguments {
    /// The model to read; `-` is standard input.
    pub model: PathBuf,
    /// The language of the model; by default the ending of its name tells, and standard input is Promela.
    #[arg(long, value_parser = language, value_name = "promela|while|smv|aiger")]
    pub language: Option<Language>,
    /// Define a macro, as `#define NAME VALUE` at the top of the model would; without VALUE it is 1.
    #[arg(short = 'D', value_name = "NAME[=VALUE]", value_parser = define)]
    pub defines: Vec<(String, String)>,
}

#[derive(Args)]
pub struct CheckArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    /// Check only this property; can be given several times.
    #[arg(long = "property", value_name = "NAME")]
    pub properties: Vec<String>,
    /// A formula of linear temporal logic that every run must satisfy, as in an `ltl` block; can be given several times.
    #[arg(long, value_name = "FORMULA")]
    pub ltl: Vec<String>,
    /// A formula of computation tree logic, such as `AG EF x`; can be given several times.
    #[arg(long, value_name = "FORMULA")]
    pub ctl: Vec<String>,
    /// An expression over global variables that must hold in every state; can be given several times.
    #[arg(long = "invariant", value_name = "EXPRESSION")]
    pub invariants: Vec<String>,
    /// Do not look for deadlocks.
    #[arg(long)]
    pub no_deadlock: bool,
    /// Do not return exit code 3 for properties that the model declares and that cannot be checked.
    #[arg(long)]
    pub allow_unchecked: bool,
    /// The engine: state by state (explicit), or with sets of states as BDDs (symbolic).
    #[arg(long, value_parser = engine, default_value = "auto", value_name = "auto|explicit|symbolic")]
    pub engine: EngineChoice,
    /// With the symbolic engine: use the whole transition relation in every step (static), or only the relevant parts
    /// (dynamic).
    #[arg(long, value_parser = relation, value_name = "auto|static|dynamic")]
    pub relation: Option<RelationChoice>,
    /// With the symbolic engine: compute the reachable states first (forward), or start from the violations (backward).
    #[arg(long, value_parser = direction, value_name = "forward|backward")]
    pub direction: Option<Direction>,
    /// With the symbolic engine: the initial variable order of the BDDs, that of the text or a bad one.
    #[arg(long, value_parser = order, value_name = "text|worst|scattered")]
    pub order: Option<InitialOrder>,
    /// With the symbolic engine: whether to reorder variables when the BDDs have grown.
    #[arg(long, value_enum, value_name = "auto|off", hide_possible_values = true)]
    pub reorder: Option<Reorder>,
    /// With the symbolic engine: write the reachable states to a file, as a BDD in the format DDDMP.
    #[arg(long, value_name = "FILE")]
    pub save_states: Option<PathBuf>,
    /// With the symbolic engine: read the reachable states from such a file; it is checked that no step leaves them.
    #[arg(long, value_name = "FILE")]
    pub load_states: Option<PathBuf>,
    /// Which reductions to use: auto, none, or a list of por (partial order), sleep (sleep sets), symmetry, path, dead
    /// (dead variables), slice; for circuits, cone (cone of influence).
    #[arg(long, value_parser = reductions, default_value = "auto", value_name = "auto|none|LIST")]
    pub reduce: ReduceChoice,
    /// Which infinite runs count: all, or those that are fair to processes (weak, strong) or to statements
    /// (operation-justice, operation-fairness), or that leave out nothing on which nothing depends (maximal).
    #[arg(long, value_parser = fairness, default_value = "none", value_name = "FAIRNESS")]
    pub fairness: Fairness,
    /// How violations of liveness are searched: by strongly connected components, or by nested depth-first search, which
    /// supports weak fairness only.
    #[arg(long, value_parser = cycles, default_value = "components", value_name = "components|nested")]
    pub cycles: CycleSearch,
    /// With --fairness weak: only search for violations, in fewer states where symmetry reduction applies; may overlook
    /// some.
    #[arg(long, conflicts_with = "cycles")]
    pub hunt: bool,
    /// The order of the search: bfs gives the shortest counterexamples and can use several threads; auto is bfs with short
    /// depth-first probes in between, which find deep violations sooner.
    #[arg(long, value_parser = search_order, default_value = "auto", value_name = "auto|bfs|dfs")]
    pub search: SearchOrder,
    /// How states are stored: exact, or lossy in less memory. A lossy store can find violations but proves nothing.
    #[arg(long, value_parser = store, default_value = "exact", value_name = "exact|compact|bitstate")]
    pub store: StoreChoice,
    /// How many threads search.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    pub threads: u32,
    /// Give up when the search would need more memory, such as 500M or 4G [default: 3/4 of what is free,
    /// at most 2G for lossy stores].
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub memory: Option<u64>,
    /// Give up after this time, such as 90s, 5m or 2h.
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub time: Option<Duration>,
    /// The vacuity check: does a formula hold for a trivial reason? auto takes a tenth of the time of the check and at
    /// least a second, full as long as it takes.
    #[arg(long, value_parser = vacuity, default_value = "auto", value_name = "auto|full|off")]
    pub vacuity: Vacuity,
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
    /// Show the verdicts only: no counterexamples, no statistics, no progress.
    #[arg(long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Show more: reductions that are off for a reason that is always the same, all entries of long lists, and more
    /// statistics. (JSON always has them.)
    #[arg(long)]
    pub verbose: bool,
    /// Write the first counterexample to this file, for `reductio replay`; as a trail for `spin -t` if it ends in .trail;
    /// all of them as witnesses if the model is in AIGER.
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Stop looking for violations of a property after this many; 0 looks for all.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub max_violations: u32,
    /// Stop at the first violation of any property. The others are then inconclusive, unless they were decided before.
    #[arg(long)]
    pub first: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Text,
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Reorder {
    Auto,
    Off,
}

#[derive(Args)]
pub struct SimulateArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    /// The same seed gives the same run.
    #[arg(long, value_name = "N", conflicts_with = "interactive")]
    pub seed: Option<u64>,
    /// Stop after this many steps.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub steps: u64,
    /// Choose each step yourself.
    #[arg(long)]
    pub interactive: bool,
}

#[derive(Args)]
pub struct ReplayArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    /// A file that `reductio check --trace` wrote, a trail of SPIN's (.trail) made with `spin -a -o3`, or witnesses of a model
    /// in AIGER.
    pub trace: PathBuf,
}

#[derive(Args)]
pub struct GraphArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    /// The reachable states instead of the control flow or the dependencies; for small models.
    #[arg(long)]
    pub states: bool,
    /// Print which processes are interchangeable (symmetry reduction), and what stands in the way of more.
    #[arg(long, conflicts_with_all = ["states", "dot"])]
    pub symmetry: bool,
    /// Print Graphviz DOT (default).
    #[arg(long)]
    pub dot: bool,
}

/// What is wrong with the value of an option. Clap names the option and the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadValue(&'static str);

impl std::fmt::Display for BadValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for BadValue {}

fn define(text: &str) -> Result<(String, String), BadValue> {
    let (name, value) = text.split_once('=').unwrap_or((text, "1"));
    let mut characters = name.chars();
    let starts_well = characters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
    if !starts_well || !characters.all(|next| next.is_ascii_alphanumeric() || next == '_') {
        return Err(BadValue("a macro's name is made of letters, digits and `_`"));
    }
    Ok((name.to_owned(), value.to_owned()))
}

fn language(text: &str) -> Result<Language, BadValue> {
    Ok(match text {
        "promela" => Language::Promela,
        "while" => Language::While,
        "smv" => Language::Smv,
        "aiger" => Language::Aiger,
        _ => return Err(BadValue("expected promela, while, smv or aiger")),
    })
}

fn vacuity(text: &str) -> Result<Vacuity, BadValue> {
    Ok(match text {
        "auto" => Vacuity::Auto,
        "full" => Vacuity::Full,
        "off" => Vacuity::Off,
        _ => return Err(BadValue("expected auto, full or off")),
    })
}

fn direction(text: &str) -> Result<Direction, BadValue> {
    Ok(match text {
        "forward" => Direction::Forward,
        "backward" => Direction::Backward,
        _ => return Err(BadValue("expected forward or backward")),
    })
}

fn order(text: &str) -> Result<InitialOrder, BadValue> {
    Ok(match text {
        "text" => InitialOrder::Text,
        "worst" => InitialOrder::Worst,
        "scattered" => InitialOrder::Scattered,
        _ => return Err(BadValue("expected text, worst or scattered")),
    })
}

fn relation(text: &str) -> Result<RelationChoice, BadValue> {
    Ok(match text {
        "auto" => RelationChoice::Auto,
        "static" => RelationChoice::Static,
        "dynamic" => RelationChoice::Dynamic,
        _ => return Err(BadValue("expected auto, static or dynamic")),
    })
}

fn engine(text: &str) -> Result<EngineChoice, BadValue> {
    Ok(match text {
        "auto" => EngineChoice::Auto,
        "explicit" => EngineChoice::Explicit,
        "symbolic" => EngineChoice::Symbolic,
        _ => return Err(BadValue("expected auto, explicit or symbolic")),
    })
}

fn reductions(text: &str) -> Result<ReduceChoice, BadValue> {
    match text {
        "auto" => return Ok(ReduceChoice::Auto),
        "none" => return Ok(ReduceChoice::None),
        _ => {}
    }
    let names = text.split(',').map(|name| Reduction::from_name(name.trim()));
    let list: Option<Vec<Reduction>> = names.collect();
    let expected = BadValue("expected auto, none, or a list of por, sleep, symmetry, path, dead, slice, cone");
    list.map(ReduceChoice::List).ok_or(expected)
}

fn fairness(text: &str) -> Result<Fairness, BadValue> {
    let expected = BadValue("expected none, maximal, weak, strong, operation-justice or operation-fairness");
    Fairness::from_name(text).ok_or(expected)
}

fn cycles(text: &str) -> Result<CycleSearch, BadValue> {
    Ok(match text {
        "components" => CycleSearch::Components,
        "nested" => CycleSearch::Nested,
        _ => return Err(BadValue("expected components or nested")),
    })
}

fn search_order(text: &str) -> Result<SearchOrder, BadValue> {
    Ok(match text {
        "auto" => SearchOrder::Auto,
        "dfs" => SearchOrder::DepthFirst,
        "bfs" => SearchOrder::BreadthFirst,
        _ => return Err(BadValue("expected auto, dfs or bfs")),
    })
}

fn store(text: &str) -> Result<StoreChoice, BadValue> {
    Ok(match text {
        "exact" => StoreChoice::Exact,
        "compact" => StoreChoice::Compact,
        "bitstate" => StoreChoice::Bitstate,
        _ => return Err(BadValue("expected exact, compact or bitstate")),
    })
}

/// A number of bytes: `4G`, `512M`, `1.5GiB`, `100000b`. Units are powers of 1024. A bare number is refused: nobody who
/// writes `--memory 100` means a hundred bytes.
fn size(text: &str) -> Result<u64, BadValue> {
    let expected = BadValue("expected a size such as 500M or 4G");
    let (number, unit) = number_and_unit(text).ok_or(expected.clone())?;
    let shift = match unit.to_ascii_lowercase().as_str() {
        "" => return Err(BadValue("a size needs a unit: write 100M for mebibytes, 4G for gibibytes")),
        "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        _ => return Err(expected),
    };
    let bytes = number * (1u64 << shift) as f64;
    if !(1.0..=u64::MAX as f64 / 2.0).contains(&bytes) {
        return Err(BadValue("the size is out of range"));
    }
    Ok(bytes as u64)
}

/// A time: `10s`, `5m`, `2h`, `500ms`, `1m30s`; a bare number is in seconds.
fn duration(text: &str) -> Result<Duration, BadValue> {
    let expected = BadValue("expected a duration such as 90s, 5m or 2h");
    let mut seconds = 0.0;
    let mut rest = text.trim();
    if rest.is_empty() {
        return Err(expected);
    }
    while !rest.is_empty() {
        let is_number = |character: char| character.is_ascii_digit() || character == '.';
        let after_number = rest.find(|character| !is_number(character)).unwrap_or(rest.len());
        let after_unit = rest[after_number..].find(is_number).map_or(rest.len(), |unit| after_number + unit);
        let (number, unit) = number_and_unit(&rest[..after_unit]).ok_or(expected.clone())?;
        seconds += number
            * match unit {
                "ms" => 0.001,
                "" | "s" | "sec" => 1.0,
                "m" | "min" => 60.0,
                "h" => 3600.0,
                "d" => 86400.0,
                _ => return Err(expected),
            };
        rest = &rest[after_unit..];
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| BadValue("the duration is out of range"))
}

fn number_and_unit(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let is_number = |character: char| character.is_ascii_digit() || character == '.';
    let split = text.find(|character| !is_number(character)).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    Some((number.parse().ok()?, unit.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_well_formed() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
    }

    #[test]
    fn sizes() {
        assert_eq!(size("4G"), Ok(4 << 30));
        assert_eq!(size("512MiB"), Ok(512 << 20));
        assert_eq!(size("1.5k"), Ok(1536));
        assert_eq!(size(" 100000 b "), Ok(100_000));
        for bad in ["", "100", "4096", "G", "4X", "-1", "0", "1e3", "99999999999T", "1.2.3", "4 G B", "∞"] {
            assert!(size(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn durations() {
        assert_eq!(duration("10s"), Ok(Duration::from_secs(10)));
        assert_eq!(duration("5m"), Ok(Duration::from_secs(300)));
        assert_eq!(duration("1m30s"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(duration("0"), Ok(Duration::ZERO));
        for bad in ["", "s", "-5s", "5 parsecs", "1h-2m", "99999999999999999999h", "..s"] {
            assert!(duration(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn macros() {
        assert_eq!(define("N"), Ok(("N".to_owned(), "1".to_owned())));
        assert_eq!(define("N=3"), Ok(("N".to_owned(), "3".to_owned())));
        assert_eq!(define("N="), Ok(("N".to_owned(), String::new())));
        assert_eq!(define("E=a==b"), Ok(("E".to_owned(), "a==b".to_owned())));
        for bad in ["", "=3", "3N", "a b", "f(x)=x"] {
            assert!(define(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn lists_of_reductions() {
        assert_eq!(reductions("none"), Ok(ReduceChoice::None));
        let both = vec![Reduction::PartialOrder, Reduction::DeadVariables];
        assert_eq!(reductions("por, dead"), Ok(ReduceChoice::List(both)));
        assert!(reductions("por,magic").is_err());
        assert!(reductions("").is_err());
    }
}
