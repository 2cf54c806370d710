//! A campaign being played: who sits at the table, what an assistant may call, and an author's examples.
//!
//! Each module uses only what stands before it:
//!
//! 1. [`session`]: the imperative shell: folders, clock, live campaigns.
//! 2. [`tools`]: one file a tool, and the registry of those that somebody may call. Knows no protocol.
//! 3. [`playtest`]: an author's examples, run as tests.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro)]

pub mod playtest;
pub mod session;
pub mod tools;
