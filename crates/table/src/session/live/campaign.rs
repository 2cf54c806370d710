//! The handle that tools call. A write is a task of its own, so a client that drops its request
//! leaves no half transaction.
//!
//! Writing calls wait in a queue. The first asks for the file's write lock again and again, and
//! leaves the campaign free in between: reading goes on, and a cancelled call leaves the queue.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;
use tokio::sync::{MappedMutexGuard, Mutex, MutexGuard, oneshot, watch};
use tokio_util::sync::CancellationToken;

use super::kept_dice::KeptDice;
use super::player::for_player;
use super::request::Readers;
use super::{
    Answer, CallError, Caller, Live, Past, Quota, Receipts, Request, closed, given_up, not_known,
    too_late, too_many,
};
use crate::session::adventure::Adventure;
use crate::session::meter::Meter;
use crate::session::os;
use crate::session::queue::{Line, Queue};
use rollbook_game::record::entry::Entry;
use rollbook_game::record::state::State;
use rollbook_game::refusal::{Code, Refusal};
use rollbook_game::table::{Chance, Setting, Table};
use rollbook_game::view::visibility::seen;
use rollbook_store::checkpoint::{self, Checkpoint};
use rollbook_store::{Head, Lent, Store, StoreError, Turn};

/// An open campaign; clones share it.
#[derive(Clone)]
pub struct Campaign {
    pub(super) live: Arc<Mutex<Option<Live>>>,
    /// Held by the call whose turn to write it is; taken before `live`.
    turn: Arc<Mutex<()>>,
    /// The number of the last entry that a write of this process knew.
    news: Arc<watch::Sender<u64>>,
    pub(super) store: Arc<Store>,
    pub(super) limit: Duration,
    clock: fn() -> i64,
    meter: Arc<Meter>,
    line: Line,
}

/// Bytes that an open campaign takes, …
pub const WEIGHT: usize = 64 * 1024;
/// … and each row of its state.
const ROW: usize = 1024;

/// A campaign that is opened: its name and limits, and where its commits are counted.
pub struct Opening {
    pub name: String,
    /// It is not the host's default, so replies say which it is.
    pub named: bool,
    pub limit: Duration,
    pub quota: Quota,
    pub meter: Arc<Meter>,
    pub queue: Queue,
}

/// When a call was made, and by when it has to be committed.
#[derive(Debug, Clone, Copy)]
pub(super) struct By {
    pub at: i64,
    pub deadline: Instant,
    pub limit: Duration,
}

struct Begun<'c> {
    log: Turn,
    guard: MutexGuard<'c, Option<Live>>,
    end: End,
}

/// The end of the log that a write found under the lock.
#[derive(Debug, Clone, Copy)]
pub(super) struct End {
    /// The campaign whose row is locked; 0 where none was known yet.
    pub key: i64,
    pub head: Head,
}

/// What a call that reads looks at, with the entries that its request asked for.
pub struct View<'a> {
    pub state: &'a State,
    pub setting: &'a Setting,
    pub head: Head,
    pub at: i64,
    /// The entry the call refers to with its number; then what came after it, if asked for.
    pub referred: Option<(u64, Entry)>,
    pub later: Vec<(u64, Entry)>,
    pub past: Past,
}

impl Campaign {
    /// Opens the campaign of that name; it is made at its first write.
    pub async fn open(
        store: Arc<Store>,
        adventure: Arc<Adventure>,
        opening: Opening,
        chance: Box<dyn Chance>,
        clock: fn() -> i64,
    ) -> Result<Campaign, CallError> {
        let (asked, quota) = (opening.name.clone(), opening.quota);
        let setting = Setting {
            characters_max: quota.characters,
            ..adventure.setting(opening.name)
        };
        let (state, head, named) = (State::default(), Head::default(), opening.named);
        let meter = opening.meter.clone();
        let (database, chance) = (store.location(), KeptDice::new(chance));
        let (identity, loss, former, deciding, bytes) = (None, None, None, false, 0);
        #[rustfmt::skip]
        let mut live =
            Live { database, state, head, identity, loss, setting, asked, former, quota, bytes, receipts: Receipts::default(), named, chance, deciding, meter };
        let mut patience = Patience::until(Instant::now() + opening.limit);
        // A first write looks itself for what others wrote meanwhile.
        if !store.is_new() {
            while let Err(error) = live.reading(&store).await {
                patience.pause_for(error).await?;
            }
        }
        let live = Arc::new(Mutex::new(Some(live)));
        let (turn, news) = (Arc::default(), Arc::new(watch::Sender::new(0)));
        let (limit, meter, line) = (opening.limit, opening.meter, opening.queue.line());
        Ok(Campaign {
            live,
            turn,
            news,
            store,
            limit,
            clock,
            meter,
            line,
        })
    }

