//! Dice.

use crate::grammar::cursor::Cursor;
use crate::grammar::effect::{Sign, signed};
use crate::grammar::expr::{self, in_code};
use crate::grammar::line::{
    Added, Cards, DiceLine, DifficultyValue, Line, Rank, SHOWINGS, ShowingPolicy,
};
use crate::grammar::names::Thing;
use crate::grammar::tree::{Dice, Die, Expr};
use rollbook_dice::Side;

/// The size of one plain die: `d6`.
fn size(at: &mut Cursor<'_>) -> Option<i64> {
    match expr::dice(at)? {
        Dice {
            count: None,
            die: Die::Sides(Expr::Number(sides)),
            mods,
            label: None,
        } if mods.is_empty() => Some(sides),
        Dice {
            count: None,
            die: Die::Percent,
            mods,
            label: None,
        } if mods.is_empty() => Some(100),
        _ => at.miss("a die, such as d6"),
    }
}

pub fn sizes(at: &mut Cursor<'_>) -> Option<Line> {
    if at.words("any").is_some() {
        return Some(Line::Dice(DiceLine::Sizes(None)));
    }
    at.list(size)
        .map(|all| Line::Dice(DiceLine::Sizes(Some(all))))
}

/// The sizes of a chain.
pub fn steps(at: &mut Cursor<'_>) -> Option<Vec<i64>> {
    let all = at.list(size)?;
    if all.is_sorted_by(|one, next| one < next) {
        Some(all)
    } else {
        at.miss("dice from the smallest to the largest")
    }
}

/// A face: a number, letters of declared symbols, or blank.
fn face(at: &mut Cursor<'_>) -> Option<Side> {
    if at.words("blank").is_some() {
        return Some(Side::default());
    }
    if let Some(number) = at.attempt(expr::whole_number) {
        return Some(Side {
            number: Some(number),
            symbols: String::new(),
        });
    }
    at.new_name("a face").map(|letters| Side {
        number: None,
        symbols: letters.to_uppercase(),
    })
}

pub fn die(at: &mut Cursor<'_>, name: String) -> Option<Line> {
    at.list(face)
        .map(|faces| Line::Dice(DiceLine::Die { name, faces }))
}

pub fn deck(at: &mut Cursor<'_>, name: String) -> Option<Line> {
    let numbers = |at: &mut Cursor<'_>| {
        let low = at.number()?;
        let high = if at.sign('-').is_some() {
            at.number()?
        } else {
            low
        };
        Some(Rank::Numbers(low, high))
    };
    let with_suits = at.attempt(|at| {
        let ranks = at.run(|at| {
            at.attempt(numbers)
                .or_else(|| at.new_kind().map(Rank::Letter))
        })?;
        at.words("of")?;
        Some((ranks, vec![at.new_name("a suit")?]))
    });
    let (mut suits, mut more, mut stay_out) = (Vec::new(), Vec::new(), None);
    let ranks = match with_suits {
        Some((ranks, first)) => {
            suits = first;
            ranks
        }
        // `sun, moon, 3 stars`, `1-10, 2 storms`
        None => {
            let card = |at: &mut Cursor<'_>| {
                if at.words("drawn cards").is_some() {
                    return None;
                }
                let many = at.attempt(|at| at.number().zip(at.new_name("a card")));
                if let Some(many) = many {
                    more.push(many);
                    return Some(None);
                }
                at.attempt(numbers)
                    .or_else(|| at.new_name("a rank").map(Rank::Letter))
                    .map(Some)
            };
            at.run(card)?.into_iter().flatten().collect()
        }
    };
    while at.separator().is_some() {
        if at.words("drawn cards stay out").is_some() {
            stay_out = Some(at.after("until", |at| {
                let number = at.attempt(Cursor::number).map(|rank| rank.to_string());
                number.or_else(|| at.name(&[Thing::Symbol], "a card of the deck"))
            })?);
            break;
        }
        match at.attempt(Cursor::number) {
            Some(count) => more.push((count, at.new_name("a card")?)),
            None => suits.push(at.new_name("a suit")?),
        }
    }
    Some(Line::Dice(DiceLine::Deck {
        name,
        cards: Cards {
            ranks,
            suits,
            more,
            stay_out,
        },
    }))
}

fn letter(name: &str) -> Option<char> {
    let mut letters = name.trim().chars();
    letters
        .next()
        .filter(|_| letters.next().is_none())
        .map(|letter| letter.to_ascii_uppercase())
}

/// `Symbol S: success`
pub fn symbol(at: &mut Cursor<'_>, name: String) -> Option<Line> {
    let Some(letter) = letter(&name) else {
        return at.miss("one letter as the symbol's label");
    };
    at.new_name("a name")
        .map(|name| Line::Dice(DiceLine::Symbol { letter, name }))
}

pub fn cancel(at: &mut Cursor<'_>) -> Option<Line> {
    let pair = |at: &mut Cursor<'_>| {
        let one = at.new_kind().and_then(|name| letter(&name))?;
        at.words("against")?;
        let other = at.new_kind().and_then(|name| letter(&name))?;
        Some((one, other))
    };
    at.list(pair).map(|all| Line::Dice(DiceLine::Cancel(all)))
}

pub fn difficulty(at: &mut Cursor<'_>, name: String) -> Option<Line> {
    to_reach(at).map(|is| Line::Dice(DiceLine::Difficulty { name, is }))
}

/// A number, or the label of a row.
pub fn to_reach(at: &mut Cursor<'_>) -> Option<DifficultyValue> {
    let row = at.attempt(|at| at.name(&[Thing::Outcome], "the label of an outcome"));
    row.map(DifficultyValue::Row)
        .or_else(|| expr::whole_number(at).map(DifficultyValue::Number))
}

/// `none` or `+1d4`; with `whole` also a whole roll.
pub fn added(at: &mut Cursor<'_>, whole: bool) -> Option<Added> {
    if at.words("none").is_some() {
        return Some(Added::None);
    }
    if let Some((sign, amount)) = at.attempt(signed) {
        return Some(Added::Amount(if sign == Sign::Minus {
            amount.negative()
        } else {
            amount
        }));
    }
    if whole {
        in_code(at).map(Added::Roll)
    } else {
        None
    }
}

pub fn visibility(at: &mut Cursor<'_>) -> Option<Line> {
    let mut policy = ShowingPolicy::default();
    at.list(|at| {
        let whose = [
            ("player rolls", (true, false)),
            ("npc rolls", (false, true)),
            ("all rolls", (true, true)),
        ];
        let ((players, others), shown) = (at.one_of(&whose)?, at.one_of(&SHOWINGS)?);
        policy.players = if players { shown } else { policy.players };
        policy.others = if others { shown } else { policy.others };
        Some(())
    })?;
    Some(Line::Dice(DiceLine::Visibility(policy)))
}
