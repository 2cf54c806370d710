//! Every kind of tampering with archived sessions, and under which keeping it is found. The answers are a table in `docs/tampering.md`.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use rollbook::store::archive::digest;
use rollbook::store::verify::verify;
use serde_json::json;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use super::{archived, play};
use crate::table::{Record, Table};

/// A folder with a database, its checkpoints and two segments, and the receipt of the last entry.
struct Played {
    files: Vec<(PathBuf, Vec<u8>)>,
    receipt: String,
}

static PLAYED: LazyLock<Played> = LazyLock::new(|| {
    let mut table = Table::with_party();
    play(&mut table);
    archived(&mut table, 2);
    archived(&mut table, 3);
    let receipt = table.manage_session(json!({"action": "end"})).text("receipt").to_owned();
    let files = table.away(|table| {
        let folders = [table.path(""), table.path("campaigns.db.archive")];
        let listed = folders.iter().flat_map(|folder| std::fs::read_dir(folder).expect("a folder"));
        let files = listed.map(|file| file.expect("a file").path()).filter(|path| path.is_file());
        let below = |path: &Path| path.strip_prefix(&folders[0]).expect("below it").to_path_buf();
        files.map(|path| (below(&path), std::fs::read(&path).expect("is read"))).collect()
    });
    Played { files, receipt }
});

/// The folder as it was left, for one vandal.
struct Place {
    folder: TempDir,
    runtime: Runtime,
    segments: Vec<PathBuf>,
}

impl Place {
    fn new() -> Place {
        let folder = TempDir::new().expect("a folder");
        std::fs::create_dir(folder.path().join("campaigns.db.archive")).expect("a folder");
        let mut segments = Vec::new();
        for (path, bytes) in &PLAYED.files {
            let path = folder.path().join(path);
            std::fs::write(&path, bytes).expect("is written");
            if path.extension().is_some_and(|own| own == "db") && !path.ends_with("campaigns.db") {
                segments.push(path);
            }
        }
        segments.sort();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        Place { folder, runtime, segments }
    }

    fn database(&self) -> PathBuf {
        self.folder.path().join("campaigns.db")
    }

    /// Takes the triggers of a file away, does it, and puts them back.
    fn unlocked(&self, file: &Path, sql: &str) {
        let record = Record::new(&self.runtime, file);
        let triggers = record.rows("select name, sql from sqlite_schema where type = 'trigger'");
        let text = |row: &serde_json::Value, column: &str| row[column].as_str().expect("text").to_owned();
        triggers.iter().for_each(|row| record.execute(&format!("drop trigger {}", text(row, "name"))).expect("drops"));
        record.execute(sql).unwrap_or_else(|why| panic!("{sql}: {why}"));
        triggers.iter().for_each(|row| record.execute(&text(row, "sql")).expect("is put back"));
    }

    fn is_found(&self, receipt: Option<&str>) -> bool {
        let verified = self.runtime.block_on(verify(&self.database(), None, receipt));
        verified.map_or(true, |verified| !verified.is_sound())
    }

    /// With nothing kept, with the checkpoints beside the file, and with a receipt.
    fn found(&self) -> [bool; 3] {
        let beside = self.is_found(None);
        std::fs::remove_file(self.folder.path().join("checkpoints.log")).expect("the vandal is thorough");
        [self.is_found(None), beside, self.is_found(Some(&PLAYED.receipt))]
    }
}

fn changed(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = std::fs::read(path).expect("is read");
    change(&mut bytes);
    std::fs::write(path, bytes).expect("is written");
}

/// Makes the table of segments name the hash that a file has now.
fn resealed(place: &Place, nth: usize) {
    let file = &place.segments[nth];
    let (bytes, hash) = digest(file).expect("is read");
    let name = file.file_name().expect("a name").to_string_lossy();
    let hash = base16ct::lower::encode_string(&hash);
    let sql = format!("update segments set bytes = {bytes}, sha256 = x'{hash}' where file = '{name}'");
    place.unlocked(&place.database(), &sql);
}

type Vandal = fn(&Place);

const EDITED: &str =
    "update log set body = cast(replace(cast(body as text), 'lantern', 'lanterns') as blob) where kind = 'note'";

