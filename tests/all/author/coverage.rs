//! What of the rules no playtest reaches is named with its line and the call that would reach it;
//! following that reaches it.

use rollbook_rules::builtin::TEMPLATES;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::process::{Came, ran};
use crate::table::{each, has};

const RULES: &str = "# Lanterns

## Attributes

- Arms
- Modifier: `{score}`

## Checks

### Strike

- For: attacks
- Roll: `2d6 + {modifier}`
- Target: 8
- Again Push: reroll all

| Outcome | When | Damage |
|---|---|---|
| Hard (critical success) | natural 6 | twice |
| Hit (success) | margin 0+ | once |
| Miss (failure) | otherwise | none |

### Flee

- Roll: `1d6`
- Target: `4`

| Outcome | When |
|---|---|
| Away (success) | margin 0+ |
| Caught (failure) | otherwise |

## Attacks

| Attack | Attribute | Damage |
|---|---|---|
| Lamp | Arms | 1d4 |

## Health

- Health: max 6
- Luck: from 0 to 3, start 3
- Damage: Health
- Coat: subtract {Coat}
- At 0 Health: gain Dazed
- Short rest: Health to max

## Conditions

- Dazed: -1 on checks
- Wet: -1 on checks

## Omens

| d4 | Omen |
|---|---|
| 1-2 | a bell |
| 3-4 | no bell |

## Examples

";

