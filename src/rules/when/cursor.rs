//! A place among the words and signs of a condition.

use std::ops::Range;

use super::error::WhenError;
use super::expr::Expr;
use super::lexer::{Token, TokenKind};
use super::named::Named;
use crate::names::fold;

/// The tokens of a cell and the next one to be read.
pub(super) struct Cursor<'a> {
    pub(super) tokens: &'a [Token],
    /// Index of the next token.
    pub(super) next: usize,
    /// Length of the cell's words in bytes: where an error about the end points.
    end: usize,
    /// Brackets, signs and functions around the current place.
    pub(super) depth: usize,
    /// Values that have a name here.
    pub(super) named: &'a [Named],
    /// Whether a name in braces may be a quantity of the roll.
    pub(super) of_roll: bool,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(tokens: &'a [Token], end: usize, named: &'a [Named]) -> Self {
        Self { tokens, next: 0, end, depth: 0, named, of_roll: false }
    }

    pub(super) fn word(&self) -> Option<String> {
        match self.tokens.get(self.next).map(|token| &token.kind) {
            Some(TokenKind::Word(word)) => Some(word.clone()),
            _ => None,
        }
    }

    pub(super) fn sign(&self) -> Option<char> {
        match self.tokens.get(self.next).map(|token| &token.kind) {
            Some(TokenKind::Sign(sign)) => Some(*sign),
            _ => None,
        }
    }

    pub(super) fn take(&mut self, kind: &TokenKind) -> bool {
        let found = self.tokens.get(self.next).is_some_and(|token| token.kind == *kind);
        self.next += usize::from(found);
        found
    }

    pub(super) fn take_word(&mut self, word: &str) -> bool {
        self.take_words(&[word])
    }

    pub(super) fn take_words(&mut self, words: &[&str]) -> bool {
        let found = words.iter().enumerate().all(|(ahead, word)| {
            let token = self.tokens.get(self.next + ahead);
            matches!(token.map(|token| &token.kind), Some(TokenKind::Word(written)) if written == word)
        });
        if found {
            self.next += words.len();
        }
        found
    }

    pub(super) fn at(&self) -> Range<usize> {
        self.tokens.get(self.next).map_or(self.end..self.end, |token| token.at.clone())
    }

    pub(super) fn unexpected(&self, wanted: &str) -> WhenError {
        match self.tokens.get(self.next) {
            Some(_) => WhenError::new(self.at(), format!("expected {wanted} here")),
            None => WhenError::new(self.at(), format!("expected {wanted}, but the cell ends")),
        }
    }

    /// The value whose name stands here, the longest of several, taken.
    pub(super) fn value(&mut self) -> Option<Expr> {
        let (found, words) = self.value_at(self.next)?;
        self.next += words;
        Some(found.expr())
    }

    /// The value whose name stands there, the longest of several, and how many words that are.
    pub(super) fn value_at(&self, place: usize) -> Option<(&'a Named, usize)> {
        let is_word = |at: usize, name: &str| {
            let word = self.tokens.get(place + at).map(|token| &token.kind);
            matches!(word, Some(TokenKind::Word(own)) if fold(own) == name)
        };
        let is_here = |name: &String| name.split(' ').enumerate().all(|(at, word)| is_word(at, word));
        let here = self.named.iter().filter(|own| own.words().iter().any(is_here));
        let found = here.max_by_key(|own| own.name.len())?;
        Some((found, fold(&found.name).split(' ').count()))
    }
}
