//! Adds entries up, one by one, in the order of the log.

use std::collections::{BTreeMap, HashMap, VecDeque};

use super::checks::Checks;
use super::dice::Dice;
use super::fact::{Fact, Harm, Source as From, Story as Tells, What};
use super::fights::Fights;
use super::hand::{Deed, Hand};
use super::moments::{Moments, Rolled};
use super::people::{People, called};
use super::undone::Undone;
use crate::report::luck::chances::Chances;
use rollbook_dice::EnteredRoller;
use rollbook_game::record::event::Health;
use rollbook_game::record::purpose::{AGAIN, OPPOSING};
use rollbook_game::record::state::NoteKind;
use rollbook_game::view::number::Numbers;
use rollbook_game::view::recap;
use rollbook_rules::Succeed;

/// Which sessions a report is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sessions {
    All,
    Last,
    Number(u32),
}

#[derive(Debug, Default)]
pub struct Gathered {
    /// The first and the last entry that the audience sees: number and time.
    pub span: Option<((Numbers, i64), (Numbers, i64))>,
    /// Those that it is of, with their titles.
    pub sessions: Vec<(u32, Option<String>)>,
    pub entries: u64,
    pub people: People,
    pub story: Story,
    pub fights: Fights,
    pub dice: Dice,
    pub checks: Checks,
    /// The chance of each check, where it is known; and which way is good by its rule.
    pub needed: Vec<Option<f64>>,
    pub ways: BTreeMap<usize, Succeed>,
    pub hits: Vec<Hit>,
    pub chances: Chances,
    pub moments: Moments,
    /// The last check, which damage may follow.
    hit: Option<Rolled>,
    pub hand: Hand,
    /// Of all sessions, whichever the report is of, as far as it was read.
    pub undone: Undone,
    /// What the whole log takes back, of which no moment is made.
    pub taken_back: recap::Undone,
    recent: Recent,
    /// The roll that damage in the same call may be of: its log number, its own number, its time.
    in_call: Option<(u64, Numbers, i64)>,
    pub opened_rolls: u64,
    titles: Vec<(u32, Option<String>)>,
    /// Entries of which the audience sees nothing, of every session.
    sealed: BTreeMap<u32, u64>,
    /// Entries of which it does not see all that is counted of them.
    partial: u64,
}

/// Lines that are kept, the latest ones.
const LINES_MAX: usize = 4000;

#[derive(Debug, Default)]
pub struct Story {
    pub lines: VecDeque<StoryLine>,
    pub left_out: usize,
}

#[derive(Debug)]
pub struct StoryLine {
    pub number: Numbers,
    pub seq: u64,
    pub weight: Weight,
    pub text: String,
    /// Players do not see it, or no more than that something was there.
    pub hidden: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    Turn,
    /// A person fell or died; something was found out.
    High,
    Plain,
}

impl Story {
    pub fn add(&mut self, line: StoryLine) {
        if self.lines.len() == LINES_MAX {
            self.lines.pop_front();
            self.left_out += 1;
        }
        self.lines.push_back(line);
    }
}

/// Entries that the figures may leave something out of.
#[derive(Debug, Clone, Copy)]
pub struct LeftOut {
    pub sealed: u64,
}

#[derive(Debug, Clone, Copy)]
pub struct Hit {
    pub seq: u64,
    pub target: usize,
    pub by: Option<usize>,
    pub amount: Option<i64>,
    pub rolled: Option<i64>,
    /// The target is on the players' side.
    pub open: bool,
    /// It hurt, by however much.
    pub struck: bool,
    /// The first entry of the fight that went on.
    pub fight: Option<u64>,
}

/// Rolls and checks that later entries may come from, the latest ones.
#[derive(Debug, Default)]
struct Recent {
    known: HashMap<u64, Source>,
    order: VecDeque<u64>,
}

#[derive(Debug, Clone, Copy)]
struct Source {
    number: Numbers,
    who: usize,
    total: i64,
    check: Option<u64>,
    struck: Option<i64>,
}

