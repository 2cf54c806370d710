//! Why a model did not answer, and what to do about it.

use std::fmt;

use rollbook_text::names::{listed, printable, quoted, shortened, suggest};

/// Characters of what an API says that are shown.
const SAID_MAX: usize = 300;
/// Characters of the list of models.
const MODELS_MAX: usize = 200;

/// Why a model did not answer.
#[derive(Debug, Clone, PartialEq)]
pub enum ModelError {
    /// Nobody listens at the endpoint, or it cannot be reached; who should.
    Unreachable { endpoint: String, who: &'static str, why: String },
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
    /// Something broke there; in how many seconds to ask again, where it says so.
    Failed { said: String, seconds: Option<u64> },
    /// What it sent was no whole reply when the time was over.
    Slow { endpoint: String },
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
            ModelError::Busy { .. } | ModelError::Failed { .. } | ModelError::Cut => true,
            ModelError::Unreachable { .. }
            | ModelError::Silent { .. }
            | ModelError::Slow { .. }
            | ModelError::Key { .. }
            | ModelError::NoSuchModel { .. }
            | ModelError::TooLong { .. }
            | ModelError::Refused { .. }
            | ModelError::Garbled { .. }
            | ModelError::Tls(_) => false,
        }
    }

    /// In how many seconds to ask again, where the API says it.
    pub fn seconds(&self) -> Option<u64> {
        let (ModelError::Busy { seconds, .. } | ModelError::Failed { seconds, .. }) = self else { return None };
        *seconds
    }

    /// The same for a person, in words.
    fn pause(&self) -> String {
        match self.seconds().map_or(1, |seconds| seconds.div_ceil(60)) {
            0 | 1 => "a minute".to_owned(),
            minutes @ 2..=90 => format!("{minutes} minutes"),
            minutes => format!("{} hours", minutes.div_ceil(60)),
        }
    }

    /// What happened, without what the person can do about it: for one that is asked again anyway.
    pub fn cause(&self) -> String {
        match self {
            ModelError::Busy { said, .. } => format!("The model has too much to do ({said})."),
            ModelError::Failed { said, .. } => format!("The API failed ({said})."),
            ModelError::Cut => "The connection to the model broke off in the middle of its reply.".to_owned(),
            other => other.to_string(),
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
            ModelError::Unreachable { endpoint, who, why } => {
                write!(
                    to,
                    "{endpoint} cannot be reached: {why}. See that {who} runs there, or name another with --endpoint."
                )
            }
            ModelError::Silent { endpoint, seconds } => write!(
                to,
                "{endpoint} said nothing for {seconds} s. Say the same again; --max-seconds gives an answer more time."
            ),
            ModelError::Slow { endpoint } => write!(
                to,
                "{endpoint} answered, but its reply was not whole in the time that an answer may take. Say the same again; --max-seconds \
                 gives an answer more time."
            ),
            ModelError::Cut => write!(to, "{} Say the same again.", self.cause()),
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
            ModelError::Busy { .. } => write!(to, "{} Say the same again in {}.", self.cause(), self.pause()),
            ModelError::Failed { .. } => {
                write!(
                    to,
                    "{} Say the same again in {}; if it stays so, see --model and --endpoint.",
                    self.cause(),
                    self.pause()
                )
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
