//! The rules that a campaign is played by, as the log keeps them, and how they changed.

use super::Describe;
use crate::record::entry::{Audience, Entry};
use rollbook_rules::called;
use rollbook_text::names::shortened;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Lines of a change that a sentence shows, and letters of each.
const SHOWN_MAX: usize = 12;
const LINE_MAX: usize = 160;

/// The rules used from here on; `hash` is SHA-256 over the names and texts of the files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulesLoaded {
    pub title: Option<String>,
    /// What the author calls this state of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    pub hash: String,
    pub files: Vec<String>,
    /// Their text, for the GM alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub text: Vec<RulesPart>,
    /// How it differs from the rules before, where these are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed: Option<Box<RulesChange>>,
}

impl Describe for RulesLoaded {
    fn sentence(&self, _: &Entry, audience: Audience, _: bool) -> Option<String> {
        let changed = match (&self.changed, audience) {
            (Some(changed), Audience::Player) => return changed.for_players(),
            (Some(changed), Audience::Gm) => format!("{} ", changed.for_gm()),
            (None, _) => String::new(),
        };
        let title = called(
            self.title.as_deref().unwrap_or("none"),
            self.version.as_deref(),
        );
        Some(format!(
            "{changed}Rules in force: {title} ({}).",
            self.files.join(", ")
        ))
    }
}

/// A section of the rules' text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulesPart {
    /// Its heading; empty before the first.
    pub section: String,
    pub lines: Vec<RulesLine>,
}

/// A line that says something.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RulesLine {
    pub text: String,
    /// Players read it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
}

/// How the rules changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulesChange {
    /// The sections of which lines that players read changed, with how many.
    pub sections: Vec<(String, u64)>,
    /// For the GM: every line that is gone or new, with its section.
    pub difference: Vec<String>,
}

impl RulesPart {
    /// Whether players read all of it.
    pub fn is_open(&self) -> bool {
        self.lines.iter().all(|line| line.open)
    }

    /// The parts of a file's text; `players` is the text that players read of it.
    pub fn of_text(text: &str, players: &str) -> Vec<RulesPart> {
        let mut known: BTreeMap<&str, u64> = BTreeMap::new();
        players
            .lines()
            .for_each(|line| *known.entry(line.trim()).or_default() += 1);
        let mut parts = vec![RulesPart::default()];
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let left = known.get_mut(line).filter(|left| **left > 0);
            let open = left.map(|left| *left -= 1).is_some();
            if let Some(heading) = line.strip_prefix("## ") {
                parts.push(RulesPart {
                    section: heading.trim().to_owned(),
                    lines: Vec::new(),
                });
            } else if let Some(part) = parts.last_mut() {
                part.lines.push(RulesLine {
                    text: line.to_owned(),
                    open,
                });
            }
        }
        parts.retain(|part| !part.lines.is_empty() || !part.section.is_empty());
        parts
    }
}

impl RulesChange {
    /// What changed from one text to another; `None` where no line did.
    pub fn between(before: &[RulesPart], after: &[RulesPart]) -> Option<RulesChange> {
        let mut lines: BTreeMap<(usize, &str, &RulesLine), i64> = BTreeMap::new();
        // In the order of the new text, then of what is gone.
        let mut order: BTreeMap<&str, usize> = BTreeMap::new();
        for part in after.iter().chain(before) {
            let next = order.len();
            order.entry(&part.section).or_insert(next);
        }
        let place = |section: &str| order.get(section).copied().unwrap_or(order.len());
        for (parts, step) in [(before, -1), (after, 1)] {
            for part in parts {
                for line in &part.lines {
                    *lines
                        .entry((place(&part.section), part.section.as_str(), line))
                        .or_default() += step;
                }
            }
        }
        let mut change = RulesChange::default();
        let mut counted: BTreeMap<usize, (&str, u64, u64)> = BTreeMap::new();
        for ((place, section, line), many) in lines.iter().filter(|(_, many)| **many != 0) {
            let named = if section.is_empty() {
                "the beginning"
            } else {
                section
            };
            let sign = if *many < 0 { '-' } else { '+' };
            let times = many.unsigned_abs();
            (0..times).for_each(|_| {
                change
                    .difference
                    .push(format!("{named}: {sign} {}", line.text))
            });
            if line.open {
                let (_, gone, new) = counted.entry(*place).or_insert((named, 0, 0));
                if *many < 0 {
                    *gone += times
                } else {
                    *new += times
                }
            }
        }
        change.sections = counted
            .into_values()
            .map(|(name, gone, new)| (name.to_owned(), gone.max(new)))
            .collect();
        (!change.difference.is_empty()).then_some(change)
    }

