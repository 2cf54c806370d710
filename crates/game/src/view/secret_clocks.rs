//! Keeps the names of hidden clocks out of texts that players read.
//!
//! Names of clocks are often common words, so only the whole name counts, with its capitals as they are written: "the alarm rings" does
//! not name the clock Alarm, "Alarm rises" does. An article that begins a longer name may be small: "the Thing below". An everyday
//! word at the beginning of a sentence names nothing.

use super::secrets::{find_word, is_public};
use crate::record::state::State;
use crate::refusal::{Code, Refusal};
use rollbook_rules::System;
use rollbook_text::names::{fold, is_everyday, quoted, written};

/// The names of the clocks that players do not see.
pub fn hidden_clocks(state: &State, system: &System) -> Vec<String> {
    let rows = state.clocks.values().filter(|own| own.hidden && !own.closed).map(|own| own.name.clone());
    let rules = system.company.iter().flat_map(|company| &company.tracks);
    let untouched = rules.filter(|own| own.hidden && !state.clocks.contains_key(&own.name)).map(|own| own.name.clone());
    rows.chain(untouched).collect()
}

/// The first of these that a text names, unless players know its name from elsewhere.
pub fn named_in<'c>(state: &State, system: &System, text: &str, clocks: &'c [String]) -> Option<&'c str> {
    let mut named = clocks.iter().filter(|name| names(text, name));
    named.find(|name| !is_public(state, system, &fold(name))).map(String::as_str)
}

fn names(text: &str, name: &str) -> bool {
    let is_one_word = !name.trim().contains(char::is_whitespace);
    if is_one_word && is_everyday(name) {
        let as_written = |word: &str| fold(word) == fold(name);
        return find_word(text, name).is_some()
            && written(text).iter().any(|own| own.is_name() && as_written(&own.folded));
    }
    let longer = name.strip_prefix("The ").filter(|rest| rest.contains(char::is_whitespace));
    let small = longer.map(|rest| format!("the {rest}"));
    std::iter::once(name).chain(small.as_deref()).any(|name| find_word(text, name).is_some())
}

/// The refusal of a text that names one.
pub fn names_clock(parameter: &str, name: &str) -> Refusal {
    let name = quoted(name);
    let instead = match parameter {
        "entry" => "another entry".to_owned(),
        other => format!("{other} without the name, or visibility=\"gm\""),
    };
    let summary = format!(
        "{parameter} names the clock {name}, which players do not see, and players would read it. Send {instead}, or show it first with manage_session action=\"clock\" name=\"{name}\" visibility=\"public\"."
    );
    Refusal::new(Code::NamesHidden, summary)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_name_with_its_capitals_names_a_clock() {
        for (text, name, is) in [
            ("the alarm rings", "Alarm", false),
            ("they tick the Alarm", "Alarm", true),
            ("Alarms everywhere", "Alarm", false),
            ("Water drips", "Water", false),
            ("up goes the Water", "Water", true),
            ("the Thing below stirs", "The Thing below", true),
            ("The thing below stirs", "The thing below", true),
            ("they fear the thing below", "The thing below", true),
            ("The watch comes", "The watch", true),
            ("the watch comes", "The watch", false),
            ("they watch", "The watch", false),
            ("a thing, far below", "The thing below", false),
        ] {
            assert_eq!(names(text, name), is, "{name} in {text}");
        }
    }
}
