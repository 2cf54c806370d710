//! Initiative: the order of turns in a fight.

use crate::grammar::line::{InitiativeKind, InitiativeWhen, TieBreak};
use rollbook_dice::Formula;
use rollbook_text::diagnostic::Place;

/// The order of turns in a fight.
#[derive(Debug, Clone, PartialEq)]
pub struct Initiative {
    /// Where the numbers come from.
    pub kind: InitiativeKind<Formula>,
    /// Whether the highest number acts first.
    pub highest_first: bool,
    /// How often it is rolled.
    pub when: InitiativeWhen,
    /// Foes of one kind share a number.
    pub by_kind: bool,
    /// What decides between equal numbers, in order. The last is always the order of entry.
    pub ties: Vec<TieBreak>,
    /// The line with the rule.
    pub place: Option<Place>,
    /// Whether it is assumed.
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
