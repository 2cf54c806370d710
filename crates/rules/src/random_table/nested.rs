//! Rolls that a row asks for: "roll on Weather", "roll twice", "roll again, ignoring 6". A phrase
//! is read to the end of its clause, or not at all.

use super::RandomTable;
use crate::document::Text;
use crate::grammar::cursor::Cursor;
use crate::grammar::names::{Names, Thing};
use rollbook_text::diagnostic::Span;

/// The most rolls of one phrase.
const TIMES_MAX: u32 = 6;
/// The most bytes of a row that are read.
const TEXT_MAX: usize = 2_000;
/// The most phrases of a row.
const PHRASES_MAX: usize = 20;

/// Tables by their names and columns.
#[derive(Debug)]
pub struct TableNames<'t> {
    tables: &'t [RandomTable],
    names: Names,
}

impl<'t> TableNames<'t> {
    /// Splits the names of all tables into words, once.
    pub fn new(tables: &'t [RandomTable]) -> TableNames<'t> {
        let mut names = Names::default();
        tables
            .iter()
            .flat_map(|table| [&table.name, &table.column])
            .for_each(|name| names.declare(name, Thing::Table));
        TableNames { tables, names }
    }

    /// The only table of this name; none where there are several.
    fn only(&self, name: &str) -> Option<&'t RandomTable> {
        let mut all = self.tables.iter().filter(|table| table.is_called(name));
        all.next().filter(|_| all.next().is_none())
    }
}

/// What a row asks for.
#[derive(Debug, Default)]
pub struct NestedRolls<'t> {
    pub rolls: Vec<NestedRoll<'t>>,
    /// Whether it has more phrases than are read.
    pub is_cut: bool,
}

/// Rolls that a row asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct NestedRoll<'t> {
    /// The table; none: the table of the row.
    pub on: Option<&'t RandomTable>,
    pub times: u32,
    pub ignoring: Option<Ignoring>,
}

/// Rows that do not count and are rolled again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ignoring {
    /// Ranges of numbers; empty: the row itself.
    pub numbers: Vec<(i64, i64)>,
    /// Whether rows that were rolled already are ignored.
    pub repeats: bool,
}

/// Rolls that a text asks for. What changes a roll ("roll again and add 10") is not read.
pub fn nested_rolls<'t>(text: &str, tables: &TableNames<'t>) -> NestedRolls<'t> {
    let (text, rest) = text.split_at(text.floor_char_boundary(TEXT_MAX));
    let lower = text.to_ascii_lowercase();
    let before = |at: usize| lower.get(..at).unwrap_or_default();
    let is_word = |before: &str| !before.ends_with(char::is_alphanumeric);
    let begins =
        |at: &usize| is_word(before(*at)) || before(*at).strip_suffix("re").is_some_and(is_word);
    let mut starts = lower.match_indices("roll").map(|(at, _)| at).filter(begins);
    let mut rolls: Vec<NestedRoll> = Vec::new();
    for start in starts.by_ref().take(PHRASES_MAX) {
        let clause = text
            .get(start..)
            .and_then(|rest| rest.split(['.', ';', '!', ')']).next())
            .unwrap_or_default();
        let clause = Text::invented(clause, Span::default());
        let is_again = before(start).ends_with("re");
        let read = phrase(&mut Cursor::new(&clause, &tables.names), is_again, tables);
        rolls.extend(read.filter(|roll| {
            rolls
                .iter()
                .all(|known| known.on.is_none() || known.on != roll.on)
        }));
    }
    NestedRolls {
        rolls,
        is_cut: starts.next().is_some() || rest.to_ascii_lowercase().contains("roll "),
    }
}

