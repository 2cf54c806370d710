//! Defences against damage, under the words of published games.

use crate::names::fold;
use crate::rules::{Mitigation, MitigationKind, defence_in_ours};

/// A defence against a type of damage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Defence {
    Vulnerable,
    Resistant,
    Immune,
}

impl Defence {
    /// The word for it where the rules name none.
    pub fn word(self) -> &'static str {
        match self {
            Defence::Vulnerable => "Vulnerable to",
            Defence::Resistant => "Resistant to",
            Defence::Immune => "Immune to",
        }
    }

    /// Whether a mitigation of the rules has the same effect.
    pub fn matches(self, rule: &Mitigation) -> bool {
        let same = match self {
            Defence::Vulnerable => matches!(rule.kind, MitigationKind::Halves { count: 4, .. }),
            Defence::Resistant => matches!(rule.kind, MitigationKind::Halves { count: 1, .. }),
            Defence::Immune => rule.kind == MitigationKind::Nothing,
        };
        same && !rule.is_of_a_type()
    }

    /// The defence that a label names, such as "Damage Resistances", in any of the languages of rules.
    pub fn from_label(label: &str) -> Option<Defence> {
        let label = fold(label);
        let foreign = defence_in_ours(&label).unwrap_or_default();
        let has = |word: &str| label.contains(word) || foreign.contains(word);
        if has("condition") {
            return None;
        }
        match () {
            () if has("vulnerabilit") || has("weakness") => Some(Defence::Vulnerable),
            () if has("resistance") => Some(Defence::Resistant),
            () if has("immunit") => Some(Defence::Immune),
            () => None,
        }
    }
}
