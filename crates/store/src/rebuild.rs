//! The state tables of a campaign made anew from its log, where they differ from what it adds up to. The log is the record, and the tables are only
//! what it comes to: nothing of the record changes by it.

use sqlx::AssertSqlSafe;

use super::location::Location;
use super::record::read_entry;
use super::removal::Place;
use super::sql::connection::{Connection, query};
use super::sql::script::Script;
use super::sql::tables;
use super::{Head, Identity, StoreError};
use rollbook_game::record::state::State;

const PAGE: u32 = 500;

/// Makes them anew, in one transaction. The log must verify and end at `head`; no other process may have a file open, on a server others wait. On an error everything is as it was.
pub async fn tables(database: &Location, identity: &Identity, head: Head) -> Result<(), StoreError> {
    let place = Place::take(database).await?;
    let (_file, mut connection) = place.connect().await?;
    let made = made(&mut connection, identity.key, head).await;
    // What was not committed is rolled back.
    connection.close().await.and(made)
}

async fn made(connection: &mut Connection, campaign: i64, head: Head) -> Result<(), StoreError> {
    connection.begin_alone(campaign).await?;
    if connection.head(campaign).await? != head {
        return Err(StoreError::Io("the campaign was played on meanwhile. Send the same command again".to_owned()));
    }
    // The log belongs to the campaign's own row, which is never taken away.
    for table in State::tables().filter(|table| *table != "campaigns") {
        let sql = format!("delete from {table} where campaign = $1");
        query(AssertSqlSafe(sql)).bind(campaign).execute(connection).await?;
    }
    let mut after = 0;
    loop {
        let rows = connection.rows(campaign, after, PAGE).await?;
        let Some(last) = rows.last().map(|row| row.seq) else { break };
        for row in rows {
            let entry = read_entry(&row.body, row.seq)?;
            let mut script = Script::default();
            tables::fold(&mut script, campaign, &entry.changes)?;
            script.run(connection).await?;
        }
        after = last;
    }
    Ok(query("commit").execute(connection).await?)
}
