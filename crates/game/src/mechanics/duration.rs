//! How long a condition lasts: a number of turns, which a fight counts, or until something happens.
//! A duration that the GM gave to one condition goes before the rules' duration for its name.
//!
//! The game's time: how far it is, and what has lasted its time. A clock that no list shows, in
//! seconds since the game began; a fight's rounds pass it when it is over, and count meanwhile.

use crate::record::change::Change;
use crate::record::state::{Clock, Combat, Condition, Edge, State, TurnsLeft, Unit, Until};
use crate::refusal::{Code, Refusal};
use rollbook_rules::{Duration, End, GAME_TIME, Structure, System, Turn, call};
use rollbook_text::names::quoted;

/// A duration, before it is known whose turns count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConditionDuration {
    Counted(TurnCount),
    /// So many seconds of the game's time.
    For(i64),
    Until(Until),
}

/// A number of turns or rounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnCount {
    /// 1 to [`rollbook_rules::DURATION_MAX`].
    pub left: u32,
    pub unit: Unit,
    /// `None` where the text does not say: the end of the bearer's turn.
    pub turn: Option<Turn>,
}

impl ConditionDuration {
    /// What a duration of the rules comes to.
    pub fn new(system: &System, duration: &Duration) -> ConditionDuration {
        let counted = |left, unit, turn| ConditionDuration::Counted(TurnCount { left, unit, turn });
        let until = ConditionDuration::Until;
        match duration {
            Duration::For(many, unit) => match unit.seconds() {
                Some(seconds) => ConditionDuration::For(i64::from(*many).saturating_mul(seconds)),
                None if *unit == rollbook_rules::Unit::Turn => counted(*many, Unit::Turns, None),
                None => counted(*many, Unit::Rounds, None),
            },
            Duration::UntilTurn(turn) => counted(1, Unit::Turns, Some(*turn)),
            Duration::UntilEnd(End::Scene) => until(Until::Scene),
            Duration::UntilEnd(End::Fight) => until(Until::Fight),
            Duration::UntilEnd(End::Session) => until(Until::Rest(End::Session.name().to_owned())),
            Duration::UntilRest(rest) => until(Until::Rest(rest.name().to_owned())),
            // A check has the attribute's name, not its short form.
            Duration::UntilSucceeds(name) => {
                let attribute = system.named_attribute(name);
                until(Until::Check(
                    attribute.map_or(name, |attribute| &attribute.name).clone(),
                ))
            }
            Duration::UntilNextCheck => until(Until::NextCheck),
            Duration::UntilRemoved => until(Until::Removed),
        }
    }

    /// Reads the text of a call: "for 3 rounds", "until end of scene", "until Long rest".
    /// Refused: when the text is not read to its last word, or nothing by the rules would end it.
    pub fn parse(system: &System, words: &str) -> Result<ConditionDuration, Refusal> {
        let refused = |why: &str| {
            let forms = call::duration_forms(system).join("\", \"");
            let near = format!("for {}", words.trim());
            let near = call::duration(system, &near)
                .map_or(String::new(), |_| format!("duration=\"{near}\", or "));
            let summary = format!(
                "duration=\"{}\" {why}. Send {near}one of these forms: \"{forms}\".",
                quoted(words)
            );
            Refusal::new(Code::InvalidParameters, summary)
        };
        let read = call::duration(system, words).ok_or_else(|| refused("is not understood"))?;
        match ConditionDuration::new(system, &read) {
            ConditionDuration::Until(Until::Rest(name)) if system.rest(&name).is_err() => {
                Err(refused(&format!("never ends: the rules have no {name}")))
            }
            read => Ok(read),
        }
    }
}

/// What ends a condition, other than turns: as the GM set it, else by the rules.
pub fn ending(system: &System, row: &Condition) -> Option<Until> {
    row.until
        .clone()
        .or_else(|| match declared(system, &row.name)? {
            ConditionDuration::Until(until) => Some(until),
            ConditionDuration::Counted(_) | ConditionDuration::For(_) => None,
        })
}

/// How long a condition of that name lasts by the rules.
pub fn declared(system: &System, name: &str) -> Option<ConditionDuration> {
    Some(ConditionDuration::new(
        system,
        system.condition(name)?.duration.as_ref()?,
    ))
}

