//! Named dice, decks, symbols and cancellations from the lines of the section.

use super::{NamedDice, NamedDie, StayOut, Symbol};
use crate::codes;
use crate::grammar::file::Rule;
use crate::grammar::line::{Cards, DiceLine, Line, Rank};
use crate::grammar::tree::{Function, is_measure_word};
use crate::language::ledger::Ledger;
use crate::language::outline::Outline;
use crate::section::SectionKind;
use rollbook_dice::{Die, Side, parse};
use rollbook_text::diagnostic::{Diagnostic, Place};
use rollbook_text::names::{fold, same};

/// The most faces of a die, and cards of a deck.
const FACES_MAX: usize = 100;
/// The most symbols on one face.
const SYMBOLS_MAX: usize = 9;
/// The highest rank of a card.
const RANK_MAX: i64 = 100;
/// Words with a meaning in expressions.
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

/// Reads symbols, then the dice that show them, then cancellations.
pub fn read(outline: &Outline<'_>, ledger: &mut Ledger<'_>) -> NamedDice {
    let mut all = NamedDice::default();
    let lines = outline
        .rules(SectionKind::Dice)
        .filter_map(|rule| match &rule.line {
            Line::Dice(line) => Some((rule, line)),
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
        let (length, kind) = if is_die {
            (all.dice.len(), "dice")
        } else {
            (all.symbols.len(), "symbols")
        };
        if !ledger.has_room(length, kind, rule.span) {
            continue;
        }
        let read = match line {
            DiceLine::Symbol { letter, name } => symbol(*letter, name, place, &mut all),
            DiceLine::Die { name, faces } => {
                die(name, faces, place, &all).map(|made| all.dice.push(made))
            }
            DiceLine::Deck { name, cards } => {
                deck(name, cards, place, &mut all).map(|made| all.dice.push(made))
            }
            DiceLine::Cancel(pairs) => pairs.iter().try_for_each(|pair| cancel(*pair, &mut all)),
            _ => Ok(()),
        };
        if let Err(why) = read {
            let found =
                Diagnostic::error(codes::UNREADABLE_FACES, "there is no such die or symbol");
            let help = "`rollbook explain dice/unreadable-faces` shows dice, decks and symbols";
            ledger.report(found.at(rule.span, why).help(help));
        }
    }
    all
}

fn cancel((one, other): (char, char), all: &mut NamedDice) -> Result<(), String> {
    if one == other || !all.is_drawn(one) || !all.is_drawn(other) {
        return Err("these are no two symbols that stand on dice".to_owned());
    }
    all.cancels.push((one, other));
    Ok(())
}

fn symbol(letter: char, name: &str, place: Place, all: &mut NamedDice) -> Result<(), String> {
    if !letter.is_ascii_uppercase() {
        return Err("a symbol is a letter from A to Z".to_owned());
    }
    if is_measure_word(name) || name.chars().any(|letter| letter.is_ascii_digit()) {
        return Err("its name means something else in conditions".to_owned());
    }
    if all
        .symbols
        .iter()
        .any(|other| other.letter == letter || same(&other.name, name))
    {
        return Err("another symbol has this letter or name".to_owned());
    }
    all.symbols.push(Symbol {
        letter,
        name: name.to_owned(),
        place,
    });
    Ok(())
}

/// A name of dice: one word without another meaning in expressions.
fn named(name: &str) -> Result<String, String> {
    let is_word = name
        .chars()
        .all(|letter| letter.is_alphanumeric() || letter == '-')
        && name
            .chars()
            .take(2)
            .filter(|letter| letter.is_alphabetic())
            .count()
            == 2;
    let folded = fold(name);
    let is_reserved = RESERVED
        .iter()
        .copied()
        .chain(Function::NAMED.map(Function::as_str))
        .any(|word| word == folded);
    match is_word && !is_reserved && parse(name).is_err() {
        true => Ok(name.to_owned()),
        false => Err(
            "dice are called by one word of two letters or more that means nothing else".to_owned(),
        ),
    }
}

/// A die with these sides. A die with numbers alone is added up.
fn sides_of(sides: Vec<Side>) -> Result<Die, String> {
    if !(2..=FACES_MAX).contains(&sides.len()) {
        return Err(format!(
            "a die has from 2 to {FACES_MAX} faces, and a deck as many cards"
        ));
    }
    let number = |side: &Side| side.number.filter(|_| side.symbols.is_empty());
    let numbers: Option<Vec<i64>> = sides.iter().map(number).collect();
    Ok(numbers.map_or(Die::Symbols(sides), Die::Faces))
}

fn die(name: &str, faces: &[Side], place: Place, all: &NamedDice) -> Result<NamedDie, String> {
    let is_symbol =
        |letter: char| all.symbols.is_empty() || all.symbols.iter().any(|one| one.letter == letter);
    let mut letters = faces.iter().flat_map(|face| face.symbols.chars());
    if let Some(other) = letters.find(|letter| !letter.is_ascii_uppercase() || !is_symbol(*letter))
    {
        return Err(format!(
            "`{other}` is no symbol, as `- Symbol {other}: …` would make it"
        ));
    }
    if faces.iter().any(|face| face.symbols.len() > SYMBOLS_MAX) {
        return Err(format!("a face has at most {SYMBOLS_MAX} symbols"));
    }
    Ok(NamedDie {
        name: named(name)?,
        die: sides_of(faces.to_vec())?,
        deck: false,
        stay_out: None,
        place,
    })
}

/// A card for each rank of each suit, and further cards. Without suits, a card for each rank, or
/// for each name if no rank is a number.
fn deck(name: &str, cards: &Cards, place: Place, all: &mut NamedDice) -> Result<NamedDie, String> {
    let name = named(name)?;
    let mut symbols = all.symbols.clone();
    let has_numbers = cards
        .ranks
        .iter()
        .any(|rank| matches!(rank, Rank::Numbers(..)));
    let is_ranked = has_numbers || !cards.suits.is_empty();
    let mut sides = Vec::new();
    let ranks = if is_ranked {
        ranks(&cards.ranks)?
    } else {
        Vec::new()
    };
    let mut letter = |name: &str| letter_of(name, &mut symbols, &place).map(String::from);
    let suits = cards
        .suits
        .iter()
        .map(|suit| letter(suit))
        .collect::<Result<Vec<String>, String>>()?;
    // Without suits there is one card of each rank, without a letter.
    for suit in suits
        .iter()
        .cloned()
        .chain(suits.is_empty().then(String::new))
    {
        sides.extend(ranks.iter().map(|(_, rank)| Side {
            number: Some(*rank),
            symbols: suit.clone(),
        }));
    }
    let names = cards.ranks.iter().filter_map(|rank| match rank {
        Rank::Letter(name) if !is_ranked => Some((1, name)),
        _ => None,
    });
    for (many, name) in names.chain(cards.more.iter().map(|(many, name)| (*many, name))) {
        let many = usize::try_from(many)
            .ok()
            .filter(|many| (1..=FACES_MAX).contains(many));
        let many = many.ok_or_else(|| format!("there are from 1 to {FACES_MAX} of a card"))?;
        sides.extend(std::iter::repeat_n(
            Side {
                number: None,
                symbols: letter(name)?,
            },
            many,
        ));
    }
    let stays = match &cards.stay_out {
        None => None,
        Some(None) => Some(StayOut {
            until: None,
            faces: Vec::new(),
        }),
        Some(Some(until)) => {
            let rank = ranks
                .iter()
                .find(|(name, _)| same(name, until))
                .map(|(_, rank)| *rank);
            let letter = symbols
                .iter()
                .find(|symbol| same(&symbol.name, until))
                .map(|symbol| symbol.letter);
            let is = |side: &Side| match letter {
                Some(letter) => side.symbols.contains(letter),
                None => rank.is_some() && side.number == rank,
            };
            let plain = sides.iter().all(|side| side.symbols.is_empty());
            let face = |(at, side): (usize, &Side)| {
                side.number
                    .filter(|_| plain)
                    .or_else(|| i64::try_from(at + 1).ok())
            };
            let faces: Vec<i64> = sides
                .iter()
                .enumerate()
                .filter(|(_, side)| is(side))
                .filter_map(face)
                .collect();
            if faces.is_empty() {
                return Err(format!("`{until}` is no card, suit or rank of this deck"));
            }
            Some(StayOut {
                until: Some(until.clone()),
                faces,
            })
        }
    };
    let die = sides_of(sides)?;
    // Drawn cards are kept by the deck's cards, so two decks with the same cards would be one.
    let twin = |other: &&NamedDie| {
        other.deck && other.die == die && (stays.is_some() || other.stay_out.is_some())
    };
    if let Some(twin) = all.dice.iter().find(twin) {
        return Err(format!(
            "{} has the same cards, and which of the two a draw is of could not be told",
            twin.name
        ));
    }
    all.symbols = symbols;
    Ok(NamedDie {
        name,
        die,
        deck: true,
        stay_out: stays,
        place,
    })
}

/// `2-10, J, Q, K, A`: each rank with its name. A letter is one more than the rank before it.
fn ranks(all: &[Rank]) -> Result<Vec<(String, i64)>, String> {
    let mut ranks: Vec<(String, i64)> = Vec::new();
    for rank in all {
        match rank {
            Rank::Numbers(low, high)
                if (0..=RANK_MAX).contains(low) && low <= high && *high <= RANK_MAX =>
            {
                ranks.extend((*low..=*high).map(|rank| (rank.to_string(), rank)));
            }
            Rank::Numbers(..) => {
                return Err(format!("ranks go from 0 to {RANK_MAX}, the lower first"));
            }
            Rank::Letter(name) => {
                ranks.push((name.clone(), ranks.last().map_or(1, |(_, last)| last + 1)))
            }
        }
    }
    Ok(ranks)
}

/// The letter of a suit or a card: the first free letter of its name, else the first free one. Adds
/// it as a symbol if it is new.
fn letter_of(name: &str, known: &mut Vec<Symbol>, place: &Place) -> Result<char, String> {
    if let Some(symbol) = known.iter().find(|symbol| same(&symbol.name, name)) {
        return Ok(symbol.letter);
    }
    if is_measure_word(name) || !name.starts_with(char::is_alphabetic) {
        return Err(format!("`{name}` is no name of a suit or a card"));
    }
    let is_free = |letter: &char| !known.iter().any(|symbol| symbol.letter == *letter);
    let letters = name
        .chars()
        .map(|letter| letter.to_ascii_uppercase())
        .filter(char::is_ascii_uppercase);
    let letter = letters.chain('A'..='Z').find(is_free);
    let letter = letter
        .ok_or_else(|| "there are more than 26 symbols, suits and names of cards".to_owned())?;
    known.push(Symbol {
        letter,
        name: name.to_owned(),
        place: place.clone(),
    });
    Ok(letter)
}
