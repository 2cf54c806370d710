//! Resources, for clients where a person picks what the assistant reads: `rollbook://rules`, whole,
//! and `rollbook://rules/<section>`; of the server's own campaign `rollbook://character/<name>`,
//! `rollbook://combat` and `rollbook://log/last`.
//!
//! The assistant reads the GM's view, as the tools answer it.

use std::borrow::Cow;
use std::sync::Arc;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use rmcp::model::{
    ErrorData, ListResourceTemplatesResult, ListResourcesResult, ReadResourceResult, Resource,
    ResourceContents, ResourceTemplate,
};
use serde_json::{Map, Value, json};

use rollbook_game::record::state::{CombatStatus, State};
use rollbook_game::view::Audience;
use rollbook_game::view::sheet::kind_label;
use rollbook_rules::{Reading, SectionText};
use rollbook_table::session::live::{View, Wants};
use rollbook_table::session::{Answer, CallError, Caller, Common, Host, Purpose, Request, Seat};
use rollbook_table::tools::{ToolEntry, tool_named};
use rollbook_text::names::{fold, listed, quoted};

const RULES: &str = "rollbook://rules";
const CHARACTER: &str = "rollbook://character/";
const COMBAT: &str = "rollbook://combat";
const LAST: &str = "rollbook://log/last";
const MARKDOWN: &str = "text/markdown";
const JSON: &str = "application/json";
const PLAIN: &str = "text/plain";
/// What is in a name as it is.
const KEPT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');
/// Characters that are listed.
const PEOPLE_MAX: usize = 200;
/// Entries of the log's last.
const LAST_MAX: u32 = 20;
/// Addresses that a refusal names.
const NAMED_MAX: usize = 20;
/// Characters of one resource; the rest is named, and read with `get_rules`.
const TEXT_MAX: usize = 60_000;

/// Who reads: the whole table, or a seat at one.
#[derive(Clone, Copy)]
pub struct Asker<'a> {
    pub host: &'a Host,
    pub seat: Option<&'a Arc<Seat>>,
}

impl Asker<'_> {
    fn is_player(&self) -> bool {
        self.seat.is_some_and(|seat| seat.is_player())
    }

    /// What a tool answers this asker.
    pub(super) async fn call(
        &self,
        entry: &ToolEntry,
        arguments: Map<String, Value>,
    ) -> Result<Map<String, Value>, CallError> {
        entry
            .call_for(Caller::of(self.seat.cloned()), self.host, arguments)
            .await
    }
}

/// Addresses with a name in them, for clients that let a person fill them in.
pub struct Template {
    pub uri: &'static str,
    /// What is in braces in the address.
    pub variable: &'static str,
    name: &'static str,
    title: &'static str,
    description: &'static str,
    named: Named,
}

/// What the name in an address is of.
enum Named {
    Section,
    Character,
}

/// All of them.
pub static TEMPLATES: [Template; 2] = [
    Template {
        uri: "rollbook://rules/{section}",
        variable: "section",
        name: "section",
        title: "A section of the rules",
        description: "As its author wrote it.",
        named: Named::Section,
    },
    Template {
        uri: "rollbook://character/{name}",
        variable: "name",
        name: "character",
        title: "A character",
        description: "The sheet, for the GM.",
        named: Named::Character,
    },
];

impl Template {
    /// What may be in it, for that asker.
    pub async fn values(&self, asker: Asker<'_>) -> Vec<String> {
        match self.named {
            Named::Section => sections(&asker.host.adventure().reading)
                .map(|(slug, _)| slug)
                .collect(),
            Named::Character => {
                let names = |view: &View| {
                    let living = view
                        .state
                        .characters
                        .values()
                        .filter(|character| character.takes_part());
                    living.map(|character| character.name.clone()).collect()
                };
                played(asker, None, names).await.unwrap_or_default()
            }
        }
    }
}

/// The templates of that asker: a player's seat has the rules alone.
pub fn templates(asker: Asker<'_>) -> ListResourceTemplatesResult {
    let templates = TEMPLATES
        .iter()
        .filter(|template| matches!(template.named, Named::Section) || !asker.is_player());
    let listed = templates.map(|known| {
        let template = ResourceTemplate::new(known.uri, known.name)
            .with_title(known.title)
            .with_mime_type(MARKDOWN);
        template.with_description(known.description)
    });
    ListResourceTemplatesResult::with_all_items(listed.collect())
}

/// The headings of the rules, as they are written.
pub fn headings(asker: Asker<'_>) -> Vec<String> {
    sections(&asker.host.adventure().reading)
        .map(|(_, section)| section.heading.clone())
        .collect()
}

