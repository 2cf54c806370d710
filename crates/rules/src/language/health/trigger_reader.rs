//! Triggers, rests and effects of time, read when everything that they name is known.

use super::read::lines;
use super::track::{Direction, Start, Track, constant};
use super::trigger::{Trigger, TriggerWhen};
use crate::grammar::effect::{self, Act};
use crate::grammar::expr::constant as number;
use crate::grammar::file::Rule;
use crate::grammar::line::{self, HealthLine, When as Said};
use crate::grammar::print_effect::span_words;
use crate::grammar::tree::{self, Expr, Part, Ref};
use crate::language::effects::{Effect, Reader, Spot};
use crate::language::ledger::{Ledger, Scope};
use crate::language::lowering::{self, Refused};
use crate::language::outline::Outline;
use crate::language::system::System;
use crate::section::SectionKind;
use crate::when::{Lowering, Range, When};
use rollbook_text::names::same;

/// Reads a section's lines.
pub fn read(
    kind: SectionKind,
    outline: &Outline<'_>,
    system: &mut System,
    ledger: &mut Ledger<'_>,
) {
    let is_shared = kind != SectionKind::Health;
    let reader = if is_shared {
        Reader::shared_first(system)
    } else {
        Reader::new(system)
    };
    for (rule, line) in lines(outline, kind) {
        let mut maker = Maker {
            reader: &reader,
            rule,
            is_shared,
            system,
            ledger,
        };
        let made = match line {
            HealthLine::Track(track) => maker.ends(track),
            HealthLine::Trigger { when, effects } => maker.line(when, effects),
            _ => Ok(()),
        };
        lowering::report_refused(made, rule.span, ledger);
    }
}

struct Maker<'m, 'a> {
    reader: &'m Reader,
    rule: &'m Rule,
    /// Whether it is below Company or Clocks.
    is_shared: bool,
    system: &'m mut System,
    ledger: &'m mut Ledger<'a>,
}

impl Maker<'_, '_> {
    /// `full: …` or `over: …` after a track.
    fn ends(&mut self, declared: &line::Track) -> Result<(), Refused> {
        // A track that is not understood is reported already.
        let Ok(track) = self.track(&declared.name).cloned() else {
            return Ok(());
        };
        for (word, effects) in [("full", &declared.full), ("over", &declared.over)] {
            let Some(effects) = effects else { continue };
            let when = match (word, &track.max) {
                ("over", _) => TriggerWhen::Over {
                    track: track.name.clone(),
                },
                (_, None) => Err((
                    "without a maximum it is never full",
                    "give it one: `max 12`",
                ))?,
                (_, Some(_)) => {
                    let max = Ref {
                        of_target: false,
                        name: track.name.clone(),
                        part: Part::Max,
                        default: None,
                    };
                    let range = range_of(&tree::Range::AtLeast(Expr::Ref(max)))?;
                    TriggerWhen::At {
                        track: track.name.clone(),
                        range,
                    }
                }
            };
            let words = self.rule.words();
            let at = words
                .find(&format!("{word}:"))
                .map_or(0, |at| at + word.len() + 1);
            let text = words.get(at..).unwrap_or(words).trim().to_owned();
            self.add(when, format!("{} {word}", track.name), effects, text)?;
        }
        Ok(())
    }

    fn track(&self, name: &str) -> Result<&Track, Refused> {
        let company = self
            .system
            .company
            .iter()
            .flat_map(|company| &company.tracks);
        let tracks = self.system.tracks.iter().filter(|_| !self.is_shared);
        let refused = || {
            (
                lowering::no_track(name, &self.system.names),
                "name a track of this section",
            )
                .into()
        };
        tracks
            .chain(company)
            .find(|track| same(&track.name, name))
            .ok_or_else(refused)
    }

    fn line(&mut self, when: &Said, effects: &[effect::Effect]) -> Result<(), Refused> {
        let (when, label) = match when {
            Said::At { range, track } => {
                let name = track.as_ref().or(self.rule.below.as_ref());
                let help = "name it, `At 3 Alarm`, or let the line stand below it, indented";
                let track = self.track(name.ok_or(("nothing says which track is meant", help))?)?;
                let reached = range_of(&toward(track, range))?;
                let label = format!("At {range} {}", track.name);
                (
                    TriggerWhen::At {
                        track: track.name.clone(),
                        range: reached,
                    },
                    label,
                )
            }
            Said::DamageAt { range, track } => {
                let track = self.track(track)?.name.clone();
                let label = format!("Damage at {range} {track}");
                (
                    TriggerWhen::DamageAt {
                        range: range_of(range)?,
                        track,
                    },
                    label,
                )
            }
            Said::OneHit(range) => (
                TriggerWhen::OneHit(range_of(range)?),
                format!("One hit {range}"),
            ),
            Said::LeftOver(range) => (
                TriggerWhen::LeftOver(range_of(range)?),
                format!("Left over {range}"),
            ),
            Said::NotSoaked => (TriggerWhen::NotSoaked, "Not soaked".to_owned()),
            Said::Holds(condition) => {
                let letter = |name: &str| self.system.named_dice.letter(name);
                let when = Lowering {
                    values: &[],
                    letter: &letter,
                }
                .when(condition);
                let when = when.map_err(|why| {
                    (
                        why,
                        "compare what is on the sheet: `When {STR} 0 and {DEX} 0`",
                    )
                })?;
                if when == When::Otherwise || !when.measures().is_empty() {
                    Err((
                        "no dice lie here that could be looked at",
                        "compare what is on the sheet",
                    ))?;
                }
                (TriggerWhen::Holds(when), format!("When {condition}"))
            }
            Said::Rest(rest) => (TriggerWhen::Rest(*rest), rest.name().to_owned()),
            Said::EndOf(end) => (TriggerWhen::EndOf(*end), end.name().to_owned()),
            Said::Round => (TriggerWhen::Round, "Each round".to_owned()),
            Said::Each(seconds) => {
                let words = span_words(*seconds);
                let words = words
                    .strip_prefix("1 ")
                    .filter(|rest| !rest.contains(' '))
                    .unwrap_or(&words);
                (TriggerWhen::Each(*seconds), format!("each {words}"))
            }
        };
        self.add(when, label, effects, self.rule.words().to_owned())
    }

