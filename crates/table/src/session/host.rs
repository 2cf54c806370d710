//! What a server holds: one adventure, one database, and the campaigns opened in it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Mutex, watch};
use tokio::task::{JoinError, JoinHandle};

use crate::session::adventure::Adventure;
use crate::session::keyring::Keyring;
use crate::session::live::{CallError, Campaign, Opening, Quota, TIME_LIMIT, WEIGHT};
use crate::session::meter::Meter;
use crate::session::os::{self, OsChance};
use crate::session::queue::Queue;
use crate::session::rulebook::Rulebook;
use crate::session::{Questions, ReplyDetail};
use rollbook_game::limits;
use rollbook_game::refusal::{Code, Refusal};
use rollbook_game::table::Chance;
use rollbook_store::location::Location;
use rollbook_store::sqlite;
use rollbook_store::{Store, opened, transfer};
use rollbook_text::names::{fold, misspelt, quoted, same, suggest};

/// Makes the chance of a campaign: the operating system's, or a script in tests.
pub type ChanceMaker = Box<dyn Fn() -> Result<Box<dyn Chance>, String> + Send + Sync>;

/// The adventures that come with the program, for a table where none is played yet.
pub struct Offers {
    /// Each by its name, with what it is.
    pub all: Vec<(&'static str, &'static str)>,
    /// Writes one, by its name, into the one folder where it may lie, and says which that is.
    pub write: WriteAdventure,
}

type WriteAdventure = Box<dyn Fn(&str) -> Result<PathBuf, String> + Send + Sync>;

/// Bytes for a server's open campaigns; the longest unused make room for another.
const MEMORY: usize = 160 * 1024 * 1024;
/// The refusal where no file may be written for a call.
const NOT_OFFERED: &str = "An adventure is begun over standard input and output, or in `rollbook play`: here one is named when the server is started, with --adventure.";
/// How long a server that ends waits for a backup that is being made.
const BACKUP_LIMIT: Duration = Duration::from_secs(20);

/// What a call wants of a campaign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To look at it; there must be one.
    Read,
    /// To write; it is made when there is none.
    Write,
}

struct Open {
    campaign: Campaign,
    used: u64,
}

#[derive(Default)]
struct Shelf {
    open: BTreeMap<String, Open>,
    calls: u64,
    /// Campaigns that are being opened, each with the turns of those who want it.
    opening: BTreeMap<String, Arc<Mutex<()>>>,
    store: Option<Arc<Store>>,
}

impl Shelf {
    fn open(&mut self, key: &str) -> Option<Campaign> {
        self.calls += 1;
        let open = self.open.get_mut(key)?;
        open.used = self.calls;
        Some(open.campaign.clone())
    }
}

/// The adventure, the database and the open campaigns. The first call that needs it opens it.
pub struct Host {
    rulebook: Rulebook,
    pub database: Location,
    /// Of calls that name none; without it the adventure names it.
    default_campaign: Option<String>,
    /// What may be begun where no adventure is played; `None` where no file is written for a call.
    pub offers: Option<Offers>,
    pub time_limit: Duration,
    pub quota: Quota,
    /// How much a reply says to a call that does not say how much it wants.
    pub detail: ReplyDetail,
    pub questions: Questions,
    /// Bytes that the open campaigns may take, as far as that can be told.
    pub memory: usize,
    pub backs_up: bool,
    pub meter: Arc<Meter>,
    queue: Queue,
    pub keyring: Keyring,
    chance: ChanceMaker,
    clock: fn() -> i64,
    is_thrown_away: bool,
    shelf: Mutex<Shelf>,
    /// The backups that are being made, and those of which nobody knows yet.
    backups: Mutex<Vec<JoinHandle<Result<(), String>>>>,
    /// Those of a server's campaigns are made one after the other.
    backing_up: Arc<Mutex<()>>,
    /// The server ends, and nobody waits for news any more.
    waits_end: watch::Sender<bool>,
}

impl Host {
    /// A host with the operating system's dice and clock; nothing is opened yet.
    pub fn of_this_computer(
        adventure: Adventure,
        database: impl Into<Location>,
        default_campaign: Option<String>,
    ) -> Self {
        let chance = || OsChance::new().map(|chance| Box::new(chance) as Box<dyn Chance>);
        Host::new(
            adventure,
            database,
            default_campaign,
            Box::new(chance),
            os::now,
        )
    }

