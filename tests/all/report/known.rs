//! No figure of a players' report is another than the GM's without saying that it may be, and none
//! is 0 for what players do not know.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use rollbook_game::view::Audience;
use rollbook_record::report::Format;
use serde_json::{Value, json};

use super::rig::report;
use crate::table::{Table, with};

/// A fight with a character whom players do not see, and with initiative that was typed.
fn begun() -> Table {
    let mut table = Table::with_party();
    table.endless_dice(3);
    table.start(
        json!([{"name": "Jory", "initiative": 12}, {"name": "Sabeth", "initiative": 10},
        {"name": "Wrecker", "hp": 300, "initiative": 8, "attributes": {"DEX": 10, "STR": 10}},
        {"name": "Lurker", "hp": 50, "hidden": true, "initiative": 4}]),
    );
    table
}

/// What may happen next; a roll of which damage comes is used with the next.
fn steps() -> Vec<(&'static str, Value)> {
    let mut all = Vec::new();
    for visibility in ["public", "gm", "blind"] {
        let seen = json!({"visibility": visibility});
        for who in ["Jory", "Sabeth"] {
            let call = with(json!({"character": who}), seen.clone());
            all.push((
                "skill_check",
                with(json!({"skill": "Stealth", "difficulty": 12}), call.clone()),
            ));
            let sent = json!({"skill": "Melee", "target": "Wrecker", "damage": "1d6"});
            all.push(("skill_check", with(sent, call.clone())));
            all.push(("roll_dice", with(json!({"expression": "2d6"}), call)));
        }
    }
    for visibility in ["public", "gm"] {
        let seen = json!({"visibility": visibility});
        for call in [
            json!({"target": "Jory", "amount": 1}),
            json!({"target": "Jory", "amount": -1}),
            json!({"target": "Wrecker", "amount": 3}),
            json!({"target": "Wrecker", "roll": "last"}),
            json!({"target": "Jory", "roll": "last", "amount": 1}),
        ] {
            all.push(("apply_damage", with(call, seen.clone())));
        }
    }
    all.push(("manage_session", json!({"action": "undo"})));
    all.push(("manage_combat", json!({"action": "next_turn"})));
    all.push((
        "manage_combat",
        json!({"action": "set_initiative", "combatant": "Wrecker", "initiative": 9}),
    ));
    all.push((
        "manage_character",
        json!({"action": "update", "character": "Jory", "attributes": {"Strength": 19}, "override_reason": "a gift"}),
    ));
    all
}

/// Each cell of the tables of a section, by its table, row and column; a row is called by its cells
/// that are no numbers, and every cell is there once.
fn figures(markdown: &str, section: &str) -> BTreeMap<String, String> {
    let text = markdown
        .split_once(&format!("\n## {section}\n"))
        .expect("the section")
        .1;
    let text = text
        .split_once("\n## ")
        .map_or(text, |(section, _)| section);
    let (mut caption, mut columns): (&str, Vec<&str>) = ("", Vec::new());
    let mut cells = BTreeMap::new();
    for line in text.lines() {
        let Some(row) = line.strip_prefix('|') else {
            columns.clear();
            caption = if line.ends_with(':') { line } else { caption };
            continue;
        };
        let row: Vec<&str> = row
            .trim_end_matches('|')
            .split('|')
            .map(str::trim)
            .collect();
        if columns.is_empty() {
            columns = row;
        } else if !line.contains("---") {
            let words = if caption.starts_with("Checks by person") {
                2
            } else {
                1
            };
            let name = row[..words].join(", ");
            for (column, cell) in columns.iter().zip(&row).skip(words) {
                cells.insert(format!("{caption} {name}: {column}"), (*cell).to_owned());
            }
        }
    }
    cells
}

/// Whether a section says that it leaves something out.
fn says_what_it_leaves_out(markdown: &str, section: &str) -> bool {
    let text = markdown
        .split_once(&format!("\n## {section}\n"))
        .expect("the section")
        .1;
    text.split_once("\n## ")
        .map_or(text, |(section, _)| section)
        .contains("Not in them: ")
}

