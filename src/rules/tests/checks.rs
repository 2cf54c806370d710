//! Checks written out, and the conditions of their rows.

use super::{codes, errors, findings, sound, system_md};
use crate::rules::{
    Check, Count, Facts, FollowUp, FollowUpChange, GroupFacts, Outcome, PaidFrom, SomeDice, Succeed, System,
};

fn one(checks: &str) -> Check {
    sound(&format!("## Checks\n\n### Test\n{checks}")).system.checks.remove(0)
}

/// Whether a *When* cell holds.
fn holds(when: &str, facts: &Facts) -> bool {
    let table = format!(
        "- Roll: `1d20 + 1d10[hunger]`\n- Target: `10`\n\n| Outcome | When |\n|---|---|\n| Success | {when} |\n"
    );
    let reading = system_md(&format!("## Attributes\n- Edge\n\n## Checks\n\n### Test\n{table}"));
    assert_eq!(errors(&reading), 0, "{when}: {:?}", findings(&reading));
    reading.system.checks[0].judge(facts).is_some()
}

#[test]
fn without_a_table_the_margin_decides() {
    let check = one("- Roll: `1d20 + {modifier}`\n- Target: {difficulty} or less\n");
    assert_eq!(check.succeed, Succeed::AtMost);
    assert_eq!(check.succeed.margin(7, 10), 3);
    let judged = check.judge(&Facts { margin: Some(-1), ..Facts::default() }).expect("a judgement");
    assert_eq!((judged.outcome, judged.rank, judged.label.as_str()), (Outcome::Failure, None, "failure"));
    assert_eq!(check.judge(&Facts::default()), None, "no target, no outcome");
}

