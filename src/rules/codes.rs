//! The stable names of findings that readers report, by area, each with its page; those of the lints stand with them. A code is
//! never reused for something else.

macro_rules! codes {
    ($($(#[$about:meta])* $name:ident = $code:literal;)*) => {
        $($(#[$about])* pub const $name: &str = $code;)*
        /// Each code with its page.
        pub const PAGES: &[(&str, &str)] = &[$(($code, include_str!(concat!("explained/", $code, ".md")))),*];
    };
}

codes! {
    /// A file cannot be read, or not as text.
    UNREADABLE_FILE = "document/unreadable-file";
    /// A file is larger than the limit and was not read.
    FILE_TOO_LARGE = "document/file-too-large";
    /// All files together are larger than the limit; the later ones were not read.
    FILES_TOO_LARGE = "document/files-too-large";
    /// There are more findings than are reported.
    TOO_MANY_FINDINGS = "document/too-many-findings";
    /// There are more items of a kind than are read.
    TOO_MANY_ITEMS = "document/too-many-items";
    /// Rules stand both in `System.md` and in `System/`.
    TWO_HOMES = "document/two-homes";
    /// A base is not read, or stands where none is looked for.
    BASE = "document/base";
    /// Rules are in a language that is not declared, or cannot be read.
    LANGUAGE = "document/not-in-english";
    /// A heading is nearly that of a section.
    MISSPELT_HEADING = "document/misspelt-heading";
    /// A section's heading is not of level 2.
    HEADING_LEVEL = "document/heading-level";
    /// Something looks like a rule and is not read as one.
    LOOKS_LIKE_A_RULE = "document/looks-like-a-rule";
    /// A rule is not understood to its last word.
    NOT_UNDERSTOOD = "document/not-understood";
    /// A name or a rule that is given once is given twice.
    GIVEN_TWICE = "document/given-twice";
    /// What looks like a rule and is none.
    NOT_A_RULE = "document/not-a-rule";
    /// A name that would be read as something else.
    AMBIGUOUS_NAME = "document/ambiguous-name";
    /// Words for people that would be a rule where they stand.
    READS_AS_A_RULE = "document/reads-as-a-rule";
    /// A file is nearly called as the rules are.
    WRONG_NAME = "document/wrong-name";


    /// A die with faces of its own, a symbol or what cancels cannot be read.
    UNREADABLE_FACES = "dice/unreadable-faces";

    /// Two rows of such a table are for the same number.
    NUMBERS_OVERLAP = "numbers/overlap";

    /// A check has no name.
    NO_NAME = "checks/no-name";
    /// A check has no Roll.
    NO_ROLL = "checks/no-roll";

    /// A check asks for what nothing in it uses.
    UNUSED_ASK = "checks/unused-ask";

    /// Nothing says what a hit is taken from.
    NO_DAMAGE = "health/no-damage";


    /// A line of a stat block holds a number that was not understood.
    UNREAD_LINE = "blocks/unread-line";
}
