//! Attributes and skills.

use super::ValueReader;
use crate::grammar::cursor::Cursor;
use crate::grammar::expr;
use crate::grammar::line::{Declared, Line, ScoreLine};
use crate::grammar::names::Thing;

/// `8-18 range, point buy`: what follows the comma is for people.
pub fn starting_values(at: &mut Cursor<'_>) -> Option<Line> {
    let range = expr::two_numbers(at)?;
    let _ = at.words("range");
    if at.separator().is_some() {
        at.skip_rest();
    }
    Some(Line::Scores(ScoreLine::Range(range)))
}

/// What is before the colon: `Dodge (DEX, base {DEX} / 2)`.
pub fn declared(at: &mut Cursor<'_>, is_skill: bool) -> Option<ValueReader> {
    let mut line = Declared {
        name: at.new_name("a name")?,
        ..Declared::default()
    };
    if at.sign('(').is_some() {
        loop {
            note(at, &mut line, is_skill)?;
            if at.separator().is_none() {
                break;
            }
        }
        at.sign(')')?;
    }
    Some(Box::new(|_| Some(Line::Scores(ScoreLine::Declared(line)))))
}

fn note(at: &mut Cursor<'_>, line: &mut Declared, is_skill: bool) -> Option<()> {
    if at.words("base").is_some() {
        let base = expr::amount(at)?;
        return line.base.replace(base).is_none().then_some(());
    }
    if let Some(found) = at.attempt(expr::range) {
        let range = expr::two_ends(at, &found)?;
        return line.range.replace(range).is_none().then_some(());
    }
    if is_skill {
        let attribute = at.name(&[Thing::Attribute], "an attribute")?;
        return line.attribute.replace(attribute).is_none().then_some(());
    }
    let short = at.new_name("a short form")?;
    line.short.replace(short).is_none().then_some(())
}
