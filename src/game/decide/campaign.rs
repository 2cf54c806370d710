//! What is decided of a campaign as a whole: its name.

use crate::game::limits;
use crate::game::record::change::{Change, Images};
use crate::game::record::event::Event;
use crate::game::record::state::Campaign;
use crate::game::refusal::{Code, Refusal};
use crate::game::table::{Draft, Table};
use crate::names::quoted;

/// Gives the campaign another name, and logs that. Whether another campaign has it is the caller's to look at.
pub fn rename(table: &mut Table, to: &str) -> Result<u64, Refusal> {
    limits::name("the new name", to)?;
    let to = to.trim();
    let Some(before) = table.state.campaign.clone() else {
        let summary = "Nothing was ever written to this campaign, so there is nothing to rename.";
        return Err(Refusal::new(Code::UnknownCampaign, summary));
    };
    if before.name == to {
        let summary = format!("The campaign is called \"{}\" already.", quoted(to));
        return Err(Refusal::new(Code::NoEffect, summary));
    }
    let after = Campaign { name: to.to_owned(), ..before.clone() };
    let event = Event::CampaignRenamed { from: before.name.clone(), to: after.name.clone() };
    Ok(table.log(Draft::new("system", event, vec![Change::Campaign(Images::changed(before, after))])))
}
