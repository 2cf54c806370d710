//! Checks: a lock, a noise, numbers by level, score and wounds; and all that decides one.

use serde_json::{Value, json};

use crate::table::{Answer, Table, has, with};

#[test]
fn a_lock_is_picked_and_every_number_says_where_it_came_from() {
    let mut table = Table::with_party();
    let check = table.dice([13]).skill_check(json!({
        "character": "Sabeth", "skill": "Lockpicking", "difficulty": 15, "modifier": -1, "context": "the harbour-master's lock",
    }));
    let wanted = json!([
        {"name": "Dexterity", "value": 2, "from": "score 15, System.md:29"},
        {"name": "Lockpicking", "value": 3, "from": "Sabeth's sheet, System.md:45"},
        {"name": "situational", "value": -1, "from": "the call"},
    ]);
    assert_eq!(check["modifiers"], wanted);
    assert_eq!(check["modifier"], 4);
    assert_eq!(check["roll"]["total"], 17);
    assert_eq!(check["roll"]["individual_rolls"], json!([13]));
    assert_eq!(check["difficulty"], 15);
    assert_eq!(check["target"], 15);
    assert_eq!(check["margin"], 2);
    assert_eq!(check["outcome"], "success");
    assert_eq!(check["rule"], "System.md:80");
    let expected = "Sabeth, Lockpicking (the harbour-master's lock): 1d20: [13]; + 4 = 17 against 15: success by 2.";
    assert_eq!(check["summary"], expected);
    assert_eq!(check["player_text"], check["summary"]);
}

#[test]
fn the_number_itself_is_enough_and_one_less_is_not() {
    let mut table = Table::with_party();
    let pick = json!({"character": "Sabeth", "skill": "Lockpicking", "difficulty": 15});
    let enough = table.dice([10]).skill_check(pick.clone());
    assert_eq!(
        (&enough["outcome"], &enough["margin"]),
        (&json!("success"), &json!(0))
    );
    let short = table.dice([9]).skill_check(pick);
    assert_eq!(
        (&short["outcome"], &short["margin"]),
        (&json!("failure"), &json!(-1))
    );
}

#[test]
fn who_never_learned_a_skill_has_the_attribute_alone() {
    let mut table = Table::with_party();
    let check = table
        .dice([10])
        .skill_check(json!({"character": "Jory", "skill": "Lockpicking", "difficulty": 12}));
    let expected = json!([
        {"name": "Dexterity", "value": 1, "from": "score 12, System.md:29"},
        {"name": "Lockpicking", "value": 0, "from": "untrained, System.md:45"},
    ]);
    assert_eq!(check["modifiers"], expected);
    assert_eq!(check["outcome"], "failure");
}

#[test]
fn a_low_score_takes_away() {
    let mut table = Table::with_party();
    let check = table
        .dice([10])
        .skill_check(json!({"character": "Jory", "attribute": "INT", "difficulty": 9}));
    assert_eq!(check["modifiers"][0]["value"], -1);
    assert_eq!(
        (&check["roll"]["total"], &check["outcome"]),
        (&json!(9), &json!("success"))
    );
}

#[test]
fn advantage_keeps_the_higher_disadvantage_the_lower_and_both_cancel() {
    let mut table = Table::with_party();
    let edged = |edge: Value| {
        with(
            json!({"character": "Sabeth", "skill": "Lockpicking", "difficulty": 15}),
            edge,
        )
    };
    let high = table
        .dice([7, 15])
        .skill_check(edged(json!({"advantage": true})));
    assert_eq!(
        (&high["roll"]["total"], &high["roll"]["individual_rolls"]),
        (&json!(20), &json!([7, 15]))
    );
    let low = table
        .dice([15, 7])
        .skill_check(edged(json!({"disadvantage": true})));
    assert_eq!(
        (&low["roll"]["total"], &low["roll"]["individual_rolls"]),
        (&json!(12), &json!([15, 7]))
    );
    let both = table
        .dice([9])
        .skill_check(edged(json!({"advantage": true, "disadvantage": true})));
    assert_eq!(
        (&both["roll"]["total"], &both["roll"]["individual_rolls"]),
        (&json!(14), &json!([9]))
    );
}