    /// A host with its own chance and clock; without a name, the adventure names the campaign.
    pub fn new(
        adventure: Adventure,
        database: impl Into<Location>,
        default_campaign: Option<String>,
        chance: ChanceMaker,
        clock: fn() -> i64,
    ) -> Self {
        let database = database.into();
        Host {
            rulebook: Rulebook::fixed(adventure),
            keyring: Keyring::new(&database),
            database,
            default_campaign,
            offers: None,
            time_limit: TIME_LIMIT,
            quota: Quota::default(),
            detail: ReplyDetail::default(),
            questions: Questions::default(),
            memory: MEMORY,
            backs_up: true,
            meter: Arc::default(),
            queue: Queue::default(),
            chance,
            clock,
            is_thrown_away: false,
            shelf: Mutex::default(),
            backups: Mutex::default(),
            backing_up: Arc::default(),
            waits_end: watch::Sender::new(false),
        }
    }

    /// The same host for throw-away campaigns: what is written may be lost in a power failure.
    pub fn thrown_away(mut self) -> Self {
        self.is_thrown_away = true;
        self
    }

    /// The same host with rules that are read again when the author saves.
    pub fn following_saves(mut self) -> Self {
        self.rulebook = self.rulebook.followed();
        self
    }

    /// What the clock says, in microseconds since 1970.
    pub fn now(&self) -> i64 {
        (self.clock)()
    }

    /// The adventure with the rules that are played by now.
    pub fn adventure(&self) -> Arc<Adventure> {
        self.rulebook.adventure()
    }

    /// The campaign of calls that name none.
    pub fn default_campaign(&self) -> String {
        let named = self.default_campaign.clone();
        named.unwrap_or_else(|| self.adventure().name.clone())
    }

    /// Writes an adventure of the [`Offers`] and plays it from here on, where none is played yet.
    /// Errors: one is played; nothing is offered; no such name; it cannot be written.
    pub async fn begin(&self, name: &str) -> Result<Arc<Adventure>, Refusal> {
        let refused = |summary: String| Refusal::new(Code::InvalidParameters, summary);
        let played = self.adventure();
        if !played.reading.system.narrative {
            return Err(refused(format!(
                "{} is played here already. Another is begun in another folder, or by a start with --adventure NAME.",
                quoted(&played.name)
            )));
        }
        let Some(offers) = &self.offers else {
            return Err(self.not_offered());
        };
        let names = || offers.all.iter().map(|(name, _)| *name);
        let Some(found) = names().find(|known| same(known, name)) else {
            let near = misspelt(name, names())
                .map_or(".".to_owned(), |near| format!("; did you mean {near}?"));
            let summary = format!(
                "No adventure \"{}\" comes with the program{near} There are {}.",
                quoted(name),
                names().collect::<Vec<_>>().join(", ")
            );
            return Err(refused(summary).did_you_mean(suggest(name, names())));
        };
        let folder = (offers.write)(found).map_err(|why| refused(format!("{why}.")))?;
        let adventure = Arc::new(Adventure::read(&folder).map_err(refused)?);
        self.rulebook.replace(adventure.clone());
        for open in self.shelf.lock().await.open.values() {
            open.campaign.play_by(&adventure).await;
        }
        Ok(adventure)
    }

    /// The refusal where no file may be written for a call.
    pub(crate) fn not_offered(&self) -> Refusal {
        Refusal::new(Code::InvalidParameters, NOT_OFFERED)
    }

    /// Whether the rules are read again when the author saves.
    pub fn follows_saves(&self) -> bool {
        self.rulebook.is_followed()
    }

    /// Plays by the rules as they are saved now; call it before each call.
    pub async fn reload_if_changed(&self) {
        if let Some(adventure) = self.rulebook.reload_if_changed().await {
            for open in self.shelf.lock().await.open.values() {
                open.campaign.play_by(&adventure).await;
            }
        }
    }

    pub(crate) async fn notices(&self) -> Vec<String> {
        let mut notices = self.rulebook.notices().await;
        let mut backups = self.backups.lock().await;
        for ended in backups.extract_if(.., |backup| backup.is_finished()) {
            notices.extend(failed(ended.await));
        }
        notices
    }

