//! A roll against a number of the target: `{target Armour}`.

use serde_json::json;

use crate::table::Table;

const RULES: &str = "# Blades\n\n## Dice\nRoll 1d20 + modifiers against a difficulty.\n\n## Attributes\n- Strength (STR)\n- Range: 3 to 20\n- Modifier: `{score}`\n\n\
     ## Skills\n- Melee (STR)\n- Aim (STR)\n- Climb (STR)\n\n## Health\n- Hit points: max 10\n- Damage: Hit points\n\n## Combat\n- Initiative: none\n\n";

#[test]
fn a_foe_from_a_page_is_struck_at_its_armour_by_skill_and_by_its_own_attacks() {
    let mut table = Table::with_party();
    let wrecker = json!({"from": "Foes.md#Mag", "initiative": 1});
    let start = json!({"action": "start", "combatants": [{"name": "Jory", "initiative": 5}, wrecker]});
    table.manage_combat(start).is_fine();
    let sheet = table.get_character(json!({"character": "Mag"}))["character"].clone();
    assert_eq!(sheet["skills"]["Armour"], 12, "{}", sheet["skills"]);
    let hit = table
        .dice([15, 6])
        .skill_check(json!({"character": "Jory", "skill": "Melee", "damage": "1d12", "target": "Mag"}));
    assert_eq!(hit["target"], 12);
    // The hatchet has a bonus of its own, and no skill; Jory's description says no Armour, and the rules 10.
    let back = table.dice([2]).skill_check(json!({"character": "Mag", "attack": "hatchet", "target": "Jory"}));
    assert_eq!((&back["target"], &back["outcome"]), (&json!(10), &json!("failure")));
    table.record().is_sound();
}

#[test]
fn skills_behind_the_scores_of_a_block_are_skills_that_contain_their_attribute() {
    let mut table = Table::of_rules(Some(RULES));
    let text = "# Gunner\n\n- Hit points: 8\n- Attributes: STR 5; Melee +7, Aim +5\n";
    table.manage_character(json!({"action": "import", "text": text, "kind": "npc"})).is_fine();
    let own = table.get_character(json!({"character": "Gunner"}))["character"].clone();
    assert_eq!((&own["skills"]["Melee"], &own["skills"]["Aim"]), (&json!(2), &json!(0)), "{own}");
    table.record().is_sound();
}

#[test]
fn armour_that_takes_damage_off_is_a_track_of_a_foe_from_a_block() {
    let rules = RULES.replace("max 10\n", "max 10\n- Armour: subtract {Armour}\n");
    let mut table = Table::of_rules(Some(&rules));
    let text = "# Wolf\n\n- Hit points: 8\n- Armour: 2\n";
    table.manage_character(json!({"action": "import", "text": text, "kind": "npc"})).is_fine();
    let hurt = table.apply_damage(json!({"target": "Wolf", "amount": 5}));
    assert_eq!(hurt["tracks"][0]["after"], 5, "{}", hurt.value());
    table.record().is_sound();
}

const STRIKE: &str = "## Dice\nRoll 1d20 + modifiers.\n\n## Attributes\n- Strength (STR)\n- Armour class (AC)\n- Range: -1 to 30\n- Modifier: `{score}`\n\n\
     ## Skills\n- Arms (STR)\n- Climb (STR)\n\n## Health\n- Hit points: max 40\n- Damage: Hit points\n\n## Combat\n- Initiative: none\n\n## Checks\n\n\
     ### Check\n- Roll: `1d20 + {modifier}`\n- Target: `{difficulty}`\n\n\
     ### Strike\nSENTENCE\n\n- For: attacks, Arms\n- Roll: `1d20 + {modifier}`\n- Target: {target Armour class}\n\n\
     | Outcome | When | Damage |\n|---|---|---|\n| Deep (critical success) | margin 10+ | twice |\n| Hit (success) | margin 0+ | once |\n| Miss (failure) | otherwise | none |\n\n\
     ### Save\n- Roll: `1d20 + {modifier}`\n- Target: `{difficulty}`\n\n\
     | Outcome | When | Damage |\n|---|---|---|\n| Saved (success) | margin 0+ | half |\n| Caught (failure) | otherwise | once |\n";

