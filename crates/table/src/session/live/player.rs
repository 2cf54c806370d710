//! Calls from a player's seat. They are tried first on the table as players know it, so that a
//! refusal depends on nothing else; the real table's says no more. Replies have what players see.

use serde_json::{Map, Value, json};

use super::answer::Fields;
use super::campaign::View;
use super::history::{Entries, Numbered};
use super::request::Readers;
use super::{Answer, Common, Live, Request};
use rollbook_dice::OsRoller;
use rollbook_game::mechanics::clocks;
use rollbook_game::record::entry::RollRecord;
use rollbook_game::record::instant::iso;
use rollbook_game::record::state::State;
use rollbook_game::refusal::{Code, Refusal};
use rollbook_game::table::{Table, Unrecorded};
use rollbook_game::view::visibility::{is_seen_by_players, seen};
use rollbook_rules::Outcome;

/// The reply without what counts entries, hidden ones included; with the receipt when it is due.
pub fn for_player<T>(answer: Answer<T>) -> Answer<T> {
    let Common {
        summary,
        since,
        receipt_for_players,
        ..
    } = answer.common;
    Answer {
        common: Common {
            since,
            receipt_for_players,
            ..Common::of(summary)
        },
        ..answer
    }
}

/// The refusal of a call outside a sitting, which only the GM opens.
pub fn no_session() -> Refusal {
    let summary = "No session is open. Ask the GM to begin one; manage_session action=\"status\" wait_s=25 tells when it does.";
    Refusal::new(Code::NoSession, summary)
}

impl Live {
    /// Tries a call on the table as that player knows it, with unseen dice; and again with other
    /// numbers of those who are not the players'. A refusal that differs would tell of them.
    pub(super) fn tried<T>(
        &self,
        character: &str,
        at: i64,
        entries: &Entries,
        decide: impl FnOnce(&mut Table) -> Result<Answer<T>, Refusal> + Clone,
    ) -> Result<(), Refusal> {
        let mut known = seen(&self.state, character);
        // Of what the rules declare there would be another value.
        known.clocks.retain(|_, clock| {
            !clock.hidden || clocks::clock_of_rules(&self.setting.system, &clock.name).is_some()
        });
        let mut other = known.clone();
        for foe in other
            .characters
            .values_mut()
            .filter(|who| !who.kind.is_open())
        {
            foe.attributes
                .values_mut()
                .chain(foe.skills.values_mut())
                .for_each(|score| *score += 1);
        }
        let again = decide.clone();
        match (
            self.try_on(known, at, entries, decide),
            self.try_on(other, at, entries, again),
        ) {
            (Ok(()), Ok(())) => Ok(()),
            (Err(one), Err(other)) if one.summary == other.summary => Err(one),
            _ => Err(Refusal::not_as_it_is()),
        }
    }

    fn try_on<T>(
        &self,
        mut state: State,
        at: i64,
        (referred, later): &Entries,
        decide: impl FnOnce(&mut Table) -> Result<Answer<T>, Refusal>,
    ) -> Result<(), Refusal> {
        let mut chance = Unrecorded(OsRoller::new());
        let mut table = Table::new(
            &mut state,
            &self.setting,
            &mut chance,
            at,
            self.head.seq,
            None,
        );
        table.is_player = true;
        (table.referred, table.later) = (referred.clone(), later.clone());
        decide(&mut table).map(drop)
    }

    /// Tries what is asked for before players, by what they saw; answers why it would be refused.
    pub(super) fn tried_before_players<T>(
        &self,
        request: &Request,
        at: i64,
        (referred, later): &Entries,
        decide: impl FnOnce(&mut Table) -> Result<Answer<T>, Refusal> + Clone,
    ) -> Option<Refusal> {
        if !request.caller.readers.are_players() || request.undoes() {
            return None;
        }
        if referred.as_ref().is_some_and(|entry| !self.is_seen(entry)) {
            return Some(Refusal::not_as_it_is());
        }
        let later = later
            .iter()
            .filter(|entry| self.is_seen(entry))
            .cloned()
            .collect();
        self.tried("", at, &(referred.clone(), later), decide).err()
    }

    pub(super) fn is_seen(&self, (_, entry): &Numbered) -> bool {
        is_seen_by_players(entry, &self.state)
    }

