//! Advice that is carried out does what was meant, also of arguments that say something in another
//! way.

use serde_json::{Value, json};

use super::advice::follow;
use crate::table::{Answer, Table, has, jory, with};

/// A table with Jory Penrake.
fn table() -> Table {
    let mut table = Table::lockhouse();
    table
        .manage_character(with(jory(), json!({"name": "Jory Penrake"})))
        .is_fine();
    table
}

/// The refusal of a call, whose advice is then followed.
fn followed(table: &mut Table, tool: &str, call: Value) -> String {
    let answer = table.call(tool, call.clone());
    assert!(answer.is_refused(), "{tool} {call}: {}", answer.value());
    let refusal = answer.value().clone();
    follow(table, tool, &call, &refusal, 3).expect("the advice is carried out");
    refusal["summary"].as_str().expect("text").to_owned()
}

#[test]
fn a_foe_without_hit_points_gets_them_and_can_be_hit() {
    let mut table = table();
    table.endless_dice(7);
    followed(
        &mut table,
        "manage_combat",
        json!({"action": "add", "combatants": [{"name": "Ogre"}]}),
    );
    let advice = followed(
        &mut table,
        "manage_combat",
        json!({"action": "add", "combatants": [{"name": "Fen hag"}]}),
    );
    has(
        &advice,
        &["Send {\"name\": \"Fen hag\", \"hp\": 7} for a new foe, with its own hit points for 7"],
    );
    for foe in ["Ogre", "Fen hag"] {
        let hit = table.apply_damage(json!({"target": foe, "amount": 3}));
        assert_eq!(
            hit.text("summary"),
            format!("{foe} takes 3 damage: Hit points 7 to 4/7.")
        );
    }
    // Where marks decide there are no hit points to give.
    let mut table = Table::shipped("ninth-reel");
    table.endless_dice(7);
    table.create("Dot", json!({}));
    followed(
        &mut table,
        "manage_combat",
        json!({"action": "start", "combatants": [{"name": "Ogre"}]}),
    );
    table
        .apply_damage(json!({"target": "Ogre", "amount": 9}))
        .is_fine();
}

#[test]
fn a_kind_by_another_word_becomes_that_kind() {
    for (word, kind) in [
        ("pc", "player"),
        ("monster", "npc"),
        ("ally", "companion"),
        ("plyer", "player"),
    ] {
        let mut table = Table::lockhouse();
        followed(
            &mut table,
            "manage_character",
            json!({"action": "create", "kind": word, "name": "Ann"}),
        );
        let sheet = table.get_character(json!({"character": "Ann"}));
        assert_eq!(
            sheet["character"]["kind"],
            kind,
            "{word}: {}",
            sheet.value()
        );
    }
}

#[test]
fn dice_as_an_amount_are_rolled_and_that_roll_is_the_amount() {
    let mut table = table();
    for sent in ["amount", "damage"] {
        let hit = table
            .dice([4])
            .apply_damage(json!({"target": "Jory", sent: "1d6+1"}));
        assert!(
            hit.text("summary").contains("Jory Penrake takes 5 damage"),
            "{}",
            hit.value()
        );
    }
}

#[test]
fn a_condition_sent_as_name_is_the_condition_that_was_meant() {
    let rules = "# R\n\n## Conditions\n\n- Frightened: -1 on checks\n- Poisoned: -2 on checks\n";
    for call in [
        json!({"name": "poisond"}),
        json!({"character": "Ann", "name": "poisond"}),
        json!({"name": "poisoned"}),
    ] {
        let mut table = Table::of_people(rules, &["Ann"], json!({}));
        let advice = followed(
            &mut table,
            "manage_character",
            with(json!({"action": "add_condition"}), call),
        );
        assert!(
            advice.contains("Send condition=\"Poisoned\" in place of name."),
            "{advice}"
        );
        let sheet = table
            .get_character(json!({"character": "Ann"}))
            .value()
            .to_string();
        assert!(
            sheet.contains("oisoned") && !sheet.contains("rightened"),
            "{sheet}"
        );
    }
}

