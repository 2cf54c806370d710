//! What a log says, gathered in one pass for one audience. What is beyond a bound is counted.
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

pub(crate) mod checks;
pub(crate) mod dice;
pub(crate) mod fact;
pub(crate) mod fights;
pub(crate) mod gathered;
pub(crate) mod hand;
pub(crate) mod moments;
pub(crate) mod people;
pub(crate) mod undone;

pub(crate) use gathered::Gathered;
pub use gathered::Sessions;
