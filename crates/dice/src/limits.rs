//! The bounds that keep a request small.

/// Named bounds of a request; a refusal names the one that was passed.
///
/// There is one set, [`Limits::DEFAULT`]: a table cannot loosen it, because replaying an old
/// log must never depend on a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the text.
    pub text_bytes: usize,
    /// Parentheses, groups and functions inside one another.
    pub nesting: usize,
    /// Numbers, dice and variables in one request.
    pub terms: usize,
    /// Dice in one request before any explosion, repeats included.
    pub dice: u64,
    /// Faces drawn in one request, rerolls and explosions included.
    pub draws: u64,
    /// Sides of one die.
    pub sides: i64,
    /// The largest number that may be written.
    pub literal: i64,
    /// Repeats of one check.
    pub repeat: i64,
    /// Bonus or penalty tens dice of one percentile die.
    pub percentile_dice: i64,
    /// Modifiers after one die or group.
    pub modifiers: usize,
    /// Explosions, and rerolls, of one die before it stops and is marked capped.
    pub chain: u32,
    /// The chance (as a power of two) above which a request that could reach `chain` is refused.
    pub capped_log2: i32,
    /// Largest total, either way: the largest integer that every JSON reader keeps exact.
    pub total: i64,
}

impl Limits {
    /// The bounds in force.
    pub const DEFAULT: Limits = Limits {
        text_bytes: 512,
        nesting: 32,
        terms: 100,
        dice: 1000,
        draws: 10_000,
        sides: 1000,
        literal: 1_000_000_000,
        repeat: 100,
        percentile_dice: 9,
        modifiers: 32,
        chain: 100,
        capped_log2: -64,
        total: 9_007_199_254_740_991,
    };
}
