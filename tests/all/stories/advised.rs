//! Advice that is carried out does what was meant, not only something that succeeds.

use serde_json::{Value, json};

use super::advice::follow;
use crate::table::{Table, jory, with};

/// A table with Jory Penrake.
fn table() -> Table {
    let mut table = Table::lockhouse();
    table.manage_character(with(jory(), json!({"name": "Jory Penrake"}))).is_fine();
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
    followed(&mut table, "manage_combat", json!({"action": "add", "combatants": [{"name": "Ogre"}]}));
    let said = followed(&mut table, "manage_combat", json!({"action": "add", "combatants": [{"name": "Fen hag"}]}));
    assert!(
        said.contains("Send {\"name\": \"Fen hag\", \"hp\": 7} for a new foe, with its own hit points for 7"),
        "{said}"
    );
    for foe in ["Ogre", "Fen hag"] {
        let hit = table.apply_damage(json!({"target": foe, "amount": 3}));
        assert_eq!(hit.text("summary"), format!("{foe} takes 3 damage: Hit points 7 to 4/7."));
    }
    // Where marks decide there are no hit points to give.
    let mut table = Table::of(std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/adventures/ninth-reel")));
    table.endless_dice(7);
    table.manage_character(json!({"action": "create", "name": "Dot"})).is_fine();
    followed(&mut table, "manage_combat", json!({"action": "start", "combatants": [{"name": "Ogre"}]}));
    table.apply_damage(json!({"target": "Ogre", "amount": 9})).is_fine();
}

#[test]
fn a_kind_by_another_word_becomes_that_kind() {
    for (word, kind) in [("pc", "player"), ("monster", "npc"), ("ally", "companion"), ("plyer", "player")] {
        let mut table = Table::lockhouse();
        followed(&mut table, "manage_character", json!({"action": "create", "kind": word, "name": "Ann"}));
        let sheet = table.get_character(json!({"character": "Ann"}));
        assert_eq!(sheet["character"]["kind"], kind, "{word}: {}", sheet.value());
    }
}

#[test]
fn dice_as_an_amount_are_rolled_and_that_roll_is_the_amount() {
    let mut table = table();
    for sent in ["amount", "damage"] {
        let hit = table.dice([4]).apply_damage(json!({"target": "Jory", sent: "1d6+1"}));
        assert!(hit.text("summary").contains("Jory Penrake takes 5 damage"), "{}", hit.value());
    }
}

#[test]
fn a_condition_sent_as_name_is_the_condition_that_was_meant() {
    let rules = "# R\n\n## Conditions\n\n- Frightened: -1 on checks\n- Poisoned: -2 on checks\n";
    for call in
        [json!({"name": "poisond"}), json!({"character": "Ann", "name": "poisond"}), json!({"name": "poisoned"})]
    {
        let mut table = Table::of_rules(Some(rules));
        table.manage_character(json!({"action": "create", "name": "Ann"})).is_fine();
        let said = followed(&mut table, "manage_character", with(json!({"action": "add_condition"}), call));
        assert!(said.contains("Send condition=\"Poisoned\" in place of name."), "{said}");
        let sheet = table.get_character(json!({"character": "Ann"})).value().to_string();
        assert!(sheet.contains("oisoned") && !sheet.contains("rightened"), "{sheet}");
    }
}

#[test]
fn where_nobody_is_yet_the_named_one_is_made() {
    let mut table = Table::of_rules(None);
    let said = followed(&mut table, "get_character", json!({"character": "Jory"}));
    assert!(said.contains("no \"Jory\"") && said.contains("action=\"create\" name=\"Jory\""), "{said}");
    assert_eq!(table.get_character(json!({"character": "Jory"}))["character"]["name"], "Jory");
    let said = Table::lockhouse().skill_check(json!({"character": "Jory", "skill": "Melee"}));
    let said = said.refused("no_character")["summary"].as_str().expect("text").to_owned();
    assert!(said.contains("name=\"Jory\" attributes={\"STR\": 11"), "{said}");
}

#[test]
fn whoever_is_added_to_no_fight_begins_one() {
    let mut table = table();
    table.endless_dice(7);
    let list = json!([{"name": "Jory"}, {"name": "Rat", "count": 2, "hp": 4}]);
    followed(&mut table, "manage_combat", json!({"action": "add", "combatants": list}));
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
    let mut table = Table::of_rules(Some(SEA));
    let ann = json!({"action": "create", "name": "Ann", "attributes": {"Grit": 4}, "skills": {"Deep Diving": 3, "Sky Diving": 1, "Knots": 2}});
    table.manage_character(ann).is_fine();
    let tracks = json!({"Salt Armour": 3, "Luck of the sea": 1});
    table.manage_character(json!({"action": "update", "character": "Ann", "tracks": tracks})).is_fine();
    table
}

#[test]
fn a_track_is_meant_by_a_word_that_it_alone_has() {
    let mut table = at_sea();
    for track in ["fate", "Fate Points", "FATE"] {
        let moved = table.apply_damage(json!({"target": "Ann", "amount": 1, "track": track}));
        assert!(moved.text("summary").contains("Fate points"), "{}", moved.value());
    }
    let hurt = table.apply_damage(json!({"target": "Ann", "amount": 6, "track": "HP"}));
    assert!(hurt.text("summary").contains("Hit points 20 to 18/20"), "{}", hurt.value());
    let several = table.apply_damage(json!({"target": "Ann", "amount": 1, "track": "points"}));
    assert_eq!(several.refused("ambiguous_name")["did_you_mean"].as_array().expect("names").len(), 2);
    let said = followed(&mut table, "apply_damage", json!({"target": "Ann", "amount": -1, "track": "Faet points"}));
    assert!(said.contains("Send track=\"Fate points\""), "{said}");
}

#[test]
fn what_is_bypassed_is_meant_by_a_word_that_it_alone_has() {
    let mut table = at_sea();
    let past = |table: &mut Table, name: &str| {
        table.apply_damage(json!({"target": "Ann", "amount": 4, "bypass": [name], "preview": true}))
    };
    assert!(past(&mut table, "salt").text("summary").contains("takes 3 damage"));
    assert!(past(&mut table, "luck").text("summary").contains("takes 1 damage"));
    let several = past(&mut table, "armour");
    let said = several.refused("ambiguous_name")["summary"].as_str().expect("text").to_owned();
    assert!(said.contains("could mean Salt Armour, Hide Armour. Send bypass=[\"Salt Armour\"], or"), "{said}");
    let near = past(&mut table, "Slat Armour");
    let said = near.refused("unknown_mitigation")["summary"].as_str().expect("text").to_owned();
    assert!(said.contains("Send bypass=[\"Salt Armour\"]."), "{said}");
}

#[test]
fn a_follow_up_that_is_misspelt_is_the_near_one() {
    let mut table = at_sea();
    let roll = table.dice([3]).skill_check(json!({"character": "Ann", "attribute": "Grit", "difficulty": 15}));
    let seq = roll.number("log");
    table.endless_dice(9);
    let again = table.skill_check(json!({"again": format!("#{seq} puhs")}));
    let said = again.refused("which_follow_up")["summary"].as_str().expect("text").to_owned();
    assert!(said.contains(&format!("Send again=\"#{seq} push\"")), "{said}");
    let again = table.skill_check(json!({"again": format!("#{seq} lukc")}));
    let said = again.refused("which_follow_up")["summary"].as_str().expect("text").to_owned();
    assert!(said.contains(&format!("Send again=\"#{seq} luck\"")), "{said}");
    table.skill_check(json!({"again": format!("#{seq} push")})).is_fine();
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
    let said = several.refused("ambiguous_name")["summary"].as_str().expect("text").to_owned();
    assert!(said.contains("could mean Deep Diving, Sky Diving. Send skill=\"Deep Diving\""), "{said}");
    table.endless_dice(9);
    let said = followed(&mut table, "skill_check", json!({"character": "Ann", "skill": "Knosts", "difficulty": 9}));
    assert!(said.contains("Send skill=\"Knots\""), "{said}");
}

#[test]
fn a_score_under_its_own_name_is_a_score_of_the_sheet() {
    let mut table = Table::lockhouse();
    let said = followed(&mut table, "manage_character", json!({"action": "create", "name": "Ann", "dex": 14}));
    assert!(said.contains("attributes={\"dex\": 14}"), "{said}");
    let sheet = table.get_character(json!({"character": "Ann"}));
    assert_eq!(sheet["character"]["attributes"]["Dexterity"]["score"], 14, "{}", sheet.value());
    let lists = table.manage_character(json!({"action": "create", "name": "Bo", "skills": ["Melee"]}));
    let said = lists.refused("invalid_parameters")["summary"].as_str().expect("text");
    assert!(said.contains("is not an object (valid: names with their values: {\"Name\": 1})"), "{said}");
}

#[test]
fn what_is_used_up_goes_by_the_advised_call() {
    let mut table = table();
    table.manage_character(
        json!({"action": "award", "character": "Jory", "inventory": [{"name": "rope", "quantity": 2}]}),
    );
    let refused = table.manage_character(json!({"action": "use_item", "character": "Jory", "item": "rope"}));
    let said = refused.refused("invalid_parameters")["summary"].as_str().expect("text").to_owned();
    assert!(
        said.contains("action=\"award\" inventory=[{\"name\": \"rope\", \"quantity\": -1}], without item"),
        "{said}"
    );
    let used = json!({"action": "award", "character": "Jory", "inventory": [{"name": "rope", "quantity": -1}]});
    table.manage_character(used).is_fine();
    let sheet = table.get_character(json!({"character": "Jory"}));
    assert_eq!(sheet["character"]["inventory"][0]["quantity"], 1, "{}", sheet.value());
}

#[test]
fn hit_points_of_a_player_are_the_gms_where_no_rule_gives_them() {
    let mut table = Table::of_rules(None);
    table.manage_character(json!({"action": "create", "name": "Ann", "hp": 20})).is_fine();
    let hit = table.apply_damage(json!({"target": "Ann", "amount": 3}));
    assert_eq!(hit.text("summary"), "Ann takes 3 damage: Hit points 20 to 17/20.");
}

#[test]
fn the_conditions_that_there_are_are_named_once() {
    let mut table = Table::of(std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/adventures/long-pour")));
    table.manage_character(json!({"action": "create", "name": "Ann"})).is_fine();
    let refused = table.manage_character(json!({"action": "add_condition", "character": "Ann", "condition": "Prone"}));
    let said = refused.refused("unknown_condition")["summary"].as_str().expect("text");
    assert_eq!(said.matches("dead").count(), 1, "{said}");
}

#[test]
fn hit_points_in_apply_damage_are_no_damage() {
    let mut table = table();
    let refused = table.apply_damage(json!({"target": "Jory", "hp": 3}));
    let said = refused.refused("invalid_parameters")["summary"].as_str().expect("text");
    assert!(said.contains("amount=3 for damage; manage_character action=\"update\" hp=3 sets hit points"), "{said}");
}
