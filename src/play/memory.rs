//! Room in a conversation: old turns are dropped, and what the log knows of them is put in their
//! place.
//!
//! How much a conversation takes is known from the last reply, as the API counted it, and guessed
//! for what came since.

use serde_json::json;

use super::model::Message;
use super::toolbox::{Outcome, Toolbox, fields, text};

const TOKEN_BYTES: usize = 3; // Bytes of a token, about; JSON has fewer, prose more
/// In parts of the context: when a conversation is put in short, and how much stays.
const FULL: (usize, usize) = (3, 4);
const KEPT: (usize, usize) = (1, 3);
const RECAP: u64 = 4_000;
const DROPPED: &str = "(dropped to make room; call again if you need it)";

/// The conversation, and how much of the model's context it takes.
#[derive(Debug, Default)]
pub struct Conversation {
    pub messages: Vec<Message>,
    /// What the API counted the last time, and how many messages that was.
    counted: Option<(u64, usize)>,
}

impl Conversation {
    /// The API counted so many tokens up to here.
    pub fn count(&mut self, tokens: u64) {
        self.counted = (tokens > 0).then_some((tokens, self.messages.len()));
    }

    /// Tokens that the conversation takes, about; with what is before it, `other` bytes.
    pub fn tokens(&self, other: usize) -> usize {
        let bytes =
            |messages: &[Message]| messages.iter().map(Message::bytes).sum::<usize>() / TOKEN_BYTES;
        match self.counted {
            Some((tokens, many)) => {
                let tokens = usize::try_from(tokens).unwrap_or(usize::MAX);
                tokens.saturating_add(bytes(self.messages.get(many..).unwrap_or_default()))
            }
            None => other / TOKEN_BYTES + bytes(&self.messages),
        }
    }

    /// Whether it is time to make room; `other` is the bytes of what is before it.
    pub fn is_full(&self, context: u32, other: usize) -> bool {
        self.tokens(other) > part(context, FULL)
    }

    /// Drops the oldest turns, and puts the log in their place; where none is older than the last,
    /// what old calls answered goes. `is_too_long`: the API says so, whatever was guessed. Answers
    /// how many messages went; `None` where there was nothing to leave out.
    pub async fn shorten(
        &mut self,
        toolbox: &Toolbox,
        context: u32,
        other: usize,
        is_too_long: bool,
    ) -> Option<usize> {
        // The first message is what the log knows.
        let talk = self.messages.get(1..).unwrap_or_default();
        let mut room = part(context, KEPT)
            .saturating_sub(other / TOKEN_BYTES)
            .max(part(context, (1, 8)))
            * TOKEN_BYTES;
        if is_too_long {
            room = room.min(talk.iter().map(Message::bytes).sum::<usize>() / 2);
        }
        let dropped = kept(talk, room);
        if dropped == 0 {
            let was_shortened = shorten_results(&mut self.messages);
            self.counted = self.counted.filter(|_| !was_shortened);
            return was_shortened.then_some(0);
        }
        let rest = self.messages.split_off(1 + dropped);
        let memory = memory(toolbox, true).await;
        self.messages = std::iter::once(Message::User(memory)).chain(rest).collect();
        self.counted = None;
        Some(dropped)
    }
}

fn part(context: u32, (of, parts): (usize, usize)) -> usize {
    context as usize * of / parts
}

/// Where the turns begin that stay: the last, and those before it that have room.
fn kept(messages: &[Message], room: usize) -> usize {
    let begins = |at: &usize| matches!(messages.get(*at), Some(Message::User(_)));
    let turns: Vec<usize> = (0..messages.len()).filter(begins).collect();
    let fits = |at: &&usize| {
        messages
            .get(**at..)
            .unwrap_or_default()
            .iter()
            .map(Message::bytes)
            .sum::<usize>()
            <= room
    };
    turns
        .iter()
        .find(fits)
        .or(turns.last())
        .copied()
        .unwrap_or(0)
}

/// Shortens the results of a turn but the last, which was not read yet; whether any was.
fn shorten_results(messages: &mut [Message]) -> bool {
    let results = messages.iter_mut().filter_map(|message| match message {
        Message::Results(results) => Some(results),
        Message::User(_) | Message::Model { .. } => None,
    });
    let mut was_shortened = false;
    for result in results
        .rev()
        .skip(1)
        .flatten()
        .filter(|result| result.text != DROPPED)
    {
        DROPPED.clone_into(&mut result.text);
        was_shortened = true;
    }
    was_shortened
}

/// What the log knows: where the game stands, and the story of the last sitting.
pub async fn memory(toolbox: &Toolbox, was_dropped: bool) -> String {
    let resume = toolbox
        .look("manage_session", fields([("action", json!("resume"))]))
        .await;
    let recap = fields([
        ("action", json!("recap")),
        ("audience", json!("gm")),
        ("budget", json!(RECAP)),
    ]);
    let story = match toolbox.look("manage_session", recap).await {
        Outcome::Done(reply) => format!(
            "\n\nThe story so far, for the GM:\n{}",
            text(&reply, "summary")
        ),
        Outcome::Refused(_) | Outcome::Failed(_) => String::new(),
    };
    let why = match was_dropped {
        true => "Earlier turns of this conversation were dropped; this is what the log knows.\n",
        false => "",
    };
    format!("At the table: {why}{}{story}", resume.summary())
}

#[cfg(test)]
mod tests {
    use super::{Conversation, Message, kept, shorten_results};
    use crate::play::model::CallResult;

    fn user(text: &str) -> Message {
        Message::User(text.to_owned())
    }

    fn answered(text: &str) -> Message {
        Message::Model {
            text: text.to_owned(),
            calls: Vec::new(),
        }
    }

    #[test]
    fn whole_turns_stay_and_the_last_in_any_case() {
        let talk = [
            user("aaaa"),
            answered("bbbb"),
            user("cccc"),
            answered("dddd"),
            user("eeee"),
        ];
        assert_eq!(
            [100, 12, 11, 4, 0].map(|room| kept(&talk, room)),
            [0, 2, 4, 4, 4]
        );
        assert_eq!(kept(&[], 10), 0);
    }

    #[test]
    fn what_the_api_counted_is_believed() {
        let mut talk = Conversation::default();
        talk.messages.push(user(&"x".repeat(300)));
        assert_eq!(talk.tokens(3000), 1100);
        talk.count(70);
        assert_eq!(talk.tokens(3000), 70);
        talk.messages.push(user(&"x".repeat(30)));
        assert_eq!(talk.tokens(3000), 80);
        assert!(talk.is_full(100, 0) && !talk.is_full(110, 0));
    }

    #[test]
    fn old_results_of_a_long_turn_are_dropped() {
        let result = |text: &str| {
            let one = CallResult {
                id: "1".into(),
                name: "odds".into(),
                text: text.into(),
                is_error: false,
            };
            Message::Results(vec![one])
        };
        let mut talk = [user("a"), result("old"), answered("b"), result("new")];
        shorten_results(&mut talk);
        assert!(
            matches!(&talk[1], Message::Results(results) if results[0].text.starts_with("(dropped"))
        );
        assert_eq!(talk[3], result("new"));
    }
}
