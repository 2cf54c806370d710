//! The call of a check, and a check that a call states: the rules have none or are set aside.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::chosen::Chosen;
use crate::limits::{self, LIMITS};
use crate::record::{entry::Visibility, event::Stated, state::Character};
use crate::refusal::{Code, Refusal, Result};
use crate::{mechanics::values::Values, table::Table};
use rollbook_dice::Bound;
use rollbook_rules::grammar::names::CONDITIONS;
use rollbook_rules::{Check, Row, StatedEnds, System, target_name};
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
    pub steps: i64,
    pub modifier: i64,
    /// The target character: names in a Target bullet are looked up on its sheet first.
    pub target: Option<String>,
    /// The attack of the sheet that it is made with, by its name.
    pub attack: Option<String>,
    pub bonus: Option<AttackBonus>,
    /// It is a further check of one use of that attack.
    pub further: bool,
    /// The target takes damage by the outcome, so it counts though the rule does not name it.
    pub struck: bool,
    /// It is a save against something that is not rolled for.
    pub saves: bool,
    /// The label of the row that must be reached.
    pub reach: Option<String>,
    /// Numbers, dice, or other text to be logged.
    pub values: BTreeMap<String, String>,
    /// What its character, the opponent, rolls: by default the same check.
    pub opposed_by: Option<Box<CheckCall>>,
    /// It is the opposing side.
    pub opposing: bool,
    /// It is about odds and not rolled, so it makes no difference who may roll it now.
    pub planned: bool,
    pub again: Option<Follow>,
    /// What it states instead of a check of the rules.
    pub stated: Option<Arc<StatedCheck>>,
    pub context: Option<String>,
    pub visibility: Option<Visibility>,
}

/// The call's values: numbers as numbers, anything else as text, which a rule may read as dice.
pub fn parse_values(values: &BTreeMap<String, String>) -> BTreeMap<String, Bound> {
    let read = |value: &String| match value
        .trim()
        .strip_prefix('+')
        .unwrap_or(value.trim())
        .parse()
    {
        Ok(number) => Bound::Number(number),
        Err(_) => Bound::Dice(value.clone()),
    };
    values
        .iter()
        .map(|(name, value)| (fold(name), read(value)))
        .collect()
}

/// The bonus of an attack on the sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttackBonus {
    pub name: String,
    pub value: i64,
    /// It replaces attribute and skill; else it is added to them.
    pub whole: bool,
}

impl CheckCall {
    /// The numbers that it gives for names of the rules, by folded names.
    pub fn numbers(&self) -> BTreeMap<String, i64> {
        let number = |(name, value): (String, Bound)| match value {
            Bound::Number(number) => Some((name, number)),
            Bound::Dice(_) => None,
        };
        parse_values(&self.values)
            .into_iter()
            .filter_map(number)
            .collect()
    }

    pub(super) fn check_limits(&self) -> Result<()> {
        self.context
            .iter()
            .try_for_each(|context| limits::text("context", context, LIMITS.context))?;
        limits::number("modifier", self.modifier)?;
        limits::number("difficulty", self.difficulty.unwrap_or(0))?;
        limits::number(
            "opposed_by.modifier",
            self.opposed_by
                .as_ref()
                .map_or(0, |opponent| opponent.modifier),
        )?;
        if self.steps.abs() > STEPS_MAX {
            let summary = format!(
                "steps is {}; it takes -{STEPS_MAX} to {STEPS_MAX}.",
                self.steps
            );
            return Err(Refusal::new(Code::LimitExceeded, summary));
        }
        let theirs = self
            .opposed_by
            .as_ref()
            .map(|opponent| ("opposed_by.values", &opponent.values));
        for (field, values) in std::iter::once(("values", &self.values)).chain(theirs) {
            limits::count(field, values.len(), LIMITS.map)?;
            for (name, value) in values {
                limits::name(field, name)?;
                limits::line(&format!("{field}.{name}"), value, LIMITS.context)?;
                if let Ok(number) = value.trim().parse() {
                    limits::number(&format!("{field}.{name}"), number)?;
                }
            }
        }
        Ok(())
    }

    /// Whether it is one side of an opposed check, which needs no difficulty.
    pub fn is_opposed(&self) -> bool {
        self.opposing || self.opposed_by.is_some()
    }

