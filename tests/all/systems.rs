//! Published families of games, each resolved twice: by its rules in Markdown, and by a few lines
//! of plain Rust that were written from the game and not from the program. Twenty thousand rolls of
//! each, and no disagreement.

mod against;
mod cards;
mod counted;
mod edits;
mod games;
mod groups;
mod old_school;
mod pools;
mod shipped;
pub mod table;
mod under;
