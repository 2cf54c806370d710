//! What the lints find beside the examples on their pages, and what they must not find.

use super::{codes, findings, system_md};
use crate::codes::PAGES;
use crate::{Reading, proofs};
use rollbook_text::diagnostic::{Diagnostic, Severity, render};

const TABLE: &str = "\n\n| Outcome | When |\n|---|---|\n";
const SCORES: &str = "## Attributes\n- Might (MIG, 3 to 18)\n- Dexterity (DEX, 3 to 18)\n- Luck\n\n## Skills\n- Climb (MIG)\n\n";

/// One check with these bullets and rows.
fn check(bullets: &str, rows: &str) -> Reading {
    let table = if rows.is_empty() { "" } else { TABLE };
    system_md(&format!(
        "{SCORES}## Checks\n### Test\n{bullets}{table}{rows}\n"
    ))
}

fn proven(reading: &Reading) -> String {
    render::plain(&proofs(reading), &reading.sources)
}

/// Each code has its page, and there are no other pages.
#[test]
fn every_page_file_is_of_a_code() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/explained");
    let areas = std::fs::read_dir(folder)
        .expect("areas")
        .flatten()
        .filter(|area| area.path().is_dir());
    let files = areas.flat_map(|area| std::fs::read_dir(area.path()).expect("pages").flatten());
    assert_eq!(files.count(), PAGES.len());
    for (code, page) in PAGES {
        assert!(
            page.starts_with("# ") && page.contains("wrong") && page.contains("right"),
            "{code}"
        );
    }
}

/// Findings from rolling a check in every way: a part of the finding, or nothing.
#[test]
fn what_a_check_comes_to_is_proven() {
    let bonus = "- Roll: `2d6 + {bonus=0}`\n- Asks: bonus 0 to 20\n";
    let lift = "- Roll: `1d6 + {nerve}`\n- Asks: nerve 0 to 3\n";
    let steps = "- Roll: `1d20`\n- Target: `{difficulty}`\n";
    let rare =
        "| Critical success | margin 100+ |\n| Success | margin 0+ |\n| Failure | otherwise |";
    let ten = "| Success | total 10+ |\n| Failure | otherwise |";
    for (bullets, rows, found) in [
        (
            bonus,
            "| Success | total 10+ |\n| Failure | total 2-8 |",
            "does not say what a total of 9 with bonus",
        ),
        (
            bonus,
            "| Success | total 10+ |\n| Failure | total 9 or less |",
            "",
        ),
        (lift, ten, "can never succeed"),
        (&lift.replace("0 to 3", "0 to 4"), ten, ""),
        (steps, rare, "the row `Critical success` can never win"),
        (&format!("{steps}- On natural 20: +1 step\n"), rare, ""),
        ("- Roll: `1d6`\n- Target: `7`", "", "can never succeed"),
        ("- Roll: `1d6`\n- Target: `1`", "", "always succeeds"),
        ("- Roll: `1d100`\n- Target: {skill} or less", "", ""),
        (
            &format!("{steps}- On natural 21: +1 step"),
            "",
            "`On natural 21: +1 step` of `Test` never happens",
        ),
        (
            &format!("{steps}- Flag odd: natural 0; after Push\n- Again Push: reroll all"),
            "",
            "`Flag odd` of `Test` never happens",
        ),
        // What is wrong already is not proven again.
        (
            "- Roll: `1d6`",
            "| Success | beaten 1+ |\n| Failure | otherwise |",
            "",
        ),
    ] {
        let found_now = proven(&check(bullets, rows));
        assert_eq!(
            (found_now.contains(found), found_now.is_empty()),
            (true, found.is_empty()),
            "{bullets}: {found_now}"
        );
    }
    let wider = check(
        "- Roll: `1d20`",
        "| Success | total 5+ |\n| Partial success | total 10+ |\n| Failure | otherwise |",
    );
    let [found] = proofs(&wider).try_into().expect("one finding");
    assert_eq!(
        (found.code, found.labels.len()),
        ("checks/unreachable-row", 2),
        "the row above is shown"
    );
}

#[test]
fn what_is_not_proven_says_what_helps() {
    let rows = |high: &str, last: &str| {
        format!(
            "| Critical success | total {high}+ |\n| Success | total 40+ |\n| Failure | {last} |"
        )
    };
    let explodes = "- Roll: `{a}d10! + {b}`\n- Asks: a 1 to 20, b 0 to 100";
    let pool = "- Roll: `{a}d6[x] + {b}d8[y]`\n- Asks: a 1 to 30, b 1 to 6";
    for (bullets, rows, helps) in [
        (explodes, rows("2000", "otherwise"), vec!["rollbook odds --check"]),
        (
            pool,
            "| Critical success | x 6s 30 and y 8s 6 |\n| Success | total 10+ |\n| Failure | otherwise |".to_owned(),
            vec!["rollbook odds --check", "`- Asks: a 1 to 11`"],
        ),
        (explodes, rows("2000", "total 39 or less"), vec!["write `otherwise`", "rollbook odds --check"]),
    ] {
        let found = proofs(&check(bullets, &rows));
        let [found] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((found.code, found.severity, found.help.len()), ("checks/not-proven", Severity::Note, helps.len()));
        assert!(found.help.iter().zip(&helps).all(|(help, words)| help.contains(words)), "{found:?}");
    }
}

