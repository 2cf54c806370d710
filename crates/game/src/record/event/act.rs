//! What happens in a fight besides turns. `hidden` is what was true at that moment: the players' text is made from it, also
//! after a later reveal.

use serde::{Deserialize, Serialize};

use super::Subject;

/// What one combatant did, or what happened to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case")]
pub enum Act {
    /// Left the fight; the character stays in the campaign.
    Left,
    /// Set defeated by the GM.
    Defeated,
    /// Set up again by the GM.
    Revived,
    Hidden,
    /// Visible from now on; `was` is its name before, where it changed.
    Revealed {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        was: Option<String>,
    },
    /// Lets others go first.
    Delayed,
    /// Called back: acts right after the current turn.
    Returned,
    /// The round ended while it let others go first.
    Lapsed,
    /// Acts once that happens.
    Readied {
        trigger: String,
    },
    /// It happened.
    Triggered {
        trigger: String,
    },
    /// Initiative set by the GM.
    InitiativeSet {
        before: Option<i64>,
        after: i64,
    },
    /// Initiative by the rules; `card` is the card's name, where cards are dealt.
    InitiativeRolled {
        initiative: i64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        card: Option<String>,
    },
    SideChanged {
        before: String,
        after: String,
    },
    /// Acts in this round though its initiative is above the current one.
    ActsNow,
}

/// The holder of effects that end because it can no longer act.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    pub subject: Subject,
    /// Players did not see why.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
}

/// An effect on somebody.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EffectOn {
    pub name: String,
    pub on: Subject,
    /// The bearer is hidden from players.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// What is left of it: "2 rounds".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<String>,
}

impl EffectOn {
    /// "bless on Jory"
    pub fn label(&self) -> String {
        format!("{} on {}", self.name, self.on.name)
    }
}
