//! What one hit comes to.

use rollbook_dice::{Formula, parse_formula};
use rollbook_game::decide::damage::{DamageCall, DamageResult, Measure};
use rollbook_game::record::entry::Entry;
use rollbook_game::record::event::{DamageEvent, Event, Step};
use rollbook_game::record::state::{Condition, State, Track};
use rollbook_rules::{
    Against, DamageLine, Defence, Direction, Range, System, Trigger, TriggerWhen,
};
use rollbook_text::names::same;

use super::bounds::{Sheet, moves, once};

/// The last step of what nothing could use.
const PAST: &str = "past the end of the track";

/// What was foretold is what was written down and what is on the sheet; nothing else of anybody's
/// moved.
pub fn as_foretold(wound: &DamageResult, before: &State, after: &State, entries: &[Entry]) {
    let written = entries.iter().find_map(|entry| match &entry.event {
        Event::Damage(event) => Some(event),
        _ => None,
    });
    // Until when a condition lasts stands beside it once it has begun.
    let begun = |label: &String| match label.split_once(" (until ") {
        Some((label, _)) => label.to_owned(),
        None => label.clone(),
    };
    let written = written.map(|event| DamageEvent {
        gained: event.gained.iter().map(begun).collect(),
        ..event.clone()
    });
    assert_eq!(written.as_ref(), Some(&wound.event), "as it was foretold");
    let id = wound.event.subject.id;
    let mut tracks = before.tracks.clone();
    tracks.extend(
        wound
            .consequences
            .moved
            .iter()
            .filter(|(was, is)| was != is)
            .map(|(_, is)| ((id, is.name.clone()), is.clone())),
    );
    assert_eq!(after.tracks, tracks, "these tracks and no other");
    let mut has: Vec<String> = after.conditions_of(id).map(Condition::label).collect();
    let mut labels = wound.consequences.labels_after(before);
    has.sort();
    labels.sort();
    assert_eq!(has, labels, "these conditions");
}

/// Whether a track holds marks, each of which takes its worth off a hit.
fn is_mark(system: &System, track: &str) -> bool {
    system
        .soaks
        .iter()
        .flat_map(|soak| &soak.marks)
        .any(|mark| same(&mark.track, track))
}

/// Whether harm fills a track up, and does not take from it.
fn fills_up(system: &System, track: &str) -> bool {
    let declared = system
        .tracks
        .iter()
        .find(|declared| same(&declared.name, track));
    declared.map_or_else(
        || is_mark(system, track),
        |declared| declared.counts == Direction::Up,
    )
}

/// Whether a step tells how a track moved, and not what a step of the arithmetic left.
fn is_of_track(system: &System, call: &DamageCall, wound: &DamageResult, step: &Step) -> bool {
    let named = call
        .track
        .as_ref()
        .is_some_and(|track| same(track, &step.step));
    wound
        .consequences
        .moved
        .iter()
        .any(|(_, is)| is.name == step.step)
        && (named || !is_mark(system, &step.step))
}

/// The steps come to the amount, to the point; healing that nothing could use is reported as what
/// is past the end.
pub fn adds_up(system: &System, call: &DamageCall, wound: &DamageResult) {
    let sign = wound.event.amount.signum();
    let points = |step: &Step| match step.step.as_str() {
        PAST | "the larger is kept" => sign * (step.before - step.after),
        _ if is_of_track(system, call, wound, step) => sign * (step.before - step.after).abs(),
        _ => step.before - step.after,
    };
    let taken: i64 = wound.event.steps.iter().map(points).sum();
    assert_eq!(taken, wound.event.amount, "{:?}", wound.event.steps);
    for step in wound
        .event
        .steps
        .iter()
        .filter(|step| is_of_track(system, call, wound, step))
    {
        let (was, _) = wound
            .consequences
            .moved
            .iter()
            .find(|(was, _)| was.name == step.step)
            .expect("a track");
        assert_eq!(
            was.value, step.before,
            "a track's step begins where the track stood"
        );
    }
}

