//! What is written to the client: whole lines, in the order in which they were given, by one task.

use std::time::Duration;

use tokio::io::{AsyncWrite, AsyncWriteExt as _};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::flow::{Flow, Line};

/// How long the last lines may wait to be read.
const PATIENCE: Duration = Duration::from_secs(2);

/// The way out. It takes every line; [`Flow`] bounds how many there can be.
pub struct Outbox {
    lines: Option<mpsc::UnboundedSender<(Line, Vec<u8>)>>,
    writer: JoinHandle<()>,
    flow: Flow,
}

impl Outbox {
    /// Begins to write to that end; call it inside a runtime.
    pub fn new<W: AsyncWrite + Send + Unpin + 'static>(output: W, flow: Flow) -> Outbox {
        let (lines, waiting) = mpsc::unbounded_channel();
        let writer = tokio::spawn(write(output, waiting, flow.clone()));
        Outbox {
            lines: Some(lines),
            writer,
            flow,
        }
    }

    /// Gives a line out; false when the client is gone.
    pub fn send(&self, line: Line, mut bytes: Vec<u8>) -> bool {
        let Some(lines) = &self.lines else {
            return false;
        };
        bytes.push(b'\n');
        self.flow.writes(&line);
        lines.send((line, bytes)).is_ok()
    }

    /// Writes what is left, as long as a person reads it.
    pub async fn close(&mut self) {
        self.lines = None;
        loop {
            let before = self.flow.unwritten();
            match tokio::time::timeout(PATIENCE, &mut self.writer).await {
                Ok(_) => return,
                Err(_) if self.flow.unwritten() == before => break,
                Err(_) => {}
            }
        }
        self.writer.abort();
    }
}

async fn write<W: AsyncWrite + Unpin>(
    mut output: W,
    mut lines: mpsc::UnboundedReceiver<(Line, Vec<u8>)>,
    flow: Flow,
) {
    while let Some((line, bytes)) = lines.recv().await {
        let written = match output.write_all(&bytes).await {
            Ok(()) => output.flush().await,
            Err(error) => Err(error),
        };
        // A broken pipe is the client's end, not ours.
        if written.is_err() {
            flow.broke();
            return;
        }
        flow.wrote(&line);
    }
}
