//! Charts and codes as SVG, each with a title and a description; colours are the style sheet's.

use std::fmt::Write as _;

use super::markup::Markup;
use crate::report::document::{Bar, Chart, Kind, Line};
use rollbook_text::names::shortened;

const WIDTH: f64 = 360.0;
const LEFT: f64 = 30.0;
const TOP: f64 = 8.0;
/// The plot's lower edge, and that of what is below it.
const FLOOR: f64 = 150.0;
const HEIGHT: f64 = 172.0;
/// Where lines end; their names come after.
const NAMES: f64 = 262.0;
const NAME_GAP: f64 = 11.0;
const NAME_MAX: usize = 16;
/// Labels below a chart.
const LABELS_MAX: usize = 12;
const STYLES: usize = 8;

pub fn chart(page: &mut Markup, chart: &Chart, id: usize) {
    let (title, summary) = (format!("t{id}"), format!("s{id}"));
    let labels = format!("{title} {summary}");
    let view = format!("0 0 {WIDTH} {HEIGHT}");
    let attributes = [
        ("class", "chart"),
        ("viewBox", view.as_str()),
        ("role", "img"),
        ("aria-labelledby", labels.as_str()),
    ];
    page.element("svg", &attributes, |page| {
        page.leaf("title", &[("id", &title)], &chart.title);
        page.leaf("desc", &[("id", &summary)], &chart.summary);
        match &chart.kind {
            Kind::Bars(all) => bars(page, all),
            Kind::Lines { places, lines: all } => lines(page, places, all),
        }
    });
    page.line();
}

/// The least round number that is not below, and a step that divides it.
fn scale(most: f64) -> (f64, f64) {
    let mut size = 1.0;
    loop {
        for step in [1.0, 2.0, 5.0] {
            let step = step * size;
            if most <= step * 4.0 {
                return ((most / step).ceil().max(1.0) * step, step);
            }
        }
        size *= 10.0;
    }
}

fn grid(page: &mut Markup, (low, high, step): (f64, f64, f64), right: f64) {
    let mut at = (low / step).ceil() * step;
    while at <= high + step / 2.0 {
        let y = place(at, low, high);
        line(page, "grid", (LEFT, y), (right, y));
        label(page, "end", (LEFT - 4.0, y + 3.5), &format!("{at}"));
        at += step;
    }
}

fn place(value: f64, low: f64, high: f64) -> f64 {
    FLOOR - (value - low) / (high - low).max(1.0) * (FLOOR - TOP)
}

fn line(page: &mut Markup, class: &str, from: (f64, f64), to: (f64, f64)) {
    let text = |number: f64| format!("{number:.1}");
    let (x1, y1, x2, y2) = (text(from.0), text(from.1), text(to.0), text(to.1));
    page.leaf(
        "line",
        &[
            ("class", class),
            ("x1", &x1),
            ("y1", &y1),
            ("x2", &x2),
            ("y2", &y2),
        ],
        "",
    );
}

fn label(page: &mut Markup, anchor: &str, at: (f64, f64), text: &str) {
    let (x, y) = (format!("{:.1}", at.0), format!("{:.1}", at.1));
    page.leaf(
        "text",
        &[("x", &x), ("y", &y), ("text-anchor", anchor)],
        text,
    );
}

fn bars(page: &mut Markup, bars: &[Bar]) {
    let most = bars
        .iter()
        .map(|bar| bar.value.max(bar.expected))
        .fold(1.0, f64::max);
    let (high, step) = scale(most);
    let right = WIDTH - 6.0;
    grid(page, (0.0, high, step), right);
    let slot = (right - LEFT) / bars.len().max(1) as f64;
    let every = bars.len().div_ceil(LABELS_MAX).max(1);
    for (nth, bar) in bars.iter().enumerate() {
        let (x, y) = (
            LEFT + slot * (nth as f64 + 0.12),
            place(bar.value, 0.0, high),
        );
        let (x_text, y_text) = (format!("{x:.1}"), format!("{y:.1}"));
        let (width, height) = (format!("{:.1}", slot * 0.76), format!("{:.1}", FLOOR - y));
        page.leaf(
            "rect",
            &[
                ("class", "bar"),
                ("x", &x_text),
                ("y", &y_text),
                ("width", &width),
                ("height", &height),
            ],
            "",
        );
        let expected = place(bar.expected, 0.0, high);
        line(
            page,
            "expected",
            (x - slot * 0.1, expected),
            (x + slot * 0.86, expected),
        );
        if nth % every == 0 {
            let first = bar.label.split(' ').next().unwrap_or_default();
            label(page, "middle", (x + slot * 0.38, FLOOR + 13.0), first);
        }
    }
}