const KINDS: &[(&str, Vandal)] = &[
    ("nothing", |_| {}),
    ("a segment taken away", |place| std::fs::remove_file(&place.segments[0]).expect("is removed")),
    ("both segments taken away", |place| {
        place.segments.iter().for_each(|file| std::fs::remove_file(file).expect("is removed"));
    }),
    ("a segment under another name", |place| {
        std::fs::rename(&place.segments[0], place.segments[0].with_extension("old")).expect("is moved");
    }),
    ("two segments under each other's name", |place| {
        let (one, other) = (&place.segments[0], &place.segments[1]);
        let between = one.with_extension("between");
        for (from, to) in [(one, &between), (other, one), (&between, other)] {
            std::fs::rename(from, to).expect("is moved");
        }
    }),
    ("an empty file in a segment's place", |place| std::fs::write(&place.segments[0], "").expect("is written")),
    ("a link in a segment's place", |place| {
        let moved = place.folder.path().join("moved.db");
        std::fs::rename(&place.segments[0], &moved).expect("is moved");
        #[cfg(unix)]
        std::os::unix::fs::symlink(&moved, &place.segments[0]).expect("is linked");
    }),
    ("a segment cut off", |place| {
        changed(&place.segments[0], |bytes| bytes.truncate(bytes.len() - 4096));
    }),
    ("a byte at a segment's end", |place| {
        changed(&place.segments[1], |bytes| *bytes.last_mut().expect("a byte") ^= 1);
    }),
    ("a note in a segment", |place| place.unlocked(&place.segments[0], EDITED)),
    ("a note in a segment, with its hash", |place| {
        place.unlocked(&place.segments[0], EDITED);
        resealed(place, 0);
    }),
    ("a roll in a segment, with its hash", |place| {
        place.unlocked(&place.segments[1], "update roll_rows set total = total + 1");
        resealed(place, 1);
    }),
    ("an entry taken out of a segment, with its hash", |place| {
        place.unlocked(&place.segments[0], "delete from roll_rows where seq = 5; delete from log where seq = 5");
        resealed(place, 0);
    }),
    ("a segment written anew with the same entries", |place| {
        Record::new(&place.runtime, place.segments[0].clone()).execute("vacuum").expect("is written");
        changed(&place.segments[0], |bytes| bytes[27] ^= 1);
    }),
    ("the hash of a segment", |place| {
        place.unlocked(&place.database(), "update segments set sha256 = zeroblob(32)");
    }),
    ("the hash of a segment taken away", |place| {
        place.unlocked(&place.database(), "update segments set sha256 = null, bytes = null where first > 1");
    }),
    ("a segment's row taken out", |place| place.unlocked(&place.database(), "delete from segments where first = 1")),
    ("every segment's row taken out", |place| {
        place.unlocked(&place.database(), "delete from segments; delete from archived");
    }),
    ("the range of a segment", |place| {
        place.unlocked(&place.database(), "update segments set last = last - 1 where first > 1");
    }),
    ("the sessions of a segment", |place| {
        place.unlocked(&place.database(), "update segments set last_session = 3 where first > 1");
    }),
    ("the name of a segment", |place| {
        place.unlocked(&place.database(), "update segments set file = '../campaigns.db' where first = 1");
    }),
    ("where a segment was written", |place| {
        place.unlocked(&place.database(), "update segments set folder = '/nowhere'");
    }),
    ("how much players had seen in a segment", |place| {
        place.unlocked(&place.database(), "update segments set seen_n = seen_n + 1");
    }),
    ("the end of a session in a segment", |place| {
        place.unlocked(&place.database(), "update segments set ended = ended - 1");
    }),
    ("a segment put in", |place| {
        place.unlocked(
            &place.database(),
            "insert into segments select campaign, last + 1, last + 2, 3, 3, chain, seen_n, seen, ended, 'new.db', folder, bytes, sha256
             from segments where first > 1",
        );
    }),
    ("the chain value of an archived entry", |place| {
        place.unlocked(&place.database(), "update archived set chain = zeroblob(32) where seq = 5");
    }),
    ("the session of an archived entry", |place| {
        place.unlocked(&place.database(), "update archived set session = 2 where seq = 5");
    }),
    ("the time of an archived entry", |place| {
        place.unlocked(&place.database(), "update archived set at = at - 1 where seq = 5");
    }),
    ("what stays of an archived entry taken out", |place| {
        place.unlocked(&place.database(), "delete from archived where seq = 5");
    }),
    ("what stays of an entry that is not archived", |place| {
        place.unlocked(
            &place.database(),
            "insert into archived select campaign, seq, session, at, chain from log order by seq limit 1",
        );
    }),
    ("an archived entry back in the log", |place| {
        let (database, segment) = (place.database(), place.segments[0].display().to_string());
        let sql = format!(
            "attach '{segment}' as old; insert into main.log select null, campaign, seq, prev, body, public, salt, commitment, leaf, chain, at,
                session, kind, visibility, actor from old.log where seq = 5"
        );
        place.unlocked(&database, &sql);
    }),
    ("the entry that archived taken out", |place| {
        place.unlocked(&place.database(), "delete from log where kind = 'archived'");
    }),
    ("the first entry behind the archive taken out", |place| {
        place.unlocked(&place.database(), "delete from log where seq = (select min(seq) from log)");
    }),
    ("more taken out of the log than was archived", |place| {
        place.unlocked(
            &place.database(),
            "delete from roll_rows where seq < (select min(seq) + 4 from log); delete from log where seq < (select min(seq) + 4 from log)",
        );
    }),
    ("a kept answer to an archived call", |place| {
        place.unlocked(
            &place.database(),
            "update requests set reply = replace(reply, '7', '9') where request_id = 'tide 1'",
        );
    }),
];

