//! Rests and the ends of scenes and sessions: what the rules do then, and the conditions that end.

use crate::decide::damage::{self, Due};
use crate::decide::{clock, time};
use crate::mechanics::threshold::{By, Consequences};
use crate::mechanics::tracks::{RenewedAt, render_value, renewals};
use crate::mechanics::{duration, effects, health::Vitality, lookup};
use crate::record::entry::Visibility;
use crate::record::event::{Event, Field, Rested};
use crate::record::state::{Character, Combatant, Condition, State, Track, Until};
use crate::refusal::{Code, Refusal, Result};
use crate::table::{Draft, Table};
use crate::view::visibility::{hides_only_causes, sheet_visibility};
use rollbook_rules::{Act, Effect, End, Rest, System, Trigger, TriggerWhen, span_words};
use rollbook_text::diagnostic::{Place, Span};
use rollbook_text::names::{quoted, same, suggest};
use std::collections::BTreeMap;

/// A rest of one character, or of everybody living in the party; one entry each.
pub fn rest(table: &mut Table, who: Option<&str>, kind: Option<&str>) -> Result<()> {
    let rest = find_rest(table.system(), kind)?;
    let state = &*table.state;
    let party = || state.characters.values().filter(|who| who.is_in_party());
    let named = who
        .map(|who| lookup::participant(state, table.system(), "character", who))
        .transpose()?;
    let resting: Vec<Character> =
        named.map_or_else(|| party().cloned().collect(), |who| vec![who.clone()]);
    let is_dead = |who: &Character| Vitality::of(state, who.id).is_dead();
    let everybody =
        party().all(|who| is_dead(who) || resting.iter().any(|other| other.id == who.id));
    let (dead, living): (Vec<Character>, Vec<Character>) = resting.into_iter().partition(is_dead);
    if living.is_empty() {
        let summary = match dead.first() {
            Some(dead) => format!("{} is dead, and no rest mends that.", dead.name),
            None => "Nobody is here to rest. Send character=\"…\"; get_character list=true names everybody.".to_owned(),
        };
        return Err(Refusal::new(Code::TargetDead, summary));
    }
    check_no_fight(table, rest, &living)?;
    match rest.lasts() {
        Some(seconds) if everybody => time::pass(table, "gm", seconds, Some(rest.label.clone())),
        Some(seconds) => table.note([format!(
            "Not everybody rests, so no time passes. manage_session action=\"advance\" time=\"{}\" lets it.",
            span_words(seconds)
        )]),
        None => {}
    }
    living
        .iter()
        .try_for_each(|who| rest_one(table, who, rest, false))?;
    clock::rest(table, rest);
    Ok(())
}

