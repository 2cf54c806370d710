//! An attempt at a check: its expressions with a value for every name.
//!
//! Calls, exact odds and tests share it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use thiserror::Error;

use crate::language::checks::{Check, Count, target_name};
use crate::when::facts::{Succeed, group_names};
use rollbook_dice::{BindError, Bound, DiceError, Expression, Formula, Roll, Roller, brief};
use rollbook_text::names::fold;

/// Whose name it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The character who makes the check.
    Actor,
    /// The target of the call: `{target Armour}`.
    Target,
}

/// What an attempt needs besides the check.
pub struct Means<'a> {
    /// The value of a name, if any.
    pub lookup: &'a dyn Fn(&str, Side) -> Option<Bound>,
    /// A number that is added to the result; where low is good, to the target.
    pub extra: i64,
    /// More dice of the first kind in the Roll; negative: fewer.
    pub dice: i64,
    /// Whether there is a target. Two rolls against each other need none.
    pub targeted: bool,
}

/// A check with every name replaced by its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Attempt {
    pub expression: Expression,
    /// What changes and the call's modifier add to the roll, which the Roll does not name.
    pub added: i64,
    /// Dice that the total is compared with.
    pub opposing: Option<Expression>,
    /// The number to reach, or not to exceed.
    pub target: Option<i64>,
    /// The row that must be reached, from 1: a success below it counts as the table's failure.
    pub reach: Option<u32>,
    /// How many dice the first term asks for; 0 for the roll without dice. None: it has no count.
    pub pool: Option<i64>,
    /// Whether it is the roll for no dice.
    pub no_dice: bool,
    /// The labelled groups of its dice, folded, also those without dice.
    pub groups: Vec<String>,
    /// Whether its notation counts successes. Then a roll without dice has none.
    pub counts: bool,
    /// Numbers for the names in conditions and values, by folded name.
    pub values: BTreeMap<String, i64>,
}

/// Why a check cannot be attempted. Nothing was rolled.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AttemptError {
    /// These names have no value; each once, in the order of the check.
    #[error("there is no value for {}", .0.join(", "))]
    Missing(Vec<String>),
    /// No dice or fewer, and the check has no roll for that.
    #[error("{roll} comes to {count} dice")]
    TooFewDice {
        /// How many dice the first term asks for.
        count: i64,
        /// The author's roll.
        roll: String,
    },
    /// A target must be a number.
    #[error("the target has dice in it: {0}")]
    DiceInTarget(String),
    /// With these values it cannot be rolled.
    #[error(transparent)]
    Dice(#[from] DiceError),
}

impl Check {
    /// The check with every name replaced by its value.
    ///
    /// # Errors
    /// [`AttemptError::Missing`] with every name that has no value, of all expressions and
    /// conditions at once; else what cannot be rolled.
    pub fn attempt(&self, means: &Means<'_>) -> Result<Attempt, AttemptError> {
        let targeted = self.target.as_ref().filter(|_| means.targeted);
        let mut wants = Wants {
            means,
            missing: Vec::new(),
        };
        let roll = wants
            .bound(|lookup| self.roll.settled(lookup))?
            .unwrap_or(Cow::Borrowed(&self.roll));
        let base = wants.bound(|lookup| roll.main_count(lookup))?.flatten();
        // Dice are taken off the first kind that has any, and never more than there are.
        let counts = match means.dice {
            0 => Vec::new(),
            _ => wants
                .bound(|lookup| roll.dice_counts(lookup))?
                .unwrap_or_default(),
        };
        let place = counts.iter().position(|count| *count > 0).unwrap_or(0);
        let more = counts.get(place).map_or(means.dice, |count| {
            means.dice.max((*count).max(0).saturating_neg())
        });
        let roll = roll.with_more_dice(more, place);
        let pool = base.map(|count| {
            if place == 0 {
                count.saturating_add(more)
            } else {
                count
            }
        });
        let no_dice = self
            .no_dice
            .as_ref()
            .filter(|_| pool.is_some_and(|pool| pool <= 0));
        if let (None, Some(count @ ..0)) = (no_dice, pool) {
            return Err(AttemptError::TooFewDice {
                count,
                roll: brief(&self.roll.to_string()),
            });
        }
        let roll = no_dice.map_or(roll.as_ref(), |no_dice| &no_dice.what);
        let expression = wants.bind(roll)?;
        let opposing = self
            .opposing
            .as_ref()
            .map(|opposing| wants.bind(&opposing.what))
            .transpose()?;
        let target = targeted.map(|target| wants.bind(target)).transpose()?;
        let values = wants.values(self.asked_variables(), &|name| self.default_of(name));
        let Some(expression) = expression.filter(|_| wants.missing.is_empty()) else {
            return Err(AttemptError::Missing(wants.missing));
        };
        let number = |target: Expression| {
            target
                .constant()
                .ok_or_else(|| AttemptError::DiceInTarget(target.to_string()))
        };
        let target = target.flatten().map(number).transpose()?;
        let (on_roll, on_target) = match (self.succeed, target) {
            (Succeed::AtLeast, _) => (means.extra, 0),
            (Succeed::AtMost, Some(_)) => (0, means.extra),
            (Succeed::AtMost, None) => (means.extra.saturating_neg(), 0),
        };
        Ok(Attempt {
            expression: expression.plus(on_roll)?,
            added: on_roll,
            opposing: opposing.flatten(),
            target: target.map(|target| target.saturating_add(on_target)),
            reach: None,
            pool: if no_dice.is_some() { Some(0) } else { pool },
            no_dice: no_dice.is_some(),
            groups: self.group_names(),
            counts: roll.counts(),
            values,
        })
    }

