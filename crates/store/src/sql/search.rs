//! What the log is searched by: the words of each entry, and the numbers of entries for players.
//!
//! They are written before a search, and at a session's end: else commits would write double.

use std::collections::{BTreeMap, BTreeSet};

use sqlx::AssertSqlSafe;

use super::connection::{Connection, Row, Script, query};
use super::read::recap_entry;
use crate::StoreError;
use crate::record::read_entry;
use rollbook_game::view::Audience;
use rollbook_game::view::recap::LoggedEntry;
use rollbook_game::view::words::{self, Word};

/// Entries whose words are filled in by one transaction.
const FILLED: u32 = 500;

/// What is looked for: a campaign's entries with all of these words, within numbers, latest first.
pub struct Search<'a> {
    pub campaign: i64,
    pub audience: Audience,
    pub words: &'a BTreeSet<Word>,
    pub first: u64,
    pub last: u64,
    pub limit: u32,
}

/// How far the index reaches: the last entries need not be in it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Reach {
    /// The last entry by which those that players see are numbered.
    pub numbered: u64,
    /// The last that is found by words.
    pub found: u64,
}

impl Connection {
    /// The numbers of entries with all of the words, in the log and for players, the latest first.
    pub async fn search(
        &mut self,
        search: &Search<'_>,
    ) -> Result<Vec<(u64, Option<u64>)>, StoreError> {
        let rows = self
            .found(
                search,
                "log.seq as seq, seen.n as n",
                "words.seq as seq, words.n as n",
            )
            .await?;
        rows.iter()
            .map(|row| Ok((row.try_get("seq")?, row.try_get("n")?)))
            .collect()
    }

    /// The same entries themselves.
    pub async fn search_whole(
        &mut self,
        search: &Search<'_>,
    ) -> Result<Vec<LoggedEntry>, StoreError> {
        const WHOLE: &str = "log.seq as seq, log.body as body, log.public as public";
        self.found(search, WHOLE, WHOLE)
            .await?
            .iter()
            .map(recap_entry)
            .collect()
    }

