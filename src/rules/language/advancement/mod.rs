//! The Advancement section: experience, levels, skills that get better by use.

pub mod describe;
pub mod model;
pub mod read;
mod ticks;

pub use model::{AdvanceTrack, Advancement, Earned, Improvement, Threshold, Tick};
