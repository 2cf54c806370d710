//! How uncertain things are resolved.

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
use crate::when::{Named, When};
use rollbook_dice::{DiceError, Die, Expression, Formula, Mode, parse_formula};
use rollbook_text::diagnostic::{Place, Span};
use rollbook_text::names::{fold, same};

/// How one kind of uncertain thing is resolved: what is rolled, what it must reach, what comes of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// Name as the author writes it; "Check" for an assumed one.
    pub name: String,
    /// What is rolled.
    pub roll: Formula,
    /// What is rolled instead when the roll asks for no dice, or for fewer.
    pub no_dice: Option<Clause<Formula>>,
    /// Dice that the total is compared with, each by itself.
    pub opposing: Option<Clause<Formula>>,
    /// What it is compared with; none when the total alone decides.
    pub target: Option<Formula>,
    /// Which side of the target is good.
    pub succeed: Succeed,
    /// What counts as a success; with it successes, not the total, are compared with the target.
    pub count: Option<Count>,
    /// What is compared in the place of the total.
    pub result: Option<Named>,
    /// Which calls take it that name no check.
    pub for_whom: Vec<For>,
    /// Natural faces that move the outcome.
    pub shifts: Vec<Shift>,
    /// What advantage adds, or puts in the place of its Roll.
    pub advantage: Option<Added<Formula>>,
    /// What disadvantage does.
    pub disadvantage: Option<Added<Formula>>,
    /// The dice along which a call may move its main die; none: those of the Dice section.
    pub chain: Option<DiceChain>,
    /// How it is decided where two roll against each other.
    pub opposition: Opposition,
    /// What each call gives.
    pub asks: Vec<Ask>,
    /// What making it costs.
    pub costs: Vec<CheckCost>,
    /// Numbers with a name that a roll comes to: of each symbol on its dice, then in the author's order.
    pub values: Vec<Named>,
    /// Letters of symbols that take each other away, in the author's order.
    pub cancels: Vec<(char, char)>,
    /// What can be true beside the outcome.
    pub flags: Vec<Flag>,
    /// What may be done with a roll of this check.
    pub follow_ups: Vec<FollowUp>,
    /// What must hold of the sheet of who makes it; none: everybody may.
    pub while_held: Option<When>,
    /// The outcome table, in the author's order; empty: margin 0+ is a success, anything else a failure.
    pub rows: Vec<Row>,
    /// Its bullets, in the author's order.
    pub bullets: Vec<Bullet>,
    /// The author's words before the bullets; may be empty.
    pub about: String,
    /// Whether it comes from prose and stated defaults rather than from a check of its own.
    pub assumed: bool,
    /// Where it stands.
    pub place: Place,
    /// Where it stands, in bytes.
    pub span: Span,
}

impl Check {
    /// What it says itself of advantage, or of disadvantage.
    pub fn own_swap(&self, mode: Mode) -> Option<&Added<Formula>> {
        match mode {
            Mode::Advantage => self.advantage.as_ref(),
            Mode::Disadvantage => self.disadvantage.as_ref(),
        }
    }

    /// The bullet with this label.
    pub fn bullet(&self, label: &str) -> Option<&Bullet> {
        self.bullets.iter().find(|own| same(&own.label, label))
    }

    /// Where that stands, else where the check does.
    pub fn span_of(&self, label: &str) -> Span {
        self.bullet(label).map_or(self.span, |own| own.span)
    }

    /// What its Asks bullet says of a name, folded.
    pub fn asked(&self, name: &str) -> Option<&Ask> {
        self.asks.iter().find(|own| fold(&own.name) == name)
    }

    /// What decides where two roll it against each other, in words.
    pub fn decided_by(&self) -> String {
        let text = self.bullet("Opposed").map_or("better outcome, higher margin", |own| own.text.as_str());
        text.replace(['{', '}'], "")
    }

    /// The names that it asks of its target, each once, as they are declared.
    pub fn target_names(&self) -> Vec<String> {
        let all = self.variables();
        all.iter().filter_map(|name| of_target(name)).map(str::to_owned).collect()
    }

    /// A number that its dice reach now and then, to show what a difficulty looks like: three quarters of the most they can show,
    /// and of successes two.
    pub fn example_difficulty(&self) -> i64 {
        let bind = |number: i64| self.roll.bind(&mut |_| Some(number)).ok();
        let dice = bind(0).filter(|dice| dice.main_count() > 0).or_else(|| bind(PROBE));
        let counts = self.count.is_some() || dice.as_ref().is_some_and(Expression::counts);
        match dice.and_then(|dice| dice.greatest()) {
            Some(most) if most > 0 && !counts => (most.saturating_mul(3).saturating_add(2)) / 4,
            _ => 2,
        }
    }
}

/// What its Result is called beside its values.
pub const RESULT: &str = "Result";

/// What is asked of the target, of a name such as `target Armour`; none of any other.
pub fn of_target(name: &str) -> Option<&str> {
    let (first, rest) = name.split_at_checked(OF_TARGET.len())?;
    first.eq_ignore_ascii_case(OF_TARGET).then_some(rest)
}

