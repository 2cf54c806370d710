//! Published families of games load, and what is not carried out is said.

use super::{errors, findings, system_md};
use crate::rules::{Facts, Outcome};

const SYSTEMS: [(&str, &str); 8] = [
    ("5e", include_str!("systems/5e.md")),
    ("blades", include_str!("systems/blades.md")),
    ("coc", include_str!("systems/coc.md")),
    ("fate", include_str!("systems/fate.md")),
    ("ironsworn", include_str!("systems/ironsworn.md")),
    ("pbta", include_str!("systems/pbta.md")),
    ("pf2e", include_str!("systems/pf2e.md")),
    ("savage", include_str!("systems/savage.md")),
];

fn system(name: &str) -> crate::rules::System {
    let text = SYSTEMS.iter().find(|(own, _)| *own == name).expect("a system").1;
    system_md(text).system
}

#[test]
fn every_family_loads_without_an_error() {
    for (name, text) in SYSTEMS {
        let reading = system_md(text);
        assert_eq!(errors(&reading), 0, "{name}: {:#?}", findings(&reading));
        assert!(!reading.system.checks.is_empty(), "{name}");
    }
}

#[test]
fn nothing_is_found_in_any_family() {
    for (name, text) in SYSTEMS {
        let reading = system_md(text);
        assert_eq!(findings(&reading), Vec::<String>::new(), "{name}");
        assert!(text.lines().count() <= 40, "{name}");
    }
}

#[test]
fn attack_rows_win_from_the_top() {
    let system = system("5e");
    let attack = system.check("attack").expect("a check");
    let judge = |natural: i64, margin: i64| {
        let facts = Facts { natural: Some(natural), margin: Some(margin), ..Facts::default() };
        let judged = attack.judge(&facts).expect("a judgement");
        (judged.outcome, judged.label, judged.place.to_string())
    };
    assert_eq!(judge(20, -9), (Outcome::CriticalSuccess, "Critical hit".into(), "System.md:28".into()));
    assert_eq!(judge(1, 9), (Outcome::CriticalFailure, "Miss".into(), "System.md:29".into()));
    assert_eq!(judge(12, 0), (Outcome::Success, "Hit".into(), "System.md:30".into()));
    assert_eq!(judge(12, -1), (Outcome::Failure, "Miss".into(), "System.md:31".into()));
}

#[test]
fn percentile_rows_compare_with_parts_of_the_target() {
    let system = system("coc");
    let check = &system.checks[0];
    let judge = |total: i64, target: i64| {
        let facts = Facts { total, target: Some(target), margin: Some(target - total), ..Facts::default() };
        check.judge(&facts).expect("a judgement").label
    };
    assert_eq!(judge(1, 5), "Critical success");
    assert_eq!([judge(100, 90), judge(96, 49), judge(96, 50)], ["Fumble", "Fumble", "Failure"]);
    assert_eq!(
        [judge(9, 47), judge(10, 47), judge(23, 47), judge(24, 47)],
        ["Extreme success", "Hard success", "Hard success", "Regular success"]
    );
}

#[test]
fn a_row_carries_its_text() {
    let system = system("fate");
    let judge = |margin: i64| system.checks[0].judge(&Facts { margin: Some(margin), ..Facts::default() });
    let style = judge(3).expect("a judgement");
    assert_eq!((style.label.as_str(), style.text.as_deref()), ("Succeed with style", Some("and gain a boost")));
    assert_eq!(judge(1).expect("a judgement").text, None);
    assert_eq!(judge(0).expect("a judgement").rank, Some(3));
}
