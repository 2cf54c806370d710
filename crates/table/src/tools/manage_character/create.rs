//! Making characters: from the call, a campaign's template, a page of the adventure, or a text.

use super::params::Params;
use crate::tools::page::Page;
use rollbook_game::decide::character::{self, SheetCall};
use rollbook_game::import;
use rollbook_game::mechanics::lookup;
use rollbook_game::mechanics::lookup::free_name;
use rollbook_game::record::state::Kind;
use rollbook_game::refusal::{Code, Refusal};
use rollbook_game::table::Table;
use rollbook_game::view::snapshot::CharacterSnapshot;

/// The log's name for a text that came with the call.
const IMPORTED: &str = "an imported text";

/// Makes a character after `page`, or after the campaign's character that `from` names; where it has
/// none, after `ready`. Refused: nobody is called so, or the sheet is not of these rules.
pub fn create(
    table: &mut Table,
    mut params: Params,
    page: Option<Page>,
    ready: Option<Page>,
) -> Result<(), Refusal> {
    let (kind, count, from) = (params.kind()?, params.count, params.from.clone());
    let mut sheet = SheetCall {
        kind,
        ..params.sheet()
    };
    // Models send the new name as `character`, too.
    sheet.name = sheet.name.or_else(|| params.character.clone());
    let known = from.filter(|_| page.is_none());
    let known = known.map(|from| lookup::character_in(table.state, table.system(), "from", &from));
    if let Some(page) = page.or(ready.filter(|_| matches!(known, Some(Err(_))))) {
        let imported = import::import(
            &page.text,
            table.system(),
            page.which.as_deref(),
            &page.origin,
        )?;
        sheet.kind = kind
            .or(imported.kind)
            .or(imported.is_foe.then_some(Kind::Npc));
        return character::create_many(table, imported.into_sheet(sheet, table.system())?, count);
    }
    if let Some(known) = known {
        let known = known?.clone();
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

pub fn import(table: &mut Table, mut params: Params, page: Option<Page>) -> Result<(), Refusal> {
    let kind = params.kind()?;
    let page = match (params.text.take(), page) {
        (Some(text), _) => Page {
            text,
            origin: IMPORTED.to_owned(),
            which: params.name.clone(),
        },
        (None, Some(page)) => page,
        (None, None) => {
            let summary = "import needs text, or from with a file of the adventure. action=\"export\" writes what it reads.";
            return Err(Refusal::new(Code::InvalidParameters, summary));
        }
    };
    let imported = match import::import(
        &page.text,
        table.system(),
        page.which.as_deref(),
        &page.origin,
    ) {
        // The name is the new character's, not that of an entry in the text.
        Err(refusal)
            if refusal.code == Code::WhichEntry
                && page.which.is_some()
                && page.which == params.name =>
        {
            import::import(&page.text, table.system(), None, &page.origin).map_err(|_| refusal)?
        }
        other => other?,
    };
    let sheet = SheetCall {
        kind: kind.or(imported.kind.filter(|kind| kind.is_open())),
        ..params.sheet()
    };
    character::create(table, imported.into_sheet(sheet, table.system())?).map(drop)
}
