//! A random call from a few random numbers, so that what fails shrinks to few calls and small
//! numbers.

use rollbook_game::decide::character::{self, SheetCall};
use rollbook_game::decide::clock::{self, ClockCall};
use rollbook_game::decide::combat::{self, Newcomer, StartCall};
use rollbook_game::decide::damage::{self, DamageCall, Measure};
use rollbook_game::decide::rest;
use rollbook_game::decide::session;
use rollbook_game::record::entry::Visibility;
use rollbook_game::record::event::Part;
use rollbook_game::record::state::State;
use rollbook_game::refusal::Refusal;
use rollbook_game::table::Table;

use super::rig::Rig;

/// What a call is made of.
pub type Seed = (u8, u8, u8, u8, u8);

#[derive(Debug, Clone)]
pub enum Call {
    Damage(DamageCall),
    Rest(Option<String>, String),
    Update(String, Box<SheetCall>),
    Retire(String),
    Fight,
    Defeat(String),
    Clock(ClockCall),
    SceneEnds,
    SessionEnds,
}

const PEOPLE: [&str; 6] = ["Ann", "Ann", "Kit", "Foe", "Rat", "Mould"];
const CONDITIONS: [&str; 6] = ["prone", "dead", "Cursed 2", "weary", "Rattled", "afraid"];
const TYPES: [&str; 3] = ["cold", "fire", "poison"];
const WARDS: [&str; 8] = [
    "Armour",
    "Armour (cold)",
    "Resistance (cold, fire)",
    "Vulnerability (fire)",
    "Immunity (poison)",
    "Shield",
    "Temporary hit points",
    "Vulnerability",
];

/// None for the smallest seed, so that what fails shrinks to the calls that matter.
pub fn of(rig: &Rig, (kind, who, what, number, more): Seed) -> Option<Call> {
    if kind == 0 {
        return None;
    }
    let name = pick(&PEOPLE, who).to_owned();
    Some(match kind % 16 {
        0..=10 => Call::Damage(damage(rig, name, (kind, what, number, more))),
        11 => {
            let rests = &rig.system().rests;
            let rest = rests
                .get(usize::from(what) % rests.len().max(1))
                .map_or("Nap", |rest| rest.label.as_str());
            Call::Rest((number % 3 == 0).then_some(name), rest.to_owned())
        }
        12 => {
            let ward = pick(&WARDS, what).to_owned();
            let tracks = [(ward, i64::from(number % 6))].into();
            Call::Update(
                name,
                Box::new(SheetCall {
                    tracks,
                    ..SheetCall::default()
                }),
            )
        }
        13 => Call::Update(
            name,
            Box::new(SheetCall {
                level: Some(i64::from(number % 5)),
                ..SheetCall::default()
            }),
        ),
        14 if number % 4 == 0 => Call::Retire(name),
        14 if number % 4 == 1 => Call::Clock(shared((what, number, more))),
        14 => Call::Fight,
        _ if number % 4 == 0 => Call::SessionEnds,
        _ if number % 4 == 1 => Call::Defeat(name),
        _ => Call::SceneEnds,
    })
}

/// One of the rules, or one that is made.
fn shared((what, number, more): (u8, u8, u8)) -> ClockCall {
    let name = pick(&["Supplies", "Alarm", "Flooding", "Doom"], what).to_owned();
    let amount = i64::from(number / 4 % 12) - 4;
    let made = ClockCall {
        name,
        ..ClockCall::default()
    };
    match more % 6 {
        0 => ClockCall {
            segments: Some(amount),
            ..made
        },
        1 => ClockCall {
            value: Some(amount),
            ..made
        },
        2 => ClockCall {
            visibility: Some(if what > 127 {
                Visibility::Gm
            } else {
                Visibility::Public
            }),
            ..made
        },
        3 if what > 127 => ClockCall { done: true, ..made },
        _ => ClockCall {
            tick: Some(amount),
            ..made
        },
    }
}

fn damage(rig: &Rig, target: String, (kind, what, number, more): (u8, u8, u8, u8)) -> DamageCall {
    let damage_type = (more % 3 == 0).then(|| pick(&TYPES, more / 3).to_owned());
    let parted = kind.is_multiple_of(5) && number > 0;
    let amount = if kind % 3 == 2 {
        -i64::from(number % 12)
    } else {
        i64::from(number % 32)
    };
    let parts = [damage_type.clone(), Some("fire".to_owned()), None];
    let parts = parts
        .into_iter()
        .zip([number, more, what])
        .map(|(kind, amount)| Part {
            amount: i64::from(amount % 9) + 1,
            damage_type: kind,
        });
    let named = |often: u8, list: &[&str]| {
        if more % often == 1 {
            vec![pick(list, what).to_owned()]
        } else {
            Vec::new()
        }
    };
    DamageCall {
        track: track(&rig.state, rig, &target, what),
        target,
        amount: (!parted).then_some(amount),
        damage_type: damage_type.filter(|_| !parted),
        parts: if parted { parts.collect() } else { Vec::new() },
        bypass: if rig.system().defences.is_empty() {
            Vec::new()
        } else {
            named(7, &["Armour", "armour"])
        },
        measure: match more % 8 {
            0 | 4 => Measure::Half,
            6 => Measure::Twice,
            _ => Measure::Once,
        },
        apply_conditions: named(6, &CONDITIONS),
        remove_conditions: if more % 11 == 2 {
            vec![pick(&CONDITIONS, number).to_owned()]
        } else {
            Vec::new()
        },
        ..DamageCall::default()
    }
}

/// Mostly none; else one of theirs, or of the rules.
fn track(state: &State, rig: &Rig, target: &str, what: u8) -> Option<String> {
    let id = state
        .characters
        .values()
        .find(|character| character.name == target)?
        .id;
    let mut names: Vec<String> = state
        .tracks_of(id)
        .map(|track| track.name.clone())
        .collect();
    names.extend(rig.system().soaks.iter().map(|soak| soak.name.clone()));
    names.extend(
        rig.system()
            .tracks
            .iter()
            .filter(|track| track.is_temporary())
            .map(|track| track.name.clone()),
    );
    let named = what % 8 < 3 && !names.is_empty();
    named.then(|| names[usize::from(what / 8) % names.len()].clone())
}

fn pick<'a>(list: &[&'a str], which: u8) -> &'a str {
    list[usize::from(which) % list.len()]
}

impl Call {
    pub fn make(&self, table: &mut Table) -> Result<(), Refusal> {
        match self.clone() {
            Call::Damage(call) => damage::decide(table, call, None).map(drop),
            Call::Rest(who, kind) => rest::rest(table, who.as_deref(), Some(&kind)),
            Call::Update(who, sheet) => character::update(table, &who, *sheet).map(drop),
            Call::Retire(who) => character::retire(table, &who).map(drop),
            Call::Fight => {
                let known = |name: &str| Newcomer {
                    name: name.to_owned(),
                    initiative: Some(1),
                    ..Newcomer::default()
                };
                let call = StartCall {
                    combatants: vec![known("Ann"), known("Foe"), known("Rat")],
                    ..StartCall::default()
                };
                combat::start(table, &call).map(drop)
            }
            Call::Clock(call) => clock::decide(table, &call).map(drop),
            Call::Defeat(who) => combat::defeat(table, &who),
            Call::SceneEnds => combat::end(table, None).map(drop),
            Call::SessionEnds => session::end(table).map(drop),
        }
    }
}
