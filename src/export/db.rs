//! A SQLite file: the GM's is a database like the one it comes from, the players' a file of its own shape with what they may
//! see.

use tokio::task::JoinHandle;

use super::lines::{Job, Line};
use super::writer::Writer;
use crate::game::view::Audience;
use crate::store::draft::Draft;
use crate::store::sqlite::players::{Players, PlayersPage, PlayersRow};
use crate::store::{Head, Reader, StoreError};

/// The file.
pub enum Db {
    /// The store copies it, while the log is read: a body that cannot be read stops the export, as it does in every format.
    Gm(JoinHandle<Result<(Head, u64), StoreError>>),
    Players(Players),
}

impl Writer for Db {
    const NAME: &'static str = "db";
    const ABOUT: &'static str = "A SQLite file";

    type Page = PlayersPage;

    async fn begin(job: &Job, reader: &Reader, draft: &mut Draft) -> Result<Self, StoreError> {
        Ok(match job.audience {
            Audience::Gm => Db::Gm(tokio::spawn(reader.copy_campaign(job.identity.key, draft.path()))),
            Audience::Player => {
                Db::Players(Players::make(draft.path(), &job.campaign, &job.identity.uuid, job.zone.as_ref()).await?)
            }
        })
    }

    fn add(page: &mut PlayersPage, mut line: Line, job: &Job) -> Result<(), StoreError> {
        match job.audience {
            Audience::Gm => Ok(()),
            Audience::Player => {
                let seen = line.n.and_then(|_| line.take_seen(Audience::Player));
                let Line { n, whole, row, .. } = line;
                page.add(&PlayersRow { n, seen, whole, row })
            }
        }
    }

    async fn write(&mut self, page: PlayersPage) -> Result<(), StoreError> {
        match self {
            Db::Gm(_) => Ok(()),
            Db::Players(players) => players.add(page).await,
        }
    }

    async fn finish(self, written: Result<(), StoreError>) -> Result<Option<(Head, u64)>, StoreError> {
        match self {
            // Also where a page failed: no copy may go on in a folder that is being removed.
            Db::Gm(copying) => {
                let copied = copying.await.map_err(|error| StoreError::Io(error.to_string()))??;
                written.map(|()| Some(copied))
            }
            Db::Players(players) => {
                written?;
                players.finish().await.map(|()| None)
            }
        }
    }
}
