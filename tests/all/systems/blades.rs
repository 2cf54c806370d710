//! Pools of six-sided dice of which the highest counts, as in games forged in the dark.

use rollbook_rules::Outcome::{CriticalSuccess, Failure, PartialSuccess, Success};

use super::table::{Faces, Game, Says, says};

fn reference(values: &[i64], faces: &Faces<'_>) -> Says {
    let rating = values[0];
    let best = match rating {
        ..=0 => faces.dice(2, 6).into_iter().min(),
        _ => {
            let pool = faces.dice(rating, 6);
            if pool.iter().filter(|face| **face == 6).count() > 1 {
                return says(CriticalSuccess, "Critical", None);
            }
            pool.into_iter().max()
        }
    };
    match best {
        Some(6) => says(Success, "Full success", None),
        Some(4 | 5) => says(PartialSuccess, "Success with consequences", None),
        _ => says(Failure, "Bad outcome", None),
    }
}

const RULES: &str = include_str!("../../../crates/rules/src/tests/systems/blades.md");

/// What it costs to resist: six less the highest.
fn resistance(values: &[i64], faces: &Faces<'_>) -> Says {
    let rating = values[0];
    let dice = faces.dice(if rating > 0 { rating } else { 2 }, 6);
    let best = if rating > 0 { dice.iter().max() } else { dice.iter().min() }.copied().unwrap_or(0);
    let eased = rating > 0 && dice.iter().filter(|face| **face == 6).count() > 1;
    let told = if eased { says(CriticalSuccess, "Eased", None) } else { says(Success, "Resisted", None) };
    Says { values: vec![("price", 6 - best)], ..told }
}

#[test]
fn a_resistance_roll() {
    Game { rules: RULES, check: "Resistance", varies: &[("rating", -1, 6)], reference: resistance }.holds(&[
        ("`6 - highest`", "`6 - 1s`"),
        ("`6 - highest`", "`5 - highest`"),
        ("| Eased (critical success) | 6s 2+ and pool 1+", "| Eased (critical success) | 6s 2+"),
    ]);
}

#[test]
fn an_action_roll() {
    Game { rules: RULES, check: "Action roll", varies: &[("rating", -1, 6)], reference }.holds(&[
        ("6s 2+ and pool 1+", "6s 2+"),
        ("6s 2+", "6s 3+"),
        ("highest 4-5", "highest 3-5"),
        ("2d6kl1", "2d6kh1"),
    ]);
}
