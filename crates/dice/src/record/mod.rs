//! The record of a roll: every die, every face it showed and what became of it.

mod shown;

pub use shown::{DieShown, TermShown};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What was rolled, in integers and strings only: it is hashed as canonical JSON. Its expression
/// rolled again with a [`ScriptedRoller`](crate::ScriptedRoller) of [`Roll::faces`] gives an equal
/// record; that is how a log is checked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Roll {
    /// The canonical text.
    pub expression: String,
    /// The terms in order; their sub-totals add up to the total before it is floored. Empty for
    /// a repeated check, whose terms are in `repeats`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub terms: Vec<Term>,
    /// The result, floored. Of a repeated expression the sum; of a repeated check that can succeed
    /// or fail, how many do succeed.
    pub total: i64,
    /// The exact result, as `7/2`, when it had to be floored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exact: Option<String>,
    /// The result again, when it is a number of successes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub successes: Option<i64>,
    /// How many kept dice (or sub-totals, or repeated checks) were looked at for successes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_dice: Option<i64>,
    /// How the total compares with what is after `vs`, `under`, a comparison or `bands`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// One line of arithmetic that a person can check.
    pub explanation: String,
    /// What is after `#`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// Each roll of a repeated check.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repeats: Vec<Roll>,
}

/// One part of a roll.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Term {
    /// Dice of one kind.
    Dice {
        /// How many were asked for, before explosions.
        count: i64,
        /// The number of equally likely faces.
        sides: u32,
        /// The canonical text of this term.
        notation: String,
        /// Every die in the order of draws.
        dice: Vec<RolledDie>,
        /// The values of the kept dice.
        kept: Vec<i64>,
        /// What it adds to the total (negative when subtracted).
        subtotal: i64,
        /// Set when this is one d20 rolled twice.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mode: Option<Mode>,
        /// The text between brackets.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        label: Option<String>,
    },
    /// A number.
    Constant {
        /// The number, negative when subtracted; floored when it has decimal places.
        value: i64,
        /// What it adds to the total.
        subtotal: i64,
        /// The exact number, as `3/2`, when it is not whole.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        exact: Option<String>,
        /// The text between brackets.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        label: Option<String>,
    },
    /// Sub-totals of which some are kept, or which are counted.
    Group {
        /// The canonical text of this term.
        notation: String,
        /// The members in order.
        terms: Vec<Term>,
        /// For each member, whether it is kept.
        kept: Vec<bool>,
        /// What it adds to the total.
        subtotal: i64,
        /// The exact sub-total, as `7/2`, when it is not whole.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        exact: Option<String>,
        /// The text between brackets.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        label: Option<String>,
    },
    /// A product, a quotient, a function or a sum in parentheses.
    Compute {
        /// The canonical text of this term.
        notation: String,
        /// Its parts in order.
        terms: Vec<Term>,
        /// What it adds to the total.
        subtotal: i64,
        /// The exact sub-total, as `7/2`, when it is not whole.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        exact: Option<String>,
        /// The text between brackets.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        label: Option<String>,
    },
}

/// One die.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RolledDie {
    /// Every face in order, with its reason.
    pub rolls: Vec<Face>,
    /// What the die is worth.
    pub value: i64,
    /// What is drawn on the side that fell, where dice have symbols: `SA`, `-` for nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shows: Option<String>,
    /// Whether it was kept.
    pub kept: bool,
    /// How many successes it counted, when successes are counted and it was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted: Option<i64>,
    /// What happened to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub special: Vec<Special>,
}

/// One face that a die showed, or was set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Face {
    /// The number.
    pub value: i64,
    /// Why.
    pub reason: Reason,
}

/// Why a die showed a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The first draw.
    Initial,
    /// The face before was rerolled.
    Reroll,
    /// The face before exploded.
    Explode,
    /// Not drawn: the value was raised or lowered to this.
    Clamp,
    /// The unit die (0 to 9) of a percentile die with bonus or penalty dice.
    Unit,
    /// A tens die (0 to 9) of a percentile die with bonus or penalty dice.
    Tens,
}

/// Something that happened to a die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Special {
    /// It was rerolled.
    Rerolled,
    /// It exploded.
    Exploded,
    /// It came from the explosion of the die before.
    Extra,
    /// It was raised to a minimum.
    Raised,
    /// It was lowered to a maximum.
    Lowered,
    /// It would have exploded or been rerolled again, but reached the limit.
    Capped,
    /// A face that is marked as critical.
    Crit,
    /// A face that is marked as a fumble.
    Fumble,
}

impl Special {
    /// Its name in replies.
    pub fn as_str(self) -> &'static str {
        match self {
            Special::Rerolled => "rerolled",
            Special::Exploded => "exploded",
            Special::Extra => "extra",
            Special::Raised => "raised",
            Special::Lowered => "lowered",
            Special::Capped => "capped",
            Special::Crit => "crit",
            Special::Fumble => "fumble",
        }
    }
}

/// Which of two d20 is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// The higher.
    Advantage,
    /// The lower.
    Disadvantage,
}

impl Mode {
    /// `advantage` or `disadvantage`.
    pub fn as_str(self) -> &'static str {
        match self {
            Mode::Advantage => "advantage",
            Mode::Disadvantage => "disadvantage",
        }
    }
}

