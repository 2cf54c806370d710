//! The log for those who open it afterwards: exports and their check, and the report.
//!
//! 1. [`export`]: copies that can be checked, one format a file.
//! 2. [`report`]: a page to read: what happened, the dice, whether the log is whole. Uses `export`.

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

pub mod export;
pub mod report;
