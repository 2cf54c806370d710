//! A hit while it is worked out: what is left of it, its steps, the tracks and marks it moved.
//!
//! Every step takes points: `before - after` of a step of the arithmetic, the distance moved of a
//! track's step. Together they are the amount; what nothing took is "past the end of …".
//!
//! What one track cannot take goes to the others of its stage in order, then to the next stage.
//! Where the rules leave a choice ("Strength or Dexterity"), the call's `track` makes it; a hit
//! that names none is refused with the choices, unless it takes all of them or nobody can be asked.

use crate::mechanics::health::{direction, room};
use crate::mechanics::threshold::Consequences;
use crate::mechanics::tracks::{from_rules, mark_tracks, merge_move};
use crate::record::event::{Mitigated, Step};
use crate::record::state::{Character, State, Track};
use crate::refusal::{Code, Refusal, Result};
use rollbook_rules::{DamageLine, Direction, Soak, System};

pub(super) struct Hit<'a> {
    pub state: &'a State,
    pub system: &'a System,
    pub target: &'a Character,
    /// Points left; below zero they heal.
    pub left: i64,
    pub steps: Vec<Step>,
    pub consequences: Consequences,
    /// How `half` and mitigation changed it.
    pub mitigated: Option<Mitigated>,
    /// Nobody can be asked which of several tracks it falls on.
    pub unasked: bool,
    /// It changed a track itself, which a trigger alone does not.
    has_moved: bool,
}

impl<'a> Hit<'a> {
    pub fn new(
        state: &'a State,
        system: &'a System,
        target: &'a Character,
        left: i64,
        unasked: bool,
    ) -> Self {
        let consequences = Consequences::new(state, target.id);
        Hit {
            state,
            system,
            target,
            left,
            steps: Vec::new(),
            consequences,
            mitigated: None,
            unasked,
            has_moved: false,
        }
    }

    /// Adds a step after which `after` points are left.
    pub fn step(&mut self, step: impl Into<String>, after: i64) {
        self.steps.push(Step {
            step: step.into(),
            before: self.left,
            after,
        });
        self.left = after;
    }

    /// Records how the steps so far changed the amount.
    pub fn record_mitigation(&mut self) {
        // `Resistance (cold, fire): half, rounded down`; without a name it is the call's.
        let name = |step: &Step| match step.step.split_once(": ") {
            Some((name, _)) => name.to_owned(),
            None => step.step.split(',').next().unwrap_or_default().to_owned(),
        };
        let by = self.steps.iter().map(name);
        self.mitigated = (!self.steps.is_empty()).then(|| Mitigated {
            left: self.left.abs(),
            by: by.collect(),
        });
    }

    /// The current track, or `fresh` while there is none.
    pub fn current(&self, fresh: &Track) -> Track {
        self.consequences
            .vitality
            .track(&fresh.name)
            .unwrap_or(fresh)
            .clone()
    }

    pub fn move_track(&mut self, before: Track, value: i64) {
        let after = Track {
            value,
            ..before.clone()
        };
        self.change_track(before, after);
    }

    /// The same where its maximum may change too.
    pub fn change_track(&mut self, before: Track, after: Track) {
        self.has_moved = true;
        merge_move(&mut self.consequences.moved, before.clone(), after.clone());
        self.consequences
            .track_moved(self.state, self.system, &before, &after);
    }

    /// What is left of damage when all that it takes is at its end.
    pub fn leave_over(&mut self) {
        let left = self.left;
        add_last_step(self);
        if left > 0 {
            self.consequences
                .fire_on_hit(self.state, self.system, left, true);
        }
    }
}

