//! Checks written out, and the conditions of their rows.

use super::{errors, findings, sound, system_md};
use crate::when::facts::DieFacts;
use crate::{Check, Facts, Outcome, Succeed, System};

fn one(checks: &str) -> Check {
    sound(&format!("## Checks\n\n### Test\n{checks}"))
        .system
        .checks
        .remove(0)
}

/// Whether a *When* cell holds.
fn holds(when: &str, facts: &Facts) -> bool {
    let table = format!(
        "- Roll: `1d20 + 1d10[hunger]`\n- Target: `10`\n\n| Outcome | When |\n|---|---|\n| Success | {when} |\n"
    );
    let reading = system_md(&format!(
        "## Attributes\n- Edge\n\n## Checks\n\n### Test\n{table}"
    ));
    assert_eq!(errors(&reading), 0, "{when}: {:?}", findings(&reading));
    reading.system.checks[0].judge(facts).is_some()
}

#[test]
fn without_a_table_the_margin_decides() {
    let check = one("- Roll: `1d20 + {modifier}`\n- Target: {difficulty} or less\n");
    assert_eq!(check.succeed, Succeed::AtMost);
    assert_eq!(check.succeed.margin(7, 10), 3);
    let judged = check
        .judge(&Facts {
            margin: Some(-1),
            ..Facts::default()
        })
        .expect("a judgement");
    assert_eq!(
        (judged.outcome, judged.rank, judged.label.as_str()),
        (Outcome::Failure, None, "failure")
    );
    assert_eq!(
        check.judge(&Facts::default()),
        None,
        "no target, no outcome"
    );
}

#[test]
fn ranges_have_many_forms() {
    let total = |total: i64| Facts {
        total,
        ..Facts::default()
    };
    for (when, yes, no) in [
        ("total 10+", 10, 9),
        ("total 7-9", 9, 10),
        ("total 7 – 9", 7, 6),
        ("total -3 to -1", -3, 0),
        ("total 6", 6, 7),
        ("total 6 or less", 6, 7),
        ("Total 6 Or Less", 6, 7),
        ("total `floor(9 / 2)` or less", 4, 5),
        ("`total > 9 / 2`", 5, 4),
        ("`total > 4`", 5, 4),
        ("`total < (2 + 3) * 2`", 9, 10),
        ("total -9+", -9, -10),
        ("`total`", 1, 0),
        ("`total - 4 >= 1`", 5, 4),
        ("`total >= 1 / 2`", 1, 0),
        ("total `1 / 2`+", 1, 0),
        ("`total >= max(1, min(3, 5), -2)`", 3, 2),
    ] {
        assert!(holds(when, &total(yes)), "{when} at {yes}");
        assert!(!holds(when, &total(no)), "{when} not at {no}");
    }
}

#[test]
fn conditions_combine_faces_labels_and_names() {
    let mut dice = DieFacts::showing(&[1, 6, 6]);
    dice[0].labels.push("hunger".to_owned());
    let groups = ["hunger".to_owned()].into();
    let facts = Facts {
        total: 5,
        dice,
        groups,
        pool: Some(0),
        ..Facts::default()
    };
    for (when, expected) in [
        // `and` binds tighter than `or`.
        ("natural 20 or natural 1 and total 5+", true),
        ("natural 20 or natural 1 and total 6+", false),
        ("natural 1 or natural 20 and total 6+", true),
        ("6s 2+ and pool 0", true),
        ("hunger 1s", true),
        ("hunger 6s", false),
        // What is not known never holds.
        ("margin 0+", false),
        ("margin 100 or less", false),
        ("total {Edge}+", false),
        ("total {Edge=-5}+", true),
        ("`total >= 1 / (total - 5)`", false),
    ] {
        assert_eq!(holds(when, &facts), expected, "{when}");
    }
}

#[test]
fn a_row_moves_a_track_by_what_the_check_asks_for() {
    let reading = sound(
        "## Checks\n### Sanity\n- Roll: `1d100`\n- Target: {Sanity} or less\n- Asks: calm 0 to 5\n\n| Outcome | When | Sanity |\n|---|---|---|\n\
         | Success | margin 0+ | -{calm} |\n| Failure | otherwise | +1 |\n\n## Health\n- Sanity: max 99\n- Damage: Sanity\n",
    );
    let moves = reading.system.checks[0]
        .rows
        .iter()
        .flat_map(|row| &row.moves);
    let moves: Vec<_> = moves
        .map(|effect| {
            (
                effect.text.as_str(),
                effect.amount.as_ref().map(ToString::to_string),
            )
        })
        .collect();
    assert_eq!(
        moves,
        [
            ("Sanity: -{calm}", Some("{calm}".to_owned())),
            ("Sanity: +1", Some("1".to_owned()))
        ]
    );
}

#[test]
fn labels_keep_the_authors_words() {
    let check = one(
        "- Roll: `2d6`\n\n| Note | Outcome | When | Cost |\n|---|---|---|---|\n| loud | Strong hit (Success) | total 10+ | none |\n| | Failure | otherwise | |\n",
    );
    let [strong, failure] = check.rows.as_slice() else {
        panic!("two rows")
    };
    assert_eq!(
        (strong.label.as_str(), strong.canonical),
        ("Strong hit", Outcome::Success)
    );
    assert_eq!(strong.text.as_deref(), Some("Note: loud\nCost: none"));
    assert_eq!(
        (failure.label.as_str(), failure.text.as_deref()),
        ("Failure", None)
    );
    assert_eq!(failure.place.full(), "System.md:9:5");
}

#[test]
fn names_are_found_folded_or_answered() {
    let text = "## Checks\n### Ability check\n- Roll: `1d20`\n- Target: `9`\n### Attack\n- Roll: `1d20`\n- Target: `9`\n";
    let system: System = sound(text).system;
    assert!(system.check("ABILITY-CHECK").is_ok());
    let unknown = system.check("Atack").expect_err("unknown");
    assert_eq!(
        (unknown.suggestions.as_slice(), unknown.place.as_deref()),
        (["Attack".to_owned()].as_slice(), Some("System.md:2-5"))
    );
    let unknown = system.skill("Stealth").expect_err("none at all");
    assert!(unknown.known.is_empty() && unknown.place.is_none());
}

#[test]
fn steps_move_among_the_outcomes_of_the_table_alone() {
    let check = one(
        "- Roll: `1d20`\n- Target: `10`\n- On natural 20: +1 step\n- On natural 1: -2 steps\n\n\
         | Outcome | When |\n|---|---|\n| Wow (critical success) | margin 8+ |\n| Fine (success) | margin 5+ |\n| Good (success) | margin 0+ |\n| Failure | otherwise |\n",
    );
    let judge = |natural: i64, margin: i64| {
        let facts = Facts {
            dice: DieFacts::showing(&[natural]),
            margin: Some(margin),
            ..Facts::default()
        };
        let judged = check.judge(&facts).expect("a judgement");
        (judged.label, judged.rank, judged.shifted.len())
    };
    assert_eq!(
        judge(20, 9),
        ("Wow".into(), Some(1), 1),
        "there is nothing better"
    );
    assert_eq!(judge(20, 0), ("Wow".into(), Some(1), 1));
    assert_eq!(
        judge(20, -1),
        ("Fine".into(), Some(2), 1),
        "an outcome's first row names it"
    );
    assert_eq!(judge(1, 9), ("Failure".into(), Some(4), 1));
    assert_eq!(judge(7, 0), ("Good".into(), Some(3), 0));
}
