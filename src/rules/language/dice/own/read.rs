//! Reads `- Die Ability: blank, S, S, SS, A, A, SA, AA`; what a symbol is called, `- Symbol S: success`; which cancel, `- Cancel: S
//! against F`.

use super::deck::deck;
use super::{Cancel, OwnDice, OwnDie, Symbol};
use crate::diagnostic::{Diagnostic, Span};
use crate::dice::{Die, Side, parse};
use crate::names::{Slip, fold, plurals, slip};
use crate::rules::codes;
use crate::rules::document::Text;
use crate::rules::language::labels::{Labelled, labelled, misspelt, report_repeated};
use crate::rules::language::ledger::Ledger;
use crate::rules::language::outline::Outline;
use crate::rules::section::SectionKind;
use crate::rules::when::is_reserved;

/// How the label of a die begins, folded.
const DIE: &str = "die ";
/// How the label of a deck begins.
pub(super) const DECK: &str = "deck ";
/// How the label of a symbol begins.
const SYMBOL: &str = "symbol ";
/// The label of what cancels.
const CANCEL: &str = "cancel";
/// Faces of one die.
pub(super) const FACES_MAX: usize = 100;
/// What a blank face may be called.
const BLANK: [&str; 7] = ["blank", "nothing", "none", "-", "\u{2013}", "\u{2014}", "\u{2212}"];
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

/// Whether a bullet of the Dice section is read here.
pub fn is_own(folded: &str) -> bool {
    [DIE, DECK, SYMBOL].iter().any(|part| folded.starts_with(part)) || folded == CANCEL
}

/// Reports a label that is nearly one of these: `Dye Ability`, `Symbols S`, `Cancels`.
pub fn report_misspelling(label: &Labelled, ledger: &mut Ledger<'_>) -> bool {
    let (first, rest) = label.folded.split_once(' ').unwrap_or((&label.folded, ""));
    let near = |known: &str| matches!(slip(first, known), Some(Slip::Clear | Slip::Number));
    let meant = match (rest.is_empty(), near("symbol"), near(CANCEL)) {
        (false, true, _) => format!("Symbol {}", rest.to_ascii_uppercase()),
        (true, _, true) => "Cancel".to_owned(),
        (true, true, _) => "Symbol S".to_owned(),
        _ => return false,
    };
    ledger.report(misspelt(label, &meant));
    true
}

/// Reads them all, before anything that may roll them.
pub fn read(outline: &Outline<'_>, ledger: &mut Ledger<'_>) -> OwnDice {
    let bullets = outline.bullets(SectionKind::Dice);
    let labels: Vec<Labelled> = bullets.filter_map(|bullet| labelled(bullet, ledger)).collect();
    let mut own = OwnDice::default();
    let mut seen: Vec<(&str, Span)> = Vec::new();
    // What faces and cancellations speak of comes first.
    for part in [SYMBOL, DECK, DIE, CANCEL] {
        for label in labels.iter().filter(|label| label.folded.starts_with(part) && is_own(&label.folded)) {
            ledger.take(label.span);
            let before = seen.iter().find(|(folded, _)| *folded == label.folded && part != CANCEL);
            if let Some((_, first)) = before {
                report_repeated(label, *first, ledger);
                continue;
            }
            seen.push((&label.folded, label.span));
            if !ledger.has_room(own.dice.len().max(own.symbols.len()), "dice and symbols", label.span) {
                break;
            }
            match part {
                SYMBOL => own.symbols.extend(symbol(label, &own.symbols, ledger)),
                DIE => own.dice.extend(die(label, &own, ledger)),
                DECK => own.dice.extend(deck(label, &own.dice, &mut own.symbols, ledger)),
                _ => own.cancels.extend(cancels(label, &own, ledger)),
            }
        }
    }
    own
}

