//! Writing: log rows, roll rows, answers.

use super::connection::{BEGIN, Connection, Query, Row, Script, query};
use super::tables;
use crate::record::{RollRow, read_hash, roll_rows};
use crate::{LogRow, Remembered, Sealed, StoreError};

/// The advisory lock of those who name a campaign: "Roll" as bytes.
pub const NAMING: i64 = 0x526f_6c6c;

impl Connection {
    /// Appends sealed entries, folds them into the state tables, and keeps the answer to a request.
    pub async fn append(
        &mut self,
        campaign: i64,
        entries: &[Sealed],
        answer: Option<(&str, &Remembered)>,
    ) -> Result<(), StoreError> {
        let mut script = Script::default();
        appending(&mut script, campaign, entries, answer)?;
        Ok(script.run(self).await?)
    }

    /// The answer that was given to a request, with the last entry of its call.
    pub async fn recall(
        &mut self,
        campaign: i64,
        request_id: &str,
    ) -> Result<Option<(Remembered, LogRow)>, StoreError> {
        let kept = query("select * from requests where campaign = $1 and request_id = $2")
            .bind(campaign)
            .bind(request_id);
        let Some(kept) = kept
            .fetch_optional(self)
            .await?
            .as_ref()
            .map(remembered)
            .transpose()?
        else {
            return Ok(None);
        };
        let gone = || StoreError::Unreadable {
            seq: kept.seq,
            reason: "an answer was kept for it".to_owned(),
        };
        let row = self.row(campaign, kept.seq).await?.ok_or_else(gone)?;
        Ok(Some((kept, row)))
    }

    /// Kept answers with their `request_id`, in its order after `request_id`, at most `limit`.
    pub async fn answers(
        &mut self,
        campaign: i64,
        request_id: &str,
        limit: u32,
    ) -> Result<Vec<(String, Remembered)>, StoreError> {
        let rows = query(
            "select * from requests where campaign = $1 and request_id > $2 order by request_id limit +$3",
        );
        let rows = rows
            .bind(campaign)
            .bind(request_id)
            .bind(limit)
            .fetch_all(self)
            .await?;
        rows.iter()
            .map(|row| Ok((row.try_get("request_id")?, remembered(row)?)))
            .collect()
    }

    /// Begins a transaction in which no other writes to a campaign.
    pub async fn begin_alone(&mut self, campaign: i64) -> Result<(), StoreError> {
        let begin = self.pick("begin immediate", BEGIN);
        query(begin).execute(self).await?;
        self.lock(campaign).await
    }

    /// Keeps other servers from writing to a campaign in this transaction; SQLite locks the file.
    pub async fn lock(&mut self, campaign: i64) -> Result<(), StoreError> {
        let lock = query("select id from campaigns where id = $1 for update");
        self.on_server(lock.bind(campaign)).await
    }

    /// Keeps other servers from naming a campaign in this transaction; SQLite locks the file.
    pub async fn lock_names(&mut self) -> Result<(), StoreError> {
        let lock = query("select pg_advisory_xact_lock($1) is null as locked");
        self.on_server(lock.bind(NAMING)).await
    }

    async fn on_server(&mut self, statement: Query) -> Result<(), StoreError> {
        match self {
            Connection::Sqlite(_) => Ok(()),
            Connection::Postgres(_) => Ok(statement.execute(self).await?),
        }
    }

    /// The key a new campaign would get; only inside a write.
    pub async fn next_key(&mut self) -> Result<i64, StoreError> {
        let key = query("select coalesce(max(id), 0) + 1 as next from campaigns");
        Ok(key.fetch_one(self).await?.try_get("next")?)
    }
}

/// Adds the statements of [`Connection::append`].
pub(crate) fn appending(
    script: &mut Script,
    campaign: i64,
    entries: &[Sealed],
    answer: Option<(&str, &Remembered)>,
) -> Result<(), StoreError> {
    for sealed in entries {
        tables::fold(script, campaign, &sealed.entry.changes)?;
        script.push(log(campaign, sealed));
        for row in roll_rows(&sealed.entry, sealed.seq, sealed.whole)? {
            script.push(roll(campaign, &row));
        }
    }
    if let Some((request_id, answer)) = answer {
        script.push(remember(campaign, request_id, answer));
    }
    Ok(())
}

fn log(campaign: i64, sealed: &Sealed) -> Query {
    let entry = &sealed.entry;
    let insert = query(
        "insert into log
         (campaign, seq, prev, body, public, salt, commitment, leaf, chain, at, session, kind, visibility, actor)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
    );
    let insert = insert
        .bind(campaign)
        .bind(sealed.seq)
        .bind(&sealed.prev[..]);
    let insert = insert
        .bind(&sealed.body[..])
        .bind(&sealed.public[..])
        .bind(&sealed.salt[..]);
    let insert = insert
        .bind(&sealed.commitment[..])
        .bind(&sealed.leaf[..])
        .bind(&sealed.chain[..]);
    let insert = insert
        .bind(entry.at)
        .bind(entry.session)
        .bind(entry.event.kind());
    insert.bind(entry.visibility.as_str()).bind(&entry.actor)
}

fn roll(campaign: i64, row: &RollRow<'_>) -> Query {
    let insert = query(
        "insert into roll_rows
         (campaign, seq, nth, id, time, session, expression, individual_rolls, total, explanation, context, purpose,
         visible, requested_by, source)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)",
    );
    let insert = insert
        .bind(campaign)
        .bind(row.seq)
        .bind(row.nth)
        .bind(row.id)
        .bind(&*row.time)
        .bind(row.session);
    let insert = insert
        .bind(row.expression)
        .bind(&*row.individual_rolls)
        .bind(row.total)
        .bind(row.explanation);
    insert
        .bind(row.context)
        .bind(row.purpose)
        .bind(row.visible)
        .bind(row.requested_by)
        .bind(row.source)
}

fn remembered(row: &Row) -> Result<Remembered, StoreError> {
    let seq = row.try_get("seq")?;
    Ok(Remembered {
        tool: row.try_get("tool")?,
        arguments: read_hash(row.try_get("arguments")?, seq)?,
        seq,
        reply: row.try_get("reply")?,
        salt: read_hash(row.try_get("salt")?, seq)?,
    })
}

fn remember(campaign: i64, request_id: &str, answer: &Remembered) -> Query {
    let insert = query(
        "insert into requests (campaign, request_id, tool, arguments, seq, reply, salt)
         values ($1, $2, $3, $4, $5, $6, $7)",
    );
    let insert = insert
        .bind(campaign)
        .bind(request_id)
        .bind(&answer.tool)
        .bind(&answer.arguments[..]);
    insert
        .bind(answer.seq)
        .bind(&answer.reply)
        .bind(&answer.salt[..])
}
