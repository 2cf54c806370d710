//! A page of the adventure that a call makes characters from.

use crate::session::Host;
use crate::session::adventure::leads_out;
use rollbook_game::refusal::{Code, Refusal};
use rollbook_text::names::{listed, quoted, suggest};

/// A text that describes a character, with where it comes from and which of several is meant.
#[derive(Debug, Clone)]
pub struct Page {
    pub text: String,
    pub origin: String,
    pub which: Option<String>,
}

/// The page of the adventure that `from` names, `Foes.md#Ogre`; `None` where it names no page.
pub fn page(host: &Host, from: Option<&str>) -> Result<Option<Page>, Refusal> {
    let Some(from) = from else { return Ok(None) };
    let (file, which) = from
        .split_once('#')
        .map_or((from, None), |(file, which)| (file, Some(which.to_owned())));
    let lower = file.to_lowercase();
    if ![".md", ".json"].iter().any(|end| lower.ends_with(end)) && !leads_out(file) {
        return Ok(None);
    }
    let adventure = host.adventure();
    let text = adventure.page(file).map_err(|why| {
        let pages = adventure.pages();
        let names: Vec<&str> = pages.iter().map(|(_, page)| page.name.as_str()).collect();
        let listed = listed(names.iter().copied(), 200);
        let summary = format!(
            "{}: {why}. Name a .md or .json file of the adventure. There is {listed}.",
            quoted(file)
        );
        Refusal::new(Code::UnknownPage, summary).did_you_mean(suggest(file, names))
    })?;
    Ok(Some(Page {
        text,
        origin: from.to_owned(),
        which,
    }))
}
