//! `rollbook show`: the model, each item with its line.

use serde_json::Value;

use crate::author::bench::Bench;
use crate::process::LOCKHOUSE;

#[test]
fn every_item_has_a_line_that_holds_it() {
    let bench = Bench::empty();
    let model: Value = serde_json::from_str(&bench.run(&["show", LOCKHOUSE, "--json"]).ends(0).out).expect("JSON");
    let text = std::fs::read_to_string(format!("{LOCKHOUSE}/System.md")).expect("the rules");
    let lines: Vec<&str> = text.lines().collect();
    let mut seen = 0;
    for kind in ["attributes", "skills", "checks", "tracks", "triggers", "rests", "conditions", "sections"] {
        for item in model[kind].as_array().expect("a list") {
            let at = item["at"].as_str().unwrap_or_else(|| panic!("{kind} {item} has a place"));
            let line: usize = at.strip_prefix("System.md:").and_then(|line| line.parse().ok()).expect("a line");
            if ["attributes", "skills", "tracks", "rests"].contains(&kind) {
                let name = item["name"].as_str().expect("a name");
                assert!(lines[line - 1].contains(name), "{name} stands in line {line}: {}", lines[line - 1]);
            }
            seen += 1;
        }
    }
    assert!(seen > 30, "{seen}");
    assert_eq!(model["skills"][3]["attribute"], "Dexterity");
    assert_eq!(model["title"], "The Lockhouse: rules of play");
}

#[test]
fn a_person_reads_a_table() {
    let said = Bench::empty().run(&["show", LOCKHOUSE]);
    said.ends(0).says("Lockpicking").says("System.md:44");
    Bench::empty().run(&["show"]).ends(0).says("A narrative adventure");
}

#[test]
fn rows_of_a_check_have_their_lines() {
    let bench = Bench::empty();
    bench.run(&["new", ".", "--template", "pbta"]).ends(0);
    let model: Value = serde_json::from_str(&bench.run(&["show", "--json"]).out).expect("JSON");
    let rows = model["checks"][0]["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[1]["label"], "Weak hit");
    assert_eq!(rows[1]["outcome"], "partial_success");
    let line = rows[1]["at"].as_str().and_then(|at| at.strip_prefix("System.md:")).expect("a place");
    let line: usize = line.parse().expect("a number");
    assert!(bench.read("System.md").lines().nth(line - 1).expect("a line").contains("Weak hit"));
}

#[test]
fn what_health_and_conditions_do_is_shown_to_people_and_programs() {
    let rules = "# T\n\n## Attributes\n- Wits\n- Brawn\n\n## Checks\n\n### Try\n- Roll: `1d6`\n- Again Push: reroll all; after failure\n- Flag odd: natural 1; after Push\n\n\
                 ## Health\n- Damage: Ward, Wits, Brawn\n- Stress: soak 1, 2\n- Wounds: 3 boxes, over: gain Incapacitated\n\
                 - One hit 5+: Wounds +`floor(({hit} - 5) / 4)`\n- Armour: subtract {Armour}\n- Ward: from 0, keeps larger\n\
                 - Long rest: Wounds -1, Stress to 0\n\n\
                 ## Conditions\n- Dazed (1-3): -{Dazed} on checks, for 3 rounds, *no running*\n";
    let bench = Bench::of(rules);
    let model: Value = serde_json::from_str(&bench.run(&["show", "--json"]).ends(0).out).expect("JSON");
    assert_eq!(model["damage"][0]["stages"], serde_json::json!([["Ward"], ["Wits"], ["Brawn"]]));
    for (kind, at) in [
        ("damage", "System.md:15"),
        ("marks", "System.md:16"),
        ("tracks", "System.md:17"),
        ("triggers", "System.md:17"),
        ("defences", "System.md:19"),
    ] {
        assert_eq!(model[kind][0]["at"], at, "{kind}: {}", model[kind]);
    }
    assert_eq!(model["tracks"][1]["keeps_larger"], true);
    assert_eq!(model["triggers"][1]["effects"], serde_json::json!(["Wounds +`floor(({hit} - 5) / 4)`"]));
    assert_eq!(model["rests"][0]["effects"], serde_json::json!(["Wounds -1", "Stress to 0"]));
    let bullets = &model["checks"][0]["bullets"];
    let push = serde_json::json!({"label": "Again Push", "is": "reroll all, after failure", "at": "System.md:11"});
    assert_eq!((&bullets[1], &bullets[2]["is"]), (&push, &serde_json::json!("natural 1, after Push")));
    let dazed = &model["conditions"][0];
    assert_eq!(dazed["levels"], serde_json::json!([1, 3]));
    assert_eq!(dazed["effects"], serde_json::json!(["-{Dazed} on checks"]));
    assert_eq!(dazed["lasts"], "for 3 rounds");
    let said = bench.run(&["show"]);
    said.ends(0).says("for 3 rounds").says("Ward, then Wits, then Brawn").says("Wounds -1, Stress to 0");
}
