//! Finds rule, skill, attribute and difficulty of a call, and whether the check may be made now.

use super::call::{CheckCall, StatedCheck, example};
use crate::mechanics::values::{SourcedValue, Values, difficulty_example};
use crate::mechanics::{
    health::Vitality, lookup, threshold::Consequences, tracks::render_value, tracks::tracks_named,
};
use crate::record::event::CheckEvent;
use crate::record::state::{Character, State};
use crate::refusal::{Code, Refusal, Result};
use rollbook_rules::grammar::line::For;
use rollbook_rules::{
    Attribute, Check, Difficulty, Direction, Facts, NameKind, Skill, System, UnknownName, When,
};
use rollbook_text::names::{Found, find, fold, listed, quoted, same, suggest};

pub struct Chosen<'s> {
    pub rule: &'s Check,
    pub skill: Option<ChosenSkill<'s>>,
    pub attribute: Option<&'s Attribute>,
}

/// A skill of the rules; where they declare none, one of the actor's sheet.
pub struct ChosenSkill<'s> {
    pub name: String,
    pub declared: Option<&'s Skill>,
}

impl<'s> Chosen<'s> {
    pub fn from_call(
        system: &'s System,
        call: &CheckCall,
        stated: Option<&'s StatedCheck>,
        actor: Option<&Character>,
    ) -> Result<Self> {
        let named = if let Some(stated) = stated {
            &stated.rule
        } else {
            rule(system, call, actor)?
        };
        let skill = skill(system, call, actor)?;
        let declared = skill.as_ref().and_then(|skill| skill.declared);
        let attribute = call
            .attribute
            .as_deref()
            .or(declared.and_then(|skill| skill.attribute.as_deref()));
        let attribute = attribute
            .map(|name| system.find_by_words(System::attribute, name))
            .transpose();
        let attribute = attribute.map_err(|error| unknown_name(system, error, call, ""))?;
        let by = skill
            .as_ref()
            .map(|skill| skill.name.as_str())
            .or(attribute.map(|attribute| attribute.name.as_str()));
        // Of a call that names none: the check below the skill, or one called like it.
        let of_skill = || {
            let skill = declared.filter(|_| call.check.is_none())?;
            system
                .check(skill.check.as_ref().unwrap_or(&skill.name))
                .ok()
        };
        let rule = if stated.is_some() {
            named
        } else {
            aimed(system, call, by)?.or_else(of_skill).unwrap_or(named)
        };
        Ok(Chosen {
            rule,
            skill,
            attribute,
        })
    }

    /// A check's event with what was chosen, and nothing else.
    pub fn event(&self, actor: Option<&Character>) -> CheckEvent {
        CheckEvent {
            check: self.rule.name.clone(),
            subject: actor.map(Character::subject),
            skill: self.skill.as_ref().map(|skill| skill.name.clone()),
            attribute: self.attribute.map(|attribute| attribute.name.clone()),
            ..CheckEvent::default()
        }
    }

    /// The value of the chosen skill. Refused: where a skill of the rules comes to no number.
    pub fn skill_value(&self, values: &Values<'_>) -> Result<Option<SourcedValue>> {
        match &self.skill {
            Some(ChosenSkill {
                declared: Some(declared),
                ..
            }) => values.skill(declared).map(Some),
            Some(skill) => Ok(values.found(&skill.name)),
            None => Ok(None),
        }
    }

    pub fn attribute_value(&self, values: &Values<'_>) -> Option<SourcedValue> {
        values.found(&self.attribute?.name)
    }

    /// The chosen attribute's score, for rules that roll under it.
    pub fn score(&self, values: &Values<'_>) -> Option<SourcedValue> {
        values.found(&format!("{} score", self.attribute?.name))
    }
}

/// The check of a call that names none and whose skill, attribute or purpose has one that is for
/// it. Refused: of an attack or a save, where the rules have several checks and none is for it.
fn aimed<'s>(system: &'s System, call: &CheckCall, by: Option<&str>) -> Result<Option<&'s Check>> {
    let attack = call.struck || call.bonus.is_some();
    if call.check.is_some() || call.opposing {
        return Ok(None);
    }
    let found = match call.saves {
        true => system.check_for_use(&For::Saves),
        // Of two who roll against each other who wins decides, not a character's number.
        false if call.is_opposed() => attack
            .then(|| system.check_for_use(&For::Attacks))
            .flatten(),
        false => system.check_for_name(by, attack),
    };
    let Some(first) = system
        .checks
        .first()
        .filter(|_| found.is_none() && (attack || call.saves))
    else {
        return Ok(found);
    };
    let names = listed(system.checks.iter().map(|check| check.name.as_str()), 200);
    let (whom, example) = (
        if call.saves { "saves" } else { "attacks" },
        quoted(&first.name),
    );
    let summary = format!(
        "The rules do not say which check is for {whom}: {names}. Send check=\"{example}\", or another of them; in the rules \
         `- For: {whom}` says it."
    );
    Err(Refusal::new(Code::WhichCheck, summary))
}