#[test]
fn a_hidden_perception_roll_says_nothing_to_players() {
    let mut table = Table::with_party();
    let hidden = table.dice([17]).skill_check(json!({
        "character": "Jory", "skill": "Perception", "difficulty": 12, "visible": false, "context": "the boat in the reeds",
    }));
    assert_eq!(hidden["player_text"], Value::Null, "absent, not blank");
    assert_eq!(hidden["roll"]["visibility"], "gm");
    assert_eq!(hidden["roll"]["visible"], false);
    assert!(
        hidden.text("summary").contains("success by 8"),
        "the GM reads it all: {}",
        hidden["summary"]
    );

    let record = table.record();
    let seq = hidden.number("log");
    let rows = record.rows(&format!(
        "select cast(public as text) as public, visibility from log where seq = {seq}"
    ));
    assert_eq!(
        rows,
        [json!({"public": format!("{{\"hidden\":true,\"seq\":{seq}}}"), "visibility": "gm"})]
    );
    assert_eq!(
        record.rows(&format!("select visible from rolls where seq = {seq}")),
        [json!({"visible": 0})]
    );
}

#[test]
fn between_hidden_and_public_players_learn_what_was_allowed_and_no_more() {
    let mut table = Table::with_party();
    let call = |visibility: &str| json!({"character": "Jory", "skill": "Perception", "difficulty": 12, "visibility": visibility});
    let blind = table.dice([17]).skill_check(call("blind"));
    assert_eq!(blind["player_text"], "Dice fall behind the screen.");
    let outcome = table.dice([17]).skill_check(call("outcome_only"));
    assert_eq!(outcome["player_text"], "Jory, Perception: success.");
    for answer in [blind, outcome] {
        let seq = answer.number("log");
        let public = table.record().rows(&format!(
            "select cast(public as text) as public from log where seq = {seq}"
        ));
        let public: Value =
            serde_json::from_str(public[0]["public"].as_str().expect("text")).expect("JSON");
        assert_eq!(public["rolls"], Value::Null);
        assert!(
            !public["text"]
                .as_str()
                .expect("text")
                .contains(char::is_numeric),
            "{public}"
        );
    }
}

#[test]
fn a_bare_roll_shows_each_die() {
    let mut table = Table::with_party();
    let call = json!({"expression": "4d6kh3 + 1", "context": "rubble", "character": "Jory"});
    let roll = table.dice([4, 2, 6, 3]).roll_dice(call);
    assert_eq!(roll["total"], 14);
    assert_eq!(roll["individual_rolls"], json!([4, 2, 6, 3]));
    assert_eq!(roll["modifiers"], 1);
    assert_eq!(roll["input"], "4d6kh3 + 1");
    assert_eq!(roll["context"], "rubble");
    assert_eq!(roll["timestamp"], "2026-11-20T19:30:00.000000Z");
    assert_eq!(roll["rng"]["source"], "pinned");
    assert!(
        roll.text("explanation").ends_with("= 14"),
        "{}",
        roll["explanation"]
    );
}

#[test]
fn who_won_is_an_outcome_that_players_learn() {
    let mut table = Table::with_party();
    let call = json!({"character": "Jory", "skill": "Stealth", "opposed_by": {"character": "Sabeth", "skill": "Perception"}, "visibility": "outcome_only"});
    let check = table.dice([19, 2]).skill_check(call);
    let seen = check["player_text"].as_str().expect("words");
    assert!(
        seen.starts_with("Jory, Stealth: ") && seen.ends_with("; wins against Sabeth."),
        "{seen}"
    );
    assert!(!seen.contains(char::is_numeric), "{seen}");
}

/// Numbers by level, by a score and by wounds: looked up as the sheet is, and what no row is for.
const RULES: &str = "# Any\n\n## Attributes\n- Strength (STR, 3 to 18)\n\n| STR | Doors |\n|---|---|\n| 16+ | 3 |\n| 9+ | 2 |\n| 8 or less | 1 |\n\n\
     ## Checks\n### Save\n- Roll: `1d20 + {Loss}`\n- Target: `{skill}`\n\n| Level | Poison | Wands |\n|---|---|---|\n| 1-3 | 12 | 13 |\n| 4-6 | 10 | 11 |\n\n\
     ### Force\n- Roll: `1d6`\n- Target: {Doors} or less\n\n## Health\n- Wounds: 3 boxes\n- Damage: Wounds\n\n\
     | Wounds | Loss |\n|---|---|\n| 0 | 0 |\n| 1+ | -2 |\n";

