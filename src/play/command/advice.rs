//! Refusals' advice as typed commands: `manage_session action="undo" entry=15` is `/undo 15`.

use serde_json::{Map, Value};

use super::fight::word_of;
use rollbook_table::tools::tool_named;

/// A tool's action as a command: its beginning, and what precedes each field's value.
type Command = (
    &'static str,
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

const COMMANDS: &[Command] = &[
    ("manage_session", "undo", "/undo", &[(" ", "entry")]),
    (
        "manage_session",
        "start",
        "/session start",
        &[(" ", "title")],
    ),
    ("manage_session", "end", "/session end", &[]),
    ("manage_session", "begin", "/begin", &[(" ", "name")]),
    ("manage_session", "adventures", "/begin", &[]),
    ("manage_session", "list", "/session list", &[]),
    ("manage_session", "resume", "/resume", &[]),
    ("manage_session", "recap", "/recap", &[(" ", "session")]),
    ("manage_session", "clock", "/clock", &[(" ", "name")]),
    ("manage_session", "advance", "/time", &[(" ", "time")]),
    ("manage_combat", "next_turn", "/next", &[]),
    ("manage_combat", "status", "/fight", &[]),
    ("manage_combat", "end", "/fight end", &[(" ", "outcome")]),
    (
        "manage_combat",
        "add_effect",
        "/fight effect",
        &[(" ", "name"), (" on ", "on")],
    ),
    (
        "manage_combat",
        "remove_effect",
        "/fight effect",
        &[(" -", "name"), (" on ", "on")],
    ),
    ("manage_character", "rest", "/rest", &[(" ", "kind")]),
    (
        "manage_character",
        "create",
        "/new",
        &[
            (" ", "name"),
            (" from ", "from"),
            (": ", "attributes"),
            (": ", "kind"),
        ],
    ),
    (
        "manage_character",
        "add_condition",
        "/condition",
        &[(" ", "character"), (" ", "on"), (" ", "condition")],
    ),
    (
        "manage_character",
        "remove_condition",
        "/condition",
        &[(" ", "character"), (" ", "on"), (" -", "condition")],
    ),
];

/// A tool's refusal with its calls as commands; `/call` takes those that have none.
pub fn as_commands(tool: &str, refusal: &str) -> String {
    let (mut out, mut rest) = (String::new(), refusal);
    while let Some(letter) = rest.chars().next() {
        let begins_word = !out.ends_with(|before: char| before.is_alphanumeric() || before == '_');
        let found = || {
            field(rest)
                .or_else(|| call(tool, rest))
                .or_else(|| combatant(tool, rest))
        };
        let (text, tail) = begins_word.then(found).flatten().unwrap_or_else(|| {
            let (letter, tail) = rest.split_at(letter.len_utf8());
            (letter.to_owned(), tail)
        });
        out.push_str(&text);
        rest = tail;
    }
    out
}

fn is_key(text: &str) -> bool {
    !text.is_empty()
        && text
            .chars()
            .all(|letter| letter.is_ascii_lowercase() || letter == '_')
}

/// "Send difficulty=15": a field of the typed call; or who joins a fight.
fn field(text: &str) -> Option<(String, &str)> {
    let tail = text.strip_prefix("Send ")?;
    tail.split_once('=')
        .filter(|(key, _)| *key != "action" && is_key(key))?;
    let list = tail.strip_prefix("combatants=").and_then(value);
    let who = list.and_then(|(list, tail)| Some((format!("Add {}", newcomers(list)?), tail)));
    Some(who.unwrap_or_else(|| ("Add ".to_owned(), tail)))
}

/// The call that the text begins with, as a command, and what follows it.
fn call<'t>(refused: &str, text: &'t str) -> Option<(String, &'t str)> {
    let (tool, fields) = match text.split_once(' ') {
        Some((word, fields)) if tool_named(word).is_some() => (word, fields),
        _ => (refused, text),
    };
    if tool == "get_character"
        && let Some(tail) = fields.strip_prefix("list=true")
    {
        return Some(("/party".to_owned(), tail));
    }
    let Some((action, mut tail)) = fields.strip_prefix("action=").and_then(value) else {
        return alone(text);
    };
    let mut arguments = Vec::new();
    while let Some((key, after)) = tail.strip_prefix(' ').and_then(|next| next.split_once('=')) {
        let Some((sent, after)) = value(after).filter(|_| is_key(key)) else {
            break;
        };
        arguments.push((key, sent));
        tail = after;
    }
    Some((command(tool, action.trim_matches('"'), arguments), tail))
}