#[test]
fn ranges_have_many_forms() {
    let total = |total: i64| Facts { total, ..Facts::default() };
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
fn and_binds_tighter_than_or() {
    let facts = |natural: i64, total: i64| Facts { natural: Some(natural), total, ..Facts::default() };
    let when = "natural 20 or natural 1 and total 5+";
    assert!(holds(when, &facts(20, 0)));
    assert!(holds(when, &facts(1, 5)));
    assert!(!holds(when, &facts(1, 4)));
    assert!(!holds(when, &facts(2, 9)));
    assert!(holds("total 6 or less or natural 20", &facts(20, 9)));
}

#[test]
fn what_is_not_known_never_holds() {
    assert!(!holds("margin 0+", &Facts::default()));
    assert!(!holds("margin 100 or less", &Facts::default()));
    assert!(!holds("total {Edge}+", &Facts::default()));
    assert!(holds("total {Edge=-5}+", &Facts::default()));
    assert!(!holds("`total >= 1 / total`", &Facts::default()), "no division by zero");
}

#[test]
fn faces_and_labelled_groups_are_counted() {
    let mut facts = Facts { faces: vec![6, 6, 1], pool: Some(0), ..Facts::default() };
    facts.groups.insert("hunger".into(), GroupFacts { faces: vec![1], ..GroupFacts::default() });
    assert!(holds("6s 2+ and pool 0", &facts));
    assert!(holds("hunger 1s", &facts));
    assert!(!holds("hunger 6s", &facts));
}

#[test]
fn labels_keep_the_authors_words() {
    let check = one(
        "- Roll: `2d6`\n\n| Note | Outcome | When | Cost |\n|---|---|---|---|\n| loud | Strong hit (Success) | total 10+ | none |\n| | Failure | otherwise | |\n",
    );
    let [strong, failure] = check.rows.as_slice() else { panic!("two rows") };
    assert_eq!((strong.label.as_str(), strong.canonical), ("Strong hit", Outcome::Success));
    assert_eq!(strong.text.as_deref(), Some("Note: loud\nCost: none"));
    assert_eq!((failure.label.as_str(), failure.text.as_deref()), ("Failure", None));
    assert_eq!(failure.place.full(), "System.md:9:5");
}

/// What is not read to its last word loads nothing of its check, and its name stays.
#[test]
fn a_check_that_is_not_read_to_its_last_word_is_lost() {
    let rows = [
        "10+",
        "sixes 2+",
        "margn 5+",
        "total at least 4",
        "total",
        "no successes",
        "tens digit equals units digit",
        "dominates",
        "blue width 2+",
    ];
    let table = |when| format!("\n| Outcome | When |\n|---|---|\n| Success | {when} |\n| Failure | otherwise |");
    let bullets = [
        "- Count: mostly sixes",
        "- On natural 20: hooray",
        "- On natural luck: +1 step",
        "- Opposing dice: those over there",
        "- Flag odd: oddly",
        "- Again Push: reroll the best",
        "- Again Push: reroll all; on Sundays only",
        "- Again Push: reroll all; not with Lukc\n- Again Luck: add {points}; asks points 1 to 3",
        "- Again Push: reroll all\n- Flag odd: natural 1; after Posh",
        "- Again Push: reroll all\n- Flag odd: natural 1; on Sundays",
    ];
    for line in bullets.map(str::to_owned).into_iter().chain(rows.map(table)) {
        let reading = system_md(&format!("## Checks\n### T\n- Roll: `1d20`\n- Target: `9`\n{line}\n"));
        assert_eq!(codes(&reading), ["document/not-understood"], "{line}");
        let lost: Vec<&str> = reading.system.lost_checks.iter().map(|own| own.what.as_str()).collect();
        assert_eq!((lost, reading.system.checks.len()), (vec!["T"], 0), "{line}");
    }
}

#[test]
fn each_mistake_is_found_beside_the_others() {
    let text = "## Checks\n### One\n- Rol: `1d20`\n- Target: 5\n### Two\n- Roll: `1d20`\n- Targt: `5`\n- Opposed: by luck\n\n\
                | Outcome | When |\n|---|---|\n| Great | margn 5+ |\n| Sucess (sucess) | total 3 4 |\n| Success | total 3 4 |\n";
    let reading = system_md(text);
    assert_eq!(
        codes(&reading),
        [
            "checks/no-roll",
            "document/not-a-rule",
            "document/not-a-rule",
            "document/not-understood",
            "document/not-understood",
            "document/not-understood",
            "document/not-understood",
        ]
    );
    let all = findings(&reading).join("\n");
    for help in ["did you mean `Roll`?", "did you mean `Target`?"] {
        assert!(all.contains(help), "{help} in:\n{all}");
    }
}

#[test]
fn a_check_that_cannot_be_read_is_not_replaced_by_a_default() {
    let reading = system_md("## Dice\nRoll 1d20 + modifiers.\n## Checks\n### Test\n- Roll: `1d`\n");
    assert_eq!(codes(&reading), ["document/not-understood"]);
    assert!(reading.system.checks.is_empty() && reading.system.assumptions.is_empty());
}

#[test]
fn a_margin_without_a_target_is_found() {
    let text = "## Checks\n### T\n- Roll: `1d20`\n\n| Outcome | When |\n|---|---|\n| Success | margin 0+ |\n| Failure | otherwise |\n";
    assert_eq!(codes(&system_md(text)), ["checks/no-target"]);
}

#[test]
fn hostile_conditions_are_refused() {
    let deep = |depth: usize| format!("`total >= {}1{}`", "(".repeat(depth), ")".repeat(depth));
    for when in [
        deep(500).as_str(),
        deep(2_000).as_str(),
        "total {",
        "total {}",
        "total 99999999999999999999",
        "`total >= floor()`",
        "-",
        "and",
        "`total",
    ] {
        let text = format!("## Checks\n### T\n- Roll: `1d20`\n\n| Outcome | When |\n|---|---|\n| Success | {when} |\n");
        assert_eq!(codes(&system_md(&text)), ["document/not-understood"], "{when}");
    }
}

#[test]
fn a_result_that_asks_for_its_own_margin_is_told() {
    let circular = "## Checks\n### T\n- Roll: `2d20`\n- Target: `9`\n- Result: `margin + 1`\n";
    assert_eq!(codes(&system_md(circular)), ["document/not-understood"]);
}

#[test]
fn names_are_found_folded_or_answered() {
    let text =
        "## Checks\n### Ability check\n- Roll: `1d20`\n- Target: `9`\n### Attack\n- Roll: `1d20`\n- Target: `9`\n";
    let system: System = sound(text).system;
    assert!(system.check("ABILITY-CHECK").is_ok());
    let unknown = system.check("Atack").expect_err("unknown");
    assert_eq!(
        (unknown.suggestions.as_slice(), unknown.place.as_deref()),
        (["Attack".to_owned()].as_slice(), Some("System.md:2-5"))
    );
    let unknown = system.skill("Stealth").expect_err("none at all");
    assert_eq!(unknown.to_string(), "no skill \"Stealth\": the rules declare none");
}

#[test]
fn every_bullet_of_a_check_is_read() {
    // Every bullet there is: some of them make no difference to the others, which is remarked on.
    let reading = system_md(concat!(
        "## Checks\n\n### Test\n",
        "- Roll: `({attribute} + {skill})d6`\n- With no dice: `2d6kl1`\n- Opposing dice: `2d10`\n- Target: `3`\n- Count: 4-5, 6+ as 2\n",
        "- Result: `successes + floor(6s / 2)`\n- On natural 19-20: +2 steps\n- Flag glitch: `1s >= dice / 2`\n",
        "- Again Push: reroll all but 1s, 6s; twice\n",
        "- Again Luck: subtract {points}; asks points 1 to {level}; any number of times\n",
    ));
    assert_eq!(errors(&reading), 0, "{:?}", findings(&reading));
    let check = &reading.system.checks[0];
    assert_eq!(check.count.as_ref().map(Count::describe).as_deref(), Some("4 to 5, 6+ as 2"));
    assert_eq!(check.result.as_ref().map(|own| own.text.as_str()), Some("successes + floor(6s / 2)"));
    assert_eq!((check.shifts[0].range(), check.shifts[0].steps), ("19 to 20".into(), 2));
    assert_eq!(check.flags[0].name, "glitch");
    let [push, luck] = check.follow_ups.as_slice() else { panic!("two") };
    let dice = [1, 6].map(|face| SomeDice { label: None, face: Some(face) }).to_vec();
    assert_eq!((&push.change, push.times), (&FollowUpChange::Reroll { dice: Some(dice), stay: true }, Some(2)));
    assert_eq!((luck.asks[0].range.1.to_string().as_str(), luck.times), ("{level}", None));
}

#[test]
fn a_follow_up_says_what_it_follows_and_what_it_is_never_used_with() {
    let check = one("- Roll: `2d6`\n- Target: `9`\n- Again Push: reroll all; after failure; twice\n\
         - Again Luck: add {points}; asks points 1 to 3; after failure, critical failure; not with Push; not with Help\n\
         - Again Help: add {points}; asks points 0 to 1; not with Push\n- Flag odd: natural 1; after Push\n\
         - Flag worse: natural 1; after Help\n");
    let told: Vec<String> = check.follow_ups.iter().map(FollowUp::describe).collect();
    assert_eq!(
        told,
        [
            "rerolls every die, 2 times, after failure",
            "adds {points} to the total, once, after failure, critical failure, not with Push, Help",
            "adds {points} to the total, once, not with Push",
        ]
    );
    let after: Vec<Option<&str>> = check.flags.iter().map(|flag| flag.after.as_deref()).collect();
    assert_eq!(after, [Some("Push"), Some("Help")]);
}

#[test]
fn steps_move_among_the_outcomes_of_the_table_alone() {
    let check = one("- Roll: `1d20`\n- Target: `10`\n- On natural 20: +1 step\n- On natural 1: -2 steps\n\n\
         | Outcome | When |\n|---|---|\n| Wow (critical success) | margin 8+ |\n| Fine (success) | margin 5+ |\n| Good (success) | margin 0+ |\n| Failure | otherwise |\n");
    let judge = |natural: i64, margin: i64| {
        let facts = Facts { natural: Some(natural), margin: Some(margin), ..Facts::default() };
        let judged = check.judge(&facts).expect("a judgement");
        (judged.label, judged.rank, judged.shifted.len())
    };
    assert_eq!(judge(20, 9), ("Wow".into(), Some(1), 1), "there is nothing better");
    assert_eq!(judge(20, 0), ("Wow".into(), Some(1), 1));
    assert_eq!(judge(20, -1), ("Fine".into(), Some(2), 1), "an outcome's first row names it");
    assert_eq!(judge(1, 9), ("Failure".into(), Some(4), 1));
    assert_eq!(judge(7, 0), ("Good".into(), Some(3), 0));
}

#[test]
fn a_cell_that_moves_a_track_by_what_cannot_be_read_is_told_and_moves_nothing() {
    for cell in [
        "1d4",
        "+`{total}`",
        "+`margin`",
        "one on a 5, else two",
        "1 more",
        "lots",
        "+2 boxes of Mana",
        "+{loss}",
        "{price}",
        "+9999999999",
    ] {
        let reading = system_md(&format!(
            "## Checks\n### Resist\n- Roll: `1d6`\n- Value price: `6 - highest`\n\n| Outcome | When | Stress |\n|---|---|---|\n| Success | total 6 | |\n\
             | Failure | otherwise | {cell} |\n\n## Health\n- Stress: 9 boxes\n- Damage: Stress\n"
        ));
        assert_eq!(codes(&reading), ["document/not-understood"], "{cell}");
        assert!(reading.system.checks.is_empty(), "{cell}");
    }
}

#[test]
fn a_flag_is_shown_with_the_whole_of_its_condition() {
    let reading = super::sound(
        "## Checks\n### Try\n- Roll: `2d6`\n- Flag low: `min(total, 7) = total`; after Push\n- Flag high: `max(total, 9) = total`\n\
         - Again Push: reroll all\n",
    );
    let shown: Vec<&str> = reading.system.checks[0].flags.iter().map(|own| own.when_text.as_str()).collect();
    assert_eq!(shown, ["min(total, 7) = total", "max(total, 9) = total"]);
}

#[test]
fn a_row_moves_a_track_by_what_the_check_asks_for() {
    let reading = super::sound(
        "## Checks\n### Sanity\n- Roll: `1d100`\n- Target: {Sanity} or less\n- Asks: calm 0 to 5, horror 1 to 20\n\n| Outcome | When | Sanity |\n|---|---|---|\n\
         | Success | margin 0+ | -{calm} |\n| Failure | otherwise | -{horror} |\n\n## Health\n- Sanity: max 99\n- Damage: Sanity\n",
    );
    let check = &reading.system.checks[0];
    let moves = check.rows.iter().flat_map(|row| &row.moves);
    let by: Vec<Option<String>> = moves.map(|own| own.amount().map(ToString::to_string)).collect();
    assert_eq!(by, ["{calm}", "{horror}"].map(|own| Some(own.to_owned())));
    assert_eq!(check.values.iter().map(|own| own.name.as_str()).collect::<Vec<_>>(), ["calm", "horror"]);
}

#[test]
fn what_a_row_takes_off_a_track_that_fills_is_shown_with_its_sign() {
    let reading = super::sound(
        "## Checks\n### Try\n- Roll: `1d20`\n- Target: `12`\n\n| Outcome | When | Stress |\n|---|---|---|\n| Success | margin 0+ | -1 |\n\
         | Failure | otherwise | +1 |\n\n## Health\n- Stress: 5 boxes\n- Damage: Stress\n",
    );
    let moves = reading.system.checks[0].rows.iter().flat_map(|row| &row.moves);
    assert_eq!(moves.map(|own| own.text.as_str()).collect::<Vec<_>>(), ["Stress: -1", "Stress: +1"]);
}

#[test]
fn what_a_check_costs_is_known_before_its_dice_or_a_finding() {
    let read = |costs: &str| {
        let asks = if costs.contains("effort") { "- Asks: effort 1 to 3\n" } else { "" };
        system_md(&format!(
            "## Attributes\n- Might\n- Wits\n\n## Checks\n### Try\n- Roll: `1d20 + {{Might}}`\n- Target: `12`\n{asks}- Costs: {costs}\n\n## Health\n- Stress: 9 boxes\n- Damage: Stress\n"
        ))
    };
    for (costs, amount) in [("Stress +1", "1"), ("stress +2.", "2"), ("Stress +`2 * {effort=1}`", "2 * {effort=1}")] {
        let reading = read(costs);
        assert_eq!(codes(&reading), Vec::<&str>::new(), "{costs}");
        let own = &reading.system.checks[0].costs[0];
        let from = PaidFrom::Track { name: "Stress".to_owned(), shared: false };
        assert_eq!((own.amount.text.as_str(), &own.from), (amount, &from), "{costs}");
    }
    for costs in ["Mana +1", "{attribute} -2", "Stress +`natural`", "Stress +`2 *`", "much"] {
        let reading = read(costs);
        assert_eq!(codes(&reading), ["document/not-understood"], "{costs}");
        assert!(reading.system.checks.is_empty(), "{costs}");
    }
}
