//! Tracks, marks, damage and defences from the lines of Health, Company and Clocks.

use super::damage::DamageLine;
use super::defence::Defence;
use super::track::{Direction, GAME_TIME, Mark, Soak, Start, Track, constant};
use crate::codes;
use crate::grammar::file::Rule;
use crate::grammar::line::{self, Against, HealthLine, Line};
use crate::grammar::tree::Expr;
use crate::language::ledger::{Ledger, Scope};
use crate::language::lowering::{self, Refused};
use crate::language::outline::Outline;
use crate::language::system::System;
use crate::section::SectionKind;
use rollbook_dice::{Formula, parse_formula};
use rollbook_text::diagnostic::{Diagnostic, Span};
use rollbook_text::names::same;

/// The most marks of one name.
const MARKS_MAX: usize = 100;
/// The highest number of a clock or a shared track.
const SHARED_MAX: i64 = 1_000_000;

/// The lines of a section.
pub fn lines<'o>(
    outline: &'o Outline<'_>,
    kind: SectionKind,
) -> impl Iterator<Item = (&'o Rule, &'o HealthLine)> {
    outline.rules(kind).filter_map(|rule| match &rule.line {
        Line::Health(line) => Some((rule, line)),
        _ => None,
    })
}

/// Reads everything but triggers.
pub fn read(outline: &Outline<'_>, system: &mut System, ledger: &mut Ledger<'_>) {
    for (rule, line) in lines(outline, SectionKind::Health) {
        let made = match line {
            HealthLine::Track(declared) => track(declared, rule, false, system, ledger)
                .map(|made| add(&mut system.tracks, made, "tracks", rule, ledger)),
            HealthLine::Soak(declared) => soak(declared, rule, ledger)
                .map(|made| add(&mut system.soaks, made, "kinds of marks", rule, ledger)),
            HealthLine::Defence(declared) => defence(declared, rule, system, ledger)
                .map(|made| add(&mut system.defences, made, "defences", rule, ledger)),
            HealthLine::DamageTypes(all) => {
                system.damage_types.extend(all.iter().cloned());
                Ok(())
            }
            HealthLine::HalvingUp(up) => {
                system.halving_up |= up;
                Ok(())
            }
            // These name tracks, and are read when all tracks are known.
            HealthLine::Damage { .. } | HealthLine::Trigger { .. } => Ok(()),
        };
        lowering::report_refused(made, rule.span, ledger);
    }
    for (rule, line) in lines(outline, SectionKind::Health) {
        let HealthLine::Damage { kind, from } = line else {
            continue;
        };
        let stages = damage(from, rule, system, ledger);
        let stages = lowering::report_refused(stages, rule.span, ledger);
        let place = ledger.place(rule.span);
        system.damage.extend(stages.map(|stages| DamageLine {
            kind: kind.clone(),
            stages,
            place,
        }));
    }
    let declared = system
        .tracks
        .iter()
        .find(|track| !system.damage_lowers(&track.name))
        .map(|track| track.span);
    let first = declared.or_else(|| system.soaks.first().map(|soak| soak.span));
    let has_line = lines(outline, SectionKind::Health)
        .any(|(_, line)| matches!(line, HealthLine::Damage { .. }));
    if let Some(span) = first.filter(|_| !has_line) {
        let name = system
            .tracks
            .first()
            .map_or("Hit points", |track| track.name.as_str());
        let help = format!(
            "write `- Damage: {name}`, or `- Damage: none` where a hit takes nothing by itself"
        );
        let message = "no line says what a hit is taken from";
        let found =
            Diagnostic::warning(codes::NO_DAMAGE, message).at(span, "a hit has to name a track");
        ledger.report(found.help(help));
    }
}

fn add<T>(all: &mut Vec<T>, item: T, kind: &str, rule: &Rule, ledger: &mut Ledger<'_>) {
    if ledger.has_room(all.len(), kind, rule.span) {
        all.push(item);
    }
}

/// The company's tracks, with clocks.
pub fn shared(outline: &Outline<'_>, system: &System, ledger: &mut Ledger<'_>) -> Vec<Track> {
    let mut tracks = Vec::new();
    for (rule, line) in
        lines(outline, SectionKind::Company).chain(lines(outline, SectionKind::Clocks))
    {
        let HealthLine::Track(declared) = line else {
            continue;
        };
        let made = match same(&declared.name, GAME_TIME) {
            true => Err((
                "the game itself counts this",
                "give it another name; `Each hour: +1` below it moves it",
            )
                .into()),
            false => track(declared, rule, true, system, ledger)
                .map(|made| add(&mut tracks, made, "clocks and shared tracks", rule, ledger)),
        };
        lowering::report_refused(made, rule.span, ledger);
    }
    tracks
}

