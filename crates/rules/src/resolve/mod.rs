//! A check with its values: the roll ([`attempt`]), what one roll results in ([`judge`],
//! [`verdict`]), what all rolls result in ([`ways`]).

pub mod attempt;
pub mod judge;
mod swap;
mod verdict;
mod ways;
mod work;

pub use attempt::{Attempt, AttemptError, Means, Side};
pub use swap::{Swap, SwapHow};
pub use verdict::Verdict;
pub use ways::{Followed, Visit, Walked, Ways};
pub use work::Work;
