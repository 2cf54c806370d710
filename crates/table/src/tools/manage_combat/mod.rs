//! `manage_combat`: a fight from its preparation to its end.

mod params;
mod reply;

pub use reply::{next_up, players_text, shared};
mod template;

use super::page::{self, Page};
use super::parameter::Whom;
use super::tool::{Alias, Call, Category, Tool};
use crate::session::{Answer, CallError, Host, Purpose, ReplyDetail};
use params::{Action, InitiativeBy, Params};
use rollbook_game::decide::combat::{self, EffectCall, StartCall};
use rollbook_game::refusal::{Code, Refusal};
use rollbook_game::table::Table;

pub struct ManageCombat;

impl Tool for ManageCombat {
    const NAME: &'static str = "manage_combat";
    const TITLE: &'static str = "Run a fight";
    const DESCRIPTION: &'static str = "start names everybody in the fight, or begins what create prepared, and rolls initiative; next_turn ends the \
        current turn and begins the next, previous_turn takes that back; status shows all; only end closes it. structure changes between turns \
        and narrative, where next_round counts. The defeated are passed over, never removed. Whoever is added above the current one waits for \
        the next round. delay lets others go first until return or the round's end.";
    const CATEGORY: Category = Category::Combat;
    const HOT: bool = true;
    const UNTOUCHED: &'static str = "Nothing was rolled or changed.";
    const ALIASES: &'static [Alias] = &[
        (&["participants", "characters"], "combatants"),
        (&["target", "character"], "combatant"),
        (&["effect", "condition"], "name"),
        (&["bearer"], "on"),
    ];
    const WORDS: &'static [(&'static str, &'static str, &'static str)] = &[
        ("action", "begin", "action=\"start\""),
        ("action", "next", "action=\"next_turn\""),
        ("action", "get_state", "action=\"status\""),
        ("action", "apply_damage", "apply_damage"),
        (
            "action",
            "add_condition",
            "manage_character action=\"add_condition\" character=$combatant",
        ),
        (
            "action",
            "remove_condition",
            "manage_character action=\"remove_condition\" character=$combatant",
        ),
        ("action", "end_turn", "action=\"next_turn\""),
        ("action", "end_round", "action=\"next_round\""),
        ("action", "round", "action=\"next_round\""),
        ("action", "change_structure", "action=\"structure\""),
        (
            "action",
            "attack",
            "skill_check character=$combatant; resolves an attack, apply_damage its damage",
        ),
        ("action", "damage", "apply_damage"),
        ("action", "heal", "apply_damage amount=-$amount"),
        (
            "action",
            "move",
            "where everybody stands is not kept; end a turn with \"next_turn\", or let somebody leave with \"remove\"",
        ),
        ("action", "kill", "action=\"defeat\", or apply_damage"),
        ("action", "delete", "action=\"remove\""),
        ("action", "list", "action=\"status\""),
    ];
    const BRIEF: &'static [&'static str] = &["round", "current", "began", "ended"];
    type Params = Params;
    type Reply = reply::Reply;

    async fn call(
        host: &Host,
        mut call: Call,
        params: Params,
    ) -> Result<Answer<Self::Reply>, CallError> {
        let reads = params.action == Action::Status;
        let purpose = if reads { Purpose::Read } else { Purpose::Write };
        let pages = params
            .combatants
            .iter()
            .map(|combatant| page::page(host, combatant.from.as_deref()));
        let pages: Vec<Option<Page>> = pages.collect::<Result<_, Refusal>>()?;
        let blocks: Vec<Option<String>> = params
            .combatants
            .iter()
            .map(|one| template::of_bare(host, one))
            .collect();
        let campaign = host.campaign(call.campaign.as_deref(), purpose).await?;
        if reads {
            return campaign
                .read(call.request, |view| {
                    Ok(reply::status(view.state, &view.setting.system))
                })
                .await;
        }
        call.request.last_turn = params.action == Action::PreviousTurn;
        let made = campaign
            .write(call.request, move |table| {
                template::check_bare(table, &params.combatants, &blocks)?;
                manage(table, params, &pages, call.detail)
            })
            .await;
        made.map_err(|error| match error {
            CallError::Refusal(refusal)
                if refusal.code == Code::UnknownTemplate && refusal.did_you_mean.is_empty() =>
            {
                template::advise(host, refusal).into()
            }
            other @ (CallError::Refusal(_) | CallError::Failure(_)) => other,
        })
    }
}

