//! Defences against damage, under the words of published games.

use rollbook_rules::{Against, Defence as DefenceRule};
use rollbook_text::names::fold;

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
    pub fn matches(self, rule: &DefenceRule) -> bool {
        let same = match self {
            Defence::Vulnerable => rule.rule.does == Against::Double,
            Defence::Resistant => rule.rule.does == Against::Half,
            Defence::Immune => rule.rule.does == Against::None,
        };
        same && !rule.rule.for_all
    }

    /// The defence that a label names, such as "Damage Resistances".
    pub fn from_label(label: &str) -> Option<Defence> {
        const WORDS: [(&str, Defence); 4] = [
            ("vulnerabilit", Defence::Vulnerable),
            ("weakness", Defence::Vulnerable),
            ("resistance", Defence::Resistant),
            ("immunit", Defence::Immune),
        ];
        let label = fold(label);
        let named = WORDS.into_iter().find(|(word, _)| label.contains(word) && !label.contains("condition"));
        named.map(|(_, defence)| defence)
    }
}