    /// What is found, as columns of a file or of a server.
    async fn found(
        &mut self,
        search: &Search<'_>,
        of_file: &str,
        of_server: &str,
    ) -> Result<Vec<Row>, StoreError> {
        let (quote, begins, or, and) =
            self.pick(("\"", " *", "OR", " AND "), ("'", ":*", "|", " & "));
        let word = |word: &Word| {
            let found = format!(
                "{quote}{}{quote}{}",
                word.word,
                if word.begins { begins } else { "" }
            );
            word.or.as_ref().map_or(found.clone(), |other| {
                format!("({found} {or} {quote}{other}{quote})")
            })
        };
        let words = search.words.iter().map(word).collect::<Vec<_>>();
        let column = match search.audience {
            Audience::Gm => "gm",
            Audience::Player => "players",
        };
        let (sql, sought) = match self {
            Connection::Sqlite(_) => {
                let of_campaign = vec![format!("\"campaign_{}\"", search.campaign)];
                let sql = format!(
                    "select {of_file} from (
                        select rowid as id from words where words match $1
                            and rowid >= coalesce((select id from log where campaign = $2 and seq >= $3 order by seq limit 1), 0)
                            and rowid <= coalesce((select id from log where campaign = $2 and seq <= $4 order by seq desc limit 1), -1)
                        order by rowid desc limit +$5
                     ) as found left join log on log.id = found.id
                     left join seen on seen.campaign = log.campaign and seen.seq = log.seq order by found.id desc"
                );
                (
                    sql,
                    format!("{column} : ({})", [of_campaign, words].concat().join(and)),
                )
            }
            Connection::Postgres(_) => {
                let any = "is not null and $1::text is not null";
                let fits = if words.is_empty() {
                    any
                } else {
                    "@@ $1::tsquery"
                };
                let sql = format!(
                    "select {of_server} from words join log on log.campaign = words.campaign and log.seq = words.seq
                     where words.campaign = $2 and words.seq between $3 and $4 and words.{column} {fits} order by words.seq desc limit +$5"
                );
                (sql, words.join(and))
            }
        };
        let rows = query(AssertSqlSafe(sql))
            .bind(sought)
            .bind(search.campaign)
            .bind(search.first)
            .bind(search.last);
        Ok(rows.bind(search.limit).fetch_all(self).await?)
    }

    /// The last number that players have for an entry up to that one of the log; 0 without any.
    pub async fn number_for_players(
        &mut self,
        campaign: i64,
        up_to: u64,
    ) -> Result<u64, StoreError> {
        let last =
            query("select n from seen where campaign = $1 and seq <= $2 order by seq desc limit 1");
        Ok(last
            .bind(campaign)
            .bind(up_to)
            .fetch_value(self, "n")
            .await?
            .unwrap_or(0))
    }

    /// The numbers that players have for entries among these, by their numbers in the log.
    pub async fn players_numbers(
        &mut self,
        campaign: i64,
        first: u64,
        last: u64,
    ) -> Result<BTreeMap<u64, u64>, StoreError> {
        let all = query("select seq, n from seen where campaign = $1 and seq between $2 and $3");
        let rows = all.bind(campaign).bind(first).bind(last);
        let rows = rows.fetch_all(self).await?;
        rows.iter()
            .map(|row| Ok((row.try_get("seq")?, row.try_get("n")?)))
            .collect()
    }

    /// The number in the whole log of the entry that has this one for players.
    pub async fn number_of_players(
        &mut self,
        campaign: i64,
        n: u64,
    ) -> Result<Option<u64>, StoreError> {
        let found = query("select seq from seen where campaign = $1 and n = $2")
            .bind(campaign)
            .bind(n);
        Ok(found.fetch_value(self, "seq").await?)
    }

    /// Whether entries have no words yet: of a file any, on a server those of a campaign.
    pub async fn lacks_words(&mut self, campaign: i64) -> Result<bool, StoreError> {
        let lacks = match self {
            Connection::Sqlite(_) => query(
                "select coalesce((select max(id) from log), 0)
                    > coalesce((select rowid from words order by rowid desc limit 1), 0) as lacks",
            ),
            Connection::Postgres(_) => query(
                "select coalesce((select max(seq) from log where campaign = $1), 0)
                    > coalesce((select max(seq) from words where campaign = $1), 0) as lacks",
            )
            .bind(campaign),
        };
        Ok(lacks.fetch_one(self).await?.try_get("lacks")?)
    }

    /// How far the index of a campaign's log reaches.
    pub async fn reach(&mut self, campaign: i64) -> Result<Reach, StoreError> {
        // A copy has every number, and words from its first search on.
        let found = self.pick(
            "select max(seq) from log where campaign = $1 and id <= (select rowid from words order by rowid desc limit 1)",
            "select max(seq) from words where campaign = $1",
        );
        let reach = format!(
            "select coalesce((select max(seq) from seen where campaign = $1), 0) as numbered, coalesce(({found}), 0) as found"
        );
        let reach = query(AssertSqlSafe(reach))
            .bind(campaign)
            .fetch_one(self)
            .await?;
        let (numbered, found): (u64, u64) = (reach.try_get("numbered")?, reach.try_get("found")?);
        Ok(Reach {
            numbered: numbered.max(found),
            found,
        })
    }

    /// Writes the words of the next entries that have none; inside a write.
    pub async fn fill_words(&mut self, campaign: i64) -> Result<(), StoreError> {
        self.lock(campaign).await?;
        let next = match self {
            Connection::Sqlite(_) => query(
                "select id, campaign, seq, body, public from log
                 where id > coalesce((select rowid from words order by rowid desc limit 1), 0) order by id limit +$1",
            )
            .bind(FILLED),
            Connection::Postgres(_) => query(
                "select id, campaign, seq, body, public from log
                 where campaign = $2 and seq > coalesce((select max(seq) from words where campaign = $2), 0) order by seq limit +$1",
            )
            .bind(FILLED)
            .bind(campaign),
        };
        let is_server = matches!(self, Connection::Postgres(_));
        let rows = next.fetch_all(self).await?;
        let mut script = Script::default();
        for row in &rows {
            let (campaign, seq): (i64, u64) = (row.try_get("campaign")?, row.try_get("seq")?);
            // What cannot be read is not found; `verify` says what is wrong with it.
            let entry = read_entry(row.try_get("body")?, seq).ok();
            let gm = entry.as_ref().map(words::words_for_gm).unwrap_or_default();
            let players = words::words_for_players(row.try_get("public")?, entry.as_ref());
            let joined = |words: &BTreeSet<String>| {
                words
                    .iter()
                    .map(String::as_str)
                    .collect::<Vec<_>>()
                    .join(" ")
            };
            let (gm, players) = (joined(&gm), players.as_ref().map(joined));
            if is_server {
                let words = query(
                    "insert into words (campaign, seq, n, gm, players) values ($1, $2,
                        case when $4::text is not null then (select coalesce(max(n), 0) + 1 from words where campaign = $1) end,
                        array_to_tsvector(string_to_array($3, ' ')), array_to_tsvector(string_to_array($4, ' ')))
                     on conflict (campaign, seq) do nothing",
                );
                script.push(words.bind(campaign).bind(seq).bind(gm).bind(players));
                continue;
            }
            // The campaign is among the words of each audience that sees something.
            let of_campaign = |words: String| format!("campaign_{campaign} {words}");
            let words = query("insert into words (rowid, gm, players) values ($1, $2, $3)");
            let words = words.bind(row.try_get::<i64>("id")?).bind(of_campaign(gm));
            let is_seen = players.is_some();
            script.push(words.bind(players.map_or(String::new(), of_campaign)));
            if is_seen {
                let next = "insert into seen (campaign, seq, n) values ($1, $2,
                    coalesce((select n from seen where campaign = $1 order by seq desc limit 1), 0) + 1) on conflict (campaign, seq) do nothing";
                script.push(query(next).bind(campaign).bind(seq));
            }
        }
        Ok(script.run(self).await?)
    }
}
