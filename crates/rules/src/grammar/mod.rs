//! The rules language. It is closed: a line is read to its last word, or not at all.
//!
//! Each module uses only those before it:
//!
//! 1. [`token`], [`outcome`], [`names`]: a value in tokens with their places; how checks end; the
//!    names that a file declares.
//! 2. [`cursor`]: reads tokens from left to right, and remembers what was expected where it
//!    stopped.
//! 3. [`tree`], [`expr`], [`condition`], [`effect`], [`mod@print`]: the grammars that every section
//!    uses, and their printing.
//! 4. [`again`], [`dealt`], [`opposed`], [`mod@line`], [`print_effect`]: the kinds of lines, and
//!    the printing of effects.
//! 5. [`read`], [`labels`]: the readers of each section's lines, and the list of all labels.
//! 6. [`pieces`], [`findings`], [`table`], [`warnings`]: a section in parts; findings; tables with
//!    known headers; warnings about lines that could mean something else.
//! 7. [`sentence`]: the two sentences that are rules.
//! 8. [`declared`], [`mod@file`]: a whole file, first its names and then its lines.

pub(crate) mod again;
pub(crate) mod condition;
pub(crate) mod cursor;
pub(crate) mod dealt;
mod declared;
pub(crate) mod effect;
pub(crate) mod expr;
pub mod file;
pub(crate) mod findings;
pub mod labels;
pub mod line;
pub mod names;
pub(crate) mod opposed;
pub(crate) mod outcome;
pub(crate) mod pieces;
mod print;
pub(crate) mod print_effect;
pub(crate) mod read;
pub(crate) mod sentence;
pub(crate) mod table;
#[cfg(test)]
mod tests;
pub(crate) mod token;
pub mod tree;
pub(crate) mod warnings;

/// How rules are written, for authors and their assistants. A test runs every example in it.
pub const LANGUAGE: &str = include_str!("language.md");