/// Every resource there is now; for a player's seat the rules alone.
pub async fn list(asker: Asker<'_>) -> ListResourcesResult {
    let adventure = asker.host.adventure();
    let reading = &adventure.reading;
    let mut all = Vec::new();
    if !reading.system.narrative {
        let title = reading
            .system
            .title
            .clone()
            .unwrap_or_else(|| adventure.name.clone());
        let whole = Resource::new(RULES, "rules")
            .with_title(title)
            .with_mime_type(MARKDOWN);
        all.push(
            whole.with_description(
                "The rules this adventure is played by, as its author wrote them.",
            ),
        );
    }
    all.extend(
        played(asker, None, |view| in_play(view.state, view.head.seq))
            .await
            .unwrap_or_default(),
    );
    all.extend(sections(reading).map(|(slug, section)| {
        let one = Resource::new(format!("{RULES}/{slug}"), format!("rules/{slug}"))
            .with_mime_type(MARKDOWN);
        one.with_title(section.heading.as_str())
            .with_description(section.place.to_string())
    }));
    ListResourcesResult::with_all_items(all)
}

/// The fight, who there is, and what happened last.
fn in_play(state: &State, last: u64) -> Vec<Resource> {
    let mut all = Vec::new();
    if let Some(combat) = state.open_combat() {
        let title = combat
            .title
            .clone()
            .unwrap_or_else(|| "The fight".to_owned());
        let fight = Resource::new(COMBAT, "combat")
            .with_title(title)
            .with_mime_type(JSON);
        let about = match combat.status {
            CombatStatus::Setup => "The fight that is prepared.",
            CombatStatus::Running | CombatStatus::Ended => {
                "The fight that goes on: whose turn it is, how everybody is."
            }
        };
        all.push(fight.with_description(about));
    }
    let living = || {
        state
            .characters
            .values()
            .filter(|character| character.takes_part())
    };
    let fights = |id: i64| state.open_combatant(id).is_some();
    let party = living().filter(|character| character.is_in_party());
    let foes = living().filter(|character| !character.is_in_party() && fights(character.id));
    let others = living()
        .rev()
        .filter(|character| !character.is_in_party() && !fights(character.id));
    all.extend(
        party
            .chain(foes)
            .chain(others)
            .take(PEOPLE_MAX)
            .map(|character| {
                let one = Resource::new(
                    format!("{CHARACTER}{}", encoded(&character.name)),
                    format!("character/{}", character.name),
                );
                one.with_title(character.name.as_str())
                    .with_description(kind_label(character.kind))
                    .with_mime_type(MARKDOWN)
            }),
    );
    if last > 0 {
        let log = Resource::new(LAST, "log/last")
            .with_title("What happened last")
            .with_mime_type(PLAIN);
        all.push(log.with_description("The last entries of the log, for the GM."));
    }
    all
}

/// The text of one resource. Errors: `resource not found` with what there is; an internal error
/// where the game cannot be read.
pub async fn read(asker: Asker<'_>, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let adventure = asker.host.adventure();
    let reading = if asker.is_player() {
        adventure.reading.for_players()
    } else {
        Cow::Borrowed(&adventure.reading)
    };
    let reading = &*reading;
    let found = if let Some(rest) = uri.strip_prefix(RULES) {
        let text = match rest {
            "" if !reading.system.narrative => Some(whole(reading)),
            rest => sections(reading)
                .find(|(slug, _)| rest.strip_prefix('/') == Some(slug))
                .map(|(_, section)| section.text.clone()),
        };
        text.map(|text| (text, MARKDOWN))
    } else if let Some(name) = uri.strip_prefix(CHARACTER) {
        sheet(asker, name).await?.map(|text| (text, MARKDOWN))
    } else if uri == COMBAT {
        fight(asker).await?.map(|text| (text, JSON))
    } else if uri == LAST {
        played(asker, Some(Wants::Last(LAST_MAX)), last)
            .await
            .map(|text| (text, PLAIN))
    } else {
        None
    };
    let Some((text, kind)) = found else {
        let all: Vec<String> = list(asker)
            .await
            .resources
            .into_iter()
            .map(|resource| resource.uri)
            .collect();
        let hint = match all.is_empty() {
            true => "this adventure has no rules, and nothing was played yet".to_owned(),
            false => format!(
                "there are {}",
                listed(all.iter().map(String::as_str), NAMED_MAX)
            ),
        };
        let shown: String = uri.chars().take(100).collect();
        return Err(ErrorData::resource_not_found(
            format!("No resource \"{shown}\": {hint}"),
            Some(json!({"uri": shown})),
        ));
    };
    let mut part: String = text.chars().take(TEXT_MAX).collect();
    if part.len() < text.len() {
        part.push_str(match kind {
            MARKDOWN if uri.starts_with(RULES) => {
                "\n\n(It goes on: get_rules reads it section by section.)\n"
            }
            _ => "\n\n(It goes on.)\n",
        });
    }
    Ok(ReadResourceResult::new(vec![
        ResourceContents::text(part, uri).with_mime_type(kind),
    ]))
}

