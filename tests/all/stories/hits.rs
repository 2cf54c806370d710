//! An attack in one call: the check, what its outcome deals and brings, and the next turn.

use serde_json::{Value, json};

use crate::table::{Answer, Table, each};

const RULES: &str = "# Blows\n\n## Attributes\n- Strength (STR, -5 to 20)\n- Armour\n- Range: 1 to 20\n\n## Skills\n- Melee (STR)\n\n## Checks\n\n### Strike\n\
     - Roll: `1d20 + {modifier}`\n- Target: {target Armour}\n\n| Outcome | When | Damage | Target effect | At the table |\n|---|---|---|---|---|\n\
     | Critical (critical success) | natural 20 | dice twice | gain Prone | The crowd roars. |\n| Hit (success) | margin 5+ | once | | |\n\
     | Brutal (success) | margin 4 | `{damage} + 1d6` | gain Burning 2 | |\n| Heavy (success) | margin 3 | twice | | |\n\
     | Perfect (success) | margin 2 | maximum | | |\n| Graze (partial success) | margin 0+ | half | | |\n\
     | Odd (failure) | margin -1 | | | |\n| Miss (failure) | otherwise | none | | |\n\n## Combat\n\
     - Initiative: `1d20`\n\n## Health\n- Hit points: max 30\n- Damage: Hit points\n- At 0 Hit points: gain Unconscious\n\n## Conditions\n\
     - Prone: -2 on checks\n- Burning (1-3): *on fire*\n";

/// Ann before two wolves, whose Armour is 10; it is Ann's turn.
pub fn ring() -> Table {
    let mut table = Table::of_rules(Some(RULES));
    let ann = json!({"STR": 0, "Armour": 12});
    table.create("Ann", json!({"kind": "player", "attributes": ann}));
    let wolves =
        json!({"name": "Wolf", "count": 2, "hp": 30, "attributes": {"STR": -1, "Armour": 10}});
    table
        .dice([18, 9, 3])
        .start(json!([{"name": "Ann"}, wolves]));
    table
}

/// The rules, where up to so many points may be added to a strike.
fn with_luck(points: i64) -> String {
    let luck = format!(
        "- Target: {{target Armour}}\n- Again Luck: add {{amount}}; asks amount 1 to {points}\n"
    );
    RULES.replace("- Target: {target Armour}\n", &luck)
}

/// Ann strikes the first wolf.
fn strike(table: &mut Table, dice: &[i64]) -> Answer {
    let strike = json!({"character": "Ann", "check": "Strike", "skill": "Melee", "target": "Wolf 1", "damage": "1d8+1"});
    table.dice(dice.iter().copied()).skill_check(strike)
}

pub fn hit_points(table: &mut Table, name: &str) -> i64 {
    let sheet = table.get_character(json!({"character": name}));
    sheet["character"]["tracks"][0]["value"]
        .as_i64()
        .expect("hit points")
}

#[test]
fn what_a_row_says_is_what_is_dealt() {
    let mut table = ring();
    for (dice, dealt, label) in [
        (vec![20, 4, 6], 11, "Critical"),
        (vec![15, 4], 5, "Hit"),
        (vec![14, 4, 6], 11, "Brutal"),
        (vec![13, 4], 10, "Heavy"),
        (vec![12], 9, "Perfect"),
        (vec![10, 4], 2, "Graze"),
        (vec![9], 0, "Odd"),
        (vec![3], 0, "Miss"),
    ] {
        let answer = strike(&mut table, &dice);
        let expected = json!([label, 30 - dealt]);
        assert_eq!(
            json!([answer["label"], hit_points(&mut table, "Wolf 1")]),
            expected,
            "{}",
            answer.value()
        );
        if dealt > 0 {
            table.manage_session(json!({"action": "undo"})).is_fine();
        }
        assert_eq!(
            hit_points(&mut table, "Wolf 1"),
            30,
            "the whole call is taken back"
        );
    }
}

