//! Damage, healing, and the conditions that came with them.

use super::{Describe, Description, Subject, Weight, in_brackets};
use crate::record::change::Change;
use crate::record::entry::{Audience, Entry};
use crate::record::state::{DEAD, Track, of_max};
use rollbook_text::names::same;
use serde::{Deserialize, Serialize};

/// Damage (positive) or healing (negative), with each step from what was sent to what was taken.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DamageEvent {
    pub subject: Subject,
    pub track: Option<String>,
    pub amount: i64,
    /// All types, where there are several: `slashing, fire`.
    pub damage_type: Option<String>,
    /// The parts, where it has several types; else empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
    pub steps: Vec<Step>,
    pub triggers: Vec<String>,
    pub gained: Vec<String>,
    pub lost: Vec<String>,
    /// The target's health afterwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub health: Option<Health>,
    /// The track that moved is not the health track.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub aside: bool,
    /// The amount after `half` and mitigation, where that differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eased: Option<Mitigated>,
    /// How the sentence is phrased, where it is neither damage nor healing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<Phrasing>,
    /// Players see the figures, though a changed row holds a secret cause of a condition.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
    pub reason: Option<String>,
    /// The entry whose roll decided the amount.
    pub roll: Option<u64>,
    /// Who struck, where players see the hit and neither its check nor its roll.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Box<Subject>>,
    /// How the damage departs from that roll.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roll_note: Option<Box<RollNote>>,
}

/// Health in one word, as players see it of a foe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Health {
    Unhurt,
    Hurt,
    /// Half of the track or less is left.
    Bloodied,
    Down,
}

words! { Health: Unhurt = "unhurt", Hurt = "hurt", Bloodied = "bloodied", Down = "down"; }

/// How damage departs from its roll: allowed (half damage, one roll for an area), always noted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RollNote {
    /// What was rolled, where the amount differs; one total for each roll of the entry.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rolled: Vec<i64>,
    /// The entry that used the same roll on the same target before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<u64>,
    /// The roll has the dice of a check, and the call sent the amount beside it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub like_check: bool,
    /// Players did not see the roll, so the note shows neither its total nor its use.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// Players did not see what the dice showed, and read that the amount is another.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub changed_unseen: bool,
}

impl RollNote {
    /// Whether there is nothing to note.
    pub fn is_empty(&self) -> bool {
        self.rolled.is_empty() && self.before.is_none() && !self.like_check
    }
}

/// A hit changed by `half` and mitigation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mitigated {
    pub left: i64,
    /// The steps that changed it: `half`, `Resistance (cold)`.
    pub by: Vec<String>,
}

/// The phrasing of an event that is neither damage nor healing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phrasing {
    Idle,
    /// A track that is not health was spent, counted or granted.
    Counted,
    /// Only conditions changed.
    Conditions,
}

/// Damage of one type in a hit of several.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(description = "")]
pub struct Part {
    pub amount: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damage_type: Option<String>,
}

/// One step of the arithmetic: `after` is what is left after it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Step {
    pub step: String,
    pub before: i64,
    pub after: i64,
}

/// What players read where the amount is not what was rolled, and they may not know one of the two.
const NOT_AS_ROLLED: &str = "not the amount that was rolled";

impl Describe for DamageEvent {
    fn description<'e>(&'e self, base: Description<'e>) -> Description<'e> {
        let reason = self.reason.iter().map(|reason| ("reason", reason.as_str()));
        let types = self.damage_type.iter().chain(
            self.parts
                .iter()
                .filter_map(|part| part.damage_type.as_ref()),
        );
        let types = types.map(|kind| ("damage_type", kind.as_str()));
        let conditions = self.gained.iter().map(|name| ("condition", name.as_str()));
        let note = self.roll_note.as_ref();
        let died = self.gained.iter().any(|name| same(name, DEAD));
        Description {
            is_open: self.subject.kind.is_open() && note.is_none_or(|note| !note.hidden),
            who: self.by.iter().map(|by| &**by).collect(),
            targets: vec![&self.subject],
            texts: reason.chain(types).chain(conditions).collect(),
            follows: self
                .roll
                .into_iter()
                .chain(note.and_then(|note| note.before))
                .collect(),
            weight: died.then_some(Weight::Turn),
            is_weighty: died || self.health == Some(Health::Down) || !self.triggers.is_empty(),
            ..base
        }
    }