/// How a total compares with its target.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Verdict {
    /// `vs`, `under`, a comparison sign or `bands`.
    pub test: String,
    /// What the total is compared with, floored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<i64>,
    /// The exact target, as `7/2`, when it is not whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exact_target: Option<String>,
    /// The target's terms when it has dice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub terms: Vec<Term>,
    /// By how much the test was passed (0 or more) or missed (below 0).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<i64>,
    /// Whether the test was passed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub success: Option<bool>,
    /// The number of lower ends that were reached: 0 is below the first band.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub band: Option<i64>,
}

/// A die of a roll together with its term.
#[derive(Clone, Debug)]
pub struct DieView<'a> {
    /// The die.
    pub die: &'a RolledDie,
    /// The number of equally likely faces.
    pub sides: u32,
    /// Every label around it, the outermost first.
    pub labels: Vec<&'a str>,
    /// Whether it and every group around it were kept.
    pub kept: bool,
}

impl Roll {
    /// Every die that was rolled for the total, in the order of draws; not those of a target.
    pub fn dice(&self) -> Vec<DieView<'_>> {
        let mut views = Vec::new();
        self.terms
            .iter()
            .for_each(|term| term.collect(&[], true, &mut views));
        views.extend(self.repeats.iter().flat_map(Roll::dice));
        views
    }

    /// Every face that was drawn, in the order of draws.
    pub fn faces(&self) -> Vec<i64> {
        let target = self.verdict.iter().flat_map(|verdict| &verdict.terms);
        let mut views = Vec::new();
        self.terms
            .iter()
            .chain(target)
            .for_each(|term| term.collect(&[], true, &mut views));
        let drawn = views.iter().flat_map(|view| view.die.drawn());
        drawn
            .chain(self.repeats.iter().flat_map(Roll::faces))
            .collect()
    }

    /// The natural face of the first kept die.
    pub fn natural(&self) -> Option<i64> {
        self.dice()
            .iter()
            .find(|view| view.kept)
            .map(|view| view.die.natural())
    }

    /// The values of the kept dice, in the order of draws.
    pub fn kept(&self) -> Vec<i64> {
        self.dice()
            .iter()
            .filter(|view| view.kept)
            .map(|view| view.die.value)
            .collect()
    }

    /// The sum of the constants that are added to the total.
    pub fn modifiers(&self) -> i64 {
        self.terms
            .iter()
            .filter(|term| matches!(term, Term::Constant { .. }))
            .map(Term::subtotal)
            .sum()
    }
}

impl Term {
    /// What it adds to the total, floored.
    pub fn subtotal(&self) -> i64 {
        match self {
            Term::Dice { subtotal, .. }
            | Term::Constant { subtotal, .. }
            | Term::Group { subtotal, .. }
            | Term::Compute { subtotal, .. } => *subtotal,
        }
    }

    /// The text between brackets.
    pub fn label(&self) -> Option<&str> {
        match self {
            Term::Dice { label, .. }
            | Term::Constant { label, .. }
            | Term::Group { label, .. }
            | Term::Compute { label, .. } => label.as_deref(),
        }
    }

    fn collect<'a>(&'a self, around: &[&'a str], kept: bool, views: &mut Vec<DieView<'a>>) {
        let labels: Vec<&str> = around.iter().copied().chain(self.label()).collect();
        match self {
            Term::Constant { .. } => {}
            Term::Dice { dice, sides, .. } => {
                views.extend(dice.iter().map(|die| {
                    let labels = labels.clone();
                    DieView {
                        die,
                        sides: *sides,
                        labels,
                        kept: kept && die.kept,
                    }
                }));
            }
            Term::Compute { terms, .. } => terms
                .iter()
                .for_each(|term| term.collect(&labels, kept, views)),
            Term::Group {
                terms,
                kept: members,
                ..
            } => {
                for (term, member) in terms.iter().zip(members) {
                    term.collect(&labels, kept && *member, views);
                }
            }
        }
    }
}

impl RolledDie {
    pub(crate) fn blank() -> Self {
        let rolls = Vec::with_capacity(1);
        RolledDie {
            rolls,
            value: 0,
            shows: None,
            kept: true,
            counted: None,
            special: Vec::new(),
        }
    }

    /// The symbols on the side that was rolled, a capital letter each.
    pub fn symbols(&self) -> impl Iterator<Item = char> {
        self.shows
            .iter()
            .flat_map(|shown| shown.chars())
            .filter(char::is_ascii_uppercase)
    }

    /// The number on the face that was rolled: of a card its rank, of symbols alone none.
    pub fn number(&self) -> Option<i64> {
        match self.shows.as_deref() {
            None => Some(self.natural()),
            Some(shown) => shown
                .contains(|char: char| char.is_ascii_digit())
                .then_some(self.value),
        }
    }

    /// Every face that was drawn for it, in order.
    pub(crate) fn drawn(&self) -> impl Iterator<Item = i64> {
        self.rolls
            .iter()
            .filter(|face| face.reason != Reason::Clamp)
            .map(|face| face.value)
    }

    /// The face it showed by itself: after rerolls, before explosions and clamps.
    pub fn natural(&self) -> i64 {
        if self.rolls.iter().any(|face| face.reason == Reason::Unit) {
            return self.value;
        }
        let is_later =
            |nth: usize, reason| reason == Reason::Clamp || reason == Reason::Explode && nth > 0;
        let first = self
            .rolls
            .iter()
            .enumerate()
            .take_while(|(nth, face)| !is_later(*nth, face.reason));
        first.last().map_or(self.value, |(_, face)| face.value)
    }
}
