//! What may be done with a roll that was made: Push, Luck and their like.

use super::check::Check;
use super::follow_up::{Apart, FollowUp, FollowUpChange};
use super::outcome::Outcome;
use super::parts::unreadable;
use super::price::{Added, Cost};
use super::some_dice::SomeDice;
use crate::diagnostic::Diagnostic;
use crate::dice::{Die, Formula};
use crate::names::{fold, same, slip, suggest};
use crate::rules::codes;
use crate::rules::document::Text;
use crate::rules::language::formula;
use crate::rules::language::labels::Labelled;
use crate::rules::language::ledger::{Ledger, Scope};
use crate::rules::language::names::Names;

/// Whether a bullet says what may be done with a roll that was made.
pub fn is_follow_up(value: &Text) -> bool {
    let value = fold(value.as_str());
    ["reroll ", "subtract up to ", "add up to "].iter().any(|opening| value.starts_with(opening))
}

/// What may be written of a reroll.
const HELP: &str = "write `reroll all but 1s and 6s`, or `subtract up to {Luck} from the total`";
/// What may be written of its price.
const PRICE_HELP: &str = "write `adds one stress die`, of dice that the Roll calls so, or `costs 1 stress`, `costs 1 health for each base 1`";

/// `Push: reroll all but 6s and stress 1s; adds one stress die; costs 1 stress`, `Luck: subtract up to {Luck} from the total; any
/// number of times`.
pub fn follow_up(label: &Labelled, names: &Names, ledger: &mut Ledger<'_>) -> Option<FollowUp> {
    let mut parts = label.value.split_all(&[";"]).into_iter();
    let first = parts.next()?;
    let (mut times, mut after, mut apart) = (Some(1), Vec::new(), Apart::None);
    let (mut adds, mut costs) = (Vec::new(), Vec::new());
    for part in parts {
        match price(&part, ledger) {
            Some(Price::Adds(own)) => {
                adds.push(own);
                continue;
            }
            Some(Price::Costs(own)) => {
                costs.extend(own);
                continue;
            }
            Some(Price::Unclear) => {
                let message = "what it adds or costs cannot be read";
                unreadable(codes::UNREADABLE_FOLLOW_UP, &part, message, PRICE_HELP, ledger);
                return None;
            }
            None => {}
        }
        let words = fold(part.as_str());
        let words = words.trim_end_matches('.');
        match words {
            "once" => times = Some(1),
            "twice" => times = Some(2),
            "any number of times" | "as often as you like" | "again and again" => times = None,
            "never both" => apart = Apart::All,
            _ if let Some(other) = words.strip_prefix("never with ") => apart = apart.and(other),
            _ => match outcomes(words) {
                Some(outcomes) => after.extend(outcomes),
                None => ledger.left_to_gm(part.span(), "shown when it is done, not carried out"),
            },
        }
    }
    let Some(change) = change(&first, names, ledger) else {
        unreadable(codes::UNREADABLE_FOLLOW_UP, &first, "what becomes of the roll cannot be read", HELP, ledger);
        return None;
    };
    Some(FollowUp {
        name: label.label.as_str().to_owned(),
        change,
        adds,
        costs,
        times,
        after,
        apart,
        text: label.value.as_str().to_owned(),
        place: ledger.place(label.span),
        span: label.span,
    })
}

/// What a part says of the price.
enum Price {
    Adds(Added),
    Costs(Vec<Cost>),
    Unclear,
}

/// `adds one stress die`, `costs 1 stress and 1 ammo`; none where it is about something else.
fn price(part: &Text, ledger: &Ledger<'_>) -> Option<Price> {
    let (verb, rest) = part.split_at_any(&[" "])?;
    let verb = fold(verb.as_str());
    let is = |words: [&str; 2]| words.contains(&verb.as_str());
    let rest = rest.slice(0..rest.as_str().trim_end_matches('.').len()).trim();
    let added = Added::read(rest.as_str());
    if is(["adds", "add"]) {
        return Some(added.map_or(Price::Unclear, Price::Adds));
    }
    let costs = rest.split_all(&[" and ", ","]);
    let costs: Option<Vec<Cost>> = costs.iter().map(|cost| Cost::read(cost, ledger)).collect();
    if is(["costs", "cost"]) {
        return Some(costs.map_or(Price::Unclear, Price::Costs));
    }
    let is_slip = |known: &str| slip(&verb, known).is_some();
    let meant = (is_slip("adds") && added.is_some()) || (is_slip("costs") && costs.is_some());
    meant.then_some(Price::Unclear)
}

