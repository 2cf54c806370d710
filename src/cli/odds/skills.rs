//! Every skill of a character at every difficulty.

use std::fmt::Write as _;

use super::check::{Named, Tried};
use super::tables::{columns, each_once, grid, notes, success};
use crate::cli::output::Failed;
use rollbook_dice::Formula;
use rollbook_dice::odds::Ratio;
use rollbook_game::decide::odds::Chances;
use rollbook_rules::System;
use rollbook_text::names::same;
use rollbook_text::terminal::wrapped;

/// The chances of a skill at each difficulty, or why there are none.
type SkillRow = (String, Vec<Result<Chances, String>>);

pub(super) struct SkillTable {
    pub check: String,
    pub character: String,
    /// The attribute that each is tried with, where one was sent.
    pub attribute: Option<String>,
    pub difficulties: Vec<Named>,
    pub assumed: Option<i64>,
    pub rows: Vec<SkillRow>,
}

impl Tried {
    /// Every skill with which the one who tries may roll; without skills every attribute.
    pub(super) async fn skill_table(&self) -> Result<SkillTable, Failed> {
        let scene = self.scene(None).await?;
        let (system, attribute) = (scene.system(), self.attribute.as_deref());
        let skills: Vec<String> = system
            .rolled_skills()
            .map(|skill| skill.name.clone())
            .collect();
        let skills = if skills.is_empty() {
            scene.skills_of_sheet()
        } else {
            skills
        };
        let names: Vec<(String, bool)> = match (skills.is_empty(), attribute) {
            (false, _) => skills.into_iter().map(|skill| (skill, true)).collect(),
            (true, None) => system
                .attributes
                .iter()
                .map(|attribute| (attribute.name.clone(), false))
                .collect(),
            (true, Some(attribute)) => {
                return Err(format!(
                    "There are no skills here to be tried with {attribute}. Leave --attribute out for a line of each attribute."
                ));
            }
        };
        let Some(first) = names.first() else {
            return Err("These rules have neither skills nor attributes. Leave --skills out, and send --check with a check's name.".to_owned());
        };
        let cell = |(name, is_skill): &(String, bool), difficulty: Option<i64>| {
            let mut call = self.call(&scene, difficulty)?;
            *if *is_skill {
                &mut call.skill
            } else {
                &mut call.attribute
            } = Some(name.clone());
            self.found(&scene, call)
        };
        // Skills of several checks need not take the same.
        let without = || {
            let mut cells = names.iter().map(|name| cell(name, None));
            cells
                .find(Result::is_ok)
                .unwrap_or_else(|| cell(first, None))
        };
        let words = &system.difficulties;
        let takes_none = |of: &Chances| {
            of.check
                .as_ref()
                .is_none_or(|check| difficulty_of(system, check).is_none())
        };
        let difficulties: Vec<Named> = match self.difficulty.is_none().then(without) {
            None => scene.difficulties(self.difficulty.as_ref())?,
            Some(Err(why)) if words.is_empty() => {
                return Err(format!(
                    "{why} With --skills: --difficulty 5..20, a column each."
                ));
            }
            // A difficulty that it has without one is one of many.
            Some(Ok(found)) if words.is_empty() || takes_none(&found) => vec![(None, None)],
            Some(_) => words
                .iter()
                .filter_map(|word| Some((Some(word.number()?), Some(word.name.clone()))))
                .collect(),
        };
        let row = |name: &(String, bool)| -> SkillRow {
            (
                name.0.clone(),
                difficulties
                    .iter()
                    .map(|(difficulty, _)| cell(name, *difficulty))
                    .collect(),
            )
        };
        let rows: Vec<SkillRow> = names.iter().map(row).collect();
        let all = || rows.iter().flat_map(|(_, cells)| cells);
        if let (false, Some(Err(why))) = (all().any(Result::is_ok), all().next()) {
            return Err(why.clone());
        }
        let checks = each_once(all().flatten().filter_map(|found| found.check.clone()));
        let is_assumed = difficulties
            .iter()
            .all(|(difficulty, _)| difficulty.is_none());
        let check = checks.first().map_or("", String::as_str);
        let assumed = if is_assumed {
            difficulty_of(system, check)
        } else {
            None
        };
        let character = scene.who.clone().unwrap_or_default();
        let attribute = attribute.map(|name| {
            system
                .attribute(name)
                .map_or(name, |known| &known.name)
                .to_owned()
        });
        Ok(SkillTable {
            check: checks.join(" / "),
            character,
            attribute,
            difficulties,
            assumed,
            rows,
        })
    }
}

