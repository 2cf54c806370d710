//! Secrecy, in one function: [`project`] decides what an audience may see of an entry, and all that
//! players get (replies, exports, the log's `public` column) comes through it.
//!
//! The players' view has neither ids nor entry numbers: both would show how many hidden entries
//! there are. Whether a players' copy has the body and its salt as proof, [`Bodies`] says.

use super::Audience;
use crate::mechanics::tracks::{render_value, sorted, summary};
use crate::record::entry::{Entry, RollRecord, Visibility};
use crate::record::event::{Event, Health};
use crate::record::state::{Character, Combat, CombatStatus, Combatant, Condition, State};
use crate::{mechanics::health::Vitality, record::change::Change, record::purpose::OPPOSED};
use rollbook_rules::{Outcome, System};
use rollbook_text::names::same;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What an audience sees of one entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Projection {
    /// `None`: the entry is absent from the view.
    pub seen: Option<VisibleEntry>,
    /// Players see all that happened in it.
    pub whole: bool,
}

/// The visible part of an entry.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VisibleEntry {
    /// Microseconds since 1970-01-01T00:00:00Z.
    pub at: i64,
    pub session: u32,
    pub kind: String,
    pub visibility: Visibility,
    /// The actor; `None` where that is secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
    pub text: String,
    /// The rolls, where they are visible.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rolls: Vec<RollRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
}

/// Whether players see something of an entry, by the bytes that were frozen for them then.
pub fn is_shown(public: &[u8]) -> bool {
    !public.starts_with(b"{\"hidden\":true,\"seq\":")
}

/// What `audience` may see of `entry`, in the state right after it.
pub fn project(entry: &Entry, state: &State, audience: Audience) -> Projection {
    let whole = is_fully_public(entry, state);
    Projection {
        seen: visible_entry(entry, audience, whole),
        whole,
    }
}

/// Whether players see all that happened in an entry, in the state right after it. What they see of
/// it follows from this alone, so an old log reads as it did.
pub fn is_fully_public(entry: &Entry, state: &State) -> bool {
    if entry.visibility != Visibility::Public || !hides_nothing(&entry.changes, state) {
        return false;
    }
    let event = entry.event.description();
    event.is_open
        && event
            .against
            .is_none_or(|target| !state.is_hidden_in_fight(target.id))
}

/// Whether players see anything of an entry, in the state right after it.
pub fn is_seen_by_players(entry: &Entry, state: &State) -> bool {
    entry
        .sentence(Audience::Player, is_fully_public(entry, state))
        .is_some()
}

/// What `audience` sees of an entry; `whole` as by [`is_fully_public`].
pub fn visible_entry(entry: &Entry, audience: Audience, whole: bool) -> Option<VisibleEntry> {
    let seen = visible_without_dice(entry, audience, whole)?;
    if audience == Audience::Gm || whole {
        return Some(VisibleEntry {
            rolls: entry.rolls.clone(),
            ..seen
        });
    }
    // The rolls that players see of an entry with secrets: a public check's own.
    let is_check = matches!(entry.event, Event::Check(_)) && entry.visibility == Visibility::Public;
    let shown = entry
        .rolls
        .iter()
        .filter(|record| is_check && record.purpose != OPPOSED)
        .cloned();
    Some(VisibleEntry {
        rolls: shown.collect(),
        ..seen
    })
}

/// What the one player for whom it is sees of a hidden entry: what players would see of it, without
/// what they do not know of others.
pub fn private_view(entry: &Entry, character: i64) -> Option<VisibleEntry> {
    if entry.visibility != Visibility::Gm || !entry.is_for(character) {
        return None;
    }
    let public = Entry {
        visibility: Visibility::Public,
        ..entry.clone()
    };
    let seen = visible_without_dice(&public, Audience::Player, false)?;
    let rolls = entry.rolls.iter();
    let rolls = rolls.filter(|record| record.purpose != OPPOSED);
    Some(VisibleEntry {
        visibility: Visibility::Gm,
        rolls: rolls.cloned().collect(),
        ..seen
    })
}

/// The name of a character of whom the body has the GM's notes.
pub fn noted(entry: &Entry) -> Option<&str> {
    let noted = entry.changes.iter().find_map(|change| match change {
        Change::Character(images) => images.both().find(|row| !row.gm_notes.is_empty()),
        _ => None,
    });
    noted.map(|row| row.name.as_str())
}

