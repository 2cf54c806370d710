//! Conditions: each bullet declares one.

use crate::rules::grammar::cursor::Cursor;
use crate::rules::grammar::effect::{change, duration};
use crate::rules::grammar::line::{ConditionLine, Line};
use crate::rules::grammar::tree::Range;

/// What follows the name: changes, one duration, words for people.
pub fn condition(at: &mut Cursor<'_>, name: String, levels: Option<Range>) -> Option<Line> {
    let mut own = ConditionLine { name, levels, changes: Vec::new(), lasts: None, words: Vec::new() };
    if at.is_end() {
        return Some(Line::Condition(own));
    }
    loop {
        if let Some(words) = at.emphasis() {
            own.words.push(words);
        } else if let Some(lasts) = at.attempt(duration) {
            if own.lasts.replace(lasts).is_some() {
                return at.miss("one duration");
            }
        } else {
            own.changes.push(change(at)?);
        }
        if at.separator().is_none() {
            return Some(Line::Condition(own));
        }
    }
}
