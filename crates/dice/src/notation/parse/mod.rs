//! Notation to tree, by recursive descent without backtracking.
//!
//! ```text
//! request = "repeat" "(" check "," INT ")" [ "#" comment ] | check [ "#" comment ]
//! check   = expr [ ("vs"|"under") expr | cmp expr | "bands" INT {"," INT} ] [ advantage-word ]
//! expr    = term { ("+"|"-") term }          term = unary { ("*"|"/"|"//") unary }
//! unary   = ("+"|"-") unary | atom { "[" label "]" }
//! atom    = NUMBER | dice | call | group [ keep | drop | count ] | "(" expr ")"
//! group   = ("{" expr "," expr {"," expr} "}") | ("(" expr "," expr {"," expr} ")")
//! dice    = [ INT | "(" constant-expr ")" | constant-call ] "d" ( INT | "%" | "F" [".1"|".2"] | "{" face {"," face} "}" ) [ mode ] { modifier }
//! mode    = "(" advantage-word ")"     (one d20: `d20(adv)` is `2d20kh1`)
//! modifier= keep | drop | reroll | explode | clamp | count | percentile | mark | sort | "unique" | advantage-word
//! keep    = ("k"|"kh"|"kl") [INT] | "k" cmp INT        drop = ("d"|"dh"|"dl") [INT] | "d" cmp INT | ("ph"|"pl") [INT]
//! reroll  = ("r"|"ro"|"rr") [cmp] INT                  explode = ("!"|"x"|"e"|"!o"|"xo"|"!!"|"!p"|"!!p") [[cmp] INT]
//! clamp   = ("min"|"mi"|"max"|"ma") INT                count = "t" [cmp] INT | cmp INT | "f" [cmp] INT | "ds" [cmp] INT | "even" | "odd"
//! percentile = ("b"|"p") INT     (only after d%)       mark = ("crit"|"fumble") [cmp] INT       sort = "s"|"sa"|"sd"
//! cmp     = "=" | "<>" | "<" | "<=" | ">" | ">="       call = ("floor"|"ceil"|"round"|"abs") "(" expr ")"
//!                                                                  | ("min"|"max") "(" expr "," expr {"," expr} ")"
//! advantage-word = "adv" | "advantage" | "dis" | "disadv" | "disadvantage"
//! ```
//!
//! Case-insensitive; spaces between tokens, never inside a number. A NUMBER may have up to six
//! decimal places. The longest keyword wins. An INT that a modifier requires may be negative
//! (`4dFro-1`); one that it may leave out may not (`2d20kh-1` is keep one, minus one). A face is an
//! INT and may be negative, or letters, each a symbol (`d{-,S,S,SA}`), or `-` or `blank` for none;
//! `2..14H` is a face with each of these numbers.
//!
//! Where `rr` and `ro` both match, `rr` rerolls, and the one reroll of `ro` is left for a face that
//! only it matches.
//!
//! What modifiers do: `t` counts dice of at least the number, or as compared; `f` takes one success
//! off, `ds` counts a die twice; after `r`, `!`, `f`, `ds`, `crit` and `fumble` a bare number means
//! exactly that face. Of dice that are `unique` no two of one roll show the same face, as of cards:
//! all terms with these faces draw from one deck. `ph` and `pl` are `dh` and `dl`. `dF.2` is `dF`;
//! `dF.1` has one minus, one plus and four blanks. A sort changes only how dice are shown.
//!
//! `/` is exact; `//` floors. `floor` goes down and `ceil` up, below zero too; `round` goes to the
//! nearest whole number, halves upward (`round(1/2)` is 1, `round(-1/2)` is 0).
//!
//! A comment after a `repeat` is that of all its rolls. Where only a number is before the `#` and
//! dice are after it (`6#4d6`), six rolls were meant, and it is refused. Labels and comments hold
//! no characters that act on a terminal.
//!
//! In a formula, `{name}` and `{name=0}` are variables and may stand for any NUMBER, and for the
//! INT of a count, of a number of sides and of a modifier; braces around a comma, or around another
//! brace, are a group.

mod check;
pub(crate) mod cursor;
pub(crate) mod dice;
mod expr;
mod modifier;
mod refusal;

use crate::error::{Code, DiceError, Fault};
use crate::expression::tree::{Node, Request};
use crate::limits;
use crate::notation::parse::cursor::Cursor;
use crate::record::Mode;
use crate::text::Span;

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
    if text.len() > limits::TEXT_BYTES {
        let span = Span::new(0, text.len());
        return Err(DiceError::limit(
            "bytes",
            limits::TEXT_BYTES,
            span,
            "2d6 + 3",
        ));
    }
    Parser::new(text, dialect).request().map_err(|error| {
        // A span is of whole characters.
        let span =
            text.floor_char_boundary(error.span.start)..text.ceil_char_boundary(error.span.end);
        DiceError { span, ..error }
    })
}

/// Reads the dice text of a variable: one expression, or several with commas between.
pub(crate) fn members(text: &str) -> Result<Vec<Node>, DiceError> {
    let mut parser = Parser::new(text, Dialect::Notation);
    let mut members = vec![parser.expr()?];
    while parser.cursor.take(b',') {
        members.push(parser.expr()?);
    }
    if parser.cursor.next() == 0 {
        Ok(members)
    } else {
        Err(parser.leftover())
    }
}

struct Parser<'a> {
    cursor: Cursor<'a>,
    dialect: Dialect,
    depth: usize,
    terms: usize,
    /// Where the innermost expression begins; dice that are there are the whole of it so far.
    start: usize,
    advantage: Option<(Mode, Span)>,
    /// The first that is written at its die in parentheses.
    mode_of_die: Option<(Mode, Span)>,
    /// Where the target of the check begins.
    target: Option<usize>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, dialect: Dialect) -> Self {
        let (advantage, mode_of_die, target) = (None, None, None);
        Parser {
            cursor: Cursor::new(text),
            dialect,
            depth: 0,
            terms: 0,
            start: 0,
            advantage,
            mode_of_die,
            target,
        }
    }

    /// Runs `read` one level deeper, within the nesting limit.
    fn nested<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, DiceError>,
    ) -> Result<T, DiceError> {
        if self.depth >= limits::NESTING {
            let at = self.cursor.at();
            let span = Span::new(at.saturating_sub(1), at);
            return Err(DiceError::limit(
                "levels of nesting",
                limits::NESTING,
                span,
                "(2d6 + 1) * 2",
            ));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Counts one number, dice term or variable.
    fn count_term(&mut self, start: usize) -> Result<(), DiceError> {
        self.terms += 1;
        if self.terms <= limits::TERMS {
            return Ok(());
        }
        let span = self.cursor.since(start);
        Err(DiceError::limit(
            "terms",
            limits::TERMS,
            span,
            "2d6 + 1d8 + 3",
        ))
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
        Err(Fault::new(
            Code::UnparseableInput,
            Span::new(at, at + length),
            format!("Here {what} is missing."),
        )
        .hint(format!("Write `{}` there.", char::from(byte)), example))
    }
}
