//! JSON-RPC over standard input and output, one message a line.
//!
//! rmcp's own transport ends the server when a stray notification comes before `initialize` and
//! swallows lines that are not JSON. This one answers what can be answered and goes on: only the
//! end of input, or of the client, ends it. Nothing but JSON-RPC is ever written to the output.

use std::collections::VecDeque;
use std::io;

use rmcp::RoleServer;
use rmcp::model::{
    ClientNotification, ClientRequest, GetExtensions as _, GetMeta as _, JsonRpcRequest,
    ProtocolVersion,
};
use rmcp::service::TxJsonRpcMessage;
use rmcp::transport::Transport;
use serde_json::{Map, Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, BufReader};

use super::flow::{self, Flow};
use super::message::{BYTE_ORDER_MARK, Bad, Message, echo, message_of, object_of};
use super::outbox::Outbox;
use super::request_id::{id_at_end, id_of};

/// Bytes of one message; a longer line is answered and skipped.
pub const LINE_MAX: usize = 4 * 1024 * 1024;
/// Bytes of the requests that wait for those before them; after them nothing is read.
const HELD_MAX: usize = 16 * 1024 * 1024;
/// What a request that waits takes beside its line.
const HELD_BESIDE: usize = 200;
/// Names the protocol version on each request of the era without `initialize`.
const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";

type Request = JsonRpcRequest<ClientRequest>;

/// The transport; `receive` may be dropped at any await and resumed.
pub struct Stdio<R> {
    input: BufReader<R>,
    line: Vec<u8>,
    /// The current line is too long and is being skipped.
    skipping: Option<Skipped>,
    /// A line was read to its end.
    past_first: bool,
    /// The input has ended.
    ended: bool,
    /// A client has begun in one of the two ways.
    begun: bool,
    /// Requests that wait for those before them, as they were sent.
    held: VecDeque<Vec<u8>>,
    held_bytes: usize,
    flow: Flow,
    output: Outbox,
}

/// A line that is too long to be kept: what its id is found by.
struct Skipped {
    /// As far as the beginning says it.
    id: Value,
    /// The last bytes.
    end: Vec<u8>,
}

/// Bytes of the end of a skipped line that are kept.
const END_MAX: usize = 2048;

impl Skipped {
    fn feed(&mut self, text: &[u8]) {
        self.end.extend(text);
        self.end.drain(..self.end.len().saturating_sub(END_MAX));
    }

    fn id(self) -> Value {
        if self.id.is_null() {
            id_at_end(&self.end)
        } else {
            self.id
        }
    }
}

/// What was read.
enum Read {
    Line(Vec<u8>),
    /// A line longer than [`LINE_MAX`], and its id.
    TooLong(Value),
    End,
}

