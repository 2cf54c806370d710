//! What a row tells to roll besides: "roll on Weather", "roll twice", "roll again, ignoring 6".

use std::collections::HashMap;

use super::RandomTable;
use crate::names::fold;

/// Times that one phrase may ask for.
const TIMES_MAX: usize = 6;
/// Words of a table's name behind "on".
const NAME_WORDS_MAX: usize = 6;
/// Bytes of a row that are read, and phrases among them.
const TEXT_MAX: usize = 2_000;
const PHRASES_MAX: usize = 20;

/// Tables by their names and columns, folded; `None` among tables of one name, since nobody says which is meant.
#[derive(Debug)]
pub struct Called<'t>(HashMap<String, Option<&'t RandomTable>>);

impl<'t> Called<'t> {
    pub fn of(tables: &'t [RandomTable]) -> Called<'t> {
        let mut called: HashMap<String, Option<&'t RandomTable>> = HashMap::new();
        for own in tables {
            for name in [own.name.clone(), own.column.clone()] {
                let known = called.entry(fold(&name)).or_insert(Some(own));
                if known.is_some_and(|known| !std::ptr::eq(known, own)) {
                    *known = None;
                }
            }
        }
        Called(called)
    }

    fn only(&self, name: &str) -> Option<&'t RandomTable> {
        self.0.get(&fold(name)).copied().flatten()
    }
}

/// What a row asks for.
#[derive(Debug, Default)]
pub struct Asked<'t> {
    pub rolls: Vec<NestedRoll<'t>>,
    /// It holds more phrases than are read.
    pub is_cut: bool,
}

/// Rolls that a row asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct NestedRoll<'t> {
    /// The table; `None`: the row's own.
    pub on: Option<&'t RandomTable>,
    pub times: usize,
    pub ignoring: Option<Ignoring>,
}

/// Which rows do not count, and are rolled again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ignoring {
    /// Numbers; none where the row itself is meant.
    pub numbers: Vec<(i64, i64)>,
    /// Rows that came already.
    pub repeats: bool,
}

/// A word of the text, and whether a clause or a sentence ends behind it.
struct Token {
    word: String,
    clause_ends: bool,
    sentence_ends: bool,
}

/// Everything that the text tells to roll. A phrase that changes the roll ("roll again and add 10") is left to the reader.
pub fn nested<'t>(text: &str, tables: &Called<'t>) -> Asked<'t> {
    let (text, rest) = text.split_at(text.floor_char_boundary(TEXT_MAX));
    let tokens = tokens(text);
    let mut found: Vec<NestedRoll> = Vec::new();
    let (mut at, mut phrases) = (0, 0);
    while let Some(token) = tokens.get(at) {
        at += 1;
        if !matches!(token.word.as_str(), "roll" | "rolls" | "reroll" | "rerolls") {
            continue;
        }
        if phrases >= PHRASES_MAX {
            return Asked { rolls: found, is_cut: true };
        }
        phrases += 1;
        let mut phrase = Phrase { tokens: &tokens, at, again: token.word.starts_with("reroll"), times: None };
        let roll = if token.clause_ends { phrase.bare() } else { phrase.read(tables) };
        at = phrase.at;
        found.extend(roll.filter(|own| found.iter().all(|known| known.on.is_none() || known.on != own.on)));
    }
    Asked { rolls: found, is_cut: rest.to_lowercase().contains("roll ") }
}

fn tokens(text: &str) -> Vec<Token> {
    let words = text.split_whitespace().map(|word| {
        let word = word.to_lowercase().replace(['–', '—', '−'], "-");
        Token {
            word: bare(&word).to_owned(),
            clause_ends: word.ends_with([',', ';', '.', '!', ':', ')']),
            sentence_ends: word.ends_with([';', '.', '!', ')']),
        }
    });
    words.collect()
}

/// A word without the punctuation around it.
fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric() && c != '+')
}

/// A phrase that begins with "roll".
struct Phrase<'a> {
    tokens: &'a [Token],
    at: usize,
    again: bool,
    times: Option<usize>,
}

