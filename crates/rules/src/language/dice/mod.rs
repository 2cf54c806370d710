//! The Dice section: which dice may be rolled, advantage, who sees a roll, words for difficulties.

pub mod model;
pub mod named;
pub mod read;

use crate::grammar::line::DifficultyValue;
use crate::language::summary::Summary;
use crate::language::system::System;
use crate::section::SectionKind;

pub use model::{DiceChain, DicePolicy, Difficulty};
pub use named::{NamedDice, NamedDie, StayOut, Symbol};

/// Writes the summary's lines about dice.
pub fn describe(system: &System, summary: &mut Summary) {
    if system.dice.place.is_none() {
        summary.line("allowed", &system.dice.list(), None);
    }
    for bullet in system
        .bullets(SectionKind::Dice)
        .filter(|bullet| !bullet.label.starts_with("Difficulty"))
    {
        summary.line(&bullet.label, &bullet.text, Some(&bullet.place));
    }
    if let Some(first) = system.difficulties.first() {
        let word = |difficulty: &Difficulty| match &difficulty.is {
            DifficultyValue::Number(number) => format!("{} {number}", difficulty.name),
            DifficultyValue::Row(row) => format!("{} is the row {row}", difficulty.name),
        };
        let all: Vec<String> = system.difficulties.iter().map(word).collect();
        summary.line("difficulties", &all.join(", "), Some(&first.place));
    }
}
