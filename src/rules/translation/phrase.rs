//! Phrases of a language with ours, and which of them some words are.
//!
//! ```text
//! phrase = part { " " part }      part = word | "*" | [ letters ] "#" [ letters ]
//! ```
//!
//! `*` is one word or more, and `#` a number, signs, ranges and `+` included, or code that comes to one. Both sides have the same of them in the same order.

use std::collections::HashMap;
use std::ops::Range;

use crate::names::fold;

/// Words that a phrase is looked for in; more is prose.
const TOKENS_MAX: usize = 40;
/// Phrases within phrases.
const DEPTH_MAX: usize = 6;

/// A stretch of the words, and what stands there in ours.
pub type Edit = (Range<usize>, String);

/// Phrases, to be looked up by how they begin.
#[derive(Debug, Default)]
pub struct Phrases {
    all: Vec<Phrase>,
    by_word: HashMap<String, Vec<usize>>,
    /// Those that begin with words or a number that may be any.
    open: Vec<usize>,
}

#[derive(Debug)]
struct Phrase {
    parts: Vec<Part>,
    /// What stands in ours before, between and behind what is taken over.
    ours: Vec<String>,
    words: usize,
}

#[derive(Debug, PartialEq, Eq)]
enum Part {
    Word(String),
    Number { before: String, behind: String },
    Any,
}

/// A word of some words, with where it stands.
#[derive(Debug, Clone)]
pub struct Token {
    pub at: Range<usize>,
    folded: String,
    /// Code, and a name in braces, is nobody's language.
    code: bool,
}

/// What of the words is taken over by a phrase.
struct Slot {
    at: Range<usize>,
    /// The tokens, where they may be a phrase themselves.
    tokens: Option<Range<usize>>,
}

impl Phrases {
    /// Adds a phrase with ours.
    ///
    /// # Errors
    /// What is wrong with the two.
    pub fn add(&mut self, theirs: &str, ours: &str) -> Result<(), String> {
        let parts: Vec<Part> = theirs.split_whitespace().map(Part::of).collect();
        let kinds = |words: &str| words.chars().filter(|letter| "*#".contains(*letter)).collect::<String>();
        if parts.is_empty() || kinds(theirs) != kinds(ours) {
            return Err(format!("{theirs} = {ours}: both sides have the same * and # in the same order"));
        }
        let words = parts.iter().filter(|part| matches!(part, Part::Word(_))).count();
        let ours = ours.split(['*', '#']).map(str::to_owned).collect();
        let index = self.all.len();
        match parts.first() {
            Some(Part::Word(word)) => self.by_word.entry(word.clone()).or_default().push(index),
            _ => self.open.push(index),
        }
        self.all.push(Phrase { parts, ours, words });
        Ok(())
    }

    /// Ours for words that are a phrase as a whole: what to change in them; none where they are none.
    pub fn find(&self, tokens: &[Token]) -> Option<Vec<Edit>> {
        self.within(tokens, 0, self)
    }

    /// The same where other phrases stand in the gaps; a single word there is a name of the author's.
    pub fn find_label(&self, tokens: &[Token], inner: &Self) -> Option<Vec<Edit>> {
        self.within(tokens, 0, inner)
    }

    fn within(&self, tokens: &[Token], depth: usize, inner: &Self) -> Option<Vec<Edit>> {
        let first = tokens.first()?;
        if tokens.len() > TOKENS_MAX || depth > DEPTH_MAX {
            return None;
        }
        let by_word = self.by_word.get(&first.folded).into_iter().flatten().filter(|_| !first.code);
        let mut fitting: Vec<&Phrase> = by_word.chain(&self.open).filter_map(|index| self.all.get(*index)).collect();
        // The most telling first: "höherer Wurf" before "höherer" and anything.
        fitting.sort_by_key(|phrase| std::cmp::Reverse(phrase.words));
        fitting.into_iter().find_map(|phrase| self.as_phrase(phrase, tokens, depth, inner))
    }

