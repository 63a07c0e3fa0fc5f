//! Random SMV modules, small enough to be checked state by state.

use reductio_model::Budget;
use std::fmt::Write;

use reductio_frontends::smv::{LoadOptions, load};
use reductio_model::circuit::Circuit;

use crate::random::Random;

/// What an expression may speak of.
#[derive(Clone, Copy, PartialEq)]
pub struct Speech {
    pub inputs: bool,
    pub next: bool,
}

pub const OF_STATES: Speech = Speech { inputs: false, next: false };

/// What a module may have besides a boolean and an enumeration: the name, the type, and what stands for it where it is no
/// variable, so that there are not too many states.
const VARIABLES: [(&str, &str, &str); 5] = [
    ("c", "boolean", "TRUE"),
    ("n", "-1..2", "1"),
    ("w", "unsigned word[2]", "0ud2_2"),
    ("a", "array 0..1 of boolean", "[TRUE, FALSE]"),
    ("m", "{0, 5, big}", "5"),
];

/// Writes one module.
pub struct Writer {
    pub random: Random,
    has_input: bool,
    has_frozen: bool,
    /// A number that others determine.
    has_sum: bool,
    /// Two instances of a module that know each other.
    has_cells: bool,
}

impl Writer {
    pub fn new(seed: u64) -> Writer {
        let mut random = Random::new(seed);
        let (has_input, has_frozen) = (random.one_in(2), random.one_in(3));
        Writer { random, has_input, has_frozen, has_sum: false, has_cells: false }
    }

    pub fn module(&mut self) -> String {
        let mut text = "MODULE main\nVAR b : boolean; e : {red, green, blue};\n".to_owned();
        let mut targets = vec!["b", "e"];
        for (name, ty, constant) in VARIABLES {
            // With more of them, trying state by state takes long.
            if self.random.one_in(2) && targets.len() < 4 {
                targets.extend(if name == "a" { vec!["a[0]", "a[1]"] } else { vec![name] });
                let _ = writeln!(text, "VAR {name} : {ty};");
            } else if name == "m" {
                // Nothing but a variable can be both a number and a name.
                let _ = writeln!(text, "VAR m : {ty}; ASSIGN m := {constant};");
            } else {
                let _ = writeln!(text, "DEFINE {name} := {constant};");
            }
        }
        if self.has_input {
            text += "IVAR i : boolean;\n";
        }
        if self.has_frozen {
            text += "FROZENVAR f : 0..2;\n";
        }
        text += &format!("DEFINE d := {};\n", self.boolean(2, OF_STATES));
        text += "ASSIGN\n";
        let stepping = Speech { inputs: true, next: false };
        let count = targets.len();
        for target in targets {
            if self.random.one_in(2) {
                let _ = writeln!(text, "  init({target}) := {};", self.choice(target, 0, OF_STATES, false));
            }
            if !self.random.one_in(4) {
                let _ = writeln!(text, "  next({target}) := {};", self.choice(target, 2, stepping, true));
            }
        }
        if self.random.one_in(3) {
            let choice = self.choice("s", 1, OF_STATES, true);
            let _ = writeln!(text, "VAR s : -2..2; ASSIGN s := {choice};");
            self.has_sum = true;
        }
        let moving = Speech { inputs: true, next: true };
        if self.random.one_in(4) {
            let _ = writeln!(text, "INIT {}", self.boolean(2, OF_STATES));
        }
        if self.random.one_in(4) {
            let _ = writeln!(text, "TRANS {}", self.boolean(2, moving));
        }
        if self.random.one_in(5) {
            let _ = writeln!(text, "INVAR {}", self.boolean(2, OF_STATES));
        }
        for _ in 0..self.random.below(3) {
            let _ = writeln!(text, "JUSTICE {}", self.boolean(1, stepping));
        }
        if self.random.one_in(4) {
            let (often, then) = (self.boolean(1, OF_STATES), self.boolean(1, OF_STATES));
            let _ = writeln!(text, "COMPASSION ({often}, {then})");
        }
        if count < 4 && self.random.one_in(2) {
            text += &self.cells();
        }
        let _ = writeln!(text, "INVARSPEC {}", self.boolean(2, OF_STATES));
        for _ in 0..3 {
            let _ = writeln!(text, "SPEC {}", self.ctl(3));
        }
        let _ = writeln!(text, "LTLSPEC {}", self.ltl(3));
        text + &self.cell_modules()
    }