/// The same without rolls.
pub fn visible_without_dice(
    entry: &Entry,
    audience: Audience,
    whole: bool,
) -> Option<VisibleEntry> {
    let all = audience == Audience::Gm || whole;
    let text = entry.sentence(audience, all)?;
    let verdict = all
        || matches!(
            entry.visibility,
            Visibility::Public | Visibility::OutcomeOnly
        );
    let (outcome, label) = match &entry.event {
        Event::Check(check) if verdict => (check.outcome, check.label.clone()),
        _ => (None, None),
    };
    // Of a blind one players see only whether dice were rolled.
    let kind = match entry.visibility {
        Visibility::Blind if !all && entry.rolls.is_empty() => "hidden",
        Visibility::Blind if !all => "roll",
        _ => entry.event.kind(),
    };
    Some(VisibleEntry {
        at: entry.at,
        session: entry.session,
        kind: kind.to_owned(),
        visibility: entry.visibility,
        actor: verdict.then(|| entry.actor.clone()),
        text,
        rolls: Vec::new(),
        outcome,
        label,
        rule: entry.rule.clone().filter(|_| verdict),
    })
}

/// A character's health for an audience: figures for the GM and for the players' side, a word for a
/// foe. Track names are left out where there is only one.
pub fn health(state: &State, system: &System, character: &Character, audience: Audience) -> String {
    if audience == Audience::Player && !character.kind.is_open() {
        return Vitality::of(state, character.id)
            .health(system)
            .map_or("", Health::as_str)
            .to_owned();
    }
    let mut all = sorted(state, system, character.id);
    all.retain(|track| track.renewal.is_none());
    match all.as_slice() {
        [only] => render_value(only),
        _ => summary(system, all).join(", "),
    }
}

fn is_change_public(change: &Change, state: &State) -> bool {
    let seen = |id: i64| {
        state
            .combatants
            .get(&id)
            .is_some_and(|combatant| !combatant.hidden)
    };
    match change {
        // No sentence has what is out of a deck, and no players' copy the row.
        Change::Campaign(_) | Change::Session(_) | Change::Deck(_) => true,
        // The current turn shows that the combatant exists.
        Change::Combat(images) => images
            .both()
            .all(|row| row.current.is_none_or(seen) && row.interrupted.is_none_or(seen)),
        // No sentence has the GM's notes, and no players' copy the row.
        Change::Character(images) => images.both().all(|row| row.kind.is_open()),
        Change::Track(images) => images.both().all(|row| state.is_of_players(row.character)),
        Change::Condition(images) => images.both().all(|row| {
            let anchor = row.lasts.as_ref().is_none_or(|lasts| seen(lasts.anchor));
            state.is_of_players(row.character)
                && !row.hidden
                && anchor
                && row.cause.is_none()
                && row.caused_by.is_none_or(|id| !state.is_hidden_in_fight(id))
        }),
        Change::Item(images) => images
            .both()
            .all(|row| state.is_of_players(row.character) && !row.hidden),
        Change::Combatant(images) => images
            .both()
            .all(|row| state.is_of_players(row.character) && !row.hidden),
        Change::Note(images) => images.both().all(|row| !row.hidden),
        Change::Clock(images) => images.both().all(|row| !row.hidden),
    }
}

/// The visibility of a sheet's changes: public for a visible one of their side, else the GM's.
pub fn sheet_visibility(state: &State, who: &Character) -> Visibility {
    if who.kind.is_open() && !state.is_hidden(who.id) {
        Visibility::Public
    } else {
        Visibility::Gm
    }
}

/// Whether the only secrets in these changes are causes of conditions, which no sentence has.
pub fn hides_only_causes(changes: &[Change], state: &State) -> bool {
    let is_cause = |row: &Condition| !row.hidden && state.is_of_players(row.character);
    let mut hidden = changes
        .iter()
        .filter(|change| !is_change_public(change, state))
        .peekable();
    hidden.peek().is_some()
        && hidden.all(
            |change| matches!(change, Change::Condition(images) if images.both().all(is_cause)),
        )
}

pub(crate) fn hides_nothing(changes: &[Change], state: &State) -> bool {
    changes.iter().all(|change| is_change_public(change, state))
}

/// The combatant whose turn players see; `None` before a visible one has acted.
pub fn visible_turn<'s>(state: &'s State, combat: &Combat) -> Option<&'s Combatant> {
    let current = combat.current.and_then(|id| state.combatants.get(&id));
    if let Some(current) = current.filter(|member| !member.hidden) {
        return Some(current);
    }
    current?;
    let seen = state
        .combatants_of(combat.id)
        .filter(|member| !member.hidden && member.turn_at.is_some());
    seen.max_by_key(|entry| entry.turn_at)
}

