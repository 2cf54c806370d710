//! Tools of others at this table: those of another server of the protocol, mounted under a category of their own.
//!
//! They are handed the arguments of their calls and nothing else. What they answer is data.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::toolbox::{RESULT_MAX, cut};
use rollbook_game::refusal::{Code, Refusal};
use rollbook_server::mcp::{CallFailed, Client};
use rollbook_table::tools::{CannotRegister, External, Registry, ToolEntry};
use rollbook_text::names::{printable, quoted, shortened};

const TOOLS_MAX: usize = 100;
const TEXT_MAX: usize = 2_000;

/// Characters of a tool's title and of its description, which every request to a model carries.
const TITLE_MAX: usize = 100;
const DESCRIPTION_MAX: usize = 2_000;
/// Bytes of the schema of a tool's arguments: what is cut is no schema, so a tool with more is left out.
const SCHEMA_MAX: usize = 20_000;

/// Registers the tools of a server as `NAME_TOOL`, in the category of that name. Answers why which were left out, a sentence each.
/// Errors: it lists none, or too many.
pub async fn mount(name: &str, client: Client, tools: &mut Registry) -> Result<Vec<String>, String> {
    let described = client.described(name).await.map_err(|error| match error {
        CallFailed::Broken(why) => format!("it lists no tools: {}", shown(&why)),
        CallFailed::Refused(_) => "it lists no tools".to_owned(),
    })?;
    if described.len() > TOOLS_MAX {
        return Err(format!("it has {} tools; at most {TOOLS_MAX} are mounted", described.len()));
    }
    let client = Arc::new(client);
    let mut left_out = Vec::new();
    for external in described {
        let registered = external.and_then(bounded).and_then(|external| {
            tools.register(entry(name, external, &client)).map_err(|error| match error {
                CannotRegister::Taken { name: tool, category } if category == name => {
                    format!("the server lists {tool} twice, and the first is taken")
                }
                CannotRegister::Taken { .. } | CannotRegister::Name(_) | CannotRegister::Input(_) => error.to_string(),
            })
        });
        left_out.extend(registered.err().map(|why| shown(&why)));
    }
    Ok(left_out)
}

/// A tool whose words are short enough.
fn bounded(external: External) -> Result<External, String> {
    let bytes = serde_json::to_string(&external.input).map_or(0, |schema| schema.len());
    if bytes > SCHEMA_MAX {
        return Err(format!(
            "the schema of \"{}\" has {bytes} bytes; at most {SCHEMA_MAX} are taken",
            quoted(&external.name)
        ));
    }
    let title = shortened(&external.title, TITLE_MAX);
    let description = shortened(&external.description, DESCRIPTION_MAX);
    Ok(External { title, description, ..external })
}

/// An answer of a size that a model, a screen and a transcript can have: of a larger one the beginning of its text.
fn cut_down(mut answer: Map<String, Value>) -> Map<String, Value> {
    let whole = serde_json::to_string(&answer).unwrap_or_default();
    if whole.len() <= RESULT_MAX {
        return answer;
    }
    let summary = match answer.remove("summary") {
        Some(Value::String(summary)) if !summary.is_empty() => summary,
        _ => whole,
    };
    Map::from_iter([("summary".to_owned(), cut(summary).into())])
}

fn entry(server: &str, external: External, client: &Arc<Client>) -> ToolEntry {
    let (tool, client) = (external.name.clone(), client.clone());
    let about = External { name: format!("{server}_{}", external.name), ..external };
    let server = server.to_owned();
    ToolEntry::external(about, move |arguments| {
        let (server, tool, client) = (server.clone(), tool.clone(), client.clone());
        Box::pin(async move {
            let why = match client.ask(&tool, arguments).await {
                Ok(answer) => return Ok(cut_down(answer)),
                Err(CallFailed::Refused(answer)) => {
                    answer.get("summary").and_then(|text| text.as_str()).map(shown).unwrap_or_default()
                }
                Err(CallFailed::Broken(why)) => {
                    format!("{}. Go on without it, or start again to have {} back", shown(&why), quoted(&server))
                }
            };
            Err(Refusal::new(Code::ToolFailed, format!("{tool} of {server} failed: {why}.")).into())
        })
    })
}

fn shown(text: &str) -> String {
    printable(&shortened(text.trim().trim_end_matches('.'), TEXT_MAX))
}
