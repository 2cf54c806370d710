//! A campaign without a store: the state, the log so far, and dice that never run out.

use std::sync::OnceLock;

use rollbook_game::decide::character::{self, SheetCall};
use rollbook_game::decide::combat::{self, Newcomer, StartCall};
use rollbook_game::decide::undo;
use rollbook_game::record::entry::Entry;
use rollbook_game::record::event::{Act, CombatantEvent, Event};
use rollbook_game::record::state::{Combat, Combatant, State};
use rollbook_game::refusal::Refusal;
use rollbook_game::table::{Setting, Table};
use rollbook_rules::System;

use super::calls::{Call, HIDDEN};
use super::counted::Counted;
use super::laws::{self, Turns};
use crate::bare::{self, Dice};

const HEALTH: &str = "\n## Attributes\n- Dexterity (DEX): speed\n- Range: 1 to 20\n\n## Health\n- Hit points: max `10`\n\
    - Damage: Hit points\n- At 0 Hit points: gain Unconscious\n\n## Conditions\n- Poisoned: disadvantage on checks, for 2 rounds\n\
    - Dazed: -1 on checks, until start of source's turn\n";

/// Rules of every kind of initiative.
pub fn rules() -> &'static [Setting] {
    static RULES: OnceLock<Vec<Setting>> = OnceLock::new();
    RULES.get_or_init(|| {
        let combat = [
            "- Initiative: `1d20 + {DEX}`, highest first, once per fight\n- Ties: higher DEX, players, as entered",
            "- Initiative: {DEX}, lowest first",
            "- Initiative: per side `1d6`, highest first, each round\n- Ties: players",
            "- Initiative: cards, highest first, each round",
            "- Initiative: `1d6`, highest first, each round\n- Ties: higher DEX",
            "",
        ];
        combat.iter().map(|combat| setting(combat)).collect()
    })
}

fn setting(combat: &str) -> Setting {
    let dice = "# Any\n\n## Dice\nRoll 1d20 + modifiers against a difficulty.\n";
    bare::setting(&format!("{dice}{HEALTH}\n## Combat\n{combat}\n"))
}

/// The campaign, and what the laws remember of it.
pub struct Rig {
    pub state: State,
    pub setting: &'static Setting,
    pub log: Vec<Entry>,
    chance: Dice,
    /// The entries of the last advance, for a call that takes it back.
    later: Vec<(u64, Entry)>,
    turns: Turns,
    counted: Counted,
    /// The calls so far, for the reader of a failure.
    calls: Vec<Call>,
}

impl Rig {
    pub fn new(which: usize, dice: u64) -> Rig {
        Rig {
            state: State::default(),
            setting: &rules()[which],
            log: Vec::new(),
            chance: Dice(dice),
            later: Vec::new(),
            turns: Turns::default(),
            counted: Counted::default(),
            calls: Vec::new(),
        }
    }

