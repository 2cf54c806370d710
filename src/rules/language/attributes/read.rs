//! The Attributes section.

use std::collections::HashMap;

use super::attribute::Attribute;
use super::modifier;
use super::modifier::{Modifier, ModifierKind};
use crate::diagnostic::{Diagnostic, Fix, Span};
use crate::names::{fold, same};
use crate::rules::codes;
use crate::rules::document::{Bullet, Table, Text};
use crate::rules::grammar::{self, cursor::Cursor, expr::whole_number};
use crate::rules::language::checks::main_die;
use crate::rules::language::declaration::{Declaration, in_a_row, short_declaration};
use crate::rules::language::labels::{Labelled, is_mechanical, labelled, report_misspelt, report_repeated};
use crate::rules::language::ledger::{Ledger, Scope};
use crate::rules::language::names::Names;
use crate::rules::language::outline::Outline;
use crate::rules::language::plain::dice_mentions;
use crate::rules::language::shape::is_short_form;
use crate::rules::language::{formula, range, setting};
use crate::rules::section::SectionKind;

/// Labels that the section knows.
pub const LABELS: [&str; 3] = ["Range", "Starting values", "Modifier"];
const STARTING_VALUES: &str = "Starting values";

/// Reads the attributes, their ranges and their modifiers.
pub fn read(outline: &Outline<'_>, ledger: &mut Ledger<'_>) -> Vec<Attribute> {
    let mut reader = Reader { attributes: Vec::new(), taken: HashMap::new(), range: None, modifier: None };
    for bullet in outline.bullets(SectionKind::Attributes) {
        let label = labelled(bullet, ledger);
        match label {
            Some(label) if label.folded == "range" => {
                ledger.take(label.span);
                reader.range(&label, bullet.depth, ledger);
            }
            Some(label) if same(&label.folded, STARTING_VALUES) => {
                reader.starting_values(&label.value, label.span, ledger);
            }
            Some(label) if label.folded == "modifier" => {
                ledger.take(label.span);
                reader.modifier(&label, bullet.depth, ledger);
            }
            Some(label) if is_of_all(&label, outline, ledger) => {
                let fix = Fix {
                    span: label.label.span(),
                    replacement: "Range".to_owned(),
                    message: "call it `Range`".to_owned(),
                };
                let message =
                    format!("`{}` is read as the name of no attribute: it bounds all of them", label.label.as_str());
                let found = Diagnostic::warning(codes::LOOKS_LIKE_A_RULE, message).at(label.span, "not read");
                ledger.report(found.help("the bounds of all scores are `- Range: 3 to 18`").fix(fix));
            }
            Some(label) if is_mechanical(&label.value) && report_misspelt(&label, &LABELS, ledger) => {}
            _ => {
                if let Some(found) = range_behind_name(bullet).or_else(|| in_a_row(bullet)) {
                    ledger.report(found);
                } else if let Some(declared) = short_declaration(bullet, ledger) {
                    ledger.take(declared.span);
                    match setting::of_attributes(&declared) {
                        Some(found) => ledger.report(found),
                        None => reader.declare(&declared, ledger),
                    }
                }
            }
        }
    }
    for table in outline.tables(SectionKind::Attributes) {
        let first = table.header.first().map(|cell| fold(cell.as_str()));
        let of_one = reader.attributes.iter().position(|own| first.as_ref().is_some_and(|first| own.is_called(first)));
        if let Some(modifier) = modifier::read(table, of_one.is_some(), ledger) {
            ledger.take(table.span);
            match of_one.and_then(|at| reader.attributes.get_mut(at)) {
                Some(one) if one.modifier.assumed => one.modifier = modifier,
                Some(_) => report_second_modifier(table, ledger),
                None => drop(reader.modifier.get_or_insert((modifier, table.span))),
            }
        }
    }
    for text in outline.paragraphs(SectionKind::Attributes) {
        match text.split_at_any(&[":"]) {
            Some((label, value)) if same(label.as_str(), STARTING_VALUES) => {
                reader.starting_values(&value, text.span(), ledger);
            }
            Some(_) | None => {}
        }
    }
    reader.finish()
}

