//! Arguments that say something in another way than the rules or the sheet: what is used is said, what is unclear is refused.

use serde_json::{Value, json};

use crate::table::{Answer, Table, with};

const WEAPONS: &str = "# Arms\n\n## Attributes\n- Strength (STR)\n- Range: 1 to 20\n\n## Skills\n- Melee (STR)\n- Aim (STR)\n\n## Checks\n\n\
     ### Strike\n- Roll: `1d20 + {modifier}`\n- Target: `{difficulty}`\n\n## Attacks\n\n| Weapon | Skill | Damage | Type |\n|---|---|---|---|\n\
     | Torch | Melee | 1d4 | fire |\n| Club | Melee | 1d6 | bludgeoning |\n\n## Health\n- Damage types: fire, bludgeoning\n- Hit points: max 30\n- Damage: Hit points\n";

fn armed() -> Table {
    let mut table = Table::of_rules(Some(WEAPONS));
    for name in ["Ann", "Bo"] {
        table.manage_character(json!({"action": "create", "name": name, "attributes": {"STR": 10}})).is_fine();
    }
    table
}

fn notes(answer: &Answer) -> String {
    answer["noted"].to_string()
}

#[test]
fn a_type_of_damage_that_only_the_rules_have_is_one() {
    let mut table = armed();
    let hurt = table.dice([3, 4]).apply_damage(json!({"target": "Bo", "amount": "2d6 fire"}));
    assert_eq!(hurt["parameters"]["amount"], "2d6 fire");
    assert!(hurt.text("summary").contains("7 fire"), "{}", hurt["summary"]);
    let labelled = table.dice([3]).apply_damage(json!({"target": "Bo", "amount": "1d6[fire]"}));
    assert!(labelled.text("summary").contains("3 fire"), "{}", labelled["summary"]);
    let strike =
        json!({"character": "Ann", "skill": "Melee", "difficulty": 10, "target": "Bo", "damage": "1d6 Bludgeoning"});
    let struck = table.dice([15, 2]).skill_check(strike);
    assert_eq!(struck["damage"]["amount"], 2, "{}", struck.value());
    let unknown =
        table.apply_damage(json!({"target": "Bo", "amount": "2d6 cold"})).refused("invalid_parameters").to_string();
    assert!(unknown.contains("neither a sheet nor the rules have cold"), "{unknown}");
    table.record().is_sound();
}

#[test]
fn what_a_call_says_counts_instead_of_what_the_sheet_says_of_the_attack() {
    let mut table = armed();
    let torch = json!({"character": "Ann", "attack": "Torch", "difficulty": 10, "target": "Bo"});
    let cold = table.dice([15, 2]).skill_check(with(torch.clone(), json!({"damage_type": "cold"})));
    assert!(cold.text("summary").contains("2 cold"), "{}", cold["summary"]);
    let aimed = table.dice([15, 2]).skill_check(with(torch.clone(), json!({"skill": "Aim"})));
    assert_eq!(aimed["skill"], "Aim", "{}", aimed.value());
    let other = table.dice([15, 2]).skill_check(with(torch.clone(), json!({"attribute": "STR"})));
    assert_eq!((&other["skill"], &other["attribute"]), (&json!("Melee"), &json!("Strength")), "{}", other.value());
    let same = with(torch, json!({"skill": "melee", "damage_type": "Fire"}));
    let same = table.dice([15, 2]).skill_check(same);
    assert_eq!(same["noted"], Value::Null, "{}", same.value());
    table.record().is_sound();
}

#[test]
fn a_bonus_is_noted_as_the_modifier_and_refused_where_the_rules_have_one_of_their_own() {
    let mut table = armed();
    let check = json!({"character": "Ann", "skill": "Melee", "difficulty": 10});
    let more = table.dice([9]).skill_check(with(check.clone(), json!({"bonus": 3})));
    assert!(notes(&more).contains("bonus is read as modifier"), "{}", more.value());
    let own = table.dice([9]).skill_check(with(check.clone(), json!({"modifier": 3})));
    assert_eq!((&own["margin"], &own["noted"]), (&more["margin"], &Value::Null));
    let less = table.skill_check(with(check, json!({"penalty": 2}))).refused("invalid_parameters").to_string();
    assert!(less.contains("modifier=-2"), "{less}");
    let rules = "# Sleuth\n\n## Skills\n- Spot\n\n## Checks\n\n### Look\n- Roll: `1d100 - {bonus=0}`\n- Asks: bonus 0 to 20\n- Target: {skill} or less\n";
    let mut sleuth = Table::of_rules(Some(rules));
    sleuth.manage_character(json!({"action": "create", "name": "Ida", "skills": {"Spot": 50}})).is_fine();
    let refused = sleuth.skill_check(json!({"skill": "Spot", "bonus": 1})).refused("invalid_parameters").to_string();
    assert!(refused.contains("values={\\\"bonus\\\": 1}"), "{refused}");
    sleuth.dice([20]).skill_check(json!({"skill": "Spot", "values": {"bonus": 1}})).is_fine();
}

#[test]
fn a_reason_that_is_too_long_is_refused_as_reason_and_one_that_fits_is_taken_whatever_is_behind_it() {
    let mut table = Table::of_rules(Some(
        "# Ship\n\n## Health\n- Damage types: fire, bludgeoning\n- Hit points: max 30\n- Damage: Hit points\n\n## Company\n- Supplies: max 10\n",
    ));
    for name in ["Ann", "Bo"] {
        table.manage_character(json!({"action": "create", "name": name})).is_fine();
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
        assert_eq!(refused.refused("limit_exceeded")["details"][0]["parameter"], "reason", "{call}");
        let dice = if call["amount"].is_string() { if call["each"] == true { 2 } else { 1 } } else { 0 };
        table.dice(vec![1; dice]).apply_damage(with(call, json!({"reason": fits}))).is_fine();
    }
    let clock = json!({"action": "clock", "name": "Flood", "segments": 4, "text": long});
    let refused = table.manage_session(clock);
    assert_eq!(refused.refused("limit_exceeded")["details"][0]["parameter"], "text");
    table.record().is_sound();
}

#[test]
fn a_foe_of_the_adventure_that_is_misspelt_comes_by_the_advice_of_one_call() {
    let mut table = Table::lockhouse();
    let start = |from: &str| json!({"action": "start", "combatants": [{"from": from, "initiative": 3}]});
    for wanted in ["Wreker", "Wrecker"] {
        let refused = table.manage_combat(start(wanted)).refused("unknown_template")["summary"].to_string();
        assert!(refused.contains("{\\\"from\\\": \\\"Foes.md#Wrecker\\\"}"), "{refused}");
    }
    table.manage_combat(start("Foes.md#Wrecker")).is_fine();
}