/// "frightened 2 (3 rounds)", "held (until end of scene)". The rules' own duration is not repeated.
pub fn render(row: &Condition) -> String {
    let lasts = row
        .lasts
        .as_ref()
        .map(TurnsLeft::render)
        .or_else(|| row.until.as_ref().map(Until::render));
    format!(
        "{}{}",
        row.label(),
        lasts.map_or(String::new(), |lasts| format!(" ({lasts})"))
    )
}

/// The same with its cause, for the GM: "frightened 2 (3 rounds; from Rat)", "cursed (hidden)".
pub fn render_with_cause(row: &Condition) -> String {
    let hidden = row.hidden.then(|| "hidden".to_owned());
    let more: Vec<String> = row
        .cause
        .iter()
        .map(|cause| format!("from {cause}"))
        .chain(hidden)
        .collect();
    let (text, more) = (render(row), more.join("; "));
    match text.strip_suffix(')') {
        _ if more.is_empty() => text,
        Some(lasts) => format!("{lasts}; {more})"),
        None => format!("{text} ({more})"),
    }
}

/// The names of the hidden effects that begin or end in these changes, as events have them.
pub fn hidden_names(changes: &[Change]) -> Vec<String> {
    let rows = changes
        .iter()
        .filter(|change| change.is_of_hidden())
        .flat_map(|change| match change {
            Change::Condition(images) => images.both().collect(),
            _ => Vec::new(),
        });
    rows.flat_map(|row: &Condition| [row.name.clone(), row.label(), render(row)])
        .collect()
}

/// Whether this fight has turns: as the GM set it, else by the rules.
pub fn has_turns(system: &System, combat: &Combat) -> bool {
    combat.structure.unwrap_or_else(|| system.first_structure()) == Structure::TurnBased
}

/// Adds the turns or the time that the rules declare for a condition, unless the GM set a duration.
pub fn with_declared_turns(state: &State, system: &System, row: Condition) -> Condition {
    if row.lasts.is_some() || row.until.is_some() {
        return row;
    }
    let cause = row
        .caused_by
        .and_then(|cause| state.open_combatant(cause))
        .map(|member| member.id);
    match declared(system, &row.name) {
        Some(ConditionDuration::Until(_)) | None => row,
        Some(declared) => with_duration(state, system, row, (declared, cause)),
    }
}

/// With a duration that begins now, and the combatant who caused it. Turns that no fight counts end
/// by the game's time, where the rules say how long a round is.
pub fn with_duration(
    state: &State,
    system: &System,
    row: Condition,
    (duration, cause): (ConditionDuration, Option<i64>),
) -> Condition {
    match duration {
        ConditionDuration::For(seconds) => Condition {
            until: Some(end_of(state, system, seconds)),
            ..row
        },
        ConditionDuration::Counted(counted) => {
            let lasts = start_counting(state, &counted, row.character, cause);
            let seconds = rounds(system, counted.left).filter(|_| lasts.is_none());
            Condition {
                lasts,
                until: seconds.map(|seconds| end_of(state, system, seconds)),
                ..row
            }
        }
        ConditionDuration::Until(until) => Condition {
            until: Some(until),
            ..row
        },
    }
}

/// The end of what lasts so many seconds from now on.
fn end_of(state: &State, system: &System, seconds: i64) -> Until {
    Until::Time(now(state, system).saturating_add(seconds))
}

/// Starts counting turns for a combatant of the open fight; `None` outside a fight. `cause` is a
/// combatant; without one, the combatant whose turn it is.
fn start_counting(
    state: &State,
    counted: &TurnCount,
    bearer: i64,
    cause: Option<i64>,
) -> Option<TurnsLeft> {
    let combat = state.open_combat()?;
    let bearer = state
        .combatants_of(combat.id)
        .find(|combatant| combatant.character == bearer)?
        .id;
    let of_source = counted.turn.is_some_and(|turn| turn.of_source);
    let anchor = if of_source {
        cause.or(combat.current).unwrap_or(bearer)
    } else {
        bearer
    };
    let at = match counted.turn.map(|turn| turn.edge) {
        Some(rollbook_rules::Edge::Start) => Edge::Start,
        Some(rollbook_rules::Edge::End) | None => Edge::End,
    };
    // "Until end of bearer's next turn", begun in that turn, means the turn after it.
    let next = counted.turn.is_some_and(|turn| turn.next)
        && at == Edge::End
        && combat.current == Some(anchor);
    Some(TurnsLeft {
        left: counted.left.saturating_add(u32::from(next)),
        unit: counted.unit,
        anchor,
        at,
    })
}

