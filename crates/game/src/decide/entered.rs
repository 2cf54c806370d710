//! Dice that people rolled by hand: the faces that a call brings, for one roll or for several one after the other.

use crate::record::entry::RollRecord;
use crate::refusal::{Code, Detail, Refusal};
use crate::table::Table;
use rollbook_dice::{DiceError, EnteredRoller, Expression, Roll, Roller};

/// The faces of a call, in the order in which its dice are rolled.
pub struct Entered {
    roller: EnteredRoller,
    sent: usize,
    /// What was rolled, or is next.
    rolled: Vec<String>,
    /// The dice that it takes.
    dice: Vec<String>,
}

impl Entered {
    /// The faces that a call brings.
    pub fn new(faces: &[i64]) -> Self {
        Entered { roller: EnteredRoller::new(faces), sent: faces.len(), rolled: Vec::new(), dice: Vec::new() }
    }

    /// These rolls are next; `what` they are for stands behind their dice.
    pub fn next<'e>(&mut self, rolls: impl IntoIterator<Item = &'e Expression>, what: &str) {
        let what = if what.is_empty() { String::new() } else { format!(" for {what}") };
        for expression in rolls {
            self.rolled.push(expression.to_string());
            let dice = expression.by_hand();
            self.dice.extend((!dice.is_empty()).then(|| format!("{dice}{what}")));
        }
    }

    /// So many dice of a roll are rolled again.
    pub fn again(&mut self, expression: &Expression, redrawn: usize) {
        let dice: Vec<String> = expression.dice().iter().map(ToString::to_string).collect();
        self.rolled.push(expression.to_string());
        self.dice.push(format!("{redrawn} of {} that are rolled again", dice.join(" or ")));
    }

    /// Nothing is rolled for it.
    pub fn none(&mut self, what: &str) {
        self.dice.push(format!("none for {what}"));
    }

    /// Rolls with the next faces.
    ///
    /// # Errors
    /// When they are too few, or a die has no such face.
    pub fn roll(
        &mut self,
        table: &mut Table,
        by: &str,
        purpose: &str,
        roll: impl FnOnce(&mut dyn Roller) -> Result<Roll, DiceError>,
    ) -> Result<RollRecord, Refusal> {
        let rolled = table.roll_entered(&mut self.roller, by, purpose, roll);
        rolled.map_err(|error| match self.roller.missing() {
            Some(die) => self.does_not_fit(&format!("after {} one more is needed, a {die}", self.sent)),
            None => self.does_not_fit(error.message.trim_end_matches('.')),
        })
    }

    /// Every face was used.
    ///
    /// # Errors
    /// When some are left over.
    pub fn finish(&self) -> Result<(), Refusal> {
        match self.roller.left() {
            0 => Ok(()),
            left => Err(self.does_not_fit(&format!("{left} of {} numbers are left over", self.sent))),
        }
    }

    fn does_not_fit(&self, why: &str) -> Refusal {
        let what = self.rolled.join(" and ");
        let dice = if self.dice.is_empty() { "no dice".to_owned() } else { self.dice.join(", ") };
        let summary = format!(
            "entered does not fit {what}: {why}. It takes {dice}, in this order; what is rolled again or explodes follows its die."
        );
        let detail = Detail { parameter: "entered".to_owned(), issue: why.to_owned(), valid_range: dice };
        Refusal::new(Code::InvalidParameters, summary).details(vec![detail])
    }
}
