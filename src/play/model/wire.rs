//! The connection to an API: one request, and the frames of its answer as they come.
//!
//! The stream carries JSON: server-sent events, or of Ollama a line each. Of an event only its data
//! counts: all three APIs say in the data, too, what kind of event it is.
//!
//! A key goes to the endpoint that was named and nowhere else: redirects are not followed, and no
//! line of the log has a header.

use std::sync::Arc;
use std::time::{Duration, Instant};

use reqwest::header::{CONTENT_TYPE, HeaderValue, LOCATION, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder, RequestBuilder, Response, StatusCode};
use serde_json::Value;

use super::api::{Api, Choice};
use super::error::{ModelError, shown};
use rollbook_text::names::{listed, quoted};
use rollbook_text::secrets::Secrets;

const CONNECT: Duration = Duration::from_secs(15);
/// How long a stream may say nothing once it has begun. Before that a model may have to be loaded.
const PAUSE: Duration = Duration::from_secs(60);
/// How long the list of models may take, its bytes, and how much of it is named.
const LIST: Duration = Duration::from_secs(10);
const LIST_MAX: usize = 1024 * 1024;
const LISTED_MAX: usize = 300;
const ERROR_MAX: usize = 64 * 1024;
const REPLY_MAX: usize = 32 * 1024 * 1024;
const ANTHROPIC_VERSION: &str = "2023-06-01";
/// The status with which Anthropic's API says that it has too much to do.
const OVERLOADED: u16 = 529;

/// The client of an API.
pub fn client(choice: &Choice) -> Result<Client, ModelError> {
    let builder = match choice.endpoint.starts_with("https:") {
        // The one crate of cryptography that is built; the roots of trust are the computer's own.
        true => {
            let _ = rustls::crypto::ring::default_provider().install_default();
            Client::builder().redirect(Policy::none())
        }
        false => plain_client()?,
    };
    let builder = builder
        .connect_timeout(CONNECT)
        .user_agent(concat!("rollbook/", env!("CARGO_PKG_VERSION")));
    // A proxy of the environment does not lead to this computer.
    let builder = if choice.is_local() {
        builder.no_proxy()
    } else {
        builder
    };
    builder
        .build()
        .map_err(|error| ModelError::Tls(reason(&error)))
}

/// Sends a request; answers its stream once the API has taken it.
pub async fn post(
    client: &Client,
    choice: &Choice,
    body: &Value,
    deadline: Instant,
) -> Result<Stream, ModelError> {
    let request = client.post(format!("{}{}", choice.endpoint, choice.api.facts().path));
    let request = headed(request, choice)?
        .header(CONTENT_TYPE, "application/json")
        .body(body.to_string());
    let began = Instant::now();
    let answered = async {
        let response = request
            .send()
            .await
            .map_err(|error| unreachable(choice, &error))?;
        if !response.status().is_success() {
            return Err(refused(choice, response).await);
        }
        let (frames, endpoint) = (Frames::new(choice.api), choice.endpoint.clone());
        Ok(Stream {
            response,
            frames,
            endpoint,
            read: 0,
        })
    };
    let mut answered = tokio::time::timeout_at(deadline.into(), answered)
        .await
        .unwrap_or_else(|_| Err(silent(&choice.endpoint, began)));
    if let Err(ModelError::NoSuchModel { there, .. }) = &mut answered {
        let models = tokio::time::timeout_at(deadline.into(), models(client, choice));
        *there = models.await.ok().flatten().unwrap_or_default();
    }
    answered
}

/// The models that the API names, as a sentence; none where it does not say.
async fn models(client: &Client, choice: &Choice) -> Option<String> {
    let (path, list, name) = choice.api.facts().models;
    let request = headed(client.get(format!("{}{path}", choice.endpoint)), choice).ok()?;
    let body = beginning(request.timeout(LIST).send().await.ok()?, LIST_MAX).await;
    let all: Value = serde_json::from_slice(&body).ok()?;
    let names = all.pointer(list)?.as_array()?.iter();
    let names: Vec<String> = names
        .filter_map(|model| Some(quoted(&choice.secrets.masked(model.get(name)?.as_str()?))))
        .collect();
    let names = listed(names.iter().map(String::as_str), LISTED_MAX);
    (!names.is_empty()).then(|| format!(" It has {names}."))
}

pub struct Stream {
    response: Response,
    frames: Frames,
    endpoint: String,
    read: usize,
}

impl Stream {
    /// The next frame; `None` when the stream has ended.
    /// Errors: when it broke off, or nothing came for too long.
    pub async fn next(&mut self, deadline: Instant) -> Result<Option<String>, ModelError> {
        loop {
            if let Some(frame) = self.frames.next() {
                return Ok(Some(frame));
            }
            let began = Instant::now();
            let pause = (began + PAUSE).min(deadline);
            match tokio::time::timeout_at(pause.into(), self.response.chunk()).await {
                Err(_) if self.read > 0 && Instant::now() >= deadline => {
                    return Err(ModelError::Slow {
                        endpoint: self.endpoint.clone(),
                    });
                }
                Err(_) => return Err(silent(&self.endpoint, began)),
                Ok(Err(_)) => return Err(ModelError::Cut),
                Ok(Ok(Some(bytes))) => {
                    self.read += bytes.len();
                    if self.read > REPLY_MAX {
                        return Err(ModelError::Garbled {
                            what: format!("a reply of more than {REPLY_MAX} bytes"),
                        });
                    }
                    self.frames.push(&bytes)?;
                }
                // After its end nothing more comes.
                Ok(Ok(None)) => return Ok(self.frames.last()),
            }
        }
    }
}

