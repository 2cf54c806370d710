//! What checks are made with: the names that sentences add, ask for or list, and that the rules do not declare.

use super::blocks::Block;
use super::look::{Look, Proposal};
use super::sentences::{Sentence, is_name, sentences};
use crate::diagnostic::{Place, Span};
use crate::names::{fold, same};
use crate::rules::document::Block as Piece;
use crate::rules::language::attributes::{Attribute, Modifier};
use crate::rules::language::checks::rolled::Unknown;
use crate::rules::language::names::Names;
use crate::rules::language::number_words::number_word;
use crate::rules::language::plain::dice_mentions;
use crate::rules::language::range;
use crate::rules::language::section::SectionKind;

/// What a name is wanted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    /// Its number is added as it stands, to other dice than a d20, or says how many dice are rolled.
    Number,
    /// Its number is added as it stands to a d20.
    NumberToD20,
    /// A roll is compared with its score.
    Score,
    /// What its score is worth is added to a d20.
    Modifier,
}

impl Need {
    /// Of a name that a roll adds, by its modifier or as it stands.
    pub fn added(modifier: bool, d20: bool) -> Self {
        match (modifier, d20) {
            (true, _) => Need::Modifier,
            (false, true) => Need::NumberToD20,
            (false, false) => Need::Number,
        }
    }
}

/// A name that is wanted, and the words that want it.
#[derive(Debug, Clone)]
pub(super) struct Want {
    pub name: String,
    pub need: Need,
    pub source: Span,
}

impl Want {
    /// A name that a roll adds.
    pub fn added(own: &Unknown, d20: bool, source: Span) -> Self {
        Self { name: own.name.clone(), need: Need::added(own.modifier, d20), source }
    }
}

/// The scores of the d20 family, whose modifier is half of what they have over ten.
const CLASSIC: [&str; 6] = ["Strength", "Dexterity", "Constitution", "Intelligence", "Wisdom", "Charisma"];
/// Their modifier.
const HALF_ABOVE_TEN: &str = "- Modifier: `floor(({score} - 10) / 2)`";
const ASSUMED: &str = "; assumed: a score adds half of what it has over 10, rounded down";
const AS_IT_STANDS: &str = "; assumed: a score is added as it stands";
/// What scores go from and to that are rolled on three dice.
const OF_THREE_D6: (i64, i64) = (3, 18);
/// Letters of a short form.
const SHORT_FORM: usize = 3;
/// Scores up to here are added as they stand.
const SMALL: i64 = 10;
/// What a list of names follows.
const LISTS: [&str; 7] = ["attributes", "abilities", "ability scores", "stats", "characteristics", "scores", "traits"];

/// The proposals, and their names for the expressions of others.
pub(super) fn proposals(look: &Look<'_>, blocks: &[Block], wants: &[Want]) -> (Vec<Proposal>, Names) {
    let mut out = Out { look, all: Vec::new(), names: Vec::new() };
    let stated = halves_are_stated(look, blocks);
    let modifiers = wants.iter().any(|want| matches!(want.need, Need::Modifier | Need::NumberToD20));
    let table = score_table(look);
    if let Some(list) = list(look) {
        let range = list.range.or_else(|| rolled_on_three(look).then_some(OF_THREE_D6));
        let large = range.is_none_or(|(_, high)| high > SMALL);
        let classic = list.names.iter().any(|name| is_classic(name));
        let assumed = modifiers && large && table.is_none() && !stated && (classic || range.is_some());
        let halves = large && (stated || assumed) && table.is_none();
        let rest = range.map(|(low, high)| format!("- Range: {low} to {high}"));
        let common = [rest, halves.then(|| HALF_ABOVE_TEN.to_owned())];
        let note = match () {
            () if halves && !stated => ASSUMED,
            () if modifiers && range.is_none() && !halves && table.is_none() => AS_IT_STANDS,
            () => "",
        };
        out.offer(&list.names, &common, table.as_deref(), note, list.source);
        // What is no attribute by that list is a number of its own.
        for want in wants.iter().filter(|want| want.need != Need::Score) {
            out.skill(want);
        }
        return out.done();
    }
    let columns: Vec<(&str, Span)> =
        blocks.iter().flat_map(|own| own.scores.iter().map(|name| (name.as_str(), own.proposal.source))).collect();
    if let Some((_, source)) = columns.first() {
        let mut names: Vec<String> = Vec::new();
        for (name, _) in &columns {
            let whole = CLASSIC.iter().find(|own| short(own) == **name).map_or(*name, |own| *own).to_owned();
            if !names.contains(&whole) && !look.is_declared(&whole) && !look.is_declared(name) {
                names.push(whole);
            }
        }
        let halves = stated || modifiers;
        let common = [None, (halves && table.is_none()).then(|| HALF_ABOVE_TEN.to_owned())];
        out.offer(&names, &common, table.as_deref(), if halves && !stated { ASSUMED } else { "" }, *source);
    }
    for want in wants {
        let needs: Vec<Need> = wants.iter().filter(|own| same(&own.name, &want.name)).map(|own| own.need).collect();
        let has = |need: Need| needs.contains(&need);
        // Added as it stands here and by its modifier there: one of the two is told wrongly.
        let torn = has(Need::Number) && (has(Need::Modifier) || has(Need::NumberToD20));
        if look.is_declared(&want.name) || out.has(&want.name) || torn {
            continue;
        }
        let name = std::slice::from_ref(&want.name);
        let to_d20 = has(Need::Modifier) || has(Need::NumberToD20);
        match () {
            () if to_d20 && (is_classic(&want.name) || stated && has(Need::Modifier)) => {
                let common = [None, table.is_none().then(|| HALF_ABOVE_TEN.to_owned())];
                out.offer(name, &common, table.as_deref(), if stated { "" } else { ASSUMED }, want.source);
            }
            () if to_d20 && has(Need::Score) => {}
            () if to_d20 => out.skill(want),
            () => out.offer(name, &[None, None], None, "", want.source),
        }
    }
    out.done()
}

