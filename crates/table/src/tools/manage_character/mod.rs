//! `manage_character`: makes and changes characters.

mod create;
mod params;

use schemars::JsonSchema;
use serde::Serialize;

use params::{Action, Format, Params};

use super::page::{self, Page};
use super::parameter::Whom;
use super::reply;
use super::roll_reply::Rolls;
use super::schema::Object;
use super::tool::{Alias, Call, Category, Tool};
use crate::session::live::View;
use crate::session::{Answer, CallError, Common, Host, Purpose, ReplyDetail};
use rollbook_game::decide::advancement::{self, Award};
use rollbook_game::decide::character::{self, SheetCall};
use rollbook_game::decide::condition::{self, ConditionCall};
use rollbook_game::decide::{items, rest};
use rollbook_game::import;
use rollbook_game::mechanics::health::Defence;
use rollbook_game::mechanics::lookup;
use rollbook_game::record::event::{
    Awarded, CharacterCreated, CharacterUpdated, DamageEvent, Event, Field, Improved, Items,
    LevelUp, Rested, Retired, Subject,
};
use rollbook_game::record::state::Character;
use rollbook_game::refusal::{Code, Detail, Refusal};
use rollbook_game::table::Table;
use rollbook_game::view::sheet;
use rollbook_rules::System;
use rollbook_text::names::{quoted, suggest};

pub struct ManageCharacter;

/// What a character has become, or how one is written down.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Reply {
    Changed(Changed),
    Exported { character: String, document: String },
}

/// The character as it is now.
#[derive(Serialize, JsonSchema)]
pub struct Changed {
    character: String,
    /// {field, before, after}
    #[schemars(with = "Vec<Object>")]
    changed: Vec<Field>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    triggers: Vec<String>,
    missing: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sheet: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    undo: Option<u64>,
    #[serde(flatten)]
    #[schemars(skip)]
    rolls: Rolls,
}

/// Placeholder for what the rules have against damage; [`Tool::advise_by_rules`] fills it in.
const DEFENCES: &str = "tracks=…";

