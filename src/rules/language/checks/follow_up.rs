//! What may be done with a roll that was made: push it, spend luck on it.

use super::outcome::Outcome;
use crate::diagnostic::{Place, Span};
use crate::dice::Formula;
use crate::names::same;

/// What may be done with a roll that was made.
#[derive(Debug, Clone, PartialEq)]
pub struct FollowUp {
    /// Name as the author writes it: "Push".
    pub name: String,
    /// What happens to the roll.
    pub change: FollowUpChange,
    /// How often one roll may be followed by it; none: as often as one likes.
    pub times: Option<u32>,
    /// The outcomes that may be followed; empty: all of them.
    pub after: Vec<Outcome>,
    /// With which of the check's other rules it is never used on one roll.
    pub apart: Apart,
    /// The author's words.
    pub text: String,
    /// Where it stands.
    pub place: Place,
    /// Where it stands, in bytes.
    pub span: Span,
}

/// Rules that are never used on the same roll.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Apart {
    /// None of them.
    None,
    /// These, named as they are declared.
    From(Vec<String>),
    /// All the others of the check: `never both`.
    All,
}

impl Apart {
    /// With one name more.
    #[must_use]
    pub fn and(self, name: &str) -> Self {
        match self {
            Self::All => Self::All,
            Self::None => Self::From(vec![name.to_owned()]),
            Self::From(names) => Self::From(names.into_iter().chain([name.to_owned()]).collect()),
        }
    }

    fn holds(&self, name: &str) -> bool {
        match self {
            Self::None => false,
            Self::From(names) => names.iter().any(|own| same(own, name)),
            Self::All => true,
        }
    }
}

impl FollowUp {
    /// Whether a roll that the other rule was used on is closed to this one. It does not matter which of the two says so.
    pub fn is_apart_from(&self, other: &FollowUp) -> bool {
        self.name != other.name && (self.apart.holds(&other.name) || other.apart.holds(&self.name))
    }

    /// In a few words: "rerolls every die, once, after failure, never with Luck".
    pub fn describe(&self) -> String {
        let mut text = self.change.describe();
        match self.times {
            Some(1) => text.push_str(", once"),
            Some(times) => text.push_str(&format!(", {times} times")),
            None => text.push_str(", any number of times"),
        }
        if !self.after.is_empty() {
            let outcomes: Vec<&str> = self.after.iter().map(|outcome| outcome.as_str()).collect();
            text.push_str(&format!(", after {}", outcomes.join(" or ")));
        }
        match &self.apart {
            Apart::None => {}
            Apart::From(names) => text.push_str(&format!(", never with {}", names.join(" or "))),
            Apart::All => text.push_str(", never with another of these"),
        }
        text
    }
}

/// What happens to a roll that is followed.
#[derive(Debug, Clone, PartialEq)]
pub enum FollowUpChange {
    /// Dice are rolled again, except those that show one of these faces.
    Reroll {
        /// The faces that stay.
        except: Vec<i64>,
    },
    /// The player takes points off the total.
    Subtract {
        /// The most that may be taken.
        most: Formula,
    },
    /// The player adds points to the total.
    Add {
        /// The most that may be added.
        most: Formula,
    },
}

impl FollowUpChange {
    /// In a few words: "rerolls all but 1s and 6s".
    pub fn describe(&self) -> String {
        match self {
            Self::Reroll { except } if except.is_empty() => "rerolls every die".to_owned(),
            Self::Reroll { except } => {
                let faces: Vec<String> = except.iter().map(|face| format!("{face}s")).collect();
                format!("rerolls every die but {}", faces.join(", "))
            }
            Self::Subtract { most } => format!("takes up to {most} off the total"),
            Self::Add { most } => format!("adds up to {most} to the total"),
        }
    }

    /// The variable that is spent, when the limit is nothing but one: `{Luck}`.
    pub fn spends(&self) -> Option<String> {
        let (Self::Subtract { most } | Self::Add { most }) = self else { return None };
        match most.variables().as_slice() {
            [only] if most.to_string() == format!("{{{}}}", only.name) => Some(only.name.clone()),
            _ => None,
        }
    }
}
