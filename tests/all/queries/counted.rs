//! Every query of the documentation on a file with two campaigns, with calls that were taken back,
//! against figures counted by hand.

use rollbook_game::view::Audience;
use rollbook_record::export::{Exported, Format, Wanted, export};
use serde_json::{Value, json};

use super::{QUERIES, asked, in_file, titled};
use crate::table::{NOW, Record, Table, cases, each, jory, text, with};

/// The same happens in another campaign of the file, and in a second session, with other figures.
fn two_campaigns() -> Table {
    let mut table = Table::with_party();
    let other = |call: Value| with(call, json!({"campaign": "other"}));
    table.manage_character(other(jory())).is_fine();
    table
        .dice([1, 1])
        .roll_dice(other(json!({"expression": "2d6", "character": "Jory"})))
        .is_fine();
    table
        .dice([20])
        .skill_check(other(json!({"skill": "Melee", "difficulty": 5})))
        .is_fine();
    table
        .apply_damage(other(json!({"target": "Jory", "amount": 3})))
        .is_fine();
    table
        .manage_session(other(
            json!({"action": "note", "text": "Whose is it?", "kind": "thread"}),
        ))
        .is_fine();
    let fight = json!({"action": "start", "combatants": [{"name": "Jory", "initiative": 1}]});
    table.manage_combat(other(fight)).is_fine();

    table
        .manage_session(json!({"action": "note", "text": "Who rang it?", "kind": "thread"}))
        .is_fine();
    table
        .manage_session(json!({"action": "note", "text": "A slip", "kind": "thread"}))
        .is_fine();
    table.manage_session(json!({"action": "undo"})).is_fine();
    table
        .dice([3, 4])
        .roll_dice(json!({"expression": "2d6", "character": "Sabeth"}))
        .is_fine();
    table
        .dice([11])
        .roll_dice(json!({"expression": "1d20", "character": "Jory"}))
        .is_fine();
    let lock = json!({"character": "Sabeth", "skill": "Lockpicking", "difficulty": 15});
    table.dice([9]).skill_check(lock.clone()).is_fine();
    table.dice([18]).skill_check(lock.clone()).is_fine();
    let roll = table
        .dice([2, 3])
        .roll_dice(json!({"expression": "2d4", "character": "Sabeth"}));
    table
        .apply_damage(json!({"target": "Jory", "roll": roll["log"], "amount": 4, "reason": "half"}))
        .is_fine();
    table
        .apply_damage(json!({"target": "Jory", "amount": 2, "reason": "a splinter"}))
        .is_fine();
    table
        .apply_damage(json!({"target": "Jory", "amount": 1}))
        .is_fine();
    table.manage_session(json!({"action": "undo"})).is_fine();
    table.start(
        json!([{"name": "Jory", "initiative": 12}, {"name": "Rat", "hp": 9, "initiative": 5}]),
    );
    table
        .dice([7])
        .manage_combat(json!({"action": "add", "combatants": [{"name": "Sabeth"}]}))
        .is_fine();
    table.manage_session(json!({"action": "undo"})).is_fine();
    for _ in 0..3 {
        table
            .manage_combat(json!({"action": "next_turn"}))
            .is_fine();
    }
    table.manage_session(json!({"action": "undo"})).is_fine();
    table.manage_session(json!({"action": "end"})).is_fine();
    table.manage_session(json!({"action": "start"})).is_fine();
    table
        .dice([6])
        .roll_dice(json!({"expression": "1d6", "character": "Sabeth"}))
        .is_fine();
    table.dice([10]).skill_check(lock).is_fine();
    table
        .apply_damage(json!({"target": "Jory", "amount": 1}))
        .is_fine();
    table.manage_session(json!({"action": "end"})).is_fine();
    table
}

