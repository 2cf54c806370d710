//! A foe's description, fitted to the rules of the adventure: what the rules have a name for
//! becomes a number on the sheet, everything else a note for the GM.

use crate::mechanics::health::{Defence, direction};
use crate::mechanics::{attacks, tracks::main_name};
use crate::record::state::{Attack, Kind, Track};
use crate::{limits::LIMITS, view::snapshot::CharacterSnapshot};
use rollbook_rules::{Attribute, Defence as DefenceRule, Direction, System};
use rollbook_text::names::{is_direction, numbered, same};

const ARMOUR: [&str; 9] = [
    "armour class",
    "armor class",
    "ac",
    "armour",
    "armor",
    "defence",
    "defense",
    "evasion",
    "guard",
];

#[derive(Debug, Default, Clone)]
pub struct Foe {
    pub name: String,
    pub hp: Option<i64>,
    pub armour: Option<i64>,
    /// Scores, by any name.
    pub scores: Vec<(String, i64)>,
    /// Skills without their attribute's modifier.
    pub bonuses: Vec<(String, i64)>,
    /// Skills with their attribute's modifier.
    pub totals: Vec<(String, i64)>,
    /// Damage types, in the author's words.
    pub defences: Vec<(Defence, String)>,
    /// Tracks of the rules, by name.
    pub tracks: Vec<(String, i64)>,
    pub attacks: Vec<Attack>,
    /// The experience for defeating it.
    pub worth: Option<i64>,
    /// Notes: everything else, a line each.
    pub words: Vec<String>,
}

impl Foe {
    /// Whether it has hit points, armour or a track, and so is not only a part of another block.
    pub fn stands_alone(&self) -> bool {
        self.hp.is_some() || self.armour.is_some() || !self.tracks.is_empty()
    }

    /// Whether it has a number beside those of skills.
    pub fn says_more_than_skills(&self) -> bool {
        self.stands_alone() || !self.scores.is_empty()
    }

