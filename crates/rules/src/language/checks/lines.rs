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
use crate::grammar::names::{OWN, Thing};
use crate::grammar::tree::{Expr, Range};
use crate::language::clause::{Bullet, Clause};
use crate::language::dice::read::chain;
use crate::language::effects::Reader as Effects;
use crate::language::health::Direction;
use crate::language::ledger::{Ledger, Scope};
use crate::language::lower::{self, Refused};
use crate::language::system::System;
use crate::when::facts::Succeed;
use crate::when::{Lower, Named, When, Word};
use rollbook_dice::Formula;
use rollbook_text::diagnostic::Span;
use rollbook_text::names::{fold, same};

/// A check as far as it is read.
pub struct Reader<'s, 'l, 'a> {
    pub check: Check,
    pub system: &'s System,
    pub tracks: &'s Effects,
    pub ledger: &'l mut Ledger<'a>,
    /// Whether all of it so far can be carried out.
    pub is_whole: bool,
}

/// What a rule is read after: names of numbers before what may ask for them.
fn order(line: &CheckLine) -> u8 {
    match line {
        CheckLine::Roll(_) | CheckLine::Asks(_) => 0,
        CheckLine::Value { .. } => 1,
        CheckLine::Result(_) | CheckLine::Again(_) => 2,
        _ => 3,
    }
}

/// Something that is reported already.
fn reported() -> Refused {
    Refused::new(lower::REPORTED, "")
}