    /// Two instances of a module, as processes or not.
    fn cells(&mut self) -> String {
        let kind = if self.random.one_in(2) { "process cell" } else { "cell" };
        // They do not speak of the cells, or definitions would go in circles.
        let (one, two) = (self.boolean(1, OF_STATES), self.boolean(1, OF_STATES));
        self.has_cells = true;
        format!("VAR one : {kind}({one}, two, self); two : {kind}({two}, one, self);\n")
    }

    /// Modules that include others, define names for others, assign what is not theirs, and say when they may run.
    fn cell_modules(&mut self) -> String {
        if !self.has_cells {
            return String::new();
        }
        let values = ["{p, !v}", "p union v", "!seen", "case p : v; TRUE : {FALSE, TRUE}; esac", "outer.b xor v"];
        let (first, next) = (self.random.one_of(&["TRUE", "FALSE", "{TRUE, FALSE}"]), self.random.one_of(&values));
        let defined = self.random.one_of(&["v & p", "v -> outer.b", "!v"]);
        let mut text = format!(
            "MODULE half VAR v : boolean; ASSIGN init(v) := {first};\n\
             MODULE cell(p, other, outer) ISA half\nASSIGN next(v) := {next};\nDEFINE other.seen := {defined};\n"
        );
        if self.random.one_in(3) {
            let _ = writeln!(text, "TRANS {}", self.random.one_of(&["next(v) -> v | p", "v -> next(outer.b)"]));
        }
        if self.random.one_in(4) {
            let _ = writeln!(text, "FAIRNESS {}", self.random.one_of(&["!v", "seen", "p"]));
        }
        text
    }

    /// Something that can be assigned.
    fn choice(&mut self, target: &str, depth: usize, speech: Speech, keeps: bool) -> String {
        match self.random.below(if depth == 0 { 2 } else { 4 }) {
            0 => self.value(target, depth, speech, keeps),
            1 => {
                let (one, other) = (self.value(target, depth, speech, keeps), self.value(target, depth, speech, keeps));
                format!("{{{one}, {other}}}")
            }
            _ => {
                let condition = self.boolean(depth - 1, speech);
                let then = self.choice(target, depth - 1, speech, keeps);
                let otherwise = self.choice(target, depth - 1, speech, keeps);
                // Now and then a case is forgotten.
                let last = if self.random.one_in(12) { self.boolean(0, speech) } else { "TRUE".to_owned() };
                format!("case {condition} : {then}; {last} : {otherwise}; esac")
            }
        }
    }

    /// One value. Initial values do not depend on other variables, so that they do not go in circles.
    fn value(&mut self, target: &str, depth: usize, speech: Speech, keeps: bool) -> String {
        if keeps && target != "s" && self.random.one_in(3) {
            return target.to_owned();
        }
        match target {
            "m" => self.random.one_of(&["0", "5", "big"]).to_owned(),
            "e" => self.random.one_of(&["red", "green", "blue"]).to_owned(),
            "n" if !keeps => self.random.one_of(&["-1", "0", "1", "2"]).to_owned(),
            // Now and then a value is out of range.
            "n" if self.random.one_in(12) => self.number(depth, speech),
            "n" => format!("abs({}) mod 3", self.number(depth, speech)),
            "s" => format!("({}) mod 3", self.number(depth, speech)),
            "w" if !keeps => self.random.one_of(&["0ud2_0", "0ud2_1", "0ud2_3"]).to_owned(),
            "w" => self.word(depth, speech),
            _ if !keeps => self.random.one_of(&["TRUE", "FALSE"]).to_owned(),
            _ => self.boolean(depth, speech),
        }
    }

