//! What may be done with a roll that was made: push it, spend luck on it.

use super::check_cost::CheckCost;
use super::outcome::Outcome;
use super::price::Added;
use super::some_dice::SomeDice;
use crate::diagnostic::{Place, Span};
use crate::dice::{DiceError, DieView, Expression, Formula, Reason, Roll};
use crate::names::same;
use crate::rules::language::clause::Clause;
use crate::rules::when::When;

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
    pub costs: Vec<CheckCost>,
    /// How often one roll may be followed by it; none: as often as one likes.
    pub times: Option<u32>,
    /// The outcomes that may be followed; empty: all of them.
    pub after: Vec<Outcome>,
    /// The check's other rules with which it is never used on one roll, named as they are declared.
    pub apart: Vec<String>,
    /// What the call gives by it.
    pub asks: Vec<Points>,
    /// What must hold of the one who rolled.
    pub only_if: Option<Clause<When>>,
    /// The author's words.
    pub text: String,
    /// Where it stands.
    pub place: Place,
    /// Where it stands, in bytes.
    pub span: Span,
}

impl FollowUp {
    /// Whether a roll that the other rule was used on is closed to this one. It does not matter which of the two says so.
    pub fn is_apart_from(&self, other: &FollowUp) -> bool {
        let names = |one: &FollowUp, other: &FollowUp| one.apart.iter().any(|own| same(own, &other.name));
        self.name != other.name && (names(self, other) || names(other, self))
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
        matches!(&self.change, FollowUpChange::Reroll { dice: Some(_), .. })
    }

    /// The dice that it adds to the roll.
    pub fn added(&self) -> impl Iterator<Item = &Expression> {
        self.adds.iter().map(|own| &own.dice)
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
        let each = |view: &DieView<'_>| {
            let stays = self.change.keeps(view);
            let drawn = view.die.rolls.iter().filter(|face| face.reason != Reason::Clamp);
            drawn.map(|face| stays.then_some(face.value)).collect::<Vec<_>>()
        };
        roll.dice().iter().flat_map(each).collect()
    }

    /// The dice that it speaks of.
    pub fn some_dice(&self) -> &[SomeDice] {
        match &self.change {
            FollowUpChange::Reroll { dice: Some(dice), .. } => dice,
            FollowUpChange::Reroll { dice: None, .. } | FollowUpChange::Add { .. } | FollowUpChange::Set { .. } => &[],
        }
    }

    /// Every group of dice that it names, folded.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        let labels = self.some_dice().iter().filter_map(|dice| dice.label.as_deref());
        labels.chain(self.adds.iter().map(|added| added.label.as_str()))
    }

    /// In a few words: "rerolls every die, costs Stress +1, once, after failure, not with Luck".
    pub fn describe(&self) -> String {
        let mut text = self.change.describe();
        let adds = self.adds.iter().map(|own| format!("adds {}", own.dice));
        let costs = self.costs.iter().map(|own| format!("costs {}", own.text));
        adds.chain(costs).for_each(|part| text.push_str(&format!(", {part}")));
        match self.times {
            Some(1) => text.push_str(", once"),
            Some(times) => text.push_str(&format!(", {times} times")),
            None => text.push_str(", any number of times"),
        }
        if !self.after.is_empty() {
            let outcomes: Vec<&str> = self.after.iter().map(|outcome| outcome.as_str()).collect();
            text.push_str(&format!(", after {}", outcomes.join(", ")));
        }
        for own in &self.asks {
            text.push_str(&format!(", asks {} {} to {}", own.name, own.range.0, own.range.1));
        }
        if !self.apart.is_empty() {
            text.push_str(&format!(", not with {}", self.apart.join(", ")));
        }
        text
    }
}

/// Points that the call names: `asks points 1 to {Luck}`.
#[derive(Debug, Clone, PartialEq)]
pub struct Points {
    /// As the author writes it.
    pub name: String,
    /// The fewest and the most.
    pub range: (Formula, Formula),
}

/// What happens to a roll that is followed.
#[derive(Debug, Clone, PartialEq)]
pub enum FollowUpChange {
    /// Dice are rolled again.
    Reroll {
        /// These; none: all.
        dice: Option<Vec<SomeDice>>,
        /// Whether these are the ones that stay.
        stay: bool,
    },
    /// So much is added to the total, or taken off.
    Add {
        /// How much.
        amount: Formula,
        /// Whether it is taken off.
        off: bool,
    },
    /// The total is this.
    Set {
        /// How much.
        amount: Formula,
    },
}

impl FollowUpChange {
    /// Whether a die stays as it lies. Without a reroll all of them do.
    pub fn keeps(&self, view: &DieView<'_>) -> bool {
        match self {
            Self::Reroll { dice: None, .. } => false,
            Self::Reroll { dice: Some(dice), stay } => dice.iter().any(|own| own.has(view)) == *stay,
            Self::Add { .. } | Self::Set { .. } => true,
        }
    }

    /// In a few words: "rerolls all but 1s, 6s".
    pub fn describe(&self) -> String {
        match self {
            Self::Reroll { dice: None, .. } => "rerolls every die".to_owned(),
            Self::Reroll { dice: Some(dice), stay } => {
                let dice: Vec<String> = dice.iter().map(SomeDice::describe).collect();
                format!("rerolls {}{}", if *stay { "every die but " } else { "" }, dice.join(", "))
            }
            Self::Add { amount, off: true } => format!("takes {amount} off the total"),
            Self::Add { amount, off: false } => format!("adds {amount} to the total"),
            Self::Set { amount } => format!("makes the total {amount}"),
        }
    }
}
