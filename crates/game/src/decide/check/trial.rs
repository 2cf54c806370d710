//! One side of a check: prepared, rolled and judged. Refuses values that the rule does not use.

use std::collections::BTreeMap;

use super::call::{CheckCall, StatedCheck, check_rules, parse_values};
use super::chosen::{Chosen, check_needs};
use super::consequences::{Move, price, unpaid, use_of_attack};
use super::modifiers::{attempt_refusal, modifiers, notes_on_extra, nothing_chosen, sum};
use super::names::{CANCEL, FromConditions, LookedUp, Names, from_conditions, in_all};
use crate::decide::roll::{Entered, check_dice, check_die};
use crate::mechanics::values::{Values, dice_refusal};
use crate::mechanics::{health::Vitality, lookup};
use crate::record::{entry::RollRecord, event::Modifier, purpose::OPPOSING, state::Character};
use crate::refusal::{Code, Refusal, Result};
use crate::table::Table;
use rollbook_dice::{BindError, Bound, Expression, Mode, Roll, parse};
use rollbook_rules::{
    Added, AskedFrom, Attempt, Check, FollowUp, Means, Side, Swap, SwapHow, System, Verdict,
    signed_count, target_name,
};
use rollbook_text::names::{fold, quoted, same, suggest};

/// One side of a check, ready to roll.
pub struct Trial<'s> {
    pub chosen: Chosen<'s>,
    pub actor: Option<Character>,
    pub attempt: Attempt,
    pub modifiers: Vec<Modifier>,
    pub looked_up: LookedUp,
    /// Values of the call that are no numbers: `position: risky`.
    pub words: BTreeMap<String, String>,
    pub adjustments: Vec<String>,
    pub notes: Vec<String>,
    pub price: Vec<Move>,
}

pub struct Rolled {
    pub records: Vec<RollRecord>,
    pub verdict: Verdict,
}

