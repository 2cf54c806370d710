//! The rules as resources, for clients where a person picks what the assistant reads: `rollbook://rules`, whole, and
//! `rollbook://rules/<section>`.

use rmcp::model::{ErrorData, ListResourcesResult, ReadResourceResult, Resource, ResourceContents};
use serde_json::json;

use crate::names::fold;
use crate::rules::{Reading, SectionText};
use crate::session::Host;

const RULES: &str = "rollbook://rules";
const MARKDOWN: &str = "text/markdown";
/// Characters of one resource; the rest is named, and read with `get_rules`.
const TEXT_MAX: usize = 60_000;

/// Every resource there is now; none in a narrative adventure.
pub fn list(host: &Host) -> ListResourcesResult {
    let adventure = host.adventure();
    let reading = &adventure.reading;
    let mut all = Vec::new();
    if !reading.system.narrative {
        let title = reading.system.title.clone().unwrap_or_else(|| adventure.name.clone());
        let whole = Resource::new(RULES, "rules").with_title(title).with_mime_type(MARKDOWN);
        all.push(whole.with_description("The rules this adventure is played by, as its author wrote them."));
        all.extend(sections(reading).map(|(slug, section)| {
            let one = Resource::new(format!("{RULES}/{slug}"), format!("rules/{slug}")).with_mime_type(MARKDOWN);
            one.with_title(section.heading.as_str()).with_description(section.place.to_string())
        }));
    }
    ListResourcesResult::with_all_items(all)
}

/// The text of one resource.
///
/// # Errors
/// `resource not found` with what there is.
pub fn read(host: &Host, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let adventure = host.adventure();
    let reading = &adventure.reading;
    let text = match uri.strip_prefix(RULES) {
        Some("") if !reading.system.narrative => Some(whole(reading)),
        Some(rest) => sections(reading)
            .find(|(slug, _)| rest.strip_prefix('/') == Some(slug))
            .map(|(_, section)| section.text.clone()),
        None => None,
    };
    let Some(text) = text else {
        let all: Vec<String> = list(host).resources.into_iter().map(|resource| resource.uri).collect();
        let hint = if all.is_empty() {
            "this adventure has no rules".to_owned()
        } else {
            format!("there are {}", all.join(", "))
        };
        let shown: String = uri.chars().take(100).collect();
        return Err(ErrorData::resource_not_found(
            format!("No resource \"{shown}\": {hint}"),
            Some(json!({"uri": shown})),
        ));
    };
    let mut part: String = text.chars().take(TEXT_MAX).collect();
    if part.len() < text.len() {
        part.push_str("\n\n(It goes on: get_rules reads it section by section.)\n");
    }
    Ok(ReadResourceResult::new(vec![ResourceContents::text(part, uri).with_mime_type(MARKDOWN)]))
}

fn whole(reading: &Reading) -> String {
    let texts: Vec<&str> = reading.sources.iter().map(|(_, file)| file.text.trim_start_matches('\u{feff}')).collect();
    texts.join("\n\n")
}

/// Sections that have a heading, each under a name of its own.
fn sections(reading: &Reading) -> impl Iterator<Item = (String, &SectionText)> {
    let mut seen: Vec<String> = Vec::new();
    reading.system.sections.iter().filter(|section| !section.heading.is_empty()).take(200).map(move |section| {
        let plain = slug(&section.heading);
        let mut own = plain.clone();
        for count in 2.. {
            if !seen.contains(&own) {
                break;
            }
            own = format!("{plain}-{count}");
        }
        seen.push(own.clone());
        (own, section)
    })
}

/// "The Combat rules" is `the-combat-rules`; what is no ASCII letter or digit is left out, because it is part of a URI.
fn slug(heading: &str) -> String {
    let folded = fold(heading).replace(' ', "-");
    let slug: String = folded.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
    if slug.is_empty() { "section".to_owned() } else { slug }
}
