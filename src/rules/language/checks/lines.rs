//! The bullets of one check.

use super::asks::{Asked, AskedFrom};
use super::check::{Check, Flag, RESULT, Shift};
use super::count::{Count, Weight};
use super::follow_up::{FollowUp, FollowUpChange, Points};
use super::opposition::{Compared, Comparison, Opposition, Ties};
use super::outcome::Outcome;
use super::price::Added;
use super::some_dice::SomeDice;
use crate::diagnostic::Span;
use crate::dice::Formula;
use crate::names::{fold, same};
use crate::rules::grammar::effect::Sign;
use crate::rules::grammar::file::Rule;
use crate::rules::grammar::line::{
    self, Again, AgainChange, AgainOption, Ask, CheckLine, Failures, OpposedBy, OpposedQuantity,
};
use crate::rules::grammar::names::OWN;
use crate::rules::grammar::tree::{Expr, Measure, Op, Range, What, Word};
use crate::rules::language::clause::Clause;
use crate::rules::language::dice::read::chain;
use crate::rules::language::dice::{OwnSwap, Swap};
use crate::rules::language::ledger::{Ledger, Scope};
use crate::rules::language::lower;
use crate::rules::language::system::System;
use crate::rules::when::facts::Succeed;
use crate::rules::when::{Lower, Named};

/// A check as far as its bullets are read.
pub struct Lines<'s, 'l, 'a> {
    check: Check,
    system: &'s System,
    ledger: &'l mut Ledger<'a>,
    /// Whether every line so far can be carried out.
    is_whole: bool,
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

impl<'s, 'l, 'a> Lines<'s, 'l, 'a> {
    pub fn new(check: Check, system: &'s System, ledger: &'l mut Ledger<'a>) -> Self {
        Self { check, system, ledger, is_whole: true }
    }

    /// The check, and whether all of it can be carried out.
    pub fn end(self) -> (Check, bool) {
        (self.check, self.is_whole)
    }

    /// Reads them, what may be asked for before what asks for it.
    pub fn read(&mut self, rules: &[(&Rule, &CheckLine)]) {
        let mut rules = rules.to_vec();
        rules.sort_by_key(|(_, line)| order(line));
        for (rule, line) in rules.iter().copied() {
            if self.line(rule, line).is_none() {
                self.is_whole = false;
            }
        }
        self.check.keep_own_values();
        self.refuse_values_before_the_roll(&rules);
    }

    /// A Value is known when the dice lie, so nothing that is rolled can name one.
    fn refuse_values_before_the_roll(&mut self, rules: &[(&Rule, &CheckLine)]) {
        let check = &self.check;
        let clauses = [&check.no_dice, &check.opposing].into_iter().flatten().map(|own| &own.what);
        let formulas = std::iter::once(&check.roll).chain(clauses).chain(&check.target);
        let names = formulas.flat_map(Formula::variables).map(|own| own.name);
        let value = names.into_iter().find(|name| check.values.iter().any(|own| own.symbol.is_none() && own.is(name)));
        let roll = rules.iter().find(|(_, line)| matches!(line, CheckLine::Roll(_)));
        if let Some((name, (rule, _))) = value.zip(roll) {
            let why = format!("`{name}` is a Value, which is known when the dice lie");
            self.refuse(
                rule.span,
                &why,
                "name what is known before: something of the sheet, or what the check asks for",
            );
        }
    }

    fn refuse(&mut self, span: Span, why: &str, instead: &str) {
        self.is_whole = false;
        lower::refuse(span, why, instead, self.ledger);
    }

