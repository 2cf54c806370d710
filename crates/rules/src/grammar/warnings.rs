//! Warnings about lines: names that read as something else, words for people that would be a rule.

use super::cursor::Cursor;
use super::effect::{change, duration, effects};
use super::expr::{amount, in_code, range};
use super::findings::{ambiguous_name, reads_as_rule};
use super::line::{CheckLine, DiceLine, HealthLine, Line, ScoreLine};
use super::names::{Names, Thing};
use super::pieces::label_length;
use super::token::{Kind, tokens};
use crate::document::Text;
use rollbook_text::diagnostic::{Diagnostic, Span};
use rollbook_text::names::fold;

/// Warnings about a line, and about the words for people in its value.
pub fn line_warnings(line: &Line, (span, value): (Span, &Text), names: &Names) -> Vec<Diagnostic> {
    let declared = declared(line);
    let name =
        declared.and_then(|name| ambiguity(name, names).map(|why| ambiguous_name(name, span, why)));
    let emphasis = value
        .ends()
        .any(|(_, mark)| mark.is_emphasis)
        .then(|| tokens(value));
    let words = emphasis
        .into_iter()
        .flatten()
        .filter_map(|token| match token.kind {
            Kind::Emphasis(words) => Some(words.trim().to_owned()),
            _ => None,
        });
    let words = words.filter(|words| is_rule(words, declared.unwrap_or_default(), names));
    name.into_iter()
        .chain(words.map(|words| reads_as_rule(&words, span)))
        .collect()
}

/// A warning about a rule after the colon of an attribute or skill: rules of these are in brackets.
pub fn free_words_warning(words: &Text, names: &Names) -> Option<Diagnostic> {
    let based = |at: &mut Cursor<'_>| {
        at.words("base")?;
        amount(at).map(drop)
    };
    let bounded = |at: &mut Cursor<'_>| {
        at.attempt(|at| in_code(at).map(drop))
            .or_else(|| range(at).map(drop))
    };
    let is_rule = |(nth, item): &(usize, Text)| match nth {
        0 => item.mark(0).is_code || Cursor::fits(item, names, &[&based, &bounded]),
        _ => label_length(item.as_str(), "base").is_some() && Cursor::fits(item, names, &[&based]),
    };
    let (_, found) = words
        .split_all(&[",", ";"])
        .into_iter()
        .enumerate()
        .find(is_rule)?;
    Some(reads_as_rule(found.as_str(), found.span()))
}

/// The name that a line declares.
fn declared(line: &Line) -> Option<&str> {
    match line {
        Line::Scores(ScoreLine::Declared(score)) => Some(&score.name),
        Line::Health(HealthLine::Track(track)) => Some(&track.name),
        Line::Health(HealthLine::Soak(soak)) => Some(&soak.name),
        Line::Condition(condition) => Some(&condition.name),
        Line::Check(CheckLine::Value { name, .. })
        | Line::Dice(DiceLine::Difficulty { name, .. }) => Some(name),
        _ => None,
    }
}

/// Why a name would be read as something else.
fn ambiguity(name: &str, names: &Names) -> Option<&'static str> {
    let known = |name: &str| {
        names.has(
            name,
            &[
                Thing::Attribute,
                Thing::Skill,
                Thing::Track,
                Thing::Condition,
            ],
        )
    };
    let folded = fold(name);
    let joined = |word: &str| {
        let (before, after) = folded.split_once(word).unwrap_or_default();
        [before, after]
            .iter()
            .all(|part| !part.is_empty() && known(part))
    };
    let words: Vec<&str> = folded.split(' ').collect();
    match words.as_slice() {
        ["target", ..] => Some("it begins with `target`"),
        [.., "max" | "score"] => Some("it ends in `max` or `score`"),
        [before @ .., last] if last.parse::<i64>().is_ok() && known(&before.join(" ")) => {
            Some("it reads as another name and a number")
        }
        _ if joined(" and ") || joined(" or ") => Some("it reads as two other names"),
        _ => None,
    }
}

/// Whether words would be an effect, a change or a duration without their emphasis.
fn is_rule(words: &str, declared: &str, names: &Names) -> bool {
    let text = Text::invented(words, Span::default());
    let changes = |at: &mut Cursor<'_>| change(at, declared).map(drop);
    Cursor::fits(
        &text,
        names,
        &[&|at| effects(at).map(drop), &changes, &|at| {
            duration(at).map(drop)
        }],
    )
}
