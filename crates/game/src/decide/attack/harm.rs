//! What a hit deals and brings by the outcome, and what it is refused for; also for odds.

use std::collections::{BTreeMap, BTreeSet};

use crate::decide::check::{self, AttackBonus, CheckEnd, PlannedCheck};
use crate::decide::damage::{self, DamageCall, Measure};
use crate::decide::roll::{check_amount, default_visibility};
use crate::limits::{self, LIMITS};
use crate::mechanics::values::{Values, dice_refusal};
use crate::mechanics::{attacks, health::Vitality};
use crate::record::event::{CheckEvent, Part};
use crate::record::state::{Attack, Character, State};
use crate::refusal::{Code, Refusal, Result};
use crate::{decide::attack::AttackCall, table::Table};
use rollbook_dice::{DiceError, Expression, parse};
use rollbook_rules::{Dealt, Row, System, row_formula};
use rollbook_text::names::{fold, listed, same};

/// Dice of one type of damage, as they were typed.
pub type TypedDice = (Expression, String, Option<String>);

#[derive(Clone, Default)]
pub struct Harm {
    /// The dice of each type of damage.
    pub parts: Vec<TypedDice>,
    /// The name of its dice in the log: "damage", or the attack's name.
    pub name: String,
    pub conditions: Vec<String>,
    /// What else a hit brings, in words.
    pub effect: Option<String>,
    pub overrides: Vec<String>,
}

impl Harm {
    /// The harm of a call; `None`: it deals nothing. A named attack's check is the sheet's.
    pub fn from_call(table: &Table, call: &mut AttackCall) -> Result<Option<Harm>> {
        let system = table.system();
        let sent = call.damage.take();
        let typed = |(expression, kind): (Expression, Option<String>)| {
            let is_type = |label: &str| damage::is_type(table.state, system, label);
            let parts = damage::typed(&expression, kind.as_deref(), is_type)?;
            let dice = |(dice, kind): (Expression, Option<String>)| {
                let input = dice.to_string();
                (dice, input, kind)
            };
            Ok(parts.into_iter().map(dice).collect::<Vec<TypedDice>>())
        };
        let of_call = |(expression, input): (Expression, String), kind| {
            let mut parts = typed((expression, kind))?;
            if let [(_, only, _)] = parts.as_mut_slice() {
                *only = input;
            }
            Ok(parts)
        };
        let Some(name) = call.attack.take() else {
            let harm = |parts| Harm {
                parts,
                name: "damage".to_owned(),
                ..Harm::default()
            };
            let parts = sent.map(|sent| of_call(sent, call.damage_type.clone()));
            return Ok(parts.transpose()?.map(harm));
        };
        let (_, actor) = check::rule_and_actor(table, &call.check)?;
        let Some(actor) = actor else {
            let summary = "Whose attack? Send character=\"…\" with the attacker's name.";
            return Err(Refusal::new(Code::WhichCharacter, summary));
        };
        let attack = attacks::find(system, actor, &name)?;
        call.check.attack = Some(attack.name.clone());
        // Another attribute is rolled with the skill of the attack, as with any skill.
        let has_skill = attack
            .skill
            .as_deref()
            .is_some_and(|skill| system.skill(skill).is_ok());
        let chosen = call
            .check
            .skill
            .clone()
            .or_else(|| call.check.attribute.clone().filter(|_| !has_skill));
        if let Some(skill) = attack.skill.clone().filter(|_| chosen.is_none()) {
            let is_attribute = !has_skill && system.attribute(&skill).is_ok();
            *if is_attribute {
                &mut call.check.attribute
            } else {
                &mut call.check.skill
            } = Some(skill);
        }
        let whole = attack.skill.is_none() && chosen.is_none();
        let bonus = attack.bonus.filter(|_| whole || attack.skill.is_some());
        call.check.bonus = bonus.map(|value| AttackBonus {
            name: attack.name.clone(),
            value,
            whole,
        });
        let by_sheet =
            attacks::damage(table.state, system, (actor, &attack), &call.check.numbers())?;
        let kind = attack
            .damage
            .first()
            .and_then(|part| part.damage_type.clone());
        let damage = sent.as_ref().map(|(_, input)| input.as_str());
        let overrides = overrides(
            &attack,
            chosen.as_deref(),
            damage,
            call.damage_type.as_deref(),
        );
        let parts = match (sent, &call.damage_type) {
            (Some(sent), of_call_type) => of_call(sent, of_call_type.clone().or(kind))?,
            (None, Some(kind)) => by_sheet
                .into_iter()
                .map(|(dice, _)| (dice.clone(), dice.to_string(), Some(kind.clone())))
                .collect(),
            (None, None) => {
                let parts: Result<Vec<_>> = by_sheet.into_iter().map(typed).collect();
                parts?.concat()
            }
        };
        let Attack {
            name,
            conditions,
            effect,
            ..
        } = attack;
        Ok(Some(Harm {
            parts,
            name,
            conditions,
            effect,
            overrides,
        }))
    }

