//! Rows of the log that are read at once, with what the tables beside it have of their entries.
//!
//! A row of SQLite by itself costs a change of threads, and an allocation for each of its columns.
//! So many are read there as one: their numbers as text, and their bytes one after the other.

use sqlx::AssertSqlSafe;

use super::connection::{Connection, Row, query};
use super::error::code;
use crate::StoreError;
use crate::record::{LogRow, Place, Position, RollRow};

/// SQLite's code for a value that is too long.
const TOO_BIG: i64 = 18;

/// What is read of rows: columns of numbers and flags, and columns of bytes and texts.
pub(super) struct Columns<const N: usize, const B: usize>(
    pub [&'static str; N],
    pub [&'static str; B],
);

/// A row: its numbers, and its bytes; `None` for null.
type Cells<'r, const N: usize, const B: usize> = ([i64; N], [Option<&'r [u8]>; B]);

/// Rows that were read at once, and are unpacked where they are needed, maybe by another thread.
pub(super) enum Rows {
    Packed(Row),
    Each(Vec<Row>),
}

impl<const N: usize, const B: usize> Columns<N, B> {
    /// The rows that a statement selects, in no order.
    pub async fn read(
        &self,
        connection: &mut Connection,
        sql: &str,
        values: [i64; 3],
    ) -> Result<Rows, sqlx::Error> {
        match self.packed(connection, sql, values).await {
            Err(error) if code(&error) == Some(TOO_BIG) => {
                each(connection, sql, values).await.map(Rows::Each)
            }
            rows => rows,
        }
    }

    async fn packed(
        &self,
        connection: &mut Connection,
        sql: &str,
        values: [i64; 3],
    ) -> Result<Rows, sqlx::Error> {
        if let Connection::Postgres(_) = connection {
            return each(connection, sql, values).await.map(Rows::Each);
        }
        let sizes = self
            .1
            .iter()
            .map(|column| format!("coalesce(octet_length({column}), -1)"));
        let numbers: Vec<String> = self
            .0
            .iter()
            .map(ToString::to_string)
            .chain(sizes)
            .collect();
        let bytes: String = self.1.iter().map(|column| format!(", {column}")).collect();
        let packed = format!(
            "select max({}) as last, count(*) as many,
                coalesce(group_concat(printf('{}', {}), ' '), '') as numbers,
                cast(coalesce(group_concat(concat(''{bytes}), ''), '') as blob) as bytes from ({sql})",
            self.0.first().unwrap_or(&"0"),
            vec!["%d"; N + B].join(" "),
            numbers.join(", ")
        );
        let one = each(connection, &packed, values).await?.pop();
        one.map(Rows::Packed).ok_or(sqlx::Error::RowNotFound)
    }

    fn of<'r>(&self, row: &'r Row) -> Result<Cells<'r, N, B>, sqlx::Error> {
        let (mut numbers, mut bytes) = ([0; N], [None; B]);
        for (number, column) in numbers.iter_mut().zip(self.0) {
            *number = row.number(column)?;
        }
        for (bytes, column) in bytes.iter_mut().zip(self.1) {
            *bytes = row.bytes(column)?;
        }
        Ok((numbers, bytes))
    }
}

/// The same, each by itself.
async fn each(
    connection: &mut Connection,
    sql: &str,
    values: [i64; 3],
) -> Result<Vec<Row>, sqlx::Error> {
    // Put together of constants of this program.
    let rows = values
        .into_iter()
        .fold(query(AssertSqlSafe(sql.to_owned())), |query, value| {
            query.bind(value)
        });
    rows.fetch_all(connection).await
}

impl Rows {
    /// The last number of rows of the log, and bytes of one; `None` without rows. It stays packed.
    fn extent(&self) -> Result<Option<(i64, usize)>, sqlx::Error> {
        let (last, many, bytes) = match self {
            Rows::Packed(packed) => (
                packed.try_get::<Option<i64>>("last")?,
                usize::try_from(packed.try_get::<i64>("many")?).unwrap_or(0),
                packed.try_get::<&[u8]>("bytes")?.len(),
            ),
            Rows::Each(_) => {
                let cells = self.cells(&LOG)?;
                let bytes = cells.iter().flat_map(|(_, bytes)| bytes).flatten();
                let bytes = bytes.map(|bytes| bytes.len()).sum();
                (
                    cells.iter().map(|([seq, ..], _)| *seq).max(),
                    cells.len(),
                    bytes,
                )
            }
        };
        Ok(last.map(|last| (last, bytes / many.max(1))))
    }

