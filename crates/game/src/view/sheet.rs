//! A character as a Markdown sheet, which a person reads and [`import`](crate::import::sheet) reads
//! back: a sheet that is written, read and written again is the same text.
//!
//! ```text
//! # Aria
//!
//! Player character, level 2, 300 xp
//!
//! - **Hit points**: 9/12
//! - **Momentum**: 2/10, from -6
//! - *Conditions*: frightened 2, soaked | until end of scene
//!
//! | Attribute | Score | Modifier |
//! |---|---|---|
//! | Strength | 12 | +1 |
//!
//! | Attack | Skill | Bonus | Damage | Range | Conditions | Effect |
//! |---|---|---|---|---|---|---|
//! | Boat hook | Melee | +1 | 1d12 (piercing) | reach 2 |  | drags the other a step |
//!
//! | Item | Quantity | Equipped | Uses | Hidden | Notes |
//! |---|---|---|---|---|---|
//! | rope | 1 | yes |  |  | of silk |
//!
//! ## Notes
//!
//! > Owes the harbour-master a favour.
//! ```
//!
//! `\`, `|`, `*` and `,` in names are escaped with `\`; notes are quoted line by line.

use crate::mechanics::tracks::{render_value, sorted};
use crate::mechanics::values::Values;
use crate::record::state::{Character, Item, Kind, State};
use rollbook_rules::System;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Follows the value of a track that the GM set.
pub const FIXED: &str = "set by the GM";
/// Follows the head of a retired character.
pub const RETIRED: &str = "retired";
/// The word after a condition of which players know nothing.
pub const HIDDEN: &str = "hidden";

pub(crate) const HIDDEN_TICKS: &str = "Hidden ticks";

pub(crate) const WORTH: &str = "Worth in XP";

/// The sheet. `secrets` adds what players do not know.
pub fn render(state: &State, system: &System, character: &Character, secrets: bool) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = write_sheet(&mut text, state, system, character, secrets);
    text
}

fn write_sheet(
    out: &mut String,
    state: &State,
    system: &System,
    who: &Character,
    secrets: bool,
) -> std::fmt::Result {
    writeln!(out, "# {}\n", who.name)?;
    let retired = if who.retired {
        format!(", {RETIRED}")
    } else {
        String::new()
    };
    writeln!(
        out,
        "{}, level {}, {} xp{retired}\n",
        kind_label(who.kind),
        who.level,
        who.xp
    )?;
    for track in sorted(state, system, who.id) {
        // "9/12", "2/10, from -6", "7/7, set by the GM".
        let from = if track.min == 0 {
            String::new()
        } else {
            format!(", from {}", track.min)
        };
        let fixed = if track.fixed {
            format!(", {FIXED}")
        } else {
            String::new()
        };
        let uses = track.uses();
        let uses = uses.map_or_else(String::new, |uses| format!(", {uses}"));
        writeln!(
            out,
            "- **{}**: {}{from}{fixed}{uses}",
            escape(&track.name),
            render_value(track)
        )?;
    }
    // "soaked | until end of scene".
    let conditions = state
        .conditions_of(who.id)
        .filter(|row| secrets || !row.hidden)
        .map(|row| {
            let until = row.until.as_ref().map_or(String::new(), |until| {
                format!(" | {}", escape(&until.render()))
            });
            let hidden = if row.hidden {
                format!(" | {HIDDEN}")
            } else {
                String::new()
            };
            format!("{}{until}{hidden}", escape(&row.label()))
        });
    write_list(out, "Conditions", conditions)?;
    write_list(out, "Ticks", who.ticks.seen.iter().map(|name| escape(name)))?;
    let hidden = who.ticks.hidden.iter().filter(|_| secrets);
    write_list(out, HIDDEN_TICKS, hidden.map(|name| escape(name)))?;
    write_list(out, WORTH, who.worth.iter().map(i64::to_string))?;
    if !who.attributes.is_empty() {
        writeln!(out, "\n| Attribute | Score | Modifier |\n|---|---|---|")?;
        let declared = system
            .attributes
            .iter()
            .map(|attribute| attribute.name.as_str());
        for (name, score) in declared_first(declared, &who.attributes) {
            let modifier = Values::of(state, system, who).modifier_of(name);
            let modifier = modifier.map_or(String::new(), |value| format!("{value:+}"));
            writeln!(out, "| {} | {score} | {modifier} |", escape(name))?;
        }
    }
    if !who.skills.is_empty() {
        writeln!(out, "\n| Skill | Bonus |\n|---|---|")?;
        for (name, bonus) in declared_first(
            system.skills.iter().map(|skill| skill.name.as_str()),
            &who.skills,
        ) {
            writeln!(out, "| {} | {bonus:+} |", escape(name))?;
        }
    }
    if !who.attacks.is_empty() {
        writeln!(
            out,
            "\n| Attack | Skill | Bonus | Damage | Range | Conditions | Effect |"
        )?;
        writeln!(out, "|---|---|---|---|---|---|---|")?;
        for attack in &who.attacks {
            let bonus = attack
                .bonus
                .map_or(String::new(), |bonus| format!("{bonus:+}"));
            let text = |text: &Option<String>| cell(text.as_deref().unwrap_or_default());
            let (name, skill, damage) = (
                escape(&attack.name),
                text(&attack.skill),
                cell(&attack.render_damage()),
            );
            let (range, conditions, effect) = (
                text(&attack.range),
                cell(&attack.conditions.join("; ")),
                text(&attack.effect),
            );
            writeln!(
                out,
                "| {name} | {skill} | {bonus} | {damage} | {range} | {conditions} | {effect} |"
            )?;
        }
    }
    let items: Vec<&Item> = state
        .items_of(who.id)
        .filter(|item| secrets || !item.hidden)
        .collect();
    if !items.is_empty() {
        let has_properties = items.iter().any(|item| !item.properties.is_empty());
        let (heading, line) = if has_properties {
            (" Properties |", "---|")
        } else {
            ("", "")
        };
        writeln!(
            out,
            "\n| Item | Quantity | Equipped | Uses | Hidden | Notes |{heading}\n|---|---|---|---|---|---|{line}"
        )?;
        let yes = |flag: bool| if flag { "yes" } else { "" };
        for item in items {
            let uses = item.uses.map_or(String::new(), |uses| uses.to_string());
            let (name, notes, quantity) = (escape(&item.name), cell(&item.notes), item.quantity);
            write!(
                out,
                "| {name} | {quantity} | {} | {uses} | {} | {notes} |",
                yes(item.equipped),
                yes(item.hidden)
            )?;
            let properties =
                has_properties.then(|| format!(" {} |", code(&item.render_properties())));
            writeln!(out, "{}", properties.unwrap_or_default())?;
        }
    }
    write_quoted(out, "Notes", &who.notes)?;
    if secrets {
        write_quoted(out, "For the GM", &who.gm_notes)
    } else {
        Ok(())
    }
}

