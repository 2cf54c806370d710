//! `search_log` and what it is made of: the words of each entry, pages, counts, and entries that
//! are not in the index yet.

use serde_json::{Value, json};

use crate::process::{ran, rollbook};
use crate::table::{Answer, Table, each};

/// An evening with something to find.
fn evening() -> Table {
    let mut table = Table::with_party();
    table
        .manage_session(json!({"action": "note", "text": "The reeve hides the Café's key"}))
        .is_fine();
    table
        .manage_session(
            json!({"action": "note", "text": "The reeve is a wrecker", "visibility": "gm"}),
        )
        .is_fine();
    table
        .dice([18])
        .skill_check(json!({"character": "Sabeth", "skill": "Lockpicking", "difficulty": 15}))
        .is_fine();
    table
        .dice([2])
        .skill_check(json!({"character": "Sabeth", "skill": "Lockpicking", "difficulty": 15}))
        .is_fine();
    table
        .dice([9])
        .skill_check(json!({"character": "Jory", "skill": "Melee", "difficulty": 9}))
        .is_fine();
    table
        .apply_damage(json!({"target": "Jory", "amount": 2, "reason": "a splinter"}))
        .is_fine();
    table.manage_session(json!({"action": "end"})).is_fine();
    table
        .manage_session(json!({"action": "start", "title": "The second night"}))
        .is_fine();
    table
        .dice([3, 4])
        .roll_dice(json!({"expression": "2d6", "context": "the flood"}))
        .is_fine();
    table
}

fn found(table: &mut Table, arguments: Value) -> Vec<u64> {
    let answer = table.call("search_log", arguments);
    let lines = answer.is_fine()["found"]
        .as_array()
        .expect("a list")
        .clone();
    lines
        .iter()
        .map(|line| line["entry"].as_u64().expect("a number"))
        .collect()
}

fn texts(answer: &Answer) -> Vec<String> {
    let lines = answer["found"].as_array().expect("a list");
    lines
        .iter()
        .map(|line| line["text"].as_str().expect("text").to_owned())
        .collect()
}

#[test]
fn what_happened_is_found_by_its_words_people_and_outcomes() {
    let mut table = evening();
    let cafe = table.call("search_log", json!({"text": "CAFES key"}));
    assert_eq!(
        texts(&cafe),
        ["Note: The reeve hides the Café's key."],
        "{}",
        cafe["summary"]
    );
    assert_eq!(cafe["found"][0]["for"], "public");
    let reeve = table.call("search_log", json!({"text": "reeve"}));
    assert_eq!(reeve["found"].as_array().expect("a list").len(), 2);
    assert_eq!(
        reeve["found"][0]["for"], "gm",
        "the latest first, with its audience"
    );
    let mut count = |arguments: Value| found(&mut table, arguments).len();
    assert_eq!(count(json!({"skill": "lockpicking"})), 2);
    assert_eq!(
        count(json!({"skill": "Lockpicking", "outcome": "success"})),
        1
    );
    assert_eq!(count(json!({"kind": "check", "character": "jory"})), 1);
    assert_eq!(count(json!({"target": "Jory"})), 1);
    assert_eq!(
        count(json!({"character": "Jory", "kind": "damage"})),
        1,
        "what happened to her is about her"
    );
    assert_eq!(count(json!({"character": "Jory", "target": "Jory"})), 1);
    assert_eq!(count(json!({"character": "Sabeth", "kind": "damage"})), 0);
    assert_eq!(count(json!({"text": "splint*"})), 1);
    assert_eq!(count(json!({"text": "splint"})), 0);
    assert_eq!(count(json!({"text": "flood", "session": 2})), 1);
    assert_eq!(count(json!({"text": "flood", "session": 1})), 0);
    assert_eq!(
        count(json!({"text": "flood", "since": "2026-11-20 19:30"})),
        1
    );
    assert_eq!(
        count(json!({"text": "flood", "until": "2026-11-20T20:30:00+01:00"})),
        0
    );
    assert_eq!(
        count(json!({"text": "\" OR gm: NEAR( ' : *"})),
        0,
        "what has a meaning in SQL is no word"
    );
}