struct Out<'l, 'a> {
    look: &'l Look<'a>,
    all: Vec<Proposal>,
    names: Vec<String>,
}

impl Out<'_, '_> {
    fn has(&self, name: &str) -> bool {
        self.names.iter().any(|own| same(own, name) || same(&short(own), name))
    }

    /// Offers a name whose number on the sheet is added as it stands.
    fn skill(&mut self, want: &Want) {
        if self.look.is_declared(&want.name) || self.has(&want.name) {
            return;
        }
        let what = format!("what {} adds to a roll: the number on the sheet, as it stands", want.name);
        self.all.push(self.look.below(SectionKind::Skills, what, want.source, format!("- {}", want.name)));
        self.names.push(want.name.clone());
    }

    /// Offers names as one proposal; what holds for them stands below each where others may have something else.
    fn offer(&mut self, names: &[String], common: &[Option<String>; 2], table: Option<&str>, note: &str, source: Span) {
        let names: Vec<&String> = names.iter().filter(|name| !self.look.is_declared(name) && !self.has(name)).collect();
        if names.is_empty() {
            return;
        }
        let common: Vec<&String> = common.iter().flatten().collect();
        let nested = names.len() == 1 || !self.look.system.attributes.is_empty();
        let mut lines: Vec<String> = Vec::new();
        for name in &names {
            lines.push(format!("- {name}{}", short_form(name, &names)));
            lines.extend(common.iter().filter(|_| nested).map(|line| format!("  {line}")));
        }
        lines.extend(common.iter().filter(|_| !nested).map(|line| (*line).clone()));
        let table = table.map(|table| format!("\n\n{table}")).unwrap_or_default();
        let listed = names.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(", ");
        let what = format!("{}: {listed}{note}", if names.len() == 1 { "an attribute" } else { "attributes" });
        let body = format!("{}{table}", lines.join("\n"));
        self.all.push(self.look.below(SectionKind::Attributes, what, source, body));
        self.names.extend(names.into_iter().cloned());
    }

    /// The proposals, and every name that there is when they are accepted.
    fn done(self) -> (Vec<Proposal>, Names) {
        let attribute = |name: &String| Attribute {
            name: name.clone(),
            abbr: (!short_form(name, &self.names.iter().collect::<Vec<_>>()).is_empty()).then(|| short(name)),
            about: String::new(),
            range: None,
            modifier: Modifier::score(),
            place: Place::default(),
            span: Span::default(),
        };
        let system = self.look.system;
        let mut attributes = system.attributes.clone();
        attributes.extend(self.names.iter().map(attribute));
        let mut names = Names::of_dice(&system.own_dice).and_attributes(&attributes);
        names.add_skills(&system.skills);
        (self.all, names)
    }
}

/// A list of names in a sentence: "Characters have four stats: Nerve, Wits, Grit and Heart, each from -1 to +3."
struct List {
    names: Vec<String>,
    range: Option<(i64, i64)>,
    source: Span,
}

fn list(look: &Look<'_>) -> Option<List> {
    sentences(look).find_map(|sentence| {
        let (names, rest, many) = listed(&sentence)?;
        let as_many = many.is_none_or(|many| many == names.len());
        // "Ours have two: Sword and Song" says that these are the names of something else.
        let other = rest.split_once(':').is_some_and(|(_, own)| own.trim_start().starts_with(char::is_uppercase));
        let names: Vec<String> = names.into_iter().filter(|name| !look.is_declared(name)).collect();
        let range = range::in_words(rest).or_else(|| range::in_prose(rest).map(|(range, _)| range));
        let fits = as_many && !other && (many.is_none() || range.is_some());
        (names.len() > 1 && fits && sentence.is_told()).then(|| List { names, range, source: sentence.span() })
    })
}