#[test]
fn where_nobody_is_yet_the_named_one_is_made() {
    let mut table = Table::of_rules(None);
    let advice = followed(&mut table, "get_character", json!({"character": "Jory"}));
    assert!(
        advice.contains("no \"Jory\"") && advice.contains("action=\"create\" name=\"Jory\""),
        "{advice}"
    );
    assert_eq!(
        table.get_character(json!({"character": "Jory"}))["character"]["name"],
        "Jory"
    );
    let refused = Table::lockhouse().skill_check(json!({"character": "Jory", "skill": "Melee"}));
    refused.refused_with("no_character", &["from=\"Characters.md#Jory Penrake\""]);
    let refused = Table::lockhouse().skill_check(json!({"character": "Bo", "skill": "Melee"}));
    refused.refused_with("no_character", &["name=\"Bo\" attributes={\"STR\": 11"]);
}

#[test]
fn who_is_added_to_no_fight_begins_one() {
    let mut table = table();
    table.endless_dice(7);
    let list = json!([{"name": "Jory"}, {"name": "Rat", "count": 2, "hp": 4}]);
    followed(
        &mut table,
        "manage_combat",
        json!({"action": "add", "combatants": list}),
    );
    let order = table.manage_combat(json!({"action": "status"})).value()["order"].to_string();
    for name in ["Jory Penrake", "Rat 1", "Rat 2"] {
        assert!(order.contains(name) && !order.contains("Goblin"), "{order}");
    }
}

const SEA: &str = "# Sea\n\n## Attributes\n\n- Grit\n- Range: 1 to 9\n\n## Checks\n\n### Try\n\n- Roll: `1d20 + {modifier}`\n\
    - Target: `{difficulty}`\n- Again Push: reroll all; after failure\n- Again Luck: subtract {amount}; asks amount 1 to 3; after failure\n\n## Health\n\n\
    - Hit points: max 20\n- Damage: Hit points\n- Fate points: from 0 to 5, start 3\n- Salt Armour: subtract {Salt Armour}\n\
    - Hide Armour: subtract {Hide Armour}\n- Luck of the sea: subtract {Luck of the sea}\n";

fn at_sea() -> Table {
    let mut table = Table::of_people(
        SEA,
        &["Ann"],
        json!({"attributes": {"Grit": 4}, "skills": {"Deep Diving": 3, "Sky Diving": 1, "Knots": 2}}),
    );
    let tracks = json!({"Salt Armour": 3, "Luck of the sea": 1});
    table
        .manage_character(json!({"action": "update", "character": "Ann", "tracks": tracks}))
        .is_fine();
    table
}

#[test]
fn a_track_is_meant_by_a_word_that_it_alone_has() {
    let mut table = at_sea();
    for track in ["fate", "Fate Points", "FATE"] {
        let moved = table.apply_damage(json!({"target": "Ann", "amount": 1, "track": track}));
        assert!(
            moved.text("summary").contains("Fate points"),
            "{}",
            moved.value()
        );
    }
    let hurt = table.apply_damage(json!({"target": "Ann", "amount": 6, "track": "HP"}));
    assert!(
        hurt.text("summary").contains("Hit points 20 to 18/20"),
        "{}",
        hurt.value()
    );
    let several = table.apply_damage(json!({"target": "Ann", "amount": 1, "track": "points"}));
    assert_eq!(
        several.refused("ambiguous_name")["did_you_mean"]
            .as_array()
            .expect("names")
            .len(),
        2
    );
    let advice = followed(
        &mut table,
        "apply_damage",
        json!({"target": "Ann", "amount": -1, "track": "Faet points"}),
    );
    assert!(advice.contains("Send track=\"Fate points\""), "{advice}");
}