/// `failures only`, `after a failure or critical failure`: which outcomes may be followed.
fn outcomes(words: &str) -> Option<Vec<Outcome>> {
    let words =
        words.strip_suffix(" only").or_else(|| words.strip_prefix("only ")).or_else(|| words.strip_prefix("after "));
    let named = |word: &str| {
        let word = ["a ", "an ", "after "]
            .iter()
            .fold(word.trim(), |word, article| word.strip_prefix(article).unwrap_or(word));
        let one = word.strip_suffix("es").filter(|word| word.ends_with('s')).or_else(|| word.strip_suffix('s'));
        Outcome::named(word).or_else(|| Outcome::named(one?))
    };
    words?.replace(',', " or ").split(" or ").flat_map(|part| part.split(" and ")).map(named).collect()
}

fn change(value: &Text, names: &Names, ledger: &mut Ledger<'_>) -> Option<FollowUpChange> {
    let words = fold(value.as_str());
    if let Some(dice) = words.strip_prefix("reroll ") {
        return Some(FollowUpChange::Reroll { except: kept(dice)? });
    }
    let subtracts = words.starts_with("subtract ");
    let opening = if subtracts { "subtract up to " } else { "add up to " };
    let rest = value.slice(opening.len()..value.as_str().len()).trim();
    let limit = rest.split_at_any(&[" from ", " to "]).map_or(rest, |(limit, _)| limit);
    let most = most(&limit, names, ledger)?;
    Some(if subtracts { FollowUpChange::Subtract { most } } else { FollowUpChange::Add { most } })
}

fn most(limit: &Text, names: &Names, ledger: &mut Ledger<'_>) -> Option<Formula> {
    match limit.codes().is_empty() {
        false => formula::read(limit, names, Scope::Check, ledger),
        true => formula::whole(limit, names, Scope::Check, ledger),
    }
}

/// `the dice that are no hits`, `all failures`: those that count nothing.
fn is_failed(words: &str) -> bool {
    const FAILURES: [&str; 6] =
        ["failures", "failed dice", "misses", "missed dice", "failing dice", "dice that are not successes"];
    const NOTHING: [&str; 6] = ["hits", "successes", "a hit", "a success", "hit", "success"];
    let words = words.split(';').next().unwrap_or_default().trim().trim_end_matches('.');
    let words = ["all ", "any ", "the "].iter().fold(words, |words, own| words.strip_prefix(own).unwrap_or(words));
    let that = |rest: &str| {
        let verbs = ["are no ", "are not ", "is no ", "is not ", "show no ", "count no ", "were no "];
        let no = verbs.iter().find_map(|verb| rest.strip_prefix(verb)).is_some_and(|what| NOTHING.contains(&what));
        no || ["failed", "missed", "did not succeed", "did not hit", "fail", "miss", "do not count", "count nothing"]
            .contains(&rest)
    };
    FAILURES.contains(&words)
        || ["dice that ", "dice which ", "dice "].iter().any(|own| words.strip_prefix(own).is_some_and(that))
}

