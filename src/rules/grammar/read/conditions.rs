//! Conditions: each bullet declares one.

use crate::rules::grammar::cursor::Cursor;
use crate::rules::grammar::effect::{change, duration};
use crate::rules::grammar::line::{ConditionLine, Line};

/// What follows the name: changes, one duration, words for people.
pub fn condition(at: &mut Cursor<'_>, name: String, levels: Option<(i64, i64)>) -> Option<Line> {
    let mut own = ConditionLine { name, levels, changes: Vec::new(), lasts: None };
    if at.is_end() {
        return Some(Line::Condition(own));
    }
    loop {
        if at.emphasis().is_some() {
        } else if let Some(lasts) = at.attempt(duration) {
            if own.lasts.replace(lasts).is_some() {
                return at.miss("one duration");
            }
        } else {
            let change = change(at, &own.name)?;
            own.changes.push(change);
        }
        if at.separator().is_none() {
            return Some(Line::Condition(own));
        }
    }
}
