//! JSON-RPC over standard input and output, one message a line.
//!
//! rmcp's own transport ends the server when a stray notification comes before `initialize` and swallows lines that
//! are not JSON. This one answers what can be answered and goes on: only the end of input ends it. Nothing but JSON-RPC
//! is ever written to the output.

use std::io;
use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::model::{ClientRequest, GetMeta as _, ProtocolVersion};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::Mutex;
use tokio::task::JoinHandle;

/// Bytes of one message; a longer line is answered and skipped.
pub const LINE_MAX: usize = 4 * 1024 * 1024;

/// Names the protocol version on each request of the era without `initialize`.
const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";

/// The transport; `receive` may be dropped at any await and resumed.
pub struct Stdio<R, W> {
    input: BufReader<R>,
    line: Vec<u8>,
    /// The current line is too long and is being skipped.
    skipping: bool,
    /// An answer to bad input that is not written yet.
    pending: Option<Value>,
    /// That answer on its way out: a task, because a `receive` that is dropped half-way must not leave half a line.
    writing: Option<JoinHandle<io::Result<()>>>,
    /// A client has begun in one of the two ways.
    begun: bool,
    output: Arc<Mutex<Option<W>>>,
}

impl<R, W> Stdio<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    /// A transport over these two ends.
    pub fn new(input: R, output: W) -> Self {
        Stdio {
            input: BufReader::new(input),
            line: Vec::new(),
            skipping: false,
            pending: None,
            writing: None,
            begun: false,
            output: Arc::new(Mutex::new(Some(output))),
        }
    }

    /// Reads to the end of a line, within [`LINE_MAX`]. `Ok(false)` is the end of input.
    async fn read_line(&mut self) -> io::Result<bool> {
        loop {
            let (taken, ended) = {
                let available = self.input.fill_buf().await?;
                if available.is_empty() {
                    return Ok(false);
                }
                let newline = available.iter().position(|byte| *byte == b'\n');
                let taken = newline.map_or(available.len(), |at| at + 1);
                if !self.skipping {
                    self.line.extend(available.iter().take(taken));
                }
                (taken, newline.is_some())
            };
            self.input.consume(taken);
            if self.line.len() > LINE_MAX {
                self.line.clear();
                self.skipping = true;
                self.pending = Some(error(
                    Value::Null,
                    -32600,
                    &format!("a message is at most {LINE_MAX} bytes long; this one was skipped"),
                ));
            }
            if ended {
                self.skipping = false;
                return Ok(true);
            }
        }
    }

    /// What to do with a line: a message for the server, an answer of our own, or nothing.
    fn sorted(&mut self, line: &[u8]) -> Option<RxJsonRpcMessage<RoleServer>> {
        let value: Value = match serde_json::from_slice(line) {
            Ok(value) => value,
            Err(problem) => {
                self.pending = Some(error(Value::Null, -32700, &format!("this line is not JSON: {problem}")));
                return None;
            }
        };
        let Value::Object(message) = &value else {
            let reason = "send one JSON-RPC object a line; batches are not taken";
            self.pending = Some(error(Value::Null, -32600, reason));
            return None;
        };
        let id = message.get("id").cloned();
        let method = message.get("method").and_then(Value::as_str).map(str::to_owned);
        if !self.begun {
            match (method.as_deref(), &id) {
                (Some("initialize" | "ping" | "server/discover"), Some(_)) => {}
                (Some(_), Some(id)) if !names_version(&value) => {
                    let reason = "send initialize first, or name the protocol version in _meta (2026-07-28)";
                    self.pending = Some(error(echo(Some(id.clone())), -32600, reason));
                    return None;
                }
                (Some(_), Some(_)) => {}
                // A notification or an answer before anything began has nobody to go to.
                _ => return None,
            }
        }
        if let (Some(method), Some(_), Some(false)) = (&method, &id, message.get("params").map(Value::is_object)) {
            let reason = match method.as_str() {
                "tools/call" => "params is an object with name, a tool's name, and arguments, an object",
                _ => "params is an object, or left out",
            };
            self.pending = Some(error(echo(id), -32602, reason));
            return None;
        }
        let message: RxJsonRpcMessage<RoleServer> = match serde_json::from_value(value) {
            Ok(message) => message,
            Err(problem) => {
                let reason = format!("this is no JSON-RPC 2.0 message: {problem}");
                self.pending = Some(error(echo(id), -32600, &reason));
                return None;
            }
        };
        if !self.begun {
            self.begun = begins(&message);
            if !self.begun && method.as_deref() == Some("initialize") {
                let reason = "initialize takes protocolVersion, capabilities and clientInfo {name, version}";
                self.pending = Some(error(echo(id), -32602, reason));
                return None;
            }
        }
        Some(message)
    }

    async fn answer_pending(&mut self) -> io::Result<()> {
        if let Some(answer) = self.pending.take() {
            let output = self.output.clone();
            self.writing = Some(tokio::spawn(async move { write(&output, format!("{answer}\n").as_bytes()).await }));
        }
        if let Some(writing) = &mut self.writing {
            let written = writing.await;
            self.writing = None;
            written.map_err(io::Error::other)??;
        }
        Ok(())
    }
}

impl<R, W> Transport<RoleServer> for Stdio<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        let output = self.output.clone();
        async move {
            let mut line = serde_json::to_vec(&message)?;
            line.push(b'\n');
            write(&output, &line).await
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if self.answer_pending().await.is_err() {
                return None;
            }
            match self.read_line().await {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => {
                    tracing::error!("standard input: {error}");
                    return None;
                }
            }
            let line = std::mem::take(&mut self.line);
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            if let Some(message) = self.sorted(&line) {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        self.output.lock().await.take();
        Ok(())
    }
}

/// One line, whole, flushed. A broken pipe is the client's end, not ours.
async fn write<W: AsyncWrite + Unpin>(output: &Mutex<Option<W>>, line: &[u8]) -> io::Result<()> {
    let mut output = output.lock().await;
    let output = output.as_mut().ok_or_else(|| io::Error::from(io::ErrorKind::NotConnected))?;
    output.write_all(line).await?;
    output.flush().await
}

/// Whether rmcp will take this as a beginning. Until then anything but a request ends it.
fn begins(message: &RxJsonRpcMessage<RoleServer>) -> bool {
    let RxJsonRpcMessage::<RoleServer>::Request(request) = message else { return false };
    match &request.request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => false,
        request => {
            let meta = request.get_meta();
            let known = |version| ProtocolVersion::KNOWN_VERSIONS.contains(&version);
            meta.missing_required_keys(&ProtocolVersion::V_2026_07_28).is_empty()
                && meta.protocol_version().is_some_and(known)
        }
    }
}

/// An id that may be repeated in an answer; what is no id is answered as none.
fn echo(id: Option<Value>) -> Value {
    id.filter(|id| id.is_string() || id.is_number()).unwrap_or(Value::Null)
}

fn names_version(message: &Value) -> bool {
    message.pointer("/params/_meta").and_then(|meta| meta.get(VERSION_KEY)).is_some()
}

fn error(id: Value, code: i32, message: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
}
