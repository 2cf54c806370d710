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
    /// The lowest and the highest number it may be; none where it is dice.
    pub range: Option<(i64, i64)>,
    /// Where it stands.
    pub place: Place,
    /// Where it stands, in bytes.
    pub span: Span,
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