/// Refuses a long rest of a character who is up in a fight that goes on.
fn check_no_fight(table: &Table, rest: &Trigger, living: &[Character]) -> Result<()> {
    let is_long =
        same(&rest.label, "Long rest") || rest.lasts().is_some_and(|seconds| seconds >= time::LONG);
    let Some(fight) = table.state.running_combat().filter(|_| is_long) else {
        return Ok(());
    };
    let fights = |member: &Combatant, who: &Character| {
        member.character == who.id && !member.defeated && !member.hidden
    };
    let is_up = |who: &&Character| {
        table
            .state
            .combatants_of(fight.id)
            .any(|member| fights(member, who))
    };
    let Some(who) = living.iter().find(is_up) else {
        return Ok(());
    };
    let summary = format!(
        "{} is in a fight that goes on, and {} ({}) is none that is taken there. Is it over? Send manage_combat action=\"end\" first; else \
         wait with the rest.",
        who.name, rest.label, rest.place
    );
    Err(Refusal::new(Code::CombatRunning, summary).at(rest.place.to_string()))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Closing {
    /// A round of a fight.
    Round,
    /// A fight, and the scene with it.
    Scene,
    Session,
}

/// Applies the rules for this end to the party and `others`; who does not change gets no entry.
pub(crate) fn close(table: &mut Table, closing: Closing, others: &[i64]) -> Result<()> {
    let ends: Vec<&Trigger> = rests_at_end(table.system(), closing).collect();
    if ends.is_empty() {
        return Ok(());
    }
    let is_meant =
        |who: &&Character| who.is_in_party() || (others.contains(&who.id) && !who.retired);
    let is_alive = |who: &&Character| !Vitality::of(table.state, who.id).is_dead();
    let living: Vec<Character> = table
        .state
        .characters
        .values()
        .filter(is_meant)
        .filter(is_alive)
        .cloned()
        .collect();
    for rest in ends {
        if let Some(seconds) = rest.lasts() {
            time::pass(table, "gm", seconds, Some(rest.label.clone()));
        }
        living
            .iter()
            .try_for_each(|who| rest_one(table, who, rest, true))?;
        clock::rest(table, rest);
    }
    Ok(())
}

/// The rests of the rules for this end that do anything; of a session all, since conditions end.
pub(crate) fn rests_at_end(system: &System, closing: Closing) -> impl Iterator<Item = &Trigger> {
    let ends: &[TriggerWhen] = match closing {
        Closing::Round => &[TriggerWhen::Round],
        Closing::Scene => &[
            TriggerWhen::EndOf(End::Scene),
            TriggerWhen::EndOf(End::Fight),
        ],
        Closing::Session => &[TriggerWhen::EndOf(End::Session)],
    };
    let happens = move |rest: &&Trigger| !rest.effects.is_empty() || closing == Closing::Session;
    system
        .rests
        .iter()
        .filter(happens)
        .filter(|rest| ends.contains(&rest.when))
}

/// What the end of a round does to a character by a condition that holds: `1d6 fire damage if
/// {Burning}`.
pub fn due_each_round(state: &State, system: &System, who: i64) -> Vec<String> {
    let rounds = rests_at_end(system, Closing::Round).flat_map(|round| &round.effects);
    let now = Consequences::new(state, who);
    let is_due = |effect: &&Effect| {
        let only_if = effect.only_if.as_ref();
        only_if.is_some_and(|when| now.holds(state, system, when, 0))
    };
    rounds
        .filter(is_due)
        .map(|effect| effect.text.clone())
        .collect()
}

/// Whether conditions end with it that last until the end of the scene.
pub(crate) fn ends_scene(rest: &Trigger) -> bool {
    rest.when == TriggerWhen::EndOf(End::Scene)
}

fn find_rest<'a>(system: &'a System, kind: Option<&str>) -> Result<&'a Trigger> {
    // One without effects only ends what lasts until then.
    let mut mending = system.rests.iter().filter(|rest| !rest.effects.is_empty());
    let found = match (kind, system.rests.as_slice()) {
        (Some(kind), _) => match system.find_by_words(System::rest, kind) {
            Err(unknown) if unknown.several => return Err(lookup::unknown(unknown, "kind", "")),
            found => found.ok(),
        },
        (None, [only]) => Some(only),
        (None, _) => mending.next().filter(|_| mending.next().is_none()),
    };
    found.ok_or_else(|| {
        let names: Vec<&str> = system.rests.iter().map(|rest| rest.label.as_str()).collect();
        let suggestions = kind.map_or_else(Vec::new, |kind| suggest(kind, names.iter().copied()));
        let known = names.join("\", or kind=\"");
        let summary = match kind {
            _ if names.is_empty() => {
                "The rules have no rest that mends anything. To heal, send apply_damage with a negative amount."
                    .to_owned()
            }
            Some(kind) => format!("The rules know no \"{}\". Send kind=\"{known}\".", quoted(kind)),
            None => format!("Which rest? Send kind=\"{known}\"."),
        };
        Refusal::new(Code::UnknownRest, summary).did_you_mean(suggestions)
    })
}

