//! What `skill_check` takes.

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::{Deserializer, Error as _};
use serde_json::{Map, Value};

use crate::tools::parameter::{NumberOrWord, ShownTo, Whom, replace_difficulty, to_reach};
use crate::tools::reply;
use crate::tools::roll_dice::one_line;
use crate::tools::stated::{Beside, StatedParams};
use rollbook_dice::Expression;
use rollbook_game::decide::attack::AttackCall;
use rollbook_game::decide::check::{CheckCall, Follow};
use rollbook_game::decide::damage::read_typed;
use rollbook_game::mechanics::several::is_side;
use rollbook_game::record::state::State;
use rollbook_game::refusal::{Code, Refusal};
use rollbook_game::table::Table;
use rollbook_rules::System;

const TURNS_MAX: usize = 12;

/// What was sent: a check, or several turns, each with what was sent for it.
#[derive(Debug, Clone)]
pub enum Sent {
    One(Box<Params>),
    Turns(Vec<SentTurn>),
}

pub type SentTurn = (Params, Map<String, Value>);

impl<'de> Deserialize<'de> for Sent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut sent = Map::deserialize(deserializer)?;
        let Some(turns) = sent.remove("turns") else {
            let one = serde_json::from_value(Value::Object(sent));
            return one
                .map(|one| Sent::One(Box::new(one)))
                .map_err(D::Error::custom);
        };
        if let Some(name) = sent.keys().next() {
            return Err(D::Error::custom(format!(
                "each of the turns is a call. Put {name} into those that it is for"
            )));
        }
        let turns: Vec<Map<String, Value>> =
            serde_json::from_value(turns).map_err(D::Error::custom)?;
        let read = |(nth, sent): (usize, Map<String, Value>)| match serde_json::from_value::<Params>(
            Value::Object(sent.clone()),
        ) {
            Ok(turn) if turn.again.is_none() => Ok((turn, sent)),
            Ok(_) => Err(format!(
                "turns[{nth}]: again follows a roll that was made. Send it alone"
            )),
            Err(error) => Err(format!("turns[{nth}]: {error}")),
        };
        let turns: Result<Vec<_>, String> = turns.into_iter().enumerate().map(read).collect();
        match turns.map_err(D::Error::custom)? {
            turns if turns.is_empty() => Err(D::Error::custom(format!(
                "turns is empty, and it takes 1 to {TURNS_MAX}: turns=[{{\"character\": \"…\", \"attack\": \"…\", \"target\": \"…\"}}]"
            ))),
            turns => Ok(Sent::Turns(turns)),
        }
    }
}

impl JsonSchema for Sent {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        Params::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let text = || json_schema!({"type": "string"});
        let mut schema = Params::json_schema(generator);
        let turns = json_schema!({
            "type": "array",
            "maxItems": TURNS_MAX,
            "description": "Each a call, then its turn ends. Stops where you decide; left is the rest.",
            "items": {
                "type": "object",
                "properties": {"character": text(), "attack": text(), "target": text()},
                "additionalProperties": true,
            },
        });
        if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
            properties.insert("turns".to_owned(), turns.to_value());
        }
        schema
    }
}

/// What is tried, by whom, against what.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Params {
    /// As System.md names it.
    pub skill: Option<String>,
    /// Who tries, or several, a side or "party"; else the only player character.
    pub character: Option<Whom>,
    /// How several count together.
    pub group: Option<Group>,
    /// A named check; the first when left out.
    pub check: Option<String>,
    /// What must be reached, or the rules' word for it.
    pub difficulty: Option<NumberOrWord>,
    /// In place of the skill's, or alone.
    pub attribute: Option<String>,
    pub advantage: Option<bool>,
    pub disadvantage: Option<bool>,
    /// Situational.
    pub modifier: Option<i64>,
    /// Whom: a name, several or a side; each has its own roll.
    pub target: Option<Whom>,
    /// An attack's dice: "1d8+2".
    pub damage: Option<String>,
    /// Of the sheet, in place of skill and damage.
    pub attack: Option<String>,
    /// slashing, cold, …
    pub damage_type: Option<String>,
    // Where the damage falls, as in apply_damage.
    pub track: Option<String>,
    pub end_turn: Option<bool>,
    /// Other variables of the rule: {"bonus": "1", "pool": "d8,d6"}.
    #[serde(default)]
    pub values: BTreeMap<String, String>,
    /// Along the dice chain.
    pub steps: Option<i64>,
    pub opposed_by: Option<OpposedBy>,
    #[serde(flatten)]
    pub stated: StatedParams,
    // Why roll sets a rule aside; logged.
    pub override_reason: Option<String>,
    /// Push or luck on a logged check: "#128", or "last".
    pub again: Option<String>,
    /// Whoever sees the dice reads it.
    #[serde(default, deserialize_with = "one_line")]
    pub context: Option<String>,
    /// As in roll_dice.
    pub visibility: Option<ShownTo>,
    pub visible: Option<bool>,
    // As in roll_dice: the check's dice, then the damage's.
    pub entered: Option<Vec<i64>>,
}

