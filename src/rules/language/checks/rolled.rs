//! What a sentence says is rolled: "roll 2d6 and add your Nerve", "roll +Nerve", "a player rolls a twenty-sided die plus the modifier".
//!
//! ```text
//! rolled = ("roll" | "rolls" | "rolling" | "throw") ( dice { adds what } | "+" what | "with" NAME )
//! adds   = "+" | "-" | "plus" | "minus" | "add" | "adding" | "and add" | "with"
//! what   = a number | dice | a name, declared or not
//! ```
//!
//! What is said to be rolled and cannot be read whole is [`Said::Unclear`]: no part of it may be left out.

use super::dice_words;
use super::roller::{is_led, is_told};
use crate::rules::language::names::Names;
use crate::rules::language::plain::{dice_mentions, each_word, operand, operator, skip_space, word_at};

/// What a sentence says of a roll.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// Nothing.
    Nothing,
    /// Something that cannot be read whole.
    Unclear,
    /// This is rolled.
    Roll(Rolled),
}

/// What is rolled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rolled {
    /// Where the words for it begin, and where they end.
    pub at: std::ops::Range<usize>,
    /// The dice in notation; none in "roll +Nerve", where the game has its dice.
    pub dice: Option<String>,
    /// What is added, each part with its sign: ` + {Nerve}`.
    pub added: String,
    /// Names among it that the rules do not declare.
    pub unknown: Vec<Unknown>,
}

/// A name that the rules do not declare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    /// With a capital.
    pub name: String,
    /// Whether its modifier is added, and not the score itself.
    pub modifier: bool,
}

impl Rolled {
    /// In notation, with these dice where none are said.
    pub fn notation(&self, dice: &str) -> String {
        format!("{}{}", self.dice.as_deref().unwrap_or(dice), self.added)
    }
}

/// Words that say that dice are rolled.
const VERBS: [&str; 5] = ["roll", "rolls", "rolling", "throw", "throws"];
/// Words before dice or names that change nothing.
const FILLERS: [&str; 17] = [
    "a",
    "an",
    "the",
    "your",
    "their",
    "its",
    "his",
    "her",
    "any",
    "all",
    "relevant",
    "appropriate",
    "applicable",
    "own",
    "matching",
    "chosen",
    "one's",
];
/// Parts that are added.
const PARTS_MAX: usize = 6;
/// Words behind a name that change nothing.
const SUFFIXES: [&str; 8] = ["modifier", "modifiers", "mod", "bonus", "bonuses", "score", "rating", "value"];
/// Words right behind a roll that change it.
const CHANGES: [&str; 21] = [
    "keep",
    "keeping",
    "keeps",
    "drop",
    "dropping",
    "take",
    "taking",
    "twice",
    "times",
    "per",
    "each",
    "every",
    "multiply",
    "multiplied",
    "exploding",
    "separately",
    "half",
    "doubled",
    "using",
    "modified",
    "with",
];
/// What a roll is called, and no name of a score.
const NO_NAMES: [&str; 13] =
    ["gm", "roll", "rolls", "result", "results", "total", "dice", "die", "number", "numbers", "it", "this", "i"];
/// Words of a name that is not declared.
const NAME_WORDS_MAX: usize = 3;

/// Words and characters of what is done, where a check is called after it.
const PHRASE_WORDS_MAX: usize = 8;
const PHRASE_CHARS_MAX: usize = 60;

/// What a sentence says is rolled first.
pub fn rolled(words: &str, names: &Names) -> Said {
    let mut before: Option<&str> = None;
    let mut earlier: Option<&str> = None;
    for (at, word) in each_word(words, |letter| !letter.is_alphanumeric() && letter != '\'') {
        let lower = word.to_lowercase();
        let clause = words.get(..at).unwrap_or_default();
        if VERBS.contains(&lower.as_str()) && is_told((earlier, before), &lower) && is_led(clause) {
            match behind(words, at, at + word.len(), names) {
                Said::Nothing => {}
                found => return found,
            }
        }
        (earlier, before) = (before, Some(word));
    }
    Said::Nothing
}

