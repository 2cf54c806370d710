//! `--watch`: the author saves, the answer is there.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use crate::author::bench::{Bench, RULES};

/// A generous bound: what is promised is 200 ms, what is tested is that nobody waits for a machine
/// that has other work.
const SOON: Duration = Duration::from_secs(10);

struct Watching {
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl Watching {
    fn start(bench: &Bench, words: &[&str]) -> Watching {
        let mut command = bench.command(words);
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let lines = BufReader::new(child.stdout.take().expect("its output"));
        Watching { child, lines }
    }

    /// The lines up to the one that holds this.
    fn until(&mut self, words: &str) -> String {
        let begun = Instant::now();
        let mut read = String::new();
        while begun.elapsed() < SOON {
            let before = read.len();
            assert_ne!(
                self.lines.read_line(&mut read).expect("a line"),
                0,
                "it ended after {read}"
            );
            if read[before..].contains(words) {
                return read;
            }
        }
        panic!("`{words}` did not come: {read}");
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn check_runs_again_however_an_editor_saves() {
    let bench = Bench::of(RULES);
    let mut watching = Watching::start(&bench, &["check", "--watch"]);
    watching.until("Nothing to remark.");
    // Written in place.
    bench.save("System.md", &RULES.replace("## Skills", "## Skils"));
    watching.until("document/misspelt-heading");
    watching.until("1 error");
    // Written to another file that takes its place.
    bench.save("System.md~", RULES);
    std::fs::rename(bench.path("System.md~"), bench.path("System.md")).expect("renamed");
    watching.until("Nothing to remark.");
    // Moved away, then written anew.
    std::fs::rename(bench.path("System.md"), bench.path("System.md.bak")).expect("renamed");
    bench.save("System.md", &RULES.replace("## Attributes", "## Atributes"));
    watching.until("no section is called `Atributes`");
    // A file that was not there before.
    bench.save("System.md", RULES);
    watching.until("Nothing to remark.");
    bench.save("System/more.md", "## Skills\n- Swimming (DEX)\n");
    watching.until("document/two-homes");
}

#[test]
fn check_runs_again_when_the_rules_are_saved_that_these_are_built_on() {
    let base = "# Skies\n\n## Skills\n- Rigging\n\n## Checks\n\n### Try\n- Roll: `1d20`\n- Target: `{difficulty}`\n\n\
                | Outcome | When |\n|---|---|\n| Success | margin 0+ |\n| Failure | otherwise |\n";
    let mine = "# Mine\n\n- Base: ../skies\n";
    let bench = Bench::empty()
        .with("mine/System.md", "# Mine\n")
        .with("skies/System.md", base);
    let mut watching = Watching::start(&bench, &["check", "mine", "--watch", "--adventures", "."]);
    watching.until("checks/none");
    bench.save("mine/System.md", mine);
    watching.until("Rigging");
    bench.save("skies/System.md", &base.replace("- Rigging", "- Fencing"));
    watching.until("Fencing");
    bench.save("mine/System.md", "# Mine\n");
    watching.until("checks/none");
}

#[test]
fn test_runs_again_when_an_example_is_saved() {
    let example = "```playtest a\n> roll_dice expression=2d6\ndice 3 4\n= total: 8\n```\n";
    let bench = Bench::of(RULES).with("tests/a.md", example);
    let mut watching = Watching::start(&bench, &["test", "--watch"]);
    watching.until("1 of 1 playtests failed.");
    bench.save("tests/a.md", &example.replace("total: 8", "total: 7"));
    watching.until("1 playtest holds.");
}
