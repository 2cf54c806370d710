//! The order, the pointer and the turns.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use rollbook_game::decide::combat;
use rollbook_game::mechanics::duration::has_turns;
use rollbook_game::record::entry::Entry;
use rollbook_game::record::event::Event;
use rollbook_game::record::event::{
    Act, CombatantEvent, CombatantJoined, StructureChanged, TurnBegan,
};
use rollbook_game::record::state::{Combat, Combatant, Kind, State, Wait};
use rollbook_rules::{InitiativeKind, Structure, System, TieBreak};

use super::calls::Call;
use super::rig::Rig;

/// What a call did to the turns.
pub enum Passed {
    Nothing,
    Turn,
    /// Who acted left, and nobody is up.
    Halted,
    /// A round without turns ended.
    Round,
    /// The turn with this number was taken back.
    Back(usize),
}

/// A turn that began and was not taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn {
    pub number: usize,
    pub round: u32,
    pub who: i64,
    pub resumed: bool,
}

/// Every turn that was not taken back.
#[derive(Default)]
pub struct Turns {
    turns: Vec<Turn>,
    count: usize,
}

impl Turns {
    pub fn last(&self) -> Option<Turn> {
        self.turns.last().copied()
    }

    /// Who began a turn in that round.
    pub fn begun_in(&self, round: u32) -> Vec<i64> {
        self.turns
            .iter()
            .filter(|turn| turn.round == round && !turn.resumed)
            .map(|turn| turn.who)
            .collect()
    }

    /// Reads the entries of one call.
    pub fn passed(&mut self, before: &State, after: &State, entries: &[Entry]) -> Passed {
        let (was, is) = (
            before.open_combat().expect("a fight"),
            after.open_combat().expect("a fight"),
        );
        let mut passed = Passed::Nothing;
        for entry in entries {
            match &entry.event {
                Event::TurnBegan(TurnBegan { round, resumed, .. }) => {
                    let who = is.current.expect("somebody acts");
                    let began = self
                        .turns
                        .iter()
                        .any(|turn| turn.who == who && turn.round == *round);
                    assert_eq!(
                        began, *resumed,
                        "a turn begins once a round, and only what began goes on"
                    );
                    if *round > was.round && was.round > 0 {
                        everybody_acted(before, was.id, was.round);
                    }
                    let ready = &after.combatants[&who].ready;
                    assert!(
                        *resumed || ready.is_none(),
                        "what {who} was ready for is over with its next turn"
                    );
                    self.count += 1;
                    self.turns.push(Turn {
                        number: self.count,
                        round: *round,
                        who,
                        resumed: *resumed,
                    });
                    passed = Passed::Turn;
                }
                Event::TurnTakenBack(_) => {
                    let turn = self.turns.pop().expect("a turn to take back");
                    let last = self.turns.last().expect("a turn before it");
                    assert_eq!(
                        (Some(last.who), last.round),
                        (is.current, is.round),
                        "the turn before, again"
                    );
                    passed = Passed::Back(turn.number);
                }
                Event::StructureChanged(StructureChanged {
                    structure: Structure::TurnBased,
                    ..
                }) => passed = Passed::Halted,
                Event::StructureChanged(StructureChanged {
                    structure: Structure::Narrative,
                    ..
                }) => {
                    return Passed::Nothing;
                }
                Event::RoundBegan(_) => passed = Passed::Round,
                _ => {}
            }
        }
        if matches!(passed, Passed::Nothing) && was.current.is_some() && is.current.is_none() {
            return Passed::Halted;
        }
        passed
    }
}

/// Who was up, let nobody go first and was there when the round began has acted in it.
fn everybody_acted(before: &State, combat: i64, round: u32) {
    for member in before.combatants_of(combat) {
        let up =
            !member.defeated && member.waits != Some(Wait::Delayed) && member.from_round <= round;
        assert!(
            !up || member.acted_round >= round,
            "{member:?} was passed over in round {round}"
        );
    }
}

/// Only turns, delays and the leaving of the acting member move the pointer.
pub fn pointer_moves_only_by_turns(call: &Call, before: &State, rig: &Rig) {
    let was = before.open_combat().expect("a fight");
    let current = was
        .current
        .and_then(|id| before.combatants.get(&id))
        .map(|member| &before.characters[&member.character].name);
    let moves = match call {
        Call::NextTurn { .. } | Call::PreviousTurn | Call::Structure | Call::NextRound => true,
        Call::Delay(whom) => whom.is_none() || whom.as_ref() == current,
        Call::Remove(whom) => Some(whom) == current,
        _ => false,
    };
    let is = rig.combat();
    assert!(
        moves || (was.current, was.round) == (is.current, is.round),
        "{call:?} moved the pointer"
    );
}