fn rule<'s>(system: &'s System, call: &CheckCall, actor: Option<&Character>) -> Result<&'s Check> {
    let (wanted, first) = (call.check.as_deref(), system.checks.first());
    let mut lost = system.lost_checks.iter();
    if let Some(lost) =
        lost.find(|lost| first.is_none() || wanted.is_some_and(|name| same(&lost.what, name)))
    {
        let (what, place) = (&lost.what, &lost.place);
        let mistake =
            "has a mistake, so the author has to mend it; rollbook check shows what it is.";
        let summary = match first {
            Some(_) => format!("{what} ({place}) {mistake} Send another check, or roll_dice."),
            None => format!(
                "No check of these rules could be read: {what} ({place}) {mistake} Until then send roll_dice with an \
                 expression such as \"1d20+3\"."
            ),
        };
        return Err(Refusal::new(Code::RuleBroken, summary).at(place));
    }
    match (wanted, first) {
        (Some(name), Some(_)) => system
            .find_by_words(System::check, name)
            .map_err(|error| unknown_name(system, error, call, "")),
        (None, Some(default)) => Ok(default),
        (_, None) => {
            let example = example(system, call, actor);
            let summary = format!(
                "This adventure has no rules for checks, so the call states one: what is rolled, and what it must reach. Send \
                 {example} (or_less=true where low is good; or in place of difficulty rows={{\"10+\": \"success\", \"7-9\": \
                 \"partial success\"}}); roll_dice rolls what chance alone decides."
            );
            Err(Refusal::new(Code::NoRules, summary))
        }
    }
}

fn skill<'s>(
    system: &'s System,
    call: &CheckCall,
    who: Option<&Character>,
) -> Result<Option<ChosenSkill<'s>>> {
    let Some(name) = call.skill.as_deref() else {
        return Ok(None);
    };
    if let Some(who) = who.filter(|who| system.skills.is_empty() && !who.skills.is_empty()) {
        let known: Vec<String> = who.skills.keys().cloned().collect();
        return match find(
            name,
            known.iter().map(|skill| (skill.as_str(), skill.clone())),
        ) {
            Found::One(name) => Ok(Some(ChosenSkill {
                name,
                declared: None,
            })),
            Found::Several(fit) => Err(lookup::ambiguous(
                &format!("{}skill", call.prefix()),
                name,
                fit,
            )),
            Found::Nothing => {
                let suggestions = suggest(name, known.iter().map(String::as_str));
                let (kind, wanted) = (NameKind::Skill, name.to_owned());
                let unknown = UnknownName {
                    kind,
                    wanted,
                    suggestions,
                    place: None,
                    several: false,
                    known,
                };
                Err(unknown_name(system, unknown, call, ""))
            }
        };
    }
    let extra = match system.attributes.first() {
        Some(attribute) if system.skills.is_empty() => {
            format!("; attribute=\"{}\" makes a check", attribute.short())
        }
        Some(attribute) => format!(
            ", or attribute=\"{}\" without a skill for an untrained check",
            attribute.short()
        ),
        None => String::new(),
    };
    let found = system
        .find_by_words(System::skill, name)
        .map_err(|error| unknown_name(system, error, call, &extra))?;
    Ok(Some(ChosenSkill {
        name: found.name.clone(),
        declared: Some(found),
    }))
}

fn unknown_name(system: &System, unknown: UnknownName, call: &CheckCall, extra: &str) -> Refusal {
    let (wanted, kind, of) = (unknown.wanted.as_str(), unknown.kind, call.prefix());
    let skill = || {
        system
            .find_by_words(System::skill, wanted)
            .ok()
            .map(|found| (&found.name, "skill", &found.place))
    };
    let score = || {
        system
            .find_by_words(System::attribute, wanted)
            .ok()
            .map(|it| (&it.name, "attribute", &it.place))
    };
    let check = || {
        system
            .find_by_words(System::check, wanted)
            .ok()
            .map(|found| (&found.name, "check", &found.place))
    };
    let found = if unknown.several {
        None
    } else {
        skill().or_else(score).or_else(check)
    };
    let parameter = format!("{of}{kind}");
    let Some((name, other, place)) = found else {
        return lookup::unknown(unknown, &parameter, extra);
    };
    let summary = format!("{name} is of the {other}s ({place}) and not of the {kind}s.");
    let in_place = format!(" in place of {parameter}");
    Refusal::new(kind.into(), summary)
        .send(&format!("{of}{other}"), name.as_str(), &in_place)
        .without(&parameter)
        .did_you_mean(vec![name.clone()])
        .at(place)
}

