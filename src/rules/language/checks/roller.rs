//! Who rolls: rules tell it of anybody, and stories of somebody.

/// Words before "who rolls" by which anybody is meant, besides those who roll where rules are told.
const ANYBODY: [&str; 5] = ["one", "anyone", "anybody", "those", "pc"];
/// Who rolls where rules are told; anybody else rolls in a story.
const WHO: [&str; 14] = [
    "player",
    "players",
    "character",
    "everyone",
    "everybody",
    "whoever",
    "gm",
    "side",
    "somebody",
    "attacker",
    "you",
    "hero",
    "adventurer",
    "who",
];
/// Words with which a condition begins: "in a fight you roll".
const CONDITIONS: [&str; 21] = [
    "when", "whenever", "if", "unless", "to", "in", "on", "at", "for", "as", "before", "after", "while", "where",
    "with", "during", "once", "until", "by", "wherever", "without",
];
/// Words before who rolls.
const ARTICLES: [&str; 5] = ["a", "an", "the", "any", "your"];
/// The same of several.
const EACH: [&str; 4] = ["each", "every", "both", "either"];

/// "Mara rolls" and "she rolls" tell a story; "roll", "you roll" and "the attacker rolls" are rules.
pub(super) fn is_told((earlier, before): (Option<&str>, Option<&str>), verb: &str) -> bool {
    let is_one_of = |words: &[&str], word: &str| words.contains(&word.to_lowercase().as_str());
    // "A friend who rolls" does something besides.
    let anybody = |word: &str| is_one_of(&WHO, word) || is_one_of(&ANYBODY, word);
    let rolls = |who: &str| is_one_of(&WHO, who) && (!who.eq_ignore_ascii_case("who") || earlier.is_none_or(anybody));
    !verb.ends_with('s') || before.is_some_and(rolls)
}

/// Whether the clause up to a verb leads to it as rules do: with who rolls, with a condition, or with a word or none. "Jory said that you
/// roll" and "that game has you roll" tell what is rolled somewhere else.
pub(super) fn is_led(before: &str) -> bool {
    let clause = before.rsplit([',', ';', ':', '.', '(', '\u{2014}']).next().unwrap_or_default().to_lowercase();
    let mut words: Vec<&str> = clause.split_whitespace().collect();
    if words.pop_if(|who| WHO.contains(who) || ["they", "we"].contains(who)).is_none() {
        return true;
    }
    words.pop_if(|word| ARTICLES.contains(word) || EACH.contains(word));
    let first = words.first().is_none_or(|word| CONDITIONS.contains(word) || EACH.contains(word));
    let last = words.last().is_none_or(|word| ["and", "or", "then", "so", "but"].contains(word));
    first || last || words.len() == 1 && words != ["that"]
}

#[cfg(test)]
mod tests {
    use super::is_led;

    fn before(words: &str) -> &str {
        words.split_once("roll").expect("a roll").0
    }

    #[test]
    fn what_somebody_says_is_rolled_is_not_told() {
        for words in [
            "Players often think they roll a d20 under their Wit here.",
            "My cousin swears that you roll a d20 under your Wits.",
            "Imagine that you roll d100 under your Might.",
            "The computer version has you roll d100 under your Might.",
        ] {
            assert!(!is_led(before(words)), "{words}");
        }
        for words in [
            "You roll 1d20.",
            "To hide you roll 1d20.",
            "In a fight each player rolls 1d20.",
            "The GM names a number and the player rolls 1d20.",
            "Then you roll 1d20.",
            "The dice decide: you roll 1d20.",
            "Every round you roll 1d20.",
        ] {
            assert!(is_led(before(words)), "{words}");
        }
    }
}
