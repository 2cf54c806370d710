//! A model's API on this computer: it says what a test tells it to, in the form and in the pieces
//! in which the real one does.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::Response;
use rollbook::play::model::Api;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

/// The models that every fake has.
pub const MODELS: [&str; 2] = ["scripted", "scripted-mini"];

/// A request that came.
#[derive(Debug, Clone)]
pub struct Asked {
    pub method: Method,
    pub path: String,
    pub headers: HeaderMap,
    pub body: Value,
}

/// What a fake says.
pub enum Answer {
    /// A reply of the API.
    Reply(Reply),
    /// Bytes as they are, of that type.
    Bytes(&'static str, &'static str),
    /// An error.
    Status(u16, Vec<(&'static str, &'static str)>, Value),
    /// Nothing, for ever.
    Silence,
}

/// A reply.
#[derive(Debug, Clone, Default)]
pub struct Reply {
    pub text: String,
    /// Names and arguments; arguments are text, since a model may write anything.
    pub calls: Vec<(String, String)>,
    pub end: End,
    /// The reply was as long as it may be.
    pub is_cut_off: bool,
    /// The model refuses, or is refused, where the API says such a thing.
    pub is_refused: bool,
    /// Tokens that it says were read; 100 where no number is set.
    pub read: Option<u64>,
}

/// How a stream ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum End {
    #[default]
    Whole,
    /// The connection breaks in the middle.
    Breaks,
    /// It ends in good order before the reply does.
    Early,
    /// Nothing more comes, and it stays open.
    Hangs,
    /// It goes on and on.
    Never,
    /// It goes on and on without a word of a reply.
    Drips,
    /// The API says in the middle that it has too much to do.
    Overloaded,
}

impl From<Reply> for Answer {
    fn from(reply: Reply) -> Answer {
        Answer::Reply(reply)
    }
}

/// Words alone.
pub fn says(text: &str) -> Reply {
    Reply {
        text: text.to_owned(),
        ..Reply::default()
    }
}

/// Calls of tools.
pub fn calls<const N: usize>(all: [(&str, Value); N]) -> Reply {
    let calls = all
        .into_iter()
        .map(|(name, arguments)| (name.to_owned(), arguments.to_string()))
        .collect();
    Reply {
        calls,
        ..Reply::default()
    }
}

impl Reply {
    pub fn ending(self, end: End) -> Reply {
        Reply { end, ..self }
    }
}

type Script = Box<dyn FnMut(&Asked) -> Answer + Send>;

/// A server that plays an API.
pub struct Fake {
    pub api: Api,
    pub endpoint: String,
    asked: Arc<Mutex<Vec<Asked>>>,
    _end: oneshot::Sender<()>,
}

impl Fake {
    /// A fake that answers each request for a reply as the script says.
    pub fn start(api: Api, script: impl FnMut(&Asked) -> Answer + Send + 'static) -> Fake {
        let asked: Arc<Mutex<Vec<Asked>>> = Arc::default();
        let (end, ended) = oneshot::channel();
        let (tell, port) = std::sync::mpsc::channel();
        let (kept, script) = (
            asked.clone(),
            Arc::new(Mutex::new(Box::new(script) as Script)),
        );
        std::thread::spawn(move || {
            let runtime = crate::process::runtime();
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
                    .await
                    .expect("a port");
                tell.send(listener.local_addr().expect("an address"))
                    .expect("the test waits");
                let answer = move |method: Method, uri: Uri, headers: HeaderMap, body: Bytes| {
                    let body = serde_json::from_slice(&body).unwrap_or_default();
                    let request = Asked {
                        method,
                        path: uri.path().to_owned(),
                        headers,
                        body,
                    };
                    kept.lock().expect("a list").push(request.clone());
                    let script = script.clone();
                    async move { answer(api, &request, &script).await }
                };
                let app = axum::Router::new().fallback(answer);
                tokio::select! {
                    served = axum::serve(listener, app) => served.expect("it serves"),
                    _ = ended => {}
                }
            });
            // What hangs is left.
            runtime.shutdown_background();
        });
        let address = port.recv().expect("it starts");
        let base = if api == Api::OpenAi { "/v1" } else { "" };
        Fake {
            api,
            endpoint: format!("http://{address}{base}"),
            asked,
            _end: end,
        }
    }

    /// A fake that says these, one after the other, and then nothing that helps.
    pub fn saying(api: Api, answers: impl IntoIterator<Item = Answer>) -> Fake {
        let mut answers: std::collections::VecDeque<Answer> = answers.into_iter().collect();
        Fake::start(api, move |_| {
            answers
                .pop_front()
                .unwrap_or_else(|| says("The script is at its end.").into())
        })
    }

    /// The requests for replies, in their order.
    pub fn asked(&self) -> Vec<Asked> {
        let all = self.asked.lock().expect("a list");
        all.iter()
            .filter(|request| request.method == Method::POST)
            .cloned()
            .collect()
    }
}

