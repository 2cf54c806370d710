//! A campaign without a store or a protocol, for laws over long random sequences: its rules, its
//! dice, the calls that were made, and what its log alone makes of it.

use std::fmt::Debug;
use std::sync::Arc;

use rollbook_dice::{DrawError, Roller};
use rollbook_game::decide::undo;
use rollbook_game::record::entry::Entry;
use rollbook_game::record::event::Event;
use rollbook_game::record::state::State;
use rollbook_game::refusal::Refusal;
use rollbook_game::table::{Chance, Setting, Table, Written};
use rollbook_rules::System;
use rollbook_text::diagnostic::SourceFile;

/// The rules of this text, and a campaign played by them.
pub fn setting(text: &str) -> Setting {
    setting_of(rollbook_rules::read(vec![SourceFile::new("System.md", text)]).system)
}

pub fn setting_of(system: System) -> Setting {
    Setting {
        system: Arc::new(system),
        rules_hash: "0".repeat(64),
        rules_files: vec!["System.md".to_owned()],
        rules_text: Default::default(),
        adventure: "any".to_owned(),
        campaign: "any".to_owned(),
        campaign_uuid: "00000000-0000-7000-8000-000000000000".to_owned(),
        characters_max: 2000,
    }
}

/// Dice from a seed; what else chance gives is always the same.
pub struct Dice(pub u64);

impl Roller for Dice {
    fn source(&self) -> &'static str {
        "pinned"
    }

    fn draw(&mut self, low: i64, high: i64) -> Result<i64, DrawError> {
        // Knuth's MMIX generator; its high bits will do here.
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let width = u64::try_from(high - low + 1).expect("a face");
        Ok(low + i64::try_from((self.0 >> 33) % width).expect("a small number"))
    }
}

impl Chance for Dice {
    fn roller(&mut self) -> &mut dyn Roller {
        self
    }

    fn roll_id(&mut self, _: i64) -> String {
        "00000000-0000-7000-8000-000000000001".to_owned()
    }

    fn nonce(&mut self) -> String {
        "00".repeat(16)
    }

    fn salt(&mut self) -> [u8; 32] {
        [0; 32]
    }
}

/// The log alone makes the state, and taken back one by one leaves nothing.
pub fn rebuilds(log: &[Entry], state: &State) {
    let mut again = State::default();
    for entry in log {
        assert!(entry.changes.iter().all(|change| {
            let fits = again.agrees(change);
            again.apply(std::slice::from_ref(change));
            fits
        }));
    }
    assert_eq!(&again, state);
    for entry in log.iter().rev() {
        again.revert(&entry.changes);
    }
    assert_eq!(again, State::default());
}

/// What laws remember of a campaign, beside its log.
pub trait Laws: Default {
    /// Looks at what a call wrote.
    fn hear(_written: &Written, _state: &State) {}
}

impl Laws for () {}

/// The state, the log so far, and dice that never run out.
pub struct Campaign<Call: Debug, Remembered: Laws = ()> {
    pub state: State,
    pub setting: &'static Setting,
    pub log: Vec<Entry>,
    chance: Dice,
    /// The entries that the next call may take back.
    pub later: Vec<(u64, Entry)>,
    /// The calls so far, for the reader of a failure.
    pub calls: Vec<Call>,
    pub laws: Remembered,
}

impl<Call: Debug, Remembered: Laws> Campaign<Call, Remembered> {
    pub fn of(setting: &'static Setting, dice: u64) -> Self {
        Campaign {
            state: State::default(),
            setting,
            log: Vec::new(),
            chance: Dice(dice),
            later: Vec::new(),
            calls: Vec::new(),
            laws: Remembered::default(),
        }
    }

    pub fn system(&self) -> &'static System {
        &self.setting.system
    }

    /// The entries from this place in the log on, with their numbers.
    pub fn numbered(&self, from: usize) -> Vec<(u64, Entry)> {
        (from as u64 + 1..)
            .zip(self.log[from..].iter().cloned())
            .collect()
    }

    pub fn decide(
        &mut self,
        decide: impl FnOnce(&mut Table) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let head = self.log.len() as u64;
        let at = 1_000_000 + head as i64;
        let mut table = Table::new(
            &mut self.state,
            self.setting,
            &mut self.chance,
            at,
            head,
            None,
        );
        table.later = std::mem::take(&mut self.later);
        let decided = decide(&mut table);
        if decided.is_err() {
            table.roll_back();
            return decided;
        }
        let written = table.into_written();
        written
            .iter()
            .for_each(|written| Remembered::hear(written, &self.state));
        self.log
            .extend(written.into_iter().map(|written| written.entry));
        Ok(())
    }

    pub fn undo(&mut self, entry: Option<u64>) -> Result<(), Refusal> {
        self.decide(|table| {
            let mut later = table.later.iter();
            table.referred = entry.map(|named| {
                let found = later.find(|(seq, _)| *seq == named);
                found.cloned().expect("an entry of that number")
            });
            undo::undo(table).map(drop)
        })
    }

    /// Whatever a call did, taking it back leaves what was before it, and taking that back what was
    /// after it; the last change is what an undo without a name means.
    pub fn undone_and_done_again(&mut self, before: &State, from: usize, named: Option<u64>) {
        let after = self.state.clone();
        let opens = |entry: &Entry| matches!(entry.event, Event::SessionStarted(_));
        if self.log[from..]
            .iter()
            .all(|entry| entry.changes.is_empty() || opens(entry))
        {
            return;
        }
        self.later = self.numbered(from);
        self.undo(named).expect("the last change is undone");
        let mut stands = before.clone();
        if self.log[from..].iter().any(opens) {
            stands.sessions.clone_from(&self.state.sessions);
        }
        assert_eq!(
            self.state, stands,
            "undo is the identity, but for a sitting that has begun"
        );
        let undone = self.log.len();
        self.later = self.numbered(undone - 1);
        self.undo(Some(undone as u64)).expect("and done again");
        assert_eq!(self.state, after, "so is undoing that");
        assert!(
            self.log.len() == undone + 1 && self.log[undone].rolls.is_empty(),
            "no die is touched"
        );
    }
}

/// Prints the calls so far when a law does not hold.
impl<Call: Debug, Remembered: Laws> Drop for Campaign<Call, Remembered> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("after {} calls:", self.calls.len());
            self.calls.iter().for_each(|call| eprintln!("{call:?}"));
        }
    }
}
