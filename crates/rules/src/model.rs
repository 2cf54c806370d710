//! The model as JSON, for programs: every item with its line.

use serde_json::{Value, json};

use crate::grammar::effect::{Change, Duration};
use crate::language::checks::{Check, Row};
use crate::language::clause::Bullet;
use crate::language::effects::Effect;
use crate::language::health::{Direction, Start, Track, Trigger};
use crate::language::system::System;
use crate::reading::Reading;
use crate::section::SectionKind;
use crate::when::facts::Succeed;
use rollbook_text::diagnostic::Place;

/// The whole model:
/// `{version, title, rules_version, bases, language, narrative, hash, files, dice, attributes, skills, checks, difficulties, tracks, marks, damage, damage_types, halving, defences, triggers, rests, passing, company, conditions, combat, advancement, attacks, assumed, sections}`.
/// Every item has `at`, its place as `System.md:31`, unless it is assumed. Expressions are in
/// canonical notation.
pub fn model(reading: &Reading) -> Value {
    let system = &reading.system;
    json!({
        "version": 1,
        "title": system.title,
        "rules_version": system.version,
        "bases": system.bases,
        "narrative": system.narrative,
        "hash": reading.hash,
        "files": reading.sources.iter().map(|(_, file)| file.name.as_str()).collect::<Vec<&str>>(),
        "dice": {
            "allowed": if system.dice.is_any() { json!("any") } else { json!(dice(system)) },
            "bullets": bullets(system.bullets(SectionKind::Dice)),
            "at": at(system.dice.place.as_ref()),
        },
        "attributes": list(&system.attributes, |attribute| json!({
            "name": attribute.name,
            "abbr": attribute.abbr,
            "about": attribute.about,
            "range": attribute.range.map(|(low, high)| [low, high]),
            "modifier": attribute.modifier.describe(),
            "at": at(Some(&attribute.place)),
        })),
        "skills": list(&system.skills, |skill| json!({
            "name": skill.name,
            "attribute": skill.attribute,
            "range": skill.range.map(|(low, high)| json!([low, high])),
            "base": skill.base.as_ref().map(ToString::to_string),
            "about": skill.about,
            "at": at(Some(&skill.place)),
        })),
        "checks": list(&system.checks, check),
        "difficulties": list(&system.difficulties, |difficulty| json!({
            "name": difficulty.name,
            "number": difficulty.number(),
            "row": difficulty.row(),
            "at": at(Some(&difficulty.place)),
        })),
        "tracks": list(&system.tracks, track),
        "marks": list(&system.soaks, |soak| json!({
            "name": soak.name,
            "soak": soak.marks.iter().map(|mark| json!([mark.track, mark.count, mark.worth])).collect::<Vec<_>>(),
            "one_a_hit": soak.one_a_hit,
            "at": at(Some(&soak.place)),
        })),
        "damage": list(&system.damage, |line| json!({"kind": line.kind, "stages": line.stages, "at": at(Some(&line.place))})),
        "damage_types": system.damage_types,
        "halving": if system.halving_up { "rounded up" } else { "rounded down" },
        "defences": list(&system.defences, |defence| json!({
            "name": defence.rule.name,
            "what": defence.rule.to_string(),
            "at": at(Some(&defence.place)),
        })),
        "triggers": list(&system.triggers, trigger),
        "rests": list(&system.rests, |rest| json!({
            "name": rest.label,
            "effects": effects(&rest.effects),
            "text": rest.text,
            "at": at(Some(&rest.place)),
        })),
        "passing": list(&system.passing, |trigger| json!({
            "when": trigger.label,
            "effects": effects(&trigger.effects),
            "at": at(Some(&trigger.place)),
        })),
        "company": system.company.as_ref().map(|company| json!({
            "tracks": list(&company.tracks, track),
            "triggers": list(&company.triggers, trigger),
        })),
        "conditions": list(&system.conditions, |condition| json!({
            "name": condition.name,
            "levels": condition.levels.map(|(low, high)| [low, high]),
            "effects": condition.changes.iter().map(Change::to_string).collect::<Vec<_>>(),
            "lasts": condition.duration.as_ref().map(Duration::to_string),
            "about": condition.about,
            "at": at(Some(&condition.place)),
        })),
        "combat": bullets(system.bullets(SectionKind::Combat)),
        "advancement": {
            "bullets": bullets(system.bullets(SectionKind::Advancement)),
            "levels": list(&system.advancement.thresholds, |threshold| json!([threshold.level, threshold.xp])),
        },
        "attacks": list(&system.attacks, |attack| json!({
            "name": attack.name,
            "skill": attack.skill,
            "bonus": attack.bonus,
            "damage": [attack.describe_damage()],
            "conditions": attack.conditions,
            "at": at(Some(&attack.place)),
        })),
        "assumed": list(&system.assumptions, |assumption| json!({"text": assumption.text, "at": at(assumption.place.as_ref())})),
        "sections": list(&system.sections, |section| json!({
            "heading": section.heading,
            "read_as": section.kind.map(super::SectionKind::name),
            "at": at(Some(&section.place)),
        })),
    })
}

fn check(check: &Check) -> Value {
    json!({
        "name": check.name,
        "roll": check.roll.to_string(),
        "target": check.target.as_ref().map(ToString::to_string),
        "succeed": match check.succeed {
            Succeed::AtLeast => "at least",
            Succeed::AtMost => "at most",
        },
        "rows": list(&check.rows, row),
        "bullets": bullets(&check.bullets),
        "about": check.about,
        "assumed": check.assumed,
        "at": at(Some(&check.place)),
    })
}

fn track(track: &Track) -> Value {
    json!({
        "name": track.name,
        "max": track.max.as_ref().map(ToString::to_string),
        "min": track.min.to_string(),
        "start": match &track.start {
            Start::Full => "full".to_owned(),
            Start::Empty => "empty".to_owned(),
            Start::At(value) => value.to_string(),
        },
        "counts": match track.counts {
            Direction::Down => "down",
            Direction::Up => "up",
        },
        "keeps_larger": track.keeps_larger,
        "clock": track.clock,
        "hidden": track.hidden,
        "at": at(Some(&track.place)),
    })
}

fn trigger(trigger: &Trigger) -> Value {
    json!({"when": trigger.label, "effects": effects(&trigger.effects), "text": trigger.text, "at": at(Some(&trigger.place))})
}

fn effects(all: &[Effect]) -> Vec<&str> {
    all.iter().map(|effect| effect.text.as_str()).collect()
}

fn row(row: &Row) -> Value {
    json!({
        "label": row.label,
        "outcome": row.canonical,
        "when": row.when_text,
        "text": row.text,
        "effects": effects(&row.moves),
        "at": at(Some(&row.place)),
    })
}

fn bullets<'b>(all: impl IntoIterator<Item = &'b Bullet>) -> Value {
    all.into_iter()
        .map(
            |bullet| json!({"label": bullet.label, "is": bullet.is, "at": at(Some(&bullet.place))}),
        )
        .collect()
}

fn dice(system: &System) -> Vec<String> {
    system.dice.list().split(", ").map(str::to_owned).collect()
}

fn list<T>(items: &[T], value: impl Fn(&T) -> Value) -> Value {
    items.iter().map(value).collect()
}

fn at(place: Option<&Place>) -> Value {
    place.map(ToString::to_string).into()
}
