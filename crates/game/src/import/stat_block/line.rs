//! Reads the lines of a block: each labelled value is taken whole, whatever the layout; what else
//! is on the line is kept as words; a label whose value is not read to its end is asked about.
//!
//! ```text
//! line   = item { separator (item | words) }
//! item   = label [":" | "=" | "|"] value
//! number = [sign | "d"] digits ["%"] ["/" digits] {"(" … ")"} {sign digits}
//! ```

use super::labels::{Label, Labels};
use super::text::{
    Number, SEPARATORS, begins_number, explicit_label, is_arithmetic, item_text, note_text,
    number_at, number_beside, pairs, plain, skip, value_start, value_text, without_emphasis,
};
use super::values::{asking, part_of, question, set_list, set_number, unknown_label};
use crate::import::damage_types::{self, Types};
use crate::import::question::{Outcome, Question};
use crate::import::{attack, foe::Foe};
use crate::{limits::LIMITS, record::state::Uses};
use rollbook_text::names::same;

/// Bytes of a line that may hold several values; the label of a longer one is asked about.
const LINE_MAX: usize = 2000;

/// Reads the lines into the foe; each comes back with what became of it.
pub fn read_lines<'t>(
    foe: &mut Foe,
    labels: &Labels,
    lines: &[&'t str],
) -> Vec<(&'t str, Outcome)> {
    let mut all: Vec<(&str, Outcome)> = Vec::new();
    let mut in_attacks = false;
    while let Some((line, below)) = lines.get(all.len()..).and_then(<[_]>::split_first) {
        let (more, outcome) = match line.strip_prefix('|') {
            Some(row) => read_row(foe, labels, &mut in_attacks, row, below),
            None => match spread(labels, line, below) {
                Some((more, text)) => (more, read_text(foe, labels, line, &text, true)),
                None => (0, read_line(foe, labels, line)),
            },
        };
        in_attacks &= line.starts_with('|');
        let taken = std::iter::once(line).chain(below.iter().take(more));
        all.extend(taken.map(|line| (*line, outcome.clone())));
    }
    all
}

/// The name and the values of a line with nothing else: `Goblin: AC 13, HP 7`, `HP 7 · AC 13`.
pub fn name_before<'t>(labels: &Labels, line: &'t str) -> Option<(&'t str, &'t str)> {
    let bare = line.trim_start_matches(['-', '*', '+', ' ']);
    if let Some((Label::Name, _, value)) = labels.at(bare)
        && let Some(name) = value.trim_start_matches('*').strip_prefix(':')
    {
        return Some((name.trim(), ""));
    }
    let is_vital = |label: Label| {
        matches!(
            label,
            Label::Health | Label::HealthMax | Label::HealthNow | Label::Armour
        )
    };
    let begin_values = |text: &str| {
        let begins = |found: &(Label, &str, &str)| {
            let is_number = is_vital(found.0) || found.0 == Label::Attribute;
            is_number && begins_value(labels, *found)
        };
        let any = || {
            let (items, _) = items(labels, text, false);
            items.iter().any(|item| is_vital(item.label))
        };
        labels.at(text).filter(begins).is_some() && any()
    };
    let gaps = line
        .char_indices()
        .take(LIMITS.name * 2)
        .filter(|(_, letter)| !letter.is_alphanumeric());
    let mut unread: Option<usize> = None;
    std::iter::once(0)
        .chain(gaps.map(|(at, _)| at))
        .find_map(|at| {
            // `HP about 7, AC 12`: nothing of it is a name.
            let before = unread.and_then(|start| line.get(start..at));
            if before.is_some_and(|text| text.contains(|letter: char| letter.is_ascii_digit())) {
                return None;
            }
            let (name, rest) = line.split_at_checked(at)?;
            let rest = rest.trim_start_matches(|letter: char| !letter.is_alphanumeric());
            let rest = if name.len() < line.len() && line.get(at..)?.trim_start().starts_with('(') {
                rest.strip_suffix(')')?
            } else {
                rest
            };
            let text = plain(rest);
            if labels.at(&text).is_some_and(|(label, ..)| is_vital(label)) {
                unread.get_or_insert(at);
            }
            let name =
                name.trim_end_matches(|letter: char| !letter.is_alphanumeric() && letter != ')');
            begin_values(&text).then_some((name, rest))
        })
}

/// A labelled value.
struct Item {
    label: Label,
    name: String,
    value: Value,
    colon: bool,
}

