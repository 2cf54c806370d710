//! Attacks that the rules have for everybody.

use serde_json::json;

use crate::table::Table;

const RULES: &str = "# Blades\n\n## Dice\nRoll 1d20 + modifiers against a difficulty.\n\n## Attributes\n- Strength (STR)\n- Range: 0 to 20\n- Modifier: `{score}`\n\n\
     ## Skills\n- Melee (STR)\n- Aim (STR)\n\n## Conditions\n- Prone: -2 on checks\n\n## Health\n- Hit points: max `20`, from 0\n\n";

fn table(attacks: &str) -> Table {
    let mut table = Table::of_rules(Some(&format!("{RULES}{attacks}\n")));
    let own = json!([{"name": "Iron hatchet", "skill": "Melee", "damage": "1d4"}, {"name": "Bow", "skill": "Aim", "damage": "1d12"}]);
    let ann =
        json!({"action": "create", "name": "Ann", "attributes": {"STR": 2}, "skills": {"Melee": 1}, "attacks": own});
    table.manage_character(ann).is_fine();
    table.manage_character(json!({"action": "create", "name": "Bob", "attributes": {"STR": 0}})).is_fine();
    table.manage_character(json!({"action": "create", "name": "Wolf", "kind": "npc", "hp": 20})).is_fine();
    table
}

const TABLE: &str = "| Weapon | Skill | Damage | Type | Range | Effect |\n|---|---|---|---|---|---|\n\
     | Longsword | Melee +1 | `1d8 + {STR}` | slashing | reach | |\n| Bow | Aim | 1d6 | piercing | 80 ft. | |\n\
     | Net | Melee | 1 | | | prone |\n| Torch | +0 | 1d4 plus 1d6 fire | | | it smokes |";

#[test]
fn a_table_of_weapons_serves_whoever_has_none_of_the_name_wherever_it_stands() {
    for section in [
        "## Weapons\n\n",
        "## Combat\n\n- Initiative: none\n\n",
        "## What hangs on the wall\n\n",
        "## Health\n\n### Arms\n\n",
    ] {
        let mut table = table(&format!("{section}{TABLE}"));
        let call = json!({"character": "Ann", "attack": "longsword", "target": "Wolf", "difficulty": 12});
        let hit = table.dice([8, 5]).skill_check(call);
        assert_eq!(hit["margin"], 0, "{section}: 8 and 2 of Strength, 1 of Melee, 1 of the sword");
        assert_eq!(hit["damage"]["amount"], 7, "{section}: {}", hit["damage"]);
        let rolled =
            table.record().bodies().iter().any(|body| body.to_string().contains("\"damage_type\":\"slashing\""));
        assert!(rolled, "{section}: of the column Type");
        let own = json!({"character": "Ann", "attack": "Bow", "target": "Wolf", "difficulty": 5});
        assert_eq!(table.dice([8, 11]).skill_check(own)["damage"]["amount"], 11, "her own bow, not that of the table");
        let net = json!({"character": "Bob", "attack": "Net", "target": "Wolf", "difficulty": 5});
        let net = table.dice([8]).skill_check(net);
        assert_eq!(net["damage"]["conditions"], json!(["Prone"]), "{section}: {}", net["damage"]);
        let torch =
            json!({"character": "Bob", "attack": "torch", "target": "Wolf", "difficulty": 5, "damage_type": "fire"});
        assert!(table.dice([8, 1, 1]).skill_check(torch).value().to_string().contains("it smokes"));
        table.record().is_sound();
    }
}

#[test]
fn a_list_under_attacks_is_read_as_well() {
    let list = "## Attacks\n\n- Longsword: Melee +1, 1d8 + STR slashing, reach 5 ft.\n- **Torch**: 1d4 fire; it smokes\n- Net: Melee, prone";
    let mut table = table(list);
    let text = format!("{RULES}{list}\n");
    let reading = rollbook::rules::read(vec![rollbook::diagnostic::SourceFile::new("System.md", text)]);
    let rules = rollbook::rules::understood(&reading);
    for line in ["Longsword", "1d8 + {STR} (slashing)", "reach 5 ft.", "1d4 (fire)", "it smokes", "prone"] {
        assert!(rules.contains(line), "{line}: {rules}");
    }
    let call = json!({"character": "Ann", "attack": "Longsword", "target": "Wolf", "difficulty": 12});
    assert_eq!(table.dice([8, 5]).skill_check(call)["damage"]["amount"], 7);
}

#[test]
fn near_names_are_those_of_the_sheet_and_of_the_rules() {
    let mut table = table(TABLE);
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
    let refused = table.skill_check(miss("Whip", "Bob"));
    assert!(refused.refused("unknown_attack")["summary"].as_str().expect("words").contains("Longsword"));
}

#[test]
fn a_line_that_is_read_otherwise_than_it_is_written_is_none() {
    let read = |line: &str| {
        let rules = format!("{RULES}## Attacks\n\n- {line}\n- Axe: Melee, 1d10\n");
        let reading = rollbook::rules::read(vec![rollbook::diagnostic::SourceFile::new("System.md", rules)]);
        let found = reading.diagnostics.iter().filter(|one| one.code == "attacks/unreadable");
        let told: Vec<String> = found.flat_map(|one| one.labels.iter().map(|label| label.text.clone())).collect();
        (reading.system.attacks, told)
    };
    for (line, why) in [
        ("Sword: Melee, 1d8/1d10", "two attacks"),
        ("Sword: 1d8/1d10", "two attacks"),
        ("Sword: Melee, 2d6 halved", "neither dice alone"),
        ("Sword: Melee, 2d6 minus 1 per wound", "neither dice alone"),
        ("Sword: Melee vs Nerve, 1d8", "Target of its check"),
    ] {
        let (attacks, told) = read(line);
        assert!(told.len() == 1 && told[0].contains(why), "{line}: {told:?}");
        assert_eq!(attacks.iter().map(|own| own.name.as_str()).collect::<Vec<_>>(), ["Axe"], "{line}");
    }
    for line in
        ["Sword (Melee): 1d8 slashing", "Sword (Melee +1): 1d8 slashing", "Sword: Melee, 1d8 slashing, reach 5 ft."]
    {
        let (attacks, told) = read(line);
        assert_eq!(told, Vec::<String>::new(), "{line}");
        assert_eq!((attacks[0].name.as_str(), attacks[0].skill.as_deref()), ("Sword", Some("Melee")), "{line}");
        assert_eq!(attacks[0].damage[0].kind.as_deref(), Some("slashing"), "{line}");
    }
}

#[test]
fn what_cannot_be_read_is_a_finding_and_the_others_count() {
    for (cell, why) in [("| Club | Mele | 1d6 |", "did you mean `Melee`?"), ("| Club | Melee | a lot |", "no damage")] {
        let rules = format!(
            "{RULES}## Weapons\n\n| Weapon | Skill | Damage |\n|---|---|---|\n{cell}\n| Axe | Melee | 1d10 |\n"
        );
        let reading = rollbook::rules::read(vec![rollbook::diagnostic::SourceFile::new("System.md", rules)]);
        let found: Vec<String> = reading
            .diagnostics
            .iter()
            .filter(|one| one.code == "attacks/unreadable")
            .flat_map(|one| one.labels.iter().map(|label| label.text.clone()))
            .collect();
        assert!(found.len() == 1 && found[0].contains(why), "{cell}: {found:?}");
        assert_eq!(reading.system.attacks.iter().map(|own| own.name.as_str()).collect::<Vec<_>>(), ["Axe"]);
    }
}
