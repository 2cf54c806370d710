//! Faces that people rolled by hand.

use super::{DrawError, Roller, ScriptedRoller};

/// Gives the faces that people rolled, in the order in which an expression rolls its dice. Rolls made with it are marked
/// [`EnteredRoller::SOURCE`] for ever.
#[derive(Clone, Debug, Default)]
pub struct EnteredRoller(ScriptedRoller);

impl EnteredRoller {
    /// The name of this source; no statistic of the dice counts it.
    pub const SOURCE: &str = "entered";

    /// A roller that gives these faces.
    pub fn new(faces: &[i64]) -> Self {
        EnteredRoller(ScriptedRoller::new(faces.iter().copied()))
    }

    /// How many faces were not used.
    pub fn left(&self) -> usize {
        self.0.left().len()
    }
}

impl Roller for EnteredRoller {
    fn source(&self) -> &'static str {
        Self::SOURCE
    }

    fn draw(&mut self, low: i64, high: i64) -> Result<i64, DrawError> {
        self.0.draw(low, high)
    }

    fn pick(&mut self, faces: &[i64]) -> Result<i64, DrawError> {
        self.0.pick(faces)
    }
}
