//! The bounds that keep a request small; a refusal names the one that was passed.
//!
//! No setting loosens them: replaying an old log must never depend on one.

/// Bytes of the text.
pub const TEXT_BYTES: usize = 512;
/// Parentheses, groups and functions inside one another.
pub const NESTING: usize = 32;
/// Numbers, dice and variables in one request.
pub const TERMS: usize = 100;
/// Dice in one request before any explosion, repeats included.
pub const DICE: u64 = 1000;
/// Faces drawn in one request, rerolls and explosions included.
pub const DRAWS: u64 = 10_000;
/// Sides of one die.
pub const SIDES: i64 = 1000;
/// The largest number that may be written.
pub const LITERAL: i64 = 1_000_000_000;
/// Repeats of one check.
pub const REPEATS: i64 = 100;
/// Bonus or penalty tens dice of one percentile die.
pub const PERCENTILE_DICE: i64 = 9;
/// Modifiers after one die or group.
pub const MODIFIERS: usize = 32;
/// Explosions, and rerolls, of one die before it stops and is marked capped.
pub const CHAIN: u32 = 100;
/// The chance (as a power of two) above which a request that could reach `chain` is refused.
pub const CAPPED_LOG2: i32 = -64;
/// Largest total, either way: the largest integer that every JSON reader keeps exact.
pub const TOTAL: i64 = 9_007_199_254_740_991;
