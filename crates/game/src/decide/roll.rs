//! Rolls without a rule: rolls an expression, if the adventure allows its dice, and logs it.

use crate::limits::{self, LIMITS};
use crate::mechanics::{lookup, values::dice_refusal};
use crate::record::entry::{RollRecord, Visibility};
use crate::record::event::{Event, RollEvent, RollSet, Subject};
use crate::record::state::{Character, State};
use crate::refusal::{Code, Detail, Refusal, Result};
use crate::table::{Draft, Table};
use crate::view::secrets;
use rollbook_dice::{DiceError, Die, EnteredRoller, Expression, Roll, Roller};
use rollbook_rules::{Showing, System};

/// The call, with its expression parsed.
pub struct RollCall {
    pub expression: Expression,
    /// The expression as it was sent.
    pub input: String,
    pub context: Option<String>,
    /// Whose roll it is; the GM's when nobody is named.
    pub character: Option<String>,
    pub visibility: Option<Visibility>,
    /// The one player's character for whom it is, where it is hidden.
    pub reader: Option<Subject>,
    /// Any size of die is allowed: the structured form outside an adventure.
    pub any_die: bool,
    /// The faces that people rolled by hand.
    pub entered: Option<Vec<i64>>,
    /// It is dealt as damage in the same call.
    pub deals: bool,
}

/// The record of a roll: by the program, or of the faces that people rolled.
pub fn record(
    table: &mut Table,
    dice: &Expression,
    faces: Option<&[i64]>,
    by: &str,
    what: &str,
) -> Result<RollRecord> {
    let Some(faces) = faces else {
        return table
            .roll(dice, by, what)
            .map_err(|error| dice_refusal(&error));
    };
    let mut entered = Entered::new(faces);
    entered.next([dice], "");
    let record = entered.roll(table, by, what, |roller| dice.roll(roller))?;
    entered.finish().map(|()| record)
}

/// Rolls and logs; returns the entry's number.
pub fn decide(table: &mut Table, call: RollCall) -> Result<u64> {
    let (actor, visibility) = check_call(table, &call)?;
    table.reader = call.reader;
    let record = record(table, &call.expression, call.entered.as_deref(), &actor, "")?;
    let event = Event::Roll(RollEvent {
        input: call.input,
        context: call.context,
        check: None,
        deals: call.deals,
    });
    Ok(table.log(Draft {
        visibility,
        rolls: vec![record],
        ..Draft::new(&actor, event, Vec::new())
    }))
}

/// Where a roll of a set is in the log: its entry, and which of that entry's rolls it is, from 0.
pub type SetRoll = (u64, usize);

/// The rolls of one entry: those of one person, for one purpose, which the same people may see.
struct SetGroup {
    actor: String,
    visibility: Visibility,
    reader: Option<Subject>,
    context: Option<String>,
    inputs: Vec<String>,
    records: Vec<RollRecord>,
}

