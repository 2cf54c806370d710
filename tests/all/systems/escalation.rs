//! A bonus that grows with each round of a fight, to six.

use rollbook_rules::Outcome::{CriticalSuccess, Failure, PartialSuccess, Success};

use super::table::{Faces, Game, Says, says};

fn strike(values: &[i64], faces: &Faces<'_>) -> Says {
    let (might, escalation, difficulty) = (values[0], values[1], values[2]);
    let die = faces.die(20);
    let margin = die + might + escalation - difficulty;
    let told = if die == 20 || escalation == 6 && margin >= 10 {
        says(CriticalSuccess, "Felled", margin)
    } else if margin >= 0 {
        says(Success, "Hit", margin)
    } else if margin >= -escalation {
        says(PartialSuccess, "Pressed", margin)
    } else {
        says(Failure, "Miss", margin)
    };
    let flags = if escalation >= 3 && die >= 16 { vec!["surge"] } else { Vec::new() };
    Says { flags, ..told }
}

const GAME: Game<'_> = Game {
    rules: include_str!("escalation.md"),
    check: "Strike",
    varies: &[("MIG score", -1, 5), ("escalation", 0, 6), ("difficulty", 8, 24)],
    reference: strike,
};

#[test]
fn a_strike_in_a_later_round() {
    GAME.holds(&[
        ("{MIG} + {escalation}", "{MIG}"),
        ("{escalation} 3+", "{escalation} 2+"),
        ("{escalation} 6 and", "{escalation} 5+ and"),
        ("0 - {escalation}", "1 - {escalation}"),
        ("natural 20 or", "natural 19+ or"),
        ("natural 16+", "natural 17+"),
    ]);
}

#[test]
fn the_odds_with_escalation_are_those_of_twenty_faces() {
    for escalation in 0..=6 {
        let values = [2, escalation, 18];
        GAME.odds_are_those_of(&values, (1, 20));
    }
}
