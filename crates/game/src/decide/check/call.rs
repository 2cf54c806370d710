//! The call of a check, and the check that a call states: where the rules have none, or with a reason to set theirs aside.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::decide::check::chosen::Chosen;
use crate::limits;
use crate::limits::LIMITS;
use crate::mechanics::values::Values;
use crate::record::entry::Visibility;
use crate::record::event::Stated;
use crate::record::state::Character;
use crate::refusal::{Code, Refusal};
use crate::table::Table;
use rollbook_dice::Bound;
use rollbook_rules::grammar::names::CONDITIONS;
use rollbook_rules::{Check, Row, StatedEnds, System, of_target};
use rollbook_text::names::{Found, find, fold, listed, printable, quoted, same, shortened};

/// The most steps along a dice chain, either way.
const STEPS_MAX: i64 = 100;

/// What the caller sent; names are as typed.
#[derive(Debug, Default, Clone)]
pub struct CheckCall {
    pub skill: Option<String>,
    pub character: Option<String>,
    pub check: Option<String>,
    pub difficulty: Option<i64>,
    pub attribute: Option<String>,
    pub advantage: bool,
    pub disadvantage: bool,
    /// Steps along the dice chain.
    pub steps: i64,
    /// A situational modifier.
    pub modifier: i64,
    /// The target character: names in a Target bullet are looked up on its sheet first.
    pub target: Option<String>,
    /// The attack of the sheet that it is made with, by its name.
    pub attack: Option<String>,
    /// What the sheet gives the attack.
    pub bonus: Option<AttackBonus>,
    /// The target takes damage by the outcome, so it counts though the rule does not name it.
    pub struck: bool,
    /// It is a save against something that is not rolled for.
    pub saves: bool,
    /// The label of the row that must be reached.
    pub reach: Option<String>,
    /// Numbers, dice, or other text to be logged.
    pub values: BTreeMap<String, String>,
    pub opposed_by: Option<Opponent>,
    /// It is one side of an opposed check, which needs no difficulty.
    pub opposed: bool,
    /// It is the opposing side, as described in `opposed_by`.
    pub opposing: bool,
    /// It is about odds and not rolled, so it makes no difference who may roll it now.
    pub planned: bool,
    /// The earlier roll to follow.
    pub again: Option<Follow>,
    /// What it states in place of a check of the rules.
    pub stated: Option<Arc<StatedCheck>>,
    pub context: Option<String>,
    pub visibility: Option<Visibility>,
}

/// The call's values: numbers as numbers, anything else as text, which a rule may read as dice.
pub fn parse_values(values: &BTreeMap<String, String>) -> BTreeMap<String, Bound> {
    let read = |value: &String| match value.trim().strip_prefix('+').unwrap_or(value.trim()).parse() {
        Ok(number) => Bound::Number(number),
        Err(_) => Bound::Dice(value.clone()),
    };
    values.iter().map(|(name, value)| (fold(name), read(value))).collect()
}

/// The bonus of an attack on the sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttackBonus {
    /// The attack's name.
    pub name: String,
    pub value: i64,
    /// It stands in the place of attribute and skill; else it is added to them.
    pub whole: bool,
}

/// The opponent, and what it rolls.
#[derive(Debug, Default, Clone)]
pub struct Opponent {
    pub character: String,
    pub skill: Option<String>,
    pub attribute: Option<String>,
    /// Its check, where it is another one.
    pub check: Option<String>,
    pub modifier: i64,
    /// Numbers, dice, or other text of its own.
    pub values: BTreeMap<String, String>,
}

impl CheckCall {
    /// The numbers that it gives for names of the rules, by folded names.
    pub fn numbers(&self) -> BTreeMap<String, i64> {
        let number = |(name, value): (String, Bound)| match value {
            Bound::Number(number) => Some((name, number)),
            Bound::Dice(_) => None,
        };
        parse_values(&self.values).into_iter().filter_map(number).collect()
    }

    /// Refuses what is beyond the limits.
    pub(super) fn check_limits(&self) -> Result<(), Refusal> {
        if let Some(context) = &self.context {
            limits::text("context", context, LIMITS.context)?;
        }
        limits::number("modifier", self.modifier)?;
        limits::number("difficulty", self.difficulty.unwrap_or(0))?;
        limits::number("opposed_by.modifier", self.opposed_by.as_ref().map_or(0, |opponent| opponent.modifier))?;
        if self.steps.abs() > STEPS_MAX {
            let summary = format!("steps is {}; it takes -{STEPS_MAX} to {STEPS_MAX}.", self.steps);
            return Err(Refusal::new(Code::LimitExceeded, summary));
        }
        check_value_limits("", &self.values)?;
        self.opposed_by.as_ref().map_or(Ok(()), |opponent| check_value_limits(OPPONENT, &opponent.values))
    }