    pub fn boolean(&mut self, depth: usize, speech: Speech) -> String {
        if depth == 0 {
            let atoms = [
                "b",
                "c",
                "a[0]",
                "e = red",
                "e in {red, green}",
                "n = 1",
                "n < 1",
                "bool(w[0:0])",
                "TRUE",
                "m = big",
                "m = 5",
            ];
            let atom = self.random.one_of(&atoms);
            return match self.random.below(8) {
                0 if speech.inputs && self.has_input => "i".to_owned(),
                1 if self.has_frozen => format!("(f = {})", self.random.below(3)),
                3 if self.has_cells => self.random.one_of(&["one.v", "two.seen", "(one.v = two.v)"]).to_owned(),
                2 if speech.next => format!("next({atom})"),
                _ => format!("({atom})"),
            };
        }
        let smaller = depth - 1;
        match self.random.below(9) {
            0 => format!("!{}", self.boolean(smaller, speech)),
            1 | 2 => {
                let operator = self.random.one_of(&["&", "|", "->", "<->", "xor"]);
                format!("({} {operator} {})", self.boolean(smaller, speech), self.boolean(smaller, speech))
            }
            3 => {
                let operator = self.random.one_of(&["=", "!=", "<", "<=", ">", ">="]);
                format!("({} {operator} {})", self.number(smaller, speech), self.number(smaller, speech))
            }
            4 => {
                let operator = self.random.one_of(&["=", "!=", "<", ">="]);
                format!("({} {operator} {})", self.word(smaller, speech), self.word(smaller, speech))
            }
            5 => format!(
                "({} ? {} : {})",
                self.boolean(smaller, speech),
                self.boolean(smaller, speech),
                self.boolean(smaller, speech)
            ),
            6 => format!("a[({}) mod 2 = 0 ? 0 : 1]", self.number(smaller, speech)),
            _ => self.boolean(0, speech),
        }
    }

    fn number(&mut self, depth: usize, speech: Speech) -> String {
        if depth == 0 {
            return match self.random.below(6) {
                0 => "n".to_owned(),
                1 if self.has_frozen => "f".to_owned(),
                2 if speech.next => "next(n)".to_owned(),
                3 if self.has_sum => self.random.one_of(&["s", "-s"]).to_owned(),
                3 => "toint(w)".to_owned(),
                4 => "count(b, c)".to_owned(),
                _ => self.random.one_of(&["-3", "-1", "0", "1", "2"]).to_owned(),
            };
        }
        let (left, right) = (self.number(depth - 1, speech), self.number(depth - 1, speech));
        match self.random.below(7) {
            0 => format!("({left} + {right})"),
            1 => format!("({left} - {right})"),
            2 => format!("({left} * {right})"),
            3 => format!("({left} / {})", self.random.one_of(&["2", "-2", "3"])),
            4 => format!("({left} mod {})", self.random.one_of(&["2", "-3", "4"])),
            // The divisor may be zero, unless somebody looked.
            5 if self.random.one_in(8) => format!("({left} / {right})"),
            5 => format!("({right} != 0 ? {left} / {right} : max({left}, {right}))"),
            _ => format!("({} ? {left} : {right})", self.boolean(0, speech)),
        }
    }