/// A tool that the text begins with, without an action, as a command; its fields are typed as they
/// are. "odds" is a word, too.
fn alone(text: &str) -> Option<(String, &str)> {
    const WORDS: [(&str, &str); 8] = [
        ("get_character", "/sheet"),
        ("get_rules", "/rules"),
        ("roll_dice", "/roll"),
        ("skill_check", "/check"),
        ("apply_damage", "/damage"),
        ("manage_combat", "/fight"),
        ("manage_session", "/session"),
        ("manage_character", "/new"),
    ];
    if let Some(tail) = text.strip_prefix("apply_damage with a negative amount") {
        return Some(("/heal".to_owned(), tail));
    }
    let end = text.find(|letter: char| !letter.is_ascii_lowercase() && letter != '_');
    let (tool, tail) = text.split_at(end.unwrap_or(text.len()));
    let has_fields = tail
        .strip_prefix(' ')
        .and_then(|next| next.split_once('='))
        .is_some_and(|(key, _)| is_key(key));
    if has_fields && tool_named(tool).is_some() {
        return Some((format!("/call {tool}"), tail));
    }
    let (_, command) = WORDS.iter().find(|(name, _)| *name == tool)?;
    Some(((*command).to_owned(), tail))
}

/// A value as refusals write it, and what follows it: a quotation, an object, a list, or a word.
fn value(text: &str) -> Option<(&str, &str)> {
    let (mut depth, mut is_quoted, mut end) = (0_i32, false, text.len());
    for (at, letter) in text.char_indices() {
        match letter {
            '"' => is_quoted = !is_quoted,
            '{' | '[' if !is_quoted => depth += 1,
            '}' | ']' if !is_quoted => depth -= 1,
            ' ' | ',' | ';' | ')' if !is_quoted && depth <= 0 => {
                end = at;
                break;
            }
            _ => {}
        }
    }
    // A point ends the sentence and not the value.
    let (value, tail) =
        text.split_at_checked(text.get(..end)?.trim_end_matches(['.', ':']).len())?;
    (!value.is_empty() && !is_quoted && depth == 0).then_some((value, tail))
}

fn command(tool: &str, action: &str, mut arguments: Vec<(&str, &str)>) -> String {
    let known = COMMANDS
        .iter()
        .find(|(of, name, ..)| (*of, *name) == (tool, action));
    let known = known.map(|(.., begin, fields)| ((*begin).to_owned(), *fields));
    let has = |key: &str| arguments.iter().any(|(name, _)| *name == key);
    // Without its name such a line would mean something else.
    let needed = match action {
        "create"
            if arguments
                .iter()
                .any(|(key, sent)| *key == "from" && sent.contains('#')) =>
        {
            Some("from")
        }
        "create" | "add_effect" | "remove_effect" => Some("name"),
        "add_condition" | "remove_condition" => Some("condition"),
        _ => None,
    };
    let known = known.filter(|_| needed.is_none_or(has));
    let of_fight = || {
        Some((
            format!("/fight {}", word_of(action)?),
            &[(" ", "combatants"), (" ", "combatant")][..],
        ))
    };
    let known = known.or_else(|| of_fight().filter(|_| tool == "manage_combat"));
    let (mut line, fields) =
        known.unwrap_or_else(|| (format!("/call {tool} action={action}"), &[]));
    for (before, key) in fields {
        let Some(at) = arguments.iter().position(|(name, _)| name == key) else {
            line.push_str(if *key == "on" && line == "/condition" {
                " WHO"
            } else {
                ""
            });
            continue;
        };
        let sent = arguments
            .get(at)
            .map_or("", |(_, sent)| sent.trim_matches('"'));
        let typed = match *key {
            "attributes" => Some(
                sent.trim_matches(['{', '}'])
                    .replace('"', "")
                    .replace(": ", " "),
            ),
            "combatants" => newcomers(sent),
            _ => Some(sent.to_owned()),
        };
        let Some(typed) = typed else { continue };
        arguments.remove(at);
        // A block's own name is left out before it; a player's is what /new makes.
        let before = if line == "/new" { " " } else { before };
        if action != "create" || typed != "player" {
            line.push_str(&format!("{before}{typed}"));
        }
    }
    arguments
        .iter()
        .for_each(|(key, value)| line.push_str(&format!(" {key}={value}")));
    line
}

fn newcomers(list: &str) -> Option<String> {
    let all: Vec<Map<String, Value>> = serde_json::from_str(list).ok()?;
    Some(
        all.iter()
            .map(newcomer)
            .collect::<Option<Vec<String>>>()?
            .join(", "),
    )
}

/// An entry of the list of a fight that is alone: `{"name": "Goblin", "hp": 7}`.
fn combatant<'t>(tool: &str, text: &'t str) -> Option<(String, &'t str)> {
    let (object, tail) =
        value(text).filter(|_| tool == "manage_combat" && text.starts_with('{'))?;
    Some((newcomer(&serde_json::from_str(object).ok()?)?, tail))
}

/// One of them, as [`super::fight`] reads it; `None` with a field that it has no word for.
fn newcomer(fields: &Map<String, Value>) -> Option<String> {
    const WORDS: [(&str, &str); 5] = [
        ("name", ""),
        ("from", ""),
        ("count", "x"),
        ("hp", "hp "),
        ("initiative", "init "),
    ];
    let is_known = fields
        .keys()
        .all(|key| WORDS.iter().any(|(name, _)| name == key));
    let text = |value: &Value| {
        value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned)
    };
    let words = WORDS
        .iter()
        .filter_map(|(name, before)| Some(format!("{before}{}", text(fields.get(*name)?))));
    let words: Vec<String> = words.collect();
    (is_known && !words.is_empty()).then(|| words.join(" "))
}
