//! Columns of an outcome table that are named like a clock or a track that all share.

use serde_json::{Value, json};

use crate::table::Table;

const RULES: &str = "# Mine\n\n## Checks\n\n### Sneak\n- Roll: `1d6 + {modifier}`\n- Target: `4`\n- Again Push: reroll all; after failure; twice\n\n\
    | Outcome | When | Alarm | Supplies | The thing below | Nerve |\n|---|---|---|---|---|---|\n\
    | Success | total 4+ | | +1 | | |\n\
    | Failure | otherwise | +2 | -1 | +1 | -1 |\n\n\
    ### Bare\n- Roll: `1d6`\n\n| Outcome | When | Alarm |\n|---|---|---|\n| Success | total 4+ | to 0 |\n| Failure | otherwise | to max |\n\n\
    ## Health\n- Nerve: max 3\n- Damage: Nerve\n\n\
    ## Company\n- Supplies: max 10\n- Alarm: 6 boxes, full: *the watch comes*\n  - At 2: gain Watched, Flooding +1\n\n\
    ## Clocks\n- Flooding: 6 boxes\n- The thing below: 4 boxes, hidden, full: *it is here*\n\n## Conditions\n- Watched: -1 on checks\n";

fn mine() -> Table {
    let mut table = Table::of_rules(Some(RULES));
    for name in ["Ann", "Bo"] {
        table.manage_character(json!({"action": "create", "name": name, "kind": "player"})).is_fine();
    }
    table
}

fn company(table: &mut Table) -> Value {
    let shared = table.get_character(json!({"character": "company"}))["company"].clone();
    shared.as_array().expect("a list").iter().map(|own| own["value"].clone()).collect()
}

const FRESH: [i64; 4] = [10, 0, 0, 0];

#[test]
fn the_row_moves_what_all_share_in_the_same_call() {
    let mut table = mine();
    let failed = table.dice([2]).skill_check(json!({"character": "Ann", "check": "Sneak"}));
    let summary = failed.text("summary");
    for part in [
        "Alarm 0 to 2/6 (Sneak, Failure): gain Watched, Flooding +1.",
        "Ann (Alarm) is now Watched.",
        "Bo (Alarm) is now Watched.",
        "Flooding 0 to 1/6.",
        "Supplies 10 to 9/10 (Sneak, Failure).",
        "The thing below 0 to 1/4 (Sneak, Failure).",
        "Nerve 3 to 2/3",
    ] {
        assert!(summary.contains(part), "{part} in {summary}");
    }
    let players = failed.text("player_text");
    assert!(
        players.contains("Alarm 0 to 2/6 (Sneak, Failure).") && players.contains("Supplies 10 to 9/10"),
        "{players}"
    );
    assert!(!players.contains("thing below"), "{players}");
    assert_eq!(failed["row_text"], "Alarm: +2\nSupplies: -1\nNerve: -1", "players read the row");
    table.manage_session(json!({"action": "undo"})).is_fine();
    assert_eq!(company(&mut table), json!(FRESH), "the whole call is taken back");
    let fine = table.dice([5]).skill_check(json!({"character": "Ann", "check": "Sneak"}));
    let stays = "Supplies stays as it is: Supplies: +1 (System.md:12) finds no room to move it";
    assert!(fine.value().to_string().contains(stays), "{}", fine.value());
    table.record().is_sound();
}

