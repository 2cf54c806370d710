//! The log for those who open it afterwards: copies that can be checked, and a page to read.
//!
//! Each module uses only what stands before it:
//!
//! 1. [`export`]: the log for readers, one format a file.
//! 2. [`report`]: the log for people: what happened, how the dice fell, whether it is whole.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro)]

pub mod export;
pub mod report;
