//! What can be asked of an expression, and made of it; where faces come from.

use crate::{Code, Die, DrawError, Expression, OsRoller, Roller, ScriptedRoller, parse};

fn read(text: &str) -> Expression {
    parse(text).unwrap()
}

#[test]
fn every_die_is_named_once() {
    let dice = read("2d6 + 1d20 * (1d6 + 1d%) vs 4dF").dice();
    assert_eq!(
        dice,
        [Die::Sides(6), Die::Sides(20), Die::Percent, Die::Fate]
    );
    let names: Vec<String> = dice.iter().map(Die::to_string).collect();
    assert_eq!(names, ["d6", "d20", "d%", "dF"]);
    assert!(Die::Percent.same_as(&Die::Sides(100)) && !Die::Percent.same_as(&Die::Sides(10)));
    assert_eq!(read("1d{3,1,3}").dice()[0].weights(), [(1, 1), (3, 2)]);
    assert_eq!(Die::FateOne.weights(), [(-1, 1), (0, 4), (1, 1)]);
}

#[test]
fn constants() {
    assert_eq!(read("5").constant(), Some(5));
    assert_eq!(read("-7 / 2").constant(), Some(-4));
    assert_eq!(
        read("round(2.5) + ceil(0.1) + max(1, 2)").constant(),
        Some(6)
    );
    assert_eq!(read("{1, 2, 3}kh2").constant(), Some(5));
    assert_eq!(read("1d6 * 0").constant(), None);
    assert_eq!(read("5 vs 1d6").constant(), None);
    assert_eq!(read("1000000000.000000").constant(), Some(1_000_000_000));
    // 2^53 - 1, the largest whole number that every reader of JSON keeps.
    let most = "1000000000*9007199+254740991";
    assert_eq!(read(most).constant(), Some(9_007_199_254_740_991));
    let least = "-1000000000*9007199-254740991";
    assert_eq!(read(least).constant(), Some(-9_007_199_254_740_991));
}

#[test]
fn the_main_die_is_replaced() {
    let replace = |text: &str, with: &str| {
        read(text)
            .replace_main_die(&read(with))
            .map(|expression| expression.to_string())
    };
    assert_eq!(replace("1d20 + 5", "2d20kh1").unwrap(), "2d20kh1 + 5");
    assert_eq!(
        replace("1d20ro1t15[hit] + 2", "3d20kl1").unwrap(),
        "3d20ro1kl1t15[hit] + 2"
    );
    assert_eq!(replace("1d%", "1d%b1").unwrap(), "1d%b1");
    assert_eq!(
        replace("2d6", "3d6kh2").unwrap_err().code,
        Code::InvalidAdvantageUsage
    );
    assert_eq!(
        replace("1d6", "1d6 + 1").unwrap_err().code,
        Code::InvalidAdvantageUsage
    );
    assert_eq!(
        replace("1d6kh1", "2d6kh1").unwrap_err().code,
        Code::Duplicate
    );
}

#[test]
fn the_main_die_steps_along_a_chain() {
    let step = |text: &str, die| {
        read(text)
            .with_main_die(die)
            .map(|expression| expression.to_string())
    };
    assert_eq!(step("1d20 + 1d6", Die::Sides(24)).unwrap(), "1d24 + 1d6");
    assert_eq!(
        step("1d8t8", Die::Sides(6)).unwrap_err().code,
        Code::NoEffect
    );
    assert_eq!(step("5", Die::Sides(6)).unwrap_err().code, Code::InvalidDie);
    assert_eq!(
        (read("3d8 + 1d4").main_die(), read("3d8 + 1d4").main_count()),
        (Some(Die::Sides(8)), 3)
    );
    assert_eq!((read("5").main_die(), read("5").main_count()), (None, 0));
}

#[test]
fn a_roll_is_plain_data() {
    let roll = crate::tests::roll("2d20kh1 + 5 vs 15 # hit", &[3, 12]);
    let json = serde_json::to_string(&roll).unwrap();
    assert_eq!(
        json,
        concat!(
            r#"{"expression":"2d20kh1 + 5 vs 15 # hit","terms":[{"type":"dice","count":2,"sides":20,"notation":"2d20kh1","#,
            r#""dice":[{"rolls":[{"value":3,"reason":"initial"}],"value":3,"kept":false},"#,
            r#"{"rolls":[{"value":12,"reason":"initial"}],"value":12,"kept":true}],"kept":[12],"subtotal":12,"mode":"advantage"},"#,
            r#"{"type":"constant","value":5,"subtotal":5}],"total":17,"verdict":{"test":"vs","target":15,"margin":2,"success":true},"#,
            r#""explanation":"d20(advantage): [3, 12] keep 12; + 5 = 17 vs 15: success by 2 # hit","comment":"hit"}"#
        )
    );
}

#[test]
fn a_script_gives_its_faces_and_no_others() {
    let mut script = ScriptedRoller::new([3, 7, 0]);
    assert_eq!(script.source(), "pinned");
    assert_eq!(script.draw(1, 6), Ok(3));
    let error = script.draw(1, 6).unwrap_err();
    assert_eq!(
        error.to_string(),
        "Given die number 2 shows 7, which this die does not have (1 to 6)."
    );
    let error = script.pick(&[1, 1, 2]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "Given die number 3 shows 0, which this die does not have (1, 2)."
    );
    assert_eq!(script.draw(1, 6), Err(DrawError::TooFew { used: 3 }));
}

#[test]
fn a_roll_that_cannot_be_made_says_so() {
    let mut script = ScriptedRoller::new([3]);
    let error = parse("2d6").unwrap().roll(&mut script).unwrap_err();
    assert_eq!(error.code, Code::DrawFailed);
    assert_eq!(
        error.message,
        "The given dice ran out after 1: one more is needed."
    );
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
    for (low, high) in [
        (1, 1),
        (-1, 1),
        (0, 9),
        (1, 1000),
        (i64::MIN + 1, -1),
        (-5_000_000_000, 5_000_000_000),
    ] {
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
