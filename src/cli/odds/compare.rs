//! Two characters, difficulties, rules or expressions side by side, with the difference.

use std::fmt::Write as _;
use std::path::Path;

use super::check::{Side, Tried};
use super::grid::Grid;
use super::lineup::{Kind, Lineup, spreads, success};
use super::outcomes::{CORNER, label, notes};
use super::scene::is_path;
use crate::cli::output::Failed;
use crate::dice;
use crate::dice::odds::{Odds, Ratio};
use crate::game::decide::odds::Chances;
use crate::names::shortened;
use crate::rules::OwnDice;
use crate::session::adventure::Adventure;

/// Letters of what a side is called.
const NAME_MAX: usize = 24;
/// Totals of dice that a person reads one by one.
const TOTALS_MAX: usize = 60;

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    Characters,
    Difficulties,
    Rules,
}

impl Of {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Of::Characters => "characters",
            Of::Difficulties => "difficulties",
            Of::Rules => "rules",
        }
    }

    /// The option that says one of it, and not two.
    fn option(self) -> &'static str {
        match self {
            Of::Characters => "--character",
            Of::Difficulties => "--difficulty",
            Of::Rules => "--adventure",
        }
    }
}

/// Two sides, a line a difficulty.
pub(super) struct Comparison {
    pub kind: Of,
    pub name: String,
    pub sides: [String; 2],
    pub lines: Vec<(Option<i64>, Chances, Chances)>,
}

/// A line of a table: what it is called, and its cells.
type Cells = (String, Vec<String>);

/// A chance that both have.
pub(super) struct Row {
    pub name: String,
    pub kind: &'static str,
    pub one: Ratio,
    pub other: Ratio,
}

impl Tried {
    /// The check by each of the two.
    pub(super) async fn compared(&self, sides: [&str; 2]) -> Result<Comparison, Failed> {
        let adventure = self.adventure();
        let kind_of = |side: &str| kind(side, adventure.as_ref().ok());
        let kinds = [kind_of(sides[0])?, kind_of(sides[1])?];
        let kind = match kinds {
            [one, other] if one == other => one,
            [one, other] => {
                return Err(format!(
                    "--compare takes two of a kind, and {} is one of {}, {} one of {}. Send two characters, two difficulties or two rules.",
                    sides[0],
                    one.as_str(),
                    sides[1],
                    other.as_str()
                ));
            }
        };
        if self.named().contains(&(kind.option(), true)) {
            return Err(format!("--compare names both {}. Leave {} out.", kind.as_str(), kind.option()));
        }
        let mut found = Vec::new();
        for side in sides {
            let rules = if kind == Of::Rules { Some(Adventure::of(Path::new(side))?) } else { None };
            let asked = match kind {
                Of::Characters => Side { character: Some(side), ..Side::default() },
                Of::Difficulties => Side { difficulty: Some(side), ..Side::default() },
                Of::Rules => Side { adventure: rules.as_ref(), ..Side::default() },
            };
            let own = self.chances_of(asked).await.map_err(|why| format!("{side}: {why}"))?;
            found.push(own);
        }
        let (Some(other), Some(one)) = (found.pop(), found.pop()) else { return Err("nothing is compared".to_owned()) };
        let called = |own: &Option<String>, side: &str| match kind {
            Of::Characters => own.clone().unwrap_or_else(|| side.to_owned()),
            Of::Difficulties | Of::Rules => side.to_owned(),
        };
        let mut names = [called(&one.who, sides[0]), called(&other.who, sides[1])];
        if names[0] == names[1] {
            names = sides.map(str::to_owned);
        }
        if kind == Of::Difficulties && (one.lines.len(), other.lines.len()) != (1, 1) {
            return Err(
                "--compare takes one difficulty a side: --compare 10 15. A table of several: --difficulty 10..15."
                    .to_owned(),
            );
        }
        // Two difficulties are the sides, and no line has another.
        let at = |difficulty: Option<i64>| difficulty.filter(|_| kind != Of::Difficulties);
        let lines = one.lines.into_iter().zip(other.lines);
        let lines = lines.map(|((difficulty, one), (_, other))| (at(difficulty), one, other)).collect();
        let name = if one.name == other.name { one.name } else { format!("{} / {}", one.name, other.name) };
        Ok(Comparison { kind, name, sides: names, lines })
    }
}