/// A check beyond a limit of the dice: which calls are refused.
#[test]
fn a_check_beyond_a_limit_is_reported_with_the_refused_calls() {
    for (bullets, words) in [
        (
            "- Roll: `{rating=5000}d6`\n- Asks: rating 1 to 20",
            "every call of it with that number is refused",
        ),
        (
            "- Roll: `{rating=5000}d6 + {bonus=1} + {modifier}`\n- Asks: rating 1 to 20, bonus 0 to 5\n- Target: 12",
            "every call of it with that number is refused",
        ),
        (
            "- Roll: `{1000d6!,1000d8!!,50d20}kh2 + {modifier}`",
            "refused with every value that was looked at",
        ),
        (
            "- Roll: `1d20`\n- Asks: a 0 to 20\n- Target: `({a} + 1) * 1000000000 * 1000000000 * 1000000000`",
            "refused with every value that was looked at",
        ),
        (
            "- Roll: `{rating=3}d6 + {modifier}`\n- Asks: rating 1 to 20",
            "",
        ),
        ("- Roll: `1d6 / {by}`\n- Asks: by 1 to 6", ""),
        // Dice may be passed for a name.
        (
            "- Roll: `{{one}, {other}}kh2`\n- Asks: one dice, other dice\n- Target: 4",
            "",
        ),
    ] {
        let found = proofs(&check(bullets, ""));
        let refused = found
            .iter()
            .find(|found| found.code == "checks/cannot-be-rolled");
        assert_eq!(
            refused.map_or("", |found| found.labels[0].text.as_str()),
            words,
            "{bullets}"
        );
    }
}

#[test]
fn numbers_between_two_rows_are_reported_where_they_are_left_out_by_mistake() {
    let rolled = |rows: &str| {
        check(
            "- Roll: `1d20 + {modifier}`\n- Target: `{difficulty}`",
            rows,
        )
    };
    for (rows, is_gap) in [
        (
            "| Success | total 10+ |\n| Partial success | total 7-8 |\n| Failure | otherwise |",
            true,
        ),
        (
            "| Success | `total > 9` |\n| Partial success | `total < 8` |\n| Failure | otherwise |",
            true,
        ),
        // A special number on purpose, and a middle row by `otherwise`.
        (
            "| Critical success | total 7 |\n| Critical success | total 11 |\n| Failure | otherwise |",
            false,
        ),
        (
            "| Success | total 12+ |\n| Failure | total 1-10 |\n| Partial success | otherwise |",
            false,
        ),
        (
            "| Success | total 10+ |\n| Critical success | total 9 |\n| Partial success | total 7-8 |\n| Failure | otherwise |",
            false,
        ),
        (
            "| Success | total 30+ |\n| Partial success | total 7-8 |\n| Failure | otherwise |",
            false,
        ),
    ] {
        assert_eq!(
            codes(&rolled(rows)).contains(&"checks/gap"),
            is_gap,
            "{rows}"
        );
    }
}

/// A part of `{modifier}` beside it; in a pool in one sum with it.
#[test]
fn what_a_roll_counts_twice_is_reported() {
    for (roll, more, twice) in [
        ("1d20 + {modifier} + {Might}", "", "{Might}"),
        ("1d20 + {modifier} + {Climb}", "", "{Climb}"),
        (
            "({attribute} + {skill} + {modifier=0})d6",
            "",
            "{attribute} and {skill}",
        ),
        ("({Might} + {modifier})d6", "", "{Might}"),
        // No skill has Luck, so a check may add it on purpose; an asked value is no part of
        // `{modifier}`.
        ("1d20 + {modifier} + {Luck}", "", ""),
        ("{Might}d6 + {modifier}", "", ""),
        ("({attribute} + {trait})d6", "- Asks: trait 0 to 3\n", ""),
        ("{skill}d6[skill] + {modifier}d6", "", ""),
    ] {
        let reading = check(&format!("- Roll: `{roll}`\n{more}- Target: 12"), "");
        let found = reading
            .diagnostics
            .iter()
            .find(|found| found.code == "checks/counted-twice");
        let message = found.map_or(String::new(), |found| found.message.clone());
        let expected = if twice.is_empty() {
            String::new()
        } else {
            format!("`Test` counts {twice} twice")
        };
        assert_eq!(message, expected, "{roll}: {:?}", findings(&reading));
    }
}

/// Rules in which this is found, and the same in which it is not.
#[test]
fn other_forms_of_what_is_found() {
    let duel = |more: &str| {
        format!("- Roll: `{{skill}}d6`\n- Target: {{difficulty}}\n- Opposed: higher {more}")
    };
    let hurt = |more: &str| {
        format!(
            "- Roll: `2d6 + {{skill}}`\n- Target: 7\n{more}\n## Conditions\n- Hurt: disadvantage on checks"
        )
    };
    let track = |at: &str| {
        format!(
            "- Roll: `2d6 + {{skill}}`\n- Target: 7\n\n## Health\n- Hit points: max 10\n- Damage: Hit points\n- At {at} Hit points: gain Dead"
        )
    };
    for (wrong, right, code) in [
        (
            duel("successes"),
            duel("successes\n- Count: 5+"),
            "checks/missing-part",
        ),
        (duel("successes"), duel("total"), "checks/missing-part"),
        (
            hurt(""),
            hurt("- Disadvantage: `3d6kl2 + {skill}`\n"),
            "conditions/no-such-dice",
        ),
        (track("-5"), track("0"), "health/never-reached"),
        (track("0+"), track("1+"), "health/never-reached"),
    ] {
        let found = [wrong, right].map(|bullets| codes(&check(&bullets, "")));
        assert_eq!(found, [vec![code], vec![]]);
    }
    let found = |text: &str| {
        system_md(text)
            .diagnostics
            .iter()
            .map(|finding: &Diagnostic| (finding.code, finding.severity))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        found("# Tales\nWe throw 2d6 when it matters.\n"),
        [("checks/none", Severity::Note)]
    );
    assert_eq!(found(""), [("checks/none", Severity::Note)]);
}
