//! The exact chance of every outcome of a check, for a character and one difficulty after the other.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};

use super::ratio;
use crate::cli::Failed;
use crate::dice::odds::Ratio;
use crate::game::chances::{Chances, Row, chances};
use crate::game::check::{CheckCall, Opponent};
use crate::playtest::{Tray, host, sheet};
use crate::session::adventure::Adventure;
use crate::session::{CallError, Host, Purpose};
use crate::tools::door;

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
    /// 15, or 10..20, or 10,15,20.
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
    /// The adventure's folder.
    #[arg(long, value_name = "DIR", default_value = ".", help_heading = "Odds of a check")]
    adventure: PathBuf,
}

/// The chances at one difficulty; none where the rule asks for none.
type Line = (Option<i64>, Chances);

impl Tried {
    /// Whether a check was asked about and no expression.
    pub(super) fn is_asked(&self) -> bool {
        self.check.is_some() || self.skill.is_some() || self.attribute.is_some() || self.character.is_some()
    }

    pub(super) async fn answer(&self, as_json: bool) -> Result<String, Failed> {
        let (name, lines) = self.lines().await?;
        Ok(if as_json { format!("{:#}\n", json_of(&name, &lines)) } else { table(&name, &lines) })
    }

    async fn lines(&self) -> Result<(String, Vec<Line>), Failed> {
        let adventure = Adventure::read(&self.adventure)?;
        let folder = tempfile::tempdir().map_err(|error| format!("no folder for the campaign: {error}"))?;
        let host = host(&adventure, folder.path(), &Tray::pinned(), "odds");
        let own = made(&host, &adventure, "--character", self.character.as_deref()).await?;
        let other = made(&host, &adventure, "--opposed-by", self.opposed_by.as_deref()).await?;
        let campaign = host.campaign(None, Purpose::Read).await.map_err(told)?;
        let (state, setting) = campaign.snapshot().await.map_err(told)?;
        let mut lines = Vec::new();
        for difficulty in difficulties(self.difficulty.as_deref())? {
            let call = self.call(difficulty, own.as_deref(), other.as_deref())?;
            let found = chances(&state, &setting, &call).map_err(|refusal| told(refusal.into()))?;
            lines.push((difficulty, found));
        }
        host.close().await;
        let check = self.check.as_deref().and_then(|name| setting.system.check(name).ok());
        let name = check.or_else(|| setting.system.default_check()).map_or("Check", |check| &check.name);
        let who = own.map_or_else(String::new, |own| format!(", {own}"));
        let what = self.skill.as_ref().or(self.attribute.as_ref()).map_or_else(String::new, |what| format!(", {what}"));
        let against = other.map_or_else(String::new, |other| format!(", against {other}"));
        Ok((format!("{name}{who}{what}{against}"), lines))
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
            // Two on the table: which of them tries must be said.
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

/// Puts somebody on the table; their name.
async fn made(host: &Host, adventure: &Adventure, option: &str, who: Option<&str>) -> Result<Option<String>, Failed> {
    let Some(who) = who else { return Ok(None) };
    let sheet = sheet(&written(who)?, &adventure.reading.system).map_err(|why| format!("{option}: {why}"))?;
    let name = sheet.get("name").and_then(Value::as_str).map(str::to_owned);
    let door = door("manage_character").ok_or("there is no such tool")?;
    door.call(host, sheet).await.map_err(told)?;
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

fn told(error: CallError) -> Failed {
    match error {
        CallError::Refusal(refusal) => format!("{} [{}]", refusal.summary, refusal.code),
        CallError::Failure(reason) => reason,
    }
}

fn difficulties(text: Option<&str>) -> Result<Vec<Option<i64>>, Failed> {
    let Some(text) = text else { return Ok(vec![None]) };
    let wrong = || format!("--difficulty {text}: write 15, or 10..20, or 10,15,20");
    let mut all = Vec::new();
    for part in text.split(',') {
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

/// A line a difficulty, a column an outcome.
fn table(name: &str, lines: &[Line]) -> String {
    let all = || lines.iter().flat_map(|(_, found)| &found.rows);
    let mut columns: Vec<&Row> = Vec::new();
    for row in all() {
        if !columns.iter().any(|seen| is_same(seen, row)) {
            columns.push(row);
        }
    }
    columns.sort_by_key(|row| std::cmp::Reverse(row.outcome));
    let heads: Vec<String> = columns.iter().map(|row| head(row, &columns)).collect();
    let mut text = format!("{name}\n\n");
    let cut = lines.first().map_or_else(Ratio::default, |(_, found)| found.cut.clone());
    if lines.iter().any(|(difficulty, _)| difficulty.is_some()) {
        let opposed = lines.iter().any(|(_, found)| found.against.is_some());
        let ends = if opposed { &["wins", "tie"][..] } else { &[] };
        let head: String =
            heads.iter().map(String::as_str).chain(ends.iter().copied()).map(|head| format!("  {head:>9}")).collect();
        let _ = writeln!(text, "{:>10}{head}", "difficulty");
        for (difficulty, found) in lines {
            let cells = columns.iter().zip(&heads).map(|(row, head)| {
                let width = head.chars().count().max(9);
                format!("  {:>width$}", format!("{} %", of(found, row).percent_told(2, &found.cut)))
            });
            let against = found.against.iter().flat_map(|against| [&against.won, &against.tie]);
            let against = against.map(|chance| format!("  {:>9}", format!("{} %", chance.percent_told(2, &found.cut))));
            let difficulty = difficulty.map_or_else(String::new, |difficulty| difficulty.to_string());
            let _ = writeln!(text, "{difficulty:>10}{}", cells.chain(against).collect::<String>());
        }
    } else {
        let width = heads.iter().map(|head| head.chars().count()).max().unwrap_or(0);
        for (row, head) in columns.iter().zip(&heads) {
            let found = lines.first().map_or_else(Ratio::default, |(_, found)| of(found, row));
            let rule = row.rule.as_deref().unwrap_or_default();
            let chance = super::table::chance(&found, &cut);
            let _ = writeln!(text, "{head:width$}  {chance:>30}  {rule}");
        }
        let against = lines.first().and_then(|(_, found)| found.against.as_ref());
        for (what, chance) in against.into_iter().flat_map(|own| [("wins", &own.won), ("tie", &own.tie)]) {
            let chance = super::table::chance(chance, &cut);
            let _ = writeln!(text, "{what:width$}  {chance:>30}");
        }
    }
    if let Some((_, found)) = lines.iter().find(|(_, found)| !found.cut.is_zero()) {
        let _ = writeln!(text, "\n{}", super::table::cut_off(&found.cut));
    }
    text
}

/// Rows that are called the same and mean the same are one to whoever plays.
fn is_same(one: &Row, other: &Row) -> bool {
    one.label == other.label && one.outcome == other.outcome
}

fn of(found: &Chances, wanted: &Row) -> Ratio {
    let own = found.rows.iter().filter(|row| is_same(row, wanted));
    own.fold(Ratio::default(), |sum, row| sum.plus(&row.chance))
}

/// The author's word; with the canonical one where another row has the same word and means something else.
fn head(row: &Row, all: &[&Row]) -> String {
    let twice = all.iter().filter(|other| other.label == row.label).count() > 1;
    match (&row.label, row.outcome) {
        (Some(label), Some(outcome)) if twice => format!("{label} ({outcome})"),
        (Some(label), _) => label.clone(),
        (None, Some(outcome)) => outcome.to_string(),
        (None, None) => "for the GM to say".to_owned(),
    }
}

fn json_of(name: &str, lines: &[Line]) -> Value {
    let lines = lines.iter().map(|(difficulty, found)| {
        let rows = found.rows.iter().map(|row| {
            json!({
                "outcome": row.outcome,
                "label": row.label,
                "rule": row.rule,
                "chance": ratio(&row.chance),
            })
        });
        let mut line =
            json!({"difficulty": difficulty, "outcomes": rows.collect::<Vec<Value>>(), "cut_off": ratio(&found.cut)});
        if let (Some(against), Some(line)) = (&found.against, line.as_object_mut()) {
            line.insert("against".to_owned(), json!({"won": ratio(&against.won), "tie": ratio(&against.tie)}));
        }
        line
    });
    json!({"check": name, "odds": lines.collect::<Vec<Value>>()})
}