impl<'s> Trial<'s> {
    /// Resolves names, modifiers, target and dice, unrolled; nothing is refused after this.
    pub fn prepare<'t: 's>(
        table: &Table<'t>,
        (call, stated): (&CheckCall, Option<&'s StatedCheck>),
        actor: Option<Character>,
        target: Option<&Character>,
    ) -> Result<Self> {
        let (state, system, who) = (&*table.state, table.system(), actor.as_ref());
        if !call.opposing && !call.planned {
            check_rules(table, call, who)?;
        }
        let chosen = Chosen::from_call(system, call, stated, who)?;
        let rule = chosen.rule;
        if !call.planned {
            check_needs(state, system, rule, who.map(|who| who.id))?;
        }
        let (values, given) = (Values::of(state, system, who), &parse_values(&call.values));
        let (modifier, looked_up) = (0, LookedUp::default().into());
        let mut names = Names {
            values,
            chosen: &chosen,
            target,
            call,
            given,
            modifier,
            looked_up,
        };
        check_asked(&names)?;
        let effects = from_conditions(&names);
        let modifiers = modifiers(&names, effects.modifiers.clone())?;
        names.modifier = sum(&modifiers);
        // An opposed check needs no target: without a difficulty the higher result wins.
        let by_difficulty = rule.target.as_ref().is_some_and(|target| {
            let mut names = target
                .variables()
                .into_iter()
                .filter(|value| value.default.is_none());
            names.any(|name| same(&name.name, "difficulty") || target_name(&name.name).is_some())
        });
        let has_one = call.difficulty.is_some() || given.contains_key("difficulty");
        let extra = if rule.names("modifier") {
            0
        } else {
            names.modifier
        };
        let means = Means {
            lookup: &|name, side| names.lookup(name, side),
            extra,
            dice: in_all(&effects.dice),
            targeted: !call.is_opposed() || has_one || !by_difficulty,
        };
        let mut attempt = rule
            .attempt(&means)
            .map_err(|error| attempt_refusal(error, &names))?;
        attempt.reach = call.reach.as_ref().and_then(|row| rule.rank_of(row));
        if let Some(row) = call.reach.as_deref().filter(|_| attempt.reach.is_none()) {
            let (row, Check { name, place, .. }) = (quoted(row), rule);
            let summary = format!(
                "This difficulty is reached by the row \"{row}\", and {name} ({place}) has no such row. Leave difficulty out, or \
                 send another check."
            );
            return Err(Refusal::new(Code::NoEffect, summary).at(place));
        }
        let mut price = price(rule, &attempt, chosen.attribute)
            .map_err(|error| attempt_refusal(error, &names))?;
        let payer = who.filter(|_| !call.planned);
        if let Some((place, why)) = payer.and_then(|who| unpaid(table, rule, &price, who)) {
            let summary = format!("{why}. Send what costs less, or leave the roll out.");
            return Err(Refusal::new(Code::NotEnough, summary).at(place));
        }
        if let Some(who) = payer {
            price.extend(use_of_attack(table, (rule, who), call)?);
        }
        check_dice_in_values(&attempt, &names)?;
        let unchosen = nothing_chosen(&attempt, &names)?;
        let adjustments = adjust_dice(&mut attempt, &names, &effects)?;
        if stated.is_some() {
            check_dice(system, &attempt.expression)?;
        }
        check_values(&names)?;
        // A character who lies there is struck by a check and, after it, damage.
        let lies_there =
            target.is_some_and(|target| Vitality::of(state, target.id).is_down(system));
        if !call.struck && !lies_there && !effects.of_target {
            check_target(&names)?;
        }
        // The player who asked for one of the two sees dice that are rolled as without.
        let sources = in_brackets(effects.advantage.iter().chain(&effects.disadvantage));
        let cancels = adjustments.iter().any(|adjustment| adjustment == CANCEL);
        let cancelled =
            cancels.then(|| format!("{CANCEL}{sources}: the dice are rolled as without either"));
        let mut notes: Vec<String> = cancelled.into_iter().chain(unchosen).collect();
        notes.extend(notes_on_extra(rule, extra, &modifiers, call));
        let words = call
            .values
            .iter()
            .filter(|(name, _)| names.text_given(name).is_some());
        let words = words
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        let mut looked_up = names.looked_up.into_inner();
        looked_up.counts_hidden |= effects.hidden;
        Ok(Trial {
            chosen,
            actor,
            attempt,
            modifiers,
            looked_up,
            words,
            adjustments,
            notes,
            price,
        })
    }

    pub fn by(&self) -> &str {
        self.actor
            .as_ref()
            .map_or("gm", |actor| actor.name.as_str())
    }

    pub fn roll(
        &self,
        table: &mut Table,
        purpose: &str,
        entered: Option<&mut Entered>,
    ) -> Result<Rolled> {
        let mut rolls = vec![(&self.attempt.expression, purpose)];
        rolls.extend(self.attempt.opposing.iter().map(|dice| (dice, OPPOSING)));
        let records = roll_each(table, &rolls, self.by(), "the check", entered)?;
        let none = Roll::default();
        let mut shown = records.iter().map(|record| &record.roll);
        let mut verdict =
            self.chosen
                .rule
                .verdict(&self.attempt, shown.next().unwrap_or(&none), shown.next());
        if self.is_untargeted() {
            // Without a target no row with a margin applies: the other side decides.
            verdict.judgement = None;
        }
        Ok(Rolled { records, verdict })
    }

    /// The rule, and the number to reach by it.
    pub fn aim(&self) -> (&Check, Option<i64>) {
        (self.chosen.rule, self.attempt.target)
    }

    /// Whether the rule has a target and this opposed roll needs none: the other side decides.
    pub fn is_untargeted(&self) -> bool {
        self.chosen.rule.target.is_some() && self.attempt.target.is_none()
    }
}

/// Rolls each of these dice with its purpose, or takes the faces that people `entered` for `what`.
pub fn roll_each(
    table: &mut Table,
    rolls: &[(&Expression, &str)],
    by: &str,
    what: &str,
    mut entered: Option<&mut Entered>,
) -> Result<Vec<RollRecord>> {
    if let Some(entered) = &mut entered {
        entered.next(rolls.iter().map(|(expression, _)| *expression), what);
    }
    let each = rolls
        .iter()
        .map(|(expression, purpose)| match &mut entered {
            Some(entered) => entered.roll(table, by, purpose, |roller| expression.roll(roller)),
            None => table
                .roll(expression, by, purpose)
                .map_err(|error| dice_refusal(&error)),
        });
    each.collect()
}

fn adjust_dice(
    attempt: &mut Attempt,
    names: &Names<'_>,
    effects: &FromConditions,
) -> Result<Vec<String>> {
    let mut adjustments = Vec::new();
    let sources_of = |all: &[(i64, String)], one: &str, several: &str| -> Vec<String> {
        all.iter()
            .map(|(many, why)| format!("{} ({why})", signed_count(*many, one, several)))
            .collect()
    };
    if attempt.pool.is_some() {
        adjustments.extend(sources_of(&effects.dice, "die", "dice"));
    }
    if let Some(expression) = apply_mode(
        names,
        (&attempt.expression, attempt.added),
        effects,
        &mut adjustments,
    )? {
        attempt.expression = expression;
    }
    // The dice that advantage brings take the steps, too.
    let asked = names.call.steps;
    let steps = asked.saturating_add(in_all(&effects.steps));
    if steps != 0 {
        let sources = sources_of(&effects.steps, "step", "steps");
        match apply_chain(names, &attempt.expression, steps) {
            Ok((expression, note)) => {
                attempt.expression = expression;
                adjustments.push(note);
                adjustments.extend(sources);
            }
            Err(refusal) if asked != 0 => return Err(refusal),
            Err(_) => adjustments.push(format!(
                "{}: the main die is on no dice chain",
                sources.join("; ")
            )),
        }
    }
    Ok(adjustments)
}

/// The expression with advantage or disadvantage; `None` with neither, or with both, which cancel.
/// Where the rules have none for this check, a call's is refused and a condition's is noted.
fn apply_mode(
    names: &Names<'_>,
    (expression, added): (&Expression, i64),
    effects: &FromConditions,
    adjustments: &mut Vec<String>,
) -> Result<Option<Expression>> {
    let call = names.call;
    let high = call.advantage || !effects.advantage.is_empty();
    let low = call.disadvantage || !effects.disadvantage.is_empty();
    let (mode, asked, sources) = match (high, low) {
        (true, false) => (Mode::Advantage, call.advantage, &effects.advantage),
        (false, true) => (Mode::Disadvantage, call.disadvantage, &effects.disadvantage),
        (true, true) => {
            adjustments.push(CANCEL.to_owned());
            return Ok(None);
        }
        (false, false) => return Ok(None),
    };
    let word = mode.as_str();
    let found = find_swap(names, mode, expression);
    if found.is_err() && !asked {
        let sources = sources.join("; ");
        adjustments.push(format!(
            "{sources} asks for {word}, which these rules do not say how to roll"
        ));
        return Ok(None);
    }
    let swap = found?;
    // Dice that the check's words roll instead of all are as many more as those would be.
    let more = if swap.how == SwapHow::ReplacesAll {
        in_all(&effects.dice)
    } else {
        0
    };
    let dice = swap
        .roll
        .with_more_dice(more, 0)
        .bind_with(&mut |name| names.lookup(name, Side::Actor));
    let missing = |names: &[String]| {
        format!(
            "The rule for it needs {}, which has no value.",
            names.join(", ")
        )
    };
    let dice = dice.map_err(|error| match error {
        BindError::Missing(names) => Refusal::new(Code::MissingValue, missing(&names)),
        BindError::Dice(error) => dice_refusal(&error),
    })?;
    let changed = match swap.how {
        SwapHow::ReplacesAll => dice.plus(added),
        SwapHow::ReplacesOne => expression.replace_main_die(&dice),
        SwapHow::Added => parse(&format!("{expression} + {dice}")),
    };
    adjustments.push(format!(
        "{word}{}: {}, {}",
        in_brackets(sources),
        swap.roll,
        swap.place
    ));
    changed.map(Some).map_err(|error| dice_refusal(&error))
}

fn find_swap<'s>(names: &Names<'s>, mode: Mode, expression: &Expression) -> Result<Swap<'s>> {
    let (system, rule) = (names.values.system, names.chosen.rule);
    let (word, Check { name, place, .. }) = (mode.as_str(), rule);
    let swap = system.swap(mode, rule);
    let is_known = swap.is_some();
    // A value may have replaced the d20.
    let is_single = || expression.main_count() == 1 && expression.main_die() == rule.main_die();
    if let Some(swap) = swap.filter(|swap| swap.how != SwapHow::ReplacesOne || is_single()) {
        return Ok(swap);
    }
    let summary = match rule.swap_line(mode) == Some(&Added::None) {
        true if !is_known => format!("{name} ({place}) has no {word}"),
        _ if is_known || system.has_usual_advantage() => format!(
            "{name} ({place}) rolls {expression}, and {word} stands for a single d20 where these rules say nothing of it"
        ),
        _ => format!("These rules have no {word}"),
    };
    let instead = if rule.uses_result() {
        ", or with a modifier."
    } else {
        "."
    };
    let summary = format!("{summary}. Send the check without {word}{instead}");
    Err(Refusal::new(Code::InvalidAdvantageUsage, summary).at(place))
}

