//! Finding entries: by words, session and time. Players have numbers of their own, and everything
//! is found for them by those, so that nothing depends on entries that they do not see.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use rollbook_game::record::event::Event;
use rollbook_game::view::Audience;
use rollbook_game::view::number::{EntryNumber, Numbers};
use rollbook_game::view::recap::{LoggedEntry, Undone};
use rollbook_game::view::words::{Asked, RENAMED, Word};
use rollbook_store::sql::search::Search;
use rollbook_store::{Connection, Identity, LogRow, StoreError};
use rollbook_text::names::{Words, same};

/// Which entries of a log are looked for, and how many at most.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogSearch {
    pub audience: Audience,
    /// The character of the player who looks, who finds also what is for no other player.
    pub reader: Option<i64>,
    pub asked: Asked,
    pub session: Option<u32>,
    /// Microseconds since 1970: from the first on, and before the second.
    pub since: Option<i64>,
    pub until: Option<i64>,
    pub before: Option<u64>,
    pub limit: u32,
    /// Also the latest entries of all that is found, to be counted.
    pub statistics: bool,
    pub entry: Option<EntryNumber>,
}

#[derive(Debug, Clone, Default)]
pub struct Found {
    /// Without a number what is for this player alone: the players' numbers have no gap.
    pub entries: Vec<(Option<Numbers>, LoggedEntry)>,
    pub more: bool,
    /// The entries to be counted, the latest first.
    pub counted: Vec<LoggedEntry>,
    pub uncounted: bool,
    /// What was taken back, as far as the audience saw that.
    pub undone: Undone,
}

pub const COUNTED_MAX: u32 = 5000;
/// Names of one person that are looked for.
const NAMES_MAX: usize = 8;
/// Changes of sheets that are read for a new name.
const RENAMES_MAX: u32 = 50;
/// Entries for one player alone, of all players, that are looked at.
const PRIVATE_MAX: u32 = 1000;

/// Looks for entries of that campaign, whose log ends with the entry `end`.
pub async fn find(
    log: &mut Connection,
    identity: &Identity,
    end: u64,
    wanted: &LogSearch,
) -> Result<Found, StoreError> {
    let mut found = found(log, identity.key, end, wanted).await?;
    let on_page = found.entries.iter().map(|(_, logged)| logged);
    let all = on_page.chain(&found.counted);
    let calls = all.map(|logged| logged.entry.call.unwrap_or(logged.seq));
    if let Some(first) = calls.min() {
        let undos = log.undos(identity.key, first).await?.into_iter();
        let undos: Vec<LoggedEntry> = undos.map(|undo| undo.of_reader(wanted.reader)).collect();
        found.undone = Undone::of(&undos, wanted.audience);
    }
    Ok(found)
}

