//! Reads expressions, amounts and ranges.

use super::cursor::Cursor;
use super::names::{BUILT_IN, IN_BRACES, Thing};
use super::tree::{
    Among, CHOICES, COMPARISONS, Choice, Dice, Die, EXPLOSIONS, Expr, From, Function, LETTERS,
    Measure, Mod, Op, Part, Range, Ref, WORDS, What, Which, Word,
};
use rollbook_dice::parse_formula;

/// An expression in a code span.
pub fn expr(at: &mut Cursor<'_>) -> Option<Expr> {
    at.deeper(|at| chain(at, conjunction, |at| at.words("or").map(|()| Op::Or)))
}

fn conjunction(at: &mut Cursor<'_>) -> Option<Expr> {
    chain(at, negation, |at| at.words("and").map(|()| Op::And))
}

/// A reader of a part.
type Reads<T> = fn(&mut Cursor<'_>) -> Option<T>;

/// Parts with these words or signs between them.
fn chain(at: &mut Cursor<'_>, part: Reads<Expr>, op: Reads<Op>) -> Option<Expr> {
    let mut left = part(at)?;
    while let Some(op) = op(at) {
        left = Expr::Binary(Box::new(left), op, Box::new(part(at)?));
    }
    Some(left)
}

fn negation(at: &mut Cursor<'_>) -> Option<Expr> {
    if at.words("not").is_some() {
        return at.deeper(negation).map(|part| Expr::Not(Box::new(part)));
    }
    let left = sum(at)?;
    let is_glued = at.is_glued();
    let Some(op) = comparison(at) else {
        return Some(left);
    };
    // `2d6>7` would count dice in the notation.
    if matches!(left, Expr::Dice(_)) && is_glued {
        return at.miss("brackets around the dice that are compared");
    }
    Some(Expr::Binary(Box::new(left), op, Box::new(sum(at)?)))
}

fn comparison(at: &mut Cursor<'_>) -> Option<Op> {
    COMPARISONS.iter().find_map(|(signs, op, _)| {
        at.attempt(|at| {
            signs
                .iter()
                .enumerate()
                .try_for_each(|(nth, sign)| match nth {
                    0 => at.sign(*sign),
                    _ => at.glued(*sign),
                })
        })?;
        Some(*op)
    })
}

fn signed(at: &mut Cursor<'_>, signs: [(char, Op); 2]) -> Option<Op> {
    signs
        .iter()
        .find_map(|(sign, op)| at.sign(*sign).map(|()| *op))
}

fn sum(at: &mut Cursor<'_>) -> Option<Expr> {
    chain(at, product, |at| {
        signed(at, [('+', Op::Add), ('-', Op::Subtract)])
    })
}

fn product(at: &mut Cursor<'_>) -> Option<Expr> {
    chain(at, unary, |at| {
        signed(at, [('*', Op::Multiply), ('/', Op::Divide)])
    })
}

fn unary(at: &mut Cursor<'_>) -> Option<Expr> {
    match at.sign('-') {
        Some(()) => atom(at).map(|atom| Expr::Minus(Box::new(atom))),
        None => atom(at),
    }
}

fn atom(at: &mut Cursor<'_>) -> Option<Expr> {
    // Brackets are read once, whether dice follow them or not.
    let held = at
        .attempt(brackets)
        .or_else(|| at.attempt(in_braces).map(Expr::Ref));
    if let Some(inner) = held {
        let dice = at.attempt(|at| dice_after_count(at, inner.clone()));
        return Some(dice.map_or(inner, |dice| Expr::Dice(Box::new(dice))));
    }
    if at.is_at('(') {
        return None;
    }
    if at.is_at('{') {
        return at.attempt(group);
    }
    at.attempt(call)
        .or_else(|| at.attempt(measure).map(Expr::Measure))
        .or_else(|| at.attempt(dice).map(|dice| Expr::Dice(Box::new(dice))))
        .or_else(|| at.number().map(Expr::Number))
}

fn brackets(at: &mut Cursor<'_>) -> Option<Expr> {
    at.sign('(')?;
    let inner = expr(at)?;
    at.sign(')')?;
    Some(inner)
}

fn call(at: &mut Cursor<'_>) -> Option<Expr> {
    let function = at.one_of(&Function::NAMED.map(|function| (function.as_str(), function)))?;
    at.glued('(')?;
    let mut all = vec![expr(at)?];
    while at.sign(',').is_some() {
        all.push(expr(at)?);
    }
    if !function.takes(all.len()) {
        return at.miss("as many numbers as the function takes");
    }
    at.sign(')')?;
    Some(Expr::Call(function, all))
}

fn group(at: &mut Cursor<'_>) -> Option<Expr> {
    at.sign('{')?;
    let mut all = vec![expr(at)?];
    at.sign(',')?;
    all.push(expr(at)?);
    while at.sign(',').is_some() {
        all.push(expr(at)?);
    }
    at.sign('}')?;
    Some(Expr::Group(all, modifiers(at)?))
}

/// `{target Armour}`, `{Hit points max}`, `{bonus=0}`.
pub fn in_braces(at: &mut Cursor<'_>) -> Option<Ref> {
    at.sign('{')?;
    let of_target = at.words("target").is_some();
    let name = at
        .attempt(|at| at.name(&IN_BRACES, "a declared name"))
        .or_else(|| {
            let names = BUILT_IN.map(|name| (name, name));
            at.one_of(&names).map(str::to_owned)
        })?;
    let part = at
        .one_of(&[("max", Part::Max), ("score", Part::Score)])
        .unwrap_or_default();
    let default = match at.sign('=') {
        Some(()) => Some(whole_number(at)?),
        None => None,
    };
    at.sign('}')?;
    Some(Ref {
        of_target,
        name,
        part,
        default,
    })
}

/// A number with its sign.
pub fn whole_number(at: &mut Cursor<'_>) -> Option<i64> {
    match at.sign('-') {
        Some(()) => at.number().map(|number| -number),
        None => at.number(),
    }
}

/// One kind of dice, with their modifiers and label.
pub fn dice(at: &mut Cursor<'_>) -> Option<Dice> {
    let counted = |at: &mut Cursor<'_>| {
        let count = count(at)?;
        dice_after_count(at, count)
    };
    let alone = |at: &mut Cursor<'_>| {
        let name = at.attempt(|at| at.name(&[Thing::Die], "a die"));
        let die = name.map(Die::Named).or_else(|| sides(at))?;
        with_modifiers(at, None, die)
    };
    at.attempt(counted).or_else(|| at.attempt(alone))
}

