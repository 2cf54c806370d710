//! Copies that are files of SQLite. A GM's is a database like any other. Of a players' the proofs are checked, a file is made of them as
//! an export makes it, and everything else in the copy must be what is in that.

use std::fs::File;
use std::path::Path;

use super::check::Check;
use super::checked::{Checked, Opened};
use super::line::Copied;
use super::receipted::{Receipted, unreadable};
use crate::export::jsonl::{About, FORMAT};
use crate::game::view::Audience;
use crate::game::view::visibility::VisibleEntry;
use crate::store::sqlite::players::{Players, PlayersPage, PlayersRow};
use crate::store::sqlite::players_copy::{PlayersCopy, ProofRow, Whose, differences};
use crate::store::verify::{Receipt, verify};
use crate::store::{LogRow, StoreError};

/// Checks a file of SQLite.
pub async fn check(path: &Path, receipt: Option<&Receipt>) -> Result<Checked, StoreError> {
    let mut copy = PlayersCopy::open(path).await?;
    let whose = copy.whose().await;
    match whose {
        Ok(Whose::Players) => players(path, copy, receipt).await,
        Ok(Whose::Gm) => {
            copy.close().await?;
            gm(path, receipt).await
        }
        Ok(Whose::Nobody) => Err(StoreError::Io(format!(
            "{} is a file of SQLite, and no export of this program: it has neither a table proof nor a table log",
            path.display()
        ))),
        Err(error) => Err(unreadable(path, &error)),
    }
}

async fn gm(path: &Path, receipt: Option<&Receipt>) -> Result<Checked, StoreError> {
    let words = receipt.map(ToString::to_string);
    let verified = verify(path, None, words.as_deref()).await?;
    let [report] = &verified.campaigns[..] else {
        let many = verified.campaigns.len();
        return Err(StoreError::Io(format!(
            "{} holds {many} campaigns; check it with --db instead of --copy",
            path.display()
        )));
    };
    let findings = verified.findings_with(report);
    let is_sound = verified.is_sound();
    Ok(Checked {
        campaign: report.campaign.clone(),
        audience: Audience::Gm,
        head: report.head,
        first_bad: report.findings.iter().map(|finding| finding.seq).find(|seq| *seq > 0),
        receipted: receipt.filter(|_| is_sound).map(|receipt| receipt.seq),
        before_part: None,
        weakness: receipt.and_then(Receipt::weakness),
        shown: report.entries,
        closed: 0,
        sealed: 0,
        opened: report.opened.iter().map(|(entry, by)| Opened { entry: *entry, by: *by }).collect(),
        after: None,
        bound: None,
        history_lost: None,
        findings,
    })
}

async fn players(path: &Path, mut copy: PlayersCopy, receipt: Option<&Receipt>) -> Result<Checked, StoreError> {
    let campaign = copy.campaign().await.map_err(|error| unreadable(path, &error))?;
    let (name, uuid) = campaign.ok_or_else(|| unreadable(path, &"its table campaign is empty"))?;
    let parsed = uuid.parse().map_err(|_| unreadable(path, &"its table campaign names no UUID"))?;
    let about = About {
        format: FORMAT,
        audience: Audience::Player,
        campaign: name.clone(),
        uuid: parsed,
        after: None,
        seal: None,
        secret: None,
        history_lost: None,
    };
    let mut receipted = Receipted::of(Check::of(about), receipt);
    let folder = tempfile::tempdir().map_err(|error| unreadable(path, &error))?;
    let made = folder.path().join("made.db");
    File::create(&made).map_err(|error| unreadable(path, &error))?;
    let mut again = Players::make(&made, &name, &uuid, None).await?;
    let (mut after, mut shown) = (0, 0);
    loop {
        let rows = copy.page(after).await.map_err(|error| unreadable(path, &error))?;
        let Some(last) = rows.last().map(|row| row.seq) else { break };
        let mut page = PlayersPage::default();
        for row in rows {
            take(&mut receipted, row, &mut shown, &mut page)?;
        }
        again.add(page).await?;
        after = last;
    }
    again.finish().await?;
    copy.close().await?;
    let whole = !receipted.check.is_unsure();
    for what in differences(path, &made).await? {
        // Where entries are missing, they are missing in every table.
        if whole || what == "schema" {
            receipted.check.wrong(0, format!("its {what} is not what its proofs make"));
        }
    }
    Ok(receipted.done())
}

/// Takes the proof of an entry: checks it, and adds to a page what an export writes of it.
fn take(
    receipted: &mut Receipted<'_>,
    row: ProofRow,
    shown: &mut u64,
    page: &mut PlayersPage,
) -> Result<(), StoreError> {
    let hex = |bytes: &[u8]| base16ct::lower::encode_string(bytes);
    let seen: Option<VisibleEntry> = serde_json::from_slice(&row.public).ok();
    let (public, body) = (String::from_utf8_lossy(&row.public), row.body.as_deref().map(String::from_utf8_lossy));
    let (commitment, chain, salt) = (hex(&row.commitment), hex(&row.chain), row.salt.as_deref().map(hex));
    *shown += u64::from(seen.is_some());
    let n = seen.is_some().then_some(*shown);
    let hidden = format!("{{\"hidden\":true,\"seq\":{}}}", row.seq);
    let seq = u64::try_from(row.seq).unwrap_or_default();
    receipted.line(&Copied {
        n,
        public: Some(&*public).filter(|public| **public != hidden),
        body: body.as_deref(),
        seq,
        commitment: &commitment,
        chain: &chain,
        salt: salt.as_deref(),
        ..Copied::default()
    });
    let whole = row.body.is_some();
    let blob = bytes::Bytes::from;
    let row = LogRow {
        seq,
        prev: blob(Vec::new()),
        body: blob(row.body.unwrap_or_default()),
        public: blob(row.public),
        salt: blob(row.salt.unwrap_or_default()),
        commitment: blob(row.commitment),
        leaf: blob(Vec::new()),
        chain: blob(row.chain),
        at: 0,
        session: 0,
        kind: blob(Vec::new()),
        visibility: blob(Vec::new()),
        actor: blob(Vec::new()),
    };
    page.add(&PlayersRow { n, seen, whole, row })
}
