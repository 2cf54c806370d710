//! Moments of the game's time: `day 2, 06:30`; in seconds since it began, which is day 1, 00:00.

use rollbook_text::names::fold;

/// Days that a moment may name.
const DAYS_MAX: i64 = 10_000_000;
const DAY: i64 = 24 * HOUR;
const HOUR: i64 = 60 * MINUTE;
const MINUTE: i64 = 60;

/// A moment, `18:00`, `day 3, 06:30`: its day from 1, if the words say one, and the second of it.
pub fn moment(words: &str) -> Option<(Option<i64>, i64)> {
    let folded = fold(words).replace(',', " ");
    let mut words = folded.trim_end_matches('.').split_whitespace().peekable();
    let mut day = None;
    if words.next_if_eq(&"day").is_some() {
        day = Some(
            words
                .next()?
                .parse()
                .ok()
                .filter(|day| (1..=DAYS_MAX).contains(day))?,
        );
    }
    let second = words.next().map_or(day.map(|_| 0), second_of_day)?;
    words.next().is_none().then_some((day, second))
}

/// `18:00`, `6:30:12`.
fn second_of_day(clock: &str) -> Option<i64> {
    let mut parts = clock.split(':').map(|part| {
        part.parse::<i64>()
            .ok()
            .filter(|part| (0..60).contains(part))
    });
    let (hour, minute) = (parts.next()??, parts.next()??);
    let second = parts.next().unwrap_or(Some(0))?;
    (parts.next().is_none() && hour < 24).then_some(hour * HOUR + minute * MINUTE + second)
}

/// The first moment after `now` that these words mean, in seconds since the game began.
pub fn next_moment(words: &str, now: i64) -> Option<i64> {
    let (day, second) = moment(words)?;
    let today = now.div_euclid(DAY) * DAY + second;
    let next = if today > now { today } else { today + DAY };
    let at = day.map_or(next, |day| (day - 1) * DAY + second);
    (at > now).then_some(at)
}

/// "day 2, 06:30", with seconds where there are any.
pub fn moment_words(at: i64) -> String {
    let (day, second) = (at.div_euclid(DAY) + 1, at.rem_euclid(DAY));
    let (hour, minute) = (second / HOUR, second % HOUR / MINUTE);
    let second = Some(second % MINUTE).filter(|second| *second > 0);
    let second = second.map_or(String::new(), |second| format!(":{second:02}"));
    format!("day {day}, {hour:02}:{minute:02}{second}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use rollbook_rules::call::span;
    use rollbook_rules::{SPAN_MAX, span_words};

    #[test]
    fn what_is_written_is_read_again() {
        for seconds in [
            1, 6, 59, 60, 90, 3600, 5400, 86_399, 86_400, 101_410, SPAN_MAX,
        ] {
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
        assert_eq!(
            next_moment("6:30", eight),
            Some(DAY + 6 * HOUR + 30 * MINUTE)
        );
        assert_eq!(next_moment("8:00", eight), Some(DAY + eight));
        assert_eq!(next_moment("Day 3", eight), Some(2 * DAY));
        for words in [
            "day 1, 08:00",
            "24:00",
            "7:60",
            "noon",
            "day 0",
            "",
            "day",
            "8",
            "8:00 sharp",
        ] {
            assert_eq!(next_moment(words, eight), None, "{words}");
        }
    }
}
