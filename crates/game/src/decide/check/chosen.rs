//! Finds the rule, the skill, the attribute and the difficulty that a call names, and whether the check may be made now.

use crate::decide::check::call;
use crate::decide::check::call::{CheckCall, StatedCheck};
use crate::mechanics::health::Vitality;
use crate::mechanics::recovery::tracks_named;
use crate::mechanics::threshold::Consequences;
use crate::mechanics::tracks::render_value;
use crate::mechanics::values::Values;
use crate::mechanics::{lookup, values};
use crate::record::state::{Character, State};
use crate::refusal::{Code, Refusal};
use rollbook_rules::grammar::line::For;
use rollbook_rules::{Attribute, Check, Difficulty, Direction, Facts, Named, Skill, System, Unknown, When};
use rollbook_text::names::{Found, find, fold, listed, quoted, same, suggest};

/// The rule, skill and attribute of one side of a call.
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
    /// Finds a call's names in the rules.
    pub fn of(
        system: &'s System,
        call: &CheckCall,
        stated: Option<&'s StatedCheck>,
        actor: Option<&Character>,
    ) -> Result<Self, Refusal> {
        let sent = Sent { of: if call.opposing { "opposed_by." } else { "" } };
        let rule = match stated {
            Some(stated) => &stated.rule,
            None => rule(system, call, actor, &sent)?,
        };
        let skill = call.skill.as_deref().map(|name| skill(system, name, actor, &sent)).transpose()?;
        let linked = skill.as_ref().and_then(|skill| skill.declared?.attribute.as_deref());
        let attribute = match call.attribute.as_deref().or(linked) {
            Some(name) => {
                Some(system.meant(System::attribute, name).map_err(|error| unknown_name(system, error, &sent, ""))?)
            }
            None => None,
        };
        let by = skill.as_ref().map(|own| own.name.as_str()).or(attribute.map(|own| own.name.as_str()));
        let own = || skill.as_ref().and_then(|skill| check_of(system, call, skill.declared?));
        let rule = match stated {
            Some(stated) => &stated.rule,
            None => aimed(system, call, by)?.or_else(own).unwrap_or(rule),
        };
        Ok(Chosen { rule, skill, attribute })
    }

    /// The value of the chosen skill.
    pub fn skill_value(&self, values: &Values<'_>) -> Option<values::SourcedValue> {
        let skill = self.skill.as_ref()?;
        match skill.declared {
            Some(declared) => values.skill(declared).ok(),
            None => values.found(&skill.name),
        }
    }

    /// The value of the chosen attribute.
    pub fn attribute_value(&self, values: &Values<'_>) -> Option<values::SourcedValue> {
        let attribute = self.attribute?;
        values.found(&attribute.name)
    }

    /// The chosen attribute's score, for rules that roll under it.
    pub fn score(&self, values: &Values<'_>) -> Option<values::SourcedValue> {
        let attribute = self.attribute?;
        values.found(&format!("{} score", attribute.name))
    }
}

/// The prefix of one side's parameters.
struct Sent {
    of: &'static str,
}

/// The check of a call that names none and whose skill, attribute or purpose has one that is for it.
/// Refused: of an attack or a save, where the rules have several checks and none is for it.
fn aimed<'s>(system: &'s System, call: &CheckCall, by: Option<&str>) -> Result<Option<&'s Check>, Refusal> {
    let attack = call.struck || call.bonus.is_some();
    if call.check.is_some() || call.opposing {
        return Ok(None);
    }
    let found = match call.saves {
        true => system.check_for(&For::Saves),
        // Of two who roll against each other who wins decides, not somebody's number.
        false if call.opposed || call.opposed_by.is_some() => attack.then(|| system.check_for(&For::Attacks)).flatten(),
        false => system.check_at(by, attack),
    };
    if found.is_some() || !(attack || call.saves) || system.checks.is_empty() {
        return Ok(found);
    }
    let names: Vec<&str> = system.checks.iter().map(|own| own.name.as_str()).collect();
    let whom = if call.saves { "saves" } else { "attacks" };
    let example = names.first().copied().unwrap_or_default();
    let summary = format!(
        "The rules do not say which check is for {whom}: {}. Send check=\"{}\", or another of them; in the rules `- For: {whom}` says it.",
        listed(names.iter().copied(), 200),
        quoted(example)
    );
    Err(Refusal::new(Code::WhichCheck, summary))
}

/// The check of a call that names none and chooses a skill whose table stands below that check, or one called so itself.
fn check_of<'s>(system: &'s System, call: &CheckCall, skill: &Skill) -> Option<&'s Check> {
    let own = Some(skill.check.as_ref().unwrap_or(&skill.name)).filter(|_| call.check.is_none())?;
    system.check(own).ok()
}

