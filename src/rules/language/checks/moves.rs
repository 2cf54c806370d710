//! What checks do to tracks and conditions, now that all of these are known: what they cost, who may make them, what a row moves and brings.

use super::asks::report_unused;
use super::check::Check;
use super::check_cost::{CheckCost, PaidFrom};
use super::dealt::RowEffect;
use super::read::{Part, lose, parts};
use super::row_move::{Need, RowMove, While, without};
use crate::diagnostic::Span;
use crate::dice::parse_formula;
use crate::names::same;
use crate::rules::grammar::condition::{Condition, Measured};
use crate::rules::grammar::effect::{Act, Effect, Item, Move, Moved, Sign};
use crate::rules::grammar::line::{AgainOption, CheckLine};
use crate::rules::grammar::table::{Row, Table};
use crate::rules::grammar::tree::Expr;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::lower;
use crate::rules::language::outline::Outline;
use crate::rules::language::rests::{Recoverable, RestEffect, recoverable_with_shared};
use crate::rules::language::system::System;
use crate::rules::when::{Lower, Named};

/// Reads what the checks say of them. A check of which a part cannot be carried out is lost.
pub fn resolve(outline: &Outline<'_>, system: &mut System, ledger: &mut Ledger<'_>) {
    let mut sizes: Vec<i64> =
        system.chain.iter().flat_map(|chain| &chain.dice).map(|die| i64::from(die.sides())).collect();
    sizes.sort_unstable();
    let tracks = Tracks { all: recoverable_with_shared(system), sizes };
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
                lower::refuse(span, &why, instead, ledger);
                lose(part.name(), part.span(), system, ledger);
            }
        }
    }
}

/// What cannot be carried out, and what to write.
struct Refused {
    span: Span,
    why: String,
    instead: &'static str,
}

impl Refused {
    fn new(span: Span, why: impl Into<String>, instead: &'static str) -> Self {
        Self { span, why: why.into(), instead }
    }
}

/// Everything that points are counted on.
struct Tracks {
    all: Vec<Recoverable>,
    /// The dice of the chain.
    sizes: Vec<i64>,
}

impl Tracks {
    fn named(&self, name: &str, span: Span) -> Result<&Recoverable, Refused> {
        let found = self.all.iter().find(|own| same(&own.name, name));
        found.ok_or_else(|| {
            let why = format!("no track is called `{name}`");
            Refused::new(span, why, "declare it under Health, or under Company where all share it")
        })
    }
}

