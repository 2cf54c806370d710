//! How a check is rolled, said in sentences: "roll 1d20 and add your modifier; if you equal or beat the difficulty", "a DC 15 Dexterity
//! save", "roll under your skill on d100", "a number of d6 equal to your Brawn"; and the check that is taken for granted, written out.
//!
//! Each pattern of [`PATTERNS`] looks at a sentence that rolls something and at those behind it, and answers with the bullets of a
//! check. What it cannot read whole, or what the paragraph says more about, is not offered.

use std::collections::HashSet;

use super::attributes::{Need, Want};
use super::look::{Left, Look, Proposal};
use super::patterns::{PATTERNS, Read, Telling};
use super::pools;
use super::sentences::{Sentence, bare, is_name, sentences};
use super::ties::{self, Tie};
use crate::names::same;
use crate::rules::language::checks::Check;
use crate::rules::language::checks::bands::{bands, rows};
use crate::rules::language::checks::further::{goes_on, takes_back};
use crate::rules::language::checks::rolled::{Said, phrase, rolled};
use crate::rules::language::plain::{dice_mentions, sentences as ends, undeclared};
use crate::rules::language::section::SectionKind;
use crate::rules::when::facts::Succeed;

/// Numbers that a difficulty has.
const DIFFICULTY: std::ops::RangeInclusive<u32> = 1..=60;
/// What a check is called that has no name of its own.
const PLAIN: &str = "Test";
/// Words of a paragraph that say more of a roll than a pattern reads.
const MORE: [&str; 25] = [
    "critical",
    "criticals",
    "fumble",
    "fumbles",
    "special",
    "double",
    "doubles",
    "natural",
    "always",
    "automatic",
    "automatically",
    "half",
    "halved",
    "fifth",
    "quarter",
    "explode",
    "explodes",
    "reroll",
    "botch",
    "botches",
    "glitch",
    "push",
    "cancel",
    "cancels",
    "twice",
];

/// A check that sentences tell.
struct Told<'a> {
    name: String,
    what: String,
    body: String,
    sentence: Sentence<'a>,
    wants: Vec<Want>,
    low: bool,
}

