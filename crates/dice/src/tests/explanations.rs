//! Golden lines of arithmetic, and their records; what the specification of the notation says of rolls.

use crate::tests::roll;
use crate::{Mode, Reason, ScriptedRoller, Special, Term, parse};

#[test]
fn lines() {
    let lines: [(&str, &[i64], &str); 57] = [
        ("d20", &[17], "1d20: [17] = 17"),
        ("1d20+5 dis", &[15, 7], "d20(disadvantage): [15, 7] keep 7; + 5 = 12"),
        ("1d20+5 adv", &[15, 7], "d20(advantage): [15, 7] keep 15; + 5 = 20"),
        ("4d6kh3", &[6, 5, 2, 1], "4d6kh3: [6, 5, 2, 1] keep 6, 5, 2 = 13"),
        ("4d6dl1", &[1, 5, 2, 1], "4d6dl1: [1, 5, 2, 1] keep 1, 5, 2 = 8"),
        ("4d6dh1", &[6, 5, 6, 1], "4d6dh1: [6, 5, 6, 1] keep 6, 5, 1 = 12"),
        ("5d6dl1dh1", &[6, 5, 6, 1, 1], "5d6dl1dh1: [6, 5, 6, 1, 1] keep 6, 5, 1 = 12"),
        ("4d6k=6", &[6, 5, 6, 1], "4d6k=6: [6, 5, 6, 1] keep 6, 6 = 12"),
        ("4d6k=6k=1", &[6, 5, 6, 1], "4d6k=6k=1: [6, 5, 6, 1] keep 6, 6, 1 = 13"),
        ("2d6k=6", &[5, 1], "2d6k=6: [5, 1] keep none = 0"),
        ("4d6d=1", &[6, 5, 6, 1], "4d6d=1: [6, 5, 6, 1] keep 6, 5, 6 = 17"),
        ("2d6+1d4+5", &[3, 4, 2], "2d6: [3, 4]; + 1d4: [2]; + 5 = 14"),
        ("2d6-1d4-1", &[3, 4, 2], "2d6: [3, 4]; - 1d4: [2]; - 1 = 4"),
        ("4dF+2", &[-1, 0, 1, 1], "4dF: [-1, 0, 1, 1]; + 2 = 3"),
        ("d%b2", &[3, 0, 4, 2], "1d%b2: [tens 0, 4, 2; unit 3 = 3] = 3"),
        ("d%p1", &[0, 0, 4], "1d%p1: [tens 0, 4; unit 0 = 100] = 100"),
        ("d%b1", &[0, 0, 4], "1d%b1: [tens 0, 4; unit 0 = 40] = 40"),
        ("2d6ro1", &[1, 1, 4], "2d6ro1: [1 -> 1, 4] = 5"),
        ("2d6rr1", &[1, 1, 4, 3], "2d6rr1: [1 -> 1 -> 4, 3] = 7"),
        ("2d6ro1ro2", &[1, 2, 2, 5], "2d6ro1ro2: [1 -> 2, 2 -> 5] = 7"),
        ("2d6!", &[6, 6, 2, 3], "2d6!: [6!, 6!, 2, 3] = 17"),
        ("2d6!o", &[6, 6, 3], "2d6!o: [6!, 6, 3] = 15"),
        ("2d6!!", &[6, 6, 2, 3], "2d6!!: [6! + 6! + 2 = 14, 3] = 17"),
        ("2d6!p", &[6, 6, 2, 3], "2d6!p: [6!, 6! - 1 = 5, 2 - 1 = 1, 3] = 15"),
        ("2d6!!p", &[6, 6, 2, 3], "2d6!!p: [6! + 6! + 2 - 2 = 12, 3] = 15"),
        ("2d6!p>=5min3", &[5, 2, 4], "2d6!p>=5min3: [5!, 2 - 1 = 1 raised to 3, 4] = 12"),
        ("2d6!5", &[5, 6, 3], "2d6!5: [5!, 6, 3] = 14"),
        ("2d6ro1!", &[1, 6, 1, 2, 3], "2d6ro1!: [1 -> 6!, 1 -> 2, 3] = 11"),
        ("d20min10", &[3], "1d20min10: [3 raised to 10] = 10"),
        ("d20max10", &[13], "1d20max10: [13 lowered to 10] = 10"),
        ("5d10t8", &[9, 3, 8, 10, 1], "5d10t8: [9, 3, 8, 10, 1] success on 8-10: 3 = 3 successes"),
        ("3d10t>8", &[9, 3, 8], "3d10t>8: [9, 3, 8] success on 9-10: 1 = 1 success"),
        (
            "3d10t8f1ds10",
            &[10, 1, 8],
            "3d10t8f1ds10: [10, 1, 8] success on 8-10, failure on 1, double on 10: 2 = 2 successes",
        ),
        ("3d10t8+2", &[9, 3, 8], "3d10t8: [9, 3, 8] success on 8-10: 2; + 2 automatic = 4 successes"),
        ("3d6even", &[2, 3, 4], "3d6even: [2, 3, 4] success on even: 2 = 2 successes"),
        ("3d6t<>3", &[2, 3, 4], "3d6t<>3: [2, 3, 4] success on 1-2, 4-6: 2 = 2 successes"),
        ("3d6!!t7", &[6, 3, 3, 4], "3d6!!t7: [6! + 3 = 9, 3, 4] success on 7 or more: 1 = 1 success"),
        ("1d20crit20fumble1", &[20], "1d20crit20fumble1: [20 crit] = 20"),
        ("3d6s", &[5, 1, 3], "3d6sa: [1, 3, 5] = 9"),
        ("3d6kh2sd", &[3, 1, 5], "3d6kh2sd: [5, 3, 1] keep 5, 3 = 8"),
        ("2d6[fire]+3[magic]", &[5, 1], "2d6: [5, 1] [fire]; + 3 [magic] = 9"),
        ("1d6/4", &[5], "(1d6: [5] = 5) / 4 = 5/4, rounded down to 1"),
        ("floor((2d6+3)/2)", &[3, 4], "floor(((2d6: [3, 4] = 7) + 3) / 2) = 5"),
        ("max(1d8!!,1d6!!)+2", &[8, 3, 4], "max((1d8!!: [8! + 3 = 11] = 11), (1d6!!: [4] = 4)); + 2 = 13"),
        ("{2d6,1d8}kh1", &[3, 4, 8], "{(2d6: [3, 4] = 7) dropped, (1d8: [8] = 8)}kh1 = 8"),
        ("d20+3 vs d20+4", &[14, 11], "1d20: [14]; + 3 = 17 vs ((1d20: [11] = 11) + 4) = 15: success by 2"),
        ("1d20 vs 15+2", &[9], "1d20: [9] = 9 vs (15 + 2) = 17: failure by 8"),
        ("1d20 vs 15/2", &[9], "1d20: [9] = 9 vs 15 / 2 = 15/2: success by 1"),
        ("{1d20+7,10}kh1", &[2], "{((1d20: [2] = 2) + 7) = 9 dropped, 10}kh1 = 10"),
        ("max(1d20+7, 3*4)", &[2], "max(((1d20: [2] = 2) + 7) = 9, 3 * 4 = 12) = 12"),
        ("{{1d6,1d8}kh1, 4}kl1", &[2, 5], "{{(1d6: [2] = 2) dropped, (1d8: [5] = 5)}kh1 = 5 dropped, 4}kl1 = 4"),
        ("1d20 # a fine day", &[2], "1d20: [2] = 2 # a fine day"),
        ("1d20+5 vs 15", &[13], "1d20: [13]; + 5 = 18 vs 15: success by 3"),
        ("d% under 45", &[46], "1d%: [46] = 46 under 45: failure by 1"),
        ("(1d20)>=1d20", &[4, 9], "1d20: [4] = 4 >= (1d20: [9] = 9): failure by 5"),
        ("2d6+1 bands 7,10", &[4, 4], "2d6: [4, 4]; + 1 = 9, in the band 7 to 9"),
        (
            "4d6kh3ro1",
            &[1, 4, 5, 6, 2],
            "4d6kh3ro1: [1 -> 4, 5, 6, 2] keep 4, 5, 6 = 15 (whatever the written order, rerolling came before keeping and dropping)",
        ),
    ];
    for (text, faces, wanted) in lines {
        assert_eq!(roll(text, faces).explanation, wanted, "{text}");
    }
}

