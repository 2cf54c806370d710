//! `get_character`: one sheet, or the list.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::schema::Object;
use super::tool::{Alias, Call, Category, Tool};
use crate::session::live::View;
use crate::session::{Answer, CallError, Common, Host, Purpose, ReplyDetail};
use rollbook_game::decide::{advancement, character};
use rollbook_game::mechanics::clocks::{self, COMPANY};
use rollbook_game::mechanics::health::Vitality;
use rollbook_game::mechanics::tracks::{sorted, summary};
use rollbook_game::mechanics::values::Values;
use rollbook_game::mechanics::{duration, lookup};
use rollbook_game::record::state::{Character, Clock, Condition, Item, Track};
use rollbook_game::refusal::Refusal;
use rollbook_game::view::visibility::{health, seen};
use rollbook_game::view::{Audience, sheet};
use rollbook_text::names::{same, shortened};

pub struct GetCharacter;

/// Whose sheet, and how much of it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Params {
    /// A name, or "company"; else the only player character.
    character: Option<String>,
    /// full: every field; brief: one line; sheet: Markdown to read out. Else as detail says, brief
    /// with scores and skills.
    view: Option<SheetView>,
    /// Everybody, a line each.
    list: Option<bool>,
}

/// How much of the sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SheetView {
    Full,
    Brief,
    Sheet,
}

/// The sheet, or the list.
#[derive(Default, Serialize, JsonSchema)]
pub struct Reply {
    /// {name, kind, level, xp, attributes {name: {score, modifier}}, skills, tracks, conditions,
    /// inventory, attacks, worth, notes, gm_notes}
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Object")]
    character: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sheet: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    characters: Option<Vec<String>>,
    // Of "company": clocks and shared tracks {name, value, min, max, hidden, end}.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    company: Option<Vec<Value>>,
    /// What the rules ask for and it still lacks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missing: Vec<String>,
}

impl Tool for GetCharacter {
    const NAME: &'static str = "get_character";
    const TITLE: &'static str = "Character sheet";
    const DESCRIPTION: &'static str = "Reads one character's sheet (scores with their modifiers, skills, tracks, conditions, what is still missing), or with list=true names everybody.";
    const CATEGORY: Category = Category::Characters;
    const HOT: bool = true;
    const READ_ONLY: bool = true;
    const ALIASES: &'static [Alias] = &[
        (&["name"], "character"),
        (&["characters", "names"], "list=true"),
    ];
    const BRIEF: &'static [&'static str] =
        &["character", "sheet", "characters", "company", "missing"];
    type Params = Params;
    type Reply = Reply;

    async fn call(host: &Host, call: Call, params: Params) -> Result<Answer<Reply>, CallError> {
        let campaign = host
            .campaign(call.campaign.as_deref(), Purpose::Read)
            .await?;
        let detail = call.detail;
        let player = call.request.caller.player().map(str::to_owned);
        campaign
            .read(call.request, |view| {
                look(view, &params, detail, player.as_deref())
            })
            .await
    }
}