    /// What players may read of it; `None` where it is the GM's alone.
    pub fn for_players(&self) -> Option<String> {
        let all: Vec<String> = (self.sections.iter())
            .map(|(name, lines)| {
                format!(
                    "{lines} {} in {name}",
                    if *lines == 1 { "line" } else { "lines" }
                )
            })
            .collect();
        (!all.is_empty()).then(|| format!("The rules changed: {}.", all.join(", ")))
    }

    /// The same with its lines, for the GM; of many the first, since the entry has all.
    pub fn for_gm(&self) -> String {
        let summary = self.for_players();
        let summary =
            summary.unwrap_or_else(|| "The rules changed, in what the GM alone reads.".to_owned());
        let shown = self
            .difference
            .iter()
            .take(SHOWN_MAX)
            .map(|line| shortened(line, LINE_MAX));
        let more = self.difference.len().saturating_sub(SHOWN_MAX);
        let more = (more > 0).then(|| format!("and {more} more"));
        format!(
            "{summary} {}",
            shown.chain(more).collect::<Vec<String>>().join(" | ")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_counted_by_section_and_what_players_do_not_read_is_the_gms() {
        let old = "# A\n\n## Skills\n- Melee (STR)\n- Lore (INT)\n\n## Clocks\n- Doom: 4\n";
        let new = "# A\n\n## Skills\n- Melee (INT)\n- Lore (WIS)\n\n## Clocks\n- Doom: 6\n";
        let hidden = |text: &str| text.split("- Doom").next().unwrap().to_owned();
        let parts = |text: &str| RulesPart::of_text(text, &hidden(text));
        let change = RulesChange::between(&parts(old), &parts(new)).expect("a change");
        assert_eq!(
            change.for_players().as_deref(),
            Some("The rules changed: 2 lines in Skills.")
        );
        assert_eq!(
            change.difference,
            [
                "Skills: - - Lore (INT)",
                "Skills: + - Lore (WIS)",
                "Skills: + - Melee (INT)",
                "Skills: - - Melee (STR)",
                "Clocks: - - Doom: 4",
                "Clocks: + - Doom: 6",
            ]
        );
        let doom = old.replace("Doom: 4", "Doom: 8");
        let change = RulesChange::between(&parts(old), &parts(&doom)).expect("a change");
        assert_eq!(change.for_players(), None);
        assert!(
            change
                .for_gm()
                .ends_with("Clocks: - - Doom: 4 | Clocks: + - Doom: 8"),
            "{}",
            change.for_gm()
        );
        assert_eq!(RulesChange::between(&parts(old), &parts(old)), None);
    }

    #[test]
    fn of_a_large_change_a_sentence_shows_the_first_lines() {
        let text = |word: &str| {
            (0..60_000)
                .map(|nth| format!("## {nth}\n{word}\n"))
                .collect::<String>()
        };
        let parts = |word: &str| RulesPart::of_text(&text(word), "");
        let change =
            RulesChange::between(&parts("old"), &parts(&"new ".repeat(100))).expect("a change");
        assert_eq!(change.difference.len(), 120_000);
        let text = change.for_gm();
        assert!(
            text.len() < 3_000 && text.ends_with("and 119988 more"),
            "{text}"
        );
    }
}
