//! Clocks and shared tracks: made, moved, shown, hidden, done with; and what the rules make of it.

use crate::decide::damage::{self, Due, apply_clock_effects};
use crate::limits::{self, LIMITS};
use crate::mechanics::clocks::{self, COMPANY};
use crate::mechanics::{health::Vitality, lookup, several, tracks::moved};
use crate::record::change::{Change, Images};
use crate::record::entry::{Entry, Visibility};
use crate::record::event::{ClockAct, ClockEvent, Event};
use crate::record::state::{Character, Clock, State};
use crate::refusal::{Code, Detail, Refusal, Result};
use crate::table::{Draft, SharedMove, Table};
use crate::view::{secrets, visibility::sheet_visibility};
use rollbook_rules::{Act, Effect, Facts, GAME_TIME, Move, Trigger, TriggerWhen};
use rollbook_text::diagnostic::Place;
use rollbook_text::names::{fold, quoted, same, suggest};
use std::collections::{BTreeMap, HashSet};

/// What the caller asked for.
#[derive(Debug, Default, Clone)]
pub struct ClockCall {
    pub name: String,
    /// Makes it.
    pub segments: Option<i64>,
    /// How far its number goes up, or down where it is below 0.
    pub tick: Option<i64>,
    /// The number that it gets.
    pub value: Option<i64>,
    /// Who sees it from now on: `Public` or `Gm`.
    pub visibility: Option<Visibility>,
    /// Takes it off the lists.
    pub done: bool,
    pub reason: Option<String>,
    /// The parameter in which the reason was sent.
    pub reason_parameter: &'static str,
    /// The entry whose roll decided how far it moves.
    pub roll: Option<u64>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Cause {
    pub reason: Option<String>,
    /// The entry whose roll decided how far.
    pub roll: Option<u64>,
    /// The line of the rules that moves it.
    pub place: Option<Place>,
    /// Who sees the move of a clock that players see.
    pub seen: Visibility,
}

/// A clock before and after a call; before is none of one that was made.
#[derive(Debug, Clone)]
pub struct ClockMove {
    pub before: Option<Clock>,
    pub after: Clock,
    /// The texts of the triggers that fired, of those that they moved, too.
    pub triggers: Vec<String>,
}

/// Does all that the call says to one clock, and logs each part as an entry.
/// Refused: when it would change nothing, or the name means no clock or several.
pub fn decide(table: &mut Table, call: &ClockCall) -> Result<ClockMove> {
    check_call(call)?;
    let before = find(table, call)?;
    // One that is made anew is seen by those who saw it.
    let old = clocks::all(table.state, table.system())
        .into_iter()
        .find(|clock| same(&clock.name, &call.name));
    let known = before.as_ref().or(old.as_ref());
    let was_hidden = known.is_some_and(|known| known.hidden);
    let visibility = call.visibility.unwrap_or(if was_hidden {
        Visibility::Gm
    } else {
        Visibility::Public
    });
    let texts = [
        ("name", Some(&call.name)),
        (call.reason_parameter, call.reason.as_ref()),
    ];
    for (parameter, text) in texts.into_iter().filter(|_| !table.is_player) {
        let (text, named) = (
            text.map(String::as_str),
            known.map(|known| known.name.as_str()),
        );
        secrets::check_text(
            table.state,
            table.system(),
            visibility,
            parameter,
            text,
            named,
        )?;
    }
    let hidden = visibility == Visibility::Gm;
    let cause = Cause {
        reason: call.reason.clone(),
        roll: call.roll,
        ..Cause::default()
    };
    let mut triggers = Vec::new();
    let mut clock = match before.clone() {
        None => make(table, call, hidden, &cause)?,
        Some(clock) => {
            let value = call
                .value
                .or_else(|| call.tick.map(|tick| clock.value.saturating_add(tick)));
            let target = value.map(|value| within_ends(table, &clock, value));
            check_changes(&clock, call, target, hidden)?;
            let target = target.filter(|target| *target != clock.value);
            let mut after = Clock {
                hidden,
                ..clock.clone()
            };
            if after != clock {
                // The reason is that of the move, where there is one.
                let cause = Cause {
                    reason: call.reason.clone().filter(|_| target.is_none()),
                    ..Cause::default()
                };
                let act = if hidden {
                    ClockAct::Hidden
                } else {
                    ClockAct::Revealed
                };
                log(table, (clock.value, &after), act, &cause, &[]);
            }
            if let Some(target) = target {
                triggers = move_to(table, &after, target, &cause);
                after.value = target;
            }
            after
        }
    };
    // A trigger may have moved it on.
    let now = |table: &Table, clock: Clock| {
        table
            .state
            .clocks
            .get(&clock.name)
            .cloned()
            .unwrap_or(clock)
    };
    if call.done {
        let reason = call
            .reason
            .clone()
            .filter(|_| table.call_entries().next().is_none());
        clock = Clock {
            closed: true,
            ..now(table, clock)
        };
        log(
            table,
            (clock.value, &clock),
            ClockAct::Closed,
            &Cause {
                reason,
                ..Cause::default()
            },
            &[],
        );
    }
    Ok(ClockMove {
        before,
        after: now(table, clock),
        triggers,
    })
}

fn check_call(call: &ClockCall) -> Result<()> {
    limits::name("name", &call.name)?;
    limits::number("tick", call.tick.unwrap_or(0))?;
    limits::number("value", call.value.unwrap_or(0))?;
    let reason = call.reason.as_ref();
    reason.map_or(Ok(()), |reason| {
        limits::text(call.reason_parameter, reason, LIMITS.context)
    })?;
    if let Some(segments) = call
        .segments
        .filter(|segment| !(1..=LIMITS.number).contains(segment))
    {
        let valid_range = format!("1 to {}", LIMITS.number);
        let summary = format!("segments: {segments}; a clock has {valid_range}. Send segments=6.");
        let detail = Detail {
            parameter: "segments".to_owned(),
            issue: segments.to_string(),
            valid_range,
        };
        return Err(Refusal::new(Code::LimitExceeded, summary).details(vec![detail]));
    }
    if call.tick.is_some() && call.value.is_some() {
        let summary = "tick moves the clock from where it is, value sets it. Send one of the two.";
        return Err(Refusal::new(Code::InvalidParameters, summary));
    }
    Ok(())
}

fn find(table: &Table, call: &ClockCall) -> Result<Option<Clock>> {
    let (state, system) = (&*table.state, table.system());
    let open = clocks::open(state, system);
    if let Some(segments) = call.segments {
        let Some(clock) = open.iter().find(|clock| same(&clock.name, &call.name)) else {
            return Ok(None);
        };
        let summary = format!(
            "{0} is there already, at {1}. Send tick=1 to move it; done=true takes it away, and then name=\"{0}\" segments={segments} makes \
             it anew.",
            clock.name,
            clock.render_value()
        );
        return Err(
            Refusal::new(Code::DuplicateName, summary).did_you_mean(vec![clock.name.clone()])
        );
    }
    let names: Vec<String> = open.iter().map(|clock| clock.name.clone()).collect();
    let found = clocks::named(open, &call.name);
    if let Some(clock) = lookup::one("name", &call.name, found, |clock| clock.name)? {
        return Ok(Some(clock));
    }
    let suggestions = suggest(&call.name, names.iter().map(String::as_str));
    let known = match (suggestions.first(), names.is_empty()) {
        (Some(first), _) => format!(
            " Near: {}. Send name=\"{first}\", or",
            suggestions.join(", ")
        ),
        (None, false) => format!(" There are {}. Send one of these, or", names.join(", ")),
        (None, true) => " Send".to_owned(),
    };
    let name = quoted(&call.name);
    let summary =
        format!("No clock and no shared track is called \"{name}\".{known} segments=6 to make it.");
    Err(Refusal::new(Code::UnknownTrack, summary).did_you_mean(suggestions))
}

/// A number beyond an end goes as far as that end, and the reply says so.
fn within_ends(table: &mut Table, clock: &Clock, value: i64) -> i64 {
    let nearest = clocks::nearest(clock, value);
    let end = if value > nearest {
        "no higher"
    } else {
        "no lower"
    };
    let note = || {
        format!(
            "{} goes {end} than {nearest}, so {value} is taken as {nearest}",
            clock.name
        )
    };
    table.note((nearest != value).then(note));
    nearest
}

fn check_changes(clock: &Clock, call: &ClockCall, target: Option<i64>, hidden: bool) -> Result<()> {
    if target.is_some_and(|target| target != clock.value) || call.done || clock.hidden != hidden {
        return Ok(());
    }
    let (name, value) = (&clock.name, clock.render_value());
    let summary = match (target, call.visibility) {
        (Some(_), _) => {
            let least = clock.min;
            let ends = clock.max.map_or(format!("no lower than {least}"), |max| {
                format!("from {least} to {max}")
            });
            format!("{name} is at {value} already and goes {ends}. Send another number.")
        }
        (None, Some(_)) if hidden => format!("{name} is hidden from players already."),
        (None, Some(_)) => format!("Players see {name} already."),
        (None, None) => format!(
            "{name} is at {value}. Send tick=1 to move it, value=2 to set it, visibility=\"gm\" or \"public\", or done=true."
        ),
    };
    Err(Refusal::new(Code::NoEffect, summary))
}

/// Makes one in play, empty; one that begins full is used up, like supplies. One that the rules
/// know, too, goes their way.
fn make(table: &mut Table, call: &ClockCall, hidden: bool, cause: &Cause) -> Result<Clock> {
    let max = call.segments.unwrap_or_default();
    let name = call.name.trim().to_owned();
    let state = &*table.state;
    if same(&name, GAME_TIME) {
        let summary = format!(
            "{GAME_TIME} is what the game itself counts. manage_session action=\"advance\" time=\"2 hours\" lets it pass; send another name for \
             the clock."
        );
        return Err(Refusal::new(Code::DuplicateName, summary));
    }
    if lookup::by_name(state, &name).is_some()
        || same(&name, COMPANY)
        || several::is_side(state, &name)
    {
        let summary = format!(
            "\"{}\" is the name of somebody here. Send another name for the clock.",
            quoted(&name)
        );
        return Err(Refusal::new(Code::DuplicateName, summary));
    }
    let old = clocks::all(state, table.system())
        .into_iter()
        .find(|clock| same(&clock.name, &name));
    limits::count(
        "clocks of a campaign",
        state.clocks.len() + usize::from(old.is_none()),
        LIMITS.campaign_clocks,
    )?;
    let rules = clocks::clock_of_rules(table.system(), &name);
    let begins = if rules.as_ref().is_some_and(|rule| rule.down) {
        max
    } else {
        0
    };
    // One that was done with keeps its spelling, so that it is the same row.
    let name = old.map_or(name, |clock| clock.name);
    let clock = Clock {
        name,
        value: begins,
        min: 0,
        max: Some(max),
        down: false,
        hidden,
        closed: false,
    };
    let value = call
        .value
        .or(call.tick)
        .map_or(begins, |value| within_ends(table, &clock, value));
    let clock = Clock {
        value,
        down: rules.map_or(value == max, |rule| rule.down),
        ..clock
    };
    log(table, (clock.value, &clock), ClockAct::Made, cause, &[]);
    Ok(clock)
}

/// Logs one act, before which its number was `from`, for those who see the clock.
fn log(
    table: &mut Table,
    (from, after): (i64, &Clock),
    act: ClockAct,
    cause: &Cause,
    fired: &[&Trigger],
) {
    // One that the rules declare has no row before its first change.
    let before = table.state.clocks.get(&after.name).cloned();
    let event = ClockEvent {
        name: after.name.clone(),
        act,
        from,
        to: after.value,
        max: after.max,
        end: after
            .end()
            .filter(|_| act == ClockAct::Moved)
            .map(str::to_owned),
        triggers: fired.iter().map(|trigger| trigger.text.clone()).collect(),
        reason: cause.reason.clone(),
        roll: cause.roll,
    };
    let rule = fired
        .last()
        .map(|trigger| &trigger.place)
        .or(cause.place.as_ref())
        .map(ToString::to_string);
    let visibility = if after.hidden {
        Visibility::Gm
    } else {
        cause.seen
    };
    let changes = vec![Change::Clock(Images {
        before,
        after: Some(after.clone()),
    })];
    table.log(Draft {
        visibility,
        rule,
        ..Draft::new("gm", Event::Clock(event), changes)
    });
}

/// Moves one, with what the rules bring about; returns the texts of the triggers that fired.
fn move_to(table: &mut Table, clock: &Clock, value: i64, cause: &Cause) -> Vec<String> {
    let mut moves = Moves {
        fired: HashSet::new(),
        triggers: Vec::new(),
        waiting: Vec::new(),
        seen: cause.seen,
    };
    moves.one(table, clock, value, cause);
    let cause = Cause {
        seen: cause.seen,
        ..Cause::default()
    };
    while let Some(effect) = moves.waiting.pop() {
        if let Some((clock, value)) = moved_by(table, effect, amount_of(table, effect)) {
            moves.one(table, &clock, value, &cause);
        }
    }
    moves.triggers
}

/// Moves what all share by an effect whose number is known; returns whether anything moved.
pub fn apply_effect(
    table: &mut Table,
    (effect, amount): (&Effect, i64),
    reason: String,
    seen: Visibility,
) -> bool {
    let moved = moved_by(table, effect, amount);
    if let Some((clock, value)) = &moved {
        let cause = Cause {
            reason: Some(reason),
            place: Some(effect.place.clone()),
            seen,
            roll: None,
        };
        move_to(table, clock, *value, &cause);
    }
    moved.is_some()
}

/// Moves what all share as far as what happened to people in this call says so. What that brings
/// about may leave more, and no call goes on for ever.
pub fn move_left(table: &mut Table) {
    for _ in 0..ROUNDS_MAX {
        for SharedMove {
            effect,
            amount,
            reason,
            seen,
        } in std::mem::take(&mut table.shared_moves)
        {
            apply_effect(table, (&effect, amount), reason, seen);
        }
    }
}

/// Times that what all share moves what people have and that moves what all share again.
const ROUNDS_MAX: usize = 4;

/// What the rules do so many times as time passes. Refused: when a number for it is missing.
pub fn pass(table: &mut Table, passing: &Trigger, times: i64, reason: &str) -> Result<()> {
    for effect in &passing.effects {
        if effect.shared {
            let by = matches!(effect.act, Act::Move(_, Move::By(..)));
            let amount = amount_of(table, effect).saturating_mul(if by { times } else { 1 });
            apply_effect(
                table,
                (effect, amount),
                reason.to_owned(),
                Visibility::Public,
            );
            continue;
        }
        let (rounds, each) = if effect.is_rolled() {
            (times.min(ROLLED_MAX), 1)
        } else {
            (1, times)
        };
        let living =
            |who: &&Character| who.is_in_party() && !Vitality::of(table.state, who.id).is_dead();
        let party: Vec<Character> = table
            .state
            .characters
            .values()
            .filter(living)
            .cloned()
            .collect();
        for who in party {
            let visibility = sheet_visibility(table.state, &who);
            for _ in 0..rounds {
                let due = Due {
                    effect,
                    given: &BTreeMap::new(),
                    times: each,
                };
                damage::apply_effect(table, &who, due, reason.to_owned(), visibility)?;
            }
        }
    }
    Ok(())
}

/// Times that the dice of one line about time are thrown for one person as time passes at once.
const ROLLED_MAX: i64 = 20;

/// What a rest does to clocks and to what all share.
pub fn rest(table: &mut Table, rest: &Trigger) {
    for effect in rest.effects.iter().filter(|effect| effect.shared) {
        let amount = amount_of(table, effect);
        apply_effect(
            table,
            (effect, amount),
            rest.label.clone(),
            Visibility::Public,
        );
    }
}

/// The number of an effect on what all share: names in it are theirs. 0 where one has none.
fn amount_of(table: &Table, effect: &Effect) -> i64 {
    let value =
        |name: &str| clocks::open_one(table.state, table.system(), name).map(|clock| clock.value);
    effect
        .amount
        .as_ref()
        .and_then(|amount| amount.bind(&mut |name| value(name)).ok()?.constant())
        .unwrap_or(0)
}

/// A clock that goes back to where it was, since the roll that moved it is followed.
pub struct Rewind {
    pub name: String,
    /// Where it was before.
    pub value: i64,
    /// Where it was left.
    pub left: i64,
}

/// The clocks that moved in these entries, each from where it was before the first of them.
pub fn moved_in<'e>(entries: impl Iterator<Item = &'e Entry>) -> Vec<Rewind> {
    let mut moved: Vec<Rewind> = Vec::new();
    for entry in entries {
        let Event::Clock(
            event @ ClockEvent {
                act: ClockAct::Moved,
                ..
            },
        ) = &entry.event
        else {
            continue;
        };
        match moved.iter_mut().find(|moved| moved.name == event.name) {
            Some(moved) => moved.left = event.to,
            None => moved.push(Rewind {
                name: event.name.clone(),
                value: event.from,
                left: event.to,
            }),
        }
    }
    moved
}

