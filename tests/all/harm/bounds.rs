//! What the bounds of tracks bring, once a crossing, and take away again; and what names in the
//! rules are worth, worked out once more.

use rollbook_dice::Fraction;
use rollbook_game::record::entry::Entry;
use rollbook_game::record::event::{Event, Rested};
use rollbook_game::record::state::{Condition, DEAD, Kind, State, Track};
use rollbook_rules::grammar::tree::{Function, Op};
use rollbook_rules::{Attribute, Effect, Expr, Range, System, Trigger, TriggerWhen, When};
use rollbook_text::names::same;

/// Conditions that the program has of itself.
const KNOWN: [&str; 5] = ["unconscious", "dying", "stable", "dead", "incapacitated"];

/// Every track lies within its bounds.
pub fn tracks_hold(state: &State) {
    for track in state.tracks.values() {
        assert!(
            track.min <= track.value && track.max.is_none_or(|max| track.value <= max),
            "{track:?}"
        );
    }
    for clock in state.clocks.values() {
        assert!(
            clock.min <= clock.value && clock.max.is_none_or(|max| clock.value <= max),
            "{clock:?}"
        );
    }
}

/// A character's numbers at some moment.
#[derive(Clone, Copy)]
pub struct Sheet<'s> {
    pub system: &'s System,
    pub state: &'s State,
    pub id: i64,
    /// What `{hit}` is worth.
    pub hit: Option<i64>,
}

