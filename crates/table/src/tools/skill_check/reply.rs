//! What `skill_check` answers.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::params::Group;
use crate::session::Common;
use crate::tools::apply_damage::{self, TrackReply};
use crate::tools::reply::{fields, filled};
use crate::tools::roll_reply::{LoggedRoll, RollReply};
use crate::tools::schema::Object;
use rollbook_game::record::change::{Change, Images};
use rollbook_game::record::event::{CheckEvent, Event, Modifier, Opposed, TieGoes, TurnBegan};
use rollbook_game::record::purpose::{OPPOSED, OPPOSING};
use rollbook_game::record::state::Condition;
use rollbook_game::table::{Table, Written};
use rollbook_rules::Outcome;

/// One check; or several, of a call with several targets; or several turns.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Reply {
    One(Box<One>),
    Several(Several),
    #[schemars(skip)]
    Turns(Turns),
}

/// Turns that were taken, and what was sent for those that are left.
#[derive(Serialize)]
pub struct Turns {
    pub turns: Vec<Reply>,
    #[serde(flatten)]
    pub turn: Turn,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<Map<String, Value>>,
}

/// Checks against several targets.
#[derive(Serialize, JsonSchema)]
pub struct Several {
    /// {who, outcome} of each, in order
    #[schemars(with = "Vec<Object>")]
    outcomes: Vec<OutcomeOf>,
    // Of all together, where group says how.
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<String>,
    #[schemars(skip)]
    checks: Vec<One>,
    #[serde(flatten)]
    #[schemars(skip)]
    turn: Turn,
}

#[derive(Serialize)]
struct OutcomeOf {
    #[serde(skip_serializing_if = "Option::is_none")]
    who: Option<String>,
    outcome: Option<String>,
}

impl Several {
    pub fn of(checks: Vec<One>, turn: Turn, people: bool, group: Option<Group>) -> Several {
        let who = |one: &One| {
            if people {
                one.character.clone()
            } else {
                one.against.clone()
            }
        };
        let outcomes: Vec<OutcomeOf> = checks
            .iter()
            .map(|check| OutcomeOf {
                who: who(check),
                outcome: check.outcome.clone(),
            })
            .collect();
        let ranked: Vec<Outcome> = checks.iter().filter_map(|check| check.ranked).collect();
        let succeeded = ranked
            .iter()
            .filter(|outcome| **outcome >= Outcome::Success)
            .count();
        let together = |all: bool| {
            Some(if all {
                Outcome::Success
            } else {
                Outcome::Failure
            })
        };
        let outcome = match group {
            None | Some(Group::Each) => None,
            Some(Group::All) => together(succeeded == checks.len()),
            Some(Group::Half) => together(succeeded * 2 >= checks.len()),
            Some(Group::Best) => ranked.into_iter().max(),
        };
        Several {
            outcomes,
            outcome: outcome.map(snake),
            checks,
            turn,
        }
    }

    /// Adds what came of it together to the summary, and to what players hear if that is the same.
    pub fn say_together(&self, common: &mut Common) {
        let Some(outcome) = &self.outcome else { return };
        let succeeded = self.outcomes.iter().filter(|check| {
            check
                .outcome
                .as_deref()
                .is_some_and(|outcome| outcome == "success" || outcome == "critical_success")
        });
        let together = format!(
            " Together: {}, {} of {}.",
            outcome.replace('_', " "),
            succeeded.count(),
            self.outcomes.len()
        );
        if common.player_text.as_ref() == Some(&common.summary) {
            common
                .player_text
                .iter_mut()
                .for_each(|text| text.push_str(&together));
        }
        common.summary.push_str(&together);
    }
}

/// Whose turn it is, where the call moved it.
#[derive(Default, Serialize, JsonSchema)]
pub struct Turn {
    #[serde(skip_serializing_if = "Option::is_none")]
    round: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    current: Option<String>,
}

impl Turn {
    pub fn of(table: &Table) -> Turn {
        let began = table
            .call_entries()
            .filter_map(|written| match &written.entry.event {
                Event::TurnBegan(TurnBegan { round, began, .. }) => Some(Turn {
                    round: Some(*round),
                    current: Some(began.name.clone()),
                }),
                _ => None,
            });
        began.last().unwrap_or_default()
    }

    /// Takes the sentence that this turn begins off the end of a text.
    pub fn cut(&self, text: &mut String) {
        let (Some(round), Some(who)) = (self.round, &self.current) else {
            return;
        };
        let sentences = [
            format!("{who} is up."),
            format!("Round {round}: {who}'s turn."),
        ];
        let rest = sentences.iter().find_map(|end| text.strip_suffix(end));
        let kept = rest.map_or(text.len(), |rest| rest.trim_end().len());
        text.truncate(kept);
    }
}

