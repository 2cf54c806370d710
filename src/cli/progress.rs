//! What a command is doing, and how far it is, on standard error: only where somebody watches, and only once it has taken a second.

#![expect(clippy::disallowed_methods, reason = "it asks whether a terminal is there")]

use std::io::IsTerminal as _;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use rollbook_record::export::{bytes_read, text_bytes};
use rollbook_store::location::Location;
use rollbook_store::reader::entries_read;
use rollbook_store::{Reader, StoreError};
use rollbook_text::names::quoted;

/// How long a command says nothing.
const SILENT: Duration = Duration::from_secs(1);
const EACH: Duration = Duration::from_millis(100);

/// What is done, and for how long nothing is said of it.
pub(super) struct Doing {
    /// One after the other; where the work is measured, each goes over all of it.
    steps: Vec<String>,
    silent: Duration,
}

impl From<&str> for Doing {
    fn from(what: &str) -> Doing {
        Doing::from([what])
    }
}

impl<const N: usize> From<[&str; N]> for Doing {
    fn from(steps: [&str; N]) -> Doing {
        Doing { steps: steps.map(str::to_owned).into(), silent: SILENT }
    }
}

/// The same done with one file after another: nothing is said for the first second of them all.
pub(super) struct Files {
    doing: &'static str,
    /// How many there are.
    all: usize,
    begun: usize,
    since: Instant,
}

impl Files {
    pub(super) fn of(doing: &'static str, all: usize) -> Files {
        Files { doing, all, begun: 0, since: Instant::now() }
    }

    /// The next of them.
    pub(super) fn next(&mut self, path: &Path) -> Doing {
        self.begun += 1;
        let name = quoted(&path.file_name().unwrap_or(path.as_os_str()).to_string_lossy());
        let nth = if self.all > 1 { format!(" ({} of {})", self.begun, self.all) } else { String::new() };
        let steps = vec![format!("{} {name}{nth}", self.doing)];
        Doing { steps, silent: SILENT.saturating_sub(self.since.elapsed()) }
    }
}

/// How far something is.
struct Measure {
    all: u64,
    /// What this process has done of such work so far, also before it.
    done: fn() -> u64,
    /// How both are told.
    form: &'static str,
}

const ENTRIES: &str = "{msg}: {human_pos} of {human_len} entries [{bar:30}] {left}";
const THINGS: &str = "{msg}: {human_pos} of {human_len} [{bar:30}] {left}";
const BYTES: &str = "{msg}: {bytes} of {total_bytes} [{bar:30}] {left}";
const UNMEASURED: &str = "{spinner} {msg} ({elapsed})";

/// Shown until it is dropped.
pub(super) struct Progress {
    shown: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Of work without a measure.
    pub(super) fn of(doing: impl Into<Doing>) -> Progress {
        Progress::measured(doing.into(), None)
    }

    /// Of reading logs, of all campaigns or of one; counted in entries. A database that cannot be read is the work's to tell of.
    pub(super) async fn reading(doing: impl Into<Doing>, database: &Location, campaign: Option<&str>) -> Progress {
        if !is_watched() {
            return Progress { shown: None };
        }
        let entries = entries(database, campaign).await.ok();
        Progress::measured(doing.into(), entries.map(|all| Measure { all, done: entries_read, form: ENTRIES }))
    }

    /// Of checking a copy; counted in bytes where it is text, and in entries where it is a database that holds its log.
    pub(super) async fn of_copy(doing: Doing, path: &Path) -> Progress {
        if !is_watched() {
            return Progress { shown: None };
        }
        match text_bytes(path) {
            Some(all) => Progress::measured(doing, Some(Measure { all, done: bytes_read, form: BYTES })),
            None => Progress::reading(doing, &Location::from(path), None).await,
        }
    }

    /// Of so many things of which `done` tells how many this process has done.
    pub(super) fn counting(doing: impl Into<Doing>, all: u64, done: fn() -> u64) -> Progress {
        Progress::measured(doing.into(), Some(Measure { all, done, form: THINGS }))
    }

    fn measured(doing: Doing, measure: Option<Measure>) -> Progress {
        if !is_watched() {
            return Progress { shown: None };
        }
        let (end, ended) = channel();
        Progress { shown: Some((end, std::thread::spawn(move || show(doing, measure, &ended)))) }
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

fn show(doing: Doing, measure: Option<Measure>, ended: &Receiver<()>) {
    let before = measure.as_ref().map_or(0, |own| (own.done)());
    let is_over = |pause| ended.recv_timeout(pause) != Err(RecvTimeoutError::Timeout);
    if is_over(doing.silent) {
        return;
    }
    let all = measure.as_ref().map(|own| own.all);
    let bar = ProgressBar::with_draw_target(all, ProgressDrawTarget::stderr()).with_elapsed(doing.silent);
    // The forms are ours; one that were wrong would show the plain bar.
    if let Ok(style) = ProgressStyle::with_template(measure.as_ref().map_or(UNMEASURED, |own| own.form)) {
        bar.set_style(style.progress_chars("#- ").with_key("left", left));
    }
    let mut steps = doing.steps.into_iter();
    bar.set_message(steps.next().unwrap_or_default());
    let mut before = before;
    loop {
        if let Some(own) = &measure {
            let mut done = (own.done)().saturating_sub(before);
            while done >= own.all.max(1)
                && let Some(next) = steps.next()
            {
                bar.set_message(next);
                (before, done) = (before + own.all, done - own.all);
            }
            if done == 0 {
                // Its pace is that of what is counted.
                bar.reset_elapsed();
            }
            bar.set_position(done.min(own.all));
        }
        bar.tick();
        if is_over(EACH) {
            break;
        }
    }
    bar.finish_and_clear();
}

/// How long the rest takes at the pace so far; nothing before anything is done, and nothing at the end.
fn left(state: &ProgressState, out: &mut dyn std::fmt::Write) {
    let (done, all) = (state.pos(), state.len().unwrap_or(0));
    if done == 0 || done >= all {
        return;
    }
    let rest = state.elapsed().mul_f64((all - done) as f64 / done as f64).max(SILENT);
    // A style's own writer does not fail.
    let _ = write!(out, "{} left", HumanDuration(rest));
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::{Duration, Instant};

    use super::{Files, SILENT};

    #[test]
    fn each_file_is_named_and_the_silence_is_that_of_all_of_them() {
        let mut one = Files::of("Verifying", 1);
        assert_eq!(one.next(Path::new("copies/a.jsonl")).steps, ["Verifying a.jsonl"]);
        let mut files = Files::of("Verifying", 3);
        let first = files.next(Path::new("league/a\u{1b}.db"));
        assert_eq!(first.steps, ["Verifying a\\u{1b}.db (1 of 3)"]);
        assert!(first.silent > Duration::ZERO && first.silent <= SILENT, "{:?}", first.silent);
        files.since = Instant::now().checked_sub(SILENT).expect("a computer that runs for a second");
        let second = files.next(Path::new("league/b.db"));
        assert_eq!((second.steps[0].as_str(), second.silent), ("Verifying b.db (2 of 3)", Duration::ZERO));
    }
}
