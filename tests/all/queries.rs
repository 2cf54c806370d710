//! The tables for people: the same columns in every database and in the copies for either audience,
//! and every query of the documentation.

mod counted;
mod players;

use std::collections::BTreeMap;
use std::path::Path;

use rollbook_game::view::Audience;
use rollbook_game::zone::Zone;
use rollbook_record::export::{Format, check_copy};
use rollbook_store::Store;
use rollbook_store::location::Location;
use rollbook_store::sql::zone::KeptZone;
use rollbook_table::session::{campaigns, transfer};
use serde_json::{Value, json};

use crate::postgres::server::{Database, blocking};
use crate::table::{NOW, Record, Table};

/// The tables that the dictionary explains.
const TABLES: [&str; 8] = [
    "rolls",
    "dice",
    "checks",
    "damage",
    "initiative",
    "turns",
    "story",
    "notes",
];

/// The page of the documentation.
const QUERIES: &str = include_str!("../../docs/queries.md");

/// What only the GM may find.
const CANARY: &str = "Xanthippe";

/// A fight with hits, a hidden foe, notes, and calls that were taken back and done again.
fn evening() -> Table {
    let mut table = Table::with_party();
    table
        .dice([17])
        .roll_dice(json!({"expression": "1d20", "visibility": "gm", "context": CANARY}))
        .is_fine();
    table
        .manage_session(
            json!({"action": "note", "text": CANARY, "visibility": "gm", "kind": "thread"}),
        )
        .is_fine();
    table
        .manage_session(json!({"action": "note", "text": "Whose boat is it?", "kind": "thread"}))
        .is_fine();
    table
        .manage_session(json!({"action": "note", "text": "Who holds the key?", "kind": "thread"}))
        .is_fine();
    table
        .manage_session(json!({"action": "note", "text": "The reeve's", "closes": "boat"}))
        .is_fine();
    table
        .dice([9])
        .skill_check(json!({"character": "Sabeth", "skill": "Lockpicking", "difficulty": 15}))
        .is_fine();
    table
        .dice([3, 6, 6, 2, 1])
        .roll_dice(json!({"expression": "3d6!kh2", "context": "the tide"}))
        .is_fine();
    table
        .dice([4])
        .roll_dice(json!({"expression": "d20 vs 12"}))
        .is_fine();
    table.dice([8, 3]).start(json!([
        {"name": "Jory", "initiative": 12}, {"name": "Rat", "hp": 9},
        {"name": CANARY, "hp": 5, "hidden": true},
    ]));
    let sabeth = json!({"action": "add", "combatants": [{"name": "Sabeth"}]});
    table.dice([7]).manage_combat(sabeth.clone()).is_fine();
    table.manage_session(json!({"action": "undo"})).is_fine();
    table.dice([7]).manage_combat(sabeth).is_fine();
    let roll = table
        .dice([2, 3])
        .roll_dice(json!({"expression": "2d4", "character": "Sabeth"}));
    table
        .apply_damage(json!({"target": "Jory", "roll": roll["log"], "amount": 4, "reason": "half"}))
        .is_fine();
    table
        .apply_damage(json!({"target": "Rat", "amount": 4}))
        .is_fine();
    table
        .apply_damage(json!({"target": "Jory", "amount": 1}))
        .is_fine();
    table.manage_session(json!({"action": "undo"})).is_fine();
    let hit = table.apply_damage(json!({"target": "Jory", "amount": 2, "reason": "a splinter"}));
    let undo = table.manage_session(json!({"action": "undo"}));
    table
        .manage_session(json!({"action": "undo", "entry": undo["log"]}))
        .is_fine();
    assert_ne!(hit["log"], undo["log"]);
    table
        .manage_combat(json!({"action": "next_turn"}))
        .is_fine();
    table
}

