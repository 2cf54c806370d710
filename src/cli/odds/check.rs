//! The exact chance of every outcome of a check, at one difficulty or several.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;

use super::scene::{Scene, failed};
use super::tables::Line;
use crate::cli::args::{BasesArg, CampaignArgs};
use crate::cli::output::Failed;
use crate::cli::shelf::at_hand;
use rollbook_game::decide::attack::AttackCall;
use rollbook_game::decide::check::{CheckCall, difficulty};
use rollbook_game::decide::damage::read_typed;
use rollbook_game::decide::odds::{Chances, chances, chances_again, chances_of_attack};
use rollbook_rules::{DifficultyValue, NamedDice, System};
use rollbook_table::session::adventure::Adventure;

const DIFFICULTIES_MAX: usize = 200;

/// What is tried, by whom.
#[derive(Debug, Args)]
#[group(multiple = true)]
pub struct Tried {
    /// Of a check of the adventure: its name.
    #[arg(long, value_name = "NAME", help_heading = "Odds of a check")]
    check: Option<String>,
    /// Who tries: a file with what get_character answers or with a playtest's character line, the
    /// line itself, or a name of the campaign.
    #[arg(long, value_name = "WHO", help_heading = "Odds of a check")]
    character: Option<String>,
    /// With this skill.
    #[arg(long, value_name = "NAME", help_heading = "Odds of a check")]
    skill: Option<String>,
    /// With this attribute.
    #[arg(long, value_name = "NAME", help_heading = "Odds of a check")]
    pub(super) attribute: Option<String>,
    /// 15, or 10..20, or 10,15,20; or words of the rules: fair,hard.
    #[arg(
        long,
        value_name = "N..N",
        help_heading = "Odds of a check",
        allow_hyphen_values = true
    )]
    pub(super) difficulty: Option<String>,
    /// Situational bonus or penalty.
    #[arg(
        long,
        value_name = "N",
        help_heading = "Odds of a check",
        allow_negative_numbers = true,
        default_value_t
    )]
    modifier: i64,
    /// Another variable that the rule names; may be given several times.
    #[arg(
        long = "value",
        value_name = "NAME=N",
        help_heading = "Odds of a check"
    )]
    values: Vec<String>,
    /// So many steps along the dice chain: 1 up, -1 down.
    #[arg(
        long,
        value_name = "N",
        help_heading = "Odds of a check",
        allow_negative_numbers = true,
        default_value_t
    )]
    steps: i64,
    #[arg(long, help_heading = "Odds of a check")]
    advantage: bool,
    #[arg(long, help_heading = "Odds of a check")]
    disadvantage: bool,
    /// Who rolls against it, as --character has it.
    #[arg(long, value_name = "WHO", help_heading = "Odds of a check")]
    opposed_by: Option<String>,
    /// With this skill; the same when left out.
    #[arg(
        long,
        value_name = "NAME",
        help_heading = "Odds of a check",
        requires = "opposed_by"
    )]
    opposed_skill: Option<String>,
    /// A variable of its own that the rule names; may be given several times.
    #[arg(
        long = "opposed-value",
        value_name = "NAME=N",
        help_heading = "Odds of a check",
        requires = "opposed_by"
    )]
    opposed_values: Vec<String>,
    /// Followed by this rule of the check wherever that pays: Push.
    #[arg(long, value_name = "RULE", help_heading = "Odds of a check")]
    again: Option<String>,
    /// Whom it is tried against, as --character has it.
    #[arg(long, value_name = "WHO", help_heading = "Odds of a check")]
    target: Option<String>,
    /// What an attack of the character does to the target: its name.
    #[arg(
        long,
        value_name = "NAME",
        help_heading = "Odds of a check",
        requires = "target"
    )]
    attack: Option<String>,
    /// The same of these dice: 1d8+2.
    #[arg(
        long,
        value_name = "DICE",
        help_heading = "Odds of a check",
        requires = "target"
    )]
    damage: Option<String>,
    /// slashing, cold, …
    #[arg(
        long,
        value_name = "TYPE",
        help_heading = "Odds of a check",
        requires = "target"
    )]
    damage_type: Option<String>,
    /// A table of every skill at every difficulty [default: those that the rules have words for].
    #[arg(long, help_heading = "Odds of a check", requires = "character", conflicts_with_all = ["skill", "opposed_by", "again", "target"])]
    pub(super) skills: bool,
    /// The adventure's folder, or the name of one that comes with the program [default: the current
    /// folder].
    #[arg(long, value_name = "DIR|NAME", help_heading = "Odds of a check")]
    adventure: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Odds of a check")]
    table: CampaignArgs,
    #[command(flatten, next_help_heading = "Odds of a check")]
    pub(super) bases: BasesArg,
}

/// A side of a comparison, in place of an option.
#[derive(Debug, Clone)]
pub(super) enum Side {
    Character(String),
    Difficulty(String),
    Rules(Box<Adventure>),
}

