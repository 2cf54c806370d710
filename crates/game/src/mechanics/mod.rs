//! What the rules do to state: tracks, thresholds, health, durations, names. Nothing rolls or logs.

pub(crate) mod attacks;
pub mod clocks;
pub mod decks;
pub mod duration;
pub(crate) mod effects;
pub mod health;
pub mod lookup;
pub mod several;
pub(crate) mod threshold;
pub mod tracks;
pub mod values;
