//! What one track cannot take goes to the next.
//!
//! Where the rules leave a choice ("Strength or Dexterity"), the call's `track` makes it. A hit that may fall on several
//! tracks and names none is refused with the choices, unless it takes all of them or nobody can be asked. What the chosen one cannot take goes to
//! the others of its stage, in the order of the file, before the next stage.

use super::hit::Hit;
use super::hit::{add_last_step, take_from};
use crate::mechanics::health::{direction, room};
use crate::mechanics::threshold::Consequences;
use crate::mechanics::tracks::from_rules;
use crate::record::state::Track;
use crate::refusal::{Code, Refusal};
use rollbook_rules::{DamageLine, Direction};

/// Applies the hit, stage by stage.
pub(super) fn take(hit: &mut Hit<'_>, line: &DamageLine, chosen: Option<&str>) -> Result<(), Refusal> {
    line.stages.iter().try_for_each(|stage| take_stage(hit, line, stage, chosen))?;
    name_only(hit);
    hit.leave_over();
    Ok(())
}

/// The only track that there is is named even where it does not move.
fn name_only(hit: &mut Hit<'_>) {
    let only = hit.system.health_track().and_then(|rule| hit.consequences.vitality.track(&rule.name)).cloned();
    if let Some(only) = only.filter(|_| hit.moved.is_empty()) {
        take_from(hit, only);
    }
}

/// Takes from one stage what it has.
pub(super) fn take_stage(
    hit: &mut Hit<'_>,
    line: &DamageLine,
    stage: &[String],
    chosen: Option<&str>,
) -> Result<(), Refusal> {
    let mut open = stage_tracks(hit, line, stage)?;
    let has_over = |track: &Track| Consequences::has_over(hit.system, &track.name);
    open.retain(|track| room(hit.system, track) > 0 || has_over(track));
    let whole = open.iter().map(|track| room(hit.system, track)).fold(0, i64::saturating_add);
    let takes_all = hit.left >= whole && !open.iter().any(has_over);
    let most = open.iter().map(|track| room(hit.system, track)).max().filter(|_| hit.unasked);
    let is_first = |track: &Track| match chosen {
        Some(chosen) => chosen == track.name,
        None => most == Some(room(hit.system, track)),
    };
    if let Some(first) = open.iter().position(is_first) {
        open.get_mut(..=first).unwrap_or_default().rotate_right(1);
    } else if open.len() > 1 && hit.left > 0 && !takes_all {
        return Err(which_track(hit, line, &open));
    }
    for track in open {
        if hit.left > 0 {
            take_from(hit, track);
        }
    }
    Ok(())
}

/// Healing goes the other way: the last stage first, and in it the last damaged track.
pub(super) fn heal(hit: &mut Hit<'_>, line: &DamageLine) -> Result<(), Refusal> {
    for stage in line.stages.iter().rev() {
        let mut hurt = stage_tracks(hit, line, stage)?;
        hurt.reverse();
        hurt.sort_by_key(|track| room(hit.system, track) == 0);
        for track in hurt {
            let is_given = hit.system.track(&track.name).is_ok_and(|own| own.is_given());
            if hit.left < 0 && !is_given && !is_whole(hit, &track) {
                take_from(hit, track);
            }
        }
    }
    name_only(hit);
    add_last_step(hit);
    Ok(())
}

fn is_whole(hit: &Hit<'_>, track: &Track) -> bool {
    let better = match direction(hit.system, track) {
        Direction::Down => track.max,
        Direction::Up => Some(track.min),
    };
    better == Some(track.value)
}

/// The tracks of a stage as they are now. Nobody has points that are given before they are.
fn stage_tracks(hit: &Hit<'_>, line: &DamageLine, stage: &[String]) -> Result<Vec<Track>, Refusal> {
    let is_given = |name: &&String| hit.system.track(name).is_ok_and(|own| own.is_given());
    let has = |name: &&String| hit.consequences.vitality.track(name).is_some();
    let one = |name: &String| {
        let own = hit.consequences.vitality.track(name).cloned();
        own.or_else(|| from_rules(hit.state, hit.system, hit.target, name))
            .ok_or_else(|| missing_track(hit, line, name))
    };
    stage.iter().filter(|name| has(name) || !is_given(name)).map(one).collect()
}

fn missing_track(hit: &Hit<'_>, line: &DamageLine, name: &str) -> Refusal {
    let field = if hit.system.takes_score(name) { "attributes" } else { "tracks" };
    let hp = if hit.target.kind.is_open() { "" } else { ", or hp=… for one number that takes all damage" };
    let summary = format!(
        "Damage takes {} ({}), and the sheet of {target} lacks {name}. Send manage_character action=\"update\" \
         character=\"{target}\" {field}={{\"{name}\": …}}{hp}.",
        line.describe(),
        line.place,
        target = hit.target.name,
    );
    Refusal::new(Code::MissingValue, summary).at(line.place.to_string())
}

pub(super) fn which_track(hit: &Hit<'_>, line: &DamageLine, open: &[Track]) -> Refusal {
    let names: Vec<String> = open.iter().map(|track| track.name.clone()).collect();
    let left: Vec<String> =
        open.iter().map(|track| format!("{} ({} left)", track.name, room(hit.system, track))).collect();
    let points = if hit.left == 1 { "1 point falls".to_owned() } else { format!("{} points fall", hit.left) };
    let summary = format!(
        "{points} on {}, and {} says which. Ask, and send the same call with track=\"{}\".",
        left.join(" or "),
        hit.target.name,
        names.first().map_or("", String::as_str),
    );
    let question = format!("{}: {points}. On which track?", hit.target.name);
    let refusal =
        Refusal::new(Code::WhichTrack, summary).did_you_mean(names.clone()).choosing("track", question, names);
    refusal.at(line.place.to_string())
}
