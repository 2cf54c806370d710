#![doc = include_str!("../explained/document/unknown-section.md")]

use std::collections::HashSet;

use crate::diagnostic::{Diagnostic, Span};
use crate::rules::codes;
use crate::rules::document::{Block, Document, Section, Text};
use crate::rules::read::{Fit, Ledger, Outline, declaration, dice_mentions, fit, is_short_form, labelled};
use crate::rules::section::SectionKind;
use crate::rules::system::System;

/// Short forms from which on a list declares scores.
const SHORT_FORMS_MIN: usize = 2;

/// Tells what is unmistakably a rule and stands below a heading that is no section's, or in a quotation.
pub(super) fn lint(document: &Document, outline: &Outline<'_>, system: &System, ledger: &mut Ledger<'_>) {
    let touched = ledger.touched();
    let mut found = Vec::new();
    for (_, section) in outline.all().filter(|(kind, _)| kind.is_none()) {
        let heading = section.heading.as_ref().filter(|_| section.level == 2);
        if heading.is_some_and(|heading| touched.has(heading.span())) {
            continue;
        }
        let Some((kind, at)) = meant(section, system, ledger) else { continue };
        let warning = match heading {
            Some(heading) => {
                let message = format!("`{}` is no section that is known, and rules stand below it", heading.as_str());
                Diagnostic::warning(codes::UNKNOWN_SECTION, message)
                    .at(heading.span(), "read as prose, and nothing below it counts")
                    .and(at, "this is a rule")
            }
            None => Diagnostic::warning(codes::UNKNOWN_SECTION, "rules stand where no section is")
                .at(at, "this is a rule, read as prose"),
        };
        let warning = warning.help(format!("rules such as this stand under `## {}`", kind.name()));
        found.push((warning, kind == SectionKind::Checks));
    }
    found.extend(aside(document, system, ledger).map(|warning| (warning, true)));
    for (diagnostic, is_check) in found {
        if is_check { ledger.report_lost(diagnostic) } else { ledger.report(diagnostic) }
    }
}

/// Which section this surely is, and the rule that shows it.
fn meant(section: &Section, system: &System, ledger: &Ledger<'_>) -> Option<(SectionKind, Span)> {
    let sure = [SectionKind::Checks, SectionKind::Dice, SectionKind::Combat];
    let blocks = || section.all_blocks().take(ledger.limits.blocks);
    for kind in sure {
        let one = |block: &&Block| fit(&alone(block), kind, ledger) == Fit::Well;
        if let Some(block) = blocks().find(one) {
            return Some((kind, block.span()));
        }
    }
    if let Some(block) = blocks().find(|block| is_roll(block, ledger)) {
        return Some((SectionKind::Checks, block.span()));
    }
    let mut short_forms: HashSet<String> = HashSet::new();
    let mut first = None;
    for block in blocks() {
        let Block::Bullet(bullet) = block else { continue };
        let bracket = declaration(bullet, ledger).and_then(|own| own.bracket);
        let Some(word) = bracket.map(|own| own.as_str().to_owned()).filter(|word| is_short_form(word)) else {
            continue;
        };
        first = first.or(Some(bullet.text.span()));
        short_forms.insert(word);
    }
    let first = first.filter(|_| system.attributes.is_empty() && short_forms.len() >= SHORT_FORMS_MIN)?;
    Some((SectionKind::Attributes, first))
}

/// ``- Jet: `1d20 + {modifier}` ``, whatever the label is.
fn is_roll(block: &Block, ledger: &Ledger<'_>) -> bool {
    let Block::Bullet(bullet) = block else { return false };
    let Some(label) = labelled(bullet, ledger) else { return false };
    let rolls = |code: &Text| code.as_str().contains('{') && dice_mentions(code.as_str()).next().is_some();
    label.value.codes().iter().any(rolls)
}

/// ``- Roll: `1d20` `` or a header with Outcome and When, in a line of code.
fn is_roll_line(line: &str) -> bool {
    let line = line.trim_start();
    line.strip_prefix(['-', '*', '+']).is_some_and(|rest| rest.trim_start().starts_with("Roll:"))
        || (line.starts_with('|') && line.contains("Outcome") && line.contains("When"))
}

/// One block as a section of its own.
fn alone(block: &Block) -> Section {
    Section { blocks: vec![block.clone()], ..Section::default() }
}

/// The first rule in a quotation, in HTML, or in code where no check is written elsewhere.
fn aside(document: &Document, system: &System, ledger: &Ledger<'_>) -> Option<Diagnostic> {
    let in_code = |span: Span| {
        system.checks.iter().all(|check| check.assumed) && ledger.sources.text(span).lines().any(is_roll_line)
    };
    let is_rule = |block: &&Block| match block {
        Block::Paragraph(text) => ["Roll:", "Outcome<"].iter().any(|rule| text.as_str().contains(rule)),
        Block::Fence { span, .. } => in_code(*span),
        block => fit(&alone(block), SectionKind::Checks, ledger) == Fit::Well,
    };
    let block = document.asides.iter().find(is_rule)?;
    Some(
        Diagnostic::warning(codes::UNKNOWN_SECTION, "rules stand in a quotation, in HTML or in code")
            .at(block.span(), "this is a rule, and nothing in there is read")
            .help("write it as plain Markdown, without `>`, tags and fences, and at the beginning of the line"),
    )
}