#[test]
fn pages_show_every_entry_once() {
    let mut table = evening();
    let all = found(&mut table, json!({"limit": 50}));
    assert_eq!(all.len() as i64, table.record().length());
    let (mut paged, mut cursor) = (Vec::new(), None::<String>);
    loop {
        let mut arguments = json!({"limit": 3});
        if let Some(cursor) = &cursor {
            arguments["cursor"] = json!(cursor);
        }
        let answer = table.call("search_log", arguments);
        let page = answer.is_fine();
        paged.extend(each(&page["found"]).map(|line| line["entry"].as_u64().expect("a number")));
        match page["cursor"].as_str() {
            Some(next) => cursor = Some(next.to_owned()),
            None => break,
        }
    }
    assert_eq!(paged, all);
}

#[test]
fn what_is_found_is_counted_as_sql_counts_it() {
    let mut table = evening();
    let counted = table.call(
        "search_log",
        json!({"session": 1, "statistics": true, "limit": 1}),
    )["statistics"]
        .clone();
    let record = table.record();
    let number = |sql: &str| json!(record.number(sql));
    assert_eq!(
        counted["entries"],
        number("select count(*) from log where session = 1")
    );
    assert_eq!(
        counted["kinds"]["check"],
        number("select count(*) from checks where session = 1")
    );
    let expected = number("select count(*) from checks where session = 1 and outcome = 'success'");
    assert_eq!(counted["outcomes"]["success"], expected);
    let dice = &counted["dice"]["20"];
    assert_eq!(
        dice["fell"],
        number("select count(*) from dice where session = 1 and sides = 20")
    );
    assert_eq!(
        (&dice["mean"], &dice["expected"]),
        (&json!("9.67"), &json!("10.50"))
    );
}

#[test]
fn dice_are_counted_by_what_was_rolled_and_not_by_what_was_kept() {
    let mut table = Table::with_party();
    table
        .dice([3, 18])
        .roll_dice(json!({"expression": "2d20kh1"}))
        .is_fine();
    table
        .dice([-1, -1, 0, -1])
        .roll_dice(json!({"expression": "4dF"}))
        .is_fine();
    table
        .dice([6, 2])
        .roll_dice(json!({"expression": "1d6!"}))
        .is_fine();
    table
        .roll_dice(json!({"expression": "1d20", "entered": [20]}))
        .is_fine();
    let answer = table.call("search_log", json!({"statistics": true}));
    let of = |sides: &str| {
        let dice = &answer["statistics"]["dice"][sides];
        [
            &dice["fell"],
            &dice["mean"],
            &dice["expected"],
            &dice["lowest"],
            &dice["highest"],
        ]
        .map(|dice| dice.clone())
    };
    assert_eq!(
        json!(of("20")),
        json!([2, "10.50", "10.50", 3, 18]),
        "{answer:?}"
    );
    assert_eq!(
        json!(of("dF")),
        json!([4, "-0.75", "0.00", -1, 0]),
        "{answer:?}"
    );
    assert_eq!(
        json!(of("6")),
        json!([1, "6.00", "3.50", 6, 6]),
        "{answer:?}"
    );
    let summary = answer["summary"].as_str().expect("text");
    assert!(
        summary.contains("dF 4 times, mean -0.75 (0.00 expected)") && summary.contains("by hand"),
        "{summary}"
    );
}