async fn answer(api: Api, asked: &Asked, script: &Mutex<Script>) -> Response {
    if asked.method == Method::GET {
        let names = MODELS
            .iter()
            .map(|name| json!({"id": name, "name": name}))
            .collect::<Vec<Value>>();
        let list = if api == Api::Ollama {
            json!({"models": names})
        } else {
            json!({"data": names})
        };
        return whole(200, "application/json", list.to_string());
    }
    let path = match api {
        Api::Anthropic => "/v1/messages",
        Api::OpenAi => "/v1/chat/completions",
        Api::Ollama => "/api/chat",
    };
    assert_eq!(
        (asked.path.as_str(), &asked.body["stream"]),
        (path, &json!(true))
    );
    let answer = script.lock().expect("a script")(asked);
    match answer {
        Answer::Reply(reply) => stream(api, reply),
        Answer::Bytes(kind, bytes) => whole(200, kind, bytes.to_owned()),
        Answer::Status(status, headers, body) => {
            let mut response = whole(status, "application/json", body.to_string());
            for (name, value) in headers {
                response
                    .headers_mut()
                    .insert(name, value.parse().expect("a value"));
            }
            response
        }
        Answer::Silence => std::future::pending().await,
    }
}

fn whole(status: u16, kind: &str, body: String) -> Response {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = StatusCode::from_u16(status).expect("a status");
    response
        .headers_mut()
        .insert("content-type", kind.parse().expect("a type"));
    response
}

/// The pieces of a stream as a task sends them.
struct Pieces(mpsc::Receiver<io::Result<Bytes>>);

impl futures_core::Stream for Pieces {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context)
    }
}

