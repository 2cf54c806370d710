//! What a command is doing, and how far it is, on standard error: only where somebody watches, and only once it has taken a second.

use std::io::IsTerminal as _;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::store::location::Location;
use crate::store::reader::entries_read;
use crate::store::{Reader, StoreError};

/// How long a command says nothing.
const SILENT: Duration = Duration::from_secs(1);
const EACH: Duration = Duration::from_millis(100);

/// Shown until it is dropped.
pub(super) struct Progress {
    shown: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Of work without a measure.
    pub(super) fn of(doing: &'static str) -> Progress {
        Progress::measured(doing, None)
    }

    /// Of reading logs, of all campaigns or of one; counted in entries. A database that cannot be read is the work's to tell of.
    pub(super) async fn reading(doing: &'static str, database: &Location, campaign: Option<&str>) -> Progress {
        if !is_watched() {
            return Progress { shown: None };
        }
        Progress::measured(doing, entries(database, campaign).await.ok())
    }

    fn measured(doing: &'static str, entries: Option<u64>) -> Progress {
        if !is_watched() {
            return Progress { shown: None };
        }
        let (end, ended) = channel();
        Progress { shown: Some((end, std::thread::spawn(move || show(doing, entries, &ended)))) }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((end, thread)) = self.shown.take() {
            drop(end);
            // It clears its line.
            let _ = thread.join();
        }
    }
}

fn is_watched() -> bool {
    std::io::stderr().is_terminal()
}

/// The entries of a database, or of one campaign in it.
async fn entries(database: &Location, campaign: Option<&str>) -> Result<u64, StoreError> {
    let mut reader = Reader::open(database).await?;
    let counted = async {
        let mut entries = 0;
        for (name, identity) in reader.campaigns().await? {
            if campaign.is_none_or(|wanted| crate::names::same(&name, wanted)) {
                entries += reader.head(identity.key).await?.seq;
            }
        }
        Ok(entries)
    };
    let counted = counted.await;
    reader.close().await?;
    counted
}

fn show(doing: &'static str, entries: Option<u64>, ended: &Receiver<()>) {
    let before = entries_read();
    let is_over = |pause| ended.recv_timeout(pause) != Err(RecvTimeoutError::Timeout);
    if is_over(SILENT) {
        return;
    }
    let bar = ProgressBar::with_draw_target(entries, ProgressDrawTarget::stderr()).with_elapsed(SILENT);
    let form = match entries {
        Some(_) => "{msg}: {human_pos} of {human_len} entries [{bar:30}] {eta} left",
        None => "{spinner} {msg} ({elapsed})",
    };
    // The forms are ours; one that were wrong would show the plain bar.
    if let Ok(style) = ProgressStyle::with_template(form) {
        bar.set_style(style.progress_chars("#- "));
    }
    bar.set_message(doing);
    loop {
        bar.set_position(entries_read().saturating_sub(before).min(entries.unwrap_or_default()));
        bar.tick();
        if is_over(EACH) {
            break;
        }
    }
    bar.finish_and_clear();
}
