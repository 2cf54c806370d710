//! `verify` and `export`: 0 all is well, 1 something was found, 2 it could not be done; and files
//! given to the wrong command.

use std::path::Path;
use std::sync::Arc;

use rollbook_game::view::Audience;
use rollbook_record::export;
use rollbook_record::export::{Format, Sitting, Wanted};
use serde_json::json;
use tempfile::TempDir;

use super::ran;
use crate::process::Process;
use crate::table::{NOW, Record, Table};

/// A database with one session of two rolls, and the last receipt.
pub fn played() -> (Arc<TempDir>, String) {
    let folder = Arc::new(TempDir::new().expect("a folder"));
    let mut server = Process::hello(folder.clone());
    server.done("roll_dice", json!({"expression": "2d6"}));
    let receipt = server.done("roll_dice", json!({"expression": "d20"}))["receipt"]
        .as_str()
        .expect("text")
        .to_owned();
    server.done("manage_session", json!({"action": "end"}));
    assert!(server.end().0.success());
    (folder, receipt)
}

fn execute(folder: &Path, sql: &str) {
    Record::of(folder.join("campaigns.db"))
        .execute(sql)
        .expect(sql);
}

#[test]
fn verify_says_which_database_it_looked_at_and_that_all_is_well() {
    let (folder, receipt) = played();
    let came = ran(
        folder.path(),
        &["verify", "--db", "campaigns.db", "--receipt", &receipt],
    );
    assert_eq!((came.code, came.err.as_str()), (0, ""), "{came:?}");
    let text =
        "campaigns.db\nlockhouse: verified. 6 entries, 2 rolls, 1 checkpoint; the log ends at #6 ";
    assert!(came.out.starts_with(text), "{came:?}");
}

#[test]
fn verify_ends_with_1_for_what_it_finds() {
    let (folder, receipt) = played();
    let forged = format!("{}ffffff", &receipt[..receipt.len() - 6]);
    let came = ran(
        folder.path(),
        &["verify", "--db", "campaigns.db", "--receipt", &forged],
    );
    assert_eq!(came.code, 1, "{came:?}");
    assert!(
        came.out
            .contains("lockhouse: NOT VERIFIED, 1 finding. 6 entries"),
        "{came:?}"
    );
    execute(folder.path(), "drop trigger log_is_never_updated");
    let came = ran(folder.path(), &["verify", "--db", "campaigns.db"]);
    assert_eq!(came.code, 1, "{came:?}");
    assert!(
        came.out
            .contains("database: the schema's trigger log_is_never_updated is gone\n"),
        "{came:?}"
    );
    assert!(
        came.out.ends_with("database: NOT VERIFIED, 1 finding\n"),
        "{came:?}"
    );
}

#[test]
fn where_nothing_was_played_commands_of_the_record_say_what_begins_a_campaign() {
    let folder = TempDir::new().expect("a folder");
    for line in [
        "log",
        "export --out x",
        "report --out x",
        "verify",
        "receipt",
        "campaigns list",
        "campaigns rename a b",
        "campaigns remove a --export x",
        "backup --out x",
        "key list",
        "key revoke a",
    ] {
        let came = ran(folder.path(), &line.split(' ').collect::<Vec<_>>());
        let advice = "there is no database at ./.rollbook/campaigns.db; `rollbook init` begins one here, and --db names one elsewhere";
        assert!(
            came.code == 2 && came.err.contains(advice),
            "{line}: {came:?}"
        );
    }
    let left = std::fs::read_dir(folder.path()).expect("is read").next();
    assert!(left.is_none(), "{left:?}");
    let came = ran(folder.path(), &["restore", "x.db"]);
    assert!(
        came.err.contains("x.db; name one that is there"),
        "{came:?}"
    );
}

#[test]
fn verify_ends_with_2_for_what_it_cannot_check() {
    let (folder, _) = played();
    std::fs::write(folder.path().join("list"), "milk").expect("is written");
    for (arguments, words) in [
        (&["--db", "none.db"][..], "there is no database at none.db"),
        (&["--db", "."], "it is a folder"),
        (&["--db", "list"], "does not begin as a SQLite file"),
        (
            &["--db", "campaigns.db", "--campaign", "two"],
            "no campaign \"two\" in campaigns.db",
        ),
        (
            &["--db", "campaigns.db", "--receipt", "128"],
            "one looks like \"#128 9f3c21d07a44b81e6d05\"",
        ),
        (&["--copy", "none.jsonl"], "cannot read none.jsonl"),
        (
            &["--copy", "list"],
            "list does not begin as a Rollbook export in JSON lines",
        ),
        (
            &["--copy", "list", "campaigns.db"],
            "list does not begin as a Rollbook export in JSON lines or CSV",
        ),
        (
            &["--db", "list"],
            "so it is no database. Nothing was changed. Name a database",
        ),
    ] {
        let came = ran(folder.path(), &[&["verify"], arguments].concat());
        assert_eq!(came.code, 2, "{came:?}");
        // A copy that can be checked is, beside one that cannot.
        assert_eq!(
            came.out.is_empty(),
            arguments.len() == 2 || arguments[0] == "--db",
            "{came:?}"
        );
        assert!(
            came.err.starts_with("rollbook: ") && came.err.contains(words),
            "{words}: {came:?}"
        );
    }
    assert!(!folder.path().join("none.db").exists());
}