    /// What a look at the campaign finds for these readers: players find what they know.
    pub(super) fn looked<T>(
        &self,
        readers: Readers,
        view: View<'_>,
        mut look: impl FnMut(&View) -> Result<Answer<T>, Refusal>,
    ) -> Result<Answer<T>, Refusal> {
        let real = match readers {
            Readers::Gm => return look(&view),
            Readers::PlayersOfGm => Some(look(&view)),
            Readers::Players => None,
        };
        if let Some(Ok(found)) = real {
            return Ok(found);
        }
        let state = seen(&self.state, "");
        let found = look(&View {
            state: &state,
            ..view
        });
        if real.is_some() {
            Err(found.err().unwrap_or_else(Refusal::not_as_it_is))
        } else {
            found
        }
    }
}

/// What a player reads of a call: the sentences, dice and outcome that players see.
pub fn player_reply<T>(answer: Answer<T>, table: &Table) -> Answer<T> {
    let seen = || {
        table
            .call_entries()
            .filter_map(|written| written.players.seen.as_ref())
    };
    let rolls: Vec<(i64, &RollRecord)> = seen()
        .flat_map(|seen| seen.rolls.iter().map(|roll| (seen.at, roll)))
        .collect();
    let verdict = seen().find(|seen| seen.outcome.is_some() || seen.label.is_some());
    let total = if let [(_, only)] = rolls.as_slice() {
        Some(only.roll.total)
    } else {
        None
    };
    let rolls = rolls
        .into_iter()
        .map(|(at, record)| roll_in_full(record, at))
        .collect();
    let mut fields = seen_fields(
        rolls,
        verdict.and_then(|seen| seen.outcome),
        verdict.and_then(|seen| seen.label.clone()),
    );
    fields.extend(total.map(|total| ("total".to_owned(), total.into())));
    let summary = answer
        .common
        .player_text
        .unwrap_or_else(|| "It is done.".to_owned());
    Answer {
        common: Common::of(summary),
        fields: Some(Fields::Kept(fields)),
        notes: Vec::new(),
        is_whole: true,
    }
}

/// The dice and the outcome that players saw, as fields of a reply.
pub fn seen_fields(
    rolls: Vec<Value>,
    outcome: Option<Outcome>,
    label: Option<String>,
) -> Map<String, Value> {
    let rolls = (!rolls.is_empty()).then(|| ("rolls".to_owned(), Value::from(rolls)));
    let outcome = outcome.map(|outcome| {
        (
            "outcome".to_owned(),
            Value::from(outcome.as_str().replace(' ', "_")),
        )
    });
    rolls
        .into_iter()
        .chain(outcome)
        .chain(label.map(|label| ("label".to_owned(), Value::from(label))))
        .collect()
}

/// A reply to a player whose assistant did not ask for every die.
pub fn brief(mut reply: Map<String, Value>) -> Map<String, Value> {
    for roll in reply
        .get_mut("rolls")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
    {
        if let Some(roll) = roll.as_object_mut() {
            roll.retain(|name, _| BRIEF.contains(&name.as_str()));
        }
    }
    reply
}

/// What a roll as a player reads it has in a brief reply.
const BRIEF: [&str; 4] = ["expression", "individual_rolls", "total", "explanation"];

/// The same with each die and the terms, as in the GM's full reply; it happened `at` then.
fn roll_in_full(record: &RollRecord, at: i64) -> Value {
    let rolled = &record.roll;
    let (dice, terms) = rolled.shown();
    let mut whole = roll(record);
    let (normalized, words) = rollbook_dice::described(&rolled.expression);
    let more = json!({
        "timestamp": iso(at),
        "operation": rolled.expression,
        "normalized_expression": normalized,
        "description": words,
        "terms": terms,
        "dice": dice,
        "successes": rolled.successes,
        "total_dice": rolled.total_dice,
    });
    if let (Some(whole), Value::Object(more)) = (whole.as_object_mut(), more) {
        whole.extend(more.into_iter().filter(|(_, value)| !value.is_null()));
    }
    whole
}

pub fn roll(record: &RollRecord) -> Value {
    json!({
        "expression": record.roll.expression,
        "individual_rolls": record.roll.faces(),
        "total": record.roll.total,
        "explanation": record.roll.explanation,
    })
}
