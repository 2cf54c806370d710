//! Removing a campaign from its database, once a whole export of it is there and verified.

use std::path::{Path, PathBuf};

use super::{Exported, Format, Wanted, export};
use rollbook_game::record::event::{CampaignRenamed, Event};
use rollbook_game::view::Audience;
use rollbook_store::checkpoint::Checkpoint;
use rollbook_store::draft::sync_folder;
use rollbook_store::location::Location;
use rollbook_store::record::read_entry;
use rollbook_store::removal::Place;
use rollbook_store::verify::verify;
use rollbook_store::{Head, Identity, Reader, StoreError};

/// A campaign of which a whole export was written and verified.
pub(super) struct Whole {
    pub place: Place,
    pub book: Option<String>,
    pub name: String,
    pub identity: Identity,
    pub exported: Exported,
}

/// Writes a whole export of a campaign, verifies it, and removes the campaign with its keys;
/// `checkpoints.log` says so. Nobody else may have a file open; on a server others play on. Errors:
/// no such campaign, another process plays, no export, an unwritable database; it stays whole.
pub async fn remove(
    database: &Location,
    campaign: &str,
    out: &Path,
    now: i64,
) -> Result<Exported, StoreError> {
    let Whole {
        place,
        book,
        name,
        identity,
        exported,
    } = whole(database, campaign, out, now, "removed").await?;
    let reached = before_it_was_closed(&exported, &identity)
        .await?
        .unwrap_or(exported.head);
    let line = Checkpoint {
        removed_to: Some(exported.out.display().to_string()),
        ..Checkpoint::of(database, book, &identity.uuid, &name, reached, now)
    };
    place.remove(&identity, exported.head, &line).await?;
    Ok(exported)
}

/// Where a log that goes on ended before it was closed: an export of then holds no more.
async fn before_it_was_closed(
    exported: &Exported,
    identity: &Identity,
) -> Result<Option<Head>, StoreError> {
    let mut reader = Reader::open(&exported.out).await?;
    let last = async {
        let found = reader
            .campaigns()
            .await?
            .into_iter()
            .find(|(_, found)| found.uuid == identity.uuid);
        let Some((_, found)) = found else {
            return Ok(None);
        };
        let Some(row) = reader.row(found.key, exported.head.seq).await? else {
            return Ok(None);
        };
        let entry = read_entry(&row.body, row.seq)?;
        let is_closing = matches!(
            entry.event,
            Event::CampaignRenamed(CampaignRenamed {
                continued_by: Some(_),
                ..
            })
        );
        let before = row.seq.saturating_sub(1);
        let chain = reader
            .chain(found.key, before)
            .await?
            .filter(|_| is_closing);
        Ok(chain.map(|chain| Head { seq: before, chain }))
    };
    let last: Result<Option<Head>, StoreError> = last.await;
    reader.close().await?;
    last
}

/// Writes a whole export of a campaign and verifies it; `done`: what becomes of it then.
pub(super) async fn whole(
    database: &Location,
    campaign: &str,
    out: &Path,
    now: i64,
    done: &str,
) -> Result<Whole, StoreError> {
    if out.is_symlink() || out.exists() {
        return Err(StoreError::Io(format!(
            "{} is there already; name another file with --export",
            out.display()
        )));
    }
    let mut reader = Reader::open(database).await?;
    let found = reader.meant(Some(campaign)).await;
    let book = reader.book().await?;
    reader.close().await?;
    let (name, identity) = found?;
    let place = Place::take(database).await?;
    let exported = export(
        database,
        &Wanted::of(Audience::Gm, Format::Db).campaign(&name),
        out,
        now,
    )
    .await?;
    if let Err(why) = check(&exported, done).await {
        // It is ours, and nobody knows of it.
        let _ = std::fs::remove_file(out);
        return Err(why);
    }
    let whole_path = std::path::absolute(out).unwrap_or_else(|_| PathBuf::from(out));
    sync_folder(&whole_path)?;
    Ok(Whole {
        place,
        book,
        name,
        identity,
        exported: Exported {
            out: whole_path,
            ..exported
        },
    })
}

async fn check(exported: &Exported, done: &str) -> Result<(), StoreError> {
    let verified = verify(&exported.out, None, Some(&exported.head.receipt())).await?;
    if verified.is_sound() && exported.shown == exported.entries {
        return Ok(());
    }
    Err(StoreError::Io(format!(
        "campaign \"{}\" was not {done}, because its export does not verify ({}). `rollbook verify` says more; what cannot be \
         verified is not thrown away",
        exported.campaign,
        verified
            .first_finding()
            .unwrap_or_else(|| "entries are missing".to_owned())
    )))
}