#[test]
fn one_entry_is_shown_in_full_and_what_cannot_be_found_says_what_to_send() {
    let mut table = evening();
    let check = found(&mut table, json!({"kind": "check", "character": "Jory"}))[0];
    let whole = table.call("search_log", json!({"entry": check}));
    assert_eq!(
        (&whole["kind"], &whole["outcome"]),
        (&json!("check"), &json!("success")),
        "{}",
        whole["summary"]
    );
    for (wrong, code, words) in [
        (json!({"kind": "chek"}), "invalid_parameters", "check"),
        (
            json!({"outcome": "won"}),
            "invalid_parameters",
            "critical_success",
        ),
        (
            json!({"cursor": "x"}),
            "invalid_parameters",
            "the reply before",
        ),
        (json!({"limit": 51}), "invalid_parameters", "50"),
        (
            json!({"since": "yesterday"}),
            "invalid_parameters",
            "2026-03-01",
        ),
        (json!({"entry": 999}), "unknown_entry", "no entry #999"),
    ] {
        table
            .call("search_log", wrong.clone())
            .refused_with(code, &[words]);
    }
}

#[test]
fn a_text_without_a_word_is_refused() {
    let mut table = evening();
    for (name, text) in [
        ("text", "(("),
        ("text", "*"),
        ("character", "-"),
        ("skill", "?"),
    ] {
        let sent = json!({name: text});
        table.call("search_log", sent).refused_with(
            "invalid_parameters",
            &[name, "words that stand in an entry"],
        );
    }
}

#[test]
fn what_has_no_words_yet_gets_them_by_a_search() {
    let mut table = evening();
    let (all, words) = (
        found(&mut table, json!({"limit": 50})),
        found(&mut table, json!({"text": "reeve"})),
    );
    if table.location().file().is_some() {
        table
            .record()
            .execute("delete from words; delete from seen")
            .expect("is emptied");
    } else {
        table
            .record()
            .execute("delete from words")
            .expect("is emptied");
    }
    assert_eq!(found(&mut table, json!({"limit": 50})), all);
    assert_eq!(found(&mut table, json!({"text": "reeve"})), words);
    let seen = table.record().rows("select n from seen order by n");
    assert_eq!(
        json!(seen.last().expect("a row")["n"]),
        json!(seen.len()),
        "numbers have no gaps"
    );
    table.record().is_sound();
}

/// In a file; on a server, where the numbers stand beside the words; and what is found.
const FORGED: [(&str, &str, &str); 5] = [
    (
        "update seen set n = n + 100 where seq = (select max(seq) from seen)",
        "update words set n = n + 100 where seq = (select max(seq) from words where n is not null)",
        "the number that it has for players",
    ),
    (
        "delete from seen where seq = 4",
        "update words set n = null where seq = 4",
        "the number that it has for players",
    ),
    (
        "insert into seen (campaign, seq, n) select campaign, HIDDEN, 999 from log where seq = 1",
        "update words set n = 999 where seq = HIDDEN",
        "the number that it has for players",
    ),
    (
        "delete from words where rowid = 4",
        "delete from words where seq = 4",
        "it is not in the index",
    ),
    (
        "delete from words where rowid = HIDDEN; insert into words (rowid, gm, players) values (HIDDEN, 'campaign_1 key', 'campaign_1 key')",
        "update words set players = gm where seq = HIDDEN",
        "players find it by words, and do not see it",
    ),
];

#[test]
fn verification_finds_an_index_that_is_not_the_logs() {
    for (file, server, words) in FORGED {
        let mut table = evening();
        found(&mut table, json!({"text": "reeve"}));
        let record = table.record();
        record.is_sound();
        let hidden = record.number("select seq from log where kind = 'note' and visibility = 'gm'");
        let sql = if table.location().file().is_some() {
            file
        } else {
            server
        };
        record
            .execute(&sql.replace("HIDDEN", &hidden.to_string()))
            .expect("the vandal succeeds");
        let findings = record.verify().findings;
        assert!(
            findings.iter().any(|finding| finding.what.contains(words)),
            "{sql}: {findings:?}"
        );
    }
}

