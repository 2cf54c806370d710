//! Adventures that come with the program, by their names.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{ran, run};
use crate::process::{Process, dialogue, ran_with, rollbook};

/// How many come with the program.
const SHELF: usize = 8;

fn folder() -> TempDir {
    TempDir::new().expect("a folder")
}

fn is_empty(folder: &Path) -> bool {
    std::fs::read_dir(folder).expect("is read").next().is_none()
}

#[test]
fn are_read_and_leave_nothing_behind() {
    let (here, pages) = (folder(), folder());
    let simulate = "simulate --adventure Lockhouse --party Characters.md --foes Wrecker --runs 20";
    for (line, words) in [
        ("check lockhouse", "Nothing to remark."),
        ("check lockhouse/ --json", "\"errors\": 0"),
        ("check lockhouse/System.md", "Nothing to remark."),
        (
            "odds --skill Lockpicking --character Ada:_DEX_15 --difficulty 15 --compare lockhouse Lockhouse",
            "difference",
        ),
        ("show lockhouse", "System.md:"),
        ("test lockhouse --only lock", "5 playtests hold."),
        (
            "odds --adventure lockhouse --skill Lockpicking --character Ada:_DEX_15 --difficulty 15",
            "%",
        ),
        (simulate, "The party wins"),
    ] {
        let arguments = line.split(' ').map(|word| word.replace('_', " "));
        let came = run(rollbook(here.path())
            .args(arguments)
            .env("TMPDIR", pages.path()));
        assert!(
            came.code == 0 && came.out.contains(words),
            "{line}: {came:?}"
        );
        let path = pages.path().display().to_string();
        assert!(
            !format!("{}{}", came.out, came.err).contains(&path),
            "{line}: {came:?}"
        );
        assert!(is_empty(here.path()) && is_empty(pages.path()), "{line}");
    }
    for arguments in [
        ["check", "lockhouse", "--fix"],
        ["check", "lockhouse", "--watch"],
        ["test", "lockhouse", "--update"],
    ] {
        let came = ran(here.path(), &arguments);
        let advice = "`rollbook init --adventure lockhouse`";
        assert!(came.code == 2 && came.err.contains(advice), "{came:?}");
    }
    for arguments in [
        &["check", "lockhose"][..],
        &["show", "lockhose/System.md"],
        &["play", "--adventure", "lockhose"],
        &["serve", "--adventure", "lockhose"],
        &["init", "--adventure", "lockhose", "--client", "none"],
        &[
            "simulate",
            "--adventure",
            "lockhose",
            "--party",
            "a",
            "--foes",
            "b",
        ],
    ] {
        let came = ran(here.path(), arguments);
        let wanted = [
            "did you mean lockhouse?",
            "`rollbook new lockhose`",
            "six-covers",
        ];
        let says = wanted.iter().all(|words| came.err.contains(words));
        assert!(came.code == 2 && says, "{came:?}");
    }
    let unknown = ran(here.path(), &["check", "no where"]).err;
    assert!(
        unknown.contains("`rollbook new 'no where'`") && !unknown.contains("did you mean"),
        "{unknown}"
    );
    let without_flag = ran(here.path(), &["play", "lockhouse"]);
    let advice = "An adventure is named with --adventure lockhouse.";
    assert!(
        without_flag.code == 2 && without_flag.err.contains(advice),
        "{without_flag:?}"
    );
    assert!(is_empty(here.path()));
    // A folder of that name is what is meant.
    std::fs::create_dir(here.path().join("lockhouse")).expect("is made");
    ran(here.path(), &["check", "lockhouse"]).says("A narrative adventure");
}

