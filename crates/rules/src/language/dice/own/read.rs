//! Dice with faces of their own, decks, symbols and what cancels, from the lines of the section.

use super::{OwnDice, OwnDie, Stays, Symbol};
use crate::codes;
use crate::grammar::file::Rule;
use crate::grammar::line::{Cards, DiceLine, Line, Rank};
use crate::grammar::tree::{Function, is_word};
use crate::language::ledger::Ledger;
use crate::language::outline::Outline;
use crate::section::SectionKind;
use rollbook_dice::{Die, Side, parse};
use rollbook_text::diagnostic::{Diagnostic, Place};
use rollbook_text::names::{fold, same};

/// Faces of one die, and cards of one deck.
const FACES_MAX: usize = 100;
/// Symbols on one face.
const SYMBOLS_MAX: usize = 9;
/// The highest rank of a card.
const RANK_MAX: i64 = 100;
/// Words that mean something in an expression.
const RESERVED: [&str; 13] = [
    "adv",
    "advantage",
    "dis",
    "disadv",
    "disadvantage",
    "vs",
    "under",
    "bands",
    "repeat",
    "plus",
    "minus",
    "times",
    "crit",
];

/// Reads them all, before anything that may roll them. What faces and cancellations speak of comes first.
pub fn read(outline: &Outline<'_>, ledger: &mut Ledger<'_>) -> OwnDice {
    let mut own = OwnDice::default();
    let lines = outline.rules(SectionKind::Dice).filter_map(|rule| match &rule.line {
        Line::Dice(own) => Some((rule, own)),
        _ => None,
    });
    let mut lines: Vec<(&Rule, &DiceLine)> = lines.collect();
    lines.sort_by_key(|(_, line)| match line {
        DiceLine::Symbol { .. } => 0,
        DiceLine::Die { .. } | DiceLine::Deck { .. } => 1,
        _ => 2,
    });
    for (rule, line) in lines {
        let place = ledger.place(rule.span);
        let is_die = matches!(line, DiceLine::Die { .. } | DiceLine::Deck { .. });
        let (length, kind) = if is_die { (own.dice.len(), "dice") } else { (own.symbols.len(), "symbols") };
        if !ledger.has_room(length, kind, rule.span) {
            continue;
        }
        let read = match line {
            DiceLine::Symbol { letter, name } => symbol(*letter, name, place, &mut own),
            DiceLine::Die { name, faces } => die(name, faces, place, &own).map(|made| own.dice.push(made)),
            DiceLine::Deck { name, cards } => deck(name, cards, place, &mut own).map(|made| own.dice.push(made)),
            DiceLine::Cancel(pairs) => pairs.iter().try_for_each(|pair| cancel(*pair, &mut own)),
            _ => Ok(()),
        };
        if let Err(why) = read {
            let found = Diagnostic::error(codes::UNREADABLE_FACES, "there is no such die or symbol");
            let help = "`rollbook explain dice/unreadable-faces` shows dice, decks and symbols";
            ledger.report(found.at(rule.span, why).help(help));
        }
    }
    own
}

fn cancel((one, other): (char, char), own: &mut OwnDice) -> Result<(), String> {
    if one == other || !own.is_drawn(one) || !own.is_drawn(other) {
        return Err("these are no two symbols that stand on dice".to_owned());
    }
    own.cancels.push((one, other));
    Ok(())
}

fn symbol(letter: char, name: &str, place: Place, own: &mut OwnDice) -> Result<(), String> {
    if !letter.is_ascii_uppercase() {
        return Err("a symbol is a letter from A to Z".to_owned());
    }
    if is_word(name) || name.chars().any(|letter| letter.is_ascii_digit()) {
        return Err("its name means something else in conditions".to_owned());
    }
    if own.symbols.iter().any(|other| other.letter == letter || same(&other.name, name)) {
        return Err("another symbol has this letter or name".to_owned());
    }
    own.symbols.push(Symbol { letter, name: name.to_owned(), place });
    Ok(())
}

/// A name of dice: one word that means nothing else in an expression.
fn named(name: &str) -> Result<String, String> {
    let is_word = name.chars().all(|letter| letter.is_alphanumeric() || letter == '-')
        && name.chars().take(2).filter(|letter| letter.is_alphabetic()).count() == 2;
    let folded = fold(name);
    let is_reserved = RESERVED.iter().copied().chain(Function::NAMED.map(Function::as_str)).any(|own| own == folded);
    match is_word && !is_reserved && parse(name).is_err() {
        true => Ok(name.to_owned()),
        false => Err("dice are called by one word of two letters or more that means nothing else".to_owned()),
    }
}

/// Numbers alone are added up, others show symbols.
fn sides_of(sides: Vec<Side>) -> Result<Die, String> {
    if !(2..=FACES_MAX).contains(&sides.len()) {
        return Err(format!("a die has from 2 to {FACES_MAX} faces, and a deck as many cards"));
    }
    let number = |side: &Side| side.number.filter(|_| side.symbols.is_empty());
    let numbers: Option<Vec<i64>> = sides.iter().map(number).collect();
    Ok(numbers.map_or(Die::Symbols(sides), Die::Faces))
}

