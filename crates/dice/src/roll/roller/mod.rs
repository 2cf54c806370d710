//! Where faces come from.

mod os;
mod seeded;

pub use os::OsRoller;
pub use seeded::SeededRoller;

use crate::die::Die;
use crate::expression::tree::Hand;
use std::collections::VecDeque;

/// A source of faces, passed in wherever dice are rolled, so that a test can say what falls.
pub trait Roller {
    /// The name of the source, for the log: `os-chacha12` or `pinned`; `seeded` is never logged.
    fn source(&self) -> &'static str;

    /// A face, each of `low..=high` equally likely. Errors: [`DrawError`] when there is no face.
    fn draw(&mut self, low: i64, high: i64) -> Result<i64, DrawError>;

    /// One of `faces`, each place in the list equally likely.
    /// Errors: as [`Roller::draw`].
    fn pick(&mut self, faces: &[i64]) -> Result<i64, DrawError> {
        let last = i64::try_from(faces.len()).unwrap_or(0);
        let place = self.draw(1, last)?;
        let face = usize::try_from(place - 1)
            .ok()
            .and_then(|index| faces.get(index))
            .copied();
        face.ok_or(DrawError::EmptyRange { low: 1, high: last })
    }

    /// A roll begins that takes these cards.
    fn deal(&mut self, _hands: &[Hand<'_>]) {}

    /// A card of a deck; `left` are those that this roll neither has nor holds.
    /// Errors: as [`Roller::draw`].
    fn card(&mut self, _deck: &Die, left: &[i64]) -> Result<i64, DrawError> {
        self.pick(left)
    }
}

/// Why a roller gave no face.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DrawError {
    /// The operating system's source of randomness failed.
    #[error("The operating system gave no randomness ({0}).")]
    System(String),
    /// The script has no more faces.
    #[error("The given dice ran out after {used}: one more is needed.")]
    TooFew {
        /// How many faces were used.
        used: usize,
    },
    /// The script gives a face that the die lacks.
    #[error("Given die number {place} shows {face}, which this die does not have ({faces}).")]
    NoSuchFace {
        /// Its place in the script, from 1.
        place: usize,
        face: i64,
        /// The faces that the die has.
        faces: String,
    },
    /// The script gives a card that was drawn before.
    #[error(
        "Given die number {place} shows {face}, a card that is out of its deck until that is shuffled. Shuffle it with manage_session \
         action=\"shuffle\"."
    )]
    CardOut {
        /// Its place in the script, from 1.
        place: usize,
        face: i64,
    },
    /// A die without faces was asked for.
    #[error("There is no face between {low} and {high}.")]
    EmptyRange {
        /// The lowest face.
        low: i64,
        /// The highest face.
        high: i64,
    },
}

/// Gives the faces it was given, in order: for tests, for playtests, and for checking a log, whose
/// faces rolled again must give the recorded roll. Rolls made with it are marked `pinned`.
#[derive(Clone, Debug, Default)]
pub struct ScriptedRoller {
    faces: VecDeque<i64>,
    used: usize,
}

impl ScriptedRoller {
    /// A roller that gives these faces.
    pub fn new(faces: impl IntoIterator<Item = i64>) -> Self {
        ScriptedRoller {
            faces: faces.into_iter().collect(),
            used: 0,
        }
    }

    /// The faces that were not used.
    pub fn left(&self) -> Vec<i64> {
        self.faces.iter().copied().collect()
    }

    fn next(&mut self) -> Result<i64, DrawError> {
        let face = self.faces.pop_front();
        let face = face.ok_or(DrawError::TooFew { used: self.used })?;
        self.used += 1;
        Ok(face)
    }

    fn refuse(&self, face: i64, faces: String) -> DrawError {
        DrawError::NoSuchFace {
            place: self.used,
            face,
            faces,
        }
    }
}

