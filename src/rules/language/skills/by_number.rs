//! Tables that give numbers by another one: `| Level | Death | Wands |`, `| Strength | To hit |`, `| Wounds | Penalty |`. Each column
//! of numbers is a skill whose base is looked up. They may stand wherever their readers look for them. `| Class | Level | Death |` has
//! rows for each class.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::base::Base;
use super::read::linked;
use super::skill::{DeclaredBy, Skill};
use crate::diagnostic::{Diagnostic, Fix, Span};
use crate::dice::parse_formula;
use crate::names::{fold, misspellings, same};
use crate::rules::codes;
use crate::rules::document::{Table, Text};
use crate::rules::language::attributes::Attribute;
use crate::rules::language::attributes::modifier::MODIFIERS;
use crate::rules::language::declaration::bracketed;
use crate::rules::language::labels::labelled;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::number_table::{KindRows, NumberRow, NumberTable, overlap};
use crate::rules::language::outline::Outline;
use crate::rules::language::plain::dice_mentions;
use crate::rules::language::range;
use crate::rules::section::SectionKind;

/// Where such tables stand.
const SECTIONS: [SectionKind; 6] = [
    SectionKind::Attributes,
    SectionKind::Skills,
    SectionKind::Checks,
    SectionKind::Health,
    SectionKind::Combat,
    SectionKind::Advancement,
];
/// What else the column of levels may be called.
const LEVELS: [&str; 4] = ["Level", "Levels", "Lvl", "Character level"];
/// Findings about tables that begin with no name, and names that are compared with each.
const UNKNOWN_MAX: usize = 20;
const COMPARED_MAX: usize = 1_000;
/// Columns of other tables that are read elsewhere, or that say what a row is for.
const NO_NUMBERS: [&str; 10] =
    ["xp", "experience", "experience points", "outcome", "when", "#", "no", "roll", "dice", "die"];
/// Headers that say what a number is, and not what it is called.
const NAMELESS: [&str; 9] = ["bonus", "bonuses", "modifier", "modifiers", "mod", "value", "number", "score", "scores"];

/// What a table may be about: its name, and the same as an expression.
struct Key {
    name: String,
    notation: String,
    of: Of,
}

/// Whose number it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Level,
    Attribute,
    Skill,
    Track,
}

/// Reads the tables, and adds what they declare.
pub fn read(outline: &Outline<'_>, attributes: &[Attribute], skills: &mut Vec<Skill>, ledger: &mut Ledger<'_>) {
    let tables: Vec<&Table> = SECTIONS.into_iter().flat_map(|kind| outline.tables(kind)).collect();
    if tables.is_empty() {
        return;
    }
    let keys = Keys::of(outline, attributes, skills, ledger);
    let tracks = keys.0.iter().filter(|(_, key)| key.of == Of::Track).map(|(folded, _)| folded.clone()).collect();
    let mut declared = Declared::of(attributes, skills, tracks);
    for table in tables {
        match keys.of_table(table) {
            Some((at, key)) => one(table, at, key, &mut declared, ledger),
            None => report_unknown(table, &keys, ledger),
        }
    }
}

/// Everything that a first column may name, by its folded name.
struct Keys(BTreeMap<String, Key>);

impl Keys {
    fn of(outline: &Outline<'_>, attributes: &[Attribute], skills: &[Skill], ledger: &Ledger<'_>) -> Keys {
        let mut keys = Keys(BTreeMap::new());
        LEVELS.into_iter().for_each(|level| keys.add(level, "{level}", Of::Level));
        for attribute in attributes {
            let score = format!("{{{} score}}", attribute.short());
            let names = std::iter::once(&attribute.name).chain(&attribute.abbr);
            names.for_each(|name| keys.add(name, &score, Of::Attribute));
        }
        skills.iter().for_each(|skill| keys.add(&skill.name, &format!("{{{}}}", skill.name), Of::Skill));
        // Their readers come later, and each of their bullets may be a track.
        for kind in [SectionKind::Health, SectionKind::Company, SectionKind::Clocks] {
            for label in outline.bullets(kind).filter_map(|bullet| labelled(bullet, ledger)) {
                let name = label.label.as_str();
                keys.add(name, &format!("{{{name}}}"), Of::Track);
            }
        }
        keys
    }

