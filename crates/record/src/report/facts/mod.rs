//! What a log says, gathered in one pass for one audience. Lines and lists are bounded, and what is left out is counted.
//!
//! Each module uses only what stands before it:
//!
//! 1. [`fact`]: an entry, as far as its audience may know it.
//! 2. [`undone`]: what was taken back.
//! 3. [`people`]: everybody by name.
//! 4. [`fights`]: round by round.
//! 5. [`dice`]: the faces that fell.
//! 6. [`checks`]: what was tried.
//! 7. [`moments`]: the rarest rolls.
//! 8. [`hand`]: what the GM decided.
//! 9. [`gathered`]: all of it, with the story line by line.

pub mod checks;
pub mod dice;
pub mod fact;
pub mod fights;
pub mod gathered;
pub mod hand;
pub mod moments;
pub mod people;
pub mod undone;

pub use gathered::{Gathered, Sessions};
