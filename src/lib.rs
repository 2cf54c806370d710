//! # Rollbook: the game table's book of record
//!
//! A game master's assistant runs a tabletop role-playing campaign and calls Rollbook to roll dice, resolve checks, deal
//! damage, keep characters and run combat. Rollbook reads the rules from the adventure's own `System.md`, and writes
//! everything that happened to a log in SQLite that cannot be lost or silently edited.
//!
//! ## Words
//!
//! An *adventure* is a folder of Markdown, read and never written. A *campaign* is a game being played with an adventure:
//! its characters, fights and log. A *session* is one sitting of a campaign, numbered from 1. One database holds any number
//! of campaigns. A connection of the protocol is never called a session.
//!
//! ## Layers
//!
//! Each may use only what stands before it; a test reads the `use crate::` lines and fails otherwise.
//!
//! 1. [`rollbook_text`]: names as people write them; what an author is told.
//! 2. [`rollbook_dice`]: notation, expression, roll. Knows no rules.
//! 3. [`rollbook_rules`]: `System.md` to a `System` and diagnostics. Strings in, values out.
//! 4. [`rollbook_game`]: the table: calls, decisions, events, state.
//! 5. [`rollbook_store`]: where the log lives: the trait `Store`, and `sqlite`.
//! 6. [`rollbook_table::session`]: the imperative shell: folders, clock, live campaigns.
//! 7. [`rollbook_table::tools`]: one file a tool, and the registry of those that somebody may call. Knows no protocol.
//! 8. [`export`]: the log for readers, one format a file.
//! 9. [`report`]: the log for people: what happened, how the dice fell, whether it is whole.
//! 10. [`rollbook_table::playtest`]: an author's examples, run as tests.
//! 11. [`mcp`]: the only module that knows rmcp.
//! 12. [`http`]: the same server for many, over HTTP.
//! 13. [`play`]: a table in the terminal: commands, and a model that calls the tools.
//! 14. [`cli`]: one file a subcommand; the only module that prints.
//!
//! ## Invariants
//!
//! - The crates and `game` are pure: no async, clock, file, SQL or randomness of the operating
//!   system. Time and chance are passed in.
//! - SQL stands only in `store/<backend>`; printing only in `cli`; folders and the clock only in `session` and `cli`.
//! - No die is drawn before the write lock is held; no reply leaves before the commit returned.
//! - Dice are pinned by playtests alone ([`rollbook_table::playtest::Tray`]), and such rolls are marked for ever. Dice
//!   that people rolled by hand come with a call alone, and are marked `entered` for ever ([`rollbook_dice::EnteredRoller`]).
//! - State changes only by folding the images of an entry ([`rollbook_game::record::state`]).
//! - Everything players see comes through [`rollbook_game::view::visibility::project`].
//!
//! ## One call, down once and up once
//!
//! `mcp` reads a request. A tool binds its arguments, and calls the campaign once. `session::live` takes the
//! campaign's lock and the write transaction, and applies what other processes wrote. `game` decides: events or a
//! refusal. `store` appends the events, folds them, commits. The tool's reply goes back as structured content.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro)]

pub mod cli;
pub mod export;
pub mod http;
pub mod mcp;
pub mod migrations;
pub mod play;
pub mod report;
