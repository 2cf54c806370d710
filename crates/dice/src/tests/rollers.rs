//! Where faces come from.

use crate::{Code, DrawError, OsRoller, Roller, ScriptedRoller, parse};

#[test]
fn a_script_gives_its_faces_and_no_others() {
    let mut script = ScriptedRoller::new([3, 7, 0]);
    assert_eq!(script.source(), "pinned");
    assert_eq!(script.draw(1, 6), Ok(3));
    let error = script.draw(1, 6).unwrap_err();
    assert_eq!(error.to_string(), "Given die number 2 shows 7, which this die does not have (1 to 6).");
    let error = script.pick(&[1, 1, 2]).unwrap_err();
    assert_eq!(error.to_string(), "Given die number 3 shows 0, which this die does not have (1, 2).");
    assert_eq!(script.draw(1, 6), Err(DrawError::TooFew { used: 3 }));
}

#[test]
fn a_roll_that_cannot_be_made_says_so() {
    let mut script = ScriptedRoller::new([3]);
    let error = parse("2d6").unwrap().roll(&mut script).unwrap_err();
    assert_eq!(error.code, Code::DrawFailed);
    assert_eq!(error.message, "The given dice ran out after 1: one more is needed.");
}

#[test]
fn faces_left_over_are_known() {
    let mut script = ScriptedRoller::new([3, 4, 5]);
    parse("1d6").unwrap().roll(&mut script).unwrap();
    assert_eq!(script.left(), [4, 5]);
}

#[test]
fn the_operating_system_gives_faces_of_the_die() {
    fn assert_send<T: Send>(_: &T) {}
    let mut roller = OsRoller::new();
    assert_send(&roller);
    assert_eq!(roller.source(), "os-chacha12");
    for (low, high) in [(1, 1), (-1, 1), (0, 9), (1, 1000), (i64::MIN + 1, -1), (-5_000_000_000, 5_000_000_000)] {
        for _ in 0..1000 {
            assert!((low..=high).contains(&roller.draw(low, high).unwrap()));
        }
    }
    assert!(roller.draw(2, 1).is_err() && roller.draw(i64::MIN, i64::MAX).is_err());
    assert_eq!(format!("{roller:?}"), "OsRoller { .. }");
    // More draws than one seed serves.
    let sum: i64 = (0..200_000).map(|_| roller.draw(1, 6).unwrap()).sum();
    assert!((600_000..800_000).contains(&sum));
}
