//! A check with its values: the roll ([`attempt`]), what one roll results in ([`judge`], [`verdict`]), what all rolls result in
//! ([`ways`]).

pub mod attempt;
mod error;
pub mod judge;
mod swapping;
mod verdict;
mod ways;
mod work;

pub use attempt::{Attempt, Means, Side};
pub use error::AttemptError;
pub use swapping::{Swap, SwapHow};
pub use verdict::Verdict;
pub use ways::{Followed, Visit, Walked, Ways};
pub use work::Work;
