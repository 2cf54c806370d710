//! Rests and the ends of scenes and sessions: what the rules do then, with its dice, and the conditions that end.

use std::collections::BTreeMap;

use crate::decide::damage::{self, Due};
use crate::decide::{clock, time};
use crate::mechanics::duration;
use crate::mechanics::effects;
use crate::mechanics::lookup;
use crate::mechanics::threshold::{By, Consequences};
use crate::mechanics::tracks::render_value;
use crate::record::change::{Change, Images};
use crate::record::entry::Visibility;
use crate::record::event::{Event, Field, Rested};
use crate::record::state::{Character, Condition, Track, Until};
use crate::refusal::{Code, Refusal};
use crate::table::{Draft, Table};
use crate::view::visibility::{hides_only_causes, sheet_visibility};
use rollbook_rules::span_words;
use rollbook_rules::{Act, Effect, End, System, Trigger, TriggerWhen};
use rollbook_text::names::{quoted, same};

/// A rest of one character, or of everybody living in the party; one entry each.
pub fn rest(table: &mut Table, who: Option<&str>, kind: Option<&str>) -> Result<(), Refusal> {
    let rest = find_rest(table.system(), kind)?;
    let resting: Vec<Character> = match who {
        Some(who) => {
            vec![lookup::participant(table.state, table.system(), "character", who)?.clone()]
        }
        None => table.state.characters.values().filter(|own| own.is_in_party()).cloned().collect(),
    };
    let (dead, living): (Vec<Character>, Vec<Character>) =
        resting.into_iter().partition(|own| Consequences::new(table.state, own.id).vitality.is_dead());
    if living.is_empty() {
        let summary = match dead.first() {
            Some(dead) => format!("{} is dead, and no rest mends that.", dead.name),
            None => "Nobody is here to rest. Send character=\"…\"; get_character list=true names everybody.".to_owned(),
        };
        return Err(Refusal::new(Code::TargetDead, summary));
    }
    check_no_fight(table, rest, &living)?;
    let resting: Vec<i64> = living.iter().map(|own| own.id).collect();
    let dead: Vec<i64> = dead.iter().map(|own| own.id).collect();
    let rests =
        |id: i64| resting.contains(&id) || dead.contains(&id) || Consequences::new(table.state, id).vitality.is_dead();
    let everybody = table.state.characters.values().filter(|own| own.is_in_party()).all(|own| rests(own.id));
    match rest.lasts() {
        Some(seconds) if everybody => time::pass(table, "gm", seconds, Some(rest.label.clone())),
        Some(seconds) => table.note([format!(
            "Not everybody rests, so no time passes. manage_session action=\"advance\" time=\"{}\" lets it.",
            span_words(seconds)
        )]),
        None => {}
    }
    living.iter().try_for_each(|own| rest_one(table, own, rest, false))?;
    clock::rest(table, rest);
    Ok(())
}

/// A rest of so many seconds is none that anybody takes in a fight.
const LONG: i64 = 600;

/// Refuses a long rest of somebody who is up in a fight that goes on.
fn check_no_fight(table: &Table, rest: &Trigger, living: &[Character]) -> Result<(), Refusal> {
    let is_long = same(&rest.label, "Long rest") || rest.lasts().is_some_and(|seconds| seconds >= LONG);
    let Some(fight) = table.state.running_combat().filter(|_| is_long) else { return Ok(()) };
    let fights = |who: &&Character| {
        table.state.combatants_of(fight.id).any(|own| own.character == who.id && !own.defeated && !own.hidden)
    };
    let Some(who) = living.iter().find(fights) else { return Ok(()) };
    let summary = format!(
        "{} is in a fight that goes on, and {} ({}) is none that is taken there. Is it over? Send manage_combat action=\"end\" first; else \
         wait with the rest.",
        who.name, rest.label, rest.place
    );
    Err(Refusal::new(Code::CombatRunning, summary).at(rest.place.to_string()))
}

/// What ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closing {
    /// A round of a fight.
    Round,
    /// A fight, and the scene with it.
    Scene,
    Session,
}

/// Applies the rules for this end to the party and to `others`; characters without a change get no entry.
pub fn close(table: &mut Table, closing: Closing, others: &[i64]) -> Result<(), Refusal> {
    let system = table.system();
    let ends: Vec<&Trigger> = rests_at_end(system, closing).collect();
    if ends.is_empty() {
        return Ok(());
    }
    let concerned = |own: &&Character| own.is_in_party() || (others.contains(&own.id) && !own.retired);
    let everybody: Vec<Character> = table.state.characters.values().filter(concerned).cloned().collect();
    let living = everybody.iter().filter(|own| !Consequences::new(table.state, own.id).vitality.is_dead());
    let living: Vec<&Character> = living.collect();
    for rest in ends {
        if let Some(seconds) = rest.lasts() {
            time::pass(table, "gm", seconds, Some(rest.label.clone()));
        }
        living.iter().try_for_each(|own| rest_one(table, own, rest, true))?;
        clock::rest(table, rest);
    }
    Ok(())
}

/// Applies the rules for a round of a fight that is over, as far as they can be carried out.
pub fn end_round(table: &mut Table, combat: i64) {
    let members: Vec<i64> = table.state.combatants_of(combat).map(|own| own.character).collect();
    if let Err(refusal) = close(table, Closing::Round, &members) {
        table.note([refusal.summary]);
    }
}

/// The rests of the rules for this end, as far as they do anything; of a session also what lasts until then ends.
pub fn rests_at_end(system: &System, closing: Closing) -> impl Iterator<Item = &Trigger> {
    let ends: &[TriggerWhen] = match closing {
        Closing::Round => &[TriggerWhen::Round],
        Closing::Scene => &[TriggerWhen::EndOf(End::Scene), TriggerWhen::EndOf(End::Fight)],
        Closing::Session => &[TriggerWhen::EndOf(End::Session)],
    };
    let happens = move |rest: &&Trigger| mends(rest) || closing == Closing::Session;
    system.rests.iter().filter(happens).filter(|rest| ends.contains(&rest.when))
}