/// The round that players see.
pub fn visible_round(state: &State, combat: &Combat) -> u32 {
    match combat.current.and_then(|id| state.combatants.get(&id)) {
        Some(acting) if acting.hidden => {
            visible_turn(state, combat).map_or(1, |member| member.acted_round)
        }
        _ => combat.round,
    }
}

/// The character of a player's seat, by its name.
pub fn character_of<'s>(state: &'s State, player: &str) -> Option<&'s Character> {
    let mut all = state.characters.values();
    all.find(|who| who.kind.is_open() && same(&who.name, player))
}

/// The state as the player of that character knows it: without those whom they have not met, and
/// without what is hidden of everything else. One's own character is never hidden from oneself.
///
/// It is for looking, and for trying what a player asks for: what such a try refuses can depend on
/// nothing that players do not know. Nothing of it is ever written.
pub fn seen(state: &State, player: &str) -> State {
    let met = state.characters.values().filter(|who| {
        let is_own = who.kind.is_open() && same(&who.name, player);
        is_own || state.is_met(who.id, who.kind)
    });
    let met: BTreeSet<i64> = met.map(|who| who.id).collect();
    let mut seen = state.clone();
    seen.characters.retain(|id, who| {
        who.gm_notes.clear();
        who.ticks.hidden.clear();
        // A seat shows its own alone; what is read out to all shows everybody's.
        if !player.is_empty() && !same(&who.name, player) {
            who.ticks.seen.clear();
        }
        met.contains(id)
    });
    seen.tracks
        .retain(|(character, _), _| met.contains(character));
    seen.items
        .retain(|(character, _), item| met.contains(character) && !item.hidden);
    seen.conditions.retain(|(character, _), condition| {
        condition.cause = None;
        condition.caused_by = condition.caused_by.filter(|id| met.contains(id));
        met.contains(character) && !condition.hidden
    });
    seen.combatants
        .retain(|_, member| !member.hidden && met.contains(&member.character));
    // A fight that is prepared is the GM's.
    seen.combats
        .retain(|_, combat| combat.status != CombatStatus::Setup);
    for combat in seen.combats.values_mut() {
        let (round, current) = (
            visible_round(state, combat),
            visible_turn(state, combat).map(|member| member.id),
        );
        (combat.round, combat.current, combat.interrupted) = (round, current, None);
    }
    let own = character_of(state, player).map(|who| who.id);
    for note in seen.notes.values_mut() {
        note.hidden &= note.reader.is_none() || note.reader != own;
    }
    seen.notes.retain(|_, note| !note.hidden);
    // A hidden clock's row stays: without it, the rules' own value would seem to be true.
    seen
}

/// Which bodies a players' copy has, with their salts, as proof: those of entries of which players
/// read all that happened, but for these.
///
/// - A body with a character's row can hold the GM's notes, so it is left out whether there are any
///   or not.
/// - A body that changes a deck says all that is out of it, cards of hidden rolls among them, so it
///   is left out.
/// - Damage and rolls name the entry that they follow from; where players do not see that one, the
///   body is left out, whatever it says.
/// - An undo has the sentences of what it takes back, so it goes the way of those entries.
/// - Nobody who is hidden is named, though the fight be over.
///
/// That a body is left out shows that something of it is the GM's, or may be, and never what.
///
/// It holds the entries of a log from the first one on, as far as later ones refer to them.
#[derive(Debug, Default)]
pub struct Bodies {
    /// What players see of each in full.
    public: BTreeSet<u64>,
    /// Those whose bodies they may have.
    open: BTreeSet<u64>,
}

impl Bodies {
    /// Takes the next entry, in the state right after it; answers whether players may have its
    /// body. `is_read`: they read all that happened in it, as [`is_fully_public`] says.
    pub fn take(&mut self, seq: u64, entry: &Entry, state: &State, is_read: bool) -> bool {
        let event = entry.event.description();
        let open = is_read
            && !entry.changes.iter().any(|change| may_hide(change, state))
            && event.follows.iter().all(|seq| self.public.contains(seq))
            && event
                .undoes
                .is_none_or(|(first, last)| (first..=last).all(|seq| self.open.contains(&seq)))
            && event
                .against
                .is_none_or(|target| !state.is_hidden(target.id));
        self.public
            .extend((entry.visibility == Visibility::Public).then_some(seq));
        self.open.extend(open.then_some(seq));
        open
    }
}

/// Whether a row can hold what players do not see, without a change of what they read.
fn may_hide(change: &Change, state: &State) -> bool {
    let caused_unseen = |row: &Condition| row.caused_by.is_some_and(|id| state.is_hidden(id));
    match change {
        Change::Character(_) | Change::Deck(_) => true,
        Change::Condition(images) => images.both().any(caused_unseen),
        _ => false,
    }
}
