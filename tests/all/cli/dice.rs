//! The dice at the shell.

use serde_json::Value;

use super::ran;
use crate::table::each;

#[test]
fn a_program_reads_the_refusal_of_dice_as_json() {
    let folder = tempfile::tempdir().expect("a folder");
    for (command, text) in [
        ("roll", "2d20 adv"),
        ("odds", "2d20 adv"),
        ("odds", "1000d1000"),
        ("roll", "2d6 >= 7"),
    ] {
        let came = ran(folder.path(), &[command, "--json", text]);
        let plain = ran(folder.path(), &[command, text]);
        assert_eq!(
            (came.code, &came.err),
            (plain.code, &plain.err),
            "{command} {text}"
        );
        assert_eq!(came.code, 2, "{came:?}");
        let refusal: Value = serde_json::from_str(&came.out).expect(&came.out);
        for field in ["code", "message", "hint", "example"] {
            assert!(
                refusal[field]
                    .as_str()
                    .is_some_and(|words| !words.is_empty()),
                "{field}: {refusal}"
            );
        }
        let end = |at: usize| refusal["span"][at].as_u64().expect("a byte");
        assert!(end(0) < end(1) && end(1) <= text.len() as u64, "{refusal}");
    }
}

/// The rows of a table of odds: the words before the percentages, and the percentages.
fn rows(table: &str) -> Vec<(String, Vec<f64>)> {
    let percent = |words: &str| words.trim().trim_start_matches(['<', '>']).parse().ok();
    let read = |line: &str| {
        let parts: Vec<&str> = line.split(" %").collect();
        let (label, first) = parts.first()?.trim().rsplit_once(' ')?;
        let chances = std::iter::once(first)
            .chain(parts.iter().copied().skip(1).take(2))
            .filter_map(percent)
            .collect();
        (parts.len() == 4).then(|| (label.trim().to_owned(), chances))
    };
    table.lines().filter_map(read).collect()
}

#[test]
fn odds_are_drawn_as_a_table_whose_rows_are_the_json_s() {
    let folder = tempfile::tempdir().expect("a folder");
    for text in ["2d6", "1d20+3", "3d6 vs 10", "5d6>=5", "4d6kh3", "1d6!"] {
        let drawn = ran(folder.path(), &["odds", text]);
        let json = ran(folder.path(), &["odds", text, "--json"]);
        assert_eq!((drawn.code, json.code), (0, 0), "{drawn:?} {json:?}");
        let json: Value = serde_json::from_str(&json.out).expect(&json.out);
        let rows = rows(&drawn.out);
        let totals = json["totals"].as_array().expect("totals");
        assert!(rows.len() > 3, "{text}: {}", drawn.out);
        for ((label, chances), total) in rows.iter().zip(totals) {
            assert_eq!(label, &total["total"].to_string(), "{text}");
            let exact: f64 = total["decimal"]
                .as_str()
                .and_then(|text| text.parse::<f64>().ok())
                .expect("a chance")
                * 100.0;
            assert!(
                (chances[0] - exact).abs() < 0.001,
                "{text} {label}: {chances:?} and {exact}"
            );
        }
    }
}

#[test]
fn a_long_table_of_odds_puts_totals_together_and_says_what_it_leaves_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let drawn = ran(folder.path(), &["odds", "300d6"]);
    let rows = rows(&drawn.out);
    assert!((30..=60).contains(&rows.len()), "{} rows", rows.len());
    assert!(
        rows.iter().any(|(label, _)| label.contains(" to ")),
        "{}",
        drawn.out
    );
    let all: f64 = rows.iter().map(|(_, chances)| chances[0]).sum();
    assert!((all - 100.0).abs() < 0.1, "{all}");
    assert!(
        drawn
            .out
            .contains("totals above, together less than 0.001 %"),
        "{}",
        drawn.out
    );
}

#[test]
fn odds_are_drawn_as_a_picture_with_a_bar_for_each_total() {
    let folder = tempfile::tempdir().expect("a folder");
    let drawn = ran(folder.path(), &["odds", "2d6", "--svg", "odds.svg"]);
    assert_eq!(drawn.code, 0, "{drawn:?}");
    let picture = std::fs::read_to_string(folder.path().join("odds.svg")).expect("the picture");
    assert!(
        picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>"),
        "{picture}"
    );
    assert!(picture.contains("<title>Odds of 2d6</title>"), "{picture}");
    let bars = picture.matches("<rect").count() - 1;
    assert_eq!(bars, 11, "one for each total, beside the ground: {picture}");
}

#[test]
fn a_trial_without_a_test_acquits_nobody() {
    let folder = tempfile::tempdir().expect("a folder");
    let came = ran(folder.path(), &["fairness", "5", "--rolls", "1000"]);
    assert_eq!((came.code, came.out.as_str()), (2, ""), "{came:?}");
    assert!(came.err.contains("Nothing here can be tested"), "{came:?}");
}

#[test]
fn a_trial_tells_what_was_drawn_and_what_was_expected_in_words_and_as_json() {
    let folder = tempfile::tempdir().expect("a folder");
    let dice = ["fairness", "d6", "2d6kh1", "--rolls", "12000"];
    let text = ran(folder.path(), &dice);
    assert_eq!(
        text.code, 0,
        "fair dice fail once in a million runs: {text:?}"
    );
    for words in [
        "12000 rolls of each",
        "for 2000.0",
        "2d6kh1, exact odds",
        "Nothing to object to.",
    ] {
        assert!(text.out.contains(words), "{words}: {}", text.out);
    }
    let json = ran(folder.path(), &[&dice[..], &["--json"]].concat());
    let report: Value = serde_json::from_str(&json.out).expect(&json.out);
    let drawn: u64 = each(&report["counts"][0]["faces"])
        .map(|face| face["observed"].as_u64().expect("a count"))
        .sum();
    assert_eq!(drawn, 12000, "{report}");
}

#[test]
fn the_usual_trial_draws_every_classic_die_and_its_pairs() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = ran(folder.path(), &["fairness", "--rolls", "20000"]);
    assert_eq!(text.code, 0, "{text:?}");
    for die in ["d4", "d6", "d8", "d10", "d12", "d20", "d100", "dF"] {
        assert!(
            text.out.contains(&format!("{die}, every face")),
            "{die}: {}",
            text.out
        );
    }
    assert!(
        text.out.contains("d6, one face after another"),
        "{}",
        text.out
    );
}

#[test]
fn odds_as_json_hold_exact_fractions_that_are_a_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let came = ran(
        folder.path(),
        &["odds", "2d6 vs 8", "--at-least", "11", "--json"],
    );
    assert_eq!(came.code, 0, "{came:?}");
    let odds: Value = serde_json::from_str(&came.out).expect(&came.out);
    let parts = |of: &Value| {
        let number = |name: &str| of[name].as_str().expect(name).parse::<u64>().expect(name);
        (number("numerator"), number("denominator"))
    };
    assert_eq!(
        (parts(&odds["success"]), parts(&odds["asked"]["chance"])),
        ((5, 12), (1, 12)),
        "{odds}"
    );
    let whole: u64 = each(&odds["totals"])
        .map(|row| {
            let (numerator, denominator) = parts(row);
            numerator * 36 / denominator
        })
        .sum();
    assert_eq!((whole, parts(&odds["mean"])), (36, (7, 1)), "{odds}");
}
