//! Where faces come from.

pub(crate) mod os;
pub(crate) mod sample;
mod scripted;

pub use os::OsRoller;
pub use scripted::ScriptedRoller;

/// A source of faces.
///
/// Passed in wherever dice are rolled, so that a test can say what falls.
pub trait Roller {
    /// The name of the source, for the log: `os-chacha12` or `pinned`.
    fn source(&self) -> &'static str;

    /// A face, each of `low..=high` equally likely.
    ///
    /// # Errors
    /// [`DrawError`] when there is no face to give.
    fn draw(&mut self, low: i64, high: i64) -> Result<i64, DrawError>;

    /// One of `faces`, each place in the list equally likely.
    ///
    /// # Errors
    /// As [`Roller::draw`].
    fn pick(&mut self, faces: &[i64]) -> Result<i64, DrawError> {
        let last = i64::try_from(faces.len()).unwrap_or(0);
        let place = self.draw(1, last)?;
        let index = usize::try_from(place - 1).ok();
        match index.and_then(|index| faces.get(index)) {
            Some(face) => Ok(*face),
            None => Err(DrawError::EmptyRange { low: 1, high: last }),
        }
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
        /// The face.
        face: i64,
        /// The faces that the die has.
        faces: String,
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