    /// Each part of a list by itself.
    fn each<'t>(&self, parts: impl Iterator<Item = &'t [Token]>, depth: usize) -> Vec<Edit> {
        let bare = |part: &[Token]| {
            let mut part = part.to_vec();
            if let Some(last) = part.last_mut().filter(|last| last.ends_part()) {
                last.folded.pop();
                last.at.end -= 1;
            }
            part
        };
        parts.map(bare).filter_map(|part| self.within(&part, depth + 1, self)).flatten().collect()
    }

    fn as_phrase(&self, phrase: &Phrase, tokens: &[Token], depth: usize, inner: &Self) -> Option<Vec<Edit>> {
        let words_min = if std::ptr::eq(self, inner) { 1 } else { 2 };
        let mut slots = Vec::new();
        if !fits(&phrase.parts, tokens, 0, &mut slots) {
            return None;
        }
        let (start, end) = (tokens.first()?.at.start, tokens.last()?.at.end);
        let mut edits = Vec::new();
        let (mut at, mut inner_edits) = (start, 0);
        for (slot, ours) in slots.iter().zip(&phrase.ours) {
            edits.push((at..slot.at.start, ours.clone()));
            let words = slot.tokens.clone().filter(|own| own.len() >= words_min).and_then(|own| tokens.get(own));
            let whole = words.and_then(|words| inner.within(words, depth + 1, inner));
            // A list is looked at part by part; without a comma that would only be the same again.
            let list = words.filter(|words| whole.is_none() && words.iter().any(Token::ends_part));
            let found = whole.or_else(|| list.map(|words| inner.each(words.split_inclusive(Token::ends_part), depth)));
            if let Some(own) = found.filter(|own| !own.is_empty()) {
                inner_edits += 1;
                edits.extend(own);
            }
            at = slot.at.end;
        }
        edits.push((at..end, phrase.ours.last().cloned().unwrap_or_default()));
        edits.retain(|(range, ours)| !(range.is_empty() && ours.is_empty()));
        // "this and that" is a rule only where this or that is one.
        let is_joint = matches!(phrase.parts.as_slice(), [Part::Any, Part::Word(_), Part::Any]) && phrase.words == 1;
        (!is_joint || depth > 0 || inner_edits > 0).then_some(edits)
    }
}

impl Token {
    /// Whether a part of a list ends with it.
    fn ends_part(&self) -> bool {
        !self.code && self.folded.len() > 1 && self.folded.ends_with(',')
    }
}

impl Part {
    fn of(word: &str) -> Self {
        match word.split_once('#') {
            Some((before, behind)) => Self::Number { before: folded(before), behind: folded(behind) },
            None if word == "*" => Self::Any,
            None => Self::Word(folded(word)),
        }
    }
}

/// Whether the parts are these tokens, from this one on; what is taken over, in order.
fn fits(parts: &[Part], tokens: &[Token], from: usize, slots: &mut Vec<Slot>) -> bool {
    let Some((part, rest)) = parts.split_first() else { return from == tokens.len() };
    let Some(token) = tokens.get(from) else { return false };
    match part {
        Part::Word(word) => !token.code && token.folded == *word && fits(rest, tokens, from + 1, slots),
        Part::Number { before, behind } => {
            let Some(at) = number_in(token, before, behind) else { return false };
            slots.push(Slot { at, tokens: None });
            let fitted = fits(rest, tokens, from + 1, slots);
            if !fitted {
                slots.pop();
            }
            fitted
        }
        Part::Any => {
            let ends = if rest.is_empty() { tokens.len()..tokens.len() + 1 } else { from + 1..tokens.len() };
            for end in ends {
                let Some(last) = tokens.get(end - 1) else { return false };
                let taken = slots.len();
                slots.push(Slot { at: token.at.start..last.at.end, tokens: Some(from..end) });
                if fits(rest, tokens, end, slots) {
                    return true;
                }
                slots.truncate(taken);
            }
            false
        }
    }
}

/// Where the number stands in a word that is one but for what stands before and behind it: `6` in `6er`.
fn number_in(token: &Token, before: &str, behind: &str) -> Option<Range<usize>> {
    if token.code && before.is_empty() && behind.is_empty() {
        return Some(token.at.clone());
    }
    let number = token.folded.strip_prefix(before)?.strip_suffix(behind)?;
    let is_number = |letter: char| letter.is_ascii_digit() || "+-\u{2212}\u{2013}.%".contains(letter);
    let fits = !token.code && number.chars().all(is_number) && number.contains(|own: char| own.is_ascii_digit());
    // The folded word is as long as the word: both are ASCII where they are a number.
    (fits && token.folded.len() == token.at.len()).then(|| {
        let start = token.at.start + before.len();
        start..start + number.len()
    })
}