fn look(
    view: &View,
    params: &Params,
    detail: ReplyDetail,
    player: Option<&str>,
) -> Result<Answer<Reply>, Refusal> {
    let (state, system) = (view.state, &*view.setting.system);
    if params.list == Some(true) {
        // What is read out to players has nobody hidden.
        let is_read_out = player.is_none() && params.view == Some(SheetView::Sheet);
        let met = if is_read_out {
            Cow::Owned(seen(state, ""))
        } else {
            Cow::Borrowed(state)
        };
        let line = |character: &Character| match player.is_some() || is_read_out {
            true => known(view, character),
            false => listed(view, character),
        };
        let lines: Vec<String> = met.characters.values().map(line).collect();
        let summary = match lines.len() {
            0 => lookup::no_character(system, None).summary,
            1 => "1 character.".to_owned(),
            count => format!("{count} characters."),
        };
        return Ok(Answer::new(
            Common::of(summary),
            Reply {
                characters: Some(lines),
                ..Reply::default()
            },
        ));
    }
    if let Some(name) = &params.character
        && same(name, COMPANY)
        && lookup::by_name(state, name).is_none()
    {
        // For players it is what is read out to them.
        return Ok(company(
            view,
            if player.is_some() {
                Some(SheetView::Sheet)
            } else {
                params.view
            },
            detail,
        ));
    }
    let found = match params.character.as_deref().or(player) {
        Some(name) => lookup::character(state, system, name)?,
        None => lookup::sole_player(state, system)?,
    };
    if player.is_some() && !found.kind.is_open() {
        return Ok(Answer::new(
            Common::of(known(view, found)),
            Reply::default(),
        ));
    }
    let brief_reply = Reply {
        missing: character::missing(state, system, found),
        ..Reply::default()
    };
    let line = brief(view, found);
    let (summary, reply) = match (params.view, detail) {
        (Some(SheetView::Brief), _) => (line, brief_reply),
        // It is read out to players; action="export" writes down what the GM knows, too.
        (Some(SheetView::Sheet), _) => (
            line,
            Reply {
                sheet: Some(sheet::render(state, system, found, false)),
                ..brief_reply
            },
        ),
        (Some(SheetView::Full), _) | (None, ReplyDetail::Full) => (
            line,
            Reply {
                character: Some(full(view, found)),
                ..brief_reply
            },
        ),
        (None, ReplyDetail::Brief) => (format!("{line}{}", scores(view, found)), brief_reply),
    };
    Ok(Answer::new(Common::of(summary), reply))
}

/// What the company shares, clocks too. What is read out to players has nothing hidden.
fn company(view: &View, asked: Option<SheetView>, detail: ReplyDetail) -> Answer<Reply> {
    let mut open = clocks::open(view.state, &view.setting.system);
    let sheet = (asked == Some(SheetView::Sheet)).then(|| {
        open.retain(|clock| !clock.hidden);
        let lines: String = open
            .iter()
            .map(|clock| format!("\n- {}", clocks::line(clock)))
            .collect();
        format!("# The company\n{lines}\n")
    });
    let lines: Vec<String> = open.iter().map(clocks::line).collect();
    let summary = match lines.is_empty() {
        true => "The company shares nothing yet. manage_session action=\"clock\" name=\"Supplies\" segments=10 value=10 makes one.".to_owned(),
        false => format!("The company: {}.", lines.join(", ")),
    };
    let full = asked == Some(SheetView::Full) || (asked.is_none() && detail == ReplyDetail::Full);
    let shared = |clock: Clock| {
        let mut fields = json!({
            "name": clock.name,
            "value": clock.value,
            "min": clock.min,
            "max": clock.max,
            "hidden": clock.hidden,
        });
        if let (Some(end), Some(fields)) = (clock.end(), fields.as_object_mut()) {
            fields.insert("end".to_owned(), end.into());
        }
        fields
    };
    let tracks = open.into_iter().map(shared);
    Answer::new(
        Common::of(summary),
        Reply {
            sheet,
            company: full.then(|| tracks.collect()),
            ..Reply::default()
        },
    )
}

/// What players know of somebody: of their own side the brief line, of others how they look.
fn known(view: &View, character: &Character) -> String {
    if character.kind.is_open() {
        return brief(view, character);
    }
    let health = health(
        view.state,
        &view.setting.system,
        character,
        Audience::Player,
    );
    let health = if health.is_empty() {
        String::new()
    } else {
        format!(": {health}")
    };
    format!("{}, {}{health}.", character.name, character.kind.as_str())
}

/// Characters of the scores and skills in a line.
const SCORES_MAX: usize = 300;

/// " Strength 14 (+2), Dexterity 12 (+1). Melee 3, Stealth 2. Carries rope, lantern."
fn scores(view: &View, character: &Character) -> String {
    let values = Values::of(view.state, &view.setting.system, character);
    let score = |(name, score): (&String, &i64)| match values.modifier_of(name) {
        Some(modifier) if modifier != *score => format!("{name} {score} ({modifier:+})"),
        Some(_) | None => format!("{name} {score}"),
    };
    let item = |item: &Item| match item.quantity {
        1 => item.name.clone(),
        quantity => format!("{quantity} {}", item.name),
    };
    let parts = [
        (
            "",
            character.attributes.iter().map(score).collect::<Vec<_>>(),
        ),
        (
            "",
            character
                .skills
                .iter()
                .map(|(name, value)| format!("{name} {value}"))
                .collect(),
        ),
        (
            "",
            character
                .attacks
                .iter()
                .map(|attack| format!("{}: {}", attack.name, attack.render()))
                .collect(),
        ),
        (
            "Carries ",
            view.state.items_of(character.id).map(item).collect(),
        ),
    ];
    let filled = parts.iter().filter(|(_, list)| !list.is_empty());
    let line: String = filled
        .map(|(head, list)| format!(" {head}{}.", list.join(", ")))
        .collect();
    shortened(&line, SCORES_MAX)
}

