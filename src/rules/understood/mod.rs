//! The "understood as" summary: what the program made of the author's words, with lines.

mod sheet;

use self::sheet::Sheet;
use super::check::{Check, Succeed};
use super::initiative::{Initiative, InitiativeKind, InitiativeWhen, TieBreak};
use super::reading::Reading;
use super::rest::RestEffect;
use super::track::{Direction, Start, Track};

/// Characters of an author's words that are repeated.
const WORDS_MAX: usize = 48;

/// What was understood, item by item with its place, then what was assumed. Made for an author to read: one line an item,
/// lined up, nothing that the file does not hold.
pub fn understood(reading: &Reading) -> String {
    let system = &reading.system;
    if system.narrative {
        return "A narrative adventure: no System.md. Dice, log and combat work; there are no checks.\n".to_owned();
    }
    let mut sheet = Sheet::default();
    sheet.section("Rules");
    sheet.line("title", system.title.as_deref().unwrap_or("(none)"), None);
    sheet.section("Dice");
    sheet.line("allowed", &system.dice.list(), system.dice.place.as_ref());
    for (name, swap) in [("advantage", &system.advantage), ("disadvantage", &system.disadvantage)] {
        if let Some(swap) = swap {
            sheet.line(name, &with_note(swap.roll.to_string(), swap.assumed), swap.place.as_ref());
        }
    }
    sheet.section("Attributes");
    for own in &system.attributes {
        let name = own.abbr.as_ref().map_or(own.name.clone(), |abbr| format!("{} ({abbr})", own.name));
        let range = own.range.map_or("any score".to_owned(), |(low, high)| format!("{low} to {high}"));
        let modifier = with_note(own.modifier.describe(), own.modifier.assumed && own.modifier.place.is_some());
        sheet.line(&name, &format!("{range}; worth {modifier}"), Some(&own.place));
    }
    sheet.section("Skills");
    for own in &system.skills {
        let link = own.attribute.as_deref().unwrap_or("no attribute");
        let base = own.base.as_ref().map(|base| format!("; base {base}")).unwrap_or_default();
        sheet.line(&own.name, &format!("{link}{base}"), Some(&own.place));
    }
    sheet.section("Checks");
    for own in &system.checks {
        check(own, &mut sheet);
    }
    sheet.section("Health");
    for own in &system.tracks {
        sheet.line(&own.name, &track(own), Some(&own.place));
    }
    for own in &system.triggers {
        let what = if own.conditions.is_empty() { clipped(&own.text) } else { own.conditions.join(", ") };
        sheet.line(&own.when.describe(), &what, Some(&own.place));
    }
    for own in &system.rests {
        let effects: Vec<String> = own.effects.iter().map(rest_effect).collect();
        let what = if effects.is_empty() { "left to the GM".to_owned() } else { effects.join(", ") };
        sheet.line(&own.name, &what, Some(&own.place));
    }
    sheet.section("Conditions");
    for own in &system.conditions {
        sheet.line(&own.name, &clipped(&own.about), Some(&own.place));
    }
    sheet.section("Combat");
    sheet.line("initiative", &initiative(&system.initiative), system.initiative.place.as_ref());
    if system.initiative.kind != InitiativeKind::None {
        sheet.line("ties", &ties(&system.initiative.ties), system.initiative.ties_place.as_ref());
    }
    sheet.section("Assumed");
    for own in &system.assumptions {
        sheet.line("", &own.text, own.place.as_ref());
    }
    sheet.finish()
}

fn check(check: &Check, sheet: &mut Sheet) {
    let target = check.target.as_ref().map(|target| match check.succeed {
        Succeed::AtLeast => format!(", at least {target}"),
        Succeed::AtMost => format!(", at most {target}"),
    });
    let what = format!("{}{}", check.roll, target.unwrap_or_default());
    sheet.line(&check.name, &with_note(what, check.assumed), Some(&check.place));
    for row in &check.rows {
        let label = if row.canonical.as_str() == row.label.to_lowercase() {
            row.label.clone()
        } else {
            format!("{} ({})", row.label, row.canonical)
        };
        sheet.line(&format!("  {label}"), &row.when_text, Some(&row.place).filter(|_| !check.assumed));
    }
    for unread in &check.unread {
        sheet.line(&format!("  {}", unread.label), "not read; the outcome is the GM's", Some(&unread.place));
    }
}

fn track(track: &Track) -> String {
    let max = track.max.as_ref().map_or("no maximum".to_owned(), |max| format!("max {max}"));
    let start = match &track.start {
        Start::Full => "starts full".to_owned(),
        Start::Empty => "starts empty".to_owned(),
        Start::At(value) => format!("starts at {value}"),
    };
    let counts = match track.counts {
        Direction::Down => "counts down",
        Direction::Up => "counts up",
    };
    format!("{max}, min {}, {start}, {counts}", track.min)
}

fn rest_effect(effect: &RestEffect) -> String {
    match effect {
        RestEffect::ToMax { track } => format!("{track} to maximum"),
        RestEffect::Clears { track } => format!("{track} clears"),
        RestEffect::Gives { track, amount } => format!("{track} +{amount}"),
    }
}

/// Who acts when, in words.
pub(super) fn initiative(initiative: &Initiative) -> String {
    let numbers = match &initiative.kind {
        InitiativeKind::Rolled(formula) => formula.to_string(),
        InitiativeKind::Fixed(formula) => format!("{formula}, no roll"),
        InitiativeKind::PerSide(Some(formula)) => format!("per side, {formula}"),
        InitiativeKind::PerSide(None) => "per side".to_owned(),
        InitiativeKind::Cards => "cards".to_owned(),
        InitiativeKind::Given => {
            return with_note("the GM gives the numbers".to_owned(), initiative.assumed);
        }
        InitiativeKind::None => return "none".to_owned(),
    };
    let order = if initiative.highest_first { "highest first" } else { "lowest first" };
    let when = match initiative.when {
        InitiativeWhen::OncePerFight => "once per fight",
        InitiativeWhen::EachRound => "each round",
    };
    with_note(format!("{numbers}, {order}, {when}"), initiative.assumed)
}

/// What decides between equal numbers, in words.
pub(super) fn ties(ties: &[TieBreak]) -> String {
    let names = ties.iter().map(|tie| match tie {
        TieBreak::HigherAttribute(name) => format!("higher {name}"),
        TieBreak::Players => "players".to_owned(),
        TieBreak::Entered => "as entered".to_owned(),
    });
    names.collect::<Vec<_>>().join(", then ")
}

fn with_note(what: String, assumed: bool) -> String {
    if assumed { format!("{what} (assumed)") } else { what }
}

fn clipped(words: &str) -> String {
    if words.chars().count() <= WORDS_MAX {
        return words.to_owned();
    }
    let cut: String = words.chars().take(WORDS_MAX).collect();
    format!("{}…", cut.trim_end())
}
