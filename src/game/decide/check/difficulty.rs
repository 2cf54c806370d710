//! Difficulties by the rules' words.

use crate::game::mechanics::lookup;
use crate::game::refusal::{Code, Refusal};
use crate::names::{quoted, same};
use crate::rules::{Check, Difficulty, System};

/// The difficulty of a word.
///
/// # Errors
/// When the rules have no such word; the refusal lists those they have.
pub fn difficulty<'s>(system: &'s System, word: &str) -> Result<&'s Difficulty, Refusal> {
    system.meant_difficulty(word).map_err(|unknown| match unknown.known.is_empty() {
        true => {
            let takes_one = |check: &Check| check.variables().iter().any(|name| same(name, "difficulty"));
            let instead = match system.checks.iter().any(takes_one) {
                true => "Send difficulty=15, or whatever the GM says.",
                false => "No check of theirs takes a difficulty, so leave it out; context says it for the record.",
            };
            let summary = format!(
                "These rules have no words for difficulties, so \"{}\" says no number. {instead}",
                quoted(word)
            );
            Refusal::new(Code::UnknownDifficulty, summary)
        }
        false => lookup::unknown(unknown, "difficulty", ""),
    })
}
