//! A session's memory: the sittings, the entries that tell one's story, and what happened last.

use super::search::Counted;
use super::{CallError, Found, Live, LogSearch, find};
use rollbook_game::record::entry::Entry;
use rollbook_game::record::event::{Event, RollEvent, RollSet, RulesChange, RulesLoaded};
use rollbook_game::refusal::{Code, Refusal};
use rollbook_game::view::Audience;
use rollbook_game::view::number::EntryNumber;
use rollbook_game::view::recap::{self, LoggedEntry};
use rollbook_game::view::visibility::character_of;
use rollbook_store::{Connection, StoreError};

/// What a call reads of the log, beside the state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wants {
    Last(u32),
    /// How the rules changed, in the last session or since.
    Rules,
    Sittings,
    Entry(EntryNumber),
    /// The story of a sitting, or of the last one of which this audience has something to tell.
    Story(Option<u32>, Audience),
    Since(u64),
    /// The roll of that entry, and what was applied of it.
    Uses(EntryNumber),
    Search(Box<LogSearch>),
}

#[derive(Debug, Clone, Default)]
pub struct Past {
    pub last: Vec<(u64, Entry)>,
    /// Oldest first; of a long campaign the last ones.
    pub sittings: Vec<Sitting>,
    pub story: Option<Story>,
    pub entry: Option<LoggedEntry>,
    /// The players' number of that entry.
    pub players_number: Option<u64>,
    /// The entry that opened that one to players.
    pub opened: Option<LoggedEntry>,
    pub since: Vec<LoggedEntry>,
    pub rules: Option<RulesChange>,
    /// Every undo, where the last things that happened are wanted.
    pub undos: Vec<LoggedEntry>,
    pub found: Found,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sitting {
    pub number: u32,
    pub first: u64,
    pub last: u64,
}

#[derive(Debug, Clone)]
pub struct Story {
    pub sitting: Sitting,
    pub lines: Vec<LoggedEntry>,
    /// The sitting has more than were read, before these.
    pub cut: bool,
}

/// Entries that are looked at for what happened since.
const SINCE_MAX: u64 = 100;
const SITTINGS_MAX: usize = 100;
/// Entries of one sitting that a story is made of.
const STORY_MAX: u32 = 2000;
/// Sittings without anything to tell that are passed over.
const EMPTY_MAX: usize = 20;
/// Entries besides dice in which uses of a roll are looked for.
const USES_MAX: u32 = 500;
/// Entries after an attack in which its damage roll is looked for.
const CALL_MAX: u32 = 100;

/// The check that a damage roll was made for.
pub fn rolled_for(event: &Event) -> Option<u64> {
    match event {
        Event::Roll(RollEvent { check, .. }) | Event::RollSet(RollSet { check, .. }) => *check,
        _ => None,
    }
}

impl Past {
    /// With what this player's character alone sees of it.
    fn of_reader(mut self, character: i64) -> Past {
        let read = |all: Vec<LoggedEntry>| -> Vec<LoggedEntry> {
            let read = all.into_iter();
            read.map(|logged| logged.of_reader(Some(character)))
                .collect()
        };
        (self.since, self.undos) = (read(self.since), read(self.undos));
        self.story = self.story.map(|story| Story {
            lines: read(story.lines),
            ..story
        });
        self
    }
}

impl Live {
    /// What a player's call reads of the log.
    pub(super) async fn past_for(
        &mut self,
        log: &mut Connection,
        wants: Option<Wants>,
        player: &str,
    ) -> Result<Past, CallError> {
        let reader = character_of(&self.state, player).map(|who| who.id);
        let wants = wants.map(|wants| match wants {
            Wants::Search(wanted) => Wants::Search(Box::new(LogSearch { reader, ..*wanted })),
            wants => wants,
        });
        let past = self.past(log, wants).await?;
        Ok(match reader {
            Some(reader) => past.of_reader(reader),
            None => past,
        })
    }

