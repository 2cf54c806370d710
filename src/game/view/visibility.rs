//! Hiding, in one function: [`project`] says what an audience may see of an entry, and everything shown to
//! players (results, exports, statistics, the log's `public` column) comes through it.
//!
//! The players' view carries neither ids nor entry numbers: both would tell how much happened behind the screen.
//! Where nothing of an entry is secret, [`Projection::whole`] says so, and a players' copy may carry the body and
//! its salt as proof.

use serde::{Deserialize, Serialize};

use crate::game::mechanics::health::Standing;
use crate::game::mechanics::tracks::{in_brief, in_order, reading};
use crate::game::record::change::{Change, Images};
use crate::game::record::entry::{Entry, RollRecord, Visibility};
use crate::game::record::event::{Event, Health};
use crate::game::record::purpose::OPPOSED;
use crate::game::record::state::{Character, Condition, State};
use crate::game::view::Audience;
use crate::game::view::narrate::narrate;
use crate::rules::{Outcome, System};

/// What an audience sees of one entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Projection {
    /// `None`: nothing; the entry is absent from the view, not blanked.
    pub seen: Option<Seen>,
    /// Nothing of the body is secret from players.
    pub whole: bool,
}

/// The visible part of an entry, ready for a reader.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// Microseconds since 1970-01-01T00:00:00Z.
    pub at: i64,
    pub session: u32,
    pub kind: String,
    pub visibility: Visibility,
    /// Who acted; `None` where that is hidden.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
    /// What happened, in one sentence.
    pub text: String,
    /// The dice, where they may be seen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rolls: Vec<RollRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
}

/// What `audience` may see of `entry`, in the state right after it.
pub fn project(entry: &Entry, state: &State, audience: Audience) -> Projection {
    let whole = is_whole(entry, state);
    Projection { seen: seen(entry, audience, whole), whole }
}

/// Whether nothing of an entry is secret from players, in the state right after it.
pub fn is_whole(entry: &Entry, state: &State) -> bool {
    entry.visibility == Visibility::Public
        && entry.changes.iter().all(|change| is_open(change, state))
        && open_event(entry, state)
}

/// What `audience` sees of an entry that is or is not [`whole`](is_whole).
pub fn seen(entry: &Entry, audience: Audience, whole: bool) -> Option<Seen> {
    let seen = seen_without_dice(entry, audience, whole)?;
    let rolls = match audience == Audience::Gm || whole {
        true => entry.rolls.clone(),
        false => open_rolls(entry),
    };
    Some(Seen { rolls, ..seen })
}

/// The same with no rolls in it.
pub fn seen_without_dice(entry: &Entry, audience: Audience, whole: bool) -> Option<Seen> {
    let text = match audience {
        Audience::Gm => narrate(entry, audience, true),
        Audience::Player => narrate(entry, audience, whole),
    };
    let all = audience == Audience::Gm || whole;
    let verdict = all || matches!(entry.visibility, Visibility::Public | Visibility::OutcomeOnly);
    let check = match &entry.event {
        Event::Check(check) if verdict => Some(check),
        _ => None,
    };
    text.map(|text| Seen {
        at: entry.at,
        session: entry.session,
        kind: kind(entry, all).to_owned(),
        visibility: entry.visibility,
        actor: verdict.then(|| entry.actor.clone()),
        text,
        rolls: Vec::new(),
        outcome: check.and_then(|check| check.outcome),
        label: check.and_then(|check| check.label.clone()),
        rule: if verdict { entry.rule.clone() } else { None },
    })
}

/// Of a public check of which something is secret, its own dice; of anything else, nothing.
fn open_rolls(entry: &Entry) -> Vec<RollRecord> {
    if !matches!(entry.event, Event::Check(_)) || entry.visibility != Visibility::Public {
        return Vec::new();
    }
    entry.rolls.iter().filter(|record| record.purpose != OPPOSED).cloned().collect()
}

/// What kind of entry it is; of a blind one players learn no more than whether dice fell.
fn kind(entry: &Entry, all: bool) -> &'static str {
    match entry.visibility {
        Visibility::Blind if !all && entry.rolls.is_empty() => "hidden",
        Visibility::Blind if !all => "roll",
        _ => entry.event.kind(),
    }
}

