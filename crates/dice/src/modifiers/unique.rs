//! Dice without replacement: of `3d52unique` no two show the same face, as cards are drawn. A face
//! that is on the die twice may fall twice.

use crate::error::{Code, DiceError, Fault};
use crate::modifiers::{Form, Modifier, ModifierKind, Rule, Spelling, Stage};
use crate::text::Span;

/// What was drawn is not drawn again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unique;

impl Rule for Unique {
    const STAGE: Stage = Stage::Draw;
    const SPELLINGS: &'static [Spelling<Self>] =
        &[Spelling::new("unique", Form::Bare(|| Unique), "3d52unique")];

    fn print(&self, out: &mut String) {
        out.push_str("unique");
    }
}

/// Refuses more dice in one term than faces, and what draws again or chooses by a comparison.
pub(crate) fn check_all(
    modifiers: &[Modifier],
    count: i64,
    faces: usize,
    at: Span,
) -> Result<(), DiceError> {
    if usize::try_from(count).unwrap_or(usize::MAX) > faces {
        return Err(too_many(faces, at));
    }
    let may = |kind: &ModifierKind| match kind {
        ModifierKind::Unique(_) | ModifierKind::Sort(_) => true,
        ModifierKind::Keep(selection) => selection.best(faces).is_some(),
        ModifierKind::Bonus(_)
        | ModifierKind::Reroll(_)
        | ModifierKind::Explode(_)
        | ModifierKind::Clamp(_)
        | ModifierKind::Count(_)
        | ModifierKind::Mark(_) => false,
    };
    match modifiers.iter().find(|modifier| !may(&modifier.kind)) {
        None => Ok(()),
        Some(modifier) => Err(Fault::new(
            Code::OutOfScopeSyntax,
            modifier.span,
            "What is drawn without replacement is neither drawn again nor counted.",
        )
        .hint(
            "Leave it out; some of it may be kept (kh, kl, dh, dl).",
            "3d52uniquekh1",
        )),
    }
}

/// Refuses more dice than there are faces, in one term or in several of one roll together.
pub(crate) fn too_many(faces: usize, at: Span) -> DiceError {
    let message = match faces {
        1 => "There is 1 face, and it falls no more than once in one roll.".to_owned(),
        _ => format!("There are {faces} faces, and none of them falls twice in one roll."),
    };
    Fault::new(Code::InvalidDie, at, message).hint("Draw fewer of them.", "3d52unique")
}

/// The least and the greatest sum of what is kept of so many different faces that are worth this.
pub(crate) fn range(
    worths: impl Iterator<Item = i64>,
    count: usize,
    kept: &std::ops::Range<usize>,
) -> (i64, i64) {
    let mut worths: Vec<i64> = worths.collect();
    worths.sort_unstable_by(|one, other| other.cmp(one));
    let sum = |drawn: &[i64]| {
        drawn
            .get(kept.clone())
            .unwrap_or_default()
            .iter()
            .copied()
            .fold(0, i64::saturating_add)
    };
    let start = worths.len().saturating_sub(count);
    (
        sum(worths.get(start..).unwrap_or_default()),
        sum(worths.get(..count).unwrap_or_default()),
    )
}