/// An attribute with a Modifier below it, and a table that says otherwise.
fn report_second_modifier(table: &Table, ledger: &mut Ledger<'_>) {
    let span = table.header.first().map_or(table.span, Text::span);
    ledger.overlooked(span, "this attribute has a modifier already, which counts", "take one of the two away");
}

/// `Scores: 3 to 18`: the bounds of all scores, and no attribute of that name. A scale is one where others have bounds of their own.
fn is_of_all(label: &Labelled, outline: &Outline<'_>, ledger: &Ledger<'_>) -> bool {
    const ALL: [&str; 18] = [
        "score",
        "scores",
        "all",
        "all scores",
        "all attributes",
        "attributes",
        "attribute",
        "each",
        "values",
        "value",
        "ability scores",
        "limits",
        "bounds",
        "score range",
        "rating",
        "ratings",
        "interval",
        "scale",
    ];
    let is_bounded = |own: &Labelled| range::bounds(own.value.as_str()).is_some();
    let bounded = || outline.bullets(SectionKind::Attributes).filter_map(|bullet| labelled(bullet, ledger));
    let alone = || bounded().filter(is_bounded).all(|own| ALL.contains(&own.folded.as_str()));
    ALL.contains(&label.folded.as_str()) && is_bounded(label) && (label.folded != "scale" || alone())
}

/// `Body (BOD) 1-6`, `Body, 1-6`, `Body 1-6`: without a colon the whole would be a name, or a sentence.
fn range_behind_name(bullet: &Bullet) -> Option<Diagnostic> {
    let words = bullet.text.as_str();
    let begins = |rest: &str| rest.starts_with(|letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '+'));
    let (end, rest) = match words.split_once([')', ']']) {
        Some((before, behind)) => {
            let (_, short) = before.split_once(['(', '['])?;
            is_short_form(short).then_some((before.len() + 1, behind))?
        }
        None => {
            let is_name = |letter: char| letter.is_alphabetic() || matches!(letter, ' ' | '\'');
            let end = words.find(|letter: char| !is_name(letter))?;
            let name = words.get(..end)?.trim_end();
            // `-3 to 6` begins with its sign; a dash within a word is part of the name.
            let is_short =
                (1..=3).contains(&name.split(' ').count()) && name.len() < end || words.get(end..)?.starts_with(',');
            const OF_SENTENCES: [&str; 9] = ["go", "goes", "is", "are", "from", "range", "ranges", "between", "of"];
            let is_sentence = name.split(' ').any(|word| OF_SENTENCES.contains(&word));
            (is_short && !is_sentence && !name.is_empty()).then_some((name.len(), words.get(name.len()..)?))?
        }
    };
    let rest = rest.trim_start_matches([' ', ',']);
    if !begins(rest) || words.contains(':') || range::bounds(rest).is_none() {
        return None;
    }
    let fix = Fix {
        span: bullet.text.span_of(end..words.len() - rest.len()),
        replacement: ": ".to_owned(),
        message: "put a colon behind the name".to_owned(),
    };
    let message = "this looks like a rule, and is not read as one";
    let found = Diagnostic::warning(codes::LOOKS_LIKE_A_RULE, message).at(bullet.text.span(), "read as prose");
    Some(found.help("a colon stands behind the name: `- Strength (STR): 3 to 18`").fix(fix))
}

/// A range that is none, or upside down.
fn report_range(value: &Text, ledger: &mut Ledger<'_>) {
    let message = |words: &str| format!("the range `{words}` cannot be read");
    let because = "scores are not bounded by it";
    let Some((low, high)) = range::bounds(value.as_str()) else {
        let diagnostic = Diagnostic::warning(codes::UNREADABLE_RANGE, message(value.as_str()));
        let diagnostic = diagnostic.at(value.span(), "expected two numbers").because(because);
        return ledger.report(diagnostic.help("write `3 to 20`"));
    };
    // What stands behind the range stays as it is.
    let words = value.as_str();
    let end =
        words.find([',', ';', '(']).map_or(words.len(), |at| words.get(..at).unwrap_or_default().trim_end().len());
    let span = value.span_of(0..end);
    let replacement = format!("{high} to {low}");
    let diagnostic = Diagnostic::warning(codes::UNREADABLE_RANGE, message(words.get(..end).unwrap_or_default()));
    let diagnostic = diagnostic.at(span, "the first number is the higher one").because(because);
    let fix = Fix { span, message: format!("write `{replacement}`"), replacement: replacement.clone() };
    ledger.report(diagnostic.help(format!("write `{replacement}`")).fix(fix));
}

