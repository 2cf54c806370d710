//! Valued boxes and slots in the Health section.

use crate::names::fold;
use crate::rules::boxes::{Boxes, Slot, Slots};
use crate::rules::document::Text;

use super::declaration::bracketed;
use super::labels::Labelled;
use super::ledger::Ledger;
use super::range;

/// Boxes and slots of one bullet; more is a mistake.
const MARKS_MAX: i64 = 100;

/// `Physical stress: boxes 1, 2 (one box soaks one hit)`.
pub fn boxes(label: &Labelled, ledger: &Ledger<'_>) -> Option<Boxes> {
    let (value, bracket) = bracketed(&label.value);
    let words = value.as_str();
    let list = words.get(..6).filter(|opening| opening.eq_ignore_ascii_case("boxes "))?;
    let values: Option<Vec<i64>> = words
        .get(list.len()..)?
        .split(',')
        .map(|part| {
            range::number(part).filter(|(worth, rest)| *worth > 0 && rest.trim().is_empty()).map(|(worth, _)| worth)
        })
        .collect();
    Some(Boxes {
        name: label.label.as_str().to_owned(),
        values: values?,
        text: bracket.map(|bracket| bracket.as_str().to_owned()).unwrap_or_default(),
        place: ledger.place(label.span),
    })
}

/// `Harm: 2 lesser (level 1), 1 severe (level 3); no room: one level up; level 4: fatal`, `Consequences: mild -2, severe -6`.
pub fn slots(label: &Labelled, ledger: &mut Ledger<'_>) -> Option<Slots> {
    let parts = label.value.split_all(&[";"]);
    let (first, rest) = parts.split_first()?;
    let kinds: Option<Vec<Slot>> = first.split_all(&[",", " and "]).iter().map(slot).collect();
    let kinds = kinds.filter(|kinds| !kinds.is_empty())?;
    let mut slots = Slots {
        name: label.label.as_str().to_owned(),
        kinds,
        steps_up: false,
        beyond: None,
        place: ledger.place(label.span),
    };
    for part in rest {
        let named = part.split_at_any(&[":"]).map(|(name, what)| (fold(name.as_str()), what));
        match named {
            Some((name, what)) if name == "no room" && fold(what.as_str()).starts_with("one level up") => {
                slots.steps_up = true;
            }
            Some((name, what)) => match name.strip_prefix("level ").and_then(range::number) {
                Some((level, "")) => slots.beyond = Some((level, what.as_str().to_owned())),
                _ => ledger.left_to_gm(part.span(), "not read as part of these slots"),
            },
            None => ledger.left_to_gm(part.span(), "not read as part of these slots"),
        }
    }
    Some(slots)
}

/// `2 lesser (level 1)` or `mild -2`.
fn slot(part: &Text) -> Option<Slot> {
    let (head, bracket) = bracketed(part);
    if let Some(bracket) = bracket {
        let level = fold(bracket.as_str());
        let (level, rest) = range::number(level.strip_prefix("level ")?)?;
        let (count, name) = range::number(head.as_str()).unwrap_or((1, head.as_str()));
        let fits = rest.is_empty() && (1..=MARKS_MAX).contains(&count) && !name.trim().is_empty();
        return fits.then(|| Slot { name: name.trim().to_owned(), count, level, soaks: None });
    }
    let (name, points) = head.as_str().rsplit_once(' ')?;
    let (points, rest) = range::number(points)?;
    let (count, name) = range::number(name).unwrap_or((1, name));
    let fits = points < 0
        && rest.is_empty()
        && (1..=MARKS_MAX).contains(&count)
        && name.trim().starts_with(char::is_alphabetic);
    fits.then(|| Slot { name: name.trim().to_owned(), count, level: -points, soaks: Some(-points) })
}
