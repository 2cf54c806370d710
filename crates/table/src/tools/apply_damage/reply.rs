//! What `apply_damage` answers.

use schemars::JsonSchema;
use serde::Serialize;

use crate::tools::roll_reply::Rolls;
use crate::tools::schema::Object;
use rollbook_game::record::event::{DamageEvent, Step};
use rollbook_game::record::state::Track;

/// One target, or several.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub enum HurtReply {
    One(Box<Reply>),
    Several(Several),
}

/// What it came to for several.
#[derive(Serialize, JsonSchema)]
pub struct Several {
    /// {who, saved, amount} of each, in order
    #[schemars(with = "Vec<Object>")]
    pub(super) hits: Vec<Hit>,
    // Each as it is alone.
    #[schemars(skip)]
    pub(super) targets: Vec<Reply>,
    #[schemars(skip)]
    pub(super) undo: Option<u64>,
    #[serde(flatten)]
    #[schemars(skip)]
    pub(super) rolls: Rolls,
}

#[derive(Serialize)]
pub(super) struct Hit {
    pub(super) who: String,
    /// The outcome of the save.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) saved: Option<String>,
    /// What came through.
    pub(super) amount: i64,
}

/// What it came to.
#[derive(Default, Serialize, JsonSchema)]
pub struct Reply {
    pub(super) target: String,
    pub(super) amount: i64,
    /// {step, before, after}
    #[schemars(with = "Vec<Object>")]
    pub(super) steps: Vec<Step>,
    /// {name, before, after, max}
    #[schemars(with = "Vec<Object>")]
    pub(super) tracks: Vec<TrackReply>,
    /// Rules that fired, in the author's words.
    pub(super) triggers: Vec<String>,
    // All of them, afterwards; an old entry does not say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) conditions: Option<Vec<String>>,
    /// Dead, or the main track (hit points) at its end.
    pub(super) incapacitated: bool,
    // Nothing was changed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) preview: bool,
    // The entry to undo.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) undo: Option<u64>,
    #[serde(flatten)]
    #[schemars(skip)]
    pub(super) rolls: Rolls,
}

impl Reply {
    /// The reply to a blow that stands in the log.
    pub fn of_entry(event: &DamageEvent, tracks: Vec<TrackReply>, incapacitated: bool) -> Reply {
        Reply {
            target: event.subject.name.clone(),
            amount: event.amount,
            steps: event.steps.clone(),
            tracks,
            triggers: event.triggers.clone(),
            incapacitated,
            ..Reply::default()
        }
    }
}

/// A track that moved.
#[derive(Serialize)]
pub struct TrackReply {
    name: String,
    before: i64,
    after: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<i64>,
}

impl TrackReply {
    /// From here to there.
    pub fn of(before: &Track, after: &Track) -> TrackReply {
        TrackReply { name: after.name.clone(), before: before.value, after: after.value, max: after.max }
    }
}
