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
pub const FAILED: &str = "playtest/failed";

macro_rules! pages {
    ($($kind:literal),* $(,)?) => {
        /// Each code with its page; see [`rollbook_rules::codes`].
        pub const PAGES: &[(&str, &str)] =
            &[$((concat!("playtest/", $kind), include_str!(concat!("explained/", $kind, ".md")))),*];
    };
}

pages!["unreadable", "differs", "no-field", "refused", "not-refused", "dice", "failed"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_explained() {
        let codes = [UNREADABLE, DIFFERS, NO_FIELD, REFUSED, NOT_REFUSED, DICE, FAILED];
        assert_eq!(PAGES.iter().map(|(code, _)| *code).collect::<Vec<_>>(), codes);
    }
}
