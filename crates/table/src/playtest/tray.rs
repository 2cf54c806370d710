//! The dice of a playtest: faces that are given beforehand, and the faces that fell.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::session::os::OsChance;
use rollbook_dice::{DrawError, OsRoller, Roller, ScriptedRoller};
use rollbook_game::table::Chance;

/// A tray with dice laid out in it; clones share it: one for the player, one for the campaign.
#[derive(Clone)]
pub struct Tray(Arc<Mutex<Laid>>);

struct Laid {
    script: ScriptedRoller,
    /// What falls when no face is laid out; none: too few dice is an error.
    real: Option<OsRoller>,
    drawn: Vec<i64>,
    /// A laid-out face fell since the source was last asked for.
    pinned: bool,
    problem: Option<DrawError>,
}

impl Tray {
    /// Only what is laid out falls.
    pub fn pinned() -> Tray {
        Tray::of(None)
    }

    /// What is laid out falls first, then real dice.
    pub fn pinned_then_real() -> Tray {
        Tray::of(Some(OsRoller::new()))
    }

    fn of(real: Option<OsRoller>) -> Tray {
        let laid = Laid {
            script: ScriptedRoller::default(),
            real,
            drawn: Vec::new(),
            pinned: false,
            problem: None,
        };
        Tray(Arc::new(Mutex::new(laid)))
    }

    /// Lays these faces out instead of what is there, for the next call.
    pub fn lay(&self, faces: &[i64]) {
        let mut laid = self.laid();
        laid.script = ScriptedRoller::new(faces.iter().copied());
        laid.drawn.clear();
        laid.problem = None;
    }

    /// The faces that nobody drew.
    pub fn left(&self) -> Vec<i64> {
        self.laid().script.left()
    }

    /// The faces that fell since dice were laid out.
    pub fn drawn(&self) -> Vec<i64> {
        self.laid().drawn.clone()
    }

    /// Why no die fell where one should have.
    pub fn problem(&self) -> Option<DrawError> {
        self.laid().problem.clone()
    }

    fn laid(&self) -> MutexGuard<'_, Laid> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The chance of a campaign played with this tray. Errors: the system gives no random bytes.
    pub fn chance(&self) -> Result<Box<dyn Chance>, String> {
        Ok(Box::new(TrayChance {
            tray: self.clone(),
            names: OsChance::new()?,
        }))
    }
}

impl Laid {
    fn fall(
        &mut self,
        draw: impl FnOnce(&mut dyn Roller) -> Result<i64, DrawError>,
    ) -> Result<i64, DrawError> {
        let drawn = match &mut self.real {
            Some(real) if self.script.left().is_empty() => draw(real),
            _ => {
                self.pinned = true;
                draw(&mut self.script)
            }
        };
        match &drawn {
            Ok(face) => self.drawn.push(*face),
            Err(problem) => self.problem = Some(problem.clone()),
        }
        drawn
    }
}

struct TrayChance {
    tray: Tray,
    names: OsChance,
}

impl Chance for TrayChance {
    fn roller(&mut self) -> &mut dyn Roller {
        self
    }

    fn roll_id(&mut self, at: i64) -> String {
        self.names.roll_id(at)
    }

    fn nonce(&mut self) -> String {
        self.names.nonce()
    }

    fn salt(&mut self) -> [u8; 32] {
        self.names.salt()
    }
}

impl Roller for TrayChance {
    /// A roll with one pinned face is a pinned roll.
    fn source(&self) -> &'static str {
        let mut laid = self.tray.laid();
        let pinned = std::mem::take(&mut laid.pinned);
        match &laid.real {
            Some(real) if !pinned => real.source(),
            _ => laid.script.source(),
        }
    }

    fn draw(&mut self, low: i64, high: i64) -> Result<i64, DrawError> {
        self.tray.laid().fall(|dice| dice.draw(low, high))
    }

    fn pick(&mut self, faces: &[i64]) -> Result<i64, DrawError> {
        self.tray.laid().fall(|dice| dice.pick(faces))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_laid_out_falls_and_is_marked() {
        let tray = Tray::pinned();
        let mut chance = tray.chance().unwrap();
        tray.lay(&[3, 9]);
        assert_eq!(chance.roller().draw(1, 6), Ok(3));
        assert_eq!(chance.roller().source(), "pinned");
        assert!(chance.roller().draw(1, 6).is_err(), "a d6 has no 9");
        assert!(matches!(
            tray.problem(),
            Some(DrawError::NoSuchFace { face: 9, .. })
        ));
        assert!(matches!(
            chance.roller().draw(1, 6),
            Err(DrawError::TooFew { .. })
        ));
        assert_eq!(tray.drawn(), [3]);
    }

    #[test]
    fn real_dice_are_not_marked_and_a_roll_with_one_pinned_face_is() {
        let tray = Tray::pinned_then_real();
        let mut chance = tray.chance().unwrap();
        tray.lay(&[6]);
        assert_eq!(chance.roller().draw(1, 6), Ok(6));
        assert!(chance.roller().draw(1, 6).is_ok());
        assert_eq!(chance.roller().source(), "pinned");
        assert!(chance.roller().draw(1, 6).is_ok());
        assert_ne!(chance.roller().source(), "pinned");
        assert_eq!(tray.drawn().len(), 3);
    }
}
