//! The chances as a picture: one bar a total, drawn by hand into SVG.

use std::fmt::Write as _;

use crate::dice::odds::{Distribution, Ratio};
use crate::names::{for_markup, shortened};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 64.0;
const BOTTOM: f64 = 48.0;
/// Bars drawn; of a longer distribution the others are too unlikely to be seen.
const BARS_MAX: usize = 700;
/// Labels under the bars.
const LABELS: usize = 18;
/// Letters of the title.
const TITLE_MAX: usize = 70;

/// The picture as text.
pub fn draw(expression: &str, totals: &Distribution) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write(&mut out, expression, totals);
    out
}

fn write(out: &mut String, expression: &str, totals: &Distribution) -> std::fmt::Result {
    let bars = seen(totals);
    let most = bars.iter().map(|(_, chance)| *chance).fold(f64::MIN_POSITIVE, f64::max);
    let first = bars.first().map_or(0, |(total, _)| *total);
    let last = bars.last().map_or(0, |(total, _)| *total);
    let slots = (last - first + 1) as f64;
    let (plot_width, plot_height) = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
    let (slot, floor) = (plot_width / slots, TOP + plot_height);

    begin(out, (expression, &shortened(expression, TITLE_MAX)), WIDTH, HEIGHT, LEFT)?;
    let mean = totals.mean();
    writeln!(
        out,
        r#"<text x="{LEFT}" y="48">mean {}, deviation {:.2}</text>"#,
        mean.to_decimal(3),
        totals.deviation()
    )?;
    grid(out, most, plot_height)?;
    writeln!(out, r##"<g fill="#2f6f8f">"##)?;
    let gap = if slot > 3.0 { (slot * 0.15).min(4.0) } else { 0.0 };
    for (total, chance) in &bars {
        let height = plot_height * chance / most;
        let x = LEFT + slot * (total - first) as f64 + gap / 2.0;
        let (y, width) = (floor - height, slot - gap);
        let percent = chance * 100.0;
        writeln!(
            out,
            r#"<rect x="{x:.2}" y="{y:.2}" width="{width:.2}" height="{height:.2}"><title>{total}: {percent:.3} %</title></rect>"#
        )?;
    }
    writeln!(out, "</g>")?;
    labels(out, (first, last), slot, floor)?;
    mark(out, &mean, first, slot, floor)?;
    writeln!(out, "</g>\n</svg>")
}

/// Lines across at round percentages.
fn grid(out: &mut String, most: f64, plot_height: f64) -> std::fmt::Result {
    let step = [0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0]
        .into_iter()
        .find(|step| most / step <= 6.0)
        .unwrap_or(1.0);
    let mut at = 0.0;
    while at <= most {
        let y = TOP + plot_height * (1.0 - at / most);
        writeln!(out, r##"<line x1="{LEFT}" x2="{:.1}" y1="{y:.1}" y2="{y:.1}" stroke="#dedbd2"/>"##, WIDTH - RIGHT)?;
        let percent = at * 100.0;
        let places = if step < 0.001 {
            2
        } else if step < 0.01 {
            1
        } else {
            0
        };
        writeln!(
            out,
            r#"<text x="{:.1}" y="{:.1}" text-anchor="end">{percent:.places$} %</text>"#,
            LEFT - 8.0,
            y + 4.0
        )?;
        at += step;
    }
    Ok(())
}

fn labels(out: &mut String, (first, last): (i64, i64), slot: f64, floor: f64) -> std::fmt::Result {
    let span = usize::try_from(last - first).unwrap_or(0) + 1;
    let every = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 10_000]
        .into_iter()
        .find(|every| span / every <= LABELS)
        .unwrap_or(span);
    for total in first..=last {
        if total.rem_euclid(i64::try_from(every).unwrap_or(1)) != 0 && span > LABELS {
            continue;
        }
        let x = LEFT + slot * ((total - first) as f64 + 0.5);
        writeln!(out, r#"<text x="{x:.1}" y="{:.1}" text-anchor="middle">{total}</text>"#, floor + 18.0)?;
    }
    Ok(())
}

/// A thin line at the mean.
fn mark(out: &mut String, mean: &Ratio, first: i64, slot: f64, floor: f64) -> std::fmt::Result {
    let x = LEFT + slot * (mean.to_f64() - first as f64 + 0.5);
    writeln!(
        out,
        r##"<line x1="{x:.1}" x2="{x:.1}" y1="{TOP}" y2="{floor}" stroke="#f2a65a" stroke-width="1.5" stroke-dasharray="5 3"/>"##
    )
}

/// The totals worth a bar.
fn seen(totals: &Distribution) -> Vec<(i64, f64)> {
    let mut bars: Vec<(i64, f64)> = totals.outcomes().map(|(total, chance)| (total, chance.to_f64())).collect();
    let most = bars.iter().map(|(_, chance)| *chance).fold(0.0, f64::max);
    let visible = |chance: f64| chance >= most / 2000.0;
    let from = bars.iter().position(|(_, chance)| visible(*chance)).unwrap_or(0);
    let to = bars.iter().rposition(|(_, chance)| visible(*chance)).map_or(bars.len(), |last| last + 1);
    bars.truncate(to.min(from + BARS_MAX));
    bars.split_off(from.min(bars.len()))
}

/// The beginning of a picture of odds, with its title and as much of it as there is room for, which stands `left` of its edge. It is ended by `</g>`
/// and `</svg>`.
pub(super) fn begin(
    out: &mut String,
    (title, shown): (&str, &str),
    width: f64,
    height: f64,
    left: f64,
) -> std::fmt::Result {
    let (title, shown) = (for_markup(title), for_markup(shown));
    writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">"#
    )?;
    writeln!(out, "<title>Odds of {title}</title>")?;
    writeln!(out, r##"<rect width="{width}" height="{height}" fill="#fbfaf7"/>"##)?;
    writeln!(out, r##"<g font-family="system-ui, sans-serif" font-size="12" fill="#4a4a46">"##)?;
    writeln!(out, r##"<text x="{left}" y="28" font-size="18" font-weight="600" fill="#22221f">{shown}</text>"##)
}
