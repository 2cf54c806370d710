//! The rules language, closed: a line is read to its last word, or not at all.
//!
//! Each module uses only what stands before it:
//!
//! 1. [`token`], [`outcome`], [`names`]: a value in tokens that know where they stand; how checks end; what a file declares.
//! 2. [`cursor`]: reading from left to right, and what could have stood where it stopped.
//! 3. [`tree`], [`expr`], [`condition`], [`effect`], [`mod@print`]: the grammars that every section uses, and how they are written.
//! 4. [`again`], [`dealt`], [`opposed`], [`mod@line`], [`print_effect`]: what a line says, and how effects and the like are written.
//! 5. [`read`], [`every`]: the lines of each section, every label once.
//! 6. [`pieces`], [`finding`], [`table`], [`remarks`]: a section in parts; what an author is told; tables with known headers; what could be
//!    meant otherwise.
//! 7. [`sentence`]: the two sentences that are rules.
//! 8. [`declared`], [`mod@file`]: a whole file, first its names and then its lines.

pub mod again;
pub mod condition;
pub mod cursor;
pub mod dealt;
mod declared;
pub mod effect;
pub mod every;
pub mod expr;
pub mod file;
pub mod finding;
pub mod line;
pub mod names;
pub mod opposed;
pub mod outcome;
pub mod pieces;
mod print;
pub mod print_effect;
pub mod read;
pub mod remarks;
pub mod sentence;
pub mod table;
#[cfg(test)]
mod tests;
pub mod token;
pub mod tree;

/// How rules are written, for authors and for whoever writes rules for them. A test runs every example in it as it stands.
pub const LANGUAGE: &str = include_str!("language.md");