/// The expression with its main die moved along the dice chain, at most to its end, and a note.
fn apply_chain(
    names: &Names<'_>,
    expression: &Expression,
    steps: i64,
) -> Result<(Expression, String)> {
    let Some(chain) = names
        .chosen
        .rule
        .chain
        .as_ref()
        .or(names.values.system.chain.as_ref())
    else {
        let summary = "These rules have no dice chain, so steps mean nothing. Send the check without steps, or with a \
                       modifier.";
        return Err(Refusal::new(Code::NoDiceChain, summary));
    };
    let (place, die) = (&chain.place, expression.main_die());
    let Some((die, moved)) = die.and_then(|die| chain.moved(&die, steps).map(|moved| (die, moved)))
    else {
        let dice = chain.list();
        let summary = format!(
            "The main die of {expression} is not on the dice chain ({dice}). Send the check without steps."
        );
        return Err(Refusal::new(Code::NoDiceChain, summary).at(place));
    };
    let note = format!("dice chain {steps:+}: {die} to {moved}, {place}");
    let expression = expression
        .with_main_die(moved)
        .map_err(|error| dice_refusal(&error))?;
    Ok((expression, note))
}

/// Refuses dice in the call's values that the adventure lacks; the rule's dice are always allowed.
fn check_dice_in_values(attempt: &Attempt, names: &Names<'_>) -> Result<()> {
    let rule = names.chosen.rule;
    if !rule
        .variables()
        .iter()
        .any(|name| names.text_given(name).is_some())
    {
        return Ok(());
    }
    let mut lookup = |name: &str| match names.lookup(name, Side::Actor) {
        // As many members as there are dice, so that as many can be kept.
        Some(Bound::Dice(text)) => Some(Bound::Dice(vec!["1"; text.split(',').count()].join(","))),
        other => other,
    };
    let of_rule = rule
        .roll
        .bind_with(&mut lookup)
        .map(|bound| bound.dice())
        .unwrap_or_default();
    let foreign = attempt
        .expression
        .dice()
        .into_iter()
        .filter(|die| !of_rule.iter().any(|known| known.same_as(die)));
    foreign
        .into_iter()
        .try_for_each(|die| check_die(names.values.system, &die))
}

