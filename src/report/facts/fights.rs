//! Fights, round by round: what was done, and how everybody stood at the end of each round.

use std::collections::{BTreeMap, HashMap};

use super::fact::{Fact, Harm, Moved, Points, What};
use crate::game::record::event::{Health, Subject};

/// Deeds that are kept, of the latest fights; earlier fights keep their rounds and how everybody stood.
const DEEDS_MAX: usize = 8000;
/// Fights that are kept, the latest ones.
const FIGHTS_MAX: usize = 500;
/// Rounds of a fight of which is kept how everybody stood.
const ROUNDS_MAX: usize = 200;

/// The fights so far.
#[derive(Debug, Default)]
pub struct Fights {
    pub fights: Vec<Fight>,
    /// Earlier fights than those kept.
    pub left_out: usize,
    deeds: usize,
    /// Who joined a fight that has not begun yet.
    waiting: Vec<Subject>,
    /// Where tracks stand as far as it was told, by character.
    told: HashMap<i64, Tracks>,
    /// The track that damage goes to, by character.
    health: HashMap<i64, String>,
    words: HashMap<i64, Health>,
}

/// Tracks by name.
type Tracks = BTreeMap<String, Points>;

/// A fight.
#[derive(Debug)]
pub struct Fight {
    /// The number of the entry that began it.
    pub number: u64,
    pub seq: u64,
    pub title: Option<String>,
    pub ended: bool,
    pub outcome: Option<String>,
    pub people: Vec<Combatant>,
    pub rounds: Vec<Round>,
    /// Its deeds were left out, because later ones took their room.
    pub bare: bool,
}

/// A round; 0 is before the first turn.
#[derive(Debug)]
pub struct Round {
    pub number: u32,
    pub deeds: Vec<Deed>,
}

/// An entry of a fight.
#[derive(Debug)]
pub struct Deed {
    pub number: u64,
    pub seq: u64,
    pub text: String,
    /// It follows from what stands before it: the damage of a hit.
    pub follows: bool,
    /// The entry of the roll that it came from, where that is not the one before it.
    pub from: Option<u64>,
    /// Players do not see it.
    pub hidden: bool,
}

/// Somebody in a fight.
#[derive(Debug)]
pub struct Combatant {
    pub id: i64,
    pub name: String,
    /// Not of the players' side.
    pub foe: bool,
    /// How it stood at the end of each round, the one before the first turn included.
    pub stood: Vec<Option<Stand>>,
    /// The rounds that were over when it joined, of which there is nothing to know.
    missed: usize,
    /// What was known of its tracks at the end of each round since, until it is known which of them damage goes to.
    told: Vec<Tracks>,
    /// Its figures changed before they were told, so what is told later was not so before.
    unknown: bool,
}

/// How somebody stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stand {
    Points(Points),
    Word(Health),
}

impl Fights {
    /// The fight that goes on.
    pub fn open(&self) -> Option<&Fight> {
        self.fights.last().filter(|fight| !fight.ended)
    }

    /// Adds an entry. `from`: the number of the roll that it came from, if it is not the entry before.
    pub fn add(&mut self, fact: &Fact, from: Option<u64>) {
        match &fact.what {
            What::FightBegan { title, members } => self.begin(fact, title.clone(), members),
            What::Joined { who, .. } => self.join(who),
            What::Turn { round } => self.turn(*round),
            What::FightEnded { outcome } => self.end(outcome.clone()),
            _ => {}
        }
        fact.moved.iter().for_each(|own| self.tell(own));
        if let What::Harm(harm) = &fact.what {
            self.hurt(harm, &fact.moved);
        }
        let (follows, is_deed) = match &fact.what {
            What::Harm(_) => (from.is_some(), true),
            What::Roll { check, .. } => (check.is_some(), true),
            What::Check(_) | What::Joined { .. } | What::Turn { .. } | What::Act { .. } | What::Behind => (false, true),
            _ => (false, false),
        };
        if is_deed && self.open().is_some() {
            let (number, seq, hidden) = (fact.number, fact.seq, fact.is_hidden());
            self.keep(Deed { number, seq, text: fact.text.clone(), follows, from, hidden });
        }
    }

    fn begin(&mut self, fact: &Fact, title: Option<String>, members: &[Subject]) {
        if self.fights.len() == FIGHTS_MAX {
            let first = self.fights.remove(0);
            self.deeds -= first.deeds();
            self.left_out += 1;
        }
        self.fights.push(Fight {
            number: fact.number,
            seq: fact.seq,
            title,
            ended: false,
            outcome: None,
            people: Vec::new(),
            rounds: vec![Round { number: 0, deeds: Vec::new() }],
            bare: false,
        });
        let waiting = std::mem::take(&mut self.waiting);
        waiting.iter().chain(members).for_each(|who| self.join(who));
    }

    fn join(&mut self, who: &Subject) {
        match self.fights.last_mut().filter(|fight| !fight.ended) {
            None => self.waiting.push(who.clone()),
            Some(fight) if fight.people.iter().any(|own| own.id == who.id) => {}
            Some(fight) => {
                let missed = (fight.rounds.len() - 1).min(ROUNDS_MAX);
                fight.people.push(Combatant {
                    id: who.id,
                    name: who.name.clone(),
                    foe: !who.kind.is_open(),
                    stood: vec![None; missed],
                    missed,
                    told: Vec::new(),
                    unknown: false,
                });
            }
        }
    }

