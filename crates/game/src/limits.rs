//! Every limit on what a call may bring, by name.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::refusal::{Code, Detail, Refusal};
use rollbook_text::names::{is_direction, quoted, unfit};

/// Limits on what a call may bring; lengths in bytes.
pub struct Limits {
    pub name: usize,
    pub context: usize,
    pub notes: usize,
    pub request_id: usize,
    pub characters: usize,
    pub combatants: usize,
    /// Notes of one campaign.
    pub campaign_notes: usize,
    /// Clocks of one campaign, those too that are done with.
    pub campaign_clocks: usize,
    pub conditions: usize,
    /// Kinds of items that one character owns.
    pub items: usize,
    /// Bytes of an item's properties as JSON, and how deep they nest.
    pub properties: usize,
    pub properties_depth: usize,
    /// Attacks on one sheet.
    pub attacks: usize,
    /// A character or a stat block that is imported.
    pub document: usize,
    /// Rolls of one call.
    pub rolls: usize,
    /// Dice of one call before any explosion: a reply must show them and a log entry hold them within a second.
    pub dice: usize,
    /// Entries in `attributes`, `skills`, `tracks` or `values`.
    pub map: usize,
    /// The largest amount, score, bonus or initiative, either way.
    pub number: i64,
}

/// The limits in force.
pub const LIMITS: Limits = Limits {
    name: 80,
    context: 500,
    notes: 4000,
    request_id: 200,
    characters: 2000,
    combatants: 200,
    campaign_notes: 20_000,
    campaign_clocks: 1000,
    conditions: 40,
    items: 200,
    properties: 1000,
    properties_depth: 4,
    attacks: 60,
    document: 200_000,
    rolls: 1000,
    dice: 10_000,
    map: 100,
    number: 1_000_000,
};

/// Refuses text that is longer than `most` bytes or has control characters.
pub fn text(parameter: &str, text: &str, most: usize) -> Result<(), Refusal> {
    if text.len() > most {
        return Err(over(parameter, &format!("{} bytes", text.len()), &format!("at most {most} bytes")));
    }
    if text.chars().any(|c| c.is_control() && c != '\n' && c != '\t') {
        return Err(over(parameter, "a control character", "printable text"));
    }
    if text.chars().any(is_direction) {
        let issue = "a character that turns the direction of writing";
        let valid_range = "text without U+202A to U+202E, U+2066 to U+2069 and their like";
        return Err(over(parameter, issue, valid_range));
    }
    Ok(())
}

/// The same for text of one line.
pub fn line(parameter: &str, line: &str, most: usize) -> Result<(), Refusal> {
    text(parameter, line, most)?;
    let is_one = !line.contains(['\n', '\t']);
    if is_one { Ok(()) } else { Err(over(parameter, "more than one line", "one line of text")) }
}

/// Refuses a name that is empty, too long, or not one line of printable text.
pub fn name(parameter: &str, name: &str) -> Result<(), Refusal> {
    text(parameter, name, LIMITS.name)?;
    if name.trim().is_empty() || name.contains(['\n', '\t']) {
        return Err(over(parameter, "empty or more than one line", "one line of text"));
    }
    let refused = |issue| Err(over(parameter, issue, "letters or digits that can be seen and compared"));
    unfit(name).map_or(Ok(()), refused)
}

/// Refuses a number outside ±[`Limits::number`].
pub fn number(parameter: &str, value: i64) -> Result<(), Refusal> {
    if value.unsigned_abs() > LIMITS.number.unsigned_abs() {
        return Err(over(parameter, &value.to_string(), &format!("-{0} to {0}", LIMITS.number)));
    }
    Ok(())
}

/// Refuses a count above `most`.
pub fn count(parameter: &str, count: usize, most: usize) -> Result<(), Refusal> {
    if count > most {
        return Err(over(parameter, &format!("{count} of them"), &format!("at most {most}")));
    }
    Ok(())
}

/// Refuses properties that are too long, too deep, or hold what the log cannot: numbers that are not whole, control characters.
pub fn properties(parameter: &str, all: &BTreeMap<String, Value>) -> Result<(), Refusal> {
    let bytes = serde_json::to_string(all).map_or(usize::MAX, |text| text.len());
    if bytes > LIMITS.properties {
        return Err(over(
            parameter,
            &format!("{bytes} bytes as JSON"),
            &format!("at most {} bytes", LIMITS.properties),
        ));
    }
    all.iter().try_for_each(|(name, value)| property(parameter, name, value, 1))
}

fn property(parameter: &str, name: &str, value: &Value, depth: usize) -> Result<(), Refusal> {
    line(parameter, name, LIMITS.properties)?;
    if depth > LIMITS.properties_depth {
        return Err(over(parameter, "nested too deep", &format!("at most {} levels", LIMITS.properties_depth)));
    }
    match value {
        Value::Null | Value::Bool(_) => Ok(()),
        Value::Number(number) if number.is_i64() => Ok(()),
        Value::Number(number) => {
            let valid = format!("whole numbers, and others as text: \"{number}\"");
            Err(over(parameter, &format!("{number} is not whole"), &valid))
        }
        Value::String(value) => text(parameter, value, LIMITS.properties),
        Value::Array(items) => items.iter().try_for_each(|item| property(parameter, "", item, depth + 1)),
        Value::Object(fields) => {
            fields.iter().try_for_each(|(name, value)| property(parameter, name, value, depth + 1))
        }
    }
}

fn over(parameter: &str, issue: &str, valid_range: &str) -> Refusal {
    let parameter = quoted(parameter);
    let summary = format!("{parameter}: {issue}; it takes {valid_range}.");
    let detail = Detail { parameter, issue: issue.to_owned(), valid_range: valid_range.to_owned() };
    Refusal::new(Code::LimitExceeded, summary).details(vec![detail])
}
