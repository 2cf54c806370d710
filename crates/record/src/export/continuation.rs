//! A campaign's log that goes on in a new one, after a whole export. One transaction closes the old
//! log under another name, begins the new one with the old one's end state, and moves the keys.

use std::path::Path;

use super::Exported;
use super::removal::{Whole, whole};
use rollbook_game::decide::campaign;
use rollbook_game::limits::LIMITS;
use rollbook_game::record::event::ContinuedEvent;
use rollbook_game::record::instant::iso;
use rollbook_game::record::state::{Campaign, State};
use rollbook_game::table::{Chance as _, Setting, Table, Written};
use rollbook_store::checkpoint::{self, Checkpoint};
use rollbook_store::location::Location;
use rollbook_store::sql::connection::{Connection, query};
use rollbook_store::{Head, Identity, Reader, Sealed, StoreError, chain};
use rollbook_table::session::adventure::Adventure;
use rollbook_table::session::os::OsChance;
use rollbook_text::names::{quoted, same};

/// What became of a campaign that goes on in a new log.
#[derive(Debug)]
pub struct Continued {
    pub campaign: String,
    pub former: String,
    pub exported: Exported,
    pub receipt: String,
}

/// Writes a whole export of a campaign, verifies it, and continues the campaign in a new log. Name
/// and keys go along; the earlier log is read-only as `NAME (until DATE)`, the UTC date of its last
/// entry. Nobody else may have a file open. Errors: no such campaign, it went on already, another
/// process plays, a bad export; then everything is as it was, but for the export.
pub async fn continue_campaign(
    database: &Location,
    campaign: &str,
    out: &Path,
    now: i64,
) -> Result<Continued, StoreError> {
    refuse_closed(database, campaign).await?;
    let whole = whole(database, campaign, out, now, "continued").await?;
    let mut connection = whole.place.connect().await?;
    let done = go_on(&mut connection, database, &whole, now).await;
    // What was not committed is rolled back.
    connection.close().await?;
    let (former, receipt, line) = done?;
    if let Some(note) = checkpoint::append(database, &line)? {
        tracing::warn!("{note}");
    }
    let Whole { name, exported, .. } = whole;
    Ok(Continued {
        campaign: name,
        former,
        exported,
        receipt,
    })
}

/// Refuses a campaign that went on already.
async fn refuse_closed(database: &Location, campaign: &str) -> Result<(), StoreError> {
    let mut reader = Reader::open(database).await?;
    let read = async {
        let (name, identity) = reader.meant(Some(campaign)).await?;
        let closed = reader
            .load(identity.key)
            .await?
            .campaign
            .and_then(|row| row.continued_by);
        let Some(by) = closed else { return Ok(()) };
        let onward = match reader.continuation(&by).await? {
            Some(new) => format!("in \"{}\"", quoted(&new)),
            None => "in another, which is not here any more,".to_owned(),
        };
        Err(StoreError::Io(format!(
            "the log of \"{}\" goes on {onward} already",
            quoted(&name)
        )))
    };
    let read = read.await;
    reader.close().await.and(read)
}

