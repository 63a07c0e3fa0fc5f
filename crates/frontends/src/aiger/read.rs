//! The two formats, read into one structure. Every literal is checked to be one that the header allows.

use std::collections::HashMap;

use super::{AigerError, Place};

/// A variable times two, and one more if it is negated. Variable 0 is false.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal(pub u32);

impl Literal {
    pub fn variable(self) -> u32 {
        self.0 >> 1
    }

    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Latch {
    pub variable: u32,
    pub next: Literal,
    /// The initial value; the latch itself if that is not given.
    pub reset: Literal,
}

#[derive(Debug, Default)]
pub struct Aiger {
    /// Variables.
    pub inputs: Vec<u32>,
    pub latches: Vec<Latch>,
    pub outputs: Vec<Literal>,
    pub bad: Vec<Literal>,
    pub constraints: Vec<Literal>,
    pub justice: Vec<Vec<Literal>>,
    pub fairness: Vec<Literal>,
    /// By variable, the two literals whose conjunction it is, and the place in the file.
    pub ands: HashMap<u32, (Literal, Literal, Place)>,
    /// By kind and number.
    pub names: HashMap<(u8, usize), String>,
}

pub fn read(bytes: &[u8]) -> Result<Aiger, AigerError> {
    let mut reader = Reader { bytes, at: 0, line: 1, largest: 0 };
    if bytes.is_empty() {
        return Err(reader.error_before("the file is empty"));
    }
    let binary = match bytes.split(u8::is_ascii_whitespace).next() {
        Some(b"aag") => false,
        Some(b"aig") => true,
        _ => return Err(reader.error_before("not an AIGER file: no `aag` or `aig` header")),
    };
    let words = reader.line()?.split(' ').skip(1);
    let counts: Option<Vec<u32>> = words.map(|word| word.parse().ok().filter(|count| *count < 1 << 30)).collect();
    let Some(mut counts) = counts.filter(|counts| (5..=9).contains(&counts.len())) else {
        return Err(reader.error_before(
            "expected the numbers M I L O A after `aag` or `aig`, and at most B C J F, as in `aag 3 2 0 1 1`",
        ));
    };
    counts.resize(9, 0);
    let [most, inputs, latches, outputs, ands, bad, constraints, justice, fairness] = counts[..] else {
        unreachable!()
    };
    let defined = u64::from(inputs) + u64::from(latches) + u64::from(ands);
    if defined > u64::from(most) || (binary && defined != u64::from(most)) {
        return Err(reader.error_before("the numbers of the header contradict each other"));
    }
    reader.largest = 2 * most + 1;
    let mut aiger = Aiger::default();
    for number in 0..inputs {
        let variable = if binary { number + 1 } else { reader.definition()? };
        aiger.inputs.push(variable);
    }
    for number in 0..latches {
        let latch = reader.latch(binary.then_some(inputs + number + 1))?;
        aiger.latches.push(latch);
    }
    aiger.outputs = reader.literals(outputs)?;
    aiger.bad = reader.literals(bad)?;
    aiger.constraints = reader.literals(constraints)?;
    let mut sizes = Vec::new();
    for _ in 0..justice {
        sizes.push(reader.number()?);
    }
    for size in sizes {
        aiger.justice.push(reader.literals(size)?);
    }
    aiger.fairness = reader.literals(fairness)?;
    for number in 0..ands {
        let place = reader.place(binary);
        let (variable, one, other) =
            if binary { reader.binary_and(inputs + latches + number + 1)? } else { reader.and()? };
        if aiger.ands.insert(variable, (one, other, place)).is_some() {
            return Err(AigerError { message: format!("{} is defined twice", 2 * variable), place });
        }
    }
    reader.names(&mut aiger)?;
    Ok(aiger)
}

struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
    line: usize,
    largest: u32,
}

impl<'b> Reader<'b> {
    fn place(&self, binary: bool) -> Place {
        if binary { Place::Byte(self.at) } else { Place::Line(self.line) }
    }

    /// About the line that was read last.
    fn error_before(&self, message: &str) -> AigerError {
        AigerError { message: message.to_owned(), place: Place::Line(self.line.saturating_sub(1).max(1)) }
    }

