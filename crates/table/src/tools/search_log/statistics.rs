//! What was found, counted: kinds, checks with outcomes, and faces, as the report counts them.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::tools::reply::is_zero;
use rollbook_dice::fairness::{DieKind as Kind, each_die};
use rollbook_dice::{Die, EnteredRoller};
use rollbook_game::record::purpose::AGAIN;
use rollbook_game::view::Audience;
use rollbook_game::view::recap::LoggedEntry;
use rollbook_rules::Outcome;

/// The counts. Of players' entries only what players saw is counted.
#[derive(Debug, Default, Serialize)]
pub struct Statistics {
    entries: usize,
    kinds: BTreeMap<String, u64>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    outcomes: BTreeMap<String, u64>,
    /// By the number of faces; those with other faces than 1 to that by their name, as `dF`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    dice: BTreeMap<String, Faces>,
    /// The rolls whose dice people rolled by hand: no log vouches for them, so they are apart.
    #[serde(skip_serializing_if = "is_zero")]
    by_hand: u64,
    #[serde(skip)]
    checks: u64,
    #[serde(skip)]
    succeeded: u64,
}

/// The dice of one kind, kept or not: of each its first face.
#[derive(Debug, Default, Serialize)]
struct Faces {
    fell: u64,
    mean: String,
    expected: String,
    lowest: i64,
    highest: i64,
    #[serde(skip)]
    sum: i64,
    #[serde(skip)]
    name: String,
}

impl Statistics {
    pub fn of(counted: &[LoggedEntry], audience: Audience) -> Statistics {
        let (mut counts, mut dice) = (Statistics::default(), BTreeMap::new());
        for logged in counted {
            counts.add(logged, audience, &mut dice);
        }
        counts.dice = dice
            .into_iter()
            .map(|(kind, faces)| (key(&kind), faces.weighed(&kind)))
            .collect();
        counts
    }

    fn add(&mut self, logged: &LoggedEntry, audience: Audience, dice: &mut BTreeMap<Kind, Faces>) {
        let (kind, outcome, rolls) = match audience {
            Audience::Gm => {
                let gm = rollbook_game::view::visibility::visible_without_dice(
                    &logged.entry,
                    Audience::Gm,
                    true,
                );
                (
                    logged.entry.event.kind().to_owned(),
                    gm.and_then(|seen| seen.outcome),
                    logged.entry.rolls.as_slice(),
                )
            }
            Audience::Player => {
                let Some(seen) = &logged.players else { return };
                (seen.kind.clone(), seen.outcome, seen.rolls.as_slice())
            }
        };
        self.entries += 1;
        self.checks += u64::from(kind == "check");
        *self.kinds.entry(kind).or_default() += 1;
        if let Some(outcome) = outcome {
            self.succeeded += u64::from(Outcome::is_success(outcome));
            *self
                .outcomes
                .entry(outcome.as_str().replace(' ', "_"))
                .or_default() += 1;
        }
        for record in rolls {
            if record.source == EnteredRoller::SOURCE {
                self.by_hand += 1;
            } else if record.purpose != AGAIN && !record.stays_drawn {
                // A follow-up has dice that fell once; a card depends on those that fell before.
                each_die(&record.roll, &mut |kind, face| match dice.get_mut(kind) {
                    Some(faces) => faces.add(face),
                    None => {
                        let mut faces = Faces {
                            lowest: face,
                            highest: face,
                            ..Faces::default()
                        };
                        faces.add(face);
                        dice.insert(kind.clone(), faces);
                    }
                });
            }
        }
    }

    pub fn summary(&self) -> String {
        let checks = match self.checks {
            0 => String::new(),
            checks => format!(", {} of {checks} checks succeeded", self.succeeded),
        };
        let dice: Vec<String> = self
            .dice
            .values()
            .map(|die| {
                format!(
                    "{} {} times, mean {} ({} expected)",
                    die.name, die.fell, die.mean, die.expected
                )
            })
            .collect();
        let dice = if dice.is_empty() {
            String::new()
        } else {
            format!(": {}", dice.join("; "))
        };
        let by_hand = match self.by_hand {
            0 => String::new(),
            some => format!(" Rolls by hand, whose dice are not counted: {some}."),
        };
        format!("Counted: {} entries{checks}{dice}.{by_hand}", self.entries)
    }
}

impl Faces {
    fn add(&mut self, face: i64) {
        self.fell += 1;
        self.sum += face;
        self.lowest = self.lowest.min(face);
        self.highest = self.highest.max(face);
    }

    /// The same with its mean, and that of fair dice.
    fn weighed(self, kind: &Kind) -> Faces {
        let (sum, sides) = match kind {
            // There may be too many to go through.
            Kind::Die(Die::Sides(sides)) => (i64::from(*sides) + 1, 2),
            Kind::Digit | Kind::Die(_) => {
                kind.faces()
                    .into_iter()
                    .fold((0, 0), |(sum, sides), (face, weight)| {
                        (sum + face * i64::from(weight), sides + u64::from(weight))
                    })
            }
        };
        let (mean, expected) = (hundredths(self.sum, self.fell), hundredths(sum, sides));
        Faces {
            mean,
            expected,
            name: kind.name(),
            ..self
        }
    }
}

/// What dice stand by: "20".
fn key(kind: &Kind) -> String {
    match kind {
        Kind::Die(Die::Sides(_) | Die::Percent) => kind.sides().to_string(),
        Kind::Digit | Kind::Die(_) => kind.name(),
    }
}

/// A sum over a count: "10.50", "-0.25"; halves away from zero, as SQL rounds.
fn hundredths(sum: i64, count: u64) -> String {
    let (all, count) = (
        u128::from(sum.unsigned_abs()) * 100,
        u128::from(count.max(1)),
    );
    let rounded = (2 * all + count) / (2 * count);
    let sign = if sum < 0 && rounded > 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", rounded / 100, rounded % 100)
}

#[cfg(test)]
mod tests {
    use super::hundredths;

    #[test]
    fn means_are_rounded_and_keep_their_sign() {
        let shown = [
            (59, 7),
            (-1, 2),
            (-1, 3),
            (-7, 4),
            (21, 2),
            (0, 3),
            (-1, 1000),
            (1, 8),
        ];
        let shown = shown.map(|(sum, count)| hundredths(sum, count));
        assert_eq!(
            shown,
            [
                "8.43", "-0.50", "-0.33", "-1.75", "10.50", "0.00", "0.00", "0.13"
            ]
        );
    }
}
