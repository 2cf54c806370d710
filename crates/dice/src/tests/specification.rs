//! What the specification of the notation says of rolls.

use crate::tests::roll;
use crate::{ScriptedRoller, parse};

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
