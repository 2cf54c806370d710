//! Why a model did not answer, and what to do about it.

use std::fmt;

use crate::names::{listed, printable, quoted, shortened, suggest};

/// Characters of what an API says that are shown.
const SAID_MAX: usize = 300;
/// Characters of the list of models.
const MODELS_MAX: usize = 200;

/// Why a model did not answer.
#[derive(Debug, Clone, PartialEq)]
pub enum ModelError {
    /// Nobody listens at the endpoint, or it cannot be reached.
    Unreachable { endpoint: String, why: String },
    /// It did not answer, or stopped in the middle, for so many seconds.
    Silent { endpoint: String, seconds: u64 },
    /// The stream ended before the reply did.
    Cut,
    /// It does not take the key; the variable the key is read from.
    Key { variable: &'static str, said: String },
    /// It has no such model; those it has.
    NoSuchModel { model: String, known: Vec<String> },
    /// It has too much to do; in how many seconds to ask again, where it says so.
    Busy { said: String, seconds: Option<u64> },
    /// The conversation is longer than the model can read.
    TooLong { said: String },
    /// It does not do what is asked.
    Refused { status: u16, said: String },
    /// It answered what is no reply of such an API.
    Garbled { what: String },
    /// There is no TLS on this computer.
    Tls(String),
}

impl ModelError {
    /// Whether the same request may be answered when it is sent again.
    pub fn passes(&self) -> bool {
        match self {
            ModelError::Busy { .. } | ModelError::Cut => true,
            ModelError::Unreachable { .. }
            | ModelError::Silent { .. }
            | ModelError::Key { .. }
            | ModelError::NoSuchModel { .. }
            | ModelError::TooLong { .. }
            | ModelError::Refused { .. }
            | ModelError::Garbled { .. }
            | ModelError::Tls(_) => false,
        }
    }

    /// An answer that is no reply, with its beginning.
    pub(super) fn garbled(text: &str) -> ModelError {
        ModelError::Garbled { what: said(text) }
    }
}

/// What an API says, short and harmless.
pub(super) fn said(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    printable(&shortened(&line, SAID_MAX))
}

impl fmt::Display for ModelError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModelError::Unreachable { endpoint, why } => {
                write!(to, "{endpoint} cannot be reached: {why}. See that it runs, or name another with --endpoint.")
            }
            ModelError::Silent { endpoint, seconds } => write!(
                to,
                "{endpoint} said nothing for {seconds} s. Say the same again; --max-seconds gives an answer more time."
            ),
            ModelError::Cut => {
                to.write_str("The connection to the model broke off in the middle of its reply. Say the same again.")
            }
            ModelError::Key { variable, said } => {
                write!(to, "The key was not taken ({said}). Set {variable} to one that is valid and start again.")
            }
            ModelError::NoSuchModel { model, known } => {
                write!(to, "The API has no model \"{}\".", quoted(model))?;
                if let Some(near) = suggest(model, known.iter().map(String::as_str)).first() {
                    write!(to, " Did you mean --model {}?", quoted(near))?;
                }
                match known.is_empty() {
                    true => to.write_str(" Name another with --model."),
                    false => {
                        let known: Vec<String> = known.iter().map(|name| quoted(name)).collect();
                        write!(to, " It has {}.", listed(known.iter().map(String::as_str), MODELS_MAX))
                    }
                }
            }
            ModelError::Busy { said, .. } => {
                write!(to, "The model has too much to do ({said}). Say the same again in a minute.")
            }
            ModelError::TooLong { said } => write!(
                to,
                "The conversation is longer than the model reads ({said}). Name a smaller --context, and say the same again."
            ),
            ModelError::Refused { status, said } => {
                write!(to, "The API answered {status}: {said}. See --model and --endpoint.")
            }
            ModelError::Garbled { what } => write!(
                to,
                "What came is no reply of this API: {what}. See --endpoint, and the kind before the colon in --model."
            ),
            ModelError::Tls(why) => write!(to, "TLS cannot be used on this computer: {why}."),
        }
    }
}
