//! The bullets of one check.

use std::borrow::Cow;

use super::check::{Check, Flag, RESULT, Shift};
use super::check_cost::CheckCost;
use super::count::{Count, Weight};
use super::follow_up::FollowUp;
use crate::grammar::again::Again;
use crate::grammar::condition::Condition;
use crate::grammar::effect::{self, Act, Move, Moved, Sign};
use crate::grammar::file::Rule;
use crate::grammar::line::{Added, Ask, CheckLine};
use crate::grammar::names::{BUILT_IN, Thing};
use crate::grammar::tree::{Expr, Range};
use crate::language::clause::{Bullet, Clause};
use crate::language::dice::read::chain;
use crate::language::effects::Reader as Effects;
use crate::language::health::Direction;
use crate::language::ledger::{Ledger, Scope};
use crate::language::lowering::{self, Refused};
use crate::language::system::System;
use crate::when::facts::Succeed;
use crate::when::{Lowering, NamedNumber, When, Word};
use rollbook_dice::Formula;
use rollbook_text::diagnostic::Span;
use rollbook_text::names::{fold, same};

/// Builds a check of its lines.
pub struct Reader<'s, 'l, 'a> {
    pub check: Check,
    pub system: &'s System,
    pub tracks: &'s Effects,
    pub ledger: &'l mut Ledger<'a>,
    /// Whether every line so far can be carried out.
    pub is_whole: bool,
}

/// The order of reading: names of numbers before the lines that may use them.
fn order(line: &CheckLine) -> u8 {
    match line {
        CheckLine::Roll(_) | CheckLine::Asks(_) => 0,
        CheckLine::Value { .. } => 1,
        CheckLine::Result(_) | CheckLine::Again(_) => 2,
        _ => 3,
    }
}

/// A refusal that is reported already.
fn reported_already() -> Refused {
    Refused::new(lowering::REPORTED, "")
}

