//! The dice of a call made again after the database was lost: no face is drawn a second time.

use rollbook_dice::{DrawError, Roller};
use rollbook_game::record::entry::Discarded;
use rollbook_game::table::Chance;

/// A source of dice that keeps the faces of one call.
pub struct KeptDice {
    chance: Box<dyn Chance>,
    source: &'static str,
    dice: Vec<Die>,
}

struct Die {
    of: Of,
    face: i64,
    /// The attempt that is made now has it.
    is_taken: bool,
}

#[derive(Clone, PartialEq, Eq)]
enum Of {
    Range(i64, i64),
    Faces(Vec<i64>),
}

impl KeptDice {
    pub fn new(mut chance: Box<dyn Chance>) -> Self {
        let source = chance.roller().source();
        KeptDice {
            chance,
            source,
            dice: Vec::new(),
        }
    }

    pub fn begin(&mut self) {
        self.dice.clear();
    }

    /// Begins another attempt of the same call: faces that fell come first, in their order.
    pub fn again(&mut self) {
        self.dice.iter_mut().for_each(|die| die.is_taken = false);
    }

    /// Faces of an earlier attempt that have no place in this one.
    pub fn discarded(&self) -> Vec<Discarded> {
        let left = self.dice.iter().filter(|die| !die.is_taken);
        let words = |of: &Of| match of {
            Of::Range(low, high) => format!("{low}-{high}"),
            Of::Faces(faces) => faces
                .iter()
                .map(i64::to_string)
                .collect::<Vec<_>>()
                .join(", "),
        };
        left.map(|die| Discarded {
            of: words(&die.of),
            face: die.face,
        })
        .collect()
    }

    fn next(
        &mut self,
        of: Of,
        draw: impl FnOnce(&mut dyn Roller) -> Result<i64, DrawError>,
    ) -> Result<i64, DrawError> {
        if let Some(die) = self
            .dice
            .iter_mut()
            .find(|die| !die.is_taken && die.of == of)
        {
            die.is_taken = true;
            return Ok(die.face);
        }
        let face = draw(self.chance.roller())?;
        self.dice.push(Die {
            of,
            face,
            is_taken: true,
        });
        Ok(face)
    }
}

impl Roller for KeptDice {
    fn source(&self) -> &'static str {
        self.source
    }

    fn draw(&mut self, low: i64, high: i64) -> Result<i64, DrawError> {
        self.next(Of::Range(low, high), |dice| dice.draw(low, high))
    }

    fn pick(&mut self, faces: &[i64]) -> Result<i64, DrawError> {
        self.next(Of::Faces(faces.to_vec()), |dice| dice.pick(faces))
    }
}

impl Chance for KeptDice {
    fn roller(&mut self) -> &mut dyn Roller {
        self
    }

    fn roll_id(&mut self, at: i64) -> String {
        self.chance.roll_id(at)
    }

    fn nonce(&mut self) -> String {
        self.chance.nonce()
    }

    fn salt(&mut self) -> [u8; 32] {
        self.chance.salt()
    }
}

#[cfg(test)]
mod tests {
    use super::KeptDice;
    use rollbook_dice::{OsRoller, Roller as _};
    use rollbook_game::record::entry::Discarded;
    use rollbook_game::table::Unrecorded;

    #[test]
    fn what_fell_falls_again_in_its_order_and_what_is_left_over_is_said() {
        let mut dice = KeptDice::new(Box::new(Unrecorded(OsRoller::new())));
        let first: Vec<i64> = (0..20).map(|_| dice.draw(1, 1_000_000).unwrap()).collect();
        let picked = dice.pick(&[2, 4, 600]).unwrap();
        assert_eq!(dice.discarded(), []);
        dice.again();
        assert_eq!(dice.discarded().len(), 21);
        let other = dice.draw(1, 6).unwrap();
        let again: Vec<i64> = (0..19).map(|_| dice.draw(1, 1_000_000).unwrap()).collect();
        assert_eq!(again, first[..19]);
        let left = |of: &str, face| Discarded {
            of: of.to_owned(),
            face,
        };
        assert_eq!(
            dice.discarded(),
            [left("1-1000000", first[19]), left("2, 4, 600", picked)]
        );
        dice.again();
        assert_eq!(
            dice.draw(1, 6).unwrap(),
            other,
            "what was missing fell, too"
        );
        dice.begin();
        assert_eq!(dice.discarded(), []);
    }
}
