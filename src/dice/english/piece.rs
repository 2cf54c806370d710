//! The words, numbers and bits of notation of an English request.

use crate::dice::english::lexicon;

use crate::dice::english::lexicon::{NOTATION, TARGETS};
use crate::dice::error::{Code, DiceError, Rewrite};
use crate::dice::text::Span;

/// One word, number or bit of notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Letters, in lower case.
    Word(String),
    Number(i64),
    /// `1s`, `ones`.
    Plural(i64),
    /// `8+`.
    OrHigher(i64),
    /// Anything else, to be read as notation.
    Notation(String),
}

/// A text in pieces.
pub(super) struct Pieces<'a> {
    pub(super) list: Vec<Piece>,
    /// From the `#` on.
    pub(super) comment: &'a str,
}

impl Piece {
    pub(super) fn word(&self) -> Option<&str> {
        match &self.kind {
            Kind::Word(word) => Some(word),
            _ => None,
        }
    }

    pub(super) fn span(&self) -> Span {
        Span::new(self.start, self.end)
    }

    /// Its words.
    pub(super) fn words(&self) -> String {
        match &self.kind {
            Kind::Word(text) | Kind::Notation(text) => text.clone(),
            Kind::Number(number) => number.to_string(),
            Kind::Plural(number) => format!("{number}s"),
            Kind::OrHigher(number) => format!("{number}+"),
        }
    }

    /// Whether notation does not have it.
    fn is_english(&self) -> bool {
        match &self.kind {
            Kind::Word(word) => word == "a" || (word.len() > 1 && !NOTATION.contains(&word.as_str())),
            Kind::OrHigher(_) => true,
            _ => false,
        }
    }
}

impl<'a> Pieces<'a> {
    pub(super) fn of(text: &'a str) -> Result<Self, DiceError> {
        let (sentence, comment) = text.split_at(text.find('#').unwrap_or(text.len()));
        let sentence = without_end(sentence)?;
        let mut pieces = Pieces { list: Vec::new(), comment };
        let mut start = 0;
        let mut brackets = 0_usize;
        for chunk in sentence.split_inclusive(char::is_whitespace) {
            let bare = chunk.trim();
            let at = start + chunk.len() - chunk.trim_start().len();
            start += chunk.len();
            if bare.is_empty() {
                continue;
            }
            let inside = brackets > 0;
            brackets += bare.matches('[').count();
            brackets = brackets.saturating_sub(bare.matches(']').count());
            if inside || brackets > 0 {
                pieces.push(Kind::Notation(bare.to_owned()), at, bare.len());
            } else {
                pieces.chunk(bare, at);
            }
        }
        Ok(pieces)
    }

    /// Whether they are a sentence: a word that is not notation, or an advantage word before all.
    pub(super) fn are_english(&self) -> bool {
        let first = self.list.first().and_then(Piece::word);
        let advantage = first.is_some_and(|word| word.starts_with("adv") || word.starts_with("dis"));
        advantage || self.list.iter().any(Piece::is_english)
    }

    fn push(&mut self, kind: Kind, start: usize, length: usize) {
        self.list.push(Piece { kind, start, end: start + length });
    }

    /// One stretch without spaces.
    fn chunk(&mut self, chunk: &str, at: usize) {
        let open = ['(', '{'].iter().any(|bracket| chunk.contains(*bracket));
        let bare = if open { chunk } else { chunk.trim_end_matches(',') };
        let bare = if bare.is_empty() { chunk } else { bare };
        let lower = bare.to_lowercase();
        // `DC: 15` is `DC 15`.
        if let Some(name) = lower.strip_suffix(':').filter(|name| TARGETS.contains(name)) {
            self.push(Kind::Word(name.to_owned()), at, name.len());
            return;
        }
        // `DC15` is two words.
        if let Some(name) = lower.get(..2).filter(|name| TARGETS.contains(name))
            && lower.len() > 2
            && lower.bytes().skip(2).all(|byte| byte.is_ascii_digit())
        {
            self.push(Kind::Word(name.to_owned()), at, 2);
            self.simple(lower.get(2..).unwrap_or(""), at + 2, lower.len() - 2);
            return;
        }
        if let Some((first, second)) = lower.split_once('-')
            && second == "sided"
        {
            self.simple(first, at, first.len());
            self.push(Kind::Word("sided".to_owned()), at + first.len() + 1, second.len());
            return;
        }
        // `twenty-five`.
        if let Some((first, second)) = lower.split_once('-')
            && lexicon::begins_number(first)
            && lexicon::number(second).is_some()
        {
            self.simple(first, at, first.len());
            self.simple(second, at + first.len() + 1, second.len());
            return;
        }
        self.simple(&lower, at, bare.len());
    }

