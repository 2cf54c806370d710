//! The table at which odds are asked for: rules and people, made or of a campaign.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::json;

use crate::cli::args::CampaignArgs;
use crate::cli::output::{Failed, reason};
use crate::cli::simulate::sides::block_named;
use crate::play::toolbox::{fields, text};
use rollbook_game::mechanics::lookup;
use rollbook_game::record::state::State;
use rollbook_game::table::Setting;
use rollbook_store::Reader;
use rollbook_table::playtest::{Tray, host, sheet};
use rollbook_table::session::adventure::Adventure;
use rollbook_table::session::{CallError, Caller, Host, Purpose};
use rollbook_table::tools::tool_named;

pub(super) struct Scene {
    pub state: State,
    pub setting: Setting,
    pub who: Option<String>,
    pub opponent: Option<String>,
    pub target: Option<String>,
}

/// A character whom an option names: a file, a line, or a name of a campaign.
type Person<'a> = (&'static str, &'a String);

impl Scene {
    /// The table with these people: who tries, who opposes, the target.
    pub(super) async fn with(
        adventure: &Adventure,
        people: [Option<Person<'_>>; 3],
        table: &CampaignArgs,
    ) -> Result<Scene, Failed> {
        let folder =
            tempfile::tempdir().map_err(|error| format!("no folder for the campaign: {error}"))?;
        let made = host(adventure, folder.path(), &Tray::pinned(), "odds");
        let tool = tool_named("manage_character").ok_or("there is no such tool")?;
        let (mut names, mut new, mut played) = (BTreeMap::new(), Vec::new(), None);
        for (option, who) in people.into_iter().flatten() {
            // One who opposes and is the target, too, is one person.
            if names.contains_key(who) {
                continue;
            }
            // A foe of the adventure's pages, where no campaign has been begun.
            let block = || {
                let begun = table
                    .database
                    .to_read()
                    .is_ok_and(|database| database.exists());
                block_named(adventure, who).filter(|_| !begun)
            };
            let sheet = match written(option, who)? {
                Some(text) => Some(
                    sheet(&text, &adventure.reading.system)
                        .map_err(|why| format!("{option}: {why}"))?,
                ),
                None => block().map(|(block, page)| {
                    let (from, name) = (json!(format!("{page}#{block}")), json!(block));
                    fields([
                        ("action", json!("create")),
                        ("from", from),
                        ("name", name),
                        ("kind", json!("npc")),
                    ])
                }),
            };
            if let Some(sheet) = sheet {
                let name = text(&sheet, "name").to_owned();
                new.push(name.clone());
                names.insert(who, name);
                tool.call(&made, sheet).await.map_err(failed)?;
                continue;
            }
            let (state, setting) = match &mut played {
                Some(played) => played,
                none => none.insert(campaign(adventure, table).await.map_err(|why| {
                    format!(
                        "{option} {who}: it is no file, and of a campaign nothing can be read ({why}). Name a file, write \"{who}: DEX 14, \
                         Lockpicking +2\", or send --db and --campaign of the campaign that has {who}."
                    )
                })?),
            };
            let found = lookup::participant(state, &setting.system, option, who);
            names.insert(
                who,
                found
                    .map_err(|refusal| failed(refusal.into()))?
                    .name
                    .clone(),
            );
        }
        let alone = snapshot(&made).await?;
        made.close().await;
        let (state, setting) = match played {
            Some((state, setting)) => (with_sheets(state, &alone.0, &new), setting),
            None => alone,
        };
        let [who, opponent, target] = people.map(|person| names.get(person?.1).cloned());
        Ok(Scene {
            state,
            setting,
            who,
            opponent,
            target,
        })
    }
}

/// A campaign with those who were made beside it.
fn with_sheets(mut state: State, made: &State, new: &[String]) -> State {
    for name in new {
        let Some(person) = made.characters.values().find(|person| person.name == *name) else {
            continue;
        };
        // A sheet replaces the character of its name.
        state
            .characters
            .retain(|_, other| !rollbook_text::names::same(&other.name, name));
        let id = state
            .characters
            .keys()
            .chain(made.characters.keys())
            .max()
            .map_or(1, |last| last + 1);
        let mut character = person.clone();
        character.id = id;
        state.characters.insert(id, character);
        for track in made.tracks_of(person.id) {
            let mut track = track.clone();
            track.character = id;
            state.tracks.insert((id, track.name.clone()), track);
        }
        for condition in made.conditions_of(person.id) {
            let mut condition = condition.clone();
            condition.character = id;
            state
                .conditions
                .insert((id, condition.name.clone()), condition);
        }
    }
    state
}

async fn snapshot(host: &Host) -> Result<(State, Setting), Failed> {
    let campaign = host.campaign(None, Purpose::Read).await.map_err(failed)?;
    let (state, setting, _) = campaign
        .snapshot(&Caller::default())
        .await
        .map_err(failed)?;
    Ok((state, setting))
}

async fn campaign(adventure: &Adventure, table: &CampaignArgs) -> Result<(State, Setting), Failed> {
    let location = table.database.to_read()?;
    let mut reader = Reader::open(&location).await.map_err(reason)?;
    let meant = reader.meant(table.campaign.as_deref()).await;
    reader.close().await.map_err(reason)?;
    let (name, _) = meant.map_err(reason)?;
    let host = Host::of_this_computer(adventure.clone(), location, Some(name));
    let found = snapshot(&host).await;
    host.close().await;
    found
}

/// The text of a file; a text with a colon is the line itself, `None` may be a name.
fn written(option: &str, who: &str) -> Result<Option<String>, Failed> {
    let path = Path::new(who);
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(_) if !path.exists() && who.contains(':') => Ok(Some(who.to_owned())),
        Err(_) if !path.exists() && !is_path(who) => Ok(None),
        Err(error) => Err(format!(
            "{option}: cannot read {who}: {error}. Name a file, or write \"Aria: DEX 14, Lockpicking +2\"."
        )),
    }
}

pub(super) fn is_path(text: &str) -> bool {
    text.contains(['/', '\\']) || Path::new(text).extension().is_some()
}

pub(super) fn failed(error: CallError) -> Failed {
    match error {
        CallError::Refusal(refusal) => format!("{} [{}]", refusal.summary, refusal.code),
        CallError::Failure(reason) => reason,
    }
}
