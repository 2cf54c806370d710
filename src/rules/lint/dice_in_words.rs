//! What a sentence says of how dice are rolled and read, where no check does so: "Dice explode", "Re-roll ones", "A natural 20
//! always hits", "Roll twice and take the best".
//!
//! Where a check does it already, the sentence only explains it.

use super::conditions::asks;
use crate::names::fold;
use crate::rules::language::checks::Check;
use crate::rules::language::system::System;
use crate::rules::when::Quantity;

/// How words begin that say what a natural face does.
const DECIDES: [&str; 10] =
    ["always", "automatic", "hit", "miss", "succe", "fail", "critical", "crit", "fumble", "botch"];
/// Words by which dice are named.
const DICE: [&str; 12] =
    ["dice", "die", "ones", "twos", "fives", "sixes", "eights", "tens", "twelves", "roll", "rolls", "aces"];

/// What to write instead; none for prose, and where it is done already: by `own` where it stands below that check, else by any.
pub(super) fn help(sentence: &str, own: Option<&Check>, system: &System) -> Option<String> {
    let folded = fold(sentence);
    let words: Vec<&str> = folded
        .split(|letter: char| !letter.is_alphanumeric() && letter != '\'')
        .filter(|word| !word.is_empty())
        .collect();
    let has = |all: &[&str]| words.iter().any(|word| all.contains(word));
    let negated = has(&["not", "never", "no", "don't", "doesn't", "cannot", "without"]);
    if negated {
        return None;
    }
    let checks = || system.checks.iter();
    let explodes = words.iter().any(|word| word.starts_with("explod")) && has(&DICE) || folded.contains("open ended");
    if explodes && !checks().any(|check| check.roll.explodes()) {
        return Some("a die explodes where it is rolled: `- Roll: 2d6!`".to_owned());
    }
    if rerolls(&words) && !checks().any(|check| check.roll.rerolls() || !check.follow_ups.is_empty()) {
        let help = "a die that is always rolled again stands where it is rolled (`- Roll: 2d6r1`); what may be done after a roll is a bullet \
                    of its check, with a name of yours: `- Push: reroll all but 6s`";
        return Some(help.to_owned());
    }
    if let Some(face) =
        natural(&words).filter(|_| words.iter().any(|word| DECIDES.iter().any(|own| word.starts_with(own))))
        && !own.map_or_else(|| checks().any(|check| reads_faces(check, face)), |own| reads_faces(own, face))
    {
        let fails =
            words.iter().any(|word| ["fail", "miss", "fumble", "botch"].iter().any(|own| word.starts_with(own)));
        let (way, outcome) = if fails { ("worse", "failure") } else { ("better", "success") };
        return Some(format!(
            "write `- On natural {face}: one step {way}` below the heading of a check, or a row of its table: `| Critical {outcome} | natural \
             {face} |`"
        ));
    }
    let keeps = has(&["take", "takes", "keep", "keeps", "use", "uses", "choose", "pick"]);
    let twice = words.windows(2).any(|pair| matches!(pair, ["roll" | "rolls" | "rolling", "twice"])) && keeps;
    let at_times =
        has(&["if", "when", "whenever", "while", "advantage", "disadvantage", "may", "can", "who", "help", "helps"]);
    let is_done = match at_times {
        true => system.advantage.is_some() || system.disadvantage.is_some(),
        false => checks().any(|check| check.roll.keeps()),
    };
    (twice && !is_done).then(|| {
        "what every roll keeps stands in the Roll of a check (`- Roll: 2d20kh1`); what a call may ask for stands under Dice: \
         ``- Advantage: `2d20kh1` ``"
            .to_owned()
    })
}

/// "Re-roll ones", "reroll all 1s": said as a rule, and not of somebody who did.
fn rerolls(words: &[&str]) -> bool {
    let again = match words {
        [first, rest @ ..] if matches!(*first, "reroll" | "rerolls") => Some(rest),
        ["re", "roll" | "rolls", rest @ ..] => Some(rest),
        _ => {
            let at = words.iter().position(|word| *word == "reroll");
            let joined = words.windows(2).position(|pair| pair == ["re", "roll"]).map(|at| at + 1);
            at.or(joined).and_then(|at| words.get(at + 1..))
        }
    };
    let faces = ["ones", "1s", "twos", "sixes", "all", "any", "every", "each", "failures", "a", "the", "one", "dice"];
    again.is_some_and(|rest| {
        rest.first().is_none_or(|next| faces.contains(next) || next.starts_with(|own: char| own.is_ascii_digit()))
    })
}

/// The face of "a natural 20", "nat one".
fn natural(words: &[&str]) -> Option<i64> {
    let at = words.iter().position(|word| ["natural", "nat"].contains(word))?;
    match *words.get(at + 1)? {
        "one" | "ones" | "1s" => Some(1),
        "twenty" | "20s" => Some(20),
        face => face.parse().ok(),
    }
}

/// Whether a check looks at a face.
fn reads_faces(check: &Check, face: i64) -> bool {
    let quantity =
        |quantity| matches!(quantity, Quantity::Natural | Quantity::Highest | Quantity::Lowest | Quantity::Face(_));
    check.shifts.iter().any(|shift| (shift.low..=shift.high).contains(&face))
        || asks(check, |own| quantity(own.quantity))
}
