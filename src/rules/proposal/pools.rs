//! Pools of dice in sentences, of which successes count: "Roll a number of d6 equal to your Brawn. Each 5 or 6 is a success."

use super::attributes::Need;
use super::patterns::{Read, Telling, Wanted};
use super::sentences::bare;
use crate::rules::language::checks::rolled::{dice, fillers, named};
use crate::rules::language::number_words::number_word;
use crate::rules::language::plain::{operand, operator, sentences, skip_space, word_at};

/// "Roll a number of d6 equal to your Brawn. Each 5 or 6 is a success."
pub(super) fn pool(telling: &Telling<'_>) -> Option<Read> {
    if telling.roll.is_some() {
        return None;
    }
    let (_, many) = telling.find(&["number of", "pool of", "as many"], 0)?;
    let (end, one) = dice(&telling.words, skip_space(&telling.words, many), telling.names)?;
    let sides = one.strip_prefix("1d")?.trim_end_matches('s');
    // "d6s"
    let end = telling.words.get(end..).filter(|rest| rest.starts_with('s')).map_or(end, |_| end + 1);
    let end = ["dice", "die"]
        .iter()
        .find_map(|word| word_at(&telling.words, skip_space(&telling.words, end), word))
        .unwrap_or(end);
    let next = skip_space(&telling.words, end);
    let mut at = ["equal to", "as"].iter().find_map(|word| word_at(&telling.words, next, word))?;
    let mut parts: Vec<String> = Vec::new();
    let mut wants: Vec<Wanted> = Vec::new();
    let mut general = false;
    loop {
        let start = fillers(&telling.words, skip_space(&telling.words, at));
        let (end, part) =
            match operand(&telling.words, start, telling.names).filter(|(_, piece)| piece.starts_with('{')) {
                Some(found) => found,
                None => {
                    let (end, own) = named(&telling.words, start, false, telling.names)?;
                    wants.push((own.name.clone(), Need::Number));
                    (end, format!("{{{}}}", own.name))
                }
            };
        general |= ["{attribute}", "{skill}"].contains(&part.as_str());
        parts.push(part);
        let next = skip_space(&telling.words, end);
        let plus = operator(&telling.words, next).filter(|(_, sign)| *sign == "+").map(|(end, _)| end);
        match plus.or_else(|| word_at(&telling.words, next, "and").filter(|end| telling.is_named(*end))) {
            Some(end) => at = end,
            None if operator(&telling.words, next).is_some() => return None,
            None => break,
        }
    }
    let count = match parts.as_slice() {
        [one] => one.clone(),
        all => format!("({})", all.join(" + ")),
    };
    let faces = faces(&telling.lower)?;
    let mut body = format!("- Roll: `{count}d{sides}`\n- Count: {faces}");
    match with_no_dice(telling, sides) {
        NoDice::Unsaid => {}
        NoDice::Rolled(dice) => body.push_str(&format!("\n- With no dice: `{dice}`")),
        NoDice::Unclear => return None,
    }
    let one =
        ["one success is enough", "at least one success", "a single success", "one success suffices", "any success"];
    let many = ["as many successes as the difficulty", "successes equal to the difficulty"];
    if telling.find(&many, 0).is_some() {
        body.push_str("\n- Target: `{difficulty}`");
    } else if telling.lower.contains("difficulty") {
        return None;
    } else if telling.find(&one, 0).is_some() {
        body.push_str("\n- Target: `1`");
    } else if telling.lower.contains("need") {
        return None;
    }
    Some(Read {
        what: "a pool of dice of which successes count".to_owned(),
        body,
        wants,
        low: false,
        specific: !general,
        compared: false,
    })
}

