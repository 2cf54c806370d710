//! The rules in force, read again when the author saves.
//!
//! Each call looks at the files' times and lengths. A save that breaks the rules is not played by:
//! the last good ones stay ([`Save`]). The first entry after a change names their hash.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, SystemTime};

use tokio::sync::Mutex;

use super::adventure::Adventure;
use rollbook_rules::System;
use rollbook_text::diagnostic::{Diagnostic, Severity, render};
use rollbook_text::names::{fold, quoted};

/// How long a file must stay as it is before it is read: editors save in several steps.
const QUIET: Duration = Duration::from_millis(20);
/// How often that is waited for; then it is read as it is.
const PATIENCE: u32 = 10;
const SAVES_MAX: usize = 4;
const NAMES_MAX: usize = 3;

pub struct Rulebook {
    adventure: RwLock<Arc<Adventure>>,
    /// None: what was read at the start counts to the end.
    followed: Option<Mutex<Followed>>,
}

type Stamp = Vec<(PathBuf, Option<SystemTime>, u64)>;

#[derive(Default)]
struct Followed {
    stamp: Stamp,
    /// For the next reply alone.
    notice: Option<String>,
    /// What the saves since the last reply changed, each once, the last few.
    changes: Vec<String>,
    /// For every reply until the rules are put right.
    warning: Option<String>,
}

impl Rulebook {
    pub fn fixed(adventure: Adventure) -> Rulebook {
        Rulebook {
            adventure: RwLock::new(Arc::new(adventure)),
            followed: None,
        }
    }

    /// The same rules, read again whenever they are saved.
    pub fn followed(mut self) -> Rulebook {
        // An empty stamp differs from any other, so a save since the first reading is noticed.
        self.followed = Some(Mutex::default());
        self
    }

    pub fn is_followed(&self) -> bool {
        self.followed.is_some()
    }