    /// Whether it is in the database. Errors: it cannot be read.
    pub async fn exists(&self) -> Result<bool, CallError> {
        let (live, _) = self.reading().await?;
        Ok(live.identity.is_some())
    }

    /// The campaign up to date, with a connection. A lost server is tried for the time limit.
    pub(super) async fn reading(&self) -> Result<(MappedMutexGuard<'_, Live>, Lent), CallError> {
        let mut patience = Patience::until(Instant::now() + self.limit);
        loop {
            let mut live = MutexGuard::try_map(self.live.lock().await, Option::as_mut)
                .map_err(|_| closed())?;
            let error = match live.reading(&self.store).await {
                Ok(log) => return Ok((live, log)),
                Err(error) => error,
            };
            drop(live);
            patience.pause_for(error).await?;
        }
    }

    /// Brings the words by which its entries are found up to date.
    pub async fn index(&self) -> Result<(), CallError> {
        let key = {
            let (live, _) = self.reading().await?;
            live.identity.as_ref().map(|identity| identity.key)
        };
        match key {
            Some(key) => Ok(self.store.index(key).await?),
            None => Ok(()),
        }
    }

    pub(crate) async fn names(&self) -> Result<Vec<String>, CallError> {
        Ok(self.store.read().await?.names().await?)
    }

    /// The log's last number, as this process writes. It ends when the campaign is closed.
    pub fn news(&self) -> watch::Receiver<u64> {
        self.news.subscribe()
    }

    /// About how many bytes it takes while open; of a busy one, what an empty one takes.
    pub fn weight(&self) -> usize {
        let rows = self
            .live
            .try_lock()
            .ok()
            .and_then(|live| live.as_ref().map(|live| live.state.rows()));
        WEIGHT + rows.unwrap_or(0) * ROW
    }

    /// Whether nobody else holds a handle to it.
    pub fn is_idle(&self) -> bool {
        Arc::strong_count(&self.live) <= 1
    }

    /// Makes one call: `decide` runs under the write lock and answers. Errors: nothing was written.
    /// A request with a [`Commit`](super::Commit) is answered before it, and waits for that itself.
    pub async fn write<T, F>(&self, mut request: Request, decide: F) -> Result<Answer<T>, CallError>
    where
        T: Serialize + Send + 'static,
        F: FnOnce(&mut Table) -> Result<Answer<T>, Refusal> + Clone + Send + 'static,
    {
        if request.counts_for_players() {
            self.index().await?;
        }
        // The refusal of an undo names entries by the players' numbers, too.
        let mut lacks_numbers = request.undoes() && !request.counts_for_players();
        let commit = request.commit.take();
        let (early, decided) = oneshot::channel();
        let mut early = commit.is_some().then_some(early);
        let campaign = self.clone();
        // On the heap at once: a task is moved several times before it runs.
        let call = tokio::spawn(Box::pin(async move {
            let limit = campaign.limit;
            let by = By {
                at: campaign.now()?,
                deadline: Instant::now() + limit,
                limit,
            };
            let Some(_place) = campaign.line.enter() else {
                return Err(too_many());
            };
            let _turn = campaign
                .waited(campaign.turn.lock(), &request.caller, by)
                .await?;
            if let Some(live) = campaign.live.lock().await.as_mut() {
                live.chance.begin();
            }
            let (mut sent, mut patience) = (None, Patience::until(by.deadline));
            loop {
                let (asked, decide) = (request.clone(), decide.clone());
                let tried = async {
                    let Begun {
                        mut log,
                        mut guard,
                        end,
                    } = campaign.begun(&request, by).await?;
                    let live = guard.as_mut().ok_or_else(closed)?;
                    live.begin();
                    if let Some(answer) = live.committed(&mut log, end.key, &mut sent).await? {
                        return Ok(Some(answer));
                    }
                    let answer = live
                        .write(&mut log, asked, decide, end, by, &mut early)
                        .await;
                    campaign.ended(log, live, end.head, answer, &mut sent).await
                };
                match tried.await {
                    Err(CallError::Refusal(refusal))
                        if refusal.code == Code::Unreachable && patience.is_left() =>
                    {
                        tracing::warn!("{}", refusal.summary);
                        patience.pause().await;
                        if sent.is_some() {
                            // It is looked for, whether the answer is waited for or not.
                            request.caller.gone = CancellationToken::new();
                        }
                    }
                    // Nothing of it is known until the server is back; then it is asked for first.
                    Err(CallError::Refusal(refusal)) if sent.is_some() => {
                        return Err(not_known(refusal).into());
                    }
                    Err(CallError::Refusal(_)) if std::mem::take(&mut lacks_numbers) => {
                        campaign.index().await?;
                    }
                    tried => return tried,
                }
            }
        }));
        let stopped =
            |why: &dyn std::fmt::Display| CallError::Failure(format!("the call stopped: {why}"));
        // It comes early, or with the end of the call, which drops the channel.
        if let (Some(commit), Ok(answer)) = (commit, decided.await) {
            commit.waits_for(async move {
                let ended = call.await.unwrap_or_else(|error| Err(stopped(&error)));
                ended.map(drop)
            });
            return Ok(answer);
        }
        let answer = call.await.unwrap_or_else(|error| Err(stopped(&error)))?;
        answer.ok_or_else(|| stopped(&"its answer was taken"))
    }

