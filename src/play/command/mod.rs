//! What a person can type at the table: `/` and a word. Each command is one call of a tool, or of the table itself; what it takes
//! is short, and every field of its tool can be sent behind it as `key=value`.
//!
//! Reading a line decides nothing of the game: who is meant, what may be done and what comes of it says the tool.

mod advice;
mod checks;
mod complete;
mod dice;
mod entry;
mod fight;
mod harm;
mod line;
mod people;
mod story;
mod table;

use super::names::Names;
pub use advice::as_commands;
pub use complete::{complete, hint};
pub use entry::{CommandEntry, Deed};
pub use people::incomplete;
use rollbook_text::names::suggest;

/// Every command, in the order of the help: what is done most stands first.
pub static ALL: &[CommandEntry] = &[
    dice::ROLL,
    checks::CHECK,
    checks::ATTACK,
    harm::DAMAGE,
    harm::HEAL,
    harm::CONDITION,
    fight::FIGHT,
    fight::NEXT,
    people::SHEET,
    people::PARTY,
    people::NEW,
    people::REST,
    story::NOTE,
    story::CLOCK,
    story::TIME,
    story::SESSION,
    story::RECAP,
    story::RESUME,
    story::UNDO,
    dice::ODDS,
    story::RULES,
    table::CALL,
    table::HELP,
    table::QUIT,
];

/// The command of that name.
pub fn named(name: &str) -> Option<&'static CommandEntry> {
    let name = name.to_lowercase();
    ALL.iter().find(|own| own.name == name || own.also.contains(&name.as_str()))
}

/// Whether a line leaves the table, whatever else there is.
pub fn is_quit(line: &str) -> bool {
    matches!(read(line, &Names::default()), Ok(Deed::Quit))
}

/// Reads a command, with its slash or without.
///
/// # Errors
/// In a sentence: there is no such command, or what follows it cannot be read; what to type instead.
pub fn read(line: &str, names: &Names) -> Result<Deed, String> {
    let line = line.trim().trim_start_matches('/');
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let Some(own) = named(word) else {
        let known = ALL.iter().flat_map(|own| std::iter::once(own.name).chain(own.also.iter().copied()));
        return Err(match suggest(word, known).first() {
            Some(near) => format!("There is no command /{}. Did you mean /{near}?", rollbook_text::names::quoted(word)),
            None => format!("There is no command /{}. /help lists them.", rollbook_text::names::quoted(word)),
        });
    };
    (own.read)(rest.trim(), names)
        .map_err(|why| format!("{why} Type: /{} {}, such as: {}", own.name, own.takes, own.example))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use serde_json::Value;

    use super::*;
    use rollbook_table::tools::tool_named;

    fn read_rules() -> rollbook_rules::System {
        let text = "# A\n\n## Attributes\n- Strength (STR)\n- Dexterity (DEX)\n\n## Skills\n- Lockpicking (DEX)\n";
        rollbook_rules::read(vec![rollbook_text::diagnostic::SourceFile::new("System.md", text)]).system
    }

    pub fn names() -> Names {
        let list = |all: &[&str]| all.iter().map(|own| (*own).to_owned()).collect();
        Names {
            people: list(&["Sabeth Quoin", "Jory Penrake", "Wrecker 1", "Wrecker 2"]),
            party: list(&["Sabeth Quoin", "Jory Penrake"]),
            attacks: list(&["boat hook", "Crossbow"]),
            skills: list(&["Lockpicking", "Sleight of Hand", "Melee"]),
            attributes: list(&["STR", "DEX"]),
            checks: list(&["Save"]),
            difficulties: list(&["Hard", "Very hard"]),
            conditions: list(&["prone", "frightened"]),
            damage_types: list(&["cold", "slashing"]),
            rests: list(&["Long rest"]),
            sheets: list(&["Characters.md#Fenner Loy"]),
            foes: list(&["Foes.md#Wrecker"]),
            sections: list(&["Checks", "Health"]),
            clocks: list(&["Flooding"]),
            turn: None,
            is_without_turns: false,
            system: Arc::new(read_rules()),
        }
    }

    #[track_caller]
    pub fn call(line: &str) -> (String, Value) {
        match read(line, &names()) {
            Ok(Deed::Call { tool, arguments }) => (tool, Value::Object(arguments)),
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn every_example_is_a_command_whose_fields_its_tool_has() {
        for own in ALL {
            assert!(own.example.starts_with(&format!("/{}", own.name)), "{}", own.example);
            assert!(own.about.len() <= 80 && own.about.ends_with('.'), "{}", own.about);
            if let Deed::Call { tool, arguments } = read(own.example, &names()).expect(own.example) {
                let entry = tool_named(&tool).expect("a tool");
                let known = entry.input["properties"].as_object().expect("properties");
                let unknown: Vec<&String> = arguments.keys().filter(|key| !known.contains_key(*key)).collect();
                assert!(unknown.is_empty(), "{}: {unknown:?}", own.example);
            }
        }
    }

    #[test]
    fn no_word_means_two_commands() {
        let all: Vec<&str> =
            ALL.iter().flat_map(|own| std::iter::once(own.name).chain(own.also.iter().copied())).collect();
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
    }

    #[test]
    fn an_unknown_command_and_an_unfinished_one_say_what_to_type() {
        assert_eq!(read("/rol 1d6", &names()).unwrap_err(), "There is no command /rol. Did you mean /roll?");
        assert_eq!(read("/xyzzy", &names()).unwrap_err(), "There is no command /xyzzy. /help lists them.");
        let unfinished = read("/damage", &names()).unwrap_err();
        assert!(unfinished.contains("Type: /damage WHOM AMOUNT [TYPE]"), "{unfinished}");
        assert!(read("/roll context=\"x", &names()).unwrap_err().contains("is not closed"));
        assert_eq!(read("QUIT", &names()), Ok(Deed::Quit));
    }
}
