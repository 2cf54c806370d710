//! A base to build on: other rules whose sections are taken over where the adventure has none of its own.
//!
//! `- Base: builtin:d20` or `- Base: ../systems/d20` below the title. What lies nearer to the adventure counts: a section of it stands
//! for the base's section of the same name; one that holds nothing but named parts (`### Attack`) stands for those of their names alone,
//! each in its place, and new parts come behind.
//! A base's title, what stands below it, its quotations and its playtests are its own.

use std::cmp::Reverse;

use super::codes;
use super::document::{Block, Document, Section};
use super::grammar::file;
use super::grammar::pieces::{halves, head_of};
use super::limits::Limits;
use super::{SectionKind, builtin, document};
use rollbook_text::diagnostic::{Diagnostic, SourceFile, Sources, Span};
use rollbook_text::names::{fold, quoted, same};

/// Bases that are built on each other.
const LAYERS_MAX: usize = 8;

/// The rules of a base.
#[derive(Debug, Clone)]
pub struct Base {
    /// What it is called by everybody who builds on it.
    pub id: String,
    /// Its files, as they are cited.
    pub files: Vec<SourceFile>,
}

/// Finds the base that rules name: those of the base with the first name, or of the adventure where that is empty. The error says why
/// there is none and what to write instead.
pub type Find<'f> = dyn FnMut(&str, &str) -> Result<Base, String> + 'f;

/// The base of that name where no folder is read: one that the program has in it.
///
/// # Errors
/// Which there are.
pub fn builtin_only(_from: &str, name: &str) -> Result<Base, String> {
    let Some(which) = name.strip_prefix("builtin:") else {
        return Err(format!(
            "only bases that the program has in it are read here: {}. For a folder's, start rollbook with `--adventures DIR`, the \
             folder in which both lie",
            all_builtin()
        ));
    };
    match builtin::bases().iter().find(|(own, _)| *own == which.trim()) {
        Some((_, text)) => Ok(Base { id: name.to_owned(), files: vec![SourceFile::new(name, *text)] }),
        None => Err(format!("the program has no base of this name; there are {}", all_builtin())),
    }
}

fn all_builtin() -> String {
    let names: Vec<String> = builtin::bases().iter().map(|(name, _)| format!("`builtin:{name}`")).collect();
    names.join(", ")
}

/// What was said below the title of the adventure's own files.
#[derive(Debug, Default)]
pub struct Told {
    pub version: Option<String>,
    /// The bases, the nearest first.
    pub bases: Vec<String>,
    pub findings: Vec<Diagnostic>,
}

/// The document of some files and of every base that they are built on, with only the sections that count.
pub fn document(files: Vec<SourceFile>, limits: &Limits, find: &mut Find<'_>) -> (Sources, Document, Told) {
    let mut sources = Sources::new(files);
    let mut told = Told::default();
    let mut document = document::build(&sources, 0, limits);
    told.version = version(&document);
    misplaced(&document, &mut told.findings);
    loop {
        let layer = told.bases.len();
        let named: Vec<(String, Span)> = below_title(&document, &sources, layer, "base").collect();
        if let Some((_, second)) = named.get(1) {
            let finding = Diagnostic::error(codes::BASE, "rules have one base");
            told.findings.push(finding.at(*second, "this one is not read").help("let the first be built on it"));
        }
        let Some((name, at)) = named.into_iter().next() else { break };
        let from = told.bases.last().map_or("", String::as_str);
        let base = find(from, &name).and_then(|base| match told.bases.contains(&base.id) {
            true => Err(format!("it is built on itself: {}, {}", told.bases.join(", "), base.id)),
            false if layer == LAYERS_MAX => Err(format!("more than {LAYERS_MAX} bases are built on each other")),
            false => Ok(base),
        });
        match base {
            Ok(Base { id, files }) => {
                told.bases.push(id);
                sources = sources.and(files.into_iter().map(|file| SourceFile { layer: layer + 1, ..file }).collect());
                document.append(document::build(&sources, layer + 1, limits));
            }
            Err(why) => {
                let message = format!("the base {} is not read: {why}", quoted(&name));
                told.findings.push(Diagnostic::error(codes::BASE, message).at(at, "named here"));
                break;
            }
        }
    }
    if !told.bases.is_empty() {
        take_over(&mut document, &sources);
    }
    (sources, document, told)
}

fn layer(sources: &Sources, at: Span) -> usize {
    sources.get(at.file).map_or(0, |file| file.layer)
}

