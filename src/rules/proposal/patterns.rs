//! What is compared with a roll, as sentences say it: one pattern a way.

use super::attributes::Need;
use super::sentences::{Sentence, bare};
use crate::rules::language::checks::rolled::{Rolled, Said, dice, fillers, named, rolled};
use crate::rules::language::names::Names;
use crate::rules::language::number_words::number_word;
use crate::rules::language::plain::{is_mention, operand, operator, sentences, skip_space, word_at};

/// A name that a check asks for, and what for.
type Wanted = (String, Need);

/// The bullets of a check, and what it asks for.
pub(super) struct Read {
    pub what: String,
    pub body: String,
    /// Names that it asks for and that are not declared.
    pub wants: Vec<Wanted>,
    /// Whether low is good.
    pub low: bool,
    /// Whether it names a score of its own, and is not about any.
    pub specific: bool,
}

/// A sentence that rolls something, with those behind it that say what becomes of it.
pub(super) struct Telling<'t> {
    words: String,
    lower: String,
    roll: Option<&'t Rolled>,
    names: &'t Names,
}

/// The ways, tried in this order.
pub(super) const PATTERNS: [fn(&Telling<'_>) -> Option<Read>; 5] = [pool, under, under_first, over, number];

/// Sentences behind a roll that belong to it.
const BEHIND: usize = 3;

/// A roll may be as high as this.
const UNDER: [&str; 11] = [
    "equal to or less than",
    "equal to or lower than",
    "less than or equal to",
    "lower than or equal to",
    "equal to or under",
    "equal to or below",
    "at or below",
    "at or under",
    "under or equal to",
    "at most",
    "or under",
];
/// A roll must be lower than this.
const BELOW: [&str; 5] = ["roll under", "under", "below", "less than", "lower than"];
/// A roll must reach this.
const OVER: [&str; 22] = [
    "equal or exceed",
    "equals or exceeds",
    "equal to or greater than",
    "equal to or higher than",
    "equal to or more than",
    "greater than or equal to",
    "higher than or equal to",
    "meet or beat",
    "meets or beats",
    "meet or exceed",
    "meets or exceeds",
    "matches or exceeds",
    "match or exceed",
    "match or beat",
    "matches or beats",
    "equal or beat",
    "equals or beats",
    "at least",
    "at or above",
    "reaches",
    "reach",
    "beat or equal",
];
/// A roll must be higher than this.
const ABOVE: [&str; 8] = ["exceed", "exceeds", "beat", "beats", "higher than", "greater than", "more than", "over"];
/// Words for the number to be reached.
const DIFFICULTY: [&str; 6] = ["difficulty class", "difficulty number", "difficulty", "dc", "target number", "tn"];
/// What stands between a roll and the number that it is set against.
const AGAINST: [&str; 3] = ["against", "versus", "vs"];

impl<'t> Telling<'t> {
    /// A sentence with what it rolls. What only mentions something, and what rolls anew, ends the telling.
    pub fn of(sentence: &Sentence<'_>, said: &'t Said, names: &'t Names) -> Self {
        let onward = sentence.onward();
        let first = sentence.words().len();
        let mut end = first;
        for at in sentences(onward).skip_while(|at| at.start < first).take(BEHIND) {
            let words = onward.get(at.clone()).unwrap_or_default();
            if is_mention(words) || rolled(words, names) != Said::Nothing {
                break;
            }
            end = at.end;
        }
        let words = onward.get(..end).unwrap_or_default().to_owned();
        let roll = match said {
            Said::Roll(roll) => Some(roll),
            Said::Nothing | Said::Unclear => None,
        };
        Self { lower: words.to_ascii_lowercase(), words, roll, names }
    }

    /// Whether it names one of several ("under your Body, Mind or Soul"), or takes something back ("but over the difficulty").
    pub fn has_a_choice(&self) -> bool {
        let words: Vec<&str> = self.words.split_whitespace().collect();
        let is_name = |word: &&str| word.starts_with(char::is_uppercase);
        let joins = |three: &[&str]| matches!(three, [one, "or", other] if is_name(one) && is_name(other));
        let exempt = ["but", "except", "unless"];
        words.windows(3).any(joins) || bare(&self.lower).iter().any(|word| exempt.contains(word))
    }

    /// Where the first of these phrases stands, whole, from here on; and where it ends.
    fn find(&self, phrases: &[&str], from: usize) -> Option<(usize, usize)> {
        let whole = |at: usize, phrase: &str| {
            let before = self.lower.get(..at).and_then(|own| own.chars().next_back());
            !before.is_some_and(char::is_alphanumeric) && word_at(&self.lower, at, phrase).is_some()
        };
        let place = |phrase: &&str| {
            let rest = self.lower.get(from..)?;
            let at = rest.match_indices(*phrase).map(|(at, _)| at + from).find(|at| whole(*at, phrase))?;
            Some((at, at + phrase.len()))
        };
        phrases.iter().filter_map(place).min_by_key(|(at, end)| (*at, std::cmp::Reverse(*end)))
    }

    /// What a roll is compared with that begins here, where it ends, and the name that it wants.
    fn score(&self, at: usize) -> Option<Score> {
        let at = fillers(&self.words, skip_space(&self.words, at));
        let (end, text, wants) = match operand(&self.words, at, self.names) {
            Some((end, piece)) => match piece.as_str() {
                "{skill}" => (end, piece, None),
                "{attribute}" | "{score}" => (end, "{attribute score}".to_owned(), None),
                "{modifier}" | "{level}" | "{difficulty}" => return None,
                // Dice, numbers and halves are no score.
                _ if !piece.starts_with('{') => return None,
                _ => {
                    let score = piece.replace('}', " score}");
                    let is_score = self.names.variable(score.trim_matches(['{', '}'])).is_some();
                    (end, if is_score { score } else { piece }, Some(None))
                }
            },
            None => {
                let (end, own) = named(&self.words, at, false, self.names).filter(|(_, own)| !own.modifier)?;
                (end, format!("{{{} score}}", own.name), Some(Some(own.name)))
            }
        };
        let next = skip_space(&self.words, end);
        let called = ["score", "rating", "value", "percentage", "level"];
        let end = called.iter().find_map(|word| word_at(&self.words, next, word)).unwrap_or(end);
        // "Your skill + 10" is another number.
        let next = skip_space(&self.words, end);
        let more = operator(&self.words, next).is_some()
            || ["or", "and", "rank", "ranks", "minus", "divided", "times"].iter().any(|word| {
                word_at(&self.words, next, word).is_some()
                    && !self.or_lower(next)
                    && (*word != "and" || word_at(&self.words, next, "and").is_some_and(|end| self.is_named(end)))
            });
        (!more).then_some(Score { end, text, wants: wants.clone().flatten(), specific: wants.is_some() })
    }

    /// Whether "and" leads to another name: "your Wits and your Nerve".
    fn is_named(&self, at: usize) -> bool {
        let at = skip_space(&self.words, at);
        let own = fillers(&self.words, at);
        own > at || operand(&self.words, own, self.names).is_some()
    }

    fn or_lower(&self, at: usize) -> bool {
        ["or less", "or lower", "or under", "or below"].iter().any(|own| word_at(&self.words, at, own).is_some())
    }

    /// The dice of "… on a d20", "… with percentile dice".
    fn dice_behind(&self, from: usize) -> Option<String> {
        let (_, end) = self.find(&["on", "with", "using"], from)?;
        let (_, dice) = dice(&self.words, fillers(&self.words, skip_space(&self.words, end)), self.names)?;
        Some(dice)
    }
}

struct Score {
    end: usize,
    text: String,
    wants: Option<String>,
    specific: bool,
}

/// A check of a roll under a score.
fn low(dice: &str, score: Score, below: bool) -> Read {
    let dice = dice.replace('%', "100");
    let mut body = format!("- Roll: `{dice}`\n- Target: `{}`\n- Succeed: at most the target", score.text);
    if below {
        body.push_str("\n\n| Outcome | When |\n|---|---|\n| Success | margin 1+ |\n| Failure | otherwise |");
    }
    let what = match below {
        true => "a roll that must be lower than a score; one that equals it fails",
        false => "a roll that must not be higher than a score",
    };
    let wants = score.wants.into_iter().map(|name| (name, Need::Score)).collect();
    Read { what: what.to_owned(), body, wants, low: true, specific: score.specific }
}

/// "Roll percentile dice equal to or under your skill", "roll a d20 under your Wits"; the score may stand in a later sentence.
fn under(telling: &Telling<'_>) -> Option<Read> {
    let roll = telling.roll.filter(|roll| roll.added.is_empty())?;
    let dice = roll.dice.as_deref()?;
    if telling.find(&OVER[..17], roll.at.end).is_some() {
        return None;
    }
    let inclusive = telling.find(&UNDER, roll.at.end);
    let strict = telling.find(&BELOW, roll.at.end);
    let (at, below) = match (inclusive, strict) {
        (Some((at, end)), Some((other, _))) if at <= other || other <= end => (end, false),
        (Some((_, end)), None) => (end, false),
        (_, Some((_, end))) => (end, true),
        (None, None) => return or_less(telling, dice, roll.at.end),
    };
    Some(low(dice, telling.score(at)?, below))
}

/// "Roll a d20: your Wits or less is a success."
fn or_less(telling: &Telling<'_>, dice: &str, from: usize) -> Option<Read> {
    let (at, _) = telling.find(&["or less", "or lower"], from)?;
    let start = telling.lower.get(from..at)?.rfind(['.', ',', ':', ';']).map_or(from, |end| from + end + 1);
    let start = ["get", "roll", "is", "of", "total"]
        .iter()
        .filter_map(|word| {
            let own = telling.lower.get(start..at)?.rfind(&format!(" {word} "))?;
            Some(start + own + word.len() + 2)
        })
        .max()
        .unwrap_or(start);
    let score = telling.score(start).filter(|score| skip_space(&telling.words, score.end) == at)?;
    Some(low(dice, score, false))
}

/// "Roll under your Wits on a d20", "roll your skill or less on d100".
fn under_first(telling: &Telling<'_>) -> Option<Read> {
    if telling.roll.is_some() {
        return None;
    }
    let (_, verb) = telling.find(&["roll", "rolls", "throw"], 0)?;
    let at = skip_space(&telling.lower, verb);
    let here = |phrases: &[&str]| phrases.iter().filter_map(|own| word_at(&telling.lower, at, own)).max();
    let (score, below) = match (here(&UNDER), here(&BELOW)) {
        (Some(end), _) => (telling.score(end)?, false),
        (None, Some(end)) => (telling.score(end)?, true),
        (None, None) => {
            let score = telling.score(at)?;
            if !telling.or_lower(skip_space(&telling.words, score.end)) {
                return None;
            }
            (score, false)
        }
    };
    let dice = telling.dice_behind(score.end)?;
    Some(low(&dice, score, below))
}

/// The roll with what it adds, and the names that it wants.
fn rolled_with(roll: &Rolled) -> Option<(String, Vec<Wanted>, bool)> {
    let dice = roll.dice.as_deref()?;
    let d20 = dice == "1d20";
    let wants = roll.unknown.iter().map(|own| (own.name.clone(), Need::added(own.modifier, d20))).collect();
    let general = ["{modifier}", "{attribute}", "{skill}", "{level}"];
    let named = roll.added.split(' ').filter(|part| part.starts_with('{'));
    let specific = named.into_iter().any(|part| !general.contains(&part));
    Some((roll.notation(dice), wants, specific))
}

/// "Roll a d20 and add your modifier. If the total equals or exceeds the difficulty, you succeed."
fn over(telling: &Telling<'_>) -> Option<Read> {
    let roll = telling.roll?;
    let (notation, wants, specific) = rolled_with(roll)?;
    let from = roll.at.end;
    let number_at = |at: usize| {
        let at = fillers(&telling.words, skip_space(&telling.words, at));
        DIFFICULTY.iter().find_map(|word| word_at(&telling.words, at, word))
    };
    let reached = telling.find(&OVER, from).filter(|(_, end)| number_at(*end).is_some());
    let above = telling.find(&ABOVE, from);
    let against = telling.find(&AGAINST, from).filter(|(_, end)| number_at(*end).is_some());
    let strict = above.is_some_and(|(_, end)| number_at(end).is_some());
    let beyond = match (reached, against) {
        (Some(_), _) => false,
        // "Against a difficulty" leaves open what a tie is; "beat it" does not.
        (None, Some(_)) if above.is_none() => false,
        (None, _) if strict => true,
        (None, _) => return None,
    };
    let mut body = format!("- Roll: `{notation}`\n- Target: `{{difficulty}}`");
    if beyond {
        body.push_str("\n\n| Outcome | When |\n|---|---|\n| Success | margin 1+ |\n| Failure | otherwise |");
    }
    let what =
        if beyond { "a roll that must be higher than a difficulty" } else { "a roll that must reach a difficulty" };
    Some(Read { what: what.to_owned(), body, wants, low: false, specific })
}

/// "Roll 2d6 and add your skill; on a total of 8 or more you succeed."
fn number(telling: &Telling<'_>) -> Option<Read> {
    let roll = telling.roll?;
    let (notation, wants, specific) = rolled_with(roll)?;
    let rest = telling.lower.get(roll.at.end..)?;
    if !["succe", "you do it", "you make it", "you hit"].iter().any(|word| rest.contains(word)) {
        return None;
    }
    let words = bare(rest);
    let mut reached: Vec<i64> = Vec::new();
    let mut numbers = 0;
    for (at, word) in words.iter().enumerate() {
        let open = word.strip_suffix('+');
        let Ok(number) = open.unwrap_or(word).parse::<i64>() else { continue };
        numbers += 1;
        let behind = || {
            words.get(at + 1) == Some(&"or")
                && matches!(words.get(at + 2), Some(&("more" | "higher" | "better" | "above")))
        };
        let before = || at > 1 && words.get(at - 2) == Some(&"at") && words.get(at - 1) == Some(&"least");
        if open.is_some() || behind() || before() {
            reached.push(number);
        }
    }
    let [target] = reached.as_slice() else { return None };
    if numbers > 1 {
        return None;
    }
    let body = format!("- Roll: `{notation}`\n- Target: `{target}`");
    Some(Read { what: format!("a roll that must reach {target}"), body, wants, low: false, specific })
}

/// "Roll a number of d6 equal to your Brawn. Each 5 or 6 is a success."
fn pool(telling: &Telling<'_>) -> Option<Read> {
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
