//! The tools for clients of the Model Context Protocol, one at a time or many.
//!
//! Each module uses only what stands before it:
//!
//! 1. [`mcp`]: the only module that knows rmcp.
//! 2. [`http`]: the same server for many, over HTTP.

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

pub mod http;
pub mod mcp;
