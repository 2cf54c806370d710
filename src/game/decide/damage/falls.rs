//! Where a hit falls: on what the call names, else on what the rules declare as health ([`System::harm`]).

use super::hit::Hit;
use crate::game::mechanics::health::Standing;
use crate::game::mechanics::lookup;
use crate::game::mechanics::tracks::{main_name, marks};
use crate::game::record::state::{Character, State, Track};
use crate::game::refusal::{Code, Refusal};
use crate::names::{Found, find, near, quoted, same};
use crate::rules::{DamageChain, Harm, System};

/// Where a hit falls.
#[derive(Debug, Clone)]
pub(super) enum Falls<'a> {
    /// On the points of one track; marks that are named one by one are such points too.
    Points(Track),
    /// On boxes, slots or wounds, which take it by their rule.
    Marks(Harm<'a>),
    /// On one thing after the other, and where the rules leave a choice on the named one.
    Chain(&'a DamageChain, Option<&'a str>),
}

impl Falls<'_> {
    /// Whether a hit that names nothing falls here too: what is spent or counted by name is not hit, so no armour helps it.
    pub(super) fn is_health(&self, hit: &Hit<'_>) -> bool {
        match self {
            Falls::Points(track) => hit.crossing.standing.main(hit.system).is_some_and(|main| main.name == track.name),
            Falls::Marks(_) | Falls::Chain(..) => true,
        }
    }

    /// Its name.
    pub(super) fn name(&self) -> String {
        match self {
            Falls::Points(track) => track.name.clone(),
            Falls::Marks(harm) => harm.name().to_owned(),
            Falls::Chain(chain, _) => chain.first().to_owned(),
        }
    }
}

/// Where it falls. Wounds that are named are counted, not worked out: `track="Wounds" amount=1` is one wound. Damage that
/// names what a chain takes runs through the chain all the same, since the name only says what is chosen; healing mends
/// what it names.
pub(super) fn falls<'a>(
    state: &State,
    system: &'a System,
    target: &Character,
    named: Option<&str>,
    heals: bool,
) -> Result<Falls<'a>, Refusal> {
    let standing = Standing::of(state, target.id);
    let chained = |name: &str| {
        let chain = system.damage_chain.as_ref()?;
        let short = || chain.member(&system.attribute(name).ok()?.name);
        Some((chain, chain.member(name).or_else(short)?))
    };
    let found = match named {
        Some(name) => {
            let chained = chained(name);
            let name = chained.map_or(name, |(_, own)| own);
            let own = || standing.track(name).cloned().or_else(|| unmarked(system, target, name));
            match system.marked_named(name) {
                Some(harm @ (Harm::Boxes(_) | Harm::Slots(_))) => Some(Falls::Marks(harm)),
                _ if let Some((chain, chosen)) = chained.filter(|_| !heals) => Some(Falls::Chain(chain, Some(chosen))),
                _ => own().map(Falls::Points),
            }
        }
        None => match (standing.main(system), system.harm()) {
            (Some(main), _) => Some(Falls::Points(main.clone())),
            (None, Some(Harm::Track(_)) | None) => None,
            (None, Some(Harm::Chain(chain))) => Some(Falls::Chain(chain, None)),
            (None, Some(harm)) => Some(Falls::Marks(harm)),
        },
    };
    if let Some(found) = found {
        return Ok(found);
    }
    match named.map(|name| (name, find(name, known(state, system, target).map(|own| (own, own))))) {
        Some((_, Found::One(own))) if named.is_some_and(|name| !same(name, own)) => {
            falls(state, system, target, Some(own), heals)
        }
        Some((name, Found::Several(fit))) => {
            Err(lookup::several("track", name, fit.into_iter().map(str::to_owned).collect()))
        }
        Some((name, _)) if same(name, "hp") && standing.main(system).is_some() => {
            falls(state, system, target, None, heals)
        }
        _ => Err(unknown(state, system, target, named)),
    }
}

/// What a hit on somebody can fall on, each name once.
fn known<'a>(state: &'a State, system: &'a System, target: &Character) -> impl Iterator<Item = &'a str> {
    let own: Vec<&str> = state.tracks_of(target.id).map(|track| track.name.as_str()).collect();
    let rules = (system.boxes.iter().map(|own| own.name.as_str()))
        .chain(system.slots.iter().map(|own| own.name.as_str()))
        .chain(system.layers.iter().map(|own| own.name.as_str()));
    let others: Vec<&str> = rules.filter(|name| !own.iter().any(|known| same(known, name))).collect();
    own.into_iter().chain(others)
}

/// Marks of somebody who was made before the rules had them, and layers that nobody has until they are granted.
fn unmarked(system: &System, target: &Character, name: &str) -> Option<Track> {
    let layer =
        |name: &String| Track { character: target.id, name: name.clone(), value: 0, min: 0, max: None, fixed: false };
    let layers = system.layers.iter().map(|own| layer(&own.name));
    system.marked().flat_map(|harm| marks(target.id, &harm)).chain(layers).find(|row| same(&row.name, name))
}

fn unknown(state: &State, system: &System, target: &Character, named: Option<&str>) -> Refusal {
    let names: Vec<&str> = known(state, system, target).collect();
    let near = named.map_or_else(Vec::new, |name| near(name, names.iter().copied()));
    let main = named.map_or_else(|| main_name(system).to_owned(), quoted);
    let has = match (names.is_empty(), named) {
        (true, _) => "no track yet. Send".to_owned(),
        (false, Some(name)) => {
            let first = near.first().map_or_else(|| names.first().copied().unwrap_or_default(), String::as_str);
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
    let near = if near.is_empty() { names.into_iter().take(3).map(str::to_owned).collect() } else { near };
    Refusal::new(Code::UnknownTrack, summary).near(near)
}
