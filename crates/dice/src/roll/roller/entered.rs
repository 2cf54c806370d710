//! Faces that people rolled by hand.

use super::{DrawError, Roller, ScriptedRoller};
use crate::die::Die;

/// Gives the faces that people rolled, in the order in which an expression rolls its dice. Rolls made with it are marked
/// [`EnteredRoller::SOURCE`] for ever.
#[derive(Clone, Debug, Default)]
pub struct EnteredRoller {
    faces: ScriptedRoller,
    missing: Option<String>,
}

impl EnteredRoller {
    /// The name of this source; no statistic of the dice counts it.
    pub const SOURCE: &str = "entered";

    /// A roller that gives these faces.
    pub fn new(faces: &[i64]) -> Self {
        EnteredRoller { faces: ScriptedRoller::new(faces.iter().copied()), missing: None }
    }

    /// How many faces were not used.
    pub fn left(&self) -> usize {
        self.faces.left().len()
    }

    /// The die that was to be rolled when there was no face left.
    pub fn missing(&self) -> Option<&str> {
        self.missing.as_deref()
    }

    fn given(&mut self, face: Result<i64, DrawError>, die: impl FnOnce() -> String) -> Result<i64, DrawError> {
        if let Err(DrawError::TooFew { .. }) = &face {
            self.missing = Some(die());
        }
        face
    }
}

impl Roller for EnteredRoller {
    fn source(&self) -> &'static str {
        Self::SOURCE
    }

    fn draw(&mut self, low: i64, high: i64) -> Result<i64, DrawError> {
        let face = self.faces.draw(low, high);
        self.given(face, || if low == 1 { format!("d{high}") } else { format!("die from {low} to {high}") })
    }

    fn pick(&mut self, faces: &[i64]) -> Result<i64, DrawError> {
        let face = self.faces.pick(faces);
        self.given(face, || {
            let faces: Vec<String> = faces.iter().map(i64::to_string).collect();
            format!("die with the faces {}", faces.join(", "))
        })
    }

    fn card(&mut self, deck: &Die, left: &[i64]) -> Result<i64, DrawError> {
        let card = self.faces.card(deck, left);
        self.given(card, || format!("card of {deck}"))
    }
}
