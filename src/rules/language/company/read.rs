//! Reads `- Flooding: 6 segments, hidden; full: the hold is under water`, `- Supplies: 10`, `- At 0 supplies: hungry`, and a table
//! with the columns Clock and Segments.

use super::{each, moments};
use crate::diagnostic::Diagnostic;
use crate::names::{fold, same};
use crate::rules::codes;
use crate::rules::document::{Block, Table, Text};
use crate::rules::language::health::tracks;
use crate::rules::language::health::triggers::{self, untold};
use crate::rules::language::health::{Direction, Track, Trigger, TriggerWhen};
use crate::rules::language::labels::{Labelled, labelled, report_misspelt};
use crate::rules::language::ledger::Ledger;
use crate::rules::language::names::Names;
use crate::rules::language::outline::Outline;
use crate::rules::language::range;
use crate::rules::language::system::System;
use crate::rules::language::time_words::GAME_TIME;
use crate::rules::section::SectionKind;

/// A bullet of one of the sections.
struct Line {
    label: Labelled,
    /// The track that it declares, else the one declared last: `- At 3: …` is about it.
    track: Option<String>,
    /// Whether it declares one.
    declares: bool,
}

/// The tracks and triggers of both sections; none where neither declares a track.
pub fn read(outline: &Outline<'_>, ledger: &mut Ledger<'_>) -> Option<System> {
    let mut company = System::default();
    let mut lines = Vec::new();
    for (kind, clock) in [(SectionKind::Company, false), (SectionKind::Clocks, true)] {
        let mut last = None;
        for label in labels(outline, kind, ledger) {
            let of_time = moments::moment(&label).is_some() || each::is_passing(&label.folded);
            let declared = if of_time { None } else { tracks::shared(&label, clock, ledger) };
            let declares = declared.is_some();
            if let Some(track) = declared {
                ledger.take(label.span);
                last = Some(track.name.clone());
                add(track, &mut company, ledger);
            }
            lines.push(Line { label, track: last.clone(), declares });
        }
    }
    // What one brings about may move another, wherever that stands.
    for line in &lines {
        if let Some(rest) = moments::read(&line.label, line.track.as_deref(), &company, ledger) {
            ledger.take(line.label.span);
            if ledger.has_room(company.rests.len(), "moments", line.label.span) {
                company.rests.push(rest);
            }
        } else if !line.declares
            && !each::is_passing(&line.label.folded)
            && report_misspelt(&line.label, &moments::LABELS, ledger)
        {
            ledger.take(line.label.span);
        } else if let Some(own) = each::read(&line.label, line.track.as_deref(), &company, ledger) {
            if ledger.has_room(company.passing.len(), "bullets about time", own.span) {
                company.passing.push(own);
            }
        } else if let Some(trigger) = trigger(line, &company, ledger) {
            ledger.take(line.label.span);
            if ledger.has_room(company.triggers.len(), "triggers", line.label.span) {
                company.triggers.push(trigger);
            }
        }
    }
    (!company.tracks.is_empty()).then_some(company)
}

/// The bullets and the rows of tables, in order.
fn labels(outline: &Outline<'_>, kind: SectionKind, ledger: &mut Ledger<'_>) -> Vec<Labelled> {
    let mut labels = Vec::new();
    for block in outline.blocks(kind) {
        match block {
            Block::Bullet(bullet) => labels.extend(labelled(bullet, ledger)),
            Block::Table(table) => {
                let rows = rows(table);
                if !rows.is_empty() {
                    ledger.take(table.span);
                }
                labels.extend(rows);
            }
            Block::Paragraph(_) | Block::Heading(_) | Block::Fence { .. } => {}
        }
    }
    labels
}

