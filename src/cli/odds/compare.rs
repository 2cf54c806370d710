//! Two characters, difficulties, rules or expressions side by side, with the difference.

use std::fmt::Write as _;
use std::path::Path;

use super::check::{Side, Tried};
use super::scene::is_path;
use super::tables::{Column, average_of, columns, grid, label, means, notes, success};
use crate::cli::output::Failed;
use crate::cli::roll::render;
use crate::cli::shelf::{at_hand, shipped};
use rollbook_dice::odds::{Odds, Ratio};
use rollbook_game::decide::odds::{Chances, Row};
use rollbook_rules::{NamedDice, Outcome, System};
use rollbook_table::session::adventure::Adventure;
use rollbook_text::names::shortened;

const NAME_MAX: usize = 24;
const TOTALS_MAX: usize = 60; // Totals of dice that a person reads one by one

pub(super) struct Comparison {
    /// `characters`, `difficulties` or `rules`.
    pub kind: &'static str,
    pub name: String,
    /// What both are tried at, where that is not what is compared.
    pub difficulty: Option<i64>,
    pub sides: [(String, Chances); 2],
}

impl Tried {
    pub(super) async fn compared(&self, texts: [&str; 2]) -> Result<Comparison, Failed> {
        let adventure = self.adventure().ok();
        let [first, second] = texts;
        let sides = [
            side(first, adventure.as_ref())?,
            side(second, adventure.as_ref())?,
        ];
        let ((kind, option, is_sent), (other, ..)) = (self.kind(&sides[0]), self.kind(&sides[1]));
        if kind != other {
            return Err(format!(
                "--compare takes two of a kind, and {first} is one of {kind}, {second} one of {other}. Send two characters, two difficulties \
                 or two rules."
            ));
        }
        if is_sent {
            return Err(format!("--compare names both {kind}. Leave {option} out."));
        }
        let one = self
            .chances(Some(&sides[0]))
            .await
            .map_err(|why| format!("{first}: {why}"))?;
        let other = self
            .chances(Some(&sides[1]))
            .await
            .map_err(|why| format!("{second}: {why}"))?;
        let mut names = texts.map(str::to_owned);
        if let (Side::Character(_), Some(who), Some(other)) = (&sides[0], &one.who, &other.who)
            && who != other
        {
            names = [who.clone(), other.clone()];
        }
        let ([(difficulty, first)], [(_, second)]) = (one.lines.as_slice(), other.lines.as_slice())
        else {
            let instead = "Send one with --difficulty, or two as the sides: --compare 10 15.";
            return Err(format!("--compare takes one difficulty. {instead}"));
        };
        let name = if one.name == other.name {
            one.name.clone()
        } else {
            format!("{} / {}", one.name, other.name)
        };
        let difficulty = difficulty.filter(|_| kind != "difficulties");
        let [one, other] = names;
        Ok(Comparison {
            kind,
            name,
            difficulty,
            sides: [(one, first.clone()), (other, second.clone())],
        })
    }
}

/// What a text names: a folder or page of rules, a difficulty, or a character.
fn side(text: &str, adventure: Option<&Adventure>) -> Result<Side, Failed> {
    let path = Path::new(text);
    let is_rules = if path.is_file() {
        let is_page = path
            .extension()
            .is_some_and(|end| end.eq_ignore_ascii_case("md"));
        let read = std::fs::read_to_string(path)
            .map_err(|error| format!("--compare: cannot read {text}: {error}"))?;
        is_page
            && !read
                .trim_start_matches('\u{feff}')
                .trim_start()
                .starts_with("character ")
    } else {
        path.is_dir()
    };
    if !path.exists() && shipped(text).is_some() {
        return Ok(Side::Rules(Box::new(Adventure::read(&at_hand(path)?)?)));
    }
    if is_rules {
        return Ok(Side::Rules(Box::new(Adventure::of(path)?)));
    }
    let is_word = || {
        adventure.is_some_and(|adventure| {
            adventure
                .reading
                .system
                .find_by_words(System::difficulty, text)
                .is_ok()
        })
    };
    let is_number = text.contains(|letter: char| letter.is_ascii_digit())
        && text
            .chars()
            .all(|letter| letter.is_ascii_digit() || "-., ".contains(letter));
    match path.exists() || text.contains(':') {
        false if is_number || is_word() => Ok(Side::Difficulty(text.to_owned())),
        false if is_path(text) => Err(format!(
            "--compare: there is no file {text}. Send two characters (files, \"Aria: DEX 14\", or names of the campaign), two difficulties \
             (10 15), or two rules (folders, or files such as System.md)."
        )),
        true | false => Ok(Side::Character(text.to_owned())),
    }
}

impl Comparison {
    /// The chances of both; first that of any success, where several rows are one.
    pub(super) fn rows(&self) -> Vec<Column> {
        let [(_, one), (_, other)] = &self.sides;
        let mut rows = columns(&[one, other]);
        for row in rows.iter_mut().filter(|row| row.kind == "again") {
            row.name = format!("followed by {}", row.name);
        }
        let is_good = |row: &&Row| row.outcome.is_some_and(Outcome::is_success);
        let good = |found: &Chances| found.rows.iter().filter(is_good).count();
        let [labels, others] = [one, other].map(|found| found.rows.iter().map(|row| &row.label));
        if let (Some(first), Some(second)) = (success(one), success(other))
            && (good(one).max(good(other)) > 1 || !labels.eq(others))
        {
            let (name, chances) = ("any success".to_owned(), vec![first, second]);
            rows.insert(
                0,
                Column {
                    kind: "success",
                    name,
                    rule: None,
                    chances,
                },
            );
        }
        rows
    }

