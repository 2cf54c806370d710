//! The keys of a server's database: whether requests need one, and which seat one opens.
//!
//! A key is `rollbook_`, 12 hex digits by which it is listed, `_`, and 64 hex digits (256 bits).
//! Only the SHA-256 of the whole is kept; it is compared in constant time.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use subtle::ConstantTimeEq as _;
use tokio::sync::Mutex;

use super::os;
use rollbook_game::refusal::{Code, Refusal};
use rollbook_store::keys::{KeyRecord, Role};
use rollbook_store::location::Location;
use rollbook_store::{Reader, StoreError, chain};

pub const PREFIX: &str = "rollbook_";
pub const ID_DIGITS: usize = 12;
const SECRET_DIGITS: usize = 64;
/// How long what is known of keys is taken for true: a revoked one is refused no later.
const FRESH: Duration = Duration::from_secs(1);
/// The same for those whose streams are open.
const FRESH_FOR_STREAMS: Duration = Duration::from_millis(400);
/// How long a server that is lost is waited for, …
const PATIENCE: Duration = Duration::from_secs(20);
/// … and how often it is looked for.
const PAUSE: Duration = Duration::from_millis(100);
const REMEMBERED: usize = 10_000;

/// Who calls over HTTP: the key's id, its campaign, and what it may.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seat {
    pub key: String,
    pub campaign: String,
    pub role: Role,
}

impl Seat {
    pub(crate) fn player(&self) -> Option<&str> {
        self.role.character()
    }

    /// The refusal of a name that the key's campaign has no more. It names no other campaign.
    pub fn has_moved() -> Refusal {
        let summary = "The campaign of this key was renamed or removed a moment ago. Send the same call again.";
        Refusal::new(Code::UnknownCampaign, summary)
    }

    /// Whether it is a player's seat, not the GM's.
    pub fn is_player(&self) -> bool {
        matches!(self.role, Role::Player { .. })
    }
}

/// The keys of a server's database, as they are now.
pub struct Keyring {
    database: Location,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    reader: Option<Reader>,
    /// What the reader reads has keys, which are never taken out.
    has_keys: bool,
    /// When it was last asked whether there are any, and the answer.
    any: Option<(Instant, bool)>,
    /// When the database was last opened anew, and how that went.
    opened: Option<(Instant, Result<(), String>)>,
    keys: HashMap<String, (Instant, KeyRecord)>,
    /// All keys, read together for every stream that is open.
    of_streams: Option<(Instant, HashMap<String, KeyRecord>)>,
    /// Since when the database could not be read.
    lost: Option<Instant>,
}

#[derive(Clone, Copy)]
enum Wanted<'a> {
    None,
    One(&'a str),
    All,
}

impl Keyring {
    pub fn new(database: &Location) -> Keyring {
        Keyring {
            database: database.clone(),
            known: Mutex::default(),
        }
    }

    /// Whether requests need a key. One that was ever made stays the answer.
    pub async fn has_any(&self) -> Result<bool, String> {
        let mut known = self.known.lock().await;
        if let Some((since, any)) = known.any
            && (any || since.elapsed() < FRESH)
        {
            return Ok(any);
        }
        let (any, _) = known.asked(&self.database, Wanted::None).await?;
        known.any = Some((Instant::now(), any));
        Ok(any)
    }

    /// The seat that a key opens; `None` for one that is none, expired, or revoked.
    pub async fn seat(&self, key: &str) -> Result<Option<Arc<Seat>>, String> {
        let Some(id) = id_of(key) else {
            return Ok(None);
        };
        let Some(record) = self.record(id).await? else {
            return Ok(None);
        };
        let is_same = bool::from(chain::sha256(key.as_bytes()).ct_eq(&record.hash));
        if !is_same || !record.is_good(os::now()) {
            return Ok(None);
        }
        Ok(Some(Arc::new(Seat {
            key: record.id,
            campaign: record.campaign,
            role: record.role,
        })))
    }

    /// Whether the key of a seat is still good: it may have been revoked while a call waited.
    pub async fn is_good(&self, seat: &Seat) -> Result<bool, String> {
        Ok(self
            .record(&seat.key)
            .await?
            .is_some_and(|record| record.is_good(os::now())))
    }

