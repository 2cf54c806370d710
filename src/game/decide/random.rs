//! Rolls on a random table of the adventure, and carries out what its row says: dice, and rolls on other tables.

use crate::dice::{self, Expression};
use crate::game::decide::roll::{actor_and_visibility, record};
use crate::game::limits::{self, LIMITS};
use crate::game::mechanics::values::dice_refusal;
use crate::game::record::entry::{RollRecord, Visibility};
use crate::game::record::event::{Drawn, Event, TableRollEvent};
use crate::game::refusal::{Code, Refusal};
use crate::game::table::{Draft, Table};
use crate::game::view::secrets;
use crate::names::{fold, listed, quoted, suggest};
use crate::rules::random_table::{RandomTable, find};

/// Tables within each other that are rolled on, and rows of one call.
const DEPTH_MAX: usize = 4;
const ROWS_MAX: usize = 12;
/// Dice in the text of one row.
const DICE_MAX: usize = 6;
/// What leads from a row to another table.
const LEADS: &str = "roll on ";
/// Words of a table's name behind that.
const NAME_WORDS_MAX: usize = 6;

/// The call; `tables` are all of the adventure.
pub struct TableCall {
    pub tables: Vec<RandomTable>,
    /// The table's name, or `Night.md#Rumours`.
    pub name: String,
    pub context: Option<String>,
    pub character: Option<String>,
    /// The GM's unless a character rolls or the call says otherwise: a row may say what players do not know.
    pub visibility: Option<Visibility>,
    /// The dice of the table, rolled by hand.
    pub entered: Option<Vec<i64>>,
}

/// Rolls and logs; returns the entry's number.
///
/// # Errors
/// When no table or several have the name, or the dice that were entered do not fit.
pub fn decide(table: &mut Table, call: &TableCall) -> Result<u64, Refusal> {
    if let Some(context) = &call.context {
        limits::text("context", context, LIMITS.context)?;
    }
    let which = named(&call.tables, &call.name)?;
    let gm = call.character.is_none().then_some(Visibility::Gm);
    let (actor, visibility) = actor_and_visibility(table, call.character.as_deref(), call.visibility.or(gm))?;
    secrets::check_text(table.state, table.system(), visibility, "context", call.context.as_deref())?;
    let mut draw = Draw { tables: &call.tables, actor: &actor, rolls: Vec::new(), drawn: Vec::new() };
    draw.on(table, which, &mut Vec::new(), call.entered.as_deref())?;
    let Draw { rolls, drawn, .. } = draw;
    let event = Event::TableRoll(TableRollEvent { context: call.context.clone(), drawn });
    Ok(table.log(Draft { visibility, rolls, ..Draft::new(&actor, event, Vec::new()) }))
}

/// The only table of that name.
fn named<'t>(tables: &'t [RandomTable], name: &str) -> Result<&'t RandomTable, Refusal> {
    let fit = find(tables, name);
    match fit.as_slice() {
        [only] => return Ok(only),
        [] => {}
        [first, ..] => {
            let places: Vec<String> = fit.iter().map(|own| format!("{} ({})", own.full_name(), own.place)).collect();
            let summary = format!(
                "\"{}\" could mean {}. Send table=\"{}\", or another of these.",
                quoted(name),
                listed(places.iter().map(String::as_str), 300),
                first.full_name()
            );
            let names = fit.iter().map(|own| own.full_name()).collect();
            return Err(Refusal::new(Code::AmbiguousName, summary).did_you_mean(names));
        }
    }
    let names = || tables.iter().map(|own| own.name.as_str());
    let near = suggest(name, names());
    let hint = match (near.first(), tables.is_empty()) {
        (Some(first), _) => format!("Near: {}. Send table=\"{first}\".", near.join(", ")),
        (None, false) => format!("There is {}.", listed(names(), 300)),
        (None, true) => {
            "The adventure has none: a table in any of its Markdown files whose first column holds numbers or ranges."
                .to_owned()
        }
    };
    let summary = format!("No random table is called \"{}\". {hint}", quoted(name));
    Err(Refusal::new(Code::UnknownPage, summary).did_you_mean(near))
}

