//! Every argument of every tool, sent as what it is not: the refusal names it, says what is wrong,
//! and what it takes.

use rollbook_table::tools::all_tools;
use serde_json::{Map, Value, json};

use crate::table::{Table, each};

/// Something that no reading makes into a value of that type.
fn wrong(schema: &Value) -> Value {
    if schema["anyOf"].is_array() {
        let is_of = |kind: &str| each(&schema["anyOf"]).any(|one| one["type"] == kind);
        return match is_of("object") && is_of("array") {
            true => json!(7),
            false => json!({"not": "text"}),
        };
    }
    match schema["type"].as_str().expect("a type") {
        "string" => json!({"not": "text"}),
        "integer" => json!("many"),
        "boolean" => json!("perhaps"),
        "array" => json!(7),
        "object" => json!([1, 2]),
        other => panic!("{other}"),
    }
}

/// The least that is right, so that only one argument is wrong.
fn right(tool: &str) -> Value {
    match tool {
        "roll_dice" | "odds" => json!({"expression": "d6"}),
        "roll_multiple" => json!({"rolls": [{"expression": "d6"}]}),
        "skill_check" => json!({"character": "Jory", "skill": "Melee", "difficulty": 9}),
        "apply_damage" => json!({"target": "Jory", "amount": 1}),
        "get_character" => json!({"character": "Jory"}),
        "manage_character" => json!({"action": "update", "character": "Jory", "level": 2}),
        "manage_combat" => {
            json!({"action": "start", "combatants": [{"name": "Jory", "initiative": 3}]})
        }
        "manage_session" => json!({"action": "start"}),
        "get_rules" | "get_time" | "search_log" => json!({}),
        "search_rules" => json!({"query": "lock"}),
        "calculator" => json!({"expression": "2 + 2"}),
        other => panic!("a new tool: {other}"),
    }
}

fn refused(table: &mut Table, tool: &str, call: Value, parameter: &str) {
    let before = table.record().everything();
    let refusal = table
        .call(tool, call.clone())
        .refused("invalid_parameters")
        .clone();
    let bad: Vec<&Value> = each(&refusal["details"]).collect();
    assert_eq!(bad.len(), 1, "{tool} {call}: {refusal}");
    // An object is one of the things that hp takes, so the wrong field of it is named.
    let parameter = if (tool, parameter) == ("manage_character", "hp") {
        "hp.not"
    } else {
        parameter
    };
    assert_eq!(bad[0]["parameter"], parameter, "{tool} {call}: {refusal}");
    for field in ["issue", "valid_range"] {
        let field = bad[0][field].as_str().expect("text");
        assert!(
            !field.is_empty()
                && refusal["summary"]
                    .as_str()
                    .is_some_and(|text| text.contains(field)),
            "{tool} {call}: {refusal}"
        );
    }
    assert_eq!(table.record().everything(), before);
}

#[test]
fn every_argument_of_a_wrong_type_is_named_with_what_it_takes() {
    let mut table = Table::with_party();
    for tool in all_tools() {
        let properties = tool.input["properties"].as_object().expect("properties");
        let actions = properties.get("action").map_or(vec![None], |action| {
            each(&action["enum"]).cloned().map(Some).collect()
        });
        for action in actions {
            for (name, schema) in properties {
                if name == "action"
                    && action != Some(json!("start"))
                    && action != Some(json!("create"))
                {
                    continue;
                }
                let mut call = right(&tool.name);
                if let Some(action) = &action {
                    call["action"] = action.clone();
                }
                call[name] = wrong(schema);
                refused(&mut table, &tool.name, call, name);
            }
        }
    }
}

#[test]
fn every_field_within_an_argument_of_a_wrong_type_is_named_by_its_path() {
    let mut table = Table::with_party();
    for tool in all_tools() {
        for (name, schema) in tool.input["properties"].as_object().expect("properties") {
            let (fields, path): (Map<String, Value>, String) = match (
                &schema["items"]["properties"],
                &schema["additionalProperties"],
            ) {
                (Value::Object(fields), _) => (fields.clone(), format!("{name}[0]")),
                (_, values @ Value::Object(_)) => (
                    Map::from_iter([("Any".to_owned(), values.clone())]),
                    name.clone(),
                ),
                _ => continue,
            };
            for (field, schema) in fields {
                let mut inner = json!({&field: wrong(&schema)});
                if ["attacks", "combatants", "inventory"].contains(&name.as_str())
                    && field != "name"
                {
                    inner["name"] = json!("Rat");
                }
                if name == "parts" && field != "amount" {
                    inner["amount"] = json!(1);
                }
                let mut call = right(&tool.name);
                call[name] = if path.ends_with(']') {
                    json!([inner])
                } else {
                    inner
                };
                refused(&mut table, &tool.name, call, &format!("{path}.{field}"));
            }
        }
    }
}

#[test]
fn what_is_out_of_range_is_reported_with_the_range() {
    let mut table = Table::with_party();
    for (tool, name, value) in [
        ("roll_multiple", "count", json!(0)),
        ("roll_multiple", "count", json!(101)),
        ("roll_dice", "after", json!(-1)),
        ("apply_damage", "roll", json!(-1)),
        ("apply_damage", "amount", json!(1.5)),
        ("skill_check", "visibility", json!([1])),
        ("get_character", "view", json!("long")),
        ("manage_character", "kind", json!("monster")),
    ] {
        let mut call = right(tool);
        call[name] = value;
        refused(&mut table, tool, call, name);
    }
}

/// The parameters that a refusal names.
fn blamed(refusal: &Value) -> Vec<&str> {
    let details = refusal["details"].as_array().expect("details");
    details
        .iter()
        .map(|detail| detail["parameter"].as_str().expect("text"))
        .collect()
}

#[test]
fn a_wrong_type_hides_no_other_fault() {
    let mut table = Table::with_party();
    let call = json!({"dice_count": 0, "dice_sides": 101, "modifier": 1.5, "keep_highest": 7});
    let refusal = table.roll_dice(call).refused("invalid_parameters").clone();
    assert_eq!(
        blamed(&refusal),
        ["modifier", "dice_count", "dice_sides"],
        "{refusal}"
    );
    let call =
        json!({"count": 0, "rolls": [{"expression": "d6"}, {"dice_count": 2000, "dice_sides": 6}]});
    let refusal = table
        .call("roll_multiple", call)
        .refused("invalid_parameters")
        .clone();
    assert_eq!(
        blamed(&refusal),
        ["count", "rolls[1].dice_count"],
        "{refusal}"
    );
    for detail in refusal["details"].as_array().expect("details") {
        assert!(!detail["valid_range"].as_str().expect("text").is_empty());
    }
}

#[test]
fn a_fault_in_an_expression_is_pointed_at_for_programs_too() {
    let mut table = Table::with_party();
    let refusal = table
        .roll_dice(json!({"expression": "2d6+3d6k7x"}))
        .refused("invalid_keep")
        .clone();
    let fault = &refusal["fault"];
    let span: Vec<u64> = each(&fault["span"]).filter_map(Value::as_u64).collect();
    assert!(
        span.len() == 2 && span[0] < span[1] && span[1] <= 10,
        "{refusal}"
    );
    table
        .dice([1; 9].map(|low| low + 1))
        .roll_dice(json!({"expression": fault["example"]}))
        .is_fine();
}
