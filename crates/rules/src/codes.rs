//! Stable codes of findings, each with its page `explained/<area>/<kind>.md`. None is ever reused.
//!
//! A page has a level-1 heading with the finding in a sentence, prose on why it matters and what to
//! do, and fenced blocks `wrong` and `right`, which a test runs: the wrong one gives this code, the
//! right one does not. After the word may follow the file's name (`System.md` if none), `repeat=N`
//! for text N times over, and `latin1` for a file in that encoding.

macro_rules! codes {
    ($($name:ident = $code:literal;)*) => {
        $(#[doc = concat!("`explained/", $code, ".md`")] pub const $name: &str = $code;)*
        /// Each code with its page, in order.
        pub const PAGES: &[(&str, &str)] = &[$(($code, include_str!(concat!("explained/", $code, ".md")))),*];
    };
}

codes! {
    UNREADABLE_FILE = "document/unreadable-file";
    FILE_TOO_LARGE = "document/file-too-large";
    FILES_TOO_LARGE = "document/files-too-large";
    TOO_MANY_FINDINGS = "document/too-many-findings";
    TOO_MANY_ITEMS = "document/too-many-items";
    TWO_HOMES = "document/two-homes";
    BASE = "document/base";
    MISSPELT_HEADING = "document/misspelt-heading";
    HEADING_LEVEL = "document/heading-level";
    LOOKS_LIKE_A_RULE = "document/looks-like-a-rule";
    NOT_UNDERSTOOD = "document/not-understood";
    GIVEN_TWICE = "document/given-twice";
    NOT_A_RULE = "document/not-a-rule";
    AMBIGUOUS_NAME = "document/ambiguous-name";
    READS_AS_A_RULE = "document/reads-as-a-rule";
    WRONG_NAME = "document/wrong-name";
    UNREAD_LINE = "blocks/unread-line";
    TABLE_GAP = "tables/gap";
    TABLE_OVERLAP = "tables/overlap";
    UNREADABLE_FACES = "dice/unreadable-faces";
    UNDECLARED_DIE = "dice/undeclared-die";
    UNUSED_DIFFICULTY = "dice/unused-difficulty";
    MODIFIER_GAP = "attributes/modifier-gap";
    NUMBER_GAP = "numbers/gap";
    NUMBERS_OVERLAP = "numbers/overlap";
    UNUSED_SKILLS = "skills/unused";
    NO_CHECK = "checks/none";
    NO_NAME = "checks/no-name";
    CANNOT_BE_ROLLED = "checks/cannot-be-rolled";
    NO_ROLL = "checks/no-roll";
    UNUSED_ASK = "checks/unused-ask";
    MISSING_PART = "checks/missing-part";
    UNREACHABLE_ROW = "checks/unreachable-row";
    NEVER_HAPPENS = "checks/never-happens";
    FALLS_THROUGH = "checks/falls-through";
    NEVER_SUCCEEDS = "checks/never-succeeds";
    ALWAYS_SUCCEEDS = "checks/always-succeeds";
    NOT_PROVEN = "checks/not-proven";
    UNKNOWN_GROUP = "checks/unknown-group";
    UNUSED_PART = "checks/unused-part";
    COUNTED_TWICE = "checks/counted-twice";
    GAP = "checks/gap";
    NO_DAMAGE = "health/no-damage";
    START_OUT_OF_RANGE = "health/start-out-of-range";
    NEVER_REACHED = "health/never-reached";
    HIDDEN_NUMBER = "clocks/hidden-number";
    NO_SUCH_DICE = "conditions/no-such-dice";
}
