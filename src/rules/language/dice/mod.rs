//! The Dice section: which dice may be rolled, advantage, who sees a roll, words for difficulties.

pub mod advantage;
pub mod chain;
pub mod difficulties;
pub mod policy;
pub mod read;
pub mod showing;
pub mod swap;

pub use chain::DiceChain;
pub use difficulties::Difficulty;
pub use policy::DicePolicy;
pub use showing::{Showing, ShowingPolicy};
pub use swap::{Swap, Swapping};