/// The difficulty that the check takes where none is sent.
fn difficulty_of(system: &System, check: &str) -> Option<i64> {
    let rule = system.check(check).ok()?;
    let rolls = [Some(&rule.roll), rule.target.as_ref()]
        .into_iter()
        .flatten();
    rolls
        .flat_map(Formula::variables)
        .find(|variable| same(&variable.name, "difficulty"))?
        .default
}

/// The head of a difficulty: `Hard 15`, `15`.
fn head((difficulty, word): &Named) -> String {
    let number = difficulty.map(|number| number.to_string());
    word.iter()
        .cloned()
        .chain(number)
        .collect::<Vec<String>>()
        .join(" ")
}

impl SkillTable {
    /// What the columns are called, and of each row the chances; a line where there is none.
    fn cells(&self, is_difficult: bool) -> (Vec<String>, Vec<(String, Vec<String>)>) {
        let shown = |cell: Option<String>| cell.unwrap_or_else(|| "-".to_owned());
        if is_difficult {
            let cell = |cell: &Result<Chances, String>| {
                let found = cell.as_ref().ok()?;
                Some(success(found)?.percent_bounded(2, &found.cut))
            };
            let row = |(name, cells): &SkillRow| {
                (
                    name.clone(),
                    cells.iter().map(|one| shown(cell(one))).collect(),
                )
            };
            return (
                self.difficulties.iter().map(head).collect(),
                self.rows.iter().map(row).collect(),
            );
        }
        let all: Vec<&Chances> = self.found().collect();
        let columns = columns(&all);
        let mut found = all.iter().enumerate();
        let row = |(name, cells): &SkillRow| {
            let found = cells
                .first()
                .is_some_and(Result::is_ok)
                .then(|| found.next())
                .flatten();
            let cell = |chances: &[Ratio]| {
                found
                    .and_then(|(nth, found)| Some(chances.get(nth)?.percent_bounded(2, &found.cut)))
            };
            (
                name.clone(),
                columns
                    .iter()
                    .map(|column| shown(cell(&column.chances)))
                    .collect(),
            )
        };
        let rows = self.rows.iter().map(row).collect();
        (
            columns.iter().map(|column| column.name.clone()).collect(),
            rows,
        )
    }

    fn found(&self) -> impl Iterator<Item = &Chances> {
        self.rows.iter().flat_map(|(_, cells)| cells).flatten()
    }

    pub(super) fn table(&self) -> String {
        // Difficulties are its columns; else outcomes are.
        let is_difficult = self
            .difficulties
            .iter()
            .any(|(difficulty, _)| difficulty.is_some());
        let (corner, caption) = match is_difficult {
            true => (
                "difficulty",
                "chance of a success, a partial one too, in per cent",
            ),
            false => ("", "chances in per cent"),
        };
        let mut text = format!("{}, {}", self.check, self.character);
        if let Some(attribute) = &self.attribute {
            text.push_str(&format!(" with {attribute}"));
        }
        if let Some(assumed) = self.assumed {
            text.push_str(&format!(
                ", difficulty {assumed} (what the rules take without one)"
            ));
        }
        let (heads, rows) = self.cells(is_difficult);
        text.push_str(&format!(
            ": {caption}\n\n{}",
            grid(corner, true, &heads, &rows)
        ));
        let why = |(name, cells): &SkillRow| {
            Some((
                name.clone(),
                cells.iter().find_map(|cell| cell.clone().err())?,
            ))
        };
        if let Some((name, why)) = self.rows.iter().find_map(why) {
            let why = wrapped(
                &format!("- where the check is refused. {name}: {why}"),
                80,
                2,
            );
            let _ = writeln!(text, "\n{why}");
        }
        notes(&mut text, &self.found().collect::<Vec<_>>());
        if is_difficult && self.found().any(|found| success(found).is_none()) {
            let _ = writeln!(text, "\n- where the GM says what comes of it.");
        }
        text
    }
}
