//! What `manage_combat` takes.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::tools::page::Page;
use crate::tools::parameter::Whom;
use rollbook_game::decide::character::{HitPoints, SheetCall};
use rollbook_game::decide::combat::Newcomer;
use rollbook_game::import;
use rollbook_game::record::state::{Edge, Kind};
use rollbook_game::refusal::{Code, Refusal};
use rollbook_rules::{Structure, System};
use rollbook_text::names::{quoted, same};

/// What to do, and with whom.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Params {
    pub action: Action,
    /// Known by name, new with hp: {"name": "Goblin", "count": 2, "hp": 7}. set_initiative, update:
    /// name and what changes.
    #[serde(default)]
    pub combatants: Vec<CombatantParams>,
    /// Who, else whoever acts; of an effect, its cause.
    pub combatant: Option<String>,
    pub title: Option<String>,
    /// "by kind": one roll a kind.
    pub initiative: Option<InitiativeBy>,
    // Of start and structure.
    pub structure: Option<FightStructure>,
    // How it ended.
    pub outcome: Option<String>,
    /// add, update: this round.
    pub acts_now: Option<bool>,
    /// What ready waits for.
    pub trigger: Option<String>,
    /// The effect or condition; reveal shows a hidden one.
    pub name: Option<String>,
    // Who bears it.
    pub on: Option<Whom>,
    /// "for 3 rounds", "until end of scene"; else by the rules.
    pub duration: Option<String>,
    /// Whose turns count it.
    pub anchor: Option<String>,
    pub ends: Option<Edge>,
    /// From players.
    pub hidden: Option<bool>,
    /// "concentration": another one of its cause ends this.
    pub exclusive: Option<String>,
}

/// Who rolls initiative together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
pub enum InitiativeBy {
    #[serde(rename = "by kind", alias = "by_kind", alias = "kind")]
    Kind,
    /// As the rules say.
    #[serde(rename = "each")]
    Each,
}

/// Whether a fight has turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
pub enum FightStructure {
    #[serde(rename = "turn-based", alias = "turn_based", alias = "turns")]
    TurnBased,
    #[serde(rename = "narrative")]
    Narrative,
}

impl From<FightStructure> for Structure {
    fn from(structure: FightStructure) -> Structure {
        match structure {
            FightStructure::TurnBased => Structure::TurnBased,
            FightStructure::Narrative => Structure::Narrative,
        }
    }
}

/// Who joins.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct CombatantParams {
    /// Of template: its own.
    #[serde(default)]
    pub name: String,
    pub template: Option<String>,
    /// "Foes.md#Ogre".
    pub from: Option<String>,
    /// Several are numbered.
    pub count: Option<i64>,
    /// Of each.
    pub hp: Option<i64>,
    /// Set, not rolled.
    pub initiative: Option<i64>,
    /// Of several turns a round: [18, 5].
    #[serde(default)]
    pub initiatives: Vec<i64>,
    /// Else players or foes.
    pub side: Option<String>,
    // true: of the players' side. A new one needs no hp.
    pub is_player: Option<bool>,
    /// From players.
    pub hidden: Option<bool>,
    /// A newcomer's: {"DEX": 14}.
    #[serde(default)]
    pub attributes: BTreeMap<String, i64>,
}

/// What to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    Create,
    Start,
    NextTurn,
    PreviousTurn,
    NextRound,
    Structure,
    Status,
    Add,
    Remove,
    Update,
    RollInitiative,
    SetInitiative,
    Delay,
    Return,
    Ready,
    Defeat,
    Revive,
    Hide,
    Reveal,
    AddEffect,
    RemoveEffect,
    End,
}

impl Params {
    /// The newcomers that the list names; `pages` are those of the adventure, one for each line.
    pub fn newcomers(
        &mut self,
        system: &System,
        pages: &[Option<Page>],
    ) -> Result<Vec<Newcomer>, Refusal> {
        let all = std::mem::take(&mut self.combatants).into_iter();
        all.zip(pages)
            .map(|(params, page)| newcomer(system, params, page.as_ref()))
            .collect()
    }

