//! The chances of a check's outcomes as a table for a terminal.

use std::fmt::Write as _;

use super::grid::Grid;
use super::lineup::{Line, Lineup, Spread, spreads};
use super::table::{bar, cut_off};
use crate::cli::output::wrapped;
use crate::dice::odds::Ratio;
use crate::game::decide::odds::Chances;
use crate::names::shortened;

/// Numbers that a person reads one by one; more stand in ranges.
const NUMBERS_MAX: usize = 60;
/// Columns of a terminal.
const WIDTH: usize = 80;

/// A line a difficulty, a column an outcome; without difficulties, a line an outcome.
pub(super) fn table(name: &str, lines: &[Line]) -> String {
    let all: Vec<&Chances> = lines.iter().map(|(_, found)| found).collect();
    let lineup = Lineup::of(&all);
    let mut text = format!("{name}\n\n");
    let difficult = lines.iter().any(|(difficulty, _)| difficulty.is_some());
    if difficult {
        let rows = lines.iter().zip(&lineup.cells).map(|((difficulty, found), cells)| {
            let cell = |chance: &Ratio| format!("{} %", chance.percent_bounded(2, &found.cut));
            (label(*difficulty), cells.iter().map(cell).collect())
        });
        let heads = lineup.heads.iter().map(|head| head.name.clone()).collect();
        text.push_str(&Grid { corner: CORNER.to_owned(), words: false, heads, rows: rows.collect(), least: 9 }.text());
    } else {
        list(&mut text, &lineup, all.first().map_or_else(Ratio::default, |found| found.cut.clone()));
    }
    numbers(&mut text, lines, difficult);
    if let Some(against) = all.iter().find_map(|found| found.against.as_ref()) {
        let place = against.place.as_ref().map_or_else(String::new, |place| format!(" ({place})"));
        let _ = writeln!(text, "\n{}", wrapped(&format!("Decided by: {}{place}.", against.rule), WIDTH, 0));
    }
    notes(&mut text, &all);
    if let Some(found) = all.iter().find(|found| !found.cut.is_zero()) {
        let _ = writeln!(text, "\n{}", cut_off(&found.cut));
    } else if let Some(damage) = all.iter().filter_map(|found| found.damage.as_ref()).find(|own| !own.cut.is_zero()) {
        let _ = writeln!(text, "\n{}", cut_off(&damage.cut));
    }
    text
}

/// What would be refused at the table, each once.
pub(super) fn notes(text: &mut String, all: &[&Chances]) {
    let mut told: Vec<&String> = Vec::new();
    for note in all.iter().flat_map(|found| &found.notes) {
        if !told.contains(&note) {
            told.push(note);
            let _ = writeln!(text, "\n{}", wrapped(note, WIDTH, 0));
        }
    }
}

/// What the first column holds.
pub(super) const CORNER: &str = "difficulty";

pub(super) fn label(difficulty: Option<i64>) -> String {
    difficulty.map_or_else(String::new, |difficulty| difficulty.to_string())
}

