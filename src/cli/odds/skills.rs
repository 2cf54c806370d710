//! Every skill of a character at every difficulty.

use std::fmt::Write as _;

use super::check::{Named, Ready, Tried};
use super::columns::{columns, success};
use super::outcomes::notes;
use super::table::grid;
use crate::cli::output::{Failed, wrapped};
use rollbook_dice::Formula;
use rollbook_dice::odds::Ratio;
use rollbook_game::decide::check::CheckCall;
use rollbook_game::decide::odds::Chances;
use rollbook_rules::System;
use rollbook_text::names::same;

/// The chances of a skill at each difficulty, or why there are none.
type SkillRow = (String, Vec<Result<Chances, String>>);

pub(super) struct SkillTable {
    pub check: String,
    pub character: String,
    /// The attribute that each is tried with, where one was sent.
    pub attribute: Option<String>,
    pub difficulties: Vec<Named>,
    /// The difficulty that the check takes where none is sent.
    pub assumed: Option<i64>,
    pub rows: Vec<SkillRow>,
}

impl Tried {
    /// Every skill with which the one who tries may roll; every attribute where there are no skills.
    pub(super) async fn skill_table(&self) -> Result<SkillTable, Failed> {
        let ready = self.ready(None).await?;
        let system = ready.system();
        let mut names: Vec<(String, bool)> = system.rolled_skills().map(|own| (own.name.clone(), true)).collect();
        if names.is_empty() {
            names.extend(ready.skills_of_sheet().into_iter().map(|own| (own, true)));
        }
        if let (true, Some(attribute)) = (names.is_empty(), self.attribute.as_deref()) {
            return Err(format!(
                "There are no skills here to be tried with {attribute}. Leave --attribute out for a line of each attribute."
            ));
        }
        if names.is_empty() {
            names.extend(system.attributes.iter().map(|own| (own.name.clone(), false)));
        }
        let Some(first) = names.first() else {
            return Err("These rules have neither skills nor attributes. Leave --skills out, and send --check with a check's name.".to_owned());
        };
        let cell = |name: &(String, bool), difficulty: Option<i64>| {
            let call = self.call(&ready, difficulty)?;
            self.found(&ready, of_skill(call, name))
        };
        // Skills of several checks need not take the same.
        let any = |difficulty: Option<i64>| {
            let mut cells = names.iter().map(|name| cell(name, difficulty));
            cells.find(Result::is_ok).unwrap_or_else(|| cell(first, difficulty))
        };
        let difficulties = self.every_difficulty(&ready, &any)?;
        let row = |name: &(String, bool)| -> SkillRow {
            (name.0.clone(), difficulties.iter().map(|(difficulty, _)| cell(name, *difficulty)).collect())
        };
        let rows: Vec<SkillRow> = names.iter().map(row).collect();
        let all = || rows.iter().flat_map(|(_, cells)| cells);
        if let (false, Some(Err(why))) = (all().any(Result::is_ok), all().next()) {
            return Err(why.clone());
        }
        let mut checks: Vec<String> = Vec::new();
        for check in all().flatten().filter_map(|found| found.check.clone()) {
            if !checks.contains(&check) {
                checks.push(check);
            }
        }
        let check = checks.first().cloned().unwrap_or_default();
        let assumed = difficulties.iter().all(|(difficulty, _)| difficulty.is_none());
        let assumed = difficulty_of(system, &check).filter(|_| assumed);
        let character = ready.who().unwrap_or_default().to_owned();
        let attribute =
            self.attribute.as_deref().map(|name| system.attribute(name).map_or(name, |own| &own.name).to_owned());
        Ok(SkillTable { check: checks.join(" / "), character, attribute, difficulties, assumed, rows })
    }

    /// Those that were asked for; else none where the check takes none, or all that the rules have words for.
    fn every_difficulty(
        &self,
        ready: &Ready,
        without: &dyn Fn(Option<i64>) -> Result<Chances, Failed>,
    ) -> Result<Vec<Named>, Failed> {
        if let Some(asked) = self.asked_difficulties(ready)? {
            return Ok(asked);
        }
        let has_none =
            |found: &Chances| found.check.as_ref().is_none_or(|check| difficulty_of(ready.system(), check).is_none());
        let words = &ready.system().difficulties;
        match without(None) {
            Err(why) if words.is_empty() => Err(format!("{why} With --skills: --difficulty 5..20, a column each.")),
            // A difficulty that it has without one is one of many.
            Ok(found) if words.is_empty() || has_none(&found) => Ok(vec![(None, None)]),
            Ok(_) | Err(_) => {
                Ok(words.iter().filter_map(|own| Some((Some(own.number()?), Some(own.name.clone())))).collect())
            }
        }
    }
}

