//! What a command is doing, on standard error: on a terminal, after a second.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use rollbook_text::names::quoted;

const SILENT: Duration = Duration::from_secs(1);
const EACH: Duration = Duration::from_millis(100);

/// A line that says what is done and for how long already; dropped, it is gone.
pub(super) struct Progress(ProgressBar);

impl Progress {
    pub(super) async fn during<T>(step: &str, work: impl Future<Output = T>) -> T {
        let _line = Progress::start(step);
        work.await
    }

    pub(super) fn start(step: &str) -> Progress {
        let step = step.to_owned();
        Progress::saying(move || step.clone())
    }

    /// Of many alike: "Fighting, 4200 of 10000".
    pub(super) fn counting(step: &str, done: &Arc<AtomicU64>, all: u64) -> Progress {
        let (step, done) = (step.to_owned(), done.clone());
        Progress::saying(move || format!("{step}, {} of {all}", done.load(Ordering::Relaxed)))
    }

    fn saying(step: impl Fn() -> String + Send + Sync + Clone + 'static) -> Progress {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        let line = move |state: &ProgressState, line: &mut dyn Write| {
            if state.elapsed() >= SILENT {
                let _ = write!(line, "{} ({} s)", step(), state.elapsed().as_secs());
            }
        };
        if let (false, Ok(style)) = (bar.is_hidden(), ProgressStyle::with_template("{line}")) {
            bar.set_style(style.with_key("line", line));
            bar.enable_steady_tick(EACH);
        }
        Progress(bar)
    }

    /// Of one of several files: "Verifying a.jsonl (1 of 3)".
    pub(super) fn of_file(path: &Path, nth: usize, all: usize) -> Progress {
        let name = quoted(
            &path
                .file_name()
                .unwrap_or(path.as_os_str())
                .to_string_lossy(),
        );
        let which = if all > 1 {
            format!(" ({} of {all})", nth + 1)
        } else {
            String::new()
        };
        Progress::start(&format!("Verifying {name}{which}"))
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
