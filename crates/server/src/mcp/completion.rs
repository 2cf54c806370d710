//! What clients complete while a person types: arguments of prompts, and what is in the addresses
//! of resources.

use rmcp::model::{CompleteRequestParams, CompleteResult, CompletionInfo, ErrorData, Reference};

use super::prompts::{self, Offers};
use super::resources::{self, Asker};
use rollbook_text::names::{fold, quoted};

/// What the argument may be: what begins as it was typed, then what holds it elsewhere. Errors:
/// `invalid params` for a prompt, an address or an argument that there is not, with what there is.
pub async fn complete(
    asker: Asker<'_>,
    request: &CompleteRequestParams,
) -> Result<CompleteResult, ErrorData> {
    let argument = request.argument.name.as_str();
    let all = match &request.r#ref {
        Reference::Prompt(prompt) => match prompts::offers(&prompt.name, argument)? {
            Offers::Headings => resources::headings(asker),
            Offers::Nothing => Vec::new(),
        },
        Reference::Resource(template) => {
            let Some(known) = resources::TEMPLATES
                .iter()
                .find(|known| known.uri == template.uri)
            else {
                let there: Vec<&str> = resources::TEMPLATES.iter().map(|known| known.uri).collect();
                let message = format!(
                    "No template \"{}\": there are {}",
                    quoted(&template.uri),
                    there.join(", ")
                );
                return Err(ErrorData::invalid_params(message, None));
            };
            if argument != known.variable {
                let message = format!(
                    "{} takes {}, not \"{}\"",
                    known.uri,
                    known.variable,
                    quoted(argument)
                );
                return Err(ErrorData::invalid_params(message, None));
            }
            known.values(asker).await
        }
        _ => {
            return Err(ErrorData::invalid_params(
                "ref is a prompt or a template of resources",
                None,
            ));
        }
    };
    let found = matching(all, &request.argument.value);
    let total = u32::try_from(found.len()).ok();
    let values: Vec<String> = found.into_iter().take(CompletionInfo::MAX_VALUES).collect();
    let mut info = CompletionInfo::default();
    info.has_more = total.map(|total| values.len() < total as usize);
    (info.values, info.total) = (values, total);
    Ok(CompleteResult::new(info))
}

/// What matches the text, in the order it was given: first what begins so.
fn matching(all: Vec<String>, typed: &str) -> Vec<String> {
    let typed = fold(typed);
    let (begin, other): (Vec<_>, Vec<_>) = all
        .into_iter()
        .filter(|value| fold(value).contains(typed.as_str()))
        .partition(|value| fold(value).starts_with(typed.as_str()));
    begin.into_iter().chain(other).collect()
}