    /// How somebody stands now, as far as that is known.
    fn stand(&self, id: i64, open: bool) -> Option<Stand> {
        let told = |track: &String| self.told.get(&id).and_then(|own| own.get(track)).copied();
        let points = self.health.get(&id).and_then(told).map(Stand::Points);
        let word = self.words.get(&id).filter(|_| !open).map(|word| Stand::Word(*word));
        points.or(word)
    }

    fn turn(&mut self, round: u32) {
        let Some(fight) = self.fights.last_mut().filter(|fight| !fight.ended) else { return };
        // The first round follows from what came before it.
        if fight.rounds.last().is_some_and(|last| last.number >= round) {
            return;
        }
        self.close_round();
        let fight = self.fights.last_mut();
        fight.into_iter().for_each(|fight| fight.rounds.push(Round { number: round, deeds: Vec::new() }));
    }

    /// Notes how everybody stands at the end of a round.
    fn close_round(&mut self) {
        let Some(fight) = self.fights.last() else { return };
        let stands: Vec<Option<Stand>> = fight.people.iter().map(|own| self.stand(own.id, !own.foe)).collect();
        let people = self.fights.last_mut().into_iter().flat_map(|fight| &mut fight.people);
        for (own, stand) in people.zip(stands).filter(|(own, _)| own.stood.len() < ROUNDS_MAX) {
            own.stood.push(stand);
            if !self.health.contains_key(&own.id) {
                own.told.push(self.told.get(&own.id).cloned().unwrap_or_default());
            }
        }
    }

    /// Notes how everybody stands in a fight that goes on, once there is no more to add.
    pub fn finish(&mut self) {
        if self.open().is_some() {
            self.close_round();
        }
    }

    fn end(&mut self, outcome: Option<String>) {
        if self.open().is_none() {
            return;
        }
        if let Some(fight) = self.fights.last_mut() {
            (fight.ended, fight.outcome) = (true, outcome);
        }
        self.close_round();
        let people = self.fights.last_mut().into_iter().flat_map(|fight| &mut fight.people);
        people.for_each(|own| own.told = Vec::new());
    }

    fn hurt(&mut self, harm: &Harm, moved: &[Moved]) {
        let id = harm.target.id;
        if let Some(track) = harm.track.as_ref().filter(|_| !harm.aside)
            && moved.iter().any(|own| own.character == id && own.track == *track)
        {
            self.health.insert(id, track.clone());
            self.fighter(id).into_iter().for_each(|own| own.settle(track));
        }
        if harm.amount.is_none() && !harm.aside && !harm.idle {
            // What was told before is no longer so, and nobody told what is.
            self.told.remove(&id);
            self.fighter(id).into_iter().for_each(|own| own.unknown = true);
        }
        if let Some(health) = harm.health {
            self.words.insert(id, health);
        }
    }

    /// Somebody in the fight that goes on.
    fn fighter(&mut self, id: i64) -> Option<&mut Combatant> {
        let fight = self.fights.last_mut().filter(|fight| !fight.ended)?;
        fight.people.iter_mut().find(|own| own.id == id)
    }

    /// Notes where a track stands. Where it stood before it was first told, it stood in every round before, unless something happened that
    /// was not told in figures.
    fn tell(&mut self, own: &Moved) {
        let known = self.told.entry(own.character).or_default();
        let first = !known.contains_key(&own.track);
        match own.after {
            Some(after) => drop(known.insert(own.track.clone(), after)),
            None => drop(known.remove(&own.track)),
        }
        if let Some(before) = own.before.filter(|_| first) {
            let fighter = self.fighter(own.character).filter(|fighter| !fighter.unknown);
            for tracks in fighter.into_iter().flat_map(|fighter| &mut fighter.told) {
                tracks.entry(own.track.clone()).or_insert(before);
            }
        }
    }

    fn keep(&mut self, deed: Deed) {
        if let Some(round) = self.fights.last_mut().and_then(|fight| fight.rounds.last_mut()) {
            round.deeds.push(deed);
            self.deeds += 1;
        }
        while self.deeds > DEEDS_MAX {
            let full = |round: &&mut Round| !round.deeds.is_empty();
            let Some(fight) = self.fights.iter_mut().find(|fight| fight.deeds() > 0) else { break };
            fight.bare = true;
            if let Some(round) = fight.rounds.iter_mut().find(full) {
                self.deeds -= round.deeds.len();
                round.deeds.clear();
            }
        }
    }
}

impl Combatant {
    /// Damage goes to this track, so that is how it stood.
    fn settle(&mut self, track: &str) {
        let told = std::mem::take(&mut self.told);
        for (place, tracks) in self.stood.iter_mut().skip(self.missed).zip(told) {
            *place = tracks.get(track).copied().map(Stand::Points).or(*place);
        }
    }
}

impl Fight {
    fn deeds(&self) -> usize {
        self.rounds.iter().map(|round| round.deeds.len()).sum()
    }

    /// The last round's number; 0 where nobody had a turn.
    pub fn last_round(&self) -> u32 {
        self.rounds.last().map_or(0, |round| round.number)
    }
}
