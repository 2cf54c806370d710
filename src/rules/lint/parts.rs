//! A part of a check that no row looks at, and a row that looks at a part which the check does not have.

use super::conditions::{asking, asks};
use super::entry::lint;
use crate::diagnostic::{Diagnostic, Span};
use crate::rules::grammar::opposed::Compared;
use crate::rules::language::checks::{Check, PROBE};
use crate::rules::language::ledger::Ledger;
use crate::rules::language::system::System;
use crate::rules::when::Quantity;

lint!(NO_TARGET = "checks/no-target", lint);
lint!(UNUSED_TARGET = "checks/unused-target");
lint!(NO_COUNT = "checks/successes-without-count");
lint!(UNUSED_COUNT = "checks/unused-count");
lint!(NO_OPPOSING = "checks/no-opposing-dice");
lint!(UNUSED_OPPOSING = "checks/unused-opposing-dice");

/// A part of a check.
struct Part {
    name: &'static str,
    /// What only it gives.
    gives: &'static [Quantity],
    /// What rows look at that make use of it, also in words and with an example.
    used_by: &'static [Quantity],
    asked: &'static str,
    example: &'static str,
    /// What to write where it is missing.
    bullet: &'static str,
    missing: &'static str,
    unused: &'static str,
    /// Where it is written; none where the check has none.
    place: fn(&Check) -> Option<Span>,
}

const PARTS: [Part; 3] = [
    Part {
        name: "Target",
        gives: &[Quantity::Margin, Quantity::Target],
        used_by: &[Quantity::Margin, Quantity::Target],
        asked: "`margin` or `target`",
        example: "`margin 0+`",
        bullet: "- Target: `{difficulty}`",
        missing: NO_TARGET.code,
        unused: UNUSED_TARGET.code,
        place: |check| check.target.is_some().then_some(check.span),
    },
    Part {
        name: "Count",
        gives: &[Quantity::Successes],
        used_by: &[Quantity::Successes, Quantity::Margin],
        asked: "`successes` or `margin`",
        example: "`successes 1+`",
        bullet: "- Count: `6+`",
        missing: NO_COUNT.code,
        unused: UNUSED_COUNT.code,
        place: |check| check.count.is_some().then(|| check.span_of("Count")),
    },
    Part {
        name: "Opposing dice",
        gives: &[Quantity::Beaten, Quantity::Match],
        used_by: &[Quantity::Beaten, Quantity::Match],
        asked: "`beaten` or `match`",
        example: "`beaten 1+`",
        bullet: "- Opposing dice: `2d10`",
        missing: NO_OPPOSING.code,
        unused: UNUSED_OPPOSING.code,
        place: |check| check.opposing.is_some().then(|| check.span_of("Opposing dice")),
    },
];

fn lint(system: &System, ledger: &mut Ledger<'_>) {
    for (check, part) in system.checks.iter().flat_map(|check| PARTS.iter().map(move |part| (check, part))) {
        let found = match (part.place)(check) {
            Some(place) => unused(check, part, place),
            None => missing(check, part),
        };
        if let Some(found) = found {
            ledger.report(found);
        }
    }
    for check in system.checks.iter().filter(|check| check.count.is_none()) {
        let compares = check.opposition.by.iter().any(|own| own.what == Compared::Successes);
        if compares && !counts_by_itself(check) {
            let place = check.span_of("Opposed");
            let help = match check.values.iter().find(|own| own.symbol.is_some() && own.is("success")) {
                Some(symbol) => format!("compare the symbol: - Opposed: `higher {{{}}}`", symbol.name),
                None => "say which faces count: - Count: `6+`; or compare what is rolled: - Opposed: `higher total`"
                    .to_owned(),
            };
            let message = format!("`{}` does not say what a success is", check.name);
            ledger.report(
                Diagnostic::warning(NO_COUNT.code, message)
                    .at(place, "compares successes, and there never are any: totals are compared")
                    .and(check.span, "this check has no Count")
                    .help(help),
            );
        }
    }
}

fn missing(check: &Check, part: &Part) -> Option<Diagnostic> {
    if part.missing == NO_COUNT.code && counts_by_itself(check) {
        return None;
    }
    let place = asking(check, |measure| part.gives.contains(&measure.quantity))?;
    let message = format!("the check `{}` has no {}", check.name, part.name);
    Some(
        Diagnostic::error(part.missing, message)
            .at(place, "this asks for it and never holds")
            .and(check.span, "this check")
            .help(format!("say it: {}", part.bullet)),
    )
}

/// `8d10t8`.
fn counts_by_itself(check: &Check) -> bool {
    check.roll.bind(&mut |_| Some(PROBE)).is_ok_and(|roll| roll.counts())
}

fn unused(check: &Check, part: &Part, place: Span) -> Option<Diagnostic> {
    // Without rows a target and successes decide by themselves.
    let decides = check.rows.is_empty() && part.unused != UNUSED_OPPOSING.code;
    if decides || asks(check, |measure| part.used_by.contains(&measure.quantity)) {
        return None;
    }
    let (name, asked) = (part.name, part.asked);
    let message = format!("the {name} of `{}` makes no difference", check.name);
    let found = Diagnostic::warning(part.unused, message).at(place, format!("no row and no flag looks at {asked}"));
    Some(found.help(format!("compare in the rows: {}; or take the {name} out", part.example)))
}
