//! What a text says of a roll beyond it: "On a natural 20 …", "Doubles are special", "Do not add it when you are hurt".

use crate::rules::language::plain::{dice_mentions, each_word, sentences};

/// Words that say what single dice do besides the total.
const SPECIAL: [&str; 14] = [
    "doubles",
    "critical",
    "criticals",
    "critically",
    "fumble",
    "fumbles",
    "botch",
    "botches",
    "glitch",
    "glitches",
    "explode",
    "explodes",
    "reroll",
    "rerolls",
];
/// Words before one of the others that make it one of dice.
const PAIRS: [(&str, &[&str]); 4] = [
    ("natural", &["one", "twenty", "twelve", "two", "roll", "result"]),
    ("double", &["one", "ones", "six", "sixes", "on", "under", "over", "is", "that", "means", "counts"]),
    ("special", &["success", "successes", "result", "results", "roll", "rolls", "failure"]),
    ("matching", &["dice", "faces"]),
];
/// What is not done with a roll where a rule takes something back.
const DONE: [&str; 6] = ["add", "adds", "adding", "subtract", "count", "counts"];

/// Whether one of these texts, which stand behind a roll, says more of it before something else is rolled.
pub fn goes_on<'t>(texts: impl Iterator<Item = &'t str>) -> bool {
    for text in texts {
        for at in sentences(text) {
            let sentence = text.get(at).unwrap_or_default();
            if is_special(sentence) || takes_back(sentence) {
                return true;
            }
            let lower = sentence.to_lowercase();
            if lower.contains("roll") && dice_mentions(&lower).next().is_some() {
                return false;
            }
        }
    }
    false
}

/// Whether a sentence tells of something special on the dice.
fn is_special(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    let words: Vec<&str> = words(&lower).collect();
    let pair = |two: &[&str]| match two {
        [first, second] => {
            let fits = |(word, others): &(&str, &[&str])| first == word && others.contains(second);
            PAIRS.iter().any(fits) || *first == "natural" && second.starts_with(|letter: char| letter.is_ascii_digit())
        }
        _ => false,
    };
    words.iter().any(|word| SPECIAL.contains(word)) || words.windows(2).any(pair)
}

/// Whether a text takes back what is added or counted: "do not add your Might when you are wounded".
pub fn takes_back(text: &str) -> bool {
    let lower = text.to_lowercase().replace('\u{2019}', "'");
    let words: Vec<&str> = words(&lower).collect();
    let not = |word: &str| matches!(word, "not" | "never" | "nobody" | "cannot" | "without") || word.ends_with("n't");
    words.windows(2).any(|two| matches!(two, [first, second] if not(first) && DONE.contains(second)))
}

fn words(lower: &str) -> impl Iterator<Item = &str> {
    each_word(lower, |letter| !letter.is_alphanumeric() && letter != '\'').map(|(_, word)| word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_behind_a_roll_belongs_to_it_until_the_next() {
        for text in [
            "A natural 20 always succeeds.",
            "Doubles are special.",
            "A double under your skill is good.",
            "Don't add it twice.",
        ] {
            assert!(goes_on([text].into_iter()), "{text}");
            let later = ["Damage: roll 1d6.", text];
            assert!(!goes_on(later.into_iter()), "{text}");
        }
        for text in ["The door is always shut.", "It deals double damage.", "She is a natural.", "Add your Might."] {
            assert!(!goes_on([text].into_iter()), "{text}");
        }
    }
}
