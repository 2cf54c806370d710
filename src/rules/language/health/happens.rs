//! What happens when: triggers, rests and what time moves, once everything that they name is known.

use super::read::lines;
use super::track::{Direction, Start, Track, constant};
use super::trigger::{Trigger, TriggerWhen};
use crate::diagnostic::Span;
use crate::names::same;
use crate::rules::grammar::effect::{End, Item, Unit};
use crate::rules::grammar::file::Rule;
use crate::rules::grammar::line::{HealthLine, When as Said};
use crate::rules::grammar::tree::{self, Expr, Part, Ref};
use crate::rules::language::effects::{Act, Effect, Reader, Spot};
use crate::rules::language::ledger::{Ledger, Scope};
use crate::rules::language::lower;
use crate::rules::language::outline::Outline;
use crate::rules::language::rests::{Passing, Rest, RestKind};
use crate::rules::language::system::System;
use crate::rules::section::SectionKind;
use crate::rules::when::{Lower, Range, When};

/// Reads a section's.
pub fn read(kind: SectionKind, outline: &Outline<'_>, system: &mut System, ledger: &mut Ledger<'_>) {
    let is_shared = kind != SectionKind::Health;
    let reader = if is_shared { Reader::of_shared(system) } else { Reader::of(system) };
    for (rule, own) in lines(outline, kind) {
        let mut maker = Maker { reader: &reader, rule, is_shared, system, ledger };
        match own {
            HealthLine::Track(own) => {
                maker.end(&own.name, &own.full, true);
                maker.end(&own.name, &own.over, false);
            }
            HealthLine::Trigger { when, effects } => maker.line(when, effects),
            HealthLine::Soak(_)
            | HealthLine::Defence(_)
            | HealthLine::Damage { .. }
            | HealthLine::DamageTypes(_)
            | HealthLine::HalvingUp(_) => {}
        }
    }
}

struct Maker<'m, 'a> {
    reader: &'m Reader,
    rule: &'m Rule,
    /// Whether it stands under Company or Clocks.
    is_shared: bool,
    system: &'m mut System,
    ledger: &'m mut Ledger<'a>,
}

impl Maker<'_, '_> {
    fn span(&self) -> Span {
        self.rule.span
    }

    fn refuse(&mut self, why: &str, instead: &str) {
        lower::refuse(self.rule.span, why, instead, self.ledger);
    }

    /// `full: …` or `over: …` behind a track.
    fn end(&mut self, name: &str, items: &[Item], is_full: bool) {
        let Some(track) = self.track(name).cloned().filter(|_| !items.is_empty()) else { return };
        let when = match (is_full, &track.max) {
            (false, _) => TriggerWhen::Over { track: track.name.clone() },
            (true, None) => return self.refuse("without a maximum it is never full", "give it one: `max 12`"),
            (true, Some(_)) => {
                let max = Ref { of_target: false, name: track.name.clone(), part: Part::Max, default: None };
                let Some(range) = self.range(&tree::Range::AtLeast(Expr::Ref(max))) else { return };
                TriggerWhen::At { track: track.name.clone(), range }
            }
        };
        let label = format!("{} {}", track.name, if is_full { "full" } else { "over" });
        let words = &self.rule.words;
        let word = if is_full { "full:" } else { "over:" };
        let text = words.find(word).and_then(|at| words.get(at + word.len()..)).unwrap_or(words).trim().to_owned();
        self.trigger(when, label, items, text);
    }

    fn track(&self, name: &str) -> Option<&Track> {
        let company = self.system.company.iter().flat_map(|company| &company.tracks);
        let own = self.system.tracks.iter().filter(|_| !self.is_shared);
        own.chain(company).find(|own| same(&own.name, name))
    }

    fn line(&mut self, when: &Said, items: &[Item]) {
        let text = self.rule.words.clone();
        match when {
            Said::At { range, track } => {
                let Some(name) = track.clone().or_else(|| self.rule.below.clone()) else {
                    return self.refuse(
                        "nothing says which track is meant",
                        "name it, `At 3 Alarm`, or let the line stand below it, indented",
                    );
                };
                let Some(track) = self.track(&name).cloned() else {
                    return self.refuse(&lower::no_track(&name, &self.system.names), "name a track of this section");
                };
                let label = format!("At {range} {}", track.name);
                let Some(range) = self.range(&toward(&track, range)) else { return };
                self.trigger(TriggerWhen::At { track: track.name, range }, label, items, text);
            }
            Said::DamageAt { range, track } => {
                let Some(name) = self.track(track).map(|own| own.name.clone()) else {
                    return self.refuse(&lower::no_track(track, &self.system.names), "name a track of this section");
                };
                let Some(own) = self.range(range) else { return };
                let label = format!("Damage at {range} {name}");
                self.trigger(TriggerWhen::DamageAt { range: own, track: name }, label, items, text);
            }
            Said::OneHit(range) => {
                let Some(own) = self.range(range) else { return };
                self.trigger(TriggerWhen::OneHit(own), format!("One hit {range}"), items, text);
            }
            Said::LeftOver(range) => {
                let Some(own) = self.range(range) else { return };
                self.trigger(TriggerWhen::LeftOver(own), format!("Left over {range}"), items, text);
            }
            Said::NotSoaked => self.trigger(TriggerWhen::NotSoaked, "Not soaked".to_owned(), items, text),
            Said::Holds(condition) => {
                let letter = |name: &str| self.system.own_dice.letter(name);
                let when = Lower { values: &[], letter: &letter }.when(condition);
                match when {
                    Ok(own) if own == When::Otherwise || !own.measures().is_empty() => {
                        self.refuse("no dice lie here that could be looked at", "compare what is on the sheet");
                    }
                    Ok(own) => self.trigger(TriggerWhen::Holds(own), format!("When {condition}"), items, text),
                    Err(why) => self.refuse(why, "compare what is on the sheet: `When {STR} 0 and {DEX} 0`"),
                }
            }
            Said::Rest(rest) => self.rest(rest.name(), RestKind::Rest, items, text),
            Said::EndOf(End::Scene) => self.rest(End::Scene.name(), RestKind::Scene, items, text),
            Said::EndOf(End::Fight) => self.rest(End::Fight.name(), RestKind::Fight, items, text),
            Said::EndOf(End::Session) => self.rest(End::Session.name(), RestKind::Session, items, text),
            Said::Each(many, unit) => self.each(many, *unit, items, text),
        }
    }