    fn word(&mut self, depth: usize, speech: Speech) -> String {
        if depth == 0 {
            return match self.random.below(4) {
                0 if speech.next => "next(w)".to_owned(),
                1 => "word1(b) :: word1(c)".to_owned(),
                2 => format!("0ud2_{}", self.random.below(4)),
                _ => "w".to_owned(),
            };
        }
        let (left, right) = (self.word(depth - 1, speech), self.word(depth - 1, speech));
        match self.random.below(8) {
            0 => format!("(({left}) + ({right}))"),
            1 => format!("(({left}) - ({right}))"),
            2 => format!("(({left}) * ({right}))"),
            3 => format!("(({left}) & !({right}))"),
            4 => format!(
                "(({left}) {} {})",
                self.random.one_of(&["<<", ">>"]),
                self.random.one_of(&["1", "w[0:0]", "count(b, c)"])
            ),
            5 => format!("unsigned(-signed({left}))"),
            6 => format!("unsigned(resize(extend(signed({left}), 2) / 0sd4_{}, 2))", self.random.one_of(&["2", "3"])),
            _ => format!("({})[1:1] :: ({})[0:0]", left, right),
        }
    }

    pub fn ctl(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.boolean(1, OF_STATES);
        }
        let smaller = depth - 1;
        match self.random.below(8) {
            6 => {
                let operator = self.random.one_of(&["EBF 0..2", "ABF 1..2", "EBG 1..3", "ABG 0..1"]);
                format!("{operator} ({})", self.ctl(smaller))
            }
            7 => {
                let (path, bounds) = (self.random.one_of(&["A", "E"]), self.random.one_of(&["0..1", "1..2"]));
                format!("{path} [{} BU {bounds} {}]", self.ctl(smaller), self.ctl(smaller))
            }
            0 => format!("!({})", self.ctl(smaller)),
            1 => {
                let operator = self.random.one_of(&["&", "|", "->", "<->", "xor"]);
                format!("({} {operator} {})", self.ctl(smaller), self.ctl(smaller))
            }
            2 => format!("{} [{} U {}]", self.random.one_of(&["A", "E"]), self.ctl(smaller), self.ctl(smaller)),
            _ => format!("{} ({})", self.random.one_of(&["AX", "EX", "AF", "EF", "AG", "EG"]), self.ctl(smaller)),
        }
    }

    fn ltl(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.boolean(0, Speech { inputs: true, next: false });
        }
        let smaller = depth - 1;
        match self.random.below(8) {
            6 => self.past(depth),
            7 => format!("{} ({})", self.random.one_of(&["F [0, 2]", "G [1, 2]"]), self.ltl(smaller)),
            0 => format!("!({})", self.ltl(smaller)),
            1 => {
                let operator = self.random.one_of(&["&", "|", "->"]);
                format!("({} {operator} {})", self.ltl(smaller), self.ltl(smaller))
            }
            2 => format!("(({}) {} ({}))", self.ltl(smaller), self.random.one_of(&["U", "V"]), self.ltl(smaller)),
            _ => format!("{} ({})", self.random.one_of(&["X", "F", "G"]), self.ltl(smaller)),
        }
    }
}

impl Writer {
    /// A formula about the past.
    fn past(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.boolean(0, Speech { inputs: true, next: false });
        }
        let smaller = depth - 1;
        match self.random.below(5) {
            0 => format!("!({})", self.past(smaller)),
            1 => {
                format!("(({}) {} ({}))", self.past(smaller), self.random.one_of(&["S", "T", "&"]), self.past(smaller))
            }
            _ => {
                let operator = self.random.one_of(&["Y", "Z", "O", "H", "O [0, 1]", "H [1, 2]"]);
                format!("{operator} ({})", self.past(smaller))
            }
        }
    }
}

/// The text with more in its main module, behind which there may be others.
pub fn with_more(text: &str, more: &str) -> String {
    text.replacen("MODULE main\n", &format!("MODULE main\n{more}"), 1)
}

/// What a module means; it is right by construction.
pub fn loaded(text: &str) -> Circuit {
    let loaded = load("m.smv", text.as_bytes(), &LoadOptions::default());
    let messages = loaded.diagnostics.render(&loaded.sources);
    loaded.model.unwrap_or_else(|| panic!("{messages}{text}"))
}

/// Enough for what is small.
pub const LIMITS: Budget = Budget { memory: Some(4 << 20), ..Budget::UNLIMITED };
