//! The chances of a check's outcomes as a table for a terminal.

use std::fmt::Write as _;

use super::columns::{Column, Line, Spread, columns, means, spreads};
use super::svg::Bar;
use super::table::{bar, bar_of, cut_off, grid};
use crate::cli::output::wrapped;
use rollbook_dice::odds::Ratio;
use rollbook_game::decide::odds::Chances;
use rollbook_text::names::shortened;

const WIDTH: usize = 80;

/// A line a difficulty, a column an outcome; without difficulties, a line an outcome.
pub(super) fn table(name: &str, lines: &[Line]) -> String {
    let all: Vec<&Chances> = lines.iter().map(|(_, found)| found).collect();
    let columns = columns(&all);
    let mut text = format!("{name}\n\n");
    let difficult = lines.iter().any(|(difficulty, _)| difficulty.is_some());
    if difficult {
        let rows: Vec<_> = lines
            .iter()
            .enumerate()
            .map(|(nth, (difficulty, found))| {
                let cell = |chance: &Ratio| format!("{} %", chance.percent_bounded(2, &found.cut));
                (label(*difficulty), columns.iter().filter_map(|column| column.chances.get(nth)).map(cell).collect())
            })
            .collect();
        let heads: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
        text.push_str(&grid(CORNER, false, &heads, &rows));
    } else {
        list(&mut text, &columns, all.first().map_or_else(Ratio::default, |found| found.cut.clone()));
    }
    numbers(&mut text, lines, difficult);
    if let Some(against) = all.iter().find_map(|found| found.against.as_ref()) {
        let place = against.place.as_ref().map_or_else(String::new, |place| format!(" ({place})"));
        let _ = writeln!(text, "\n{}", wrapped(&format!("Decided by: {}{place}.", against.rule), WIDTH, 0));
    }
    notes(&mut text, &all);
    if let Some(found) = all.iter().find(|found| !found.cut.is_zero()) {
        let _ = writeln!(text, "\n{}", cut_off(&found.cut));
    } else if let Some(damage) =
        all.iter().filter_map(|found| found.damage.as_ref()).find(|damage| !damage.cut.is_zero())
    {
        let _ = writeln!(text, "\n{}", cut_off(&damage.cut));
    }
    text
}

/// The bars of a picture: a bar an outcome, and what else has a chance.
pub(super) fn bars(found: &Chances) -> Vec<Bar> {
    let bar = |column: Column| bar_of(column.name, column.chances.first().unwrap_or(&Ratio::default()), &found.cut);
    columns(&[found]).into_iter().map(bar).collect()
}

/// What would be refused at the table, each once.
pub(super) fn notes(text: &mut String, all: &[&Chances]) {
    let mut shown: Vec<&String> = Vec::new();
    for note in all.iter().flat_map(|found| &found.notes) {
        if !shown.contains(&note) {
            shown.push(note);
            let _ = writeln!(text, "\n{}", wrapped(note, WIDTH, 0));
        }
    }
}

pub(super) const CORNER: &str = "difficulty";

pub(super) fn label(difficulty: Option<i64>) -> String {
    difficulty.map_or_else(String::new, |difficulty| difficulty.to_string())
}

/// A line an outcome, with its fraction and its rule where there is room.
fn list(text: &mut String, columns: &[Column], rest: Ratio) {
    let names: Vec<String> = columns.iter().map(|column| shortened(&column.name, 36)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    for (column, name) in columns.iter().zip(&names) {
        let Some(chance) = column.chances.first() else { continue };
        let rule = column.rule.as_deref().unwrap_or_default();
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
        for spread in spreads(found) {
            let _ = writeln!(text, "\n{}, {:.4} on average", spread.name, spread.mean);
            let rest = found.damage.as_ref().map_or(&found.cut, |damage| &damage.cut);
            each(text, &spread, rest);
        }
        return;
    }
    let means = means(&lines.iter().map(|(_, found)| found).collect::<Vec<_>>());
    if means.is_empty() {
        return;
    }
    let mean = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |mean| format!("{mean:.4}"));
    let cells = |nth: usize| means.iter().map(|(_, values)| mean(values.get(nth).copied().flatten())).collect();
    let rows: Vec<_> =
        lines.iter().enumerate().map(|(nth, (difficulty, _))| (label(*difficulty), cells(nth))).collect();
    let heads: Vec<String> = means.iter().map(|(name, _)| name.clone()).collect();
    let _ = write!(text, "\nOn average\n{}", grid(CORNER, false, &heads, &rows));
}

/// Each number with its chance, and that of no less.
fn each(text: &mut String, spread: &Spread, rest: &Ratio) {
    let width = spread.chances.iter().map(|(number, _)| number.to_string().len()).fold(10, usize::max);
    let _ = writeln!(text, "{:>width$}  {:>9}  {:>9}", "", "exactly", "at least");
    let most = spread.chances.iter().map(|(_, chance)| chance.to_f64()).fold(f64::MIN_POSITIVE, f64::max);
    for (nth, (number, chance)) in spread.chances.iter().enumerate() {
        let more = spread.chances.iter().skip(nth).fold(Ratio::default(), |sum, (_, chance)| sum.plus(chance));
        let percent = |chance: &Ratio| format!("{} %", chance.percent_bounded(2, rest));
        let bar = bar(chance.to_f64() / most, width + 24);
        let line = format!("{number:>width$}  {:>9}  {:>9}  {bar}", percent(chance), percent(&more));
        let _ = writeln!(text, "{}", line.trim_end());
    }
}