/// What a side of a comparison is.
fn kind(side: &str, adventure: Option<&Adventure>) -> Result<Of, Failed> {
    let path = Path::new(side);
    if path.is_dir() {
        return Ok(Of::Rules);
    }
    if path.exists() {
        let is_page = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("md"));
        let text = std::fs::read_to_string(path).map_err(|error| format!("--compare: cannot read {side}: {error}"))?;
        let is_line = text.trim_start_matches('\u{feff}').trim_start().starts_with("character ");
        return Ok(if is_page && !is_line { Of::Rules } else { Of::Characters });
    }
    if side.contains(':') {
        return Ok(Of::Characters);
    }
    let is_word = adventure.is_some_and(|own| own.reading.system.meant_difficulty(side).is_ok());
    let is_number = side.contains(|letter: char| letter.is_ascii_digit())
        && side.chars().all(|letter| letter.is_ascii_digit() || "-., ".contains(letter));
    if is_number || is_word {
        return Ok(Of::Difficulties);
    }
    if is_path(side) {
        return Err(format!(
            "--compare: there is no file {side}. Send two characters (files, \"Aria: DEX 14\", or names of the campaign), two difficulties \
             (10 15), or two rules (folders, or files such as System.md)."
        ));
    }
    Ok(Of::Characters)
}

impl Comparison {
    /// The chances of both at one difficulty; first that of any success, where several rows are one.
    pub(super) fn rows(one: &Chances, other: &Chances) -> Vec<Row> {
        let lineup = Lineup::of(&[one, other]);
        let mut rows = Vec::new();
        let good =
            |found: &Chances| found.rows.iter().filter(|row| row.outcome.is_some_and(|own| own.is_success())).count();
        let labels = |found: &Chances| found.rows.iter().map(|row| row.label.clone()).collect::<Vec<_>>();
        if let (Some(first), Some(second)) = (success(one), success(other))
            && (good(one).max(good(other)) > 1 || labels(one) != labels(other))
        {
            rows.push(Row { name: "any success".to_owned(), kind: "success", one: first, other: second });
        }
        let mut sides = lineup.cells.into_iter();
        let (first, second) = (sides.next().unwrap_or_default(), sides.next().unwrap_or_default());
        for ((head, one), other) in lineup.heads.into_iter().zip(first).zip(second) {
            let name = if head.kind == Kind::Again { format!("followed by {}", head.name) } else { head.name };
            rows.push(Row { name, kind: head.kind.as_str(), one, other });
        }
        rows
    }

    /// The averages of both, of values and of the damage.
    pub(super) fn means(one: &Chances, other: &Chances) -> Vec<(String, Option<f64>, Option<f64>)> {
        let (first, second) = (spreads(one), spreads(other));
        let mut names: Vec<&String> = Vec::new();
        for own in first.iter().chain(&second) {
            if !names.contains(&&own.name) {
                names.push(&own.name);
            }
        }
        let mean =
            |all: &[super::lineup::Spread], name: &String| all.iter().find(|own| own.name == *name).map(|own| own.mean);
        names.into_iter().map(|name| (name.clone(), mean(&first, name), mean(&second, name))).collect()
    }

    /// What the columns are called.
    pub(super) fn heads(&self) -> Vec<String> {
        self.sides.iter().map(|side| shortened(side, NAME_MAX)).chain(["difference".to_owned()]).collect()
    }

    pub(super) fn table(&self) -> String {
        let mut text = format!("{}\n", self.name);
        if let [(difficulty, one, other)] = self.lines.as_slice() {
            if let Some(difficulty) = difficulty {
                let _ = writeln!(text, "difficulty {difficulty}");
            }
            let rows = Self::rows(one, other).into_iter().map(|row| (row.name.clone(), cells(&row, (one, other))));
            let means = Self::means(one, other)
                .into_iter()
                .map(|(name, one, other)| (format!("{name}, mean"), averages(one, other)));
            let grid = self.grid("", true, rows.chain(means).collect());
            let _ = write!(text, "\n{}", grid.text());
            notes(&mut text, &[one, other]);
            return text;
        }
        // A block for each chance, a line a difficulty.
        let mut blocks: Vec<(String, Vec<Cells>)> = Vec::new();
        for (difficulty, one, other) in &self.lines {
            let rows = Self::rows(one, other).into_iter().map(|row| (row.name.clone(), cells(&row, (one, other))));
            let means = Self::means(one, other)
                .into_iter()
                .map(|(name, one, other)| (format!("{name}, mean"), averages(one, other)));
            for (name, cells) in rows.chain(means) {
                let line = (label(*difficulty), cells);
                match blocks.iter_mut().find(|(own, _)| *own == name) {
                    Some((_, lines)) => lines.push(line),
                    None => blocks.push((name, vec![line])),
                }
            }
        }
        for (name, rows) in blocks {
            let _ = write!(text, "\n{}\n{}", shortened(&name, 78), self.grid(CORNER, false, rows).text());
        }
        let all: Vec<&Chances> = self.lines.iter().flat_map(|(_, one, other)| [one, other]).collect();
        notes(&mut text, &all);
        text
    }

    fn grid(&self, corner: &str, words: bool, rows: Vec<Cells>) -> Grid {
        Grid { corner: corner.to_owned(), words, heads: self.heads(), rows, least: 9 }
    }
}

