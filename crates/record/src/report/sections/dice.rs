//! How the dice fell: each kind, each face, each person.

use super::words::{number, percent};
use crate::report::document::{Bar, Chart, Kind as Drawn};
use crate::report::document::{Block, Column, Table};
use crate::report::facts::Gathered;
use crate::report::facts::dice::Faces;
use crate::report::luck::tail::{Alike, Each, at_least};
use rollbook_dice::fairness::DieKind as Kind;

/// Fewer dice say nothing.
pub const VERDICT_MIN: u64 = 30;
/// People whose faces are shown one by one.
const ROLLERS_MAX: usize = 8;
/// Bars of a chart; faces beyond are joined.
const BARS_MAX: usize = 25;

/// What a report says of the dice, and the verdicts that are shown.
pub struct Shown {
    pub blocks: Vec<Block>,
    pub verdicts: Verdicts,
}

#[derive(Debug, Default)]
pub struct Verdicts {
    /// On one person's dice of a kind, or checks.
    pub people: Vec<Verdict>,
    /// On everybody's dice of a kind together, which are no others than those of its people.
    pub everybody: Vec<Verdict>,
}

/// Where a sum lies among those of honest dice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    High,
    Low,
    Ordinary,
}

impl Verdict {
    /// From the chance of so much or more, and of so much or less.
    pub fn of(up: f64, down: f64) -> Self {
        match () {
            () if up < 0.05 => Verdict::High,
            () if down < 0.05 => Verdict::Low,
            () => Verdict::Ordinary,
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            Verdict::High => "high",
            Verdict::Low => "low",
            Verdict::Ordinary => "as expected",
        }
    }
}

pub fn shown(gathered: &Gathered) -> Shown {
    let mut all: Vec<(&Kind, Faces)> = Vec::new();
    for (kind, people) in &gathered.dice.by_kind {
        let mut whole = Faces::default();
        people.values().for_each(|faces| whole.join(faces));
        all.push((kind, whole));
    }
    // Those of which most fell come first.
    all.sort_by_key(|(_, whole)| std::cmp::Reverse(whole.count));
    let (many, few): (Vec<_>, Vec<_>) = all
        .into_iter()
        .partition(|(_, whole)| whole.count >= VERDICT_MIN);
    let (mut blocks, mut verdicts) = (Vec::new(), Verdicts::default());
    for (kind, whole) in &many {
        blocks.push(Block::Heading(format!("The {}", kind.name())));
        blocks.extend(faces(kind, whole, &rollers(kind, gathered)));
        blocks.push(Block::Table(people(kind, whole, gathered, &mut verdicts)));
    }
    if !few.is_empty() {
        let mut table = Table::of(
            format!("Dice of which fewer than {VERDICT_MIN} fell: too few for a verdict"),
            &["Die", "Fell#", "Mean#", "Expected#"],
        );
        table.rows = few
            .iter()
            .map(|(kind, whole)| row(kind.name(), kind, whole))
            .collect();
        if !many.is_empty() {
            blocks.push(Block::Heading("Other dice".to_owned()));
        }
        blocks.push(Block::Table(table));
    }
    Shown { blocks, verdicts }
}

fn row(name: String, kind: &Kind, faces: &Faces) -> Vec<String> {
    let mean = faces.sum as f64 / faces.count.max(1) as f64;
    vec![
        name,
        faces.count.to_string(),
        number(mean, 2),
        number(expected(kind), 2),
    ]
}

fn expected(kind: &Kind) -> f64 {
    let faces = kind.faces();
    let sides: u32 = faces.iter().map(|(_, times)| times).sum();
    faces
        .iter()
        .map(|(face, times)| *face as f64 * f64::from(*times))
        .sum::<f64>()
        / f64::from(sides.max(1))
}

/// Whoever rolled a kind of die, those who rolled most first.
fn rollers<'g>(kind: &Kind, gathered: &'g Gathered) -> Vec<(&'g str, &'g Faces)> {
    let people = gathered.dice.by_kind.get(kind).into_iter().flatten();
    let mut rollers: Vec<(&str, &Faces)> = people
        .map(|(who, faces)| (gathered.people.name(*who), faces))
        .collect();
    rollers.sort_by_key(|(_, faces)| std::cmp::Reverse(faces.count));
    rollers
}