#[test]
fn what_a_row_makes_of_several_types_is_of_each() {
    for (cell, dice, parts) in [
        ("`{damage} + 1d6`", vec![14, 5, 2, 3], Some((7, 3))),
        ("`{damage} * 2`", vec![14, 5, 3], Some((10, 6))),
        ("`2 * ({damage} + 1)`", vec![], None),
    ] {
        let rules = RULES.replace("`{damage} + 1d6`", cell);
        let mut table = Table::of_people(
            &rules,
            &["Ann"],
            json!({"attributes": {"STR": 0, "Armour": 12}}),
        );
        let foe = json!({"name": "Wolf 1", "hp": 30, "attributes": {"STR": -1, "Armour": 10}});
        table.dice([18, 9]).start(json!([{"name": "Ann"}, foe]));
        let strike = json!({"character": "Ann", "check": "Strike", "skill": "Melee", "target": "Wolf 1",
            "damage": "1d8[slashing] + 1d6[fire]"});
        let hit = table.dice(dice).skill_check(strike);
        let Some((slashing, fire)) = parts else {
            let words = hit.refusal_text("rule_broken");
            assert!(words.contains("has several types"), "{words}");
            continue;
        };
        hit.is_fine();
        let entries = table.record().bodies();
        let mut dealt = entries.iter().map(|entry| &entry["event"]["parts"]);
        assert_eq!(
            dealt.rfind(|parts| parts.is_array()),
            Some(
                &json!([{"amount": slashing, "damage_type": "slashing"}, {"amount": fire, "damage_type": "fire"}])
            ),
            "{cell}"
        );
    }
}

#[test]
fn an_outcome_brings_its_conditions_upon_the_target() {
    let mut table = ring();
    let critical = strike(&mut table, &[20, 4, 6]);
    assert_eq!(
        critical["damage"]["conditions"],
        json!(["Prone"]),
        "{}",
        critical.value()
    );
    assert_eq!(
        critical["row_text"],
        "Target effect: gain Prone\nAt the table: The crowd roars."
    );
    let brutal = strike(&mut table, &[14, 4, 6]);
    assert_eq!(
        brutal["damage"]["conditions"],
        json!(["Burning 2", "Prone"]),
        "{}",
        brutal.value()
    );
}

#[test]
fn each_step_is_an_entry_of_its_own_and_they_are_linked() {
    let mut table = ring();
    let hit = json!({"character": "Ann", "check": "Strike", "skill": "Melee", "target": "Wolf 1", "damage": "1d8+1",
        "damage_type": "slashing", "end_turn": true});
    let answer = table.dice([15, 7]).skill_check(hit);
    let expected = "Ann hits Wolf 1 (1d20: [15]; + 0 = 15 against 10): 1d8: [7]; + 1 = 8. Hit points 30 to 22/30. Wolf 1 is up.";
    assert_eq!(answer["summary"], expected);
    assert_eq!(
        (&answer["current"], &answer["round"]),
        (&json!("Wolf 1"), &json!(1))
    );
    let check = answer["log"].as_u64().expect("a number");
    let bodies = table.record().bodies();
    let last: Vec<&Value> = bodies.iter().rev().take(4).rev().collect();
    let kinds: Vec<&Value> = last.iter().map(|body| &body["event"]["kind"]).collect();
    assert_eq!(kinds, ["check", "roll", "damage", "turn_began"]);
    assert_eq!(
        (&last[1]["event"]["check"], &last[2]["event"]["roll"]),
        (&json!(check), &json!(check + 1))
    );
    assert!(
        last.iter().skip(1).all(|body| body["call"] == check),
        "one call"
    );
}

#[test]
fn several_targets_have_a_roll_each_and_a_side_means_those_who_are_up() {
    let mut table = ring();
    let sweep = json!({"character": "Ann", "check": "Strike", "skill": "Melee", "target": "foes", "damage": "1d8+1"});
    let both = table.dice([15, 7, 2]).skill_check(sweep.clone());
    let expected =
        json!([{"who": "Wolf 1", "outcome": "success"}, {"who": "Wolf 2", "outcome": "failure"}]);
    assert_eq!(both["outcomes"], expected);
    assert_eq!(both["checks"][0]["damage"]["amount"], 8);
    table
        .apply_damage(json!({"target": "Wolf 1", "amount": 30}))
        .is_fine();
    let one = table.dice([2]).skill_check(sweep);
    assert_eq!(one["against"], "Wolf 2", "{}", one.value());
}

