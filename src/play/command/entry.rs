//! What a command is: its words, how what follows it is read, and what that asks for.

use serde_json::{Map, Value};

use crate::play::names::Names;

/// What a line asks for.
#[derive(Debug, Clone, PartialEq)]
pub enum Deed {
    /// A call of a tool.
    Call { tool: String, arguments: Map<String, Value> },
    /// A call of `apply_damage` that gives back what these dice come to: the tool takes no dice for that.
    Heal { dice: String, arguments: Map<String, Value> },
    /// The list of commands, or one of them.
    Help(Option<&'static CommandEntry>),
    /// To leave the table.
    Quit,
}

impl Deed {
    pub(super) fn call(tool: &str, arguments: Map<String, Value>) -> Deed {
        Deed::Call { tool: tool.to_owned(), arguments }
    }
}

/// A command: its words, and how what follows it is read.
#[derive(Debug)]
pub struct CommandEntry {
    pub name: &'static str,
    /// Other words for it.
    pub also: &'static [&'static str],
    /// What follows it; what may be left out stands in brackets.
    pub takes: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// What may be typed.
    pub example: &'static str,
    /// What its words are completed with.
    pub(super) completes: &'static [Completes],
    pub(super) read: fn(&str, &Names) -> Result<Deed, String>,
}

impl PartialEq for CommandEntry {
    fn eq(&self, other: &CommandEntry) -> bool {
        self.name == other.name
    }
}

/// What the words of a command can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Completes {
    People,
    Attacks,
    /// Skills, attributes and named checks.
    Checks,
    Difficulties,
    Conditions,
    Rests,
    Sections,
    /// People of the adventure for players, and its other stat blocks.
    Sheets,
    Foes,
    Clocks,
    Commands,
    Tools,
    Words(&'static [&'static str]),
}