enum Value {
    Number(Number),
    Pairs(Vec<(String, Number)>),
    Types(Vec<Types>),
    Words(String),
    Unread(String),
}

impl Item {
    fn unread((label, name, value): (Label, &str, &str)) -> Item {
        Item {
            label,
            name: name.to_owned(),
            value: Value::Unread(value_text(value)),
            colon: false,
        }
    }

    fn is_unread(&self) -> bool {
        matches!(self.value, Value::Unread(_))
    }
}

fn read_line(foe: &mut Foe, labels: &Labels, line: &str) -> Outcome {
    let item = item_text(line);
    let explicit = explicit_label(item);
    let text = plain(item);
    let known = labels.at(&text);
    let (label, value) = explicit.clone().unwrap_or((String::new(), item));
    let marked = known.filter(|(_, name, _)| !label.is_empty() && same(&label, name));
    if let Some((Label::Name, _, value)) = marked {
        let name = value_text(value);
        if !name.is_empty() && name.len() <= LIMITS.name {
            foe.name = name;
            return Outcome::Read;
        }
    }
    let valued = known.filter(|found| begins_value(labels, *found));
    let known = marked.or(valued);
    let may_be_attack = known
        .is_none_or(|(label, ..)| matches!(label, Label::Attacks | Label::Skill | Label::Words));
    let has_digit = text.contains(|letter: char| letter.is_ascii_digit());
    if may_be_attack && has_digit && attack::read_line(foe, labels.system, &label, value) {
        return Outcome::Read;
    }
    if known.is_some() {
        return read_text(foe, labels, line, &text, false);
    }
    let (name, often) = attack::in_brackets(&label);
    let last = value
        .rsplit(", ")
        .next()
        .filter(|last| Uses::parse(last).is_some());
    for often in often.as_deref().into_iter().chain(last) {
        foe.read_uses(&name, often);
    }
    let words = note_text(&label, value);
    let Some(question) = unknown_label(labels, line, &label, value).filter(|_| has_digit) else {
        let is_column = |word: &str| labels.get(word) == Some(Label::Column);
        if text.split_whitespace().all(is_column) {
            return Outcome::Read;
        }
        return foe.note(words);
    };
    foe.ask(question, words)
}

/// A line whose labels and values are those of the text; `lenient`: it may begin with words.
fn read_text(foe: &mut Foe, labels: &Labels, line: &str, text: &str, lenient: bool) -> Outcome {
    let found = items(labels, text, lenient);
    apply(foe, labels, (line, text), found)
}

/// The values of a text, read or not, and the words between them.
fn items(labels: &Labels, text: &str, lenient: bool) -> (Vec<Item>, Vec<String>) {
    let (mut all, mut words): (Vec<Item>, Vec<String>) = (Vec::new(), Vec::new());
    let mut rest = skip(text);
    if let Some(found) = labels.at(rest).filter(|_| rest.len() > LINE_MAX) {
        return (vec![Item::unread(found)], words);
    }
    while !rest.is_empty() {
        let found = labels.at(rest);
        if let Some((item, after)) = found.and_then(|found| read_item(labels, found)) {
            all.push(item);
            rest = skip(after);
            continue;
        }
        let is_value = |found: (Label, &str, &str)| {
            found.2.trim_start().starts_with(':') || begins_value(labels, found)
        };
        // One pair of another game, or words to the next value.
        let pair = rest.split_once(' ').filter(|_| is_pair(rest));
        let pair = pair.and_then(|(_, number)| number_at(number));
        let mut end = pair.map_or_else(
            || next_value(labels, rest),
            |(_, after)| rest.len() - after.len(),
        );
        // `STR 10 DEX about 12`
        let is_number = |label, end| {
            let digit = |letter: char| letter.is_ascii_digit();
            matches!(
                label,
                Label::Health | Label::Armour | Label::Attribute | Label::Track
            ) && rest.get(..end).is_some_and(|piece| piece.contains(digit))
        };
        match (found, all.last()) {
            (Some(found), _)
                if (all.is_empty() && !lenient) || is_value(found) || is_number(found.0, end) =>
            {
                end = rest.len() - found.2.len() + next_value(labels, found.2);
                let value = rest.get(rest.len() - found.2.len()..end);
                all.push(Item::unread((found.0, found.1, value.unwrap_or_default())));
            }
            // `AC 12, 15 with mage armour`
            (_, Some(last)) if begins_number(rest) => {
                end = next_value(labels, rest);
                let item = Item::unread((last.label, &last.name, text));
                all.push(item);
            }
            _ => {
                let piece = rest.get(..end).unwrap_or_default();
                let is_end = |letter| SEPARATORS.contains(&letter) || letter == ' ';
                words.push(piece.trim_end_matches(is_end).to_owned());
            }
        }
        rest = skip(rest.get(end..).unwrap_or_default());
    }
    (all, words)
}

