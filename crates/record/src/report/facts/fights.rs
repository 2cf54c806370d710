//! Fights, round by round: what was done, and how everybody stood at the end of each round.

use std::collections::{BTreeMap, HashMap};

use super::fact::{Fact, Harm, Moved, Points, What};
use super::undone::Undone;
use rollbook_game::record::event::{Health, Subject};
use rollbook_game::view::number::Numbers;

/// Deeds that are kept, of the latest fights; earlier fights keep their rounds and how all were.
const DEEDS_MAX: usize = 8000;
/// Fights that are kept, the latest ones.
const FIGHTS_MAX: usize = 500;
/// Rounds of a fight of which is kept how all were.
const ROUNDS_MAX: usize = 200;

#[derive(Debug, Default)]
pub struct Fights {
    pub fights: Vec<Fight>,
    pub left_out: usize,
    open: Option<usize>,
    deeds: usize,
    /// Who joined a fight that has not begun yet, with the entry that says so.
    waiting: Vec<(u64, Subject)>,
    /// Where tracks are, as far as known, by character.
    known: HashMap<i64, Tracks>,
    health: HashMap<i64, String>,
    /// The words about a person's health, with the entry that says so.
    words: HashMap<i64, Vec<(u64, Health)>>,
}

type Tracks = BTreeMap<String, Points>;

#[derive(Debug)]
pub struct Fight {
    /// The number of the entry that began it, or of the first that is known.
    pub number: Numbers,
    pub seq: u64,
    pub session: u32,
    /// Its beginning is not in this log.
    pub cut: bool,
    pub title: Option<String>,
    pub people: Vec<Combatant>,
    /// Those of the sessions that the report is of.
    pub rounds: Vec<Round>,
    /// The entries that ended it, each with how it ended; one that was taken back ended nothing.
    ends: Vec<(u64, Option<String>)>,
    /// It was over before the first entry that the report is of.
    over: bool,
    /// Its deeds were left out, because later ones took their room.
    pub bare: bool,
}

/// A round; 0 is before the first turn.
#[derive(Debug)]
pub struct Round {
    pub number: u32,
    seq: u64,
    pub deeds: Vec<Deed>,
}

#[derive(Debug)]
pub struct Deed {
    pub number: Numbers,
    pub seq: u64,
    pub text: String,
    /// It follows from what stands before it: the damage of a hit.
    pub follows: bool,
    /// The entry of the roll that it came from, where that is not the one before it.
    pub from: Option<Numbers>,
    pub hidden: bool,
}

#[derive(Debug)]
pub struct Combatant {
    pub id: i64,
    pub name: String,
    pub foe: bool,
    /// How it stood at the end of each round, the one before the first turn included.
    pub vitals: Vec<Option<Vitals>>,
    /// The rounds that were over when it joined, of which there is nothing to know.
    missed: usize,
    /// Its tracks at the end of each round since, until it is known which of them damage goes to.
    tracks: Vec<Tracks>,
    /// The entry that changed its figures before they were told: what is told later was not so.
    unknown: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vitals {
    Points(Points),
    Word(Health),
}

impl Fights {
    pub fn open(&self) -> Option<&Fight> {
        self.open.and_then(|place| self.fights.get(place))
    }

    fn open_mut(&mut self) -> Option<&mut Fight> {
        self.open.and_then(|place| self.fights.get_mut(place))
    }

    /// Adds an entry. `from`: its roll, if not the entry before; `undone`: taken back so far.
    pub fn add(&mut self, fact: &Fact, from: Option<Numbers>, undone: &Undone) {
        match &fact.what {
            What::FightBegan { title, members } => self.begin(fact, title.clone(), members, undone),
            What::Joined { who, .. } => self.join(fact.seq, who),
            What::Turn { round } => {
                if self.open.is_none() {
                    self.begin(fact, None, &[], undone);
                    self.open_mut()
                        .into_iter()
                        .for_each(|fight| fight.cut = true);
                }
                self.turn(fact.seq, *round, undone);
            }
            What::FightEnded { outcome } => self.end(fact.seq, outcome.clone(), undone),
            _ => {}
        }
        fact.moved.iter().for_each(|moved| self.note(moved));
        match &fact.what {
            What::Harm(harm) => self.hurt(fact, harm, undone),
            What::Undone { .. } => self.take_back(undone),
            _ => {}
        }
        let (follows, is_deed) = match &fact.what {
            What::Harm(_) => (from.is_some(), true),
            What::Roll { check, .. } => (check.is_some(), true),
            What::Check(_)
            | What::Joined { .. }
            | What::Turn { .. }
            | What::Act { .. }
            | What::Behind => (false, true),
            _ => (false, false),
        };
        if is_deed && self.open().is_some() {
            let (number, seq, hidden) = (fact.number, fact.seq, fact.is_hidden());
            self.keep(Deed {
                number,
                seq,
                text: fact.text.clone(),
                follows,
                from,
                hidden,
            });
        }
    }

