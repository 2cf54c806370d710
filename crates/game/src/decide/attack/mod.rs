//! An attack in one call: the check, each target's damage and conditions, and the next turn.
//!
//! What a row does to the damage is the author's ([`Check::deals`](rollbook_rules::Check::deals)).
//! The check, the damage roll, which names the check, and the damage, which names that roll, are
//! entries. All is refused before dice are rolled.

mod harm;

pub(crate) use harm::{HarmEnd, PlannedAttack, TypedDice, struck_by};

use crate::decide::check::{CheckCall, roll_each};
use crate::decide::damage::{DamageCall, DamageResult, Measure};
use crate::decide::{check, combat, damage, roll::Entered};
use crate::mechanics::several::{Reach, left_out, several};
use crate::record::entry::{Entry, Visibility};
use crate::record::event::{CheckEvent, Event, RollEvent, RollSet};
use crate::refusal::{Code, Refusal, Result};
use crate::table::{Draft, Table};
use crate::{mechanics::health::Vitality, record::state::Character, view::secrets};
use harm::{
    Dealing, Harm, check_harm, conditions_of, dealing, deals, greatest, hurts, is_down, set_amount,
    set_most,
};
use rollbook_dice::Expression;
use rollbook_rules::Dealt;
use rollbook_text::names::{listed, same};

/// One target's part of a call.
pub struct Strike {
    /// The check's entry.
    pub check: u64,
    /// The damage roll's entry.
    pub roll: Option<u64>,
    pub damage: Option<DamageResult>,
}

/// Makes the checks and what follows from them, one target after the other. Refused: what the
/// check, the damage or the fight refuse; all unknown targets at once. Nothing is rolled then.
pub fn decide(table: &mut Table, call: &AttackCall) -> Result<Vec<Strike>> {
    if !call.characters.is_empty() && (call.end_turn || call.check.again.is_some()) {
        let summary = "end_turn and again are about one character. Leave them out, or send character as one name.";
        return Err(Refusal::new(Code::InvalidParameters, summary));
    }
    if call.track.is_some()
        && call.damage.is_none()
        && call.attack.is_none()
        && call.check.again.is_none()
    {
        let summary = "track says where damage falls, and nothing says how much. Send attack=\"…\" or damage=\"1d8+2\" with it.";
        return Err(Refusal::new(Code::InvalidParameters, summary));
    }
    if call.end_turn {
        combat::check_turn_of(table, call.check.character.as_deref())?;
    }
    let (state, system) = (&*table.state, table.system());
    let actor = check::rule_and_actor(table, &call.check)
        .ok()
        .and_then(|(_, actor)| actor)
        .map(|who| who.id);
    let found = call.found_targets(table)?;
    // Nobody is meant by a side's name who strikes it.
    let mut targets = found.clone();
    targets.retain(|who| found.len() == 1 || Some(who.id) != actor);
    let is_meant =
        |who: &Character| Some(who.id) == actor || found.iter().any(|found| found.id == who.id);
    let mut out = left_out(state, system, "target", &call.targets, Reach::Up, is_meant);
    let mut characters = vec![call.check.character.clone()];
    if !call.characters.is_empty() {
        let found = several(state, system, "character", &call.characters, Reach::Up)?;
        let is_meant = |who: &Character| found.iter().any(|found| found.id == who.id);
        out.extend(left_out(
            state,
            system,
            "character",
            &call.characters,
            Reach::Up,
            is_meant,
        ));
        characters = found.iter().map(|found| Some(found.name.clone())).collect();
    }
    let mut prepared = Vec::new();
    for character in characters {
        let mut one = AttackCall {
            check: CheckCall {
                character,
                ..call.check.clone()
            },
            ..call.clone()
        };
        let is_again = one.check.again.is_some();
        let harm = if is_again {
            followed_harm(table, &one)?
        } else {
            Harm::from_call(table, &mut one)?
        };
        if !is_again {
            one.check.struck = harm.is_some();
            out.extend(harm.iter().flat_map(|harm| &harm.overrides).cloned());
            harm.iter()
                .try_for_each(|harm| check_harm(table, &one, harm, &targets))?;
        }
        let names = targets.iter().map(|target| Some(target.name.clone()));
        let mut further = false;
        for target in if targets.is_empty() {
            vec![None]
        } else {
            names.collect()
        } {
            let check = CheckCall {
                target,
                further: std::mem::replace(&mut further, true),
                ..one.check.clone()
            };
            // The only one is refused by the check itself.
            if !call.characters.is_empty() || targets.len() > 1 {
                check::check_call(table, &check)?;
            }
            prepared.push((check, harm.clone()));
        }
    }
    let mut entered = call.entered.as_deref().map(Entered::new);
    let several = prepared.len() > 1 || prepared.iter().any(|(_, harm)| harm.is_some());
    if entered.is_some() && several && call.check.opposed_by.is_some() {
        // Else a refusal would show the opponent's dice, and the next call would have others.
        let summary = "The opponent's dice are rolled here and decide which dice come after them, so entered cannot hold those. \
                       Send the check of one character with entered and without damage and attack, then roll_dice with \
                       entered, then apply_damage roll=\"last\".";
        return Err(Refusal::new(Code::InvalidParameters, summary));
    }
    table.note(out);
    let mut strikes = Vec::with_capacity(prepared.len());
    for (nth, (check, harm)) in prepared.into_iter().enumerate() {
        let actor = if nth > 0 {
            check::rule_and_actor(table, &check)?.1.cloned()
        } else {
            None
        };
        if let Some(actor) = actor.filter(|who| harm.is_some() && is_down(table, who)) {
            table.note([format!("{} is down, and strikes nobody else", actor.name)]);
            continue;
        }
        let struck = strike(table, check, (harm.as_ref(), call), entered.as_mut());
        strikes.push(struck.map_err(|refusal| with_what(table, call, refusal))?);
    }
    entered.as_ref().map_or(Ok(()), Entered::finish)?;
    // Where the harm leaves nobody up, it is dealt all the same.
    if call.end_turn {
        let refused = combat::next_turn(table).err();
        table.note(refused.map(|refusal| refusal.summary));
    }
    Ok(strikes)
}