    pub fn adventure(&self) -> Arc<Adventure> {
        self.adventure
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Reads the rules again when they were saved since; answers the adventure when they changed.
    pub async fn reload_if_changed(&self) -> Option<Arc<Adventure>> {
        let mut followed = self.followed.as_ref()?.lock().await;
        let old = self.adventure();
        let mut stamp = stamp(&old);
        if stamp == followed.stamp {
            return None;
        }
        for _ in 0..PATIENCE {
            // The first look follows no save, so there is none to wait for.
            if followed.stamp.is_empty() {
                break;
            }
            tokio::time::sleep(QUIET).await;
            let now = self::stamp(&old);
            if now == stamp {
                break;
            }
            stamp = now;
        }
        followed.stamp = stamp;
        if followed.warning.is_none() && is_as_read(&followed.stamp, &old) {
            return None;
        }
        let new = match Adventure::read(&old.folder) {
            Ok(new) if new.reading.hash == old.reading.hash && new.problems == old.problems => {
                followed.warning = None;
                return None;
            }
            Ok(new) => new,
            Err(reason) => {
                followed.warning = Some(format!(
                    "The rules cannot be read any more: {reason}{STILL}"
                ));
                return None;
            }
        };
        let Save { broken, changes } = Save::of(&old, &new);
        if let Some(why) = broken {
            followed.warning = Some(format!("{why}{changes}{STILL}"));
            return None;
        }
        followed.warning = None;
        let short: String = new.reading.hash.chars().take(12).collect();
        // They may be saved several times between two replies.
        followed.changes.retain(|change| *change != changes);
        followed.changes.push(changes);
        let first = followed.changes.len().saturating_sub(SAVES_MAX);
        followed.changes.drain(..first);
        let changes = followed.changes.concat();
        followed.notice = Some(format!(
            "The rules were saved and are read anew: {short}… from here on.{changes}"
        ));
        let new = Arc::new(new);
        self.replace(new.clone());
        Some(new)
    }

    /// Another adventure takes the place of the one that was read.
    pub fn replace(&self, new: Arc<Adventure>) {
        *self
            .adventure
            .write()
            .unwrap_or_else(PoisonError::into_inner) = new;
    }

    pub async fn notices(&self) -> Vec<String> {
        let Some(followed) = &self.followed else {
            return Vec::new();
        };
        let mut followed = followed.lock().await;
        let notice = followed.notice.take();
        followed.changes.clear();
        notice.into_iter().chain(followed.warning.clone()).collect()
    }
}

const STILL: &str = " The rules read before it are still played by.";

/// What the rules' files look like from outside. A folder's time tells that a file came or went.
fn stamp(adventure: &Adventure) -> Stamp {
    std::iter::once(&adventure.folder)
        .chain(&adventure.bases)
        .flat_map(|folder| stamp_of(folder))
        .collect()
}

fn stamp_of(folder: &Path) -> Stamp {
    let many = folder.join("System");
    let listed = std::fs::read_dir(&many)
        .into_iter()
        .flatten()
        .flatten()
        .map(|file| file.path());
    let mut files: Vec<PathBuf> = listed
        .filter(|path| path.extension().is_some_and(|end| end == "md"))
        .collect();
    files.sort();
    files.insert(0, folder.join("System.md"));
    let look = |path: PathBuf| {
        let about = std::fs::metadata(&path);
        let (time, length) = about.map_or((None, 0), |about| (about.modified().ok(), about.len()));
        (path, time, length)
    };
    files.into_iter().map(look).collect()
}

/// Whether the files say what was read of them, so that there is nothing to read anew.
fn is_as_read(stamp: &Stamp, adventure: &Adventure) -> bool {
    let sources = adventure.reading.sources.iter().map(|(_, file)| file);
    let mut read = sources.filter(|file| !file.name.starts_with("builtin:"));
    let mut there = stamp.iter().filter(|(_, time, _)| time.is_some());
    let is_same = |(path, _, length): &(PathBuf, Option<SystemTime>, u64)| {
        // What has another length needs no reading, and may be very long.
        read.next().is_some_and(|file| {
            path.ends_with(&file.name)
                && *length == file.text.len() as u64
                && std::fs::read(path).is_ok_and(|bytes| bytes == file.text.as_bytes())
        })
    };
    adventure.problems.is_empty() && there.all(is_same) && read.next().is_none()
}

struct Save {
    broken: Option<String>,
    /// What they lost and the first thing that is newly wrong; empty when there is neither.
    changes: String,
}

impl Save {
    /// Compares a save with the last good rules. Not played by: rules with a new error, or with no
    /// check left (a misspelt heading, a file half written): a default nobody wrote would be used.
    fn of(old: &Adventure, new: &Adventure) -> Save {
        if is_blank(new) && !is_blank(old) {
            let broken = Some("The rules were saved empty, or System.md is gone.".to_owned());
            return Save {
                broken,
                changes: String::new(),
            };
        }
        let fresh = fresh(old, new);
        let has_error = fresh.iter().any(|found| found.severity == Severity::Error);
        let lost = lost(&old.reading.system, &new.reading.system);
        // Checks gave way to the plain style, and nothing else went or is newly wrong: it is meant.
        let is_meant = !new.reading.system.checks.is_empty() && lost.len() == 1 && fresh.is_empty();
        let broken = match (
            has_error,
            lost_checks(&old.reading.system, &new.reading.system) && !is_meant,
        ) {
            (true, _) => Some("The rules were saved with a mistake.".to_owned()),
            (false, true) => Some("The rules were saved without any of their checks.".to_owned()),
            (false, false) => None,
        };
        let mut changes = String::new();
        if !lost.is_empty() {
            changes.push_str(&format!(" No longer there: {}.", lost.join(", ")));
        }
        if let Some(first) = fresh.first() {
            let first = render::plain(std::slice::from_ref(first), &new.reading.sources);
            let more = if fresh.len() > 1 {
                format!(" (and {} more)", fresh.len() - 1)
            } else {
                String::new()
            };
            changes.push_str(&format!(" Newly found: {}{more}.", first.trim_end()));
        }
        Save { broken, changes }
    }
}

fn is_blank(adventure: &Adventure) -> bool {
    adventure
        .reading
        .sources
        .iter()
        .all(|(_, file)| file.text.trim().is_empty())
}

/// Whether nothing is left of the checks; a default in the place of the author's own is nothing.
fn lost_checks(old: &System, new: &System) -> bool {
    let is_written = |system: &System| system.checks.iter().any(|check| !check.assumed);
    (is_written(old) && !is_written(new)) || (!old.checks.is_empty() && new.checks.is_empty())
}

fn fresh(old: &Adventure, new: &Adventure) -> Vec<Diagnostic> {
    let all = |adventure: &Adventure| -> Vec<Diagnostic> {
        adventure
            .problems
            .iter()
            .chain(&adventure.reading.diagnostics)
            .cloned()
            .collect()
    };
    let mut before = all(old);
    let mut fresh = all(new);
    fresh.retain(|found| {
        let known = before
            .iter()
            .position(|known| known.code == found.code && known.message == found.message);
        // Each of the old ones accounts for one of the new.
        known.map(|at| before.swap_remove(at)).is_none() && found.severity >= Severity::Warning
    });
    fresh.sort_by_key(|found| std::cmp::Reverse(found.severity));
    fresh
}

/// What was there and is not: "check Attack", "skills Climbing, Noticing and 2 more".
fn lost(old: &System, new: &System) -> Vec<String> {
    type Names = fn(&System) -> Vec<&String>;
    let kinds: [(&str, Names); 5] = [
        ("check", |system| {
            system.checks.iter().map(|check| &check.name).collect()
        }),
        ("attribute", |system| {
            system
                .attributes
                .iter()
                .map(|attribute| &attribute.name)
                .collect()
        }),
        ("skill", |system| {
            system.skills.iter().map(|skill| &skill.name).collect()
        }),
        ("track", |system| {
            system.tracks.iter().map(|track| &track.name).collect()
        }),
        ("condition", |system| {
            system
                .conditions
                .iter()
                .map(|condition| &condition.name)
                .collect()
        }),
    ];
    kinds
        .into_iter()
        .filter_map(|(kind, names)| gone(kind, &names(old), &names(new)))
        .collect()
}

fn gone(kind: &str, old: &[&String], new: &[&String]) -> Option<String> {
    let there: std::collections::HashSet<String> = new.iter().map(|name| fold(name)).collect();
    let gone: Vec<String> = old
        .iter()
        .filter(|name| !there.contains(&fold(name)))
        .map(|name| quoted(name))
        .collect();
    let shown = gone
        .iter()
        .take(NAMES_MAX)
        .cloned()
        .collect::<Vec<_>>()
        .join(", ");
    match gone.len() {
        0 => None,
        1 => Some(format!("{kind} {shown}")),
        many if many <= NAMES_MAX => Some(format!("{kind}s {shown}")),
        many => Some(format!("{kind}s {shown} and {} more", many - NAMES_MAX)),
    }
}
