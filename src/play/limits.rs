//! How much one answer of a model may take. Each bound ends an answer in good order, whatever the model does.

use std::time::Duration;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Tools that it may call; then it says what it has, without tools.
    pub calls: u32,
    pub tokens: u32,
    /// Time from the question to the last word.
    pub time: Duration,
    /// Tokens that the model reads and writes together at most; what is older is put in short.
    pub context: u32,
}

impl Limits {
    pub const CALLS: u32 = 25;
    pub const TOKENS: u32 = 16_000;
    pub const SECONDS: u32 = 300;
    /// Tokens of a single reply at most, whatever the answer has left: today's models can write so many.
    pub const REPLY_TOKENS: u32 = 16_000;
    /// Tokens that a last reply has, though the answer has none left.
    pub const LAST_TOKENS: u32 = 1_000;
    /// The least context in which the rules of play and the tools have room.
    pub const CONTEXT_MIN: u32 = 16_000;

    /// Tokens that the next reply may have, when the answer has written so many: what is left, at most 16,000 and a quarter of the
    /// context, which the conversation leaves free.
    pub fn reply_tokens(&self, written: u64) -> u32 {
        let left = u64::from(self.tokens).saturating_sub(written);
        let left = u32::try_from(left).unwrap_or(u32::MAX).max(Limits::LAST_TOKENS);
        left.min(Limits::REPLY_TOKENS).min(self.context / 4)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    Calls(u32),
    Tokens(u32),
    Time(u64),
}

impl std::fmt::Display for Limit {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Limit::Calls(most) => write!(to, "{most} calls are made, as many as an answer may make (--max-calls)"),
            Limit::Tokens(most) => {
                write!(to, "{most} tokens are written, as many as an answer may have (--max-tokens)")
            }
            Limit::Time(seconds) => write!(to, "{seconds} s are over, as long as an answer may take (--max-seconds)"),
        }
    }
}
