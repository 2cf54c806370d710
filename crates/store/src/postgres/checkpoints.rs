//! The table of checkpoints.

use crate::StoreError;
use crate::checkpoint::{self, Checkpoint, Checkpoints};
use crate::location::Location;
use crate::record::read_hash;
use crate::sql::connection::{Connection, Row, query};

impl Connection {
    /// The checkpoints of a database: the lines beside it, and on a server what its table knows besides.
    pub async fn checkpoints(&mut self, database: &Location) -> Result<Checkpoints, StoreError> {
        let mut found = checkpoint::read(database);
        if let Connection::Postgres(_) = self {
            let book = self.book().await?;
            let rows = query(
                "select uuid, name, seq, chain, at, loss_accepted, removed_to, database from checkpoints order by id",
            );
            for row in rows.fetch_all(self).await? {
                let line = line(&row, book.clone())?;
                if !found.lines.contains(&line) {
                    found.lines.push(line);
                }
            }
            found.lines.sort_by_key(|line| line.at);
        }
        Ok(found)
    }

    /// Whether the table of a server knows of any campaign.
    pub async fn keeps_checkpoints(&mut self) -> Result<bool, StoreError> {
        let Connection::Postgres(_) = self else { return Ok(false) };
        Ok(query("select 1 as found from checkpoints limit 1").fetch_optional(self).await?.is_some())
    }

    /// Keeps a checkpoint in the table of a server; a file has none.
    pub async fn keep_checkpoint(&mut self, line: &Checkpoint) -> Result<(), StoreError> {
        let Connection::Postgres(_) = self else { return Ok(()) };
        let mut chain = [0; 32];
        base16ct::mixed::decode(&line.chain, &mut chain)
            .map_err(|error| StoreError::Record(format!("a checkpoint has no chain value: {error}")))?;
        let insert = query(
            "insert into checkpoints (uuid, name, seq, chain, at, loss_accepted, removed_to, database)
             values ($1, $2, $3, $4, $5, $6, $7, $8)",
        );
        let insert = insert.bind(&line.campaign).bind(&line.name);
        let insert = insert.bind(line.seq).bind(&chain[..]).bind(line.at);
        let insert = insert.bind(line.loss_accepted).bind(&line.removed_to).bind(&line.database);
        Ok(insert.execute(self).await?)
    }
}

fn line(row: &Row, book: Option<String>) -> Result<Checkpoint, StoreError> {
    let seq = row.try_get("seq")?;
    Ok(Checkpoint {
        campaign: row.try_get("uuid")?,
        seq,
        chain: base16ct::lower::encode_string(&read_hash(row.try_get("chain")?, seq)?),
        at: row.try_get("at")?,
        name: row.try_get("name")?,
        database: row.try_get("database")?,
        book,
        loss_accepted: row.try_get("loss_accepted")?,
        removed_to: row.try_get("removed_to")?,
        // Only of a file.
        given_up_for: None,
    })
}
