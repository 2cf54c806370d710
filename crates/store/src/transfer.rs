//! Campaigns carried from one database to another of any kind, entry by entry: the bytes that were hashed stay as they are, so the chain is
//! the same, and what the entries add up to is folded from them anew. Keys of seats stay where they are.

use std::path::Path;

use super::StoreError;
use super::location::Server;
use super::postgres::server::read_only;
use super::record::{Head, LogRow, Position, RollRow, Sealed, read_entry, read_hash};
use super::sql::connection::{Connection, query};
use super::sql::page::Page;
use super::sqlite::copy::begun;

const ANSWERS: u32 = 500;

/// Carries the campaign `key` to the key `there`, inside a transaction of the target; where its log ends, and how many entries it has.
pub async fn campaign(
    from: &mut Connection,
    key: i64,
    to: &mut Connection,
    there: i64,
) -> Result<(Head, u64), StoreError> {
    let (mut at, mut head, mut entries) = (Position::of(key).with_rolls(), Head::default(), 0);
    while let Some(page) = Page::read(from, &mut at).await? {
        let rolls = page.rolls()?;
        for row in page.rows()? {
            let sealed = sealed(&row, &rolls)?;
            to.append(there, std::slice::from_ref(&sealed), None).await?;
            head = sealed.head();
            entries += 1;
        }
    }
    if let Some(zone) = from.zone(key).await? {
        to.keep_zone(there, &zone).await?;
    }
    let mut last = String::new();
    loop {
        let answers = from.answers(key, &last, ANSWERS).await?;
        let Some((request_id, _)) = answers.last() else { return Ok((head, entries)) };
        last.clone_from(request_id);
        for (request_id, answer) in &answers {
            to.keep_answer(there, request_id, answer).await?;
        }
    }
}

/// A row of the log as it is written, with the rows in `rolls` of its page.
fn sealed(row: &LogRow, rolls: &[RollRow<'_>]) -> Result<Sealed, StoreError> {
    let whole = rolls.iter().any(|roll| u64::try_from(roll.seq) == Ok(row.seq) && roll.visible);
    let hash = |bytes: &[u8]| read_hash(bytes, row.seq);
    Ok(Sealed {
        entry: read_entry(&row.body, row.seq)?,
        seq: row.seq,
        prev: hash(&row.prev)?,
        body: row.body.to_vec(),
        public: row.public.to_vec(),
        whole,
        salt: hash(&row.salt)?,
        commitment: hash(&row.commitment)?,
        leaf: hash(&row.leaf)?,
        chain: hash(&row.chain)?,
    })
}

/// Writes one campaign into an empty file, entry by entry: a book of its own.
pub(super) async fn one_to_file(server: &Server, key: i64, out: &Path) -> Result<(Head, u64), StoreError> {
    let mut from = read_only(server).await?;
    from.begin_read().await?;
    let mut to = begun(out).await?;
    let carried = campaign(&mut from, key, &mut to, key).await?;
    query("commit").execute(&mut to).await?;
    to.close().await?;
    from.close().await?;
    Ok(carried)
}