impl<R: AsyncRead + Send + Unpin> Stdio<R> {
    /// A transport over these two ends; call it inside a runtime.
    pub fn new<W: AsyncWrite + Send + Unpin + 'static>(input: R, output: W) -> Self {
        let flow = Flow::default();
        Stdio {
            input: BufReader::new(input),
            line: Vec::new(),
            skipping: None,
            past_first: false,
            ended: false,
            begun: false,
            held: VecDeque::new(),
            held_bytes: 0,
            output: Outbox::new(output, flow.clone()),
            flow,
        }
    }

    /// What is under way.
    pub fn flow(&self) -> Flow {
        self.flow.clone()
    }

    /// Reads to the end of a line or of the input; a last line needs no newline.
    async fn read_line(&mut self) -> io::Result<Read> {
        loop {
            let (taken, ended) = {
                let available = self.input.fill_buf().await?;
                if available.is_empty() {
                    return Ok(if self.line.is_empty() && self.skipping.is_none() {
                        Read::End
                    } else {
                        self.line_ends()
                    });
                }
                let newline = available.iter().position(|byte| *byte == b'\n');
                let text = available
                    .get(..newline.unwrap_or(available.len()))
                    .unwrap_or_default();
                match &mut self.skipping {
                    Some(skipped) => skipped.feed(text),
                    None => self.line.extend(text),
                }
                (
                    newline.map_or(available.len(), |at| at + 1),
                    newline.is_some(),
                )
            };
            self.input.consume(taken);
            if self.line.len() > LINE_MAX {
                let line = self.take_line();
                let mut skipped = Skipped {
                    id: id_of(&line),
                    end: Vec::new(),
                };
                skipped.feed(&line);
                self.skipping = Some(skipped);
            }
            if ended {
                return Ok(self.line_ends());
            }
        }
    }

    fn line_ends(&mut self) -> Read {
        match self.skipping.take() {
            Some(skipped) => Read::TooLong(skipped.id()),
            None => Read::Line(self.take_line()),
        }
    }

    /// What was read of the line; of the first one without the mark before it.
    fn take_line(&mut self) -> Vec<u8> {
        let mut line = std::mem::take(&mut self.line);
        if !std::mem::replace(&mut self.past_first, true) && line.starts_with(BYTE_ORDER_MARK) {
            line.drain(..BYTE_ORDER_MARK.len());
        }
        line
    }

    /// What to do with a line: a message for the server, an answer of our own, or nothing.
    fn sorted(&mut self, line: Vec<u8>) -> Option<Message> {
        let bytes = line.len();
        match self.message(&line)? {
            Message::Request(request) => self.admitted(request, line, bytes),
            Message::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) =
                    &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.flow.cancel(id);
                }
                Some(Message::Notification(notification))
            }
            other @ (Message::Response(_) | Message::Error(_)) => Some(other),
        }
    }

    /// The message in a line; where there is none, the line is answered if it wants to be.
    fn message(&mut self, line: &[u8]) -> Option<Message> {
        match self.parsed(line) {
            Ok(message) => message,
            Err(bad) => {
                self.refuse(bad);
                None
            }
        }
    }

    /// A request that may begin now; else it is held, or refused.
    fn admitted(&mut self, request: Request, line: Vec<u8>, bytes: usize) -> Option<Message> {
        if !self.flow.hold(&request.id, bytes) {
            let reason = "a request with this id is still being answered; send this one again with an id of its own";
            self.refuse(Bad::new(request.id.into_json_value(), -32600, reason));
            return None;
        }
        let ping = matches!(request.request, ClientRequest::PingRequest(_));
        if (ping || self.held.is_empty()) && self.flow.has_room(bytes, ping) {
            return self.begun(request);
        }
        self.held_bytes += bytes + HELD_BESIDE;
        self.held.push_back(line);
        None
    }

    /// The next of the requests that were held, once there is room for it.
    fn next_held(&mut self) -> Option<Message> {
        while let Some(line) = self.held.front() {
            if !self.flow.has_room(line.len(), false) {
                return None;
            }
            let line = self.held.pop_front()?;
            self.held_bytes -= line.len() + HELD_BESIDE;
            if let Some(Message::Request(request)) = self.message(&line)
                && let Some(message) = self.begun(request)
            {
                return Some(message);
            }
        }
        None
    }

    /// A request as rmcp gets it; `None` when it was cancelled while it was held.
    fn begun(&self, mut request: Request) -> Option<Message> {
        let slot = self.flow.begin(&request.id)?;
        request.request.extensions_mut().insert(slot);
        Some(Message::Request(request))
    }

    fn refuse(&self, bad: Bad) {
        self.output
            .send(flow::Line::FromUs, bad.answer().to_string().into_bytes());
    }

    fn parsed(&mut self, line: &[u8]) -> Result<Option<Message>, Bad> {
        let mut message = object_of(line)?;
        let id = message.get("id").cloned();
        let method = message
            .get("method")
            .and_then(Value::as_str)
            .map(str::to_owned);
        if !self.begun {
            match (method.as_deref(), &id) {
                (Some("initialize" | "ping" | "server/discover"), Some(_)) => {}
                (Some(_), Some(id)) if !names_version(&message) => {
                    let reason =
                        "send initialize first, or name the protocol version in _meta (2026-07-28)";
                    return Err(Bad::new(echo(Some(id.clone())), -32600, reason));
                }
                (Some(_), Some(_)) => {}
                // A notification or an answer before anything began has nobody to go to.
                _ => return Ok(None),
            }
        }
        if let (Some(method), Some(_), Some(false)) =
            (&method, &id, message.get("params").map(Value::is_object))
        {
            let reason = match method.as_str() {
                "tools/call" => {
                    "params is an object with name, a tool's name, and arguments, an object"
                }
                _ => "params is an object, or left out",
            };
            return Err(Bad::new(echo(id), -32602, reason));
        }
        if let (Some(method), Some(_)) = (&method, &id)
            && method.ends_with("/list")
            && message
                .get("params")
                .and_then(|params| params.get("cursor"))
                .is_some_and(|id| !id.is_null() && !id.is_string())
        {
            let reason = "cursor is text that an earlier page gave, and this list is one page. Leave cursor out";
            return Err(Bad::new(echo(id), -32602, reason));
        }
        if method.as_deref() == Some("initialize")
            && let Some(Value::Object(params)) = message.get_mut("params")
        {
            completed(params);
        }
        let message = message_of(message)?;
        if !self.begun {
            self.begun = begins(&message);
            if !self.begun && method.as_deref() == Some("initialize") {
                let reason =
                    "initialize takes protocolVersion, capabilities and clientInfo {name, version}";
                return Err(Bad::new(echo(id), -32602, reason));
            }
        }
        Ok(Some(message))
    }
}