#[test]
fn what_is_bypassed_is_meant_by_a_word_that_it_alone_has() {
    let mut table = at_sea();
    let past = |table: &mut Table, name: &str| {
        table.apply_damage(json!({"target": "Ann", "amount": 4, "bypass": [name], "preview": true}))
    };
    assert!(
        past(&mut table, "salt")
            .text("summary")
            .contains("takes 3 damage")
    );
    assert!(
        past(&mut table, "luck")
            .text("summary")
            .contains("takes 1 damage")
    );
    let several = past(&mut table, "armour");
    several.refused_with(
        "ambiguous_name",
        &["could mean Salt Armour, Hide Armour. Send bypass=[\"Salt Armour\"], or"],
    );
    let near = past(&mut table, "Slat Armour");
    near.refused_with("unknown_mitigation", &["Send bypass=[\"Salt Armour\"]."]);
}

#[test]
fn a_follow_up_that_is_misspelt_is_the_near_one() {
    let mut table = at_sea();
    let roll = table
        .dice([3])
        .skill_check(json!({"character": "Ann", "attribute": "Grit", "difficulty": 15}));
    let seq = roll.number("log");
    table.endless_dice(9);
    let again = table.skill_check(json!({"again": format!("#{seq} puhs")}));
    again.refused_with("which_follow_up", &[&format!("Send again=\"#{seq} push\"")]);
    let again = table.skill_check(json!({"again": format!("#{seq} lukc")}));
    again.refused_with("which_follow_up", &[&format!("Send again=\"#{seq} luck\"")]);
    table
        .skill_check(json!({"again": format!("#{seq} push")}))
        .is_fine();
}

#[test]
fn a_skill_of_the_sheet_is_meant_by_a_word_that_it_alone_has() {
    let mut table = at_sea();
    let check = |table: &mut Table, skill: &str| {
        table.skill_check(json!({"character": "Ann", "skill": skill, "difficulty": 9}))
    };
    for skill in ["deep", "Deep Diving", "knots"] {
        check(table.dice([9]), skill).is_fine();
    }
    let several = check(&mut table, "diving");
    several.refused_with(
        "ambiguous_name",
        &["could mean Deep Diving, Sky Diving. Send skill=\"Deep Diving\""],
    );
    table.endless_dice(9);
    let advice = followed(
        &mut table,
        "skill_check",
        json!({"character": "Ann", "skill": "Knosts", "difficulty": 9}),
    );
    assert!(advice.contains("Send skill=\"Knots\""), "{advice}");
}

#[test]
fn a_score_under_its_own_name_is_a_score_of_the_sheet() {
    let mut table = Table::lockhouse();
    let advice = followed(
        &mut table,
        "manage_character",
        json!({"action": "create", "name": "Ann", "dex": 14}),
    );
    assert!(advice.contains("attributes={\"dex\": 14}"), "{advice}");
    let sheet = table.get_character(json!({"character": "Ann"}));
    assert_eq!(
        sheet["character"]["attributes"]["Dexterity"]["score"],
        14,
        "{}",
        sheet.value()
    );
    let lists =
        table.manage_character(json!({"action": "create", "name": "Bo", "skills": ["Melee"]}));
    lists.refused_with(
        "invalid_parameters",
        &["is not an object (valid: names with their values: {\"Name\": 1})"],
    );
}

#[test]
fn what_is_used_up_goes_by_the_advised_call() {
    let mut table = table();
    let call = json!({"action": "award", "character": "Jory", "inventory": [{"name": "rope", "quantity": 2}]});
    table.manage_character(call);
    let refused =
        table.manage_character(json!({"action": "use_item", "character": "Jory", "item": "rope"}));
    refused.refused_with(
        "invalid_parameters",
        &["action=\"award\" inventory=[{\"name\": \"rope\", \"quantity\": -1}]"],
    );
    let used = json!({"action": "award", "character": "Jory", "inventory": [{"name": "rope", "quantity": -1}]});
    table.manage_character(used).is_fine();
    let sheet = table.get_character(json!({"character": "Jory"}));
    assert_eq!(
        sheet["character"]["inventory"][0]["quantity"],
        1,
        "{}",
        sheet.value()
    );
}