/// The latest moment: some thirty thousand years.
pub const LAST: i64 = 1_000_000_000_000;

/// Its row; one that is made where no time has passed.
pub fn row(state: &State) -> Clock {
    let new = || Clock {
        name: GAME_TIME.to_owned(),
        ..Clock::default()
    };
    state.clocks.get(GAME_TIME).cloned().unwrap_or_else(new)
}

/// The moment that it is, with the rounds of a fight that goes on.
pub fn now(state: &State, system: &System) -> i64 {
    let past = state
        .running_combat()
        .map_or(0, |combat| combat.round.saturating_sub(1));
    row(state)
        .value
        .saturating_add(rounds(system, past).unwrap_or(0))
}

/// Seconds of so many rounds, where the rules say how long one is.
pub fn rounds(system: &System, many: u32) -> Option<i64> {
    Some(i64::from(many).saturating_mul(system.round.as_ref()?.what))
}

/// Whether time is counted: it has passed, or the rules say what passes it.
pub fn is_counted(state: &State, system: &System) -> bool {
    let passes = !system.passing.is_empty() || system.round.is_some();
    state.clocks.contains_key(GAME_TIME)
        || passes
        || system.rests.iter().any(|rest| rest.lasts().is_some())
}

/// The conditions that last no longer than until then.
pub fn due(state: &State, at: i64) -> Vec<Condition> {
    let over = |row: &&Condition| matches!(row.until, Some(Until::Time(until)) if until <= at);
    state.conditions.values().filter(over).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rollbook_text::diagnostic::SourceFile;

    fn system() -> System {
        let text = "# T\n\n## Attributes\n\n- Will (WIL, 1-6)\n\n## Health\n\n- Hit points: max 10\n- Damage: Hit points\n- Long rest: Hit points to max\n";
        rollbook_rules::read(vec![SourceFile::new("System.md", text)]).system
    }

    #[test]
    fn a_duration_is_read_to_its_last_word() {
        let counted = |left, unit, turn| ConditionDuration::Counted(TurnCount { left, unit, turn });
        use rollbook_rules::Edge;
        let turn = |edge, of_source, next| {
            Some(Turn {
                edge,
                of_source,
                next,
            })
        };
        for (words, expected) in [
            ("for 3 rounds", counted(3, Unit::Rounds, None)),
            ("for 1 turn", counted(1, Unit::Turns, None)),
            (
                "until end of bearer's next turn",
                counted(1, Unit::Turns, turn(Edge::End, false, true)),
            ),
            (
                "until start of source's turn",
                counted(1, Unit::Turns, turn(Edge::Start, true, false)),
            ),
            ("for 3 days", ConditionDuration::For(259_200)),
            ("until end of scene", ConditionDuration::Until(Until::Scene)),
            ("until end of fight", ConditionDuration::Until(Until::Fight)),
            (
                "until long rest",
                ConditionDuration::Until(Until::Rest("Long rest".into())),
            ),
            (
                "until Will succeeds",
                ConditionDuration::Until(Until::Check("Will".into())),
            ),
            (
                "until WIL succeeds",
                ConditionDuration::Until(Until::Check("Will".into())),
            ),
            (
                "Until next check",
                ConditionDuration::Until(Until::NextCheck),
            ),
            ("until removed.", ConditionDuration::Until(Until::Removed)),
        ] {
            assert_eq!(
                ConditionDuration::parse(&system(), words).as_ref(),
                Ok(&expected),
                "{words}"
            );
        }
    }

    #[test]
    fn what_is_no_duration_is_refused_with_every_form() {
        let system = system();
        let wrong = "|3|3 rounds|for 0 rounds|for 10001 rounds|for 99999999999999999999 rounds|for -3 rounds|for an hour|for 1d4 rounds|\
                     for 3 rounds or so|scene|a while|until treated|until the end of the scene|until end of Ogre's turn|until Short rest|until end of session";
        for words in wrong.split('|') {
            let refusal = ConditionDuration::parse(&system, words).expect_err(words);
            let forms = call::duration_forms(&system);
            assert!(
                forms
                    .iter()
                    .all(|form| refusal.summary.contains(&format!("\"{form}\""))),
                "{}",
                refusal.summary
            );
        }
        for form in call::duration_forms(&system) {
            assert!(ConditionDuration::parse(&system, &form).is_ok(), "{form}");
        }
    }
}
