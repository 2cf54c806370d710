//! A player's seat: fewer tools, of those fewer parameters, and words that name only these.

use serde_json::{Map, Value, json};

use super::bind::NO_SUCH_PARAMETER;
use super::reply::invalid;
use rollbook_game::mechanics::several::WHOLE_SIDE;
use rollbook_game::refusal::{Call, Detail, Refusal};
use rollbook_text::names::{quoted, same};

/// What a player's assistant is told about the server as a whole; as short as that of the GM's.
pub const PLAYER_INSTRUCTIONS: &str = "\
Rollbook is this table's book of record: it rolls the dice, resolves checks by the adventure's own System.md, keeps \
characters and fights, and writes everything to a log that cannot be edited. This seat is one player character's; the GM has the rest of the game.

Never make up a die, a total, a hit point or whose turn it is: call a tool and narrate what it answers.
- skill_check: anything the rules resolve (attacks and saves too); name the skill and, where the rules want one, the difficulty or the target; \
without one roll=\"1d20 + {DEX}\" and difficulty or rows. Whether damage follows, and the next turn, are the GM's.
- roll_dice: anything without a rule; roll_multiple: several rolls in one call.
- manage_session: status shows where the game stands, so call it first when you come back; with wait_s it waits until something happens or it is your \
turn; recap tells a session. search_log finds what happened.
- get_character: your own sheet, and what you see of others. get_rules and search_rules: the rules' own words. odds: the chances of dice, or of a check \
before it is rolled.

Every roll is your character's, and what players may not see is left out of replies. Every reply has summary; detail=\"full\" adds every die, modifier and \
source. A refusal changes nothing, rolls nothing, and says what to send instead. When a reply got lost, send the same call with the same request_id: it acts once.";

/// Descriptions of tools whose own ones name what a player's seat does not send.
const DESCRIPTIONS: [(&str, &str); 5] = [
    (
        "roll_dice",
        "Rolls dice with the operating system's randomness and logs every die: anything the rules do not resolve (where they do: \
         skill_check).",
    ),
    (
        "skill_check",
        "Resolves a check, save or attack by the adventure's System.md: finds the skill's attribute, adds every modifier, rolls, reads the \
         outcome. Name the skill (or attribute), and the difficulty where the rules want one, or the target.",
    ),
    (
        "manage_session",
        "status says where the game stands and whose turn it is; with wait_s it waits for something to happen. recap tells a sitting.",
    ),
    (
        "search_rules",
        "Finds where the rules speak of something, best first. get_rules reads a section whole.",
    ),
    (
        "odds",
        "The exact chance of every total of a dice expression, or of every outcome of a check of your character. Rolls nothing, logs nothing.",
    ),
];

const PARAMETERS: [(&str, &str, &str); 5] = [
    ("roll_dice", "character", "Your own, or left out."),
    (
        "roll_multiple",
        "rolls",
        "1 to 100 rolls: {\"expression\": \"4d6kh3\"} or dice parameters as in roll_dice, each with its context.",
    ),
    ("skill_check", "character", "Your own, or left out."),
    (
        "skill_check",
        "target",
        "Whom it is tried against: one name.",
    ),
    (
        "manage_session",
        "wait_s",
        "status: waits so many seconds, at most 25, for something to happen or for your turn.",
    ),
];

/// The parameters of a roll of one's own.
const DICE: &str = "expression dice_count dice_sides modifier keep_highest keep_lowest drop_highest drop_lowest reroll exploding \
    min_value target_number context";

/// The tools of a player's seat, and what it may send to each.
const TOOLS: [(&str, &str); 11] = [
    ("roll_dice", "character"),
    ("roll_multiple", "rolls count context character"),
    (
        "skill_check",
        "skill attribute check difficulty roll or_less rows advantage disadvantage modifier values steps target context character",
    ),
    ("get_character", "character view list"),
    ("manage_session", "action session budget wait_s"),
    (
        "search_log",
        "text kind character target skill outcome session since until entry statistics limit cursor",
    ),
    ("get_rules", "section name offset"),
    ("search_rules", "query limit"),
    ("calculator", "expression"),
    ("get_time", "timezone format since until"),
    (
        "odds",
        "expression at_least at_most exactly skill attribute check difficulty roll or_less rows advantage disadvantage modifier \
         values steps character again",
    ),
];

const COMMON: &str = "detail request_id";

fn has_word(words: &str, name: &str) -> bool {
    words.split(' ').any(|word| word == name)
}

/// What a player may do with `manage_session`.
const ACTIONS: [&str; 2] = ["status", "recap"];
/// Tools that act for the seat's own character.
const OWN: [&str; 4] = ["roll_dice", "roll_multiple", "skill_check", "odds"];