    /// What stands before the names of this side's parameters.
    pub(super) fn of(&self) -> &'static str {
        if self.opposing { OPPONENT } else { "" }
    }
}

/// What stands before the names of an opponent's parameters.
const OPPONENT: &str = "opposed_by.";

fn check_value_limits(of: &str, values: &BTreeMap<String, String>) -> Result<(), Refusal> {
    let field = format!("{of}values");
    limits::count(&field, values.len(), LIMITS.map)?;
    for (name, value) in values {
        limits::name(&field, name)?;
        limits::line(&format!("{field}.{name}"), value, LIMITS.context)?;
        if let Ok(number) = value.trim().parse() {
            limits::number(&format!("{field}.{name}"), number)?;
        }
    }
    Ok(())
}

/// The earlier roll to follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Follow {
    /// Its entry; `None`: the character's last check.
    pub entry: Option<u64>,
    /// The follow-up rule; `None`: the only one of its check.
    pub rule: Option<String>,
}

impl Follow {
    /// `#128`, `128`, `#128 push`, `last`, `last push`.
    pub fn parse(text: &str) -> Option<Follow> {
        let text = text.trim().trim_start_matches('#');
        let (number, rule) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rule = Some(rule.trim().to_owned()).filter(|rule| !rule.is_empty());
        let entry = match number {
            word if same(word, "last") => None,
            number => Some(number.parse().ok().filter(|entry| *entry > 0)?),
        };
        Some(Follow { entry, rule })
    }
}

/// Rows of a stated check.
const ROWS_MAX: usize = 20;
/// Characters of what is wrong with one.
const WHY_MAX: usize = 400;
/// What a stated check is called whose call names none.
const NAME: &str = "Check";

/// A check that a call states, read.
#[derive(Debug, Clone, PartialEq)]
pub struct StatedCheck {
    /// The check.
    pub rule: Check,
    /// As it is logged.
    pub event: Stated,
}

impl StatedCheck {
    /// Reads what a call states. `in_order`: of its rows the first that holds counts.
    /// Refused: what is beyond the limits, and the first part that is not understood.
    pub fn read(system: &System, name: Option<&str>, event: Stated, in_order: bool) -> Result<Self, Refusal> {
        limits::line("roll", &event.roll, LIMITS.context)?;
        limits::count("rows", event.rows.len(), ROWS_MAX)?;
        for (when, outcome) in &event.rows {
            limits::line("rows", when, LIMITS.context)?;
            limits::name("rows", outcome)?;
        }
        if let Some(name) = name {
            limits::name("check", name)?;
        }
        if let Some(reason) = &event.override_reason {
            limits::text("override_reason", reason, LIMITS.context)?;
        }
        let ends = match event.rows.as_slice() {
            [] => StatedEnds::Difficulty { or_less: event.or_less },
            rows => StatedEnds::Rows { rows, in_order },
        };
        let stated = rollbook_rules::Stated { name: name.map_or(NAME, str::trim), roll: &event.roll, ends };
        match rollbook_rules::stated(system, stated) {
            Ok(rule) if in_order => Ok(StatedCheck { rule, event }),
            Ok(rule) => {
                // They are logged in the order in which they are looked at.
                let sent = |row: &Row| event.rows.iter().find(|(when, _)| when.trim() == row.when_text).cloned();
                let rows = rule.rows.iter().filter_map(sent).collect();
                Ok(StatedCheck { event: Stated { rows, ..event }, rule })
            }
            Err(fault) => {
                let summary = format!(
                    "{} cannot be read: {}. Such a check is roll=\"1d20 + {{DEX}}\" with difficulty=15, or with rows={{\"10+\": \
                     \"success\", \"7-9\": \"partial success\"}}.",
                    fault.part,
                    printable(&shortened(&fault.why, WHY_MAX))
                );
                Err(Refusal::new(Code::InvalidParameters, summary))
            }
        }
    }
}

/// Characters of a list of names.
const NAMES_MAX: usize = 200;

/// Refuses a stated check where the rules have the check that the call names or would take, unless a reason is given; and a reason
/// where they have none. Players set no rule aside.
pub fn check_rules(
    table: &Table,
    call: &CheckCall,
    stated: &StatedCheck,
    actor: Option<&Character>,
) -> Result<(), Refusal> {
    if table.is_player {
        check_seat(table.system(), &stated.rule)?;
    }
    let reason = stated.event.override_reason.as_deref();
    match (rule_instead(table.system(), call, actor), reason) {
        (None, None) => Ok(()),
        (Some(_), Some(_)) if !table.is_player => Ok(()),
        (Some(rule), _) => {
            let (code, otherwise) = match table.is_player {
                true => (Code::NotForPlayers, "only the GM sets a rule aside"),
                false => (
                    Code::InvalidParameters,
                    "to set the rule aside send override_reason=\"…\" as well, and the log says so",
                ),
            };
            let summary = format!(
                "The rules have this check: {}. Leave roll and rows out to make it by them; {otherwise}.",
                rule.render_roll()
            );
            Err(Refusal::new(code, summary).at(rule.place.to_string()))
        }
        (None, Some(_)) => {
            let summary = "override_reason would change nothing: the rules have no check that is set aside. Leave it out; context says for \
                           the record what it is about.";
            Err(Refusal::new(Code::NoEffect, summary))
        }
    }
}

