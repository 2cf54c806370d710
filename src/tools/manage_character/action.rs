//! What `manage_character` can do.

use schemars::JsonSchema;
use serde::Deserialize;

/// What to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    Create,
    Update,
    Award,
    LevelUp,
    Rest,
    AddCondition,
    RemoveCondition,
    Give,
    Retire,
    Import,
    Export,
}

impl Action {
    /// As it is sent.
    pub fn as_str(self) -> &'static str {
        match self {
            Action::Create => "create",
            Action::Update => "update",
            Action::Award => "award",
            Action::LevelUp => "level_up",
            Action::Rest => "rest",
            Action::AddCondition => "add_condition",
            Action::RemoveCondition => "remove_condition",
            Action::Give => "give",
            Action::Retire => "retire",
            Action::Import => "import",
            Action::Export => "export",
        }
    }
}
