//! A call as it is typed: `skill_check character=Aria difficulty=15 values={"bonus": 1}`.

use std::ops::Range;

use serde_json::{Map, Value};

use super::codes;
use crate::tools::{ToolEntry, all_tools, tool_named};
use rollbook_text::diagnostic::{Diagnostic, Span};
use rollbook_text::names::suggest;

pub struct Typed {
    pub tool: &'static ToolEntry,
    /// What it is called with, not yet bound by its schema.
    pub arguments: Map<String, Value>,
}

/// Reads a call at `line`. Errors: an unknown tool, no `=`, an open quotation, a name twice.
pub fn call(text: &str, line: Span) -> Result<Typed, Box<Diagnostic>> {
    let words = words(text).map_err(|open| {
        let found = Diagnostic::error(codes::UNREADABLE, "a quotation or bracket is not closed");
        Box::new(found.at(within(line, open..text.len()), "it begins here"))
    })?;
    let mut words = words.into_iter();
    let name = words.next().unwrap_or(0..0);
    let tool = named(
        text.get(name.clone()).unwrap_or_default(),
        within(line, name),
    )?;
    let mut arguments = Map::new();
    for word in words {
        let span = within(line, word.clone());
        let word_end = word.end;
        let typed = text.get(word).unwrap_or_default();
        let Some((key, written)) = typed.split_once('=').filter(|(key, _)| is_name(key)) else {
            let example = match typed.starts_with('=')
                || text
                    .get(word_end..)
                    .is_some_and(|rest| rest.trim_start().starts_with('='))
            {
                true => "no blanks stand around the `=`: attribute=DEX".to_owned(),
                false => format!(
                    "arguments are key=value: {}={}",
                    main_argument(tool),
                    quoted(typed)
                ),
            };
            let found = Diagnostic::error(codes::UNREADABLE, format!("`{typed}` is no argument"));
            return Err(Box::new(
                found.at(span, "no `key=` before it").help(example),
            ));
        };
        if arguments.insert(key.to_owned(), value(written)).is_some() {
            let found = Diagnostic::error(codes::UNREADABLE, format!("`{key}` is given twice"));
            return Err(Box::new(found.at(span, "here for the second time")));
        }
    }
    Ok(Typed { tool, arguments })
}

/// Single words of a text, and its `key=value` fields. Errors: an open quotation, a name twice.
pub fn fields(text: &str) -> Result<(Vec<&str>, Map<String, Value>), String> {
    let words = words(text).map_err(|open| {
        let open = cut(text.get(open..).unwrap_or_default());
        format!("The quotation or bracket in `{open}` is not closed.")
    })?;
    let (mut alone, mut fields) = (Vec::new(), Map::new());
    for word in words.into_iter().filter_map(|word| text.get(word)) {
        match word.split_once('=').filter(|(key, _)| {
            is_name(key) && !key.starts_with(|letter: char| letter.is_ascii_digit())
        }) {
            Some((key, written)) => {
                if fields.insert(key.to_owned(), value(written)).is_some() {
                    return Err(format!("`{key}` is given twice."));
                }
            }
            None => alone.push(word),
        }
    }
    Ok((alone, fields))
}

pub(super) fn named(name: &str, span: Span) -> Result<&'static ToolEntry, Box<Diagnostic>> {
    if let Some(tool) = tool_named(name) {
        return Ok(tool);
    }
    let names = || all_tools().iter().map(|tool| &*tool.name);
    let help = match suggest(name, names()).first() {
        Some(first) => format!("did you mean `{first}`?"),
        None => format!("there are {}", names().collect::<Vec<_>>().join(", ")),
    };
    let found = Diagnostic::error(codes::UNREADABLE, format!("no tool is called `{name}`"));
    Err(Box::new(found.at(span, "not a tool").help(help)))
}

/// The argument that a tool is mostly about: the first cell of a table's row.
pub(super) fn main_argument(tool: &ToolEntry) -> &'static str {
    match &*tool.name {
        "skill_check" => "skill",
        "roll_dice" | "odds" | "calculator" => "expression",
        "roll_multiple" => "rolls",
        "apply_damage" => "amount",
        "get_character" => "character",
        "get_rules" => "name",
        "search_rules" => "query",
        "get_time" => "timezone",
        _ => "action",
    }
}

/// A value as it is typed: JSON if it parses as JSON, else words; 'single quotes' hold words too.
pub(super) fn value(written: &str) -> Value {
    let written = written.trim();
    if let Some(inner) = written
        .strip_prefix('\'')
        .and_then(|rest| rest.strip_suffix('\''))
    {
        return Value::from(inner);
    }
    serde_json::from_str(written).unwrap_or_else(|_| Value::from(written))
}

/// Text as an argument's value: bare where that reads back as the same text.
pub fn quoted(text: &str) -> String {
    let bare =
        !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || "\"'{}[]".contains(c));
    if bare && value(text) == *text {
        text.to_owned()
    } else {
        Value::from(text).to_string()
    }
}

