//! Formulas and their variables.

use crate::dice::{BindError, Bound, Code, parse, parse_formula};

fn bound(text: &str, values: &[(&str, i64)]) -> String {
    let formula = parse_formula(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    assert_eq!(parse_formula(&formula.to_string()).unwrap(), formula, "{text}");
    let mut lookup = |name: &str| values.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
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
    assert_eq!(bound("1d20+{armour class}*2", &[("armour class", 3)]), "1d20 + 3 * 2");
    assert_eq!(bound("1d20 vs {n}", &n(12)), "1d20 vs 12");
    assert_eq!(bound("min(10,1d6+{n})", &n(2)), "min(10, 1d6 + 2)");
    assert_eq!(bound("floor(({n}-10)/2)", &n(7)), "floor((7 - 10) / 2)");
    assert_eq!(bound("max(1d{n}!!,1d6!!)+{m=0}", &n(8)), "max(1d8!!, 1d6!!) + 0");
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
    let names: Vec<_> = formula.variables().into_iter().map(|variable| variable.name).collect();
    assert_eq!(names, ["STR", "skill", "STR", "x", "target"]);
    assert_eq!(formula.variables()[1].span, 15..22);
}

#[test]
fn a_variable_may_stand_for_dice() {
    let pool = |text: &str, dice: &str| {
        let formula = parse_formula(text).unwrap();
        assert_eq!(parse_formula(&formula.to_string()).unwrap(), formula);
        formula.bind_with(&mut |_| Some(Bound::Dice(dice.to_owned()))).map(|expression| expression.to_string())
    };
    assert_eq!(pool("{{pool}}kh2", "d8,d6,d10").unwrap(), "{1d8, 1d6, 1d10}kh2");
    assert_eq!(pool("1d20 + {bonus}", "1d4+1").unwrap(), "1d20 + (1d4 + 1)");
    assert!(matches!(pool("{n}d6", "d4"), Err(BindError::Dice(error)) if error.code == Code::InvalidDie));
    assert!(matches!(pool("1 + {n}", "d8,d6"), Err(BindError::Dice(_))));
}

#[test]
fn what_a_binding_makes_impossible_is_refused() {
    let bind = |text: &str, value| parse_formula(text).unwrap().bind(&mut |_| Some(value)).unwrap_err();
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
    let error = deep.bind_with(&mut |_| Some(Bound::Dice(dice.clone()))).unwrap_err();
    assert!(matches!(error, BindError::Dice(error) if error.code == Code::LimitExceeded));
}

#[test]
fn groups_and_faces_are_not_variables() {
    assert!(parse_formula("{4d6, 3d8}kh1").unwrap().variables().is_empty());
    assert!(parse_formula("1d{1,2,3}").unwrap().variables().is_empty());
    assert_eq!(parse_formula("{4d6}kh3").unwrap_err().code, Code::Ambiguous);
    assert_eq!(parse_formula("1d20 + {x=y}").unwrap_err().code, Code::UnparseableInput);
}
