//! The chances of a check as a picture: its outcomes, a column a difficulty, and below them what stands beside: flags, who wins, values,
//! the damage.

use super::lineup::{Head, Kind, Line, Lineup, spreads};
use super::outcomes::{label, ranged};
use super::panels::{Bar, Picture, Series};
use crate::dice::odds::Ratio;
use crate::game::decide::odds::Chances;

/// Where a chance stands, and what it is of.
type Place<'h> = (usize, &'h Head);

/// The picture as text.
pub(super) fn draw(name: &str, lines: &[Line]) -> String {
    let mut picture = Picture::of(name);
    let all: Vec<&Chances> = lines.iter().map(|(_, found)| found).collect();
    let Lineup { heads, cells } = Lineup::of(&all);
    let labels: Vec<String> = lines.iter().map(|(difficulty, _)| label(*difficulty)).collect();
    let (outcomes, beside): (Vec<Place<'_>>, Vec<Place<'_>>) =
        heads.iter().enumerate().partition(|(_, head)| head.kind == Kind::Outcome);
    match (cells.as_slice(), all.as_slice()) {
        ([cells], [found]) => {
            let bar = |(nth, head): &Place<'_>| -> Option<Bar> {
                let (share, words) = shown(cells.get(*nth)?, &found.cut);
                Some((head.name.clone(), share, words))
            };
            let bars: Vec<Bar> = heads.iter().enumerate().filter_map(|pair| bar(&pair)).collect();
            let heading = match labels.first().filter(|label| !label.is_empty()) {
                Some(label) => format!("Chances, difficulty {label}"),
                None => "Chances".to_owned(),
            };
            picture.bars(&heading, &bars);
            for own in spreads(found) {
                let bar = |own: super::outcomes::Range| {
                    let (share, words) = shown(&own.chance, &found.cut);
                    (own.label(), share, words)
                };
                let bars: Vec<Bar> = ranged(&whole(&own.chances)).into_iter().map(bar).collect();
                picture.spread(&format!("{}: {:.4} on average", own.name, own.mean), &bars);
            }
        }
        _ => {
            let names: Vec<String> = outcomes.iter().map(|(_, head)| head.name.clone()).collect();
            let parts = |cells: &Vec<Ratio>, found: &&Chances| {
                let part = |(nth, _): &Place<'_>| cells.get(*nth).map(|chance| shown(chance, &found.cut));
                outcomes.iter().filter_map(part).collect::<Vec<_>>()
            };
            let columns: Vec<Vec<(f64, String)>> =
                cells.iter().zip(&all).map(|(cells, found)| parts(cells, found)).collect();
            picture.stack(&labels, &names, &columns);
            let line = |(nth, head): &Place<'_>| -> Series {
                (head.name.clone(), cells.iter().map(|cells| cells.get(*nth).map(Ratio::to_f64)).collect())
            };
            let series: Vec<Series> = beside.iter().map(line).collect();
            if !series.is_empty() {
                picture.lines("Beside the outcome", &labels, &series, true, None);
            }
            let means: Vec<Series> = means(&all);
            if !means.is_empty() {
                picture.lines("On average", &labels, &means, false, None);
            }
        }
    }
    picture.svg()
}

/// Numbers of which none is left out between the first and the last.
const WHOLE_MAX: i64 = 200;

/// The same with those between that never come up, so that a picture has room for them.
fn whole(chances: &[(i64, Ratio)]) -> Vec<(i64, Ratio)> {
    let (Some((first, _)), Some((last, _))) = (chances.first(), chances.last()) else { return Vec::new() };
    if last.saturating_sub(*first) >= WHOLE_MAX {
        return chances.to_vec();
    }
    let mut all: std::collections::BTreeMap<i64, Ratio> =
        (*first..=*last).map(|number| (number, Ratio::default())).collect();
    all.extend(chances.iter().cloned());
    all.into_iter().collect()
}

/// The share, and the chance in words.
fn shown(chance: &Ratio, rest: &Ratio) -> (f64, String) {
    (chance.to_f64(), format!("{} %", chance.percent_bounded(3, rest)))
}

/// The averages of values and of the damage, by name.
fn means(all: &[&Chances]) -> Vec<Series> {
    let mut series: Vec<Series> = Vec::new();
    for (nth, found) in all.iter().enumerate() {
        for own in spreads(found) {
            let at = match series.iter().position(|(name, _)| *name == own.name) {
                Some(at) => at,
                None => {
                    series.push((own.name.clone(), vec![None; all.len()]));
                    series.len() - 1
                }
            };
            if let Some(place) = series.get_mut(at).and_then(|(_, values)| values.get_mut(nth)) {
                *place = Some(own.mean);
            }
        }
    }
    series
}