fn is_name(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Words between blanks outside quotations and brackets. The error: where an open one begins.
fn words(text: &str) -> Result<Vec<Range<usize>>, usize> {
    let mut words = Vec::new();
    let mut start = None;
    let mut depth: Vec<usize> = Vec::new();
    let mut quote: Option<(char, usize)> = None;
    let mut before = ' ';
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (Some(('"', _)), '"') if before != '\\' => quote = None,
            (Some(('\'', _)), '\'') => quote = None,
            (Some(_), _) => {}
            (None, '"') => quote = Some(('"', at)),
            // An apostrophe inside a word is a letter.
            (None, '\'') if before == '=' => quote = Some(('\'', at)),
            (None, '{' | '[') => depth.push(at),
            (None, '}' | ']') => drop(depth.pop()),
            (None, blank) if blank.is_whitespace() && depth.is_empty() => {
                words.extend(start.take().map(|start| start..at));
                before = letter;
                continue;
            }
            _ => {}
        }
        start.get_or_insert(at);
        // A backslash that is itself escaped escapes nothing.
        before = if before == '\\' && letter == '\\' {
            ' '
        } else {
            letter
        };
    }
    match quote.map(|(_, at)| at).or_else(|| depth.first().copied()) {
        Some(open) => Err(open),
        None => {
            words.extend(start.map(|start| start..text.len()));
            Ok(words)
        }
    }
}

fn within(line: Span, range: Range<usize>) -> Span {
    Span::new(line.file, line.start + range.start..line.start + range.end)
}

/// Faces between blanks or commas. Errors: the word that is no number.
pub fn faces(text: &str) -> Result<Vec<i64>, &str> {
    let words = text
        .split(|c: char| c.is_whitespace() || c == ',')
        .filter(|word| !word.is_empty());
    let minus = |word: &str| word.replace(rollbook_dice::is_minus, "-");
    let faces: Result<Vec<i64>, &str> = words
        .map(|word| minus(word).parse().map_err(|_| word))
        .collect();
    faces.and_then(|faces| if faces.is_empty() { Err("") } else { Ok(faces) })
}

/// The first forty characters of what is quoted in a finding.
pub(super) fn cut(text: &str) -> &str {
    text.char_indices()
        .nth(40)
        .map_or(text, |(at, _)| text.get(..at).unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(text: &str) -> Value {
        Value::Object(
            call(text, Span::default())
                .map_err(|found| found.message)
                .unwrap()
                .arguments,
        )
    }

    #[test]
    fn values_are_json_or_words() {
        assert_eq!(
            read(
                r#"skill_check character=Aria difficulty=15 visible=false context="the \"old\" lock" skill='Sleight of hand'"#
            ),
            json!({"character": "Aria", "difficulty": 15, "visible": false, "context": "the \"old\" lock", "skill": "Sleight of hand"})
        );
        assert_eq!(
            read(
                r#"manage_character action=create name=D'Arcy attributes={"STR": 12, "DEX": 9} skills={ }"#
            ),
            json!({"action": "create", "name": "D'Arcy", "attributes": {"STR": 12, "DEX": 9}, "skills": {}})
        );
        assert_eq!(
            read("roll_dice expression=8d10>=8"),
            json!({"expression": "8d10>=8"})
        );
    }

    #[test]
    fn what_is_no_call_is_pointed_at() {
        let refused = |text: &str| {
            let found = call(text, Span::default()).err().expect("no call");
            let span = found.span().expect("a place");
            (
                text.get(span.bytes()).unwrap_or_default().to_owned(),
                found.help.join(" "),
            )
        };
        assert_eq!(
            refused("skil_check a=1"),
            ("skil_check".into(), "did you mean `skill_check`?".into())
        );
        assert_eq!(
            refused("roll_dice 1d20"),
            (
                "1d20".into(),
                "arguments are key=value: expression=1d20".into()
            )
        );
        for spaced in [
            "skill_check attribute = DEX",
            "skill_check attribute =DEX",
            "skill_check difficulty=1 =2",
        ] {
            assert!(
                refused(spaced).1.contains("no blanks stand around"),
                "{spaced}: {:?}",
                refused(spaced)
            );
        }
        assert_eq!(refused("roll_dice context=\"a b").0, "\"a b");
        assert_eq!(refused("roll_dice a=1 a=2").0, "a=2");
        assert_eq!(refused("").0, "");
    }

    #[test]
    fn fields_stand_between_words() {
        let (alone, fields) =
            fields("8d10>=8 visibility=gm the \"big one\" context=\"a b\" 2d6 d=1").unwrap();
        assert_eq!(alone, ["8d10>=8", "the", "\"big one\"", "2d6"]);
        assert_eq!(
            Value::Object(fields),
            json!({"visibility": "gm", "context": "a b", "d": 1})
        );
        assert!(super::fields("a=1 a=2").unwrap_err().contains("twice"));
        assert!(
            super::fields("a=\"b c")
                .unwrap_err()
                .contains("`\"b c` is not closed")
        );
    }

    #[test]
    fn what_is_quoted_reads_back() {
        for text in [
            "Aria",
            "Jory Penrake",
            "15",
            "true",
            "a=b",
            "",
            "D'Arcy",
            "'x'",
        ] {
            assert_eq!(value(&quoted(text)), Value::from(text), "{text}");
        }
    }
}
