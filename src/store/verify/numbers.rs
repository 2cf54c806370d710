//! The numbers beside the dice: margins, outcomes that follow from them, damage against its images.
//!
//! The rules are not in the log, so only what is so under any rules is checked, and only of entries whose shape says enough:
//! whether low or high is good nobody wrote down, so a margin fits either way round; what a modifier adds to which roll is the
//! rule's affair; a step of damage that this program does not know may be anything.

use super::{fights, improved};
use crate::game::record::change::Change;
use crate::game::record::entry::Entry;
use crate::game::record::event::{CheckEvent, DamageEvent, Event};
use crate::rules::{Outcome, Succeed};

/// The first version of a body whose numbers are all made this way.
const SINCE: u32 = 2;

/// What is wrong with the numbers of an entry.
pub fn check(entry: &Entry) -> Option<String> {
    if entry.v < SINCE {
        return None;
    }
    match &entry.event {
        Event::Check(check) => margins(entry, check).or_else(|| outcome(check)).or_else(|| formulas(entry, check)),
        Event::Damage(damage) => amount(damage).or_else(|| images(entry, damage)),
        Event::Improved { .. } => improved::check(entry),
        _ => fights::check(entry),
    }
}

fn margins(entry: &Entry, check: &CheckEvent) -> Option<String> {
    let result = check.successes.or_else(|| entry.rolls.first().map(|record| record.roll.total))?;
    let own = margin(result, check.target, check.margin);
    own.or_else(|| check.opposed.as_ref().and_then(|other| margin(other.result, other.target, other.margin)))
}

fn formulas(entry: &Entry, check: &CheckEvent) -> Option<String> {
    let (formulas, record) = check.formulas.as_ref().zip(entry.rolls.first())?;
    formulas.contradiction(check, &record.roll)
}

fn margin(result: i64, target: Option<i64>, recorded: Option<i64>) -> Option<String> {
    let (target, recorded) = match (target, recorded) {
        (Some(target), Some(recorded)) => (target, recorded),
        (None, None) => return None,
        _ => return Some("it has a margin without a target, or a target without a margin".to_owned()),
    };
    let fits = [Succeed::AtLeast, Succeed::AtMost].iter().any(|succeed| succeed.margin(result, target) == recorded);
    (!fits).then(|| format!("its margin is {recorded}, and that is not between {result} and {target}"))
}

/// Without a table and with nothing that moved it, the outcome is the margin's sign.
fn outcome(check: &CheckEvent) -> Option<String> {
    let (margin, outcome) = check.margin.zip(check.outcome)?;
    let by_margin = if margin >= 0 { Outcome::Success } else { Outcome::Failure };
    let decides = check.rank.is_none() && check.adjustments.is_empty();
    (decides && outcome != by_margin)
        .then(|| format!("its outcome is {outcome}, and a margin of {margin} is {by_margin}"))
}

/// What the steps of damage to one track say, where each of them is known.
struct Moved {
    before: i64,
    after: i64,
    /// What would have gone past the track's end.
    beyond: i64,
    /// What was halved, and what that left.
    halved: Option<(i64, i64)>,
}

impl Moved {
    fn of(damage: &DamageEvent) -> Option<Moved> {
        let track = damage.track.as_deref()?;
        let (mut on_track, mut beyond, mut halved) = (None, 0, None);
        for step in &damage.steps {
            match step.step.as_str() {
                "a roll below 0 is a hit of 0" => {}
                "half, rounded down" => halved = Some((step.before, step.after)),
                "past the end of the track" => beyond = step.before,
                name if name == track && on_track.is_none() => on_track = Some((step.before, step.after)),
                _ => return None,
            }
        }
        let (before, after) = on_track?;
        Some(Moved { before, after, beyond, halved })
    }

    /// Whether the step is of marks (wounds, boxes): it counts the points on their way instead of where the track stood, and
    /// each mark that came or went is worth as many as another.
    fn counts_points(&self, amount: i64, marks: i64) -> bool {
        let on_their_way = self.halved.map_or(amount, |(_, left)| left);
        let points = i128::from(self.before) - i128::from(self.after);
        let marks = i128::from(marks);
        self.before == on_their_way && marks != 0 && points.signum() == marks.signum() && points % marks == 0
    }
}

fn amount(damage: &DamageEvent) -> Option<String> {
    let moved = Moved::of(damage)?;
    let way = i128::from(moved.after) - i128::from(moved.before);
    let whole = way.unsigned_abs() + u128::from(moved.beyond.unsigned_abs());
    let (named, left) = moved.halved.unwrap_or((damage.amount, damage.amount));
    let halved = moved.halved.is_none() || left == named / 2;
    let fits = halved && named == damage.amount && whole == u128::from(left.unsigned_abs());
    (!fits).then(|| format!("its amount is {}, and its steps say something else", damage.amount))
}

/// One image of the track holds the damage and what a crossed bound did to it afterwards.
fn images(entry: &Entry, damage: &DamageEvent) -> Option<String> {
    let moved = Moved::of(damage).filter(|moved| moved.before != moved.after)?;
    let image = entry.changes.iter().find_map(|change| match change {
        Change::Track(images) => {
            let after = images.after.as_ref()?;
            let same = after.character == damage.subject.id && Some(&after.name) == damage.track.as_ref();
            same.then_some((images.before.as_ref(), after))
        }
        _ => None,
    });
    let followed = !damage.triggers.is_empty();
    // A trigger may have put the track back where it was; then it has no image.
    let fits = image.map_or(followed, |(before, after)| {
        let began = before.is_none_or(|before| before.value == moved.before);
        let whole = began && (after.value == moved.after || followed);
        whole || moved.counts_points(damage.amount, after.value - before.map_or(after.min, |before| before.value))
    });
    (!fits).then(|| {
        format!("its steps take the track from {} to {}, and its images say something else", moved.before, moved.after)
    })
}
