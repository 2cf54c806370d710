//! Copies that are files of SQLite. A GM's is a database. Of a players', and of a part, the proofs
//! are checked, a file is made of them as an export is, and all else must be in that.

use std::fs::File;
use std::path::Path;

use super::check::{Check, Checked};
use super::line::Copied;
use super::receipted::{Receipted, unreadable};
use crate::export::jsonl::{About, Before, FORMAT};
use rollbook_game::record::entry::Entry;
use rollbook_game::view::Audience;
use rollbook_game::view::visibility::{VisibleEntry, is_shown, visible_entry};
use rollbook_store::sqlite::players::{
    Players, PlayersCopy, PlayersPage, PlayersRow, ProofRow, Shape, ShapeRow, Whose, differences,
};
use rollbook_store::verify::{Receipt, verify};
use rollbook_store::{Head, LogRow, StoreError};

pub async fn check(path: &Path, receipt: Option<&Receipt>) -> Result<Checked, StoreError> {
    let mut copy = PlayersCopy::open(path).await?;
    let whose = copy.whose().await;
    match whose {
        Ok(Whose::Shaped) => shaped(path, copy, receipt).await,
        Ok(Whose::Database) => {
            copy.close().await?;
            gm(path, receipt).await
        }
        Ok(Whose::Nobody) => Err(StoreError::Io(format!(
            "{} is a file of SQLite, and no export of this program: it has neither a table proof nor a table log. Name a file as `rollbook export` \
             wrote it",
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
        first_bad: report
            .findings
            .iter()
            .map(|finding| finding.seq)
            .find(|seq| *seq > 0),
        receipted: receipt.filter(|_| is_sound).map(|receipt| receipt.seq),
        weakness: receipt.and_then(Receipt::weakness),
        shown: report.entries,
        opened: report.opened.clone(),
        findings,
        ..Checked::default()
    })
}

/// What a file of the players' shape says of itself.
fn about(path: &Path, row: &ShapeRow) -> Result<(About, Shape), StoreError> {
    let wrong = |what: &str| unreadable(path, &what);
    let uuid = row
        .uuid
        .parse()
        .map_err(|_| wrong("its table campaign names no UUID"))?;
    let audience = [Audience::Gm, Audience::Player]
        .into_iter()
        .find(|audience| audience.as_str() == row.audience);
    let audience = audience.ok_or_else(|| wrong("its table campaign names no audience"))?;
    let seq = row.after_seq.map(u64::try_from).transpose().ok();
    let chain = row
        .after_chain
        .as_deref()
        .map(<[u8; 32]>::try_from)
        .transpose()
        .ok();
    let after = match (seq, chain) {
        (Some(None), Some(None)) => None,
        (Some(Some(seq)), Some(Some(chain))) => Some(Head { seq, chain }),
        _ => {
            return Err(wrong(
                "its table campaign does not say behind which entry it begins",
            ));
        }
    };
    let shape = Shape {
        campaign: row.name.clone(),
        uuid: row.uuid.clone(),
        audience,
        after,
    };
    let about = About {
        format: FORMAT,
        audience,
        campaign: row.name.clone(),
        uuid,
        after: after.map(Before::of),
        ..About::default()
    };
    Ok((about, shape))
}

async fn shaped(
    path: &Path,
    mut copy: PlayersCopy,
    receipt: Option<&Receipt>,
) -> Result<Checked, StoreError> {
    let row = copy
        .shape()
        .await
        .map_err(|error| unreadable(path, &error))?;
    let row = row.ok_or_else(|| unreadable(path, &"its table campaign is empty"))?;
    let (about, shape) = about(path, &row)?;
    let mut receipted = Receipted::of(Check::of(about), receipt);
    let folder = tempfile::tempdir().map_err(|error| unreadable(path, &error))?;
    let made = folder.path().join("made.db");
    File::create(&made).map_err(|error| unreadable(path, &error))?;
    let mut again = Players::make(&made, &shape, None).await?;
    let (mut after, mut numbers, mut added) = (i64::MIN, Numbers::default(), Ok(()));
    loop {
        let rows = copy
            .page(after)
            .await
            .map_err(|error| unreadable(path, &error))?;
        let Some(last) = rows.last().map(|row| row.seq) else {
            break;
        };
        let mut page = PlayersPage::default();
        for row in rows {
            take(&mut receipted, row, &shape, &mut numbers, &mut page);
        }
        if added.is_ok() {
            added = again.add(page).await;
        }
        after = last;
    }
    let added = match added {
        Ok(()) => again.finish().await,
        added => added,
    };
    let clock = copy.clock().await.map_err(|error| unreadable(path, &error));
    copy.close().await?;
    match added {
        Ok(()) => {}
        // Its bodies or numbers are none that an export writes: there is nothing to compare with.
        Err(StoreError::Database(why)) => {
            receipted
                .check
                .wrong(0, format!("its proofs are not those of a copy: {why}"));
            return Ok(receipted.done());
        }
        Err(why) => return Err(why),
    }
    let whole = !receipted.check.is_torn();
    let differ = differences(path, &made).await?;
    let has_schema = !differ.iter().any(|what| what == "schema");
    for what in differ {
        // Where entries are missing, they are missing in every table.
        if whole || what == "schema" {
            receipted
                .check
                .wrong(0, format!("its {what} is not what its proofs make"));
        }
    }
    if has_schema {
        let (clock, last) = clock?;
        let wrong = if clock.offsets.is_empty() {
            None
        } else {
            clock.wrong(last.unwrap_or_default())
        };
        wrong
            .into_iter()
            .for_each(|what| receipted.check.wrong(0, what));
    }
    Ok(receipted.done())
}

/// The last numbers that were given: to what the audience sees, and to what players see.
#[derive(Default)]
struct Numbers {
    n: Option<u64>,
    players_n: Option<u64>,
}

/// The next number, where something is seen. How many were before a part, its first says.
fn next(last: &mut Option<u64>, is_seen: bool, written: Option<i64>, is_part: bool) -> Option<u64> {
    if !is_seen {
        return None;
    }
    let first = written
        .filter(|_| is_part)
        .and_then(|n| u64::try_from(n).ok())
        .unwrap_or(1);
    *last = Some(last.map_or(first, |last| last + 1));
    *last
}

/// Takes the proof of an entry: checks it, and adds to a page what an export writes of it.
fn take(
    receipted: &mut Receipted<'_>,
    row: ProofRow,
    shape: &Shape,
    numbers: &mut Numbers,
    page: &mut PlayersPage,
) {
    let hex = |bytes: &[u8]| base16ct::lower::encode_string(bytes);
    let (public, body) = (
        String::from_utf8_lossy(&row.public),
        row.body.as_deref().map(String::from_utf8_lossy),
    );
    let (commitment, chain, salt) = (
        hex(&row.commitment),
        hex(&row.chain),
        row.salt.as_deref().map(hex),
    );
    let (is_open, is_part) = (is_shown(&row.public), shape.after.is_some());
    let seen: Option<VisibleEntry> = match shape.audience {
        Audience::Player => serde_json::from_slice(&row.public).ok().filter(|_| is_open),
        Audience::Gm => body
            .as_deref()
            .and_then(|body| serde_json::from_str::<Entry>(body).ok())
            .and_then(|entry| visible_entry(&entry, Audience::Gm, true)),
    };
    let n = next(&mut numbers.n, seen.is_some(), row.n, is_part);
    let players_n = next(&mut numbers.players_n, is_open, row.players_n, is_part);
    let seq = u64::try_from(row.seq).unwrap_or_default();
    let is_gm = shape.audience == Audience::Gm;
    receipted.line(&Copied {
        n,
        players_n: players_n.filter(|_| is_gm),
        text: seen
            .as_ref()
            .filter(|_| is_gm)
            .map(|seen| seen.text.as_str()),
        public: Some(&*public).filter(|_| is_open || is_gm),
        body: body.as_deref(),
        seq,
        commitment: &commitment,
        chain: &chain,
        salt: salt.as_deref(),
        ..Copied::default()
    });
    let whole = row.body.is_some();
    let (body, salt) = (row.body.unwrap_or_default(), row.salt.unwrap_or_default());
    let (public, commitment, chain) = (row.public, row.commitment, row.chain);
    let row = LogRow {
        seq,
        body,
        public,
        salt,
        commitment,
        chain,
        ..LogRow::default()
    };
    page.add(&PlayersRow {
        audience: shape.audience,
        seen: n.zip(seen),
        players_n,
        whole,
        row,
    });
}
