//! Waiting for the author to save.

use std::path::{Path, PathBuf};
use std::time::Duration;

use notify::event::{AccessKind, AccessMode};
use notify::{Config, Event, EventKind, PollWatcher, RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::timeout;

/// How long it must be quiet before what was saved is read: editors save in several steps.
const QUIET: Duration = Duration::from_millis(25);
/// How often the folder is looked through where the system tells nothing.
const POLL: Duration = Duration::from_millis(100);

/// Watches a folder and what is below it: an editor may save to another file and rename it.
pub struct Watch {
    saved: UnboundedReceiver<()>,
    watcher: Box<dyn Watcher + Send>,
    also: Vec<PathBuf>,
}

impl Watch {
    /// Begins to watch. Errors: the folder cannot be watched.
    pub fn new(folder: &Path) -> Result<Watch, String> {
        let (sender, saved) = unbounded_channel();
        let seen = move |event: notify::Result<Event>| {
            if event.is_ok_and(|event| is_a_save(&event)) {
                // Nobody listens any more when the command has ended.
                let _ = sender.send(());
            }
        };
        let notified = watching::<RecommendedWatcher>(folder, seen.clone(), Config::default());
        let polls = Config::default()
            .with_poll_interval(POLL)
            .with_compare_contents(true);
        let watcher = notified.or_else(|_| watching::<PollWatcher>(folder, seen, polls));
        let watcher =
            watcher.map_err(|error| format!("cannot watch {}: {error}", folder.display()))?;
        Ok(Watch {
            saved,
            watcher,
            also: Vec::new(),
        })
    }

    /// Watches these folders besides the first, and no other. One that cannot be is passed over.
    pub fn also(&mut self, folders: Vec<PathBuf>) {
        for gone in self.also.iter().filter(|folder| !folders.contains(folder)) {
            // It may not be there any more.
            let _ = self.watcher.unwatch(gone);
        }
        let added = |folder: &PathBuf| {
            self.also.contains(folder)
                || self.watcher.watch(folder, RecursiveMode::Recursive).is_ok()
        };
        let also = folders.into_iter().filter(added).collect();
        self.also = also;
    }

    /// Waits until something was saved and it is quiet again; false when nothing can come any more.
    pub async fn wait(&mut self) -> bool {
        let mut more = self.saved.recv().await;
        while more.is_some() {
            match timeout(QUIET, self.saved.recv()).await {
                Ok(next) => more = next,
                Err(_) => return true,
            }
        }
        false
    }
}

fn watching<W: Watcher + Send + 'static>(
    folder: &Path,
    seen: impl Fn(notify::Result<Event>) + Send + 'static,
    config: Config,
) -> notify::Result<Box<dyn Watcher + Send>> {
    let mut watcher = W::new(seen, config)?;
    watcher.watch(folder, RecursiveMode::Recursive)?;
    Ok(Box::new(watcher))
}

/// Our own reading is no save, nor is a file that is no Markdown.
fn is_a_save(event: &Event) -> bool {
    let changes = match event.kind {
        EventKind::Access(kind) => kind == AccessKind::Close(AccessMode::Write),
        _ => true,
    };
    let ours = |path: &PathBuf| path.extension().is_none_or(|extension| extension == "md");
    changes && event.paths.iter().any(ours)
}