fn rule<'s>(
    system: &'s System,
    call: &CheckCall,
    actor: Option<&Character>,
    sent: &Sent,
) -> Result<&'s Check, Refusal> {
    if let Some(lost) = system.checks.is_empty().then(|| system.lost_checks.first()).flatten() {
        let summary = format!(
            "No check of these rules could be read: {} ({}) has a mistake, so the author has to mend it; rollbook check shows what it \
             is. Until then send roll_dice with an expression such as \"1d20+3\".",
            lost.what, lost.place
        );
        return Err(Refusal::new(Code::RuleBroken, summary).at(lost.place.to_string()));
    }
    let Some(default) = system.checks.first() else {
        let summary = format!(
            "This adventure has no rules for checks, so the call states one: what is rolled, and what it must reach. Send {} \
             (or_less=true where low is good; or in place of difficulty rows={{\"10+\": \"success\", \"7-9\": \"partial success\"}}); \
             roll_dice rolls what chance alone decides.",
            call::example(system, call, actor)
        );
        return Err(Refusal::new(Code::NoRules, summary));
    };
    let Some(name) = call.check.as_deref() else { return Ok(default) };
    if let Some(lost) = system.lost_checks.iter().find(|lost| same(&lost.what, name)) {
        let summary = format!(
            "{} ({}) has a mistake, so the author has to mend it; rollbook check shows what it is. Send another check, or \
             roll_dice.",
            lost.what, lost.place
        );
        return Err(Refusal::new(Code::RuleBroken, summary).at(lost.place.to_string()));
    }
    system.meant(System::check, name).map_err(|error| unknown_name(system, error, sent, ""))
}

fn skill<'s>(
    system: &'s System,
    name: &str,
    actor: Option<&Character>,
    sent: &Sent,
) -> Result<ChosenSkill<'s>, Refusal> {
    if let Some(actor) = actor.filter(|own| system.skills.is_empty() && !own.skills.is_empty()) {
        return match on_sheet(actor, name) {
            Found::One(own) => Ok(ChosenSkill { name: own.clone(), declared: None }),
            Found::Several(fit) => {
                Err(lookup::ambiguous(&format!("{}skill", sent.of), name, fit.into_iter().cloned().collect()))
            }
            Found::Nothing => Err(unknown_name(system, unknown_on_sheet(actor, name), sent, "")),
        };
    }
    let extra = match system.attributes.first() {
        Some(attribute) if system.skills.is_empty() => format!("; attribute=\"{}\" makes a check", attribute.short()),
        Some(attribute) => format!(", or attribute=\"{}\" without a skill for an untrained check", attribute.short()),
        None => String::new(),
    };
    let declared = system.meant(System::skill, name).map_err(|error| unknown_name(system, error, sent, &extra))?;
    Ok(ChosenSkill { name: declared.name.clone(), declared: Some(declared) })
}

/// The skill of the actor's sheet that a name means.
fn on_sheet<'a>(actor: &'a Character, name: &str) -> Found<&'a String> {
    find(name, actor.skills.keys().map(|own| (own.as_str(), own)))
}

fn unknown_on_sheet(actor: &Character, name: &str) -> Unknown {
    let known: Vec<String> = actor.skills.keys().cloned().collect();
    let suggestions = suggest(name, known.iter().map(String::as_str));
    Unknown { kind: Named::Skill, wanted: name.to_owned(), suggestions, place: None, several: false, known }
}

/// The refusal of a name that was sent as the wrong kind, or that the rules do not have.
fn unknown_name(system: &System, unknown: Unknown, sent: &Sent, extra: &str) -> Refusal {
    let name = unknown.wanted.as_str();
    let skill = || system.meant(System::skill, name).ok().map(|own| (&own.name, "skill", &own.place));
    let attribute = || system.meant(System::attribute, name).ok().map(|own| (&own.name, "attribute", &own.place));
    let check = || system.meant(System::check, name).ok().map(|own| (&own.name, "check", &own.place));
    let kind = unknown.kind;
    let parameter = format!("{}{kind}", sent.of);
    let found = if unknown.several { None } else { skill().or_else(attribute).or_else(check) };
    let Some((name, other, place)) = found else { return lookup::unknown(unknown, &parameter, extra) };
    let summary = format!(
        "{name} is of the {other}s ({place}) and not of the {kind}s. Send {}{other}=\"{name}\" in place of {parameter}.",
        sent.of
    );
    Refusal::new(kind.into(), summary).did_you_mean(vec![name.clone()]).at(place.to_string())
}