/// A label with its value, and what is after it.
fn read_item<'t>(
    labels: &Labels,
    (label, name, rest): (Label, &str, &'t str),
) -> Option<(Item, &'t str)> {
    let (value, after) = read_value(labels, label, value_start(rest))?;
    let gap = after.trim_start_matches(' ');
    let ends = gap.is_empty()
        || gap.starts_with(SEPARATORS)
        || gap == "."
        || after.starts_with("  ")
        || (after != gap && (gap.starts_with("and ") || labels.at(gap).is_some()))
        // A score of another game: `STR 13 LCK 10`
        || (label == Label::Attribute && is_pair(gap));
    let item = Item {
        label,
        name: name.to_owned(),
        value,
        colon: rest.trim_start().starts_with(':'),
    };
    ends.then_some((item, after))
}

fn is_pair(text: &str) -> bool {
    let pair = text.split_once(' ');
    pair.is_some_and(|(word, rest)| {
        word.chars().all(char::is_alphabetic) && number_at(rest).is_some()
    })
}

/// `22 (currently 15)`: words in brackets that say another number.
fn has_another(number: &Number) -> bool {
    let inner = number.inner.as_deref().unwrap_or_default();
    !is_arithmetic(inner) && inner.contains(|letter: char| letter.is_ascii_digit())
}

fn read_value<'t>(labels: &Labels, label: Label, text: &'t str) -> Option<(Value, &'t str)> {
    let number = |fits: fn(&Number) -> bool| {
        let (number, after) = number_at(text).filter(|(number, _)| fits(number))?;
        Some((Value::Number(number), after))
    };
    let list = |with: fn(Vec<(String, Number)>) -> Value| Some((with(pairs(text)?), ""));
    match label {
        Label::Health | Label::HealthMax | Label::HealthNow => {
            let (value, after) = number(|number| {
                number.others.is_empty()
                    && !number.signed
                    && !has_another(number)
                    && (number.of.is_some() || number.value > 0)
            })?;
            let unit = ["hit points", "hp"]
                .into_iter()
                .find_map(|unit| after.trim_start().strip_prefix(unit));
            Some((value, unit.unwrap_or(after)))
        }
        // `6 [13]`, `6 (13)`: downwards and upwards.
        Label::Armour => number(|number| {
            number.others.is_empty()
                && number.of.is_none()
                && number
                    .inner
                    .as_deref()
                    .is_none_or(|inner| inner.parse::<i64>().is_err())
        }),
        Label::Attribute => number(|number| number.of.is_none()),
        Label::Track => number(|number| number.others.is_empty() && !has_another(number)),
        Label::Skill | Label::Worth => number(|number| number.others.is_empty()),
        // `Wizard 3`
        Label::Level => {
            let (name, rest) =
                text.split_at_checked(text.find(|letter: char| letter.is_ascii_digit())?)?;
            let is_name = name
                .chars()
                .all(|letter| letter.is_alphabetic() || letter == ' ');
            let (mut number, after) = number_at(rest)
                .filter(|(number, _)| is_name && number.of.is_none() && number.others.is_empty())?;
            let name = name.trim();
            number.inner = number.inner.or((!name.is_empty()).then(|| name.to_owned()));
            Some((Value::Number(number), after))
        }
        Label::Scores | Label::Skills => list(Value::Pairs),
        Label::Defence(_) => {
            let (types, after) = text.split_at_checked(next_value(labels, text))?;
            Some((
                Value::Types(damage_types::read(labels.system, types)?),
                after,
            ))
        }
        Label::Attacks
        | Label::Name
        | Label::Challenge
        | Label::HitDice
        | Label::Column
        | Label::Words => {
            let (words, after) = text.split_at_checked(next_value(labels, text))?;
            Some((Value::Words(words.trim().to_owned()), after))
        }
    }
}

