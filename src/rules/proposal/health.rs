//! Hit points in a sentence: "You have hit points equal to 10 + your Constitution modifier", "At 0 hit points you fall unconscious".

use super::look::{Look, Proposal};
use super::sentences::{Sentence, bare, sentences};
use crate::rules::language::names::Names;
use crate::rules::language::plain;
use crate::rules::language::section::SectionKind;

/// Who has them: everybody, and not the guard in a story.
const EVERYBODY: [&str; 15] = [
    "you ",
    "everyone ",
    "everybody ",
    "each character ",
    "each player character ",
    "characters ",
    "a character ",
    "player characters ",
    "every character ",
    "your character ",
    "adventurers ",
    "heroes ",
    "all characters ",
    "every adventurer ",
    "each adventurer ",
];
/// What leads from them to the number.
const HAVE: [&str; 9] = [
    "have ",
    "has ",
    "start with ",
    "starts with ",
    "begin with ",
    "begins with ",
    "start play with ",
    "starts play with ",
    "get ",
];
/// How a sentence begins that says the number behind them.
const ARE: [&str; 12] = [
    "your hit points are ",
    "your hit points equal ",
    "your hit points are equal to ",
    "your maximum hit points are ",
    "your hit point maximum is ",
    "your hit point maximum equals ",
    "your hit point maximum is equal to ",
    "hit points equal ",
    "hit points are ",
    "maximum hit points are ",
    "hit points at 1st level: ",
    "hit points at 1st level are ",
];
/// What happens at 0, and the condition for it.
const AT_ZERO: [(&str, &str); 4] =
    [("unconscious", "unconscious"), ("dying", "dying"), ("die", "dead"), ("dies", "dead")];

/// `names` are those of the rules and those that are offered beside.
pub(super) fn proposals(look: &Look<'_>, names: &Names) -> Vec<Proposal> {
    let has_health =
        !look.system.tracks.is_empty() || look.system.damage_chain.is_some() || look.system.wounds.is_some();
    let mut most = None;
    let mut zero = None;
    for sentence in sentences(look) {
        if most.is_none() && !has_health {
            most = maximum(&sentence, names).map(|body| {
                look.below(
                    SectionKind::Health,
                    format!("hit points: {body}"),
                    sentence.span(),
                    format!("- Hit points: max `{body}`, from 0"),
                )
            });
        }
        if zero.is_none() {
            zero = at_zero(&sentence).map(|condition| (condition, sentence.span()));
        }
    }
    // What happens at 0 is offered where there is something that can be there.
    let declared =
        most.is_some() || look.system.tracks.iter().any(|track| track.name.eq_ignore_ascii_case("hit points"));
    let zero = zero.filter(|_| declared && look.system.triggers.is_empty()).map(|(condition, span)| {
        let body = format!("- At 0 hit points: {condition}");
        look.below(SectionKind::Health, format!("what happens at 0 hit points: {condition}"), span, body)
    });
    most.into_iter().chain(zero).collect()
}

/// The most that everybody has, in notation.
fn maximum(sentence: &Sentence<'_>, names: &Names) -> Option<String> {
    if !sentence.is_told() {
        return None;
    }
    let (words, lower) = (sentence.words().trim(), sentence.lower());
    let lower = lower.trim();
    if let Some(opening) = ARE.iter().find(|opening| lower.starts_with(*opening)) {
        let rest = words.get(opening.len()..)?;
        return whole(rest.strip_prefix("to ").unwrap_or(rest), names);
    }
    let who = EVERYBODY.iter().find(|who| lower.starts_with(*who))?;
    let have = HAVE.iter().find(|have| lower.get(who.len()..).is_some_and(|rest| rest.starts_with(*have)))?;
    let start = who.len() + have.len();
    let at = start + lower.get(start..)?.find("hit points")?;
    let before = words.get(start..at)?.trim();
    if !before.is_empty() {
        // "Everyone has 10 hit points."
        let behind = lower.get(at + "hit points".len()..)?;
        return behind.trim_matches(['.', ' ', '!']).is_empty().then(|| whole(before, names)).flatten();
    }
    let rest = lower.get(at + "hit points".len()..)?;
    let equal = [" equal to ", ": "].into_iter().find(|equal| rest.starts_with(*equal))?;
    whole(words.get(at + "hit points".len() + equal.len()..)?, names)
}

/// The words as an expression without dice: nobody's most is rolled anew.
fn whole(words: &str, names: &Names) -> Option<String> {
    let found = plain::whole(words, names)?;
    let rolled = plain::dice_mentions(&found.notation).next().is_some();
    (!rolled).then_some(found.notation)
}

/// The conditions, in the order in which they are said.
fn at_zero(sentence: &Sentence<'_>) -> Option<String> {
    let lower = sentence.lower();
    let zero = ["at 0 hit points", "to 0 hit points", "reach 0 hit points", "reaches 0 hit points"];
    let at = zero.iter().find_map(|words| lower.find(words))?;
    let everybody = ["you", "character", "characters", "character's", "somebody", "anyone", "adventurer"];
    let words = bare(&lower);
    let told = words.iter().any(|word| everybody.contains(word)) && sentence.is_told();
    let rest = bare(lower.get(at..).filter(|_| told)?);
    let doubts = ["if", "unless", "may", "or", "roll", "check", "save", "saves", "until"];
    if words.iter().any(|word| *word == "if" && !lower.trim_start().starts_with("if "))
        || rest.iter().any(|word| doubts.contains(word))
    {
        return None;
    }
    let found: Vec<&str> = rest
        .iter()
        .filter_map(|word| AT_ZERO.iter().find(|(own, _)| own == word).map(|(_, condition)| *condition))
        .collect();
    (!found.is_empty()).then(|| found.join(", "))
}