struct Reader<'r, 's, 'l, 'a> {
    check: &'r mut Check,
    system: &'s System,
    tracks: &'r Tracks,
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
                    for effect in items.iter().filter_map(effect) {
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
                    for effect in items.filter_map(effect) {
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
    fn cost(&mut self, effect: &Effect, span: Span) -> Result<CheckCost, Refused> {
        const INSTEAD: &str = "write `Stress +1`, ``Hit points -`{effort} * 2` `` or `{attribute} -1`";
        let Effect { act: Act::Move(moved, Move::By(sign, amount)), only_if: None } = effect else {
            return Err(Refused::new(span, "points of a track are paid, and nothing else", INSTEAD));
        };
        let from = match moved {
            Moved::Named(name) => {
                let of = self.tracks.named(name, span)?;
                if (*sign == Sign::Plus) != of.fills {
                    let why = format!("{} is none the worse by this", of.name);
                    return Err(Refused::new(span, why, INSTEAD));
                }
                PaidFrom::Track { name: of.name.clone(), shared: of.shared }
            }
            Moved::Ref(own) if same(&own.name, "attribute") => {
                let is_track = |name: &str| self.tracks.all.iter().any(|own| !own.shared && same(&own.name, name));
                if !self.system.attributes.iter().any(|own| is_track(&own.name)) {
                    let why = "no attribute is a track that could be paid from";
                    return Err(Refused::new(span, why, "make it one under Health: `- Might: max {Might}`"));
                }
                PaidFrom::Attribute
            }
            Moved::Ref(_) | Moved::Here => return Err(Refused::new(span, "expected a track by its name", INSTEAD)),
        };
        let named = self.amount(amount, span)?;
        let sign = if *sign == Sign::Plus { '+' } else { '-' };
        let track = match &from {
            PaidFrom::Track { name, .. } => name.clone(),
            PaidFrom::Attribute => "attribute".to_owned(),
        };
        let text = format!("{track} {sign}{}", named.text);
        Ok(CheckCost { amount: named, from, text, place: self.ledger.place(span) })
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
                Condition::Within(Measured::Sheet(own), range) => {
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
        let track = self.tracks.all.iter().find(|own| same(&own.name, name));
        match (track, range) {
            (Some(own), None) => Ok(Need::Track { name: own.name.clone(), low: 1, high: i64::MAX }),
            (Some(own), Some(Some((low, high)))) => Ok(Need::Track { name: own.name.clone(), low, high }),
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
        self.system.condition(name).map_or_else(|| name.to_owned(), |own| own.name.clone())
    }

    fn row(&mut self, nth: usize, row: &Row, span: &dyn Fn(&str) -> Span) -> Result<(), Refused> {
        for (column, items) in &row.moves {
            let span = span(column);
            let of = self.tracks.named(column, span)?;
            for effect in items.iter().filter_map(effect) {
                let Effect { act: Act::Move(Moved::Here, own), only_if: None } = effect else {
                    let why = format!("this column is about {column}");
                    return Err(Refused::new(span, why, "write `+1`, `-2`, `-1 step`, `to 0` or `to max`"));
                };
                self.moves((nth, column), own, of, span)?;
            }
        }
        for effect in row.effects.iter().filter_map(effect) {
            let span = span("Effect");
            let Effect { act: Act::Move(Moved::Named(track), own), only_if: None } = effect else {
                let instead =
                    "write what becomes of a track, `Stress +1`; what a hit brings stands below `Target effect`";
                return Err(Refused::new(span, "a row moves tracks of who rolls, and nothing else", instead));
            };
            let of = self.tracks.named(track, span)?;
            self.moves((nth, "Effect"), own, of, span)?;
        }
        for effect in row.target_effects.iter().filter_map(effect) {
            let span = span("Target effect");
            let Effect { act: Act::Gain { condition, level, lasts: None }, only_if: None } = effect else {
                let why = "a row brings conditions upon the target, and nothing else";
                return Err(Refused::new(span, why, "write `gain Prone`, or `gain Burning 2`"));
            };
            self.brings(nth, condition, level.as_ref(), span)?;
        }
        Ok(())
    }

    fn brings(&mut self, nth: usize, name: &str, level: Option<&Expr>, span: Span) -> Result<(), Refused> {
        let name = self.condition(name);
        let levels = self.system.condition(&name).and_then(|own| own.levels);
        let number = level.map(lower::number);
        let fits = match number {
            None => true,
            Some(Some(number)) => levels.is_some_and(|(low, high)| (low..=high).contains(&number)),
            Some(None) => false,
        };
        if !fits {
            let has = levels.map_or("has no levels".to_owned(), |(low, high)| format!("has levels {low} to {high}"));
            return Err(Refused::new(
                span,
                format!("{name} {has}"),
                "name one of its levels, or give it levels: `- Burning (1-3)`",
            ));
        }
        let condition = number.flatten().map_or_else(|| name.clone(), |number| format!("{name} {number}"));
        let place = self.ledger.place(span);
        if let Some(row) = self.check.rows.get_mut(nth) {
            row.effects.push(RowEffect { condition, place });
        }
        Ok(())
    }

    /// One move of a row.
    fn moves(&mut self, (nth, column): (usize, &str), own: &Move, of: &Recoverable, span: Span) -> Result<(), Refused> {
        const INSTEAD: &str = "write `+1`, `-2`, `+{price}`, `-1 step`, `to 0` or `to max`";
        let refuse = |why: &str| Err(Refused::new(span, why, INSTEAD));
        let track = || of.name.clone();
        let (mut amount, mut value) = (0, None);
        let effect = match own {
            Move::ToMax => RestEffect::ToMax { track: track() },
            Move::To(to) if lower::number(to) == Some(0) => RestEffect::ToZero { track: track() },
            Move::To(_) => return refuse("a row moves a track to 0 or to its maximum"),
            Move::Max(..) => return refuse("a row does not move the maximum of a track"),
            Move::Steps(sign, many) => {
                let Some(many) = lower::number(many) else { return refuse("the steps are a number") };
                if self.tracks.sizes.is_empty() {
                    let why = format!("no dice are in order, along which {} could move", of.name);
                    let instead = "write them in the section Dice: `- Dice chain: d4, d6, d8, d10, d12`";
                    return Err(Refused::new(span, why, instead));
                }
                let steps = if *sign == Sign::Plus { many } else { -many };
                RestEffect::Steps { track: track(), sizes: self.tracks.sizes.clone(), steps }
            }
            Move::By(sign, many) => {
                let number = lower::number(many);
                if number.is_none() {
                    value = Some(self.named_amount(many, span)?);
                }
                let Ok(count) = u32::try_from(number.unwrap_or(1)) else { return refuse("this is too many points") };
                match (*sign == Sign::Plus) == of.fills {
                    true => RestEffect::Marks { track: track(), count },
                    false => {
                        amount = if value.is_some() { 0 } else { i64::from(count) };
                        let Ok(formula) = parse_formula(&count.to_string()) else { return refuse("expected a number") };
                        RestEffect::Gives { track: track(), amount: formula }
                    }
                }
            }
        };
        let place = self.ledger.place(span);
        let text = format!("{column}: {}", self.ledger.sources.text(span).trim());
        let Some(row) = self.check.rows.get_mut(nth) else { return Ok(()) };
        if of.shared && of.hidden {
            // Players read the row, and not that there is such a clock.
            row.text = without(row.text.take(), &text);
        }
        row.moves.push(RowMove { effect, shared: of.shared, amount, value, fills: of.fills, text, place });
        Ok(())
    }

    /// The value of the check that says how far a track moves; what is asked for is one from then on.
    fn named_amount(&mut self, amount: &Expr, span: Span) -> Result<String, Refused> {
        let Expr::Ref(own) = amount else {
            let instead = "give it a name: ``- Value price: `6 - highest` ``, and `+{price}`";
            return Err(Refused::new(span, "a row moves a track by a number, or by a name", instead));
        };
        if let Some(value) = self.check.values.iter().find(|value| value.is(&own.name)) {
            return Ok(value.name.clone());
        }
        let named = Named { name: own.name.clone(), ..self.amount(amount, span)? };
        self.check.values.push(named);
        Ok(own.name.clone())
    }
}

/// What happens; words for people come back with the row.
fn effect(item: &Item) -> Option<&Effect> {
    match item {
        Item::Effect(own) => Some(own),
        Item::Words(_) => None,
    }
}
