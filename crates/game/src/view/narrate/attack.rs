//! A call in few words: an attack with what it dealt in one sentence, and who is up then. The log keeps each step's own sentence.

use super::{arithmetic, attacked, damage, damage_without_figures, moved, track_images};
use crate::mechanics::health::DEAD;
use crate::record::entry::{Entry, Visibility};
use crate::record::event::{Act, CheckEvent, DamageEvent, Event, Health};
use crate::record::purpose::OPPOSING;
use crate::view::Audience;
use rollbook_dice::EnteredRoller;
use rollbook_rules::Outcome;
use rollbook_text::names::same;

/// An entry with its sentence, `None` where the audience sees nothing of it, and whether nothing of it is secret.
pub struct Told<'e> {
    pub entry: &'e Entry,
    pub seq: u64,
    pub text: Option<String>,
    pub whole: bool,
}

/// A sentence of a call.
pub struct Sentence {
    pub text: String,
    /// Shown also where a long call is shortened: somebody fell, a rule fired, the turn passed.
    pub is_weighty: bool,
}

/// Whether a long call tells of it.
fn is_weighty(entry: &Entry) -> bool {
    match &entry.event {
        Event::Damage(event) => {
            !event.triggers.is_empty()
                || event.health == Some(Health::Down)
                || event.gained.iter().any(|name| same(name, DEAD))
        }
        Event::TurnBegan { .. }
        | Event::TurnTakenBack { .. }
        | Event::StructureChanged { .. }
        | Event::RoundBegan { .. }
        | Event::Clock(_)
        | Event::Deck(_)
        | Event::Time(_)
        | Event::CombatEnded { .. }
        | Event::LossAccepted(_)
        | Event::Restored { .. }
        | Event::Continued(_)
        | Event::Revealed(_) => true,
        Event::Combatant { act, .. } => matches!(act, Act::Defeated | Act::Revived),
        Event::CampaignCreated { .. }
        | Event::CampaignRenamed { .. }
        | Event::RulesLoaded { .. }
        | Event::SessionStarted { .. }
        | Event::SessionEnded { .. }
        | Event::Note(_)
        | Event::Roll { .. }
        | Event::RollSet { .. }
        | Event::TableRoll(_)
        | Event::Check(_)
        | Event::CharacterCreated { .. }
        | Event::CharacterUpdated { .. }
        | Event::Items { .. }
        | Event::Awarded { .. }
        | Event::LevelUp { .. }
        | Event::Improved { .. }
        | Event::Retired { .. }
        | Event::Rested { .. }
        | Event::CombatPrepared { .. }
        | Event::CombatStarted { .. }
        | Event::CombatantJoined { .. }
        | Event::Effects { .. }
        | Event::Undone(_) => false,
    }
}

/// The sentences of a call.
pub fn told(entries: &[Told<'_>], audience: Audience) -> Vec<Sentence> {
    let mut sentences = Vec::new();
    let mut short = false;
    let mut rest = entries;
    while let Some((first, after)) = rest.split_first() {
        let (sentence, used) = match &first.entry.event {
            Event::Check(event) => {
                let attack = attack(first, event, after, audience);
                short |= attack.is_some();
                attack.unwrap_or((first.text.clone(), 0))
            }
            // The round is a field of the reply.
            Event::TurnBegan { began, resumed: false, .. } if short => {
                (first.text.as_ref().map(|_| format!("{} is up.", began.name)), 0)
            }
            _ => (first.text.clone(), 0),
        };
        let own = entries_of(first, after, used);
        let is_weighty = own.filter(|told| told.text.is_some()).any(|told| is_weighty(told.entry));
        sentences.extend(sentence.map(|text| Sentence { text, is_weighty }));
        rest = after.get(used..).unwrap_or_default();
    }
    sentences
}

/// An entry and those after it that are in its sentence.
fn entries_of<'t, 'e>(first: &'t Told<'e>, after: &'t [Told<'e>], used: usize) -> impl Iterator<Item = &'t Told<'e>> {
    std::iter::once(first).chain(after.iter().take(used))
}