fn stream(api: Api, reply: Reply) -> Response {
    let (send, pieces) = mpsc::channel(4);
    tokio::spawn(async move {
        let (mut frames, end) = frames(api, &reply);
        if reply.end == End::Whole {
            frames.extend(end);
        }
        if reply.end == End::Overloaded {
            frames.push(overloaded(api));
        }
        let stream: Vec<u8> = frames.concat().into_bytes();
        // The network cuts where it likes, in the middle of letters, too.
        for piece in stream.chunks(23) {
            if send.send(Ok(Bytes::copy_from_slice(piece))).await.is_err() {
                return;
            }
        }
        match reply.end {
            End::Whole | End::Early | End::Overloaded => {}
            End::Breaks => {
                // What was sent has to be there before the connection breaks.
                tokio::time::sleep(Duration::from_millis(50)).await;
                drop(send.send(Err(io::ErrorKind::ConnectionReset.into())).await);
            }
            End::Hangs => std::future::pending().await,
            End::Drips => {
                while send.send(Ok(Bytes::from_static(b"\n"))).await.is_ok() {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            }
            End::Never => {
                while send.send(Ok(more(api))).await.is_ok() {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            }
        }
    });
    let mut response = Response::new(Body::from_stream(Pieces(pieces)));
    let kind = if api == Api::Ollama {
        "application/x-ndjson"
    } else {
        "text/event-stream"
    };
    response
        .headers_mut()
        .insert("content-type", kind.parse().expect("a type"));
    response
}

/// The frames of a reply, and those that say that it is over.
fn frames(api: Api, reply: &Reply) -> (Vec<String>, Vec<String>) {
    let read = reply.read.unwrap_or(100);
    match api {
        Api::Anthropic => anthropic(reply, read),
        Api::OpenAi => openai(reply, read),
        Api::Ollama => ollama(reply, read),
    }
}

fn event(value: &Value) -> String {
    match value["type"].as_str() {
        Some(kind) => format!("event: {kind}\ndata: {value}\n\n"),
        None => format!("data: {value}\n\n"),
    }
}

/// A text in pieces of whole letters.
fn in_pieces(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    letters
        .chunks(7)
        .map(|piece| piece.iter().collect())
        .collect()
}

fn anthropic(reply: &Reply, read: u64) -> (Vec<String>, Vec<String>) {
    let mut all = vec![
        json!({"type": "message_start", "message": {"id": "msg_1", "usage": {"input_tokens": read, "output_tokens": 1}}}),
        json!({"type": "ping"}),
    ];
    let mut place = 0;
    if !reply.text.is_empty() {
        all.push(json!({"type": "content_block_start", "index": place, "content_block": {"type": "text", "text": ""}}));
        for piece in in_pieces(&reply.text) {
            all.push(
                json!({"type": "content_block_delta", "index": place, "delta": {"type": "text_delta", "text": piece}}),
            );
        }
        all.push(json!({"type": "content_block_stop", "index": place}));
        place += 1;
    }
    for (nth, (name, arguments)) in reply.calls.iter().enumerate() {
        let block =
            json!({"type": "tool_use", "id": format!("toolu_{nth}"), "name": name, "input": {}});
        all.push(json!({"type": "content_block_start", "index": place, "content_block": block}));
        for piece in in_pieces(arguments) {
            let delta = json!({"type": "input_json_delta", "partial_json": piece});
            all.push(json!({"type": "content_block_delta", "index": place, "delta": delta}));
        }
        all.push(json!({"type": "content_block_stop", "index": place}));
        place += 1;
    }
    let stop = match (reply.is_cut_off, reply.calls.is_empty()) {
        _ if reply.is_refused => "refusal",
        (true, _) => "max_tokens",
        (false, true) => "end_turn",
        (false, false) => "tool_use",
    };
    let delta = json!({"type": "message_delta", "delta": {"stop_reason": stop}, "usage": {"output_tokens": 20}});
    let end = [delta, json!({"type": "message_stop"})];
    (
        all.iter().map(event).collect(),
        end.iter().map(event).collect(),
    )
}

fn openai(reply: &Reply, read: u64) -> (Vec<String>, Vec<String>) {
    let chunk = |delta: Value, reason: Option<&str>| {
        let choice = json!({"index": 0, "delta": delta, "finish_reason": reason});
        event(&json!({"id": "c", "object": "chat.completion.chunk", "choices": [choice]}))
    };
    let mut all = vec![chunk(json!({"role": "assistant", "content": ""}), None)];
    all.extend(
        in_pieces(&reply.text)
            .into_iter()
            .map(|piece| chunk(json!({"content": piece}), None)),
    );
    for (nth, (name, arguments)) in reply.calls.iter().enumerate() {
        let begun = json!({"index": nth, "id": format!("call_{nth}"), "type": "function", "function": {"name": name, "arguments": ""}});
        all.push(chunk(json!({"tool_calls": [begun]}), None));
        for piece in in_pieces(arguments) {
            all.push(chunk(
                json!({"tool_calls": [{"index": nth, "function": {"arguments": piece}}]}),
                None,
            ));
        }
    }
    let reason = match (reply.is_cut_off, reply.calls.is_empty()) {
        _ if reply.is_refused => "content_filter",
        (true, _) => "length",
        (false, true) => "stop",
        (false, false) => "tool_calls",
    };
    let used = json!({"id": "c", "choices": [], "usage": {"prompt_tokens": read, "completion_tokens": 20}});
    (
        all,
        vec![
            chunk(json!({}), Some(reason)),
            event(&used),
            "data: [DONE]\n\n".to_owned(),
        ],
    )
}

fn ollama(reply: &Reply, read: u64) -> (Vec<String>, Vec<String>) {
    let line = |message: Value| {
        format!(
            "{}\n",
            json!({"model": "scripted", "message": message, "done": false})
        )
    };
    let mut all: Vec<String> = in_pieces(&reply.text)
        .into_iter()
        .map(|piece| line(json!({"role": "assistant", "content": piece})))
        .collect();
    for (name, arguments) in &reply.calls {
        let arguments: Value =
            serde_json::from_str(arguments).unwrap_or_else(|_| Value::from(arguments.as_str()));
        let call = json!({"function": {"name": name, "arguments": arguments}});
        all.push(line(
            json!({"role": "assistant", "content": "", "tool_calls": [call]}),
        ));
    }
    let reason = if reply.is_cut_off { "length" } else { "stop" };
    let end = json!({
        "model": "scripted", "message": {"role": "assistant", "content": ""}, "done": true, "done_reason": reason,
        "prompt_eval_count": read, "eval_count": 20,
    });
    (all, vec![format!("{end}\n")])
}

fn overloaded(api: Api) -> String {
    match api {
        Api::Anthropic => event(
            &json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}),
        ),
        Api::OpenAi => event(&json!({"error": {"type": "server_error", "message": "Overloaded"}})),
        Api::Ollama => format!("{}\n", json!({"error": "Overloaded"})),
    }
}

/// A word more.
fn more(api: Api) -> Bytes {
    let reply = says("and on ");
    let (frames, _) = frames(api, &reply);
    Bytes::from(frames.concat())
}
