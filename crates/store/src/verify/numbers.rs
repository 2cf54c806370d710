//! The numbers beside the dice: margins, outcomes, damage, fights and improvements by their images.
//!
//! The rules are not in the log, so only what is so under any rules is checked, and only of entries
//! whose shape says enough: whether low or high is good is not in the log, so a margin fits either
//! way round; what a modifier adds to which roll is the rule's affair; a step of damage that this
//! program does not know may be anything.

use rollbook_game::limits::LIMITS;
use rollbook_game::record::change::{Change, Images};
use rollbook_game::record::entry::Entry;
use rollbook_game::record::event::{
    Act, CampaignRenamed, CheckEvent, ClockAct, ClockEvent, CombatantEvent, CombatantJoined,
    DamageEvent, Effects, Event, RoundBegan, StructureChanged, TimeEvent, TurnBegan,
};
use rollbook_game::record::purpose::GAIN;
use rollbook_game::record::state::{Combat, Condition, TurnsLeft};
use rollbook_rules::{Outcome, RESULT, Succeed};
use rollbook_text::names::same;

pub fn check(entry: &Entry) -> Option<String> {
    match &entry.event {
        Event::Check(check) => margins(entry, check)
            .or_else(|| outcome(check))
            .or_else(|| formulas(entry, check)),
        Event::Damage(damage) => amount(damage).or_else(|| images(entry, damage)),
        Event::Improved(_) => improved(entry),
        Event::Clock(clock) => shared(entry, clock),
        Event::Deck(deck) => shuffled(entry, &deck.name),
        Event::Time(time) => passed(entry, time),
        Event::TurnBegan(TurnBegan { round, .. }) => turn(entry, *round),
        Event::RoundBegan(RoundBegan { round, .. }) => {
            fights(entry, format!("begins round {round}"), |before, after| {
                after.round == *round && before.round.checked_add(1) == Some(*round)
            })
        }
        Event::StructureChanged(StructureChanged { structure, .. }) => {
            let what = format!("makes the fight {}", structure.as_str());
            // Whose turn is interrupted is who was up.
            fights(entry, what, |before, after| {
                let interrupted =
                    after.interrupted.is_none() || after.interrupted == before.current;
                after.structure == Some(*structure) && after.current.is_none() && interrupted
            })
        }
        Event::CombatantJoined(CombatantJoined {
            initiative,
            card: None,
            ..
        }) => rolled(entry, *initiative),
        Event::Combatant(CombatantEvent {
            act:
                Act::InitiativeRolled {
                    initiative,
                    card: None,
                },
            ..
        }) => rolled(entry, Some(*initiative)),
        Event::Effects(Effects { left, .. }) => {
            entry.changes.iter().find_map(|change| match change {
                Change::Condition(images) => counted(images, !left.is_empty()),
                _ => None,
            })
        }
        Event::CampaignRenamed(CampaignRenamed {
            from,
            to,
            continued_by,
        }) => renamed(entry, from, to, continued_by.as_deref()),
        _ => None,
    }
}

/// The names that an entry gives, against the campaign's row.
fn renamed(entry: &Entry, from: &str, to: &str, by: Option<&str>) -> Option<String> {
    let names = match entry.changes.as_slice() {
        [
            Change::Campaign(Images {
                before: Some(before),
                after: Some(after),
            }),
        ] => Some((&*before.name, &*after.name, after.continued_by.as_deref())),
        _ => None,
    };
    (names != Some((from, to, by)))
        .then(|| "it names the campaign otherwise than its images do".to_owned())
}

/// What an entry says of a clock, against the clock's row.
fn shared(entry: &Entry, event: &ClockEvent) -> Option<String> {
    let [Change::Clock(images)] = entry.changes.as_slice() else {
        return Some("it moves a clock and does not change that clock alone".to_owned());
    };
    let Some(after) = &images.after else {
        return Some("it takes a clock away".to_owned());
    };
    let from = match (&images.before, event.act) {
        // One that is made begins where it is, also where another of the name was done with.
        (_, ClockAct::Made) => after.value,
        // One that the rules declare has no row before its first change.
        (None, _) => event.from,
        (Some(before), _) => before.value,
    };
    let same = (event.from, event.to, event.max) == (from, after.value, after.max)
        && event.name == after.name;
    (!same).then(|| {
        format!(
            "it says {} {} to {}, and the row goes from {from} to {}",
            event.name, event.from, event.to, after.value
        )
    })
}

/// A deck that is shuffled has no row after it.
fn shuffled(entry: &Entry, name: &str) -> Option<String> {
    let whole = match entry.changes.as_slice() {
        [
            Change::Deck(Images {
                before: Some(before),
                after: None,
            }),
        ] => before.name == name,
        _ => false,
    };
    (!whole).then(|| format!("it shuffles {name} and does not take away its row alone"))
}

