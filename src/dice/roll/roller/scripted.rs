//! Faces that were said beforehand.

use crate::dice::roll::roller::{DrawError, Roller};
use std::collections::VecDeque;

/// Gives the faces it was given, in order.
///
/// For tests, for playtests and for checking a log: recorded faces rolled again must give the
/// recorded roll. Rolls made with it are marked `pinned`.
#[derive(Clone, Debug, Default)]
pub struct ScriptedRoller {
    faces: VecDeque<i64>,
    used: usize,
}

impl ScriptedRoller {
    /// A roller that gives these faces.
    pub fn new(faces: impl IntoIterator<Item = i64>) -> Self {
        ScriptedRoller { faces: faces.into_iter().collect(), used: 0 }
    }

    /// The faces that were not used.
    pub fn left(&self) -> Vec<i64> {
        self.faces.iter().copied().collect()
    }

    fn next(&mut self) -> Result<i64, DrawError> {
        let face = self.faces.pop_front();
        let face = face.ok_or(DrawError::TooFew { used: self.used })?;
        self.used += 1;
        Ok(face)
    }

    fn refuse(&self, face: i64, faces: String) -> DrawError {
        DrawError::NoSuchFace { place: self.used, face, faces }
    }
}

impl Roller for ScriptedRoller {
    fn source(&self) -> &'static str {
        "pinned"
    }

    fn draw(&mut self, low: i64, high: i64) -> Result<i64, DrawError> {
        let face = self.next()?;
        if (low..=high).contains(&face) {
            return Ok(face);
        }
        Err(self.refuse(face, format!("{low} to {high}")))
    }

    fn pick(&mut self, faces: &[i64]) -> Result<i64, DrawError> {
        let face = self.next()?;
        if faces.contains(&face) {
            return Ok(face);
        }
        let mut known = faces.to_vec();
        known.sort_unstable();
        known.dedup();
        let known: Vec<String> = known.iter().map(i64::to_string).collect();
        Err(self.refuse(face, known.join(", ")))
    }
}