#[test]
fn a_beginning_finds_what_its_words_find_however_many_they_are() {
    let mut table = evening();
    for nth in 0..40 {
        table
            .manage_session(
                json!({"action": "note", "text": format!("Knot knot{nth} and kn\u{f6}del")}),
            )
            .is_fine();
    }
    // One word, many, and those of one that is written in hexadecimal.
    for (begin, many) in [
        ("knot3*", 11),
        ("knot*", 40),
        ("kn*", 40),
        ("knodel*", 40),
        ("knotx*", 0),
        ("knot* tide", 0),
        ("knot1* knot17", 1),
    ] {
        assert_eq!(
            found(&mut table, json!({"text": begin, "limit": 50})).len(),
            many,
            "{begin}"
        );
    }
}

#[test]
fn of_several_campaigns_only_one_is_searched() {
    let mut table = evening();
    for campaign in ["two", "three"] {
        for nth in 0..60 {
            let text = format!("The reeve of {campaign}, {nth}");
            table
                .manage_session(json!({"action": "note", "text": text, "campaign": campaign}))
                .is_fine();
        }
    }
    // Those of the others stand before them, and there are more than a page looks at.
    assert_eq!(
        found(
            &mut table,
            json!({"text": "reeve", "limit": 5, "campaign": "lockhouse"})
        )
        .len(),
        2
    );
    assert_eq!(
        found(
            &mut table,
            json!({"text": "reeve", "limit": 5, "campaign": "two"})
        )
        .len(),
        5
    );
    assert_eq!(
        found(
            &mut table,
            json!({"text": "reeve tide", "campaign": "lockhouse"})
        ),
        Vec::<u64>::new()
    );
    let all = found(&mut table, json!({"limit": 50, "campaign": "lockhouse"}));
    assert!(
        all.len() > 5 && all.is_sorted_by(|one, other| one > other),
        "{all:?}"
    );
    let pages = table.call(
        "search_log",
        json!({"text": "reeve", "limit": 40, "campaign": "three"}),
    );
    let cursor = pages.text("cursor").to_owned();
    let rest = json!({"text": "reeve", "limit": 40, "campaign": "three", "cursor": cursor});
    assert_eq!(found(&mut table, rest).len(), 20);
}

#[test]
fn a_roll_is_beside_what_was_applied_of_it() {
    let mut table = Table::with_party();
    let roll = table.dice([2, 3]).roll_dice(json!({"expression": "2d4"}))["log"].clone();
    table
        .apply_damage(json!({"target": "Jory", "roll": roll, "amount": 4}))
        .is_fine();
    let second = table.apply_damage(json!({"target": "Sabeth", "roll": roll}));
    table.manage_session(json!({"action": "undo"})).is_fine();
    for entry in [&roll, &second["log"]] {
        let compared = table.manage_session(json!({"action": "compare", "entry": entry}));
        assert_eq!(compared["rolled"], json!([5]), "{}", compared["summary"]);
        let [first, second] =
            <[Value; 2]>::try_from(compared["applied"].as_array().expect("a list").clone())
                .expect("two");
        assert_eq!(
            (&first["target"], &first["amount"], &first["moved"]),
            (&json!("Jory"), &json!(4), &json!(4))
        );
        assert_eq!(
            json!([second["target"], second["moved"], second["undone"]]),
            json!(["Sabeth", 5, true])
        );
        let summary = compared["summary"].as_str().expect("text");
        assert!(
            summary.contains("1 less than rolled") && summary.contains("Undone."),
            "{summary}"
        );
    }
    // An attack leads to its damage.
    let attack = json!({"character": "Sabeth", "check": "Check", "skill": "Lockpicking", "difficulty": 5, "target": "Jory", "damage": "2d4"});
    let attack = table.dice([9, 1, 2]).skill_check(attack);
    let compared = table.manage_session(json!({"action": "compare", "entry": attack["log"]}));
    assert_eq!(compared["rolled"], json!([3]), "{}", compared["summary"]);
    assert_eq!(
        compared["applied"][0]["target"], "Jory",
        "{}",
        compared["summary"]
    );
    let summary = compared["summary"].as_str().expect("text");
    assert!(
        summary.starts_with(&format!("Of the attack #{} came #", attack["log"])),
        "{summary}"
    );
    table
        .manage_session(json!({"action": "compare", "entry": 1}))
        .refused_with("unknown_entry", &["has no roll"]);
}

