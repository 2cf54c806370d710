//! Expressions written in pieces of code and words: all of it counts, or what does not is told.

use super::{findings, sound, system_md};
use crate::diagnostic::{Severity, edited};

const BASE: &str = "## Attributes\n- Strength (STR)\n- Wits (WIT)\n- Range: 0 to 9\n\n";

fn check(roll: &str) -> String {
    format!("{BASE}## Checks\n### Any\n- Roll: {roll}\n- Target: `{{difficulty}}`\n")
}

#[test]
fn pieces_joined_by_signs_are_one_expression() {
    for (written, roll) in [
        ("`1d20` + {STR}", "1d20 + {STR}"),
        ("`1d20`+{STR}", "1d20 + {STR}"),
        ("`1d20` plus `{STR}`", "1d20 + {STR}"),
        ("`1d20` + Strength modifier - `2`.", "1d20 + {STR} - 2"),
        ("{STR} + `1d20`", "{STR} + 1d20"),
        ("`1d6 + {STR}` × 2", "(1d6 + {STR}) * 2"),
        ("`1d20` minus `{STR} + {WIT}`", "1d20 - ({STR} + {WIT})"),
        ("roll `1d20` + {STR}, as always", "1d20 + {STR}"),
        ("roll `1d20 + {STR}` and add nothing, as always", "1d20 + {STR}"),
    ] {
        assert_eq!(sound(&check(written)).system.checks[0].roll.to_string(), roll, "{written}");
    }
}

#[test]
fn what_is_left_over_beside_an_expression_is_pointed_at() {
    for (written, left) in [
        ("1d20 + {STR}, `2d20kh1` when helped", ", `2d20kh1` when helped"),
        ("`1d20` or `2d10`", "or `2d10"),
        ("`1d20` + luck", "+ luck"),
        ("`1d20`, {STR} if it is heavy", ", {STR} if it is heavy"),
        ("2 + half of `1d20`", "2 + half of"),
    ] {
        let text = check(written);
        let reading = system_md(&text);
        let found = &reading.diagnostics[0];
        assert_eq!((found.code, found.severity), ("formula/left-over", Severity::Error), "{written}: {found:?}");
        assert_eq!(&text[found.labels[0].span.bytes()], left);
        assert!(reading.system.checks.is_empty(), "{written}: another roll than the author's is not made");
    }
    let text = check("`1d20 + {STR}` (minimum 3)");
    let reading = system_md(&text);
    assert_eq!((reading.system.checks.len(), reading.diagnostics[0].severity), (1, Severity::Warning));
    assert_eq!(&text[reading.diagnostics[0].labels[0].span.bytes()], "(minimum 3)");
}

#[test]
fn words_that_make_another_number_are_told() {
    for (label, written) in [
        ("Roll", "`3d6`, drop lowest"),
        ("Roll", "`1d20` with advantage"),
        ("Roll", "the best of `3d6`"),
        ("Target", "roll under `{WIT}`"),
        ("Target", "half `{WIT}` at night"),
        ("Target", "`{WIT}` or less"),
    ] {
        let (roll, target) = if label == "Roll" { (written, "10") } else { ("1d20", written) };
        let reading = system_md(&format!("{BASE}## Checks\n### Try\n- Roll: {roll}\n- Target: {target}\n"));
        let found = findings(&reading);
        assert!(found.iter().any(|found| found.contains("formula/left-over")), "{written}: {found:?}");
    }
    let plain =
        system_md(&format!("{BASE}## Checks\n### Try\n- Roll: `1d20`, as everybody knows\n- Target: the usual `10`\n"));
    assert!(!findings(&plain).iter().any(|found| found.contains("left-over")), "{:?}", findings(&plain));
}

#[test]
fn a_name_without_braces_gets_them() {
    let text = check("`1d20 + STR`");
    let reading = system_md(&text);
    let found = &reading.diagnostics[0];
    assert!(findings(&reading)[0].contains("write `1d20 + {STR}`"), "{:?}", findings(&reading));
    let (mended, made) = edited(&text, found.sure_fix());
    assert_eq!(made, 1);
    assert_eq!(sound(&mended).system.checks[0].roll.to_string(), "1d20 + {STR}");
    // Of a name that nothing declares only the author knows what it is.
    let unknown = system_md(&check("`1d20 + FOO`"));
    assert!(unknown.diagnostics[0].fix.is_none(), "{:?}", unknown.diagnostics[0]);
}