struct Draw<'t> {
    tables: &'t [RandomTable],
    actor: &'t str,
    rolls: Vec<RollRecord>,
    drawn: Vec<Drawn>,
}

impl<'t> Draw<'t> {
    /// Rolls on one table; `within` are those that led to it, which it does not lead back to.
    fn on(
        &mut self,
        table: &mut Table,
        own: &'t RandomTable,
        within: &mut Vec<&'t RandomTable>,
        entered: Option<&[i64]>,
    ) -> Result<(), Refusal> {
        let dice = dice::parse(&own.dice).map_err(|error| dice_refusal(&error))?;
        let rolled = record(table, &dice, entered, self.actor, &own.name)?;
        let (total, roll) = (rolled.roll.total, self.rolls.len());
        self.rolls.push(rolled);
        let Some(row) = own.row(total) else {
            let text = format!("no row stands for {total}");
            let place = own.place.to_string();
            self.drawn.push(Drawn {
                table: own.name.clone(),
                place,
                row: String::new(),
                result: text.clone(),
                text,
                roll,
            });
            return Ok(());
        };
        let result = self.with_dice(table, &row.text)?;
        let place = row.place.to_string();
        self.drawn.push(Drawn {
            table: own.name.clone(),
            place,
            row: row.range(),
            text: row.text.clone(),
            result,
            roll,
        });
        within.push(own);
        for next in self.led_to(&row.text) {
            let circle = within.iter().any(|own| std::ptr::eq(*own, next));
            if !circle && within.len() < DEPTH_MAX && self.drawn.len() < ROWS_MAX {
                self.on(table, next, within, None)?;
            }
        }
        within.pop();
        Ok(())
    }

    /// The text with its dice rolled: "1d4 wolves" becomes "3 wolves".
    fn with_dice(&mut self, table: &mut Table, text: &str) -> Result<String, Refusal> {
        let mut words: Vec<String> = Vec::new();
        let mut rolled = 0;
        for word in text.split(' ') {
            let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric());
            match dice_in(bare).filter(|_| rolled < DICE_MAX) {
                Some(dice) => {
                    let own = record(table, &dice, None, self.actor, bare)?;
                    words.push(word.replacen(bare, &own.roll.total.to_string(), 1));
                    self.rolls.push(own);
                    rolled += 1;
                }
                None => words.push(word.to_owned()),
            }
        }
        Ok(words.join(" "))
    }

    /// The tables that a text leads to: "roll on Weather", "roll on the Weather table".
    fn led_to(&self, text: &str) -> Vec<&'t RandomTable> {
        let folded = fold(text);
        let mut found: Vec<&RandomTable> = Vec::new();
        for (at, _) in folded.match_indices(LEADS) {
            let rest = folded.get(at + LEADS.len()..).unwrap_or_default();
            let rest = rest.strip_prefix("the ").or_else(|| rest.strip_prefix("table ")).unwrap_or(rest);
            let words: Vec<&str> = rest.split([' ', ',', ';', ':', '.', '(', ')', '!']).take(NAME_WORDS_MAX).collect();
            let longest = (1..=words.len()).rev().find_map(|count| {
                let name = words.get(..count)?.join(" ");
                // Among tables of one name nobody says which is meant.
                let mut called = self.tables.iter().filter(|own| own.is_called(name.trim()));
                called.next().filter(|_| called.next().is_none())
            });
            found.extend(longest.filter(|own| !found.iter().any(|other| std::ptr::eq(*other, *own))));
        }
        found
    }
}

/// `1d4`, `2d6+1`, `d8`: dice written as one word.
fn dice_in(word: &str) -> Option<Expression> {
    let folded = word.to_lowercase();
    let (count, sides) = folded.split_once('d')?;
    let is_dice =
        count.chars().all(|c| c.is_ascii_digit()) && sides.starts_with(|c: char| c.is_ascii_digit() || c == '%');
    if !is_dice {
        return None;
    }
    dice::parse(&folded).ok()
}
