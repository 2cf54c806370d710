//! Attacks that the rules have for everybody.

use serde_json::json;

use crate::table::Table;

const RULES: &str = "# Blades\n\n## Dice\nRoll 1d20 + modifiers against a difficulty.\n\n## Attributes\n- Strength (STR)\n- Range: 0 to 20\n- Modifier: `{score}`\n\n\
     ## Skills\n- Melee (STR)\n- Aim (STR)\n\n## Conditions\n- Prone: -2 on checks\n\n## Health\n- Hit points: max 20\n- Damage: Hit points\n\n";

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

const TABLE: &str = "| Weapon | Skill | Bonus | Damage | Type | Range | Target effect |\n|---|---|---|---|---|---|---|\n\
     | Longsword | Melee | 1 | `1d8 + {STR}` | slashing | reach | |\n| Bow | Aim | | 1d6 | piercing | 80 ft. | |\n\
     | Net | Melee | | 1 | | | gain Prone |\n| Torch | | +0 | 1d4 | fire | | |";

#[test]
fn a_table_of_weapons_serves_whoever_has_none_of_the_name_in_any_section_of_rules() {
    for section in
        ["## Weapons\n\n", "## Attacks\n\n", "## Combat\n\n- Initiative: none\n\n", "## Health\n\n### Arms\n\n"]
    {
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
        let torch = json!({"character": "Bob", "attack": "torch", "target": "Wolf", "difficulty": 5});
        assert_eq!(table.dice([8, 1]).skill_check(torch)["damage"]["amount"], 1, "{section}: a bonus alone");
        table.record().is_sound();
    }
}

#[test]
fn the_summary_has_each_attack() {
    let text = format!("{RULES}## Attacks\n\n{TABLE}\n");
    let reading = rollbook_rules::read(vec![rollbook_text::diagnostic::SourceFile::new("System.md", text)]);
    let rules = rollbook_rules::understood(&reading);
    for line in ["Longsword", "1d8 + {STR} (slashing)", "1d4 (fire)", "prone"] {
        assert!(rules.contains(line), "{line}: {rules}");
    }
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
fn a_row_that_cannot_be_read_is_a_finding_and_loses_its_table() {
    for (row, help) in [
        ("| Club | Mele | 1d6 |", "did you mean `Melee`?"),
        ("| Club | Melee | a lot |", "an amount, such as"),
        ("| Club | Melee | 1d8/1d10 |", "an expression stands in backticks"),
    ] {
        let table = format!("| Weapon | Skill | Damage |\n|---|---|---|\n{row}\n| Axe | Melee | 1d10 |");
        let rules = format!("{RULES}## Weapons\n\n{table}\n");
        let reading = rollbook_rules::read(vec![rollbook_text::diagnostic::SourceFile::new("System.md", rules)]);
        let found = reading.diagnostics.iter().filter(|one| one.code == "document/not-understood");
        let told: Vec<String> = found.map(|one| one.help.join("; ")).collect();
        assert!(told.len() == 1 && told[0].contains(help), "{row}: {told:?}");
        assert!(reading.system.attacks.is_empty(), "{row}");
    }
}
