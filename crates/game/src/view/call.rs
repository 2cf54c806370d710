//! A call in few words: an attack in one sentence, and who is up. The log has each step's own.

use crate::record::entry::{Audience, Entry, Visibility};
use crate::record::event::{
    CheckEvent, DamageEvent, Event, RollEvent, RollSet, TurnBegan, actor_name, arithmetic, moved,
    track_images,
};
use crate::record::purpose::OPPOSING;
use rollbook_rules::Outcome;
use rollbook_text::names::same;

/// An entry with its sentence, `None` if the audience sees none, and whether nothing is secret.
pub struct CallEntry<'e> {
    pub entry: &'e Entry,
    pub seq: u64,
    pub text: Option<String>,
    pub whole: bool,
}

/// A sentence of a call.
pub struct Sentence {
    pub text: String,
    /// Shown of a long call, too: a character went down, a rule fired, the turn passed.
    pub is_weighty: bool,
}

/// The sentences of a call.
pub fn sentences(entries: &[CallEntry<'_>], audience: Audience) -> Vec<Sentence> {
    let mut sentences = Vec::new();
    let mut short = false;
    let mut rest = entries;
    while let Some((first, after)) = rest.split_first() {
        let (sentence, used) = match &first.entry.event {
            Event::Check(event) => {
                let attack = attack(first, event, after, audience);
                short |= attack.is_some();
                attack.map_or((first.text.clone(), 0), |(text, used)| (Some(text), used))
            }
            // The round is a field of the reply.
            Event::TurnBegan(TurnBegan {
                began,
                resumed: false,
                ..
            }) if short => (
                first
                    .text
                    .as_ref()
                    .map(|_| format!("{} is up.", began.name)),
                0,
            ),
            _ => (first.text.clone(), 0),
        };
        let mut in_it = std::iter::once(first)
            .chain(after.iter().take(used))
            .filter(|entry| entry.text.is_some());
        let is_weighty = in_it.any(|entry| entry.entry.event.description().is_weighty);
        sentences.extend(sentence.map(|text| Sentence { text, is_weighty }));
        rest = after.get(used..).unwrap_or_default();
    }
    sentences
}

/// The sentence of an attack, and how many of the entries after it are in it. `None` where the
/// audience does not see all of it, or where a check of several rolls needs its own sentence.
fn attack(
    check: &CallEntry,
    event: &CheckEvent,
    after: &[CallEntry],
    audience: Audience,
) -> Option<(String, usize)> {
    let gm = audience == Audience::Gm;
    let sees = |entry: &CallEntry<'_>| gm || entry.entry.visibility == Visibility::Public;
    let target = event.attacked(gm || check.whole)?;
    let at_self = event
        .subject
        .as_ref()
        .zip(event.against.as_ref())
        .is_some_and(|(who, on)| on.id == who.id);
    let outcome = event.outcome.filter(|_| !at_self)?;
    let single = event.opposed.is_none() && event.again.is_none();
    let single = single
        && check
            .entry
            .rolls
            .iter()
            .all(|record| record.purpose != OPPOSING);
    if !single || !sees(check) || event.successes.is_some() {
        return None;
    }
    let follows = |event: &Event| matches!(event, Event::Roll(RollEvent { check: Some(seq), .. }) | Event::RollSet(RollSet { check: Some(seq), .. }) if *seq == check.seq);
    let roll = after.first().filter(|roll| follows(&roll.entry.event));
    let hit = after
        .get(usize::from(roll.is_some()))
        .and_then(|hit| match &hit.entry.event {
            Event::Damage(event)
                if event.subject.name == target && event.roll == roll.map(|roll| roll.seq) =>
            {
                Some((hit, event))
            }
            _ => None,
        });
    let strikes = if hit.is_some() || outcome >= Outcome::Success {
        "hits"
    } else {
        "misses"
    };
    let (who, result) = (
        actor_name(&check.entry.actor),
        result(
            check.entry,
            event,
            gm || check.whole || !event.target_hidden,
        ),
    );
    let rolls = roll
        .filter(|roll| sees(roll))
        .map_or(String::new(), |roll| {
            let rolls: Vec<String> = roll.entry.rolls.iter().map(arithmetic).collect();
            format!(": {}", rolls.join(" | "))
        });
    let effects = hit.filter(|(hit, _)| hit.text.is_some());
    let effects = effects.map_or(String::new(), |(hit, event)| {
        format!(" {}", consequences(hit, event, audience))
    });
    let sentence = format!("{who} {strikes} {target} ({result}){rolls}.{effects}");
    Some((
        sentence,
        usize::from(roll.is_some()) + usize::from(hit.is_some()),
    ))
}

/// Labels that say no more than that it hit or not.
const PLAIN: [&str; 8] = [
    "success", "failure", "hit", "miss", "hits", "misses", "a hit", "a miss",
];

/// `1d20: [18]; + 5 = 23 against 12`, with the author's word where it says more than that it hit or
/// not.
fn result(entry: &Entry, event: &CheckEvent, open: bool) -> String {
    let rolled = entry.rolls.first().map(arithmetic).unwrap_or_default();
    let target = event
        .target
        .filter(|_| open)
        .map_or(String::new(), |target| format!(" against {target}"));
    let label = event
        .label
        .as_ref()
        .filter(|label| !PLAIN.iter().any(|word| same(word, label)));
    let label = label.map_or(String::new(), |label| format!(", {}", label.to_lowercase()));
    let flags: String = event.flags.iter().map(|flag| format!("; {flag}")).collect();
    format!("{rolled}{target}{label}{flags}")
}

/// What the damage did: the track alone, where the arithmetic says the rest.
fn consequences(hit: &CallEntry<'_>, event: &DamageEvent, audience: Audience) -> String {
    if !hit.whole && audience == Audience::Player && !event.open {
        return event.without_figures(hit.entry);
    }
    let as_rolled = event.eased.is_none()
        && event.note_words(audience).is_none()
        && event.reason.is_none()
        && event.told.is_none();
    let Some(moved) = moved(track_images(hit.entry)).filter(|_| as_rolled) else {
        return event.with_figures(track_images(hit.entry), audience);
    };
    let gained = if event.gained.is_empty() {
        String::new()
    } else {
        format!(", {}", event.gained.join(", "))
    };
    let lost = if event.lost.is_empty() {
        String::new()
    } else {
        format!(", no longer {}", event.lost.join(", "))
    };
    format!("{moved}{gained}{lost}.")
}
