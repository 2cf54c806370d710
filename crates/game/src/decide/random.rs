//! Rolls on a random table of the adventure, and carries out its row: dice, rolls on other tables.

use crate::decide::roll::{actor_visibility, record};
use crate::limits::{self, LIMITS};
use crate::mechanics::values::dice_refusal;
use crate::record::entry::{RollRecord, Visibility};
use crate::record::event::{Drawn, Event, TableRollEvent};
use crate::refusal::{Code, Detail, Refusal, Result};
use crate::table::{Draft, Table};
use rollbook_dice::Expression;
use rollbook_rules::random_table::{
    Ignoring, RandomTable, TableNames, TableRow, find, nested_rolls,
};
use rollbook_text::names::{listed, quoted, suggest};

/// Tables within each other that are rolled on, and rows of one call.
const DEPTH_MAX: usize = 4;
const ROWS_MAX: usize = 20;
/// Dice in the text of one row.
const DICE_MAX: usize = 6;
/// Rolls for one row whose result is ignored, and that are made again.
const IGNORED_MAX: usize = 10;

/// The call; `tables` are all of the adventure.
pub struct TableCall {
    pub tables: Vec<RandomTable>,
    /// The table's name, or `Night.md#Rumours`.
    pub name: String,
    pub context: Option<String>,
    pub character: Option<String>,
    /// The GM's unless a character rolls or the call says otherwise: a row may be secret.
    pub visibility: Option<Visibility>,
    /// The dice of the table, rolled by hand.
    pub entered: Option<Vec<i64>>,
}

/// Rolls and logs; returns the entry. Refused: no table or several of the name; unfit dice sent.
pub fn decide(table: &mut Table, call: &TableCall) -> Result<u64> {
    call.context.as_ref().map_or(Ok(()), |context| {
        limits::text("context", context, LIMITS.context)
    })?;
    let which = named(&call.tables, &call.name)?;
    let gm = call.character.is_none().then_some(Visibility::Gm);
    let (actor, visibility) =
        actor_visibility(table, call.character.as_deref(), call.visibility.or(gm))?;
    table.check_text(visibility, "context", call.context.as_deref())?;
    let tables = TableNames::new(&call.tables);
    let mut draw = Draw {
        tables: &tables,
        actor: &actor,
        rolls: Vec::new(),
        drawn: Vec::new(),
        is_cut: false,
    };
    let rolled = draw.roll(table, which, call.entered.as_deref())?;
    draw.carry_out(table, which, rolled, &mut Vec::new())?;
    let Draw {
        rolls,
        drawn,
        is_cut,
        ..
    } = draw;
    table.note(is_cut.then(|| {
        format!("the rows ask for more rolls than one call makes ({ROWS_MAX} rows, {DEPTH_MAX} within each other, none back to a table that it came from); roll on the table again for the rest")
    }));
    let event = Event::TableRoll(TableRollEvent {
        context: call.context.clone(),
        drawn,
    });
    Ok(table.log(Draft {
        visibility,
        rolls,
        ..Draft::new(&actor, event, Vec::new())
    }))
}

fn named<'t>(tables: &'t [RandomTable], name: &str) -> Result<&'t RandomTable> {
    let fit = find(tables, name);
    let (code, issue, instead, near) = match fit.as_slice() {
        [only] => return Ok(only),
        [] => {
            let names = || tables.iter().map(|table| table.name.as_str());
            let suggestions = suggest(name, names());
            let instead = match (suggestions.first(), tables.is_empty()) {
                (Some(first), _) => format!("Near: {}. Send table=\"{first}\".", suggestions.join(", ")),
                (None, false) => format!("There is {}.", listed(names(), 300)),
                (None, true) => {
                    "The adventure has none: a table in any of its Markdown files whose header names dice, such as `d6`."
                        .to_owned()
                }
            };
            let issue = format!("No random table is called \"{}\"", quoted(name));
            (Code::UnknownPage, issue, instead, suggestions)
        }
        [first, ..] => {
            let places: Vec<String> = fit
                .iter()
                .map(|fit| format!("{} ({})", fit.full_name(), fit.place))
                .collect();
            let issue = format!(
                "\"{}\" could mean {}",
                quoted(name),
                listed(places.iter().map(String::as_str), 300)
            );
            let instead = format!("Send table=\"{}\", or another of these.", first.full_name());
            (
                Code::AmbiguousName,
                issue,
                instead,
                fit.iter().map(|fit| fit.full_name()).collect(),
            )
        }
    };
    let summary = format!("{issue}. {instead}");
    let detail = Detail {
        parameter: "table".to_owned(),
        issue,
        valid_range: instead,
    };
    Err(Refusal::new(code, summary)
        .details(vec![detail])
        .did_you_mean(near))
}

struct Draw<'t> {
    tables: &'t TableNames<'t>,
    actor: &'t str,
    rolls: Vec<RollRecord>,
    drawn: Vec<Drawn>,
    /// Rolls that rows asked for were left out.
    is_cut: bool,
}

