//! What a command is: its words, how what follows it is read, and what that asks for.

use serde_json::{Map, Value};

use crate::play::names::Names;
use rollbook_table::playtest::fields;

/// What a line asks for.
#[derive(Debug, Clone)]
pub enum Deed {
    Call {
        tool: String,
        arguments: Map<String, Value>,
    },
    /// What is done only if the person says yes to the question: another line, which does it.
    Asked {
        question: String,
        line: String,
    },
    /// The story of the last sitting, then where the table is.
    Story,
    Help(Option<&'static CommandEntry>),
    Quit,
}

/// A command: its words, and how what follows it is read.
#[derive(Debug)]
pub struct CommandEntry {
    /// Its name and other words for it, and what follows; what may be left out is in brackets.
    pub usage: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    pub example: &'static str,
    /// What its words are completed with.
    pub(super) completes: &'static [Candidates],
    pub(super) read: Read,
}

impl CommandEntry {
    pub fn words(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.usage.split(' ').next().unwrap_or_default().split('|')
    }

    pub fn name(&self) -> &'static str {
        self.words().next().unwrap_or_default()
    }

    pub fn takes(&self) -> &'static str {
        self.usage.split_once(' ').map_or("", |(_, takes)| takes)
    }
}

/// How what follows a command is read.
#[derive(Debug, Clone, Copy)]
pub(super) enum Read {
    /// As the fields of a call of this tool, after those that it always has.
    Fields(
        &'static str,
        fn(&mut Parts<'_>, &Names) -> Result<(), String>,
    ),
    Text(fn(&str, &Names) -> Result<Deed, String>),
}

/// What words can be, by the names at the table and what was typed of the command.
pub(super) type Candidates = fn(&Names, &str) -> Vec<String>;

pub(super) const PEOPLE: Candidates = |names, _| names.people.clone();
pub(super) const CHECKS: Candidates =
    |names, _| [&names.skills[..], &names.attributes, &names.checks].concat();
pub(super) const DIFFICULTIES: Candidates = |names, _| names.difficulties.clone();
pub(super) const CONDITIONS: Candidates = |names, _| names.conditions.clone();
pub(super) const RESTS: Candidates = |names, _| names.rests.clone();
/// The stat blocks of the adventure that are not for players.
pub(super) const FOES: Candidates = |names, _| names.foes.clone();

/// Words of the command itself, which come first.
pub(super) fn words(typed: &str, all: impl IntoIterator<Item = &'static str>) -> Vec<String> {
    all.into_iter()
        .filter(|_| !typed.contains(char::is_whitespace))
        .map(str::to_owned)
        .collect()
}

/// What follows a command: words, `key=value` fields, and after ` # ` what it is for.
pub(super) struct Parts<'l> {
    pub words: Vec<&'l str>,
    pub fields: Map<String, Value>,
    pub why: Option<&'l str>,
}

impl<'l> Parts<'l> {
    /// Errors: a quotation is not closed, or a field is given twice.
    pub fn read(text: &'l str) -> Result<Parts<'l>, String> {
        let (text, why) = match text
            .split_once(" # ")
            .or_else(|| Some(("", text.strip_prefix("# ")?)))
        {
            Some((text, why)) => (text, Some(why.trim()).filter(|why| !why.is_empty())),
            None => (text, None),
        };
        let (words, fields) = fields(text)?;
        Ok(Parts { words, fields, why })
    }

    /// The call of that tool with the fields.
    pub fn call(self, tool: &str) -> Deed {
        Deed::Call {
            tool: tool.to_owned(),
            arguments: self.fields,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.words.is_empty() && self.fields.is_empty()
    }

    pub fn has(&self, field: &str) -> bool {
        self.fields.contains_key(field)
    }

    pub fn text(&self) -> String {
        self.words.join(" ")
    }

    /// Takes the last word away, if `wanted` says so.
    pub fn pop<T>(&mut self, wanted: impl Fn(&str) -> Option<T>) -> Option<T> {
        let found = wanted(self.words.last()?)?;
        self.words.pop();
        Some(found)
    }

    /// Takes the last word away, if it is one of these.
    pub fn pop_word(&mut self, words: &[&str]) -> bool {
        self.pop(|word| words.contains(&word.to_lowercase().as_str()).then_some(()))
            .is_some()
    }

    /// Takes one of these words away, and the words after it, which it answers.
    pub fn take_after(&mut self, marks: &[&str]) -> Option<Vec<&'l str>> {
        let at = self
            .words
            .iter()
            .position(|word| marks.contains(&word.to_lowercase().as_str()))?;
        Some(self.words.split_off(at).into_iter().skip(1).collect())
    }

    /// Puts a field into the call, unless it was typed or there is none.
    pub fn put(&mut self, name: &str, value: impl Into<Value>) {
        let value = value.into();
        if !self.has(name) && !value.is_null() {
            self.fields.insert(name.to_owned(), value);
        }
    }

    /// Puts the words into that field, if there are any.
    pub fn put_text(&mut self, name: &str) {
        self.put(name, (!self.words.is_empty()).then(|| self.text()));
    }

    /// Takes a duration, which begins with `for` or `until`, from the words.
    pub fn take_duration(&mut self) {
        let begins = |word: &&str| ["for", "until"].contains(&word.to_lowercase().as_str());
        if let Some(at) = self.words.iter().position(begins) {
            let words = self.words.split_off(at).join(" ");
            self.put("duration", words);
        }
    }

    /// Puts what the call is for into the field that holds it.
    pub fn put_why(&mut self, field: &str) {
        self.put(field, self.why);
    }
}

/// Errors: that, where something is missing.
pub(super) fn needs(is_there: bool, why: &str) -> Result<(), String> {
    is_there.then_some(()).ok_or_else(|| why.to_owned())
}

/// A name, or several between commas.
pub(super) fn whom(text: &str) -> Option<Value> {
    let names: Vec<&str> = text
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .collect();
    match names.as_slice() {
        [] => None,
        [one] => Some((*one).into()),
        several => Some(several.into()),
    }
}

pub(super) fn number(word: &str) -> Option<i64> {
    word.replace(rollbook_dice::is_minus, "-").parse().ok()
}

/// A number that is added: +2, -1.
pub(super) fn signed(word: &str) -> Option<i64> {
    number(word).filter(|_| word.starts_with(|sign| sign == '+' || rollbook_dice::is_minus(sign)))
}

/// A number, or dice: what damage can be worth.
pub(super) fn amount(word: &str) -> Option<Value> {
    let has_digit = word.contains(|letter: char| letter.is_ascii_digit());
    match number(word) {
        Some(number) => Some(number.into()),
        None => (has_digit && rollbook_dice::parse(word).is_ok()).then(|| word.into()),
    }
}
