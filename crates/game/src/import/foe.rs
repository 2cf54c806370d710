//! A foe's description, fitted to the rules of the adventure: what the rules have a name for becomes a number on the sheet,
//! everything else a note for the GM.

use crate::limits::LIMITS;
use crate::mechanics::attacks;
use crate::mechanics::defence::Defence;
use crate::mechanics::health::direction;
use crate::mechanics::tracks::main_name;
use crate::record::state::{Attack, Kind, Track};
use crate::view::snapshot::CharacterSnapshot;
use rollbook_rules::{Attribute, Defence as DefenceRule, Direction, System};
use rollbook_text::names::{numbered, same};

/// Names of an attribute for armour.
const ARMOUR: [&str; 9] =
    ["armour class", "armor class", "ac", "armour", "armor", "defence", "defense", "evasion", "guard"];

/// The parts of a description.
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
    pub fn into_snapshot(mut self, system: &System) -> CharacterSnapshot {
        let mut own =
            CharacterSnapshot { described: true, ..CharacterSnapshot::empty(self.name.trim(), Kind::Template) };
        for (name, score) in std::mem::take(&mut self.scores) {
            match system.attribute(&name) {
                Ok(attribute) => drop(own.attributes.entry(attribute.name.clone()).or_insert(score)),
                // `Attributes: STR 1, DEX 2; Reflex +4`
                Err(_) if system.named_skill(&name).is_some() => self.totals.push((name, score)),
                Err(_) => self.words.push(format!("{name} {score}")),
            }
        }
        if let Some(armour) = self.armour {
            let called = |attribute: &&Attribute| ARMOUR.iter().any(|name| attribute.is_called(name));
            let is_armour = |name: &String| ARMOUR.iter().any(|own| same(own, name));
            let skill = || system.skills.iter().map(|skill| &skill.name).find(|name| is_armour(name));
            let taken_off = || system.defences.iter().map(|defence| defence.rule.name.clone()).find(is_armour);
            match system.attributes.iter().find(called) {
                Some(attribute) => drop(own.attributes.insert(attribute.name.clone(), armour)),
                None => match (skill(), taken_off()) {
                    (Some(skill), _) => drop(own.skills.entry(skill.clone()).or_insert(armour)),
                    (None, Some(name)) => self.tracks.insert(0, (name, armour)),
                    (None, None) => self.words.insert(0, format!("Armour {armour}")),
                },
            }
        }
        for (name, bonus) in std::mem::take(&mut self.bonuses) {
            self.add_skill(system, &mut own, &name, bonus, false);
        }
        for (name, total) in std::mem::take(&mut self.totals) {
            self.add_skill(system, &mut own, &name, total, true);
        }
        let health = self.hp.map(|hp| match full_track(main_name(system), hp) {
            // Unhurt, as it is described.
            track if direction(system, &track) == Direction::Up => Track { value: track.min, ..track },
            track => track,
        });
        let tracks = std::mem::take(&mut self.tracks).into_iter();
        let tracks = tracks.map(|(name, value)| match full_track(&name, value.max(0)) {
            // What is marked already; the maximum is that of the rules.
            track if direction(system, &track) == Direction::Up => Track { fixed: false, ..track },
            track => track,
        });
        for own_track in tracks.chain(health).collect::<Vec<Track>>() {
            own.tracks.retain(|track| !same(&track.name, &own_track.name));
            own.tracks.push(own_track);
        }
        for (defence, types) in std::mem::take(&mut self.defences) {
            // A rule for one type of damage is none for others.
            let is_open = |rule: &&DefenceRule| defence.matches(rule) && rule.rule.from.is_empty();
            match system.defences.iter().find(is_open) {
                Some(rule) if types.len() + rule.rule.name.len() + 3 <= LIMITS.name => {
                    let name = format!("{} ({types})", rule.rule.name);
                    own.tracks.retain(|track| !same(&track.name, &name));
                    own.tracks.push(full_track(&name, 1));
                }
                _ => self.words.push(format!("{}: {types}", defence.word())),
            }
        }
        for attack in std::mem::take(&mut self.attacks) {
            self.add_attack(system, &mut own, attack);
        }
        own.worth = self.worth;
        own.gm_notes = render_notes(&self.words);
        own
    }

    /// A condition of the rules in the place of what a hit brings; what a sheet cannot hold is a note.
    fn add_attack(&mut self, system: &System, own: &mut CharacterSnapshot, mut attack: Attack) {
        if let Some(conditions) = attack.effect.as_deref().and_then(|effect| conditions_of(system, effect)) {
            (attack.conditions, attack.effect) = (conditions, None);
        }
        own.attacks.push(attack);
        if attacks::check_limits(&own.attacks).is_err()
            && let Some(attack) = own.attacks.pop()
        {
            self.words.push(format!("{}: {}", attack.name, attack.render()));
        }
    }

    fn add_skill(
        &mut self,
        system: &System,
        own: &mut CharacterSnapshot,
        name: &str,
        value: i64,
        with_attribute: bool,
    ) {
        let Ok(skill) = system.skill(name) else {
            self.words.push(format!("{name} {value:+}"));
            return;
        };
        let linked = skill.attribute.as_deref().and_then(|name| system.named_attribute(name));
        let modifier = linked.and_then(|attribute| {
            let score = own.attributes.get(&attribute.name)?;
            attribute.modifier(*score).ok()
        });
        let base = modifier.filter(|_| with_attribute).unwrap_or(0);
        own.skills.insert(skill.name.clone(), value.saturating_sub(base));
    }
}

/// A track with its maximum as its value.
fn full_track(name: &str, value: i64) -> Track {
    Track { character: 0, name: name.to_owned(), value, min: 0, max: Some(value), fixed: true }
}

/// The lines as notes, cut with "…" at the limit.
fn render_notes(lines: &[String]) -> String {
    const CUT: &str = "…";
    let mut notes = String::new();
    for line in lines {
        let line: String =
            line.chars().filter(|c| !c.is_control() && !rollbook_text::names::is_direction(*c)).collect();
        if notes.len() + line.len() + CUT.len() + 1 > LIMITS.notes {
            notes.push_str(CUT);
            break;
        }
        notes.push_str(&line);
        notes.push('\n');
    }
    notes.trim_end_matches('\n').to_owned()
}

/// The conditions that a printed block names and nothing else: "prone", "Burning 2 and prone"; `None` where it says anything more.
fn conditions_of(system: &System, text: &str) -> Option<Vec<String>> {
    let mut all = Vec::new();
    for part in text.trim().trim_end_matches('.').replace(" and ", ",").split(',') {
        let part = part.trim();
        let (name, level) = numbered(part);
        let rule = system.condition(name)?;
        // Without levels, a number after the name is no level.
        level.is_none_or(|_| rule.levels.is_some()).then_some(())?;
        let name = rule.name.to_lowercase();
        all.push(level.map_or_else(|| name.clone(), |level| format!("{name} {level}")));
    }
    Some(all)
}