fn behind(words: &str, start: usize, end: usize, names: &Names) -> Said {
    let mut at = skip_space(words, end);
    if words.get(at..).is_some_and(|rest| rest.starts_with(':')) {
        at = skip_space(words, at + 1);
    }
    let plus = operator(words, at).is_some_and(|(_, sign)| sign == "+");
    let with = word_at(words, at, "with").map(|end| skip_space(words, end));
    if plus || with.is_some_and(|at| named(words, fillers(words, at), false, names).is_some()) {
        return match additions(words, at, names) {
            Some((end, added, unknown)) if !added.is_empty() => {
                Said::Roll(Rolled { at: start..end, dice: None, added, unknown })
            }
            _ => Said::Unclear,
        };
    }
    let Some((end, dice)) = dice(words, fillers(words, at), names) else {
        return if says_dice(words.get(at..).unwrap_or_default()) { Said::Unclear } else { Said::Nothing };
    };
    match additions(words, end, names) {
        Some((end, added, unknown)) => Said::Roll(Rolled { at: start..end, dice: Some(dice), added, unknown }),
        None => Said::Unclear,
    }
}

/// Whether dice are named in the clause: "a number of d6 equal to your Brawn", "under your Wits on a d20".
fn says_dice(words: &str) -> bool {
    let clause = words.split([',', ';', ':', '(', '\u{2014}']).next().unwrap_or_default();
    dice_mentions(clause).next().is_some() || dice_words::first(clause).is_some()
}

/// The dice that stand here, and where their words end.
pub fn dice(words: &str, at: usize, names: &Names) -> Option<(usize, String)> {
    let rest = words.get(at..)?;
    let written = dice_mentions(rest).next().filter(|found| found.start == 0);
    let (end, dice) = match written {
        Some(_) => operand(words, at, names)?,
        None => {
            let found = dice_words::first(rest).filter(|found| found.at.start == 0)?;
            (at + found.at.end, found.notation)
        }
    };
    let called = ["dice", "die"].iter().find_map(|word| word_at(words, skip_space(words, end), word));
    let dice = if dice.starts_with(['d', 'D']) { format!("1{dice}") } else { dice };
    Some((called.unwrap_or(end), dice.replacen('D', "d", 1)))
}

type Additions = (usize, String, Vec<Unknown>);

