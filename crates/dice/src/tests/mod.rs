//! What the specification says, line by line.

mod dialects;
mod english;
mod explanations;
mod expressions;
mod fairness;
mod formulas;
mod generate;
mod laws;
mod modifiers;
mod notation;
mod odds;
mod refusals;
mod rollers;
mod specification;
mod structured;
mod symbols;

use crate::{Code, Roll, ScriptedRoller, parse};

/// Rolls the text with these faces; every face must be used.
pub(crate) fn roll(text: &str, faces: &[i64]) -> Roll {
    let expression = parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    let mut roller = ScriptedRoller::new(faces.iter().copied());
    let roll = expression.roll(&mut roller).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    assert_eq!(roller.left(), Vec::<i64>::new(), "{text}: faces left");
    roll
}

pub(crate) fn code(text: &str) -> Code {
    match parse(text) {
        Ok(expression) => panic!("{text} was read as {expression}"),
        Err(error) => error.code,
    }
}
