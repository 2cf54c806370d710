//! An attack in one call: the check, and for each target the damage that its outcome deals, what it brings, and the next turn.
//!
//! What a row does to the damage is the author's ([`Check::deals`](rollbook_rules::Check::deals)). Each step is an entry of its own: the
//! check, the damage roll, which names the check, and the damage, which names that roll. All of it is refused before dice are rolled.

mod blow;
mod planned;

pub use planned::{Blows, PlannedAttack, PlannedHit, Struck};

use crate::decide::check::CheckCall;
use crate::decide::damage::{DamageCall, DamageResult, Measure};
use crate::decide::roll::Entered;
use crate::decide::{check, combat, damage};
use crate::mechanics::health::Vitality;
use crate::mechanics::several::{Reach, left_out, several};
use crate::mechanics::values::dice_refusal;
use crate::record::entry::Visibility;
use crate::record::event::{CheckEvent, Event, RollEvent, RollSet, Subject};
use crate::record::state::Character;
use crate::refusal::{Code, Refusal};
use crate::table::{Draft, Table};
use crate::view::secrets;
use blow::{
    Blow, Dealing, brought, check_blow, dealing, deals_something, greatest, hurts, is_down, set_amount, set_most,
};
use rollbook_dice::Expression;
use rollbook_text::names::same;

/// One target's part of a call.
pub struct Strike {
    /// The check's entry.
    pub check: u64,
    /// The damage roll's entry.
    pub roll: Option<u64>,
    pub damage: Option<DamageResult>,
}

/// Makes the checks and what follows from them, one target after the other.
/// Refused: what the check, the damage or the fight refuse; all unknown targets at once. Nothing is rolled then.
pub fn decide(table: &mut Table, call: &AttackCall) -> Result<Vec<Strike>, Refusal> {
    if !call.characters.is_empty() && (call.end_turn || call.check.again.is_some()) {
        let summary = "end_turn and again are about one character. Leave them out, or send character as one name.";
        return Err(Refusal::new(Code::InvalidParameters, summary));
    }
    if call.track.is_some() && call.damage.is_none() && call.attack.is_none() && call.check.again.is_none() {
        let summary =
            "track says where damage falls, and nothing says how much. Send attack=\"…\" or damage=\"1d8+2\" with it.";
        return Err(Refusal::new(Code::InvalidParameters, summary));
    }
    if call.end_turn {
        combat::check_turn_of(table, call.check.character.as_deref())?;
    }
    let actor = check::rule_and_actor(table, &call.check).ok().and_then(|(_, actor)| actor).map(|own| own.id);
    let found = call.found_targets(table)?;
    // Nobody is meant by a side's name who strikes it.
    let others = found.iter().filter(|own| found.len() == 1 || Some(own.id) != actor);
    let targets: Vec<Character> = others.map(|own| Character::clone(own)).collect();
    let is_meant = |who: &Character| Some(who.id) == actor || found.iter().any(|own| own.id == who.id);
    let mut out = left_out(table.state, table.system(), "target", &call.targets, Reach::Up, is_meant);
    let characters: Vec<Option<String>> = match call.characters.as_slice() {
        [] => vec![call.check.character.clone()],
        names => {
            let found = several(table.state, table.system(), "character", names, Reach::Up)?;
            let is_meant = |who: &Character| found.iter().any(|own| own.id == who.id);
            out.extend(left_out(table.state, table.system(), "character", names, Reach::Up, is_meant));
            found.iter().map(|own| Some(own.name.clone())).collect()
        }
    };
    let mut prepared = Vec::new();
    for character in characters {
        let mut own = AttackCall { check: CheckCall { character, ..call.check.clone() }, ..call.clone() };
        let blow = match &own.check.again {
            Some(_) => blow(table, &own)?,
            None => Blow::of(table, &mut own)?,
        };
        if call.check.again.is_none() {
            own.check.struck = blow.is_some();
            out.extend(blow.iter().flat_map(|blow| &blow.instead).cloned());
            if let Some(blow) = &blow {
                check_blow(table, &own, blow, &targets)?;
            }
        }
        let at: Vec<Option<String>> = match targets.as_slice() {
            [] => vec![None],
            targets => targets.iter().map(|own| Some(own.name.clone())).collect(),
        };
        for target in at {
            let check = CheckCall { target, ..own.check.clone() };
            // The only one is refused by the check itself.
            if !call.characters.is_empty() || targets.len() > 1 {
                check::planned_rolls(table, &check)?;
            }
            prepared.push((check, blow.clone()));
        }
    }
    let mut entered = call.entered.as_deref().map(Entered::new);
    let several = prepared.len() > 1 || prepared.iter().any(|(_, blow)| blow.is_some());
    if entered.is_some() && several && call.check.opposed_by.is_some() {
        // Else a refusal for the dice would show how the opponent's fell, and the next call would have others.
        let summary = "The opponent's dice are rolled here and decide which dice come after them, so entered cannot hold those. Send the \
                       check of one character with entered and without damage and attack, then roll_dice with entered, then apply_damage roll=\"last\".";
        return Err(Refusal::new(Code::InvalidParameters, summary));
    }
    table.note(out);
    let mut strikes = Vec::new();
    for (nth, (check, blow)) in prepared.into_iter().enumerate() {
        let actor = if nth > 0 { check::rule_and_actor(table, &check)?.1.cloned() } else { None };
        if let Some(fallen) = actor.filter(|own| blow.is_some() && is_down(table.state, table.system(), own)) {
            table.note([format!("{} is down, and strikes nobody else", fallen.name)]);
            continue;
        }
        strikes.push(strike(table, check, (blow.as_ref(), call), entered.as_mut())?);
    }
    entered.as_ref().map_or(Ok(()), Entered::finish)?;
    // Where the blow leaves nobody up, it is dealt all the same.
    if call.end_turn
        && let Err(refusal) = combat::next_turn(table)
    {
        table.note([refusal.summary]);
    }
    Ok(strikes)
}