/// How far back damage looks for its roll in a call, in entries.
const CALL_MAX: u64 = 50;
/// How far back a roll is remembered, in rolls.
const RECENT_MAX: usize = 20_000;

impl Recent {
    fn add(&mut self, seq: u64, source: Source) {
        if self.order.len() == RECENT_MAX
            && let Some(oldest) = self.order.pop_front()
        {
            self.known.remove(&oldest);
        }
        self.order.push_back(seq);
        self.known.insert(seq, source);
    }
}

impl Gathered {
    /// Adds an entry of the report's sessions. Only the end shows the last, so each begins anew.
    pub fn add(&mut self, fact: &Fact, wanted: Sessions) {
        if let What::SessionStarted { number, title } = &fact.what {
            self.titles.push((*number, title.clone()));
        }
        if let What::Undone { first, last } = &fact.what {
            self.undone.add(*first, *last, fact.seq);
        }
        match wanted {
            Sessions::Number(number) if fact.session < number => {
                return self.fights.add(fact, None, &self.undone);
            }
            Sessions::Number(number) if fact.session > number => return,
            Sessions::Number(_) if self.sessions.is_empty() => self.fights.carry(&self.undone),
            Sessions::Last
                if self
                    .sessions
                    .last()
                    .is_some_and(|(last, _)| *last < fact.session) =>
            {
                self.fights.carry(&self.undone);
                let (titles, undone) = (
                    std::mem::take(&mut self.titles),
                    std::mem::take(&mut self.undone),
                );
                let (fights, sealed) = (
                    std::mem::take(&mut self.fights),
                    std::mem::take(&mut self.sealed),
                );
                let taken_back = std::mem::take(&mut self.taken_back);
                *self = Gathered {
                    titles,
                    undone,
                    fights,
                    sealed,
                    taken_back,
                    ..Gathered::default()
                };
            }
            Sessions::All | Sessions::Last | Sessions::Number(_) => {}
        }
        if self
            .sessions
            .last()
            .is_none_or(|(last, _)| *last != fact.session)
        {
            self.sessions.push((fact.session, None));
        }
        let here = (fact.number, fact.at);
        self.span = Some((self.span.map_or(here, |(first, _)| first), here));
        self.entries += 1;
        self.partial += u64::from(fact.partial);
        if let What::Renamed { before, after } = &fact.what {
            self.people.rename(before, after);
        }
        self.count(fact);
        self.narrate(fact);
        match fact.what {
            What::Roll { deals: true, .. } => self.in_call = Some((fact.seq, fact.number, fact.at)),
            _ if fact.passes => {}
            _ => self.in_call = None,
        }
    }

    pub fn finish(&mut self) {
        for (number, title) in &mut self.sessions {
            *title = self
                .titles
                .iter()
                .rev()
                .find(|(known, _)| known == number)
                .and_then(|(_, title)| title.clone());
        }
        self.fights.finish(&self.undone);
        self.ways = self.checks.ways();
        let (ways, chances) = (&self.ways, &mut self.chances);
        self.needed = self
            .checks
            .all
            .iter()
            .map(|check| Checks::chance(check, ways, chances))
            .collect();
    }

    pub fn seal(&mut self, session: u32) {
        *self.sealed.entry(session).or_default() += 1;
    }

    /// What the figures may leave out; `None` where the audience sees all that there is.
    pub fn left_out(&self) -> Option<LeftOut> {
        let sealed = self
            .sessions
            .iter()
            .filter_map(|(number, _)| self.sealed.get(number))
            .sum();
        (sealed > 0 || self.partial > 0).then_some(LeftOut { sealed })
    }

    pub fn session_numbers(&self) -> impl Iterator<Item = u32> {
        self.titles.iter().map(|(number, _)| *number)
    }

