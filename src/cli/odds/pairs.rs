//! Two side by side as a picture.

use super::compare::{Comparison, DiceComparison};
use super::outcomes::label;
use super::panels::{Picture, SIDES, Series};
use crate::game::decide::odds::Chances;

/// Bars of totals beside each other.
const TOTALS_MAX: usize = 60;

/// What is drawn, whether it is a chance, and of each side how much it is at each difficulty.
type Panel = (String, bool, [Vec<Option<f64>>; 2]);

/// Two bars for each chance; over several difficulties, two lines.
pub(super) fn draw(own: &Comparison) -> String {
    let mut picture = Picture::of(&own.name);
    if let [(_, one, other)] = own.lines.as_slice() {
        let words = |chance: &crate::dice::odds::Ratio, found: &Chances| {
            (chance.to_f64(), format!("{} %", chance.percent_bounded(2, &found.cut)))
        };
        let rows = Comparison::rows(one, other).into_iter();
        let rows: Vec<_> = rows.map(|row| (row.name, vec![words(&row.one, one), words(&row.other, other)])).collect();
        picture.pairs(&own.sides, &rows);
        let means = Comparison::means(one, other);
        let most =
            means.iter().flat_map(|(_, one, other)| [one, other]).flatten().copied().fold(f64::MIN_POSITIVE, f64::max);
        let share =
            |mean: &Option<f64>| mean.map_or((0.0, "-".to_owned()), |own| ((own / most).max(0.0), format!("{own:.4}")));
        let rows: Vec<_> =
            means.iter().map(|(name, one, other)| (name.clone(), vec![share(one), share(other)])).collect();
        if !rows.is_empty() {
            picture.rows("On average", &rows, &SIDES);
        }
        return picture.svg();
    }
    let labels: Vec<String> = own.lines.iter().map(|(difficulty, ..)| label(*difficulty)).collect();
    let mut panels: Vec<Panel> = Vec::new();
    for (nth, (_, one, other)) in own.lines.iter().enumerate() {
        let rows = Comparison::rows(one, other).into_iter();
        let rows = rows.map(|row| (row.name, true, [Some(row.one.to_f64()), Some(row.other.to_f64())]));
        let means = Comparison::means(one, other).into_iter();
        let means = means.map(|(name, one, other)| (format!("{name}, mean"), false, [one, other]));
        for (name, chance, both) in rows.chain(means) {
            let at = panels.iter().position(|(own, ..)| *own == name).unwrap_or_else(|| {
                panels.push((name, chance, [vec![None; labels.len()], vec![None; labels.len()]]));
                panels.len() - 1
            });
            let Some((.., values)) = panels.get_mut(at) else { continue };
            for (values, own) in values.iter_mut().zip(both) {
                if let Some(place) = values.get_mut(nth) {
                    *place = own;
                }
            }
        }
    }
    for (name, chance, values) in panels {
        let series: Vec<Series> = own.sides.iter().cloned().zip(values).collect();
        picture.lines(&name, &labels, &series, chance, Some(&SIDES));
    }
    picture.svg()
}

/// Two bars for each total, and the chances of at least so much as lines.
pub(super) fn draw_dice(own: &DiceComparison) -> String {
    let mut picture = Picture::of(&own.title());
    let totals = own.totals();
    let labels: Vec<String> = totals.iter().map(|(total, ..)| total.to_string()).collect();
    if totals.len() <= TOTALS_MAX {
        let most = totals
            .iter()
            .flat_map(|(_, one, other)| [one, other])
            .map(|own| own.to_f64())
            .fold(f64::MIN_POSITIVE, f64::max);
        let cuts = own.odds.each_ref().map(|odds| odds.totals.cut());
        let row = |(total, one, other): &(i64, crate::dice::odds::Ratio, crate::dice::odds::Ratio)| {
            let bars = [one, other].into_iter().zip(&cuts);
            let bars = bars.map(|(own, cut)| (own.to_f64() / most, format!("{} %", own.percent_bounded(2, cut))));
            (total.to_string(), bars.collect::<Vec<_>>())
        };
        let rows: Vec<_> = totals.iter().map(row).collect();
        picture.pairs(&own.names, &rows);
    }
    let least = |odds: &crate::dice::odds::Odds| {
        let mut more = 1.0;
        let shares: std::collections::BTreeMap<i64, f64> = odds.totals.totals().zip(odds.totals.shares()).collect();
        let line = totals.iter().map(|(total, ..)| {
            let own: f64 = more;
            more -= shares.get(total).copied().unwrap_or(0.0);
            Some(own.clamp(0.0, 1.0))
        });
        line.collect::<Vec<_>>()
    };
    let [one, other] = &own.odds;
    let series: Vec<Series> = own.names.iter().cloned().zip([least(one), least(other)]).collect();
    picture.lines("At least", &labels, &series, true, Some(&SIDES));
    picture.svg()
}