/// A range that is not the first thing said, or a number that is none: what a score starts at, how it is rolled.
fn report_number(declared: &Declaration, ledger: &mut Ledger<'_>) {
    let bracket = declared.bracket.as_ref().map(|own| format!(" ({})", own.as_str())).unwrap_or_default();
    let (name, about) = (format!("{}{bracket}", declared.name.as_str()), declared.about.as_str());
    if let Some((found, at)) = range::in_prose(about) {
        let help = format!("the range comes first: `{name}: {} to {}, …`", found.0, found.1);
        ledger.overlooked(declared.about.span_of(at), "scores are not bounded by it", help);
    } else if says_score(about) {
        let help = format!(
            "say how far the score goes before anything else: `- {name}: 1 to 20, {about}`; what a character begins with stands on \
             their sheet"
        );
        ledger.overlooked(declared.about.span(), "read as a description", help);
    }
}

/// `5`, `starts at 5`, `4d6 drop lowest`: a number that is the score's, and no list of the numbers it may be.
fn says_score(about: &str) -> bool {
    let is_digit = |letter: char| letter.is_ascii_digit();
    let folded = fold(about);
    let clauses: Vec<&str> = folded.split([',', ';', '.', '(']).map(str::trim).collect();
    let alone = clauses.first().is_some_and(|first| range::number(first).is_some_and(|(_, rest)| rest.is_empty()));
    let is_list = clauses.get(1).is_some_and(|second| second.starts_with(is_digit));
    let begins =
        folded.split(' ').any(|word| ["start", "starts", "begin", "begins", "default", "base"].contains(&word));
    alone && !is_list
        || begins && folded.contains(is_digit)
        || dice_mentions(about).any(|at| at.start == 0 || rolled(about, at.start))
}

/// Whether dice are said to be rolled: "roll 3d6".
fn rolled(words: &str, dice: usize) -> bool {
    let before = fold(words.get(..dice).unwrap_or_default());
    ["roll", "rolls", "rolled with", "throw"].iter().any(|word| before.trim_end().ends_with(word))
}

fn report_dice(label: &Labelled, ledger: &mut Ledger<'_>) {
    ledger.report(
        Diagnostic::error(codes::UNREADABLE_MODIFIER, "a modifier cannot have dice in it")
            .at(label.value.span(), "dice here")
            .because("it is worked out from the score, again and again")
            .help("write dice into the Roll of a check"),
    );
}

struct Reader {
    attributes: Vec<Attribute>,
    /// Folded names and short forms, with where they were declared.
    taken: HashMap<String, Span>,
    range: Option<((i64, i64), Span)>,
    modifier: Option<(Modifier, Span)>,
}

