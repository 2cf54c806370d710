//! A word from other servers that a campaign was written to. It may be lost, and nothing depends on it: a call that waits looks at the log every
//! few seconds anyway.

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
/// Hints that are kept for somebody who is slow to read them; who missed some is told so, and looks.
const KEPT: usize = 256;
/// Before a server that was lost is listened to again.
const PAUSE: Duration = Duration::from_secs(5);

/// How long hints are gathered: each costs the server a commit.
const GATHERED: Duration = Duration::from_millis(100);
/// Campaigns of one hint; PostgreSQL takes 8,000 bytes.
const CAMPAIGNS: usize = 350;

/// The campaigns that the other servers are yet to be told of.
pub type Untold = Arc<Mutex<BTreeSet<i64>>>;

/// Tells the other servers soon that a campaign was written to, by the connection that did.
pub fn tell(untold: &Untold, campaign: i64, mut log: Lent) {
    let mut waiting = untold.lock().unwrap_or_else(PoisonError::into_inner);
    if !waiting.insert(campaign) || waiting.len() > 1 {
        return;
    }
    drop(waiting);
    let untold = untold.clone();
    tokio::spawn(async move {
        tokio::time::sleep(GATHERED).await;
        let all = std::mem::take(&mut *untold.lock().unwrap_or_else(PoisonError::into_inner));
        let all: Vec<String> = all.iter().take(CAMPAIGNS).map(ToString::to_string).collect();
        let tell = query("select pg_notify($1, $2) is null as told").bind(CHANNEL).bind(all.join(" "));
        tell.execute(&mut log).await
    });
}

/// What other servers say, heard on a connection of its own.
pub struct Hints {
    said: broadcast::Sender<i64>,
    listening: JoinHandle<()>,
}

impl Hints {
    /// Begins to listen.
    pub fn listen(server: Server) -> Hints {
        let (said, _) = broadcast::channel(KEPT);
        let heard = said.clone();
        let listening = tokio::spawn(async move {
            loop {
                let host = server.hosts().next().map(|(_, options)| options.clone());
                if let Some(options) = host
                    && let Err(error) = pass_on(options, &heard).await
                {
                    tracing::debug!("no hints from other servers: {error}");
                }
                tokio::time::sleep(PAUSE).await;
            }
        });
        Hints { said, listening }
    }

    /// The campaigns that are written to from now on.
    pub fn next(&self) -> broadcast::Receiver<i64> {
        self.said.subscribe()
    }
}

impl Drop for Hints {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

/// Passes on what is said, until the connection is lost.
async fn pass_on(options: PgConnectOptions, said: &broadcast::Sender<i64>) -> Result<(), sqlx::Error> {
    let pool = PgPoolOptions::new().max_connections(1).connect_lazy_with(options);
    let mut listener = PgListener::connect_with(&pool).await?;
    listener.listen(CHANNEL).await?;
    loop {
        let campaigns = listener.recv().await?;
        for campaign in campaigns.payload().split(' ').filter_map(|campaign| campaign.parse().ok()) {
            // Nobody may be waiting.
            let _ = said.send(campaign);
        }
    }
}
