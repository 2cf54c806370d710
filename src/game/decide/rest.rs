//! Rests and the ends of scenes and sessions: what recovers by the rules, with its dice, and the conditions that end.

use crate::game::decide::{clock, time};
use crate::game::mechanics::duration;
use crate::game::mechanics::effects;
use crate::game::mechanics::lookup;
use crate::game::mechanics::recovery::{merge_move, recover};
use crate::game::mechanics::threshold::Consequences;
use crate::game::mechanics::tracks::render_value;
use crate::game::mechanics::values::{Values, dice_refusal};
use crate::game::record::change::{Change, Images};
use crate::game::record::entry::{RollRecord, Visibility};
use crate::game::record::event::{Event, Field};
use crate::game::record::state::{Character, Condition, Track, Until};
use crate::game::refusal::{Code, Refusal};
use crate::game::table::{Draft, Table};
use crate::game::view::visibility::{hides_only_causes, sheet_visibility};
use crate::names::{fold, quoted, same};
use crate::rules::time_words::span_words;
use crate::rules::{ANY_REST, Rest, RestEffect, System};

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
    let resting: Vec<i64> = living.iter().map(|own| own.id).collect();
    let dead: Vec<i64> = dead.iter().map(|own| own.id).collect();
    let rests =
        |id: i64| resting.contains(&id) || dead.contains(&id) || Consequences::new(table.state, id).vitality.is_dead();
    let everybody = table.state.characters.values().filter(|own| own.is_in_party()).all(|own| rests(own.id));
    match rest.lasts {
        Some(seconds) if everybody => time::pass(table, "gm", seconds, Some(rest.name.clone())),
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
    let ends: Vec<&Rest> = rests_at_end(system, closing).collect();
    move_shared(table, closing);
    if ends.is_empty() {
        return Ok(());
    }
    let concerned = |own: &&Character| own.is_in_party() || (others.contains(&own.id) && !own.retired);
    let everybody: Vec<Character> = table.state.characters.values().filter(concerned).cloned().collect();
    let living = everybody.iter().filter(|own| !Consequences::new(table.state, own.id).vitality.is_dead());
    let living: Vec<&Character> = living.collect();
    for rest in ends {
        living.iter().try_for_each(|own| rest_one(table, own, rest, true))?;
        clock::rest(table, rest);
    }
    Ok(())
}

/// Moves what all share, as a round of a fight ends.
pub fn end_round(table: &mut Table) {
    move_shared(table, Closing::Round);
}

fn move_shared(table: &mut Table, closing: Closing) {
    let company = table.system().company.as_deref();
    company.into_iter().flat_map(|company| rests_at_end(company, closing)).for_each(|rest| clock::rest(table, rest));
}

/// The rests of the rules for this end, as far as they do anything.
pub fn rests_at_end(system: &System, closing: Closing) -> impl Iterator<Item = &Rest> {
    let words: &[&str] = match closing {
        Closing::Round => &["round"],
        Closing::Scene => &["scene", "fight", "combat"],
        Closing::Session => &["session"],
    };
    let is_for_it = |rest: &&Rest| fold(&rest.name).split_whitespace().any(|part| words.contains(&part));
    system.rests.iter().filter(mends).filter(is_for_it)
}

/// Whether it does more than to end what lasts until then.
fn mends(rest: &&Rest) -> bool {
    !rest.effects.is_empty() || !rest.shared.is_empty() || !rest.ends.is_empty()
}

/// Whether conditions end with it that last until the end of the scene.
pub fn ends_scene(rest: &Rest) -> bool {
    rest.name.to_lowercase().ends_with("scene")
}

