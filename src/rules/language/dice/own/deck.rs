//! A deck: `- Deck Cards: 2-10, J, Q, K, A of hearts, spades, clubs, diamonds, 2 jokers`.

use super::read::{DECK, FACES_MAX, name, unreadable};
use super::{OwnDie, Stays, Symbol};
use crate::diagnostic::Place;
use crate::dice::{Die, Side};
use crate::names::{fold, plurals};
use crate::rules::document::Text;
use crate::rules::language::labels::Labelled;
use crate::rules::language::ledger::Ledger;
use crate::rules::when::is_reserved;

/// What stands behind the cards of a deck that stays drawn, folded.
const STAYS: &str = "drawn cards stay out";

/// `2-10, J, Q, K, A of hearts, spades, clubs, diamonds, 2 jokers`: each rank of each suit, and cards of neither. Without suits:
/// `1-10, 2 storms`, a card of each rank; without ranks: `sun, moon, 3 stars`, a card of each name.
///
/// Behind `;` stands `drawn cards stay out`, or `drawn cards stay out until a joker`.
pub(super) fn deck(
    label: &Labelled,
    others: &[OwnDie],
    symbols: &mut Vec<Symbol>,
    ledger: &mut Ledger<'_>,
) -> Option<OwnDie> {
    let name = name(label, DECK, ledger)?;
    let (value, behind) = match label.value.split_at_any(&[";"]) {
        Some((cards, behind)) => (cards, Some(behind)),
        None => (label.value.clone(), None),
    };
    let words = value.as_str().trim_end_matches('.').replace(" and ", ", ").replace(['\u{2013}', '\u{2014}'], "-");
    let mut known = symbols.clone();
    match cards(&words, &mut known, &ledger.place(label.span)) {
        Ok(sides) => {
            *symbols = known;
            let stays = match &behind {
                Some(behind) => Some(stays(behind, &words, &sides, symbols, ledger)?),
                None => None,
            };
            let number = |side: &Side| side.number.filter(|_| side.symbols.is_empty());
            let numbers: Option<Vec<i64>> = sides.iter().map(number).collect();
            let die = numbers.map_or(Die::Symbols(sides), Die::Faces);
            // What is out is kept by the cards: two decks of the same would be one.
            let twin = |own: &&OwnDie| own.deck && own.die == die && (stays.is_some() || own.stays.is_some());
            if let Some(twin) = others.iter().find(twin) {
                let why =
                    format!("{} has the same cards, and which of the two a draw is of could not be told", twin.name);
                unreadable(&label.value, &why, "give its suits or cards other names, or draw from one deck", ledger);
                return None;
            }
            Some(OwnDie { name, die, deck: true, stays, place: ledger.place(label.span) })
        }
        Err(why) => {
            let help = "write ranks of suits, `2-10, J, Q, K, A of hearts, spades, 2 jokers`, or names of cards, `sun, moon, 3 stars`";
            unreadable(&value, &why, help, ledger);
            None
        }
    }
}

/// `drawn cards stay out until a joker`: a card, a suit or a rank of these.
fn stays(text: &Text, cards: &str, sides: &[Side], symbols: &[Symbol], ledger: &mut Ledger<'_>) -> Option<Stays> {
    let words = text.as_str().trim().trim_end_matches('.');
    let folded = fold(words);
    let behind = folded.strip_prefix("the ").unwrap_or(&folded).strip_prefix(STAYS);
    let help = "write `; drawn cards stay out`, or `; drawn cards stay out until a joker` with a card, a suit or a rank of this deck";
    let Some(behind) = behind else {
        unreadable(text, "behind `;` stands whether drawn cards stay out", help, ledger);
        return None;
    };
    if behind.is_empty() {
        return Some(Stays { until: None, faces: Vec::new() });
    }
    let until = behind.strip_prefix(" until ").and_then(|_| words.split_once("until ")).map(|(_, until)| until.trim());
    let bare = until.map(|until| {
        ["a ", "an ", "the "]
            .iter()
            .find_map(|article| fold(until).strip_prefix(article).map(str::to_owned))
            .unwrap_or_else(|| fold(until))
    });
    let faces = bare.as_ref().map_or_else(Vec::new, |bare| called(bare, cards, sides, symbols));
    if faces.is_empty() {
        unreadable(text, "that is no card, suit or rank of this deck", help, ledger);
        return None;
    }
    Some(Stays { until: until.map(str::to_owned), faces })
}

/// The faces of what is called so: a rank by its number or its letter, a suit or a card by its name.
fn called(word: &str, cards: &str, sides: &[Side], symbols: &[Symbol]) -> Vec<i64> {
    let symbol = symbols.iter().find(|own| plurals(&own.name).any(|name| name == word)).map(|own| own.letter);
    let ranks = cards.split_once(" of ").map_or(cards, |(ranks, _)| ranks).split(',').map(str::trim);
    let mut numbers: Vec<&str> = ranks.collect();
    let named = numbers.iter().position(|rank| fold(rank) == word);
    let rank = word.parse().ok().or_else(|| {
        numbers.truncate(named? + 1);
        let parts: Vec<String> = numbers.iter().map(|rank| (*rank).to_owned()).collect();
        ranks_of(&parts).ok()?.last().copied()
    });
    let is = |side: &Side| match symbol {
        Some(letter) => side.symbols.contains(letter),
        None => rank.is_some() && side.number == rank,
    };
    let plain = sides.iter().all(|side| side.symbols.is_empty());
    let place = |at: usize, side: &Side| side.number.filter(|_| plain).or_else(|| i64::try_from(at + 1).ok());
    sides.iter().enumerate().filter(|(_, side)| is(side)).filter_map(|(at, side)| place(at, side)).collect()
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
