//! A language model behind one of three APIs: what is asked of it, and what it answers, piece by piece.
//!
//! [`anthropic`], [`openai`] and [`ollama`] each write a request and read events; they open no connection. [`wire`] sends, waits
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

pub use api::{Api, Choice};
pub use error::ModelError;
use exchange::Draft;
pub use exchange::{Piece, Reply, Request, Stop, Usage};
use secrets::{Held, Secrets};
pub use wire::{innermost, plain_client};

/// A model that can be asked.
#[derive(Debug)]
pub struct Model {
    choice: Choice,
    wire: wire::Wire,
}

impl Model {
    /// The model that was chosen; nothing is sent yet.
    /// Errors: when TLS cannot be used on this computer.
    pub fn new(choice: Choice) -> Result<Model, ModelError> {
        let wire = wire::Wire::new(&choice)?;
        Ok(Model { choice, wire })
    }

    pub fn name(&self) -> &str {
        &self.choice.model
    }

    /// Asks it once; `on` gets each piece as it comes.
    /// Errors: [`ModelError`]: nothing of the reply counts then, whatever was streamed.
    pub async fn ask(
        &self,
        request: Request<'_>,
        deadline: Instant,
        on: &mut dyn FnMut(Piece),
    ) -> Result<Reply, ModelError> {
        let choice = &self.choice;
        let (body, read) = match choice.api {
            Api::Anthropic => (anthropic::body(&choice.model, request), anthropic::read as ReadEvent),
            Api::OpenAi => (openai::body(choice, request), openai::read as ReadEvent),
            Api::Ollama => (ollama::body(&choice.model, request), ollama::read as ReadEvent),
        };
        let mut stream = match self.wire.post(choice, &body, deadline).await {
            Err(ModelError::NoSuchModel { model, .. }) => {
                let known = self.wire.models(choice).await.unwrap_or_default();
                let known = known.iter().map(|name| choice.secrets.masked(name)).collect();
                return Err(ModelError::NoSuchModel { model, known });
            }
            sent => sent?,
        };
        let show = |text: String, on: &mut dyn FnMut(Piece)| {
            if !text.is_empty() {
                on(Piece::Text(text));
            }
        };
        let secrets = &choice.secrets;
        let (mut draft, mut held, mut is_empty) = (Draft::default(), Held::default(), true);
        while let Some(frame) = stream.next(deadline).await? {
            is_empty = false;
            let event = serde_json::from_str(&frame).map_err(|_| ModelError::garbled(&secrets.masked(&frame)))?;
            for piece in read(&mut draft, &secrets.mask(event))? {
                match piece {
                    Piece::Text(text) => show(held.push(&text, secrets), on),
                    piece @ Piece::Call(_) => on(piece),
                }
            }
            // OpenAI's API says after a whole reply how much was used.
            if draft.is_whole && choice.api != Api::OpenAi {
                break;
            }
        }
        match draft.is_whole {
            true => {
                show(held.rest(secrets), on);
                Ok(masked(draft.reply(), secrets))
            }
            // Something answers there, and it is no such API.
            false if is_empty => Err(ModelError::Garbled { what: "an answer without a single event".to_owned() }),
            false => Err(ModelError::Cut),
        }
    }
}

/// Reads an event into a reply; answers what can be shown of it.
type ReadEvent = fn(&mut Draft, &serde_json::Value) -> Result<Vec<Piece>, ModelError>;

/// A reply without keys: what came in several pieces is whole only now.
fn masked(mut reply: Reply, secrets: &Secrets) -> Reply {
    reply.text = secrets.masked(&reply.text);
    for call in &mut reply.calls {
        call.name = secrets.masked(&call.name);
        call.arguments = secrets.mask(std::mem::take(&mut call.arguments));
    }
    reply
}