/// Grants points that are spent before others: the larger by the rules, else the sum.
pub(super) fn grant(hit: &mut Hit<'_>, track: Track) {
    let granted = hit.left.abs();
    let keeps_larger = hit
        .system
        .track(&track.name)
        .is_ok_and(|track| track.keeps_larger);
    let value = if keeps_larger {
        track.value.max(granted)
    } else {
        track.value.saturating_add(granted)
    };
    let used = value - track.value;
    hit.steps.push(Step {
        step: track.name.clone(),
        before: track.value,
        after: value,
    });
    if used < granted {
        hit.steps.push(Step {
            step: "the larger is kept".to_owned(),
            before: granted - used,
            after: 0,
        });
    }
    hit.left = 0;
    // Points that the GM set on the sheet have a maximum.
    let after = Track {
        value,
        max: track.max.filter(|max| *max >= value),
        ..track.clone()
    };
    hit.change_track(track, after);
}

pub(super) fn take_from(hit: &mut Hit<'_>, track: Track) {
    let (name, size) = (track.name.clone(), hit.left);
    let falls = direction(hit.system, &track) == Direction::Down;
    let moved = if falls {
        track.value.saturating_sub(size)
    } else {
        track.value.saturating_add(size)
    };
    let value = moved.min(track.max.unwrap_or(i64::MAX)).max(track.min);
    hit.steps.push(Step {
        step: name.clone(),
        before: track.value,
        after: value,
    });
    hit.left = size.signum() * (moved - value).abs();
    hit.move_track(track, value);
    // Points without room go where the rules send them.
    if hit.left > 0 && Consequences::has_over(hit.system, &name) {
        let over = hit.left;
        hit.step(format!("over {name}"), 0);
        hit.consequences
            .found_no_room(hit.state, hit.system, &name, over);
    }
}

pub(super) fn add_last_step(hit: &mut Hit<'_>) {
    if hit.left != 0 {
        let (step, before) = ("past the end of the track".to_owned(), hit.left.abs());
        hit.steps.push(Step {
            step,
            before,
            after: 0,
        });
    }
}

/// The only track that there is is named even where it does not move.
pub(super) fn name_only(hit: &mut Hit<'_>) {
    let only = hit
        .system
        .health_track()
        .and_then(|rule| hit.consequences.vitality.track(&rule.name))
        .cloned();
    if let Some(only) = only.filter(|_| !hit.has_moved) {
        take_from(hit, only);
    }
}

pub(super) fn take_stage(
    hit: &mut Hit<'_>,
    line: &DamageLine,
    stage: &[String],
    chosen: Option<&str>,
) -> Result<()> {
    let mut open = stage_tracks(hit, line, stage)?;
    let has_over = |track: &Track| Consequences::has_over(hit.system, &track.name);
    open.retain(|track| room(hit.system, track) > 0 || has_over(track));
    let whole = open
        .iter()
        .map(|track| room(hit.system, track))
        .fold(0, i64::saturating_add);
    let takes_all = hit.left >= whole && !open.iter().any(has_over);
    let most = open
        .iter()
        .map(|track| room(hit.system, track))
        .max()
        .filter(|_| hit.unasked);
    let has_most = |track: &Track| most == Some(room(hit.system, track));
    let is_first =
        |track: &Track| chosen.map_or_else(|| has_most(track), |chosen| chosen == track.name);
    if let Some(first) = open.iter().position(is_first) {
        open.get_mut(..=first).unwrap_or_default().rotate_right(1);
    } else if open.len() > 1 && hit.left > 0 && !takes_all {
        let left = |track: &Track| (track.name.clone(), room(hit.system, track));
        return Err(which_track(hit, line, open.iter().map(left)));
    }
    for track in open {
        if hit.left > 0 {
            take_from(hit, track);
        }
    }
    Ok(())
}

/// Healing goes the other way: the last stage first, and in it the last damaged track.
pub(super) fn heal_stages(hit: &mut Hit<'_>, line: &DamageLine) -> Result<()> {
    for stage in line.stages.iter().rev() {
        let mut hurt = stage_tracks(hit, line, stage)?;
        hurt.reverse();
        hurt.sort_by_key(|track| room(hit.system, track) == 0);
        for track in hurt {
            let is_temporary = hit
                .system
                .track(&track.name)
                .is_ok_and(|track| track.is_temporary());
            let falls = direction(hit.system, &track) == Direction::Down;
            let whole = if falls { track.max } else { Some(track.min) };
            if hit.left < 0 && !is_temporary && whole != Some(track.value) {
                take_from(hit, track);
            }
        }
    }
    name_only(hit);
    add_last_step(hit);
    Ok(())
}