    fn add(&mut self, name: &str, notation: &str, of: Of) {
        let key = || Key { name: name.to_owned(), notation: notation.to_owned(), of };
        self.0.entry(fold(name)).or_insert_with(key);
    }

    /// The column that says what the table is about: the one of levels, else the first.
    fn of_table(&self, table: &Table) -> Option<(usize, &Key)> {
        if has(table, "when") {
            return None;
        }
        let level = table.header.iter().position(|cell| is_level(cell.as_str()));
        let at = level.unwrap_or(0);
        self.0.get(&fold(table.header.get(at)?.as_str())).map(|key| (at, key))
    }
}

/// What there is, by folded name.
struct Declared<'s> {
    attributes: HashMap<String, Span>,
    list: &'s [Attribute],
    skills: &'s mut Vec<Skill>,
    places: HashMap<String, usize>,
    tracks: HashSet<String>,
}

impl<'s> Declared<'s> {
    fn of(list: &'s [Attribute], skills: &'s mut Vec<Skill>, tracks: HashSet<String>) -> Declared<'s> {
        let names = |own: &'s Attribute| std::iter::once(&own.name).chain(&own.abbr).map(|name| (fold(name), own.span));
        let places = skills.iter().zip(0..).map(|(own, place)| (fold(&own.name), place)).collect();
        Declared { attributes: list.iter().flat_map(names).collect(), list, skills, places, tracks }
    }
}

fn is_level(words: &str) -> bool {
    LEVELS.iter().any(|level| same(level, words))
}

fn has(table: &Table, name: &str) -> bool {
    table.header.iter().any(|cell| fold(cell.as_str()) == name)
}

fn one(table: &Table, at: usize, key: &Key, declared: &mut Declared<'_>, ledger: &mut Ledger<'_>) {
    let Some((by, formula)) = table.header.get(at).zip(parse_formula(&key.notation).ok()) else { return };
    let columns: Vec<usize> = numeric(table, at, key.of == Of::Attribute);
    if columns.is_empty() {
        return;
    }
    ledger.take(table.span);
    let own_kinds = kinds(table, at);
    own_kinds.iter().flat_map(|kind| &kind.names).for_each(|name| declare_kind(name, declared, ledger));
    let held: Vec<Vec<Held>> = match own_kinds.is_empty() {
        true => vec![rows(table, at, (0..table.rows.len()).collect(), ledger)],
        false => own_kinds.iter().map(|kind| rows(table, at, kind.rows.clone(), ledger)).collect(),
    };
    ledger.has_room(table.rows.len().saturating_sub(1), "rows of a table of numbers", table.span);
    // A row for nobody knows which numbers may be for any.
    let lost = held.iter().map(Vec::len).sum::<usize>() < table.rows.len();
    for column in columns {
        let mut unread = Vec::new();
        unread.extend(lost.then_some(NumberRow { low: i64::MIN, high: i64::MAX, value: 0 }));
        let values: Vec<Vec<NumberRow>> =
            held.iter().map(|held| values(table, held, column, &mut unread, ledger)).collect();
        if let Some(header) = table.header.get(column) {
            if NAMELESS.contains(&fold(header.as_str()).as_str()) {
                let help =
                    format!("call the column as checks ask for it: `| {} | Attack |` is `{{Attack}}`", by.as_str());
                ledger.overlooked(header.span(), "a column of numbers without a name of its own", help);
                continue;
            }
            let of_kind = |(kind, rows): (&Kind, &Vec<NumberRow>)| {
                let named = |name: &Text| KindRows { kind: name.as_str().to_owned(), rows: rows.clone() };
                kind.names.iter().map(named).collect::<Vec<KindRows>>()
            };
            let own = NumberTable {
                by: by.as_str().to_owned(),
                key: formula.clone(),
                kinds: own_kinds.iter().zip(&values).flat_map(of_kind).collect(),
                rows: if own_kinds.is_empty() { values.concat() } else { Vec::new() },
                unread,
                place: ledger.place(by.span()),
                span: by.span(),
            };
            declare(header, own, declared, ledger);
        }
    }
}

