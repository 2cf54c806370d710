//! A language model behind one of three APIs: what is asked of it, and what it answers, piece by piece.
//!
//! [`anthropic`], [`openai`] and [`ollama`] each write a request and read a stream; they open no connection. [`wire`] sends, waits
//! and cuts the stream into [`frames`]. A reply counts only when its API said that it is over: of a stream that is cut off nothing is
//! carried out.

mod anthropic;
pub mod api;
pub mod error;
mod exchange;
mod frames;
mod ollama;
mod openai;
mod secrets;
mod wire;

use std::time::Instant;

use serde_json::Value;

pub use api::{Api, Choice};
pub use error::ModelError;
use exchange::Reading;
pub use exchange::{Piece, Reply, Request, Stop, Usage};
use secrets::{Held, Secrets};

/// A model that can be asked.
#[derive(Debug)]
pub struct Model {
    choice: Choice,
    wire: wire::Wire,
}

impl Model {
    /// The model that was chosen; nothing is sent yet.
    ///
    /// # Errors
    /// When TLS cannot be used on this computer.
    pub fn new(choice: Choice) -> Result<Model, ModelError> {
        let wire = wire::Wire::new(&choice)?;
        Ok(Model { choice, wire })
    }

    /// Its name, as the API knows it.
    pub fn name(&self) -> &str {
        &self.choice.model
    }

    /// Asks it once; `on` gets each piece as it comes.
    ///
    /// # Errors
    /// [`ModelError`]: nothing of the reply counts then, whatever was streamed.
    pub async fn ask(
        &self,
        request: Request<'_>,
        deadline: Instant,
        on: &mut dyn FnMut(Piece),
    ) -> Result<Reply, ModelError> {
        let body = body(&self.choice, request);
        let mut reading = reading(self.choice.api);
        let sent = self.wire.post(&self.choice, &body, deadline).await;
        let mut stream = match sent {
            Err(ModelError::NoSuchModel { model, .. }) => return Err(self.unknown(model).await),
            sent => sent?,
        };
        let secrets = &self.choice.secrets;
        let (mut held, mut is_empty) = (Held::default(), true);
        while let Some(frame) = stream.next(deadline).await? {
            is_empty = false;
            let event = serde_json::from_str(&frame).map_err(|_| ModelError::garbled(&secrets.masked(&frame)))?;
            for piece in reading.read(secrets.mask(event))? {
                match piece {
                    Piece::Text(text) => show(held.push(&text, secrets), on),
                    piece @ Piece::Call(_) => on(piece),
                }
            }
            if reading.is_over() {
                break;
            }
        }
        match reading.may_end() {
            true => {
                show(held.rest(secrets), on);
                Ok(masked(reading.reply(), secrets))
            }
            // Something answers there, and it is no such API.
            false if is_empty => Err(ModelError::Garbled { what: "an answer without a single event".to_owned() }),
            false => Err(ModelError::Cut),
        }
    }

    /// What to say of a model that the API does not have: those it has.
    async fn unknown(&self, model: String) -> ModelError {
        let known = self.wire.models(&self.choice).await.unwrap_or_default();
        let known = known.iter().map(|name| self.choice.secrets.masked(name)).collect();
        ModelError::NoSuchModel { model, known }
    }
}

/// Shows text, if there is any.
fn show(text: String, on: &mut dyn FnMut(Piece)) {
    if !text.is_empty() {
        on(Piece::Text(text));
    }
}

/// A reply without keys: what came in several pieces is whole only now.
fn masked(mut reply: Reply, secrets: &Secrets) -> Reply {
    reply.text = secrets.masked(&reply.text);
    for call in &mut reply.calls {
        call.name = secrets.masked(&call.name);
        call.arguments = secrets.mask(std::mem::take(&mut call.arguments));
    }
    reply
}

/// A request as its API writes it.
fn body(choice: &Choice, request: Request<'_>) -> Value {
    match choice.api {
        Api::Anthropic => anthropic::body(choice, request),
        Api::OpenAi => openai::body(choice, request),
        Api::Ollama => ollama::body(choice, request),
    }
}

/// What reads the stream of an API.
fn reading(api: Api) -> Box<dyn Reading> {
    match api {
        Api::Anthropic => Box::<anthropic::Stream>::default(),
        Api::OpenAi => Box::<openai::Stream>::default(),
        Api::Ollama => Box::<ollama::Stream>::default(),
    }
}