    pub(super) fn prefix(&self) -> &'static str {
        if self.opposing { "opposed_by." } else { "" }
    }
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
        let is_last = same(number, "last");
        let entry = if is_last {
            None
        } else {
            Some(number.parse().ok().filter(|entry| *entry > 0)?)
        };
        Some(Follow { entry, rule })
    }
}

/// Rows of a stated check.
const ROWS_MAX: usize = 20;
/// Characters of what is wrong with one.
const WHY_MAX: usize = 400;
/// The name of a stated check whose call names none.
const NAME: &str = "Check";

/// A check that a call states, read.
#[derive(Debug, Clone, PartialEq)]
pub struct StatedCheck {
    pub rule: Check,
    /// As it is logged.
    pub event: Stated,
}

impl StatedCheck {
    /// Reads it. `in_order`: the first row that holds counts. Refused: too much, or not understood.
    pub fn read(
        system: &System,
        name: Option<&str>,
        event: Stated,
        in_order: bool,
    ) -> Result<Self> {
        limits::line("roll", &event.roll, LIMITS.context)?;
        limits::count("rows", event.rows.len(), ROWS_MAX)?;
        for (when, outcome) in &event.rows {
            limits::line("rows", when, LIMITS.context)?;
            limits::name("rows", outcome)?;
        }
        name.map_or(Ok(()), |name| limits::name("check", name))?;
        limits::text(
            "override_reason",
            event.override_reason.as_deref().unwrap_or_default(),
            LIMITS.context,
        )?;
        let (rows, or_less) = (event.rows.as_slice(), event.or_less);
        let by_rows = StatedEnds::Rows { rows, in_order };
        let ends = if rows.is_empty() {
            StatedEnds::Difficulty { or_less }
        } else {
            by_rows
        };
        let stated = rollbook_rules::Stated {
            name: name.map_or(NAME, str::trim),
            roll: &event.roll,
            ends,
        };
        let rule = rollbook_rules::stated(system, stated).map_err(|fault| {
            let (part, why) = (fault.part, printable(&shortened(&fault.why, WHY_MAX)));
            let summary = format!(
                "{part} cannot be read: {why}. Such a check is roll=\"1d20 + {{DEX}}\" with difficulty=15, or with \
                 rows={{\"10+\": \"success\", \"7-9\": \"partial success\"}}."
            );
            Refusal::new(Code::InvalidParameters, summary)
        })?;
        if in_order {
            return Ok(StatedCheck { rule, event });
        }
        // They are logged in the order in which they are looked at.
        let sent = |row: &Row| {
            event
                .rows
                .iter()
                .find(|(when, _)| when.trim() == row.when_text)
                .cloned()
        };
        let rows = rule.rows.iter().filter_map(sent).collect();
        Ok(StatedCheck {
            event: Stated { rows, ..event },
            rule,
        })
    }
}

/// Characters of a list of names.
const NAMES_MAX: usize = 200;

/// Refuses a stated check where the rules have one, unless the GM says why, and a why without one.
pub fn check_rules(table: &Table, call: &CheckCall, actor: Option<&Character>) -> Result<()> {
    let Some(stated) = &call.stated else {
        return Ok(());
    };
    if table.is_player {
        check_seat(table.system(), &stated.rule)?;
    }
    let has_reason = stated.event.override_reason.is_some();
    let Some(rule) = rule_instead(table.system(), call, actor) else {
        let summary = "override_reason would change nothing: the rules have no check that is set aside. Leave it out; context says for the \
                       record what it is about.";
        return if has_reason {
            Err(Refusal::new(Code::NoEffect, summary))
        } else {
            Ok(())
        };
    };
    let (code, otherwise) = match table.is_player {
        true => (Code::NotForPlayers, "only the GM sets a rule aside"),
        false if has_reason => return Ok(()),
        false => {
            let advice =
                "to set the rule aside send override_reason=\"…\" as well, and the log says so";
            (Code::InvalidParameters, advice)
        }
    };
    let roll = rule.render_roll();
    let why = format!(
        "The rules have this check: {roll}. Leave roll and rows out to make it by them; {otherwise}."
    );
    Err(Refusal::new(code, why).at(&rule.place))
}

