//! Which fields an action takes: one that it would pass over is refused, since the reply could not be true of it.

use super::action::Action;
use super::params::Params;
use crate::game::refusal::{Code, Detail, Refusal};

use Action::{AddCondition, Award, Create, Export, Give, Import, LevelUp, RemoveCondition, Rest, Update};

/// A refusal when something was sent that the action passes over, with the actions that take it.
pub fn taken(params: &Params) -> Result<(), Refusal> {
    let written = |text: &Option<String>| text.as_ref().is_some_and(|text| !text.trim().is_empty());
    let sheet: &[Action] = &[Create, Update, Import, LevelUp];
    let fields: [(&str, bool, &[Action]); 23] = [
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
        ("advance", !params.advance.is_empty(), &[Award]),
        ("condition", written(&params.condition), &[AddCondition, RemoveCondition]),
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
    let action = params.action;
    let unread: Vec<Detail> = fields
        .into_iter()
        .filter(|(_, sent, actions)| *sent && !actions.contains(&action))
        .map(|(parameter, _, actions)| Detail {
            parameter: parameter.to_owned(),
            issue: format!("{} does not take it", action.as_str()),
            valid_range: format!("of {}", actions.iter().map(|own| own.as_str()).collect::<Vec<_>>().join(", ")),
        })
        .collect();
    if unread.is_empty() {
        return Ok(());
    }
    let told: Vec<String> =
        unread.iter().map(|detail| format!("{} is {}", detail.parameter, detail.valid_range)).collect();
    let things = unread.iter().any(|detail| ["item", "quantity"].contains(&detail.parameter.as_str()));
    let instead = match action {
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
    };
    let summary = format!("{} does not take this: {}.{instead}", action.as_str(), told.join("; "));
    Err(Refusal::new(Code::InvalidParameters, summary).details(unread))
}