/// `roll again`, `roll 3 times on Weather`, `roll twice, ignoring 6`.
fn phrase<'t>(
    at: &mut Cursor<'_>,
    is_again: bool,
    tables: &TableNames<'t>,
) -> Option<NestedRoll<'t>> {
    at.words("roll")?;
    let is_again = at.words("again").is_some() || is_again;
    let times = times(at);
    let is_again = at.words("more").is_some() || is_again;
    let on = match at.words("on") {
        Some(()) => Some(table(at, tables)?),
        None => None,
    };
    let times = times.or_else(|| at.words("twice").map(|()| 2));
    if on.is_none() && times.is_none() && !is_again {
        return None;
    }
    let ignoring = at.attempt(ignoring);
    let is_whole = at.is_end() || at.is_at(',');
    is_whole.then(|| NestedRoll {
        on: on.flatten(),
        times: times.unwrap_or(1).min(TIMES_MAX),
        ignoring,
    })
}

fn times(at: &mut Cursor<'_>) -> Option<u32> {
    let many = |at: &mut Cursor<'_>| {
        let many = at.number()?;
        at.words("times")?;
        u32::try_from(many).ok().filter(|many| *many > 0)
    };
    at.words("twice").map(|()| 2).or_else(|| at.attempt(many))
}

/// The table after "on": `Some(None)` for the table of the row.
fn table<'t>(at: &mut Cursor<'_>, tables: &TableNames<'t>) -> Option<Option<&'t RandomTable>> {
    if at.words("this table").is_some() {
        return Some(None);
    }
    // "the" and "table" may be parts of its name.
    let named = |at: &mut Cursor<'_>| at.name(&[Thing::Table], "a table");
    let name = named(at).or_else(|| {
        at.words("the")?;
        named(at)
    })?;
    let _ = at.words("table");
    tables.only(&name).map(Some)
}

