//! The words and signs of a condition.

use std::ops::Range;

use super::error::WhenError;
use crate::dice::Fraction;
use crate::rules::document::Text;

/// A word or sign with the bytes of the cell where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands in the cell's words.
    pub at: Range<usize>,
}

/// What a token is.
#[derive(Debug, Clone, PartialEq)]
pub enum TokenKind {
    /// A word in lower case, or a face name such as `6s`.
    Word(String),
    /// A number without a sign.
    Number(Fraction),
    /// `{name}`, with its default.
    Variable(String, Option<i64>),
    /// `+ - * / ( ) ,`
    Sign(char),
    /// Where a code span begins or ends.
    Tick,
}

/// Digits of a number, before and after the point together.
const DIGITS_MAX: usize = 15;

/// Splits a cell into tokens. A cell that is one code span is read as if it were none.
///
/// # Errors
/// At the first character that no condition has.
pub fn lex(cell: &Text) -> Result<Vec<Token>, WhenError> {
    let words = cell.as_str();
    let all_code = words.char_indices().all(|(at, _)| cell.is_code(at));
    let mut lexer = Lexer { words, tokens: Vec::new() };
    let mut at = 0;
    let mut in_code = false;
    while let Some(letter) = words.get(at..).and_then(|rest| rest.chars().next()) {
        let code = !all_code && cell.is_code(at);
        if code != in_code {
            lexer.tokens.push(Token { kind: TokenKind::Tick, at: at..at });
            in_code = code;
        }
        at = lexer.next(at, letter)?;
    }
    if in_code {
        lexer.tokens.push(Token { kind: TokenKind::Tick, at: at..at });
    }
    Ok(lexer.tokens)
}

struct Lexer<'a> {
    words: &'a str,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    /// Reads one token and returns where the next begins.
    fn next(&mut self, at: usize, letter: char) -> Result<usize, WhenError> {
        let end_of = |accept: fn(char) -> bool| {
            let rest = self.words.get(at..).unwrap_or_default();
            at + rest.find(|letter| !accept(letter)).unwrap_or(rest.len())
        };
        if letter.is_whitespace() {
            return Ok(at + letter.len_utf8());
        }
        if letter.is_ascii_digit() {
            return self.number(at, end_of(|letter| letter.is_ascii_digit() || letter == '.'));
        }
        if letter.is_alphabetic() {
            let end = end_of(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '\''));
            let word = self.words.get(at..end).unwrap_or_default().to_lowercase();
            return Ok(self.add(TokenKind::Word(word), at..end));
        }
        if letter == '{' {
            return self.variable(at);
        }
        let sign = match letter {
            '\u{2212}' | '\u{2010}'..='\u{2014}' => '-',
            '×' => '*',
            '÷' => '/',
            '+' | '-' | '*' | '/' | '(' | ')' | ',' => letter,
            _ => {
                let error = WhenError::new(at..at + letter.len_utf8(), format!("`{letter}` has no meaning here"));
                return Err(if matches!(letter, '<' | '>' | '=' | '≤' | '≥') {
                    error.help("say it in words: `total at least 10`, `total less than 4`")
                } else {
                    error
                });
            }
        };
        Ok(self.add(TokenKind::Sign(sign), at..at + letter.len_utf8()))
    }

    /// `12`, `0.5`, or the face name `6s`.
    fn number(&mut self, at: usize, mut end: usize) -> Result<usize, WhenError> {
        let mut digits = self.words.get(at..end).unwrap_or_default();
        if let Some(sentence) = digits.strip_suffix('.') {
            digits = sentence;
            end -= 1;
        }
        let rest = self.words.get(end..).unwrap_or_default();
        if rest.starts_with(['s', 'S']) && !rest.get(1..).is_some_and(|rest| rest.starts_with(char::is_alphanumeric)) {
            return Ok(self.add(TokenKind::Word(format!("{digits}s")), at..end + 1));
        }
        let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
        let ratio = (whole.len() + part.len() <= DIGITS_MAX)
            .then(|| {
                let top: i128 = format!("{whole}{part}").parse().ok()?;
                Fraction::new(top, 10i128.checked_pow(u32::try_from(part.len()).ok()?)?)
            })
            .flatten();
        match ratio {
            Some(ratio) => Ok(self.add(TokenKind::Number(ratio), at..end)),
            None => Err(WhenError::new(at..end, format!("`{digits}` cannot be read as a number"))),
        }
    }

    fn variable(&mut self, at: usize) -> Result<usize, WhenError> {
        let rest = self.words.get(at..).unwrap_or_default();
        let Some(length) = rest.find('}') else {
            return Err(WhenError::new(at..self.words.len(), "the brace is not closed"));
        };
        let end = at + length + 1;
        let inner = self.words.get(at + 1..end - 1).unwrap_or_default();
        let (name, default) = match inner.split_once('=') {
            None => (inner.trim(), None),
            Some((name, default)) => match default.trim().parse() {
                Ok(default) => (name.trim(), Some(default)),
                Err(_) => return Err(WhenError::new(at..end, "the default is not a whole number")),
            },
        };
        if name.is_empty() {
            return Err(WhenError::new(at..end, "a variable has a name"));
        }
        Ok(self.add(TokenKind::Variable(name.to_owned(), default), at..end))
    }

    fn add(&mut self, kind: TokenKind, at: Range<usize>) -> usize {
        let end = at.end;
        self.tokens.push(Token { kind, at });
        end
    }
}
