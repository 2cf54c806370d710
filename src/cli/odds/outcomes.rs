//! The chances of a check's outcomes as a table for a terminal.

use std::fmt::Write as _;

use crate::dice::odds::Ratio;
use crate::game::decide::odds::{Chances, Flag, Row};

/// Numbers of a value that a person reads one by one.
const NUMBERS_MAX: usize = 60;
/// The chances at one difficulty; none where the rule asks for none.
pub(super) type Line = (Option<i64>, Chances);

/// The outcomes that come up at any difficulty, the best first, and what each is called.
pub(super) fn columns(lines: &[Line]) -> (Vec<&Row>, Vec<String>) {
    let mut columns: Vec<&Row> = Vec::new();
    for row in lines.iter().flat_map(|(_, found)| &found.rows) {
        if !columns.iter().any(|seen| is_same(seen, row)) {
            columns.push(row);
        }
    }
    columns.sort_by_key(|row| std::cmp::Reverse(row.outcome));
    let heads = columns.iter().map(|row| head(row, &columns)).collect();
    (columns, heads)
}

/// A line a difficulty, a column an outcome.
pub(super) fn table(name: &str, lines: &[Line]) -> String {
    let (columns, heads) = columns(lines);
    let flags = lines.first().map_or_else(Vec::new, |(_, found)| found.flags.iter().map(flagged).collect());
    let mut text = format!("{name}\n\n");
    let cut = lines.first().map_or_else(Ratio::default, |(_, found)| found.cut.clone());
    if lines.iter().any(|(difficulty, _)| difficulty.is_some()) {
        let opposed = lines.iter().any(|(_, found)| found.against.is_some());
        let again = lines.first().and_then(|(_, found)| found.again.as_ref()).map(|(rule, _)| rule.as_str());
        let ends: Vec<&str> = if opposed { vec!["wins", "tie"] } else { again.into_iter().collect() };
        let all = heads.iter().chain(&flags).map(String::as_str).chain(ends.iter().copied());
        let head: String = all.map(|head| format!("  {head:>9}")).collect();
        let _ = writeln!(text, "{:>10}{head}", "difficulty");
        for (difficulty, found) in lines {
            let cells = columns.iter().zip(&heads).map(|(row, head)| {
                let width = head.chars().count().max(9);
                format!("  {:>width$}", format!("{} %", of(found, row).percent_bounded(2, &found.cut)))
            });
            let flags = found.flags.iter().zip(&flags).map(|(flag, head)| {
                let width = head.chars().count().max(9);
                format!("  {:>width$}", format!("{} %", flag.chance.percent_bounded(2, &found.cut)))
            });
            let against = found.against.iter().flat_map(|against| [&against.won, &against.tie]);
            let against = against.chain(found.again.iter().map(|(_, chance)| chance));
            let against =
                against.map(|chance| format!("  {:>9}", format!("{} %", chance.percent_bounded(2, &found.cut))));
            let difficulty = difficulty.map_or_else(String::new, |difficulty| difficulty.to_string());
            let _ = writeln!(text, "{difficulty:>10}{}", cells.chain(flags).chain(against).collect::<String>());
        }
    } else {
        let width = heads.iter().chain(&flags).map(|head| head.chars().count()).max().unwrap_or(0);
        for (row, head) in columns.iter().zip(&heads) {
            let found = lines.first().map_or_else(Ratio::default, |(_, found)| of(found, row));
            let rule = row.rule.as_deref().unwrap_or_default();
            let chance = super::table::chance(&found, &cut);
            let _ = writeln!(text, "{head:width$}  {chance:>30}  {rule}");
        }
        for flag in lines.first().iter().flat_map(|(_, found)| &found.flags) {
            let chance = super::table::chance(&flag.chance, &cut);
            let _ = writeln!(text, "{:width$}  {chance:>30}", flagged(flag));
        }
        let against = lines.first().and_then(|(_, found)| found.against.as_ref());
        let again = lines.first().and_then(|(_, found)| found.again.as_ref());
        let again = again.map(|(rule, chance)| (rule.as_str(), chance));
        for (what, chance) in against.into_iter().flat_map(|own| [("wins", &own.won), ("tie", &own.tie)]).chain(again) {
            let chance = super::table::chance(chance, &cut);
            let _ = writeln!(text, "{what:width$}  {chance:>30}");
        }
    }
    for (difficulty, found) in lines {
        for own in found.values.iter().filter(|own| own.chances.len() <= NUMBERS_MAX) {
            let at = difficulty.map_or_else(String::new, |difficulty| format!(" at {difficulty}"));
            let _ = writeln!(text, "\n{}{at}, {:.4} on average", own.name, own.mean());
            // Of several difficulties the average tells more than forty lines of each.
            for (number, chance) in own.chances.iter().filter(|_| lines.len() == 1) {
                let _ = writeln!(text, "{number:>10}  {:>9}", format!("{} %", chance.percent_bounded(2, &found.cut)));
            }
        }
    }
    if let Some((_, found)) = lines.iter().find(|(_, found)| !found.cut.is_zero()) {
        let _ = writeln!(text, "\n{}", super::table::cut_off(&found.cut));
    }
    text
}

fn flagged(flag: &Flag) -> String {
    format!("flag {}", flag.name)
}

/// Rows that are called the same and mean the same are one at the table.
fn is_same(one: &Row, other: &Row) -> bool {
    one.label == other.label && one.outcome == other.outcome
}

/// The chance of an outcome at one difficulty.
pub(super) fn of(found: &Chances, wanted: &Row) -> Ratio {
    let own = found.rows.iter().filter(|row| is_same(row, wanted));
    own.fold(Ratio::default(), |sum, row| sum.plus(&row.chance))
}

/// The author's word; with the canonical one where another row has the same word and means something else.
fn head(row: &Row, all: &[&Row]) -> String {
    let twice = all.iter().filter(|other| other.label == row.label).count() > 1;
    match (&row.label, row.outcome) {
        (Some(label), Some(outcome)) if twice => format!("{label} ({outcome})"),
        (Some(label), _) => label.clone(),
        (None, Some(outcome)) => outcome.to_string(),
        (None, None) => "for the GM to say".to_owned(),
    }
}
