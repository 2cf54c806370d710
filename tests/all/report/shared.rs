//! What a players' report says of rolls is in the players' copy; and names and texts that would
//! like to be markup.

use rollbook_game::view::Audience;
use rollbook_record::export::Format as Copied;
use rollbook_record::report::Format;
use serde_json::{Value, json};

use super::rig::report;
use crate::queries::in_file;
use crate::table::Table;

/// Damage by a roll that struck another character first.
const SHARED: &str = "select count(*) as n from damage as hit where roll is not null
    and target <> (select target from damage as first where first.roll = hit.roll order by n limit 1)";

/// A fight in which one roll strikes several, people of the table, foes and one whom nobody sees.
fn area() -> Table {
    let mut table = Table::with_party();
    table.start(json!([{"name": "Jory", "initiative": 12}, {"name": "Sabeth", "initiative": 10}, {"name": "Rat", "hp": 30, "initiative": 8},
        {"name": "Owl", "hp": 30, "initiative": 7}, {"name": "Canary", "hp": 30, "hidden": true, "initiative": 4}]));
    for targets in [
        &["Jory", "Sabeth"][..],
        &["Rat", "Owl"],
        &["Rat", "Jory"],
        &["Canary", "Sabeth"],
    ] {
        let roll = table
            .dice([2])
            .roll_dice(json!({"expression": "1d4", "character": "Sabeth"}));
        for target in targets {
            table
                .apply_damage(json!({"target": target, "roll": roll["log"]}))
                .is_fine();
        }
        table
            .manage_combat(json!({"action": "next_turn"}))
            .is_fine();
    }
    let hit = json!({"character": "Jory", "check": "Check", "skill": "Lockpicking", "target": "Rat", "difficulty": 5, "damage": "1d6+1"});
    table.dice([9, 4]).skill_check(hit).is_fine();
    table
}

#[test]
fn rolls_used_on_several_targets_are_those_that_the_copy_of_each_audience_names() {
    let table = area();
    let counted = |audience: Audience, name: &str| {
        let copy = table.export(audience, Copied::Db, name);
        let in_sql: Value = in_file(&copy, |record| record.rows(SHARED)[0]["n"].clone());
        let seen = if audience == Audience::Player {
            " shown"
        } else {
            ""
        };
        let shown = format!("| A damage roll used on another target too | {in_sql}{seen} |");
        let markdown = report(&table, audience, Format::Markdown);
        assert!(
            markdown.contains(&shown),
            "{audience:?}: {shown} in {markdown}"
        );
        in_sql
    };
    // That a foe was struck by a roll of its own call, players do not learn, nor of who they do not
    // see.
    assert_eq!(counted(Audience::Player, "players.db"), 1);
    assert_eq!(counted(Audience::Gm, "gm.db"), 4);
}

#[test]
fn a_foes_damage_is_under_the_roll_of_its_hit_and_under_no_other() {
    let markdown = report(&area(), Audience::Player, Format::Markdown);
    let nested: Vec<&str> = markdown
        .lines()
        .filter(|line| line.starts_with("  - "))
        .collect();
    let of = |who: &str| {
        nested
            .iter()
            .filter(|line| line.contains(&format!("{who} takes")))
            .count()
    };
    assert_eq!(
        (of("Rat"), of("Owl"), of("Canary")),
        (1, 0, 0),
        "{markdown}"
    );
    assert_eq!((of("Jory"), of("Sabeth")), (2, 2), "{markdown}");
}

