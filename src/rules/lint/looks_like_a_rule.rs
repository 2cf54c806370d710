use super::entry::lint;
use super::meant_section::{Declared, is_formula, is_line_with_number, is_short_with_number};
use super::written_otherwise::{Otherwise, bounds, bounds_bullet, is_switch, names_scores, with_equals};
use super::{dice_in_words, instead, opposed_in_words, overlooked_table};
use crate::diagnostic::{Applies, Diagnostic, Fix, Severity, Span};
use crate::names::{fold, misspellings};
use crate::rules::codes;
use crate::rules::document::{Block, Bullet, Section, Text};
use crate::rules::language::checks::Check;
use crate::rules::language::health::is_pool_name;
use crate::rules::language::labels::{Labelled, is_mechanical, labelled};
use crate::rules::language::labels_of;
use crate::rules::language::ledger::{Ledger, Touched};
use crate::rules::language::number_words::number_word;
use crate::rules::language::outline::Outline;
use crate::rules::language::plain::{dice_mentions, foreign_die};
use crate::rules::language::range::score as score_range;
use crate::rules::language::shape::is_short_form;
use crate::rules::language::system::System;
use crate::rules::limits::Limits;
use crate::rules::section::SectionKind;

lint!(codes::LOOKS_LIKE_A_RULE, Sections(lint));

/// Words in the place of a number, beside number words.
const AMOUNTS: [&str; 4] = ["half", "double", "twice", "nothing"];
/// Number words that are read as no number: 1 is an everyday word, and 11 was never read.
const EXCLUDED: [i64; 2] = [1, 11];
/// Words of a heading that stands in the place of a bullet.
const HEADING_WORDS_MAX: usize = 3;
/// Words of a paragraph that is a rule on a line of its own.
const LINE_WORDS_MAX: usize = 12;

/// Tells what stands in a section of rules, has the look of a rule, and was read by nobody.
fn lint(outline: &Outline<'_>, system: &System, ledger: &mut Ledger<'_>) {
    let touched = ledger.touched();
    let declared = Declared::of(system);
    let mut found = Vec::new();
    for (kind, section) in outline.all() {
        let Some(kind) =
            kind.filter(|kind| !kind.is_closed() && !matches!(kind, SectionKind::Examples | SectionKind::Attacks))
        else {
            continue;
        };
        let look = Look { kind, system, declared: &declared, ledger, touched: &touched };
        for own in std::iter::once(section).chain(&section.subsections) {
            let blocks = own.blocks.iter().take(ledger.limits.blocks);
            found.extend(blocks.flat_map(|block| {
                let is_lost = look.is_lost(block, own);
                let opposed = opposed_in_words::finding(block, (kind, section, own), (outline, system), ledger);
                let told = opposed.map_or_else(|| look.block(block, own), |opposed| vec![opposed]);
                told.into_iter().map(move |diagnostic| (diagnostic, is_lost))
            }));
        }
        // Moves and actions have headings of their own, and words below them.
        let heading = section.heading.as_ref().map(|heading| fold(heading.as_str())).unwrap_or_default();
        let moves = kind == SectionKind::Skills && !heading.contains("skill");
        found.extend(section.subsections.iter().filter(|_| !moves).filter_map(|own| Some((look.heading(own)?, false))));
    }
    for (diagnostic, is_lost) in found {
        if is_lost { ledger.report_lost(diagnostic) } else { ledger.report(diagnostic) }
    }
}

/// Where it is looked, and what was read there.
struct Look<'a> {
    kind: SectionKind,
    system: &'a System,
    declared: &'a Declared,
    ledger: &'a Ledger<'a>,
    touched: &'a Touched,
}

