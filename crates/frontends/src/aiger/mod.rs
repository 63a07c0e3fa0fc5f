//! AIGER 1.9, ASCII and binary: from and-inverter graphs to circuits.
//!
//! Paper: [biere-heljanko-wieringa11].
//!
//! Inputs become variables of the state that nothing is said of, so that bad states, which may depend on inputs, are states. A
//! constraint is an invariant: runs end where it cannot be met, and such runs count for bad states up to there.

mod lower;
mod read;

use reductio_model::circuit::Circuit;

/// Larger files are refused: no circuit that can be checked is that large, but a wrong file name can be.
pub const MAX_FILE_SIZE: usize = 64 << 20;

/// What is wrong with a file, and where: the line of a text, the byte of what is no text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AigerError {
    pub message: String,
    pub place: Place,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Line(usize),
    Byte(usize),
}

impl std::fmt::Display for AigerError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.place {
            Place::Line(line) => write!(f, "{line}: {}", self.message),
            Place::Byte(byte) => write!(f, "at byte {byte}: {}", self.message),
        }
    }
}

impl std::error::Error for AigerError {}

/// From the bytes of a file to a circuit.
pub fn load(name: &str, bytes: &[u8]) -> Result<Circuit, AigerError> {
    if bytes.len() > MAX_FILE_SIZE {
        let message = format!("the file is larger than {} MiB", MAX_FILE_SIZE >> 20);
        return Err(AigerError { message, place: Place::Byte(MAX_FILE_SIZE) });
    }
    lower::lower(name, &read::read(bytes)?)
}
