//! Damage that runs from one thing to the next: attributes, or tracks.
//!
//! Each attribute in it is kept as a track of its name as well, which begins at the score. So whatever knows tracks (the sheet,
//! rests, triggers, undoing) knows how much of it is left, and the score itself stays as it was made. `{Endurance}` means what
//! is left.

use crate::diagnostic::Place;
use crate::names::same;

/// Damage that takes one thing after the other: `Endurance, then Strength or Dexterity`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DamageChain {
    /// Each stage with what may be chosen in it, named as it is declared: tracks, of which some are kept for attributes. Two
    /// stages or more, and none is empty.
    pub stages: Vec<Vec<String>>,
    /// Those of them that are attributes, whose tracks begin at the score.
    pub scores: Vec<String>,
    /// The author's words.
    pub text: String,
    /// Where it stands.
    pub place: Place,
}

impl DamageChain {
    /// Everything that damage takes, in the order of the file.
    pub fn members(&self) -> impl Iterator<Item = &str> {
        self.stages.iter().flatten().map(String::as_str)
    }

    /// Where damage falls first.
    pub fn first(&self) -> &str {
        self.members().next().unwrap_or_default()
    }

    /// Its own name of something that damage takes, folded.
    pub fn member(&self, name: &str) -> Option<&str> {
        self.members().find(|own| same(own, name))
    }

    /// In a few words: "Endurance, then Strength or Dexterity".
    pub fn describe(&self) -> String {
        let stages: Vec<String> = self.stages.iter().map(|stage| stage.join(" or ")).collect();
        stages.join(", then ")
    }
}
