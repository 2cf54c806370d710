//! Text that all of Rollbook shares: names as people write them, and findings about a file.
//!
//! 1. [`names`]: how names are compared everywhere.
//! 2. [`diagnostic`]: findings for an author. Data; one renderer a file.

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

pub mod diagnostic;
pub mod names;
