//! What a decision works with: the state, the rules, the time, the dice, the entries logged so far.
//!
//! An entry's changes are applied to the state as soon as it is logged, so the next step of the
//! same decision sees them. When the decision is refused or its commit fails, [`Table::roll_back`]
//! restores every before-image; the caller holds the campaign's lock meanwhile, so no other call
//! sees a part of it.

use crate::mechanics::decks::{self, Dealer, Dealt};
use crate::record::change::{Change, Images};
use crate::record::entry::{BODY_VERSION, Entry, RollRecord, Visibility};
use crate::record::event::{Event, RulesPart, SessionStarted, Subject};
use crate::record::state::{Deck, Session, State};
use crate::view::visibility::{Projection, VisibleEntry, project};
use crate::view::{Audience, secrets};
use crate::{mechanics::effects, record::loss::Loss, refusal::Refusal};
use rollbook_dice::{DiceError, EnteredRoller, Expression, Roll, Roller};
use rollbook_rules::{Effect, System};
use std::collections::BTreeMap;

/// The source of dice, roll ids, nonces and salts: the operating system, or a script in tests.
pub trait Chance: Send {
    /// The dice.
    fn roller(&mut self) -> &mut dyn Roller;

    /// A new roll id: a UUID of version 7 for that moment (microseconds since 1970).
    fn roll_id(&mut self, at: i64) -> String;

    /// 16 fresh random bytes as hex.
    fn nonce(&mut self) -> String;

    /// The salt of one entry's commitment.
    fn salt(&mut self) -> [u8; 32];
}

/// Dice alone, for rolls that are not recorded: ids, nonces and salts are empty.
pub struct Unrecorded<R>(pub R);

impl<R: Roller + Send> Chance for Unrecorded<R> {
    fn roller(&mut self) -> &mut dyn Roller {
        &mut self.0
    }

    fn roll_id(&mut self, _: i64) -> String {
        String::new()
    }

    fn nonce(&mut self) -> String {
        String::new()
    }

    fn salt(&mut self) -> [u8; 32] {
        [0; 32]
    }
}

/// The rules and names of the campaign.
#[derive(Debug, Clone)]
pub struct Setting {
    pub system: std::sync::Arc<System>,
    /// SHA-256 of the rules' files as hex; empty in a narrative adventure.
    pub rules_hash: String,
    pub rules_files: Vec<String>,
    pub rules_text: std::sync::Arc<Vec<RulesPart>>,
    /// The adventure's folder name.
    pub adventure: String,
    pub campaign: String,
    /// The campaign's UUID, which is stored at its first write.
    pub campaign_uuid: String,
    /// Characters that the campaign may have.
    pub characters_max: usize,
}

/// One call.
pub struct Table<'a> {
    pub state: &'a mut State,
    pub setting: &'a Setting,
    /// Microseconds since 1970-01-01T00:00:00Z.
    pub at: i64,
    /// The entry that the call refers to, with its number.
    pub referred: Option<(u64, Entry)>,
    /// The later entries that the call asked for: after that entry, after the first of those that
    /// it follows, or since the last advance.
    pub later: Vec<(u64, Entry)>,
    /// The entry that the call opens.
    pub sealed: Option<SealedEntry>,
    /// The loss of history that the call accepts.
    pub loss: Option<Loss>,
    /// The rules' text before these, where they changed and it is known.
    pub rules_before: Option<Vec<RulesPart>>,
    /// The id of the caller's key.
    pub seat: Option<String>,
    /// The caller is a player, whose own words tell players nothing.
    pub is_player: bool,
    /// Who reads the refusal of an undo, …
    pub readers: Audience,
    /// … and the players' numbers of the entries that it may name.
    pub players_numbers: BTreeMap<u64, u64>,
    /// For which player's character, beside the GM, what the call hides is.
    pub reader: Option<Subject>,
    chance: &'a mut dyn Chance,
    head: u64,
    request_id: Option<String>,
    written: Vec<Written>,
    /// The number of the call's own first entry.
    pub first_entry: Option<u64>,
    /// Notes for the reply.
    pub notes: Vec<String>,
    /// Moves of what all share, left for the end of the call.
    pub shared_moves: Vec<SharedMove>,
    /// What is out of decks after rolls that are not logged yet; `None`: decks are whole.
    dealt: Option<BTreeMap<String, Deck>>,
    /// The refusal of the first entry that would show players a hidden character's name.
    exposed: Option<Refusal>,
    is_read: bool,
}

