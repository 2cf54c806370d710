//! How long a condition lasts: a number of turns, which a fight counts, or until something happens. A duration that the GM
//! gave to one condition goes before the rules' duration for its name.

use super::time;
use crate::game::record::change::Change;
use crate::game::record::state::{Combat, Condition, Edge, State, TurnsLeft, Unit, Until};
use crate::game::refusal::{Code, Refusal};
use crate::names::{fold, quoted};
use crate::rules::{Anchor, Duration, Structure, System, lasting};

/// The most rounds or turns that a condition may last.
pub const DURATION_MAX: u32 = 10_000;

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
    /// 1 to [`DURATION_MAX`].
    pub left: u32,
    pub unit: Unit,
    /// `None` where the text does not say.
    pub anchor: Option<Anchor>,
    /// The text says "next turn": begun in the turn that would count, it means the one after.
    pub next: bool,
}

impl ConditionDuration {
    /// A duration of the rules; `words` is its text.
    pub fn from_rule(duration: &Duration, words: &str) -> ConditionDuration {
        let counted = |many: i64, unit, anchor| {
            let left = u32::try_from(many).unwrap_or(u32::MAX).clamp(1, DURATION_MAX);
            ConditionDuration::Counted(TurnCount {
                left,
                unit,
                anchor: Some(anchor),
                next: fold(words).contains("next turn"),
            })
        };
        match duration {
            Duration::Rounds(many, anchor) => counted(*many, Unit::Rounds, *anchor),
            Duration::Turns(many, anchor) => counted(*many, Unit::Turns, *anchor),
            Duration::Time(seconds) => ConditionDuration::For(*seconds),
            Duration::Scene => ConditionDuration::Until(Until::Scene),
            Duration::Combat => ConditionDuration::Until(Until::Fight),
            Duration::Check(name, _) => ConditionDuration::Until(Until::Check(name.clone())),
            Duration::NextCheck => ConditionDuration::Until(Until::NextCheck),
            Duration::Rest(name) => ConditionDuration::Until(Until::Rest(name.clone())),
            Duration::Until(words) => ConditionDuration::Until(Until::Words(words.clone())),
        }
    }

    /// Reads a GM's text: "3 rounds", "until the end of its next turn", "scene", "Long rest", "until treated".
    pub fn parse(system: &System, words: &str) -> Result<ConditionDuration, Refusal> {
        // A number alone counts rounds.
        let folded = fold(words);
        let alone = !folded.is_empty() && folded.bytes().all(|byte| byte.is_ascii_digit());
        let text = if alone { format!("{folded} rounds") } else { folded };
        // Folding replaces a minus sign by a space.
        let below_zero = words.trim_start().starts_with(['-', '\u{2212}', '\u{2013}']);
        let read = lasting(&text, system).filter(|read| match read {
            _ if below_zero => false,
            Duration::Rounds(many, _) | Duration::Turns(many, _) => (1..=i64::from(DURATION_MAX)).contains(many),
            _ => true,
        });
        let mut read = ConditionDuration::from_rule(&read.ok_or_else(|| unreadable(system, words))?, &text);
        if let ConditionDuration::Counted(counted) = &mut read {
            let names_edge = text.contains("start of") || text.contains("end of");
            counted.anchor = counted.anchor.filter(|_| names_edge);
            names_whose_turn(&text).map_or(Ok(()), Err)?;
        }
        Ok(read)
    }
}

fn unreadable(system: &System, words: &str) -> Refusal {
    let rests: Vec<String> = system.rests.iter().map(|rest| format!(", \"{}\"", rest.name)).collect();
    let summary = format!(
        "duration \"{}\" cannot be counted. Send \"3 rounds\" or \"1 turn\", 1 to {DURATION_MAX}, \"10 minutes\", \"scene\", \"fight\"{} or \"until …\"; leave it \
         out for what lasts until it is taken away.",
        quoted(words),
        rests.concat()
    );
    Refusal::new(Code::InvalidParameters, summary)
}