    fn kind(&self) -> Option<String> {
        self.parts.first().and_then(|(.., kind)| kind.clone())
    }
}

/// What the call says instead of what the sheet says of the attack, a sentence each.
fn overrides(
    attack: &Attack,
    chosen: Option<&str>,
    damage: Option<&str>,
    damage_type: Option<&str>,
) -> Vec<String> {
    let name = &attack.name;
    let chosen = chosen.filter(|chosen| {
        attack
            .skill
            .as_deref()
            .is_none_or(|skill| !same(skill, chosen))
    });
    let rolled = chosen.and_then(|chosen| match (&attack.skill, attack.bonus) {
        (Some(skill), _) => Some(format!(
            "{chosen} is rolled in the place of {skill}, which {name} has"
        )),
        (None, bonus) => Some(format!(
            "{chosen} is rolled in the place of {name}'s {:+}, which is left out",
            bonus?
        )),
    });
    let amounts: Vec<&str> = attack
        .damage
        .iter()
        .map(|part| part.amount.as_str())
        .collect();
    let dealt = damage.filter(|_| !amounts.is_empty());
    let dealt = dealt.map(|sent| {
        format!(
            "{name} deals {sent} in the place of its own {}",
            amounts.join(" and ")
        )
    });
    let kinds: Vec<&str> = attack
        .damage
        .iter()
        .filter_map(|part| part.damage_type.as_deref())
        .collect();
    let typed = damage_type.filter(|sent| kinds.iter().any(|kind| !same(kind, sent)));
    let typed = typed.map(|sent| {
        format!(
            "{name}'s damage is {sent} in the place of {}",
            kinds.join(" and ")
        )
    });
    rolled.into_iter().chain(dealt).chain(typed).collect()
}

pub fn check_harm(
    table: &Table,
    call: &AttackCall,
    harm: &Harm,
    targets: &[&Character],
) -> Result<()> {
    let (state, system) = (&*table.state, table.system());
    let mut asked: u64 = 0;
    for (expression, ..) in &harm.parts {
        check_amount(system, "damage", "1d8+2", expression)?;
        asked = asked.saturating_add(expression.asked());
    }
    // Each die twice at most.
    let asked = asked.saturating_mul(2).saturating_mul(targets.len() as u64);
    limits::count(
        "dice of all damage",
        usize::try_from(asked).unwrap_or(usize::MAX),
        LIMITS.dice,
    )?;
    if targets.is_empty() {
        let summary = "damage needs somebody who takes it. Send target=\"Goblin 1\", a list of names, or a side of the fight.";
        return Err(Refusal::new(Code::InvalidParameters, summary));
    }
    let mut down = targets.to_vec();
    down.retain(|target| is_down(table, target));
    if let Some(first) = down.first().filter(|_| greatest(&harm.parts) >= 0) {
        return Err(target_down(state, first, &down));
    }
    let (rule, actor) = check::rule_and_actor(table, &call.check)?;
    let visibility = call
        .check
        .visibility
        .unwrap_or_else(|| default_visibility(state, system, actor));
    let sent = harm
        .parts
        .iter()
        .flat_map(|(_, input, kind)| [("damage", Some(input)), ("damage_type", kind.as_ref())]);
    for (parameter, text) in sent.chain([("attack", Some(&harm.name))]) {
        table.check_text(visibility, parameter, text.map(String::as_str))?;
    }
    // The least and the most by any row, so that nothing is refused once dice are rolled.
    let rows = || rule.iter().flat_map(|rule| &rule.rows);
    let times = if rows().any(|row: &Row| row.damage == Some(Dealt::Twice)) {
        2
    } else {
        1
    };
    let most = greatest(&harm.parts).saturating_mul(times);
    let mut amounts = if harm.parts.is_empty() {
        Vec::new()
    } else {
        vec![if most < 0 { -1 } else { 1 }, most]
    };
    // How much a value comes to is not known yet; by its size no damage is refused.
    let values = rule
        .iter()
        .flat_map(|rule| &rule.values)
        .map(|value| (fold(&value.name), 1));
    let values = values.chain(call.check.numbers()).collect();
    for part in rows().filter_map(|row| row.damage.as_ref()) {
        amounts.push(greatest(&dice_of(table, actor, harm, part, &values)?));
    }
    // Several rows deal alike.
    let mut tried = BTreeSet::from([0]);
    amounts.retain(|amount| tried.insert(*amount));
    for target in targets {
        let (target, damage_type, apply_conditions) =
            (target.name.clone(), harm.kind(), harm.conditions.clone());
        let hit = DamageCall {
            target,
            damage_type,
            apply_conditions,
            ..call.hit()
        };
        for amount in &amounts {
            damage::compute(
                state,
                system,
                &DamageCall {
                    amount: Some(*amount),
                    ..hit.clone()
                },
                None,
            )?;
        }
    }
    Ok(())
}

