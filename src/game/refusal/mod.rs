//! A refusal: the caller asked for something that cannot be done, and is told what to send instead.

mod code;

use serde::{Deserialize, Serialize};

pub use code::Code;

use crate::names::shortened;

/// Characters of a refusal's words.
const SUMMARY_MAX: usize = 560;
/// Characters of a name or a parameter in a refusal.
const NAME_MAX: usize = 80;
/// Characters of what is wrong with one parameter, and of what it takes.
const DETAIL_MAX: usize = 300;
/// Parameters told one by one.
const DETAILS_MAX: usize = 20;

/// `summary` says what is wrong and what to send instead. That nothing happened is not said here: every refusal means it,
/// and whoever hands it to the caller adds it in the words of the tool, see [`Refusal::finished`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    pub code: Code,
    pub summary: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub did_you_mean: Vec<String>,
    /// Where the rule stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Box<str>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<Detail>,
    /// Where a text of dice is at fault. Boxed, since every error path carries a refusal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Box<Fault>>,
}

/// What is wrong in a text of dice, for a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// First byte and the byte behind the last, in the text as it was sent.
    pub span: [usize; 2],
    pub hint: String,
    /// A text that would be accepted.
    pub example: String,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "[{}] {}", self.code.as_str().to_uppercase(), self.summary)
    }
}

impl std::error::Error for Refusal {}

/// One bad parameter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Detail {
    pub parameter: String,
    pub issue: String,
    pub valid_range: String,
}

impl Refusal {
    /// A refusal with its code and its words.
    pub fn new(code: Code, summary: impl Into<String>) -> Self {
        Refusal {
            code,
            summary: summary.into(),
            did_you_mean: Vec::new(),
            source: None,
            details: Vec::new(),
            fault: None,
        }
    }

    /// The refusal as the caller reads it: nothing longer than a reply takes, and `untouched` at the end of its words.
    ///
    /// This is the one place that bounds what is echoed; whatever a caller sends, it gets at most this much of it back.
    #[must_use]
    pub fn finished(mut self, untouched: &str) -> Self {
        self.summary = shortened(&self.summary, SUMMARY_MAX);
        // What the store says of a damaged file says it too, for it is also read at the shell.
        let said = self.summary.to_lowercase().contains("nothing was changed");
        if !untouched.is_empty() && !said {
            self.summary = format!("{} {untouched}", self.summary);
        }
        self.did_you_mean.iter_mut().for_each(|name| *name = shortened(name, NAME_MAX));
        if let Some(fault) = &mut self.fault {
            fault.hint = shortened(&fault.hint, DETAIL_MAX);
            fault.example = shortened(&fault.example, DETAIL_MAX);
        }
        self.details.truncate(DETAILS_MAX);
        for detail in &mut self.details {
            for (text, most) in [
                (&mut detail.parameter, NAME_MAX),
                (&mut detail.issue, DETAIL_MAX),
                (&mut detail.valid_range, DETAIL_MAX),
            ] {
                *text = shortened(text, most);
            }
        }
        self
    }

    /// Adds the near names.
    #[must_use]
    pub fn near(mut self, names: Vec<String>) -> Self {
        self.did_you_mean = names;
        self
    }

    /// Adds the rule's place.
    #[must_use]
    pub fn at(mut self, source: impl Into<String>) -> Self {
        self.source = Some(source.into().into_boxed_str());
        self
    }

    /// Adds the bad parameters.
    #[must_use]
    pub fn details(mut self, details: Vec<Detail>) -> Self {
        self.details = details;
        self
    }
}
