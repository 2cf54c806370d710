//! The odds of an expression: every total, and the chance of those asked for.

use schemars::JsonSchema;
use serde::Serialize;

use super::params::Params;
use crate::tools::schema::Object;
use rollbook_dice::odds::{Distribution, Ratio};
use rollbook_game::decide::odds::chances_of_symbols;
use rollbook_game::mechanics::values::dice_refusal;
use rollbook_game::refusal::Refusal;
use rollbook_rules::NamedDice;

/// Characters of the exact share that is cut off; of a longer one only the size is shown.
pub(super) const CUT_OFF_MAX: usize = 400;
/// Characters of a fraction that a person can read.
const FRACTION_MAX: usize = 40;
/// Totals listed one by one; beyond that in ranges.
const LISTED_MAX: usize = 60;

/// Exact fractions as text, percentages beside them.
#[derive(Serialize, JsonSchema)]
pub struct Reply {
    expression: String,
    mean: String,
    min: i64,
    max: i64,
    /// {asked, fraction, percent}; the expression's own test, too
    #[schemars(with = "Vec<Object>")]
    chances: Vec<Chance>,
    /// {total, to, percent, fraction}; a long list in ranges, without unlikely ends
    #[schemars(with = "Vec<Object>")]
    totals: Vec<Total>,
    // How many totals are possible.
    possible: u64,
    /// What of endless explosions is not followed.
    #[serde(skip_serializing_if = "Option::is_none")]
    cut_off: Option<String>,
}

#[derive(Serialize)]
struct Chance {
    asked: String,
    percent: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    fraction: Option<String>,
}

#[derive(Serialize)]
struct Total {
    total: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<i64>,
    percent: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    fraction: Option<String>,
}

pub(super) fn odds(expression: &str, names: &NamedDice, params: &Params) -> Result<Reply, Refusal> {
    let refused = |error: rollbook_dice::DiceError| dice_refusal(&error);
    let written = names.in_notation(expression);
    let expression =
        rollbook_dice::read(written.as_deref().unwrap_or(expression)).map_err(refused)?;
    let odds = expression.odds().map_err(refused)?;
    let totals = &odds.totals;
    let mut chances = Vec::new();
    let mut chance = |asked: String, ratio: &Ratio| {
        chances.push(Chance {
            asked,
            percent: ratio.percent_bounded(4, &totals.cut()),
            fraction: fraction(ratio),
        });
    };
    if let Some(n) = params.at_least {
        chance(format!("at least {n}"), &totals.at_least(n));
    }
    if let Some(n) = params.at_most {
        chance(format!("at most {n}"), &totals.at_most(n));
    }
    if let Some(n) = params.exactly {
        chance(format!("exactly {n}"), &totals.exactly(n));
    }
    if let Some(success) = &odds.success {
        chance("the expression's own test".to_owned(), success);
    }
    for (band, ratio) in &odds.bands {
        chance(band.to_string(), ratio);
    }
    let symbols = chances_of_symbols(&expression, names)?;
    for symbol in symbols.iter().flat_map(|found| &found.values) {
        symbol
            .chances
            .iter()
            .for_each(|(number, ratio)| chance(format!("{number} {}", symbol.name), ratio));
    }
    let cut = totals.cut();
    Ok(Reply {
        expression: expression.to_string(),
        mean: totals.mean().to_decimal(4),
        min: totals.min().unwrap_or(0),
        max: totals.max().unwrap_or(0),
        chances,
        totals: listed(totals),
        possible: totals.len() as u64,
        cut_off: (!cut.is_zero()).then(|| cut.with_size(CUT_OFF_MAX)),
    })
}

pub(super) fn summary(reply: &Reply) -> String {
    let chances: Vec<String> = reply
        .chances
        .iter()
        .map(|chance| format!("{} {} %", chance.asked, chance.percent))
        .collect();
    let chances = if chances.is_empty() {
        String::new()
    } else {
        format!(": {}", chances.join(", "))
    };
    let (first, last) = (
        reply.totals.first(),
        reply.totals.last().map(|row| row.to.unwrap_or(row.total)),
    );
    let left_out = match (
        first
            .map(|row| row.total)
            .filter(|first| *first > reply.min),
        last.filter(|last| *last < reply.max),
    ) {
        (None, None) => String::new(),
        (Some(first), None) => format!(" Totals below {first} are too unlikely to be listed."),
        (None, Some(last)) => format!(" Totals above {last} are too unlikely to be listed."),
        (Some(first), Some(last)) => {
            format!(" Totals below {first} and above {last} are too unlikely to be listed.")
        }
    };
    let expression = rollbook_dice::brief(&reply.expression);
    format!(
        "{expression}{chances}; mean {}, from {} to {}.{left_out}",
        reply.mean, reply.min, reply.max
    )
}

fn listed(totals: &Distribution) -> Vec<Total> {
    let cut = totals.cut();
    let rows = totals.ranges(LISTED_MAX).rows.into_iter();
    rows.map(|row| Total {
        total: row.first,
        to: (row.last > row.first).then_some(row.last),
        percent: row.chance.percent_bounded(4, &cut),
        fraction: fraction(&row.chance),
    })
    .collect()
}

/// The fraction where a person can read it.
pub(super) fn fraction(ratio: &Ratio) -> Option<String> {
    ratio.short(FRACTION_MAX)
}
