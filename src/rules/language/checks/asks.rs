//! `- Asks: pool 1 to 20, edge 0 to 5`: what each call of a check gives, and how far it goes.

use super::check::Check;
use super::row_move::braced;
use crate::diagnostic::{Diagnostic, Place, Span};
use crate::names::{fold, same};
use crate::rules::codes;
use crate::rules::document::Text;
use crate::rules::language::labels::Labelled;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::range;
use crate::rules::when::Named;

/// A name that is the caller's to give.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// As the author writes it.
    pub name: String,
    /// The lowest and the highest number it may be; none where the author says neither, or where it is dice.
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

/// Reads the bullet; what cannot be read of it is reported and left out.
pub fn read(label: &Labelled, ledger: &mut Ledger<'_>) -> Vec<Asked> {
    let mut all: Vec<Asked> = Vec::new();
    for part in label.value.split_all(&[",", ";"]) {
        let span = part.span();
        let Some((name, range)) = asked(&part) else {
            report(format!("`{}` cannot be read", part.as_str()), span, "expected a name and how far it goes", ledger);
            continue;
        };
        if all.iter().any(|own| same(&own.name, &name)) {
            report(format!("`{name}` is asked for twice"), span, "this one is not read", ledger);
            continue;
        }
        all.push(Asked { name, range, place: ledger.place(span), span });
    }
    all
}

/// Makes what is asked for a value of the check where a cell of its table moves a track by it: `{horror} less`.
pub fn name_moves(check: &mut Check) {
    let cells = check.rows.iter().flat_map(|row| &row.columns);
    let named: Vec<String> = cells.filter_map(|(_, cell)| Some(braced(cell.as_str())?.0)).collect();
    for name in named {
        let Some(own) = check.asks.iter().find(|own| same(&own.name, &name)) else { continue };
        if check.values.iter().any(|value| value.is(&name)) {
            continue;
        }
        let (called, what) =
            (Text::invented(&own.name, own.span), Text::invented(&format!("{{{}}}", own.name), own.span));
        check.values.extend(Named::read(&called, &what, &[], own.place.clone()));
    }
}

/// Reports what is asked for and used by nothing of the check, now that all of it is known.
pub fn report_unused(check: &Check, ledger: &mut Ledger<'_>) {
    for own in check.asks.iter().filter(|own| !check.names(&fold(&own.name))) {
        let message = format!("`{}` asks for `{}`, and nothing in it uses that", check.name, own.name);
        report(message, own.span, "names stand in braces where they are used", ledger);
    }
}

/// `pool 1 to 20`, `{pool} 1-20`, `pool`, `pool as dice`.
fn asked(part: &Text) -> Option<(String, Option<(i64, i64)>)> {
    let words = part.as_str().trim_end_matches('.');
    // That a value is dice is said by the two pairs of braces where it stands.
    let mut words: Vec<&str> = words.strip_suffix(" as dice").unwrap_or(words).split_whitespace().collect();
    // `edge from 0 to 3`
    let bounded = words.windows(2).position(
        |pair| matches!(pair, [from, low] if from.eq_ignore_ascii_case("from") && range::number(low).is_some()),
    );
    if let Some(at) = bounded.filter(|at| *at > 0) {
        words.remove(at);
    }
    let at = (1..words.len()).find(|at| words.get(*at).is_some_and(|word| range::number(word).is_some()));
    let (name, range) = match at.and_then(|at| words.split_at_checked(at)) {
        Some((name, bounds)) => (name.join(" "), Some(range::range(&bounds.join(" "))?)),
        None => (words.join(" "), None),
    };
    let name = name.trim_matches('`').trim_start_matches('{').trim_end_matches('}').trim();
    let is_name = name.starts_with(char::is_alphabetic)
        && name.chars().all(|letter| letter.is_alphanumeric() || " '-_".contains(letter));
    is_name.then(|| (name.to_owned(), range))
}

fn report(message: String, span: Span, at: &str, ledger: &mut Ledger<'_>) {
    ledger.report(
        Diagnostic::warning(codes::ASKS, message).at(span, at).help("write `- Asks: pool 1 to 20, edge 0 to 5`"),
    );
}