/// What a call that was not refused says of a character is so afterwards, and it was possible before.
pub fn it_did_what_it_says(call: &Call, before: &State, rig: &Rig) {
    let was = before.open_combat().expect("a fight");
    let of = |state: &State, whom: &str| {
        let named = |member: &&Combatant| state.characters[&member.character].name == whom;
        state.combatants_of(was.id).find(named).cloned()
    };
    let is = |whom: &str| of(&rig.state, whom).expect("a member");
    match call {
        Call::Structure => changed_over(was, before, rig),
        Call::NextRound => {
            let round = was.round + 1;
            let expected = Combat {
                round,
                interrupted: None,
                moved_at: rig.combat().moved_at,
                ..was.clone()
            };
            assert_eq!(rig.combat(), &expected, "only the round passes");
        }
        Call::Delay(whom) => {
            let current = was.current.map(|id| rig.name(&before.combatants[&id]));
            let whom = whom.clone().or(current).expect("somebody");
            let member = of(before, &whom).expect("a member");
            let free = member.acted_round < was.round && member.from_round <= was.round;
            assert!(
                free || was.current == Some(member.id),
                "{whom} has no turn to delay"
            );
            assert_eq!(is(&whom).waits, Some(Wait::Delayed));
        }
        Call::Return(whom) => {
            let (member, now) = (of(before, whom).expect("a member"), is(whom));
            match member.waits {
                Some(_) => assert_eq!((now.waits, now.ready), (Some(Wait::Returned), member.ready)),
                None => assert_eq!(
                    (now.waits, now.ready, member.ready.is_some()),
                    (None, None, true)
                ),
            }
        }
        Call::Ready(whom) => {
            let member = of(before, whom).expect("a member");
            assert_eq!(
                is(whom),
                Combatant {
                    ready: Some("a noise".to_owned()),
                    ..member
                }
            );
        }
        Call::Defeat(whom) | Call::Revive(whom) => {
            let (member, defeated) = (
                of(before, whom).expect("a member"),
                matches!(call, Call::Defeat(_)),
            );
            assert_eq!(
                is(whom),
                Combatant { defeated, ..member },
                "nothing else of it changes"
            );
        }
        Call::Hide(whom) => {
            let member = of(before, whom).expect("a member");
            assert_eq!(
                is(whom),
                Combatant {
                    hidden: true,
                    ..member
                },
                "nothing else of it changes"
            );
        }
        Call::SetInitiative(whom, number) => {
            assert!(
                side_of(rig, whom)
                    .iter()
                    .all(|member| member.initiative == Some(*number)),
                "{call:?}: the whole side"
            );
        }
        Call::RollInitiative(whom) => {
            let number = is(whom).initiative;
            assert!(
                side_of(rig, whom)
                    .iter()
                    .all(|member| member.initiative == number),
                "{call:?}: the whole side"
            );
        }
        Call::Update(whom, side, _) => {
            let (member, now) = (of(before, whom).expect("a member"), is(whom));
            assert_eq!(&now.side, side);
            let changed = member.side != now.side && acts_by_side(rig.system());
            let theirs = before
                .combatants_of(was.id)
                .filter(|other| changed && other.side == now.side);
            let theirs = theirs.filter_map(|other| other.initiative).next();
            assert_eq!(
                now.initiative,
                theirs.or(member.initiative),
                "whoever changes sides acts with the new one"
            );
        }
        _ => {}
    }
}

/// Turns end as they are, and begin again within the round where they ended.
fn changed_over(was: &Combat, before: &State, rig: &Rig) {
    let is = rig.combat();
    if has_turns(rig.system(), was) {
        assert_eq!(
            (is.round, is.current, is.interrupted),
            (was.round, None, was.current),
            "the turn is interrupted"
        );
        assert_eq!(
            rig.state.combatants, before.combatants,
            "nobody loses a turn or a delay"
        );
        return;
    }
    assert_eq!(is.interrupted, None, "turns are on again");
    let goes_on = was.interrupted.filter(|id| {
        before
            .combatants
            .get(id)
            .is_some_and(|member| !member.defeated)
    });
    let Some(goes_on) = goes_on else { return };
    assert_eq!(
        (is.round, is.current),
        (was.round, Some(goes_on)),
        "who was up is up again"
    );
    for member in rig.members() {
        let then = &before.combatants[&member.id];
        assert_eq!(
            (member.acted_round, member.waits),
            (then.acted_round, then.waits),
            "and who had acted has"
        );
        assert!(
            then.initiative.is_none() || member.initiative == then.initiative,
            "a number that fell stays"
        );
    }
}