    /// The foe by these rules, as a template.
    pub fn into_snapshot(self, system: &System) -> CharacterSnapshot {
        let Foe {
            name,
            hp,
            armour,
            scores,
            bonuses,
            mut totals,
            defences,
            mut tracks,
            attacks,
            worth,
            mut words,
        } = self;
        let mut sheet = CharacterSnapshot {
            described: true,
            ..CharacterSnapshot::empty(name.trim(), Kind::Template)
        };
        for (name, score) in scores {
            match system.attribute(&name) {
                Ok(attribute) => drop(
                    sheet
                        .attributes
                        .entry(attribute.name.clone())
                        .or_insert(score),
                ),
                // `Attributes: STR 1, DEX 2; Reflex +4`
                Err(_) if system.named_skill(&name).is_some() => totals.push((name, score)),
                Err(_) => words.push(format!("{name} {score}")),
            }
        }
        // Armour as an attribute, a skill or what takes damage off, by its name; else a note.
        if let Some(armour) = armour {
            let called =
                |attribute: &&Attribute| ARMOUR.iter().any(|name| attribute.is_called(name));
            let is_armour = |name: &&String| ARMOUR.iter().any(|word| same(word, name));
            if let Some(attribute) = system.attributes.iter().find(called) {
                sheet.attributes.insert(attribute.name.clone(), armour);
            } else if let Some(skill) = system
                .skills
                .iter()
                .map(|skill| &skill.name)
                .find(is_armour)
            {
                sheet.skills.insert(skill.clone(), armour);
            } else if let Some(name) = system
                .defences
                .iter()
                .map(|defence| &defence.rule.name)
                .find(is_armour)
            {
                tracks.insert(0, (name.clone(), armour));
            } else {
                words.insert(0, format!("Armour {armour}"));
            }
        }
        // Totals have the number of their attribute in them.
        let bonuses = bonuses
            .into_iter()
            .map(|(name, value)| (name, value, false));
        let totals = totals.into_iter().map(|(name, value)| (name, value, true));
        for (name, value, is_total) in bonuses.chain(totals) {
            let Ok(skill) = system.skill(&name) else {
                words.push(format!("{name} {value:+}"));
                continue;
            };
            let linked = skill
                .attribute
                .as_deref()
                .filter(|_| is_total)
                .and_then(|name| system.named_attribute(name));
            let modifier = linked
                .and_then(|linked| linked.modifier(*sheet.attributes.get(&linked.name)?).ok());
            sheet.skills.insert(
                skill.name.clone(),
                value.saturating_sub(modifier.unwrap_or(0)),
            );
        }
        let fills_up = |track: &Track| direction(system, track) == Direction::Up;
        for (name, value) in tracks {
            let track = full_track(&name, value.max(0));
            // Of one that fills up it is what is marked already; the maximum is that of the rules.
            set_track(
                &mut sheet,
                Track {
                    fixed: !fills_up(&track),
                    ..track
                },
            );
        }
        if let Some(hp) = hp {
            let track = full_track(main_name(system), hp);
            // Unhurt, as it is described.
            set_track(
                &mut sheet,
                if fills_up(&track) {
                    Track {
                        value: track.min,
                        ..track
                    }
                } else {
                    track
                },
            );
        }
        for (defence, types) in defences {
            // A rule for one type of damage is none for others.
            let is_open = |rule: &&DefenceRule| defence.matches(rule) && rule.rule.from.is_empty();
            let name = system
                .defences
                .iter()
                .find(is_open)
                .map(|rule| format!("{} ({types})", rule.rule.name));
            match name.filter(|name| name.len() <= LIMITS.name) {
                Some(name) => set_track(&mut sheet, full_track(&name, 1)),
                None => words.push(format!("{}: {types}", defence.as_str())),
            }
        }
        for mut attack in attacks {
            if let Some(conditions) = attack
                .effect
                .as_deref()
                .and_then(|effect| conditions_of(system, effect))
            {
                (attack.conditions, attack.effect) = (conditions, None);
            }
            let note = format!("{}: {}", attack.name, attack.render());
            sheet.attacks.push(attack);
            // What a sheet cannot hold is a note.
            if attacks::check_limits(&sheet.attacks).is_err() {
                sheet.attacks.pop();
                words.push(note);
            }
        }
        sheet.worth = worth;
        sheet.gm_notes = render_notes(&words);
        sheet
    }
}
fn set_track(sheet: &mut CharacterSnapshot, track: Track) {
    sheet.tracks.retain(|other| !same(&other.name, &track.name));
    sheet.tracks.push(track);
}
fn full_track(name: &str, value: i64) -> Track {
    Track {
        character: 0,
        name: name.to_owned(),
        value,
        min: 0,
        max: Some(value),
        fixed: true,
    }
}

fn render_notes(lines: &[String]) -> String {
    let mut notes = String::new();
    for line in lines {
        let line: String = line
            .chars()
            .filter(|c| !c.is_control() && !is_direction(*c))
            .collect();
        if notes.len() + line.len() + "…\n".len() > LIMITS.notes {
            notes.push('…');
            break;
        }
        notes.push_str(&line);
        notes.push('\n');
    }
    notes.trim_end_matches('\n').to_owned()
}

/// The conditions that a printed block names and nothing else: "prone", "Burning 2 and prone";
/// `None` where it says anything more.
fn conditions_of(system: &System, text: &str) -> Option<Vec<String>> {
    let mut all = Vec::new();
    for part in text
        .trim()
        .trim_end_matches('.')
        .replace(" and ", ",")
        .split(',')
    {
        let (name, level) = numbered(part.trim());
        let rule = system.condition(name)?;
        // Without levels, a number after the name is no level.
        level.is_none_or(|_| rule.levels.is_some()).then_some(())?;
        all.push(
            rule.name.to_lowercase() + &level.map_or(String::new(), |level| format!(" {level}")),
        );
    }
    Some(all)
}
