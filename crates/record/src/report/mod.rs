//! A report of what was played: one HTML file, or Markdown. The same log gives the same bytes.
//! Players get what was frozen for them and bodies without secrets ([`facts::fact`] alone looks).
//!
//! 1. [`luck`]: the chances of totals, successes and runs.
//! 2. [`facts`]: what the log says.
//! 3. [`mod@document`]: what is said, in order.
//! 4. [`sections`]: the words.
//! 5. [`page`]: HTML and Markdown.

mod document;
pub mod facts;
mod luck;
mod page;
mod sections;

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use crate::export::lines::{Job, Line, Lines};
use document::{Block, Document};
use facts::fact::{Fact, What};
use facts::people::called;
use facts::{Gathered, Sessions};
use rollbook_game::view::Audience;
use rollbook_game::view::recap::Undone;
use rollbook_store::draft::Draft;
use rollbook_store::location::Location;
use rollbook_store::verify::verify;
use rollbook_store::{Reader, StoreError};
use sections::seal::Seal;
use sections::words::minute;

/// What a report is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Html,
    Markdown,
}

/// What a report is of, for whom, as what.
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    pub sessions: Sessions,
    pub audience: Audience,
    pub format: Format,
}

/// What was reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reported {
    pub campaign: String,
    pub entries: u64,
    pub receipt: String,
    /// What verification found, a sentence each.
    pub findings: Vec<String>,
}

/// Verifies a campaign's log and writes a report of it. A file that is there already is refused.
pub async fn report(
    database: &Location,
    campaign: Option<&str>,
    wanted: Wanted,
    out: &Path,
) -> Result<Reported, StoreError> {
    let mut draft = Draft::of(out)?;
    let mut reader = Reader::open(database).await?;
    let (campaign, identity) = reader.meant(campaign).await?;
    let verified = verify(database, Some(&campaign), None).await?;
    let of_it = verified.campaigns.first();
    let findings = of_it.map_or_else(
        || verified.findings.clone(),
        |report| verified.findings_with(report),
    );
    let losses = of_it
        .map(|report| report.losses.clone())
        .unwrap_or_default();
    // A person may be playing: the report is of what was verified, and of nothing after it.
    let head = match of_it {
        Some(report) => report.head,
        None => reader.head(identity.key).await?,
    };
    let undos = reader.undos(identity.key, 0).await?;
    let mut gathered = Gathered::default();
    gathered.taken_back = Undone::of(&undos, wanted.audience);
    let job = Job::reading(&campaign, &identity, wanted.audience);
    let mut lines = Lines::of(&mut reader, Arc::new(job), add);
    let opened = of_it
        .map(|report| report.opened.clone())
        .unwrap_or_default();
    let in_part: BTreeSet<u64> = opened
        .iter()
        .filter(|opened| opened.in_part)
        .map(|opened| opened.by)
        .collect();
    let mut visible = 0;
    while let Some(page) = lines.next().await? {
        for read in page.0.into_iter().filter(|read| read.seq <= head.seq) {
            visible += u64::from(read.open);
            if read.fact.is_none() {
                gathered.seal(read.session);
            }
            if let Some(mut fact) = read.fact {
                if let What::Revealed {
                    in_part: was_part, ..
                } = &mut fact.what
                {
                    *was_part = in_part.contains(&read.seq);
                }
                gathered.add(&fact, wanted.sessions);
            }
        }
    }
    drop(lines);
    reader.close().await?;
    gathered.finish();
    if let Sessions::Number(number) = wanted.sessions
        && !gathered.session_numbers().any(|known| known == number)
    {
        return Err(no_such_session(
            number,
            gathered.session_numbers().max(),
            "say --session all",
            ", last or all",
        ));
    }
    let seal = Seal {
        audience: wanted.audience,
        receipt: head.receipt(),
        entries: head.seq,
        sealed: head.seq.saturating_sub(visible),
        opened,
        findings,
        losses,
    };
    let document = document(&campaign, &seal, &gathered);
    let text = match wanted.format {
        Format::Html => page::html::render(&document),
        Format::Markdown => page::markdown::render(&document),
    };
    let written = draft.file().write_all(text.as_bytes());
    written.map_err(|error| StoreError::Io(format!("cannot write {}: {error}", out.display())))?;
    draft.finish()?;
    Ok(Reported {
        campaign,
        entries: gathered.entries,
        receipt: seal.receipt,
        findings: seal.findings,
    })
}

