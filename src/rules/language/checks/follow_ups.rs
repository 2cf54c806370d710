//! What may be done with a roll that was made: Push, Luck and their like.

use super::check::Check;
use super::follow_up::{Apart, FollowUp, FollowUpChange};
use super::outcome::Outcome;
use super::parts::unreadable;
use crate::dice::Formula;
use crate::names::{fold, same, suggest};
use crate::rules::codes;
use crate::rules::document::Text;
use crate::rules::language::labels::Labelled;
use crate::rules::language::ledger::{Ledger, Scope};
use crate::rules::language::names::Names;
use crate::rules::language::{formula, range};

/// Whether a bullet says what may be done with a roll that was made.
pub fn is_follow_up(value: &Text) -> bool {
    let value = fold(value.as_str());
    ["reroll ", "subtract up to ", "add up to "].iter().any(|opening| value.starts_with(opening))
}

/// `Push: reroll all but 1s and 6s`, `Luck: subtract up to {Luck} from the total; any number of times`.
pub fn follow_up(label: &Labelled, names: &Names, ledger: &mut Ledger<'_>) -> Option<FollowUp> {
    let mut parts = label.value.split_all(&[";"]).into_iter();
    let first = parts.next()?;
    let (mut times, mut after, mut apart) = (Some(1), Vec::new(), Apart::None);
    for part in parts {
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
        let help = "write `reroll all but 1s and 6s`, or `subtract up to {Luck} from the total`";
        unreadable(codes::UNREADABLE_FOLLOW_UP, &first, "what becomes of the roll cannot be read", help, ledger);
        return None;
    };
    Some(FollowUp {
        name: label.label.as_str().to_owned(),
        change,
        times,
        after,
        apart,
        text: label.value.as_str().to_owned(),
        place: ledger.place(label.span),
        span: label.span,
    })
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
        return Some(FollowUpChange::Reroll { except: kept_faces(dice)? });
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

/// The faces of `all but 1s and 6s`; none of `all`, `all dice`, `the dice`.
fn kept_faces(words: &str) -> Option<Vec<i64>> {
    let bare =
        |words: &str| matches!(words.trim(), "all" | "all dice" | "all the dice" | "every die" | "the dice" | "it");
    let words = words.trim_end_matches('.');
    let Some((all, faces)) = words.split_once(" but ").or_else(|| words.split_once(" except ")) else {
        return bare(words).then(Vec::new);
    };
    let face = |word: &str| {
        let (face, rest) = range::number(word)?;
        matches!(rest, "" | "s").then_some(face)
    };
    let faces = faces.split([',', ' ']).filter(|word| !word.is_empty() && *word != "and");
    bare(all).then(|| faces.map(face).collect()).flatten()
}

/// Puts the check's own spelling where a bullet names one of its other rules; a name of none is reported.
pub fn resolve(check: &mut Check, ledger: &mut Ledger<'_>) {
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
