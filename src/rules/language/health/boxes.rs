//! Harm that is marked in places rather than counted: valued boxes, and slots that step up.

use crate::diagnostic::Place;
use crate::names::fold;
use crate::rules::document::Text;
use crate::rules::language::declaration::bracketed;
use crate::rules::language::labels::Labelled;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::range;

/// Boxes of which one soaks one hit, each as much as it is worth: `Physical stress: boxes 1, 2`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Boxes {
    /// Name as the author writes it.
    pub name: String,
    /// What each box is worth, in the order of the file.
    pub values: Vec<i64>,
    /// The author's words in brackets; may be empty.
    pub text: String,
    /// Where it stands.
    pub place: Place,
}

/// Slots for harm by its weight: `Harm: 2 lesser (level 1), 1 severe (level 3)`, `Consequences: mild -2, severe -6`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slots {
    /// Name as the author writes it.
    pub name: String,
    /// The slots, in the order of the file.
    pub kinds: Vec<Slot>,
    /// Whether harm that finds no free slot goes one level up.
    pub steps_up: bool,
    /// The level that is none of the slots, and what it means: level 4, "fatal".
    pub beyond: Option<(i64, String)>,
    /// Where it stands.
    pub place: Place,
}

/// Slots of one weight.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    /// Name as the author writes it: "lesser", "mild".
    pub name: String,
    /// How many there are.
    pub count: i64,
    /// How heavy the harm in it is; where a slot soaks, as many points.
    pub level: i64,
    /// Points of a hit that marking it soaks; none where a slot is what a hit does.
    pub soaks: Option<i64>,
}

impl Slots {
    /// In a few words: "2 lesser (level 1), 1 severe (level 3); no room: one level up; level 4: fatal".
    pub fn describe(&self) -> String {
        let kinds = self.kinds.iter().map(|slot| match slot.soaks {
            Some(soaks) => format!("{} {} (soaks {soaks})", slot.count, slot.name),
            None => format!("{} {} (level {})", slot.count, slot.name, slot.level),
        });
        let mut text = kinds.collect::<Vec<_>>().join(", ");
        if self.steps_up {
            text.push_str("; no room: one level up");
        }
        if let Some((level, what)) = &self.beyond {
            text.push_str(&format!("; level {level}: {what}"));
        }
        text
    }
}

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
