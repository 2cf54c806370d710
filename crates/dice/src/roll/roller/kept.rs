//! Faces of an earlier roll that stay as they lie, and fresh ones for the others.

use super::{DrawError, Roller};
use crate::die::Die;
use crate::expression::tree::Hand;

/// Returns the faces that stay and draws the others.
pub struct KeptRoller<'r> {
    faces: std::vec::IntoIter<Option<i64>>,
    fresh: &'r mut dyn Roller,
}

impl<'r> KeptRoller<'r> {
    /// The faces in the order of draws; `None` where one is drawn again. What is rolled beyond them is drawn, too.
    pub fn new(faces: Vec<Option<i64>>, fresh: &'r mut dyn Roller) -> Self {
        KeptRoller { faces: faces.into_iter(), fresh }
    }
}

impl Roller for KeptRoller<'_> {
    fn source(&self) -> &'static str {
        self.fresh.source()
    }

    fn draw(&mut self, low: i64, high: i64) -> Result<i64, DrawError> {
        match self.faces.next().flatten() {
            Some(face) => Ok(face),
            None => self.fresh.draw(low, high),
        }
    }

    fn pick(&mut self, faces: &[i64]) -> Result<i64, DrawError> {
        match self.faces.next().flatten() {
            Some(face) => Ok(face),
            None => self.fresh.pick(faces),
        }
    }

    fn deal(&mut self, hands: &[Hand<'_>]) {
        let faces = self.faces.as_slice();
        let held = |hand: &Hand<'_>| -> Vec<i64> {
            faces.iter().skip(hand.first).take(hand.count).copied().flatten().collect()
        };
        let hands: Vec<Hand<'_>> = hands.iter().map(|hand| Hand { held: held(hand), ..hand.clone() }).collect();
        self.fresh.deal(&hands);
    }

    fn card(&mut self, deck: &Die, left: &[i64]) -> Result<i64, DrawError> {
        match self.faces.next().flatten() {
            Some(card) => Ok(card),
            None => self.fresh.card(deck, left),
        }
    }
}
