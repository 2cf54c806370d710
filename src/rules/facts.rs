//! What is known about a roll when its outcome is looked up.

use std::collections::BTreeMap;

/// What is known about a roll when its outcome is looked up. What is `None` is not known, and a condition on it never holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Facts {
    /// The roll's total.
    pub total: i64,
    /// By how much the target was made; positive is good, where low is good too.
    pub margin: Option<i64>,
    /// The number to reach, or to stay under.
    pub target: Option<i64>,
    /// Face of the first kept die.
    pub natural: Option<i64>,
    /// Highest kept die.
    pub highest: Option<i64>,
    /// Lowest kept die.
    pub lowest: Option<i64>,
    /// Dice that count as successes.
    pub successes: Option<i64>,
    /// Every face rolled, kept or not: what `sixes` counts.
    pub faces: Vec<i64>,
    /// How many dice were rolled.
    pub dice: Option<i64>,
    /// How many dice were asked for.
    pub pool: Option<i64>,
    /// Opposing dice that the total beats; ties lose.
    pub beaten: Option<i64>,
    /// Pairs of equal opposing dice.
    pub matching: Option<i64>,
    /// The dice of each labelled group, by folded label.
    pub groups: BTreeMap<String, GroupFacts>,
    /// Variables that a condition may name, by folded name.
    pub values: BTreeMap<String, i64>,
}

/// What is known about the dice of one labelled group.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GroupFacts {
    /// Face of its first kept die.
    pub natural: Option<i64>,
    /// Its highest kept die.
    pub highest: Option<i64>,
    /// Its lowest kept die.
    pub lowest: Option<i64>,
    /// Its successes.
    pub successes: Option<i64>,
    /// Every face rolled in it.
    pub faces: Vec<i64>,
}
