//! The parts of a line behind a command: words, `key=value` fields, and behind ` # ` what it is for.

use serde_json::{Map, Value};

use rollbook_table::playtest::fields;

/// What stands behind a command.
pub struct Parts<'l> {
    pub words: Vec<&'l str>,
    /// The fields of the call, as they were typed.
    pub fields: Map<String, Value>,
    pub why: Option<&'l str>,
}

impl<'l> Parts<'l> {
    /// Reads them.
    ///
    /// # Errors
    /// In a sentence: a quotation is not closed, or a field is given twice.
    pub fn of(text: &'l str) -> Result<Parts<'l>, String> {
        let (text, why) = match text.split_once(" # ").or_else(|| Some(("", text.strip_prefix("# ")?))) {
            Some((text, why)) => (text, Some(why.trim()).filter(|why| !why.is_empty())),
            None => (text, None),
        };
        let (words, fields) = fields(text)?;
        Ok(Parts { words, fields, why })
    }

    /// The words as one text.
    pub fn text(&self) -> String {
        self.words.join(" ")
    }

    /// Takes the last word away, if `wanted` says so.
    pub fn pop<T>(&mut self, wanted: impl Fn(&str) -> Option<T>) -> Option<T> {
        let found = wanted(self.words.last()?)?;
        self.words.pop();
        Some(found)
    }

    /// Takes the words behind one of these away, and it.
    pub fn behind(&mut self, marks: &[&str]) -> Option<Vec<&'l str>> {
        let at = self.words.iter().position(|word| marks.contains(&word.to_lowercase().as_str()))?;
        let behind = self.words.split_off(at);
        Some(behind.into_iter().skip(1).collect())
    }

    /// Puts a field into the call, unless it was typed.
    pub fn put(&mut self, name: &str, value: impl Into<Value>) {
        if !self.fields.contains_key(name) {
            self.fields.insert(name.to_owned(), value.into());
        }
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
        if let Some(why) = self.why {
            self.put(field, why);
        }
    }
}

/// A name, or several between commas.
pub fn whom(text: &str) -> Option<Value> {
    let mut names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
    let first = names.next()?;
    let rest: Vec<&str> = names.collect();
    match rest.as_slice() {
        [] => Some(first.into()),
        rest => Some(std::iter::once(first).chain(rest.iter().copied()).collect()),
    }
}

/// A whole number, with its sign or without.
pub fn number(word: &str) -> Option<i64> {
    word.replace(['−', '–'], "-").parse().ok()
}

/// A number that is added: +2, -1.
pub fn signed(word: &str) -> Option<i64> {
    number(word).filter(|_| word.starts_with(['+', '-', '−', '–']))
}

/// A number, or dice: what a blow can be worth.
pub fn amount(word: &str) -> Option<Value> {
    let has_digit = word.contains(|letter: char| letter.is_ascii_digit());
    match number(word) {
        Some(number) => Some(number.into()),
        None => (has_digit && rollbook_dice::parse(word).is_ok()).then(|| word.into()),
    }
}
