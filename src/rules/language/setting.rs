//! Bullets that say something of all scores, skills or conditions, and are no name of one: `- Max: 6`, `- Rank: 0 to 5`,
//! `- Duration: 3 rounds`.
//!
//! They are read as nothing, since a score called "Max" would be a rule lost. The help says how a real one of that name is written.

use super::declaration::Declaration;
use super::labels::is_mechanical;
use super::range;
use crate::diagnostic::{Diagnostic, Fix};
use crate::names::fold;
use crate::rules::codes;

/// How far scores go.
const BOUNDS: [&str; 14] = [
    "max",
    "maximum",
    "min",
    "minimum",
    "limit",
    "limits",
    "cap",
    "bounds",
    "highest",
    "lowest",
    "max score",
    "maximum score",
    "min score",
    "minimum score",
];
/// What a character begins with, and what it costs.
const BEGINNING: [&str; 24] = [
    "start",
    "starts",
    "starting",
    "starts at",
    "starting score",
    "starting value",
    "starting scores",
    "begin",
    "begins at",
    "initial",
    "initial value",
    "default",
    "base",
    "average",
    "points",
    "starting points",
    "total",
    "array",
    "standard array",
    "point buy",
    "cost",
    "costs",
    "creation",
    "generation",
];
/// What a score is worth.
const WORTH: [&str; 8] = ["bonus", "bonuses", "mod", "mods", "adjustment", "adjustments", "worth", "penalty"];
/// What is said of how good somebody is at a skill.
const OF_SKILLS: [&str; 22] = [
    "rank",
    "ranks",
    "rating",
    "ratings",
    "level",
    "levels",
    "score",
    "scores",
    "trained",
    "expert",
    "master",
    "novice",
    "specialised",
    "specialized",
    "specialty",
    "proficient",
    "proficiency",
    "expertise",
    "skill points",
    "max rank",
    "maximum rank",
    "max level",
];
/// Who has a condition, and when.
const WHILE: [&str; 6] = ["when", "while", "if", "only if", "only when", "requires"];
/// How long one lasts.
const LASTING: [&str; 9] = ["duration", "durations", "until", "lasts", "ends", "end", "removal", "cure", "cured by"];
/// How bad it is.
const LEVELS: [&str; 6] = ["level", "levels", "stages", "stacks", "stacking", "max"];
/// What it does.
const CHANGES: [&str; 7] = ["effect", "effects", "penalty", "penalties", "bonus", "modifier", "modifiers"];

/// The finding for an attribute that is none.
pub fn of_attributes(declared: &Declaration) -> Option<Diagnostic> {
    let (name, about) = (fold(declared.name.as_str()), declared.about.as_str());
    if let Some(found) = difficulties(declared, "attribute", "Attributes") {
        return Some(found);
    }
    let says_number = is_mechanical(&declared.about) || fold(about).contains("score");
    if declared.bracket.is_some() || about.is_empty() || !says_number {
        return None;
    }
    let written = declared.name.as_str();
    let short: String =
        written.chars().filter(|letter| letter.is_alphabetic()).take(3).flat_map(char::to_uppercase).collect();
    let own = format!("an attribute of that name has a short form: `- {written} ({short})`");
    let range = range::range(about);
    if BOUNDS.contains(&name.as_str()) {
        let (low, high) = range.or_else(|| {
            let (number, _) = range::number(about)?;
            Some(if name.starts_with("min") || name == "lowest" {
                (number, number.max(20))
            } else {
                (number.min(1), number)
            })
        })?;
        let help = format!(
            "the bounds of all scores are one bullet, `- Range: {low} to {high}`; indented below an attribute it bounds that one"
        );
        return Some(found(declared, "read as no attribute", "Attributes").help(help).help(own));
    }
    if BEGINNING.contains(&name.as_str()) && range.is_none() {
        let help =
            "what a character begins with stands on their sheet, and what it costs is the GM's: write it as a sentence";
        return Some(found(declared, "read as no attribute", "Attributes").help(help).help(own));
    }
    if WORTH.contains(&name.as_str()) && range.is_none() {
        let help = "what a score is worth is ``- Modifier: `floor({score} / 2)` ``";
        let fix = Fix {
            span: declared.name.span(),
            replacement: "Modifier".to_owned(),
            message: "call it `Modifier`".to_owned(),
        };
        return Some(found(declared, "read as no attribute", "Attributes").help(help).help(own).perhaps(fix));
    }
    None
}