impl Reader {
    fn declare(&mut self, declared: &Declaration, ledger: &mut Ledger<'_>) {
        // `(STR)`, `(3-18)`, `(STR, 3-18)`; a range may also open the words: `- Strength (STR): 3 to 18, lifting`.
        let bracket = declared.bracket.as_ref().map(|bracket| bracket.split_all(&[","])).unwrap_or_default();
        let own_range = bracket.iter().chain([&declared.about]).find_map(|part| range::range(part.as_str()));
        let turned = |part: &&Text| range::bounds(part.as_str()).is_some_and(|(low, high)| low > high);
        if let Some(turned) = bracket.iter().chain([&declared.about]).find(turned).filter(|_| own_range.is_none()) {
            report_range(turned, ledger);
        }
        if own_range.is_none() {
            report_number(declared, ledger);
        }
        let abbr = bracket.iter().find(|part| range::bounds(part.as_str()).is_none());
        for word in std::iter::once(&declared.name).chain(abbr) {
            if let Some(first) = self.taken.get(&fold(word.as_str())) {
                let message = format!("`{}` is declared twice", word.as_str());
                ledger.report(
                    Diagnostic::warning(codes::DUPLICATE_ATTRIBUTE, message)
                        .at(word.span(), "this attribute is not read")
                        .and(*first, "declared here first")
                        .because("case, accents, spaces, hyphens and underscores make no difference"),
                );
                return;
            }
        }
        if !ledger.has_room(self.attributes.len(), "attributes", declared.span) {
            return;
        }
        for word in std::iter::once(&declared.name).chain(abbr) {
            self.taken.insert(fold(word.as_str()), word.span());
        }
        self.attributes.push(Attribute {
            name: declared.name.as_str().to_owned(),
            abbr: abbr.map(|abbr| abbr.as_str().to_owned()),
            about: declared.about.as_str().to_owned(),
            range: own_range,
            modifier: Modifier::score(),
            place: ledger.place(declared.span),
            span: declared.span,
        });
    }

    fn range(&mut self, label: &Labelled, depth: usize, ledger: &mut Ledger<'_>) {
        let Some(read) = range::range(label.value.as_str()) else {
            return report_range(&label.value, ledger);
        };
        match self.attributes.last_mut().filter(|_| depth > 0) {
            Some(attribute) => attribute.range = Some(read),
            None => match self.range {
                Some((_, first)) => report_repeated(label, first, ledger),
                None => self.range = Some((read, label.span)),
            },
        }
    }

    fn modifier(&mut self, label: &Labelled, depth: usize, ledger: &mut Ledger<'_>) {
        let place = Some(ledger.place(label.span));
        let kind = match fold(label.value.as_str()).as_str() {
            "score" | "the score" | "the score itself" | "none" => ModifierKind::Score,
            _ => match formula::read(&label.value, &Names::of_attributes(&[]), Scope::Score, ledger) {
                Some(formula) if main_die(&formula).is_none() => ModifierKind::Formula(formula),
                Some(_) => return report_dice(label, ledger),
                None => return,
            },
        };
        let modifier = Modifier { kind, place, assumed: false };
        match self.attributes.last_mut().filter(|_| depth > 0) {
            Some(attribute) => attribute.modifier = modifier,
            None => match self.modifier {
                Some((_, first)) => report_repeated(label, first, ledger),
                None => self.modifier = Some((modifier, label.span)),
            },
        }
    }

    /// `Starting values: 8-18 range, point buy`: a second form of Range, also as a line of prose. What follows its comma is for people.
    fn starting_values(&mut self, value: &Text, span: Span, ledger: &mut Ledger<'_>) {
        let first = value.split_all(&[",", ";"]).into_iter().next().unwrap_or_else(|| value.clone());
        let names = grammar::names::Names::new();
        let read = Cursor::new(&first, &names).whole(|at| {
            let low = whole_number(at)?;
            at.words("to").or_else(|| at.sign('-'))?;
            let high = whole_number(at)?;
            let _ = at.words("range");
            Some((low, high))
        });
        match read {
            Ok(_) if self.range.is_some() => {
                ledger.overlooked(
                    span,
                    "the bounds of all scores are said before, and count",
                    "take one of the two away",
                );
            }
            Ok((low, high)) if low <= high => {
                ledger.take(span);
                self.range = Some(((low, high), span));
            }
            Ok(_) | Err(_) => report_range(&first, ledger),
        }
    }

    /// What was said for all goes to those that have nothing of their own.
    fn finish(self) -> Vec<Attribute> {
        let mut attributes = self.attributes;
        for attribute in &mut attributes {
            attribute.range = attribute.range.or(self.range.map(|(range, _)| range));
            if let Some((modifier, _)) = self.modifier.as_ref().filter(|_| attribute.modifier.assumed) {
                attribute.modifier = modifier.clone();
            }
        }
        attributes
    }
}
