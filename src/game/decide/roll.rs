//! Rolls without a rule: rolls an expression, if the adventure allows its dice, and logs it.

use crate::dice::{Die, Expression};
use crate::game::limits::{self, LIMITS};
use crate::game::mechanics::lookup;
use crate::game::mechanics::values::dice_refusal;
use crate::game::record::entry::{RollRecord, Visibility};
use crate::game::record::event::Event;
use crate::game::record::state::{Character, State};
use crate::game::refusal::{Code, Refusal};
use crate::game::table::{Draft, Table};
use crate::game::view::secrets;
use crate::rules::{Showing, System};

/// The call, with its expression parsed.
pub struct RollCall {
    pub expression: Expression,
    /// The expression as it was sent.
    pub input: String,
    pub context: Option<String>,
    /// Whose roll it is; the GM's when nobody is named.
    pub character: Option<String>,
    pub visibility: Option<Visibility>,
    /// Any size of die is allowed: the structured form outside an adventure.
    pub any_die: bool,
    /// The faces that people rolled by hand.
    pub entered: Option<Vec<i64>>,
}

/// The record of a roll: by the program, or of the faces that people rolled.
pub fn record(
    table: &mut Table,
    expression: &Expression,
    entered: Option<&[i64]>,
    by: &str,
    purpose: &str,
) -> Result<RollRecord, Refusal> {
    match entered {
        Some(faces) => table.roll_entered(expression, faces, by, purpose),
        None => table.roll(expression, by, purpose).map_err(|error| dice_refusal(&error)),
    }
}

/// Rolls and logs; returns the entry's number.
pub fn decide(table: &mut Table, call: RollCall) -> Result<u64, Refusal> {
    if let Some(context) = &call.context {
        limits::text("context", context, LIMITS.context)?;
    }
    if !call.any_die {
        check_dice(table.system(), &call.expression)?;
    }
    let (actor, visibility) = actor_and_visibility(table, call.character.as_deref(), call.visibility)?;
    secrets::check_text(table.state, table.system(), visibility, "context", call.context.as_deref())?;
    secrets::check_text(table.state, table.system(), visibility, "expression", Some(&call.input))?;
    let record = record(table, &call.expression, call.entered.as_deref(), &actor, "")?;
    let event = Event::Roll { input: call.input, context: call.context, aside: true, check: None };
    Ok(table.log(Draft { visibility, rolls: vec![record], ..Draft::new(&actor, event, Vec::new()) }))
}

/// Several rolls in one call: each of `dice` in order, `count` times. All or none.
pub struct RollSetCall {
    /// Each expression, parsed and as it was sent.
    pub dice: Vec<(Expression, String)>,
    /// 1 to 100; with `dice` at most [`Limits::rolls`](crate::game::limits::Limits) rolls in all.
    pub count: u32,
    pub context: Option<String>,
    pub character: Option<String>,
    pub visibility: Option<Visibility>,
    pub any_die: bool,
}

/// Rolls and logs them as one entry; returns its number.
pub fn decide_set(table: &mut Table, call: RollSetCall) -> Result<u64, Refusal> {
    if let Some(context) = &call.context {
        limits::text("context", context, LIMITS.context)?;
    }
    let rolls = call.dice.len().saturating_mul(call.count as usize);
    limits::count("rolls times count", rolls, LIMITS.rolls)?;
    let asked = call.dice.iter().fold(0u64, |sum, (expression, _)| sum.saturating_add(expression.asked()));
    let asked = usize::try_from(asked.saturating_mul(u64::from(call.count))).unwrap_or(usize::MAX);
    limits::count("dice of all rolls", asked, LIMITS.dice)?;
    if !call.any_die {
        call.dice.iter().try_for_each(|(expression, _)| check_dice(table.system(), expression))?;
    }
    let (actor, visibility) = actor_and_visibility(table, call.character.as_deref(), call.visibility)?;
    secrets::check_text(table.state, table.system(), visibility, "context", call.context.as_deref())?;
    for (_, input) in &call.dice {
        secrets::check_text(table.state, table.system(), visibility, "expression", Some(input))?;
    }
    let mut records = Vec::with_capacity(rolls);
    for _ in 0..call.count {
        for (expression, _) in &call.dice {
            records.push(table.roll(expression, &actor, "").map_err(|error| dice_refusal(&error))?);
        }
    }
    let inputs = call.dice.into_iter().map(|(_, input)| input).collect();
    let event = Event::RollSet { inputs, count: call.count, context: call.context, aside: true, check: None };
    Ok(table.log(Draft { visibility, rolls: records, ..Draft::new(&actor, event, Vec::new()) }))
}

/// The actor, and the visibility unless the call sets it.
pub fn actor_and_visibility(
    table: &Table,
    character: Option<&str>,
    visibility: Option<Visibility>,
) -> Result<(String, Visibility), Refusal> {
    let who = character.map(|name| lookup::character_in(table.state, table.system(), "character", name)).transpose()?;
    let actor = who.map_or_else(|| "gm".to_owned(), |character| character.name.clone());
    let visibility = visibility.unwrap_or_else(|| default_visibility(table.state, table.system(), who));
    secrets::check_character(table.state, visibility, "character", who)?;
    Ok((actor, visibility))
}

/// Rolls of player characters and of the GM are public, those of non-player characters the GM's, unless the rules say
/// otherwise. Rolls of hidden characters are always the GM's.
pub fn default_visibility(state: &State, system: &System, who: Option<&Character>) -> Visibility {
    if who.is_some_and(|character| secrets::is_hidden_from_players(state, character)) {
        return Visibility::Gm;
    }
    let showing = match who {
        Some(character) if !character.kind.is_open() => system.showing.others,
        _ => system.showing.players,
    };
    match showing {
        Showing::Public => Visibility::Public,
        Showing::OutcomeOnly => Visibility::OutcomeOnly,
        Showing::Blind => Visibility::Blind,
        Showing::Gm => Visibility::Gm,
    }
}

/// Refuses dice that are no amount of damage: others than the adventure has, a count of successes, a check.
pub fn check_amount(system: &System, parameter: &str, example: &str, expression: &Expression) -> Result<(), Refusal> {
    check_dice(system, expression)?;
    if expression.counts() || expression.is_compared() {
        let summary =
            format!("{parameter} is a total, not a count of successes or a check. Send {parameter}=\"{example}\".");
        return Err(Refusal::new(Code::InvalidParameters, summary));
    }
    Ok(())
}

/// Refuses dice that the adventure does not have; the refusal lists those it has.
pub fn check_dice(system: &System, expression: &Expression) -> Result<(), Refusal> {
    expression.dice().iter().try_for_each(|die| check_die(system, die))
}

/// The same for one die.
pub fn check_die(system: &System, die: &Die) -> Result<(), Refusal> {
    if system.dice.allows(die) {
        return Ok(());
    }
    let summary =
        format!("{die} is not rolled at this table; its dice are {}. Example: \"2d6 + 3\".", system.dice.list());
    let mut refusal = Refusal::new(Code::InvalidDie, summary);
    refusal.source = system.dice.place.as_ref().map(|place| place.to_string().into_boxed_str());
    Err(refusal)
}
