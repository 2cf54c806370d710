//! Many rows of the log as one: a row by itself costs a change of threads, and an allocation for each of its columns.
//!
//! A batch is two values: the numbers of its rows as text, and their bytes one after the other.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use sqlx::sqlite::{SqliteConnection, SqliteRow};
use sqlx::{AssertSqlSafe, Row};

use super::error::code;
use crate::StoreError;
use crate::record::{LogRow, Place, Position, RollRow};

/// SQLite's code for a value that is too long.
const TOO_BIG: i64 = 18;

/// Rows of the log that were read at once, with their rows in `rolls` where those were asked for.
pub struct Batch {
    rows: Arc<SqliteRow>,
    rolls: Option<SqliteRow>,
    places: Option<SqliteRow>,
}

impl Batch {
    /// The next rows; `None` at the end.
    pub async fn read(connection: &mut SqliteConnection, at: &mut Position) -> Result<Option<Self>, StoreError> {
        let rows = loop {
            match log_rows(connection, at).await {
                Err(error) if code(&error) == Some(TOO_BIG) && at.shrink() => {}
                rows => break rows?,
            }
        };
        let Some(last) = rows.try_get::<Option<i64>, _>("last")? else { return Ok(None) };
        let first = at.after.saturating_add(1);
        let count = usize::try_from(rows.try_get::<i64, _>("many")?).unwrap_or(1);
        at.advance(last, rows.try_get::<&[u8], _>("bytes")?.len() / count.max(1));
        let mut beside = async |is_wanted: bool, sql: &'static str| match is_wanted {
            true => {
                sqlx::query(sql).bind(at.campaign).bind(first).bind(last).fetch_one(&mut *connection).await.map(Some)
            }
            false => Ok(None),
        };
        let (rolls, places) = (beside(at.rolls, ROLLS).await?, beside(at.places, PLACES).await?);
        Ok(Some(Batch { rows: Arc::new(rows), rolls, places }))
    }
}

async fn log_rows(connection: &mut SqliteConnection, at: &Position) -> Result<SqliteRow, sqlx::Error> {
    sqlx::query(
        "select coalesce(group_concat(printf('%d %d %d %d %d %d %d %d %d %d %d %d %d', seq, at, session, octet_length(prev),
                octet_length(salt), octet_length(commitment), octet_length(leaf), octet_length(chain), octet_length(kind),
                octet_length(visibility), octet_length(actor), octet_length(body), octet_length(public)), ' '), '') as numbers,
            cast(coalesce(group_concat(concat(prev, salt, commitment, leaf, chain, kind, visibility, actor, body, public), ''), '') as blob) as bytes,
            max(seq) as last, count(*) as many
         from (select * from log where campaign = $1 and seq > $2 order by seq limit $3)",
    )
    .bind(at.campaign)
    .bind(at.after)
    .bind(at.rows)
    .fetch_one(connection)
    .await
}

/// The rows in `rolls` of a campaign's entries from one to another.
const ROLLS: &str = "select coalesce(group_concat(printf('%d %d %d %d %d %d %d %d %d %d %d %d %d %d', seq, nth, session, total, visible,
                octet_length(id), octet_length(time), octet_length(expression), octet_length(individual_rolls),
                octet_length(explanation), coalesce(octet_length(context), -1), octet_length(purpose),
                octet_length(requested_by), octet_length(source)), ' '), '') as numbers,
            cast(coalesce(group_concat(concat(id, time, expression, individual_rolls, explanation, context, purpose, requested_by, source), ''), '') as blob) as bytes
         from (select seq, nth, session, total, visible, id, time, expression, individual_rolls, explanation, context,
            purpose, requested_by, source from rolls where campaign = $1 and seq between $2 and $3 order by seq, nth)";

/// Their places in the index. `words_docsize` has how many words an entry has for the GM and for players: the last byte is 0 where none.
const PLACES: &str = "select coalesce(group_concat(printf('%d %d %d %d', log.seq, coalesce(seen.n, 0), words.id is not null,
                coalesce(substr(words.sz, -1) <> x'00', 0)), ' '), '') as numbers, x'' as bytes
         from log left join seen on seen.campaign = log.campaign and seen.seq = log.seq left join words_docsize as words on words.id = log.id
         where log.campaign = $1 and log.seq between $2 and $3";

/// The bytes of a row, which keeps them.
struct Whole(Arc<SqliteRow>);

impl AsRef<[u8]> for Whole {
    fn as_ref(&self) -> &[u8] {
        self.0.try_get("bytes").unwrap_or_default()
    }
}

