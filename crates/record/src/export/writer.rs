//! What a format is: it takes the lines of a log one by one, and writes them to a file.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::lines::{Job, Line, Lines};
use rollbook_store::draft::Draft;
use rollbook_store::{Head, Reader, StoreError};

/// What was written, and where its log ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    pub campaign: String,
    pub shown: u64,
    pub entries: u64,
    pub head: Head,
    /// Where the log was whose receipt can be compared with the file; `None`: none binds it yet.
    pub bound: Option<Head>,
    pub out: PathBuf,
    /// What checkpoints know of the log and it does not hold, in a sentence.
    pub history_lost: Option<String>,
}

pub trait Writer: Send + Sized {
    /// As `--format` names it.
    const NAME: &'static str;
    /// What it is, in the words of `export --help`.
    const ABOUT: &'static str;

    /// What the lines of a page become before they are written.
    type Page: Default + Send + 'static;

    /// Begins the file of a job; `reader` reads the log's database.
    async fn begin(job: &Job, reader: &Reader, draft: &mut Draft) -> Result<Self, StoreError>;

    /// Adds the next line to its page. Several pages are made at once, each in a thread of its own.
    fn add(page: &mut Self::Page, line: Line, job: &Job) -> Result<(), StoreError>;

    /// Writes a page after those before it.
    async fn write(&mut self, page: Self::Page) -> Result<(), StoreError>;

    /// Makes the file whole, even after a failed page. Answers head and entries no page says.
    async fn finish(
        self,
        written: Result<(), StoreError>,
    ) -> Result<Option<(Head, u64)>, StoreError> {
        written.map(|()| None)
    }
}

pub async fn write<W: Writer>(
    job: Job,
    reader: &mut Reader,
    draft: &mut Draft,
) -> Result<Exported, StoreError> {
    let job = Arc::new(job);
    let mut writer = W::begin(&job, reader, draft).await?;
    let mut lines = Lines::of(reader, job.clone(), W::add);
    let written = pages(&mut writer, &mut lines).await;
    let (head, shown) = match writer.finish(written).await? {
        Some(copied) => copied,
        None => lines.end()?,
    };
    let Job {
        campaign,
        out,
        history_lost,
        ..
    } = Job::clone(&job);
    Ok(Exported {
        campaign,
        shown,
        entries: head.seq,
        head,
        bound: Some(head),
        out,
        history_lost,
    })
}

async fn pages<W: Writer>(
    writer: &mut W,
    lines: &mut Lines<'_, W::Page>,
) -> Result<(), StoreError> {
    let mut next = lines.next().await?;
    while let Some(page) = next {
        let (written, read) = tokio::join!(writer.write(page), lines.next());
        next = written.and(read)?;
    }
    Ok(())
}

pub struct TextFile {
    file: File,
    out: PathBuf,
}

impl TextFile {
    pub fn of(job: &Job, draft: &mut Draft) -> Result<Self, StoreError> {
        let file = draft
            .file()
            .try_clone()
            .map_err(|error| failed(&job.out, &error))?;
        Ok(TextFile {
            file,
            out: job.out.clone(),
        })
    }

    pub fn write(&mut self, text: &[u8]) -> Result<(), StoreError> {
        self.file
            .write_all(text)
            .map_err(|error| failed(&self.out, &error))
    }
}

fn failed(path: &Path, error: &dyn std::fmt::Display) -> StoreError {
    StoreError::Io(format!("cannot write {}: {error}", path.display()))
}