/// A word in the form in which it is compared; dashes stay, since they are signs.
pub fn folded(word: &str) -> String {
    let letters = |part: &str| fold(part);
    word.split_inclusive(['-', '\u{2013}', '\u{2212}', '_'])
        .map(|part| match part.char_indices().next_back() {
            Some((at, sign @ ('-' | '\u{2013}' | '\u{2212}' | '_'))) => {
                format!("{}{sign}", letters(part.get(..at).unwrap_or_default()))
            }
            _ => letters(part),
        })
        .collect()
}

/// The words of a stretch; a full stop at its end is no part of them. A stretch of code is one word.
pub fn tokens(words: &str, within: Range<usize>, is_code: &dyn Fn(usize) -> bool) -> Vec<Token> {
    let mut all: Vec<Token> = Vec::new();
    let Some(text) = words.get(within.clone()) else { return all };
    let mut open: Option<(usize, bool)> = None;
    let mut close = |from: (usize, bool), end: usize| {
        let (start, code) = from;
        let word = words.get(start..end).unwrap_or_default();
        let code = code || word.starts_with('{') && word.ends_with('}');
        all.push(Token { at: start..end, folded: if code { word.to_owned() } else { folded(word) }, code });
    };
    for (offset, letter) in text.char_indices() {
        let at = within.start + offset;
        let code = is_code(at);
        match open {
            Some((_, own)) if own && code => {}
            Some(from) if letter.is_whitespace() || from.1 != code => {
                close(from, at);
                open = (!letter.is_whitespace() || code).then_some((at, code));
            }
            Some(_) => {}
            None => open = (!letter.is_whitespace() || code).then_some((at, code)),
        }
    }
    if let Some(from) = open {
        close(from, within.end);
    }
    if let Some(last) = all.last_mut().filter(|last| !last.code && last.folded.ends_with('.')) {
        last.folded.pop();
        last.at.end -= 1;
    }
    all.retain(|token| !token.at.is_empty());
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phrases() -> Phrases {
        let mut phrases = Phrases::default();
        for (theirs, ours) in [
            ("Nachteil bei *", "disadvantage on *"),
            ("Proben", "checks"),
            ("* für # Runden", "* for # rounds"),
            ("* und *", "* and *"),
            ("alle außer * neu würfeln", "reroll all but *"),
            ("#er", "#s"),
            ("höchstens # *", "at most # *"),
        ] {
            phrases.add(theirs, ours).expect("a phrase");
        }
        phrases
    }

    fn ours(words: &str) -> Option<String> {
        let edits = phrases().find(&tokens(words, 0..words.len(), &|_| false))?;
        let mut out = String::new();
        let mut at = 0;
        for (range, ours) in edits {
            out.push_str(&words[at..range.start]);
            out.push_str(&ours);
            at = range.end;
        }
        Some(out + &words[at..])
    }

    #[test]
    fn words_that_are_a_phrase_as_a_whole_are_put_in_ours() {
        for (words, told) in [
            ("Nachteil bei Proben.", "disadvantage on checks."),
            ("nachteil bei Heimlichkeit und Hast für 3 Runden", "disadvantage on Heimlichkeit and Hast for 3 rounds"),
            ("alle außer 1er und 6er neu würfeln", "reroll all but 1s and 6s"),
            ("höchstens -2 Würde", "at most -2 Würde"),
            ("alle außer 1er, 2er und 6er neu würfeln", "reroll all but 1s, 2s and 6s"),
        ] {
            assert_eq!(ours(words).as_deref(), Some(told), "{words}");
        }
        for words in ["", "die Tore fallen und alles brennt", "Nachteil", "6", "ein Nachteil bei Proben", "Werer"] {
            assert_eq!(ours(words), None, "{words}");
        }
    }

    #[test]
    fn both_sides_have_the_same_gaps() {
        let mut phrases = Phrases::default();
        for (theirs, ours) in [("a *", "b"), ("# *", "* #"), ("", "")] {
            assert!(phrases.add(theirs, ours).is_err(), "{theirs}");
        }
    }

    #[test]
    fn a_long_clause_is_prose() {
        let words = "Nachteil bei ".repeat(5_000);
        assert_eq!(ours(&words), None);
    }
}
