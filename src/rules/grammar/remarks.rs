//! What is read whole and could still be meant otherwise: names that read as others, and words for people that would be a rule.

use super::cursor::Cursor;
use super::effect::{Item, change, duration, effects};
use super::expr::{amount, in_code, range};
use super::finding::{Finding, FindingKind};
use super::line::{AdvancementLine, CheckLine, DiceLine, HealthLine, Line, ScoreLine};
use super::names::{Names, Thing};
use crate::diagnostic::Span;
use crate::names::fold;
use crate::rules::document::Text;

/// What is to be said of a line that was read.
pub fn of_line(line: &Line, span: Span, names: &Names) -> Vec<Finding> {
    let name = declared(line).and_then(|name| Some((name, why_not(name, names)?)));
    let name = name.map(|(name, why)| Finding { span, kind: FindingKind::Name { name: name.to_owned(), why } });
    let words = words(line).into_iter().filter(|words| reads_as_rule(words, names));
    let words = words.map(|words| Finding { span, kind: FindingKind::ReadsAsRule { words: words.to_owned() } });
    name.into_iter().chain(words).collect()
}

/// Behind the colon of an attribute or skill stand words for people, and what is read stands in its brackets.
pub fn of_free_words(words: &Text, names: &Names) -> Option<Finding> {
    let based = |at: &mut Cursor<'_>| {
        at.words("base")?;
        amount(at).map(drop)
    };
    let bounded = |at: &mut Cursor<'_>| at.attempt(|at| in_code(at).map(drop)).or_else(|| range(at).map(drop));
    let is_rule = |(nth, item): &(usize, Text)| {
        let whole = |read: &dyn Fn(&mut Cursor<'_>) -> Option<()>| Cursor::new(item, names).whole(read).is_ok();
        whole(&based) || nth == &0 && (whole(&bounded) || item.is_code(0))
    };
    let (_, found) = words.split_all(&[",", ";"]).into_iter().enumerate().find(is_rule)?;
    Some(Finding { span: found.span(), kind: FindingKind::ReadsAsRule { words: found.as_str().to_owned() } })
}

/// The name that a line declares.
fn declared(line: &Line) -> Option<&str> {
    match line {
        Line::Scores(ScoreLine::Declared(own)) => Some(&own.name),
        Line::Health(HealthLine::Track(own)) => Some(&own.name),
        Line::Health(HealthLine::Soak(own)) => Some(&own.name),
        Line::Condition(own) => Some(&own.name),
        Line::Check(CheckLine::Value { name, .. }) | Line::Dice(DiceLine::Difficulty { name, .. }) => Some(name),
        _ => None,
    }
}

/// Why a name would be read as something else.
fn why_not(name: &str, names: &Names) -> Option<&'static str> {
    let known = |name: &str| {
        [Thing::Attribute, Thing::Skill, Thing::Track, Thing::Condition].iter().any(|thing| names.has(name, *thing))
    };
    let folded = fold(name);
    let joined = |word: &str| {
        let (before, after) = folded.split_once(word).unwrap_or_default();
        [before, after].iter().all(|own| !own.is_empty() && known(own))
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

/// The runs of emphasis of a line.
fn words(line: &Line) -> Vec<&str> {
    let items: Vec<&Item> = match line {
        Line::Health(HealthLine::Trigger { effects, .. }) => effects.iter().collect(),
        Line::Health(HealthLine::Track(own)) => own.full.iter().chain(&own.over).collect(),
        Line::Check(CheckLine::Costs(items)) | Line::Advancement(AdvancementLine::EachTick(items)) => {
            items.iter().collect()
        }
        Line::Check(CheckLine::Again(own)) => own.costs.iter().collect(),
        _ => Vec::new(),
    };
    let own = match line {
        Line::Condition(own) => own.words.as_slice(),
        Line::Health(HealthLine::Track(own)) => own.words.as_slice(),
        Line::Health(HealthLine::Soak(own)) => own.words.as_slice(),
        _ => &[],
    };
    let of_items =
        items.into_iter().filter_map(|item| if let Item::Words(words) = item { Some(words.as_str()) } else { None });
    of_items.chain(own.iter().map(String::as_str)).collect()
}

/// Whether words would be an effect, a change or a duration without their emphasis.
fn reads_as_rule(words: &str, names: &Names) -> bool {
    let text = Text::invented(words, Span::default());
    let whole = |read: fn(&mut Cursor<'_>) -> Option<()>| Cursor::new(&text, names).whole(read).is_ok();
    whole(|at| effects(at).map(drop)) || whole(|at| change(at).map(drop)) || whole(|at| duration(at).map(drop))
}