/// The dice after their count: `2 Talent`, but `2d6`.
fn dice_after_count(at: &mut Cursor<'_>, count: Expr) -> Option<Dice> {
    let die = match at.attempt(|at| at.name(&[Thing::Die], "a die")) {
        Some(name) => Die::Named(name),
        None if at.is_glued() => sides(at)?,
        None => return at.miss("dice"),
    };
    with_modifiers(at, Some(count), die)
}

/// Adds modifiers and the label.
fn with_modifiers(at: &mut Cursor<'_>, count: Option<Expr>, die: Die) -> Option<Dice> {
    let mods = modifiers(at)?;
    let label = at.attempt(|at| {
        at.glued('[')?;
        let label = at.new_name("a label")?;
        at.sign(']')?;
        Some(label)
    });
    Some(Dice {
        count,
        die,
        mods,
        label,
    })
}

/// How many: a number, a name or brackets.
fn count(at: &mut Cursor<'_>) -> Option<Expr> {
    at.attempt(in_braces)
        .map(Expr::Ref)
        .or_else(|| at.attempt(brackets))
        .or_else(|| at.number().map(Expr::Number))
}

/// `d6`, `d%`, `dF`, `d{Nerve}`.
fn sides(at: &mut Cursor<'_>) -> Option<Die> {
    if at.attempt(|at| at.letters(&["df"])).is_some() {
        return Some(Die::Fudge);
    }
    at.letters(&["d"])?;
    if !at.is_glued() {
        return at.miss("the sides of the die");
    }
    match at.glued('%') {
        Some(()) => Some(Die::Percent),
        None => count(at).map(Die::Sides),
    }
}

/// The modifiers that touch the dice before them.
fn modifiers(at: &mut Cursor<'_>) -> Option<Vec<Mod>> {
    let mut all = Vec::new();
    while at.is_glued() {
        let word = match at.attempt(|at| at.glued('!')) {
            Some(()) if at.attempt(|at| at.glued('!')).is_some() => "!!",
            Some(()) => {
                let letter = if at.is_glued() {
                    at.attempt(|at| at.letters(&["o", "p"]))
                } else {
                    None
                };
                let letter = letter.unwrap_or_default();
                EXPLOSIONS
                    .iter()
                    .find(|(follows, _)| *follows == letter)
                    .map_or("!", |(_, word)| word)
            }
            None => match at.attempt(|at| at.letters(&LETTERS)) {
                Some(word) => word,
                None => break,
            },
        };
        let compared = if at.is_glued() { comparison(at) } else { None };
        let number = if at.is_glued() {
            at.attempt(count)
        } else {
            None
        };
        if compared.is_some() && number.is_none() {
            return at.miss("a number");
        }
        all.push(Mod {
            word,
            compared,
            number,
        });
    }
    Some(all)
}

/// `total`, `hunger 10s`, `size(dropped 2+)`. A name that is both a label and a symbol is a label where something follows it.
/// Named dice have their name as a label.
pub fn measure(at: &mut Cursor<'_>) -> Option<Measure> {
    let labelled = |at: &mut Cursor<'_>| {
        let label = at.name(&[Thing::Label, Thing::Die], "a label of dice")?;
        match what(at)? {
            What::Word(word) if !word.is_of_dice() => at.miss("what these dice show"),
            what => Some(Measure {
                label: Some(label),
                what,
            }),
        }
    };
    let of_roll = |at: &mut Cursor<'_>| match what(at)? {
        What::Word(Word::Dominates) => at.miss("a label before `dominates`"),
        what => Some(Measure { label: None, what }),
    };
    at.attempt(labelled).or_else(|| of_roll(at))
}