#[test]
fn an_export_says_what_it_wrote_and_a_copy_says_what_was_not_checked() {
    let (folder, receipt) = played();
    let export = ["export", "--db", "campaigns.db", "--out", "out.jsonl"];
    let came = ran(folder.path(), &export);
    assert_eq!((came.code, came.out.as_str()), (0, ""), "{came:?}");
    let text = "lockhouse: 5 entries that players see, of 6 in campaigns.db, written to out.jsonl. Receipt: #6 ";
    assert!(came.err.starts_with(text), "{came:?}");
    let again = ran(folder.path(), &export);
    assert_eq!(again.code, 2, "{again:?}");
    assert!(
        again
            .err
            .contains("out.jsonl is there already; name another file with --out"),
        "{again:?}"
    );

    let bare = ran(folder.path(), &["verify", "--copy", "out.jsonl"]);
    assert_eq!(bare.code, 0, "{bare:?}");
    assert!(
        bare.out
            .starts_with("out.jsonl: verified. The players' copy of lockhouse ends at #6 "),
        "{bare:?}"
    );
    assert!(
        bare.out.contains("Whether it is complete was not checked"),
        "{bare:?}"
    );
    let old = ran(
        folder.path(),
        &["verify", "--copy", "out.jsonl", "--receipt", &receipt],
    );
    let text = "By the receipt nothing is missing up to #5. What was written after #5 was not checked by it";
    assert!(old.code == 0 && old.out.contains(text), "{old:?}");
    let last = came
        .err
        .trim_end()
        .split_once("Receipt: ")
        .expect("a receipt")
        .1;
    let held = ran(
        folder.path(),
        &["verify", "--copy", "out.jsonl", "--receipt", last],
    );
    assert!(
        held.code == 0 && !held.out.contains("not checked"),
        "{held:?}"
    );
    let text = std::fs::read_to_string(folder.path().join("out.jsonl")).expect("text");
    std::fs::write(
        folder.path().join("out.jsonl"),
        text.replacen("\"n\":\"P2\"", "\"n\":\"P7\"", 1),
    )
    .expect("is written");
    let edited = ran(folder.path(), &["verify", "--copy", "out.jsonl"]);
    assert_eq!(edited.code, 1, "{edited:?}");
    assert!(
        edited
            .out
            .contains("#3: its number in the view is not the next\n"),
        "{edited:?}"
    );
    assert!(edited.out.contains("out.jsonl: NOT VERIFIED"), "{edited:?}");
}

#[test]
fn a_copy_that_tells_totals_is_exported_with_the_receipt_that_it_can_be_compared_with() {
    let folder = Arc::new(TempDir::new().expect("a folder"));
    let mut server = Process::hello(folder.clone());
    server.done("roll_dice", json!({"expression": "2d6"}));
    let export = |out: &str| {
        ran(
            folder.path(),
            &[
                "export",
                "--db",
                "campaigns.db",
                "--seal",
                "total",
                "--out",
                out,
            ],
        )
        .err
        .trim_end()
        .to_owned()
    };
    let early = export("early.jsonl");
    assert!(
        early.contains("No session has ended yet") && !early.contains("Receipt"),
        "{early}"
    );
    server.done("manage_session", json!({"action": "end"}));
    server.done("roll_dice", json!({"expression": "d20"}));
    let late = export("late.jsonl");
    let text = "Receipt, of the last end of a session, which alone it can be compared with: ";
    let receipt = late.split_once(text).expect("a receipt").1;
    let held = ran(
        folder.path(),
        &["verify", "--copy", "late.jsonl", "--receipt", receipt],
    );
    assert_eq!(held.code, 0, "{held:?}");
    assert!(server.end().0.success());
}

#[test]
fn every_format_is_in_the_help_and_in_the_documentation() {
    let folder = TempDir::new().expect("a folder");
    let help = ran(folder.path(), &["export", "--help"]).out;
    for format in Format::ALL {
        assert!(
            help.contains(&format!("- {}:", format.name())) && help.contains(format.about()),
            "{format:?}: {help}"
        );
        for page in [
            include_str!("../../../README.md"),
            include_str!("../../../docs/log.md"),
        ] {
            let line = page
                .lines()
                .find(|line| line.starts_with("rollbook export"))
                .expect("the command");
            assert!(
                line.contains(&format!(" {}", format.name())),
                "{format:?}: {line}"
            );
        }
    }
}

