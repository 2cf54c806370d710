//! Undo: a new entry restores the before-images of everything that a call changed. The log is never
//! edited, and rolls stay as they are.
//!
//! - A call is undone as a whole, whichever of its entries is named.
//! - It is refused when a later call that is not undone changed the same character, combatant or
//!   fight. Undoing from the last change backwards is never refused for that.
//! - An undo can be undone by its entry number, which redoes the call. Without a number the last
//!   change that is not undone is meant, never an undo, so undoing twice goes two steps back. It is
//!   refused with that number where a later call that was not undone changed nothing: the caller
//!   may have meant that one.
//! - Ending a session can be undone; beginning one cannot.

use crate::record::entry::{Entry, Visibility};
use crate::record::event::{Event, UndoneEvent};
use crate::refusal::{Code, Refusal, Result};
use crate::table::{Draft, Table};
use crate::view::number::Numbers;
use crate::view::visibility::{is_fully_public, is_seen_by_players, private_view};
use crate::{record::change::Change, record::state::State, view::Audience};
use rollbook_text::names::{fold, shortened};
use std::collections::{BTreeMap, BTreeSet};

/// Entries that an undo looks back over.
pub const BACK_MAX: u64 = 10_000;

/// Sentences of the undone call in the undo's entry.
const SENTENCES_MAX: usize = 6;
/// Characters of each sentence.
const SENTENCE_MAX: usize = 300;

/// Undoes the call of the entry that the table's call refers to, or the last change. The table's
/// `later` entries must be those of that call and every later one with changes; without an entry the
/// call is the [`candidate`], and of calls that changed nothing the last ones are there.
pub fn undo(table: &mut Table) -> Result<u64> {
    let later = std::mem::take(&mut table.later);
    let calls = calls(&later);
    let reader = Reader {
        state: table.state,
        readers: table.readers,
        numbers: &table.players_numbers,
    };
    let entry = table.referred.as_ref().map(|(seq, _)| *seq);
    let call = match entry {
        Some(seq) => {
            let found = calls
                .iter()
                .find(|call| (call.first..=call.last).contains(&seq));
            let name = reader.name(seq);
            let missing = || format!("Entry {name} was not found among the last {BACK_MAX}.");
            found.ok_or_else(|| Refusal::new(Code::UnknownEntry, missing()))?
        }
        None => reader.last_change(&calls)?,
    };
    let touched = reader.check_undoable(&calls, call)?;
    let changes: Vec<Change> = call
        .changes()
        .rev()
        .cloned()
        .map(Change::reversed)
        .collect();
    let characters = || touched.iter().filter_map(ChangeScope::character);
    let hidden =
        |state: &State| -> Vec<i64> { characters().filter(|id| state.is_hidden(*id)).collect() };
    let mut unseen =
        check_consistent(table.state, &changes, hidden).map_err(|why| match table.readers {
            Audience::Gm => why,
            // It may name or be about a hidden character.
            Audience::Player => Refusal::not_as_it_is(),
        })?;
    unseen.extend(hidden(table.state));
    let mut event = undone_event(table.state, call, &unseen);
    let is_hidden = |(_, entry): &(u64, Entry)| entry.visibility == Visibility::Gm;
    let reader = call
        .entries
        .iter()
        .find_map(|(_, entry)| entry.reader.clone());
    table.reader = reader.filter(|_| call.entries.iter().all(is_hidden));
    if let (Some(reader), None) = (&table.reader, call.undo()) {
        let seen = call.entries.iter();
        let seen = seen.filter_map(|(_, entry)| private_view(entry, reader.id));
        event.seen = first_few(seen.map(|seen| seen.text));
    }
    let visibility = if event.seen.is_empty() || table.reader.is_some() {
        Visibility::Gm
    } else {
        Visibility::Public
    };
    Ok(table.log(Draft {
        visibility,
        ..Draft::new("gm", Event::Undone(Box::new(event)), changes)
    }))
}

