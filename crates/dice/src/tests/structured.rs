//! The structured form.

use crate::{Structured, parse};

fn form(json: &str) -> Structured {
    serde_json::from_str(json).unwrap()
}

fn faults(json: &str) -> Vec<(String, String)> {
    let faults = form(json).expression().unwrap_err();
    faults
        .into_iter()
        .map(|fault| (fault.parameter, fault.valid_range))
        .collect()
}

#[test]
fn canonical_texts() {
    let pairs = [
        (
            r#"{"dice_count":4,"dice_sides":6,"keep_highest":3}"#,
            "4d6kh3",
        ),
        (r#"{"dice_sides":20,"modifier":-2}"#, "1d20 - 2"),
        (
            r#"{"dice_sides":20,"modifier":0,"min_value":1,"reroll":[],"exploding":false}"#,
            "1d20",
        ),
        (
            r#"{"dice_count":8,"dice_sides":10,"reroll":[2,1,1],"exploding":true,"min_value":3,"drop_lowest":1,"target_number":7,"modifier":2}"#,
            "8d10ro1ro2!min3dl1t7 + 2",
        ),
        (
            r#"{"dice_count":2,"dice_sides":20,"keep_lowest":1}"#,
            "2d20kl1",
        ),
        (r#"{"dice_count":3,"dice_sides":1}"#, "3d1"),
    ];
    for (json, wanted) in pairs {
        let expression = form(json)
            .expression()
            .unwrap_or_else(|faults| panic!("{json}: {faults:?}"));
        assert_eq!(expression.as_str(), wanted);
        assert_eq!(parse(wanted).unwrap(), expression);
    }
}

#[test]
fn every_fault_is_reported_at_once() {
    let found = faults(
        r#"{"dice_count":0,"dice_sides":101,"keep_highest":0,"drop_lowest":1,"reroll":[0],"target_number":200,"min_value":-1,"modifier":5000000000}"#,
    );
    let wanted = [
        ("dice_count", "1-1000"),
        ("dice_sides", "1-100"),
        ("modifier", "-1000000000 to 1000000000"),
        ("keep_highest", "1-1000"),
        (
            "drop_lowest",
            "only one of keep_highest, keep_lowest, drop_highest, drop_lowest",
        ),
        ("reroll", "faces from 1 to 100"),
        ("min_value", "1-99"),
        ("target_number", "2-100"),
    ];
    let wanted = wanted.map(|(parameter, range)| (parameter.to_owned(), range.to_owned()));
    assert_eq!(found, wanted);
}

#[test]
fn single_faults() {
    for (json, parameter, range) in [
        ("{}", "dice_sides", "1-100"),
        (
            r#"{"dice_sides":6,"keep_highest":2}"#,
            "keep_highest",
            "1-1",
        ),
        (
            r#"{"dice_sides":6,"drop_lowest":1}"#,
            "drop_lowest",
            "leave it out",
        ),
        (r#"{"dice_sides":1,"exploding":true}"#, "exploding", "false"),
        (
            r#"{"dice_sides":2,"reroll":[1,2]}"#,
            "reroll",
            "faces from 1 to 2",
        ),
        (
            r#"{"dice_sides":6,"min_value":3,"target_number":3}"#,
            "target_number",
            "4-6",
        ),
        (r#"{"dice_sides":6,"min_value":6}"#, "min_value", "1-5"),
    ] {
        assert_eq!(
            faults(json),
            [(parameter.to_owned(), range.to_owned())],
            "{json}"
        );
    }
}

#[test]
fn whatever_passes_can_be_rolled() {
    for count in [1, 2, 1000] {
        for sides in [1, 2, 6, 100] {
            let base = Structured {
                dice_count: Some(count),
                dice_sides: Some(sides),
                ..Structured::default()
            };
            assert!(base.expression().is_ok());
            for value in 1..=sides {
                let forms = [
                    Structured {
                        target_number: Some(value),
                        ..base.clone()
                    },
                    Structured {
                        min_value: Some(value),
                        ..base.clone()
                    },
                    Structured {
                        reroll: Some(vec![value]),
                        exploding: Some(true),
                        ..base.clone()
                    },
                ];
                for form in forms {
                    if let Err(faults) = form.expression() {
                        assert!(
                            faults.iter().all(|fault| !fault.valid_range.contains('`')),
                            "{form:?} {faults:?}"
                        );
                    }
                }
            }
        }
    }
}
