//! Making characters: from what the call says, a template of the campaign, a page of the adventure, or a text.

use super::params::Params;
use crate::game::decide::character::{self, SheetCall};
use crate::game::import;
use crate::game::mechanics::lookup;
use crate::game::mechanics::lookup::free_name;
use crate::game::record::state::Kind;
use crate::game::refusal::{Code, Refusal};
use crate::game::table::Table;
use crate::game::view::snapshot::CharacterSnapshot;
use crate::names::{listed, quoted, suggest};
use crate::session::Host;
use crate::session::adventure::leads_out;

/// The log's name for a text that came with the call.
const IMPORTED: &str = "an imported text";

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
    let (file, which) = from.split_once('#').map_or((from, None), |(file, which)| (file, Some(which.to_owned())));
    let lower = file.to_lowercase();
    if ![".md", ".json"].iter().any(|end| lower.ends_with(end)) && !leads_out(file) {
        return Ok(None);
    }
    let adventure = host.adventure();
    let text = adventure.page(file).map_err(|why| {
        let pages = adventure.pages();
        let names: Vec<&str> = pages.iter().map(|(_, page)| page.name.as_str()).collect();
        let listed = listed(names.iter().copied(), 200);
        let summary = format!("{}: {why}. Name a .md or .json file of the adventure. There is {listed}.", quoted(file));
        Refusal::new(Code::UnknownPage, summary).did_you_mean(suggest(file, names))
    })?;
    Ok(Some(Page { text, origin: from.to_owned(), which }))
}

/// Makes the characters that the call describes.
pub fn create(table: &mut Table, mut params: Params, page: Option<Page>) -> Result<(), Refusal> {
    let (kind, count, from) = (params.kind()?, params.count, params.from.clone());
    let mut sheet = SheetCall { kind, ..params.sheet() };
    // Models send the new name as `character`, too.
    sheet.name = sheet.name.or_else(|| params.character.clone());
    if let Some(page) = page {
        let imported = import::import(&page.text, table.system(), page.which.as_deref(), &page.origin)?;
        sheet.kind = kind.or(imported.kind).or(imported.is_foe.then_some(Kind::Npc));
        return character::create_many(table, imported.into_sheet(sheet, table.system()), count);
    }
    if let Some(from) = from {
        let known = lookup::character_in(table.state, table.system(), "from", &from)?.clone();
        let snapshot = CharacterSnapshot::of(table.state, &known);
        if known.kind == Kind::Template {
            sheet.kind = kind.or(Some(Kind::Npc));
            if sheet.name.is_none() && count.is_none_or(|count| count == 1) {
                sheet.name = Some(free_name(table.state, &known.name, false));
            }
        }
        sheet.from = Some(Box::new(snapshot));
    }
    character::create_many(table, sheet, count)
}

/// Makes a character from a text.
pub fn import(table: &mut Table, mut params: Params, page: Option<Page>) -> Result<(), Refusal> {
    let kind = params.kind()?;
    let page = match (params.text.take(), page) {
        (Some(text), _) => Page { text, origin: IMPORTED.to_owned(), which: params.name.clone() },
        (None, Some(page)) => page,
        (None, None) => {
            let summary =
                "import needs text, or from with a file of the adventure. action=\"export\" writes what it reads.";
            return Err(Refusal::new(Code::InvalidParameters, summary));
        }
    };
    let imported = match import::import(&page.text, table.system(), page.which.as_deref(), &page.origin) {
        // The name is the new character's, not that of an entry in the text.
        Err(refusal) if refusal.code == Code::WhichEntry && page.which.is_some() && page.which == params.name => {
            import::import(&page.text, table.system(), None, &page.origin).map_err(|_| refusal)?
        }
        other => other?,
    };
    let sheet = SheetCall { kind: kind.or(imported.kind.filter(|kind| kind.is_open())), ..params.sheet() };
    character::create(table, imported.into_sheet(sheet, table.system())).map(drop)
}