/// The columns of each query that are counted, and what is in them.
fn by_hand() -> Vec<[Value; 3]> {
    cases(json!([
        [
            "Every roll of a session",
            ["who", "expression", "total"],
            [
                ["Sabeth", "2d6", 7],
                ["Jory", "1d20", 11],
                ["Sabeth", "1d20 + 5", 14],
                ["Sabeth", "1d20 + 5", 23],
                ["Sabeth", "2d4", 5],
                ["Sabeth", "1d20 + 2", 9]
            ]
        ],
        [
            "How often each face fell",
            ["sides", "value", "fell"],
            [
                [4, 2, 1],
                [4, 3, 1],
                [6, 3, 1],
                [6, 4, 1],
                [20, 7, 1],
                [20, 9, 1],
                [20, 11, 1],
                [20, 18, 1]
            ]
        ],
        [
            "How the d20 fell for each",
            ["who", "dice", "average"],
            [["Jory", 1, "11.0"], ["Sabeth", 3, "11.33"]]
        ],
        [
            "Checks by person and skill",
            ["who", "skill", "tried", "succeeded"],
            [["Sabeth", "Lockpicking", 2, 1]]
        ],
        [
            "Damage dealt and taken",
            ["attacker", "target", "blows", "applied"],
            [[null, "Jory", 1, 2], ["Sabeth", "Jory", 1, 4]]
        ],
        [
            "Amounts that are not what was rolled",
            ["target", "rolled", "amount", "reason"],
            [["Jory", 5, 4, "half"], ["Jory", null, 2, "a splinter"]]
        ],
        [
            "Who went when, and how that was decided",
            ["who", "initiative"],
            [["Jory", 12], ["Rat", 5]]
        ],
        ["How long the fights were", ["rounds", "turns"], [[2, 3]]],
        ["Threads that are open", ["text"], [["Who rang it?"]]],
        [
            "Rolls that were taken back",
            ["who", "expression", "total"],
            [["Sabeth", "1d20 + 2", 9]]
        ],
        [
            "Players' numbers beside those of the whole log",
            ["total"],
            [[7], [11], [14], [23], [5], [9]]
        ],
    ]))
}

/// A copy of that campaign.
fn exported(table: &Table, audience: Audience, campaign: &str) -> Exported {
    let wanted = Wanted::of(audience, Format::Db).campaign(campaign);
    let out = table.path(&format!("{campaign}.{}.db", audience.as_str()));
    table
        .wait(export(table.location(), &wanted, &out, NOW))
        .expect("is written")
}

fn cells(record: &Record<'_>, sql: &str, columns: &Value) -> Value {
    let row = |row: &Value| -> Value {
        each(columns)
            .map(|column| row[text(column)].clone())
            .collect()
    };
    record.rows(sql).iter().map(row).collect()
}

#[test]
fn every_documented_query_finds_what_was_counted_by_hand_in_one_campaign_of_two() {
    let table = two_campaigns();
    let ask = |whose: &str, record: &Record<'_>| {
        let mut known = Vec::new();
        for (title, sql) in titled(QUERIES) {
            let sql = asked(sql, 1, 1);
            match by_hand().into_iter().find(|[query, ..]| *query == title) {
                // Of a foe players get no number.
                Some([_, columns, _])
                    if whose == "player" && title.starts_with("Who went when") =>
                {
                    assert_eq!(cells(record, &sql, &columns), json!([["Jory", 12]]));
                }
                Some([_, columns, counted]) => {
                    assert_eq!(cells(record, &sql, &columns), counted, "{whose}: {title}")
                }
                None => {
                    let rows = record.rows(&sql);
                    assert!(
                        !rows.is_empty() && !json!(rows).to_string().contains("A slip"),
                        "{whose}: {title}"
                    );
                    known.push(title);
                }
            }
        }
        assert_eq!(known, ["The story of a session", "What the columns mean"]);
    };
    ask("the file", &table.record());
    let first = table
        .record()
        .rows("select name from campaigns where id = 1")[0]["name"]
        .clone();
    for audience in [Audience::Gm, Audience::Player] {
        let copy = exported(&table, audience, first.as_str().expect("text"));
        in_file(&copy.out, |record| ask(audience.as_str(), record));
    }
    // What is asked of the other campaign is of that.
    let (_, sql) = titled(QUERIES)
        .find(|(title, _)| title.starts_with("Damage"))
        .expect("it");
    let rows = cells(
        &table.record(),
        &asked(sql, 2, 1),
        &json!(["target", "blows", "applied"]),
    );
    assert_eq!(rows, json!([["Jory", 1, 3]]));
}

#[test]
fn every_query_asks_for_its_campaign_and_session() {
    for (title, sql) in titled(QUERIES).filter(|(title, _)| *title != "What the columns mean") {
        assert!(
            sql.contains("campaign = :campaign") && sql.contains(":session"),
            "{title}: {sql}"
        );
    }
}
