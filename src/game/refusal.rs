//! A refusal: the caller asked for something that cannot be done, and is told what to send instead.

use serde::{Deserialize, Serialize};

/// Nothing was rolled and nothing was changed. `summary` is one to three sentences of at most about 600 bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// Stable, in snake case.
    pub code: String,
    pub summary: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub did_you_mean: Vec<String>,
    /// Where the rule stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<Detail>,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "[{}] {}", self.code.to_uppercase(), self.summary)
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
    pub fn new(code: &str, summary: impl Into<String>) -> Self {
        Refusal {
            code: code.to_owned(),
            summary: summary.into(),
            did_you_mean: Vec::new(),
            source: None,
            details: Vec::new(),
        }
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
        self.source = Some(source.into());
        self
    }

    /// Adds the bad parameters.
    #[must_use]
    pub fn details(mut self, details: Vec<Detail>) -> Self {
        self.details = details;
        self
    }
}
