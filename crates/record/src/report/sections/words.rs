//! Numbers and dates as a report writes them.

use crate::report::facts::Gathered;
use rollbook_game::record::instant::iso;
use rollbook_text::names::counted;

/// "31 %", "3.1 %", "0.31 %"; what is neither impossible nor certain is not shown so.
pub fn percent(chance: f64) -> String {
    let percent = chance * 100.0;
    match percent {
        _ if chance <= 0.0 => "0 %".to_owned(),
        _ if chance >= 1.0 => "100 %".to_owned(),
        ..0.001 => "less than 0.001 %".to_owned(),
        ..0.095 => format!("{percent:.3} %"),
        ..0.95 => format!("{percent:.2} %"),
        ..9.5 => format!("{percent:.1} %"),
        ..99.0 => format!("{percent:.0} %"),
        ..99.9 => format!("{percent:.1} %"),
        ..99.99 => format!("{percent:.2} %"),
        _ => "more than 99.99 %".to_owned(),
    }
}

/// "1 in 20", "1 in 3.5".
pub fn one_in(chance: f64) -> String {
    match 1.0 / chance {
        few if few < 9.95 => format!("1 in {}", number(few, 1)),
        many => format!("1 in {many:.0}"),
    }
}

/// A number with at most so many places: "3", "3.5".
pub fn number(value: f64, places: usize) -> String {
    let text = format!("{value:.places$}");
    let text = if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        &text
    };
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}

/// "2026-11-20 19:30 UTC".
pub fn minute(at: i64) -> String {
    let text = iso(at);
    match (text.get(..10), text.get(11..16)) {
        (Some(day), Some(time)) => format!("{day} {time} UTC"),
        _ => text,
    }
}

/// A count: of what players see "none seen" is not "0".
pub fn seen(gathered: &Gathered, count: impl Into<i64>) -> String {
    match (count.into(), gathered.left_out()) {
        (0, Some(_)) => "none seen".to_owned(),
        (count, _) => count.to_string(),
    }
}

/// What figures of what players see leave out.
pub fn left_out(gathered: &Gathered) -> Option<String> {
    let sealed = match gathered.left_out()?.sealed {
        0 => String::new(),
        sealed => format!("{}, and ", more_sealed(gathered, sealed)),
    };
    Some(format!(
        "The figures here are of what you see. Not in them: {sealed}what of other entries only the GM sees."
    ))
}

/// "48 more sealed entries this session".
pub fn more_sealed(gathered: &Gathered, sealed: u64) -> String {
    let of = if gathered
        .sessions
        .iter()
        .filter(|(number, _)| *number > 0)
        .count()
        <= 1
    {
        "this session"
    } else {
        "in these sessions"
    };
    format!(
        "{} {of}",
        counted(sealed, "more sealed entry", "more sealed entries")
    )
}

#[cfg(test)]
mod tests {
    use super::{minute, number, one_in, percent};

    #[test]
    fn chances_are_written_short_and_never_as_what_they_are_not() {
        let table = [
            (0.0, "0 %"),
            (1e-9, "less than 0.001 %"),
            (0.000_5, "0.050 %"),
            (0.003_1, "0.31 %"),
            (0.05, "5.0 %"),
            (0.314, "31 %"),
            (0.991, "99.1 %"),
            (0.999_999, "more than 99.99 %"),
            (1.0, "100 %"),
        ];
        for (chance, text) in table {
            assert_eq!(percent(chance), text);
        }
        assert_eq!(
            (one_in(0.05), one_in(1.0 / 3.5)),
            ("1 in 20".to_owned(), "1 in 3.5".to_owned())
        );
        assert_eq!(
            (number(3.0, 2), number(3.25, 2), number(-0.001, 1)),
            ("3".into(), "3.25".into(), "0".into())
        );
        assert_eq!(minute(1_795_203_000_000_000), "2026-11-20 19:30 UTC");
    }
}
