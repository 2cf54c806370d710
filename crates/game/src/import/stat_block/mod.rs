//! A foe's stat block in Markdown: a heading with its name, and below it lines with a label
//! (`- Hit points: 7`, `**Armor Class** 15`), lists of scores (`STR 12, DEX 12`) or tables of them.
//! Headings below that of the block (`### Actions`) belong to it. Any other line is a note.
//!
//! With a colon a skill's number is what it adds by itself, as on a sheet (`- Skills: Melee +3`);
//! with a bold label and no colon, as the blocks of 5e have it (`**Skills** Stealth +6`), it is
//! what the skill comes to with its attribute; so is one after the scores
//! (`- Attributes: STR 1, DEX 2; Reflex +4`).

mod labels;
mod line;
mod text;
mod values;

pub use labels::{Label, Labels};
pub use text::whole_number_in;
pub use values::part_of;

use crate::import::question::{Outcome, Question};
use crate::import::{foe::Foe, sheet};
use crate::refusal::{Code, Refusal};
use crate::{limits::LIMITS, record::state::Kind};
use line::{name_before, read_lines};
use rollbook_rules::{System, codes};
use rollbook_text::diagnostic::{Diagnostic, Sources, Span};
use rollbook_text::names::{Found, Words, find, fold, listed, quoted, same, suggest};
use text::without_emphasis;

/// Reads the block under the heading `which`, or the only one there is.
/// Refused: when no heading has this name, or there are several blocks and none is named.
pub fn read(
    text: &str,
    system: &System,
    which: Option<&str>,
    origin: &str,
) -> Result<(Foe, Option<Kind>), Refusal> {
    let labels = Labels::of(system);
    let all = read_blocks(sections(text, &labels), &labels);
    let only = || {
        let mut blocks = blocks(&all);
        blocks.next().filter(|_| blocks.next().is_none())
    };
    // The values of the only block without a name are those of whom the call names.
    let which = which.filter(|_| only().is_none_or(|(_, block)| !block.section.name.is_empty()));
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

/// The names of its blocks, in order.
pub fn names(text: &str, system: &System) -> Vec<String> {
    let labels = Labels::of(system);
    let all = read_blocks(sections(text, &labels), &labels);
    blocks(&all)
        .map(|(_, block)| block.section.name.clone())
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

/// Lines, each with what became of it.
type Outcomes<'t> = Vec<(&'t str, Outcome)>;
type Numbered<'r, 't> = (usize, &'r Block<'t>);

struct Block<'t> {
    section: Section<'t>,
    foe: Option<Foe>,
    outcomes: Outcomes<'t>,
    /// Whether it is part of the block above it.
    inner: bool,
}

/// Whether it is a section of the rules, and so no block: Health is everybody's.
fn is_rule_section(system: &System, name: &str) -> bool {
    let mut sections = system.sections.iter();
    sections.any(|section| section.kind.is_some() && same(&section.heading, name))
}

/// Every section with its foe, which includes sections below its heading up to another foe.
fn read_blocks<'t>(sections: Vec<Section<'t>>, labels: &Labels) -> Vec<Block<'t>> {
    let mut all: Vec<Block> = Vec::new();
    let is_only = sections.len() == 1;
    // The index of the foe that sections below it belong to.
    let mut open: Option<usize> = None;
    for section in sections {
        let (foe, outcomes) = read_section(&section.name, &section.lines, labels);
        let skilled = foe
            .bonuses
            .iter()
            .chain(&foe.totals)
            .any(|(name, _)| labels.system.named_skill(name).is_some());
        // Without any number it is none; the only one may have a number that is asked about.
        let asks = is_only && foe.questions.iter().any(Question::has_default);
        let foe = Some(foe)
            .filter(|foe| foe.says_more_than_skills() || skilled || asks)
            .filter(|_| !is_rule_section(labels.system, &section.name));
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
                read_into(above, &section.lines, labels);
            }
            None => open = foe.is_some().then_some(all.len()),
        }
        all.push(Block {
            section,
            foe,
            outcomes,
            inner,
        });
    }
    all
}