/// How often each face fell, as a chart and a table; faces of a big die are joined.
fn faces(kind: &Kind, whole: &Faces, rollers: &[(&str, &Faces)]) -> Vec<Block> {
    if whole.faces.is_empty() {
        return Vec::new();
    }
    let faces = kind.faces();
    let sides: u32 = faces.iter().map(|(_, times)| times).sum();
    let width = faces.len().div_ceil(BARS_MAX).max(1);
    let bars: Vec<Bar> = faces
        .chunks(width)
        .map(|chunk| {
            let (first, last) = (
                chunk.first().map_or(0, |face| face.0),
                chunk.last().map_or(0, |face| face.0),
            );
            let count = count_of(whole, chunk);
            let times: u32 = chunk.iter().map(|(_, times)| times).sum();
            let label = if first == last {
                first.to_string()
            } else {
                format!("{first} to {last}")
            };
            let expected = whole.count as f64 * f64::from(times) / f64::from(sides.max(1));
            Bar {
                label,
                value: count as f64,
                expected,
            }
        })
        .collect();
    let mut table = Table::of(
        format!("Faces of the {}: how often each fell", kind.name()),
        &["Face", "Fell#", "Expected#"],
    );
    table.rows = bars
        .iter()
        .map(|bar| {
            vec![
                bar.label.clone(),
                number(bar.value, 0),
                number(bar.expected, 1),
            ]
        })
        .collect();
    // Each person's own, after what everybody rolled.
    for (name, rolled) in rollers
        .iter()
        .take(if rollers.len() > 1 { ROLLERS_MAX } else { 0 })
    {
        let name = format!("{name}, of {}", rolled.count);
        table.columns.push(Column { name, number: true });
        for (row, chunk) in table.rows.iter_mut().zip(faces.chunks(width)) {
            row.push(count_of(rolled, chunk).to_string());
        }
    }
    let chart = Chart {
        title: format!("Faces of the {}", kind.name()),
        summary: format!(
            "{} dice; a bar a face, and a mark where it is expected to end. The table folded below has the figures.",
            whole.count
        ),
        kind: Drawn::Bars(bars),
    };
    // A line for each face of each person is a long way on a phone, and the chart says most of it.
    let title = format!("Faces of the {} in figures", kind.name());
    vec![
        Block::Chart(chart),
        Block::Folded {
            title,
            blocks: vec![Block::Table(table)],
        },
    ]
}

fn count_of(fell: &Faces, faces: &[(i64, u32)]) -> u64 {
    faces
        .iter()
        .filter_map(|(face, _)| fell.faces.get(face))
        .sum()
}

fn people(kind: &Kind, whole: &Faces, gathered: &Gathered, verdicts: &mut Verdicts) -> Table {
    let mut table = Table::of(
        format!("The {} by person", kind.name()),
        &[
            "Who",
            "Fell#",
            "Mean#",
            "Expected#",
            "So high a sum or higher#",
            "Verdict",
        ],
    );
    let rows = rollers(kind, gathered);
    for (name, faces) in &rows {
        table.rows.push(judged(
            (*name).to_owned(),
            kind,
            faces,
            &mut verdicts.people,
        ));
    }
    if rows.len() > 1 {
        table.rows.push(judged(
            "Everybody".to_owned(),
            kind,
            whole,
            &mut verdicts.everybody,
        ));
    }
    table
}

fn judged(name: String, kind: &Kind, faces: &Faces, verdicts: &mut Vec<Verdict>) -> Vec<String> {
    let mut cells = row(name, kind, faces);
    let tail = (faces.count >= VERDICT_MIN)
        .then(|| tails(kind, faces))
        .flatten();
    cells.extend(match tail {
        Some((up, down)) => {
            let verdict = Verdict::of(up, down);
            verdicts.push(verdict);
            [percent(up), verdict.word().to_owned()]
        }
        None if faces.count < VERDICT_MIN => ["–".to_owned(), "too few".to_owned()],
        None => ["–".to_owned(), "not worked out".to_owned()],
    });
    cells
}

/// The chance of so high a sum or a higher one, and of so low a sum or a lower one.
fn tails(kind: &Kind, rolled: &Faces) -> Option<(f64, f64)> {
    let faces = kind.faces();
    let (lowest, highest) = (faces.first()?.0, faces.last()?.0);
    let sides: u32 = faces.iter().map(|(_, times)| times).sum();
    let is_run =
        faces.len() as i64 == highest - lowest + 1 && faces.iter().all(|(_, times)| *times == 1);
    let each = match is_run {
        true => Each::Uniform(sides),
        false => {
            let share = |(face, times): &(i64, u32)| {
                Some((
                    u32::try_from(face - lowest).ok()?,
                    f64::from(*times) / f64::from(sides),
                ))
            };
            Each::Shares(faces.iter().map(share).collect::<Option<_>>()?)
        }
    };
    let parts = [Alike {
        count: rolled.count,
        each,
    }];
    // Counted from the least that they can add up to.
    let above = u64::try_from(rolled.sum - lowest * i64::try_from(rolled.count).ok()?).ok()?;
    Some((at_least(&parts, above)?, 1.0 - at_least(&parts, above + 1)?))
}