#[test]
fn hit_points_of_a_player_are_the_gms_where_no_rule_gives_them() {
    let mut table = Table::of_rules(None);
    table.create("Ann", json!({"hp": 20}));
    let hit = table.apply_damage(json!({"target": "Ann", "amount": 3}));
    assert_eq!(
        hit.text("summary"),
        "Ann takes 3 damage: Hit points 20 to 17/20."
    );
}

#[test]
fn the_conditions_that_there_are_are_named_once() {
    let mut table = Table::shipped("long-pour");
    table.create("Ann", json!({}));
    let refused = table.manage_character(
        json!({"action": "add_condition", "character": "Ann", "condition": "Prone"}),
    );
    let summary = refused.refusal_text("unknown_condition");
    assert_eq!(summary.matches("dead").count(), 1, "{summary}");
}

#[test]
fn hit_points_in_apply_damage_are_no_damage() {
    let mut table = table();
    let refused = table.apply_damage(json!({"target": "Jory", "hp": 3}));
    refused.refused_with(
        "invalid_parameters",
        &["amount=3 for damage; manage_character action=\"update\" hp=3 sets hit points"],
    );
}

/// Arguments that say something in another way than the rules or the sheet: what is used is noted,
/// what is unclear is refused.
const WEAPONS: &str = "# Arms\n\n## Attributes\n- Strength (STR)\n- Range: 1 to 20\n\n## Skills\n- Melee (STR)\n- Aim (STR)\n\n## Checks\n\n\
     ### Strike\n- Roll: `1d20 + {modifier}`\n- Target: `{difficulty}`\n\n## Attacks\n\n| Weapon | Skill | Damage | Type |\n|---|---|---|---|\n\
     | Torch | Melee | 1d4 | fire |\n| Club | Melee | 1d6 | bludgeoning |\n\n## Health\n- Damage types: fire, bludgeoning\n- Hit points: max 30\n- Damage: Hit points\n";

fn armed() -> Table {
    Table::of_people(WEAPONS, &["Ann", "Bo"], json!({"attributes": {"STR": 10}}))
}

fn notes(answer: &Answer) -> String {
    answer["noted"].to_string()
}

#[test]
fn a_type_of_damage_that_only_the_rules_have_is_one() {
    let mut table = armed();
    let hurt = table
        .dice([3, 4])
        .apply_damage(json!({"target": "Bo", "amount": "2d6 fire"}));
    assert_eq!(hurt["parameters"]["amount"], "2d6 fire");
    assert!(
        hurt.text("summary").contains("7 fire"),
        "{}",
        hurt["summary"]
    );
    let labelled = table
        .dice([3])
        .apply_damage(json!({"target": "Bo", "amount": "1d6[fire]"}));
    assert!(
        labelled.text("summary").contains("3 fire"),
        "{}",
        labelled["summary"]
    );
    let strike = json!({"character": "Ann", "skill": "Melee", "difficulty": 10, "target": "Bo", "damage": "1d6 Bludgeoning"});
    let struck = table.dice([15, 2]).skill_check(strike);
    assert_eq!(struck["damage"]["amount"], 2, "{}", struck.value());
    let unknown = table
        .apply_damage(json!({"target": "Bo", "amount": "2d6 cold"}))
        .refused("invalid_parameters")
        .to_string();
    assert!(
        unknown.contains("neither a sheet nor the rules have cold"),
        "{unknown}"
    );
}

