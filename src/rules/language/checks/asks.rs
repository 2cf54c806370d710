//! `- Asks: pool 1 to 20, edge 0 to 5`: what each call of a check gives, and how far it goes.

use super::check::Check;
use crate::diagnostic::{Diagnostic, Place, Span};
use crate::names::{fold, same};
use crate::rules::codes;
use crate::rules::language::ledger::Ledger;

/// A name that is the caller's to give.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// As the author writes it.
    pub name: String,
    /// What it may be.
    pub from: AskedFrom,
    /// Where it stands.
    pub place: Place,
    /// Where it stands, in bytes.
    pub span: Span,
}

/// What a call may give.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskedFrom {
    /// A number, from the lowest to the highest.
    Range(i64, i64),
    /// Dice, such as `1d6`.
    Dice,
    /// An attribute by its name, of which it is what the score is worth.
    Attributes,
    /// A skill by its name, of which it is the rating.
    Skills,
}

impl Asked {
    /// The lowest and the highest number; none where it is none.
    pub fn range(&self) -> Option<(i64, i64)> {
        match self.from {
            AskedFrom::Range(low, high) => Some((low, high)),
            AskedFrom::Dice | AskedFrom::Attributes | AskedFrom::Skills => None,
        }
    }

    /// In a few words: "1 to 20", "an attribute".
    pub fn describe(&self) -> String {
        match self.from {
            AskedFrom::Range(low, high) => format!("{low} to {high}"),
            AskedFrom::Dice => "dice".to_owned(),
            AskedFrom::Attributes => "an attribute".to_owned(),
            AskedFrom::Skills => "a skill".to_owned(),
        }
    }
}

impl Check {
    /// What its Asks bullet says of a name, folded.
    pub fn asked(&self, name: &str) -> Option<&Asked> {
        self.asks.iter().find(|own| fold(&own.name) == name)
    }
}

/// Reports what is asked for and used by nothing of the check, now that all of it is known.
pub fn report_unused(check: &Check, ledger: &mut Ledger<'_>) {
    let of_moves = |name: &str| check.values.iter().any(|own| same(&own.name, name));
    for own in check.asks.iter().filter(|own| !check.names(&fold(&own.name)) && !of_moves(&own.name)) {
        let message = format!("`{}` asks for `{}`, and nothing in it uses that", check.name, own.name);
        ledger.report(
            Diagnostic::warning(codes::UNUSED_ASK, message)
                .at(own.span, "names stand in braces where they are used")
                .help("take it away, or write it where it counts: ``- Roll: `1d20 + {bonus}` ``"),
        );
    }
}
