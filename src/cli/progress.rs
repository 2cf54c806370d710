//! What a command is doing, and how far it is, on standard error: only on a terminal, and only once it has taken a second.

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use rollbook_record::export::{bytes_read, text_bytes};
use rollbook_store::location::Location;
use rollbook_store::reader::entries_read;
use rollbook_store::{Reader, StoreError};
use rollbook_text::names::{quoted, same};

const SILENT: Duration = Duration::from_secs(1);
const EACH: Duration = Duration::from_millis(100);

/// How far something is: how much there is to do, and what this process has done of such work so far, also before it.
#[derive(Clone, Copy)]
struct Measure {
    all: u64,
    done: fn() -> u64,
    shown: fn(u64, u64) -> String,
}

pub(super) struct Progress(ProgressBar);

impl Progress {
    pub(super) fn unmeasured(step: &str) -> Progress {
        Progress::hidden().start(&[step], None)
    }

    /// Of steps that each read the logs of all campaigns or of one; counted in entries. A database that cannot be read is a failure of
    /// the work itself.
    pub(super) async fn reading(steps: &[&str], database: &Location, campaign: Option<&str>) -> Progress {
        let progress = Progress::hidden();
        if progress.0.is_hidden() {
            return progress;
        }
        let shown = |done, all| format!("{} of {} entries", HumanCount(done), HumanCount(all));
        let all = entries(database, campaign).await.ok();
        progress.start(steps, all.map(|all| Measure { all, done: entries_read, shown }))
    }

    /// Of checking a copy; counted in bytes where it is text, and in entries where it is a database that holds its log.
    pub(super) async fn of_copy(step: &str, path: &Path) -> Progress {
        let shown = |done, all| format!("{} of {}", HumanBytes(done), HumanBytes(all));
        match text_bytes(path) {
            Some(all) => Progress::hidden().start(&[step], Some(Measure { all, done: bytes_read, shown })),
            None => Progress::reading(&[step], &Location::from(path), None).await,
        }
    }

    /// Of so many things of which `done` tells how many this process has done.
    pub(super) fn counting(step: &str, all: u64, done: fn() -> u64) -> Progress {
        let shown = |done, all| format!("{} of {}", HumanCount(done), HumanCount(all));
        Progress::hidden().start(&[step], Some(Measure { all, done, shown }))
    }

    fn hidden() -> Progress {
        Progress(ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()))
    }

    /// Begins to draw one line again and again; it is empty in the first second.
    fn start(self, steps: &[&str], measure: Option<Measure>) -> Progress {
        if self.0.is_hidden() {
            return self;
        }
        let steps: Vec<String> = steps.iter().map(|step| (*step).to_owned()).collect();
        let before = measure.map_or(0, |measure| (measure.done)());
        let line = move |state: &ProgressState, line: &mut dyn Write| {
            if state.elapsed() < SILENT {
                return;
            }
            let (mut step, mut how_far) = (0, String::new());
            if let Some(Measure { all, done, shown }) = measure {
                let done = done().saturating_sub(before);
                // Each step reads all of it again.
                step = usize::try_from(done / all.max(1)).unwrap_or(usize::MAX).min(steps.len().saturating_sub(1));
                let done = done.saturating_sub(all.saturating_mul(step as u64)).min(all);
                how_far = format!(": {}", shown(done, all));
            }
            let step = steps.get(step).map_or("", String::as_str);
            let _ = write!(line, "{step}{how_far} ({} s)", state.elapsed().as_secs());
        };
        if let Ok(style) = ProgressStyle::with_template("{line}") {
            self.0.set_style(style.with_key("line", line));
        }
        self.0.enable_steady_tick(EACH);
        self
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// "Verifying a.jsonl (1 of 3)": the step with one of several files.
pub(super) fn file_step(step: &str, path: &Path, nth: usize, all: usize) -> String {
    let name = quoted(&path.file_name().unwrap_or(path.as_os_str()).to_string_lossy());
    if all > 1 { format!("{step} {name} ({} of {all})", nth + 1) } else { format!("{step} {name}") }
}

async fn entries(database: &Location, campaign: Option<&str>) -> Result<u64, StoreError> {
    let mut reader = Reader::open(database).await?;
    let counted = async {
        let mut entries = 0;
        for (name, identity) in reader.campaigns().await? {
            if campaign.is_none_or(|wanted| same(&name, wanted)) {
                entries += reader.head(identity.key).await?.seq;
            }
        }
        Ok(entries)
    };
    let counted = counted.await;
    reader.close().await?;
    counted
}
