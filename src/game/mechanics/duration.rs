//! How long a condition lasts: so many turns, which a fight counts, or until something happens.
//! What the GM said of the one condition goes before what the rules say of all of its name.

use crate::game::record::state::{Condition, Edge, Lasts, State, Unit, Until};
use crate::game::refusal::{Code, Refusal};
use crate::names::{fold, quoted};
use crate::rules::{Anchor, Duration, InitiativeKind, System, lasting};

/// Rounds or turns that a condition may last.
pub const LASTS_MAX: u32 = 10_000;

/// How long, before it is known whose turns count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lasting {
    Counted(Counted),
    Until(Until),
}

/// So many turns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counted {
    /// 1 to [`LASTS_MAX`].
    pub left: u32,
    pub unit: Unit,
    /// `None` where it is not said.
    pub anchor: Option<Anchor>,
    /// Begun in the turn that would count, it means the next one.
    pub next: bool,
}

impl Lasting {
    /// A duration of the rules, in these words.
    pub fn of(duration: &Duration, words: &str) -> Lasting {
        let counted = |many: i64, unit, anchor| {
            let left = u32::try_from(many).unwrap_or(u32::MAX).clamp(1, LASTS_MAX);
            Lasting::Counted(Counted { left, unit, anchor: Some(anchor), next: fold(words).contains("next turn") })
        };
        match duration {
            Duration::Rounds(many, anchor) => counted(*many, Unit::Rounds, *anchor),
            Duration::Turns(many, anchor) => counted(*many, Unit::Turns, *anchor),
            Duration::Scene => Lasting::Until(Until::Scene),
            Duration::Combat => Lasting::Until(Until::Fight),
            Duration::Check(name, _) => Lasting::Until(Until::Check(name.clone())),
            Duration::Rest(name) => Lasting::Until(Until::Rest(name.clone())),
            Duration::Until(words) => Lasting::Until(Until::Words(words.clone())),
        }
    }

    /// In the GM's words: "3 rounds", "until the end of its next turn", "scene", "Long rest", "until treated".
    pub fn given(system: &System, words: &str) -> Result<Lasting, Refusal> {
        // A number alone counts rounds.
        let folded = fold(words);
        let alone = !folded.is_empty() && folded.bytes().all(|byte| byte.is_ascii_digit());
        let text = if alone { format!("{folded} rounds") } else { folded };
        // Folding makes a minus a gap.
        let below_zero = words.trim_start().starts_with(['-', '\u{2212}', '\u{2013}']);
        let read = lasting(&text, system).filter(|read| match read {
            _ if below_zero => false,
            Duration::Rounds(many, _) | Duration::Turns(many, _) => (1..=i64::from(LASTS_MAX)).contains(many),
            _ => true,
        });
        let mut read = Lasting::of(&read.ok_or_else(|| unreadable(system, words))?, &text);
        if let Lasting::Counted(counted) = &mut read {
            let said = text.contains("start of") || text.contains("end of");
            counted.anchor = counted.anchor.filter(|_| said);
            somebody_elses(&text).map_or(Ok(()), Err)?;
        }
        Ok(read)
    }
}

fn unreadable(system: &System, words: &str) -> Refusal {
    let rests: Vec<String> = system.rests.iter().map(|rest| format!(", \"{}\"", rest.name)).collect();
    let summary = format!(
        "duration \"{}\" cannot be counted. Send \"3 rounds\" or \"1 turn\", 1 to {LASTS_MAX}, \"scene\", \"fight\"{} or \"until …\"; leave it \
         out for what lasts until it is taken away.",
        quoted(words),
        rests.concat()
    );
    Refusal::new(Code::InvalidParameters, summary)
}

