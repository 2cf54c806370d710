//! A foe's stat block in Markdown: a heading with its name, and below it lines with a label
//! (`- Hit points: 7`, `**Armor Class** 15`), lists of scores (`STR 12, DEX 12`) or tables of them.
//! Headings below that of the block (`### Actions`) belong to it. Any other line is a note.
//!
//! With a colon a skill's number is what it adds by itself, as on a sheet (`- Skills: Melee +3`);
//! with a bold label and no colon, as the blocks of 5e have it (`**Skills** Stealth +6`), it is
//! what the skill comes to with its attribute; so is one after the scores
//! (`- Attributes: STR 1, DEX 2; Reflex +4`).

mod line;

pub use line::first_number;

use crate::import::{foe::Foe, sheet};
use crate::refusal::{Code, Refusal};
use crate::{limits::LIMITS, record::state::Kind};
use line::{item_text, label_text, read_line, value_start, without_emphasis};
use rollbook_rules::{System, codes};
use rollbook_text::diagnostic::{Diagnostic, Sources, Span};
use rollbook_text::names::{Found, Words, find, fold, listed, misspelt, quoted, same, suggest};

/// Reads the block under the heading `which`, or the only one there is.
/// Refused: when no heading has this name, or there are several blocks and none is named.
pub fn read(
    text: &str,
    system: &System,
    which: Option<&str>,
    origin: &str,
) -> Result<(Foe, Option<Kind>), Refusal> {
    let all = read_blocks(sections(text), system);
    let only = || {
        let mut blocks = blocks(&all);
        blocks.next().filter(|_| blocks.next().is_none())
    };
    let chosen = which.map_or_else(|| Ok(only()), |which| find_block(&all, which, origin))?;
    let (at, Block { section, foe, .. }) =
        chosen.ok_or_else(|| which_block(&all, which, origin))?;
    let Some(foe) = foe else {
        let summary = format!(
            "Under \"{}\" stands no number that the rules have a name for. A block needs at least \"- Hit points: 7\".",
            quoted(&section.name)
        );
        return Err(Refusal::new(Code::InvalidDocument, summary));
    };
    Ok((
        foe.clone(),
        stated_kind(&section.lines).or_else(|| kind_above(&all, at, origin)),
    ))
}

/// The names of its blocks, in order. A section of the rules is none: Health is everybody's.
pub fn names(text: &str, system: &System) -> Vec<String> {
    let of_rules = |name: &str| {
        system
            .sections
            .iter()
            .any(|section| section.kind.is_some() && same(&section.heading, name))
    };
    let all = read_blocks(sections(text), system);
    blocks(&all)
        .map(|(_, block)| block.section.name.clone())
        .filter(|name| !of_rules(name))
        .collect()
}

/// The sections with a block. Where there is any with more, one that says no more than skills is
/// none: a scene may list what to roll.
fn blocks<'r, 't>(all: &'r [Block<'t>]) -> impl Iterator<Item = Numbered<'r, 't>> {
    let full =
        |block: &Block| !block.inner && block.foe.as_ref().is_some_and(Foe::says_more_than_skills);
    let any = all.iter().any(full);
    (0..).zip(all).filter(move |(_, block)| {
        if any {
            full(block)
        } else {
            !block.inner && block.foe.is_some()
        }
    })
}

