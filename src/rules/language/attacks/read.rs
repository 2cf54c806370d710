//! Reads a table of attacks (`| Weapon | Skill | Damage | Type | Range | Effect |`), and a list under Attacks
//! (`- Longsword: Melee +1, 1d8 slashing, reach 5 ft.`).

use super::attack::CommonAttack;
use super::columns::{BONUS, EFFECTS, RANGES, ROLLS, TYPES, WORDS, column, columns, further, looks_like_attacks};
use super::damage;
use crate::diagnostic::{Diagnostic, Span};
use crate::names::{fold, numbered, same, suggest};
use crate::rules::codes;
use crate::rules::document::{Block, Table, Text};
use crate::rules::language::labels::{Labelled, labelled, report_repeated};
use crate::rules::language::ledger::{Ledger, Scope, Written};
use crate::rules::language::number_words::number_word;
use crate::rules::language::outline::Outline;
use crate::rules::language::plain::{dice_mentions, roll_and_keep};
use crate::rules::language::system::System;
use crate::rules::section::SectionKind;

/// Words of the name of what is rolled.
const NAME_WORDS_MAX: usize = 4;
/// Words with which a range begins.
const RANGE: [&str; 8] = ["range ", "reach ", "ranged", "reach", "close", "near", "far", "thrown"];

/// Every attack, in order; the first of a name counts.
pub fn read(outline: &Outline<'_>, system: &System, ledger: &mut Ledger<'_>) -> Vec<CommonAttack> {
    let mut reader = Reader { system, found: Vec::new() };
    for (kind, section) in outline.all().filter(|(kind, _)| *kind != Some(SectionKind::Examples)) {
        for block in section.all_blocks().take(ledger.limits.blocks) {
            match block {
                Block::Table(table) => {
                    let here = kind == Some(SectionKind::Attacks);
                    match columns(table, here) {
                        Some(columns) => reader.table(table, columns, ledger),
                        None if here && looks_like_attacks(table) => {
                            let help = "write the columns Weapon and Damage, and Skill, Type, Range and Effect where you have them: `| Weapon | Skill | Damage |`";
                            ledger.overlooked(table.span, "read as prose", help);
                        }
                        None => {}
                    }
                }
                Block::Bullet(bullet) if kind == Some(SectionKind::Attacks) => {
                    let Some(label) = labelled(bullet, ledger) else {
                        reader.without_colon(&bullet.text, ledger);
                        continue;
                    };
                    if let Some((_, first)) = reader.known(label.label.as_str()) {
                        let first = *first;
                        report_repeated(&label, first, ledger);
                        continue;
                    }
                    // A list of weapons may be one of prices.
                    let told = section.heading.as_ref().is_some_and(|heading| same(heading.as_str(), "attacks"));
                    reader.line(&label, told, ledger);
                }
                Block::Bullet(_) | Block::Paragraph(_) | Block::Heading(_) | Block::Fence { .. } => {}
            }
        }
    }
    reader.found.into_iter().map(|(own, _)| own).collect()
}

struct Reader<'s> {
    system: &'s System,
    found: Vec<(CommonAttack, Span)>,
}

