//! What checks do to tracks and conditions, now that all of these are known: what they cost, who may make them, what a row moves and brings.

use super::asks::report_unused;
use super::check::Check;
use super::check_cost::{CheckCost, PaidFrom};
use super::dealt::RowEffect;
use super::read::{Part, lose, parts};
use super::row_move::{Need, While, without_column};
use crate::diagnostic::Span;
use crate::names::same;
use crate::rules::grammar::condition::Condition;
use crate::rules::grammar::effect::{self, Act, Move, Moved, Sign};
use crate::rules::grammar::line::{AgainOption, CheckLine};
use crate::rules::grammar::table::{Row, Table};
use crate::rules::grammar::tree::Expr;
use crate::rules::language::effects::{self, Effect, Reader as Effects, Spot};
use crate::rules::language::health::Direction;
use crate::rules::language::ledger::{Ledger, Scope};
use crate::rules::language::lower;
use crate::rules::language::outline::Outline;
use crate::rules::language::system::System;
use crate::rules::when::{Lower, Named};

/// Reads what the checks say of them. A check of which a part cannot be carried out is lost.
pub fn resolve(outline: &Outline<'_>, system: &mut System, ledger: &mut Ledger<'_>) {
    let tracks = Effects::of(system);
    for part in parts(outline) {
        let Some(at) = system.checks.iter().position(|own| own.span == part.span() && !own.assumed) else { continue };
        let mut check = system.checks.remove(at);
        let mut reader = Reader { check: &mut check, system, tracks: &tracks, ledger };
        match reader.part(&part) {
            Ok(()) => {
                report_unused(&check, ledger);
                system.checks.insert(at, check);
            }
            Err(Refused { span, why, instead }) => {
                lower::refuse(span, &why, &instead, ledger);
                lose(part.name(), part.span(), system, ledger);
            }
        }
    }
}

/// What cannot be carried out, and what to write.
struct Refused {
    span: Span,
    why: String,
    instead: String,
}

impl Refused {
    fn new(span: Span, why: impl Into<String>, instead: impl Into<String>) -> Self {
        Self { span, why: why.into(), instead: instead.into() }
    }
}

impl From<(lower::Refused, Span)> for Refused {
    fn from((own, span): (lower::Refused, Span)) -> Self {
        Self::new(span, own.why, own.instead)
    }
}

struct Reader<'r, 's, 'l, 'a> {
    check: &'r mut Check,
    system: &'s System,
    tracks: &'r Effects,
    ledger: &'l mut Ledger<'a>,
}

impl Reader<'_, '_, '_, '_> {
    fn part(&mut self, part: &Part<'_>) -> Result<(), Refused> {
        for (rule, line) in &part.rules {
            match line {
                CheckLine::While(when) => {
                    let text = rule.words.replace(['{', '}'], "");
                    let (of, all) = self.needs(when, rule.span)?;
                    let place = self.ledger.place(rule.span);
                    self.check.while_held = Some(While { of, all, text, place });
                }
                CheckLine::Costs(items) => {
                    for effect in items {
                        let cost = self.cost(effect, rule.span)?;
                        if cost.is_of_roll() {
                            let why = "what a check costs is known before the dice fall, and this asks for them";
                            return Err(Refused::new(
                                rule.span,
                                why,
                                "let a row move the track, in a column of its name",
                            ));
                        }
                        self.check.costs.push(cost);
                    }
                }
                CheckLine::Again(again) => {
                    let items = again.options.iter().flat_map(|option| match option {
                        AgainOption::Costs(items) => items.as_slice(),
                        _ => &[],
                    });
                    let mut costs = Vec::new();
                    for effect in items {
                        let cost = self.cost(effect, rule.span)?;
                        if cost.from == PaidFrom::Attribute {
                            let why = "a roll is followed without a choice of an attribute";
                            return Err(Refused::new(rule.span, why, "name the track: `costs Stress +1`"));
                        }
                        costs.push(cost);
                    }
                    let own = self.check.follow_ups.iter_mut().find(|own| own.span == rule.span);
                    own.into_iter().for_each(|own| own.costs.append(&mut costs));
                }
                _ => {}
            }
        }
        let Some(table) = part.tables.first() else { return Ok(()) };
        let (Table::Outcomes(rows), Some(written)) = (&table.table, part.written(table)) else { return Ok(()) };
        for (nth, row) in rows.iter().enumerate() {
            let cell = |name: &str| {
                let at = written.header.iter().position(|header| same(header.as_str(), name))?;
                written.rows.get(nth)?.get(at)
            };
            self.row(nth, row, &|name| cell(name).map_or(table.span, |cell| cell.span()))?;
        }
        Ok(())
    }