/// Whether a bullet under Skills may be no skill, by all but its name: a bracket or a base makes any name one.
pub fn may_be_of_skills(declared: &Declaration) -> bool {
    declared.bracket.is_none() && is_mechanical(&declared.about) && !fold(declared.about.as_str()).starts_with("base ")
}

/// The finding for a skill that is none.
pub fn of_skills(declared: &Declaration) -> Option<Diagnostic> {
    if let Some(found) = difficulties(declared, "skill", "Skills") {
        return Some(found);
    }
    let name = fold(declared.name.as_str());
    let name = name.as_str();
    let known =
        OF_SKILLS.contains(&name) || BOUNDS.contains(&name) || BEGINNING.contains(&name) || WORTH.contains(&name);
    if !known || !may_be_of_skills(declared) {
        return None;
    }
    let help = "a skill's number stands on each sheet, and no rule here bounds it or prices it: for the GM, write it as a sentence";
    let own = format!("a skill of that name has a base: `- {}: base 0`", declared.name.as_str());
    Some(found(declared, "read as no skill", "Skills").help(help).help(own))
}

/// The finding for a condition that is none: a part of the one above it, or of all. What changes something by itself is one.
pub fn of_conditions(declared: &Declaration, depth: usize, changes: bool) -> Option<Diagnostic> {
    let name = fold(declared.name.as_str());
    if let Some(found) = difficulties(declared, "condition", "Conditions").filter(|_| !changes) {
        return Some(found);
    }
    if declared.bracket.is_some() || declared.about.is_empty() || (changes && depth == 0) {
        return None;
    }
    let help = match name.as_str() {
        name if WHILE.contains(&name) => {
            "who may make a check stands below the heading of that check: `- While: dying`; a condition's line says what it changes: \
             `- Dying: disadvantage on checks`"
        }
        name if LASTING.contains(&name) => {
            "how long it lasts stands behind what it changes, in the same line: `- Stunned: disadvantage on checks, 1 round`"
        }
        name if LEVELS.contains(&name) => {
            "levels stand in brackets behind the name: `- Exhausted (1-6): -1 per level on checks`"
        }
        name if CHANGES.contains(&name) => {
            "what it changes stands in the line of its name: `- Stunned: disadvantage on checks`"
        }
        _ => return None,
    };
    let own = format!(
        "a condition of that name is no part of another, and changes something: `- {}: -1 on checks`",
        declared.name.as_str()
    );
    Some(found(declared, "read as no condition", "Conditions").help(help).help(own))
}

/// Words for difficulties are read below other headings: `- Difficulties: easy 8, fair 10`, `- Difficulty Fair: 10`.
fn difficulties(declared: &Declaration, what: &str, section: &str) -> Option<Diagnostic> {
    let (name, about) = (fold(declared.name.as_str()), declared.about.as_str());
    let numbered = is_mechanical(&declared.about) || range::range(about).is_some();
    let listed = name == "difficulties" && (about.is_empty() || about.contains(|own: char| own.is_ascii_digit()));
    let one = (name == "difficulty" || name.starts_with("difficulty ")) && numbered;
    if declared.bracket.is_some() || fold(about).starts_with("base ") || !(listed || one) {
        return None;
    }
    let help = "words for difficulties stand below `## Dice` or `## Checks`, or below a heading of their own, `## Difficulties`: move it there";
    Some(found(declared, &format!("read as no {what}"), section).help(help))
}

fn found(declared: &Declaration, what: &str, section: &str) -> Diagnostic {
    let message = format!("`{}` is no name under {}", declared.name.as_str(), section);
    Diagnostic::warning(codes::LOOKS_LIKE_A_RULE, message).at(declared.span, what.to_owned())
}
