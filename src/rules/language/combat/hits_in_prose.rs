//! "Roll Melee or Aim against the other's Armour": for these skills, a target's own number is the difficulty.
//!
//! ```text
//! sentence = … verb skill { ("or" | "," | "and") skill } … against number …
//! verb     = "roll" | "make a" | "test" | "use"      against = "against" | "versus" | "the difficulty is"
//! number   = whose Name | "the" Name "of" …           whose   = "the other's" | "the target's" | "their" | …
//! ```

use super::to_hit::ToHit;
use crate::names::same;
use crate::rules::document::{Block, Text};
use crate::rules::language::ledger::Ledger;
use crate::rules::language::outline::Outline;
use crate::rules::language::section::SectionKind;
use crate::rules::language::system::System;

/// What stands before the skills.
const VERBS: [&str; 5] = ["roll ", "make a ", "make an ", "test ", "use "];
/// What stands before the number.
const AGAINST: [&str; 8] =
    ["against ", "versus ", "vs. ", "vs ", "difficulty is ", "difficulty for it is ", "to beat ", "at least "];
/// Whose number it is.
const WHOSE: [&str; 16] = [
    "the other's ",
    "the other one's ",
    "the other side's ",
    "the target's ",
    "your target's ",
    "the foe's ",
    "your foe's ",
    "the enemy's ",
    "the opponent's ",
    "your opponent's ",
    "the defender's ",
    "the victim's ",
    "another's ",
    "their ",
    "its ",
    "the ",
];
/// Behind "the Armour": whose it is.
const OF: [&str; 8] = [
    "of the other",
    "of the target",
    "of your target",
    "of the foe",
    "of whoever",
    "of whomever",
    "of the opponent",
    "of the defender",
];
/// What ends the words of a skill or of a number.
const ENDS: [char; 8] = ['.', ',', ';', ':', '(', ')', '!', '?'];
/// Words of a number's name.
const NAME_WORDS_MAX: usize = 3;
/// Who "most people" are.
const EVERYBODY: [&str; 6] = ["most people", "ordinary people", "everybody", "everyone", "anybody", "people"];

/// Reads every such sentence, where a check takes a difficulty.
pub fn read(outline: &Outline<'_>, system: &System, ledger: &mut Ledger<'_>) -> Vec<ToHit> {
    let is_difficulty = |name: &str| same(name, "difficulty");
    let mut targets = system.checks.iter().filter_map(|check| check.target.as_ref());
    if !targets.any(|target| target.variables().iter().any(|own| is_difficulty(&own.name))) {
        return Vec::new();
    }
    let mut all: Vec<ToHit> = Vec::new();
    let sections = outline.all().filter(|(kind, _)| *kind != Some(SectionKind::Examples));
    for block in sections.flat_map(|(_, section)| section.all_blocks()) {
        let text: &Text = match block {
            Block::Paragraph(text) => text,
            Block::Bullet(bullet) => &bullet.text,
            Block::Table(_) | Block::Heading(_) | Block::Fence { .. } => continue,
        };
        if text.as_str().len() > ledger.limits.bullet_bytes {
            continue;
        }
        for (at, sentence) in sentences(text.as_str()) {
            let Some((skills, number)) = in_sentence(sentence, system) else { continue };
            if all.iter().any(|own| same(&own.number, &number) && own.skills == skills) {
                continue;
            }
            let place = ledger.place(text.span_of(at..at + sentence.len()));
            let note = format!(
                "with a target, its {number} is the difficulty of {}; to be sure write a check with ``- Target: `{{{number}}}` ``",
                skills.join(" and ")
            );
            ledger.assume(note, Some(place.clone()));
            all.push(ToHit { skills, number, stated: stated(sentence), place });
        }
    }
    all
}

/// Each sentence with where it begins.
fn sentences(words: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    words.split_inclusive(['.', '!', '?']).map(move |sentence| {
        let at = start;
        start += sentence.len();
        (at, sentence)
    })
}

/// The skills and the number of a sentence.
fn in_sentence(sentence: &str, system: &System) -> Option<(Vec<String>, String)> {
    // The same length in every letter, so that places fit.
    let lower = sentence.to_ascii_lowercase();
    let skills = VERBS.iter().find_map(|verb| {
        lower.match_indices(verb).find_map(|(at, _)| {
            let begins = lower.get(..at)?.chars().next_back().is_none_or(|letter| !letter.is_alphanumeric());
            let words = sentence.get(at + verb.len()..).filter(|_| begins)?;
            let against = AGAINST.iter().filter_map(|word| words.find(&format!(" {word}"))).min();
            let words = words.get(..against.unwrap_or(words.len()))?;
            skills(words.split([';', ':', '.', '(']).next()?, system)
        })
    })?;
    let number = AGAINST.iter().find_map(|word| {
        lower
            .match_indices(word)
            .find_map(|(at, _)| number(sentence.get(at + word.len()..)?, lower.get(at + word.len()..)?))
    })?;
    Some((skills, number))
}

/// `Melee or Aim`, `1d20 + Melee`: all of them declared.
fn skills(words: &str, system: &System) -> Option<Vec<String>> {
    let words = words.replace(" or ", ",").replace(" and ", ",").replace(['/', '+'], ",");
    let parts = words.split(',').map(|part| part.trim().trim_end_matches(" check").trim_end_matches(" roll").trim());
    let is_dice = |part: &&str| part.contains(|letter: char| letter.is_ascii_digit()) || same(part, "modifier");
    let named = |part: &str| {
        let skill = system.named_skill(part).map(|own| own.name.clone());
        skill.or_else(|| system.named_attribute(part).map(|own| own.name.clone()))
    };
    let all: Vec<String> = parts.filter(|part| !part.is_empty() && !is_dice(part)).map(named).collect::<Option<_>>()?;
    (!all.is_empty()).then_some(all)
}

/// `the other's Armour, the number in its description`: the name behind whose it is.
fn number(words: &str, lower: &str) -> Option<String> {
    let whose = WHOSE.iter().find(|whose| lower.starts_with(*whose))?;
    let (words, lower) = (words.get(whose.len()..)?, lower.get(whose.len()..)?);
    let of = OF.iter().filter_map(|of| lower.find(&format!(" {of}"))).min();
    // "the difficulty" is nobody's.
    if *whose == "the " && of.is_none() {
        return None;
    }
    let name = words.get(..of.unwrap_or(words.len()))?.split(ENDS).next()?;
    let name = [" and ", " or ", " with ", " to ", " as ", " when ", " if ", " plus "]
        .iter()
        .fold(name, |name, word| name.split(word).next().unwrap_or(name))
        .trim_matches([' ', '`', '*', '_', '{', '}', '\n']);
    let fits = name.starts_with(char::is_alphabetic) && name.split_whitespace().count() <= NAME_WORDS_MAX;
    (fits && !same(name, "difficulty")).then(|| name.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// `10 for most people`
fn stated(sentence: &str) -> Option<i64> {
    let lower = sentence.to_ascii_lowercase();
    let lower = lower.split_whitespace().collect::<Vec<_>>().join(" ");
    EVERYBODY.iter().find_map(|who| {
        let before = lower.get(..lower.find(&format!(" for {who}"))?)?;
        before.rsplit(|letter: char| !letter.is_ascii_digit()).next()?.parse().ok()
    })
}
