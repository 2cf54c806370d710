//! Every die of the classic set on the operating system's roller, by a chi-square test of its
//! faces.
//!
//! All tests of this file together raise a false alarm in one run of a million: each critical value
//! is the upper 1e-6 / 10 point of the chi-square distribution with one degree of freedom less than
//! the die has faces, worked out by bisection of the regularised incomplete gamma function (Press
//! et al., Numerical Recipes, 6.2) and rounded up.

use rollbook_dice::{OsRoller, Roller, parse};

/// Faces, and the value that a fair die's statistic passes once in ten million runs.
const DICE: [(i64, f64); 7] = [
    (4, 35.41),
    (6, 40.87),
    (8, 45.70),
    (10, 50.18),
    (12, 54.40),
    (20, 69.79),
    (100, 190.24),
];
/// The same for the three faces of a Fate die.
const FATE: f64 = 32.24;
const DRAWS: usize = 100_000;

/// The sum of squared surprises.
fn chi_square(counts: &[usize]) -> f64 {
    let draws: usize = counts.iter().sum();
    let expected = draws as f64 / counts.len() as f64;
    counts
        .iter()
        .map(|count| (*count as f64 - expected).powi(2) / expected)
        .sum()
}

#[test]
fn every_classic_die_is_fair() {
    let mut roller = OsRoller::new();
    for (sides, critical) in DICE {
        let mut counts = vec![0; usize::try_from(sides).expect("a few")];
        for _ in 0..DRAWS {
            let face = roller.draw(1, sides).expect("a face");
            counts[usize::try_from(face - 1).expect("from 1")] += 1;
        }
        let statistic = chi_square(&counts);
        assert!(statistic < critical, "d{sides}: {statistic} in {counts:?}");
    }
}

#[test]
fn what_is_rolled_is_what_was_drawn() {
    // The same through the notation, where a face could be lost or doubled on its way to the total.
    let mut roller = OsRoller::new();
    for (notation, low, faces, critical) in [
        ("d20", 1, 20, 69.79),
        ("1dF", -1, 3, FATE),
        ("d%", 1, 100, 190.24),
    ] {
        let expression = parse(notation).expect("notation");
        let mut counts = vec![0; faces];
        for _ in 0..DRAWS / 10 {
            let total = expression.roll(&mut roller).expect("a roll").total;
            counts[usize::try_from(total - low).expect("from the lowest")] += 1;
        }
        let statistic = chi_square(&counts);
        assert!(
            statistic < critical,
            "{notation}: {statistic} in {counts:?}"
        );
    }
}

#[test]
fn the_test_itself_finds_a_die_that_is_slightly_off() {
    // A byte's remainder, as a careless program takes it: 256 is no multiple of 20, so sixteen
    // faces come up 13 times in 256 and four only 12 times.
    let mut roller = OsRoller::new();
    let mut counts = vec![0; 20];
    // Four times as many: with these the statistic is 410 on average and strays by 40, so that it
    // misses 70 never.
    for _ in 0..4 * DRAWS {
        counts[usize::try_from(roller.draw(0, 255).expect("a byte") % 20).expect("small")] += 1;
    }
    assert!(chi_square(&counts) > 69.79, "{counts:?}");
}

#[test]
fn two_rollers_and_two_draws_are_not_the_same() {
    let (mut one, mut other) = (OsRoller::new(), OsRoller::new());
    let row = |roller: &mut OsRoller| {
        (0..64)
            .map(|_| roller.draw(1, 100).expect("a face"))
            .collect::<Vec<_>>()
    };
    let rows = [row(&mut one), row(&mut one), row(&mut other)];
    assert!(rows[0] != rows[1] && rows[0] != rows[2] && rows[1] != rows[2]);
}
