//! Every bound of the table, by name.

use crate::game::refusal::{Code, Detail, Refusal};
use crate::names::{is_direction, quoted, unfit};

/// Bounds on what a call may bring; lengths in bytes.
pub struct Limits {
    pub name: usize,
    pub context: usize,
    pub notes: usize,
    pub request_id: usize,
    pub characters: usize,
    pub combatants: usize,
    pub conditions: usize,
    /// Kinds of things that somebody owns.
    pub items: usize,
    /// A character or a stat block that is imported.
    pub document: usize,
    /// Rolls of one call.
    pub rolls: usize,
    /// Dice of one call before any explosion: what a reply can show, a log entry hold and a second roll.
    pub dice: usize,
    /// Entries in `attributes`, `skills`, `tracks` or `values`.
    pub map: usize,
    /// The largest amount, score, bonus or initiative, either way.
    pub number: i64,
}

/// The bounds in force.
pub const LIMITS: Limits = Limits {
    name: 80,
    context: 500,
    notes: 4000,
    request_id: 200,
    characters: 2000,
    combatants: 200,
    conditions: 40,
    items: 200,
    document: 200_000,
    rolls: 1000,
    dice: 10_000,
    map: 100,
    number: 1_000_000,
};

/// A refusal when `text` is longer than `most` bytes or holds characters that a reader or a terminal obeys
/// instead of showing.
pub fn text(parameter: &str, text: &str, most: usize) -> Result<(), Refusal> {
    if text.len() > most {
        return Err(over(parameter, format!("{} bytes", text.len()), format!("at most {most} bytes")));
    }
    if text.chars().any(|c| c.is_control() && c != '\n' && c != '\t') {
        return Err(over(parameter, "a control character".to_owned(), "printable text".to_owned()));
    }
    if text.chars().any(is_direction) {
        let issue = "a character that turns the direction of writing".to_owned();
        return Err(over(
            parameter,
            issue,
            "text without U+202A to U+202E, U+2066 to U+2069 and their like".to_owned(),
        ));
    }
    Ok(())
}

/// A refusal when a name is empty, too long, or not one line of printable text.
pub fn name(parameter: &str, name: &str) -> Result<(), Refusal> {
    text(parameter, name, LIMITS.name)?;
    if name.trim().is_empty() || name.contains(['\n', '\t']) {
        return Err(over(parameter, "empty or more than one line".to_owned(), "one line of text".to_owned()));
    }
    match unfit(name) {
        Some(issue) => {
            Err(over(parameter, issue.to_owned(), "letters or digits that can be seen and compared".to_owned()))
        }
        None => Ok(()),
    }
}

/// A refusal when a number lies outside ±[`Limits::number`].
pub fn number(parameter: &str, value: i64) -> Result<(), Refusal> {
    if value.unsigned_abs() > LIMITS.number.unsigned_abs() {
        let range = format!("-{0} to {0}", LIMITS.number);
        return Err(over(parameter, value.to_string(), range));
    }
    Ok(())
}

/// A refusal when there are more than `most` of something.
pub fn count(parameter: &str, count: usize, most: usize) -> Result<(), Refusal> {
    if count > most {
        return Err(over(parameter, format!("{count} of them"), format!("at most {most}")));
    }
    Ok(())
}

fn over(parameter: &str, issue: String, valid_range: String) -> Refusal {
    let parameter = &quoted(parameter);
    let summary = format!("{parameter}: {issue}; it takes {valid_range}.");
    Refusal::new(Code::LimitExceeded, summary).details(vec![Detail {
        parameter: parameter.to_owned(),
        issue,
        valid_range,
    }])
}
