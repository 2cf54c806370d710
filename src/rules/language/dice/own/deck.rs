//! A deck: `- Deck Cards: 2-10, J, Q, K, A of hearts, spades, clubs, diamonds, 2 jokers`.

use super::read::{DECK, FACES_MAX, name, unreadable};
use super::{OwnDie, Symbol};
use crate::diagnostic::Place;
use crate::dice::{Die, Side};
use crate::names::{fold, plurals};
use crate::rules::language::labels::Labelled;
use crate::rules::language::ledger::Ledger;
use crate::rules::when::is_reserved;

/// `2-10, J, Q, K, A of hearts, spades, clubs, diamonds, 2 jokers`: each rank of each suit, and cards of neither. Without suits:
/// `1-10, 2 storms`, a card of each rank; without ranks: `sun, moon, 3 stars`, a card of each name.
pub(super) fn deck(label: &Labelled, symbols: &mut Vec<Symbol>, ledger: &mut Ledger<'_>) -> Option<OwnDie> {
    let name = name(label, DECK, ledger)?;
    let words =
        label.value.as_str().trim_end_matches('.').replace(" and ", ", ").replace(['\u{2013}', '\u{2014}'], "-");
    let mut known = symbols.clone();
    match cards(&words, &mut known, &ledger.place(label.span)) {
        Ok(sides) => {
            *symbols = known;
            let number = |side: &Side| side.number.filter(|_| side.symbols.is_empty());
            let numbers: Option<Vec<i64>> = sides.iter().map(number).collect();
            let die = numbers.map_or(Die::Symbols(sides), Die::Faces);
            Some(OwnDie { name, die, deck: true, place: ledger.place(label.span) })
        }
        Err(why) => {
            let help = "write ranks of suits, `2-10, J, Q, K, A of hearts, spades, 2 jokers`, or names of cards, `sun, moon, 3 stars`";
            unreadable(&label.value, &why, help, ledger);
            None
        }
    }
}

/// Every card, in the order in which they are written, suit by suit.
fn cards(words: &str, known: &mut Vec<Symbol>, place: &Place) -> Result<Vec<Side>, String> {
    let parts = |list: &str| -> Vec<String> {
        list.split(',').map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
    };
    let counted = |part: &&String| part.split_once(' ').is_some_and(|(many, _)| many.parse::<usize>().is_ok());
    let (ranks, rest) = match words.split_once(" of ") {
        Some((ranks, rest)) => (ranks_of(&parts(ranks))?, parts(rest)),
        None => {
            let (extras, plain): (Vec<String>, Vec<String>) = parts(words).into_iter().partition(|part| counted(&part));
            match plain.iter().any(|part| part.starts_with(|letter: char| letter.is_ascii_digit())) {
                true => (ranks_of(&plain)?, extras),
                // Names of cards, in their order.
                false => (Vec::new(), parts(words)),
            }
        }
    };
    let (with_suits, mut sides) = (words.contains(" of "), Vec::new());
    if !with_suits {
        sides.extend(ranks.iter().map(|rank| Side { number: Some(*rank), symbols: String::new() }));
    }
    for suit in rest.iter().filter(|part| with_suits && !counted(part)) {
        let letter = symbol_of(suit, known, place)?;
        sides.extend(ranks.iter().map(|rank| Side { number: Some(*rank), symbols: letter.to_string() }));
    }
    for part in rest.iter().filter(|part| !with_suits || counted(part)) {
        let (many, called) = part.split_once(' ').filter(|_| counted(&part)).unwrap_or(("1", part));
        let many = many.parse().ok().filter(|many| (1..=FACES_MAX).contains(many));
        let many = many.ok_or_else(|| format!("`{part}` is no number of cards"))?;
        let letter = symbol_of(called, known, place)?;
        sides.extend(std::iter::repeat_n(Side { number: None, symbols: letter.to_string() }, many));
    }
    match sides.len() {
        2..=FACES_MAX => Ok(sides),
        many => Err(format!("a deck has from 2 to {FACES_MAX} cards, and these are {many}")),
    }
}

/// `2-10, J, Q, K, A`: numbers, and names that go on from the number before.
fn ranks_of(parts: &[String]) -> Result<Vec<i64>, String> {
    let mut ranks: Vec<i64> = Vec::new();
    for part in parts {
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

/// The letter of a suit or a card: the first of its name that no other symbol has, else the first that is left. It becomes a symbol
/// unless it is one.
fn symbol_of(name: &str, known: &mut Vec<Symbol>, place: &Place) -> Result<char, String> {
    if let Some(own) = known.iter().find(|own| plurals(&own.name).any(|plural| plural == fold(name))) {
        return Ok(own.letter);
    }
    // Of `lilies` nobody but the author knows the singular: it stays as it is written.
    let one = name.strip_suffix('s').filter(|one| !one.ends_with('s') && !one.ends_with("ie")).unwrap_or(name);
    if is_reserved(one) || is_reserved(name) || !one.starts_with(char::is_alphabetic) {
        return Err(format!("`{name}` is no name of a suit or a card"));
    }
    let is_free = |letter: &char| !known.iter().any(|own| own.letter == *letter);
    let own = one.chars().map(|letter| letter.to_ascii_uppercase()).filter(char::is_ascii_uppercase);
    let letter = own.chain('A'..='Z').find(is_free);
    let letter = letter.ok_or_else(|| "there are more than 26 symbols, suits and names of cards".to_owned())?;
    known.push(Symbol { letter, name: one.to_owned(), place: place.clone() });
    Ok(letter)
}