impl Reader<'_, '_, '_> {
    /// Reads the bullets, what may be asked for before what asks for it.
    pub fn read(&mut self, rules: &[(&Rule, &CheckLine)]) {
        self.check.bullets = rules.iter().map(|(rule, _)| Bullet::of(rule, self.ledger)).collect();
        let mut rules = rules.to_vec();
        rules.sort_by_key(|(_, line)| order(line));
        for (rule, line) in &rules {
            if let Err(own) = self.line(rule, line) {
                self.refuse(rule.span, &own);
            }
        }
        self.check.keep_own_values();
        self.refuse_values_before_the_roll();
    }

    /// A Value is known when the dice lie, so nothing that is rolled can name one.
    fn refuse_values_before_the_roll(&mut self) {
        let (check, span) = (&self.check, self.check.span_of("Roll"));
        let clauses = [&check.no_dice, &check.opposing].into_iter().flatten().map(|own| &own.what);
        let formulas = std::iter::once(&check.roll).chain(clauses).chain(&check.target);
        let value = formulas
            .flat_map(Formula::variables)
            .map(|own| own.name)
            .find(|name| check.values.iter().any(|own| own.symbol.is_none() && own.is(name)));
        if let Some(name) = value {
            let why = format!("`{name}` is a Value, which is known when the dice lie");
            let instead = "name what is known before: something of the sheet, or what the check asks for";
            self.refuse(span, &Refused::new(why, instead));
        }
    }

    pub fn refuse(&mut self, span: Span, own: &Refused) {
        self.is_whole = false;
        lower::refuse(span, &own.why, &own.instead, self.ledger);
    }

    fn line(&mut self, rule: &Rule, line: &CheckLine) -> Result<(), Refused> {
        let span = rule.span;
        match line {
            CheckLine::Roll(own) => {
                self.check.roll = self.formula(own, span)?;
                self.check.count_symbols(&self.system.own_dice);
            }
            CheckLine::WithNoDice(own) => self.check.no_dice = Some(self.clause(own, span)?),
            CheckLine::OpposingDice(own) => self.check.opposing = Some(self.clause(own, span)?),
            CheckLine::Result(own) => self.check.result = Some(self.result(own, span)?),
            CheckLine::Value { name, is } => {
                if OWN.iter().any(|own| same(own, name)) || self.check.asked(&fold(name)).is_some() {
                    return Err(Refused::new(format!("`{name}` is another number already"), "give it another name"));
                }
                let named = self.named(name, is, span)?;
                self.check.values.push(named);
            }
            CheckLine::Target { amount, or_less } => {
                let target = self.formula(amount, span)?;
                if !target.labelled_dice().is_empty() {
                    let instead = "roll them as opposing dice: ``- Opposing dice: `2d10` ``";
                    return Err(Refused::new("a target is a number, and this has dice", instead));
                }
                self.check.target = Some(target);
                self.check.succeed = if *or_less { Succeed::AtMost } else { Succeed::AtLeast };
            }
            CheckLine::Count(all) => {
                let weights = all.iter().map(|(range, worth)| self.weight(range, *worth, span));
                self.check.count = Some(Count { weights: weights.collect::<Result<_, _>>()? });
            }
            CheckLine::Asks(all) => all.iter().try_for_each(|own| self.ask(own))?,
            CheckLine::For(all) => self.check.for_whom.clone_from(all),
            CheckLine::Flag { name, when, after } => {
                let (name, after) = (name.clone(), after.clone());
                let when_text = when.to_string().replace('`', "");
                let when = self.lower(|lower| lower.when(when))?;
                self.check.flags.push(Flag { name, when, after, when_text, span });
            }
            CheckLine::Again(own) => {
                let own = self.follow_up(own, rule)?;
                self.check.follow_ups.push(own);
            }
            CheckLine::OnNatural { range, steps } => {
                let (instead, text) =
                    ("write `- On natural 19-20: +1 step`", format!("{}: {}", rule.label, rule.words()));
                let bounds = lower::bounds(range);
                let (low, high) = bounds.ok_or_else(|| Refused::new("expected numbers, the lower first", instead))?;
                let place = self.ledger.place(span);
                self.check.shifts.push(Shift { low, high, steps: *steps, text, place });
            }
            CheckLine::Opposed(own) => {
                if own.values().any(|name| !self.check.values.iter().any(|value| value.is(name))) {
                    let why = "what is compared is `total`, `margin`, `successes`, a symbol or a Value of the check";
                    return Err(Refused::new(why, "give it a name: ``- Value rank: `{skill}` ``, and `higher {rank}`"));
                }
                self.check.opposition = own.clone();
            }
            CheckLine::Advantage(added) => self.check.advantage = self.swap(added, span)?,
            CheckLine::Disadvantage(added) => self.check.disadvantage = self.swap(added, span)?,
            CheckLine::Chain(sizes) => {
                self.check.chain = Some(chain(sizes, span, self.ledger).ok_or_else(reported)?);
            }
            CheckLine::While(when) => self.check.while_held = Some(self.held(when)?),
            CheckLine::Costs(items) => {
                for own in items {
                    let cost = self.cost(own, span)?;
                    if cost.is_of_roll() {
                        let why = "what a check costs is known before the dice fall, and this asks for them";
                        return Err(Refused::new(why, "let a row move the track, in a column of its name"));
                    }
                    self.check.costs.push(cost);
                }
            }
        }
        Ok(())
    }

    /// A part of it that asks for what a roll shows.
    pub fn lower<T>(&self, of: impl FnOnce(&Lower<'_>) -> Result<T, &'static str>) -> Result<T, Refused> {
        let lower = Lower { values: &self.check.values, letter: &|name| self.system.own_dice.letter(name) };
        of(&lower).map_err(|why| Refused::new(why, "`rollbook explain language` has what a roll shows"))
    }

    pub fn named(&self, name: &str, is: &Expr, span: Span) -> Result<Named, Refused> {
        let what = self.lower(|lower| lower.expr(is))?;
        let (name, text, place) = (name.to_owned(), is.to_string(), self.ledger.place(span));
        Ok(Named { name, what, text, place, symbol: None })
    }

    /// What is compared in the place of the total, which the margin and who is beaten go by.
    fn result(&mut self, own: &Expr, span: Span) -> Result<Named, Refused> {
        let result = self.named(RESULT, own, span)?;
        if result.measures().iter().any(|own| own.is_one_of(&[Word::Margin, Word::Beaten])) {
            let why = "the margin and who is beaten follow from the Result";
            return Err(Refused::new(why, "work it out from `total`, `target` and what the dice show"));
        }
        Ok(result)
    }

    /// An expression that is known before the dice fall.
    fn formula(&mut self, own: &Expr, span: Span) -> Result<Formula, Refused> {
        lower::worked_out(own, &self.system.own_dice, (span, Scope::Check), self.ledger)
    }

    fn clause(&mut self, own: &Expr, span: Span) -> Result<Clause<Formula>, Refused> {
        Ok(Clause { what: self.formula(own, span)?, place: self.ledger.place(span) })
    }

    fn weight(&self, range: &Range, worth: i64, span: Span) -> Result<Weight, Refused> {
        if let Some((low, high)) = lower::bounds(range) {
            return Ok(Weight { low, high, worth, at_most: None });
        }
        let (low, most) = match range {
            Range::AtMost(most) => (Some(i64::MIN), most),
            Range::Between(low, most) => (lower::number(low), most),
            Range::AtLeast(most) | Range::Exactly(most) => (None, most),
        };
        let Some(low) = low else {
            let why = "the lowest face that counts is a number";
            return Err(Refused::new(why, "write `- Count: 6+`, or `{skill} or less`"));
        };
        Ok(Weight { low, high: i64::MAX, worth, at_most: Some(self.named("counted", most, span)?) })
    }

    fn ask(&mut self, own: &Ask) -> Result<(), Refused> {
        let system = self.system;
        let name = &own.name;
        let why = if system.named_attribute(name).is_some() || system.named_skill(name).is_some() {
            format!("`{name}` is on the sheet, and no call has to give it")
        } else if self.check.asked(&fold(name)).is_some() {
            format!("`{name}` is asked for twice")
        } else {
            self.check.asks.push(own.clone());
            return Ok(());
        };
        Err(Refused::new(why, "take it away here"))
    }

    fn swap(&mut self, added: &Added, span: Span) -> Result<Option<Added<Formula>>, Refused> {
        added.map(|own| self.formula(own, span).ok()).map(Some).ok_or_else(reported)
    }

    fn follow_up(&mut self, own: &Again, rule: &Rule) -> Result<FollowUp, Refused> {
        let span = rule.span;
        let (name, text, place) = (own.name.clone(), rule.words().to_owned(), self.ledger.place(span));
        let change = own.change.map(|amount| self.formula(amount, span))?;
        let mut adds = Vec::new();
        for (count, label) in &own.adds {
            let dice = self.check.roll.more_of(&|of| same(of, label), *count).ok_or_else(|| {
                let why = format!("no dice can be added to those called `{label}`");
                Refused::new(why, "roll them as a term of their own: `{stress}d6[stress]`")
            })?;
            adds.push((fold(label), dice));
        }
        let mut asks = Vec::new();
        for (name, low, high) in &own.asks {
            asks.push((name.clone(), self.formula(low, span)?, self.formula(high, span)?));
        }
        let only_if = own.only_if.as_ref().map(|when| self.lower(|lower| lower.when(when))).transpose()?;
        let costs = own.costs.iter().map(|cost| self.cost(cost, span)).collect::<Result<Vec<_>, _>>()?;
        if costs.iter().any(|cost| cost.from.is_none()) {
            let why = "a roll is followed without a choice of an attribute";
            return Err(Refused::new(why, "name the track: `costs Stress +1`"));
        }
        let (times, after, apart) = (own.times, own.after.clone(), own.not_with.clone());
        Ok(FollowUp { name, change, adds, costs, times, after, apart, asks, only_if, text, place })
    }

    /// ``Stress +1``, ``{attribute} -{price}``: what is paid.
    fn cost(&self, effect: &effect::Effect, span: Span) -> Result<CheckCost, Refused> {
        const INSTEAD: &str = "write `Stress +1`, ``Hit points -`{effort} * 2` `` or `{attribute} -1`";
        let effect::Effect { act: Act::Move(moved, Move::By(sign, amount)), only_if: None } = effect else {
            return Err(Refused::new("points of a track are paid, and nothing else", INSTEAD));
        };
        let from = match moved {
            Moved::Named(name) => {
                let (track, shared) = self.tracks.track(name, self.system)?;
                if (*sign == Sign::Plus) != self.fills(track, shared) {
                    return Err(Refused::new(format!("{track} is none the worse by this"), INSTEAD));
                }
                Some((track.to_owned(), shared))
            }
            Moved::Ref(own) if same(&own.name, "attribute") => {
                let is_track = |name: &str| self.tracks.track(name, self.system).is_ok_and(|(_, shared)| !shared);
                if !self.system.attributes.iter().any(|own| is_track(&own.name)) {
                    let why = "no attribute is a track that could be paid from";
                    return Err(Refused::new(why, "make it one under Health: `- Might: max {Might}`"));
                }
                None
            }
            Moved::Ref(_) | Moved::Here => return Err(Refused::new("expected a track by its name", INSTEAD)),
        };
        let amount = self.named(&amount.to_string(), amount, span)?;
        let track = from.as_ref().map_or("attribute", |(track, _)| track.as_str());
        let text = format!("{track} {sign}{}", amount.text);
        Ok(CheckCost { amount, down: *sign == Sign::Minus, from, text, place: self.ledger.place(span) })
    }

    /// Whether more of it is worse.
    fn fills(&self, track: &str, shared: bool) -> bool {
        let company = self.system.company.iter().flat_map(|company| &company.tracks);
        let own = self.system.tracks.iter().filter(|_| !shared);
        let found = own.chain(company).find(|own| same(&own.name, track));
        found.map_or_else(|| self.system.soak(track).is_some(), |own| own.counts == Direction::Up)
    }

    /// Who may make it: what somebody has, whoever calls and whatever is rolled.
    fn held(&self, own: &Condition) -> Result<When, Refused> {
        const OF_SHEET: [Thing; 5] = [Thing::Attribute, Thing::Skill, Thing::Track, Thing::Number, Thing::Condition];
        let when = self.lower(|lower| lower.when(own))?;
        let is_of_sheet = |(name, _): &(Cow<'_, str>, Option<i64>)| {
            let bare = name.strip_suffix(" max").or_else(|| name.strip_suffix(" score")).unwrap_or(name.as_ref());
            let is_declared = self.system.names.has(bare, &OF_SHEET);
            same(name, "level") || is_declared && self.system.soak(bare).is_none()
        };
        if when == When::Otherwise || !when.measures().is_empty() || !when.variables().iter().all(is_of_sheet) {
            let why = "while what is named on the sheet: conditions, and numbers in a range";
            return Err(Refused::new(why, "write `{Dying}`, `{Hit points} 0` or `{Death saves} 1+`"));
        }
        Ok(when)
    }
}
