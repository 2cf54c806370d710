//! Many rows of the log that are read at once.

use super::batch::Batch;
use super::connection::{Connection, Row, query};
use super::read::log_row;
use crate::StoreError;
use crate::record::{LogRow, Place, Position, RollRow};

/// Rows of a log that were read at once. They are unpacked where they are worked on, which may be another thread.
pub enum Page {
    Sqlite(Batch),
    /// Rows of `log`, of `rolls`, and of the index.
    Postgres(Vec<Row>, Vec<Row>, Vec<Row>),
}

impl Page {
    /// The next rows; `None` at the end.
    pub async fn read(connection: &mut Connection, at: &mut Position) -> Result<Option<Page>, StoreError> {
        if let Connection::Sqlite(file) = connection {
            return Ok(Batch::read(file, at).await?.map(Page::Sqlite));
        }
        let rows = query("select * from log where campaign = $1 and seq > $2 order by seq limit $3");
        let rows = rows.bind(at.campaign).bind(at.after).bind(at.rows).fetch_all(connection).await?;
        let Some(last) = rows.last() else { return Ok(None) };
        let (first, last): (i64, i64) = (at.after.saturating_add(1), last.try_get("seq")?);
        let mut bytes = 0;
        for row in &rows {
            bytes += row.try_get::<&[u8]>("body")?.len() + row.try_get::<&[u8]>("public")?.len();
        }
        at.advance(last, bytes / rows.len());
        let rolls = match at.rolls {
            true => {
                let rolls =
                    query("select * from roll_rows where campaign = $1 and seq between $2 and $3 order by seq, nth");
                rolls.bind(at.campaign).bind(first).bind(last).fetch_all(connection).await?
            }
            false => Vec::new(),
        };
        let places = match at.places {
            true => {
                let places = query(
                    "select log.seq as seq, coalesce(words.n, 0) as n, words.seq is not null as gm, words.players is not null as players
                     from log left join words on words.campaign = log.campaign and words.seq = log.seq
                     where log.campaign = $1 and log.seq between $2 and $3 order by log.seq",
                );
                places.bind(at.campaign).bind(first).bind(last).fetch_all(connection).await?
            }
            false => Vec::new(),
        };
        Ok(Some(Page::Postgres(rows, rolls, places)))
    }

    /// The entries, in order.
    pub fn rows(&self) -> Result<Vec<LogRow>, StoreError> {
        match self {
            Page::Sqlite(batch) => batch.rows(),
            Page::Postgres(rows, ..) => rows.iter().map(log_row).collect(),
        }
    }

    /// Their rows in `rolls`, in order; none where [`Position::with_rolls`] did not ask for them.
    pub fn rolls(&self) -> Result<Vec<RollRow<'_>>, StoreError> {
        match self {
            Page::Sqlite(batch) => batch.rolls(),
            Page::Postgres(_, rolls, _) => rolls.iter().map(roll_row).collect(),
        }
    }

    /// Their places in the index, in order; none where [`Position::with_places`] did not ask for them.
    pub fn places(&self) -> Result<Vec<Place>, StoreError> {
        match self {
            Page::Sqlite(batch) => batch.places(),
            Page::Postgres(_, _, places) => places.iter().map(place).collect(),
        }
    }
}

fn place(row: &Row) -> Result<Place, StoreError> {
    Ok(Place {
        seq: row.try_get("seq")?,
        number: row.try_get("n")?,
        gm: row.try_get("gm")?,
        players: row.try_get("players")?,
    })
}

pub(super) fn roll_row(row: &Row) -> Result<RollRow<'_>, StoreError> {
    Ok(RollRow {
        seq: row.try_get("seq")?,
        nth: row.try_get("nth")?,
        session: row.try_get("session")?,
        total: row.try_get("total")?,
        visible: row.try_get("visible")?,
        id: row.try_get("id")?,
        time: row.try_get::<&str>("time")?.into(),
        expression: row.try_get("expression")?,
        individual_rolls: row.try_get::<&str>("individual_rolls")?.into(),
        explanation: row.try_get("explanation")?,
        context: row.try_get("context")?,
        purpose: row.try_get("purpose")?,
        requested_by: row.try_get("requested_by")?,
        source: row.try_get("source")?,
    })
}