/// The tracks of a stage as they are now. Nobody has points that are given before they are.
fn stage_tracks(hit: &Hit<'_>, line: &DamageLine, stage: &[String]) -> Result<Vec<Track>> {
    let is_temporary = |name: &&String| {
        hit.system
            .track(name)
            .is_ok_and(|track| track.is_temporary())
    };
    let has = |name: &&String| hit.consequences.vitality.track(name).is_some();
    let one = |name: &String| {
        let track = hit.consequences.vitality.track(name).cloned();
        let track = track.or_else(|| from_rules(hit.state, hit.system, hit.target, name));
        track.ok_or_else(|| missing_track(hit, line, name))
    };
    stage
        .iter()
        .filter(|name| has(name) || !is_temporary(name))
        .map(one)
        .collect()
}

fn missing_track(hit: &Hit<'_>, line: &DamageLine, name: &str) -> Refusal {
    let field = if hit.system.damage_lowers(name) {
        "attributes"
    } else {
        "tracks"
    };
    let hp = if hit.target.kind.is_open() {
        ""
    } else {
        ", or hp=… for one number that takes all damage"
    };
    let (tracks, place, target) = (line.describe(), line.place.to_string(), &hit.target.name);
    let summary = format!(
        "Damage takes {tracks} ({place}), and the sheet of {target} lacks {name}. Send manage_character action=\"update\" \
         character=\"{target}\" {field}={{\"{name}\": …}}{hp}."
    );
    Refusal::new(Code::MissingValue, summary).at(place)
}

/// The question which of these takes the hit; each has so much left.
fn which_track(
    hit: &Hit<'_>,
    line: &DamageLine,
    open: impl Iterator<Item = (String, i64)>,
) -> Refusal {
    let (left, names): (Vec<_>, Vec<_>) = open
        .map(|(name, left)| (format!("{name} ({left} left)"), name))
        .unzip();
    let points = if hit.left == 1 {
        "1 point falls".to_owned()
    } else {
        format!("{} points fall", hit.left)
    };
    let (who, first) = (&hit.target.name, names.first().map_or("", String::as_str));
    let left = left.join(" or ");
    let why = format!(
        "{points} on {left}, and {who} says which. Ask, and send the same call with track=\"{first}\"."
    );
    let question = format!("{who}: {points}. On which track?");
    let refusal = Refusal::new(Code::WhichTrack, why).at(line.place.to_string());
    refusal
        .did_you_mean(names.clone())
        .choosing("track", question, names)
}

/// Combinations of marks that are tried.
const COMBINATIONS_MAX: usize = 4096;

/// Makes the fewest and least marks that soak the whole hit, of the first stage before those of
/// later ones; else the rules' trigger fires. Refused: when the rules leave a choice of a stage
/// (`Physical stress or Mental stress`) that the call's `track` does not make.
pub(super) fn mark(hit: &mut Hit<'_>, line: &DamageLine, chosen: Option<&str>) -> Result<()> {
    let mut stages: Vec<&Soak> = Vec::new();
    for stage in &line.stages {
        let soaks: Vec<&Soak> = stage
            .iter()
            .filter_map(|name| hit.system.soak(name))
            .collect();
        if soaks.is_empty() {
            take_stage(hit, line, stage, chosen)?;
            continue;
        }
        let named = soaks.iter().find(|soak| chosen == Some(soak.name.as_str()));
        // What is named is in a later stage: it alone takes the hit.
        if chosen.is_some() && named.is_none() && stages.is_empty() {
            continue;
        }
        match (named, soaks.as_slice()) {
            (Some(only), _) | (None, [only]) => stages.push(only),
            (None, several) => {
                // All marks of one name are one track, for a question: what is left of them.
                let left =
                    |(worth, row): (i64, Track)| worth * row.max.map_or(1, |max| max - row.value);
                let left: Vec<i64> = several
                    .iter()
                    .map(|soak| free_marks(hit, soak).into_iter().map(left).sum())
                    .collect();
                let most = left.iter().max().filter(|_| hit.unasked);
                let room = left.iter().position(|left| Some(left) == most);
                let open = several
                    .iter()
                    .map(|soak| soak.name.clone())
                    .zip(left.iter().copied());
                stages.push(
                    room.and_then(|at| several.get(at))
                        .ok_or_else(|| which_track(hit, line, open))?,
                );
            }
        }
    }
    if hit.left > 0 {
        soak(hit, &stages);
    }
    Ok(())
}

