//! Every refusal's advice, followed word for word, does what was meant: what is behind "Send", or
//! the first call of another tool that the words show, is sent exactly so, and it succeeds.

use serde_json::{Map, Value, json};

use rollbook_table::tools::all_tools;

use crate::table::{Table, jory, sabeth, with};

/// A table with a fight: Jory Penrake, Sabeth Quoin, two goblins; a template, and a lantern.
fn table() -> Table {
    let mut table = Table::lockhouse();
    table
        .manage_character(with(jory(), json!({"name": "Jory Penrake"})))
        .is_fine();
    table
        .manage_character(with(sabeth(), json!({"name": "Sabeth Quoin"})))
        .is_fine();
    table
        .manage_character(
            json!({"action": "create", "kind": "template", "name": "Wrecker", "hp": 7}),
        )
        .is_fine();
    let call =
        json!({"action": "award", "character": "Jory", "inventory": [{"name": "brass lantern"}]});
    table.manage_character(call).is_fine();
    table.start(json!([{"name": "Jory", "initiative": 9}, {"name": "Goblin", "count": 2, "hp": 7, "initiative": 5}]));
    table
        .manage_combat(json!({"action": "add_effect", "name": "bless", "on": "Jory"}))
        .is_fine();
    table.endless_dice(7);
    table.roll_dice(json!({"expression": "1d6"})).is_fine();
    table
}

/// The end of a JSON value that begins here.
fn value_end(text: &str) -> usize {
    let (mut depth, mut quoted) = (0, false);
    for (at, letter) in text.char_indices() {
        match letter {
            '"' => quoted = !quoted,
            '[' | '{' if !quoted => depth += 1,
            ']' | '}' if !quoted => depth -= 1,
            ' ' | ',' | '.' | ';' | ')' if !quoted && depth == 0 => return at,
            _ => continue,
        }
        if depth == 0 && !quoted && matches!(letter, '"' | ']' | '}') {
            return at + letter.len_utf8();
        }
    }
    text.len()
}

/// `name=value` pairs side by side from the beginning of a text.
fn pairs(mut text: &str) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    loop {
        text = text.trim_start();
        let Some((name, rest)) = text.split_once('=') else {
            return found;
        };
        if name.is_empty()
            || !name
                .chars()
                .all(|letter| letter.is_ascii_alphanumeric() || "_.".contains(letter))
        {
            return found;
        }
        let end = value_end(rest);
        let Ok(value) = serde_json::from_str(&rest[..end]) else {
            return found;
        };
        found.push((name.to_owned(), value));
        text = &rest[end..];
    }
}

/// Puts a value at a path: `opposed_by.character`.
fn put(call: &mut Value, path: &str, value: Value) {
    match path.split_once('.') {
        Some((outer, inner)) => put(&mut call[outer], inner, value),
        None => call[path] = value,
    }
}

/// What the refusal says to send: a call of another tool, or this one with other arguments.
fn advised(tool: &str, call: &Value, refusal: &Value) -> Option<(String, Value)> {
    if let Some(next) = refusal.get("try") {
        let tool = next["tool"].as_str().expect("a name");
        return Some((tool.to_owned(), next["arguments"].clone()));
    }
    let summary = refusal["summary"].as_str().expect("a summary");
    let advised = summary.find("Send ").map(|at| &summary[at + 5..]);
    let other = all_tools().iter().filter_map(|tool| {
        let at = summary.find(&format!("{} ", tool.name))?;
        let pairs = pairs(&summary[at + tool.name.len()..]);
        (!pairs.is_empty()).then(|| (at, tool.name.to_string(), pairs))
    });
    let other = other.min_by_key(|(at, ..)| *at);
    let own_at = summary.find("Send ");
    if let Some((at, name, pairs)) = other
        && own_at.is_none_or(|advised| at < advised || at == advised + 5)
        && !(name == tool && own_at.is_some_and(|advised| at != advised + 5))
    {
        let arguments: Map<String, Value> = pairs.into_iter().collect();
        return Some((name, Value::Object(arguments)));
    }
    let mut next = call.clone();
    if let Some(advice) = advised {
        if advice.starts_with('{') {
            let item: Value = serde_json::from_str(&advice[..value_end(advice)]).ok()?;
            next["combatants"] = json!([item]);
            return Some((tool.to_owned(), next));
        }
        let sent = pairs(advice);
        if !sent.is_empty() {
            for (name, value) in &sent {
                put(&mut next, name, value.clone());
            }
            let summary = &advice[..advice.len().min(200)];
            if let Some((_, place)) = summary.split_once(" in place of ") {
                let parameter = place
                    .split([':', ' '])
                    .next()
                    .expect("a name")
                    .trim_end_matches('.');
                let (outer, inner) = parameter.split_once('.').unwrap_or(("", parameter));
                let fields = if outer.is_empty() {
                    &mut next
                } else {
                    &mut next[outer]
                };
                fields.as_object_mut().expect("an object").remove(inner);
            }
            return Some((tool.to_owned(), next));
        }
    }
    if let Some((before, _)) = summary
        .split_once("eave ")
        .and_then(|(_, rest)| rest.split_once(" out"))
    {
        for name in before.split([' ', ',']).filter(|name| *name != "and") {
            let name = if name == "it" {
                let first = summary
                    .trim_start_matches("A ")
                    .split([' ', ':'])
                    .next()
                    .expect("a name");
                first.trim_start_matches("values.")
            } else {
                name
            };
            let fields = next.as_object_mut().expect("an object");
            fields.remove(name);
            fields.remove(&name.to_lowercase());
            fields
                .get_mut("values")
                .and_then(Value::as_object_mut)
                .map(|values| values.remove(name));
        }
        return Some((tool.to_owned(), next));
    }
    // What is done first, then the call itself with something in the place of what was wrong.
    if summary.contains(" first, then this call with ") {
        let (_, behind) = summary.split_once(" first, then this call with ")?;
        let (_, place) = behind.split_once(" in place of ")?;
        next.as_object_mut()?
            .remove(place.split([' ', ')']).next()?);
        for (name, value) in pairs(behind) {
            next[name] = value;
        }
        return Some((tool.to_owned(), next));
    }
    // A detail with the one name that is meant: `modifer: no such parameter (valid: modifier)`.
    let detail = &refusal["details"][0];
    let (parameter, valid) = (
        detail["parameter"].as_str()?,
        detail["valid_range"].as_str()?,
    );
    let value = next.as_object_mut()?.remove(parameter)?;
    let hinted = pairs(valid);
    let in_issue = detail["issue"].as_str()?;
    if let Some(at) = in_issue.find("action=\"") {
        for (name, value) in pairs(&in_issue[at..]) {
            next[name] = value;
        }
    } else if hinted.is_empty() {
        next[valid.split(',').next()?] = value;
    } else {
        for (name, value) in hinted {
            next[name] = value;
        }
    }
    Some((tool.to_owned(), next))
}

