//! The map in `src/lib.rs` holds: each room uses only what is before it, and what must be absent is
//! absent. A crate is a room.

use std::collections::BTreeSet;
use std::path::Path;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const LINES_MAX: usize = 750;
const PURE: [&str; 4] = ["text", "dice", "rules", "game"];

/// A source file: where it lies, its room, and its path and text as if all crates were modules of
/// one: `dice/odds/mod.rs`, `crate::dice::odds`.
pub struct Source {
    pub file: String,
    pub room: String,
    pub path: String,
    pub text: String,
}

impl Source {
    pub fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..)
            .zip(self.text.lines())
            .filter(|(_, line)| !line.trim_start().starts_with("//"))
    }

    /// The lines that hold one of these words.
    fn uses(&self, words: &[&str]) -> Vec<String> {
        let hits = self
            .code()
            .filter(|(_, line)| words.iter().any(|word| line.contains(word)));
        hits.map(|(number, line)| format!("{}:{number}: {}", self.file, line.trim()))
            .collect()
    }

    pub fn is_test(&self) -> bool {
        self.path.contains("/tests/") || self.path.ends_with("/tests.rs")
    }
}

pub fn sources() -> Vec<Source> {
    let mut all = Vec::new();
    read("src", None, &mut all);
    let crates = crates();
    for name in &crates {
        read(&format!("crates/{name}/src"), Some(name), &mut all);
    }
    for source in &mut all {
        for name in &crates {
            source.text = source
                .text
                .replace(&format!("rollbook_{name}::"), &format!("crate::{name}::"));
        }
    }
    assert!(all.len() > 100, "{} files", all.len());
    all
}

/// The folders of the crates, by name.
fn crates() -> Vec<String> {
    let folders = std::fs::read_dir(format!("{ROOT}/crates"))
        .expect("lists")
        .map(|entry| entry.expect("a folder").file_name());
    folders
        .map(|name| name.into_string().expect("a name"))
        .collect()
}

/// The files below a folder of sources, which are those of this crate; none: of the package itself.
fn read(folder: &str, of: Option<&str>, all: &mut Vec<Source>) {
    let (root, sources) = (Path::new(ROOT), Path::new(ROOT).join(folder));
    let mut folders = vec![sources.clone()];
    while let Some(folder) = folders.pop() {
        for file in std::fs::read_dir(folder)
            .expect("lists")
            .map(|file| file.expect("a file").path())
        {
            if file.is_dir() {
                folders.push(file);
            } else if file.extension().is_some_and(|extension| extension == "rs") {
                let words = |from: &Path| {
                    file.strip_prefix(from)
                        .expect("below")
                        .to_string_lossy()
                        .replace('\\', "/")
                };
                let text = std::fs::read_to_string(&file).expect("text");
                let (path, text) = match of {
                    Some(name) if words(&sources) == "lib.rs" => {
                        (format!("{name}/mod.rs"), within(name, &text))
                    }
                    Some(name) => (format!("{name}/{}", words(&sources)), within(name, &text)),
                    None => (words(&sources), text),
                };
                let room = path
                    .split('/')
                    .next()
                    .expect("a room")
                    .trim_end_matches(".rs")
                    .to_owned();
                all.push(Source {
                    file: words(root),
                    room,
                    path,
                    text,
                });
            }
        }
    }
}

/// The text of a crate as that of a module of this name.
fn within(name: &str, text: &str) -> String {
    text.replace("crate::", &format!("crate::{name}::"))
}

/// The rooms in the order of the list in `lib.rs`.
fn rooms() -> Vec<String> {
    order(&std::fs::read_to_string(format!("{ROOT}/src/lib.rs")).expect("lib.rs")).concat()
}

/// The modules of a numbered list at the top of a file: each number's, before its colon.
pub fn order(text: &str) -> Vec<Vec<String>> {
    let numbered = text
        .lines()
        .filter_map(|line| line.strip_prefix("//! ")?.split_once(". [`"));
    let numbered = numbered.filter(|(number, _)| number.parse::<u32>().is_ok());
    let names = |(_, rest): (&str, &str)| {
        let listed = rest.split(':').next().expect("names");
        listed
            .split("[`")
            .map(|name| name.split('`').next().expect("a name"))
            .map(|name| {
                name.trim_start_matches("mod@")
                    .trim_start_matches("rollbook_")
                    .to_owned()
            })
            .collect()
    };
    numbered.map(names).collect()
}

/// Nothing may be left, and what is left is shown line by line.
#[track_caller]
fn none(offenders: Vec<String>) {
    assert!(offenders.is_empty(), "{}", offenders.join("\n"));
}

#[test]
fn the_map_lists_every_room() {
    let listed: BTreeSet<String> = rooms().into_iter().collect();
    let there: BTreeSet<String> = sources()
        .into_iter()
        .map(|source| source.room)
        .filter(|room| room != "lib" && room != "main")
        .collect();
    assert_eq!(listed, there);
}

