use std::collections::HashMap;

use super::entry::lint;
use crate::diagnostic::{Diagnostic, Fix, Severity, Span};
use crate::names::{fold, same};
use crate::rules::document::{Block, Bullet, Section, Text};
use crate::rules::language::checks::bands::{Band, are_of_two_dice, bands, first_band, goes_beyond, rows};
use crate::rules::language::checks::further::{goes_on, takes_back};
use crate::rules::language::checks::rolled::{Rolled, Said, Unknown, phrase, rolled};
use crate::rules::language::ledger::Ledger;
use crate::rules::language::names::Names;
use crate::rules::language::outline::Outline;
use crate::rules::language::plain::{is_mention, sentences};
use crate::rules::language::section::SectionKind;
use crate::rules::language::system::System;

lint!("checks/moves-in-prose", Sections(lint));

/// Words of a name that stands in front of a move: "Hold the line. When you …".
const TITLE_WORDS_MAX: usize = 5;

/// A move in sentences, with where it stands.
pub struct Told<'a> {
    section: &'a Section,
    /// Whether no other move stands below the same heading.
    alone: bool,
    kind: Option<SectionKind>,
    /// The move's own name, else that of the heading above it.
    pub name: String,
    /// Where its roll is said.
    pub first: Span,
    last: Span,
    roll: Rolled,
    rows: Vec<String>,
    /// Whether the text says more of the roll than the bands: what a natural 12 does, when nothing is added.
    pub says_more: bool,
}

impl Told<'_> {
    /// Whether its heading is a check's already, which has no table.
    pub fn below_checks(&self) -> bool {
        self.kind == Some(SectionKind::Checks) && self.section.level == 3 && self.alone
    }

    /// Names that it adds and that the rules do not declare.
    pub fn unknown(&self) -> &[Unknown] {
        &self.roll.unknown
    }

    /// What it rolls.
    pub fn roll(&self) -> String {
        self.roll.notation("2d6")
    }

    /// The bullet and the table of the check that decides it.
    pub fn rules(&self) -> String {
        let head = "| Outcome | When | What happens |\n|---|---|---|";
        format!("- Roll: `{}`\n\n{head}\n{}", self.roll(), self.rows.join("\n"))
    }
}

/// Moves in sentences (10+, 7-9, 6-), which no check decides; also those under Dice, which explains in words what stands in tables
/// elsewhere, where `dice` says so.
pub fn moves<'a>(outline: &'a Outline<'_>, system: &System, blocks_max: usize, dice: bool) -> Vec<Told<'a>> {
    let mut names: Option<Names> = None;
    let mut all = Vec::new();
    for (kind, section) in outline.all() {
        if kind == Some(SectionKind::Examples) || kind == Some(SectionKind::Dice) && !dice {
            continue;
        }
        for own in std::iter::once(section).chain(&section.subsections) {
            let blocks: Vec<&Block> = own.blocks.iter().take(blocks_max).collect();
            let has_table = blocks.iter().any(|block| matches!(block, Block::Table(_)));
            let mut texts = blocks.iter().filter_map(|block| words(block));
            if has_table || texts.all(|text| first_band(text.as_str()).is_none()) {
                continue;
            }
            // Made late: each look gathers every name of the rules.
            let names = names.get_or_insert_with(|| system.names());
            let found: Vec<Move> = tellings(&blocks, names);
            let alone = found.len() == 1;
            for own_move in found {
                let heading = own.heading.as_ref().map(|heading| heading.as_str().trim()).filter(|own| !own.is_empty());
                let heading = heading.filter(|_| alone).map(str::to_owned);
                let named = heading.clone().filter(|_| own.level == 3);
                let name = named.or_else(|| own_move.name.clone()).or_else(|| heading.clone());
                // A check of the same name decides it, wherever that stands.
                let is_check = system.checks.iter().any(|check| {
                    let named = [&name, &heading].into_iter().flatten().any(|name| same(name, &check.name));
                    let inside = alone && own.span.bytes().contains(&check.span.start);
                    let decides = !check.rows.is_empty() || check.target.is_some();
                    (named || inside) && !check.assumed && decides
                });
                let Some((roll, rows)) = own_move.decided().filter(|_| !is_check) else { continue };
                let (first, last) = (own_move.first, own_move.last);
                let says_more = own_move.goes_beyond || says_more(&blocks, first, last);
                let name = name.unwrap_or_default();
                all.push(Told { section: own, alone, kind, name, first, last, roll, rows, says_more });
            }
        }
    }
    // Two of one name are no two checks.
    let mut times: HashMap<String, usize> = HashMap::new();
    for own in &all {
        *times.entry(fold(&own.name)).or_default() += 1;
    }
    all.retain(|own| own.name.is_empty() || times.get(&fold(&own.name)) == Some(&1));
    all
}

