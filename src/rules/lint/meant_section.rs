//! Which section a heading was meant for that is none: `## HP` with `8 + Might` below it, `## Skill Rolls`, `## Proben`.
//!
//! A heading that people use for a section's subject is one where anything of a number or of dice stands below it. Any other
//! heading is its author's own: below it only a formula tells, since prices, people and weapons have numbers and dice, too.

use std::collections::HashSet;

use crate::diagnostic::Span;
use crate::names::fold;
use crate::rules::document::{Block, Bullet, Section, Table, Text};
use crate::rules::language::fit;
use crate::rules::language::health::is_pool_name;
use crate::rules::language::labels::labelled;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::plain::{dice_mentions, foreign_die, is_rolled_on};
use crate::rules::language::range::score as score_range;
use crate::rules::language::shape::{Fit, alone};
use crate::rules::language::system::System;
use crate::rules::section::SectionKind;

/// Words of headings whose numbers are of things and people: prices, a sword's dice, a guard's hit points.
const THINGS: [&str; 40] = [
    "weapon",
    "weapons",
    "gear",
    "equipment",
    "item",
    "items",
    "armour",
    "armor",
    "armory",
    "armoury",
    "spell",
    "spells",
    "magic",
    "power",
    "powers",
    "monster",
    "monsters",
    "foe",
    "foes",
    "enemy",
    "enemies",
    "creature",
    "creatures",
    "bestiary",
    "npc",
    "npcs",
    "people",
    "vehicle",
    "vehicles",
    "ship",
    "ships",
    "treasure",
    "loot",
    "price",
    "prices",
    "goods",
    "random",
    "encounter",
    "encounters",
    "shop",
];
/// Words of a heading that is still a name.
const HEADING_WORDS_MAX: usize = 4;
/// Words of a paragraph that is a rule on a line of its own.
const LINE_WORDS_MAX: usize = 12;
/// Words of a name in a formula.
const NAME_WORDS_MAX: usize = 3;
/// Bullets with ranges from which on a list of another language declares scores.
const RANGES_MIN: usize = 2;

/// A heading's section.
pub(super) struct Meant<'s> {
    pub kind: SectionKind,
    /// The heading that is none; none where rules stand below the title, or below nothing.
    pub heading: Option<&'s Text>,
    /// Whether the heading's words say so, and a level-2 heading with the section's name would be it.
    pub renamed: bool,
    /// The rule that shows it.
    pub rule: Span,
}

/// The names of scores, folded, gathered once for all sections.
pub(super) struct Declared(HashSet<String>);

impl Declared {
    pub fn of(system: &System) -> Self {
        let names = system.attributes.iter().flat_map(|own| std::iter::once(&own.name).chain(&own.abbr));
        Self(names.chain(system.skills.iter().map(|own| &own.name)).map(|name| fold(name)).collect())
    }
}

/// What a section of the author's own was meant for, `sure` being what an unmistakable rule in it shows.
pub(super) fn meant<'s>(
    section: &'s Section,
    sure: Option<(SectionKind, Span)>,
    declared: &Declared,
    ledger: &Ledger<'_>,
) -> Option<Meant<'s>> {
    let look = Look { declared, ledger };
    // What is rolled in a fight's section is the order.
    let agrees = |own: &Meant<'_>| own.kind == SectionKind::Combat || sure.is_none_or(|(kind, _)| kind == own.kind);
    let heading = section.heading.as_ref().filter(|_| section.level == 2);
    let unmistakable = || sure.map(|(kind, rule)| Meant { kind, heading, renamed: false, rule });
    look.by_heading(section).filter(agrees).or_else(unmistakable).or_else(|| look.by_formulas(section))
}

struct Look<'a> {
    declared: &'a Declared,
    ledger: &'a Ledger<'a>,
}

