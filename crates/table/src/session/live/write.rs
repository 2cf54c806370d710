//! One write, inside its transaction: apply what others wrote, decide, seal, append.

use std::collections::BTreeMap;
use std::time::Instant;

use serde::Serialize;
use tokio::sync::oneshot;

use super::campaign::{By, End};
use super::history::Entries;
use super::player::{for_player, no_session, player_reply};
use super::request::Readers;
use super::{Answer, CallError, Common, Live, Refers, Request, given_up, marked, too_late};
use rollbook_game::decide::clock;
use rollbook_game::record::entry::{Entry, Visibility};
use rollbook_game::record::event::{Event, SessionEnded};
use rollbook_game::record::state::State;
use rollbook_game::refusal::{Code, Refusal};
use rollbook_game::table::{Chance as _, Table, Written};
use rollbook_game::view::Audience;
use rollbook_game::view::number::EntryNumber;
use rollbook_game::view::visibility::is_shown;
use rollbook_store::chain::SeenHead;
use rollbook_store::{Connection, Head, Identity, Remembered, Sealed, Turn, chain};
use rollbook_text::names::{quoted, suggest};

const SINCE_MAX: u32 = 100;
/// How long a client's id means one call: some gateways number anew in each conversation.
const RETRY: u64 = 10 * 60 * 1_000_000;

impl Live {
    /// Begins an attempt, whose dice are those that fell already.
    pub(super) fn begin(&mut self) {
        self.deciding = true;
        self.chance.again();
    }

    /// The answer that was to be committed when the server was lost, where the log has its entries.
    pub(super) async fn committed<T>(
        &mut self,
        log: &mut Turn,
        key: i64,
        sent: &mut Option<(Head, Answer<T>)>,
    ) -> Result<Option<Answer<T>>, CallError> {
        let Some((last, _)) = sent else {
            return Ok(None);
        };
        self.catch_up_locked(log, key).await?;
        let key = self.key();
        let is_there = log.chain(key, last.seq).await? == Some(last.chain);
        let answer = sent.take().filter(|_| is_there).map(|(_, answer)| answer);
        self.deciding = answer.is_none();
        Ok(answer)
    }

