//! A check, its parts and its rows.

use super::check::Check;
use crate::rules::language::summary::{Summary, with_note};
use crate::rules::when::facts::Succeed;

/// The check in one line, then each part and each row in its own.
pub fn check(check: &Check, summary: &mut Summary) {
    let what_is_compared = if check.count.is_some() { "successes " } else { "" };
    let target = check.target.as_ref().map(|target| match check.succeed {
        Succeed::AtLeast => format!(", {what_is_compared}at least {target}"),
        Succeed::AtMost => format!(", {what_is_compared}at most {target}"),
    });
    let what = format!("{}{}", check.roll, target.unwrap_or_default());
    summary.line(&check.name, &with_note(what, check.assumed), Some(&check.place));
    for (name, clause) in
        [("with no dice", &check.no_dice), ("opposing dice", &check.opposing), ("modifier", &check.modifier)]
    {
        if let Some(clause) = clause {
            summary.line(&format!("  {name}"), &clause.what.to_string(), Some(&clause.place));
        }
    }
    if let Some(count) = &check.count {
        summary.line("  successes", &count.describe(), Some(&count.place));
    }
    for pair in &check.pairs {
        summary.line("  pairs", &format!("two {}s add {}", pair.face, pair.add), Some(&pair.place));
    }
    for shift in &check.shifts {
        let steps = match shift.steps {
            1 => "one step better".to_owned(),
            -1 => "one step worse".to_owned(),
            steps if steps < 0 => format!("{} steps worse", -steps),
            steps => format!("{steps} steps better"),
        };
        let faces = if shift.low == shift.high { shift.low.to_string() } else { shift.range() };
        summary.line(&format!("  natural {faces}"), &steps, Some(&shift.place));
    }
    if let Some(own) = &check.while_held {
        summary.line("  while", &own.text, Some(&own.place));
    }
    for row in &check.rows {
        let label = if row.canonical.as_str() == row.label.to_lowercase() {
            row.label.clone()
        } else {
            format!("{} ({})", row.label, row.canonical)
        };
        summary.line(&format!("  {label}"), &row.when_text, Some(&row.place).filter(|_| !check.assumed));
        for own in &row.moves {
            summary.line("    moves", &own.describe(), Some(&own.place));
        }
    }
    for flag in &check.flags {
        summary.line(&format!("  flag {}", flag.name), &flag.when_text, Some(&flag.place));
    }
    for follow in &check.follow_ups {
        summary.line(&format!("  {}", follow.name), &follow.describe(), Some(&follow.place));
    }
    for unread in &check.unread {
        summary.line(&format!("  {}", unread.label), "not read; the outcome is the GM's", Some(&unread.place));
    }
}
