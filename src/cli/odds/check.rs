//! The exact chance of every outcome of a check, for a character and one difficulty after the other.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;

use super::columns::Line;
use super::scene::{Person, Scene, failed};
use crate::cli::args::CampaignArgs;
use crate::cli::output::Failed;
use rollbook_game::decide::attack::AttackCall;
use rollbook_game::decide::check::{CheckCall, Opponent, difficulty};
use rollbook_game::decide::damage::read_typed;
use rollbook_game::decide::odds::{Chances, chances, chances_again, chances_of_attack};
use rollbook_rules::{OwnDice, System, ToReach};
use rollbook_table::session::adventure::Adventure;

const DIFFICULTIES_MAX: usize = 200;

/// What is tried, by whom.
#[derive(Debug, Args)]
#[group(multiple = true)]
pub struct Tried {
    /// Of a check of the adventure: its name.
    #[arg(long, value_name = "NAME", help_heading = "Odds of a check")]
    check: Option<String>,
    /// Who tries: a file with what get_character answers or with a playtest's character line, the line itself, or a name of the campaign.
    #[arg(long, value_name = "WHO", help_heading = "Odds of a check")]
    character: Option<String>,
    /// With this skill.
    #[arg(long, value_name = "NAME", help_heading = "Odds of a check")]
    skill: Option<String>,
    /// With this attribute.
    #[arg(long, value_name = "NAME", help_heading = "Odds of a check")]
    attribute: Option<String>,
    /// 15, or 10..20, or 10,15,20; or words of the rules: fair,hard.
    #[arg(long, value_name = "N..N", help_heading = "Odds of a check", allow_hyphen_values = true)]
    difficulty: Option<String>,
    /// Situational bonus or penalty.
    #[arg(
        long,
        value_name = "N",
        help_heading = "Odds of a check",
        allow_negative_numbers = true,
        default_value = "0"
    )]
    modifier: i64,
    /// Another variable that the rule names; may be given several times.
    #[arg(long = "value", value_name = "NAME=N", help_heading = "Odds of a check")]
    values: Vec<String>,
    /// So many steps along the dice chain: 1 up, -1 down.
    #[arg(
        long,
        value_name = "N",
        help_heading = "Odds of a check",
        allow_negative_numbers = true,
        default_value = "0"
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
    #[arg(long, value_name = "NAME", help_heading = "Odds of a check", requires = "opposed_by")]
    opposed_skill: Option<String>,
    /// A variable of its own that the rule names; may be given several times.
    #[arg(long = "opposed-value", value_name = "NAME=N", help_heading = "Odds of a check", requires = "opposed_by")]
    opposed_values: Vec<String>,
    /// Followed by this rule of the check wherever that pays: Push.
    #[arg(long, value_name = "RULE", help_heading = "Odds of a check")]
    again: Option<String>,
    /// Whom it is tried against, as --character has it.
    #[arg(long, value_name = "WHO", help_heading = "Odds of a check")]
    target: Option<String>,
    /// What an attack of the character does to the target: its name.
    #[arg(long, value_name = "NAME", help_heading = "Odds of a check", requires = "target")]
    attack: Option<String>,
    /// The same of these dice: 1d8+2.
    #[arg(long, value_name = "DICE", help_heading = "Odds of a check", requires = "target")]
    damage: Option<String>,
    /// slashing, cold, …
    #[arg(long, value_name = "TYPE", help_heading = "Odds of a check", requires = "target")]
    damage_type: Option<String>,
    /// A table of every skill at every difficulty [default: those that the rules have words for].
    #[arg(long, help_heading = "Odds of a check", requires = "character", conflicts_with_all = ["skill", "opposed_by", "again", "target"])]
    skills: bool,
    /// The adventure's folder [default: the current folder].
    #[arg(long, value_name = "DIR", help_heading = "Odds of a check")]
    adventure: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Odds of a check")]
    table: CampaignArgs,
}

/// What is asked in another way than the options say it: one side of a comparison.
#[derive(Default, Clone, Copy)]
pub(super) struct Side<'a> {
    pub adventure: Option<&'a Adventure>,
    pub character: Option<&'a str>,
    pub difficulty: Option<&'a str>,
}

/// Somebody's calls, ready to be asked.
pub(super) struct Ready {
    scene: Scene,
    names: Names,
}

/// Whom the options name.
#[derive(Default)]
struct Names {
    own: Option<String>,
    other: Option<String>,
    target: Option<String>,
}

impl Tried {
    pub(super) fn is_asked(&self) -> bool {
        let named = [&self.check, &self.skill, &self.attribute, &self.character, &self.attack];
        named.into_iter().any(Option::is_some)
    }

    pub(super) fn attribute(&self) -> Option<&str> {
        self.attribute.as_deref()
    }

    pub(super) fn of_skills(&self) -> bool {
        self.skills
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
        sent.into_iter().find(|(_, sent)| *sent).map(|(option, _)| option)
    }