    /// ``Stress +1``, ``{attribute} -{price}``: what is paid.
    fn cost(&mut self, effect: &effect::Effect, span: Span) -> Result<CheckCost, Refused> {
        const INSTEAD: &str = "write `Stress +1`, ``Hit points -`{effort} * 2` `` or `{attribute} -1`";
        let effect::Effect { act: Act::Move(moved, Move::By(sign, amount)), only_if: None } = effect else {
            return Err(Refused::new(span, "points of a track are paid, and nothing else", INSTEAD));
        };
        let from = match moved {
            Moved::Named(name) => {
                let (track, shared) = self.track(name, span)?;
                if (*sign == Sign::Plus) != self.fills(&track, shared) {
                    let why = format!("{track} is none the worse by this");
                    return Err(Refused::new(span, why, INSTEAD));
                }
                PaidFrom::Track { name: track, shared }
            }
            Moved::Ref(own) if same(&own.name, "attribute") => {
                let is_track = |name: &str| self.tracks.track(name, self.system).is_ok_and(|(_, shared)| !shared);
                if !self.system.attributes.iter().any(|own| is_track(&own.name)) {
                    let why = "no attribute is a track that could be paid from";
                    return Err(Refused::new(span, why, "make it one under Health: `- Might: max {Might}`"));
                }
                PaidFrom::Attribute
            }
            Moved::Ref(_) | Moved::Here => return Err(Refused::new(span, "expected a track by its name", INSTEAD)),
        };
        let named = self.amount(amount, span)?;
        let track = match &from {
            PaidFrom::Track { name, .. } => name.clone(),
            PaidFrom::Attribute => "attribute".to_owned(),
        };
        let text = format!("{track} {sign}{}", named.text);
        Ok(CheckCost { amount: named, down: *sign == Sign::Minus, from, text, place: self.ledger.place(span) })
    }

    fn amount(&mut self, amount: &Expr, span: Span) -> Result<Named, Refused> {
        let own = &self.system.own_dice;
        let lower = Lower { values: &self.check.values, letter: &|name| own.letter(name) };
        let what = lower.expr(amount).map_err(|why| Refused::new(span, why, "write a number, or a name in braces"))?;
        let text = amount.to_string();
        Ok(Named { name: text.clone(), what, text, place: self.ledger.place(span), symbol: None })
    }

    /// Who may make it.
    fn needs(&self, when: &Condition, span: Span) -> Result<(Vec<Need>, bool), Refused> {
        let (mut parts, mut all) = (vec![when], true);
        if let Condition::Or(..) = when {
            all = false;
        }
        let mut needs = Vec::new();
        while let Some(part) = parts.pop() {
            match part {
                Condition::And(left, right) if all => parts.extend([&**right, &**left]),
                Condition::Or(left, right) if !all => parts.extend([&**right, &**left]),
                Condition::Within(Expr::Ref(own), range) => {
                    let numbers = range.as_ref().map(lower::bounds);
                    needs.push(self.need(&own.name, numbers, span)?);
                }
                _ => {
                    let instead =
                        "write `{Dying}`, `{Hit points} 0` or `{Death saves} 1+`, several with `and`, or with `or`";
                    let why = "while what is named on the sheet: conditions, and tracks in a range";
                    return Err(Refused::new(span, why, instead));
                }
            }
        }
        Ok((needs, all))
    }

    fn need(&self, name: &str, range: Option<Option<(i64, i64)>>, span: Span) -> Result<Need, Refused> {
        let track = self.tracks.track(name, self.system).ok();
        match (track, range) {
            (Some(own), None) => Ok(Need::Track { name: own.0.to_owned(), low: 1, high: i64::MAX }),
            (Some(own), Some(Some((low, high)))) => Ok(Need::Track { name: own.0.to_owned(), low, high }),
            (None, None) => Ok(Need::Condition(self.condition(name))),
            (Some(_), Some(None)) => {
                let why = "expected numbers, the lower first";
                Err(Refused::new(span, why, "write `{Hit points} 0`, `{Death saves} 1+` or `{Stress} 2-4`"))
            }
            (None, Some(_)) => {
                let why = format!("`{name}` is compared with numbers, and no track");
                Err(Refused::new(span, why, "write `{Dying}` for a condition, `{Hit points} 0` for a track"))
            }
        }
    }

