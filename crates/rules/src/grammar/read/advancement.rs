//! Advancement.

use crate::grammar::cursor::Cursor;
use crate::grammar::expr::amount;
use crate::grammar::line::{AdvancementLine, Line};
use crate::grammar::names::Thing;

pub fn level_up_at(at: &mut Cursor<'_>) -> Option<Line> {
    let amount = amount(at)?;
    at.words("xp")?;
    Some(Line::Advancement(AdvancementLine::LevelUpAt(amount)))
}

/// An outcome: a class, or the label of a row.
pub fn outcome(at: &mut Cursor<'_>) -> Option<String> {
    at.name(&[Thing::Outcome], "an outcome")
}

pub fn tick(at: &mut Cursor<'_>) -> Option<Line> {
    at.list(outcome)
        .map(|all| Line::Advancement(AdvancementLine::Tick(all)))
}