    /// The same for a stream that stays open. However many there are, the keys are read once.
    pub async fn is_still_good(&self, seat: &Seat) -> Result<bool, String> {
        let mut known = self.known.lock().await;
        if known
            .of_streams
            .as_ref()
            .is_none_or(|(since, _)| since.elapsed() >= FRESH_FOR_STREAMS)
        {
            let (_, all) = known.asked(&self.database, Wanted::All).await?;
            let all = all
                .into_iter()
                .map(|record| (record.id.clone(), record))
                .collect();
            known.of_streams = Some((Instant::now(), all));
        }
        let record = known
            .of_streams
            .as_ref()
            .and_then(|(_, all)| all.get(&seat.key));
        Ok(record.is_some_and(|record| record.is_good(os::now())))
    }

    async fn record(&self, id: &str) -> Result<Option<KeyRecord>, String> {
        let mut known = self.known.lock().await;
        if let Some((since, record)) = known.keys.get(id)
            && since.elapsed() < FRESH
        {
            return Ok(Some(record.clone()));
        }
        let (_, found) = known.asked(&self.database, Wanted::One(id)).await?;
        let found = found.into_iter().next();
        if known.keys.len() >= REMEMBERED {
            known.keys.clear();
        }
        match &found {
            Some(record) => known
                .keys
                .insert(id.to_owned(), (Instant::now(), record.clone())),
            None => known.keys.remove(id),
        };
        Ok(found)
    }

    /// Whether the database opens now: open connections read on from an overwritten file.
    pub async fn is_readable(&self) -> Result<(), String> {
        let mut known = self.known.lock().await;
        if let Some((since, opened)) = &known.opened
            && since.elapsed() < FRESH
        {
            return opened.clone();
        }
        let opens = async {
            match Reader::open_if_any(&self.database).await? {
                Some(mut reader) => {
                    let read = reader.has_keys().await.map(drop);
                    reader.close().await.and(read)
                }
                None => Ok(()),
            }
        };
        let opened = opens.await.map_err(|error: StoreError| error.to_string());
        known.opened = Some((Instant::now(), opened.clone()));
        opened
    }

    /// Closes the connection; call it before campaigns are closed: the last of those tidies up.
    pub async fn close(&self) {
        if let Some(reader) = self.known.lock().await.reader.take()
            && let Err(error) = reader.close().await
        {
            tracing::warn!("the keys were not closed in good order: {error}");
        }
    }
}

impl Known {
    /// Whether there are keys, and the wanted ones. A lost server is tried as long as calls wait.
    async fn asked(
        &mut self,
        database: &Location,
        wanted: Wanted<'_>,
    ) -> Result<(bool, Vec<KeyRecord>), String> {
        loop {
            match self.look(database, wanted).await {
                Ok(found) => {
                    self.lost = None;
                    return Ok(found);
                }
                Err(error) => {
                    let since = self.lost.get_or_insert_with(Instant::now);
                    if database.file().is_some() || since.elapsed() > PATIENCE {
                        return Err(error.to_string());
                    }
                    self.reader = None;
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
    }

    async fn look(
        &mut self,
        database: &Location,
        wanted: Wanted<'_>,
    ) -> Result<(bool, Vec<KeyRecord>), StoreError> {
        if self.reader.as_ref().is_none_or(|reader| reader.is_lost()) {
            self.reader = Reader::open_if_any(database).await?;
            self.has_keys = false;
        }
        let Some(reader) = &mut self.reader else {
            return Ok((false, Vec::new()));
        };
        self.has_keys = self.has_keys || reader.has_keys().await?;
        let found = match wanted {
            _ if !self.has_keys => Vec::new(),
            Wanted::None => Vec::new(),
            Wanted::One(id) => reader.key(id).await?.into_iter().collect(),
            Wanted::All => reader.keys().await?,
        };
        Ok((self.has_keys, found))
    }
}

/// The public part of what has the form of a key.
fn id_of(key: &str) -> Option<&str> {
    let (id, secret) = key.strip_prefix(PREFIX)?.split_once('_')?;
    let is_hex = |text: &str, digits: usize| {
        text.len() == digits && text.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    (is_hex(id, ID_DIGITS) && is_hex(secret, SECRET_DIGITS)).then_some(id)
}