    /// Adds the trigger, if its effects are possible. Two lines about one rest or end are joined.
    fn add(
        &mut self,
        when: TriggerWhen,
        label: String,
        effects: &[effect::Effect],
        text: String,
    ) -> Result<(), Refused> {
        let span = self.rule.span;
        let spot = Spot {
            here: self.rule.below.as_deref(),
            span,
            scope: Scope::Sheet,
        };
        let mut effects = self
            .reader
            .effects(effects, spot, self.system, self.ledger)?;
        let passes = |effect: &Effect| matches!(effect.act, Act::Pass { .. });
        let (kind, all) = match &when {
            TriggerWhen::Rest(_) | TriggerWhen::EndOf(_) | TriggerWhen::Round => {
                ("rests", &mut self.system.rests)
            }
            TriggerWhen::Each(_) if effects.iter().any(passes) => {
                Err(("time passes already", "take this away"))?
            }
            TriggerWhen::Each(_) => ("lines about time", &mut self.system.passing),
            _ if effects.iter().any(Effect::is_rolled) => Err((
                "no dice are thrown when this happens",
                "let a check or a rest throw them, or write a number",
            ))?,
            _ if effects
                .iter()
                .any(|effect| passes(effect) || matches!(effect.act, Act::Damage { .. })) =>
            {
                Err((
                    "tracks move and conditions come and go by this",
                    "write `Stress +1` or `gain Dying`",
                ))?
            }
            TriggerWhen::At { track, .. }
            | TriggerWhen::Over { track }
            | TriggerWhen::DamageAt { track, .. }
                if self.is_shared
                    || !self
                        .system
                        .tracks
                        .iter()
                        .any(|known| same(&known.name, track)) =>
            {
                let company = self
                    .system
                    .company
                    .as_mut()
                    .map(|company| &mut company.triggers);
                ("triggers", company.unwrap_or(&mut self.system.triggers))
            }
            _ => ("triggers", &mut self.system.triggers),
        };
        if kind == "rests"
            && let Some(known) = all.iter_mut().find(|trigger| trigger.label == label)
        {
            known.effects.append(&mut effects);
            known.text = format!("{}; {text}", known.text);
        } else if self.ledger.has_room(all.len(), kind, span) {
            let place = self.ledger.place(span);
            all.push(Trigger {
                when,
                label,
                effects,
                text,
                tables: Vec::new(),
                place,
                span,
            });
        }
        Ok(())
    }
}

/// A range without measures of dice.
fn range_of(range: &tree::Range) -> Result<Range, Refused> {
    let lowered = Lowering {
        values: &[],
        letter: &|_| None,
    }
    .range(range)
    .ok();
    let refused = || {
        (
            "expected numbers, and names in braces",
            "write `At 0 Hit points`",
        )
            .into()
    };
    lowered
        .filter(|lowered| lowered.measures().is_empty())
        .ok_or_else(refused)
}

/// A single number becomes a range, reached or passed from where the track starts.
fn toward(track: &Track, range: &tree::Range) -> tree::Range {
    let tree::Range::Exactly(at) = range else {
        return range.clone();
    };
    let down = || tree::Range::AtMost(at.clone());
    let up = || tree::Range::AtLeast(at.clone());
    let start = match &track.start {
        Start::Full => track.max.as_ref(),
        Start::Empty => Some(&track.min),
        Start::At(start) => Some(start),
    };
    match (start.and_then(constant), number(at)) {
        (Some(start), Some(number)) if number < start => down(),
        (Some(start), Some(number)) if number > start => up(),
        (Some(_), Some(_)) => range.clone(),
        _ if start.is_some_and(|start| start.to_string() == at.to_string()) => range.clone(),
        _ => match (&track.start, track.counts) {
            (Start::Full, _) | (Start::At(_), Direction::Down) => down(),
            (Start::Empty, _) | (Start::At(_), Direction::Up) => up(),
        },
    }
}
