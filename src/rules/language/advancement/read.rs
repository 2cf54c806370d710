//! The Advancement section.

use super::model::{AdvanceTrack, Advancement, Threshold};
use super::ticks::{improvement, tick};
use crate::names::fold;
use crate::rules::document::{Bullet, Table, Text};
use crate::rules::language::clause::Clause;
use crate::rules::language::labels::{Labelled, labelled, report_misspelt, report_repeated};
use crate::rules::language::ledger::{Ledger, Scope};
use crate::rules::language::names::Names;
use crate::rules::language::outline::Outline;
use crate::rules::language::{formula, range};
use crate::rules::section::SectionKind;

/// The labels that the section knows.
pub const LABELS: [&str; 1] = ["Level up at"];

/// Reads what the section says; what is no rule for the program is kept in the author's words, and remarked on.
pub fn read(outline: &Outline<'_>, names: &Names, ledger: &mut Ledger<'_>) -> Advancement {
    let mut advancement = Advancement::default();
    for bullet in outline.bullets(SectionKind::Advancement) {
        one(bullet, names, &mut advancement, ledger);
    }
    for table in outline.tables(SectionKind::Advancement) {
        thresholds(table, &mut advancement, ledger);
    }
    for text in outline.paragraphs(SectionKind::Advancement) {
        advancement.milestones = advancement.milestones.take().or_else(|| milestones(text, ledger));
    }
    advancement
}

fn one(bullet: &Bullet, names: &Names, advancement: &mut Advancement, ledger: &mut Ledger<'_>) {
    ledger.take(bullet.text.span());
    let label = labelled(bullet, ledger);
    if let Some(label) = &label
        && ["level up at", "next level at"].contains(&label.folded.as_str())
    {
        match &advancement.level_up {
            Some(_) => report_repeated(label, label.span, ledger),
            None => advancement.level_up = level_up(label, names, ledger),
        }
        return;
    }
    if let Some(milestones) = milestones(&bullet.text, ledger) {
        advancement.milestones.get_or_insert(milestones);
        return;
    }
    if let Some(improvement) = label.as_ref().and_then(|label| improvement(label, ledger)) {
        advancement.improvement.get_or_insert(improvement);
        return;
    }
    if let Some(tick) = tick(&bullet.text, ledger) {
        advancement.ticks.get_or_insert(tick);
        return;
    }
    let mut left = None;
    let mut found = 0usize;
    for part in bullet.text.split_all(&[";"]) {
        match track(&part, ledger) {
            Some(track) if found < ledger.limits.items => {
                advancement.tracks.push(track);
                found += 1;
            }
            _ => left = left.or(Some(part)),
        }
    }
    if let Some(label) = label.filter(|_| found == 0)
        && report_misspelt(&label, &LABELS, ledger)
    {
        return;
    }
    if let Some(left) = left {
        let place = ledger.place(left.span());
        ledger.left_to_gm(left.span(), "kept in the author's words");
        advancement.left.push(Clause { what: left.as_str().to_owned(), place });
    }
}

/// `7 + level XP`.
fn level_up(label: &Labelled, names: &Names, ledger: &mut Ledger<'_>) -> Option<Clause<crate::dice::Formula>> {
    let place = ledger.place(label.span);
    let words = label.value.as_str().trim_end_matches('.');
    let units = [" xp", " experience points", " experience", " points"];
    let lower = words.to_ascii_lowercase();
    let end = units.iter().find(|unit| lower.ends_with(*unit)).map_or(words.len(), |unit| words.len() - unit.len());
    let what = formula::read(&label.value.slice(0..end), names, Scope::Character, ledger)?;
    Some(Clause { what, place })
}

/// `Playbook track: 8`.
fn track(part: &Text, ledger: &Ledger<'_>) -> Option<AdvanceTrack> {
    let (name, size) = part.split_at_any(&[":"])?;
    let (size, rest) = range::number(size.as_str())?;
    let unit = rest.trim().to_lowercase();
    let named = ["track", "clock", "marks", "ticks", "boxes"].iter().any(|word| fold(name.as_str()).contains(word));
    let boxes = matches!(unit.as_str(), "boxes" | "marks" | "ticks" | "segments") || (unit.is_empty() && named);
    (boxes && size > 0).then(|| AdvanceTrack { name: name.as_str().to_owned(), size, place: ledger.place(part.span()) })
}

/// `Milestones: minor, significant, major`.
fn milestones(text: &Text, ledger: &Ledger<'_>) -> Option<Clause<Vec<String>>> {
    let sentences = text.split_all(&[". "]);
    let (name, kinds) = sentences.first()?.split_at_any(&[":"])?;
    if !matches!(fold(name.as_str()).as_str(), "milestones" | "milestone") {
        return None;
    }
    let kinds = kinds.split_all(&[",", " and "]);
    let what = kinds.iter().map(|kind| kind.as_str().trim_end_matches('.').to_owned()).collect();
    Some(Clause { what, place: ledger.place(text.span()) })
}

/// A table with a Level and an XP column.
fn thresholds(table: &Table, advancement: &mut Advancement, ledger: &mut Ledger<'_>) {
    let column = |names: &[&str]| table.header.iter().position(|cell| names.contains(&fold(cell.as_str()).as_str()));
    let columns = column(&["level"]).zip(column(&["xp", "experience", "experience points"]));
    let Some((levels, points)) = columns.filter(|_| advancement.thresholds.is_empty()) else { return };
    ledger.take(table.span);
    for row in table.rows.iter().take(ledger.limits.items) {
        let (Some(level), Some(xp)) = (row.get(levels), row.get(points)) else { continue };
        match whole(level).zip(whole(xp)) {
            Some((level, xp)) => advancement.thresholds.push(Threshold { level, xp }),
            None => ledger.left_to_gm(level.span().to(xp.span()), "expected a level and a number of points"),
        }
    }
    advancement.thresholds.sort_by_key(|threshold| threshold.level);
    advancement.thresholds_place = Some(ledger.place(table.span));
}

/// `1,200` or `300`.
fn whole(cell: &Text) -> Option<i64> {
    cell.as_str().replace([',', ' ', '\''], "").parse().ok()
}
