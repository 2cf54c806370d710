//! The rules in force, read again when the author saves.
//!
//! Before a call the files' times and lengths are looked at, which costs microseconds. A save that breaks the rules is not
//! played by: the last good ones stay, and every reply says so until it is mended ([`Save`]). Which rules a call used is in
//! the log: the first entry after a change names their hash.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, SystemTime};

use tokio::sync::Mutex;

use super::adventure::Adventure;
use super::save::Save;

/// How long a file must stay as it is before it is read: editors save in several steps.
const QUIET: Duration = Duration::from_millis(20);
/// How often that is waited for; then it is read as it is.
const PATIENCE: u32 = 10;

/// The rules in force.
pub struct Book {
    adventure: RwLock<Arc<Adventure>>,
    /// None: what was read at the start counts to the end.
    followed: Option<Mutex<Followed>>,
}

/// Each file's time and length.
type Stamp = Vec<(PathBuf, Option<SystemTime>, u64)>;

struct Followed {
    stamp: Stamp,
    /// To be told once.
    news: Option<String>,
    /// To be told until it is mended.
    warning: Option<String>,
}

impl Book {
    /// Rules that stay as they are.
    pub fn closed(adventure: Adventure) -> Book {
        Book { adventure: RwLock::new(Arc::new(adventure)), followed: None }
    }

    /// The same rules, read again whenever they are saved.
    #[must_use]
    pub fn followed(mut self) -> Book {
        // No time is like this one, so what was saved since the first reading is seen, too.
        self.followed = Some(Mutex::new(Followed { stamp: Stamp::new(), news: None, warning: None }));
        self
    }

    /// The adventure whose rules are in force.
    pub fn adventure(&self) -> Arc<Adventure> {
        self.adventure.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Reads the rules again where they were saved; answers the new ones when there are any.
    pub async fn turn(&self) -> Option<Arc<Adventure>> {
        let mut followed = self.followed.as_ref()?.lock().await;
        let old = self.adventure();
        let mut stamp = stamp(&old.folder);
        if stamp == followed.stamp {
            return None;
        }
        for _ in 0..PATIENCE {
            // Nothing was saved before the first look.
            if followed.stamp.is_empty() {
                break;
            }
            tokio::time::sleep(QUIET).await;
            let now = self::stamp(&old.folder);
            if now == stamp {
                break;
            }
            stamp = now;
        }
        followed.stamp = stamp;
        let read = Adventure::read(&old.folder);
        let new = match read {
            Ok(new) if new.reading.hash == old.reading.hash && new.problems == old.problems => {
                followed.warning = None;
                return None;
            }
            Ok(new) => new,
            Err(reason) => {
                followed.warning = Some(format!("The rules cannot be read any more: {reason}{STILL}"));
                return None;
            }
        };
        let Save { broken, told } = Save::of(&old, &new);
        if let Some(why) = broken {
            followed.warning = Some(format!("{why}{told}{STILL}"));
            return None;
        }
        followed.warning = None;
        let short: String = new.reading.hash.chars().take(12).collect();
        followed.news = Some(format!("The rules were saved and are read anew: {short}… from here on.{told}"));
        let new = Arc::new(new);
        *self.adventure.write().unwrap_or_else(PoisonError::into_inner) = new.clone();
        Some(new)
    }

    /// What a reply has to say about the rules, told now.
    pub async fn news(&self) -> Vec<String> {
        let Some(followed) = &self.followed else { return Vec::new() };
        let mut followed = followed.lock().await;
        let news = followed.news.take();
        news.into_iter().chain(followed.warning.clone()).collect()
    }
}

const STILL: &str = " The rules read before it are still played by.";

/// What the rules' files look like from outside. A folder's own time tells that a file came or went.
fn stamp(folder: &Path) -> Stamp {
    let many = folder.join("System");
    let listed = std::fs::read_dir(&many).into_iter().flatten().flatten().map(|file| file.path());
    let mut files: Vec<PathBuf> = listed.filter(|path| path.extension().is_some_and(|end| end == "md")).collect();
    files.sort();
    files.insert(0, folder.join("System.md"));
    let look = |path: PathBuf| {
        let about = std::fs::metadata(&path);
        let (time, length) = about.map_or((None, 0), |about| (about.modified().ok(), about.len()));
        (path, time, length)
    };
    files.into_iter().map(look).collect()
}