/// The rest that a call names; it may be left out where there is only one.
fn find_rest<'a>(system: &'a System, kind: Option<&str>) -> Result<&'a Rest, Refusal> {
    let mut mending = system.rests.iter().filter(mends);
    let found = match (kind, system.rests.as_slice()) {
        (Some(kind), _) => match system.meant_rest(kind) {
            Err(unknown) if unknown.several => return Err(lookup::unknown(unknown, "kind", "")),
            found => found.ok(),
        },
        (None, [only]) => Some(only),
        (None, _) => mending.next().filter(|_| mending.next().is_none()),
    };
    found.ok_or_else(|| {
        let names: Vec<String> = system.rests.iter().map(|own| own.name.clone()).collect();
        let suggestions =
            kind.map_or_else(Vec::new, |kind| crate::names::suggest(kind, names.iter().map(String::as_str)));
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
fn rest_one(table: &mut Table, who: &Character, rest: &Rest, quiet: bool) -> Result<(), Refusal> {
    let system = table.system();
    let mut consequences = Consequences::new(table.state, who.id);
    let mut moved: Vec<(Track, Track)> = Vec::new();
    let mut rolls = Vec::new();
    for effect in &rest.effects {
        let amount = amount(table, who, effect, &mut rolls)?;
        for (before, after) in recover(&consequences.vitality, system, effect, amount) {
            consequences.track_moved(table.state, system, &before, &after, 0);
            merge_move(&mut moved, before, after);
        }
    }
    ended_conditions(table, who, rest).into_iter().for_each(|condition| consequences.end_condition(condition));
    std::mem::take(&mut consequences.moved)
        .into_iter()
        .for_each(|(before, after)| merge_move(&mut moved, before, after));
    moved.retain(|(before, after)| before != after);
    let mut fields: Vec<Field> = moved.iter().map(field).collect();
    let conditions = consequences.conditions_field(table.state);
    fields.extend(conditions);
    let unseen = consequences.changes_hidden();
    if quiet && fields.is_empty() && rolls.is_empty() && !unseen {
        return Ok(());
    }
    // Players have heard nothing of what is all that happens.
    let unseen = unseen && quiet && fields.is_empty() && rolls.is_empty();
    let triggers = consequences.triggers.clone();
    let since = i64::try_from(table.next_seq()).unwrap_or(i64::MAX);
    let mut changes: Vec<Change> =
        moved.into_iter().map(|(before, after)| Change::Track(Images::changed(before, after))).collect();
    changes.extend(consequences.into_changes(table.state, system, since));
    let rule = Some(rest.place.to_string());
    if unseen && let Some(event) = effects::of_hidden(table.state, &changes) {
        table.log(Draft { visibility: Visibility::Gm, rule, ..Draft::new("gm", event, changes) });
        return Ok(());
    }
    let open = hides_only_causes(&changes, table.state);
    let event = Event::Rested { subject: who.subject(), rest: rest.name.clone(), fields, triggers, open };
    let visibility = sheet_visibility(table.state, who);
    table.log(Draft { visibility, rolls, rule, ..Draft::new("gm", event, changes) });
    Ok(())
}

/// The amount of an effect, rolled where it has dice.
fn amount(
    table: &mut Table,
    who: &Character,
    effect: &RestEffect,
    rolls: &mut Vec<RollRecord>,
) -> Result<i64, Refusal> {
    let RestEffect::Gives { amount, .. } = effect else { return Ok(0) };
    let expression = Values::of(table.state, table.system(), who).bind(amount)?;
    if let Some(constant) = expression.constant() {
        return Ok(constant);
    }
    let record = table.roll(&expression, &who.name, "rest").map_err(|error| dice_refusal(&error))?;
    let total = record.roll.total;
    rolls.push(record);
    Ok(total)
}

/// The conditions that this rest ends, those that last until it, and those until the end of the scene.
fn ended_conditions(table: &Table, who: &Character, rest: &Rest) -> Vec<Condition> {
    let scene = ends_scene(rest);
    let lasts_until_now = |own: &&Condition| {
        if rest.ends.iter().any(|name| same(name, &own.name)) {
            return true;
        }
        match duration::ending(table.system(), own) {
            Some(Until::Rest(until)) => {
                same(&until, &rest.name) || until == ANY_REST && fold(&rest.name).ends_with("rest")
            }
            Some(Until::Scene) => scene,
            _ => false,
        }
    };
    table.state.conditions_of(who.id).filter(lasts_until_now).cloned().collect()
}

fn field((before, after): &(Track, Track)) -> Field {
    Field { field: after.name.clone(), before: Some(render_value(before)), after: Some(render_value(after)) }
}
