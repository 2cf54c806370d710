//! What counts as a success.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::when::NamedNumber;
use crate::when::facts::Facts;

/// The Count bullet: what each face counts.
#[derive(Debug, Clone, PartialEq)]
pub struct Count {
    /// Tried in order; a face in none counts nothing.
    pub weights: Vec<Weight>,
}

/// What the faces of a range are worth.
#[derive(Debug, Clone, PartialEq)]
pub struct Weight {
    pub low: i64,
    pub high: i64,
    /// Successes for each die in the range; may be negative.
    pub worth: i64,
    /// A named number instead of the highest face: `{skill} or less`.
    pub at_most: Option<NamedNumber>,
}

impl Count {
    /// The named numbers of its ranges.
    pub fn named(&self) -> impl Iterator<Item = &NamedNumber> {
        self.weights
            .iter()
            .filter_map(|weight| weight.at_most.as_ref())
    }

    /// The same with numbers for (folded) names. A range with an unknown name counts nothing.
    pub fn bound(&self, values: &BTreeMap<String, i64>) -> Cow<'_, Count> {
        if self.named().next().is_none() {
            return Cow::Borrowed(self);
        }
        let facts = Facts {
            values: values.clone(),
            ..Facts::default()
        };
        let bound = |weight: &Weight| {
            let high = weight
                .at_most
                .as_ref()
                .map_or(Some(weight.high), |named| named.value(&facts));
            let (low, high) = high.map_or((1, 0), |high| (weight.low, high));
            Weight {
                low,
                high,
                worth: weight.worth,
                at_most: None,
            }
        };
        Cow::Owned(Count {
            weights: self.weights.iter().map(bound).collect(),
        })
    }

    /// The successes of these faces.
    pub fn successes(&self, faces: &[i64]) -> i64 {
        let worth = |face: &i64| {
            let weight = self
                .weights
                .iter()
                .find(|weight| (weight.low..=weight.high).contains(face));
            weight.map_or(0, |weight| weight.worth)
        };
        faces.iter().map(worth).fold(0, i64::saturating_add)
    }
}
