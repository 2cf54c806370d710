//! Named dice and decks, their symbols, and the notation for their names in an expression.

pub mod read;

use rollbook_dice::Die;
use rollbook_text::diagnostic::Place;
use rollbook_text::names::{fold, plurals, same};

/// The dice, symbols and cancellations of the rules.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NamedDice {
    /// The dice, in the author's order.
    pub dice: Vec<NamedDie>,
    /// The symbols that have a name.
    pub symbols: Vec<Symbol>,
    /// Letters of symbols that cancel each other one for one, in the author's order.
    pub cancels: Vec<(char, char)>,
}

/// A die with a name: `2 Ability` is two of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedDie {
    /// One word, as the author writes it.
    pub name: String,
    pub die: Die,
    /// Whether it is a deck: no card is drawn twice.
    pub deck: bool,
    /// How drawn cards stay out from one roll to the next; none: the deck is whole for each roll.
    pub stay_out: Option<StayOut>,
    pub place: Place,
}

/// How drawn cards of a deck stay out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StayOut {
    /// The card after which it is shuffled, as written; none: when too few are left, or by the GM.
    pub until: Option<String>,
    /// The faces of that card.
    pub faces: Vec<i64>,
}

impl NamedDie {
    /// The name of a card or face: `10H`, `J`, `7`.
    pub fn card(&self, face: i64) -> String {
        self.die
            .side(face)
            .map_or_else(|| face.to_string(), ToString::to_string)
    }

    /// Every face, each as often as it occurs.
    pub fn faces(&self) -> Vec<i64> {
        self.die
            .weights()
            .into_iter()
            .flat_map(|(face, many)| (0..many).map(move |_| face))
            .collect()
    }
}

/// A symbol and its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// The letter on the faces, a capital.
    pub letter: char,
    /// As the author writes it.
    pub name: String,
    pub place: Place,
}

impl NamedDice {
    /// The decks whose drawn cards stay out.
    pub fn decks_that_stay_out(&self) -> impl Iterator<Item = &NamedDie> {
        self.dice.iter().filter(|die| die.stay_out.is_some())
    }

    /// Whether a die has this symbol.
    fn is_drawn(&self, letter: char) -> bool {
        let sides = self.dice.iter().filter_map(|die| match &die.die {
            Die::Symbols(sides) => Some(sides),
            _ => None,
        });
        sides.flatten().any(|side| side.symbols.contains(letter))
    }

    /// The letter of the symbol with this name.
    pub fn letter(&self, name: &str) -> Option<char> {
        self.symbols
            .iter()
            .find(|symbol| same(&symbol.name, name))
            .map(|symbol| symbol.letter)
    }

    /// The name of a symbol, else its letter.
    pub fn name_of(&self, letter: char) -> String {
        let symbol = self.symbols.iter().find(|symbol| symbol.letter == letter);
        symbol.map_or_else(|| letter.to_string(), |symbol| symbol.name.clone())
    }

    /// The text with each named die in notation: `2d{-,S,SA}[Boost]` for `2 Boost`; None: no die.
    pub fn in_notation(&self, text: &str) -> Option<String> {
        if self.dice.is_empty() {
            return None;
        }
        let mut out = String::with_capacity(text.len());
        let (mut found, mut at, mut depth) = (false, 0, 0_usize);
        while let Some(letter) = text.get(at..).and_then(|rest| rest.chars().next()) {
            depth = match letter {
                '{' | '[' => depth + 1,
                '}' | ']' => depth.saturating_sub(1),
                _ => depth,
            };
            let inside_word = out.chars().next_back().is_some_and(char::is_alphabetic);
            let rest = text.get(at..).unwrap_or_default();
            let length = rest
                .find(|sign: char| !(sign.is_alphanumeric() || sign == '-'))
                .unwrap_or(rest.len());
            let begins = letter.is_alphabetic() && depth == 0 && !inside_word;
            match begins.then(|| self.named_at(rest.get(..length)?)).flatten() {
                Some((die, length)) => {
                    // Modifiers go before the label.
                    let after = rest.get(length..).unwrap_or_default();
                    let apart = after.trim_start();
                    let gap = if is_modifier(until_sign(apart)) {
                        after.len() - apart.len()
                    } else {
                        0
                    };
                    let modifiers = until_sign(after.get(gap..).unwrap_or_default());
                    let deck = if die.deck { "unique" } else { "" };
                    out.push_str(&format!("{}{deck}{modifiers}[{}]", die.die, die.name));
                    at += length + gap + modifiers.len();
                    found = true;
                }
                None => {
                    out.push(letter);
                    at += letter.len_utf8();
                }
            }
        }
        found.then_some(out)
    }

