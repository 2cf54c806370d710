//! How much is under way between the client and the server: which calls run, which wait, what is
//! not written yet.
//!
//! rmcp starts a task for every request and another for every answer, and asks for no end of them.
//! So the transport hands on only so many requests at a time, keeps some more as they were sent,
//! and after those it stops reading: a client that does not read its answers fills its own pipe and
//! not this process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rmcp::model::RequestId;
use tokio::sync::Notify;

/// Requests that run at the same time, up to the last byte of their answers.
const RUNNING_MAX: usize = 64;
/// Pings that may run beside them.
const PINGS_MAX: usize = 64;
/// Bytes of the requests that run, unless it is one alone.
const RUNNING_BYTES_MAX: usize = 8 * 1024 * 1024;
/// Answers to bad lines that are not written yet.
const FROM_US_MAX: usize = 64;
/// After the end of input: how long calls may go on without one of them being answered, …
const PATIENCE: Duration = Duration::from_secs(1);
/// … and how long an answer waits to be read.
const UNREAD_PATIENCE: Duration = Duration::from_secs(5);

/// What is under way; clones share it.
#[derive(Clone, Default)]
pub struct Flow {
    state: Arc<Mutex<State>>,
    /// Something ended; for the transport.
    changed: Arc<Notify>,
    /// Nobody waits for the rest; for the server.
    over: Arc<Notify>,
}

#[derive(Default)]
struct State {
    calls: HashMap<RequestId, Call>,
    running: usize,
    running_bytes: usize,
    /// Lines on their way out, and those of them that answer bad input.
    unwritten: usize,
    from_us: usize,
    broken: bool,
}

struct Call {
    bytes: usize,
    stage: Stage,
    cancelled: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Stage {
    /// Read, not begun.
    Held,
    Running,
    /// Its handler ended, and rmcp has the answer.
    Done,
    /// The answer is on its way out.
    Answering,
}

/// A line that is written.
pub enum Line {
    /// The answer to that request.
    Answer(RequestId),
    /// An answer of the transport's own to input that is no request.
    FromUs,
    /// What nobody waits for.
    Other,
}

/// Travels with a request through rmcp and is dropped when its handler ends.
pub struct Slot {
    flow: Flow,
    id: RequestId,
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.flow.done(&self.id);
    }
}

impl Flow {
    /// Notes a request that was read; false when one with that id is under way.
    pub fn hold(&self, id: &RequestId, bytes: usize) -> bool {
        let mut state = self.state();
        if state.calls.contains_key(id) {
            return false;
        }
        state.calls.insert(
            id.clone(),
            Call {
                bytes,
                stage: Stage::Held,
                cancelled: false,
            },
        );
        true
    }

    /// Whether a request of that size may begin.
    pub fn has_room(&self, bytes: usize, ping: bool) -> bool {
        let state = self.state();
        let max = if ping {
            RUNNING_MAX + PINGS_MAX
        } else {
            RUNNING_MAX
        };
        state.running == 0
            || (state.running < max && state.running_bytes + bytes <= RUNNING_BYTES_MAX)
    }

    /// Begins a request that is held; `None` when it was cancelled meanwhile.
    pub fn begin(&self, id: &RequestId) -> Option<Arc<Slot>> {
        let mut state = self.state();
        let call = state.calls.get_mut(id)?;
        if call.cancelled {
            state.calls.remove(id);
            return None;
        }
        call.stage = Stage::Running;
        let bytes = call.bytes;
        state.running += 1;
        state.running_bytes += bytes;
        Some(Arc::new(Slot {
            flow: self.clone(),
            id: id.clone(),
        }))
    }

    /// Takes a request back that turned out to be none.
    pub fn forget(&self, id: &RequestId) {
        self.state().remove(id);
    }

    /// The client does not want the answer any more. rmcp drops it, unless it is on its way out.
    pub fn cancel(&self, id: &RequestId) {
        let mut state = self.state();
        let Some(call) = state.calls.get_mut(id) else {
            return;
        };
        match call.stage {
            Stage::Held | Stage::Running => call.cancelled = true,
            Stage::Done => {
                state.remove(id);
                drop(state);
                self.changed.notify_one();
            }
            Stage::Answering => {}
        }
    }

    fn done(&self, id: &RequestId) {
        let mut state = self.state();
        let Some(call) = state.calls.get_mut(id) else {
            return;
        };
        if call.cancelled {
            state.remove(id);
            drop(state);
            self.changed.notify_one();
        } else if call.stage == Stage::Running {
            call.stage = Stage::Done;
        }
    }

    /// A line is on its way out.
    pub fn writes(&self, line: &Line) {
        let mut state = self.state();
        state.unwritten += 1;
        match line {
            Line::Answer(id) => {
                if let Some(call) = state.calls.get_mut(id) {
                    call.stage = Stage::Answering;
                }
            }
            Line::FromUs => state.from_us += 1,
            Line::Other => {}
        }
    }

    /// A line was written.
    pub fn wrote(&self, line: &Line) {
        let mut state = self.state();
        state.unwritten -= 1;
        match line {
            Line::Answer(id) => state.remove(id),
            Line::FromUs => state.from_us -= 1,
            Line::Other => {}
        }
        drop(state);
        self.changed.notify_one();
    }

    /// Nothing can be written any more: the client is gone.
    pub fn broke(&self) {
        self.state().broken = true;
        self.changed.notify_one();
    }

    /// Whether the client is gone.
    pub fn is_broken(&self) -> bool {
        self.state().broken
    }

    /// Whether nothing is under way.
    pub fn is_idle(&self) -> bool {
        let state = self.state();
        state.calls.is_empty() && state.unwritten == 0
    }

    /// Whether so many answers to bad lines wait that no more lines should be read.
    pub fn is_clogged(&self) -> bool {
        self.state().from_us >= FROM_US_MAX
    }

    /// Returns when something ended since it was last asked.
    pub async fn changed(&self) {
        self.changed.notified().await;
    }

    /// After the end of input: whether something ended in time.
    pub async fn moves(&self) -> bool {
        let patience = if self.unwritten() > 0 {
            UNREAD_PATIENCE
        } else {
            PATIENCE
        };
        tokio::time::timeout(patience, self.changed()).await.is_ok()
    }

    /// Lines that wait to be read by the client.
    pub fn unwritten(&self) -> usize {
        self.state().unwritten
    }

    /// Nobody waits for what is still under way.
    pub fn give_up(&self) {
        self.over.notify_one();
    }

    /// Returns when nobody waits for what is under way.
    pub async fn given_up(&self) {
        self.over.notified().await;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn remove(&mut self, id: &RequestId) {
        let Some(call) = self.calls.remove(id) else {
            return;
        };
        if call.stage != Stage::Held {
            self.running -= 1;
            self.running_bytes -= call.bytes;
        }
    }
}