const FIRST: &str = "```playtest A blow
character Ann: Arms 1
character Bo: npc, Arms 0, Health 6
> skill_check character=Ann check=Strike attribute=Arms target=Bo damage=1d6
dice 4 4 3
= outcome: success
> apply_damage target=Ann amount=1
```
";

const SECOND: &str = "```playtest All the others
character Ann: Arms 1
character Bo: npc, Arms 0, Health 6
> manage_character action=update character=Bo tracks={\"Coat\": 1}
> skill_check character=Ann attack=Lamp target=Bo
dice 6 1 1
= outcome: critical_success
> skill_check character=Ann attack=Lamp target=Bo
dice 1 1
> skill_check again=\"last push\" character=Ann
dice 1 2
> skill_check check=Flee character=Ann
dice 6
> skill_check check=Flee character=Ann
dice 1
> apply_damage target=Ann track=Luck amount=1
> apply_damage target=Ann amount=6
> apply_damage target=Bo amount=0 apply_conditions=[\"Wet\"]
> apply_damage target=Bo amount=2
> manage_character action=rest kind=\"Short rest\"
> roll_dice table=Omens
dice 3
```
";

fn adventure(playtests: &str) -> TempDir {
    let folder = TempDir::new().expect("a folder");
    std::fs::write(
        folder.path().join("System.md"),
        format!("{RULES}{playtests}"),
    )
    .expect("written");
    folder
}

/// What `rollbook test` says in that folder: exit code, answer, the rest.
fn tested(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let Came { code, out, err } = ran(folder, &[&["test"], arguments].concat());
    (Some(code), out, err)
}

#[test]
fn what_no_playtest_reaches_is_named_with_its_line_and_the_call_that_would() {
    let folder = adventure(FIRST);
    let (code, out, _) = tested(folder.path(), &["--coverage"]);
    assert_eq!(code, Some(0), "{out}");
    let line = |text: &str| {
        1 + RULES
            .lines()
            .position(|line| line.starts_with(text))
            .expect("a line")
    };
    let missed = out.split_once("No playtest reaches\n").expect("a list").1;
    let missed: Vec<(&str, &str)> = missed
        .lines()
        .collect::<Vec<_>>()
        .chunks(2)
        .map(|two| (two[0], two[1].trim()))
        .collect();
    let expected = [
        ("### Flee", "check Flee", "> skill_check check=\"Flee\""),
        (
            "| Hard",
            "row Strike: Hard, natural 6",
            "> skill_check check=\"Strike\", with dice that come to natural 6",
        ),
        (
            "| Miss",
            "row Strike: Miss, otherwise",
            "> skill_check check=\"Strike\", with dice that come to none of the rows above it",
        ),
        (
            "| Away",
            "row Flee: Away, margin 0+",
            "> skill_check check=\"Flee\", with dice that come to margin 0+",
        ),
        (
            "| Caught",
            "row Flee: Caught, otherwise",
            "> skill_check check=\"Flee\", with dice that come to none of the rows above it",
        ),
        (
            "- Again Push",
            "follow-up Strike: Push",
            "> skill_check again=\"last Push\", after a skill_check of Strike",
        ),
        (
            "- Luck",
            "track Luck",
            "> apply_damage target=\"…\" track=\"Luck\" amount=1",
        ),
        (
            "- Coat",
            "mitigation Coat",
            "> apply_damage target=\"…\" amount=5, to somebody who has Coat",
        ),
        (
            "- At 0",
            "trigger At 0 Health: gain Dazed",
            "a call that brings about: At 0 Health",
        ),
        (
            "- Dazed",
            "condition Dazed",
            "> apply_damage target=\"…\" amount=0 apply_conditions=[\"Dazed\"]",
        ),
        (
            "- Wet",
            "condition Wet",
            "> apply_damage target=\"…\" amount=0 apply_conditions=[\"Wet\"]",
        ),
        (
            "| Lamp",
            "attack Lamp",
            "> skill_check character=\"…\" attack=\"Lamp\" target=\"…\"",
        ),
        (
            "- Short rest",
            "rest Short rest",
            "> manage_character action=rest kind=\"Short rest\"",
        ),
        ("| d4", "table Omens", "> roll_dice table=\"Omens\""),
    ];
    let mut expected: Vec<(String, &str)> = expected
        .map(|(at, what, advice)| (format!("System.md:{}: {what}", line(at)), advice))
        .to_vec();
    // In the order of the report; rows of one check stand under it.
    expected.sort_by_key(|(row, _)| missed.iter().position(|(other, _)| other == row));
    assert_eq!(
        missed,
        expected
            .iter()
            .map(|(row, advice)| (row.as_str(), *advice))
            .collect::<Vec<_>>()
    );
    let summary = "Coverage 17 %: checks 1 of 2, rows 1 of 5, follow-ups 0 of 1, tracks 1 of 2, mitigations 0 of 1, triggers 0 of 1, \
                   conditions 0 of 2, attacks 0 of 1, rests 0 of 1, tables 0 of 1.";
    assert!(out.contains(summary), "{out}");
}

#[test]
fn playtests_that_make_those_calls_reach_all_of_it() {
    let folder = adventure(&format!("{FIRST}\n{SECOND}"));
    let (code, out, err) = tested(folder.path(), &["--coverage=100"]);
    assert_eq!(code, Some(0), "{out}{err}");
    has(&out, &["Coverage 100 %: checks 2 of 2, rows 5 of 5"]);
    assert!(!out.contains("No playtest reaches"), "{out}");
    let one = ["--only", "A blow"];
    let (code, out, err) = tested(folder.path(), &[&one[..], &["--coverage=50"]].concat());
    assert_eq!(code, Some(1), "{out}");
    assert_eq!(
        err,
        "The playtests reach 17 % of the rules, and --coverage=50 asks for more.\n"
    );
    assert!(!tested(folder.path(), &one).1.contains("Coverage"));
}

#[test]
fn the_playtests_of_each_template_reach_every_check_and_every_row() {
    let folder = TempDir::new().expect("a folder");
    for (name, _) in TEMPLATES {
        ran(folder.path(), &["new", name, "--template", name]).ends(0);
        let (_, out, _) = tested(folder.path(), &[name, "--coverage", "--format", "json"]);
        let json: Value = serde_json::from_str(&out).expect("JSON");
        let missed = each(&json["coverage"]["missed"]);
        let missed: Vec<&Value> = missed
            .filter(|part| {
                ["check", "row", "follow-up"]
                    .iter()
                    .any(|kind| part["kind"] == *kind)
            })
            .collect();
        assert!(
            missed.is_empty() && json["failed"] == 0,
            "{name}: {missed:?}"
        );
    }
}

#[test]
fn programs_get_it_as_json_and_build_servers_as_before() {
    let folder = adventure(FIRST);
    let (_, out, _) = tested(folder.path(), &["--coverage", "--format", "json"]);
    let json: Value = serde_json::from_str(&out).expect("JSON");
    let of = &json["coverage"];
    let rows = &of["counts"]["rows"];
    assert_eq!(
        json!([of["percent"], rows["reached"], rows["all"]]),
        json!([17, 1, 5])
    );
    let hard = &of["missed"][0];
    let line = 1 + RULES
        .lines()
        .position(|line| line.starts_with("| Hard"))
        .expect("a line");
    assert_eq!(
        (&hard["kind"], &hard["file"], &hard["line"]),
        (&"row".into(), &"System.md".into(), &line.into())
    );
    assert_eq!(
        hard["reached_by"],
        "> skill_check check=\"Strike\", with dice that come to natural 6"
    );
    assert!(
        tested(folder.path(), &["--format", "json"])
            .1
            .find("coverage")
            .is_none()
    );
}
