//! A deck: `- Deck Cards: 2-10, J, Q, K, A of hearts, spades, clubs, diamonds, 2 jokers`.

use super::read::{DECK, FACES_MAX, name, unreadable};
use super::{OwnDie, Symbol, plurals};
use crate::diagnostic::Place;
use crate::dice::{Die, Side};
use crate::names::fold;
use crate::rules::language::labels::Labelled;
use crate::rules::language::ledger::Ledger;
use crate::rules::when::is_reserved;

/// `2-10, J, Q, K, A of hearts, spades, clubs, diamonds, 2 jokers`: each rank of each suit, and cards of neither.
pub(super) fn deck(label: &Labelled, symbols: &mut Vec<Symbol>, ledger: &mut Ledger<'_>) -> Option<OwnDie> {
    let name = name(label, DECK, ledger)?;
    let words =
        label.value.as_str().trim_end_matches('.').replace(" and ", ", ").replace(['\u{2013}', '\u{2014}'], "-");
    let cards = words.split_once(" of ").ok_or_else(|| "no ranks `of` suits stand here".to_owned());
    let cards = cards.and_then(|(ranks, rest)| {
        let extra = |part: &&str| part.starts_with(|letter: char| letter.is_ascii_digit());
        let parts = || rest.split(',').map(str::trim).filter(|part| !part.is_empty());
        let (mut known, mut sides) = (symbols.clone(), Vec::new());
        let ranks = ranks_of(ranks)?;
        for suit in parts().filter(|part| !extra(part)) {
            let letter = suit_of(suit, &mut known, ledger.place(label.span))?;
            sides.extend(ranks.iter().map(|rank| Side { number: Some(*rank), symbols: letter.to_string() }));
        }
        for part in parts().filter(extra) {
            let (many, called) = part.split_once(' ').ok_or_else(|| format!("`{part}` has no name"))?;
            let many = many.parse().ok().filter(|many| (1..=FACES_MAX).contains(many));
            let many = many.ok_or_else(|| format!("`{part}` is no number of cards"))?;
            let letter = suit_of(called, &mut known, ledger.place(label.span))?;
            sides.extend(std::iter::repeat_n(Side { number: None, symbols: letter.to_string() }, many));
        }
        match sides.len() {
            2..=FACES_MAX => Ok((known, sides)),
            many => Err(format!("a deck has from 2 to {FACES_MAX} cards, and these are {many}")),
        }
    });
    match cards {
        Ok((known, sides)) => {
            *symbols = known;
            Some(OwnDie { name, die: Die::Symbols(sides), deck: true, place: ledger.place(label.span) })
        }
        Err(why) => {
            let help =
                "write ranks and suits: `- Deck Cards: 2-10, J, Q, K, A of hearts, spades, clubs, diamonds, 2 jokers`";
            unreadable(&label.value, &why, help, ledger);
            None
        }
    }
}

/// `2-10, J, Q, K, A`: numbers, and names that go on from the number before.
fn ranks_of(words: &str) -> Result<Vec<i64>, String> {
    let mut ranks: Vec<i64> = Vec::new();
    for part in words.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let number = |word: &str| word.trim().parse::<i64>().ok().filter(|rank| (0..=100).contains(rank));
        match (part.split_once('-').or_else(|| part.split_once(" to ")), number(part)) {
            (_, Some(rank)) => ranks.push(rank),
            (Some((low, high)), None) => match (number(low), number(high)) {
                (Some(low), Some(high)) if low < high => ranks.extend(low..=high),
                _ => return Err(format!("`{part}` is no range of ranks")),
            },
            (None, None) if part.chars().all(char::is_alphabetic) => {
                ranks.push(ranks.last().map_or(1, |last| last + 1));
            }
            (None, None) => return Err(format!("`{part}` is no rank")),
        }
    }
    if ranks.is_empty() { Err("there are no ranks".to_owned()) } else { Ok(ranks) }
}

/// The letter of a suit, the first of its name; it becomes a symbol unless it is one.
fn suit_of(name: &str, known: &mut Vec<Symbol>, place: Place) -> Result<char, String> {
    if let Some(own) = known.iter().find(|own| plurals(&own.name).any(|plural| plural == fold(name))) {
        return Ok(own.letter);
    }
    let one = name.strip_suffix('s').unwrap_or(name);
    let letter = one.chars().next().map(|letter| letter.to_ascii_uppercase());
    let letter = letter.filter(|letter| letter.is_ascii_uppercase() && !is_reserved(one));
    let letter = letter.ok_or_else(|| format!("`{name}` is no name of a suit"))?;
    if let Some(other) = known.iter().find(|own| own.letter == letter) {
        return Err(format!("`{name}` and `{}` begin with the same letter", other.name));
    }
    known.push(Symbol { letter, name: one.to_owned(), place });
    Ok(letter)
}
