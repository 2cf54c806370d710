//! What a refusal tells a program to send, as what a person types: `manage_session action="undo" entry=15` is `/undo 15`.

use serde_json::{Map, Value};

use super::fight::word_of;
use rollbook_table::tools::tool_named;

/// A refusal of that tool, with its calls as commands. What no command has is `/call`, which takes every call.
pub fn as_commands(tool: &str, refusal: &str) -> String {
    let mut out = String::new();
    let mut rest = refusal;
    while let Some(letter) = rest.chars().next() {
        // A field of the call that was typed follows it, and so does who joins a fight.
        if let Some(tail) = rest.strip_prefix("Send ")
            && begins_with_field(tail)
        {
            out.push_str("Add ");
            let list = tail.strip_prefix("combatants=").and_then(value);
            let who = list.and_then(|(list, tail)| Some((newcomers(list)?, tail)));
            if let Some((who, _)) = &who {
                out.push_str(who);
            }
            rest = who.map_or(tail, |(_, tail)| tail);
            continue;
        }
        let begins_word = out.chars().next_back().is_none_or(|before| !before.is_alphanumeric() && before != '_');
        let found = if begins_word { call(tool, rest).or_else(|| combatant(tool, rest)) } else { None };
        match found {
            Some((command, tail)) => {
                out.push_str(&command);
                rest = tail;
            }
            None => {
                out.push(letter);
                rest = rest.get(letter.len_utf8()..).unwrap_or_default();
            }
        }
    }
    out
}

/// Whether a text begins with `key=`, other than a call's `action=`.
fn begins_with_field(text: &str) -> bool {
    text.split_once('=').is_some_and(|(key, _)| {
        key != "action" && !key.is_empty() && key.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_')
    })
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
    let mut tail = fields.strip_prefix("action=")?;
    let (action, after) = value(tail)?;
    tail = after;
    let mut arguments = Vec::new();
    while let Some((key, after)) = tail.strip_prefix(' ').and_then(|next| next.split_once('=')) {
        let is_key = !key.is_empty() && key.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_');
        let Some((sent, after)) = value(after).filter(|_| is_key) else { break };
        arguments.push((key, sent));
        tail = after;
    }
    Some((command(tool, plain(action), arguments), tail))
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
    let (value, tail) = text.split_at_checked(end)?;
    // A point ends the sentence and not the value.
    let trimmed = value.trim_end_matches(['.', ':']);
    let tail = if trimmed.len() < value.len() { text.get(trimmed.len()..)? } else { tail };
    (!trimmed.is_empty() && !is_quoted && depth == 0).then_some((trimmed, tail))
}

fn plain(value: &str) -> &str {
    value.trim_matches('"')
}

/// The command of that call; fields that it has no words for follow it.
fn command(tool: &str, action: &str, mut arguments: Vec<(&str, &str)>) -> String {
    let all = arguments.clone();
    let mut take = |key: &str| {
        let at = arguments.iter().position(|(name, _)| *name == key)?;
        Some(plain(arguments.remove(at).1).to_owned())
    };
    let with = |begin: &str, value: Option<String>| value.map_or(begin.to_owned(), |value| format!("{begin} {value}"));
    let line = match (tool, action) {
        ("manage_session", "undo") => Some(with("/undo", take("entry"))),
        ("manage_session", "start") => Some(with("/session start", take("title"))),
        ("manage_session", "end") => Some("/session end".to_owned()),
        ("manage_session", "list") => Some("/session list".to_owned()),
        ("manage_session", "resume") => Some("/resume".to_owned()),
        ("manage_session", "recap") => Some(with("/recap", take("session"))),
        ("manage_session", "clock") => Some(with("/clock", take("name"))),
        ("manage_session", "advance") => Some(with("/time", take("time"))),
        ("manage_combat", "next_turn") => Some("/next".to_owned()),
        ("manage_combat", "status") => Some("/fight".to_owned()),
        ("manage_combat", "end") => Some(with("/fight end", take("outcome"))),
        ("manage_combat", "remove_effect" | "add_effect") => take("name").map(|name| {
            let minus = if action == "remove_effect" { "-" } else { "" };
            let line = take("on").map_or(String::new(), |on| format!(" on {on}"));
            format!("/fight effect {minus}{name}{line}")
        }),
        ("manage_combat", _) => word_of(action).and_then(|word| {
            let line = format!("/fight {word}");
            match take("combatants") {
                None => Some(with(&line, take("combatant"))),
                Some(list) => newcomers(&list).map(|who| format!("{line} {who}")),
            }
        }),
        ("manage_character", "rest") => Some(with("/rest", take("kind"))),
        ("manage_character", "create") => take("name").map(|name| {
            // A player's is what /new makes.
            let kind = take("kind").filter(|kind| kind != "player");
            let scores =
                take("attributes").map(|scores| scores.trim_matches(['{', '}']).replace('"', "").replace(": ", " "));
            let sheet: Vec<String> = scores.into_iter().chain(kind).collect();
            if sheet.is_empty() { format!("/new {name}") } else { format!("/new {name}: {}", sheet.join(", ")) }
        }),
        ("manage_character", "add_condition" | "remove_condition") => take("condition").map(|condition| {
            let minus = if action == "remove_condition" { "-" } else { "" };
            let who = take("character").or_else(|| take("on")).unwrap_or_else(|| "WHO".to_owned());
            format!("/condition {who} {minus}{condition}")
        }),
        _ => None,
    };
    let (mut line, left) = match line {
        Some(line) => (line, arguments),
        None => (format!("/call {tool} action={action}"), all),
    };
    left.iter().for_each(|(key, value)| line.push_str(&format!(" {key}={value}")));
    line
}