/// `Symbol S: success`
fn symbol(label: &Labelled, known: &[Symbol], ledger: &mut Ledger<'_>) -> Option<Symbol> {
    let letter = label.label.slice(SYMBOL.len()..label.label.as_str().len()).trim();
    let mut letters = letter.as_str().chars().map(|letter| letter.to_ascii_uppercase());
    let (Some(first @ 'A'..='Z'), None) = (letters.next(), letters.next()) else {
        unreadable(&letter, "a symbol is one letter on a face", "write `- Symbol S: success`", ledger);
        return None;
    };
    let words = label.value.split_all(&[",", ";", ". "]).into_iter().next().unwrap_or_else(|| label.value.clone());
    let name = words.as_str().trim_end_matches('.').trim();
    let taken = is_reserved(name) || name.chars().any(|letter| letter.is_ascii_digit());
    if name.is_empty() || taken || known.iter().any(|own| fold(&own.name) == fold(name)) {
        let why = "this name means something else in conditions";
        unreadable(&label.value, why, "give the symbol a name of its own: `- Symbol S: success`", ledger);
        return None;
    }
    Some(Symbol { letter: first, name: name.to_owned(), place: ledger.place(label.span) })
}

/// `Die Ability: blank, S, S, SS`, `Die Fuel: 1, 2, 2, 3`, `Die Red: d6`.
fn die(label: &Labelled, own: &OwnDice, ledger: &mut Ledger<'_>) -> Option<OwnDie> {
    let name = name(label, DIE, ledger)?;
    let made =
        |die| Some(OwnDie { name: name.clone(), die, deck: false, stays: None, place: ledger.place(label.span) });
    let value = label.value.codes().into_iter().next().unwrap_or_else(|| label.value.clone());
    let bare = parse(value.as_str().trim_end_matches('.')).ok().and_then(|plain| {
        let die = plain.dice().into_iter().next()?;
        (plain.to_string() == format!("1{die}")).then_some(die)
    });
    if bare.is_some() {
        return bare.and_then(made);
    }
    let parts = value.split_all(&[",", ";"]);
    if !(2..=FACES_MAX).contains(&parts.len()) {
        let why = format!("a die has from 2 to {FACES_MAX} faces");
        unreadable(&label.value, &why, "write each face, with commas between: `blank, S, S, SA`", ledger);
        return None;
    }
    let mut sides = Vec::new();
    for part in &parts {
        match side(part.as_str().trim_end_matches('.'), &own.symbols) {
            Ok(side) => sides.push(side),
            Err(why) => {
                let help = "write a number, `blank`, or symbols, a letter each: `SA`; and what each is called: `- Symbol S: success`";
                unreadable(part, &why, help, ledger);
                return None;
            }
        }
    }
    let number = |side: &Side| side.number.filter(|_| side.symbols.is_empty());
    let numbers: Option<Vec<i64>> = sides.iter().map(number).collect();
    made(numbers.map_or(Die::Symbols(sides), Die::Faces))
}

/// The name of dice, behind the word of the bullet.
pub(super) fn name(label: &Labelled, behind: &str, ledger: &mut Ledger<'_>) -> Option<String> {
    let name = label.label.slice(behind.len()..label.label.as_str().len()).trim();
    let word = name.as_str();
    let is_word = word.chars().all(|letter| letter.is_alphanumeric() || letter == '-')
        && word.chars().take(2).filter(|letter| letter.is_alphabetic()).count() == 2;
    if !is_word || RESERVED.contains(&fold(word).as_str()) || parse(word).is_ok() {
        let help = "call it by one word of two letters or more: `- Die Ability: blank, S, S, SA`";
        unreadable(&name, "dice cannot be called so in an expression", help, ledger);
        return None;
    }
    Some(word.to_owned())
}