/// Whether what stands from here to there takes something back, or what stands behind it says more of the roll.
fn says_more(blocks: &[&Block], first: Span, last: Span) -> bool {
    let texts = || blocks.iter().filter_map(|block| words(block));
    let own = texts().filter(|text| text.span().end > first.start && text.span().start < last.end);
    let mut own = own.map(Text::as_str);
    let behind = texts().filter(|text| text.span().start >= last.end).map(Text::as_str);
    own.any(takes_back) || goes_on(behind.take_while(|text| !opens(text)))
}

/// Tells of moves in sentences, each with the check that would decide it.
fn lint(outline: &Outline<'_>, system: &System, ledger: &mut Ledger<'_>) {
    for told in moves(outline, system, ledger.limits.blocks, false) {
        let span = told.section.heading.as_ref().filter(|_| told.alone).map_or(told.first, Text::span);
        let severity = if system.checks.iter().all(|check| check.assumed) { Severity::Warning } else { Severity::Note };
        let which = if told.name.is_empty() { "a move".to_owned() } else { format!("the move `{}`", told.name) };
        let diagnostic = Diagnostic::warning(LINT.code, format!("{which} is decided in sentences"))
            .at(span, "nobody reads the outcomes off the dice")
            .and(told.first, "read as prose");
        let diagnostic = Diagnostic { severity, ..diagnostic };
        let diagnostic = match told.below_checks() {
            true => {
                let at = Span::new(told.last.file, told.last.end..told.last.end);
                let fix = Fix {
                    span: at,
                    replacement: format!("\n\n{}", told.rules()),
                    message: "write it as a check".to_owned(),
                };
                let help = "a move is a check: what is rolled is a bullet, and what comes of it a table";
                let diagnostic = diagnostic.help(help);
                if told.says_more { diagnostic } else { diagnostic.perhaps(fix) }
            }
            false => diagnostic.help(format!(
                "a move is a check; it stands below `## Checks`:\n\n### {}\n{}",
                if told.name.is_empty() { "Move" } else { &told.name },
                told.rules()
            )),
        };
        for block in &told.section.blocks {
            ledger.take(block.span());
        }
        if system.checks.is_empty() { ledger.report_lost(diagnostic) } else { ledger.report(diagnostic) }
    }
}

fn words(block: &Block) -> Option<&Text> {
    match block {
        Block::Paragraph(text) | Block::Bullet(Bullet { text, .. }) => Some(text),
        Block::Table(_) | Block::Heading(_) | Block::Fence { .. } => None,
    }
}

/// A move as its sentences tell it.
struct Move {
    /// The name in front of it, or what its first words say is done.
    name: Option<String>,
    /// What it rolls; [`Said::Unclear`] also where it says two things.
    roll: Said,
    bands: Vec<Band>,
    /// Whether something else may be said behind the bands, in the same paragraph.
    goes_beyond: bool,
    first: Span,
    last: Span,
}

impl Move {
    /// What it rolls and the rows of its table; none where either cannot be read whole.
    fn decided(&self) -> Option<(Rolled, Vec<String>)> {
        let Said::Roll(roll) = &self.roll else { return None };
        // "Roll +Nerve" leaves the dice to the game, which these two bands tell.
        let fits = roll.dice.is_some() || are_of_two_dice(&self.bands);
        Some((roll.clone(), rows(self.bands.clone())?)).filter(|_| fits)
    }
}

