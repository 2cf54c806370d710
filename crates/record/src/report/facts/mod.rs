//! What a log says, gathered in one pass for one audience. What grows with the log is a few bytes a check or a blow; lines and
//! lists are bounded, and what is left out is counted.
//!
//! Each module uses only what stands before it:
//!
//! 1. [`fact`]: an entry, as far as its audience may know it.
//! 2. [`undone`]: what was taken back.
//! 3. [`people`]: everybody by name.
//! 4. [`story`]: what happened, line by line.
//! 5. [`fights`]: round by round.
//! 6. [`dice`]: the faces that fell.
//! 7. [`checks`]: what was tried.
//! 8. [`moments`]: the rarest rolls.
//! 9. [`hand`]: what the GM decided.
//! 10. [`gathered`]: all of it.

pub mod checks;
pub mod dice;
pub mod fact;
pub mod fights;
pub mod gathered;
pub mod hand;
pub mod moments;
pub mod people;
pub mod story;
pub mod undone;

pub use gathered::{Gathered, Sessions};
