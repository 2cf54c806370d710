//! Fights, round by round: hit points as a chart and a table, then what was done.

use super::story::hidden;
use crate::report::document::{Block, Inline, Item, Section, Table};
use crate::report::document::{Chart, Kind, Line};
use crate::report::facts::Gathered;
use crate::report::facts::fights::{Combatant, Deed, Fight, Round, Vitals};
use rollbook_game::view::Audience;
use rollbook_game::view::number::Numbers;
use rollbook_text::names::counted;

/// Lines of a chart; with more nobody could tell them apart.
const LINES_MAX: usize = 8;

pub fn section(gathered: &Gathered, audience: Audience) -> Section {
    let mut blocks = Vec::new();
    let fights = &gathered.fights;
    if fights.left_out > 0 {
        let left_out = counted(
            fights.left_out as u64,
            "earlier fight is",
            "earlier fights are",
        );
        blocks.push(Block::text(format!("{left_out} left out for room.")));
    }
    if fights.fights.is_empty() {
        blocks.push(Block::text("Nobody fought."));
    }
    for (nth, fight) in (1..).zip(&fights.fights) {
        let undone = gathered.undone.holds(fight.seq);
        let title = title(fight, nth, fights.fights.len());
        blocks.push(Block::Heading(if undone {
            format!("{title} (taken back)")
        } else {
            title.clone()
        }));
        blocks.push(outcome(fight, gathered));
        blocks.extend(health(fight, &title, audience, gathered));
        if fight.bare {
            blocks.push(Block::text(
                "Some of what was done is left out for room; a report of that session has it.",
            ));
        }
        for round in fight.rounds.iter().filter(|round| !round.deeds.is_empty()) {
            let name = if round.number == 0 {
                "Before the first turn".to_owned()
            } else {
                format!("Round {}", round.number)
            };
            blocks.push(Block::Subheading(name));
            blocks.push(Block::List(deeds(round, gathered)));
        }
    }
    Section {
        id: "fights",
        title: "Fights",
        blocks,
    }
}

/// "The Mess", or the first, second fight.
fn title(fight: &Fight, nth: usize, all: usize) -> String {
    match &fight.title {
        Some(title) => title.clone(),
        None if all == 1 => "The fight".to_owned(),
        None => format!("Fight {nth}"),
    }
}

fn outcome(fight: &Fight, gathered: &Gathered) -> Block {
    let is_of = gathered
        .sessions
        .iter()
        .any(|(number, _)| *number == fight.session);
    let (began, here) = if is_of {
        (String::new(), "")
    } else {
        (format!(", in session {}", fight.session), " here")
    };
    let rounds = match fight.rounds() {
        0 => String::new(),
        rounds => format!(" {}{here}.", counted(u64::from(rounds), "round", "rounds")),
    };
    let end = match fight.end(&gathered.undone) {
        Some(Some(outcome)) => format!(" It ended: {}.", outcome.trim_end_matches('.')),
        Some(None) => " It is over.".to_owned(),
        None if gathered.undone.holds(fight.seq) => String::new(),
        None => " It goes on.".to_owned(),
    };
    if fight.cut {
        let what = "Its beginning is not in this log; what is known of it begins with ";
        return Block::Paragraph(vec![
            Inline::text(what),
            Inline::Entry(fight.number),
            Inline::text(format!(".{rounds}{end}")),
        ]);
    }
    let rest = Inline::text(format!("{began}.{rounds}{end}"));
    Block::Paragraph(vec![
        Inline::text("It began with "),
        Inline::Entry(fight.number),
        rest,
    ])
}

fn deeds(round: &Round, gathered: &Gathered) -> Vec<Item> {
    let mut before: Option<Numbers> = None;
    let item = |deed: &Deed| {
        let mut parts = vec![Inline::text(&deed.text)];
        if let Some(from) = deed.from.filter(|from| before != Some(*from)) {
            parts.extend([
                Inline::text(" Rolled in "),
                Inline::Entry(from),
                Inline::text("."),
            ]);
        }
        parts.extend(deed.hidden.then(hidden));
        before = Some(deed.number);
        Item {
            entry: Some(deed.number),
            parts,
            undone: gathered.undone.holds(deed.seq),
            nested: deed.follows,
        }
    };
    round.deeds.iter().map(item).collect()
}

/// How all were at each round's end, as lines and a table. Hidden things move no figure.
fn health(fight: &Fight, title: &str, audience: Audience, gathered: &Gathered) -> Vec<Block> {
    let as_far = match audience {
        Audience::Gm => "",
        Audience::Player => ", as far as players were told",
    };
    let known: Vec<&Combatant> = fight
        .people
        .iter()
        .filter(|person| person.is_hurt(&gathered.undone))
        .collect();
    let places: Vec<String> = fight
        .rounds
        .iter()
        .map(|round| {
            if round.number == 0 {
                "Start".to_owned()
            } else {
                round.number.to_string()
            }
        })
        .collect();
    let places: Vec<String> = places
        .into_iter()
        .take(
            known
                .iter()
                .map(|person| person.vitals.len())
                .max()
                .unwrap_or(0),
        )
        .collect();
    if known.is_empty() || places.is_empty() {
        return Vec::new();
    }
    let columns: Vec<String> = std::iter::once("Who".to_owned())
        .chain(places.iter().map(|place| {
            if place == "Start" {
                place.clone()
            } else {
                format!("Round {place}")
            }
        }))
        .collect();
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let mut table = Table::of(
        format!("{title}: how those who were hurt stood at the end of each round{as_far}"),
        &columns,
    );
    for person in &known {
        let mut row = vec![person.name.clone()];
        row.extend((0..places.len()).map(|place| {
            person
                .vitals
                .get(place)
                .copied()
                .flatten()
                .map_or("–".to_owned(), words)
        }));
        table.rows.push(row);
    }
    let lines: Vec<Line> = known
        .iter()
        .filter_map(|person| line(person, places.len()))
        .take(LINES_MAX)
        .collect();
    let mut blocks = Vec::new();
    if !lines.is_empty() && places.len() > 1 {
        let names: Vec<&str> = lines.iter().map(|line| line.name.as_str()).collect();
        blocks.push(Block::Chart(Chart {
            title: format!("{title}: hit points over the rounds{as_far}"),
            summary: format!(
                "A line each for {}; the table below has the figures.",
                names.join(", ")
            ),
            kind: Kind::Lines { places, lines },
        }));
    }
    blocks.push(Block::Table(table));
    blocks
}

fn words(vitals: Vitals) -> String {
    match vitals {
        Vitals::Points(points) => points.to_string(),
        Vitals::Word(health) => health.as_str().to_owned(),
    }
}

fn line(person: &Combatant, places: usize) -> Option<Line> {
    let value = |vitals: &Vitals| match vitals {
        Vitals::Points(points) => Some(points.value as f64),
        Vitals::Word(_) => None,
    };
    let values: Vec<Option<f64>> = (0..places)
        .map(|place| {
            person
                .vitals
                .get(place)
                .and_then(Option::as_ref)
                .and_then(value)
        })
        .collect();
    values.iter().any(Option::is_some).then(|| Line {
        name: person.name.clone(),
        values,
    })
}