fn strike(
    table: &mut Table,
    call: CheckCall,
    (blow, attack): (Option<&Blow>, &AttackCall),
    mut entered: Option<&mut Entered>,
) -> Result<Strike, Refusal> {
    let (named, default) = (call.target.clone(), call.visibility.is_none());
    let seq = check::decide(table, call, entered.as_deref_mut())?;
    let mut strike = Strike { check: seq, roll: None, damage: None };
    let Some((event, visibility)) = table.written_at(seq).and_then(|own| match &own.entry.event {
        Event::Check(event) => Some((CheckEvent::clone(event), own.entry.visibility)),
        _ => None,
    }) else {
        return Ok(strike);
    };
    let rule = event.rule(table.system());
    if rule.is_none() && event.stated.is_none() {
        return Ok(strike);
    }
    // A follow-up is at whom the first roll was.
    let of_event = event.against.as_ref().or(event.subject.as_ref());
    let Some(target) = named.or_else(|| of_event.map(|own| own.name.clone())) else { return Ok(strike) };
    let mut hit = DamageCall { target, ..attack.hit() };
    let mut dealt = None;
    if let Some(blow) = blow
        && let Some(measure) = deal(table, blow, &event, (seq, visibility), &mut hit, entered)?
    {
        (strike.roll, hit.measure) = (hit.roll, measure);
        dealt = Some(blow);
        table.note(blow.effect.iter().map(|effect| format!("{} also: {effect}", blow.name)));
    }
    if blow.is_none() && event.again.is_some() && event.attack.is_some() && deals_something(table.system(), &event) {
        table.note([format!(
            "{} is hit now, and the damage was said with the first roll alone: send it with apply_damage",
            hit.target
        )]);
    }
    let conditions = brought(rule, &event, dealt);
    let dead = table.state.characters.values().find(|own| own.name == hit.target);
    if let Some(dead) = dead.filter(|own| Vitality::of(table.state, own.id).is_dead()) {
        if !conditions.is_empty() {
            table.note([format!("{} is dead, so {} is not brought", dead.name, conditions.join(", "))]);
        }
        return Ok(strike);
    }
    // Conditions alone fall on no track.
    if !hurts(&hit) {
        hit.track = None;
    }
    if hurts(&hit) || !conditions.is_empty() {
        let by = secrets::unseen_striker(table.state, &event, visibility).filter(|_| default);
        strike.damage = Some(apply(table, DamageCall { apply_conditions: conditions, by_rule: true, ..hit }, by)?);
    }
    Ok(strike)
}

