//! Every command in a block `sh` of README.md and docs/: run as it is pasted, line by line, in a
//! folder where the page's reader is.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::docs::in_folder;
use crate::http::web::Web;
use crate::process::{Came, ran, ran_with, rollbook};
use crate::table::{Record, Table};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// What is done with a line.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Treatment {
    /// It is run, and ends with 0.
    Run,
    /// It is run with less to do, by this argument.
    Shortened(&'static str),
    /// Over HTTP, at another port, until it says where.
    Served,
    /// `.ci/run` has it.
    OfCi(&'static str),
    /// What it starts of this program is a command that this program takes.
    Read,
    /// Its request is sent.
    Sent,
    /// Its statement is run.
    Queried,
    /// It asks at a terminal, and refuses without one.
    Asks,
}

const RELEASE: &str = "target/debug/rollbook demo";
const COMPILED: &str = "cargo test --locked --no-run";

/// By how a line begins, the first that fits; a line that fits none fails the test.
const TREATMENTS: [(&str, Treatment); 13] = [
    // Minutes of compiling; what is installed is what is tested here.
    ("cargo install --path .", Treatment::OfCi(COMPILED)),
    // A release build; .ci/run takes the tests' program.
    ("cargo run --release -- demo", Treatment::OfCi(RELEASE)),
    // This test is in it.
    ("cargo test", Treatment::OfCi("step cargo test\n")),
    // Not on every machine; tests/plugin/run and tests/container/run have them.
    ("claude ", Treatment::Read),
    ("podman ", Treatment::Read),
    // Not on every machine either.
    ("curl ", Treatment::Sent),
    ("sqlite3 ", Treatment::Queried),
    // Minutes without optimization.
    ("rollbook simulate ", Treatment::Shortened("--runs 5")),
    ("rollbook fairness", Treatment::Shortened("--rolls 2000")),
    ("rollbook init --", Treatment::Run),
    // all/init.rs answers its questions.
    ("rollbook init", Treatment::Asks),
    ("rollbook ", Treatment::Run),
    ("mkdir -p ~/", Treatment::Run),
];

/// What the reader of a line has: words of it, and what makes it so.
const PREPARED: [(&str, &str); 4] = [
    ("\"Old game\"", "rollbook play --campaign 'Old game'"),
    ("continue North", "rollbook play --campaign North"),
    ("cert.pem", "cp \"$FIXTURES\"/tls/*.pem ."),
    (
        "./rollbook-new",
        "ln -sf \"$(command -v rollbook)\" rollbook-new",
    ),
];

/// The lines that set up what readers of the other pages have done.
const BEGUN: [&str; 2] = [
    "rollbook init --adventure lockhouse --client none",
    "rollbook play",
];
const PAGES_OF_BEGINNERS: [&str; 2] = ["README.md", "docs/install.md"];
const EVENING: &str = "/new Characters.md#Sabeth Quoin\n/check Sabeth Lockpicking 15\n/quit\n";

fn treatment(line: &str) -> Option<Treatment> {
    if line.contains("rollbook") && line.contains(" --http ") && line.contains(" serve ") {
        return Some(Treatment::Served);
    }
    let line = line.strip_prefix("./").unwrap_or(line);
    let line = line.replacen("rollbook-new ", "rollbook ", 1);
    TREATMENTS
        .iter()
        .find(|(begins, _)| line.starts_with(begins))
        .map(|(_, treatment)| *treatment)
}

/// Where a page's commands are run.
struct Place {
    page: String,
    folder: Arc<TempDir>,
}

impl Place {
    /// With the program in `PATH`, and what else a test's program has.
    fn shell(&self, line: &str) -> Command {
        let program = rollbook(self.folder.path());
        let folder = Path::new(program.get_program()).parent().expect("a folder");
        let path = std::env::var("PATH").expect("a path");
        let mut shell = Command::new("bash");
        shell
            .args(["-c", line])
            .current_dir(self.folder.path())
            .env("PATH", format!("{}:{path}", folder.display()))
            .env("FIXTURES", format!("{ROOT}/tests/fixtures"));
        for (name, value) in program.get_envs() {
            match value {
                Some(value) => shell.env(name, value),
                None => shell.env_remove(name),
            };
        }
        shell
    }

    fn came(&self, line: &str) -> Came {
        // Who sits down plays.
        let is_table = line.starts_with("rollbook play");
        ran_with(&mut self.shell(line), if is_table { EVENING } else { "" })
    }

    fn runs(&self, line: &str) {
        let came = self.came(line);
        assert_eq!(came.code, 0, "{}: {line}\n{came:?}", self.page);
    }

    fn follows(&self, line: &str) {
        for (words, command) in PREPARED {
            if line.contains(words) {
                self.runs(command);
            }
        }
        let Some(treatment) = treatment(line) else {
            panic!("{}: what is to be done with this line? {line}", self.page);
        };
        let words = shlex::split(line).unwrap_or_else(|| panic!("{}: {line}", self.page));
        match treatment {
            Treatment::Run => self.runs(line),
            Treatment::Shortened(by) => {
                let command = line.split(" #").next().expect("a command").trim_end();
                self.runs(&format!("{command} {by}"));
            }
            Treatment::Served => self.serves(line),
            Treatment::OfCi(step) => {
                let ci = std::fs::read_to_string(format!("{ROOT}/.ci/run")).expect("text");
                assert!(ci.contains(step), ".ci/run leaves out {line}");
            }
            Treatment::Read => self.reads(&words),
            Treatment::Sent => self.sends(&words),
            Treatment::Queried => {
                let file = self.folder.path().join(&words[1]);
                assert!(file.is_file(), "{}: {line}", self.page);
                if let Some(sql) = words.get(2) {
                    assert!(!Record::of(file.as_path()).rows(sql).is_empty(), "{line}");
                }
            }
            Treatment::Asks => {
                let refused = self.came(line);
                assert!(
                    refused.err.contains("say with flags"),
                    "{line}: {refused:?}"
                );
            }
        }
    }

    fn serves(&self, line: &str) {
        let line = line.replace(":7878", ":0").replace(":7879", ":0");
        let mut shell = self.shell(&line.replace("rollbook serve", "exec rollbook serve"));
        shell.stdin(Stdio::null());
        // It says where it serves, or fails the test; then it is killed.
        drop(Web::of(shell, self.folder.clone()));
    }

    /// What follows `--` or, in a container, the image's name.
    fn reads(&self, words: &[String]) {
        let is_container = words[..2] == ["podman", "run"];
        let began = match is_container {
            true => words.iter().rposition(|word| word == "rollbook"),
            false => words.iter().position(|word| word == "--"),
        };
        let Some(began) = began else { return };
        let inner: Vec<&str> = words[began + 1..].iter().map(String::as_str).collect();
        let inner = inner.strip_prefix(&["rollbook"]).unwrap_or(&inner);
        let inner = inner.split(|word| *word == ">").next().expect("a part");
        let came = ran(self.folder.path(), &[inner, &["--help"]].concat());
        assert_eq!(came.code, 0, "{}: {words:?}: {came:?}", self.page);
    }

    fn sends(&self, words: &[String]) {
        let data = words
            .iter()
            .position(|word| word == "-d")
            .expect("a request");
        let body: Value = serde_json::from_str(&words[data + 1]).expect("JSON");
        let (_, path) = words
            .last()
            .and_then(|url| url.strip_prefix("http://")?.split_once('/'))
            .expect("a URL");
        let answer = Web::start().post(&format!("/{path}"), &body);
        assert_eq!(answer.status, 200, "{}: {answer:?}", self.page);
    }
}

/// The lines of the page's blocks `sh`, also of those that belong to an item of a list.
fn commands(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = text.lines().map(str::trim);
    while let Some(line) = lines.next() {
        if line == "```sh" {
            found.extend(lines.by_ref().take_while(|line| *line != "```"));
        }
    }
    found.retain(|line| !line.is_empty());
    found.into_iter().map(str::to_owned).collect()
}

#[test]
fn every_command_of_the_documentation_works_where_it_is_pasted() {
    let mut followed = 0;
    for page in in_folder("docs").into_iter().chain(["README.md".into()]) {
        let lines = commands(&std::fs::read_to_string(Path::new(ROOT).join(&page)).expect("text"));
        let page = page.display().to_string();
        let is_begun = !lines.is_empty() && !PAGES_OF_BEGINNERS.contains(&page.as_str());
        let place = Place {
            page,
            folder: Arc::new(TempDir::new().expect("a folder")),
        };
        if is_begun {
            BEGUN.iter().for_each(|line| place.runs(line));
        }
        let parts = lines.iter().flat_map(|line| line.split(" && "));
        parts.for_each(|line| place.follows(line));
        followed += lines.len();
    }
    assert!(followed > 50, "{followed} are no more than a few");
}

#[test]
fn a_command_that_nobody_thought_of_is_no_command() {
    for line in [
        "frobnicate",
        "rollbooks roll 1d6",
        "npm install",
        "rm -rf /",
    ] {
        assert_eq!(treatment(line), None, "{line}");
    }
}

#[test]
fn the_readme_quotes_what_is_answered() {
    let mut table = Table::lockhouse();
    let mut said = Vec::new();
    for name in ["Sabeth Quoin", "Jory Penrake"] {
        let sheet = json!({"action": "create", "from": format!("Characters.md#{name}")});
        table.manage_character(sheet).is_fine();
    }
    let lock = json!({"character": "Sabeth", "skill": "Lockpicking", "difficulty": 15,
        "context": "the harbour-master's lock"});
    said.push(
        table
            .dice([13])
            .skill_check(lock)
            .text("summary")
            .to_owned(),
    );
    let wreckers = json!([{"name": "Jory", "initiative": 14}, {"name": "Sabeth", "initiative": 9},
        {"from": "Foes.md#Wrecker", "count": 2, "initiative": 5}]);
    table.start(wreckers);
    let at = |target: &str| json!({"character": "Jory", "skill": "Melee", "target": target, "damage": "1d12+2"});
    let refusal = table.skill_check(at("Wrecker"));
    said.push(refusal.refusal_text("ambiguous_name").to_owned());
    said.push(
        table
            .dice([11, 4])
            .skill_check(at("Wrecker 1"))
            .text("summary")
            .to_owned(),
    );
    let readme = include_str!("../../README.md");
    let quoted: Vec<&str> = readme
        .lines()
        .filter_map(|line| line.strip_prefix("Rollbook   "))
        .collect();
    assert_eq!(quoted, said);
}
