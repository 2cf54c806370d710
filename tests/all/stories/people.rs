//! People over an evening: their names, what the dead and those who are down still do, and what
//! they are given.

use rollbook_game::view::Audience;
use rollbook_record::report::Format;
use serde_json::{Value, json};

use crate::report::rig::report;
use crate::table::{Table, has};

const RULES: &str = "# R\n\n## Skills\n- Spot\n- Run\n\n## Checks\n\n### Look\n- Roll: `1d100`\n- Target: {skill} or less\n\n\
    ## Health\n- Hit points: max 10\n- Damage: Hit points\n- Hit points at 0: gain Unconscious\n\n\
    ## Conditions\n- Unconscious: out cold\n- Dead: gone\n\n## Advancement\n- Level up at: 5 XP\n- Tick: success\n";

fn table() -> Table {
    let sheet = json!({"skills": {"Spot": 50, "Run": 40}});
    Table::of_people(RULES, &["Tam", "Bo"], sheet)
}

fn found(table: &mut Table, arguments: Value) -> u64 {
    let answer = table.call("search_log", arguments);
    answer.is_fine()["found"].as_array().map_or(0, Vec::len) as u64
}

#[test]
fn a_renamed_person_is_one_in_search_and_in_the_report() {
    let mut table = table();
    let look = |who: &str| json!({"character": who, "skill": "Spot"});
    for face in [10, 20, 90] {
        table.dice([face]).skill_check(look("Tam")).is_fine();
    }
    table
        .manage_character(json!({"action": "update", "character": "Tam", "name": "Brin Oak"}))
        .is_fine();
    for face in [30, 95] {
        table.dice([face]).skill_check(look("Brin")).is_fine();
    }
    for name in ["Tam", "Brin", "Brin Oak"] {
        let checks = json!({"character": name, "kind": "check"});
        assert_eq!(found(&mut table, checks), 5, "{name}");
    }
    assert_eq!(
        found(&mut table, json!({"character": "Bo", "kind": "check"})),
        0
    );
    let counted = json!({"character": "Tam", "kind": "check", "statistics": true});
    let counted = table.call("search_log", counted);
    has(counted.text("summary"), &["Counted: 5 entries"]);
    for audience in [Audience::Gm, Audience::Player] {
        let text = report(&table, audience, Format::Markdown);
        let rows: Vec<&str> = text
            .lines()
            .filter(|line| line.starts_with("| Tam") || line.starts_with("| Brin Oak"))
            .collect();
        assert!(
            !rows.is_empty() && rows.iter().all(|row| row.starts_with("| Brin Oak")),
            "{rows:?}"
        );
    }
}

#[test]
fn players_do_not_find_by_a_name_that_they_did_not_see_change() {
    let mut table = table();
    table
        .manage_combat(json!({"action": "start", "combatants": [{"name": "Tam"}, {"name": "Hood", "hp": 5, "hidden": true}]}))
        .is_fine();
    let hood = "Unseen Hood 1";
    let hood = if table.get_character(json!({"character": hood})).is_refused() {
        "Hood"
    } else {
        hood
    };
    table
        .manage_character(json!({"action": "update", "character": hood, "name": "Baron"}))
        .is_fine();
    let text = report(&table, Audience::Player, Format::Markdown);
    assert!(!text.contains("Baron"), "{text}");
}

#[test]
fn the_dead_get_nothing_and_rest_no_more_and_the_recap_knows_them() {
    let mut table = table();
    table
        .manage_character(
            json!({"action": "add_condition", "character": "Tam", "condition": "Dead"}),
        )
        .is_fine();
    for call in [
        json!({"action": "award", "character": "Tam", "xp": 5}),
        json!({"action": "award", "character": "Tam", "advance": {"Spot": 1}}),
        json!({"action": "level_up", "character": "Tam", "skills": {"Spot": 55}, "override_reason": "x"}),
    ] {
        table.manage_character(call).refused("target_dead");
    }
    let all = table.manage_character(json!({"action": "award", "xp": 5}));
    has(all.text("summary"), &["Bo"]);
    assert!(!all.text("summary").contains("Tam"), "{}", all.value());
    has(all["noted"].to_string(), &["Nothing for the dead: Tam"]);
    let recap = table.manage_session(json!({"action": "recap"}));
    has(recap.value().to_string(), &["Tam", "ead"]);
}

#[test]
fn what_changes_nothing_is_not_awarded_and_a_bare_level_is_asked_about() {
    let mut table = table();
    let tick = json!({"action": "award", "character": "Tam", "advance": {"Spot": 1}});
    table.manage_character(tick.clone()).is_fine();
    table.manage_character(tick).refused("no_effect");
    table
        .manage_character(json!({"action": "award", "character": "Tam", "xp": 5}))
        .is_fine();
    let bare = json!({"action": "level_up", "character": "Tam"});
    table.manage_character(bare).refused("missing_value");
    let sheet = table.get_character(json!({"character": "Tam"}));
    assert_eq!(sheet["character"]["xp"], 5, "nothing is spent");
    table
        .manage_character(json!({"action": "level_up", "character": "Tam", "skills": {"Spot": 55}}))
        .is_fine();
}

#[test]
fn who_is_down_and_rolls_is_remarked_on() {
    let mut table = table();
    table
        .apply_damage(json!({"target": "Tam", "amount": 10}))
        .is_fine();
    let check = json!({"character": "Tam", "skill": "Spot"});
    let rolled = table.dice([10]).skill_check(check);
    has(
        rolled["noted"].to_string(),
        &["Tam is down, and rolls all the same"],
    );
}

#[test]
fn people_without_numbers_are_in_a_fight() {
    let mut table = table();
    table
        .manage_character(json!({"action": "create", "kind": "npc", "name": "Nadia"}))
        .is_fine();
    table.endless_dice(5);
    let fight = json!([{"name": "Tam"}, {"name": "Nadia"}]);
    let fight = table.manage_combat(json!({"action": "start", "combatants": fight}));
    has(fight.is_fine()["order"].to_string(), &["Nadia"]);
}

#[test]
fn everybody_is_the_party_or_the_sides_of_the_fight() {
    let mut table = table();
    for word in ["everyone", "all"] {
        let hit = table.apply_damage(json!({"target": word, "amount": 1}));
        let refused = hit.refused("unknown_character");
        assert_eq!(refused["try"]["arguments"]["target"], "party", "{refused}");
    }
}

#[test]
fn a_target_alone_is_asked_with_what_and_a_foe_of_the_adventure_comes_with_its_numbers() {
    let mut table = Table::lockhouse();
    table
        .manage_character(json!({"action": "create", "from": "Characters.md#Jory Penrake"}))
        .is_fine();
    table.endless_dice(9);
    let bare = json!([{"name": "Jory", "initiative": 9}, {"name": "Wrecker", "count": 2, "initiative": 3}]);
    let start = table.manage_combat(json!({"action": "start", "combatants": bare}));
    let refused = start.refused("missing_value").clone();
    let next = &refused["try"];
    assert_eq!(next["tool"], "manage_combat", "{refused}");
    let begun = table.call("manage_combat", next["arguments"].clone());
    has(
        begun.text("summary"),
        &["Wrecker 2 is made after Foes.md#Wrecker"],
    );
    let aimed = json!({"character": "Jory", "target": "Wrecker 1"});
    let refused = table.skill_check(aimed).refused("missing_value").clone();
    let attack = refused["try"]["arguments"]["attack"].as_str();
    assert_eq!(attack, Some("boat hook in both hands"), "{refused}");
    table
        .call("skill_check", refused["try"]["arguments"].clone())
        .is_fine();
}