#[test]
fn each_room_uses_only_what_is_before_it() {
    let order = rooms();
    let place = |room: &str| order.iter().position(|other| other == room);
    let mut offenders = Vec::new();
    for source in sources()
        .iter()
        .filter(|source| place(&source.room).is_some())
    {
        for (number, line) in source.code() {
            for path in line.split("crate::").skip(1) {
                let used: String = path
                    .chars()
                    .take_while(|letter| letter.is_alphanumeric() || *letter == '_')
                    .collect();
                if place(&used) > place(&source.room) {
                    offenders.push(format!(
                        "{}:{number}: {} uses {used}",
                        source.file, source.room
                    ));
                }
            }
            if line.contains("use crate::{") {
                offenders.push(format!(
                    "{}:{number}: one line a room, so that this test can read it",
                    source.file
                ));
            }
        }
    }
    none(offenders);
}

#[test]
fn the_pure_rooms_are_pure() {
    let impure = [
        "async ",
        ".await",
        "std::fs",
        "std::env",
        "std::time",
        "std::process",
        "std::io",
        "std::thread",
        "std::net",
        "tokio::",
        "sqlx::",
        "rmcp::",
        "tracing::",
        "SystemTime",
        "Utc::now",
        "thread_rng",
    ];
    let pure = sources()
        .into_iter()
        .filter(|source| PURE.contains(&source.room.as_str()) && !source.is_test());
    none(pure.flat_map(|source| source.uses(&impure)).collect());
}

#[test]
fn the_operating_systems_randomness_enters_at_two_doors() {
    let doors = ["dice/roll/roller/os.rs", "table/session/os.rs"];
    let others = sources()
        .into_iter()
        .filter(|source| !doors.contains(&source.path.as_str()) && !source.is_test());
    none(
        others
            .flat_map(|source| source.uses(&["SysRng", "getrandom", "StdRng", "rand::rng("]))
            .collect(),
    );
}

#[test]
fn dice_are_pinned_by_playtests_and_by_nothing_that_serves() {
    let allowed = |source: &Source| {
        ["dice", "rules"].contains(&source.room.as_str()) || ["table/playtest/", "cli/test.rs", "cli/trying", "cli/odds"].iter().any(|allowed| source.path.starts_with(allowed))
            // Recorded faces are rolled again to check a log; nothing is written there.
            || source.path.contains("verify") || source.is_test()
    };
    let words = ["Tray", "ScriptedRoller"];
    let others = sources()
        .into_iter()
        .filter(|source| !allowed(source) && source.room != "lib");
    none(others.flat_map(|source| source.uses(&words)).collect());
}

#[test]
fn dice_that_follow_from_a_seed_are_never_logged() {
    let allowed = |source: &Source| {
        let rooms = ["dice/", "game/simulate/", "rules/lint/"];
        rooms.iter().any(|room| source.path.starts_with(room)) || source.is_test()
    };
    let others = sources().into_iter().filter(|source| !allowed(source));
    none(
        others
            .flat_map(|source| source.uses(&["SeededRoller"]))
            .collect(),
    );
}

#[test]
fn the_protocol_is_in_mcp_and_sql_in_the_store() {
    let all = sources();
    let outside = |room: &str, words: &[&str]| -> Vec<String> {
        all.iter()
            .filter(|source| source.room != room)
            .flat_map(|source| source.uses(words))
            .collect()
    };
    none(outside("server", &["rmcp::", "use rmcp"]));
    none(outside(
        "store",
        &[
            "sqlx::",
            "use sqlx",
            "pragma ",
            "\"select ",
            "\"insert into ",
            "\"delete from ",
        ],
    ));
}

#[test]
fn only_the_command_line_prints() {
    let all = sources();
    let printing = ["println!", "print!(", "eprintln!", "eprint!(", "dbg!("];
    none(
        all.iter()
            .flat_map(|source| source.uses(&printing))
            .collect(),
    );
    none(
        all.iter()
            .filter(|source| source.room != "cli")
            .flat_map(|source| source.uses(&["stdout(", "stderr()"]))
            .collect(),
    );
}

#[test]
fn the_clock_is_read_in_one_place() {
    let others = sources()
        .into_iter()
        .filter(|source| source.path != "table/session/os.rs" && !source.is_test());
    none(
        others
            .flat_map(|source| {
                source.uses(&[
                    "Utc::now",
                    "Local::now",
                    "SystemTime::now",
                    "now_v7",
                    "Uuid::new_v4",
                ])
            })
            .collect(),
    );
}

#[test]
fn no_file_is_longer_than_a_reader_bears() {
    let long = sources()
        .into_iter()
        .filter(|source| source.text.lines().count() > LINES_MAX);
    none(
        long.map(|source| format!("{}: {} lines", source.file, source.text.lines().count()))
            .collect(),
    );
}

#[test]
fn every_file_is_a_module() {
    let all = sources();
    let is_declared = |source: &Source| {
        let module = source.path.trim_end_matches(".rs").trim_end_matches("/mod");
        let (folder, name) = module
            .rsplit_once('/')
            .map_or(("lib.rs".to_owned(), module), |(folder, name)| {
                (format!("{folder}/mod.rs"), name)
            });
        let line = format!("mod {name};");
        all.iter().any(|source| {
            source.path == folder && source.text.lines().any(|text| text.ends_with(&line))
        })
    };
    let is_root = |source: &Source| {
        ["/lib.rs", "/main.rs"]
            .iter()
            .any(|root| source.file.ends_with(root))
    };
    let others = all
        .iter()
        .filter(|source| !is_root(source) && !is_declared(source));
    none(
        others
            .map(|source| format!("{} is compiled nowhere", source.file))
            .collect(),
    );
}
