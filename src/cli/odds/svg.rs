//! The chances as a picture: a bar a line of the table, drawn into SVG.

use std::fmt::Write as _;

use rollbook_text::names::{for_markup, shortened};

const WIDTH: f64 = 760.0;
const TOP: f64 = 48.0;
const ROW: f64 = 20.0;
/// Where the bars begin, and how long the longest is.
const LEFT: f64 = 240.0;
const LONGEST: f64 = 420.0;

/// A bar: what it is called, its chance from 0 to 1, and the chance in words.
pub(super) type Bar = (String, f64, String);

pub(super) fn draw(title: &str, bars: &[Bar]) -> String {
    let most = bars.iter().map(|(_, chance, _)| *chance).fold(f64::MIN_POSITIVE, f64::max);
    let height = TOP + ROW * bars.len() as f64 + 16.0;
    let (whole, shown) = (for_markup(title), for_markup(&shortened(title, 70)));
    let mut out = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img">
<title>Odds of {whole}</title>
<rect width="{WIDTH}" height="{height}" fill="#fbfaf7"/>
<g font-family="system-ui, sans-serif" font-size="12" fill="#4a4a46">
<text x="20" y="28" font-size="18" font-weight="600" fill="#22221f">{shown}</text>
"##
    );
    for (nth, (name, chance, words)) in bars.iter().enumerate() {
        let (y, long) = (TOP + ROW * nth as f64, LONGEST * chance / most);
        let (name, text, end) = (for_markup(&shortened(name, 32)), y + 12.0, LEFT + long + 6.0);
        // Writing to a String cannot fail.
        let _ = write!(
            out,
            r##"<text x="{:.1}" y="{text:.1}" text-anchor="end">{name}</text>
<rect x="{LEFT:.1}" y="{y:.1}" width="{long:.2}" height="16" fill="#2f6f8f"><title>{name}: {words}</title></rect>
<text x="{end:.1}" y="{text:.1}">{words}</text>
"##,
            LEFT - 10.0
        );
    }
    out + "</g>\n</svg>\n"
}
