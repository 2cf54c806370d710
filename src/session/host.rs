//! What a server holds: one adventure, one database, and the campaigns opened in it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::Mutex;

use crate::game::chance::Chance;
use crate::game::limits;
use crate::game::refusal::Refusal;
use crate::names::fold;
use crate::session::adventure::Adventure;
use crate::session::book::Book;
use crate::session::live::{CallError, Campaign};
use crate::store::sqlite;

/// Makes the chance of a campaign: the operating system's, or a script in tests.
pub type ChanceMaker = Box<dyn Fn() -> Result<Box<dyn Chance>, String> + Send + Sync>;

/// How many campaigns one server keeps open.
const CAMPAIGNS_MAX: usize = 32;

/// The adventure, the database and the open campaigns. Nothing is opened before the first call needs it, so a
/// server answers `initialize` before it touches the disk.
pub struct Host {
    book: Book,
    /// The database's file.
    pub database: PathBuf,
    /// The campaign of calls that name none.
    pub default_campaign: String,
    chance: ChanceMaker,
    clock: fn() -> i64,
    open: Mutex<BTreeMap<String, Campaign>>,
}

impl Host {
    /// A host; nothing is opened yet.
    pub fn new(
        adventure: Adventure,
        database: PathBuf,
        default_campaign: Option<String>,
        chance: ChanceMaker,
        clock: fn() -> i64,
    ) -> Self {
        let default_campaign = default_campaign.unwrap_or_else(|| adventure.name.clone());
        Host { book: Book::closed(adventure), database, default_campaign, chance, clock, open: Mutex::default() }
    }

    /// The same host with rules that are read again when the author saves.
    #[must_use]
    pub fn following_saves(mut self) -> Self {
        self.book = self.book.followed();
        self
    }

    /// The adventure whose rules are in force.
    pub fn adventure(&self) -> Arc<Adventure> {
        self.book.adventure()
    }

    /// Plays by the rules as they are saved now; call it before each call.
    pub async fn turn_page(&self) {
        if let Some(adventure) = self.book.turn().await {
            for campaign in self.open.lock().await.values() {
                campaign.play_by(&adventure).await;
            }
        }
    }

    /// What the next reply has to say about the rules.
    pub async fn news(&self) -> Vec<String> {
        self.book.news().await
    }

    /// The campaign of that name, opened on first use; `None` means the default.
    pub async fn campaign(&self, name: Option<&str>) -> Result<Campaign, CallError> {
        let name = name.unwrap_or(&self.default_campaign);
        limits::name("campaign", name)?;
        let key = fold(name);
        let mut open = self.open.lock().await;
        if let Some(campaign) = open.get(&key) {
            return Ok(campaign.clone());
        }
        if open.len() >= CAMPAIGNS_MAX {
            let summary = format!(
                "{CAMPAIGNS_MAX} campaigns are open already. Nothing was changed. Start a server for this one."
            );
            return Err(Refusal::new("limit_exceeded", summary).into());
        }
        let store = sqlite::open(&self.database).await?;
        let chance = (self.chance)().map_err(CallError::Failure)?;
        let campaign = Campaign::open(
            store,
            self.book.adventure(),
            name.trim().to_owned(),
            self.database.clone(),
            chance,
            self.clock,
        )
        .await?;
        open.insert(key, campaign.clone());
        Ok(campaign)
    }

    /// Closes every campaign in good order.
    pub async fn close(&self) {
        let open = std::mem::take(&mut *self.open.lock().await);
        for campaign in open.into_values() {
            campaign.close().await;
        }
    }
}
