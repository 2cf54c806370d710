//! What an audience may know of an entry: the one place of the report that reads bodies.
//!
//! Players may know the figures of an entry that they read whole; of any other only what was frozen
//! for them: a name or number of its body only where the frozen sentence has it.

use std::fmt;

use crate::export::lines::Line;
use rollbook_game::record::change::{Change, Images};
use rollbook_game::record::entry::{Entry, RollRecord, Visibility};
use rollbook_game::record::event::{
    Act, CharacterCreated, CharacterUpdated, CheckEvent, CombatEnded, CombatStarted,
    CombatantEvent, CombatantJoined, DamageEvent, Event, Health, Items, LevelUp, Phrasing, RULING,
    RollEvent, RollSet, RoundBegan, RulesLoaded, STATED, SessionStarted, Subject, TurnBegan,
    TurnTakenBack,
};
use rollbook_game::record::purpose::OPPOSED;
use rollbook_game::record::state::{DEAD, NoteKind, Track};
use rollbook_game::view::Audience;
use rollbook_game::view::number::Numbers;
use rollbook_rules::Outcome;
use rollbook_text::names::same;

#[derive(Debug)]
pub struct Fact {
    /// The numbers that the audience knows it by.
    pub number: Numbers,
    /// Its number in the log, by which others refer to it. Players are never shown it.
    pub seq: u64,
    /// Microseconds since 1970-01-01T00:00:00Z.
    pub at: i64,
    pub session: u32,
    pub visibility: Visibility,
    pub actor: String,
    pub text: String,
    pub rolls: Vec<RollRecord>,
    pub moved: Vec<Moved>,
    /// Damage that comes after it in the same call may be of a roll before it.
    pub passes: bool,
    /// Its audience, the players, may not know all that the GM's figures take from it.
    pub partial: bool,
    pub what: What,
}