fn table() -> Table {
    Table::of_people(
        RULES,
        &["Ann"],
        json!({"attributes": {"STR": 16}, "level": 3}),
    )
}

#[test]
fn what_follows_from_a_level_changes_with_it() {
    let mut table = table();
    let save = json!({"skill": "Poison"});
    let first = table.dice([11]).skill_check(save.clone());
    assert_eq!(
        (&first["target"], &first["outcome"]),
        (&json!(12), &json!("failure"))
    );
    table
        .manage_character(json!({"action": "update", "character": "Ann", "level": 4}))
        .is_fine();
    let second = table.dice([11]).skill_check(save.clone());
    assert_eq!(
        (&second["target"], &second["outcome"]),
        (&json!(10), &json!("success"))
    );
    table
        .apply_damage(json!({"target": "Ann", "track": "Wounds", "amount": 1}))
        .is_fine();
    let hurt = table.dice([11]).skill_check(save.clone());
    assert_eq!(
        (&hurt["margin"], &hurt["modifiers"][0]["from"]),
        (&json!(-1), &json!("Wounds 1, System.md:30"))
    );
    assert_eq!(
        table.dice([3]).skill_check(json!({"check": "Force"}))["margin"],
        0
    );
    table
        .manage_character(json!({"action": "update", "character": "Ann", "level": 7}))
        .is_fine();
    let beyond = table.skill_check(save.clone());
    let words = beyond.refusal_text("missing_value").to_owned();
    assert!(
        words.starts_with("Poison goes by Level, and no row of the table (System.md:17) is for 7."),
        "{words}"
    );
    table
        .manage_character(json!({"action": "update", "character": "Ann", "skills": {"Poison": 8}}))
        .is_fine();
    assert_eq!(
        table.dice([10]).skill_check(save)["margin"],
        0,
        "as the refusal says"
    );
}

#[test]
fn a_sheet_without_the_score_is_asked_for_the_number() {
    let mut table = table();
    table.create("Rat", json!({"kind": "npc"}));
    let lacking = table.skill_check(json!({"character": "Rat", "check": "Force"}));
    lacking.refused_with("missing_value", &["values={\"Doors\": …}"]);
    let call = json!({"character": "Rat", "check": "Force", "values": {"Doors": 2}});
    assert_eq!(table.dice([2]).skill_check(call)["margin"], 0);
}

#[test]
fn who_is_of_no_class_is_asked_for_it_and_the_entry_says_of_which_a_character_is() {
    let rules = "# Any\n\n## Checks\n### Save\n- Roll: `1d20`\n- Target: `{skill}`\n\n| Class | Level | Death |\n|---|---|---|\n\
         | Fighter | 1-3 | 12 |\n| | 4+ | 10 |\n| Dwarf | 1+ | 8 |\n\n### Blow\n- Roll: `1d20 + {Death}`\n- Target: `15`\n";
    let mut table = Table::of_people(rules, &["Ann"], json!({"level": 4}));
    let save = json!({"character": "Ann", "skill": "Death"});
    table.skill_check(save.clone()).refused_with(
        "missing_value",
        &["(Fighter, Dwarf)", "skills={\"Fighter\": 1}"],
    );
    table
        .manage_character(json!({"action": "update", "character": "Ann", "skills": {"Fighter": 1}}))
        .is_fine();
    assert_eq!(
        table.dice([10]).skill_check(save.clone())["margin"],
        0,
        "as the refusal says"
    );
    let call =
        json!({"action": "update", "character": "Ann", "skills": {"Fighter": 0, "Dwarf": 1}});
    table.manage_character(call).is_fine();
    assert_eq!(table.dice([10]).skill_check(save)["margin"], 2);
    let hit = table
        .dice([7])
        .skill_check(json!({"character": "Ann", "check": "Blow"}));
    assert_eq!(hit["modifiers"][0]["from"], "Dwarf, Level 4, System.md:8");
}