    fn line(&mut self) -> Result<&'b str, AigerError> {
        let rest = &self.bytes[self.at..];
        if rest.is_empty() {
            return Err(AigerError { message: "the file ends too early".to_owned(), place: Place::Line(self.line) });
        }
        let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        self.at += (length + 1).min(rest.len());
        self.line += 1;
        let text = std::str::from_utf8(&rest[..length]).map_err(|_| self.error_before("this line is not text"))?;
        Ok(text.trim_end_matches('\r'))
    }

    /// The numbers of a line, of which there must be this many.
    fn numbers(&mut self, wanted: std::ops::RangeInclusive<usize>) -> Result<Vec<u32>, AigerError> {
        let line = self.line()?;
        let numbers: Option<Vec<u32>> = line.split(' ').map(|word| word.parse().ok()).collect();
        numbers.filter(|numbers| wanted.contains(&numbers.len())).ok_or_else(|| {
            let (least, most) = (wanted.start(), wanted.end());
            let count = if least == most { least.to_string() } else { format!("{least} to {most}") };
            self.error_before(&format!("expected {count} numbers, found `{line}`"))
        })
    }

    fn number(&mut self) -> Result<u32, AigerError> {
        Ok(self.numbers(1..=1)?[0])
    }

    fn checked(&self, number: u32) -> Result<Literal, AigerError> {
        if number > self.largest {
            return Err(self.error_before(&format!("{number} is larger than the header allows")));
        }
        Ok(Literal(number))
    }

    fn literals(&mut self, count: u32) -> Result<Vec<Literal>, AigerError> {
        let mut literals = Vec::new();
        for _ in 0..count {
            let number = self.number()?;
            literals.push(self.checked(number)?);
        }
        Ok(literals)
    }

    /// A literal that stands for a variable which is defined here.
    fn defined(&self, number: u32) -> Result<u32, AigerError> {
        let literal = self.checked(number)?;
        if literal.is_negated() || literal.variable() == 0 {
            return Err(self.error_before(&format!("{number} cannot be defined")));
        }
        Ok(literal.variable())
    }

    fn definition(&mut self) -> Result<u32, AigerError> {
        let number = self.number()?;
        self.defined(number)
    }

    /// In binary files, the variable is known.
    fn latch(&mut self, known: Option<u32>) -> Result<Latch, AigerError> {
        let mut numbers = self.numbers(if known.is_some() { 1..=2 } else { 2..=3 })?;
        let variable = match known {
            Some(variable) => variable,
            None => self.defined(numbers.remove(0))?,
        };
        let reset = numbers.get(1).copied().unwrap_or(0);
        if reset > 1 && reset != 2 * variable {
            return Err(self.error_before(&format!("a latch starts with 0, 1 or itself, not with {reset}")));
        }
        Ok(Latch { variable, next: self.checked(numbers[0])?, reset: Literal(reset) })
    }

    fn and(&mut self) -> Result<(u32, Literal, Literal), AigerError> {
        let numbers = self.numbers(3..=3)?;
        Ok((self.defined(numbers[0])?, self.checked(numbers[1])?, self.checked(numbers[2])?))
    }

    /// The operands are given by how much smaller they are.
    fn binary_and(&mut self, variable: u32) -> Result<(u32, Literal, Literal), AigerError> {
        let start = self.at;
        let wrong = |message: &str| AigerError { message: message.to_owned(), place: Place::Byte(start) };
        let one = self.difference().and_then(|delta| (2 * variable).checked_sub(delta).filter(|_| delta > 0));
        let one = one.ok_or_else(|| wrong("the first operand of an `and` is smaller than the `and`"))?;
        let other = self.difference().and_then(|delta| one.checked_sub(delta));
        let other = other.ok_or_else(|| wrong("the second operand of an `and` is not larger than the first"))?;
        Ok((variable, Literal(one), Literal(other)))
    }

    /// Seven bits a byte, the lowest first; the highest bit says that there is more.
    fn difference(&mut self) -> Option<u32> {
        let mut value = 0u32;
        for place in 0..5 {
            let byte = *self.bytes.get(self.at)?;
            self.at += 1;
            let bits = u32::from(byte & 0x7f);
            value |= bits.checked_shl(7 * place).filter(|shifted| shifted >> (7 * place) == bits)?;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    /// Names of inputs and the like, until a comment or the end.
    fn names(&mut self, aiger: &mut Aiger) -> Result<(), AigerError> {
        while self.at < self.bytes.len() && self.bytes[self.at] != b'c' {
            let line = self.line()?;
            let Some((symbol, name)) = line.split_once(' ') else {
                return Err(self.error_before(&format!("expected a name such as `i0 request`, found `{line}`")));
            };
            let number = symbol.get(1..).and_then(|number| number.parse().ok());
            let (Some(number), Some(kind)) = (number, symbol.bytes().next().filter(|kind| b"ilobcjf".contains(kind)))
            else {
                return Err(self.error_before(&format!(
                    "`{symbol}` is not an input, latch, output or property that can have a name"
                )));
            };
            aiger.names.insert((kind, number), name.to_owned());
        }
        Ok(())
    }
}
