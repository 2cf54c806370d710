//! Which conditions the rules know. A name that is a slip away from one of them is refused: two letters decide whether it does
//! anything. Another name is the GM's own, and the reply says that no rule stands behind it.

use crate::game::refusal::{Code, Refusal};
use crate::names::{Slip, listed, misspellings, near, quoted, same, slip};
use crate::rules::System;

/// Characters of the known names that a refusal lists.
const LISTED_MAX: usize = 160;

/// How a caller sends the name, so that a refusal can say what to send instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sent {
    /// `apply_conditions=["Poisoned"]`
    #[default]
    List,
    /// `condition="Poisoned"`
    Condition,
    /// `name="Poisoned"`, of an effect.
    Effect,
    /// In the text of somebody who is imported, or drawn after somebody.
    Sheet,
}

impl Sent {
    fn example(self, name: &str) -> String {
        match self {
            Sent::List => format!("Send apply_conditions=[\"{name}\"]"),
            Sent::Condition => format!("Send condition=\"{name}\""),
            Sent::Effect => format!("Send name=\"{name}\""),
            Sent::Sheet => format!("Write {name} there"),
        }
    }
}

/// Looks a condition up before it is brought. `held`: the names that need no asking any more. Answers what the reply notes of it.
///
/// # Errors
/// Of a slip of the pen, of a level where the rules have none, and of a name that no rule knows unless `free` says that it is meant.
pub fn known(system: &System, held: &[&str], text: &str, free: bool, sent: Sent) -> Result<Option<String>, Refusal> {
    let names: Vec<&str> = system.condition_names().collect();
    let is = |name: &str| names.iter().any(|known| same(known, name));
    let (name, level) = match text.trim().rsplit_once(' ') {
        Some((name, level)) if level.parse::<i64>().is_ok() => (name, Some(level)),
        _ => (text.trim(), None),
    };
    if is(text) {
        return Ok(None);
    }
    if let Some(level) = level.filter(|_| is(name)) {
        if system.condition(name).is_some_and(|rule| rule.levels.is_some()) {
            return Ok(None);
        }
        let summary =
            format!("{0} has no levels, so \"{0} {level}\" is none. {1}.", quoted(name), sent.example(&quoted(name)));
        return Err(Refusal::new(Code::InvalidParameters, summary));
    }
    if held.iter().any(|own| same(own, text)) {
        return Ok(Some(without_effect(system, text)));
    }
    // A clear slip is never meant; what is only like a name may be another word, if the caller says so.
    let clear = |known: &&str| matches!(slip(name, known), Some(Slip::Clear | Slip::Number));
    let clear: Vec<&str> = names.iter().copied().filter(clear).collect();
    let asked = !free && sent != Sent::Effect;
    let meant = if clear.is_empty() && asked { misspellings(name, names.iter().copied()) } else { clear };
    let again = level.map_or(String::new(), |level| format!(" {level}"));
    if let Some(first) = meant.first() {
        let summary = format!(
            "No condition \"{}\"; the rules know {}. {}.",
            quoted(text),
            meant.join(" and "),
            sent.example(&format!("{first}{again}"))
        );
        return Err(Refusal::new(Code::UnknownCondition, summary).near(meant.into_iter().map(str::to_owned).collect()));
    }
    if !asked || system.conditions.is_empty() {
        return Ok((sent != Sent::Effect).then(|| without_effect(system, text)));
    }
    let near = near(name, names.iter().copied());
    let first = near.first().map_or(String::new(), |first| format!(" {}, or", sent.example(first)));
    let summary = format!(
        "No rule knows the condition \"{}\"; there is {}.{first} {} free=true for one of your own, which changes no roll.",
        quoted(text),
        listed(names.iter().copied(), LISTED_MAX),
        if first.is_empty() { "Send" } else { "send" }
    );
    Err(Refusal::new(Code::UnknownCondition, summary).near(near))
}

/// What the reply says of a condition that no rule stands behind.
fn without_effect(system: &System, name: &str) -> String {
    let name = quoted(name);
    match system.conditions.is_empty() {
        true => format!(
            "{name} has no effect by the rules, which declare no conditions: it is kept and shown, and changes no roll"
        ),
        false => format!("{name} has no effect by the rules: it is kept and shown, and changes no roll"),
    }
}