impl Look<'_> {
    fn block(&self, block: &Block, within: &Section) -> Vec<Diagnostic> {
        let one = match block {
            Block::Bullet(bullet) if self.is_glued(bullet) => Some(self.glued(&bullet.text)),
            Block::Bullet(bullet) if !self.touched.has(bullet.text.span()) => self.bullet(bullet),
            Block::Paragraph(text) if !self.touched.has(text.span()) => self.paragraph(text, within),
            Block::Table(table) if !self.touched.has(table.span) => {
                let help = overlooked_table::help(table, self.kind, within, self.touched);
                help.map(|help| self.finding(table.span, help))
            }
            _ => None,
        };
        match (one, block) {
            (None, Block::Paragraph(text)) => self.sentences(text, within),
            (one, _) => one.into_iter().collect(),
        }
    }

    /// The sentences of a paragraph that change dice where no check does so, and those of a fight with a number in them. What was
    /// read of the others makes no difference.
    fn sentences(&self, text: &Text, within: &Section) -> Vec<Diagnostic> {
        let about_dice = matches!(self.kind, SectionKind::Dice | SectionKind::Checks | SectionKind::Combat);
        let sentences = text.split_all(&[". ", "! ", "? ", "; "]).into_iter().filter(|_| about_dice);
        let untouched = sentences.filter(|sentence| !sentence.is_empty() && !self.touched.has(sentence.span()));
        let found = untouched.filter_map(|sentence| {
            let words = sentence.as_str();
            let in_fight = || {
                // What a weapon does is rolled by hand.
                let by_hand = has_dice(&sentence) && fold(words).contains("damage");
                let short = self.kind == SectionKind::Combat && is_short_with_number(words) && !by_hand;
                short.then(|| instead::of_section(self.kind).to_owned())
            };
            Some(self.finding(
                sentence.span(),
                dice_in_words::help(words, self.check_of(within), self.system).or_else(in_fight)?,
            ))
        });
        found.collect()
    }

    /// Whether a check may be lost with this block.
    fn is_lost(&self, block: &Block, within: &Section) -> bool {
        let rolls = match block {
            Block::Bullet(bullet) if self.is_no_check(within) => {
                let named = labelled(bullet, self.ledger).is_some_and(|label| instead::is_rule_word(&label.folded));
                named || has_dice(&bullet.text)
            }
            Block::Paragraph(text) | Block::Bullet(Bullet { text, .. }) => has_dice(text),
            Block::Table(_) => true,
            Block::Heading(_) | Block::Fence { .. } => false,
        };
        self.kind == SectionKind::Checks && rolls
    }

    fn bullet(&self, bullet: &Bullet) -> Option<Diagnostic> {
        let text = &bullet.text;
        if text.as_str().len() > self.ledger.limits.bullet_bytes {
            return Some(too_long(text, self.ledger.limits));
        }
        if let Some(other) = bounds_bullet(self.kind, text, self.system) {
            return Some(self.otherwise(text.span(), other));
        }
        let Some(label) = labelled(bullet, self.ledger) else {
            if let Some(other) = with_equals(self.kind, text) {
                return Some(self.otherwise(text.span(), other));
            }
            return self.unlabelled(text);
        };
        if let Some(found) = self.who_may(&label) {
            return Some(found);
        }
        self.is_rule(&label).then(|| self.finding(text.span(), instead::of_label(self.kind, &label, self.system)))
    }

    /// A bullet without a colon, where rules have one.
    fn unlabelled(&self, text: &Text) -> Option<Diagnostic> {
        let of_fight = self.kind == SectionKind::Combat;
        let begins = instead::begins_with(self.kind, text.as_str());
        let begins =
            begins.filter(|label| of_fight || is_mechanical(text) || instead::says_value(text.as_str(), label));
        if let Some(label) = begins {
            return Some(self.finding(text.span(), format!("a colon stands behind the label: `- {label}: …`")));
        }
        if matches!(self.kind, SectionKind::Dice | SectionKind::Checks | SectionKind::Combat)
            && let Some(help) = dice_in_words::help(text.as_str(), None, self.system)
        {
            return Some(self.finding(text.span(), help));
        }
        if matches!(self.kind, SectionKind::Health | SectionKind::Company | SectionKind::Clocks | SectionKind::Combat)
            && let Some(found) = self.without_colon(text)
        {
            return Some(found);
        }
        let is_rule =
            has_dice(text) || text.as_str().contains('{') || self.names_score(text) || self.says_rule(text.as_str());
        let orders = || ["highest first", "lowest first"].iter().any(|words| fold(text.as_str()).contains(words));
        let is_rule = is_rule || (of_fight && orders());
        is_rule.then(|| self.finding(text.span(), instead::of_section(self.kind).to_owned()))
    }

    /// `- Stres 9 boxes`, `- Death at 0 hit points`: a name and what it comes to, where a colon stands between them.
    fn without_colon(&self, text: &Text) -> Option<Diagnostic> {
        let words: Vec<&str> = text.as_str().split_whitespace().collect();
        let is_number = |word: &str| {
            let bare = word.trim_start_matches(['+', '-', '\u{2212}']);
            let folded = fold(word);
            bare.starts_with(|letter: char| letter.is_ascii_digit())
                || AMOUNTS.contains(&folded.as_str())
                || number_word(&folded, 0..=20).is_some_and(|number| !EXCLUDED.contains(&number))
        };
        let number = words.iter().position(|word| is_number(word))?;
        let at =
            words.iter().position(|word| ["at", "max", "maximum", "from", "is", "are"].contains(&fold(word).as_str()));
        let end = at.filter(|at| *at < number).unwrap_or(number);
        let (name, value) = (words.get(..end)?.join(" "), words.get(end..)?.join(" "));
        let name = name.trim_end_matches([',', ';']).to_owned();
        if let Some(help) = instead::of_score(&name, &value, self.system) {
            return Some(self.finding(text.span(), help));
        }
        if name.is_empty() || end > HEADING_WORDS_MAX {
            return Some(self.finding(text.span(), instead::of_section(self.kind).to_owned()));
        }
        if let Some(help) = instead::of_harm(&fold(&name), &value, self.system) {
            return Some(self.finding(text.span(), help));
        }
        let tracks = self.system.tracks.iter().map(|track| track.name.as_str());
        let suggestions = misspellings(&name, tracks.chain(labels_of(self.kind).iter().copied()));
        let meant = suggestions.first().copied().unwrap_or(&name);
        let found = self.finding(text.span(), format!("a colon stands behind the name: `- {meant}: {value}`"));
        Some(if suggestions.is_empty() { found } else { found.help(format!("did you mean `{meant}`?")) })
    }

    /// `- When: dying` in a check: who may make it.
    fn who_may(&self, label: &Labelled) -> Option<Diagnostic> {
        const WHEN: [&str; 10] =
            ["when", "only when", "only if", "if", "only while", "whilst", "requires", "required", "condition", "who"];
        if self.kind != SectionKind::Checks || !WHEN.contains(&label.folded.as_str()) {
            return None;
        }
        let value = fold(label.value.as_str().trim_end_matches('.'));
        let tracks = self.system.tracks.iter().map(|track| track.name.as_str());
        let known = self.system.condition_names().chain(tracks).any(|name| value.contains(&fold(name)));
        let short = ["when", "only when", "only if", "only while"].contains(&label.folded.as_str())
            && value.split(' ').count() <= HEADING_WORDS_MAX;
        let help = format!("who may make this check stands behind While: `- While: {}`", label.value.as_str());
        let fix =
            Fix { span: label.label.span(), replacement: "While".to_owned(), message: "call it `While`".to_owned() };
        (known || short && !value.is_empty()).then(|| self.finding(label.span, help).perhaps(fix))
    }

    /// `- Sneak +3`, `- STR 3-18`: a name, and a number that became a part of it.
    fn is_glued(&self, bullet: &Bullet) -> bool {
        let words: Vec<&str> = bullet.text.as_str().split_whitespace().collect();
        let [names @ .., last] = words.as_slice() else { return false };
        let named = (1..=HEADING_WORDS_MAX).contains(&names.len())
            && names.iter().all(|word| word.chars().all(char::is_alphabetic));
        let signed = last.starts_with(['+', '-', '\u{2212}']);
        let range = score_range(last).is_some_and(|(low, high)| low < high);
        let known = |name: &str| self.system.attribute(name).is_ok() || self.system.skill(name).is_ok();
        matches!(self.kind, SectionKind::Attributes | SectionKind::Skills)
            && named
            && (range || signed && score_range(last).is_some())
            && known(bullet.text.as_str())
    }

    fn glued(&self, text: &Text) -> Diagnostic {
        let message = "the number is read as a part of the name";
        let help = match self.kind {
            SectionKind::Attributes => "a colon stands before it: `- Strength: 3 to 18`",
            SectionKind::Skills
            | SectionKind::Dice
            | SectionKind::Checks
            | SectionKind::Health
            | SectionKind::Company
            | SectionKind::Clocks
            | SectionKind::Conditions
            | SectionKind::Combat
            | SectionKind::Attacks
            | SectionKind::Advancement
            | SectionKind::Examples => {
                "a character's bonus stands on the sheet; what the skill is worth unlearned is `- Sneak: base 3`"
            }
        };
        Diagnostic::warning(codes::LOOKS_LIKE_A_RULE, message)
            .at(text.span(), format!("a name: `{}`", text.as_str()))
            .help(help)
    }

    fn is_rule(&self, label: &Labelled) -> bool {
        let of_dice = matches!(self.kind, SectionKind::Checks | SectionKind::Dice);
        let otherwise = self.kind == SectionKind::Checks && ["otherwise", "else"].contains(&label.folded.as_str());
        let says_so = of_dice && instead::is_rule_word(&label.folded) || otherwise;
        let known = instead::begins_with(self.kind, label.label.as_str()).is_some();
        let value = fold(label.value.as_str());
        let decides = ["at least", "at most", "one step", "two steps"].iter().any(|words| value.starts_with(words));
        let harms = self.kind == SectionKind::Health
            && value.split(' ').any(|word| ["half", "double", "twice", "max", "maximum"].contains(&word));
        let pool = self.kind == SectionKind::Health && is_pool_name(&label.folded);
        // Every bullet of these sections is a rule, and its label says which.
        let of_section =
            matches!(self.kind, SectionKind::Health | SectionKind::Company | SectionKind::Clocks | SectionKind::Combat)
                && label.folded.split(' ').count() <= HEADING_WORDS_MAX
                && !label.value.is_empty();
        let of_others = matches!(self.kind, SectionKind::Checks | SectionKind::Health | SectionKind::Combat)
            && [SectionKind::Dice, SectionKind::Combat]
                .into_iter()
                .filter(|kind| *kind != self.kind)
                .any(|kind| labels_of(kind).iter().any(|known| *known != "Ties" && fold(known) == label.folded));
        let switched = is_switch(&label.value) && label.folded.split(' ').count() <= HEADING_WORDS_MAX;
        harms
            || pool
            || of_section
            || of_others
            || switched
            || is_mechanical(&label.value)
            || is_mechanical(&label.label)
            || says_so
            || (self.kind == SectionKind::Checks && instead::moves_a_track(&label.value, self.system))
            || known
            || decides
    }

    /// `- Success - 10+`, `**Prone** disadvantage on checks`, "Sixes are successes": what a section reads, without a label.
    fn says_rule(&self, words: &str) -> bool {
        let folded = fold(words);
        let has = |phrases: &[&str]| phrases.iter().any(|phrase| folded.contains(phrase));
        match self.kind {
            SectionKind::Checks => {
                let words = || folded.split(' ').map(|word| word.trim_end_matches(['.', ',', ':', ';']));
                let open = |word: &str| word.ends_with('+') && word.starts_with(|letter: char| letter.is_ascii_digit());
                words().any(open) || has(&[" or less", " or more", " or higher", " or lower"])
            }
            SectionKind::Dice => has(&["are successes", "is a success", "counts as a success"]),
            SectionKind::Conditions => {
                has(&["advantage on ", " on checks", " on all checks", " to checks", " on rolls"])
            }
            SectionKind::Combat => has(&["advantage", "initiative"]),
            SectionKind::Health => has(&["at zero", "advantage", "damage is", "half damage", "double damage"]),
            SectionKind::Company | SectionKind::Clocks => has(&[" segments", " boxes"]),
            SectionKind::Attributes
            | SectionKind::Skills
            | SectionKind::Attacks
            | SectionKind::Advancement
            | SectionKind::Examples => false,
        }
    }

    /// `- Dexterity (DEX), 3-18`, `- Brawl, STR`, `- INT = Intelligence`, where scores and skills are declared.
    fn names_score(&self, text: &Text) -> bool {
        if !matches!(self.kind, SectionKind::Attributes | SectionKind::Skills) {
            return false;
        }
        let words = || text.as_str().split(|letter: char| !letter.is_alphanumeric());
        let declared = |word: &str| is_short_form(word) && self.system.named_attribute(word).is_some();
        let bracket = text.as_str().split(['(', '[']).skip(1).filter_map(|rest| rest.split([')', ']']).next());
        text.as_str().contains(" = ") || words().any(declared) || bracket.into_iter().any(is_short_form)
    }

    fn paragraph(&self, text: &Text, within: &Section) -> Option<Diagnostic> {
        let words = text.as_str();
        if words.starts_with('|') && words.matches('|').count() > 2 {
            let help = "a table needs the line `|---|---|` below its first row, and a blank line above it";
            return Some(self.finding(text.span(), help.to_owned()));
        }
        if let Some(other) = bounds(self.kind, text, self.system) {
            return Some(self.otherwise(text.span(), other));
        }
        if let Some(other) = with_equals(self.kind, text).filter(|_| words.split_whitespace().count() <= LINE_WORDS_MAX)
        {
            // A line of its own would be part of the paragraph around it, so the sign alone does not mend it.
            return Some(self.finding(text.span(), other.help));
        }
        let as_bullet = Bullet { text: text.clone(), ..Bullet::default() };
        let label = labelled(&as_bullet, self.ledger);
        let is_known = |label: &Labelled| labels_of(self.kind).iter().any(|known| fold(known) == label.folded);
        if let Some(label) = label.filter(|label| is_known(label) && is_mechanical(&label.value)) {
            let help = format!("rules are bullets: `- {}: …`", label.label.as_str());
            return Some(self.finding(text.span(), help));
        }
        // Everything of a track is a bullet, and so are conditions and levels.
        let bare = match self.kind {
            SectionKind::Health => {
                let pool = |own: Labelled| is_pool_name(&own.folded) && !own.value.is_empty();
                is_formula(text, self.declared, self.ledger)
                    || is_line_with_number(text)
                    || labelled(&as_bullet, self.ledger).is_some_and(pool)
            }
            SectionKind::Conditions => words.split_whitespace().count() <= LINE_WORDS_MAX && self.says_rule(words),
            SectionKind::Advancement => {
                let folded = fold(words);
                is_line_with_number(text) && ["level", "xp", "experience"].iter().any(|word| folded.contains(word))
            }
            SectionKind::Attributes => is_score_line(words),
            SectionKind::Company | SectionKind::Clocks => is_line_with_number(text),
            SectionKind::Combat
            | SectionKind::Attacks
            | SectionKind::Dice
            | SectionKind::Skills
            | SectionKind::Checks
            | SectionKind::Examples => false,
        };
        if bare {
            return Some(self.finding(text.span(), instead::of_section(self.kind).to_owned()));
        }
        let rolls = words.to_ascii_lowercase().starts_with("roll") && has_dice(text) || has_dice(text);
        (self.kind == SectionKind::Checks && self.is_no_check(within) && rolls)
            .then(|| self.finding(text.span(), "what is rolled is a bullet: - Roll: `2d6 + {modifier}`".to_owned()))
    }

    /// A heading below Checks with nothing below it that was read.
    fn is_no_check(&self, within: &Section) -> bool {
        within.level == 3 && self.check_of(within).is_none()
    }

    /// The check with this heading.
    fn check_of(&self, within: &Section) -> Option<&Check> {
        let heading = within.heading.as_ref()?.span();
        self.system.checks.iter().find(|check| check.span == heading)
    }

    /// `### Stunned` with words below it, where nothing was declared by a bullet.
    fn heading(&self, own: &Section) -> Option<Diagnostic> {
        let empty = match self.kind {
            SectionKind::Attributes => self.system.attributes.is_empty(),
            SectionKind::Skills => self.system.skills.is_empty(),
            SectionKind::Conditions => self.system.conditions.is_empty(),
            _ => false,
        };
        let heading = own.heading.as_ref()?;
        let short = (1..=HEADING_WORDS_MAX).contains(&heading.as_str().split_whitespace().count());
        let prose = own.blocks.iter().any(|block| matches!(block, Block::Paragraph(_)));
        (empty && short && prose && !self.touched.has(own.span))
            .then(|| self.finding(heading.span(), instead::of_section(self.kind).to_owned()))
    }

    fn otherwise(&self, span: Span, other: Otherwise) -> Diagnostic {
        let finding = self.finding(span, other.help);
        match other.fix {
            Some((fix, Applies::Surely)) => finding.fix(fix),
            Some((fix, Applies::Perhaps)) => finding.perhaps(fix),
            None => finding,
        }
    }

    /// Where a check is decided it is most likely a mistake; elsewhere the GM may want it so.
    fn finding(&self, span: Span, help: String) -> Diagnostic {
        let decides = matches!(
            self.kind,
            SectionKind::Checks | SectionKind::Dice | SectionKind::Attributes | SectionKind::Skills
        );
        let message = "this looks like a rule, and is not read as one";
        let finding = Diagnostic::warning(codes::LOOKS_LIKE_A_RULE, message).at(span, "read as prose").help(help);
        Diagnostic { severity: if decides { Severity::Warning } else { Severity::Note }, ..finding }
    }
}

