//! Harm without points: wounds by how far a hit goes.

use crate::diagnostic::Place;
use crate::dice::Formula;

/// `Wounds: 1 per 4 over Toughness, 3 then incapacitated`.
#[derive(Debug, Clone, PartialEq)]
pub struct Wounds {
    /// Name as the author writes it.
    pub name: String,
    /// Points over the threshold for each wound; 1 or more.
    pub per: i64,
    /// What a hit must reach to harm at all.
    pub over: Formula,
    /// Wounds that somebody bears; none when the file sets no end.
    pub most: Option<i64>,
    /// What one more than that brings.
    pub then: Vec<String>,
    /// The author's words.
    pub text: String,
    /// Where it stands.
    pub place: Place,
}

impl Wounds {
    /// In a few words: "1 for every 4 over {Toughness}, 3, then incapacitated".
    pub fn describe(&self) -> String {
        let end = self.most.map_or(String::new(), |most| format!(", {most}, then {}", self.then.join(", ")));
        format!("1 for every {} over {}{end}", self.per, self.over)
    }
}