    /// The folded names of its labelled groups.
    pub fn group_names(&self) -> Vec<String> {
        self.groups()
            .iter()
            .flat_map(|label| group_names(label))
            .collect()
    }

    /// The check's Count with numbers for names.
    pub fn count_in(&self, attempt: &Attempt) -> Option<Cow<'_, Count>> {
        Some(self.count.as_ref()?.bound(&attempt.values))
    }
}

impl Attempt {
    /// Rolls it: the roll, and the opposing dice after it.
    ///
    /// # Errors
    /// When the roller gives no face.
    pub fn roll(&self, roller: &mut dyn Roller) -> Result<(Roll, Option<Roll>), DiceError> {
        let roll = self.expression.roll(roller)?;
        let opposing = self
            .opposing
            .as_ref()
            .map(|opposing| opposing.roll(roller))
            .transpose()?;
        Ok((roll, opposing))
    }
}

/// Binds expressions and collects the names without a value.
struct Wants<'a> {
    means: &'a Means<'a>,
    missing: Vec<String>,
}

impl Wants<'_> {
    fn bind(&mut self, formula: &Formula) -> Result<Option<Expression>, AttemptError> {
        self.bound(|lookup| formula.bind_with(lookup))
    }

    fn lookup(&self, name: &str) -> Option<Bound> {
        match target_name(name) {
            Some(name) => (self.means.lookup)(name, Side::Target),
            None => (self.means.lookup)(name, Side::Actor),
        }
    }

    fn bound<T>(
        &mut self,
        bind: impl FnOnce(&mut dyn FnMut(&str) -> Option<Bound>) -> Result<T, BindError>,
    ) -> Result<Option<T>, AttemptError> {
        match bind(&mut |name| self.lookup(name)) {
            Ok(bound) => Ok(Some(bound)),
            Err(BindError::Missing(names)) => {
                names.into_iter().for_each(|name| self.miss(name));
                Ok(None)
            }
            Err(BindError::Dice(error)) => Err(error.into()),
        }
    }

    /// The numbers of these names; `elsewhere` is the default of a name that has none here.
    fn values<'w>(
        &mut self,
        names: impl Iterator<Item = (Cow<'w, str>, Option<i64>)>,
        elsewhere: &dyn Fn(&str) -> Option<i64>,
    ) -> BTreeMap<String, i64> {
        let mut values = BTreeMap::new();
        for (name, default) in names {
            match (self.lookup(&name), default) {
                (Some(Bound::Number(number)), _) => drop(values.insert(fold(&name), number)),
                (_, Some(_)) => {}
                (_, None) => match elsewhere(&name) {
                    Some(number) => drop(values.entry(fold(&name)).or_insert(number)),
                    None => self.miss(name.into_owned()),
                },
            }
        }
        values
    }

    fn miss(&mut self, name: String) {
        if !self.missing.contains(&name) {
            self.missing.push(name);
        }
    }
}