    fn now(&self) -> Result<i64, Refusal> {
        os::valid((self.clock)()).map_err(|why| Refusal::new(Code::Clock, format!("{why}.")))
    }

    /// What is waited for, while the caller is there and the call has time.
    async fn waited<T>(
        &self,
        what: impl Future<Output = T>,
        caller: &Caller,
        by: By,
    ) -> Result<T, CallError> {
        self.meter.queue.inc();
        let waited = tokio::select! {
            biased;
            what = what => Ok(what),
            () = caller.gone.cancelled() => Err(given_up()),
            () = tokio::time::sleep_until(by.deadline.into()) => Err(too_late(by.limit)),
        };
        self.meter.queue.dec();
        waited
    }

    /// Commits a call's entries, or takes them back; `sent`: what was being committed at the loss.
    async fn ended<T>(
        &self,
        log: Turn,
        live: &mut Live,
        before: Head,
        answer: Result<Option<Answer<T>>, CallError>,
        sent: &mut Option<(Head, Answer<T>)>,
    ) -> Result<Option<Answer<T>>, CallError> {
        let last = live.head;
        let done = match &answer {
            Ok(_) if last != before => log
                .commit()
                .await
                .map(|nth| self.meter.commits.inc_by(u64::from(nth == 1)))
                .map(drop),
            Ok(_) | Err(_) => log.rollback().await,
        };
        live.deciding = false;
        if let Err(error) = done {
            // What was not committed is gone, and the state is read anew by the next call.
            live.forget();
            if let (StoreError::Lost(_), Ok(Some(answer))) = (&error, answer) {
                *sent = Some((last, answer));
            }
            return Err(error.into());
        }
        self.news
            .send_if_modified(|known| std::mem::replace(known, last.seq) != last.seq);
        answer
    }

