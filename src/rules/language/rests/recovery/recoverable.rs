//! What of a system can recover, with every name under which an author may write it.

use crate::names::same;
use crate::rules::language::health::{Direction, Harm};
use crate::rules::language::system::System;

/// Something that mends, by the names under which an author speaks of it.
pub struct Recoverable {
    /// Name as an effect has it.
    pub name: String,
    /// In lower case, the longest first.
    pub spoken: Vec<String>,
    /// Whether it fills up as things get worse.
    pub fills: bool,
    /// Whether all share it: one of the sections Company and Clocks.
    pub shared: bool,
    /// Whether players do not see it.
    pub hidden: bool,
}

/// What mends of somebody, and what all share. Somebody's own is meant before a shared one of the same name.
pub fn recoverable_with_shared(system: &System) -> Vec<Recoverable> {
    let mut all = recoverable(system);
    let company = system.company.iter().flat_map(|company| recoverable(company));
    let shared: Vec<Recoverable> =
        company.filter(|shared| !all.iter().any(|own| same(&own.name, &shared.name))).collect();
    for own in &mut all {
        own.spoken.retain(|form| same(form, &own.name) || !shared.iter().any(|shared| same(form, &shared.name)));
    }
    all.extend(shared.into_iter().map(|own| Recoverable { shared: true, ..own }));
    all
}

/// Tracks, boxes, slots (all of a name, and each kind by itself) and wounds.
pub fn recoverable(system: &System) -> Vec<Recoverable> {
    let tracks = system.tracks.iter().map(|own| Recoverable {
        name: own.name.clone(),
        spoken: forms(&own.name).chain(same(&own.name, "hit points").then(|| "hp".to_owned())).collect(),
        fills: own.counts == Direction::Up,
        shared: false,
        hidden: own.hidden,
    });
    let marked = system.marked().flat_map(|harm| {
        let all = Recoverable {
            name: harm.name().to_owned(),
            spoken: forms(harm.name()).collect(),
            fills: true,
            shared: false,
            hidden: false,
        };
        let kinds = match harm {
            Harm::Slots(own) => own.kinds.iter().map(|kind| kind_of(&own.name, &kind.name)).collect(),
            _ => Vec::new(),
        };
        std::iter::once(all).chain(kinds)
    });
    let mut all: Vec<Recoverable> = tracks.chain(marked).collect();
    // A kind's last word stands for it where nothing is called so itself: "stress" for "Physical stress".
    let general = ["points", "point", "boxes", "box", "slots", "levels", "marks", "dice"].map(str::to_owned);
    let taken: Vec<String> = all.iter().flat_map(|own| own.spoken.iter().cloned()).chain(general).collect();
    for own in &mut all {
        let last = own.name.to_lowercase().rsplit(' ').next().map(str::to_owned);
        own.spoken
            .extend(last.filter(|last| own.name.contains(' ') && !own.name.ends_with(')') && !taken.contains(last)));
    }
    all
}

fn kind_of(slots: &str, kind: &str) -> Recoverable {
    let name = format!("{slots} ({kind})");
    let spoken = forms(slots).map(|slots| format!("{} {slots}", kind.to_lowercase()));
    Recoverable {
        spoken: spoken.chain([name.to_lowercase(), kind.to_lowercase()]).collect(),
        name,
        fills: true,
        shared: false,
        hidden: false,
    }
}

/// `hit points` and `hit point`, `recoveries` and `recovery`.
fn forms(name: &str) -> impl Iterator<Item = String> {
    let lower = name.to_lowercase();
    let of_y = lower.strip_suffix("ies").filter(|one| one.len() > 2).map(|one| format!("{one}y"));
    let one = || lower.strip_suffix('s').filter(|one| one.len() > 2 && !one.ends_with('s')).map(str::to_owned);
    let singular = of_y.or_else(one);
    std::iter::once(lower).chain(singular)
}
