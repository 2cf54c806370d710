//! A picture of chances that grows downwards, panel by panel, drawn by hand into SVG.

use std::fmt::Write as _;

use super::svg::begin;
use crate::names::{for_markup, shortened};

/// The least width.
const WIDTH: f64 = 760.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 24.0;
/// Room for the title.
const TOP: f64 = 56.0;
/// Between two panels.
const GAP: f64 = 34.0;
/// What a letter takes of twelve points' writing, and of the title's.
const LETTER: f64 = 6.6;
const TITLE_LETTER: f64 = 9.6;
/// From good to bad.
const COLOURS: [&str; 8] = ["#1d4e6b", "#2f6f8f", "#5fa3bd", "#a8cfdc", "#f2d0a9", "#f2a65a", "#d96c3f", "#a63d2f"];
/// Of lines that have no order.
const APART: [&str; 6] = ["#2f6f8f", "#d96c3f", "#6a8f2f", "#7a4f9a", "#b08a1e", "#4a4a46"];
/// Of the first and of the second side.
pub(super) const SIDES: [&str; 2] = ["#2f6f8f", "#f2a65a"];

/// A bar: what it is called, how much of the whole it is, and the chance in words.
pub(super) type Bar = (String, f64, String);
/// A line over difficulties: what it is called, and how much it is at each.
pub(super) type Series = (String, Vec<Option<f64>>);

/// The colour of the n-th of so many, from good to bad.
fn colour(nth: usize, of: usize) -> &'static str {
    let place = nth * (COLOURS.len() - 1) / of.saturating_sub(1).max(1);
    COLOURS.get(place).copied().unwrap_or("#777777")
}

/// The picture.
pub(super) struct Picture {
    title: String,
    body: String,
    width: f64,
    /// Where the next panel begins.
    y: f64,
}

impl Picture {
    pub(super) fn of(title: &str) -> Picture {
        Picture { title: title.to_owned(), body: String::new(), width: WIDTH, y: TOP }
    }

    /// The whole picture as text.
    pub(super) fn svg(self) -> String {
        let mut out = String::new();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few thousand at most")]
        let letters = ((self.width - LEFT - RIGHT) / TITLE_LETTER) as usize;
        // Writing to a String cannot fail.
        let _ = begin(&mut out, (&self.title, &shortened(&self.title, letters)), self.width, self.y, LEFT);
        out.push_str(&self.body);
        out.push_str("</g>\n</svg>\n");
        out
    }

    fn text(&mut self, (x, y): (f64, f64), anchor: &str, text: &str) {
        let _ =
            writeln!(self.body, r#"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}">{}</text>"#, for_markup(text));
    }

    fn rect(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), fill: &str, title: &str) {
        let _ = writeln!(
            self.body,
            r#"<rect x="{x:.1}" y="{y:.2}" width="{width:.1}" height="{height:.2}" fill="{fill}"><title>{}</title></rect>"#,
            for_markup(title)
        );
    }

