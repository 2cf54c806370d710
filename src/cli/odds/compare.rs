//! Two characters, difficulties, rules or expressions side by side, with the difference.

use std::fmt::Write as _;
use std::path::Path;

use super::check::{CheckOdds, Side, Tried};
use super::columns::{columns, means, success};
use super::outcomes::notes;
use super::scene::is_path;
use super::table::grid;
use crate::cli::output::Failed;
use crate::cli::roll::render;
use rollbook_dice::odds::{Odds, Ratio};
use rollbook_game::decide::odds::{Chances, Row as OutcomeRow};
use rollbook_rules::{Outcome, OwnDice, System};
use rollbook_table::session::adventure::Adventure;
use rollbook_text::names::shortened;

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

pub(super) struct Comparison {
    pub kind: Of,
    pub name: String,
    /// What both are tried at, where that is not what is compared.
    pub difficulty: Option<i64>,
    /// What each is called, and its chances.
    pub sides: [(String, Chances); 2],
}

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
        let (kind, other) = (kind_of(sides[0])?, kind_of(sides[1])?);
        if kind != other {
            return Err(format!(
                "--compare takes two of a kind, and {} is one of {}, {} one of {}. Send two characters, two difficulties or two rules.",
                sides[0],
                kind.as_str(),
                sides[1],
                other.as_str()
            ));
        }
        if self.has(kind.option()) {
            return Err(format!("--compare names both {}. Leave {} out.", kind.as_str(), kind.option()));
        }
        let (one, other) = (self.side(kind, sides[0]).await?, self.side(kind, sides[1]).await?);
        let mut names = match kind {
            Of::Characters => [(&one, sides[0]), (&other, sides[1])]
                .map(|(odds, side)| odds.who.clone().unwrap_or_else(|| side.to_owned())),
            Of::Difficulties | Of::Rules => sides.map(str::to_owned),
        };
        if names[0] == names[1] {
            names = sides.map(str::to_owned);
        }
        let ([(difficulty, first)], [(_, second)]) = (one.lines.as_slice(), other.lines.as_slice()) else {
            return Err(
                "--compare takes one difficulty. Send one with --difficulty, or two as the sides: --compare 10 15."
                    .to_owned(),
            );
        };
        let name = if one.name == other.name { one.name.clone() } else { format!("{} / {}", one.name, other.name) };
        let difficulty = difficulty.filter(|_| kind != Of::Difficulties);
        let [one, other] = names;
        Ok(Comparison { kind, name, difficulty, sides: [(one, first.clone()), (other, second.clone())] })
    }

    async fn side(&self, kind: Of, text: &str) -> Result<CheckOdds, Failed> {
        let side = match kind {
            Of::Characters => Side::Character(text.to_owned()),
            Of::Difficulties => Side::Difficulty(text.to_owned()),
            Of::Rules => Side::Rules(Box::new(Adventure::of(Path::new(text))?)),
        };
        self.chances(Some(&side)).await.map_err(|why| format!("{text}: {why}"))
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
    let is_word = adventure.is_some_and(|own| own.reading.system.meant(System::difficulty, side).is_ok());
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
    /// The chances of both; first that of any success, where several rows are one.
    pub(super) fn rows(&self) -> Vec<Row> {
        let [(_, one), (_, other)] = &self.sides;
        let mut rows = Vec::new();
        let is_good = |row: &&OutcomeRow| row.outcome.is_some_and(Outcome::is_success);
        let good = |found: &Chances| found.rows.iter().filter(is_good).count();
        let labels = |found: &Chances| found.rows.iter().map(|row| row.label.clone()).collect::<Vec<_>>();
        if let (Some(first), Some(second)) = (success(one), success(other))
            && (good(one).max(good(other)) > 1 || labels(one) != labels(other))
        {
            rows.push(Row { name: "any success".to_owned(), kind: "success", one: first, other: second });
        }
        for column in columns(&[one, other]) {
            let name = if column.kind == "again" { format!("followed by {}", column.name) } else { column.name };
            let mut chances = column.chances.into_iter();
            let (one, other) = (chances.next().unwrap_or_default(), chances.next().unwrap_or_default());
            rows.push(Row { name, kind: column.kind, one, other });
        }
        rows
    }

    /// The averages of both, of values and of the damage.
    pub(super) fn means(&self) -> Vec<(String, Option<f64>, Option<f64>)> {
        let [(_, one), (_, other)] = &self.sides;
        let both = |own: &[Option<f64>], nth: usize| own.get(nth).copied().flatten();
        means(&[one, other]).into_iter().map(|(name, own)| (name, both(&own, 0), both(&own, 1))).collect()
    }

    pub(super) fn table(&self) -> String {
        let [(first, one), (second, other)] = &self.sides;
        let mut text = format!("{}\n", self.name);
        if let Some(difficulty) = self.difficulty {
            let _ = writeln!(text, "difficulty {difficulty}");
        }
        let percent = |chance: &Ratio, found: &Chances| format!("{} %", chance.percent_bounded(2, &found.cut));
        let mut rows: Vec<(String, Vec<String>)> = Vec::new();
        for Row { name, one: mine, other: theirs, .. } in self.rows() {
            rows.push((name, vec![percent(&mine, one), percent(&theirs, other), signed(&theirs.minus(&mine))]));
        }
        rows.extend(self.means().into_iter().map(|(name, one, other)| (format!("{name}, mean"), averages(one, other))));
        let heads = [shortened(first, NAME_MAX), shortened(second, NAME_MAX), "difference".to_owned()];
        let _ = write!(text, "\n{}", grid("", true, &heads, &rows));
        notes(&mut text, &[one, other]);
        text
    }
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

pub(super) struct DiceComparison {
    pub names: [String; 2],
    pub odds: [Odds; 2],
}

impl DiceComparison {
    pub(super) fn of(sides: [&str; 2], own_dice: &OwnDice) -> Result<DiceComparison, Failed> {
        let read = |text: &str| -> Result<(String, Odds), Failed> {
            let written = own_dice.written_out(text);
            let text = written.as_deref().unwrap_or(text);
            let expression = rollbook_dice::read(text).map_err(|error| {
                format!(
                    "{}\nTwo dice are compared like this: --compare 4d6kh3 3d6. Characters, difficulties and rules need a check beside them: --check, \
                     --skill or --attribute.",
                    render(text, &error)
                )
            })?;
            let odds = expression.odds().map_err(|error| render(expression.as_str(), &error))?;
            let name = rollbook_dice::brief(expression.as_str());
            match expression.is_numberless() {
                true => Err(format!(
                    "{name} shows symbols, and two are compared by their totals. Ask for the odds of each alone: rollbook odds \"{text}\"."
                )),
                false => Ok((name, odds)),
            }
        };
        let ((one, first), (other, second)) = (read(sides[0])?, read(sides[1])?);
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

    pub(super) fn table(&self) -> String {
        let [one, other] = &self.odds;
        let means = [one, other].map(|own| own.totals.mean().to_decimal(4));
        let mut text = format!("{} and {}\nmean {} and {}\n\n", self.names[0], self.names[1], means[0], means[1]);
        let names: Vec<String> = self.names.iter().map(|name| shortened(name, 12)).collect();
        let mut heads = names.clone();
        heads.push("difference".to_owned());
        heads.extend(names.iter().map(|name| format!("{name} at least")));
        let rows = self.shown().into_iter().map(|(first, last)| {
            let label = if first == last { first.to_string() } else { format!("{first} to {last}") };
            let exact = [one, other].map(|own| own.totals.between(first, last));
            let least = [one, other].map(|own| own.totals.at_least(first));
            let percent = |chance: &Ratio, own: &Odds| format!("{} %", chance.percent_bounded(2, &own.totals.cut()));
            let both = |[mine, others]: &[Ratio; 2]| [percent(mine, one), percent(others, other)];
            let difference = signed(&exact[1].minus(&exact[0]));
            (label, both(&exact).into_iter().chain([difference]).chain(both(&least)).collect())
        });
        let rows: Vec<_> = rows.collect();
        text.push_str(&grid("total", false, &heads, &rows));
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
