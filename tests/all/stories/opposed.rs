//! Two who roll against each other: who wins, and when nobody does.

use serde_json::{Value, json};

use crate::table::{Table, with};

const RULES: &str = "# Two\n\n## Skills\n- Sneak\n- Notice\n\n## Checks\n\n### Degrees\n- Roll: `1d20 + {skill}`\n- Target: `{difficulty}`\n\
     - Push: reroll all; any number of times\n\n\
     | Outcome | When |\n|---|---|\n| Superb (critical success) | margin 5+ |\n| Fine (success) | margin 0+ |\n\
     | At a price (partial success) | margin -2 to -1 |\n| Poor (failure) | margin -9 to -3 |\n| Awful (critical failure) | otherwise |\n\n\
     ### Plain\n- Roll: `1d20`\n- Target: `{skill}`\n- Succeed: at most the target\n- Push: reroll all; any number of times\n\n\
     ### Low\n- Roll: `1d20`\n- Target: `{difficulty}`\n- Succeed: at most the target\n- Push: reroll all; any number of times\n\n\
     ### Moves\n- Roll: `2d6 + {skill}`\n\n| Outcome | When |\n|---|---|\n| success | total 10+ |\n| partial success | total 7-9 |\n\
     | failure | otherwise |\n";

fn table() -> Table {
    let mut table = Table::of_rules(Some(RULES));
    for (name, skills) in [("Ann", json!({"Sneak": 10})), ("Bo", json!({"Notice": 12}))] {
        table.manage_character(json!({"action": "create", "name": name, "skills": skills})).is_fine();
    }
    table
}

fn against(check: &str) -> Value {
    let other = json!({"character": "Bo", "skill": "Notice"});
    json!({"character": "Ann", "skill": "Sneak", "check": check, "opposed_by": other})
}

/// Who wins: the one who tries, nobody, or the other.
fn ended(answer: &crate::table::Answer) -> &'static str {
    match (answer["opposed"]["won"].as_bool(), answer["opposed"]["tie"].as_bool()) {
        (Some(true), Some(false)) => "won",
        (Some(false), Some(true)) => "tie",
        (Some(false), Some(false)) => "lost",
        other => panic!("{other:?}"),
    }
}

#[test]
fn where_both_fail_nobody_wins_and_it_is_told() {
    let mut table = table();
    // Ann has 10, Bo 12; 25 is to be reached: margins -10 and -3, failures both, and one of them worse.
    let degrees = with(against("Degrees"), json!({"difficulty": 25}));
    for (dice, wins) in [
        ([5, 10], "tie"), // awful and poor
        ([9, 3], "tie"),  // poor and worse
        ([10, 8], "tie"), // poor both
        ([13, 8], "won"), // at a price is no failure
        ([15, 14], "lost"),
        ([5, 11], "lost"), // at a price wins over a failure
        ([17, 14], "won"),
        ([15, 13], "tie"), // both exactly
    ] {
        let answer = table.dice(dice).skill_check(degrees.clone());
        assert_eq!(ended(&answer), wins, "{dice:?}: {}", answer["summary"]);
        let told = answer.text("summary").contains("both fail, a tie with Bo");
        assert_eq!(told, ["failure", "critical_failure"].contains(&answer.text("outcome")) && wins == "tie");
    }
    for (check, dice, wins) in [
        ("Plain", vec![11, 13], "tie"),
        ("Plain", vec![20, 13], "tie"),
        ("Plain", vec![10, 13], "won"),
        ("Plain", vec![3, 4], "lost"),
    ] {
        let answer = table.dice(dice.clone()).skill_check(against(check));
        assert_eq!(ended(&answer), wins, "{check} {dice:?}: {}", answer["summary"]);
    }
    let low = json!({"skill": "Sneak", "opposed_by": {"character": "Bo", "skill": "Sneak"}});
    let moves =
        table.dice([1, 2, 1, 1]).skill_check(with(with(against("Moves"), low), json!({"values": {"skill": 0}})));
    assert_eq!(ended(&moves), "tie", "{}", moves["summary"]);
    table.record().is_sound();
}

#[test]
fn the_odds_of_winning_count_two_failures_as_a_tie() {
    let mut table = table();
    let odds = table.call("odds", with(against("Plain"), json!({})));
    // Ann succeeds on 1-10, Bo on 1-12; with two successes the larger margin wins.
    let (mut won, mut tie) = (0, 0);
    for (ann, bo) in (1..=20).flat_map(|ann| (1..=20).map(move |bo| (ann, bo))) {
        let (mine, theirs): (i32, i32) = (10 - ann, 12 - bo);
        match (mine >= 0, theirs >= 0) {
            (false, false) => tie += 1,
            (mine, theirs) if mine != theirs => won += u32::from(mine),
            _ if mine > theirs => won += 1,
            _ if mine == theirs => tie += 1,
            _ => {}
        }
    }
    let percent = |times: u32| format!("{:.4}", f64::from(times) / 4.0);
    assert_eq!(odds["won"]["percent"], percent(won));
    assert_eq!(odds["tie"]["percent"], percent(tie));
}

#[test]
fn a_roll_that_is_followed_is_compared_as_the_first_was() {
    let mut table = table();
    let first = table.dice([11, 13]).skill_check(against("Plain"));
    let again = |entry: &Value| json!({"again": format!("#{entry} push")});
    let worse = table.dice([20]).skill_check(again(&first["log"]));
    assert_eq!(ended(&worse), "tie", "{}", worse["summary"]);
    let better = table.dice([10]).skill_check(again(&worse["log"]));
    assert_eq!(ended(&better), "won", "{}", better["summary"]);
    // Without a difficulty the other side decides, then as before.
    let degrees = table.dice([10, 9]).skill_check(against("Degrees"));
    assert_eq!((ended(&degrees), degrees.text("outcome")), ("lost", "failure"));
    let pushed = table.dice([12]).skill_check(again(&degrees["log"]));
    assert_eq!((ended(&pushed), pushed.text("outcome")), ("won", "success"), "{}", pushed["summary"]);
    table.record().is_sound();
}

#[test]
fn where_low_is_good_and_nothing_is_to_be_reached_the_lower_roll_wins() {
    let mut table = table();
    let low = table.dice([3, 9]).skill_check(against("Low"));
    assert_eq!((ended(&low), low.text("outcome")), ("won", "success"), "{}", low["summary"]);
    let high = table.dice([9, 3]).skill_check(against("Low"));
    assert_eq!((ended(&high), high.text("outcome")), ("lost", "failure"), "{}", high["summary"]);
    let pushed = table.dice([2]).skill_check(json!({"again": format!("#{} push", high["log"])}));
    assert_eq!(ended(&pushed), "won", "{}", pushed["summary"]);
    let odds = table.call("odds", against("Low"));
    assert_eq!(odds["won"]["fraction"], "19/40");
}
