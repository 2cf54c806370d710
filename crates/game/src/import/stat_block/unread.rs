//! Lines of stat blocks that hold a number or a list and were kept as notes: what `rollbook check` reports of an adventure's other
//! files. Prose beside the numbers is left alone.

use super::line::{Pending, read_line, without_emphasis};
use super::{Block, blocks, read_blocks, sections};
use crate::import::foe::Foe;
use crate::import::sheet;
use crate::limits::LIMITS;
use rollbook_rules::{System, codes};
use rollbook_text::diagnostic::{Diagnostic, Sources, Span};
use rollbook_text::names::{fold, listed, misspelt, same};

/// Findings of all files.
const FOUND_MAX: usize = 100;
/// Words of a label; more are a sentence.
const LABEL_WORDS_MAX: usize = 3;
/// Letters of a label that may be a misspelt one; a shorter one is near to anything.
const LABEL_LETTERS_MIN: usize = 4;

/// Labels with the form that is read; the first is the one that messages use.
const FORMS: [(&[&str], &str); 5] = [
    (&["hit points", "hp"], "- Hit points: 7"),
    (&["armour", "armor", "armour class", "armor class"], "- Armour: 12"),
    (&["attributes", "ability scores", "abilities", "characteristics"], "- Attributes: STR 12, DEX 10"),
    (&["skills"], "- Skills: Melee +3, Aim +1"),
    (&["attack", "attacks"], "- Attack: cudgel +3, damage 1d6+1"),
];

/// Findings about the lines of the stat blocks in these files.
pub fn unread_lines(sources: &Sources, system: &System) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (id, file) in sources.iter() {
        let text = file.text.as_str();
        if text.len() > LIMITS.document || sheet::is_sheet(text) {
            continue;
        }
        let all = read_blocks(sections(text), system);
        let mut inside = false;
        let own: Vec<usize> = blocks(&all).filter(|(_, own)| is_foe(own)).map(|(at, _)| at).collect();
        for (at, block) in all.iter().enumerate() {
            // The sections below a block's heading belong to it.
            inside = own.contains(&at) || (inside && block.inner);
            for line in block.section.lines.iter().filter(|line| inside && !line.starts_with('|')) {
                let Some((why, form)) = fault(line, system) else { continue };
                let start = (line.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
                found.push(
                    Diagnostic::warning(
                        codes::UNREAD_LINE,
                        format!("{why}, so this line of a stat block is only a note"),
                    )
                    .at(Span::new(id, start..start + line.len()), "not a number of the foe")
                    .help(format!("the form that is read: `{form}`")),
                );
                if found.len() >= FOUND_MAX {
                    return found;
                }
            }
        }
    }
    found
}

fn is_foe(block: &Block<'_>) -> bool {
    block.foe.as_ref().is_some_and(Foe::says_more_than_skills)
}