    fn across(&mut self, y: f64, to: f64) {
        let _ = writeln!(self.body, r##"<line x1="{LEFT}" x2="{to:.1}" y1="{y:.1}" y2="{y:.1}" stroke="#dedbd2"/>"##);
    }

    /// The heading of a panel.
    fn heading(&mut self, text: &str) {
        let y = self.y + 14.0;
        let text = for_markup(&shortened(text, 100));
        let _ = writeln!(
            self.body,
            r##"<text x="{LEFT}" y="{y:.1}" font-size="14" font-weight="600" fill="#22221f">{text}</text>"##
        );
        self.y += 26.0;
    }

    /// What the colours mean, a line each.
    fn legend(&mut self, x: f64, mut y: f64, names: &[(&str, &str)]) {
        for (name, fill) in names {
            self.rect((x, y), (12.0, 12.0), fill, name);
            self.text((x + 18.0, y + 10.0), "start", &shortened(name, 36));
            y += 20.0;
        }
    }

    /// A column a difficulty, stacked by outcome, the best below; of each part its share and its chance in words.
    pub(super) fn stack(&mut self, labels: &[String], heads: &[String], columns: &[Vec<(f64, String)>]) {
        const HEIGHT: f64 = 300.0;
        let longest = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
        let column = (longest as f64 * LETTER + 10.0).max(36.0);
        let plot = column * columns.len() as f64;
        let legend = LEFT + plot.max(108.0) + 20.0;
        let room = heads.iter().map(|head| head.chars().count().min(36)).max().unwrap_or(0) as f64 * LETTER + 30.0;
        self.width = self.width.max(legend + room + RIGHT);
        let (top, floor) = (self.y + 8.0, self.y + 8.0 + HEIGHT);
        for percent in [0, 25, 50, 75, 100] {
            let y = floor - HEIGHT * f64::from(percent) / 100.0;
            self.text((LEFT - 8.0, y + 4.0), "end", &format!("{percent} %"));
        }
        for (nth, parts) in columns.iter().enumerate() {
            let x = LEFT + column * nth as f64;
            let mut y = floor;
            for (place, ((share, words), head)) in parts.iter().zip(heads).enumerate() {
                let tall = HEIGHT * share;
                y -= tall;
                let fill = colour(place, heads.len());
                self.rect((x + 2.0, y), (column - 4.0, tall), fill, &format!("{head}: {words}"));
            }
            if let Some(label) = labels.get(nth) {
                self.text((x + column / 2.0, floor + 18.0), "middle", label);
            }
        }
        let names: Vec<(&str, &str)> =
            heads.iter().enumerate().map(|(nth, head)| (head.as_str(), colour(nth, heads.len()))).collect();
        self.legend(legend, top, &names);
        self.y = (floor + 30.0).max(top + 20.0 * names.len() as f64) + GAP;
    }

    /// A bar to the right for each chance, the whole width for all of it.
    pub(super) fn bars(&mut self, heading: &str, bars: &[Bar]) {
        let rows: Vec<(String, Vec<(f64, String)>)> =
            bars.iter().map(|(name, share, words)| (name.clone(), vec![(*share, words.clone())])).collect();
        self.rows(heading, &rows, &[COLOURS[1]]);
    }

    /// Two bars for each chance, one of each side.
    pub(super) fn pairs(&mut self, sides: &[String], rows: &[(String, Vec<(f64, String)>)]) {
        let names: Vec<(&str, &str)> = sides.iter().map(String::as_str).zip(SIDES).collect();
        self.legend(LEFT, self.y, &names);
        self.y += 20.0 * names.len() as f64 + 8.0;
        self.rows("", rows, &SIDES);
    }

    /// Bars to the right, each of a row in its colour.
    pub(super) fn rows(&mut self, heading: &str, rows: &[(String, Vec<(f64, String)>)], fills: &[&str]) {
        const TALL: f64 = 16.0;
        if !heading.is_empty() {
            self.heading(heading);
        }
        let longest = rows.iter().map(|(name, _)| name.chars().count().min(40)).max().unwrap_or(0);
        let x = LEFT + longest as f64 * LETTER + 12.0;
        let words = rows.iter().flat_map(|(_, bars)| bars).map(|(_, words)| words.chars().count()).max().unwrap_or(0);
        let whole = (self.width - x - RIGHT - words as f64 * LETTER - 10.0).max(100.0);
        for (name, bars) in rows {
            let middle = self.y + TALL * bars.len() as f64 / 2.0 + 4.0;
            self.text((x - 10.0, middle), "end", &shortened(name, 40));
            for ((share, words), fill) in bars.iter().zip(fills) {
                self.rect((x, self.y), (whole * share, TALL - 2.0), fill, &format!("{name}: {words}"));
                self.text((x + whole * share + 6.0, self.y + TALL - 4.0), "start", words);
                self.y += TALL;
            }
            self.y += 8.0;
        }
        self.y += GAP - 8.0;
    }

    /// A bar upwards for each number.
    pub(super) fn spread(&mut self, heading: &str, bars: &[Bar]) {
        const HEIGHT: f64 = 180.0;
        self.heading(heading);
        let most = bars.iter().map(|(_, share, _)| *share).fold(f64::MIN_POSITIVE, f64::max);
        let (top, floor) = (self.y, self.y + HEIGHT);
        let plot = self.width - LEFT - RIGHT;
        let slot = plot / bars.len().max(1) as f64;
        for part in [0.0, 0.5, 1.0] {
            let y = floor - HEIGHT * part;
            self.across(y, LEFT + plot);
            self.text((LEFT - 8.0, y + 4.0), "end", &format!("{:.1} %", most * part * 100.0));
        }
        // A bar alone is no wall.
        let wide = (slot * 0.85).min(60.0);
        let longest = bars.iter().map(|(name, ..)| name.chars().count()).max().unwrap_or(0) as f64 * LETTER + 8.0;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few hundred at most")]
        let every = (longest / slot).ceil().max(1.0) as usize;
        for (nth, (name, share, words)) in bars.iter().enumerate() {
            let middle = LEFT + slot * (nth as f64 + 0.5);
            let tall = (floor - top) * share / most;
            self.rect((middle - wide / 2.0, floor - tall), (wide, tall), COLOURS[1], &format!("{name}: {words}"));
            if nth % every == 0 {
                self.text((middle, floor + 16.0), "middle", name);
            }
        }
        self.y = floor + 22.0 + GAP;
    }

    /// Lines over difficulties; in parts of the whole where `chance` says so, else numbers.
    pub(super) fn lines(
        &mut self,
        heading: &str,
        labels: &[String],
        series: &[Series],
        chance: bool,
        fills: Option<&[&str]>,
    ) {
        const HEIGHT: f64 = 160.0;
        self.heading(heading);
        let all = || series.iter().flat_map(|(_, values)| values).flatten().copied();
        let (low, high, step) = match chance {
            true => (0.0, 1.0, 0.25),
            false => scale(all().fold(0.0, f64::min), all().fold(0.0, f64::max)),
        };
        let room =
            series.iter().map(|(name, _)| name.chars().count().min(36)).max().unwrap_or(0) as f64 * LETTER + 44.0;
        let plot = (self.width - LEFT - RIGHT - room).max(200.0);
        self.width = self.width.max(LEFT + plot + room + RIGHT);
        let (top, floor) = (self.y, self.y + HEIGHT);
        let up = |value: f64| floor - HEIGHT * (value - low) / (high - low);
        let places = if step < 0.1 { 2 } else { usize::from(step < 1.0) };
        let mut value = low;
        while value < high + step / 2.0 {
            let words = if chance { format!("{:.0} %", value * 100.0) } else { format!("{value:.places$}") };
            self.across(up(value), LEFT + plot);
            self.text((LEFT - 8.0, up(value) + 4.0), "end", &words);
            value += step;
        }
        let slot = plot / labels.len().max(1) as f64;
        let longest = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0) as f64 * LETTER + 8.0;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few hundred at most")]
        let every = (longest / slot).ceil().max(1.0) as usize;
        for (nth, label) in labels.iter().enumerate().filter(|(nth, _)| nth % every == 0) {
            self.text((LEFT + slot * (nth as f64 + 0.5), floor + 18.0), "middle", label);
        }
        let fills = fills.unwrap_or(&APART);
        let names: Vec<(&str, &str)> =
            series.iter().zip(fills.iter().cycle()).map(|((name, _), fill)| (name.as_str(), *fill)).collect();
        for ((name, values), (_, fill)) in series.iter().zip(&names) {
            let points: Vec<(f64, f64, f64, usize)> = (0..)
                .zip(values)
                .filter_map(|(nth, value)| value.map(|own| (LEFT + slot * (nth as f64 + 0.5), up(own), own, nth)))
                .collect();
            let path: Vec<String> = points.iter().map(|(x, y, ..)| format!("{x:.1},{y:.1}")).collect();
            let path = path.join(" ");
            let _ = writeln!(self.body, r#"<polyline points="{path}" fill="none" stroke="{fill}" stroke-width="2"/>"#);
            for (x, y, own, nth) in points {
                let words = if chance { format!("{:.2} %", own * 100.0) } else { format!("{own:.4}") };
                let at = labels.get(nth).map_or("", String::as_str);
                let title = for_markup(&format!("{name} at {at}: {words}"));
                let _ = writeln!(
                    self.body,
                    r#"<circle cx="{x:.1}" cy="{y:.1}" r="3.5" fill="{fill}"><title>{title}</title></circle>"#
                );
            }
        }
        self.legend(LEFT + plot + 14.0, top, &names);
        self.y = (floor + 28.0).max(top + 20.0 * names.len() as f64) + GAP;
    }

    /// A field for each pair of a row and a column, the darker the likelier.
    pub(super) fn heat(&mut self, heading: &str, heads: &[String], rows: &[(String, Vec<Option<f64>>)]) {
        const TALL: f64 = 24.0;
        self.heading(heading);
        let longest = rows.iter().map(|(name, _)| name.chars().count().min(30)).max().unwrap_or(0);
        let x = LEFT + longest as f64 * LETTER + 12.0;
        let head = heads.iter().map(|head| head.chars().count().min(24)).max().unwrap_or(0);
        let wide = (head as f64 * LETTER + 12.0).max(56.0);
        self.width = self.width.max(x + wide * heads.len() as f64 + RIGHT);
        for (nth, head) in heads.iter().enumerate() {
            self.text((x + wide * (nth as f64 + 0.5), self.y + 12.0), "middle", &shortened(head, 24));
        }
        self.y += 20.0;
        for (name, cells) in rows {
            self.text((x - 10.0, self.y + 16.0), "end", &shortened(name, 30));
            for (nth, cell) in cells.iter().enumerate() {
                let left = x + wide * nth as f64;
                let (words, fill, ink) = match cell {
                    None => ("-".to_owned(), "#f0eee8".to_owned(), "#4a4a46"),
                    Some(share) => (
                        format!("{:.2}", share * 100.0),
                        shade(*share),
                        if *share > 0.55 { "#ffffff" } else { "#22221f" },
                    ),
                };
                let title = format!("{name}, {}: {words} %", heads.get(nth).map_or("", String::as_str));
                self.rect((left + 1.0, self.y), (wide - 2.0, TALL - 2.0), &fill, &title);
                let (x, y) = (left + wide / 2.0, self.y + 15.0);
                let _ = writeln!(
                    self.body,
                    r#"<text x="{x:.1}" y="{y:.1}" text-anchor="middle" fill="{ink}">{words}</text>"#
                );
            }
            self.y += TALL;
        }
        self.y += GAP;
    }
}

/// Round numbers around these, and the step between two lines.
fn scale(low: f64, high: f64) -> (f64, f64, f64) {
    let span = (high - low).max(0.01);
    let ten = 10_f64.powf((span / 5.0).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|own| own * ten);
    let step = steps.into_iter().find(|step| span / step <= 5.0).unwrap_or(span);
    let low = (low / step).floor() * step;
    (low, ((high / step).ceil() * step).max(low + step), step)
}

/// From pale to dark blue.
fn shade(share: f64) -> String {
    let part = |pale: f64, dark: f64| pale + (dark - pale) * share.clamp(0.0, 1.0);
    format!("rgb({:.0},{:.0},{:.0})", part(240.0, 29.0), part(244.0, 78.0), part(246.0, 107.0))
}
