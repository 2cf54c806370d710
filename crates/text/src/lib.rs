//! Names as people write them, findings about files, and what is shown of what others wrote.
//!
//! 1. [`names`]: how names are compared everywhere.
//! 2. [`diagnostic`]: findings for an author. Data; one renderer a file.
//! 3. [`secrets`]: keys, taken out of what others say.
//! 4. [`terminal`]: what people wrote, shown and never obeyed.
//! 5. [`markdown`]: sheets and rules, as a terminal shows them.

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
pub mod markdown;
pub mod names;
pub mod secrets;
pub mod terminal;