impl Roller for ScriptedRoller {
    fn source(&self) -> &'static str {
        "pinned"
    }

    fn draw(&mut self, low: i64, high: i64) -> Result<i64, DrawError> {
        let face = self.next()?;
        if (low..=high).contains(&face) {
            return Ok(face);
        }
        Err(self.refuse(face, format!("{low} to {high}")))
    }

    fn pick(&mut self, faces: &[i64]) -> Result<i64, DrawError> {
        let face = self.next()?;
        if faces.contains(&face) {
            return Ok(face);
        }
        let mut known = faces.to_vec();
        known.sort_unstable();
        known.dedup();
        let known: Vec<String> = known.iter().map(i64::to_string).collect();
        Err(self.refuse(face, known.join(", ")))
    }
}

/// Gives the faces that people rolled, in the order in which an expression rolls its dice. Rolls
/// made with it are marked [`EnteredRoller::SOURCE`] for ever.
#[derive(Clone, Debug, Default)]
pub struct EnteredRoller {
    faces: ScriptedRoller,
    missing: Option<String>,
}

impl EnteredRoller {
    /// The name of this source; no statistic of the dice counts it.
    pub const SOURCE: &str = "entered";

    /// A roller that gives these faces.
    pub fn new(faces: &[i64]) -> Self {
        EnteredRoller {
            faces: ScriptedRoller::new(faces.iter().copied()),
            missing: None,
        }
    }

    /// How many faces were not used.
    pub fn left(&self) -> usize {
        self.faces.left().len()
    }

    /// The die that was to be rolled when there was no face left.
    pub fn missing(&self) -> Option<&str> {
        self.missing.as_deref()
    }

    fn given(
        &mut self,
        face: Result<i64, DrawError>,
        die: impl FnOnce() -> String,
    ) -> Result<i64, DrawError> {
        if let Err(DrawError::TooFew { .. }) = &face {
            self.missing = Some(die());
        }
        face
    }
}

impl Roller for EnteredRoller {
    fn source(&self) -> &'static str {
        Self::SOURCE
    }

    fn draw(&mut self, low: i64, high: i64) -> Result<i64, DrawError> {
        let face = self.faces.draw(low, high);
        self.given(face, || {
            if low == 1 {
                format!("d{high}")
            } else {
                format!("die from {low} to {high}")
            }
        })
    }

    fn pick(&mut self, faces: &[i64]) -> Result<i64, DrawError> {
        let face = self.faces.pick(faces);
        self.given(face, || {
            let faces: Vec<String> = faces.iter().map(i64::to_string).collect();
            format!("die with the faces {}", faces.join(", "))
        })
    }

    fn card(&mut self, deck: &Die, left: &[i64]) -> Result<i64, DrawError> {
        let card = self.faces.card(deck, left);
        self.given(card, || format!("card of {deck}"))
    }
}

/// Returns the faces that stay and draws the others.
pub struct KeptRoller<'r> {
    faces: std::vec::IntoIter<Option<i64>>,
    fresh: &'r mut dyn Roller,
}

impl<'r> KeptRoller<'r> {
    /// The faces in the order of draws; `None` where one is drawn again, as all beyond them are.
    pub fn new(faces: Vec<Option<i64>>, fresh: &'r mut dyn Roller) -> Self {
        KeptRoller {
            faces: faces.into_iter(),
            fresh,
        }
    }
}

impl Roller for KeptRoller<'_> {
    fn source(&self) -> &'static str {
        self.fresh.source()
    }

    fn draw(&mut self, low: i64, high: i64) -> Result<i64, DrawError> {
        self.faces
            .next()
            .flatten()
            .map_or_else(|| self.fresh.draw(low, high), Ok)
    }

    fn pick(&mut self, faces: &[i64]) -> Result<i64, DrawError> {
        self.faces
            .next()
            .flatten()
            .map_or_else(|| self.fresh.pick(faces), Ok)
    }

    fn deal(&mut self, hands: &[Hand<'_>]) {
        let faces = self.faces.as_slice();
        let hands = hands.iter().map(|hand| {
            let held = faces
                .iter()
                .skip(hand.first)
                .take(hand.count)
                .copied()
                .flatten()
                .collect();
            Hand {
                held,
                ..hand.clone()
            }
        });
        self.fresh.deal(&hands.collect::<Vec<Hand<'_>>>());
    }

    fn card(&mut self, deck: &Die, left: &[i64]) -> Result<i64, DrawError> {
        self.faces
            .next()
            .flatten()
            .map_or_else(|| self.fresh.card(deck, left), Ok)
    }
}
