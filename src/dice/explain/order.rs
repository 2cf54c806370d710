//! Modifiers that were written in another order than they act.

use crate::dice::ast::{Dice, Stage};

/// Two stages that were written in the other order, where that suggests another result.
pub(super) fn surprising_order(dice: &Dice) -> Option<(Stage, Stage)> {
    let mut latest = Stage::Draw;
    for modifier in &dice.modifiers {
        let stage = modifier.kind.stage();
        if stage == Stage::Show || stage == Stage::Draw {
            continue;
        }
        if stage < latest {
            return Some((stage, latest));
        }
        latest = stage;
    }
    None
}

pub(super) fn stage_text(stage: Stage) -> &'static str {
    match stage {
        Stage::Draw => "drawing",
        Stage::Reroll => "rerolling",
        Stage::Explode => "exploding",
        Stage::Clamp => "raising and lowering",
        Stage::Keep => "keeping and dropping",
        Stage::Count => "counting",
        Stage::Show => "sorting",
    }
}
