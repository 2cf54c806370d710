//! A foe's description, fitted to the rules of the adventure: what the rules have a name for
//! becomes a number on the sheet, everything else a note for the GM.

use super::damage_types::Types;
use super::question::{Outcome, Part, Question, armour_place};
use crate::mechanics::health::{Defence, direction};
use crate::mechanics::{attacks, tracks::main_name};
use crate::record::state::{Attack, Kind, Track, Uses};
use crate::{limits::LIMITS, view::snapshot::CharacterSnapshot};
use rollbook_rules::{Direction, System};
use rollbook_text::names::{is_direction, numbered, same, shortened};

#[derive(Debug, Default, Clone)]
pub struct Foe {
    pub name: String,
    /// Unhurt.
    pub hp: Option<i64>,
    /// Where it is not unhurt.
    pub hp_now: Option<i64>,
    pub level: Option<i64>,
    pub armour: Option<i64>,
    /// Scores, by any name.
    pub scores: Vec<(String, i64)>,
    /// Skills without their attribute's modifier.
    pub bonuses: Vec<(String, i64)>,
    /// Skills with their attribute's modifier.
    pub totals: Vec<(String, i64)>,
    pub defences: Vec<(Defence, Types)>,
    /// Tracks of the rules, by name, with the maximum where it is another.
    pub tracks: Vec<(String, (i64, Option<i64>))>,
    pub attacks: Vec<Attack>,
    /// Of attacks and traits, by name.
    pub uses: Vec<(String, Uses)>,
    /// The experience for defeating it.
    pub worth: Option<i64>,
    /// Notes: everything else, a line each.
    pub words: Vec<String>,
    pub questions: Vec<Question>,
}

impl Foe {
    /// Asks about a line, whose words are a note too.
    pub fn ask(&mut self, question: Question, words: String) -> Outcome {
        let is_new = !words.is_empty() && !self.words.contains(&words);
        self.words.extend(is_new.then_some(words));
        self.questions.push(question.clone());
        Outcome::Asked(question)
    }

    /// Takes how often something of that name may be used; whether the text says so. What is
    /// about uses and not read to its end is asked about.
    pub fn read_uses(&mut self, name: &str, text: &str) -> bool {
        let name = shortened(name.trim(), LIMITS.name - 4);
        let uses = Uses::parse(text).filter(|_| !name.is_empty());
        if uses.is_none() && Uses::is_about(text) {
            self.questions.push(Question {
                line: format!("{name} ({text})"),
                why: "how often it is used is read from `Recharge 5-6`, `3/Day`, `once a fight`"
                    .to_owned(),
                ..Question::default()
            });
        }
        self.uses.extend(uses.map(|uses| (name, uses)));
        uses.is_some()
    }

    /// Keeps a line as words.
    pub fn note(&mut self, words: String) -> Outcome {
        self.words.push(words);
        Outcome::Note
    }

    /// A block is of one creature: its lines have an end.
    pub fn ask_for_less(&mut self, line: &str, why: &str) -> Outcome {
        let question = Question {
            part: Part::Length,
            line: line.to_owned(),
            why: why.to_owned(),
            form: "- Hit points: 7".to_owned(),
            ..Question::default()
        };
        if self
            .questions
            .iter()
            .all(|known| known.part != Part::Length)
        {
            self.questions.push(question.clone());
        }
        Outcome::Asked(question)
    }

    /// Whether it has hit points, armour or a track, and so is not only a part of another block.
    pub fn stands_alone(&self) -> bool {
        self.hp.or(self.hp_now).is_some() || self.armour.is_some() || !self.tracks.is_empty()
    }

    /// Whether it has a number beside those of skills.
    pub fn says_more_than_skills(&self) -> bool {
        self.stands_alone() || !self.scores.is_empty()
    }