/// The outcome, and everything it came from. Fields that only some rules have, or that repeat the
/// call, are left out of the schema: every client reads it.
#[derive(Serialize, JsonSchema)]
pub struct One {
    #[schemars(skip)]
    check: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    character: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    skill: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    attribute: Option<String>,
    #[schemars(skip)]
    modifier: i64,
    #[schemars(skip)]
    modifiers: Vec<Modifier>,
    #[schemars(with = "Object")]
    roll: LoggedRoll,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    successes: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    difficulty: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    target: Option<i64>,
    #[serde(skip)]
    #[schemars(skip)]
    ranked: Option<Outcome>,
    /// critical_success, success, partial_success, failure or critical_failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<String>,
    // The author's word for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    /// Positive is good.
    #[serde(skip_serializing_if = "Option::is_none")]
    margin: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rank: Option<u32>,
    // What the author says happens.
    #[serde(skip_serializing_if = "Option::is_none")]
    row_text: Option<String>,
    // What is true beside the outcome.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    flags: Vec<String>,
    // What may follow the roll: one of them is sent as again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    pub follow_ups: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    against: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Object")]
    opposed: Option<OpposedReply>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub damage_roll: Option<RollReply>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Object>")]
    pub damage: Option<apply_damage::Reply>,
    #[serde(flatten)]
    pub turn: Turn,
    // stated {roll, or_less, rows, override_reason}, said, opposing, beaten, results, adjustments,
    // again; contest: won, lost, tie, again; the row's tracks {name, before, after, max}, triggers,
    // conditions.
    #[serde(flatten)]
    #[schemars(skip)]
    more: Map<String, Value>,
}

#[derive(Serialize)]
struct OpposedReply {
    character: Option<String>,
    #[serde(flatten)]
    opposed: Opposed,
    roll: Option<RollReply>,
}

/// The tracks that a row of the outcome moved, with the triggers and conditions that followed.
#[derive(Default)]
pub struct Moved {
    tracks: Vec<TrackReply>,
    triggers: Vec<String>,
    conditions: Option<Vec<String>>,
}

impl Moved {
    /// From the entries that the call wrote after the check.
    pub fn by(table: &Table, who: Option<i64>) -> Moved {
        let mut moved = Moved::default();
        for written in table.call_entries() {
            let Event::Damage(event) = &written.entry.event else {
                continue;
            };
            if Some(event.subject.id) != who {
                continue;
            }
            let rows = written
                .entry
                .changes
                .iter()
                .filter_map(|change| match change {
                    Change::Track(Images {
                        before: Some(before),
                        after: Some(after),
                    }) => Some((before, after)),
                    _ => None,
                });
            moved
                .tracks
                .extend(rows.map(|(before, after)| TrackReply::of(before, after)));
            moved.triggers.extend(event.triggers.iter().cloned());
            if !event.gained.is_empty() || !event.lost.is_empty() {
                moved.conditions = Some(
                    table
                        .state
                        .conditions_of(event.subject.id)
                        .map(Condition::label)
                        .collect(),
                );
            }
        }
        moved
    }
}

impl One {
    /// The reply to a check alone, without what the call did besides.
    pub fn of_entry(written: &Written, event: CheckEvent) -> Option<One> {
        Some(One::of(
            written,
            event,
            LoggedRoll::of(written)?,
            Moved::default(),
        ))
    }

    pub fn of(written: &Written, event: CheckEvent, roll: LoggedRoll, moved: Moved) -> One {
        let contest = event.opposed.as_ref().map(|opposed| {
            match (opposed.won, opposed.tie, opposed.tie_goes) {
                (true, ..) => "won",
                (false, true, Some(TieGoes::Again)) => "again",
                (false, true, None | Some(TieGoes::Actor)) => "tie",
                (false, true, Some(TieGoes::Other)) | (false, false, _) => "lost",
            }
        });
        let more = json!({
            "stated": event.stated,
            "said": filled(event.said),
            "opposing": RollReply::beside(written, OPPOSING),
            "beaten": event.beaten,
            "results": filled(event.results),
            "adjustments": filled(event.adjustments),
            "contest": contest,
            "again": event.again,
            "tracks": Some(moved.tracks).filter(|tracks| !tracks.is_empty()),
            "triggers": filled(moved.triggers),
            "conditions": moved.conditions,
        });
        One {
            check: event.check,
            character: event.subject.map(|subject| subject.name),
            skill: event.skill,
            attribute: event.attribute,
            modifier: event.modifiers.iter().map(|modifier| modifier.value).sum(),
            modifiers: event.modifiers.into_iter().chain(event.variables).collect(),
            roll,
            successes: event.successes,
            difficulty: event.difficulty,
            target: event.target,
            ranked: event.outcome,
            outcome: event.outcome.map(snake),
            label: event.label,
            margin: event.margin,
            rank: event.rank,
            row_text: event.row_text,
            flags: event.flags,
            follow_ups: Vec::new(),
            against: event.against.map(|subject| subject.name),
            opposed: event.opposed.map(|opposed| OpposedReply {
                character: opposed.subject.as_ref().map(|subject| subject.name.clone()),
                opposed,
                roll: RollReply::beside(written, OPPOSED),
            }),
            damage_roll: None,
            damage: None,
            turn: Turn::default(),
            more: fields(&more),
        }
    }
}

fn snake(outcome: Outcome) -> String {
    outcome.as_str().replace(' ', "_")
}
