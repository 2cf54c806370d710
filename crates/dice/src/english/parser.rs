//! Reads a request of words by recursive descent, to notation.
//!
//! ```text
//! request   = phrase { phrase } [ "." | "?" | "!" ] [ "#" comment ]
//! phrase    = { filler } ( dice | constant | advantage | operation ) { filler }
//! filler    = article | joint | "roll" | "throw" | "toss" | "cast" | "me" | "please" | "at" | "die" | "dice" | ","
//! article   = "a" | "an" | "the"                       joint = "and" | "with"
//! dice      = [ sign ] [ number ] ( "d" number | NOTATION | "percentile" )
//! constant  = sign number [ noun ] | noun [ "of" ] sign number | number          (the last one first of all, before a sign)
//! sign      = ( "+" | "-" | "plus" | "minus" ) { article }
//! noun      = "modifier" | "mod" | "bonus"
//! advantage = "adv" | "advantage" | "dis" | "disadv" | "disadvantage"
//! operation = ( "keep" | "drop" ) { article } ( [ number ] end | end number )
//!           | ( "reroll" | "rerolling" ) face { ( "and" | "," ) face }
//!           | "exploding" | "explode"
//!           | ( "count" | "counting" ) at-least
//!           | "minimum" [ "of" ] number
//! end       = "highest" | "lowest"
//! face      = NUMBER "s" | number-word "s" | number
//! at-least  = NUMBER "+" | number "or" ( "higher" | "more" )
//! number    = NUMBER | number-word          ("zero" to "ninety-nine"; "hundred" after it, or alone)
//! NOTATION  = dice in notation with their modifiers, such as "d6", "4d6kh3", "2d6[fire]"; one die may be in the plural ("d6s")
//! ```
//!
//! Dice that are not first need a sign or a joint before them ("2d6 and a d4" is a sum). An
//! operation belongs to the dice before it. Constants in front of all dice are written after them.
//! There must be dice. Nothing else is read, and nothing is left over.

use crate::english::piece::{
    ADVANTAGE, ARTICLES, JOINTS, NOUNS, Piece, Token, is_filler, is_one_of,
};
use crate::english::refusal::unknown;
use crate::error::{Code, DiceError, Fault};
use crate::expression::Expression;
use crate::expression::print::sign_text;
use crate::expression::tree::{Node, Sign};
use crate::notation::{strict, suggest};
use crate::text::Span;

/// Dice with what is done with them, or a constant.
struct Term {
    sign: char,
    is_constant: bool,
    text: String,
}

struct Parser<'p> {
    pieces: &'p [Piece],
    at: usize,
    terms: Vec<Term>,
    /// The words for advantage, and where they are.
    advantage: Vec<(&'static str, Span)>,
    /// Whether an operation may follow.
    is_after_dice: bool,
}

/// Reads the pieces of a sentence, all of them.
pub(super) fn expression(pieces: &[Piece], comment: &str) -> Result<Expression, DiceError> {
    let mut parser = Parser {
        pieces,
        at: 0,
        terms: Vec::new(),
        advantage: Vec::new(),
        is_after_dice: false,
    };
    loop {
        let is_joined = parser.fillers();
        if parser.peek().is_none() {
            return parser.finish(comment);
        }
        parser.phrase(is_joined)?;
    }
}

impl<'p> Parser<'p> {
    fn phrase(&mut self, is_joined: bool) -> Result<(), DiceError> {
        let from = self.at;
        if let Some(sign) = self.sign() {
            return self.signed(from, sign);
        }
        if self.take(&NOUNS).is_some() {
            self.take(&["of"]);
            let sign = self.sign().ok_or_else(|| self.unknown(from))?;
            let number = self.number().ok_or_else(|| self.unknown(from))?;
            self.term(sign, true, number.to_string());
            return Ok(());
        }
        if let Some(word) = self.take(&ADVANTAGE) {
            self.advantage.push((word, self.span(from, self.at)));
            self.is_after_dice = false;
            return Ok(());
        }
        if let Some(operation) = self.operation()? {
            let Some(term) = self.terms.last().filter(|_| self.is_after_dice) else {
                return Err(self.unknown(from));
            };
            let text = format!("{}{operation}", term.text);
            self.check(&text, from)?;
            self.terms
                .last_mut()
                .into_iter()
                .for_each(|term| term.text.clone_from(&text));
            return Ok(());
        }
        match self.dice()? {
            Some(dice) if is_joined || self.terms.is_empty() => self.term('+', false, dice),
            None if self.terms.is_empty() => {
                let number = self.number().ok_or_else(|| self.unknown(from))?;
                let end = self.at;
                self.sign().ok_or_else(|| self.unknown(from))?;
                self.at = end;
                self.term('+', true, number.to_string());
            }
            _ => return Err(self.unknown(from)),
        }
        Ok(())
    }

