//! Tables in a block: scores below their names, beside them, or several in a row.

use super::line::{read_scores, without_emphasis};
use super::number::first_number;
use crate::game::import::foe::Foe;
use crate::names::fold;
use crate::rules::System;

/// Column heads that are no notes.
const HEADS: [&str; 8] = ["", "score", "mod", "modifier", "save", "ability", "attribute", "bonus"];

/// The last row that may be a header.
#[derive(Default)]
pub struct Header(Vec<String>);

/// Reads a row, without its first `|`.
pub fn read_row(foe: &mut Foe, system: &System, header: &mut Header, row: &str) {
    let cells: Vec<String> = row.trim_end_matches('|').split('|').map(without_emphasis).collect();
    if cells.iter().all(|cell| cell.chars().all(|c| matches!(c, '-' | ':' | ' '))) {
        return;
    }
    let is_score = |name: &str| system.attribute(name).is_ok();
    let is_number = |cell: &str| first_number(cell).is_some();
    // STR | DEX in the row above.
    let below = header.0.len() == cells.len() && header.0.iter().any(|name| is_score(name));
    if below && cells.iter().any(|cell| is_number(cell)) && !cells.iter().any(|cell| is_score(cell)) {
        let pairs = header.0.iter().zip(&cells).filter(|(name, _)| is_score(name));
        return foe.scores.extend(pairs.filter_map(|(name, cell)| Some((name.clone(), first_number(cell)?))));
    }
    // Str | 14 | +2 | +2 | Dex | 15 | +2 | +2
    let beside: Vec<(String, i64)> = cells
        .iter()
        .zip(cells.iter().skip(1))
        .filter(|(name, _)| is_score(name))
        .filter_map(|(name, cell)| Some((name.clone(), first_number(cell)?)))
        .collect();
    if !beside.is_empty() {
        return foe.scores.extend(beside);
    }
    match cells.as_slice() {
        [name, value, ..] if system.skill(name).is_ok() && is_number(value) => {
            foe.bonuses.extend(first_number(value).map(|bonus| (name.clone(), bonus)));
        }
        // STR 16 (+3) | DEX 12 (+1)
        cells if read_scores(foe, system, &cells.join(", ")) => {}
        cells => {
            if !cells.iter().any(|cell| is_score(cell))
                && !cells.iter().all(|cell| HEADS.contains(&fold(cell).as_str()))
            {
                foe.words.push(cells.join(" | "));
            }
            header.0 = cells.to_vec();
        }
    }
}