/// What was written to a file, as a person with SQLite finds it.
pub fn in_file<T>(file: &Path, look: impl FnOnce(&Record<'_>) -> T) -> T {
    look(&Record::of(file))
}

fn columns(record: &Record<'_>) -> BTreeMap<String, Vec<String>> {
    let of = |table: &str| {
        let rows = record.rows(&format!("select name from pragma_table_info('{table}')"));
        rows.iter()
            .map(|row| row["name"].as_str().expect("text").to_owned())
            .collect()
    };
    TABLES
        .iter()
        .chain(["facts", "undos", "zone_offsets"].iter())
        .map(|table| ((*table).to_owned(), of(table)))
        .collect()
}

fn dictionary(record: &Record<'_>) -> BTreeMap<String, Vec<String>> {
    let mut views: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in record.rows("select \"view\", \"column\" from dictionary where \"column\" <> ''") {
        let text = |name: &str| row[name].as_str().expect("text").to_owned();
        views.entry(text("view")).or_default().push(text("column"));
    }
    views
}

#[test]
fn both_audiences_copies_have_the_same_columns_and_the_dictionary_has_them_all() {
    let table = evening();
    let gm = table.export(Audience::Gm, Format::Db, "gm.db");
    let players = table.export(Audience::Player, Format::Db, "players.db");
    let views = in_file(&gm, columns);
    assert!(views.values().all(|columns| columns.len() > 3), "{views:?}");
    assert_eq!(views, in_file(&players, columns));
    let explained = in_file(&players, dictionary);
    let of_people: BTreeMap<_, _> = views
        .into_iter()
        .filter(|(table, _)| TABLES.contains(&table.as_str()))
        .collect();
    assert_eq!(of_people, explained);
    assert_eq!(in_file(&gm, dictionary), explained);
}

/// Every statement of the documentation.
fn statements() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = std::fs::read_dir(folder.join("docs"))
        .expect("docs")
        .map(|file| file.expect("a file").path());
    let pages = docs
        .chain([folder.join("README.md")])
        .filter(|path| path.extension().is_some_and(|end| end == "md"));
    let texts: Vec<String> = pages
        .map(|page| std::fs::read_to_string(page).expect("text"))
        .collect();
    let fenced = |text: &String| {
        let after = text.split("```sql\n").skip(1);
        after
            .map(|block| block.split("\n```").next().expect("text").to_owned())
            .collect::<Vec<_>>()
    };
    texts
        .iter()
        .flat_map(fenced)
        .map(|sql| asked(&sql, 1, 1))
        .collect()
}

/// The queries of the page, each with its heading.
pub fn titled(queries: &str) -> impl Iterator<Item = (&str, &str)> {
    queries.split("\n## ").skip(1).filter_map(|part| {
        let (title, rest) = part.split_once('\n')?;
        let (_, sql) = rest.split_once("```sql\n")?;
        Some((title, sql.split_once("\n```")?.0))
    })
}

/// A statement of the documentation for that session of that campaign.
pub fn asked(sql: &str, campaign: u64, session: u64) -> String {
    sql.replace(":campaign", &campaign.to_string())
        .replace(":session", &session.to_string())
}

#[test]
fn every_documented_query_runs_on_both_audiences_copies() {
    let table = evening();
    let statements = statements();
    assert!(statements.len() >= titled(QUERIES).count() && titled(QUERIES).count() >= 12);
    for (audience, name) in [(Audience::Gm, "gm.db"), (Audience::Player, "players.db")] {
        let out = table.export(audience, Format::Db, name);
        for sql in &statements {
            in_file(&out, |record| {
                assert!(
                    !record.rows(sql).is_empty(),
                    "{sql} finds something for {audience:?}"
                )
            });
        }
        let bytes = std::fs::read(&out).expect("bytes");
        let has = bytes
            .windows(CANARY.len())
            .any(|window| window == CANARY.as_bytes());
        assert_eq!(
            has,
            audience == Audience::Gm,
            "what is hidden is in the GM's copy alone"
        );
    }
}