/// The time that an entry tells, against its row.
fn passed(entry: &Entry, event: &TimeEvent) -> Option<String> {
    let rows = entry.changes.iter().find_map(|change| match change {
        Change::Clock(images) => Some((
            images.before.as_ref().map_or(0, |row| row.value),
            images.after.as_ref()?.value,
        )),
        _ => None,
    });
    // What ends unseen has no row of its own.
    let (from, to) = rows.unwrap_or((event.to, event.to));
    ((event.from, event.to) != (from, to)).then(|| {
        format!(
            "it says that time goes from {} to {}, and the row from {from} to {to}",
            event.from, event.to
        )
    })
}

/// The margin is that of what was rolled; by rules with a value called Result of that.
fn margins(entry: &Entry, check: &CheckEvent) -> Option<String> {
    let rolled = check
        .successes
        .or_else(|| entry.rolls.first().map(|record| record.roll.total))?;
    let named = check
        .results
        .iter()
        .find(|(name, _)| same(name, RESULT))
        .map(|(_, is)| *is);
    margins_of(rolled, check)
        .filter(|_| named.is_none_or(|named| margins_of(named, check).is_some()))
}

fn margins_of(result: i64, check: &CheckEvent) -> Option<String> {
    // Of two without a target each has the other's result to reach.
    let contest = |target: Option<i64>, margin: Option<i64>, other: Option<i64>| {
        target.or(other.filter(|_| margin.is_some()))
    };
    let other = check.opposed.as_ref();
    let target = contest(check.target, check.margin, other.map(|other| other.result));
    margin(result, target, check.margin).or_else(|| {
        let other = other?;
        margin(
            other.result,
            contest(other.target, other.margin, Some(result)),
            other.margin,
        )
    })
}

fn formulas(entry: &Entry, check: &CheckEvent) -> Option<String> {
    let (formulas, record) = check.formulas.as_ref().zip(entry.rolls.first())?;
    formulas.contradiction(check, &record.roll)
}

fn margin(result: i64, target: Option<i64>, recorded: Option<i64>) -> Option<String> {
    if target.is_some() != recorded.is_some() {
        return Some("it has a margin without a target, or a target without a margin".to_owned());
    }
    let (target, recorded) = target.zip(recorded)?;
    let fits = [Succeed::AtLeast, Succeed::AtMost]
        .iter()
        .any(|succeed| succeed.margin(result, target) == recorded);
    (!fits)
        .then(|| format!("its margin is {recorded}, and that is not between {result} and {target}"))
}

/// Without a table and adjustments the outcome is the margin's sign; a tie is the defender's.
fn outcome(check: &CheckEvent) -> Option<String> {
    let (margin, outcome) = check.margin.zip(check.outcome)?;
    let tie = margin == 0 && check.target.is_none();
    let by_margin = if margin >= 0 && !tie {
        Outcome::Success
    } else {
        Outcome::Failure
    };
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
                name if name == track && on_track.is_none() => {
                    on_track = Some((step.before, step.after))
                }
                _ => return None,
            }
        }
        let (before, after) = on_track?;
        Some(Moved {
            before,
            after,
            beyond,
            halved,
        })
    }

    /// Whether the step is of marks (wounds, boxes): points, of which each mark is worth as many.
    fn counts_points(&self, amount: i64, marks: i64) -> bool {
        let on_their_way = self.halved.map_or(amount, |(_, left)| left);
        let points = i128::from(self.before) - i128::from(self.after);
        let marks = i128::from(marks);
        self.before == on_their_way
            && marks != 0
            && points.signum() == marks.signum()
            && points % marks == 0
    }
}

fn amount(damage: &DamageEvent) -> Option<String> {
    let moved = Moved::of(damage)?;
    let way = i128::from(moved.after) - i128::from(moved.before);
    let whole = way.unsigned_abs() + u128::from(moved.beyond.unsigned_abs());
    let (named, left) = moved.halved.unwrap_or((damage.amount, damage.amount));
    let halved = moved.halved.is_none() || left == named / 2;
    let fits = halved && named == damage.amount && whole == u128::from(left.unsigned_abs());
    (!fits).then(|| {
        format!(
            "its amount is {}, and its steps say something else",
            damage.amount
        )
    })
}

