//! Keys of seats: made once and shown once, listed, revoked.

use super::adventure::Adventure;
use super::campaigns;
use super::keyring::{ID_DIGITS, PREFIX};
use super::os::{self, OsChance};
use rollbook_game::limits;
use rollbook_game::table::Chance;
use rollbook_store::chain;
use rollbook_store::keys::{KeyRecord, Role};
use rollbook_store::location::Location;

/// Makes a key for a campaign, which is made where it is missing, as is the database. Answers the
/// key and what is kept of it. Errors: a bad name, a past moment, an unwritable database.
pub async fn make(
    database: &Location,
    campaign: &str,
    role: Role,
    expires_at: Option<i64>,
) -> Result<(String, KeyRecord), String> {
    let now = os::valid(os::now())?;
    limits::name("campaign", campaign).map_err(|refusal| refusal.summary)?;
    if let Some(character) = role.character() {
        limits::name("character", character).map_err(|refusal| refusal.summary)?;
    }
    if expires_at.is_some_and(|at| at <= now) {
        return Err(
            "that key would have expired already. Name a moment to come with --expires".to_owned(),
        );
    }
    let (campaign, _) = campaigns::begun(database, Adventure::none(), campaign, "key").await?;
    let mut chance = OsChance::new()?;
    let id: String = base16ct::lower::encode_string(&chance.salt())
        .chars()
        .take(ID_DIGITS)
        .collect();
    let key = format!(
        "{PREFIX}{id}_{}",
        base16ct::lower::encode_string(&chance.salt())
    );
    let hash = chain::sha256(key.as_bytes());
    let record = KeyRecord {
        id,
        hash,
        campaign,
        role,
        created_at: now,
        expires_at,
        revoked_at: None,
    };
    campaigns::write(database, async |log| log.keep_key(&record).await).await?;
    Ok((key, record))
}

/// Every key of a database, without its secret. Errors: it cannot be read.
pub async fn all(database: &Location) -> Result<Vec<KeyRecord>, String> {
    campaigns::read(database, async |reader| reader.keys().await).await
}

/// Revokes the key with that id; `None` where there is none. Errors: it cannot be written.
pub async fn revoke(database: &Location, id: &str) -> Result<Option<KeyRecord>, String> {
    let now = os::valid(os::now())?;
    campaigns::write(database, async |log| log.revoke_key(id, now).await).await
}