impl<'t> Draw<'t> {
    /// The dice of a table: the total, and the roll's place among the entry's.
    fn roll(
        &mut self,
        table: &mut Table,
        on: &RandomTable,
        entered: Option<&[i64]>,
    ) -> Result<(i64, usize)> {
        let dice = rollbook_dice::parse(&on.dice).map_err(|error| dice_refusal(&error))?;
        let rolled = record(table, &dice, entered, self.actor, &on.name)?;
        let total = rolled.roll.total;
        self.rolls.push(rolled);
        Ok((total, self.rolls.len() - 1))
    }

    /// The row of a total, and what it tells to roll; none of `within`, which led to it.
    fn carry_out(
        &mut self,
        table: &mut Table,
        drawn_on: &'t RandomTable,
        (total, roll): (i64, usize),
        within: &mut Vec<&'t RandomTable>,
    ) -> Result<()> {
        let Some(row) = drawn_on.row(total) else {
            let missing = drawn(drawn_on, total, String::new(), roll);
            self.drawn.push(Drawn {
                result: missing.text.clone(),
                ..missing
            });
            return Ok(());
        };
        let result = self.with_dice(table, &row.text)?;
        self.drawn.push(drawn(drawn_on, total, result, roll));
        within.push(drawn_on);
        let asked = nested_rolls(&row.text, self.tables);
        self.is_cut |= asked.is_cut;
        for next in asked.rolls {
            let on = next.on.unwrap_or(drawn_on);
            let circle = next.on.is_some() && within.iter().any(|known| std::ptr::eq(*known, on));
            let mut totals: Vec<i64> = Vec::new();
            for _ in 0..next.times {
                if circle || within.len() >= DEPTH_MAX || self.drawn.len() >= ROWS_MAX {
                    self.is_cut = true;
                    break;
                }
                let is_ignored = |total: i64| {
                    next.ignoring
                        .as_ref()
                        .is_some_and(|ignoring| is_ignored(ignoring, on, total, row, &totals))
                };
                // Until the result counts; each that is ignored is logged.
                let mut counted = None;
                for _ in 0..IGNORED_MAX {
                    let (total, roll) = self.roll(table, on, None)?;
                    if !is_ignored(total) {
                        counted = Some((total, roll));
                        break;
                    }
                    self.drawn.push(drawn(
                        on,
                        total,
                        format!("{total} is ignored, and rolled again"),
                        roll,
                    ));
                }
                self.is_cut |= counted.is_none();
                let Some(rolled) = counted else { continue };
                totals.push(rolled.0);
                self.carry_out(table, on, rolled, within)?;
            }
        }
        within.pop();
        Ok(())
    }

    /// The text with its dice rolled: "1d4 wolves" becomes "3 wolves".
    fn with_dice(&mut self, table: &mut Table, text: &str) -> Result<String> {
        let mut words: Vec<String> = Vec::new();
        let mut rolled = 0;
        for word in text.split(' ') {
            let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric());
            match dice_in(bare).filter(|_| rolled < DICE_MAX) {
                Some(dice) => {
                    let record = record(table, &dice, None, self.actor, bare)?;
                    words.push(word.replacen(bare, &record.roll.total.to_string(), 1));
                    self.rolls.push(record);
                    rolled += 1;
                }
                None => words.push(word.to_owned()),
            }
        }
        Ok(words.join(" "))
    }
}

/// What a total drew; a total without a row has the place of the table.
fn drawn(on: &RandomTable, total: i64, result: String, roll: usize) -> Drawn {
    let (place, row, text) = match on.row(total) {
        Some(row) => (&row.place, row.range(), row.text.clone()),
        None => (
            &on.place,
            String::new(),
            format!("no row stands for {total}"),
        ),
    };
    Drawn {
        table: on.name.clone(),
        place: place.to_string(),
        row,
        text,
        result,
        roll,
    }
}

/// Whether a nested roll's total is ignored: a number that the row names, else the row; a repeat.
fn is_ignored(
    ignoring: &Ignoring,
    on: &RandomTable,
    total: i64,
    row: &TableRow,
    before: &[i64],
) -> bool {
    let same_row = |other: i64| on.row(other).is_some_and(|row| row.holds(total));
    if ignoring.repeats && before.iter().any(|other| same_row(*other)) {
        return true;
    }
    match ignoring.numbers.as_slice() {
        [] => !ignoring.repeats && on.row(total).is_some_and(|drawn| std::ptr::eq(drawn, row)),
        numbers => numbers
            .iter()
            .any(|(low, high)| (*low..=*high).contains(&total)),
    }
}

/// `1d4`, `2d6+1`, `d8`: dice written as one word.
fn dice_in(word: &str) -> Option<Expression> {
    let folded = word.to_lowercase();
    let (count, sides) = folded.split_once('d')?;
    let fits = count.chars().all(|c| c.is_ascii_digit())
        && sides.starts_with(|c: char| c.is_ascii_digit() || c == '%');
    fits.then(|| rollbook_dice::parse(&folded).ok())?
}
