//! Damage and healing: from the amount named to the track's new value, each step itemised. What a crossed bound
//! brings is [`crate::game::mechanics::threshold`]'s, who still stands [`crate::game::mechanics::health`]'s.

mod amount;
mod boxes;
mod call;
mod chain;
mod falls;
mod form;
mod hit;
mod layers;
mod mitigation;
mod named;
mod parts;
mod points;
mod row;
mod slots;
#[cfg(test)]
mod tests;
mod uses;
mod wounds;

pub use amount::dealt;
pub use call::DamageCall;
pub use named::something;
pub use row::by_row;
pub use uses::{Uses, differs};

use falls::Falls;
use hit::Hit;

use crate::game::mechanics::health::{DEAD, Standing};
use crate::game::mechanics::held;
use crate::game::mechanics::lookup;
use crate::game::mechanics::threshold::Crossing;
use crate::game::record::change::{Change, Images};
use crate::game::record::entry::{Entry, Visibility};
use crate::game::record::event::{DamageEvent, Event, Step, Told};
use crate::game::record::state::{Character, State, Track};
use crate::game::refusal::{Code, Refusal};
use crate::game::table::{Draft, Table};
use crate::game::view::secrets;
use crate::game::view::visibility::{hides_causes_alone, hides_nothing};
use crate::names::same;
use crate::rules::{Harm, System};

/// What would happen, before it does.
#[derive(Debug, Clone)]
pub struct Wound {
    pub event: DamageEvent,
    /// Tracks before and after, also one that the hit reached and did not move.
    pub moved: Vec<(Track, Track)>,
    pub crossing: Crossing,
    /// What the reply notes beside it.
    pub noted: Vec<String>,
}

/// Works out the wound and changes nothing; a refusal where it would change nothing either way. `referred` is the entry that
/// `call.roll` names.
pub fn preview(state: &State, system: &System, call: &DamageCall, referred: Option<&Entry>) -> Result<Wound, Refusal> {
    let wound = worked_out(state, system, call, referred)?;
    named::something(&wound.event, call)?;
    Ok(wound)
}

/// The same with how it departs from the roll it names; `later` are the entries behind that roll.
pub fn foreseen(
    state: &State,
    system: &System,
    call: &DamageCall,
    referred: Option<&(u64, Entry)>,
    later: &[(u64, Entry)],
) -> Result<Wound, Refusal> {
    let mut wound = preview(state, system, call, referred.map(|(_, entry)| entry))?;
    if let Some((seq, entry)) = referred {
        let uses = Uses::among(later);
        let mut note = uses.note(*seq, entry, &wound.event);
        note.like_check = amount::is_like_a_check(state, system, call, entry, wound.event.amount);
        wound.event.roll_note = (!note.is_empty()).then(|| Box::new(note));
    }
    Ok(wound)
}

/// The same without looking whether it brings anything.
pub fn worked_out(
    state: &State,
    system: &System,
    call: &DamageCall,
    referred: Option<&Entry>,
) -> Result<Wound, Refusal> {
    call.bounds()?;
    let (amount, below_zero) = amount::amount(state, system, call, referred)?;
    let target = lookup::acting(state, system, "target", &call.target)?;
    let revives = call.remove_conditions.iter().any(|name| same(name, DEAD));
    if Standing::of(state, target.id).is_dead() && !revives {
        let summary = format!(
            "{0} is dead, and neither damage nor healing reaches the dead. If the story brings {0} back, send \
             remove_conditions=[\"dead\"] with it.",
            target.name
        );
        return Err(Refusal::new(Code::TargetDead, summary));
    }
    // A roll of 0 is a hit that did nothing, and is told as one.
    let moves = amount != 0 || call.track.is_some() || call.roll.is_some();
    let falls =
        if moves { Some(falls::falls(state, system, target, call.track.as_deref(), amount < 0)?) } else { None };
    let on = falls.as_ref().map(Falls::name);
    let mut hit = struck(state, system, target, falls, amount, call)?;
    if let Some(total) = below_zero {
        hit.steps.insert(0, Step { step: "a roll below 0 is a hit of 0".to_owned(), before: total, after: 0 });
    }
    let noted = named::apply(state, system, target, call, &mut hit.crossing)?;
    hit.settle();
    let Hit { steps, moved, crossing, eased, .. } = hit;
    let aside = !moved.is_empty() && !moved.iter().any(|(_, after)| crossing.standing.is_health(system, &after.name));
    let idle = crossing.gained.is_empty() && crossing.lost.is_empty() && moved.iter().all(|(was, is)| was == is);
    let told = match (idle && amount != 0, aside) {
        (true, _) => Some(Told::Idle),
        (false, true) => Some(Told::Counted),
        (false, false) => (!moves && moved.is_empty()).then_some(Told::Conditions),
    };
    let event = DamageEvent {
        subject: target.subject(),
        track: on,
        amount,
        damage_type: parts::kinds(call),
        parts: call.parts.clone(),
        steps,
        triggers: crossing.triggers.clone(),
        gained: crossing.gained.clone(),
        lost: crossing.lost.clone(),
        health: crossing.standing.health(system),
        aside,
        eased,
        told,
        open: false,
        reason: call.reason.clone(),
        roll: call.roll,
        roll_note: None,
    };
    Ok(Wound { event, moved, crossing, noted })
}

