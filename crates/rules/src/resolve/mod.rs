//! A check with its values: what is rolled ([`attempt`]), what a roll comes to ([`judge`], [`verdict`]), what every roll comes
//! to ([`ways`]).

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
