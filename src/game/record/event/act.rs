//! What happens in a fight besides its turns, as entries hold it. A `hidden` here is what was so when it happened: the
//! sentence for players is made from it, and what is revealed later stays untold then.

use serde::{Deserialize, Serialize};

use super::Subject;

/// What one combatant did, or what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case")]
pub enum Act {
    /// Left the fight; the character stays in the campaign.
    Left,
    /// Out of the fight by the GM's word.
    Defeated,
    /// Back in it by the GM's word.
    Revived,
    Hidden,
    /// Seen from now on; `was` is the name the GM knew it by, where it has another now.
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
    /// Initiative said by the GM.
    InitiativeSet {
        before: Option<i64>,
        after: i64,
    },
    /// Initiative by the rules, beside the roll; `card` where it is one.
    InitiativeRolled {
        initiative: i64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        card: Option<String>,
    },
    SideChanged {
        before: String,
        after: String,
    },
    /// Acts in this round though it joined above the pointer.
    ActsNow,
}

/// Who held effects that end because they can no longer act.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    pub subject: Subject,
    /// Players did not see what became of them.
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
    /// What is left of it, in words: "2 rounds".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<String>,
}

impl EffectOn {
    /// "bless on Jory"
    pub fn label(&self) -> String {
        format!("{} on {}", self.name, self.on.name)
    }
}
