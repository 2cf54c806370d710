//! What an entry says of where and when it was played, and by which rules: the session that was on,
//! the clock, files there are, the formulas of a check.

use std::collections::{BTreeMap, BTreeSet};

use rollbook_game::record::entry::Entry;
use rollbook_game::record::event::{CheckEvent, Event, Formulas, Modifier, RulesLoaded};
use rollbook_game::record::state::State;

/// Microseconds that a clock may be set back without a remark.
const BACK_MAX: i64 = 60_000_000;

/// Microseconds between two entries of one session without a remark: a sitting may go on tomorrow.
const AHEAD_MAX: i64 = 24 * 60 * 60 * 1_000_000;

/// Which formulas of a check: of its name, with dice or without, with a target or without.
type Way = (String, bool, bool);

fn way(check: &CheckEvent) -> Way {
    (
        check.check.clone(),
        check.pool == Some(0),
        check.target.is_some(),
    )
}

/// The latest time so far, the files of the rules in force, and formulas that checks have named.
#[derive(Default)]
pub struct Scene {
    pub latest: i64,
    /// The session and the time of the entry before.
    before: Option<(u32, i64)>,
    files: Vec<String>,
    formulas: BTreeMap<Way, (u64, Formulas)>,
    /// By which of them numbers were worked out from the formulas alone.
    kept: BTreeSet<Way>,
    /// Whether the program that writes the log writes formulas down.
    named: bool,
}

impl Scene {
    /// Takes the next entry, with the state after it; answers what cannot be.
    pub fn entry(&mut self, seq: u64, entry: &Entry, state: &State) -> Vec<String> {
        if let Event::RulesLoaded(RulesLoaded { files, .. }) = &entry.event {
            self.files.clone_from(files);
            self.formulas.clear();
            self.kept.clear();
        }
        let mut found: Vec<String> = self.places(entry);
        if let Event::Check(check) = &entry.event {
            found.extend(self.check(seq, entry, check));
        }
        let session = state.sessions.keys().next_back().copied().unwrap_or(0);
        if entry.session != session {
            let was = state.sessions.contains_key(&entry.session);
            let and = if was { ", and" } else { ", which never was;" };
            let named = entry.session;
            found.push(format!(
                "it names session {named}{and} session {session} was on"
            ));
        }
        found
    }

    /// What a reader should know of the entry that was taken last.
    pub fn notes(&mut self, entry: &Entry) -> Vec<&'static str> {
        self.latest = self.latest.max(entry.at);
        let before = self.before.replace((entry.session, entry.at));
        let is_ahead = |(session, at): (u32, i64)| {
            session == entry.session && entry.at.saturating_sub(at) > AHEAD_MAX
        };
        let check = match &entry.event {
            Event::Check(check) if check.again.is_none() => Some(&**check),
            _ => None,
        };
        let notes = [
            (
                entry.at < self.latest.saturating_sub(BACK_MAX),
                "its time is more than a minute before that of an entry before it: the clock was set back",
            ),
            (
                before.is_some_and(is_ahead),
                "its time is more than a day after that of the entry before it in the same session: the clock was set forward, or the \
                 session was left open",
            ),
            (
                self.named && check.is_some_and(|check| check.formulas.is_none()),
                "it does not say by which formulas it was rolled, and checks before it do",
            ),
            (
                check.is_some_and(|check| self.is_beyond(check)),
                "it says that its numbers do not follow from its rule's formulas alone, and those of checks before it by the \
                 same rule do",
            ),
        ];
        notes
            .into_iter()
            .filter_map(|(is_so, note)| is_so.then_some(note))
            .collect()
    }

    /// Whether a check's numbers go beyond formulas which those before it by the same rule kept to.
    fn is_beyond(&mut self, check: &CheckEvent) -> bool {
        let Some(formulas) = check.formulas.as_ref().filter(|_| check.stated.is_none()) else {
            return false;
        };
        if !formulas.partial {
            self.kept.insert(way(check));
        }
        formulas.partial && self.kept.contains(&way(check))
    }

    /// By the same rules a check has the same formulas; without any it is compared with another's.
    fn check(&mut self, seq: u64, entry: &Entry, check: &CheckEvent) -> Option<String> {
        // One that its call states has formulas of its own.
        let record = entry
            .rolls
            .first()
            .filter(|_| check.again.is_none() && check.stated.is_none())?;
        let way = way(check);
        let known = self.formulas.get(&way);
        let Some(named) = &check.formulas else {
            let (before, known) = known?;
            let what = known.contradiction(check, &record.roll)?;
            return Some(format!("{what} (the rule as #{before} names it)"));
        };
        self.named = true;
        let Some((before, known)) = known else {
            self.formulas.insert(way, (seq, named.clone()));
            return None;
        };
        let same = (&named.roll, &named.target, named.beside)
            == (&known.roll, &known.target, known.beside);
        (!same).then(|| {
            format!("its rule is `{named}`, and #{before} names the same rule as `{known}`")
        })
    }

    /// Places of rules that are in none of the files in force.
    fn places(&self, entry: &Entry) -> Vec<String> {
        let of_check: &[&[Modifier]] = match &entry.event {
            Event::Check(check) => &[&check.modifiers, &check.variables],
            _ => &[],
        };
        let again = entry.event.again().map(|again| &again.place);
        let of_parts = of_check
            .iter()
            .flat_map(|list| list.iter().map(|part| &part.from));
        let cited = entry.rule.iter().chain(again).chain(of_parts);
        let unknown = cited.filter(|place| !self.knows(place));
        unknown
            .map(|place| {
                format!("it cites {place}, and there is no such place in the rules in force")
            })
            .collect()
    }

    /// Whether what is written as a line of a file names a file there is. Others are passed over.
    fn knows(&self, place: &str) -> bool {
        let parsed = place
            .rsplit_once(':')
            .map(|(before, line)| (before, line.parse::<u64>()));
        let Some((before, Ok(line))) = parsed else {
            return true;
        };
        let is_file = before.ends_with(".md");
        let is = |file: &String| {
            before
                .strip_suffix(file.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.ends_with([' ', '(', '/']))
        };
        !is_file || (line > 0 && self.files.iter().any(is))
    }
}
