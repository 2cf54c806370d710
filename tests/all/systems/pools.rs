//! Pools of which the highest dice count, are kept, make sets or lead.

use rollbook_rules::Outcome::{CriticalSuccess, Failure, PartialSuccess, Success};

use super::table::{Faces, Game, Says, says};

/// Pools of six-sided dice of which the highest counts, as in games forged in the dark.
fn blades(values: &[i64], faces: &Faces<'_>) -> Says {
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
    let best = if rating > 0 {
        dice.iter().max()
    } else {
        dice.iter().min()
    }
    .copied()
    .unwrap_or(0);
    let eased = rating > 0 && dice.iter().filter(|face| **face == 6).count() > 1;
    let verdict = if eased {
        says(CriticalSuccess, "Eased", None)
    } else {
        says(Success, "Resisted", None)
    };
    Says {
        values: vec![("price", 6 - best)],
        ..verdict
    }
}

#[test]
fn a_resistance_roll() {
    Game {
        rules: RULES,
        check: "Resistance",
        varies: &[("rating", -1, 6)],
        reference: resistance,
    }
    .holds(&[
        ("`6 - highest`", "`6 - 1s`"),
        ("`6 - highest`", "`5 - highest`"),
        (
            "| Eased (critical success) | 6s 2+ and pool 1+",
            "| Eased (critical success) | 6s 2+",
        ),
    ]);
}

#[test]
fn an_action_roll() {
    Game {
        rules: RULES,
        check: "Action roll",
        varies: &[("rating", -1, 6)],
        reference: blades,
    }
    .holds(&[
        ("6s 2+ and pool 1+", "6s 2+"),
        ("6s 2+", "6s 3+"),
        ("highest 4-5", "highest 3-5"),
        ("2d6kl1", "2d6kh1"),
    ]);
}

/// Dice of many sizes: two of them count, and one that is left over is the effect.
fn mixed(values: &[i64], faces: &Faces<'_>) -> Says {
    let dice: Vec<(i64, i64)> = values[..4]
        .iter()
        .map(|sides| (faces.die(*sides), *sides))
        .collect();
    // Of equal dice the first one counts.
    let mut order: Vec<usize> = (0..4).collect();
    order.sort_by_key(|at| std::cmp::Reverse(dice[*at].0));
    let (counted, left) = order.split_at(2);
    let two: i64 = counted.iter().map(|at| dice[*at].0).sum();
    let result: i64 = counted
        .iter()
        .map(|at| dice[*at].0)
        .filter(|face| *face > 1)
        .sum();
    let effect = left
        .iter()
        .filter(|at| dice[**at].0 > 1)
        .map(|at| dice[*at].1)
        .max()
        .unwrap_or(0)
        .max(4);
    let best = dice[counted[0]].0;
    let stood = counted
        .iter()
        .map(|at| dice[*at])
        .filter(|(face, _)| *face == best)
        .map(|(_, sides)| sides)
        .max();
    let margin = result - values[4];
    let verdict = match margin {
        5.. => says(CriticalSuccess, "Heroic", margin),
        0.. => says(Success, "Success", margin),
        _ => says(Failure, "Failure", margin),
    };
    // The largest die that is no 1.
    let bold_effect = dice
        .iter()
        .filter(|(face, _)| *face > 1)
        .map(|(_, sides)| *sides)
        .max()
        .unwrap_or(0)
        .max(4);
    let flags = if dice.iter().any(|(face, _)| *face == 1) {
        vec!["trouble"]
    } else {
        Vec::new()
    };
    let values = vec![
        ("effect", effect),
        ("bold effect", bold_effect),
        ("stood", stood.expect("a die")),
        ("two", two),
    ];
    Says {
        flags,
        values,
        ..verdict
    }
}

#[test]
fn a_scene_with_an_effect_die() {
    let varies = [
        ("role", 4, 12),
        ("bond", 4, 12),
        ("place", 4, 8),
        ("thing", 2, 6),
        ("difficulty", 3, 14),
    ];
    Game {
        rules: include_str!("mixed.md"),
        check: "Scene",
        varies: &varies,
        reference: mixed,
    }
    .holds(&[
        ("kh2", "kh3"),
        ("total - max(0, 1s + 2 - dice)", "total"),
        ("- Result:", "- Value outcome:"),
        ("max(4, size(dropped 2+))", "size(dropped 2+)"),
        ("max(4, size(dropped 2+))", "max(4, size(highest 1))"),
        ("stood: `size(highest 1)`", "stood: `size(natural)`"),
        ("two: `sum(all highest 2)`", "two: `highest + lowest - 1`"),
        ("max(4, size(all 2+))", "max(4, size(highest 1))"),
        ("margin 5+", "margin 4+"),
    ]);
}

