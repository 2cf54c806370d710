//! Dice that people rolled by hand: the faces that a call brings, for one roll or for several one after the other.

use crate::dice::{DiceError, EnteredRoller, Expression, Roll, Roller};
use crate::game::record::entry::RollRecord;
use crate::game::refusal::{Code, Detail, Refusal};
use crate::game::table::Table;

/// The faces of a call, in the order in which its dice are rolled.
pub struct Entered {
    roller: EnteredRoller,
    sent: usize,
    /// What is rolled, and the dice that it takes.
    wanted: (String, String),
}

impl Entered {
    /// Faces for these rolls.
    pub fn new<'e>(faces: &[i64], rolls: impl IntoIterator<Item = &'e Expression>) -> Self {
        let rolls: Vec<&Expression> = rolls.into_iter().collect();
        let all = |part: fn(&Expression) -> String| rolls.iter().map(|own| part(own)).collect::<Vec<_>>();
        let dice: Vec<String> = all(Expression::by_hand).into_iter().filter(|own| !own.is_empty()).collect();
        let dice = if dice.is_empty() { "no dice".to_owned() } else { dice.join(", ") };
        let wanted = (all(Expression::to_string).join(" and "), dice);
        Entered { roller: EnteredRoller::new(faces), sent: faces.len(), wanted }
    }

    /// Faces for the dice of a roll that are rolled again, so many.
    pub fn again(faces: &[i64], expression: &Expression, redrawn: usize) -> Self {
        let dice: Vec<String> = expression.dice().iter().map(ToString::to_string).collect();
        let wanted = (expression.to_string(), format!("{redrawn} of {} that are rolled again", dice.join(" or ")));
        Entered { roller: EnteredRoller::new(faces), sent: faces.len(), wanted }
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
        let rolled = roll(&mut self.roller).map_err(|error| match self.roller.missing() {
            Some(die) => self.does_not_fit(&format!("after {} one more is needed, a {die}", self.sent)),
            None => self.does_not_fit(error.message.trim_end_matches('.')),
        })?;
        Ok(table.entered_record(rolled, by, purpose))
    }

    /// Every face was used.
    ///
    /// # Errors
    /// When some are left over.
    pub fn finish(self) -> Result<(), Refusal> {
        match self.roller.left() {
            0 => Ok(()),
            left => Err(self.does_not_fit(&format!("{left} of {} numbers are left over", self.sent))),
        }
    }

    fn does_not_fit(&self, why: &str) -> Refusal {
        let (what, dice) = &self.wanted;
        let summary = format!(
            "entered does not fit {what}: {why}. It takes {dice}, in this order; what is rolled again or explodes follows its die."
        );
        let detail = Detail { parameter: "entered".to_owned(), issue: why.to_owned(), valid_range: dice.clone() };
        Refusal::new(Code::InvalidParameters, summary).details(vec![detail])
    }
}
