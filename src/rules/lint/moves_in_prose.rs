use std::ops::Range;

use super::entry::lint;
use crate::diagnostic::{Diagnostic, Fix, Severity, Span};
use crate::names::{fold, same};
use crate::rules::document::{Block, Bullet, Section, Text};
use crate::rules::language::checks::roll_in_prose;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::outline::Outline;
use crate::rules::language::range::score as score_range;
use crate::rules::language::section::SectionKind;
use crate::rules::language::system::System;

lint!("checks/moves-in-prose", Sections(lint));

/// Characters of a tier's words that are taken into its row.
const ROW_CHARS_MAX: usize = 300;
/// Totals in words.
const IN_WORDS: [(&str, &str); 8] = [
    ("ten or more", "10+"),
    ("ten plus", "10+"),
    ("seven to nine", "7-9"),
    ("seven through nine", "7-9"),
    ("six or less", "6-"),
    ("six or lower", "6-"),
    ("on a miss", "6-"),
    ("on a failure", "6-"),
];

/// A move in sentences, with where it stands.
pub struct Told<'a> {
    kind: Option<SectionKind>,
    section: &'a Section,
    /// The heading above it.
    pub heading: Option<&'a Text>,
    found: Move,
}

impl Told<'_> {
    /// Whether its heading is a check's already, which has no table.
    pub fn below_checks(&self) -> bool {
        self.kind == Some(SectionKind::Checks) && self.section.level == 3
    }

    /// Where its first band stands.
    pub fn first(&self) -> Span {
        self.found.first
    }

    /// The bullet and the table of the check that decides it.
    pub fn rules(&self) -> String {
        self.found.rules()
    }
}

/// Moves in sentences (10+, 7-9, 6-), which no check decides.
pub fn moves<'a>(outline: &'a Outline<'_>, system: &System, blocks_max: usize) -> Vec<Told<'a>> {
    let mut all = Vec::new();
    for (kind, section) in outline.all() {
        // What the Dice section explains in words stands in tables elsewhere, or is the default.
        if matches!(kind, Some(SectionKind::Examples | SectionKind::Dice)) {
            continue;
        }
        for own in std::iter::once(section).chain(&section.subsections) {
            let blocks: Vec<&Text> = own.blocks.iter().take(blocks_max).filter_map(words).collect();
            let has_table = own.blocks.iter().any(|block| matches!(block, Block::Table(_)));
            let heading = own.heading.as_ref();
            // A check of the same name decides it, wherever that stands.
            let is_check = system.checks.iter().any(|check| {
                let named = heading.is_some_and(|heading| same(heading.as_str(), &check.name));
                let decides = !check.rows.is_empty() || check.target.is_some();
                (named || own.span.bytes().contains(&check.span.start)) && !check.assumed && decides
            });
            let Some(found) = Move::of(&blocks, system).filter(|_| !has_table && !is_check) else { continue };
            all.push(Told { kind, section: own, heading, found });
        }
    }
    all
}

