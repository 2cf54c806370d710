//! The chances of a check under heads that several share, and the tables with bars for a terminal,
//! and pictures, that show them and the totals of dice.

use std::cmp::Reverse;
use std::fmt::Write as _;

use rollbook_dice::odds::{Odds, Ratio};
use rollbook_dice::{Expression, brief};
use rollbook_game::decide::odds::{Chances, Row, ValueOdds};
use rollbook_rules::Outcome;
use rollbook_text::names::{counted, for_markup, shortened};
use rollbook_text::terminal::{bar, columns as below_each_other, wrapped};

const BAR: usize = 40; // Cells of the longest bar, where there is room for it
const WIDTH: usize = 80;
const ROWS_MAX: usize = 60; // Rows shown; of a longer table each row is a range
const COLUMNS: usize = 38; // Columns between a label and its bar
const LABEL_MAX: usize = 30; // Letters of what a row of a grid is called; a longer name is cut

pub(super) fn bars_of_totals(odds: &Odds) -> Vec<Bar> {
    let cut = odds.totals.cut();
    let rows = odds.totals.ranges(ROWS_MAX).rows.into_iter();
    rows.map(|row| bar_of(label(row.first, row.last), &row.chance, &cut))
        .collect()
}

fn bar_of(name: String, chance: &Ratio, cut: &Ratio) -> Bar {
    (
        name,
        chance.to_f64(),
        format!("{} %", chance.percent_bounded(3, cut)),
    )
}

/// "3/4 (75.00 %)", only the percentage of a long fraction; `cut` is what explosions leave.
pub(super) fn chance(ratio: &Ratio, cut: &Ratio) -> String {
    let percent = ratio.percent_bounded(4, cut);
    ratio.short(40).map_or_else(
        || format!("{percent} %"),
        |exact| format!("{exact} ({percent} %)"),
    )
}

fn cut_off(cut: &Ratio) -> String {
    let text = format!(
        "Explosions are followed until {} of all rolls is left, which is cut off (--json has it exactly).",
        cut.with_size(60)
    );
    wrapped(&text, WIDTH, 0)
}

pub(super) fn totals(expression: &Expression, odds: &Odds) -> String {
    let totals = &odds.totals;
    let (cut, shown) = (totals.cut(), totals.ranges(ROWS_MAX));
    let most = shown
        .rows
        .iter()
        .map(|row| row.chance.to_f64())
        .fold(f64::MIN_POSITIVE, f64::max);
    let mean = totals.mean();
    let exact = mean
        .short(20)
        .filter(|exact| exact.contains('/'))
        .map_or(String::new(), |exact| format!(" ({exact})"));
    let (name, mean) = (brief(expression.as_str()), mean.to_decimal(4));
    let mut out = format!("{name}\nmean {mean}{exact} ± {:.2}\n", totals.deviation());
    if let Some(success) = &odds.success {
        let whose = if expression.counts() && odds.repeated {
            "one check succeeds"
        } else {
            "success"
        };
        out.push_str(&format!("{whose} {}\n", chance(success, &cut)));
    }
    out.extend(
        odds.bands
            .iter()
            .map(|(band, ratio)| format!("{band}: {}\n", chance(ratio, &cut))),
    );
    let head = match (odds.repeated && odds.success.is_some(), expression.counts()) {
        (true, _) => "succeed",
        (_, true) => "successes",
        _ => "total",
    };
    let labels: Vec<String> = shown
        .rows
        .iter()
        .map(|row| label(row.first, row.last))
        .collect();
    let width = labels
        .iter()
        .map(|label| label.chars().count())
        .fold(9, usize::max);
    out.push_str(&format!(
        "\n{head:>width$}  {:>10}  {:>10}  {:>10}\n",
        "exactly", "at least", "at most"
    ));
    let left_out = |many: u64, words: &str| match many {
        0 => String::new(),
        many => format!(
            "{:>width$}  {} {words}\n",
            "…",
            counted(many, "total", "totals")
        ),
    };
    out.push_str(&left_out(
        shown.below as u64,
        "below, together less than 0.001 %",
    ));
    for (row, label) in shown.rows.iter().zip(&labels) {
        let percent = |ratio: &Ratio| format!("{} %", ratio.percent_bounded(3, &cut));
        let line = format!(
            "{label:>width$}  {:>10}  {:>10}  {:>10}  {}",
            percent(&row.chance),
            percent(&totals.at_least(row.first)),
            percent(&totals.at_most(row.last)),
            bar(
                row.chance.to_f64() / most,
                BAR.min(WIDTH.saturating_sub(width + COLUMNS))
            ),
        );
        out.push_str(&format!("{}\n", line.trim_end()));
    }
    out.push_str(&left_out(
        shown.above as u64,
        "above, together less than 0.001 % (--json has all)",
    ));
    if !cut.is_zero() {
        out.push_str(&format!("\n{}\n", cut_off(&cut)));
    }
    out
}