    fn sentence(&self, entry: &Entry, audience: Audience, whole: bool) -> Option<String> {
        let figures = || self.with_figures(track_images(entry), audience);
        Some(if whole || self.open {
            figures()
        } else {
            self.without_figures(entry)
        })
    }

    fn outcome_sentence(&self, entry: &Entry) -> String {
        self.without_figures(entry)
    }

    fn hide(&mut self, unseen: &[i64]) -> Option<bool> {
        self.by = self.by.take().filter(|by| by.is_none_of(unseen));
        Some(self.subject.is_none_of(unseen))
    }
}

impl DamageEvent {
    /// The points that come through armour and the like; less than zero where it heals.
    pub fn came_through(&self) -> i64 {
        self.eased
            .as_ref()
            .map_or(self.amount, |eased| self.amount.signum() * eased.left)
    }

    /// The sentence with all figures.
    pub fn with_figures<'a>(
        &self,
        images: impl Iterator<Item = (Option<&'a Track>, &'a Track)>,
        audience: Audience,
    ) -> String {
        let by = if audience == Audience::Player {
            self.striker()
        } else {
            String::new()
        };
        let note = in_brackets(self.note_words(audience).as_deref());
        let reason = in_brackets(self.reason.as_deref());
        let moved = moved(images).map_or(String::new(), |moved| format!(": {moved}"));
        self.with_conditions(format!(
            "{}{by}{note}{reason}{moved}",
            self.clause(Some(self.amount))
        ))
    }

    /// Damage to a foe as players see it.
    pub fn without_figures(&self, entry: &Entry) -> String {
        let moved = track_images(entry).next().is_some();
        let note = in_brackets(self.note(Audience::Player, false).as_deref());
        let health = self.health.filter(|_| moved && !self.aside);
        let health = health.map_or(String::new(), |health| {
            format!(" and is {}", health.as_str())
        });
        self.with_conditions(format!(
            "{}{}{note}{health}",
            self.clause(None),
            self.striker()
        ))
    }

    /// " from Wrecker", where players see the hit alone.
    fn striker(&self) -> String {
        let by = self
            .by
            .as_ref()
            .filter(|_| self.told.is_none() && self.amount >= 0);
        by.map_or(String::new(), |by| format!(" from {}", by.name))
    }

    /// How the damage departs from the roll it names: "9 instead of 4 rolled, #13". Players get no
    /// entry's number, nor an unseen roll's total.
    pub fn note_words(&self, audience: Audience) -> Option<String> {
        self.note(audience, true)
    }

    fn note(&self, audience: Audience, figures: bool) -> Option<String> {
        let note = self.roll_note.as_ref()?;
        if audience == Audience::Player && note.hidden {
            return note.changed_unseen.then(|| NOT_AS_ROLLED.to_owned());
        }
        let (who, seq) = (
            &self.subject.name,
            (audience == Audience::Gm).then(|| self.roll.unwrap_or(0)),
        );
        let rolled: Vec<String> = note.rolled.iter().map(i64::to_string).collect();
        let by = seq.map_or(String::new(), |seq| format!(", #{seq}"));
        let instead = (!rolled.is_empty()).then(|| match figures {
            true => format!(
                "{} instead of {} rolled{by}",
                self.amount.abs(),
                rolled.join(", ")
            ),
            false => NOT_AS_ROLLED.to_owned(),
        });
        let before = note.before.map(|before| match seq {
            Some(seq) => format!("#{seq} was used on {who} before, by #{before}"),
            None => format!("a roll that was used on {who} before"),
        });
        let like = note.like_check.then(|| match seq {
            Some(seq) => format!("#{seq} has the dice of a check"),
            None => "a roll with the dice of a check".to_owned(),
        });
        Some(
            [instead, before, like]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
                .join("; "),
        )
    }

    fn clause(&self, amount: Option<i64>) -> String {
        let parts = amount.filter(|_| !self.parts.is_empty()).map(|_| {
            let part = |part: &Part| {
                let kind = part.damage_type.as_deref().unwrap_or("of no type");
                format!("{} {kind}", part.amount)
            };
            self.parts.iter().map(part).collect::<Vec<_>>().join(", ")
        });
        let kind = self.damage_type.as_ref().filter(|_| parts.is_none());
        let kind = kind.map_or(String::new(), |kind| format!("{kind} "));
        let who = &self.subject.name;
        let eased = self.eased.as_ref().filter(|_| amount.is_some());
        let whole = || {
            parts
                .clone()
                .unwrap_or_else(|| self.amount.abs().to_string())
        };
        let before = |eased: &Mitigated| format!("{} before {}", whole(), eased.by.join(" and "));
        let before = in_brackets(eased.map(before).or_else(|| parts.clone()).as_deref());
        let points = eased.map_or(self.amount.abs(), |eased| eased.left);
        match (self.told, self.amount, amount) {
            (Some(Phrasing::Idle), ..) => self.no_change_clause(&kind, amount),
            (Some(Phrasing::Counted), _, Some(_)) => format!("{who}{before}"),
            (_, 0, _) if self.roll.is_some() => format!("{who} takes no {kind}damage"),
            (_, 0, _) => who.clone(),
            (_, 1.., Some(_)) => format!("{who} takes {points} {kind}damage{before}"),
            (_, 1.., None) => format!("{who} takes {kind}damage"),
            (_, _, Some(_)) => format!("{who} recovers {points}{before}"),
            (_, _, None) => format!("{who} recovers"),
        }
    }

    fn no_change_clause(&self, kind: &str, amount: Option<i64>) -> String {
        let points = amount.map_or(String::new(), |amount| format!("{} ", amount.abs()));
        let what = if self.amount < 0 {
            "healing".to_owned()
        } else {
            format!("{kind}damage")
        };
        let eased = self.eased.as_ref().filter(|_| amount.is_some());
        let left = eased.map(|eased| format!("{} after {}", eased.left, eased.by.join(" and ")));
        let text = format!(
            "{points}{what}{} changes nothing for {}",
            in_brackets(left.as_deref()),
            self.subject.name
        );
        // Without an amount it begins with a word.
        let mut letters = text.chars();
        letters.next().map_or(String::new(), |first| {
            first.to_uppercase().chain(letters).collect()
        })
    }

    fn with_conditions(&self, text: String) -> String {
        let changes = [("now", &self.gained), ("no longer", &self.lost)];
        let changes = changes.into_iter().filter(|(_, names)| !names.is_empty());
        let changes = changes.map(|(word, names)| format!("{word} {}", names.join(", ")));
        match self.told {
            Some(Phrasing::Conditions) => {
                format!("{text} is {}.", changes.collect::<Vec<_>>().join(" and "))
            }
            _ => {
                std::iter::once(text)
                    .chain(changes)
                    .collect::<Vec<_>>()
                    .join("; ")
                    + "."
            }
        }
    }
}

/// "Hit points 7 to 0/7"; `None` where no track moved.
pub fn moved<'a>(images: impl Iterator<Item = (Option<&'a Track>, &'a Track)>) -> Option<String> {
    let moved: Vec<String> = images
        .map(|(before, after)| {
            let before = before.map_or(after.min, |track| track.value);
            format!(
                "{} {before} to {}",
                after.name,
                of_max(after.value, after.max)
            )
        })
        .collect();
    (!moved.is_empty()).then(|| moved.join(", "))
}

/// The tracks that moved, before and after.
pub fn track_images(entry: &Entry) -> impl Iterator<Item = (Option<&Track>, &Track)> {
    entry.changes.iter().filter_map(|change| match change {
        Change::Track(images) => Some((images.before.as_ref(), images.after.as_ref()?)),
        _ => None,
    })
}
