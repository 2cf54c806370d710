//! Formulas and their variables.

use crate::{BindError, Bound, Code, parse, parse_formula};

fn bound(text: &str, values: &[(&str, i64)]) -> String {
    let formula = parse_formula(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    assert_eq!(
        parse_formula(&formula.to_string()).unwrap(),
        formula,
        "{text}"
    );
    let mut lookup = |name: &str| {
        values
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| *value)
    };
    match formula.bind(&mut lookup) {
        Ok(expression) => {
            assert_eq!(parse(expression.as_str()).unwrap(), expression, "{text}");
            expression.to_string()
        }
        Err(error) => format!("{error}"),
    }
}

#[test]
fn values_take_the_places_of_variables() {
    let n = |value| [("n", value)];
    assert_eq!(bound("1d20+{n}", &n(5)), "1d20 + 5");
    assert_eq!(bound("1d20+{n}", &n(-1)), "1d20 - 1");
    assert_eq!(bound("1d20-{n}", &n(-1)), "1d20 + 1");
    assert_eq!(bound("1d20+{n}", &n(0)), "1d20 + 0");
    assert_eq!(bound("{n}+1d20", &n(-2)), "-2 + 1d20");
    assert_eq!(bound("{n}d6kh1", &n(3)), "3d6kh1");
    assert_eq!(bound("1d{n}!", &n(8)), "1d8!");
    assert_eq!(bound("({n}+2)d6", &n(1)), "3d6");
    assert_eq!(bound("{n}d10[hunger]+1d10", &n(2)), "2d10[hunger] + 1d10");
    assert_eq!(bound("5d10t{n}", &n(8)), "5d10t8");
    assert_eq!(
        bound("1d20+{armour class}*2", &[("armour class", 3)]),
        "1d20 + 3 * 2"
    );
    assert_eq!(bound("1d20 vs {n}", &n(12)), "1d20 vs 12");
    assert_eq!(bound("min(10,1d6+{n})", &n(2)), "min(10, 1d6 + 2)");
    assert_eq!(bound("floor(({n}-10)/2)", &n(7)), "floor((7 - 10) / 2)");
    assert_eq!(
        bound("max(1d{n}!!,1d6!!)+{m=0}", &n(8)),
        "max(1d8!!, 1d6!!) + 0"
    );
}

#[test]
fn percentile_bonus_dice() {
    for (value, wanted) in [(0, "1d%"), (2, "1d%b2"), (-1, "1d%p1")] {
        assert_eq!(bound("d%b{bonus=0}", &[("bonus", value)]), wanted);
    }
    assert_eq!(bound("d%b{bonus=0}", &[]), "1d%");
}

#[test]
fn a_computed_count_of_zero_rolls_nothing() {
    assert_eq!(bound("{n}d6kh1", &[("n", 0)]), "0");
    assert_eq!(bound("({a}+{b})d6+2", &[("a", 1), ("b", -1)]), "0 + 2");
    assert_eq!(bound("{n}d6", &[("n", -1)]), "There is no roll of -1 dice.");
}

#[test]
fn missing_variables_are_listed() {
    let formula = parse_formula("1d20 + {STR} + {skill} + {STR} + {x=1} vs {target}").unwrap();
    let error = formula.bind(&mut |_| None).unwrap_err();
    let wanted = ["STR", "skill", "target"].map(str::to_owned).to_vec();
    assert_eq!(error, BindError::Missing(wanted));
    let names: Vec<_> = formula
        .variables()
        .into_iter()
        .map(|variable| variable.name)
        .collect();
    assert_eq!(names, ["STR", "skill", "STR", "x", "target"]);
    assert_eq!(formula.variables()[1].span, 15..22);
}

#[test]
fn a_variable_may_stand_for_dice() {
    let pool = |text: &str, dice: &str| {
        let formula = parse_formula(text).unwrap();
        assert_eq!(parse_formula(&formula.to_string()).unwrap(), formula);
        formula
            .bind_with(&mut |_| Some(Bound::Dice(dice.to_owned())))
            .map(|expression| expression.to_string())
    };
    assert_eq!(
        pool("{{pool}}kh2", "d8,d6,d10").unwrap(),
        "{1d8, 1d6, 1d10}kh2"
    );
    assert_eq!(pool("1d20 + {bonus}", "1d4+1").unwrap(), "1d20 + (1d4 + 1)");
    assert!(
        matches!(pool("{n}d6", "d4"), Err(BindError::Dice(error)) if error.code == Code::InvalidDie)
    );
    assert!(matches!(pool("1 + {n}", "d8,d6"), Err(BindError::Dice(_))));
}

#[test]
fn what_a_binding_makes_impossible_is_refused() {
    let bind = |text: &str, value| {
        parse_formula(text)
            .unwrap()
            .bind(&mut |_| Some(value))
            .unwrap_err()
    };
    let code = |error| match error {
        BindError::Dice(error) => error.code,
        BindError::Missing(_) => panic!(),
    };
    assert_eq!(code(bind("1d{n}", 0)), Code::InvalidDie);
    assert_eq!(code(bind("{n}d6kh3", 2)), Code::InvalidKeep);
    assert_eq!(code(bind("1d6/{n}", 0)), Code::DivZero);
    assert_eq!(code(bind("{n}d6", 2000)), Code::LimitExceeded);
    assert_eq!(code(bind("1d20+{n}", 2_000_000_000)), Code::LimitExceeded);
}

