//! Many rows of the log as one: a row by itself costs a change of threads, and an allocation for each of its columns.
//!
//! A batch is two values: the numbers of its rows as text, and their bytes behind each other. How many rows there are in one
//! follows from how long those before were, so that its size is bounded, and with it the memory.

use bytes::Bytes;
use sqlx::sqlite::{SqliteConnection, SqliteRow};
use sqlx::{AssertSqlSafe, Row};

use super::append::RollRow;
use super::code;
use crate::store::{LogRow, StoreError};

/// Bytes that a batch is meant to have.
const BYTES: usize = 4 * 1024 * 1024;
const ROWS_FIRST: u32 = 64;
const ROWS_MAX: u32 = 512;
/// SQLite's code for a value that is too long.
const TOO_BIG: i64 = 18;

/// Rows of the log, read from the first on.
pub struct Batches {
    campaign: i64,
    /// The last entry that was read.
    behind: u64,
    rows: u32,
}

impl Batches {
    /// Of the campaign's whole log.
    pub fn of(campaign: i64) -> Self {
        Batches { campaign, behind: 0, rows: ROWS_FIRST }
    }

    /// The next rows, in order; none at the end.
    pub async fn next(&mut self, connection: &mut SqliteConnection) -> Result<Vec<LogRow>, StoreError> {
        loop {
            match log(connection, self.campaign, self.behind, self.rows).await {
                Err(error) if self.rows > 1 && code(&error) == Some(TOO_BIG) => self.rows = (self.rows / 8).max(1),
                rows => {
                    let (rows, bytes) = rows?;
                    let Some(last) = rows.last() else { return Ok(rows) };
                    self.behind = last.seq;
                    let fit = BYTES / (bytes / rows.len()).max(1);
                    self.rows = u32::try_from(fit).unwrap_or(ROWS_MAX).clamp(1, ROWS_MAX.min(self.rows * 8));
                    return Ok(rows);
                }
            }
        }
    }
}

async fn log(
    connection: &mut SqliteConnection,
    campaign: i64,
    behind: u64,
    limit: u32,
) -> Result<(Vec<LogRow>, usize), sqlx::Error> {
    let batch = sqlx::query(
        "select coalesce(group_concat(printf('%d %d %d %d %d %d %d %d %d %d %d %d %d', seq, at, session, octet_length(prev),
                octet_length(salt), octet_length(commitment), octet_length(leaf), octet_length(chain), octet_length(kind),
                octet_length(visibility), octet_length(actor), octet_length(body), octet_length(public)), ' '), '') as numbers,
            cast(coalesce(group_concat(concat(prev, salt, commitment, leaf, chain, kind, visibility, actor, body, public), ''), '') as blob) as bytes
         from (select * from log where campaign = $1 and seq > $2 order by seq limit $3)",
    )
    .bind(campaign)
    .bind(i64::try_from(behind).unwrap_or(i64::MAX))
    .bind(limit)
    .fetch_one(connection)
    .await?;
    let mut cut = Cut::of(&batch)?;
    let bytes = cut.bytes.len();
    let mut rows = Vec::new();
    while let Some([seq, at, session, sizes @ ..]) = cut.numbers::<13>()? {
        let [prev, salt, commitment, leaf, chain, kind, visibility, actor, body, public] = sizes;
        rows.push(LogRow {
            seq: number(seq),
            at,
            session,
            prev: cut.blob(prev)?,
            salt: cut.blob(salt)?,
            commitment: cut.blob(commitment)?,
            leaf: cut.blob(leaf)?,
            chain: cut.blob(chain)?,
            kind: cut.text(kind)?,
            visibility: cut.text(visibility)?,
            actor: cut.text(actor)?,
            body: cut.blob(body)?,
            public: cut.blob(public)?,
        });
    }
    // SQLite puts them together in the order in which it reads them, and does not promise to.
    rows.sort_by_key(|row| row.seq);
    Ok((rows, bytes))
}

/// The roll rows of the entries from `first` to `last`, in order.
pub async fn rolls(
    connection: &mut SqliteConnection,
    campaign: i64,
    first: u64,
    last: u64,
) -> Result<Vec<RollRow>, StoreError> {
    let batch = sqlx::query(
        "select coalesce(group_concat(printf('%d %d %d %d %d %d %d %d %d %d %d %d %d %d', seq, nth, session, total, visible,
                octet_length(id), octet_length(time), octet_length(expression), octet_length(individual_rolls),
                octet_length(explanation), coalesce(octet_length(context), -1), octet_length(purpose),
                octet_length(requested_by), octet_length(source)), ' '), '') as numbers,
            cast(coalesce(group_concat(concat(id, time, expression, individual_rolls, explanation, context, purpose, requested_by, source), ''), '') as blob) as bytes
         from (select * from rolls where campaign = $1 and seq between $2 and $3 order by seq, nth)",
    )
    .bind(campaign)
    .bind(i64::try_from(first).unwrap_or(i64::MAX))
    .bind(i64::try_from(last).unwrap_or(i64::MAX))
    .fetch_one(connection)
    .await?;
    let mut cut = Cut::of(&batch)?;
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
            time: cut.text(time)?,
            expression: cut.text(expression)?,
            individual_rolls: cut.text(individual_rolls)?,
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

