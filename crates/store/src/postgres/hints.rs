//! Hints of other servers that a campaign was written to. One may be lost: a call that waits looks at the log every few seconds anyway.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use tokio::sync::broadcast;
use tokio::task::JoinHandle;

use crate::location::Server;
use crate::pool::Lent;
use crate::sql::connection::query;

const CHANNEL: &str = "rollbook";
/// Hints that are kept for a slow reader; one that missed some looks at the log.
const KEPT: usize = 256;
/// Before a server that was lost is listened to again.
const PAUSE: Duration = Duration::from_secs(5);

/// How long hints are gathered: each costs the server a commit.
const GATHERED: Duration = Duration::from_millis(100);
/// Campaigns of one hint; PostgreSQL takes 8,000 bytes.
const CAMPAIGNS: usize = 350;

/// The campaigns of which the other servers get a hint yet.
pub type Unsent = Arc<Mutex<BTreeSet<i64>>>;

/// Sends the other servers a hint soon that a campaign was written to, by the connection that did.
pub fn send(unsent: &Unsent, campaign: i64, mut log: Lent) {
    let mut waiting = unsent.lock().unwrap_or_else(PoisonError::into_inner);
    if !waiting.insert(campaign) || waiting.len() > 1 {
        return;
    }
    drop(waiting);
    let unsent = unsent.clone();
    tokio::spawn(async move {
        tokio::time::sleep(GATHERED).await;
        let all = std::mem::take(&mut *unsent.lock().unwrap_or_else(PoisonError::into_inner));
        let all: Vec<String> = all.iter().take(CAMPAIGNS).map(ToString::to_string).collect();
        let notify = query("select pg_notify($1, $2) is null as sent").bind(CHANNEL).bind(all.join(" "));
        notify.execute(&mut log).await
    });
}

/// The hints of other servers, which come on a connection of their own.
pub struct Hints {
    hints: broadcast::Sender<i64>,
    listening: JoinHandle<()>,
}

impl Hints {
    /// Begins to listen.
    pub fn listen(server: Server) -> Hints {
        let (hints, _) = broadcast::channel(KEPT);
        let sender = hints.clone();
        let listening = tokio::spawn(async move {
            loop {
                let host = server.hosts().next().map(|(_, options)| options.clone());
                if let Some(options) = host
                    && let Err(error) = pass_on(options, &sender).await
                {
                    tracing::debug!("no hints from other servers: {error}");
                }
                tokio::time::sleep(PAUSE).await;
            }
        });
        Hints { hints, listening }
    }

    /// The campaigns that are written to from now on.
    pub fn next(&self) -> broadcast::Receiver<i64> {
        self.hints.subscribe()
    }
}

impl Drop for Hints {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

/// Passes hints on, until the connection is lost.
async fn pass_on(options: PgConnectOptions, hints: &broadcast::Sender<i64>) -> Result<(), sqlx::Error> {
    let pool = PgPoolOptions::new().max_connections(1).connect_lazy_with(options);
    let mut listener = PgListener::connect_with(&pool).await?;
    listener.listen(CHANNEL).await?;
    loop {
        let campaigns = listener.recv().await?;
        for campaign in campaigns.payload().split(' ').filter_map(|campaign| campaign.parse().ok()) {
            // There may be no call that waits.
            let _ = hints.send(campaign);
        }
    }
}