/// The moves of some paragraphs and bullets. One begins where "When …" opens a paragraph, and where something is rolled behind the bands
/// of another.
fn tellings(blocks: &[&Block], names: &Names) -> Vec<Move> {
    let mut all: Vec<Move> = Vec::new();
    for block in blocks {
        let Some(text) = words(block) else { continue };
        // Where the part of this text begins that belongs to the last move, and whether a band stands in it.
        let (mut from, mut banded) = (0, false);
        let mut title: Option<&str> = None;
        for at in sentences(text.as_str()) {
            let sentence = text.as_str().get(at.clone()).unwrap_or_default();
            if at.start == 0
                && let Some(name) = title_of(sentence, text.as_str().get(at.end..).unwrap_or_default())
            {
                title = Some(name);
                continue;
            }
            let first = from == 0 && (at.start == 0 || title.is_some());
            let (before, body) = sentence.split_once(": ").filter(|(name, body)| is_title(name, body)).unzip();
            title = title.or(before.filter(|_| first));
            let body = body.filter(|_| first).unwrap_or(sentence).trim_start();
            let band = first_band(body);
            let opening = body.get(..band.unwrap_or(body.len())).unwrap_or_default();
            // "Do not use this: when you …" is no name in front of a move.
            let is_mention = || is_mention(opening) || [before, title].into_iter().flatten().any(is_mention);
            let said = match rolled(opening, names) {
                Said::Nothing => Said::Nothing,
                _ if is_mention() => Said::Unclear,
                said => said,
            };
            let says = said != Said::Nothing;
            let open = all.last().is_some_and(|own| !banded && own.bands.is_empty());
            let new = opens(body) && (first || banded && says) || says && !banded && !open;
            if new {
                let start = if title.is_some() { 0 } else { at.start };
                add(&mut all, text, from..start, false);
                let name = title.map(str::to_owned).or_else(|| phrase(body));
                let span = text.slice(at.clone()).trim().span();
                all.push(Move { name, roll: said, bands: Vec::new(), goes_beyond: false, first: span, last: span });
                (from, banded, title) = (at.start, false, None);
            } else if let Some(own) = all.last_mut().filter(|_| says && !banded) {
                own.roll = if own.roll == Said::Nothing { said } else { Said::Unclear };
            }
            banded |= band.is_some();
        }
        add(&mut all, text, from..text.as_str().len(), matches!(block, Block::Bullet(_)));
    }
    all.retain(|own| !own.bands.is_empty());
    all
}

/// Adds the bands of a stretch to the last move; a bullet without any belongs to the band above it.
fn add(all: &mut [Move], text: &Text, at: std::ops::Range<usize>, bullet: bool) {
    let Some(own) = all.last_mut() else { return };
    let stretch = text.as_str().get(at.clone()).unwrap_or_default();
    let found = bands(stretch);
    match own.bands.last_mut().filter(|_| bullet && found.is_empty()) {
        Some(band) => band.add(stretch),
        None if found.is_empty() => return,
        None => {
            own.goes_beyond |= goes_beyond(&found);
            own.bands.extend(found);
        }
    }
    own.last = text.slice(at).trim().span();
}

fn opens(body: &str) -> bool {
    body.get(..5).is_some_and(|word| word.eq_ignore_ascii_case("when "))
}

/// "Hold the line." in front of "When you …": the first sentence as a name.
fn title_of<'w>(sentence: &'w str, rest: &str) -> Option<&'w str> {
    let name = sentence.trim().trim_end_matches(['.', '!', '?', ':']);
    is_title(name, rest).then_some(name)
}

/// Whether words are a name in front of a move.
fn is_title(name: &str, body: &str) -> bool {
    let leads = ["when ", "to ", "if ", "roll ", "you roll"];
    let body = body.trim_start().to_ascii_lowercase();
    name.split_whitespace().count() <= TITLE_WORDS_MAX
        && name.starts_with(char::is_uppercase)
        && name.chars().all(|letter| letter.is_alphabetic() || " '-\u{2019}".contains(letter))
        && !["roll", "when"].iter().any(|word| name.to_ascii_lowercase().starts_with(word))
        && leads.iter().any(|word| body.starts_with(word))
}
