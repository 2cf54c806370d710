//! # Rollbook: the game table's book of record
//!
//! A game master's assistant runs a tabletop role-playing campaign and calls Rollbook to roll dice,
//! resolve checks, deal damage, keep characters and run combat. Rollbook reads the rules from the
//! adventure's own `System.md`, and writes everything that happened to a log in SQLite that cannot
//! be lost or silently edited.
//!
//! ## Words
//!
//! An *adventure* is a folder of Markdown, read and never written. A *campaign* is a game being
//! played with an adventure: its characters, fights and log. A *session* is one sitting of a
//! campaign, numbered from 1. One database holds any number of campaigns. A connection of the
//! protocol is never called a session.
//!
//! ## Layers
//!
//! Each may use only what stands before it: of crates Cargo sees to it, of the others a test.
//!
//! 1. [`rollbook_text`]: names as people write them; findings for authors; what is shown.
//! 2. [`rollbook_dice`]: notation, expression, roll. Knows no rules.
//! 3. [`rollbook_rules`]: `System.md` to a `System` and diagnostics. Strings in, values out.
//! 4. [`rollbook_game`]: the table: calls, decisions, events, state.
//! 5. [`rollbook_store`]: the log in SQLite or PostgreSQL, and what verifies it.
//! 6. [`rollbook_table`]: campaigns being played: folders, clock, tools, an author's examples.
//! 7. [`rollbook_record`]: the log for readers: exports and reports.
//! 8. [`rollbook_server`]: the Model Context Protocol, on standard streams and over HTTP.
//! 9. [`migrations`]: the statements of `migrations/`, which the store gets.
//! 10. [`play`]: a table in the terminal: commands, and a model that calls the tools.
//! 11. [`cli`]: one file a subcommand; the only module that prints.
//!
//! ## Invariants
//!
//! - The first four are pure: no async, clock, file, SQL or randomness of the operating
//!   system. Time and chance are passed in.
//! - SQL stands only in `rollbook_store`; printing only in `cli`; folders and the clock only in
//!   `rollbook_table::session` and `cli`.
//! - No die is drawn before the write lock is held; no reply leaves before the commit returned.
//! - Dice are pinned by playtests alone ([`rollbook_table::playtest::Tray`]), and such rolls are
//!   marked for ever. Dice that people rolled by hand come with a call alone, and are marked
//!   `entered` for ever ([`rollbook_dice::EnteredRoller`]).
//! - State changes only by folding the images of an entry ([`rollbook_game::record::state`]).
//! - Everything players see comes through [`rollbook_game::view::visibility::project`].
//!
//! ## One call, down once and up once
//!
//! `mcp` reads a request. A tool binds its arguments, and calls the campaign once. `session::live`
//! takes the campaign's lock and the write transaction, and applies what other processes wrote.
//! `game` decides: events or a refusal. `store` appends the events, folds them, commits. The tool's
//! reply goes back as structured content.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro)]

pub mod cli;
pub mod migrations;
pub mod play;