/// One image of the track holds the damage and what a crossed bound did to it afterwards.
fn images(entry: &Entry, damage: &DamageEvent) -> Option<String> {
    let moved = Moved::of(damage).filter(|moved| moved.before != moved.after)?;
    let image = entry.changes.iter().find_map(|change| {
        let Change::Track(images) = change else {
            return None;
        };
        let after = images.after.as_ref()?;
        let same =
            after.character == damage.subject.id && Some(&after.name) == damage.track.as_ref();
        same.then_some((images.before.as_ref(), after))
    });
    let followed = !damage.triggers.is_empty();
    // A trigger may have put the track back where it was; then it has no image.
    let fits = image.map_or(followed, |(before, after)| {
        let began = before.is_none_or(|before| before.value == moved.before);
        let whole = began && (after.value == moved.after || followed);
        whole
            || moved.counts_points(
                damage.amount,
                after.value - before.map_or(after.min, |before| before.value),
            )
    });
    (!fits).then(|| {
        format!(
            "its steps take the track from {} to {}, and its images say something else",
            moved.before, moved.after
        )
    })
}

/// What an entry does to a fight, against the fight's rows before and after it.
fn fights(entry: &Entry, what: String, fits: impl Fn(&Combat, &Combat) -> bool) -> Option<String> {
    let images = entry.changes.iter().find_map(|change| match change {
        Change::Combat(Images {
            before: Some(before),
            after: Some(after),
        }) => Some((before, after)),
        _ => None,
    });
    let fits = images.is_some_and(|(before, after)| fits(before, after));
    (!fits).then(|| format!("it {what}, and its images say something else"))
}

fn turn(entry: &Entry, round: u32) -> Option<String> {
    let acts = |id: i64| {
        entry.changes.iter().any(|change| match change {
            Change::Combatant(Images {
                after: Some(row), ..
            }) => row.id == id && row.acted_round == round,
            _ => false,
        })
    };
    let what = format!("begins a turn of round {round}");
    fights(entry, what, |_, fight| {
        fight.round == round && fight.current.is_some_and(acts)
    })
}

fn rolled(entry: &Entry, initiative: Option<i64>) -> Option<String> {
    let total = entry.rolls.first()?.roll.total;
    (initiative != Some(total)).then(|| {
        let named =
            initiative.map_or_else(|| "none".to_owned(), |initiative| initiative.to_string());
        format!("its initiative is {named}, and its roll comes to {total}")
    })
}

/// An effect has one turn less, or begins anew. Else a hidden one may change, or be revealed.
fn counted(images: &Images<Condition>, counts: bool) -> Option<String> {
    let (before, after) = images.before.as_ref().zip(images.after.as_ref())?;
    let one_less = before.lasts.as_ref().filter(|lasts| lasts.left > 1);
    let one_less = one_less.map(|lasts| TurnsLeft {
        left: lasts.left - 1,
        ..lasts.clone()
    });
    let as_it_was = || {
        after.hidden
            || Condition {
                hidden: true,
                ..after.clone()
            } == *before
    };
    let hidden = before.hidden && !counts && as_it_was();
    let fits =
        hidden || after.since > before.since || (one_less.is_some() && after.lasts == one_less);
    (!fits).then(|| format!("{} does not run on by one", before.name))
}

/// Every skill that gained moves by its roll, in the order of the ticks, and no other moves. A
/// skill that was not on the sheet began at what the rules give everybody, which is not in the log.
fn improved(entry: &Entry) -> Option<String> {
    let (before, after) = entry.changes.iter().find_map(|change| match change {
        Change::Character(images) => images.before.as_ref().zip(images.after.as_ref()),
        _ => None,
    })?;
    let ticks = before.ticks.all();
    if ticks.iter().any(|name| *name == GAIN) {
        // A skill of that name makes the dice ambiguous.
        return None;
    }
    let mut rolls = entry.rolls.iter().peekable();
    let mut expected = before.skills.clone();
    for name in ticks {
        // A tick of a skill that the rules have no more is not rolled for.
        if rolls.next_if(|record| record.purpose == *name).is_none() {
            continue;
        }
        let Some(gain) = rolls.next_if(|record| record.purpose == GAIN) else {
            continue;
        };
        match expected.get_mut(name) {
            Some(skill) => {
                *skill = skill
                    .saturating_add(gain.roll.total)
                    .clamp(-LIMITS.number, LIMITS.number)
            }
            None => drop(
                after
                    .skills
                    .get(name)
                    .map(|gained| expected.insert(name.clone(), *gained)),
            ),
        }
    }
    if rolls.next().is_some() {
        return Some("it has dice for a skill that was not ticked".to_owned());
    }
    let names = expected.keys().chain(after.skills.keys());
    let differs = |name: &&String| expected.get(*name) != after.skills.get(*name);
    let text = |value: Option<&i64>| value.map_or("nothing".to_owned(), i64::to_string);
    names.clone().find(differs).map(|name| {
        let (rolled, noted) = (text(expected.get(name)), text(after.skills.get(name)));
        format!("by its dice {name} comes to {rolled}, and its image says {noted}")
    })
}