/// Both chances, and how many per cent points more the second has.
fn cells(row: &Row, (one, other): (&Chances, &Chances)) -> Vec<String> {
    let percent = |chance: &Ratio, found: &Chances| format!("{} %", chance.percent_bounded(2, &found.cut));
    vec![percent(&row.one, one), percent(&row.other, other), signed(&row.other.minus(&row.one))]
}

/// Percentage points with their sign.
fn signed(difference: &Ratio) -> String {
    let text = difference.percent(2);
    if difference.is_negative() || difference.is_zero() { text } else { format!("+{text}") }
}

fn averages(one: Option<f64>, other: Option<f64>) -> Vec<String> {
    let mean = |own: Option<f64>| own.map_or_else(|| "-".to_owned(), |own| format!("{own:.4}"));
    let difference = one.zip(other).map_or_else(|| "-".to_owned(), |(one, other)| format!("{:+.4}", other - one));
    vec![mean(one), mean(other), difference]
}

/// Two expressions.
pub(super) struct DiceComparison {
    pub names: [String; 2],
    pub odds: [Odds; 2],
}

impl DiceComparison {
    /// Reads both.
    pub(super) fn of(sides: [&str; 2], own: &OwnDice) -> Result<DiceComparison, Failed> {
        let odds = |text: &str| {
            let written = own.written_out(text);
            let text = written.as_deref().unwrap_or(text);
            let expression = dice::read(text).map_err(|error| {
                format!(
                    "{}\nTwo dice are compared like this: --compare 4d6kh3 3d6. Characters, difficulties and rules need a check beside them: --check, \
                     --skill or --attribute.",
                    super::super::roll::render(text, &error)
                )
            })?;
            let odds = expression.odds().map_err(|error| super::super::roll::render(expression.as_str(), &error))?;
            if expression.is_numberless() {
                return Err(format!(
                    "{} shows symbols, and two are compared by their totals. Ask for the odds of each alone: rollbook odds \"{}\".",
                    dice::brief(expression.as_str()),
                    text
                ));
            }
            Ok::<_, Failed>((dice::brief(expression.as_str()), odds))
        };
        let ((one, first), (other, second)) = (odds(sides[0])?, odds(sides[1])?);
        Ok(DiceComparison { names: [one, other], odds: [first, second] })
    }

    /// Every total that either of them has, with its chances.
    pub(super) fn totals(&self) -> Vec<(i64, Ratio, Ratio)> {
        let [one, other] = &self.odds;
        let mut all: Vec<i64> = one.totals.totals().chain(other.totals.totals()).collect();
        all.sort_unstable();
        all.dedup();
        all.into_iter().map(|total| (total, one.totals.exactly(total), other.totals.exactly(total))).collect()
    }

    pub(super) fn title(&self) -> String {
        format!("{} and {}", self.names[0], self.names[1])
    }

    pub(super) fn table(&self) -> String {
        let [one, other] = &self.odds;
        let means = [one, other].map(|own| own.totals.mean().to_decimal(4));
        let mut text = format!("{}\nmean {} and {}\n\n", self.title(), means[0], means[1]);
        let names: Vec<String> = self.names.iter().map(|name| shortened(name, 12)).collect();
        let mut heads = names.clone();
        heads.push("difference".to_owned());
        heads.extend(names.iter().map(|name| format!("{name} at least")));
        heads.push("difference".to_owned());
        let rows = self.shown().into_iter().map(|(first, last)| {
            let label = if first == last { first.to_string() } else { format!("{first} to {last}") };
            let exact = [one, other].map(|own| own.totals.between(first, last));
            let least = [one, other].map(|own| own.totals.at_least(first));
            let three = |[mine, others]: &[Ratio; 2]| {
                let percent =
                    |chance: &Ratio, own: &Odds| format!("{} %", chance.percent_bounded(2, &own.totals.cut()));
                [percent(mine, one), percent(others, other), signed(&others.minus(mine))]
            };
            (label, three(&exact).into_iter().chain(three(&least)).collect())
        });
        let rows = rows.collect();
        text.push_str(&Grid { corner: "total".to_owned(), words: false, heads, rows, least: 8 }.text());
        text
    }

    /// The totals of each line: one, or a range.
    fn shown(&self) -> Vec<(i64, i64)> {
        let totals: Vec<i64> = self.totals().into_iter().map(|(total, ..)| total).collect();
        if totals.len() <= TOTALS_MAX {
            return totals.into_iter().map(|total| (total, total)).collect();
        }
        let (Some(first), Some(last)) = (totals.first(), totals.last()) else { return Vec::new() };
        let most = i64::try_from(TOTALS_MAX).unwrap_or(i64::MAX);
        let width = (last - first + most) / most;
        (0..most)
            .map(|nth| (first + nth * width, first + nth * width + width - 1))
            .filter(|(from, _)| from <= last)
            .collect()
    }
}
