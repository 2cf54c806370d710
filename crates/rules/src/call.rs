//! Texts in calls that the grammar reads.

use crate::grammar::cursor::read_words;
use crate::grammar::effect::{self, Duration, Edge, End, RESTS, Turn, Unit};
use crate::grammar::names::Names;
use crate::language::effects;
use crate::language::system::System;

/// A duration: `for 3 rounds`, `until end of scene`. `None` where it is not read to its last word.
pub fn duration(system: &System, words: &str) -> Option<Duration> {
    read_words(words, &system.names, effect::duration)
}

/// Seconds, 1 to [`SPAN_MAX`](effect::SPAN_MAX): `6 seconds`, `1 day, 4 hours and 10 minutes`.
pub fn span(words: &str) -> Option<i64> {
    read_words(words, &Names::default(), effect::span)
}

/// The conditions that a hit gives: `gain Prone, gain Burning 2`. `None` unless all of it is read.
pub fn gains(system: &System, words: &str) -> Option<Vec<String>> {
    let items = read_words(words, &system.names, effect::effects)?;
    let gained = effects::gains(&items, system).ok()?;
    Some(
        gained
            .iter()
            .map(|condition| condition.to_lowercase())
            .collect(),
    )
}

/// Examples of all forms of durations in these rules.
pub fn duration_forms(system: &System) -> Vec<String> {
    let turn = |edge, of_source, next| {
        Duration::UntilTurn(Turn {
            edge,
            of_source,
            next,
        })
    };
    let names = system
        .attributes
        .iter()
        .map(|attribute| &attribute.name)
        .chain(system.checks.iter().map(|check| &check.name));
    let check = names
        .take(1)
        .map(|name| Duration::UntilSucceeds(name.clone()));
    let rests = RESTS
        .iter()
        .map(|(_, rest)| *rest)
        .filter(|rest| system.rest(rest.name()).is_ok());
    let session = system
        .rest(End::Session.name())
        .is_ok()
        .then_some(Duration::UntilEnd(End::Session));
    let always = [
        Duration::For(3, Unit::Round),
        Duration::For(2, Unit::Hour),
        Duration::UntilEnd(End::Scene),
        Duration::UntilEnd(End::Fight),
    ];
    let turns = [
        turn(Edge::Start, false, true),
        turn(Edge::End, true, false),
        Duration::UntilNextCheck,
    ];
    let all = always.into_iter().chain(session).chain(turns).chain(check);
    let all = all
        .chain(rests.map(Duration::UntilRest))
        .chain([Duration::UntilRemoved]);
    all.map(|duration| duration.to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_read_to_the_last_word() {
        for (words, seconds) in [
            ("6 seconds", 6),
            ("10 minutes.", 600),
            ("1 week", 604_800),
            ("1 day, 4 hours and 10 minutes", 101_400),
            ("0 hours and 5 minutes", 300),
        ] {
            assert_eq!(span(words), Some(seconds), "{words}");
        }
        for words in [
            "",
            "and",
            "6",
            "hours",
            "an hour",
            "1h 30m",
            "1 hour 30 minutes",
            "about 2 hours",
            "0 hours",
            "1.5 hours",
            "3 rounds",
            "10001 days",
            "9999999999999999999 days",
        ] {
            assert_eq!(span(words), None, "{words}");
        }
    }
}