/// Rows that are for those who are something.
struct Kind {
    /// `Fighter`; `Dwarf, Halfling` are two.
    names: Vec<Text>,
    /// Their places.
    rows: Vec<usize>,
}

/// What the column before the numbers says: names in all cells (an empty one goes on with the name above it), and for several of them rows
/// for the same numbers. None where it says something else, as titles do.
fn kinds(table: &Table, at: usize) -> Vec<Kind> {
    let mut kinds: Vec<Kind> = Vec::new();
    let Some(before) = at.checked_sub(1) else { return kinds };
    let held = |row: usize| table.rows.get(row).and_then(|row| row.get(at)).and_then(|cell| numbers(cell.as_str()));
    let mut last = None;
    for (place, row) in table.rows.iter().enumerate() {
        let Some(cell) = row.get(before) else { return Vec::new() };
        let names: Vec<Text> = cell.split_all(&[","]).into_iter().filter(|name| !name.is_empty()).collect();
        if names.iter().any(|name| !name.as_str().starts_with(char::is_alphabetic)) {
            return Vec::new();
        }
        if !names.is_empty() {
            let is = |own: &Kind| own.names.iter().map(Text::as_str).eq(names.iter().map(Text::as_str));
            last = kinds.iter().position(is).or_else(|| {
                kinds.push(Kind { names, rows: Vec::new() });
                kinds.len().checked_sub(1)
            });
        }
        match last.and_then(|last| kinds.get_mut(last)) {
            Some(kind) => kind.rows.push(place),
            None => return Vec::new(),
        }
    }
    let firsts = kinds.iter().filter_map(|own| own.rows.first().and_then(|row| held(*row)));
    let mut firsts: Vec<(i64, i64)> = firsts.collect();
    firsts.sort_unstable();
    let meet = firsts.windows(2).any(|pair| matches!(pair, [(_, high), (low, _)] if low <= high));
    if meet { kinds } else { Vec::new() }
}

/// Somebody is of a kind whose sheet has its name; a name that nothing has is a skill for that.
fn declare_kind(name: &Text, declared: &mut Declared<'_>, ledger: &mut Ledger<'_>) {
    let folded = fold(name.as_str());
    let known = declared.attributes.contains_key(&folded)
        || declared.places.contains_key(&folded)
        || declared.tracks.contains(&folded);
    if known || !ledger.has_room(declared.skills.len(), "skills", name.span()) {
        return;
    }
    declared.places.insert(folded, declared.skills.len());
    declared.skills.push(Skill {
        name: name.as_str().to_owned(),
        attribute: None,
        base: None,
        check: None,
        about: String::new(),
        by: DeclaredBy::Kind,
        place: ledger.place(name.span()),
        span: name.span(),
    });
}

/// The columns beside this one that hold numbers: half of their cells at least. What an attribute is worth is read with it.
fn numeric(table: &Table, at: usize, of_attribute: bool) -> Vec<usize> {
    let is_column = |(place, header): &(usize, &Text)| {
        let folded = fold(header.as_str());
        let others = NO_NUMBERS.contains(&folded.as_str()) || is_level(&folded);
        let worth = of_attribute && MODIFIERS.contains(&folded.as_str());
        let cells = || table.rows.iter().filter_map(|row| row.get(*place));
        let numbers = cells().filter(|cell| number(cell).is_some()).count();
        *place != at && !folded.is_empty() && !others && !worth && numbers > 0 && 2 * numbers >= cells().count()
    };
    table.header.iter().enumerate().filter(is_column).map(|(place, _)| place).collect()
}

/// A row of the table by its place, and the numbers that it is for.
type Held = (usize, NumberRow);

