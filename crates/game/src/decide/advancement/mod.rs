//! Advancement by the rules' Advancement section.
//!
//! - Experience comes by [`award()`]. A table of levels compares the total; where a formula gives the cost of a level
//!   (``Level up at: `7 + {level}` XP``), a level spends it.
//! - A check ticks its skill where the rules say so ([`tick()`]); ticked skills are rolled for, which removes the tick.
//!
//! [`level_up`] is one step with everything that came with it, so one undo takes it back.

mod award;
mod level;
mod price;
mod ticks;
mod worth;

pub use award::{Award, award};
pub use level::level_up;
pub use price::{is_due, progress};
pub use ticks::{opened, shown, tick};
pub use worth::offer;
