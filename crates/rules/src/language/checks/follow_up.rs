//! What may be done after a roll: push it, spend luck on it.

use super::check_cost::CheckCost;
use crate::grammar::again::{AgainChange, Faces};
use crate::grammar::outcome::Outcome;
use crate::when::When;
use crate::when::facts::group_names;
use rollbook_dice::{DiceError, DieView, Expression, Formula, Reason, Roll};
use rollbook_text::diagnostic::Place;
use rollbook_text::names::same;

/// What may be done after a roll.
#[derive(Debug, Clone, PartialEq)]
pub struct FollowUp {
    /// As the author writes it: "Push".
    pub name: String,
    pub change: AgainChange<Formula>,
    /// Dice that it adds to the roll (`1d6[stress]`), each with the folded label of its group.
    pub adds: Vec<(String, Expression)>,
    pub costs: Vec<CheckCost>,
    /// How often it may follow one roll; none: any number of times.
    pub times: Option<u32>,
    /// The outcomes after which it is allowed; empty: all of them.
    pub after: Vec<Outcome>,
    /// Other rules of the check that exclude it on the same roll, named as declared.
    pub not_with: Vec<String>,
    /// Points that the call names, the fewest and the most.
    pub asks: Vec<(String, Formula, Formula)>,
    /// What must be true of the character who rolled.
    pub only_if: Option<When>,
    /// The author's words.
    pub text: String,
    pub place: Place,
}

impl FollowUp {
    /// Whether the two exclude each other on the same roll. Either may name the other.
    pub fn excludes(&self, other: &FollowUp) -> bool {
        let names = |one: &FollowUp, other: &FollowUp| {
            one.not_with.iter().any(|name| same(name, &other.name))
        };
        self.name != other.name && (names(self, other) || names(other, self))
    }

    /// Whether to offer it after this outcome: one that the author names, else any but a success.
    pub fn is_offered_after(&self, outcome: Outcome) -> bool {
        match self.after.as_slice() {
            [] => outcome <= Outcome::Failure,
            after => after.contains(&outcome),
        }
    }

    /// Whether some dice are kept where others are rolled again.
    pub fn keeps_some(&self) -> bool {
        matches!(&self.change, AgainChange::Reroll { dice: Some(_), .. })
    }

    /// The dice that it adds to the roll.
    pub fn added(&self) -> impl Iterator<Item = &Expression> {
        self.adds.iter().map(|(_, dice)| dice)
    }

    /// How many dice it adds.
    pub fn added_count(&self) -> usize {
        self.added()
            .map(|dice| usize::try_from(dice.main_count()).unwrap_or(0))
            .sum()
    }

    /// The roll with the added dice at the end.
    ///
    /// # Errors
    /// When these are too many.
    pub fn with_added(&self, roll: &Expression) -> Result<Expression, DiceError> {
        self.added()
            .try_fold(roll.clone(), |roll, more| roll.with_more(more))
    }

    /// The faces of a roll in the order of draws; `None` for dice that are rolled again.
    pub fn kept_faces(&self, roll: &Roll) -> Vec<Option<i64>> {
        let each = |view: &DieView<'_>| {
            let stays = self.change.keeps(view);
            let drawn = view
                .die
                .rolls
                .iter()
                .filter(|face| face.reason != Reason::Clamp);
            drawn
                .map(|face| stays.then_some(face.value))
                .collect::<Vec<_>>()
        };
        roll.dice().iter().flat_map(each).collect()
    }

    /// The dice that it names.
    pub fn some_dice(&self) -> &[Faces] {
        match &self.change {
            AgainChange::Reroll {
                dice: Some(dice), ..
            } => dice,
            AgainChange::Reroll { dice: None, .. } | AgainChange::Add(_) | AgainChange::Set(_) => {
                &[]
            }
        }
    }

    /// Every group of dice that it names, folded.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        let labels = self
            .some_dice()
            .iter()
            .filter_map(|dice| dice.label.as_deref());
        labels.chain(self.adds.iter().map(|(label, _)| label.as_str()))
    }
}

impl<T> AgainChange<T> {
    /// Whether a die is kept. Without a reroll all dice are.
    pub fn keeps(&self, view: &DieView<'_>) -> bool {
        match self {
            Self::Reroll { dice: None, .. } => false,
            Self::Reroll {
                dice: Some(dice),
                stay,
            } => dice.iter().any(|faces| faces.has(view)) == *stay,
            Self::Add(_) | Self::Set(_) => true,
        }
    }
}

impl Faces {
    /// Whether this die is one of them.
    pub fn has(&self, view: &DieView<'_>) -> bool {
        let is_of = |label: &String| {
            view.labels
                .iter()
                .any(|group| group_names(group).any(|name| name == *label))
        };
        self.label.as_ref().is_none_or(is_of)
            && self.face.is_none_or(|face| view.die.number() == Some(face))
    }
}
