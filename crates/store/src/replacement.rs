//! Campaigns of a server put back from a file, in one transaction. What they were is kept in a
//! file; those that the file lacks stay as they are.

use std::path::{Path, PathBuf};

use super::draft::{Draft, free_name, make_folder};
use super::location::{Location, Server};
use super::removal::remove_rows;
use super::sql::connection::query;
use super::sqlite::backups::folder_of_server;
use super::{Identity, Reader, Store, StoreError, sqlite, transfer};
use rollbook_text::names::{quoted, same};

/// A copy that is ready to take the place of campaigns on a server.
pub struct Replacement {
    server: Server,
    folder: PathBuf,
    draft: Draft,
}

impl Replacement {
    /// Copies `from` to the folder of the server's backups, so that it cannot be changed meanwhile.
    pub async fn begin(server: &Server, from: &Path) -> Result<Replacement, StoreError> {
        let folder = folder_of_server(server).ok_or_else(|| {
            StoreError::Io(format!(
                "what {server} holds cannot be kept on this computer. Name a folder with --checkpoints"
            ))
        })?;
        make_folder(&folder).map_err(|error| {
            StoreError::Io(format!("cannot make {}: {error}", folder.display()))
        })?;
        let draft = Draft::beside(&folder.join("copy.db"))?;
        sqlite::copy::all_of(from, draft.path()).await?;
        Ok(Replacement {
            server: server.clone(),
            folder,
            draft,
        })
    }

    /// Where the copy lies meanwhile.
    pub fn copy(&self) -> &Path {
        self.draft.path()
    }

    /// Puts these campaigns of the copy, each with its key there, in the place of those that they
    /// are, and gives a server that holds nothing the `book`'s name. Keys of seats stay as they are
    /// on the server; a campaign that is not there any more gets those of the copy. Answers the
    /// file that keeps what was there. On an error nothing is changed.
    pub async fn place(
        self,
        wanted: &[(String, Identity)],
        book: Option<&str>,
    ) -> Result<Option<PathBuf>, StoreError> {
        let location = Location::Server(Box::new(self.server.clone()));
        let store = Store::open(&location).await?;
        let mut reader = Reader::open(self.copy()).await?;
        let placed = self.placed(&store, &mut reader, wanted, book).await;
        reader.close().await?;
        store.close().await.and(placed)
    }

    async fn placed(
        &self,
        store: &Store,
        reader: &mut Reader,
        wanted: &[(String, Identity)],
        book: Option<&str>,
    ) -> Result<Option<PathBuf>, StoreError> {
        let mut turn = store.turn().await?;
        // No campaign is made or renamed until the end, and none that is replaced is played.
        turn.begin(0).await?;
        // It waits while what was there is kept.
        query("set local idle_in_transaction_session_timeout = 0")
            .execute(&mut turn)
            .await?;
        let there = turn.campaigns().await?;
        let is_wanted = |identity: &Identity| {
            wanted
                .iter()
                .any(|(_, wanted)| wanted.uuid == identity.uuid)
        };
        for (name, _) in wanted {
            if there
                .iter()
                .any(|(held, identity)| same(held, name) && !is_wanted(identity))
            {
                return Err(StoreError::Io(format!(
                    "{} has another campaign \"{}\" by now, so nothing was put back. Rename it with `rollbook campaigns rename` first",
                    self.server,
                    quoted(name)
                )));
            }
        }
        if let Some(book) = book {
            // By which checkpoints know it.
            query("alter table book disable trigger user")
                .execute(&mut turn)
                .await?;
            query("update book set id = $1")
                .bind(book)
                .execute(&mut turn)
                .await?;
            query("alter table book enable trigger user")
                .execute(&mut turn)
                .await?;
        }
        let old: Vec<i64> = there
            .iter()
            .filter(|(_, old)| is_wanted(old))
            .map(|(_, old)| old.key)
            .collect();
        for key in &old {
            turn.lock(*key).await?;
        }
        let aside = self.set_aside(&old).await?;
        // The names and UUIDs are those of the campaigns that come.
        for key in &old {
            let renamed = query("update campaigns set uuid = $2, name = $2 where id = $1");
            renamed
                .bind(*key)
                .bind(format!("replaced {key}"))
                .execute(&mut turn)
                .await?;
        }
        let keys = reader.keys().await?;
        reader.begin_read().await?;
        for (name, identity) in wanted {
            let key = turn.next_key().await?;
            transfer::campaign(reader, identity.key, &mut turn, key).await?;
            match there.iter().find(|(_, old)| old.uuid == identity.uuid) {
                Some((_, old)) => {
                    let moved = query("update keys set table_of = $2 where table_of = $1")
                        .bind(old.key)
                        .bind(key);
                    moved.execute(&mut turn).await?;
                }
                None => {
                    for seat in keys.iter().filter(|seat| same(&seat.campaign, name)) {
                        turn.keep_key(seat).await?;
                    }
                }
            }
        }
        reader.end_read().await?;
        // At the end, since writes elsewhere wait from here on.
        for key in old {
            remove_rows(&mut turn, key).await?;
        }
        turn.commit().await?;
        Ok(aside)
    }

    /// Keeps what these campaigns are now.
    async fn set_aside(&self, keys: &[i64]) -> Result<Option<PathBuf>, StoreError> {
        if keys.is_empty() {
            return Ok(None);
        }
        let aside = free_name(|nth| self.folder.join(format!("replaced-{nth}.db")));
        let aside = aside.ok_or_else(|| {
            StoreError::Io(format!(
                "{} holds too many replaced campaigns; remove some",
                self.folder.display()
            ))
        })?;
        let draft = Draft::of(&aside)?;
        transfer::write(&self.server, Some(keys), draft.path()).await?;
        draft.finish()?;
        Ok(Some(aside))
    }
}
