//! The chance that independent whole numbers add up to at least so much: sums of dice, and
//! successes of checks whose chances differ (the Poisson-binomial distribution).
//!
//! The sum of `n` bounded numbers has a distribution over `m` places, whose discrete Fourier
//! transform is the product of theirs: a tail is a sum over `m` frequencies (Y. Hong, On computing
//! the distribution function for the Poisson binomial distribution, Computational Statistics and
//! Data Analysis 59, 2013). Only rounding is lost, below 1e-9.

use std::f64::consts::PI;

#[derive(Debug, Clone, PartialEq)]
pub struct Alike {
    pub count: u64,
    pub each: Each,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Each {
    /// 0 to one less than this, each as likely: a die less one.
    Uniform(u32),
    /// 1 with this chance, else 0.
    Chance(f64),
    /// Each number with its share of the whole.
    Shares(Vec<(u32, f64)>),
}

/// Frequencies that are looked at; sums that need more are not worked out.
const FREQUENCIES_MAX: u64 = 20_000_000;
/// A product of so little changes no digit that is shown, however many of them there are.
const NOTHING: f64 = 1e-24;

/// The chance that they add up to at least `least`; `None` where that is too much work.
pub fn at_least(parts: &[Alike], least: u64) -> Option<f64> {
    let greatest: u64 = parts
        .iter()
        .map(|part| part.count.saturating_mul(part.each.greatest()))
        .sum();
    if least == 0 {
        return Some(1.0);
    }
    if least > greatest {
        return Some(0.0);
    }
    let places = greatest + 1;
    let steps: u64 = parts.iter().map(|part| part.each.steps()).sum();
    if !parts.iter().all(|part| part.each.falls()) && places.saturating_mul(steps) > FREQUENCIES_MAX
    {
        return None;
    }
    // The frequency 0 has all of the chance; the others come in pairs that are mirrored.
    let mut sum = (places - least) as f64;
    for nth in 1..=places / 2 {
        let turn = Turn { nth, places };
        let all = parts.iter().fold(Wave::UNIT, |all, part| {
            all.times(&part.each.wave(&turn, part.count))
        });
        if all.bound < NOTHING {
            break;
        }
        if nth > FREQUENCIES_MAX {
            return None;
        }
        // Of the sum of e^(-i angle k) over the tail's places k, with the wave.
        let half = turn.of(1, 2);
        let from_least = (all.angle + half - turn.of(least, 1)).sin() - (all.angle + half).sin();
        let pair = if nth * 2 == places { 1.0 } else { 2.0 };
        sum += pair * all.size * from_least / (2.0 * half.sin());
    }
    Some((sum / places as f64).clamp(0.0, 1.0))
}

struct Wave {
    size: f64,
    angle: f64,
    /// The size is not above it here, nor at any later frequency.
    bound: f64,
}

impl Wave {
    const UNIT: Wave = Wave {
        size: 1.0,
        angle: 0.0,
        bound: 1.0,
    };

    fn times(self, other: &Wave) -> Wave {
        Wave {
            size: self.size * other.size,
            angle: self.angle + other.angle,
            bound: self.bound * other.bound,
        }
    }
}

/// A frequency: `nth` of `places` parts of a whole turn.
struct Turn {
    nth: u64,
    places: u64,
}

impl Turn {
    /// The angle of `times / parts` of it, below a few turns while it is still whole numbers.
    fn of(&self, times: u64, parts: u64) -> f64 {
        let whole = u128::from(self.places) * u128::from(parts);
        let part = u128::from(self.nth) * u128::from(times) % whole;
        2.0 * PI * (part as f64) / (whole as f64)
    }
}

impl Each {
    fn greatest(&self) -> u64 {
        match self {
            Each::Uniform(sides) => u64::from(sides.saturating_sub(1)),
            Each::Chance(_) => 1,
            Each::Shares(shares) => shares
                .iter()
                .map(|(value, _)| u64::from(*value))
                .max()
                .unwrap_or(0),
        }
    }

    fn steps(&self) -> u64 {
        match self {
            Each::Uniform(_) | Each::Chance(_) => 1,
            Each::Shares(shares) => shares.len() as u64,
        }
    }

    /// Whether its size has a bound that falls along the frequencies: then nothing stays nothing.
    fn falls(&self) -> bool {
        match self {
            Each::Uniform(_) | Each::Chance(_) => true,
            Each::Shares(_) => false,
        }
    }

