//! What goes down when a character is hurt, or up when they are harried.

use std::collections::HashMap;

use crate::diagnostic::{Diagnostic, Place, Span};
use crate::dice::{Formula, parse_formula};
use crate::names::{fold, same};
use crate::rules::codes;
use crate::rules::document::Text;
use crate::rules::language::declaration::bracketed;
use crate::rules::language::labels::{Labelled, labelled};
use crate::rules::language::ledger::{Ledger, Scope};
use crate::rules::language::names::Names;
use crate::rules::language::outline::Outline;
use crate::rules::language::{formula, plain, range};
use crate::rules::section::SectionKind;

/// A number that play moves: hit points, stress, momentum.
#[derive(Debug, Clone, PartialEq)]
pub struct Track {
    /// Name as the author writes it.
    pub name: String,
    /// Highest value, over a character's attributes and level; none when there is no top.
    pub max: Option<Formula>,
    /// Lowest value.
    pub min: i64,
    /// Where it begins.
    pub start: Start,
    /// Which way is worse.
    pub counts: Direction,
    /// Players do not see it: of clocks and shared tracks alone.
    pub hidden: bool,
    /// It is a clock.
    pub clock: bool,
    /// It is counted in ticks or segments: progress, not harm.
    pub progress: bool,
    /// Where it is declared.
    pub place: Place,
    /// Where it is declared, in bytes.
    pub span: Span,
}

/// Where a track begins.
#[derive(Debug, Clone, PartialEq)]
pub enum Start {
    /// At its maximum.
    Full,
    /// At its minimum.
    Empty,
    /// At this value.
    At(Formula),
}

/// Which way a track moves when things get worse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Hit points: damage takes away.
    Down,
    /// Stress: harm adds.
    Up,
}

/// Names of pools that an expression alone declares: `- Hit points: 10 + CON modifier`.
const POOLS: [&str; 12] = [
    "hit points",
    "hp",
    "health",
    "wounds",
    "vitality",
    "stamina",
    "sanity",
    "stress",
    "mana",
    "endurance",
    "life",
    "hits",
];

/// Reads every bullet that has the shape of a track.
pub fn read(outline: &Outline<'_>, names: &Names, ledger: &mut Ledger<'_>) -> Vec<Track> {
    let mut tracks: Vec<Track> = Vec::new();
    let mut taken: HashMap<String, Span> = HashMap::new();
    for bullet in outline.bullets(SectionKind::Health) {
        let Some(label) = labelled(bullet, ledger) else {
            continue;
        };
        let Some(track) = track(&label, names, ledger) else {
            continue;
        };
        ledger.take(label.span);
        if let Some(first) = taken.get(&fold(&track.name)) {
            ledger.report(
                Diagnostic::warning(codes::DUPLICATE_TRACK, format!("the track `{}` is declared twice", track.name))
                    .at(track.span, "this track is not read")
                    .and(*first, "declared here first"),
            );
        } else if ledger.has_room(tracks.len(), "tracks", track.span) {
            taken.insert(fold(&track.name), track.span);
            tracks.push(track);
        }
    }
    if tracks.is_empty() {
        tracks.extend(in_prose(outline, names, ledger));
    }
    tracks
}

/// Whether a bullet has the shape of a track.
pub fn is_track(label: &Labelled, names: &Names) -> bool {
    let value = label.value.as_str();
    after_max(&label.value).is_some()
        || boxes(value).is_some()
        || is_span(value)
        || is_pool(label, names)
        || boxes_by_number(&label.value, names).is_some()
}

fn track(label: &Labelled, names: &Names, ledger: &mut Ledger<'_>) -> Option<Track> {
    let parts = parts(&label.value);
    let (first, others) = parts.split_first()?;
    let value = first.as_str();
    let mut track = plain(label, ledger);
    if let Some(max) = after_max(first) {
        track.max = Some(formula::read(&max, names, Scope::Character, ledger)?);
    } else if let Some(count) = boxes(value) {
        track.max = Some(constant(count)?);
        track.start = Start::Empty;
        track.counts = Direction::Up;
        let lower = value.to_ascii_lowercase();
        track.progress = lower.ends_with("segments") || lower.ends_with("ticks");
    } else if let Some((low, high)) = range::range(value).filter(|_| is_span(value)) {
        track.min = low;
        track.max = Some(constant(high)?);
    } else if is_pool(label, names) {
        track.max = Some(formula::read(first, names, Scope::Character, ledger)?);
    } else if let Some(count) = boxes_by_number(&label.value, names) {
        track.max = Some(formula::whole(&count, names, Scope::Character, ledger)?);
        track.start = Start::Empty;
        track.counts = Direction::Up;
    } else {
        return None;
    }
    for part in others.iter().take_while(|part| !is_trigger(part)) {
        refine(&mut track, part, names, ledger);
    }
    settle(&mut track, others, ledger);
    Some(track)
}