/// The sentence of an attack, and how many of the entries after it are in it. `None` where the audience does not see all of it, or
/// where a check of several rolls needs its own sentence.
fn attack(
    check: &Told<'_>,
    event: &CheckEvent,
    after: &[Told<'_>],
    audience: Audience,
) -> Option<(Option<String>, usize)> {
    let sees = |own: &Told<'_>| audience == Audience::Gm || own.entry.visibility == Visibility::Public;
    let gm = audience == Audience::Gm;
    let target = attacked(event, gm || check.whole)?;
    let at_self = event.subject.as_ref().is_some_and(|own| event.against.as_ref().is_some_and(|on| on.id == own.id));
    let outcome = event.outcome.filter(|_| !at_self)?;
    let single = event.opposed.is_none() && event.again.is_none();
    let single = single && check.entry.rolls.iter().all(|record| record.purpose != OPPOSING);
    if !single || !sees(check) || event.successes.is_some() {
        return None;
    }
    let roll = after.first().filter(|own| follows(&own.entry.event, check.seq));
    let hit = after.get(usize::from(roll.is_some())).and_then(|own| match &own.entry.event {
        Event::Damage(event) if event.subject.name == target && event.roll == roll.map(|own| own.seq) => {
            Some((own, event))
        }
        _ => None,
    });
    let landed = hit.is_some() || outcome >= Outcome::Success;
    let mut sentence = format!(
        "{} {} {target} ({})",
        super::name(&check.entry.actor),
        if landed { "hits" } else { "misses" },
        result(check.entry, event, gm || check.whole || !event.target_hidden)
    );
    match roll.filter(|own| sees(own)) {
        Some(own) => {
            let rolls: Vec<String> = own.entry.rolls.iter().map(arithmetic).collect();
            sentence.push_str(&format!(": {}.", rolls.join(" | ")));
        }
        None => sentence.push('.'),
    }
    if let Some((own, event)) = hit
        && own.text.is_some()
    {
        sentence.push(' ');
        sentence.push_str(&consequences(own, event, audience));
    }
    Some((Some(sentence), usize::from(roll.is_some()) + usize::from(hit.is_some())))
}

/// Labels that say no more than that it hit or not.
const PLAIN: [&str; 8] = ["success", "failure", "hit", "miss", "hits", "misses", "a hit", "a miss"];

fn follows(event: &Event, check: u64) -> bool {
    matches!(event, Event::Roll { check: Some(own), .. } | Event::RollSet { check: Some(own), .. } if *own == check)
}

/// "23 against 12", with the author's word where it says more than that it hit or not.
fn result(entry: &Entry, event: &CheckEvent, open: bool) -> String {
    let total = entry.rolls.first().map_or(0, |record| record.roll.total);
    let mut result = match event.target.filter(|_| open) {
        Some(target) => format!("{total} against {target}"),
        None => total.to_string(),
    };
    if entry.rolls.first().is_some_and(|record| record.source == EnteredRoller::SOURCE) {
        result.push_str(", entered by hand");
    }
    let plain = |label: &&String| PLAIN.iter().any(|word| same(word, label));
    if let Some(label) = event.label.as_ref().filter(|label| !plain(label)) {
        result.push_str(&format!(", {}", label.to_lowercase()));
    }
    for flag in &event.flags {
        result.push_str(&format!("; {flag}"));
    }
    result
}

/// What the damage did: the track alone, where the arithmetic says the rest.
fn consequences(own: &Told<'_>, event: &DamageEvent, audience: Audience) -> String {
    if !own.whole && audience == Audience::Player && !event.open {
        return damage_without_figures(event, track_images(own.entry));
    }
    let as_rolled = event.eased.is_none()
        && super::roll_note(event, audience).is_none()
        && event.reason.is_none()
        && event.told.is_none();
    let Some(moved) = moved(track_images(own.entry)).filter(|_| as_rolled) else {
        return damage(event, track_images(own.entry), audience);
    };
    let gained = if event.gained.is_empty() { String::new() } else { format!(", {}", event.gained.join(", ")) };
    let lost = if event.lost.is_empty() { String::new() } else { format!(", no longer {}", event.lost.join(", ")) };
    format!("{moved}{gained}{lost}.")
}
