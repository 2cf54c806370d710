//! Chances: of totals, of many dice or checks together, of runs. Numbers in, numbers out.
//!
//! Each module uses only what stands before it:
//!
//! 1. [`tail`]: the chance that independent numbers add up to so much.
//! 2. [`run`]: the chance of a run.
//! 3. [`chances`]: the chance of a roll's total.

pub mod chances;
pub mod run;
pub mod tail;