impl<'s> Sheet<'s> {
    pub fn of(system: &'s System, state: &'s State, id: i64) -> Sheet<'s> {
        Sheet {
            system,
            state,
            id,
            hit: None,
        }
    }

    pub fn track(self, name: &str) -> Option<&'s Track> {
        self.state
            .tracks_of(self.id)
            .find(|track| same(&track.name, name))
    }

    pub fn condition(self, name: &str) -> Option<&'s Condition> {
        self.state
            .conditions_of(self.id)
            .find(|condition| same(&condition.name, name))
    }

    /// What a name in the rules is worth.
    pub fn value(self, name: &str) -> Option<i64> {
        let who = self.state.characters.get(&self.id)?;
        let is = |attribute: &&Attribute| {
            same(&attribute.name, name)
                || attribute.abbr.as_ref().is_some_and(|abbr| same(abbr, name))
        };
        if let Some(hit) = self.hit.filter(|_| same(name, "hit")) {
            return Some(hit);
        }
        if same(name, "level") {
            return Some(who.level);
        }
        if let Some(attribute) = self.system.attributes.iter().find(is) {
            assert_eq!(attribute.modifier.from, None, "{name} is worth its score");
            let is_taken = self.system.damaged_scores.contains(&attribute.name);
            let left = self
                .track(&attribute.name)
                .filter(|_| is_taken)
                .map(|track| track.value);
            let made = || who.attributes.get(&attribute.name).copied();
            // Foes have no scores but those that are given.
            return left.or_else(made).or((who.kind == Kind::Npc).then_some(0));
        }
        if let Some(rank) = who.skills.iter().find(|(rank, _)| same(rank, name)) {
            return Some(*rank.1);
        }
        if let Some(skill) = self
            .system
            .skills
            .iter()
            .find(|skill| same(&skill.name, name))
        {
            return match &skill.base {
                None => Some(0),
                Some(base) => base
                    .formula()
                    .bind(&mut |name| self.value(name))
                    .ok()?
                    .constant(),
            };
        }
        if let Some(track) = self.track(name) {
            return Some(track.value);
        }
        if let Some(track) = name.strip_suffix(" max").and_then(|bare| self.track(bare)) {
            return track.max;
        }
        let declared = self
            .system
            .conditions
            .iter()
            .map(|condition| condition.name.as_str());
        let is_known = declared.chain(KNOWN).any(|known| same(known, name));
        let level = self
            .condition(name)
            .map_or(0, |condition| condition.level.unwrap_or(1));
        is_known.then_some(level)
    }

    /// What an expression comes to; `None` where something that it names is not on the sheet.
    pub fn worth(self, expression: &Expr) -> Option<Fraction> {
        let truth = |is: bool| Some(Fraction::int(i64::from(is)));
        let is = |number: Fraction| number != Fraction::ZERO;
        match expression {
            Expr::Number(number) => Some(Fraction::int(*number)),
            Expr::Ref(name) => self
                .value(&name.lookup_name())
                .or(name.default)
                .map(Fraction::int),
            Expr::Minus(inner) => self.worth(inner).map(Fraction::negative),
            Expr::Not(inner) => truth(!is(self.worth(inner)?)),
            Expr::Binary(left, op, right) => {
                let (left, right) = (self.worth(left)?, self.worth(right)?);
                let order = left.compare(right)?;
                match op {
                    Op::Add => left.plus(right),
                    Op::Subtract => left.plus(right.negative()),
                    Op::Multiply => left.multiply(right),
                    Op::Divide => left.divide(right),
                    Op::Equal => truth(order.is_eq()),
                    Op::Unequal => truth(order.is_ne()),
                    Op::Less => truth(order.is_lt()),
                    Op::AtMost => truth(order.is_le()),
                    Op::More => truth(order.is_gt()),
                    Op::AtLeast => truth(order.is_ge()),
                    Op::And => truth(is(left) && is(right)),
                    Op::Or => truth(is(left) || is(right)),
                }
            }
            Expr::Call(Function::Floor, all) => Some(self.worth(all.first()?)?.floor()),
            Expr::Call(Function::If, all) => match all.as_slice() {
                [when, yes, no] => self.worth(if is(self.worth(when)?) { yes } else { no }),
                other => panic!("if takes three numbers, not {other:?}"),
            },
            Expr::Call(..) | Expr::Measure(_) | Expr::Dice(_) | Expr::Group(..) => {
                panic!("nobody has said once more what {expression:?} is worth")
            }
        }
    }

    /// Whether a number lies in a range; `None` where something that it names is not on the sheet.
    pub fn lies(self, number: i64, range: &Range) -> Option<bool> {
        self.lies_in(Fraction::int(number), range)
    }

    fn lies_in(self, number: Fraction, range: &Range) -> Option<bool> {
        let order = |bound: &Expr| number.compare(self.worth(bound)?);
        Some(match range {
            Range::Exactly(one) => order(one)?.is_eq(),
            Range::Between(low, high) => order(low)?.is_ge() && order(high)?.is_le(),
            Range::AtLeast(one) => order(one)?.is_ge(),
            Range::AtMost(one) => order(one)?.is_le(),
        })
    }

    /// Whether a condition on the sheet holds.
    pub fn holds(self, when: &When) -> bool {
        let one = |when: &When| match when {
            When::Within(what, Some(range)) => self.lies_in(self.worth(what)?, range),
            When::Within(what, None) => Some(self.worth(what)? != Fraction::ZERO),
            _ => panic!("one comparison: {when:?}"),
        };
        match when {
            When::Otherwise => true,
            When::Within(..) => one(when) == Some(true),
            When::Not(inner) => one(inner) == Some(false),
            When::And(left, right) => self.holds(left) && self.holds(right),
            When::Or(left, right) => self.holds(left) || self.holds(right),
        }
    }

    /// Whether the track is where the trigger waits for it, or what it waits for holds; `None` for
    /// one that waits for a hit, and where the track is not on the sheet.
    fn reached(self, trigger: &Trigger) -> Option<bool> {
        match &trigger.when {
            TriggerWhen::At { track, range } => {
                Some(self.lies(self.track(track)?.value, range) == Some(true))
            }
            TriggerWhen::Holds(when) => Some(self.holds(when)),
            TriggerWhen::Over { .. }
            | TriggerWhen::OneHit(_)
            | TriggerWhen::LeftOver(_)
            | TriggerWhen::DamageAt { .. }
            | TriggerWhen::NotSoaked
            | TriggerWhen::Rest(_)
            | TriggerWhen::EndOf(_)
            | TriggerWhen::Round
            | TriggerWhen::Each(_) => None,
        }
    }
}

/// Whether a name of the rules is for this track: its own name, or that of the marks that it holds.
pub fn names_track(system: &System, name: &str, track: &str) -> bool {
    let mut soaks = system.soaks.iter().filter(|soak| same(&soak.name, name));
    same(name, track) || soaks.any(|soak| soak.marks.iter().any(|mark| same(&mark.track, track)))
}

/// Whether an effect moves this track.
pub fn moves(system: &System, effect: &Effect, track: &str) -> bool {
    effect
        .track()
        .is_some_and(|moved| !effect.shared && names_track(system, moved, track))
}

/// Whether some trigger changes what a trigger watches, so that where it stood in between cannot be
/// seen from outside.
fn is_moved_by_triggers(system: &System, trigger: &Trigger) -> bool {
    let named = match &trigger.when {
        TriggerWhen::At { range, .. } => range.variables(),
        TriggerWhen::Holds(when) => when.variables(),
        _ => Vec::new(),
    };
    let named = named.iter().map(|(name, _)| name.as_ref());
    let watched: Vec<&str> = trigger.track().into_iter().chain(named).collect();
    let changes = |effect: &Effect, name: &str| {
        let mut conditions = [effect.gains(), effect.loses()].into_iter().flatten();
        moves(system, effect, name) || conditions.any(|condition| same(condition, name))
    };
    let mut effects = system.triggers.iter().flat_map(|trigger| &trigger.effects);
    effects.any(|effect| watched.iter().any(|name| changes(effect, name)))
}

