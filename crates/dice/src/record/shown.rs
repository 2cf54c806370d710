//! The dice of a roll as replies show them: each with its faces, and the terms that they are in.

use super::{Mode, Roll, RolledDie, Term};
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

/// A part of a roll. Each face is an integer; where there is more to say of a die, `dice` says it.
#[derive(Default, Serialize)]
pub struct TermShown {
    r#type: &'static str,
    /// As asked for; 1 for a d20 with advantage.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sides: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    notation: Option<String>,
    /// Every face that was drawn, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rolls: Vec<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    terms: Option<Vec<TermShown>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    kept: Vec<i64>,
    #[serde(rename = "kept", skip_serializing_if = "Option::is_none")]
    kept_members: Option<Vec<bool>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    dice: Vec<RolledDie>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<i64>,
    subtotal: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<Mode>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exact: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
}

impl Roll {
    /// Its dice, the first 1,000, and its terms, which leave them out where there are over 100.
    pub fn shown(&self) -> (Vec<DieShown>, Vec<TermShown>) {
        let views = self.dice();
        let dice = (1..).zip(views.iter().take(DICE_MAX)).map(|(die, view)| {
            let words: Vec<&str> = view
                .die
                .special
                .iter()
                .map(|special| special.as_str())
                .collect();
            let special = (!words.is_empty()).then(|| words.join(", "));
            let (sides, value, kept) = (view.sides, view.die.value, view.kept);
            DieShown {
                die,
                sides,
                rolls: view.die.drawn().collect(),
                value,
                kept,
                special,
            }
        });
        (
            dice.collect(),
            terms(&self.terms, views.len() <= TERMS_DICE_MAX),
        )
    }
}

/// Dice of a roll that `dice` lists; a roll without explosions has no more.
const DICE_MAX: usize = 1000;
/// Dice that `terms` shows one by one.
const TERMS_DICE_MAX: usize = 100;

fn terms(terms: &[Term], has_dice: bool) -> Vec<TermShown> {
    let mut shown: Vec<TermShown> = terms.iter().map(TermShown::new).collect();
    shown
        .iter_mut()
        .filter(|_| !has_dice)
        .for_each(TermShown::leave_dice_out);
    shown
}

impl TermShown {
    fn new(term: &Term) -> TermShown {
        let none = TermShown::default();
        match term.clone() {
            Term::Dice {
                count,
                sides,
                notation,
                dice,
                kept,
                subtotal,
                mode,
                label,
            } => {
                let (count, sides) = (Some(if mode.is_some() { 1 } else { count }), Some(sides));
                let (notation, rolls) = (
                    Some(notation),
                    dice.iter().flat_map(RolledDie::drawn).collect(),
                );
                let is_plain = |die: &RolledDie| {
                    die.rolls.len() == 1
                        && die.special.is_empty()
                        && die.counted.is_none()
                        && die.shows.is_none()
                };
                let dice = if dice.iter().all(is_plain) {
                    Vec::new()
                } else {
                    dice
                };
                TermShown {
                    r#type: "die",
                    count,
                    sides,
                    notation,
                    rolls,
                    kept,
                    dice,
                    subtotal,
                    mode,
                    label,
                    ..none
                }
            }
            Term::Constant {
                value,
                subtotal,
                exact,
                label,
            } => TermShown {
                r#type: "constant",
                value: Some(value),
                subtotal,
                exact,
                label,
                ..none
            },
            Term::Group {
                notation,
                terms: members,
                kept,
                subtotal,
                exact,
                label,
            } => {
                let (notation, terms, kept_members) =
                    (Some(notation), Some(terms(&members, true)), Some(kept));
                TermShown {
                    r#type: "group",
                    notation,
                    terms,
                    kept_members,
                    subtotal,
                    exact,
                    label,
                    ..none
                }
            }
            Term::Compute {
                notation,
                terms: members,
                subtotal,
                exact,
                label,
            } => {
                let (notation, terms) = (Some(notation), Some(terms(&members, true)));
                TermShown {
                    r#type: "compute",
                    notation,
                    terms,
                    subtotal,
                    exact,
                    label,
                    ..none
                }
            }
        }
    }

    /// Leaves its faces out, where a reply has no room for them.
    pub fn leave_dice_out(&mut self) {
        (self.rolls, self.kept, self.dice) = (Vec::new(), Vec::new(), Vec::new());
        self.terms
            .iter_mut()
            .flatten()
            .for_each(TermShown::leave_dice_out);
    }
}
