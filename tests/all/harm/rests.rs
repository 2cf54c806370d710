//! What a rest does, for whom, and what it leaves alone.

use std::collections::{BTreeMap, BTreeSet};

use rollbook_game::record::entry::{Entry, RollRecord};
use rollbook_game::record::event::{Event, Rested};
use rollbook_game::record::state::{Character, Condition, DEAD, State, Track, Until};
use rollbook_rules::{Act, Duration, Effect, End, Move, Sign, System, Trigger, TriggerWhen};
use rollbook_text::names::same;

use super::bounds::{Sheet, moves};

/// Who is named, or everybody of the party, rests if they live; nobody else changes. A rest does
/// what its effects say, one after the other, and nothing else but what that sets off.
pub fn mended(
    system: &System,
    who: Option<&str>,
    kind: &str,
    before: &State,
    after: &State,
    entries: &[Entry],
) {
    let rest = system
        .rests
        .iter()
        .find(|rest| same(&rest.label, kind))
        .expect("a rest of the rules");
    let is_dead = |character: &&Character| {
        before
            .conditions_of(character.id)
            .any(|condition| same(&condition.name, DEAD))
    };
    let meant =
        |character: &&Character| who.map_or(character.is_in_party(), |who| character.name == who);
    let resting: BTreeSet<i64> = before
        .characters
        .values()
        .filter(meant)
        .filter(|character| !is_dead(character))
        .map(|row| row.id)
        .collect();
    let rests = entries.iter().filter_map(|entry| match &entry.event {
        Event::Rested(Rested {
            subject, triggers, ..
        }) => Some((subject.id, (triggers, &entry.rolls))),
        _ => None,
    });
    let rested: BTreeMap<_, _> = rests.collect();
    assert_eq!(
        rested.keys().copied().collect::<BTreeSet<i64>>(),
        resting,
        "who rests"
    );
    for (key, track) in after
        .tracks
        .iter()
        .filter(|(key, _)| !resting.contains(&key.0))
    {
        assert_eq!(before.tracks.get(key), Some(track), "nobody else mends");
    }
    for (id, (triggers, rolls)) in rested {
        let expected = carried_out(system, rest, (before, id), rolls);
        let fired: Vec<&Trigger> = system
            .triggers
            .iter()
            .filter(|trigger| triggers.contains(&trigger.text))
            .collect();
        tracks(system, rest, &fired, (before, &expected, after), id);
        conditions(system, rest, &fired, (&expected, after), id);
    }
}

/// Each track is where the effects lead it, unless what they set off moves it on.
fn tracks(
    system: &System,
    rest: &Trigger,
    fired: &[&Trigger],
    (before, expected, after): (&State, &State, &State),
    id: i64,
) {
    for track in before.tracks_of(id) {
        assert!(
            after.tracks.contains_key(&(id, track.name.clone())),
            "tracks stay"
        );
    }
    for now in after.tracks_of(id) {
        let is_moved_on = fired
            .iter()
            .flat_map(|trigger| &trigger.effects)
            .any(|effect| moves(system, effect, &now.name));
        match expected.tracks.get(&(id, now.name.clone())) {
            _ if is_moved_on => {}
            Some(track) => assert_eq!(
                now, track,
                "{} does what it says: {}",
                rest.label, rest.text
            ),
            None => assert!(
                rest.effects
                    .iter()
                    .any(|effect| moves(system, effect, &now.name)),
                "{now:?} comes from nowhere"
            ),
        }
    }
}

/// What a rest ends is over; else conditions come and go by its effects alone, and by what they set
/// off.
fn conditions(
    system: &System,
    rest: &Trigger,
    fired: &[&Trigger],
    (expected, after): (&State, &State),
    id: i64,
) {
    let has = |state: &State, name: &str| {
        state
            .conditions_of(id)
            .any(|condition| same(&condition.name, name))
    };
    for condition in after.conditions_of(id) {
        assert!(
            !is_over(system, rest, condition),
            "{} is over",
            condition.name
        );
        let comes = fired
            .iter()
            .any(|trigger| trigger.conditions().any(|name| same(name, &condition.name)));
        assert!(
            has(expected, &condition.name) || comes,
            "{} is there: {}",
            condition.name,
            rest.text
        );
    }
    for condition in expected
        .conditions_of(id)
        .filter(|condition| !is_over(system, rest, condition))
    {
        let is_bound = |condition: &&Trigger| {
            matches!(
                condition.when,
                TriggerWhen::At { .. } | TriggerWhen::Holds(_)
            )
        };
        let mut bounds = system.triggers.iter().filter(is_bound);
        let is_of_bound = bounds.any(|trigger| trigger.place.to_string() == condition.source);
        let mut lost = fired
            .iter()
            .flat_map(|trigger| &trigger.effects)
            .filter_map(|condition| condition.loses());
        let goes = is_of_bound
            || lost.any(|name| same(name, &condition.name))
            || matches!(condition.until, Some(Until::Time(_)));
        assert!(
            has(after, &condition.name) || goes,
            "{} is gone: {}",
            condition.name,
            rest.text
        );
    }
}