/// `Might 3-18`, `Luck: starts at 5`: a name and a number of its own, where bullets declare scores.
fn is_score_line(words: &str) -> bool {
    let named = |name: &str| {
        let name = name.split(['(', '[']).next().unwrap_or_default().trim();
        let is_name = name.chars().all(|letter| letter.is_alphabetic() || letter == ' ');
        is_name && (1..=HEADING_WORDS_MAX).contains(&name.split_whitespace().count())
    };
    if let Some((name, value)) = words.split_once(':') {
        return named(name) && is_short_with_number(value);
    }
    let Some(at) = words.find(|letter: char| letter.is_ascii_digit()) else { return false };
    let at = words.get(..at).map_or(at, |before| before.trim_end_matches(['+', '-', '\u{2212}']).len());
    let (name, rest) = words.split_at_checked(at).unwrap_or((words, ""));
    let rest: Vec<&str> = rest.split_whitespace().collect();
    let range = |many: usize| {
        rest.get(..many).is_some_and(|own| score_range(&own.join(" ")).is_some_and(|(low, high)| low < high))
    };
    named(name) && !names_scores(name) && (range(1) || range(3))
}

/// Dice with their number: "only roll a d20 when it matters" is prose.
fn has_dice(text: &Text) -> bool {
    let foreign = || foreign_die(text.as_str()).is_some();
    let digit = |at: std::ops::Range<usize>| text.as_str().as_bytes().get(at.start).is_some_and(u8::is_ascii_digit);
    dice_mentions(text.as_str()).any(digit) || foreign()
}

fn too_long(text: &Text, limits: &Limits) -> Diagnostic {
    let message = format!("a bullet has more than {} bytes and is not read", limits.bullet_bytes);
    Diagnostic::error(codes::TOO_MANY_ITEMS, message).at(text.span(), "this one")
}
