//! Confirmation: what cannot be taken back needs `confirm` with the word that the refusal names.
//! Where the client can ask its person, `mcp` asks and sends the word.

use serde_json::{Map, Value, json};

use rollbook_game::refusal::{Code, Refusal};
use rollbook_text::names::same;

/// The parameter that brings the word.
pub const PARAMETER: &str = "confirm";

/// Says what is asked before a call with these arguments; nothing where it can be undone.
pub type ConfirmBy = fn(&Map<String, Value>) -> Option<Confirm>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confirm {
    pub what: String,
    pub word: String,
}

impl Confirm {
    /// Lets the call pass with its word, which it takes out. Errors: `not_confirmed` with the word.
    pub fn check(&self, sent: Option<&Value>) -> Result<(), Refusal> {
        if sent
            .and_then(Value::as_str)
            .is_some_and(|sent| same(sent, &self.word))
        {
            return Ok(());
        }
        let summary = format!(
            "{} That cannot be taken back. Ask the people at the table; if they want it, send the same call with confirm=\"{}\".",
            self.what, self.word
        );
        let question = format!("{} That cannot be taken back. Do it?", self.what);
        Err(Refusal::new(Code::NotConfirmed, summary).choosing(
            PARAMETER,
            question,
            vec![self.word.clone()],
        ))
    }
}

/// The refusal of what the person who was asked does not want.
pub fn declined() -> Refusal {
    let summary = "The person who was asked declined. Nothing was rolled or changed. Ask them what they want instead.";
    Refusal::new(Code::Declined, summary)
}

/// Adds the parameter to a schema; false where there is one of that name already.
pub fn declare(input: &mut Map<String, Value>) -> bool {
    let properties = input.entry("properties").or_insert_with(|| json!({}));
    let Some(properties) = properties
        .as_object_mut()
        .filter(|properties| !properties.contains_key(PARAMETER))
    else {
        return false;
    };
    properties.insert(PARAMETER.to_owned(), json!({"type": "string"}));
    true
}
