//! The known names that are most similar to an unknown one: suggested, never taken.
//!
//! Everything is bounded, since both the wanted and the known names may come from a stranger.

use super::{fold, same};

/// Characters of a name that are compared; what is longer is cut, so that hostile input costs no
/// more than this squared.
const COMPARED_CHARS_MAX: usize = 64;
/// Known names that are looked at for a suggestion; the rest are not offered.
const KNOWN_MAX: usize = 2_000;
/// Suggestions given.
const SUGGESTIONS_MAX: usize = 3;
/// Likeness (0 to 1) from which a name is offered.
const LIKENESS_MIN: f64 = 0.6;

/// The known names most like the wanted one, best first, at most three, each once; empty when
/// nothing is like it.
///
/// A name that begins with the wanted one (or the other way round) counts as very like: people
/// abbreviate.
pub fn suggest<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let wanted = cut(&fold(wanted));
    if wanted.is_empty() {
        return Vec::new();
    }
    let mut scored: Vec<(f64, &str)> = known
        .into_iter()
        .take(KNOWN_MAX)
        .map(|name| (likeness(&wanted, &cut(&fold(name))), name))
        .filter(|(score, _)| *score >= LIKENESS_MIN)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut best: Vec<String> = Vec::new();
    for (_, name) in scored {
        if best.len() == SUGGESTIONS_MAX {
            break;
        }
        if !best.iter().any(|seen| seen == name) {
            best.push(name.to_owned());
        }
    }
    best
}

/// The known word of which `written` looks like a misspelling: one slip of the pen in three to five
/// letters, two in more, an added or missing plural `s`; never the word itself.
///
/// Much stricter than [`suggest`], because it is used to complain about words that may well be
/// right.
pub fn misspelt<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    misspellings(written, known).first().copied()
}

/// Every known word as close to `written` as [`misspelt`]'s: with several, only the author knows
/// which is meant.
pub fn misspellings<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let written = fold(written);
    let length = written.chars().count();
    if !(3..=COMPARED_CHARS_MAX).contains(&length) {
        return Vec::new();
    }
    let mut least = usize::MAX;
    let mut best: Vec<&str> = Vec::new();
    for name in known.into_iter().take(KNOWN_MAX) {
        let folded = fold(name);
        if folded == written {
            return Vec::new();
        }
        let compared = cut(&folded);
        let letters = compared.chars().count();
        // Few mistake the first letter and another.
        let begins = written.chars().next() == compared.chars().next();
        let allowed = if length.min(letters) >= 6 && begins {
            2
        } else {
            1
        };
        // Each letter more is a slip.
        if length.abs_diff(letters) > allowed {
            continue;
        }
        let slips = strsim::osa_distance(&written, &compared);
        if slips <= allowed.min(least) {
            if slips < least {
                best.clear();
                least = slips;
            }
            if !best.iter().any(|seen| same(seen, name)) {
                best.push(name);
            }
        }
    }
    best
}

/// How alike two folded names are, from 0 to 1.
fn likeness(wanted: &str, name: &str) -> f64 {
    if wanted == name {
        return 1.0;
    }
    let spelling = strsim::normalized_damerau_levenshtein(wanted, name);
    let begins = wanted.chars().count() >= 3 && name.starts_with(wanted)
        || name.chars().count() >= 3 && wanted.starts_with(name);
    let word_shared = wanted
        .split(' ')
        .any(|word| word.chars().count() >= 4 && name.split(' ').any(|other| other == word));
    let floor: f64 = match (begins, word_shared) {
        (true, _) => 0.85,
        (false, true) => 0.7,
        (false, false) if is_word_misspelt(wanted, name) => 0.65,
        (false, false) => 0.0,
    };
    // Among names that begin alike the better spelling still comes first.
    floor.max(spelling) + if floor > 0.0 { spelling / 10.0 } else { 0.0 }
}

/// Whether a single word is a slip of the pen away from a word of the name: "Jorry" and "Jory
/// Penrake".
fn is_word_misspelt(wanted: &str, name: &str) -> bool {
    let single = wanted.chars().count() >= 4 && !wanted.contains(' ') && name.contains(' ');
    single
        && !misspellings(
            wanted,
            name.split(' ').filter(|word| word.chars().count() >= 4),
        )
        .is_empty()
}

fn cut(name: &str) -> String {
    name.chars().take(COMPARED_CHARS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_half_written_name_is_offered_first() {
        let known = ["Lore", "Lockpicking", "Perception", "Athletics"];
        assert_eq!(suggest("Lockpick", known), ["Lockpicking"]);
        assert_eq!(suggest("percepton", known), ["Perception"]);
        assert_eq!(
            suggest("Jorry", ["Rory", "Sabeth Quoin", "Jory Penrake"]),
            ["Jory Penrake", "Rory"]
        );
        assert!(suggest("zzz", known).is_empty());
        assert!(suggest("", known).is_empty());
    }

    #[test]
    fn only_a_slip_is_a_misspelling() {
        let labels = ["Roll", "Target", "Succeed", "Range"];
        assert_eq!(misspelt("Rol", labels), Some("Roll"));
        assert_eq!(misspelt("targets", labels), Some("Target"));
        assert_eq!(misspelt("Roll", labels), None);
        assert_eq!(misspelt("Strength", labels), None);
    }

    proptest! {
        #[test]
        fn any_two_names_are_compared(wanted in "\\PC{0,300}", known in proptest::collection::vec("\\PC{0,100}", 0..20)) {
            let best = suggest(&wanted, known.iter().map(String::as_str));
            prop_assert!(best.len() <= SUGGESTIONS_MAX);
        }
    }
}