/// Names of what fills up as things get worse.
const HARM: [&str; 24] = [
    "bruises",
    "burnout",
    "corruption",
    "damage",
    "doom",
    "exhaustion",
    "fatigue",
    "fear",
    "harm",
    "heat",
    "hunger",
    "injuries",
    "insanity",
    "madness",
    "panic",
    "shock",
    "strain",
    "stress",
    "stun",
    "taint",
    "terror",
    "trauma",
    "wear",
    "wounds",
];

/// Where of start and direction one alone is said: what fills up starts empty, and harm that starts empty fills up.
fn settle(track: &mut Track, parts: &[Text], ledger: &mut Ledger<'_>) {
    let says = |words: &[&str]| parts.iter().any(|part| words.iter().any(|own| fold(part.as_str()).starts_with(own)));
    let (starts, counts) = (says(&["start"]), says(&["counts up", "counts down"]));
    if counts && !starts && track.counts == Direction::Up {
        track.start = Start::Empty;
    }
    let low = |formula: &Formula| formula.bind(&mut |_| None).ok().and_then(|own| own.constant()) == Some(track.min);
    let empty = match &track.start {
        Start::Empty => true,
        Start::At(formula) => low(formula),
        Start::Full => false,
    };
    let is_harm = fold(&track.name).split(' ').any(|word| HARM.contains(&word));
    if starts && !counts && empty && is_harm && track.counts == Direction::Down {
        track.counts = Direction::Up;
        let name = &track.name;
        let text =
            format!("{name} starts empty and fills up; where it is spent instead, write `counts down` behind it");
        ledger.assume(text, Some(track.place.clone()));
    }
}

/// The parts of a track: `max half of {CON}, rounded up` is one of them.
fn parts(value: &Text) -> Vec<Text> {
    let mut parts = value.split_all(&[",", ";"]);
    if let [_, second, ..] = parts.as_slice()
        && fold(second.as_str()).starts_with("round")
        && let Some(at) = value.as_str().find(second.as_str())
    {
        let whole = value.slice(0..at + second.as_str().len());
        parts.splice(0..2, [whole]);
    }
    parts
}

/// A track without a maximum.
fn plain(label: &Labelled, ledger: &Ledger<'_>) -> Track {
    Track {
        name: label.label.as_str().to_owned(),
        max: None,
        min: 0,
        start: Start::Full,
        counts: Direction::Down,
        hidden: false,
        clock: false,
        progress: false,
        place: ledger.place(label.span),
        span: label.span,
    }
}

/// What a clock or a shared track may have at most.
const SHARED_MAX: i64 = 1_000_000;

/// A clock or a shared track: `6 segments`, a number alone, `from -3 to 3, start 0`, `start 20` without an end; `hidden` behind it.
/// A number alone fills up where it is a clock's, and is used up where it is another's.
pub fn shared(label: &Labelled, clock: bool, ledger: &mut Ledger<'_>) -> Option<Track> {
    let parts = label.value.split_all(&[",", ";"]);
    let (first, others) = parts.split_first()?;
    let (size, bracket) = bracketed(first);
    let words = size.as_str();
    let mut track = Track { clock, ..plain(label, ledger) };
    let open_ended = after_start(&size).is_some() || lowest(words).is_some();
    if let Some((count, fills)) = counted(words, clock) {
        track.max = Some(constant(count)?);
        if fills {
            (track.start, track.counts) = (Start::Empty, Direction::Up);
        }
    } else if let Some((low, high)) = range::range(words).filter(|_| is_span(words)) {
        (track.min, track.max) = (low, Some(constant(high)?));
    } else if let Some(max) = highest(&size) {
        track.max = Some(constant(max)?);
    } else if open_ended {
        track.start = Start::Empty;
        refine(&mut track, &size, &Names::default(), ledger);
    } else {
        return None;
    }
    for part in bracket.iter().chain(others).take_while(|part| !is_trigger(part)) {
        match ["hidden", "secret", "gm only"].contains(&fold(part.as_str()).as_str()) {
            true => track.hidden = true,
            false => refine(&mut track, part, &Names::default(), ledger),
        }
    }
    settle(&mut track, others, ledger);
    Some(track)
}

/// `6 segments`, `10`; whether it fills up.
fn counted(words: &str, clock: bool) -> Option<(i64, bool)> {
    let (count, rest) = range::number(words)?;
    let fills = match fold(rest).as_str() {
        "" | "points" | "point" | "uses" => clock,
        "segments" | "segment" | "segment clock" | "boxes" | "box" | "ticks" | "tick" | "steps" | "step" => true,
        _ => return None,
    };
    (1..=SHARED_MAX).contains(&count).then_some((count, fills))
}

/// `max 12`
fn highest(size: &Text) -> Option<i64> {
    let max = after_max(size)?;
    range::number(max.as_str()).filter(|(_, rest)| rest.is_empty()).map(|(max, _)| max)
}

/// `from 0`
fn lowest(words: &str) -> Option<i64> {
    words.strip_prefix("from ").and_then(range::number).filter(|(_, rest)| rest.is_empty()).map(|(min, _)| min)
}

/// `full: trauma`; what stands behind it belongs to it.
fn is_trigger(part: &Text) -> bool {
    part.split_at_any(&[":"]).is_some_and(|(name, _)| same(name.as_str(), "full"))
}