async fn found(
    log: &mut Connection,
    key: i64,
    end: u64,
    wanted: &LogSearch,
) -> Result<Found, StoreError> {
    let mut numbers = Counted {
        key,
        audience: wanted.audience,
        last: end,
    };
    if wanted.audience == Audience::Player {
        numbers.last = log.number_for_players(key, end).await?;
    }
    if let Some(number) = wanted.entry {
        let seq = match number.meant_by(wanted.audience) {
            EntryNumber::Log(seq) => Some(seq),
            EntryNumber::Players(n) => log.number_of_players(key, n).await?,
        };
        let mut entries = Vec::new();
        if let Some(seq) = seq
            && let Some(logged) = log.logged(key, seq).await?
        {
            let n = match logged.players {
                Some(_) => Some(log.number_for_players(key, seq).await?),
                None => None,
            };
            let numbers = shown_as(wanted.audience, seq, n);
            entries.extend(numbers.map(|numbers| (Some(numbers), logged)));
        }
        return Ok(Found {
            entries,
            ..Found::default()
        });
    }
    let (mut first, mut last) = (1, numbers.last);
    if let Some(session) = wanted.session {
        first = numbers
            .first(log, |row| row.session >= session.into())
            .await?;
        last = numbers
            .first(log, |row| row.session > session.into())
            .await?
            .saturating_sub(1);
    }
    if let Some(since) = wanted.since {
        first = first.max(numbers.first(log, |row| row.at >= since).await?);
    }
    if let Some(until) = wanted.until {
        last = last.min(
            numbers
                .first(log, |row| row.at >= until)
                .await?
                .saturating_sub(1),
        );
    }
    let asked = numbers.by_every_name(log, &wanted.asked).await?;
    let all: Vec<BTreeSet<Word>> = asked
        .iter()
        .map(|asked| asked.words(wanted.audience))
        .collect();
    let mut found = Found::default();
    if wanted.statistics {
        for words in &all {
            let search = numbers.search(log, words, first, last, COUNTED_MAX + 1);
            if let Some(search) = search.await? {
                found.counted.extend(log.search_whole(&search).await?);
            }
        }
        found.counted.sort_by_key(|logged| Reverse(logged.seq));
        found.counted.dedup_by_key(|logged| logged.seq);
        found.uncounted = found.counted.len() > COUNTED_MAX as usize;
        found.counted.truncate(COUNTED_MAX as usize);
    }
    let last = wanted
        .before
        .map_or(last, |before| last.min(before.saturating_sub(1)));
    let mut page = Vec::new();
    for words in &all {
        let search = numbers.search(log, words, first, last, wanted.limit + 1);
        if let Some(search) = search.await? {
            page.extend(log.search(&search).await?);
        }
    }
    page.sort_by_key(|(seq, _)| Reverse(*seq));
    page.dedup();
    found.more = page.len() > wanted.limit as usize;
    page.truncate(wanted.limit as usize);
    for (seq, n) in page {
        let numbers = shown_as(wanted.audience, seq, n);
        let logged = log.logged(key, seq).await?;
        let found_here = numbers.zip(logged);
        found
            .entries
            .extend(found_here.map(|(numbers, logged)| (Some(numbers), logged)));
    }
    if let Some(reader) = wanted.reader {
        private(log, key, (reader, &numbers), wanted, &mut found).await?;
    }
    Ok(found)
}

/// Adds what is for this player alone among what was found: on the page where it happened.
async fn private(
    log: &mut Connection,
    key: i64,
    (reader, numbers): (i64, &Counted),
    wanted: &LogSearch,
    found: &mut Found,
) -> Result<(), StoreError> {
    let fits = |logged: &LoggedEntry| {
        let entry = &logged.entry;
        let seen = logged.players.as_ref();
        seen.and_then(|seen| serde_json::to_vec(seen).ok())
            .is_some_and(|seen| wanted.asked.finds(&seen, entry))
            && wanted
                .session
                .is_none_or(|session| session == entry.session)
            && wanted.since.is_none_or(|since| entry.at >= since)
            && wanted.until.is_none_or(|until| entry.at < until)
    };
    let all = log.private(key, PRIVATE_MAX).await?.into_iter();
    let all: Vec<LoggedEntry> = all
        .map(|logged| logged.of_reader(Some(reader)))
        .filter(|logged| fits(logged))
        .collect();
    if wanted.statistics {
        found.counted.extend(all.iter().cloned());
    }
    let before = match wanted.before.filter(|before| *before <= numbers.last) {
        Some(before) => numbers.seq(log, before).await?,
        None => None,
    };
    let oldest = found.entries.last().map(|(_, logged)| logged.seq);
    let after = oldest.filter(|_| found.more).unwrap_or(0);
    let is_here =
        |logged: &LoggedEntry| logged.seq > after && before.is_none_or(|seq| logged.seq < seq);
    let here = all.into_iter().filter(is_here);
    found.entries.extend(here.map(|logged| (None, logged)));
    found.entries.sort_by_key(|(_, logged)| Reverse(logged.seq));
    Ok(())
}

