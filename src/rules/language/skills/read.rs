//! The Skills section.

use std::collections::HashMap;

use super::base::Base;
use super::skill::{DeclaredBy, Skill};
use crate::diagnostic::{Diagnostic, Fix, Span};
use crate::dice::{Formula, parse_formula};
use crate::names::{counted, fold, misspellings, same, suggest};
use crate::rules::codes;
use crate::rules::document::Text;
use crate::rules::language::attributes::Attribute;
use crate::rules::language::declaration::{Declaration, in_a_row, short_declaration};
use crate::rules::language::labels::is_mechanical;
use crate::rules::language::ledger::{Ledger, Scope};
use crate::rules::language::names::Names;
use crate::rules::language::outline::Outline;
use crate::rules::language::shape::is_short_form;
use crate::rules::language::{formula, range, setting};
use crate::rules::section::SectionKind;

/// Labels that people write there and that the section does not have; a skill of that name would be a rule lost.
pub const LABELS: [&str; 5] = ["Range", "Untrained", "Base", "Modifier", "Default"];

/// Labels of a check; a move below `## Moves` that has them is a check that nobody rolls.
const OF_CHECKS: [&str; 4] = ["Roll", "Target", "Succeed", "Count"];

/// Reads the skills with their links and bases.
pub fn read(outline: &Outline<'_>, names: &Names, attributes: &[Attribute], ledger: &mut Ledger<'_>) -> Vec<Skill> {
    let mut skills: Vec<Skill> = Vec::new();
    let mut taken: HashMap<String, Span> = HashMap::new();
    let mut unlinked: Vec<Text> = Vec::new();
    let mut abouts: Vec<Text> = Vec::new();
    for bullet in outline.bullets(SectionKind::Skills) {
        if let Some(found) = in_a_row(bullet) {
            ledger.report(found);
            continue;
        }
        let Some(declared) = short_declaration(bullet, ledger) else {
            if bullet.text.as_str().starts_with('(') {
                ledger.left_to_gm(bullet.text.span(), "a skill has a name before its bracket");
            }
            continue;
        };
        ledger.take(declared.span);
        let is_label = LABELS.iter().any(|label| same(label, declared.name.as_str()));
        if is_label && setting::may_be_of_skills(&declared) {
            let help = format!(
                "what a skill is worth unlearned stands behind its name: `- Dodge (DEX): base -2`; a skill of that name has a base, \
                 too: `- {}: base 0`",
                declared.name.as_str()
            );
            ledger.overlooked(declared.span, "not read, and no skill of that name", help);
            continue;
        }
        if let Some(found) = setting::of_skills(&declared) {
            ledger.report(found);
            continue;
        }
        let is_of_check = OF_CHECKS.iter().any(|label| same(label, declared.name.as_str()));
        if is_of_check && declared.bracket.is_none() && is_mechanical(&declared.about) {
            ledger.report_lost(of_check(&declared));
            continue;
        }
        if let Some(first) = taken.get(&fold(declared.name.as_str())) {
            report_duplicate(&declared, *first, ledger);
            continue;
        }
        if !ledger.has_room(skills.len(), "skills", declared.span) {
            break;
        }
        taken.insert(fold(declared.name.as_str()), declared.name.span());
        let attribute = match &declared.bracket {
            Some(link) if attributes.is_empty() => {
                unlinked.push(link.clone());
                None
            }
            Some(link) => linked(link, attributes, ledger),
            // `- Athletics: Strength` and `- Athletics — STR` link too.
            None => find(declared.about.split_all(&[",", ";", "."]).first(), attributes),
        };
        // `- Go Aggro: roll+hard` says what is rolled, which is a check's business.
        let about = declared.about.as_str().to_ascii_lowercase();
        if attribute.is_none() && about.contains("roll") && about.contains('+') {
            let help = "what is rolled is a check's: ## Checks, ### Go Aggro, - Roll: `2d6 + {Hard}`; a skill is linked by `- Go Aggro (Hard)`";
            ledger.overlooked(declared.about.span(), "kept as the skill's description", help);
        }
        if let Some(found) = number_in_name(&declared) {
            ledger.report(found);
        }
        skills.push(Skill {
            name: declared.name.as_str().to_owned(),
            attribute,
            base: None,
            check: None,
            about: declared.about.as_str().to_owned(),
            by: DeclaredBy::List,
            place: ledger.place(declared.span),
            span: declared.span,
        });
        abouts.push(declared.about);
    }
    // What one is worth unlearned may be worked out from another, wherever that stands: `base half Dodge`.
    let mut all = names.clone();
    all.add_skills(&skills);
    for (skill, about) in skills.iter_mut().zip(&abouts) {
        let base = base(about, (names, &all), attributes, ledger).or_else(|| number_alone(about));
        skill.base = base.map(Base::Formula);
    }
    report_no_attributes(&unlinked, ledger);
    skills
}