/// Refuses names that would show a player a target's number, or conditions that may be hidden.
fn check_seat(system: &System, rule: &Check) -> Result<()> {
    let is_condition = |name: &str| {
        system
            .condition_names()
            .chain(CONDITIONS)
            .any(|condition| same(condition, name))
    };
    let names = rule.variables();
    let Some(name) = names
        .iter()
        .find(|name| target_name(name).is_some() || is_condition(name))
    else {
        return Ok(());
    };
    let name = quoted(name);
    let summary = format!(
        "{{{name}}} is nothing that a player's seat states a check with. Name scores, skills and tracks of the character's sheet \
         alone, or ask the GM to state it."
    );
    Err(Refusal::new(Code::NotForPlayers, summary))
}

fn rule_instead<'s>(
    system: &'s System,
    call: &CheckCall,
    actor: Option<&Character>,
) -> Option<&'s Check> {
    let Some(name) = call.check.as_deref() else {
        let taken = Chosen::from_call(system, call, None, actor)
            .map(|chosen| chosen.rule)
            .ok();
        return taken.or(system.checks.first());
    };
    let found = system
        .find_by_words(System::check, name)
        .or_else(|unknown| match unknown.suggestions.first() {
            Some(first) if unknown.several => system.check(first),
            Some(_) | None => Err(unknown),
        });
    found.ok()
}

/// The call that states the check which a call wants and the rules do not have.
pub fn example(system: &System, call: &CheckCall, actor: Option<&Character>) -> String {
    // Where the rules declare no skills, sheets may have any.
    let loose = actor
        .iter()
        .filter(|_| system.skills.is_empty())
        .flat_map(|who| who.skills.keys());
    let loose = loose.map(|skill| (skill.as_str(), ()));
    let known = |name: &str| {
        system.named_skill(name).is_some() || matches!(find(name, loose.clone()), Found::One(()))
    };
    let skill = call.skill.as_deref().filter(|name| known(name));
    let attribute = call
        .attribute
        .as_deref()
        .filter(|name| system.named_attribute(name).is_some());
    let named = call
        .check
        .as_deref()
        .or(call.skill.as_deref())
        .or(call.attribute.as_deref());
    let check = named.filter(|_| call.check.is_some() || (skill.is_none() && attribute.is_none()));
    let added = [("skill", skill), ("attribute", attribute)]
        .into_iter()
        .filter(|(_, name)| name.is_some());
    let roll = added.fold("1d20".to_owned(), |roll, (name, _)| {
        format!("{roll} + {{{name}}}")
    });
    let texts = [
        ("character", actor.map(|actor| actor.name.as_str())),
        ("check", check),
        ("skill", skill),
        ("attribute", attribute),
        ("roll", Some(roll.as_str())),
        ("visibility", call.visibility.map(Visibility::as_str)),
    ];
    let texts = texts
        .into_iter()
        .filter_map(|(name, text)| Some(format!(" {name}=\"{}\"", quoted(text?))));
    let mut example = texts.fold("skill_check".to_owned(), |call, text| call + &text);
    example.push_str(&format!(" difficulty={}", call.difficulty.unwrap_or(15)));
    example.push_str(if call.advantage {
        " advantage=true"
    } else {
        ""
    });
    example.push_str(if call.disadvantage {
        " disadvantage=true"
    } else {
        ""
    });
    example.push_str(&if call.modifier == 0 {
        String::new()
    } else {
        format!(" modifier={}", call.modifier)
    });
    example
}

/// The names that a sheet has for a roll, in a sentence; empty where it has none.
pub fn names_there_are(values: &Values<'_>) -> String {
    let (Some(actor), system) = (values.actor, values.system) else {
        return String::new();
    };
    let short = |name: &String| {
        system
            .named_attribute(name)
            .map_or_else(|| name.clone(), |attribute| attribute.short().to_owned())
    };
    let mut names: Vec<String> = actor.attributes.keys().map(short).collect();
    let mut seen: BTreeSet<String> = names.iter().map(|name| fold(name)).collect();
    let declared = system.skills.iter().map(|skill| &skill.name);
    let tracks = values.state.tracks_of(actor.id).map(|track| &track.name);
    let others = actor.skills.keys().chain(declared).chain(tracks);
    names.extend(others.filter(|name| seen.insert(fold(name))).cloned());
    match names.is_empty() {
        true => format!(" {}'s sheet has no numbers yet.", actor.name),
        false => format!(
            " {}'s sheet has {}.",
            actor.name,
            listed(names.iter().map(String::as_str), NAMES_MAX)
        ),
    }
}
