//! What a check says of somebody else's dice.

use super::text::arithmetic;
use crate::record::entry::RollRecord;
use crate::record::event::{CheckEvent, Opposed, TieGoes};
use crate::record::purpose::OPPOSED;

/// The named values. They may be worked out from a number that players do not know: that of a sheet, or, where there is no target, what the
/// other came to.
pub(super) fn results(event: &CheckEvent, whole: bool) -> String {
    let contest = event.opposed.is_some() && event.target.is_none();
    let open = whole || (!event.target_hidden && !contest);
    event.results.iter().filter(|_| open).map(|(name, is)| format!("; {name} {is}")).collect()
}

/// The result against an opponent.
pub(super) fn against(opposed: &Opposed, rolls: &[RollRecord], whole: bool) -> String {
    let other = opposed.subject.as_ref().filter(|_| whole || !opposed.hidden);
    let other = other.map_or("the other", |subject| subject.name.as_str());
    let dice = rolls.iter().find(|record| record.purpose == OPPOSED).filter(|_| whole);
    let dice = dice.map_or(String::new(), |record| format!(", who rolls {}", arithmetic(record)));
    let ended = match (opposed.tie, opposed.won, opposed.tie_goes) {
        (true, _, _) if opposed.both_failed => "both fail, a tie with",
        (true, _, None) => "a tie with",
        (true, _, Some(TieGoes::Actor)) => "a tie, which wins against",
        (true, _, Some(TieGoes::Other)) => "a tie, which loses to",
        (true, _, Some(TieGoes::Again)) => "a tie, so both roll again, with",
        (false, true, _) => "wins against",
        (false, false, _) => "loses to",
    };
    format!("; {ended} {other}{dice}")
}