    /// What each row has in these columns.
    pub fn cells<const N: usize, const B: usize>(
        &self,
        columns: &Columns<N, B>,
    ) -> Result<Vec<Cells<'_, N, B>>, sqlx::Error> {
        let packed = match self {
            Rows::Packed(packed) => packed,
            Rows::Each(rows) => return rows.iter().map(|row| columns.of(row)).collect(),
        };
        let numbers = packed.try_get::<&str>("numbers")?.split_ascii_whitespace();
        let numbers: Vec<i64> = numbers
            .map(|number| number.parse().map_err(|_| torn()))
            .collect::<Result<_, _>>()?;
        if !numbers.len().is_multiple_of(N + B) {
            return Err(torn());
        }
        let mut left: &[u8] = packed.try_get("bytes")?;
        let mut all = Vec::with_capacity(numbers.len() / (N + B));
        for row in numbers.chunks(N + B) {
            let (numbers, sizes) = row.split_at_checked(N).ok_or_else(torn)?;
            let mut bytes = [None; B];
            for (cell, size) in bytes.iter_mut().zip(sizes).filter(|(_, size)| **size >= 0) {
                let size = usize::try_from(*size).unwrap_or(usize::MAX);
                let (this, rest) = left.split_at_checked(size).ok_or_else(torn)?;
                (*cell, left) = (Some(this), rest);
            }
            all.push((numbers.try_into().map_err(|_| torn())?, bytes));
        }
        Ok(all)
    }
}

fn torn() -> sqlx::Error {
    sqlx::Error::Decode("rows of the log do not add up to their sizes".into())
}

/// The number of an entry as a column has it.
pub(super) fn number(seq: i64) -> u64 {
    u64::try_from(seq).unwrap_or(0)
}

const LOG: Columns<3, 10> = Columns(
    ["seq", "at", "session"],
    [
        "prev",
        "salt",
        "commitment",
        "leaf",
        "chain",
        "kind",
        "visibility",
        "actor",
        "body",
        "public",
    ],
);

const LOG_ROWS: &str = "select * from log where campaign = $1 and seq > $2 order by seq limit +$3";

const ROLLS: Columns<5, 9> = Columns(
    ["seq", "nth", "session", "total", "visible"],
    [
        "id",
        "time",
        "expression",
        "individual_rolls",
        "explanation",
        "context",
        "purpose",
        "requested_by",
        "source",
    ],
);

const ROLL_ROWS: &str = "select * from roll_rows where campaign = $1 and seq between $2 and $3";

const PLACES: Columns<4, 0> = Columns(["seq", "n", "gm", "players"], []);

/// `words_docsize` counts an entry's words for the GM and for players: the last byte is 0 for none.
const PLACES_IN_FILE: &str = "select log.seq as seq, coalesce(seen.n, 0) as n, words.id is not null as gm,
        coalesce(substr(words.sz, -1) <> x'00', 0) as players
     from log left join seen on seen.campaign = log.campaign and seen.seq = log.seq left join words_docsize as words on words.id = log.id
     where log.campaign = $1 and log.seq between $2 and $3";

const PLACES_ON_SERVER: &str = "select log.seq as seq, coalesce(words.n, 0) as n, words.seq is not null as gm, words.players is not null as players
     from log left join words on words.campaign = log.campaign and words.seq = log.seq
     where log.campaign = $1 and log.seq between $2 and $3";

impl Connection {
    /// Rows of the log after `seq`, hashes and all, at most `limit`.
    pub async fn rows(
        &mut self,
        campaign: i64,
        seq: u64,
        limit: u32,
    ) -> Result<Vec<LogRow>, StoreError> {
        let after = i64::try_from(seq).unwrap_or(i64::MAX);
        let values = [campaign, after, limit.into()];
        // One row gains nothing by being packed.
        let rows = match limit {
            1 => Rows::Each(each(self, LOG_ROWS, values).await?),
            _ => LOG.read(self, LOG_ROWS, values).await?,
        };
        log_rows(&rows)
    }
}

fn log_rows(rows: &Rows) -> Result<Vec<LogRow>, StoreError> {
    let row = |([seq, at, session], bytes): Cells<'_, 3, 10>| {
        let [
            prev,
            salt,
            commitment,
            leaf,
            chain,
            kind,
            visibility,
            actor,
            body,
            public,
        ] = bytes.map(|bytes| bytes.unwrap_or_default().to_vec());
        let seq = number(seq);
        LogRow {
            seq,
            prev,
            body,
            public,
            salt,
            commitment,
            leaf,
            chain,
            at,
            session,
            kind,
            visibility,
            actor,
        }
    };
    let mut rows: Vec<LogRow> = rows.cells(&LOG)?.into_iter().map(row).collect();
    rows.sort_by_key(|row| row.seq);
    Ok(rows)
}

/// Rows of a log that were read at once.
pub struct Page {
    rows: Rows,
    rolls: Rows,
    places: Rows,
}