impl Reader<'_> {
    fn known(&self, name: &str) -> Option<&(CommonAttack, Span)> {
        self.found.iter().find(|(own, _)| same(&own.name, name))
    }

    /// `- Sword Melee +1, 1d8`: where what stands behind the name would be read as damage, a colon is missing.
    fn without_colon(&self, text: &Text, ledger: &mut Ledger<'_>) {
        let words = text.as_str();
        let first = words.split([',', ';']).next().unwrap_or_default();
        let rest = words.get(first.len()..).unwrap_or_default().trim_start_matches([',', ';', ' ']);
        let is_damage =
            |part: &str| self.damage(part.trim().trim_end_matches('.')).is_some_and(|dealt| !dealt.is_empty());
        if !rest.split([',', ';']).any(is_damage) {
            return;
        }
        let name = first.split_whitespace().next().unwrap_or_default();
        let value = words.get(name.len()..).unwrap_or_default().trim_start();
        let help = format!("a colon stands behind the name: `- {name}: {value}`");
        ledger.overlooked(text.span(), "read as prose", help);
    }

    fn table(&mut self, table: &Table, (names, damage): (usize, usize), ledger: &mut Ledger<'_>) {
        ledger.take(table.span);
        let further = further(table, names, damage);
        let counts = |at: &usize| {
            table
                .rows
                .iter()
                .filter_map(|row| row.get(*at))
                .any(|cell| cell.as_str().contains(|own: char| own.is_ascii_digit()))
        };
        if let Some(header) = further.iter().find(|at| counts(at)).and_then(|at| table.header.get(*at)) {
            ledger.left_to_gm(header.span(), "kept as words, which a hit shows; nothing is computed with it");
        }
        for row in &table.rows {
            let at = |at: usize| row.get(at).filter(|cell| !matches!(cell.as_str(), "" | "-" | "–" | "—"));
            let cell = |names: &[&str]| column(table, names).and_then(at);
            let Some(name) = at(names) else { continue };
            let mut own = self.named(name, ledger);
            let read =
                cell(&ROLLS).is_none_or(|roll| self.roll(&mut own, roll.as_str()) || self.report_roll(roll, ledger));
            if let (Some(_), None, Some(cell)) = (&own.skill, own.bonus, cell(&BONUS)) {
                own.bonus = cell.as_str().replace('\u{2212}', "-").trim_start_matches('+').parse().ok();
                if own.bonus.is_none() {
                    ledger.left_to_gm(cell.span(), "no number, so nothing is added");
                }
            }
            if let Some(text) = at(damage) {
                match self.damage(&without_code(text)) {
                    Some(parts) => {
                        note_names(&parts, text, ledger);
                        own.damage = parts;
                    }
                    None => {
                        report_damage(text, "no damage", ledger);
                        continue;
                    }
                }
            }
            if let (Some(kind), [only]) = (cell(&TYPES), own.damage.as_mut_slice()) {
                only.kind.get_or_insert_with(|| kind.as_str().to_owned());
            }
            own.range = cell(&RANGES).map(|cell| cell.as_str().to_owned());
            let effect = cell(&EFFECTS).map(|cell| cell.as_str().to_owned());
            let words = further.iter().filter_map(|column| {
                let (header, cell) = (table.header.get(*column)?.as_str(), at(*column)?.as_str());
                Some(if WORDS.contains(&fold(header).as_str()) { cell.to_owned() } else { format!("{header} {cell}") })
            });
            let effect: Vec<String> = effect.into_iter().chain(words).collect();
            own.effect = (!effect.is_empty()).then(|| effect.join(", "));
            if read {
                self.add(own, name.span(), ledger);
            }
        }
    }

    /// `Melee +1, 1d8 slashing, reach 5 ft., prone`
    fn line(&mut self, label: &Labelled, told: bool, ledger: &mut Ledger<'_>) {
        let (value, span) = (&label.value, label.span);
        let mut own = self.named(&label.label, ledger);
        let mut effect: Vec<String> = Vec::new();
        let mut dice: Option<Text> = None;
        for (nth, part) in value.split_all(&[",", ";"]).into_iter().enumerate() {
            let text = without_code(&part);
            let bare = text.strip_prefix("damage ").unwrap_or(&text);
            let folded = fold(&text);
            let rolls = own.skill.is_none() && own.bonus.is_none() && self.roll(&mut own, &text);
            if rolls || text.is_empty() {
                continue;
            }
            if let Some(why) = self.misplaced(&text).filter(|_| own.skill.is_none() && own.bonus.is_none()) {
                report(&part, &why, ledger);
                ledger.take(span);
                return;
            }
            match self
                .damage(bare)
                .filter(|parts| parts.iter().any(|part| part.amount.contains('d')) || own.damage.is_empty())
            {
                Some(parts) => {
                    note_names(&parts, &part, ledger);
                    own.damage.extend(parts);
                }
                None if own.range.is_none() && RANGE.iter().any(|word| folded.starts_with(word)) => {
                    own.range = Some(text)
                }
                // In a list of weapons what is rolled says that it is an attack.
                None if (told || own.skill.is_some() || own.bonus.is_some())
                    && (damage::has_dice(bare)
                        || is_sum(bare)
                        || roll_and_keep(bare).is_some()
                        || folded.contains(" vs ")
                        || folded.contains(" against ")) =>
                {
                    report_damage(&part, self.unread(&text), ledger);
                    ledger.take(span);
                    return;
                }
                None => {
                    if nth == 0 && self.is_like_skill(&text) {
                        ledger.left_to_gm(part.span(), "no skill or attribute of yours, so it is kept as words");
                    }
                    dice = dice.or_else(|| dice_mentions(&text).next().is_some().then(|| part.clone()));
                    effect.push(text);
                }
            }
        }
        // `half of 2d6`: dice among words are of an effect only where there is damage beside them.
        if let Some(part) = dice.filter(|_| own.damage.is_empty()) {
            report_damage(&part, "neither dice alone nor dice with a type of damage", ledger);
            ledger.take(span);
            return;
        }
        own.effect = (!effect.is_empty()).then(|| effect.join(", "));
        if own.damage.is_empty() && own.skill.is_none() && own.bonus.is_none() {
            if told {
                report(value, "neither what is rolled nor damage", ledger);
            }
            return;
        }
        ledger.take(span);
        self.add(own, span, ledger);
    }

    /// Whether what stands first is written as a name, where the rules have skills or attributes: `Firearms`.
    fn is_like_skill(&self, text: &str) -> bool {
        let has_some = !self.system.skills.is_empty() || !self.system.attributes.is_empty();
        let is_name = |word: &str| word.starts_with(char::is_uppercase) && word.chars().all(char::is_alphabetic);
        has_some && text.split(' ').count() <= 3 && text.split(' ').all(is_name)
    }

    /// What to say of `Melee d6`, where Melee is a skill, and of `Strike`, where that is a check.
    fn misplaced(&self, text: &str) -> Option<String> {
        if self.system.checks.iter().any(|own| same(&own.name, text)) && !self.is_declared(text) {
            let check = "is a check, and no skill or attribute: leave it out here, and send check=";
            return Some(format!("`{text}` {check}\"{text}\" with the attack"));
        }
        let words =
            text.split_at_checked(text.find(|letter: char| letter.is_ascii_digit())?)?.0.trim_end_matches(['d', ' ']);
        if self.is_declared(words) && text.get(words.len()..).is_some_and(|rest| damage::has_dice(rest.trim_start())) {
            return Some(format!("a comma stands between what is rolled and the damage: `{words}, …`"));
        }
        let ends = text.match_indices(' ').take(NAME_WORDS_MAX);
        let name = ends.filter_map(|(at, _)| text.get(..at)).filter(|name| self.is_declared(name)).last()?;
        let rest = text.get(name.len()..).unwrap_or_default().trim();
        let counts = rest.contains(|letter: char| letter.is_ascii_digit());
        counts.then(|| {
            format!("behind `{name}` stands a bonus alone, then a comma and the damage: `{name} +1, 1d8`; `{rest}` is neither")
        })
    }

    /// Damage, whose scores may stand without braces, and signs as words: `1d8 + STR slashing`, `1d6 minus 1`.
    fn damage(&self, text: &str) -> Option<Vec<damage::Part>> {
        let text = text.replace(" minus ", " - ").replace(" times ", " * ");
        // `two damage`
        let counted = text.split_once(' ').and_then(|(word, rest)| Some((number_word(&fold(word), 0..=20)?, rest)));
        let counted = counted.filter(|(_, rest)| fold(rest).starts_with("damage"));
        let text = counted.map_or(text.clone(), |(number, rest)| format!("{number} {rest}"));
        let text = text.as_str();
        damage::read(text).or_else(|| {
            let is_letter = |letter: char| letter.is_alphanumeric();
            let mut braced = String::new();
            let mut rest = text;
            while let Some(at) = rest.find(is_letter) {
                let (before, word) = rest.split_at_checked(at)?;
                let end = word.find(|letter| !is_letter(letter)).unwrap_or(word.len());
                let (word, behind) = word.split_at_checked(end)?;
                braced.push_str(before);
                let score = self.system.named_attribute(word).is_some();
                braced.push_str(&if score { format!("{{{word}}}") } else { word.to_owned() });
                rest = behind;
            }
            braced.push_str(rest);
            (braced != text).then(|| damage::read(&braced)).flatten()
        })
    }

    /// An attack of this name, with nothing else said about it but what is rolled where that stands in brackets: `Axe (Strength)`.
    fn named(&self, name: &Text, ledger: &Ledger<'_>) -> CommonAttack {
        let mut own = CommonAttack {
            name: name.as_str().trim_matches(['*', '_', '`', ' ']).to_owned(),
            skill: None,
            bonus: None,
            damage: Vec::new(),
            range: None,
            effect: None,
            place: ledger.place(name.span()),
        };
        let bracket = own.name.strip_suffix(')').and_then(|rest| rest.rsplit_once('('));
        if let Some((bare, rolled)) = bracket.map(|(bare, rolled)| (bare.trim().to_owned(), rolled.to_owned()))
            && self.is_declared(numbered(&rolled).0)
            && self.roll(&mut own, &rolled)
        {
            own.name = bare;
        }
        own
    }

    fn is_declared(&self, name: &str) -> bool {
        self.system.named_skill(name).is_some() || self.system.named_attribute(name).is_some()
    }

    /// What to say of a part that is neither what is rolled nor damage.
    fn unread(&self, text: &str) -> &'static str {
        let has_two = text.split('/').filter(|own| damage::has_dice(own)).count() > 1;
        match damage::has_dice(text) {
            true if has_two => {
                "dice that may be one or the other are two attacks: `- Sword: 1d8` and `- Sword in two hands: 1d10`"
            }
            true => "neither dice alone nor dice with a type of damage",
            false => {
                "no skill or attribute of yours, and no damage; what an attack is against stands in the Target of its check"
            }
        }
    }

    /// `Melee`, `Melee +1`, `+5`: whether it is what is rolled. `STR vs AC` is, where a Target of the rules is that of the other.
    fn roll(&self, own: &mut CommonAttack, text: &str) -> bool {
        let text = text.trim_matches(['`', '{', '}', ' ']);
        let against = [" vs. ", " vs ", " against "].iter().find_map(|own| text.split_once(own));
        let is_target = |name: &str| {
            let name = name.trim_matches(['`', '{', '}', ' ', '.']);
            self.system.checks.iter().flat_map(|check| check.target_names()).any(|own| same(&own, name))
        };
        let text = against
            .filter(|(_, name)| is_target(name))
            .map_or(text, |(rolled, _)| rolled.trim_end_matches(['`', '{', '}', ' ']));
        if let Some(bonus) = text.strip_prefix(['+', '\u{2212}', '-']).and_then(|number| number.parse::<i64>().ok()) {
            own.bonus = Some(if text.starts_with('+') { bonus } else { -bonus });
            return true;
        }
        let (name, bonus) = numbered(text);
        let named = |name: &str| {
            let skill = self.system.named_skill(name).map(|own| own.name.clone());
            skill.or_else(|| self.system.named_attribute(name).map(|own| own.name.clone()))
        };
        // Where the rules have neither, an attack may name what only sheets have.
        let free = self.system.skills.is_empty()
            && self.system.attributes.is_empty()
            && own.damage.is_empty()
            && name.starts_with(char::is_alphabetic)
            && dice_mentions(name).next().is_none();
        let Some(skill) = named(name).or_else(|| free.then(|| name.to_owned())) else { return false };
        (own.skill, own.bonus) = (Some(skill), bonus);
        true
    }

    /// Always false: the attack is not read.
    fn report_roll(&self, roll: &Text, ledger: &mut Ledger<'_>) -> bool {
        let known = self.system.skills.iter().map(|own| own.name.as_str());
        let known = known.chain(self.system.attributes.iter().map(|own| own.name.as_str()));
        let near = suggest(numbered(roll.as_str()).0, known);
        let why = near.first().map_or("no skill or attribute of yours, and no bonus".to_owned(), |near| {
            format!("no skill or attribute of yours; did you mean `{near}`?")
        });
        report(roll, &why, ledger);
        false
    }

    fn add(&mut self, own: CommonAttack, span: Span, ledger: &mut Ledger<'_>) {
        let new = self.known(&own.name).is_none() && !fold(&own.name).is_empty();
        if new && ledger.has_room(self.found.len(), "attacks", span) {
            self.found.push((own, span));
        }
    }
}