    pub(super) fn table(&self) -> String {
        let [(first, one), (second, other)] = &self.sides;
        let mut text = format!("{}\n", self.name);
        if let Some(difficulty) = self.difficulty {
            let _ = writeln!(text, "difficulty {difficulty}");
        }
        let percent = |chance: &Ratio, found: &Chances| {
            format!("{} %", chance.percent_bounded(2, &found.cut))
        };
        let mut rows: Vec<(String, Vec<String>)> = Vec::new();
        for Column { name, chances, .. } in self.rows() {
            if let [mine, theirs] = chances.as_slice() {
                rows.push((
                    name,
                    vec![
                        percent(mine, one),
                        percent(theirs, other),
                        signed(&theirs.minus(mine)),
                    ],
                ));
            }
        }
        for (name, values) in means(&[one, other]) {
            let difference = difference(&values)
                .map_or_else(|| "-".to_owned(), |difference| format!("{difference:+.4}"));
            rows.push((
                format!("{name}, mean"),
                values
                    .into_iter()
                    .map(average_of)
                    .chain([difference])
                    .collect(),
            ));
        }
        let heads = [
            shortened(first, NAME_MAX),
            shortened(second, NAME_MAX),
            "difference".to_owned(),
        ];
        let _ = write!(text, "\n{}", grid("", true, &heads, &rows));
        notes(&mut text, &[one, other]);
        text
    }
}

/// By how much the average of the second is greater.
pub(super) fn difference(means: &[Option<f64>]) -> Option<f64> {
    let [one, other] = means else { return None };
    Some((*other)? - (*one)?)
}

fn signed(difference: &Ratio) -> String {
    let text = difference.percent(2);
    if difference.is_negative() || difference.is_zero() {
        text
    } else {
        format!("+{text}")
    }
}

/// Two expressions, each with its odds.
pub(super) struct DiceComparison(pub [(String, Odds); 2]);

impl DiceComparison {
    pub(super) fn read(sides: [&str; 2], named_dice: &NamedDice) -> Result<DiceComparison, Failed> {
        let read = |text: &str| -> Result<(String, Odds), Failed> {
            let written = named_dice.in_notation(text);
            let text = written.as_deref().unwrap_or(text);
            let expression = rollbook_dice::read(text).map_err(|error| {
                format!(
                    "{}\nTwo dice are compared like this: --compare 4d6kh3 3d6. Characters, difficulties and rules need a check beside them: --check, \
                     --skill or --attribute.",
                    render(text, &error)
                )
            })?;
            let odds = expression
                .odds()
                .map_err(|error| render(expression.as_str(), &error))?;
            let name = rollbook_dice::brief(expression.as_str());
            if expression.is_numberless() {
                return Err(format!(
                    "{name} shows symbols, and two are compared by their totals. Ask for the odds of each alone: rollbook odds \"{text}\"."
                ));
            }
            Ok((name, odds))
        };
        Ok(DiceComparison([read(sides[0])?, read(sides[1])?]))
    }

    pub(super) fn totals(&self) -> Vec<(i64, Ratio, Ratio)> {
        let [(_, one), (_, other)] = &self.0;
        let mut all: Vec<i64> = one.totals.totals().chain(other.totals.totals()).collect();
        all.sort_unstable();
        all.dedup();
        all.into_iter()
            .map(|total| {
                (
                    total,
                    one.totals.exactly(total),
                    other.totals.exactly(total),
                )
            })
            .collect()
    }

    pub(super) fn table(&self) -> String {
        let [(first, one), (second, other)] = &self.0;
        let [mean, other_mean] = [one, other].map(|odds| odds.totals.mean().to_decimal(4));
        let mut text = format!("{first} and {second}\nmean {mean} and {other_mean}\n\n");
        let [first, second] = [first, second].map(|name| shortened(name, 12));
        let least = [&first, &second].map(|name| format!("{name} at least"));
        let heads: Vec<String> = [first, second, "difference".to_owned()]
            .into_iter()
            .chain(least)
            .collect();
        let percent = |chance: &Ratio, odds: &Odds| {
            format!("{} %", chance.percent_bounded(2, &odds.totals.cut()))
        };
        let rows = self.shown().into_iter().map(|(first, last)| {
            let [mine, others] = [one, other].map(|odds| odds.totals.between(first, last));
            let mut cells = vec![
                percent(&mine, one),
                percent(&others, other),
                signed(&others.minus(&mine)),
            ];
            cells.extend([one, other].map(|odds| percent(&odds.totals.at_least(first), odds)));
            (label(first, last), cells)
        });
        let rows: Vec<_> = rows.collect();
        text.push_str(&grid("total", false, &heads, &rows));
        text
    }

    fn shown(&self) -> Vec<(i64, i64)> {
        let totals: Vec<i64> = self.totals().into_iter().map(|(total, ..)| total).collect();
        let (Some(first), Some(last)) = (totals.first(), totals.last()) else {
            return Vec::new();
        };
        if totals.len() <= TOTALS_MAX {
            return totals.iter().map(|total| (*total, *total)).collect();
        }
        let width = (last - first) as usize / TOTALS_MAX + 1;
        (*first..=*last)
            .step_by(width)
            .map(|from| (from, from + width as i64 - 1))
            .collect()
    }
}
