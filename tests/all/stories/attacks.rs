//! Attacks on a sheet: given, changed, kept, shown, taken back; and read from every usual stat block.

use serde_json::json;

use crate::table::Table;

fn table() -> Table {
    let rules = "# Any\n\n## Dice\nRoll 1d20 + modifiers against a difficulty.\n\n## Attributes\n- Strength (STR): arms\n- Dexterity (DEX): aim\n\
                 - Range: 1 to 30\n\n## Skills\n- Melee (STR): blows\n- Aim (DEX): shots\n\n## Health\n- Hit points: max `10`, from 0\n\n\
                 ## Conditions\n- Prone: disadvantage on checks\n- Burning (1-3): -1 to all checks\n";
    Table::of_rules(Some(rules))
}

#[test]
fn attacks_are_written_on_a_sheet_changed_by_name_and_taken_off() {
    let mut table = table();
    let claw = json!({"name": "Claw", "bonus": 5, "damage": "1d6+3 slashing plus 1d4 fire", "range": "reach 5 ft.", "effect": "Burning 2"});
    let hook = json!({"name": "Boat hook", "skill": "melee", "damage": "1d12 + {STR}", "damage_type": "piercing", "effect": "drags a step"});
    table
        .manage_character(
            json!({"action": "create", "name": "Ann", "attributes": {"STR": 14}, "attacks": [claw, hook]}),
        )
        .is_fine();
    let sheet = table.get_character(json!({}))["character"].clone();
    assert_eq!(
        sheet["attacks"],
        json!([
            {"name": "Claw", "bonus": 5, "range": "reach 5 ft.", "conditions": ["burning 2"],
             "damage": [{"amount": "1d6 + 3", "damage_type": "slashing"}, {"amount": "1d4", "damage_type": "fire"}]},
            {"name": "Boat hook", "skill": "Melee", "effect": "drags a step",
             "damage": [{"amount": "1d12 + {STR}", "damage_type": "piercing"}]}
        ])
    );
    let change =
        json!({"action": "update", "attacks": [{"name": "claw", "bonus": 6}, {"name": "Boat hook", "remove": true}]});
    let changed = table.manage_character(change);
    assert_eq!(
        changed["summary"],
        "Ann: attack Claw +5, 1d6 + 3 (slashing); 1d4 (fire), reach 5 ft., burning 2 to +6, 1d6 + 3 (slashing); 1d4 (fire), reach \
         5 ft., burning 2; attack Boat hook Melee, 1d12 + {STR} (piercing), drags a step to none."
    );
    assert_eq!(table.get_character(json!({}))["character"]["attacks"].as_array().unwrap().len(), 1);
    table.manage_session(json!({"action": "undo"})).is_fine();
    assert_eq!(table.get_character(json!({}))["character"], sheet);
    table.record().is_sound();
}

#[test]
fn an_attack_is_kept_by_export_sheet_and_template() {
    let mut table = table();
    let claw = json!({"name": "Claw | left", "bonus": -1, "damage": "max(1, 1d6), 2 cold", "effect": "DC 13 CON save,\nor poisoned"});
    let made = json!({"action": "create", "name": "Ann", "attributes": {"STR": 14, "DEX": 10}, "attacks": [claw], "worth": 50});
    table.manage_character(made).is_fine();
    let own = table.get_character(json!({"character": "Ann"}))["character"]["attacks"].clone();
    for (format, name) in [("json", "Bea"), ("markdown", "Cid")] {
        let text = table
            .manage_character(json!({"action": "export", "character": "Ann", "format": format}))
            .text("document")
            .to_owned();
        table.manage_character(json!({"action": "import", "name": name, "text": text})).is_fine();
        let read = table.get_character(json!({"character": name}))["character"].clone();
        assert_eq!((&read["attacks"], &read["worth"]), (&own, &json!(50)), "{format}: {text}");
    }
    table.manage_character(json!({"action": "create", "name": "Dot", "from": "Ann"})).is_fine();
    assert_eq!(table.get_character(json!({"character": "Dot"}))["character"]["attacks"], own);
    table.record().is_sound();
}

#[test]
fn an_attack_that_the_rules_cannot_have_is_refused_with_what_to_send() {
    let mut table = table();
    table.manage_character(json!({"action": "create", "name": "Ann", "attributes": {"STR": 14, "DEX": 10}})).is_fine();
    let mut refused = |attack: serde_json::Value, code: &str, words: &str| {
        let reply = table.manage_character(json!({"action": "update", "attacks": [attack]}));
        let summary = reply.refused(code)["summary"].as_str().unwrap().to_owned();
        assert!(summary.contains(words), "{summary}");
    };
    refused(json!({"name": "Hook", "skill": "Meele"}), "unknown_skill", "skill takes one of Melee");
    refused(json!({"name": "Hook", "damage": "lots"}), "invalid_parameters", "\"1d6 slashing plus 1d4 fire\"");
    refused(json!({"name": "Hook", "damage": "1d7"}), "invalid_die", "d7");
    refused(
        json!({"name": "Hook", "damage": "1d6 fire, 1d6 cold", "damage_type": "acid"}),
        "invalid_parameters",
        "has 2",
    );
    refused(json!({"name": "Hook", "remove": true}), "unknown_attack", "The sheet has no attacks");
    refused(json!({"name": ""}), "limit_exceeded", "attacks.name");
    table.record().is_sound();
}
