//! Rests and the ends of scenes and sessions: what the rules say mends, with the dice they ask for, and the conditions that
//! last until then.

use crate::game::mechanics::duration;
use crate::game::mechanics::lookup;
use crate::game::mechanics::recovery::{mended, merge};
use crate::game::mechanics::threshold::Crossing;
use crate::game::mechanics::tracks::reading;
use crate::game::mechanics::values::{Values, dice_refusal};
use crate::game::record::change::{Change, Images};
use crate::game::record::entry::RollRecord;
use crate::game::record::event::{Event, Field};
use crate::game::record::state::{Character, Condition, Track, Until};
use crate::game::refusal::{Code, Refusal};
use crate::game::table::{Draft, Table};
use crate::game::view::visibility::{hides_causes_alone, of_sheet};
use crate::names::{fold, quoted, same};
use crate::rules::{Rest, RestEffect, System};

/// Somebody rests, or everybody on the players' side who lives; one entry each.
pub fn rest(table: &mut Table, who: Option<&str>, kind: Option<&str>) -> Result<(), Refusal> {
    let rest = named(table.system(), kind)?;
    let resting: Vec<Character> = match who {
        Some(who) => {
            vec![lookup::acting(table.state, table.system(), "character", who)?.clone()]
        }
        None => table.state.characters.values().filter(|own| own.is_of_the_party()).cloned().collect(),
    };
    let (dead, living): (Vec<Character>, Vec<Character>) =
        resting.into_iter().partition(|own| Crossing::new(table.state, own.id).standing.is_dead());
    if living.is_empty() {
        let summary = match dead.first() {
            Some(dead) => format!("{} is dead, and no rest mends that.", dead.name),
            None => {
                "Nobody is here to rest. Send character=\"…\"; get_character with list=true names everybody.".to_owned()
            }
        };
        return Err(Refusal::new(Code::TargetDead, summary));
    }
    living.iter().try_for_each(|own| rests(table, own, rest, false))
}

/// What ends, so that the rules may mend what lasts until then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closing {
    /// A fight, and the scene with it.
    Scene,
    Session,
}

/// Carries out what the rules say happens at such an end, for the party and whoever else is named; those for whom it changes
/// nothing are passed over.
pub fn close(table: &mut Table, closing: Closing, others: &[i64]) -> Result<(), Refusal> {
    let system = table.system();
    let ends: Vec<&Rest> = ends(system, closing).collect();
    if ends.is_empty() {
        return Ok(());
    }
    let concerned = |own: &&Character| own.is_of_the_party() || (others.contains(&own.id) && !own.retired);
    let everybody: Vec<Character> = table.state.characters.values().filter(concerned).cloned().collect();
    let living = everybody.iter().filter(|own| !Crossing::new(table.state, own.id).standing.is_dead());
    let living: Vec<&Character> = living.collect();
    ends.into_iter().try_for_each(|rest| living.iter().try_for_each(|own| rests(table, own, rest, true)))
}

/// What the rules say happens at such an end.
pub fn ends(system: &System, closing: Closing) -> impl Iterator<Item = &Rest> {
    let word = match closing {
        Closing::Scene => "scene",
        Closing::Session => "session",
    };
    system.rests.iter().filter(move |rest| fold(&rest.name).split_whitespace().any(|part| part == word))
}

/// The rest that is meant; a call may leave it out where there is only one.
fn named<'a>(system: &'a System, kind: Option<&str>) -> Result<&'a Rest, Refusal> {
    let found = match (kind, system.rests.as_slice()) {
        (Some(kind), _) => match system.meant_rest(kind) {
            Err(unknown) if unknown.several => return Err(lookup::unknown(unknown, "kind", "")),
            found => found.ok(),
        },
        (None, [only]) => Some(only),
        (None, _) => None,
    };
    found.ok_or_else(|| {
        let names: Vec<String> = system.rests.iter().map(|own| own.name.clone()).collect();
        let near = kind.map_or_else(Vec::new, |kind| crate::names::near(kind, names.iter().map(String::as_str)));
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
        Refusal::new(Code::UnknownRest, summary).near(near)
    })
}

/// One character's rest; `quiet`: nothing is written down where nothing changes.
fn rests(table: &mut Table, who: &Character, rest: &Rest, quiet: bool) -> Result<(), Refusal> {
    let system = table.system();
    let mut crossing = Crossing::new(table.state, who.id);
    let mut moved: Vec<(Track, Track)> = Vec::new();
    let mut rolls = Vec::new();
    for effect in &rest.effects {
        let amount = amount(table, who, effect, &mut rolls)?;
        for (before, after) in mended(&crossing.standing, system, effect, amount) {
            crossing.cross(table.state, system, &before, &after, 0);
            merge(&mut moved, before, after);
        }
    }
    ended(table, who, rest).into_iter().for_each(|condition| crossing.lose(condition));
    std::mem::take(&mut crossing.moved).into_iter().for_each(|(before, after)| merge(&mut moved, before, after));
    moved.retain(|(before, after)| before != after);
    let mut fields: Vec<Field> = moved.iter().map(field).collect();
    let conditions = crossing.field(table.state);
    fields.extend(conditions);
    if quiet && fields.is_empty() && rolls.is_empty() {
        return Ok(());
    }
    let triggers = crossing.triggers.clone();
    let since = i64::try_from(table.next_seq()).unwrap_or(i64::MAX);
    let mut changes: Vec<Change> =
        moved.into_iter().map(|(before, after)| Change::Track(Images::changed(before, after))).collect();
    changes.extend(crossing.changes(table.state, system, since));
    let open = hides_causes_alone(&changes, table.state);
    let event = Event::Rested { subject: who.subject(), rest: rest.name.clone(), fields, triggers, open };
    let visibility = of_sheet(table.state, who);
    let rule = Some(rest.place.to_string());
    table.log(Draft { visibility, rolls, rule, ..Draft::new("gm", event, changes) });
    Ok(())
}

/// What an effect gives, rolled where it has dice.
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

/// The conditions that this rest ends, those that last until it, or until the scene that ends with it.
fn ended(table: &Table, who: &Character, rest: &Rest) -> Vec<Condition> {
    let scene = rest.name.to_lowercase().ends_with("scene");
    let lasts_until_now = |own: &&Condition| {
        if rest.ends.iter().any(|name| same(name, &own.name)) {
            return true;
        }
        match duration::until(table.system(), own) {
            Some(Until::Rest(until)) => same(&until, &rest.name),
            Some(Until::Scene) => scene,
            _ => false,
        }
    };
    table.state.conditions_of(who.id).filter(lasts_until_now).cloned().collect()
}

fn field((before, after): &(Track, Track)) -> Field {
    Field { field: after.name.clone(), before: Some(reading(before)), after: Some(reading(after)) }
}
