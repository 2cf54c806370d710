//! Checks: how uncertain things are resolved.

use super::check_cost::CheckCost;
use super::count::Count;
use super::follow_up::FollowUp;
use crate::grammar::dealt::Dealt;
use crate::grammar::line::{Added, Ask, For};
use crate::grammar::opposed::Opposition;
use crate::grammar::outcome::Outcome;
use crate::grammar::tree::Expr;
use crate::language::clause::{Bullet, Clause};
use crate::language::dice::DiceChain;
use crate::language::effects::Effect;
use crate::when::facts::Succeed;
use crate::when::{NamedNumber, When};
use rollbook_dice::{DiceError, Die, Expression, Formula, Mode, parse_formula};
use rollbook_text::diagnostic::{Place, Span};
use rollbook_text::names::{fold, same};

/// How one kind of uncertain thing is resolved: the roll, the target, the outcomes.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// As the author writes it; "Check" for an assumed one.
    pub name: String,
    pub roll: Formula,
    /// What is rolled instead where the roll has no dice, or fewer than none.
    pub no_dice: Option<Clause<Formula>>,
    /// Dice that the total is compared with, one by one.
    pub opposing: Option<Clause<Formula>>,
    /// The number to compare with; none where the total alone decides.
    pub target: Option<Formula>,
    /// Which side of the target is good.
    pub succeed: Succeed,
    /// What counts as a success. Then successes, not the total, are compared with the target.
    pub count: Option<Count>,
    /// What is compared instead of the total.
    pub result: Option<NamedNumber>,
    /// The uses for which it is taken where a call names no check.
    pub for_whom: Vec<For>,
    /// Natural faces that move the outcome.
    pub shifts: Vec<Shift>,
    /// What advantage adds, or rolls instead.
    pub advantage: Option<Added<Formula>>,
    /// What disadvantage adds, or rolls instead.
    pub disadvantage: Option<Added<Formula>>,
    /// The dice chain of its main die; none: that of the Dice section.
    pub chain: Option<DiceChain>,
    /// How two rolls against each other are decided.
    pub opposition: Opposition,
    /// The values that each call gives.
    pub asks: Vec<Ask>,
    pub costs: Vec<CheckCost>,
    /// Named numbers of a roll: one for each symbol on its dice, then the author's, in order.
    pub values: Vec<NamedNumber>,
    /// Letters of symbols that cancel each other, in the author's order.
    pub cancels: Vec<(char, char)>,
    /// Conditions beside the outcome.
    pub flags: Vec<Flag>,
    /// What may be done after a roll of this check.
    pub follow_ups: Vec<FollowUp>,
    /// What must be true of the character who makes it.
    pub only_while: Option<When>,
    /// The outcome table, in the author's order; empty: margin 0+ is a success, else a failure.
    pub rows: Vec<Row>,
    /// Its bullets, in the author's order.
    pub bullets: Vec<Bullet>,
    /// The author's words before the bullets; may be empty.
    pub about: String,
    /// Whether it comes from a sentence and defaults instead of a check in the file.
    pub assumed: bool,
    pub place: Place,
    pub span: Span,
}

impl Check {
    /// What the check itself does for advantage or disadvantage.
    pub fn swap_line(&self, mode: Mode) -> Option<&Added<Formula>> {
        match mode {
            Mode::Advantage => self.advantage.as_ref(),
            Mode::Disadvantage => self.disadvantage.as_ref(),
        }
    }

    /// The bullet with this label.
    pub fn bullet(&self, label: &str) -> Option<&Bullet> {
        self.bullets
            .iter()
            .find(|bullet| same(&bullet.label, label))
    }

    /// The span of this bullet, else of the check.
    pub fn span_of(&self, label: &str) -> Span {
        self.bullet(label).map_or(self.span, |bullet| bullet.span)
    }

    /// The asked value with this folded name.
    pub fn asked(&self, name: &str) -> Option<&Ask> {
        self.asks.iter().find(|ask| fold(&ask.name) == name)
    }

    /// What decides between two rolls against each other, in words.
    pub fn opposition_words(&self) -> String {
        let text = self
            .bullet("Opposed")
            .map_or("better outcome, higher margin", |bullet| {
                bullet.text.as_str()
            });
        text.replace(['{', '}'], "")
    }

    /// The names that it looks up on its target, each once, as declared.
    pub fn target_names(&self) -> Vec<String> {
        let all = self.variables();
        all.iter()
            .filter_map(|name| target_name(name))
            .map(str::to_owned)
            .collect()
    }

    /// A difficulty for examples that its dice reach: 3/4 of their maximum, or two successes.
    pub fn example_difficulty(&self) -> i64 {
        let bind = |number: i64| self.roll.bind(&mut |_| Some(number)).ok();
        let dice = bind(0)
            .filter(|dice| dice.main_count() > 0)
            .or_else(|| bind(PROBE));
        let counts = self.count.is_some() || dice.as_ref().is_some_and(Expression::counts);
        match dice.and_then(|dice| dice.greatest()) {
            Some(most) if most > 0 && !counts => (most.saturating_mul(3).saturating_add(2)) / 4,
            _ => 2,
        }
    }
}

/// The name of a check's Result among its values.
pub const RESULT: &str = "Result";

/// `Armour` of a name such as `target Armour`; none of other names.
pub fn target_name(name: &str) -> Option<&str> {
    let (first, rest) = name.split_at_checked(OF_TARGET.len())?;
    first.eq_ignore_ascii_case(OF_TARGET).then_some(rest)
}

