//! Expressions written in pieces of code and words: all of it counts, or what does not is told.

use super::{findings, sound, system_md};
use crate::diagnostic::{Severity, edited};
use crate::rules::{FollowUpChange, InitiativeKind};

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
fn every_place_that_reads_an_expression_reads_the_whole() {
    let text = format!(
        "{BASE}- Modifier: `{{score}}` - 2\n\n## Checks\n### Any\n- Roll: `1d20` + {{modifier}}\n- Target: `10` + {{WIT}}\n- Modifier: `{{STR}}` + \
         `{{WIT}}`\n- Luck: subtract up to `{{WIT}}` + 1 from the total\n\n## Health\n- Hit points: max `8` + {{STR}}, from 0\n- \
         Armour: ignore damage under `{{STR}}` + 2\n\n## Combat\n- Initiative: `1d20` + {{WIT}}, highest first\n"
    );
    let reading = system_md(&text);
    assert!(!findings(&reading).iter().any(|found| found.contains("left-over")), "{:?}", findings(&reading));
    let system = reading.system;
    let check = &system.checks[0];
    assert_eq!(check.target.as_ref().expect("a target").to_string(), "10 + {WIT}");
    assert_eq!(check.modifier.as_ref().expect("a modifier").what.to_string(), "{STR} + {WIT}");
    let most = |change: &FollowUpChange| match change {
        FollowUpChange::Subtract { most } => most.to_string(),
        other => format!("{other:?}"),
    };
    assert_eq!(most(&check.follow_ups[0].change), "{WIT} + 1");
    assert_eq!(system.tracks[0].max.as_ref().expect("a maximum").to_string(), "8 + {STR}");
    assert!(matches!(&system.initiative.kind, InitiativeKind::Rolled(roll) if roll.to_string() == "1d20 + {WIT}"));
    assert_eq!(system.attributes[0].modifier.of(5).ok(), Some(3));
}

#[test]
fn initiative_keeps_its_second_number_and_tells_what_is_lost() {
    let of = |written: &str| {
        system_md(&format!("{BASE}## Dice\nRoll d20 + modifiers.\n## Combat\n- Initiative: {written}\n"))
    };
    let two = of("`{WIT}` (`{WIT} + 50` with a readied gun), highest first, no roll");
    assert_eq!(two.diagnostics, []);
    assert_eq!(two.system.initiative.alternatives[0].when, "with a readied gun");
    let lost = of("`1d20` + {WIT}, `2` more for scouts");
    assert!(findings(&lost)[0].contains("formula/left-over"), "{:?}", findings(&lost));
    let side = of("per side, `1d6` + {WIT}");
    assert!(
        matches!(&side.system.initiative.kind, InitiativeKind::PerSide(Some(roll)) if roll.to_string() == "1d6 + {WIT}")
    );
}

#[test]
fn who_acts_first_and_what_a_side_rolls_may_be_said_in_other_words() {
    let of = |written: &str| {
        let reading = system_md(&format!("{BASE}## Dice\nRoll d20 + modifiers.\n## Combat\n- Initiative: {written}\n"));
        assert_eq!(reading.diagnostics, [], "{written}");
        reading.system.initiative
    };
    for (written, highest_first) in [
        ("`1d20`, lowest goes first", false),
        ("`1d20`, ascending", false),
        ("`1d20`, low to high", false),
        ("`1d20`, smallest number first", false),
        ("`1d20`, highest first, lowest last", true),
        ("`1d20`, from high to low", true),
        ("`1d20`", true),
    ] {
        assert_eq!(of(written).highest_first, highest_first, "{written}");
    }
    for written in
        ["each side rolls `1d6`", "`1d6` for each side", "both sides roll `1d6`, each round", "group initiative, `1d6`"]
    {
        let kind = of(written).kind;
        assert!(
            matches!(&kind, InitiativeKind::PerSide(Some(roll)) if roll.to_string() == "1d6"),
            "{written}: {kind:?}"
        );
    }
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