/// The checks, the names that they ask for, and what is not offered since the text says more of it; none is taken for granted where the text tells `moves`.
pub(super) fn proposals(look: &Look<'_>, moves: bool) -> (Vec<Proposal>, Vec<Want>, Vec<Left>) {
    let names = look.system.names();
    let mut told: Vec<Told<'_>> = Vec::new();
    let mut dc: Option<(Asked, Sentence<'_>)> = None;
    let mut wants: Vec<Want> = Vec::new();
    let mut dice: Vec<String> = Vec::new();
    let mut unclear = false;
    let mut left: Vec<Left> = Vec::new();
    for sentence in sentences(look) {
        if let Some(rolls) = rolls(&sentence).filter(|_| sentence.is_told()) {
            dice.extend(rolls);
        }
        let asked = asked_by_dc(&sentence);
        wants.extend(asked.iter().flat_map(|own| &own.names).map(|name| Want {
            name: name.clone(),
            need: Need::Modifier,
            source: sentence.span(),
        }));
        if dc.is_none() {
            dc = asked.into_iter().next().map(|asked| (asked, sentence.clone()));
        }
        let said = match rolled(sentence.words(), &names) {
            Said::Nothing if pools::is_gathered(&sentence.lower()) => Said::Unclear,
            said => said,
        };
        if draws(&sentence) && look.system.own_dice.dice.iter().all(|die| !die.deck) {
            left.push(Left::new(sentence.span(), Left::CARDS));
        }
        if said != Said::Nothing && pools::is_instead(&sentence.lower()) {
            left.push(Left::new(sentence.span(), Left::CHOICE));
        }
        if said == Said::Nothing || !sentence.is_told() || rows(bands(sentence.around())).is_some() {
            continue;
        }
        let telling = Telling::of(&sentence, &said, &names);
        let says_more = bare(&sentence.around().to_lowercase()).iter().any(|word| MORE.contains(word))
            || takes_back(sentence.around())
            || goes_on(sentence.after());
        let read = PATTERNS.iter().find_map(|pattern| pattern(&telling));
        let apart = says_apart(pools::is_of_no_dice, &sentence, &telling)
            || read.as_ref().is_some_and(|own| own.compared) && says_apart(ties::is_told, &sentence, &telling);
        let why = match &read {
            _ if says_more || apart || telling.tie == Tie::Unread => Some(Left::SAYS_MORE),
            _ if telling.has_a_choice() => Some(Left::CHOICE),
            Some(_) => None,
            None if said == Said::Unclear => Some(Left::UNCLEAR),
            None => Some(Left::OPEN),
        };
        match (read, why) {
            (Some(read), None) => told.push(Told::of(read, sentence, look)),
            (read, why) => {
                unclear |= said == Said::Unclear || says_more;
                let named = read.is_some() || is_a_test(&sentence);
                left.extend(
                    why.filter(|_| named && !is_of_a_check(&sentence, look)).map(|why| Left::new(sentence.span(), why)),
                );
            }
        }
    }
    let mut seen = HashSet::new();
    told.retain(|own| seen.insert(own.body.clone()));
    left.extend(apart(&mut told));
    let any = !told.is_empty();
    let high = told.iter().any(|own| !own.low) || declares(look, false);
    told.retain(|own| is_new(own, look));
    let mut all: Vec<Proposal> = Vec::new();
    for own in told {
        let body = format!("### {}\n{}", own.name, own.body);
        all.push(look.below(SectionKind::Checks, own.what, own.sentence.span(), body));
        wants.extend(own.wants);
    }
    // What is asked for by a difficulty alone says no dice: a d20, where the text rolls nothing else.
    let d20 = dice.iter().all(|own| own == "d20" || own == "1d20") && !unclear;
    match dc.filter(|_| !high && d20) {
        Some((asked, sentence)) => {
            let body = "### Check\n- Roll: `1d20 + {modifier}`\n- Target: `{difficulty}`".to_owned();
            let what = format!("a check against a difficulty, for \"{}\"; assumed: a d20", asked.words);
            all.push(look.below(SectionKind::Checks, what, sentence.span(), body));
        }
        None if !high => wants.retain(|want| want.need != Need::Modifier || any),
        None => {}
    }
    let one = dice.iter().all(|own| Some(own) == dice.first());
    let assumed = assumed(look).filter(|_| all.is_empty() && !any && !moves && !unclear && one);
    all.extend(assumed);
    (all, wants, left)
}

impl<'a> Told<'a> {
    fn of(read: Read, sentence: Sentence<'a>, look: &Look<'_>) -> Self {
        let span = sentence.span();
        let wants = read.wants.into_iter().map(|(name, need)| Want { name, need, source: span }).collect::<Vec<_>>();
        let heading = sentence.part.heading.as_ref().filter(|_| sentence.part.level == 3);
        let heading = heading.map(|heading| heading.as_str().trim().to_owned()).filter(|name| !name.is_empty());
        let own = heading.filter(|name| look.declared_check(name).is_none());
        // What names a score is one check of several, and called after what is done.
        let done = || phrase(sentence.words().trim()).filter(|_| read.specific);
        let name = own.or_else(done).unwrap_or_else(|| PLAIN.to_owned());
        Self { name, what: read.what, body: read.body, sentence, wants, low: read.low }
    }
}

/// Two checks of one name are called after the headings above them; where these are the same the text says two things, and none is told.
fn apart(told: &mut Vec<Told<'_>>) -> Vec<Left> {
    let names: Vec<String> = told.iter().map(|own| own.name.clone()).collect();
    let twice = |name: &str, all: &[String]| all.iter().filter(|own| same(own, name)).count() > 1;
    for own in told.iter_mut().filter(|own| twice(&own.name, &names)) {
        if let Some(heading) = &own.sentence.part.heading {
            own.name = heading.as_str().trim().to_owned();
        }
    }
    let names: Vec<String> = told.iter().map(|own| own.name.clone()).collect();
    let is_one = |own: &Told<'_>| !own.name.is_empty() && !twice(&own.name, &names);
    let left = told.iter().filter(|own| !is_one(own)).map(|own| Left::new(own.sentence.span(), Left::TWICE)).collect();
    told.retain(is_one);
    left
}

/// Whether a sentence draws cards.
fn draws(sentence: &Sentence<'_>) -> bool {
    let lower = sentence.lower();
    let words = bare(&lower);
    let has = |all: &[&str]| words.iter().any(|word| all.contains(word));
    has(&["draw", "draws"]) && has(&["card", "cards"]) && sentence.is_told() && !has(&["initiative"])
}

/// Whether another sentence than those of the telling is about it.
fn says_apart(about: fn(&str) -> bool, sentence: &Sentence<'_>, telling: &Telling<'_>) -> bool {
    let count = |text: &str| {
        let lower = text.to_ascii_lowercase();
        ends(&lower).filter(|at| lower.get(at.clone()).is_some_and(about)).count()
    };
    count(sentence.around()) > count(&telling.words)
}

/// Whether a sentence is the prose of a check that is declared by the heading above it.
fn is_of_a_check(sentence: &Sentence<'_>, look: &Look<'_>) -> bool {
    // What stands below Dice explains what checks do, where there are any.
    let dice = look.outline.sections(SectionKind::Dice).any(|own| own.span.holds(sentence.span()));
    if dice && look.declared_checks().next().is_some() {
        return true;
    }
    let heading = sentence.part.heading.as_ref().filter(|_| sentence.part.level == 3);
    heading.is_some_and(|heading| look.declared_check(heading.as_str().trim()).is_some())
}

/// Whether what a sentence rolls may be a check: what a hit does, who acts first, and what is rolled on a table or for a new character are none.
fn is_a_test(sentence: &Sentence<'_>) -> bool {
    let lower = sentence.lower();
    let words = bare(&lower);
    let other = ["table", "tables", "damage", "heal", "heals", "initiative", "score", "scores", "weather", "encounter"];
    let made = ["hit points", "for each", "in order"];
    !words.iter().any(|word| other.contains(word)) && !made.iter().any(|own| lower.contains(own))
}

/// Whether no check of the rules does it.
fn is_new(own: &Told<'_>, look: &Look<'_>) -> bool {
    look.declared_check(&own.name).is_none() && (own.name != PLAIN || !declares(look, own.low))
}

/// Whether a check is declared for which low is good, or high.
fn declares(look: &Look<'_>, low: bool) -> bool {
    let decides = |check: &&Check| check.target.is_some() || check.count.is_some();
    look.declared_checks().filter(decides).any(|check| (check.succeed == Succeed::AtMost) == low)
}

/// The dice that a sentence rolls for something else than damage.
fn rolls(sentence: &Sentence<'_>) -> Option<Vec<String>> {
    let lower = sentence.lower();
    let words = bare(&lower);
    let rolls = words.iter().any(|word| matches!(*word, "roll" | "rolls" | "rolling" | "throw"));
    let other = ["damage", "heal", "hit points", "initiative"].iter().any(|word| lower.contains(word));
    let dice = || dice_mentions(&lower).filter_map(|at| Some(lower.get(at)?.to_owned())).collect();
    (rolls && !other).then(dice)
}

/// What a sentence asks for by a difficulty.
struct Asked {
    words: String,
    /// The scores that it names.
    names: Vec<String>,
}

/// "a DC 15 Dexterity save", "a Wisdom (Insight) check with a DC of 12": each of a sentence.
fn asked_by_dc(sentence: &Sentence<'_>) -> Vec<Asked> {
    let words = bare(sentence.words());
    let words: Vec<&str> = words.into_iter().filter(|word| *word != "of").collect();
    let number = |word: &&str| word.parse::<u32>().is_ok_and(|own| DIFFICULTY.contains(&own));
    let pairs = words.windows(2).enumerate();
    let starts = pairs.filter(|(_, pair)| matches!(pair, ["DC", value] if number(value))).map(|(at, _)| at);
    let starts: Vec<usize> = starts.collect();
    if starts.is_empty() || !sentence.is_told() {
        return Vec::new();
    }
    starts.into_iter().filter_map(|at| asked_at(sentence, &words, at)).collect()
}

/// What is asked for by the difficulty that begins at this word.
fn asked_at(sentence: &Sentence<'_>, words: &[&str], at: usize) -> Option<Asked> {
    const ROLLS: [&str; 5] = ["save", "saves", "saving", "check", "checks"];
    let is_roll = |word: &str| ROLLS.iter().any(|own| word.eq_ignore_ascii_case(own));
    // Behind the number at most three words lead to what is rolled; or it is rolled at most five words before.
    let after = words.iter().enumerate().skip(at + 2).take(4).find(|(_, word)| is_roll(word));
    let before = words.iter().enumerate().take(at).rev().take(5).find(|(_, word)| is_roll(word));
    let (roll, named) = match (after, before) {
        (Some((roll, _)), _) => (roll, at + 2..roll),
        (None, Some((roll, _))) => (roll, roll.saturating_sub(2)..roll),
        (None, None) => return None,
    };
    // A skill stands in brackets behind the score.
    let named = words.get(named)?.iter().filter(|word| is_name(word));
    let names = named.filter(|word| !sentence.words().contains(&format!("({word}"))).take(1);
    let names = names.map(|word| (*word).to_owned()).collect();
    let (start, end) = (at.min(roll), (at + 1).max(roll));
    Some(Asked { words: words.get(start..=end)?.join(" "), names })
}

/// The check that the program reads out of the dice of a sentence and its own defaults, written out; none where the sentence says more.
fn assumed(look: &Look<'_>) -> Option<Proposal> {
    let check = look.system.checks.iter().find(|check| check.assumed)?;
    let sentence = sentences(look).find(|sentence| sentence.span().holds(check.span))?;
    let said = rolled(sentence.words(), &look.system.names());
    let unknown = match &said {
        Said::Roll(roll) => !roll.unknown.is_empty(),
        Said::Unclear => true,
        Said::Nothing => {
            let dice = dice_mentions(sentence.words()).next();
            dice.is_some_and(|dice| undeclared(sentence.words(), dice.end).is_some())
        }
    };
    let words = bare(sentence.words());
    let says_more = words.iter().any(|word| MORE.contains(&word.to_lowercase().as_str()));
    let number = words.iter().any(|word| word.trim_end_matches('+').parse::<i64>().is_ok());
    let says_more = says_more || takes_back(sentence.around()) || goes_on(sentence.after());
    if unknown || says_more || number || !sentence.is_told() || rows(bands(sentence.around())).is_some() {
        return None;
    }
    let mut body = format!("### Check\n- Roll: `{}`", check.roll);
    if let Some(target) = &check.target {
        body.push_str(&format!("\n- Target: `{target}`"));
    }
    if check.succeed == Succeed::AtMost {
        body.push_str("\n- Succeed: at most the target");
    }
    if !check.rows.is_empty() {
        body.push_str("\n\n| Outcome | When |\n|---|---|");
        for row in &check.rows {
            let (mut label, name) = (row.label.clone(), row.canonical.as_str());
            if let Some(first) = label.get(..1).map(str::to_ascii_uppercase) {
                label.replace_range(..1, &first);
            }
            let outcome = if label.eq_ignore_ascii_case(name) { label } else { format!("{label} ({name})") };
            body.push_str(&format!("\n| {outcome} | {} |", row.when_text));
        }
    }
    let what = "the check that is taken for granted, written out".to_owned();
    Some(look.below(SectionKind::Checks, what, check.span, body))
}