#[test]
fn rolls_that_were_opened_later_are_nobodys_luck_and_players_learn_so() {
    let mut table = Table::with_party();
    let hidden = table
        .dice([20])
        .roll_dice(json!({"expression": "1d20", "visibility": "gm"}));
    let words = "opened to you later";
    assert!(!report(&table, Audience::Player, Format::Markdown).contains(words));
    table
        .manage_session(json!({"action": "reveal", "entry": hidden["log"]}))
        .is_fine();
    let note = table
        .manage_session(json!({"action": "note", "text": "It was the reeve", "visibility": "gm"}));
    table
        .manage_session(json!({"action": "reveal", "entry": note["log"]}))
        .is_fine();
    let players = report(&table, Audience::Player, Format::Markdown);
    assert!(
        players.contains("1 roll that fell behind the screen was opened to you later"),
        "{players}"
    );
    assert!(
        players.contains("No dice of the program's fell that you may see."),
        "{players}"
    );
    assert!(!report(&table, Audience::Gm, Format::Markdown).contains(words));
}

#[test]
fn opening_damage_that_players_see_names_its_hidden_roll() {
    let mut table = Table::with_party();
    let roll = table
        .dice([3])
        .roll_dice(json!({"expression": "1d4", "visibility": "gm"}));
    let harm = table.apply_damage(json!({"target": "Jory", "roll": roll["log"]}));
    let open = |table: &mut Table, entry: &Value| {
        table.manage_session(json!({"action": "reveal", "entry": entry}))
    };
    let refused = open(&mut table, &harm["log"]);
    let summary = refused.refused("not_sealed")["summary"].to_string();
    assert!(
        summary.contains(&format!("entry={} opens that", roll["log"])),
        "{summary}"
    );
    open(&mut table, &roll["log"]).is_fine();
    let refused = open(&mut table, &harm["log"]);
    refused.refused_with("not_sealed", &["nothing of it is hidden"]);
}

/// Names, notes, contexts and titles that would like to be markup.
const HOSTILE: &str = "</title></style><script>alert(1)</script><img src=x onerror=alert(1)>\" onclick='x' &lt; [a](javascript:b) `c` | d";

#[test]
fn nothing_that_people_write_becomes_markup() {
    let mut table = Table::of_rules(None);
    let title = "</title></style><script>alert(1)</script><img src=x onerror=alert(1)>";
    table
        .manage_session(json!({"action": "start", "title": title}))
        .is_fine();
    let name = "<b>Eve</b> *x* ";
    table
        .manage_character(json!({"action": "create", "name": name}))
        .is_fine();
    for kind in ["scene", "thread", "discovery"] {
        table
            .manage_session(json!({"action": "note", "text": HOSTILE, "kind": kind}))
            .is_fine();
    }
    let call = json!({"expression": "1d20 # <u>why</u>", "context": HOSTILE, "character": name});
    table.dice([5]).roll_dice(call).is_fine();
    table
        .manage_combat(
            json!({"action": "start", "title": title, "combatants": [{"name": name, "hp": 8}]}),
        )
        .is_fine();
    table
        .manage_combat(json!({"action": "end", "outcome": HOSTILE}))
        .is_fine();
    for audience in [Audience::Player, Audience::Gm] {
        let html = report(&table, audience, Format::Html);
        for tag in [
            "<script",
            "<img",
            "<b>",
            "<u>",
            " onclick='",
            " onerror=alert(1)>\"",
        ] {
            assert!(!html.contains(tag), "{tag}");
        }
        assert_eq!(html.matches("<style>").count(), 1);
        assert_eq!(
            html.matches("</title>").count(),
            1 + html.matches("<svg").count()
        );
        assert!(html.contains("&lt;script&gt;alert(1)") && html.contains("&lt;b&gt;Eve"));
        let markdown = report(&table, audience, Format::Markdown);
        assert!(!markdown.replace("\\<", "").contains('<'), "{markdown}");
        assert!(
            markdown.contains("\\[a\\](javascript") && markdown.contains("\\`c\\`"),
            "{markdown}"
        );
        // Every bar in a row of a table that people wrote is escaped, so each row has as many as
        // its heading.
        for line in markdown.lines().filter(|line| line.starts_with('|')) {
            let bars = line.replace("\\|", "").matches('|').count();
            assert!((3..=8).contains(&bars), "{line}");
        }
    }
}
