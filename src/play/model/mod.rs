//! A language model behind one of three APIs: what is asked of it, and what it answers, piece by
//! piece.
//!
//! [`anthropic`] and [`chat`] write a request and read events; they open no connection. [`wire`]
//! sends, waits and cuts the stream into frames. A reply counts only when its API said that it is
//! over: of a stream that is cut off nothing is carried out.

mod anthropic;
pub mod api;
mod chat;
pub mod error;
mod exchange;
mod wire;

use std::time::Instant;

pub use api::{Api, Choice};
pub use error::ModelError;
use exchange::Draft;
pub use exchange::{CallResult, Message, Reply, Request, Stop, Usage};
use rollbook_text::secrets::Held;
pub use wire::{innermost, plain_client};

/// A model that can be asked.
#[derive(Debug)]
pub struct Model {
    choice: Choice,
    client: reqwest::Client,
}

impl Model {
    /// The model that was chosen; nothing is sent yet.
    /// Errors: when TLS cannot be used on this computer.
    pub fn new(choice: Choice) -> Result<Model, ModelError> {
        let client = wire::client(&choice)?;
        Ok(Model { choice, client })
    }

    pub fn name(&self) -> &str {
        &self.choice.model
    }

    /// Asks it once; `on` gets its words as they come, and none where it begins to write a call.
    /// Errors: [`ModelError`]: nothing of the reply counts then, whatever was streamed.
    pub async fn ask(
        &self,
        request: Request<'_>,
        deadline: Instant,
        on: &mut dyn FnMut(&str),
    ) -> Result<Reply, ModelError> {
        let choice = &self.choice;
        let (body, read): (_, ReadEvent) = match choice.api {
            Api::Anthropic => (anthropic::body(choice, request), anthropic::read),
            Api::OpenAi => (chat::openai_body(choice, request), chat::read_openai),
            Api::Ollama => (chat::ollama_body(choice, request), chat::read_ollama),
        };
        let mut stream = wire::post(&self.client, choice, &body, deadline).await?;
        let secrets = &choice.secrets;
        let (mut draft, mut held, mut is_empty) = (Draft::default(), Held::default(), true);
        while let Some(frame) = stream.next(deadline).await? {
            is_empty = false;
            let event = serde_json::from_str(&frame)
                .map_err(|_| ModelError::garbled(&secrets.masked(&frame)))?;
            if let Some(text) = read(&mut draft, &secrets.mask(event))? {
                let shown = held.push(&text, secrets);
                // Empty words say that a call begins.
                if text.is_empty() || !shown.is_empty() {
                    on(&shown);
                }
            }
            // OpenAI's API says after a whole reply how much was used.
            if draft.is_whole && choice.api != Api::OpenAi {
                break;
            }
        }
        if draft.is_whole {
            on(&held.rest(secrets));
            return Ok(draft.reply(secrets));
        }
        // Where something else than such an API answers, nothing of a reply comes.
        Err(if is_empty {
            ModelError::garbled("an answer without a single event")
        } else {
            ModelError::Cut
        })
    }
}

type ReadEvent = fn(&mut Draft, &serde_json::Value) -> Result<Option<String>, ModelError>;
