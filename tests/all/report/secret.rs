//! What players must not know is in no byte of their report, and makes no difference to it.

use rollbook::game::view::Audience;
use rollbook::report::Format;
use rollbook::report::facts::Sessions;
use serde_json::json;

use super::rig::{SECRETS, evening, report, written};
use crate::table::{Table, sabeth, with};

#[test]
fn no_secret_is_in_a_players_report_and_the_gms_has_them() {
    let table = evening();
    for format in [Format::Html, Format::Markdown] {
        let players = report(&table, Audience::Player, format).to_lowercase();
        for secret in SECRETS.iter().map(|secret| secret.to_lowercase()) {
            assert!(!players.contains(&secret), "{secret}");
        }
        assert!(!players.contains("canary"));
        let gm = report(&table, Audience::Gm, format);
        for secret in ["canary-context", "canary-blind", "Canary Lurker", "canary-override"] {
            assert!(gm.contains(secret) || gm.contains(&secret.replace('-', "\\-")), "{secret}");
        }
    }
}

/// An evening in which only what is hidden differs: text, faces, hit points, and how many entries there are.
fn evening_with(secret: &str, face: i64, tough: i64, hidden: usize) -> Table {
    let mut table = Table::lockhouse();
    table.manage_character(with(sabeth(), json!({"gm_notes": secret}))).is_fine();
    for _ in 0..hidden {
        table.manage_session(json!({"action": "note", "text": secret, "visibility": "gm"})).is_fine();
        table.dice([face]).roll_dice(json!({"expression": "1d20", "visibility": "gm", "context": secret})).is_fine();
    }
    table
        .dice([face])
        .skill_check(json!({"character": "Sabeth", "skill": "Stealth", "difficulty": face, "visibility": "blind"}));
    let foes = json!([{"name": "Sabeth", "initiative": 15}, {"name": "Mag", "hp": tough, "initiative": 5, "attributes": {"DEX": 10, "STR": 10}}]);
    table.manage_combat(json!({"action": "start", "combatants": foes})).is_fine();
    let shot = json!({"character": "Sabeth", "skill": "Aim", "difficulty": 10, "target": "Mag", "damage": "1d8"});
    table.dice([15, 6]).skill_check(shot).is_fine();
    table.dice([face]).skill_check(json!({"character": "Mag", "skill": "Melee", "difficulty": 12})).is_fine();
    table.manage_combat(json!({"action": "end"})).is_fine();
    table
}

/// Without what discloses that something is hidden and commits to it: the section of the seal.
fn without_seal(html: &str) -> String {
    let (before, rest) = html.split_once("<section id=\"seal\"").expect("the seal");
    let (_, after) = rest.split_once("</section>").expect("its end");
    format!("{before}{after}")
}

#[test]
fn two_evenings_that_differ_in_secrets_give_the_same_report() {
    let tables = [evening_with("one", 3, 20, 1), evening_with("another text", 19, 30, 4)];
    let [one, other] = tables.map(|table| {
        let markdown = report(&table, Audience::Player, Format::Markdown);
        let story = markdown.split_once("## Story").expect("the story").1.to_owned();
        (without_seal(&report(&table, Audience::Player, Format::Html)), story)
    });
    assert_eq!(one.0, other.0);
    assert_eq!(one.1, other.1);
    // What players do see makes a difference: a foe with fewer hit points is bloodied.
    let third = without_seal(&report(&evening_with("one", 3, 9, 1), Audience::Player, Format::Html));
    assert_ne!(one.0, third);
}

#[test]
fn a_log_that_was_changed_is_reported_as_such_and_players_are_told_no_more() {
    let table = evening();
    let record = table.record();
    let (trigger, change) = (
        "drop trigger log_is_never_updated",
        "update log set actor = 'intruder' where kind = 'roll' and visibility = 'gm'",
    );
    [trigger, change].iter().for_each(|sql| record.execute(sql).expect("is changed"));
    let (reported, players) = written(&table, Audience::Player, Format::Markdown, Sessions::All);
    assert!(reported.findings > 0);
    assert!(players.contains("The log does not hold.") && !players.contains("intruder"), "{players}");
    assert!(!players.contains("none is missing"), "{players}");
    let gm = report(&table, Audience::Gm, Format::Markdown);
    assert!(gm.contains("The log does not hold.") && gm.contains("#11"), "{gm}");
}

#[test]
fn what_the_gm_opened_is_told_and_counted_as_opened() {
    let mut table = evening();
    let record = table.record();
    let hidden =
        record.rows("select seq from log where kind = 'roll' and visibility = 'gm' order by seq")[0]["seq"].clone();
    // It names somebody who was hidden when the fight was over.
    let open = json!({"action": "reveal", "entry": hidden});
    let refused = table.manage_session(open.clone());
    assert!(refused.refused("names_hidden")["summary"].to_string().contains("show it first"), "{refused:?}");
    table.manage_combat(json!({"action": "reveal", "combatant": "Canary Lurker"})).is_fine();
    table.manage_session(open).is_fine();
    let players = report(&table, Audience::Player, Format::Markdown);
    let seal = "none is missing; 1 was opened, and is what had been sealed.";
    assert!(players.contains(seal) && players.contains("canary-context"), "{players}");
    assert!(!players.contains("canary-blind"), "{players}");
}
