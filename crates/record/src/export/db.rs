//! A SQLite file: the GM's is a database to play with; a players', or a part, has its own shape.

use std::path::PathBuf;

use tokio::task::JoinHandle;

use super::lines::{Job, Line};
use super::writer::Writer;
use rollbook_game::view::Audience;
use rollbook_store::draft::Draft;
use rollbook_store::sqlite::notice;
use rollbook_store::sqlite::players::{Players, PlayersPage, PlayersRow, Shape};
use rollbook_store::{Head, Reader, StoreError};

pub enum Db {
    /// The store copies it while the log is read: an unreadable body stops it, as in every format.
    Database(JoinHandle<Result<(Head, u64), StoreError>>, PathBuf),
    Shaped(Players),
}

fn is_database(job: &Job) -> bool {
    job.audience == Audience::Gm && job.span.is_none()
}

impl Writer for Db {
    const NAME: &'static str = "db";
    const ABOUT: &'static str = "A SQLite file";

    type Page = PlayersPage;

    async fn begin(job: &Job, reader: &Reader, draft: &mut Draft) -> Result<Self, StoreError> {
        let path = draft.path().to_path_buf();
        if is_database(job) {
            return Ok(Db::Database(
                tokio::spawn(reader.copy_campaign(job.identity.key, &path)),
                path,
            ));
        }
        let shape = Shape {
            campaign: job.campaign.clone(),
            uuid: job.identity.uuid.clone(),
            audience: job.audience,
            after: job.span.and_then(|span| span.after),
        };
        Players::make(&path, &shape, job.zone.as_ref())
            .await
            .map(Db::Shaped)
    }

    fn add(page: &mut PlayersPage, mut line: Line, job: &Job) -> Result<(), StoreError> {
        if is_database(job) {
            return Ok(());
        }
        let seen = line.numbered(job.audience)?;
        let Line {
            players_n,
            whole,
            row,
            ..
        } = line;
        page.add(&PlayersRow {
            audience: job.audience,
            seen,
            players_n,
            whole,
            row,
        });
        Ok(())
    }

    async fn write(&mut self, page: PlayersPage) -> Result<(), StoreError> {
        match self {
            Db::Database(..) => Ok(()),
            Db::Shaped(players) => players.add(page).await,
        }
    }

    async fn finish(
        self,
        written: Result<(), StoreError>,
    ) -> Result<Option<(Head, u64)>, StoreError> {
        match self {
            // Also where a page failed: no copy may go on in a folder that is being removed.
            Db::Database(copying, path) => {
                let copied = copying
                    .await
                    .map_err(|error| StoreError::Io(error.to_string()))??;
                written?;
                notice::mark(&path).await?;
                Ok(Some(copied))
            }
            Db::Shaped(players) => {
                written?;
                players.finish().await.map(|()| None)
            }
        }
    }
}