/// Tells of moves in sentences, each with the check that would decide it.
fn lint(outline: &Outline<'_>, system: &System, ledger: &mut Ledger<'_>) {
    for told in moves(outline, system, ledger.limits.blocks) {
        let found = &told.found;
        let span = told.heading.map_or(found.first, Text::span);
        let name = told.heading.map(|heading| heading.as_str().to_owned()).unwrap_or_default();
        let severity = if system.checks.iter().all(|check| check.assumed) { Severity::Warning } else { Severity::Note };
        let diagnostic = Diagnostic::warning(LINT.code, format!("the move `{name}` is decided in sentences"))
            .at(span, "nobody reads the outcomes off the dice")
            .and(found.first, "read as prose");
        let diagnostic = Diagnostic { severity, ..diagnostic };
        let diagnostic = match told.below_checks() {
            true => {
                let at = Span::new(found.last.file, found.last.end..found.last.end);
                let fix = Fix {
                    span: at,
                    replacement: format!("\n\n{}", found.rules()),
                    message: "write it as a check".to_owned(),
                };
                diagnostic
                    .help("a move is a check: what is rolled is a bullet, and what comes of it a table")
                    .perhaps(fix)
            }
            false => diagnostic.help(format!(
                "a move is a check; it stands below `## Checks`:\n\n### {}\n{}",
                if name.is_empty() { "Move" } else { &name },
                found.rules()
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
    roll: String,
    /// The totals of each tier and what they bring, the best first; the last has no lower end.
    tiers: Vec<(String, String)>,
    first: Span,
    last: Span,
}

impl Move {
    /// The move in these paragraphs and bullets; none without a best tier and one right below it.
    fn of(blocks: &[&Text], system: &System) -> Option<Self> {
        let mut tiers: Vec<(i64, i64, String)> = Vec::new();
        let mut spans: Vec<Span> = Vec::new();
        for text in blocks {
            let found = tiers_of(text.as_str());
            if !found.is_empty() {
                spans.push(text.span());
            }
            tiers.extend(found);
        }
        tiers.sort_by_key(|(low, ..)| std::cmp::Reverse(*low));
        tiers.dedup_by_key(|(low, ..)| *low);
        let best = tiers.iter().position(|(_, high, _)| *high == i64::MAX)?;
        tiers.drain(..best);
        let (Some((best, ..)), Some((low, middle, _))) = (tiers.first(), tiers.get(1)) else { return None };
        if middle.checked_add(1) != Some(*best) || *low == i64::MIN {
            return None;
        }
        let rolls = blocks.iter().any(|text| text.as_str().to_ascii_lowercase().contains("roll"));
        let two_d6 = rolls && (*best, *low) == (10, 7);
        // Looked for last: each look gathers every name of the rules.
        let roll = blocks.iter().find_map(|text| roll_in_prose(text.as_str(), system));
        let roll = roll.or_else(|| two_d6.then(|| "2d6 + {modifier}".to_owned()))?;
        let shown = |(low, high, words): &(i64, i64, String)| {
            let when = match (*low, *high) {
                (i64::MIN, _) => "otherwise".to_owned(),
                (low, i64::MAX) => format!("total {low}+"),
                (low, high) => format!("total {low}-{high}"),
            };
            (when, words.clone())
        };
        let tiers = tiers.iter().take(3).map(shown).collect();
        Some(Self { roll, tiers, first: *spans.first()?, last: *spans.last()? })
    }

    /// The bullet and the table of the check.
    fn rules(&self) -> String {
        let mut text = format!("- Roll: `{}`\n\n| Outcome | When | What happens |\n|---|---|---|\n", self.roll);
        let outcomes = ["Success", "Partial success", "Failure"];
        for (outcome, (when, words)) in outcomes.iter().zip(&self.tiers) {
            text.push_str(&format!("| {outcome} | {when} | {} |\n", words.replace('|', "\\|")));
        }
        if self.tiers.iter().all(|(when, _)| when != "otherwise") {
            text.push_str("| Failure | otherwise | |\n");
        }
        text.trim_end().to_owned()
    }
}

/// Every tier of a paragraph with what stands behind it.
fn tiers_of(words: &str) -> Vec<(i64, i64, String)> {
    let marks = marks(words);
    let ends = marks.iter().skip(1).map(|(at, _)| at.start).chain([words.len()]);
    let tier = |((at, (low, high)), end): (&(Range<usize>, (i64, i64)), usize)| {
        let rest = words.get(at.end..end).unwrap_or_default();
        (*low, *high, tier_text(rest))
    };
    marks.iter().zip(ends).map(tier).collect()
}

/// Where totals of tiers stand, and from which to which they go.
fn marks(words: &str) -> Vec<(Range<usize>, (i64, i64))> {
    let lower = words.to_ascii_lowercase();
    let mut found: Vec<(Range<usize>, (i64, i64))> = Vec::new();
    for (name, totals) in IN_WORDS {
        let range = score_range(totals);
        found.extend(lower.match_indices(name).filter_map(|(at, _)| Some((at..at + name.len(), range?))));
    }
    let glued = |at: usize| {
        words
            .get(..at)
            .and_then(|before| before.chars().next_back())
            .is_some_and(|own| own.is_alphanumeric() || "+-\u{2013}.".contains(own))
    };
    let starts = words.char_indices().filter(|(at, letter)| letter.is_ascii_digit() && !glued(*at)).map(|(at, _)| at);
    for at in starts {
        let rest = words.get(at..).unwrap_or_default();
        // The longest of one to three words that is a range, open or not: `10+`, `7 to 9`, `6 or less`.
        let ends =
            rest.char_indices().filter(|(_, own)| own.is_whitespace()).map(|(end, _)| end).chain([rest.len()]).take(3);
        let open = |end: usize| {
            let written = rest.get(..end)?.trim_end_matches([',', '.', ':', ';', ')', '*']);
            let (low, high) =
                score_range(written).filter(|(low, high)| low != high && !written.contains([',', ';', '(', '.']))?;
            Some((at..at + written.len(), (low, high)))
        };
        found.extend(ends.filter_map(open).last());
    }
    found.sort_by_key(|(at, _)| at.start);
    found.dedup_by(|later, first| later.0.start < first.0.end);
    found
}

/// What a tier brings, without what joins it to its number.
fn tier_text(rest: &str) -> String {
    let mut rest =
        rest.trim_start_matches(|own: char| own.is_whitespace() || ",:;.)*\u{2013}\u{2014}-".contains(own)).trim_end();
    // What leads to the next tier: "On a", "on", "with a".
    while let Some(word) = rest.rsplit(' ').next().filter(|word| rest.len() > word.len()) {
        let bare = fold(word.trim_matches(['(', '*']));
        if !["on", "a", "an", "with", "if", "you", "roll", "rolls", "of", "and", "but", "for", "the", "get", ""]
            .contains(&bare.as_str())
        {
            break;
        }
        rest = rest.get(..rest.len() - word.len()).unwrap_or_default().trim_end();
    }
    crate::names::shortened(rest.trim_end_matches([',', ';']), ROW_CHARS_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiers_are_found_in_sentences() {
        let tiers = |words: &str| tiers_of(words).into_iter().map(|(low, _, words)| (low, words)).collect::<Vec<_>>();
        let own =
            |tiers: &[(i64, &str)]| tiers.iter().map(|(low, words)| (*low, (*words).to_owned())).collect::<Vec<_>>();
        for (words, found) in [
            (
                "Roll 2d6. On a 10+ you do it. On a 7-9, it costs. On a 6-, trouble.",
                own(&[(10, "you do it."), (7, "it costs."), (i64::MIN, "trouble.")]),
            ),
            (
                "10 or more: done. 7 to 9: done, but late. 6 or less: no.",
                own(&[(10, "done."), (7, "done, but late."), (i64::MIN, "no.")]),
            ),
            ("Ten or more, it goes well; seven to nine, it goes.", own(&[(10, "it goes well"), (7, "it goes.")])),
            ("There were 10 of us, 7 of them.", own(&[])),
        ] {
            assert_eq!(tiers(words), found, "{words}");
        }
    }
}