/// Roll and keep: dice that grow on a ten, of which some are kept.
fn keep(values: &[i64], faces: &Faces<'_>) -> Says {
    let (kept, skill, free, difficulty) = (values[0], values[1], values[2], values[3]);
    let grown = || {
        let mut die = 0;
        loop {
            let face = faces.die(10);
            die += face;
            if face != 10 {
                return die;
            }
        }
    };
    let mut dice: Vec<i64> = (0..kept + skill).map(|_| grown()).collect();
    dice.sort_unstable();
    let total: i64 = dice
        .iter()
        .rev()
        .take(usize::try_from(kept).expect("dice"))
        .sum::<i64>()
        + free;
    let margin = total - difficulty;
    let raises = margin.div_euclid(5);
    let verdict = match margin {
        5.. => says(CriticalSuccess, "With raises", margin),
        0.. => says(Success, "Success", margin),
        -2.. => says(PartialSuccess, "Close", margin),
        _ => says(Failure, "Failure", margin),
    };
    let flags = if raises >= 2 {
        vec!["splendid"]
    } else {
        Vec::new()
    };
    Says {
        flags,
        values: vec![("raises", raises)],
        ..verdict
    }
}

#[test]
fn a_roll_of_which_the_best_dice_are_kept() {
    let rules = include_str!("keep.md");
    let varies = [
        ("trait", 1, 4),
        ("skill", 0, 4),
        ("free", 0, 5),
        ("difficulty", 5, 40),
    ];
    Game {
        rules,
        check: "Roll and keep",
        varies: &varies,
        reference: keep,
    }
    .holds(&[
        ("d10!!kh", "d10!kh"),
        ("kh{trait}", "kl{trait}"),
        ("!!kh", "kh"),
        ("margin / 5", "margin / 6"),
        ("{raises} 2+", "{raises} 3+"),
        ("{raises} 1+", "{raises} 2+"),
        ("margin -2+", "margin -1+"),
        ("+ {free=0}", "- {free=0}"),
    ]);
}

/// Sets of equal dice: how wide and how tall each of them is.
fn sets(values: &[i64], faces: &Faces<'_>) -> Says {
    let mut showing = [0_i64; 11];
    for face in faces.dice(values[0], 10) {
        showing[usize::try_from(face).expect("a face")] += 1;
    }
    // The widest first, and of those that are as wide the tallest.
    let mut left: Vec<(i64, i64)> = showing
        .into_iter()
        .zip(0..)
        .filter(|(many, _)| *many > 0)
        .collect();
    left.sort_unstable();
    let sets: Vec<(i64, i64)> = left.into_iter().rev().collect();
    let set = |nth: usize| sets.get(nth).copied().unwrap_or((0, 0));
    let ((width, height), (second, second_height)) = (set(0), set(1));
    let tall = sets
        .iter()
        .any(|(many, face)| *many > 1 && *face >= values[1]);
    let verdict = match width {
        4.. => says(CriticalSuccess, "Flawless", None),
        2.. if tall => says(Success, "Success", None),
        2.. => says(PartialSuccess, "Nearly", None),
        _ => says(Failure, "Failure", None),
    };
    let raised = [
        ("none", width == 1),
        ("second act", second > 1 && second_height >= values[1]),
    ];
    let flags = raised
        .into_iter()
        .filter(|(_, raised)| *raised)
        .map(|(name, _)| name)
        .collect();
    let values = vec![
        ("haste", width),
        ("grace", height),
        ("second haste", second),
        ("second grace", second_height),
        ("third haste", set(2).0),
    ];
    Says {
        flags,
        values,
        ..verdict
    }
}