/// The most that the dice of a harm come to; below 0 where they heal.
pub fn greatest(parts: &[TypedDice]) -> i64 {
    let each = parts.iter().map(|(expression, ..)| most(expression));
    each.fold(0, i64::saturating_add)
}

fn most(dice: &Expression) -> i64 {
    let turned = || dice.negative().ok()?.greatest()?.checked_neg();
    let most = if dice.is_taken_away() {
        turned()
    } else {
        dice.greatest()
    };
    most.unwrap_or(0)
}

pub fn is_down(table: &Table, who: &Character) -> bool {
    let is_defeated = || {
        table
            .state
            .open_combatant(who.id)
            .is_some_and(|member| member.defeated)
    };
    Vitality::of(table.state, who.id).is_down(table.system()) || is_defeated()
}

/// The refusal of targets who are down, with those of the side of the first who are up.
fn target_down(state: &State, first: &Character, down: &[&Character]) -> Refusal {
    let side = state.open_combatant(first.id).map(|member| &member.side);
    let members = state
        .running_combat()
        .into_iter()
        .flat_map(|combat| state.combatants_of(combat.id));
    let up = members.filter(|member| !member.defeated && Some(&member.side) == side);
    let up: Vec<&str> = up
        .filter_map(|member| state.characters.get(&member.character))
        .map(|who| &*who.name)
        .collect();
    let others = if up.is_empty() {
        String::new()
    } else {
        format!(" Up: {}.", listed(up.iter().copied(), 200))
    };
    let verb = if down.len() == 1 { "is" } else { "are" };
    let (what, advice) = match down.iter().all(|who| Vitality::of(state, who.id).is_dead()) {
        true => (
            "dead",
            "Name others; a dead body takes no damage, so say without dice what becomes of it.",
        ),
        false => (
            "down",
            "Name others; or to strike somebody who lies there and lives, send the check without damage, then apply_damage.",
        ),
    };
    let names = listed(down.iter().map(|who| who.name.as_str()), 200);
    Refusal::new(
        Code::TargetDown,
        format!("{names} {verb} {what}.{others} {advice}"),
    )
}

