//! A character as a Markdown sheet.

use std::fmt::Write as _;

use crate::game::state::{Character, Condition, State};
use crate::game::tracks::{in_order, reading};
use crate::game::values::Values;
use crate::rules::System;

/// The sheet: tracks, scores with their modifiers, skills with what they add, conditions, notes. `secrets` adds the GM's notes.
pub fn sheet(state: &State, system: &System, character: &Character, secrets: bool) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = write_sheet(&mut text, state, system, character, secrets);
    text
}

fn write_sheet(
    out: &mut String,
    state: &State,
    system: &System,
    character: &Character,
    secrets: bool,
) -> std::fmt::Result {
    writeln!(out, "# {}\n", character.name)?;
    writeln!(out, "{}, level {}, {} xp\n", kind(character), character.level, character.xp)?;
    for track in in_order(state, system, character.id) {
        writeln!(out, "- **{}**: {}", track.name, reading(track))?;
    }
    let conditions: Vec<String> = state.conditions_of(character.id).map(Condition::label).collect();
    if !conditions.is_empty() {
        writeln!(out, "- **Conditions**: {}", conditions.join(", "))?;
    }
    if !character.attributes.is_empty() {
        writeln!(out, "\n| Attribute | Score | Modifier |\n|---|---|---|")?;
        for (name, score) in
            declared_first(system.attributes.iter().map(|attribute| attribute.name.as_str()), &character.attributes)
        {
            let modifier = Values::of(state, system, character).modifier_of(name);
            writeln!(out, "| {name} | {score} | {} |", modifier.map_or(String::new(), |value| format!("{value:+}")))?;
        }
    }
    if !character.skills.is_empty() {
        writeln!(out, "\n| Skill | Bonus |\n|---|---|")?;
        for (name, bonus) in declared_first(system.skills.iter().map(|skill| skill.name.as_str()), &character.skills) {
            writeln!(out, "| {name} | {bonus:+} |")?;
        }
    }
    if !character.notes.is_empty() {
        writeln!(out, "\n## Notes\n\n{}", character.notes)?;
    }
    if secrets && !character.gm_notes.is_empty() {
        writeln!(out, "\n## For the GM\n\n{}", character.gm_notes)?;
    }
    Ok(())
}

fn kind(character: &Character) -> &'static str {
    match character.kind {
        crate::game::state::Kind::Player => "Player character",
        crate::game::state::Kind::Npc => "Non-player character",
        crate::game::state::Kind::Companion => "Companion",
    }
}

/// The entries of a map in the order the rules declare them, then the rest by name.
fn declared_first<'a>(
    declared: impl Iterator<Item = &'a str>,
    map: &'a std::collections::BTreeMap<String, i64>,
) -> Vec<(&'a str, i64)> {
    let mut rows: Vec<(&str, i64)> = declared.filter_map(|name| map.get(name).map(|value| (name, *value))).collect();
    for (name, value) in map {
        if !rows.iter().any(|(known, _)| known == name) {
            rows.push((name, *value));
        }
    }
    rows
}
