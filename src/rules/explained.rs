//! What each finding means, for `rollbook explain`: one page a code, in `explained/<area>/<kind>.md`.
//!
//! A page is a level-1 heading that says it in a sentence, prose that says why it matters and what to do, and fenced blocks
//! `wrong` and `right`, which a test runs: the wrong one gives this very code, the right one does not. Behind the word may
//! stand the file's name (`System.md` when none does), `repeat=N` for text N times over, and `latin1` for a file in that
//! encoding. A lint's page is also its module's documentation.

macro_rules! pages {
    ($($code:literal),* $(,)?) => {
        /// Each code with its page.
        pub const PAGES: &[(&str, &str)] = &[$(($code, include_str!(concat!("explained/", $code, ".md")))),*];
    };
}

pages![
    "document/unreadable-file",
    "document/file-too-large",
    "document/files-too-large",
    "document/too-many-findings",
    "document/too-many-items",
    "document/two-homes",
    "document/misspelt-heading",
    "document/heading-level",
    "document/misspelt-label",
    "document/repeated-label",
    "document/looks-like-a-rule",
    "document/unknown-section",
    "document/wrong-name",
    "document/left-to-the-gm",
    "document/broken-link",
    "document/broken-anchor",
    "formula/unreadable",
    "formula/left-over",
    "formula/undeclared-name",
    "dice/unreadable-die",
    "dice/unreadable-visibility",
    "dice/none-named",
    "dice/undeclared-die",
    "dice/turned-advantage",
    "attributes/duplicate",
    "attributes/unreadable-range",
    "attributes/unreadable-modifier",
    "attributes/modifier-gap",
    "attributes/unreachable-modifier",
    "attributes/reserved-name",
    "skills/duplicate",
    "skills/unknown-attribute",
    "skills/no-attributes",
    "skills/unused",
    "checks/duplicate",
    "checks/none",
    "checks/no-name",
    "checks/cannot-be-rolled",
    "checks/no-roll",
    "checks/unreadable-when",
    "checks/no-canonical-outcome",
    "checks/unreadable-succeed",
    "checks/unreadable-count",
    "checks/unreadable-pairs",
    "checks/unreadable-step",
    "checks/unreadable-follow-up",
    "checks/unreadable-move",
    "checks/unreadable-while",
    "checks/no-target",
    "checks/unreachable-row",
    "checks/falls-through",
    "checks/never-succeeds",
    "checks/always-succeeds",
    "checks/not-proven",
    "checks/successes-without-count",
    "checks/no-opposing-dice",
    "checks/unknown-group",
    "checks/duplicate-row",
    "checks/below-otherwise",
    "checks/range-upside-down",
    "checks/unused-target",
    "checks/unused-count",
    "checks/unused-opposing-dice",
    "checks/unused-modifier",
    "checks/counted-twice",
    "checks/impossible-natural",
    "checks/no-when",
    "checks/swapped-columns",
    "checks/lost-cell",
    "checks/gap",
    "checks/moves-in-prose",
    "checks/empty-table",
    "health/duplicate",
    "health/unknown-track",
    "health/shadowed-track",
    "health/start-out-of-range",
    "health/undeclared-condition",
    "combat/unreadable-initiative",
    "combat/unreadable-tie",
    "combat/unreadable-held",
    "conditions/unknown-name",
    "conditions/unreadable-effect",
    "conditions/duplicate",
];

#[cfg(test)]
mod tests {
    use super::PAGES;

    /// The codes as they stand in `codes.rs`, so that a new one cannot be forgotten.
    fn declared() -> Vec<&'static str> {
        let lines = include_str!("codes.rs").lines();
        let values =
            lines.filter_map(|line| line.strip_prefix("pub const ")?.split_once("= \"")?.1.strip_suffix("\";"));
        values.collect()
    }

    #[test]
    fn every_code_is_explained_and_nothing_else() {
        let declared = declared();
        assert!(declared.len() > 30, "codes.rs is read: {declared:?}");
        for code in &declared {
            let page = PAGES.iter().any(|(own, _)| own == code);
            assert!(page, "{code} has no page: write src/rules/explained/{code}.md and list it in explained.rs");
        }
        for (code, page) in PAGES {
            assert!(declared.contains(code), "{code} is explained and no code");
            assert!(page.starts_with("# ") && page.contains("wrong") && page.contains("right"), "{code}");
            assert_eq!(PAGES.iter().filter(|(own, _)| own == code).count(), 1, "{code} twice");
        }
    }
}
