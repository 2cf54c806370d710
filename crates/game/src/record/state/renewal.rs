//! How often an attack or a trait may be used, as stat blocks print it.
//!
//! ```text
//! uses   = "recharge" face ["6"] | "recharges after" each | (number ["times" | "uses"] | "once" | "twice") each
//! each   = ("a" | "an" | "per" | "each" | "every" | "/") period
//! period = "fight" | "combat" | "battle" | "encounter" | "scene" | "day" | ["short" | "long"] "rest" | "short or long rest"
//! ```

use crate::limits::LIMITS;
use rollbook_text::names::fold;
use serde::{Deserialize, Serialize};
use std::fmt;

/// When what is used up is there again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Renewal {
    /// At the start of a turn, where 1d6 shows this face or more; and when a fight begins.
    Recharge(i64),
    /// When a fight begins.
    Fight,
    /// After a short or a long rest.
    Rest,
    /// After a long rest.
    Day,
}

/// So many uses until the next renewal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Uses {
    /// 1 to [`USES_MAX`].
    pub many: i64,
    pub renewal: Renewal,
}

/// As many as any number of a call.
pub const USES_MAX: i64 = LIMITS.number;

impl Uses {
    /// `None` where the text is not read to its last word.
    pub fn parse(text: &str) -> Option<Uses> {
        let text = fold(text).replace('/', " per ");
        let words = text.split(|letter: char| !letter.is_alphanumeric());
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let (many, each) = match words.as_slice() {
            ["recharge", least] | ["recharge", least, "6"] => {
                let least = least.parse().ok()?;
                let renewal = Renewal::Recharge(least);
                return (2..=6)
                    .contains(&least)
                    .then_some(Uses { many: 1, renewal });
            }
            ["once", each @ ..] | ["recharges", "after", each @ ..] => (1, each),
            ["twice", each @ ..] => (2, each),
            [many, "time" | "times" | "use" | "uses", each @ ..] | [many, each @ ..] => {
                (many.parse().ok()?, each)
            }
            [] => return None,
        };
        let ["a" | "an" | "per" | "each" | "every", period @ ..] = each else {
            return None;
        };
        let renewal = match period {
            ["fight" | "combat" | "battle" | "encounter" | "scene"] => Renewal::Fight,
            ["day"] | ["long", "rest"] => Renewal::Day,
            ["rest"] | ["short", "rest"] | ["short", "or", "long", "rest"] => Renewal::Rest,
            _ => return None,
        };
        let is_some = (1..=USES_MAX).contains(&many);
        is_some.then_some(Uses { many, renewal })
    }

    /// Whether a text is about uses, read or not: `3/Week`, `Recharge 9`.
    pub fn is_about(text: &str) -> bool {
        let count = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let each = count.trim_start().strip_prefix('/').map(str::trim_start);
        let is_each = each.is_some_and(|each| each.starts_with(char::is_alphabetic));
        fold(text).starts_with("recharge") || (count.len() < text.len() && is_each)
    }
}

impl fmt::Display for Uses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let period = match self.renewal {
            Renewal::Recharge(6) => return f.write_str("recharge 6"),
            Renewal::Recharge(least) => return write!(f, "recharge {least}-6"),
            Renewal::Fight => "fight",
            Renewal::Rest => "rest",
            Renewal::Day => "day",
        };
        match self.many {
            1 => write!(f, "once a {period}"),
            many => write!(f, "{many} a {period}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uses_are_read_to_the_last_word_and_printed_as_they_are_read() {
        for (text, printed) in [
            ("Recharge 5–6", "recharge 5-6"),
            ("recharge 6", "recharge 6"),
            ("3/Day", "3 a day"),
            ("1 / day", "once a day"),
            ("two times a day", ""),
            ("2 times per fight", "2 a fight"),
            ("twice each encounter", "2 a fight"),
            ("once a fight.", "once a fight"),
            ("Recharges after a Short or Long Rest", "once a rest"),
            ("Recharges after a Long Rest", "once a day"),
            ("recharge 7", ""),
            ("recharge 4-5", ""),
            ("0/day", ""),
            ("99999999999999999999/day", ""),
            ("3/day, or 4/day in its lair", ""),
            ("once a round", ""),
            ("once", ""),
            ("", ""),
        ] {
            let uses = Uses::parse(text);
            let shown = uses.map_or_else(String::new, |uses| uses.to_string());
            assert_eq!(shown, printed, "{text}");
            assert_eq!(Uses::parse(&shown), uses, "{text}");
        }
        for (text, about) in [("3/Week", true), ("Recharge 9", true), ("20/60 ft.", false)] {
            assert_eq!(Uses::is_about(text), about, "{text}");
        }
    }
}