fn lines(page: &mut Markup, places: &[String], lines: &[Line]) {
    let values = || lines.iter().flat_map(|line| line.values.iter().flatten());
    let (high, step) = scale(values().copied().fold(1.0, f64::max));
    let low = (values().copied().fold(0.0, f64::min) / step).floor() * step;
    grid(page, (low, high, step), NAMES);
    let slot = (NAMES - LEFT - 8.0) / (places.len().saturating_sub(1).max(1)) as f64;
    let x = |nth: usize| LEFT + 4.0 + slot * nth as f64;
    let every = places.len().div_ceil(LABELS_MAX).max(1);
    for (nth, place) in places
        .iter()
        .enumerate()
        .filter(|(nth, _)| nth % every == 0)
    {
        label(page, "middle", (x(nth), FLOOR + 13.0), place);
    }
    let mut names: Vec<(f64, usize)> = Vec::new();
    for (nth, line) in lines.iter().enumerate() {
        let points: Vec<(f64, f64)> = line
            .values
            .iter()
            .enumerate()
            .filter_map(|(nth, value)| Some((x(nth), place((*value)?, low, high))))
            .collect();
        let text = points.iter().fold(String::new(), |mut text, (x, y)| {
            // Writing to a String cannot fail.
            let _ = write!(text, "{x:.1},{y:.1} ");
            text
        });
        let class = format!("line s{}", nth % STYLES);
        page.leaf(
            "polyline",
            &[("class", &class), ("points", text.trim_end())],
            "",
        );
        let class = format!("dot s{}", nth % STYLES);
        for (x, y) in &points {
            let (x, y) = (format!("{x:.1}"), format!("{y:.1}"));
            page.leaf(
                "circle",
                &[("class", &class), ("cx", &x), ("cy", &y), ("r", "2.5")],
                "",
            );
        }
        names.extend(points.last().map(|(_, y)| (*y, nth)));
    }
    names.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut below = TOP;
    let room = names.len() as f64 * NAME_GAP;
    for (nth, (y, nth_line)) in names.iter().enumerate() {
        // Never so low that those after it leave the picture.
        let lowest = HEIGHT - room + nth as f64 * NAME_GAP;
        let at = (y + 3.5).max(below).min(lowest.max(below));
        below = at + NAME_GAP;
        let name = lines.get(*nth_line).map_or("", |line| line.name.as_str());
        let class = format!("name s{}", nth_line % STYLES);
        let (x, y) = (format!("{:.1}", NAMES + 6.0), format!("{at:.1}"));
        page.leaf(
            "text",
            &[("class", &class), ("x", &x), ("y", &y)],
            &shortened(name, NAME_MAX),
        );
    }
}

/// A text as a QR code, dark on white in every scheme, for phones; `None` where it is too long.
pub fn qr(text: &str, title: &str, id: usize) -> Option<Markup> {
    let code = qrcodegen::QrCode::encode_text(text, qrcodegen::QrCodeEcc::Medium).ok()?;
    // White around it, as wide as the standard asks.
    const QUIET: i32 = 4;
    let (size, side) = (code.size(), code.size() + 2 * QUIET);
    let mut dark = String::new();
    for y in 0..size {
        let mut x = 0;
        while x < size {
            let from = x;
            while x < size && code.get_module(x, y) {
                x += 1;
            }
            if x > from {
                let _ = write!(
                    dark,
                    "M{} {}h{}v1h-{}z",
                    from + QUIET,
                    y + QUIET,
                    x - from,
                    x - from
                );
            }
            x += 1;
        }
    }
    let mut page = Markup::default();
    let (side_text, view, label) = (
        side.to_string(),
        format!("0 0 {side} {side}"),
        format!("t{id}"),
    );
    let attributes = [
        ("class", "qr"),
        ("viewBox", view.as_str()),
        ("role", "img"),
        ("aria-labelledby", label.as_str()),
    ];
    page.element("svg", &attributes, |page| {
        page.leaf("title", &[("id", &label)], &format!("{title}: {text}"));
        page.leaf(
            "rect",
            &[
                ("width", &side_text),
                ("height", &side_text),
                ("fill", "#fff"),
            ],
            "",
        );
        page.leaf(
            "path",
            &[
                ("d", &dark),
                ("fill", "#000"),
                ("shape-rendering", "crispEdges"),
            ],
            "",
        );
    });
    Some(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the labels below lines begin and end, at most as wide as 10 px figures are.
    fn below(rounds: usize) -> Vec<(f64, f64)> {
        let places: Vec<String> = std::iter::once("Start".to_owned())
            .chain((1..=rounds).map(|round| round.to_string()))
            .collect();
        let line = Line {
            name: "Jory".to_owned(),
            values: vec![Some(3.0); places.len()],
        };
        let kind = Kind::Lines {
            places,
            lines: vec![line],
        };
        let mut page = Markup::default();
        chart(
            &mut page,
            &Chart {
                title: String::new(),
                summary: String::new(),
                kind,
            },
            1,
        );
        let html = page.finish();
        let labels = html
            .split("<text ")
            .skip(1)
            .filter(|label| label.contains(&format!("y=\"{:.1}\"", FLOOR + 13.0)));
        let spans = labels.map(|label| {
            let x: f64 = label
                .split('"')
                .nth(1)
                .expect("a place")
                .parse()
                .expect("a number");
            assert!(label.contains("text-anchor=\"middle\""), "{label}");
            let text = label
                .split_once('>')
                .expect("text")
                .1
                .split('<')
                .next()
                .expect("its end");
            let half = text.len() as f64 * 5.6 / 2.0;
            (x - half, x + half)
        });
        spans.collect()
    }

    #[test]
    fn labels_below_lines_stand_apart() {
        for rounds in 1..=60 {
            let spans = below(rounds);
            assert!(
                spans.len() > 1 && spans.len() <= LABELS_MAX,
                "{rounds}: {spans:?}"
            );
            for pair in spans.windows(2) {
                assert!(pair[1].0 - pair[0].1 >= 2.0, "{rounds}: {spans:?}");
            }
        }
    }
}
