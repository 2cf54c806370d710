//! The exact chance of every outcome of a check, for a character and one difficulty after the other.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::Value;

use super::outcomes::{Line, table};
use super::{columns, json};
use crate::cli::output::Failed;
use crate::game::decide::check::{CheckCall, Opponent, difficulty};
use crate::game::decide::odds::{chances, chances_again};
use crate::playtest::{Tray, host, sheet};
use crate::session::adventure::Adventure;
use crate::session::{CallError, Caller, Host, Purpose};
use crate::tools::tool_named;

/// Difficulties in one table.
const DIFFICULTIES_MAX: usize = 200;

/// What is tried, by whom.
#[derive(Debug, Args)]
#[group(multiple = true)]
pub struct Tried {
    /// Of a check of the adventure: its name.
    #[arg(long, value_name = "NAME", help_heading = "Odds of a check")]
    check: Option<String>,
    /// Who tries: a file with what get_character answers or with a playtest's character line, or the line itself.
    #[arg(long, value_name = "FILE", help_heading = "Odds of a check")]
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
    #[arg(long, help_heading = "Odds of a check")]
    advantage: bool,
    #[arg(long, help_heading = "Odds of a check")]
    disadvantage: bool,
    /// Who rolls against it, as --character has it.
    #[arg(long, value_name = "FILE", help_heading = "Odds of a check")]
    opposed_by: Option<String>,
    /// With this skill; the same when left out.
    #[arg(long, value_name = "NAME", help_heading = "Odds of a check", requires = "opposed_by")]
    opposed_skill: Option<String>,
    /// Followed by this rule of the check wherever that pays: Push.
    #[arg(long, value_name = "RULE", help_heading = "Odds of a check", conflicts_with = "opposed_by")]
    again: Option<String>,
    /// The adventure's folder.
    #[arg(long, value_name = "DIR", default_value = ".", help_heading = "Odds of a check")]
    adventure: PathBuf,
}

impl Tried {
    /// Whether a check was asked about and no expression.
    pub(super) fn is_asked(&self) -> bool {
        self.check.is_some() || self.skill.is_some() || self.attribute.is_some() || self.character.is_some()
    }

    /// An option of a check that was sent without one.
    pub(super) fn stray(&self) -> Option<&'static str> {
        let sent = [
            ("--difficulty", self.difficulty.is_some()),
            ("--modifier", self.modifier != 0),
            ("--value", !self.values.is_empty()),
            ("--advantage", self.advantage),
            ("--disadvantage", self.disadvantage),
            ("--opposed-by", self.opposed_by.is_some()),
            ("--again", self.again.is_some()),
        ];
        sent.into_iter().find(|(_, sent)| *sent).map(|(option, _)| option)
    }

    /// The chances at each difficulty.
    pub(super) async fn chances(&self) -> Result<CheckOdds, Failed> {
        let adventure = Adventure::read(&self.adventure)?;
        let folder = tempfile::tempdir().map_err(|error| format!("no folder for the campaign: {error}"))?;
        let host = host(&adventure, folder.path(), &Tray::pinned(), "odds");
        let own = made(&host, &adventure, "--character", self.character.as_deref()).await?;
        let other = made(&host, &adventure, "--opposed-by", self.opposed_by.as_deref()).await?;
        let campaign = host.campaign(None, Purpose::Read).await.map_err(failed)?;
        let (state, setting, _) = campaign.snapshot(&Caller::default()).await.map_err(failed)?;
        let mut lines = Vec::new();
        let word = |word: &str| {
            difficulty(&setting.system, word).map(|own| own.number).map_err(|refusal| failed(refusal.into()))
        };
        for difficulty in difficulties(self.difficulty.as_deref(), &word)? {
            let call = self.call(difficulty, own.as_deref(), other.as_deref())?;
            let found = match &self.again {
                Some(rule) => chances_again(&state, &setting, &call, rule),
                None => chances(&state, &setting, &call),
            };
            let found = found.map_err(|refusal| failed(refusal.into()))?;
            lines.push((difficulty, found));
        }
        host.close().await;
        let made = lines.first().and_then(|(_, found)| found.check.clone());
        let name = made.unwrap_or_else(|| "Check".to_owned());
        let who = own.map_or_else(String::new, |own| format!(", {own}"));
        let what = self.skill.as_ref().or(self.attribute.as_ref()).map_or_else(String::new, |what| format!(", {what}"));
        let against = other.map_or_else(String::new, |other| format!(", against {other}"));
        Ok(CheckOdds { name: format!("{name}{who}{what}{against}"), lines })
    }

    fn call(&self, difficulty: Option<i64>, own: Option<&str>, other: Option<&str>) -> Result<CheckCall, Failed> {
        let mut values = BTreeMap::new();
        for given in &self.values {
            let (name, value) = given.split_once('=').ok_or_else(|| format!("--value takes NAME=N, not {given}"))?;
            let value = value.trim().parse().map_err(|_| format!("--value {given}: {value} is no whole number"))?;
            values.insert(name.trim().to_owned(), value);
        }
        Ok(CheckCall {
            check: self.check.clone(),
            skill: self.skill.clone(),
            attribute: self.attribute.clone(),
            difficulty,
            advantage: self.advantage,
            disadvantage: self.disadvantage,
            modifier: self.modifier,
            values,
            // With two characters at the table, the one who tries must be named.
            character: own.filter(|_| other.is_some()).map(str::to_owned),
            opposed_by: other.map(|other| Opponent {
                character: other.to_owned(),
                skill: self.opposed_skill.clone().or_else(|| self.skill.clone()),
                attribute: self.attribute.clone(),
                ..Opponent::default()
            }),
            ..CheckCall::default()
        })
    }
}

