//! Every limit on what a call may bring, by name.

use crate::refusal::{Code, Detail, Refusal};
use rollbook_text::names::{is_direction, quoted, unfit};
use serde_json::Value;
use std::collections::BTreeMap;

macro_rules! limits {
    ($($(#[$doc:meta])* $name:ident: $kind:ty = $most:literal;)+) => {
        /// Limits on what a call may bring; lengths in bytes.
        /// Limits on what a call may bring; lengths in bytes.
        pub struct Limits { $($(#[$doc])* pub $name: $kind,)+ }

        /// The limits in force.
        pub const LIMITS: Limits = Limits { $($name: $most,)+ };
    };
}

limits! {
    name: usize = 80;
    context: usize = 500;
    notes: usize = 4000;
    request_id: usize = 200;
    characters: usize = 2000;
    combatants: usize = 200;
    campaign_notes: usize = 20_000;
    /// Clocks of one campaign, those too that are done with.
    campaign_clocks: usize = 1000;
    conditions: usize = 40;
    /// Kinds of items that one character owns.
    items: usize = 200;
    /// Bytes of an item's properties as JSON, and how deep they nest.
    properties: usize = 1000;
    properties_depth: usize = 4;
    attacks: usize = 60;
    /// A character or a stat block that is imported.
    document: usize = 200_000;
    /// Rolls of one call.
    rolls: usize = 1000;
    /// Dice of one call before any explosion: reply and entry hold them within a second.
    dice: usize = 10_000;
    /// Entries in `attributes`, `skills`, `tracks` or `values`.
    map: usize = 100;
    /// The largest amount, score, bonus or initiative, either way.
    number: i64 = 1_000_000;
}

/// Refuses text that is longer than `most` bytes or has control characters.
pub fn text(parameter: &str, text: &str, most: usize) -> Result<(), Refusal> {
    if text.len() > most {
        return Err(over(
            parameter,
            &format!("{} bytes", text.len()),
            &format!("at most {most} bytes"),
        ));
    }
    if text
        .chars()
        .any(|c| c.is_control() && c != '\n' && c != '\t')
    {
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
    if is_one {
        Ok(())
    } else {
        Err(over(parameter, "more than one line", "one line of text"))
    }
}

/// Refuses a name that is empty, too long, or not one line of printable text.
pub fn name(parameter: &str, name: &str) -> Result<(), Refusal> {
    text(parameter, name, LIMITS.name)?;
    if name.trim().is_empty() || name.contains(['\n', '\t']) {
        return Err(over(
            parameter,
            "empty or more than one line",
            "one line of text",
        ));
    }
    let refused = |issue| {
        Err(over(
            parameter,
            issue,
            "letters or digits that can be seen and compared",
        ))
    };
    unfit(name).map_or(Ok(()), refused)
}

/// Refuses a number outside ±[`Limits::number`].
pub fn number(parameter: &str, value: i64) -> Result<(), Refusal> {
    if value.unsigned_abs() > LIMITS.number.unsigned_abs() {
        return Err(over(
            parameter,
            &value.to_string(),
            &format!("-{0} to {0}", LIMITS.number),
        ));
    }
    Ok(())
}

pub(crate) fn count(parameter: &str, count: usize, most: usize) -> Result<(), Refusal> {
    if count > most {
        return Err(over(
            parameter,
            &format!("{count} of them"),
            &format!("at most {most}"),
        ));
    }
    Ok(())
}

/// Refuses properties that are too long or deep, or that no log holds: fractions, control
/// characters.
pub fn properties(parameter: &str, all: &BTreeMap<String, Value>) -> Result<(), Refusal> {
    let bytes = serde_json::to_string(all).map_or(usize::MAX, |text| text.len());
    if bytes > LIMITS.properties {
        return Err(over(
            parameter,
            &format!("{bytes} bytes as JSON"),
            &format!("at most {} bytes", LIMITS.properties),
        ));
    }
    all.iter()
        .try_for_each(|(name, value)| property(parameter, name, value, 1))
}

fn property(parameter: &str, name: &str, value: &Value, depth: usize) -> Result<(), Refusal> {
    line(parameter, name, LIMITS.properties)?;
    if depth > LIMITS.properties_depth {
        return Err(over(
            parameter,
            "nested too deep",
            &format!("at most {} levels", LIMITS.properties_depth),
        ));
    }
    match value {
        Value::Null | Value::Bool(_) => Ok(()),
        Value::Number(number) if number.is_i64() => Ok(()),
        Value::Number(number) => {
            let valid = format!("whole numbers, and others as text: \"{number}\"");
            Err(over(parameter, &format!("{number} is not whole"), &valid))
        }
        Value::String(value) => text(parameter, value, LIMITS.properties),
        Value::Array(items) => items
            .iter()
            .try_for_each(|item| property(parameter, "", item, depth + 1)),
        Value::Object(fields) => fields
            .iter()
            .try_for_each(|(name, value)| property(parameter, name, value, depth + 1)),
    }
}

fn over(parameter: &str, issue: &str, valid_range: &str) -> Refusal {
    bad_value(Code::LimitExceeded, &quoted(parameter), issue, valid_range)
}

/// The refusal of one parameter: what is wrong with its value, and what it takes.
pub(crate) fn bad_value(code: Code, parameter: &str, issue: &str, valid_range: &str) -> Refusal {
    let summary = format!("{parameter}: {issue}; it takes {valid_range}.");
    let detail = Detail {
        parameter: parameter.to_owned(),
        issue: issue.to_owned(),
        valid_range: valid_range.to_owned(),
    };
    Refusal::new(code, summary).details(vec![detail])
}