/// What stands behind the first comma: where it begins and ends. Unknown parts are triggers, or the GM's.
fn refine(track: &mut Track, part: &Text, names: &Names, ledger: &mut Ledger<'_>) {
    let folded = fold(part.as_str());
    match folded.as_str() {
        "starts full" | "start full" => track.start = Start::Full,
        "starts empty" | "start empty" => track.start = Start::Empty,
        "counts up" => track.counts = Direction::Up,
        "counts down" => track.counts = Direction::Down,
        _ => {
            if let Some(min) = lowest(part.as_str()) {
                track.min = min;
            } else if let Some(start) = after_start(part)
                && let Some(formula) = formula::read(&start, names, Scope::Character, ledger)
            {
                track.start = Start::At(formula);
            } else {
                ledger.left_to_gm(part.span(), "not read as part of this track");
            }
        }
    }
}

fn after_max(value: &Text) -> Option<Text> {
    after(value, &["maximum of ", "maximum ", "max of ", "max "])
}

fn after_start(part: &Text) -> Option<Text> {
    after(part, &["starts at ", "start at ", "starts ", "start "])
}

fn after(value: &Text, openings: &[&str]) -> Option<Text> {
    let words = value.as_str();
    let opening = openings
        .iter()
        .find(|opening| words.get(..opening.len()).is_some_and(|start| start.eq_ignore_ascii_case(opening)))?;
    Some(value.slice(opening.len()..words.len()).trim())
}

/// `9 boxes`
fn boxes(value: &str) -> Option<i64> {
    let first = value.split([',', ';', '(']).next()?;
    let (count, rest) = range::number(first)?;
    let is_boxes = matches!(rest.trim().to_lowercase().as_str(), "boxes" | "box" | "segments" | "ticks");
    (is_boxes && count > 0).then_some(count)
}

/// `twice {STR} boxes`: the number before the last word.
fn boxes_by_number(value: &Text, names: &Names) -> Option<Text> {
    let first = parts(value).into_iter().next()?;
    let words = first.as_str();
    let lower = words.to_ascii_lowercase();
    if let Some(opening) = ["boxes equal to ", "as many boxes as "].into_iter().find(|own| lower.starts_with(own)) {
        let count = first.slice(opening.len()..words.len()).trim();
        return formula::is_whole(&count, names).then_some(count);
    }
    // `8 + half STR boxes, rounded up`
    let rounding = lower.find(", round").map_or("", |at| words.get(at..).unwrap_or_default());
    let bare = lower.get(..lower.len() - rounding.len()).unwrap_or_default();
    let end =
        [" boxes", " box", " segments", " ticks"].iter().find_map(|unit| bare.strip_suffix(unit).map(str::len))?;
    let count = first.slice(0..end).trim();
    let count = match rounding {
        "" => count,
        rounding => Text::invented(&format!("{}{rounding}", count.as_str()), first.span()),
    };
    formula::is_whole(&count, names).then_some(count)
}

/// `from -6 to 10`
fn is_span(value: &str) -> bool {
    let first = value.split([',', ';', '(']).next().unwrap_or_default();
    first.to_lowercase().starts_with("from ") && range::range(first).is_some()
}

/// A pool's name with an expression alone.
fn is_pool(label: &Labelled, names: &Names) -> bool {
    if !POOLS.contains(&label.folded.as_str()) {
        return false;
    }
    parts(&label.value).first().is_some_and(|first| {
        let code = first.codes();
        let all_code = code.first().is_some_and(|code| code.as_str() == first.as_str());
        all_code || plain::whole(first.as_str(), names).is_some()
    })
}

/// "Everyone has hit points (10 + CON modifier)", when no bullet declares a track.
fn in_prose(outline: &Outline<'_>, names: &Names, ledger: &mut Ledger<'_>) -> Option<Track> {
    let prose = outline.paragraphs(SectionKind::Health).chain(outline.paragraphs(SectionKind::Combat));
    for text in prose {
        let words = text.as_str();
        for (at, name) in words.to_ascii_lowercase().match_indices("hit points") {
            let rest = words.get(at + name.len()..).unwrap_or_default();
            let trimmed = rest.trim_start_matches([' ', '(', ':', '=']);
            let start = at + name.len() + (rest.len() - trimmed.len());
            let Some(found) = plain::expression_at(words, start, names) else {
                continue;
            };
            let Ok(max) = parse_formula(&found.notation) else {
                continue;
            };
            let span = text.span_of(at..found.at.end);
            let place = ledger.place(span);
            ledger.take(span);
            ledger.assume(format!("hit points start at {max} and count down to 0"), Some(place.clone()));
            return Some(pool("Hit points", max, span, place));
        }
    }
    None
}

fn pool(name: &str, max: Formula, span: Span, place: crate::diagnostic::Place) -> Track {
    let (start, counts) = (Start::Full, Direction::Down);
    let (hidden, clock, progress) = (false, false, false);
    Track { name: name.to_owned(), max: Some(max), min: 0, start, counts, hidden, clock, progress, place, span }
}

fn constant(number: i64) -> Option<Formula> {
    parse_formula(&number.to_string()).ok()
}
