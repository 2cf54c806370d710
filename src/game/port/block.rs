//! A foe's stat block in Markdown: a heading with its name, and below it lines with a label (`- Hit points: 7`, `**Armor Class** 15`),
//! lists of scores (`STR 12, DEX 12`) or tables of them. A line that says nothing the rules have a name for is kept in its words.
//!
//! With a colon a skill's number is what it adds by itself, as on a sheet (`- Skills: Melee +3`); with a bold label and no colon,
//! as the blocks of 5e have it (`**Skills** Stealth +6`), it is what the skill comes to with its attribute.

use super::foe::{Defence, Foe};
use crate::game::refusal::Refusal;
use crate::names::{fold, near, quoted, shortened};
use crate::rules::System;

/// Lines of one block that are read.
const LINES_MAX: usize = 400;

/// Reads the block under the heading `which`, or the only one there is.
///
/// # Errors
/// When no heading is called so, or several have blocks and none is named.
pub fn read(text: &str, system: &System, which: Option<&str>) -> Result<Foe, Refusal> {
    let sections = sections(text);
    let named = |name: &str| sections.iter().find(|section| fold(&section.name) == fold(name));
    let chosen = match which {
        Some(which) => named(which),
        None => {
            let mut blocks = sections.iter().filter(|section| foe(section, system).is_some());
            blocks.next().filter(|_| blocks.next().is_none())
        }
    };
    let blocks =
        || sections.iter().filter(|section| foe(section, system).is_some()).map(|section| section.name.as_str());
    match chosen.map(|section| (section, foe(section, system))) {
        Some((_, Some(foe))) => Ok(foe),
        Some((section, None)) => {
            let summary = format!(
                "Under \"{}\" stands no number that the rules have a name for. A block needs at least \"- Hit points: 7\".",
                quoted(&section.name)
            );
            Err(Refusal::new("invalid_document", summary))
        }
        None => {
            let names: Vec<&str> = blocks().collect();
            let listed = shortened(&names.join(", "), 200);
            let near = which.map_or_else(Vec::new, |which| near(which, names.iter().copied()));
            let summary = match (which, names.is_empty()) {
                (_, true) => {
                    "No stat block is in this text: a heading with the name, and \"- Hit points: 7\" below it."
                        .to_owned()
                }
                (Some(which), _) => format!("No block is called \"{}\". There is {listed}.", quoted(which)),
                (None, _) => format!(
                    "There are {} blocks. Name one behind a #: \"Foes.md#{}\". There is {listed}.",
                    names.len(),
                    names.first().unwrap_or(&"")
                ),
            };
            Err(Refusal::new("which_entry", summary).near(near))
        }
    }
}

/// A heading and the lines below it, up to the next heading.
struct Section<'t> {
    name: String,
    lines: Vec<&'t str>,
}

fn sections(text: &str) -> Vec<Section<'_>> {
    let mut all: Vec<Section> = Vec::new();
    for line in text.lines() {
        let line = line.trim().trim_start_matches("> ").trim();
        let heading = line.trim_start_matches('#');
        if heading.len() < line.len() && heading.starts_with(' ') {
            all.push(Section { name: bare(heading), lines: Vec::new() });
        } else if let Some(section) = all.last_mut().filter(|section| section.lines.len() < LINES_MAX) {
            section.lines.push(line);
        }
    }
    all
}

/// The foe of a section; `None` where no line says a number.
fn foe(section: &Section, system: &System) -> Option<Foe> {
    let mut foe = Foe { name: section.name.clone(), ..Foe::default() };
    let mut header: Vec<String> = Vec::new();
    for line in section.lines.iter().filter(|line| !line.is_empty()) {
        match line.strip_prefix('|') {
            Some(row) => {
                let cells: Vec<String> = row.trim_end_matches('|').split('|').map(bare).collect();
                table(&mut foe, system, &mut header, cells);
            }
            None => one(&mut foe, system, line),
        }
    }
    let numbers = foe.hp.is_some() || foe.armour.is_some() || !foe.scores.is_empty() || !foe.tracks.is_empty();
    numbers.then_some(foe)
}

