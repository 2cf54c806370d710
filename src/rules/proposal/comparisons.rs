//! Words that compare a roll with a number.

/// A roll may be as high as this.
pub(super) const UNDER: [&str; 11] = [
    "equal to or less than",
    "equal to or lower than",
    "less than or equal to",
    "lower than or equal to",
    "equal to or under",
    "equal to or below",
    "at or below",
    "at or under",
    "under or equal to",
    "at most",
    "or under",
];
/// A roll must be lower than this.
pub(super) const BELOW: [&str; 5] = ["roll under", "under", "below", "less than", "lower than"];
/// A roll must reach this.
pub(super) const OVER: [&str; 24] = [
    "equal or exceed",
    "meet",
    "meets",
    "equals or exceeds",
    "equal to or greater than",
    "equal to or higher than",
    "equal to or more than",
    "greater than or equal to",
    "higher than or equal to",
    "meet or beat",
    "meets or beats",
    "meet or exceed",
    "meets or exceeds",
    "matches or exceeds",
    "match or exceed",
    "match or beat",
    "matches or beats",
    "equal or beat",
    "equals or beats",
    "at least",
    "at or above",
    "reaches",
    "reach",
    "beat or equal",
];
/// How many of these, from the first, are said of nothing but a number to be reached; "at least" may be said of anything.
pub(super) const OVER_IN_FULL: usize = 19;
/// A roll must be higher than this.
pub(super) const ABOVE: [&str; 8] =
    ["exceed", "exceeds", "beat", "beats", "higher than", "greater than", "more than", "over"];
/// Words for the number to be reached.
pub(super) const DIFFICULTY: [&str; 6] =
    ["difficulty class", "difficulty number", "difficulty", "dc", "target number", "tn"];
/// What stands between a roll and the number that it is set against.
pub(super) const AGAINST: [&str; 3] = ["against", "versus", "vs"];