#[derive(Default)]
struct Page(Vec<Read>);

/// A row: what its audience may know of it, and whether players see something of it.
struct Read {
    seq: u64,
    session: u32,
    open: bool,
    fact: Option<Fact>,
}

fn add(page: &mut Page, line: Line, job: &Job) -> Result<(), StoreError> {
    let (seq, session, open) = (line.row.seq, line.entry.session, line.is_open());
    page.0.push(Read {
        seq,
        session,
        open,
        fact: Fact::of(line, job.audience),
    });
    Ok(())
}

/// The refusal of a session beyond the last; `without`: advice if there is none, `beside`: else.
pub fn no_such_session(number: u32, last: Option<u32>, without: &str, beside: &str) -> StoreError {
    StoreError::Io(match last {
        None => format!("there is no session {number}, since none was begun; {without}"),
        Some(1) => format!("there is no session {number}; say --session 1{beside}"),
        Some(last) => format!("there is no session {number}; say --session 1 to {last}{beside}"),
    })
}

fn document(campaign: &str, seal: &Seal, gathered: &Gathered) -> Document {
    let is_gm = seal.audience == Audience::Gm;
    let mut sections = vec![
        sections::seal::section(seal, gathered),
        sections::story::section(gathered),
        sections::fights::section(gathered, seal.audience),
        sections::luck::section(gathered, seal.audience),
        sections::people::section(gathered, seal.audience),
        sections::hand::section(gathered, seal.audience),
    ];
    if is_gm {
        sections.push(sections::gm::section(gathered));
    }
    Document {
        title: title(campaign, gathered),
        banners: sections::seal::broken(seal)
            .into_iter()
            .chain(is_gm.then(|| {
                "The GM's edition: it holds secrets. Do not give it to players.".to_owned()
            }))
            .collect(),
        lead: sections::seal::findings(seal)
            .into_iter()
            .chain(lead(gathered))
            .collect(),
        sections,
    }
}

/// "Lockhouse: session 3, The Mess".
fn title(campaign: &str, gathered: &Gathered) -> String {
    // What was before the first session goes with it.
    let sessions = gathered
        .sessions
        .iter()
        .skip_while(|(number, _)| *number == 0);
    match sessions.collect::<Vec<_>>().as_slice() {
        [] => campaign.to_owned(),
        [(number, Some(title))] => format!("{campaign}: session {number}, {title}"),
        [(number, None)] => format!("{campaign}: session {number}"),
        [first, .., last] => format!("{campaign}: sessions {} to {}", first.0, last.0),
    }
}

/// When it was, and what nobody will forget.
fn lead(gathered: &Gathered) -> Vec<Block> {
    let mut blocks = Vec::new();
    if let Some(((_, began), (_, ended))) = gathered.span {
        let (began, ended) = (minute(began), minute(ended));
        blocks.push(Block::text(if began == ended {
            format!("{began}.")
        } else {
            format!("{began} to {ended}.")
        }));
    }
    let (lucky, _) = sections::luck::moments(gathered);
    let title = match lucky {
        Some(lucky) => format!(
            "The luckiest moment: {}",
            called(gathered.people.name(lucky.who))
        ),
        None => "The luckiest moment".to_owned(),
    };
    blocks.extend(sections::luck::card(&title, lucky, gathered));
    blocks
}