/// The section of this name, else the only one whose heading begins with the words, or has them.
fn find_block<'r, 't>(
    all: &'r [Block<'t>],
    which: &str,
    origin: &str,
) -> Result<Option<Numbered<'r, 't>>, Refusal> {
    let exact = || {
        all.iter()
            .enumerate()
            .filter(|(_, block)| same(&block.section.name, which))
    };
    if let Some(found) = exact()
        .find(|(_, block)| block.foe.is_some())
        .or_else(|| exact().next())
    {
        return Ok(Some(found));
    }
    let (words, folded) = (Words::of(which), fold(which));
    let begins = |block: &Block| {
        fold(&block.section.name).starts_with(&folded) && words.are_in(&block.section.name)
    };
    let mut beginning = blocks(all).filter(|(_, block)| begins(block));
    if let (Some(only), None) = (beginning.next(), beginning.next()) {
        return Ok(Some(only));
    }
    match find(
        which,
        blocks(all).map(|block| (block.1.section.name.as_str(), block)),
    ) {
        Found::One(found) => Ok(Some(found)),
        Found::Several(fit) => {
            let names: Vec<String> = fit
                .into_iter()
                .map(|(_, block)| block.section.name.clone())
                .collect();
            let all = listed(names.iter().map(String::as_str), 300);
            let advice = advice(origin, names.first().map_or("", String::as_str));
            let summary = format!(
                "\"{}\" could mean {all}. {advice}, or another of these.",
                quoted(which)
            );
            Err(Refusal::new(Code::WhichEntry, summary).did_you_mean(names))
        }
        Found::Nothing => Ok(None),
    }
}

/// The kind by the headings above a section, the nearest first, else by the file's name.
fn kind_above(all: &[Block<'_>], at: usize, origin: &str) -> Option<Kind> {
    let mut level = all.get(at)?.section.level;
    for Block { section, .. } in all.get(..at)?.iter().rev() {
        if section.level < level {
            level = section.level;
            if let Some(kind) = kind_in_heading(&section.name) {
                return Some(kind);
            }
        }
    }
    origin
        .split('#')
        .next()?
        .rsplit('/')
        .next()
        .and_then(kind_in_heading)
}

/// How to name a block: after the adventure's page, or as a parameter beside the text.
fn advice(origin: &str, name: &str) -> String {
    match origin
        .split('#')
        .next()
        .filter(|page| page.to_lowercase().ends_with(".md"))
    {
        Some(page) => format!("Send from=\"{page}#{name}\""),
        None => format!("Send name=\"{name}\""),
    }
}

fn which_block(all: &[Block<'_>], which: Option<&str>, origin: &str) -> Refusal {
    let names: Vec<&str> = blocks(all)
        .map(|(_, block)| block.section.name.as_str())
        .collect();
    let Some(first) = names.first() else {
        let summary = "No stat block is in this text: its name in the first line, and \"- Hit points: 7\" below it.";
        return Refusal::new(Code::WhichEntry, summary);
    };
    let listed = listed(names.iter().copied(), 200);
    let Some(which) = which else {
        let (many, advice) = (names.len(), advice(origin, first));
        let summary = format!("There are {many} blocks: {listed}. {advice}, or another of these.");
        return Refusal::new(Code::WhichEntry, summary);
    };
    let suggestions = suggest(which, names.iter().copied());
    let hint = suggestions.first().map_or(String::new(), |first| {
        format!(" {}.", advice(origin, first))
    });
    let summary = format!(
        "No block is called \"{}\". There is {listed}.{hint}",
        quoted(which)
    );
    Refusal::new(Code::WhichEntry, summary).did_you_mean(suggestions)
}

type Numbered<'r, 't> = (usize, &'r Block<'t>);

struct Block<'t> {
    section: Section<'t>,
    foe: Option<Foe>,
    /// Whether it is part of the block above it.
    inner: bool,
}

/// Every section with its foe, which includes sections below its heading up to another foe.
fn read_blocks<'t>(sections: Vec<Section<'t>>, system: &System) -> Vec<Block<'t>> {
    let mut all: Vec<Block> = Vec::new();
    // The index of the foe that sections below it belong to.
    let mut open: Option<usize> = None;
    for section in sections {
        let mut foe = Foe {
            name: section.name.clone(),
            ..Foe::default()
        };
        read_lines(&mut foe, &section, system);
        let skilled = foe
            .bonuses
            .iter()
            .chain(&foe.totals)
            .any(|(name, _)| system.named_skill(name).is_some());
        // Without any number it is none.
        let foe = Some(foe).filter(|foe| foe.says_more_than_skills() || skilled);
        let is_full = |foe: &Option<Foe>| foe.as_ref().is_some_and(Foe::says_more_than_skills);
        let is_apart = |above: &Block| {
            foe.as_ref().is_some_and(Foe::stands_alone) || (is_full(&foe) && !is_full(&above.foe))
        };
        let above = open.and_then(|at| all.get_mut(at));
        let above = above.filter(|above| above.section.level < section.level && !is_apart(above));
        let inner = above.is_some();
        match above.and_then(|above| above.foe.as_mut()) {
            Some(above) => {
                above.words.push(section.name.clone());
                read_lines(above, &section, system);
            }
            None => open = foe.is_some().then_some(all.len()),
        }
        all.push(Block {
            section,
            foe,
            inner,
        });
    }
    all
}