impl Reader<'_, '_, '_> {
    /// Reads the bullets, names before their uses.
    pub fn read(&mut self, rules: &[(&Rule, &CheckLine)]) {
        self.check.bullets = rules
            .iter()
            .map(|(rule, _)| Bullet::new(rule, self.ledger))
            .collect();
        let mut rules = rules.to_vec();
        rules.sort_by_key(|(_, line)| order(line));
        for (rule, line) in &rules {
            if let Err(refused) = self.line(rule, line) {
                self.refuse(rule.span, &refused);
            }
        }
        self.check.drop_replaced_symbols();
        self.refuse_values_before_the_roll();
    }

    /// A Value is known after the roll, so no roll can name one.
    fn refuse_values_before_the_roll(&mut self) {
        let (check, span) = (&self.check, self.check.span_of("Roll"));
        let clauses = [&check.no_dice, &check.opposing]
            .into_iter()
            .flatten()
            .map(|clause| &clause.what);
        let formulas = std::iter::once(&check.roll)
            .chain(clauses)
            .chain(&check.target);
        let is_value = |name: &String| {
            check
                .values
                .iter()
                .any(|value| value.symbol.is_none() && value.is(name))
        };
        let name = formulas
            .flat_map(Formula::variables)
            .map(|variable| variable.name)
            .find(is_value);
        if let Some(name) = name {
            let why = format!("`{name}` is a Value, which is known when the dice lie");
            let instead =
                "name what is known before: something of the sheet, or what the check asks for";
            self.refuse(span, &Refused::new(why, instead));
        }
    }

    pub fn refuse(&mut self, span: Span, refused: &Refused) {
        self.is_whole = false;
        lowering::refuse(span, &refused.why, &refused.instead, self.ledger);
    }

    fn line(&mut self, rule: &Rule, line: &CheckLine) -> Result<(), Refused> {
        let span = rule.span;
        match line {
            CheckLine::Roll(roll) => {
                self.check.roll = self.formula(roll, span)?;
                self.check.count_symbols(&self.system.named_dice);
            }
            CheckLine::WithNoDice(roll) => self.check.no_dice = Some(self.clause(roll, span)?),
            CheckLine::OpposingDice(roll) => self.check.opposing = Some(self.clause(roll, span)?),
            CheckLine::Result(result) => self.check.result = Some(self.result(result, span)?),
            CheckLine::Value { name, is } => {
                if BUILT_IN.iter().any(|reserved| same(reserved, name))
                    || self.check.asked(&fold(name)).is_some()
                {
                    return Err(Refused::new(
                        format!("`{name}` is another number already"),
                        "give it another name",
                    ));
                }
                let named = self.named(name, is, span)?;
                self.check.values.push(named);
            }
            CheckLine::Target { amount, or_less } => {
                let target = self.formula(amount, span)?;
                if !target.labelled_dice().is_empty() {
                    let instead = "roll them as opposing dice: ``- Opposing dice: `2d10` ``";
                    return Err(Refused::new(
                        "a target is a number, and this has dice",
                        instead,
                    ));
                }
                self.check.target = Some(target);
                self.check.succeed = if *or_less {
                    Succeed::AtMost
                } else {
                    Succeed::AtLeast
                };
            }
            CheckLine::Count(all) => {
                let weights = all
                    .iter()
                    .map(|(range, worth)| self.weight(range, *worth, span));
                self.check.count = Some(Count {
                    weights: weights.collect::<Result<_, _>>()?,
                });
            }
            CheckLine::Asks(all) => all.iter().try_for_each(|ask| self.ask(ask))?,
            CheckLine::For(all) => self.check.for_whom.clone_from(all),
            CheckLine::Flag { name, when, after } => {
                let (name, after) = (name.clone(), after.clone());
                let when_text = when.to_string().replace('`', "");
                let when = self.lower(|lower| lower.when(when))?;
                self.check.flags.push(Flag {
                    name,
                    when,
                    after,
                    when_text,
                    span,
                });
            }
            CheckLine::Again(again) => {
                let follow_up = self.follow_up(again, rule)?;
                self.check.follow_ups.push(follow_up);
            }
            CheckLine::OnNatural { range, steps } => {
                let (instead, text) = (
                    "write `- On natural 19-20: +1 step`",
                    format!("{}: {}", rule.label, rule.words()),
                );
                let bounds = lowering::bounds(range);
                let (low, high) = bounds
                    .ok_or_else(|| Refused::new("expected numbers, the lower first", instead))?;
                let place = self.ledger.place(span);
                self.check.shifts.push(Shift {
                    low,
                    high,
                    steps: *steps,
                    text,
                    place,
                });
            }
            CheckLine::Opposed(opposition) => {
                if opposition
                    .values()
                    .any(|name| !self.check.values.iter().any(|value| value.is(name)))
                {
                    let why = "what is compared is `total`, `margin`, `successes`, a symbol or a Value of the check";
                    return Err(Refused::new(
                        why,
                        "give it a name: ``- Value rank: `{skill}` ``, and `higher {rank}`",
                    ));
                }
                self.check.opposition = opposition.clone();
            }
            CheckLine::Advantage(added) => self.check.advantage = self.swap(added, span)?,
            CheckLine::Disadvantage(added) => self.check.disadvantage = self.swap(added, span)?,
            CheckLine::Chain(sizes) => {
                self.check.chain =
                    Some(chain(sizes, span, self.ledger).ok_or_else(reported_already)?);
            }
            CheckLine::While(when) => self.check.only_while = Some(self.while_condition(when)?),
            CheckLine::Costs(items) => {
                for item in items {
                    let cost = self.cost(item, span)?;
                    if cost.is_of_roll() {
                        let why = "what a check costs is known before the dice fall, and this asks for them";
                        return Err(Refused::new(
                            why,
                            "let a row move the track, in a column of its name",
                        ));
                    }
                    self.check.costs.push(cost);
                }
            }
        }
        Ok(())
    }

    /// Lowers a part that may use measures of the roll.
    pub fn lower<T>(
        &self,
        of: impl FnOnce(&Lowering<'_>) -> Result<T, &'static str>,
    ) -> Result<T, Refused> {
        let lower = Lowering {
            values: &self.check.values,
            letter: &|name| self.system.named_dice.letter(name),
        };
        of(&lower)
            .map_err(|why| Refused::new(why, "`rollbook explain language` has what a roll shows"))
    }

    pub fn named(&self, name: &str, is: &Expr, span: Span) -> Result<NamedNumber, Refused> {
        let what = self.lower(|lower| lower.expr(is))?;
        let (name, text, place) = (name.to_owned(), is.to_string(), self.ledger.place(span));
        Ok(NamedNumber {
            name,
            what,
            text,
            place,
            symbol: None,
        })
    }

    /// Compared instead of the total. It decides `margin` and `beaten`, so it cannot use them.
    fn result(&mut self, result: &Expr, span: Span) -> Result<NamedNumber, Refused> {
        let result = self.named(RESULT, result, span)?;
        if result
            .measures()
            .iter()
            .any(|measure| measure.is_one_of(&[Word::Margin, Word::Beaten]))
        {
            let why = "the margin and who is beaten follow from the Result";
            return Err(Refused::new(
                why,
                "work it out from `total`, `target` and what the dice show",
            ));
        }
        Ok(result)
    }

    /// A formula that is known before the roll.
    fn formula(&mut self, expr: &Expr, span: Span) -> Result<Formula, Refused> {
        lowering::try_formula(
            expr,
            &self.system.named_dice,
            (span, Scope::Check),
            self.ledger,
        )
    }

    fn clause(&mut self, expr: &Expr, span: Span) -> Result<Clause<Formula>, Refused> {
        Ok(Clause {
            what: self.formula(expr, span)?,
            place: self.ledger.place(span),
        })
    }

    fn weight(&self, range: &Range, worth: i64, span: Span) -> Result<Weight, Refused> {
        if let Some((low, high)) = lowering::bounds(range) {
            return Ok(Weight {
                low,
                high,
                worth,
                at_most: None,
            });
        }
        let (low, most) = match range {
            Range::AtMost(most) => (Some(i64::MIN), most),
            Range::Between(low, most) => (lowering::number(low), most),
            Range::AtLeast(most) | Range::Exactly(most) => (None, most),
        };
        let Some(low) = low else {
            let why = "the lowest face that counts is a number";
            return Err(Refused::new(
                why,
                "write `- Count: 6+`, or `{skill} or less`",
            ));
        };
        Ok(Weight {
            low,
            high: i64::MAX,
            worth,
            at_most: Some(self.named("counted", most, span)?),
        })
    }

    fn ask(&mut self, ask: &Ask) -> Result<(), Refused> {
        let system = self.system;
        let name = &ask.name;
        let why = if system.named_attribute(name).is_some() || system.named_skill(name).is_some() {
            format!("`{name}` is on the sheet, and no call has to give it")
        } else if self.check.asked(&fold(name)).is_some() {
            format!("`{name}` is asked for twice")
        } else {
            self.check.asks.push(ask.clone());
            return Ok(());
        };
        Err(Refused::new(why, "take it away here"))
    }

    fn swap(&mut self, added: &Added, span: Span) -> Result<Option<Added<Formula>>, Refused> {
        added
            .map(|dice| self.formula(dice, span).ok())
            .map(Some)
            .ok_or_else(reported_already)
    }

    fn follow_up(&mut self, again: &Again, rule: &Rule) -> Result<FollowUp, Refused> {
        let span = rule.span;
        let (name, text, place) = (
            again.name.clone(),
            rule.words().to_owned(),
            self.ledger.place(span),
        );
        let change = again.change.map(|amount| self.formula(amount, span))?;
        let mut adds = Vec::new();
        for (count, label) in &again.adds {
            let dice = self
                .check
                .roll
                .more_of(&|of| same(of, label), *count)
                .ok_or_else(|| {
                    let why = format!("no dice can be added to those called `{label}`");
                    Refused::new(
                        why,
                        "roll them as a term of their own: `{stress}d6[stress]`",
                    )
                })?;
            adds.push((fold(label), dice));
        }
        let mut asks = Vec::new();
        for (name, low, high) in &again.asks {
            asks.push((
                name.clone(),
                self.formula(low, span)?,
                self.formula(high, span)?,
            ));
        }
        let only_if = again
            .only_if
            .as_ref()
            .map(|when| self.lower(|lower| lower.when(when)))
            .transpose()?;
        let costs = again
            .costs
            .iter()
            .map(|cost| self.cost(cost, span))
            .collect::<Result<Vec<_>, _>>()?;
        if costs.iter().any(|cost| cost.from.is_none()) {
            let why = "a roll is followed without a choice of an attribute";
            return Err(Refused::new(why, "name the track: `costs Stress +1`"));
        }
        let (times, after, apart) = (again.times, again.after.clone(), again.not_with.clone());
        Ok(FollowUp {
            name,
            change,
            adds,
            costs,
            times,
            after,
            not_with: apart,
            asks,
            only_if,
            text,
            place,
        })
    }

    /// ``Stress +1``, ``{attribute} -{price}``: a cost.
    fn cost(&self, effect: &effect::Effect, span: Span) -> Result<CheckCost, Refused> {
        const INSTEAD: &str =
            "write `Stress +1`, ``Hit points -`{effort} * 2` `` or `{attribute} -1`";
        let effect::Effect {
            act: Act::Move(moved, Move::By(sign, amount)),
            only_if: None,
        } = effect
        else {
            return Err(Refused::new(
                "points of a track are paid, and nothing else",
                INSTEAD,
            ));
        };
        let from = match moved {
            Moved::Named(name) => {
                let (track, shared) = self.tracks.track(name, self.system)?;
                if (*sign == Sign::Plus) != self.counts_up(track, shared) {
                    return Err(Refused::new(
                        format!("{track} is none the worse by this"),
                        INSTEAD,
                    ));
                }
                Some((track.to_owned(), shared))
            }
            Moved::Ref(chosen) if same(&chosen.name, "attribute") => {
                let is_track = |name: &str| {
                    self.tracks
                        .track(name, self.system)
                        .is_ok_and(|(_, shared)| !shared)
                };
                if !self
                    .system
                    .attributes
                    .iter()
                    .any(|attribute| is_track(&attribute.name))
                {
                    let why = "no attribute is a track that could be paid from";
                    return Err(Refused::new(
                        why,
                        "make it one under Health: `- Might: max {Might}`",
                    ));
                }
                None
            }
            Moved::Ref(_) | Moved::Here => {
                return Err(Refused::new("expected a track by its name", INSTEAD));
            }
        };
        let amount = self.named(&amount.to_string(), amount, span)?;
        let track = from
            .as_ref()
            .map_or("attribute", |(track, _)| track.as_str());
        let text = format!("{track} {sign}{}", amount.text);
        Ok(CheckCost {
            amount,
            down: *sign == Sign::Minus,
            from,
            text,
            place: self.ledger.place(span),
        })
    }

    /// Whether harm adds to the track.
    fn counts_up(&self, track: &str, shared: bool) -> bool {
        let company = self
            .system
            .company
            .iter()
            .flat_map(|company| &company.tracks);
        let tracks = self.system.tracks.iter().filter(|_| !shared);
        let found = tracks.chain(company).find(|found| same(&found.name, track));
        found.map_or_else(
            || self.system.soak(track).is_some(),
            |found| found.counts == Direction::Up,
        )
    }

    /// The While bullet, which may use names on the sheet alone.
    fn while_condition(&self, condition: &Condition) -> Result<When, Refused> {
        const OF_SHEET: [Thing; 5] = [
            Thing::Attribute,
            Thing::Skill,
            Thing::Track,
            Thing::Number,
            Thing::Condition,
        ];
        let when = self.lower(|lower| lower.when(condition))?;
        let is_of_sheet = |(name, _): &(Cow<'_, str>, Option<i64>)| {
            let bare = name
                .strip_suffix(" max")
                .or_else(|| name.strip_suffix(" score"))
                .unwrap_or(name.as_ref());
            let is_declared = self.system.names.has(bare, &OF_SHEET);
            same(name, "level") || is_declared && self.system.soak(bare).is_none()
        };
        if when == When::Otherwise
            || !when.measures().is_empty()
            || !when.variables().iter().all(is_of_sheet)
        {
            let why = "while what is named on the sheet: conditions, and numbers in a range";
            return Err(Refused::new(
                why,
                "write `{Dying}`, `{Hit points} 0` or `{Death saves} 1+`",
            ));
        }
        Ok(when)
    }
}