/// Why a line was not understood, and the form that is read; `None` where it was, or where it is prose.
fn fault(line: &str, system: &System) -> Option<(String, String)> {
    let (label, value) = label_and_value(line)?;
    // A track of the rules, in the words of its section.
    if fold(&value).starts_with("max ") {
        return None;
    }
    let (folded, has_number) = (fold(&label), value.contains(|letter: char| letter.is_ascii_digit()));
    let (mut foe, mut pending) = (Foe::default(), Pending::default());
    read_line(&mut foe, system, &mut pending, line);
    if let Some(fault) = unknown_names(&foe, system) {
        return Some(fault);
    }
    let read = !foe.words.iter().any(|words| words.contains(value.trim().trim_matches(['*', '_', '`', ' ', '.'])));
    if read || foe.stands_alone() || !foe.attacks.is_empty() || foe.worth.is_some() {
        return None;
    }
    let is_value = value.trim_start().starts_with(|letter: char| letter.is_ascii_digit() || "+-−d".contains(letter));
    for (labels, form) in FORMS {
        // "Attacks. The owlbear makes two." is prose.
        let list = labels.iter().any(|label| same(label, &folded));
        let says = has_number || labels.first() == Some(&"hit points");
        if list && says {
            return Some((format!("what stands behind `{label}` cannot be read"), form.to_owned()));
        }
    }
    let long = folded.split(' ').count() > LABEL_WORDS_MAX || folded.chars().count() < LABEL_LETTERS_MIN;
    if long || !has_number {
        return None;
    }
    for (labels, form) in FORMS {
        let list = labels.first().is_some_and(|label| *label != "hit points" && !label.starts_with("armour"));
        if let Some(known) = misspelt(&folded, labels.iter().copied()).filter(|_| list || is_value) {
            return Some((format!("`{label}` is no label (did you mean `{known}`?)"), form.to_owned()));
        }
    }
    let attributes = system.attributes.iter().map(|attribute| attribute.name.as_str());
    let skills = system.skills.iter().map(|skill| skill.name.as_str());
    let tracks = system.tracks.iter().map(|track| track.name.as_str());
    let known = misspelt(&folded, attributes.chain(skills).chain(tracks)).filter(|_| is_value)?;
    Some((format!("`{label}` is no label (did you mean `{known}`?)"), format!("- {known}: {}", value.trim())))
}

/// `- Label: value`, `**Label** value`, `**Label:** value`.
fn label_and_value(line: &str) -> Option<(String, String)> {
    let line = ["- ", "* ", "+ "].into_iter().find_map(|mark| line.strip_prefix(mark)).unwrap_or(line).trim();
    let (label, value) = match line.strip_prefix("**").and_then(|rest| rest.split_once("**")) {
        Some(bold) => bold,
        None => line.split_once(':')?,
    };
    let label = without_emphasis(label.trim_end().trim_end_matches([':', '.']));
    let value = value.trim_start().trim_start_matches(':').trim_start();
    (!label.is_empty()).then(|| (label, value.to_owned()))
}

/// Names of a list of scores or skills that the rules do not have, where they are nearly some of theirs, or others of the list are theirs.
fn unknown_names(foe: &Foe, system: &System) -> Option<(String, String)> {
    let is_score = |name: &str| system.named_attribute(name).is_some() || system.named_skill(name).is_some();
    let short = || {
        system
            .attributes
            .iter()
            .flat_map(|attribute| std::iter::once(attribute.name.as_str()).chain(attribute.abbr.as_deref()))
    };
    let scores: Vec<&str> = foe.scores.iter().map(|(name, _)| name.as_str()).collect();
    let skills: Vec<&str> = foe.bonuses.iter().chain(&foe.totals).map(|(name, _)| name.as_str()).collect();
    let is_skill = |name: &str| system.named_skill(name).is_some();
    unknown(&scores, &is_score, short().collect(), "attribute", "- Attributes: STR 12, DEX 10").or_else(|| {
        unknown(
            &skills,
            &is_skill,
            system.skills.iter().map(|skill| skill.name.as_str()).collect(),
            "skill",
            "- Skills: Melee +3, Aim +1",
        )
    })
}

fn unknown(
    names: &[&str],
    is_known: &dyn Fn(&str) -> bool,
    known: Vec<&str>,
    what: &str,
    form: &str,
) -> Option<(String, String)> {
    let some_known = names.iter().any(|name| is_known(name));
    let bad = names.iter().filter(|name| !is_known(name));
    let correct = |name: &str| misspelt(name, known.iter().copied());
    let bad: Vec<&str> = bad.filter(|name| some_known || correct(name).is_some()).copied().collect();
    let first = bad.first()?;
    let meant = correct(first).map_or(String::new(), |correct| format!(" (did you mean `{correct}`?)"));
    let listed = listed(bad.iter().copied(), 120);
    Some((format!("no {what} of the rules is called {listed}{meant}"), form.to_owned()))
}