/// " (Prone, System.md:12; Blessed, System.md:14)"; empty without sources.
fn in_brackets<'a>(sources: impl IntoIterator<Item = &'a String>) -> String {
    let sources: Vec<&str> = sources.into_iter().map(String::as_str).collect();
    if sources.is_empty() {
        String::new()
    } else {
        format!(" ({})", sources.join("; "))
    }
}

/// Parameters beside `values`: a word under such a name would be logged, as if it counted.
const PARAMETERS: [&[&str]; 2] = [
    &[
        "target",
        "character",
        "skill",
        "attribute",
        "check",
        "advantage",
        "disadvantage",
    ],
    &["damage", "attack", "again", "end turn", "opposed by"],
];

/// Refuses a number that the rule does not name, a parameter's name for a word. Others are logged.
fn check_values(names: &Names<'_>) -> Result<()> {
    let (of, rule, used) = (
        names.call.prefix(),
        names.chosen.rule,
        &names.looked_up.borrow().used,
    );
    let is_used = |name: &str| {
        let looked_up = used.iter().any(|used| fold(&used.name) == name);
        looked_up || rule.names(name) || name == "modifier" || name == "difficulty"
    };
    let mut unused = names.given.iter().filter(|(name, _)| !is_used(name));
    let mut misplaced = unused
        .clone()
        .filter(|(_, value)| matches!(value, Bound::Dice(_)));
    let parameter = |name: &str| {
        PARAMETERS
            .concat()
            .into_iter()
            .find(|parameter| same(parameter, name))
    };
    if let Some(name) = misplaced.find_map(|(name, _)| parameter(name)) {
        let name = name.replace(' ', "_");
        let summary = format!(
            "{of}values.{name} would change nothing: {name} is a parameter of its own. Send {name} beside values."
        );
        return Err(Refusal::new(Code::NoEffect, summary).did_you_mean(vec![name]));
    }
    let Some((name, _)) = unused.find(|(_, value)| matches!(value, Bound::Number(_))) else {
        return Ok(());
    };
    let suggestions = suggest(name, rule.variables().iter().map(String::as_str));
    let instead = match suggestions.first() {
        Some(first) if of.is_empty() => format!("Send values={{\"{first}\": …}}"),
        Some(first) => format!("Send \"values\": {{\"{first}\": …}} in opposed_by"),
        None => "Leave it out".to_owned(),
    };
    let (name, roll) = (quoted(name), rule.render_roll());
    let advice = modifier_advice(
        rule,
        "; what makes it easier or harder is the call's modifier",
    );
    let summary = format!("{of}values.{name} would change nothing: {roll}. {instead}{advice}.");
    Err(Refusal::new(Code::NoEffect, summary)
        .did_you_mean(suggestions)
        .at(&rule.place))
}

