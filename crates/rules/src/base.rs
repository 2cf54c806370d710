//! Bases: other rules whose sections are used where the adventure has none.
//!
//! `- Base: builtin:d20` or `- Base: ../systems/d20` below the title. A section of nearer rules
//! replaces the base's section of the same name. A section with named parts (`### Attack`) alone
//! replaces only the parts of these names, each in its place, and adds new parts at the end. A
//! base's title, the text below it, its quotations and its playtests are not used.

use std::cmp::Reverse;

use super::codes;
use super::document::{Block, Document, Section};
use super::grammar::file;
use super::grammar::pieces::{label_length, split_at_colon};
use super::limits::Limits;
use super::{SectionKind, builtin, document};
use rollbook_text::diagnostic::{Diagnostic, SourceFile, Sources, Span};
use rollbook_text::names::{fold, quoted, same};

/// The most bases that are built on each other.
const LAYERS_MAX: usize = 8;

/// The rules of a base.
#[derive(Debug, Clone)]
pub struct Base {
    /// Its name for all rules that are built on it.
    pub id: String,
    /// Its files, with their names in findings.
    pub files: Vec<SourceFile>,
}

/// Finds the base with the second name for the rules with the first name, which is empty for the
/// adventure. The error says why there is none, and what to write instead.
pub type Find<'f> = dyn FnMut(&str, &str) -> Result<Base, String> + 'f;

/// The built-in base of this name, where no folder is read.
///
/// # Errors
/// Which bases there are.
pub fn builtin_only(_from: &str, name: &str) -> Result<Base, String> {
    let Some(which) = name.strip_prefix("builtin:") else {
        return Err(format!(
            "only bases that the program has in it are read here: {}. For a folder's, start rollbook with `--adventures DIR`, the \
             folder in which both lie",
            all_builtin()
        ));
    };
    match builtin::bases()
        .iter()
        .find(|(known, _)| *known == which.trim())
    {
        Some((_, text)) => Ok(Base {
            id: name.to_owned(),
            files: vec![SourceFile::new(name, *text)],
        }),
        None => Err(format!(
            "the program has no base of this name; there are {}",
            all_builtin()
        )),
    }
}

fn all_builtin() -> String {
    let names: Vec<String> = builtin::bases()
        .iter()
        .map(|(name, _)| format!("`builtin:{name}`"))
        .collect();
    names.join(", ")
}

/// The lines below the title of the adventure's files.
#[derive(Debug, Default)]
pub struct Heading {
    pub version: Option<String>,
    /// The bases, the nearest first.
    pub bases: Vec<String>,
    pub findings: Vec<Diagnostic>,
}

/// The document of some files and of all their bases, without replaced sections.
pub fn document(
    files: Vec<SourceFile>,
    limits: &Limits,
    find: &mut Find<'_>,
) -> (Sources, Document, Heading) {
    let mut sources = Sources::new(files);
    let mut heading = Heading::default();
    let mut document = document::build(&sources, 0, limits);
    heading.version = below_title(&document, &sources, 0, "version")
        .next()
        .map(|(version, _)| version);
    report_misplaced(&document, &mut heading.findings);
    loop {
        let layer = heading.bases.len();
        let named: Vec<(String, Span)> = below_title(&document, &sources, layer, "base").collect();
        if let Some((_, second)) = named.get(1) {
            let finding = Diagnostic::error(codes::BASE, "rules have one base");
            heading.findings.push(
                finding
                    .at(*second, "this one is not read")
                    .help("let the first be built on it"),
            );
        }
        let Some((name, at)) = named.into_iter().next() else {
            break;
        };
        let from = heading.bases.last().map_or("", String::as_str);
        let base = find(from, &name).and_then(|base| match heading.bases.contains(&base.id) {
            true => Err(format!(
                "it is built on itself: {}, {}",
                heading.bases.join(", "),
                base.id
            )),
            false if layer == LAYERS_MAX => Err(format!(
                "more than {LAYERS_MAX} bases are built on each other"
            )),
            false => Ok(base),
        });
        match base {
            Ok(Base { id, files }) => {
                heading.bases.push(id);
                sources = sources.and(
                    files
                        .into_iter()
                        .map(|file| SourceFile {
                            layer: layer + 1,
                            ..file
                        })
                        .collect(),
                );
                document.append(document::build(&sources, layer + 1, limits));
            }
            Err(why) => {
                let message = format!("the base {} is not read: {why}", quoted(&name));
                heading
                    .findings
                    .push(Diagnostic::error(codes::BASE, message).at(at, "named here"));
                break;
            }
        }
    }
    if !heading.bases.is_empty() {
        merge_bases(&mut document, &sources);
    }
    (sources, document, heading)
}

fn layer(sources: &Sources, at: Span) -> usize {
    sources.get(at.file).map_or(0, |file| file.layer)
}

