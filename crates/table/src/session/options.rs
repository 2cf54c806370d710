//! What the operator of a server chooses: how much replies say, and what people are asked.

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

/// What a client's person is asked, where it can ask. The reply or refusal says what else to send.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Questions {
    /// What a call cannot go on without, and after a roll that the rules let its player follow,
    /// whether it is followed (push it or not).
    #[default]
    All,
    /// What a call cannot go on without: which character, which target, whether to do what cannot
    /// be taken back.
    Needed,
    None,
}