impl Phrase<'_> {
    /// "Reroll."
    fn bare<'t>(&mut self) -> Option<NestedRoll<'t>> {
        self.again.then_some(NestedRoll { on: None, times: 1, ignoring: None })
    }

    fn read<'t>(&mut self, tables: &Called<'t>) -> Option<NestedRoll<'t>> {
        let mut ended = false;
        while !ended && let Some(token) = self.tokens.get(self.at) {
            let next = self.tokens.get(self.at + 1).map_or("", |next| next.word.as_str());
            match token.word.as_str() {
                "again" | "more" => self.again = true,
                "twice" => self.times = Some(2),
                "thrice" => self.times = Some(3),
                "times" if self.times.is_some() => {}
                word if next.starts_with("time") && count(word).is_some() => self.times = count(word),
                _ => break,
            }
            ended = token.clause_ends;
            self.at += 1;
        }
        let on = match self.tokens.get(self.at).filter(|token| !ended && token.word == "on") {
            Some(_) => {
                self.at += 1;
                Some(self.table(tables)?)
            }
            None => None,
        };
        let asked = on.is_some() || self.again || self.times.is_some();
        if !asked || self.is_changed() {
            return None;
        }
        let times = self.times.unwrap_or(1).min(TIMES_MAX);
        Some(NestedRoll { on: on.flatten(), times, ignoring: self.ignoring() })
    }

    /// The table behind "on": `None` where no table is called so, and `Some(None)` for the row's own.
    fn table<'t>(&mut self, tables: &Called<'t>) -> Option<Option<&'t RandomTable>> {
        let word = |at: usize| self.tokens.get(at).map_or("", |token| token.word.as_str());
        if matches!(word(self.at), "this" | "it") || (word(self.at) == "the" && word(self.at + 1) == "same") {
            self.at += 1;
            return Some(None);
        }
        // "the" and "table" may be part of its name.
        let skipped = (self.at..).take_while(|at| matches!(word(*at), "the" | "table")).take(2).count();
        let (own, end) = (self.at..=self.at + skipped).find_map(|from| self.longest(from, tables))?;
        self.at = end;
        let behind = self.at + usize::from(word(self.at) == "table");
        let same_clause = self.tokens.get(end - 1).is_some_and(|last| !last.clause_ends);
        if same_clause && word(behind) == "twice" {
            self.times = Some(2);
        }
        Some(Some(own))
    }

    /// The table with the longest name that begins there, and where its name ends.
    fn longest<'t>(&self, from: usize, tables: &Called<'t>) -> Option<(&'t RandomTable, usize)> {
        let near = self.tokens.iter().skip(from).take(NAME_WORDS_MAX);
        let clause = near.clone().position(|token| token.clause_ends).map_or(usize::MAX, |end| end + 1);
        (1..=NAME_WORDS_MAX.min(clause)).rev().find_map(|many| {
            let words: Vec<&str> =
                self.tokens.get(from..from + many)?.iter().map(|token| token.word.as_str()).collect();
            tables.only(&words.join(" ")).map(|own| (own, from + many))
        })
    }

    /// Whether the rest of the clause changes the roll.
    fn is_changed(&self) -> bool {
        let begins =
            self.at.checked_sub(1).and_then(|last| self.tokens.get(last)).is_some_and(|last| !last.clause_ends);
        let rest = self.tokens.iter().skip(self.at).take(3);
        begins
            && rest
                .map(|token| token.word.as_str())
                .any(|word| matches!(word, "with" | "add" | "adding" | "plus") || word.starts_with('+'))
    }

    /// "ignoring 6", "and ignore 1-2 and 6", "ignoring this result", "ignoring duplicates".
    fn ignoring(&mut self) -> Option<Ignoring> {
        let before = self.at.saturating_sub(1);
        let mut rest = self.tokens.iter().skip(before);
        if rest.next().is_some_and(|last| last.sentence_ends) {
            return None;
        }
        let rest: Vec<&Token> = rest.collect();
        let from = rest
            .iter()
            .take(3)
            .position(|token| ["ignor", "disregard"].iter().any(|begin| token.word.starts_with(begin)))?;
        let mut ignoring = Ignoring::default();
        for token in rest.iter().skip(from) {
            ignoring.numbers.extend(range(&token.word));
            ignoring.repeats |= ["duplicat", "repeat", "double"].iter().any(|begin| token.word.starts_with(begin));
            if token.sentence_ends {
                break;
            }
        }
        Some(ignoring)
    }
}