    /// Makes the call. On an error the caller rolls back; the state in memory is as before. The
    /// answer goes to `early` while a file's disk is at work, unless that needs what is on it.
    pub(super) async fn write<T, F>(
        &mut self,
        log: &mut Turn,
        mut request: Request,
        decide: F,
        end: End,
        by: By,
        early: &mut Option<oneshot::Sender<Answer<T>>>,
    ) -> Result<Option<Answer<T>>, CallError>
    where
        T: Serialize + Send,
        F: FnOnce(&mut Table) -> Result<Answer<T>, Refusal> + Clone + Send,
    {
        let at = by.at;
        if self.identity.is_none() || end.head != self.head || self.is_renamed() {
            self.catch_up_locked(log, end.key).await?;
        }
        self.look_for_loss(log, request.after).await?;
        let since = self.since(log, request.after).await?;
        if let Some(mut answer) = self.answered(log, &mut request, at).await? {
            if request.caller.player().is_some() {
                let common = Common {
                    replayed: true,
                    ..answer.common
                };
                let kept = Answer {
                    common,
                    is_whole: true,
                    ..answer
                };
                return Ok(Some(kept.without_proof()));
            }
            answer.common.since = since;
            return Ok(Some(answer.with_history_lost(self.history_lost())));
        }
        self.may_begin(&request.caller)?;
        let player = request.caller.player().map(str::to_owned);
        let loss = self.may_write(request.accepts_loss);
        if let Some(character) = &player {
            if loss.is_err() {
                return Err(Refusal::not_as_it_is().into());
            }
            if self.state.open_session().is_none() {
                return Err(no_session().into());
            }
            self.tried(character, at, &Entries::default(), decide.clone())?;
        }
        let loss = loss?;
        self.may_go_on(log, request.accepts_loss)
            .await
            .map_err(|closed| {
                if player.is_some() {
                    Refusal::not_as_it_is().into()
                } else {
                    closed
                }
            })?;
        self.may_grow(&request).map_err(|full| {
            if player.is_some() {
                Refusal::not_as_it_is()
            } else {
                full
            }
        })?;
        if let Some(name) = &request.new_name {
            self.check_name_free(log, name).await?;
        }
        let entries = self.looked_up(log, &request).await?;
        let numbers = match (&request.refers, entries.1.first(), entries.1.last()) {
            (Some(Refers::Undo(_)), Some((first, _)), Some((last, _))) => {
                log.players_numbers(self.key(), *first, *last).await?
            }
            _ => BTreeMap::new(),
        };
        let readers = request.caller.readers;
        let untried = self.tried_before_players(&request, at, &entries, decide.clone());
        if let (Readers::Players, Some(refusal)) = (readers, &untried) {
            return Err(refusal.clone().into());
        }
        let (referred, later) = entries;
        let sealed = self.sealed(log, &request).await?;
        let seen = if request.ends_session {
            Some(self.seen(log).await?)
        } else {
            None
        };
        let begins = self.identity.is_none() && (self.named || self.former.is_some());
        let beside = if begins {
            Some(log.names().await?)
        } else {
            None
        };
        let key = self.made_key(log, at).await?;
        let rules_before = self.rules_before(log).await?;

        // The last moment at which nothing has happened yet.
        if request.caller.gone.is_cancelled() {
            return Err(given_up());
        }
        let request_id = request.request_id.clone();
        let mut table = Table::new(
            &mut self.state,
            &self.setting,
            &mut self.chance,
            at,
            self.head.seq,
            request_id,
        );
        table.referred = referred;
        table.later = later;
        table.players_numbers = numbers;
        table.sealed = sealed;
        table.loss = loss;
        table.rules_before = rules_before;
        table.seat = request.caller.seat.as_ref().map(|seat| seat.key.clone());
        table.is_player = player.is_some() || readers == Readers::Players;
        table.readers = if readers.are_players() {
            Audience::Player
        } else {
            Audience::Gm
        };
        let undoes = request.undoes();
        // It is in the entry's body, which players may have.
        if player.is_none() && !request.implied {
            let id = request.request_id.as_deref();
            table.check_text(Visibility::Public, "request_id", id)?;
        }
        let decide = |table: &mut Table<'_>| {
            let answer = decide(table)?;
            clock::move_left(table);
            Ok(answer)
        };
        let decided = match &player {
            Some(_) => decide(&mut table).map_err(|_| Refusal::not_as_it_is()),
            // Its words are a player's.
            None if readers == Readers::Players && !undoes => {
                decide(&mut table).map_err(|_| Refusal::not_as_it_is())
            }
            None => {
                let decided =
                    decide(&mut table).and_then(|answer| table.check_exposure().map(|()| answer));
                decided.map_err(|real| match readers.are_players() && !undoes {
                    true => untried.unwrap_or_else(Refusal::not_as_it_is),
                    false => real,
                })
            }
        };
        if decided.is_err() {
            table.roll_back();
        }
        let mut answer = decided?;
        if player.is_some() {
            answer = player_reply(answer, &table);
        }
        let mut written = table.into_written();
        if let Some(last) = written.last_mut() {
            last.entry.discarded = self.chance.discarded();
        }
        if let Some(beside) = beside {
            self.announce_new(&mut answer.common, &beside);
        }
        if player.is_none() {
            self.name(&mut answer.common);
        }
        let is_read = player.is_some() || answer.common.player_text.is_some();
        if is_read && self.receipts.is_due(&player, &written) {
            answer.common.receipt_for_players = Some(String::new());
        }
        let marked = marked(&written);
        let kept = self.kept(&request, &answer, &mut written);
        let (kept, sealed) = match kept.and_then(|kept| Ok((kept, self.seal(written, seen)?))) {
            Ok(sealed) => sealed,
            Err(error) => {
                // The entries went with the attempt, so the next call reads the state anew.
                self.forget();
                return Err(error);
            }
        };
        let kept = request.request_id.as_deref().zip(kept.as_ref());
        let last = sealed.last().map(Sealed::head);
        if last.is_some() && Instant::now() > by.deadline {
            revert(&mut self.state, &sealed);
            return Err(too_late(by.limit));
        }
        let is_given = last.is_some_and(|last| answer.common.seal(last));
        let lost = self.history_lost();
        let mut answer = Some(answer);
        let early = early.take_if(|_| {
            let is_final = player.is_none() && !request.caller.counts && !request.accepts_loss;
            // A call whose server is lost meanwhile may be made anew, with another answer.
            is_final && last.is_some() && matches!(log, Turn::File(_))
        });
        let hand_over = async {
            if let Some(early) = early
                && let Some(mut answer) = answer.take()
            {
                answer.common.since = since.clone();
                // Where nobody waits for it any more, the call is made all the same.
                let _ = early.send(answer.with_history_lost(lost));
            }
        };
        let append = self.append(log, key, kept, &sealed);
        let (done, ()) = tokio::join!(biased; append, hand_over);
        if done.is_err() {
            revert(&mut self.state, &sealed);
        }
        if done.is_ok() && request.accepts_loss {
            self.loss = None;
        }
        done?;
        if let Some(answer) = &mut answer
            && request.caller.counts
            && let [first, .., last] | [first @ last] = sealed.as_slice()
        {
            log.fill_words(self.key()).await?;
            let numbers = log.players_numbers(self.key(), first.seq, last.seq).await?;
            let n = match readers.are_players() {
                true => numbers.values().next(),
                false => answer.common.log.and_then(|seq| numbers.get(&seq)),
            };
            answer.common.players_log = n.map(|n| EntryNumber::Players(*n));
        }
        self.receipts.note(&player, marked, self.head.seq, is_given);
        let Some(mut answer) = answer else {
            return Ok(None);
        };
        if player.is_some() {
            return Ok(Some(for_player(answer)));
        }
        answer.common.since = since;
        Ok(Some(answer.with_history_lost(self.history_lost())))
    }

    /// The answer to keep for a repeated call, bound to its last entry; its receipt comes later.
    fn kept<T: Serialize>(
        &mut self,
        request: &Request,
        answer: &Answer<T>,
        written: &mut [Written],
    ) -> Result<Option<Remembered>, CallError> {
        let (Some(_), Some(last)) = (&request.request_id, written.last_mut()) else {
            return Ok(None);
        };
        let reply = serde_json::to_string(answer)
            .map_err(|error| CallError::Failure(format!("a reply cannot be kept: {error}")))?;
        let kept = Remembered {
            tool: request.tool.to_owned(),
            arguments: request.arguments,
            seq: last.seq,
            reply,
            salt: self.chance.salt(),
        };
        last.entry.answer = Some(chain::answer(&kept));
        Ok(Some(kept))
    }

    /// Seals them; the end of a session names what players had `seen` before it.
    fn seal(
        &mut self,
        written: Vec<Written>,
        mut seen: Option<SeenHead>,
    ) -> Result<Vec<Sealed>, CallError> {
        let failed = |what: &dyn std::fmt::Display| {
            CallError::Failure(format!("an entry could not be sealed: {what}"))
        };
        let campaign: uuid::Uuid = self
            .setting
            .campaign_uuid
            .parse()
            .map_err(|error| failed(&error))?;
        let mut head = self.head;
        let mut sealed = Vec::with_capacity(written.len());
        for mut written in written {
            if let (Some(so_far), Event::SessionEnded(SessionEnded { seen, .. })) =
                (seen, &mut written.entry.event)
            {
                *seen = Some(so_far.named());
            }
            let next = chain::seal(
                &campaign,
                head,
                written.entry,
                &written.players,
                self.chance.salt(),
            );
            let next = next.map_err(|error| failed(&error))?;
            head = next.head();
            if let Some(seen) = seen.as_mut().filter(|_| is_shown(&next.public)) {
                seen.add(&chain::shown(&campaign, &next.public));
            }
            sealed.push(next);
        }
        Ok(sealed)
    }

    /// Writes them.
    async fn append(
        &mut self,
        log: &mut Turn,
        key: i64,
        kept: Option<(&str, &Remembered)>,
        sealed: &[Sealed],
    ) -> Result<(), CallError> {
        let Some(last) = sealed.last() else {
            return Ok(());
        };
        log.append(key, sealed, kept).await?;
        self.meter.entries.inc_by(sealed.len() as u64);
        self.head = last.head();
        self.bytes += sealed
            .iter()
            .map(|sealed| (sealed.body.len() + sealed.public.len()) as u64)
            .sum::<u64>();
        self.take_name();
        self.former = None;
        self.identity = Some(Identity {
            key,
            uuid: self.setting.campaign_uuid.clone(),
        });
        Ok(())
    }

    /// The key the campaign has or gets; with it, its UUID.
    async fn made_key(&mut self, log: &mut Connection, at: i64) -> Result<i64, CallError> {
        if let Some(identity) = &self.identity {
            return Ok(identity.key);
        }
        self.setting.campaign_uuid = self.chance.roll_id(at);
        Ok(log.next_key().await?)
    }

    /// The reply to the same call made before. A client's own id of another call is dropped.
    async fn answered<T>(
        &mut self,
        log: &mut Connection,
        request: &mut Request,
        at: i64,
    ) -> Result<Option<Answer<T>>, CallError> {
        let (Some(identity), Some(request_id)) = (&self.identity, &request.request_id) else {
            return Ok(None);
        };
        let Some((before, answered)) = log.recall(identity.key, request_id).await? else {
            return Ok(None);
        };
        let unreadable = |what: &dyn std::fmt::Display| {
            CallError::Failure(format!("a kept reply cannot be read: {what}"))
        };
        let bound = serde_json::from_slice::<Entry>(&answered.body)
            .map_err(|error| unreadable(&error))?
            .answer;
        let is_other = before.tool != request.tool || before.arguments != request.arguments;
        if request.implied && (is_other || at.abs_diff(answered.at) > RETRY) {
            request.request_id = None;
            return Ok(None);
        }
        if is_other {
            let summary = match request.caller.player() {
                Some(_) => {
                    "This request_id was used before for another call. Send a new request_id."
                        .to_owned()
                }
                None => format!(
                    "request_id \"{}\" was used before for another call ({}, entry #{}). Send a new request_id.",
                    quoted(request_id),
                    before.tool,
                    before.seq
                ),
            };
            return Err(Refusal::new(Code::RequestIdConflict, summary).into());
        }
        if bound != Some(chain::answer(&before)) {
            let summary = format!(
                "The answer kept for request_id \"{}\" is not the one that was given with entry #{}: the database was \
                 changed by hand. Run `rollbook verify`; the entry itself says what happened.",
                quoted(request_id),
                before.seq
            );
            return Err(Refusal::new(Code::Damaged, summary).into());
        }
        let mut answer = Answer::from_kept(&before.reply).map_err(|error| unreadable(&error))?;
        answer.common.seal(answered.head());
        Ok(Some(answer))
    }

    pub(super) fn name(&self, common: &mut Common) {
        if self.named {
            common.campaign = Some(self.setting.campaign.clone());
        }
    }

    /// Says that the call made the campaign: a misspelt name would begin a second game unnoticed.
    fn announce_new(&self, common: &mut Common, beside: &[String]) {
        let suggestions = suggest(&self.setting.campaign, beside.iter().map(String::as_str));
        let near = if suggestions.is_empty() {
            String::new()
        } else {
            format!(" (near: {})", suggestions.join(", "))
        };
        let before = self
            .before()
            .map_or(String::new(), |before| format!("{before} "));
        common.summary = format!(
            "A new campaign, \"{}\", is made by this call{near}. {before}{}",
            self.setting.campaign, common.summary
        );
    }

    /// What was written after the entry the caller knows.
    pub(super) async fn since(
        &mut self,
        log: &mut Connection,
        after: Option<u64>,
    ) -> Result<Vec<String>, CallError> {
        let (Some(after), Some(identity)) = (after, &self.identity) else {
            return Ok(Vec::new());
        };
        let entries = log.after(identity.key, after, SINCE_MAX).await?;
        let lines = entries.into_iter().map(|(seq, entry)| {
            let text = entry.sentence(Audience::Gm, true);
            format!("#{seq} {}", text.unwrap_or_default())
        });
        Ok(lines.collect())
    }
}

/// Takes back what was decided and not written.
fn revert(state: &mut State, sealed: &[Sealed]) {
    sealed
        .iter()
        .rev()
        .for_each(|sealed| state.revert(&sealed.entry.changes));
}
