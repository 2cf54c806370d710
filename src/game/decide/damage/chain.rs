//! Damage chains: what one track cannot take goes to the next.
//!
//! Where the rules leave a choice ("Strength or Dexterity"), the call's `track` makes it. A hit that may fall on several
//! tracks and names none is refused with the choices, unless it takes all of them or nobody can be asked. What the chosen one cannot take goes to
//! the others of its stage, in the order of the file, before the next stage.

use super::hit::Hit;
use super::hit::{add_last_step, take_from};
use crate::game::mechanics::health::{direction, room};
use crate::game::mechanics::tracks::from_rules;
use crate::game::record::state::Track;
use crate::game::refusal::{Code, Refusal};
use crate::rules::{DamageChain, Direction};

/// Applies the hit, stage by stage.
pub(super) fn take(hit: &mut Hit<'_>, chain: &DamageChain, chosen: Option<&str>) -> Result<(), Refusal> {
    for stage in &chain.stages {
        let mut open = stage_tracks(hit, chain, stage)?;
        open.retain(|track| room(hit.system, track) > 0);
        let whole = open.iter().map(|track| room(hit.system, track)).fold(0, i64::saturating_add);
        let most = open.iter().map(|track| room(hit.system, track)).max().filter(|_| hit.unasked);
        let is_first = |track: &Track| match chosen {
            Some(chosen) => chosen == track.name,
            None => most == Some(room(hit.system, track)),
        };
        if let Some(first) = open.iter().position(is_first) {
            open.get_mut(..=first).unwrap_or_default().rotate_right(1);
        } else if open.len() > 1 && hit.left > 0 && hit.left < whole {
            return Err(which_track(hit, chain, &open));
        }
        for track in open {
            if hit.left > 0 {
                take_from(hit, track);
            }
        }
    }
    add_last_step(hit);
    Ok(())
}

/// Healing goes the other way: the last stage first, and in it the last damaged track.
pub(super) fn heal(hit: &mut Hit<'_>, chain: &DamageChain) -> Result<(), Refusal> {
    for stage in chain.stages.iter().rev() {
        let mut hurt = stage_tracks(hit, chain, stage)?;
        hurt.reverse();
        hurt.sort_by_key(|track| room(hit.system, track) == 0);
        for track in hurt {
            if hit.left < 0 && !is_whole(hit, &track) {
                take_from(hit, track);
            }
        }
    }
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

/// The tracks of a stage as they are now.
fn stage_tracks(hit: &Hit<'_>, chain: &DamageChain, stage: &[String]) -> Result<Vec<Track>, Refusal> {
    let one = |name: &String| {
        let own = hit.consequences.vitality.track(name).cloned();
        own.or_else(|| from_rules(hit.state, hit.system, hit.target, name))
            .ok_or_else(|| missing_track(hit, chain, name))
    };
    stage.iter().map(one).collect()
}

fn missing_track(hit: &Hit<'_>, chain: &DamageChain, name: &str) -> Refusal {
    let field = if hit.system.takes_score(name) { "attributes" } else { "tracks" };
    let hp = if hit.target.kind.is_open() { "" } else { ", or hp=… for one number that takes all damage" };
    let summary = format!(
        "Damage takes {} ({}), and the sheet of {target} lacks {name}. Send manage_character action=\"update\" \
         character=\"{target}\" {field}={{\"{name}\": …}}{hp}.",
        chain.describe(),
        chain.place,
        target = hit.target.name,
    );
    Refusal::new(Code::MissingValue, summary).at(chain.place.to_string())
}

fn which_track(hit: &Hit<'_>, chain: &DamageChain, open: &[Track]) -> Refusal {
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
    refusal.at(chain.place.to_string())
}