    /// The die that a word names, alone or before a modifier (`Boostro1`), and the name's length.
    fn named_at(&self, word: &str) -> Option<(&NamedDie, usize)> {
        if let Some(die) = self.named(word) {
            return Some((die, word.len()));
        }
        let mut ends = word
            .char_indices()
            .map(|(at, _)| at)
            .filter(|at| *at > 0)
            .rev();
        ends.find_map(|at| {
            let (name, rest) = word.split_at_checked(at)?;
            is_modifier(rest)
                .then(|| self.named(name))
                .flatten()
                .map(|die| (die, at))
        })
    }

    /// The die of this name, in singular or plural, with a `d` before it or without.
    fn named(&self, word: &str) -> Option<&NamedDie> {
        let is = |word: &str| {
            let folded = fold(word);
            self.dice
                .iter()
                .find(|die| plurals(&die.name).any(|name| name == folded))
        };
        is(word).or_else(|| word.strip_prefix(['d', 'D']).and_then(is))
    }
}

/// The text before the next sign, space or bracket.
fn until_sign(text: &str) -> &str {
    let end = text.find(|sign: char| sign.is_whitespace() || "+-*/),[]}#".contains(sign));
    text.get(..end.unwrap_or(text.len())).unwrap_or_default()
}

/// Whether it is a modifier of dice: `kh2`.
fn is_modifier(word: &str) -> bool {
    let letters = word.len()
        - word
            .trim_start_matches(|letter: char| letter.is_ascii_alphabetic())
            .len();
    (1..=4).contains(&letters)
        && word
            .get(letters..)
            .is_some_and(|rest| rest.parse::<u8>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rollbook_dice::parse;

    fn example() -> NamedDice {
        let die = |name: &str, notation: &str| NamedDie {
            name: name.to_owned(),
            die: parse(notation).expect("dice").dice().remove(0),
            deck: false,
            stay_out: None,
            place: Place::default(),
        };
        NamedDice {
            dice: vec![die("Boost", "1d{-,S,SA}"), die("Gate-Key", "1d{-,K}")],
            ..NamedDice::default()
        }
    }

    #[test]
    fn names_are_written_out_with_their_faces() {
        let out = |text: &str| example().in_notation(text);
        assert_eq!(
            out("2 Boost + 1d6").as_deref(),
            Some("2 d{-,S,SA}[Boost] + 1d6")
        );
        assert_eq!(
            out("{boost}dBoost").as_deref(),
            Some("{boost}d{-,S,SA}[Boost]")
        );
        assert_eq!(
            out("2 Boostro1 + 1").as_deref(),
            Some("2 d{-,S,SA}ro1[Boost] + 1")
        );
        assert_eq!(
            out("2 Boost ro1 + 1d6 kh1").as_deref(),
            Some("2 d{-,S,SA}ro1[Boost] + 1d6 kh1")
        );
        assert_eq!(
            out("2 Boost vs 3").as_deref(),
            Some("2 d{-,S,SA}[Boost] vs 3")
        );
        assert_eq!(
            out("3 boosts!3[mine]").as_deref(),
            Some("3 d{-,S,SA}!3[Boost][mine]")
        );
        assert_eq!(
            out("(1 + {n}) gate-key").as_deref(),
            Some("(1 + {n}) d{-,K}[Gate-Key]")
        );
        for text in ["2d6 + {boost}", "1d6[boost]", "2 Boosters", ""] {
            assert_eq!(out(text), None, "{text}");
        }
        for text in ["2 Boost + 1d6", "3 boosts!3[mine]"] {
            assert!(parse(&out(text).expect("dice")).is_ok(), "{text}");
        }
    }
}
