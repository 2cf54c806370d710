//! What is compared with a roll, as sentences say it: one pattern a way.

use super::attributes::Need;
use super::comparisons::{ABOVE, AGAINST, BELOW, DIFFICULTY, OVER, OVER_IN_FULL, UNDER};
use super::pools::{is_of_no_dice, pool};
use super::sentences::{Sentence, bare};
use super::ties::{self, Tie};
use crate::rules::language::checks::rolled::{Rolled, Said, dice, fillers, named, rolled};
use crate::rules::language::names::Names;
use crate::rules::language::plain::{dice_mentions, is_mention, operand, operator, sentences, skip_space, word_at};

/// A name that a check asks for, and what for.
pub(super) type Wanted = (String, Need);

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
    /// Whether a total is compared with something that it may equal.
    pub compared: bool,
}

/// A sentence that rolls something, with those behind it that say what becomes of it.
pub(super) struct Telling<'t> {
    pub words: String,
    pub lower: String,
    pub roll: Option<&'t Rolled>,
    pub names: &'t Names,
    /// What becomes of a total that equals what it is compared with.
    pub tie: Tie,
}

/// The ways, tried in this order.
pub(super) const PATTERNS: [fn(&Telling<'_>) -> Option<Read>; 5] = [pool, under, under_first, over, number];

/// Sentences behind a roll that belong to it.
const BEHIND: usize = 3;

impl<'t> Telling<'t> {
    /// A sentence with what it rolls. What only mentions something, and what rolls anew, ends the telling.
    pub fn of(sentence: &Sentence<'_>, said: &'t Said, names: &'t Names) -> Self {
        let onward = sentence.onward();
        let first = sentence.words().len();
        let mut end = first;
        for at in sentences(onward).skip_while(|at| at.start < first).take(BEHIND) {
            let words = onward.get(at.clone()).unwrap_or_default();
            let lower = words.to_ascii_lowercase();
            let of_it = ties::is_told(&lower) || is_of_no_dice(&lower);
            if !of_it && (is_mention(words) || rolled(words, names) != Said::Nothing) {
                break;
            }
            end = at.end;
        }
        let mut words = onward.get(..end).unwrap_or_default().to_owned();
        words.extend(apart(sentence, end).into_iter().flat_map(|own| [" ", own]));
        let roll = match said {
            Said::Roll(roll) => Some(roll),
            Said::Nothing | Said::Unclear => None,
        };
        let lower = words.to_ascii_lowercase();
        Self { tie: ties::of(&lower), lower, words, roll, names }
    }

    /// Whether it names one of several ("under your Body, Mind or Soul"), or takes something back ("but over the difficulty").
    pub fn has_a_choice(&self) -> bool {
        let words: Vec<&str> = self.words.split_whitespace().collect();
        let is_name = |word: &&str| word.starts_with(char::is_uppercase);
        let joins = |three: &[&str]| matches!(three, [one, "or", other] if is_name(one) && is_name(other));
        let exempt = ["but", "except", "unless"];
        let mut told = sentences(&self.lower).filter_map(|at| self.lower.get(at));
        let besides = told.any(|own| !ties::is_told(own) && bare(own).iter().any(|word| exempt.contains(word)));
        words.windows(3).any(joins) || besides
    }

    /// Where the first of these phrases stands, whole, from here on; and where it ends.
    pub fn find(&self, phrases: &[&str], from: usize) -> Option<(usize, usize)> {
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
    pub fn is_named(&self, at: usize) -> bool {
        let at = skip_space(&self.words, at);
        let own = fillers(&self.words, at);
        own > at || operand(&self.words, own, self.names).is_some()
    }

    fn or_lower(&self, at: usize) -> bool {
        ["or less", "or lower", "or under", "or below"].iter().any(|own| word_at(&self.words, at, own).is_some())
    }

    /// What Target is written for the difficulty that is named here: a number where one stands behind it; none inside where that is made
    /// up of more.
    fn difficulty(&self, at: usize) -> Option<Option<String>> {
        let at = fillers(&self.words, skip_space(&self.words, at));
        let end = DIFFICULTY.iter().find_map(|word| word_at(&self.words, at, word))?;
        let next = skip_space(&self.words, end);
        let next = word_at(&self.words, next, "of").map_or(next, |end| skip_space(&self.words, end));
        let rest = self.words.get(next..)?;
        let digits = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
        let end = skip_space(&self.words, next + digits);
        let goes_on = ["plus", "minus", "or", "to", "times", "and"];
        let more = operator(&self.words, end).is_some()
            || goes_on.iter().any(|word| digits > 0 && word_at(&self.words, end, word).is_some());
        let target = rest.get(..digits).filter(|own| !own.is_empty()).unwrap_or("{difficulty}");
        Some((!more).then(|| target.to_owned()))
    }

    /// Whether "it" stands here.
    fn says_it(&self, at: usize) -> bool {
        let at = skip_space(&self.words, at);
        ["it", "this", "that"].iter().any(|word| word_at(&self.words, at, word).is_some())
    }

    /// The dice of "… on a d20", "… with percentile dice".
    fn dice_behind(&self, from: usize) -> Option<String> {
        let (_, end) = self.find(&["on", "with", "using"], from)?;
        let (_, dice) = dice(&self.words, fillers(&self.words, skip_space(&self.words, end)), self.names)?;
        Some(dice)
    }
}

/// What other paragraphs say behind a roll of a total that equals what it is compared with, and of a pool without dice.
fn apart<'a>(sentence: &Sentence<'a>, end: usize) -> Vec<&'a str> {
    let of_it = |text: &str| {
        let lower = text.to_ascii_lowercase();
        ties::is_told(&lower) || is_of_no_dice(&lower)
    };
    let rest = sentence.onward().get(end..).unwrap_or_default();
    let mut all = Vec::new();
    for text in std::iter::once(rest).chain(sentence.after()) {
        for at in sentences(text) {
            let own = text.get(at).unwrap_or_default();
            if of_it(own) {
                all.push(own.trim());
            } else if dice_mentions(own).next().is_some() {
                return all;
            }
        }
    }
    all
}

struct Score {
    end: usize,
    text: String,
    wants: Option<String>,
    specific: bool,
}

/// A check of a roll under a score; none where it says of a total that equals it what is not read.
fn low(telling: &Telling<'_>, dice: &str, score: Score, below: bool) -> Option<Read> {
    let dice = dice.replace('%', "100");
    let tie = telling.tie.unless(below)?;
    let rows = tie.rows();
    let body = format!("- Roll: `{dice}`\n- Target: `{}`\n- Succeed: at most the target{rows}", score.text);
    let what = match tie {
        Tie::Fails => "a roll that must be lower than a score; one that equals it fails",
        Tie::Costs(_) => "a roll that must be lower than a score; one that equals it succeeds in part",
        _ => "a roll that must not be higher than a score",
    };
    let wants = score.wants.into_iter().map(|name| (name, Need::Score)).collect();
    let specific = score.specific;
    Some(Read { what: what.to_owned(), body, wants, low: true, specific, compared: true })
}

/// "Roll percentile dice equal to or under your skill", "roll a d20 under your Wits"; the score may stand in a later sentence.
fn under(telling: &Telling<'_>) -> Option<Read> {
    let roll = telling.roll.filter(|roll| roll.added.is_empty())?;
    let dice = roll.dice.as_deref()?;
    if telling.find(&OVER[..OVER_IN_FULL], roll.at.end).is_some() {
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
    low(telling, dice, telling.score(at)?, below)
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
    low(telling, dice, score, false)
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
    low(telling, &dice, score, below)
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
    let against = telling.find(&AGAINST, from).and_then(|(_, end)| telling.difficulty(end));
    // "Against a DC. If you beat it, …": it is what was just said.
    let number = |end: usize| match telling.difficulty(end) {
        None if telling.says_it(end) => against.clone(),
        found => found,
    };
    let reached = telling.find(&OVER, from).and_then(|(_, end)| number(end));
    let above = telling.find(&ABOVE, from);
    let exceeded = above.and_then(|(_, end)| number(end));
    let (target, below, said) = match (reached, exceeded, against) {
        (Some(target), ..) => (target, false, true),
        (None, Some(target), _) => (target, true, true),
        // "Against a difficulty" leaves open what a tie is; "beat it" does not.
        (None, None, Some(target)) if above.is_none() => (target, false, telling.tie != Tie::Open),
        (None, None, _) => return None,
    };
    // Two numbers, or one that the text goes on to make up, are another target.
    let target = target?;
    let tie = telling.tie.unless(below)?;
    let body = format!("- Roll: `{notation}`\n- Target: `{target}`{}", tie.rows());
    let what = match tie {
        Tie::Fails => "a roll that must be higher than a difficulty",
        Tie::Costs(_) => "a roll that must be higher than a difficulty; one that equals it succeeds in part",
        _ => "a roll that must reach a difficulty",
    };
    let what = if said { what.to_owned() } else { format!("{what}; assumed: one that equals it succeeds") };
    Some(Read { what, body, wants, low: false, specific, compared: true })
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
    Some(Read { what: format!("a roll that must reach {target}"), body, wants, low: false, specific, compared: false })
}