fn cell(text: &str) -> String {
    escape(text.trim_matches(' ')).replace('\n', "\\n")
}

/// The same of JSON, as code where it has no mark of its own.
fn code(json: &str) -> String {
    let code = || format!("`{}`", json.replace('\\', r"\\").replace('|', r"\|"));
    if json.is_empty() || json.contains('`') {
        cell(json)
    } else {
        code()
    }
}

fn write_list(
    out: &mut String,
    label: &str,
    entries: impl Iterator<Item = String>,
) -> std::fmt::Result {
    let entries: Vec<String> = entries.collect();
    if entries.is_empty() {
        Ok(())
    } else {
        writeln!(out, "- *{label}*: {}", entries.join(", "))
    }
}

fn write_quoted(out: &mut String, heading: &str, text: &str) -> std::fmt::Result {
    if text.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n## {heading}\n")?;
    text.split('\n').try_for_each(|line| {
        if line.is_empty() {
            writeln!(out, ">")
        } else {
            writeln!(out, "> {line}")
        }
    })
}

/// The name of a kind on a sheet.
pub fn kind_label(kind: Kind) -> &'static str {
    match kind {
        Kind::Player => "Player character",
        Kind::Npc => "Non-player character",
        Kind::Companion => "Companion",
        Kind::Template => "Template",
    }
}

/// The entries of a map in the order the rules declare them, then the rest by name.
fn declared_first<'a>(
    declared: impl Iterator<Item = &'a str>,
    map: &'a BTreeMap<String, i64>,
) -> Vec<(&'a str, i64)> {
    let mut rows: Vec<(&str, i64)> = declared
        .filter_map(|name| Some((name, *map.get(name)?)))
        .collect();
    let others = map
        .iter()
        .filter(|(name, _)| !rows.iter().any(|(known, _)| known == name));
    let others: Vec<(&str, i64)> = others
        .map(|(name, value)| (name.as_str(), *value))
        .collect();
    rows.extend(others);
    rows
}

pub(crate) fn escape(name: &str) -> String {
    let escaped = |letter: char| matches!(letter, '\\' | '|' | '*' | ',').then_some('\\');
    name.chars()
        .flat_map(|letter| escaped(letter).into_iter().chain([letter]))
        .collect()
}

/// Splits at separators that are not escaped, and unescapes the pieces.
pub fn split(text: &str, separator: char) -> Vec<String> {
    split_nested(text, separator, None)
        .into_iter()
        .map(|fields| fields.concat())
        .collect()
}

/// The same, with each piece split again at `inner`.
pub fn split_nested(text: &str, separator: char, inner: Option<char>) -> Vec<Vec<String>> {
    let mut all = vec![vec![String::new()]];
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        let Some(fields) = all.last_mut() else { break };
        if letter == separator {
            all.push(vec![String::new()]);
        } else if Some(letter) == inner {
            fields.push(String::new());
        } else if let Some(last) = fields.last_mut() {
            last.push(match letter {
                // A line end within a cell.
                '\\' => letters
                    .next()
                    .map_or('\\', |escaped| if escaped == 'n' { '\n' } else { escaped }),
                letter => letter,
            });
        }
    }
    all
}
