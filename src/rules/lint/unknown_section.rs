use std::collections::HashSet;

use super::entry::lint;
use super::instead;
use super::meant_section::{Declared, Meant, meant};
use crate::diagnostic::{Diagnostic, Fix, Span};
use crate::rules::document::{Block, Document, Section, Text};
use crate::rules::language::declaration::declaration;
use crate::rules::language::fit;
use crate::rules::language::labels::labelled;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::outline::Outline;
use crate::rules::language::plain::dice_mentions;
use crate::rules::language::shape::{Fit, alone, is_short_form};
use crate::rules::language::system::System;
use crate::rules::section::SectionKind;

lint!("document/unknown-section", Document(lint));

/// Short forms from which on a list declares scores.
const SHORT_FORMS_MIN: usize = 2;

/// Tells what is unmistakably a rule and stands below a heading that is no section's, or in a quotation.
fn lint(document: &Document, outline: &Outline<'_>, system: &System, ledger: &mut Ledger<'_>) {
    let touched = ledger.touched();
    let declared = Declared::of(system);
    let mut found = Vec::new();
    for (_, section) in outline.all().filter(|(kind, _)| kind.is_none()) {
        let heading = section.heading.as_ref().filter(|_| section.level == 2);
        if heading.is_some_and(|heading| touched.has(heading.span())) {
            continue;
        }
        let sure = surely(section, system, ledger);
        let Some(meant) = meant(section, sure, &declared, ledger) else { continue };
        found.push((finding(&meant, ledger), meant.kind == SectionKind::Checks));
    }
    found.extend(aside(document, system, ledger).map(|warning| (warning, true)));
    for (diagnostic, is_check) in found {
        if is_check { ledger.report_lost(diagnostic) } else { ledger.report(diagnostic) }
    }
}

fn finding(meant: &Meant<'_>, ledger: &Ledger<'_>) -> Diagnostic {
    let name = meant.kind.name();
    let warning = match meant.heading {
        Some(heading) => {
            let message = format!("`{}` is no section that is known, and rules stand below it", heading.as_str());
            Diagnostic::warning(LINT.code, message)
                .at(heading.span(), "read as prose, and nothing below it counts")
                .and(meant.rule, "this is a rule")
        }
        None => Diagnostic::warning(LINT.code, "rules stand where no section is")
            .at(meant.rule, "this is a rule, read as prose"),
    };
    let mut warning = warning.help(format!("rules such as this stand under `## {name}`"));
    if meant.kind != SectionKind::Checks {
        warning = warning.help(format!("below it: {}", instead::of_section(meant.kind)));
    }
    if ledger.is_foreign() {
        warning = warning.help("headings, labels and dice are read in English: `## Checks`, `- Roll: 1d20`");
    }
    match meant.heading.filter(|_| meant.renamed) {
        Some(heading) => {
            let span = heading.span_of(0..heading.as_str().len());
            warning.perhaps(Fix { span, replacement: name.to_owned(), message: format!("call it `{name}`") })
        }
        None => warning,
    }
}

/// Which section this surely is, and the rule that shows it.
fn surely(section: &Section, system: &System, ledger: &Ledger<'_>) -> Option<(SectionKind, Span)> {
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
        Diagnostic::warning(LINT.code, "rules stand in a quotation, in HTML or in code")
            .at(block.span(), "this is a rule, and nothing in there is read")
            .help("write it as plain Markdown, without `>`, tags and fences, and at the beginning of the line"),
    )
}
