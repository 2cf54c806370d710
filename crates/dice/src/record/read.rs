//! Reading a term. In canonical JSON its `type` comes last, and a derived reader keeps every die
//! until it has seen it; this one reads each field once, into its place.

use super::{Mode, RolledDie, Term};
use serde::de::{Deserialize, Deserializer, Error};

#[derive(serde::Deserialize)]
struct Fields {
    r#type: Kind,
    count: Option<i64>,
    sides: Option<u32>,
    notation: Option<String>,
    dice: Option<Vec<RolledDie>>,
    terms: Option<Vec<Term>>,
    kept: Option<Vec<Mark>>,
    value: Option<i64>,
    subtotal: Option<i64>,
    exact: Option<String>,
    mode: Option<Mode>,
    label: Option<String>,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Dice,
    Constant,
    Group,
    Compute,
}

impl<'de> Deserialize<'de> for Term {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let fields = Fields::deserialize(deserializer)?;
        let Fields {
            r#type,
            count,
            sides,
            notation,
            dice,
            terms,
            kept,
            value,
            subtotal,
            exact,
            mode,
            label,
        } = fields;
        let subtotal = need(subtotal, "subtotal")?;
        Ok(match r#type {
            Kind::Dice => Term::Dice {
                count: need(count, "count")?,
                sides: need(sides, "sides")?,
                notation: need(notation, "notation")?,
                dice: need(dice, "dice")?,
                kept: need(
                    kept.and_then(|kept| kept.iter().map(Mark::value).collect()),
                    "kept",
                )?,
                subtotal,
                mode,
                label,
            },
            Kind::Constant => Term::Constant {
                value: need(value, "value")?,
                subtotal,
                exact,
                label,
            },
            Kind::Group => Term::Group {
                notation: need(notation, "notation")?,
                terms: need(terms, "terms")?,
                kept: need(
                    kept.and_then(|kept| kept.iter().map(Mark::flag).collect()),
                    "kept",
                )?,
                subtotal,
                exact,
                label,
            },
            Kind::Compute => Term::Compute {
                notation: need(notation, "notation")?,
                terms: need(terms, "terms")?,
                subtotal,
                exact,
                label,
            },
        })
    }
}

fn need<T, E: Error>(field: Option<T>, name: &'static str) -> Result<T, E> {
    field.ok_or_else(|| E::missing_field(name))
}

/// Of dice a value that is kept, of a group whether a member is.
#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Mark {
    Value(i64),
    Flag(bool),
}

impl Mark {
    fn value(&self) -> Option<i64> {
        if let Mark::Value(value) = self {
            Some(*value)
        } else {
            None
        }
    }

    fn flag(&self) -> Option<bool> {
        if let Mark::Flag(flag) = self {
            Some(*flag)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::record::{Roll, Term};
    use crate::{ScriptedRoller, parse};

    fn term(json: &str) -> Result<Term, String> {
        serde_json::from_str(json).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_written_is_read_wherever_its_type_is() {
        for text in [
            "2d20kh1[sword] + 3",
            "{2d6, 1d8+1}kh1 * 3",
            "-1.5 + floor((4d6 + 1) / 2)",
            "10d10>=8",
            "repeat(1d6 + 1, 2)",
        ] {
            let rolled = parse(text)
                .unwrap()
                .roll(&mut ScriptedRoller::new([3; 40]))
                .unwrap();
            let written = serde_json::to_string(&rolled).unwrap();
            assert_eq!(serde_json::from_str::<Roll>(&written).unwrap(), rolled);
            // Sorted, the type is the last field but one.
            let sorted = serde_json::to_value(&rolled).unwrap();
            assert_eq!(
                serde_json::from_str::<Roll>(&sorted.to_string()).unwrap(),
                rolled
            );
            assert_eq!(serde_json::from_value::<Roll>(sorted).unwrap(), rolled);
        }
    }

    #[test]
    fn what_is_missing_or_of_another_kind_is_refused() {
        let dice = r#"{"count":1,"dice":[],"kept":[KEPT],"notation":"1d6","sides":6,"subtotal":4,"type":"dice"}"#;
        assert!(term(&dice.replace("KEPT", "4")).is_ok());
        for kept in ["true", "4,true", "\"4\"", "4.5", "9223372036854775808"] {
            assert!(term(&dice.replace("KEPT", kept)).is_err(), "{kept}");
        }
        assert!(
            term(r#"{"subtotal":4,"type":"constant"}"#)
                .unwrap_err()
                .contains("missing field `value`")
        );
        assert!(
            term(r#"{"subtotal":4,"value":4}"#)
                .unwrap_err()
                .contains("missing field `type`")
        );
        assert!(
            term(r#"{"subtotal":4,"value":4,"type":"coin"}"#)
                .unwrap_err()
                .contains("unknown variant `coin`")
        );
        assert!(
            term(r#"{"subtotal":4,"type":"group","notation":"","terms":[],"kept":[1]}"#).is_err()
        );
    }
}
