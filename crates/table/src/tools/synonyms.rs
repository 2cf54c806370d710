//! Parameters under other names: camelCase, and what assistants are known to send instead.

use rollbook_game::refusal::Attempt;
use rollbook_text::names::{misspelt, printable, shortened};
use serde_json::{Map, Value};

/// Names that are sent, and the parameter meant; or, where there is none, a hint.
pub type Alias = (&'static [&'static str], &'static str);

/// Other names of a tool's parameters and values.
#[derive(Debug, Clone, Copy)]
pub struct Synonyms {
    /// The tool's name.
    pub tool: &'static str,
    pub parameters: &'static [Alias],
    /// `(parameter, sent, hint)`: words of a parameter that has a list of them.
    pub words: &'static [(&'static str, &'static str, &'static str)],
}

/// What a name that is no parameter's own means.
pub enum Meant<'s> {
    Parameter(String, &'s Map<String, Value>),
    Hint(&'static str),
    Unknown,
}

/// Other names of parameters that mean the same in every tool and every list that has them.
const COMMON: [Alias; 26] = [
    (&["dc", "target_number"], "difficulty"),
    (&["bonus", "mod", "situational_modifier"], "modifier"),
    (&["penalty"], "modifier=-$; below zero for a penalty"),
    (&["ability", "stat"], "attribute"),
    (
        &["stats", "abilities", "ability_scores", "scores"],
        "attributes",
    ),
    (&["skill_name"], "skill"),
    (&["check_name", "move"], "check"),
    (&["target_name", "targets"], "target"),
    (&["character_name", "who", "whom"], "character"),
    (&["initiative_roll", "init"], "initiative"),
    (&["hit_points", "hitpoints", "health", "max_hp"], "hp"),
    (&["is_hidden", "invisible"], "hidden"),
    (&["team", "faction"], "side"),
    (&["is_npc"], "side=\"players\" or side=\"foes\", or kind"),
    (&["is_enemy"], "side=\"players\" or side=\"foes\""),
    (&["qty"], "quantity"),
    (&["number", "times"], "count"),
    (&["items", "equipment"], "inventory"),
    (&["experience"], "xp"),
    (&["purpose"], "context"),
    (&["type"], "damage_type"),
    (&["opponent"], "opposed_by"),
    (&["secret", "private"], "visibility=\"gm\""),
    (&["expressions", "expression"], "rolls"),
    (&["minutes"], "time=\"$ minutes\""),
    (&["hours"], "time=\"$ hours\""),
];

impl Synonyms {
    /// The word that is nearly this one, or is it but for what the tool is about: `end` is
    /// `end_combat` of `manage_combat`. What else stands beside a word is not guessed at.
    pub fn near_word<'w>(&self, sent: &str, words: &[&'w str]) -> Option<&'w str> {
        let noun = self.tool.trim_start_matches("manage_");
        let is_of_tool = |word: &&&str| sent == format!("{word}_{noun}");
        misspelt(sent, words.iter().copied()).or_else(|| words.iter().find(is_of_tool).copied())
    }

    /// What a hint says to send. A hint is a call, with a remark after `; `: arguments of the same tool
    /// (`action="start"`), or another tool with what it takes (`apply_damage amount=-$amount`), which
    /// gets the other arguments as they were sent. `$` is the value that the hint is about, and
    /// `$amount` that of an argument, whose name is then left out. `None` where the hint is no call, or
    /// an argument is missing.
    pub fn instead(
        &self,
        hint: &'static str,
        name: &str,
        raw: &Map<String, Value>,
    ) -> Option<Attempt> {
        let tool = hint
            .split([' ', ';'])
            .next()
            .filter(|word| word.contains('_') && !word.contains('='));
        let call = hint.get(tool.map_or(0, str::len)..)?;
        let call = call.split("; ").next()?.trim_end_matches(';');
        let mut without = vec![name.to_owned()];
        let call = self.filled(call, name, raw, &mut without, None)?;
        let mut set = Vec::new();
        let mut rest = call.trim_start();
        while !rest.is_empty() {
            let (key, value) = rest.split_once('=')?;
            let mut values = serde_json::Deserializer::from_str(value).into_iter::<Value>();
            set.push((key.trim_matches('"').to_owned(), values.next()?.ok()?));
            rest = value.get(values.byte_offset()..)?.trim_start();
        }
        let is_key = |key: &str| {
            !key.is_empty()
                && key
                    .chars()
                    .all(|letter| letter.is_ascii_lowercase() || letter == '_')
        };
        if set.iter().any(|(key, _)| !is_key(key)) || (set.is_empty() && tool.is_none()) {
            return None;
        }
        // What is sent already is meant, and not the hint's example.
        let is_free = |(sent, _): (&String, _)| without.contains(sent);
        set.retain(|(key, _)| key == "action" || self.sent(key, raw).is_none_or(is_free));
        if tool.is_some() {
            let left = raw
                .iter()
                .filter(|(key, _)| *key != "action" && !without.contains(key));
            set.extend(left.map(|(key, value)| (key.clone(), value.clone())));
        }
        Some(Attempt { tool, set, without })
    }

    /// A hint as it is shown: with the values that were sent.
    pub fn shown_hint(&self, hint: &str, name: &str, raw: &Map<String, Value>) -> String {
        let shown = self
            .filled(hint, name, raw, &mut Vec::new(), Some("\"…\""))
            .unwrap_or_default();
        printable(&shortened(&shown, 200))
    }

    /// The hint with values for `$` and `$name`, `missing` for those that were not sent; the names go
    /// to `used`.
    fn filled(
        &self,
        hint: &str,
        name: &str,
        raw: &Map<String, Value>,
        used: &mut Vec<String>,
        missing: Option<&str>,
    ) -> Option<String> {
        let mut parts = hint.split('$');
        let mut call = parts.next()?.to_owned();
        for part in parts {
            let end = part.find(|letter: char| !letter.is_ascii_lowercase() && letter != '_');
            let (word, tail) = part.split_at(end.unwrap_or(part.len()));
            let word = if word.is_empty() { name } else { word };
            let sent = self.sent(word, raw);
            let value = match sent {
                Some((_, value)) => value.to_string(),
                None => missing?.to_owned(),
            };
            // Inside of quotation marks its text alone.
            let is_quoted = call.matches('"').count() % 2 == 1;
            call.push_str(if is_quoted {
                value.trim_matches('"')
            } else {
                &value
            });
            used.extend(sent.map(|(key, _)| key.clone()));
            call.push_str(tail);
        }
        Some(call)
    }

    /// What the name stands for, in the order of the lists.
    fn named(&self, sent: &str) -> impl Iterator<Item = &'static str> + use<'_> {
        let snake = snake(sent);
        let all = self.parameters.iter().chain(&COMMON);
        all.filter(move |(sent, _)| sent.contains(&&*snake))
            .map(|(_, meant)| *meant)
    }

    /// The argument that is sent by that name or another.
    fn sent<'r>(&self, name: &str, raw: &'r Map<String, Value>) -> Option<(&'r String, &'r Value)> {
        let is_it = |key: &str| key == name || self.named(key).any(|meant| meant == name);
        raw.iter().find(|(key, _)| is_it(key))
    }

    /// The number beside a word that names this parameter: `DC 15` as a difficulty.
    pub fn number<'t>(&self, parameter: &str, text: &'t str) -> &'t str {
        let is_it = |word: &str| {
            snake(word) == parameter || self.named(word).any(|meant| meant == parameter)
        };
        match text.trim().split_once(' ') {
            Some((word, number)) if is_it(word) => number,
            Some((number, word)) if is_it(word) => number,
            _ => text,
        }
    }

    pub fn meant<'s>(&self, sent: &str, properties: &'s Map<String, Value>) -> Meant<'s> {
        let known = |name: &str| {
            properties
                .get(name)
                .and_then(Value::as_object)
                .map(|schema| (name.to_owned(), schema))
        };
        let snake = snake(sent);
        if let Some((name, schema)) = known(&snake) {
            return Meant::Parameter(name, schema);
        }
        let mut hint = None;
        let others = self.named(sent).flat_map(|meant| self.named(meant));
        let all = self.named(sent).map(|meant| (meant, false));
        for (meant, is_other) in all.chain(others.map(|meant| (meant, true))) {
            if is_other && hint.is_some() {
                break;
            }
            if let Some((name, schema)) = known(meant) {
                return Meant::Parameter(name, schema);
            }
            // A hint begins with the parameter that it is about.
            let first = meant.split(['=', ' ']).next().unwrap_or_default();
            // Or with another tool.
            let is_one = properties.contains_key(first) || first.contains('_');
            if meant != first && is_one {
                hint = hint.or(Some(meant));
            }
        }
        hint.map_or(Meant::Unknown, Meant::Hint)
    }

    /// What to send in the place of a word that is none of a parameter's own; of several the first
    /// whose arguments are sent.
    pub fn word(
        &self,
        (parameter, sent): (&str, &str),
        path: &str,
        raw: &Map<String, Value>,
    ) -> Option<(&'static str, Option<Attempt>)> {
        let rows = self.words.iter();
        let mut hints = rows
            .filter(|(of_parameter, word, _)| *of_parameter == parameter && *word == sent)
            .map(|(.., hint)| (*hint, self.instead(hint, path, raw)));
        let first = hints.next()?;
        let tried = |(_, attempt): &(_, Option<Attempt>)| attempt.is_some();
        Some(match tried(&first) {
            true => first,
            false => hints.find(tried).unwrap_or(first),
        })
    }
}