/// A refusal where the words name whose turn counts: "until the end of Ogre's next turn".
fn somebody_elses(folded: &str) -> Option<Refusal> {
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

/// What ends a condition, other than turns: as the GM said, else as the rules do.
pub fn until(system: &System, row: &Condition) -> Option<Until> {
    row.until.clone().or_else(|| {
        let rule = system.condition(&row.name)?;
        match Lasting::of(rule.duration.as_ref()?, &rule.about) {
            Lasting::Until(until) => Some(until),
            Lasting::Counted(_) => None,
        }
    })
}

/// "frightened 2 (3 rounds)", "held (until the end of the scene)"; what the rules say of all of its name goes without saying.
pub fn reading(row: &Condition) -> String {
    let left = row.lasts.as_ref().map(Lasts::reading);
    let lasts = left.or_else(|| row.until.as_ref().map(Until::reading));
    format!("{}{}", row.label(), lasts.map_or(String::new(), |lasts| format!(" ({lasts})")))
}

/// The same for the GM, with where it comes from: "frightened 2 (3 rounds; from Rat)".
pub fn reading_in_full(row: &Condition) -> String {
    let Some(cause) = &row.cause else { return reading(row) };
    match reading(row).strip_suffix(')') {
        Some(lasts) => format!("{lasts}; from {cause})"),
        None => format!("{} (from {cause})", row.label()),
    }
}

/// Whether the rules know turns at all.
pub fn has_turns(system: &System) -> bool {
    !matches!(system.initiative.kind, InitiativeKind::None)
}

/// A condition that comes in a fight, with the clock its rule declares, unless the GM said what ends it.
pub fn started(state: &State, system: &System, row: Condition) -> Condition {
    if row.lasts.is_some() || row.until.is_some() {
        return row;
    }
    let cause = row.caused_by.and_then(|cause| state.open_combatant(cause)).map(|own| own.id);
    let lasts = declared(system, &row.name).and_then(|counted| begun(state, system, &counted, row.character, cause));
    Condition { lasts, ..row }
}

/// The turns that the rules count for a condition of that name.
pub fn declared(system: &System, name: &str) -> Option<Counted> {
    let rule = system.condition(name)?;
    match Lasting::of(rule.duration.as_ref()?, &rule.about) {
        Lasting::Counted(counted) => Some(counted),
        Lasting::Until(_) => None,
    }
}

/// A clock that begins now, for somebody who stands in the running fight. `cause` is a combatant; whoever acts is taken for
/// it where nobody is named.
pub fn begun(state: &State, system: &System, counted: &Counted, bearer: i64, cause: Option<i64>) -> Option<Lasts> {
    let combat = state.open_combat().filter(|_| has_turns(system))?;
    let own = state.combatants_of(combat.id).find(|combatant| combatant.character == bearer)?.id;
    let source = cause.or(combat.current).unwrap_or(own);
    let (anchor, at) = match counted.anchor.unwrap_or_default() {
        Anchor::BearerStart => (own, Edge::Start),
        Anchor::BearerEnd => (own, Edge::End),
        Anchor::SourceStart => (source, Edge::Start),
        Anchor::SourceEnd => (source, Edge::End),
    };
    // "Until the end of your next turn", begun in one's own turn, does not mean this one.
    let next = counted.next && at == Edge::End && combat.current == Some(anchor);
    Some(Lasts { left: counted.left.saturating_add(u32::from(next)), unit: counted.unit, anchor, at })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::SourceFile;

    fn system() -> System {
        let text = "# T\n\n## Attributes\n\n- Will: 1-6\n\n## Health\n\n- Hit points: max `10`, from 0\n- Long rest: hit points to max\n";
        crate::rules::read(vec![SourceFile::new("System.md", text)]).system
    }

    #[test]
    fn what_a_gm_says_is_read_in_every_way_it_is_said() {
        let counted = |left, unit, anchor, next| Lasting::Counted(Counted { left, unit, anchor, next });
        let cases = [
            ("3 rounds", counted(3, Unit::Rounds, None, false)),
            ("3", counted(3, Unit::Rounds, None, false)),
            ("for 1 turn", counted(1, Unit::Turns, None, false)),
            ("until the end of its next turn", counted(1, Unit::Turns, Some(Anchor::BearerEnd), true)),
            ("until the start of the source's turn", counted(1, Unit::Turns, Some(Anchor::SourceStart), false)),
            ("scene", Lasting::Until(Until::Scene)),
            ("until the end of the scene", Lasting::Until(Until::Scene)),
            ("the fight", Lasting::Until(Until::Fight)),
            ("Long Rest", Lasting::Until(Until::Rest("Long rest".into()))),
            ("until a long rest", Lasting::Until(Until::Rest("Long rest".into()))),
            ("until a Will check succeeds", Lasting::Until(Until::Check("Will".into()))),
            ("until treated", Lasting::Until(Until::Words("treated".into()))),
        ];
        for (words, lasting) in cases {
            assert_eq!(Lasting::given(&system(), words).as_ref(), Ok(&lasting), "{words}");
        }
    }

    #[test]
    fn what_cannot_be_counted_is_refused_with_what_can() {
        for words in ["", "0 rounds", "10001 rounds", "99999999999999999999", "-3 rounds", "a while", "3 days"] {
            let refusal = Lasting::given(&system(), words).expect_err(words);
            assert!(refusal.summary.contains("\"scene\", \"fight\", \"Long rest\""), "{words}: {}", refusal.summary);
        }
        let refusal = Lasting::given(&system(), "until the end of Ogre's next turn").expect_err("somebody's");
        assert!(refusal.summary.contains("anchor=\"ogre\""), "{}", refusal.summary);
    }
}
