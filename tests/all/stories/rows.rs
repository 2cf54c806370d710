//! Rows of an outcome table that move a track, also one that all share, and checks for who is in a
//! certain state.

use serde_json::{Value, json};

use crate::table::{Answer, Table, has};

/// Rows of an outcome table that move a track, and checks for who is in a certain state.
const RULES: &str = "# Rows\n\n## Attributes\n- Body\n- Range: 1 to 9\n\n## Checks\n\n### Death save\n- Roll: `1d20`\n- Target: `10`\n\
     - While: {Dying}\n- Again Luck: add {points}; asks points 1 to 5\n\n| Outcome | When | Saves made | Saves failed | Hit points |\n|---|---|---|---|---|\n\
     | Up (critical success) | natural 20 | to 0 | to 0 | +1 |\n| Slipping (critical failure) | natural 1 | | +2 | |\n\
     | Holding (success) | margin 0+ | +1 | | |\n| Failing (failure) | otherwise | | +1 | |\n\n\
     ### Push on\n- Roll: `1d20 + {modifier}`\n- Target: `{difficulty}`\n\n| Outcome | When | Stress |\n|---|---|---|\n\
     | Success | margin 0+ | |\n| Failure | otherwise | +1 |\n\n## Health\n- Hit points: max 10\n- Damage: Hit points\n\
     - Saves made: 3 boxes, full: gain Stable\n- Saves failed: 3 boxes, full: gain Dead\n- Stress: 2 boxes, full: gain spent\n\
     - At 0 Hit points: gain Dying\n- At 1+ Hit points: Saves made to 0, Saves failed to 0\n\n## Conditions\n- spent\n";

fn ann() -> Table {
    Table::of_people(RULES, &["Ann"], json!({"attributes": {"Body": 4}}))
}

fn dying() -> Table {
    let mut table = ann();
    table
        .apply_damage(json!({"target": "Ann", "amount": 10}))
        .is_fine();
    table
}

fn save(table: &mut Table, die: i64) -> Answer {
    table
        .dice([die])
        .skill_check(json!({"character": "Ann", "check": "Death save"}))
}

/// No die falls.
fn refused(table: &mut Table) -> String {
    table
        .skill_check(json!({"character": "Ann", "check": "Death save"}))
        .refused("not_while")["summary"]
        .to_string()
}

#[test]
fn a_death_save_marks_its_box_in_the_same_call() {
    let mut table = dying();
    let failed = save(&mut table, 5);
    assert_eq!(
        failed["tracks"],
        json!([{"name": "Saves failed", "before": 0, "after": 1, "max": 3}])
    );
    for text in ["summary", "player_text"] {
        let words = failed[text].to_string();
        assert!(words.contains("Saves failed 0 to 1/3"), "{words}");
    }
    save(&mut table, 12).is_fine();
    let last = save(&mut table, 1);
    assert_eq!(last["triggers"], json!(["gain Dead"]), "{}", last.value());
    assert!(
        last["summary"].to_string().contains("dead"),
        "{}",
        last.value()
    );
    refused(&mut table);
    table.manage_session(json!({"action": "undo"})).is_fine();
    let made = save(&mut table, 12);
    assert_eq!(
        made["tracks"][0],
        json!({"name": "Saves made", "before": 1, "after": 2, "max": 3})
    );
}

#[test]
fn a_natural_20_gives_a_hit_point_and_clears_the_boxes() {
    let mut table = dying();
    save(&mut table, 5).is_fine();
    let up = save(&mut table, 20);
    assert!(
        up["summary"].to_string().contains("Hit points 0 to 1/10"),
        "{}",
        up.value()
    );
    assert!(
        up["summary"].to_string().contains("Saves failed 1 to 0/3"),
        "{}",
        up.value()
    );
    refused(&mut table);
}

#[test]
fn who_is_not_dying_rolls_no_death_save() {
    let mut table = ann();
    let summary = refused(&mut table);
    assert!(summary.contains("is not dying"), "{summary}");
}

