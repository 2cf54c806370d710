//! The Dice section: which dice may be rolled, advantage, who sees a roll, words for difficulties.

mod assumed;
pub mod chain;
pub mod difficulties;
pub mod own;
pub mod policy;
pub mod read;
pub mod showing;
pub mod swap;

use crate::dice::brief;
use crate::rules::grammar::line::{SHOWINGS, ToReach};
use crate::rules::language::summary::Summary;
use crate::rules::language::summary::with_note;
use crate::rules::language::system::System;

pub use chain::DiceChain;
pub use difficulties::Difficulty;
pub use own::{Cancel, OwnDice, OwnDie, Stays, Symbol};
pub use policy::DicePolicy;
pub use showing::ShowingPolicy;
pub use swap::{OwnSwap, Swap};

/// Its lines of the summary.
pub fn describe(system: &System, summary: &mut Summary) {
    summary.line("allowed", &system.dice.list(), system.dice.place.as_ref());
    for (name, swap) in [("advantage", &system.advantage), ("disadvantage", &system.disadvantage)] {
        if let Some(swap) = swap {
            summary.line(name, &with_note(brief(&swap.roll.to_string()), swap.assumed), swap.place.as_ref());
        }
    }
    if let Some(chain) = &system.chain {
        summary.line("dice chain", &chain.list(), Some(&chain.place));
    }
    for own in &system.own_dice.dice {
        let what = if own.deck { "deck" } else { "die" };
        summary.line(&format!("{what} {}", own.name), &own.describe(), Some(&own.place));
    }
    for own in &system.own_dice.symbols {
        summary.line(&format!("symbol {}", own.letter), &own.name, Some(&own.place));
    }
    for own in &system.own_dice.cancels {
        let name = |letter| system.own_dice.name_of(letter);
        summary.line("cancel", &format!("{} against {}", name(own.between.0), name(own.between.1)), Some(&own.place));
    }
    if let Some(first) = system.difficulties.first() {
        let word = |own: &Difficulty| match &own.is {
            ToReach::Number(number) => format!("{} {number}", own.name),
            ToReach::Row(row) => format!("{} is the row {row}", own.name),
        };
        let all: Vec<String> = system.difficulties.iter().map(word).collect();
        summary.line("difficulties", &all.join(", "), Some(&first.place));
    }
    if system.showing.place.is_some() {
        let word = |how| SHOWINGS.iter().find(|(_, own)| *own == how).map_or("", |(word, _)| word);
        let (players, others) = (word(system.showing.players), word(system.showing.others));
        let what = format!("players' rolls {players}, others' {others}");
        summary.line("visibility", &what, system.showing.place.as_ref());
    }
}