/// Whether it does more than to end what lasts until then.
fn mends(rest: &&Trigger) -> bool {
    !rest.effects.is_empty()
}

/// Whether conditions end with it that last until the end of the scene.
pub fn ends_scene(rest: &Trigger) -> bool {
    rest.when == TriggerWhen::EndOf(End::Scene)
}

/// The rest that a call names; it may be left out where there is only one.
fn find_rest<'a>(system: &'a System, kind: Option<&str>) -> Result<&'a Trigger, Refusal> {
    let mut mending = system.rests.iter().filter(mends);
    let found = match (kind, system.rests.as_slice()) {
        (Some(kind), _) => match system.meant(System::rest, kind) {
            Err(unknown) if unknown.several => return Err(lookup::unknown(unknown, "kind", "")),
            found => found.ok(),
        },
        (None, [only]) => Some(only),
        (None, _) => mending.next().filter(|_| mending.next().is_none()),
    };
    found.ok_or_else(|| {
        let names: Vec<String> = system.rests.iter().map(|own| own.label.clone()).collect();
        let suggestions =
            kind.map_or_else(Vec::new, |kind| rollbook_text::names::suggest(kind, names.iter().map(String::as_str)));
        let summary = match (names.is_empty(), kind) {
            (true, _) => {
                "The rules have no rest that mends anything. To heal, send apply_damage with a negative amount."
                    .to_owned()
            }
            (false, Some(kind)) => {
                format!("The rules know no \"{}\". Send kind=\"{}\".", quoted(kind), names.join("\", or kind=\""))
            }
            (false, None) => format!("Which rest? Send kind=\"{}\".", names.join("\", or kind=\"")),
        };
        Refusal::new(Code::UnknownRest, summary).did_you_mean(suggestions)
    })
}

/// One character's rest; `quiet`: no entry where nothing changes.
fn rest_one(table: &mut Table, who: &Character, rest: &Trigger, quiet: bool) -> Result<(), Refusal> {
    let system = table.system();
    let mut consequences = Consequences::new(table.state, who.id);
    let mut rolls = Vec::new();
    let place = rest.place.to_string();
    let is_own = |own: &&Effect| !own.shared && !matches!(own.act, Act::Pass { .. } | Act::Damage { .. });
    for effect in rest.effects.iter().filter(is_own) {
        let amount = damage::rolled_amount(table, who, (effect, &BTreeMap::new(), "rest"), &mut rolls)?;
        consequences.apply(table.state, system, (effect, amount), By::rule(&place));
    }
    for condition in ended_conditions(table, who, rest) {
        consequences.end(table.state, system, condition);
    }
    consequences.check_limits(table.state, system)?;
    let mut moved = std::mem::take(&mut consequences.moved);
    moved.retain(|(before, after)| before != after);
    let mut fields: Vec<Field> = moved.iter().map(field).collect();
    let conditions = consequences.conditions_field(table.state);
    fields.extend(conditions);
    let unseen = consequences.changes_hidden();
    if quiet && fields.is_empty() && rolls.is_empty() && !unseen {
        return hurt(table, who, rest);
    }
    // Players have heard nothing of what is all that happens.
    let unseen = unseen && quiet && fields.is_empty() && rolls.is_empty();
    let triggers = consequences.triggers.clone();
    let shared = consequences.shared.clone();
    let since = i64::try_from(table.next_seq()).unwrap_or(i64::MAX);
    let mut changes: Vec<Change> =
        moved.into_iter().map(|(before, after)| Change::Track(Images::changed(before, after))).collect();
    changes.extend(consequences.into_changes(table.state, system, since));
    let rule = Some(rest.place.to_string());
    if unseen && let Some(event) = effects::of_hidden(table.state, &changes) {
        table.log(Draft { visibility: Visibility::Gm, rule, ..Draft::new("gm", event, changes) });
        return hurt(table, who, rest);
    }
    let open = hides_only_causes(&changes, table.state);
    let event = Event::Rested(Rested { subject: who.subject(), rest: rest.label.clone(), fields, triggers, open });
    let visibility = sheet_visibility(table.state, who);
    table.log(Draft { visibility, rolls, rule, ..Draft::new("gm", event, changes) });
    table.move_later(&shared, &rest.label, visibility);
    hurt(table, who, rest)
}

/// The damage that comes with it, in an entry of its own.
fn hurt(table: &mut Table, who: &Character, rest: &Trigger) -> Result<(), Refusal> {
    for effect in &rest.effects {
        if matches!(effect.act, Act::Damage { .. }) {
            let visibility = sheet_visibility(table.state, who);
            let due = Due { effect, given: &BTreeMap::new(), times: 1 };
            damage::apply_effect(table, who, due, rest.label.clone(), visibility)?;
        }
    }
    Ok(())
}

/// The conditions that last until this rest, and those until the end of the scene.
fn ended_conditions(table: &Table, who: &Character, rest: &Trigger) -> Vec<Condition> {
    let scene = ends_scene(rest);
    let lasts_until_now = |own: &&Condition| match duration::ending(table.system(), own) {
        Some(Until::Rest(until)) => same(&until, &rest.label),
        Some(Until::Scene) => scene,
        _ => false,
    };
    table.state.conditions_of(who.id).filter(lasts_until_now).cloned().collect()
}

fn field((before, after): &(Track, Track)) -> Field {
    Field { field: after.name.clone(), before: Some(render_value(before)), after: Some(render_value(after)) }
}