/// The chances of a check's outcomes, a line a difficulty.
pub(super) struct CheckOdds {
    name: String,
    lines: Vec<Line>,
}

impl CheckOdds {
    pub(super) fn table(&self) -> String {
        table(&self.name, &self.lines)
    }

    pub(super) fn json(&self) -> Value {
        json::of_check(&self.name, &self.lines)
    }

    pub(super) fn svg(&self) -> String {
        columns::draw(&self.name, &self.lines)
    }
}

/// Makes the character; answers its name.
async fn made(host: &Host, adventure: &Adventure, option: &str, who: Option<&str>) -> Result<Option<String>, Failed> {
    let Some(who) = who else { return Ok(None) };
    let sheet = sheet(&written(who)?, &adventure.reading.system).map_err(|why| format!("{option}: {why}"))?;
    let name = sheet.get("name").and_then(Value::as_str).map(str::to_owned);
    let tool = tool_named("manage_character").ok_or("there is no such tool")?;
    tool.call(host, sheet).await.map_err(failed)?;
    Ok(name)
}

/// What a file says; a text with a colon that names no file is the line itself.
fn written(character: &str) -> Result<String, Failed> {
    let path = Path::new(character);
    if !path.exists() && character.contains(':') {
        return Ok(character.to_owned());
    }
    std::fs::read_to_string(path).map_err(|error| {
        format!("cannot read {character}: {error}. Name a file, or write \"Aria: DEX 14, Lockpicking +2\".")
    })
}

/// The difficulties of a text, 15 or 10..20 or 10,15,20 or words of the rules, which `word` looks up; without a text a single `None`.
fn difficulties(text: Option<&str>, word: &dyn Fn(&str) -> Result<i64, Failed>) -> Result<Vec<Option<i64>>, Failed> {
    let Some(text) = text else { return Ok(vec![None]) };
    let wrong = || format!("--difficulty {text}: write 15, or 10..20, or 10,15,20, or a word of the rules");
    let mut all = Vec::new();
    for part in text.split(',') {
        if part.contains(char::is_alphabetic) {
            all.push(Some(word(part.trim())?));
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
        all.extend((first..=last).map(Some));
    }
    Ok(all)
}

fn failed(error: CallError) -> Failed {
    match error {
        CallError::Refusal(refusal) => format!("{} [{}]", refusal.summary, refusal.code),
        CallError::Failure(reason) => reason,
    }
}