/// The attribute that a bracket names. Of several the first counts.
pub(super) fn linked(link: &Text, attributes: &[Attribute], ledger: &mut Ledger<'_>) -> Option<String> {
    if let Some(found) = find(Some(link), attributes) {
        return Some(found);
    }
    let parts = link.split_all(&[" or ", "/", ",", " and "]);
    let found: Vec<String> = parts.iter().filter_map(|part| find(Some(part), attributes)).collect();
    if parts.len() > 1 && found.len() == parts.len() {
        ledger.report(
            Diagnostic::note(codes::LEFT_TO_GM, "a skill is linked to several attributes")
                .at(link.span(), "the first one counts")
                .help("a call may name another one as `attribute`"),
        );
        return found.into_iter().next();
    }
    let known = attributes.iter().flat_map(|own| own.abbr.iter().chain([&own.name]).map(String::as_str));
    let message = format!("no attribute is called `{}`", link.as_str());
    let mut diagnostic = Diagnostic::warning(codes::UNKNOWN_ATTRIBUTE, message)
        .at(link.span(), "not declared under Attributes")
        .because("the skill counts as its bonus alone");
    if let Some(first) = attributes.first() {
        diagnostic = diagnostic.and(first.span, "the attributes begin here");
    }
    let suggestions = suggest(link.as_str(), known);
    ledger.report(match suggestions.first() {
        Some(name) => diagnostic.help(format!("did you mean `{name}`?")),
        None => diagnostic.help("declare it under Attributes, or link another one"),
    });
    None
}

/// The attribute with this name or short form.
fn find(name: Option<&Text>, attributes: &[Attribute]) -> Option<String> {
    let name = fold(name?.as_str());
    let has = |own: &&Attribute| own.is_called(&name);
    attributes.iter().find(has).map(|own| own.name.clone())
}

/// What `base E` in a skill's words says it is worth unlearned.
fn base(
    about: &Text,
    (scores, all): (&Names, &Names),
    attributes: &[Attribute],
    ledger: &mut Ledger<'_>,
) -> Option<Formula> {
    for part in about.split_all(&[",", ";", "."]) {
        let Some(word) = part.as_str().get(..5).filter(|word| word.eq_ignore_ascii_case("base ")) else {
            continue;
        };
        let mut value = part.slice(word.len()..part.as_str().len()).trim();
        if value.codes().is_empty() && value.as_str().ends_with('%') {
            value = value.slice(0..value.as_str().len() - 1);
        }
        if !value.codes().is_empty() {
            return formula::read(&value, all, Scope::Character, ledger);
        }
        // "base camp skills" is prose, also where Camp is a skill.
        let names = if value.as_str().contains(' ') { all } else { scores };
        if let Some(formula) = formula::whole(&value, names, Scope::Character, ledger) {
            return Some(formula);
        }
        if let Some(found) = unread_base(&value, attributes) {
            ledger.report(found);
        }
    }
    None
}

