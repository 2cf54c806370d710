//! A roller that keeps some faces of an earlier roll and draws the others.

use crate::dice::{DrawError, Expression, Reason, Roll, Roller};
use crate::game::refusal::{Code, Refusal};
use crate::rules::FollowUp;

/// Returns the kept faces and draws the others.
pub struct KeptFaces<'r> {
    faces: std::vec::IntoIter<Option<i64>>,
    fresh: &'r mut dyn Roller,
}

impl<'r> KeptFaces<'r> {
    pub fn new(faces: Vec<Option<i64>>, fresh: &'r mut dyn Roller) -> Self {
        KeptFaces { faces: faces.into_iter(), fresh }
    }
}

impl Roller for KeptFaces<'_> {
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
}

/// The faces of a roll in the order of draws; `None` for dice that are rolled again.
pub fn kept_faces(
    expression: &Expression,
    roll: &Roll,
    except: &[i64],
    rule: &FollowUp,
) -> Result<Vec<Option<i64>>, Refusal> {
    let refuse = |code: Code, why: String| Err(Refusal::new(code, why).at(rule.place.to_string()));
    // A new face may explode where the old one did not, which would shift the kept faces to other dice. Without kept faces
    // nothing can shift.
    if expression.redraws() && !except.is_empty() {
        let why = format!(
            "{} cannot be carried out on {expression}, whose dice explode or are rerolled. Roll the dice that count \
             with roll_dice.",
            rule.name
        );
        return refuse(Code::OutOfScopeSyntax, why);
    }
    let mut faces = Vec::new();
    for view in roll.dice() {
        let again = !except.contains(&view.die.natural());
        let drawn = view.die.rolls.iter().filter(|face| face.reason != Reason::Clamp);
        faces.extend(drawn.map(|face| (!again).then_some(face.value)));
    }
    if faces.iter().all(Option::is_some) {
        let why = format!(
            "{} ({}) leaves every die of {expression} as it lies. Keep the roll that was made.",
            rule.text, rule.place
        );
        return refuse(Code::NoEffect, why);
    }
    Ok(faces)
}