    /// Begins a write; waits for another process's write lock as long as the caller waits.
    async fn begun(&self, request: &Request, by: By) -> Result<Begun<'_>, CallError> {
        let caller = &request.caller;
        let mut log = self.waited(self.store.turn(), caller, by).await??;
        let mut since: Option<Instant> = None;
        loop {
            let mut guard = self.live.lock().await;
            let live = guard.as_mut().ok_or_else(closed)?;
            live.take_turn();
            // The file is known to be sound before anything is written, however long that takes.
            if log.is_known() {
                let key = live.key();
                match log.begin_named(key, &live.setting.campaign).await {
                    Ok((key, head)) => {
                        return Ok(Begun {
                            log,
                            guard,
                            end: End { key, head },
                        });
                    }
                    Err(StoreError::Busy)
                        if since.get_or_insert_with(Instant::now).elapsed()
                            < self.store.patience() => {}
                    Err(error) => return Err(error.into()),
                }
            }
            drop(guard);
            if Instant::now() > by.deadline {
                return Err(too_late(by.limit));
            }
            tokio::select! {
                () = tokio::time::sleep(PAUSE) => {}
                () = caller.gone.cancelled() => return Err(given_up()),
            }
        }
    }

    /// Looks at the campaign as it is, with what came after the caller's entry. Waits for no write.
    pub async fn read<T>(
        &self,
        request: Request,
        mut look: impl FnMut(&View) -> Result<Answer<T>, Refusal>,
    ) -> Result<Answer<T>, CallError> {
        if request.counts_for_players() {
            self.index().await?;
        }
        let (mut live, mut log) = self.reading().await?;
        let (live, log, at) = (&mut *live, &mut *log, (self.clock)());
        live.look_for_loss_reading(log, request.after).await?;
        if let Some(character) = request.caller.player() {
            let past = live.past_for(log, request.wants, character).await?;
            let state = seen(&live.state, character);
            let (setting, head) = (&live.setting, Head::default());
            let view = View {
                state: &state,
                setting,
                head,
                at,
                referred: None,
                later: Vec::new(),
                past,
            };
            return Ok(for_player(look(&view)?));
        }
        let since = live.since(log, request.after).await?;
        let (referred, later) = live.looked_up(log, &request).await?;
        let past = live.past(log, request.wants).await?;
        let view = View {
            state: &live.state,
            setting: &live.setting,
            head: live.head,
            at,
            referred,
            later,
            past,
        };
        let mut answer = live.looked(request.caller.readers, view, look)?;
        live.name(&mut answer.common);
        answer.common.since = since;
        Ok(answer.with_history_lost(live.history_lost()))
    }

    /// State, setting and what the log lacks, as the caller knows them, to work something out.
    pub async fn snapshot(
        &self,
        caller: &Caller,
    ) -> Result<(State, Setting, Option<String>), CallError> {
        let (mut live, mut log) = self.reading().await?;
        let (live, log) = (&mut *live, &mut *log);
        live.look_for_loss(log, None).await?;
        Ok(match caller.player() {
            Some(character) => (seen(&live.state, character), live.setting.clone(), None),
            None if caller.readers == Readers::Players => {
                (seen(&live.state, ""), live.setting.clone(), None)
            }
            None => (
                live.state.clone(),
                live.setting.clone(),
                live.history_lost(),
            ),
        })
    }

    pub(crate) async fn play_by(&self, adventure: &Adventure) {
        if let Some(live) = self.live.lock().await.as_mut() {
            let Setting {
                system,
                rules_hash,
                rules_files,
                rules_text,
                ..
            } = adventure.setting(String::new());
            live.setting = Setting {
                system,
                rules_hash,
                rules_files,
                rules_text,
                ..live.setting.clone()
            };
        }
    }

    /// What its log is known to lack, in words; of one never made, what checkpoints know.
    pub async fn history_lost(&self) -> Option<String> {
        self.live.lock().await.as_ref().and_then(Live::history_lost)
    }

    /// Where there is no campaign of its name: what became of the one that had it, in words.
    pub async fn before(&self) -> Option<String> {
        self.live.lock().await.as_ref().and_then(Live::before)
    }

    /// Writes a checkpoint; `accepts_loss`: none above it counts. Answers what had to be repaired.
    pub async fn checkpoint(&self, accepts_loss: bool) -> Result<Option<String>, CallError> {
        let (live, mut log) = self.reading().await?;
        let Some(identity) = &live.identity else {
            return Ok(None);
        };
        let (book, name) = (log.book().await?, &live.setting.campaign);
        let database = self.store.location();
        let line = Checkpoint::of(
            &database,
            book,
            &identity.uuid,
            name,
            live.head,
            (self.clock)(),
        );
        let line = Checkpoint {
            loss_accepted: accepts_loss,
            ..line
        };
        log.keep_checkpoint(&line).await?;
        Ok(checkpoint::append(&database, &line)?)
    }

    /// Closes it; calls that come later are refused.
    pub async fn close(&self) {
        drop(self.live.lock().await.take());
    }
}

/// Between two attempts to get the file's write lock; the campaign is free for readers meanwhile.
const PAUSE: Duration = Duration::from_millis(5);
/// Between two attempts to reach a server that was lost, at most.
const PAUSE_MAX: Duration = Duration::from_secs(1);

/// How long a server that was lost is tried again, with longer and longer pauses.
struct Patience {
    deadline: Instant,
    pause: Duration,
}

impl Patience {
    fn until(deadline: Instant) -> Self {
        Patience {
            deadline,
            pause: PAUSE,
        }
    }

    fn is_left(&self) -> bool {
        Instant::now() + self.pause < self.deadline
    }

    /// Waits before the next attempt at a lost server. Errors: the same, where no time is left.
    async fn pause_for(&mut self, error: CallError) -> Result<(), CallError> {
        match error {
            CallError::Refusal(refusal) if refusal.code == Code::Unreachable && self.is_left() => {
                self.pause().await;
                Ok(())
            }
            error => Err(error),
        }
    }

    async fn pause(&mut self) {
        tokio::time::sleep(self.pause).await;
        self.pause = (self.pause * 2).min(PAUSE_MAX);
    }
}