/// Rolls and logs them; returns each roll's place in their order. Rolls that share who, what for
/// and visibility share an entry, so that a hidden one is no part of what players see of others.
/// `items` are the rolls, or why they cannot be read, each `count` times (1 to 100), at most
/// [`Limits::rolls`](crate::limits::Limits) in all. Refused: what is wrong with any; all or none.
pub fn decide_set(
    table: &mut Table,
    items: Vec<Result<RollCall>>,
    count: u32,
) -> Result<Vec<SetRoll>> {
    let rolls = items.len().saturating_mul(count as usize);
    limits::count("rolls times count", rolls, LIMITS.rolls)?;
    let asked = items.iter().flatten().fold(0u64, |sum, item| {
        sum.saturating_add(item.expression.asked())
    });
    let asked = usize::try_from(asked.saturating_mul(u64::from(count))).unwrap_or(usize::MAX);
    limits::count("dice of all rolls", asked, LIMITS.dice)?;
    let mut groups: Vec<SetGroup> = Vec::new();
    let mut planned: Vec<(Expression, usize)> = Vec::new();
    let mut refused: Vec<(usize, Refusal)> = Vec::new();
    for (nth, item) in items.into_iter().enumerate() {
        let checked = item.and_then(|item| Ok((check_call(table, &item)?, item)));
        let (
            (actor, visibility),
            RollCall {
                expression,
                input,
                context,
                reader,
                ..
            },
        ) = match checked {
            Ok(checked) => checked,
            Err(refusal) => {
                refused.push((nth, refusal));
                continue;
            }
        };
        let same = |one: &SetGroup| {
            (&one.actor, one.visibility, &one.reader, &one.context)
                == (&actor, visibility, &reader, &context)
        };
        let at = groups.iter().position(same).unwrap_or(groups.len());
        match groups.get_mut(at) {
            Some(group) => group.inputs.push(input),
            None => {
                groups.push(SetGroup {
                    actor,
                    visibility,
                    reader,
                    context,
                    inputs: vec![input],
                    records: Vec::new(),
                });
            }
        }
        planned.push((expression, at));
    }
    if !refused.is_empty() {
        return Err(Refusal::of_items("rolls", refused));
    }
    let mut placed: Vec<(usize, usize)> = Vec::with_capacity(rolls);
    for (expression, at) in (0..count).flat_map(|_| &planned) {
        let Some(group) = groups.get_mut(*at) else {
            continue;
        };
        placed.push((*at, group.records.len()));
        group.records.push(
            table
                .roll(expression, &group.actor, "")
                .map_err(|error| dice_refusal(&error))?,
        );
    }
    let log = |SetGroup {
                   actor,
                   visibility,
                   reader,
                   context,
                   inputs,
                   records,
               }| {
        table.reader = reader;
        let event = Event::RollSet(RollSet {
            inputs,
            count,
            context,
            check: None,
        });
        table.log(Draft {
            visibility,
            rolls: records,
            ..Draft::new(&actor, event, Vec::new())
        })
    };
    let seqs: Vec<u64> = groups.into_iter().map(log).collect();
    Ok(placed
        .into_iter()
        .filter_map(|(at, nth)| Some((*seqs.get(at)?, nth)))
        .collect())
}

fn check_call(table: &Table, call: &RollCall) -> Result<(String, Visibility)> {
    call.context.as_ref().map_or(Ok(()), |context| {
        limits::text("context", context, LIMITS.context)
    })?;
    if !call.any_die {
        check_dice(table.system(), &call.expression)?;
    }
    let (actor, visibility) = actor_visibility(table, call.character.as_deref(), call.visibility)?;
    table.check_text(visibility, "context", call.context.as_deref())?;
    table.check_text(visibility, "expression", Some(&call.input))?;
    Ok((actor, visibility))
}

/// The actor, and the visibility unless the call sets it.
pub fn actor_visibility(
    table: &Table,
    who: Option<&str>,
    seen: Option<Visibility>,
) -> Result<(String, Visibility)> {
    let who = who
        .map(|name| lookup::character_in(table.state, table.system(), "character", name))
        .transpose()?;
    let actor = who.map_or_else(|| "gm".to_owned(), |character| character.name.clone());
    let visibility = seen.unwrap_or_else(|| default_visibility(table.state, table.system(), who));
    secrets::check_character(table.state, visibility, "character", who)?;
    Ok((actor, visibility))
}

/// Rolls of player characters and of the GM are public, those of non-player characters the GM's,
/// unless the rules say otherwise. Rolls of hidden characters are always the GM's.
pub fn default_visibility(state: &State, system: &System, who: Option<&Character>) -> Visibility {
    if who.is_some_and(|character| secrets::is_hidden_from_players(state, character)) {
        return Visibility::Gm;
    }
    let is_other = who.is_some_and(|who| !who.kind.is_open());
    let showing = if is_other {
        system.showing.others
    } else {
        system.showing.players
    };
    match showing {
        Showing::Public => Visibility::Public,
        Showing::OutcomeOnly => Visibility::OutcomeOnly,
        Showing::Blind => Visibility::Blind,
        Showing::Gm => Visibility::Gm,
    }
}

/// Refuses dice that are no damage: others than the adventure has, a count of successes, a check.
pub fn check_amount(
    system: &System,
    parameter: &str,
    example: &str,
    expression: &Expression,
) -> Result<()> {
    check_dice(system, expression)?;
    if expression.counts() || expression.is_compared() {
        let summary = format!(
            "{parameter} is a total, not a count of successes or a check. Send {parameter}=\"{example}\"."
        );
        return Err(Refusal::new(Code::InvalidParameters, summary));
    }
    Ok(())
}