/// A hit makes nothing better and healing makes nothing worse, but for what a trigger of the rules
/// does to a track.
pub fn goes_one_way(system: &System, call: &DamageCall, wound: &DamageResult) {
    let fired = || {
        system
            .triggers
            .iter()
            .filter(|trigger| wound.event.triggers.contains(&trigger.text))
    };
    let is_moved_on = |track: &str| {
        fired()
            .flat_map(|trigger| &trigger.effects)
            .any(|effect| moves(system, effect, track))
    };
    let heals = wound.event.amount < 0;
    for (was, is) in wound
        .consequences
        .moved
        .iter()
        .filter(|(_, is)| !is_moved_on(&is.name))
    {
        let worse = if fills_up(system, &is.name) {
            is.value - was.value
        } else {
            was.value - is.value
        };
        assert!(
            if heals { worse <= 0 } else { worse >= 0 },
            "{call:?} moved {was:?} to {}",
            is.value
        );
    }
}

/// The words for halving, and half of a number.
fn half(system: &System, whole: i64) -> (&'static str, i64) {
    match system.halving_up {
        true => ("half, rounded up", whole - whole / 2),
        false => ("half, rounded down", whole / 2),
    }
}

/// Whether a step is the call's `half` or `twice`.
fn is_of_measure(step: &Step) -> bool {
    ["half, rounded up", "half, rounded down", "twice"].contains(&step.step.as_str())
}

/// What is in the way of a hit of one kind takes what the rules say, in their order, worked out
/// once more.
pub fn defended(system: &System, call: &DamageCall, wound: &DamageResult, before: &State) {
    let amount = wound.event.amount;
    if !call.parts.is_empty() || call.track.is_some() || amount < 1 {
        return;
    }
    let (step, whole) = match call.measure {
        Measure::Once => (None, amount),
        Measure::Half => (Some(half(system, amount).0), half(system, amount).1),
        Measure::Twice => (Some("twice"), amount * 2),
    };
    let measured = wound.event.steps.iter().find(|step| is_of_measure(step));
    assert_eq!(
        measured.map(|found| (found.step.as_str(), found.after)),
        step.map(|step| (step, whole))
    );
    let sheet = Sheet::of(system, before, wound.event.subject.id);
    let is_bypassed = |name: &str| call.bypass.iter().any(|bypassed| same(bypassed, name));
    let mut left = whole;
    let mut steps = Vec::new();
    for defence in system
        .defences
        .iter()
        .filter(|defence| !is_bypassed(&defence.rule.name))
    {
        let after = left_by(defence, sheet, call.damage_type.as_deref(), left);
        if after != left {
            steps.push((defence.rule.name.as_str(), left, after));
        }
        left = after;
    }
    let taken_off = wound.event.steps.iter().filter_map(|step| {
        let (name, _) = step.step.split_once(": ")?;
        let (name, _) = name.split_once(" (").unwrap_or((name, ""));
        Some((name, step.before, step.after))
    });
    assert_eq!(
        taken_off.collect::<Vec<_>>(),
        steps,
        "{:?}",
        wound.event.steps
    );
    assert_eq!(came_through(wound), left, "{:?}", wound.event.steps);
}

/// What a defence leaves of so many points of one kind.
fn left_by(defence: &Defence, sheet: Sheet<'_>, kind: Option<&str>, left: i64) -> i64 {
    let is_one =
        |all: &[String]| kind.is_some_and(|kind| all.iter().any(|defence| same(defence, kind)));
    let is_of_kind = (defence.rule.from.is_empty() || is_one(&defence.rule.from))
        && !is_one(&defence.rule.except);
    let against = sheet
        .state
        .tracks_of(sheet.id)
        .filter(|track| is_against(&track.name, &defence.rule.name, kind));
    let has = against
        .map(|track| track.value)
        .max()
        .or_else(|| sheet.value(&defence.rule.name))
        .unwrap_or(0);
    if !is_of_kind || !defence.rule.for_all && has < 1 {
        return left;
    }
    let number = |formula: &Formula| {
        let bound = formula.bind(&mut |name| match !defence.rule.for_all
            && same(name, &defence.rule.name)
        {
            true => Some(has),
            false => sheet.value(name),
        });
        bound
            .expect("its names are on the sheet")
            .constant()
            .expect("no dice")
    };
    let after = match &defence.rule.does {
        Against::Subtract(amount) => left - number(amount).clamp(0, left),
        Against::Half => half(sheet.system, left).1,
        Against::Double => left * 2,
        Against::None => 0,
        Against::IgnoreUnder(most) if left < number(most) => 0,
        Against::IgnoreUnder(_) => return left,
        Against::Times(factor) => {
            let rounded = if sheet.system.halving_up {
                "ceil"
            } else {
                "floor"
            };
            number(&parse_formula(&format!("{rounded}(({factor}) * {left})")).expect("a formula"))
                .max(0)
        }
    };
    let least = defence.rule.least.as_ref().map_or(0, number);
    after.max(left.min(least))
}