/// Whether a condition lasts until this rest.
fn is_over(system: &System, rest: &Trigger, condition: &Condition) -> bool {
    let is_this = |until: &str| same(until, &rest.label);
    let rule = system
        .conditions
        .iter()
        .find(|rule| same(&rule.name, &condition.name));
    match (
        &condition.until,
        rule.and_then(|rule| rule.duration.as_ref()),
    ) {
        (Some(Until::Rest(until)), _) => is_this(until),
        (None, Some(Duration::UntilRest(until))) => is_this(until.name()),
        (None, Some(Duration::UntilEnd(End::Session))) => {
            rest.when == TriggerWhen::EndOf(End::Session)
        }
        (Some(Until::Scene), _) | (None, Some(Duration::UntilEnd(End::Scene))) => {
            rest.when == TriggerWhen::EndOf(End::Scene)
        }
        _ => false,
    }
}

/// What the effects of a rest lead to, without what they set off.
fn carried_out(
    system: &System,
    rest: &Trigger,
    (before, id): (&State, i64),
    rolls: &[RollRecord],
) -> State {
    let mut state = before.clone();
    let mut totals = rolls.iter().map(|roll| roll.roll.total);
    let is_of_sheet = |effect: &&Effect| {
        !effect.shared && !matches!(effect.act, Act::Pass { .. } | Act::Damage { .. })
    };
    for effect in rest.effects.iter().filter(is_of_sheet) {
        let amount = effect
            .amount
            .as_ref()
            .map_or(0, |formula| match effect.is_rolled() {
                true => totals.next().expect("its dice were thrown"),
                false => {
                    let bound = formula.bind(&mut |name| Sheet::of(system, before, id).value(name));
                    bound
                        .expect("its names are on the sheet")
                        .constant()
                        .expect("no dice")
                }
            });
        if effect
            .only_if
            .as_ref()
            .is_some_and(|only_if| !Sheet::of(system, &state, id).holds(only_if))
        {
            continue;
        }
        match &effect.act {
            Act::Move(_, formula) => {
                let track = effect.track().expect("a track");
                move_track(system, (&mut state, id), (track, formula), amount);
            }
            Act::Gain { condition, .. } => {
                let row = Condition {
                    character: id,
                    name: condition.clone(),
                    ..Condition::default()
                };
                state.conditions.insert((id, condition.clone()), row);
            }
            Act::Lose { condition } => {
                state.conditions.retain(|_, formula| {
                    formula.character != id || !same(&formula.name, condition)
                });
            }
            Act::Pass { .. } | Act::Damage { .. } => {}
        }
    }
    assert_eq!(totals.next(), None, "no dice but those of its effects");
    state
}

/// Moves a track, or the marks of one name: the least worth are made first, the dearest cleared
/// first.
fn move_track(
    system: &System,
    (state, id): (&mut State, i64),
    (name, change): (&str, &Move),
    amount: i64,
) {
    let soak = system.soaks.iter().find(|soak| same(&soak.name, name));
    let mut names = soak.map_or(vec![name], |soak| {
        soak.marks.iter().map(|mark| mark.track.as_str()).collect()
    });
    let keeps_larger = system
        .tracks
        .iter()
        .any(|track| track.keeps_larger && same(&track.name, name));
    let mut left = if matches!(change, Move::By(Sign::Minus, _)) {
        -amount
    } else {
        amount
    };
    if left < 0 {
        names.reverse();
    }
    for name in names {
        let is = |track: &&mut Track| track.character == id && same(&track.name, name);
        let Some(track) = state.tracks.values_mut().find(is) else {
            continue;
        };
        let value = match change {
            Move::By(..) if keeps_larger && left > 0 => track.value.max(left),
            Move::By(..) => track.value + left,
            Move::To(_) => amount,
            Move::ToMax => track.max.unwrap_or(track.value),
            Move::Steps(_) | Move::Max(..) => {
                panic!("no rest of these rules moves along dice or maxima")
            }
        };
        // What keeps the larger is not held by where it ends.
        let end = track.max.filter(|_| !keeps_larger).unwrap_or(i64::MAX);
        let value = value.min(end).max(track.min);
        left -= value - track.value;
        track.value = value;
        track.max = track.max.map(|max| max.max(value));
    }
}

/// No rest and no end of a scene or a sitting mends the dead.
pub fn the_dead_stay(before: &State, after: &State) {
    let dead = |id: i64| {
        before
            .conditions_of(id)
            .any(|condition| same(&condition.name, DEAD))
    };
    for (key, track) in before.tracks.iter().filter(|(key, _)| dead(key.0)) {
        assert_eq!(after.tracks.get(key), Some(track), "nothing mends the dead");
    }
}