/// The same refusal; or which attack is meant, where a target is named and nothing that is rolled.
fn with_what(table: &Table, call: &AttackCall, refusal: Refusal) -> Refusal {
    let check = &call.check;
    let named = [&check.skill, &check.attribute, &check.check, &call.attack];
    let is_bare = refusal.code == Code::MissingValue
        && !call.targets.is_empty()
        && named.iter().all(|name| name.is_none())
        && (call.damage.is_none() && check.again.is_none() && check.stated.is_none());
    let actor = check::rule_and_actor(table, check).ok();
    let Some(who) = actor.and_then(|(_, who)| who).filter(|_| is_bare) else {
        return refusal;
    };
    let names: Vec<String> = who.attacks.iter().map(|it| it.name.clone()).collect();
    let all = listed(names.iter().map(String::as_str), 300);
    let [first, others @ ..] = names.as_slice() else {
        return refusal;
    };
    let summary = format!("{} has {all}, and nothing says what is used.", who.name);
    let asked = Refusal::new(Code::MissingValue, summary);
    if others.is_empty() {
        return asked.send("attack", first.as_str(), "");
    }
    let either = format!("Send attack=\"{first}\", or another of these.");
    asked.and(&either).did_you_mean(names)
}

fn strike(
    table: &mut Table,
    call: CheckCall,
    (harm, attack): (Option<&Harm>, &AttackCall),
    mut entered: Option<&mut Entered>,
) -> Result<Strike> {
    let (named, default) = (call.target.clone(), call.visibility.is_none());
    let seq = check::decide(table, call, entered.as_deref_mut())?;
    let mut strike = Strike {
        check: seq,
        roll: None,
        damage: None,
    };
    let Some((event, visibility)) = check::logged(table, seq) else {
        return Ok(strike);
    };
    // A follow-up is at whom the first roll was.
    let of_event = event.against.as_ref().or(event.subject.as_ref());
    let Some(target) = named.or_else(|| of_event.map(|who| who.name.clone())) else {
        return Ok(strike);
    };
    let mut hit = DamageCall {
        target,
        ..attack.hit()
    };
    let mut dealt = None;
    if let Some(harm) = harm
        && let Some(measure) = deal(table, harm, &event, (seq, visibility), &mut hit, entered)?
    {
        (strike.roll, hit.measure) = (hit.roll, measure);
        dealt = Some(harm);
        table.note(
            harm.effect
                .iter()
                .map(|effect| format!("{} also: {effect}", harm.name)),
        );
    }
    if harm.is_none()
        && event.again.is_some()
        && event.attack.is_some()
        && deals(table.system(), &event) != Some(Dealt::None)
    {
        let target = &hit.target;
        table.note([format!(
            "{target} is hit now, and the damage was said with the first roll alone: send it with apply_damage"
        )]);
    }
    let conditions = conditions_of(table.system(), &event, dealt);
    let mut named = table
        .state
        .characters
        .values()
        .filter(|who| who.name == hit.target);
    if let Some(dead) = named
        .next()
        .filter(|who| Vitality::of(table.state, who.id).is_dead())
    {
        let note = format!(
            "{} is dead, so {} is not brought",
            dead.name,
            conditions.join(", ")
        );
        table.note((!conditions.is_empty()).then_some(note));
        return Ok(strike);
    }
    // Conditions alone are on no track.
    if !hurts(&hit) {
        hit.track = None;
    }
    if hurts(&hit) || !conditions.is_empty() {
        let by = secrets::unseen_striker(table.state, &event, visibility).filter(|_| default);
        let call = DamageCall {
            apply_conditions: conditions,
            by_rule: true,
            ..hit
        };
        let rolled = call
            .roll
            .and_then(|seq| table.written_at(seq))
            .map(|written| &written.entry);
        let mut result = damage::compute(table.state, table.system(), &call, rolled)?;
        result.event.by = by.map(Box::new);
        // Conditions alone may be there already, and then nothing changes.
        let is_idle = !hurts(&call) && damage::check_effect(&result.event, &call).is_err();
        strike.damage = Some(if is_idle {
            result
        } else {
            damage::write(table, result, None)
        });
    }
    Ok(strike)
}