#[test]
fn a_roll_that_follows_takes_back_what_the_first_one_moved() {
    let mut table = mine();
    let first = table.dice([2]).skill_check(json!({"character": "Ann", "check": "Sneak"}))["log"].clone();
    let pushed = table.dice([6]).skill_check(json!({"character": "Ann", "again": format!("#{first} push")}));
    assert_eq!(pushed.text("label"), "Success");
    assert_eq!(pushed["log"], pushed["entries"][0], "the check comes first, so that it can be followed by its number");
    assert_eq!(company(&mut table), json!(FRESH), "{}", pushed.value());
    let summary = pushed.text("summary");
    assert!(summary.contains("Alarm 2 to 0/6, taken back.") && summary.contains("Flooding 1 to 0/6"), "{summary}");
    let players = pushed.text("player_text");
    assert!(players.contains("Alarm 2 to 0/6, taken back.") && !players.contains("thing below"), "{players}");
    for who in ["Ann", "Bo"] {
        let sheet = table.get_character(json!({"character": who, "view": "full"}));
        assert_eq!(sheet["character"]["conditions"], json!([]), "{who}");
    }
    table.manage_session(json!({"action": "undo"})).is_fine();
    assert_eq!(company(&mut table), json!([9, 2, 1, 1]), "as the first roll left it");
    let worse = table.dice([1]).skill_check(json!({"character": "Ann", "again": format!("#{first} push")}));
    assert_eq!(company(&mut table)[1], 2, "once, not twice: {}", worse.value());
    table.record().is_sound();
}

#[test]
fn a_clock_that_moved_since_is_not_taken_back() {
    let mut table = mine();
    let first = table.dice([2]).skill_check(json!({"character": "Ann", "check": "Sneak"}))["log"].clone();
    table.manage_session(json!({"action": "clock", "name": "Alarm", "tick": 1})).is_fine();
    let refused = table.skill_check(json!({"character": "Ann", "again": format!("#{first} push")}));
    let summary = refused.refused("changed_since")["summary"].to_string();
    assert!(summary.contains("moved Alarm, which changed since"), "{summary}");
}

#[test]
fn nobody_need_roll_and_an_opponents_row_moves_nothing_of_all() {
    let mut table = Table::of_rules(Some(RULES));
    let bad = table.dice([1]).skill_check(json!({"check": "Bare"}));
    assert_eq!(company(&mut table)[1], 6, "{}", bad.value());
    table.dice([5]).skill_check(json!({"check": "Bare"})).is_fine();
    assert_eq!(company(&mut table)[1], 0);
    let mut table = mine();
    let contest = json!({"character": "Ann", "check": "Sneak", "opposed_by": {"name": "Bo", "check": "Sneak"}});
    let won = table.dice([6, 1]).skill_check(contest);
    assert_eq!(company(&mut table)[1], 0, "{}", won.value());
}

#[test]
fn what_players_do_not_see_of_the_check_they_do_not_see_of_the_clock() {
    for (visibility, told) in [("gm", None), ("outcome_only", Some(". Alarm 0 to 2/6 (Sneak, Failure). Ann is now"))] {
        let mut table = mine();
        let call = json!({"character": "Ann", "check": "Sneak", "visibility": visibility});
        let failed = table.dice([2]).skill_check(call);
        match told {
            None => assert_eq!(failed["player_text"], Value::Null, "{}", failed.value()),
            Some(told) => assert!(failed.text("player_text").contains(told), "{}", failed.value()),
        }
    }
}

#[test]
fn a_chain_of_triggers_as_long_as_rules_may_be_ends_and_is_taken_back() {
    let clocks: String = (0..1000)
        .map(|at| {
            format!("- C{at}x: 1 box{}\n", if at < 999 { format!(", full: C{}x +1", at + 1) } else { String::new() })
        })
        .collect();
    let mut table = Table::of_rules(Some(&format!("# T\n\n## Dice\nRoll 1d20 + modifiers.\n\n## Clocks\n{clocks}")));
    let moved = table.manage_session(json!({"action": "clock", "name": "C0x", "tick": 1}));
    assert_eq!(moved["clock"]["triggers"].as_array().map(Vec::len), Some(999));
    assert_eq!(company(&mut table).as_array().map(|all| all.iter().filter(|own| **own == 1).count()), Some(1000));
    table.manage_session(json!({"action": "undo"})).is_fine();
    assert_eq!(company(&mut table).as_array().map(|all| all.iter().filter(|own| **own == 1).count()), Some(0));
}