/// Refuses names that would show a player what players do not know: numbers of a target's sheet, and conditions that may be hidden.
fn check_seat(system: &System, rule: &Check) -> Result<(), Refusal> {
    let is_condition = |name: &str| system.condition_names().chain(CONDITIONS).any(|own| same(own, name));
    let names = rule.variables();
    let Some(name) = names.iter().find(|name| of_target(name).is_some() || is_condition(name)) else { return Ok(()) };
    let summary = format!(
        "{{{}}} is nothing that a player's seat states a check with. Name scores, skills and tracks of the character's sheet alone, or \
         ask the GM to state it.",
        quoted(name)
    );
    Err(Refusal::new(Code::NotForPlayers, summary))
}

/// The check of the rules that a call names or would take.
fn rule_instead<'s>(system: &'s System, call: &CheckCall, actor: Option<&Character>) -> Option<&'s Check> {
    match call.check.as_deref() {
        Some(name) => system.meant(System::check, name).or_else(|unknown| match unknown.suggestions.first() {
            Some(first) if unknown.several => system.check(first),
            Some(_) | None => Err(unknown),
        }),
        None => {
            let taken = Chosen::of(system, call, None, actor).map(|chosen| chosen.rule).ok();
            return taken.or(system.checks.first());
        }
    }
    .ok()
}

/// The call that states the check which a call wants and the rules do not have.
pub fn example(system: &System, call: &CheckCall, actor: Option<&Character>) -> String {
    let mut parts = vec!["skill_check".to_owned()];
    let mut push = |name: &str, value: &str| parts.push(format!("{name}=\"{}\"", quoted(value)));
    if let Some(actor) = actor {
        push("character", &actor.name);
    }
    let skill = call.skill.as_deref().filter(|name| is_skill(system, name, actor));
    let attribute = call.attribute.as_deref().filter(|name| system.named_attribute(name).is_some());
    let named = call.check.as_deref().or(call.skill.as_deref()).or(call.attribute.as_deref());
    if let Some(name) = named.filter(|_| call.check.is_some() || (skill.is_none() && attribute.is_none())) {
        push("check", name);
    }
    let added = [("skill", skill), ("attribute", attribute)].into_iter().filter_map(|(name, own)| Some((name, own?)));
    let mut roll = "1d20".to_owned();
    for (name, own) in added {
        push(name, own);
        roll.push_str(&format!(" + {{{name}}}"));
    }
    push("roll", &roll);
    if let Some(visibility) = call.visibility {
        push("visibility", visibility.as_str());
    }
    parts.push(format!("difficulty={}", call.difficulty.unwrap_or(15)));
    let flags = [("advantage", call.advantage), ("disadvantage", call.disadvantage)];
    parts.extend(flags.into_iter().filter(|(_, sent)| *sent).map(|(name, _)| format!("{name}=true")));
    parts.extend((call.modifier != 0).then(|| format!("modifier={}", call.modifier)));
    parts.join(" ")
}

/// Whether a call may name this skill: the rules have it, or the sheet where they have none.
fn is_skill(system: &System, name: &str, actor: Option<&Character>) -> bool {
    let on_sheet =
        |own: &Character| matches!(find(name, own.skills.keys().map(|own| (own.as_str(), ()))), Found::One(()));
    system.named_skill(name).is_some() || system.skills.is_empty() && actor.is_some_and(on_sheet)
}

/// The names that a sheet has for a roll, in a sentence; empty where it has none.
pub fn names_there_are(values: &Values<'_>) -> String {
    let Some(actor) = values.actor else { return String::new() };
    let short =
        |name: &String| values.system.named_attribute(name).map_or_else(|| name.clone(), |own| own.short().to_owned());
    let mut names: Vec<String> = actor.attributes.keys().map(short).collect();
    let declared = values.system.skills.iter().map(|own| own.name.clone());
    let tracks = values.state.tracks_of(actor.id).map(|own| own.name.clone());
    for name in actor.skills.keys().cloned().chain(declared).chain(tracks) {
        if !names.iter().any(|own| same(own, &name)) {
            names.push(name);
        }
    }
    match names.is_empty() {
        true => format!(" {}'s sheet has no numbers yet.", actor.name),
        false => format!(" {}'s sheet has {}.", actor.name, listed(names.iter().map(String::as_str), NAMES_MAX)),
    }
}