#[test]
fn an_export_of_a_campaign_that_is_not_there_names_those_that_are() {
    let (folder, _) = played();
    let came = ran(
        folder.path(),
        &[
            "export",
            "--db",
            "campaigns.db",
            "--campaign",
            "two",
            "--out",
            "two.jsonl",
        ],
    );
    assert_eq!(came.code, 2, "{came:?}");
    assert!(
        came.err
            .contains("there is no campaign \"two\"; there are lockhouse"),
        "{came:?}"
    );
    assert!(!folder.path().join("two.jsonl").exists());
}

#[test]
fn a_crashed_servers_file_copied_with_its_log_file_holds_everything_and_without_it_shows() {
    let folder = Arc::new(TempDir::new().expect("a folder"));
    let mut server = Process::hello(folder.clone());
    let mut receipt = String::new();
    for _ in 0..5 {
        receipt = server.done("roll_dice", json!({"expression": "2d6"}))["receipt"]
            .as_str()
            .expect("text")
            .to_owned();
    }
    server.signal("KILL");
    server.wait();
    let (whole, bare) = (
        TempDir::new().expect("a folder"),
        TempDir::new().expect("a folder"),
    );
    for (name, to) in [
        ("campaigns.db", whole.path()),
        ("campaigns.db-wal", whole.path()),
        ("campaigns.db", bare.path()),
    ] {
        std::fs::copy(folder.path().join(name), to.join(name)).expect("is copied");
    }
    let verify = ["verify", "--db", "campaigns.db", "--receipt", &receipt];
    let came = ran(whole.path(), &verify);
    assert_eq!(came.code, 0, "{came:?}");
    assert!(came.out.contains("8 entries, 5 rolls"), "{came:?}");
    assert_eq!(
        ran(
            whole.path(),
            &["export", "--db", "campaigns.db", "--out", "out.jsonl"]
        )
        .code,
        0
    );
    assert_eq!(
        ran(
            whole.path(),
            &["verify", "--copy", "out.jsonl", "--receipt", &receipt]
        )
        .code,
        0
    );
    let came = ran(bare.path(), &verify);
    assert_ne!(came.code, 0, "{came:?}");
    assert!(!came.out.contains("verified"), "{came:?}");
    let mut server = Process::hello(Arc::new(whole));
    assert_eq!(
        server.done("roll_dice", json!({"expression": "d6"}))["log"],
        9,
        "and it is played on"
    );
}

#[test]
fn an_export_is_never_written_to_a_file_called_minus() {
    let (folder, _) = played();
    let came = ran(
        folder.path(),
        &["export", "--db", "campaigns.db", "--out", "-"],
    );
    assert!(
        came.code == 2 && came.err.contains("name one with --out, not -"),
        "{came:?}"
    );
    assert!(!folder.path().join("-").exists());
}

/// Who opened one to read it would wait for ever.
#[cfg(unix)]
#[test]
fn a_pipe_in_a_files_place_is_refused_and_never_opened() {
    let (folder, _) = played();
    let pipe = |name: &str| {
        let made = std::process::Command::new("mkfifo")
            .arg(folder.path().join(name))
            .status();
        assert!(made.expect("mkfifo is there").success());
    };
    pipe("pipe");
    for arguments in [
        &["verify", "--db", "pipe"][..],
        &["verify", "--copy", "pipe"],
        &["export", "--db", "pipe", "--out", "out.jsonl"],
    ] {
        let came = ran(folder.path(), arguments);
        assert!(
            came.code == 2 && came.err.contains("is a pipe (FIFO), and no file"),
            "{came:?}"
        );
    }
    std::fs::remove_file(folder.path().join("checkpoints.log")).expect("is removed");
    pipe("checkpoints.log");
    let came = ran(folder.path(), &["verify", "--db", "campaigns.db"]);
    assert!(
        came.code == 1
            && came
                .out
                .contains("checkpoints.log is a pipe (FIFO), and was not read"),
        "{came:?}"
    );
}

// A file that is given to the wrong command: each message says what it is, and which command reads
// it.

/// Words of a parser, and of a program that was not asked.
const STRANGE: [&str; 7] = [
    "EOF",
    "line 1",
    "expected",
    "another program",
    "panicked",
    "valid UTF-8",
    "invalid",
];

