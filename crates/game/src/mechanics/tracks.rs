//! Tracks: their values by the rules, their names, how they are shown, how effects move them.

use crate::mechanics::health::{HIT_POINTS, Vitality, direction, room};
use crate::mechanics::{clocks::beginning, values::Values};
use crate::record::state::{Character, Renewal, State, Track, Uses, of_max};
use rollbook_dice::{Formula, parse_formula};
use rollbook_rules::{
    Direction, Effect, Move, Sign, Soak, System, Track as TrackRule, die_after_steps,
};
use rollbook_text::names::same;

/// The name of the health track. Where damage is taken from several tracks or from marks, a foe
/// made with hit points has a track of this name instead.
pub fn main_name(system: &System) -> &str {
    system.health_track().map_or(HIT_POINTS, |rule| &rule.name)
}

/// The tracks for a character's marks of one name, unmarked; the least worth first.
pub fn mark_tracks(character: i64, soak: &Soak) -> Vec<Track> {
    let row = |name: String, max| Track {
        character,
        name,
        max: Some(max),
        ..Track::default()
    };
    soak.marks
        .iter()
        .map(|mark| row(mark.track.clone(), mark.count))
        .collect()
}

/// A character's tracks in the order in which the rules declare them, then the others by name.
pub fn sorted<'s>(state: &'s State, system: &System, character: i64) -> Vec<&'s Track> {
    let place = |track: &Track| {
        system
            .tracks
            .iter()
            .position(|rule| same(&rule.name, &track.name))
    };
    let mut tracks: Vec<&Track> = state.tracks_of(character).collect();
    tracks.sort_by_cached_key(|track| place(track).unwrap_or(usize::MAX));
    tracks
}

/// Tracks in a few words; marks of one rule together: `Physical stress 2/3 (1, 3)`.
pub fn summary(system: &System, mut tracks: Vec<&Track>) -> Vec<String> {
    let mut marked = Vec::new();
    for Soak { name, marks, .. } in &system.soaks {
        let row = |name: &String| tracks.iter().copied().find(|track| track.name == *name);
        let rows: Vec<&Track> = marks.iter().filter_map(|mark| row(&mark.track)).collect();
        if rows.len() < 2 {
            continue;
        }
        tracks.retain(|track| !rows.iter().any(|row| row.name == track.name));
        let sum = rows.iter().map(|row| row.value).sum();
        let max = rows.iter().map(|row| row.max).sum();
        let bare = |row: &&Track| {
            row.name
                .strip_prefix(name.as_str())
                .unwrap_or(&row.name)
                .trim_matches([' ', '(', ')'])
                .to_owned()
        };
        let which: Vec<String> = rows.iter().filter(|row| row.value > 0).map(bare).collect();
        let which = if which.is_empty() {
            String::new()
        } else {
            format!(" ({})", which.join(", "))
        };
        marked.push(format!("{name} {}{which}", of_max(sum, max)));
    }
    tracks
        .into_iter()
        .map(|track| format!("{} {}", track.name, render_value(track)))
        .chain(marked)
        .collect()
}

/// `7/12`, or `7` without a maximum.
pub fn render_value(track: &Track) -> String {
    of_max(track.value, track.max)
}

/// The track of this name by the rules, for a character who has none yet.
pub fn from_rules(
    state: &State,
    system: &System,
    character: &Character,
    name: &str,
) -> Option<Track> {
    match system.tracks.iter().find(|rule| same(&rule.name, name)) {
        Some(rule) => from_rule(state, system, character, rule),
        None => uses_by_rules(system, character.id, name),
    }
}

/// The track by its rule; `None` while a value that the rule needs is missing.
pub fn from_rule(
    state: &State,
    system: &System,
    character: &Character,
    rule: &TrackRule,
) -> Option<Track> {
    // A maximum is computed from undamaged scores.
    let values = Values {
        undamaged: true,
        ..Values::of(state, system, character)
    };
    let number = |formula: &Formula| values.bind(formula).ok()?.constant();
    // By how much something keeps the maximum other than its line says.
    let name = maximum_condition(&rule.name);
    let raised = state
        .conditions_of(character.id)
        .find(|row| same(&row.name, &name))
        .and_then(|row| row.level);
    let (min, max, value) = beginning(rule, number, raised.unwrap_or(0))?;
    Some(Track {
        character: character.id,
        name: rule.name.clone(),
        value,
        min,
        max,
        ..Track::default()
    })
}

