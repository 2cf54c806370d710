//! Where a caller over HTTP sits: at which table, and on which side of it.

use rollbook_game::refusal::{Code, Refusal};
use rollbook_store::keys::Role;

/// Who calls over HTTP: the key's id, its campaign, and what it may.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seat {
    pub key: String,
    pub campaign: String,
    pub role: Role,
}

impl Seat {
    pub fn player(&self) -> Option<&str> {
        self.role.character()
    }

    /// The refusal of a call that came with a name which the key's campaign does not have any more. It names no other campaign.
    pub fn has_moved() -> Refusal {
        let summary = "The campaign of this key was renamed or removed a moment ago. Send the same call again.";
        Refusal::new(Code::UnknownCampaign, summary)
    }

    pub fn is_player(&self) -> bool {
        matches!(self.role, Role::Player { .. })
    }
}
