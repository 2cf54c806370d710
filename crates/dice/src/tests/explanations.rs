//! What a roll puts on record, beside the lines of `lines.txt`.

use crate::tests::roll;
use crate::{Mode, Reason, Special, Term, parse};

#[test]
fn a_repeated_check_counts_what_succeeds() {
    let one = roll("repeat(1d20+5 vs 15, 2) # saves", &[13, 2]);
    assert_eq!(
        (one.total, one.successes, one.total_dice),
        (1, Some(1), Some(2))
    );
    assert_eq!(one.comment.as_deref(), Some("saves"));
    assert_eq!(roll("repeat(1d6, 2)", &[4, 6]).total, 10);
    let pools = roll("repeat(2d10t8 vs 1, 2)", &[8, 9, 1, 2]);
    assert_eq!((pools.total, pools.successes), (1, Some(1)));
}

#[test]
fn advantage_in_the_record() {
    let roll = roll("1d20+5 dis", &[15, 7]);
    let Term::Dice {
        count,
        sides,
        kept,
        subtotal,
        mode,
        notation,
        ..
    } = &roll.terms[0]
    else {
        panic!("{roll:?}");
    };
    assert_eq!((*count, *sides, *subtotal), (2, 20, 7));
    assert_eq!(kept, &[7]);
    assert_eq!(*mode, Some(Mode::Disadvantage));
    assert_eq!(notation, "2d20kl1");
    assert_eq!(roll.natural(), Some(7));
    assert_eq!(roll.modifiers(), 5);
}

#[test]
fn every_face_has_its_reason() {
    let roll = roll("1d6ro1!min3", &[1, 6, 2]);
    let dice = roll.dice();
    let reasons = |index: usize| -> Vec<(i64, Reason)> {
        let faces = &dice[index].die.rolls;
        faces.iter().map(|face| (face.value, face.reason)).collect()
    };
    assert_eq!(reasons(0), [(1, Reason::Initial), (6, Reason::Reroll)]);
    assert_eq!(reasons(1), [(2, Reason::Explode), (3, Reason::Clamp)]);
    assert_eq!(dice[0].die.special, [Special::Rerolled, Special::Exploded]);
    assert_eq!(dice[1].die.special, [Special::Extra, Special::Raised]);
    assert_eq!(roll.total, 9);
    assert_eq!(roll.faces(), [1, 6, 2]);
}

#[test]
fn a_chain_stops_at_its_limit_and_says_so() {
    let mut faces = vec![6; 101];
    faces.push(2);
    let roll = roll("2d6!", &faces);
    assert_eq!(roll.dice().len(), 102);
    assert!(roll.dice()[100].die.special.contains(&Special::Capped));
    assert_eq!(roll.total, 608);
    let roll = self::roll("1d6rr1", &[1; 101]);
    assert!(roll.dice()[0].die.special.contains(&Special::Capped));
}

#[test]
fn labels_reach_the_dice() {
    let roll = roll("2d10[pool]+1d10[hunger]", &[1, 2, 3]);
    let labels: Vec<_> = roll.dice().iter().map(|view| view.labels.clone()).collect();
    assert_eq!(labels, [["pool"], ["pool"], ["hunger"]]);
}

#[test]
fn natural_is_the_first_kept_die() {
    assert_eq!(roll("{1d6, 1d8}kh1", &[2, 5]).natural(), Some(5));
    assert_eq!(roll("1d20ro1min10", &[1, 4]).natural(), Some(4));
    assert_eq!(roll("1d6!!", &[6, 4]).natural(), Some(6));
    assert_eq!(roll("5", &[]).natural(), None);
    let kept: Vec<bool> = roll("3d6kh2", &[4, 4, 4])
        .dice()
        .iter()
        .map(|view| view.kept)
        .collect();
    assert_eq!(kept, [true, true, false], "on ties the earliest");
}

#[test]
fn counted_dice() {
    let roll = roll("4d10kh3t8f1", &[10, 1, 3, 8]);
    let counted: Vec<_> = roll.dice().iter().map(|view| view.die.counted).collect();
    assert_eq!(counted, [Some(1), None, Some(0), Some(1)]);
    assert_eq!((roll.successes, roll.total_dice), (Some(2), Some(3)));
}

/// Where `rr` and `ro` both match, `rr` rerolls, and the one reroll of `ro` is left for a face that
/// only it matches.
#[test]
fn rerolls_of_both_kinds_each_have_their_say() {
    let all: [&[i64]; 5] = [&[1, 3, 3], &[3, 2, 1, 3], &[2, 1, 5], &[3, 6], &[4]];
    let totals = all.map(|faces| roll("1d6ro<4rr<3", faces).total);
    assert_eq!(totals, [3, 3, 5, 6, 4]);
    // 3 to 6 are left; a 3 has one chance more.
    let odds = parse("1d6ro<4rr<3").unwrap().odds().unwrap().totals;
    assert_eq!(
        [3, 4].map(|total| odds.exactly(total).to_string()),
        ["1/16", "5/16"]
    );
}
