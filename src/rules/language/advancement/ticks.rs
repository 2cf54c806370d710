//! Skills that improve by use: what earns one a tick, and the roll that each tick allows.

use super::model::{Earned, Improvement, Tick};
use crate::dice::parse_formula;
use crate::names::fold;
use crate::rules::document::Text;
use crate::rules::language::clause::Clause;
use crate::rules::language::labels::Labelled;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::{plain, range};

/// `Tick a skill when you succeed with it`.
pub(super) fn tick(text: &Text, ledger: &mut Ledger<'_>) -> Option<Clause<Tick>> {
    let words = text.as_str();
    let when = words.get(..5).filter(|tick| tick.eq_ignore_ascii_case("tick ")).and_then(|_| after_when(words))?;
    let place = ledger.place(text.span());
    let earned = earned(when);
    if earned.is_none() {
        ledger.left_to_gm(text.span(), "no check can tell; action=\"award\" ticks a skill");
    }
    Some(Clause { what: Tick { when: when.to_owned(), earned }, place })
}

/// What stands behind `when` in "Tick a skill when you succeed with it".
fn after_when(words: &str) -> Option<&str> {
    words.split_once(" when ").map(|(_, when)| when.trim_end_matches('.'))
}

/// Words that add nothing to how a check ends.
const FILLERS: [&str; 27] = [
    "you", "your", "a", "an", "the", "it", "its", "that", "this", "any", "skill", "with", "at", "in", "on", "of",
    "use", "using", "roll", "rolling", "check", "test", "make", "making", "is", "are", "s",
];

/// "you succeed with it", "a roll with it fails": how a check must end. Nothing where any other word stands, which may say more.
fn earned(when: &str) -> Option<Earned> {
    let folded = fold(when);
    let (mut found, mut critical) = (None, false);
    for word in folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let success = match word {
            "succeed" | "succeeds" | "success" | "successful" | "successfully" => true,
            "fail" | "fails" | "failed" | "failure" => false,
            "critical" | "critically" => {
                critical = true;
                continue;
            }
            word if FILLERS.contains(&word) => continue,
            _ => return None,
        };
        if found.replace(success).is_some_and(|before| before != success) {
            return None;
        }
    }
    Some(match (found?, critical) {
        (true, false) => Earned::Success,
        (true, true) => Earned::CriticalSuccess,
        (false, false) => Earned::Failure,
        (false, true) => Earned::CriticalFailure,
    })
}

/// `At the end of a session, for each tick: roll d%; above the skill or 96+, gain 1d10`.
pub(super) fn improvement(label: &Labelled, ledger: &Ledger<'_>) -> Option<Improvement> {
    if !label.folded.contains("tick") {
        return None;
    }
    let words = label.value.as_str();
    let lower = fold(words);
    let mut dice = plain::dice_mentions(words).filter_map(|at| parse_formula(words.get(at)?).ok());
    let (roll, gain) = (dice.next()?, dice.next()?);
    let (above, below) =
        (lower.contains("above") || lower.contains("over the"), lower.contains("below") || lower.contains("under"));
    (above != below && lower.contains("gain")).then(|| Improvement {
        when: label.label.as_str().to_owned(),
        roll,
        above,
        from: from(&lower),
        gain,
        place: ledger.place(label.span),
    })
}

/// The 96 of `above the skill or 96+`, `or over 95`.
fn from(words: &str) -> Option<i64> {
    words.split(" or ").skip(1).find_map(|part| {
        let (over, rest) = match ["over ", "above ", "more than "].into_iter().find_map(|word| part.strip_prefix(word))
        {
            Some(rest) => (true, rest),
            None => (false, part.strip_prefix("at least ").unwrap_or(part)),
        };
        let (number, rest) = range::number(rest)?;
        (over || rest.starts_with('+') || part.starts_with("at least ")).then(|| number.saturating_add(i64::from(over)))
    })
}

#[cfg(test)]
mod tests {
    use super::{Earned, earned, from};

    #[test]
    fn a_roll_that_is_always_enough_is_read() {
        assert_eq!(["above the skill or 96+", "over the skill, or over 95"].map(from), [Some(96), Some(96)]);
        assert_eq!(
            ["above the skill or at least 96, gain", "above the skill", "over or 1d10"].map(from),
            [Some(96), None, None]
        );
    }

    #[test]
    fn only_words_about_how_a_check_ends_are_understood() {
        assert_eq!(earned("you succeed with it"), Some(Earned::Success));
        assert_eq!(earned("a roll with it is a critical success"), Some(Earned::CriticalSuccess));
        assert_eq!(earned("you fail"), Some(Earned::Failure));
        for other in
            ["you succeed or fail", "you succeed under fire", "you succeed with it at a hard task", "you use it", ""]
        {
            assert_eq!(earned(other), None, "{other}");
        }
    }
}
