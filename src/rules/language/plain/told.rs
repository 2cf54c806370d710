//! Whether a sentence states a rule or only mentions one: what is not so, what once was so, what somebody said.

use std::ops::Range;

/// Words of what is not a rule, or no rule any more.
const NOT: [&str; 20] = [
    "not",
    "never",
    "no",
    "nor",
    "neither",
    "cannot",
    "without",
    "instead",
    "unlike",
    "formerly",
    "previously",
    "would",
    "nobody",
    "none",
    "nothing",
    "removed",
    "replaced",
    "was",
    "were",
    "had",
];
/// The same in several words.
const ELSEWHERE: [&str; 16] = [
    "for example",
    "for instance",
    "other games",
    "another game",
    "other systems",
    "other editions",
    "other rules",
    "earlier edition",
    "older edition",
    "previous edition",
    "old rules",
    "old rule",
    "house rule",
    "rather than",
    "used to",
    "optional",
];

/// Words with which a sentence begins that only supposes something.
const SUPPOSED: [&str; 4] = ["suppose", "supposing", "imagine", "pretend"];

/// Whether a sentence says what is not so, is not so here, asks or supposes it, or is somebody's words; what it names is no rule then.
pub fn is_mention(sentence: &str) -> bool {
    let lower = sentence.to_lowercase().replace('\u{2019}', "'").replace("if not", "");
    let mut words = lower.split(|letter: char| !letter.is_alphabetic() && letter != '\'');
    let first = lower.split_whitespace().next().unwrap_or_default();
    lower.trim_end().ends_with('?')
        || SUPPOSED.contains(&first)
        || words.any(|word| NOT.contains(&word) || word.ends_with("n't"))
        || ELSEWHERE.iter().any(|own| lower.contains(own))
        || lower.contains(['"', '\u{201c}', '\u{201d}', '\u{ab}'])
}

/// Where the sentences of a text stand: each up to a full stop with a gap behind it.
pub fn sentences(words: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut start = 0;
    let stops = words.match_indices(['.', '!', '?']).map(|(at, _)| at + 1);
    let stops = stops.filter(|at| words.get(*at..).is_some_and(|rest| rest.starts_with(char::is_whitespace)));
    stops.chain(std::iter::once(words.len())).filter_map(move |end| {
        let at = start..end;
        start = end;
        words.get(at.clone()).is_some_and(|own| !own.trim().is_empty()).then_some(at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_so_is_a_mention() {
        for mention in [
            "Don't call for a DC 5 Luck check.",
            "We don\u{2019}t roll 2d6 here.",
            "The Luck check was removed.",
            "Unlike elsewhere, roll a d20.",
            "Roll 2d10 instead of 1d20.",
            "You no longer roll a d20.",
            "\"Roll 2d6,\" she said.",
            "In other games you roll a d20.",
            "Is it fun to roll a d20?",
            "Suppose a player rolls a d20.",
        ] {
            assert!(is_mention(mention), "{mention}");
        }
        for rule in ["Roll a d20 and add your Wits.", "If it is equal, you succeed; if not, you fail."] {
            assert!(!is_mention(rule), "{rule}");
        }
    }
}