impl Tool for ManageCharacter {
    const NAME: &'static str = "manage_character";
    const TITLE: &'static str = "Make or change a character";
    const DESCRIPTION: &'static str = "Makes and changes characters. award and level_up follow the rules' Advancement; rest: also the end of a scene; retire: out of \
        the story, or back. Scores are checked against System.md; tracks are worked out from it. The reply lists what the rules still ask for.";
    const CATEGORY: Category = Category::Characters;
    const SEARCH_HINT: &'static str =
        "make a character, level up, inventory, gear, rest, import a monster, sheet";
    const ALIASES: &'static [Alias] = &[
        (&["rest", "type"], "kind"),
        (&["target"], "character"),
        (
            &["amount"],
            "quantity of give, xp of award; hit points: apply_damage amount",
        ),
        (&["reason"], "override_reason"),
        (&["is_player"], "kind=\"player\""),
        (&["is_npc"], "kind=\"npc\""),
        (&["template"], "from"),
        (
            &[
                "resistances",
                "resistance",
                "vulnerabilities",
                "vulnerability",
                "immunities",
                "immunity",
                "weaknesses",
            ],
            DEFENCES,
        ),
    ];
    const WORDS: &'static [(&'static str, &'static str, &'static str)] = &[
        (
            "action",
            "delete",
            "action=\"retire\"; nobody is deleted, that takes them out of the story",
        ),
        (
            "action",
            "remove",
            "action=\"retire\" takes a character out of the story, \"remove_condition\" a condition away",
        ),
        (
            "action",
            "kill",
            "apply_damage takes the hit points; action=\"retire\" takes a character out of the story",
        ),
        ("action", "get", "get_character"),
        ("action", "long_rest", "action=\"rest\" kind=\"long rest\""),
        (
            "action",
            "short_rest",
            "action=\"rest\" kind=\"short rest\"",
        ),
        ("action", "list", "get_character list=true"),
        ("action", "heal", "apply_damage amount=-$amount"),
        ("action", "damage", "apply_damage"),
        ("action", "set_hp", "action=\"update\""),
        ("action", "xp", "action=\"award\" xp=$amount"),
        ("action", "add_xp", "action=\"award\""),
        (
            "action",
            "remove_item",
            "action=\"award\" inventory=[{\"name\": $item, \"quantity\": -1}]; takes what is used up, \"give\" hands it on",
        ),
        (
            "action",
            "use_item",
            "action=\"award\" inventory=[{\"name\": $item, \"quantity\": -1}]; takes what is used up",
        ),
        (
            "action",
            "drop",
            "action=\"award\" inventory=[{\"name\": $item, \"quantity\": -1}]; takes what is lost",
        ),
        (
            "action",
            "add_item",
            "action=\"award\" inventory=[{\"name\": $item}]; hands things out",
        ),
        (
            "action",
            "add",
            "action=\"create\" makes a character; \"award\" hands things out",
        ),
    ];
    const DESTRUCTIVE: bool = true;
    const BRIEF: &'static [&'static str] = &["character", "document"];
    type Params = Params;
    type Reply = Reply;

    fn advise_by_rules(system: &System, bad: &mut Detail) {
        if bad.valid_range != DEFENCES {
            return;
        }
        let defence = Defence::from_label(&bad.parameter);
        let rule = system
            .defences
            .iter()
            .find(|rule| defence.is_some_and(|defence| defence.matches(rule)));
        bad.valid_range = match rule {
            Some(rule) if rule.rule.from.is_empty() => {
                format!("tracks={{\"{} (cold)\": 1}}, as the rules call it", rule.rule.name)
            }
            Some(rule) => format!("tracks={{\"{}\": 1}}, as the rules call it", rule.rule.name),
            None => "notes, since these rules have nothing of the kind; apply_damage takes half=true, or the amount that is left".to_owned(),
        };
    }

    async fn call(host: &Host, call: Call, params: Params) -> Result<Answer<Reply>, CallError> {
        params.action.refuse_unread(&params)?;
        if params.action == Action::Export {
            let campaign = host
                .campaign(call.campaign.as_deref(), Purpose::Read)
                .await?;
            return campaign
                .read(call.request, |view| exported(view, &params))
                .await;
        }
        let makes = matches!(params.action, Action::Create | Action::Import);
        let from = params.from.as_deref().filter(|_| makes);
        let page = page::page(host, from)?;
        // The adventure's character of that name, where the campaign has none.
        let ready = from.filter(|_| page.is_none());
        let ready = ready.and_then(|name| host.adventure().ready_made_named(name));
        let ready = page::page(host, ready.as_deref())?;
        let campaign = host
            .campaign(call.campaign.as_deref(), Purpose::Write)
            .await?;
        campaign
            .write(call.request, move |table| {
                manage(table, params, (page, ready), call.detail)
            })
            .await
    }
}

fn manage(
    table: &mut Table,
    mut params: Params,
    (page, ready): (Option<Page>, Option<Page>),
    detail: ReplyDetail,
) -> Result<Answer<Reply>, Refusal> {
    match params.action {
        Action::Create => create::create(table, params, page, ready)?,
        Action::Import => create::import(table, params, page)?,
        Action::Update => {
            let (who, kind) = (params.named(table)?, params.kind()?);
            character::update(
                table,
                &who,
                SheetCall {
                    kind,
                    ..params.sheet()
                },
            )?;
        }
        Action::AddCondition | Action::RemoveCondition => conditioned(table, params)?,
        Action::Rest => rest::rest(table, params.whom().as_deref(), params.kind.as_deref())?,
        Action::Award => {
            let (items, advance) = (
                std::mem::take(&mut params.inventory),
                std::mem::take(&mut params.advance),
            );
            let award = Award {
                xp: params.xp,
                items,
                advance,
                reason: params.reason(),
            };
            advancement::award(table, params.whom().as_deref(), &award)?;
        }
        Action::LevelUp => {
            let who = params.whom();
            // The rules decide the new level and the experience that is left.
            let sheet = SheetCall {
                name: None,
                level: None,
                xp: None,
                ..params.sheet()
            };
            advancement::level_up(table, who.as_deref(), &sheet)?;
        }
        Action::Give => {
            let from = params.named(table)?;
            let (Some(item), Some(to)) = (&params.item, &params.to) else {
                let item = params.item.as_deref().unwrap_or("rope");
                let summary = format!(
                    "give needs item and to: item=\"{0}\" to=\"…\". What is used up or lost goes with action=\"award\" character=\"{from}\" \
                     inventory=[{{\"name\": \"{0}\", \"quantity\": -1}}].",
                    quoted(item)
                );
                return Err(Refusal::new(Code::InvalidParameters, summary));
            };
            items::give(table, &from, item, params.quantity, to)?;
        }
        Action::Retire => character::retire(table, &params.named(table)?)?,
        Action::Export => {}
    }
    Ok(changed(table, detail))
}

