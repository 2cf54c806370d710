//! Lines of stat blocks that hold a number or a list and were kept as notes: what `rollbook check` reports of an adventure's other
//! files. Prose beside the numbers is left alone.

use super::line::{item_text, label_text, read_line, value_start};
use super::{blocks, read_blocks, sections};
use crate::import::foe::Foe;
use crate::import::sheet;
use crate::limits::LIMITS;
use rollbook_rules::{System, codes};
use rollbook_text::diagnostic::{Diagnostic, Sources, Span};
use rollbook_text::names::{fold, listed, misspelt};

/// Findings of all files.
const FOUND_MAX: usize = 100;
/// Words of a label; more are a sentence.
const LABEL_WORDS_MAX: usize = 3;
/// Letters of a label that may be a misspelt one; a shorter one is near to anything.
const LABEL_LETTERS_MIN: usize = 4;

const SCORES_FORM: &str = "- Attributes: STR 12, DEX 10";
const SKILLS_FORM: &str = "- Skills: Melee +3, Aim +1";
/// Labels with the form that is read, and whether that is a list.
const FORMS: [(&[&str], &str, bool); 5] = [
    (&["hit points", "hp"], "- Hit points: 7", false),
    (&["armour", "armor", "armour class", "armor class"], "- Armour: 12", false),
    (&["attributes", "ability scores", "abilities", "characteristics"], SCORES_FORM, true),
    (&["skills"], SKILLS_FORM, true),
    (&["attack", "attacks"], "- Attack: cudgel +3, damage 1d6+1", true),
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
        let is_foe = |foe: &Option<Foe>| foe.as_ref().is_some_and(Foe::says_more_than_skills);
        let foes: Vec<usize> = blocks(&all).filter(|(_, block)| is_foe(&block.foe)).map(|(at, _)| at).collect();
        let mut inside = false;
        for (at, block) in all.iter().enumerate() {
            // The sections below a block's heading belong to it.
            inside = foes.contains(&at) || (inside && block.inner);
            for line in block.section.lines.iter().filter(|line| inside && !line.starts_with('|')) {
                let Some((why, form)) = fault(line, system) else { continue };
                let start = (line.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
                let message = format!("{why}, so this line of a stat block is only a note");
                let finding = Diagnostic::warning(codes::UNREAD_LINE, message)
                    .at(Span::new(id, start..start + line.len()), "not a number of the foe")
                    .help(format!("the form that is read: `{form}`"));
                found.push(finding);
            }
        }
    }
    found.truncate(FOUND_MAX);
    found
}

/// Why a line was not understood, and the form that is read; `None` where it was, or where it is prose.
fn fault(line: &str, system: &System) -> Option<(String, String)> {
    let (label, value) = label_and_value(line)?;
    // A track of the rules, in the words of its section.
    if fold(value).starts_with("max ") {
        return None;
    }
    let mut foe = Foe::default();
    read_line(&mut foe, system, &mut Vec::new(), line);
    if let Some(fault) = unknown_names(&foe, system) {
        return Some(fault);
    }
    let is_note = foe.words.iter().any(|words| words.contains(value.trim_matches(['*', '_', '`', ' ', '.'])));
    if !is_note || foe.stands_alone() || !foe.attacks.is_empty() || foe.worth.is_some() {
        return None;
    }
    let (folded, has_number) = (fold(&label), value.contains(|letter: char| letter.is_ascii_digit()));
    // "Attacks. The owlbear makes two." is prose.
    let known = FORMS.iter().find(|(labels, ..)| labels.contains(&folded.as_str()));
    if let Some((_, form, _)) = known.filter(|(labels, ..)| has_number || labels.first() == Some(&"hit points")) {
        return Some((format!("what stands behind `{label}` cannot be read"), (*form).to_owned()));
    }
    let is_long = folded.split(' ').count() > LABEL_WORDS_MAX || folded.chars().count() < LABEL_LETTERS_MIN;
    if is_long || !has_number {
        return None;
    }
    let is_value = value.starts_with(|letter: char| letter.is_ascii_digit() || "+-−d".contains(letter));
    let misspelt_form = |(labels, form, is_list): &(&[&'static str], &str, bool)| {
        let known = misspelt(&folded, labels.iter().copied()).filter(|_| *is_list || is_value)?;
        Some((known, (*form).to_owned()))
    };
    let misspelt_name = || {
        let attributes = system.attributes.iter().map(|attribute| attribute.name.as_str());
        let skills = system.skills.iter().map(|skill| skill.name.as_str());
        let tracks = system.tracks.iter().map(|track| track.name.as_str());
        let known = misspelt(&folded, attributes.chain(skills).chain(tracks)).filter(|_| is_value)?;
        Some((known, format!("- {known}: {}", value.trim())))
    };
    let (known, form) = FORMS.iter().find_map(misspelt_form).or_else(misspelt_name)?;
    Some((format!("`{label}` is no label (did you mean `{known}`?)"), form))
}

/// `- Label: value`, `**Label** value`, `**Label:** value`.
fn label_and_value(line: &str) -> Option<(String, &str)> {
    let line = item_text(line);
    let bold = line.strip_prefix("**").and_then(|rest| rest.split_once("**"));
    let (label, value) = bold.or_else(|| line.split_once(':'))?;
    Some((label_text(label), value_start(value))).filter(|(label, _)| !label.is_empty())
}

/// Names of a list of scores or skills that the rules do not have, where they are nearly some of theirs, or others of the list are theirs.
fn unknown_names(foe: &Foe, system: &System) -> Option<(String, String)> {
    let short = |attribute: &'_ rollbook_rules::Attribute| [Some(attribute.name.clone()), attribute.abbr.clone()];
    let attributes: Vec<String> = system.attributes.iter().flat_map(short).flatten().collect();
    let skills: Vec<String> = system.skills.iter().map(|skill| skill.name.clone()).collect();
    let is_skill = |name: &str| system.named_skill(name).is_some();
    let is_score = |name: &str| is_skill(name) || system.named_attribute(name).is_some();
    let unknown = |names: Vec<&str>, known: &[String], is_known: &dyn Fn(&str) -> bool, what: &str, form: &str| {
        let suggested = |name: &str| misspelt(name, known.iter().map(String::as_str));
        let some_known = names.iter().any(|name| is_known(name));
        let is_bad = |name: &&str| !is_known(name) && (some_known || suggested(name).is_some());
        let bad: Vec<&str> = names.iter().copied().filter(is_bad).collect();
        let meant = suggested(bad.first()?).map_or(String::new(), |name| format!(" (did you mean `{name}`?)"));
        let listed = listed(bad, 120);
        Some((format!("no {what} of the rules is called {listed}{meant}"), form.to_owned()))
    };
    let names = |pairs: &[(String, i64)]| -> Vec<String> { pairs.iter().map(|(name, _)| name.clone()).collect() };
    let (scores, bonuses) = (names(&foe.scores), names(&[foe.bonuses.as_slice(), &foe.totals].concat()));
    unknown(scores.iter().map(String::as_str).collect(), &attributes, &is_score, "attribute", SCORES_FORM)
        .or_else(|| unknown(bonuses.iter().map(String::as_str).collect(), &skills, &is_skill, "skill", SKILLS_FORM))
}