#[test]
fn every_figure_of_a_players_report_is_the_gms_or_says_what_it_leaves_out() {
    let steps = steps();
    let cases = std::env::var("ROLLBOOK_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok())
        .unwrap_or(4);
    let config = Config {
        max_shrink_iters: 30,
        failure_persistence: None,
        ..Config::with_cases(cases)
    };
    let run = TestRunner::new(config).run(&prop::collection::vec(0..steps.len(), 1..25), |order| {
        let mut table = begun();
        for nth in order {
            let (tool, arguments) = &steps[nth];
            table.call(tool, arguments.clone()).is_refused();
        }
        let [players, gm] = [Audience::Player, Audience::Gm]
            .map(|audience| report(&table, audience, Format::Markdown));
        for section in ["Luck", "Skills and damage", "The GM's hand"] {
            let (seen, whole) = (figures(&players, section), figures(&gm, section));
            for (name, cell) in &seen {
                let Some(real) = whole.get(name).filter(|real| *real != cell) else {
                    continue;
                };
                let says = cell.contains("shown")
                    || cell.contains("announced")
                    || cell.contains("seen")
                    || cell == "–";
                let is_left_out = says || says_what_it_leaves_out(&players, section);
                prop_assert!(is_left_out, "{}: {} for {}\n{}", name, cell, real, players);
                prop_assert!(cell != "0", "{}: 0 for {}\n{}", name, real, players);
            }
            // What is in the GM's edition alone is left out of the players', which says so.
            let lacks = whole
                .keys()
                .any(|name| !seen.contains_key(name) && section != "The GM's hand");
            prop_assert!(
                !lacks || says_what_it_leaves_out(&players, section),
                "{}\n{}",
                section,
                players
            );
        }
        Ok(())
    });
    run.unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
fn players_read_of_hidden_rolls_that_they_are_and_of_a_fighter_that_they_struck() {
    let mut table = begun();
    for nth in 0..20 {
        let visibility = if nth < 2 { "blind" } else { "gm" };
        table
            .roll_dice(json!({"expression": "1d20", "visibility": visibility}))
            .is_fine();
    }
    for _ in 0..3 {
        table
            .roll_dice(json!({"expression": "1d12", "character": "Jory"}))
            .is_fine();
        let struck = table.apply_damage(json!({"target": "Wrecker", "roll": "last"}));
        assert!(
            struck
                .player_text()
                .starts_with("Wrecker takes damage from Jory"),
            "{}",
            struck.player_text()
        );
    }
    let players = report(&table, Audience::Player, Format::Markdown);
    let hand = figures(&players, "The GM's hand");
    let of = |what: &str| {
        hand.iter()
            .find(|(name, _)| name.contains(what))
            .expect("a row")
            .1
            .as_str()
    };
    assert!(
        of("Rolls behind the screen: Entries").starts_with("2 announced; "),
        "{players}"
    );
    assert!(
        of("Rolls behind the screen: Entries").ends_with(" more sealed entries this session"),
        "{players}"
    );
    assert_eq!(
        of("Initiative that was typed in: Entries"),
        "2 shown",
        "{players}"
    );
    let row = players
        .lines()
        .find(|line| line.starts_with("| Jory | 3 |"))
        .unwrap_or_else(|| panic!("{players}"));
    assert!(
        row.starts_with("| Jory | 3 | not shown | not shown |"),
        "{row}"
    );
    let gm = figures(
        &report(&table, Audience::Gm, Format::Markdown),
        "Skills and damage",
    );
    assert_eq!(gm["Damage by person: Jory: Blows"], "3");
    let copy = table.export(
        Audience::Player,
        rollbook_record::export::Format::Db,
        "players.db",
    );
    let sql = "select distinct attacker from damage where target = 'Wrecker'";
    let attackers = crate::queries::in_file(&copy, |record| record.rows(sql));
    assert_eq!(json!(attackers), json!([{"attacker": "Jory"}]));
}

#[test]
fn a_check_that_is_asked_again_in_its_scene_is_counted_with_its_results() {
    let mut table = Table::with_party();
    let check =
        |who: &str, skill: &str| json!({"character": who, "skill": skill, "difficulty": 12});
    let first = table
        .dice([2])
        .skill_check(check("Jory", "Stealth"))
        .is_fine()["log"]
        .clone();
    table
        .dice([3])
        .skill_check(check("Sabeth", "Stealth"))
        .is_fine();
    table
        .dice([4])
        .skill_check(check("Jory", "Perception"))
        .is_fine();
    table
        .dice([19])
        .skill_check(check("Jory", "Stealth"))
        .is_fine();
    table
        .manage_session(json!({"action": "note", "text": "The weir", "kind": "scene"}))
        .is_fine();
    table
        .dice([5])
        .skill_check(check("Jory", "Stealth"))
        .is_fine();
    let gm = report(&table, Audience::Gm, Format::Markdown);
    assert!(
        gm.contains("| The same check asked again in the same scene | 1 | 0 |"),
        "{gm}"
    );
    let listed = gm
        .split_once("### The same check asked again in the same scene")
        .expect("the list")
        .1;
    assert!(
        listed.contains(&format!("Asked before: #{first} P")) && listed.contains(" failure."),
        "{listed}"
    );
    let players = report(&table, Audience::Player, Format::Markdown);
    assert!(
        players.contains("| The same check asked again in the same scene | 1 shown |"),
        "{players}"
    );
}