#[test]
fn an_act_with_sets() {
    let varies = [("pool", 1, 10), ("difficulty", 1, 10)];
    Game {
        rules: include_str!("sets.md"),
        check: "Act",
        varies: &varies,
        reference: sets,
    }
    .holds(&[
        ("width 4+", "width 3+"),
        (
            "| Success | width({difficulty}+) 2+",
            "| Success | width 2+ and height {difficulty}+",
        ),
        (
            "| Success | width({difficulty}+) 2+",
            "| Success | width 2+ and highest {difficulty}+",
        ),
        (
            "| Success | width({difficulty}+) 2+",
            "| Success | width 2+ and width {difficulty}+",
        ),
        (
            "| Success | width({difficulty}+) 2+",
            "| Success | width({difficulty}+) 3+",
        ),
        (" haste: `width`", " haste: `dice - width`"),
        (" grace: `height`", " grace: `highest`"),
        ("second haste: `width(second)`", "second haste: `width - 1`"),
        (
            "second grace: `height(second)`",
            "second grace: `height(third)`",
        ),
        (
            "third haste: `width(third)`",
            "third haste: `width(second)`",
        ),
        ("none: width 1", "none: width 2"),
        (
            "second act: width(second) 2+",
            "second act: width(second) 1+",
        ),
        (
            "and height(second) {difficulty}+",
            "and height {difficulty}+",
        ),
        ("| width 2+ |", "| width 3+ |"),
    ]);
}

#[test]
fn the_odds_of_a_second_act() {
    let game = Game {
        rules: include_str!("sets.md"),
        check: "Act",
        varies: &[("pool", 1, 10), ("difficulty", 1, 10)],
        reference: sets,
    };
    game.odds_are_those_of(&[5, 7], (5, 10));
}

/// Four colours of dice, of which one dominates: the highest die, then the next, then the order of
/// the rules.
fn moods(values: &[i64], faces: &Faces<'_>) -> Says {
    let mut colours: Vec<Vec<i64>> = values.iter().map(|count| faces.dice(*count, 6)).collect();
    let low = |dice: &[i64]| {
        i64::try_from(dice.iter().filter(|face| **face <= 3).count()).expect("a few")
    };
    let mine: i64 = colours[..3].iter().map(|dice| low(dice)).sum();
    let lead = mine - low(&colours[3]);
    let mut leading = vec![0, 1, 2, 3];
    // Dice against dice, from the highest down; a colour that has none left gives way.
    for dice in &mut colours {
        dice.sort_unstable();
    }
    while leading.len() > 1 && leading.iter().any(|colour| !colours[*colour].is_empty()) {
        let shown: Vec<i64> = leading
            .iter()
            .map(|colour| colours[*colour].pop().unwrap_or(0))
            .collect();
        let best = shown.iter().copied().max().unwrap_or(0);
        leading = leading
            .into_iter()
            .zip(shown)
            .filter(|(_, face)| *face == best)
            .map(|(colour, _)| colour)
            .collect();
    }
    let first = leading[0];
    let verdict = match (lead >= 0, first) {
        (true, 3) => says(PartialSuccess, "Grim", None),
        (true, _) => says(Success, "Success", None),
        (false, _) => says(Failure, "Failure", None),
    };
    let flags = vec![["clear", "afraid", "wild", "dark"][first]];
    Says {
        flags,
        values: vec![("mine", mine), ("lead", lead)],
        ..verdict
    }
}

#[test]
fn nightwork_in_four_colours() {
    let varies = [
        ("calm", 1, 3),
        ("fear", 0, 5),
        ("rage", 0, 4),
        ("night", 1, 6),
    ];
    Game {
        rules: include_str!("moods.md"),
        check: "Nightwork",
        varies: &varies,
        reference: moods,
    }
    .holds(&[
        ("Count: 1-3", "Count: 1-2"),
        ("afraid: fear dominates", "afraid: fear highest 6"),
        (
            "clear: calm dominates",
            "clear: `calm highest >= night highest`",
        ),
        ("wild: rage dominates", "wild: fear dominates"),
        ("and night dominates", "and night dominates and night 6s 1+"),
        ("{mine} - night successes", "{mine} - fear successes"),
    ]);
}

// Symbol dice of six kinds, of which two pairs of symbols cancel.

/// The kinds of dice in the order of the roll, face by face.
const DICE: [&[&str]; 6] = [
    &["", "S", "S", "SS", "A", "A", "SA", "AA"],
    &[
        "", "S", "S", "SS", "SS", "A", "SA", "SA", "SA", "AA", "AA", "ST",
    ],
    &["", "", "S", "SA", "AA", "A"],
    &["", "F", "FF", "H", "H", "H", "HH", "FH"],
    &[
        "", "F", "F", "FF", "FF", "H", "H", "FH", "FH", "HH", "HH", "FD",
    ],
    &["", "", "F", "F", "H", "H"],
];