/// Whether an entry is of a call that changed nothing, by the changes since.
pub fn changed_nothing(changes: &[(u64, Entry)], (seq, entry): &(u64, Entry)) -> bool {
    let first = entry.call.unwrap_or(*seq);
    calls(changes)
        .iter()
        .find(|call| call.first == first)
        .is_none_or(LoggedCall::changed_nothing)
}

/// The first entry of the call that "the last change" means; of those that players saw something of
/// in that state, if one is given. Where earlier entries are missing (not `whole`), the first call
/// may be incomplete, so it does not count.
pub fn candidate(changes: &[(u64, Entry)], whole: bool, seen_in: Option<&State>) -> Option<u64> {
    let calls = calls(changes);
    last_candidate(
        calls.get(usize::from(!whole)..).unwrap_or_default(),
        seen_in,
    )
    .map(|call| call.first)
}

fn last_candidate<'c, 'e>(
    calls: &'c [LoggedCall<'e>],
    seen_in: Option<&State>,
) -> Option<&'c LoggedCall<'e>> {
    // A session that the GM began counts, one that the first write opened does not.
    let by_itself = |call: &LoggedCall| {
        call.begins()
            && call
                .entries
                .iter()
                .all(|(_, entry)| entry.actor == "system")
    };
    let is_done = |one: &LoggedCall| {
        one.undo().is_none() && one.undone_by.is_none() && one.changes().next().is_some()
    };
    let mut meant = calls
        .iter()
        .rev()
        .filter(|call| is_done(call) && !by_itself(call));
    meant.find(|call| seen_in.is_none_or(|state| call.is_seen(state)))
}

struct Reader<'s> {
    state: &'s State,
    readers: Audience,
    /// The players' numbers of entries that they see.
    numbers: &'s BTreeMap<u64, u64>,
}

