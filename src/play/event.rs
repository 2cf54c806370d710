//! What happens while a model answers, in the order in which it happens. Nothing here is drawn; `cli` does that.

use serde_json::Value;

use super::limits::Limit;
use super::model::Usage;
use super::toolbox::Outcome;

#[derive(Debug)]
pub enum Event<'a> {
    Text(&'a str),
    Begun {
        tool: &'a str,
        arguments: &'a Value,
    },
    /// What a call came to; of several made side by side each as it comes.
    Ended {
        tool: &'a str,
        arguments: &'a Value,
        outcome: &'a Outcome,
    },
    /// The model is asked again in so many seconds. Where it had begun, its words since the last call are void.
    Again {
        seconds: u64,
        why: String,
        is_void: bool,
    },
    /// So many messages were put in short, to make room.
    Shortened(usize),
    /// What the answer ran into; the model may still say what it has.
    Reached(Limit),
    /// The model wrote more than one reply may have, and its last words are missing.
    CutOff,
    Refused,
    Wordless,
    Over(Usage),
}