/// `blank`, `3`, `SA`, `S + A`, `success, advantage`, `2 success`.
pub(super) fn side(words: &str, symbols: &[Symbol]) -> Result<Side, String> {
    if BLANK.contains(&fold(words).as_str()) || BLANK.contains(&words) {
        return Ok(Side::default());
    }
    if let Ok(number) = words.replace('\u{2212}', "-").trim_start_matches('+').parse::<i32>() {
        return Ok(Side { number: Some(i64::from(number)), symbols: String::new() });
    }
    let (mut letters, mut times) = (String::new(), 1_usize);
    for word in words.split([' ', '+']).filter(|word| !word.is_empty() && !word.eq_ignore_ascii_case("and")) {
        if let Ok(number @ 1..=9) = word.parse::<usize>() {
            times = number;
            continue;
        }
        let read = match letter(word, symbols) {
            Some(letter) => letter.to_string(),
            None => word.to_ascii_uppercase(),
        };
        let is_known =
            |own: char| own.is_ascii_uppercase() && (symbols.is_empty() || symbols.iter().any(|one| one.letter == own));
        if let Some(unknown) = read.chars().find(|own| !is_known(*own)) {
            return Err(format!("`{unknown}` is no symbol of these rules, as `- Symbol {unknown}: …` would make it"));
        }
        letters.push_str(&read.repeat(times));
        times = 1;
    }
    match letters.len() {
        1..=9 => Ok(Side { number: None, symbols: letters }),
        0 => Err("there is no face here".to_owned()),
        _ => Err("a face has at most nine symbols".to_owned()),
    }
}

/// The letter of a symbol that is meant by its letter or by its name, in singular or plural.
fn letter(word: &str, symbols: &[Symbol]) -> Option<char> {
    let folded = fold(word);
    let called = symbols.iter().find(|own| plurals(&own.name).any(|name| name == folded));
    let mut letters = word.chars();
    let alone = match (letters.next(), letters.next()) {
        (Some(letter), None) if letter.is_ascii_alphabetic() => Some(letter.to_ascii_uppercase()),
        _ => None,
    };
    called.map(|own| own.letter).or(alone)
}

/// `Cancel: S against F, advantage against threat`
fn cancels(label: &Labelled, own: &OwnDice, ledger: &mut Ledger<'_>) -> Vec<Cancel> {
    let mut all = Vec::new();
    for part in label.value.split_all(&[",", ";"]) {
        let words = part.as_str().trim_end_matches('.').to_owned();
        let sides = [" against ", " and ", " with "].iter().find_map(|between| words.split_once(between));
        let of = |word: &str| letter(word.trim(), &own.symbols).filter(|letter| own.is_drawn(*letter));
        match sides.and_then(|(one, other)| Some((of(one)?, of(other)?))).filter(|(one, other)| one != other) {
            Some(between) => all.push(Cancel { between, place: ledger.place(label.span) }),
            None => unreadable(
                &part,
                "these are no two symbols that stand on dice",
                "name two that do: `- Cancel: S against F`",
                ledger,
            ),
        }
    }
    all
}

pub(super) fn unreadable(at: &Text, why: &str, help: &str, ledger: &mut Ledger<'_>) {
    let message = format!("`{}` cannot be read as part of a die", crate::names::shortened(at.as_str(), 60));
    ledger.report(
        Diagnostic::error(codes::UNREADABLE_FACES, message)
            .at(at.span(), why)
            .because("until then there is no such die or symbol")
            .help(help),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Place;

    #[test]
    fn faces_are_letters_names_and_numbers() {
        let symbols = [('S', "success"), ('A', "edge")].map(|(letter, name)| Symbol {
            letter,
            name: name.to_owned(),
            place: Place::default(),
        });
        let read = |text: &str| side(text, &symbols).map(|side| side.to_string());
        for (text, face) in [
            ("blank", "-"),
            ("\u{2014}", "-"),
            ("SA", "SA"),
            ("s a", "SA"),
            ("success + edge", "SA"),
            ("2 successes", "SS"),
            ("3", "3"),
            ("-1", "-1"),
        ] {
            assert_eq!(read(text).as_deref(), Ok(face), "{text}");
        }
        for text in ["X", "SX", "SSSSSSSSSS", "1d6", "suces"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