    /// Dice or a constant after a sign.
    fn signed(&mut self, from: usize, sign: char) -> Result<(), DiceError> {
        let is_number = matches!(
            self.peek().map(|piece| &piece.token),
            Some(Token::Number(_) | Token::Spelled(_))
        );
        if let Some(dice) = self.dice()? {
            // `+3 d20` before all: three dice, or one and a constant?
            if self.terms.is_empty() && is_number {
                return Err(self.unknown(from));
            }
            self.term(sign, false, dice);
            return Ok(());
        }
        let number = self.number().ok_or_else(|| self.unknown(from))?;
        self.take(&NOUNS);
        self.term(sign, true, number.to_string());
        Ok(())
    }

    fn term(&mut self, sign: char, is_constant: bool, text: String) {
        self.terms.push(Term {
            sign,
            is_constant,
            text,
        });
        self.is_after_dice = !is_constant;
    }

    /// The dice that begin here, as notation.
    fn dice(&mut self) -> Result<Option<String>, DiceError> {
        let from = self.at;
        let count = self.number();
        let token = self.peek().map(|piece| &piece.token);
        self.at += 1;
        let dice = match token {
            Some(Token::Notation(run)) if count.is_none() || run.starts_with('d') => {
                Some(singular(run).to_owned())
            }
            Some(Token::Word(word)) if word == "df" => Some("dF".to_owned()),
            Some(Token::Word(word)) if word == "percentile" => Some("d100".to_owned()),
            Some(Token::Word(word)) if word == "d" => {
                self.number().map(|sides| format!("d{sides}"))
            }
            _ => None,
        };
        let Some(dice) = dice else {
            self.at = from;
            return Ok(None);
        };
        let text = count.map(|count| count.to_string()).unwrap_or_default() + &dice;
        let expression = self.check(&text, from)?;
        let request = expression.request();
        let is_term = match &request.check.node {
            Node::Dice(_) | Node::Group(_) | Node::Labelled(..) | Node::Call(..) => {
                !expression.dice().is_empty()
            }
            // `d66` is a sum of dice.
            Node::Sum(_) => dice.starts_with('d'),
            Node::Number(_) | Node::Variable(_) | Node::Product(_) | Node::Negative(_) => false,
        };
        if is_term && request.check.test.is_none() && request.repeat.is_none() {
            Ok(Some(text))
        } else {
            Err(self.unknown(from))
        }
    }

    /// What is done with the dice before, as notation.
    fn operation(&mut self) -> Result<Option<String>, DiceError> {
        let from = self.at;
        let words = [
            "keep",
            "drop",
            "reroll",
            "rerolling",
            "exploding",
            "explode",
            "count",
            "counting",
            "minimum",
        ];
        let Some(word) = self.take(&words) else {
            return Ok(None);
        };
        let text = match word {
            "keep" | "drop" => self.selection(word),
            "reroll" | "rerolling" => self.faces(),
            "exploding" | "explode" => Some("!".to_owned()),
            "count" | "counting" => self.at_least().map(|least| format!("t{least}")),
            _ => {
                self.take(&["of"]);
                self.number().map(|least| format!("min{least}"))
            }
        };
        text.map(Some).ok_or_else(|| self.unknown(from))
    }

    /// `highest 3`, `the lowest`, `the 3 highest`.
    fn selection(&mut self, verb: &str) -> Option<String> {
        while self.take(&ARTICLES).is_some() {}
        let before = self.number();
        let end = self.take(&["highest", "lowest"])?;
        let count = before.or_else(|| self.number()).unwrap_or(1);
        Some(format!("{}{}{count}", verb.get(..1)?, end.get(..1)?))
    }

    /// `1s and 2s`.
    fn faces(&mut self) -> Option<String> {
        let mut text = format!("ro{}", self.face().or_else(|| self.number())?);
        loop {
            let start = self.at;
            self.at +=
                usize::from(self.peek().is_some_and(|piece| {
                    piece.token == Token::Comma || is_one_of(piece, &["and"])
                }));
            let Some(face) = self.face() else {
                self.at = start;
                return Some(text);
            };
            text.push_str(&format!("ro{face}"));
        }
    }

    fn face(&mut self) -> Option<i64> {
        let Token::Face(face) = self.peek()?.token else {
            return None;
        };
        self.at += 1;
        Some(face)
    }

