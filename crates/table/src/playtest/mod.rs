//! An author's examples, run as tests: the calls that a GM makes, with the dice given beforehand.
//!
//! [`find()`] finds fenced `playtest` blocks and short tables; [`read`] turns lines into playtests;
//! [`run`] plays each in a campaign of its own, through any client's tools; [`compare`] says how a
//! reply differs, with the edit that `--update` makes; [`Coverage`] what no playtest reaches.
//!
//! Dice are pinned here ([`Tray`]) and nowhere else, and such rolls are marked `pinned` for ever.
//!
//! ```text
//! block     = { line }
//! line      = "character" name ":" item { "," item }     scores, bonuses, tracks; "npc", "level 3"
//!           | ">" tool { key "=" value }                     value: JSON, a bare word, or 'quoted'
//!           | "dice" face { face }                           the dice of the call above
//!           | "=" path ":" value                            path: fields and places, with dots
//!           | "!" code                                       the call above is refused with it
//!           | "#" anything
//! ```

mod arguments;
mod character;
pub mod codes;
mod compare;
mod coverage;
mod find;
mod interactive;
mod read;
pub mod report;
mod run;
mod table;
mod tray;

pub use arguments::{faces, fields, quoted};
pub use character::sheet;
pub use coverage::Coverage;
pub use find::find;
pub use interactive::Interactive;
pub use run::{Failure, Played, host, play};
pub use tray::Tray;