/// `7`, or `51 to 75` of a row that is a range.
pub(super) fn label(first: i64, last: i64) -> String {
    if first == last {
        first.to_string()
    } else {
        format!("{first} to {last}")
    }
}

/// A table: the rows' labels under the corner, and cells that end under the end of their heads.
/// `words` begin at the left, numbers end at the right.
pub(super) fn grid(
    corner: &str,
    words: bool,
    heads: &[String],
    rows: &[(String, Vec<String>)],
) -> String {
    let head = [vec![corner.to_owned()], heads.to_vec()].concat();
    let row = |(label, cells): &(String, Vec<String>)| {
        [vec![shortened(label, LABEL_MAX)], cells.clone()].concat()
    };
    let rows: Vec<Vec<String>> = std::iter::once(head).chain(rows.iter().map(row)).collect();
    below_each_other(&rows, |nth| if nth == 0 { (0, !words) } else { (9, true) })
}

/// A line a difficulty, a column an outcome; without difficulties, a line an outcome.
pub(super) fn outcomes(name: &str, lines: &[Line]) -> String {
    let all: Vec<&Chances> = lines.iter().map(|(_, found)| found).collect();
    let columns = columns(&all);
    let mut text = format!("{name}\n\n");
    let difficult = lines.iter().any(|(difficulty, _)| difficulty.is_some());
    if difficult {
        let cells = |nth: usize, found: &Chances| {
            let cell = |chance: &Ratio| format!("{} %", chance.percent_bounded(2, &found.cut));
            columns
                .iter()
                .filter_map(|column| column.chances.get(nth))
                .map(cell)
                .collect()
        };
        text.push_str(&by_difficulty(
            lines,
            columns.iter().map(|column| &column.name),
            cells,
        ));
    } else {
        list(
            &mut text,
            &columns,
            all.first()
                .map_or_else(Ratio::default, |found| found.cut.clone()),
        );
    }
    match lines {
        [(_, found)] => numbers(&mut text, found),
        [(_, found), ..] if !difficult => numbers(&mut text, found),
        _ => {
            let means = means(&all);
            let cells = |nth: usize, _: &Chances| {
                means
                    .iter()
                    .map(|(_, values)| average_of(values.get(nth).copied().flatten()))
                    .collect()
            };
            if !means.is_empty() {
                let averages = by_difficulty(lines, means.iter().map(|(name, _)| name), cells);
                let _ = write!(text, "\nOn average\n{averages}");
            }
        }
    }
    if let Some(against) = all.iter().find_map(|found| found.against.as_ref()) {
        let place = against
            .place
            .as_ref()
            .map_or_else(String::new, |place| format!(" ({place})"));
        let _ = writeln!(
            text,
            "\n{}",
            wrapped(&format!("Decided by: {}{place}.", against.rule), WIDTH, 0)
        );
    }
    notes(&mut text, &all);
    let of_damage = all
        .iter()
        .filter_map(|found| Some(&found.damage.as_ref()?.cut));
    if let Some(cut) = all
        .iter()
        .map(|found| &found.cut)
        .chain(of_damage)
        .find(|cut| !cut.is_zero())
    {
        let _ = writeln!(text, "\n{}", cut_off(cut));
    }
    text
}

