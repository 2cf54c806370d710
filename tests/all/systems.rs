//! Published families of games, each resolved twice: by its rules in Markdown, and by a few lines of plain Rust that were
//! written from the game and not from the program. Twenty thousand rolls of each, and no disagreement.

mod blades;
mod botch;
mod colours;
mod d20;
mod dread;
mod edits;
mod effect;
mod escalation;
mod fate;
mod groups;
mod hits;
mod hunger;
mod ironsworn;
mod levels;
mod mixed;
mod moods;
mod pbta;
mod percentile;
mod pf2;
mod savage;
mod saves;
mod sets;
mod shipped;
mod sizes;
mod specials;
mod spiral;
mod spoken;
mod table;
mod tens;
mod three_d6;
mod under;
