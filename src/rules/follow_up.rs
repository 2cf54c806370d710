//! What may be done with a roll that was made: push it, spend luck on it.

use crate::diagnostic::Place;
use crate::dice::Formula;

/// What may be done with a roll that was made.
#[derive(Debug, Clone, PartialEq)]
pub struct FollowUp {
    /// Name as the author writes it: "Push".
    pub name: String,
    /// What happens to the roll.
    pub change: FollowUpChange,
    /// How often one roll may be followed by it; none: as often as one likes.
    pub times: Option<u32>,
    /// The author's words.
    pub text: String,
    /// Where it stands.
    pub place: Place,
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