/// Whether a name on the sheet counts against damage of this kind: `Resistance (cold, fire)`.
fn is_against(track: &str, name: &str, kind: Option<&str>) -> bool {
    let Some((bare, types)) = track.split_once(" (") else {
        return same(track, name);
    };
    let is_of = |kind: &str| {
        types
            .trim_end_matches(')')
            .split(", ")
            .any(|part| part == kind)
    };
    same(bare, name) && kind.is_some_and(is_of)
}

/// What came through the call's measure and what stood in the way, as it was reported.
fn came_through(wound: &DamageResult) -> i64 {
    let off = wound
        .event
        .steps
        .iter()
        .filter(|step| is_of_measure(step) || step.step.contains(": "));
    wound.event.amount - off.map(|step| step.before - step.after).sum::<i64>()
}

/// Hit points of a character who has them though no rule does: a foe's, which take all damage.
fn points_of_a_foe(sheet: Sheet<'_>) -> Option<&Track> {
    let is_declared = sheet
        .system
        .tracks
        .iter()
        .any(|track| same(&track.name, "Hit points"));
    sheet.track("Hit points").filter(|_| !is_declared)
}

/// What the rules take such a damage from, where the call names none of it else.
fn line<'s>(system: &'s System, call: &DamageCall) -> Option<&'s DamageLine> {
    let is_of = |line: &&DamageLine| match (&line.kind, &call.damage_type) {
        (Some(line), Some(kind)) => same(line, kind),
        _ => false,
    };
    let first = system
        .damage
        .iter()
        .find(is_of)
        .or_else(|| system.damage.iter().find(|line| line.kind.is_none()));
    let has = |line: &&DamageLine| {
        let named = |track: &String| line.stages.iter().flatten().any(|line| same(line, track));
        call.track.as_ref().is_none_or(named)
    };
    first.into_iter().chain(&system.damage).find(has)
}

/// Whether a hit falls on what shows how a character is, and not on a track beside it.
fn is_on_health(call: &DamageCall, sheet: Sheet<'_>) -> bool {
    let is_own =
        |track: &String| points_of_a_foe(sheet).is_some_and(|points| same(&points.name, track));
    line(sheet.system, call).is_some() || call.track.as_ref().is_none_or(is_own)
}

/// The points of the steps of this name.
fn sum_of_steps(wound: &DamageResult, step: &str) -> i64 {
    wound
        .event
        .steps
        .iter()
        .filter(|taken| taken.step == step)
        .map(|taken| taken.before)
        .sum()
}

/// Whether points that find no room on a track do something.
fn has_over(system: &System, track: &str) -> bool {
    let is_over = |trigger: &Trigger| matches!(&trigger.when, TriggerWhen::Over { track: trigger } if same(trigger, track));
    system.triggers.iter().any(is_over)
}

