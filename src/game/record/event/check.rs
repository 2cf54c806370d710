//! A check that was resolved.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Subject;
use crate::rules::Outcome;

/// A resolved check. The entry's rolls are, in this order: the check's own, its opposing dice, and those of whoever opposed it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckEvent {
    pub check: String,
    pub subject: Option<Subject>,
    pub skill: Option<String>,
    pub attribute: Option<String>,
    pub modifiers: Vec<Modifier>,
    /// What the caller named; `None` where the rule needs none.
    pub difficulty: Option<i64>,
    /// What the total was compared with.
    pub target: Option<i64>,
    /// Positive is always good.
    pub margin: Option<i64>,
    pub outcome: Option<Outcome>,
    /// The author's word for it.
    pub label: Option<String>,
    /// The winning row's place in the table, from 1.
    pub rank: Option<u32>,
    /// The author's text in that row.
    pub row_text: Option<String>,
    pub context: Option<String>,
    /// What the other names of the rule stood for, and where from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<Modifier>,
    /// What the call said besides, by name: `position`, `effect`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub said: BTreeMap<String, String>,
    /// Whom it was tried against.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<Subject>,
    /// The target comes from the sheet of somebody whose numbers players do not know.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub target_hidden: bool,
    /// Dice that the roll asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool: Option<i64>,
    /// Where the rule counts successes: how many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub successes: Option<i64>,
    /// Opposing dice beaten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beaten: Option<i64>,
    /// What is true beside the outcome, as the author names it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// What moved the dice or the outcome: advantage, the dice chain, a natural face; each with its line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub adjustments: Vec<String>,
    /// Who rolled against it, and how that went.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opposed: Option<Opposed>,
    /// The roll that this one follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<Again>,
    /// By which formulas of the rule it was rolled; none where an earlier roll is followed, and in entries from before they
    /// were written down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formulas: Option<Formulas>,
}

/// The rule's own formulas.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Formulas {
    /// What is rolled: `1d20 + {modifier}`.
    pub roll: String,
    /// What the result is compared with: `{difficulty}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The rule does not name `{modifier}`: the modifiers are added to the result, or to a target that is not to be exceeded.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub beside: bool,
    /// The numbers do not follow from them alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
}

impl std::fmt::Display for Formulas {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.roll)?;
        self.target.iter().try_for_each(|target| write!(f, " against {target}"))
    }
}

/// The other side of an opposed check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opposed {
    pub subject: Option<Subject>,
    pub check: String,
    pub skill: Option<String>,
    pub attribute: Option<String>,
    pub modifiers: Vec<Modifier>,
    /// Its total, or its successes where the rule counts them.
    pub result: i64,
    pub target: Option<i64>,
    pub margin: Option<i64>,
    pub outcome: Option<Outcome>,
    pub label: Option<String>,
    /// Whether the one who tries beats it. A tie is the defender's.
    pub won: bool,
    pub tie: bool,
    /// Whether it is one because both failed at what they were to reach.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub both_failed: bool,
    /// Players do not see who it is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
}

/// A roll that was made before and is followed by a rule: pushed, or changed by luck.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Again {
    /// The entry of the first roll, which stays as it was.
    pub entry: u64,
    /// The rule's name: "Push".
    pub rule: String,
    /// Where it stands.
    pub place: String,
    /// Dice that were rolled anew; the others lie as they fell.
    pub redrawn: u32,
    /// Points added to the total; below zero taken off.
    pub amount: i64,
}

/// One number that was added, by name and with where it came from (`System.md:52`, `call`, the sheet).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Modifier {
    pub name: String,
    pub value: i64,
    pub from: String,
}