impl Reader<'_> {
    /// The numbers of an entry, as those who read the refusal know it.
    fn name(&self, seq: u64) -> Numbers {
        let n = self.numbers.get(&seq).copied();
        match self.readers {
            Audience::Gm => Numbers::Gm(seq, n),
            Audience::Player => Numbers::Players(n.unwrap_or_default()),
        }
    }

    /// The same of a call: for players, of the first of its entries that they see.
    fn named(&self, call: &LoggedCall) -> Numbers {
        let is_seen = |seq: &u64| self.readers == Audience::Gm || self.numbers.contains_key(seq);
        let seqs = || call.entries.iter().map(|(seq, _)| *seq);
        self.name(seqs().find(is_seen).unwrap_or(call.first))
    }

    /// What "the last change" means. Players do not hear of a hidden one whose dice they saw.
    fn last_change<'c, 'e>(&self, calls: &'c [LoggedCall<'e>]) -> Result<&'c LoggedCall<'e>> {
        let last = last_candidate(calls, None);
        let is_passed = last.is_some_and(|last| {
            let mut later = calls.iter().filter(|call| call.first > last.first);
            !self.read(last) && later.any(|call| call.changed_nothing() && self.read(call))
        });
        let Some(meant) = (if is_passed {
            last_candidate(calls, Some(self.state))
        } else {
            last
        }) else {
            let summary = format!(
                "There is no change to undo among the last {BACK_MAX} entries: rolls and checks stay as they fell. Name an entry to mean \
                 another one."
            );
            return Err(Refusal::new(Code::NothingToUndo, summary));
        };
        self.check_newest(calls, meant).map(|()| meant)
    }
    fn read(&self, call: &LoggedCall) -> bool {
        self.readers == Audience::Gm || call.is_seen(self.state)
    }

    /// Refuses to take a change back for "the last change" where a later call changed nothing.
    fn check_newest(&self, calls: &[LoggedCall], change: &LoggedCall) -> Result<()> {
        let later = calls
            .iter()
            .rev()
            .take_while(|call| call.first > change.first);
        let mut later = later.filter(|call| self.read(call));
        let Some(newest) = later.find(|call| call.changed_nothing()) else {
            return Ok(());
        };
        let first = self.named(change);
        let onward = match self.check_undoable(calls, change) {
            Ok(_) => {
                let entry = first.first().argument();
                format!("To take that back, send manage_session action=\"undo\" entry={entry}.")
            }
            Err(_) => "That is not undone either: there is nothing to take back.".to_owned(),
        };
        let last = match self.readers {
            Audience::Gm => self.name(newest.last),
            Audience::Player => self.named(newest),
        };
        let (what, before) = (self.in_short(newest), self.in_short(change));
        let summary = format!(
            "{last} came last and changed nothing that could be put back: {what} The last change is {first}: {before} {onward}"
        );
        Err(Refusal::new(Code::NothingToUndo, summary))
    }

    fn in_short(&self, call: &LoggedCall) -> String {
        let entries = call.entries.iter().map(|(_, entry)| entry);
        shortened(&sentences(self.state, entries, self.readers).join(" "), 160)
    }

    fn check_undoable(&self, calls: &[LoggedCall], call: &LoggedCall) -> Result<Vec<ChangeScope>> {
        let first = self.named(call);
        if let Some(by) = call.undone_by {
            if self.readers == Audience::Player && !self.numbers.contains_key(&by) {
                return Err(Refusal::not_as_it_is());
            }
            let by = self.name(by);
            let entry = by.first().argument();
            let summary =
                format!("{first} is undone already, by {by}. Send entry={entry} to do it again.");
            return Err(Refusal::new(Code::AlreadyUndone, summary));
        }
        let touched = call.scopes();
        let has = |is: fn(&Event) -> bool| call.entries.iter().any(|(_, entry)| is(&entry.event));
        let why = match () {
            () if has(|event| matches!(event, Event::CampaignRenamed(_))) => {
                "gave the campaign its name, which is not undone. `rollbook campaigns rename` gives it another."
            }
            () if has(|event| matches!(event, Event::Revealed(_))) => {
                "opened an entry to players. What they have seen they know: that is not undone. Leave entry out for the last change."
            }
            () if call.begins() => {
                "is a beginning (of the campaign, of its rules or of a session), which is not undone. manage_session action=\"end\" \
                 ends a session."
            }
            () if touched.is_empty() => {
                "changed nothing that could be put back: dice stay as they fell. Send the entry of what followed from it, \
                 or leave entry out for the last change."
            }
            () => {
                return self
                    .check_unchanged(calls, call, &touched)
                    .map(|()| touched);
            }
        };
        Err(Refusal::new(Code::NothingToUndo, format!("{first} {why}")))
    }
    fn check_unchanged(
        &self,
        calls: &[LoggedCall],
        call: &LoggedCall,
        touched: &[ChangeScope],
    ) -> Result<()> {
        let first = call.first;
        // An undo and its call cancel out, where both are later.
        let cancelled = |later: &LoggedCall| later.undo().is_some_and(|event| event.entry > first);
        let counts = |later: &&LoggedCall| {
            later.first > first && later.undone_by.is_none() && !cancelled(later)
        };
        let since = calls.iter().filter(counts);
        let all = since.filter_map(|one| {
            Some((
                one,
                one.scopes()
                    .into_iter()
                    .find(|scope| touched.contains(scope))?,
            ))
        });
        let clash: Vec<(&LoggedCall, ChangeScope)> = all.collect();
        let Some((later, what)) = clash.iter().rfind(|(later, _)| self.read(later)) else {
            // Another change depends on what it changed.
            return if clash.is_empty() {
                Ok(())
            } else {
                Err(Refusal::not_as_it_is())
            };
        };
        let (what, by, short) = (
            what.name(self.state),
            self.named(later),
            self.in_short(later),
        );
        let (first, it) = (self.named(call), by.first());
        let why = format!(
            "{first} cannot be undone: {what} was changed since, by {by} ({short}). Undo {it} first."
        );
        Err(Refusal::new(Code::ChangedSince, why))
    }
}

