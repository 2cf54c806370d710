//! What sentences say of two who roll against each other, where no check does so: "In an opposed check the higher total wins", "Both roll; the
//! one with more successes wins; ties go to the defender".

use crate::diagnostic::{Diagnostic, Fix, Span};
use crate::names::{fold, same};
use crate::rules::codes;
use crate::rules::document::{Block, Section, Text};
use crate::rules::language::checks::{Check, Compared};
use crate::rules::language::labels::labelled;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::outline::Outline;
use crate::rules::language::plain::is_mention;
use crate::rules::language::system::System;
use crate::rules::section::SectionKind;
use crate::rules::when::facts::Succeed;

/// Words that say that two roll.
const OPENINGS: [&str; 10] = [
    "opposed",
    "contest",
    "against each other",
    "against one another",
    "both roll",
    "both sides roll",
    "both make",
    "each side rolls",
    "each of them rolls",
    "both parties roll",
];
/// Words that say that one of them wins.
const WINS: [&str; 3] = ["wins", "win", "prevails"];
/// Ways to be ahead, and behind.
const MORE: [&str; 9] = ["more", "most", "higher", "highest", "high", "greater", "greatest", "larger", "largest"];
const LESS: [&str; 5] = ["lower", "lowest", "low", "smaller", "smallest"];
/// Words that are read as what was rolled.
const TOTALS: [&str; 6] = ["total", "totals", "roll", "result", "sum", "number"];
/// Words between the comparison and the win.
const BETWEEN_MAX: usize = 5;

/// A rule for two who roll against each other.
struct Said {
    /// As the bullet says it: `most successes; ties: other`.
    words: String,
    what: Compared,
    low: bool,
    succeeds: bool,
    ties: Option<&'static str>,
    /// Where the sentences stand.
    at: Span,
}