/// `applyConditions`, `Apply Conditions`, `apply-conditions` as `apply_conditions`; `isDC` `is_dc`.
pub fn snake(name: &str) -> String {
    let mut snake = String::with_capacity(name.len());
    let mut before = None::<char>;
    let mut letters = name.chars().peekable();
    while let Some(letter) = letters.next() {
        let begins = letter.is_uppercase()
            && before.is_some_and(|before| {
                before.is_lowercase()
                    || before.is_ascii_digit()
                    || (before.is_uppercase()
                        && letters.peek().is_some_and(|next| next.is_lowercase()))
            });
        let gap = matches!(letter, ' ' | '-' | '_');
        if (begins || gap) && !snake.is_empty() && !snake.ends_with('_') {
            snake.push('_');
        }
        if !gap {
            snake.extend(letter.to_lowercase());
        }
        before = Some(letter);
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::{all_tools, tool_named};

    #[test]
    fn camel_case_is_read_as_snake_case() {
        for (name, meant) in [
            ("initiativeRoll", "initiative_roll"),
            ("isPlayer", "is_player"),
            ("applyConditions", "apply_conditions"),
            ("Damage Type", "damage_type"),
            ("damage-type", "damage_type"),
            ("DC", "dc"),
            ("isDC", "is_dc"),
            ("HPMax", "hp_max"),
            ("opposed_by", "opposed_by"),
            ("", ""),
        ] {
            assert_eq!(snake(name), meant);
        }
    }

    /// The actions that a text tells to send, each with the tool named before it, else its own.
    fn actions<'t>(text: &'t str, named_first: &'t str) -> Vec<(&'t str, &'t str)> {
        let before = text
            .match_indices("action=\"")
            .map(|(at, sign)| (text.split_at(at).0, at + sign.len()));
        let named = before.map(|(before, at)| {
            let tool = before
                .trim_end()
                .rsplit(' ')
                .next()
                .filter(|word| word.starts_with("manage_"))
                .unwrap_or(named_first);
            (tool, text[at..].split('"').next().unwrap())
        });
        named.collect()
    }

    fn takes(tool: &str, action: &str) -> bool {
        let tool = crate::tools::tool_named(tool).unwrap_or_else(|| panic!("no tool {tool}"));
        tool.input["properties"]["action"]["enum"]
            .as_array()
            .unwrap()
            .iter()
            .any(|known| known == action)
    }

    #[test]
    fn other_names_are_no_parameters_and_mean_what_the_tool_takes() {
        for tool in all_tools() {
            let properties = tool.input["properties"].as_object().unwrap();
            let aliases = tool
                .synonyms
                .parameters
                .iter()
                .flat_map(|(all, meant)| all.iter().map(move |sent| (sent, meant)));
            for (sent, meant) in aliases {
                let first = meant.split(['=', ' ', ',']).next().unwrap();
                let item = tool.input["properties"]
                    .as_object()
                    .unwrap()
                    .values()
                    .any(|list| {
                        list["items"]["properties"].get(first).is_some()
                            && list["items"]["properties"].get(sent).is_none()
                    });
                assert!(
                    properties.contains_key(first) || item || tool_named(first).is_some(),
                    "{}: {sent} means {meant}",
                    tool.name
                );
                assert!(
                    !properties.contains_key(*sent) || item,
                    "{}: {sent} is a parameter",
                    tool.name
                );
            }
            for (parameter, sent, hint) in tool.synonyms.words {
                let schema = &properties[*parameter];
                let is_known = schema["enum"]
                    .as_array()
                    .is_some_and(|words| words.iter().any(|word| word == sent));
                assert!(!is_known, "{}: {parameter} takes {sent} itself", tool.name);
                for (tool, action) in actions(hint, &tool.name) {
                    assert!(takes(tool, action), "{sent}: {tool} has no action {action}");
                }
            }
        }
    }

    #[test]
    fn a_word_is_near_by_its_spelling_or_with_what_its_tool_is_about() {
        for (tool, sent, meant) in [
            ("manage_combat", "end_combat", Some("end")),
            ("manage_combat", "stauts", Some("status")),
            ("manage_combat", "end_effect", None),
            ("manage_combat", "remove_item", None),
            ("manage_session", "start_session", Some("start")),
            ("manage_session", "end_scene", None),
            ("manage_session", "end_fight", None),
            ("manage_character", "create_character", Some("create")),
            ("manage_character", "give_xp", None),
        ] {
            let tool = tool_named(tool).unwrap();
            let words = tool.input["properties"]["action"]["enum"].as_array();
            let words: Vec<&str> = words.unwrap().iter().flat_map(Value::as_str).collect();
            assert_eq!(tool.synonyms.near_word(sent, &words), meant, "{sent}");
        }
    }

    #[test]
    fn every_parameter_of_every_tool_is_read_in_camel_case() {
        let none = Synonyms {
            tool: "",
            parameters: &[],
            words: &[],
        };
        for tool in all_tools() {
            let properties = tool.input["properties"].as_object().unwrap();
            for name in properties.keys() {
                let mut camel = String::new();
                for part in name.split('_') {
                    let mut letters = part.chars();
                    let first = letters.next().unwrap();
                    camel.push(if camel.is_empty() {
                        first
                    } else {
                        first.to_ascii_uppercase()
                    });
                    camel.extend(letters);
                }
                let meant = none.meant(&camel, properties);
                assert!(
                    matches!(meant, Meant::Parameter(read, _) if read == *name),
                    "{}: {camel}",
                    tool.name
                );
            }
        }
    }
}