#[test]
fn luck_on_a_death_save_takes_the_first_mark_back() {
    let mut table = dying();
    save(&mut table, 8).is_fine();
    let lucky = table
        .skill_check(json!({"character": "Ann", "again": "last luck", "values": {"points": 2}}));
    let expected = json!([{"name": "Saves made", "before": 0, "after": 1, "max": 3}]);
    assert_eq!(lucky["tracks"], expected, "{}", lucky.value());
    assert!(
        lucky["adjustments"]
            .to_string()
            .contains("Saves failed 1 to 0, taken back from"),
        "{}",
        lucky.value()
    );
    table.manage_session(json!({"action": "undo"})).is_fine();
    let failed = save(&mut table, 5);
    assert_eq!(
        failed["tracks"][0]["before"], 1,
        "the undo brings the first mark back"
    );
}

#[test]
fn luck_takes_the_mark_back_that_was_death() {
    let mut table = dying();
    for _ in 0..3 {
        save(&mut table, 8).is_fine();
    }
    let lucky = table
        .skill_check(json!({"character": "Ann", "again": "last luck", "values": {"points": 2}}));
    assert_eq!(lucky["outcome"], "success");
    let now = save(&mut table, 5);
    assert_eq!(now["triggers"], json!(["gain Dead"]), "{}", now.value());
}

#[test]
fn a_failure_costs_stress_and_a_full_row_is_noted() {
    let mut table = ann();
    let fail = |table: &mut Table| {
        table.dice([2]).skill_check(
            json!({"character": "Ann", "check": "Push on", "attribute": "Body", "difficulty": 15}),
        )
    };
    assert_eq!(fail(&mut table)["tracks"][0]["after"], 1);
    assert_eq!(fail(&mut table)["triggers"], json!(["gain spent"]));
    let full = fail(&mut table);
    assert!(
        full["noted"].to_string().contains("Stress stays as it is"),
        "{}",
        full.value()
    );
}

#[test]
fn an_opposed_death_save_moves_what_the_outcome_says_once() {
    let mut table = dying();
    table.create("Death", json!({"attributes": {"Body": 4}}));
    let call = json!({"character": "Ann", "check": "Death save", "opposed_by": {"character": "Death", "check": "Push on", "attribute": "Body"}});
    let lost = table.dice([8, 9]).skill_check(call.clone());
    assert_eq!(lost["opposed"]["won"], false);
    assert_eq!(
        lost["tracks"],
        json!([{"name": "Saves failed", "before": 0, "after": 1, "max": 3}])
    );
    let won = table.dice([12, 3]).skill_check(call.clone());
    assert_eq!(won["opposed"]["won"], true);
    assert_eq!(
        won["tracks"],
        json!([{"name": "Saves made", "before": 0, "after": 1, "max": 3}])
    );
    let other = table.get_character(json!({"character": "Death"}));
    assert!(
        other.text("summary").contains("Stress 0/2"),
        "the other's boxes stay: {}",
        other.value()
    );
    table
        .apply_damage(json!({"target": "Ann", "amount": -3}))
        .is_fine();
    table.skill_check(call).refused("not_while");
}

#[test]
fn in_an_opposed_check_each_sides_row_moves_its_own_tracks() {
    let mut table = Table::of_rules(Some(&RULES.replace("`{difficulty}`", "10")));
    for name in ["Ann", "Bo"] {
        table
            .manage_character(json!({"action": "create", "name": name, "attributes": {"Body": 4}}))
            .is_fine();
    }
    let call = json!({
        "character": "Ann", "check": "Push on", "attribute": "Body",
        "opposed_by": {"character": "Bo", "check": "Push on", "attribute": "Body"}
    });
    let won = table.dice([12, 3]).skill_check(call.clone());
    assert_eq!(won["opposed"]["won"], true, "{}", won.value());
    let stress = |table: &mut Table, name: &str| {
        let summary = table
            .get_character(json!({"character": name}))
            .text("summary")
            .to_owned();
        summary
            .split("Stress ")
            .nth(1)
            .map(|rest| rest[..1].to_owned())
    };
    assert_eq!(
        [stress(&mut table, "Ann"), stress(&mut table, "Bo")],
        [Some("0".into()), Some("1".into())]
    );
    table.dice([3, 12]).skill_check(call).is_fine();
    assert_eq!(
        [stress(&mut table, "Ann"), stress(&mut table, "Bo")],
        [Some("1".into()), Some("1".into())]
    );
}