    /// `8+`, `8 or higher`.
    fn at_least(&mut self) -> Option<i64> {
        if let Token::AtLeast(least) = self.peek()?.token {
            self.at += 1;
            return Some(least);
        }
        let least = self.number()?;
        self.take(&["or"])?;
        self.take(&["higher", "more"])?;
        Some(least)
    }

    fn number(&mut self) -> Option<i64> {
        let (mut value, is_tens) = match self.peek()?.token {
            Token::Number(value) => (value, false),
            Token::Spelled(value) => (value, (20..100).contains(&value) && value % 10 == 0),
            _ => return None,
        };
        self.at += 1;
        if let Some(Token::Spelled(next)) = self.peek().map(|piece| &piece.token) {
            match next {
                1..=9 if is_tens => value += next,
                100 if value < 100 => value *= 100,
                _ => return Some(value),
            }
            self.at += 1;
        }
        Some(value)
    }

    fn sign(&mut self) -> Option<char> {
        let sign = match &self.peek()?.token {
            Token::Sign(sign) => *sign,
            Token::Word(word) if word == "plus" => '+',
            Token::Word(word) if word == "minus" => '-',
            _ => return None,
        };
        self.at += 1;
        while self.take(&ARTICLES).is_some() {}
        Some(sign)
    }

    /// Passes what means nothing; answers whether a joint was among it.
    fn fillers(&mut self) -> bool {
        let mut is_joined = false;
        while let Some(piece) = self.peek().filter(|piece| is_filler(piece)) {
            is_joined |= is_one_of(piece, &JOINTS);
            self.at += 1;
        }
        is_joined
    }

    fn finish(mut self, comment: &str) -> Result<Expression, DiceError> {
        let constants = self
            .terms
            .iter()
            .take_while(|term| term.is_constant)
            .count();
        let whole = self.span(0, self.pieces.len());
        if constants == self.terms.len() && self.advantage.is_empty() {
            let (message, hint) = ("There is no die in this.", "Say which dice to roll.");
            return Err(Fault::new(Code::UnparseableInput, whole, message).hint(hint, "1d20 + 5"));
        }
        self.terms.rotate_left(constants);
        let mut text = self.written();
        if text.is_empty() {
            // The rule of advantage says that a die is missing.
            text.push('0');
        }
        self.advantage
            .iter()
            .for_each(|(word, _)| text.push_str(&format!(" {word}")));
        let span = self
            .advantage
            .last()
            .map_or(whole, |(_, span)| *span)
            .range();
        let text = text + comment;
        strict(&text).map_err(|error| DiceError {
            span,
            ..suggest(error, &text)
        })
    }

    fn written(&self) -> String {
        let mut text = String::new();
        for (nth, term) in self.terms.iter().enumerate() {
            text.push_str(sign_text(
                nth == 0,
                if term.sign == '+' {
                    Sign::Plus
                } else {
                    Sign::Minus
                },
            ));
            text.push_str(&term.text);
        }
        text
    }

    /// The text as an expression; a refusal is about the pieces from `from` on.
    fn check(&self, text: &str, from: usize) -> Result<Expression, DiceError> {
        strict(text).map_err(|error| DiceError {
            span: self.span(from, self.at).range(),
            ..suggest(error, text)
        })
    }

    fn peek(&self) -> Option<&'p Piece> {
        self.pieces.get(self.at)
    }

    fn take(&mut self, words: &[&'static str]) -> Option<&'static str> {
        let Token::Word(word) = &self.peek()?.token else {
            return None;
        };
        let found = words.iter().find(|known| *known == word)?;
        self.at += 1;
        Some(found)
    }

    fn span(&self, from: usize, to: usize) -> Span {
        let pieces = self.pieces.get(from..to.max(from + 1)).unwrap_or_default();
        let place = pieces
            .first()
            .zip(pieces.last())
            .map(|(first, last)| Span::new(first.span.start, last.span.end));
        place.unwrap_or_default()
    }

    fn unknown(&self, from: usize) -> DiceError {
        let before = if self.advantage.is_empty() {
            self.written()
        } else {
            String::new()
        };
        unknown(self.pieces, from, self.at, &before)
    }
}

/// `d8` for `d8s`, which in a sentence is a plural and not a sorted die.
fn singular(run: &str) -> &str {
    let is_plural = |singular: &&str| {
        let sides = singular
            .trim_start_matches(|char: char| char.is_ascii_digit())
            .strip_prefix('d');
        sides.is_some_and(|sides| {
            !sides.is_empty() && sides.bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    run.strip_suffix('s').filter(is_plural).unwrap_or(run)
}