/// Refuses text that names whose turn counts: "until the end of Ogre's next turn".
fn names_whose_turn(folded: &str) -> Option<Refusal> {
    const KNOWN: [&str; 12] =
        ["", "the", "its", "his", "her", "their", "your", "bearer's", "target's", "source's", "caster's", "attacker's"];
    let (_, behind) = folded.split_once(" of ")?;
    let whose = behind.split(" turn").next()?.trim_end_matches("next").trim();
    let whose = whose.strip_prefix("the ").unwrap_or(whose);
    if KNOWN.contains(&whose) || whose == "turn" || whose == "next" {
        return None;
    }
    let name = quoted(whose.strip_suffix("'s").unwrap_or(whose));
    let summary = format!(
        "duration cannot say whose turn counts. Send manage_combat action=\"add_effect\" with duration=\"1 turn\", anchor=\"{name}\" and \
         ends=\"start\" or \"end\"."
    );
    Some(Refusal::new(Code::InvalidParameters, summary))
}

/// What ends a condition, other than turns: as the GM set it, else by the rules.
pub fn ending(system: &System, row: &Condition) -> Option<Until> {
    row.until.clone().or_else(|| {
        let rule = system.condition(&row.name)?;
        match ConditionDuration::from_rule(rule.duration.as_ref()?, &rule.about) {
            ConditionDuration::Until(until) => Some(until),
            ConditionDuration::Counted(_) | ConditionDuration::For(_) => None,
        }
    })
}

/// "frightened 2 (3 rounds)", "held (until the end of the scene)". The rules' own duration is not repeated.
pub fn render(row: &Condition) -> String {
    let left = row.lasts.as_ref().map(TurnsLeft::render);
    let lasts = left.or_else(|| row.until.as_ref().map(Until::render));
    format!("{}{}", row.label(), lasts.map_or(String::new(), |lasts| format!(" ({lasts})")))
}

/// The same with its cause, for the GM: "frightened 2 (3 rounds; from Rat)", "cursed (hidden)".
pub fn render_with_cause(row: &Condition) -> String {
    let hidden = row.hidden.then(|| "hidden".to_owned());
    let more: Vec<String> = row.cause.iter().map(|cause| format!("from {cause}")).chain(hidden).collect();
    match (more.is_empty(), render(row).strip_suffix(')')) {
        (true, _) => render(row),
        (false, Some(lasts)) => format!("{lasts}; {})", more.join("; ")),
        (false, None) => format!("{} ({})", row.label(), more.join("; ")),
    }
}

/// The names of the hidden effects that begin or end in these changes, as events have them.
pub fn hidden_names(changes: &[Change]) -> Vec<String> {
    let rows = changes.iter().filter(|change| change.is_of_hidden()).flat_map(|change| match change {
        Change::Condition(images) => images.before.iter().chain(&images.after).collect(),
        _ => Vec::new(),
    });
    rows.flat_map(|row: &Condition| [row.name.clone(), row.label(), render(row)]).collect()
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
    let cause = row.caused_by.and_then(|cause| state.open_combatant(cause)).map(|own| own.id);
    let Some(rule) = system.condition(&row.name) else { return row };
    match rule.duration.as_ref().map(|own| ConditionDuration::from_rule(own, &rule.about)) {
        Some(ConditionDuration::Until(_)) | None => row,
        Some(declared) => counted_down(state, system, row, (declared, cause)),
    }
}

/// With a duration of a rule that is about this time alone.
pub fn with_duration(state: &State, system: &System, row: Condition, lasts: &Duration) -> Condition {
    let words = lasts.describe();
    counted_down(state, system, row, (ConditionDuration::from_rule(lasts, &words), None))
}

fn counted_down(
    state: &State,
    system: &System,
    row: Condition,
    (duration, cause): (ConditionDuration, Option<i64>),
) -> Condition {
    match duration {
        ConditionDuration::For(seconds) => Condition { until: Some(end_of(state, system, seconds)), ..row },
        ConditionDuration::Counted(counted) => {
            let lasts = start_counting(state, &counted, row.character, cause);
            let until = lasts.is_none().then(|| end_of_rounds(state, system, &counted)).flatten();
            Condition { lasts, until, ..row }
        }
        ConditionDuration::Until(until) => Condition { until: Some(until), ..row },
    }
}

/// The end of what lasts so many seconds from now on.
pub fn end_of(state: &State, system: &System, seconds: i64) -> Until {
    Until::Time(time::now(state, system).saturating_add(seconds))
}

/// The end of turns that no fight counts, where the rules say how long a round is.
pub fn end_of_rounds(state: &State, system: &System, counted: &TurnCount) -> Option<Until> {
    Some(end_of(state, system, time::rounds(system, counted.left)?))
}