#[test]
fn a_hidden_death_save_hides_its_mark() {
    let mut table = dying();
    let hidden = json!({"character": "Ann", "check": "Death save", "visibility": "gm"});
    let failed = table.dice([5]).skill_check(hidden.clone());
    assert_eq!(failed["tracks"][0]["after"], 1);
    let seen = failed["player_text"].to_string();
    assert!(
        !seen.contains("Saves failed") && !seen.contains("Ann"),
        "{seen}"
    );
    table.dice([5]).skill_check(hidden).is_fine();
    let dead = save(&mut table, 5);
    assert_eq!(dead["triggers"], json!(["gain Dead"]), "{}", dead.value());
}

#[test]
fn a_character_healed_between_two_saves_begins_anew() {
    let mut table = dying();
    save(&mut table, 5).is_fine();
    save(&mut table, 12).is_fine();
    table
        .apply_damage(json!({"target": "Ann", "amount": -3}))
        .is_fine();
    assert!(refused(&mut table).contains("is not dying"));
    table
        .apply_damage(json!({"target": "Ann", "amount": 3}))
        .is_fine();
    let failed = save(&mut table, 5);
    assert_eq!(
        failed["tracks"],
        json!([{"name": "Saves failed", "before": 0, "after": 1, "max": 3}])
    );
}

#[test]
fn a_roll_whose_mark_was_healed_since_is_followed_no_more() {
    let mut table = dying();
    save(&mut table, 8).is_fine();
    table
        .apply_damage(json!({"target": "Ann", "amount": -3}))
        .is_fine();
    table
        .apply_damage(json!({"target": "Ann", "amount": 3}))
        .is_fine();
    let lucky = table
        .skill_check(json!({"character": "Ann", "again": "last luck", "values": {"points": 2}}));
    lucky.refused_with("changed_since", &["Saves failed"]);
}

