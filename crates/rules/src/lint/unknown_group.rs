use super::conditions::{asking, inside};
use crate::codes;
use crate::language::ledger::Ledger;
use crate::language::system::System;
use crate::when::facts::group_names;
use crate::when::{Measure, Named};
use rollbook_text::diagnostic::Diagnostic;

pub fn lint(system: &System, ledger: &mut Ledger<'_>) {
    for check in &system.checks {
        let groups = check.groups();
        let conditions = check.conditions();
        let mut unknown: Vec<String> = conditions
            .flat_map(|when| when.measures())
            .chain(check.values.iter().flat_map(Named::measures))
            .filter_map(|measure| measure.label.clone())
            .chain(check.follow_ups.iter().flat_map(|rule| rule.labels().map(str::to_owned)))
            .filter(|label| !groups.iter().any(|group| group_names(group).any(|name| name == *label)))
            .collect();
        unknown.sort();
        unknown.dedup();
        for label in unknown {
            let asking = asking(check, |measure| measure.label.as_ref() == Some(&label));
            let is_it = |measure: &&Measure| measure.label.as_ref() == Some(&label);
            let value = check.values.iter().find(|value| value.measures().iter().any(is_it));
            let value = value.map(|value| format!("Value {}", value.name));
            let following = || check.follow_ups.iter().find(|rule| rule.labels().any(|name| name == label));
            let bullet = value.or_else(|| following().map(|rule| format!("Again {}", rule.name)));
            let elsewhere = || (check.span_of(&bullet.unwrap_or_default()), "there are none of these");
            let (place, why) = asking.map_or_else(elsewhere, |place| (place, "never holds"));
            let at = inside(ledger, place, &label);
            let message = format!("no dice of `{}` are called `{label}`", check.name);
            let diagnostic = Diagnostic::error(codes::UNKNOWN_GROUP, message).at(at, why);
            ledger.report(match groups.as_slice() {
                [] => diagnostic.help(format!("name the dice in the Roll: `2d10[{label}]`")),
                groups => diagnostic.help(format!("the dice are called {}", groups.join(", "))),
            });
        }
    }
}