    fn begin(&mut self, fact: &Fact, title: Option<String>, members: &[Subject], undone: &Undone) {
        // What was known of tracks in the fight before is needed no longer.
        let people = self
            .fights
            .last_mut()
            .into_iter()
            .flat_map(|fight| &mut fight.people);
        people.for_each(|person| person.tracks = Vec::new());
        if self.fights.len() == FIGHTS_MAX {
            let first = self.fights.remove(0);
            self.deeds -= first.deeds();
            self.left_out += 1;
        }
        self.fights.push(Fight {
            number: fact.number,
            seq: fact.seq,
            session: fact.session,
            cut: false,
            title,
            people: Vec::new(),
            rounds: vec![Round {
                number: 0,
                seq: fact.seq,
                deeds: Vec::new(),
            }],
            ends: Vec::new(),
            over: false,
            bare: false,
        });
        self.open = Some(self.fights.len() - 1);
        let waiting = std::mem::take(&mut self.waiting);
        let waiting = waiting
            .iter()
            .filter(|(seq, _)| !undone.holds(*seq))
            .map(|(_, who)| who);
        waiting
            .chain(members)
            .for_each(|who| self.join(fact.seq, who));
    }

    fn join(&mut self, seq: u64, who: &Subject) {
        match self.open_mut() {
            None => self.waiting.push((seq, who.clone())),
            Some(fight) if fight.people.iter().any(|person| person.id == who.id) => {}
            Some(fight) => {
                let missed = (fight.rounds.len() - 1).min(ROUNDS_MAX);
                fight.people.push(Combatant {
                    id: who.id,
                    name: who.name.clone(),
                    foe: !who.kind.is_open(),
                    vitals: vec![None; missed],
                    missed,
                    tracks: Vec::new(),
                    unknown: None,
                });
            }
        }
    }

    /// The last words about a person's health that were not taken back.
    pub fn word(&self, id: i64, undone: &Undone) -> Option<Health> {
        let words = self.words.get(&id)?.iter().rev();
        words
            .filter(|(seq, _)| !undone.holds(*seq))
            .map(|(_, health)| *health)
            .next()
    }

    fn vitals(&self, person: &Combatant, undone: &Undone) -> Option<Vitals> {
        let value = |track: &String| {
            self.known
                .get(&person.id)
                .and_then(|tracks| tracks.get(track))
                .copied()
        };
        let points = self
            .health
            .get(&person.id)
            .and_then(value)
            .map(Vitals::Points);
        points.or_else(|| {
            self.word(person.id, undone)
                .filter(|_| person.foe)
                .map(Vitals::Word)
        })
    }

    fn turn(&mut self, seq: u64, round: u32, undone: &Undone) {
        let Some(fight) = self.open() else { return };
        // The first round follows from what came before it.
        if fight.rounds.last().is_some_and(|last| last.number >= round) {
            return;
        }
        self.close_round(undone);
        if let Some(fight) = self.open_mut() {
            fight.rounds.push(Round {
                number: round,
                seq,
                deeds: Vec::new(),
            });
        }
    }

    fn close_round(&mut self, undone: &Undone) {
        let Some(fight) = self.open() else { return };
        let all: Vec<Option<Vitals>> = fight
            .people
            .iter()
            .map(|person| self.vitals(person, undone))
            .collect();
        let people = self
            .open
            .and_then(|place| self.fights.get_mut(place))
            .into_iter()
            .flat_map(|fight| &mut fight.people);
        for (person, vitals) in people
            .zip(all)
            .filter(|(person, _)| person.vitals.len() < ROUNDS_MAX)
        {
            person.vitals.push(vitals);
            if !self.health.contains_key(&person.id) {
                person
                    .tracks
                    .push(self.known.get(&person.id).cloned().unwrap_or_default());
            }
        }
    }

    /// Nothing goes on any more: notes how all are.
    fn close(&mut self, undone: &Undone) {
        self.close_round(undone);
        self.open = None;
    }

    pub fn finish(&mut self, undone: &Undone) {
        self.close(undone);
        self.fights.retain(|fight| !fight.over);
    }

    fn end(&mut self, seq: u64, outcome: Option<String>, undone: &Undone) {
        if let Some(fight) = self.open_mut() {
            fight.ends.push((seq, outcome));
            self.close(undone);
        }
    }

    /// What was undone may be a fight's beginning or end, or a round's: what was before goes on.
    fn take_back(&mut self, undone: &Undone) {
        let last = self
            .fights
            .iter()
            .rposition(|fight| !undone.holds(fight.seq));
        let open = last.filter(|place| {
            self.fights
                .get(*place)
                .is_some_and(|fight| fight.end(undone).is_none())
        });
        if open != self.open {
            self.close(undone);
            self.open = open;
        }
        if let Some(fight) = self.open_mut() {
            fight.reopen(undone);
        }
    }

    /// Keeps the round that goes on, and how those in it are: what was before is not reported.
    pub fn carry(&mut self, undone: &Undone) {
        let last = self
            .fights
            .iter()
            .rposition(|fight| !undone.holds(fight.seq));
        let goes_on = last.is_some() && last == self.open;
        // One that is over stays, since its end may be taken back yet.
        self.fights = last
            .map(|place| self.fights.swap_remove(place))
            .into_iter()
            .collect();
        (self.open, self.left_out, self.deeds) = (goes_on.then_some(0), 0, 0);
        if !goes_on {
            (self.known, self.health, self.words) = Default::default();
        }
        for fight in &mut self.fights {
            fight.over = !goes_on;
            fight.rounds.drain(..fight.rounds.len().saturating_sub(1));
            fight
                .rounds
                .iter_mut()
                .for_each(|round| round.deeds.clear());
            fight.truncate(0);
        }
    }

