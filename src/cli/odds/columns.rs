//! The chances of a check's outcomes as a picture: a column a difficulty, stacked by outcome, the best below.

use std::fmt::Write as _;

use super::outcomes::{Line, columns, of};
use super::svg::{begin, escaped};

const HEIGHT: f64 = 300.0;
const TOP: f64 = 64.0;
const LEFT: f64 = 60.0;
const COLUMN: f64 = 36.0;
/// Room for what the colours mean.
const LEGEND: f64 = 260.0;
/// From good to bad.
const COLOURS: [&str; 8] = ["#1d4e6b", "#2f6f8f", "#5fa3bd", "#a8cfdc", "#f2d0a9", "#f2a65a", "#d96c3f", "#a63d2f"];

/// The picture as text.
pub(super) fn draw(name: &str, lines: &[Line]) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write(&mut out, name, lines);
    out
}

fn write(out: &mut String, name: &str, lines: &[Line]) -> std::fmt::Result {
    let (columns, heads) = columns(lines);
    let colour = |nth: usize| {
        let place = nth * (COLOURS.len() - 1) / columns.len().saturating_sub(1).max(1);
        COLOURS.get(place).copied().unwrap_or("#777777")
    };
    let plot = COLUMN * lines.len() as f64;
    let width = LEFT + plot.max(COLUMN * 3.0) + LEGEND;
    let height = TOP + HEIGHT + 40.0;
    begin(out, name, width, height, LEFT)?;
    for percent in [0, 25, 50, 75, 100] {
        let y = TOP + HEIGHT * (1.0 - f64::from(percent) / 100.0);
        writeln!(out, r#"<text x="{}" y="{:.1}" text-anchor="end">{percent} %</text>"#, LEFT - 8.0, y + 4.0)?;
    }
    for (nth, (difficulty, found)) in lines.iter().enumerate() {
        let x = LEFT + COLUMN * nth as f64;
        let mut floor = TOP + HEIGHT;
        for (place, (row, head)) in columns.iter().zip(&heads).enumerate() {
            let chance = of(found, row);
            let tall = HEIGHT * chance.to_f64();
            floor -= tall;
            writeln!(
                out,
                r#"<rect x="{:.1}" y="{floor:.2}" width="{:.1}" height="{tall:.2}" fill="{}"><title>{}: {} %</title></rect>"#,
                x + 2.0,
                COLUMN - 4.0,
                colour(place),
                escaped(head),
                chance.percent_bounded(3, &found.cut)
            )?;
        }
        if let Some(difficulty) = difficulty {
            let (x, y) = (x + COLUMN / 2.0, TOP + HEIGHT + 18.0);
            writeln!(out, r#"<text x="{x:.1}" y="{y:.1}" text-anchor="middle">{difficulty}</text>"#)?;
        }
    }
    for (place, head) in heads.iter().enumerate() {
        let (x, y) = (width - LEGEND + 20.0, TOP + 20.0 * place as f64);
        writeln!(out, r#"<rect x="{x:.1}" y="{y:.1}" width="12" height="12" fill="{}"/>"#, colour(place))?;
        writeln!(out, r#"<text x="{:.1}" y="{:.1}">{}</text>"#, x + 18.0, y + 10.0, escaped(head))?;
    }
    writeln!(out, "</g>\n</svg>")
}
