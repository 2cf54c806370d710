//! A duel of raises, as far as dice go: what was put forward is met with one die, with two or with more.

use rollbook_rules::Outcome::{CriticalSuccess, Failure, PartialSuccess, Success};

use super::table::{Faces, Game, Says, says};

fn reference(values: &[i64], faces: &Faces<'_>) -> Says {
    let groups: Vec<Vec<i64>> = [6, 8, 4].iter().zip(values).map(|(sides, count)| faces.dice(*count, *sides)).collect();
    let mut dice = groups.concat();
    dice.sort_unstable_by(|one, other| other.cmp(one));
    let (total, target) = (dice.iter().sum::<i64>(), values[3]);
    let (best, pair) = (dice[0], dice.iter().take(2).sum::<i64>());
    let margin = total - target;
    let told = match target {
        target if best >= target => says(CriticalSuccess, "Turned", margin),
        target if pair >= target => says(Success, "Met", margin),
        target if total >= target => says(PartialSuccess, "It hurts", margin),
        _ => says(Failure, "Give", margin),
    };
    let most = |group: usize| groups[group].iter().copied().max().unwrap_or(0);
    let flags = if most(2) >= most(1) { vec!["with ties"] } else { Vec::new() };
    Says { flags, values: vec![("best", best), ("pair", pair)], ..told }
}

#[test]
fn a_raise_is_seen() {
    let rules = include_str!("raises.md");
    let varies = [("heart", 1, 5), ("belongings", 0, 3), ("ties", 0, 3), ("difficulty", 2, 18)];
    Game { rules, check: "See", varies: &varies, reference }.holds(&[
        ("Value best: `highest`", "Value best: `natural`"),
        ("Value pair: `sum(highest 2)`", "Value pair: `2 * highest`"),
        ("| `total >= target` |", "| `total > target` |"),
        ("{best} >= target", "{best} > target"),
        ("ties highest >=", "ties highest >"),
    ]);
}
