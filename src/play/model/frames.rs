//! A stream of bytes cut into the JSON texts that it carries: server-sent events, or of Ollama a line each.
//!
//! Of a server-sent event only its data counts: all three APIs say in the data, too, what kind of event it is.

use super::api::Api;
use super::error::ModelError;

/// Bytes of one frame; no API comes near it.
const FRAME_MAX: usize = 4 * 1024 * 1024;
/// What an API of OpenAI's kind sends at the end.
const DONE: &str = "[DONE]";

/// The bytes that no frame was made of yet.
#[derive(Debug)]
pub struct Frames {
    api: Api,
    bytes: Vec<u8>,
    /// Where the next line end is looked for.
    looked: usize,
    data: String,
}

impl Frames {
    pub fn new(api: Api) -> Frames {
        Frames { api, bytes: Vec::new(), looked: 0, data: String::new() }
    }

    /// More of the stream.
    /// Errors: when a frame is longer than any reply.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), ModelError> {
        self.bytes.extend_from_slice(bytes);
        match self.bytes.len() + self.data.len() > FRAME_MAX {
            true => Err(ModelError::Garbled { what: format!("a piece of more than {FRAME_MAX} bytes") }),
            false => Ok(()),
        }
    }

    pub fn next(&mut self) -> Option<String> {
        while let Some(end) = self.bytes.iter().skip(self.looked).position(|byte| *byte == b'\n') {
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
    pub fn last(&mut self) -> Option<String> {
        let rest = std::mem::take(&mut self.bytes);
        self.looked = 0;
        self.take(&String::from_utf8_lossy(&rest)).or_else(|| self.take(""))
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
        assert_eq!(all(Api::OpenAi, &[b"data: 1\n\ndata: 2"]), ["1", "2"], "the last one lacks its end");
        assert_eq!(all(Api::Ollama, &[b"{\"a\":1}\n\n{\"b\":2}"]), ["{\"a\":1}", "{\"b\":2}"]);
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