#[test]
fn the_terminal_shows_the_log_to_either_audience() {
    let table = evening();
    let Some(file) = table
        .location()
        .file()
        .map(|file| file.display().to_string())
    else {
        return;
    };
    let shown = |arguments: &[&str]| {
        ran(
            table.path("").as_path(),
            &[&["log", "--db", &file], arguments].concat(),
        )
        .ends(0)
        .out
        .clone()
    };
    let gm = shown(&["--audience", "gm", "--last", "500"]);
    assert_eq!(gm.lines().count() as i64, table.record().length());
    assert!(gm.contains("The reeve is a wrecker"), "{gm}");
    assert!(gm.contains("\n#4 P3 "), "both numbers: {gm}");
    let players = shown(&["--session", "1"]);
    assert!(
        players.starts_with("P2 ") && players.contains("Café") && !players.contains("wrecker"),
        "{players}"
    );
    let sabeth = shown(&[
        "--character",
        "Sabeth",
        "--text",
        "lockpicking",
        "--json",
        "--last",
        "1",
    ]);
    let line: Value = serde_json::from_str(sabeth.trim()).expect("JSON");
    assert!(
        line["text"].as_str().expect("text").contains("[2]"),
        "the latest: {line}"
    );
}

#[test]
fn the_terminal_says_what_it_looked_for_where_nothing_fits() {
    let table = evening();
    let Some(file) = table
        .location()
        .file()
        .map(|file| file.display().to_string())
    else {
        return;
    };
    let errors = |arguments: &[&str], code: i32| {
        let came = ran(
            table.path("").as_path(),
            &[&["log", "--db", &file], arguments].concat(),
        );
        assert!(came.out.is_empty() && came.code == code, "{came:?}");
        came.err
    };
    let nothing = errors(
        &[
            "--session",
            "1",
            "--character",
            "Sabeth",
            "--text",
            "dragon",
        ],
        0,
    );
    let words = "no entry that players see fits session 1, character \"Sabeth\", text \"dragon\"";
    assert!(nothing.contains(words), "{nothing}");
    assert!(
        errors(&["--text", "dragon", "--audience", "gm"], 0)
            .contains("no entry that the GM sees fits text")
    );
    let refused = errors(&["--session", "9"], 2);
    assert!(
        refused.contains("there is no session 9; say --session 1"),
        "{refused}"
    );
}

