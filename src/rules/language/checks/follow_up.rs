//! What may be done with a roll that was made: push it, spend luck on it.

use super::outcome::Outcome;
use super::price::{Added, Cost};
use super::some_dice::SomeDice;
use crate::diagnostic::{Place, Span};
use crate::dice::{DiceError, DieView, Expression, Formula, Reason, Roll};
use crate::names::same;

/// What may be done with a roll that was made.
#[derive(Debug, Clone, PartialEq)]
pub struct FollowUp {
    /// Name as the author writes it: "Push".
    pub name: String,
    /// What happens to the roll.
    pub change: FollowUpChange,
    /// Dice that it adds to the roll.
    pub adds: Vec<Added>,
    /// What it costs.
    pub costs: Vec<Cost>,
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

    /// Whether it is worth offering after such an outcome: one that the author names, else one that is no success.
    pub fn is_offered_after(&self, outcome: Outcome) -> bool {
        match self.after.as_slice() {
            [] => outcome <= Outcome::Failure,
            after => after.contains(&outcome),
        }
    }

    /// Whether some dice stay as they lie where others are rolled again.
    pub fn keeps_some(&self) -> bool {
        matches!(&self.change, FollowUpChange::Reroll { except } if !except.is_empty())
    }

    /// The dice that it adds to the roll.
    pub fn added(&self) -> impl Iterator<Item = &Expression> {
        self.adds.iter().filter_map(|own| own.dice.as_ref())
    }

    /// How many dice that is.
    pub fn added_count(&self) -> usize {
        self.added().map(|dice| usize::try_from(dice.main_count()).unwrap_or(0)).sum()
    }

    /// The roll with the dice that it adds, which stand last.
    ///
    /// # Errors
    /// When these are too many.
    pub fn with_added(&self, roll: &Expression) -> Result<Expression, DiceError> {
        self.added().try_fold(roll.clone(), |roll, more| roll.with_more(more))
    }

    /// The faces of a roll in the order of draws; `None` for dice that are rolled again. Without a reroll all of them stay.
    pub fn kept_faces(&self, roll: &Roll) -> Vec<Option<i64>> {
        let FollowUpChange::Reroll { except } = &self.change else {
            return roll.faces().into_iter().map(Some).collect();
        };
        let each = |view: &DieView<'_>| {
            let stays = except.iter().any(|dice| dice.has(view));
            let drawn = view.die.rolls.iter().filter(|face| face.reason != Reason::Clamp);
            drawn.map(|face| stays.then_some(face.value)).collect::<Vec<_>>()
        };
        roll.dice().iter().flat_map(each).collect()
    }

    /// The dice that it speaks of: those that stay, and those that it is paid for.
    pub fn some_dice(&self) -> impl Iterator<Item = &SomeDice> {
        let kept: &[SomeDice] = match &self.change {
            FollowUpChange::Reroll { except } => except,
            FollowUpChange::Subtract { .. } | FollowUpChange::Add { .. } => &[],
        };
        kept.iter().chain(self.costs.iter().filter_map(|cost| cost.each.as_ref()))
    }

    /// Every group of dice that it names, folded.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        let labels = self.some_dice().filter_map(|dice| dice.label.as_deref());
        labels.chain(self.adds.iter().map(|added| added.label.as_str()))
    }

    /// In a few words: "rerolls every die, once, after failure, never with Luck".
    pub fn describe(&self) -> String {
        let mut text = self.change.describe();
        let price = self.adds.iter().map(Added::describe).chain(self.costs.iter().map(Cost::describe));
        price.for_each(|part| text.push_str(&format!(", {part}")));
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
    /// Dice are rolled again, except these.
    Reroll {
        /// The dice that stay.
        except: Vec<SomeDice>,
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
                let dice: Vec<String> = except.iter().map(SomeDice::describe).collect();
                format!("rerolls every die but {}", dice.join(", "))
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