/// Does it in one transaction. Answers the earlier log's name, the new receipt and checkpoint.
async fn go_on(
    connection: &mut Connection,
    database: &Location,
    whole: &Whole,
    now: i64,
) -> Result<(String, String, Checkpoint), StoreError> {
    let Whole {
        book,
        name,
        identity: old,
        exported,
        ..
    } = whole;
    connection.begin_alone(old.key).await?;
    connection.lock_names().await?;
    let end = connection.head(old.key).await?;
    if end != exported.head {
        return Err(StoreError::Io(
            "the campaign was played on meanwhile. Remove the export, and send the same command again".to_owned(),
        ));
    }
    let mut state = connection.load(old.key).await?;
    let Some(row) = state.campaign.clone() else {
        return Err(StoreError::Record(format!(
            "campaign \"{}\" has no row",
            quoted(name)
        )));
    };
    let former = former_name(
        name,
        connection.latest(old.key).await?,
        &connection.names().await?,
    )?;
    let mut chance = OsChance::new().map_err(StoreError::Io)?;
    let new = Identity {
        key: connection.next_key().await?,
        uuid: chance.roll_id(now),
    };
    // The rules are loaded with the first call, and named in the new log.
    let row = Campaign {
        uuid: new.uuid.clone(),
        rules_hash: String::new(),
        continued_by: None,
        ..row
    };
    let rows = state.carried(end.seq, row);
    let from = ContinuedEvent {
        campaign: old.uuid.clone(),
        name: former.clone(),
        entries: end.seq,
        chain: base16ct::lower::encode_string(&end.chain),
        export: exported
            .out
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
    };

    let setting = setting(name, old);
    let mut table = Table::new(&mut state, &setting, &mut chance, now, end.seq, None);
    campaign::close(&mut table, &former, &new.uuid);
    let written = table.into_written();
    let closed = sealed(old, end, written, &mut chance)?;
    connection.append(old.key, &closed, None).await?;

    let setting = self::setting(name, &new);
    let mut state = State::default();
    let mut table = Table::new(&mut state, &setting, &mut chance, now, 0, None);
    campaign::begin_with(&mut table, from, rows);
    let written = table.into_written();
    let begun = sealed(&new, Head::default(), written, &mut chance)?;
    connection.append(new.key, &begun, None).await?;
    if let Some(zone) = connection.zone(old.key).await? {
        connection.keep_zone(new.key, &zone).await?;
    }
    query("update keys set table_of = $2 where table_of = $1")
        .bind(old.key)
        .bind(new.key)
        .execute(connection)
        .await?;

    // The export reaches to the line it left. The new log says that the old was closed after it.
    let head = begun.last().map(Sealed::head).unwrap_or_default();
    let line = Checkpoint::of(database, book.clone(), &new.uuid, name, head, now);
    connection.keep_checkpoint(&line).await?;
    query("commit").execute(connection).await?;
    Ok((former, head.receipt(), line))
}

/// The setting of a table without rules.
fn setting(name: &str, identity: &Identity) -> Setting {
    Setting {
        campaign_uuid: identity.uuid.clone(),
        ..Adventure::none().setting(name.to_owned())
    }
}

fn sealed(
    identity: &Identity,
    mut head: Head,
    written: Vec<Written>,
    chance: &mut OsChance,
) -> Result<Vec<Sealed>, StoreError> {
    let failed = |what: &dyn std::fmt::Display| {
        StoreError::Record(format!("an entry could not be sealed: {what}"))
    };
    let campaign: uuid::Uuid = identity.uuid.parse().map_err(|error| failed(&error))?;
    let mut all = Vec::new();
    for written in written {
        let next = chain::seal(
            &campaign,
            head,
            written.entry,
            &written.players,
            chance.salt(),
        );
        let next = next.map_err(|error| failed(&error))?;
        head = next.head();
        all.push(next);
    }
    Ok(all)
}

/// `North (until 2026-11-27)`, or where that is taken `North (until 2026-11-27, 2)`.
fn former_name(name: &str, latest: i64, taken: &[String]) -> Result<String, StoreError> {
    let date: String = iso(latest).chars().take(10).collect();
    let nth = |nth: u32| match nth {
        1 => format!("{name} (until {date})"),
        _ => format!("{name} (until {date}, {nth})"),
    };
    let free = (1..)
        .map(nth)
        .find(|name| taken.iter().all(|taken| !same(taken, name)))
        .unwrap_or_default();
    match free.len() <= LIMITS.name {
        true => Ok(free),
        false => Err(StoreError::Io(format!(
            "the earlier log would be called \"{}\", and a name has at most {} bytes. Give the campaign a shorter one with `rollbook campaigns \
             rename` first",
            quoted(&free),
            LIMITS.name
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::former_name;

    #[test]
    fn an_earlier_log_is_named_by_its_last_day() {
        let day = 1_795_737_600_000_000;
        let name = |taken: &[&str]| {
            let taken: Vec<String> = taken.iter().map(|name| (*name).to_owned()).collect();
            former_name("North", day, &taken).unwrap()
        };
        assert_eq!(name(&["North"]), "North (until 2026-11-27)");
        assert_eq!(
            name(&["North", "north (UNTIL 2026-11-27)"]),
            "North (until 2026-11-27, 2)"
        );
        assert!(
            former_name(&"n".repeat(70), day, &[])
                .unwrap_err()
                .to_string()
                .contains("campaigns rename")
        );
    }
}