/// The beginning of names that are looked up on the target.
const OF_TARGET: &str = "target ";

/// The value of variables where only the dice of an expression matter.
pub const PROBE: i64 = 6;

/// One row of an outcome table.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The author's word: "Strong hit".
    pub label: String,
    /// One of the outcomes that all systems share.
    pub canonical: Outcome,
    pub when: When,
    /// [`Self::when`] in the author's words.
    pub when_text: String,
    /// The text of the other columns, if any.
    pub text: Option<String>,
    /// Effects on the character who rolls, and on the company.
    pub moves: Vec<Effect>,
    /// What it does to the damage of an attack, if it has that column.
    pub damage: Option<Dealt>,
    /// The conditions that the target gains, with their levels.
    pub effects: Vec<String>,
    pub place: Place,
    pub span: Span,
}

impl Check {
    /// A check with a roll and nothing else.
    pub(crate) fn new(name: &str, roll: Formula, place: Place, span: Span) -> Self {
        Self {
            name: name.to_owned(),
            roll,
            no_dice: None,
            opposing: None,
            target: None,
            succeed: Succeed::AtLeast,
            count: None,
            result: None,
            for_whom: Vec::new(),
            shifts: Vec::new(),
            advantage: None,
            disadvantage: None,
            chain: None,
            opposition: Opposition::default(),
            asks: Vec::new(),
            costs: Vec::new(),
            values: Vec::new(),
            cancels: Vec::new(),
            flags: Vec::new(),
            follow_ups: Vec::new(),
            only_while: None,
            rows: Vec::new(),
            bullets: Vec::new(),
            about: String::new(),
            assumed: false,
            place,
            span,
        }
    }

    /// The die that advantage replaces: the first of the Roll. None when the roll has no dice.
    pub fn main_die(&self) -> Option<Die> {
        self.roll.bind(&mut |_| Some(PROBE)).ok()?.main_die()
    }

    /// What a row does to an attack's damage; if the table has no such column, a success deals it.
    pub fn deals(&self, rank: Option<u32>, outcome: Outcome) -> Dealt {
        match self.row(rank) {
            Some(row) if self.rows.iter().any(|row| row.damage.is_some()) => {
                row.damage.clone().unwrap_or(Dealt::None)
            }
            // An opposed check is decided by the other side, not by a row.
            Some(_) | None => Dealt::by_outcome(outcome),
        }
    }

    /// The row at this place of the table, from 1.
    pub fn row(&self, rank: Option<u32>) -> Option<&Row> {
        self.rows.get(usize::try_from(rank?.checked_sub(1)?).ok()?)
    }

    /// The place in the table of the first row with this label, from 1.
    pub fn rank_of(&self, label: &str) -> Option<u32> {
        let at = self.rows.iter().position(|row| same(&row.label, label))?;
        u32::try_from(at + 1).ok()
    }

    /// Whether its main die is a single die of this many sides.
    pub fn rolls_one_die(&self, sides: u32) -> bool {
        let is_main = |die: Option<Die>| match die {
            Some(Die::Sides(of)) => of == sides,
            Some(Die::Percent) => sides == 100,
            Some(_) | None => false,
        };
        let is_so =
            |expression: Expression| expression.main_count() == 1 && is_main(expression.main_die());
        let dice = self.roll.labelled_dice();
        let may = dice
            .into_iter()
            .any(|(_, die)| die.is_none() || is_main(die));
        may && self.roll.bind(&mut |_| Some(PROBE)).is_ok_and(is_so)
    }

    /// The outcomes that the check can have, the worst first.
    pub fn outcomes(&self) -> Vec<Outcome> {
        let mut outcomes: Vec<Outcome> = match self.rows.is_empty() {
            true => vec![Outcome::Failure, Outcome::Success],
            false => self.rows.iter().map(|row| row.canonical).collect(),
        };
        outcomes.sort_unstable();
        outcomes.dedup();
        outcomes
    }
}

/// A condition beside the outcome: glitch, messy, match.
#[derive(Debug, Clone, PartialEq)]
pub struct Flag {
    /// As the author writes it.
    pub name: String,
    pub when: When,
    /// The rule for again that must have followed the roll, as declared: `after Push`.
    pub after: Option<String>,
    /// [`Self::when`] in the author's words.
    pub when_text: String,
    pub span: Span,
}

/// A natural face that moves the outcome: `On natural 20: +1 step`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shift {
    /// The lowest face that moves it.
    pub low: i64,
    /// The highest face that moves it.
    pub high: i64,
    /// Steps among the outcomes of the table; positive is better.
    pub steps: i64,
    /// The author's words: "On natural 20: +1 step".
    pub text: String,
    pub place: Place,
}

impl Shift {
    /// Whether this face moves the outcome.
    pub fn is_by(&self, natural: i64) -> bool {
        (self.low..=self.high).contains(&natural)
    }
}

impl Dealt {
    /// What an outcome deals where no row has a column of damage.
    pub fn by_outcome(outcome: Outcome) -> Dealt {
        if outcome >= Outcome::Success {
            Dealt::Once
        } else {
            Dealt::None
        }
    }
}

/// The damage of a row, with the attack's damage for `{damage}`.
///
/// # Errors
/// When the result is no valid notation.
pub fn row_formula(dealt: &Expr, damage: &Expression) -> Result<Formula, DiceError> {
    parse_formula(
        &dealt
            .in_notation()
            .replace("{damage}", &format!("({damage})")),
    )
}