    /// The options that a side of a comparison stands for, where they were sent, too.
    pub(super) fn named(&self) -> [(&'static str, bool); 3] {
        [
            ("--character", self.character.is_some()),
            ("--difficulty", self.difficulty.is_some()),
            ("--adventure", self.adventure.is_some()),
        ]
    }

    pub(super) fn adventure(&self) -> Result<Adventure, Failed> {
        Adventure::read(self.adventure.as_deref().unwrap_or(std::path::Path::new(".")))
    }

    /// The dice that have names: those of the adventure that is named, else of the folder that the command runs in, if it is one.
    pub(super) fn own_dice(&self) -> Result<OwnDice, Failed> {
        let found = match &self.adventure {
            Some(_) => self.adventure()?,
            None => match self.adventure().ok().filter(|own| !own.reading.system.narrative) {
                Some(own) => own,
                None => return Ok(OwnDice::default()),
            },
        };
        Ok(found.reading.system.own_dice.clone())
    }

    /// The chances at each difficulty.
    pub(super) async fn chances(&self) -> Result<CheckOdds, Failed> {
        self.chances_of(Side::default()).await
    }

    /// The same for a side.
    pub(super) async fn chances_of(&self, side: Side<'_>) -> Result<CheckOdds, Failed> {
        let ready = self.ready(side).await?;
        let difficulties = ready.difficulties(side.difficulty.or(self.difficulty.as_deref()))?;
        let mut lines = Vec::new();
        for (difficulty, _) in difficulties {
            let found = self.found(&ready, self.call(&ready, difficulty)?)?;
            lines.push((difficulty, found));
        }
        let made = lines.first().and_then(|(_, found)| found.check.clone());
        let mut name = vec![made.unwrap_or_else(|| "Check".to_owned())];
        // A side is named beside the name of what all have in common.
        name.extend(ready.names.own.clone().filter(|_| side.character.is_none()));
        name.extend(self.skill.clone().or_else(|| self.attribute.clone()));
        name.extend(ready.names.other.as_ref().map(|other| format!("against {other}")));
        if let Some(target) = &ready.names.target {
            let with = self.attack.as_ref().or(self.damage.as_ref());
            name.push(with.map_or_else(|| format!("at {target}"), |with| format!("{with} at {target}")));
        }
        Ok(CheckOdds { name: name.join(", "), who: ready.names.own, lines })
    }

    pub(super) async fn ready(&self, side: Side<'_>) -> Result<Ready, Failed> {
        let read;
        let adventure = match side.adventure {
            Some(adventure) => adventure,
            None => {
                read = self.adventure()?;
                &read
            }
        };
        let who = match side.character {
            Some(who) => Some(("--compare", who)),
            None => self.character.as_deref().map(|who| ("--character", who)),
        };
        let other = self.opposed_by.as_deref().map(|who| ("--opposed-by", who));
        let target = self.target.as_deref().map(|who| ("--target", who));
        let people: Vec<Person<'_>> = [who, other, target].into_iter().flatten().collect();
        let (scene, names) = Scene::of(adventure, &people, &self.table).await?;
        let mut found = names.into_iter();
        let names = Names {
            own: who.and_then(|_| found.next()),
            other: other.and_then(|_| found.next()),
            target: target.and_then(|_| found.next()),
        };
        Ok(Ready { scene, names })
    }

    /// The chances of a call.
    pub(super) fn found(&self, ready: &Ready, call: CheckCall) -> Result<Chances, Failed> {
        self.check_again()?;
        let Scene { state, setting } = &ready.scene;
        let found = match &self.again {
            Some(rule) => chances_again(state, setting, &call, rule),
            None if self.attack.is_none() && self.damage.is_none() => chances(state, setting, &call),
            None => self.attack_call(ready, call).and_then(|call| chances_of_attack(state, setting, &call)),
        };
        found.map_err(|refusal| failed(refusal.into()))
    }

    /// Refuses a follow-up beside what makes the odds those of more than one roll.
    fn check_again(&self) -> Result<(), Failed> {
        let Some(rule) = &self.again else { return Ok(()) };
        if self.opposed_by.is_some() {
            return Err(format!(
                "--again is about the roll of one side, and --opposed-by brings two. Leave --again out for who wins as the dice fall first, or \
                 --opposed-by (with its options) for what {rule} makes of one side's roll."
            ));
        }
        let damage = [("--attack", self.attack.is_some()), ("--damage", self.damage.is_some())];
        match damage.into_iter().find(|(_, sent)| *sent) {
            Some((option, _)) => Err(format!(
                "--again follows the check alone, and the damage comes after it. Leave --again out, or {option}."
            )),
            None => Ok(()),
        }
    }

    fn attack_call(&self, ready: &Ready, check: CheckCall) -> Result<AttackCall, rollbook_game::refusal::Refusal> {
        let Scene { state, setting } = &ready.scene;
        let kind = self.damage_type.clone();
        let (damage, damage_type) = match &self.damage {
            Some(input) => {
                let (read, kind) = read_typed(state, &setting.system, "damage", input, kind)?;
                (Some((read, input.clone())), kind)
            }
            None => (None, kind),
        };
        Ok(AttackCall {
            check: CheckCall { target: None, ..check },
            targets: ready.names.target.iter().cloned().collect(),
            attack: self.attack.clone(),
            damage,
            damage_type,
            ..AttackCall::default()
        })
    }

    /// The call at a difficulty.
    pub(super) fn call(&self, ready: &Ready, difficulty: Option<i64>) -> Result<CheckCall, Failed> {
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
            character: ready.names.own.clone(),
            target: ready.names.target.clone(),
            opposed_by: match &ready.names.other {
                Some(other) => Some(Opponent {
                    character: other.clone(),
                    skill: self.opposed_skill.clone().or_else(|| self.skill.clone()),
                    attribute: self.attribute.clone(),
                    values: values("--opposed-value", &self.opposed_values)?,
                    ..Opponent::default()
                }),
                None => None,
            },
            ..CheckCall::default()
        })
    }

    pub(super) fn asked_difficulties(&self, ready: &Ready) -> Result<Option<Vec<Named>>, Failed> {
        self.difficulty.as_deref().map(|text| ready.difficulties(Some(text))).transpose()
    }
}

