//! What a player's seat has of the tools: fewer of them, and of those fewer parameters. Whose character it is, the seat says.

use serde_json::{Map, Value, json};

use super::bind::NO_SUCH_PARAMETER;
use crate::game::refusal::{Code, Detail, Refusal};
use crate::names::{quoted, same};

/// The parameters of a roll of one's own.
const DICE: [&str; 13] = [
    "expression",
    "dice_count",
    "dice_sides",
    "modifier",
    "keep_highest",
    "keep_lowest",
    "drop_highest",
    "drop_lowest",
    "reroll",
    "exploding",
    "min_value",
    "target_number",
    "context",
];

/// The tools of a player's seat, and what it may send to each.
const TOOLS: [(&str, &[&str]); 11] = [
    ("roll_dice", &["character"]),
    ("roll_multiple", &["rolls", "count", "context", "character"]),
    (
        "skill_check",
        &[
            "skill",
            "attribute",
            "check",
            "difficulty",
            "advantage",
            "disadvantage",
            "modifier",
            "values",
            "steps",
            "target",
            "context",
            "character",
        ],
    ),
    ("get_character", &["character", "view", "list"]),
    ("manage_session", &["action", "session", "budget", "wait_s"]),
    (
        "search_log",
        &[
            "text",
            "kind",
            "character",
            "target",
            "skill",
            "outcome",
            "session",
            "since",
            "until",
            "entry",
            "statistics",
            "limit",
            "cursor",
        ],
    ),
    ("get_rules", &["section", "name", "offset"]),
    ("search_rules", &["query", "limit"]),
    ("calculator", &["expression"]),
    ("get_time", &["timezone", "format", "since", "until"]),
    (
        "odds",
        &[
            "expression",
            "at_least",
            "at_most",
            "exactly",
            "skill",
            "attribute",
            "check",
            "difficulty",
            "advantage",
            "disadvantage",
            "modifier",
            "values",
            "steps",
            "character",
            "again",
        ],
    ),
];

/// What every call may bring.
const COMMON: [&str; 2] = ["detail", "request_id"];

/// What a player may do with `manage_session`.
const ACTIONS: [&str; 2] = ["status", "recap"];

/// Tools that act for the seat's own character.
const OWN: [&str; 4] = ["roll_dice", "roll_multiple", "skill_check", "odds"];

/// A tool's parameters as a player's seat has them; `None` where it does not have the tool.
pub fn input(tool: &str, whole: &Map<String, Value>) -> Option<Map<String, Value>> {
    let (_, allowed) = TOOLS.iter().find(|(name, _)| *name == tool)?;
    let may =
        |name: &str| allowed.contains(&name) || COMMON.contains(&name) || (tool == "roll_dice" && DICE.contains(&name));
    let mut input = whole.clone();
    let properties = input.get_mut("properties").and_then(Value::as_object_mut)?;
    properties.retain(|name, _| may(name));
    let items = properties.get_mut("rolls").and_then(|rolls| rolls.get_mut("items"));
    if let Some(items) = items.and_then(|items| items.get_mut("properties")).and_then(Value::as_object_mut) {
        items.retain(|name, _| DICE.contains(&name.as_str()));
    }
    if let Some(action) = properties.get_mut("action").and_then(Value::as_object_mut) {
        action.insert("enum".to_owned(), json!(ACTIONS));
    }
    Some(input)
}

/// A refusal as a player reads it: what it advises may be the GM's to send.
pub fn advised(mut refusal: Refusal) -> Refusal {
    const OF_GM: [&str; 4] = ["manage_character", "manage_combat", "apply_damage", "target=\"foes\""];
    if OF_GM.iter().any(|tool| refusal.summary.contains(tool)) {
        refusal.summary.push_str(" From a player's seat that is not sent: ask the GM.");
    }
    refusal
}

/// Says of parameters that a player's seat lacks and the whole tool has, that they are the GM's.
pub fn withheld(whole: &Map<String, Value>, bad: &mut [Detail]) {
    let items = whole.get("properties").and_then(|own| own.get("rolls")).and_then(|rolls| rolls.get("items"));
    let has = |schema: Option<&Value>, name: &str| schema.is_some_and(|own| own.get(name).is_some());
    for detail in bad.iter_mut().filter(|detail| detail.issue == NO_SUCH_PARAMETER) {
        let is_gms = match detail.parameter.rsplit_once('.') {
            None => has(whole.get("properties"), &detail.parameter),
            Some((_, name)) => has(items.and_then(|items| items.get("properties")), name),
        };
        if is_gms {
            detail.issue = "is the GM's to send".to_owned();
            detail.valid_range = "left out; ask the GM".to_owned();
        }
    }
}

/// Puts the seat's own character into a call that acts for one.
///
/// # Errors
/// When it names somebody else.
pub fn seat(tool: &str, own: &str, arguments: &mut Map<String, Value>) -> Result<(), Refusal> {
    if !OWN.contains(&tool) || (tool == "odds" && arguments.contains_key("expression")) {
        return Ok(());
    }
    match arguments.get("character") {
        None => {}
        Some(Value::String(name)) if same(name, own) => {}
        Some(other) => {
            let named = other.as_str().map_or_else(|| other.to_string(), str::to_owned);
            let detail = Detail {
                parameter: "character".to_owned(),
                issue: format!("\"{}\" is not this seat's", quoted(&named)),
                valid_range: format!("\"{}\", or left out", quoted(own)),
            };
            let summary = format!("This seat is {}'s and acts for nobody else. Leave character out.", quoted(own));
            return Err(Refusal::new(Code::InvalidParameters, summary).details(vec![detail]));
        }
    }
    arguments.insert("character".to_owned(), own.into());
    Ok(())
}
