//! A random call from a few random numbers, so that what fails shrinks to few calls and small
//! numbers.

use rollbook_game::decide::character::{self, SheetCall};
use rollbook_game::decide::combat::{self, EffectCall, Newcomer};
use rollbook_game::decide::damage::{self, DamageCall};
use rollbook_game::record::state::Edge;
use rollbook_game::refusal::Refusal;
use rollbook_game::table::Table;

use super::rig::Rig;

/// What a call is made of.
pub type Seed = (u8, u8, u8, u8);

#[derive(Debug, Clone)]
pub enum Call {
    /// `check`: go back and on again.
    NextTurn {
        check: bool,
    },
    PreviousTurn,
    /// Between turns and none.
    Structure,
    /// Of a fight without turns.
    NextRound,
    Add {
        newcomer: Newcomer,
        acts_now: bool,
    },
    Remove(String),
    SetInitiative(String, i64),
    RollInitiative(String),
    Delay(Option<String>),
    Return(String),
    Ready(String),
    Defeat(String),
    Revive(String),
    Hide(String),
    Reveal(String),
    Update(String, String, bool),
    AddEffect(EffectCall),
    RemoveEffect(String, String),
    /// A score of another number: dexterity decides ties.
    Score(String, i64),
    Damage {
        target: String,
        amount: i64,
        poisons: bool,
    },
}

/// How often each kind of call is made, by its place. The first is none, so what fails shrinks to
/// the calls that matter.
const KINDS: [u8; 55] = [
    99, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 6, 6, 6, 7, 7,
    7, 8, 9, 9, 10, 10, 11, 12, 13, 14, 14, 14, 14, 15, 16, 16, 16, 17, 17, 18, 18, 18, 19, 19,
];

/// The last is always hidden from players.
const EFFECTS: [&str; 6] = ["bless", "poisoned", "dazed", "dead", "haste", HIDDEN];
pub const HIDDEN: &str = "brand";

pub fn of(rig: &Rig, (kind, who, other, number): Seed) -> Option<Call> {
    let members = rig.members();
    let name = |which: u8| {
        let chosen = members.get(usize::from(which) % members.len().max(1));
        chosen.map_or_else(|| "Ann".to_owned(), |chosen| rig.name(chosen))
    };
    let (whom, small) = (name(who), i64::from(number % 24));
    Some(match KINDS[usize::from(kind) % KINDS.len()] {
        99 => return None,
        0 => Call::NextTurn {
            check: number % 4 == 0,
        },
        1 => Call::PreviousTurn,
        2 if members.len() < 9 => add(rig, who, other, number),
        3 => Call::Remove(whom),
        4 => Call::SetInitiative(whom, small),
        5 => Call::RollInitiative(whom),
        6 => Call::Delay((number % 3 == 0).then_some(whom)),
        7 => Call::Return(whom),
        8 => Call::Ready(whom),
        9 => Call::Defeat(whom),
        10 => Call::Revive(whom),
        11 => Call::Hide(whom),
        12 => Call::Reveal(whom),
        13 => Call::Update(
            whom,
            ["players", "foes"][usize::from(number % 2)].to_owned(),
            number % 3 == 0,
        ),
        14 => Call::AddEffect(EffectCall {
            name: EFFECTS[usize::from(other) % EFFECTS.len()].to_owned(),
            on: vec![whom],
            by: (number % 5 == 0).then(|| name(other)),
            duration: (number % 7 != 0).then(|| {
                format!(
                    "for {} {}",
                    1 + number % 3,
                    ["rounds", "turns"][usize::from(number / 3 % 2)]
                )
            }),
            anchor: (number % 7 != 0 && number % 2 == 0).then(|| name(other / 5)),
            ends: (number % 7 != 0)
                .then_some([Edge::Start, Edge::End][usize::from(number / 6 % 2)]),
            exclusive: (number % 11 < 4).then(|| "focus".to_owned()),
            hidden: EFFECTS[usize::from(other) % EFFECTS.len()] == HIDDEN,
        }),
        15 => Call::RemoveEffect(EFFECTS[usize::from(other) % EFFECTS.len()].to_owned(), whom),
        // What the GM writes on a player character's sheet its player reads, hidden or not.
        17 if members
            .iter()
            .any(|member| member.hidden && rig.name(member) == whom) =>
        {
            return None;
        }
        17 => Call::Score(whom, 1 + i64::from(number % 20)),
        18 => Call::Structure,
        19 => Call::NextRound,
        _ => Call::Damage {
            target: whom,
            amount: small - 10,
            poisons: number % 5 == 0,
        },
    })
}

