//! The stable names of what can go wrong in a playtest. A code is never reused for something else.

/// A line, a call or a table cannot be read.
pub const UNREADABLE: &str = "playtest/unreadable";
/// A reply says something else than was expected.
pub const DIFFERS: &str = "playtest/differs";
/// A reply has no field of that name.
pub const NO_FIELD: &str = "playtest/no-field";
/// A call was refused, or refused with another code.
pub const REFUSED: &str = "playtest/refused";
/// A call was expected to be refused and was not.
pub const NOT_REFUSED: &str = "playtest/not-refused";
/// The given dice are not those that fell: too few, too many, or a face the die does not have.
pub const DICE: &str = "playtest/dice";
pub(crate) const FAILED: &str = "playtest/failed";

/// Each code with its page; see [`rollbook_rules::codes`].
pub const PAGES: &[(&str, &str)] = &[
    (UNREADABLE, include_str!("explained/unreadable.md")),
    (DIFFERS, include_str!("explained/differs.md")),
    (NO_FIELD, include_str!("explained/no-field.md")),
    (REFUSED, include_str!("explained/refused.md")),
    (NOT_REFUSED, include_str!("explained/not-refused.md")),
    (DICE, include_str!("explained/dice.md")),
    (FAILED, include_str!("explained/failed.md")),
];