fn read_lines(foe: &mut Foe, section: &Section, system: &System) {
    let (mut header, mut names) = (Vec::new(), Vec::new());
    // The names of scores on the last line have no numbers after them.
    for line in section.lines.iter().copied().chain([""]) {
        match line.strip_prefix('|') {
            Some(row) => line::read_row(foe, system, &mut header, row),
            None => line::read_line(foe, system, &mut names, line),
        }
    }
}

/// Lines of one block that are read.
const LINES_MAX: usize = 400;

struct Section<'t> {
    name: String,
    /// How many `#` it has; 0 is the first line of a text that begins without a heading.
    level: usize,
    lines: Vec<&'t str>,
}

/// The sections of a text; quotation marks (`> > - **Speed** 30 ft.`) are ignored. A first line
/// that is no list item, such as `**Ghoul**`, is a heading too.
fn sections(text: &str) -> Vec<Section<'_>> {
    let mut all: Vec<Section> = Vec::new();
    for line in text.lines() {
        let line = line
            .trim_start_matches(|c: char| c == '>' || c.is_whitespace())
            .trim_end();
        let heading = line.trim_start_matches('#');
        let level = line.len() - heading.len();
        if level > 0 && heading.starts_with(' ') {
            all.push(Section {
                name: without_emphasis(heading),
                level,
                lines: Vec::new(),
            });
        } else if line.is_empty() || is_rule(line) {
            continue;
        } else if let Some(section) = all.last_mut() {
            section
                .lines
                .extend((section.lines.len() < LINES_MAX).then_some(line));
        } else if !line.starts_with(['-', '*', '+', '|']) || line.starts_with("**") {
            let name = without_emphasis(line);
            // A longer line is prose, not a name.
            all.extend((name.len() <= LIMITS.name).then(|| Section {
                name,
                level: 0,
                lines: Vec::new(),
            }));
        }
    }
    all
}

/// `___`, `---`, `===`: a rule, or the underline of a heading.
fn is_rule(line: &str) -> bool {
    line.len() > 2
        && ['_', '-', '*', '=']
            .iter()
            .any(|mark| line.chars().all(|c| c == *mark || c == ' '))
}

/// Words in a heading or file name and the kind they mean; the first that occurs decides.
const KINDS: [(Kind, &[&str]); 3] = [
    (
        Kind::Npc,
        &[
            "non player",
            "npc",
            "npcs",
            "foe",
            "foes",
            "monster",
            "monsters",
            "enemies",
            "bestiary",
        ],
    ),
    (Kind::Companion, &["companion", "companions", "hirelings"]),
    (
        Kind::Player,
        &[
            "player",
            "players",
            "pcs",
            "pregens",
            "characters",
            "heroes",
            "party",
            "investigators",
        ],
    ),
];

fn stated_kind(lines: &[&str]) -> Option<Kind> {
    lines.iter().find_map(|line| {
        let bare = without_emphasis(line.trim_start_matches(['-', '*', ' ']));
        let (_, value) = bare
            .split_once(':')
            .filter(|(label, _)| same(label, "kind"))?;
        Kind::ALL
            .into_iter()
            .find(|kind| same(kind.as_str(), value.trim().trim_end_matches('.')))
    })
}

fn kind_in_heading(words: &str) -> Option<Kind> {
    let letters = |letter: char| {
        if letter.is_alphanumeric() {
            letter
        } else {
            ' '
        }
    };
    let folded = format!(
        " {} ",
        fold(&words.chars().map(letters).collect::<String>())
    );
    let has = |word: &&str| folded.contains(&format!(" {word} "));
    KINDS
        .into_iter()
        .find(|(_, words)| words.iter().any(has))
        .map(|(kind, _)| kind)
}

