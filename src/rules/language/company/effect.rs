//! What a few words do to a shared track: `alarm clears`, `1 more`, `1 less supplies`.

use crate::rules::document::Text;
use crate::rules::language::checks::moves::{Moved, moved};
use crate::rules::language::names::Names;
use crate::rules::language::rests::recovery::{self, Recovery};
use crate::rules::language::rests::{Recoverable, RestEffect};

/// What the words do, to the track that they name, else to the one above them, and by how much; nothing within where they move
/// nothing, and none where they cannot be read.
pub fn effect(part: &Text, above: Option<&str>, all: &[Recoverable]) -> Option<Option<(RestEffect, i64)>> {
    let words = part.as_str().trim_end_matches('.').to_lowercase();
    let begins = |own: &&Recoverable| own.spoken.iter().any(|name| after_name(&words, name).is_some());
    let ends = |own: &&Recoverable| own.spoken.iter().any(|name| words.ends_with(&format!(" {name}")));
    let named = all.iter().find(begins).or_else(|| all.iter().find(ends));
    let of = named.or_else(|| all.iter().find(|own| above == Some(own.name.as_str())));
    let plain =
        of.and_then(|of| moved(of.spoken.iter().find_map(|name| after_name(&words, name)).unwrap_or(&words), of));
    match plain {
        Some(Moved::Not) => Some(None),
        Some(Moved::By(effect, amount)) => Some(Some((effect, amount))),
        None => {
            let mut parts = recovery::clause(part, all, &Names::default()).into_iter();
            let (Some((_, Recovery::Effects(effects))), None) = (parts.next(), parts.next()) else { return None };
            let mut effects = effects.into_iter();
            let (effect, None) = (effects.next()?, effects.next()) else { return None };
            let amount = effect.constant()?;
            Some(Some((effect, amount)))
        }
    }
}

/// What stands behind the track's name: `alarm clears`.
fn after_name<'w>(words: &'w str, name: &str) -> Option<&'w str> {
    words.strip_prefix("the ").unwrap_or(words).strip_prefix(name)?.strip_prefix(' ')
}