/// How the checks of several are taken together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    Each,
    All,
    Half,
    Best,
}

/// Who rolls against it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct OpposedBy {
    pub character: String,
    pub skill: Option<String>,
    pub attribute: Option<String>,
    pub check: Option<String>,
    pub modifier: Option<i64>,
    #[serde(default)]
    pub values: BTreeMap<String, String>,
}

impl OpposedBy {
    /// What the opponent rolls, with numbers for words. Errors: the rules have no such difficulty.
    pub fn opponent(mut self, system: &System) -> Result<Box<CheckCall>, Refusal> {
        replace_difficulty(&mut self.values, system)?;
        let OpposedBy {
            character,
            skill,
            attribute,
            check,
            modifier,
            values,
        } = self;
        Ok(Box::new(CheckCall {
            character: Some(character),
            skill,
            attribute,
            check,
            modifier: modifier.unwrap_or(0),
            values,
            ..CheckCall::default()
        }))
    }
}

impl Params {
    /// Refuses lists and sides: how many there are of a side can be a secret.
    pub fn only_one_target(&self, state: &State) -> Result<(), Refusal> {
        let is_one = |whom: &Whom| matches!(whom, Whom::One(name) if !is_side(state, name));
        match self.target.as_ref().is_none_or(is_one) {
            true => Ok(()),
            false => Err(Refusal::new(
                Code::InvalidParameters,
                "A player's check has one target. Name one.",
            )),
        }
    }

    /// The call they describe; `again` is the roll it follows.
    pub fn attack(
        mut self,
        again: Option<Follow>,
        table: &mut Table,
    ) -> Result<AttackCall, Refusal> {
        let (visibility, reader) =
            reply::shown(table.state, self.visibility.as_ref(), self.visible)?;
        table.reader = reader;
        let (state, system) = (&*table.state, table.system());
        replace_difficulty(&mut self.values, system)?;
        let (character, characters) = match self.character {
            Some(Whom::One(name)) if !is_side(state, &name) => (Some(name), Vec::new()),
            Some(several) => (None, several.names()),
            None => (None, Vec::new()),
        };
        let (difficulty, reach) = to_reach(self.difficulty, system)?;
        let beside = Beside {
            check: self.check.as_deref(),
            difficulty,
            reach: reach.as_deref(),
            values: &self.values,
            opposed: self.opposed_by.is_some(),
            again: again.is_some(),
            override_reason: self.override_reason,
        };
        let stated = self.stated.read(system, beside)?;
        let check = CheckCall {
            skill: self.skill,
            character,
            check: self.check,
            difficulty,
            reach,
            attribute: self.attribute,
            advantage: self.advantage.unwrap_or(false),
            disadvantage: self.disadvantage.unwrap_or(false),
            modifier: self.modifier.unwrap_or(0),
            values: self.values,
            steps: self.steps.unwrap_or(0),
            opposed_by: self.opposed_by.map(|by| by.opponent(system)).transpose()?,
            again,
            stated,
            context: self.context,
            visibility,
            ..CheckCall::default()
        };
        let (damage, damage_type) = damage(
            state,
            system,
            self.damage,
            self.damage_type,
            self.attack.is_some(),
        )?;
        Ok(AttackCall {
            check,
            characters,
            targets: match self.target.map(Whom::names) {
                Some(names) if names.is_empty() => {
                    let summary = "target names nobody. Send target=\"Goblin 1\", or leave it out.";
                    return Err(Refusal::new(Code::InvalidParameters, summary));
                }
                names => names.unwrap_or_default(),
            },
            damage,
            attack: self.attack,
            damage_type,
            track: self.track,
            end_turn: self.end_turn.unwrap_or(false),
            entered: self.entered,
            ..AttackCall::default()
        })
    }
}

/// Dice and as they were typed.
pub type Dice = (Expression, String);

pub fn damage(
    state: &State,
    system: &System,
    damage: Option<String>,
    damage_type: Option<String>,
    attack: bool,
) -> Result<(Option<Dice>, Option<String>), Refusal> {
    match damage {
        Some(input) => {
            let (read, damage_type) = read_typed(state, system, "damage", &input, damage_type)?;
            Ok((Some((read, input)), damage_type))
        }
        None if damage_type.is_some() && !attack => {
            let summary = "damage_type says what kind of damage, and nothing says how much. Send damage=\"1d8+2\" with it.";
            Err(Refusal::new(Code::InvalidParameters, summary))
        }
        None => Ok((None, damage_type)),
    }
}