/// A line an outcome, with its fraction and its rule where there is room.
fn list(text: &mut String, lineup: &Lineup, rest: Ratio) {
    let names: Vec<String> = lineup.heads.iter().map(|head| shortened(&head.name, 36)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    for ((head, name), chance) in lineup.heads.iter().zip(&names).zip(lineup.cells.iter().flatten()) {
        let rule = head.rule.as_deref().unwrap_or_default();
        let percent = format!("{} %", chance.percent_bounded(4, &rest));
        let exact = chance.short(40).map_or_else(|| percent.clone(), |exact| format!("{exact} ({percent})"));
        let forms = [format!("{exact:>30}  {rule}"), format!("{percent:>30}  {rule}"), percent];
        let fits = |form: &&String| width + 2 + form.trim_end().chars().count() <= WIDTH;
        let form = forms.iter().find(fits).or(forms.last()).map_or("", |form| form.trim_end());
        let _ = writeln!(text, "{name:width$}  {form}");
    }
}

/// What each number of each symbol comes to, below the name of dice or below their totals.
pub(super) fn symbols(found: &Chances) -> String {
    let mut text = String::new();
    numbers(&mut text, &[(None, found.clone())], false);
    text
}

/// The values and the damage: the averages of several difficulties, or of one all numbers.
fn numbers(text: &mut String, lines: &[Line], difficult: bool) {
    if let ([(_, found)], _) | ([(_, found), ..], false) = (lines, difficult) {
        for own in spreads(found) {
            let _ = writeln!(text, "\n{}, {:.4} on average", own.name, own.mean);
            let rest = found.damage.as_ref().map_or(&found.cut, |damage| &damage.cut);
            each(text, &own, rest);
        }
        return;
    }
    let mut heads: Vec<String> = Vec::new();
    for own in lines.iter().flat_map(|(_, found)| spreads(found)) {
        if !heads.contains(&own.name) {
            heads.push(own.name);
        }
    }
    if heads.is_empty() {
        return;
    }
    let rows = lines.iter().map(|(difficulty, found)| {
        let own = spreads(found);
        let mean = |name: &String| {
            own.iter().find(|own| own.name == *name).map_or_else(|| "-".to_owned(), |own| format!("{:.4}", own.mean))
        };
        (label(*difficulty), heads.iter().map(mean).collect())
    });
    let rows = rows.collect();
    let _ = writeln!(text, "\nOn average");
    text.push_str(&Grid { corner: CORNER.to_owned(), words: false, heads, rows, least: 9 }.text());
}

/// Each number with its chance, and that of no less.
fn each(text: &mut String, own: &Spread, rest: &Ratio) {
    let ranges = ranged(&own.chances);
    let labels: Vec<String> = ranges.iter().map(Range::label).collect();
    let width = labels.iter().map(|label| label.chars().count()).fold(10, usize::max);
    let _ = writeln!(text, "{:>width$}  {:>9}  {:>9}", "", "exactly", "at least");
    let most = ranges.iter().map(|own| own.chance.to_f64()).fold(f64::MIN_POSITIVE, f64::max);
    for (nth, (range, label)) in ranges.iter().zip(&labels).enumerate() {
        let more = ranges.iter().skip(nth).fold(Ratio::default(), |sum, own| sum.plus(&own.chance));
        let percent = |chance: &Ratio| format!("{} %", chance.percent_bounded(2, rest));
        let bar = bar(range.chance.to_f64() / most, width + 24);
        let line = format!("{label:>width$}  {:>9}  {:>9}  {bar}", percent(&range.chance), percent(&more));
        let _ = writeln!(text, "{}", line.trim_end());
    }
}

/// Some numbers together.
pub(super) struct Range {
    pub first: i64,
    pub last: i64,
    pub chance: Ratio,
}

impl Range {
    pub(super) fn label(&self) -> String {
        match self.first == self.last {
            true => self.first.to_string(),
            false => format!("{} to {}", self.first, self.last),
        }
    }
}

/// Each number by itself, or all of them in ranges of the same width.
pub(super) fn ranged(chances: &[(i64, Ratio)]) -> Vec<Range> {
    let first = chances.first().map_or(0, |(number, _)| *number);
    let span = chances.last().map_or(1, |(number, _)| number.saturating_sub(first).saturating_add(1));
    let most = i64::try_from(NUMBERS_MAX).unwrap_or(i64::MAX);
    let width = if chances.len() <= NUMBERS_MAX { 1 } else { span.saturating_add(most - 1) / most };
    let mut ranges: Vec<Range> = Vec::new();
    for (number, chance) in chances {
        let begin = first + (number - first) / width * width;
        match ranges.last_mut().filter(|own| own.first == begin) {
            Some(own) => own.chance = own.chance.plus(chance),
            None => ranges.push(Range { first: begin, last: begin + width - 1, chance: chance.clone() }),
        }
    }
    ranges
}
