//! Tools of others at this table: those of another server of the protocol, mounted under a category of their own.
//!
//! They are handed the arguments of their calls and nothing else. What they answer is data.

use std::sync::Arc;

use crate::game::refusal::{Code, Refusal};
use crate::mcp::{CallFailed, Client};
use crate::names::{printable, quoted, shortened};
use crate::tools::{External, Registry, ToolEntry};

/// Tools of one server.
const TOOLS_MAX: usize = 100;
/// Characters of what a failing tool says.
const SAID_MAX: usize = 2_000;

/// Registers the tools of a server as `NAME_TOOL`, in the category of that name.
///
/// # Errors
/// In a sentence: it lists none, or too many, or one that cannot be registered.
pub async fn mount(name: &str, client: Client, tools: &mut Registry) -> Result<(), String> {
    let described = client.described(name).await.map_err(|error| format!("it lists no tools: {error:?}"))?;
    if described.len() > TOOLS_MAX {
        return Err(format!("it has {} tools; at most {TOOLS_MAX} are mounted", described.len()));
    }
    let client = Arc::new(client);
    for own in described {
        tools.register(entry(name, own, &client)).map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn entry(server: &str, own: External, client: &Arc<Client>) -> ToolEntry {
    let (tool, client) = (own.name.clone(), client.clone());
    let about = External { name: format!("{server}_{}", own.name), ..own };
    let server = server.to_owned();
    ToolEntry::external(about, move |arguments| {
        let (server, tool, client) = (server.clone(), tool.clone(), client.clone());
        Box::pin(async move {
            let why = match client.ask(&tool, arguments).await {
                Ok(answer) => return Ok(answer),
                Err(CallFailed::Refused(answer)) => {
                    answer.get("summary").and_then(|own| own.as_str()).map(said).unwrap_or_default()
                }
                Err(CallFailed::Broken(why)) => {
                    format!("{}. Go on without it, or start again to have {} back", said(&why), quoted(&server))
                }
            };
            Err(Refusal::new(Code::ToolFailed, format!("{tool} of {server} failed: {why}.")).into())
        })
    })
}

/// What others say, short and harmless.
fn said(text: &str) -> String {
    printable(&shortened(text.trim().trim_end_matches('.'), SAID_MAX))
}
