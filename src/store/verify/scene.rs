//! What an entry says of where and when it was played, and by which rules: the session that was on, the clock, files there are.

use crate::game::entry::Entry;
use crate::game::event::{Event, Modifier};
use crate::game::state::State;

/// Microseconds that a clock may be set back without a remark.
const BACK_MAX: i64 = 60_000_000;

/// What is noted of an entry that is older than one before it.
pub const BEHIND: &str = "its time is more than a minute before that of an entry before it: the clock was set back";

/// The latest time so far, and the files of the rules in force.
#[derive(Default)]
pub struct Scene {
    latest: i64,
    files: Vec<String>,
}

impl Scene {
    /// Takes the next entry, with the state after it; answers what cannot be.
    pub fn entry(&mut self, seq: u64, entry: &Entry, state: &State) -> Vec<String> {
        if let Event::RulesLoaded { files, .. } = &entry.event {
            self.files.clone_from(files);
        }
        let mut found: Vec<String> = self.places(entry);
        let session = state.sessions.keys().next_back().copied().unwrap_or(0);
        if entry.session != session {
            found.push(format!(
                "it says it was played in session {}, and #{seq} is in session {session}",
                entry.session
            ));
        }
        found
    }

    /// Whether its time lies before that of an entry before it by more than a minute.
    pub fn is_behind(&mut self, entry: &Entry) -> bool {
        self.latest = self.latest.max(entry.at);
        entry.at < self.latest.saturating_sub(BACK_MAX)
    }

    /// Places of rules that are in none of the files in force.
    fn places(&self, entry: &Entry) -> Vec<String> {
        let of_check: &[&[Modifier]] = match &entry.event {
            Event::Check(check) => &[&check.modifiers, &check.variables],
            _ => &[],
        };
        let cited = entry.rule.iter().chain(of_check.iter().flat_map(|list| list.iter().map(|own| &own.from)));
        let unknown = cited.filter(|place| !self.knows(place));
        unknown.map(|place| format!("it cites {place}, and there is no such place in the rules in force")).collect()
    }

    /// Whether what is written as a line of a file is one of a file there is. What is said otherwise is not looked at.
    fn knows(&self, place: &str) -> bool {
        let Some((before, line)) = place.rsplit_once(':') else { return true };
        let Ok(line) = line.parse::<u64>() else { return true };
        let is_file = before.ends_with(".md");
        !is_file || (line > 0 && self.files.iter().any(|file| before.ends_with(file.as_str())))
    }
}