/// A tool's parameters as a player's seat has them; `None` where it does not have the tool.
pub fn input(tool: &str, whole: &Map<String, Value>) -> Option<Map<String, Value>> {
    let (_, allowed) = TOOLS.iter().find(|(name, _)| *name == tool)?;
    let may = |name: &str| {
        has_word(allowed, name)
            || has_word(COMMON, name)
            || (tool == "roll_dice" && has_word(DICE, name))
    };
    let mut input = whole.clone();
    let properties = input.get_mut("properties").and_then(Value::as_object_mut)?;
    properties.retain(|name, _| may(name));
    for (_, name, words) in PARAMETERS.iter().filter(|(of_tool, _, _)| *of_tool == tool) {
        if let Some(parameter) = properties.get_mut(*name).and_then(Value::as_object_mut) {
            parameter.insert("description".to_owned(), (*words).into());
        }
    }
    let items = properties
        .get_mut("rolls")
        .and_then(|rolls| rolls.get_mut("items"));
    if let Some(items) = items
        .and_then(|items| items.get_mut("properties"))
        .and_then(Value::as_object_mut)
    {
        items.retain(|name, _| has_word(DICE, name));
    }
    if let Some(action) = properties.get_mut("action").and_then(Value::as_object_mut) {
        action.insert("enum".to_owned(), json!(ACTIONS));
    }
    Some(input)
}

/// A tool's description for a player's seat, where it is another than the tool's own.
pub fn description(tool: &str) -> Option<&'static str> {
    DESCRIPTIONS
        .iter()
        .find(|(name, _)| *name == tool)
        .map(|(_, words)| *words)
}

/// A refusal as a player reads it: what it advises may be the GM's to send.
pub fn advised(
    tool: &str,
    narrowed: &Map<String, Value>,
    whole: &Map<String, Value>,
    mut refusal: Refusal,
) -> Refusal {
    const OF_GM: [&str; 3] = ["manage_character", "manage_combat", "apply_damage"];
    let takes = |name: &String| {
        narrowed
            .get("properties")
            .is_some_and(|all| all.get(name).is_some())
    };
    let may = |call: &Call| call.tool == tool && call.arguments.keys().all(takes);
    refusal.attempt = refusal.attempt.filter(|call| may(call));
    if let Some((before, _)) = refusal.summary.split_once(WHOLE_SIDE) {
        refusal.summary = before.to_owned();
    }
    let names = |input: &'_ Map<String, Value>| -> Vec<String> {
        let properties = input.get("properties").and_then(Value::as_object);
        properties
            .into_iter()
            .flat_map(Map::keys)
            .cloned()
            .collect()
    };
    let (known, summary) = (names(narrowed), &refusal.summary);
    let tools = OF_GM
        .iter()
        .filter(|tool| summary.contains(*tool))
        .map(|tool| (*tool).to_owned());
    let withheld = names(whole)
        .into_iter()
        .filter(|name| !known.contains(name) && names_parameter(summary, name));
    let of_gm: Vec<String> = tools.chain(withheld).collect();
    if !of_gm.is_empty() {
        let of_gm = of_gm.join(" or ");
        refusal.summary.push_str(&format!(
            " A player's seat does not send {of_gm}: ask the GM."
        ));
    }
    refusal
}

/// Whether a text has that parameter with a value: `target="…"`.
fn names_parameter(text: &str, name: &str) -> bool {
    let is_apart =
        |before: &str| !before.ends_with(|letter: char| letter.is_alphanumeric() || letter == '_');
    let mut found = text.match_indices(name);
    found.any(|(at, _)| {
        text.get(..at).is_some_and(is_apart)
            && text
                .get(at + name.len()..)
                .is_some_and(|rest| rest.starts_with('='))
    })
}

/// Says of parameters that a player's seat lacks and the whole tool has, that they are the GM's.
pub fn withheld(whole: &Map<String, Value>, bad: &mut [Detail]) {
    let items = whole
        .get("properties")
        .and_then(|properties| properties.get("rolls"))
        .and_then(|rolls| rolls.get("items"));
    let has = |schema: Option<&Value>, name: &str| {
        schema.is_some_and(|schema| schema.get(name).is_some())
    };
    for detail in bad
        .iter_mut()
        .filter(|detail| detail.issue == NO_SUCH_PARAMETER)
    {
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

/// Puts the seat's character into a call that acts for one. Errors: it names another.
pub fn seat(
    tool: &str,
    character: &str,
    arguments: &mut Map<String, Value>,
) -> Result<(), Refusal> {
    if !OWN.contains(&tool) || (tool == "odds" && arguments.contains_key("expression")) {
        return Ok(());
    }
    match arguments.get("character") {
        None => {}
        Some(Value::String(name)) if same(name, character) => {}
        Some(other) => {
            let named = other
                .as_str()
                .map_or_else(|| other.to_string(), str::to_owned);
            let issue = format!("\"{}\" is not this seat's", quoted(&named));
            let summary = format!(
                "This seat is {}'s and acts for nobody else. Leave character out.",
                quoted(character)
            );
            return Err(invalid(
                "character",
                &issue,
                &format!("\"{}\", or left out", quoted(character)),
                summary,
            ));
        }
    }
    arguments.insert("character".to_owned(), character.into());
    Ok(())
}
