//! Tracks, damage, defences, triggers and rests, from the lines of Health, Company and Clocks.

use super::damage::DamageLine;
use super::defence::Defence;
use super::track::{Direction, GAME_TIME, Mark, Soak, Start, Track, constant};
use crate::codes;
use crate::grammar::file::Rule;
use crate::grammar::line::{self, Against, HealthLine, Line};
use crate::grammar::tree::Expr;
use crate::language::ledger::{Ledger, Scope};
use crate::language::lower::{self, Refused};
use crate::language::outline::Outline;
use crate::language::system::System;
use crate::section::SectionKind;
use rollbook_dice::{Formula, parse_formula};
use rollbook_text::diagnostic::{Diagnostic, Span};
use rollbook_text::names::same;

/// Marks of one name; more is a mistake.
const MARKS_MAX: usize = 100;
/// What a clock or a shared track may have at most.
const SHARED_MAX: i64 = 1_000_000;

/// The lines of a section.
pub fn lines<'o>(outline: &'o Outline<'_>, kind: SectionKind) -> impl Iterator<Item = (&'o Rule, &'o HealthLine)> {
    outline.rules(kind).filter_map(|rule| match &rule.line {
        Line::Health(own) => Some((rule, own)),
        _ => None,
    })
}

/// Everything but what happens when.
pub fn read(outline: &Outline<'_>, system: &mut System, ledger: &mut Ledger<'_>) {
    for (rule, own) in lines(outline, SectionKind::Health) {
        let made =
            match own {
                HealthLine::Track(own) => track(own, rule, false, system, ledger)
                    .map(|own| add(&mut system.tracks, own, "tracks", rule, ledger)),
                HealthLine::Soak(own) => {
                    soak(own, rule, ledger).map(|own| add(&mut system.soaks, own, "kinds of marks", rule, ledger))
                }
                HealthLine::Defence(own) => defence(own, rule, system, ledger)
                    .map(|own| add(&mut system.defences, own, "defences", rule, ledger)),
                HealthLine::DamageTypes(all) => {
                    system.damage_types.extend(all.iter().cloned());
                    Ok(())
                }
                HealthLine::HalvingUp(up) => {
                    system.halving_up |= up;
                    Ok(())
                }
                // Only with all tracks is known what it names.
                HealthLine::Damage { .. } | HealthLine::Trigger { .. } => Ok(()),
            };
        lower::reported(made, rule.span, ledger);
    }
    for (rule, own) in lines(outline, SectionKind::Health) {
        let HealthLine::Damage { kind, from } = own else { continue };
        let stages = damage(from, rule, system, ledger);
        let stages = lower::reported(stages, rule.span, ledger);
        let place = ledger.place(rule.span);
        system.damage.extend(stages.map(|stages| DamageLine { kind: kind.clone(), stages, place }));
    }
    let declared = system.tracks.iter().find(|own| !system.takes_score(&own.name)).map(|own| own.span);
    let first = declared.or_else(|| system.soaks.first().map(|own| own.span));
    let is_said = lines(outline, SectionKind::Health).any(|(_, own)| matches!(own, HealthLine::Damage { .. }));
    if let Some(span) = first.filter(|_| !is_said) {
        let name = system.tracks.first().map_or("Hit points", |own| own.name.as_str());
        let help = format!("write `- Damage: {name}`, or `- Damage: none` where a hit takes nothing by itself");
        let message = "no line says what a hit is taken from";
        let found = Diagnostic::warning(codes::NO_DAMAGE, message).at(span, "a hit has to name a track");
        ledger.report(found.help(help));
    }
}

fn add<T>(all: &mut Vec<T>, own: T, kind: &str, rule: &Rule, ledger: &mut Ledger<'_>) {
    if ledger.has_room(all.len(), kind, rule.span) {
        all.push(own);
    }
}

/// The tracks that all share, those of clocks too.
pub fn shared(outline: &Outline<'_>, system: &System, ledger: &mut Ledger<'_>) -> Vec<Track> {
    let mut tracks = Vec::new();
    for (rule, own) in lines(outline, SectionKind::Company).chain(lines(outline, SectionKind::Clocks)) {
        let HealthLine::Track(own) = own else { continue };
        let made = match same(&own.name, GAME_TIME) {
            true => {
                Err(("the game itself counts this", "give it another name; `Each hour: +1` below it moves it").into())
            }
            false => track(own, rule, true, system, ledger)
                .map(|own| add(&mut tracks, own, "clocks and shared tracks", rule, ledger)),
        };
        lower::reported(made, rule.span, ledger);
    }
    tracks
}

/// One track.
fn track(
    own: &line::Track,
    rule: &Rule,
    is_shared: bool,
    system: &System,
    ledger: &mut Ledger<'_>,
) -> Result<Track, Refused> {
    let mut number = |own: &Expr| number_of(own, rule.span, is_shared, system, ledger);
    let (min, max) = (number(&own.min)?, own.max.as_ref().map(&mut number).transpose()?);
    let start = match &own.start {
        Start::At(start) => Start::At(number(start)?),
        Start::Full => Start::Full,
        Start::Empty => Start::Empty,
    };
    if own.hidden && !is_shared {
        Err(("a character's track is not hidden", "take `hidden` away"))?;
    }
    if own.keeps_larger && is_shared {
        Err(("only a character's track keeps the larger", "take `keeps larger` away"))?;
    }
    let line::Track { counts, hidden, keeps_larger, .. } = *own;
    let (name, place) = (own.name.clone(), ledger.place(rule.span));
    Ok(Track {
        name,
        max,
        min,
        start,
        counts,
        hidden,
        keeps_larger,
        clock: rule.section == SectionKind::Clocks,
        place,
        span: rule.span,
    })
}

