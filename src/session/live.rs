//! A campaign that is being played: its state in memory, its connection, its dice, behind one lock.
//!
//! A write runs in a task of its own, so a client that drops its request leaves no half transaction: the call is
//! finished or taken back. The order is always lock, transaction, head, what others wrote, decision, append, commit.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Map, Value};
use tokio::sync::Mutex;

use crate::game::chance::Chance;
use crate::game::refusal::Refusal;
use crate::game::state::State;
use crate::game::table::{Setting, Table};
use crate::game::visibility::{Audience, project};
use crate::session::adventure::Adventure;
use crate::store::sqlite::Sqlite;
use crate::store::{Head, Identity, Remembered, Sealed, Store, StoreError, chain, checkpoint};

/// Entries applied one by one when another process wrote; beyond that the tables are read anew.
const CATCH_UP_MAX: u32 = 1000;
/// Entries told to a caller that says what it knows.
const SINCE_MAX: u32 = 100;
/// How long a call may take up to its commit.
pub const TIME_LIMIT: Duration = Duration::from_secs(30);

/// What a call brings besides its own parameters.
#[derive(Debug, Clone, Default)]
pub struct Request {
    pub tool: &'static str,
    pub request_id: Option<String>,
    /// SHA-256 of the canonical arguments.
    pub arguments: [u8; 32],
    /// The last entry the caller knows.
    pub after: Option<u64>,
    /// The entry the call refers to.
    pub refers: Option<u64>,
}

/// The reply to a call.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    pub reply: Map<String, Value>,
    /// The same call was answered before, and nothing was done now.
    pub replayed: bool,
    /// What was written since the entry the caller knows: number and sentence.
    pub since: Vec<(u64, String)>,
}

/// A call that was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// The caller can act on it.
    #[error(transparent)]
    Refusal(#[from] Refusal),
    /// We broke; the words are for the log on stderr.
    #[error("{0}")]
    Failure(String),
}

impl From<StoreError> for CallError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Busy => {
                Refusal::new("busy", format!("{error}. Nothing was rolled. Send the same call again.")).into()
            }
            StoreError::Damaged { .. } => Refusal::new("damaged", format!("{error}. Nothing was rolled.")).into(),
            StoreError::Newer { .. } => Refusal::new("newer_schema", format!("{error}. Nothing was rolled.")).into(),
            other => CallError::Failure(other.to_string()),
        }
    }
}

/// What a reading call sees.
pub struct View<'a> {
    pub state: &'a State,
    pub setting: &'a Setting,
    pub head: Head,
}

/// A handle to a campaign; clones share it.
#[derive(Clone)]
pub struct Campaign {
    live: Arc<Mutex<Option<Live>>>,
    database: Arc<PathBuf>,
    clock: fn() -> i64,
}

struct Live {
    store: Sqlite,
    state: State,
    head: Head,
    /// `None` until the campaign's first write, here or in another process.
    identity: Option<Identity>,
    setting: Setting,
    chance: Box<dyn Chance>,
}

impl Campaign {
    /// Opens the campaign of that name; it is made at its first write.
    pub async fn open(
        store: Sqlite,
        adventure: Arc<Adventure>,
        name: String,
        database: PathBuf,
        chance: Box<dyn Chance>,
        clock: fn() -> i64,
    ) -> Result<Campaign, CallError> {
        let reading = &adventure.reading;
        let setting = Setting {
            system: Arc::new(reading.system.clone()),
            rules_hash: if reading.system.narrative { String::new() } else { reading.hash.clone() },
            rules_files: reading.sources.iter().map(|(_, file)| file.name.clone()).collect(),
            adventure: adventure.name.clone(),
            campaign: name,
            campaign_uuid: String::new(),
        };
        let mut live = Live { store, state: State::default(), head: Head::default(), identity: None, setting, chance };
        live.store.begin_read().await?;
        live.catch_up().await?;
        live.store.commit().await?;
        Ok(Campaign { live: Arc::new(Mutex::new(Some(live))), database: Arc::new(database), clock })
    }

    /// Makes one call: `decide` runs under the write lock and answers the reply's own fields.
    pub async fn write<F>(&self, request: Request, decide: F) -> Result<Answer, CallError>
    where
        F: FnOnce(&mut Table) -> Result<Map<String, Value>, Refusal> + Send + 'static,
    {
        let (shared, clock) = (self.live.clone(), self.clock);
        let call = tokio::spawn(async move {
            let deadline = Instant::now() + TIME_LIMIT;
            let mut guard = tokio::time::timeout(TIME_LIMIT, shared.lock()).await.map_err(|_| too_late())?;
            let live = guard.as_mut().ok_or_else(closed)?;
            let key = live.identity.as_ref().map_or(0, |identity| identity.key);
            let head = live.store.begin(key).await?;
            let answer = live.write(request, decide, clock(), head, deadline).await;
            if answer.is_err() {
                live.store.rollback().await?;
            }
            answer
        });
        match call.await {
            Ok(answer) => answer,
            Err(error) => {
                // The decision did not come to its end, so the state in memory may be half changed: read it anew.
                if let Some(live) = self.live.lock().await.as_mut() {
                    live.identity = None;
                    live.state = State::default();
                    live.head = Head::default();
                }
                Err(CallError::Failure(format!("the call stopped: {error}")))
            }
        }
    }

