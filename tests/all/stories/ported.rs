//! Characters leave as text and come back; foes come from the open data sets and from stat blocks.

use std::path::Path;

use serde_json::{Value, json};

use crate::table::Table;

const GOBLIN: &str = r#"{"name": "Goblin", "size": "Small", "type": "humanoid", "armor_class": 15, "hit_points": 7, "hit_dice": "2d6",
    "speed": "30 ft.", "strength": 8, "dexterity": 14, "constitution": 10, "intelligence": 10, "wisdom": 8, "charisma": 8, "stealth": 6,
    "damage_immunities": "", "challenge_rating": "1/4", "special_abilities": [{"name": "Nimble Escape", "desc": "It slips away."}],
    "actions": [{"name": "Scimitar", "desc": "+4 to hit.\nHit: 5 (1d6 + 2) slashing damage."}]}"#;

fn document(table: &mut Table, who: &str, format: &str) -> String {
    table.manage_character(json!({"action": "export", "character": who, "format": format})).text("document").to_owned()
}

fn busy() -> Table {
    let mut table = Table::with_party();
    let jory = json!({
        "action": "update", "character": "Jory", "notes": "Owes | a *favour*\n\n> to nobody", "gm_notes": "is \\ followed", "xp": 120, "level": 2,
        "tracks": {"Luck | pluck, *or*": 3}, "inventory": [{"name": "rope, thin | 3*", "quantity": 2, "notes": "of silk\nand tar", "uses": 0}],
    });
    table.manage_character(jory).is_fine();
    table.apply_damage(json!({"target": "Jory", "amount": 4, "apply_conditions": ["soaked, cold"]})).is_fine();
    let held = json!({"action": "add_condition", "character": "Jory", "condition": "held | fast", "duration": "until end of scene"});
    table.manage_character(held).is_fine();
    table
}

#[test]
fn a_character_goes_out_and_comes_back_the_same() {
    for format in ["json", "markdown"] {
        let mut table = busy();
        let out = document(&mut table, "Jory", format);
        let back = json!({"action": "import", "text": out, "name": "Jory the second"});
        table.manage_character(back).is_fine();
        let again = document(&mut table, "Jory the second", format);
        // What ends a condition goes along: the end of a scene, here.
        let ended = if format == "json" { "\"until\": \"scene\"" } else { "held \\| fast | until end of scene" };
        assert!(again.contains(ended), "{again}");
        let again = again.replace("Jory the second", "Jory").replace("\"source\": \"sheet\"", "\"source\": \"gm\"");
        assert_eq!(again, out, "{format}");
        table.record().is_sound();
    }
}

#[test]
fn what_is_imported_is_held_to_the_rules() {
    let mut table = busy();
    let mut out: Value = serde_json::from_str(&document(&mut table, "Jory", "json")).unwrap();
    out["character"]["name"] = json!("Hob");
    out["character"]["attributes"]["Strength"] = json!(29);
    let import = |text: &Value| json!({"action": "import", "text": text.to_string()});
    let refused = table.manage_character(import(&out));
    assert!(
        refused.refused("invalid_parameters")["summary"]
            .as_str()
            .unwrap()
            .contains("29 is out of range (valid: 3 to 20)")
    );
    out["character"]["attributes"]["Strength"] = json!(12);
    out["character"]["tracks"][0]["value"] = json!(-4);
    table.manage_character(import(&out)).refused("invalid_parameters");
    out["character"]["tracks"][0]["value"] = json!(1);
    out["character"]["surprise"] = json!(true);
    table.manage_character(import(&out)).refused("invalid_document");
    table.manage_character(import(&json!({"rollbook_character": 9, "character": {}}))).refused("invalid_document");
    table.manage_character(import(&json!({"some": "thing"}))).refused("invalid_document");
    let deep = "[".repeat(100_000);
    table.manage_character(json!({"action": "import", "text": deep})).refused("invalid_document");
    table.manage_character(json!({"action": "import", "text": "x".repeat(200_001)})).refused("limit_exceeded");
    table
        .manage_character(
            json!({"action": "import", "text": "# Hob\n\nCompanion, level 1, 0 xp\n\n- **Hit points**: many\n"}),
        )
        .refused("invalid_sheet");
    table.manage_character(json!({"action": "import", "text": "Nothing to see here."})).refused("which_entry");
    table.record().is_sound();
}

#[test]
fn a_monster_of_the_open_data_sets_is_fitted_to_the_rules() {
    let mut table = Table::with_party();
    let came = table.manage_character(json!({"action": "import", "text": GOBLIN}));
    assert_eq!(came["summary"], "Goblin is made after an imported text (a template).");
    let goblin = table.get_character(json!({"character": "Goblin"}))["character"].clone();
    assert_eq!(goblin["skills"], json!({"Armour": 15, "Stealth": 4}), "6 with the +2 of its Dexterity");
    assert_eq!(goblin["tracks"], json!([{"name": "Hit points", "value": 7, "min": 0, "max": 7}]));
    let notes = goblin["gm_notes"].as_str().unwrap();
    for line in ["Small, humanoid", "Challenge: 1/4", "Nimble Escape. It slips away."] {
        assert!(notes.contains(line), "no {line} in {notes}");
    }
    assert_eq!(
        goblin["attacks"],
        json!([{"name": "Scimitar", "bonus": 4, "damage": [{"amount": "1d6 + 2", "damage_type": "slashing"}]}])
    );
    let bits = json!([{"name": "Rat", "hit_points": 1, "armor_class": [{"type": "dex", "value": 10}], "dexterity": 11, "strength": 2,
        "proficiencies": [{"value": 4, "proficiency": {"name": "Skill: Stealth"}}], "speed": {"walk": "20 ft."}, "challenge_rating": 0.125},
        {"name": "Ox", "hit_points": 15}]);
    let rat = json!({"action": "import", "text": bits.to_string(), "name": "Rat", "kind": "npc"});
    let came = table.manage_character(rat);
    assert_eq!(
        came["summary"],
        "Rat is made after an imported text (a non-player character) (the GM's ruling: as its block has it).",
        "2 is below the range"
    );
    assert_eq!(table.get_character(json!({"character": "Rat"}))["character"]["skills"]["Stealth"], 4);
    table.manage_character(json!({"action": "import", "text": bits.to_string()})).refused("which_entry");
    let second = json!({"name": "Imp", "hit_points": 10, "ability_scores": {"dexterity": 17}, "skill_bonuses": {"stealth": 5},
        "resistances_and_immunities": {"damage_immunities": [{"name": "Fire"}]}, "type": {"name": "Fiend"}});
    table.manage_character(json!({"action": "import", "text": second.to_string()})).is_fine();
    let imp = table.get_character(json!({"character": "Imp"}))["character"].clone();
    assert_eq!(imp["skills"]["Stealth"], 2);
    assert!(imp["gm_notes"].as_str().unwrap().contains("Immune to: Fire"));
    table.record().is_sound();
}