fn conditioned(table: &mut Table, params: Params) -> Result<(), Refusal> {
    let Some(condition) = params.condition.clone() else {
        return Err(which_condition(table, &params));
    };
    let on = bearers(&params)?;
    if params.action == Action::RemoveCondition {
        return condition::remove(table, &on, &condition);
    }
    let condition = params
        .level
        .map_or_else(|| condition.clone(), |level| format!("{condition} {level}"));
    let (duration, source, free) = (params.duration, params.source, params.free.unwrap_or(false));
    let call = ConditionCall {
        on,
        condition,
        duration,
        source,
        free,
    };
    condition::add(table, &call)
}

/// Whose condition it is; the only player character's where nobody is named.
fn bearers(params: &Params) -> Result<Vec<String>, Refusal> {
    let whom = params.whom();
    match (params.on.clone().map(Whom::names), whom) {
        (Some(_), Some(whom)) => {
            let summary = format!(
                "on says whose condition it is, and so does character=\"{}\". Send on alone, with everybody.",
                quoted(&whom)
            );
            Err(Refusal::new(Code::InvalidParameters, summary))
        }
        (Some(names), None) => Ok(names),
        (None, whom) => Ok(vec![whom.unwrap_or_else(|| "player".to_owned())]),
    }
}

/// The refusal of a call without `condition`, which may have been sent as `name`.
fn which_condition(table: &Table, params: &Params) -> Refusal {
    let known: Vec<&str> = table.system().condition_names().collect();
    let first = known.first().copied().unwrap_or("Frightened");
    let is_known = |name: &str| lookup::character(table.state, table.system(), name).is_ok();
    let summary = match params
        .name
        .as_deref()
        .filter(|name| params.character.is_some() || !is_known(name))
    {
        Some(name) => {
            let meant = suggest(name, known.iter().copied());
            let meant = meant
                .first()
                .map_or_else(|| quoted(name), |known| quoted(known));
            format!(
                "The condition goes in condition; name is whose it is. Send condition=\"{meant}\" in place of name."
            )
        }
        None => format!(
            "Which condition? Send condition=\"{}\" or another.",
            quoted(first)
        ),
    };
    Refusal::new(Code::InvalidParameters, summary)
}

fn exported(view: &View, params: &Params) -> Result<Answer<Reply>, Refusal> {
    let (state, system) = (view.state, &*view.setting.system);
    let who = match params.whom() {
        Some(who) => lookup::character(state, system, &who)?,
        None => lookup::sole_player(state, system)?,
    };
    let common = Common::of(format!("{}, as {}.", who.name, params.format()));
    let document = match params.format.unwrap_or_default() {
        Format::Json => import::export(state, who),
        Format::Markdown => sheet::render(state, system, who, true),
    };
    Ok(Answer::new(
        common,
        Reply::Exported {
            character: who.name.clone(),
            document,
        },
    ))
}

fn condition_fields(event: &DamageEvent) -> Vec<Field> {
    let field = |before, after| Field {
        field: "condition".to_owned(),
        before,
        after,
    };
    let lost = event
        .lost
        .iter()
        .map(|name| field(Some(name.clone()), None));
    lost.chain(
        event
            .gained
            .iter()
            .map(|name| field(None, Some(name.clone()))),
    )
    .collect()
}

