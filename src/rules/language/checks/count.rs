//! What counts as a success.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::diagnostic::Place;
use crate::rules::when::Named;
use crate::rules::when::facts::Facts;

/// What counts as a success, face by face: the Count bullet.
#[derive(Debug, Clone, PartialEq)]
pub struct Count {
    /// Tried in order; a face that is in none counts nothing.
    pub weights: Vec<Weight>,
    /// Where it stands.
    pub place: Place,
}

/// What the faces of a range are worth.
#[derive(Debug, Clone, PartialEq)]
pub struct Weight {
    /// Lowest face of the range.
    pub low: i64,
    /// Highest face of the range.
    pub high: i64,
    /// Successes that each of them counts; below zero takes away.
    pub worth: i64,
    /// What stands in the place of the highest face: `at most {skill}`.
    pub at_most: Option<Named>,
}

/// Equal faces that count further: `10s add 2`, the Pairs bullet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pairs {
    /// The face.
    pub face: i64,
    /// Successes that every two of them add.
    pub add: i64,
    /// Where it stands.
    pub place: Place,
}

impl Count {
    /// What its ranges are worked out from.
    pub fn named(&self) -> impl Iterator<Item = &Named> {
        self.weights.iter().filter_map(|weight| weight.at_most.as_ref())
    }

    /// The same with numbers in the place of all names, by folded name. A range of which a name is not known counts nothing.
    pub fn bound(&self, values: &BTreeMap<String, i64>) -> Cow<'_, Count> {
        if self.named().next().is_none() {
            return Cow::Borrowed(self);
        }
        let facts = Facts { values: values.clone(), ..Facts::default() };
        let bound = |weight: &Weight| {
            let high = weight.at_most.as_ref().map_or(Some(weight.high), |named| named.value(&facts));
            let (low, high) = high.map_or((1, 0), |high| (weight.low, high));
            Weight { low, high, worth: weight.worth, at_most: None }
        };
        Cow::Owned(Count { weights: self.weights.iter().map(bound).collect(), place: self.place.clone() })
    }

    /// The successes of these faces, pairs included.
    pub fn successes(&self, pairs: &[Pairs], faces: &[i64]) -> i64 {
        let worth = |face: &i64| {
            let weight = self.weights.iter().find(|weight| (weight.low..=weight.high).contains(face));
            weight.map_or(0, |weight| weight.worth)
        };
        let doubled = |pair: &Pairs| {
            let shown = faces.iter().filter(|face| **face == pair.face).count();
            i64::try_from(shown / 2).unwrap_or(i64::MAX).saturating_mul(pair.add)
        };
        let counted = faces.iter().map(worth).fold(0, i64::saturating_add);
        pairs.iter().map(doubled).fold(counted, i64::saturating_add)
    }

    /// In a few words: `6 to 9 as 1, 10+ as 2`.
    pub fn describe(&self) -> String {
        let parts = self.weights.iter().map(|weight| {
            let range = match (weight.low, weight.high) {
                (i64::MIN, _) if let Some(most) = &weight.at_most => format!("at most {}", most.text),
                (low, _) if let Some(most) = &weight.at_most => format!("{low} to {}", most.text),
                (low, i64::MAX) => format!("{low}+"),
                (i64::MIN, high) => format!("{high} or less"),
                (low, high) if low == high => low.to_string(),
                (low, high) => format!("{low} to {high}"),
            };
            if weight.worth == 1 { range } else { format!("{range} as {}", weight.worth) }
        });
        parts.collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_two_add_and_the_odd_one_does_not() {
        let weights = vec![Weight { low: 6, high: i64::MAX, worth: 1, at_most: None }];
        let count = Count { weights, place: Place::default() };
        let pairs = [Pairs { face: 10, add: 2, place: Place::default() }];
        assert_eq!(count.successes(&pairs, &[10, 10, 10, 5, 6]), 4 + 2);
        assert_eq!(count.successes(&[], &[10, 10, 1]), 2);
        assert_eq!(count.describe(), "6+");
    }
}