fn manage(
    table: &mut Table,
    mut params: Params,
    pages: &[Option<Page>],
    detail: ReplyDetail,
) -> Result<Answer<reply::Reply>, Refusal> {
    let action = params.action;
    match action {
        Action::Create | Action::Start => {
            let by_kind = params.initiative.map(|by| by == InitiativeBy::Kind);
            let structure = params.structure.map(Into::into);
            let combatants = params.newcomers(table.system(), pages)?;
            let call = StartCall {
                combatants,
                title: params.title,
                by_kind,
                structure,
            };
            match action {
                Action::Create => combat::create(table, &call)?,
                _ => combat::start(table, &call)?,
            }
        }
        Action::Add => {
            let newcomers = params.newcomers(table.system(), pages)?;
            combat::add(table, &newcomers, params.acts_now.unwrap_or(false))?;
        }
        Action::NextTurn => {
            if let Some(whose) = params.one()? {
                combat::check_turn_of(table, Some(&whose))?;
            }
            combat::next_turn(table)?;
        }
        Action::PreviousTurn => combat::previous_turn(table)?,
        Action::NextRound => combat::next_round(table)?,
        Action::Structure => combat::change_structure(table, params.structure.map(Into::into))?,
        Action::RollInitiative => {
            let listed = params
                .combatants
                .iter()
                .map(|combatant| combatant.name.clone());
            let names: Vec<String> = params.combatant.into_iter().chain(listed).collect();
            combat::roll_initiative(table, &names)?;
        }
        Action::Remove => each(table, &params, combat::remove)?,
        Action::Defeat => each(table, &params, combat::defeat)?,
        Action::Revive => each(table, &params, combat::revive)?,
        Action::Hide => each(table, &params, combat::hide)?,
        Action::Reveal => match params.name.take() {
            Some(name) => combat::reveal_effect(table, &name, &bearers(&mut params)?)?,
            None => each(table, &params, combat::reveal)?,
        },
        Action::Update => {
            let acts_now = params.acts_now.unwrap_or(false);
            let alone = acts_now || params.combatants.is_empty();
            let sides = params
                .combatants
                .iter()
                .map(|combatant| Ok((combatant.name.clone(), combatant.side()?)));
            let single = params
                .combatant
                .iter()
                .filter(|_| alone)
                .map(|name| Ok((name.clone(), None)));
            let named: Vec<(String, Option<String>)> =
                single.chain(sides).collect::<Result<_, Refusal>>()?;
            params.whom()?;
            named.into_iter().try_for_each(|(name, side)| {
                combat::update(table, &name, side.as_deref(), acts_now)
            })?;
        }
        Action::SetInitiative => {
            params.whom()?;
            // A combatant that is named beside a list is in it, with the number.
            let single = params
                .combatant
                .iter()
                .filter(|_| params.combatants.is_empty())
                .map(|name| (name.clone(), None));
            let (several, listed): (Vec<_>, Vec<_>) = params
                .combatants
                .iter()
                .partition(|combatant| !combatant.initiatives.is_empty());
            let listed = listed
                .into_iter()
                .map(|combatant| (combatant.name.clone(), combatant.initiative));
            let all: Vec<(String, Option<i64>)> = single.chain(listed).collect();
            all.into_iter()
                .try_for_each(|(name, number)| combat::set_initiative(table, &name, number))?;
            several.into_iter().try_for_each(|combatant| {
                combat::set_turns(table, &combatant.name, &combatant.initiatives)
            })?;
        }
        Action::Delay => combat::delay(table, params.one()?.as_deref())?,
        Action::Return => combat::call_back(table, params.one()?.as_deref())?,
        Action::Ready => combat::ready(table, params.one()?.as_deref(), params.trigger)?,
        Action::AddEffect => combat::add_effect(table, &effect(params)?)?,
        Action::RemoveEffect => {
            let on = bearers(&mut params)?;
            let name = params.name.ok_or_else(|| {
                Refusal::new(
                    Code::MissingValue,
                    "Which effect ends? Send name=\"Bless\", and on=\"Aria\" for hers alone.",
                )
            })?;
            combat::remove_effect(table, &name, &on)?;
        }
        Action::End => combat::end(table, params.outcome)?,
        Action::Status => {}
    }
    let whole = matches!(
        action,
        Action::Create | Action::Start | Action::Structure | Action::Status
    );
    Ok(reply::written(table, whole, detail))
}

fn each(
    table: &mut Table,
    params: &Params,
    act: impl Fn(&mut Table, &str) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    params.whom()?.iter().try_for_each(|name| act(table, name))
}

/// Who bears the effect; nobody where the call names nobody.
fn bearers(params: &mut Params) -> Result<Vec<String>, Refusal> {
    match params.on.take().map(Whom::names) {
        Some(names) if names.is_empty() => {
            let summary = "on names nobody. Send on=\"Aria\", or leave it out.";
            Err(Refusal::new(Code::InvalidParameters, summary))
        }
        Some(names) => Ok(names),
        // A combatant that is named alone bears the effect, not the one whose turn it is.
        None => Ok(params.one()?.into_iter().collect()),
    }
}

fn effect(mut params: Params) -> Result<EffectCall, Refusal> {
    let (by, on) = (params.one()?, bearers(&mut params)?);
    Ok(EffectCall {
        name: params.name.ok_or_else(|| {
            Refusal::new(
                Code::MissingValue,
                "Which effect? Send name=\"Bless\" on=\"Aria\" duration=\"for 10 rounds\".",
            )
        })?,
        on,
        by,
        duration: params.duration,
        anchor: params.anchor,
        ends: params.ends,
        exclusive: params.exclusive,
        hidden: params.hidden.unwrap_or(false),
    })
}
