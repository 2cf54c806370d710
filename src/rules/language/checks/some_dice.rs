//! Some dice of a roll, as a rule speaks of them: `6s`, `base 1s`, `stress dice`.

use crate::dice::DieView;
use crate::names::fold;
use crate::rules::language::range;
use crate::rules::when::Quantity;
use crate::rules::when::facts::group_names;

/// Dice of a roll that show a face, or that belong to a labelled group, or both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SomeDice {
    /// The folded label of their group; none: of the whole roll.
    pub label: Option<String>,
    /// The face that they show; none: whatever they show.
    pub face: Option<i64>,
}

impl SomeDice {
    /// Reads a list of them: `6s, base 1s and gear 1s`, `stress dice`. None where a part of it is something else.
    pub fn read_all(words: &str) -> Option<Vec<Self>> {
        let mut all = Vec::new();
        let folded = fold(words).replace(',', " , ");
        let mut label: Vec<&str> = Vec::new();
        for word in folded.split_whitespace() {
            match word {
                "," | "and" if label.is_empty() => {}
                "," | "and" => return None,
                "dice" | "die" if !label.is_empty() => {
                    all.push(Self { label: Some(label.join(" ")), face: None });
                    label.clear();
                }
                _ => match face(word) {
                    Some(face) => {
                        let named = (!label.is_empty()).then(|| label.join(" "));
                        all.push(Self { label: named, face: Some(face) });
                        label.clear();
                    }
                    None => label.push(word),
                },
            }
        }
        (label.is_empty() && !all.is_empty()).then_some(all)
    }

    /// Whether this die is one of them.
    pub fn has(&self, view: &DieView<'_>) -> bool {
        let label = self.label.as_ref();
        let is_of = |own: &&str, label: &String| group_names(own).any(|name| name == *label);
        label.is_none_or(|label| view.labels.iter().any(|own| is_of(own, label)))
            && self.face.is_none_or(|face| view.die.number() == Some(face))
    }

    /// In a few words: "base 1s", "stress dice".
    pub fn describe(&self) -> String {
        let what = self.face.map_or_else(|| "dice".to_owned(), |face| format!("{face}s"));
        self.label.as_ref().map_or(what.clone(), |label| format!("{label} {what}"))
    }
}

/// `6s`, `6`, `sixes`.
fn face(word: &str) -> Option<i64> {
    if let Some((face, "" | "s")) = range::number(word) {
        return Some(face);
    }
    match Quantity::named(word).or_else(|| Quantity::named(&format!("{word}s"))) {
        Some(Quantity::Face(face)) => Some(face),
        Some(_) | None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_are_named_by_face_and_group() {
        let read = |words: &str| {
            let all = SomeDice::read_all(words)?;
            Some(all.iter().map(SomeDice::describe).collect::<Vec<_>>().join("; "))
        };
        let wanted = [
            ("6s, base 1s and gear 1s", Some("6s; base 1s; gear 1s")),
            ("1s 6s", Some("1s; 6s")),
            ("sixes, base ones, and stress dice", Some("6s; base 1s; stress dice")),
            ("Old wood 1", Some("old wood 1s")),
            ("base one", Some("base 1s")),
            ("", None),
            ("dice", None),
            ("base", None),
            ("base and gear 1s", None),
            ("the ones you dislike", None),
        ];
        for (words, described) in wanted {
            assert_eq!(read(words).as_deref(), described, "{words}");
        }
    }
}