#[test]
fn what_a_call_says_in_place_of_an_attacks_own_is_noted() {
    let mut table = armed();
    let torch = json!({"character": "Ann", "attack": "Torch", "difficulty": 10, "target": "Bo"});
    let plain = table.dice([15, 2]).skill_check(torch.clone());
    assert_eq!(plain["noted"], Value::Null, "{}", plain.value());
    for (more, words) in [
        (
            json!({"damage": "1d8"}),
            "Torch deals 1d8 in the place of its own 1d4",
        ),
        (
            json!({"skill": "Aim"}),
            "Aim is rolled in the place of Melee, which Torch has",
        ),
        (
            json!({"damage_type": "cold"}),
            "Torch's damage is cold in the place of fire",
        ),
    ] {
        let answer = table.dice([15, 2]).skill_check(with(torch.clone(), more));
        assert!(
            notes(&answer).contains(words),
            "{words}: {}",
            answer.value()
        );
    }
    let other = table
        .dice([15, 2])
        .skill_check(with(torch.clone(), json!({"attribute": "STR"})));
    assert_eq!(
        (&other["skill"], &other["attribute"]),
        (&json!("Melee"), &json!("Strength")),
        "{}",
        other.value()
    );
    let same = with(torch, json!({"skill": "melee", "damage_type": "Fire"}));
    let same = table.dice([15, 2]).skill_check(same);
    assert_eq!(same["noted"], Value::Null, "{}", same.value());
    let bite = json!([{"name": "Bite", "bonus": 4, "damage": "1d6"}]);
    table
        .manage_character(json!({"action": "update", "character": "Ann", "attacks": bite}))
        .is_fine();
    let bitten = json!({"character": "Ann", "attack": "Bite", "skill": "Aim", "difficulty": 10, "target": "Bo"});
    let bitten = table.dice([15, 2]).skill_check(bitten);
    assert!(
        notes(&bitten).contains("Aim is rolled in the place of Bite's +4, which is left out"),
        "{}",
        bitten.value()
    );
}

#[test]
fn a_bonus_is_noted_as_the_modifier_and_refused_where_the_rules_have_one_of_their_own() {
    let mut table = armed();
    let check = json!({"character": "Ann", "skill": "Melee", "difficulty": 10});
    let more = table
        .dice([9])
        .skill_check(with(check.clone(), json!({"bonus": 3})));
    assert!(
        notes(&more).contains("bonus is read as modifier"),
        "{}",
        more.value()
    );
    let harder = table
        .dice([9])
        .skill_check(with(check.clone(), json!({"modifier": 3})));
    assert_eq!(
        (&harder["margin"], &harder["noted"]),
        (&more["margin"], &Value::Null)
    );
    let less = table
        .skill_check(with(check, json!({"penalty": 2})))
        .refused("invalid_parameters")
        .to_string();
    assert!(less.contains("modifier=-2"), "{less}");
    let rules = "# Sleuth\n\n## Skills\n- Spot\n\n## Checks\n\n### Look\n- Roll: `1d100 - {bonus=0}`\n- Asks: bonus 0 to 20\n- Target: {skill} or less\n";
    let mut sleuth = Table::of_people(rules, &["Ida"], json!({"skills": {"Spot": 50}}));
    let refused = sleuth
        .skill_check(json!({"skill": "Spot", "bonus": 1}))
        .refused("invalid_parameters")
        .to_string();
    assert!(refused.contains("values={\\\"bonus\\\": 1}"), "{refused}");
    sleuth
        .dice([20])
        .skill_check(json!({"skill": "Spot", "values": {"bonus": 1}}))
        .is_fine();
}

#[test]
fn a_reason_that_is_too_long_is_refused_as_reason_and_one_that_fits_is_taken_whatever_is_after_it()
{
    let mut table = Table::of_rules(Some(
        "# Ship\n\n## Health\n- Damage types: fire, bludgeoning\n- Hit points: max 30\n- Damage: Hit points\n\n## Company\n- Supplies: max 10\n",
    ));
    for name in ["Ann", "Bo"] {
        table
            .manage_character(json!({"action": "create", "name": name}))
            .is_fine();
    }
    let (long, fits) = ("x".repeat(501), "x".repeat(499));
    for call in [
        json!({"target": "Ann", "amount": 1}),
        json!({"target": "Ann", "amount": "1d4"}),
        json!({"target": ["Ann", "Bo"], "amount": "1d4", "each": true}),
        json!({"target": "company", "track": "Supplies", "amount": 1}),
        json!({"target": "company", "track": "Supplies", "amount": "1d4"}),
    ] {
        let refused = table.apply_damage(with(call.clone(), json!({"reason": long})));
        assert_eq!(
            refused.refused("limit_exceeded")["details"][0]["parameter"],
            "reason",
            "{call}"
        );
        let dice = if call["amount"].is_string() {
            if call["each"] == true { 2 } else { 1 }
        } else {
            0
        };
        table
            .dice(vec![1; dice])
            .apply_damage(with(call, json!({"reason": fits})))
            .is_fine();
    }
    let clock = json!({"action": "clock", "name": "Flood", "segments": 4, "text": long});
    let refused = table.manage_session(clock);
    assert_eq!(
        refused.refused("limit_exceeded")["details"][0]["parameter"],
        "text"
    );
}