/// The cells of these rows that say for which numbers they are. What cannot be read, or is there already, is reported.
fn rows(table: &Table, at: usize, places: Vec<usize>, ledger: &mut Ledger<'_>) -> Vec<Held> {
    let mut rows: Vec<(Held, Span)> = Vec::new();
    for place in places.into_iter().take(ledger.limits.items) {
        let Some(cell) = table.rows.get(place).and_then(|row| row.get(at)) else { continue };
        let Some((low, high)) = numbers(cell.as_str()) else {
            ledger
                .report(unreadable(cell, "expected a number or a range").help("write `3`, `4-6`, `7+` or `2 or less`"));
            continue;
        };
        let own = NumberRow { low, high, value: 0 };
        if let Some(((_, above), first)) = rows.iter().find(|((_, above), _)| own.is_cut_by(above)) {
            ledger.report(overlap(&own, cell.span(), above, *first));
        }
        rows.push(((place, own), cell.span()));
    }
    rows.into_iter().map(|(row, _)| row).collect()
}

/// What a column gives in each row; what it gives in the others is unread.
fn values(
    table: &Table,
    rows: &[Held],
    column: usize,
    unread: &mut Vec<NumberRow>,
    ledger: &mut Ledger<'_>,
) -> Vec<NumberRow> {
    let mut found = Vec::new();
    for (place, held) in rows {
        let Some(cell) = table.rows.get(*place).and_then(|row| row.get(column)) else { continue };
        match number(cell) {
            Some(value) => found.push(NumberRow { value, ..*held }),
            None => {
                let cell = if cell.is_empty() { table.header.get(column).unwrap_or(cell) } else { cell };
                let what = format!("expected a number for {held}");
                ledger.report(unreadable(cell, &what).help("write a whole number, and `0` where there is none"));
                unread.push(*held);
            }
        }
    }
    found
}

fn unreadable(cell: &Text, what: &str) -> Diagnostic {
    let message = format!("`{}` cannot be read in a table of numbers", cell.as_str());
    Diagnostic::warning(codes::NUMBERS_UNREADABLE, message)
        .at(cell.span(), what)
        .because("the other columns of the table are numbers by the first one")
}

/// A column as a skill, or as the base of one that a bullet declares.
fn declare(header: &Text, table: NumberTable, declared: &mut Declared<'_>, ledger: &mut Ledger<'_>) {
    let (name, link) = bracketed(header);
    let folded = fold(name.as_str());
    let twice = |first: Span, why: &str, help: &str| {
        Diagnostic::warning(codes::DUPLICATE_SKILL, format!("`{}` is declared twice", name.as_str()))
            .at(name.span(), "this column is not read")
            .and(first, "declared here first")
            .because(why.to_owned())
            .help(help.to_owned())
    };
    if let Some(first) = declared.attributes.get(&folded) {
        let why = "the score of an attribute stands on the sheet";
        return ledger.report(twice(*first, why, "take the attribute away, or give the column another name"));
    }
    if declared.tracks.contains(&folded) {
        let name = name.as_str();
        let help = format!(
            "call the column otherwise, and name it there: `| {} | {name} most |`, `- {name}: max {{{name} most}}`",
            table.by
        );
        return ledger.overlooked(header.span(), "not read: a track or the like is called so", help);
    }
    let known = declared.places.get(&folded).and_then(|at| declared.skills.get_mut(*at));
    match known {
        Some(skill) if skill.base.is_none() => skill.base = Some(Base::Table(table)),
        Some(skill) => {
            let why = "it has a base already";
            ledger.report(twice(skill.span, why, "take one of the two away, or give the column another name"));
        }
        None => {
            if !ledger.has_room(declared.skills.len(), "skills", header.span()) {
                return;
            }
            declared.places.insert(folded, declared.skills.len());
            declared.skills.push(Skill {
                name: name.as_str().to_owned(),
                attribute: link.and_then(|link| linked(&link, declared.list, ledger)),
                base: Some(Base::Table(table)),
                check: None,
                about: String::new(),
                by: DeclaredBy::Column,
                place: ledger.place(header.span()),
                span: header.span(),
            });
        }
    }
}