    fn count(&mut self, fact: &Fact) {
        self.dice.add(fact, &mut self.people);
        self.hand.add(fact);
        if matches!(
            fact.what,
            What::SessionStarted { .. }
                | What::Story(Tells::Note(NoteKind::Scene))
                | What::FightBegan { .. }
                | What::FightEnded { .. }
        ) {
            self.hand.begin_scene();
        }
        match &fact.what {
            What::Check(tried) if self.fights.open().is_none() => self.hand.ask(tried, fact),
            _ => {}
        }
        match &fact.what {
            What::Check(tried) => {
                let who = self.people.place(&fact.actor);
                let record = fact.rolls.first();
                let odds = record
                    .filter(|record| !record.stays_drawn)
                    .and_then(|record| self.chances.of(&record.roll.expression));
                self.checks
                    .add((fact.number, fact.seq), who, tried, record, odds);
            }
            What::Harm(harm) => self.add_hit(fact, harm),
            What::Revealed { rolled: true, .. } => self.opened_rolls += 1,
            _ => {}
        }
        self.rarest(fact);
        if matches!(fact.what, What::Check(_) | What::Roll { .. }) {
            let who = fact
                .rolls
                .first()
                .map_or(fact.actor.as_str(), |record| record.by.as_str());
            let source = Source {
                number: fact.number,
                who: self.people.place(who),
                total: fact
                    .rolls
                    .iter()
                    .fold(0, |sum, record| sum.saturating_add(record.roll.total)),
                check: match fact.what {
                    What::Roll { check, .. } => check,
                    _ => None,
                },
                struck: None,
            };
            self.recent.add(fact.seq, source);
        }
    }

    /// Looks for the rarest rolls; not rows of random tables, nor what was taken back.
    fn rarest(&mut self, fact: &Fact) {
        if matches!(fact.what, What::Roll { table: true, .. }) || self.taken_back.holds(fact.seq) {
            return;
        }
        for (nth, record) in fact.rolls.iter().enumerate() {
            if record.purpose == AGAIN || record.purpose == OPPOSING || record.stays_drawn {
                continue;
            }
            let Some(odds) = self.chances.of(&record.roll.expression) else {
                continue;
            };
            let tried = match &fact.what {
                What::Check(tried) if nth == 0 => Some(tried),
                _ => None,
            };
            // No log can vouch for dice that people rolled, so they are nobody's luck.
            if record.source == EnteredRoller::SOURCE {
                self.hit = self.hit.take().filter(|_| tried.is_none());
                continue;
            }
            let rolled = Rolled {
                number: fact.number,
                seq: fact.seq,
                who: self.people.place(&record.by),
                text: fact.text.clone(),
                nth: (fact.rolls.len() > 1 && tried.is_none())
                    .then_some((nth + 1, fact.rolls.len())),
                expression: record.roll.expression.clone(),
                total: record.roll.total,
                odds,
                rule: tried.map(|tried| tried.rule.clone()),
                margin: tried.and_then(|tried| tried.margin),
                worked: match tried {
                    Some(tried) => tried.worked(),
                    None => record
                        .roll
                        .verdict
                        .as_ref()
                        .and_then(|verdict| verdict.success),
                },
            };
            self.moments.add(&rolled, &mut self.chances);
            if let What::Roll {
                check: Some(check), ..
            } = &fact.what
                && let Some(hit) = self
                    .hit
                    .as_ref()
                    .filter(|hit| hit.seq == *check && fact.rolls.len() == 1)
            {
                self.moments.add_hit(hit, &rolled, &mut self.chances);
            }
            if tried.is_some() {
                self.hit = Some(rolled);
            }
        }
    }

    /// The roll that damage came from, as a number in the log, like a copy's damage table.
    fn source(&self, fact: &Fact, harm: &Harm) -> Option<u64> {
        let since = |number: &Numbers| fact.number.first().value() - number.first().value();
        match harm.roll {
            From::Named(roll) => roll,
            From::SameCall => self
                .in_call
                .filter(|(_, number, at)| *at == fact.at && since(number) <= CALL_MAX)
                .map(|(seq, ..)| seq),
        }
    }

