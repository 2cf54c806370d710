//! What sentences say of a total that equals what it is compared with: "if the roll is exactly equal to your score you succeed at a cost".

use super::comparisons::{ABOVE, BELOW, OVER, UNDER};
use super::sentences::bare;
use crate::rules::language::plain::sentences;

/// What becomes of such a total.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Tie {
    /// Nothing is said of it beside the comparison.
    Open,
    Succeeds,
    Fails,
    /// It succeeds in part, in these words.
    Costs(String),
    /// What is said of it is not read.
    Unread,
}

/// Words for what a total may equal.
const COMPARED: [&str; 12] =
    ["score", "skill", "target", "difficulty", "dc", "number", "rating", "it", "attribute", "stat", "equal", "your"];
const SUCCEEDS: [&str; 9] = ["succeed", "succeeds", "success", "successes", "win", "wins", "player", "passes", "pass"];
const FAILS: [&str; 8] = ["fail", "fails", "failure", "failures", "lose", "loses", "miss", "misses"];
const COSTS: [&str; 10] =
    ["cost", "price", "partial", "part", "mixed", "complication", "consequence", "pay", "pays", "but"];
/// Words of an outcome that is more than one of these.
const MORE: [&str; 14] = [
    "critical",
    "triumph",
    "special",
    "exceptional",
    "again",
    "reroll",
    "not",
    "never",
    "both",
    "neither",
    "instead",
    "unless",
    "once",
    "damage",
];

impl Tie {
    /// What a table says of it, where a total that equals fails (`below`) or succeeds unless something else is said; none where it is not
    /// read, or two things are said.
    pub fn unless(&self, below: bool) -> Option<Tie> {
        match (self, below) {
            (Tie::Unread, _) | (Tie::Fails, false) => None,
            (Tie::Open, true) => Some(Tie::Fails),
            (own, _) => Some(own.clone()),
        }
    }

    /// The rows that a check has for it.
    pub fn rows(&self) -> String {
        match self {
            Tie::Open | Tie::Succeeds | Tie::Unread => String::new(),
            Tie::Fails => {
                "\n\n| Outcome | When |\n|---|---|\n| Success | margin 1+ |\n| Failure | otherwise |".to_owned()
            }
            Tie::Costs(words) => format!(
                "\n\n| Outcome | When | What happens |\n|---|---|---|\n| Success | margin 1+ | |\n| Partial success | margin 0 | {words} |\n\
                 | Failure | otherwise | |"
            ),
        }
    }
}

/// What the sentences of a telling, in small letters, say of it.
pub(super) fn of(lower: &str) -> Tie {
    let mut told = sentences(lower).filter_map(|at| lower.get(at)).filter(|own| is_told(own));
    match (told.next(), told.next()) {
        (None, _) => Tie::Open,
        (Some(own), None) => outcome(own),
        (Some(_), Some(_)) => Tie::Unread,
    }
}

/// Whether a sentence, in small letters, is about it.
pub(super) fn is_told(lower: &str) -> bool {
    begins(lower).is_some()
}

/// Where the clause begins that is about it.
fn begins(lower: &str) -> Option<usize> {
    let compared = without_comparisons(lower);
    let clauses = compared.match_indices([',', ';', ':']).map(|(at, _)| at + 1);
    let starts: Vec<usize> = std::iter::once(0).chain(clauses).collect();
    let end = |at: usize| starts.get(at + 1).copied().unwrap_or(compared.len());
    starts.iter().enumerate().find_map(|(at, start)| is_clause(compared.get(*start..end(at))?).then_some(*start))
}

fn is_clause(clause: &str) -> bool {
    let words = bare(clause);
    let has = |all: &[&str]| words.iter().any(|word| all.contains(word));
    let near = |at: usize| words.iter().skip(at + 1).take(3).any(|word| COMPARED.contains(word));
    let equals = |word: &str| matches!(word, "equal" | "equals" | "equalling" | "match" | "matches" | "matching");
    let mut places = words.iter().enumerate();
    // "A bonus equal to your level" is a number, and no roll.
    let rolled = has(&["if", "when", "that", "which", "roll", "rolls", "rolling", "result", "results", "total"])
        && !has(&["bonus", "add", "plus", "dice", "points", "damage", "pool", "many"])
        && !clause.contains("number of");
    has(&["tie", "ties", "tied"])
        || has(&["exactly", "precisely"]) && has(&COMPARED)
        || clause.contains("on the nose")
        || clause.contains("same as your")
        || words.first().is_some_and(|word| equals(word)) && words.get(1) == Some(&"it")
        || rolled && places.any(|(at, word)| equals(word) && near(at))
}

/// The words with other ones of the same length in the place of comparisons: "equal to or under" is about no tie.
fn without_comparisons(lower: &str) -> String {
    let mut out = lower.to_owned();
    for phrase in UNDER.iter().chain(&OVER).chain(&BELOW).chain(&ABOVE).filter(|own| own.contains(' ')) {
        out = out.replace(phrase, &"_".repeat(phrase.len()));
    }
    out
}

/// What a sentence about it says.
fn outcome(lower: &str) -> Tie {
    let Some(clause) = begins(lower).and_then(|at| lower.get(at..)) else { return Tie::Unread };
    let words = bare(clause);
    let has = |all: &[&str]| words.iter().any(|word| all.contains(word));
    let (succeeds, fails, costs) = (has(&SUCCEEDS), has(&FAILS), has(&COSTS));
    let behind = words.iter().skip_while(|word| !SUCCEEDS.contains(word) && !FAILS.contains(word));
    let goes_on = behind.skip(1).any(|word| matches!(*word, "and" | "with" | "or" | "if" | "roll" | "while"));
    if has(&MORE) || clause.contains(';') {
        return Tie::Unread;
    }
    match (succeeds, fails, costs) {
        (true, false, true) => Tie::Costs(sentence(clause)),
        (true, false, false) if !goes_on => Tie::Succeeds,
        (false, true, false) if !goes_on => Tie::Fails,
        _ => Tie::Unread,
    }
}

/// A clause as a sentence that stands in a cell.
fn sentence(clause: &str) -> String {
    let words = clause.trim().trim_end_matches('.').replace('|', "/");
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).chain(['.']).collect()).unwrap_or_default()
}