fn deal(
    table: &mut Table,
    harm: &Harm,
    event: &CheckEvent,
    (seq, visibility): (u64, Visibility),
    hit: &mut DamageCall,
    mut entered: Option<&mut Entered>,
) -> Result<Option<Measure>> {
    let what = format!(
        "the damage ({})",
        event.label.as_deref().unwrap_or("no outcome")
    );
    let dealing = dealing(table, harm, event)?;
    if let Some(entered) = entered
        .as_mut()
        .filter(|_| !matches!(dealing, Dealing::Rolled(..)))
    {
        entered.none(&what);
    }
    let listed = |dice: &[TypedDice]| {
        dice.iter()
            .map(|(dice, ..)| dice.as_str())
            .collect::<Vec<_>>()
            .join(" and ")
    };
    let (dice, measure) = match dealing {
        Dealing::Nothing => return Ok(None),
        Dealing::Unread => {
            let dice = listed(&harm.parts);
            table.note([format!(
                "what this outcome deals is for the GM to say: roll {dice} and send it with apply_damage"
            )]);
            return Ok(None);
        }
        Dealing::Most(dice) => {
            hit.reason = (greatest(&dice) != 0).then(|| format!("the most of {}", listed(&dice)));
            set_most(hit, &dice);
            return Ok(Some(Measure::Once));
        }
        Dealing::Rolled(dice, measure) => (dice, measure),
    };
    let by = event.subject.as_ref().map_or("gm", |who| who.name.as_str());
    let expressions: Vec<_> = dice
        .iter()
        .map(|(expression, ..)| (expression, ""))
        .collect();
    let rolls = roll_each(table, &expressions, by, &what, entered)?;
    if !rolls.is_empty() {
        set_amount(hit, &dice, rolls.iter().map(|record| record.roll.total));
        let (context, check) = (Some(harm.name.clone()), Some(seq));
        let mut inputs: Vec<String> = dice.into_iter().map(|(_, input, _)| input).collect();
        let event = match inputs.len() {
            1 => Event::Roll(RollEvent {
                input: inputs.pop().unwrap_or_default(),
                context,
                check,
                deals: false,
            }),
            _ => Event::RollSet(RollSet {
                inputs,
                count: 1,
                context,
                check,
            }),
        };
        hit.roll = Some(table.log(Draft {
            visibility,
            rolls,
            ..Draft::new(by, event, Vec::new())
        }));
    }
    Ok(Some(measure))
}