    fn hurt(&mut self, fact: &Fact, harm: &Harm, undone: &Undone) {
        let (id, moved) = (harm.target.id, &fact.moved);
        if self.open().is_some_and(|fight| fight.cut) {
            self.join(fact.seq, &harm.target);
        }
        if let Some(track) = harm.track.as_ref().filter(|_| !harm.aside)
            && moved
                .iter()
                .any(|moved| moved.character == id && moved.track == *track)
        {
            self.health.insert(id, track.clone());
            self.fighter(id)
                .into_iter()
                .for_each(|person| person.settle(track));
        }
        if harm.amount.is_none() && !harm.aside && !harm.idle {
            // What was told before is no longer so, and nobody told what is.
            self.known.remove(&id);
            let fighter = self
                .fighter(id)
                .filter(|person| person.unknown.is_none_or(|seq| undone.holds(seq)));
            fighter
                .into_iter()
                .for_each(|person| person.unknown = Some(fact.seq));
        }
        if let Some(health) = harm.health {
            self.words.entry(id).or_default().push((fact.seq, health));
        }
    }

    fn fighter(&mut self, id: i64) -> Option<&mut Combatant> {
        self.open_mut()?
            .people
            .iter_mut()
            .find(|person| person.id == id)
    }

    /// Notes a track's value. Its first holds for every earlier round, unless something was unseen.
    fn note(&mut self, moved: &Moved) {
        let known = self.known.entry(moved.character).or_default();
        let first = !known.contains_key(&moved.track);
        match moved.after {
            Some(after) => drop(known.insert(moved.track.clone(), after)),
            None => drop(known.remove(&moved.track)),
        }
        if let Some(before) = moved.before.filter(|_| first) {
            let fighter = self
                .fighter(moved.character)
                .filter(|fighter| fighter.unknown.is_none());
            for tracks in fighter.into_iter().flat_map(|fighter| &mut fighter.tracks) {
                tracks.entry(moved.track.clone()).or_insert(before);
            }
        }
    }

    fn keep(&mut self, deed: Deed) {
        if let Some(round) = self.open_mut().and_then(|fight| fight.rounds.last_mut()) {
            round.deeds.push(deed);
            self.deeds += 1;
        }
        while self.deeds > DEEDS_MAX {
            let full = |round: &&mut Round| !round.deeds.is_empty();
            let Some(fight) = self.fights.iter_mut().find(|fight| fight.deeds() > 0) else {
                break;
            };
            fight.bare = true;
            if let Some(round) = fight.rounds.iter_mut().find(full) {
                self.deeds -= round.deeds.len();
                round.deeds.clear();
            }
        }
    }
}

impl Combatant {
    /// Damage goes to this track, so its values are those of that track.
    fn settle(&mut self, track: &str) {
        let known = std::mem::take(&mut self.tracks);
        for (place, tracks) in self.vitals.iter_mut().skip(self.missed).zip(known) {
            *place = tracks.get(track).copied().map(Vitals::Points).or(*place);
        }
    }

    /// Whether it was hurt, or healed, as far as that holds, even if how it was then is unknown.
    pub fn is_hurt(&self, undone: &Undone) -> bool {
        self.vitals.iter().any(Option::is_some)
            || self.unknown.is_some_and(|seq| !undone.holds(seq))
    }
}

impl Fight {
    fn deeds(&self) -> usize {
        self.rounds.iter().map(|round| round.deeds.len()).sum()
    }

    pub fn end(&self, undone: &Undone) -> Option<&Option<String>> {
        self.ends
            .iter()
            .rev()
            .find(|(seq, _)| !undone.holds(*seq))
            .map(|(_, outcome)| outcome)
    }

    /// How many rounds there were, of those that the report is of; 0 where nobody had a turn.
    pub fn rounds(&self) -> u32 {
        match (self.rounds.first(), self.rounds.last()) {
            (Some(first), Some(last)) => (last.number + 1).saturating_sub(first.number.max(1)),
            _ => 0,
        }
    }

    /// Goes on as before something was undone: its end is not so, nor a round that did not begin.
    fn reopen(&mut self, undone: &Undone) {
        self.over = false;
        while self.rounds.len() > 1
            && let Some(round) = self.rounds.pop_if(|round| undone.holds(round.seq))
        {
            if let Some(before) = self.rounds.last_mut() {
                before.deeds.extend(round.deeds);
            }
        }
        self.truncate(self.rounds.len().saturating_sub(1));
    }

    fn truncate(&mut self, rounds: usize) {
        for person in &mut self.people {
            person.vitals.truncate(rounds);
            person.missed = person.missed.min(rounds);
            person.tracks.truncate(rounds - person.missed);
        }
    }
}