/// The event of an undo. Players see the sentences that do not concern the `unseen`.
fn undone_event(state: &State, call: &LoggedCall, unseen: &[i64]) -> UndoneEvent {
    let (entry, last) = (call.first, call.last);
    if let Some(inner) = call.undo() {
        let hidden = || unseen.iter().filter_map(|id| state.characters.get(id));
        let names_nobody = |text: &&String| !hidden().any(|who| text.contains(who.name.as_str()));
        let seen = inner.seen.iter().filter(names_nobody).cloned().collect();
        let open = inner.open && unseen.is_empty();
        return UndoneEvent {
            entry,
            last,
            seen,
            open,
            again: !inner.again,
            ..inner.clone()
        };
    }
    let all = || call.entries.iter().map(|(_, entry)| entry);
    let open = unseen.is_empty() && all().all(|entry| is_fully_public(entry, state));
    let told = sentences(state, all(), Audience::Gm);
    let seen = first_few(all().filter_map(|entry| players_sentence(state, entry, unseen)));
    UndoneEvent {
        entry,
        last,
        told,
        seen,
        open,
        again: false,
    }
}

/// The sentence that players read again of an undone entry; `None`: about `unseen`, or never seen.
fn players_sentence(state: &State, entry: &Entry, unseen: &[i64]) -> Option<String> {
    let mut left = entry.clone();
    let concerns = |scope: ChangeScope| scope.character().is_some_and(|id| unseen.contains(&id));
    let is_left = left.event.hide(unseen).unwrap_or_else(|| {
        let about = entry.event.description().who;
        let concerned = || entry.changes.iter().filter_map(scope).any(concerns);
        about.iter().all(|subject| subject.is_none_of(unseen)) && !(about.is_empty() && concerned())
    });
    if !is_left {
        return None;
    }
    left.sentence(
        Audience::Player,
        left == *entry && is_fully_public(entry, state),
    )
}
fn sentences<'e>(
    state: &State,
    entries: impl Iterator<Item = &'e Entry>,
    readers: Audience,
) -> Vec<String> {
    let whole = |entry| readers == Audience::Gm || is_fully_public(entry, state);
    first_few(entries.filter_map(|entry| entry.sentence(readers, whole(entry))))
}

fn first_few(mut all: impl Iterator<Item = String>) -> Vec<String> {
    let mut shown: Vec<String> = all
        .by_ref()
        .take(SENTENCES_MAX)
        .map(|text| shortened(&text, SENTENCE_MAX))
        .collect();
    let more = all.count();
    if more > 0 {
        shown.push(format!("And {more} more."));
    }
    shown
}

/// How many of these entries an undo tells in this text, the first few and how many more there are;
/// `None` where it tells others. Each is its kind and its sentence; dice among them may be missing.
pub fn tells<'s>(text: &str, entries: impl Iterator<Item = (&'s str, &'s str)>) -> Option<usize> {
    let (mut rest, mut told) = (text, 0);
    let mut more: Option<usize> = None;
    for (many, (kind, sentence)) in (1..).zip(entries) {
        let is_dice = matches!(kind, "roll" | "roll_set");
        if let Some(more) = &mut more {
            *more = more.saturating_sub(usize::from(!is_dice));
        } else if let Some(left) = rest.strip_prefix(&*shortened(sentence, SENTENCE_MAX)) {
            (rest, told) = (left.trim_start(), told + 1);
            if told == SENTENCES_MAX {
                more = rest
                    .strip_prefix("And ")
                    .and_then(|rest| rest.strip_suffix(" more.")?.parse().ok());
            }
        } else if told == 0 || !is_dice {
            return None;
        }
        if more.map_or(rest.is_empty(), |more| more == 0) {
            return Some(many);
        }
    }
    None
}

