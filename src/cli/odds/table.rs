//! The chances as a table with bars, for a terminal.

use std::fmt::Write as _;

use super::svg::Bar;
use crate::cli::output::{columns, wrapped};
use rollbook_dice::odds::{Odds, Ratio};
use rollbook_dice::{Expression, brief};
use rollbook_text::names::{counted, shortened};

/// Cells of the longest bar, where there is room for it.
const BAR: usize = 40;
const WIDTH: usize = 80;
/// Rows shown; of a longer table each row is a range.
const ROWS_MAX: usize = 60;
/// Columns between a label and its bar.
const COLUMNS: usize = 38;
/// Letters of what a row of a grid is called; a longer name is cut.
const LABEL_MAX: usize = 30;
const EIGHTHS: [char; 8] = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/// The rows of the table as bars of a picture.
pub(super) fn bars(odds: &Odds) -> Vec<Bar> {
    let cut = odds.totals.cut();
    let rows = odds.totals.ranges(ROWS_MAX).rows.into_iter();
    rows.map(|row| bar_of(label(row.first, row.last), &row.chance, &cut)).collect()
}

pub(super) fn bar_of(name: String, chance: &Ratio, cut: &Ratio) -> Bar {
    (name, chance.to_f64(), format!("{} %", chance.percent_bounded(3, cut)))
}

pub fn draw(expression: &Expression, odds: &Odds) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write(&mut out, expression, odds);
    out
}

/// "3/4 (75.00 %)", or only the percentage where the fraction is longer than a line has room for. `cut` is what explosions
/// leave.
pub fn chance(ratio: &Ratio, cut: &Ratio) -> String {
    let percent = ratio.percent_bounded(4, cut);
    ratio.short(40).map_or_else(|| format!("{percent} %"), |exact| format!("{exact} ({percent} %)"))
}

pub fn cut_off(cut: &Ratio) -> String {
    let text = format!(
        "Explosions are followed until {} of all rolls is left, which is cut off (--json has it exactly).",
        cut.with_size(60)
    );
    wrapped(&text, WIDTH, 0)
}

fn write(out: &mut String, expression: &Expression, odds: &Odds) -> std::fmt::Result {
    let totals = &odds.totals;
    let cut = totals.cut();
    let shown = totals.ranges(ROWS_MAX);
    let most = shown.rows.iter().map(|row| row.chance.to_f64()).fold(f64::MIN_POSITIVE, f64::max);
    writeln!(out, "{}", brief(expression.as_str()))?;
    writeln!(out, "mean {} ± {:.2}", average(&totals.mean()), totals.deviation())?;
    if let Some(success) = &odds.success {
        let whose = if expression.counts() && odds.repeated { "one check succeeds" } else { "success" };
        writeln!(out, "{whose} {}", chance(success, &cut))?;
    }
    for (band, ratio) in &odds.bands {
        writeln!(out, "{band}: {}", chance(ratio, &cut))?;
    }
    let head = match (odds.repeated && odds.success.is_some(), expression.counts()) {
        (true, _) => "succeed",
        (_, true) => "successes",
        _ => "total",
    };
    let labels: Vec<String> = shown.rows.iter().map(|row| label(row.first, row.last)).collect();
    let width = labels.iter().map(|label| label.chars().count()).fold(9, usize::max);
    writeln!(out, "\n{head:>width$}  {:>10}  {:>10}  {:>10}", "exactly", "at least", "at most")?;
    if shown.below > 0 {
        writeln!(
            out,
            "{:>width$}  {} below, together less than 0.001 %",
            "…",
            counted(shown.below, "total", "totals")
        )?;
    }
    for (row, label) in shown.rows.iter().zip(&labels) {
        let percent = |ratio: &Ratio| format!("{} %", ratio.percent_bounded(3, &cut));
        let line = format!(
            "{label:>width$}  {:>10}  {:>10}  {:>10}  {}",
            percent(&row.chance),
            percent(&totals.at_least(row.first)),
            percent(&totals.at_most(row.last)),
            bar(row.chance.to_f64() / most, width + COLUMNS),
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    if shown.above > 0 {
        writeln!(
            out,
            "{:>width$}  {} above, together less than 0.001 % (--json has all)",
            "…",
            counted(shown.above, "total", "totals")
        )?;
    }
    if !cut.is_zero() {
        writeln!(out, "\n{}", cut_off(&cut))?;
    }
    Ok(())
}

/// `7`, or `51 to 75` of a row that is a range: exactly one of these, at least the first, at most the last.
fn label(first: i64, last: i64) -> String {
    if first == last { first.to_string() } else { format!("{first} to {last}") }
}

fn average(mean: &Ratio) -> String {
    match mean.short(20).filter(|exact| exact.contains('/')) {
        Some(exact) => format!("{} ({exact})", mean.to_decimal(4)),
        None => mean.to_decimal(4),
    }
}

/// A table: the rows' labels under the corner, and cells that end under the end of their heads. `words` begin at the left, numbers end
/// at the right.
pub(super) fn grid(corner: &str, words: bool, heads: &[String], rows: &[(String, Vec<String>)]) -> String {
    let head = [vec![corner.to_owned()], heads.to_vec()].concat();
    let row = |(label, cells): &(String, Vec<String>)| [vec![shortened(label, LABEL_MAX)], cells.clone()].concat();
    let rows: Vec<Vec<String>> = std::iter::once(head).chain(rows.iter().map(row)).collect();
    columns(&rows, |nth| if nth == 0 { (0, !words) } else { (9, true) })
}

/// A bar of so great a part of the longest, after so many columns.
pub(super) fn bar(part: f64, before: usize) -> String {
    let longest = BAR.min(WIDTH.saturating_sub(before));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 320 by the bounds of a share")]
    let eighths = (part.clamp(0.0, 1.0) * longest as f64 * 8.0).round() as usize;
    let mut bar = "█".repeat(eighths / 8);
    if let Some(rest) = EIGHTHS.get(eighths % 8).filter(|rest| **rest != ' ') {
        bar.push(*rest);
    }
    bar
}