/// Where the words at the beginning of a text end: at a separator before a label with its value.
fn next_value(labels: &Labels, text: &str) -> usize {
    let is_gap = |at: usize, letter: char| {
        SEPARATORS.contains(&letter) || text.get(at..).is_some_and(|rest| rest.starts_with("  "))
    };
    let begins = |at: usize| {
        let found = labels.at(skip(text.get(at..)?))?;
        let is_number = !matches!(found.0, Label::Column | Label::Name | Label::Attacks);
        let is_read = || begins_value(labels, found) && read_item(labels, found).is_some();
        Some(is_number && (is_list_of_types(found.0, found.1) || is_read()))
    };
    let mut gaps = text
        .char_indices()
        .filter(|(at, letter)| is_gap(*at, *letter));
    gaps.find(|(at, _)| begins(*at) == Some(true))
        .map_or(text.len(), |(at, _)| at)
}

/// Whether what is after a label looks like its value and not like a sentence that goes on.
fn begins_value(labels: &Labels, (label, name, rest): (Label, &str, &str)) -> bool {
    let value = value_start(rest);
    match label {
        _ if is_list_of_types(label, name) => true,
        Label::Scores | Label::Skills => pairs(value).is_some(),
        Label::Defence(_) => damage_types::read(labels.system, value).is_some(),
        Label::Level => read_value(labels, label, value).is_some(),
        Label::Name | Label::Attacks => false,
        _ => begins_number(value),
    }
}

/// `Damage Resistances`, `Immunities`: they begin no sentence.
fn is_list_of_types(label: Label, name: &str) -> bool {
    matches!(label, Label::Defence(_)) && (name.contains(' ') || name.ends_with("es"))
}

/// Sets what is read; a line with a value that is not is kept whole.
fn apply(
    foe: &mut Foe,
    labels: &Labels,
    (line, text): (&str, &str),
    (items, words): (Vec<Item>, Vec<String>),
) -> Outcome {
    let is_whole = items.iter().any(Item::is_unread);
    let text = value_text(&text.replace('\t', " "));
    let (mut noted, mut asked) = (is_whole, None);
    for item in items {
        let Item {
            label,
            name,
            value,
            colon,
        } = item;
        let found = match value {
            Value::Number(number) => set_number(foe, labels, (label, &name), number),
            Value::Pairs(pairs) => set_list(foe, labels, (label, colon), pairs),
            Value::Types(types) => {
                if let Label::Defence(defence) = label {
                    foe.defences
                        .extend(types.into_iter().map(|types| (defence, types)));
                }
                None
            }
            Value::Words(words) => {
                let is_attack = label == Label::Attacks;
                if is_attack && attack::read_line(foe, labels.system, &name, &words) {
                    continue;
                }
                if label == Label::Challenge {
                    foe.worth = foe.worth.or_else(|| number_beside(&words, "xp"));
                }
                if label == Label::HitDice {
                    foe.hp = foe.hp.or_else(|| number_beside(&words, "hp"));
                }
                foe.words
                    .extend((!is_whole).then(|| note_text(&name, &words)));
                noted = true;
                question(labels, line, (label, &name, &words)).filter(|_| is_attack)
            }
            Value::Unread(value) => question(labels, line, (label, &name, &value)),
        };
        if let Some(question) = found {
            let line = value_text(item_text(line));
            let words = if is_whole { &text } else { &line }.clone();
            asked = Some(foe.ask(Question { line, ..question }, words));
        }
    }
    for words in words {
        if !(attack::has_dice(&words) && attack::read_line(foe, labels.system, "", &words)) {
            foe.words.extend((!is_whole).then(|| value_text(&words)));
            noted = true;
        }
    }
    if is_whole && asked.is_none() {
        return foe.note(text);
    }
    asked.unwrap_or(if noted { Outcome::Note } else { Outcome::Read })
}

