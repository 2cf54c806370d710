//! Why a model did not answer, and what to do about it.

use rollbook_text::names::{printable, shortened};

const MESSAGE_MAX: usize = 300;

/// Why a model did not answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ModelError {
    /// Nobody listens at the endpoint, or it cannot be reached; what should run there.
    #[error(
        "{endpoint} cannot be reached: {why}. See that {who} runs there, or name another with --endpoint."
    )]
    Unreachable {
        endpoint: String,
        who: &'static str,
        why: String,
    },
    /// It did not answer, or stopped in the middle, for so many seconds.
    #[error(
        "{endpoint} said nothing for {seconds} s. Say the same again; --max-seconds gives an answer more time."
    )]
    Silent { endpoint: String, seconds: u64 },
    /// The stream ended before the reply did.
    #[error("{} Say the same again.", self.cause())]
    Cut,
    /// It does not take the key; the variable the key is read from.
    #[error(
        "The key was not taken ({message}). Set {variable} to one that is valid and start again."
    )]
    Key {
        variable: &'static str,
        message: String,
    },
    /// It has no such model; a sentence that names those it has, if it says.
    #[error("The API has no model \"{model}\".{there} Name another with --model.")]
    NoSuchModel { model: String, there: String },
    /// It has too much to do; in how many seconds to ask again, where it says so.
    #[error("{} Say the same again in {}.", self.cause(), self.pause())]
    Busy {
        message: String,
        seconds: Option<u64>,
    },
    /// Something broke there; in how many seconds to ask again, where it says so.
    #[error("{} Say the same again in {}; if it stays so, see --model and --endpoint.", self.cause(), self.pause())]
    Failed {
        message: String,
        seconds: Option<u64>,
    },
    /// What it sent was no whole reply when the time was over.
    #[error(
        "{endpoint} answered, but its reply was not whole in the time that an answer may take. Say the same again; --max-seconds gives an \
         answer more time."
    )]
    Slow { endpoint: String },
    /// The conversation is longer than the model can read.
    #[error(
        "The conversation is longer than the model reads ({message}). Name a smaller --context, and say the same again."
    )]
    TooLong { message: String },
    /// It does not do what is asked.
    #[error("The API answered {status}: {message}. See --model and --endpoint.")]
    Refused { status: u16, message: String },
    /// It answered what is no reply of such an API.
    #[error(
        "What came is no reply of this API: {what}. See --endpoint, and the kind before the colon in --model."
    )]
    Garbled { what: String },
    /// There is no TLS on this computer.
    #[error("TLS cannot be used on this computer: {0}.")]
    Tls(String),
}

impl ModelError {
    /// Whether the same request may be answered when it is sent again.
    pub fn passes(&self) -> bool {
        matches!(
            self,
            ModelError::Busy { .. } | ModelError::Failed { .. } | ModelError::Cut
        )
    }

    pub fn seconds(&self) -> Option<u64> {
        let (ModelError::Busy { seconds, .. } | ModelError::Failed { seconds, .. }) = self else {
            return None;
        };
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
            ModelError::Busy { message, .. } => {
                format!("The model has too much to do ({message}).")
            }
            ModelError::Failed { message, .. } => format!("The API failed ({message})."),
            ModelError::Cut => {
                "The connection to the model broke off in the middle of its reply.".to_owned()
            }
            other => other.to_string(),
        }
    }

    /// What a stream says instead of a reply, and what kind of error that is in its API.
    pub(super) fn in_stream(kind: &str, message: &str) -> ModelError {
        let (message, seconds) = (shown(message), None);
        if kind.contains("rate_limit") || kind.contains("overloaded") {
            ModelError::Busy { message, seconds }
        } else if kind == "api_error" || kind.contains("server_error") {
            ModelError::Failed { message, seconds }
        } else {
            ModelError::Refused {
                status: 200,
                message,
            }
        }
    }

    /// An answer that is no reply, with its beginning.
    pub(super) fn garbled(text: &str) -> ModelError {
        ModelError::Garbled { what: shown(text) }
    }
}

/// What an API says, short and harmless.
pub(super) fn shown(text: &str) -> String {
    printable(&shortened(
        &text.split_whitespace().collect::<Vec<_>>().join(" "),
        MESSAGE_MAX,
    ))
}