    fn simple(&mut self, text: &str, at: usize, length: usize) {
        let digits = text.trim_start_matches(|char: char| char.is_ascii_digit());
        let number = text.strip_suffix(digits).and_then(|digits| digits.parse::<i64>().ok());
        let kind = match (number, digits) {
            (Some(number), "") => Kind::Number(number),
            (Some(number), "s") => Kind::Plural(number),
            (Some(number), "+") => Kind::OrHigher(number),
            _ if text.chars().all(char::is_alphabetic) => match lexicon::plural(text) {
                Some(number) => Kind::Plural(number),
                None => Kind::Word(text.to_owned()),
            },
            _ => Kind::Notation(singular(text).to_owned()),
        };
        self.push(kind, at, length);
    }
}

/// `d8` for `d8s`, which in a sentence is a plural and not a sorted die.
fn singular(text: &str) -> &str {
    let Some(singular) = text.strip_suffix('s') else {
        return text;
    };
    let sides = singular.trim_start_matches(|char: char| char.is_ascii_digit()).strip_prefix('d');
    match sides {
        Some(sides) if !sides.is_empty() && sides.bytes().all(|byte| byte.is_ascii_digit()) => singular,
        _ => text,
    }
}

/// The sentence without its full stop, question or exclamation marks.
fn without_end(sentence: &str) -> Result<&str, DiceError> {
    let bare = sentence.trim_end_matches(|char: char| char.is_whitespace() || matches!(char, '.' | '?' | '!'));
    let marks = sentence.get(bare.len()..).unwrap_or("");
    let last = bare.rsplit(char::is_whitespace).next().unwrap_or("");
    let lower = last.to_ascii_lowercase();
    let before = bare.strip_suffix(last).unwrap_or("").to_lowercase();
    let alone = before.split_whitespace().all(|word| lexicon::FILLERS.contains(&word));
    // `3d6!!!` is no sentence, but too much of a modifier.
    if before.is_empty() && marks.len() > 1 && marks.bytes().all(|mark| mark == b'!') {
        return Ok(bare);
    }
    // `roll 5d6!` and `roll d8!` may be meant to explode; `roll a d20!` hardly.
    let counted = lower.starts_with(|char: char| char.is_ascii_digit()) && lower.contains('d');
    let single = lower.strip_prefix('d').is_some_and(|sides| is_number(sides) && !matches!(sides, "20" | "100"));
    if marks.contains('!') && (counted || single) {
        let sign = if marks.starts_with("!!") { "!!" } else { "!" };
        let error = DiceError::new(
            Code::Ambiguous,
            Span::new(bare.len(), sentence.len()),
            "The `!` could mean exploding dice, or just end the sentence.",
            "For exploding dice write `5d6!` by itself; else leave the `!` out.",
            "5d6!",
        );
        // What was said before would be lost.
        let exploding = Rewrite::new("for exploding dice").replace(0..sentence.len(), format!("{lower}{sign}"));
        let error = if alone { error.offering(exploding) } else { error };
        return Err(error.offering(Rewrite::new("without exploding").delete(bare.len()..sentence.len())));
    }
    Ok(bare)
}

pub(super) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `d6`, `3d6`, `dF`, `d%`.
pub(super) fn is_die(text: &str) -> bool {
    let sides = text.trim_start_matches(|char: char| char.is_ascii_digit()).strip_prefix(['d', 'D']);
    sides.is_some_and(|sides| is_number(sides) || matches!(sides, "%" | "F" | "f"))
}

/// One percentile die.
pub(super) fn is_percentile(text: &str) -> bool {
    matches!(text, "d100" | "1d100" | "d%" | "1d%")
}