#[test]
fn no_documented_query_reads_a_whole_table() {
    let table = evening();
    for (audience, name) in [(Audience::Gm, "gm.db"), (Audience::Player, "players.db")] {
        let out = table.export(audience, Format::Db, name);
        for sql in statements().iter().filter(|sql| sql.contains("where")) {
            let plan = in_file(&out, |record| {
                record.rows(&format!("explain query plan {sql}"))
            });
            let steps = plan.iter().map(|row| row["detail"].as_str().expect("text"));
            let whole: Vec<&str> = steps
                .filter(|step| step.starts_with("SCAN") && !is_small(step))
                .collect();
            assert!(whole.is_empty(), "{audience:?} {sql}: {whole:?}");
        }
    }
}

/// Whether a step of a plan goes over what one row holds, over what the steps before found, or over
/// a table that a game keeps short.
fn is_small(step: &str) -> bool {
    const SMALL: [&str; 9] = [
        "VIRTUAL TABLE",
        "CONSTANT ROW",
        "SCAN later",
        "SCAN why",
        "SCAN dictionary",
        "SCAN notes",
        "SCAN zone_offsets",
        "SCAN campaign",
        "(subquery",
    ];
    SMALL
        .iter()
        .any(|small| step.contains(small) || step.contains("SUBQUERY"))
}

/// Rows of a statement as JSON text, with flags as SQLite has them.
fn json_rows(rows: Vec<Value>) -> Vec<Value> {
    let flag = |value: Value| value.as_bool().map_or(value, |flag| json!(i64::from(flag)));
    let row = |row: Value| -> Value {
        let Value::Object(fields) = row else {
            panic!("{row}")
        };
        fields
            .into_iter()
            .map(|(name, value)| (name, flag(value)))
            .collect()
    };
    rows.into_iter().map(row).collect()
}

#[test]
fn postgresql_answers_every_query_as_sqlite_does() {
    let Some(server) = Database::new() else {
        return;
    };
    let mut table = evening();
    if table.location().file().is_none() {
        return;
    }
    // A search numbers what players see.
    table.call("search_log", json!({"text": "tide"})).is_fine();
    let (from, to): (Location, Location) = (table.location(), server.location(None));
    blocking(async || transfer::copy(&from, &to, None, NOW).await).expect("is carried over");
    blocking(async || {
        let store = Store::open(&to).await?;
        let indexed = store.index(1).await;
        store.close().await.and(indexed)
    })
    .expect("has an index");
    let all = TABLES
        .iter()
        .map(|table| format!("select * from {table} order by 1, 2, 3, 4"));
    for sql in statements()
        .into_iter()
        .chain(all)
        .chain(["select n, undone, local_time, time from facts order by n".to_owned()])
    {
        let statement = sql.trim_end_matches(';').to_owned();
        let there = blocking(async || {
            let mut connection = server.connect().await;
            let sql = format!("select to_jsonb(found)::text as object from ({statement}) as found");
            let rows: Vec<String> = sqlx::query_scalar(sqlx::AssertSqlSafe(sql))
                .fetch_all(&mut connection)
                .await
                .expect("is asked");
            rows
        });
        let there: Vec<Value> = there
            .iter()
            .map(|row| serde_json::from_str(row).expect("JSON"))
            .collect();
        let names: Vec<String> = there
            .first()
            .and_then(Value::as_object)
            .expect("a row")
            .keys()
            .cloned()
            .collect();
        let fields: Vec<String> = names
            .iter()
            .map(|name| format!("'{name}', found.\"{name}\""))
            .collect();
        let here = table.record().rows(&format!(
            "select json_object({}) as object from ({statement}) as found",
            fields.join(", ")
        ));
        let here = here
            .iter()
            .map(|row| serde_json::from_str(row["object"].as_str().expect("text")).expect("JSON"))
            .collect();
        assert_eq!(
            lists_unspaced(json_rows(here)),
            lists_unspaced(json_rows(there)),
            "{sql}"
        );
    }
}