/// A number of a track: without dice; of what all share one for all.
fn number_of(
    own: &Expr,
    span: Span,
    is_shared: bool,
    system: &System,
    ledger: &mut Ledger<'_>,
) -> Result<Formula, Refused> {
    let formula = lower::without_dice(own, &system.own_dice, (span, Scope::Sheet), ledger)?;
    let fits = |number: i64| (-SHARED_MAX..=SHARED_MAX).contains(&number);
    if is_shared && !constant(&formula).is_some_and(fits) {
        Err(("what all share has one number for all", "write a number, at most 1000000"))?;
    }
    Ok(formula)
}

/// Marks of one name are one kind.
fn soak(own: &line::Soak, rule: &Rule, ledger: &Ledger<'_>) -> Result<Soak, Refused> {
    if own.marks.len() > MARKS_MAX {
        Err((format!("these are more than {MARKS_MAX} marks"), "leave some out"))?;
    }
    let mut marks: Vec<Mark> = Vec::new();
    for (name, worth) in &own.marks {
        let track = format!("{} ({name})", own.name);
        match marks.iter_mut().find(|mark| same(&mark.track, &track)) {
            Some(mark) => mark.count += 1,
            None => marks.push(Mark { track, count: 1, worth: *worth }),
        }
    }
    marks.sort_by_key(|mark| mark.worth);
    let (name, place) = (own.name.clone(), ledger.place(rule.span));
    Ok(Soak { name, marks, one_a_hit: own.one_a_hit, place, span: rule.span })
}

/// What a hit is taken from. Each attribute in it is kept as a track of what is left of it.
fn damage(
    from: &[Vec<String>],
    rule: &Rule,
    system: &mut System,
    ledger: &mut Ledger<'_>,
) -> Result<Vec<Vec<String>>, Refused> {
    let mut stages: Vec<Vec<String>> = Vec::new();
    for stage in from {
        stages.push(Vec::new());
        for name in stage {
            let track = system.tracks.iter().find(|track| same(&track.name, name)).map(|track| track.name.clone());
            let soak = || system.soak(name).map(|soak| soak.name.clone());
            let own = track.or_else(soak).or_else(|| attribute(name, rule, system, ledger));
            let own = own.ok_or_else(|| (lower::no_track(name, &system.names), "name a track of this section"))?;
            if stages.iter().flatten().any(|other| *other == own) {
                Err((format!("`{own}` stands here twice"), "name each once"))?;
            }
            stages.last_mut().into_iter().for_each(|stage| stage.push(own.clone()));
        }
    }
    let soaks = |stage: &Vec<String>| stage.iter().filter(|name| system.soak(name).is_some()).count();
    let first_soak = stages.iter().position(|stage| soaks(stage) > 0);
    let last_track = stages.iter().rposition(|stage| soaks(stage) < stage.len());
    if first_soak.zip(last_track).is_some_and(|(soak, track)| soak <= track) {
        let why = "marks that soak take a hit whole or not at all, so nothing is left for what stands behind them";
        Err((why, "let them stand last, and no track beside them"))?;
    }
    Ok(stages)
}

/// The track of what is left of an attribute, which is made where there is none.
fn attribute(name: &str, rule: &Rule, system: &mut System, ledger: &mut Ledger<'_>) -> Option<String> {
    let name = system.named_attribute(name)?.name.clone();
    if system.tracks.iter().any(|own| own.name == name) {
        return Some(name);
    }
    if !ledger.has_room(system.tracks.len(), "tracks", rule.span) {
        return None;
    }
    let (max, min) = (parse_formula(&format!("{{{name} score}}")).ok(), parse_formula("0").ok()?);
    let (start, counts, place) = (Start::Full, Direction::Down, ledger.place(rule.span));
    let (hidden, keeps_larger, clock) = (false, false, false);
    let track =
        Track { name: name.clone(), max, min, start, counts, hidden, keeps_larger, clock, place, span: rule.span };
    system.tracks.push(track);
    system.damaged_scores.push(name.clone());
    Some(name)
}

fn defence(
    own: &line::Defence<Expr>,
    rule: &Rule,
    system: &System,
    ledger: &mut Ledger<'_>,
) -> Result<Defence, Refused> {
    let mut number = |own: &Expr| number_of(own, rule.span, false, system, ledger);
    let does = match &own.does {
        Against::Subtract(amount) => Against::Subtract(number(amount)?),
        Against::Times(amount) => Against::Times(number(amount)?),
        Against::IgnoreUnder(amount) => Against::IgnoreUnder(number(amount)?),
        Against::Half => Against::Half,
        Against::Double => Against::Double,
        Against::None => Against::None,
    };
    let least = own.least.as_ref().map(number).transpose()?;
    let line::Defence { name, from, except, for_all, .. } = own.clone();
    Ok(Defence { rule: line::Defence { name, does, from, except, for_all, least }, place: ledger.place(rule.span) })
}