/// The difficulty of a word. Refused: an unknown word, with those that the rules have.
pub fn difficulty<'s>(system: &'s System, word: &str) -> Result<&'s Difficulty> {
    system.find_by_words(System::difficulty, word).map_err(|unknown| {
        if !unknown.known.is_empty() {
            return lookup::unknown(unknown, "difficulty", ", or a number alone, as difficulty=15");
        }
        let takes_one = |check: &Check| check.variables().iter().any(|name| same(name, "difficulty"));
        let instead = match system.checks.is_empty() || system.checks.iter().any(takes_one) {
            true => format!("Send {}.", difficulty_example(system, None)),
            false => {
                "No check of theirs takes a difficulty, so leave it out; context says it for the record.".to_owned()
            }
        };
        let word = quoted(word);
        let summary = format!("These rules have no words for difficulties, so \"{word}\" says no number. {instead}");
        Refusal::new(Code::UnknownDifficulty, summary)
    })
}

/// How far a track may be from where it has to be, for the call that moves it there to be shown.
const POINTS_MAX: i64 = 1_000;

/// Whether the While bullet of a check, if it has one, is met by the character.
pub fn is_open(state: &State, system: &System, rule: &Check, who: Option<i64>) -> bool {
    let Some(when) = &rule.only_while else {
        return true;
    };
    let Some(who) = who.filter(|who| state.characters.contains_key(who)) else {
        return false;
    };
    let sheet = Consequences::new(state, who);
    let names_death = || when.variables().iter().any(|(name, _)| same(name, "dead"));
    (!sheet.vitality.is_dead() || names_death()) && sheet.holds(state, system, when, 0)
}

/// Refuses a check that is not open to the character.
pub fn check_needs(state: &State, system: &System, rule: &Check, who: Option<i64>) -> Result<()> {
    let (Some(when), Some(bullet)) = (&rule.only_while, rule.bullet("While")) else {
        return Ok(());
    };
    if is_open(state, system, rule, who) {
        return Ok(());
    }
    let (needed, place) = (bullet.text.replace(['{', '}'], ""), &bullet.place);
    let check = format!("{} is rolled only while: {needed} ({place})", rule.name);
    let refuse = |summary: String| Err(Refusal::new(Code::NotWhile, summary).at(place));
    let Some(who) = who.and_then(|who| state.characters.get(&who)) else {
        return refuse(format!("{check}. Send character=\"…\" to say who rolls."));
    };
    let name = &who.name;
    let variables: Vec<String> = when
        .variables()
        .into_iter()
        .map(|(name, _)| name.to_string())
        .collect();
    let vitality = Vitality::of(state, who.id);
    if vitality.is_dead() && !variables.iter().any(|name| same(name, "dead")) {
        return refuse(format!("{name} is dead, and {check}. Leave the roll out."));
    }
    let values = Values::of(state, system, who);
    let known = variables
        .iter()
        .filter_map(|name| Some((fold(name), values.get(name)?)));
    let facts = Facts {
        values: known.collect(),
        ..Facts::default()
    };
    let each = variables
        .iter()
        .map(|variable| current_value((name, &vitality), system, when, (variable, &facts)));
    let (now, send): (Vec<String>, Vec<Option<String>>) = each.unzip();
    let (now, send) = (now.join(" and "), send.into_iter().flatten().next());
    let send = send.map_or_else(String::new, |call| {
        format!("; where it is otherwise in the story, send {call} first")
    });
    refuse(format!(
        "{check}, and {name} {now}. Leave the roll out{send}."
    ))
}

/// What a name comes to now ("has Hit points 5/17"), and the call that makes it hold by the least.
fn current_value(
    (who, vitality): (&str, &Vitality),
    system: &System,
    when: &When,
    (name, now): (&str, &Facts),
) -> (String, Option<String>) {
    let holds_at = |value: i64| {
        let mut facts = now.clone();
        facts.values.insert(fold(name), value);
        when.holds(&facts)
    };
    let rows = tracks_named(vitality, system, name);
    let all: Vec<String> = rows
        .iter()
        .map(|row| format!("{} {}", row.name, render_value(row)))
        .collect();
    let condition = system
        .condition_names()
        .any(|condition| same(condition, name))
        .then(|| name.to_lowercase());
    let has = match (now.values.get(&fold(name)), &condition) {
        _ if !all.is_empty() => format!("has {}", all.join(", ")),
        (_, Some(condition)) => format!(
            "is {}{condition}",
            if vitality.has_condition(name) {
                ""
            } else {
                "not "
            }
        ),
        (Some(number), None) => format!("has {name} {number}"),
        (None, None) => format!("has no {name}"),
    };
    let adding = "manage_character action=\"add_condition\"";
    let call = match (condition, rows.as_slice()) {
        (Some(name), _) => {
            holds_at(1).then(|| format!("{adding} character=\"{who}\" condition=\"{name}\""))
        }
        (None, [row]) => {
            let mut moves = (1..=POINTS_MAX).flat_map(|far| [-far, far]);
            let fills = system
                .track(&row.name)
                .is_ok_and(|rule| rule.counts == Direction::Up);
            let amount = |by: i64| if fills { by } else { -by };
            let by = moves
                .find(|by| holds_at(row.value.saturating_add(*by)))
                .map(amount);
            by.map(|amount| {
                format!(
                    "apply_damage target=\"{who}\" track=\"{}\" amount={amount}",
                    row.name
                )
            })
        }
        (None, _) => None,
    };
    (has, call)
}