/// A table that has the shape of one of numbers, and whose first column names nothing.
fn report_unknown(table: &Table, keys: &Keys, ledger: &mut Ledger<'_>) {
    let Some(first) = table.header.first().filter(|first| !first.is_empty() && !has(table, "when")) else { return };
    let folded = fold(first.as_str());
    let of_dice = dice_mentions(first.as_str()).next().is_some();
    let firsts = || table.rows.iter().filter_map(|row| row.first());
    let columns = numeric(table, 0, false).len();
    let reported = || ledger.diagnostics.iter().filter(|found| found.code == codes::NUMBERS_UNKNOWN).count();
    if of_dice
        || reported() >= UNKNOWN_MAX
        || NO_NUMBERS.contains(&folded.as_str())
        || NAMELESS.contains(&folded.as_str())
        || columns == 0
        || !firsts().all(|cell| numbers(cell.as_str()).is_some())
    {
        return;
    }
    let known = misspellings(first.as_str(), keys.0.values().take(COMPARED_MAX).map(|key| key.name.as_str()));
    // Two columns of single numbers may be prices.
    let is_range = |cell: &Text| numbers(cell.as_str()).is_some_and(|(low, high)| low != high);
    let is_of_numbers = columns > 1 && columns + 1 == table.header.len() && firsts().any(is_range);
    let message = format!("nothing is called `{}`, so these numbers are not read", first.as_str());
    let warning = Diagnostic::warning(codes::NUMBERS_UNKNOWN, message).at(first.span(), "the table is read as prose");
    match known.first() {
        Some(meant) => {
            let fix =
                Fix { span: first.span(), replacement: (*meant).to_owned(), message: format!("call it `{meant}`") };
            ledger.report(warning.help(format!("did you mean `{meant}`?")).perhaps(fix));
        }
        None if is_of_numbers => ledger.report(
            warning
                .help("begin it with `Level`, or with an attribute, a skill or a track: `| Level | Death | Wands |`"),
        ),
        None => {}
    }
}

/// `3`, `4-6`, `7+`, and `4th` as some write levels.
fn numbers(words: &str) -> Option<(i64, i64)> {
    if !words.contains(char::is_alphabetic) {
        return range::score(words);
    }
    let lower = words.to_lowercase();
    let mut plain = String::new();
    let mut rest = lower.as_str();
    while let Some(letter) = rest.chars().next() {
        let ending = ["st", "nd", "rd", "th"].into_iter().find_map(|ending| rest.strip_prefix(ending));
        match ending.filter(|_| plain.ends_with(|letter: char| letter.is_ascii_digit())) {
            Some(after) => rest = after,
            None => {
                plain.push(letter);
                rest = rest.get(letter.len_utf8()..).unwrap_or_default();
            }
        }
    }
    range::score(&plain)
}

/// `14`, `+2`, `14+` as a number to be reached, `35%`, `1,200`.
fn number(cell: &Text) -> Option<i64> {
    let words = cell.as_str().trim().trim_end_matches(['+', '%']);
    let mut groups = words.split(',');
    let thousands = groups.next().is_some_and(|first| first.len() <= 4) && groups.all(|group| group.len() == 3);
    let plain = if thousands { words.replace(',', "") } else { words.to_owned() };
    let (number, rest) = range::number(&plain)?;
    rest.trim().is_empty().then_some(number)
}

#[cfg(test)]
mod tests {
    use super::numbers;

    #[test]
    fn levels_are_written_in_many_ways() {
        for (words, held) in
            [("3", (3, 3)), ("4-6", (4, 6)), ("4th\u{2013}6th", (4, 6)), ("1st", (1, 1)), ("7+", (7, i64::MAX))]
        {
            assert_eq!(numbers(words), Some(held), "{words}");
        }
        assert_eq!(["first", "6-4", ""].map(numbers), [None; 3]);
    }
}