    /// Begins a backup; on a server of the campaign alone. The next reply says when one failed.
    pub async fn back_up(&self, campaign: Option<&str>) {
        if !self.backs_up {
            return;
        }
        let mut backups = self.backups.lock().await;
        let now = self.now();
        match &self.database {
            Location::File(file) => {
                if backups.iter().all(JoinHandle::is_finished) {
                    let database = file.clone();
                    backups.push(tokio::spawn(async move {
                        let made = sqlite::back_up(&database, now).await;
                        made.map(drop).map_err(|error| error.to_string())
                    }));
                }
            }
            Location::Server(server) => {
                let (server, turn) = (server.clone(), self.backing_up.clone());
                let campaign = campaign.map_or_else(|| self.default_campaign(), str::to_owned);
                backups.push(tokio::spawn(async move {
                    let _turn = turn.lock().await;
                    transfer::back_up(&server, &campaign, now)
                        .await
                        .map(drop)
                        .map_err(|error| {
                            // The next reply may be another table's.
                            tracing::warn!(
                                "no backup of campaign \"{}\" was made: {error}",
                                quoted(&campaign)
                            );
                            "the server's standard error says why".to_owned()
                        })
                }));
            }
        }
    }

    /// The campaign of that name, opened on first use; `None`: the default, though not made yet.
    pub async fn campaign(
        &self,
        name: Option<&str>,
        purpose: Purpose,
    ) -> Result<Campaign, CallError> {
        let default = self.default_campaign();
        let name = name.unwrap_or(&default);
        limits::name("campaign", name)?;
        let key = fold(name);
        let named = key != fold(&default);
        let must_exist = named && purpose == Purpose::Read;
        let mut shelf = self.shelf.lock().await;
        if !shelf.opening.contains_key(&key)
            && let Some(campaign) = shelf.open(&key)
        {
            drop(shelf);
            return self.existing(campaign, name, must_exist).await;
        }
        // Those who want the same campaign wait here in order; those who want others go on.
        let opening = shelf.opening.entry(key.clone()).or_default().clone();
        let store = self.store(&mut shelf).await;
        drop(shelf);
        let turn = opening.lock().await;
        let campaign = match store {
            Ok(store) => self.open(store, &key, name, must_exist).await,
            Err(error) => Err(error),
        };
        let mut shelf = self.shelf.lock().await;
        drop(turn);
        // The shelf has one handle, and this call the other.
        if Arc::strong_count(&opening) <= 2 {
            shelf.opening.remove(&key);
        }
        campaign
    }

    /// A campaign that is open; a write to it may have been refused, and then it was never made.
    async fn existing(
        &self,
        campaign: Campaign,
        name: &str,
        must_exist: bool,
    ) -> Result<Campaign, CallError> {
        if must_exist && !campaign.exists().await? {
            Err(self.unknown(&campaign, name).await)
        } else {
            Ok(campaign)
        }
    }

    /// Opens a campaign, unless another has meanwhile.
    async fn open(
        &self,
        store: Arc<Store>,
        key: &str,
        name: &str,
        must_exist: bool,
    ) -> Result<Campaign, CallError> {
        let open = self.shelf.lock().await.open(key);
        if let Some(campaign) = open {
            return self.existing(campaign, name, must_exist).await;
        }
        let adventure = self.adventure();
        let named = key != fold(&self.default_campaign());
        let chance = (self.chance)().map_err(CallError::Failure)?;
        let (limit, quota) = (self.time_limit, self.quota);
        let (meter, queue) = (self.meter.clone(), self.queue.clone());
        let opening = Opening {
            name: name.trim().to_owned(),
            named,
            limit,
            quota,
            meter,
            queue,
        };
        let campaign =
            Campaign::open(store, adventure.clone(), opening, chance, self.clock).await?;
        if must_exist && !campaign.exists().await? {
            let unknown = self.unknown(&campaign, name).await;
            campaign.close().await;
            return Err(unknown);
        }
        let mut shelf = self.shelf.lock().await;
        make_room(&mut shelf, self.memory).await?;
        if !Arc::ptr_eq(&adventure, &self.adventure()) {
            // The author saved meanwhile.
            campaign.play_by(&self.adventure()).await;
        }
        let used = shelf.calls;
        shelf.open.insert(
            key.to_owned(),
            Open {
                campaign: campaign.clone(),
                used,
            },
        );
        Ok(campaign)
    }

    /// Whether the database can be used: the default campaign can be read, or there is none yet.
    pub async fn is_ready(&self) -> Result<(), String> {
        if !self.database.exists() {
            return Ok(());
        }
        let ready = async {
            self.campaign(None, Purpose::Read).await?.exists().await?;
            let store = self.store(&mut *self.shelf.lock().await).await?;
            Ok::<_, CallError>(store.is_writable().await?)
        };
        ready.await.map_err(|error| error.to_string())
    }

