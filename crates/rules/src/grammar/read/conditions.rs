//! Conditions: each bullet declares one.

use super::ValueReader;
use crate::grammar::cursor::Cursor;
use crate::grammar::effect::{change, duration};
use crate::grammar::expr::two_numbers;
use crate::grammar::line::{ConditionLine, Line};

/// `Frightened (1-3)`
pub fn condition(at: &mut Cursor<'_>) -> Option<ValueReader> {
    let mut line = ConditionLine {
        name: at.new_name("a name")?,
        levels: None,
        changes: Vec::new(),
        lasts: None,
    };
    if at.sign('(').is_some() {
        line.levels = Some(two_numbers(at)?);
        at.sign(')')?;
    }
    Some(Box::new(|at| changes_and_duration(at, line)))
}

/// What follows the name: changes, one duration, words for people.
fn changes_and_duration(at: &mut Cursor<'_>, mut line: ConditionLine) -> Option<Line> {
    while !at.is_end() {
        if at.emphasis().is_some() {
        } else if let Some(lasts) = at.attempt(duration) {
            if line.lasts.replace(lasts).is_some() {
                return at.miss("one duration");
            }
        } else {
            let change = change(at, &line.name)?;
            line.changes.push(change);
        }
        if at.separator().is_none() {
            break;
        }
        if at.is_end() {
            return at.miss("a change, a duration or *words*");
        }
    }
    Some(Line::Condition(line))
}
