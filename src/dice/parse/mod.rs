//! Notation to tree, by recursive descent without backtracking.
//!
//! ```text
//! request = "repeat" "(" check "," INT ")" [ "#" comment ] | check [ "#" comment ]
//! check   = expr [ ("vs"|"under") expr | cmp expr | "bands" INT {"," INT} ] [ advantage-word ]
//! expr    = term { ("+"|"-") term }          term = unary { ("*"|"/"|"//") unary }
//! unary   = ("+"|"-") unary | atom { "[" label "]" }
//! atom    = NUMBER | dice | func "(" expr {"," expr} ")" | group [ keep | drop | count ] | "(" expr ")"
//! group   = ("{" expr "," expr {"," expr} "}") | ("(" expr "," expr {"," expr} ")")
//! dice    = [ INT | "(" constant-expr ")" ] "d" ( INT | "%" | "F" [".1"|".2"] | "{" face {"," face} "}" ) { modifier }
//! modifier= keep | drop | reroll | explode | clamp | count | percentile | mark | sort | advantage-word
//! keep    = ("k"|"kh"|"kl") [INT] | "k" cmp INT        drop = ("d"|"dh"|"dl") [INT] | "d" cmp INT | ("ph"|"pl") [INT]
//! reroll  = ("r"|"ro"|"rr") [cmp] INT                  explode = ("!"|"x"|"e"|"!o"|"xo"|"!!"|"!p"|"!!p") [[cmp] INT]
//! clamp   = ("min"|"mi"|"max"|"ma") INT                count = "t" [cmp] INT | cmp INT | "f" [cmp] INT | "ds" [cmp] INT | "even" | "odd"
//! percentile = ("b"|"p") INT     (only after d%)       mark = ("crit"|"fumble") [cmp] INT       sort = "s"|"sa"|"sd"
//! cmp     = "=" | "<>" | "<" | "<=" | ">" | ">="       func = floor | ceil | round | abs | min | max
//! advantage-word = "adv" | "advantage" | "dis" | "disadv" | "disadvantage"
//! ```
//!
//! Case-insensitive; spaces between tokens, never inside a number. A NUMBER may have up to six
//! decimal places. The longest keyword wins. An INT that a modifier requires may be negative
//! (`4dFro-1`); one that it may leave out may not (`2d20kh-1` is keep one, minus one). A face is an
//! INT and may be negative.
//!
//! In a formula, `{name}` and `{name=0}` are variables and may stand for any NUMBER, and for the
//! INT of a count, of a number of sides and of a modifier; braces around a comma, or around
//! another brace, are a group.

mod atom;
mod brace;
pub(crate) mod cursor;
pub(crate) mod dice;
mod hint;
mod modifier;

use crate::dice::advantage::{self, Mode};
use crate::dice::ast::{Check, Factor, Node, Request, Sign, Test};
use crate::dice::error::{Code, DiceError};
use crate::dice::limits::Limits;
use crate::dice::parse::cursor::Cursor;
use crate::dice::span::Span;

const LIMITS: Limits = Limits::DEFAULT;

/// What braces around a name mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// Variables are refused.
    Notation,
    /// `{name}` is a variable.
    Formula,
}

/// Reads a whole text.
pub(crate) fn request(text: &str, dialect: Dialect) -> Result<Request, DiceError> {
    if text.len() > LIMITS.text_bytes {
        let span = Span::new(0, text.len());
        return Err(DiceError::limit("bytes", LIMITS.text_bytes, span, "2d6 + 3"));
    }
    let mut parser = Parser { cursor: Cursor::new(text), dialect, depth: 0, terms: 0, start: 0, advantage: None };
    parser.request().map_err(|error| snapped(error, text))
}

/// Widens the span to whole characters of the text.
fn snapped(mut error: DiceError, text: &str) -> DiceError {
    error.span.start = text.floor_char_boundary(error.span.start);
    error.span.end = text.ceil_char_boundary(error.span.end);
    error
}

/// Reads what a variable stands for: one expression, or several with commas between.
pub(crate) fn members(text: &str) -> Result<Vec<Node>, DiceError> {
    let mut parser =
        Parser { cursor: Cursor::new(text), dialect: Dialect::Notation, depth: 0, terms: 0, start: 0, advantage: None };
    let mut members = vec![parser.expr()?];
    while parser.cursor.take(b',') {
        members.push(parser.expr()?);
    }
    match parser.cursor.next() {
        0 => Ok(members),
        _ => Err(parser.leftover()),
    }
}

struct Parser<'a> {
    cursor: Cursor<'a>,
    dialect: Dialect,
    depth: usize,
    terms: usize,
    /// Where the innermost expression begins; dice that stand there are the whole of it so far.
    start: usize,
    advantage: Option<(Mode, Span)>,
}