/// `base half SRT`, `base 2 + Mihgt`: words that are an expression but for a name in it. "base camp skills" is prose.
fn unread_base(value: &Text, attributes: &[Attribute]) -> Option<Diagnostic> {
    const FIRST: [&str; 7] = ["half", "twice", "double", "third", "quarter", "max", "min"];
    let words: Vec<&str> =
        value.as_str().split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let known: Vec<&str> =
        attributes.iter().flat_map(|own| std::iter::once(&own.name).chain(&own.abbr)).map(String::as_str).collect();
    let suggestion = words.iter().find_map(|word| Some((*word, *misspellings(word, known.iter().copied()).first()?)));
    let short = words.iter().find(|word| is_short_form(word) && !known.iter().any(|own| same(own, word)));
    let first = words.first().is_some_and(|word| FIRST.contains(&word.to_ascii_lowercase().as_str()));
    let says_so = is_mechanical(value)
        || value.as_str().contains(['+', '*', '/'])
        || first
        || suggestion.is_some()
        || short.is_some();
    if !says_so || known.is_empty() && !is_mechanical(value) {
        return None;
    }
    let message = format!("what the skill is worth unlearned cannot be read: `{}`", value.as_str());
    let found = Diagnostic::warning(codes::UNREADABLE_FORMULA, message).because("unlearned it is worth 0");
    if let Some((word, meant)) = suggestion {
        let at = value.as_str().find(word).map_or(0..value.as_str().len(), |at| at..at + word.len());
        let span = value.span_of(at);
        let fix = Fix { span, replacement: meant.to_owned(), message: format!("call it `{meant}`") };
        return Some(found.at(span, "nothing is called so").help(format!("did you mean `{meant}`?")).perhaps(fix));
    }
    let found = match short {
        Some(word) => found.at(value.span(), format!("nothing is called `{word}`")),
        None => found.at(value.span(), "not understood"),
    };
    let name = known.first().copied().unwrap_or("DEX");
    Some(found.help(format!("write a number, `half {name}` or an expression in backticks: ``base `2 + {{{name}}}` ``")))
}

/// `- Spot hidden: 25%`, `- Engineer: -3 unskilled`, `- Fight: d4`: a number or the size of a die alone is what it is worth unlearned.
fn number_alone(about: &Text) -> Option<Formula> {
    const UNLEARNED: [&str; 6] = ["unskilled", "untrained", "unlearned", "if untrained", "if unskilled", "default"];
    let parts = about.split_all(&[",", ";", "."]);
    let first = parts.first()?.as_str();
    let bare = UNLEARNED.iter().find_map(|word| first.strip_prefix(word)).unwrap_or(first);
    let die = bare.strip_prefix('d').filter(|size| size.starts_with(|own: char| own.is_ascii_digit()));
    let (number, rest) = range::number(die.unwrap_or(bare))?;
    let rest = rest.trim();
    let alone = matches!(rest, "" | "%") || UNLEARNED.contains(&rest);
    if alone { parse_formula(&number.to_string()).ok() } else { None }
}

/// `- Spot hidden 25`: a number that is read as part of the name.
fn number_in_name(declared: &Declaration) -> Option<Diagnostic> {
    let (name, number) = declared.name.as_str().rsplit_once(' ')?;
    // "Pilot 2" may be a name, "Pilot 25" is none.
    let is_number = number.trim_end_matches('%').parse().is_ok_and(|number: u16| number >= 10);
    let found = Diagnostic::warning(codes::LOOKS_LIKE_A_RULE, "this looks like a rule, and is not read as one");
    let found = found.at(declared.name.span(), "read as the name of a skill, with its number");
    let help = format!("what a skill is worth unlearned stands behind a colon: `- {name}: base {number}`");
    (is_number && declared.about.is_empty()).then(|| found.help(help))
}

/// ``- Roll: `2d6 + {Cool}` `` where skills are declared.
fn of_check(declared: &Declaration) -> Diagnostic {
    Diagnostic::warning(codes::LOOKS_LIKE_A_RULE, "this looks like a rule, and is not read as one")
        .at(declared.span, "this belongs to a check, and no check is read here")
        .help("call the section `## Checks`, where each heading of level 3 is a check; skills stand below `## Skills`")
}

fn report_duplicate(declared: &Declaration, first: Span, ledger: &mut Ledger<'_>) {
    let message = format!("`{}` is declared twice", declared.name.as_str());
    ledger.report(
        Diagnostic::warning(codes::DUPLICATE_SKILL, message)
            .at(declared.name.span(), "this skill is not read")
            .and(first, "declared here first")
            .because("case, accents, spaces, hyphens and underscores make no difference"),
    );
}

/// One finding for all: without attributes every link is wrong in the same way.
fn report_no_attributes(unlinked: &[Text], ledger: &mut Ledger<'_>) {
    let Some(first) = unlinked.first() else {
        return;
    };
    let many = counted(unlinked.len(), "skill is linked to an attribute", "skills are linked to attributes");
    let message = format!("{many}, and no attributes are declared");
    let of_them = if unlinked.len() == 1 { "this one" } else { "the first of them" };
    ledger.report(
        Diagnostic::warning(codes::NO_ATTRIBUTES, message)
            .at(first.span(), of_them)
            .because("a skill counts as its bonus alone")
            .help(format!("add a section:\n\n## Attributes\n\n- Name ({}): what it is", first.as_str())),
    );
}