/// Lines of one section that are read.
const LINES_MAX: usize = 400;

/// A foe of these lines, each with what became of it.
pub fn read_section<'t>(name: &str, lines: &[&'t str], labels: &Labels) -> (Foe, Outcomes<'t>) {
    let mut foe = Foe {
        name: name.to_owned(),
        ..Foe::default()
    };
    let outcomes = read_into(&mut foe, lines, labels);
    (foe, outcomes)
}

fn read_into<'t>(foe: &mut Foe, lines: &[&'t str], labels: &Labels) -> Outcomes<'t> {
    let (lines, more) = lines.split_at(lines.len().min(LINES_MAX));
    let mut outcomes = read_lines(foe, labels, lines);
    let why = "the block has too many lines before it";
    outcomes.extend(more.iter().map(|line| (*line, foe.ask_for_less(line, why))));
    outcomes
}

struct Section<'t> {
    name: String,
    /// How many `#` it has; 0 is the first line of a text that begins without a heading.
    level: usize,
    lines: Vec<&'t str>,
}

/// The sections of a text; quotation marks (`> > - **Speed** 30 ft.`) are ignored. A first line
/// that is no list item, such as `**Ghoul**`, is a heading too; a name may have values behind it
/// (`Ghoul: AC 12, HP 22`), and values may be without a name.
fn sections<'t>(text: &'t str, labels: &Labels) -> Vec<Section<'t>> {
    let mut all: Vec<Section> = Vec::new();
    for line in text.lines() {
        let line = line
            .trim_start_matches(|c: char| c == '>' || c.is_whitespace())
            .trim_end();
        let heading = line.trim_start_matches('#');
        let level = line.len() - heading.len();
        let is_heading = level > 0 && heading.starts_with(' ');
        if line.is_empty() || (!is_heading && is_rule(line)) {
            continue;
        }
        if let Some(section) = all.last_mut().filter(|_| !is_heading) {
            section.lines.push(line);
            continue;
        }
        let named = name_before(labels, heading.trim());
        let (name, lines) = match named.filter(|(name, _)| !is_heading || !name.is_empty()) {
            Some((name, values)) => (without_emphasis(name), vec![values]),
            None => (without_emphasis(heading), Vec::new()),
        };
        // A longer line is prose, and so is a list: no name.
        let is_list = line.starts_with(['-', '*', '+', '|']) && !line.starts_with("**");
        let is_name = name.len() <= LIMITS.name && !is_list;
        if is_heading || is_name || !lines.is_empty() {
            all.push(Section { name, level, lines });
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

/// Findings about the lines of the stat blocks in these files that are asked about.
pub fn unread_lines(sources: &Sources, system: &System) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let labels = Labels::of(system);
    for (id, file) in sources.iter() {
        let text = file.text.as_str();
        if text.len() > LIMITS.document || sheet::is_sheet(text) {
            continue;
        }
        let all = read_blocks(sections(text, &labels), &labels);
        let is_foe = |foe: &Option<Foe>| foe.as_ref().is_some_and(Foe::says_more_than_skills);
        let foes: Vec<usize> = blocks(&all)
            .filter(|(_, block)| is_foe(&block.foe))
            .map(|(at, _)| at)
            .collect();
        let mut inside = false;
        for (at, block) in all.iter().enumerate() {
            // The sections below a block's heading belong to it.
            inside = foes.contains(&at) || (inside && block.inner);
            for (line, outcome) in block.outcomes.iter().filter(|_| inside) {
                let Outcome::Asked(Question { why, form, .. }) = outcome else {
                    continue;
                };
                let start = (line.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
                let finding = Diagnostic::warning(
                    codes::UNREAD_LINE,
                    format!("{why}, so this line of a stat block is not read"),
                )
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