/// The numbers and bodies of the entries that `rows` selects as `seq` and `body`, in order. Its parameters are a campaign, an entry
/// and a limit.
pub async fn bodies(
    connection: &mut SqliteConnection,
    rows: &'static str,
    campaign: i64,
    behind: u64,
    limit: u32,
) -> Result<Vec<(u64, Bytes)>, sqlx::Error> {
    let behind = i64::try_from(behind).unwrap_or(i64::MAX);
    // Put together of constants of this program.
    let sql = AssertSqlSafe(format!(
        "select coalesce(group_concat(seq || ' ' || octet_length(body), ' '), '') as numbers,
            cast(coalesce(group_concat(body, ''), '') as blob) as bytes from ({rows})"
    ));
    let mut found = match sqlx::query(sql).bind(campaign).bind(behind).bind(limit).fetch_one(&mut *connection).await {
        Err(error) if code(&error) == Some(TOO_BIG) => {
            let each = sqlx::query(rows).bind(campaign).bind(behind).bind(limit).fetch_all(connection).await?;
            let body = |row: &SqliteRow| Ok((number(row.try_get("seq")?), row.try_get::<Vec<u8>, _>("body")?.into()));
            each.iter().map(body).collect::<Result<Vec<_>, sqlx::Error>>()?
        }
        batch => {
            let batch = batch?;
            let (mut cut, mut found) = (Cut::of(&batch)?, Vec::new());
            while let Some([seq, size]) = cut.numbers::<2>()? {
                found.push((number(seq), cut.blob(size)?));
            }
            found
        }
    };
    found.sort_by_key(|(seq, _)| *seq);
    Ok(found)
}

fn number(seq: i64) -> u64 {
    u64::try_from(seq).unwrap_or(0)
}

/// A batch being cut into its rows, which share its bytes.
struct Cut<'r> {
    numbers: std::str::SplitAsciiWhitespace<'r>,
    bytes: Bytes,
}

impl<'r> Cut<'r> {
    fn of(batch: &'r SqliteRow) -> Result<Self, sqlx::Error> {
        let numbers: &str = batch.try_get("numbers")?;
        Ok(Cut { numbers: numbers.split_ascii_whitespace(), bytes: Bytes::copy_from_slice(batch.try_get("bytes")?) })
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

    fn blob(&mut self, size: i64) -> Result<Bytes, sqlx::Error> {
        let size = usize::try_from(size).ok().filter(|size| *size <= self.bytes.len()).ok_or_else(torn)?;
        Ok(self.bytes.split_to(size))
    }

    fn text(&mut self, size: i64) -> Result<String, sqlx::Error> {
        let text = self.blob(size)?;
        std::str::from_utf8(&text).map(str::to_owned).map_err(|_| torn())
    }
}

fn torn() -> sqlx::Error {
    sqlx::Error::Decode("rows of the log do not add up to their sizes".into())
}

#[cfg(test)]
mod tests {
    use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteRow};
    use sqlx::{AssertSqlSafe, ConnectOptions, Row};

    use super::{Batches, ROWS_MAX, RollRow, rolls};
    use crate::store::sqlite::{migrate, read};

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
             insert into rolls select campaign, seq, nth.value, hex(randomblob(4)), 't', 1, 'é', '[1, 2]', -seq, '',
                    iif(nth.value = 1, null, ''), 'p', 1, '', 's' from log, json_each('[1, 2]') as nth where seq % 2 = 0;"
        );
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut connection).await.unwrap();
        connection
    }

    async fn one_by_one(connection: &mut SqliteConnection, first: u64, last: u64) -> Vec<RollRow> {
        let sql = "select * from rolls where campaign = 1 and seq between $1 and $2 order by seq, nth";
        let rows = sqlx::query(sql).bind(first as i64).bind(last as i64).fetch_all(connection).await.unwrap();
        let row = |row: &SqliteRow| RollRow {
            id: row.get("id"),
            seq: row.get("seq"),
            nth: row.get("nth"),
            time: row.get("time"),
            session: row.get("session"),
            expression: row.get("expression"),
            individual_rolls: row.get("individual_rolls"),
            total: row.get("total"),
            explanation: row.get("explanation"),
            context: row.get("context"),
            purpose: row.get("purpose"),
            visible: row.get("visible"),
            requested_by: row.get("requested_by"),
            source: row.get("source"),
        };
        rows.iter().map(row).collect()
    }

    #[tokio::test]
    async fn a_batch_holds_what_the_rows_hold() {
        for (entries, body) in [(0, "''"), (1, "x'00ff00'"), (1300, "randomblob(i % 300)"), (40, "zeroblob(1000000)")] {
            let mut connection = filled(entries, body).await;
            let mut batches = Batches::of(1);
            let mut behind = 0;
            loop {
                let batch = batches.next(&mut connection).await.unwrap();
                assert!(batches.rows <= ROWS_MAX);
                if batch.is_empty() {
                    break;
                }
                let rows = read::rows(&mut connection, 1, behind, batch.len() as u32).await.unwrap();
                assert_eq!(format!("{batch:?}"), format!("{rows:?}"));
                let (first, last) = (batch[0].seq, batch[batch.len() - 1].seq);
                assert_eq!(
                    rolls(&mut connection, 1, first, last).await.unwrap(),
                    one_by_one(&mut connection, first, last).await
                );
                behind = last;
            }
            assert_eq!(behind, u64::from(entries));
            assert!(entries != 40 || batches.rows < 8, "long rows make small batches: {}", batches.rows);
        }
    }
}