/// The finding for a block that says how such a contest is decided, where no check that it is about says so; with the bullet.
pub(super) fn finding(
    block: &Block,
    (kind, section, own): (SectionKind, &Section, &Section),
    (outline, system): (&Outline<'_>, &System),
    ledger: &Ledger<'_>,
) -> Option<Diagnostic> {
    let text = match block {
        Block::Paragraph(text) => text,
        Block::Bullet(bullet) => &bullet.text,
        Block::Table(_) | Block::Heading(_) | Block::Fence { .. } => return None,
    };
    if !matches!(kind, SectionKind::Checks | SectionKind::Dice) {
        return None;
    }
    let said = said(text, own.heading.as_ref())?;
    let heading = own.heading.as_ref().map(Text::span);
    let check = system.checks.iter().find(|check| Some(check.span) == heading && !check.assumed);
    let of_all = || system.checks.iter().filter(|check| !check.assumed);
    let (lost, place, fix) = match check {
        Some(check) => (does_otherwise(check, &said), "below the heading of the check", below_roll(own, &said, ledger)),
        None => {
            let none = of_all().all(|check| check.opposition.place.is_none());
            let checks =
                if kind == SectionKind::Checks { Some(section) } else { outline.sections(SectionKind::Checks).next() };
            let fix = checks.and_then(|checks| below(checks.heading.as_ref()?.span(), &said, "\n\n", ledger));
            (
                none && of_all().any(|check| does_otherwise(check, &said)),
                "directly below `## Checks`, for every check",
                fix,
            )
        }
    };
    lost.then(|| {
        let found = Diagnostic::warning(codes::LOOKS_LIKE_A_RULE, "this looks like a rule, and is not read as one")
            .at(said.at, "read as prose")
            .help(format!("who wins of two stands in a bullet {place}: `- Opposed: {}`", said.words));
        match fix {
            Some(fix) => found.perhaps(fix),
            None => found,
        }
    })
}

/// Whether two who roll this check are compared in another way.
fn does_otherwise(check: &Check, said: &Said) -> bool {
    if check.opposition.place.is_some() {
        return false;
    }
    // Without a difficulty the better result wins, and a tie is nobody's.
    let is_open = match &check.target {
        Some(target) => target.variables().iter().any(|own| same(&own.name, "difficulty") && own.default.is_none()),
        None => check.rows.is_empty(),
    };
    let by_result = match said.what {
        Compared::Total => check.count.is_none() && check.result().is_none(),
        Compared::Successes => check.count.is_some(),
        Compared::Margin | Compared::Outcome | Compared::Five | Compared::Value(_) => false,
    };
    let same_side = said.low == (check.succeed == Succeed::AtMost);
    let alike = is_open && by_result && same_side && !said.succeeds && matches!(said.ties, None | Some("nobody"));
    // Of counted dice "the higher roll" may be either.
    let unclear = check.count.is_some() && said.what == Compared::Total;
    let without = check.count.is_none() && said.what == Compared::Successes;
    !alike && !unclear && !without
}

/// The bullet below the one with what is rolled.
fn below_roll(own: &Section, said: &Said, ledger: &Ledger<'_>) -> Option<Fix> {
    let is_roll = |block: &&Block| match block {
        Block::Bullet(bullet) => labelled(bullet, ledger).is_some_and(|label| label.folded == "roll"),
        _ => false,
    };
    below(own.blocks.iter().find(is_roll)?.span(), said, "\n", ledger)
}

fn below(line: Span, said: &Said, gap: &str, ledger: &Ledger<'_>) -> Option<Fix> {
    let (_, line_at) = ledger.sources.line_at(line.file, line.end.saturating_sub(1))?;
    let span = Span::new(line.file, line_at.end..line_at.end);
    let bullet = format!("- Opposed: {}", said.words);
    Some(Fix { span, replacement: format!("{gap}{bullet}"), message: format!("write it as a bullet: `{bullet}`") })
}

/// What a paragraph plainly says; that two roll may stand in the heading above it.
fn said(text: &Text, heading: Option<&Text>) -> Option<Said> {
    let lower = text.as_str().to_ascii_lowercase();
    if !WINS.iter().any(|word| lower.contains(word)) {
        return None;
    }
    let opens = |words: &str| {
        let folded = fold(words);
        OPENINGS.iter().any(|opening| folded.contains(opening))
    };
    let sentences = text.split_all(&[". ", "! ", "? ", "; "]);
    let opened = heading.is_some_and(|heading| opens(heading.as_str()));
    let first = sentences.iter().position(|sentence| opens(sentence.as_str()));
    let begin = if opened { 0 } else { first? };
    let mut those = sentences.iter().skip(begin);
    let (decides, (what, low, mut succeeds)) = those.by_ref().find_map(|own| Some((own, decided(own.as_str())?)))?;
    let before = sentences.iter().take_while(|own| own.span() != decides.span());
    succeeds |= before.chain([decides]).any(|own| fold(own.as_str()).contains("both succeed"));
    let tie = std::iter::once(decides).chain(those.next()).find_map(|own| Some((own, ties(own.as_str())?)));
    let ties = tie.map(|(_, ties)| ties);
    let what_words = match (&what, low) {
        (Compared::Successes, _) => "most successes",
        (Compared::Margin, _) => "higher margin",
        (_, false) => "higher total",
        (_, true) => "lower total",
    };
    let mut words = what_words.to_owned();
    words.push_str(if succeeds { " that succeeds" } else { "" });
    if let Some(ties) = ties {
        words.push_str(&format!("; ties: {ties}"));
    }
    let end = tie.map_or(decides, |(own, _)| own).span().end;
    let at = Span::new(decides.span().file, decides.span().start..end);
    Some(Said { words, what, low, succeeds, ties, at })
}

fn words_of(folded: &str) -> Vec<&str> {
    folded.split(|letter: char| !letter.is_alphanumeric() && letter != '\'').filter(|word| !word.is_empty()).collect()
}

/// "the higher total wins", "the one with more successes prevails": what is compared, whether less of it wins, and whether only a success may
/// win.
fn decided(sentence: &str) -> Option<(Compared, bool, bool)> {
    let folded = fold(sentence);
    let supposes = folded.starts_with("if both") || folded.starts_with("when both");
    if folded.contains(|letter: char| letter.is_ascii_digit()) || is_mention(sentence) && !supposes {
        return None;
    }
    let words = words_of(&folded);
    let wins = words.iter().position(|word| WINS.contains(word))?;
    let compares = |word: &&str| MORE.contains(word) || LESS.contains(word);
    let at = words.get(..wins)?.iter().rposition(compares)?;
    let between = words.get(at + 1..wins)?;
    let low = LESS.contains(words.get(at)?);
    let rolled = at
        .checked_sub(1)
        .and_then(|before| words.get(before))
        .is_some_and(|word| ["roll", "rolls", "rolled"].contains(word));
    let what = match between.first().copied() {
        Some("successes") => Compared::Successes,
        Some("margin") => Compared::Margin,
        Some(word) if TOTALS.contains(&word) => Compared::Total,
        None if rolled => Compared::Total,
        _ => return None,
    };
    let succeeds = ["that succeeds", "who succeeds", "that succeed"].iter().any(|words| folded.contains(words));
    let left = if succeeds { BETWEEN_MAX } else { 1 };
    let counted = what == Compared::Total || !low;
    (between.len() <= left && counted).then_some((what, low, succeeds))
}

/// "ties go to the defender", "on a tie both roll again": who wins a tie.
fn ties(sentence: &str) -> Option<&'static str> {
    let folded = fold(sentence);
    let words = words_of(&folded);
    let at = words.iter().position(|word| ["tie", "ties", "tied", "draw", "draws"].contains(word))?;
    let has = |all: &[&str]| words.iter().any(|word| all.contains(word));
    let begin = words.get(at.saturating_sub(4)..)?;
    let among = |all: &[&str]| begin.iter().any(|word| all.contains(word));
    let again = has(&["again", "reroll", "rerolls", "rerolled"]);
    let other = among(&["defender", "defenders", "defending", "opponent", "resister"]);
    let actor = among(&["attacker", "attackers", "actor", "initiator", "aggressor", "acting", "active"]);
    let nobody = among(&["nobody", "neither", "none"]);
    let mut found =
        [(again, "again"), (other, "other"), (actor, "actor"), (nobody, "nobody")].into_iter().filter(|(is, _)| *is);
    let (_, first) = found.next()?;
    found.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::{decided, ties};
    use crate::rules::language::checks::Compared::{Margin, Successes, Total};

    #[test]
    fn only_what_is_plainly_said_is_read() {
        for (sentence, is) in [
            ("In an opposed check the higher total wins", Some((Total, false, false))),
            ("the one with more successes wins", Some((Successes, false, false))),
            ("whoever rolls lowest wins", Some((Total, true, false))),
            ("The larger margin prevails.", Some((Margin, false, false))),
            ("the higher roll that succeeds wins", Some((Total, false, true))),
            ("If both succeed, the higher roll wins", Some((Total, false, false))),
            ("the higher initiative wins", None),
            ("the better success wins", None),
            ("the higher total does not win", None),
            ("a roll of 10 or more wins", None),
            ("the higher total of all dice wins a prize", None),
        ] {
            assert_eq!(decided(sentence), is, "{sentence}");
        }
        for (sentence, is) in [
            ("ties go to the defender", Some("other")),
            ("On a tie both roll again", Some("again")),
            ("the attacker wins ties", Some("actor")),
            ("a tie is nobody's win, or neither", Some("nobody")),
            ("On a tie attacker and defender both bleed", None),
            ("a tie changes nothing", None),
        ] {
            assert_eq!(ties(sentence), is, "{sentence}");
        }
    }
}