impl Rewind {
    /// Whether it is still where it was left.
    pub fn is_as_left(&self, state: &State) -> bool {
        state
            .clocks
            .get(&self.name)
            .is_some_and(|now| now.value == self.left && !now.closed)
    }
}

/// Sets it back and logs that. The caller reverses what followed from it.
pub fn rewind(table: &mut Table, back: &Rewind, seen: Visibility) {
    let Some(clock) = table.state.clocks.get(&back.name).cloned() else {
        return;
    };
    let (from, after) = (
        clock.value,
        Clock {
            value: back.value,
            ..clock
        },
    );
    log(
        table,
        (from, &after),
        ClockAct::TakenBack,
        &Cause {
            seen,
            ..Cause::default()
        },
        &[],
    );
}
fn moved_by(table: &Table, effect: &Effect, amount: i64) -> Option<(Clock, i64)> {
    let (rules, Act::Move(_, step)) = (table.system().company.as_deref()?, &effect.act) else {
        return None;
    };
    let track = effect.track()?;
    let clock = clocks::open_one(table.state, table.system(), track)?;
    let vitality = Vitality::of_shared(clocks::as_track(&clock));
    let (_, to) = moved(&vitality, rules, (track, step), amount, None)
        .rows
        .into_iter()
        .next()?;
    let value = clocks::nearest(&clock, to.value);
    (value != clock.value).then_some((clock, value))
}