/// The dice of each part that are rolled for it; `values` are those of the check, by folded names.
fn dice_of(
    table: &Table,
    actor: Option<&Character>,
    harm: &Harm,
    deals: &Dealt,
    values: &BTreeMap<String, i64>,
) -> Result<Vec<TypedDice>> {
    match deals {
        Dealt::None => Ok(Vec::new()),
        Dealt::Half | Dealt::Once | Dealt::Twice | Dealt::Maximum => Ok(harm.parts.clone()),
        Dealt::DiceTwice => {
            let twice = |(expression, _, kind): &TypedDice| {
                let twice =
                    parse(&expression.with_dice_twice()).map_err(|error| dice_refusal(&error))?;
                let input = twice.to_string();
                Ok((twice, input, kind.clone()))
            };
            harm.parts.iter().map(twice).collect()
        }
        Dealt::Amount(amount) => {
            let sheet = Values::of(table.state, table.system(), actor);
            // Of fewer dice than none there are none.
            let at_least_none = || {
                values
                    .iter()
                    .map(|(name, value)| (name.clone(), (*value).max(0)))
                    .collect()
            };
            let bound = |dice: std::result::Result<Expression, DiceError>| {
                let formula = dice
                    .and_then(|dice| row_formula(amount, &dice))
                    .map_err(|error| dice_refusal(&error))?;
                let bound = sheet.bind_beside(&formula, values);
                bound.or_else(|_| sheet.bind_beside(&formula, &at_least_none()))
            };
            let typed = |dice: Expression, kind| (dice.clone(), dice.to_string(), kind);
            let [(first, ..), others @ ..] = harm.parts.as_slice() else {
                return Ok(vec![typed(bound(parse("0"))?, None)]);
            };
            let text = amount.in_notation();
            let is_term = |(at, _)| {
                let before = text.get(..at).unwrap_or_default();
                before.matches('(').count() == before.matches(')').count()
            };
            if !others.is_empty() && !text.match_indices("{damage}").all(is_term) {
                let summary = format!(
                    "The row deals `{text}`, which is no sum of each type, and {} has several types. \
                     Send damage with dice of one type, or roll it with roll_dice and send it with apply_damage.",
                    harm.name
                );
                return Err(Refusal::new(Code::RuleBroken, summary));
            }
            let mut parts = vec![typed(bound(Ok(first.clone()))?, harm.kind())];
            for (dice, _, kind) in others {
                // What the row adds is of the first type: of the others there are the terms that
                // have their label.
                let label = kind.as_deref().unwrap_or("damage");
                let whole = bound(match dice.labels().is_empty() {
                    true => parse(&format!("({dice})[{label}]")),
                    false => Ok(dice.clone()),
                })?;
                let mut terms = whole.addends();
                terms.retain(|term| parse(term).is_ok_and(|term| !term.labels().is_empty()));
                if !terms.is_empty() {
                    let dice = parse(&terms.concat()).map_err(|error| dice_refusal(&error))?;
                    parts.push(typed(dice, kind.clone()));
                }
            }
            Ok(parts)
        }
    }
}

pub enum Dealing {
    Nothing,
    /// It is for the GM to say.
    Unread,
    /// The most that these dice can show; they are not rolled.
    Most(Vec<TypedDice>),
    /// So much of what these dice show.
    Rolled(Vec<TypedDice>, Measure),
}

/// What this check deals, by the row that decided; the state is that after the check.
pub fn dealing(table: &Table, harm: &Harm, event: &CheckEvent) -> Result<Dealing> {
    let actor = event
        .subject
        .as_ref()
        .and_then(|who| table.state.characters.get(&who.id));
    let given = event.given().map(|value| (fold(&value.name), value.value));
    let values = given
        .chain(
            event
                .results
                .iter()
                .map(|(name, value)| (fold(name), *value)),
        )
        .collect();
    let deals = deals(table.system(), event);
    let dice = deals.as_ref().map_or(Ok(Vec::new()), |deals| {
        dice_of(table, actor, harm, deals, &values)
    })?;
    Ok(match deals {
        None => Dealing::Unread,
        Some(Dealt::None) => Dealing::Nothing,
        Some(Dealt::Maximum) => Dealing::Most(dice),
        Some(Dealt::Half) => Dealing::Rolled(dice, Measure::Half),
        Some(Dealt::Twice) => Dealing::Rolled(dice, Measure::Twice),
        Some(Dealt::Once | Dealt::DiceTwice | Dealt::Amount(_)) => {
            Dealing::Rolled(dice, Measure::Once)
        }
    })
}

/// What the outcome deals; `None`: the GM says it. The loser of an opposed check deals nothing.
pub fn deals(system: &System, event: &CheckEvent) -> Option<Dealt> {
    if event.opposed.as_ref().is_some_and(|opposed| !opposed.won) {
        return Some(Dealt::None);
    }
    let outcome = event.outcome?;
    let stated = event.stated.as_ref().map(|_| Dealt::by_outcome(outcome));
    stated.or_else(|| {
        event
            .rule(system)
            .map(|rule| rule.deals(event.rank, outcome))
    })
}

/// The conditions that an outcome brings: of its row, and of the harm where it dealt anything.
pub fn conditions_of(system: &System, event: &CheckEvent, dealt: Option<&Harm>) -> Vec<String> {
    let lost = event.opposed.as_ref().is_some_and(|opposed| !opposed.won);
    let row = event
        .rule(system)
        .filter(|_| !lost)
        .and_then(|rule| rule.row(event.rank));
    let of_row = row.into_iter().flat_map(|row| &row.effects).cloned();
    of_row
        .chain(dealt.into_iter().flat_map(|harm| &harm.conditions).cloned())
        .collect()
}

/// Says in `hit` how much of which type hits, by the totals of these dice. One total is read from
/// its roll, where it is named.
pub fn set_amount(hit: &mut DamageCall, dice: &[TypedDice], totals: impl Iterator<Item = i64>) {
    let part = |((expression, _, kind), amount): (&TypedDice, i64)| {
        let damage_type = kind.clone();
        let part = Part {
            amount,
            damage_type,
        };
        (expression.is_taken_away(), part)
    };
    hit.set_rolled(dice.iter().zip(totals).map(part).collect());
}