/// Follows the advice, and the advice of what that is refused with; what is to be sent "first"
/// comes before the call itself.
pub fn follow(
    table: &mut Table,
    tool: &str,
    call: &Value,
    refusal: &Value,
    steps: u32,
) -> Result<(), String> {
    let summary = &refusal["summary"];
    let (next, arguments) =
        advised(tool, call, refusal).ok_or_else(|| format!("no advice in {summary}"))?;
    let answer = table.call(&next, arguments.clone());
    if answer.is_refused() {
        let refusal = answer.value().clone();
        if steps == 0 {
            return Err(format!(
                "{summary}\n  -> {next} {arguments}: {}",
                refusal["summary"]
            ));
        }
        let followed = follow(table, &next, &arguments, &refusal, steps - 1);
        return followed.map_err(|why| format!("{summary}\n  -> {next} {arguments}: {why}"));
    }
    if !summary.as_str().expect("text").contains(" first") {
        return Ok(());
    }
    let again = table.call(tool, call.clone());
    if again.is_refused() {
        Err(format!(
            "{summary}\n  -> done, and again: {}",
            again.value()["summary"]
        ))
    } else {
        Ok(())
    }
}

fn bad_calls() -> Vec<(&'static str, Value)> {
    let jory = |more: Value| with(json!({"character": "Jory"}), more);
    vec![
        ("apply_damage", json!({"target": "Goblin", "amount": 1})),
        ("apply_damage", json!({"target": "Jorry", "amount": 1})),
        ("apply_damage", json!({"character": "Sabet", "amount": 1})),
        ("apply_damage", json!({"target": "Wrecker", "amount": 1})),
        ("apply_damage", json!({"target": "npc", "amount": 1})),
        ("apply_damage", json!({"target": "Jory", "amout": 1})),
        ("apply_damage", json!({"target": "Jory", "amount": 0})),
        ("apply_damage", json!({"target": "Jory", "healing": -5})),
        (
            "apply_damage",
            json!({"target": "Jory", "roll": "the last one", "amount": 1}),
        ),
        (
            "apply_damage",
            json!({"target": "Jory", "amount": 1, "bypass": ["Armour"]}),
        ),
        (
            "skill_check",
            jory(json!({"skill": "Mele", "difficulty": 10})),
        ),
        (
            "skill_check",
            jory(json!({"skill": "Strength", "difficulty": 10})),
        ),
        (
            "skill_check",
            jory(json!({"attribute": "Melee", "difficulty": 10})),
        ),
        (
            "skill_check",
            jory(json!({"check": "Melee", "difficulty": 10})),
        ),
        (
            "skill_check",
            jory(json!({"attribute": "Strenth", "difficulty": 10})),
        ),
        ("skill_check", jory(json!({"skill": "Melee"}))),
        (
            "skill_check",
            jory(json!({"skill": "Melee", "difficulty": "hrad"})),
        ),
        (
            "skill_check",
            jory(json!({"skill": "Melee", "difficulty": 9, "modifer": 2})),
        ),
        ("skill_check", json!({"skill": "Melee", "difficulty": 9})),
        (
            "skill_check",
            json!({"character": "Goblin", "skill": "Melee", "difficulty": 9}),
        ),
        (
            "skill_check",
            json!({"character": "Wrecker", "skill": "Melee", "difficulty": 9}),
        ),
        (
            "skill_check",
            jory(
                json!({"skill": "Melee", "opposed_by": {"character": "Goblin", "skill": "Melee"}}),
            ),
        ),
        (
            "skill_check",
            jory(
                json!({"skill": "Melee", "opposed_by": {"character": "Goblin 1", "skill": "Mele"}}),
            ),
        ),
        (
            "skill_check",
            jory(
                json!({"skill": "Melee", "opposed_by": {"character": "Goblin 1", "skill": "Strength"}}),
            ),
        ),
        (
            "skill_check",
            jory(json!({"skill": "Melee", "difficulty": 9, "target": "Goblin 1"})),
        ),
        (
            "skill_check",
            jory(json!({"skill": "Stealth", "difficulty": 9, "target": "Goblin 1"})),
        ),
        (
            "skill_check",
            jory(json!({"skill": "Melee", "difficulty": 9, "values": {"luck": 3}})),
        ),
        ("get_character", json!({"character": "Goblin"})),
        ("get_character", json!({"character": "Sabeht"})),
        ("get_character", json!({})),
        ("get_rules", json!({"name": "Lockpickin"})),
        ("get_rules", json!({"section": "Skils"})),
        (
            "manage_character",
            json!({"action": "delete", "character": "Jory"}),
        ),
        (
            "manage_character",
            json!({"action": "remove", "character": "Jory"}),
        ),
        (
            "manage_character",
            json!({"action": "update", "character": "Goblin", "level": 2}),
        ),
        (
            "manage_character",
            json!({"action": "update", "character": "Jory", "hp": 9}),
        ),
        (
            "manage_character",
            json!({"action": "give", "character": "Jory", "item": "lantren", "to": "Sabeth"}),
        ),
        (
            "manage_character",
            json!({"action": "give", "character": "Jory", "item": "lantern", "to": "Sabeht"}),
        ),
        (
            "manage_character",
            json!({"action": "create", "kind": "npc"}),
        ),
        (
            "manage_character",
            json!({"action": "create", "name": "Jory Penrake", "level": 2}),
        ),
        (
            "manage_character",
            json!({"action": "rest", "character": "Jory", "kind": "short nap"}),
        ),
        (
            "manage_character",
            json!({"action": "add_condition", "character": "Jory"}),
        ),
        (
            "manage_combat",
            json!({"action": "defeat", "combatant": "Goblin"}),
        ),
        (
            "manage_combat",
            json!({"action": "hide", "target": "Gobln 1"}),
        ),
        (
            "manage_combat",
            json!({"action": "defeat", "combatant": "Sabeth"}),
        ),
        ("manage_combat", json!({"action": "defeat"})),
        (
            "manage_combat",
            json!({"action": "add", "combatants": [{"name": "Sabbeth"}]}),
        ),
        (
            "manage_combat",
            json!({"action": "add", "combatants": [{"name": "Goblin"}]}),
        ),
        ("manage_combat", json!({"action": "add"})),
        (
            "manage_combat",
            json!({"action": "start", "combatants": [{"name": "Sabeth"}]}),
        ),
        (
            "manage_combat",
            json!({"action": "remove_effect", "name": "bles"}),
        ),
        ("manage_combat", json!({"action": "remove_effect"})),
        (
            "manage_combat",
            json!({"action": "add_effect", "name": "haste", "on": "Goblin"}),
        ),
        (
            "manage_combat",
            json!({"action": "add_effect", "name": "haste", "on": "Jory", "anchor": "Goblin 1"}),
        ),
        (
            "manage_combat",
            json!({"action": "set_initiative", "combatant": "Jory"}),
        ),
        (
            "manage_combat",
            json!({"action": "begin", "combatants": [{"name": "Sabeth"}]}),
        ),
        (
            "manage_combat",
            json!({"action": "kill", "combatant": "Goblin 1"}),
        ),
        (
            "roll_dice",
            json!({"expression": "1d20", "character": "Goblin"}),
        ),
        ("roll_dice", json!({"dice_sides": 6, "expression": "2d6"})),
        ("roll_dice", json!({})),
        ("roll_multiple", json!({"rolls": []})),
        ("odds", json!({})),
    ]
}

#[test]
fn what_a_refusal_says_to_send_is_carried_out() {
    let bad = bad_calls();
    assert!(bad.len() >= 40);
    let mut failed = Vec::new();
    for (tool, call) in bad {
        let mut table = table();
        let refusal = table.call(tool, call.clone());
        if !refusal.is_refused() {
            failed.push(format!("{tool} {call} is not refused"));
            continue;
        }
        let refusal = refusal.value().clone();
        if let Err(why) = follow(&mut table, tool, &call, &refusal, 3) {
            failed.push(format!("{tool} {call}: {why}"));
        }
    }
    assert!(
        failed.is_empty(),
        "{} of them:\n{}",
        failed.len(),
        failed.join("\n")
    );
}