/// Refuses dice that the adventure does not have; the refusal lists those it has.
pub fn check_dice(system: &System, expression: &Expression) -> Result<()> {
    expression
        .dice()
        .iter()
        .try_for_each(|die| check_die(system, die))
}

pub(crate) fn check_die(system: &System, die: &Die) -> Result<()> {
    if system.dice.allows(die) {
        return Ok(());
    }
    let why = format!(
        "{die} is not rolled at this table; its dice are {}. Example: \"2d6 + 3\".",
        system.dice.list()
    );
    Err(system
        .dice
        .place
        .iter()
        .map(ToString::to_string)
        .fold(Refusal::new(Code::InvalidDie, why), Refusal::at))
}

/// What a roll is for, of two texts that are each within the limit of one.
pub fn context_of(first: &str, second: &str) -> String {
    let mut whole = format!("{first}, {second}");
    if whole.len() > LIMITS.context {
        whole.truncate(whole.floor_char_boundary(LIMITS.context - '…'.len_utf8()));
        whole.push('…');
    }
    whole
}

/// The faces of a call, in the order in which its dice are rolled.
pub struct Entered {
    roller: EnteredRoller,
    sent: usize,
    /// What was rolled, or is next.
    rolled: Vec<String>,
    /// The dice that it takes.
    dice: Vec<String>,
}

impl Entered {
    pub(crate) fn new(faces: &[i64]) -> Self {
        Entered {
            roller: EnteredRoller::new(faces),
            sent: faces.len(),
            rolled: Vec::new(),
            dice: Vec::new(),
        }
    }

    /// These rolls are next; `what` they are for is after their dice.
    pub fn next<'e>(&mut self, rolls: impl IntoIterator<Item = &'e Expression>, what: &str) {
        let what = if what.is_empty() {
            String::new()
        } else {
            format!(" for {what}")
        };
        for expression in rolls {
            self.rolled.push(expression.to_string());
            let dice = expression.by_hand();
            self.dice
                .extend((!dice.is_empty()).then(|| format!("{dice}{what}")));
        }
    }

    /// So many dice of a roll are rolled again.
    pub fn again(&mut self, expression: &Expression, redrawn: usize) {
        let dice: Vec<String> = expression.dice().iter().map(ToString::to_string).collect();
        self.rolled.push(expression.to_string());
        self.dice.push(format!(
            "{redrawn} of {} that are rolled again",
            dice.join(" or ")
        ));
    }

    /// Nothing is rolled for it.
    pub fn none(&mut self, what: &str) {
        self.dice.push(format!("none for {what}"));
    }

    /// Rolls with the next faces. Refused: when they are too few, or a die has no such face.
    pub fn roll(
        &mut self,
        table: &mut Table,
        by: &str,
        purpose: &str,
        roll: impl FnOnce(&mut dyn Roller) -> Result<Roll, DiceError>,
    ) -> Result<RollRecord> {
        table
            .roll_by(Some(&mut self.roller), by, purpose, roll)
            .map_err(|error| match self.roller.missing() {
                Some(die) => {
                    self.does_not_fit(&format!("after {} one more is needed, a {die}", self.sent))
                }
                None => self.does_not_fit(error.message.trim_end_matches('.')),
            })
    }

    pub(crate) fn finish(&self) -> Result<()> {
        match self.roller.left() {
            0 => Ok(()),
            left => {
                Err(self.does_not_fit(&format!("{left} of {} numbers are left over", self.sent)))
            }
        }
    }

    fn does_not_fit(&self, why: &str) -> Refusal {
        let what = self.rolled.join(" and ");
        let dice = if self.dice.is_empty() {
            "no dice".to_owned()
        } else {
            self.dice.join(", ")
        };
        let summary = format!(
            "entered does not fit {what}: {why}. It takes {dice}, in this order; what is rolled again or explodes follows its die."
        );
        let detail = Detail {
            parameter: "entered".to_owned(),
            issue: why.to_owned(),
            valid_range: dice,
        };
        Refusal::new(Code::InvalidParameters, summary).details(vec![detail])
    }
}
