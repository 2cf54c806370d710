//! What was understood, for programs: every item with the line it stands in.

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

/// The whole model: `{version, title, rules_version, bases, language, narrative, hash, files, dice, attributes, skills, checks, difficulties, tracks, marks,
/// damage, damage_types, halving, defences, triggers, rests, passing, company, conditions, combat, advancement, attacks, assumed, sections}`. Every item has `at`, its place as `System.md:31`; what nobody wrote has
/// none. Expressions are in canonical notation.
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
        "attributes": list(&system.attributes, |own| json!({
            "name": own.name,
            "abbr": own.abbr,
            "about": own.about,
            "range": own.range.map(|(low, high)| [low, high]),
            "modifier": own.modifier.describe(),
            "at": at(Some(&own.place)),
        })),
        "skills": list(&system.skills, |own| json!({
            "name": own.name,
            "attribute": own.attribute,
            "range": own.range.map(|(low, high)| json!([low, high])),
            "base": own.base.as_ref().map(ToString::to_string),
            "about": own.about,
            "at": at(Some(&own.place)),
        })),
        "checks": list(&system.checks, check),
        "difficulties": list(&system.difficulties, |own| json!({
            "name": own.name,
            "number": own.number(),
            "row": own.row(),
            "at": at(Some(&own.place)),
        })),
        "tracks": list(&system.tracks, track),
        "marks": list(&system.soaks, |own| json!({
            "name": own.name,
            "soak": own.marks.iter().map(|mark| json!([mark.track, mark.count, mark.worth])).collect::<Vec<_>>(),
            "one_a_hit": own.one_a_hit,
            "at": at(Some(&own.place)),
        })),
        "damage": list(&system.damage, |own| json!({"kind": own.kind, "stages": own.stages, "at": at(Some(&own.place))})),
        "damage_types": system.damage_types,
        "halving": if system.halving_up { "rounded up" } else { "rounded down" },
        "defences": list(&system.defences, |own| json!({
            "name": own.rule.name,
            "what": own.rule.to_string(),
            "at": at(Some(&own.place)),
        })),
        "triggers": list(&system.triggers, trigger),
        "rests": list(&system.rests, |own| json!({
            "name": own.label,
            "effects": effects(&own.effects),
            "text": own.text,
            "at": at(Some(&own.place)),
        })),
        "passing": list(&system.passing, |own| json!({
            "when": own.label,
            "effects": effects(&own.effects),
            "at": at(Some(&own.place)),
        })),
        "company": system.company.as_ref().map(|company| json!({
            "tracks": list(&company.tracks, track),
            "triggers": list(&company.triggers, trigger),
        })),
        "conditions": list(&system.conditions, |own| json!({
            "name": own.name,
            "levels": own.levels.map(|(low, high)| [low, high]),
            "effects": own.changes.iter().map(Change::to_string).collect::<Vec<_>>(),
            "lasts": own.duration.as_ref().map(Duration::to_string),
            "about": own.about,
            "at": at(Some(&own.place)),
        })),
        "combat": bullets(system.bullets(SectionKind::Combat)),
        "advancement": {
            "bullets": bullets(system.bullets(SectionKind::Advancement)),
            "levels": list(&system.advancement.thresholds, |own| json!([own.level, own.xp])),
        },
        "attacks": list(&system.attacks, |own| json!({
            "name": own.name,
            "skill": own.skill,
            "bonus": own.bonus,
            "damage": [own.describe_damage()],
            "conditions": own.conditions,
            "at": at(Some(&own.place)),
        })),
        "assumed": list(&system.assumptions, |own| json!({"text": own.text, "at": at(own.place.as_ref())})),
        "sections": list(&system.sections, |own| json!({
            "heading": own.heading,
            "read_as": own.kind.map(super::SectionKind::name),
            "at": at(Some(&own.place)),
        })),
    })
}

fn check(own: &Check) -> Value {
    json!({
        "name": own.name,
        "roll": own.roll.to_string(),
        "target": own.target.as_ref().map(ToString::to_string),
        "succeed": match own.succeed {
            Succeed::AtLeast => "at least",
            Succeed::AtMost => "at most",
        },
        "rows": list(&own.rows, row),
        "bullets": bullets(&own.bullets),
        "about": own.about,
        "assumed": own.assumed,
        "at": at(Some(&own.place)),
    })
}

fn track(own: &Track) -> Value {
    json!({
        "name": own.name,
        "max": own.max.as_ref().map(ToString::to_string),
        "min": own.min.to_string(),
        "start": match &own.start {
            Start::Full => "full".to_owned(),
            Start::Empty => "empty".to_owned(),
            Start::At(value) => value.to_string(),
        },
        "counts": match own.counts {
            Direction::Down => "down",
            Direction::Up => "up",
        },
        "keeps_larger": own.keeps_larger,
        "clock": own.clock,
        "hidden": own.hidden,
        "at": at(Some(&own.place)),
    })
}

fn trigger(own: &Trigger) -> Value {
    json!({"when": own.label, "effects": effects(&own.effects), "text": own.text, "at": at(Some(&own.place))})
}

fn effects(all: &[Effect]) -> Vec<&str> {
    all.iter().map(|own| own.text.as_str()).collect()
}

fn row(own: &Row) -> Value {
    json!({
        "label": own.label,
        "outcome": own.canonical,
        "when": own.when_text,
        "text": own.text,
        "effects": effects(&own.moves),
        "at": at(Some(&own.place)),
    })
}

fn bullets<'b>(all: impl IntoIterator<Item = &'b Bullet>) -> Value {
    all.into_iter().map(|own| json!({"label": own.label, "is": own.is, "at": at(Some(&own.place))})).collect()
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
