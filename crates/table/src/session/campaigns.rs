//! The campaigns of a database as a whole: a list of them, and another name for one.

use super::adventure::Adventure;
use super::live::{Answer, CallError, Caller, Common, Request};
use super::os;
use super::{Host, Purpose};
use rollbook_game::decide::campaign;
use rollbook_game::limits;
use rollbook_game::table::Table;
use rollbook_store::location::Location;
use rollbook_store::record::CampaignSummary;
use rollbook_store::sql::zone::KeptZone;
use rollbook_store::{Reader, Store, StoreError, Turn};

/// Every campaign of a database. Errors: it cannot be read.
pub async fn all(database: &Location) -> Result<Vec<CampaignSummary>, String> {
    read(database, async |reader| reader.summaries().await).await
}

/// Reads from a database, which is closed then.
pub(super) async fn read<T>(
    database: &Location,
    look: impl AsyncFnOnce(&mut Reader) -> Result<T, StoreError>,
) -> Result<T, String> {
    let read = async {
        let mut reader = Reader::open(database).await?;
        let found = look(&mut reader).await;
        reader.close().await?;
        found
    };
    read.await.map_err(|error: StoreError| error.to_string())
}

/// Writes into a database what is in no campaign's log, and closes it.
pub(super) async fn write<T>(
    database: &Location,
    act: impl AsyncFnOnce(&mut Turn) -> Result<T, StoreError>,
) -> Result<T, String> {
    let written = async {
        let store = Store::open(database).await?;
        let mut turn = store.turn().await?;
        turn.begin(0).await?;
        let made = act(&mut turn).await?;
        turn.commit().await?;
        store.close().await?;
        Ok(made)
    };
    written.await.map_err(|error: StoreError| error.to_string())
}

/// Makes the campaign and the database where they are missing. Answers its name and whether it was
/// made; `tool` goes into its first entry. Errors: a bad name, an unwritable database.
pub async fn begun(
    database: &Location,
    adventure: Adventure,
    campaign: &str,
    tool: &'static str,
) -> Result<(String, bool), String> {
    os::valid(os::now())?;
    limits::name("campaign", campaign).map_err(|refusal| refusal.summary)?;
    let host = Host::of_this_computer(adventure, database, Some(campaign.to_owned()));
    let made = async {
        let campaign = host.campaign(None, Purpose::Write).await?;
        let is_new = !campaign.exists().await?;
        if is_new {
            let begin = |table: &mut Table<'_>| {
                table.open_campaign();
                Ok(Answer::<()>::new(Common::default(), None))
            };
            campaign
                .write(
                    Request {
                        tool,
                        ..Request::default()
                    },
                    begin,
                )
                .await?;
        }
        let (_, setting, _) = campaign.snapshot(&Caller::default()).await?;
        Ok::<_, CallError>((setting.campaign, is_new))
    };
    let made = made.await.map_err(|error| error.to_string());
    host.close().await;
    made
}

/// Keeps the table's clock, for `local_time` in SQL; the log stays. Answers the campaign's name.
pub async fn keep_zone(
    database: &Location,
    campaign: Option<&str>,
    zone: &KeptZone,
) -> Result<String, String> {
    let (name, identity) = read(database, async |reader| reader.meant(campaign).await).await?;
    write(database, async |turn| {
        turn.keep_zone(identity.key, zone).await
    })
    .await?;
    Ok(name)
}

/// Renames a campaign. Answers its former name, and the receipt of the entry that says so.
pub async fn rename(database: &Location, from: &str, to: &str) -> Result<(String, String), String> {
    os::valid(os::now())?;
    limits::name("the new name", to).map_err(|refusal| refusal.summary)?;
    // A database is not made by looking for a campaign in it.
    let names: Vec<String> = all(database)
        .await?
        .into_iter()
        .map(|campaign| campaign.name)
        .collect();
    if !names
        .iter()
        .any(|name| rollbook_text::names::same(name, from))
    {
        let from = rollbook_text::names::quoted(from);
        return Err(format!(
            "there is no campaign \"{from}\"; `rollbook campaigns list` shows those there are"
        ));
    }
    let host = Host::of_this_computer(Adventure::none(), database, Some(from.to_owned()));
    let renamed = renamed(&host, to.trim().to_owned())
        .await
        .map_err(CallError::for_a_person);
    host.close().await;
    renamed
}

async fn renamed(host: &Host, to: String) -> Result<(String, String), CallError> {
    let campaign = host.campaign(None, Purpose::Write).await?;
    let (_, setting, _) = campaign.snapshot(&Caller::default()).await?;
    // So that the name it had is known beside the database, too.
    campaign.checkpoint(false).await?;
    let request = Request {
        tool: "campaigns",
        new_name: Some(to.clone()),
        ..Request::default()
    };
    let decide = move |table: &mut Table<'_>| {
        campaign::rename(table, &to)?;
        Ok(Answer::<()>::new(Common::default(), None))
    };
    let answer = campaign.write(request, decide).await?;
    campaign.checkpoint(false).await?;
    Ok((setting.campaign, answer.common.receipt.unwrap_or_default()))
}