    fn line(&mut self, rule: &Rule, line: &CheckLine) -> Option<()> {
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
                if OWN.iter().any(|own| same(own, name)) || self.check.asks.iter().any(|own| same(&own.name, name)) {
                    self.refuse(span, &format!("`{name}` is another number already"), "give it another name");
                    return None;
                }
                let named = self.named(name, is, span)?;
                self.check.values.push(named);
            }
            CheckLine::Target { amount, or_less } => {
                let target = self.formula(amount, span)?;
                if !target.labelled_dice().is_empty() {
                    self.refuse(
                        span,
                        "a target is a number, and this has dice",
                        "roll them as opposing dice: ``- Opposing dice: `2d10` ``",
                    );
                    return None;
                }
                self.check.target = Some(target);
                self.check.succeed = if *or_less { Succeed::AtMost } else { Succeed::AtLeast };
            }
            CheckLine::Count(all) => {
                let place = self.ledger.place(span);
                let weights = all.iter().map(|(range, worth)| self.weight(range, *worth, span));
                self.check.count = Some(Count { weights: weights.collect::<Option<_>>()?, place });
            }
            CheckLine::Asks(all) => all.iter().try_for_each(|own| self.ask(own, span))?,
            CheckLine::For(all) => self.check.for_whom.clone_from(all),
            CheckLine::Flag { name, when, after } => {
                let when = self.lower(span, |lower| lower.when(when))?;
                let (after, place) = (after.clone(), self.ledger.place(span));
                let when_text = flag_words(&rule.words, after.is_some());
                self.check.flags.push(Flag { name: name.clone(), when, after, when_text, place, span });
            }
            CheckLine::Again(own) => {
                let own = self.follow_up(own, rule)?;
                self.check.follow_ups.push(own);
            }
            CheckLine::OnNatural { range, sign, steps } => {
                let Some((low, high)) = lower::bounds(range) else {
                    self.refuse(span, "expected numbers, the lower first", "write `- On natural 19-20: +1 step`");
                    return None;
                };
                let steps = if *sign == Sign::Minus { -steps } else { *steps };
                let shift = Shift { low, high, steps, text: String::new(), place: self.ledger.place(span) };
                let text = format!("On natural {}: {}", shift.range(), rule.words);
                self.check.shifts.push(Shift { text, ..shift });
            }
            CheckLine::Opposed { by, ties, failures } => {
                self.check.opposition = self.opposition((by, *ties, *failures), rule)?;
            }
            CheckLine::Advantage(added) => self.check.advantage = self.swap(added, span)?,
            CheckLine::Disadvantage(added) => self.check.disadvantage = self.swap(added, span)?,
            CheckLine::Chain(sizes) => {
                let chain = chain(sizes, span, self.ledger)?;
                self.check.chain = Some(chain);
            }
            // Read when all tracks and conditions are known.
            CheckLine::While(_) | CheckLine::Costs(_) => {}
        }
        Some(())
    }

    /// A part of it that asks for what a roll shows.
    fn lower<T>(&mut self, span: Span, of: impl FnOnce(&Lower<'_>) -> Result<T, &'static str>) -> Option<T> {
        let own = &self.system.own_dice;
        let lower = Lower { values: &self.check.values, letter: &|name| own.letter(name) };
        match of(&lower) {
            Ok(found) => Some(found),
            Err(why) => {
                self.refuse(span, why, "`rollbook explain language` has what a roll shows");
                None
            }
        }
    }

    fn named(&mut self, name: &str, is: &Expr, span: Span) -> Option<Named> {
        let what = self.lower(span, |lower| lower.expr(is))?;
        let place = self.ledger.place(span);
        Some(Named { name: name.to_owned(), what, text: is.to_string(), place, symbol: None })
    }

    /// What is compared in the place of the total, which the margin and who is beaten go by.
    fn result(&mut self, own: &Expr, span: Span) -> Option<Named> {
        let result = self.named(RESULT, own, span)?;
        if result.measures().iter().any(|own| own.is_one_of(&[Word::Margin, Word::Beaten])) {
            let why = "the margin and who is beaten follow from the Result";
            self.refuse(span, why, "work it out from `total`, `target` and what the dice show");
            return None;
        }
        Some(result)
    }

    /// An expression that is known before the dice fall.
    fn formula(&mut self, own: &Expr, span: Span) -> Option<Formula> {
        lower::formula(own, &self.system.own_dice, (span, Scope::Check), self.ledger)
    }

    fn clause(&mut self, own: &Expr, span: Span) -> Option<Clause<Formula>> {
        let what = self.formula(own, span)?;
        Some(Clause { what, place: self.ledger.place(span) })
    }

    fn weight(&mut self, range: &Range, worth: i64, span: Span) -> Option<Weight> {
        if let Some((low, high)) = lower::bounds(range) {
            return Some(Weight { low, high, worth, at_most: None });
        }
        let (low, most) = match range {
            Range::AtMost(most) => (i64::MIN, most),
            Range::Between(low, most) if lower::number(low).is_some() => (lower::number(low)?, most),
            _ => {
                let why = "the lowest face that counts is a number";
                self.refuse(span, why, "write `- Count: 6+`, or `{skill} or less`");
                return None;
            }
        };
        let most = self.named("counted", most, span)?;
        Some(Weight { low, high: i64::MAX, worth, at_most: Some(most) })
    }

    fn ask(&mut self, own: &Ask, span: Span) -> Option<()> {
        let from = match &own.from {
            line::Asked::Range(range) => match lower::bounds(range) {
                Some((low, high)) if low != i64::MIN && high != i64::MAX => AskedFrom::Range(low, high),
                _ => {
                    self.refuse(span, "expected two numbers, the lower first", "write `- Asks: pool 1 to 20`");
                    return None;
                }
            },
            line::Asked::Dice => AskedFrom::Dice,
            line::Asked::Attributes => AskedFrom::Attributes,
            line::Asked::Skills => AskedFrom::Skills,
        };
        let system = self.system;
        let is_on_sheet = system.named_attribute(&own.name).is_some() || system.named_skill(&own.name).is_some();
        if is_on_sheet || self.check.asks.iter().any(|other| same(&other.name, &own.name)) {
            let why = match is_on_sheet {
                true => format!("`{}` is on the sheet, and no call has to give it", own.name),
                false => format!("`{}` is asked for twice", own.name),
            };
            self.refuse(span, &why, "take it away here");
            return None;
        }
        self.check.asks.push(Asked { name: own.name.clone(), from, place: self.ledger.place(span), span });
        Some(())
    }

    fn swap(&mut self, added: &line::Added, span: Span) -> Option<OwnSwap> {
        let (own, adds) = match added {
            line::Added::None => return Some(OwnSwap::Nothing),
            line::Added::Amount(Sign::Plus, own) => (own.clone(), true),
            line::Added::Amount(Sign::Minus, own) => (minus(own), true),
            line::Added::Roll(own) => (own.clone(), false),
        };
        let roll = self.formula(&own, span)?;
        Some(OwnSwap::By(Swap { roll, adds, place: Some(self.ledger.place(span)), assumed: false }))
    }

    fn opposition(
        &mut self,
        (by, ties, failures): (&[OpposedBy], Option<line::Ties>, Option<Failures>),
        rule: &Rule,
    ) -> Option<Opposition> {
        let mut all: Vec<Comparison> = Vec::new();
        let mut succeeds = false;
        for own in by {
            let (what, low) = match own {
                OpposedBy::Success => {
                    succeeds = true;
                    continue;
                }
                OpposedBy::BetterOutcome => (Compared::Outcome, false),
                OpposedBy::Higher(own) => (self.compared(own, rule.span)?, false),
                OpposedBy::Lower(own) => (self.compared(own, rule.span)?, true),
            };
            all.push(Comparison { what, low, succeeds });
        }
        let Some(leading) = all.first() else {
            let why = "of two who succeed something has to decide";
            self.refuse(rule.span, why, "write `- Opposed: success, higher total`");
            return None;
        };
        let heeds_failure = leading.succeeds || leading.what == Compared::Outcome;
        let ties = match ties {
            Some(line::Ties::Actor) => Ties::Actor,
            Some(line::Ties::Other) => Ties::Other,
            Some(line::Ties::Again) => Ties::Again,
            Some(line::Ties::Nobody) | None => Ties::Nobody,
        };
        let failures = failures.map_or(!heeds_failure, |own| own == Failures::Compared);
        let text = rule.words.trim().trim_end_matches('.').replace(['{', '}'], "");
        Some(Opposition { by: all, ties, failures, text, place: Some(self.ledger.place(rule.span)) })
    }

    fn compared(&mut self, own: &OpposedQuantity, span: Span) -> Option<Compared> {
        let named = |name: &str| self.check.values.iter().find(|value| value.is(name));
        let plain = |what: &What| match what {
            What::Word(Word::Total) => Some(Compared::Total),
            What::Word(Word::Margin) => Some(Compared::Margin),
            What::Word(Word::Successes) => Some(Compared::Successes),
            What::Symbol(name) => named(name).map(|own| Compared::Value(own.name.clone())),
            What::Word(_) | What::Face(_) | What::Of(..) => None,
        };
        let found = match own {
            OpposedQuantity::Roll(Measure { label: None, what }) => plain(what),
            OpposedQuantity::Roll(_) => None,
            OpposedQuantity::Sheet(own) => named(&own.name).map(|own| Compared::Value(own.name.clone())),
        };
        if found.is_none() {
            let why = "what is compared is `total`, `margin`, `successes`, a symbol or a Value of the check";
            self.refuse(span, why, "give it a name: ``- Value rank: `{skill}` ``, and `higher {rank}`");
        }
        found
    }

    fn follow_up(&mut self, own: &Again, rule: &Rule) -> Option<FollowUp> {
        let span = rule.span;
        let change = match &own.change {
            AgainChange::RerollAll => FollowUpChange::Reroll { dice: None, stay: false },
            AgainChange::RerollAllBut(dice) => FollowUpChange::Reroll { dice: Some(some_dice(dice)), stay: true },
            AgainChange::Reroll(dice) => FollowUpChange::Reroll { dice: Some(some_dice(dice)), stay: false },
            AgainChange::Add(amount) => FollowUpChange::Add { amount: self.formula(amount, span)?, off: false },
            AgainChange::Subtract(amount) => FollowUpChange::Add { amount: self.formula(amount, span)?, off: true },
            AgainChange::Set(amount) => FollowUpChange::Set { amount: self.formula(amount, span)? },
        };
        let mut follow_up = FollowUp {
            name: own.name.clone(),
            change,
            adds: Vec::new(),
            costs: Vec::new(),
            times: Some(1),
            after: Vec::new(),
            apart: Vec::new(),
            asks: Vec::new(),
            only_if: None,
            text: rule.words.clone(),
            place: self.ledger.place(span),
            span,
        };
        own.options.iter().try_for_each(|option| self.option(option, &mut follow_up))?;
        Some(follow_up)
    }

    fn option(&mut self, option: &AgainOption, own: &mut FollowUp) -> Option<()> {
        match option {
            // Read when all tracks are known.
            AgainOption::Costs(_) => {}
            AgainOption::Adds { count, label } => {
                let Some(dice) = self.check.roll.more_of(&|of| same(of, label), *count) else {
                    let why = format!("no dice can be added to those called `{label}`");
                    self.refuse(own.span, &why, "roll them as a term of their own: `{stress}d6[stress]`");
                    return None;
                };
                own.adds.push(Added { label: fold(label), dice });
            }
            AgainOption::After(all) => {
                for name in all {
                    let Some(outcome) = Outcome::named(name) else {
                        let why = format!("`{name}` is a row, and a roll is followed after an outcome");
                        self.refuse(own.span, &why, "name one of the five: `after failure, critical failure`");
                        return None;
                    };
                    own.after.push(outcome);
                }
            }
            AgainOption::Asks(ask) => {
                let range = match &ask.from {
                    line::Asked::Range(Range::Between(low, high)) => Some((low, high)),
                    line::Asked::Range(Range::Exactly(own)) => Some((own, own)),
                    _ => None,
                };
                let Some((low, high)) = range else {
                    self.refuse(own.span, "expected how many there may be", "write `asks points 1 to {Luck}`");
                    return None;
                };
                let range = (self.formula(low, own.span)?, self.formula(high, own.span)?);
                own.asks.push(Points { name: ask.name.clone(), range });
            }
            AgainOption::If(when) => {
                let what = self.lower(own.span, |lower| lower.when(when))?;
                own.only_if = Some(Clause { what, place: own.place.clone() });
            }
            AgainOption::NotWith(name) => own.apart.push(name.clone()),
            AgainOption::Twice => own.times = Some(2),
            AgainOption::AnyNumber => own.times = None,
        }
        Some(())
    }
}

fn minus(own: &Expr) -> Expr {
    Expr::Binary(Box::new(Expr::Number(0)), Op::Subtract, Box::new(own.clone()))
}

fn some_dice(all: &[line::Faces]) -> Vec<SomeDice> {
    all.iter().map(|own| SomeDice { label: own.label.as_deref().map(fold), face: own.face }).collect()
}

/// A flag's condition as it is written, without the rule that it follows.
fn flag_words(words: &str, follows: bool) -> String {
    let when = words.rsplit_once([';', ',']).filter(|_| follows).map_or(words, |(when, _)| when);
    when.trim().replace('`', "")
}