impl Batch {
    /// The entries, in order.
    pub fn rows(&self) -> Result<Vec<LogRow>, StoreError> {
        let mut cut = Cut::of(&self.rows)?;
        let all = Bytes::from_owner(Whole(Arc::clone(&self.rows)));
        let mut rows = Vec::new();
        while let Some([seq, at, session, sizes @ ..]) = cut.numbers::<13>()? {
            let [prev, salt, commitment, leaf, chain, kind, visibility, actor, body, public] = sizes;
            let mut next = |size: i64| cut.blob(size).map(|range| all.slice(range));
            rows.push(LogRow {
                seq: number(seq),
                at,
                session,
                prev: next(prev)?,
                salt: next(salt)?,
                commitment: next(commitment)?,
                leaf: next(leaf)?,
                chain: next(chain)?,
                kind: next(kind)?,
                visibility: next(visibility)?,
                actor: next(actor)?,
                body: next(body)?,
                public: next(public)?,
            });
        }
        // SQLite puts them together in the order in which it reads them, and does not promise to.
        rows.sort_by_key(|row| row.seq);
        Ok(rows)
    }

    /// Their rows in `rolls`, in order; none where [`Position::with_rolls`] did not ask for them.
    pub fn rolls(&self) -> Result<Vec<RollRow<'_>>, StoreError> {
        let Some(rolls) = &self.rolls else { return Ok(Vec::new()) };
        let mut cut = Cut::of(rolls)?;
        let mut rows = Vec::new();
        while let Some([seq, nth, session, total, visible, sizes @ ..]) = cut.numbers::<14>()? {
            let [id, time, expression, individual_rolls, explanation, context, purpose, requested_by, source] = sizes;
            rows.push(RollRow {
                seq,
                nth,
                session,
                total,
                visible: visible != 0,
                id: cut.text(id)?,
                time: cut.text(time)?.into(),
                expression: cut.text(expression)?,
                individual_rolls: cut.text(individual_rolls)?.into(),
                explanation: cut.text(explanation)?,
                context: if context < 0 { None } else { Some(cut.text(context)?) },
                purpose: cut.text(purpose)?,
                requested_by: cut.text(requested_by)?,
                source: cut.text(source)?,
            });
        }
        rows.sort_by_key(|row| (row.seq, row.nth));
        Ok(rows)
    }

    /// Their places in the index, in order; none where [`Position::with_places`] did not ask for them.
    pub fn places(&self) -> Result<Vec<Place>, StoreError> {
        let Some(places) = &self.places else { return Ok(Vec::new()) };
        let (mut cut, mut all) = (Cut::of(places)?, Vec::new());
        while let Some([seq, n, gm, players]) = cut.numbers::<4>()? {
            all.push(Place { seq: number(seq), number: number(n), gm: gm != 0, players: players != 0 });
        }
        all.sort_by_key(|place| place.seq);
        Ok(all)
    }
}

/// The numbers and bodies of the entries that `rows` selects as `seq` and `body`, by a campaign, an entry and a limit.
pub async fn bodies(
    connection: &mut SqliteConnection,
    rows: &str,
    campaign: i64,
    after: u64,
    limit: u32,
) -> Result<Vec<(u64, Bytes)>, sqlx::Error> {
    let after = i64::try_from(after).unwrap_or(i64::MAX);
    // Put together of constants of this program.
    let sql = AssertSqlSafe(format!(
        "select coalesce(group_concat(seq || ' ' || octet_length(body), ' '), '') as numbers,
            cast(coalesce(group_concat(body, ''), '') as blob) as bytes from ({rows})"
    ));
    let found = match sqlx::query(sql).bind(campaign).bind(after).bind(limit).fetch_one(&mut *connection).await {
        Err(error) if code(&error) == Some(TOO_BIG) => {
            let each = sqlx::query(AssertSqlSafe(rows.to_owned())).bind(campaign).bind(after).bind(limit);
            let each = each.fetch_all(connection).await?;
            let body = |row: &SqliteRow| Ok((number(row.try_get("seq")?), row.try_get::<Vec<u8>, _>("body")?.into()));
            each.iter().map(body).collect::<Result<Vec<_>, sqlx::Error>>()?
        }
        batch => {
            let batch = batch?;
            let (mut cut, mut found) = (Cut::of(&batch)?, Vec::new());
            let all = Bytes::copy_from_slice(cut.bytes);
            while let Some([seq, size]) = cut.numbers::<2>()? {
                found.push((number(seq), all.slice(cut.blob(size)?)));
            }
            found
        }
    };
    Ok(found)
}

fn number(seq: i64) -> u64 {
    u64::try_from(seq).unwrap_or(0)
}

/// A batch being cut into its rows.
struct Cut<'r> {
    numbers: std::str::SplitAsciiWhitespace<'r>,
    bytes: &'r [u8],
    /// Where the next value begins.
    at: usize,
}

