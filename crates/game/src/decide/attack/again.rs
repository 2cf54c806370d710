//! What a followed attack deals. Its first roll dealt nothing, else it could not be followed.

use super::blow::{Blow, check_blow, is_down};
use super::call::AttackCall;
use crate::decide::check::CheckCall;
use crate::record::event::{CheckEvent, Event};
use crate::record::state::Character;
use crate::refusal::{Code, Refusal};
use crate::table::Table;
use rollbook_text::names::same;

/// The blow of the first roll, or of the dice that are sent; `None` where it was no attack, its damage is not known any more, or
/// its target is down by now.
///
/// # Errors
/// Where the call says damage of a roll that was no attack, or another attack than that of the first roll; what the damage could be
/// refused for.
pub(super) fn blow(table: &Table, call: &AttackCall) -> Result<Option<Blow>, Refusal> {
    let sent = call.damage.is_some() || call.attack.is_some() || call.track.is_some();
    let Some((seq, first)) = first(table) else { return Ok(None) };
    let target = first.against.as_ref().filter(|_| first.attack.is_some());
    let Some(target) = target.and_then(|own| table.state.characters.get(&own.id)).cloned() else {
        return if sent { Err(no_attack(seq)) } else { Ok(None) };
    };
    if let (Some(sent), own) = (&call.attack, &first.attack_name)
        && !own.as_ref().is_some_and(|own| same(own, sent))
    {
        return Err(other_attack(seq, own.as_deref()));
    }
    let mut own = AttackCall {
        check: CheckCall {
            check: Some(first.check.clone()),
            character: first.subject.as_ref().map(|own| own.name.clone()),
            skill: first.skill.clone(),
            attribute: first.attribute.clone(),
            visibility: call.check.visibility,
            values: first.given().map(|own| (own.name.clone(), own.value.to_string())).collect(),
            ..CheckCall::default()
        },
        attack: first.attack_name.clone(),
        ..call.clone()
    };
    let blow = Blow::of(table, &mut own)?.filter(|_| !is_down(table.state, table.system(), &target));
    if let Some(blow) = &blow {
        check_blow(table, &own, blow, std::slice::from_ref::<Character>(&target))?;
    }
    Ok(blow)
}

/// The check that is followed.
fn first<'t>(table: &'t Table) -> Option<(u64, &'t CheckEvent)> {
    let (seq, entry) = table.referred.as_ref()?;
    match &entry.event {
        Event::Check(first) => Some((*seq, first)),
        _ => None,
    }
}

fn no_attack(seq: u64) -> Refusal {
    let summary = format!(
        "#{seq} was no attack, so nothing is dealt by following it. Leave damage, attack and track out, then roll_dice and apply_damage."
    );
    Refusal::new(Code::InvalidParameters, summary)
}

fn other_attack(seq: u64, own: Option<&str>) -> Refusal {
    let (was, instead) = match own {
        Some(own) => (format!("with {own}"), "Leave attack out: its damage is dealt where the new roll hits."),
        None => ("without one of the sheet's attacks".to_owned(), "Leave attack out, and send damage=\"1d8+2\"."),
    };
    Refusal::new(Code::InvalidParameters, format!("#{seq} was made {was}, and is followed as it was made. {instead}"))
}