impl Parser<'_> {
    fn request(&mut self) -> Result<Request, DiceError> {
        if self.cursor.next() == 0 {
            return Err(DiceError::new(
                Code::Empty,
                Span::new(0, self.cursor.text().len()),
                "There is nothing to roll.",
                "Write a dice expression.",
                "1d20 + 5",
            ));
        }
        let (check, repeat) =
            if self.cursor.at_whole_word("repeat") { self.repeated()? } else { (self.check()?, None) };
        let comment = self.comment()?;
        match self.cursor.next() {
            0 => Ok(Request { check, repeat, comment }),
            _ => Err(self.leftover()),
        }
    }

    fn repeated(&mut self) -> Result<(Check, Option<u32>), DiceError> {
        self.cursor.take_whole_word("repeat");
        let example = "repeat(4d6kh3, 6)";
        self.expect(b'(', "repeat(", example)?;
        let check = self.check()?;
        self.expect(b',', "a comma and how often", example)?;
        self.cursor.skip_space();
        let start = self.cursor.at();
        let times = self.literal()?.unwrap_or(0);
        let span = self.cursor.since(start);
        if times > LIMITS.repeat {
            return Err(DiceError::limit("repeats", LIMITS.repeat, span, example));
        }
        let Some(times) = u32::try_from(times).ok().filter(|times| *times > 0) else {
            return Err(DiceError::new(
                Code::UnparseableInput,
                span,
                "repeat needs a number of times from 1 to 100.",
                "Write the number after the comma.",
                example,
            ));
        };
        self.expect(b')', "a closing parenthesis", example)?;
        Ok((check, Some(times)))
    }

    fn comment(&mut self) -> Result<Option<String>, DiceError> {
        if !self.cursor.take(b'#') {
            return Ok(None);
        }
        let start = self.cursor.at();
        let comment = self.cursor.rest().trim();
        if comment.chars().any(char::is_control) {
            return Err(DiceError::new(
                Code::UnparseableInput,
                Span::new(start, self.cursor.text().len()),
                "A comment is one line of text.",
                "Take out line breaks and control characters.",
                "1d20 + 5 # attack",
            ));
        }
        self.cursor.go(self.cursor.text().len());
        Ok((!comment.is_empty()).then(|| comment.to_owned()))
    }

    fn check(&mut self) -> Result<Check, DiceError> {
        let mut node = self.expr()?;
        if self.cursor.next() == 0 && self.advantage.is_none() {
            return Ok(Check { node, test: None });
        }
        self.advantage_words()?;
        let test = self.test()?;
        self.advantage_words()?;
        if let Some((mode, span)) = self.advantage {
            advantage::apply(&mut node, mode, span)?;
        }
        Ok(Check { node, test })
    }

    fn test(&mut self) -> Result<Option<Test>, DiceError> {
        if self.cursor.take_whole_word("vs") {
            return Ok(Some(Test::Versus(self.expr()?)));
        }
        if self.cursor.take_whole_word("under") {
            return Ok(Some(Test::Under(self.expr()?)));
        }
        if self.cursor.take_whole_word("bands") {
            return self.bands().map(Some);
        }
        match self.cursor.take_comparison() {
            Some(comparison) => Ok(Some(Test::Compare(comparison, self.expr()?))),
            None => Ok(None),
        }
    }

    fn bands(&mut self) -> Result<Test, DiceError> {
        self.cursor.skip_space();
        let start = self.cursor.at();
        let mut bands: Vec<i64> = Vec::new();
        loop {
            let band = self.signed_literal()?;
            if bands.last().is_some_and(|last| *last >= band) || bands.len() >= LIMITS.terms {
                return Err(DiceError::new(
                    Code::UnparseableInput,
                    self.cursor.since(start),
                    "Bands are the lower ends of ranges, each larger than the one before.",
                    "Write them in rising order.",
                    "2d6 + 1 bands 7, 10",
                ));
            }
            bands.push(band);
            // In `repeat(2d6 bands 7, 10, 3)` the last number is the number of times.
            if self.depth_repeat() && self.last_number_follows() {
                break;
            }
            if !self.cursor.take(b',') {
                break;
            }
        }
        Ok(Test::Bands(bands))
    }

    /// Whether this check stands inside `repeat(`.
    fn depth_repeat(&self) -> bool {
        let text = self.cursor.text().trim_start();
        text.get(..6).is_some_and(|word| word.eq_ignore_ascii_case("repeat"))
    }

    /// Whether `, INT )` follows.
    fn last_number_follows(&self) -> bool {
        let mut ahead = self.cursor.clone();
        ahead.take(b',') && {
            ahead.skip_space();
            !ahead.take_digits().is_empty() && ahead.take(b')')
        }
    }

    /// Notes every advantage word that stands here.
    fn advantage_words(&mut self) -> Result<(), DiceError> {
        loop {
            self.cursor.skip_space();
            let start = self.cursor.at();
            let Some(mode) = self.advantage_word() else {
                return Ok(());
            };
            self.note_advantage(mode, self.cursor.since(start))?;
        }
    }

    fn at_any_advantage_word(&self) -> bool {
        self.cursor.at_whole_word("adv") || self.cursor.at_whole_word("advantage") || self.at_advantage_word()
    }

    fn advantage_word(&mut self) -> Option<Mode> {
        if !matches!(self.cursor.next(), b'a' | b'd') {
            return None;
        }
        const WORDS: [(&str, Mode); 5] = [
            ("adv", Mode::Advantage),
            ("advantage", Mode::Advantage),
            ("dis", Mode::Disadvantage),
            ("disadv", Mode::Disadvantage),
            ("disadvantage", Mode::Disadvantage),
        ];
        WORDS.into_iter().find_map(|(word, mode)| self.cursor.take_whole_word(word).then_some(mode))
    }

    fn note_advantage(&mut self, mode: Mode, span: Span) -> Result<(), DiceError> {
        match self.advantage {
            None => {
                self.advantage = Some((mode, span));
                Ok(())
            }
            Some((first, _)) if first == mode => Err(DiceError::new(
                Code::Duplicate,
                span,
                format!("{} is written twice.", mode.as_str()),
                "It never stacks: write it once.",
                "1d20 adv + 5",
            )),
            Some(_) => Err(DiceError::new(
                Code::InvalidAdvantageUsage,
                span,
                "Advantage and disadvantage cancel each other.",
                "Leave both out and roll one d20.",
                "1d20 + 5",
            )),
        }
    }

    fn expr(&mut self) -> Result<Node, DiceError> {
        self.cursor.skip_space();
        let outer = std::mem::replace(&mut self.start, self.cursor.at());
        let first = self.term()?;
        if !matches!(self.cursor.next(), b'+' | b'-') {
            self.start = outer;
            return Ok(first);
        }
        let mut terms = vec![(Sign::Plus, first)];
        loop {
            let sign = match self.cursor.next() {
                b'+' => Sign::Plus,
                b'-' => Sign::Minus,
                _ => break,
            };
            self.cursor.bump();
            terms.push((sign, self.term()?));
        }
        self.start = outer;
        Ok(Node::Sum(terms))
    }

    fn term(&mut self) -> Result<Node, DiceError> {
        let first = self.unary()?;
        if !matches!(self.cursor.next(), b'*' | b'/') {
            return Ok(first);
        }
        let mut factors = vec![(Factor::Times, first)];
        loop {
            let mut factor = match self.cursor.next() {
                b'*' => Factor::Times,
                b'/' => Factor::Divide,
                _ => return Ok(Node::Product(factors)),
            };
            self.cursor.bump();
            if factor == Factor::Divide && self.cursor.peek() == b'/' {
                self.cursor.bump();
                factor = Factor::DivideFloor;
            }
            factors.push((factor, self.unary()?));
        }
    }

    fn unary(&mut self) -> Result<Node, DiceError> {
        match self.cursor.next() {
            b'-' => {
                self.cursor.bump();
                let node = self.nested(Self::unary)?;
                Ok(Node::Negative(Box::new(node)))
            }
            b'+' => {
                self.cursor.bump();
                self.nested(Self::unary)
            }
            _ => {
                let atom = self.atom()?;
                self.labelled(atom)
            }
        }
    }

    fn labelled(&mut self, node: Node) -> Result<Node, DiceError> {
        if self.cursor.next() != b'[' {
            return Ok(node);
        }
        let mut labels = Vec::new();
        while self.cursor.take(b'[') {
            let start = self.cursor.at();
            let label = self.cursor.rest().split(']').next().unwrap_or("");
            let end = start + label.len();
            let closed = end < self.cursor.text().len();
            let trimmed = label.trim();
            let bad = |char: char| char == '[' || char.is_control();
            if !closed || trimmed.is_empty() || trimmed.contains(bad) {
                return Err(DiceError::new(
                    Code::UnparseableInput,
                    Span::new(start.saturating_sub(1), end),
                    "A label is one line of text between [ and ].",
                    "Close the label, or take it out.",
                    "2d6[fire] + 3",
                ));
            }
            labels.push(trimmed.to_owned());
            self.cursor.go(end + 1);
        }
        Ok(Node::Labelled(Box::new(node), labels))
    }

    /// Runs `read` one level deeper, within the nesting limit.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, DiceError>) -> Result<T, DiceError> {
        if self.depth >= LIMITS.nesting {
            let at = self.cursor.at();
            let span = Span::new(at.saturating_sub(1), at);
            return Err(DiceError::limit("levels of nesting", LIMITS.nesting, span, "(2d6 + 1) * 2"));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Counts one number, dice term or variable.
    fn count_term(&mut self, start: usize) -> Result<(), DiceError> {
        self.terms += 1;
        if self.terms <= LIMITS.terms {
            return Ok(());
        }
        let span = self.cursor.since(start);
        Err(DiceError::limit("terms", LIMITS.terms, span, "2d6 + 1d8 + 3"))
    }

    fn expect(&mut self, byte: u8, what: &str, example: &str) -> Result<(), DiceError> {
        if self.cursor.take(byte) {
            return Ok(());
        }
        if self.cursor.peek() != 0 {
            let error = self.leftover();
            if error.code != Code::UnparseableInput {
                return Err(error);
            }
        }
        let at = self.cursor.at();
        let length = self.cursor.rest().chars().next().map_or(0, char::len_utf8);
        Err(DiceError::new(
            Code::UnparseableInput,
            Span::new(at, at + length),
            format!("Here {what} is missing."),
            format!("Write `{}` there.", char::from(byte)),
            example,
        ))
    }
}