/// `, ignoring 6`, `, and ignore 1-2 and 6+`, `, ignoring this result`, `, ignoring duplicates`.
fn ignoring(at: &mut Cursor<'_>) -> Option<Ignoring> {
    at.sign(',')?;
    let _ = at.words("and");
    at.words("ignoring").or_else(|| at.words("ignore"))?;
    if at.words("this result").is_some() {
        return Some(Ignoring::default());
    }
    if at
        .words("duplicates")
        .or_else(|| at.words("repeats"))
        .is_some()
    {
        return Some(Ignoring {
            repeats: true,
            ..Ignoring::default()
        });
    }
    let numbers = at.joined("and", |at| {
        let low = at.number()?;
        let high = match (at.sign('+'), at.sign('-')) {
            (Some(()), _) => i64::MAX,
            (None, Some(())) => at.number()?,
            (None, None) => low,
        };
        Some((low, high))
    })?;
    Some(Ignoring {
        numbers,
        repeats: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_table::read;
    use rollbook_text::diagnostic::{SourceFile, Sources};

    #[test]
    fn phrases_that_ask_for_rolls_are_read() {
        let text = "# Weather\n| d6 | Sky |\n|---|---|\n| 1-3 | a |\n| 4-6 | b |\n\n# Night Sounds\n| d6 | Noise |\n|---|---|\n| 1-3 | a |\n| 4-6 | b |\n";
        let tables = read(&Sources::new(vec![SourceFile::new("Night.md", text)]));
        let numbers = |all: &[(i64, i64)]| {
            Some(Ignoring {
                numbers: all.to_vec(),
                repeats: false,
            })
        };
        let same = |times: u32, ignoring: Option<Ignoring>| vec![(None, times, ignoring)];
        let on = |name: &'static str, times: u32| vec![(Some(name), times, None)];
        for (text, expected) in [
            ("Roll twice", same(2, None)),
            ("Roll again.", same(1, None)),
            ("Reroll", same(1, None)),
            ("Roll twice more", same(2, None)),
            ("Roll 3 times on this table", same(3, None)),
            ("Roll twice, ignoring 6", same(2, numbers(&[(6, 6)]))),
            (
                "Roll twice, ignoring 1-2 and 11–12; then rest 5 hours",
                same(2, numbers(&[(1, 2), (11, 12)])),
            ),
            ("Roll again, and ignore this result", same(1, numbers(&[]))),
            (
                "Roll twice, ignoring 96+",
                same(2, numbers(&[(96, i64::MAX)])),
            ),
            (
                "Roll twice, ignoring duplicates",
                same(
                    2,
                    Some(Ignoring {
                        numbers: vec![],
                        repeats: true,
                    }),
                ),
            ),
            ("Rain; roll on the Weather table", on("Weather", 1)),
            ("Roll on Night Sounds, then run", on("Night Sounds", 1)),
            ("Roll twice on Weather", on("Weather", 2)),
            ("Roll on Weather twice", on("Weather", 2)),
            ("Roll on Nothing Known", vec![]),
            ("Roll again and add 10", vec![]),
            ("Roll again with +2", vec![]),
            ("They roll out the barrel twice", vec![]),
            ("Roll for initiative. Again.", vec![]),
            ("A troll again", vec![]),
        ] {
            let read: Vec<_> = nested_rolls(text, &TableNames::new(&tables))
                .rolls
                .into_iter()
                .map(|roll| {
                    (
                        roll.on.map(|table| table.name.as_str()),
                        roll.times,
                        roll.ignoring,
                    )
                })
                .collect();
            assert_eq!(read, expected, "{text}");
        }
    }

    #[test]
    fn a_table_is_named_by_its_name_or_its_column_where_only_one_is_meant() {
        let table = |name: &str, column: &str| {
            format!("# {name}\n| d6 | {column} |\n|---|---|\n| 1-3 | a |\n| 4-6 | b |\n\n")
        };
        let names = [
            ("Night Sounds", "Noise"),
            ("Loot", "Find"),
            ("Table of Wonders", "y"),
            ("Fog", "Noise"),
        ];
        let text: String = names
            .iter()
            .map(|(name, column)| table(name, column))
            .collect();
        let tables = read(&Sources::new(vec![SourceFile::new("Night.md", &text)]));
        for (text, expected, times) in [
            ("Roll on NIGHT Sounds", Some("Night Sounds"), 1),
            ("Roll on Find", Some("Loot"), 1),
            ("Roll on the Table of Wonders", Some("Table of Wonders"), 1),
            ("Roll on the Fog table twice", Some("Fog"), 2),
            ("Roll on Table 9", None, 0),
            // Two are called so.
            ("Roll on Noise", None, 0),
        ] {
            let read = nested_rolls(text, &TableNames::new(&tables)).rolls;
            let first = read.first();
            let found = (
                first.and_then(|roll| roll.on).map(|on| on.name.as_str()),
                first.map_or(0, |roll| roll.times),
            );
            assert_eq!(found, (expected, times), "{text}");
        }
    }

    #[test]
    fn of_a_long_row_only_the_beginning_is_read() {
        let tables: Vec<String> = (0..900)
            .map(|nth| {
                format!("# Hour {nth}\n| d6 | Sky |\n|---|---|\n| 1-3 | a |\n| 4-6 | b |\n\n")
            })
            .collect();
        let tables = read(&Sources::new(vec![SourceFile::new(
            "Night.md",
            tables.concat(),
        )]));
        let called = TableNames::new(&tables);
        let row: String = (0..6_000)
            .map(|nth| format!("roll on Hour {}; ", nth % 900))
            .collect();
        let asked = nested_rolls(&row, &called);
        assert_eq!((asked.rolls.len(), asked.is_cut), (PHRASES_MAX, true));
        let late = nested_rolls(
            &format!("{} roll on Hour 7", "rain ".repeat(5_000)),
            &called,
        );
        assert_eq!((late.rolls.len(), late.is_cut), (0, true));
        let prose = nested_rolls(&"rain ".repeat(5_000), &called);
        assert_eq!((prose.rolls.len(), prose.is_cut), (0, false));
    }
}