    pub fn system(&self) -> &'static System {
        &self.setting.system
    }

    /// The fight there is.
    pub fn combat(&self) -> &Combat {
        self.state.open_combat().expect("a fight")
    }

    pub fn members(&self) -> Vec<&Combatant> {
        self.state.combatants_of(self.combat().id).collect()
    }

    pub fn name(&self, member: &Combatant) -> String {
        self.state.characters[&member.character].name.clone()
    }

    /// Two people and two rats, prepared and begun.
    pub fn sit_down(&mut self) {
        for (name, score) in [("Ann", 14), ("Bob", 9)] {
            let attributes = [("DEX".to_owned(), score)].into();
            let sheet = SheetCall {
                name: Some(name.to_owned()),
                attributes,
                ..SheetCall::default()
            };
            self.decide(|table| character::create(table, sheet).map(drop))
                .expect("is made");
        }
        let known = |name: &str| Newcomer {
            name: name.to_owned(),
            ..Newcomer::default()
        };
        let rats = Newcomer {
            name: "Rat".to_owned(),
            count: Some(2),
            hp: Some(3),
            attributes: [("DEX".to_owned(), 9)].into(),
            ..Newcomer::default()
        };
        let call = StartCall {
            combatants: vec![known("Ann"), rats],
            ..StartCall::default()
        };
        self.decide(|table| combat::create(table, &call))
            .expect("is prepared");
        let call = StartCall {
            combatants: vec![known("Bob")],
            ..StartCall::default()
        };
        let before = self.state.clone();
        self.decide(|table| combat::start(table, &call))
            .expect("begins");
        self.turns.passed(&before, &self.state, &self.log);
        self.counted
            .passed(&before, &self.state, self.turns.last(), &[]);
        laws::order_is_as_declared(self);
    }

    /// Makes a call, refused or not, and looks at what it came to.
    pub fn make(&mut self, call: &Call) {
        self.calls.push(call.clone());
        let before = self.state.clone();
        let from = self.log.len();
        if matches!(call, Call::PreviousTurn) {
            self.later = self.last_turn();
        }
        if self.decide(|table| call.make(table)).is_err() {
            assert_eq!(self.state, before, "a refusal changes nothing");
            return;
        }
        laws::order_is_as_declared(self);
        laws::pointer_moves_only_by_turns(call, &before, self);
        laws::it_did_what_it_says(call, &before, self);
        laws::ties_come_with_the_number(call, &before, self, &self.log[from..]);
        let begun_before = self
            .turns
            .begun_in(before.open_combat().expect("a fight").round);
        let passed = self.turns.passed(&before, &self.state, &self.log[from..]);
        self.counted.explicit(call, &before, &self.state);
        match passed {
            laws::Passed::Nothing => {}
            laws::Passed::Turn => {
                self.counted
                    .passed(&before, &self.state, self.turns.last(), &begun_before)
            }
            laws::Passed::Halted => self
                .counted
                .passed(&before, &self.state, None, &begun_before),
            laws::Passed::Round => self.counted.round_passed(&before, &begun_before),
            laws::Passed::Back(which) => self.counted.taken_back(which),
        }
        self.counted.agrees(&self.state);
        self.undone_and_done_again(&before, from);
        if matches!(call, Call::NextTurn { check: true })
            && before.combats.values().any(|row| row.current.is_some())
        {
            self.goes_back_and_on(&before);
        }
    }

    /// A turn and back is as if nothing had been; then the turn passes again.
    fn goes_back_and_on(&mut self, before: &State) {
        self.make(&Call::PreviousTurn);
        assert_eq!(self.state.combats, before.combats, "back is where it was");
        assert_eq!(self.state.combatants, before.combatants, "so is everybody");
        assert_eq!(self.state.conditions, before.conditions, "and what lasts");
        assert_eq!(&self.state, before);
        self.make(&Call::NextTurn { check: false });
    }

    /// Whatever a call did, taking it back leaves what was before it, and taking that back what was
    /// after it; the last change is what an undo without a name means.
    fn undone_and_done_again(&mut self, before: &State, from: usize) {
        let after = self.state.clone();
        let first = from as u64 + 1;
        if self.log[from..]
            .iter()
            .all(|entry| entry.changes.is_empty())
        {
            return;
        }
        self.later = (first..).zip(self.log[from..].iter().cloned()).collect();
        let named = first
            .is_multiple_of(2)
            .then(|| first + (self.log.len() - from) as u64 - 1);
        self.decide(|table| undo::undo(table, named).map(drop))
            .expect("the last change is undone");
        assert_eq!(&self.state, before, "undo is the identity");
        let undone = self.log.len() as u64;
        self.later = vec![(undone, self.log[undone as usize - 1].clone())];
        self.decide(|table| undo::undo(table, Some(undone)).map(drop))
            .expect("and done again");
        assert_eq!(self.state, after, "so is undoing that");
        assert!(
            self.log.len() as u64 == undone + 1 && self.log[undone as usize].rolls.is_empty(),
            "no die is touched"
        );
    }

    fn last_turn(&self) -> Vec<(u64, Entry)> {
        let advanced = self
            .state
            .running_combat()
            .and_then(|combat| combat.advanced);
        advanced.map_or_else(Vec::new, |first| {
            let first = usize::try_from(first).expect("a number");
            (first as u64..)
                .zip(self.log[first - 1..].iter().cloned())
                .collect()
        })
    }

    fn decide(
        &mut self,
        decide: impl FnOnce(&mut Table) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let head = self.log.len() as u64;
        let mut table = Table::new(
            &mut self.state,
            self.setting,
            &mut self.chance,
            1_000_000 + head as i64,
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
        for written in &written {
            let text = written
                .players
                .seen
                .as_ref()
                .map(|seen| seen.text.as_str())
                .unwrap_or_default();
            let whole = || serde_json::to_string(&written.entry).expect("JSON");
            assert!(
                !text.contains(HIDDEN),
                "players hear of a hidden effect: {text}"
            );
            assert!(
                !written.players.whole || !whole().contains(HIDDEN),
                "a public body names a hidden effect: {}",
                whole()
            );
            let hides = matches!(
                &written.entry.event,
                Event::Combatant(CombatantEvent {
                    act: Act::Hidden,
                    ..
                })
            );
            for member in self
                .state
                .combatants
                .values()
                .filter(|member| member.hidden && !hides)
            {
                let name = &self.state.characters[&member.character].name;
                assert!(
                    !text.contains(name.as_str()),
                    "players hear of {name}: {text}"
                );
                let body = || serde_json::to_string(&written.entry).expect("JSON");
                assert!(
                    !written.players.whole || !body().contains(name.as_str()),
                    "a public body names {name}"
                );
            }
        }
        self.log
            .extend(written.into_iter().map(|written| written.entry));
        Ok(())
    }

    /// The last change undone again and again leaves the table as it was before anybody came.
    pub fn unwinds(&mut self) {
        loop {
            self.later = (1..).zip(self.log.iter().cloned()).collect();
            let Err(refusal) = self.decide(|table| undo::undo(table, None).map(drop)) else {
                continue;
            };
            assert_eq!(refusal.code.as_str(), "nothing_to_undo", "{refusal}");
            // Where the last call changed nothing, the advice names the last change.
            let Some((_, entry)) = refusal.summary.split_once("action=\"undo\" entry=") else {
                break;
            };
            let entry = entry.trim_end_matches('.').parse().expect("a number");
            self.later = (1..).zip(self.log.iter().cloned()).collect();
            self.decide(|table| undo::undo(table, Some(entry)).map(drop))
                .expect("the advice holds");
        }
        let empty = State {
            campaign: self.state.campaign.clone(),
            sessions: self.state.sessions.clone(),
            ..State::default()
        };
        assert_eq!(self.state, empty);
    }

    /// The log alone makes the state, and taken back one by one leaves nothing.
    pub fn rebuilds(&self) {
        bare::rebuilds(&self.log, &self.state);
    }
}

/// Prints the calls so far when a law does not hold.
impl Drop for Rig {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("after {} calls:", self.calls.len());
            self.calls.iter().for_each(|call| eprintln!("{call:?}"));
        }
    }
}
