//! Uses of attacks and traits: read from blocks, spent, refused when used up, and renewed.

use serde_json::json;

use crate::table::{Table, each};

const DRAKE: &str = "# Drake\n\n- Hit points: 40\n- Multiattack: two attacks\n- Attack: bite +5, damage 1d6\n\
    - **Flame Bolt (Recharge 5–6).** Ranged Weapon Attack: +9 to hit, range 60 ft. Hit: 4 (1d8) fire damage\n\
    - Attack: bomb (2/Day) +4, damage 1d4; net +4, damage 1, twice each fight\n\
    - **Wing Storm (Recharge 6).** Everybody near it falls.\n\
    - **Second Wind (Recharges after a Short or Long Rest).** It heals.\n\
    - Hush: who begins a turn near it is silent, once a fight\n- **Roar (3/Week).** It roars.";

fn table() -> Table {
    let mut table = Table::with_party();
    let import = json!({"action": "import", "text": DRAKE, "kind": "npc"});
    let noted = table.manage_character(import)["noted"].to_string();
    assert!(noted.contains("Roar (3/Week)"), "{noted}");
    table
}

fn fight(table: &mut Table) {
    table.start(json!([
        {"name": "Jory", "initiative": 20}, {"name": "Drake", "initiative": 10}, {"name": "Sabeth", "initiative": 5},
    ]));
}

/// The tracks of the drake that count uses: `bomb 2/2`.
fn uses(table: &mut Table) -> String {
    let drake = table.get_character(json!({"character": "Drake"}));
    let tracks = each(&drake["character"]["tracks"]).skip(1);
    let tracks = tracks.map(|it| format!("{} {}", it["name"].as_str().unwrap_or(""), it["value"]));
    tracks.collect::<Vec<_>>().join(", ")
}

#[test]
fn uses_are_tracks_of_the_block_and_come_back_as_it_says() {
    let mut table = table();
    let sheet = table.get_character(json!({"character": "Drake", "view": "sheet"}));
    for line in [
        "**Flame Bolt**: 1/1, set by the GM, recharge 5-6",
        "**bomb**: 2/2, set by the GM, 2 a day",
        "**net**: 2/2, set by the GM, 2 a fight",
        "**Wing Storm**: 1/1, set by the GM, recharge 6",
        "**Second Wind**: 1/1, set by the GM, once a rest",
        "**Hush**: 1/1, set by the GM, once a fight",
    ] {
        assert!(
            sheet.value().to_string().contains(line),
            "{line}: {}",
            sheet.value()
        );
    }
    let spent =
        json!({"Flame Bolt": 0, "bomb": 0, "net": 0, "Wing Storm": 0, "Second Wind": 0, "Hush": 0});
    let update = json!({"action": "update", "character": "Drake", "tracks": spent});
    for (what, left) in [
        (
            "fight",
            "Flame Bolt 1, Hush 1, Second Wind 0, Wing Storm 1, bomb 0, net 2",
        ),
        (
            "short rest",
            "Flame Bolt 1, Hush 1, Second Wind 1, Wing Storm 1, bomb 0, net 2",
        ),
        (
            "long rest",
            "Flame Bolt 1, Hush 1, Second Wind 1, Wing Storm 1, bomb 2, net 2",
        ),
    ] {
        table.manage_character(update.clone()).is_fine();
        if what == "fight" {
            fight(&mut table);
            table
                .manage_combat(json!({"action": "end", "outcome": "fled"}))
                .is_fine();
        } else {
            let rest = json!({"action": "rest", "character": "Drake", "kind": what});
            let dice = if what == "short rest" {
                vec![3]
            } else {
                Vec::new()
            };
            table.dice(dice).manage_character(rest).is_fine();
        }
        assert_eq!(uses(&mut table), left, "{what}");
    }
}

#[test]
fn what_is_used_up_is_refused_with_what_is_left_and_rolled_for_at_its_turn() {
    let mut table = table();
    fight(&mut table);
    let next = json!({"action": "next_turn"});
    let up = table.manage_combat(next.clone());
    let has = "Drake acts (2 attacks a turn; bite, Flame Bolt 1/1, bomb 2/2, net 2/2, Hush 1/1, Second Wind 1/1, Wing Storm 1/1);";
    up.starts("next", has);
    let bolt = json!({"character": "Drake", "attack": "flame bolt", "target": ["Jory", "Sabeth"]});
    table
        .dice([15, 3, 15, 4])
        .skill_check(bolt.clone())
        .is_fine();
    assert!(
        uses(&mut table).starts_with("Flame Bolt 0"),
        "one use for all whom it strikes"
    );
    let before = table.record().everything();
    let refused = table.skill_check(bolt);
    let summary = "Drake's Flame Bolt is used up (0/1, recharge 5-6). Send attack=\"bite\". If it is there again, ";
    assert!(
        refused.refusal_text("not_enough").starts_with(summary),
        "{}",
        refused.value()
    );
    assert_eq!(refused.value()["try"]["arguments"]["attack"], "bite");
    assert_eq!(table.record().everything(), before);
    table.manage_combat(next.clone()).is_fine();
    table.manage_combat(next.clone()).is_fine();
    let lock =
        json!({"character": "Jory", "skill": "Lockpicking", "difficulty": 10, "end_turn": true});
    let up = table.dice([12, 4]).skill_check(lock);
    up.has(
        "next",
        &["Drake acts (", "Flame Bolt used up (recharge 5-6)"],
    );
    table.manage_combat(next.clone()).is_fine();
    table.manage_combat(next.clone()).is_fine();
    let up = table.dice([5]).manage_combat(next);
    up.has("next", &["Flame Bolt 1/1"]);
    up.has("summary", &["Flame Bolt 0/1 to 1/1"]);
    table.record().is_sound();
}