impl Tried {
    pub(super) fn is_asked(&self) -> bool {
        let named = [
            &self.check,
            &self.skill,
            &self.attribute,
            &self.character,
            &self.attack,
        ];
        named.into_iter().any(Option::is_some)
    }

    /// An option of a check that was sent without one.
    pub(super) fn stray(&self) -> Option<&'static str> {
        let sent = [
            ("--difficulty", self.difficulty.is_some()),
            ("--modifier", self.modifier != 0),
            ("--value", !self.values.is_empty()),
            ("--steps", self.steps != 0),
            ("--advantage", self.advantage),
            ("--disadvantage", self.disadvantage),
            ("--opposed-by", self.opposed_by.is_some()),
            ("--again", self.again.is_some()),
            ("--target", self.target.is_some()),
        ];
        sent.into_iter()
            .find(|(_, sent)| *sent)
            .map(|(option, _)| option)
    }

    /// What is compared, the option that says one of it and not two, and whether that was sent.
    pub(super) fn kind(&self, side: &Side) -> (&'static str, &'static str, bool) {
        match side {
            Side::Character(_) => ("characters", "--character", self.character.is_some()),
            Side::Difficulty(_) => ("difficulties", "--difficulty", self.difficulty.is_some()),
            Side::Rules(_) => ("rules", "--adventure", self.adventure.is_some()),
        }
    }

    pub(super) fn adventure(&self) -> Result<Adventure, Failed> {
        let named = self.adventure.as_deref();
        Adventure::read(&at_hand(named.unwrap_or(std::path::Path::new(".")))?)
    }

    /// The dice that have names: of the named adventure, else of the current folder.
    pub(super) fn named_dice(&self) -> Result<NamedDice, Failed> {
        let found = match self.adventure() {
            Err(why) if self.adventure.is_some() => return Err(why),
            found => found
                .ok()
                .filter(|found| self.adventure.is_some() || !found.reading.system.narrative),
        };
        Ok(found
            .map(|found| found.reading.system.named_dice.clone())
            .unwrap_or_default())
    }

    pub(super) async fn chances(&self, side: Option<&Side>) -> Result<CheckOdds, Failed> {
        let scene = self.scene(side).await?;
        let text = if let Some(Side::Difficulty(text)) = side {
            Some(text)
        } else {
            self.difficulty.as_ref()
        };
        let line = |(difficulty, _): Named| {
            Ok((
                difficulty,
                self.found(&scene, self.call(&scene, difficulty)?)?,
            ))
        };
        let lines: Vec<Line> = scene
            .difficulties(text)?
            .into_iter()
            .map(line)
            .collect::<Result<_, Failed>>()?;
        let made = lines.first().and_then(|(_, found)| found.check.clone());
        let mut name = vec![made.unwrap_or_else(|| "Check".to_owned())];
        // A side is named beside the name of what all have in common.
        name.extend(
            scene
                .who
                .clone()
                .filter(|_| !matches!(side, Some(Side::Character(_)))),
        );
        name.extend(self.skill.clone().or_else(|| self.attribute.clone()));
        name.extend(
            scene
                .opponent
                .as_ref()
                .map(|opponent| format!("against {opponent}")),
        );
        if let Some(target) = &scene.target {
            let with = self.attack.as_ref().or(self.damage.as_ref());
            name.push(with.map_or_else(
                || format!("at {target}"),
                |with| format!("{with} at {target}"),
            ));
        }
        Ok(CheckOdds {
            name: name.join(", "),
            who: scene.who,
            lines,
        })
    }

    pub(super) async fn scene(&self, side: Option<&Side>) -> Result<Scene, Failed> {
        let adventure = if let Some(Side::Rules(adventure)) = side {
            (**adventure).clone()
        } else {
            self.adventure()?
        };
        let compared = if let Some(Side::Character(who)) = side {
            Some(("--compare", who))
        } else {
            None
        };
        let who = compared.or(self.character.as_ref().map(|who| ("--character", who)));
        let opponent = self.opposed_by.as_ref().map(|who| ("--opposed-by", who));
        let target = self.target.as_ref().map(|who| ("--target", who));
        Scene::with(&adventure, [who, opponent, target], &self.table).await
    }

    pub(super) fn found(&self, scene: &Scene, call: CheckCall) -> Result<Chances, Failed> {
        let damage = self
            .attack
            .as_ref()
            .map(|_| "--attack")
            .or(self.damage.as_ref().map(|_| "--damage"));
        let Scene { state, setting, .. } = scene;
        let found = match (&self.again, damage) {
            (Some(rule), _) if self.opposed_by.is_some() => {
                return Err(format!(
                    "--again is about the roll of one side, and --opposed-by brings two. Leave --again out for who wins as the dice fall first, or \
                     --opposed-by (with its options) for what {rule} makes of one side's roll."
                ));
            }
            (Some(_), Some(option)) => {
                return Err(format!(
                    "--again follows the check alone, and the damage comes after it. Leave --again out, or {option}."
                ));
            }
            (Some(rule), None) => chances_again(state, setting, &call, rule),
            (None, None) => chances(state, setting, &call),
            (None, Some(_)) => self
                .attack_call(scene, call)
                .and_then(|call| chances_of_attack(state, setting, &call)),
        };
        found.map_err(|refusal| failed(refusal.into()))
    }

    fn attack_call(
        &self,
        scene: &Scene,
        check: CheckCall,
    ) -> Result<AttackCall, rollbook_game::refusal::Refusal> {
        let Scene { state, setting, .. } = scene;
        let (mut damage, mut damage_type) = (None, self.damage_type.clone());
        if let Some(input) = &self.damage {
            let (read, kind) = read_typed(state, &setting.system, "damage", input, damage_type)?;
            (damage, damage_type) = (Some((read, input.clone())), kind);
        }
        Ok(AttackCall {
            check: CheckCall {
                target: None,
                ..check
            },
            targets: scene.target.iter().cloned().collect(),
            attack: self.attack.clone(),
            damage,
            damage_type,
            ..AttackCall::default()
        })
    }

    pub(super) fn call(&self, scene: &Scene, difficulty: Option<i64>) -> Result<CheckCall, Failed> {
        Ok(CheckCall {
            check: self.check.clone(),
            skill: self.skill.clone(),
            attribute: self.attribute.clone(),
            difficulty,
            advantage: self.advantage,
            disadvantage: self.disadvantage,
            modifier: self.modifier,
            steps: self.steps,
            values: values("--value", &self.values)?,
            character: scene.who.clone(),
            target: scene.target.clone(),
            opposed_by: match &scene.opponent {
                Some(opponent) => Some(Box::new(CheckCall {
                    character: Some(opponent.clone()),
                    skill: self.opposed_skill.clone().or_else(|| self.skill.clone()),
                    attribute: self.attribute.clone(),
                    values: values("--opposed-value", &self.opposed_values)?,
                    ..CheckCall::default()
                })),
                None => None,
            },
            ..CheckCall::default()
        })
    }
}