#[derive(Debug, Clone)]
pub struct Moved {
    pub character: i64,
    pub track: String,
    pub before: Option<Points>,
    pub after: Option<Points>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Points {
    pub value: i64,
    pub max: Option<i64>,
}

impl Points {
    fn of(track: &Track) -> Points {
        Points {
            value: track.value,
            max: track.max,
        }
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.max {
            Some(max) => write!(f, "{}/{max}", self.value),
            None => write!(f, "{}", self.value),
        }
    }
}

#[derive(Debug)]
pub enum What {
    SessionStarted {
        number: u32,
        title: Option<String>,
    },
    SessionEnded,
    // Part of the story, and of nothing else.
    Story(Story),
    Check(Tried),
    // `check`: the number of the check it follows; `deals`: damage in the same call may be of it.
    Roll {
        check: Option<u64>,
        deals: bool,
        table: bool,
    },
    Harm(Harm),
    FightBegan {
        title: Option<String>,
        members: Vec<Subject>,
    },
    Joined {
        who: Subject,
        typed: bool,
    },
    Turn {
        round: u32,
    },
    FightEnded {
        outcome: Option<String>,
    },
    Act {
        typed: bool,
    },
    // `in_part`: players had seen a part, which no entry says: the reader of the log puts it here.
    Revealed {
        rolled: bool,
        in_part: bool,
    },
    // Dice fall, or something happens, that players may know nothing of.
    Behind,
    Undone {
        first: u64,
        last: u64,
    },
    // A character's sheet was changed; beyond the rules, as far as may be known; by a level.
    Sheet {
        overridden: bool,
        level: bool,
    },
    /// A person has another name from here on.
    Renamed {
        before: String,
        after: String,
    },
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Story {
    Note(NoteKind),
    Award,
    /// A rest, a character who leaves.
    Life,
    Clock,
    /// The campaign or its log itself.
    Record,
}

#[derive(Debug, Clone, Default)]
pub struct Tried {
    /// The rule, which decides whether high or low is good.
    pub rule: String,
    /// What was tried: the skill, the attribute, the attack, or the rule's name.
    pub skill: String,
    pub target: Option<i64>,
    pub margin: Option<i64>,
    pub successes: Option<i64>,
    pub outcome: Option<Outcome>,
    pub contest: bool,
    /// It follows an earlier roll and keeps some of its dice.
    pub again: bool,
    /// Its call sets a rule aside, with a reason.
    pub overridden: bool,
}

impl Tried {
    /// Whether it worked, as the rules say; without an outcome, as the numbers do.
    pub fn worked(&self) -> Option<bool> {
        self.outcome
            .map(Outcome::is_success)
            .or(self.margin.map(|margin| margin >= 0))
    }
}

#[derive(Debug, Clone)]
pub struct Harm {
    pub target: Subject,
    /// As applied, below 0 for healing, 0 for no change; `None` where the figures are secret.
    pub amount: Option<i64>,
    pub heals: bool,
    pub idle: bool,
    /// Neither damage nor healing.
    pub aside: bool,
    pub track: Option<String>,
    pub health: Option<Health>,
    pub died: bool,
    pub roll: Source,
    /// Who struck, where no roll says it.
    pub by: Option<String>,
    pub departs: Departs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The body says which, as a number in the log, or that there was none.
    Named(Option<u64>),
    /// The audience has no body of it: it is the roll of a check seen in the same call, if any.
    SameCall,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Departs {
    pub amount: bool,
    /// The roll was used on the same target before.
    pub again: bool,
    pub like_check: bool,
    pub unrolled: bool,
}

impl Fact {
    /// What the audience may know of a line of the log; `None` where that is nothing.
    pub fn of(mut line: Line, audience: Audience) -> Option<Fact> {
        let number = match audience {
            Audience::Gm => Numbers::Gm(line.row.seq, line.players_n),
            Audience::Player => Numbers::Players(line.n?),
        };
        let seen = line.take_seen(audience)?;
        let page = Frozen {
            text: &seen.text,
            whole: line.complete,
            copied: line.whole,
            visibility: seen.visibility,
        };
        let passes = matches!(
            seen.kind.as_str(),
            "check" | "damage" | "effects" | "combatant"
        );
        let what = what(&line.entry, &page, &seen.rolls);
        let by_body = matches!(
            line.entry.event,
            Event::Damage(_)
                | Event::Roll(_)
                | Event::RollSet(_)
                | Event::CombatantJoined(_)
                | Event::Combatant(_)
        );
        let partial = audience == Audience::Player && !(line.complete && (line.whole || !by_body));
        // A sentence with the figures of damage has them of every track.
        let figures = matches!(&line.entry.event, Event::Damage(damage) if damage.open);
        let moved = match line.complete || figures {
            true => moved(&line.entry).collect(),
            false => moved(&line.entry)
                .filter(|track| page.says_moved(track))
                .collect(),
        };
        Some(Fact {
            number,
            seq: line.row.seq,
            at: seen.at,
            session: seen.session,
            visibility: seen.visibility,
            actor: seen.actor.unwrap_or_default(),
            text: seen.text,
            rolls: seen
                .rolls
                .into_iter()
                .filter(|record| line.complete || record.purpose != OPPOSED)
                .collect(),
            moved,
            passes,
            partial,
            what,
        })
    }
}

impl Fact {
    /// Whether players see less of it than the GM: that something was there, or not even that.
    pub fn is_hidden(&self) -> bool {
        matches!(self.visibility, Visibility::Gm | Visibility::Blind)
            && !matches!(self.what, What::Behind)
    }
}

struct Frozen<'a> {
    text: &'a str,
    whole: bool,
    copied: bool,
    visibility: Visibility,
}

impl Frozen<'_> {
    fn says(&self, words: &str) -> bool {
        self.whole || self.text.contains(words)
    }