fn count(word: &str) -> Option<usize> {
    word.parse().ok().filter(|many| *many > 0)
}

/// `6`, `11-12`, `6s`, `6+`.
fn range(word: &str) -> Option<(i64, i64)> {
    let word = word.strip_suffix('s').unwrap_or(word);
    if let Some(from) = word.strip_suffix('+') {
        return Some((from.parse().ok()?, i64::MAX));
    }
    match word.split_once('-') {
        Some((low, high)) => Some((low.parse().ok()?, high.parse().ok()?)),
        None => word.parse().ok().map(|one| (one, one)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{SourceFile, Sources};
    use crate::rules::random_table::read;

    #[test]
    fn phrases_that_ask_for_rolls_are_read() {
        let text = "# Weather\n| d6 | Sky |\n|---|---|\n| 1-3 | a |\n| 4-6 | b |\n\n# Night Sounds\n| d6 | Noise |\n|---|---|\n| 1-3 | a |\n| 4-6 | b |\n";
        let tables = read(&Sources::new(vec![SourceFile::new("Night.md", text)]));
        let numbers = |all: &[(i64, i64)]| Some(Ignoring { numbers: all.to_vec(), repeats: false });
        let own = |times: usize, ignoring: Option<Ignoring>| vec![(None, times, ignoring)];
        let on = |name: &'static str, times: usize| vec![(Some(name), times, None)];
        for (text, expected) in [
            ("Roll twice", own(2, None)),
            ("Roll again.", own(1, None)),
            ("Reroll", own(1, None)),
            ("Roll twice more", own(2, None)),
            ("Roll 3 times on this table", own(3, None)),
            ("Roll twice, ignoring 6", own(2, numbers(&[(6, 6)]))),
            ("Roll twice, ignoring 1-2 and 11–12; then rest 5 hours", own(2, numbers(&[(1, 2), (11, 12)]))),
            ("Roll again, and ignore this result", own(1, numbers(&[]))),
            ("Roll twice (ignoring results of 96+)", own(2, numbers(&[(96, i64::MAX)]))),
            ("Roll twice, ignoring duplicates", own(2, Some(Ignoring { numbers: vec![], repeats: true }))),
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
            let read: Vec<_> = nested(text, &Called::of(&tables))
                .rolls
                .into_iter()
                .map(|own| (own.on.map(|table| table.name.as_str()), own.times, own.ignoring))
                .collect();
            assert_eq!(read, expected, "{text}");
        }
    }

    #[test]
    fn a_table_is_named_by_its_name_or_its_column_where_only_one_is_meant() {
        let table =
            |name: &str, column: &str| format!("# {name}\n| d6 | {column} |\n|---|---|\n| 1-3 | a |\n| 4-6 | b |\n\n");
        let names = [("Night Sounds", "Noise"), ("Loot", "Find"), ("Table of Wonders", "y"), ("Fog", "Noise")];
        let text: String = names.iter().map(|(name, column)| table(name, column)).collect();
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
            let read = nested(text, &Called::of(&tables)).rolls;
            let first = read.first();
            let found = (first.and_then(|own| own.on).map(|on| on.name.as_str()), first.map_or(0, |own| own.times));
            assert_eq!(found, (expected, times), "{text}");
        }
    }

    #[test]
    fn of_a_long_row_only_the_beginning_is_read() {
        let tables: Vec<String> = (0..900)
            .map(|nth| format!("# Hour {nth}\n| d6 | Sky |\n|---|---|\n| 1-3 | a |\n| 4-6 | b |\n\n"))
            .collect();
        let tables = read(&Sources::new(vec![SourceFile::new("Night.md", tables.concat())]));
        let called = Called::of(&tables);
        let row: String = (0..6_000).map(|nth| format!("roll on Hour {}; ", nth % 900)).collect();
        let asked = nested(&row, &called);
        assert_eq!((asked.rolls.len(), asked.is_cut), (PHRASES_MAX, true));
        let late = nested(&format!("{} roll on Hour 7", "rain ".repeat(5_000)), &called);
        assert_eq!((late.rolls.len(), late.is_cut), (0, true));
        let prose = nested(&"rain ".repeat(5_000), &called);
        assert_eq!((prose.rolls.len(), prose.is_cut), (0, false));
    }
}
