//! Campaigns carried from one database to another, a file or a server.

use rollbook_store::checkpoint::{self, Checkpoint};
use rollbook_store::location::Location;
use rollbook_store::verify::verify;
use rollbook_store::{Head, Identity, Reader, Store, StoreError, transfer};
use rollbook_text::names::{quoted, same};

/// A campaign that was copied to another database.
#[derive(Debug)]
pub struct Carried {
    pub name: String,
    pub entries: u64,
    pub head: Head,
    /// What was found in it where it arrived; nothing, unless it was changed meanwhile.
    pub findings: Vec<String>,
}

/// Carries one campaign or all, with chains and keys; each is verified before and after. Where one
/// fails, those before stay. Errors: no such campaign, unverified, in the target, a database's.
pub async fn copy(
    from: &Location,
    to: &Location,
    campaign: Option<&str>,
    now: i64,
) -> Result<Vec<Carried>, String> {
    let text = |error: StoreError| error.to_string();
    let mut reader = Reader::open(from).await.map_err(text)?;
    let all = reader.campaigns().await.map_err(text)?;
    let names = all
        .iter()
        .map(|(name, _)| quoted(name))
        .collect::<Vec<_>>()
        .join(", ");
    let mut wanted: Vec<_> = all
        .into_iter()
        .filter(|(name, _)| campaign.is_none_or(|wanted| same(name, wanted)))
        .collect();
    // In the order they were made: a name given up is free when the next one takes it.
    wanted.sort_by_key(|(_, identity)| identity.key);
    if wanted.is_empty() {
        return Err(match campaign {
            Some(name) if !names.is_empty() => {
                format!(
                    "there is no campaign \"{}\" in {from}; there are {names}",
                    quoted(name)
                )
            }
            Some(_) | None => format!("{from} holds no campaign"),
        });
    }
    for (name, _) in &wanted {
        let verified = verify(from, Some(name), None).await.map_err(text)?;
        if !verified.is_sound() {
            return Err(format!(
                "campaign \"{}\" in {from} does not verify, and is not carried on. `rollbook verify` says what is wrong",
                quoted(name)
            ));
        }
    }
    let store = Store::open(to).await.map_err(text)?;
    let carried = async {
        let there = store
            .read()
            .await
            .map_err(text)?
            .campaigns()
            .await
            .map_err(text)?;
        for (name, identity) in &wanted {
            check_free(&there, name, identity, to)?;
        }
        let mut all = Vec::new();
        for (name, identity) in &wanted {
            all.push(one(&mut reader, &store, name, identity, to, now).await?);
        }
        Ok::<_, String>(all)
    };
    let carried = carried.await;
    let closed = store.close().await.map_err(text);
    reader.close().await.map_err(text)?;
    let mut carried = carried?;
    closed?;
    for carried in &mut carried {
        let verified = verify(to, Some(&carried.name), Some(&carried.head.receipt()))
            .await
            .map_err(text)?;
        let reports = verified
            .campaigns
            .iter()
            .flat_map(|report| &report.findings);
        carried.findings.extend(
            verified
                .findings
                .into_iter()
                .chain(reports.map(ToString::to_string)),
        );
    }
    Ok(carried)
}

fn check_free(
    there: &[(String, Identity)],
    name: &str,
    identity: &Identity,
    to: &Location,
) -> Result<(), String> {
    if let Some((other, _)) = there.iter().find(|(_, other)| other.uuid == identity.uuid) {
        return Err(format!(
            "{to} has this very campaign already, as \"{}\". Nothing was copied",
            quoted(other)
        ));
    }
    if there.iter().any(|(other, _)| same(other, name)) {
        return Err(format!(
            "{to} has another campaign \"{}\" already. Rename one of the two with `rollbook campaigns rename` first. Nothing was copied",
            quoted(name)
        ));
    }
    Ok(())
}

async fn one(
    reader: &mut Reader,
    store: &Store,
    name: &str,
    identity: &Identity,
    to: &Location,
    now: i64,
) -> Result<Carried, String> {
    let text = |error: StoreError| format!("campaign \"{}\" was not copied: {error}", quoted(name));
    let mut turn = store.turn().await.map_err(text)?;
    // For a campaign that is being made.
    turn.begin(0).await.map_err(text)?;
    check_free(&turn.campaigns().await.map_err(text)?, name, identity, to)?;
    let key = turn.next_key().await.map_err(text)?;
    reader.begin_read().await.map_err(text)?;
    let (head, entries) = transfer::campaign(reader, identity.key, &mut turn, key)
        .await
        .map_err(text)?;
    reader.end_read().await.map_err(text)?;
    let line = Checkpoint::of(
        to,
        turn.book().await.map_err(text)?,
        &identity.uuid,
        name,
        head,
        now,
    );
    turn.keep_checkpoint(&line).await.map_err(text)?;
    turn.commit().await.map_err(text)?;
    if let Some(note) = checkpoint::append(to, &line).map_err(text)? {
        tracing::warn!("{note}");
    }
    Ok(Carried {
        name: name.to_owned(),
        entries,
        head,
        findings: Vec::new(),
    })
}