/// The same with the most that dice can show; nothing where that is nothing.
pub fn set_most(hit: &mut DamageCall, dice: &[TypedDice]) {
    if greatest(dice) != 0 {
        set_amount(
            hit,
            dice,
            dice.iter().map(|(expression, ..)| most(expression)),
        );
    }
}

pub fn hurts(hit: &DamageCall) -> bool {
    hit.roll.is_some() || hit.amount.is_some() || !hit.parts.is_empty()
}

/// An attack on one target, ready to roll.
pub struct PlannedAttack<'s> {
    pub check: PlannedCheck<'s>,
    harm: Harm,
    pub target: String,
}

pub enum HarmEnd {
    /// The damage is for the GM to say.
    Unread,
    Nothing,
    /// A hit; of each of these dice a total is wanted to know how much it is.
    Hit(Box<DamageCall>, Vec<TypedDice>),
}

impl<'s> PlannedAttack<'s> {
    /// Prepares the call. Refused: as the attack; where it deals nothing, has several, or follows.
    pub fn of<'t: 's>(table: &Table<'t>, call: &'s AttackCall) -> Result<Self> {
        let refuse = |summary: &str| Err(Refusal::new(Code::InvalidParameters, summary));
        if call.check.again.is_some() || !call.characters.is_empty() {
            let advice = "Send character as one name, and leave again out.";
            return refuse(&format!(
                "Odds of damage are those of one character's new attack. {advice}"
            ));
        }
        let targets = call.found_targets(table)?;
        let mut planned = AttackCall {
            unasked: true,
            ..call.clone()
        };
        let Some(harm) = Harm::from_call(table, &mut planned)? else {
            return refuse(
                "Nothing says how much damage there is. Send attack=\"…\" or damage=\"1d8+2\".",
            );
        };
        planned.check.struck = true;
        check_harm(table, &planned, &harm, &targets)?;
        let [target] = targets.as_slice() else {
            return refuse(
                "Odds of damage are those against one target. Send target with one name.",
            );
        };
        planned.check.target = Some(target.name.clone());
        let check = PlannedCheck::of(table, &planned.check, call.check.stated.as_deref())?;
        Ok(PlannedAttack {
            check,
            harm,
            target: target.name.clone(),
        })
    }

    /// What follows from an end of its check, which is logged.
    pub fn harm_at(&self, table: &mut Table, end: &CheckEnd) -> Result<HarmEnd> {
        let seq = self.check.log(table, end);
        let Some((event, _)) = check::logged(table, seq) else {
            return Ok(HarmEnd::Nothing);
        };
        let target = self.target.clone();
        let mut call = DamageCall {
            target,
            by_rule: true,
            unasked: true,
            ..DamageCall::default()
        };
        let (mut dice, mut dealt) = (Vec::new(), true);
        match dealing(table, &self.harm, &event)? {
            Dealing::Unread => return Ok(HarmEnd::Unread),
            Dealing::Nothing => dealt = false,
            Dealing::Most(most) => set_most(&mut call, &most),
            Dealing::Rolled(rolled, measure) => {
                (call.measure, call.roll) = (measure, (!rolled.is_empty()).then_some(seq));
                dice = rolled;
            }
        }
        let target = table
            .state
            .characters
            .values()
            .find(|who| who.name == self.target);
        if target.is_some_and(|target| Vitality::of(table.state, target.id).is_dead()) {
            return Ok(HarmEnd::Nothing);
        }
        call.apply_conditions = conditions_of(table.system(), &event, dealt.then_some(&self.harm));
        if !hurts(&call) && call.apply_conditions.is_empty() {
            return Ok(HarmEnd::Nothing);
        }
        Ok(HarmEnd::Hit(Box::new(call), dice))
    }
}

/// The points that come through where the dice show these totals, and whether the target is down.
pub fn struck_by(
    table: &Table,
    mut hit: DamageCall,
    dice: &[TypedDice],
    totals: &[i64],
) -> Result<(i64, bool)> {
    if !dice.is_empty() {
        set_amount(&mut hit, dice, totals.iter().copied());
    }
    let result = damage::compute(table.state, table.system(), &hit, None)?;
    Ok((
        result.event.came_through(),
        result.consequences.vitality.is_down(table.system()),
    ))
}
