//! What a `{name}` in the rules means for one actor and one call.

use std::collections::BTreeMap;

use crate::dice::{BindError, DiceError, Expression, Formula};
use crate::game::refusal::Refusal;
use crate::game::state::{Character, Kind, State};
use crate::names::fold;
use crate::rules::{Skill, System};

/// The look-up order of the rules language: the call's values; what the call resolved (`skill`, `modifier`,
/// `difficulty`, `attribute`); the actor's attributes, skills, tracks and level.
pub struct Values<'a> {
    pub state: &'a State,
    pub system: &'a System,
    pub actor: Option<&'a Character>,
    /// By folded name.
    pub given: BTreeMap<String, i64>,
    /// By folded name.
    pub resolved: BTreeMap<&'static str, i64>,
}

impl<'a> Values<'a> {
    /// The values of one actor and no call.
    pub fn of(state: &'a State, system: &'a System, actor: &'a Character) -> Self {
        Values { state, system, actor: Some(actor), given: BTreeMap::new(), resolved: BTreeMap::new() }
    }

    /// The value of one name, if there is one.
    pub fn get(&self, name: &str) -> Option<i64> {
        let folded = fold(name);
        self.given
            .get(&folded)
            .or_else(|| self.resolved.get(folded.as_str()))
            .copied()
            .or_else(|| self.actor.and_then(|actor| self.of_actor(actor, name, &folded)))
    }

    fn of_actor(&self, actor: &Character, name: &str, folded: &str) -> Option<i64> {
        if folded == "level" {
            return Some(actor.level);
        }
        if let Some(attribute) = folded.strip_suffix(" score").and_then(|bare| self.system.attribute(bare).ok()) {
            return actor.attributes.get(&attribute.name).copied();
        }
        if let Ok(attribute) = self.system.attribute(name) {
            return match actor.attributes.get(&attribute.name) {
                Some(score) => attribute.modifier(*score).ok(),
                // A foe put on the table with a name and hit points is ordinary in everything else.
                None if actor.kind == Kind::Npc => Some(0),
                None => None,
            };
        }
        if let Ok(skill) = self.system.skill(name) {
            return actor.skills.get(&skill.name).copied().or_else(|| self.untrained(skill).ok());
        }
        let track = self.state.tracks_of(actor.id).find(|track| fold(&track.name) == folded);
        track.map(|track| track.value)
    }

    /// What a skill is worth to somebody who never learned it.
    pub fn untrained(&self, skill: &Skill) -> Result<i64, Refusal> {
        let Some(base) = &skill.base else { return Ok(0) };
        self.bind(base)?.constant().ok_or_else(|| {
            let summary = format!("The untrained value of {} ({}) has dice in it.", skill.name, skill.place);
            Refusal::new("rule_broken", summary).at(skill.place.to_string())
        })
    }

    /// Binds a formula; what is missing is refused by name, with how to pass it.
    ///
    /// # Errors
    /// In the terms of a check: it takes `values`, `difficulty` and the like. Whoever asks for another call uses
    /// [`Values::try_bind`] and says what that call takes.
    pub fn bind(&self, formula: &Formula) -> Result<Expression, Refusal> {
        self.try_bind(formula).map_err(|error| match error {
            BindError::Missing(names) => self.missing(&names),
            BindError::Dice(error) => dice_refusal(&error),
        })
    }

    /// Binds a formula.
    ///
    /// # Errors
    /// The names that mean nothing here, or what is wrong with the dice.
    pub fn try_bind(&self, formula: &Formula) -> Result<Expression, BindError> {
        formula.bind(&mut |name| self.get(name))
    }

    fn missing(&self, names: &[String]) -> Refusal {
        let how: Vec<String> = names.iter().map(|name| self.how_to_pass(name)).collect();
        let summary = format!(
            "The rule needs {} and nothing says what {} is. Send {}.",
            names.iter().map(|name| format!("{{{name}}}")).collect::<Vec<_>>().join(", "),
            if names.len() == 1 { "it" } else { "each" },
            how.join(" and ")
        );
        Refusal::new("missing_value", summary)
    }

    fn how_to_pass(&self, name: &str) -> String {
        match (fold(name).as_str(), self.actor) {
            ("difficulty", _) => "difficulty=15 (or whatever the GM says)".to_owned(),
            ("skill" | "attribute" | "modifier", _) => format!("{}=\"…\"", fold(name)),
            (_, Some(actor)) if self.system.attribute(name).is_ok() => {
                format!("manage_character action=\"update\" character=\"{}\" attributes={{\"{name}\": …}}", actor.name)
            }
            _ => format!("values={{\"{name}\": …}}"),
        }
    }
}

/// A refusal of the dice, in the caller's terms.
pub fn dice_refusal(error: &DiceError) -> Refusal {
    let hint = if error.hint.is_empty() { String::new() } else { format!(" {}", sentence(&error.hint)) };
    let example = if error.example.is_empty() { String::new() } else { format!(" Example: \"{}\".", error.example) };
    let summary = format!("{}{hint}{example}", sentence(&error.message));
    Refusal::new(error.code.as_str(), summary)
}

fn sentence(text: &str) -> String {
    let text = text.trim();
    if text.ends_with(['.', '!', '?']) { text.to_owned() } else { format!("{text}.") }
}