/// Ann before Grice, where a declared check is rolled against somebody's armour.
fn duel(sentence: &str) -> Table {
    let rules = format!("# Bronze\n\n{}", STRIKE.replace("SENTENCE", sentence));
    let mut table = Table::of_rules(Some(&rules));
    let ann = json!({"action": "create", "name": "Ann", "attributes": {"STR": 2, "AC": 12}, "skills": {"Arms": 5}});
    table.manage_character(ann).is_fine();
    let text =
        "# Grice\n\n- Hit points: 40\n- Armour class: 15\n- Attack: hanger +7, damage 1d8+3\n- Attributes: STR 2\n";
    table.manage_character(json!({"action": "import", "text": text, "kind": "npc"})).is_fine();
    table
}

#[test]
fn a_declared_check_against_the_number_is_the_one_that_is_made() {
    let mut table = duel("Roll Arms against the Armour class of whoever you name as `target`.");
    let own = json!({"character": "Grice", "attack": "hanger", "target": "Ann"});
    let hit = table.dice([15, 4]).skill_check(own);
    assert_eq!((&hit["check"], &hit["target"], &hit["label"]), (&json!("Strike"), &json!(12), &json!("Deep")));
    assert_eq!(hit["damage"]["tracks"][0]["after"], 26, "{}", hit["damage"]);
    let dealt = json!({"character": "Ann", "skill": "Arms", "target": "Grice", "damage": "1d8+3"});
    let hit = table.dice([18, 4]).skill_check(dealt);
    assert_eq!((&hit["check"], &hit["label"]), (&json!("Strike"), &json!("Deep")));
    assert_eq!(hit["damage"]["tracks"][0]["after"], 26, "{}", hit["damage"]);
    let plain = json!({"character": "Ann", "skill": "Arms", "target": "Grice"});
    let hit = table.dice([18]).skill_check(plain.clone());
    assert_eq!((&hit["check"], &hit["target"], &hit["label"]), (&json!("Strike"), &json!(15), &json!("Deep")));
    let named = json!({"character": "Ann", "check": "Strike", "skill": "Arms", "target": "Grice"});
    let odds = table.call("odds", plain);
    assert_eq!(odds["check"], "Strike");
    assert_eq!(odds["outcomes"], table.call("odds", named)["outcomes"]);
    // What is not a strike stays the first check, and an opponent makes the same one.
    let climbs = table.skill_check(json!({"character": "Ann", "skill": "Climb", "target": "Grice"}));
    climbs.refused("missing_value");
    let climbs = json!({"character": "Ann", "skill": "Climb", "difficulty": 12});
    assert_eq!(table.dice([9]).skill_check(climbs)["check"], "Check");
    // Without a target the difficulty stands for its number.
    let nobody = table.dice([9]).skill_check(json!({"character": "Ann", "skill": "Arms", "difficulty": 12}));
    assert_eq!((&nobody["check"], &nobody["target"]), (&json!("Strike"), &json!(12)));
    table.record().is_sound();
}

#[test]
fn an_attack_is_rolled_against_the_number_without_a_sentence_about_it() {
    let mut table = duel("With whatever is in your hand.");
    for call in [
        json!({"character": "Ann", "skill": "Arms", "target": "Grice", "damage": "1d8+3"}),
        json!({"character": "Grice", "attack": "hanger", "target": "Ann"}),
    ] {
        assert_eq!(table.dice([18, 1]).skill_check(call)["check"], "Strike");
    }
    table.record().is_sound();
}

#[test]
fn an_attack_follows_from_its_rule_as_any_check_does() {
    let mut table = duel("To hit, roll Arms.");
    table.dice([7]).skill_check(json!({"character": "Ann", "skill": "Climb", "difficulty": 12})).is_fine();
    table.dice([9]).skill_check(json!({"character": "Ann", "skill": "Arms", "target": "Grice"})).is_fine();
    let verified = table.record().verified(None);
    let notes: Vec<&String> = verified.campaigns.iter().flat_map(|own| &own.notes).map(|note| &note.what).collect();
    assert!(verified.is_sound() && notes.is_empty(), "{notes:?}");
}