#[test]
fn the_advice_of_a_refused_check_can_be_followed() {
    let rules = RULES.replace("{Dying}", "{Hit points} 0");
    let mut table = Table::of_people(&rules, &["Ann"], json!({"attributes": {"Body": 4}}));
    let summary = refused(&mut table);
    assert!(
        summary.contains(r#"apply_damage target=\"Ann\" track=\"Hit points\" amount=10 first"#),
        "{summary}"
    );
    table
        .apply_damage(json!({"target": "Ann", "track": "Hit points", "amount": 10}))
        .is_fine();
    save(&mut table, 12).is_fine();

    let rules = RULES.replace("{Dying}", "{Stress} 1+");
    let mut table = Table::of_people(&rules, &["Ann"], json!({"attributes": {"Body": 4}}));
    let summary = refused(&mut table);
    assert!(
        summary.contains(r#"track=\"Stress\" amount=1 first"#),
        "{summary}"
    );
    table
        .apply_damage(json!({"target": "Ann", "track": "Stress", "amount": 1}))
        .is_fine();
    save(&mut table, 12).is_fine();

    let mut table = ann();
    assert!(refused(&mut table).contains(r#"condition=\"dying\" first"#));
    table
        .manage_character(
            json!({"action": "add_condition", "character": "Ann", "condition": "dying"}),
        )
        .is_fine();
    save(&mut table, 12).is_fine();
}

#[test]
fn to_0_empties_a_track_whichever_way_it_counts() {
    let rules = "# Rows\n\n## Attributes\n- Body\n\n## Checks\n\n### Try\n- Roll: `1d6`\n\n\
        | Outcome | When | Oil | Stress | Luck | Supplies |\n|---|---|---|---|---|---|\n\
        | Success | total 4+ | to 0 | to 0 | to 0 | to 0 |\n| Failure | otherwise | | | | |\n\n\
        ## Health\n- Oil: max 6\n- Stress: 5 boxes\n- Luck: from -6 to 10, start 4\n- Damage: none\n- Short rest: Luck to 0\n- At 0 Oil: gain in the dark\n\n\
        ## Company\n- Supplies: max 8\n\n## Conditions\n- in the dark\n";
    let mut table = Table::of_people(rules, &["Ann"], json!({"attributes": {"Body": 4}}));
    table
        .apply_damage(json!({"target": "Ann", "track": "Stress", "amount": 3}))
        .is_fine();
    let made = table.dice([6]).skill_check(json!({"character": "Ann"}));
    let tracks = made["tracks"].as_array().expect("tracks");
    let moved: Vec<[i64; 2]> = tracks
        .iter()
        .map(|track| ["before", "after"].map(|field| track[field].as_i64().expect("a number")))
        .collect();
    assert_eq!(moved, [[6, 0], [3, 0], [4, 0]], "{}", made.value());
    assert_eq!(made["conditions"], json!(["in the dark"]));
    assert!(
        made.text("summary").contains("Supplies 8 to 0/8"),
        "{}",
        made.value()
    );
    table
        .apply_damage(json!({"target": "Ann", "track": "Luck", "amount": 3}))
        .is_fine();
    table
        .manage_character(json!({"action": "rest", "character": "Ann"}))
        .is_fine();
    let sheet = table.get_character(json!({"character": "Ann"}))["character"]["tracks"].clone();
    assert_eq!(sheet[2]["value"], 0, "{sheet}");
}

/// Columns of an outcome table that are named like a clock or a track that all share.
const SHARED_RULES: &str = "# Mine\n\n## Checks\n\n### Sneak\n- Roll: `1d6 + {modifier}`\n- Target: `4`\n- Again Push: reroll all; after failure; twice\n\n\
    | Outcome | When | Alarm | Supplies | The thing below | Nerve |\n|---|---|---|---|---|---|\n\
    | Success | total 4+ | | +1 | | |\n\
    | Failure | otherwise | +2 | -1 | +1 | -1 |\n\n\
    ### Bare\n- Roll: `1d6`\n\n| Outcome | When | Alarm |\n|---|---|---|\n| Success | total 4+ | to 0 |\n| Failure | otherwise | to max |\n\n\
    ## Health\n- Nerve: max 3\n- Damage: Nerve\n\n\
    ## Company\n- Supplies: max 10\n- Alarm: 6 boxes, full: *the watch comes*\n  - At 2: gain Watched, Flooding +1\n\n\
    ## Clocks\n- Flooding: 6 boxes\n- The thing below: 4 boxes, hidden, full: *it is here*\n\n## Conditions\n- Watched: -1 on checks\n";

fn mine() -> Table {
    Table::of_people(SHARED_RULES, &["Ann", "Bo"], json!({"kind": "player"}))
}

fn company(table: &mut Table) -> Value {
    let shared = table.get_character(json!({"character": "company"}))["company"].clone();
    shared
        .as_array()
        .expect("a list")
        .iter()
        .map(|row| row["value"].clone())
        .collect()
}

const FRESH: [i64; 4] = [10, 0, 0, 0];

#[test]
fn the_row_moves_what_all_share_in_the_same_call() {
    let mut table = mine();
    let failed = table
        .dice([2])
        .skill_check(json!({"character": "Ann", "check": "Sneak"}));
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
    has(
        players,
        &["Alarm 0 to 2/6 (Sneak, Failure).", "Supplies 10 to 9/10"],
    );
    assert!(!players.contains("thing below"), "{players}");
    assert_eq!(
        failed["row_text"], "Alarm: +2\nSupplies: -1\nNerve: -1",
        "players read the row"
    );
    table.manage_session(json!({"action": "undo"})).is_fine();
    assert_eq!(
        company(&mut table),
        json!(FRESH),
        "the whole call is taken back"
    );
    let fine = table
        .dice([5])
        .skill_check(json!({"character": "Ann", "check": "Sneak"}));
    let stays = "Supplies stays as it is: Supplies: +1 (System.md:12) finds no room to move it";
    assert!(fine.value().to_string().contains(stays), "{}", fine.value());
}

#[test]
fn a_roll_that_follows_takes_back_what_the_first_one_moved() {
    let mut table = mine();
    let first = table
        .dice([2])
        .skill_check(json!({"character": "Ann", "check": "Sneak"}))["log"]
        .clone();
    let pushed = table
        .dice([6])
        .skill_check(json!({"character": "Ann", "again": format!("#{first} push")}));
    assert_eq!(pushed.text("label"), "Success");
    assert_eq!(
        pushed["log"], pushed["entries"][0],
        "the check comes first, so that it can be followed by its number"
    );
    assert_eq!(company(&mut table), json!(FRESH), "{}", pushed.value());
    let summary = pushed.text("summary");
    assert!(
        summary.contains("Alarm 2 to 0/6, taken back.") && summary.contains("Flooding 1 to 0/6"),
        "{summary}"
    );
    let players = pushed.text("player_text");
    assert!(
        players.contains("Alarm 2 to 0/6, taken back.") && !players.contains("thing below"),
        "{players}"
    );
    for who in ["Ann", "Bo"] {
        let sheet = table.get_character(json!({"character": who, "view": "full"}));
        assert_eq!(sheet["character"]["conditions"], json!([]), "{who}");
    }
    table.manage_session(json!({"action": "undo"})).is_fine();
    assert_eq!(
        company(&mut table),
        json!([9, 2, 1, 1]),
        "as the first roll left it"
    );
    let worse = table
        .dice([1])
        .skill_check(json!({"character": "Ann", "again": format!("#{first} push")}));
    assert_eq!(
        company(&mut table)[1],
        2,
        "once, not twice: {}",
        worse.value()
    );
}

#[test]
fn a_clock_that_moved_since_is_not_taken_back() {
    let mut table = mine();
    let first = table
        .dice([2])
        .skill_check(json!({"character": "Ann", "check": "Sneak"}))["log"]
        .clone();
    table
        .manage_session(json!({"action": "clock", "name": "Alarm", "tick": 1}))
        .is_fine();
    let refused = table.skill_check(json!({"character": "Ann", "again": format!("#{first} push")}));
    refused.refused_with("changed_since", &["moved Alarm, which changed since"]);
}

#[test]
fn nobody_need_roll_and_an_opponents_row_moves_nothing_of_all() {
    let mut table = Table::of_rules(Some(SHARED_RULES));
    let bad = table.dice([1]).skill_check(json!({"check": "Bare"}));
    assert_eq!(company(&mut table)[1], 6, "{}", bad.value());
    table
        .dice([5])
        .skill_check(json!({"check": "Bare"}))
        .is_fine();
    assert_eq!(company(&mut table)[1], 0);
    let mut table = mine();
    let contest = json!({"character": "Ann", "check": "Sneak", "opposed_by": {"name": "Bo", "check": "Sneak"}});
    let won = table.dice([6, 1]).skill_check(contest);
    assert_eq!(company(&mut table)[1], 0, "{}", won.value());
}

#[test]
fn what_players_do_not_see_of_the_check_they_do_not_see_of_the_clock() {
    for (visibility, shown) in [
        ("gm", None),
        (
            "outcome_only",
            Some(". Alarm 0 to 2/6 (Sneak, Failure). Ann is now"),
        ),
    ] {
        let mut table = mine();
        let call = json!({"character": "Ann", "check": "Sneak", "visibility": visibility});
        let failed = table.dice([2]).skill_check(call);
        match shown {
            None => assert_eq!(failed["player_text"], Value::Null, "{}", failed.value()),
            Some(shown) => assert!(
                failed.text("player_text").contains(shown),
                "{}",
                failed.value()
            ),
        }
    }
}

#[test]
fn a_chain_of_triggers_as_long_as_rules_may_be_ends_and_is_taken_back() {
    let clocks: String = (0..1000)
        .map(|at| {
            format!(
                "- C{at}x: 1 box{}\n",
                if at < 999 {
                    format!(", full: C{}x +1", at + 1)
                } else {
                    String::new()
                }
            )
        })
        .collect();
    let mut table = Table::of_rules(Some(&format!(
        "# T\n\n## Dice\nRoll 1d20 + modifiers.\n\n## Clocks\n{clocks}"
    )));
    let moved = table.manage_session(json!({"action": "clock", "name": "C0x", "tick": 1}));
    assert_eq!(
        moved["clock"]["triggers"].as_array().map(Vec::len),
        Some(999)
    );
    assert_eq!(
        company(&mut table)
            .as_array()
            .map(|all| all.iter().filter(|value| **value == 1).count()),
        Some(1000)
    );
    table.manage_session(json!({"action": "undo"})).is_fine();
    assert_eq!(
        company(&mut table)
            .as_array()
            .map(|all| all.iter().filter(|value| **value == 1).count()),
        Some(0)
    );
}