/// The values of a layer's bullets with this label below the title or above the first heading.
fn below_title<'d>(
    document: &'d Document,
    sources: &'d Sources,
    of: usize,
    label: &'static str,
) -> impl Iterator<Item = (String, Span)> + 'd {
    let tops = document
        .sections
        .iter()
        .filter(move |section| is_top(section) && layer(sources, section.span) == of);
    tops.flat_map(move |section| labelled(section, label))
}

/// Whether it is the text below a title that names no section, or above all headings.
fn is_top(section: &Section) -> bool {
    section.level <= 1
        && section
            .heading
            .as_ref()
            .is_none_or(|heading| file::section(heading.as_str()).is_none())
}

fn labelled<'d>(
    section: &'d Section,
    label: &'static str,
) -> impl Iterator<Item = (String, Span)> + 'd {
    section.blocks.iter().filter_map(move |block| {
        let Block::Bullet(bullet) = block else {
            return None;
        };
        label_length(bullet.text.as_str(), label)?;
        let (written, value) = split_at_colon(&bullet.text);
        let value = value.filter(|_| same(written.as_str(), label))?;
        Some((value.as_str().to_owned(), bullet.text.span()))
    })
}

/// Reports bullets that name a base in another place or with another label.
fn report_misplaced(document: &Document, findings: &mut Vec<Diagnostic>) {
    for section in &document.sections {
        for block in section.all_blocks() {
            let Block::Bullet(bullet) = block else {
                continue;
            };
            let words = bullet.text.as_str();
            if !words.contains("builtin:") && !words.contains("../") {
                continue;
            }
            let (label, Some(value)) = split_at_colon(&bullet.text) else {
                continue;
            };
            let names_one =
                value.as_str().starts_with("builtin:") || value.as_str().starts_with("../");
            if !names_one || (same(label.as_str(), "base") && is_top(section)) {
                continue;
            }
            let message = format!("`{words}` looks like a base, and is not read as one");
            let help = format!(
                "write `- Base: {}` below the title, above the first section",
                value.as_str()
            );
            findings.push(
                Diagnostic::error(codes::BASE, message)
                    .at(bullet.text.span(), "this bullet")
                    .help(help),
            );
        }
    }
}

/// The layer of a section, and what it may replace.
struct Identity {
    layer: usize,
    key: Result<SectionKind, String>,
    /// Whether it has named parts alone.
    only_parts: bool,
}

/// Removes from every base what nearer layers replace.
fn merge_bases(document: &mut Document, sources: &Sources) {
    let name = |section: &Section| {
        section
            .heading
            .as_ref()
            .map(|heading| fold(heading.as_str()))
            .unwrap_or_default()
    };
    let identity_of = |section: &Section| Identity {
        layer: layer(sources, section.span),
        key: section
            .heading
            .as_ref()
            .and_then(|heading| file::section(heading.as_str()))
            .ok_or_else(|| name(section)),
        only_parts: section.blocks.is_empty(),
    };
    let all: Vec<Identity> = document.sections.iter().map(identity_of).collect();
    let counts = |section: &Section, identity: &Identity| {
        let is_never_used = is_top(section) || identity.key == Ok(SectionKind::Examples);
        let mut nearer = all
            .iter()
            .filter(|other| other.layer < identity.layer && other.key == identity.key);
        identity.layer == 0 || !is_never_used && nearer.all(|other| other.only_parts)
    };
    let mut kept: Vec<(Section, &Identity)> = std::mem::take(&mut document.sections)
        .into_iter()
        .zip(&all)
        .collect();
    kept.retain(|(section, identity)| counts(section, identity));
    // The farthest base comes first: parts replace its parts of the same name, new ones follow.
    kept.sort_by_cached_key(|(_, identity)| {
        (
            all.iter().position(|other| other.key == identity.key),
            Reverse(identity.layer),
        )
    });
    let mut replaced = Vec::new();
    let mut merged: Vec<(Section, &Identity)> = Vec::new();
    for (mut section, identity) in kept {
        for part in std::mem::take(&mut section.subsections) {
            let farther = merged
                .iter_mut()
                .filter(|(_, other)| other.key == identity.key && other.layer > identity.layer);
            let mut parts = farther.flat_map(|(section, _)| &mut section.subsections);
            match parts.find(|other| {
                layer(sources, other.span) > identity.layer && name(other) == name(&part)
            }) {
                Some(other) => replaced.push(std::mem::replace(other, part).span),
                None => section.subsections.push(part),
            }
        }
        merged.push((section, identity));
    }
    document.sections = merged.into_iter().map(|(section, _)| section).collect();
    replaced.sort();
    document.replaced = replaced;
    if document
        .titles
        .iter()
        .any(|title| layer(sources, title.span()) == 0)
    {
        document
            .titles
            .retain(|title| layer(sources, title.span()) == 0);
    }
}
