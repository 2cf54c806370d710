//! Effects end at exactly the Nth start or end of the member that counts them: counted here from
//! the turns alone, in another way than the program does, and compared after each call.

use std::collections::BTreeMap;

use rollbook_game::record::state::{Combatant, Edge, State, Unit};

use super::calls::Call;
use super::laws::Turn;

/// How long an effect lasts that nobody counts.
const FOR_EVER: u32 = u32::MAX;

/// An effect that was put on a character.
#[derive(Debug, Clone)]
struct Effect {
    bearer: i64,
    name: String,
    /// Edges before this moment do not count.
    began: usize,
    lasts: u32,
    unit: Unit,
    anchor: i64,
    at: Edge,
    /// The character who holds it: who caused an effect of an exclusive group.
    holder: Option<i64>,
    /// The round of the turn it began in, where that turn's end is none of its own.
    not_in: u32,
    /// Ended otherwise than by being counted out.
    ended: bool,
}

/// A start or an end of a turn, or a round without one.
#[derive(Debug, Clone, Copy)]
struct Tick {
    moment: usize,
    /// The turn it came with; `None` where it cannot be taken back.
    turn: Option<usize>,
    round: u32,
    whose: i64,
    what: Counts,
}

#[derive(Debug, Clone, Copy)]
enum Counts {
    Edge(Edge),
    /// A round in which others had turns.
    MissedTurn,
    /// A round in which nobody had one.
    RoundWithoutTurns,
}

#[derive(Default)]
pub struct Counted {
    moment: usize,
    effects: Vec<Effect>,
    ticks: Vec<Tick>,
}

impl Counted {
    /// A turn passed; `begun` are those who began a turn in the round that was.
    pub fn passed(&mut self, before: &State, after: &State, turn: Option<Turn>, begun: &[i64]) {
        self.moment += 1;
        let (was, is) = (
            before.open_combat().expect("a fight"),
            after.open_combat().expect("a fight"),
        );
        let mut ticks: Vec<(i64, Counts)> = Vec::new();
        let (start, end) = (Counts::Edge(Edge::Start), Counts::Edge(Edge::End));
        // A turn that was interrupted goes on, or it is over, also where the next turn is of the
        // same combatant.
        let goes_on = |id: i64| {
            is.current == Some(id) && !turn.is_some_and(|turn| turn.who == id && !turn.resumed)
        };
        ticks.extend(
            was.interrupted
                .filter(|id| !goes_on(*id))
                .map(|id| (id, end)),
        );
        // Who acted and now waits was only interrupted.
        let interrupted = |id: i64| {
            after
                .combatants
                .get(&id)
                .is_some_and(|member| member.waits.is_some())
        };
        ticks.extend(
            was.current
                .filter(|id| !interrupted(*id))
                .map(|id| (id, end)),
        );
        if is.round > was.round {
            let there = |member: &&Combatant| member.from_round <= was.round;
            for member in before.combatants_of(was.id).filter(there) {
                match (begun.contains(&member.id), member.waits.is_some()) {
                    (true, true) => ticks.push((member.id, end)),
                    (false, _) => ticks.push((member.id, Counts::MissedTurn)),
                    (true, false) => {}
                }
            }
        }
        ticks.extend(
            turn.filter(|turn| !turn.resumed)
                .map(|turn| (turn.who, start)),
        );
        let (moment, turn) = (self.moment, turn.map(|turn| turn.number));
        self.ticks
            .extend(ticks.into_iter().map(|(whose, what)| Tick {
                moment,
                turn,
                round: was.round,
                whose,
                what,
            }));
    }

    /// A round without turns passed: it is everybody's who had none in it, and ends the turns that
    /// were interrupted.
    pub fn round_passed(&mut self, before: &State, begun: &[i64]) {
        self.moment += 1;
        let was = before.open_combat().expect("a fight");
        let mut ticks: Vec<(i64, Counts)> = Vec::new();
        for member in before
            .combatants_of(was.id)
            .filter(|member| member.from_round <= was.round)
        {
            match begun.contains(&member.id) {
                true if member.waits.is_some() || was.interrupted == Some(member.id) => {
                    ticks.push((member.id, Counts::Edge(Edge::End)));
                }
                true => {}
                false => ticks.push((member.id, Counts::RoundWithoutTurns)),
            }
        }
        let moment = self.moment;
        self.ticks
            .extend(ticks.into_iter().map(|(whose, what)| Tick {
                moment,
                turn: None,
                round: was.round,
                whose,
                what,
            }));
    }

