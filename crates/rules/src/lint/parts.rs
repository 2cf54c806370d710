//! Parts of a check that no row uses, and rows that use a part or group of dice that it lacks.

use super::conditions::{asking, asks, inside};
use crate::codes;
use crate::grammar::opposed::Compared;
use crate::language::checks::Check;
use crate::language::ledger::Ledger;
use crate::language::system::System;
use crate::when::facts::group_names;
use crate::when::{Measure, NamedNumber, When, Word};
use rollbook_text::diagnostic::{Diagnostic, Span};

const COUNT: &str = "Count";
const OPPOSING_DICE: &str = "Opposing dice";

/// A part of a check.
struct Part {
    name: &'static str,
    /// Words that need it.
    gives: &'static [Word],
    /// Words that use it.
    used_by: &'static [Word],
    /// Help: what to write where it is missing.
    bullet: &'static str,
    /// Where it is written, if the check has it.
    place: fn(&Check) -> Option<Span>,
}

const PARTS: [Part; 3] = [
    Part {
        name: "Target",
        gives: &[Word::Margin, Word::Target],
        used_by: &[Word::Margin, Word::Target],
        bullet: "- Target: `{difficulty}`",
        place: |check| check.target.is_some().then_some(check.span),
    },
    Part {
        name: COUNT,
        gives: &[Word::Successes],
        used_by: &[Word::Successes, Word::Margin],
        bullet: "- Count: `6+`",
        place: |check| check.count.is_some().then(|| check.span_of("Count")),
    },
    Part {
        name: OPPOSING_DICE,
        gives: &[Word::Beaten, Word::Matches],
        used_by: &[Word::Beaten, Word::Matches],
        bullet: "- Opposing dice: `2d10`",
        place: |check| {
            check
                .opposing
                .is_some()
                .then(|| check.span_of("Opposing dice"))
        },
    },
];

pub fn parts(system: &System, ledger: &mut Ledger<'_>) {
    for (check, part) in system
        .checks
        .iter()
        .flat_map(|check| PARTS.iter().map(move |part| (check, part)))
    {
        let found = match (part.place)(check) {
            Some(place) => unused(check, part, place),
            None => missing(check, part),
        };
        ledger.diagnostics.extend(found);
    }
    for check in system.checks.iter().filter(|check| check.count.is_none()) {
        let compares = check
            .opposition
            .by
            .iter()
            .any(|comparison| comparison.what == Compared::Successes);
        if compares && !check.roll.counts() {
            let place = check.span_of("Opposed");
            let help = match check.values.iter().find(|value| value.symbol.is_some() && value.is("success")) {
                Some(symbol) => format!("compare the symbol: - Opposed: `higher {{{}}}`", symbol.name),
                None => "say which faces count: - Count: `6+`; or compare what is rolled: - Opposed: `higher total`"
                    .to_owned(),
            };
            let message = format!("`{}` does not say what a success is", check.name);
            ledger.report(
                Diagnostic::warning(codes::MISSING_PART, message)
                    .at(
                        place,
                        "compares successes, and there never are any: totals are compared",
                    )
                    .and(check.span, "this check has no Count")
                    .help(help),
            );
        }
    }
}

fn missing(check: &Check, part: &Part) -> Option<Diagnostic> {
    // `8d10t8` counts by itself.
    if part.name == COUNT && check.roll.counts() {
        return None;
    }
    let place = asking(check, |measure| measure.is_one_of(part.gives))?;
    let message = format!("the check `{}` has no {}", check.name, part.name);
    Some(
        Diagnostic::error(codes::MISSING_PART, message)
            .at(place, "this asks for it and never holds")
            .and(check.span, "this check")
            .help(format!("say it: {}", part.bullet)),
    )
}

fn unused(check: &Check, part: &Part, place: Span) -> Option<Diagnostic> {
    // Without rows a target and successes decide by themselves.
    let decides = check.rows.is_empty() && part.name != OPPOSING_DICE;
    if decides || asks(check, |measure| measure.is_one_of(part.used_by)) {
        return None;
    }
    let asked = part
        .used_by
        .iter()
        .map(|word| format!("`{}`", Measure::plain(*word)))
        .collect::<Vec<_>>()
        .join(" or ");
    let name = part.name;
    let message = format!("the {name} of `{}` makes no difference", check.name);
    let found = Diagnostic::warning(codes::UNUSED_PART, message)
        .at(place, format!("no row and no flag looks at {asked}"));
    Some(found.help(format!("compare it in the rows, or take the {name} out")))
}

/// Reports labels of dice that no dice of the check have.
pub fn unknown_groups(system: &System, ledger: &mut Ledger<'_>) {
    for check in &system.checks {
        let groups = check.groups();
        let measures = check.conditions().flat_map(When::measures);
        let measures = measures.chain(check.values.iter().flat_map(NamedNumber::measures));
        let named = check
            .follow_ups
            .iter()
            .flat_map(|rule| rule.labels().map(str::to_owned));
        let labels = measures
            .filter_map(|measure| measure.label.clone())
            .chain(named);
        let is_group = |label: &String| {
            groups
                .iter()
                .any(|group| group_names(group).any(|name| name == *label))
        };
        let mut unknown: Vec<String> = labels.filter(|label| !is_group(label)).collect();
        unknown.sort();
        unknown.dedup();
        for label in unknown {
            let asking = asking(check, |measure| measure.label.as_ref() == Some(&label));
            let is_it = |measure: &&Measure| measure.label.as_ref() == Some(&label);
            let value = check
                .values
                .iter()
                .find(|value| value.measures().iter().any(is_it));
            let value = value.map(|value| format!("Value {}", value.name));
            let following = || {
                check
                    .follow_ups
                    .iter()
                    .find(|rule| rule.labels().any(|name| name == label))
            };
            let bullet = value.or_else(|| following().map(|rule| format!("Again {}", rule.name)));
            let elsewhere = || {
                (
                    check.span_of(&bullet.unwrap_or_default()),
                    "there are none of these",
                )
            };
            let (place, why) = asking.map_or_else(elsewhere, |place| (place, "never holds"));
            let at = inside(ledger, place, &label);
            let message = format!("no dice of `{}` are called `{label}`", check.name);
            let diagnostic = Diagnostic::error(codes::UNKNOWN_GROUP, message).at(at, why);
            ledger.report(match groups.as_slice() {
                [] => diagnostic.help(format!("name the dice in the Roll: `2d10[{label}]`")),
                groups => diagnostic.help(format!("the dice are called {}", groups.join(", "))),
            });
        }
    }
}