/// Works it out and logs it; answers the wound.
pub fn decide(table: &mut Table, call: DamageCall, visibility: Option<Visibility>) -> Result<Wound, Refusal> {
    let wound = foreseen(table.state, table.system(), &call, table.referred.as_ref(), &table.later)?;
    let target = table.state.characters.get(&wound.event.subject.id);
    visibility.map_or(Ok(()), |own| secrets::keep_unnamed(table.state, own, "target", target))?;
    Ok(write(table, wound, visibility))
}

/// Logs what was worked out.
pub fn write(table: &mut Table, wound: Wound, visibility: Option<Visibility>) -> Wound {
    let since = i64::try_from(table.next_seq()).unwrap_or(i64::MAX);
    let mut changes = Vec::new();
    for (before, after) in wound.moved.iter().filter(|(before, after)| before != after) {
        let known = table.state.tracks.contains_key(&(before.character, before.name.clone()));
        changes.push(Change::Track(Images { before: known.then(|| before.clone()), after: Some(after.clone()) }));
    }
    let rule = wound.crossing.rule.clone();
    changes.extend(wound.crossing.clone().changes(table.state, table.system(), since));
    let visibility = visibility.unwrap_or_else(|| default_visibility(table.state, &wound));
    let note_alone = wound.event.roll_note.as_ref().is_some_and(|note| note.hidden)
        && wound.event.subject.kind.is_open()
        && hides_nothing(&changes, table.state);
    let open = note_alone || hides_causes_alone(&changes, table.state);
    let event = Event::Damage(DamageEvent { open, ..wound.event.clone() });
    table.note(wound.noted.clone());
    table.log(Draft { visibility, rule, ..Draft::new("gm", event, changes) });
    table.note(held::asked(table.state, table.system(), &wound.event));
    wound
}

/// Public, but for an NPC that never stood in a fight: players may not have met it, and its name is the GM's to say.
fn default_visibility(state: &State, wound: &Wound) -> Visibility {
    if state.is_met(wound.event.subject.id, wound.event.subject.kind) { Visibility::Public } else { Visibility::Gm }
}

/// From the amount named to the tracks it moves.
fn struck<'a>(
    state: &'a State,
    system: &'a System,
    target: &'a Character,
    falls: Option<Falls<'a>>,
    amount: i64,
    call: &DamageCall,
) -> Result<Hit<'a>, Refusal> {
    let mut hit = Hit::new(state, system, target, amount);
    let mut parts = parts::on_their_way(call, amount);
    if call.half {
        hit.step("half, rounded down", amount / 2);
        let all: Vec<usize> = (0..parts.len()).collect();
        parts::share(&mut parts, &all, amount / 2);
        hit.arrives();
    }
    if hit.left > 0
        && let Some(falls) = falls.as_ref().filter(|falls| falls.is_health(&hit))
    {
        mitigation::mitigate(&mut hit, parts, &call.bypass)?;
        hit.arrives();
        layers::soak(&mut hit, &falls.name());
        hit.crossing.struck(state, system, target, hit.left)?;
    }
    match falls {
        None => {}
        Some(Falls::Points(track))
            if hit.left < 0
                && let Some(layer) = layers::named(&hit, &track.name) =>
        {
            layers::grant(&mut hit, layer, track);
        }
        Some(Falls::Points(track)) => points::take(&mut hit, track),
        Some(Falls::Chain(chain, _)) if hit.left < 0 => chain::heal(&mut hit, chain)?,
        Some(Falls::Chain(chain, chosen)) => chain::take(&mut hit, chain, chosen)?,
        Some(Falls::Marks(harm)) if hit.left < 0 => boxes::heal(&mut hit, &harm),
        Some(Falls::Marks(_)) if hit.left == 0 => {}
        Some(Falls::Marks(Harm::Boxes(own))) => boxes::take(&mut hit, own),
        Some(Falls::Marks(Harm::Slots(own))) => slots::take(&mut hit, own),
        Some(Falls::Marks(Harm::Wounds(own))) => wounds::take(&mut hit, own)?,
        Some(Falls::Marks(Harm::Track(_) | Harm::Chain(_))) => {}
    }
    Ok(hit)
}