/// The difficulty that the check takes where none is sent.
fn difficulty_of(system: &System, check: &str) -> Option<i64> {
    let rule = system.check(check).ok()?;
    let rolls = [Some(&rule.roll), rule.target.as_ref()].into_iter().flatten();
    rolls.flat_map(Formula::variables).find(|own| same(&own.name, "difficulty"))?.default
}

fn of_skill(call: CheckCall, (name, is_skill): &(String, bool)) -> CheckCall {
    match is_skill {
        true => CheckCall { skill: Some(name.clone()), ..call },
        false => CheckCall { attribute: Some(name.clone()), ..call },
    }
}

/// The head of a difficulty: `Hard 15`, `15`.
fn head((difficulty, word): &Named) -> String {
    let number = difficulty.map(|own| own.to_string());
    word.iter().cloned().chain(number).collect::<Vec<String>>().join(" ")
}

impl SkillTable {
    fn title(&self) -> String {
        let assumed = self
            .assumed
            .map_or_else(String::new, |own| format!(", difficulty {own} (what the rules take without one)"));
        let attribute = self.attribute.as_ref().map_or_else(String::new, |own| format!(" with {own}"));
        format!("{}, {}{attribute}{assumed}", self.check, self.character)
    }

    /// Whether difficulties are its columns; else outcomes are.
    fn is_difficult(&self) -> bool {
        self.difficulties.iter().any(|(difficulty, _)| difficulty.is_some())
    }

    /// What the columns are called, and of each row the chances; a line where there is none.
    fn cells(&self) -> (Vec<String>, Vec<(String, Vec<String>)>) {
        let none = || "-".to_owned();
        if self.is_difficult() {
            let cell = |cell: &Result<Chances, String>| {
                let found = cell.as_ref().ok()?;
                Some(success(found)?.percent_bounded(2, &found.cut))
            };
            let row = |(name, cells): &SkillRow| {
                (name.clone(), cells.iter().map(|own| cell(own).unwrap_or_else(none)).collect())
            };
            return (self.difficulties.iter().map(head).collect(), self.rows.iter().map(row).collect());
        }
        let all: Vec<&Chances> = self.rows.iter().flat_map(|(_, cells)| cells).flatten().collect();
        let columns = columns(&all);
        let mut found = all.iter().enumerate();
        let row = |(name, cells): &SkillRow| {
            let own = cells.first().is_some_and(Result::is_ok).then(|| found.next()).flatten();
            let cell = |chances: &[Ratio]| {
                own.and_then(|(nth, found)| Some(chances.get(nth)?.percent_bounded(2, &found.cut))).unwrap_or_else(none)
            };
            (name.clone(), columns.iter().map(|column| cell(&column.chances)).collect())
        };
        let rows = self.rows.iter().map(row).collect();
        (columns.iter().map(|column| column.name.clone()).collect(), rows)
    }

    fn caption(&self) -> &'static str {
        match self.is_difficult() {
            true => "chance of a success, a partial one too, in per cent",
            false => "chances in per cent",
        }
    }

    pub(super) fn table(&self) -> String {
        let mut text = format!("{}: {}\n\n", self.title(), self.caption());
        let (heads, rows) = self.cells();
        text.push_str(&grid(if self.is_difficult() { "difficulty" } else { "" }, true, &heads, &rows));
        let refused =
            self.rows.iter().find_map(|(name, cells)| cells.iter().find_map(|cell| Some((name, cell.as_ref().err()?))));
        if let Some((name, why)) = refused {
            let why = wrapped(&format!("- where the check is refused. {name}: {why}"), 80, 2);
            let _ = writeln!(text, "\n{why}");
        }
        let found: Vec<&Chances> = self.rows.iter().flat_map(|(_, cells)| cells).flatten().collect();
        notes(&mut text, &found);
        let gm = self.rows.iter().flat_map(|(_, cells)| cells).flatten().any(|found| success(found).is_none());
        if gm && self.is_difficult() {
            let _ = writeln!(text, "\n- where the GM says what comes of it.");
        }
        text
    }
}