/// The bars of a picture: a bar an outcome, and what else has a chance.
pub(super) fn bars(found: &Chances) -> Vec<Bar> {
    let bar = |column: Column| {
        bar_of(
            column.name,
            column.chances.first().unwrap_or(&Ratio::default()),
            &found.cut,
        )
    };
    columns(&[found]).into_iter().map(bar).collect()
}

/// What would be refused at the table, each once.
pub(super) fn notes(text: &mut String, all: &[&Chances]) {
    for note in each_once(all.iter().flat_map(|found| &found.notes)) {
        let _ = writeln!(text, "\n{}", wrapped(note, WIDTH, 0));
    }
}

fn by_difficulty<'a>(
    lines: &[Line],
    heads: impl Iterator<Item = &'a String>,
    cells: impl Fn(usize, &Chances) -> Vec<String>,
) -> String {
    let name =
        |difficulty: &Option<i64>| difficulty.map_or_else(String::new, |number| number.to_string());
    let row = |(nth, (difficulty, found)): (usize, &Line)| (name(difficulty), cells(nth, found));
    let (heads, rows): (Vec<String>, Vec<_>) = (
        heads.cloned().collect(),
        lines.iter().enumerate().map(row).collect(),
    );
    grid("difficulty", false, &heads, &rows)
}

/// A line an outcome, with its fraction and its rule where there is room.
fn list(text: &mut String, columns: &[Column], rest: Ratio) {
    let names: Vec<String> = columns
        .iter()
        .map(|column| shortened(&column.name, 36))
        .collect();
    let width = names
        .iter()
        .map(|name| name.chars().count())
        .max()
        .unwrap_or(0);
    for (column, name) in columns.iter().zip(&names) {
        let Some(chance) = column.chances.first() else {
            continue;
        };
        let rule = column.rule.as_deref().unwrap_or_default();
        let (percent, exact) = (
            format!("{} %", chance.percent_bounded(4, &rest)),
            self::chance(chance, &rest),
        );
        let forms = [
            format!("{exact:>30}  {rule}"),
            format!("{percent:>30}  {rule}"),
            percent,
        ];
        let fits = |form: &&String| width + 2 + form.trim_end().chars().count() <= WIDTH;
        let form = forms
            .iter()
            .find(fits)
            .or(forms.last())
            .map_or("", |form| form.trim_end());
        let _ = writeln!(text, "{name:width$}  {form}");
    }
}

/// The numbers of each value, symbol and damage: the chance of it, and of no less.
pub(super) fn numbers(text: &mut String, found: &Chances) {
    let rest = found
        .damage
        .as_ref()
        .map_or(&found.cut, |damage| &damage.cut);
    let percent = |chance: &Ratio| format!("{} %", chance.percent_bounded(2, rest));
    for (ValueOdds { name, chances }, mean) in numbers_of(found) {
        let width = chances
            .iter()
            .map(|(number, _)| number.to_string().len())
            .fold(10, usize::max);
        let _ = writeln!(
            text,
            "\n{name}, {mean:.4} on average\n{:>width$}  {:>9}  {:>9}",
            "", "exactly", "at least"
        );
        let most = chances
            .iter()
            .map(|(_, chance)| chance.to_f64())
            .fold(f64::MIN_POSITIVE, f64::max);
        for (nth, (number, chance)) in chances.iter().enumerate() {
            let more = chances
                .iter()
                .skip(nth)
                .fold(Ratio::default(), |sum, (_, chance)| sum.plus(chance));
            let bar = bar(
                chance.to_f64() / most,
                BAR.min(WIDTH.saturating_sub(width + 24)),
            );
            let line = format!(
                "{number:>width$}  {:>9}  {:>9}  {bar}",
                percent(chance),
                percent(&more)
            );
            let _ = writeln!(text, "{}", line.trim_end());
        }
    }
}

