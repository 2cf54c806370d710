//! What a command is doing, and how far it is, on standard error: only on a terminal, and only once it has taken a second.

#![expect(clippy::disallowed_methods, reason = "it asks whether a terminal is there")]

use std::io::IsTerminal as _;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use rollbook_record::export::{bytes_read, text_bytes};
use rollbook_store::location::Location;
use rollbook_store::reader::entries_read;
use rollbook_store::{Reader, StoreError};
use rollbook_text::names::quoted;

const SILENT: Duration = Duration::from_secs(1);
const EACH: Duration = Duration::from_millis(100);

/// How far something is.
struct Measure {
    all: u64,
    /// What this process has done of such work so far, also before it.
    done: fn() -> u64,
    /// How both are shown.
    form: &'static str,
}

const ENTRIES: &str = "{msg}: {human_pos} of {human_len} entries [{bar:30}] {eta} left";
const THINGS: &str = "{msg}: {human_pos} of {human_len} [{bar:30}] {eta} left";
const BYTES: &str = "{msg}: {bytes} of {total_bytes} [{bar:30}] {eta} left";
const UNMEASURED: &str = "{spinner} {msg} ({elapsed})";

pub(super) struct Progress(Option<(Sender<()>, JoinHandle<()>)>);

impl Progress {
    pub(super) fn unmeasured(step: &str) -> Progress {
        Progress::start(&[step], None)
    }

    /// Of steps that each read the logs of all campaigns or of one; counted in entries. A database that cannot be read is a failure of
    /// the work itself.
    pub(super) async fn reading(steps: &[&str], database: &Location, campaign: Option<&str>) -> Progress {
        if !is_watched() {
            return Progress(None);
        }
        let all = entries(database, campaign).await.ok();
        Progress::start(steps, all.map(|all| Measure { all, done: entries_read, form: ENTRIES }))
    }

    /// Of checking a copy; counted in bytes where it is text, and in entries where it is a database that holds its log.
    pub(super) async fn of_copy(step: &str, path: &Path) -> Progress {
        match text_bytes(path) {
            Some(all) => Progress::start(&[step], Some(Measure { all, done: bytes_read, form: BYTES })),
            None => Progress::reading(&[step], &Location::from(path), None).await,
        }
    }

    /// Of so many things of which `done` tells how many this process has done.
    pub(super) fn counting(step: &str, all: u64, done: fn() -> u64) -> Progress {
        Progress::start(&[step], Some(Measure { all, done, form: THINGS }))
    }

    fn start(steps: &[&str], measure: Option<Measure>) -> Progress {
        if !is_watched() {
            return Progress(None);
        }
        let steps = steps.iter().map(|step| (*step).to_owned()).collect();
        let (end, ended) = channel();
        Progress(Some((end, std::thread::spawn(move || show(steps, measure, &ended)))))
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((end, thread)) = self.0.take() {
            drop(end);
            // It clears its line.
            let _ = thread.join();
        }
    }
}

/// "Verifying a.jsonl (1 of 3)": the step with one of several files.
pub(super) fn file_step(step: &str, path: &Path, nth: usize, all: usize) -> String {
    let name = quoted(&path.file_name().unwrap_or(path.as_os_str()).to_string_lossy());
    if all > 1 { format!("{step} {name} ({} of {all})", nth + 1) } else { format!("{step} {name}") }
}

fn is_watched() -> bool {
    std::io::stderr().is_terminal()
}

async fn entries(database: &Location, campaign: Option<&str>) -> Result<u64, StoreError> {
    let mut reader = Reader::open(database).await?;
    let counted = async {
        let mut entries = 0;
        for (name, identity) in reader.campaigns().await? {
            if campaign.is_none_or(|wanted| rollbook_text::names::same(&name, wanted)) {
                entries += reader.head(identity.key).await?.seq;
            }
        }
        Ok(entries)
    };
    let counted = counted.await;
    reader.close().await?;
    counted
}

fn show(steps: Vec<String>, measure: Option<Measure>, ended: &Receiver<()>) {
    let mut before = measure.as_ref().map_or(0, |measure| (measure.done)());
    let is_over = |pause| ended.recv_timeout(pause) != Err(RecvTimeoutError::Timeout);
    if is_over(SILENT) {
        return;
    }
    let all = measure.as_ref().map(|measure| measure.all);
    let bar = ProgressBar::with_draw_target(all, ProgressDrawTarget::stderr()).with_elapsed(SILENT);
    // The forms are ours; one that were wrong would show the plain bar.
    if let Ok(style) = ProgressStyle::with_template(measure.as_ref().map_or(UNMEASURED, |measure| measure.form)) {
        bar.set_style(style.progress_chars("#- "));
    }
    let mut steps = steps.into_iter();
    bar.set_message(steps.next().unwrap_or_default());
    loop {
        if let Some(Measure { all, done, .. }) = measure {
            let mut position = done().saturating_sub(before);
            while position >= all.max(1)
                && let Some(next) = steps.next()
            {
                bar.set_message(next);
                (before, position) = (before + all, position - all);
            }
            bar.set_position(position.min(all));
        }
        bar.tick();
        if is_over(EACH) {
            break;
        }
    }
    bar.finish_and_clear();
}