/// Looks at the state with these changes, or refuses an inconsistent one. Copying it is slow.
fn check_consistent<T>(
    state: &mut State,
    changes: &[Change],
    look: impl FnOnce(&State) -> T,
) -> Result<T> {
    let applied = apply_agreeing(state, changes);
    let (loose, seen) = (dangling_reference(state, changes), look(state));
    state.revert(changes.get(..applied).unwrap_or_default());
    if applied < changes.len() {
        let summary = "What it changed is not as it left it any more. Undo what came after it first, from the last on.";
        return Err(Refusal::new(Code::ChangedSince, summary));
    }
    match loose {
        // An inconsistency from before is not caused by the undo.
        Some(why) if dangling_reference(state, changes).as_ref() != Some(&why) => Err(
            Refusal::new(Code::StillNeeded, format!("It cannot be undone: {why}.")),
        ),
        _ => Ok(seen),
    }
}

/// Applies these changes up to the first that does not agree with the state; returns how many.
pub fn apply_agreeing(state: &mut State, changes: &[Change]) -> usize {
    let mut apply = |change: &&Change| {
        let agrees = state.agrees(change);
        state.apply(if agrees {
            std::slice::from_ref(*change)
        } else {
            &[]
        });
        agrees
    };
    changes.iter().take_while(|change| apply(change)).count()
}

fn dangling_reference(after: &State, changes: &[Change]) -> Option<String> {
    let is_somebody = |id: i64| after.characters.contains_key(&id);
    let name = |id: i64| {
        let before = changes.iter().rev().find_map(|change| match change {
            Change::Character(images) => images.before.as_ref().filter(|row| row.id == id),
            _ => None,
        });
        before
            .or(after.characters.get(&id))
            .map_or("somebody", |row| row.name.as_str())
    };
    if let Some(row) = after
        .combatants
        .values()
        .find(|row| !is_somebody(row.character))
    {
        let name = name(row.character);
        return Some(format!(
            "{name} is in a fight. Take it out with manage_combat action=\"remove\" first"
        ));
    }
    let conditions = after
        .conditions
        .values()
        .flat_map(|row| std::iter::once(row.character).chain(row.caused_by));
    let owners = after
        .tracks
        .values()
        .map(|row| row.character)
        .chain(after.items.values().map(|row| row.character));
    if let Some(id) = owners.chain(conditions).find(|id| !is_somebody(*id)) {
        return Some(format!(
            "something of {0} or caused by {0} would be left without it",
            name(id)
        ));
    }
    let is_member = |id: i64| after.combatants.contains_key(&id);
    if after
        .combats
        .values()
        .any(|row| row.current.is_some_and(|id| !is_member(id)))
    {
        return Some("whoever acts now would not be in the fight. Pass the turn first".to_owned());
    }
    if after
        .combatants
        .values()
        .any(|row| !after.combats.contains_key(&row.combat))
    {
        return Some("somebody joined the fight since".to_owned());
    }
    let anchors = after
        .conditions
        .values()
        .filter_map(|row| Some((row, row.lasts.as_ref()?.anchor)));
    if let Some((row, _)) = anchors.into_iter().find(|(_, anchor)| !is_member(*anchor)) {
        return Some(format!(
            "{} on {} counts the turns of somebody who would be gone",
            row.name,
            name(row.character)
        ));
    }
    let mut names = BTreeSet::new();
    let twice = after
        .characters
        .values()
        .find(|row| !names.insert(fold(&row.name)))?;
    Some(format!(
        "there would be two called {}. Give one another name first",
        twice.name
    ))
}

/// The entries of a call but for those that opened campaign or session; of later
/// calls perhaps only those with changes.
struct LoggedCall<'e> {
    first: u64,
    last: u64,
    entries: &'e [(u64, Entry)],
    /// The undo of it that is not undone itself.
    undone_by: Option<u64>,
}