/// An average; a line where there is none.
pub(super) fn average_of(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |mean| format!("{mean:.4}"))
}

const PICTURE: f64 = 760.0;
const TOP: f64 = 48.0;
const ROW: f64 = 20.0;
const LEFT: f64 = 240.0; // Where the bars begin
const LONGEST: f64 = 420.0;

/// A bar: what it is called, its chance from 0 to 1, and the chance in words.
pub(super) type Bar = (String, f64, String);

pub(super) fn picture(title: &str, bars: &[Bar]) -> String {
    let most = bars
        .iter()
        .map(|(_, chance, _)| *chance)
        .fold(f64::MIN_POSITIVE, f64::max);
    let height = TOP + ROW * bars.len() as f64 + 16.0;
    let (whole, shown) = (for_markup(title), for_markup(&shortened(title, 70)));
    let mut out = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {PICTURE} {height}" width="{PICTURE}" height="{height}" role="img">
<title>Odds of {whole}</title>
<rect width="{PICTURE}" height="{height}" fill="#fbfaf7"/>
<g font-family="system-ui, sans-serif" font-size="12" fill="#4a4a46">
<text x="20" y="28" font-size="18" font-weight="600" fill="#22221f">{shown}</text>
"##
    );
    for (nth, (name, chance, words)) in bars.iter().enumerate() {
        let (y, long) = (TOP + ROW * nth as f64, LONGEST * chance / most);
        let (name, text, end) = (
            for_markup(&shortened(name, 32)),
            y + 12.0,
            LEFT + long + 6.0,
        );
        // Writing to a String cannot fail.
        let _ = write!(
            out,
            r##"<text x="{:.1}" y="{text:.1}" text-anchor="end">{name}</text>
<rect x="{LEFT:.1}" y="{y:.1}" width="{long:.2}" height="16" fill="#2f6f8f"><title>{name}: {words}</title></rect>
<text x="{end:.1}" y="{text:.1}">{words}</text>
"##,
            LEFT - 10.0
        );
    }
    out + "</g>\n</svg>\n"
}

/// The chances at one difficulty; none where the rule asks for none.
pub(super) type Line = (Option<i64>, Chances);

pub(super) struct Column {
    /// `outcome`, `flag`, `against`, `again` or `damage`.
    pub kind: &'static str,
    pub name: String,
    /// The place that decides: `System.md:31`.
    pub rule: Option<String>,
    pub chances: Vec<Ratio>,
}

/// Each of them once, in the order in which they come.
pub(super) fn each_once<T: PartialEq>(all: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut once = Vec::new();
    for one in all {
        if !once.contains(&one) {
            once.push(one);
        }
    }
    once
}

/// An outcome as the rules have it, and the author's word for it.
type Head<'a> = (Option<Outcome>, &'a Option<String>);

/// The outcomes that come up in any, the best first; then flags, follow-ups, the target.
pub(super) fn columns(all: &[&Chances]) -> Vec<Column> {
    let rows = || all.iter().flat_map(|found| &found.rows);
    let mut heads: Vec<Head<'_>> = each_once(rows().map(|row| (row.outcome, &row.label)));
    heads.sort_by_key(|(outcome, _)| Reverse(*outcome));
    let outcome = |head: &Head<'_>| {
        let is_of = |row: &&Row| (row.outcome, &row.label) == *head;
        let sum = |sum: Ratio, row: &Row| sum.plus(&row.chance);
        let chances = all
            .iter()
            .map(|found| found.rows.iter().filter(is_of).fold(Ratio::default(), sum))
            .collect();
        let rule = rows().find(is_of).and_then(|row| row.rule.clone());
        Column {
            kind: "outcome",
            name: name(*head, &heads),
            rule,
            chances,
        }
    };
    let mut columns: Vec<Column> = heads.iter().map(outcome).collect();
    let rest: Vec<Vec<Named>> = all.iter().map(|found| beside_outcomes(found)).collect();
    for kind in ["flag", "against", "again", "damage"] {
        let named = rest.iter().flatten().filter(|named| named.0 == kind);
        for name in each_once(named.map(|named| &named.1)) {
            let is_it = |named: &&Named| named.0 == kind && named.1 == *name;
            let chance = |all: &Vec<Named>| {
                all.iter()
                    .find(is_it)
                    .map(|named| named.2.clone())
                    .unwrap_or_default()
            };
            columns.push(Column {
                kind,
                name: name.clone(),
                rule: None,
                chances: rest.iter().map(chance).collect(),
            });
        }
    }
    columns
}