/// What is added from here on; none where some of it cannot be read.
fn additions(words: &str, start: usize, names: &Names) -> Option<Additions> {
    let (mut end, mut added, mut unknown) = (start, String::new(), Vec::new());
    for _ in 0..PARTS_MAX {
        let Some((after, sign, kind)) = connector(words, end, !added.is_empty()) else { break };
        let at = fillers(words, after);
        // "Roll 2d6 – a 10 is good" subtracts nothing.
        if kind == Joins::Dash && at > after {
            break;
        }
        if let Some((next, piece)) = known(words, at, names) {
            added.push_str(&format!(" {sign} {piece}"));
            end = next;
        } else if kind != Joins::Perhaps
            && let Some((next, name)) = named(words, at, at > after && kind == Joins::Surely, names)
        {
            added.push_str(&format!(" {sign} {{{}}}", name.name));
            unknown.push(name);
            end = next;
        } else {
            match kind {
                Joins::Surely | Joins::With => return None,
                // "and your luck" adds something, "and try" does not.
                Joins::Perhaps if at > after => return None,
                Joins::Perhaps | Joins::Dash => break,
            }
        }
    }
    (!is_changed(words, end)).then_some((end, added, unknown))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Joins {
    /// "+", "add".
    Surely,
    /// "with", which may join anything: a name has a capital there.
    With,
    /// "and" behind something that is added.
    Perhaps,
    /// A dash, which may be a minus.
    Dash,
}

/// What joins the next part to what stands here.
fn connector(words: &str, at: usize, added: bool) -> Option<(usize, &'static str, Joins)> {
    let start = skip_space(words, at);
    if let Some((end, sign)) = operator(words, start) {
        let kind = if sign == "-" { Joins::Dash } else { Joins::Surely };
        return Some((skip_space(words, end), sign, kind));
    }
    let comma = words.get(start..).is_some_and(|rest| rest.starts_with(','));
    let mut next = if comma { skip_space(words, start + 1) } else { start };
    let mut and = None;
    for word in ["and", "then"] {
        if let Some(end) = word_at(words, next, word) {
            next = skip_space(words, end);
            and = Some(next);
        }
    }
    let sign = operator(words, next).filter(|(_, sign)| and.is_some() && *sign != "-");
    let verb =
        ["add", "adds", "adding", "subtract"].into_iter().find_map(|word| Some((word_at(words, next, word)?, word)));
    if let Some((end, word)) = verb {
        let end = ["to it", "to this", "to the result", "to the roll"]
            .iter()
            .find_map(|own| word_at(words, skip_space(words, end), own))
            .unwrap_or(end);
        let sign = if word == "subtract" { "-" } else { "+" };
        return Some((skip_space(words, end), sign, Joins::Surely));
    }
    if let Some((end, sign)) = sign {
        return Some((skip_space(words, end), sign, Joins::Surely));
    }
    let with = word_at(words, start, "with").map(|end| (skip_space(words, end), "+", Joins::With));
    with.or_else(|| and.filter(|_| added && !comma).map(|end| (end, "+", Joins::Perhaps)))
}

/// A number, dice or a declared name, and where it ends with what it is called.
fn known(words: &str, at: usize, names: &Names) -> Option<(usize, String)> {
    // "The ability's modifier" is that of the one that is chosen.
    let chosen =
        ["ability's modifier", "attribute's modifier", "ability\u{2019}s modifier", "attribute\u{2019}s modifier"];
    if let Some(end) = chosen.iter().find_map(|own| word_at(words, at, own)) {
        return Some((end, "{attribute}".to_owned()));
    }
    let (end, piece) = operand(words, at, names)?;
    let next = skip_space(words, end);
    let is_name = piece.starts_with('{');
    // Of an attribute `{STR}` is what its score is worth: "ability score" is another number.
    if is_name && word_at(words, next, "score").is_some() {
        return Some((word_at(words, next, "score")?, piece.replace('}', " score}")));
    }
    let suffix = SUFFIXES.iter().find_map(|word| word_at(words, next, word)).filter(|_| is_name);
    let end = suffix.unwrap_or(end);
    let glued = ["rank", "ranks", "points", "dice", "die"]
        .iter()
        .any(|word| word_at(words, skip_space(words, end), word).is_some());
    (!glued).then_some((end, piece))
}

/// A name that is not declared: with a capital, or of one word behind "your" and nothing else.
pub fn named(words: &str, at: usize, owned: bool, names: &Names) -> Option<(usize, Unknown)> {
    if let Some((end, piece)) = known(words, at, names).filter(|(_, piece)| piece.starts_with('{')) {
        return Some((end, Unknown { name: piece.trim_matches(['{', '}']).to_owned(), modifier: false }));
    }
    let mut end = at;
    let mut name: Vec<&str> = Vec::new();
    while let Some(word) = word_here(words, if name.is_empty() { at } else { skip_space(words, end) }) {
        if name.len() == NAME_WORDS_MAX || !word.starts_with(char::is_uppercase) || is_suffix(word) {
            break;
        }
        end = if name.is_empty() { at } else { skip_space(words, end) } + word.len();
        name.push(word);
    }
    if name.is_empty() {
        let word = word_here(words, at).filter(|_| owned)?;
        let next = skip_space(words, at + word.len());
        let rest = words.get(next..)?;
        let ends = rest.is_empty() || rest.starts_with(['.', ',', ';', ':', ')', '!']);
        if !ends && !SUFFIXES.iter().any(|own| word_at(words, next, own).is_some()) {
            return None;
        }
        end = at + word.len();
        name.push(word);
    }
    let name = name.join(" ");
    let fits = name.chars().count() > 1 && !NO_NAMES.contains(&name.to_lowercase().as_str());
    let suffix = SUFFIXES.iter().find_map(|word| Some((word_at(words, skip_space(words, end), word)?, *word)));
    let modifier = suffix.is_some_and(|(_, word)| word.starts_with("mod") || word.starts_with("bonus"));
    let name = name.get(..1)?.to_uppercase() + name.get(1..)?;
    fits.then_some((suffix.map_or(end, |(end, _)| end), Unknown { name, modifier }))
}

fn is_suffix(word: &str) -> bool {
    SUFFIXES.iter().any(|own| own.eq_ignore_ascii_case(word))
}

/// The word that begins here, of letters alone.
fn word_here(words: &str, at: usize) -> Option<&str> {
    let rest = words.get(at..)?;
    let end = rest.find(|letter: char| !letter.is_alphabetic()).unwrap_or(rest.len());
    rest.get(..end).filter(|word| !word.is_empty())
}

/// Where the words that change nothing end.
pub fn fillers(words: &str, start: usize) -> usize {
    let mut at = start;
    while let Some(end) = FILLERS.iter().find_map(|word| word_at(words, at, word)) {
        at = skip_space(words, end);
    }
    at
}

/// Whether what follows a roll changes it: "and keep the highest", "or +Wits", ", twice".
fn is_changed(words: &str, end: usize) -> bool {
    let rest = words.get(end..).unwrap_or_default();
    let clause = rest.split(['.', ';', ':', '(', '\u{2014}']).next().unwrap_or_default();
    let mut parts = clause.split(',');
    let first = parts.next().unwrap_or_default().to_lowercase();
    let next = parts.next().unwrap_or_default().to_lowercase();
    let mut near = first.split_whitespace().take(4).chain(next.split_whitespace().take(2));
    let other = || {
        first.split_whitespace().next() == Some("or")
            && !["under", "less", "lower", "below", "more", "higher", "better", "above", "over"]
                .iter()
                .any(|own| first.split_whitespace().nth(1) == Some(own))
    };
    let besides = ["or", "except"].contains(&next.split_whitespace().next().unwrap_or_default());
    let torn = first.split_whitespace().take(4).any(|word| ["if", "unless", "depending", "whichever"].contains(&word));
    near.any(|word| CHANGES.contains(&word)) || torn || besides || other()
}

/// What the first words say is done: "Hide in plain sight" of "When you hide in plain sight, roll …".
pub fn phrase(body: &str) -> Option<String> {
    let lead = [
        "when you ",
        "when a character ",
        "when a player wants to ",
        "when a player ",
        "when somebody ",
        "when someone ",
        "to ",
    ];
    let lead = lead.iter().find(|lead| body.get(..lead.len()).is_some_and(|own| own.eq_ignore_ascii_case(lead)))?;
    let rest = body.get(lead.len()..)?;
    let end = rest.find([',', ';', ':', '.', '(', '\u{2014}'])?;
    let done = rest.get(..end)?.trim();
    let done = done.split_once(" roll").map_or(done, |(done, _)| done);
    let fits =
        (1..=PHRASE_WORDS_MAX).contains(&done.split_whitespace().count()) && done.chars().count() <= PHRASE_CHARS_MAX;
    let first = done.get(..1).filter(|_| fits)?;
    Some(first.to_ascii_uppercase() + done.get(1..)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &str) -> Option<String> {
        let names = Names::of_attributes(&[]);
        match rolled(words, &names) {
            Said::Roll(found) => Some(found.notation("2d6")),
            Said::Nothing => None,
            Said::Unclear => Some("?".to_owned()),
        }
    }

    #[test]
    fn rolls_are_read_whole_or_not() {
        for (words, notation) in [
            ("When you hide, roll 2d6 and add your Nerve.", "2d6 + {Nerve}"),
            ("When you hide, roll 2d6+Nerve.", "2d6 + {Nerve}"),
            ("You roll+Nerve.", "2d6 + {Nerve}"),
            ("Roll +Cold Blood.", "2d6 + {Cold Blood}"),
            ("Roll with Cool.", "2d6 + {Cool}"),
            ("Roll a d20, adding your Wits modifier and your level.", "1d20 + {Wits} + {level}"),
            ("Roll a d20 and add your ability modifier.", "1d20 + {attribute}"),
            ("Roll 3d6 plus your bonus, and meet or beat the target number.", "3d6 + {modifier}"),
            ("A player rolls two six-sided dice and adds 1.", "2d6 + 1"),
            ("Roll percentile dice equal to or under your skill.", "1d%"),
            ("Roll 2d6 and hope.", "2d6"),
            ("Roll 2d6 and add your nerve.", "2d6 + {Nerve}"),
            ("Roll 1d100 equal to or less than your skill.", "1d100"),
            ("Roll 2d6 \u{2013} a 10 is good.", "2d6"),
        ] {
            assert_eq!(read(words).as_deref(), Some(notation), "{words}");
        }
        for unclear in [
            "Roll 2d6 + whatever fits.",
            "Roll 2d6 + Nerve and the GM tells you more.",
            "Roll 2d6+Nerve or +Wits.",
            "Roll +Nerve if you fight, +Wits if you talk.",
            "Roll 2d20 and keep the higher.",
            "Roll 3d6, drop the lowest.",
            "Roll a number of d6 equal to your Brawn.",
            "Roll 2d6 with advantage.",
            "Roll 2d6 and add your weapon skill.",
            "Roll 2d6 and add your skill ranks.",
        ] {
            assert_eq!(read(unclear).as_deref(), Some("?"), "{unclear}");
        }
        for nothing in ["Mara rolls a d20.", "She rolls 2d6.", "They roll barrels.", "Roll call is at 6."] {
            assert_eq!(read(nothing), None, "{nothing}");
        }
    }
}