fn add(rig: &Rig, who: u8, other: u8, number: u8) -> Call {
    let newcomer = match who % 4 {
        0 => Newcomer {
            name: ["Ann", "Bob"][usize::from(other % 2)].to_owned(),
            ..Newcomer::default()
        },
        // A name that is in no other, so that a search for it finds nothing else.
        1 => Newcomer {
            name: format!("Veil-{}-", rig.log.len()),
            hp: Some(4),
            hidden: true,
            ..Newcomer::default()
        },
        _ => Newcomer {
            name: "Rat".to_owned(),
            hp: Some(3),
            ..Newcomer::default()
        },
    };
    let initiative = number.is_multiple_of(3).then_some(i64::from(other % 24));
    let attributes = if newcomer.hp.is_some() {
        [("DEX".to_owned(), i64::from(other % 20) + 1)].into()
    } else {
        Default::default()
    };
    Call::Add {
        newcomer: Newcomer {
            initiative,
            attributes,
            ..newcomer
        },
        acts_now: number.is_multiple_of(4),
    }
}

impl Call {
    pub fn make(&self, table: &mut Table) -> Result<(), Refusal> {
        match self.clone() {
            Call::NextTurn { .. } => combat::next_turn(table),
            Call::PreviousTurn => combat::previous_turn(table),
            Call::Structure => combat::change_structure(table, None),
            Call::NextRound => combat::next_round(table),
            Call::Add { newcomer, acts_now } => combat::add(table, &[newcomer], acts_now),
            Call::Remove(whom) => combat::remove(table, &whom),
            Call::SetInitiative(whom, number) => combat::set_initiative(table, &whom, Some(number)),
            Call::RollInitiative(whom) => combat::roll_initiative(table, &[whom]),
            Call::Delay(whom) => combat::delay(table, whom.as_deref()),
            Call::Return(whom) => combat::call_back(table, Some(&whom)),
            Call::Ready(whom) => combat::ready(table, Some(&whom), Some("a noise".to_owned())),
            Call::Defeat(whom) => combat::defeat(table, &whom),
            Call::Revive(whom) => combat::revive(table, &whom),
            Call::Hide(whom) => combat::hide(table, &whom),
            Call::Reveal(whom) => combat::reveal(table, &whom),
            Call::Update(whom, side, acts_now) => {
                combat::update(table, &whom, Some(&side), acts_now)
            }
            Call::AddEffect(call) => combat::add_effect(table, &call),
            Call::RemoveEffect(name, on) => combat::remove_effect(table, &name, &[on]),
            Call::Score(whom, score) => {
                let sheet = SheetCall {
                    attributes: [("DEX".to_owned(), score)].into(),
                    ..SheetCall::default()
                };
                character::update(table, &whom, sheet).map(drop)
            }
            Call::Damage {
                target,
                amount,
                poisons,
            } => {
                let apply_conditions = if poisons {
                    vec!["Poisoned".to_owned()]
                } else {
                    Vec::new()
                };
                let call = DamageCall {
                    target,
                    amount: Some(amount),
                    apply_conditions,
                    ..DamageCall::default()
                };
                damage::decide(table, call, None).map(drop)
            }
        }
    }
}
