//! Time in the game, in words: how long (`2 hours`, `1 day and 30 minutes`) and when (`day 2, 06:30`). Counted in seconds since the game
//! began, which is day 1, 00:00.

use super::number_words::number_word;
use crate::names::fold;

/// The name under which the game's time stands among the clocks; no clock of a game may have it.
pub const GAME_TIME: &str = "Game time";

/// Seconds of each unit, with the words for it in the singular, the largest first.
const UNITS: [(&[&str], i64); 5] = [
    (&["week", "wk"], 7 * DAY),
    (&["day", "d"], DAY),
    (&["hour", "hr", "h"], HOUR),
    (&["minute", "min", "m"], MINUTE),
    (&["second", "sec", "s"], 1),
];
/// Days that a moment may name.
const DAYS_MAX: i64 = 10_000_000;
const DAY: i64 = 24 * HOUR;
const HOUR: i64 = 60 * MINUTE;
const MINUTE: i64 = 60;

/// The longest span, in seconds: ten thousand days.
pub const SPAN_MAX: i64 = 10_000 * DAY;

/// A span in seconds, 1 to [`SPAN_MAX`]: `6 seconds`, `10 min`, `an hour`, `half an hour`, `1 day, 4 hours and 10 minutes`.
pub fn span(words: &str) -> Option<i64> {
    if is_negative(words) {
        return None;
    }
    let folded = fold(words).replace([',', ';'], " ");
    let mut words = folded.trim_end_matches('.').split_whitespace().filter(|word| *word != "and").peekable();
    words.peek()?;
    let mut total: i64 = 0;
    while let Some(word) = words.next() {
        let half = word == "half";
        let number = if half { words.next_if(|word| matches!(*word, "a" | "an")).map_or("1", |_| "1") } else { word };
        let digits = number.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(number.len());
        let (many, glued) = match number.split_at(digits) {
            ("", word) => (if matches!(word, "a" | "an") { 1 } else { number_word(word, 1..=100)? }, ""),
            (digits, rest) => (digits.parse::<i64>().ok()?, rest),
        };
        let seconds = unit(if glued.is_empty() { words.next()? } else { glued })?;
        let part = if half { seconds / 2 } else { many.checked_mul(seconds)? };
        total = total.checked_add(part)?;
    }
    (1..=SPAN_MAX).contains(&total).then_some(total)
}

/// Whether words begin with a minus sign, which folding takes for a gap.
pub fn is_negative(words: &str) -> bool {
    words.trim_start().starts_with(['-', '\u{2212}', '\u{2013}'])
}

/// The seconds of a unit.
fn unit(word: &str) -> Option<i64> {
    let is = |known: &&str| *known == word || word.strip_suffix('s') == Some(known);
    UNITS.iter().find(|(names, _)| names.iter().any(is)).map(|(_, seconds)| *seconds)
}

/// A moment: its day from 1, where the words say one, and the second of the day. `18:00`, `day 3`, `day 3, 06:30`.
pub fn moment(words: &str) -> Option<(Option<i64>, i64)> {
    let folded = fold(words).replace(',', " ");
    let mut words = folded.trim_end_matches('.').split_whitespace().peekable();
    let day = match words.next_if_eq(&"day") {
        Some(_) => Some(words.next()?.parse().ok().filter(|day| (1..=DAYS_MAX).contains(day))?),
        None => None,
    };
    let second = match words.next() {
        Some(clock) => second_of_day(clock)?,
        None => day.map(|_| 0)?,
    };
    words.next().is_none().then_some((day, second))
}

/// `18:00`, `6:30:12`.
fn second_of_day(clock: &str) -> Option<i64> {
    let mut parts = clock.split(':').map(|part| part.parse::<i64>().ok().filter(|own| (0..60).contains(own)));
    let (hour, minute) = (parts.next()??, parts.next()??);
    let second = parts.next().unwrap_or(Some(0))?;
    (parts.next().is_none() && hour < 24).then_some(hour * HOUR + minute * MINUTE + second)
}

/// The first moment after `now` that these words mean, in seconds since the game began.
pub fn next_moment(words: &str, now: i64) -> Option<i64> {
    let (day, second) = moment(words)?;
    let today = now.div_euclid(DAY) * DAY + second;
    let at = match day {
        Some(day) => (day - 1) * DAY + second,
        None if today > now => today,
        None => today + DAY,
    };
    (at > now).then_some(at)
}

/// "2 hours", "1 day, 4 hours and 10 minutes".
pub fn span_words(seconds: i64) -> String {
    let mut left = seconds;
    let mut parts: Vec<String> = Vec::new();
    // Weeks are told in days.
    for (names, unit) in UNITS.iter().skip(1) {
        let many = left / unit;
        left -= many * unit;
        let name = names.first().copied().unwrap_or_default();
        if many > 0 {
            parts.push(format!("{many} {name}{}", if many == 1 { "" } else { "s" }));
        }
    }
    match parts.split_last() {
        None => "no time".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, first)) => format!("{} and {last}", first.join(", ")),
    }
}

/// "day 2, 06:30", with seconds where there are any.
pub fn moment_words(at: i64) -> String {
    let (day, second) = (at.div_euclid(DAY) + 1, at.rem_euclid(DAY));
    let (hour, minute) = (second / HOUR, second % HOUR / MINUTE);
    let second = match second % MINUTE {
        0 => String::new(),
        second => format!(":{second:02}"),
    };
    format!("day {day}, {hour:02}:{minute:02}{second}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_read_as_people_write_them() {
        for (words, seconds) in [
            ("6 seconds", 6),
            ("10 minutes.", 600),
            ("10min", 600),
            ("an hour", 3600),
            ("half an hour", 1800),
            ("Two hours", 7200),
            ("1 day, 4 hours and 10 minutes", 101_400),
            ("1h 30m", 5400),
            ("a week", 604_800),
            ("10-minute", 600),
        ] {
            assert_eq!(span(words), Some(seconds), "{words}");
        }
        for words in [
            "",
            "and",
            "6",
            "hours",
            "0 hours",
            "-2 hours",
            "1.5 hours",
            "3 rounds",
            "10001 days",
            "9999999999999999999 days",
        ] {
            assert_eq!(span(words), None, "{words}");
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        for seconds in [1, 6, 59, 60, 90, 3600, 5400, 86_399, 86_400, 101_410, SPAN_MAX] {
            assert_eq!(span(&span_words(seconds)), Some(seconds));
            assert_eq!(next_moment(&moment_words(seconds), 0), Some(seconds));
        }
        assert_eq!(moment_words(0), "day 1, 00:00");
        assert_eq!(span_words(0), "no time");
    }

    #[test]
    fn a_time_of_day_is_the_next_one() {
        let eight = 8 * HOUR;
        assert_eq!(next_moment("18:00", eight), Some(18 * HOUR));
        assert_eq!(next_moment("6:30", eight), Some(DAY + 6 * HOUR + 30 * MINUTE));
        assert_eq!(next_moment("8:00", eight), Some(DAY + eight));
        assert_eq!(next_moment("Day 3", eight), Some(2 * DAY));
        for words in ["day 1, 08:00", "24:00", "7:60", "noon", "day 0", "", "day", "8", "8:00 sharp"] {
            assert_eq!(next_moment(words, eight), None, "{words}");
        }
    }
}