#[test]
fn are_written_into_the_project_once_and_never_over_anything() {
    let (here, project) = (folder(), folder());
    let serve = || {
        let roll = dialogue([("roll_dice", json!({"expression": "d6"}))]);
        let mut command = rollbook(here.path());
        command.args(["serve", "--adventure", "lockhouse"]);
        ran_with(command.env("CLAUDE_PROJECT_DIR", project.path()), &roll)
    };
    let first = serve();
    assert!(
        first.code == 0 && first.err.contains("was written into"),
        "{first:?}"
    );
    let rules = project.path().join("lockhouse/System.md");
    let changed = std::fs::read_to_string(&rules).expect("is there") + "\nOurs.\n";
    std::fs::write(&rules, &changed).expect("is written");
    let second = serve();
    assert_eq!((second.code, second.err.as_str()), (0, ""));
    assert_eq!(std::fs::read_to_string(&rules).expect("is there"), changed);
    assert!(is_empty(here.path()));

    std::fs::remove_dir_all(project.path().join("lockhouse")).expect("is removed");
    std::fs::write(project.path().join("lockhouse"), "in the way").expect("is written");
    let refused = serve();
    assert!(
        refused.code == 2 && refused.err.contains("Move it away"),
        "{refused:?}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn are_written_into_the_data_folder_where_the_project_cannot_be() {
    let data = folder();
    for says in [true, false] {
        let mut command = rollbook(data.path());
        command.args(["play", "--adventure", "lockhouse"]);
        command
            .env("CLAUDE_PROJECT_DIR", "/proc")
            .env("XDG_DATA_HOME", data.path());
        let came = ran_with(&mut command, "/roll d6\n");
        assert!(came.code == 0 && came.out.contains("d6"), "{came:?}");
        assert_eq!(came.err.contains("was written into"), says, "{came:?}");
    }
    assert!(data.path().join("rollbook/lockhouse/System.md").is_file());
}

/// What a server in that folder answers to calls of `manage_session`, one after the other.
fn answers<const N: usize>(folder: &TempDir, arguments: &[&str], calls: [Value; N]) -> [String; N] {
    let mut command = rollbook(folder.path());
    command.arg("serve").args(arguments);
    let home = Arc::new(TempDir::new().expect("a folder"));
    let mut server = Process::serving(command, home);
    server.initialize();
    calls.map(|call| {
        let result = server.call("manage_session", call);
        let text = result["content"][0]["text"].as_str().expect("text");
        let rules = result["structuredContent"]["untrusted_text"].as_str();
        format!("{text}{}", rules.unwrap_or_default())
    })
}

#[test]
fn are_offered_and_begun_by_an_assistant_where_none_is_played() {
    let here = folder();
    let begin = |name: &str| json!({"action": "begin", "name": name});
    let resume = || json!({"action": "resume"});
    let [empty, list, slip, path, begun, other, again] = answers(
        &here,
        &[],
        [
            resume(),
            json!({"action": "adventures"}),
            begin("lockhose"),
            begin("../lockhouse"),
            begin("Lockhouse"),
            begin("quorum"),
            resume(),
        ],
    );
    assert!(empty.contains("action=\"adventures\""), "{empty}");
    assert!(list.matches("\n- ").count() == SHELF && list.contains("- lockhouse: A dark lamp"));
    assert!(slip.contains("did you mean lockhouse?"), "{slip}");
    assert!(path.contains("No adventure \"../lockhouse\""), "{path}");
    let ready = "Ready-made characters: Jory Penrake, Sabeth Quoin, Fenner Loy, Merry Vetch.";
    for words in [ready, "## Attributes", "in the campaign lockhouse"] {
        assert!(begun.contains(words), "{begun}");
    }
    assert!(
        other.contains("lockhouse is played here already"),
        "{other}"
    );
    assert!(again.contains("Nothing was played in lockhouse yet.") && again.contains(ready));
    // Another start finds what was begun; where something has its place nothing is written.
    let [found] = answers(&here, &[], [resume()]);
    assert_eq!(found, again);
    let taken = folder();
    std::fs::write(taken.path().join("lockhouse"), "in the way").expect("is written");
    let [refused] = answers(&taken, &[], [begin("lockhouse")]);
    assert!(refused.contains("Move it away"), "{refused}");
    let noted = folder();
    std::fs::create_dir(noted.path().join("lockhouse")).expect("is made");
    std::fs::write(noted.path().join("lockhouse/notes.txt"), "ours").expect("is written");
    let [refused] = answers(&noted, &[], [begin("lockhouse")]);
    assert!(
        refused.contains("has no System.md. Move it away"),
        "{refused}"
    );
    // A server that names a folder would look there again at its next start.
    let named = folder();
    let path = named.path().display().to_string();
    let [refused] = answers(&here, &["--adventure", &path], [begin("quorum")]);
    assert!(
        refused.contains("--adventure quorum") && is_empty(named.path()),
        "{refused}"
    );
}

#[test]
fn one_is_begun_by_two_servers_of_a_folder_and_what_was_played_before_is_named() {
    let here = folder();
    let begin = |name: &str| json!({"action": "begin", "name": name});
    let mut servers = [(); 2].map(|()| {
        let mut command = rollbook(here.path());
        command.arg("serve");
        let home = Arc::new(TempDir::new().expect("a folder"));
        let mut server = Process::serving(command, home);
        server.initialize();
        server
    });
    servers[0].done("roll_dice", json!({"expression": "d6"}));
    let begun = servers[0].done("manage_session", begin("lockhouse"));
    let summary = begun["summary"].as_str().expect("text");
    assert!(
        summary.contains("What was played before is in the campaign"),
        "{summary}"
    );
    let refused = servers[1]
        .call("manage_session", begin("quorum"))
        .to_string();
    assert!(
        refused.contains("lockhouse was begun here meanwhile"),
        "{refused}"
    );
    assert!(!here.path().join("quorum").exists());
    servers[1].done("manage_session", begin("lockhouse"));
    let nobody = servers[1].call(
        "skill_check",
        json!({"character": "Sabeth", "skill": "Lore", "difficulty": 12}),
    );
    let nobody = nobody.to_string();
    assert!(
        nobody.contains("from=\\\"Characters.md#Sabeth Quoin\\\""),
        "{nobody}"
    );
}

#[test]
fn a_page_of_rules_names_its_folder() {
    let here = folder();
    ran(here.path(), &["new", "mine"]).ends(0);
    for arguments in [
        &["check", "mine/System.md"][..],
        &["test", "mine/System.md"],
        &["play", "--adventure", "mine/System.md"],
    ] {
        ran(here.path(), arguments).ends(0);
    }
    ran(&here.path().join("mine"), &["check", "System.md"]).ends(0);
    std::fs::write(
        here.path().join("mine/System.md"),
        "# X\n\n## Attributes\n\n- A (1 is)\n",
    )
    .expect("is written");
    let found = ran(here.path(), &["check", "mine/System.md", "--json"]).out;
    assert!(found.contains("\"mine/System.md\""), "{found}");
    ran(here.path(), &["check", "mine/Why.md"]).ends(2);
}

#[test]
fn the_hook_reads_the_name_of_the_setting_as_serve_does() {
    let here = folder();
    let hook = ["hook", "session-start", "--adventure", "lockhouse"];
    assert_eq!(ran(here.path(), &hook).out, "");
    assert!(is_empty(here.path()), "a hook writes no adventure");
    let mut serve = rollbook(here.path());
    let roll = dialogue([("roll_dice", json!({"expression": "d6"}))]);
    ran_with(serve.args(["serve", "--adventure", "lockhouse"]), &roll).ends(0);
    ran(here.path(), &["new", "other"]).ends(0);
    ran(here.path(), &hook).says("A game is kept by Rollbook");
    let slip = ran(
        here.path(),
        &["hook", "session-start", "--adventure", "lockhose"],
    );
    assert!(slip.err.contains("did you mean lockhouse?"), "{slip:?}");
}
