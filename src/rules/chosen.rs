//! Variables that every check has and that nobody declares.

/// What a call itself says; folded.
pub const CALL_WORDS: [&str; 5] = ["skill", "modifier", "difficulty", "attribute", "attribute score"];

/// The words by which a rule speaks of the attribute that a call chooses, beside `attribute` itself; folded. The rules or
/// the call may give them a meaning of their own.
pub const ATTRIBUTE_WORDS: [&str; 5] = ["stat", "trait", "rating", "ability", "characteristic"];
