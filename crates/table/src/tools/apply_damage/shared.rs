//! Damage to a clock or a shared track: `target="Flooding"`, or `target="company" track="Stress"`.

use super::params::Params;
use super::{Reply, TrackReply};
use crate::tools::parameter::{NumberOrWord, Whom};
use rollbook_game::decide::clock::{self, ClockCall};
use rollbook_game::decide::damage::{dealt, not_a_damage_roll, rolled_amounts};
use rollbook_game::decide::roll::{self, RollCall};
use rollbook_game::limits::{self, LIMITS};
use rollbook_game::mechanics::clocks::{self, COMPANY};
use rollbook_game::mechanics::lookup;
use rollbook_game::mechanics::several::is_side;
use rollbook_game::mechanics::values::dice_refusal;
use rollbook_game::record::entry::Visibility;
use rollbook_game::record::state::{Clock, State};
use rollbook_game::refusal::{Code, Refusal};
use rollbook_game::table::Table;
use rollbook_rules::System;
use rollbook_text::names::{Found, fold, quoted, same, suggest};

/// The clock or shared track that the call is about; none where it is about someone.
pub fn named(state: &State, system: &System, params: &Params) -> Result<Option<Clock>, Refusal> {
    let Whom::One(target) = &params.target else {
        return Ok(None);
    };
    if lookup::by_name(state, target).is_some() {
        return Ok(None);
    }
    let open = clocks::open(state, system);
    let found = match open.iter().find(|clock| same(&clock.name, target)) {
        _ if same(target, COMPANY) => Some(of_company(open, params.track.as_deref())?),
        Some(clock) => Some(clock.clone()),
        None => by_word(state, system, open, target)?,
    };
    match &found {
        Some(clock) => check_params(clock, params).map(|()| found),
        None => Ok(None),
    }
}

/// The clock that is meant where nobody is; what is nearly one is advised.
fn by_word(
    state: &State,
    system: &System,
    open: Vec<Clock>,
    target: &str,
) -> Result<Option<Clock>, Refusal> {
    let is_participant = match lookup::participant(state, system, "target", target) {
        Err(refusal) => refusal.code != Code::UnknownCharacter || !refusal.did_you_mean.is_empty(),
        Ok(_) => true,
    };
    if is_participant || is_side(state, target) || same(target, "npc") {
        return Ok(None);
    }
    let names: Vec<String> = open.iter().map(|clock| clock.name.clone()).collect();
    // A word of a clock's name may be meant for a person: "Wolf" of the clock "Wolf comes".
    let suggestions = match clocks::named(open, target) {
        Found::One(clock) if fold(target).strip_prefix("the ") == Some(&fold(&clock.name)) => {
            return Ok(Some(clock));
        }
        Found::One(clock) => vec![clock.name],
        Found::Several(fit) => fit.into_iter().map(|clock| clock.name).collect(),
        Found::Nothing => suggest(target, names.iter().map(String::as_str)),
    };
    if suggestions.is_empty() {
        return Ok(None);
    }
    let summary = format!("Nobody and no clock is called \"{}\".", quoted(target));
    Err(Refusal::new(Code::UnknownTrack, summary).near("target", suggestions, ""))
}

fn of_company(open: Vec<Clock>, track: Option<&str>) -> Result<Clock, Refusal> {
    let names: Vec<String> = open.iter().map(|clock| clock.name.clone()).collect();
    let (suggestions, wanted) = match track {
        None => (
            names.iter().take(3).cloned().collect(),
            "Which of them?".to_owned(),
        ),
        Some(track) => match clocks::named(open, track) {
            Found::One(clock) => return Ok(clock),
            Found::Several(fit) => {
                return Err(lookup::ambiguous(
                    "track",
                    track,
                    fit.into_iter().map(|clock| clock.name).collect(),
                ));
            }
            Found::Nothing => {
                let suggestions = suggest(track, names.iter().map(String::as_str));
                (
                    suggestions,
                    format!("The company has no \"{}\".", quoted(track)),
                )
            }
        },
    };
    let make = "manage_session action=\"clock\" name=\"Supplies\" segments=10 value=10 makes one";
    let summary = match names.first() {
        None => format!("The company shares nothing yet. {make}."),
        Some(first) => {
            let first = suggestions.first().unwrap_or(first);
            format!(
                "{wanted} The company has {}. Send track=\"{first}\", or another of these; {make}.",
                names.join(", ")
            )
        }
    };
    Err(Refusal::new(Code::UnknownTrack, summary).did_you_mean(suggestions))
}

