//! Two sentences that are rules, read whole or not at all: how one rolls, that fights have turns.

use super::cursor::{Cursor, Unread};
use super::expr::dice;
use super::names::{Names, Thing};
use crate::document::Text;

/// `Roll 1d20 + modifiers against a difficulty`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Roll {
    /// In the dice notation, names in braces.
    pub notation: String,
    /// Whether it adds anything to its dice that is not a number.
    pub adds: bool,
    /// Whether a difficulty is to be reached.
    pub against: bool,
}

/// Words for what a call chooses, and their names. *modifiers* is the sum of all that may be added.
const CHOSEN: [(&str, &str); 10] = [
    ("modifiers", "modifier"),
    ("attribute modifier", "attribute"),
    ("attribute", "attribute"),
    ("stat modifier", "attribute"),
    ("stat", "attribute"),
    ("ability modifier", "attribute"),
    ("ability", "attribute"),
    ("skill modifier", "skill"),
    ("skill bonus", "skill"),
    ("skill", "skill"),
];

/// Words for the number to reach.
const REACHED: [&str; 4] = ["difficulty ladder", "difficulty", "dc", "target number"];

/// The finding's label at a sentence that is not read whole.
pub const NOT_WHOLE: &str = "this sentence is not understood from here on, and not read";

/// The sentences of a paragraph. After a digit, `!` is a die that explodes.
pub fn sentences(text: &Text) -> Vec<Text> {
    let words = text.as_str();
    let before = |at: usize| words.get(..at).unwrap_or_default().trim_end_matches('!');
    let (mut all, mut start) = (Vec::new(), 0);
    for end in text.separators(&[". ", "! ", "? "]) {
        let explodes = words.get(end.clone()) == Some("! ")
            && before(end.start).ends_with(|letter: char| letter.is_ascii_digit());
        if !explodes {
            all.push(text.trimmed(start..end.start));
            start = end.end;
        }
    }
    all.push(text.trimmed(start..words.len()));
    all.retain(|sentence| !sentence.is_empty());
    all
}

/// How one rolls; `None` where the sentence does not begin with Roll.
///
/// # Errors
/// The first word that is not understood.
pub fn roll(sentence: &Text, names: &Names) -> Option<Result<Roll, Unread>> {
    begins(sentence, "roll").then(|| Cursor::new(sentence, names).whole(roll_sentence))
}

/// The initiative of `Turn-based combat with initiative (d20 + DEX modifier)`, if it begins so.
///
/// # Errors
/// The first word that is not understood.
pub fn turn_based(sentence: &Text, names: &Names) -> Option<Result<String, Unread>> {
    begins(sentence, "turn-based").then(|| {
        Cursor::new(sentence, names).whole(|at| {
            at.words("turn")?;
            at.glued('-')?;
            at.words("based combat with initiative")?;
            at.sign('(')?;
            let (notation, _) = sum(at, false)?;
            at.sign(')')?;
            Some(notation)
        })
    })
}

fn begins(sentence: &Text, word: &str) -> bool {
    let first = sentence
        .as_str()
        .split(|letter: char| !letter.is_alphanumeric() && letter != '-')
        .next();
    first.is_some_and(|first| first.eq_ignore_ascii_case(word))
}

fn roll_sentence(at: &mut Cursor<'_>) -> Option<Roll> {
    at.words("roll")?;
    let is_code = at.open().is_some();
    let (notation, adds) = sum(at, true)?;
    if is_code {
        at.close()?;
    }
    let against = at.words("against").or_else(|| at.words("vs")).is_some();
    if against {
        let _ = at.words("a").or_else(|| at.words("the"));
        let reached = REACHED.iter().any(|words| at.words(words).is_some());
        if !reached {
            return None;
        }
    }
    Some(Roll {
        notation,
        adds,
        against,
    })
}

/// Dice, then dice, numbers and names with signs between them: in notation, and whether names are
/// added. With `chosen`, also the words of [`CHOSEN`].
fn sum(at: &mut Cursor<'_>, chosen: bool) -> Option<(String, bool)> {
    let (_, written) = at.written(dice)?;
    let mut notation = if written.starts_with(['d', 'D']) {
        format!("1{written}")
    } else {
        written
    };
    let (mut all, mut added) = (false, 0);
    loop {
        let sign = match at.sign('+') {
            Some(()) => '+',
            None if at.sign('-').is_some() => '-',
            None => break,
        };
        let term = match at.attempt(|at| at.written(dice)) {
            Some((_, dice)) => dice,
            None => match at.attempt(Cursor::number) {
                Some(number) => number.to_string(),
                None => {
                    added += 1;
                    let name = if chosen { named(at) } else { declared(at) }?;
                    all |= name == "modifier";
                    format!("{{{name}}}")
                }
            },
        };
        notation.push_str(&format!(" {sign} {term}"));
    }
    // `modifiers` holds attribute and skill already.
    if all && added > 1 {
        return at.miss("`modifiers` alone, which holds attribute and skill");
    }
    Some((notation, added > 0))
}

fn named(at: &mut Cursor<'_>) -> Option<String> {
    at.attempt(declared)
        .or_else(|| at.one_of(&CHOSEN).map(str::to_owned))
}

/// A declared name, which `modifier` may follow.
fn declared(at: &mut Cursor<'_>) -> Option<String> {
    let name = at.name(
        &[Thing::Attribute, Thing::Skill, Thing::Number],
        "an attribute or a skill",
    )?;
    let _ = at.words("modifier");
    Some(name)
}