    /// What that turn counted is not counted. What it had ended lasts on, unless another of its
    /// name is there now.
    pub fn taken_back(&mut self, turn: usize) {
        let over: Vec<bool> = self
            .effects
            .iter()
            .map(|effect| self.left(effect) == 0)
            .collect();
        let taken: Vec<(i64, String)> = self
            .running()
            .map(|effect| (effect.bearer, effect.name.clone()))
            .collect();
        self.ticks.retain(|tick| tick.turn != Some(turn));
        let again: Vec<bool> = self
            .effects
            .iter()
            .zip(over)
            .map(|(effect, over)| over && self.left(effect) > 0)
            .collect();
        for (effect, again) in self.effects.iter_mut().zip(again) {
            effect.ended |= again && taken.contains(&(effect.bearer, effect.name.clone()));
        }
    }

    fn left(&self, effect: &Effect) -> u32 {
        let counts = |tick: &&Tick| {
            let counts = match tick.what {
                Counts::Edge(edge) => {
                    edge == effect.at && (edge == Edge::Start || tick.round > effect.not_in)
                }
                Counts::MissedTurn => effect.unit == Unit::Rounds,
                Counts::RoundWithoutTurns => true,
            };
            effect.lasts != FOR_EVER
                && tick.moment > effect.began
                && tick.whose == effect.anchor
                && counts
        };
        let ticks = u32::try_from(self.ticks.iter().filter(counts).count()).expect("few");
        effect.lasts.saturating_sub(ticks)
    }

    fn running(&self) -> impl Iterator<Item = &Effect> {
        self.effects
            .iter()
            .filter(|effect| !effect.ended && self.left(effect) > 0)
    }

    /// What the call itself begins and ends, by its own words.
    pub fn explicit(&mut self, call: &Call, before: &State, after: &State) {
        let combat = before.open_combat().expect("a fight");
        let found = |name: &str| {
            let named = |member: &&Combatant| before.characters[&member.character].name == name;
            before.combatants_of(combat.id).find(named).cloned()
        };
        let member = |name: &str| found(name).expect("a member");
        let current = combat.current.and_then(|id| before.combatants.get(&id));
        // A turn that is taken back puts back what was there, no matter who held it.
        let held = if matches!(call, Call::PreviousTurn) {
            Vec::new()
        } else {
            self.let_go(before, after)
        };
        match call {
            Call::Remove(whom) => {
                let gone = member(whom).id;
                self.effects
                    .iter_mut()
                    .filter(|effect| effect.anchor == gone)
                    .for_each(|effect| effect.ended = true);
            }
            Call::RemoveEffect(name, on) => self.end(member(on).character, name),
            Call::AddEffect(call) => {
                let bearer = member(call.on.first().expect("a bearer"));
                let cause = call
                    .by
                    .as_deref()
                    .map(member)
                    .or(current.cloned())
                    .map(|combatant| combatant.character);
                let cause_of = cause;
                if let (Some(group), Some(cause)) = (&call.exclusive, cause) {
                    let others = before.conditions.values().filter(|row| {
                        row.caused_by == Some(cause)
                            && row.group_name.as_ref() == Some(group)
                            && row.name.to_lowercase() != call.name
                    });
                    others.for_each(|row| self.end(row.character, &row.name));
                }
                self.end(bearer.character, &call.name);
                let cause = call.by.as_deref().map(member).or(current.cloned());
                let source = cause.map_or(bearer.id, |combatant| combatant.id);
                let (declared, anchor, at) = match call.name.as_str() {
                    "poisoned" => (Some((2, Unit::Rounds)), bearer.id, Edge::End),
                    "dazed" => (Some((1, Unit::Turns)), source, Edge::Start),
                    _ => (None, bearer.id, Edge::End),
                };
                let words = call.duration.as_deref().map(|words| {
                    match words["for ".len()..].split_once(' ').expect("two words") {
                        (many, "rounds") => (many.parse().expect("a number"), Unit::Rounds),
                        (many, _) => (many.parse().expect("a number"), Unit::Turns),
                    }
                });
                let (lasts, unit) = words.or(declared).unwrap_or((FOR_EVER, Unit::Turns));
                let anchor = call
                    .anchor
                    .as_deref()
                    .map_or(anchor, |anchor| member(anchor).id);
                self.begin(
                    bearer.character,
                    &call.name,
                    (lasts, unit),
                    anchor,
                    call.ends.unwrap_or(at),
                );
                let own = current.filter(|current| current.id == anchor);
                if let (Some(_), Unit::Rounds) = (own, unit) {
                    self.effects.last_mut().expect("just begun").not_in = combat.round;
                }
                let holder = cause_of.filter(|_| call.exclusive.is_some());
                self.effects.last_mut().expect("just begun").holder = holder;
            }
            Call::Damage {
                target,
                poisons: true,
                ..
            } => {
                // Outside the fight nothing counts it.
                let Some(bearer) = found(target) else { return };
                let there = |state: &State| {
                    state
                        .conditions_of(bearer.character)
                        .any(|row| row.name == "Poisoned")
                };
                if !there(before) && there(after) {
                    self.begin(
                        bearer.character,
                        "poisoned",
                        (2, Unit::Rounds),
                        bearer.id,
                        Edge::End,
                    );
                    if current.is_some_and(|current| current.id == bearer.id) {
                        self.effects.last_mut().expect("just begun").not_in = combat.round;
                    }
                }
            }
            _ => {}
        }
        held.into_iter()
            .for_each(|at| self.effects[at].ended = true);
    }

