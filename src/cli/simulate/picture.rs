//! What the fights came to, as an SVG picture: who wins, how long it takes, who falls.

use std::fmt::Write as _;

use super::table::{names_of, outcomes, rounds};
use crate::game::simulate::{Side, Simulation, Tally};
use crate::names::{for_markup, shortened};

const WIDTH: f64 = 760.0;
const LEFT: f64 = 56.0;
const PLOT: f64 = WIDTH - 2.0 * LEFT;
/// The tallest column of rounds.
const TALL: f64 = 120.0;
/// A row of those who fight.
const ROW: f64 = 22.0;
/// Rounds that have a column.
const COLUMNS: usize = 24;
/// Of the outcomes, in their order.
const COLOURS: [&str; 4] = ["#2f6f8f", "#a63d2f", "#8a8578", "#d8d3c4"];
const FOES: &str = "#a63d2f";

/// The picture as text.
pub(super) fn draw(simulation: &Simulation<'_>, tally: &Tally) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write(&mut out, simulation, tally);
    out
}

fn write(out: &mut String, simulation: &Simulation<'_>, tally: &Tally) -> std::fmt::Result {
    let (top_rounds, top_falls) = (168.0, 168.0 + TALL + 66.0);
    let height = top_falls + ROW * simulation.fighters().len() as f64 + 20.0;
    let of = |side: Side| simulation.fighters().iter().filter(|own| own.side == side).count();
    let title = format!("{} against {}", of(Side::Party), of(Side::Foes));
    let (names, plan) = (for_markup(&shortened(&names_of(simulation), 110)), simulation.plan());
    writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img">"#
    )?;
    writeln!(out, "<title>{title}</title>")?;
    writeln!(out, r##"<rect width="{WIDTH}" height="{height}" fill="#fbfaf7"/>"##)?;
    writeln!(out, r##"<g font-family="system-ui, sans-serif" font-size="12" fill="#4a4a46">"##)?;
    writeln!(out, r##"<text x="{LEFT}" y="28" font-size="16" font-weight="600" fill="#22221f">{title}</text>"##)?;
    writeln!(out, r#"<text x="{LEFT}" y="48">{names}</text>"#)?;
    writeln!(out, r#"<text x="{LEFT}" y="66">{} fights, seed {}</text>"#, tally.fights, plan.seed)?;
    write_outcomes(out, tally)?;
    write_rounds(out, tally, top_rounds)?;
    write_falls(out, simulation, tally, top_falls)?;
    writeln!(out, "</g>\n</svg>")
}

/// One bar of all fights, and its parts in words below it.
fn write_outcomes(out: &mut String, tally: &Tally) -> std::fmt::Result {
    let (mut x, mut legend) = (LEFT, LEFT);
    for ((what, count), colour) in outcomes(tally).into_iter().zip(COLOURS) {
        let (wide, percent) = (PLOT * share(count, tally.fights), share(count, tally.fights) * 100.0);
        let words = format!("{what} {percent:.1} %");
        writeln!(
            out,
            r#"<rect x="{x:.2}" y="80" width="{wide:.2}" height="24" fill="{colour}"><title>{what}: {percent:.2} %</title></rect>"#
        )?;
        writeln!(out, r#"<rect x="{legend:.1}" y="115" width="11" height="11" fill="{colour}"/>"#)?;
        writeln!(out, r#"<text x="{:.1}" y="125">{words}</text>"#, legend + 17.0)?;
        x += wide;
        // As wide as letters of this size are at most.
        legend += 36.0 + 6.6 * words.len() as f64;
    }
    Ok(())
}

fn write_rounds(out: &mut String, tally: &Tally, top: f64) -> std::fmt::Result {
    let rows = rounds(tally, COLUMNS);
    let most = rows.iter().map(|(_, count)| *count).max().unwrap_or(1).max(1);
    let slot = (PLOT / rows.len().max(1) as f64).min(48.0);
    writeln!(out, r##"<text x="{LEFT}" y="{:.1}" font-weight="600" fill="#22221f">Rounds</text>"##, top - 12.0)?;
    for (nth, (label, count)) in rows.iter().enumerate() {
        let (x, tall) = (LEFT + slot * nth as f64, TALL * share(*count, most));
        let percent = share(*count, tally.fights) * 100.0;
        writeln!(
            out,
            r##"<rect x="{:.2}" y="{:.2}" width="{:.2}" height="{tall:.2}" fill="#2f6f8f"><title>round {label}: {percent:.2} %</title></rect>"##,
            x + 2.0,
            top + TALL - tall,
            slot - 4.0
        )?;
        let middle = x + slot / 2.0;
        writeln!(out, r#"<text x="{middle:.1}" y="{:.1}" text-anchor="middle">{label}</text>"#, top + TALL + 16.0)?;
    }
    Ok(())
}

/// A bar for each of them: how often it falls, and within it how often it dies.
fn write_falls(out: &mut String, simulation: &Simulation<'_>, tally: &Tally, top: f64) -> std::fmt::Result {
    let (from, wide) = (LEFT + 190.0, PLOT - 250.0);
    writeln!(
        out,
        r##"<text x="{LEFT}" y="{:.1}" font-weight="600" fill="#22221f">Falls (dark: dies)</text>"##,
        top - 12.0
    )?;
    for (nth, (own, of)) in simulation.fighters().iter().zip(&tally.fighters).enumerate() {
        let y = top + ROW * nth as f64;
        let name = for_markup(&shortened(&own.name, 28));
        let (fell, died) = (share(of.fell, tally.fights), share(of.died, tally.fights));
        let (light, dark) = match own.side {
            Side::Party => ("#8fb9cb", "#2f6f8f"),
            Side::Foes => ("#d9a198", FOES),
        };
        writeln!(out, r#"<text x="{LEFT}" y="{:.1}">{name}</text>"#, y + 12.0)?;
        writeln!(out, r##"<rect x="{from}" y="{y:.1}" width="{wide}" height="14" fill="#efece3"/>"##)?;
        for (part, colour) in [(fell, light), (died, dark)] {
            writeln!(out, r#"<rect x="{from}" y="{y:.1}" width="{:.2}" height="14" fill="{colour}"/>"#, wide * part)?;
        }
        writeln!(out, r#"<text x="{:.1}" y="{:.1}">{:.1} %</text>"#, from + wide + 8.0, y + 12.0, fell * 100.0)?;
    }
    Ok(())
}

fn share(count: u64, all: u64) -> f64 {
    count as f64 / all.max(1) as f64
}