/// What a change concerns: a character's scores, tracks, conditions and items alike.
#[derive(Debug, Clone, PartialEq, Eq)]
enum ChangeScope {
    Campaign,
    Session,
    Character(i64),
    Combat,
    /// A combatant and its character.
    Combatant(i64, i64),
    Note(i64),
    Clock(String),
    Deck(String),
}
fn calls(entries: &[(u64, Entry)]) -> Vec<LoggedCall<'_>> {
    let of = |(seq, entry): &(u64, Entry)| entry.call.unwrap_or(*seq);
    let call = |entries| {
        let (first, last): (&(u64, Entry), &(u64, Entry)) =
            (<[_]>::first(entries)?, <[_]>::last(entries)?);
        Some(LoggedCall {
            first: of(first),
            last: last.0,
            entries,
            undone_by: None,
        })
    };
    let mut calls: Vec<LoggedCall> = entries
        .chunk_by(|a, b| of(a) == of(b))
        .filter_map(call)
        .collect();
    // From the end, since an undo that is undone itself does not count.
    let mut undone: BTreeMap<u64, u64> = BTreeMap::new();
    for call in calls.iter_mut().rev() {
        call.undone_by = undone.get(&call.first).copied();
        if let (Some(event), None) = (call.undo(), call.undone_by) {
            undone.insert(event.entry, call.first);
        }
    }
    calls
}

impl<'e> LoggedCall<'e> {
    fn changes(&self) -> impl DoubleEndedIterator<Item = &'e Change> + use<'e> {
        self.entries.iter().flat_map(|(_, entry)| &entry.changes)
    }
    fn undo(&self) -> Option<&'e UndoneEvent> {
        self.entries
            .first()
            .and_then(|(_, entry)| match &entry.event {
                Event::Undone(event) => Some(&**event),
                _ => None,
            })
    }

    fn begins(&self) -> bool {
        self.changes().any(|change| match change {
            Change::Campaign(_) => true,
            Change::Session(images) => images.before.is_none(),
            _ => false,
        })
    }

    /// Whether it was not undone and changed nothing: dice were rolled, and no more.
    fn changed_nothing(&self) -> bool {
        self.undo().is_none() && self.changes().next().is_none()
    }

    fn is_seen(&self, state: &State) -> bool {
        self.entries
            .iter()
            .any(|(_, entry)| is_seen_by_players(entry, state))
    }

    fn scopes(&self) -> Vec<ChangeScope> {
        let mut all = Vec::new();
        for scope in self.changes().filter_map(scope) {
            if !all.contains(&scope) {
                all.push(scope);
            }
        }
        all
    }
}

fn scope(change: &Change) -> Option<ChangeScope> {
    Some(match change {
        Change::Campaign(_) => ChangeScope::Campaign,
        Change::Session(_) => ChangeScope::Session,
        Change::Combat(_) => ChangeScope::Combat,
        Change::Character(images) => ChangeScope::Character(images.row()?.id),
        Change::Track(images) => ChangeScope::Character(images.row()?.character),
        Change::Condition(images) => ChangeScope::Character(images.row()?.character),
        Change::Item(images) => ChangeScope::Character(images.row()?.character),
        Change::Combatant(images) => images
            .row()
            .map(|row| ChangeScope::Combatant(row.id, row.character))?,
        Change::Note(images) => ChangeScope::Note(images.row()?.id),
        Change::Clock(images) => ChangeScope::Clock(images.row()?.name.clone()),
        Change::Deck(images) => ChangeScope::Deck(images.row()?.name.clone()),
    })
}

impl ChangeScope {
    fn character(&self) -> Option<i64> {
        match self {
            Self::Character(id) | Self::Combatant(_, id) => Some(*id),
            Self::Campaign
            | Self::Session
            | Self::Combat
            | Self::Note(_)
            | Self::Clock(_)
            | Self::Deck(_) => None,
        }
    }

    fn name(&self, state: &State) -> String {
        let name = |id: &i64| {
            state
                .characters
                .get(id)
                .map_or("somebody who is gone", |row| row.name.as_str())
        };
        match self {
            ChangeScope::Campaign => "the campaign".to_owned(),
            ChangeScope::Session => "the session".to_owned(),
            ChangeScope::Character(id) => name(id).to_owned(),
            ChangeScope::Combat => "the fight".to_owned(),
            ChangeScope::Combatant(_, id) => format!("{} in the fight", name(id)),
            ChangeScope::Note(id) => format!("the note #{id}"),
            ChangeScope::Clock(name) => name.clone(),
            ChangeScope::Deck(name) => format!("the deck {name}"),
        }
    }
}