impl Look<'_> {
    fn by_heading<'s>(&self, section: &'s Section) -> Option<Meant<'s>> {
        let outer = section.heading.as_ref().filter(|_| section.level == 2);
        let outer =
            outer.map(|heading| (heading, section.all_blocks().take(self.ledger.limits.blocks).collect::<Vec<_>>()));
        let inner =
            section.subsections.iter().filter_map(|own| Some((own.heading.as_ref()?, own.blocks.iter().collect())));
        outer.into_iter().chain(inner).find_map(|(heading, blocks)| {
            let kind = subject(heading.as_str())?;
            let rule = blocks.into_iter().find(|block| self.is_rule_of(kind, block))?;
            // What is saved with is a score by level.
            let by_level = matches!(rule, Block::Table(table) if table.header.first().is_some_and(|cell| fold(cell.as_str()) == "level"));
            let kind = if by_level && kind == SectionKind::Checks { SectionKind::Skills } else { kind };
            let rule = rule.span();
            let renamed = section.heading.as_ref() == Some(heading);
            Some(Meant { kind, heading: Some(heading), renamed, rule })
        })
    }

    /// Whether a block below a heading with that subject is a rule.
    fn is_rule_of(&self, kind: SectionKind, block: &Block) -> bool {
        // Stories have companies and clocks, too, and numbers in them.
        if matches!(kind, SectionKind::Company | SectionKind::Clocks) {
            return self.is_of(kind, block);
        }
        match block {
            Block::Bullet(bullet) => {
                let value = labelled(bullet, self.ledger).map_or_else(|| bullet.text.clone(), |label| label.value);
                begins_with_number(&value)
                    || is_formula(&value, self.declared, self.ledger)
                    || has_dice(&value)
                    || self.is_of(kind, block)
            }
            // A table of dice is rolled on as it stands.
            Block::Table(table) => !is_rolled_on(table) && (has_numbers(table) || self.is_of(kind, block)),
            // What is rolled in a sentence explains the checks, and is pointed at where there is none.
            Block::Paragraph(_) if matches!(kind, SectionKind::Checks | SectionKind::Dice) => false,
            Block::Paragraph(text) => {
                is_formula(text, self.declared, self.ledger) || has_dice(text) || is_line_with_number(text)
            }
            Block::Heading(_) | Block::Fence { .. } => false,
        }
    }

    fn is_of(&self, kind: SectionKind, block: &Block) -> bool {
        fit(&alone(block), kind, self.ledger) == Fit::Well
    }

    fn by_formulas<'s>(&self, section: &'s Section) -> Option<Meant<'s>> {
        let heading = section.heading.as_ref().filter(|_| section.level == 2);
        let blocks = || section.all_blocks().take(self.ledger.limits.blocks);
        let meant = |(kind, rule)| Meant { kind, heading, renamed: false, rule };
        if let Some(found) = blocks().find_map(|block| Some((self.formula_of(block)?, block.span()))) {
            return Some(meant(found));
        }
        if heading.is_some_and(|heading| is_of_things(&fold(heading.as_str()))) {
            return None;
        }
        if let Some(block) = blocks().find(|block| self.is_track_of_its_own(block)) {
            return Some(meant((SectionKind::Health, block.span())));
        }
        if self.ledger.is_english() {
            return None;
        }
        if let Some(block) =
            blocks().find(|block| words_of(block).is_some_and(|text| foreign_die(text.as_str()).is_some()))
        {
            return Some(meant((SectionKind::Checks, block.span())));
        }
        let mut ranges = blocks().filter(|block| self.is_range(block));
        let first = ranges.next()?;
        (ranges.count() + 1 >= RANGES_MIN).then(|| meant((SectionKind::Attributes, first.span())))
    }

    /// `- Dodge: 10 + DEX`, `- Climb: 1d20 + Might`, `HP = 8 + Might`: a formula with the name of a score.
    fn formula_of(&self, block: &Block) -> Option<SectionKind> {
        let text = words_of(block)?;
        let as_bullet = Bullet { text: text.clone(), ..Bullet::default() };
        let split = || text.split_at_any(&["="]);
        let (name, value) = match labelled(&as_bullet, self.ledger) {
            Some(label) => (Some(label.label), label.value),
            None => split().map_or_else(|| (None, text.clone()), |(name, value)| (Some(name), value)),
        };
        if !is_formula(&value, self.declared, self.ledger) {
            return None;
        }
        let pool = name.is_some_and(|name| is_pool_name(name.as_str()));
        Some(if !pool && has_dice(&value) { SectionKind::Checks } else { SectionKind::Health })
    }

    /// `- Resolve: 5 boxes`, `- At 0 resolve: out`: nothing that a person of the story has.
    fn is_track_of_its_own(&self, block: &Block) -> bool {
        let Block::Bullet(bullet) = block else { return false };
        let Some(label) = labelled(bullet, self.ledger) else { return false };
        let at_end = label.folded.starts_with("at 0 ") || ["short rest", "long rest"].contains(&label.folded.as_str());
        let value = fold(label.value.as_str());
        let max = ["max ", "maximum "].iter().any(|opening| value.starts_with(opening));
        at_end || max && self.is_of(SectionKind::Health, block)
    }

    /// `- Mut: 8 bis 20` in another language: a number, a word, a number.
    fn is_range(&self, block: &Block) -> bool {
        let Block::Bullet(bullet) = block else { return false };
        let Some(label) = labelled(bullet, self.ledger) else { return false };
        let words: Vec<&str> = label.value.as_str().split_whitespace().collect();
        let is_number = |word: &&str| word.parse::<i32>().is_ok();
        match words.as_slice() {
            [low, _, high] => is_number(low) && is_number(high),
            [range] => !is_number(range) && score_range(range).is_some(),
            _ => false,
        }
    }
}