/// The same text for the same values: PostgreSQL writes `[1, 2]` where SQLite writes `[1,2]`, and 4.00
/// where it writes 4.0.
fn lists_unspaced(rows: Vec<Value>) -> String {
    let text = |value: &Value| match value {
        Value::Number(number) => format!("{:.4}", number.as_f64().expect("a number")),
        Value::String(text) => text.replace(", ", ","),
        other => other.to_string(),
    };
    let row = |row: &Value| {
        let fields = row.as_object().expect("an object").iter();
        fields
            .map(|(name, value)| format!("{name}={}", text(value)))
            .collect::<Vec<_>>()
            .join(" ")
    };
    // Names are put in order by the rules of the server's language.
    let mut rows: Vec<String> = rows.iter().map(row).collect();
    rows.sort();
    rows.join("\n")
}

#[test]
fn what_was_taken_back_is_marked_and_what_was_done_again_is_not() {
    let table = evening();
    let undone = "select target, amount, reason, undone from damage order by n";
    let expected = json!([
        {"target": "Jory", "amount": 4, "reason": "half", "undone": 0},
        {"target": "Rat", "amount": 4, "reason": null, "undone": 0},
        {"target": "Jory", "amount": 1, "reason": null, "undone": 1},
        {"target": "Jory", "amount": 2, "reason": "a splinter", "undone": 0},
    ]);
    let gm = table.export(Audience::Gm, Format::Db, "gm.db");
    assert_eq!(json!(in_file(&gm, |record| record.rows(undone))), expected);
    let players = table.export(Audience::Player, Format::Db, "players.db");
    let mut seen = expected;
    seen[1]["amount"] = json!(null);
    assert_eq!(
        json!(in_file(&players, |record| record.rows(undone))),
        seen,
        "a foe's wound has no figures"
    );
    let threads = "select text from notes where kind = 'thread' and closed_by is null";
    assert_eq!(
        json!(in_file(&players, |record| record.rows(threads))),
        json!([{"text": "Who holds the key?"}])
    );
    let dice = "select value, faces, kept, why from dice where expression like '3d6%' order by n";
    let down = in_file(&gm, |record| record.rows(dice));
    assert_eq!(down, in_file(&players, |record| record.rows(dice)));
    assert_eq!(down.len(), 5, "{down:?}");
    assert!(down.iter().any(|die| die["why"] != ""), "{down:?}");
    let hit = "select attacker, roll, rolled, applied from damage where reason = 'half'";
    let [hit] = in_file(&gm, |record| record.rows(hit))
        .try_into()
        .expect("one");
    assert_eq!(
        (&hit["attacker"], &hit["rolled"], &hit["applied"]),
        (&json!("Sabeth"), &json!(5), &json!(4))
    );
    let how = in_file(&players, |record| {
        record.rows("select who, how from initiative where who is not null order by n")
    });
    assert_eq!(how[0], json!({"who": "Jory", "how": "typed"}));
}

#[test]
fn times_are_reported_in_the_tables_zone_where_one_is_kept() {
    let table = evening();
    let gm = table.export(Audience::Gm, Format::Db, "gm.db");
    let time =
        |record: &Record<'_>| record.rows("select time, local_time from rolls limit 1")[0].clone();
    let expected =
        json!({"time": "2026-11-20T19:30:00.000000Z", "local_time": "2026-11-20T19:30:00+00:00"});
    assert_eq!(in_file(&gm, time), expected);
    let keep = |zone: &str| {
        let found = Zone::named(zone).expect("a zone");
        let kept = KeptZone {
            name: found.name().to_owned(),
            offsets: found.offsets(NOW),
        };
        table
            .wait(campaigns::keep_zone(&table.location(), None, &kept))
            .expect("is kept")
    };
    keep("europe/berlin");
    keep("America/St Johns");
    assert_eq!(
        time(&table.record())["local_time"],
        "2026-11-20T16:00:00-03:30"
    );
    for (audience, name) in [
        (Audience::Gm, "gm-zone.db"),
        (Audience::Player, "players-zone.db"),
    ] {
        let out = table.export(audience, Format::Db, name);
        assert_eq!(
            in_file(&out, time)["local_time"],
            "2026-11-20T16:00:00-03:30",
            "{audience:?}"
        );
    }
}