    fn condition(&self, name: &str) -> String {
        effects::condition_called(name, self.system)
    }

    fn track(&self, name: &str, span: Span) -> Result<(String, bool), Refused> {
        let found = self.tracks.track(name, self.system).map_err(|own| (own, span))?;
        Ok((found.0.to_owned(), found.1))
    }

    /// Whether more of it is worse.
    fn fills(&self, track: &str, shared: bool) -> bool {
        let company = self.system.company.iter().flat_map(|company| &company.tracks);
        let own = self.system.tracks.iter().filter(|_| !shared);
        let found = own.chain(company).find(|own| same(&own.name, track));
        found.map_or_else(|| self.system.soak(track).is_some(), |own| own.counts == Direction::Up)
    }

    fn row(&mut self, nth: usize, row: &Row, span: &dyn Fn(&str) -> Span) -> Result<(), Refused> {
        for (column, items) in &row.moves {
            let span = span(column);
            let (track, _) = self.track(column, span)?;
            for own in items {
                if !matches!(&own.act, Act::Move(Moved::Here, _)) {
                    let why = format!("this column is about {column}");
                    return Err(Refused::new(span, why, "write `+1`, `-2`, `-1 step`, `to 0` or `to max`"));
                }
                self.brought(nth, (column, own), Spot { here: Some(&track), span, scope: Scope::Check })?;
            }
        }
        for own in &row.effects {
            let span = span("Effect");
            if matches!(&own.act, Act::Pass { .. } | Act::Damage { .. }) {
                let instead = "write `Stress +1` or `gain Shaken`; what a hit brings stands below `Target effect`";
                return Err(Refused::new(span, "a row moves tracks of who rolls, and brings conditions", instead));
            }
            self.brought(nth, ("Effect", own), Spot { here: None, span, scope: Scope::Check })?;
        }
        let span = span("Target effect");
        let gained = effects::gains(&row.target_effects, self.system).map_err(|own| (own, span))?;
        let place = self.ledger.place(span);
        let gained = gained.into_iter().map(|condition| RowEffect { condition, place: place.clone() });
        self.check.rows.get_mut(nth).into_iter().for_each(|row| row.effects.extend(gained.clone()));
        Ok(())
    }

    /// What a row brings upon the one who rolls.
    fn brought(&mut self, nth: usize, (column, own): (&str, &effect::Effect), spot: Spot<'_>) -> Result<(), Refused> {
        if let Act::Move(_, Move::By(_, many) | Move::To(many)) = &own.act
            && lower::number(many).is_none()
        {
            self.named_amount(many, spot.span)?;
        }
        let made = self.tracks.effect(own, spot, self.system, self.ledger).map_err(|own| (own, spot.span))?;
        let text = format!("{column}: {}", self.ledger.sources.text(spot.span).trim());
        let is_hidden = made.track().filter(|_| made.shared).is_some_and(|own| {
            let company = self.system.company.iter().flat_map(|company| &company.tracks);
            company.into_iter().any(|track| track.hidden && track.name == own)
        });
        let Some(row) = self.check.rows.get_mut(nth) else { return Ok(()) };
        if is_hidden {
            // Players read the row, and not that there is such a clock.
            row.text = without_column(row.text.take(), &text);
        }
        row.moves.push(Effect { text, ..made });
        Ok(())
    }

    /// What says how far a track moves: a value of the check, or what is asked for, which is one from then on. Dice are thrown
    /// when it moves.
    fn named_amount(&mut self, amount: &Expr, span: Span) -> Result<(), Refused> {
        let own = match amount {
            Expr::Ref(own) => own,
            Expr::Dice(_) => return Ok(()),
            _ => {
                let instead = "give it a name: ``- Value price: `6 - highest` ``, and `+{price}`";
                return Err(Refused::new(span, "a row moves a track by a number, by dice, or by a name", instead));
            }
        };
        if !self.check.values.iter().any(|value| value.is(&own.name)) {
            let named = Named { name: own.name.clone(), ..self.amount(amount, span)? };
            self.check.values.push(named);
        }
        Ok(())
    }
}
