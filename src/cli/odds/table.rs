//! The chances as a table with bars, for a terminal.

use std::fmt::Write as _;

use crate::dice::odds::{Odds, Ratio};

/// Cells of the longest bar.
const BAR: f64 = 40.0;
/// Rows shown; of a longer table the likely middle.
const ROWS_MAX: usize = 60;
/// Eighths of a cell.
const EIGHTHS: [char; 8] = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/// The whole table.
pub fn draw(expression: &str, odds: &Odds) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write(&mut out, expression, odds);
    out
}

/// "3/4 (75.00 %)", or only the percentage where the fraction is longer than a line has room for.
pub fn chance(ratio: &Ratio) -> String {
    let exact = ratio.to_string();
    let percent = ratio.percent(4);
    if exact.len() <= 40 { format!("{exact} ({percent} %)") } else { format!("{percent} %") }
}

fn write(out: &mut String, expression: &str, odds: &Odds) -> std::fmt::Result {
    let totals = &odds.totals;
    let rows: Vec<(i64, Ratio)> = totals.outcomes().collect();
    let (first, last) = window(&rows);
    let most = rows.iter().map(|(_, chance)| chance.to_f64()).fold(0.0, f64::max);
    writeln!(out, "{expression}")?;
    writeln!(out, "mean {} ± {:.2}", average(&totals.mean()), totals.deviation())?;
    if let Some(success) = &odds.success {
        writeln!(out, "success {}", chance(success))?;
    }
    for (band, ratio) in odds.bands.iter().enumerate() {
        writeln!(out, "band {band} {}", chance(ratio))?;
    }
    writeln!(out, "\n{:>8}  {:>9}  {:>9}  {:>9}", "total", "exactly", "at least", "at most")?;
    if first > 0 {
        writeln!(out, "{:>8}  {first} totals below are not shown", "…")?;
    }
    for (total, chance) in rows.iter().take(last).skip(first) {
        let percent = |ratio: &Ratio| format!("{} %", ratio.percent(3));
        let row = format!(
            "{total:>8}  {:>9}  {:>9}  {:>9}  {}",
            percent(chance),
            percent(&totals.at_least(*total)),
            percent(&totals.at_most(*total)),
            bar(chance.to_f64() / most),
        );
        writeln!(out, "{}", row.trim_end())?;
    }
    if last < rows.len() {
        writeln!(out, "{:>8}  {} totals above are not shown (--json has all)", "…", rows.len() - last)?;
    }
    if !totals.cut().is_zero() {
        writeln!(
            out,
            "\nExplosions are followed until less than {:.1e} of all rolls is left; that is cut off.",
            totals.cut().to_f64().max(1e-300)
        )?;
    }
    Ok(())
}

/// The rows that are shown: all, or those around the most likely.
fn window(rows: &[(i64, Ratio)]) -> (usize, usize) {
    if rows.len() <= ROWS_MAX {
        return (0, rows.len());
    }
    let likely: Option<usize> = (0..rows.len()).max_by(|a, b| {
        let of = |nth: &usize| rows.get(*nth).map_or(0.0, |(_, chance)| chance.to_f64());
        of(a).total_cmp(&of(b))
    });
    let first = likely.unwrap_or(0).saturating_sub(ROWS_MAX / 2).min(rows.len() - ROWS_MAX);
    (first, first + ROWS_MAX)
}

fn average(mean: &Ratio) -> String {
    let exact = mean.to_string();
    match exact.contains('/') && exact.len() <= 20 {
        true => format!("{} ({exact})", mean.to_decimal(4)),
        false => mean.to_decimal(4),
    }
}

fn bar(part: f64) -> String {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 320 by the bounds of a share")]
    let eighths = (part.clamp(0.0, 1.0) * BAR * 8.0).round() as usize;
    let mut bar = "█".repeat(eighths / 8);
    if let Some(rest) = EIGHTHS.get(eighths % 8).filter(|rest| **rest != ' ') {
        bar.push(*rest);
    }
    bar
}
