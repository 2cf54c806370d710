//! What a report says, section by section: figures in, blocks out.
//!
//! Each module uses only what stands before it:
//!
//! 1. [`words`]: numbers and dates as they are written.
//! 2. [`seal`]: whether the log is whole.
//! 3. [`story`]: what happened.
//! 4. [`fights`]: round by round.
//! 5. [`dice`]: how the dice fell.
//! 6. [`luck`]: how likely that was.
//! 7. [`people`]: skills and damage.
//! 8. [`hand`]: what the GM decided.
//! 9. [`gm`]: what only the GM reads.

pub mod dice;
pub mod fights;
pub mod gm;
pub mod hand;
pub mod luck;
pub mod people;
pub mod seal;
pub mod story;
pub mod words;