/// An entry as it was sealed.
#[derive(Debug, Clone)]
pub struct SealedEntry {
    pub seq: u64,
    pub entry: Entry,
    /// As hex.
    pub salt: String,
    /// The bytes that were hashed.
    pub body: String,
    pub players: Option<VisibleEntry>,
    /// The entry by which it was opened already.
    pub opened_by: Option<u64>,
    /// The roll of which the entry's damage is, where players do not see it.
    pub hidden_roll: Option<u64>,
    /// It was taken back since.
    pub undone: bool,
}

/// A logged entry, with what players see of it in the state right after it.
pub struct Written {
    pub seq: u64,
    pub entry: Entry,
    pub players: Projection,
}

/// What is still to be moved of that which all share, since something happened to one person.
#[derive(Debug, Clone)]
pub struct SharedMove {
    pub effect: Effect,
    pub amount: i64,
    pub reason: String,
    pub seen: Visibility,
}

/// A decision's part of an entry; the table adds the rest.
pub struct Draft {
    pub visibility: Visibility,
    pub actor: String,
    pub event: Event,
    pub rolls: Vec<RollRecord>,
    pub changes: Vec<Change>,
    pub rule: Option<String>,
}

impl Draft {
    /// A public entry without rolls or rule.
    pub fn new(actor: &str, event: Event, changes: Vec<Change>) -> Self {
        Draft {
            visibility: Visibility::Public,
            actor: actor.to_owned(),
            event,
            rolls: Vec::new(),
            changes,
            rule: None,
        }
    }
}

impl<'a> Table<'a> {
    /// A call at `head`, the number of the log's last entry.
    pub fn new(
        state: &'a mut State,
        setting: &'a Setting,
        chance: &'a mut dyn Chance,
        at: i64,
        head: u64,
        request_id: Option<String>,
    ) -> Self {
        Table {
            state,
            setting,
            at,
            referred: None,
            later: Vec::new(),
            sealed: None,
            loss: None,
            rules_before: None,
            seat: None,
            is_player: false,
            readers: Audience::Gm,
            players_numbers: BTreeMap::new(),
            reader: None,
            chance,
            head,
            request_id,
            written: Vec::new(),
            first_entry: None,
            notes: Vec::new(),
            shared_moves: Vec::new(),
            dealt: Some(BTreeMap::new()),
            exposed: None,
            is_read: true,
        }
    }

    /// Nobody reads its entries, so what players would see of them is left out.
    pub fn unread(self) -> Self {
        Table {
            is_read: false,
            ..self
        }
    }

    /// Every roll draws from whole decks, as odds are of them, and nobody reads its entries.
    pub fn with_whole_decks(self) -> Self {
        Table {
            dealt: None,
            is_read: false,
            ..self
        }
    }