/// Where the dice that count nothing are rolled again, those stay that count something by the Count, which is known now.
fn resolve_failed(check: &mut Check, ledger: &mut Ledger<'_>) {
    let counted = || {
        let weights = &check.count.as_ref()?.weights;
        let Die::Sides(sides) = check.main_die()? else { return None };
        let counts = |face: &i64| weights.iter().any(|own| own.worth > 0 && (own.low..=own.high).contains(face));
        let plain = weights.iter().all(|own| own.at_most.is_none()) && sides <= FACES_MAX;
        plain.then(|| (1..=i64::from(sides)).filter(counts).collect::<Vec<i64>>()).filter(|faces| !faces.is_empty())
    };
    let faces = counted();
    check.follow_ups.retain_mut(|own| {
        let folded = fold(&own.text);
        let is_meant = folded.strip_prefix("reroll ").is_some_and(is_failed);
        let (true, FollowUpChange::Reroll { except }) = (is_meant, &mut own.change) else { return true };
        match &faces {
            Some(faces) => {
                *except = faces.iter().map(|face| SomeDice { label: None, face: Some(*face) }).collect();
                true
            }
            None => {
                let message = "no Count says which dice count nothing";
                let found = Diagnostic::error(codes::UNREADABLE_FOLLOW_UP, message).at(own.span, "rolls nothing again");
                ledger.report(found.help(HELP));
                false
            }
        }
    });
}

/// Faces of a die of which each may stay.
const FACES_MAX: u32 = 100;

/// The dice of `all but 1s and 6s`; none of `all`, `all dice`, `the dice`.
fn kept(words: &str) -> Option<Vec<SomeDice>> {
    let bare = |words: &str| {
        matches!(
            words.trim(),
            "all" | "all dice" | "all the dice" | "every die" | "the dice" | "it" | "everything" | "any dice" | "any"
        )
    };
    let words = words.trim_end_matches('.');
    if is_failed(words) {
        return Some(Vec::new());
    }
    match words.split_once(" but ").or_else(|| words.split_once(" except ")) {
        None => bare(words).then(Vec::new),
        Some((all, dice)) => bare(all).then(|| SomeDice::read_all(dice)).flatten(),
    }
}

/// The dice that a follow-up adds, now that the Roll is known. A label that no dice have is found by a lint.
fn resolve_added(check: &mut Check, ledger: &mut Ledger<'_>) {
    let known = check.group_names();
    for own in &mut check.follow_ups {
        let mut adds = std::mem::take(&mut own.adds);
        adds.retain_mut(|added| {
            added.dice = check.roll.more_of(&|own| same(own, &added.label), added.count);
            if added.dice.is_none() && known.contains(&added.label) {
                let message = format!("no dice can be added to those called `{}`", added.label);
                let diagnostic = Diagnostic::error(codes::UNREADABLE_FOLLOW_UP, message)
                    .at(own.span, "adds dice of no fixed size, or that are not simply added up")
                    .help("roll them as a term of their own: `{stress}d6[stress]`");
                ledger.report(diagnostic);
                return false;
            }
            true
        });
        own.adds = adds;
    }
}

/// Puts the check's own spelling where a bullet names one of its other rules; a name of none is reported.
pub fn resolve(check: &mut Check, ledger: &mut Ledger<'_>) {
    resolve_failed(check, ledger);
    resolve_added(check, ledger);
    let names: Vec<String> = check.follow_ups.iter().map(|own| own.name.clone()).collect();
    let known = |name: &str| {
        // `pushed` is what Push leaves.
        let pushed = |own: &&String| same(name, &format!("{own}ed")) || same(name, &format!("{own}ing"));
        names.iter().find(|own| same(own, name)).or_else(|| names.iter().find(pushed)).cloned()
    };
    let meant = |name: &str| {
        let suggestions = suggest(name, names.iter().map(String::as_str));
        suggestions.first().map_or_else(
            || "no other bullet of this check is called so".to_owned(),
            |own| format!("did you mean `{own}`?"),
        )
    };
    for own in &mut check.follow_ups {
        let Apart::From(others) = &mut own.apart else { continue };
        others.retain_mut(|other| match known(other) {
            Some(name) => {
                *other = name;
                true
            }
            None => {
                ledger.left_to_gm(own.span, &format!("`never with {other}`: {}", meant(other)));
                false
            }
        });
    }
    check.flags.retain_mut(|flag| match flag.after.as_deref().map(|name| (known(name), name)) {
        None => true,
        Some((Some(name), _)) => {
            flag.after = Some(name);
            true
        }
        Some((None, name)) => {
            ledger.left_to_gm(
                flag.span,
                &format!("`after {name}`: {}; until then this flag is for the GM to raise", meant(name)),
            );
            false
        }
    });
}