fn auspice(values: &[i64], faces: &Faces<'_>) -> Says {
    let mut letters: Vec<String> = Vec::new();
    for (count, die) in values.iter().zip(DICE) {
        let sides = i64::try_from(die.len()).expect("a die");
        let shown = faces.dice(*count, sides).into_iter();
        letters.push(
            shown
                .filter_map(|face| die.get(usize::try_from(face - 1).ok()?))
                .copied()
                .collect(),
        );
    }
    let of =
        |letter: char, shown: &str| i64::try_from(shown.matches(letter).count()).expect("a few");
    let all = |letter: char| letters.iter().map(|shown| of(letter, shown)).sum::<i64>();
    let lead = all('S') - all('F');
    let favour = all('A') - all('H');
    let (success, failure, edge, threat) =
        (lead.max(0), (-lead).max(0), favour.max(0), (-favour).max(0));
    let (triumph, despair) = (all('T'), all('D'));
    let verdict = match success {
        1.. if triumph > 0 => says(CriticalSuccess, "Wonder", None),
        1.. if edge >= threat => says(Success, "Success", None),
        1.. => says(PartialSuccess, "At a cost", None),
        _ => says(Failure, "Failure", None),
    };
    let flags = [("dire", despair > 0), ("steep", threat > success)];
    let flags = flags
        .into_iter()
        .filter(|(_, raised)| *raised)
        .map(|(name, _)| name)
        .collect();
    let values = vec![
        ("success", success),
        ("failure", failure),
        ("edge", edge),
        ("threat", threat),
        ("triumph", triumph),
        ("despair", despair),
        ("lead", lead),
        ("gift", of('A', &letters[2])),
    ];
    Says {
        flags,
        values,
        ..verdict
    }
}

const VARIES: [(&str, i64, i64); 6] = [
    ("talent", 0, 4),
    ("mastery", 0, 3),
    ("luck", 0, 2),
    ("hazard", 0, 4),
    ("peril", 0, 2),
    ("bane", 0, 3),
];

#[test]
fn a_venture_with_symbols_that_cancel() {
    let rules = include_str!("auspice.md");
    Game {
        rules,
        check: "Venture",
        varies: &VARIES,
        reference: auspice,
    }
    .holds(&[
        ("Talent: blank, S, S, SS", "Talent: blank, S, S, S"),
        ("AA, ST", "AT, ST"),
        ("Hazard: blank, F, FF", "Hazard: blank, F, F"),
        ("S against F, A against H", "S against F"),
        ("S against F, A against H", "A against H"),
        ("`luck edge`", "`talent edge`"),
        ("`luck edge`", "`edge`"),
        ("dire: despair 1+", "dire: despair 2+"),
        ("success 1+ and triumph 1+", "triumph 1+"),
        ("edge >= threat", "edge > threat"),
        ("`success - failure`", "`success`"),
    ]);
}

/// A duel of raises, as far as dice go: what was put forward is met with one die, with two or with
/// more.
fn raises(values: &[i64], faces: &Faces<'_>) -> Says {
    let groups: Vec<Vec<i64>> = [6, 8, 4]
        .iter()
        .zip(values)
        .map(|(sides, count)| faces.dice(*count, *sides))
        .collect();
    let mut dice = groups.concat();
    dice.sort_unstable_by(|one, other| other.cmp(one));
    let (total, target) = (dice.iter().sum::<i64>(), values[3]);
    let (best, pair) = (dice[0], dice.iter().take(2).sum::<i64>());
    let margin = total - target;
    let verdict = match target {
        target if best >= target => says(CriticalSuccess, "Turned", margin),
        target if pair >= target => says(Success, "Met", margin),
        target if total >= target => says(PartialSuccess, "It hurts", margin),
        _ => says(Failure, "Give", margin),
    };
    let most = |group: usize| groups[group].iter().copied().max().unwrap_or(0);
    let flags = if most(2) >= most(1) {
        vec!["with ties"]
    } else {
        Vec::new()
    };
    Says {
        flags,
        values: vec![("best", best), ("pair", pair)],
        ..verdict
    }
}

#[test]
fn a_raise_is_seen() {
    let rules = include_str!("raises.md");
    let varies = [
        ("heart", 1, 5),
        ("belongings", 0, 3),
        ("ties", 0, 3),
        ("difficulty", 2, 18),
    ];
    Game {
        rules,
        check: "See",
        varies: &varies,
        reference: raises,
    }
    .holds(&[
        ("Value best: `highest`", "Value best: `natural`"),
        ("Value pair: `sum(highest 2)`", "Value pair: `2 * highest`"),
        ("| `total >= target` |", "| `total > target` |"),
        ("{best} >= target", "{best} > target"),
        ("ties highest >=", "ties highest >"),
    ]);
}