/// Clears the dearest marks that the healing is enough for.
pub(super) fn clear_marks(hit: &mut Hit<'_>, line: &DamageLine, chosen: Option<&str>) {
    let names = line
        .members()
        .filter(|name| chosen.is_none_or(|chosen| chosen == *name));
    let soaks: Vec<&Soak> = names.filter_map(|name| hit.system.soak(name)).collect();
    for soak in soaks {
        for (worth, row) in marks_by_worth(hit, soak).into_iter().rev() {
            let each = worth.max(1);
            let cleared = row.value.min(hit.left.abs() / each);
            if cleared > 0 {
                hit.move_track(row.clone(), row.value - cleared);
                hit.step(
                    row.name,
                    hit.left.saturating_add(cleared.saturating_mul(each)),
                );
            }
        }
    }
    if hit.left < 0 {
        hit.step("nothing left to heal", 0);
    }
}

fn marks_by_worth(hit: &Hit<'_>, soak: &Soak) -> Vec<(i64, Track)> {
    let rows = mark_tracks(hit.target.id, soak)
        .into_iter()
        .map(|row| hit.current(&row));
    soak.marks.iter().map(|mark| mark.worth).zip(rows).collect()
}

fn free_marks(hit: &Hit<'_>, soak: &Soak) -> Vec<(i64, Track)> {
    marks_by_worth(hit, soak)
        .into_iter()
        .filter(|(_, row)| row.max.is_none_or(|max| row.value < max))
        .collect()
}

/// A choice of marks, each with its worth and the stage that it is of.
type Choice = Vec<(usize, i64, Track)>;

fn soak(hit: &mut Hit<'_>, stages: &[&Soak]) {
    let size = hit.left;
    // Every set of marks, the empty one first.
    let mut sets: Vec<Choice> = vec![Vec::new()];
    for (stage, soak) in stages.iter().enumerate() {
        let before = sets.clone();
        for (worth, row) in free_marks(hit, soak) {
            let many = if soak.one_a_hit {
                1
            } else {
                row.max.map_or(1, |max| max - row.value).max(1)
            };
            let base = if soak.one_a_hit { &before } else { &sets };
            let longer = base.iter().flat_map(|set| {
                let mark = (stage, worth, row.clone());
                (1..=usize::try_from(many).unwrap_or(1)).map(move |count| {
                    set.iter()
                        .cloned()
                        .chain(std::iter::repeat_n(mark.clone(), count))
                        .collect::<Choice>()
                })
            });
            let longer: Vec<Choice> = longer
                .take(COMBINATIONS_MAX.saturating_sub(sets.len()))
                .collect();
            sets.extend(longer);
        }
    }
    let worth = |choice: &Choice| choice.iter().map(|(_, worth, _)| *worth).sum::<i64>();
    let later = |choice: &Choice| choice.iter().filter(|(stage, ..)| *stage > 0).count();
    let chosen = sets
        .into_iter()
        .filter(|choice| !choice.is_empty() && worth(choice) >= size)
        .min_by_key(|choice| (later(choice), worth(choice), choice.len()));
    let Some(chosen) = chosen else {
        hit.step("nothing soaks it", 0);
        hit.consequences.not_soaked(hit.state, hit.system, size);
        return;
    };
    for (_, worth, row) in chosen {
        let now = hit.current(&row);
        hit.move_track(now.clone(), now.value + 1);
        hit.step(now.name, (hit.left - worth).max(0));
    }
}
