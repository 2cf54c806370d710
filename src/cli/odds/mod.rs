//! `rollbook odds`: the exact chance of every total, or of every outcome of a check.

mod check;
mod compare;
mod json;
mod scene;
mod skills;
mod tables;

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::Value;

use self::check::CheckOdds;
use super::roll::refused;
use crate::cli::output::{Done, Failed, answer, say};
use crate::cli::progress::Progress;
use rollbook_dice::odds::{Distribution, Ratio};
use rollbook_game::decide::odds::chances_of_symbols;

/// The exact chance of every total of dice, or outcome of a check.
///
/// Never sampled, never rounded before it is shown.
#[derive(Debug, Args)]
pub struct Odds {
    /// Notation or plain English: 4d6kh3, 2d20kh1, 6d6!, 8d10t8.
    #[arg(required_unless_present_any = ["check", "skill", "attribute", "character", "attack", "compare"], conflicts_with_all = ["check", "skill", "attribute", "character", "attack", "compare"])]
    expression: Vec<String>,
    /// Only the chance of this total or more.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    at_least: Option<i64>,
    /// Only the chance of this total or less.
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        conflicts_with = "at_least"
    )]
    at_most: Option<i64>,
    /// Only the chance of exactly this total.
    #[arg(long, value_name = "N", allow_negative_numbers = true, conflicts_with_all = ["at_least", "at_most"])]
    exactly: Option<i64>,
    /// Print exact fractions as JSON.
    #[arg(long)]
    json: bool,
    /// Draw the chances of dice, or of a check at one difficulty, as an SVG picture, too.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["compare", "skills"])]
    svg: Option<PathBuf>,
    /// Two side by side, with the difference: dice (4d6kh3 3d6); of a check two characters,
    /// difficulties, or rules (folders or files).
    #[arg(long, num_args = 2, value_names = ["A", "B"], allow_hyphen_values = true, conflicts_with = "skills")]
    compare: Option<Vec<String>>,
    #[command(flatten)]
    tried: check::Tried,
}

impl Odds {
    pub(super) async fn run(self) -> Result<Done, Failed> {
        self.tried.bases.read_below()?;
        if self.tried.is_asked() {
            if let Some((option, ..)) = self.asked() {
                return Err(format!(
                    "{option} asks for a total of dice, and a check has outcomes. Leave it out, or send the dice: rollbook odds 2d6 {option} 7"
                ));
            }
            let (table, json) = Progress::during("Working out the odds", self.of_check()).await?;
            return answer(&if self.json {
                format!("{json:#}\n")
            } else {
                table
            });
        }
        if let Some(option) = self.tried.stray() {
            return Err(format!(
                "{option} belongs to a check, and dice stand alone here. Leave it out, or send --check, --skill or --attribute in \
                 place of the dice."
            ));
        }
        let named_dice = self.tried.named_dice()?;
        if let Some([one, other]) = self.compare.as_deref() {
            if let Some((option, ..)) = self.asked() {
                return Err(format!(
                    "{option} asks for one chance, and --compare shows all of them. Leave it out."
                ));
            }
            let shown = Progress::start("Working out the odds");
            let dice = compare::DiceComparison::read([one, other], &named_dice)?;
            drop(shown);
            if self.json && dice.0.iter().any(|(_, odds)| odds.totals.is_long()) {
                let why = "These dice have fractions of thousands of digits, too many to be written out. Leave --json out.";
                return Err(why.to_owned());
            }
            return answer(&if self.json {
                format!("{:#}\n", json::of_dice(&dice))
            } else {
                dice.table()
            });
        }
        let typed = self.expression.join(" ").trim_start().to_owned();
        let text = named_dice.in_notation(&typed).unwrap_or(typed);
        let expression =
            rollbook_dice::read(&text).map_err(|error| refused(&text, &error, self.json))?;
        // Too much is the whole expression, as it was understood.
        let shown = Progress::start("Working out the odds");
        let odds = expression
            .odds()
            .map_err(|error| refused(expression.as_str(), &error, self.json))?;
        let symbols = chances_of_symbols(&expression, &named_dice)
            .map_err(|refusal| scene::failed(refusal.into()))?;
        drop(shown);
        let called = rollbook_dice::brief(expression.as_str());
        let asked = self
            .asked()
            .map(|(_, words, n, chance)| (format!("{words} {n}"), chance(&odds.totals, n)));
        if let Some(path) = &self.svg {
            if expression.is_numberless() {
                return Err("--svg draws totals, and these dice have symbols. Leave it out; --json has their chances."
                    .to_owned());
            }
            picture(path, &called, &tables::bars_of_totals(&odds))?;
        }
        if self.json && odds.totals.is_long() {
            return Err(format!(
                "{expression} has {} totals with fractions of thousands of digits, too many to be written out. Leave --json out, or \
                 ask for one chance with --at-least, --at-most or --exactly and without --json.",
                odds.totals.len()
            ));
        }
        answer(&match (self.json, asked) {
            (true, asked) => {
                let value = json::of_totals(expression.as_str(), &odds, asked);
                format!(
                    "{:#}\n",
                    json::with_some(value, [("symbols", symbols.as_ref().map(json::of_values))])
                )
            }
            (false, Some((what, chance))) => {
                format!(
                    "{expression} {what}: {}\n",
                    tables::chance(&chance, &odds.totals.cut())
                )
            }
            (false, None) => {
                let is_only_symbols = symbols.is_some() && expression.is_numberless();
                let mut text = if is_only_symbols {
                    format!("{called}\n")
                } else {
                    tables::totals(&expression, &odds)
                };
                symbols
                    .iter()
                    .for_each(|found| tables::numbers(&mut text, found));
                text
            }
        })
    }

    async fn of_check(&self) -> Result<(String, Value), Failed> {
        if let Some([one, other]) = self.compare.as_deref() {
            let comparison = self.tried.compared([one, other]).await?;
            return Ok((comparison.table(), json::of_comparison(&comparison)));
        }
        if self.tried.skills {
            let skills = self.tried.skill_table().await?;
            return Ok((skills.table(), json::of_skills(&skills)));
        }
        let CheckOdds { name, lines, .. } = &self.tried.chances(None).await?;
        if let Some(path) = &self.svg {
            let [(_, found)] = lines.as_slice() else {
                return Err(
                    "--svg draws one difficulty. Send one with --difficulty, or leave --svg out."
                        .to_owned(),
                );
            };
            picture(path, name, &tables::bars(found))?;
        }
        Ok((tables::outcomes(name, lines), json::of_check(name, lines)))
    }

    /// The option that asks for one chance: its words, the total, and how it is found.
    fn asked(&self) -> Option<Asked> {
        let all: [(_, _, _, ChanceOf); 3] = [
            (
                "--at-least",
                "at least",
                self.at_least,
                Distribution::at_least,
            ),
            ("--at-most", "at most", self.at_most, Distribution::at_most),
            ("--exactly", "exactly", self.exactly, Distribution::exactly),
        ];
        all.into_iter()
            .find_map(|(option, words, total, chance)| Some((option, words, total?, chance)))
    }
}

type ChanceOf = fn(&Distribution, i64) -> Ratio;
type Asked = (&'static str, &'static str, i64, ChanceOf);

fn picture(path: &Path, title: &str, bars: &[tables::Bar]) -> Result<(), Failed> {
    std::fs::write(path, tables::picture(title, bars))
        .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    say(&format!("Drawn to {}.", path.display()));
    Ok(())
}