    /// Whether it tells these figures of a track.
    fn says_moved(&self, moved: &Moved) -> bool {
        let (Some(before), Some(after)) = (moved.before, moved.after) else {
            return false;
        };
        // Damage leaves out the maximum before; a level, which may change it, does not.
        let sentences = [
            format!("{} {} to {after}", moved.track, before.value),
            format!("{} {before} to {after}", moved.track),
        ];
        sentences.iter().any(|words| self.text.contains(words))
    }
}

fn moved(entry: &Entry) -> impl Iterator<Item = Moved> {
    entry.changes.iter().filter_map(|change| {
        let Change::Track(Images { before, after }) = change else {
            return None;
        };
        let row = after.as_ref().or(before.as_ref())?;
        Some(Moved {
            character: row.character,
            track: row.name.clone(),
            before: before.as_ref().map(Points::of),
            after: after.as_ref().map(Points::of),
        })
    })
}

fn what(entry: &Entry, page: &Frozen<'_>, rolls: &[RollRecord]) -> What {
    if page.visibility == Visibility::Blind && !page.whole {
        return What::Behind;
    }
    let titled = |title: &Option<String>| title.clone().filter(|title| page.says(title));
    match &entry.event {
        Event::SessionStarted(SessionStarted { number, title }) => What::SessionStarted {
            number: *number,
            title: titled(title),
        },
        Event::SessionEnded(_) => What::SessionEnded,
        Event::Note(note) => What::Story(Story::Note(note.note)),
        Event::Awarded(_) | Event::Items(Items { awarded: true, .. }) => What::Story(Story::Award),
        Event::Retired(_) | Event::Rested(_) => What::Story(Story::Life),
        Event::Clock(_) | Event::Time(_) => What::Story(Story::Clock),
        Event::RulesLoaded(RulesLoaded {
            changed: Some(_), ..
        }) => What::Story(Story::Record),
        Event::LossAccepted(_)
        | Event::Deck(_)
        | Event::Restored(_)
        | Event::Continued(_)
        | Event::CampaignCreated(_)
        | Event::CampaignRenamed(_) => What::Story(Story::Record),
        Event::Revealed(event) => {
            let rolled = event
                .opened()
                .is_some_and(|opened| !opened.rolls.is_empty());
            What::Revealed {
                rolled,
                in_part: false,
            }
        }
        Event::Check(check) => What::Check(tried(check, page)),
        Event::Roll(RollEvent { check, deals, .. }) => rolled(*check, *deals, page),
        Event::RollSet(RollSet { check, .. }) => rolled(*check, false, page),
        Event::TableRoll(_) => What::Roll {
            check: None,
            deals: false,
            table: true,
        },
        Event::Damage(damage) => harm(damage, entry, page).map_or(What::Other, What::Harm),
        Event::CombatStarted(CombatStarted { title, members, .. }) => {
            let members = members
                .iter()
                .filter(|member| page.says(&member.name))
                .cloned()
                .collect();
            What::FightBegan {
                title: titled(title),
                members,
            }
        }
        Event::CombatantJoined(CombatantJoined {
            subject,
            initiative,
            card,
            ..
        }) if page.says(&format!("{} ", subject.name)) => {
            let typed = page.copied && initiative.is_some() && card.is_none() && rolls.is_empty();
            What::Joined {
                who: subject.clone(),
                typed,
            }
        }
        Event::TurnBegan(TurnBegan { round, .. })
        | Event::RoundBegan(RoundBegan { round, .. })
        | Event::TurnTakenBack(TurnTakenBack { round, .. })
            if page.says(&format!("Round {round}")) =>
        {
            What::Turn { round: *round }
        }
        Event::CombatEnded(CombatEnded { outcome, .. }) => What::FightEnded {
            outcome: titled(outcome),
        },
        Event::Combatant(CombatantEvent { act, .. }) => What::Act {
            typed: page.copied && matches!(act, Act::InitiativeSet { .. }),
        },
        Event::CombatantJoined(_)
        | Event::TurnBegan(_)
        | Event::RoundBegan(_)
        | Event::TurnTakenBack(_)
        | Event::StructureChanged(_)
        | Event::Effects(_) => What::Act { typed: false },
        Event::Undone(event) => What::Undone {
            first: event.entry,
            last: event.last,
        },
        Event::CharacterUpdated(updated)
            if let Some((before, after)) = updated.renamed()
                && page.says(before)
                && page.says(after) =>
        {
            What::Renamed {
                before: before.to_owned(),
                after: after.to_owned(),
            }
        }
        Event::CharacterCreated(CharacterCreated {
            override_reason, ..
        })
        | Event::CharacterUpdated(CharacterUpdated {
            override_reason, ..
        })
        | Event::LevelUp(LevelUp {
            override_reason, ..
        }) => What::Sheet {
            overridden: override_reason.is_some() && page.says(RULING),
            level: matches!(entry.event, Event::LevelUp(_)),
        },
        _ => What::Other,
    }
}

fn tried(check: &CheckEvent, page: &Frozen<'_>) -> Tried {
    let skill = match page.visibility {
        // Of the outcome alone no attribute and no attack is told.
        Visibility::OutcomeOnly if !page.whole => check.skill.as_deref().unwrap_or(&check.check),
        Visibility::Public | Visibility::OutcomeOnly | Visibility::Blind | Visibility::Gm => {
            check.what()
        }
    };
    let open = page.whole
        || (page.visibility == Visibility::Public
            && !check.target_hidden
            && check.opposed.is_none()
            && check
                .target
                .is_some_and(|target| page.says(&format!(" against {target}"))));
    Tried {
        rule: ruled(check),
        skill: skill.to_owned(),
        target: check.target.filter(|_| open),
        margin: check.margin.filter(|_| open),
        successes: check.successes.filter(|_| open),
        outcome: check.outcome,
        contest: check.opposed.is_some(),
        again: check.again.is_some(),
        overridden: check.override_reason().is_some() && page.says(RULING),
    }
}

/// The rule of a check by its name; of one that its call states which way is good belongs to it.
fn ruled(check: &CheckEvent) -> String {
    match &check.stated {
        Some(stated) => format!(
            "{}{STATED}{}",
            check.check,
            if stated.or_less { ", or less" } else { "" }
        ),
        None => check.check.clone(),
    }
}

fn rolled(check: Option<u64>, deals: bool, page: &Frozen<'_>) -> What {
    let check = check.filter(|_| page.copied);
    What::Roll {
        check,
        deals: page.copied && deals || check.is_some(),
        table: false,
    }
}

fn harm(damage: &DamageEvent, entry: &Entry, page: &Frozen<'_>) -> Option<Harm> {
    let target = Some(&damage.subject)
        .filter(|subject| page.says(&subject.name))?
        .clone();
    let by = damage
        .by
        .as_ref()
        .map(|by| &by.name)
        .filter(|name| page.says(&format!(" from {name}")));
    let health = damage
        .health
        .filter(|health| page.whole || page.text.contains(&format!(" and is {}", health.as_str())));
    // No figures are given of secrets, nor of what holds only a secret cause.
    let figures = page.whole || damage.open;
    Some(Harm {
        amount: figures.then(|| applied(damage, entry)),
        heals: damage.amount < 0,
        // Players are told it of a foe too, without figures.
        idle: damage.amount == 0
            || (damage.told == Some(Phrasing::Idle) && page.says(" changes nothing for ")),
        aside: damage.aside || damage.told.is_some_and(|told| told != Phrasing::Idle),
        track: damage.track.clone().filter(|_| figures),
        health: health.filter(|_| !damage.aside),
        died: damage.gained.iter().any(|name| same(name, DEAD)) && page.says(DEAD),
        roll: if page.copied {
            Source::Named(damage.roll)
        } else {
            Source::SameCall
        },
        by: by.cloned(),
        departs: departs(damage, page),
        target,
    })
}

/// What its tracks lost, below 0 what they gained: as `applied` in the SQL view of damage.
fn applied(damage: &DamageEvent, entry: &Entry) -> i64 {
    let lost = moved(entry).filter(|lost| damage.steps.iter().any(|step| step.step == lost.track));
    let steps = lost.filter_map(|lost| {
        Some(
            lost.after?
                .value
                .saturating_sub(lost.before?.value)
                .saturating_abs(),
        )
    });
    let points = steps.fold(0_i64, i64::saturating_add);
    if damage.amount < 0 {
        points.saturating_neg()
    } else {
        points
    }
}

/// The players' sentence says of each that it is so, in these words; see `game::record::event`.
fn departs(damage: &DamageEvent, page: &Frozen<'_>) -> Departs {
    let unrolled =
        page.copied && damage.roll.is_none() && damage.amount > 0 && damage.told.is_none();
    let Some(note) = &damage.roll_note else {
        return Departs {
            unrolled,
            ..Departs::default()
        };
    };
    let has = |words: &str| page.text.contains(words);
    Departs {
        amount: (!note.rolled.is_empty()
            && (has(" instead of ") || has("not the amount that was rolled")))
            || (note.changed_unseen && has("not the amount that was rolled")),
        again: note.before.is_some() && has(" used on "),
        like_check: note.like_check && has("the dice of a check"),
        unrolled,
    }
}