type Named = (&'static str, String, Ratio);

fn beside_outcomes(found: &Chances) -> Vec<Named> {
    let mut all: Vec<Named> = Vec::new();
    all.extend(
        found
            .flags
            .iter()
            .map(|(name, chance)| ("flag", format!("flag {name}"), chance.clone())),
    );
    if let Some(contest) = &found.against {
        all.push(("against", "wins".to_owned(), contest.won.clone()));
        all.push(("against", "tie".to_owned(), contest.tie.clone()));
        all.extend(
            contest
                .won_in_the_end
                .iter()
                .map(|won| ("against", "wins in the end".to_owned(), won.clone())),
        );
    }
    all.extend(
        found
            .again
            .iter()
            .map(|(rule, chance)| ("again", rule.clone(), chance.clone())),
    );
    if let Some(damage) = &found.damage {
        all.push((
            "damage",
            format!("{} is down", damage.target),
            damage.down.clone(),
        ));
        if !damage.unread.is_zero() {
            all.push((
                "damage",
                "damage for the GM to say".to_owned(),
                damage.unread.clone(),
            ));
        }
    }
    all
}

/// The numbers of a check with their means: its values, and the damage of an attack.
fn numbers_of(found: &Chances) -> Vec<(ValueOdds, f64)> {
    let damage = found.damage.as_ref().map(|damage| {
        let (name, chances) = (
            format!("Damage to {}", damage.target),
            damage.points.clone(),
        );
        (ValueOdds { name, chances }, damage.mean.to_f64())
    });
    let values = found
        .values
        .iter()
        .map(|value| (value.clone(), value.mean()));
    values.chain(damage).collect()
}

/// What a number comes to on average in each of several; `None` where one has no such number.
pub(super) type Mean = (String, Vec<Option<f64>>);

pub(super) fn means(all: &[&Chances]) -> Vec<Mean> {
    let numbers: Vec<Vec<(ValueOdds, f64)>> = all.iter().map(|found| numbers_of(found)).collect();
    let names = each_once(numbers.iter().flatten().map(|(number, _)| &number.name));
    let mean = |all: &Vec<(ValueOdds, f64)>, name: &String| {
        Some(all.iter().find(|(number, _)| number.name == *name)?.1)
    };
    names
        .into_iter()
        .map(|name| {
            (
                name.clone(),
                numbers.iter().map(|all| mean(all, name)).collect(),
            )
        })
        .collect()
}

/// The chance of any success, a partial one too; `None` where the rules leave an outcome to the GM.
pub(super) fn success(found: &Chances) -> Option<Ratio> {
    let chance = |row: &Row| {
        Some(if row.outcome?.is_success() {
            row.chance.clone()
        } else {
            Ratio::default()
        })
    };
    found
        .rows
        .iter()
        .try_fold(Ratio::default(), |sum, row| Some(sum.plus(&chance(row)?)))
}

/// The author's word; with the canonical one where two rows share a word.
fn name((outcome, label): Head<'_>, all: &[Head<'_>]) -> String {
    let twice = all.iter().filter(|(_, other)| *other == label).count() > 1;
    match (label, outcome) {
        (Some(label), Some(outcome)) if twice => format!("{label} ({outcome})"),
        (Some(label), _) => label.clone(),
        (None, outcome) => outcome
            .map_or("for the GM to say", Outcome::as_str)
            .to_owned(),
    }
}