#[test]
fn whatever_cannot_be_done_whole_is_refused_before_a_die_falls() {
    let mut table = ring();
    table
        .apply_damage(json!({"target": "Wolf 2", "amount": 30}))
        .is_fine();
    let base = json!({"character": "Ann", "check": "Strike", "skill": "Melee", "target": "Wolf 1", "damage": "1d8+1"});
    for (more, code, says) in [
        (json!({"target": "Wolf 2"}), "target_down", "Up: Wolf 1."),
        (
            json!({"target": ["Wolf 1", "Bob", "Jim"]}),
            "unknown_character",
            "\"Jim\"",
        ),
        (
            json!({"target": ["Wolf 1", "Bob", "Jim"]}),
            "unknown_character",
            "\"Bob\"",
        ),
        (
            json!({"target": []}),
            "invalid_parameters",
            "target names nobody",
        ),
        (
            json!({"target": null}),
            "invalid_parameters",
            "damage needs somebody who takes it",
        ),
        (json!({"damage": "4d6>=5"}), "invalid_parameters", "1d8+2"),
        (
            json!({"damage": "1d20 vs 5"}),
            "invalid_parameters",
            "1d8+2",
        ),
        (
            json!({"damage": null, "damage_type": "fire"}),
            "invalid_parameters",
            "Send damage=",
        ),
        (
            json!({"character": "Wolf 1", "target": "Ann", "end_turn": true}),
            "not_their_turn",
            "Ann's turn",
        ),
    ] {
        let refused = table.skill_check(crate::table::with(base.clone(), more));
        refused.refused_with(code, &[says]);
    }
    let before = table.record().length();
    let many: Vec<String> = (0..60).map(|nth| format!("Wolf {nth}")).collect();
    table
        .skill_check(crate::table::with(base, json!({"target": many})))
        .refused("unknown_character");
    assert_eq!(table.record().length(), before);
}

#[test]
fn who_lies_there_is_struck_by_the_way_that_the_refusal_says() {
    let mut table = ring();
    table
        .apply_damage(json!({"target": "Wolf 2", "amount": 30}))
        .is_fine();
    let check =
        json!({"character": "Ann", "check": "Strike", "skill": "Melee", "target": "Wolf 2"});
    table.dice([15]).skill_check(check).is_fine();
    table
        .apply_damage(json!({"target": "Wolf 2", "amount": 5}))
        .is_fine();
}

#[test]
fn a_check_that_hurt_a_character_is_not_made_again() {
    let rules = with_luck(5);
    let mut table = Table::of_people(
        &rules,
        &["Ann", "Bea"],
        json!({"attributes": {"STR": 0, "Armour": 10}}),
    );
    let hit = json!({"character": "Ann", "check": "Strike", "skill": "Melee", "target": "Bea", "damage": "1d8"});
    let luck = json!({"character": "Ann", "again": "last Luck", "values": {"amount": 4}});
    table.dice([11, 4]).skill_check(hit.clone()).is_fine();
    table.skill_check(luck.clone()).refused("changed_since");
    table.dice([3]).skill_check(hit).is_fine();
    table.skill_check(luck).is_fine();
}

#[test]
fn a_bonus_of_the_sheet_replaces_attribute_and_skill_and_conditions_count() {
    let mut table = ring();
    let bite = json!([{"name": "Bite", "bonus": 4, "damage": "1d6"}, {"name": "Net", "bonus": 3, "effect": "gain Prone"}]);
    table
        .manage_character(json!({"action": "update", "character": "Ann", "attacks": bite}))
        .is_fine();
    table
        .apply_damage(json!({"target": "Ann", "apply_conditions": ["Prone"]}))
        .is_fine();
    let bitten =
        json!({"character": "Ann", "check": "Strike", "attack": "Bite", "target": "Wolf 1"});
    let answer = table.dice([13, 2]).skill_check(bitten);
    let parts: Vec<(&Value, &Value)> = each(&answer["modifiers"])
        .take(2)
        .map(|modifier| (&modifier["name"], &modifier["value"]))
        .collect();
    assert_eq!(
        parts,
        [(&json!("Bite"), &json!(4)), (&json!("Prone"), &json!(-2))],
        "{}",
        answer.value()
    );
    assert_eq!(
        answer["label"],
        "Hit",
        "13 + 4 - 2 is 15: {}",
        answer.value()
    );
    let call = json!({"character": "Ann", "check": "Strike", "attack": "Net", "target": "Wolf 2"});
    let netted = table.dice([14]).skill_check(call);
    assert_eq!(netted["label"], "Hit", "{}", netted.value());
    assert_eq!(
        netted["damage"]["conditions"],
        json!(["Prone"]),
        "{}",
        netted.value()
    );
}