fn what(at: &mut Cursor<'_>) -> Option<What> {
    let of = at.attempt(|at| {
        let choice = at.one_of(&CHOICES)?;
        at.glued('(')?;
        let among = among(at, choice)?;
        at.sign(')')?;
        Some(What::Of(choice, Box::new(among)))
    });
    of.or_else(|| at.attempt(face).map(What::Face))
        .or_else(|| at.one_of(&WORDS).map(What::Word))
        .or_else(|| {
            at.name(&[Thing::Symbol], "what a roll shows")
                .map(What::Symbol)
        })
}

/// `6s`: a face.
pub fn face(at: &mut Cursor<'_>) -> Option<i64> {
    let face = at.number()?;
    if !at.is_glued() {
        return at.miss("`s`");
    }
    at.letters(&["s"]).map(|_| face)
}

fn among(at: &mut Cursor<'_>, choice: Choice) -> Option<Among> {
    let words = match choice {
        Choice::Size => [("natural", Among::Natural)].as_slice(),
        Choice::Width | Choice::Height => &[("second", Among::Set(2)), ("third", Among::Set(3))],
        Choice::Digit => &[("tens", Among::Tens), ("units", Among::Units)],
        Choice::Count | Choice::Sum => &[],
    };
    if let Some((_, among)) = words.iter().find(|(word, _)| at.words(word).is_some()) {
        return Some(among.clone());
    }
    if choice == Choice::Digit {
        return None;
    }
    let from = at.one_of(&[("all", From::All), ("dropped", From::Dropped)]);
    let which = at.attempt(
        |at| match at.one_of(&[("highest", true), ("lowest", false)]) {
            Some(true) => amount(at).map(Which::Highest),
            Some(false) => amount(at).map(Which::Lowest),
            None => range(at).map(Which::Showing),
        },
    );
    if from.is_none() && which.is_none() {
        return at.miss("which dice");
    }
    Some(Among::Dice {
        from: from.unwrap_or_default(),
        which,
    })
}

/// A number, dice, a name in braces or an expression in backticks.
pub fn amount(at: &mut Cursor<'_>) -> Option<Expr> {
    let negative = |at: &mut Cursor<'_>| {
        at.sign('-')?;
        if !at.is_glued() {
            return at.miss("a number");
        }
        at.number().map(|number| Expr::Number(-number))
    };
    at.attempt(in_code)
        .or_else(|| at.attempt(dice).map(|dice| Expr::Dice(Box::new(dice))))
        .or_else(|| at.attempt(in_braces).map(Expr::Ref))
        .or_else(|| at.attempt(negative))
        .or_else(|| at.number().map(Expr::Number))
}

/// An expression in backticks.
pub fn in_code(at: &mut Cursor<'_>) -> Option<Expr> {
    at.open()?;
    let inner = expr(at)?;
    at.close()?;
    Some(inner)
}

/// `10+`, `6 or less`, `7-9`, `-3 to -1`, `6`.
pub fn range(at: &mut Cursor<'_>) -> Option<Range> {
    let low = amount(at)?;
    if at.glued('+').is_some() {
        return Some(Range::AtLeast(low));
    }
    if at.words("or less").is_some() {
        return Some(Range::AtMost(low));
    }
    let high = at.attempt(|at| {
        at.words("to").or_else(|| at.sign('-'))?;
        amount(at)
    });
    Some(match high {
        Some(Expr::Number(high)) if matches!(low, Expr::Number(low) if low > high) => {
            return at.miss("the lower number first");
        }
        Some(high) => Range::Between(low, high),
        None => Range::Exactly(low),
    })
}

/// The number, if the expression has the same one always.
pub fn constant(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::Number(number) => Some(*number),
        expr => parse_formula(&expr.in_notation())
            .ok()?
            .bind(&mut |_| None)
            .ok()?
            .constant(),
    }
}

/// The ends of a range of numbers; `i64::MIN` or `i64::MAX` where it has no end.
pub fn bounds(range: &Range) -> Option<(i64, i64)> {
    let (low, high) = match range {
        Range::Exactly(end) => (constant(end)?, constant(end)?),
        Range::AtLeast(end) => (constant(end)?, i64::MAX),
        Range::AtMost(end) => (i64::MIN, constant(end)?),
        Range::Between(low, high) => (constant(low)?, constant(high)?),
    };
    (low <= high).then_some((low, high))
}

/// A range whose ends are numbers.
pub fn numbers(at: &mut Cursor<'_>) -> Option<(i64, i64)> {
    let range = range(at)?;
    bounds(&range).or_else(|| at.miss("numbers, the lower first"))
}

/// A range with two ends, such as that of scores.
pub fn two_numbers(at: &mut Cursor<'_>) -> Option<(i64, i64)> {
    let range = range(at)?;
    two_ends(at, &range)
}

/// The two ends of a range that was read.
pub fn two_ends(at: &mut Cursor<'_>, range: &Range) -> Option<(i64, i64)> {
    let found = bounds(range).filter(|(low, high)| *low != i64::MIN && *high != i64::MAX);
    found.or_else(|| at.miss("two numbers, such as 3 to 20"))
}
