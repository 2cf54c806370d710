//! A campaign being played: who sits at the table, an assistant's tools, an author's examples.
//!
//! Each module uses only what stands before it:
//!
//! 1. [`session`]: the imperative shell: folders, clock, live campaigns.
//! 2. [`tools`]: one file a tool, and the registry of those that may be called. Knows no protocol.
//! 3. [`playtest`]: an author's examples, run as tests.
//!
//! ## One call
//!
//! Between the protocol's handler and the decision of the game are six functions:
//!
//! 1. `ToolEntry::call_for`: cool-down, time limit, counters, and what a refusal advises.
//! 2. `envelope::run`: binds the arguments by the tool's schema, and shapes the reply.
//! 3. `Tool::call` of the tool: finds the campaign, and calls it once.
//! 4. `Campaign::write`: a task of its own; the line of those who write, transaction, commit.
//! 5. `Live::write`: applies what others wrote, opens the game's table, seals and appends entries.
//! 6. The tool's function at the table: its parameters as the game takes them, and the reply.
//!
//! Secret names are looked for at the game's table alone: `Table::check_text` before dice are
//! rolled, and `Table::check_exposure` once a call.

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

pub mod playtest;
pub mod session;
pub mod tools;