/// The brief line, with whether the character is retired or lacks what the rules ask of players.
fn listed(view: &View, character: &Character) -> String {
    let missing = match character.is_in_party() {
        true => character::missing(view.state, &view.setting.system, character),
        false => Vec::new(),
    };
    let missing = if missing.is_empty() {
        String::new()
    } else {
        format!(" Missing: {}.", missing.join("; "))
    };
    let retired = if character.retired { " Retired." } else { "" };
    format!("{}{retired}{missing}", brief(view, character))
}

/// "Aria, player, level 1: Hit points 9/12; dazed".
pub fn brief(view: &View, character: &Character) -> String {
    let tracks = summary(
        &view.setting.system,
        sorted(view.state, &view.setting.system, character.id),
    );
    let conditions: Vec<String> = view
        .state
        .conditions_of(character.id)
        .map(Condition::label)
        .collect();
    let tracks = if tracks.is_empty() {
        "no tracks yet".to_owned()
    } else {
        tracks.join(", ")
    };
    let conditions = if conditions.is_empty() {
        String::new()
    } else {
        format!("; {}", conditions.join(", "))
    };
    format!(
        "{}, {}, level {}: {tracks}{conditions}.",
        character.name,
        character.kind.as_str(),
        character.level
    )
}

fn full(view: &View, character: &Character) -> Value {
    let (state, system) = (view.state, &view.setting.system);
    let values = Values::of(state, system, character);
    let score = |(name, score): (&String, &i64)| {
        (
            name.clone(),
            json!({"score": score, "modifier": values.modifier_of(name)}),
        )
    };
    let track = |track: &Track| json!({"name": track.name, "value": track.value, "min": track.min, "max": track.max});
    let item = |item: &Item| {
        let mut fields = json!({
            "name": item.name,
            "quantity": item.quantity,
            "equipped": item.equipped,
            "uses": item.uses,
            "notes": item.notes,
            "hidden": item.hidden,
        });
        if let Some(fields) = fields
            .as_object_mut()
            .filter(|_| !item.properties.is_empty())
        {
            fields.insert("properties".to_owned(), json!(item.properties));
        }
        fields
    };
    let mut sheet = json!({
        "name": character.name,
        "kind": character.kind.as_str(),
        "level": character.level,
        "xp": character.xp,
        "next_level": advancement::progress(system, character),
        "attributes": character.attributes.iter().map(score).collect::<Map<String, Value>>(),
        "skills": character.skills,
        "tracks": sorted(state, system, character.id).into_iter().map(track).collect::<Vec<_>>(),
        "conditions": state.conditions_of(character.id).map(duration::render_with_cause).collect::<Vec<_>>(),
        "ticks": character.ticks.seen,
        "retired": character.retired,
        "inventory": state.items_of(character.id).map(item).collect::<Vec<_>>(),
        "attacks": character.attacks,
        "worth": character.worth,
        "notes": character.notes,
        "gm_notes": character.gm_notes,
    });
    // The track that counts as health, by the names with which it is set.
    let hp = Vitality::of(state, character.id)
        .main_track(system)
        .map(|track| json!({"current": track.value, "max": track.max}));
    // Of which players know nothing.
    let hidden = Some(&character.ticks.hidden)
        .filter(|hidden| !hidden.is_empty())
        .map(|hidden| json!(hidden));
    if let Some(fields) = sheet.as_object_mut() {
        fields.extend(hp.map(|hp| ("hp".to_owned(), hp)));
        fields.extend(hidden.map(|hidden| ("hidden_ticks".to_owned(), hidden)));
    }
    sheet
}
