//! Lines to standard error, written by a thread of their own: its reader may stop or go away (a terminal is closed, a collector of logs
//! started anew), and then nothing waits for it and nothing ends.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::streams::Sink;

/// Bytes that may wait to be read; a line beyond them is left out.
const WAITING_MAX: usize = 1024 * 1024;
/// How long a line may take to be written where it is waited for.
const PATIENCE: Duration = Duration::from_secs(1);

static STATE: Mutex<State> =
    Mutex::new(State { lines: VecDeque::new(), bytes: 0, written: 0, left_out: 0, has_writer: false, is_stuck: false });
static CHANGED: Condvar = Condvar::new();

struct State {
    /// Those that wait, and the one that is being written.
    lines: VecDeque<Vec<u8>>,
    bytes: usize,
    written: u64,
    left_out: u64,
    has_writer: bool,
    /// A wait was in vain; there is none again until a line was written.
    is_stuck: bool,
}

/// Writes a line as soon as those before it are written; nobody waits for it.
pub(super) fn push(line: &[u8]) {
    let mut state = state();
    if state.bytes + line.len() > WAITING_MAX {
        state.left_out += 1;
        return;
    }
    state.bytes += line.len();
    state.lines.push_back(line.to_vec());
    // Without a thread nothing is written, and nothing ends.
    state.has_writer = state.has_writer || std::thread::Builder::new().spawn(write).is_ok();
    drop(state);
    CHANGED.notify_all();
}

/// Waits until all is written, as long as it is read.
pub(super) fn finish() {
    let mut state = state();
    while !state.lines.is_empty() && state.has_writer && !state.is_stuck {
        let before = state.written;
        let waited = CHANGED.wait_timeout_while(state, PATIENCE, |state| state.written == before);
        state = waited.unwrap_or_else(PoisonError::into_inner).0;
        state.is_stuck = state.written == before;
    }
}

pub(super) struct Log;

impl Write for Log {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        push(line);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn write() {
    loop {
        let waited = CHANGED.wait_while(state(), |state| state.lines.is_empty());
        let line = waited.unwrap_or_else(PoisonError::into_inner).lines.front().cloned().unwrap_or_default();
        // Where nobody reads, nobody can be told.
        let _ = Sink::Errors.write_all(&line);
        let mut state = state();
        state.lines.pop_front();
        state.bytes -= line.len();
        state.written += 1;
        state.is_stuck = false;
        let left_out = if state.lines.is_empty() { std::mem::take(&mut state.left_out) } else { 0 };
        drop(state);
        CHANGED.notify_all();
        if left_out > 0 {
            tracing::error!(lines = left_out, "lines of the log were left out, because standard error was not read");
        }
    }
}

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}
