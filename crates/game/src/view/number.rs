//! The numbers of an entry: `#14` in the whole log, `P12` among the entries that players see, which
//! have no gap where something is hidden.

use super::Audience;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::fmt;
use std::str::FromStr;

/// A number by which somebody names an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryNumber {
    /// `#14`, or `14`: in the whole log.
    Log(u64),
    /// `P12`: among the entries that players see.
    Players(u64),
}

/// All numbers of an entry that an audience is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Numbers {
    /// In the whole log, and among those that players see where it is one of them.
    Gm(u64, Option<u64>),
    Players(u64),
}

impl Numbers {
    /// The number that comes first for this audience.
    pub fn first(self) -> EntryNumber {
        match self {
            Numbers::Gm(seq, _) => EntryNumber::Log(seq),
            Numbers::Players(n) => EntryNumber::Players(n),
        }
    }

    /// Those of an entry that is the audience's `n`th.
    pub fn of(audience: Audience, n: u64, players_n: Option<u64>) -> Numbers {
        match audience {
            Audience::Gm => Numbers::Gm(n, players_n),
            Audience::Player => Numbers::Players(n),
        }
    }

    /// The players' number.
    pub fn of_players(self) -> Option<EntryNumber> {
        match self {
            Numbers::Gm(..) => self.beside(),
            Numbers::Players(_) => Some(self.first()),
        }
    }

    /// The players' number, beside the GM's.
    pub fn beside(self) -> Option<EntryNumber> {
        match self {
            Numbers::Gm(_, n) => n.map(EntryNumber::Players),
            Numbers::Players(_) => None,
        }
    }
}

impl EntryNumber {
    /// The number without what it counts.
    pub fn value(self) -> u64 {
        match self {
            EntryNumber::Log(number) | EntryNumber::Players(number) => number,
        }
    }

    /// As an argument of a call: `14`, or `"P12"`.
    pub fn argument(self) -> String {
        match self {
            EntryNumber::Log(number) => number.to_string(),
            EntryNumber::Players(_) => format!("\"{self}\""),
        }
    }

    /// As a reader of that audience means it: players know no number of the whole log.
    pub fn meant_by(self, audience: Audience) -> EntryNumber {
        match audience {
            Audience::Gm => self,
            Audience::Player => EntryNumber::Players(self.value()),
        }
    }
}

impl fmt::Display for EntryNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EntryNumber::Log(number) => write!(f, "#{number}"),
            EntryNumber::Players(number) => write!(f, "P{number}"),
        }
    }
}

/// `#14 P12` for the GM, `P12` for players.
impl fmt::Display for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.first().fmt(f)?;
        self.beside().map_or(Ok(()), |n| write!(f, " {n}"))
    }
}

impl FromStr for EntryNumber {
    type Err = String;

    /// Reads `8`, `#8` or `P8`. Errors: it is none of these; what to send instead.
    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let (kind, digits): (fn(u64) -> Self, &str) = match text.strip_prefix(['P', 'p']) {
            Some(digits) => (EntryNumber::Players, digits),
            None => (EntryNumber::Log, text.strip_prefix('#').unwrap_or(text)),
        };
        let is_number = digits.bytes().all(|digit| digit.is_ascii_digit());
        let number = digits.parse().ok().filter(|_| is_number);
        number.map(kind).ok_or_else(|| {
            "an entry is named by its number: 8 in the log, or \"P8\" as players count".to_owned()
        })
    }
}

impl Serialize for EntryNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            EntryNumber::Log(number) => serializer.serialize_u64(*number),
            EntryNumber::Players(_) => serializer.collect_str(self),
        }
    }
}

impl<'de> Deserialize<'de> for EntryNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Sent {
            Number(i64),
            Text(String),
        }
        let text = match Sent::deserialize(deserializer)? {
            Sent::Number(number) => number.to_string(),
            Sent::Text(text) => text,
        };
        text.parse().map_err(D::Error::custom)
    }
}

impl JsonSchema for EntryNumber {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "EntryNumber".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": ["integer", "string"]})
    }
}

#[cfg(test)]
mod tests {
    use super::{EntryNumber, Numbers};

    #[test]
    fn a_number_says_what_it_counts() {
        let of = |text: &str| text.parse::<EntryNumber>().ok();
        for (text, meant) in [
            ("8", Some(EntryNumber::Log(8))),
            ("#8", Some(EntryNumber::Log(8))),
            ("P8", Some(EntryNumber::Players(8))),
            ("p8", Some(EntryNumber::Players(8))),
            ("", None),
            ("P", None),
            ("+8", None),
            ("P#8", None),
            ("8 P8", None),
            ("P99999999999999999999", None),
        ] {
            assert_eq!(of(text), meant, "{text}");
        }
        for number in [EntryNumber::Log(8), EntryNumber::Players(8)] {
            let written = serde_json::to_string(&number).unwrap();
            assert_eq!(
                serde_json::from_str::<EntryNumber>(&written).unwrap(),
                number
            );
            assert_eq!(of(&number.to_string()), Some(number));
        }
        assert_eq!(Numbers::Gm(14, Some(12)).to_string(), "#14 P12");
        assert_eq!(Numbers::Gm(14, None).to_string(), "#14");
        assert_eq!(Numbers::Players(12).to_string(), "P12");
    }
}
