//! Any text at all: read in bounded time, never a panic.

use proptest::prelude::*;

use super::system_md;
use crate::{Means, Reading, proofs, reading_summary};
use rollbook_dice::{Bound, DrawError, Roller};
use rollbook_text::diagnostic::render;

/// Dice that show ones.
struct Ones;

impl Roller for Ones {
    fn source(&self) -> &'static str {
        "ones"
    }

    fn draw(&mut self, low: i64, _: i64) -> Result<i64, DrawError> {
        Ok(low.max(1))
    }
}

/// Everything that can be done with a reading.
fn exercise(text: &str) -> Reading {
    let reading = system_md(text);
    let _ = render::plain(&reading.diagnostics, &reading.sources);
    let _ = render::human(&reading.diagnostics, &reading.sources, true);
    let _ = reading_summary(&reading);
    for name in ["Strength", "", "\u{0}", "x"] {
        let _ = (reading.system.attribute(name), reading.system.skill(name));
    }
    for check in &reading.system.checks {
        let means = Means {
            lookup: &|_, _| Some(Bound::Number(3)),
            extra: 1,
            dice: 0,
            targeted: true,
        };
        if let Ok(attempt) = check.attempt(&means) {
            // Only ones are rolled: every roll ends or is refused.
            let rolled = attempt.roll(&mut Ones);
            let _ =
                rolled.map(|(roll, opposing)| check.verdict(&attempt, &roll, opposing.as_ref()));
        }
    }
    for diagnostic in &reading.diagnostics {
        for label in &diagnostic.labels {
            let text = &reading.sources.get(label.span.file).expect("a file").text;
            assert!(text.get(label.span.bytes()).is_some(), "{diagnostic:?}");
        }
    }
    reading
}

/// The page of the language has a piece of every rule.
const PAGE: &str = include_str!("../grammar/language.md");
/// Signs between words, and signs that break them.
const SIGNS: &str =
    "# ## ### | - * ** ` `` ``` ( ) { } : ; , . ! > + \\ \u{feff} \u{0} <!-- --> --- é 🎲 &amp;";

/// Pieces that rules are made of, in any order.
fn piece() -> impl Strategy<Value = String> {
    let words: Vec<&str> = PAGE.split_inclusive([' ', '\n']).collect();
    let signs: Vec<&str> = SIGNS
        .split(' ')
        .chain(["\n", "\n\n", "\r\n", "\t", " ", "  - "])
        .collect();
    prop_oneof![
        6 => proptest::sample::select(words).prop_map(str::to_owned),
        3 => proptest::sample::select(signs).prop_map(str::to_owned),
        1 => "\\PC{0,8}",
    ]
}

/// Lines of the page, in any order.
fn line() -> impl Strategy<Value = String> {
    let lines: Vec<&str> = PAGE.split_inclusive('\n').collect();
    proptest::sample::select(lines).prop_map(str::to_owned)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_and_always_the_same(
        text in any::<String>(),
        pieces in proptest::collection::vec(prop_oneof![4 => piece(), 1 => line()], 0..80),
    ) {
        exercise(&text);
        let text = pieces.concat();
        prop_assert_eq!(exercise(&text), system_md(&text));
    }
}

/// Proofs that would take minutes are given up, for one check and for a whole file. A test of the
/// survey shows that rolls of every kind take of this work.
#[test]
fn proofs_are_bounded_by_what_they_take() {
    const ROWS: &str = "\n| Outcome | When |\n|---|---|\n| critical success | total 9000+ |\n| success | total 5+ |\n| failure | otherwise |\n\n";
    for (roll, times) in [("1000d1000kh500", 1), ("100d2", 300)] {
        let checks: String = (0..times)
            .map(|nth| format!("### A{nth}\n- Roll: `{roll}`\n{ROWS}"))
            .collect();
        let found = proofs(&system_md(&format!("## Checks\n{checks}")));
        let open: Vec<bool> = found
            .iter()
            .map(|found| found.code == "checks/not-proven")
            .collect();
        // The first of many is proven, and for the last no work is left.
        let expected = (times, Some(&(times == 1)), Some(&true));
        assert_eq!(
            (open.len(), open.first(), open.last()),
            expected,
            "{roll}: {found:?}"
        );
    }
}

/// A reader that is quadratic in the length would take hours.
#[test]
fn deep_nesting_and_long_lines_are_read() {
    let lists: String = (0..3_000)
        .map(|depth| format!("{}- x: 1\n", "  ".repeat(depth % 500)))
        .collect();
    for text in [
        format!("## Dice\n{}d20\n", "> ".repeat(50_000)),
        format!("## Skills\n{}x\n", "- ".repeat(20_000)),
        format!("## Skills\n{lists}"),
        format!("## Dice\n{}\n", "*a_".repeat(50_000)),
        format!("## Dice\n{}\n", "[".repeat(100_000)),
        format!("## Checks\n### T\n- Roll: `{}1d20`\n", "(".repeat(3_000)),
        format!(
            "## Checks\n### T\n- Roll: `1d20`\n- Flag f: `total >= {}1`\n",
            "(".repeat(3_000)
        ),
        format!("## Health\n- Hit points: max {}\n", "{".repeat(3_000)),
    ] {
        exercise(&text);
    }
    for piece in [
        "- a: ,,,,,,,,,,,,,,,,,,,,\n",
        "from ",
        "d1 d2 d3 ",
        "1111111111",
        "- Rol: `1d20`\n",
        "`a` ",
        "Hit points +1, ",
        "| Success | total 10+ |\n",
        "### Roll\n- Roll: `1d`\n",
    ] {
        for section in ["Dice", "Attributes", "Skills", "Checks", "Health", "Combat"] {
            exercise(&format!(
                "## {section}\n\n| Outcome | When |\n|---|---|\n{}",
                piece.repeat(300_000 / piece.len())
            ));
        }
    }
}
