//! A difficulty by its word in the rules.

use crate::game::mechanics::lookup;
use crate::game::refusal::{Code, Refusal};
use crate::names::quoted;
use crate::rules::{Difficulty, System};

/// The difficulty that a word means.
///
/// # Errors
/// When the rules have no such word: with those that they have.
pub fn difficulty<'s>(system: &'s System, word: &str) -> Result<&'s Difficulty, Refusal> {
    system.meant_difficulty(word).map_err(|unknown| match unknown.known.is_empty() {
        true => {
            let summary = format!(
                "These rules have no words for difficulties, so \"{}\" says no number. Send difficulty=15, or whatever the GM says.",
                quoted(word)
            );
            Refusal::new(Code::UnknownDifficulty, summary)
        }
        false => lookup::unknown(unknown, "difficulty", ""),
    })
}
