//! How a check is rolled, said in a sentence: "roll 1d20 and add your modifier; if you equal or beat the difficulty", "a DC 15
//! Dexterity save", "roll under your skill on d100"; and the check that the program takes for granted, written out.

use super::blocks::Block;
use super::look::{Look, Proposal};
use super::sentences::{Sentence, bare, is_name, sentences};
use crate::rules::language::plain::dice_mentions;
use crate::rules::language::section::SectionKind;
use crate::rules::when::facts::Succeed;

/// Numbers that a difficulty has.
const DIFFICULTY: std::ops::RangeInclusive<u32> = 1..=60;
/// What says that low is good.
const UNDER: [&str; 12] = [
    "or under",
    "roll under",
    "rolls under",
    "rolling under",
    "equal to or less than",
    "equal to or lower than",
    "less than or equal to",
    "lower than or equal to",
    "equal to or under",
    "equal to or below",
    "at or below",
    "at or under",
];
/// What says that high is good, beside a difficulty.
const OVER: [&str; 14] = [
    "equal or exceed",
    "equals or exceeds",
    "equal to or greater than",
    "equal to or higher than",
    "greater than or equal to",
    "higher than or equal to",
    "meet or beat",
    "meets or beats",
    "meet or exceed",
    "meets or exceeds",
    "at least",
    "equal or beat",
    "equals or beats",
    "at or above",
];
/// Words for the number to be reached.
const NUMBERS: [&str; 5] = ["difficulty", "dc", "target number", "tn", "difficulty class"];
/// Words that add to the dice.
const ADDS: [&str; 5] = ["add", "adds", "adding", "plus", "modifier"];
/// Letters of a short form.
const SHORT_FORM: usize = 3;

/// `blocks` are stat blocks, whose scores are asked for, too.
pub(super) fn proposals(look: &Look<'_>, blocks: &[Block]) -> Vec<Proposal> {
    let declared = || look.system.checks.iter().filter(|check| !check.assumed);
    let low = declared().any(|check| check.succeed == Succeed::AtMost);
    let high = declared().any(|check| check.succeed != Succeed::AtMost && check.target.is_some());
    let (mut under, mut over, mut by_dc) = (None, None, None);
    let mut unknown: Vec<String> = Vec::new();
    let mut first_unknown = None;
    for sentence in sentences(look) {
        if under.is_none() && !low {
            under = roll_under(look, &sentence);
        }
        if over.is_none() && !high {
            over = roll_over(look, &sentence);
        }
        let asked = asked_by_dc(&sentence);
        if let Some(asked) = asked.first()
            && by_dc.is_none()
            && !high
        {
            let body = "### Check\n- Roll: `1d20 + {modifier}`\n- Target: `{difficulty}`".to_owned();
            let what = format!("a check against a difficulty, for \"{}\"", asked.words);
            by_dc = Some(look.below(SectionKind::Checks, what, sentence.span(), body));
        }
        for name in asked.into_iter().flat_map(|own| own.names) {
            if !is_declared(&name, look) && !unknown.contains(&name) {
                first_unknown = first_unknown.or(Some(sentence.span()));
                unknown.push(name);
            }
        }
    }
    for (name, source) in blocks.iter().flat_map(|own| own.scores.iter().map(|name| (name, own.proposal.source))) {
        if !is_declared(name, look) && !unknown.iter().any(|own| own == name || short(own) == *name) {
            first_unknown = first_unknown.or(Some(source));
            unknown.push(name.clone());
        }
    }
    let attributes = first_unknown.map(|source| {
        let bullets: Vec<String> =
            unknown.iter().map(|name| format!("- {name}{}", short_form(name, &unknown))).collect();
        let what = format!("what checks are made with: {}", unknown.join(", "));
        look.below(SectionKind::Attributes, what, source, bullets.join("\n"))
    });
    // Two sentences may say the same roll; where one does, nothing is taken for granted.
    let high_check = over.or(by_dc);
    let assumed = assumed(look).filter(|_| under.is_none() && high_check.is_none());
    [under, high_check, attributes, assumed].into_iter().flatten().collect()
}