/// What keeps a maximum other than its line says: `Hit points max`.
pub fn maximum_condition(track: &str) -> String {
    format!("{track} max")
}

/// The track that counts the uses of a character's attack, where they are counted.
pub fn uses_of(state: &State, system: &System, who: &Character, attack: &str) -> Option<Track> {
    let mut tracks = state.tracks_of(who.id);
    let known = tracks.find(|track| same(&track.name, attack)).cloned();
    let track = known.or_else(|| from_rules(state, system, who, attack));
    track.filter(|track| track.renewal.is_some())
}

/// The uses that the name of an attack of the rules ends with: `Bomb (2 a fight)`.
fn uses_by_rules(system: &System, character: i64, name: &str) -> Option<Track> {
    let attack = system.attacks.iter().find(|it| same(&it.name, name))?;
    let uses = attack.name.strip_suffix(')')?.rsplit_once('(')?.1;
    let uses = Uses::parse(uses)?;
    let renewal = Some(uses.renewal);
    let track = Track::full(character, &attack.name, uses.many);
    Some(Track { renewal, ..track })
}

/// When uses come back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RenewedAt {
    Turn,
    Fight,
    ShortRest,
    LongRest,
}

/// What gives a character back the uses that are renewed then, an effect for each track.
pub fn renewals(state: &State, who: i64, at: RenewedAt) -> Vec<Effect> {
    use RenewedAt::{Fight, LongRest, ShortRest, Turn};
    let spent = state
        .tracks_of(who)
        .filter(|track| track.max > Some(track.value));
    let due = spent.filter_map(|track| Some((track, track.uses()?)));
    due.filter_map(|(track, uses)| {
        let amount = match (uses.renewal, at) {
            (Renewal::Recharge(least), Turn) => format!("1d6>={least}"),
            (Renewal::Recharge(_) | Renewal::Fight, Fight | ShortRest | LongRest)
            | (Renewal::Rest, ShortRest | LongRest)
            | (Renewal::Day, LongRest) => uses.many.to_string(),
            (Renewal::Fight | Renewal::Rest | Renewal::Day, Turn)
            | (Renewal::Rest | Renewal::Day, Fight)
            | (Renewal::Day, ShortRest) => return None,
        };
        let amount = (Sign::Plus, parse_formula(&amount).ok()?);
        Some(Effect::moving(&track.name, amount, uses.to_string()))
    })
    .collect()
}

#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Moved {
    /// The tracks that it moves, before and after.
    pub rows: Vec<(Track, Track)>,
    /// Points that found no room where things are worst.
    pub over: i64,
}

/// What becomes of the track of this name, or of the marks of this name. `amount` is the number of
/// the move, 0 or more; `fresh` is the track of a character who has none yet. Of marks so many are
/// made, the least worth first, or cleared, the dearest first.
pub(crate) fn moved(
    vitality: &Vitality,
    system: &System,
    (name, motion): (&str, &Move),
    amount: i64,
    fresh: Option<Track>,
) -> Moved {
    let mut tracks = tracks_named(vitality, system, name);
    tracks.extend(fresh.filter(|_| tracks.is_empty()));
    let mut moved = Moved::default();
    let mut left = if matches!(motion, Move::By(Sign::Minus, _)) {
        amount.saturating_neg()
    } else {
        amount
    };
    if left > 0 {
        tracks.reverse();
    }
    let keeps_larger = system
        .tracks
        .iter()
        .any(|rule| rule.keeps_larger && same(&rule.name, name));
    for before in tracks {
        let most = before.max.unwrap_or(i64::MAX);
        let value = match motion {
            Move::By(..) if keeps_larger && left > 0 => before.value.max(left),
            Move::By(..) => before.value.saturating_add(left),
            Move::To(_) => amount,
            Move::ToMax => before.max.unwrap_or(before.value),
            // A maximum moves with what lasts so long: see the conditions of consequences.
            Move::Max(..) => before.value,
            Move::Steps(steps) => {
                die_after_steps(system, before.value, *steps).unwrap_or(before.min)
            }
        };
        let value = if keeps_larger && before.max.is_none_or(|max| value > max) {
            value
        } else {
            value.min(most)
        };
        let value = value.max(before.min);
        if let Move::By(..) = motion {
            left -= value - before.value;
        }
        let max = before
            .max
            .map(|max| if keeps_larger { max.max(value) } else { max });
        let after = Track {
            value,
            max,
            ..before.clone()
        };
        let is_worse = if direction(system, &before) == Direction::Up {
            left > 0
        } else {
            left < 0
        };
        if matches!(motion, Move::By(..)) && is_worse && !keeps_larger {
            moved.over = left.abs();
        }
        moved.rows.push((before, after));
    }
    moved.rows.retain(|(before, after)| before != after);
    moved
}

