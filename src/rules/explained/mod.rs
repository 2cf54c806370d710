//! What each finding means, for `rollbook explain`: one page a code, in `explained/<area>/<kind>.md`.
//!
//! A page is a level-1 heading that says it in a sentence, prose that says why it matters and what to do, and fenced blocks
//! `wrong` and `right`, which a test runs: the wrong one gives this very code, the right one does not. Behind the word may
//! stand the file's name (`System.md` when none does), `repeat=N` for text N times over, and `latin1` for a file in that
//! encoding. A lint's page is also its documentation.

use crate::rules::{codes, lint};

/// The order in which the codes are listed; one that is not here comes last in its area.
const ORDER: [&str; 52] = [
    "document/unreadable-file",
    "document/file-too-large",
    "document/files-too-large",
    "document/too-many-findings",
    "document/too-many-items",
    "document/two-homes",
    "document/base",
    "document/not-in-english",
    "document/misspelt-heading",
    "document/heading-level",
    "document/looks-like-a-rule",
    "document/not-understood",
    "document/given-twice",
    "document/not-a-rule",
    "document/ambiguous-name",
    "document/reads-as-a-rule",
    "document/wrong-name",
    "blocks/unread-line",
    "tables/gap",
    "tables/overlap",
    "dice/unreadable-faces",
    "dice/undeclared-die",
    "dice/unused-difficulty",
    "attributes/modifier-gap",
    "attributes/reserved-name",
    "numbers/gap",
    "numbers/overlap",
    "skills/unused",
    "checks/none",
    "checks/no-name",
    "checks/cannot-be-rolled",
    "checks/no-roll",
    "checks/unused-ask",
    "checks/no-target",
    "checks/unreachable-row",
    "checks/falls-through",
    "checks/never-succeeds",
    "checks/always-succeeds",
    "checks/not-proven",
    "checks/successes-without-count",
    "checks/no-opposing-dice",
    "checks/unknown-group",
    "checks/unused-target",
    "checks/unused-count",
    "checks/unused-opposing-dice",
    "checks/counted-twice",
    "checks/impossible-natural",
    "checks/gap",
    "health/no-damage",
    "health/shadowed-track",
    "health/start-out-of-range",
    "health/never-reached",
];

/// Each code with its page.
pub fn pages() -> Vec<(&'static str, &'static str)> {
    let of_lints = lint::ALL.iter().filter_map(|lint| Some((lint.code, lint.page?)));
    let mut pages: Vec<(&str, &str)> = codes::PAGES.iter().copied().chain(of_lints).collect();
    pages.sort_by_key(|(code, _)| place(code));
    pages
}

/// Where a code stands in the list: at its own place, else behind the last of its area.
fn place(code: &str) -> (usize, bool) {
    let area = |code: &str| code.split('/').next().map(str::to_owned);
    let own = ORDER.iter().position(|listed| *listed == code);
    let last = || ORDER.iter().rposition(|listed| area(listed) == area(code)).unwrap_or(ORDER.len());
    (own.unwrap_or_else(last), own.is_none())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{ORDER, pages};
    use crate::rules::lint;

    #[test]
    fn every_page_is_of_one_code_and_every_listed_code_has_one() {
        let all = pages();
        let codes: BTreeSet<&str> = all.iter().map(|(code, _)| *code).collect();
        assert!(codes.len() == all.len() && codes.len() > 50, "{} pages of {} codes", all.len(), codes.len());
        for (code, page) in &all {
            assert!(page.starts_with("# ") && page.contains("wrong") && page.contains("right"), "{code}");
        }
        for code in ORDER.iter().copied().chain(lint::ALL.iter().map(|lint| lint.code)) {
            assert!(codes.contains(code), "{code} has no page");
        }
    }
}
