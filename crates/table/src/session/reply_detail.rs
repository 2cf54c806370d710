//! How much a reply says.

use clap::ValueEnum;
use schemars::JsonSchema;
use serde::Deserialize;

/// How much a reply says. It changes nothing of what is done or logged.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum ReplyDetail {
    /// What happened, in words and in the number or outcome that counts.
    #[default]
    Brief,
    /// Everything that is known: dice, sources, times.
    Full,
}
