//! How long a condition lasts: a number of turns, which a fight counts, or until something happens.
//! A duration that the GM gave to one condition goes before the rules' duration for its name.
//!
//! The game's time: how far it is, and what has lasted its time. A clock that no list shows, in
//! seconds since the game began; a fight's rounds pass it when it is over, and count meanwhile.

use crate::mechanics::lookup;
use crate::record::change::Change;
use crate::record::state::{
    Character, Clock, Combat, Condition, Edge, State, TurnsLeft, Unit, Until,
};
use crate::refusal::{Code, Refusal};
use rollbook_rules::{DURATION_MAX, Duration, End, GAME_TIME, Structure, System, Turn, call};
use rollbook_text::names::{Found, listed, quoted, suggest};

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
    /// The combatant whose turns count, where the call names one.
    pub anchor: Option<i64>,
}

impl ConditionDuration {
    /// What a duration of the rules comes to.
    pub fn new(system: &System, duration: &Duration) -> ConditionDuration {
        let counted = |left, unit, turn| {
            ConditionDuration::Counted(TurnCount {
                left,
                unit,
                turn,
                anchor: None,
            })
        };
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

    /// Reads the text of a call: "for 3 rounds", "1 hour", "until end of scene", "until the end of
    /// Jory's next turn". Refused: when the text is not read to its last word, nothing by the rules
    /// would end it, or the name is not that of one combatant.
    pub fn parse(state: &State, system: &System, words: &str) -> Result<Self, Refusal> {
        let sent = quoted(words);
        let refused = |why: &str| {
            let forms = call::duration_forms(system).join("\", \"");
            let summary = format!(
                "duration=\"{sent}\" {why}. Send one of these forms, with a number up to {DURATION_MAX}: \"{forms}\"; in a fight also \"until \
                 end of Jory's next turn\", with anybody's name.",
            );
            Refusal::new(Code::InvalidParameters, summary)
        };
        let plain = words
            .trim()
            .replacen("until the ", "until ", 1)
            .replacen(" of the ", " of ", 1);
        let read = call::duration(system, &plain)
            .or_else(|| call::duration(system, &format!("for {plain}")));
        let Some(read) = read else {
            let span = plain.strip_prefix("for ").unwrap_or(&plain);
            return match (call::span(span), named_turn(&plain)) {
                (Some(seconds), _) => Ok(ConditionDuration::For(seconds)),
                (None, Some((turn, name))) => {
                    let anchor = Some(anchor_named(state, name, turn)?);
                    Ok(ConditionDuration::Counted(TurnCount {
                        left: 1,
                        unit: Unit::Turns,
                        turn: Some(turn),
                        anchor,
                    }))
                }
                (None, None) => Err(refused("is not understood")),
            };
        };
        match ConditionDuration::new(system, &read) {
            ConditionDuration::Until(Until::Rest(name)) if system.rest(&name).is_err() => {
                Err(refused(&format!("never ends: the rules have no {name}")))
            }
            read => Ok(read),
        }
    }
}

/// `until end of Jory's next turn`: which turn, and the name.
fn named_turn(words: &str) -> Option<(Turn, &str)> {
    let rest = words.strip_prefix("until ")?.trim_end_matches('.');
    let rest = rest.strip_suffix(" turn")?;
    let (edge, rest) = match rest.strip_prefix("start of ") {
        Some(rest) => (rollbook_rules::Edge::Start, rest),
        None => (rollbook_rules::Edge::End, rest.strip_prefix("end of ")?),
    };
    let (whose, next) = match rest.strip_suffix(" next") {
        Some(whose) => (whose, true),
        None => (rest, false),
    };
    let name = ["'s", "’s", "'", "’"]
        .iter()
        .find_map(|ending| whose.strip_suffix(ending))?;
    let turn = Turn {
        edge,
        of_source: false,
        next,
    };
    Some((turn, name.trim()))
}

/// The combatant whose turn the call names.
fn anchor_named(state: &State, name: &str, turn: Turn) -> Result<i64, Refusal> {
    let Some(combat) = state.open_combat() else {
        let summary = "duration counts a turn, and no fight goes on. Send a time, as \"10 minutes\", or \"until end of scene\" or \"until removed\".";
        return Err(Refusal::new(Code::NoTurns, summary));
    };
    let members = || {
        state
            .combatants_of(combat.id)
            .filter_map(|member| state.characters.get(&member.character))
    };
    let rank = |who: &Character| u8::from(state.is_hidden(who.id));
    let names = |all: Vec<&Character>| all.iter().map(|who| who.name.clone()).collect();
    let (code, why, meant): (Code, &str, Vec<String>) =
        match lookup::find_ranked(name, members(), rank) {
            Found::One(who) => {
                let member = state.open_combatant(who.id);
                return Ok(member.map_or(0, |member| member.id));
            }
            Found::Several(fit) => (Code::AmbiguousName, "could mean", names(fit)),
            Found::Nothing => {
                let near = suggest(name, members().map(|who| who.name.as_str()));
                let near = Some(near).filter(|near| !near.is_empty());
                let all = || names(members().collect());
                (
                    Code::UnknownCombatant,
                    "is nobody in this fight; there is",
                    near.unwrap_or_else(all),
                )
            }
        };
    let edge = match turn.edge {
        rollbook_rules::Edge::Start => "start",
        rollbook_rules::Edge::End => "end",
    };
    let summary = format!(
        "\"{}\" in duration {why} {}. Send duration=\"until {edge} of {}'s{} turn\", or that of another.",
        quoted(name),
        listed(meant.iter().map(String::as_str), 300),
        meant.first().map_or("", String::as_str),
        if turn.next { " next" } else { "" }
    );
    Err(Refusal::new(code, summary).did_you_mean(meant))
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

/// When a condition ends, in full: "until the end of Ana's turn in round 3"; `None`: nothing ends it
/// by itself. A turn of a combatant whom players do not see is not named.
pub fn end_words(state: &State, system: &System, row: &Condition) -> Option<String> {
    let Some(lasts) = &row.lasts else {
        let until = ending(system, row).filter(|until| *until != Until::Removed);
        return until.map(|until| until.render());
    };
    let turn = || {
        let member = state.combatants.get(&lasts.anchor)?;
        let who = state.characters.get(&member.character)?;
        let combat = state.combats.get(&member.combat)?;
        let round = combat.round.max(1);
        // Rounds are counted at the first turn of a round, turns at each.
        let further = u32::try_from(member.extra.len()).unwrap_or(u32::MAX);
        let (a_round, again) = match lasts.unit {
            Unit::Rounds => (1, member.again.min(1)),
            Unit::Turns => (further.saturating_add(1), member.again),
        };
        let goes_on = lasts.at == Edge::End
            && lasts.not_in < round
            && !(lasts.unit == Unit::Rounds && again > 0)
            && (member.waits.is_some()
                || [combat.current, combat.interrupted].contains(&Some(member.id)));
        let now = match () {
            () if member.from_round > round => 0,
            () if member.acted_round < round => a_round,
            () => a_round.saturating_sub(again.saturating_add(1)) + u32::from(goes_on),
        };
        let last = match lasts.left.checked_sub(now.saturating_add(1)) {
            Some(more) => member.from_round.max(round.saturating_add(1)) + more / a_round.max(1),
            None => round,
        };
        if !has_turns(system, combat) {
            return Some(format!("until the end of round {last}"));
        }
        let at = lasts.at.as_str();
        (!state.is_hidden(who.id))
            .then(|| format!("until the {at} of {}'s turn in round {last}", who.name))
    };
    Some(turn().unwrap_or_else(|| lasts.render()))
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
    let of_source = counted.turn.is_some_and(|turn| turn.of_source);
    let source = cause.or(combat.current).filter(|_| of_source);
    let anchor = match counted.anchor.or(source) {
        Some(anchor) => anchor,
        None => state.open_combatant(bearer)?.id,
    };
    let at = match counted.turn.map(|turn| turn.edge) {
        Some(rollbook_rules::Edge::Start) => Edge::Start,
        Some(rollbook_rules::Edge::End) | None => Edge::End,
    };
    // A round is a whole one, and the next turn is not the one in which it begins.
    let next = counted.unit == Unit::Rounds || counted.turn.is_some_and(|turn| turn.next);
    let begins_in = next && at == Edge::End && combat.current == Some(anchor);
    Some(TurnsLeft {
        left: counted.left,
        unit: counted.unit,
        anchor,
        at,
        not_in: if begins_in { combat.round } else { 0 },
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
        let counted = |left, unit, turn| {
            ConditionDuration::Counted(TurnCount {
                left,
                unit,
                turn,
                anchor: None,
            })
        };
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
            ("3 days", ConditionDuration::For(259_200)),
            ("1 hour and 30 minutes", ConditionDuration::For(5400)),
            ("1 round", counted(1, Unit::Rounds, None)),
            ("until end of scene", ConditionDuration::Until(Until::Scene)),
            (
                "until the end of the scene",
                ConditionDuration::Until(Until::Scene),
            ),
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
                ConditionDuration::parse(&State::default(), &system(), words).as_ref(),
                Ok(&expected),
                "{words}"
            );
        }
    }

    #[test]
    fn what_is_no_duration_is_refused_with_every_form() {
        let system = system();
        let wrong = "|3|0 rounds|for 0 rounds|0 hours|for 10001 rounds|for 99999999999999999999 rounds|for -3 rounds|for an hour|for 1d4 rounds|\
                     for 3 rounds or so|scene|a while|until treated|until end of Ogre's|until end of's turn|until Short rest|until end of session";
        for words in wrong.split('|') {
            let refusal =
                ConditionDuration::parse(&State::default(), &system, words).expect_err(words);
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
            let read = ConditionDuration::parse(&State::default(), &system, &form);
            assert!(read.is_ok(), "{form}");
        }
    }
}
