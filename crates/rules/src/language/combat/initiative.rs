//! Who acts when in a fight.

use crate::grammar::line::{InitiativeKind, InitiativeWhen, TieBreak};
use rollbook_dice::Formula;
use rollbook_text::diagnostic::Place;

/// Who acts when in a fight.
#[derive(Debug, Clone, PartialEq)]
pub struct Initiative {
    /// Where the numbers come from.
    pub kind: InitiativeKind<Formula>,
    /// Whether the highest number acts first.
    pub highest_first: bool,
    /// How often it is settled.
    pub when: InitiativeWhen,
    /// Foes of a kind, which are numbered alike, have one number.
    pub by_kind: bool,
    /// Who goes first on equal numbers; tried in order. The last one is always the order of entry.
    pub ties: Vec<TieBreak>,
    /// The line that says how the numbers come about.
    pub place: Option<Place>,
    /// Whether the file leaves it to a default.
    pub assumed: bool,
}

impl Initiative {
    /// What is rolled or worked out, where anything is.
    pub fn formula(&self) -> Option<&Formula> {
        match &self.kind {
            InitiativeKind::Each(formula) | InitiativeKind::PerSide(formula) => Some(formula),
            InitiativeKind::Cards | InitiativeKind::Given | InitiativeKind::None => None,
        }
    }
}

impl Default for Initiative {
    /// Nothing said: the GM gives the numbers.
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