/// How a name begins that is asked of the target.
const OF_TARGET: &str = "target ";

/// What variables stand for when only the dice of an expression are asked for.
pub const PROBE: i64 = 6;

/// One row of an outcome table.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The author's word for it: "Strong hit".
    pub label: String,
    /// What every system calls it.
    pub canonical: Outcome,
    /// When it holds.
    pub when: When,
    /// When it holds, in the author's words.
    pub when_text: String,
    /// What the other columns say; none when there are none or they are empty.
    pub text: Option<String>,
    /// What the row brings upon the one who rolls, and what it does to what all share.
    pub moves: Vec<Effect>,
    /// What it does to the damage of an attack, where it says so.
    pub damage: Option<Dealt>,
    /// The conditions that it brings upon the target, with their levels.
    pub effects: Vec<String>,
    /// Where it stands.
    pub place: Place,
    /// Where it stands, in bytes.
    pub span: Span,
}

impl Check {
    /// A check of which nothing is known yet but what is rolled.
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
            while_held: None,
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

    /// What this row does to the damage of an attack: what the author says; where no row says anything, a success deals it.
    pub fn deals(&self, rank: Option<u32>, outcome: Outcome) -> Dealt {
        match self.row(rank) {
            Some(row) if self.rows.iter().any(|row| row.damage.is_some()) => row.damage.clone().unwrap_or(Dealt::None),
            // An opposed check is decided by the other side, not by a row.
            Some(_) | None => Dealt::by_outcome(outcome),
        }
    }

    /// The row at that place of the table, from 1.
    pub fn row(&self, rank: Option<u32>) -> Option<&Row> {
        self.rows.get(usize::try_from(rank?.checked_sub(1)?).ok()?)
    }

    /// The place in the table of the first row with this label, from 1.
    pub fn rank_of(&self, label: &str) -> Option<u32> {
        let at = self.rows.iter().position(|row| same(&row.label, label))?;
        u32::try_from(at + 1).ok()
    }

    /// Whether its main die is a d20, which makes the system one of the d20 family.
    pub fn rolls_d20(&self) -> bool {
        self.main_die() == Some(Die::Sides(20))
    }

    /// Whether its main die is a single d20, which advantage makes two of unasked.
    pub fn rolls_one_d20(&self) -> bool {
        self.rolls_one(20)
    }

    /// Whether its main die is a single die of that many sides.
    pub fn rolls_one(&self, sides: u32) -> bool {
        let is_main = |die: Option<Die>| match die {
            Some(Die::Sides(own)) => own == sides,
            Some(Die::Percent) => sides == 100,
            Some(_) | None => false,
        };
        let is_so = |expression: Expression| expression.main_count() == 1 && is_main(expression.main_die());
        let dice = self.roll.labelled_dice();
        let may = dice.into_iter().any(|(_, die)| die.is_none() || is_main(die));
        may && self.roll.bind(&mut |_| Some(PROBE)).is_ok_and(is_so)
    }

    /// Whether it rolls so many dice of so many sides, always, and no others.
    pub fn rolls_dice(&self, count: usize, sides: u32) -> bool {
        let counts = |dice: Expression| usize::try_from(dice.main_count()) == Ok(count);
        let is_so = |probe: i64| self.roll.bind(&mut |_| Some(probe)).is_ok_and(counts);
        self.roll.labelled_dice().len() == 1
            && self.main_die() == Some(Die::Sides(sides))
            && is_so(PROBE)
            && is_so(PROBE + 1)
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

/// A condition beside the outcome: glitch, messy, match. `Flag glitch: ones at least dice / 2`.
#[derive(Debug, Clone, PartialEq)]
pub struct Flag {
    /// Name as the author writes it.
    pub name: String,
    /// When it is raised.
    pub when: When,
    /// The rule that the roll must have been followed by: `after Push`; named as it is declared.
    pub after: Option<String>,
    /// The same in the author's words.
    pub when_text: String,
    /// Where it stands, in bytes.
    pub span: Span,
}

/// A natural face that moves the outcome: `On natural 20: one step better`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shift {
    /// Lowest face that does.
    pub low: i64,
    /// Highest face that does.
    pub high: i64,
    /// Steps among the outcomes of the table; above zero is better.
    pub steps: i64,
    /// The author's words: "On natural 20: one step better".
    pub text: String,
    /// Where it stands.
    pub place: Place,
}

impl Shift {
    /// Whether this face moves the outcome.
    pub fn is_by(&self, natural: i64) -> bool {
        (self.low..=self.high).contains(&natural)
    }
}

impl Dealt {
    /// What an outcome deals where no row says anything: a success deals it.
    pub fn by_outcome(outcome: Outcome) -> Dealt {
        if outcome >= Outcome::Success { Dealt::Once } else { Dealt::None }
    }
}

/// What a row deals, with the attack's damage in the place of `{damage}`.
///
/// # Errors
/// When they are no dice together.
pub fn row_formula(own: &Expr, damage: &Expression) -> Result<Formula, DiceError> {
    parse_formula(&own.in_notation().replace("{damage}", &format!("({damage})")))
}