    /// Looks at the campaign as it is now, other processes' writes included.
    pub async fn read<T>(&self, look: impl FnOnce(&View) -> Result<T, Refusal>) -> Result<T, CallError> {
        let mut guard = self.live.lock().await;
        let live = guard.as_mut().ok_or_else(closed)?;
        live.refresh().await?;
        let view = View { state: &live.state, setting: &live.setting, head: live.head };
        look(&view).map_err(CallError::from)
    }

    /// Writes a checkpoint beside the database.
    pub async fn checkpoint(&self) -> Result<(), CallError> {
        let guard = self.live.lock().await;
        let live = guard.as_ref().ok_or_else(closed)?;
        match &live.identity {
            Some(identity) => Ok(checkpoint::append(&self.database, &identity.uuid, live.head, (self.clock)())?),
            None => Ok(()),
        }
    }

    /// Closes the connection; later calls are refused.
    pub async fn close(&self) {
        if let Some(live) = self.live.lock().await.take()
            && let Err(error) = live.store.close().await
        {
            tracing::warn!("the database was not closed in good order: {error}");
        }
    }
}

impl Live {
    /// The call inside its transaction. On an error the caller rolls back; the state is as before.
    async fn write<F>(
        &mut self,
        request: Request,
        decide: F,
        at: i64,
        head: Head,
        deadline: Instant,
    ) -> Result<Answer, CallError>
    where
        F: FnOnce(&mut Table) -> Result<Map<String, Value>, Refusal> + Send,
    {
        if self.identity.is_none() || head != self.head {
            self.catch_up().await?;
        }
        let since = self.since(request.after).await?;
        if let Some(answer) = self.replayed(&request).await? {
            self.store.rollback().await?;
            return Ok(Answer { since, ..answer });
        }
        let referred = self.referred(request.refers).await?;
        let key = self.prepare(at).await?;

        let uuid =
            self.setting.campaign_uuid.parse().map_err(|error| CallError::Failure(format!("campaign id: {error}")))?;
        let mut table = Table::new(
            &mut self.state,
            &self.setting,
            self.chance.as_mut(),
            at,
            self.head.seq,
            request.request_id.clone(),
        );
        table.referred = referred;
        let mut reply = match decide(&mut table) {
            Ok(reply) => reply,
            Err(refusal) => {
                table.undo_all();
                return Err(refusal.into());
            }
        };
        let written = table.into_written();
        let sealed = {
            let mut head = self.head;
            let mut sealed: Vec<Sealed> = Vec::with_capacity(written.len());
            for written in written {
                let next = chain::seal(&uuid, head, written.entry, &written.players, self.chance.salt())
                    .map_err(|error| CallError::Failure(format!("an entry could not be sealed: {error}")));
                match next {
                    Ok(next) => {
                        head = next.head();
                        sealed.push(next);
                    }
                    Err(error) => {
                        self.reload().await?;
                        return Err(error);
                    }
                }
            }
            sealed
        };
        let committed = self.commit(key, &request, &sealed, &mut reply, deadline).await;
        if committed.is_err() {
            for sealed in sealed.iter().rev() {
                self.state.revert(&sealed.entry.changes);
            }
        }
        committed?;
        if let Some(last) = sealed.last() {
            self.head = last.head();
            self.identity = Some(Identity { key, uuid: self.setting.campaign_uuid.clone() });
        }
        Ok(Answer { reply, replayed: false, since })
    }

    async fn commit(
        &mut self,
        key: i64,
        request: &Request,
        sealed: &[Sealed],
        reply: &mut Map<String, Value>,
        deadline: Instant,
    ) -> Result<(), CallError> {
        let Some(last) = sealed.last() else {
            self.store.rollback().await?;
            return Ok(());
        };
        reply.insert("receipt".to_owned(), Value::from(last.head().receipt()));
        self.store.append(key, sealed).await?;
        if let Some(request_id) = &request.request_id {
            let answer = Remembered {
                tool: request.tool.to_owned(),
                arguments: request.arguments,
                seq: last.seq,
                reply: Value::Object(reply.clone()).to_string(),
            };
            self.store.remember(key, request_id, &answer).await?;
        }
        if Instant::now() > deadline {
            return Err(too_late());
        }
        self.store.commit().await.map_err(CallError::from)
    }