/// Every copy that is no database, by its name in the table's folder.
fn copies(table: &Table) -> Vec<String> {
    let mut names = Vec::new();
    for audience in [Audience::Player, Audience::Gm] {
        for format in Format::ALL.iter().copied() {
            for session in [None, Some(Sitting::Last)] {
                if (audience, format, session) == (Audience::Gm, Format::Db, None) {
                    continue;
                }
                let name = format!(
                    "{}-{}.{}",
                    audience.as_str(),
                    session.map_or("whole", |_| "part"),
                    format.name()
                );
                let wanted = Wanted {
                    session,
                    ..Wanted::of(audience, format)
                };
                table
                    .wait(export::export(
                        table.location(),
                        &wanted,
                        &table.path(&name),
                        NOW,
                    ))
                    .expect("is written");
                names.push(name);
            }
        }
    }
    names
}

fn evening() -> Table {
    let mut table = Table::with_party();
    table
        .dice([4])
        .roll_dice(json!({"expression": "d6", "visibility": "gm"}))
        .is_fine();
    table
        .dice([4])
        .roll_dice(json!({"expression": "d6"}))
        .is_fine();
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
            assert!(
                came.err.contains(&command) || came.err.contains(&format!("/{name}`")),
                "{words}: {came:?}"
            );
            assert!(
                !STRANGE.iter().any(|strange| came.err.contains(strange)),
                "{words}: {came:?}"
            );
        }
        let came = ran(&folder, &["doctor", "--db", &name]);
        let text = came.out.clone() + &came.err;
        assert!(
            text.contains("rollbook verify --copy") && text.contains("name the database itself"),
            "{came:?}"
        );
        assert!(
            came.code == 1 && !text.contains("rollbook restore"),
            "{came:?}"
        );
        // And following it works.
        let came = ran(&folder, &["verify", "--copy", &name]);
        assert!(came.code == 0 && came.out.contains("verified"), "{came:?}");
        assert_eq!(
            std::fs::read(table.path(&name)).expect("bytes"),
            bytes,
            "nothing was changed in {name}"
        );
    }
    assert_eq!(std::fs::read(table.database()).expect("bytes"), before);
}

#[test]
fn what_is_no_copy_is_refused_in_words_of_our_own() {
    let table = evening();
    let folder = table.path(".");
    let good =
        std::fs::read(table.export(Audience::Player, Format::Jsonl, "good.jsonl")).expect("bytes");
    let text = String::from_utf8(good).expect("text");
    let table_of =
        std::fs::read(table.export(Audience::Player, Format::Csv, "good.csv")).expect("bytes");
    let cut = |many: usize| text.as_bytes()[..many].to_vec();
    for (name, bytes) in [
        ("empty", Vec::new()),
        ("a shopping list", b"milk\nbread\n".to_vec()),
        ("half a first line", cut(40)),
        ("another object", b"{\"milk\": 2}\n".to_vec()),
        ("an array", b"[1, 2]\n".to_vec()),
        (
            "another format",
            text.replacen("\"format\":1", "\"format\":9", 1)
                .into_bytes(),
        ),
        (
            "nobody's",
            text.replacen("\"player\"", "\"everybody\"", 1).into_bytes(),
        ),
        (
            "no header",
            text.lines()
                .skip(1)
                .map(|line| format!("{line}\n"))
                .collect::<String>()
                .into_bytes(),
        ),
        ("another table", b"a,b,c\n1,2,3\n".to_vec()),
        (
            "names of columns alone",
            table_of
                .split(|byte| *byte == b'\n')
                .next()
                .expect("a line")
                .to_vec(),
        ),
        (
            "a table in Latin-1",
            [&table_of[..table_of.len() - 3], b"\xe9\n"].concat(),
        ),
        ("bytes", vec![0xff, 0xfe, 0x00, 0x41]),
        (
            "the beginning of SQLite",
            b"SQLite format 3\0 and nothing more".to_vec(),
        ),
    ] {
        std::fs::write(table.path("wrong"), bytes).expect("is written");
        let came = ran(&folder, &["verify", "--copy", "wrong"]);
        assert_eq!(came.code, 2, "{name}: {came:?}");
        assert!(
            !STRANGE.iter().any(|strange| came.err.contains(strange)),
            "{name}: {came:?}"
        );
        assert!(
            came.err.contains("wrong") && came.err.len() < 400,
            "{name}: {came:?}"
        );
    }
    let lines: Vec<&str> = text.lines().collect();
    for (name, line) in [
        ("half a line", &lines[5][..40]),
        ("a list", "[1]"),
        ("an unknown field", "{\"n\":\"P1\",\"by\":2}"),
    ] {
        let edited: String = lines
            .iter()
            .enumerate()
            .map(|(at, kept)| format!("{}\n", if at == 5 { line } else { kept }))
            .collect();
        std::fs::write(table.path("wrong"), edited).expect("is written");
        let came = ran(Path::new(&folder), &["verify", "--copy", "wrong"]);
        assert_eq!(came.code, 1, "{name}: {came:?}");
        assert!(
            !STRANGE.iter().any(|strange| came.out.contains(strange)),
            "{name}: {came:?}"
        );
    }
}