fn values(option: &str, given: &[String]) -> Result<BTreeMap<String, String>, Failed> {
    let read = |text: &String| {
        let (name, value) = text
            .split_once('=')
            .ok_or_else(|| format!("{option} takes NAME=N, not {text}"))?;
        Ok((name.trim().to_owned(), value.trim().to_owned()))
    };
    given.iter().map(read).collect()
}

/// A difficulty, with its word where it was sent as one.
pub(super) type Named = (Option<i64>, Option<String>);

impl Scene {
    pub(super) fn system(&self) -> &System {
        &self.setting.system
    }

    /// The skills of the one who tries, where the rules have none of their own.
    pub(super) fn skills_of_sheet(&self) -> Vec<String> {
        let all = self
            .state
            .characters
            .values()
            .filter(|one| Some(&one.name) == self.who.as_ref());
        let skills = all.take(1).flat_map(|character| character.skills.keys());
        skills
            .filter(|name| self.system().named_skill(name).is_none())
            .cloned()
            .collect()
    }

    /// The difficulties of a text: 15 or 10..20 or 10,15,20 or words; without one `None`.
    pub(super) fn difficulties(&self, text: Option<&String>) -> Result<Vec<Named>, Failed> {
        let Some(text) = text else {
            return Ok(vec![(None, None)]);
        };
        let wrong = || {
            format!("--difficulty {text}: write 15, or 10..20, or 10,15,20, or a word of the rules")
        };
        let mut all = Vec::new();
        for part in text.split(',') {
            if part.contains(char::is_alphabetic) {
                let known = difficulty(self.system(), part.trim())
                    .map_err(|refusal| failed(refusal.into()))?;
                let name = known.name.clone();
                if let DifficultyValue::Row(row) = &known.is {
                    return Err(format!(
                        "{name} is the row {row}, whose chance stands among the outcomes: leave --difficulty out."
                    ));
                }
                all.push((known.number(), Some(name)));
                continue;
            }
            let (first, last) = part.split_once("..").unwrap_or((part, part));
            let number = |text: &str| {
                text.trim()
                    .trim_start_matches('=')
                    .parse::<i64>()
                    .map_err(|_| wrong())
            };
            let (first, last) = (number(first)?, number(last)?);
            if last < first {
                return Err(wrong());
            }
            let room = DIFFICULTIES_MAX.saturating_sub(all.len());
            if last.saturating_sub(first) >= i64::try_from(room).unwrap_or(0) {
                return Err(format!(
                    "--difficulty {text}: at most {DIFFICULTIES_MAX} at once"
                ));
            }
            all.extend((first..=last).map(|difficulty| (Some(difficulty), None)));
        }
        Ok(all)
    }
}

pub(super) struct CheckOdds {
    pub name: String,
    pub who: Option<String>,
    pub lines: Vec<Line>,
}