/// Rolls what a check deals and says in `hit` how much it is; `None` where it is no hit.
fn deal(
    table: &mut Table,
    blow: &Blow,
    event: &CheckEvent,
    (seq, visibility): (u64, Visibility),
    hit: &mut DamageCall,
    mut entered: Option<&mut Entered>,
) -> Result<Option<Measure>, Refusal> {
    let outcome = event.label.as_deref().unwrap_or("no outcome");
    let no_dice = |entered: Option<&mut Entered>| {
        entered.into_iter().for_each(|own| own.none(&format!("the damage ({outcome})")));
    };
    let (dice, measure) = match dealing(table, blow, event)? {
        Dealing::Nothing => {
            no_dice(entered);
            return Ok(None);
        }
        Dealing::Unread => {
            no_dice(entered);
            let dice: Vec<&str> = blow.parts.iter().map(|(expression, ..)| expression.as_str()).collect();
            table.note([format!(
                "what this outcome deals is for the GM to say: roll {} and send it with apply_damage",
                dice.join(" and ")
            )]);
            return Ok(None);
        }
        Dealing::Most(dice) => {
            no_dice(entered);
            let all: Vec<&str> = dice.iter().map(|(expression, ..)| expression.as_str()).collect();
            hit.reason = (greatest(&dice) > 0).then(|| format!("the most of {}", all.join(" and ")));
            set_most(hit, &dice);
            return Ok(Some(Measure::Once));
        }
        Dealing::Rolled(dice, measure) => (dice, measure),
    };
    let by = event.subject.as_ref().map_or_else(|| "gm".to_owned(), |own| own.name.clone());
    if let Some(entered) = &mut entered {
        entered.next(dice.iter().map(|(expression, ..)| expression), &format!("the damage ({outcome})"));
    }
    let mut rolls = Vec::new();
    for (expression, ..) in &dice {
        rolls.push(match &mut entered {
            Some(entered) => entered.roll(table, &by, "", |roller| expression.roll(roller))?,
            None => table.roll(expression, &by, "").map_err(|error| dice_refusal(&error))?,
        });
    }
    if !rolls.is_empty() {
        set_amount(hit, rolls.iter().zip(&dice).map(|(record, (.., kind))| (record.roll.total, kind.clone())));
        let (context, check) = (Some(blow.name.clone()), Some(seq));
        let mut inputs: Vec<String> = dice.into_iter().map(|(_, input, _)| input).collect();
        let event = match inputs.len() {
            1 => Event::Roll(RollEvent { input: inputs.pop().unwrap_or_default(), context, check, deals: false }),
            _ => Event::RollSet(RollSet { inputs, count: 1, context, check }),
        };
        hit.roll = Some(table.log(Draft { visibility, rolls, ..Draft::new(&by, event, Vec::new()) }));
    }
    Ok(Some(measure))
}

/// Works the damage out and logs it. Conditions alone may be there already, and then nothing changes.
fn apply(table: &mut Table, call: DamageCall, by: Option<Subject>) -> Result<DamageResult, Refusal> {
    let rolled = call.roll.and_then(|seq| Some((seq, table.written_at(seq)?.entry.clone())));
    let mut result = damage::compute(table.state, table.system(), &call, rolled.as_ref().map(|(_, entry)| entry))?;
    result.event.by = by.map(Box::new);
    let alone = call.roll.is_none() && call.amount.is_none() && call.parts.is_empty();
    if alone && damage::check_effect(&result.event, &call).is_err() {
        return Ok(result);
    }
    Ok(damage::write(table, result, None))
}

