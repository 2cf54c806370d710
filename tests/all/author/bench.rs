//! A folder with an adventure in it, and the program run on it.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::process::{Came, rollbook, run};

/// A small game in the plain style that most of these stories are about.
pub const RULES: &str = "\
# Keep

## Dice
Roll 1d20 + modifiers against a difficulty.

## Attributes
- Dexterity (DEX)
- Range: 3 to 20

## Skills
- Lockpicking (DEX)
";

/// An author's folder.
pub struct Bench {
    folder: TempDir,
}

impl Bench {
    /// A folder with these rules.
    pub fn of(rules: &str) -> Bench {
        Bench::empty().with("System.md", rules)
    }

    /// A folder with nothing in it.
    pub fn empty() -> Bench {
        Bench {
            folder: TempDir::new().expect("a folder"),
        }
    }

    /// The same with this file.
    pub fn with(self, name: &str, text: &str) -> Bench {
        self.save(name, text);
        self
    }

    pub fn save(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder is made");
        std::fs::write(path, text).expect("a file is written");
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("a file")
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The program in this folder, with words as one types them.
    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = rollbook(self.folder.path());
        command
            .args(words)
            .env_remove("NO_COLOR")
            .env_remove("CLICOLOR_FORCE")
            .stdin(Stdio::null());
        command
    }

    pub fn run(&self, words: &[&str]) -> Came {
        self.run_with(words, |_| {})
    }

    pub fn run_with(&self, words: &[&str], change: impl FnOnce(&mut Command)) -> Came {
        let mut command = self.command(words);
        change(&mut command);
        run(&mut command)
    }
}