/// The values of the bullets with this label that stand below the title of a layer's files, or above the first heading.
fn below_title<'d>(
    document: &'d Document,
    sources: &'d Sources,
    of: usize,
    label: &'static str,
) -> impl Iterator<Item = (String, Span)> + 'd {
    let tops = document.sections.iter().filter(move |own| is_top(own) && layer(sources, own.span) == of);
    tops.flat_map(move |own| labelled(own, label))
}

/// What stands below a title that names no section, or above all headings.
fn is_top(section: &Section) -> bool {
    section.level <= 1 && section.heading.as_ref().is_none_or(|heading| file::section(heading.as_str()).is_none())
}

fn labelled<'d>(section: &'d Section, label: &'static str) -> impl Iterator<Item = (String, Span)> + 'd {
    section.blocks.iter().filter_map(move |block| {
        let Block::Bullet(bullet) = block else { return None };
        head_of(bullet.text.as_str(), label)?;
        let (own, value) = halves(&bullet.text);
        let value = value.filter(|_| same(own.as_str(), label))?;
        Some((value.as_str().to_owned(), bullet.text.span()))
    })
}

fn version(document: &Document) -> Option<String> {
    let mut all = document.sections.iter().filter(|own| is_top(own)).flat_map(|own| labelled(own, "version"));
    all.next().map(|(version, _)| version)
}

/// Bullets that name a base and stand where none is looked for, or with another label.
fn misplaced(document: &Document, findings: &mut Vec<Diagnostic>) {
    for section in &document.sections {
        for block in section.all_blocks() {
            let Block::Bullet(bullet) = block else { continue };
            let words = bullet.text.as_str();
            if !words.contains("builtin:") && !words.contains("../") {
                continue;
            }
            let (label, Some(value)) = halves(&bullet.text) else { continue };
            let names_one = value.as_str().starts_with("builtin:") || value.as_str().starts_with("../");
            if !names_one || (same(label.as_str(), "base") && is_top(section)) {
                continue;
            }
            let message = format!("`{words}` looks like a base, and is not read as one");
            let help = format!("write `- Base: {}` below the title, above the first section", value.as_str());
            findings.push(Diagnostic::error(codes::BASE, message).at(bullet.text.span(), "this bullet").help(help));
        }
    }
}

/// Of which layer a section is, and what it stands for.
struct Own {
    layer: usize,
    key: Result<SectionKind, String>,
    /// Whether it holds nothing but named parts.
    only_parts: bool,
}

/// Leaves of every base what stands in no nearer layer.
fn take_over(document: &mut Document, sources: &Sources) {
    let name = |section: &Section| section.heading.as_ref().map(|heading| fold(heading.as_str())).unwrap_or_default();
    let of = |section: &Section| Own {
        layer: layer(sources, section.span),
        key: section.heading.as_ref().and_then(|own| file::section(own.as_str())).ok_or_else(|| name(section)),
        only_parts: section.blocks.is_empty(),
    };
    let all: Vec<Own> = document.sections.iter().map(of).collect();
    let counts = |section: &Section, own: &Own| {
        let is_own = is_top(section) || own.key == Ok(SectionKind::Examples);
        let mut nearer = all.iter().filter(|other| other.layer < own.layer && other.key == own.key);
        own.layer == 0 || !is_own && nearer.all(|other| other.only_parts)
    };
    let mut kept: Vec<(Section, &Own)> = std::mem::take(&mut document.sections).into_iter().zip(&all).collect();
    kept.retain(|(section, own)| counts(section, own));
    // Of a name the farthest base first: a part stands where that has the one of its name, and a new part behind.
    kept.sort_by_cached_key(|(_, own)| (all.iter().position(|other| other.key == own.key), Reverse(own.layer)));
    let mut replaced = Vec::new();
    let mut merged: Vec<(Section, &Own)> = Vec::new();
    for (mut section, own) in kept {
        for part in std::mem::take(&mut section.subsections) {
            let farther = merged.iter_mut().filter(|(_, other)| other.key == own.key && other.layer > own.layer);
            let mut parts = farther.flat_map(|(section, _)| &mut section.subsections);
            match parts.find(|other| layer(sources, other.span) > own.layer && name(other) == name(&part)) {
                Some(other) => replaced.push(std::mem::replace(other, part).span),
                None => section.subsections.push(part),
            }
        }
        merged.push((section, own));
    }
    document.sections = merged.into_iter().map(|(section, _)| section).collect();
    replaced.sort();
    document.replaced = replaced;
    if document.titles.iter().any(|title| layer(sources, title.span()) == 0) {
        document.titles.retain(|title| layer(sources, title.span()) == 0);
    }
}