    /// The rules.
    pub fn system(&self) -> &'a System {
        &self.setting.system
    }

    /// Leaves moves of what all share for the end of the call.
    pub fn move_later(&mut self, moves: &[(Effect, i64)], reason: &str, seen: Visibility) {
        let shared = |(effect, amount)| SharedMove {
            effect,
            amount,
            reason: reason.to_owned(),
            seen,
        };
        self.shared_moves.extend(moves.iter().cloned().map(shared));
    }

    /// The id of what the next entry creates: its number.
    pub fn next_id(&mut self) -> i64 {
        self.open();
        i64::try_from(self.next_seq()).unwrap_or(i64::MAX)
    }

    fn next_seq(&self) -> u64 {
        self.head + self.written.len() as u64 + 1
    }

    /// Logs an entry, applies its changes, and returns its number. Hidden effects change in an
    /// entry of their own, for the GM. Then ends what characters held who can no longer act.
    pub fn log(&mut self, mut draft: Draft) -> u64 {
        let mut hidden = Vec::new();
        if draft.visibility != Visibility::Gm {
            hidden = effects::taken_hidden(&draft.event, &mut draft.changes);
        }
        // These entries need no open session, or open one.
        match draft.event {
            // The campaign is there, and who renames it does not know its rules.
            Event::CampaignRenamed(_) | Event::Restored(_)
            // So is what is opened after the evening; and with the others a log begins.
            | Event::Revealed(_) | Event::CampaignCreated(_) | Event::Continued(_) => {}
            Event::SessionStarted(_) | Event::LossAccepted(_) => self.open_campaign(),
            Event::Undone(_) if draft.changes.iter().any(|change| matches!(change, Change::Session(_))) => {
                self.open_campaign();
            }
            _ => self.open(),
        }
        if !draft.rolls.is_empty() {
            let dealt = self.dealt.as_mut().map(std::mem::take).unwrap_or_default();
            draft.changes.extend(decks::changes(self.state, dealt));
        }
        // From what restores an earlier state nothing follows.
        let holders = match draft.event {
            Event::Undone(_) | Event::TurnTakenBack(_) => Vec::new(),
            _ => effects::holders(self.state, self.system(), &draft.changes),
        };
        let open = draft.visibility == Visibility::Public;
        let seq = self.push(draft);
        self.first_entry.get_or_insert(seq);
        if let Some(event) = effects::of_hidden(self.state, &hidden) {
            self.push(Draft {
                visibility: Visibility::Gm,
                ..Draft::new("system", event, hidden)
            });
        }
        for holding in &holders {
            let since = self.next_id();
            if let Some((event, changes)) =
                effects::end_held(self.state, self.system(), holding, open, since)
            {
                let visibility = effects::visibility(&event);
                self.log(Draft {
                    visibility,
                    ..Draft::new("system", event, changes)
                });
            }
        }
        seq
    }

    /// Rolls an expression and returns its record.
    pub fn roll(
        &mut self,
        expression: &Expression,
        by: &str,
        purpose: &str,
    ) -> Result<RollRecord, DiceError> {
        self.roll_by(None, by, purpose, |roller| expression.roll(roller))
    }

    /// The same with another way to roll, or with dice that people rolled by hand.
    pub fn roll_by(
        &mut self,
        entered: Option<&mut EnteredRoller>,
        by: &str,
        purpose: &str,
        roll: impl FnOnce(&mut dyn Roller) -> Result<Roll, DiceError>,
    ) -> Result<RollRecord, DiceError> {
        let roller = entered.map_or_else(
            || self.chance.roller(),
            |entered| entered as &mut dyn Roller,
        );
        let source = roller.source().to_owned();
        let mut stays_drawn = false;
        let roll = match &mut self.dealt {
            None => roll(roller)?,
            Some(left) => {
                let row = |name: &str| left.get(name).or_else(|| self.state.decks.get(name));
                let mut dealer = Dealer::new(roller, &self.setting.system, row);
                let rolled = roll(&mut dealer)?;
                let Dealt { decks, drew, notes } = dealer.finish();
                // Until the roll is logged.
                left.extend(
                    decks
                        .into_iter()
                        .filter(|_| drew)
                        .map(|deck| (deck.name.clone(), deck)),
                );
                self.notes.extend(notes);
                stays_drawn = drew;
                rolled
            }
        };
        let (by, purpose, roll_id) = (
            by.to_owned(),
            purpose.to_owned(),
            self.chance.roll_id(self.at),
        );
        Ok(RollRecord {
            roll_id,
            by,
            purpose,
            roll,
            source,
            nonce: self.chance.nonce(),
            stays_drawn,
        })
    }

    /// Adds notes for the reply that are not logged: what had no effect or an unexpected one.
    pub fn note(&mut self, notes: impl IntoIterator<Item = String>) {
        self.notes.extend(notes);
    }

    /// The entries logged so far in this call.
    pub fn written(&self) -> &[Written] {
        &self.written
    }

    /// The entry of that number, where this call logged it.
    pub fn written_at(&self, seq: u64) -> Option<&Written> {
        self.written.iter().find(|written| written.seq == seq)
    }

    /// The call's own entries, without those that open the campaign or the session.
    pub fn call_entries(&self) -> impl Iterator<Item = &Written> {
        let first = self.first_entry.unwrap_or(u64::MAX);
        self.written
            .iter()
            .filter(move |written| written.seq >= first)
    }

    /// Refuses, before dice are rolled, a text for players with a hidden combatant or clock.
    pub fn check_text(
        &self,
        visibility: Visibility,
        parameter: &str,
        text: Option<&str>,
    ) -> Result<(), Refusal> {
        let text = text.filter(|_| !self.is_player);
        secrets::check_text(self.state, self.system(), visibility, parameter, text, None)
    }

    /// Refuses entries that would show players the name of a character hidden before or after the
    /// call, or of a clock hidden after it.
    pub fn check_exposure(&mut self) -> Result<(), Refusal> {
        let (state, system) = (&*self.state, self.system());
        let (unseen, clocks) = (
            secrets::hidden_names(state),
            secrets::hidden_clocks(state, system),
        );
        let names = |Written { entry, players, .. }: &Written| {
            secrets::check_entry(entry, players, state, system, &unseen)
        };
        let names_clock = |Written { entry, players, .. }: &Written| {
            secrets::check_clocks(entry, players, state, system, &clocks)
        };
        let found = self
            .exposed
            .clone()
            .or_else(|| self.call_entries().find_map(names));
        found
            .or_else(|| self.call_entries().find_map(names_clock))
            .map_or(Ok(()), Err)
    }

    /// Makes a step of the call, which is undone by itself. A refused one leaves nothing behind.
    pub fn step<T>(
        &mut self,
        decide: impl FnOnce(&mut Self) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        self.first_entry = None;
        let (written, notes) = (self.written.len(), self.notes.len());
        let made = decide(self).and_then(|made| self.check_exposure().map(|()| made));
        if made.is_err() {
            self.roll_back_to(written);
            self.notes.truncate(notes);
            self.shared_moves.clear();
            self.exposed = None;
        }
        made
    }

    /// Restores the state from before the call.
    pub fn roll_back(&mut self) {
        self.roll_back_to(0);
    }

    fn roll_back_to(&mut self, kept: usize) {
        self.dealt.iter_mut().for_each(BTreeMap::clear);
        for written in self.written.drain(kept..).rev() {
            self.state.revert(&written.entry.changes);
        }
    }

    /// Returns the entries; the state keeps their changes.
    pub fn into_written(self) -> Vec<Written> {
        self.written
    }

    /// Logs what must come first: the campaign, its rules, an open session.
    fn open(&mut self) {
        self.open_campaign();
        if self.state.open_session().is_none() {
            let number = self.next_session();
            let row = Session {
                number,
                title: None,
                started_at: self.at,
                ended_at: None,
            };
            let event = Event::SessionStarted(SessionStarted {
                number,
                title: None,
            });
            self.push(Draft::new(
                "system",
                event,
                vec![Change::Session(Images::made(row))],
            ));
        }
    }

    pub(crate) fn next_session(&self) -> u32 {
        self.state
            .sessions
            .keys()
            .next_back()
            .map_or(1, |last| last + 1)
    }

    pub(super) fn push(&mut self, draft: Draft) -> u64 {
        let unseen = self.is_read.then(|| secrets::hidden_names(self.state));
        let unseen: Vec<String> = unseen.into_iter().flatten().map(str::to_owned).collect();
        self.state.apply(&draft.changes);
        let session = self.state.sessions.keys().next_back().copied().unwrap_or(0);
        // What follows from it is the GM's.
        let is_asked_for = matches!(
            draft.event,
            Event::Note(_)
                | Event::Roll(_)
                | Event::RollSet(_)
                | Event::TableRoll(_)
                | Event::Check(_)
                | Event::Undone(_)
        );
        let is_hidden = draft.visibility == Visibility::Gm && is_asked_for;
        let entry = Entry {
            v: BODY_VERSION,
            at: self.at,
            session,
            visibility: draft.visibility,
            reader: self.reader.clone().filter(|_| is_hidden),
            actor: draft.actor,
            event: draft.event,
            rolls: draft.rolls,
            changes: draft.changes,
            rule: draft.rule,
            call: self.first_entry,
            request_id: self.request_id.clone(),
            seat: self.seat.clone(),
            discarded: Vec::new(),
            answer: None,
        };
        let seq = self.next_seq();
        let players = match self.is_read {
            true => project(&entry, self.state, Audience::Player),
            false => Projection::default(),
        };
        let unseen: Vec<&str> = unseen.iter().map(String::as_str).collect();
        let exposed = secrets::check_entry(&entry, &players, self.state, self.system(), &unseen);
        self.exposed = self.exposed.take().or(exposed);
        self.written.push(Written {
            seq,
            entry,
            players,
        });
        seq
    }
}
