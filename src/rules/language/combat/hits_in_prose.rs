//! "Roll Melee or Aim against the other's Armour": for these skills, a target's own number is the difficulty; or, where a
//! declared check has it as its Target, they are rolled by that check.
//!
//! ```text
//! sentence = … verb skill { ("or" | "," | "and") skill } … against number …
//! verb     = "roll" | "make a" | "test" | "use"      against = "against" | "versus" | "the difficulty is"
//! number   = whose Name | "the" Name "of" …           whose   = "the other's" | "the target's" | "their" | …
//! ```

use super::to_hit::ToHit;
use crate::names::same;
use crate::rules::document::{Block, Section, Text};
use crate::rules::language::checks::Check;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::outline::Outline;
use crate::rules::language::system::System;
use crate::rules::section::SectionKind;

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

/// Reads every such sentence, where a check takes the number, or a difficulty.
pub fn read(outline: &Outline<'_>, system: &System, ledger: &mut Ledger<'_>) -> Vec<ToHit> {
    let mut all: Vec<ToHit> = Vec::new();
    let sections = outline.all().filter(|(kind, _)| *kind != Some(SectionKind::Examples));
    for (own, block) in sections.flat_map(|(kind, section)| blocks(kind, section, system)) {
        let text: &Text = match block {
            Block::Paragraph(text) => text,
            Block::Bullet(bullet) => &bullet.text,
            Block::Table(_) | Block::Heading(_) | Block::Fence { .. } => continue,
        };
        if text.as_str().len() > ledger.limits.bullet_bytes {
            continue;
        }
        for (at, sentence) in sentences(text.as_str()) {
            for (skills, number) in in_parts(sentence, system) {
                if all.iter().any(|own| same(&own.number, &number) && own.skills == skills) {
                    continue;
                }
                let Some(by) = rolled_by(own, &number, system) else { continue };
                let place = ledger.place(text.span_of(at..at + sentence.len()));
                let check = match by {
                    RolledBy::Declared(check) => Some(check),
                    RolledBy::Difficulty(check) => {
                        let note = format!(
                            "with a target, its {number} is the difficulty of {}; to be sure write a check with ``- Target: `{{{number}}}` ``",
                            skills.join(" and ")
                        );
                        ledger.assume(note, Some(place.clone()));
                        check
                    }
                };
                let check = check.map(|check| check.name.clone());
                all.push(ToHit { skills, number, stated: stated(sentence), check, place });
            }
        }
    }
    all
}

/// The blocks of a section, each with the check in whose own part it stands.
fn blocks<'a>(
    kind: Option<SectionKind>,
    section: &'a Section,
    system: &'a System,
) -> impl Iterator<Item = (Option<&'a Check>, &'a Block)> {
    let own = move |part: &Section| {
        let span = part.heading.as_ref().filter(|_| kind == Some(SectionKind::Checks))?.span();
        system.checks.iter().find(|check| check.span == span)
    };
    let parts = section.subsections.iter().flat_map(move |part| {
        let own = own(part);
        part.blocks.iter().map(move |block| (own, block))
    });
    section.blocks.iter().map(|block| (None, block)).chain(parts)
}

/// What a sentence's skills are rolled by.
enum RolledBy<'a> {
    /// A check whose Target asks for the number.
    Declared(&'a Check),
    /// A check that takes a difficulty, in whose place the number counts; none: any of them.
    Difficulty(Option<&'a Check>),
}

/// By what a sentence's skills are rolled. `None` where several checks ask for the number, so that the call says which; and
/// where no check has a place for it.
fn rolled_by<'a>(own: Option<&'a Check>, number: &str, system: &'a System) -> Option<RolledBy<'a>> {
    let takes_difficulty = |check: &&Check| check.target_names().iter().any(|name| same(name, "difficulty"));
    let asks = |check: &&Check| check.target_names().iter().any(|name| is_same_number(name, number, system));
    if let Some(own) = own.filter(asks) {
        return Some(RolledBy::Declared(own));
    }
    let mut asking = system.checks.iter().filter(asks);
    match (asking.next(), asking.next()) {
        (Some(only), None) => Some(RolledBy::Declared(only)),
        (Some(_), Some(_)) => None,
        (None, _) => match own {
            Some(own) => Some(own).filter(takes_difficulty).map(|own| RolledBy::Difficulty(Some(own))),
            None => system.checks.iter().any(|own| takes_difficulty(&own)).then_some(RolledBy::Difficulty(None)),
        },
    }
}

/// Whether two names mean one number: AC and Armour class, too.
fn is_same_number(one: &str, other: &str, system: &System) -> bool {
    let attribute = |name: &str| system.named_attribute(name).map(|own| &own.name);
    same(one, other) || attribute(one).is_some_and(|own| attribute(other) == Some(own))
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

/// What a sentence says: one thing, or two as "Roll Hexes against the other's Will, and Swords against the other's Guard".
fn in_parts(sentence: &str, system: &System) -> Vec<(Vec<String>, String)> {
    let two = [", and ", "; ", ", "].iter().find_map(|between| {
        let (first, second) = sentence.split_once(between)?;
        Some(vec![in_sentence(first, system)?, in_sentence(&format!("roll {second}"), system)?])
    });
    two.unwrap_or_else(|| in_sentence(sentence, system).into_iter().collect())
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