/// The number of turns that the rules declare for a condition of that name.
pub fn declared_turns(system: &System, name: &str) -> Option<TurnCount> {
    let rule = system.condition(name)?;
    match ConditionDuration::from_rule(rule.duration.as_ref()?, &rule.about) {
        ConditionDuration::Counted(counted) => Some(counted),
        ConditionDuration::For(_) | ConditionDuration::Until(_) => None,
    }
}

/// The time of the game that the rules declare for a condition of that name, in seconds.
pub fn declared_time(system: &System, name: &str) -> Option<i64> {
    let rule = system.condition(name)?;
    match ConditionDuration::from_rule(rule.duration.as_ref()?, &rule.about) {
        ConditionDuration::For(seconds) => Some(seconds),
        ConditionDuration::Counted(_) | ConditionDuration::Until(_) => None,
    }
}

/// Starts counting turns for a combatant of the open fight; `None` outside a fight. `cause` is a combatant; without one,
/// the combatant whose turn it is.
pub fn start_counting(state: &State, counted: &TurnCount, bearer: i64, cause: Option<i64>) -> Option<TurnsLeft> {
    let combat = state.open_combat()?;
    let own = state.combatants_of(combat.id).find(|combatant| combatant.character == bearer)?.id;
    let source = cause.or(combat.current).unwrap_or(own);
    let (anchor, at) = match counted.anchor.unwrap_or_default() {
        Anchor::BearerStart => (own, Edge::Start),
        Anchor::BearerEnd => (own, Edge::End),
        Anchor::SourceStart => (source, Edge::Start),
        Anchor::SourceEnd => (source, Edge::End),
    };
    // "Until the end of your next turn", begun in one's own turn, means the turn after it.
    let next = counted.next && at == Edge::End && combat.current == Some(anchor);
    Some(TurnsLeft { left: counted.left.saturating_add(u32::from(next)), unit: counted.unit, anchor, at })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::SourceFile;

    fn system() -> System {
        let text = "# T\n\n## Attributes\n\n- Will (1-6)\n\n## Health\n\n- Hit points: max 10\n- Damage: Hit points\n- Long rest: Hit points to max\n";
        crate::rules::read(vec![SourceFile::new("System.md", text)]).system
    }

    #[test]
    fn what_a_gm_says_is_read_in_every_way_it_is_said() {
        let counted = |left, unit, anchor, next| ConditionDuration::Counted(TurnCount { left, unit, anchor, next });
        let cases = [
            ("3 rounds", counted(3, Unit::Rounds, None, false)),
            ("3", counted(3, Unit::Rounds, None, false)),
            ("for 1 turn", counted(1, Unit::Turns, None, false)),
            ("until the end of its next turn", counted(1, Unit::Turns, Some(Anchor::BearerEnd), true)),
            ("until the start of the source's turn", counted(1, Unit::Turns, Some(Anchor::SourceStart), false)),
            ("3 days", ConditionDuration::For(259_200)),
            ("for an hour", ConditionDuration::For(3600)),
            ("scene", ConditionDuration::Until(Until::Scene)),
            ("until the end of the scene", ConditionDuration::Until(Until::Scene)),
            ("the fight", ConditionDuration::Until(Until::Fight)),
            ("Long Rest", ConditionDuration::Until(Until::Rest("Long rest".into()))),
            ("until a long rest", ConditionDuration::Until(Until::Rest("Long rest".into()))),
            ("until a Will check succeeds", ConditionDuration::Until(Until::Check("Will".into()))),
            ("until the next check", ConditionDuration::Until(Until::NextCheck)),
            ("your next roll", ConditionDuration::Until(Until::NextCheck)),
            ("until treated", ConditionDuration::Until(Until::Words("treated".into()))),
        ];
        for (words, expected) in cases {
            assert_eq!(ConditionDuration::parse(&system(), words).as_ref(), Ok(&expected), "{words}");
        }
    }

    #[test]
    fn what_cannot_be_counted_is_refused_with_what_can() {
        for words in ["", "0 rounds", "10001 rounds", "99999999999999999999", "-3 rounds", "-3 days", "a while"] {
            let refusal = ConditionDuration::parse(&system(), words).expect_err(words);
            assert!(refusal.summary.contains("\"scene\", \"fight\", \"Long rest\""), "{words}: {}", refusal.summary);
        }
        let refusal = ConditionDuration::parse(&system(), "until the end of Ogre's next turn").expect_err("somebody's");
        assert!(refusal.summary.contains("anchor=\"ogre\""), "{}", refusal.summary);
    }
}