#[test]
fn what_was_taken_back_is_marked_and_reported_in_no_recap_and_no_resume() {
    let mut table = Table::with_party();
    table
        .manage_session(json!({"action": "note", "text": "The gate fell", "kind": "discovery"}))
        .is_fine();
    table.manage_session(json!({"action": "undo"})).is_fine();
    table
        .apply_damage(json!({"target": "Jory", "amount": 3, "reason": "a splinter"}))
        .is_fine();
    let gate = table.call("search_log", json!({"text": "gate", "kind": "note"}));
    assert_eq!(gate["found"][0]["undone"], true, "{}", gate["summary"]);
    assert!(
        gate.text("summary")
            .contains("(taken back) Discovery: The gate fell"),
        "{}",
        gate["summary"]
    );
    let one = table.call("search_log", json!({"entry": gate["found"][0]["entry"]}));
    assert!(
        one.text("summary").starts_with("(taken back) "),
        "{}",
        one["summary"]
    );
    let splinter = table.call("search_log", json!({"text": "splinter"}));
    assert_eq!(
        splinter["found"][0]["undone"],
        Value::Null,
        "{}",
        splinter["summary"]
    );
    for audience in ["gm", "player"] {
        for action in ["recap", "resume"] {
            let summary = table
                .manage_session(json!({"action": action, "audience": audience}))
                .text("summary")
                .to_owned();
            let lines: Vec<&str> = summary
                .lines()
                .filter(|line| !line.contains("Taken back"))
                .collect();
            assert!(
                !lines.concat().contains("The gate fell"),
                "{action} for {audience}: {lines:?}"
            );
        }
    }
    // Done again, it is so.
    let undo = table.call("search_log", json!({"kind": "undone"}))["found"][0]["entry"].clone();
    table
        .manage_session(json!({"action": "undo", "entry": undo}))
        .is_fine();
    let gate = table.call("search_log", json!({"text": "gate", "kind": "note"}));
    assert_eq!(
        gate["found"][0]["undone"],
        Value::Null,
        "{}",
        gate["summary"]
    );
}

#[test]
fn a_character_is_a_person_and_no_word_of_a_sentence() {
    let mut table = Table::with_party();
    table.create("Lady in Grey", json!({"kind": "companion", "hp": 9}));
    table.create("Jory Grey", json!({"kind": "companion", "hp": 9}));
    table
        .manage_session(json!({"action": "note", "text": "Grey skies over Lady Hill, says Jory"}))
        .is_fine();
    table
        .apply_damage(json!({"target": "Lady in Grey", "amount": 1}))
        .is_fine();
    table
        .apply_damage(json!({"target": "Jory Grey", "amount": 1}))
        .is_fine();
    let mut people = |who: &str| {
        let lines = |text: String| {
            text.lines()
                .filter(|line| !line.contains("joins the story"))
                .count()
        };
        let found = table.call("search_log", json!({"character": who, "kind": "damage"}));
        let file = table
            .location()
            .file()
            .map(|file| file.display().to_string());
        let Some(file) = file else {
            return (found["found"].as_array().expect("a list").len(), 0);
        };
        let log = ran(
            table.path("").as_path(),
            &["log", "--character", who, "--db", &file],
        )
        .out;
        assert!(!log.contains("Grey skies"), "{log}");
        (found["found"].as_array().expect("a list").len(), lines(log))
    };
    for (who, count) in [
        ("Lady in Grey", 1),
        ("lady in", 1),
        ("Grey", 2),
        ("Lady Grey", 0),
    ] {
        let (found, logged) = people(who);
        assert_eq!(found, count, "{who}");
        assert!(logged == count || logged == 0, "{who}: {logged}");
    }
}

#[test]
fn a_log_that_does_not_hold_says_so_before_all_else() {
    let table = evening();
    let Some(file) = table
        .location()
        .file()
        .map(|file| file.display().to_string())
    else {
        return;
    };
    let record = table.record();
    let trigger = record.rows("select sql from sqlite_schema where name = 'log_is_never_updated'")
        [0]["sql"]
        .clone();
    record
        .execute("drop trigger log_is_never_updated")
        .expect("is dropped");
    record
        .execute("update log set actor = 'intruder' where kind = 'roll'")
        .expect("is changed");
    record
        .execute(trigger.as_str().expect("text"))
        .expect("is made again");
    for json in [false, true] {
        let mut command = rollbook(table.path("").as_path());
        let output = command
            .args(["log", "--db", &file])
            .args(json.then_some("--json"))
            .output()
            .expect("starts");
        let text = String::from_utf8(output.stderr).expect("text");
        assert!(text.starts_with("The log does not hold ("), "{text}");
        assert!(
            text.contains("  #") && text.contains("keep no receipt of it"),
            "{text}"
        );
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(!output.stdout.is_empty(), "it is shown all the same");
    }
}
