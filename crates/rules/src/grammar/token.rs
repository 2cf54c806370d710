//! A value of a rule in tokens, each with its place.

use std::borrow::Cow;
use std::ops::Range;

use crate::document::Text;
use rollbook_text::names::fold;

/// The most tokens of one value.
pub const TOKENS_MAX: usize = 2_000;

/// The smallest thing that a rule is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token<'t> {
    pub kind: Kind<'t>,
    /// Its bytes in the value.
    pub at: Range<usize>,
    /// Whether it touches the token before it.
    pub touches: bool,
}

/// What a token is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Kind<'t> {
    /// Digits.
    Number(i64),
    /// Letters, folded.
    Word(Cow<'t, str>),
    /// A sign; `−` and `–` are `-`.
    Sign(char),
    /// The beginning of a code span.
    Open,
    /// Its end.
    Close,
    /// A run of emphasis, as it is written.
    Emphasis(String),
}

impl Kind<'_> {
    fn into_owned(self) -> Kind<'static> {
        match self {
            Kind::Word(word) => Kind::Word(Cow::Owned(word.into_owned())),
            Kind::Number(number) => Kind::Number(number),
            Kind::Sign(sign) => Kind::Sign(sign),
            Kind::Open => Kind::Open,
            Kind::Close => Kind::Close,
            Kind::Emphasis(words) => Kind::Emphasis(words),
        }
    }
}

/// The tokens of a value without a full stop at its end. At most one more than [`TOKENS_MAX`].
pub fn tokens(value: &Text) -> Vec<Token<'_>> {
    let text = value.as_str();
    let mut lexer = Lexer {
        text,
        tokens: Vec::new(),
        is_code: false,
        end: 0,
    };
    let mut at = 0;
    for (end, mark) in value.ends() {
        if mark.is_emphasis {
            lexer.code(false, at);
            lexer.emphasis(at..end);
        } else {
            // Two code spans side by side are two.
            lexer.code(false, at);
            lexer.code(mark.is_code, at);
            lexer.run(at..end);
        }
        at = end;
        if lexer.tokens.len() > TOKENS_MAX {
            break;
        }
    }
    lexer.code(false, at);
    let mut tokens = lexer.tokens;
    if tokens
        .last()
        .is_some_and(|last| last.kind == Kind::Sign('.'))
    {
        tokens.pop();
    }
    tokens.truncate(TOKENS_MAX + 1);
    tokens
}

/// The words of a name as [`tokens`] gives them, without hyphens.
pub fn words(name: &str) -> Vec<Kind<'static>> {
    let mut lexer = Lexer {
        text: name,
        tokens: Vec::new(),
        is_code: false,
        end: 0,
    };
    lexer.run(0..name.len());
    let words = lexer
        .tokens
        .into_iter()
        .map(|token| token.kind)
        .filter(|kind| *kind != Kind::Sign('-'));
    words.map(Kind::into_owned).collect()
}

struct Lexer<'a> {
    text: &'a str,
    tokens: Vec<Token<'a>>,
    is_code: bool,
    /// Where the last token ends.
    end: usize,
}

impl<'a> Lexer<'a> {
    fn push(&mut self, kind: Kind<'a>, at: Range<usize>) {
        let touches = self.end == at.start && !self.tokens.is_empty();
        self.end = at.end;
        self.tokens.push(Token { kind, at, touches });
    }

    /// Begins or ends a code span here.
    fn code(&mut self, is_code: bool, at: usize) {
        if is_code != self.is_code {
            self.push(if is_code { Kind::Open } else { Kind::Close }, at..at);
            self.is_code = is_code;
        }
    }

    /// Joins runs that touch: a line end or a word in bold does not end the emphasis.
    fn emphasis(&mut self, at: Range<usize>) {
        let words = self.text.get(at.clone()).unwrap_or_default();
        match self.tokens.last_mut() {
            Some(Token {
                kind: Kind::Emphasis(run),
                at: place,
                ..
            }) if place.end == at.start => {
                run.push_str(words);
                place.end = at.end;
                self.end = at.end;
            }
            _ => self.push(Kind::Emphasis(words.to_owned()), at),
        }
    }

    fn run(&mut self, range: Range<usize>) {
        let text = self.text.get(..range.end).unwrap_or_default();
        let mut at = range.start;
        while let Some(letter) = text.get(at..).and_then(|rest| rest.chars().next()) {
            let rest = text.get(at..).unwrap_or_default();
            let run =
                |is: fn(char) -> bool| rest.find(|letter: char| !is(letter)).unwrap_or(rest.len());
            let length = match letter {
                '0'..='9' => run(|letter| letter.is_ascii_digit()),
                letter if is_of_word(letter) => run(is_of_word),
                letter => letter.len_utf8(),
            };
            let word = rest.get(..length).unwrap_or_default();
            let place = at..at + length;
            match letter {
                letter if letter.is_whitespace() => {}
                // A number too large for i64 becomes a sign, which no rule understands.
                '0'..='9' => match word.parse() {
                    Ok(number) => self.push(Kind::Number(number), place),
                    Err(_) => self.push(Kind::Sign('0'), place),
                },
                letter if letter != '-' && rollbook_dice::is_minus(letter) => {
                    self.push(Kind::Sign('-'), place)
                }
                letter if is_of_word(letter) => self.push(Kind::Word(folded(word)), place),
                letter => self.push(Kind::Sign(letter), place),
            }
            at += length;
        }
    }
}

fn folded(word: &str) -> Cow<'_, str> {
    let is_folded = word.bytes().all(|letter| letter.is_ascii_lowercase());
    if is_folded {
        Cow::Borrowed(word)
    } else {
        Cow::Owned(fold(word))
    }
}

fn is_of_word(letter: char) -> bool {
    let joins = |letter| {
        matches!(letter, '\'' | '\u{2019}')
            || unicode_normalization::char::is_combining_mark(letter)
    };
    letter.is_alphabetic() || joins(letter) || (letter.is_numeric() && !letter.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Block, build};
    use crate::limits::Limits;
    use rollbook_text::diagnostic::{SourceFile, Sources};

    #[test]
    fn a_value_is_taken_apart() {
        let sources = Sources::new(vec![SourceFile::new(
            "System.md",
            "# A\n\nHit-points **+** `2d6`, *at `dawn`*.\n",
        )]);
        let document = build(&sources, 0, &Limits::DEFAULT);
        let Some(Block::Paragraph(text)) = document.sections[0].blocks.first() else {
            panic!("{document:?}")
        };
        let kinds: Vec<Kind<'_>> = tokens(text).into_iter().map(|token| token.kind).collect();
        let word = |word: &str| Kind::Word(word.to_owned().into());
        let code = [
            Kind::Open,
            Kind::Number(2),
            word("d"),
            Kind::Number(6),
            Kind::Close,
        ];
        let name = [
            word("hit"),
            Kind::Sign('-'),
            word("points"),
            Kind::Sign('+'),
        ];
        let end = [Kind::Sign(','), Kind::Emphasis("at dawn".to_owned())];
        assert_eq!(kinds, [&name[..], &code[..], &end[..]].concat());
        assert_eq!(words("Hit-points"), words("hit points"));
    }
}
