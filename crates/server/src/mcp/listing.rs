//! Telling clients that the list of resources is another one: people come or go, a fight begins or
//! ends, rules are saved.
//!
//! A client that never asked for the list is told nothing. One that began with `initialize` is told
//! directly; one of 2026-07-28 on the streams that it opened (`subscriptions/listen`).

use std::sync::{Arc, Weak};

use rmcp::RoleServer;
use rmcp::model::{ErrorData, Resource};
use rmcp::service::{Peer, SubscriptionContext};
use tokio::sync::{Mutex, Semaphore, watch};
use tokio::task::JoinHandle;

use super::resources::{self, Asker};
use rollbook_table::session::watch::Watch;
use rollbook_table::session::{Host, Purpose, Seat};

/// How long a campaign that is not open, or was closed for want of room, is left alone.
const REOPENED: std::time::Duration = std::time::Duration::from_secs(5);
/// Streams that one client may have open.
const STREAMS_MAX: usize = 4;

/// The list that a client knows.
pub struct Listing {
    known: Mutex<Known>,
    changes: watch::Sender<u64>,
    streams: Semaphore,
}

#[derive(Default)]
struct Known {
    /// What it was when it was last asked for or told of; `None` before.
    list: Option<Vec<Resource>>,
    /// A client that is told directly.
    peer: Option<Peer<RoleServer>>,
    /// Waits for the author to save.
    saves: Option<Saves>,
    /// The seat of the client.
    seat: Option<Arc<Seat>>,
}

/// Ends with the listing.
struct Saves(JoinHandle<()>);

impl Drop for Saves {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Default for Listing {
    fn default() -> Self {
        Listing {
            known: Mutex::default(),
            changes: watch::Sender::new(0),
            streams: Semaphore::new(STREAMS_MAX),
        }
    }
}

impl Listing {
    /// The list, which its client knows from here on; `peer` where it is to be told directly of
    /// changes.
    pub async fn asked(
        self: &Arc<Self>,
        host: &Arc<Host>,
        seat: Option<Arc<Seat>>,
        peer: Option<Peer<RoleServer>>,
    ) -> Vec<Resource> {
        let mut known = self.known.lock().await;
        known.seat = seat;
        let list = resources::list(Asker {
            host,
            seat: known.seat.as_ref(),
        })
        .await
        .resources;
        known.list = Some(list.clone());
        known.peer = known.peer.take().or(peer);
        if known.saves.is_none() && host.follows_saves() {
            known.saves = Saves::wait(Arc::downgrade(self), host);
        }
        list
    }

    /// Tells the client if the list is another one now.
    pub async fn look(&self, host: &Host) {
        let mut known = self.known.lock().await;
        let Some(before) = &known.list else { return };
        let now = resources::list(Asker {
            host,
            seat: known.seat.as_ref(),
        })
        .await
        .resources;
        if *before == now {
            return;
        }
        known.list = Some(now);
        let peer = known.peer.clone();
        drop(known);
        self.changes.send_modify(|changes| *changes += 1);
        if let Some(peer) = peer
            && let Err(error) = peer.notify_resource_list_changed().await
        {
            tracing::debug!("nobody could be told that the list of resources changed: {error}");
        }
    }

    /// A stream of a client of 2026-07-28, until the client ends it.
    pub async fn stream(
        self: &Arc<Self>,
        host: &Arc<Host>,
        seat: Option<Arc<Seat>>,
        context: SubscriptionContext,
    ) -> Result<(), ErrorData> {
        let Ok(_place) = self.streams.try_acquire() else {
            let message = format!("{STREAMS_MAX} streams are open already. Close one, or use it.");
            return Err(ErrorData::invalid_request(message, None));
        };
        let mut changes = self.changes.subscribe();
        self.asked(host, seat.clone(), None).await;
        // Over HTTP every request has a listing of its own, so what others write is heard of by the
        // campaign.
        let mut news = news_of(host, seat.as_ref()).await;
        loop {
            tokio::select! {
                () = context.cancelled() => return Ok(()),
                written = next(&mut news) => match written {
                    true => self.look(host).await,
                    false => {
                        tokio::time::sleep(REOPENED).await;
                        news = news_of(host, seat.as_ref()).await;
                    }
                },
                changed = changes.changed() => {
                    if changed.is_err() || context.sink().notify_resource_list_changed().await.is_err() {
                        return Ok(());
                    }
                }
            }
        }
    }
}

/// What is written to the campaign of that seat; `None` as long as it cannot be read.
async fn news_of(host: &Host, seat: Option<&Arc<Seat>>) -> Option<watch::Receiver<u64>> {
    if !host.database.exists() {
        return None;
    }
    let campaign = host
        .campaign(seat.map(|seat| seat.campaign.as_str()), Purpose::Read)
        .await
        .ok()?;
    Some(campaign.news())
}

/// Waits for something to be written; false where the campaign is not open.
async fn next(news: &mut Option<watch::Receiver<u64>>) -> bool {
    match news {
        Some(news) => news.changed().await.is_ok(),
        None => false,
    }
}

impl Saves {
    /// Looks after each save, as before a call.
    fn wait(listing: Weak<Listing>, host: &Arc<Host>) -> Option<Saves> {
        let mut watch = Watch::new(&host.adventure().folder).ok()?;
        let host = Arc::downgrade(host);
        Some(Saves(tokio::spawn(async move {
            while watch.wait().await {
                let (Some(listing), Some(host)) = (listing.upgrade(), host.upgrade()) else {
                    return;
                };
                host.reload_if_changed().await;
                listing.look(&host).await;
            }
        })))
    }
}