    /// The key and the UUID the campaign has or gets.
    async fn prepare(&mut self, at: i64) -> Result<i64, CallError> {
        if let Some(identity) = &self.identity {
            return Ok(identity.key);
        }
        self.setting.campaign_uuid = self.chance.roll_id(at);
        Ok(self.store.next_key().await?)
    }

    async fn replayed(&mut self, request: &Request) -> Result<Option<Answer>, CallError> {
        let (Some(identity), Some(request_id)) = (&self.identity, &request.request_id) else { return Ok(None) };
        let Some(before) = self.store.recall(identity.key, request_id).await? else { return Ok(None) };
        if before.tool != request.tool || before.arguments != request.arguments {
            let summary = format!(
                "request_id \"{request_id}\" was used before for another call ({}, entry #{}). Nothing was rolled. Send a new request_id.",
                before.tool, before.seq
            );
            return Err(Refusal::new("request_id_conflict", summary).into());
        }
        let reply = serde_json::from_str(&before.reply)
            .map_err(|error| CallError::Failure(format!("a kept reply is unreadable: {error}")))?;
        Ok(Some(Answer { reply, replayed: true, since: Vec::new() }))
    }

    async fn referred(&mut self, refers: Option<u64>) -> Result<Option<crate::game::entry::Entry>, CallError> {
        let Some(seq) = refers else { return Ok(None) };
        let found = match &self.identity {
            Some(identity) if seq >= 1 && seq <= self.head.seq => self.store.after(identity.key, seq - 1, 1).await?,
            _ => Vec::new(),
        };
        match found.into_iter().next() {
            Some((_, entry)) => Ok(Some(entry)),
            None => {
                let summary = format!(
                    "There is no entry #{seq}; the last is #{}. Nothing was changed. Send the number a reply gave as log.",
                    self.head.seq
                );
                Err(Refusal::new("unknown_entry", summary).into())
            }
        }
    }

    async fn since(&mut self, after: Option<u64>) -> Result<Vec<(u64, String)>, CallError> {
        let (Some(after), Some(identity)) = (after, &self.identity) else { return Ok(Vec::new()) };
        let entries = self.store.after(identity.key, after, SINCE_MAX).await?;
        let told = entries.into_iter().map(|(seq, entry)| {
            let text = project(&entry, &self.state, Audience::Gm).seen.map_or(String::new(), |seen| seen.text);
            (seq, text)
        });
        Ok(told.collect())
    }

    /// Brings the state up to date outside a transaction, cheaply when nothing was written elsewhere.
    async fn refresh(&mut self) -> Result<(), CallError> {
        if let Some(identity) = &self.identity
            && self.store.head(identity.key).await? == self.head
        {
            return Ok(());
        }
        self.store.begin_read().await?;
        self.catch_up().await?;
        Ok(self.store.commit().await?)
    }

    /// Applies what other processes wrote since; call it inside a transaction.
    async fn catch_up(&mut self) -> Result<(), CallError> {
        if self.identity.is_none() {
            let Some(identity) = self.store.find(&self.setting.campaign).await? else { return Ok(()) };
            self.setting.campaign_uuid = identity.uuid.clone();
            self.identity = Some(identity);
            return self.reload().await;
        }
        let Some(identity) = self.identity.clone() else { return Ok(()) };
        let head = self.store.head(identity.key).await?;
        if head == self.head {
            return Ok(());
        }
        if head.seq <= self.head.seq || head.seq - self.head.seq > u64::from(CATCH_UP_MAX) {
            return self.reload().await;
        }
        for (_, entry) in self.store.after(identity.key, self.head.seq, CATCH_UP_MAX).await? {
            self.state.apply(&entry.changes);
        }
        self.head = head;
        Ok(())
    }

    async fn reload(&mut self) -> Result<(), CallError> {
        let Some(identity) = self.identity.clone() else {
            self.state = State::default();
            self.head = Head::default();
            return Ok(());
        };
        self.state = self.store.load(identity.key).await?;
        self.head = self.store.head(identity.key).await?;
        if let Some(campaign) = &self.state.campaign {
            self.setting.campaign = campaign.name.clone();
        }
        Ok(())
    }
}

fn too_late() -> CallError {
    let summary = format!(
        "The call took longer than {} seconds and was taken back. Nothing was rolled. Send it again.",
        TIME_LIMIT.as_secs()
    );
    Refusal::new("timed_out", summary).into()
}

fn closed() -> CallError {
    Refusal::new("closed", "The server is shutting down. Nothing was rolled. Connect again.").into()
}