impl<R: AsyncRead + Send + Unpin> Transport<RoleServer> for Stdio<R> {
    type Error = io::Error;

    /// Done as soon as the line has its place in the order; whether it could be written, [`Flow`]
    /// tells.
    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        let of = match &message {
            TxJsonRpcMessage::<RoleServer>::Response(answer) => {
                flow::Line::Answer(answer.id.clone())
            }
            TxJsonRpcMessage::<RoleServer>::Error(error) => error
                .id
                .clone()
                .map_or(flow::Line::Other, flow::Line::Answer),
            TxJsonRpcMessage::<RoleServer>::Request(_)
            | TxJsonRpcMessage::<RoleServer>::Notification(_) => flow::Line::Other,
        };
        let sent = match serde_json::to_vec(&message) {
            Ok(line) => match self.output.send(of, line) {
                true => Ok(()),
                false => Err(io::Error::from(io::ErrorKind::NotConnected)),
            },
            Err(error) => Err(error.into()),
        };
        std::future::ready(sent)
    }

    async fn receive(&mut self) -> Option<Message> {
        let flow = self.flow.clone();
        loop {
            if flow.is_broken() {
                flow.give_up();
                return None;
            }
            if let Some(message) = self.next_held() {
                return Some(message);
            }
            if self.ended {
                if flow.is_idle() {
                    return None;
                }
                if !flow.moves().await {
                    flow.give_up();
                    return None;
                }
                continue;
            }
            if self.held_bytes > HELD_MAX || flow.is_clogged() {
                flow.changed().await;
                continue;
            }
            let read = tokio::select! {
                read = self.read_line() => read,
                () = flow.changed() => continue,
            };
            match read {
                Ok(Read::Line(line)) if line.iter().all(u8::is_ascii_whitespace) => {}
                Ok(Read::Line(line)) => {
                    if let Some(message) = self.sorted(line) {
                        return Some(message);
                    }
                }
                Ok(Read::TooLong(id)) => {
                    let reason =
                        format!("a message is at most {LINE_MAX} bytes long; this one was skipped");
                    self.refuse(Bad::new(id, -32600, reason));
                }
                Ok(Read::End) => self.ended = true,
                Err(error) => {
                    tracing::error!("standard input: {error}");
                    self.ended = true;
                }
            }
        }
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        self.output.close().await;
        Ok(())
    }
}

/// Fills in what a client may leave out of `initialize` here.
fn completed(params: &mut Map<String, Value>) {
    if !params.get("protocolVersion").is_some_and(Value::is_string) {
        return;
    }
    let mut fill = |name: &str, with: Value| {
        let field = params.entry(name).or_insert(Value::Null);
        if field.is_null() {
            *field = with;
        }
    };
    fill("capabilities", json!({}));
    fill("clientInfo", json!({}));
    if let Some(Value::Object(client)) = params.get_mut("clientInfo") {
        client
            .entry("name")
            .or_insert_with(|| Value::from("unknown"));
        client
            .entry("version")
            .or_insert_with(|| Value::from("unknown"));
    }
}

/// Whether rmcp will take this as a beginning. Until then anything but a request ends it.
fn begins(message: &Message) -> bool {
    let Message::Request(request) = message else {
        return false;
    };
    match &request.request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => false,
        request => {
            let meta = request.get_meta();
            let known = |version| ProtocolVersion::KNOWN_VERSIONS.contains(&version);
            meta.missing_required_keys(&ProtocolVersion::V_2026_07_28)
                .is_empty()
                && meta.protocol_version().is_some_and(known)
        }
    }
}

fn names_version(message: &Map<String, Value>) -> bool {
    message
        .get("params")
        .and_then(|params| params.get("_meta"))
        .and_then(|meta| meta.get(VERSION_KEY))
        .is_some()
}