    fn wave(&self, turn: &Turn, count: u64) -> Wave {
        let times = count as f64;
        match self {
            Each::Uniform(sides) => {
                let (many, half) = (f64::from(*sides), turn.of(1, 2).sin());
                let signed = turn.of(u64::from(*sides), 2).sin() / (many * half);
                // Below 0 is half a turn more for each.
                let more = if signed < 0.0 && count % 2 == 1 {
                    PI
                } else {
                    0.0
                };
                Wave {
                    size: signed.abs().powf(times),
                    angle: turn.of(u64::from(sides.saturating_sub(1)).saturating_mul(count), 2)
                        + more,
                    bound: (1.0 / (many * half)).min(1.0).powf(times),
                }
            }
            Each::Chance(chance) => {
                let angle = turn.of(1, 1);
                let (real, imaginary) = (1.0 - chance + chance * angle.cos(), chance * angle.sin());
                let size = real.hypot(imaginary).powf(times);
                Wave {
                    size,
                    angle: imaginary.atan2(real) * times,
                    bound: size,
                }
            }
            Each::Shares(shares) => {
                let part = |(value, share): &(u32, f64)| {
                    let angle = turn.of(u64::from(*value), 1);
                    (share * angle.cos(), share * angle.sin())
                };
                let (real, imaginary) = shares
                    .iter()
                    .map(part)
                    .fold((0.0, 0.0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
                Wave {
                    size: f64::hypot(real, imaginary).powf(times),
                    angle: imaginary.atan2(real) * times,
                    bound: 1.0,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Alike, Each, at_least};
    use rollbook_dice::parse;

    fn alike(count: u64, each: Each) -> Alike {
        Alike { count, each }
    }

    /// Every way that these chances can turn out, one by one.
    fn enumerated(chances: &[f64], least: u32) -> f64 {
        let ways = 0..1_u32 << chances.len();
        let way = |way: u32| -> f64 {
            let each = chances.iter().enumerate();
            each.map(|(place, chance)| {
                if way >> place & 1 == 1 {
                    *chance
                } else {
                    1.0 - chance
                }
            })
            .product()
        };
        ways.filter(|way| way.count_ones() >= least).map(way).sum()
    }

    #[test]
    fn sums_of_dice_have_the_odds_that_big_integers_give() {
        for (count, sides) in [
            (1, 2),
            (1, 20),
            (2, 6),
            (5, 4),
            (30, 20),
            (31, 2),
            (100, 6),
            (400, 3),
            (500, 10),
        ] {
            let odds = parse(&format!("{count}d{sides}"))
                .unwrap()
                .odds()
                .unwrap()
                .totals;
            let (low, high) = (odds.min().unwrap(), odds.max().unwrap());
            let step = ((high - low) / 40).max(1);
            let mut total = low;
            while total <= high {
                let found =
                    at_least(&[alike(count, Each::Uniform(sides))], (total - low) as u64).unwrap();
                let exact = odds.at_least(total).to_f64();
                assert!(
                    (found - exact).abs() < 1e-10,
                    "{count}d{sides} >= {total}: {found}, exactly {exact}"
                );
                total += step;
            }
        }
    }

    #[test]
    fn successes_have_the_odds_of_every_way_they_can_turn_out() {
        let chances = [
            0.05,
            0.5,
            0.95,
            1.0,
            0.0,
            0.35,
            0.35,
            0.35,
            0.65,
            1.0 / 3.0,
            0.8,
        ];
        let parts: Vec<Alike> = chances
            .iter()
            .map(|chance| alike(1, Each::Chance(*chance)))
            .collect();
        for least in 0..=12 {
            let (found, exact) = (
                at_least(&parts, u64::from(least)).unwrap(),
                enumerated(&chances, least),
            );
            assert!(
                (found - exact).abs() < 1e-12,
                "{least}: {found}, exactly {exact}"
            );
        }
    }

    #[test]
    fn dice_with_faces_of_their_own_and_mixed_sums_are_exact() {
        // dF.1 plus 1: 0, 1, 1, 1, 1, 2.
        let fate = Each::Shares(vec![(0, 1.0 / 6.0), (1, 4.0 / 6.0), (2, 1.0 / 6.0)]);
        let odds = parse("7dF.1").unwrap().odds().unwrap().totals;
        for total in -7..=7 {
            let found = at_least(&[alike(7, fate.clone())], (total + 7) as u64).unwrap();
            assert!(
                (found - odds.at_least(total).to_f64()).abs() < 1e-12,
                "{total}"
            );
        }
        // Only even sums: the transform comes back at half a turn.
        let even = Each::Shares(vec![(0, 0.5), (2, 0.5)]);
        let found = at_least(&[alike(3, even)], 3).unwrap();
        assert!((found - 0.5).abs() < 1e-12, "{found}");
        let both = [alike(2, Each::Uniform(6)), alike(1, Each::Chance(0.25))];
        // 2d6 of 12, or 11 and the other: 1/36 + 2/36 * 1/4.
        assert!((at_least(&both, 10).unwrap() - (1.0 + 0.5) / 36.0).abs() < 1e-12);
    }

    #[test]
    fn very_many_dice_are_no_more_work_and_lie_about_their_mean() {
        let parts = [alike(200_000, Each::Uniform(20))];
        let mean = 200_000 * 19 / 2;
        let half = at_least(&parts, mean).unwrap();
        assert!((half - 0.5).abs() < 2e-4, "{half}");
        // Two deviations of 5.766 times the root of 200,000.
        let two = at_least(&parts, mean + 5157).unwrap();
        assert!((two - 0.02275).abs() < 1e-4, "{two}");
    }
}