#[test]
fn what_a_follow_up_brings_comes_upon_the_target() {
    let rules = with_luck(40).replace(
        "| Hit (success) | margin 5+ | once | | |",
        "| Hit (success) | margin 5+ | once | gain Prone | |",
    );
    let mut table = Table::of_people(
        &rules,
        &["Ann", "Bea"],
        json!({"attributes": {"STR": 0, "Armour": 10}}),
    );
    let hit = json!({"character": "Ann", "check": "Strike", "skill": "Melee", "target": "Bea", "damage": "1d8"});
    table.dice([2]).skill_check(hit).is_fine();
    let luck = table
        .skill_check(json!({"character": "Ann", "again": "last Luck", "values": {"amount": 20}}));
    assert_eq!(luck["damage"]["target"], "Bea", "{}", luck.value());
}

#[test]
fn a_hit_that_leaves_nobody_up_is_dealt_and_a_side_has_neither_the_hidden_nor_who_strikes() {
    let mut table = ring();
    let hidden = json!([{"name": "Lurker", "hp": 30, "hidden": true, "attributes": {"STR": -1, "Armour": 10}}]);
    table
        .dice([2])
        .manage_combat(json!({"action": "add", "combatants": hidden}))
        .is_fine();
    let howl = json!({"character": "Wolf 1", "check": "Strike", "skill": "Melee", "target": "foes", "damage": "1d8"});
    let struck = table.dice([2]).skill_check(howl);
    assert_eq!(struck["against"], "Wolf 2", "{}", struck.value());
}

#[test]
fn each_check_of_a_call_gives_back_what_its_own_row_moved() {
    let rules = with_luck(40)
        .replace(
            "| Target effect | At the table |",
            "| Target effect | Stress |",
        )
        .replace("| The crowd roars. |", "| |")
        .replace(
            "| Miss (failure) | otherwise | none | | |",
            "| Miss (failure) | otherwise | none | | +1 |",
        )
        .replace("- At 0 Hit points", "- Stress: 9 boxes\n- At 0 Hit points");
    for which in [0, 1] {
        let mut table = Table::of_people(
            &rules,
            &["Ann", "Bea", "Cid"],
            json!({"attributes": {"STR": 0, "Armour": 10}}),
        );
        let sweep = json!({"character": "Ann", "check": "Strike", "skill": "Melee", "target": ["Bea", "Cid"], "damage": "1d8"});
        let first = table.dice([2, 3]).skill_check(sweep)["log"]
            .as_u64()
            .expect("a number");
        // The first check, its row's move, the second, its row's move.
        let again = json!({"character": "Ann", "again": format!("#{}", first + 2 * which), "values": {"amount": 20}});
        let lucky = table.skill_check(again);
        if which == 0 {
            lucky.refused("changed_since");
            continue;
        }
        lucky.is_fine();
        let sheet = table.get_character(json!({"character": "Ann"}));
        let tracks = sheet["character"]["tracks"]
            .as_array()
            .expect("tracks")
            .clone();
        let stress = tracks
            .iter()
            .find(|track| track["name"] == "Stress")
            .expect("Stress");
        assert_eq!(stress["value"], 1, "only its own: {}", lucky.value());
    }
}

