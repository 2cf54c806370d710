//! What `manage_character` can do, and which fields each action takes.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::params::Params;
use crate::tools::reply::refuse_unread;
use rollbook_game::refusal::{Detail, Refusal};

use Action::{AddCondition, Award, Create, Export, Give, Import, LevelUp, RemoveCondition, Rest, Update};

/// What to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

impl Action {
    /// Refuses fields that the action does not read, with the actions that do: the reply could not be true of them.
    pub fn refuse_unread(self, params: &Params) -> Result<(), Refusal> {
        let written = |text: &Option<String>| text.as_ref().is_some_and(|text| !text.trim().is_empty());
        let sheet: &[Action] = &[Create, Update, Import, LevelUp];
        let fields: [(&str, bool, &[Action]); 27] = [
            ("kind", written(&params.kind), &[Create, Update, Import, Rest, LevelUp]),
            ("from", written(&params.from), &[Create, Import]),
            ("count", params.count.is_some_and(|count| count != 1), &[Create]),
            ("attributes", !params.attributes.is_empty(), sheet),
            ("roll_attributes", written(&params.roll_attributes), &[Create, Import]),
            ("skills", !params.skills.is_empty(), sheet),
            ("level", params.level.is_some(), &[Create, Update, Import, AddCondition, RemoveCondition]),
            ("xp", params.xp.is_some(), &[Create, Update, Import, Award]),
            ("tracks", !params.tracks.is_empty(), sheet),
            ("inventory", !params.inventory.is_empty(), &[Create, Update, Import, Award]),
            ("attacks", !params.attacks.is_empty(), sheet),
            ("worth", params.worth.is_some(), &[Create, Update, Import]),
            ("advance", !params.advance.is_empty(), &[Award]),
            ("condition", written(&params.condition), &[AddCondition, RemoveCondition]),
            ("conditions", !params.conditions.is_empty(), &[Create, Import]),
            ("on", params.on.is_some(), &[AddCondition, RemoveCondition]),
            ("free", params.free.is_some(), &[AddCondition, Create, Import]),
            ("duration", written(&params.duration), &[AddCondition]),
            ("source", written(&params.source), &[AddCondition]),
            ("hp", params.hp.is_some(), sheet),
            ("notes", written(&params.notes), sheet),
            ("gm_notes", written(&params.gm_notes), sheet),
            ("item", written(&params.item), &[Give]),
            ("quantity", params.quantity.is_some(), &[Give]),
            ("to", written(&params.to), &[Give]),
            ("text", written(&params.text), &[Import]),
            ("format", params.format.is_some(), &[Export]),
        ];
        let instead = |unread: &[Detail]| {
            let things = unread.iter().any(|detail| ["item", "quantity"].contains(&detail.parameter.as_str()));
            match self {
                Create | Update | Import | Award if things => {
                    " Things go into inventory=[{\"name\": \"rope\", \"quantity\": 1}]."
                }
                LevelUp if params.level.is_some() => {
                    " It goes up by one, as the rules say; action=\"update\" sets level to any number."
                }
                Award if !params.tracks.is_empty() => {
                    " apply_damage with track=\"…\" gives points of a track (amount=-1) and takes them (amount=1)."
                }
                _ => "",
            }
            .to_owned()
        };
        refuse_unread(self, &fields, ", ", instead)
    }
}
