//! What a fight's entries say beside their images: whose turn it is, initiative against its roll, effects that run on by one.

use crate::game::record::change::{Change, Images};
use crate::game::record::entry::Entry;
use crate::game::record::event::{Act, Event};
use crate::game::record::state::{Condition, TurnsLeft};

/// What is wrong with an entry of a fight.
pub fn check(entry: &Entry) -> Option<String> {
    match &entry.event {
        Event::TurnBegan { round, .. } => turn(entry, *round),
        Event::CombatantJoined { initiative, card: None, .. } => rolled(entry, *initiative),
        Event::Combatant { act: Act::InitiativeRolled { initiative, card: None }, .. } => {
            rolled(entry, Some(*initiative))
        }
        Event::Effects { .. } => entry.changes.iter().find_map(|change| match change {
            Change::Condition(images) => counted(images),
            _ => None,
        }),
        _ => None,
    }
}

fn turn(entry: &Entry, round: u32) -> Option<String> {
    let fight = entry.changes.iter().find_map(|change| match change {
        Change::Combat(images) => images.after.as_ref(),
        _ => None,
    });
    let acts = |id: i64| {
        entry.changes.iter().any(|change| match change {
            Change::Combatant(images) => {
                images.after.as_ref().is_some_and(|own| own.id == id && own.acted_round == round)
            }
            _ => false,
        })
    };
    let fits = fight.is_some_and(|fight| fight.round == round && fight.current.is_some_and(acts));
    (!fits).then(|| format!("it begins a turn of round {round}, and its images say something else"))
}

fn rolled(entry: &Entry, initiative: Option<i64>) -> Option<String> {
    let total = entry.rolls.first()?.roll.total;
    (initiative != Some(total)).then(|| {
        let said = initiative.map_or_else(|| "none".to_owned(), |initiative| initiative.to_string());
        format!("its initiative is {said}, and its roll comes to {total}")
    })
}

/// An effect that is there before and after has one turn less, or begins anew.
fn counted(images: &Images<Condition>) -> Option<String> {
    let (before, after) = images.before.as_ref().zip(images.after.as_ref())?;
    let one_less = before.lasts.as_ref().filter(|lasts| lasts.left > 1);
    let one_less = one_less.map(|lasts| TurnsLeft { left: lasts.left - 1, ..lasts.clone() });
    let fits = after.since > before.since || (one_less.is_some() && after.lasts == one_less);
    (!fits).then(|| format!("{} does not run on by one", before.name))
}
