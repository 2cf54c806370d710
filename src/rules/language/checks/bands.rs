//! Bands of totals in sentences: "On a 10+, you do it. On a 7-9, it costs. On a miss, trouble."

use std::ops::Range;

use crate::names::shortened;
use crate::rules::language::plain::sentences;
use crate::rules::language::range::score;

/// Characters of a band's words that are taken into its row.
const ROW_CHARS_MAX: usize = 2000;
/// Totals in words.
const IN_WORDS: [(&str, &str); 6] = [
    ("ten or more", "10+"),
    ("ten plus", "10+"),
    ("seven to nine", "7-9"),
    ("seven through nine", "7-9"),
    ("six or less", "6-"),
    ("six or lower", "6-"),
];
/// Words for whatever the other bands leave.
const REST: [&str; 5] = ["miss", "failure", "fail", "otherwise", "anything less"];
/// Words that lead to a band.
const LEADS: [&str; 38] = [
    "on", "a", "an", "with", "if", "you", "roll", "rolls", "rolled", "of", "and", "but", "for", "the", "get", "gets",
    "is", "total", "result", "your", "it", "when", "strong", "weak", "full", "partial", "hit", "success", "critical",
    "complete", "mixed", "great", "any", "at", "score", "totals", "then", "they",
];
/// Bytes before a number that may lead to it.
const LEAD_BYTES: usize = 20;
/// Outcomes, from the best to the worst, by how many bands there are.
const OUTCOMES: [&[&str]; 4] = [
    &["Success", "Failure"],
    &["Success", "Partial success", "Failure"],
    &["Critical success", "Success", "Partial success", "Failure"],
    &["Critical success", "Success", "Partial success", "Failure", "Critical failure"],
];

/// Totals from which to which, and what they bring.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Band {
    /// The lowest; none where it is what others leave, or open below.
    low: Option<i64>,
    /// The highest; none where it is open above, or what others leave.
    high: Option<i64>,
    words: String,
}

impl Band {
    /// Adds what else it brings.
    pub fn add(&mut self, words: &str) {
        let joint = if self.words.ends_with(':') || self.words.is_empty() { " " } else { "; " };
        let all = format!("{}{joint}{}", self.words.trim_end_matches('.'), words.trim().trim_end_matches('.'));
        self.words = shortened(all.trim(), ROW_CHARS_MAX);
    }
}

/// The lowest and the highest total; none where it is open, or what others leave.
type Totals = (Option<i64>, Option<i64>);

/// Where a band is named in a text.
struct Mark {
    /// From the words that lead to it.
    start: usize,
    end: usize,
    low: Option<i64>,
    high: Option<i64>,
}

/// Every band of a text.
pub fn bands(words: &str) -> Vec<Band> {
    let marks = marks(words);
    let ends = marks.iter().skip(1).map(|mark| mark.start).chain([words.len()]);
    let band = |(mark, end): (&Mark, usize)| Band {
        low: mark.low,
        high: mark.high,
        words: band_text(words.get(mark.end..end).unwrap_or_default()),
    };
    marks.iter().zip(ends).map(band).collect()
}

/// Where the first band of a text begins, with the words that lead to it.
pub fn first_band(words: &str) -> Option<usize> {
    marks(words).first().map(|mark| mark.start)
}

/// The rows of the bands' table, the best first; none where they are not one behind the other, or some total has two.
pub fn rows(mut bands: Vec<Band>) -> Option<Vec<String>> {
    // Told from the low ones on, the low ones may be good.
    let told: Vec<i64> = bands.iter().filter_map(|band| band.low.or(band.high)).collect();
    if !told.is_sorted_by(|above, below| above >= below) {
        return None;
    }
    bands.sort_by_key(|band| std::cmp::Reverse(band.low));
    let (best, others) = bands.split_first()?;
    if best.high.is_some() || others.is_empty() {
        return None;
    }
    let mut above = best.low?;
    for (at, band) in others.iter().enumerate() {
        let is_last = at + 1 == others.len();
        let joins = band.high.is_some_and(|high| high.checked_add(1) == Some(above));
        match band.low {
            Some(low) if joins => above = low,
            None if is_last && (joins || band.high.is_none()) => {}
            _ => return None,
        }
    }
    let left = Band { low: None, high: None, words: String::new() };
    let closed = bands.last().is_some_and(|last| last.low.is_none());
    bands.extend((!closed).then_some(left));
    let outcomes = OUTCOMES.iter().find(|own| own.len() == bands.len())?;
    let row = |(outcome, band): (&&str, &Band)| {
        let when = match (band.low, band.high) {
            (Some(low), Some(high)) if low == high => format!("total {low}"),
            (Some(low), Some(high)) => format!("total {low}-{high}"),
            (Some(low), None) => format!("total {low}+"),
            (None, _) => "otherwise".to_owned(),
        };
        let words = band.words.replace('|', "\\|");
        if words.is_empty() { format!("| {outcome} | {when} | |") } else { format!("| {outcome} | {when} | {words} |") }
    };
    Some(outcomes.iter().zip(&bands).map(row).collect())
}