/// Refuses a number outside what the rule asks for, and what is no attribute or skill.
fn check_asked(names: &Names<'_>) -> Result<()> {
    let (call, rule, system) = (names.call, names.chosen.rule, names.values.system);
    let place = rule
        .bullet("Asks")
        .map_or(&rule.place, |bullet| &bullet.place);
    for ask in &rule.asks {
        let sent = names.given.get(&fold(&ask.name));
        let text = sent.map(|sent| match sent {
            Bound::Dice(text) => text.clone(),
            Bound::Number(number) => number.to_string(),
        });
        let found = match (&ask.from, text) {
            (AskedFrom::Attributes, Some(text)) => {
                system.find_by_words(System::attribute, &text).map(drop)
            }
            (AskedFrom::Skills, Some(text)) => system.find_by_words(System::skill, &text).map(drop),
            (
                AskedFrom::Attributes | AskedFrom::Skills | AskedFrom::Range(..) | AskedFrom::Dice,
                _,
            ) => Ok(()),
        };
        found.map_err(|unknown| {
            lookup::unknown(
                unknown,
                &format!("{}values.{}", call.prefix(), ask.name),
                "",
            )
        })?;
        let value = match sent {
            Some(Bound::Number(number)) => Some(*number),
            Some(Bound::Dice(_)) => None,
            None => call.difficulty.filter(|_| same(&ask.name, "difficulty")),
        };
        let outside = |(value, (low, high)): &(i64, (i64, i64))| !(*low..=*high).contains(value);
        if let Some((value, (low, high))) = value.zip(ask.range()).filter(outside) {
            let (of, check) = (
                if call.opposing {
                    "opposed_by.values."
                } else {
                    ""
                },
                &rule.name,
            );
            let (sent, asked) = (quoted(&ask.name), &ask.name);
            let summary = format!(
                "{of}{sent} is {value}; {check} asks for {asked} {low} to {high} ({place}). Send one of those."
            );
            return Err(Refusal::new(Code::InvalidParameters, summary).at(place));
        }
    }
    Ok(())
}

