//! What dice show beside their faces, in play: results that are no totals, sizes, sets, dice that dominate.

use serde_json::json;

use crate::table::Table;

const RULES: &str = "# Mine\n\n## Dice\n- Dice chain: d14, d16, d20, d24\n\n## Skills\n- Lore\n- Guile\n\n## Checks\n\n\
    ### Scene\n- Roll: `{1d{role}, 1d{bond}, 1d{place}}kh2`\n- Asks: role 4 to 12, bond 4 to 12, place 4 to 12\n- Target: `{difficulty}`\n\
    - Result: `total - max(0, 1s + 2 - dice)`\n- Value effect: `max(4, size(dropped 2+))`\n\n\
    ### Duel\n- Roll: `2d6[red] + 1d6[blue]`\n- Result: `sum(highest 2) + {skill}`\n- Flag hot: red dominates\n\n\
    ### Attack\n- Roll: `1d20`\n- Target: `{difficulty}`\n\n| Outcome | When |\n|---|---|\n\
    | Critical (critical success) | `natural = size(natural)` |\n| Hit (success) | margin 0+ |\n| Miss (failure) | otherwise |\n";

fn mine() -> Table {
    let mut table = Table::of_rules(Some(RULES));
    for (name, kind) in [("Ann", "player"), ("Bo", "npc")] {
        let sheet = json!({"action": "create", "name": name, "kind": kind, "skills": {"Lore": 2, "Guile": 1}});
        table.manage_character(sheet).is_fine();
    }
    table
}

#[test]
fn a_result_is_what_is_compared_and_the_log_is_sound() {
    let mut table = mine();
    let scene =
        json!({"character": "Ann", "check": "Scene", "difficulty": 9, "values": {"role": 8, "bond": 6, "place": 4}});
    let made = table.dice([1, 6, 1]).skill_check(scene.clone());
    assert_eq!((&made["roll"]["total"], &made["margin"]), (&json!(7), &json!(-3)));
    assert_eq!(made["results"], json!({"Result": 6, "effect": 4}));
    let made = table.dice([5, 6, 4]).skill_check(scene);
    assert_eq!((&made["margin"], &made["results"]["effect"]), (&json!(2), &json!(4)));
    let critical = json!({"character": "Ann", "check": "Attack", "difficulty": 18, "steps": -1});
    assert_eq!(table.dice([16]).skill_check(critical)["label"], "Critical");
    table.record().is_sound();
}

#[test]
fn two_who_meet_compare_their_results() {
    let mut table = mine();
    let duel = json!({"character": "Ann", "check": "Duel", "skill": "Guile",
                      "opposed_by": {"character": "Bo", "check": "Duel", "skill": "Lore"}});
    let met = table.dice([6, 1, 5, 4, 4, 4]).skill_check(duel);
    assert_eq!(met["results"]["Result"], 12);
    assert_eq!(met["opposed"]["result"], 10);
    assert_eq!((&met["contest"], &met["flags"]), (&json!("won"), &json!(["hot"])));
    table.record().is_sound();
}
