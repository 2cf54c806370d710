//! The columns of an outcome table that are about a track, also one that all share, or a clock: `| Death save failures |`, with cells
//! such as `1 more`; after them
//! those about an attack ([`mod@dealt`]).
//!
//! Read when all tracks, boxes, slots and wounds are known, since Checks may stand before Health.

use super::check_cost::PaidFrom;
use super::dealt;
use super::row_move::{RowMove, braced, without};
use crate::diagnostic::{Diagnostic, Fix};
use crate::dice::parse_formula;
use crate::names::{Slip, fold, misspellings, slip};
use crate::rules::codes;
use crate::rules::document::Text;
use crate::rules::language::attributes::Attribute;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::number_words::counted;
use crate::rules::language::rests::{Recoverable, RestEffect, recoverable_with_shared};
use crate::rules::language::system::System;
use crate::rules::when::Named;

/// What a cell may say, for an author who wrote something else.
pub const HELP: &str = "write `1 more`, `2 less`, `clears`, `to 0`, `to max`, `one step down`, or `none`; what the dice count has a name: ``- Value price: `6 - highest` `` and `{price} more`";

/// Reads the columns of every check.
pub fn resolve(system: &mut System, ledger: &mut Ledger<'_>) {
    let all = recoverable_with_shared(system);
    let shared = system.company.iter().flat_map(|company| &company.tracks);
    let hidden: Vec<String> = shared.filter(|own| own.hidden).map(|own| own.name.clone()).collect();
    let conditions = known(system);
    let mut sizes: Vec<i64> =
        system.chain.iter().flat_map(|chain| &chain.dice).map(|die| i64::from(die.sides())).collect();
    sizes.sort_unstable();
    for follow_up in system.checks.iter_mut().flat_map(|check| &mut check.follow_ups) {
        for cost in &mut follow_up.costs {
            let of = paid(&cost.what, &all, ledger);
            cost.moves = of.map(|of| cost.moves(&of.name, of.shared));
        }
    }
    let is_track = |own: &Attribute| all.iter().any(|track| !track.shared && track.name == own.name);
    let pools = system.attributes.iter().any(is_track);
    for cost in system.checks.iter_mut().flat_map(|check| &mut check.costs) {
        cost.from = match cost.names_attribute() {
            true if pools => Some(PaidFrom::Attribute),
            true => {
                let message = "no attribute is a track that could be paid from";
                let diagnostic =
                    Diagnostic::warning(codes::UNKNOWN_TRACK, message).at(cost.what.span(), "this costs nothing");
                ledger.report(
                    diagnostic.help("say under Health what damage takes: `- Might, then Speed`, or name a track"),
                );
                None
            }
            false => {
                let of = paid(&cost.what, &all, ledger);
                of.map(|of| PaidFrom::Track { name: of.name.clone(), shared: of.shared })
            }
        };
    }
    let rows = system.checks.iter_mut().flat_map(|check| {
        let values = &check.values;
        check.rows.iter_mut().map(move |row| (row, values))
    });
    for (row, values) in rows {
        for (header, cell) in std::mem::take(&mut row.columns) {
            let name = header.as_str().trim().to_lowercase();
            let Some(of) = all.iter().find(|own| own.spoken.contains(&name)) else {
                if dealt::is_damage(&header) {
                    row.damage = Some(dealt::damage(&cell, values, ledger));
                    continue;
                }
                if dealt::is_effect(&header) {
                    row.effects.extend(dealt::effects(&cell, &conditions, ledger));
                    continue;
                }
                report_misspelling(&header, &cell, &all, ledger);
                continue;
            };
            let text = format!("{}: {}", header.as_str(), cell.as_str());
            // Players read the row, and not that there is such a clock.
            if hidden.contains(&of.name) && of.shared {
                row.text = without(row.text.take(), &text);
            }
            let stepped = steps(cell.as_str()).map(|steps| {
                let effect = RestEffect::Steps { track: of.name.clone(), sizes: sizes.clone(), steps };
                Moved::By(effect, 0)
            });
            if stepped.is_some() && sizes.is_empty() {
                ledger.report(
                    Diagnostic::warning(
                        codes::UNREADABLE_MOVE,
                        format!("no dice are in order, along which {} could move", of.name),
                    )
                    .at(cell.span(), "shown with the result, not carried out")
                    .help("write them in the section Dice: `- Dice chain: d4, d6, d8, d10, d12`"),
                );
                continue;
            }
            let valued = valued(cell.as_str(), values);
            let words = valued.as_ref().map_or(cell.as_str(), |(_, words)| words);
            match stepped.or_else(|| moved(words, of)) {
                Some(Moved::Not) => {}
                Some(Moved::By(effect, amount)) => row.moves.push(RowMove {
                    effect,
                    shared: of.shared,
                    amount,
                    value: valued.map(|(value, _)| value),
                    fills: of.fills,
                    text,
                    place: ledger.place(cell.span()),
                }),
                None => ledger.report(
                    Diagnostic::warning(
                        codes::UNREADABLE_MOVE,
                        format!("what happens to {} cannot be read: `{}`", of.name, cell.as_str()),
                    )
                    .at(cell.span(), "shown with the result, not carried out")
                    .help(HELP),
                ),
            }
        }
    }
    assume_whose(system, ledger);
}