/// Whether a trigger was crossed; `None` where that is not seen from outside.
fn crossed(trigger: &Trigger, was: Sheet<'_>, is: Sheet<'_>) -> Option<bool> {
    let (stood, stands) = (was.reached(trigger)?, is.reached(trigger)?);
    (!is_moved_by_triggers(is.system, trigger)).then_some(stands && !stood)
}

/// Each trigger fired in an entry exactly once if its bound was crossed in it, and else not; what
/// it names is there.
pub fn effects_are_there(system: &System, before: &State, entries: &[Entry]) {
    let mut now = before.clone();
    for entry in entries {
        let then = now.clone();
        now.apply(&entry.changes);
        let (id, fired, lost): (i64, &[String], &[String]) = match &entry.event {
            Event::Damage(event) => (event.subject.id, &event.triggers, &event.lost),
            Event::Rested(Rested {
                subject, triggers, ..
            }) => (subject.id, triggers, &[]),
            _ => continue,
        };
        let (was, is) = (Sheet::of(system, &then, id), Sheet::of(system, &now, id));
        for trigger in &system.triggers {
            once(system, trigger, fired, &|trigger: &Trigger| {
                crossed(trigger, was, is)
            });
            if crossed(trigger, was, is) == Some(true) {
                gained(trigger, fired, lost, (was, is));
            }
        }
    }
}

/// A trigger fired exactly once if it had to, and else not. Those of the same words cannot be
/// distinguished, so they are counted together; of those that nobody sees from outside each fired
/// once at most.
pub fn once(
    system: &System,
    trigger: &Trigger,
    fired: &[String],
    had_to: &dyn Fn(&Trigger) -> Option<bool>,
) {
    let count = fired.iter().filter(|text| **text == trigger.text).count();
    let alike = || {
        system
            .triggers
            .iter()
            .filter(|other| other.text == trigger.text)
    };
    let sure = alike()
        .filter(|trigger| had_to(trigger) == Some(true))
        .count();
    let open = alike().filter(|trigger| had_to(trigger).is_none()).count();
    let (label, text) = (&trigger.label, &trigger.text);
    assert!(
        (sure..=sure + open).contains(&count),
        "{label}: {text}, {count} times and not {sure} to {}",
        sure + open
    );
}

/// The conditions that a trigger brought are there, and those that it was not to bring are not.
fn gained(trigger: &Trigger, fired: &[String], lost: &[String], (was, is): (Sheet<'_>, Sheet<'_>)) {
    let place = trigger.place.to_string();
    for effect in &trigger.effects {
        let Some(name) = effect.gains() else { continue };
        let is_lost = |effect: &Effect| effect.loses().is_some_and(|lost| same(lost, name));
        let mut set_off = is
            .system
            .triggers
            .iter()
            .filter(|trigger| fired.contains(&trigger.text));
        let ended = lost.iter().any(|condition| same(condition, name))
            || set_off.any(|condition| condition.effects.iter().any(is_lost));
        let was_to = |sheet: Sheet<'_>| {
            effect
                .only_if
                .as_ref()
                .is_none_or(|only_if| sheet.holds(only_if))
        };
        let has = is.condition(name);
        let had: Vec<&Condition> = was.state.conditions_of(was.id).collect();
        match (was_to(was), was_to(is)) {
            (true, true) => assert!(has.is_some() || ended, "{name} came; before: {had:?}"),
            (false, false) => {
                assert!(
                    has.is_none_or(|condition| condition.source != place),
                    "{name} was not to come; before: {had:?}"
                )
            }
            // What it asks for came or went in between.
            _ => {}
        }
    }
}

/// Nobody has what a bound brought and whose track has left it, but the dead, and whom another
/// bound still brings it to.
pub fn ended(system: &System, state: &State) {
    let stays = |trigger: &Trigger| trigger.track().is_none_or(|track| !trigger.moves(track));
    for trigger in system.triggers.iter().filter(|trigger| stays(trigger)) {
        let place = trigger.place.to_string();
        for row in state
            .conditions
            .values()
            .filter(|condition| condition.source == place && !same(&condition.name, DEAD))
        {
            let sheet = Sheet::of(system, state, row.character);
            let brings = |other: &Trigger| {
                other.place != trigger.place
                    && other.conditions().any(|other| same(other, &row.name))
            };
            let is_held = system
                .triggers
                .iter()
                .any(|trigger| brings(trigger) && sheet.reached(trigger) == Some(true));
            let is_left = sheet.reached(trigger) == Some(false);
            assert!(
                is_held || !is_left,
                "{} goes when {} is no longer there",
                row.name,
                trigger.label
            );
        }
    }
}