#[test]
fn a_clock_that_runs_ahead_of_the_changes_that_were_kept_does_not_make_a_copy_wrong() {
    let table = evening();
    let zone = Zone::named("Europe/Berlin").expect("a zone");
    // As it was kept fifty years before.
    let kept = KeptZone {
        name: zone.name().to_owned(),
        offsets: zone.offsets(NOW - 50 * 365 * 86_400_000_000),
    };
    table
        .wait(campaigns::keep_zone(&table.location(), None, &kept))
        .expect("is kept");
    let out = table.export(Audience::Player, Format::Db, "ahead.db");
    assert_eq!(
        table
            .wait(check_copy(&out, None))
            .expect("is checked")
            .findings,
        [""; 0].map(str::to_owned)
    );
    table.spoil();
    let found = table.record().verified(None);
    let rows = "other changes of the clock than Europe/Berlin, so that its local times are wrong; `rollbook campaigns zone";
    assert!(format!("{found:?}").contains(rows), "{found:?}");
}

#[test]
fn local_times_of_a_copy_that_are_not_those_of_its_zone_are_found() {
    let table = evening();
    let zone = Zone::named("Europe/Berlin").expect("a zone");
    let kept = KeptZone {
        name: zone.name().to_owned(),
        offsets: zone.offsets(NOW),
    };
    table
        .wait(campaigns::keep_zone(&table.location(), None, &kept))
        .expect("is kept");
    for (nth, (change, found)) in [
        ("select 1", None),
        (
            "update zone_offsets set seconds = seconds + 3600",
            Some("has other changes of the clock than Europe/Berlin"),
        ),
        (
            "update zone_offsets set since = since - 86400000000 where since > 0",
            Some("has other changes of the clock than Europe/Berlin"),
        ),
        (
            "delete from zone_offsets where since > 0",
            Some("has other changes of the clock than Europe/Berlin"),
        ),
        (
            "update zone_offsets set zone = 'Mars/Olympus'",
            Some("is not of one time zone"),
        ),
        (
            "update zone_offsets set zone = 'Europe/Paris' where since = 0",
            Some("is not of one time zone"),
        ),
        (
            "insert into zone_offsets values (2, 1795000000000000, 7200, 'Europe/Berlin')",
            Some("is not of one time zone"),
        ),
        (
            "insert into zone_offsets values (1, 1795000000000000, 7200, 'Europe/Berlin')",
            Some("has other changes of the clock than Europe/Berlin"),
        ),
        // Changes of the clock after its end are none of its own.
        (
            "delete from zone_offsets where since > 1800000000000000",
            None,
        ),
        ("delete from zone_offsets", None),
    ]
    .into_iter()
    .enumerate()
    {
        for audience in [Audience::Player, Audience::Gm] {
            // A database has room for the clocks of other campaigns.
            if audience == Audience::Gm && change.contains("values (2,") {
                continue;
            }
            let out = table.export(audience, Format::Db, &format!("{audience:?}-{nth}.db"));
            in_file(&out, |record| record.execute(change)).expect(change);
            let checked = table.wait(check_copy(&out, None)).expect("is checked");
            match found {
                None => assert_eq!(checked.findings, [""; 0].map(str::to_owned), "{change}"),
                Some(found) => {
                    assert!(
                        checked.findings.iter().any(|zone| zone.contains(found)),
                        "{change}: {checked:?}"
                    )
                }
            }
        }
    }
}