const FOUND_MAX: usize = 100;
/// Words of a label; more are a sentence.
const LABEL_WORDS_MAX: usize = 3;
/// Letters of a label that may be a misspelt one; a shorter one is near to anything.
const LABEL_LETTERS_MIN: usize = 4;

const SCORES_FORM: &str = "- Attributes: STR 12, DEX 10";
const SKILLS_FORM: &str = "- Skills: Melee +3, Aim +1";
/// Labels with the form that is read, and whether that is a list.
const FORMS: [(&[&str], &str, bool); 5] = [
    (&["hit points", "hp"], "- Hit points: 7", false),
    (
        &["armour", "armor", "armour class", "armor class"],
        "- Armour: 12",
        false,
    ),
    (
        &[
            "attributes",
            "ability scores",
            "abilities",
            "characteristics",
        ],
        SCORES_FORM,
        true,
    ),
    (&["skills"], SKILLS_FORM, true),
    (
        &["attack", "attacks"],
        "- Attack: cudgel +3, damage 1d6+1",
        true,
    ),
];

/// Findings about the lines of the stat blocks in these files.
pub fn unread_lines(sources: &Sources, system: &System) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (id, file) in sources.iter() {
        let text = file.text.as_str();
        if text.len() > LIMITS.document || sheet::is_sheet(text) {
            continue;
        }
        let all = read_blocks(sections(text), system);
        let is_foe = |foe: &Option<Foe>| foe.as_ref().is_some_and(Foe::says_more_than_skills);
        let foes: Vec<usize> = blocks(&all)
            .filter(|(_, block)| is_foe(&block.foe))
            .map(|(at, _)| at)
            .collect();
        let mut inside = false;
        for (at, block) in all.iter().enumerate() {
            // The sections below a block's heading belong to it.
            inside = foes.contains(&at) || (inside && block.inner);
            for line in block
                .section
                .lines
                .iter()
                .filter(|line| inside && !line.starts_with('|'))
            {
                let Some((why, form)) = fault(line, system) else {
                    continue;
                };
                let start = (line.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
                let message = format!("{why}, so this line of a stat block is only a note");
                let finding = Diagnostic::warning(codes::UNREAD_LINE, message)
                    .at(
                        Span::new(id, start..start + line.len()),
                        "not a number of the foe",
                    )
                    .help(format!("the form that is read: `{form}`"));
                found.push(finding);
            }
        }
    }
    found.truncate(FOUND_MAX);
    found
}