    /// The foe by these rules, as a template.
    pub fn into_snapshot(self, system: &System) -> (CharacterSnapshot, Vec<Question>) {
        let Foe {
            name,
            hp,
            hp_now,
            level,
            armour,
            scores,
            bonuses,
            mut totals,
            defences,
            mut tracks,
            attacks,
            uses,
            worth,
            mut words,
            mut questions,
        } = self;
        let mut sheet = CharacterSnapshot {
            described: true,
            level: level.unwrap_or(1),
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
            match armour_place(system) {
                Some((Part::Scores, name)) => {
                    sheet.attributes.insert(name.to_owned(), armour);
                }
                Some((Part::Skills, name)) => {
                    sheet.skills.insert(name.to_owned(), armour);
                }
                Some((_, name)) => tracks.insert(0, (name.to_owned(), (armour, None))),
                None => words.insert(0, format!("Armour {armour}")),
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
        for (name, (value, of)) in tracks {
            let track = Track::full(0, &name, value.max(0));
            // Of one that fills up it is what is marked already; the maximum is that of the rules.
            set_track(
                &mut sheet,
                Track {
                    max: of.or(track.max),
                    fixed: of.is_some() || !fills_up(&track),
                    ..track
                },
            );
        }
        // Without a maximum nobody knows how hurt it is.
        let is_health = hp_now.is_none_or(|now| (0..=hp.unwrap_or(0)).contains(&now));
        if let Some(now) = hp_now.filter(|_| !is_health) {
            let of = hp.map_or("no maximum".to_owned(), |hp| format!("a maximum of {hp}"));
            questions.push(Question {
                part: Part::Health,
                line: format!("hit points {now}"),
                why: format!("there is {of} for them"),
                form: "- Hit points: 15/22".to_owned(),
                name: main_name(system).to_owned(),
                number: hp.unwrap_or(now),
            });
        }
        if let Some(hp) = hp.filter(|_| is_health) {
            let track = Track::full(0, main_name(system), hp);
            let lost = hp - hp_now.unwrap_or(hp);
            let value = if fills_up(&track) {
                track.min + lost
            } else {
                track.value - lost
            };
            set_track(&mut sheet, Track { value, ..track });
        }
        for (defence, types) in defences {
            let rule = defence.rule(system);
            for name in rule.into_iter().flat_map(|rule| types.on_sheet(rule)) {
                set_track(&mut sheet, Track::full(0, &name, 1));
            }
            let is_whole = rule.is_some() && types.is_whole();
            words.extend((!is_whole).then(|| format!("{}: {types}", defence.as_str())));
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
        for (name, uses) in uses {
            let is_taken = sheet.tracks.iter().any(|track| same(&track.name, &name));
            if is_taken || system.track(&name).is_ok() {
                words.push(format!("{name}: {uses}"));
                continue;
            }
            sheet.tracks.push(Track {
                renewal: Some(uses.renewal),
                ..Track::full(0, &name, uses.many)
            });
        }
        sheet.worth = worth;
        let lost;
        (sheet.gm_notes, lost) = render_notes(&words);
        questions.extend(lost.map(|line| Question {
            part: Part::Notes,
            why: format!(
                "notes have {} bytes, and it and the rest would be beyond them",
                LIMITS.notes
            ),
            line,
            ..Question::default()
        }));
        (sheet, questions)
    }
}

fn set_track(sheet: &mut CharacterSnapshot, track: Track) {
    sheet.tracks.retain(|other| !same(&other.name, &track.name));
    sheet.tracks.push(track);
}

/// The lines as notes, and the first for which they have no room.
fn render_notes(lines: &[String]) -> (String, Option<String>) {
    let mut notes = String::new();
    for line in lines {
        let line: String = line
            .chars()
            .filter(|c| !c.is_control() && !is_direction(*c))
            .collect();
        if notes.len() + line.len() + "…\n".len() > LIMITS.notes {
            notes.push('…');
            return (notes, Some(line));
        }
        notes.push_str(&line);
        notes.push('\n');
    }
    (notes.trim_end_matches('\n').to_owned(), None)
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
