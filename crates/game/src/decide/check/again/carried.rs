//! Which faces of an earlier roll stay, and which dice are drawn again.

use crate::refusal::{Code, Refusal};
use rollbook_dice::{Expression, Roll};
use rollbook_rules::FollowUp;

/// The faces of a roll in the order of draws; `None` for dice that are rolled again.
pub fn kept_faces(expression: &Expression, roll: &Roll, rule: &FollowUp) -> Result<Vec<Option<i64>>, Refusal> {
    let refuse = |code: Code, why: String| Err(Refusal::new(code, why).at(rule.place.to_string()));
    // A new face may explode where the old one did not, which would shift the kept faces to other dice. Without kept faces
    // nothing can shift.
    if expression.redraws() && rule.keeps_some() {
        let why = format!(
            "{} cannot be carried out on {expression}, whose dice explode or are rerolled. Roll the dice that count \
             with roll_dice.",
            rule.name
        );
        return refuse(Code::OutOfScopeSyntax, why);
    }
    let faces = rule.kept_faces(roll);
    if faces.iter().all(Option::is_some) && rule.adds.is_empty() {
        let why = format!(
            "{} ({}) leaves every die of {expression} as it lies. Keep the roll that was made.",
            rule.text, rule.place
        );
        return refuse(Code::NoEffect, why);
    }
    Ok(faces)
}