/// A number of the sheet that is taken off damage is most likely thought to be the target's, and is the attacker's.
fn assume_whose(system: &System, ledger: &mut Ledger<'_>) {
    let is_on_sheets = |name: &str| {
        system.named_attribute(name).is_some() || system.named_skill(name).is_some() || system.track(name).is_ok()
    };
    for check in &system.checks {
        let mut all = check.rows.iter().filter_map(|row| row.damage.as_ref());
        let found = all.find_map(|own| Some((own, own.deals.taken_off().find(|name| is_on_sheets(name))?)));
        if let Some((own, name)) = found {
            let text = format!(
                "`{{{name}}}` in the column Damage is that of whoever strikes; what is taken off by whoever is hit is ``- {name}: subtract \
                 `{{{name}}}` `` under Health"
            );
            ledger.assume(text, Some(own.place.clone()));
        }
    }
}

/// What is paid with; nothing of that name is a finding.
fn paid<'a>(what: &Text, all: &'a [Recoverable], ledger: &mut Ledger<'_>) -> Option<&'a Recoverable> {
    let units = ["point of ", "points of ", "box of ", "boxes of "];
    let name = fold(what.as_str());
    let bare = units.iter().find_map(|unit| name.strip_prefix(unit)).unwrap_or(&name);
    let bare = [" points", " point", " boxes", " box"].iter().find_map(|unit| bare.strip_suffix(unit)).unwrap_or(bare);
    let is_it = |own: &&Recoverable| own.spoken.iter().any(|form| fold(form) == name || fold(form) == bare);
    if let Some(of) = all.iter().find(is_it) {
        return Some(of);
    }
    let message = format!("no track is called `{}`", what.as_str());
    let at = what.span();
    let diagnostic = Diagnostic::warning(codes::UNKNOWN_TRACK, message).at(at, "this costs nothing");
    let known = misspellings(bare, all.iter().map(|own| own.name.as_str()));
    ledger.report(match known.first() {
        Some(known) => diagnostic.perhaps(Fix {
            span: at,
            message: format!("call it `{known}`"),
            replacement: (*known).to_lowercase(),
        }),
        None => diagnostic.help(format!(
            "declare it under Health: `- {name}: max 3, from 0` where it is spent, `- {name}: 10 boxes` where it fills up",
            name = what.as_str()
        )),
    });
    None
}

/// Every condition that the rules name.
fn known(system: &System) -> dealt::Known {
    let mut known = dealt::Known::new();
    let declared = system.conditions.iter().map(|own| (own.name.as_str(), own.levels));
    for (name, levels) in declared.chain(system.condition_names().map(|name| (name, None))) {
        known.entry(fold(name)).or_insert_with(|| (name.to_owned(), levels));
    }
    known
}

/// A column that would be about a track, were its name spelt otherwise.
fn report_misspelling(header: &Text, cell: &Text, all: &[Recoverable], ledger: &mut Ledger<'_>) {
    let suggestion = all.iter().find(|own| slip(header.as_str(), &own.name) == Some(Slip::Clear));
    let Some(suggestion) = suggestion.filter(|own| moved(cell.as_str(), own).is_some()) else { return };
    let message = format!("no track is called `{}`", header.as_str());
    if ledger.diagnostics.iter().any(|found| found.labels.iter().any(|label| label.span == header.span())) {
        return;
    }
    let fix = Fix {
        span: header.span(),
        message: format!("call it `{}`", suggestion.name),
        replacement: suggestion.name.clone(),
    };
    ledger.report(
        Diagnostic::warning(codes::UNKNOWN_TRACK, message).at(header.span(), "this column moves nothing").perhaps(fix),
    );
}