fn check_target(names: &Names<'_>) -> Result<()> {
    let (rule, is_asked) = (names.chosen.rule, names.looked_up.borrow().target_asked);
    let is_used = is_asked || rule.rows.iter().any(|row| !row.effects.is_empty());
    let Some(target) = names.target.filter(|_| !is_used) else {
        return Ok(());
    };
    let (roll, who) = (rule.render_roll(), &target.name);
    let summary = format!(
        "target would change nothing: {roll}, and nothing of that is {who}'s. Leave it out; context says for the record whom \
         it is tried against."
    );
    Err(Refusal::new(Code::NoEffect, summary).at(&rule.place))
}

/// Refuses a difficulty that neither side's rule uses, unless it equals the target.
pub fn check_difficulty(
    call: &CheckCall,
    mine: &Trial<'_>,
    other: Option<&Trial<'_>>,
) -> Result<()> {
    let is_used =
        |side: &Trial<'_>| side.looked_up.difficulty_used || side.chosen.rule.names("difficulty");
    let is_sent =
        call.difficulty.is_some() || call.values.keys().any(|name| same(name, "difficulty"));
    let Trial {
        chosen,
        attempt,
        looked_up,
        ..
    } = mine;
    let is_target = call.difficulty.is_some() && attempt.target == call.difficulty;
    if !is_sent || is_target || is_used(mine) || other.is_some_and(is_used) {
        return Ok(());
    }
    let rule = chosen.rule;
    // ", which is armour class 16 (Grice's sheet)".
    let in_target = looked_up
        .used
        .iter()
        .filter(|part| rule.names_in_target(&fold(&part.name)));
    let sources: Vec<String> = in_target
        .map(|part| format!("{} {} ({})", part.name, part.value, part.from))
        .collect();
    let sources = if sources.is_empty() {
        String::new()
    } else {
        format!(", which is {}", sources.join(", "))
    };
    let roll = rule.render_roll();
    let advice = modifier_advice(
        rule,
        "; what makes it easier or harder is modifier, such as modifier=-2",
    );
    let summary =
        format!("A difficulty would change nothing: {roll}{sources}. Leave it out{advice}.");
    Err(Refusal::new(Code::NoEffect, summary).at(&rule.place))
}

/// Refuses values that a follow-up cannot change: it keeps its dice, its target and its modifiers.
pub fn check_follow_up_call(call: &CheckCall, rule: &FollowUp) -> Result<()> {
    let sent = [
        ("difficulty", call.difficulty.is_some()),
        ("modifier", call.modifier != 0),
        ("steps", call.steps != 0),
        ("advantage", call.advantage),
        ("disadvantage", call.disadvantage),
        ("target", call.target.is_some()),
        ("opposed_by", call.opposed_by.is_some()),
    ];
    let sent = sent
        .into_iter()
        .find(|(_, sent)| *sent)
        .map(|(name, _)| name.to_owned());
    let value = call
        .values
        .keys()
        .find(|name| !rule.asks.iter().any(|(asked, ..)| same(asked, name)));
    let Some(sent) = sent.or_else(|| value.map(|name| format!("values.{}", quoted(name)))) else {
        return Ok(());
    };
    let FollowUp { name, place, .. } = rule;
    let summary = format!(
        "{sent} would change nothing: {name} ({place}) follows the roll with its own target and modifiers. Leave it out."
    );
    Err(Refusal::new(Code::NoEffect, summary).at(place))
}

fn modifier_advice(rule: &Check, words: &'static str) -> &'static str {
    if rule.uses_result() && rule.count.is_none() {
        words
    } else {
        ""
    }
}
