//! What a half-typed line can go on with.
//!
//! Names have blanks in them, so the longest text before the cursor that begins a name counts: behind `/check Sabeth Quoin Lo` only `Lo`
//! begins one.

use super::entry::{CommandEntry, Completes};
use super::{ALL, named};
use crate::play::names::Names;
use rollbook_table::playtest::quoted;
use rollbook_table::tools::{all_tools, tool_named};
use rollbook_text::names::{fold, shortened};

/// Characters of a hint, so that it stays on the line.
const HINT_MAX: usize = 60;

/// Where the completed text begins, in bytes, and what may stand there; what is talk and no command is completed with people's names.
/// Behind what stands there whole a blank follows.
pub fn complete(line: &str, at: usize, names: &Names) -> (usize, Vec<String>) {
    let (start, mut found) = candidates_at(line, at, names);
    if !line.get(at..).is_some_and(|behind| behind.starts_with(' ')) {
        found.iter_mut().filter(|own| !own.ends_with(['=', ' '])).for_each(|own| own.push(' '));
    }
    (start, found)
}

fn candidates_at(line: &str, at: usize, names: &Names) -> (usize, Vec<String>) {
    let Some(before) = line.get(..at) else { return (at, Vec::new()) };
    let Some(command) = before.strip_prefix('/') else {
        return match before.trim().is_empty() {
            true => (at, Vec::new()),
            false => begun(before, 0, &names.people),
        };
    };
    match command.split_once(char::is_whitespace) {
        None => {
            let found = ALL.iter().map(|own| own.name).filter(|name| name.starts_with(&command.to_lowercase()));
            (0, found.map(|name| format!("/{name} ")).collect())
        }
        Some((word, rest)) => match named(word) {
            Some(own) => begun(before, before.len() - rest.len(), &candidates(own, rest, names)),
            None => (at, Vec::new()),
        },
    }
}

/// What a command takes, while nothing stands behind it.
pub fn hint(line: &str) -> Option<String> {
    let command = line.strip_prefix('/')?;
    let own = named(command.trim_end())?;
    let takes = shortened(own.takes, HINT_MAX);
    (!takes.is_empty()).then(|| format!("{}{takes}", if command.ends_with(' ') { "" } else { " " }))
}

/// What the words of a command can be.
fn candidates(own: &CommandEntry, typed: &str, names: &Names) -> Vec<String> {
    let owned = |all: &[&str]| all.iter().map(|own| (*own).to_owned()).collect::<Vec<_>>();
    let of = |kind: &Completes| match kind {
        Completes::People => names.people.clone(),
        Completes::Attacks => names.attacks.clone(),
        Completes::Checks => [&names.skills, &names.attributes, &names.checks].into_iter().flatten().cloned().collect(),
        Completes::Difficulties => names.difficulties.clone(),
        Completes::Conditions => names.conditions.clone(),
        Completes::Rests => names.rests.clone(),
        Completes::Sheets => names.sheets.clone(),
        Completes::Foes => names.foes.clone(),
        Completes::Sections => names.sections.clone(),
        Completes::Clocks => names.clocks.clone(),
        Completes::Commands => ALL.iter().map(|own| own.name.to_owned()).collect(),
        Completes::Tools => match typed.split_once(char::is_whitespace).and_then(|(tool, _)| tool_named(tool)) {
            Some(tool) => fields(&tool.input).chain(names.people.iter().cloned()).collect(),
            None => all_tools().iter().map(|own| own.name.clone().into_owned()).collect(),
        },
        // A word of the command itself stands first.
        Completes::Words(words) if !typed.contains(char::is_whitespace) => owned(words),
        Completes::Words(_) => Vec::new(),
    };
    own.completes.iter().flat_map(of).collect()
}

fn fields(input: &serde_json::Map<String, serde_json::Value>) -> impl Iterator<Item = String> {
    let properties = input.get("properties").and_then(serde_json::Value::as_object);
    properties.into_iter().flat_map(|own| own.keys()).map(|key| format!("{key}="))
}

