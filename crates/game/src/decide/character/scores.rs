//! Applies a call's fields to a character; all bad scores are reported together.

use std::collections::BTreeSet;

use super::{SheetCall, attacks};
use crate::limits::LIMITS;
use crate::mechanics::defence::Defence;
use crate::record::state::Character;
use crate::refusal::{Code, Detail, Refusal};
use rollbook_rules::System;
use rollbook_text::names::{misspelt, same};

/// The issue of a score outside its range.
const OUT_OF_RANGE: &str = "is out of range";

/// The character with the call's fields applied; all bad scores are reported together.
pub fn apply_sheet(system: &System, before: &Character, sheet: &SheetCall) -> Result<Character, Refusal> {
    let mut after = before.clone();
    let mut bad = Vec::new();
    let mut named = BTreeSet::new();
    for (given, score) in &sheet.attributes {
        match check_score(system, given, *score, sheet.override_reason.is_some()) {
            Ok(name) if !named.insert(name.clone()) => bad.push(Detail {
                parameter: format!("attributes.{given}"),
                issue: format!("{name} is named twice"),
                valid_range: "once".to_owned(),
            }),
            Ok(name) => drop(after.attributes.insert(name, *score)),
            Err(detail) => bad.push(detail),
        }
    }
    for (name, bonus) in &sheet.skills {
        match system.meant(System::skill, name) {
            Ok(skill) if let Some(out) = beyond(*bonus, skill.range.filter(|_| sheet.override_reason.is_none())) => {
                bad.push(Detail { parameter: format!("skills.{name}"), ..out });
            }
            Ok(skill) => drop(after.skills.insert(skill.name.clone(), *bonus)),
            Err(_) if system.skills.is_empty() => drop(after.skills.insert(name.trim().to_owned(), *bonus)),
            Err(unknown) => bad.push(Detail {
                parameter: format!("skills.{name}"),
                issue: "no such skill".to_owned(),
                valid_range: valid_names(&unknown.suggestions, &unknown.known),
            }),
        }
    }
    for (parameter, number) in [("level", sheet.level), ("xp", sheet.xp), ("worth", sheet.worth)] {
        bad.extend(number.filter(|number| *number < 0).map(|number| Detail {
            parameter: parameter.to_owned(),
            issue: number.to_string(),
            valid_range: format!("0 to {}", LIMITS.number),
        }));
    }
    let tracks = system.tracks.iter().map(|track| track.name.as_str());
    for name in sheet.tracks.keys().filter(|_| sheet.override_reason.is_none()) {
        bad.extend(misspelt(name, tracks.clone()).map(|known| Detail {
            parameter: format!("tracks.{name}"),
            issue: "no such track".to_owned(),
            valid_range: known.to_owned(),
        }));
    }
    let unnamed = |name: &&String| sheet.override_reason.is_none() && !is_named_defence(system, name);
    bad.extend(sheet.tracks.keys().filter(unnamed).map(|name| Detail {
        parameter: format!("tracks.{name}"),
        issue: "the rules name nothing so that takes damage off".to_owned(),
        valid_range: match system.defences.is_empty() {
            true => "none; note it in notes".to_owned(),
            false => {
                let names = system.defences.iter().map(|own| match own.rule.from.is_empty() {
                    true => format!("\"{} (cold)\"", own.rule.name),
                    false => format!("\"{}\"", own.rule.name),
                });
                names.collect::<Vec<String>>().join(", ")
            }
        },
    }));
    if !bad.is_empty() {
        return Err(invalid(system, bad));
    }
    after.attacks = attacks::apply(system, &before.attacks, &sheet.attacks)?;
    after.worth = sheet.worth.or(after.worth);
    after.name = sheet.name.as_deref().map_or(after.name, |name| name.trim().to_owned());
    after.kind = sheet.kind.unwrap_or(after.kind);
    after.level = sheet.level.unwrap_or(after.level);
    after.xp = sheet.xp.unwrap_or(after.xp);
    after.notes = sheet.notes.clone().unwrap_or(after.notes);
    after.gm_notes = sheet.gm_notes.clone().unwrap_or(after.gm_notes);
    Ok(after)
}

/// Whether a track's name is fine: a name that sounds like a defence against damage must be one of the rules.
fn is_named_defence(system: &System, name: &str) -> bool {
    let (base, typed) = name.split_once('(').map_or((name, false), |(base, _)| (base.trim(), true));
    let of_rules = system.defences.iter().any(|own| same(&own.rule.name, base) || own.on_sheet(name).is_some());
    let declared = system.track(name).is_ok();
    let defence = Defence::from_label(base).is_some() || (typed && is_misspelt_defence(system, base));
    !defence || of_rules || declared
}

/// Whether it is a misspelling of one of the rules' defences.
fn is_misspelt_defence(system: &System, base: &str) -> bool {
    misspelt(base, system.defences.iter().map(|own| own.rule.name.as_str())).is_some()
}

/// The attribute's own name when the score is allowed.
fn check_score(system: &System, name: &str, score: i64, overridden: bool) -> Result<String, Detail> {
    let attribute = match system.meant(System::attribute, name) {
        Ok(attribute) => attribute,
        Err(_) if system.attributes.is_empty() => return Ok(name.trim().to_owned()),
        Err(unknown) => {
            let valid_range = valid_names(&unknown.suggestions, &unknown.known);
            return Err(Detail {
                parameter: format!("attributes.{name}"),
                issue: "no such attribute".to_owned(),
                valid_range,
            });
        }
    };
    match beyond(score, attribute.range.filter(|_| !overridden)) {
        Some(out) => Err(Detail { parameter: format!("attributes.{name}"), ..out }),
        None => Ok(attribute.name.clone()),
    }
}

/// What is wrong with a number outside its range.
fn beyond(number: i64, range: Option<(i64, i64)>) -> Option<Detail> {
    let (low, high) = range.filter(|(low, high)| !(*low..=*high).contains(&number))?;
    let (issue, valid_range) = (format!("{number} {OUT_OF_RANGE}"), format!("{low} to {high}"));
    Some(Detail { parameter: String::new(), issue, valid_range })
}

fn valid_names(suggestions: &[String], known: &[String]) -> String {
    if suggestions.is_empty() { known.join(", ") } else { suggestions.join(", ") }
}

fn invalid(system: &System, bad: Vec<Detail>) -> Refusal {
    let list: Vec<String> = bad
        .iter()
        .map(|detail| format!("{}: {} (valid: {})", detail.parameter, detail.issue, detail.valid_range))
        .collect();
    // Advised only where it helps; newcomers of a fight are checked here too.
    let advice = match bad.iter().any(|detail| detail.issue.ends_with(OUT_OF_RANGE)) {
        true => " manage_character keeps a score outside its range when override_reason=\"…\" says why.",
        false => "",
    };
    let summary = format!("{}.{advice}", list.join("; "));
    let mut refusal = Refusal::new(Code::InvalidParameters, summary).details(bad);
    refusal.source = system.attributes.first().map(|attribute| attribute.place.to_string().into_boxed_str());
    refusal
}