    /// `Each 10 minutes`, `Each round`.
    fn each(&mut self, many: &Expr, unit: Unit, items: &[Item], text: String) {
        let Some(many) = lower::number(many).filter(|many| *many > 0) else {
            return self.refuse("expected a number", "write `Each 10 minutes`");
        };
        match unit.seconds() {
            None if unit == Unit::Round && many == 1 => self.rest("Each round", RestKind::Round, items, text),
            None => self.refuse("nothing is counted there", "write `Each round`"),
            Some(seconds) => {
                let every = many.saturating_mul(seconds);
                let Some(effects) = self.effects(items) else { return };
                if effects.iter().any(|own| matches!(own.act, Act::Pass { .. })) {
                    return self.refuse("time passes already", "take this away");
                }
                let (place, span) = (self.ledger.place(self.span()), self.span());
                if self.ledger.has_room(self.system.passing.len(), "lines about time", span) {
                    self.system.passing.push(Passing { every, effects, place, span });
                }
            }
        }
    }

    /// A range with its names, in which no dice are looked at.
    fn range(&mut self, range: &tree::Range) -> Option<Range> {
        let lowered = Lower { values: &[], letter: &|_| None }.range(range);
        match lowered {
            Ok(own) if own.measures().is_empty() => Some(own),
            _ => {
                self.refuse("expected numbers, and names in braces", "write `At 0 Hit points`");
                None
            }
        }
    }

    fn effects(&mut self, items: &[Item]) -> Option<Vec<Effect>> {
        let spot = Spot { here: self.rule.below.as_deref(), span: self.rule.span, scope: Scope::Sheet };
        self.reader.effects(items, spot, self.system, self.ledger)
    }

    /// Adds it, if its effects can be carried out without dice.
    fn trigger(&mut self, when: TriggerWhen, label: String, items: &[Item], text: String) {
        let Some(effects) = self.effects(items) else { return };
        if effects.iter().any(Effect::is_rolled) {
            return self
                .refuse("no dice are thrown when this happens", "let a check or a rest throw them, or write a number");
        }
        if effects.iter().any(|own| matches!(own.act, Act::Pass { .. } | Act::Damage { .. })) {
            return self.refuse("tracks move and conditions come and go by this", "write `Stress +1` or `gain Dying`");
        }
        let (place, span) = (self.ledger.place(self.span()), self.span());
        let trigger = Trigger { when, label, effects, text, tables: Vec::new(), place, span };
        let is_of_character = |name: &str| self.system.tracks.iter().any(|own| same(&own.name, name));
        let is_of_company = self.is_shared || trigger.track().is_some_and(|name| !is_of_character(name));
        let all = match (&mut self.system.company, is_of_company) {
            (Some(company), true) => &mut company.triggers,
            _ => &mut self.system.triggers,
        };
        if self.ledger.has_room(all.len(), "triggers", span) {
            all.push(trigger);
        }
    }

    /// Two lines about one rest are one rest.
    fn rest(&mut self, name: &str, kind: RestKind, items: &[Item], text: String) {
        let Some(effects) = self.effects(items) else { return };
        let (place, span) = (self.ledger.place(self.span()), self.span());
        match self.system.rests.iter_mut().find(|own| own.name == name) {
            Some(known) => {
                known.effects.extend(effects);
                known.text = format!("{}; {text}", known.text);
            }
            None => {
                if self.ledger.has_room(self.system.rests.len(), "rests", span) {
                    self.system.rests.push(Rest { name: name.to_owned(), kind, effects, text, place, span });
                }
            }
        }
    }
}

/// One number is reached or passed on the way from where the track starts.
fn toward(track: &Track, range: &tree::Range) -> tree::Range {
    let tree::Range::Exactly(at) = range else { return range.clone() };
    let down = || tree::Range::AtMost(at.clone());
    let up = || tree::Range::AtLeast(at.clone());
    let start = match &track.start {
        Start::Full => track.max.as_ref(),
        Start::Empty => Some(&track.min),
        Start::At(start) => Some(start),
    };
    match (start.and_then(constant), lower::number(at)) {
        (Some(start), Some(number)) if number < start => down(),
        (Some(start), Some(number)) if number > start => up(),
        (Some(_), Some(_)) => range.clone(),
        _ if start.is_some_and(|own| own.to_string() == at.to_string()) => range.clone(),
        _ => match (&track.start, track.counts) {
            (Start::Full, _) | (Start::At(_), Direction::Down) => down(),
            (Start::Empty, _) | (Start::At(_), Direction::Up) => up(),
        },
    }
}