fn is_declared(name: &str, look: &Look<'_>) -> bool {
    look.system.named_attribute(name).is_some() || look.system.named_skill(name).is_some()
}

/// `DEX` of Dexterity.
fn short(name: &str) -> String {
    name.chars().take(SHORT_FORM).collect::<String>().to_uppercase()
}

/// ` (DEX)`, where no other name begins so.
fn short_form(name: &str, all: &[String]) -> String {
    let own = short(name);
    let taken = all.iter().filter(|other| short(other) == own).count() > 1;
    if taken || name.chars().count() <= SHORT_FORM { String::new() } else { format!(" ({own})") }
}

/// The name of a check in this place: its heading, where it has one of its own.
fn name_of(sentence: &Sentence<'_>, look: &Look<'_>) -> String {
    let heading = sentence.part.heading.as_ref().filter(|_| sentence.part.level == 3);
    let name = heading.map(|heading| heading.as_str().trim()).filter(|name| !name.is_empty());
    let free = name.filter(|name| look.system.check(name).is_err());
    free.unwrap_or("Test").to_owned()
}

/// The dice of a sentence that rolls some, as notation.
fn rolled(sentence: &Sentence<'_>) -> Option<String> {
    let lower = sentence.lower();
    if !bare(&lower).iter().any(|word| matches!(*word, "roll" | "rolls" | "rolling" | "throw")) || sentence.is_negated()
    {
        return None;
    }
    let dice = dice_mentions(&lower).next().and_then(|at| lower.get(at)).map(str::to_owned);
    let dice = dice.or_else(|| lower.contains("percentile dice").then(|| "d100".to_owned()))?;
    Some(if dice.starts_with('d') { format!("1{dice}") } else { dice })
}

fn roll_under(look: &Look<'_>, sentence: &Sentence<'_>) -> Option<Proposal> {
    let dice = rolled(sentence)?;
    let lower = sentence.lower();
    let at = UNDER.iter().filter_map(|words| Some(lower.find(words)? + words.len())).max()?;
    let words = bare(lower.get(at..)?);
    let target = words.iter().take(6).find_map(|word| match *word {
        "skill" | "skills" => Some("{skill}"),
        "ability" | "attribute" | "characteristic" | "stat" | "score" => Some("{attribute}"),
        word if look.system.named_attribute(word).is_some() => Some("{attribute}"),
        word if look.system.named_skill(word).is_some() => Some("{skill}"),
        _ => None,
    })?;
    let body = format!(
        "### {}\n- Roll: `{dice}`\n- Target: `{target}`\n- Succeed: at most the target",
        name_of(sentence, look)
    );
    Some(look.below(
        SectionKind::Checks,
        "a roll that must not be higher than a score".to_owned(),
        sentence.span(),
        body,
    ))
}

fn roll_over(look: &Look<'_>, sentence: &Sentence<'_>) -> Option<Proposal> {
    let dice = rolled(sentence)?;
    let lower = sentence.lower();
    let words = bare(&lower);
    let says = OVER.iter().any(|own| lower.contains(own)) || lower.contains("against a difficulty");
    let number = NUMBERS.iter().any(|own| match own.contains(' ') {
        true => lower.contains(own),
        false => words.contains(own),
    });
    if !says || !number {
        return None;
    }
    let adds = lower.contains('+') || words.iter().any(|word| ADDS.contains(word));
    let modifier = if adds { " + {modifier}" } else { "" };
    let body = format!("### {}\n- Roll: `{dice}{modifier}`\n- Target: `{{difficulty}}`", name_of(sentence, look));
    Some(look.below(SectionKind::Checks, "a roll that must reach a difficulty".to_owned(), sentence.span(), body))
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
    starts.filter_map(|at| asked_at(sentence, &words, at)).collect()
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

/// The check that the program reads out of the dice of a sentence and its own defaults, written out.
fn assumed(look: &Look<'_>) -> Option<Proposal> {
    let check = look.system.checks.iter().find(|check| check.assumed)?;
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