fn die(name: &str, faces: &[Side], place: Place, own: &OwnDice) -> Result<OwnDie, String> {
    let is_symbol = |letter: char| own.symbols.is_empty() || own.symbols.iter().any(|one| one.letter == letter);
    let mut letters = faces.iter().flat_map(|own| own.symbols.chars());
    if let Some(other) = letters.find(|own| !own.is_ascii_uppercase() || !is_symbol(*own)) {
        return Err(format!("`{other}` is no symbol, as `- Symbol {other}: …` would make it"));
    }
    if faces.iter().any(|own| own.symbols.len() > SYMBOLS_MAX) {
        return Err(format!("a face has at most {SYMBOLS_MAX} symbols"));
    }
    Ok(OwnDie { name: named(name)?, die: sides_of(faces.to_vec())?, deck: false, stays: None, place })
}

/// Each rank of each suit, and cards of neither. Without suits a card of each rank, or, where none is a number, of each name.
fn deck(name: &str, cards: &Cards, place: Place, own: &mut OwnDice) -> Result<OwnDie, String> {
    let name = named(name)?;
    let mut symbols = own.symbols.clone();
    let has_numbers = cards.ranks.iter().any(|rank| matches!(rank, Rank::Numbers(..)));
    let is_ranked = has_numbers || !cards.suits.is_empty();
    let mut sides = Vec::new();
    let ranks = if is_ranked { ranks(&cards.ranks)? } else { Vec::new() };
    let mut letter = |name: &str| letter_of(name, &mut symbols, &place).map(String::from);
    let suits = cards.suits.iter().map(|suit| letter(suit)).collect::<Result<Vec<String>, String>>()?;
    // Without suits there is one card of each rank, and no letter on it.
    for suit in suits.iter().cloned().chain(suits.is_empty().then(String::new)) {
        sides.extend(ranks.iter().map(|(_, rank)| Side { number: Some(*rank), symbols: suit.clone() }));
    }
    let names = cards.ranks.iter().filter_map(|rank| match rank {
        Rank::Letter(name) if !is_ranked => Some((1, name)),
        _ => None,
    });
    for (many, name) in names.chain(cards.more.iter().map(|(many, name)| (*many, name))) {
        let many = usize::try_from(many).ok().filter(|many| (1..=FACES_MAX).contains(many));
        let many = many.ok_or_else(|| format!("there are from 1 to {FACES_MAX} of a card"))?;
        sides.extend(std::iter::repeat_n(Side { number: None, symbols: letter(name)? }, many));
    }
    let stays = match &cards.stay_out {
        None => None,
        Some(None) => Some(Stays { until: None, faces: Vec::new() }),
        Some(Some(until)) => {
            let rank = ranks.iter().find(|(name, _)| same(name, until)).map(|(_, rank)| *rank);
            let letter = symbols.iter().find(|own| same(&own.name, until)).map(|own| own.letter);
            let is = |side: &Side| match letter {
                Some(letter) => side.symbols.contains(letter),
                None => rank.is_some() && side.number == rank,
            };
            let plain = sides.iter().all(|side| side.symbols.is_empty());
            let face =
                |(at, side): (usize, &Side)| side.number.filter(|_| plain).or_else(|| i64::try_from(at + 1).ok());
            let faces: Vec<i64> = sides.iter().enumerate().filter(|(_, side)| is(side)).filter_map(face).collect();
            if faces.is_empty() {
                return Err(format!("`{until}` is no card, suit or rank of this deck"));
            }
            Some(Stays { until: Some(until.clone()), faces })
        }
    };
    let die = sides_of(sides)?;
    // What is out is kept by the cards: two decks of the same would be one.
    let twin = |other: &&OwnDie| other.deck && other.die == die && (stays.is_some() || other.stays.is_some());
    if let Some(twin) = own.dice.iter().find(twin) {
        return Err(format!("{} has the same cards, and which of the two a draw is of could not be told", twin.name));
    }
    own.symbols = symbols;
    Ok(OwnDie { name, die, deck: true, stays, place })
}

/// `2-10, J, Q, K, A`: each rank with its name; a letter goes on from the number before it.
fn ranks(all: &[Rank]) -> Result<Vec<(String, i64)>, String> {
    let mut ranks: Vec<(String, i64)> = Vec::new();
    for rank in all {
        match rank {
            Rank::Numbers(low, high) if (0..=RANK_MAX).contains(low) && low <= high && *high <= RANK_MAX => {
                ranks.extend((*low..=*high).map(|rank| (rank.to_string(), rank)));
            }
            Rank::Numbers(..) => return Err(format!("ranks go from 0 to {RANK_MAX}, the lower first")),
            Rank::Letter(name) => ranks.push((name.clone(), ranks.last().map_or(1, |(_, last)| last + 1))),
        }
    }
    Ok(ranks)
}

/// The letter of a suit or a card: the first of its name that no other symbol has, else the first that is left. It becomes a symbol
/// unless it is one.
fn letter_of(name: &str, known: &mut Vec<Symbol>, place: &Place) -> Result<char, String> {
    if let Some(own) = known.iter().find(|own| same(&own.name, name)) {
        return Ok(own.letter);
    }
    if is_word(name) || !name.starts_with(char::is_alphabetic) {
        return Err(format!("`{name}` is no name of a suit or a card"));
    }
    let is_free = |letter: &char| !known.iter().any(|own| own.letter == *letter);
    let letters = name.chars().map(|letter| letter.to_ascii_uppercase()).filter(char::is_ascii_uppercase);
    let letter = letters.chain('A'..='Z').find(is_free);
    let letter = letter.ok_or_else(|| "there are more than 26 symbols, suits and names of cards".to_owned())?;
    known.push(Symbol { letter, name: name.to_owned(), place: place.clone() });
    Ok(letter)
}