/// Whether words are a sum that is no damage: `a card / 3`.
fn is_sum(words: &str) -> bool {
    [" / ", " * ", " + ", " × "].iter().any(|sign| words.contains(sign))
        && words.contains(|letter: char| letter.is_ascii_digit())
}

/// Puts the names in damage down, so that what nothing is called is told.
fn note_names(parts: &[damage::Part], text: &Text, ledger: &mut Ledger<'_>) {
    let formulas = parts.iter().filter_map(|part| damage::formula(&part.amount));
    let named = formulas.filter(|formula| !formula.variables().is_empty());
    ledger.written.extend(named.map(|formula| Written { formula, text: text.clone(), scope: Scope::Attack }));
}

/// The words of a cell without the marks of code.
fn without_code(text: &Text) -> String {
    text.as_str().replace('`', "").trim().to_owned()
}

/// Words beside dice that make another number of them: what that number is.
fn report_damage(text: &Text, why: &str, ledger: &mut Ledger<'_>) {
    let words = without_code(text);
    if let Some(help) = roll_and_keep(&words) {
        let found = Diagnostic::warning(codes::UNREADABLE_ATTACK, "this attack cannot be read");
        return ledger.report(found.at(text.span(), why.to_owned()).help(help));
    }
    let Some(dice) = dice_mentions(&words).next().and_then(|at| words.get(at)).filter(|_| !words.contains('/')) else {
        return report(text, why, ledger);
    };
    let folded = fold(&words);
    let has = |all: &[&str]| folded.split(' ').any(|word| all.contains(&word));
    let help = if has(&["half", "halved"]) {
        format!("half of it is `{dice} / 2`")
    } else if has(&["twice", "double", "doubled"]) {
        format!("twice as much is `{dice} * 2`")
    } else if folded.contains("per level") || folded.contains("each level") {
        match dice.split_once(['d', 'D']) {
            Some(("" | "1", sides)) => format!("with a number of the sheet it is `{{level}}d{sides}`"),
            Some((many, sides)) => format!("with a number of the sheet it is `({many} * {{level}})d{sides}`"),
            None => format!("with a number of the sheet it is `{dice} * {{level}}`"),
        }
    } else if has(&["vs", "versus", "against", "if", "when"]) {
        format!("what it deals only now and then is an attack of its own, with `{dice}`")
    } else {
        format!(
            "damage is dice, and behind them a type: `{dice} fire`; what else a hit brings stands behind a comma, without dice first"
        )
    };
    ledger.report(
        Diagnostic::warning(codes::UNREADABLE_ATTACK, "this attack cannot be read")
            .at(text.span(), why.to_owned())
            .help(help),
    );
}

fn report(text: &Text, why: &str, ledger: &mut Ledger<'_>) {
    ledger.report(
        Diagnostic::warning(codes::UNREADABLE_ATTACK, "this attack cannot be read")
            .at(text.span(), why.to_owned())
            .help("write `| Longsword | Melee | 1d8 | slashing |` below Weapon, Skill, Damage and Type, or `- Longsword: Melee, 1d8 slashing`"),
    );
}
