//! Every roll there is, one by one: the slow way to odds, for small cases and terms with one deck.

use crate::error::{Code, Fault};
use crate::expression::Expression;
use crate::odds::budget::Stop;
use crate::odds::{Distribution, Odds, Ratio, bands_of};
use crate::roll::roller::{DrawError, Roller};
use crate::text::Span;
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// A way that is one in more than 2 to this power is followed no further: explosions do not end.
const DEPTH_BITS: u64 = 32;

/// Walks through all faces, the last draw first: roll, look, [`Walker::advance`], roll again.
pub struct Walker {
    /// The place drawn and the number of places, draw by draw.
    path: Vec<(i64, i64)>,
    used: usize,
    draws_max: usize,
    depth_bits: u64,
    cut: bool,
}

impl Walker {
    /// A walker at the first path, which gives no more faces on one that is very unlikely.
    #[must_use]
    pub fn new() -> Self {
        Walker {
            path: Vec::new(),
            used: 0,
            draws_max: usize::MAX,
            depth_bits: DEPTH_BITS,
            cut: false,
        }
    }

    /// A walker at the first path, which follows each of up to so many draws to its end.
    #[must_use]
    pub fn up_to(draws_max: usize) -> Self {
        Walker {
            draws_max,
            depth_bits: u64::MAX,
            ..Walker::new()
        }
    }

    /// The number of equally likely paths of which this one is one.
    pub fn ways(&self) -> BigUint {
        self.path
            .iter()
            .take(self.used)
            .map(|(_, places)| BigUint::from(places.unsigned_abs()))
            .product()
    }

    /// Whether this path was left before its end.
    pub fn is_cut(&self) -> bool {
        self.cut
    }

    /// Goes on to the next path, if there is one.
    pub fn advance(&mut self) -> bool {
        self.path.truncate(self.used);
        (self.used, self.cut) = (0, false);
        while let Some((place, places)) = self.path.last_mut() {
            *place += 1;
            if *place < *places {
                return true;
            }
            self.path.pop();
        }
        false
    }
}

impl Default for Walker {
    fn default() -> Self {
        Self::new()
    }
}

impl Roller for Walker {
    fn source(&self) -> &'static str {
        "every"
    }

    fn draw(&mut self, low: i64, high: i64) -> Result<i64, DrawError> {
        if self.used >= self.draws_max
            || self.depth_bits < u64::MAX && self.ways().bits() > self.depth_bits
        {
            self.cut = true;
            return Err(DrawError::TooFew { used: self.used });
        }
        if self.used == self.path.len() {
            self.path.push((0, high - low + 1));
        }
        let place = self.path.get(self.used).map_or(0, |(place, _)| *place);
        self.used += 1;
        Ok(low + place)
    }
}

/// Rolls that are looked at one by one.
const ROLLS_MAX: f64 = 200_000.0;

pub(super) fn odds(expression: &Expression) -> Result<Odds, Stop> {
    let request = expression.request();
    if request.repeat.is_some() || expression.redraws() || rolls(expression) > ROLLS_MAX {
        let message = "These terms draw from one deck in too many ways to look at each.";
        let hint = "Draw them as one term, or fewer of them; without repeats, rerolls and explosions beside them.";
        let refusal =
            Fault::new(Code::LimitExceeded, Span::default(), message).hint(hint, "5d52unique");
        return Err(Stop::Refused(refusal));
    }
    let mut walker = Walker::up_to(usize::MAX);
    let (mut totals, mut passed, mut ways) = (
        BTreeMap::<i64, BigUint>::new(),
        BigUint::ZERO,
        BigUint::ZERO,
    );
    loop {
        let roll = expression.roll(&mut walker).map_err(Stop::Refused)?;
        ways += 1_u8;
        *totals.entry(roll.total).or_default() += 1_u8;
        if roll.verdict.as_ref().and_then(|verdict| verdict.success) == Some(true) {
            passed += 1_u8;
        }
        if !walker.advance() {
            break;
        }
    }
    let tested = request.check.test.as_ref();
    let success = tested
        .and_then(|test| test.node())
        .map(|_| Ratio::new(false, passed, ways.clone()));
    let totals = Distribution::new(totals.into_iter().collect(), ways);
    let bands = bands_of(&totals, tested);
    Ok(Odds {
        totals,
        repeated: false,
        success,
        bands,
    })
}

fn rolls(expression: &Expression) -> f64 {
    let mut all = 1.0;
    expression.visit_dice(&mut |dice| {
        if dice.bonus() != 0 {
            all = f64::INFINITY;
        } else if !dice.is_unique() {
            (0..dice.count()).for_each(|_| all *= dice.die().faces().len() as f64);
        }
    });
    for (dice, before) in expression.request().check.draws() {
        for nth in before..before.saturating_add(dice.count()) {
            all *= dice.die().faces().len() as f64 - nth as f64;
        }
    }
    all
}
