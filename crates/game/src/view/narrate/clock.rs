//! Sentences about clocks, shared tracks, decks, and time that passes in the game.

use super::combat::visible_effects;
use super::text::{as_sentence, in_brackets};
use crate::moment::moment_words;
use crate::record::event::{ClockAct, ClockEvent, DeckEvent, TimeEvent};
use crate::view::Audience;
use rollbook_rules::span_words;

/// A deck that was shuffled by hand.
pub(super) fn shuffled(event: &DeckEvent) -> String {
    format!("{} is shuffled: all of its cards are in it again.", event.name)
}

/// A clock or shared track. What a trigger brings about is the GM's to tell.
///
/// "Flooding 5 to 6/6 (the pumps stop), full: the hold is under water."
pub(super) fn render(event: &ClockEvent, audience: Audience) -> String {
    let name = &event.name;
    let value = event.max.map_or_else(|| event.to.to_string(), |max| format!("{}/{max}", event.to));
    let reason = in_brackets(event.reason.as_deref());
    let end = event.end.as_ref().map_or(String::new(), |end| format!(", {end}"));
    match (event.act, audience) {
        (ClockAct::Made, _) => format!("{name} begins at {value}{reason}."),
        (ClockAct::Moved, Audience::Gm) if !event.triggers.is_empty() => {
            as_sentence(&format!("{name} {} to {value}{reason}{end}: {}", event.from, event.triggers.join("; ")))
        }
        (ClockAct::Moved, _) => format!("{name} {} to {value}{reason}{end}.", event.from),
        (ClockAct::TakenBack, _) => format!("{name} {} to {value}, taken back.", event.from),
        (ClockAct::Revealed, Audience::Gm) => format!("Players see {name} {value} from now on{reason}."),
        (ClockAct::Revealed, Audience::Player) => format!("{name} {value}{reason}."),
        (ClockAct::Hidden, _) => format!("{name} {value} is hidden from players{reason}."),
        (ClockAct::Closed, _) => format!("{name} {value} is done with{reason}."),
    }
}

/// "2 hours pass (Long rest): it is day 1, 10:00. Blessed on Ana ends."
pub(super) fn time(event: &TimeEvent, audience: Audience) -> String {
    let seconds = event.to.saturating_sub(event.from);
    let span = span_words(seconds);
    // "1 hour passes", "2 hours pass", "1 hour and 10 minutes pass".
    let pass = if span.starts_with("1 ") && !span.contains(" and ") { "passes" } else { "pass" };
    let passed = (seconds > 0).then(|| {
        let reason = in_brackets(event.reason.as_deref());
        format!("{span} {pass}{reason}: it is {}.", moment_words(event.to))
    });
    let ended = visible_effects(&event.ended, audience == Audience::Gm).map(|own| format!("{} ends.", own.label()));
    passed.into_iter().chain(ended).collect::<Vec<String>>().join(" ")
}
