//! Dice with faces of their own, decks, symbols and what cancels, from the lines of the section.

use super::{Cancel, OwnDice, OwnDie, Stays, Symbol};
use crate::diagnostic::{Diagnostic, Span};
use crate::dice::{Die, Side, parse};
use crate::names::{fold, same};
use crate::rules::codes;
use crate::rules::grammar::file::Rule;
use crate::rules::grammar::line::{Cards, DiceLine, Face, Line, Rank};
use crate::rules::grammar::tree::is_word;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::outline::Outline;
use crate::rules::section::SectionKind;

/// Faces of one die, and cards of one deck.
const FACES_MAX: usize = 100;
/// Symbols on one face.
const SYMBOLS_MAX: usize = 9;
/// The highest rank of a card.
const RANK_MAX: i64 = 100;
/// Words that mean something in an expression.
const RESERVED: [&str; 19] = [
    "adv",
    "advantage",
    "dis",
    "disadv",
    "disadvantage",
    "floor",
    "ceil",
    "round",
    "abs",
    "min",
    "max",
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
    let lines = || {
        outline.rules(SectionKind::Dice).filter_map(|rule| match &rule.line {
            Line::Dice(own) => Some((rule, own)),
            _ => None,
        })
    };
    let mut own = OwnDice::default();
    for (rule, line) in lines() {
        if let DiceLine::Symbol { letter, name } = line
            && let Err(why) = symbol(*letter, name, rule, &mut own, ledger)
        {
            report(rule.span, &why, "give it a letter and a name of its own: `- Symbol S: success`", ledger);
        }
    }
    for (rule, line) in lines() {
        let made = match line {
            DiceLine::Die { name, faces } => die(name, faces, &own, rule.span, ledger),
            DiceLine::Deck { name, cards } => deck(name, cards, &mut own, rule.span, ledger),
            _ => continue,
        };
        match made {
            Ok(made) if ledger.has_room(own.dice.len(), "dice", rule.span) => own.dice.push(made),
            Ok(_) => {}
            Err(why) => {
                report(rule.span, &why, "`rollbook explain dice/unreadable-faces` shows dice and decks", ledger)
            }
        }
    }
    for (rule, line) in lines() {
        let DiceLine::Cancel(pairs) = line else { continue };
        for (one, other) in pairs {
            match one != other && own.is_drawn(*one) && own.is_drawn(*other) {
                true => own.cancels.push(Cancel { between: (*one, *other), place: ledger.place(rule.span) }),
                false => report(
                    rule.span,
                    "these are no two symbols that stand on dice",
                    "name two that do: `- Cancel: S against F`",
                    ledger,
                ),
            }
        }
    }
    own
}

fn report(span: Span, why: &str, help: &str, ledger: &mut Ledger<'_>) {
    let found = Diagnostic::error(codes::UNREADABLE_FACES, "there is no such die or symbol");
    ledger.report(found.at(span, why).help(help));
}

fn symbol(letter: char, name: &str, rule: &Rule, own: &mut OwnDice, ledger: &mut Ledger<'_>) -> Result<(), String> {
    if !letter.is_ascii_uppercase() {
        return Err("a symbol is a letter from A to Z".to_owned());
    }
    if is_word(name) || name.chars().any(|letter| letter.is_ascii_digit()) {
        return Err("its name means something else in conditions".to_owned());
    }
    if own.symbols.iter().any(|other| other.letter == letter || same(&other.name, name)) {
        return Err("another symbol has this letter or name".to_owned());
    }
    if ledger.has_room(own.symbols.len(), "symbols", rule.span) {
        own.symbols.push(Symbol { letter, name: name.to_owned(), place: ledger.place(rule.span) });
    }
    Ok(())
}

/// A name of dice: one word that means nothing else in an expression.
fn named(name: &str) -> Result<String, String> {
    let is_word = name.chars().all(|letter| letter.is_alphanumeric() || letter == '-')
        && name.chars().take(2).filter(|letter| letter.is_alphabetic()).count() == 2;
    match is_word && !RESERVED.contains(&fold(name).as_str()) && parse(name).is_err() {
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

fn die(name: &str, faces: &[Face], own: &OwnDice, span: Span, ledger: &Ledger<'_>) -> Result<OwnDie, String> {
    let sides: Result<Vec<Side>, String> = faces.iter().map(|face| side(face, own)).collect();
    let (name, die) = (named(name)?, sides_of(sides?)?);
    Ok(OwnDie { name, die, deck: false, stays: None, place: ledger.place(span) })
}

fn side(face: &Face, own: &OwnDice) -> Result<Side, String> {
    match face {
        Face::Blank => Ok(Side::default()),
        Face::Number(number) => Ok(Side { number: Some(*number), symbols: String::new() }),
        Face::Symbols(letters) => {
            let is_known = |letter: char| {
                letter.is_ascii_uppercase()
                    && (own.symbols.is_empty() || own.symbols.iter().any(|one| one.letter == letter))
            };
            match letters.chars().find(|letter| !is_known(*letter)) {
                Some(other) => Err(format!("`{other}` is no symbol, as `- Symbol {other}: …` would make it")),
                None if letters.len() > SYMBOLS_MAX => Err(format!("a face has at most {SYMBOLS_MAX} symbols")),
                None => Ok(Side { number: None, symbols: letters.clone() }),
            }
        }
    }
}

/// Each rank of each suit, and cards of neither. Without suits a card of each rank, or, where none is a number, of each name.
fn deck(name: &str, cards: &Cards, own: &mut OwnDice, span: Span, ledger: &Ledger<'_>) -> Result<OwnDie, String> {
    let name = named(name)?;
    let mut symbols = own.symbols.clone();
    let has_numbers = cards.ranks.iter().any(|rank| matches!(rank, Rank::Numbers(..)));
    let is_ranked = has_numbers || !cards.suits.is_empty();
    let mut sides = Vec::new();
    let ranks = if is_ranked { ranks(&cards.ranks)? } else { Vec::new() };
    let with = |name: &str, symbols: &mut Vec<Symbol>| -> Result<String, String> {
        Ok(letter_of(name, symbols, span, ledger)?.to_string())
    };
    if cards.suits.is_empty() {
        sides.extend(ranks.iter().map(|(_, rank)| Side { number: Some(*rank), symbols: String::new() }));
    }
    for suit in &cards.suits {
        let letter = with(suit, &mut symbols)?;
        sides.extend(ranks.iter().map(|(_, rank)| Side { number: Some(*rank), symbols: letter.clone() }));
    }
    let names = cards.ranks.iter().filter_map(|rank| match rank {
        Rank::Letter(name) if !is_ranked => Some((1, name)),
        _ => None,
    });
    for (many, name) in names.chain(cards.more.iter().map(|(many, name)| (*many, name))) {
        let many = usize::try_from(many).ok().filter(|many| (1..=FACES_MAX).contains(many));
        let many = many.ok_or_else(|| format!("there are from 1 to {FACES_MAX} of a card"))?;
        let letter = with(name, &mut symbols)?;
        sides.extend(std::iter::repeat_n(Side { number: None, symbols: letter }, many));
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
    Ok(OwnDie { name, die, deck: true, stays, place: ledger.place(span) })
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
fn letter_of(name: &str, known: &mut Vec<Symbol>, span: Span, ledger: &Ledger<'_>) -> Result<char, String> {
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
    known.push(Symbol { letter, name: name.to_owned(), place: ledger.place(span) });
    Ok(letter)
}