fn acts_by_side(system: &System) -> bool {
    matches!(system.initiative.kind, InitiativeKind::PerSide(_))
}

/// Those who act together with a character, and they.
fn side_of<'r>(rig: &'r Rig, whom: &str) -> Vec<&'r Combatant> {
    let members = rig.members();
    let member = members
        .iter()
        .find(|member| rig.name(member) == whom)
        .expect("a member");
    let together = |other: &&Combatant| {
        other.id == member.id || acts_by_side(rig.system()) && other.side == member.side
    };
    members.iter().copied().filter(together).collect()
}

/// Ties are read with the number the rules give, and again where who acts with a side changes it; never else.
pub fn ties_come_with_the_number(call: &Call, before: &State, rig: &Rig, entries: &[Entry]) {
    if matches!(call, Call::PreviousTurn) {
        return;
    }
    let by_side = acts_by_side(rig.system());
    for member in rig.members() {
        let row = &rig.state.characters[&member.character];
        let read = entries.iter().any(|entry| match &entry.event {
            Event::CombatantJoined(CombatantJoined { subject, .. }) => subject.id == row.id,
            Event::Combatant(CombatantEvent {
                subject,
                act: Act::InitiativeRolled { .. },
                ..
            }) => subject.id == row.id,
            Event::Combatant(CombatantEvent {
                subject,
                act: Act::SideChanged { .. },
                ..
            }) => subject.id == row.id && by_side,
            _ => false,
        });
        let ties = rig.system().initiative.ties.iter().map(|rule| match rule {
            TieBreak::Higher(name) if !by_side => {
                let member = rig.system().named_attribute(name);
                member
                    .and_then(|member| row.attributes.get(&member.name))
                    .copied()
                    .unwrap_or(0)
            }
            TieBreak::Players if by_side => i64::from(member.side == "players"),
            TieBreak::Players => i64::from(row.kind == Kind::Player),
            _ => 0,
        });
        match before.combatants.get(&member.id) {
            Some(was) if !read => assert_eq!(
                was.ties, member.ties,
                "{} has other ties for nothing",
                row.name
            ),
            _ => assert_eq!(
                member.ties,
                ties.collect::<Vec<_>>(),
                "the ties of {}",
                row.name
            ),
        }
    }
}

/// Everybody is in the order once, each after who goes before them by the rules.
pub fn order_is_as_declared(rig: &Rig) {
    let order = combat::order(&rig.state, rig.system(), rig.combat().id);
    let turns = has_turns(rig.system(), rig.combat());
    let mut ids: Vec<i64> = order.iter().map(|place| place.id).collect();
    ids.sort_unstable();
    let members: Vec<i64> = rig.members().iter().map(|member| member.id).collect();
    assert_eq!(ids, members, "the order is exactly the members");
    for pair in order.windows(2).filter(|_| turns) {
        assert_eq!(
            compared(rig, pair[0], pair[1]),
            Ordering::Less,
            "{:?} before {:?}",
            pair[0],
            pair[1]
        );
    }
    if !turns {
        let mut sides: Vec<&str> = order.iter().map(|place| place.side.as_str()).collect();
        sides.dedup();
        let all: BTreeSet<&str> = sides.iter().copied().collect();
        assert_eq!(all.len(), sides.len(), "a side stands together");
    }
    let all = combat::upcoming(&rig.state, rig.system(), rig.combat());
    assert_eq!(
        all.len(),
        members.len(),
        "and who comes next is one of them"
    );
}

/// The rules' order, written once more: the number, the ties, the side that was there first, who
/// was there first.
fn compared(rig: &Rig, one: &Combatant, other: &Combatant) -> Ordering {
    let system: &System = rig.system();
    let by_number = match (one.initiative, other.initiative) {
        (Some(one), Some(other)) if system.initiative.highest_first => other.cmp(&one),
        (Some(one), Some(other)) => one.cmp(&other),
        (one, other) => one.is_none().cmp(&other.is_none()),
    };
    let first_of = |side: &str| {
        rig.members()
            .iter()
            .filter(|member| member.side == side)
            .map(|member| member.id)
            .min()
    };
    let by_side = match system.initiative.kind {
        InitiativeKind::PerSide(_) => first_of(&one.side).cmp(&first_of(&other.side)),
        _ => Ordering::Equal,
    };
    let by_ties = other.ties.cmp(&one.ties);
    by_number
        .then(by_ties)
        .then(by_side)
        .then(one.id.cmp(&other.id))
}