/// A check against others, with what it does to them.
#[derive(Clone, Default)]
pub struct AttackCall {
    /// Its character is each of `characters`, if there are any, its target each of `targets`.
    pub check: CheckCall,
    /// Names, a side, "party".
    pub characters: Vec<String>,
    /// Names, a side, "party".
    pub targets: Vec<String>,
    /// An attack on the actor's sheet, by its name.
    pub attack: Option<String>,
    /// Dice and as they were typed; instead of those of the attack.
    pub damage: Option<(Expression, String)>,
    pub damage_type: Option<String>,
    /// The track of the damage, where that is not the health or the rules leave a choice.
    pub track: Option<String>,
    /// Nobody can be asked for that choice.
    pub unasked: bool,
    /// The actor's turn is over then.
    pub end_turn: bool,
    /// The faces rolled by hand, in order: of each check, those set against it, those it deals.
    pub entered: Option<Vec<i64>>,
}

impl AttackCall {
    /// What it does to a character, before it is known how much that is.
    pub(super) fn hit(&self) -> DamageCall {
        DamageCall {
            track: self.track.clone(),
            unasked: self.unasked,
            ..DamageCall::default()
        }
    }

    /// Those of its targets who are there; of a side those who are up.
    pub(super) fn found_targets<'t>(&self, table: &'t Table) -> Result<Vec<&'t Character>> {
        let heals = self
            .damage
            .as_ref()
            .is_some_and(|(dice, _)| dice.is_taken_away());
        let reach = if heals { Reach::Living } else { Reach::Up };
        let found = || several(table.state, table.system(), "target", &self.targets, reach);
        if self.targets.is_empty() {
            Ok(Vec::new())
        } else {
            found()
        }
    }
}

/// The harm of the first roll, or of the dice sent; `None`: no attack, or the target is down.
fn followed_harm(table: &Table, call: &AttackCall) -> Result<Option<Harm>> {
    let Some((
        seq,
        Entry {
            event: Event::Check(first),
            ..
        },
    )) = &table.referred
    else {
        return Ok(None);
    };
    let target = first.against.as_ref().filter(|_| first.attack.is_some());
    let Some(target) = target.and_then(|target| table.state.characters.get(&target.id)) else {
        let is_sent = call.damage.is_some() || call.attack.is_some() || call.track.is_some();
        let summary = format!(
            "#{seq} was no attack, so nothing is dealt by following it. Leave damage, attack and track out, then roll_dice and \
             apply_damage."
        );
        return if is_sent {
            Err(Refusal::new(Code::InvalidParameters, summary))
        } else {
            Ok(None)
        };
    };
    let attack = first.attack_name.clone();
    if call
        .attack
        .as_ref()
        .is_some_and(|sent| attack.as_ref().is_none_or(|attack| !same(attack, sent)))
    {
        let (was, instead) = match &attack {
            Some(name) => (
                format!("with {name}"),
                "Leave attack out: its damage is dealt where the new roll hits.",
            ),
            None => (
                "without one of the sheet's attacks".to_owned(),
                "Leave attack out, and send damage=\"1d8+2\".",
            ),
        };
        let summary = format!("#{seq} was made {was}, and is followed as it was made. {instead}");
        return Err(Refusal::new(Code::InvalidParameters, summary));
    }
    let check = CheckCall {
        check: Some(first.check.clone()),
        character: first.subject.as_ref().map(|who| who.name.clone()),
        skill: first.skill.clone(),
        attribute: first.attribute.clone(),
        visibility: call.check.visibility,
        values: first
            .given()
            .map(|value| (value.name.clone(), value.value.to_string()))
            .collect(),
        ..CheckCall::default()
    };
    let mut call = AttackCall {
        check,
        attack,
        ..call.clone()
    };
    let harm = Harm::from_call(table, &mut call)?.filter(|_| !is_down(table, target));
    harm.iter()
        .try_for_each(|harm| check_harm(table, &call, harm, &[target]))?;
    Ok(harm)
}