/// A character's sheet, as `get_character` answers it; `None` where nobody is called so.
async fn sheet(asker: Asker<'_>, name: &str) -> Result<Option<String>, ErrorData> {
    let Ok(name) = percent_decode_str(name).decode_utf8() else {
        return Ok(None);
    };
    let known = played(asker, None, |view| {
        view.state
            .characters
            .values()
            .any(|character| fold(&character.name) == fold(&name))
    })
    .await;
    if known != Some(true) {
        return Ok(None);
    }
    let reply = answered(
        asker,
        "get_character",
        json!({"character": name, "view": "sheet"}),
    )
    .await?;
    Ok(reply
        .get("sheet")
        .and_then(Value::as_str)
        .map(str::to_owned))
}

/// The open fight, as `manage_combat` answers its status.
async fn fight(asker: Asker<'_>) -> Result<Option<String>, ErrorData> {
    if played(asker, None, |view| view.state.open_combat().is_some()).await != Some(true) {
        return Ok(None);
    }
    let reply = answered(
        asker,
        "manage_combat",
        json!({"action": "status", "detail": "full"}),
    )
    .await?;
    Ok(Some(Value::Object(reply).to_string()))
}

/// What happened last, oldest first, and the receipt.
fn last(view: &View) -> String {
    let lines = view.past.last.iter().filter_map(|(seq, entry)| {
        let text = entry.sentence(Audience::Gm, true)?;
        Some(format!("#{seq} {text}\n"))
    });
    lines
        .chain([format!("Receipt: {}\n", view.head.receipt())])
        .collect()
}

async fn answered(
    asker: Asker<'_>,
    tool: &str,
    arguments: Value,
) -> Result<Map<String, Value>, ErrorData> {
    let (Some(entry), Value::Object(arguments)) = (tool_named(tool), arguments) else {
        return Ok(Map::new());
    };
    asker
        .call(entry, arguments)
        .await
        .map_err(|error| match error {
            CallError::Refusal(refusal) => {
                ErrorData::resource_not_found(quoted(&refusal.summary), None)
            }
            CallError::Failure(reason) => {
                tracing::error!(tool, "{reason}");
                ErrorData::internal_error("Rollbook could not read this. Its log says why.", None)
            }
        })
}

/// Looks at the server's own campaign; `None` where it was never written to or cannot be read. No
/// database is made for it.
async fn played<T>(
    asker: Asker<'_>,
    wants: Option<Wants>,
    look: impl FnOnce(&View) -> T,
) -> Option<T> {
    if asker.is_player() || !asker.host.database.exists() {
        return None;
    }
    let name = asker.seat.map(|seat| seat.campaign.as_str());
    let campaign = asker.host.campaign(name, Purpose::Read).await.ok()?;
    let (mut seen, mut look) = (None, Some(look));
    let request = Request {
        wants,
        ..Request::default()
    };
    let read = campaign.read(request, |view| {
        seen = look
            .take()
            .filter(|_| view.head.seq > 0)
            .map(|look| look(view));
        Ok(Answer::<()>::new(Common::default(), None))
    });
    read.await.ok()?;
    seen
}

/// A name as a part of an address.
fn encoded(name: &str) -> String {
    utf8_percent_encode(name, KEPT).to_string()
}

fn whole(reading: &Reading) -> String {
    let texts: Vec<&str> = reading
        .sources
        .iter()
        .map(|(_, file)| file.text.trim_start_matches('\u{feff}'))
        .collect();
    texts.join("\n\n")
}

/// Sections that have a heading, each under a name of its own.
fn sections(reading: &Reading) -> impl Iterator<Item = (String, &SectionText)> {
    let mut seen: Vec<String> = Vec::new();
    reading
        .system
        .sections
        .iter()
        .filter(|section| !section.heading.is_empty())
        .take(200)
        .map(move |section| {
            let plain = slug(&section.heading);
            let mut slug = plain.clone();
            for count in 2.. {
                if !seen.contains(&slug) {
                    break;
                }
                slug = format!("{plain}-{count}");
            }
            seen.push(slug.clone());
            (slug, section)
        })
}

/// "The Combat rules" is `the-combat-rules`; what is no ASCII letter or digit is left out, because
/// it is part of a URI.
fn slug(heading: &str) -> String {
    let folded = fold(heading).replace(' ', "-");
    let slug: String = folded
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || *c == '-')
        .collect();
    if slug.is_empty() {
        "section".to_owned()
    } else {
        slug
    }
}
