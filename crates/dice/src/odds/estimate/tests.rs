//! What is refused beforehand, and what is not.

use super::*;
use crate::odds::budget::STEPS_MAX;
use crate::odds::tree;
use crate::parse;
use num_bigint::BigUint;

fn is_refused(text: &str) -> bool {
    check(parse(text).expect(text).request()).is_err()
}

/// Odds that would take too long are never begun.
#[test]
fn too_much_is_known_beforehand() {
    for text in [
        &["1d1000 * 1d1000 * 1d1000", "200d20kh100min5!", "1000d1000", "1000d1000kh999", "1000d6!o"][..],
        &["300d6!okh100", "20d20!pkh10", "100d100!!kh50", "500d100!kh250", "1000d6dl1dh1"],
        &["{9d100, 9d100, 9d100, 9d100, 9d100, 9d100}kh4", "1d1000 / 1d1000 + 1d1000 / 1d1000"],
        &["max(1d1000 * 1d1000, 1d1000 * 1d999)", "1d1000 * 1d1000 vs 1d1000 * 1d1000", "2d{1,1000000000}"],
        &["400d%b1", "300d%b1", "100d%b9", "50d%b9kh25", "10d4!pdl1", "12d6!pdl2", "30d6!pkh15", "1000d6kh999"],
        &["1000d6ro1", "1d1000 * 1d1000"],
        // Fractions of thousands of digits take longer to be written than to be found.
        &["repeat(5d10!!>5t10,100)", "repeat(5d4!!pmax3,100)", "repeat(3d6!!p>3t2,100)", "repeat(5d10!p>5t10,100)"],
        &["repeat(5d6!p>3t2 vs 15,100)", "repeat(3d10!!max9 vs 15,100)", "150d4!p>2t4", "400d4!!rr1kh1"],
        &["repeat(8d2!!pt2,40)"],
    ]
    .concat()
    {
        assert!(is_refused(text), "{text}");
    }
}

/// Work that is counted as it is done is not more than was estimated, but for how often numbers
/// turn out wider than half the widest.
#[test]
fn the_estimate_is_no_less_than_the_work() {
    for text in [
        &["10d%b1", "8d%b1kh4", "9d%p3", "4d6!pkh2", "4d4!pdl1", "10d6ro1", "20d6kh10", "6d6!okh3", "60d6kh59"][..],
        &["5d6!!kl2", "5d6!odl1dh1", "3d6!pdl1dh1", "9d6dl2dh3"],
    ]
    .concat()
    {
        let expression = parse(text).expect(text);
        let of = |budget: Budget| STEPS_MAX * 2 - budget.left();
        let mut estimated = Budget::new();
        let mut worked = Budget::new();
        assert!(node(&expression.request().check.node, &mut estimated).is_ok(), "{text}");
        let top = &expression.request().check.node;
        if tree::node::<u128>(top, &mut worked).is_err() {
            worked = Budget::new();
            assert!(tree::node::<BigUint>(top, &mut worked).is_ok(), "{text}");
        }
        let (estimated, worked) = (of(estimated), of(worked));
        assert!(worked <= estimated * 2, "{text}: {worked} steps, estimated {estimated}");
    }
}

/// The estimate may be high, but not so high that it refuses what takes no time.
#[test]
fn what_a_table_asks_for_is_not_too_much() {
    for text in [
        &["1000d6", "1000d20", "1000d20 + 5", "100d1000", "100d100", "1000dF", "1d500 * 1d1000", "20d%b1"][..],
        &["100d20kh50", "100d6!", "100d6!!", "40d6!o", "20d6!okh10", "6d6!pkh3", "200d6ro1"],
        &["{4d6, 3d8, 2d20}kh2", "max(10d10, 10d10, 10d10)", "abs(20d20 - 20d20)", "1d20 / 1d20 + 1d20 / 1d20"],
        &["repeat(10d6, 50)", "repeat(20d6! vs 80, 50)"],
    ]
    .concat()
    {
        assert!(!is_refused(text), "{text}");
    }
}