/// The faces that count: `6`, `5-6`, `5+` of "each 6", "every die that shows a 5 or 6", "each 5 or more is a success".
fn faces(lower: &str) -> Option<String> {
    let mut found = None;
    let is_each = |word: &str| matches!(word, "each" | "every" | "any");
    for at in sentences(lower) {
        let words = bare(lower.get(at).unwrap_or_default());
        // "Ones take one away", "6s count for two".
        let of_faces = |word: &&str| {
            let face = word.strip_suffix('s').is_some_and(|own| own.parse::<i64>().is_ok());
            face || matches!(*word, "ones" | "sixes")
        };
        if words.iter().any(of_faces) {
            return None;
        }
        let Some(start) = words.iter().position(|word| is_each(word)) else { continue };
        let number = |word: &str| word.parse::<i64>().ok().or_else(|| number_word(word, 1..=20));
        let at = (start + 1..words.len().min(start + 7)).find(|at| {
            words
                .get(*at)
                .is_some_and(|word| number(word.trim_end_matches('+')).is_some() || word.split_once('-').is_some())
        });
        let successes = words.iter().any(|word| word.starts_with("success"));
        // "Each success counts double", "each 1 takes one away".
        if at.is_some() != successes {
            return None;
        }
        let Some(at) = at else { continue };
        // Another clause says what other faces are, or how many successes: "each 4 is a success and each 6 is two".
        let from = if words.get(at + 1) == Some(&"or") { at + 3 } else { at + 1 };
        let rest = words.get(from..).unwrap_or_default();
        let many = |word: &str| number(word.trim_end_matches(['+', 's'])).is_some_and(|own| own != 1);
        if rest.iter().any(|word| is_each(word) || many(word)) {
            return None;
        }
        let word = *words.get(at)?;
        let faces =
            match (word.strip_suffix('+'), word.split_once(['-', '\u{2013}']), words.get(at + 1), words.get(at + 2)) {
                (Some(low), ..) => format!("{}+", number(low)?),
                (None, Some((low, high)), ..) => format!("{}-{}", number(low)?, number(high)?),
                (None, None, Some(&"or"), Some(&("more" | "higher" | "better" | "above" | "greater"))) => {
                    format!("{}+", number(word)?)
                }
                (None, None, Some(&"or"), Some(other)) => format!(
                    "{}-{}",
                    number(word)?,
                    number(other).filter(|high| Some(*high) == number(word).map(|low| low + 1))?
                ),
                _ => number(word)?.to_string(),
            };
        if found.is_some() {
            return None;
        }
        found = Some(faces);
    }
    found
}

/// What a text says of a pool without a die.
enum NoDice {
    Unsaid,
    /// These dice are rolled then.
    Rolled(String),
    Unclear,
}

/// "If you have no Brawn, roll one die."
fn with_no_dice(telling: &Telling<'_>, sides: &str) -> NoDice {
    let all: Vec<&str> = sentences(&telling.lower).filter_map(|at| telling.lower.get(at)).collect();
    let mut said = all.iter().filter(|own| is_of_no_dice(own));
    match (said.next(), said.next()) {
        (None, _) => NoDice::Unsaid,
        (Some(own), None) => one_die(own, sides).map_or(NoDice::Unclear, NoDice::Rolled),
        (Some(_), Some(_)) => NoDice::Unclear,
    }
}

/// Whether a sentence, in small letters, is about a pool that has no dice: "with no dice", "if your pool is empty", "with a Brawn of 0".
pub(super) fn is_of_no_dice(lower: &str) -> bool {
    let lower = lower.trim_start();
    let clause = lower.split([',', ';', ':']).next().unwrap_or_default();
    let words = bare(clause);
    let opens =
        matches!(words.first(), Some(&("if" | "when" | "with" | "without" | "should" | "whoever" | "somebody" | "at")));
    let none = ["no", "zero", "0", "empty", "without", "none", "lack"];
    let verb = |word: &&str| matches!(*word, "roll" | "rolls" | "throw" | "throws");
    let of_a_hit = |two: &[&str]| matches!(two, ["no" | "zero" | "0" | "without", success] if success.starts_with("success") || matches!(*success, "die" | "sixes"));
    let rolls = bare(lower).iter().any(verb);
    opens && rolls && words.iter().any(|word| none.contains(word)) && !words.windows(2).any(of_a_hit)
}

/// `1d6` of "… roll one die"; two of which the lower counts are none, since a Count looks at both.
fn one_die(lower: &str, sides: &str) -> Option<String> {
    let words = bare(lower);
    let at = words.iter().position(|word| matches!(*word, "roll" | "rolls"))?;
    let one = format!("1d{sides}");
    let die = one.trim_start_matches('1');
    let rest = words.get(at + 1..)?;
    let fits = match rest {
        ["one" | "a" | "1" | "single", own] | ["a" | "one", "single", own] => *own == "die" || *own == die,
        [own] => *own == one || *own == die,
        _ => false,
    };
    fits.then_some(one)
}

/// Whether a sentence, in small letters, rolls a pool where another has no dice: "If you have no Brawn, roll a number of d6 equal to your Wits."
pub(super) fn is_instead(lower: &str) -> bool {
    is_of_no_dice(lower) && ["number of", "pool of", "as many"].iter().any(|own| lower.contains(own))
}

/// Whether a sentence, in small letters, makes up a pool without the word for a roll: "Make a pool of d10s equal to your Brawn".
pub(super) fn is_gathered(lower: &str) -> bool {
    let verbs = ["make", "gather", "build", "assemble", "form", "take"];
    let first = lower.trim_start().trim_start_matches("you ").split(' ').next().unwrap_or_default();
    verbs.contains(&first) && (lower.contains(" pool of d") || lower.contains(" number of d"))
}
