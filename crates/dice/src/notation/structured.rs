//! A roll as parameters instead of text.

use crate::error::{Code, DiceError};
use crate::expression::Expression;
use crate::limits;
use crate::notation::strict;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The structured form: some dice of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct Structured {
    /// 1 (default) to 1000.
    pub dice_count: Option<i64>,
    /// 1 to 100.
    pub dice_sides: Option<i64>,
    /// Added to the total.
    pub modifier: Option<i64>,
    /// Keep this many.
    pub keep_highest: Option<i64>,
    pub keep_lowest: Option<i64>,
    pub drop_highest: Option<i64>,
    pub drop_lowest: Option<i64>,
    /// Faces that are rerolled once.
    pub reroll: Option<Vec<i64>>,
    /// A highest face adds another die.
    pub exploding: Option<bool>,
    /// Counts dice of at least this.
    pub target_number: Option<i64>,
    /// Lower values count as this.
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
struct Faults(Vec<ParameterError>);

impl Faults {
    fn add(&mut self, parameter: &str, issue: impl Into<String>, valid_range: impl Into<String>) {
        let (parameter, issue, valid_range) =
            (parameter.to_owned(), issue.into(), valid_range.into());
        self.0.push(ParameterError {
            parameter,
            issue,
            valid_range,
        });
    }

    /// Notes a value outside `low..=high`; answers whether it lies inside.
    fn range(&mut self, parameter: &str, value: Option<i64>, low: i64, high: i64) -> bool {
        let Some(value) = value.filter(|value| !(low..=high).contains(value)) else {
            return true;
        };
        let valid = match (high < low, low < 0) {
            (true, _) => "leave it out".to_owned(),
            (false, true) => format!("{low} to {high}"),
            (false, false) => format!("{low}-{high}"),
        };
        let issue = match value > high {
            true => format!("{value} is more than the maximum of {high}"),
            false => format!("{value} is less than the minimum of {low}"),
        };
        self.add(parameter, issue, valid);
        false
    }
}

impl Structured {
    /// The expression, `n d s ro… ! min v (kh|kl|dh|dl) t + m`; a `min_value` of 1 and a `modifier`
    /// of 0 change nothing. Errors: everything that is wrong, at once.
    pub fn expression(&self) -> Result<Expression, Vec<ParameterError>> {
        let faults = self.faults();
        if !faults.is_empty() {
            return Err(faults);
        }
        strict(&self.notation()).map_err(|error| vec![self.blame(error)])
    }

    /// The ways to keep or drop, with the word of each in notation.
    fn selections(&self) -> [(&'static str, &'static str, Option<i64>); 4] {
        [
            ("keep_highest", "kh", self.keep_highest),
            ("keep_lowest", "kl", self.keep_lowest),
            ("drop_highest", "dh", self.drop_highest),
            ("drop_lowest", "dl", self.drop_lowest),
        ]
    }

    fn faults(&self) -> Vec<ParameterError> {
        let mut faults = Faults::default();
        let dice_max = i64::try_from(limits::DICE).unwrap_or(i64::MAX);
        let count_fits = faults.range("dice_count", self.dice_count, 1, dice_max);
        if self.dice_sides.is_none() {
            faults.add("dice_sides", "it is missing", format!("1-{SIDES_MAX}"));
        }
        let sides_fit = faults.range("dice_sides", self.dice_sides, 1, SIDES_MAX);
        // Without a sound count or number of sides the widest range is checked.
        let count = if count_fits {
            self.dice_count.unwrap_or(1)
        } else {
            dice_max
        };
        let faces = self.dice_sides.filter(|_| sides_fit).unwrap_or(SIDES_MAX);
        faults.range("modifier", self.modifier, -limits::LITERAL, limits::LITERAL);
        for (parameter, word, value) in self.selections() {
            faults.range(
                parameter,
                value,
                1,
                if word.starts_with('k') {
                    count
                } else {
                    count - 1
                },
            );
        }
        let mut given = self
            .selections()
            .into_iter()
            .filter(|(.., value)| value.is_some());
        if let Some((first, ..)) = given.next() {
            let valid = "only one of keep_highest, keep_lowest, drop_highest, drop_lowest";
            given.for_each(|(parameter, ..)| {
                faults.add(parameter, format!("{first} is given too"), valid)
            });
        }
        self.check_reroll(faces, &mut faults);
        if self.exploding == Some(true) && faces == 1 {
            faults.add(
                "exploding",
                "a die with one side explodes for ever",
                "false",
            );
        }
        if self.min_value != Some(1) {
            faults.range("min_value", self.min_value, 1, (faces - 1).max(1));
        }
        let minimum = self.min_value.unwrap_or(1).clamp(1, faces);
        faults.range("target_number", self.target_number, minimum + 1, faces);
        faults.0
    }

    fn check_reroll(&self, faces: i64, faults: &mut Faults) {
        let wanted = self.rerolled();
        let (on_die, others): (Vec<i64>, Vec<i64>) = wanted
            .into_iter()
            .partition(|face| (1..=faces).contains(face));
        let range = format!("faces from 1 to {faces}");
        for face in others.into_iter().take(10) {
            faults.add("reroll", format!("{face} is not a face"), range.clone());
        }
        let most = limits::MODIFIERS.saturating_sub(5);
        if i64::try_from(on_die.len()) == Ok(faces) {
            faults.add("reroll", "every face would be rerolled", range);
        } else if on_die.len() > most {
            faults.add(
                "reroll",
                format!("{} faces are too many", on_die.len()),
                format!("at most {most} faces"),
            );
        }
    }

    /// The faces to reroll, each once, rising.
    fn rerolled(&self) -> BTreeSet<i64> {
        self.reroll.iter().flatten().copied().collect()
    }

    fn notation(&self) -> String {
        let mut text = format!(
            "{}d{}",
            self.dice_count.unwrap_or(1),
            self.dice_sides.unwrap_or(0)
        );
        self.rerolled()
            .iter()
            .for_each(|face| text.push_str(&format!("ro{face}")));
        text.push_str(if self.exploding == Some(true) {
            "!"
        } else {
            ""
        });
        let minimum = ("", "min", self.min_value.filter(|minimum| *minimum > 1));
        let target = ("", "t", self.target_number);
        for (_, word, value) in [minimum]
            .into_iter()
            .chain(self.selections())
            .chain([target])
        {
            text.extend(value.map(|value| format!("{word}{value}")));
        }
        match self.modifier {
            None | Some(0) => text,
            Some(modifier) if modifier < 0 => format!("{text} - {}", -modifier),
            Some(modifier) => format!("{text} + {modifier}"),
        }
    }

    /// The parameter that a refusal of the expression is about.
    fn blame(&self, error: DiceError) -> ParameterError {
        let parameter = match error.code {
            Code::NonTerminating => "exploding",
            Code::LimitExceeded => "dice_count",
            Code::NoEffect if self.target_number.is_some() => "target_number",
            _ => "dice_sides",
        };
        ParameterError {
            parameter: parameter.to_owned(),
            issue: error.message,
            valid_range: error.hint,
        }
    }
}
