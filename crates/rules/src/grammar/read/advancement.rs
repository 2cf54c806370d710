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

/// Outcomes: classes, and labels of rows.
pub fn tick(at: &mut Cursor<'_>) -> Option<Line> {
    let all = at.list(|at| at.name(&[Thing::Outcome], "an outcome"))?;
    Some(Line::Advancement(AdvancementLine::Tick(all)))
}