/// `8 + Might`, `half STR + 5`: terms of which one is the name of a score, and another a number or dice.
pub(super) fn is_formula(text: &Text, declared: &Declared, ledger: &Ledger<'_>) -> bool {
    let words = text.as_str();
    let clause = words.split([',', ';', '.', '(']).next().unwrap_or_default();
    let clause = clause.trim().trim_start_matches(['=', ' ']);
    if !clause.contains(['+', '-', '\u{2212}', '*', '/', '\u{d7}', '\u{f7}']) && !clause.contains(" x ") {
        return false;
    }
    let signs = |words: &str| {
        [" - ", " \u{2212} ", " x ", " / "].iter().fold(words.to_owned(), |words, sign| words.replace(sign, "+"))
    };
    let clause = signs(clause).replace(['*', '\u{d7}', '\u{f7}'], "+");
    let terms: Vec<String> = clause.split('+').map(|term| fold(term.trim().trim_matches(['{', '}']))).collect();
    let number =
        |term: &str| term.starts_with(|letter: char| letter.is_ascii_digit()) || dice_mentions(term).next().is_some();
    let name = |term: &str| {
        let term = ["half ", "twice ", "max ", "maximum ", "your ", "the "]
            .iter()
            .fold(term, |term, word| term.strip_prefix(word).unwrap_or(term));
        let bare = term.strip_suffix(" modifier").or_else(|| term.strip_suffix(" score")).unwrap_or(term);
        let foreign = || {
            !ledger.is_english() && !number(bare) && bare.chars().all(|letter| letter.is_alphabetic() || letter == ' ')
        };
        declared.0.contains(bare) || bare == "modifier" || foreign()
    };
    let fits = |term: &String| !term.is_empty() && term.split(' ').count() <= NAME_WORDS_MAX + 1;
    terms.len() > 1
        && terms.iter().all(fits)
        && terms.iter().any(|term| number(term.strip_prefix("max ").unwrap_or(term)))
        && terms.iter().any(|term| name(term))
}

/// The section whose subject this heading names; none for a heading of things.
fn subject(heading: &str) -> Option<SectionKind> {
    let folded =
        fold(heading.trim_start_matches(|letter: char| letter.is_ascii_digit() || matches!(letter, '.' | ')' | ' ')));
    let folded = folded.trim_end_matches(':').trim_start_matches("the ").to_owned();
    let words: Vec<&str> = folded.split(' ').collect();
    if words.len() > HEADING_WORDS_MAX || is_of_things(&folded) {
        return None;
    }
    let of = |name: &str| {
        let known = SectionKind::about(name).or_else(|| SectionKind::named(name));
        known.or_else(|| SectionKind::named(&format!("{name}s")))
    };
    // The last word is what it is about: Skill Rolls are rolls; of two subjects the first counts.
    let first = || [" and ", " & ", ", "].iter().find_map(|sign| of(folded.split_once(sign)?.0));
    of(&folded).or_else(first).or_else(|| of(words.last()?))
}

fn is_of_things(folded: &str) -> bool {
    folded.split(|letter: char| !letter.is_alphanumeric()).any(|word| THINGS.contains(&word))
}

fn words_of(block: &Block) -> Option<&Text> {
    match block {
        Block::Paragraph(text) | Block::Bullet(Bullet { text, .. }) => Some(text),
        Block::Heading(_) | Block::Fence { .. } | Block::Table(_) => None,
    }
}

fn has_dice(text: &Text) -> bool {
    dice_mentions(text.as_str()).next().is_some()
}

/// "Everybody has 10 hit points."
pub(super) fn is_line_with_number(text: &Text) -> bool {
    is_short_with_number(text.as_str())
}

pub(super) fn is_short_with_number(words: &str) -> bool {
    words.split_whitespace().count() <= LINE_WORDS_MAX && words.contains(|letter: char| letter.is_ascii_digit())
}

fn begins_with_number(value: &Text) -> bool {
    let words = fold(value.as_str());
    let bare = ["max ", "maximum ", "base ", "dc "].iter().find_map(|word| words.strip_prefix(word)).unwrap_or(&words);
    bare.trim_start_matches(['+', '-', '\u{2212}']).starts_with(|letter: char| letter.is_ascii_digit())
}

fn has_numbers(table: &Table) -> bool {
    table
        .rows
        .iter()
        .flatten()
        .any(|cell| score_range(cell.as_str().trim_start_matches('+')).is_some() || has_dice(cell))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_names_a_subject_or_is_the_authors_own() {
        for (heading, kind) in [
            ("HP", SectionKind::Health),
            ("Hit Points", SectionKind::Health),
            ("3. Sanity", SectionKind::Health),
            ("Wounds and Death", SectionKind::Health),
            ("Skill Rolls", SectionKind::Checks),
            ("Saving Throws", SectionKind::Checks),
            ("Ability Scores", SectionKind::Attributes),
            ("Skill List", SectionKind::Skills),
            ("Status Effects", SectionKind::Conditions),
            ("Turn Order", SectionKind::Combat),
            ("Levelling Up", SectionKind::Advancement),
        ] {
            assert_eq!(subject(heading), Some(kind), "{heading}");
        }
        for own in ["The harbour", "Weapon damage", "Monster stats", "Wealth", "What may happen after a long rest"] {
            assert_eq!(subject(own), None, "{own}");
        }
    }
}
