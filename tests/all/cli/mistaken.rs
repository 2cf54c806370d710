//! A file that is given to the wrong command: each message says what it is, and which command reads it.

use std::path::Path;

use rollbook_game::view::Audience;
use rollbook_record::export::{self, Format, Sitting, Wanted};
use serde_json::json;

use super::ran;
use crate::table::{NOW, Table};

/// Words of a parser, and of a program that was not asked.
const STRANGE: [&str; 7] = ["EOF", "line 1", "expected", "another program", "panicked", "valid UTF-8", "invalid"];

/// Every copy that is no database, by its name in the table's folder.
fn copies(table: &Table) -> Vec<String> {
    let mut names = Vec::new();
    for audience in [Audience::Player, Audience::Gm] {
        for format in Format::ALL.iter().copied() {
            for session in [None, Some(Sitting::Last)] {
                if (audience, format, session) == (Audience::Gm, Format::Db, None) {
                    continue;
                }
                let name = format!("{}-{}.{}", audience.as_str(), session.map_or("whole", |_| "part"), format.name());
                let wanted = Wanted { session, ..Wanted::of(audience, format) };
                table.wait(export::export(table.location(), &wanted, &table.path(&name), NOW)).expect("is written");
                names.push(name);
            }
        }
    }
    names
}

fn evening() -> Table {
    let mut table = Table::with_party();
    table.dice([4]).roll_dice(json!({"expression": "d6", "visibility": "gm"})).is_fine();
    table.dice([4]).roll_dice(json!({"expression": "d6"})).is_fine();
    table.manage_session(json!({"action": "end"})).is_fine();
    table
}

#[test]
fn a_copy_that_is_given_for_a_database_is_called_one_with_the_command_that_reads_it() {
    let table = evening();
    if table.location().file().is_none() {
        return;
    }
    let folder = table.path(".");
    let before = std::fs::read(table.database()).expect("bytes");
    for name in copies(&table) {
        let bytes = std::fs::read(table.path(&name)).expect("bytes");
        for words in [
            "verify --db COPY",
            "report --out x.html --db COPY",
            "log --db COPY",
            "receipt --db COPY",
            "export --out x.jsonl --db COPY",
            "backup --out x.db --db COPY",
            "campaigns list --db COPY",
            "copy --from COPY --to campaigns.db",
            "restore COPY --db campaigns.db",
        ] {
            let words = words.replace("COPY", &name);
            let came = ran(&folder, &words.split(' ').collect::<Vec<_>>());
            assert_eq!(came.code, 2, "{words}: {came:?}");
            let command = format!("`rollbook verify --copy {name}`");
            assert!(
                came.err.contains("is a copy in") && came.err.contains("rollbook verify --copy"),
                "{words}: {came:?}"
            );
            assert!(came.err.contains(&command) || came.err.contains(&format!("/{name}`")), "{words}: {came:?}");
            assert!(!STRANGE.iter().any(|strange| came.err.contains(strange)), "{words}: {came:?}");
        }
        let came = ran(&folder, &["doctor", "--db", &name]);
        let text = came.out.clone() + &came.err;
        assert!(text.contains("rollbook verify --copy") && text.contains("name the database itself"), "{came:?}");
        assert!(came.code == 1 && !text.contains("rollbook restore"), "{came:?}");
        // And following it works.
        let came = ran(&folder, &["verify", "--copy", &name]);
        assert!(came.code == 0 && came.out.contains("verified"), "{came:?}");
        assert_eq!(std::fs::read(table.path(&name)).expect("bytes"), bytes, "nothing was changed in {name}");
    }
    assert_eq!(std::fs::read(table.database()).expect("bytes"), before);
}

#[test]
fn what_is_no_copy_is_refused_in_words_of_our_own() {
    let table = evening();
    let folder = table.path(".");
    let good = std::fs::read(table.export(Audience::Player, Format::Jsonl, "good.jsonl")).expect("bytes");
    let text = String::from_utf8(good).expect("text");
    let table_of = std::fs::read(table.export(Audience::Player, Format::Csv, "good.csv")).expect("bytes");
    let cut = |many: usize| text.as_bytes()[..many].to_vec();
    for (name, bytes) in [
        ("empty", Vec::new()),
        ("a shopping list", b"milk\nbread\n".to_vec()),
        ("half a first line", cut(40)),
        ("another object", b"{\"milk\": 2}\n".to_vec()),
        ("an array", b"[1, 2]\n".to_vec()),
        ("another format", text.replacen("\"format\":1", "\"format\":9", 1).into_bytes()),
        ("nobody's", text.replacen("\"player\"", "\"everybody\"", 1).into_bytes()),
        ("no header", text.lines().skip(1).map(|line| format!("{line}\n")).collect::<String>().into_bytes()),
        ("another table", b"a,b,c\n1,2,3\n".to_vec()),
        ("names of columns alone", table_of.split(|byte| *byte == b'\n').next().expect("a line").to_vec()),
        ("a table in Latin-1", [&table_of[..table_of.len() - 3], b"\xe9\n"].concat()),
        ("bytes", vec![0xff, 0xfe, 0x00, 0x41]),
        ("the beginning of SQLite", b"SQLite format 3\0 and nothing more".to_vec()),
    ] {
        std::fs::write(table.path("wrong"), bytes).expect("is written");
        let came = ran(&folder, &["verify", "--copy", "wrong"]);
        assert_eq!(came.code, 2, "{name}: {came:?}");
        assert!(!STRANGE.iter().any(|strange| came.err.contains(strange)), "{name}: {came:?}");
        assert!(came.err.contains("wrong") && came.err.len() < 400, "{name}: {came:?}");
    }
    let lines: Vec<&str> = text.lines().collect();
    for (name, line) in
        [("half a line", &lines[5][..40]), ("a list", "[1]"), ("an unknown field", "{\"n\":1,\"by\":2}")]
    {
        let edited: String =
            lines.iter().enumerate().map(|(at, own)| format!("{}\n", if at == 5 { line } else { own })).collect();
        std::fs::write(table.path("wrong"), edited).expect("is written");
        let came = ran(Path::new(&folder), &["verify", "--copy", "wrong"]);
        assert_eq!(came.code, 1, "{name}: {came:?}");
        assert!(!STRANGE.iter().any(|strange| came.out.contains(strange)), "{name}: {came:?}");
    }
}