/// Names on one line whose numbers are on those below: how many lines these are, and all of it as
/// labels with values.
fn spread(labels: &Labels, line: &str, below: &[&str]) -> Option<(usize, String)> {
    let text = plain(item_text(line));
    let (mut names, mut known) = (Vec::new(), 0);
    let mut rest = skip(&text);
    while !rest.is_empty() && names.len() < LIMITS.map {
        let word = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (name, after) = match labels.at(rest) {
            Some((label, name, after)) => {
                known += usize::from(part_of(label, name).is_some());
                (name, after)
            }
            None => rest.split_at_checked(word)?,
        };
        names.push(name);
        rest = skip(after);
    }
    let is_spread = known > 0
        && (known == names.len() || known > 1)
        && !text.contains(|letter: char| letter.is_ascii_digit() || letter == ':');
    if !is_spread {
        return None;
    }
    let whole = |line: &&str| number_at(line).is_some_and(|(_, after)| skip(after).is_empty());
    if let [name] = names[..] {
        let numbers: Vec<&str> = below.iter().copied().take(3).take_while(whole).collect();
        return (!numbers.is_empty())
            .then(|| (numbers.len(), format!("{name} {}", numbers.join(" "))));
    }
    let mut rest = skip(below.first()?);
    let mut numbers = Vec::new();
    while !rest.is_empty() {
        let (_, after) = number_at(rest)?;
        numbers.push(rest.strip_suffix(after)?);
        rest = skip(after);
    }
    if numbers.len() != names.len() {
        // Nobody knows whose they are.
        return Some((1, format!("{}: {text} {}", names.first()?, below.first()?)));
    }
    let pairs = names
        .iter()
        .zip(numbers)
        .map(|(name, number)| format!("{name} {number}"));
    Some((1, pairs.collect::<Vec<_>>().join(", ")))
}

/// Reads a row, without its first `|`; a head of labels together with the row of values below it.
fn read_row(
    foe: &mut Foe,
    labels: &Labels,
    in_attacks: &mut bool,
    row: &str,
    below: &[&str],
) -> (usize, Outcome) {
    let cells = cells_of(row);
    let is_line = |cells: &[String]| {
        cells
            .iter()
            .all(|cell| cell.chars().all(|c| matches!(c, '-' | ':' | ' ')))
    };
    let kind = |cell: &String| labels.get(cell);
    let is_column = |cell: &String| cell.is_empty() || kind(cell) == Some(Label::Column);
    if is_line(&cells) || cells.iter().all(is_column) {
        return (0, Outcome::Read);
    }
    let has_digit = |cell: &String| cell.contains(|letter: char| letter.is_ascii_digit());
    let mut rows = below
        .iter()
        .zip(1..)
        .take(2)
        .map_while(|(row, at)| Some((cells_of(row.strip_prefix('|')?), at)));
    let values = rows.find(|(cells, _)| !is_line(cells));
    let valued = |cell: &String| {
        kind(cell).is_some_and(|label| {
            !matches!(label, Label::Attacks | Label::Worth) && part_of(label, cell).is_some()
        })
    };
    if let Some((values, more)) = values.filter(|(values, _)| values.len() == cells.len())
        && cells
            .iter()
            .zip(&values)
            .any(|(head, value)| valued(head) && has_digit(value))
        && !cells.iter().any(has_digit)
        && !values.iter().any(valued)
    {
        let is_list = below.get(more).is_some_and(|row| row.starts_with('|'));
        if is_list && cells.iter().any(|cell| kind(cell) == Some(Label::Name)) {
            return (
                0,
                foe.ask_for_less(row, "it is a table of several creatures"),
            );
        }
        let pairs = cells
            .iter()
            .zip(&values)
            .filter(|(head, _)| !is_column(head));
        let text: Vec<String> = pairs
            .map(|(head, value)| format!("{head} | {value}"))
            .collect();
        return (
            more,
            read_text(foe, labels, &values.join(" | "), &text.join(" | "), true),
        );
    }
    let text = cells.join(" | ");
    let is_head = cells.len() > 1 && !cells.iter().any(has_digit);
    if is_head && cells.first().and_then(kind) == Some(Label::Attacks) {
        *in_attacks = true;
        return (0, foe.note(text));
    }
    let label = cells.first().and_then(kind);
    let is_value = || {
        let begins = |found| begins_value(labels, found);
        label.is_some_and(|label| label != Label::Skill) || labels.at(&text).is_some_and(begins)
    };
    if attack::has_dice(&text) {
        if *in_attacks && attack::read_line(foe, labels.system, "attack", &cells.join(", ")) {
            return (0, Outcome::Read);
        }
    } else if is_value() {
        return (0, read_text(foe, labels, &text, &text, false));
    }
    if *in_attacks && has_digit(&text) {
        let name = cells.first().map_or("", String::as_str);
        let question = asking(
            Label::Attacks,
            name,
            0,
            "this row of attacks cannot be read".to_owned(),
        );
        return (
            0,
            foe.ask(
                Question {
                    line: text.clone(),
                    ..question
                },
                text,
            ),
        );
    }
    (0, foe.note(text))
}

fn cells_of(row: &str) -> Vec<String> {
    row.trim_end_matches('|')
        .split('|')
        .map(without_emphasis)
        .collect()
}
