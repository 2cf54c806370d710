//! A roll as parameters instead of text.

use crate::error::{Code, DiceError};
use crate::expression::Expression;
use crate::limits;
use crate::notation::strict;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fmt::Write;

/// The structured form: some dice of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Structured {
    /// 1 (default) to 1000.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dice_count: Option<i64>,
    /// 1 to 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dice_sides: Option<i64>,
    /// Added to the total.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modifier: Option<i64>,
    /// Keep this many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep_highest: Option<i64>,
    // As keep_highest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep_lowest: Option<i64>,
    // As keep_highest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drop_highest: Option<i64>,
    // As keep_highest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drop_lowest: Option<i64>,
    /// Faces that are rerolled once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reroll: Option<Vec<i64>>,
    /// A highest face adds another die.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exploding: Option<bool>,
    /// Counts dice of at least this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_number: Option<i64>,
    /// Lower values count as this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_value: Option<i64>,
}

/// What is wrong with one parameter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, thiserror::Error)]
#[error("{parameter}: {issue} ({valid_range})")]
pub struct ParameterError {
    /// Its name.
    pub parameter: String,
    /// What is wrong.
    pub issue: String,
    /// What would be right.
    pub valid_range: String,
}

/// Most sides in the structured form.
const SIDES_MAX: i64 = 100;

/// Collects what is wrong.
#[derive(Default)]
struct Faults {
    list: Vec<ParameterError>,
}

impl Faults {
    fn add(&mut self, parameter: &str, issue: impl Into<String>, valid_range: impl Into<String>) {
        self.list.push(ParameterError {
            parameter: parameter.to_owned(),
            issue: issue.into(),
            valid_range: valid_range.into(),
        });
    }

    /// Notes a value outside `low..=high`; answers whether it lies inside.
    fn range(&mut self, parameter: &str, value: Option<i64>, low: i64, high: i64) -> bool {
        match value {
            Some(value) if !(low..=high).contains(&value) => {
                let valid = match (high < low, low < 0) {
                    (true, _) => "leave it out".to_owned(),
                    (false, true) => format!("{low} to {high}"),
                    (false, false) => format!("{low}-{high}"),
                };
                let issue = if value > high {
                    format!("{value} is more than the maximum of {high}")
                } else {
                    format!("{value} is less than the minimum of {low}")
                };
                self.add(parameter, issue, valid);
                false
            }
            _ => true,
        }
    }
}

impl Structured {
    /// The expression, `n d s ro… ! min v (kh|kl|dh|dl) t + m`.
    ///
    /// A `min_value` of 1 and a `modifier` of 0 change nothing and are left out of it.
    ///
    /// # Errors
    /// Everything that is wrong, at once.
    pub fn expression(&self) -> Result<Expression, Vec<ParameterError>> {
        let faults = self.faults();
        if !faults.is_empty() {
            return Err(faults);
        }
        let text = self.notation().unwrap_or_default();
        strict(&text).map_err(|error| vec![self.blame(&error)])
    }

    fn faults(&self) -> Vec<ParameterError> {
        let mut faults = Faults::default();
        let dice_max = i64::try_from(limits::DICE).unwrap_or(i64::MAX);
        let literal = limits::LITERAL;
        let count = self.dice_count.unwrap_or(1);
        let count_fits = faults.range("dice_count", self.dice_count, 1, dice_max);
        let sides = match self.dice_sides {
            None => {
                faults.add("dice_sides", "it is missing", format!("1-{SIDES_MAX}"));
                None
            }
            sides => sides.filter(|_| faults.range("dice_sides", sides, 1, SIDES_MAX)),
        };
        // Without a sound count or number of sides the widest range is checked.
        let count = if count_fits { count } else { dice_max };
        let faces = sides.unwrap_or(SIDES_MAX);
        faults.range("modifier", self.modifier, -literal, literal);
        faults.range("keep_highest", self.keep_highest, 1, count);
        faults.range("keep_lowest", self.keep_lowest, 1, count);
        faults.range("drop_highest", self.drop_highest, 1, count - 1);
        faults.range("drop_lowest", self.drop_lowest, 1, count - 1);
        self.check_selection(&mut faults);
        self.check_reroll(faces, &mut faults);
        if self.exploding == Some(true) && faces == 1 {
            faults.add("exploding", "a die with one side explodes for ever", "false");
        }
        if self.min_value != Some(1) {
            faults.range("min_value", self.min_value, 1, (faces - 1).max(1));
        }
        let minimum = self.min_value.unwrap_or(1).clamp(1, faces);
        faults.range("target_number", self.target_number, minimum + 1, faces);
        faults.list
    }

