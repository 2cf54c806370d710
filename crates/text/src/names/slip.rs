//! Slips of the pen: words that are surely another one written wrongly, and words that only may be.
//!
//! "Skils" is no word, "Wealth" is one, and both are a letter or two away from a section's name. A
//! slip is known by how the words differ: letters change places, are left out or are struck twice.

use super::{fold, misspellings};

/// How surely a word is a known one with a slip in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slip {
    /// Two letters have changed places, one is left out or struck twice, or one inner letter of a
    /// long word is another.
    Clear,
    /// The same word, but for an `s` at its end.
    Number,
    /// One letter away, and it may well be another word: "Wealth" and "Health".
    Near,
    /// Two letters away, and most likely another word: "Spells" and "Skills".
    Far,
}

/// Letters from which on a word with another inner letter is hardly another word.
const LONG_MIN: usize = 9;
/// Letters from which on a word without one of them is hardly another word.
const WHOLE_MIN: usize = 5;

/// How surely this word is meant for that one; none when they are not alike, or the same.
pub fn slip(written: &str, known: &str) -> Option<Slip> {
    misspellings(written, [known]).first()?;
    let letters = |word: &str| fold(word).chars().collect::<Vec<char>>();
    let one_away = strsim::osa_distance(&fold(written), &fold(known)) == 1;
    let (written, known) = (letters(written), letters(known));
    let alike = written
        .iter()
        .zip(&known)
        .take_while(|(a, b)| a == b)
        .count();
    let (rest, wanted) = (
        written.get(alike..).unwrap_or_default(),
        known.get(alike..).unwrap_or_default(),
    );
    let is_inner = alike > 0 && rest.len().min(wanted.len()) > 1;
    let clear = match (rest, wanted) {
        ([], ['s']) | (['s'], []) => return Some(Slip::Number),
        ([a, b, after @ ..], [c, d, others @ ..]) if a == d && b == c && after == others => true,
        ([_, after @ ..], [_, others @ ..]) if after == others => {
            is_inner && known.len() >= LONG_MIN
        }
        (after, [left_out, others @ ..]) if after == others => {
            let doubled = known.get(alike.wrapping_sub(1)) == Some(left_out);
            doubled || (alike > 0 && known.len() >= WHOLE_MIN)
        }
        ([too_much, after @ ..], others) if after == others => {
            let doubled = written.get(alike.wrapping_sub(1)) == Some(too_much);
            doubled || (is_inner && known.len() >= LONG_MIN)
        }
        _ => false,
    };
    Some(match clear {
        true => Slip::Clear,
        false if one_away => Slip::Near,
        false => Slip::Far,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingers_slip_in_few_ways() {
        for (written, known) in [
            ("Skils", "Skills"),
            ("Cheks", "Checks"),
            ("Atributes", "Attributes"),
            ("Cobmat", "Combat"),
            ("Rol", "Roll"),
            ("Targett", "Target"),
            ("Long rst", "Long rest"),
            ("Resistence", "Resistance"),
            ("Initative", "Initiative"),
            ("Whn", "When"),
        ] {
            let clear = slip(written, known) == Some(Slip::Clear);
            assert_eq!(
                clear,
                written != "Whn",
                "{written} for {known}: {:?}",
                slip(written, known)
            );
        }
    }

    #[test]
    fn another_word_is_no_slip() {
        for (written, known) in [
            ("Spells", "Skills"),
            ("Wealth", "Health"),
            ("Rests", "Tests"),
            ("Factions", "Actions"),
            ("Roles", "Rolls"),
            ("Status", "Stats"),
            ("Chests", "Checks"),
            ("Texts", "Tests"),
            ("Kills", "Skills"),
            ("Arm", "Harm"),
            ("Success", "Succeed"),
        ] {
            assert!(
                matches!(slip(written, known), Some(Slip::Near | Slip::Far)),
                "{written} for {known}"
            );
        }
        assert_eq!(
            [slip("Move", "Moves"), slip("Flags", "Flag")],
            [Some(Slip::Number); 2]
        );
        assert_eq!(
            [slip("Skills", "skills"), slip("Strength", "Stealth")],
            [None; 2]
        );
    }
}