/// A check against others, with what it does to them.
#[derive(Clone, Default)]
pub struct AttackCall {
    /// Its character is each of `characters`, where there are any, and its target each of `targets`.
    pub check: CheckCall,
    /// Names, a side, "party".
    pub characters: Vec<String>,
    /// Names, a side, "party".
    pub targets: Vec<String>,
    /// An attack on the actor's sheet, by its name.
    pub attack: Option<String>,
    /// Dice and as they were typed; in place of those of the attack.
    pub damage: Option<(Expression, String)>,
    pub damage_type: Option<String>,
    /// On which track the damage falls, where that is not the target's health or the rules leave a choice.
    pub track: Option<String>,
    /// Nobody can be asked for that choice.
    pub unasked: bool,
    /// The actor's turn is over then.
    pub end_turn: bool,
    /// The faces that people rolled by hand, in the order in which the dice fall: of each check its own, then those that its
    /// rule sets against them, then those of what it deals.
    pub entered: Option<Vec<i64>>,
}

impl AttackCall {
    /// What it does to somebody, before it is known how much that is.
    pub(super) fn hit(&self) -> DamageCall {
        DamageCall { track: self.track.clone(), unasked: self.unasked, ..DamageCall::default() }
    }

    /// Those of its targets who are there; of a side those who are up.
    pub(super) fn found_targets<'t>(&self, table: &'t Table) -> Result<Vec<&'t Character>, Refusal> {
        match self.targets.as_slice() {
            [] => Ok(Vec::new()),
            names => several(table.state, table.system(), "target", names, Reach::Up),
        }
    }
}

/// The blow of the first roll, or of the dice that are sent; `None` where it was no attack, its damage is not known any more, or
/// its target is down by now.
/// Refused: where the call says damage of a roll that was no attack, or another attack than that of the first roll; what the damage could be refused for.
fn blow(table: &Table, call: &AttackCall) -> Result<Option<Blow>, Refusal> {
    let sent = call.damage.is_some() || call.attack.is_some() || call.track.is_some();
    let Some((seq, first)) = first(table) else { return Ok(None) };
    let target = first.against.as_ref().filter(|_| first.attack.is_some());
    let Some(target) = target.and_then(|own| table.state.characters.get(&own.id)).cloned() else {
        return if sent { Err(no_attack(seq)) } else { Ok(None) };
    };
    if let (Some(sent), own) = (&call.attack, &first.attack_name)
        && !own.as_ref().is_some_and(|own| same(own, sent))
    {
        return Err(other_attack(seq, own.as_deref()));
    }
    let mut own = AttackCall {
        check: CheckCall {
            check: Some(first.check.clone()),
            character: first.subject.as_ref().map(|own| own.name.clone()),
            skill: first.skill.clone(),
            attribute: first.attribute.clone(),
            visibility: call.check.visibility,
            values: first.given().map(|own| (own.name.clone(), own.value.to_string())).collect(),
            ..CheckCall::default()
        },
        attack: first.attack_name.clone(),
        ..call.clone()
    };
    let blow = Blow::of(table, &mut own)?.filter(|_| !is_down(table.state, table.system(), &target));
    if let Some(blow) = &blow {
        check_blow(table, &own, blow, std::slice::from_ref::<Character>(&target))?;
    }
    Ok(blow)
}

/// The check that is followed.
fn first<'t>(table: &'t Table) -> Option<(u64, &'t CheckEvent)> {
    let (seq, entry) = table.referred.as_ref()?;
    match &entry.event {
        Event::Check(first) => Some((*seq, first)),
        _ => None,
    }
}

fn no_attack(seq: u64) -> Refusal {
    let summary = format!(
        "#{seq} was no attack, so nothing is dealt by following it. Leave damage, attack and track out, then roll_dice and apply_damage."
    );
    Refusal::new(Code::InvalidParameters, summary)
}

fn other_attack(seq: u64, own: Option<&str>) -> Refusal {
    let (was, instead) = match own {
        Some(own) => (format!("with {own}"), "Leave attack out: its damage is dealt where the new roll hits."),
        None => ("without one of the sheet's attacks".to_owned(), "Leave attack out, and send damage=\"1d8+2\"."),
    };
    Refusal::new(Code::InvalidParameters, format!("#{seq} was made {was}, and is followed as it was made. {instead}"))
}