    /// Who struck whom, as far as entries say: the roll's check, or the one who rolled.
    fn add_hit(&mut self, fact: &Fact, harm: &Harm) {
        if harm.aside {
            return;
        }
        let roll = self
            .source(fact, harm)
            .and_then(|roll| self.recent.known.get_mut(&roll))
            .map(|source| {
                if *source.struck.get_or_insert(harm.target.id) != harm.target.id {
                    self.hand.note(Deed::Shared, fact);
                }
                *source
            });
        let check = roll
            .and_then(|roll| roll.check)
            .and_then(|check| self.recent.known.get(&check))
            .copied();
        let gm = self.people.place(called("gm"));
        let by = match &harm.by {
            Some(name) => Some(self.people.place(name)),
            None => check
                .map(|check| check.who)
                .or(roll.map(|roll| roll.who).filter(|who| *who != gm)),
        };
        let target = self.people.place(&harm.target.name);
        self.hits.push(Hit {
            seq: fact.seq,
            target,
            by,
            amount: harm.amount,
            rolled: roll
                .filter(|_| !harm.idle && !harm.heals)
                .map(|roll| roll.total),
            open: harm.target.kind.is_open(),
            struck: !harm.idle && !harm.heals,
            fight: self.fights.open().map(|fight| fight.seq),
        });
    }

    /// What is written of an entry: in the fight that goes on, or in the story.
    fn narrate(&mut self, fact: &Fact) {
        let from = match &fact.what {
            What::Harm(harm) => self
                .source(fact, harm)
                .and_then(|roll| self.recent.known.get(&roll))
                .map(|source| source.number),
            _ => None,
        };
        let in_fight = self.fights.open().is_some();
        let was_down = match &fact.what {
            What::Harm(harm) => {
                self.fights.word(harm.target.id, &self.undone) == Some(Health::Down)
            }
            _ => false,
        };
        self.fights.add(fact, from, &self.undone);
        if let Some(weight) = weight(fact, in_fight, was_down) {
            let (number, seq, hidden) = (fact.number, fact.seq, fact.is_hidden());
            self.story.add(StoryLine {
                number,
                seq,
                weight,
                text: fact.text.clone(),
                hidden,
            });
        }
    }
}

/// How much an entry matters for the story; `None` where it is no part of it.
fn weight(fact: &Fact, in_fight: bool, was_down: bool) -> Option<Weight> {
    match &fact.what {
        What::SessionStarted { .. }
        | What::SessionEnded
        | What::FightBegan { .. }
        | What::FightEnded { .. } => Some(Weight::Turn),
        What::Story(Tells::Note(NoteKind::Scene)) => Some(Weight::Turn),
        What::Story(Tells::Note(NoteKind::Discovery)) => Some(Weight::High),
        What::Story(Tells::Note(_) | Tells::Award | Tells::Life | Tells::Clock | Tells::Record) => {
            Some(Weight::Plain)
        }
        What::Harm(harm) => {
            let went_down = harm.health == Some(Health::Down) && !was_down;
            if harm.died || went_down {
                Some(Weight::High)
            } else {
                (!in_fight).then_some(Weight::Plain)
            }
        }
        What::Check(_) | What::Roll { table: true, .. } | What::Behind if !in_fight => {
            Some(Weight::Plain)
        }
        // A damage roll is written with the damage.
        What::Roll { check: None, .. } if !in_fight => Some(Weight::Plain),
        What::Undone { .. } | What::Revealed { .. } | What::Sheet { level: true, .. } => {
            Some(Weight::Plain)
        }
        What::Check(_)
        | What::Roll { .. }
        | What::Behind
        | What::Joined { .. }
        | What::Turn { .. }
        | What::Act { .. }
        | What::Sheet { level: false, .. }
        | What::Renamed { .. }
        | What::Other => None,
    }
}