#[test]
fn a_save_is_rolled_by_the_check_that_its_table_is_below() {
    let rules = "# Any\n\n## Skills\n- Melee\n\n## Checks\n### Attack\n- Roll: `1d20 + {modifier}`\n- Target: `{difficulty=10}`\n\n\
         ### Save\n- Roll: `1d20`\n- Target: `{skill}`\n\n| Level | Death | Wands |\n|---|---|---|\n| 1-3 | 12 | 13 |\n| 4+ | 10 | 11 |\n";
    let mut table = Table::of_people(rules, &["Ann"], json!({"level": 2}));
    let saved = table.dice([12]).skill_check(json!({"skill": "Death"}));
    assert_eq!(
        (&saved["check"], &saved["target"], &saved["margin"]),
        (&json!("Save"), &json!(12), &json!(0))
    );
    let struck = table.dice([9]).skill_check(json!({"skill": "Melee"}));
    assert_eq!(
        (&struck["check"], &struck["margin"]),
        (&json!("Attack"), &json!(-1))
    );
    let named = table
        .dice([2])
        .skill_check(json!({"skill": "Death", "check": "Attack"}));
    assert_eq!(
        (&named["check"], &named["margin"]),
        (&json!("Attack"), &json!(4)),
        "a named check is rolled"
    );
    let odds = table.call("odds", json!({"skill": "Wands"}));
    assert_eq!(odds["check"], "Save");
}

/// A check is rolled with everything that decides it, or not at all.
fn advice(answer: &Answer, code: &str) -> String {
    answer.refusal_text(code).to_owned()
}

#[test]
fn a_linked_attribute_without_a_score_is_missing_and_not_the_skill() {
    let mut table = Table::shipped("ninth-reel");
    table.create(
        "Ann",
        json!({"attributes": {"MUS": 8}, "skills": {"Scrapping": 2, "Climbing": 1}}),
    );
    let refused = table.skill_check(json!({"skill": "Scrapping"}));
    assert!(
        advice(&refused, "missing_value")
            .starts_with("Ann has no Reflex score yet. Send manage_character")
    );
    let refused = table.skill_check(json!({"skill": "Bluffing"}));
    assert!(
        advice(&refused, "missing_value").contains("has no Charm score yet"),
        "{:?}",
        refused.value()
    );
    let linked = table.dice([5, 3]).skill_check(json!({"skill": "Climbing"}));
    assert_eq!(
        linked["roll"]["total"], 6,
        "a d8 by Muscle and a point for Climbing"
    );
}

#[test]
fn dice_that_nobody_chose_are_not_rolled() {
    let mut table = Table::shipped("name-auction");
    table.create("Ann", json!({"attributes": {"Read": 2}}));
    let refused = table.skill_check(json!({"check": "Controlled"}));
    let summary = advice(&refused, "missing_value");
    assert!(
        summary.contains("as many dice as {modifier} says")
            && summary.contains("values={\"modifier\": 0}"),
        "{summary}"
    );
    let none = table
        .dice([4, 2])
        .skill_check(json!({"check": "Controlled", "values": {"modifier": 0}}));
    assert_eq!(none["roll"]["individual_rolls"], json!([4, 2]));
}

#[test]
fn a_modifier_that_nobody_chose_is_reported() {
    let mut table = Table::with_party();
    let bare = table
        .dice([12])
        .skill_check(json!({"character": "Sabeth", "difficulty": 10}));
    let noted = bare["noted"][0].as_str().expect("a note");
    assert!(
        noted.contains("neither skill nor attribute was sent: it counts as +0"),
        "{noted}"
    );
    let chosen = table
        .dice([12])
        .skill_check(json!({"character": "Sabeth", "attribute": "DEX", "difficulty": 10}));
    assert!(chosen["noted"].is_null(), "{}", chosen["noted"]);
    let call = json!({"character": "Sabeth", "values": {"modifier": 3}, "difficulty": 10});
    assert!(table.dice([12]).skill_check(call)["noted"].is_null());
}

