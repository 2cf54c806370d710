//! Whose number a check is tried against: the target's, or what the rules state for everybody; never the attacker's own.

use serde_json::{Value, json};

use crate::table::{Table, jory, with};

/// Armour is an attribute, Ward a track, Parry a skill with a base; Guard comes with each call.
const RULES: &str = "# Blades\n\n## Attributes\n- Strength (STR): hitting\n- Armour (AR): not being hit\n- Range: 3 to 20\n- Modifier: `{score}`\n\n\
     ## Skills\n- Melee (STR): blades\n- Parry (STR, base `5 + {STR}`)\n- Dodge (STR): out of the way\n- Bulk: being hard to move\n\n\
     ## Checks\n\n### Strike\n- Roll: `1d20 + {modifier}`\n- Target: {target Armour}\n\n### Hex\n- Roll: `1d20 + {modifier}`\n- Target: `10 + {target Ward}`\n\n\
     ### Feint\n- Roll: `1d20`\n- Asks: Guard 0 to 30\n- Target: {Guard}\n\n### Slip\n- Roll: `1d20`\n- Target: {target AR score} or less\n\n\
     ### Bind\n- Roll: `1d20 + {modifier}`\n- Target: {target Parry}\n\n### Grab\n- Roll: `1d20 + {modifier}`\n- Target: {target Dodge}\n\n\
     ### Default\n- Roll: `1d20`\n- Target: {target Bulk=7}\n\n## Health\n- Hit points: max 10\n- Ward: max 5, start 0\n- Damage: Hit points\n";

fn table(rules: &str) -> Table {
    let mut table = Table::of_rules(Some(rules));
    let ann = json!({"action": "create", "name": "Ann", "attributes": {"STR": 4, "AR": 9}, "skills": {"Melee": 2}});
    table.manage_character(ann).is_fine();
    let grice = json!({"action": "create", "name": "Grice", "kind": "npc", "hp": 8});
    table.manage_character(grice).is_fine();
    table
}

fn strike(check: &str) -> Value {
    json!({"character": "Ann", "check": check, "skill": "Melee", "target": "Grice"})
}

/// The call that a refusal asks for, with this number for each `…`.
fn advised(summary: &str, number: i64) -> Value {
    let advice = summary.split("Send manage_character ").nth(1).unwrap_or_else(|| panic!("{summary}"));
    let mut call = json!({});
    for field in ["action", "character"] {
        let value = advice.split(&format!("{field}=\"")).nth(1).and_then(|rest| rest.split('"').next());
        call[field] = json!(value.expect("a value"));
    }
    for field in ["attributes", "skills", "tracks"] {
        if let Some(rest) = advice.split(&format!("{field}=")).nth(1) {
            let map = rest.split_inclusive('}').next().expect("a map").replace('…', &number.to_string());
            call[field] = serde_json::from_str(&map).unwrap_or_else(|error| panic!("{map}: {error}"));
        }
    }
    call
}

#[test]
fn a_target_without_the_number_is_named_with_the_call_that_sets_it_which_then_works() {
    for (check, name, number) in [
        ("Strike", "Armour", 11),
        ("Slip", "AR score", 6),
        // Its base is worked out from an attribute that nobody wrote down.
        ("Bind", "Parry", 13),
        ("Grab", "Dodge", 14),
    ] {
        let mut table = table(RULES);
        let refused = table.skill_check(strike(check));
        let summary = refused.refused("missing_value")["summary"].as_str().expect("words").to_owned();
        assert!(summary.contains(&format!("the target's {name}, and Grice has none")), "{summary}");
        let odds = table.call("odds", strike(check));
        assert!(odds.refused("missing_value")["summary"].as_str().is_some_and(|own| own.contains("Grice has none")));
        table.manage_character(advised(&summary, number)).is_fine();
        let fell = table.dice([10]).skill_check(strike(check));
        assert_eq!(fell["target"], number, "{check}: {}", fell["summary"]);
        table.record().is_sound();
    }
}

#[test]
fn both_lacking_is_the_same_refusal() {
    let mut table = table(RULES);
    let one = table.skill_check(strike("Strike")).refused("missing_value")["summary"].clone();
    table.manage_character(json!({"action": "create", "name": "Bo", "attributes": {"STR": 4}})).is_fine();
    let both = table.skill_check(with(strike("Strike"), json!({"character": "Bo"})));
    assert_eq!(both.refused("missing_value")["summary"], one);
    assert_eq!(
        one,
        "Strike (System.md:17) is tried against the target's Armour, and Grice has none. Send manage_character action=\"update\" \
         character=\"Grice\" attributes={\"AR\": …}, or difficulty=… for this roll alone. Nothing was rolled."
    );
}

#[test]
fn a_number_that_is_there_or_said_counts_as_before() {
    let mut table = table(RULES);
    let said = table.dice([10]).skill_check(with(strike("Strike"), json!({"difficulty": 13})));
    assert_eq!((&said["target"], &said["noted"][0]), (&json!(13), &Value::Null), "{}", said["noted"]);
    let parry = table.dice([10]).skill_check(json!({"character": "Ann", "check": "Feint", "values": {"Guard": 4}}));
    assert_eq!(parry["target"], 4);
    let hexed = table.dice([10]).skill_check(strike("Hex"));
    assert_eq!(hexed["target"], 10, "a track that everybody has");
}

#[test]
fn what_a_formula_states_for_whoever_has_none_counts() {
    let mut table = table(RULES);
    let bulk = table.dice([10]).skill_check(strike("Default"));
    assert_eq!(bulk["target"], 7);
    table.manage_character(json!({"action": "update", "character": "Grice", "skills": {"Bulk": 9}})).is_fine();
    let bulk = table.dice([10]).skill_check(strike("Default"));
    assert_eq!((&bulk["target"], &bulk["noted"]), (&json!(9), &Value::Null));
}

#[test]
fn an_effect_is_on_the_one_who_is_named_and_not_on_who_acts() {
    for parameter in ["target", "character", "combatant", "on"] {
        let mut table = Table::lockhouse();
        table.manage_character(jory()).is_fine();
        let list = json!([{"name": "Goblin", "hp": 7, "initiative": 12}, {"name": "Jory", "initiative": 9}]);
        table.manage_combat(json!({"action": "start", "combatants": list})).is_fine();
        let answer = table.manage_combat(json!({"action": "add_effect", "name": "haste", parameter: "Jory"}));
        let summary = answer.is_fine()["summary"].as_str().expect("a summary").to_owned();
        assert!(summary.starts_with("haste on Jory"), "{parameter}: {summary}");
    }
}
