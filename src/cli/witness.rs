//! `rollbook witness`: somebody else vouches for how far a log reached.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::cli::args::CampaignArgs;
use crate::cli::output::{Done, Failed, print, say};
use crate::export::only;
use crate::session::os;
use crate::store::checkpoint::{self, Checkpoint};
use crate::store::signature::Signer;
use crate::store::{Reader, StoreError};

/// Vouch for a log that others keep.
///
/// A witness signs how far a campaign reached, in a file of their own. Later `rollbook verify --witness FILE` finds whatever was changed up to
/// there, though the game master had the database and all that lies beside it.
#[derive(Debug, Args)]
pub struct Witness {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Make a signing key (Ed25519), and print the public part of it.
    Key(MakeKey),
    /// Sign a campaign's last entry: a line is appended to a file.
    Sign(Sign),
}

#[derive(Debug, Args)]
struct MakeKey {
    /// The file to write, which is not there yet; outside of the adventure and of the database's folder.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

#[derive(Debug, Args)]
struct Sign {
    /// The key that signs.
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// The file to which the line is appended.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    of: CampaignArgs,
}

impl Witness {
    pub(super) async fn run(self) -> Result<Done, Failed> {
        match self.action {
            Action::Key(MakeKey { out }) => {
                let public = Signer::make(&out).map_err(|error| error.to_string())?;
                print(&format!("{public}\n"))?;
                say(&format!(
                    "{} holds the key itself: keep it to yourself. Others check with the line above",
                    out.display()
                ));
            }
            Action::Sign(sign) => sign.run().await.map_err(|error| error.to_string())?,
        }
        Ok(Done::Well)
    }
}

impl Sign {
    async fn run(self) -> Result<(), StoreError> {
        let database = self.of.database().map_err(StoreError::Io)?;
        let beside = database.file().and_then(|file| file.parent());
        let signer = Signer::read(&self.key, &beside.into_iter().collect::<Vec<_>>())?;
        let now = os::valid(os::now()).map_err(StoreError::Io)?;
        let mut reader = Reader::open(&database).await?;
        let (name, identity) = only(reader.campaigns().await?, self.of.name())?;
        let (head, book) = (reader.head(identity.key).await?, reader.book().await?);
        reader.close().await?;
        let line = Checkpoint::of(database, book, &identity.uuid, &name, head, now).sign(&signer)?;
        if let Some(note) = checkpoint::append_to(&self.out, &line)? {
            tracing::warn!("{note}");
        }
        say(&format!("{name}: {} signed by {} in {}", head.receipt(), signer.public(), self.out.display()));
        Ok(())
    }
}
