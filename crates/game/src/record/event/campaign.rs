//! What became of the campaign and of its log.

use serde::{Deserialize, Serialize};

use super::{Describe, Description, Weight};
use crate::record::entry::{Audience, Entry};
use crate::record::loss::Loss;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CampaignCreated {
    pub campaign: String,
    pub name: String,
    pub adventure: String,
}

impl Describe for CampaignCreated {
    fn description(&self) -> Description<'_> {
        Description { is_open: true, ..Description::default() }
    }

    fn sentence(&self, _: &Entry, _: Audience, _: bool) -> Option<String> {
        let adventure = if self.adventure.is_empty() { String::new() } else { format!(" ({})", self.adventure) };
        Some(format!("The campaign {} begins{adventure}.", self.name))
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CampaignRenamed {
    pub from: String,
    pub to: String,
    /// The UUID of the campaign whose log goes on where this one ends; nothing is played in this one any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continued_by: Option<String>,
}

impl Describe for CampaignRenamed {
    fn description(&self) -> Description<'_> {
        Description { is_open: true, weight: Some(Weight::Note), ..Description::default() }
    }

    fn sentence(&self, _: &Entry, _: Audience, _: bool) -> Option<String> {
        Some(format!("The campaign {} is called {} from now on.", self.from, self.to))
    }
}

impl Describe for Loss {
    fn description(&self) -> Description<'_> {
        Description { is_weighty: true, ..Description::default() }
    }

    /// Players see no entry number.
    fn sentence(&self, _: &Entry, audience: Audience, _: bool) -> Option<String> {
        Some(match audience {
            Audience::Gm => format!("The loss of history is accepted, and play goes on. {}", self.summary()),
            Audience::Player => "A part of the log is lost, and play goes on without it.".to_owned(),
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Restored {
    /// The copy's file name.
    pub from: String,
    /// What checkpoints know that the copy did not hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<Loss>,
}

impl Describe for Restored {
    fn description(&self) -> Description<'_> {
        Description { is_weighty: true, ..Description::default() }
    }

    /// Players see no entry number and no file.
    fn sentence(&self, _: &Entry, audience: Audience, _: bool) -> Option<String> {
        let from = &self.from;
        Some(match (audience, &self.loss) {
            (Audience::Gm, Some(loss)) => {
                let kept = loss.log_ends;
                format!(
                    "The database was put back from {from}, up to #{kept}; what came after is lost. {}",
                    loss.summary()
                )
            }
            (Audience::Gm, None) => format!("The database was put back from {from}; nothing is known to be lost."),
            (Audience::Player, Some(_)) => {
                "The log was put back from a backup. A part of it is lost, and play goes on without it.".to_owned()
            }
            (Audience::Player, None) => "The log was put back from a backup.".to_owned(),
        })
    }
}

/// The earlier log, of which this one goes on. The state in which it ended is what the entry changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContinuedEvent {
    /// The UUID of its campaign.
    pub campaign: String,
    /// The name that it has from then on.
    pub name: String,
    /// Its last entry before the one that closed it, …
    pub entries: u64,
    /// … and the chain value of that, as hex.
    pub chain: String,
    /// The name of the file with the whole of it.
    pub export: String,
}

impl Describe for ContinuedEvent {
    fn description(&self) -> Description<'_> {
        Description { is_weighty: true, ..Description::default() }
    }

    /// For the GM alone: the entry holds the whole state.
    fn sentence(&self, _: &Entry, _: Audience, _: bool) -> Option<String> {
        let ContinuedEvent { name, entries, export, .. } = self;
        Some(format!(
            "The log goes on from #{entries} of {name}, with everything as it was then; the whole of that log is in {export}."
        ))
    }
}
