//! Some dice of a roll, as a rule speaks of them: `6s`, `base 1s`, `stress dice`.

use crate::dice::DieView;
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
