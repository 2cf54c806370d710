//! Getting better, as the rules' Advancement section says.
//!
//! - Experience comes by [`award()`]. A table of levels counts it in all; where a formula says what a level takes
//!   (`Level up at: 7 + level XP`), a level spends it.
//! - Marks fill tracks of advancement, and a full one is cleared by what it bought; a milestone is spent by what it bought.
//! - A check ticks its skill where the rules say which outcome does ([`tick()`]); ticked skills are rolled for, and the tick goes.
//!
//! [`level_up`] is one step with everything that came with it, so one undo takes it back.

mod award;
mod improve;
mod level;
mod price;
mod tick;

pub use award::{Award, award};
pub use level::{LevelUp, level_up};
pub use price::{due, progress};
pub use tick::tick;