#[test]
fn a_foe_of_the_adventure_that_is_misspelt_comes_by_the_advice_of_one_call() {
    let mut table = Table::lockhouse();
    let start =
        |from: &str| json!({"action": "start", "combatants": [{"from": from, "initiative": 3}]});
    for wanted in ["Wreker", "Wrecker"] {
        table
            .manage_combat(start(wanted))
            .refused_with("unknown_template", &["{\"from\": \"Foes.md#Wrecker\"}"]);
    }
    table.manage_combat(start("Foes.md#Wrecker")).is_fine();
}

/// Slips whose advice is another call, with words of it.
#[test]
fn a_word_of_another_game_is_answered_with_what_is_meant() {
    let mut table = table();
    let check = |more: Value| with(json!({"character": "Jory", "skill": "Melee"}), more);
    for (tool, call, advice) in [
        (
            "skill_check",
            check(json!({"difficulty": 9, "roll_type": "advantage"})),
            "advantage=true",
        ),
        (
            "roll_dice",
            json!({"expression": "1d6", "private": true}),
            "visibility=\"gm\"",
        ),
        (
            "get_rules",
            json!({"query": "falling"}),
            "search_rules query=",
        ),
        (
            "manage_session",
            json!({"action": "save"}),
            "everything is kept already",
        ),
        (
            "manage_session",
            json!({"action": "tick_clock", "name": "Rising tide"}),
            "action=\"clock\" tick=1",
        ),
        (
            "manage_session",
            json!({"action": "advance", "minutes": 10}),
            "time=\"10 minutes\"",
        ),
        (
            "manage_session",
            json!({"action": "note", "text": "The seal", "kind": "quest"}),
            "kind=\"thread\"",
        ),
        (
            "manage_session",
            json!({"action": "log", "text": "They rest"}),
            "action=\"note\" text=\"They rest\"",
        ),
        (
            "roll_dice",
            json!({"dice": "1d20+3", "roll_type": "advantage"}),
            "expression=\"1d20+3 with advantage\"",
        ),
        ("odds", json!({"expression": "2d6>=9"}), "`2d6 vs 9`"),
        (
            "roll_multiple",
            json!({"rolls": ["1d6+ld4", {"expression": "2d6", "context": "x"}]}),
            "`1d6+1d4`",
        ),
        (
            "manage_combat",
            json!({"action": "get_state"}),
            "action=\"status\"",
        ),
        (
            "manage_combat",
            json!({"action": "add_condition", "combatant": "Jory"}),
            "manage_character action=\"add_condition\"",
        ),
        (
            "manage_character",
            json!({"action": "long_rest"}),
            "action=\"rest\" kind=\"long rest\"",
        ),
    ] {
        let refused = table.call(tool, call.clone());
        assert!(refused.is_refused(), "{tool} {call}");
        let summary = refused.value()["summary"].as_str().expect("text");
        assert!(summary.contains(advice), "{tool} {call}: {summary}");
    }
    // A number beside the name of what it is for is that number.
    for sent in ["DC 12", "12", "difficulty 12"] {
        let done = table.dice([9]).skill_check(check(json!({"dc": sent})));
        assert!(done.text("summary").contains("against 12"), "{sent}");
    }
    table
        .skill_check(check(json!({"difficulty": "12 apples"})))
        .refusal_text("unknown_difficulty");
}
