//! A database on disk for the campaigns of long random sequences: what is saved is what is loaded.

use rollbook_game::record::change::Change;
use rollbook_game::record::entry::Entry;
use rollbook_game::record::state::{Campaign, State};
use rollbook_game::view::visibility::Projection;
use rollbook_store::sqlite::{self, Sqlite};
use rollbook_store::{Head, Sealed, chain};
use tempfile::TempDir;
use tokio::runtime::Runtime;
use uuid::Uuid;

/// One file, and a campaign in it for each sequence.
pub struct Shelf {
    runtime: Runtime,
    store: Sqlite,
    campaigns: i64,
    _folder: TempDir,
}

impl Shelf {
    pub fn new() -> Shelf {
        rollbook::migrations::MIGRATIONS.hand_down();
        let folder = tempfile::tempdir().expect("a folder");
        let runtime = Runtime::new().expect("a runtime");
        let store = runtime
            .block_on(sqlite::open_throw_away(&folder.path().join("campaigns.db")))
            .expect("opens");
        Shelf {
            runtime,
            store,
            campaigns: 0,
            _folder: folder,
        }
    }

    /// Saves a campaign entry by entry, under a name of its own, and loads it.
    pub fn holds(&mut self, log: &[Entry], state: &State) {
        self.campaigns += 1;
        let key = self.campaigns;
        let named = |row: &mut Campaign| {
            row.uuid = Uuid::from_u128(key.unsigned_abs().into()).to_string();
            row.name = format!("campaign {key}");
        };
        let mut state = state.clone();
        state.campaign.iter_mut().for_each(named);
        let mut log = log.to_vec();
        for change in log.iter_mut().flat_map(|entry| &mut entry.changes) {
            if let Change::Campaign(images) = change {
                images
                    .before
                    .iter_mut()
                    .chain(&mut images.after)
                    .for_each(named);
            }
        }
        let sealed = sealed(key, log);
        let loaded = self.runtime.block_on(async {
            let mut turn = self.store.turn().await?;
            turn.begin(key).await?;
            turn.append(key, &sealed, None).await?;
            turn.commit().await?;
            self.store.read().await?.load(key).await
        });
        assert_eq!(
            loaded.expect("is saved and loaded"),
            state,
            "what is loaded is what was saved"
        );
    }
}

/// The hashes are not what is looked at, so players see nothing of it.
fn sealed(key: i64, log: Vec<Entry>) -> Vec<Sealed> {
    let campaign = Uuid::from_u128(key.unsigned_abs().into());
    let mut head = Head::default();
    let unseen = Projection {
        seen: None,
        whole: false,
    };
    let seal = |entry: Entry| {
        let sealed = chain::seal(&campaign, head, entry, &unseen, [0; 32]).expect("is sealed");
        head = sealed.head();
        sealed
    };
    log.into_iter().map(seal).collect()
}