/// The candidates that go on with the longest end of the text; `from` is where words may begin.
fn begun(text: &str, from: usize, candidates: &[String]) -> (usize, Vec<String>) {
    let behind = text.get(from..).unwrap_or_default();
    let starts =
        std::iter::once(0).chain(behind.char_indices().filter(|(_, own)| " ,=".contains(*own)).map(|(at, _)| at + 1));
    for start in starts.map(|at| from + at) {
        let typed = text.get(start..).unwrap_or_default();
        if typed.starts_with(' ') {
            continue;
        }
        let is_value = text.get(..start).is_some_and(|before| before.ends_with('='));
        let wanted = typed.to_lowercase();
        let goes_on = |own: &&String| {
            let own = own.to_lowercase();
            own.starts_with(&wanted) || fold(&own).starts_with(&wanted)
        };
        let mut found: Vec<String> =
            candidates.iter().filter(goes_on).map(|own| if is_value { quoted(own) } else { own.clone() }).collect();
        if !found.is_empty() {
            let mut seen = std::collections::BTreeSet::new();
            found.retain(|own| seen.insert(own.clone()));
            return (start, found);
        }
    }
    (text.len(), Vec::new())
}

#[cfg(test)]
mod tests {
    use super::{complete, hint};
    use crate::play::command::tests::names;

    #[track_caller]
    fn completed(line: &str) -> (&str, Vec<String>) {
        let (at, found) = complete(line, line.len(), &names());
        (&line[..at], found)
    }

    #[test]
    fn commands_then_names_then_what_follows_them() {
        assert_eq!(completed("/ch"), ("", vec!["/check ".to_owned()]));
        assert_eq!(completed("/check sab"), ("/check ", vec!["Sabeth Quoin ".to_owned()]));
        assert_eq!(completed("/check Sabeth Quoin Lo"), ("/check Sabeth Quoin ", vec!["Lockpicking ".to_owned()]));
        assert_eq!(
            completed("/check Sabeth Quoin sleight of"),
            ("/check Sabeth Quoin ", vec!["Sleight of Hand ".to_owned()])
        );
        assert_eq!(
            completed("/damage Sabeth Quoin, Wr"),
            ("/damage Sabeth Quoin, ", vec!["Wrecker 1 ".to_owned(), "Wrecker 2 ".to_owned()])
        );
        assert_eq!(
            completed("/fight st"),
            ("/fight ", vec!["start ".to_owned(), "structure ".to_owned(), "status ".to_owned()])
        );
        assert_eq!(completed("/fight hide Wrecker 2"), ("/fight hide ", vec!["Wrecker 2 ".to_owned()]));
        assert_eq!(completed("/call roll_dice expr"), ("/call roll_dice ", vec!["expression=".to_owned()]));
        assert_eq!(
            completed("/call roll_dice character=Jo"),
            ("/call roll_dice character=", vec!["\"Jory Penrake\" ".to_owned()])
        );
        assert_eq!(completed("/new Char"), ("/new ", vec!["Characters.md#Fenner Loy ".to_owned()]));
        assert_eq!(completed("/fight start party, Fo"), ("/fight start party, ", vec!["Foes.md#Wrecker ".to_owned()]));
        assert_eq!(completed("We ask Jory"), ("We ask ", vec!["Jory Penrake ".to_owned()]));
        let before_a_blank = complete("/sheet Sab 15", 10, &names());
        assert_eq!(before_a_blank, (7, vec!["Sabeth Quoin".to_owned()]));
        assert_eq!(completed("/roll 1d"), ("/roll 1d", vec![]));
        assert_eq!(completed("/nothing x"), ("/nothing x", vec![]));
    }

    #[test]
    fn any_place_of_any_line_can_be_asked() {
        for line in ["", "/", "/check żółw ż", "/check  ", "=,=", "/new Ö:"] {
            for at in 0..=line.len() {
                let (start, _) = complete(line, at, &names());
                assert!(start <= at, "{line} {at}");
            }
        }
    }

    #[test]
    fn what_a_command_takes_is_hinted_until_something_stands_there() {
        assert_eq!(hint("/sheet"), Some(" [WHO]".to_owned()));
        assert_eq!(hint("/sheet "), Some("[WHO]".to_owned()));
        assert_eq!(hint("/sheet S"), None);
        assert_eq!(hint("/quit"), None);
    }
}
