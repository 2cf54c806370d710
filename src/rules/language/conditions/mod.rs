//! The Conditions section: what conditions do, and how long they last.

pub mod condition;
pub mod duration;
pub mod effect_words;
pub mod read;

pub use condition::{ANY_CHECK, Anchor, ConditionEffect, ConditionRule, Duration, EffectChange, EffectOn};
pub use duration::lasting;
pub use effect_words::rephrased;
pub use read::{Effects, is_effect_like};