#[test]
fn a_repeated_check_counts_what_succeeds() {
    let one = roll("repeat(1d20+5 vs 15, 2) # saves", &[13, 2]);
    assert_eq!(
        one.explanation,
        "#1 1d20: [13]; + 5 = 18 vs 15: success by 3 | #2 1d20: [2]; + 5 = 7 vs 15: failure by 8 | 1 of 2 succeeds # saves"
    );
    assert_eq!((one.total, one.successes, one.total_dice), (1, Some(1), Some(2)));
    assert_eq!(one.comment.as_deref(), Some("saves"));
    assert_eq!(one.faces(), [13, 2]);
    let sum = roll("repeat(1d6, 2)", &[4, 6]);
    assert_eq!((sum.explanation.as_str(), sum.total), ("#1 1d6: [4] = 4 | #2 1d6: [6] = 6 | all together 10", 10));
    let pools = roll("repeat(2d10t8 vs 1, 2)", &[8, 9, 1, 2]);
    assert_eq!((pools.total, pools.successes), (1, Some(1)));
}

#[test]
fn advantage_in_the_record() {
    let roll = roll("1d20+5 dis", &[15, 7]);
    let Term::Dice { count, sides, kept, subtotal, mode, notation, .. } = &roll.terms[0] else {
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
}

#[test]
fn counted_dice() {
    let roll = roll("4d10kh3t8f1", &[10, 1, 3, 8]);
    let counted: Vec<_> = roll.dice().iter().map(|view| view.die.counted).collect();
    assert_eq!(counted, [Some(1), None, Some(0), Some(1)]);
    assert_eq!((roll.successes, roll.total_dice), (Some(2), Some(3)));
}

/// What is rolled, the faces in the order of draws, and the total.
const MEANINGS: [(&str, &[i64], i64); 18] = [
    // Terms left to right; die by die: the draw, its rerolls, its explosions.
    ("2d6ro1!+1d4", &[1, 6, 2, 3, 4], 15),
    // Stages are fixed: kept after explosions, counted after clamps.
    ("2d6kh1!", &[6, 5, 3], 6),
    ("2d6!kh1", &[6, 5, 3], 6),
    ("3d6t=3min3", &[1, 2, 6], 2),
    // Triggers look at the natural face; a clamp changes only the value.
    ("2d6min3!", &[6, 2, 4], 13),
    ("2d6ro1min4", &[1, 2, 5], 9),
    // A die made by an explosion is settled by the same rules.
    ("1d6ro1!", &[6, 1, 5], 11),
    ("1d6ro1", &[1, 1], 1),
    // On ties the earliest die is kept: the sum is the same, the record says which.
    ("3d6kh2", &[4, 4, 4], 8),
    // A number beside a count adds successes.
    ("3d10t8+2", &[8, 9, 1], 4),
    // Exact until the root is floored toward minus infinity; `//` floors on its way.
    ("1d6/2+1d6/2", &[1, 1], 1),
    ("1d6//2+1d6//2", &[1, 1], 0),
    ("0-1d6/2", &[1], -1),
    ("round(0-1d6/2)", &[1], 0),
    ("round(1d6/2)", &[1], 1),
    // Percentile dice draw the unit first, and 00+0 is 100; dF faces are -1, 0 and 1.
    ("d%b1", &[0, 0, 9], 90),
    ("d%p1", &[0, 0, 9], 100),
    ("4dF", &[-1, 0, 1, 1], 1),
];

#[test]
fn meanings() {
    for (text, faces, total) in MEANINGS {
        assert_eq!(roll(text, faces).total, total, "{text}");
    }
    let kept: Vec<bool> = roll("3d6kh2", &[4, 4, 4]).dice().iter().map(|view| view.kept).collect();
    assert_eq!(kept, [true, true, false]);
    assert!(roll("3d10t8+2", &[8, 9, 1]).explanation.contains("+ 2 automatic"));
    assert!(roll("2d6kh1!", &[6, 5, 3]).explanation.contains("whatever the written order"));
    assert!(roll("5d10t8", &[8, 9, 1, 2, 3]).explanation.contains("success on 8-10"));
    assert!(roll("1d6/4", &[5]).explanation.contains("rounded down"));
}

/// Where `rr` and `ro` both match, `rr` rerolls, and the one reroll of `ro` is left for a face that only it matches.
#[test]
fn rerolls_of_both_kinds_each_have_their_say() {
    let expression = parse("1d6ro<4rr<3").unwrap();
    for (faces, total) in [(vec![1, 3, 3], 3), (vec![3, 2, 1, 3], 3), (vec![2, 1, 5], 5), (vec![3, 6], 6), (vec![4], 4)]
    {
        let mut script = ScriptedRoller::new(faces.clone());
        let roll = expression.roll(&mut script).unwrap();
        assert_eq!((roll.total, script.left().len()), (total, 0), "{faces:?}");
    }
    // 3 to 6 are left; a 3 has one chance more.
    let odds = expression.odds().unwrap().totals;
    assert_eq!([3, 4].map(|total| odds.exactly(total).to_string()), ["1/16", "5/16"]);
}
