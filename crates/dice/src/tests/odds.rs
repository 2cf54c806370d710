//! Exact odds: known values, closed forms, and every roll there is.

use crate::odds::{Distribution, Odds};
use crate::tests::generate::small_request;
use crate::tests::{assert_odds, every_roll};
use crate::{Code, OsRoller, parse};
use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, proptest};
use std::collections::BTreeMap;

fn odds(text: &str) -> Odds {
    let expression = parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    expression
        .odds()
        .unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

fn totals(text: &str) -> Distribution {
    odds(text).totals
}

#[test]
fn known_values() {
    let stats = totals("4d6kh3");
    assert_eq!(stats.mean().to_string(), "15869/1296");
    assert_eq!(stats.exactly(18).to_string(), "7/432");
    assert_eq!(totals("2d20kh1").at_least(11).to_string(), "3/4");
    assert_eq!(totals("4dF").at_least(1).to_string(), "31/81");
    assert_eq!(totals("2d6").exactly(7).to_string(), "1/6");
    assert_eq!(totals("1d20+5").at_least(15).to_string(), "11/20");
    assert_eq!(odds("1d20+5 vs 15").success.unwrap().to_string(), "11/20");
    assert_eq!(
        odds("2d6 bands 7, 10")
            .bands
            .iter()
            .map(|(band, chance)| format!("{band}: {chance}"))
            .collect::<Vec<_>>(),
        ["below 7: 5/12", "7 to 9: 5/12", "10 or more: 1/6"]
    );
    assert_eq!(totals("4dF.1").exactly(4).to_string(), "1/1296");
    assert_eq!(totals("repeat(1d6, 3)").exactly(18).to_string(), "1/216");
    assert_eq!(totals("1d6rr1").exactly(2).to_string(), "1/5");
    assert_eq!(totals("1d6ro1").exactly(2).to_string(), "7/36");
    assert_eq!(totals("1d6ro1").exactly(1).to_string(), "1/36");
    assert_eq!(totals("d%b1").at_most(10).to_string(), "19/100");
    assert_eq!(totals("max(1d6, 1d6)").exactly(6).to_string(), "11/36");
    assert_eq!(totals("5").exactly(5).to_string(), "1");
    assert_eq!(totals("1d6/4").exactly(0).to_string(), "1/2");
}

/// Many dice by their recurrence and few by adding one after the other are the same sums.
#[test]
fn many_dice_are_the_sum_of_fewer() {
    for faces in [3, 4, 6, 7, 20, 100] {
        for count in [8, 9, 12, 15, 40] {
            // A function is a term by itself, so that the two are added up one after the other.
            let added = totals(&format!(
                "max(7d{faces}, 0) + max({}d{faces}, 0)",
                count - 7
            ));
            assert_eq!(
                totals(&format!("{count}d{faces}")),
                added,
                "{count}d{faces}"
            );
        }
    }
}

#[test]
fn terms_of_many_dice_are_added_up_together_as_one_after_the_other() {
    for [together, apart] in [
        ["9d6 + 12d8", "9d6 + max(12d8, 0)"],
        ["3d4 + 5d6 + 7d10", "max(3d4, 0) + max(5d6, 0) + 7d10"],
        ["9d6 - 12d8[blue] + 3", "9d6 - max(12d8, 0) + 3"],
        ["5d6 + 5d6 - 5d6", "max(5d6, 0) + max(5d6, 0) - 5d6"],
        ["4dF + 6d2 + 1d20", "4dF + max(6d2, 0) + 1d20"],
        [
            "2d4 + 2d6 + 2d8 + 2d10 + 2d12",
            "max(2d4, 0) + max(2d6, 0) + max(2d8, 0) + max(2d10, 0) + 2d12",
        ],
        ["60d6 + 40d20", "60d6 + max(40d20, 0)"],
    ] {
        assert_eq!(totals(together), totals(apart), "{together}");
    }
}

#[test]
fn great_heaps_of_dice_have_exact_odds() {
    for (text, middle) in [
        ("1000d6", 3500),
        ("1000d20", 10_500),
        ("100d1000", 50_050),
        ("1000d20 + 5", 10_505),
        ("500d6 + 500d8", 4000),
        ("500d6 - 500d8", -500),
        ("10 * 1000d6", 35_000),
    ] {
        let totals = totals(text);
        assert_eq!(totals.mean().to_string(), middle.to_string(), "{text}");
        assert!(totals.cut().is_zero(), "all ways are there");
        assert_eq!(
            totals.at_least(middle).to_f64(),
            totals.at_most(middle).to_f64(),
            "{text} is even"
        );
    }
    let error = parse("1000d1000").unwrap().odds().unwrap_err();
    assert_eq!(error.code, Code::LimitExceeded);
}

/// Mean, and chance of at least a total, from an independent implementation: icepool 2.1.3.
#[test]
fn large_cases_agree_with_an_independent_implementation() {
    let values = [
        ("20d6kh10", 49.007952500824054, 55, 0.09124139072429913),
        ("100d20kh50", 772.1080858085812, 800, 0.2006299205067121),
        ("100d20kl30", 107.49587453486025, 100, 0.6668007404943199),
        ("50d10dl5dh5", 220.0, 230, 0.3116715169726533),
        ("12d8kh5", 33.14423812169116, 36, 0.282712184562115),
        ("30d12", 195.0, 200, 0.4063909782439756),
        ("10d10ro1kh4", 33.64388559826829, 36, 0.3406029376215977),
    ];
    for (text, mean, total, chance) in values {
        let odds = totals(text);
        assert!((odds.mean().to_f64() - mean).abs() < 1e-10, "{text}");
        assert!(
            (odds.at_least(total).to_f64() - chance).abs() < 1e-12,
            "{text}"
        );
    }
}

#[test]
fn explosions_agree_with_their_closed_form() {
    // Each die of n sides is worth (n + 1) / 2 and, exploding on its highest face, n / (n - 1)
    // times as much.
    for (text, mean) in [
        ("1d6!", 4.2),
        ("1d6!!", 4.2),
        ("10d6!", 42.0),
        ("10d6!!", 42.0),
        ("1d4!", 2.5 * 4.0 / 3.0),
        ("1d2!", 3.0),
        ("1d6!o", 3.5 + 3.5 / 6.0),
        ("1d6!p", 4.2 - 0.2),
        ("1d6!!p", 4.2 - 0.2),
        ("3d6!>=5", 3.0 * 3.5 * 1.5),
        (
            "2d6ro1!",
            2.0 * (21.0 / 6.0 + 2.5 / 6.0) / (1.0 - 7.0 / 36.0),
        ),
        ("5d10!t8", 5.0 * 0.3 / 0.9),
        (
            "4d6!pt3",
            4.0 * (4.0 / 6.0 + (1.0 / 6.0) / (5.0 / 6.0) * (3.0 / 6.0)),
        ),
    ] {
        let odds = totals(text);
        assert!(
            (odds.mean().to_f64() - mean).abs() < 1e-12,
            "{text}: {}",
            odds.mean().to_f64()
        );
        let cut = odds.cut();
        assert!(
            text.ends_with("!o") || (!cut.is_zero() && cut.to_f64() < 2_f64.powi(-64)),
            "{text}: {cut}"
        );
    }
    // Six explosions of one die: 1/6^6 * 5/6, exactly.
    assert_eq!(totals("1d6!").exactly(37).to_string(), "1/279936");
    assert_eq!(totals("2d6").cut().to_string(), "0");
}

#[test]
fn kept_dice_mirror_each_other() {
    // The highest of dice mirror the lowest: s -> k * 7 - s.
    for (high, low, kept) in [
        ("4d6kh3", "4d6kl3", 3),
        ("7d6kh2", "7d6kl2", 2),
        ("6d6dl2", "6d6dh2", 4),
    ] {
        let (high, low) = (totals(high), totals(low));
        for (total, chance) in high.outcomes() {
            assert_eq!(low.exactly(kept * 7 - total), chance);
        }
    }
}

/// Once moved up by the negative faces of the dice that were dropped.
#[test]
fn the_middle_of_negative_faces_is_where_it_belongs() {
    let median = totals("3dFdl1dh1");
    let chances: Vec<String> = median
        .outcomes()
        .map(|(total, chance)| format!("{total}: {chance}"))
        .collect();
    assert_eq!(chances, ["-1: 7/27", "0: 13/27", "1: 7/27"]);
    for (text, mirror) in [
        ("5d{-2,0,3}dl1dh1", "5d{2,0,-3}dl1dh1"),
        ("4d{-5,-4,-1}dl2dh1", "4d{5,4,1}dl1dh2"),
    ] {
        let mirror = totals(mirror);
        for (total, chance) in totals(text).outcomes() {
            assert_eq!(mirror.exactly(-total), chance, "{text} {total}");
        }
    }
}

/// What a die becomes decides which ranks the others have, at both ends.
#[test]
fn both_ends_of_exploding_dice_may_be_dropped() {
    for text in [
        "3d6!odl1dh1",
        "4d4!odl1dh2",
        "3d{-1,2,2,5}!odl1dh1",
        "3d4!pdl1dh1",
        "3d4!dl1dh1",
        "3d4!odl1dh1t3",
    ] {
        let expression = parse(text).unwrap();
        let mut by_total: BTreeMap<i64, f64> = BTreeMap::new();
        let cut = every_roll(&expression, 14, 2_000_000, &mut |roll, chance| {
            *by_total.entry(roll.total).or_default() += chance;
        })
        .unwrap();
        assert!(cut < 1e-4, "{text}: {cut}");
        assert_odds(&expression, &by_total, cut);
    }
    let once = totals("3d6!odl1dh1");
    let chances: Vec<String> = once
        .outcomes()
        .take(2)
        .map(|(total, chance)| format!("{total}: {chance}"))
        .collect();
    assert_eq!(chances, ["1: 13/216", "2: 7/48"]);
}

/// Once the chances of the sum of three totals, which nobody asks for.
#[test]
fn repeated_checks_are_counted() {
    let odds = parse("repeat(1d20+5 vs 16, 3)").unwrap().odds().unwrap();
    assert_eq!(odds.success.unwrap().to_string(), "1/2");
    let each: Vec<String> = odds
        .totals
        .outcomes()
        .map(|(total, chance)| format!("{total}: {chance}"))
        .collect();
    assert_eq!(each, ["0: 1/8", "1: 3/8", "2: 3/8", "3: 1/8"]);
    assert_eq!(
        totals("repeat(1d4 vs 1, 3)")
            .outcomes()
            .map(|(total, _)| total)
            .collect::<Vec<_>>(),
        [3]
    );
    assert_eq!(totals("repeat(10d6! vs 40, 100)").max(), Some(100));
}

#[test]
fn a_long_distribution_is_shown_in_ranges() {
    let rows = |text: &str| {
        let shown = totals(text).ranges(60);
        let rows: Vec<(i64, i64)> = shown.rows.iter().map(|row| (row.first, row.last)).collect();
        (rows, shown.below, shown.above)
    };
    assert_eq!(
        rows("1d6"),
        ((1..=6).map(|total| (total, total)).collect(), 0, 0)
    );
    let (flat, below, above) = rows("1d1000");
    assert_eq!(
        (flat.len(), flat[0], flat[39], below, above),
        (50, (1, 20), (781, 800), 0, 0)
    );
    let (bell, below, above) = rows("100d6");
    assert_eq!(
        (bell[0], bell[1], below, above),
        ((275, 279), (280, 284), 175, 175)
    );
    assert!(bell.len() <= 60);
    // No line of nothing, and nothing is lost but the tails.
    for text in [
        "3d6!",
        "1d1000 * 1d20",
        "20d6kh10",
        "1d{1,1000000}",
        "repeat(1d20 vs 11, 100)",
    ] {
        let distribution = totals(text);
        let shown = distribution.ranges(60);
        assert!(shown.rows.len() <= 60, "{text}");
        let sum: f64 = shown.rows.iter().map(|row| row.chance.to_f64()).sum();
        assert!(sum > 1.0 - 2e-5, "{text}: {sum}");
        assert!(
            shown
                .rows
                .windows(2)
                .all(|pair| pair[0].last < pair[1].first),
            "{text}"
        );
    }
}

#[test]
fn what_can_happen_is_never_shown_as_nothing_and_what_can_fail_never_as_certain() {
    let odds = totals("20d6");
    let none = odds.cut();
    assert_eq!(odds.exactly(120).percent_bounded(3, &none), "<0.001");
    assert_eq!(odds.at_least(21).percent_bounded(4, &none), ">99.9999");
    assert_eq!(odds.at_least(20).percent_bounded(4, &none), "100.0000");
    assert_eq!(odds.exactly(121).percent_bounded(3, &none), "0.000");
    assert_eq!(odds.at_least(70).percent_bounded(1, &none), "52.6");
    // What is cut off is not missing.
    let open = totals("1d6!");
    assert_eq!(open.at_least(1).percent_bounded(3, &open.cut()), "100.000");
    assert_eq!(open.at_least(2).percent_bounded(3, &open.cut()), "83.333");
}

#[test]
fn what_would_take_too_long_is_refused() {
    for text in [
        "1000d1000",
        "1d1000 * 1d1000 * 1d999 * 1d998",
        "500d100!kh250",
        "{9d100, 9d100, 9d100, 9d100, 9d100, 9d100}kh4",
        "20d6!pdl1dh1",
        "2d{1,1000000000}",
    ] {
        let error = parse(text).unwrap().odds().unwrap_err();
        assert_eq!(error.code, Code::LimitExceeded, "{text}");
        assert_eq!(
            error.span,
            0..parse(text).unwrap().as_str().len(),
            "{text}: it is the whole"
        );
        assert!(parse(&error.example).is_ok());
    }
}

#[test]
fn chances_add_up() {
    for text in [
        &[
            "20d6kh10",
            "100d6!",
            "5d10t8f1ds10",
            "{4d6, 3d8}kh1",
            "floor(2d6 * 1.5) - 1d4",
            "10d10kh3!",
        ][..],
        &["4d6!pkh3", "3d6!!kl2", "5d6!okh2", "6d6!>=5kh3"],
    ]
    .concat()
    {
        let odds = totals(text);
        let sum: f64 = odds.outcomes().map(|(_, chance)| chance.to_f64()).sum();
        assert!(
            (sum + odds.cut().to_f64() - 1.0).abs() < 1e-12,
            "{text}: {sum}"
        );
        assert!(odds.cut().to_f64() < 2_f64.powi(-64), "{text}");
    }
}

#[test]
fn a_ratio_is_shown_as_a_person_reads_it() {
    let half = totals("1d20").at_least(11);
    assert_eq!(
        (
            half.percent(2).as_str(),
            half.to_decimal(3).as_str(),
            half.to_f64()
        ),
        ("50.00", "0.500", 0.5)
    );
    assert_eq!(totals("1d6 - 3").mean().to_string(), "1/2");
    assert_eq!(totals("1d6 - 4").mean().to_string(), "-1/2");
    assert_eq!(totals("1d6 - 4").mean().to_decimal(0), "-1");
    assert_eq!(totals("1d3").at_least(2).percent(1), "66.7");
    let tiny = totals("300d6").exactly(1800);
    assert!((tiny.to_f64().log10() + 300.0 * 6_f64.log10()).abs() < 1e-9);
    let stats = totals("4d6kh3");
    assert_eq!((stats.min(), stats.max()), (Some(3), Some(18)));
    assert!((stats.deviation() - 2.846844).abs() < 1e-6);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn odds_are_those_of_every_roll(text in small_request()) {
        let Ok(expression) = parse(&text) else { return Ok(()) };
        let mut by_total: BTreeMap<i64, f64> = BTreeMap::new();
        let mut passed = 0.0;
        let cut = every_roll(&expression, 7, 30_000, &mut |roll, chance| {
            *by_total.entry(roll.total).or_default() += chance;
            if roll.verdict.as_ref().is_some_and(|verdict| verdict.success == Some(true)) {
                passed += chance;
            }
        });
        let Some(cut) = cut else { return Ok(()) };
        let odds = match expression.odds() {
            Ok(odds) => odds,
            Err(error) => {
                prop_assert_eq!(error.code, Code::LimitExceeded);
                return Ok(());
            }
        };
        for (total, chance) in &by_total {
            let exact = odds.totals.exactly(*total).to_f64();
            prop_assert!(exact - chance > -1e-9 && exact - chance < cut + 1e-9, "{}: {} {} {}", text, total, chance, exact);
        }
        let sum: f64 = odds.totals.outcomes().map(|(_, chance)| chance.to_f64()).sum();
        prop_assert!((sum - 1.0).abs() < 1e-9, "{}: {}", text, sum);
        if cut == 0.0 {
            prop_assert_eq!(by_total.len(), odds.totals.len(), "{}", text);
        }
        if let (Some(exact), 0.0) = (&odds.success, cut) {
            prop_assert!((exact.to_f64() - passed).abs() < 1e-9, "{}: {} {}", text, passed, exact);
        }
    }

    #[test]
    fn a_roll_lies_inside_its_odds(text in small_request()) {
        if let Ok(expression) = parse(&text)
            && let Ok(odds) = expression.odds()
        {
            let roll = expression.roll(&mut OsRoller::new()).unwrap();
            prop_assert!(!odds.totals.exactly(roll.total).is_zero(), "{}: {}", text, roll.explanation);
        }
    }
}
