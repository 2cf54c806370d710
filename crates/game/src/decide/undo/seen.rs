//! What players read again of an entry that is undone: whom they saw then, without those who are hidden.

use super::call::scopes;
use crate::record::entry::Entry;
use crate::record::event::{AttackOn, EffectOn, Event, Subject};
use crate::record::state::State;
use crate::view::Audience;
use crate::view::visibility::{is_fully_public, visible_entry};

/// The sentence that players read, which names nobody of `unseen`; `None` where it is about one of them, or they never saw it.
pub fn players_sentence(state: &State, entry: &Entry, unseen: &[i64]) -> Option<String> {
    let mut left = entry.clone();
    if !leave_out(&mut left, unseen) {
        return None;
    }
    let whole = left == *entry && is_fully_public(entry, state);
    visible_entry(&left, Audience::Player, whole).map(|seen| seen.text)
}

/// Takes those who are unseen out of an entry's event; `false` where nothing of it is left for players.
fn leave_out(entry: &mut Entry, unseen: &[i64]) -> bool {
    let is_seen = |own: &Subject| !unseen.contains(&own.id);
    match &mut entry.event {
        Event::Effects { began, left: _, ended, holder, .. } => {
            hide(began, unseen);
            hide(ended, unseen);
            if let Some(holder) = holder.as_mut().filter(|own| !is_seen(&own.subject)) {
                holder.hidden = true;
            }
            began.iter().chain(ended.iter()).any(|own| !own.hidden)
        }
        Event::Time(event) => {
            hide(&mut event.ended, unseen);
            true
        }
        Event::TurnTakenBack { from, hidden, restored, .. } => {
            *hidden |= !is_seen(from);
            hide(restored, unseen);
            !*hidden || restored.iter().any(|own| !own.hidden)
        }
        Event::CombatStarted { members, .. } => {
            members.retain(is_seen);
            true
        }
        Event::Check(check) => {
            if check.against.as_ref().is_some_and(|own| !is_seen(own)) {
                check.attack = check.attack.map(|_| AttackOn::Unseen);
                check.target_hidden = true;
            }
            if let Some(opposed) = check.opposed.as_mut()
                && opposed.subject.as_ref().is_some_and(|own| !is_seen(own))
            {
                opposed.hidden = true;
            }
            check.subject.as_ref().is_none_or(is_seen)
        }
        Event::Damage(damage) => {
            damage.by = damage.by.take().filter(|own| is_seen(own));
            is_seen(&damage.subject)
        }
        Event::TurnBegan { began, .. } => is_seen(began),
        Event::Items { subject, to, .. } => is_seen(subject) && to.as_ref().is_none_or(is_seen),
        Event::CombatantJoined { subject, .. }
        | Event::Combatant { subject, .. }
        | Event::CharacterCreated { subject, .. }
        | Event::CharacterUpdated { subject, .. }
        | Event::Awarded { subject, .. }
        | Event::LevelUp { subject, .. }
        | Event::Improved { subject, .. }
        | Event::Retired { subject, .. }
        | Event::Rested { subject, .. } => is_seen(subject),
        Event::CampaignCreated { .. }
        | Event::CampaignRenamed { .. }
        | Event::RulesLoaded { .. }
        | Event::SessionStarted { .. }
        | Event::SessionEnded { .. }
        | Event::LossAccepted(_)
        | Event::Restored { .. }
        | Event::Continued(_)
        | Event::Revealed(_)
        | Event::Roll { .. }
        | Event::RollSet { .. }
        | Event::TableRoll(_)
        | Event::Note(_)
        | Event::Clock(_)
        | Event::Deck(_)
        | Event::CombatPrepared { .. }
        | Event::StructureChanged { .. }
        | Event::RoundBegan { .. }
        | Event::CombatEnded { .. }
        | Event::Undone(_) => !scopes(&entry.changes).any(|own| own.concerns(unseen)),
    }
}

fn hide(effects: &mut [EffectOn], unseen: &[i64]) {
    effects.iter_mut().filter(|own| unseen.contains(&own.on.id)).for_each(|own| own.hidden = true);
}
