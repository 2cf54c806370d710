//! Three dice under a skill with bands of criticals, as in games that have a rule for everything.

use rollbook_rules::Outcome::{CriticalFailure, CriticalSuccess, Failure, Success};

use super::table::{Faces, Game, Says, says};

fn reference(values: &[i64], faces: &Faces<'_>) -> Says {
    let skill = values[0] + values[1];
    let total: i64 = faces.dice(3, 6).iter().sum();
    let margin = skill - total;
    let critical = match skill {
        16.. => 6,
        15 => 5,
        _ => 4,
    };
    let fumble = total == 18 || (total == 17 && skill < 16) || total - skill >= 10;
    if total <= critical {
        says(CriticalSuccess, "Critical success", margin)
    } else if fumble {
        says(CriticalFailure, "Critical failure", margin)
    } else if margin >= 0 && total < 17 {
        says(Success, "Success", margin)
    } else {
        says(Failure, "Failure", margin)
    }
}

#[test]
fn a_success_roll() {
    let varies = [("skill", 3, 20), ("ease", -6, 4)];
    Game { rules: include_str!("three_d6.md"), check: "Success roll", varies: &varies, reference }.holds(&[
        ("total 6 and target 16+", "total 6 and target 15+"),
        ("target 15 or less", "target 14 or less"),
        ("margin -10 or less", "margin -11 or less"),
        ("| Failure | total 17 |\n", ""),
    ]);
}
