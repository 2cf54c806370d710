//! `rollbook play` in a real terminal, under tmux: keys go in, the screen comes out.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use rollbook::play::model::Api;
use tempfile::TempDir;

use super::fake::{End, Fake, says};
use super::rig::answers;
use crate::process::LOCKHOUSE;

/// A terminal of 100 columns in which the command runs; `None` where there is no tmux.
/// `ROLLBOOK_TMUX=required` wants one.
pub(super) struct Terminal {
    folder: TempDir,
}

impl Terminal {
    pub(super) fn start(more: &str) -> Option<Terminal> {
        Terminal::wide("100", more)
    }

    /// One of so many columns.
    fn wide(columns: &str, more: &str) -> Option<Terminal> {
        if Command::new("tmux").arg("-V").output().is_err() {
            assert!(
                std::env::var_os("ROLLBOOK_TMUX").is_none(),
                "tmux is missing. Install it (Debian: apt-get install tmux)"
            );
            return None;
        }
        let terminal = Terminal {
            folder: TempDir::new().expect("a folder"),
        };
        let program = env!("CARGO_BIN_EXE_rollbook");
        let command = format!(
            "'{program}' play --adventure '{LOCKHOUSE}' --db campaigns.db {more}; echo \"exit $?\"; sleep 100"
        );
        let folder = terminal.path().to_str().expect("a path").to_owned();
        let home = format!("HOME={folder}");
        terminal.tmux(&[
            "-f",
            "/dev/null",
            "new-session",
            "-d",
            "-x",
            columns,
            "-y",
            "50",
            "-c",
            &folder,
            "-e",
            &home,
            "-e",
            "LC_ALL=C.UTF-8",
            &command,
        ]);
        Some(terminal)
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn tmux(&self, arguments: &[&str]) -> String {
        let socket = self.path().join("tmux");
        let output = Command::new("tmux")
            .arg("-S")
            .arg(socket)
            .arg("-u")
            .args(arguments)
            .env_remove("TMUX")
            .env_remove("NO_COLOR")
            .output()
            .expect("tmux runs");
        assert!(
            output.status.success(),
            "{arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Keys by name; a text is its letters.
    fn keys(&self, keys: &[&str]) -> &Terminal {
        self.tmux(&[&["send-keys"], keys].concat());
        self
    }

    /// Types a text and Enter.
    fn types(&self, text: &str) -> &Terminal {
        self.tmux(&["send-keys", "-l", text]);
        self.keys(&["Enter"])
    }

    /// All that was on the screen, with what left it above.
    fn screen(&self) -> String {
        self.captured(&[])
    }

    /// The same with the escapes of its colours.
    pub(super) fn coloured(&self) -> String {
        self.captured(&["-e"])
    }

    fn captured(&self, more: &[&str]) -> String {
        let lines = self.tmux(&[&["capture-pane", "-p", "-S", "-"], more].concat());
        lines
            .lines()
            .map(str::trim_end)
            .collect::<Vec<_>>()
            .join("\n")
            .trim_end()
            .to_owned()
    }

    /// Waits until the screen ends with this.
    #[track_caller]
    pub(super) fn ends(&self, wanted: &str) -> &Terminal {
        self.waits(wanted, |screen| screen.ends_with(wanted))
    }

    /// Types a line, and waits for the prompt after its answer.
    #[track_caller]
    pub(super) fn answers(&self, line: &str) -> &Terminal {
        let is_answered = |screen: &str| {
            let after = screen.rsplit_once(line).map(|(_, after)| after);
            after.is_some_and(|after| after.contains('\n') && after.ends_with('>'))
        };
        self.types(line).waits(line, is_answered)
    }

    #[track_caller]
    fn waits(&self, wanted: &str, is_there: impl Fn(&str) -> bool) -> &Terminal {
        let since = Instant::now();
        while !is_there(&self.screen()) {
            assert!(
                since.elapsed() < Duration::from_secs(20),
                "{wanted:?} did not come:\n{}",
                self.screen()
            );
            std::thread::sleep(Duration::from_millis(30));
        }
        self
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let socket = self.path().join("tmux");
        let _ = Command::new("tmux")
            .arg("-S")
            .arg(socket)
            .arg("kill-server")
            .output();
    }
}

#[test]
fn all_that_is_drawn_has_room_in_forty_columns() {
    let Some(terminal) = Terminal::wide("40", "") else {
        return;
    };
    terminal.ends("\n>");
    // A person who is asked may say no.
    terminal
        .types("/new Fenner Loy")
        .ends("y/n>")
        .types("n")
        .ends("Nothing was done.\n>")
        .types("/new fenner")
        .ends("y/n>")
        .types("y")
        .ends("\n>");
    for line in [
        "/fight start Fenner init 9, Wrecker hp 7 init 4",
        "/attack Fenner Wrecker with cudgel entered=[15,3]",
        "/fight",
        "/party",
        "/sheet Fenner",
        "/rules Health",
        "/odds Medicine 15",
        "/session end",
    ] {
        terminal.types(line).ends(if line.ends_with("end") {
            "y/n>"
        } else {
            "Loy>"
        });
    }
    terminal.types("n").ends("Loy>");
    terminal.types("/resume").ends("Loy>");
    insta::assert_snapshot!(terminal.screen());
}

#[test]
fn an_evening_at_the_keyboard() {
    let Some(terminal) = Terminal::start("") else {
        return;
    };
    terminal.ends("\n>").keys(&["/new", "Tab"]).ends("> /new");
    terminal
        .types("Sabeth Quoin: STR 8, DEX 15, CON 12, INT 14, WIS 13, CHA 10, Lockpicking +3")
        .ends("\n>");
    // Names are completed, with what is after them.
    terminal
        .keys(&["/check sab", "Tab"])
        .ends("/check Sabeth Quoin");
    terminal
        .keys(&["Lockp", "Tab"])
        .ends("/check Sabeth Quoin Lockpicking");
    terminal
        .types("15 entered=[13] # the harbour-master's lock")
        .ends("\n>");
    terminal
        .types("/fight start Sabeth init 12, Wrecker x2 hp 7 init 5")
        .ends("\nround 1, Sabeth Quoin>");
    terminal
        .keys(&["/damage Wr", "Tab"])
        .ends("/damage Wrecker");
    terminal
        .types("1 3 # the beam")
        .ends("\nround 1, Sabeth Quoin>");
    // What was typed comes back.
    terminal
        .keys(&["Up"])
        .ends("> /damage Wrecker 1 3 # the beam")
        .keys(&["Enter"])
        .ends("\nround 1, Sabeth Quoin>");
    terminal.types("/fight").ends("\nround 1, Sabeth Quoin>");
    terminal.types("/next").ends("\nround 1, Wrecker 1>");
    terminal.types("/undo").ends("\nround 1, Sabeth Quoin>");
    terminal
        .types("/odds Lockpicking 15")
        .ends("\nround 1, Sabeth Quoin>");
    terminal
        .keys(&["never mind", "C-c"])
        .ends("never mind\nround 1, Sabeth Quoin>");
    terminal.types("/quit").ends("exit 0");
    insta::assert_snapshot!(terminal.screen());
    let mode = |name: &str| {
        use std::os::unix::fs::PermissionsExt as _;
        let path = terminal.path().join("talk").join(name);
        path.metadata().expect(name).permissions().mode() & 0o777
    };
    assert_eq!(mode("history"), 0o600);
}

#[test]
fn what_cannot_be_taken_back_is_asked_at_the_keyboard() {
    let Some(terminal) = Terminal::start("") else {
        return;
    };
    let accept = "/call manage_session action=accept_loss";
    terminal
        .ends("\n>")
        .types(accept)
        .ends("\n  y/n>")
        .types("no")
        .ends("\n  Nothing was done.\n>");
    terminal
        .types(accept)
        .ends("\n  y/n>")
        .keys(&["C-c"])
        .ends("\n  Nothing was done.\n>");
    terminal
        .types(accept)
        .ends("\n  y/n>")
        .types("Y")
        .ends("\n>");
    let screen = terminal.screen();
    let question = "That cannot be taken back. Do it?";
    assert!(
        screen
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .contains(question),
        "{screen}"
    );
    assert_eq!(
        screen.matches("Nothing was done.").count(),
        2,
        "with yes it is made, and refused for its own reason: {screen}"
    );
    terminal.types("/quit").ends("exit 0");
}

#[test]
fn a_table_with_few_tools_shows_its_status_all_the_same() {
    let Some(terminal) = Terminal::start("--toolsets dice") else {
        return;
    };
    terminal.ends("\n>");
    let screen = terminal.screen();
    assert!(
        screen.starts_with("lockhouse (The Lockhouse") && !screen.contains("manage_session"),
        "{screen}"
    );
}

#[test]
fn an_answer_streams_and_can_be_broken_off() {
    let long = "The tide comes in over the sill and nobody in the Mess has seen it yet, least of all the two who play cards by the stove.";
    let fake = Fake::saying(
        Api::Ollama,
        answers([
            says(long),
            says("Something is ").ending(End::Hangs),
            says("It was a cat."),
        ]),
    );
    let Some(terminal) = Terminal::start(&format!(
        "--model ollama:scripted --endpoint {}",
        fake.endpoint
    )) else {
        return;
    };
    terminal
        .ends("\n>")
        .types("What do we see?")
        .ends("by the stove.\n>");
    let screen = terminal.screen();
    assert!(
        screen.contains("> What do we see?\nThe tide comes in over the sill"),
        "{screen}"
    );
    assert!(
        screen.lines().all(|line| line.chars().count() <= 100),
        "{screen}"
    );
    terminal
        .types("And then?")
        .ends("Something is")
        .keys(&["C-c"])
        .ends("takes the last call back.\n>");
    assert!(
        terminal
            .screen()
            .contains("Broken off. What was called stays called"),
        "{}",
        terminal.screen()
    );
    terminal
        .types("Go on")
        .ends("It was a cat.\n>")
        .keys(&["C-d"])
        .ends("exit 0");
}