    fn check_selection(&self, faults: &mut Faults) {
        let ways = [
            ("keep_highest", self.keep_highest),
            ("keep_lowest", self.keep_lowest),
            ("drop_highest", self.drop_highest),
            ("drop_lowest", self.drop_lowest),
        ];
        let mut given = ways.into_iter().filter(|(_, value)| value.is_some());
        let Some((first, _)) = given.next() else { return };
        for (parameter, _) in given {
            let issue = format!("{first} is given too");
            faults.add(parameter, issue, "only one of keep_highest, keep_lowest, drop_highest, drop_lowest");
        }
    }

    fn check_reroll(&self, faces: i64, faults: &mut Faults) {
        let wanted = self.rerolled();
        let range = format!("faces from 1 to {faces}");
        for face in wanted.iter().filter(|face| !(1..=faces).contains(*face)).take(10) {
            faults.add("reroll", format!("{face} is not a face"), range.clone());
        }
        let on_die = wanted.iter().filter(|face| (1..=faces).contains(*face)).count();
        let most = limits::MODIFIERS.saturating_sub(5);
        if i64::try_from(on_die) == Ok(faces) {
            faults.add("reroll", "every face would be rerolled", range);
        } else if on_die > most {
            faults.add("reroll", format!("{on_die} faces are too many"), format!("at most {most} faces"));
        }
    }

    /// The faces to reroll, each once, rising.
    fn rerolled(&self) -> Vec<i64> {
        let mut faces = self.reroll.clone().unwrap_or_default();
        faces.sort_unstable();
        faces.dedup();
        faces
    }

    fn notation(&self) -> Result<String, fmt::Error> {
        let mut text = String::new();
        write!(text, "{}d{}", self.dice_count.unwrap_or(1), self.dice_sides.unwrap_or(0))?;
        for face in self.rerolled() {
            write!(text, "ro{face}")?;
        }
        if self.exploding == Some(true) {
            text.push('!');
        }
        if let Some(minimum) = self.min_value.filter(|minimum| *minimum > 1) {
            write!(text, "min{minimum}")?;
        }
        let parts = [
            ("kh", self.keep_highest),
            ("kl", self.keep_lowest),
            ("dh", self.drop_highest),
            ("dl", self.drop_lowest),
            ("t", self.target_number),
        ];
        for (word, value) in parts {
            if let Some(value) = value {
                write!(text, "{word}{value}")?;
            }
        }
        match self.modifier {
            None | Some(0) => {}
            Some(modifier) if modifier < 0 => write!(text, " - {}", -modifier)?,
            Some(modifier) => write!(text, " + {modifier}")?,
        }
        Ok(text)
    }

    /// The parameter that a refusal of the expression is about.
    fn blame(&self, error: &DiceError) -> ParameterError {
        let parameter = match error.code {
            Code::NonTerminating => "exploding",
            Code::LimitExceeded => "dice_count",
            Code::NoEffect if self.target_number.is_some() => "target_number",
            _ => "dice_sides",
        };
        ParameterError {
            parameter: parameter.to_owned(),
            issue: error.message.clone(),
            valid_range: error.hint.clone(),
        }
    }
}
