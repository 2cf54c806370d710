//! The bullets of one check: each is known by its label and goes to its part of the check.

use super::check::{Check, Unread};
use super::check_cost::CheckCost;
use super::{asks, follow_ups, opposition, parts};
use crate::diagnostic::{Diagnostic, Span};
use crate::dice::{Formula, Mode};
use crate::names::{fold, same};
use crate::rules::codes;
use crate::rules::document::Text;
use crate::rules::language::clause::Clause;
use crate::rules::language::dice::read::chain;
use crate::rules::language::dice::{OwnSwap, Swap};
use crate::rules::language::formula;
use crate::rules::language::labels::{Labelled, report_misspelt, report_repeated};
use crate::rules::language::ledger::{Ledger, Scope};
use crate::rules::language::names::Names;
use crate::rules::when::facts::Succeed;

/// The bullet without which there is no check.
pub const ROLL: &str = "Roll";

/// The folded label of the bullet that says how an opposed check is decided.
pub const OPPOSED: &str = "opposed";

/// Every label of a check, for suggestions.
pub const LABELS: [&str; 15] = [
    ROLL,
    "Target",
    "Succeed",
    "Opposed",
    "Opposing dice",
    "Count",
    "Pairs",
    "With no dice",
    "On natural 20",
    "Push",
    "Luck",
    "Modifier",
    "While",
    "Asks",
    "Costs",
];

/// Labels of the Dice section that may stand in a check; below another heading they are that section's.
const OF_DICE: [&str; 3] = ["Advantage", "Disadvantage", "Dice chain"];

/// Whether this bullet says what is rolled.
pub fn is_roll(label: &Labelled) -> bool {
    same(&label.folded, ROLL)
}

/// Whether this bullet gives a number of the roll a name.
pub fn is_value(label: &Labelled) -> bool {
    label.folded.starts_with(parts::VALUE)
}

/// The check as far as its bullets were read.
pub struct Reader {
    pub check: Check,
    /// Labels that count once, with where they were given.
    seen: Vec<(String, Span)>,
    /// Bullets whose label belongs to the language.
    pub known: usize,
}

impl Reader {
    /// A check of which nothing is known yet but its roll.
    pub fn new(check: Check) -> Self {
        Self { check, seen: Vec::new(), known: 0 }
    }

    /// Whether a bullet of this folded label was given.
    pub fn has(&self, label: &str) -> bool {
        self.seen.iter().any(|(folded, _)| folded == label)
    }

    /// Reads one bullet into the check.
    pub fn bullet(&mut self, label: &Labelled, names: &Names, ledger: &mut Ledger<'_>) {
        let part = match label.folded.as_str() {
            "roll" => Part::Roll,
            "target" => Part::Target,
            "succeed" => Part::Succeed,
            "advantage" | "boon" => Part::Swap(Mode::Advantage),
            "disadvantage" | "bane" => Part::Swap(Mode::Disadvantage),
            "dice chain" => Part::Chain,
            OPPOSED => Part::Opposed,
            "opposing dice" => Part::Opposing,
            "count" => Part::Count,
            "pairs" => Part::Pairs,
            "with no dice" => Part::NoDice,
            "modifier" => Part::Modifier,
            "while" => Part::While,
            "asks" => Part::Asks,
            "costs" | "cost" => Part::Costs,
            natural if natural == parts::ON_NATURAL.trim_end() => Part::Shift,
            natural if natural.starts_with(parts::ON_NATURAL) => Part::Shift,
            flag if flag.starts_with(parts::FLAG) => Part::Flag,
            _ if is_value(label) => Part::Value,
            _ if follow_ups::is_follow_up(&label.value) => Part::FollowUp,
            _ => {
                let reported = parts::report_misspelling(label, ledger)
                    || report_misspelt(label, &LABELS, ledger)
                    || report_misspelt(label, &OF_DICE, ledger);
                self.known += usize::from(reported);
                return;
            }
        };
        self.known += 1;
        ledger.take(label.span);
        if let Some((_, first)) = self.seen.iter().find(|(folded, _)| *folded == label.folded) {
            return report_repeated(label, *first, ledger);
        }
        self.seen.push((label.folded.clone(), label.span));
        if read_part(part, label, &mut self.check, names, ledger).is_none() {
            // The check is loaded, but does not decide.
            self.check.unread.push(Unread { label: label.label.as_str().to_owned(), place: ledger.place(label.span) });
        }
    }
}

