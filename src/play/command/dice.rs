//! `/roll` and `/odds`.

use super::checks;
use super::entry::{CommandEntry, Completes, Deed};
use super::line::Parts;

pub const ROLL: CommandEntry = CommandEntry {
    name: "roll",
    also: &["r"],
    takes: "DICE [# WHAT FOR]",
    about: "Rolls dice; a random table with table=NAME.",
    example: "/roll 2d6+3 # the fall",
    completes: &[],
    read: |text, _| {
        let mut parts = Parts::of(text)?;
        parts.put_why("context");
        let expression = parts.text();
        if !expression.is_empty() {
            parts.put("expression", expression);
        } else if parts.fields.is_empty() {
            return Err("Which dice?".to_owned());
        }
        Ok(Deed::call("roll_dice", parts.fields))
    },
};

pub const ODDS: CommandEntry = CommandEntry {
    name: "odds",
    also: &["chance"],
    takes: "DICE, or as /check",
    about: "The exact chance of every total, or of a check before it is rolled.",
    example: "/odds 2d6 at_least=9",
    completes: &[Completes::People, Completes::Checks, Completes::Difficulties],
    read: |text, names| {
        let mut parts = Parts::of(text)?;
        let expression = parts.text();
        if expression.is_empty() && parts.fields.is_empty() {
            return Err("The chance of what?".to_owned());
        }
        // Every total is wanted.
        parts.put("detail", "full");
        if expression.is_empty() || rollbook_dice::read(&expression).is_ok() {
            if !expression.is_empty() {
                parts.put("expression", expression);
            }
            return Ok(Deed::call("odds", parts.fields));
        }
        let fields = checks::check(parts, names)?;
        Ok(Deed::call("odds", fields))
    },
};

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::play::command::tests::call;

    #[test]
    fn dice_and_what_they_are_for() {
        let (tool, sent) = call("/roll 2d6 + 3 # the ogre's club visibility=gm");
        assert_eq!(
            (tool.as_str(), sent),
            ("roll_dice", json!({"expression": "2d6 + 3", "context": "the ogre's club visibility=gm"}))
        );
        assert_eq!(call("/r 1d20 visibility=gm").1, json!({"expression": "1d20", "visibility": "gm"}));
        assert_eq!(call("/roll table=Rumours").1, json!({"table": "Rumours"}));
    }

    #[test]
    fn odds_of_dice_and_of_checks() {
        assert_eq!(call("/odds 3d6>=4").1, json!({"expression": "3d6>=4", "detail": "full"}));
        let (tool, sent) = call("/odds Sabeth Lockpicking 15");
        assert_eq!(
            (tool.as_str(), sent),
            ("odds", json!({"character": "Sabeth", "skill": "Lockpicking", "difficulty": 15, "detail": "full"}))
        );
    }
}