/// Whether the last of these bands, which stand in one paragraph, says more sentences than each before it: what stands behind them may be
/// about all of them, or about something else.
pub fn goes_beyond(bands: &[Band]) -> bool {
    let said = |band: &Band| sentences(&band.words).count();
    let Some((last, before)) = bands.split_last() else { return false };
    !before.is_empty() && before.iter().all(|band| said(band) < said(last))
}

/// Whether these are the bands 10+ and 7-9, which go with two six-sided dice.
pub fn are_of_two_dice(bands: &[Band]) -> bool {
    let has = |low: i64, high: Option<i64>| bands.iter().any(|band| (band.low, band.high) == (Some(low), high));
    has(10, None) && has(7, Some(9))
}

/// Where bands are named, in order: at the beginning of a text or of a clause. "As on a 10+" names none.
fn marks(words: &str) -> Vec<Mark> {
    let lower = words.to_ascii_lowercase();
    let mut found: Vec<(Range<usize>, Totals)> = Vec::new();
    let open = |(low, high): (i64, i64)| ((low != i64::MIN).then_some(low), (high != i64::MAX).then_some(high));
    for (name, totals) in IN_WORDS {
        let range = score(totals).map(open);
        found.extend(lower.match_indices(name).filter_map(|(at, _)| Some((at..at + name.len(), range?))));
    }
    for name in REST {
        let whole = |at: usize| {
            let letter = |own: Option<char>| own.is_some_and(char::is_alphanumeric);
            !letter(lower.get(..at).and_then(|own| own.chars().next_back()))
                && !letter(lower.get(at + name.len()..).and_then(|own| own.chars().next()))
        };
        let all = lower.match_indices(name).filter(|(at, _)| whole(*at) && is_rest(words, *at, name));
        found.extend(all.map(|(at, _)| (at..at + name.len(), (None, None))));
    }
    let glued = |at: usize| {
        let before = words.get(..at).and_then(|before| before.chars().next_back());
        before.is_some_and(|own| own.is_alphanumeric() || "+-\u{2013}.".contains(own))
    };
    let starts = words.char_indices().filter(|(at, letter)| letter.is_ascii_digit() && !glued(*at)).map(|(at, _)| at);
    for at in starts {
        let rest = words.get(at..).unwrap_or_default();
        // The longest of one to three words that is a range, open or not: `10+`, `7 to 9`, `6 or less`.
        let ends = rest.char_indices().filter(|(_, own)| own.is_whitespace()).map(|(end, _)| end).chain([rest.len()]);
        let range = |end: usize| {
            let written = rest.get(..end)?.trim_end_matches([',', '.', ':', ';', ')', '*']);
            let inside = written.contains([',', ';', '(', '.', ':']);
            let (low, high) = score(written).filter(|(low, high)| (low != high || is_alone(words, at)) && !inside)?;
            Some((at..at + written.len(), open((low, high))))
        };
        found.extend(ends.take(3).filter_map(range).last());
    }
    found.sort_by_key(|(at, _)| at.start);
    found.dedup_by(|later, first| later.0.start < first.0.end);
    let marked = found.into_iter().filter_map(|(at, (low, high))| {
        let start = lead(words, at.start)?;
        Some(Mark { start, end: at.end, low, high })
    });
    marked.collect()
}

/// What stands right before a place, in small letters; the whole text would be too much for each of its numbers.
fn just_before(words: &str, at: usize) -> String {
    let start = words.ceil_char_boundary(at.saturating_sub(LEAD_BYTES));
    words.get(start..at).unwrap_or_default().to_ascii_lowercase()
}

