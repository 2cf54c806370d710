//! What a caller asks for, within its bounds.

use std::collections::BTreeMap;

use crate::game::limits::{self, LIMITS};
use crate::game::record::entry::Visibility;
use crate::game::refusal::{Code, Refusal};
use crate::names::fold;

/// Steps along a dice chain that a call may ask for, either way.
const STEPS_MAX: i64 = 100;

/// What the caller asked for, by names as it typed them.
#[derive(Debug, Default, Clone)]
pub struct CheckCall {
    pub skill: Option<String>,
    pub character: Option<String>,
    pub check: Option<String>,
    pub difficulty: Option<i64>,
    pub attribute: Option<String>,
    pub advantage: bool,
    pub disadvantage: bool,
    /// Steps along the dice chain.
    pub steps: i64,
    /// Situational; named in the result.
    pub modifier: i64,
    /// Whom it is tried against: a Target bullet looks names up there first.
    pub target: Option<String>,
    /// Numbers, dice text, or anything else that is to be written down.
    pub values: BTreeMap<String, String>,
    pub opposed_by: Option<Opponent>,
    /// Whether it is one side of an opposed check, which needs no difficulty.
    pub opposed: bool,
    /// Whether it is the side that opposes, which the call describes in `opposed_by`.
    pub opposing: bool,
    /// The logged roll that is followed.
    pub again: Option<Follow>,
    pub context: Option<String>,
    pub visibility: Option<Visibility>,
}

/// Who rolls against it, and with what.
#[derive(Debug, Default, Clone)]
pub struct Opponent {
    pub character: String,
    pub skill: Option<String>,
    pub attribute: Option<String>,
    /// Another check than the one that is opposed.
    pub check: Option<String>,
    pub modifier: i64,
}

impl CheckCall {
    /// A refusal when something is longer or larger than there is room for.
    pub(super) fn bounds(&self) -> Result<(), Refusal> {
        if let Some(context) = &self.context {
            limits::text("context", context, LIMITS.context)?;
        }
        limits::number("modifier", self.modifier)?;
        limits::number("difficulty", self.difficulty.unwrap_or(0))?;
        limits::number("opposed_by.modifier", self.opposed_by.as_ref().map_or(0, |opponent| opponent.modifier))?;
        if self.steps.abs() > STEPS_MAX {
            let summary = format!("steps is {}; it takes -{STEPS_MAX} to {STEPS_MAX}.", self.steps);
            return Err(Refusal::new(Code::LimitExceeded, summary));
        }
        limits::count("values", self.values.len(), LIMITS.map)?;
        for (name, value) in &self.values {
            limits::name("values", name)?;
            limits::text(&format!("values.{name}"), value, LIMITS.context)?;
            if let Ok(number) = value.trim().parse() {
                limits::number(&format!("values.{name}"), number)?;
            }
        }
        Ok(())
    }
}

/// The logged roll that is followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Follow {
    /// Its entry; none: the last check of the one who tries.
    pub entry: Option<u64>,
    /// The rule to follow it by; none: the only one that its check has.
    pub rule: Option<String>,
}

impl Follow {
    /// `#128`, `128`, `#128 push`, `last`, `last push`.
    pub fn parse(text: &str) -> Option<Follow> {
        let text = text.trim().trim_start_matches('#');
        let (number, rule) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rule = Some(rule.trim().to_owned()).filter(|rule| !rule.is_empty());
        let entry = match fold(number).as_str() {
            "last" => None,
            number => Some(number.parse().ok().filter(|entry| *entry > 0)?),
        };
        Some(Follow { entry, rule })
    }
}
