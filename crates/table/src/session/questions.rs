//! What the person behind a client is asked.

use clap::ValueEnum;

/// What the person behind a client is asked, where the client can ask. Whoever is not asked finds in the reply, or in the refusal, what to
/// send instead.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Questions {
    /// What a call cannot go on without, and after a roll that the rules let its player follow, whether it is followed (push it or not).
    #[default]
    All,
    /// What a call cannot go on without: which character, which target, whether to do what cannot be taken back.
    Needed,
    /// Nothing.
    None,
}
