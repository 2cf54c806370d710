//! The dice of a roll as replies show them: each with its faces, and the terms that they are in.

use super::{Mode, Reason, Roll, RolledDie, Term};
use serde::Serialize;

/// One die.
#[derive(Serialize)]
pub struct DieShown {
    /// Its number among the roll's dice, from 1.
    die: usize,
    sides: u32,
    /// Every face that was drawn, in order.
    rolls: Vec<i64>,
    value: i64,
    kept: bool,
    /// What happened to it: `exploded`, `rerolled, exploded`.
    special: Option<String>,
}

/// A part of a roll. Each face of dice is an integer; where more is to be said of a die, `dice` says it.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TermShown {
    Die {
        /// As asked for; 1 for a d20 with advantage.
        count: i64,
        sides: u32,
        notation: String,
        /// Every face that was drawn, in order.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        rolls: Vec<i64>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        kept: Vec<i64>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        dice: Vec<RolledDie>,
        subtotal: i64,
        #[serde(skip_serializing_if = "Option::is_none")]
        mode: Option<Mode>,
        #[serde(skip_serializing_if = "Option::is_none")]
        label: Option<String>,
    },
    Group {
        notation: String,
        terms: Vec<TermShown>,
        kept: Vec<bool>,
        subtotal: i64,
        #[serde(skip_serializing_if = "Option::is_none")]
        exact: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        label: Option<String>,
    },
    Compute {
        notation: String,
        terms: Vec<TermShown>,
        subtotal: i64,
        #[serde(skip_serializing_if = "Option::is_none")]
        exact: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        label: Option<String>,
    },
    Constant {
        value: i64,
        subtotal: i64,
        #[serde(skip_serializing_if = "Option::is_none")]
        exact: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        label: Option<String>,
    },
}

impl Roll {
    /// Each of its dice, and its terms. Of more than 100 dice the terms tell only what they come to; of more than 1,000 dice the first are listed.
    pub fn shown(&self) -> (Vec<DieShown>, Vec<TermShown>) {
        let views = self.dice();
        let dice = (1..).zip(views.iter().take(DICE_MAX)).map(|(die, view)| {
            let words: Vec<&str> = view.die.special.iter().map(|special| special.as_str()).collect();
            let special = (!words.is_empty()).then(|| words.join(", "));
            let (sides, value, kept) = (view.sides, view.die.value, view.kept);
            DieShown { die, sides, rolls: drawn(view.die), value, kept, special }
        });
        (dice.collect(), terms(&self.terms, views.len() <= TERMS_DICE_MAX))
    }
}

fn drawn(die: &RolledDie) -> Vec<i64> {
    die.rolls.iter().filter(|face| face.reason != Reason::Clamp).map(|face| face.value).collect()
}

/// Dice of a roll that `dice` lists; a roll without explosions has no more.
const DICE_MAX: usize = 1000;
/// Dice that `terms` shows one by one.
const TERMS_DICE_MAX: usize = 100;

fn terms(terms: &[Term], has_dice: bool) -> Vec<TermShown> {
    let mut shown: Vec<TermShown> = terms.iter().map(TermShown::new).collect();
    shown.iter_mut().filter(|_| !has_dice).for_each(TermShown::leave_dice_out);
    shown
}

impl TermShown {
    fn new(term: &Term) -> TermShown {
        match term.clone() {
            Term::Dice { count, sides, notation, dice, kept, subtotal, mode, label } => {
                let rolls = dice.iter().flat_map(drawn).collect();
                let is_plain = |die: &RolledDie| {
                    die.rolls.len() == 1 && die.special.is_empty() && die.counted.is_none() && die.shows.is_none()
                };
                let count = if mode.is_some() { 1 } else { count };
                let dice = if dice.iter().all(is_plain) { Vec::new() } else { dice };
                TermShown::Die { count, sides, notation, rolls, kept, dice, subtotal, mode, label }
            }
            Term::Constant { value, subtotal, exact, label } => TermShown::Constant { value, subtotal, exact, label },
            Term::Group { notation, terms: members, kept, subtotal, exact, label } => {
                TermShown::Group { notation, terms: terms(&members, true), kept, subtotal, exact, label }
            }
            Term::Compute { notation, terms: members, subtotal, exact, label } => {
                TermShown::Compute { notation, terms: terms(&members, true), subtotal, exact, label }
            }
        }
    }

    /// Leaves its faces out, where a reply has no room for them.
    pub fn leave_dice_out(&mut self) {
        match self {
            TermShown::Die { rolls, kept, dice, .. } => {
                rolls.clear();
                kept.clear();
                dice.clear();
            }
            TermShown::Group { terms, .. } | TermShown::Compute { terms, .. } => {
                terms.iter_mut().for_each(TermShown::leave_dice_out);
            }
            TermShown::Constant { .. } => {}
        }
    }
}
