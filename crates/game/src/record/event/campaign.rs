//! What became of the campaign, of its sessions and of its log.

use serde::{Deserialize, Serialize};

use super::{Describe, Description, Weight, optional};
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
                let (kept, lost) = (loss.log_ends, loss.summary());
                format!("The database was put back from {from}, up to #{kept}; what came after is lost. {lost}")
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

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionStarted {
    pub number: u32,
    pub title: Option<String>,
}

impl Describe for SessionStarted {
    fn description(&self) -> Description<'_> {
        Description { is_open: true, texts: optional("title", &self.title), ..Description::default() }
    }

    fn sentence(&self, _: &Entry, _: Audience, _: bool) -> Option<String> {
        let title = self.title.as_ref().map_or(String::new(), |title| format!(": {title}"));
        Some(format!("Session {} begins{title}.", self.number))
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionEnded {
    pub number: u32,
    /// What players saw before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<Seen>,
}

impl Describe for SessionEnded {
    fn description(&self) -> Description<'_> {
        Description { is_open: true, ..Description::default() }
    }

    fn sentence(&self, _: &Entry, _: Audience, _: bool) -> Option<String> {
        Some(format!("Session {} ends.", self.number))
    }
}

/// What players had seen at a moment: the head of the second chain, over what players see alone (`store::chain`), before the entry that
/// names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// How many entries players see.
    pub n: u64,
    /// 32 bytes as hex.
    pub chain: String,
}