fn table(foe: &mut Foe, system: &System, header: &mut Vec<String>, cells: Vec<String>) {
    if cells.iter().all(|cell| cell.chars().all(|c| matches!(c, '-' | ':' | ' '))) {
        return;
    }
    let is_score = |name: &String| system.attribute(name).is_ok();
    match (cells.as_slice(), header.iter().filter(|name| is_score(name)).count()) {
        // STR | DEX above their numbers.
        (cells, 1..) if cells.len() == header.len() && !cells.iter().all(is_score) => {
            let pairs = header.iter().zip(cells).filter(|(name, _)| is_score(name));
            foe.scores.extend(pairs.filter_map(|(name, cell)| Some((name.clone(), first_number(cell)?))));
        }
        ([name, value, ..], _) if is_score(name) && first_number(value).is_some() => {
            foe.scores.extend(first_number(value).map(|score| (name.clone(), score)));
        }
        ([name, value, ..], _) if system.skill(name).is_ok() => {
            foe.bonuses.extend(first_number(value).map(|bonus| (name.clone(), bonus)));
        }
        _ => *header = cells,
    }
}

fn one(foe: &mut Foe, system: &System, line: &str) {
    let line = ["- ", "* ", "+ "].into_iter().find_map(|mark| line.strip_prefix(mark)).unwrap_or(line).trim();
    let bold = line.strip_prefix("**").and_then(|rest| rest.split_once("**"));
    let (label, value, colon) = match bold {
        Some((label, value)) if label.ends_with([':', '.']) => (label, value, label.ends_with(':')),
        Some((label, value)) => (label, value, value.trim_start().starts_with(':')),
        None => match line.split_once(':') {
            Some((label, value)) => (label, value, true),
            None => ("", line, false),
        },
    };
    let (label, value) = (bare(label.trim_end_matches([':', '.'])), bare(value.trim_start().trim_start_matches(':')));
    if !labelled(foe, system, &label, &value, colon) {
        foe.words.push(if label.is_empty() { value } else { format!("{label}: {value}") });
    }
}

/// Takes a line whose label or list has a meaning; `false` when it has none.
fn labelled(foe: &mut Foe, system: &System, label: &str, value: &str, colon: bool) -> bool {
    let number = first_number(value);
    match (fold(label).as_str(), number) {
        ("hit points" | "hp" | "hits" | "health", Some(hp)) => foe.hp = Some(hp),
        ("armour class" | "armor class" | "ac" | "armour" | "armor", Some(armour)) => foe.armour = Some(armour),
        ("" | "attributes" | "abilities" | "ability scores" | "scores" | "stats" | "characteristics", _) => {
            let scores = list(value, |name| system.attribute(name).is_ok());
            foe.scores.extend(scores.iter().flatten().cloned());
            return scores.is_some();
        }
        ("skills", _) => {
            let Some(skills) = list(value, |_| true) else { return false };
            if colon { foe.bonuses.extend(skills) } else { foe.totals.extend(skills) }
        }
        (_, Some(score)) if system.attribute(label).is_ok() => foe.scores.push((label.to_owned(), score)),
        (_, Some(bonus)) if system.skill(label).is_ok() => foe.bonuses.push((label.to_owned(), bonus)),
        (_, Some(value)) if is_track(system, label) => foe.tracks.push((label.to_owned(), value)),
        _ => match Defence::called(label).filter(|_| !value.is_empty() && number.is_none()) {
            Some(defence) => foe.defences.push((defence, value.to_owned())),
            None => return false,
        },
    }
    true
}

/// Whether the rules know a track or something against damage of this name, with damage types behind it or without.
fn is_track(system: &System, label: &str) -> bool {
    let name = label.split_once('(').map_or(label, |(name, _)| name);
    system.track(label).is_ok() || system.mitigations.iter().any(|rule| fold(&rule.name) == fold(name))
}

/// `STR 12, DEX 12 (+1)`: names with their numbers, when every one of them is known.
fn list(value: &str, is_known: impl Fn(&str) -> bool) -> Option<Vec<(String, i64)>> {
    let parts = value.split([',', ';']).map(str::trim).filter(|part| !part.is_empty());
    let pairs: Option<Vec<(String, i64)>> = parts
        .map(|part| {
            let at = part.find(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '−'))?;
            let (name, number) = part.split_at_checked(at)?;
            let name = name.trim().trim_end_matches(':');
            (!name.is_empty() && is_known(name)).then(|| Some((name.to_owned(), first_number(number)?)))?
        })
        .collect();
    pairs.filter(|pairs| !pairs.is_empty())
}

/// The first whole number of a text: `7 (2d6)`, `+3`, `-1`.
fn first_number(text: &str) -> Option<i64> {
    let text = text.replace('−', "-");
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let sign = text.get(..start).is_some_and(|before| before.ends_with('-'));
    let digits: String = text.get(start..)?.chars().take_while(char::is_ascii_digit).collect();
    let number: i64 = digits.parse().ok()?;
    Some(if sign { -number } else { number })
}

/// Words without their emphasis.
fn bare(text: &str) -> String {
    text.replace("**", "").trim().trim_matches(['*', '_', '`']).trim().to_owned()
}