#[test]
fn a_foe_with_words_about_its_numbers_and_lists_in_any_place_is_read() {
    let mut table = Table::with_party();
    let import = |own: &Value| json!({"action": "import", "text": own.to_string()});
    let dragon = json!({"name": "Dragon", "hit_points": "1,059 (90d12+474)", "armor_class": "19 (scales)", "ability_scores": {"strength": "20 (+5)"},
        "speed": {"walk": 40, "hover": true, "crawl": false, "unit": "feet"}, "challenge_rating": "17.000", "challenge_rating_text": "17",
        "saving_throws": {"wisdom": 7}, "darkvision_range": 120, "passive_perception": 23, "legendary_desc": "Three a round.",
        "resistances_and_immunities": {"condition_immunities": [{"name": "Charmed"}]},
        "actions": [{"name": "Breath", "desc": "Fire.", "action_type": "ACTION", "usage_limits": {"type": "RECHARGE_ON_ROLL", "param": 5}},
            {"name": "Wings", "desc": "Wind.", "action_type": "LEGENDARY_ACTION", "legendary_action_cost": 2}]});
    table.manage_character(import(&json!({"count": 1, "results": [dragon]}))).is_fine();
    let own = table.get_character(json!({"character": "Dragon"}))["character"].clone();
    assert_eq!((&own["tracks"][0]["max"], &own["attributes"]["Strength"]["score"]), (&json!(1059), &json!(20)));
    assert_eq!(own["skills"]["Armour"], 19);
    assert_eq!(
        own["gm_notes"],
        "Challenge: 17\nSpeed: hover, walk 40\nImmune to the conditions: Charmed\nLegendary actions: Three a round.\n\
         Senses: darkvision 120, passive perception 23\nSaves: wisdom +7\nAction: Breath (recharge 5). Fire.\n\
         Legendary action: Wings (costs 2). Wind."
    );
    let bits = json!({"name": "Guard", "hit_points": 11, "challenge_rating": 0.125,
        "proficiencies": [{"value": 3, "proficiency": {"name": "Saving Throw: CON"}}],
        "special_abilities": [{"name": "Web", "desc": "It shoots.", "usage": {"type": "per day", "times": 3}}]});
    table.manage_character(import(&bits)).is_fine();
    let notes = table.get_character(json!({"character": "Guard"}))["character"]["gm_notes"].clone();
    assert_eq!(notes, "Challenge: 1/8\nSaves: CON +3\nWeb (3 a day). It shoots.");
    for (hp, said) in
        [(json!(0), "is 0;"), (json!(-5), "is -5;"), (json!(null), "is null;"), (json!("many"), "is \"many\";")]
    {
        let refused = table.manage_character(import(&json!({"name": "Mote", "hit_points": hp})));
        let summary = refused.refused("invalid_document")["summary"].as_str().unwrap().to_owned();
        assert!(summary.starts_with("hit_points of \"Mote\" ") && summary.contains(said), "{summary}");
    }
    let empty = table.manage_character(json!({"action": "import", "text": "[]"}));
    assert!(empty.refused("which_entry")["summary"].as_str().unwrap().starts_with("The list is empty"));
    table.record().is_sound();
}

#[test]
fn a_stat_block_in_the_usual_layout_is_read() {
    let mut table = Table::of(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/adventures/lockhouse")));
    let block = "> ## Ogre\n> *Large giant, chaotic evil*\n> - **Armor Class** 11 (hide armor)\n> - **Hit Points** 59 (7d10 + 21)\n>\n\
                 > |STR|DEX|CON|INT|WIS|CHA|\n> |:---:|:---:|:---:|:---:|:---:|:---:|\n> |19 (+4)|8 (-1)|16 (+3)|5 (-3)|7 (-2)|7 (-2)|\n>\n\
                 > - **Skills** Stealth +1\n> - **Damage Resistances** cold\n> ***Greatclub.*** +6 to hit\n";
    table.manage_character(json!({"action": "import", "text": block})).is_fine();
    let ogre = table.get_character(json!({"character": "Ogre"}))["character"].clone();
    assert_eq!(ogre["attributes"]["Strength"]["score"], 19);
    assert_eq!(ogre["skills"], json!({"Armour": 11, "Stealth": 2}), "+1 with the -1 of its Dexterity");
    assert_eq!(ogre["tracks"][0]["max"], 59);
    let notes = ogre["gm_notes"].as_str().unwrap();
    assert!(notes.contains("Resistant to: cold") && notes.contains("Greatclub"), "{notes}");
    table.record().is_sound();
}