#[test]
fn what_is_found_of_each_kind_of_tampering_with_an_archive_is_what_the_documentation_says() {
    let mark = |found: bool| if found { "found" } else { "not found" };
    let mut written = String::new();
    for (name, vandal) in KINDS {
        let place = Place::new();
        vandal(&place);
        let found = place.found();
        if *name == "nothing" {
            assert_eq!(found, [false; 3]);
            continue;
        }
        let [bare, beside, receipt] = found.map(mark);
        written.push_str(&format!("| {name} | {bare} | {beside} | {receipt} |\n"));
    }
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/tampering.md")).expect("is there");
    assert!(page.contains(&written), "docs/tampering.md has another table than:\n{written}");
}

#[test]
fn a_missing_segment_is_one_finding_and_what_follows_it_is_looked_at() {
    let place = Place::new();
    let name = place.segments[0].file_name().expect("a name").to_string_lossy().into_owned();
    std::fs::remove_file(&place.segments[0]).expect("is removed");
    let verified = place.runtime.block_on(verify(&place.database(), None, None)).expect("can be verified");
    let report = &verified.campaigns[0];
    assert_eq!(report.findings.len(), 1, "{:?}", report.findings);
    assert!(report.findings[0].what.contains(&format!("{name} is missing, which holds #1 to #")), "{report:?}");
    assert!(report.left_out > 0 && report.entries > 10, "{report:?}");
    // A receipt of what is missing is compared with what the database keeps of it.
    let record = Record::new(&place.runtime, place.database());
    let chain = record.rows("select chain from archived where seq = 5").remove(0)["chain"].clone();
    let digits = &chain.as_str().expect("hex")[..20];
    for (receipt, findings) in [(format!("#5 {digits}"), 1), (format!("#5 {}", "0".repeat(20)), 2)] {
        let verified =
            place.runtime.block_on(verify(&place.database(), None, Some(&receipt))).expect("can be verified");
        assert_eq!(verified.campaigns[0].findings.len(), findings, "{verified:?}");
    }
    // And a roll that was changed behind it is found, too.
    place.unlocked(
        &place.database(),
        "update roll_rows set total = total + 1 where seq = (select max(seq) from roll_rows)",
    );
    let verified = place.runtime.block_on(verify(&place.database(), None, None)).expect("can be verified");
    assert_eq!(verified.campaigns[0].findings.len(), 2, "{verified:?}");
    // Readers refuse instead of telling half of it.
    let why = place.runtime.block_on(rollbook::store::verify::verify(&place.segments[1], None, None));
    assert!(!why.expect("can be verified").is_sound());
}
