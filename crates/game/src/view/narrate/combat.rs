//! Sentences about fights.

use crate::record::entry::Entry;
use crate::record::event::{Act, EffectOn, Event, Subject};
use crate::view::Audience;
use rollbook_rules::Structure;

/// The sentence. `whole`: nothing of the entry is secret.
pub(super) fn render(entry: &Entry, audience: Audience, whole: bool) -> String {
    let gm = audience == Audience::Gm;
    match &entry.event {
        Event::CombatPrepared { title, .. } => match title {
            Some(title) => format!("A fight is prepared: {title}."),
            None => "A fight is prepared.".to_owned(),
        },
        Event::CombatStarted { title, members, .. } => {
            let title = title.as_ref().map_or(String::new(), |title| format!(": {title}"));
            format!("A fight begins{title}.{}", render_members(members))
        }
        Event::CombatantJoined { subject, initiative, card, .. } => match (initiative, card) {
            (Some(initiative), card) if whole => render_initiative(entry, subject, *initiative, card.as_deref()),
            _ => format!("{} enters the fight.", subject.name),
        },
        Event::Combatant { subject, act, .. } => render_act(entry, subject, act, gm),
        Event::TurnBegan { round, began, resumed, .. } => match resumed {
            true => format!("Round {round}: {} goes on.", began.name),
            false => format!("Round {round}: {}'s turn.", began.name),
        },
        Event::TurnTakenBack { round, back_to, from, hidden, restored, .. } => {
            let mut sentences = Vec::new();
            if gm {
                sentences
                    .push(format!("Back to round {round}, {}'s turn; {}'s is taken back.", back_to.name, from.name));
            } else if !hidden {
                sentences.push(format!("{}'s turn is taken back.", from.name));
            }
            sentences.extend(visible_effects(restored, gm).map(|own| format!("{} lasts on.", own.label())));
            sentences.join(" ")
        }
        Event::StructureChanged { structure, .. } => match structure {
            Structure::TurnBased => "From now on everybody acts in turn.".to_owned(),
            Structure::Narrative => "The fight goes on without turns.".to_owned(),
        },
        Event::RoundBegan { round, .. } => format!("Round {round} begins."),
        Event::Effects { began, revealed: true, .. } => {
            let left = |own: &EffectOn| own.left.as_ref().map_or(String::new(), |left| format!(" ({left})"));
            let seen = visible_effects(began, gm).map(|own| match gm {
                true => format!("Players see {}{} from now on.", own.label(), left(own)),
                false => format!("It shows: {}{}.", own.label(), left(own)),
            });
            seen.collect::<Vec<String>>().join(" ")
        }
        Event::Effects { began, left, ended, holder, .. } => {
            let duration = |own: &EffectOn| own.left.as_ref().map_or(String::new(), |left| format!(", {left}"));
            let began = visible_effects(began, gm).map(|own| format!("{} begins{}.", own.label(), duration(own)));
            let holder = holder.as_ref().filter(|own| gm || !own.hidden);
            let why = holder.map_or(String::new(), |own| format!(": {} can no longer hold it", own.subject.name));
            let ended = visible_effects(ended, gm).map(|own| format!("{} ends{why}.", own.label()));
            let left = left.iter().filter(|_| gm).map(|own| format!("{}{} left.", own.label(), duration(own)));
            ended.chain(began).chain(left).collect::<Vec<String>>().join(" ")
        }
        Event::CombatEnded { outcome, .. } => match outcome {
            Some(outcome) => format!("The fight ends: {}.", outcome.trim_end_matches('.')),
            None => "The fight ends.".to_owned(),
        },
        _ => String::new(),
    }
}

pub(super) fn visible_effects(effects: &[EffectOn], gm: bool) -> impl Iterator<Item = &EffectOn> {
    effects.iter().filter(move |own| gm || !own.hidden)
}

fn render_members(members: &[Subject]) -> String {
    let names: Vec<&str> = members.iter().map(|own| own.name.as_str()).collect();
    if names.is_empty() { String::new() } else { format!(" In it: {}.", names.join(", ")) }
}

/// An initiative with its dice or card.
fn render_initiative(entry: &Entry, subject: &Subject, initiative: i64, card: Option<&str>) -> String {
    match (card, entry.rolls.first()) {
        (Some(card), _) => format!("{} draws the {card}.", subject.name),
        (None, Some(record)) => format!("{} rolls initiative: {}.", subject.name, record.roll.explanation),
        (None, None) => format!("{} stands at initiative {initiative}.", subject.name),
    }
}

fn render_act(entry: &Entry, subject: &Subject, act: &Act, gm: bool) -> String {
    let who = &subject.name;
    match act {
        Act::Left => format!("{who} leaves the fight."),
        Act::Defeated => format!("{who} is out of the fight."),
        Act::Revived => format!("{who} is back in the fight."),
        Act::Hidden => format!("{who} is out of sight."),
        Act::Revealed { was: Some(was) } if gm => format!("{was} appears, as {who} from now on."),
        Act::Revealed { .. } => format!("{who} appears."),
        Act::Delayed => format!("{who} lets others go first."),
        Act::Returned => format!("{who} acts right after this turn."),
        Act::Lapsed => format!("{who} has let the round pass."),
        Act::Readied { trigger } => format!("{who} is ready: {}.", trigger.trim_end_matches('.')),
        Act::Triggered { trigger } => format!("{who} acts as readied: {}.", trigger.trim_end_matches('.')),
        Act::InitiativeSet { after, .. } => format!("{who} stands at initiative {after}."),
        Act::InitiativeRolled { initiative, card } => render_initiative(entry, subject, *initiative, card.as_deref()),
        Act::SideChanged { after, .. } => format!("{who} is on the side of the {after} now."),
        Act::ActsNow => format!("{who} acts in this round already."),
    }
}