    /// Looks, before anybody calls, whether a server's database is one that can be used.
    pub async fn look_at_database(&self) -> Result<(), String> {
        opened::look(&self.database)
            .await
            .map_err(|error| error.to_string())
    }

    /// Does what the first call of a new database would wait for, and makes no file.
    pub async fn prepare(&self) {
        if let Location::File(file) = &self.database
            && !file.exists()
            && let Err(error) = sqlite::prepare().await
        {
            tracing::warn!("A new database could not be prepared: {error}");
        }
    }

    async fn store(&self, shelf: &mut Shelf) -> Result<Arc<Store>, CallError> {
        if let Some(store) = &shelf.store {
            return Ok(store.clone());
        }
        let store = match &self.database {
            Location::File(file) if self.is_thrown_away => {
                sqlite::open_throw_away(file).await?.into()
            }
            database => Store::open(database).await?,
        };
        Ok(shelf.store.insert(Arc::new(store)).clone())
    }

    async fn unknown(&self, campaign: &Campaign, name: &str) -> CallError {
        let names = match campaign.names().await {
            Ok(names) => names,
            Err(error) => return error,
        };
        let suggestions = suggest(name, names.iter().map(String::as_str));
        let hint = match suggestions.first() {
            Some(first) => format!(
                " Near: {}. Send campaign=\"{first}\", or",
                suggestions.join(", ")
            ),
            None => String::from(" Send"),
        };
        // Checkpoints may know it though the database does not.
        let known = campaign.history_lost().await.or(campaign.before().await);
        let lost = known.map_or(String::new(), |known| format!(" {known}"));
        let summary = format!(
            "There is no campaign \"{}\".{lost}{hint} no campaign at all for \"{}\". A call that writes makes a new one.",
            quoted(name),
            self.default_campaign()
        );
        Refusal::new(Code::UnknownCampaign, summary)
            .did_you_mean(suggestions)
            .into()
    }

    /// Lets calls that wait for news answer what there is: the server ends.
    pub fn end_waits(&self) {
        self.waits_end.send_replace(true);
    }

    pub(crate) async fn waits_end(&self) {
        let _ = self.waits_end.subscribe().wait_for(|end| *end).await;
    }

    /// Closes every campaign, after a running backup: the last writer merges the database's log.
    pub async fn close(&self) {
        let backups = std::mem::take(&mut *self.backups.lock().await);
        let ended = async {
            for backup in backups {
                failed(backup.await)
                    .into_iter()
                    .for_each(|why| tracing::warn!("{why}"));
            }
        };
        if tokio::time::timeout(BACKUP_LIMIT, ended).await.is_err() {
            tracing::warn!("the backup of the database was broken off");
        }
        self.keyring.close().await;
        let shelf = std::mem::take(&mut *self.shelf.lock().await);
        for open in shelf.open.into_values() {
            open.campaign.close().await;
        }
        if let Some(store) = shelf.store
            && let Err(error) = store.close().await
        {
            tracing::warn!("the database was not closed in good order: {error}");
        }
    }
}

fn failed(ended: Result<Result<(), String>, JoinError>) -> Option<String> {
    let why = ended
        .map_err(|error| error.to_string())
        .and_then(|made| made)
        .err()?;
    Some(format!("No backup of the database was made: {why}."))
}

/// Closes the campaigns that nobody has used for longest, until there is memory for another.
async fn make_room(shelf: &mut Shelf, memory: usize) -> Result<(), CallError> {
    while shelf
        .open
        .values()
        .map(|open| open.campaign.weight())
        .sum::<usize>()
        + WEIGHT
        > memory
    {
        let idle = shelf
            .open
            .iter()
            .filter(|(_, open)| open.campaign.is_idle());
        let Some(key) = idle
            .min_by_key(|(_, open)| open.used)
            .map(|(key, _)| key.clone())
        else {
            let many = shelf.open.len();
            let summary = format!(
                "{many} campaigns are being played at this moment. Send the same call again in a second."
            );
            return Err(Refusal::new(Code::Busy, summary).into());
        };
        if let Some(open) = shelf.open.remove(&key) {
            open.campaign.close().await;
        }
    }
    Ok(())
}