/// Why a line was not understood, and the form that is read; `None`: it was, or is prose.
fn fault(line: &str, system: &System) -> Option<(String, String)> {
    // `- Label: value`, `**Label** value`, `**Label:** value`.
    let item = item_text(line);
    let bold = item
        .strip_prefix("**")
        .and_then(|rest| rest.split_once("**"));
    let (label, value) = bold.or_else(|| item.split_once(':'))?;
    let (label, value) = (label_text(label), value_start(value));
    if label.is_empty() {
        return None;
    }
    // A track of the rules, in the words of its section.
    if fold(value).starts_with("max ") {
        return None;
    }
    let mut foe = Foe::default();
    read_line(&mut foe, system, &mut Vec::new(), line);
    if let Some(fault) = unknown_names(&foe, system) {
        return Some(fault);
    }
    let is_note = foe
        .words
        .iter()
        .any(|words| words.contains(value.trim_matches(['*', '_', '`', ' ', '.'])));
    if !is_note || foe.stands_alone() || !foe.attacks.is_empty() || foe.worth.is_some() {
        return None;
    }
    let (folded, has_number) = (
        fold(&label),
        value.contains(|letter: char| letter.is_ascii_digit()),
    );
    // "Attacks. The owlbear makes two." is prose.
    let known = FORMS
        .iter()
        .find(|(labels, ..)| labels.contains(&folded.as_str()));
    if let Some((_, form, _)) =
        known.filter(|(labels, ..)| has_number || labels.first() == Some(&"hit points"))
    {
        return Some((
            format!("what stands behind `{label}` cannot be read"),
            (*form).to_owned(),
        ));
    }
    let is_long =
        folded.split(' ').count() > LABEL_WORDS_MAX || folded.chars().count() < LABEL_LETTERS_MIN;
    if is_long || !has_number {
        return None;
    }
    let is_value =
        value.starts_with(|letter: char| letter.is_ascii_digit() || "+-−d".contains(letter));
    let misspelt_form = |(labels, form, is_list): &(&[&'static str], &str, bool)| {
        let known = misspelt(&folded, labels.iter().copied()).filter(|_| *is_list || is_value)?;
        Some((known, (*form).to_owned()))
    };
    let misspelt_name = || {
        let attributes = system
            .attributes
            .iter()
            .map(|attribute| attribute.name.as_str());
        let skills = system.skills.iter().map(|skill| skill.name.as_str());
        let tracks = system.tracks.iter().map(|track| track.name.as_str());
        let known =
            misspelt(&folded, attributes.chain(skills).chain(tracks)).filter(|_| is_value)?;
        Some((known, format!("- {known}: {}", value.trim())))
    };
    let (known, form) = FORMS
        .iter()
        .find_map(misspelt_form)
        .or_else(misspelt_name)?;
    Some((
        format!("`{label}` is no label (did you mean `{known}`?)"),
        form,
    ))
}

/// Names of a list of scores or skills that the rules do not have, where they are nearly some of
/// theirs, or others of the list are theirs.
fn unknown_names(foe: &Foe, system: &System) -> Option<(String, String)> {
    let names = |pairs: &[(String, i64)]| -> Vec<String> {
        pairs.iter().map(|(name, _)| name.clone()).collect()
    };
    let (scores, bonuses) = (
        names(&foe.scores),
        names(&[foe.bonuses.as_slice(), &foe.totals].concat()),
    );
    let short = |attribute: &'_ rollbook_rules::Attribute| {
        [Some(attribute.name.clone()), attribute.abbr.clone()]
    };
    let attributes: Vec<String> = system.attributes.iter().flat_map(short).flatten().collect();
    let attributes: Vec<&str> = attributes.iter().map(String::as_str).collect();
    let skills: Vec<&str> = system.skills.iter().map(|skill| &*skill.name).collect();
    let is_skill = |name: &str| system.named_skill(name).is_some();
    let is_score = |name: &str| is_skill(name) || system.named_attribute(name).is_some();
    let unknown = |names: &[String],
                   known: &[&str],
                   is_known: &dyn Fn(&str) -> bool,
                   what: &str,
                   form: &str| {
        let suggested = |name: &str| misspelt(name, known.iter().copied());
        let some_known = names.iter().any(|name| is_known(name));
        let is_bad = |name: &&str| !is_known(name) && (some_known || suggested(name).is_some());
        let bad: Vec<&str> = names.iter().map(String::as_str).filter(is_bad).collect();
        let meant = suggested(bad.first()?)
            .map_or(String::new(), |name| format!(" (did you mean `{name}`?)"));
        let listed = listed(bad, 120);
        Some((
            format!("no {what} of the rules is called {listed}{meant}"),
            form.to_owned(),
        ))
    };
    unknown(&scores, &attributes, &is_score, "attribute", SCORES_FORM)
        .or_else(|| unknown(&bonuses, &skills, &is_skill, "skill", SKILLS_FORM))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_stands_below_a_heading() {
        for (words, kind) in [
            ("The Lockhouse: four characters", Some(Kind::Player)),
            ("Characters.md", Some(Kind::Player)),
            ("The Lockhouse: foes and other people", Some(Kind::Npc)),
            ("Non-player characters", Some(Kind::Npc)),
            ("Companions of the party", Some(Kind::Companion)),
            ("The tower", None),
        ] {
            assert_eq!(kind_in_heading(words), kind, "{words}");
        }
        assert_eq!(
            stated_kind(&["- Hit points: 3", "- **Kind:** player"]),
            Some(Kind::Player)
        );
        assert_eq!(stated_kind(&["- Kind: of blue"]), None);
    }
}