impl Page {
    /// The next rows; `None` at the end.
    pub async fn read(
        connection: &mut Connection,
        at: &mut Position,
    ) -> Result<Option<Page>, StoreError> {
        let rows = loop {
            match LOG
                .packed(
                    connection,
                    LOG_ROWS,
                    [at.campaign, at.after, at.rows.into()],
                )
                .await
            {
                Err(error) if code(&error) == Some(TOO_BIG) && at.shrink() => {}
                rows => break rows?,
            }
        };
        let Some((last, row_bytes)) = rows.extent()? else {
            return Ok(None);
        };
        let of_entries = [at.campaign, at.after.saturating_add(1), last];
        at.advance(last, row_bytes);
        let (mut rolls, mut places) = (Rows::Each(Vec::new()), Rows::Each(Vec::new()));
        if at.has_rolls {
            rolls = ROLLS.read(connection, ROLL_ROWS, of_entries).await?;
        }
        if at.has_places {
            let sql = connection.pick(PLACES_IN_FILE, PLACES_ON_SERVER);
            places = PLACES.read(connection, sql, of_entries).await?;
        }
        Ok(Some(Page {
            rows,
            rolls,
            places,
        }))
    }

    /// The entries, in order.
    pub fn rows(&self) -> Result<Vec<LogRow>, StoreError> {
        log_rows(&self.rows)
    }

    /// Their rows in `rolls`, in order; none where [`Position`] did not ask for them.
    pub fn rolls(&self) -> Result<Vec<RollRow<'_>>, StoreError> {
        let mut rows = self
            .rolls
            .cells(&ROLLS)?
            .into_iter()
            .map(roll_row)
            .collect::<Result<Vec<_>, _>>()?;
        rows.sort_by_key(|row| (row.seq, row.nth));
        Ok(rows)
    }

    /// Their places in the index, in order; none where [`Position`] did not ask for them.
    pub fn places(&self) -> Result<Vec<Place>, StoreError> {
        let place = |([seq, n, gm, players], _): Cells<'_, 4, 0>| Place {
            seq: number(seq),
            number: number(n),
            gm: gm != 0,
            players: players != 0,
        };
        let mut places: Vec<Place> = self.places.cells(&PLACES)?.into_iter().map(place).collect();
        places.sort_by_key(|place| place.seq);
        Ok(places)
    }
}

fn roll_row<'r>(
    ([seq, nth, session, total, visible], bytes): Cells<'r, 5, 9>,
) -> Result<RollRow<'r>, sqlx::Error> {
    let text = |bytes| std::str::from_utf8(bytes).map_err(|_| torn());
    let [
        id,
        time,
        expression,
        individual_rolls,
        explanation,
        context,
        purpose,
        requested_by,
        source,
    ] = bytes;
    let whole = |bytes: Option<&'r [u8]>| text(bytes.unwrap_or_default());
    Ok(RollRow {
        id: whole(id)?,
        seq,
        nth,
        time: whole(time)?.into(),
        session,
        expression: whole(expression)?,
        individual_rolls: whole(individual_rolls)?.into(),
        total,
        explanation: whole(explanation)?,
        context: context.map(text).transpose()?,
        purpose: whole(purpose)?,
        visible: visible != 0,
        requested_by: whole(requested_by)?,
        source: whole(source)?,
    })
}

#[cfg(test)]
mod tests {
    use sqlx::sqlite::SqliteConnectOptions;
    use sqlx::{AssertSqlSafe, ConnectOptions};

    use super::*;
    use crate::sqlite::migrate;

    /// A log of `entries`, whose bodies have any bytes, and every second of which has two rolls.
    async fn filled(entries: u32, body: &str) -> Connection {
        let mut connection = SqliteConnectOptions::new()
            .in_memory(true)
            .connect()
            .await
            .unwrap();
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
        sqlx::raw_sql(AssertSqlSafe(sql))
            .execute(&mut connection)
            .await
            .unwrap();
        Connection::Sqlite(connection)
    }

    #[tokio::test]
    async fn rows_that_are_read_as_one_are_what_each_row_is() {
        for (entries, body) in [
            (0, "''"),
            (1, "x'00ff00'"),
            (1300, "randomblob(i % 300)"),
            (40, "zeroblob(1000000)"),
        ] {
            let mut connection = filled(entries, body).await;
            let mut at = Position {
                has_rolls: true,
                has_places: true,
                ..Position::of(1)
            };
            let mut last = 0;
            while let Some(page) = Page::read(&mut connection, &mut at).await.unwrap() {
                assert!(at.rows <= Position::ROWS_MAX && matches!(page.rows, Rows::Packed(_)));
                let of_entries = [1, last + 1, at.after];
                let many = page.rows().unwrap().len() as i64;
                let mut each = async |sql: &str, values| {
                    Rows::Each(each(&mut connection, sql, values).await.unwrap())
                };
                let single = Page {
                    rows: each(LOG_ROWS, [1, last, many]).await,
                    rolls: each(ROLL_ROWS, of_entries).await,
                    places: each(PLACES_IN_FILE, of_entries).await,
                };
                assert_eq!(
                    format!("{:?}", page.rows().unwrap()),
                    format!("{:?}", single.rows().unwrap())
                );
                assert_eq!(page.rolls().unwrap(), single.rolls().unwrap());
                assert_eq!(page.places().unwrap(), single.places().unwrap());
                last = at.after;
            }
            assert_eq!(last, i64::from(entries));
            assert!(
                entries != 40 || at.rows < 8,
                "long rows make small batches: {}",
                at.rows
            );
        }
    }
}