/// What a bullet is about.
#[derive(Clone, Copy)]
enum Part {
    Roll,
    Target,
    Succeed,
    Swap(Mode),
    Chain,
    Opposed,
    Opposing,
    Count,
    Pairs,
    NoDice,
    Modifier,
    Shift,
    Flag,
    Value,
    FollowUp,
    While,
    Asks,
    Costs,
}

/// Puts a bullet into the check; none when the check cannot decide without it and it cannot be read.
fn read_part(part: Part, label: &Labelled, check: &mut Check, names: &Names, ledger: &mut Ledger<'_>) -> Option<()> {
    match part {
        // Read before the others.
        Part::Roll => {}
        Part::Target => check.target = Some(formula::read(&label.value, names, Scope::Check, ledger)?),
        Part::Succeed => check.succeed = succeed(label, ledger)?,
        // Unreadable ones are said, and nobody can ask for them.
        Part::Swap(mode) => {
            let is_none = same(label.value.as_str(), "none");
            let roll = if is_none { None } else { Some(formula::read(&label.value, names, Scope::Check, ledger)?) };
            let place = Some(ledger.place(label.span));
            let by = |roll| OwnSwap::By(Swap { roll, adds: false, place, assumed: false });
            let own = roll.map_or(OwnSwap::Nothing, by);
            match mode {
                Mode::Advantage => check.advantage = own,
                Mode::Disadvantage => check.disadvantage = own,
            }
        }
        Part::Chain => {
            let sizes = label.value.split_all(&[",", ";"]);
            let size = |own: &Text| own.as_str().trim_start_matches('d').parse().ok();
            let sizes: Option<Vec<i64>> = sizes.iter().map(size).collect();
            check.chain = chain(&sizes.unwrap_or_default(), label.span, ledger);
        }
        // An unreadable one is said, and the usual one decides.
        Part::Opposed => match opposition::read(label, &check.values, ledger) {
            Ok(opposition) => check.opposition = opposition,
            Err(words) => opposition::report(label, &words, ledger),
        },
        Part::Opposing => check.opposing = Some(clause(label, names, ledger)?),
        Part::NoDice => check.no_dice = Some(clause(label, names, ledger)?),
        Part::Modifier => check.modifier = Some(clause(label, names, ledger)?),
        Part::Count => check.count = Some(parts::count(label, ledger)?),
        Part::Pairs => check.pairs = parts::pairs(label, ledger)?,
        Part::While => check.while_text = Some(label.value.clone()),
        // What cannot be read of it is said; the call gives it all the same.
        Part::Asks => check.asks = asks::read(label, ledger),
        // An unreadable one is said, and nothing is paid.
        Part::Costs => check.costs.extend(CheckCost::read(label, &check.values, ledger)),
        Part::Shift => check.shifts.push(parts::shift(label, ledger)?),
        // Flags and values stand beside the outcome, and Push, Luck and their like follow a roll: none of them decides it.
        Part::Flag => check.flags.extend(parts::flag(label, &check.values, ledger)),
        Part::Value => check.values.extend(parts::value(label, &check.values, ledger)),
        Part::FollowUp => check.follow_ups.extend(follow_ups::follow_up(label, names, ledger)),
    }
    Some(())
}

fn clause(label: &Labelled, names: &Names, ledger: &mut Ledger<'_>) -> Option<Clause<Formula>> {
    let what = formula::read(&label.value, names, Scope::Check, ledger)?;
    Some(Clause { what, place: ledger.place(label.span) })
}

fn succeed(label: &Labelled, ledger: &mut Ledger<'_>) -> Option<Succeed> {
    let value = fold(label.value.as_str());
    for (words, succeed) in [("at least", Succeed::AtLeast), ("at most", Succeed::AtMost)] {
        if value == words || value.strip_prefix(words).is_some_and(|rest| rest.starts_with([' ', ','])) {
            return Some(succeed);
        }
    }
    const UNDER: [&str; 7] = ["at most", "under", "or less", "or lower", "or below", "roll low", "low is good"];
    const OVER: [&str; 9] =
        ["at least", "over", "or more", "or higher", "or above", "meet", "beat", "roll high", "high is good"];
    let says = |all: &[&str]| all.iter().any(|words| value.contains(words));
    match (says(&UNDER), says(&OVER)) {
        (true, false) => return Some(Succeed::AtMost),
        (false, true) => return Some(Succeed::AtLeast),
        (true, true) | (false, false) => {}
    }
    ledger.report(
        Diagnostic::error(codes::UNREADABLE_SUCCEED, format!("`{}` cannot be read", label.value.as_str()))
            .at(label.value.span(), "expected which side of the target is good")
            .help("write `at least the target` or `at most the target`"),
    );
    None
}
