//! Defences against damage, by the words that published games have for them.

use crate::names::fold;
use crate::rules::{Mitigation, MitigationKind};

/// What somebody has against a type of damage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Defence {
    Vulnerable,
    Resistant,
    Immune,
}

impl Defence {
    /// The word for it where the rules have none.
    pub fn word(self) -> &'static str {
        match self {
            Defence::Vulnerable => "Vulnerable to",
            Defence::Resistant => "Resistant to",
            Defence::Immune => "Immune to",
        }
    }

    /// Whether a rule of the adventure does what it says.
    pub fn is_meant(self, rule: &Mitigation) -> bool {
        match self {
            Defence::Vulnerable => rule.kind == MitigationKind::Double,
            Defence::Resistant => matches!(rule.kind, MitigationKind::Half { .. }),
            Defence::Immune => rule.kind == MitigationKind::Nothing,
        }
    }

    /// The defence that a label names.
    pub fn called(label: &str) -> Option<Defence> {
        let label = fold(label);
        let has = |word: &str| label.contains(word);
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