/// The difficulty of a word. Refused: when the rules have no such word; the refusal lists those they have.
pub fn difficulty<'s>(system: &'s System, word: &str) -> Result<&'s Difficulty, Refusal> {
    system.meant(System::difficulty, word).map_err(|unknown| match unknown.known.is_empty() {
        true => {
            let takes_one = |check: &Check| check.variables().iter().any(|name| same(name, "difficulty"));
            let instead = match system.checks.is_empty() || system.checks.iter().any(takes_one) {
                true => format!("Send {}.", values::difficulty_example(system, None)),
                false => {
                    "No check of theirs takes a difficulty, so leave it out; context says it for the record.".to_owned()
                }
            };
            let summary = format!(
                "These rules have no words for difficulties, so \"{}\" says no number. {instead}",
                quoted(word)
            );
            Refusal::new(Code::UnknownDifficulty, summary)
        }
        false => lookup::unknown(unknown, "difficulty", ""),
    })
}

/// How far a track may be from where it has to be, for the call that moves it there to be shown.
const POINTS_MAX: i64 = 1_000;

/// Refuses a check whose While bullet is not met by the character.
pub fn check_needs(state: &State, system: &System, rule: &Check, who: Option<i64>) -> Result<(), Refusal> {
    let (Some(when), Some(own)) = (&rule.while_held, rule.bullet("While")) else { return Ok(()) };
    let needed = own.text.replace(['{', '}'], "");
    let check = format!("{} is rolled only while: {needed} ({})", rule.name, own.place);
    let refused = |summary: String| Err(Refusal::new(Code::NotWhile, summary).at(own.place.to_string()));
    let Some(who) = who.and_then(|who| state.characters.get(&who)) else {
        return refused(format!("{check}. Send character=\"…\" to say who rolls."));
    };
    let variables = when.variables();
    let names: Vec<&str> = variables.iter().map(|(name, _)| name.as_ref()).collect();
    let vitality = Vitality::of(state, who.id);
    if vitality.is_dead() && !names.iter().any(|name| same(name, "dead")) {
        return refused(format!("{} is dead, and {check}. Leave the roll out.", who.name));
    }
    let sheet = Consequences::new(state, who.id);
    if sheet.holds(state, system, when, 0) {
        return Ok(());
    }
    let number = |name: &str| sheet.values(state, system).get(name);
    let now: Vec<String> = names.iter().map(|name| render_current(&vitality, system, name, number(name))).collect();
    let mut facts = Facts::default();
    for name in &names {
        number(name).and_then(|value| facts.values.insert(fold(name), value));
    }
    let send = names.iter().find_map(|name| advice((&who.name, &vitality), system, when, (name, &facts)));
    let send = send.map(|call| format!("; where it is otherwise in the story, send {call} first"));
    let joined = now.join(" and ");
    refused(format!("{check}, and {} {joined}. Leave the roll out{}.", who.name, send.unwrap_or_default()))
}

fn is_condition(system: &System, name: &str) -> bool {
    system.condition_names().any(|own| same(own, name))
}

/// "is not dying", "has Hit points 5/17".
fn render_current(vitality: &Vitality, system: &System, name: &str, number: Option<i64>) -> String {
    let rows = tracks_named(vitality, system, name);
    let all: Vec<String> = rows.iter().map(|row| format!("{} {}", row.name, render_value(row))).collect();
    match number {
        _ if !all.is_empty() => format!("has {}", all.join(", ")),
        _ if is_condition(system, name) => {
            format!("is {}{}", if vitality.has_condition(name) { "" } else { "not " }, name.to_lowercase())
        }
        Some(number) => format!("has {name} {number}"),
        None => format!("has no {name}"),
    }
}

/// The call that makes it hold: a condition more, or a track moved as little as that takes.
fn advice(
    (who, vitality): (&str, &Vitality),
    system: &System,
    when: &When,
    (name, now): (&str, &Facts),
) -> Option<String> {
    let holds_at = |value: i64| {
        let mut facts = now.clone();
        facts.values.insert(fold(name), value);
        when.holds(&facts)
    };
    if is_condition(system, name) {
        let call = "manage_character action=\"add_condition\"";
        return holds_at(1).then(|| format!("{call} character=\"{who}\" condition=\"{}\"", name.to_lowercase()));
    }
    let rows = tracks_named(vitality, system, name);
    let [row] = rows.as_slice() else { return None };
    let by = (1..=POINTS_MAX).flat_map(|far| [-far, far]).find(|by| holds_at(row.value.saturating_add(*by)))?;
    let fills = system.track(&row.name).is_ok_and(|rule| rule.counts == Direction::Up);
    let amount = if fills { by } else { -by };
    Some(format!("apply_damage target=\"{who}\" track=\"{}\" amount={amount}", row.name))
}
