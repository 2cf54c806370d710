//! What was found, counted: kinds, checks with their outcomes, and the faces of kept dice.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::dice::{EnteredRoller, Reason, Roll, Term};
use crate::game::view::Audience;
use crate::game::view::recap::Told;
use crate::rules::Outcome;
use crate::tools::reply::is_zero;

/// The counts. Of players' entries only what players saw is counted.
#[derive(Debug, Default, Serialize)]
pub struct Statistics {
    entries: usize,
    kinds: BTreeMap<String, u64>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    outcomes: BTreeMap<String, u64>,
    /// By the number of faces.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    dice: BTreeMap<String, Faces>,
    /// The rolls whose dice people rolled by hand. No log can vouch for their faces, so they are not among `dice`.
    #[serde(skip_serializing_if = "is_zero")]
    by_hand: u64,
    #[serde(skip)]
    checks: u64,
    #[serde(skip)]
    succeeded: u64,
}

/// The kept dice of one kind.
#[derive(Debug, Default, Serialize)]
struct Faces {
    fell: u64,
    mean: String,
    /// Of a fair die.
    expected: String,
    lowest: i64,
    highest: i64,
    #[serde(skip)]
    sum: i64,
}

impl Statistics {
    pub fn of(counted: &[Told], audience: Audience) -> Statistics {
        let mut own = Statistics::default();
        for told in counted {
            own.add(told, audience);
        }
        for (sides, faces) in &mut own.dice {
            let sides: i64 = sides.parse().unwrap_or(0);
            let fell = i64::try_from(faces.fell).unwrap_or(1);
            faces.mean = hundredths(faces.sum * 100 / fell.max(1));
            faces.expected = hundredths((sides + 1) * 50);
        }
        own
    }

    fn add(&mut self, told: &Told, audience: Audience) {
        let (kind, outcome, rolls) = match audience {
            Audience::Gm => {
                let gm = crate::game::view::visibility::visible_without_dice(&told.entry, Audience::Gm, true);
                (told.entry.event.kind().to_owned(), gm.and_then(|seen| seen.outcome), told.entry.rolls.as_slice())
            }
            Audience::Player => {
                let Some(seen) = &told.players else { return };
                (seen.kind.clone(), seen.outcome, seen.rolls.as_ref())
            }
        };
        self.entries += 1;
        self.checks += u64::from(kind == "check");
        *self.kinds.entry(kind).or_default() += 1;
        if let Some(outcome) = outcome {
            self.succeeded += u64::from(Outcome::is_success(outcome));
            *self.outcomes.entry(outcome.as_str().replace(' ', "_")).or_default() += 1;
        }
        for record in rolls {
            match record.source == EnteredRoller::SOURCE {
                true => self.by_hand += 1,
                false => self.add_roll(&record.roll),
            }
        }
    }

    fn add_roll(&mut self, roll: &Roll) {
        roll.terms.iter().for_each(|term| self.add_term(term));
        roll.repeats.iter().for_each(|roll| self.add_roll(roll));
    }

    fn add_term(&mut self, term: &Term) {
        match term {
            Term::Dice { sides, dice, .. } => {
                for die in dice.iter().filter(|die| die.kept) {
                    // What the die showed at last, before it was raised or lowered.
                    let drawn = die.rolls.iter().rev().find(|face| face.reason != Reason::Clamp);
                    let Some(face) = drawn.map(|face| face.value) else { continue };
                    let faces = self.dice.entry(sides.to_string()).or_insert_with(|| Faces {
                        lowest: face,
                        highest: face,
                        ..Faces::default()
                    });
                    faces.fell += 1;
                    faces.sum += face;
                    faces.lowest = faces.lowest.min(face);
                    faces.highest = faces.highest.max(face);
                }
            }
            Term::Constant { .. } => {}
            Term::Group { terms, .. } | Term::Compute { terms, .. } => {
                terms.iter().for_each(|term| self.add_term(term))
            }
        }
    }

    /// The counts in a sentence.
    pub fn summary(&self) -> String {
        let checks = match self.checks {
            0 => String::new(),
            checks => format!(", {} of {checks} checks succeeded", self.succeeded),
        };
        let dice: Vec<String> = self
            .dice
            .iter()
            .map(|(sides, own)| format!("d{sides} {} times, mean {} ({} expected)", own.fell, own.mean, own.expected))
            .collect();
        let dice = if dice.is_empty() { String::new() } else { format!(": {}", dice.join("; ")) };
        let by_hand = match self.by_hand {
            0 => String::new(),
            some => format!(" Rolls by hand, whose dice are not counted: {some}."),
        };
        format!("Counted: {} entries{checks}{dice}.{by_hand}", self.entries)
    }
}

/// "10.50"
fn hundredths(number: i64) -> String {
    format!("{}.{:02}", number / 100, number.abs() % 100)
}
