//! Runs: the longest, and the chance of one so long.

/// The length of the longest run of what is `wanted`, and where it begins.
pub fn longest(outcomes: &[bool], wanted: bool) -> (usize, usize) {
    let (mut best, mut begins, mut length) = (0, 0, 0);
    for (place, outcome) in outcomes.iter().enumerate() {
        length = if *outcome == wanted { length + 1 } else { 0 };
        if length > best {
            (best, begins) = (length, place + 1 - length);
        }
    }
    (best, begins)
}

/// The chance that among independent events with these chances, in order, some `length` in a row
/// happen. A run has `length + 1` lengths, the last of which stays; each event moves it on.
pub fn chance(chances: impl Iterator<Item = f64>, length: usize) -> f64 {
    if length == 0 {
        return 1.0;
    }
    let mut running = vec![0.0; length];
    let mut done = 0.0;
    if let Some(first) = running.first_mut() {
        *first = 1.0;
    }
    for chance in chances {
        let broken: f64 = running.iter().sum::<f64>() * (1.0 - chance);
        done += running.last().copied().unwrap_or(0.0) * chance;
        running.rotate_right(1);
        running.iter_mut().for_each(|part| *part *= chance);
        if let Some(first) = running.first_mut() {
            *first = broken;
        }
    }
    done
}

#[cfg(test)]
mod tests {
    use super::{chance, longest};

    #[test]
    fn a_run_has_the_chance_of_every_way_it_can_come() {
        let chances = [0.5, 0.2, 0.9, 0.35, 0.6, 0.05, 0.75, 1.0, 0.5];
        for length in 1..=chances.len() {
            let mut exact = 0.0;
            for way in 0..1_u32 << chances.len() {
                let outcomes: Vec<bool> = (0..chances.len())
                    .map(|place| way >> place & 1 == 1)
                    .collect();
                let each = chances.iter().zip(&outcomes);
                let chance_of_way: f64 = each
                    .map(|(chance, outcome)| if *outcome { *chance } else { 1.0 - chance })
                    .product();
                exact += if longest(&outcomes, true).0 >= length {
                    chance_of_way
                } else {
                    0.0
                };
            }
            let found = chance(chances.iter().copied(), length);
            assert!(
                (found - exact).abs() < 1e-12,
                "{length}: {found}, exactly {exact}"
            );
        }
        assert_eq!(chance(chances.iter().copied(), 0), 1.0);
        assert_eq!(chance(chances.iter().copied(), 10), 0.0);
    }

    #[test]
    fn the_first_of_two_runs_of_one_length_counts() {
        assert_eq!(longest(&[true, true, false, true, true], true), (2, 0));
        assert_eq!(longest(&[true, false, false, false], false), (3, 1));
        assert_eq!(longest(&[], true), (0, 0));
    }
}