/// "On a 12, it is a wonder": a single total says "on a" before it.
fn is_alone(words: &str, at: usize) -> bool {
    let before = just_before(words, at);
    ["on a ", "on an ", "on a total of "].iter().any(|own| before.ends_with(own))
}

/// "Miss:", "on a miss", "otherwise": and not "if you miss the boat".
fn is_rest(words: &str, at: usize, name: &str) -> bool {
    let before = just_before(words, at);
    let behind = words.get(at + name.len()..).unwrap_or_default();
    let on = ["on a ", "on ", "with a ", "on any "].iter().any(|own| before.ends_with(own));
    name == "otherwise" || on || behind.starts_with([':', '\u{2014}', '.']) || behind.starts_with(" (")
}

/// Where the words begin that lead to this place, which follow a mark or stand first.
fn lead(words: &str, at: usize) -> Option<usize> {
    let mut start = at;
    loop {
        let before = words.get(..start)?;
        let trimmed = before.trim_end_matches([' ', '*', '(', '[']);
        if trimmed.is_empty() || trimmed.ends_with(['.', ',', ';', ':', '!', '?', '/', ')', '\u{2014}', '\u{2013}']) {
            return Some(start);
        }
        let word = trimmed.rsplit(|letter: char| !letter.is_alphabetic()).next().unwrap_or_default();
        if word.is_empty() || !LEADS.iter().any(|own| own.eq_ignore_ascii_case(word)) {
            return None;
        }
        start = trimmed.len() - word.len();
    }
}

/// What a band brings, without the signs around it.
fn band_text(rest: &str) -> String {
    let signs = |own: char| own.is_whitespace() || ",:;.)*/\u{2013}\u{2014}-".contains(own);
    let rest = rest.trim_start_matches(signs).trim_end();
    shortened(rest.trim_end_matches([',', ';', '/', '(', ' ']), ROW_CHARS_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(words: &str) -> Vec<String> {
        rows(bands(words)).unwrap_or_default()
    }

    #[test]
    fn bands_are_found_in_sentences() {
        for (words, found) in [
            (
                "Roll 2d6. On a 10+ you do it. On a 7-9, it costs. On a 6-, trouble.",
                [
                    "| Success | total 10+ | you do it. |",
                    "| Partial success | total 7-9 | it costs. |",
                    "| Failure | otherwise | trouble. |",
                ],
            ),
            (
                "10 or more: done. 7 to 9: done, but late. Miss: no.",
                [
                    "| Success | total 10+ | done. |",
                    "| Partial success | total 7-9 | done, but late. |",
                    "| Failure | otherwise | no. |",
                ],
            ),
            (
                "Ten or more, it goes well; seven to nine, as on a 10+, but late.",
                [
                    "| Success | total 10+ | it goes well |",
                    "| Partial success | total 7-9 | as on a 10+, but late. |",
                    "| Failure | otherwise | |",
                ],
            ),
            (
                "On a strong hit (10+) it is yours. On a weak hit (7\u{2013}9) you share. On a miss, it is theirs.",
                [
                    "| Success | total 10+ | it is yours. |",
                    "| Partial success | total 7-9 | you share. |",
                    "| Failure | otherwise | it is theirs. |",
                ],
            ),
        ] {
            assert_eq!(table(words), found, "{words}");
        }
        assert_eq!(
            table("On a 12+, all of it. On a 10-11, most. On a 7-9, some. On a miss, none."),
            [
                "| Critical success | total 12+ | all of it. |",
                "| Success | total 10-11 | most. |",
                "| Partial success | total 7-9 | some. |",
                "| Failure | otherwise | none. |"
            ]
        );
        assert_eq!(table("On a 7+, yes. On a 6-, no.").len(), 2);
        for none in [
            "There were 10 of us, 7 of them.",
            "On a 10+, yes. On a 6-, no.",
            "On a 10+, yes. On a 10+, more. On a 7-9, some.",
            "On a 10+, yes.",
            "In the year 10+7-9 was the sum.",
            "If you miss the boat, wait.",
        ] {
            assert_eq!(table(none), [""; 0], "{none}");
        }
    }
}