#[test]
fn what_opposes_is_asked_for_in_its_own_words() {
    let rules = "## Attributes\n- Strength (STR)\n- Range: 0 to 20\n\n## Checks\n### Save\n- Roll: `1d20`\n- Target: {attribute score} or less\n";
    let mut table = Table::of_people(rules, &["Ann", "Bo"], json!({"attributes": {"STR": 10}}));
    let refused = table.skill_check(
        json!({"character": "Ann", "attribute": "STR", "opposed_by": {"character": "Bo"}}),
    );
    let summary = advice(&refused, "missing_value");
    assert!(
        summary.contains("Send opposed_by.attribute=\"STR\""),
        "{summary}"
    );
    let mine = table.skill_check(
        json!({"character": "Ann", "opposed_by": {"character": "Bo", "attribute": "STR"}}),
    );
    assert!(advice(&mine, "missing_value").contains("Send attribute=\"STR\""));
}

#[test]
fn dice_in_values_are_those_of_the_table() {
    let rules = "## Dice\n- Dice: d6, d10, d20\n\n## Checks\n### Pool\n- Roll: `{{pool}, {more}}kh2 + 1d4`\n- Asks: pool dice, more dice\n- Target: `10`\n";
    let mut table = Table::of_rules(Some(rules));
    let refused = table.skill_check(json!({"values": {"pool": "d8,d6,d7", "more": "d6"}}));
    assert_eq!(
        advice(&refused, "invalid_die").split(';').next(),
        Some("d8 is not rolled at this table")
    );
    let fine = table
        .dice([6, 9, 2])
        .skill_check(json!({"values": {"pool": "d6", "more": "d10"}}));
    assert_eq!(
        fine["roll"]["total"], 17,
        "the rule's own d4 is always rolled"
    );
}

#[test]
fn where_dice_are_counted_nobody_is_sent_to_the_modifier() {
    let rules =
        "## Checks\n### Pool\n- Roll: `{pool}d6`\n- Asks: pool 1 to 20\n- Count: 6+\n- Target: 1\n";
    let mut table = Table::of_rules(Some(rules));
    let refused = table.skill_check(json!({"difficulty": 2, "values": {"pool": 3}}));
    let summary = advice(&refused, "no_effect");
    assert!(
        summary.contains("Leave it out.") && !summary.contains("modifier"),
        "{summary}"
    );
    let more = table
        .dice([1, 2, 3])
        .skill_check(json!({"modifier": 1, "values": {"pool": 3}}));
    assert_eq!(more["successes"], 1);
    let noted = more["noted"][0].as_str().expect("a note");
    assert!(
        noted.starts_with("modifier +1 is 1 success more, not a die: Pool"),
        "{noted}"
    );
}

#[test]
fn a_roll_is_followed_as_it_was_made() {
    let mut table = Table::shipped("down-special");
    table.create("Ann", json!({"skills": {"Listen": 50, "Climb": 30}}));
    let first = table.dice([77]).skill_check(json!({"skill": "Listen"}))["log"].clone();
    let other = json!({"again": format!("#{first} push"), "skill": "Climb"});
    let words = advice(&table.skill_check(other), "no_effect");
    assert!(
        words.contains("was made with skill Listen, and skill=\"Climb\" would change nothing"),
        "{words}"
    );
    let attribute = json!({"again": format!("#{first} push"), "attribute": "DEX"});
    assert!(advice(&table.skill_check(attribute), "no_effect").contains("has no attribute"));
    table
        .dice([2])
        .skill_check(json!({"again": format!("#{first} push"), "skill": "listen"}))
        .is_fine();
}

#[test]
fn a_check_that_could_not_be_read_is_reported_with_its_line() {
    let rules = "# Stabs\n\n## Checks\n### Stab\n- Rol: `1d20`\n- Target: `10`\n";
    let mut table = Table::of_rules(Some(rules));
    for call in [json!({}), json!({"check": "Stab"})] {
        let words = advice(&table.skill_check(call), "rule_broken");
        has(&words, &["Stab (System.md:4) has a mistake"]);
        assert!(!words.contains("give the adventure a System.md"), "{words}");
    }
    let mut table = Table::of_rules(Some(&format!(
        "{rules}### Other\n- Roll: `1d20`\n- Target: `10`\n"
    )));
    let words = advice(&table.skill_check(json!({"check": "stab"})), "rule_broken");
    assert!(
        words.starts_with("Stab (System.md:4) has a mistake"),
        "{words}"
    );
    table.dice([12]).skill_check(json!({})).is_fine();
}
