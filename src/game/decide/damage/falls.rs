//! What a hit is applied to: what the call names, else what the rules declare as health ([`System::harm`]).

use super::hit::Hit;
use crate::game::mechanics::health::Vitality;
use crate::game::mechanics::lookup;
use crate::game::mechanics::tracks::{main_name, mark_tracks};
use crate::game::record::state::{Character, State, Track};
use crate::game::refusal::{Code, Refusal};
use crate::names::{Found, find, quoted, same, suggest};
use crate::rules::{DamageChain, Harm, System};

/// What a hit is applied to.
#[derive(Debug, Clone)]
pub(super) enum DamageTarget<'a> {
    /// The points of one track, or a single mark that the call names.
    Points(Track),
    /// Boxes, slots or wounds.
    Marks(Harm<'a>),
    /// A damage chain, with the chosen track where the rules leave a choice.
    Chain(&'a DamageChain, Option<&'a str>),
}

impl DamageTarget<'_> {
    /// Whether it is health, so that mitigation applies; other tracks are only counted.
    pub(super) fn is_health(&self, hit: &Hit<'_>) -> bool {
        match self {
            DamageTarget::Points(track) => {
                let is_main = |main: &Track| main.name == track.name;
                hit.consequences.vitality.main_track(hit.system).is_some_and(is_main)
                    || hit.system.puts_out(&track.name)
            }
            DamageTarget::Marks(_) | DamageTarget::Chain(..) => true,
        }
    }

    /// Its name.
    pub(super) fn name(&self) -> String {
        match self {
            DamageTarget::Points(track) => track.name.clone(),
            DamageTarget::Marks(harm) => harm.name().to_owned(),
            DamageTarget::Chain(chain, _) => chain.first().to_owned(),
        }
    }
}

/// Finds the target of a hit. Named wounds are counted, not computed: `track="Wounds" amount=1` is one wound. Damage to a
/// track of a chain goes through the chain, and the name is the choice; healing goes to the named track.
pub(super) fn find_target<'a>(
    state: &State,
    system: &'a System,
    target: &Character,
    named: Option<&str>,
    heals: bool,
) -> Result<DamageTarget<'a>, Refusal> {
    let vitality = Vitality::of(state, target.id);
    let chained = |name: &str| {
        let chain = system.damage_chain.as_ref()?;
        let short = || chain.member(&system.attribute(name).ok()?.name);
        Some((chain, chain.member(name).or_else(short)?))
    };
    let found = match named {
        Some(name) => {
            let chained = chained(name);
            let name = chained.map_or(name, |(_, own)| own);
            let own = || vitality.track(name).cloned().or_else(|| undeclared_on_sheet(system, target, name));
            match system.marked_named(name) {
                Some(harm @ (Harm::Boxes(_) | Harm::Slots(_))) => Some(DamageTarget::Marks(harm)),
                _ if let Some((chain, chosen)) = chained.filter(|_| !heals) => {
                    Some(DamageTarget::Chain(chain, Some(chosen)))
                }
                _ => own().map(DamageTarget::Points),
            }
        }
        None => match (vitality.main_track(system), system.harm()) {
            (Some(main), _) => Some(DamageTarget::Points(main.clone())),
            (None, Some(Harm::Track(_)) | None) => None,
            (None, Some(Harm::Chain(chain))) => Some(DamageTarget::Chain(chain, None)),
            (None, Some(harm)) => Some(DamageTarget::Marks(harm)),
        },
    };
    if let Some(found) = found {
        return Ok(found);
    }
    match named.map(|name| (name, find(name, target_names(state, system, target).map(|own| (own, own))))) {
        Some((_, Found::One(own))) if named.is_some_and(|name| !same(name, own)) => {
            find_target(state, system, target, Some(own), heals)
        }
        Some((name, Found::Several(fit))) => {
            Err(lookup::ambiguous("track", name, fit.into_iter().map(str::to_owned).collect()))
        }
        Some((name, _)) if same(name, "hp") && vitality.main_track(system).is_some() => {
            find_target(state, system, target, None, heals)
        }
        _ => Err(unknown(state, system, target, named)),
    }
}

/// The names that a hit on a character can be applied to.
fn target_names<'a>(state: &'a State, system: &'a System, target: &Character) -> impl Iterator<Item = &'a str> {
    let own: Vec<&str> = state.tracks_of(target.id).map(|track| track.name.as_str()).collect();
    let rules = (system.boxes.iter().map(|own| own.name.as_str()))
        .chain(system.slots.iter().map(|own| own.name.as_str()))
        .chain(system.layers.iter().map(|own| own.name.as_str()));
    let others: Vec<&str> = rules.filter(|name| !own.iter().any(|known| same(known, name))).collect();
    own.into_iter().chain(others)
}

/// A mark or layer that the character's sheet does not have yet.
fn undeclared_on_sheet(system: &System, target: &Character, name: &str) -> Option<Track> {
    let layer =
        |name: &String| Track { character: target.id, name: name.clone(), value: 0, min: 0, max: None, fixed: false };
    let layers = system.layers.iter().map(|own| layer(&own.name));
    system.marked().flat_map(|harm| mark_tracks(target.id, &harm)).chain(layers).find(|row| same(&row.name, name))
}

fn unknown(state: &State, system: &System, target: &Character, named: Option<&str>) -> Refusal {
    let names: Vec<&str> = target_names(state, system, target).collect();
    let suggestions = named.map_or_else(Vec::new, |name| suggest(name, names.iter().copied()));
    let main = named.map_or_else(|| main_name(system).to_owned(), quoted);
    let has = match (names.is_empty(), named) {
        (true, _) => "no track yet. Send".to_owned(),
        (false, Some(name)) => {
            let first = suggestions.first().map_or_else(|| names.first().copied().unwrap_or_default(), String::as_str);
            format!(
                "no track \"{}\", only {}. Send track=\"{first}\" or another of these, or",
                quoted(name),
                names.join(", ")
            )
        }
        (false, None) if names.iter().any(|own| same(own, &main)) => {
            format!("{}. Send track=\"…\" for one of these, or", names.join(", "))
        }
        (false, None) => {
            format!("no {main} for a hit to fall on, only {}. Send track=\"…\" for one of these, or", names.join(", "))
        }
    };
    let summary = format!(
        "{0} has {has} manage_character action=\"update\" character=\"{0}\" tracks={{\"{main}\": 8}} to give it one.",
        target.name
    );
    let suggestions =
        if suggestions.is_empty() { names.into_iter().take(3).map(str::to_owned).collect() } else { suggestions };
    Refusal::new(Code::UnknownTrack, summary).did_you_mean(suggestions)
}
