//! Two people and two rats in a fight, and every call on it looked at.

use std::sync::OnceLock;

use rollbook_game::decide::character::{self, SheetCall};
use rollbook_game::decide::combat::{self, Newcomer, StartCall};
use rollbook_game::record::entry::Entry;
use rollbook_game::record::event::{Act, CombatantEvent, Event};
use rollbook_game::record::state::{Combat, Combatant, State};
use rollbook_game::table::{Setting, Written};

use super::calls::{Call, HIDDEN};
use super::counted::Counted;
use super::laws::{self, Turns};
use crate::bare::{self, Campaign, Laws};

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

/// What the laws remember of a fight.
#[derive(Default)]
pub struct Remembered {
    turns: Turns,
    counted: Counted,
}

impl Laws for Remembered {
    fn hear(written: &Written, state: &State) {
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
        for member in state
            .combatants
            .values()
            .filter(|member| member.hidden && !hides)
        {
            let name = &state.characters[&member.character].name;
            assert!(
                !text.contains(name.as_str()),
                "players hear of {name}: {text}"
            );
            assert!(
                !written.players.whole || !whole().contains(name.as_str()),
                "a public body names {name}"
            );
        }
    }
}

pub type Rig = Campaign<Call, Remembered>;

impl Rig {
    pub fn new(which: usize, dice: u64) -> Rig {
        Campaign::of(&rules()[which], dice)
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
        self.laws.turns.passed(&before, &self.state, &self.log);
        self.laws
            .counted
            .passed(&before, &self.state, self.laws.turns.last(), &[]);
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
            .laws
            .turns
            .begun_in(before.open_combat().expect("a fight").round);
        let passed = self
            .laws
            .turns
            .passed(&before, &self.state, &self.log[from..]);
        self.laws.counted.explicit(call, &before, &self.state);
        match passed {
            laws::Passed::Nothing => {}
            laws::Passed::Turn => self.laws.counted.passed(
                &before,
                &self.state,
                self.laws.turns.last(),
                &begun_before,
            ),
            laws::Passed::Halted => {
                self.laws
                    .counted
                    .passed(&before, &self.state, None, &begun_before)
            }
            laws::Passed::Round => self.laws.counted.round_passed(&before, &begun_before),
            laws::Passed::Back(which) => self.laws.counted.taken_back(which),
        }
        self.laws.counted.agrees(&self.state);
        let named = from % 2 == 1;
        self.undone_and_done_again(&before, from, named.then_some(self.log.len() as u64));
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

    fn last_turn(&self) -> Vec<(u64, Entry)> {
        let advanced = self
            .state
            .running_combat()
            .and_then(|combat| combat.advanced);
        advanced.map_or_else(Vec::new, |first| {
            self.numbered(usize::try_from(first).expect("a number") - 1)
        })
    }

    /// The last change undone again and again leaves the table as it was before anybody came.
    pub fn unwinds(&mut self) {
        loop {
            self.later = self.numbered(0);
            let Err(refusal) = self.undo(None) else {
                continue;
            };
            assert_eq!(refusal.code.as_str(), "nothing_to_undo", "{refusal}");
            // Where the last call changed nothing, the advice names the last change.
            let Some((_, entry)) = refusal.summary.split_once("action=\"undo\" entry=") else {
                break;
            };
            let entry = entry.trim_end_matches('.').parse().expect("a number");
            self.later = self.numbered(0);
            self.undo(Some(entry)).expect("the advice holds");
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
