//! Standard input, output and error as they were given. A launcher may have made them non-blocking,
//! and shares that flag with this process and others: it is never changed. Who reads or writes
//! waits here until something has come, or there is room.
//!
//! Lines to standard error are written by a thread of their own: its reader may stop or go away (a
//! terminal is closed, a collector of logs started anew), and then nothing waits for it and nothing
//! ends.

#![expect(
    clippy::disallowed_methods,
    reason = "what cli::output writes goes through here"
)]

use std::collections::VecDeque;
use std::io::{self, Read, Write};
#[cfg(unix)]
use std::os::fd::AsFd;
use std::pin::Pin;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

#[cfg(unix)]
use rustix::event::{PollFd, PollFlags, poll};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _};
use tokio::task::{JoinHandle, spawn_blocking};

const READ_MAX: usize = 64 * 1024;

/// Standard input; nothing is kept between two reads.
#[derive(Clone, Copy)]
pub(super) struct Input;

/// Standard output or error, at once.
#[derive(Clone, Copy)]
pub(super) enum Sink {
    Output,
    Errors,
}

impl Read for Input {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        #[cfg(unix)]
        return waiting(&io::stdin(), PollFlags::IN, |stream| {
            rustix::io::read(stream, &mut *into)
        });
        #[cfg(not(unix))]
        io::stdin().read(into)
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        #[cfg(unix)]
        return match self {
            Sink::Output => waiting(&io::stdout(), PollFlags::OUT, |stream| {
                rustix::io::write(stream, bytes)
            }),
            Sink::Errors => waiting(&io::stderr(), PollFlags::OUT, |stream| {
                rustix::io::write(stream, bytes)
            }),
        };
        #[cfg(not(unix))]
        match self {
            Sink::Output => io::stdout().write(bytes),
            Sink::Errors => io::stderr().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush()
    }
}

#[cfg(unix)]
fn waiting<S: AsFd>(
    stream: &S,
    until: PollFlags,
    mut go: impl FnMut(&S) -> rustix::io::Result<usize>,
) -> io::Result<usize> {
    use rustix::io::Errno;
    loop {
        match go(stream) {
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => match poll(&mut [PollFd::new(stream, until)], None) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            },
            done => return Ok(done?),
        }
    }
}

/// Standard input for a server; call it inside a runtime.
pub(super) fn input() -> Box<dyn AsyncRead + Send + Unpin> {
    // A pipe that is opened anew has flags of its own, and needs no thread that waits for it.
    #[cfg(target_os = "linux")]
    if let Ok(pipe) = tokio::net::unix::pipe::OpenOptions::new().open_receiver("/proc/self/fd/0") {
        return Box::new(pipe);
    }
    let (input, mut read) = tokio::io::simplex(READ_MAX);
    // A thread waits for it, which ends with the process.
    let runtime = tokio::runtime::Handle::current();
    spawn_blocking(move || {
        let mut bytes = vec![0; READ_MAX];
        loop {
            let came = Input.read(&mut bytes);
            let came = came.inspect_err(|error| {
                tracing::error!("standard input cannot be read to its end: {error}")
            });
            let Ok(length @ 1..) = came else { break };
            if runtime
                .block_on(read.write_all(bytes.get(..length).unwrap_or_default()))
                .is_err()
            {
                break;
            }
        }
        // Dropped alone, it would say nothing of the end.
        let _ = runtime.block_on(read.shutdown());
    });
    Box::new(input)
}

/// Standard output for a server; call it inside a runtime.
pub(super) fn output() -> Box<dyn AsyncWrite + Send + Unpin> {
    #[cfg(target_os = "linux")]
    if let Ok(pipe) = tokio::net::unix::pipe::OpenOptions::new().open_sender("/proc/self/fd/1") {
        return Box::new(pipe);
    }
    Box::new(Writing::default())
}

/// Writes to standard output, one after another, each by a thread that waits.
#[derive(Default)]
struct Writing(Option<JoinHandle<io::Result<()>>>);

impl AsyncWrite for Writing {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(self.as_mut().poll_flush(context))?;
        let copy = bytes.to_vec();
        self.0 = Some(spawn_blocking(move || {
            Sink::Output
                .write_all(&copy)
                .and_then(|()| Sink::Output.flush())
        }));
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Some(writing) = &mut self.0 else {
            return Poll::Ready(Ok(()));
        };
        let written = ready!(Pin::new(writing).poll(context));
        self.0 = None;
        Poll::Ready(written.map_err(io::Error::other)?)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(context)
    }
}

/// Bytes that may wait to be read; a line beyond them is left out.
const WAITING_MAX: usize = 1024 * 1024;
/// How long a line may take to be written where it is waited for.
const PATIENCE: Duration = Duration::from_secs(1);

static STATE: Mutex<State> = Mutex::new(State {
    lines: VecDeque::new(),
    bytes: 0,
    written: 0,
    left_out: 0,
    has_writer: false,
    is_stuck: false,
});
static CHANGED: Condvar = Condvar::new();

struct State {
    lines: VecDeque<Vec<u8>>, // Those that wait, and the one that is being written
    bytes: usize,
    written: u64,
    left_out: u64,
    has_writer: bool,
    is_stuck: bool, // A wait was in vain; there is none again until a line was written
}

/// Writes a line as soon as those before it are written; nobody waits for it.
pub(super) fn push_error(line: &[u8]) {
    let mut state = state();
    if state.bytes + line.len() > WAITING_MAX {
        state.left_out += 1;
        return;
    }
    state.bytes += line.len();
    state.lines.push_back(line.to_vec());
    // Without a thread nothing is written, and nothing ends.
    state.has_writer = state.has_writer || std::thread::Builder::new().spawn(write_errors).is_ok();
    drop(state);
    CHANGED.notify_all();
}

/// Waits until all is written, as long as it is read.
pub(super) fn finish_errors() {
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
        push_error(line);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn write_errors() {
    loop {
        let waited = CHANGED.wait_while(state(), |state| state.lines.is_empty());
        let line = waited
            .unwrap_or_else(PoisonError::into_inner)
            .lines
            .front()
            .cloned()
            .unwrap_or_default();
        // Where nobody reads, nobody can be told.
        let _ = Sink::Errors.write_all(&line);
        let mut state = state();
        state.lines.pop_front();
        state.bytes -= line.len();
        state.written += 1;
        state.is_stuck = false;
        let left_out = if state.lines.is_empty() {
            std::mem::take(&mut state.left_out)
        } else {
            0
        };
        drop(state);
        CHANGED.notify_all();
        if left_out > 0 {
            tracing::error!(
                lines = left_out,
                "lines of the log were left out, because standard error was not read"
            );
        }
    }
}

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}