/// Gives a character back the uses that are due, with the dice that this takes.
pub(crate) fn renew(table: &mut Table, who: i64, (at, label): (RenewedAt, &str)) {
    let effects = renewals(table.state, who, at);
    let who = table.state.characters.get(&who);
    let Some(who) = who.filter(|_| !effects.is_empty()).cloned() else {
        return;
    };
    let renewal = Trigger {
        when: TriggerWhen::Round,
        label: label.to_owned(),
        effects,
        text: String::new(),
        tables: Vec::new(),
        place: Place::default(),
        span: Span::default(),
    };
    let refused = rest_one(table, &who, &renewal, true).err();
    table.note(refused.map(|refusal| refusal.summary));
}

/// One character's rest; `quiet`: no entry where nothing changes.
fn rest_one(table: &mut Table, who: &Character, rest: &Trigger, quiet: bool) -> Result<()> {
    let system = table.system();
    let mut consequences = Consequences::new(table.state, who.id);
    let mut rolls = Vec::new();
    let place = rest.place.to_string();
    let is_here = |effect: &&Effect| {
        !effect.shared && !matches!(effect.act, Act::Pass { .. } | Act::Damage { .. })
    };
    let is = |kind| rest.when == TriggerWhen::Rest(kind);
    let at = match () {
        () if is(Rest::Long) => Some(RenewedAt::LongRest),
        () => is(Rest::Short).then_some(RenewedAt::ShortRest),
    };
    let renewed = at.map_or_else(Vec::new, |at| renewals(table.state, who.id, at));
    for effect in rest.effects.iter().filter(is_here).chain(&renewed) {
        let amount =
            damage::rolled_amount(table, who, (effect, &BTreeMap::new(), "rest"), &mut rolls)?;
        consequences.apply(table.state, system, (effect, amount), By::rule(&place));
    }
    // What lasts until this rest, and where a scene ends with it, until then.
    let is_over = |row: &&Condition| match duration::ending(system, row) {
        Some(Until::Rest(until)) => same(&until, &rest.label),
        Some(Until::Scene) => ends_scene(rest),
        _ => false,
    };
    let over: Vec<Condition> = table
        .state
        .conditions_of(who.id)
        .filter(is_over)
        .cloned()
        .collect();
    over.into_iter()
        .for_each(|condition| consequences.end(table.state, system, condition));
    consequences.check_limits(table.state, system)?;
    let field = |(before, after): &(Track, Track)| Field {
        field: after.name.clone(),
        before: Some(render_value(before)),
        after: Some(render_value(after)),
    };
    let moved = consequences
        .moved
        .iter()
        .filter(|(before, after)| before != after);
    let mut fields: Vec<Field> = moved.map(field).collect();
    fields.extend(consequences.conditions_field(table.state));
    let is_silent = quiet && fields.is_empty() && rolls.is_empty();
    if !is_silent || consequences.changes_hidden() {
        let (triggers, shared) = (consequences.triggers.clone(), consequences.shared.clone());
        let since = table.next_id();
        let changes = consequences.into_changes(table.state, system, since);
        // Where only hidden effects change, players get no entry.
        let hidden = effects::of_hidden(table.state, &changes).filter(|_| is_silent);
        let is_hidden = hidden.is_some();
        let visibility = if is_hidden {
            Visibility::Gm
        } else {
            sheet_visibility(table.state, who)
        };
        let open = hides_only_causes(&changes, table.state);
        let (subject, label) = (who.subject(), rest.label.clone());
        let event = hidden.unwrap_or(Event::Rested(Rested {
            subject,
            rest: label,
            fields,
            triggers,
            open,
        }));
        table.log(Draft {
            visibility,
            rolls,
            rule: Some(place).filter(|place| !place.is_empty()),
            ..Draft::new("gm", event, changes)
        });
        table.move_later(
            if is_hidden { &[] } else { &shared },
            &rest.label,
            visibility,
        );
    }
    // Its damage is in another entry.
    for effect in rest
        .effects
        .iter()
        .filter(|effect| matches!(effect.act, Act::Damage { .. }))
    {
        let visibility = sheet_visibility(table.state, who);
        let due = Due {
            effect,
            given: &BTreeMap::new(),
            times: 1,
        };
        damage::apply_effect(table, who, due, rest.label.clone(), visibility)?;
    }
    Ok(())
}
