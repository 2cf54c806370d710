//! Initiative, the structure of fights, and held effects.

use serde::{Deserialize, Serialize};

use crate::grammar::line::{InitiativeKind, InitiativeWhen, TieBreak};
use rollbook_dice::Formula;
use rollbook_text::diagnostic::Place;

/// The order of turns in a fight.
#[derive(Debug, Clone, PartialEq)]
pub struct Initiative {
    /// Where the numbers come from.
    pub kind: InitiativeKind<Formula>,
    pub highest_first: bool,
    pub when: InitiativeWhen,
    /// Foes of one kind share a number.
    pub by_kind: bool,
    /// What decides between equal numbers, in order. The last is always the order of entry.
    pub ties: Vec<TieBreak>,
    /// The line with the rule.
    pub place: Option<Place>,
    pub assumed: bool,
}

impl Initiative {
    /// What is rolled or computed, if anything.
    pub fn formula(&self) -> Option<&Formula> {
        match &self.kind {
            InitiativeKind::Each(formula) | InitiativeKind::PerSide(formula) => Some(formula),
            InitiativeKind::Cards | InitiativeKind::Given | InitiativeKind::None => None,
        }
    }
}

impl Default for Initiative {
    /// Without a rule the GM gives the numbers.
    fn default() -> Self {
        Self {
            kind: InitiativeKind::Given,
            highest_first: true,
            when: InitiativeWhen::OncePerFight,
            by_kind: false,
            ties: vec![TieBreak::Entered],
            place: None,
            assumed: true,
        }
    }
}

/// How a fight is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Structure {
    /// Combatants act in the order of initiative.
    TurnBased,
    /// Sides without turns.
    Narrative,
}

impl Structure {
    /// The word in rules, calls and replies. The log and its tables have serde's.
    pub const fn as_str(self) -> &'static str {
        match self {
            Structure::TurnBased => "turn-based",
            Structure::Narrative => "narrative",
        }
    }

    /// The other one.
    pub fn other(self) -> Structure {
        match self {
            Structure::TurnBased => Structure::Narrative,
            Structure::Narrative => Structure::TurnBased,
        }
    }
}

/// `- Held effects: ask Will against 10, end with Stunned`: how effects that a character holds may
/// end. Without it, damage asks for no check, and they end when the holder is down.
#[derive(Debug, Clone, PartialEq)]
pub struct HeldEffects {
    /// The check, skill or attribute that damage to the holder asks for, named as declared.
    pub asks: String,
    /// The difficulty, maybe with `{hit}`, the damage taken; none: the check's, or the GM gives it.
    pub against: Option<Formula>,
    /// Conditions that end all held effects, named as declared.
    pub ends: Vec<String>,
    pub place: Place,
}