#[test]
fn a_bound_formula_can_be_read_again() {
    let formula = parse_formula(&format!("1d20{}", " + {n}".repeat(80))).unwrap();
    assert!(formula.bind(&mut |_| Some(1)).is_ok());
    let error = formula.bind(&mut |_| Some(1_000_000)).unwrap_err();
    assert!(matches!(error, BindError::Dice(error) if error.code == Code::LimitExceeded));
    let deep = parse_formula(&format!("{}{{n}}{}", "(1 + ".repeat(31), ")".repeat(31))).unwrap();
    let dice = format!("{}1{}", "(1 + ".repeat(20), ")".repeat(20));
    let error = deep
        .bind_with(&mut |_| Some(Bound::Dice(dice.clone())))
        .unwrap_err();
    assert!(matches!(error, BindError::Dice(error) if error.code == Code::LimitExceeded));
}

#[test]
fn groups_and_faces_are_not_variables() {
    assert!(
        parse_formula("{4d6, 3d8}kh1")
            .unwrap()
            .variables()
            .is_empty()
    );
    assert!(parse_formula("1d{1,2,3}").unwrap().variables().is_empty());
    assert_eq!(parse_formula("{4d6}kh3").unwrap_err().code, Code::Ambiguous);
    assert_eq!(
        parse_formula("1d20 + {x=y}").unwrap_err().code,
        Code::UnparseableInput
    );
}

#[test]
fn numbers_of_dice_sides_and_modifiers_are_worked_out() {
    let all = [("a", 3), ("b", 5)];
    for (text, wanted) in [
        ("({a} + 2 * ({b} > 4))d6", "5d6"),
        ("1d({a} + 3)", "1d6"),
        ("{b}d6kh({a} - 1)", "5d6kh2"),
        ("{b}d6kh({a} - 3) + 1", "0 + 1"),
        ("{b}d6kh({a} * 2)", "5d6"),
        ("{b}d6dh({b} + 1)", "0"),
        ("{b}d6dl({a} - 4)", "5d6"),
        ("5d10t({a} + {b=1})", "5d10t8"),
        ("2d6ro({a} - 2) + 1", "2d6ro1 + 1"),
        ("{2d6, 1d8}kh({a} - 2)", "{2d6, 1d8}kh1"),
        ("{2d6, 1d8}kl{a}", "{2d6, 1d8}"),
        ("4d6kh(1 + 1)", "4d6kh2"),
    ] {
        assert_eq!(bound(text, &all), wanted, "{text}");
    }
    let names: Vec<_> = parse_formula("{b}d({c})kh({a} + {d=1})")
        .unwrap()
        .variables();
    let names: Vec<_> = names.into_iter().map(|variable| variable.name).collect();
    assert_eq!(names, ["b", "c", "a", "d"]);
    let missing = parse_formula("2d6kh({a} + {b})")
        .unwrap()
        .bind(&mut |_| None)
        .unwrap_err();
    assert_eq!(
        missing,
        BindError::Missing(vec!["a".to_owned(), "b".to_owned()])
    );
    assert_eq!(bound("2d({a} - 3)", &all), "There is no die with 0 sides.");
    assert_eq!(
        bound("2d6kh({a} / 2)", &all),
        "A number of dice, of sides, or of what is kept is whole, not 3/2."
    );
    assert_eq!(
        parse_formula("2d6kh(1d4 + {a})").unwrap_err().code,
        Code::InvalidDie
    );
}

#[test]
fn what_the_sheet_decides_is_decided_before_the_roll() {
    let with = |wounds: i64, text: &str| bound(text, &[("w", wounds)]);
    let worse = "if({w} > 2, 2d20kl1, 1d20) + {w}";
    assert_eq!(
        (with(2, worse), with(3, worse)),
        ("1d20 + 2".to_owned(), "2d20kl1 + 3".to_owned())
    );
    // What is not chosen need not be possible.
    let share = "if({w} > 0, {w}d6 + floor(6 / {w}), 1d4)";
    assert_eq!(
        (with(0, share), with(2, share)),
        ("1d4".to_owned(), "2d6 + floor(6 / 2)".to_owned())
    );
    let nested = "2 * if({w} = 1, 10, if({w} = 2 or {w} = 3, 1d8, 0))";
    assert_eq!(
        (with(1, nested), with(3, nested), with(4, nested)),
        ("2 * 10".into(), "2 * 1d8".into(), "2 * 0".into())
    );
    let formula = parse_formula("if({w} > 2, {w}d6, 1d20)").unwrap();
    let mut lookup = |_: &str| Some(Bound::Number(4));
    assert_eq!(
        formula
            .settled(&mut lookup)
            .unwrap()
            .main_count(&mut lookup)
            .unwrap(),
        Some(4)
    );
    assert_eq!(
        parse_formula("if((1d6) > {w}, 1d6, 0)")
            .unwrap()
            .bind(&mut |_| Some(3))
            .map(drop)
            .unwrap_err()
            .to_string(),
        "Which dice are thrown is known before the first of them falls."
    );
}
