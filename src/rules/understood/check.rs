//! A check, its parts and its rows.

use super::sheet::Sheet;
use super::with_note;
use crate::rules::check::{Check, Succeed};

/// The check in one line, then each part and each row in its own.
pub(super) fn check(check: &Check, sheet: &mut Sheet) {
    let what_is_compared = if check.count.is_some() { "successes " } else { "" };
    let target = check.target.as_ref().map(|target| match check.succeed {
        Succeed::AtLeast => format!(", {what_is_compared}at least {target}"),
        Succeed::AtMost => format!(", {what_is_compared}at most {target}"),
    });
    let what = format!("{}{}", check.roll, target.unwrap_or_default());
    sheet.line(&check.name, &with_note(what, check.assumed), Some(&check.place));
    for (name, clause) in
        [("with no dice", &check.no_dice), ("opposing dice", &check.opposing), ("modifier", &check.modifier)]
    {
        if let Some(clause) = clause {
            sheet.line(&format!("  {name}"), &clause.what.to_string(), Some(&clause.place));
        }
    }
    if let Some(count) = &check.count {
        sheet.line("  successes", &count.describe(), Some(&count.place));
    }
    for pair in &check.pairs {
        sheet.line("  pairs", &format!("two {}s add {}", pair.face, pair.add), Some(&pair.place));
    }
    for shift in &check.shifts {
        let steps = match shift.steps {
            1 => "one step better".to_owned(),
            -1 => "one step worse".to_owned(),
            steps if steps < 0 => format!("{} steps worse", -steps),
            steps => format!("{steps} steps better"),
        };
        let faces = if shift.low == shift.high { shift.low.to_string() } else { shift.range() };
        sheet.line(&format!("  natural {faces}"), &steps, Some(&shift.place));
    }
    if let Some(own) = &check.while_held {
        sheet.line("  while", &own.text, Some(&own.place));
    }
    for row in &check.rows {
        let label = if row.canonical.as_str() == row.label.to_lowercase() {
            row.label.clone()
        } else {
            format!("{} ({})", row.label, row.canonical)
        };
        sheet.line(&format!("  {label}"), &row.when_text, Some(&row.place).filter(|_| !check.assumed));
        for own in &row.moves {
            sheet.line("    moves", &own.describe(), Some(&own.place));
        }
    }
    for flag in &check.flags {
        sheet.line(&format!("  flag {}", flag.name), &flag.when_text, Some(&flag.place));
    }
    for follow in &check.follow_ups {
        sheet.line(&format!("  {}", follow.name), &follow.describe(), Some(&follow.place));
    }
    for unread in &check.unread {
        sheet.line(&format!("  {}", unread.label), "not read; the outcome is the GM's", Some(&unread.place));
    }
}
