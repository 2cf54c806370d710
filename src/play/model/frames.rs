//! A stream of bytes cut into the JSON texts that it carries: server-sent events, or a line each.
//!
//! Of a server-sent event only its data counts: all three APIs say in the data, too, what kind of event it is.

use super::error::ModelError;

/// Bytes of one frame; no API comes near it.
const FRAME_MAX: usize = 4 * 1024 * 1024;
/// What an API of OpenAI's kind sends when all is said.
const DONE: &str = "[DONE]";

/// How a stream is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// `data:` lines up to an empty one.
    Events,
    /// A line each.
    Lines,
}

/// The bytes that no frame was made of yet.
#[derive(Debug)]
pub struct Frames {
    cut: Cut,
    bytes: Vec<u8>,
    /// Where the next line end is looked for.
    looked: usize,
    data: String,
}

impl Frames {
    pub fn new(cut: Cut) -> Frames {
        Frames { cut, bytes: Vec::new(), looked: 0, data: String::new() }
    }

    /// More of the stream.
    ///
    /// # Errors
    /// When a frame is longer than any reply.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), ModelError> {
        self.bytes.extend_from_slice(bytes);
        match self.bytes.len() + self.data.len() > FRAME_MAX {
            true => Err(ModelError::Garbled { what: format!("a piece of more than {FRAME_MAX} bytes") }),
            false => Ok(()),
        }
    }

    /// The next whole frame, if there is one.
    pub fn next(&mut self) -> Option<String> {
        while let Some(line) = self.line() {
            if let Some(frame) = self.take(&line) {
                return Some(frame);
            }
        }
        None
    }

    /// What is left when the stream has ended: a last line may lack its end.
    pub fn last(&mut self) -> Option<String> {
        let rest = std::mem::take(&mut self.bytes);
        self.looked = 0;
        let rest = String::from_utf8_lossy(&rest).into_owned();
        self.take(&rest).or_else(|| self.take(""))
    }

    fn line(&mut self) -> Option<String> {
        let end = self.bytes.iter().skip(self.looked).position(|byte| *byte == b'\n');
        let Some(end) = end.map(|end| self.looked + end) else {
            self.looked = self.bytes.len();
            return None;
        };
        let line: Vec<u8> = self.bytes.drain(..=end).collect();
        self.looked = 0;
        // A character lies within a line, so none is cut here.
        Some(String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r']).to_owned())
    }

    fn take(&mut self, line: &str) -> Option<String> {
        match (self.cut, line) {
            (Cut::Lines, line) => (!line.trim().is_empty()).then(|| line.to_owned()),
            (Cut::Events, "") => {
                let data = std::mem::take(&mut self.data);
                (!data.is_empty() && data != DONE).then_some(data)
            }
            (Cut::Events, line) => {
                if let Some(data) = line.strip_prefix("data:") {
                    if !self.data.is_empty() {
                        self.data.push('\n');
                    }
                    self.data.push_str(data.strip_prefix(' ').unwrap_or(data));
                }
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Cut, Frames};

    fn all(cut: Cut, pieces: &[&[u8]]) -> Vec<String> {
        let mut frames = Frames::new(cut);
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
        assert_eq!(all(Cut::Events, &[stream]), ["{\"a\":\n1}", "2"]);
        assert_eq!(all(Cut::Events, &[b"data: 1\n\ndata: 2"]), ["1", "2"], "the last one lacks its end");
        assert_eq!(all(Cut::Lines, &[b"{\"a\":1}\n\n{\"b\":2}"]), ["{\"a\":1}", "{\"b\":2}"]);
    }

    #[test]
    fn an_endless_piece_is_refused() {
        let mut frames = Frames::new(Cut::Events);
        let pushed = (0..100).map(|_| frames.push(&[b'x'; 100_000])).find(Result::is_err);
        assert!(pushed.is_some());
    }

    proptest! {
        #[test]
        fn it_does_not_matter_where_the_network_cuts(texts in proptest::collection::vec("[a-zäß€🎲{}:, ]{0,20}x", 0..6), width in 1usize..9) {
            let stream: String = texts.iter().map(|text| format!("data: {text}\n\n")).collect();
            let pieces: Vec<&[u8]> = stream.as_bytes().chunks(width).collect();
            prop_assert_eq!(all(Cut::Events, &pieces), texts);
        }
    }
}