fn headed(mut request: RequestBuilder, choice: &Choice) -> Result<RequestBuilder, ModelError> {
    if choice.api == Api::Anthropic {
        request = request.header("anthropic-version", ANTHROPIC_VERSION);
    }
    let Some(key) = choice.secrets.key() else {
        return Ok(request);
    };
    let (name, text) = match choice.api {
        Api::Anthropic => ("x-api-key", key.to_owned()),
        Api::OpenAi | Api::Ollama => ("authorization", format!("Bearer {key}")),
    };
    let mut value = HeaderValue::from_str(&text)
        .map_err(|_| bad_key(choice, "it is no text that can be sent"))?;
    value.set_sensitive(true);
    Ok(request.header(name, value))
}

/// A client without TLS that follows no redirect. Errors: [`ModelError::Tls`] alone.
pub fn plain_client() -> Result<ClientBuilder, ModelError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder =
        rustls::ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let builder = builder.map_err(|error| ModelError::Tls(error.to_string()))?;
    let tls = builder
        .with_root_certificates(rustls::RootCertStore::empty())
        .with_no_client_auth();
    Ok(Client::builder()
        .redirect(Policy::none())
        .tls_backend_preconfigured(tls))
}

async fn refused(choice: &Choice, response: Response) -> ModelError {
    let status = response.status();
    let seconds = response
        .headers()
        .get(RETRY_AFTER)
        .and_then(|value| value.to_str().ok()?.trim().parse().ok());
    let mask = |text: &str| shown(&choice.secrets.masked(text));
    let leads = response
        .headers()
        .get(LOCATION)
        .and_then(|value| value.to_str().ok())
        .map(mask);
    let body = beginning(response, ERROR_MAX).await;
    let words = words(&body, &choice.secrets);
    let is_about_model = is_about_the_model(&body, &choice.model);
    match status.as_u16() {
        401 | 403 => bad_key(choice, &words),
        429 | 503 | OVERLOADED => ModelError::Busy {
            message: format!("{status}, {words}"),
            seconds,
        },
        500 | 502 | 504 => ModelError::Failed {
            message: format!("{status}, {words}"),
            seconds,
        },
        400 | 413 if is_too_long(&words) => ModelError::TooLong { message: words },
        other if is_about_model && (other == 404 || other == 400 && words.contains("not")) => {
            ModelError::NoSuchModel {
                model: quoted(&choice.model),
                there: String::new(),
            }
        }
        other @ 300..400 => {
            let to = leads.map_or(String::new(), |leads| format!(" to {leads}"));
            ModelError::Refused {
                status: other,
                message: format!("it leads on{to}, which is not followed"),
            }
        }
        other => ModelError::Refused {
            status: other,
            message: words,
        },
    }
}

fn bad_key(choice: &Choice, words: &str) -> ModelError {
    match choice.api.facts().variable {
        Some(variable) => ModelError::Key {
            variable,
            message: words.to_owned(),
        },
        None => ModelError::Refused {
            status: StatusCode::UNAUTHORIZED.as_u16(),
            message: words.to_owned(),
        },
    }
}

async fn beginning(mut response: Response, most: usize) -> Vec<u8> {
    let mut body = Vec::new();
    while body.len() <= most
        && let Ok(Some(bytes)) = response.chunk().await
    {
        body.extend_from_slice(&bytes);
    }
    body
}

/// What an error says: the APIs have a message in JSON, everybody else has text.
fn words(body: &[u8], secrets: &Secrets) -> String {
    let read: Option<Value> = serde_json::from_slice(body).ok();
    let of = |place: &str| read.as_ref()?.pointer(place)?.as_str().map(str::to_owned);
    let text = of("/error/message")
        .or_else(|| of("/error"))
        .or_else(|| of("/message"));
    let text = text.unwrap_or_else(|| String::from_utf8_lossy(body).into_owned());
    // Before it is shortened, which could leave the beginning of a key.
    match shown(&secrets.masked(&text)) {
        empty if empty.is_empty() => "without a word".to_owned(),
        words => words,
    }
}

/// Whether an error is about the model: a wrong path is answered with the same status.
fn is_about_the_model(body: &[u8], model: &str) -> bool {
    let text = String::from_utf8_lossy(body).to_lowercase();
    text.contains("model")
        && (text.contains(&model.to_lowercase()) || text.contains("model_not_found"))
}

fn is_too_long(words: &str) -> bool {
    let words = words.to_lowercase();
    let parts = [
        "too long",
        "context length",
        "context window",
        "maximum context",
        "exceed",
    ];
    parts.iter().any(|part| words.contains(part))
}