/// The moves of one call. No trigger fires twice, so the rules cannot loop.
struct Moves<'r> {
    /// The places of the triggers that fired.
    fired: HashSet<String>,
    triggers: Vec<String>,
    /// What is still to be carried out, the next one last: chains may be a thousand long.
    waiting: Vec<&'r Effect>,
    seen: Visibility,
}

impl<'r> Moves<'r> {
    fn one(&mut self, table: &mut Table<'r>, clock: &Clock, value: i64, cause: &Cause) {
        let after = Clock {
            value,
            ..clock.clone()
        };
        let rules = table.system().company.as_deref();
        // By what a trigger is known that fired already.
        let key = |trigger: &Trigger| format!("{} {}", trigger.place, trigger.label);
        let (mut fired, mut left): (Vec<&'r Trigger>, Vec<&Trigger>) = (Vec::new(), Vec::new());
        let all = rules
            .into_iter()
            .flat_map(|rules| &rules.triggers)
            .filter(|trigger| trigger.watches(&clock.name));
        for trigger in all {
            match (
                is_met(table, trigger, clock),
                is_met(table, trigger, &after),
            ) {
                (false, true) if !self.fired.contains(&key(trigger)) => fired.push(trigger),
                (true, false) if !trigger.moves(&clock.name) => left.push(trigger),
                _ => {}
            }
        }
        // In the order in which the numbers are passed.
        fired.sort_by_key(|trigger| passed_at(trigger, clock, &after));
        self.fired.extend(fired.iter().map(|trigger| key(trigger)));
        self.triggers
            .extend(fired.iter().map(|trigger| trigger.text.clone()));
        log(table, (clock.value, &after), ClockAct::Moved, cause, &fired);
        left.into_iter()
            .for_each(|left| self.apply_to_party(table, &after, left, &[]));
        for fired in &fired {
            let effects: Vec<&Effect> = fired
                .effects
                .iter()
                .filter(|effect| !effect.shared)
                .collect();
            if !effects.is_empty() {
                self.apply_to_party(table, &after, fired, &effects);
            }
        }
        self.waiting.extend(
            fired
                .iter()
                .flat_map(|trigger| &trigger.effects)
                .filter(|effect| effect.shared)
                .rev(),
        );
    }

    /// Applies a trigger's effects to the whole party; without any, ends what it began.
    fn apply_to_party(
        &self,
        table: &mut Table,
        clock: &Clock,
        trigger: &Trigger,
        effects: &[&Effect],
    ) {
        let party: Vec<Character> = table
            .state
            .characters
            .values()
            .filter(|who| who.is_in_party())
            .cloned()
            .collect();
        for who in party {
            let visibility = match sheet_visibility(table.state, &who) {
                _ if clock.hidden => Visibility::Gm,
                Visibility::Public => self.seen,
                seen @ (Visibility::Gm | Visibility::Blind | Visibility::OutcomeOnly) => seen,
            };
            apply_clock_effects(table, &who, (clock, trigger), effects, visibility);
        }
    }
}

/// Whether a clock is in a trigger's range. Names in the range are those of what all share.
fn is_met(table: &Table, trigger: &Trigger, clock: &Clock) -> bool {
    let TriggerWhen::At { range, .. } = &trigger.when else {
        return false;
    };
    let mut facts = Facts::default();
    for (name, default) in range.variables() {
        let bare = fold(&name);
        let value = match bare.strip_suffix(" max") {
            Some(track) if same(track, &clock.name) => clock.max,
            _ if same(&name, &clock.name) => Some(clock.value),
            _ => clocks::open_one(table.state, table.system(), &name)
                .map(|clock| clock.value)
                .or(default),
        };
        value.and_then(|value| facts.values.insert(bare, value));
    }
    range.holds(clock.value.into(), &facts).unwrap_or(false)
}
fn passed_at(trigger: &Trigger, from: &Clock, to: &Clock) -> u64 {
    let TriggerWhen::At { range, .. } = &trigger.when else {
        return 0;
    };
    let end = to.max.unwrap_or(i64::MAX);
    let (low, high) = range.whole_numbers(&Facts::default()).unwrap_or((end, end));
    if from.value < to.value {
        low.abs_diff(from.value)
    } else {
        high.abs_diff(from.value)
    }
}
