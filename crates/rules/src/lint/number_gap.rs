use std::collections::HashSet;

use crate::codes;
use crate::language::health::{Track, constant};
use crate::language::ledger::Ledger;
use crate::language::number_table::{Base, NumberTable, Part, named, value_of};
use crate::language::system::System;
use rollbook_text::diagnostic::Diagnostic;
use rollbook_text::names::fold;

/// The most numbers of a table, or scores of a range, that are tried.
const NUMBERS_MAX: usize = 1_000;

pub fn lint(system: &System, ledger: &mut Ledger<'_>) {
    // One table is for all attributes, so a missing score is reported once.
    let mut looked = Vec::new();
    for attribute in &system.attributes {
        let Some((low, high)) = attribute.range else {
            continue;
        };
        let low = if system.damage_lowers(&attribute.name) {
            low.min(0)
        } else {
            low
        };
        if looked.contains(&(low, high, &attribute.modifier)) {
            continue;
        }
        looked.push((low, high, &attribute.modifier));
        let gap = (low..=high)
            .take(NUMBERS_MAX)
            .find_map(|score| Some((score, attribute.modifier(score).err()?)));
        let Some((score, why)) = gap else { continue };
        let message = format!("the score {score} of {} has no modifier", attribute.name);
        ledger.report(
            Diagnostic::warning(codes::MODIFIER_GAP, message)
                .at(
                    attribute.span,
                    format!("may be anything from {low} to {high}"),
                )
                .because(why.to_string())
                .help("let the modifiers cover the whole range"),
        );
        break;
    }
    let mut seen = HashSet::new();
    for skill in &system.skills {
        let Some(Base::Table(table)) = &skill.base else {
            continue;
        };
        // The columns of one table have the same rows.
        if !seen.insert((table.span.file, table.span.start)) {
            continue;
        }
        for Part { kind, rows } in &table.parts {
            let of_kind = kind.as_ref().and_then(|_| named(rows.iter()));
            let Some((low, high)) = needed(table, of_kind, system) else {
                continue;
            };
            let is_gap = |number: &i64| value_of(rows, *number).is_none();
            let Some(gap) = (low..=high).take(NUMBERS_MAX).find(is_gap) else {
                continue;
            };
            let of = kind
                .as_ref()
                .map_or(String::new(), |kind| format!(" of {kind}"));
            ledger.report(
                Diagnostic::warning(
                    codes::NUMBER_GAP,
                    format!("no row of the table is for {gap}{of}"),
                )
                .at(table.span, format!("may be anything from {low} to {high}"))
                .because(format!(
                    "{} has no number there, and a check with it is refused",
                    skill.name
                ))
                .help("add a row, or widen the range of one: `4-6`, `7+`"),
            );
        }
    }
}

/// Numbers that may be looked up: allowed by the rules or between rows; of a class its rows' only.
fn needed(table: &NumberTable, of_kind: Option<(i64, i64)>, system: &System) -> Option<(i64, i64)> {
    let (low, high) = of_kind.or_else(|| table.named())?;
    let name = fold(&table.key.variables().first()?.name);
    if name == "level" {
        return Some((low.min(1), high));
    }
    let score = name
        .strip_suffix(" score")
        .and_then(|bare| system.named_attribute(bare));
    if let Some(attribute) = score {
        let (least, most) = attribute.range.unwrap_or((low, high));
        // Damage lowers it to 0.
        let least = if system.damage_lowers(&attribute.name) {
            least.min(0)
        } else {
            least
        };
        return Some((low.min(least), high.max(most)));
    }
    let shared = || {
        system
            .company
            .as_ref()
            .and_then(|company| company.track(&name).ok())
    };
    let track = system.track(&name).ok().or_else(shared);
    let (least, most) = track.map_or((low, high), |track| ends(track, high));
    Some((low.min(least), high.max(most)))
}

/// The ends of a track. An end that depends on the character is that of the table.
fn ends(track: &Track, high: i64) -> (i64, i64) {
    let least = constant(&track.min).unwrap_or(0);
    (least, track.max.as_ref().and_then(constant).unwrap_or(high))
}