/// Somebody's health as an audience may know it: figures for the GM and for one's own side, a word for a foe. Several
/// tracks are named, a single one goes without.
pub fn health(state: &State, system: &System, character: &Character, audience: Audience) -> String {
    if audience == Audience::Player && !character.kind.is_open() {
        let health = Standing::of(state, character.id).health(system);
        return health.map_or("", Health::as_str).to_owned();
    }
    let tracks = in_order(state, system, character.id);
    match tracks.as_slice() {
        [only] => reading(only),
        _ => in_brief(state, system, character.id).join(", "),
    }
}

/// Whether players may see both images of a row whole.
fn is_open(change: &Change, state: &State) -> bool {
    let character = |id: i64| state.characters.get(&id).is_some_and(|character| character.kind.is_open());
    let seen = |id: i64| state.combatants.get(&id).is_some_and(|combatant| !combatant.hidden);
    match change {
        Change::Campaign(_) | Change::Session(_) => true,
        // Whose turn it is says that there is somebody.
        Change::Combat(images) => each(images, |row| row.current.is_none_or(seen)),
        Change::Character(images) => each(images, |row| row.kind.is_open() && row.gm_notes.is_empty()),
        Change::Track(images) => each(images, |row| character(row.character)),
        Change::Condition(images) => each(images, |row| {
            let anchor = row.lasts.as_ref().is_none_or(|lasts| seen(lasts.anchor));
            character(row.character)
                && anchor
                && row.cause.is_none()
                && row.caused_by.is_none_or(|id| !state.is_hidden(id))
        }),
        Change::Item(images) => each(images, |row| character(row.character) && !row.hidden),
        Change::Combatant(images) => each(images, |row| character(row.character) && !row.hidden),
    }
}

/// Who hears what becomes of a sheet: everybody of one on the players' side whom they see, of others the GM.
pub fn of_sheet(state: &State, who: &Character) -> Visibility {
    if who.kind.is_open() && !state.is_hidden(who.id) { Visibility::Public } else { Visibility::Gm }
}

/// Whether of all that changes no more is the GM's than where a condition comes from. No sentence says that, so players may
/// hear the rest.
pub fn hides_causes_alone(changes: &[Change], state: &State) -> bool {
    let mut hidden = changes.iter().filter(|change| !is_open(change, state)).peekable();
    let is_own = |row: &Condition| state.characters.get(&row.character).is_some_and(|own| own.kind.is_open());
    hidden.peek().is_some() && hidden.all(|change| matches!(change, Change::Condition(images) if each(images, is_own)))
}

/// Whether players may see all that changes.
pub fn hides_nothing(changes: &[Change], state: &State) -> bool {
    changes.iter().all(|change| is_open(change, state))
}

fn each<T>(images: &Images<T>, open: impl Fn(&T) -> bool) -> bool {
    images.before.iter().chain(images.after.iter()).all(open)
}

/// Whether the event itself names no secret of a foe.
fn open_event(entry: &Entry, state: &State) -> bool {
    match &entry.event {
        Event::Damage(damage) => {
            damage.subject.kind.is_open() && damage.roll_note.as_ref().is_none_or(|note| !note.hidden)
        }
        // A target from a foe's sheet, and a foe's own dice, are its secrets.
        Event::Check(check) => {
            let foe = check.opposed.as_ref().and_then(|opposed| opposed.subject.as_ref());
            let seen = check.against.as_ref().is_none_or(|own| !state.is_hidden(own.id));
            seen && !check.target_hidden && foe.is_none_or(|foe| foe.kind.is_open())
        }
        Event::CombatantJoined { subject, .. } | Event::Combatant { subject, .. } => subject.kind.is_open(),
        Event::CombatPrepared { .. } | Event::LossAccepted(_) => false,
        Event::TurnTakenBack { hidden, restored, .. } => !hidden && restored.iter().all(|own| !own.hidden),
        Event::Effects { began, left, ended, holder, .. } => {
            let seen = holder.as_ref().is_none_or(|own| !own.hidden);
            seen && began.iter().chain(left).chain(ended).all(|own| !own.hidden)
        }
        Event::Undone(undone) => undone.open,
        Event::Items { subject, to, seen, .. } => {
            let open = subject.kind.is_open() && to.as_ref().is_none_or(|to| to.kind.is_open());
            open && seen.is_none()
        }
        Event::Rested { subject, .. }
        | Event::Awarded { subject, .. }
        | Event::Improved { subject, .. }
        | Event::Retired { subject, .. } => subject.kind.is_open(),
        Event::CharacterCreated { subject, override_reason, .. }
        | Event::LevelUp { subject, override_reason, .. }
        | Event::CharacterUpdated { subject, override_reason, .. } => {
            subject.kind.is_open() && override_reason.is_none()
        }
        _ => true,
    }
}