fn check_params(clock: &Clock, params: &Params) -> Result<(), Refusal> {
    let sent = [
        ("save", params.save.is_some()),
        ("parts", !params.parts.is_empty()),
        ("bypass", !params.bypass.is_empty()),
        ("half", params.half == Some(true)),
        ("each", params.each == Some(true)),
        ("damage_type", params.damage_type.is_some()),
        ("apply_conditions", !params.apply_conditions.is_empty()),
        ("remove_conditions", !params.remove_conditions.is_empty()),
        ("preview", params.preview == Some(true)),
        ("visibility", params.visibility.is_some()),
    ];
    let unread: Vec<&str> = sent
        .into_iter()
        .filter(|(_, sent)| *sent)
        .map(|(name, _)| name)
        .collect();
    let name = &clock.name;
    if !unread.is_empty() {
        let summary = format!(
            "{name} is no character and does not take {}. Send amount=1 alone; manage_session action=\"clock\" shows or hides it.",
            unread.join(", ")
        );
        return Err(Refusal::new(Code::InvalidParameters, summary));
    }
    if params.amount.is_none() && params.roll.is_none() {
        let summary = format!(
            "{name} is at {}. Send amount=1 to move it.",
            clock.render_value()
        );
        return Err(Refusal::new(Code::NoEffect, summary));
    }
    Ok(())
}

/// Rolls dice that are asked for, and moves it. Nothing is refused once dice fell.
pub fn apply(table: &mut Table, clock: &Clock, params: &Params) -> Result<Reply, Refusal> {
    limits::text(
        "reason",
        params.reason.as_deref().unwrap_or_default(),
        LIMITS.context,
    )?;
    let (amount, roll) = match &params.amount {
        Some(NumberOrWord::Number(amount)) => {
            limits::number("amount", *amount)?;
            (*amount, None)
        }
        Some(NumberOrWord::Word(input)) => {
            rolled_now(table, clock, input, params.reason.as_deref())?
        }
        None => rolled_before(table)?,
    };
    let value = clocks::nearest(clock, clock.worse_by(amount));
    let (after, triggers) =
        if value == clock.value && matches!(params.amount, Some(NumberOrWord::Word(_))) {
            table.note([format!("{} stays at {}", clock.name, clock.render_value())]);
            (clock.clone(), Vec::new())
        } else {
            let call = ClockCall {
                name: clock.name.clone(),
                value: Some(value),
                reason: params.reason.clone(),
                reason_parameter: "reason",
                roll,
                ..ClockCall::default()
            };
            let moved = clock::decide(table, &call)?;
            (moved.after, moved.triggers)
        };
    Ok(Reply {
        target: clock.name.clone(),
        amount,
        tracks: vec![TrackReply::of(
            &clocks::as_track(clock),
            &clocks::as_track(&after),
        )],
        triggers,
        conditions: Some(Vec::new()),
        undo: table.first_entry,
        ..Reply::default()
    })
}

fn rolled_now(
    table: &mut Table,
    clock: &Clock,
    input: &str,
    reason: Option<&str>,
) -> Result<(i64, Option<u64>), Refusal> {
    let expression = rollbook_dice::read(input).map_err(|error| dice_refusal(&error))?;
    roll::check_amount(table.system(), "amount", "1d6", &expression)?;
    let visibility = if clock.hidden {
        Visibility::Gm
    } else {
        Visibility::Public
    };
    table.check_text(visibility, "reason", reason)?;
    let context = reason.map_or_else(
        || clock.name.clone(),
        |reason| roll::context_of(&clock.name, reason),
    );
    let call = RollCall {
        expression,
        input: input.to_owned(),
        context: Some(context),
        character: None,
        reader: None,
        visibility: Some(visibility),
        any_die: false,
        entered: None,
        deals: false,
    };
    let seq = roll::decide(table, call)?;
    let rolled = table
        .written_at(seq)
        .and_then(|written| written.entry.rolls.first());
    Ok((rolled.map_or(0, |record| dealt(&record.roll)), Some(seq)))
}

/// The amount of the entry that `roll` names.
fn rolled_before(table: &Table) -> Result<(i64, Option<u64>), Refusal> {
    let Some((seq, entry)) = table.referred.as_ref() else {
        return Err(Refusal::new(
            Code::UnknownEntry,
            "There is no such roll. Send amount=1.",
        ));
    };
    let totals = rolled_amounts(entry).map_err(|why| not_a_damage_roll(*seq, &why))?;
    let amount = totals
        .iter()
        .fold(0_i64, |sum, total| sum.saturating_add(*total));
    Ok((amount, Some(*seq)))
}
