//! Dice without a rule, and rolls on the adventure's random tables.

use super::{Describe, Description, actor_name, arithmetic, as_sentence, in_brackets, optional};
use crate::record::entry::{Audience, Entry};
use serde::{Deserialize, Serialize};

/// The roll is in the entry's `rolls`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RollEvent {
    pub input: String,
    pub context: Option<String>,
    /// The entry of the check whose outcome it follows from: the damage of a hit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<u64>,
    /// It is dealt as damage in the same call.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deals: bool,
}

impl Describe for RollEvent {
    fn description<'e>(&'e self, base: Description<'e>) -> Description<'e> {
        plain_dice(
            std::slice::from_ref(&self.input),
            self.context.as_deref(),
            self.check,
            base,
        )
    }

    fn sentence(&self, entry: &Entry, _: Audience, _: bool) -> Option<String> {
        Some(roll_sentence(entry, self.context.as_deref()))
    }
}

/// `inputs` repeated `count` times; the rolls are in the entry's `rolls` in that order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RollSet {
    pub inputs: Vec<String>,
    pub count: u32,
    pub context: Option<String>,
    /// As for a single roll.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<u64>,
}

/// Rolls shown in a sentence; the rest are counted.
const ROLLS_SHOWN_MAX: usize = 12;

impl Describe for RollSet {
    fn description<'e>(&'e self, base: Description<'e>) -> Description<'e> {
        plain_dice(&self.inputs, self.context.as_deref(), self.check, base)
    }

    /// A set of one roll reads as that roll.
    fn sentence(&self, entry: &Entry, _: Audience, _: bool) -> Option<String> {
        let (rolls, context) = (&entry.rolls, self.context.as_deref());
        if rolls.len() == 1 {
            return Some(roll_sentence(entry, context));
        }
        let shown: Vec<String> = rolls.iter().take(ROLLS_SHOWN_MAX).map(arithmetic).collect();
        let more = rolls.len().saturating_sub(ROLLS_SHOWN_MAX);
        let more = if more > 0 {
            format!(" | and {more} more")
        } else {
            String::new()
        };
        let (who, purpose) = (actor_name(&entry.actor), purpose(context));
        Some(format!(
            "{who} makes {} rolls{purpose}: {}{more}.",
            rolls.len(),
            shown.join(" | ")
        ))
    }
}

/// The rows that came, in the order in which they were rolled; a row may lead to others. The rolls,
/// and those of the rows' texts, are in the entry's `rolls`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableRollEvent {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    pub drawn: Vec<Drawn>,
}

/// A row that came.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drawn {
    pub table: String,
    /// Where the row is, `Night.md:12`; without a row, where the table is.
    pub place: String,
    /// The row's number or range; empty where the table has no row for the number.
    pub row: String,
    /// The row as it is written.
    pub text: String,
    /// The row with its dice carried out: "3 wolves" of "1d4 wolves".
    pub result: String,
    /// Its roll among the entry's, from 0.
    pub roll: usize,
}

impl Describe for TableRollEvent {
    fn description<'e>(&'e self, base: Description<'e>) -> Description<'e> {
        let rows = self
            .drawn
            .iter()
            .map(|drawn| ("table", drawn.result.as_str()));
        let texts = optional("context", &self.context)
            .into_iter()
            .chain(rows)
            .collect();
        Description {
            context: self.context.as_deref(),
            texts,
            ..base
        }
    }

    /// "GM rolls on Rumours: 1d6: \[3\] = 3 (Night.md:8): 3 wolves. On …". The place is the GM's.
    fn sentence(&self, entry: &Entry, audience: Audience, _: bool) -> Option<String> {
        let first = (
            format!("{} rolls on", actor_name(&entry.actor)),
            purpose(self.context.as_deref()),
        );
        let others = std::iter::repeat_with(|| ("On".to_owned(), String::new()));
        let rows = std::iter::once(first).chain(others).zip(&self.drawn).map(
            |((begins, context), drawn)| {
                let dice = entry
                    .rolls
                    .get(drawn.roll)
                    .map_or(String::new(), arithmetic);
                let place = if audience == Audience::Gm {
                    format!(" ({})", drawn.place)
                } else {
                    String::new()
                };
                format!(
                    "{begins} {}{context}: {dice}{place}: {}",
                    drawn.table,
                    as_sentence(&drawn.result)
                )
            },
        );
        Some(rows.collect::<Vec<String>>().join(" "))
    }

    fn outcome_sentence(&self, _: &Entry) -> String {
        let results: Vec<&str> = self
            .drawn
            .iter()
            .map(|drawn| drawn.result.as_str())
            .collect();
        as_sentence(&results.join("; "))
    }
}

fn plain_dice<'e>(
    inputs: &'e [String],
    context: Option<&'e str>,
    check: Option<u64>,
    base: Description<'e>,
) -> Description<'e> {
    let inputs = inputs.iter().map(|input| ("expression", input.as_str()));
    let texts = inputs
        .chain(context.map(|text| ("context", text)))
        .collect();
    // It is alone unless it is part of an attack.
    Description {
        context,
        texts,
        follows: check.into_iter().collect(),
        is_alone: check.is_none(),
        ..base
    }
}

fn purpose(context: Option<&str>) -> String {
    in_brackets(context.map(str::trim).filter(|context| !context.is_empty()))
}

fn roll_sentence(entry: &Entry, context: Option<&str>) -> String {
    let dice = entry.rolls.first().map_or("nothing".to_owned(), arithmetic);
    let purpose = purpose(context);
    let colon = if purpose.is_empty() { "" } else { ":" };
    format!("{} rolls{purpose}{colon} {dice}.", actor_name(&entry.actor))
}