impl<'r> Cut<'r> {
    fn of(batch: &'r SqliteRow) -> Result<Self, sqlx::Error> {
        let numbers: &str = batch.try_get("numbers")?;
        Ok(Cut { numbers: numbers.split_ascii_whitespace(), bytes: batch.try_get("bytes")?, at: 0 })
    }

    /// The numbers of the next row.
    fn numbers<const N: usize>(&mut self) -> Result<Option<[i64; N]>, sqlx::Error> {
        let mut row = [0; N];
        for (nth, number) in row.iter_mut().enumerate() {
            match self.numbers.next() {
                None if nth == 0 => return Ok(None),
                text => *number = text.and_then(|text| text.parse().ok()).ok_or_else(torn)?,
            }
        }
        Ok(Some(row))
    }

    /// Where the next value is.
    fn blob(&mut self, size: i64) -> Result<Range<usize>, sqlx::Error> {
        let end = usize::try_from(size).ok().and_then(|size| self.at.checked_add(size));
        let end = end.filter(|end| *end <= self.bytes.len()).ok_or_else(torn)?;
        Ok(std::mem::replace(&mut self.at, end)..end)
    }

    fn text(&mut self, size: i64) -> Result<&'r str, sqlx::Error> {
        let range = self.blob(size)?;
        self.bytes.get(range).and_then(|text| std::str::from_utf8(text).ok()).ok_or_else(torn)
    }
}

fn torn() -> sqlx::Error {
    sqlx::Error::Decode("rows of the log do not add up to their sizes".into())
}

#[cfg(test)]
mod tests {
    use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
    use sqlx::{AssertSqlSafe, ConnectOptions};

    use super::Batch;
    use crate::record::Position;
    use crate::sql::connection::{Connection, query};
    use crate::sql::page::roll_row;
    use crate::sqlite::migrate;

    /// A log of `entries`, whose bodies have any bytes, and every second of which has two rolls.
    async fn filled(entries: u32, body: &str) -> SqliteConnection {
        let mut connection = SqliteConnectOptions::new().in_memory(true).connect().await.unwrap();
        migrate::make(&mut connection).await.unwrap();
        let sql = format!(
            "insert into campaigns (id, uuid, name, adventure, rules_hash, created_at) values (1, 'u', 'n', 'a', '', 0), (2, 'v', 'm', 'a', '', 0);
             drop trigger log_grows_by_one_link;
             insert into log (campaign, seq, prev, body, public, salt, commitment, leaf, chain, at, session, kind, visibility, actor)
             with recursive n(i) as (select 1 union all select i + 1 from n where i < {entries})
             select campaign.id, i, randomblob(32), {body}, randomblob(i % 7), randomblob(32), zeroblob(32), randomblob(32),
                    randomblob(32), -i, i / 10, 'rôle', '', char(0) || 'x y' from n, campaigns as campaign where i <= {entries}
             order by random();
             insert into roll_rows select campaign, seq, nth.value, hex(randomblob(4)), 't', 1, 'é', '[1, 2]', -seq, '',
                    iif(nth.value = 1, null, ''), 'p', 1, '', 's' from log, json_each('[1, 2]') as nth where seq % 2 = 0;"
        );
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut connection).await.unwrap();
        connection
    }

    #[tokio::test]
    async fn a_batch_holds_what_the_rows_hold() {
        let one_by_one = "select * from roll_rows where campaign = 1 and seq between $1 and $2 order by seq, nth";
        for (entries, body) in [(0, "''"), (1, "x'00ff00'"), (1300, "randomblob(i % 300)"), (40, "zeroblob(1000000)")] {
            let mut connection = Connection::Sqlite(filled(entries, body).await);
            let mut at = Position::of(1).with_rolls();
            let mut last = 0;
            loop {
                let Connection::Sqlite(file) = &mut connection else { unreachable!() };
                let Some(batch) = Batch::read(file, &mut at).await.unwrap() else { break };
                assert!(at.rows <= Position::ROWS_MAX);
                let read = batch.rows().unwrap();
                let rows = connection.rows(1, last, read.len() as u32).await.unwrap();
                assert_eq!(format!("{read:?}"), format!("{rows:?}"));
                let rolls = query(one_by_one).bind(last + 1).bind(at.after).fetch_all(&mut connection).await.unwrap();
                let rolls: Vec<_> = rolls.iter().map(|row| roll_row(row).unwrap()).collect();
                assert_eq!(batch.rolls().unwrap(), rolls);
                last = read[read.len() - 1].seq;
                assert_eq!(last, at.after as u64);
            }
            assert_eq!(last, u64::from(entries));
            assert!(entries != 40 || at.rows < 8, "long rows make small batches: {}", at.rows);
        }
    }
}