/// The numbers of an entry for an audience; `None` where it has none for it.
fn shown_as(audience: Audience, seq: u64, n: Option<u64>) -> Option<Numbers> {
    match audience {
        Audience::Gm => Some(Numbers::Gm(seq, n)),
        Audience::Player => n.map(Numbers::Players),
    }
}

/// The numbers that entries have for an audience, from 1 to the last.
pub(super) struct Counted {
    pub key: i64,
    pub audience: Audience,
    pub last: u64,
}

impl Counted {
    async fn seq(&self, log: &mut Connection, number: u64) -> Result<Option<u64>, StoreError> {
        if !(1..=self.last).contains(&number) {
            return Ok(None);
        }
        match self.audience {
            Audience::Gm => Ok(Some(number)),
            Audience::Player => Ok(log.number_of_players(self.key, number).await?),
        }
    }

    /// The first number of which that is true, as of all after it; of none, one after the last.
    pub async fn first(
        &self,
        log: &mut Connection,
        holds: impl Fn(LogRow) -> bool,
    ) -> Result<u64, StoreError> {
        let (mut low, mut high) = (1, self.last + 1);
        while low < high {
            let middle = low + (high - low) / 2;
            let row = match self.seq(log, middle).await? {
                Some(seq) => log.row(self.key, seq).await?,
                None => None,
            };
            if row.is_some_and(&holds) {
                high = middle
            } else {
                low = middle + 1
            }
        }
        Ok(low)
    }

    /// What is asked, by each name that its people had, as far as the audience saw them renamed.
    async fn by_every_name(
        &self,
        log: &mut Connection,
        asked: &Asked,
    ) -> Result<Vec<Asked>, StoreError> {
        let mut all = vec![asked.clone()];
        for name in [&asked.character, &asked.target].into_iter().flatten() {
            let mut names = vec![name.clone()];
            let mut nth = 0;
            while let Some(name) = names.get(nth).filter(|_| nth < NAMES_MAX).cloned() {
                nth += 1;
                let renamed = Asked {
                    kind: Some(RENAMED.to_owned()),
                    text: Some(name.clone()),
                    ..Asked::default()
                };
                let words = renamed.words(self.audience);
                let search = self.search(log, &words, 1, self.last, RENAMES_MAX);
                let Some(search) = search.await? else {
                    continue;
                };
                for logged in log.search_whole(&search).await? {
                    let Event::CharacterUpdated(updated) = &logged.entry.event else {
                        continue;
                    };
                    let players = logged.players.as_ref().map(|seen| seen.text.as_str());
                    let is_seen = |one: &str| match self.audience {
                        Audience::Gm => true,
                        Audience::Player => players.is_some_and(|text| text.contains(one)),
                    };
                    let is_it = |one: &str| Words::of(&name).are_in(one);
                    let other = match updated.renamed() {
                        Some((before, after)) if !is_seen(before) || !is_seen(after) => continue,
                        Some((before, after)) if is_it(after) => before,
                        Some((before, after)) if is_it(before) => after,
                        _ => continue,
                    };
                    if names.iter().all(|known| !same(known, other)) {
                        names.push(other.to_owned());
                    }
                }
            }
            for other in names.into_iter().skip(1) {
                let by = |field: &Option<String>| match field {
                    Some(asked) if asked == name => Some(other.clone()),
                    field => field.clone(),
                };
                all.push(Asked {
                    character: by(&asked.character),
                    target: by(&asked.target),
                    ..asked.clone()
                });
            }
        }
        Ok(all)
    }

    async fn search<'a>(
        &self,
        log: &mut Connection,
        words: &'a BTreeSet<Word>,
        first: u64,
        last: u64,
        limit: u32,
    ) -> Result<Option<Search<'a>>, StoreError> {
        if first > last {
            return Ok(None);
        }
        let (Some(first), Some(last)) = (self.seq(log, first).await?, self.seq(log, last).await?)
        else {
            return Ok(None);
        };
        Ok(Some(Search {
            campaign: self.key,
            audience: self.audience,
            words,
            first,
            last,
            limit,
        }))
    }
}
