//! Which of several is meant by a name: the one called so, else the only one whose name holds it as
//! whole words.
//!
//! Every kind of thing that a call names is found in this way: characters, combatants, checks,
//! skills, attributes, templates, items, conditions, sections. A misspelling is never taken for a
//! name; [`super::suggest()`] offers what is like it.

use super::{fold, same};

/// What a name leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found<T> {
    One(T),
    /// All that it could mean, in the order in which they were offered.
    Several(Vec<T>),
    Nothing,
}

/// Words that alone name nothing, though a name holds them.
const JOINTS: [&str; 13] = [
    "a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "the", "to", "with",
];

/// The one called so after folding; else the only one whose name holds the wanted words side by
/// side.
pub fn find<'n, T>(wanted: &str, all: impl IntoIterator<Item = (&'n str, T)>) -> Found<T> {
    let words = Words::of(wanted);
    let mut holding = Vec::new();
    for (name, item) in all {
        if same(name, wanted) {
            return Found::One(item);
        }
        if words.are_in(name) {
            holding.push(item);
        }
    }
    match holding.len() {
        0 => Found::Nothing,
        1 => holding.pop().map_or(Found::Nothing, Found::One),
        _ => Found::Several(holding),
    }
}

/// The words of a name that is asked for.
pub struct Words(Vec<String>);

impl Words {
    /// The words; none where they name nothing: `7`, `of the`.
    pub fn of(wanted: &str) -> Words {
        let words = words(wanted);
        let names = |word: &String| {
            word.chars().any(char::is_alphabetic) && !JOINTS.contains(&word.as_str())
        };
        Words(if words.iter().any(names) {
            words
        } else {
            Vec::new()
        })
    }

    /// Whether they name nothing.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a name holds all of them, side by side and in their order.
    pub fn are_in(&self, name: &str) -> bool {
        !self.0.is_empty() && words(name).windows(self.0.len()).any(|part| part == self.0)
    }
}

/// Folded words without the marks around them: "Ogre, the (old)" is `ogre`, `the`, `old`.
fn words(name: &str) -> Vec<String> {
    let bare = |word: &str| {
        word.trim_matches(|letter: char| !letter.is_alphanumeric())
            .to_owned()
    };
    fold(name)
        .split(' ')
        .map(bare)
        .filter(|word| !word.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn among<'a>(wanted: &str, names: &[&'a str]) -> Found<&'a str> {
        find(wanted, names.iter().map(|name| (*name, *name)))
    }

    #[test]
    fn a_word_that_one_name_holds_means_its_bearer() {
        let names = [
            "Jory Penrake",
            "Sabeth Quoin",
            "Ogre, the (old)",
            "Bess of the Ford",
            "Goblin 1",
        ];
        for (wanted, found) in [
            ("Jory", "Jory Penrake"),
            ("PENRAKE", "Jory Penrake"),
            ("jory-penrake", "Jory Penrake"),
            ("ogre", "Ogre, the (old)"),
            ("old", "Ogre, the (old)"),
            ("of the Ford", "Bess of the Ford"),
            ("Goblin", "Goblin 1"),
        ] {
            assert_eq!(among(wanted, &names), Found::One(found), "{wanted}");
        }
        for wanted in [
            "Jor",
            "Penrake Jory",
            "the",
            "of the",
            "1",
            "",
            "Jorry",
            "Joryy",
        ] {
            assert_eq!(among(wanted, &names), Found::Nothing, "{wanted}");
        }
    }

    #[test]
    fn what_several_hold_means_none_of_them_and_a_whole_name_itself() {
        assert_eq!(
            among("Goblin", &["Goblin 1", "Rat", "Goblin 2"]),
            Found::Several(vec!["Goblin 1", "Goblin 2"])
        );
        assert_eq!(
            among("goblin", &["Goblin 1", "Goblin", "Goblin 2"]),
            Found::One("Goblin")
        );
    }

    proptest! {
        #[test]
        fn every_name_is_found_by_itself(names in proptest::collection::vec("[a-zA-Z ’é-]{1,12}", 1..6), at in 0usize..6) {
            let wanted = names[at % names.len()].clone();
            let all = names.iter().map(|name| (name.as_str(), name.as_str()));
            let Found::One(found) = find(&wanted, all) else { panic!("{wanted} is there") };
            prop_assert!(same(found, &wanted));
        }
    }
}