/// One track.
fn track(
    declared: &line::Track,
    rule: &Rule,
    is_shared: bool,
    system: &System,
    ledger: &mut Ledger<'_>,
) -> Result<Track, Refused> {
    let mut number = |expr: &Expr| number_of(expr, rule.span, is_shared, system, ledger);
    let (min, max) = (
        number(&declared.min)?,
        declared.max.as_ref().map(&mut number).transpose()?,
    );
    let start = match &declared.start {
        Start::At(start) => Start::At(number(start)?),
        Start::Full => Start::Full,
        Start::Empty => Start::Empty,
    };
    if declared.hidden && !is_shared {
        Err(("a character's track is not hidden", "take `hidden` away"))?;
    }
    if declared.keeps_larger && is_shared {
        Err((
            "only a character's track keeps the larger",
            "take `keeps larger` away",
        ))?;
    }
    let line::Track {
        counts,
        hidden,
        keeps_larger,
        ..
    } = *declared;
    let (name, place) = (declared.name.clone(), ledger.place(rule.span));
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

/// A number of a track: without dice, and constant for shared tracks.
fn number_of(
    expr: &Expr,
    span: Span,
    is_shared: bool,
    system: &System,
    ledger: &mut Ledger<'_>,
) -> Result<Formula, Refused> {
    let formula =
        lowering::formula_without_dice(expr, &system.named_dice, (span, Scope::Sheet), ledger)?;
    let fits = |number: i64| (-SHARED_MAX..=SHARED_MAX).contains(&number);
    if is_shared && !constant(&formula).is_some_and(fits) {
        Err((
            "what all share has one number for all",
            "write a number, at most 1000000",
        ))?;
    }
    Ok(formula)
}

/// Marks with the same name are joined.
fn soak(declared: &line::Soak, rule: &Rule, ledger: &Ledger<'_>) -> Result<Soak, Refused> {
    if declared.marks.len() > MARKS_MAX {
        Err((
            format!("these are more than {MARKS_MAX} marks"),
            "leave some out",
        ))?;
    }
    let mut marks: Vec<Mark> = Vec::new();
    for (name, worth) in &declared.marks {
        let track = format!("{} ({name})", declared.name);
        match marks.iter_mut().find(|mark| same(&mark.track, &track)) {
            Some(mark) => mark.count += 1,
            None => marks.push(Mark {
                track,
                count: 1,
                worth: *worth,
            }),
        }
    }
    marks.sort_by_key(|mark| mark.worth);
    let (name, place) = (declared.name.clone(), ledger.place(rule.span));
    Ok(Soak {
        name,
        marks,
        one_a_hit: declared.one_a_hit,
        place,
        span: rule.span,
    })
}

/// What a hit is taken from. Each attribute in it becomes a track of what is left.
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
            let track = system
                .tracks
                .iter()
                .find(|track| same(&track.name, name))
                .map(|track| track.name.clone());
            let soak = || system.soak(name).map(|soak| soak.name.clone());
            let member = track
                .or_else(soak)
                .or_else(|| attribute(name, rule, system, ledger));
            let member = member.ok_or_else(|| {
                (
                    lowering::no_track(name, &system.names),
                    "name a track of this section",
                )
            })?;
            if stages.iter().flatten().any(|other| *other == member) {
                Err((format!("`{member}` stands here twice"), "name each once"))?;
            }
            stages
                .last_mut()
                .into_iter()
                .for_each(|stage| stage.push(member.clone()));
        }
    }
    let soaks = |stage: &Vec<String>| {
        stage
            .iter()
            .filter(|name| system.soak(name).is_some())
            .count()
    };
    let first_soak = stages.iter().position(|stage| soaks(stage) > 0);
    let last_track = stages.iter().rposition(|stage| soaks(stage) < stage.len());
    if first_soak
        .zip(last_track)
        .is_some_and(|(soak, track)| soak <= track)
    {
        let why = "marks that soak take a hit whole or not at all, so nothing is left for what stands behind them";
        Err((why, "let them stand last, and no track beside them"))?;
    }
    Ok(stages)
}

/// The track of what is left of an attribute, made where there is none.
fn attribute(
    name: &str,
    rule: &Rule,
    system: &mut System,
    ledger: &mut Ledger<'_>,
) -> Option<String> {
    let name = system.named_attribute(name)?.name.clone();
    if system.tracks.iter().any(|track| track.name == name) {
        return Some(name);
    }
    if !ledger.has_room(system.tracks.len(), "tracks", rule.span) {
        return None;
    }
    let (max, min) = (
        parse_formula(&format!("{{{name} score}}")).ok(),
        parse_formula("0").ok()?,
    );
    let (start, counts, place) = (Start::Full, Direction::Down, ledger.place(rule.span));
    let (hidden, keeps_larger, clock) = (false, false, false);
    let track = Track {
        name: name.clone(),
        max,
        min,
        start,
        counts,
        hidden,
        keeps_larger,
        clock,
        place,
        span: rule.span,
    };
    system.tracks.push(track);
    system.damaged_scores.push(name.clone());
    Some(name)
}

fn defence(
    declared: &line::Defence<Expr>,
    rule: &Rule,
    system: &System,
    ledger: &mut Ledger<'_>,
) -> Result<Defence, Refused> {
    let mut number = |expr: &Expr| number_of(expr, rule.span, false, system, ledger);
    let does = match &declared.does {
        Against::Subtract(amount) => Against::Subtract(number(amount)?),
        Against::Times(amount) => Against::Times(number(amount)?),
        Against::IgnoreUnder(amount) => Against::IgnoreUnder(number(amount)?),
        Against::Half => Against::Half,
        Against::Double => Against::Double,
        Against::None => Against::None,
    };
    let least = declared.least.as_ref().map(number).transpose()?;
    let line::Defence {
        name,
        from,
        except,
        for_all,
        ..
    } = declared.clone();
    Ok(Defence {
        rule: line::Defence {
            name,
            does,
            from,
            except,
            for_all,
            least,
        },
        place: ledger.place(rule.span),
    })
}