/// The names, what stands behind them up to the end of the next sentence, and how many they must be where only their number says that they
/// are scores.
fn listed<'a>(sentence: &Sentence<'a>) -> Option<(Vec<String>, &'a str, Option<usize>)> {
    let lower = sentence.lower();
    let known = LISTS.iter().filter_map(|noun| Some(lower.find(noun)? + noun.len())).min();
    let many = if known.is_none() { many(&lower) } else { None };
    let noun = known.or(many.map(|(at, _)| at))?;
    let lead = [":", " are ", " \u{2014} ", " called "]
        .iter()
        .filter_map(|lead| Some(lower.get(noun..)?.find(lead)? + noun + lead.len()));
    let onward = sentence.onward();
    let mut at = lead.min()?;
    let mut names: Vec<String> = Vec::new();
    loop {
        let rest = onward.get(at..)?;
        let skipped = rest.trim_start_matches([' ', ',']);
        let skipped = skipped.strip_prefix("and ").unwrap_or(skipped);
        let end = skipped.find([',', '.', ';', '(']).unwrap_or(skipped.len());
        let item = skipped.get(..end)?;
        let item = item.split(" and ").next()?.trim_end();
        let first = item.split(' ').next()?;
        if !is_name(first) || !item.split(' ').all(is_name) || item.split(' ').count() > SHORT_FORM {
            break;
        }
        names.push(item.to_owned());
        at = onward.len() - skipped.len() + item.len();
        // `Nerve (NRV)`
        let behind = onward.get(at..)?;
        if let Some(end) = behind.strip_prefix(" (").and_then(|inner| inner.find(')')) {
            at += end + " ()".len();
        }
        let behind = onward.get(at..)?;
        if !behind.starts_with([',', ' ']) {
            break;
        }
    }
    let rest = onward.get(at..)?;
    let end = rest.match_indices(['.', '!']).nth(1).map_or(rest.len(), |(end, _)| end);
    (names.len() > 1).then_some((names, rest.get(..end)?, many.map(|(_, many)| many)))
}

/// Where "four qualities" stands before a colon, and how many these are.
fn many(lower: &str) -> Option<(usize, usize)> {
    let colon = lower.find(':')?;
    let mut words = lower.get(..colon)?.split_whitespace().rev();
    let number = words.nth(1)?;
    let many = number_word(number, 2..=20).or_else(|| number.parse().ok())?;
    Some((colon, usize::try_from(many).ok()?))
}

/// Whether the text says that a score is worth half of what it has over ten, or shows it.
fn halves_are_stated(look: &Look<'_>, blocks: &[Block]) -> bool {
    let shown = blocks.iter().filter_map(|own| own.halves);
    let (mut shown_any, mut all) = (false, true);
    for own in shown {
        shown_any = true;
        all &= own;
    }
    if shown_any {
        return all;
    }
    sentences(look).any(|sentence| {
        let lower = sentence.lower();
        let takes_ten = lower.contains("subtract 10") || lower.contains("minus 10") || lower.contains("subtracting 10");
        takes_ten
            && (lower.contains("divide") || lower.contains("half") || lower.contains("halv"))
            && sentence.is_told()
    })
}

/// Whether the text says that scores are rolled on three d6, or on the best three of four.
fn rolled_on_three(look: &Look<'_>) -> bool {
    sentences(look).any(|sentence| {
        let lower = sentence.lower();
        let rolled = dice_mentions(&lower).any(|at| matches!(lower.get(at), Some("3d6" | "4d6")));
        let each =
            LISTS.iter().any(|noun| lower.contains(noun)) || ["each", "in order"].iter().any(|own| lower.contains(own));
        rolled && each && !lower.contains("damage") && sentence.is_told()
    })
}

/// A table of what scores are worth that stands where it is not read, as it is written.
fn score_table(look: &Look<'_>) -> Option<String> {
    let sections = look.sections().filter(|(kind, _)| *kind != Some(SectionKind::Attributes));
    let mut pieces = sections.flat_map(|(_, section)| section.all_blocks().take(look.limits.blocks));
    pieces.find_map(|piece| {
        let Piece::Table(table) = piece else { return None };
        let has = |names: &[&str]| table.header.iter().any(|cell| names.contains(&fold(cell.as_str()).as_str()));
        let fits = has(&["score", "scores"]) && has(&["modifier", "modifiers", "mod"]) && table.header.len() == 2;
        fits.then(|| look.sources.text(table.span).trim().to_owned())
    })
}

fn is_classic(name: &str) -> bool {
    CLASSIC.iter().any(|own| same(own, name) || same(&short(own), name))
}

/// `DEX` of Dexterity.
fn short(name: &str) -> String {
    name.chars().take(SHORT_FORM).collect::<String>().to_uppercase()
}

/// ` (DEX)` where the name is one word that no other begins so.
fn short_form(name: &str, all: &[&String]) -> String {
    let own = short(name);
    let taken = all.iter().filter(|other| short(other) == own).count() > 1;
    let plain = name.chars().count() > SHORT_FORM && !name.contains(' ');
    if taken || !plain { String::new() } else { format!(" ({own})") }
}