/// A hit sets off each trigger that waits for such a hit exactly once, and no other.
pub fn sets_off(system: &System, call: &DamageCall, wound: &DamageResult, before: &State) {
    let event = &wound.event;
    let sheet = Sheet::of(system, before, event.subject.id);
    let is_hit = event.amount > 0 && is_on_health(call, sheet);
    let hit = if is_hit { came_through(wound) } else { 0 };
    let past = if is_hit { sum_of_steps(wound, PAST) } else { 0 };
    let has_step = |step: &str| event.steps.iter().any(|taken| taken.step == step);
    let lies = |number: i64, range: &Range, hit: i64| {
        let lies = Sheet {
            hit: Some(hit),
            ..sheet
        }
        .lies(number, range);
        hit > 0 && lies.expect("its names are on the sheet")
    };
    let had_to = |trigger: &Trigger| match &trigger.when {
        TriggerWhen::OneHit(range) => Some(lies(hit, range, hit)),
        TriggerWhen::DamageAt { track, range } => Some(
            sheet
                .track(track)
                .is_some_and(|trigger| lies(trigger.value, range, hit)),
        ),
        TriggerWhen::LeftOver(range) => Some(lies(past, range, past)),
        TriggerWhen::NotSoaked => Some(has_step("nothing soaks it")),
        TriggerWhen::Over { track } if has_step(&format!("over {track}")) => Some(true),
        TriggerWhen::Over { track } => {
            let mut effects = system.triggers.iter().flat_map(|trigger| &trigger.effects);
            (!effects.any(|trigger| moves(system, trigger, track))).then_some(false)
        }
        TriggerWhen::At { .. }
        | TriggerWhen::Holds(_)
        | TriggerWhen::Rest(_)
        | TriggerWhen::EndOf(_)
        | TriggerWhen::Round
        | TriggerWhen::Each(_) => None,
    };
    for trigger in &system.triggers {
        once(system, trigger, &event.triggers, &had_to);
    }
}

/// A hit takes from each track what it has, in the order of the rules, what the call names first in
/// its stage; points that are given stand where the rules name them, and only whom they were given
/// to has any. What is left is reported, and nothing else is.
pub fn falls(system: &System, call: &DamageCall, wound: &DamageResult, before: &State) {
    let event = &wound.event;
    let sheet = Sheet::of(system, before, event.subject.id);
    let moves_first = |trigger: &Trigger| {
        let is_on_hits = matches!(
            trigger.when,
            TriggerWhen::OneHit(_) | TriggerWhen::DamageAt { .. }
        );
        is_on_hits
            && event.triggers.contains(&trigger.text)
            && trigger
                .effects
                .iter()
                .any(|trigger| trigger.track().is_some())
    };
    if event.amount < 1 || system.triggers.iter().any(moves_first) {
        return;
    }
    let room = |track: &Track| match fills_up(system, &track.name) {
        true => track.max.map_or(i64::MAX, |max| (max - track.value).max(0)),
        false => (track.value - track.min).max(0),
    };
    let points = points_of_a_foe(sheet).filter(|_| call.track.is_none());
    let mut order: Vec<&Track> = Vec::new();
    match (line(system, call).filter(|_| points.is_none()), &call.track) {
        (Some(line), track) => {
            if line
                .stages
                .iter()
                .flatten()
                .any(|name| system.soaks.iter().any(|points| same(&points.name, name)))
            {
                return;
            }
            for stage in &line.stages {
                let mut open: Vec<&Track> =
                    stage.iter().filter_map(|name| sheet.track(name)).collect();
                open.retain(|points| room(points) > 0 || has_over(system, &points.name));
                open.sort_by_key(|points| {
                    !track
                        .as_ref()
                        .is_some_and(|track| same(&points.name, track))
                });
                order.extend(open);
            }
        }
        (None, Some(track)) => order.extend(sheet.track(track)),
        (None, None) => order.extend(points),
    }
    let is_alone = points.is_some() || line(system, call).is_none();
    if is_alone && order.is_empty() {
        return;
    }
    let mut left = came_through(wound);
    let mut steps = Vec::new();
    for track in order {
        if left == 0 && !is_alone {
            break;
        }
        let taken = left.min(room(track));
        let after = if fills_up(system, &track.name) {
            track.value + taken
        } else {
            track.value - taken
        };
        steps.push((track.name.as_str(), track.value, after));
        left = if has_over(system, &track.name) {
            0
        } else {
            left - taken
        };
    }
    let moved = event
        .steps
        .iter()
        .filter(|points| is_of_track(system, call, wound, points));
    let mut moved: Vec<(&str, i64, i64)> = moved
        .map(|points| (points.step.as_str(), points.before, points.after))
        .collect();
    // One that has no room may be named all the same.
    moved.retain(|(_, before, after)| before != after);
    steps.retain(|(_, before, after)| before != after);
    assert_eq!(moved, steps, "{:?}", event.steps);
    let nowhere =
        line(system, call).is_some_and(|points| points.stages.is_empty()) && points.is_none();
    let end = if nowhere { "no track takes it" } else { PAST };
    assert_eq!(sum_of_steps(wound, end), left, "{:?}", event.steps);
}
