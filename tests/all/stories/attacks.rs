//! Attacks on a sheet, read from every usual stat block; and those that the rules have for
//! everybody.

use serde_json::{Value, json};

use crate::table::{Table, cases, each, text};

/// Attacks on a sheet: given, changed, kept, shown, taken back; and read from every usual stat
/// block.
const RULES: &str = "# Any\n\n## Dice\nRoll 1d20 + modifiers against a difficulty.\n\n## Attributes\n- Strength (STR): arms\n- Dexterity (DEX): aim\n\
                 - Range: 1 to 30\n\n## Skills\n- Melee (STR): blows\n- Aim (DEX): shots\n\n## Health\n- Hit points: max 10\n- Damage: Hit points\n\n\
                 ## Conditions\n- Prone: disadvantage on checks\n- Burning (1-3): -1 on checks\n";

fn table() -> Table {
    Table::of_rules(Some(RULES))
}

/// Writes the page of foes beside the rules.
fn page(table: &Table, text: &str) {
    std::fs::write(table.path("adventure").join("Foes.md"), text).expect("a page");
}

#[test]
fn attacks_are_written_on_a_sheet_changed_by_name_and_taken_off() {
    let mut table = table();
    let claw = json!({"name": "Claw", "bonus": 5, "damage": "1d6+3 slashing plus 1d4 fire", "range": "reach 5 ft.", "effect": "gain Burning 2"});
    let hook = json!({"name": "Boat hook", "skill": "melee", "damage": "1d12 + {STR}", "damage_type": "piercing", "effect": "drags a step"});
    table.create(
        "Ann",
        json!({"attributes": {"STR": 14}, "attacks": [claw, hook]}),
    );
    let sheet = table.get_character(json!({}))["character"].clone();
    let expected = json!([
        {"name": "Claw", "bonus": 5, "range": "reach 5 ft.", "conditions": ["burning 2"],
         "damage": [{"amount": "1d6 + 3", "damage_type": "slashing"}, {"amount": "1d4", "damage_type": "fire"}]},
        {"name": "Boat hook", "skill": "Melee", "effect": "drags a step",
         "damage": [{"amount": "1d12 + {STR}", "damage_type": "piercing"}]}
    ]);
    assert_eq!(sheet["attacks"], expected);
    let change = json!({"action": "update", "attacks": [{"name": "claw", "bonus": 6}, {"name": "Boat hook", "remove": true}]});
    let changed = table.manage_character(change);
    let expected = "Ann: attack Claw +5, 1d6 + 3 (slashing); 1d4 (fire), reach 5 ft., burning 2 to +6, 1d6 + 3 (slashing); 1d4 (fire), reach \
     5 ft., burning 2; attack Boat hook Melee, 1d12 + {STR} (piercing), drags a step to none.";
    assert_eq!(changed["summary"], expected);
    assert_eq!(
        table.get_character(json!({}))["character"]["attacks"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    table.manage_session(json!({"action": "undo"})).is_fine();
    assert_eq!(table.get_character(json!({}))["character"], sheet);
}

#[test]
fn an_attack_is_kept_by_export_sheet_and_template() {
    let mut table = table();
    let claw = json!({"name": "Claw | left", "bonus": -1, "damage": "max(1, 1d6), 2 cold", "effect": "DC 13 CON save,\nor poisoned"});
    table.create(
        "Ann",
        json!({"attributes": {"STR": 14, "DEX": 10}, "attacks": [claw], "worth": 50}),
    );
    let attacks = table.get_character(json!({"character": "Ann"}))["character"]["attacks"].clone();
    for (format, name) in [("json", "Bea"), ("markdown", "Cid")] {
        let call = json!({"action": "export", "character": "Ann", "format": format});
        let text = table.manage_character(call).text("document").to_owned();
        table
            .manage_character(json!({"action": "import", "name": name, "text": text}))
            .is_fine();
        let read = table.get_character(json!({"character": name}))["character"].clone();
        assert_eq!(
            (&read["attacks"], &read["worth"]),
            (&attacks, &json!(50)),
            "{format}: {text}"
        );
    }
    table.create("Dot", json!({"from": "Ann"}));
    assert_eq!(
        table.get_character(json!({"character": "Dot"}))["character"]["attacks"],
        attacks
    );
}

#[test]
fn an_attack_that_the_rules_cannot_have_is_refused_with_what_to_send() {
    let mut table = table();
    table.create("Ann", json!({"attributes": {"STR": 14, "DEX": 10}}));
    let mut refused = |attack: serde_json::Value, code: &str, words: &str| {
        table
            .manage_character(json!({"action": "update", "attacks": [attack]}))
            .refused_with(code, &[words]);
    };
    refused(
        json!({"name": "Hook", "skill": "Meele"}),
        "unknown_skill",
        "skill takes one of Melee",
    );
    refused(
        json!({"name": "Hook", "damage": "lots"}),
        "invalid_parameters",
        "\"1d6 slashing plus 1d4 fire\"",
    );
    refused(
        json!({"name": "Hook", "damage": "1d7"}),
        "invalid_die",
        "d7",
    );
    let call = json!({"name": "Hook", "damage": "1d6 fire, 1d6 cold", "damage_type": "acid"});
    refused(call, "invalid_parameters", "has 2");
    refused(
        json!({"name": "Hook", "remove": true}),
        "unknown_attack",
        "The sheet has no attacks",
    );
    refused(json!({"name": ""}), "limit_exceeded", "attacks.name");
}

#[test]
fn a_foe_of_the_shelf_has_its_attacks_and_keeps_its_other_lines_as_notes() {
    let mut table = Table::with_party();
    table
        .manage_character(
            json!({"action": "create", "from": "Foes.md#Wrecker", "kind": "template"}),
        )
        .is_fine();
    let character = table.get_character(json!({"character": "Wrecker"}))["character"].clone();
    let expected = json!([
        {"name": "cudgel", "bonus": 3, "damage": [{"amount": "1d6 + 1"}]},
        {"name": "crossbow", "bonus": 3, "damage": [{"amount": "1d6"}], "effect": "Neave only"}
    ]);
    assert_eq!(character["attacks"], expected);
    let notes = character["gm_notes"].as_str().unwrap();
    assert!(
        notes.contains("Wants: five crowns") && !notes.contains("cudgel"),
        "{notes}"
    );
}

#[test]
fn a_printed_block_brings_attacks_conditions_and_what_its_defeat_is_worth() {
    let mut table = table();
    let block = "## Owlbear\n\n- **Armor Class** 13\n- **Hit Points** 59 (7d10 + 21)\n- **Challenge** 3 (700 XP)\n\n### Actions\n\n\
                 ***Multiattack.*** Two attacks.\n\n***Beak.*** *Melee Weapon Attack:* +7 to hit, reach 5 ft., one creature. *Hit:* 10 (1d10 + 5) \
                 piercing damage, and prone.\n\n| Weapon | Damage |\n|---|---|\n| Horn | 2d6 |\n| Melee | 1d3 |\n";
    table
        .manage_character(json!({"action": "import", "text": block}))
        .is_fine();
    let character = table.get_character(json!({"character": "Owlbear"}))["character"].clone();
    assert_eq!(character["worth"], 700);
    let expected = json!([
        {"name": "Beak", "bonus": 7, "damage": [{"amount": "1d10 + 5", "damage_type": "piercing"}], "range": "reach 5 ft", "conditions": ["prone"]},
        {"name": "Horn", "damage": [{"amount": "2d6"}]},
    ]);
    assert_eq!(character["attacks"], expected);
    assert_eq!(
        character["skills"]["Melee"],
        Value::Null,
        "a weapon called as a skill is"
    );
    assert_eq!(
        character["gm_notes"],
        "Armour 13\nChallenge: 3 (700 XP)\nActions\nMultiattack: Two attacks.\nWeapon | Damage\nMelee | 1d3"
    );
}

#[test]
fn the_three_open_json_forms_bring_attacks() {
    let flat = json!({"name": "Claw", "desc": "Rends.", "attack_bonus": 4, "damage_dice": "2d4", "damage_bonus": 2});
    let bits = json!({"name": "Claw", "desc": "Rends.", "attack_bonus": 4,
        "damage": [{"damage_type": {"name": "Slashing"}, "damage_dice": "2d4+2"}]});
    let second = json!({"name": "Claw", "desc": "Rends.", "attacks": [{"to_hit_mod": 4, "damage_die_count": 2, "damage_die_type": "D4",
        "damage_bonus": 2, "damage_type": {"name": "Slashing"}}]});
    let prose = json!({"name": "Claw", "desc": "Melee Weapon Attack: +4 to hit, reach 5 ft., one target. Hit: 7 (2d4 + 2) slashing damage."});
    for action in [flat, bits, second, prose] {
        let mut table = table();
        let foe = json!({"name": "Rat", "hit_points": 3, "xp": 25, "actions": [action]});
        table
            .manage_character(json!({"action": "import", "text": foe.to_string()}))
            .is_fine();
        let character = table.get_character(json!({"character": "Rat"}))["character"].clone();
        let attack = &character["attacks"][0];
        assert_eq!(
            (&attack["name"], &attack["bonus"]),
            (&json!("Claw"), &json!(4)),
            "{character}"
        );
        assert_eq!(attack["damage"][0]["amount"], "2d4 + 2", "{character}");
        assert_eq!(character["worth"], 25);
    }
}

#[test]
fn a_block_with_an_unread_number_is_made_with_it_and_then_fights() {
    let mut table = table();
    page(
        &table,
        "# Foes\n\n## Rat\n\n- Hit points: seven\n- DEX 12\n",
    );
    table.create("Ann", json!({"attributes": {"STR": 10, "DEX": 10}}));
    let start = |rat: Value| json!({"action": "start", "combatants": [{"name": "Ann", "initiative": 9}, rat]});
    let refused = table.manage_combat(start(json!({"from": "Foes.md#Rat", "initiative": 2})));
    let advice = [
        "Send manage_character action=\"create\" kind=\"npc\" from=\"Foes.md#Rat\" hp=7 ",
        "Then send {\"name\": \"Rat\"} here instead of from.",
    ];
    refused.refused_with("invalid_sheet", &advice);
    let create = json!({"action": "create", "kind": "npc", "from": "Foes.md#Rat", "hp": 7});
    table.manage_character(create).is_fine();
    table
        .manage_combat(start(json!({"name": "Rat", "initiative": 2})))
        .is_fine();
}

#[test]
fn foes_of_a_page_join_on_the_spot_and_their_defeat_is_offered_not_awarded() {
    let mut table = table();
    page(
        &table,
        "# Foes\n\n## Rat\n\n- Hit points: 4\n- XP: 25\n- Attack: bite +2, damage 1d4\n- DEX 12\n\n## Queen\n\n- Hit points: 9\n- XP: 100\n",
    );
    for name in ["Ann", "Bea"] {
        table.create(name, json!({"attributes": {"STR": 10, "DEX": 10}}));
    }
    let fight = json!({"action": "start", "combatants": [{"name": "Ann", "initiative": 9},
        {"from": "Foes.md#Rat", "count": 2, "hp": 3, "initiative": 5}, {"from": "Foes.md#Queen", "initiative": 2, "attributes": {"STR": 20}}]});
    let begun = table.manage_combat(fight);
    let order: Vec<(&str, &str)> = each(&begun["order"])
        .map(|place| {
            (
                place["name"].as_str().unwrap(),
                place["health"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        order,
        [
            ("Ann", "10/10"),
            ("Rat 1", "3/3"),
            ("Rat 2", "3/3"),
            ("Queen", "9/9")
        ]
    );
    let queen = table.get_character(json!({"character": "Queen"}))["character"].clone();
    assert_eq!(
        (&queen["attributes"]["Strength"]["score"], &queen["worth"]),
        (&json!(20), &json!(100))
    );
    let hit = table.apply_damage(json!({"target": "Rat 1", "amount": 5}));
    assert_eq!(
        hit["next"],
        "Rat 1 is worth 25 XP, which the fight's end offers with the others'."
    );
    table
        .apply_damage(json!({"target": "Queen", "amount": 20}))
        .is_fine();
    let over = table.manage_combat(json!({"action": "end"}));
    let expected = "Rat 1, Queen are worth 125 XP, 62 for each of 2: manage_character action=\"award\" xp=62 gives it to each of the party.";
    assert_eq!(over["next"], expected);
    assert_eq!(
        table.get_character(json!({"character": "Ann"}))["character"]["xp"],
        0,
        "nothing is awarded by itself"
    );
    table.manage_session(json!({"action": "undo"})).is_fine();
    table.record().is_sound();
}

#[test]
fn a_page_that_is_not_there_or_leads_out_is_refused_and_nobody_is_made() {
    let mut table = table();
    page(
        &table,
        "## Rat\n\n- Hit points: 4\n\n## Bat\n\n- Hit points: 2\n",
    );
    for (from, code) in [
        ("Foe.md#Rat", "unknown_page"),
        ("../Foes.md#Rat", "unknown_page"),
        ("Foes.md#Rot", "which_entry"),
        ("Rat", "unknown_template"),
    ] {
        let call =
            json!({"action": "start", "combatants": [{"from": "Foes.md#Bat"}, {"from": from}]});
        table.manage_combat(call).refused(code);
    }
    table
        .get_character(json!({"character": "Bat"}))
        .refused("no_character");
}

#[test]
fn those_of_a_kind_have_one_initiative_where_the_call_says_so() {
    let mut table = Table::of_rules(Some(&format!(
        "{RULES}\n## Combat\n- Initiative: `1d20`, highest first, once per fight\n"
    )));
    let rats = |more: i64| json!({"name": "Rat", "count": more, "hp": 4});
    let start = json!({"action": "start", "initiative": "by kind", "combatants": [rats(3), {"name": "Owl", "hp": 3, "initiative": 1}]});
    let numbers = |table: &mut Table| -> Vec<i64> {
        let status = table.manage_combat(json!({"action": "status"}));
        let order = each(&status["order"]);
        order
            .filter(|place| place["name"].as_str().unwrap().starts_with("Rat"))
            .map(|place| place["initiative"].as_i64().unwrap())
            .collect()
    };
    // One die falls for the three.
    table.dice([13]).manage_combat(start).is_fine();
    assert_eq!(numbers(&mut table), [13, 13, 13]);
    table
        .manage_combat(json!({"action": "add", "combatants": [rats(1)]}))
        .is_fine();
    assert_eq!(numbers(&mut table), [13, 13, 13, 13]);
    table
        .dice([7])
        .manage_combat(json!({"action": "roll_initiative", "combatant": "Rat 2"}))
        .is_fine();
    assert_eq!(numbers(&mut table), [7, 7, 7, 7]);
    table.manage_session(json!({"action": "undo"})).is_fine();
    assert_eq!(numbers(&mut table), [13, 13, 13, 13]);
}

#[test]
fn those_of_a_kind_have_one_initiative_where_the_rules_or_a_prepared_fight_say_so() {
    let rats = json!([{"name": "Rat", "count": 2, "hp": 4}]);
    let one = "\n## Combat\n- Initiative: `1d20`, highest first, each round, one a kind\n";
    let mut table = Table::of_rules(Some(&format!("{RULES}{one}")));
    table
        .dice([4])
        .manage_combat(json!({"action": "start", "combatants": rats}))
        .is_fine();
    table
        .manage_combat(json!({"action": "next_turn"}))
        .is_fine();
    // A new round: one die again.
    table
        .dice([9])
        .manage_combat(json!({"action": "next_turn"}))
        .is_fine();
    table.record().is_sound();

    let mut table = Table::of_rules(Some(&format!("{RULES}{}", one.replace(", one a kind", ""))));
    table
        .manage_combat(json!({"action": "create", "combatants": rats}))
        .is_fine();
    table
        .dice([4])
        .manage_combat(json!({"action": "start", "initiative": "by kind"}))
        .is_fine();
}

#[test]
fn players_learn_who_hit_whom_where_a_foes_roll_is_the_gms() {
    let mut table = Table::with_party();
    table.start(json!([
        {"name": "Jory", "initiative": 20}, {"name": "Wrecker", "hp": 9, "initiative": 10}, {"name": "Ghoul", "hp": 9, "initiative": 5, "hidden": true},
    ]));
    let hit = |who: &str| json!({"character": who, "attribute": "STR", "target": "Jory", "damage": "1d4"});
    let seen = table.dice([18, 3]).skill_check(hit("Wrecker"));
    assert_eq!(
        seen["player_text"],
        "Jory takes 3 damage from Wrecker: Hit points 14 to 11/14."
    );
    let unseen = table.dice([18, 1]).skill_check(hit("Ghoul"));
    assert!(
        !unseen.text("player_text").contains("Ghoul"),
        "{}",
        unseen["player_text"]
    );
    let secret = crate::table::with(hit("Wrecker"), json!({"visibility": "gm"}));
    let secret = table.dice([18, 1]).skill_check(secret);
    assert!(
        !secret.text("player_text").contains("Wrecker"),
        "{}",
        secret["player_text"]
    );
}

#[test]
fn a_word_after_damage_dice_is_their_type_or_is_refused() {
    let mut table = Table::with_party();
    let attacks = json!({"action": "update", "character": "Jory", "attacks": [{"name": "Torch", "skill": "Melee", "damage": "1d4 fire"}]});
    table.manage_character(attacks).is_fine();
    let hurt = table
        .dice([2, 3])
        .apply_damage(json!({"target": "Sabeth", "amount": "2d6 fire"}));
    assert!(
        hurt.text("summary").contains("5 fire damage"),
        "{}",
        hurt["summary"]
    );
    let unknown = table.apply_damage(json!({"target": "Sabeth", "amount": "2d6 blub"}));
    unknown.refused_with(
        "invalid_parameters",
        &["Send amount=\"2d6\" damage_type=\"blub\""],
    );
    let two = table
        .apply_damage(json!({"target": "Sabeth", "amount": "2d6 fire", "damage_type": "cold"}));
    two.refused("invalid_parameters");
    for [call, words] in cases(json!([
        [{"amount": "1d8 + 2 blub"}, "Send amount=\"1d8 + 2\" damage_type=\"blub\""],
        [{"amount": "1d8[sword] + 2d6 - 1 blub damage"}, "Send amount=\"1d8[sword] + 2d6 - 1\" damage_type=\"blub\""],
        [{"amount": "1d8 + 2 fire", "damage_type": "cold"}, "Send amount=\"1d8 + 2\" and one damage_type"],
    ])) {
        let refused = table.apply_damage(crate::table::with(json!({"target": "Sabeth"}), call));
        refused.refused_with("invalid_parameters", &[text(&words)]);
    }
}

#[test]
fn labels_of_damage_dice_stay_labels() {
    let mut table = Table::with_party();
    let attacks = json!({"action": "update", "character": "Jory", "attacks": [{"name": "Torch", "skill": "Melee", "damage": "1d4 fire"}]});
    table.manage_character(attacks).is_fine();
    for (amount, damage_type, words) in [
        ("1d4[sword] + 1d4[sneak]", json!(null), false),
        ("1d4[fire] + 1d4[sneak]", json!(null), false),
        ("2d4[fireball]", json!("fire"), true),
        ("2d4[fireball]", json!(null), false),
        ("2d4[fire]", json!(null), true),
    ] {
        let mut call = json!({"target": "Sabeth", "amount": amount});
        if !damage_type.is_null() {
            call["damage_type"] = damage_type;
        }
        let hurt = table.dice([1, 1]).apply_damage(call);
        assert_eq!(
            hurt.text("summary").contains("2 fire damage"),
            words,
            "{amount}: {}",
            hurt["summary"]
        );
        table.manage_session(json!({"action": "undo"})).is_fine();
    }
}

#[test]
fn an_opponent_and_a_target_are_one_person() {
    let mut table = Table::with_party();
    table.create("Eel", json!({"kind": "npc"}));
    let call = json!({"character": "Jory", "attribute": "STR", "opposed_by": {"character": "Sabeth", "attribute": "STR"}, "target": "Eel"});
    table.skill_check(call).refused_with(
        "invalid_parameters",
        &["Send opposed_by={\"character\": \"Eel\"}"],
    );
}

/// Attacks that the rules have for everybody.
const COMMON_RULES: &str = "# Blades\n\n## Dice\nRoll 1d20 + modifiers against a difficulty.\n\n## Attributes\n- Strength (STR)\n- Range: 0 to 20\n- Modifier: `{score}`\n\n\
     ## Skills\n- Melee (STR)\n- Aim (STR)\n\n## Conditions\n- Prone: -2 on checks\n\n## Health\n- Hit points: max 20\n- Damage: Hit points\n\n";

fn common_table(attacks: &str) -> Table {
    let mut table = Table::of_rules(Some(&format!("{COMMON_RULES}{attacks}\n")));
    let attacks = json!([{"name": "Iron hatchet", "skill": "Melee", "damage": "1d4"}, {"name": "Bow", "skill": "Aim", "damage": "1d12"}]);
    table.create(
        "Ann",
        json!({"attributes": {"STR": 2}, "skills": {"Melee": 1}, "attacks": attacks}),
    );
    table.create("Bob", json!({"attributes": {"STR": 0}}));
    table.create("Wolf", json!({"kind": "npc", "hp": 20}));
    table
}

const TABLE: &str = "| Weapon | Skill | Bonus | Damage | Type | Range | Target effect |\n|---|---|---|---|---|---|---|\n\
     | Longsword | Melee | 1 | `1d8 + {STR}` | slashing | reach | |\n| Bow | Aim | | 1d6 | piercing | 80 ft. | |\n\
     | Net | Melee | | 1 | | | gain Prone |\n| Torch | | +0 | 1d4 | fire | | |";

#[test]
fn a_table_of_weapons_serves_who_has_none_of_the_name_in_any_section_of_rules() {
    for section in [
        "## Weapons\n\n",
        "## Attacks\n\n",
        "## Combat\n\n- Initiative: none\n\n",
        "## Health\n\n### Arms\n\n",
    ] {
        let mut table = common_table(&format!("{section}{TABLE}"));
        let call =
            json!({"character": "Ann", "attack": "longsword", "target": "Wolf", "difficulty": 12});
        let hit = table.dice([8, 5]).skill_check(call);
        assert_eq!(
            hit["margin"], 0,
            "{section}: 8 and 2 of Strength, 1 of Melee, 1 of the sword"
        );
        assert_eq!(hit["damage"]["amount"], 7, "{section}: {}", hit["damage"]);
        let rolled = table
            .record()
            .bodies()
            .iter()
            .any(|body| body.to_string().contains("\"damage_type\":\"slashing\""));
        assert!(rolled, "{section}: of the column Type");
        let call = json!({"character": "Ann", "attack": "Bow", "target": "Wolf", "difficulty": 5});
        assert_eq!(
            table.dice([8, 11]).skill_check(call)["damage"]["amount"],
            11,
            "her own bow, not that of the table"
        );
        let net = json!({"character": "Bob", "attack": "Net", "target": "Wolf", "difficulty": 5});
        let net = table.dice([8]).skill_check(net);
        assert_eq!(
            net["damage"]["conditions"],
            json!(["Prone"]),
            "{section}: {}",
            net["damage"]
        );
        let torch =
            json!({"character": "Bob", "attack": "torch", "target": "Wolf", "difficulty": 5});
        assert_eq!(
            table.dice([8, 1]).skill_check(torch)["damage"]["amount"],
            1,
            "{section}: a bonus alone"
        );
    }
}

#[test]
fn the_summary_has_each_attack() {
    let text = format!("{COMMON_RULES}## Attacks\n\n{TABLE}\n");
    let reading = rollbook_rules::read(vec![rollbook_text::diagnostic::SourceFile::new(
        "System.md",
        text,
    )]);
    let rules = rollbook_rules::reading_summary(&reading);
    for line in ["Longsword", "1d8 + {STR} (slashing)", "1d4 (fire)", "prone"] {
        assert!(rules.contains(line), "{line}: {rules}");
    }
}

#[test]
fn near_names_are_those_of_the_sheet_and_of_the_rules() {
    let mut table = common_table(TABLE);
    let miss = |name: &str, who: &str| json!({"character": who, "attack": name, "target": "Wolf", "difficulty": 5, "damage": "1d4"});
    let refused = table.skill_check(miss("Longsward", "Ann"));
    let refused = refused.refused("unknown_attack").clone();
    assert_eq!(refused["did_you_mean"], json!(["Longsword"]));
    let summary = refused["summary"].as_str().expect("words");
    assert!(
        summary.contains("There is Iron hatchet, Bow, Longsword, Net and Torch")
            || summary.contains("Iron hatchet, Bow, Longsword, Net, Torch"),
        "{summary}"
    );
    table
        .skill_check(miss("Whip", "Bob"))
        .refused_with("unknown_attack", &["Longsword"]);
}

#[test]
fn a_row_that_cannot_be_read_is_a_finding_and_loses_its_table() {
    for (row, help) in [
        ("| Club | Mele | 1d6 |", "did you mean `Melee`?"),
        ("| Club | Melee | a lot |", "an amount, such as"),
        (
            "| Club | Melee | 1d8/1d10 |",
            "an expression stands in backticks",
        ),
    ] {
        let table =
            format!("| Weapon | Skill | Damage |\n|---|---|---|\n{row}\n| Axe | Melee | 1d10 |");
        let rules = format!("{COMMON_RULES}## Weapons\n\n{table}\n");
        let reading = rollbook_rules::read(vec![rollbook_text::diagnostic::SourceFile::new(
            "System.md",
            rules,
        )]);
        let found = reading
            .diagnostics
            .iter()
            .filter(|one| one.code == "document/not-understood");
        let shown: Vec<String> = found.map(|one| one.help.join("; ")).collect();
        assert!(
            shown.len() == 1 && shown[0].contains(help),
            "{row}: {shown:?}"
        );
        assert!(reading.system.attacks.is_empty(), "{row}");
    }
}