/// The character that an entry is about, what it changed, and the triggers that fired.
fn changes(event: &Event) -> Option<(&Subject, Vec<Field>, &[String])> {
    Some(match event {
        Event::CharacterCreated(CharacterCreated { subject, .. })
        | Event::Retired(Retired { subject, .. }) => (subject, Vec::new(), &[]),
        Event::CharacterUpdated(CharacterUpdated {
            subject,
            fields,
            triggers,
            ..
        })
        | Event::LevelUp(LevelUp {
            subject,
            fields,
            triggers,
            ..
        })
        | Event::Rested(Rested {
            subject,
            fields,
            triggers,
            ..
        }) => (subject, fields.clone(), triggers),
        Event::Items(Items {
            subject, fields, ..
        })
        | Event::Awarded(Awarded {
            subject, fields, ..
        })
        | Event::Improved(Improved { subject, fields }) => (subject, fields.clone(), &[]),
        Event::Damage(event) => (&event.subject, condition_fields(event), &event.triggers),
        _ => return None,
    })
}

fn changed(table: &Table, detail: ReplyDetail) -> Answer<Reply> {
    let common = reply::common(table);
    let mut entries = table
        .call_entries()
        .filter_map(|written| changes(&written.entry.event));
    let Some((subject, mut changed, triggers)) = entries.next() else {
        return Answer::new(common, None);
    };
    let mut triggers = triggers.to_vec();
    let party = party(table);
    let several = party.len() > 1;
    if several {
        changed = with_name(subject, changed);
    }
    for (other, fields, fired) in entries.filter(|(other, ..)| several || other.id == subject.id) {
        changed.extend(if several {
            with_name(other, fields)
        } else {
            fields
        });
        triggers.extend_from_slice(fired);
    }
    let Some(row) = table.state.characters.get(&subject.id) else {
        return Answer::new(common, None);
    };
    let missing = character::missing(table.state, table.system(), row);
    let common = Common {
        next: next(table, row, &missing).or(common.next),
        ..common
    };
    // Several characters have no common sheet.
    let sheet = (!several).then(|| sheet::render(table.state, table.system(), row, true));
    let character = if several {
        party.join(", ")
    } else {
        row.name.clone()
    };
    let undo = table.first_entry;
    let rolls = Rolls::of(table, detail);
    Answer::new(
        common,
        Reply::Changed(Changed {
            character,
            changed,
            triggers,
            missing,
            sheet,
            undo,
            rolls,
        }),
    )
}

/// The names of those who rested, were awarded or had a condition put on, each once.
fn party<'t>(table: &'t Table<'_>) -> Vec<&'t str> {
    let mut names = Vec::new();
    for written in table.call_entries() {
        if let Event::Rested(Rested { subject, .. })
        | Event::Awarded(Awarded { subject, .. })
        | Event::Items(Items { subject, .. })
        | Event::Damage(DamageEvent { subject, .. }) = &written.entry.event
            && !names.contains(&subject.name.as_str())
        {
            names.push(subject.name.as_str());
        }
    }
    names
}

/// The fields with the character's name before each, when a call changed several characters.
fn with_name(subject: &Subject, fields: Vec<Field>) -> Vec<Field> {
    fields
        .into_iter()
        .map(|field| Field {
            field: format!("{}: {}", subject.name, field.field),
            ..field
        })
        .collect()
}

/// The obvious next call: what the rules still ask for, or the level that somebody has earned.
fn next(table: &Table, row: &Character, missing: &[String]) -> Option<String> {
    // Foes need no complete sheet.
    if !missing.is_empty() && row.is_in_party() {
        let summary = format!(
            "Still missing: {}. Send manage_character action=\"update\" character=\"{}\".",
            missing.join("; "),
            row.name
        );
        return Some(summary);
    }
    let awarded = table
        .call_entries()
        .filter_map(|written| match &written.entry.event {
            Event::Awarded(Awarded { subject, .. }) => table.state.characters.get(&subject.id),
            _ => None,
        });
    let due = awarded.filter(|character| advancement::is_due(table.system(), character));
    let due: Vec<&str> = due.map(|character| character.name.as_str()).collect();
    let first = due.first()?;
    Some(format!(
        "{} can get better by the rules: manage_character action=\"level_up\" character=\"{first}\", with the scores and skills that \
         change.",
        due.join(", ")
    ))
}