    /// What those hold who were able to act before the call and are not after it.
    fn let_go(&self, before: &State, after: &State) -> Vec<usize> {
        let down = |state: &State, whose: i64| {
            let defeated = state
                .combatants
                .values()
                .any(|member| member.character == whose && member.defeated);
            defeated
                || state
                    .conditions_of(whose)
                    .any(|row| ["dead", "unconscious"].contains(&row.name.to_lowercase().as_str()))
        };
        let lost = |effect: &Effect| {
            effect
                .holder
                .is_some_and(|whose| !down(before, whose) && down(after, whose))
        };
        let runs = |effect: &Effect| !effect.ended && self.left(effect) > 0;
        (0..self.effects.len())
            .filter(|at| runs(&self.effects[*at]) && lost(&self.effects[*at]))
            .collect()
    }

    fn begin(
        &mut self,
        bearer: i64,
        name: &str,
        (lasts, unit): (u32, Unit),
        anchor: i64,
        at: Edge,
    ) {
        let began = self.moment;
        let name = name.to_owned();
        self.effects.push(Effect {
            bearer,
            name,
            began,
            lasts,
            unit,
            anchor,
            at,
            not_in: 0,
            holder: None,
            ended: false,
        });
    }

    fn end(&mut self, bearer: i64, name: &str) {
        let name = name.to_lowercase();
        let ended: Vec<bool> = self
            .effects
            .iter()
            .map(|effect| effect.bearer == bearer && effect.name == name && self.left(effect) > 0)
            .collect();
        self.effects
            .iter_mut()
            .zip(ended)
            .filter(|(_, ended)| *ended)
            .for_each(|(effect, _)| effect.ended = true);
    }

    /// The effects that are counted are those, with so much left.
    pub fn agrees(&self, state: &State) {
        let counted: BTreeMap<(i64, String), u32> = self
            .running()
            .filter(|effect| effect.lasts != FOR_EVER)
            .map(|effect| ((effect.bearer, effect.name.clone()), self.left(effect)))
            .collect();
        let timed = state.conditions.values().filter_map(|row| {
            row.lasts
                .as_ref()
                .map(|lasts| ((row.character, row.name.to_lowercase()), lasts.left))
        });
        assert_eq!(
            timed.collect::<BTreeMap<_, _>>(),
            counted,
            "what lasts, and how long still"
        );
    }
}
