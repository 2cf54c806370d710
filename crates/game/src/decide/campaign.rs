//! What is decided of a campaign as a whole: its name, and where its log goes on.

use crate::record::change::{Change, Images};
use crate::record::event::{CampaignCreated, CampaignRenamed, ContinuedEvent, Event};
use crate::refusal::{Code, Refusal, Result};
use crate::table::{Draft, Table};
use crate::{limits, record::entry::Visibility, record::state::Campaign};
use rollbook_text::names::quoted;

/// Gives the campaign another name, and logs that. The caller sees to it that no other has it.
pub fn rename(table: &mut Table, to: &str) -> Result<u64> {
    limits::name("the new name", to)?;
    let to = to.trim();
    let Some(before) = table.state.campaign.clone() else {
        let summary = "Nothing was ever written to this campaign, so there is nothing to rename.";
        return Err(Refusal::new(Code::UnknownCampaign, summary));
    };
    if before.name == to {
        return Err(Refusal::new(
            Code::NoEffect,
            format!("The campaign is called \"{}\" already.", quoted(to)),
        ));
    }
    Ok(log_name(table, before, to, None))
}

/// Closes the log, which goes on in the campaign with that UUID; from then on it is called `to`.
pub fn close(table: &mut Table, to: &str, continued_by: &str) -> Option<u64> {
    let before = table.state.campaign.clone()?;
    Some(log_name(table, before, to, Some(continued_by.to_owned())))
}

fn log_name(table: &mut Table, before: Campaign, to: &str, continued_by: Option<String>) -> u64 {
    let mut after = Campaign {
        name: to.to_owned(),
        ..before.clone()
    };
    after.continued_by = continued_by.clone().or(after.continued_by);
    let (from, to) = (before.name.clone(), after.name.clone());
    let event = Event::CampaignRenamed(CampaignRenamed {
        from,
        to,
        continued_by,
    });
    table.log(Draft::new(
        "system",
        event,
        vec![Change::Campaign(Images::changed(before, after))],
    ))
}

/// Begins a log with the last state of an earlier one, for the GM; players see a campaign begin.
pub fn begin_with(table: &mut Table, from: ContinuedEvent, rows: Vec<Change>) {
    let draft = Draft::new("system", Event::Continued(Box::new(from)), rows);
    table.log(Draft {
        visibility: Visibility::Gm,
        ..draft
    });
    let Some(row) = table.state.campaign.clone() else {
        return;
    };
    let (campaign, name, adventure) = (row.uuid.clone(), row.name.clone(), row.adventure.clone());
    let event = Event::CampaignCreated(CampaignCreated {
        campaign,
        name,
        adventure,
    });
    // A copy for players has the campaign's name from here.
    table.log(Draft::new(
        "system",
        event,
        vec![Change::Campaign(Images::changed(row.clone(), row))],
    ));
}