/// The rows of a table with the columns Clock and Segments, and perhaps Visibility and Full, each as the bullet that says the same.
fn rows(table: &Table) -> Vec<Labelled> {
    let column = |names: &[&str]| table.header.iter().position(|cell| names.contains(&fold(cell.as_str()).as_str()));
    let (Some(name), Some(size)) = (column(&["clock", "name", "track"]), column(&["segments", "size"])) else {
        return Vec::new();
    };
    let (seen, full) = (column(&["visibility", "seen", "players"]), column(&["full", "when full", "at the end"]));
    let cell = |row: &[Text], at: Option<usize>| at.and_then(|at| row.get(at)).filter(|cell| !cell.is_empty()).cloned();
    let row = |row: &Vec<Text>| {
        let (name, size) = (cell(row, Some(name))?, cell(row, Some(size))?);
        let hidden = cell(row, seen).filter(|cell| is_hidden(cell.as_str()));
        let full = cell(row, full).map_or(String::new(), |full| format!("; full: {}", full.as_str()));
        let hidden = hidden.map_or("", |_| ", hidden");
        let words = format!("{}{hidden}{full}", size.as_str());
        let span = name.span();
        Some(Labelled { folded: fold(name.as_str()), label: name, value: Text::invented(&words, span), span })
    };
    table.rows.iter().filter_map(row).collect()
}

/// Whether words keep a clock from players.
fn is_hidden(words: &str) -> bool {
    ["hidden", "secret", "gm", "no", "gm only"].contains(&fold(words).as_str())
}

fn add(track: Track, company: &mut System, ledger: &mut Ledger<'_>) {
    if same(&track.name, GAME_TIME) {
        ledger.report(
            Diagnostic::warning(codes::DUPLICATE_TRACK, format!("`{}` is what the game itself counts", track.name))
                .at(track.span, "this one is not read")
                .help("give it another name; `- Each hour: 1 more` below it moves it as time passes"),
        );
    } else if let Some(first) = company.tracks.iter().find(|own| same(&own.name, &track.name)) {
        ledger.report(
            Diagnostic::warning(codes::DUPLICATE_TRACK, format!("`{}` is declared twice", track.name))
                .at(track.span, "this one is not read")
                .and(first.span, "declared here first"),
        );
    } else if ledger.has_room(company.tracks.len(), "clocks and shared tracks", track.span) {
        company.tracks.push(track);
    }
}

/// `full: …` behind a track, `- Full: …` and `- At 3: …` below it, `- At 0 supplies: …` anywhere.
fn trigger(line: &Line, company: &System, ledger: &mut Ledger<'_>) -> Option<Trigger> {
    let Line { label, track, .. } = line;
    let own = track.as_ref().and_then(|name| company.track(name).ok());
    if let Some(own) = own.filter(|own| own.span == label.span) {
        let value = triggers::behind_full(label)?;
        return Some(untold(end(own), &value, label.span, company, ledger));
    }
    let of_last = own.and_then(|own| match label.folded.as_str() {
        "full" | "when full" | "when it is full" if own.counts == Direction::Up => Some(end(own)),
        "empty" | "when empty" | "when it is empty" => Some(TriggerWhen::AtZero { track: own.name.clone() }),
        _ => at(own, label.label.as_str()),
    });
    let when = match of_last {
        Some(when) => when,
        None => triggers::when(label, &Names::default(), company, ledger)??,
    };
    if when.track().is_empty() {
        ledger.left_to_gm(label.span, "clocks and shared tracks watch their own numbers alone");
        return None;
    }
    Some(untold(when, &label.value, label.span, company, ledger))
}

/// Its bad end.
fn end(own: &Track) -> TriggerWhen {
    let track = own.name.clone();
    match own.counts {
        Direction::Up => TriggerWhen::Full { track },
        Direction::Down => TriggerWhen::AtZero { track },
    }
}

/// `At 3`.
fn at(own: &Track, label: &str) -> Option<TriggerWhen> {
    let lower = label.to_ascii_lowercase();
    let (value, rest) = range::number(lower.trim().strip_prefix("at ")?)?;
    let track = own.name.clone();
    rest.trim().is_empty().then_some(match value {
        0 => TriggerWhen::AtZero { track },
        value => TriggerWhen::AtValue { track, value },
    })
}

/// Of what triggers name, only conditions of the rules come upon the party; other words are the GM's to tell.
pub fn resolve(system: &mut System) {
    let known: Vec<String> = system.condition_names().map(str::to_owned).collect();
    let Some(company) = &mut system.company else { return };
    for trigger in &mut company.triggers {
        trigger.conditions.retain_mut(|name| match known.iter().find(|own| same(own, name)) {
            Some(own) => {
                name.clone_from(own);
                true
            }
            None => false,
        });
        trigger.also.clear();
    }
}