/// Variables with what they stand for.
fn values(option: &str, given: &[String]) -> Result<BTreeMap<String, String>, Failed> {
    let read = |own: &String| {
        let (name, value) = own.split_once('=').ok_or_else(|| format!("{option} takes NAME=N, not {own}"))?;
        Ok((name.trim().to_owned(), value.trim().to_owned()))
    };
    given.iter().map(read).collect()
}

/// A difficulty, with its word where it was sent as one.
pub(super) type Named = (Option<i64>, Option<String>);

impl Ready {
    pub(super) fn system(&self) -> &System {
        &self.scene.setting.system
    }

    pub(super) fn who(&self) -> Option<&str> {
        self.names.own.as_deref()
    }

    /// The skills of the one who tries, where the rules have none of their own.
    pub(super) fn skills_of_sheet(&self) -> Vec<String> {
        let who = self.scene.state.characters.values().find(|own| Some(own.name.as_str()) == self.who());
        let declared = |name: &String| self.system().named_skill(name).is_some();
        who.into_iter().flat_map(|own| own.skills.keys().filter(|name| !declared(name)).cloned()).collect()
    }

    /// Those of a text; without one none, once.
    fn difficulties(&self, text: Option<&str>) -> Result<Vec<Named>, Failed> {
        let word = |word: &str| {
            let own = difficulty(self.system(), word).map_err(|refusal| failed(refusal.into()))?;
            match &own.is {
                ToReach::Number(number) => Ok((*number, own.name.clone())),
                ToReach::Row(row) => Err(format!(
                    "{} is the row {row}, whose chance stands among the outcomes: leave --difficulty out.",
                    own.name
                )),
            }
        };
        difficulties(text, &word)
    }
}

/// The chances of a check's outcomes, a line a difficulty.
pub(super) struct CheckOdds {
    pub name: String,
    pub who: Option<String>,
    pub lines: Vec<Line>,
}

/// The number and the name of a word of the rules.
type Word<'w> = dyn Fn(&str) -> Result<(i64, String), Failed> + 'w;

/// The difficulties of a text, 15 or 10..20 or 10,15,20 or words of the rules, which `word` looks up; without a text a single `None`.
fn difficulties(text: Option<&str>, word: &Word<'_>) -> Result<Vec<Named>, Failed> {
    let Some(text) = text else { return Ok(vec![(None, None)]) };
    let wrong = || format!("--difficulty {text}: write 15, or 10..20, or 10,15,20, or a word of the rules");
    let mut all = Vec::new();
    for part in text.split(',') {
        if part.contains(char::is_alphabetic) {
            let (number, name) = word(part.trim())?;
            all.push((Some(number), Some(name)));
            continue;
        }
        let (first, last) = part.split_once("..").unwrap_or((part, part));
        let number = |text: &str| text.trim().trim_start_matches('=').parse::<i64>().map_err(|_| wrong());
        let (first, last) = (number(first)?, number(last)?);
        if last < first {
            return Err(wrong());
        }
        let room = DIFFICULTIES_MAX.saturating_sub(all.len());
        if last.saturating_sub(first) >= i64::try_from(room).unwrap_or(0) {
            return Err(format!("--difficulty {text}: at most {DIFFICULTIES_MAX} at once"));
        }
        all.extend((first..=last).map(|own| (Some(own), None)));
    }
    Ok(all)
}
