//! What only the GM reads: the odds of checks and what came. Hidden rolls are in the GM's hand.

use super::words::{number, percent};
use crate::report::document::{Bar, Chart, Kind};
use crate::report::document::{Block, Section, Table};
use crate::report::facts::Gathered;

/// Parts that chances are sorted into.
const PARTS: usize = 10;

pub fn section(gathered: &Gathered) -> Section {
    let mut parts = [(0_u64, 0_u64, 0.0_f64); PARTS];
    for (check, chance) in gathered.checks.all.iter().zip(&gathered.needed) {
        let (Some(chance), Some(margin)) = (chance, check.margin) else {
            continue;
        };
        // Seven tenths belong to what begins with them, whatever the last digit of the number says.
        let place = ((chance * PARTS as f64 + 1e-9) as usize).min(PARTS - 1);
        if let Some((tried, reached, expected)) = parts.get_mut(place) {
            *tried += 1;
            *reached += u64::from(margin >= 0);
            *expected += chance;
        }
    }
    let mut table = Table::of(
        "Checks by their chance, and what came of them",
        &["Chance", "Checks#", "Reached#", "Expected#", "Share#"],
    );
    let mut bars = Vec::new();
    for (place, (tried, reached, expected)) in parts
        .iter()
        .enumerate()
        .filter(|(_, (tried, ..))| *tried > 0)
    {
        let label = format!("{} to {} %", place * 100 / PARTS, (place + 1) * 100 / PARTS);
        let share = *reached as f64 / *tried as f64;
        bars.push(Bar {
            label: label.clone(),
            value: *reached as f64,
            expected: *expected,
        });
        table.rows.push(vec![
            label,
            tried.to_string(),
            reached.to_string(),
            number(*expected, 2),
            percent(share),
        ]);
    }
    let mut blocks = vec![Block::text(
        "Whether checks came out as their chances said. Hidden rolls, overrides and undos are listed in the section before.",
    )];
    match bars.is_empty() {
        true => blocks.push(Block::text("No check had a number to reach.")),
        false => {
            blocks.push(Block::Chart(Chart {
                title: "Odds against outcomes".to_owned(),
                summary: "A bar for each part of the chances: how many checks reached their target, with a mark at how many were expected \
                          to. The table below has the figures."
                    .to_owned(),
                kind: Kind::Bars(bars),
            }));
            blocks.push(Block::Table(table));
        }
    }
    Section {
        id: "odds",
        title: "Odds against outcomes",
        blocks,
    }
}