    pub(super) async fn past(
        &mut self,
        log: &mut Connection,
        wants: Option<Wants>,
    ) -> Result<Past, CallError> {
        let mut past = Past::default();
        let Some(identity) = self.identity.clone() else {
            return Ok(past);
        };
        match wants {
            None => {}
            Some(Wants::Last(many)) => {
                let after = self.head.seq.saturating_sub(u64::from(many));
                past.last = log.after(identity.key, after, many).await?;
                let first = past.last.first();
                let call = first.map_or(after, |(seq, entry)| entry.call.unwrap_or(*seq));
                past.undos = log.undos(identity.key, call).await?;
            }
            Some(Wants::Rules) => past.rules = self.rules_changed(log).await?,
            Some(Wants::Sittings) => {
                let numbers: Vec<u32> = self
                    .state
                    .sessions
                    .keys()
                    .rev()
                    .take(SITTINGS_MAX)
                    .copied()
                    .collect();
                let mut after = self.head.seq;
                for number in numbers {
                    let sitting = self.sitting(log, identity.key, number, after).await?;
                    after = sitting.first.saturating_sub(1);
                    past.sittings.push(sitting);
                }
                past.sittings.reverse();
            }
            Some(Wants::Entry(number)) => {
                let seq = self.seq_of(log, number).await?;
                past.entry = log.logged(identity.key, seq).await?;
                if past
                    .entry
                    .as_ref()
                    .is_some_and(|entry| entry.players.is_some())
                {
                    past.players_number = Some(log.number_for_players(identity.key, seq).await?);
                }
                if let Some(by) = log.opened_by(identity.key, seq).await? {
                    past.opened = log.logged(identity.key, by).await?;
                }
            }
            Some(Wants::Uses(number)) => {
                let seq = self.seq_of(log, number).await?;
                let mut logged = log.logged(identity.key, seq).await?;
                let roll = match logged.as_ref().map(|logged| &logged.entry.event) {
                    Some(Event::Damage(damage)) => damage.roll,
                    // Its damage roll comes in the same call.
                    Some(Event::Check(_)) => {
                        let following = log.after(identity.key, seq, CALL_MAX).await?;
                        following
                            .into_iter()
                            .find(|(_, entry)| rolled_for(&entry.event) == Some(seq))
                            .map(|(roll, _)| roll)
                    }
                    _ => None,
                };
                if let Some(roll) = roll {
                    logged = log.logged(identity.key, roll).await?;
                }
                if let Some(logged) = &logged {
                    past.last = log.besides_dice(identity.key, logged.seq, USES_MAX).await?;
                }
                past.entry = logged;
            }
            Some(Wants::Since(after)) => {
                let first = after.max(self.head.seq.saturating_sub(SINCE_MAX)) + 1;
                for seq in first..=self.head.seq {
                    past.since.extend(log.logged(identity.key, seq).await?);
                }
                let first = past.since.first();
                let call = first.map_or(after, |one| one.entry.call.unwrap_or(one.seq));
                past.undos = log.undos(identity.key, call).await?;
            }
            Some(Wants::Search(wanted)) => {
                past.found = find(log, &identity, self.head.seq, &wanted).await?;
            }
            Some(Wants::Story(number, audience)) => {
                past.story = self.story(log, identity.key, number, audience).await?
            }
        }
        Ok(past)
    }

    /// How the rules differ from those of the last entry; else how the last session changed them.
    async fn rules_changed(
        &mut self,
        log: &mut Connection,
    ) -> Result<Option<RulesChange>, CallError> {
        if let Some(before) = self.rules_before(log).await? {
            return Ok(RulesChange::between(&before, &self.setting.rules_text));
        }
        let Some(identity) = &self.identity else {
            return Ok(None);
        };
        // They are logged before the session that begins with them.
        let (session, began) = self
            .state
            .sessions
            .values()
            .next_back()
            .map_or((0, 0), |session| (session.number, session.started_at));
        let last = log
            .rules_loaded(identity.key, Some(session))
            .await?
            .filter(|(_, entry)| entry.at >= began);
        Ok(last.and_then(|(_, entry)| match entry.event {
            Event::RulesLoaded(RulesLoaded { changed, .. }) => changed.map(|changed| *changed),
            _ => None,
        }))
    }

    async fn story(
        &mut self,
        log: &mut Connection,
        key: i64,
        number: Option<u32>,
        audience: Audience,
    ) -> Result<Option<Story>, CallError> {
        if let Some(number) = number {
            if !self.state.sessions.contains_key(&number) {
                return Err(self.no_session(number).into());
            }
            return Ok(Some(self.story_of(log, key, number).await?));
        }
        let mut last = None;
        let numbers: Vec<u32> = self
            .state
            .sessions
            .keys()
            .rev()
            .take(EMPTY_MAX)
            .copied()
            .collect();
        for number in numbers {
            let story = self.story_of(log, key, number).await?;
            if story
                .lines
                .iter()
                .any(|line| recap::weight(line, audience).is_some())
            {
                return Ok(Some(story));
            }
            last = last.or(Some(story));
        }
        Ok(last)
    }

    async fn story_of(
        &mut self,
        log: &mut Connection,
        key: i64,
        number: u32,
    ) -> Result<Story, StoreError> {
        let sitting = self.sitting(log, key, number, self.head.seq).await?;
        let lines = log
            .story(key, sitting.first, sitting.last, STORY_MAX)
            .await?;
        let cut = lines.len() >= STORY_MAX as usize;
        Ok(Story {
            sitting,
            lines,
            cut,
        })
    }

    /// A sitting's first and last entry, found by halving: sittings only grow along the log.
    async fn sitting(
        &mut self,
        log: &mut Connection,
        key: i64,
        number: u32,
        up_to: u64,
    ) -> Result<Sitting, StoreError> {
        let numbers = Counted {
            key,
            audience: Audience::Gm,
            last: up_to,
        };
        let first = numbers
            .first(log, |row| row.session >= number.into())
            .await?;
        let last = numbers
            .first(log, |row| row.session > number.into())
            .await?
            .saturating_sub(1);
        Ok(Sitting {
            number,
            first,
            last,
        })
    }

    fn no_session(&self, number: u32) -> Refusal {
        let last = self.state.sessions.keys().next_back();
        let summary = match last {
            Some(last) => format!(
                "There is no session {number}; the last is {last}. Leave session out for the last one with something to tell; \
                 manage_session action=\"list\" names them."
            ),
            None => format!("There is no session {number}: nothing was played yet."),
        };
        Refusal::new(Code::NoSession, summary)
    }
}
