//! The values with which a check is tried: a few first, then all of them by number.

use std::collections::BTreeMap;

use crate::lint::values::Named;

/// The values of the names of one attempt.
pub(super) type Values = BTreeMap<String, i64>;

/// Everything in the middle, at its default, low, high; then each name low and high by itself.
pub(super) fn first_look(names: &[Named]) -> Vec<Values> {
    let all =
        |value: fn(&Named) -> i64| names.iter().map(|name| (name.folded.clone(), value(name))).collect::<Values>();
    let usual = all(|name| name.default.unwrap_or_else(|| name.middle()));
    let mut looks = vec![usual.clone(), all(Named::middle), all(|name| name.low), all(|name| name.high)];
    for name in names {
        for value in [name.low, name.high] {
            let mut values = usual.clone();
            values.insert(name.folded.clone(), value);
            looks.push(values);
        }
    }
    looks
}

/// The combination of values with this number, the first name changing fastest.
pub(super) fn nth(names: &[Named], mut index: u64) -> Values {
    let mut values = Values::new();
    for name in names {
        let at = i64::try_from(index % name.len()).unwrap_or(0);
        values.insert(name.folded.clone(), name.low.saturating_add(at));
        index /= name.len();
    }
    values
}