    pub fn whom(&self) -> Result<Vec<String>, Refusal> {
        let listed = self.combatants.iter().map(|combatant| &combatant.name);
        let whom: Vec<String> = self.combatant.iter().chain(listed).cloned().collect();
        if whom.is_empty() {
            return Err(Refusal::new(
                Code::InvalidParameters,
                "Who is meant? Send combatant=\"Goblin 1\".",
            ));
        }
        Ok(whom)
    }

    pub fn one(&self) -> Result<Option<String>, Refusal> {
        let mut named = self
            .combatant
            .iter()
            .chain(self.combatants.iter().map(|combatant| &combatant.name));
        match (named.next(), named.next()) {
            (first, None) => Ok(first.cloned()),
            (_, Some(second)) => {
                let summary = format!(
                    "One at a time: send the call for \"{}\" by itself.",
                    quoted(second)
                );
                Err(Refusal::new(Code::InvalidParameters, summary))
            }
        }
    }
}

impl CombatantParams {
    /// The side, by its name or by whether it is the players'. Errors: the two contradict.
    pub fn side(&self) -> Result<Option<String>, Refusal> {
        let of_players = |side: &String| same(side, PLAYERS);
        match (&self.side, self.is_player) {
            (Some(side), Some(is_player)) if of_players(side) != is_player => {
                let summary = format!(
                    "side=\"{}\" and isPlayer={is_player} contradict each other. Send side alone.",
                    quoted(side)
                );
                Err(Refusal::new(Code::InvalidParameters, summary))
            }
            (Some(side), _) => Ok(Some(side.clone())),
            (None, is_player) => {
                Ok(is_player.map(|is_player| if is_player { PLAYERS } else { FOES }.to_owned()))
            }
        }
    }
}

/// The two sides that there are without the call naming any.
const PLAYERS: &str = "players";
const FOES: &str = "foes";

fn newcomer(
    system: &System,
    params: CombatantParams,
    page: Option<&Page>,
) -> Result<Newcomer, Refusal> {
    let side = params.side()?;
    let mut made = None;
    // `from` without a page is a template of the campaign.
    let template = params.template.or(params.from.filter(|_| page.is_none()));
    let mut name = if params.name.is_empty() {
        template.clone().unwrap_or_default()
    } else {
        params.name
    };
    if let Some(page) = page {
        let imported = import::import(&page.text, system, page.which.as_deref(), &page.origin)?;
        let kind = imported
            .kind
            .filter(|kind| *kind != Kind::Template)
            .unwrap_or(Kind::Npc);
        let made_as = quoted(&imported.snapshot.name);
        let sheet = imported.into_sheet(
            SheetCall {
                kind: Some(kind),
                hp: params.hp.map(HitPoints::full),
                attributes: params.attributes.clone(),
                ..SheetCall::default()
            },
            system,
        );
        let sheet = sheet.map_err(|refusal| {
            refusal.and(&format!(
                "Then send {{\"name\": \"{made_as}\"}} here instead of from."
            ))
        })?;
        if name.is_empty() {
            name = sheet
                .from
                .as_ref()
                .map_or(String::new(), |from| from.name.clone());
        }
        made = Some(Box::new(sheet));
    }
    Ok(Newcomer {
        name,
        template,
        made,
        count: params.count,
        hp: params.hp,
        initiative: params
            .initiative
            .or_else(|| params.initiatives.first().copied()),
        initiatives: params.initiatives,
        side,
        is_player: params.is_player,
        hidden: params.hidden.unwrap_or(false),
        attributes: params.attributes,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::FightStructure;
    use rollbook_rules::Structure;

    #[test]
    fn a_structure_is_sent_by_the_word_that_rules_and_replies_have() {
        let all = [Structure::TurnBased, Structure::TurnBased.other()];
        let words: Vec<Value> = all
            .iter()
            .map(|structure| json!(structure.as_str()))
            .collect();
        let schema = Value::from(schemars::schema_for!(FightStructure));
        assert_eq!(schema["enum"], json!(words));
        for structure in all {
            let sent: FightStructure = serde_json::from_value(json!(structure.as_str())).unwrap();
            assert_eq!(Structure::from(sent), structure);
        }
    }
}