#[test]
fn a_list_as_text_and_other_words_for_a_side_are_answered_with_what_to_send() {
    let mut table = ring();
    let base = json!({"character": "Ann", "check": "Strike", "skill": "Melee", "damage": "1d8+1"});
    for (target, says) in [
        ("Wolf 1, Wolf 2", "Send target=[\"Wolf 1\", \"Wolf 2\"]"),
        ("Wolf 1 and Wolf 2", "Send target=[\"Wolf 1\", \"Wolf 2\"]"),
        ("everyone", "target=\"foes\""),
    ] {
        let refused =
            table.skill_check(crate::table::with(base.clone(), json!({"target": target})));
        refused.refused_with("unknown_character", &[says]);
    }
    table
        .skill_check(crate::table::with(
            base,
            json!({"again": "last", "target": "Wolf 1"}),
        ))
        .refused("unknown_entry");
}

#[test]
fn an_attack_takes_the_check_that_is_for_attacks() {
    let task = "### Task\n- Roll: `1d20`\n- Target: {difficulty}\n\n### Strike\n- For: attacks\n";
    let rules = RULES.replace("### Strike\n", task);
    let mut table = Table::of_people(
        &rules,
        &["Ann"],
        json!({"attributes": {"STR": 0, "Armour": 12}}),
    );
    table.create(
        "Wolf",
        json!({"kind": "npc", "hp": 30, "attributes": {"STR": -1, "Armour": 10}}),
    );
    let strike = json!({"character": "Ann", "skill": "Melee", "target": "Wolf", "damage": "1d8+1"});
    let hit = table.dice([14, 4, 6]).skill_check(strike);
    assert_eq!(
        (&hit["check"], &hit["label"]),
        (&json!("Strike"), &json!("Brutal"))
    );
    assert!(
        hit.text("summary").contains("against 10, brutal)"),
        "a graded success is named: {}",
        hit["summary"]
    );
    let plain = table
        .dice([7])
        .skill_check(json!({"character": "Ann", "skill": "Melee", "difficulty": 5}));
    assert_eq!(
        plain["check"], "Task",
        "without damage the first check counts"
    );
}

#[test]
fn what_is_advised_for_the_dead_and_for_those_who_are_down_works() {
    let mut table = Table::of_people(
        RULES,
        &["Ann"],
        json!({"attributes": {"STR": 0, "Armour": 12}}),
    );
    let wolves =
        json!({"name": "Wolf", "count": 2, "hp": 30, "attributes": {"STR": -1, "Armour": 10}});
    table
        .dice([18, 9, 3])
        .start(json!([{"name": "Ann"}, wolves]));
    table
        .apply_damage(json!({"target": "Wolf 1", "amount": 30}))
        .is_fine();
    table
        .apply_damage(json!({"target": "Wolf 2", "amount": 40, "apply_conditions": ["dead"]}))
        .is_fine();
    let strike = |target: &str| json!({"character": "Ann", "skill": "Melee", "target": target, "damage": "1d8+1"});
    let down = table.skill_check(strike("Wolf 1"));
    let words = down.refusal_text("target_down").to_owned();
    assert!(
        words.contains("Wolf 1 is down.") && words.contains("then apply_damage"),
        "{words}"
    );
    table
        .dice([12])
        .skill_check(json!({"character": "Ann", "skill": "Melee", "target": "Wolf 1"}))
        .is_fine();
    table
        .apply_damage(json!({"target": "Wolf 1", "amount": 3}))
        .is_fine();
    let dead = table.skill_check(strike("Wolf 2"));
    let words = dead.refusal_text("target_down").to_owned();
    assert!(
        words.contains("Wolf 2 is dead.") && !words.contains("apply_damage"),
        "{words}"
    );
}

#[test]
fn a_name_in_a_damage_cell_that_nobody_has_is_a_finding() {
    for (cell, bad) in [
        ("`{damage} + {margin}`", true),
        ("`{damage} + {STR}`", false),
        ("`{damage} + {level}`", false),
    ] {
        let rules = RULES.replace("`{damage} + 1d6`", cell);
        let reading = rollbook_rules::read(vec![rollbook_text::diagnostic::SourceFile::new(
            "System.md",
            rules,
        )]);
        let found = reading
            .diagnostics
            .iter()
            .any(|one| one.code == "document/not-understood");
        assert_eq!(found, bad, "{cell}: {:?}", reading.diagnostics);
    }
}