/// What words do to a track.
pub enum Moved {
    /// `none`.
    Not,
    /// How, and by how many points where it is made better.
    By(RestEffect, i64),
}

/// `one step down`, `2 steps up`: below zero downwards.
fn steps(words: &str) -> Option<i64> {
    let plain = words.trim().trim_end_matches('.').to_lowercase();
    let (many, way) = match plain.split_whitespace().collect::<Vec<_>>().as_slice() {
        [many, "step" | "steps", way] => (number(many)?, (*way).to_owned()),
        ["step" | "steps", way] => (1, (*way).to_owned()),
        _ => return None,
    };
    match way.as_str() {
        "down" => Some(-i64::from(many)),
        "up" => Some(i64::from(many)),
        _ => None,
    }
}

/// `1 more`, `-2`, `mark one`, `clear 1 stress`, `clears`, `to 0`, `to max`, `none`.
pub fn moved(words: &str, of: &Recoverable) -> Option<Moved> {
    let plain = words.trim().trim_end_matches('.').to_lowercase().replace(['\u{2212}', '\u{2013}', '\u{2014}'], "-");
    let bare = without_name(&plain, of);
    let words: Vec<&str> = bare.split_whitespace().collect();
    let track = || of.name.clone();
    let (count, up) = match words.as_slice() {
        [] if plain.is_empty() => return Some(Moved::Not),
        ["-" | "0" | "none" | "nothing" | "unchanged" | "same"] | ["no", "change"] | ["mark", "none" | "no"] => {
            return Some(Moved::Not);
        }
        ["clear" | "clears" | "cleared"] | ["clear", "all"] | ["all", "clear"] if of.fills => {
            return Some(Moved::By(RestEffect::Clears { track: track() }, 0));
        }
        ["to", "0" | "zero"] | ["empty" | "empties" | "emptied" | "clear" | "clears" | "cleared"] => {
            return Some(Moved::By(RestEffect::ToZero { track: track() }, 0));
        }
        ["to", "max" | "full" | "maximum"] | ["full" | "fills"] => {
            return Some(Moved::By(RestEffect::ToMax { track: track() }, 0));
        }
        ["mark" | "tick"] if of.fills => (1, true),
        ["mark" | "tick", many] if of.fills => (number(many)?, true),
        ["clear" | "erase" | "heal", many] => (number(many)?, !of.fills),
        ["lose", many] if !of.fills => (number(many)?, false),
        ["gain" | "regain", many] if !of.fills => (number(many)?, true),
        [many, "more"] => (number(many)?, true),
        [many, "less" | "fewer"] => (number(many)?, false),
        [signed] => match (signed.strip_prefix('+'), signed.strip_prefix('-')) {
            (Some(many), _) => (number(many)?, true),
            (_, Some(many)) => (number(many)?, false),
            (None, None) => return None,
        },
        _ => return None,
    };
    if up == of.fills {
        return Some(Moved::By(RestEffect::Marks { track: track(), count: u32::from(count) }, 0));
    }
    let amount = i64::from(count);
    let gives = RestEffect::Gives { track: track(), amount: parse_formula(&count.to_string()).ok()? };
    Some(Moved::By(gives, amount))
}

/// A cell may repeat what its column is about: `clear 1 stress`, `mark two boxes`.
fn without_name<'w>(words: &'w str, of: &Recoverable) -> &'w str {
    let units = ["boxes", "box", "points", "point", "slots", "slot", "marks"];
    let named = of.spoken.iter().map(String::as_str).find_map(|name| words.strip_suffix(name)?.strip_suffix(' '));
    let rest = named.unwrap_or(words).trim_end();
    let rest = rest.strip_suffix(" of").unwrap_or(rest);
    units.iter().find_map(|unit| rest.strip_suffix(unit)?.strip_suffix(' ')).unwrap_or(rest)
}

/// The value of the check that says how far a cell moves a track, and the cell with 1 in its place: `{price} more`, with backticks or without.
fn valued(words: &str, values: &[Named]) -> Option<(String, String)> {
    let (name, words) = braced(words)?;
    let value = values.iter().find(|own| own.is(&name))?;
    Some((value.name.clone(), words))
}

/// A small number, in letters or digits.
fn number(word: &str) -> Option<u8> {
    counted(word, 1..=i64::from(u8::MAX)).and_then(|number| u8::try_from(number).ok())
}