/// Who joins a fight, as `/fight start` takes them.
fn newcomers(list: &str) -> Option<String> {
    let Value::Array(all) = serde_json::from_str(list).ok()? else { return None };
    let all: Option<Vec<String>> = all.iter().map(|entry| newcomer(entry.as_object()?)).collect();
    Some(all?.join(", "))
}

/// One of them, as [`super::fight`] reads it; `None` with a field that it has no word for.
fn newcomer(fields: &Map<String, Value>) -> Option<String> {
    let mut words = Vec::new();
    for (key, value) in fields {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let (place, word) = match key.as_str() {
            "name" => (0, text),
            "from" => (1, text),
            "count" => (2, format!("x{text}")),
            "hp" => (3, format!("hp {text}")),
            "initiative" => (4, format!("init {text}")),
            _ => return None,
        };
        words.push((place, word));
    }
    words.sort();
    (!words.is_empty()).then(|| words.into_iter().map(|(_, word)| word).collect::<Vec<_>>().join(" "))
}

/// An entry of the list of a fight that is alone: `{"name": "Goblin", "hp": 7}`.
fn combatant<'t>(tool: &str, text: &'t str) -> Option<(String, &'t str)> {
    if tool != "manage_combat" || !text.starts_with('{') {
        return None;
    }
    let (object, tail) = value(text)?;
    let Value::Object(fields) = serde_json::from_str(object).ok()? else { return None };
    Some((newcomer(&fields)?, tail))
}

#[cfg(test)]
mod tests {
    use super::as_commands;
    use crate::play::command::read;
    use crate::play::command::tests::names;

    #[test]
    fn calls_are_commands_and_what_none_has_is_a_call() {
        for (tool, sent, typed) in [
            ("manage_session", "Send action=\"undo\" entry=15.", "Send /undo 15."),
            ("apply_damage", "(manage_session action=\"undo\" entry=15)", "(/undo 15)"),
            ("manage_combat", "Send action=\"next_turn\" and no name.", "Send /next and no name."),
            ("manage_combat", "Send action=\"end\" first, or action=\"status\".", "Send /fight end first, or /fight."),
            (
                "skill_check",
                "Send manage_combat action=\"start\" combatants=[{\"name\": \"Goblin\", \"count\": 2, \"hp\": 7}].",
                "Send /fight start Goblin x2 hp 7.",
            ),
            (
                "manage_combat",
                "Send {\"name\": \"Old Ogre\", \"hp\": 7}, or {\"from\": \"Foes.md#Old Ogre\"}.",
                "Send Old Ogre hp 7, or Foes.md#Old Ogre.",
            ),
            (
                "skill_check",
                "Send manage_character action=\"create\" name=\"Jo Li\" attributes={\"DEX\": 14, …}.",
                "Send /new Jo Li: DEX 14, ….",
            ),
            (
                "manage_combat",
                "Send combatants=[{\"name\": \"Goblin\", \"count\": 2, \"hp\": 7}]; or go by name.",
                "Add Goblin x2 hp 7; or go by name.",
            ),
            ("skill_check", "Send difficulty=15 (\"Hard\").", "Add difficulty=15 (\"Hard\")."),
            ("skill_check", "Nobody. get_character list=true names everybody.", "Nobody. /party names everybody."),
            ("manage_character", "Send action=\"rest\" kind=\"Short rest\".", "Send /rest Short rest."),
            ("skill_check", "manage_combat action=\"remove\" combatant=\"Jo Li\" first", "/fight remove Jo Li first"),
            (
                "skill_check",
                "manage_combat action=\"remove_effect\" name=\"bless\" on=\"Jo Li\".",
                "/fight effect -bless on Jo Li.",
            ),
            (
                "skill_check",
                "manage_character action=\"update\" character=\"Jo\" tracks={\"Hit points\": 8}.",
                "/call manage_character action=update character=\"Jo\" tracks={\"Hit points\": 8}.",
            ),
        ] {
            assert_eq!(as_commands(tool, sent), typed, "{sent}");
        }
        for line in
            ["/undo 15", "/next", "/fight", "/fight start Goblin x2 hp 7", "/rest Short rest", "/fight remove Jo"]
        {
            assert!(read(line, &names()).is_ok(), "{line}");
        }
        assert_eq!(as_commands("odds", "Send 3 = 3, Größe \"x"), "Send 3 = 3, Größe \"x");
    }
}