fn unreachable(choice: &Choice, error: &reqwest::Error) -> ModelError {
    match error.is_timeout() {
        true => ModelError::Silent {
            endpoint: choice.endpoint.clone(),
            seconds: CONNECT.as_secs(),
        },
        false => ModelError::Unreachable {
            endpoint: choice.endpoint.clone(),
            who: if choice.api == Api::Ollama {
                "Ollama"
            } else {
                "the server"
            },
            why: choice.secrets.masked(&reason(error)),
        },
    }
}

fn silent(endpoint: &str, began: Instant) -> ModelError {
    let seconds = (began.elapsed() + Duration::from_millis(500)).as_secs();
    ModelError::Silent {
        endpoint: endpoint.to_owned(),
        seconds,
    }
}

fn reason(error: &reqwest::Error) -> String {
    shown(&innermost(error).to_string())
}

/// The innermost reason: what is around it says what everybody knows.
pub fn innermost(error: &reqwest::Error) -> &dyn std::error::Error {
    let mut innermost: &dyn std::error::Error = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost
}

const FRAME_MAX: usize = 4 * 1024 * 1024; // Bytes of one frame; no API comes near it
const DONE: &str = "[DONE]"; // What an API of OpenAI's kind sends at the end

/// The bytes that no frame was made of yet.
#[derive(Debug)]
struct Frames {
    api: Api,
    bytes: Vec<u8>,
    looked: usize, // Where the next line end is looked for
    data: String,
}

impl Frames {
    fn new(api: Api) -> Frames {
        Frames {
            api,
            bytes: Vec::new(),
            looked: 0,
            data: String::new(),
        }
    }

    /// More of the stream.
    /// Errors: when a frame is longer than any reply.
    fn push(&mut self, bytes: &[u8]) -> Result<(), ModelError> {
        self.bytes.extend_from_slice(bytes);
        match self.bytes.len() + self.data.len() > FRAME_MAX {
            true => Err(ModelError::Garbled {
                what: format!("a piece of more than {FRAME_MAX} bytes"),
            }),
            false => Ok(()),
        }
    }

    fn next(&mut self) -> Option<String> {
        while let Some(end) = self
            .bytes
            .iter()
            .skip(self.looked)
            .position(|byte| *byte == b'\n')
        {
            let line: Vec<u8> = self.bytes.drain(..=self.looked + end).collect();
            self.looked = 0;
            // A character lies within a line, so none is cut here.
            let frame = self.take(String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r']));
            if frame.is_some() {
                return frame;
            }
        }
        self.looked = self.bytes.len();
        None
    }

    /// What is left when the stream has ended: a last line may lack its end.
    fn last(&mut self) -> Option<String> {
        let rest = std::mem::take(&mut self.bytes);
        self.take(&String::from_utf8_lossy(&rest))
            .or_else(|| self.take(""))
    }

    fn take(&mut self, line: &str) -> Option<String> {
        if self.api == Api::Ollama {
            return (!line.trim().is_empty()).then(|| line.to_owned());
        }
        if line.is_empty() {
            let data = std::mem::take(&mut self.data);
            return (!data.is_empty() && data != DONE).then_some(data);
        }
        if let Some(data) = line.strip_prefix("data:") {
            if !self.data.is_empty() {
                self.data.push('\n');
            }
            self.data.push_str(data.strip_prefix(' ').unwrap_or(data));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Api, Frames};

    fn all(api: Api, pieces: &[&[u8]]) -> Vec<String> {
        let mut frames = Frames::new(api);
        let mut found = Vec::new();
        for piece in pieces {
            frames.push(piece).unwrap();
            found.extend(std::iter::from_fn(|| frames.next()));
        }
        found.extend(frames.last());
        found
    }

    #[test]
    fn events_are_their_data_and_comments_are_none() {
        let stream = b": hello\r\nevent: ping\r\ndata: {\"a\":\r\ndata: 1}\r\n\r\n\ndata:2\n\ndata: [DONE]\n\n";
        assert_eq!(all(Api::OpenAi, &[stream]), ["{\"a\":\n1}", "2"]);
        assert_eq!(
            all(Api::OpenAi, &[b"data: 1\n\ndata: 2"]),
            ["1", "2"],
            "the last one lacks its end"
        );
        assert_eq!(
            all(Api::Ollama, &[b"{\"a\":1}\n\n{\"b\":2}"]),
            ["{\"a\":1}", "{\"b\":2}"]
        );
        let mut endless = Frames::new(Api::OpenAi);
        assert!((0..100).any(|_| endless.push(&[b'x'; 100_000]).is_err()));
    }

    proptest! {
        #[test]
        fn it_does_not_matter_where_the_network_cuts(texts in proptest::collection::vec("[a-zäß€🎲{}:, ]{0,20}x", 0..6), width in 1usize..9) {
            let stream: String = texts.iter().map(|text| format!("data: {text}\n\n")).collect();
            let pieces: Vec<&[u8]> = stream.as_bytes().chunks(width).collect();
            prop_assert_eq!(all(Api::OpenAi, &pieces), texts);
        }
    }
}