/// How much worse a track is than it was: what it lost, or of one that fills up gained.
pub fn worse_by(system: &System, before: &Track, after: &Track) -> i64 {
    match direction(system, before) {
        Direction::Down => before.value.saturating_sub(after.value),
        Direction::Up => after.value.saturating_sub(before.value),
    }
}

/// Adds a track's move to the others; a track that moved before keeps its first "before".
pub fn merge_move(moved: &mut Vec<(Track, Track)>, before: Track, after: Track) {
    match moved.iter_mut().find(|(_, last)| last.name == after.name) {
        Some((_, last)) => *last = after,
        None => moved.push((before, after)),
    }
}

/// The track of that name, or the tracks that hold the marks of that name, the dearest first.
pub fn tracks_named(vitality: &Vitality, system: &System, name: &str) -> Vec<Track> {
    let marks = system
        .soak(name)
        .map_or([].as_slice(), |soak| soak.marks.as_slice());
    let marked: Vec<Track> = marks
        .iter()
        .rev()
        .filter_map(|mark| vitality.track(&mark.track).cloned())
        .collect();
    if marked.is_empty() {
        vitality.track(name).cloned().into_iter().collect()
    } else {
        marked
    }
}

/// How many points of this are left to be paid with: room of the track or of the marks.
pub fn left_of(vitality: &Vitality, system: &System, name: &str) -> i64 {
    tracks_named(vitality, system, name)
        .iter()
        .map(|track| room(system, track))
        .fold(0, i64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::state::State;
    use rollbook_rules::Act;
    use rollbook_text::diagnostic::SourceFile;

    #[test]
    fn each_effect_moves_what_it_names_and_no_further_than_its_ends() {
        let text = "# T\n\n## Health\n\n- Hit points: max 10\n- Stress: 9 boxes\n- Harm: soak 1, 2\n- Damage: Hit points\n\
                    - Short rest: Hit points +3, Stress -3, Harm -1, Hit points -9\n- Long rest: Hit points to max, Stress to 0, Harm to 0\n";
        let system = rollbook_rules::read(vec![SourceFile::new("System.md", text)]).system;
        let mut state = State::default();
        for (name, value, max) in [
            ("Hit points", 5, 10),
            ("Stress", 2, 9),
            ("Harm (1)", 1, 1),
            ("Harm (2)", 1, 1),
        ] {
            let track = Track {
                character: 1,
                name: name.to_owned(),
                value,
                max: Some(max),
                ..Track::default()
            };
            state.tracks.insert((1, name.to_owned()), track);
        }
        let vitality = Vitality::of(&state, 1);
        let after = |rest: usize, nth: usize, amount| {
            let effect = &system.rests[rest].effects[nth];
            let Act::Move(_, motion) = &effect.act else {
                panic!("a move")
            };
            let found = moved(
                &vitality,
                &system,
                (effect.track().expect("a track"), motion),
                amount,
                None,
            );
            let rows: Vec<(String, i64)> = found
                .rows
                .into_iter()
                .map(|(_, after)| (after.name, after.value))
                .collect();
            (rows, found.over)
        };
        let named = |rows: &[(&str, i64)], over: i64| {
            (
                rows.iter()
                    .map(|(name, value)| ((*name).to_owned(), *value))
                    .collect::<Vec<_>>(),
                over,
            )
        };
        assert_eq!(after(0, 0, 3), named(&[("Hit points", 8)], 0));
        assert_eq!(after(0, 1, 3), named(&[("Stress", 0)], 0));
        assert_eq!(
            after(0, 2, 1),
            named(&[("Harm (2)", 0)], 0),
            "the dearest mark"
        );
        assert_eq!(
            after(0, 3, 9),
            named(&[("Hit points", 0)], 4),
            "four points find no room"
        );
        assert_eq!(after(1, 0, 0), named(&[("Hit points", 10)], 0));
        assert_eq!(after(1, 1, 0), named(&[("Stress", 0)], 0));
        assert_eq!(
            after(1, 2, 0),
            named(&[("Harm (2)", 0), ("Harm (1)", 0)], 0)
        );
    }
}
