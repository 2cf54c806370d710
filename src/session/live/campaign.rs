//! The handle that tools call. A write runs in a task of its own, so a client that drops its request leaves no half
//! transaction: the call is finished or taken back.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use serde_json::{Map, Value};
use tokio::sync::Mutex;

use super::{Answer, CallError, Live, Request, TIME_LIMIT, closed, too_late};
use crate::game::chance::Chance;
use crate::game::refusal::Refusal;
use crate::game::state::State;
use crate::game::table::{Setting, Table};
use crate::session::adventure::Adventure;
use crate::store::checkpoint::{self, Checkpoint};
use crate::store::sqlite::Sqlite;
use crate::store::{Head, Store};

/// A handle to a campaign; clones share it.
#[derive(Clone)]
pub struct Campaign {
    live: Arc<Mutex<Option<Live>>>,
    database: Arc<PathBuf>,
    clock: fn() -> i64,
}

/// What a reading call sees.
pub struct View<'a> {
    pub state: &'a State,
    pub setting: &'a Setting,
    pub head: Head,
}

impl Campaign {
    /// Opens the campaign of that name; it is made at its first write.
    ///
    /// # Errors
    /// What the store says.
    pub async fn open(
        store: Sqlite,
        adventure: Arc<Adventure>,
        name: String,
        database: PathBuf,
        chance: Box<dyn Chance>,
        clock: fn() -> i64,
    ) -> Result<Campaign, CallError> {
        let setting = adventure.setting(name);
        let mut live = Live {
            store,
            state: State::default(),
            head: Head::default(),
            identity: None,
            setting,
            chance,
            deciding: false,
        };
        live.refresh().await?;
        Ok(Campaign { live: Arc::new(Mutex::new(Some(live))), database: Arc::new(database), clock })
    }

    /// Makes one call: `decide` runs under the write lock and answers the reply's own fields.
    ///
    /// # Errors
    /// The refusal of `decide`, or of the store when it is busy or damaged; a failure when we broke. Nothing was written.
    pub async fn write<F>(&self, request: Request, decide: F) -> Result<Answer, CallError>
    where
        F: FnOnce(&mut Table) -> Result<Map<String, Value>, Refusal> + Send + 'static,
    {
        let (shared, clock) = (self.live.clone(), self.clock);
        let call = tokio::spawn(async move {
            let deadline = Instant::now() + TIME_LIMIT;
            let mut guard = tokio::time::timeout(TIME_LIMIT, shared.lock()).await.map_err(|_| too_late())?;
            let live = guard.as_mut().ok_or_else(closed)?;
            live.take_turn();
            let key = live.identity.as_ref().map_or(0, |identity| identity.key);
            let head = live.store.begin(key).await?;
            live.deciding = true;
            let answer = live.write(request, decide, clock(), head, deadline).await;
            live.deciding = false;
            if answer.is_err() {
                live.store.rollback().await?;
            }
            answer
        });
        call.await.unwrap_or_else(|error| Err(CallError::Failure(format!("the call stopped: {error}"))))
    }

    /// Looks at the campaign as it is now, other processes' writes included.
    ///
    /// # Errors
    /// The refusal of `look`, or what the store says.
    pub async fn read<T>(&self, look: impl FnOnce(&View) -> Result<T, Refusal>) -> Result<T, CallError> {
        let mut guard = self.live.lock().await;
        let live = guard.as_mut().ok_or_else(closed)?;
        live.take_turn();
        live.refresh().await?;
        let view = View { state: &live.state, setting: &live.setting, head: live.head };
        look(&view).map_err(CallError::from)
    }

    /// Plays by other rules from the next call on.
    pub async fn play_by(&self, adventure: &Adventure) {
        if let Some(live) = self.live.lock().await.as_mut() {
            let Setting { system, rules_hash, rules_files, .. } = adventure.setting(String::new());
            live.setting = Setting { system, rules_hash, rules_files, ..live.setting.clone() };
        }
    }

    /// Writes a checkpoint beside the database.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub async fn checkpoint(&self) -> Result<(), CallError> {
        let mut guard = self.live.lock().await;
        let live = guard.as_mut().ok_or_else(closed)?;
        live.take_turn();
        let Some(identity) = &live.identity else { return Ok(()) };
        let (book, name) = (live.store.book().await?, &live.setting.campaign);
        let line = Checkpoint::of(&self.database, book, &identity.uuid, name, live.head, (self.clock)());
        Ok(checkpoint::append(&self.database, &line)?)
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
