//! Tracks, damage, defences, triggers and rests, from the lines of Health, Company and Clocks.

use super::damage::DamageLine;
use super::defence::{Defence, DefenceKind};
use super::track::{Direction, Mark, Soak, Start, Track, constant};
use crate::diagnostic::{Diagnostic, Span};
use crate::dice::{Formula, parse_formula};
use crate::names::same;
use crate::rules::codes;
use crate::rules::grammar::file::Rule;
use crate::rules::grammar::line::{self, Against, HealthLine, Line, Size};
use crate::rules::grammar::tree::Expr;
use crate::rules::language::ledger::{Ledger, Scope};
use crate::rules::language::lower;
use crate::rules::language::outline::Outline;
use crate::rules::language::system::System;
use crate::rules::language::time_words::GAME_TIME;
use crate::rules::section::SectionKind;
use crate::rules::when::Lower;

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
        match own {
            HealthLine::Soak(own) => {
                if let Some(found) = soak(own, rule, ledger)
                    && ledger.has_room(system.soaks.len(), "kinds of marks", rule.span)
                {
                    system.soaks.push(found);
                }
            }
            HealthLine::Track(own) => {
                if let Some(track) = track(own, rule, false, system, ledger)
                    && ledger.has_room(system.tracks.len(), "tracks", rule.span)
                {
                    system.tracks.push(track);
                }
            }
            HealthLine::Defence(own) => {
                if let Some(found) = defence(own, rule, system, ledger)
                    && ledger.has_room(system.defences.len(), "defences", rule.span)
                {
                    system.defences.push(found);
                }
            }
            HealthLine::DamageTypes(all) => system.damage_types.extend(all.iter().cloned()),
            HealthLine::HalvingUp(up) => system.halving_up |= up,
            // Only with all tracks is known what it names.
            HealthLine::Damage { .. } | HealthLine::Trigger { .. } => {}
        }
    }
    for (rule, own) in lines(outline, SectionKind::Health) {
        if let HealthLine::Damage { kind, from } = own {
            damage(kind.as_deref(), from, rule, system, ledger);
        }
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

/// The tracks that all share, those of clocks too.
pub fn shared(outline: &Outline<'_>, system: &System, ledger: &mut Ledger<'_>) -> Vec<Track> {
    let mut tracks = Vec::new();
    for kind in [SectionKind::Company, SectionKind::Clocks] {
        for (rule, own) in lines(outline, kind) {
            let HealthLine::Track(own) = own else { continue };
            if same(&own.name, GAME_TIME) {
                let why = "the game itself counts this";
                lower::refuse(rule.span, why, "give it another name; `Each hour: +1` below it moves it", ledger);
            } else if let Some(track) = track(own, rule, true, system, ledger)
                && ledger.has_room(tracks.len(), "clocks and shared tracks", rule.span)
            {
                tracks.push(Track { clock: kind == SectionKind::Clocks, ..track });
            }
        }
    }
    tracks
}

/// One track. `None` where an expression cannot be worked out, which is reported.
fn track(own: &line::Track, rule: &Rule, is_shared: bool, system: &System, ledger: &mut Ledger<'_>) -> Option<Track> {
    let mut formula = |own: &Expr| number_of(own, rule.span, is_shared, system, ledger);
    let zero = Expr::Number(0);
    let from = own.from.as_ref().unwrap_or(&zero);
    let (min, max, start, counts) = match &own.size {
        Size::Max(max) => (formula(from)?, Some(formula(max)?), Start::Full, Direction::Down),
        Size::Boxes(count) => (formula(from)?, Some(formula(count)?), Start::Empty, Direction::Up),
        Size::From(low, Some(high)) => (formula(low)?, Some(formula(high)?), Start::Full, Direction::Down),
        Size::From(low, None) => (formula(low)?, None, Start::Empty, Direction::Down),
    };
    let start = match &own.start {
        Some(start) => Start::At(formula(start)?),
        None => start,
    };
    let counts = match own.counts_up {
        Some(true) => Direction::Up,
        Some(false) => Direction::Down,
        None => counts,
    };
    let options = [
        (own.hidden && !is_shared, "a character's track is not hidden", "take `hidden` away"),
        (own.keeps_larger && is_shared, "only a character's track keeps the larger", "take `keeps larger` away"),
    ];
    if let Some((_, why, instead)) = options.into_iter().find(|(is, ..)| *is) {
        lower::refuse(rule.span, why, instead, ledger);
        return None;
    }
    Some(Track {
        name: own.name.clone(),
        max,
        min,
        start,
        counts,
        hidden: own.hidden,
        keeps_larger: own.keeps_larger,
        clock: false,
        place: ledger.place(rule.span),
        span: rule.span,
    })
}

/// A number of a track: without dice; of what all share one for all.
fn number_of(own: &Expr, span: Span, is_shared: bool, system: &System, ledger: &mut Ledger<'_>) -> Option<Formula> {
    let formula = lower::formula(own, &system.own_dice, (span, Scope::Sheet), ledger)?;
    let is_rolled = !formula.labelled_dice().is_empty();
    let fits = |number: i64| (-SHARED_MAX..=SHARED_MAX).contains(&number);
    if is_rolled || is_shared && !constant(&formula).is_some_and(fits) {
        let (why, instead) = match is_shared {
            true => ("what all share has one number for all", "write a number, at most 1000000"),
            false => ("nothing is rolled for the ends of a track", "write a number, or names in braces"),
        };
        lower::refuse(span, why, instead, ledger);
        return None;
    }
    Some(formula)
}

/// Marks; `None` where they cannot be used, which is reported.
fn soak(own: &line::Soak, rule: &Rule, ledger: &mut Ledger<'_>) -> Option<Soak> {
    let mut marks: Vec<Mark> = Vec::new();
    for (name, worth) in &own.marks {
        let Some(worth) = lower::number(worth).filter(|worth| *worth > 0 && own.marks.len() <= MARKS_MAX) else {
            lower::refuse(rule.span, "each mark soaks 1 point or more", "write `soak 1, 2, 3`", ledger);
            return None;
        };
        let name = name.as_ref().map_or_else(|| worth.to_string(), |own| own.clone());
        let track = format!("{} ({name})", own.name);
        match marks.iter_mut().find(|mark| same(&mark.track, &track)) {
            Some(mark) => mark.count += 1,
            None => marks.push(Mark { track, count: 1, worth }),
        }
    }
    marks.sort_by_key(|mark| mark.worth);
    let (name, place) = (own.name.clone(), ledger.place(rule.span));
    Some(Soak { name, marks, one_a_hit: own.one_a_hit, place, span: rule.span })
}

/// What a hit is taken from. Each attribute in it is kept as a track of what is left of it.
fn damage(kind: Option<&str>, from: &[Vec<String>], rule: &Rule, system: &mut System, ledger: &mut Ledger<'_>) {
    let mut stages = Vec::new();
    let mut members: Vec<String> = Vec::new();
    for stage in from {
        let mut own = Vec::new();
        for name in stage {
            let track = system.tracks.iter().find(|track| same(&track.name, name)).map(|track| track.name.clone());
            let soak = || system.soak(name).map(|soak| soak.name.clone());
            let Some(name) = track.or_else(soak).or_else(|| attribute(name, rule, system, ledger)) else {
                lower::refuse(rule.span, &lower::no_track(name, &system.names), "name a track of this section", ledger);
                return;
            };
            if members.contains(&name) {
                lower::refuse(rule.span, &format!("`{name}` stands here twice"), "name each once", ledger);
                return;
            }
            members.push(name.clone());
            own.push(name);
        }
        stages.push(own);
    }
    let soaks = |stage: &Vec<String>| stage.iter().filter(|name| system.soak(name).is_some()).count();
    let (first_soak, last_track) =
        (stages.iter().position(|stage| soaks(stage) > 0), stages.iter().rposition(|stage| soaks(stage) < stage.len()));
    if first_soak.zip(last_track).is_some_and(|(soak, track)| soak <= track) {
        let why = "marks that soak take a hit whole or not at all, so nothing is left for what stands behind them";
        lower::refuse(rule.span, why, "let them stand last, and no track beside them", ledger);
        return;
    }
    system.damage.push(DamageLine { kind: kind.map(str::to_owned), stages, place: ledger.place(rule.span) });
}

/// The track of what is left of an attribute, which is made where there is none.
fn attribute(name: &str, rule: &Rule, system: &mut System, ledger: &mut Ledger<'_>) -> Option<String> {
    let name = system.named_attribute(name)?.name.clone();
    if system.tracks.iter().any(|own| own.name == name) {
        return Some(name);
    }
    let max = parse_formula(&format!("{{{name} score}}")).ok()?;
    if !ledger.has_room(system.tracks.len(), "tracks", rule.span) {
        return None;
    }
    system.tracks.push(Track {
        name: name.clone(),
        max: Some(max),
        min: parse_formula("0").ok()?,
        start: Start::Full,
        counts: Direction::Down,
        hidden: false,
        keeps_larger: false,
        clock: false,
        place: ledger.place(rule.span),
        span: rule.span,
    });
    system.damaged_scores.push(name.clone());
    Some(name)
}

fn defence(own: &line::Defence, rule: &Rule, system: &System, ledger: &mut Ledger<'_>) -> Option<Defence> {
    let mut number = |own: &Expr| number_of(own, rule.span, false, system, ledger);
    let does = match &own.does {
        Against::Subtract(amount) => DefenceKind::Subtract(number(amount)?),
        Against::IgnoreUnder(amount) => DefenceKind::IgnoreUnder(number(amount)?),
        Against::Half => DefenceKind::Half,
        Against::Double => DefenceKind::Double,
        Against::None => DefenceKind::None,
        Against::Times(amount) => {
            let lower = Lower { values: &[], letter: &|_| None };
            match lower.expr(amount) {
                Ok(factor) if lower::formula(amount, &system.own_dice, (rule.span, Scope::Sheet), ledger).is_some() => {
                    DefenceKind::Times(factor, amount.to_string())
                }
                Ok(_) => return None,
                Err(why) => {
                    lower::refuse(rule.span, why, "write a number, or names in braces", ledger);
                    return None;
                }
            }
        }
    };
    let least = match &own.gets_through {
        Some(least) => Some(number_of(least, rule.span, false, system, ledger)?),
        None => None,
    };
    Some(Defence {
        name: own.name.clone(),
        does,
        from: own.from.clone(),
        except: own.except.clone(),
        for_all: own.for_all,
        least,
        place: ledger.place(rule.span),
    })
}
