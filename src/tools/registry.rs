//! All tools in the order they are listed, as the protocol needs them: without the types of their parameters and replies.

use std::pin::Pin;
use std::sync::LazyLock;
use std::time::Instant;

use serde_json::{Map, Value};

use super::synonyms::Synonyms;
use super::tool::Tool;
use super::{
    apply_damage, envelope, get_character, get_rules, manage_character, manage_combat, manage_session, odds, player,
    roll_dice, roll_multiple, schema, skill_check,
};
use crate::session::meter::Ended;
use crate::session::{CallError, Caller, Host, Seat};

type Run = for<'a> fn(
    &'a ToolEntry,
    &'a Host,
    Map<String, Value>,
    Caller,
) -> Pin<Box<dyn Future<Output = Result<Map<String, Value>, CallError>> + Send + 'a>>;

/// A tool without the types of its parameters and reply.
pub struct ToolEntry {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    pub hot: bool,
    pub read_only: bool,
    pub destructive: bool,
    pub input: Map<String, Value>,
    pub output: Map<String, Value>,
    pub(super) synonyms: Synonyms,
    /// As a player's seat has it.
    pub(super) of_player: bool,
    run: Run,
}

impl ToolEntry {
    /// Binds the arguments and makes the call.
    pub async fn call(&self, host: &Host, arguments: Map<String, Value>) -> Result<Map<String, Value>, CallError> {
        self.call_for(Caller::default(), host, arguments).await
    }

    /// The same for a caller who may leave before the call's turn comes; then nothing is rolled or changed.
    pub async fn call_for(
        &self,
        caller: Caller,
        host: &Host,
        arguments: Map<String, Value>,
    ) -> Result<Map<String, Value>, CallError> {
        let since = Instant::now();
        let answer = (self.run)(self, host, arguments, caller).await;
        let ended = match &answer {
            Ok(_) => Ended::Answered,
            Err(CallError::Refusal(refusal)) => Ended::Refused(refusal.code.as_str()),
            Err(CallError::Failure(_)) => Ended::Failed,
        };
        host.meter.called(self.name, since, &ended);
        answer
    }

    fn of<T: Tool>() -> ToolEntry {
        ToolEntry {
            name: T::NAME,
            title: T::TITLE,
            description: T::DESCRIPTION,
            hot: T::HOT,
            read_only: T::READ_ONLY,
            destructive: T::DESTRUCTIVE,
            input: schema::input::<T::Params>(T::READ_ONLY),
            output: schema::output::<T::Reply>(T::READ_ONLY),
            synonyms: Synonyms { parameters: T::ALIASES, words: T::WORDS },
            of_player: false,
            run: |entry, host, arguments, caller| {
                Box::pin(async move {
                    envelope::run::<T>(entry, host, arguments, caller).await.map_err(|error| match error {
                        CallError::Refusal(refusal) if entry.of_player => {
                            player::advised(refusal).for_reply(T::UNTOUCHED).into()
                        }
                        CallError::Refusal(refusal) => refusal.for_reply(T::UNTOUCHED).into(),
                        failure => failure,
                    })
                })
            },
        }
    }
}

/// Every tool, in the order it is listed.
pub fn all_tools() -> &'static [ToolEntry] {
    static TOOLS: LazyLock<Vec<ToolEntry>> = LazyLock::new(|| {
        vec![
            ToolEntry::of::<roll_dice::RollDice>(),
            ToolEntry::of::<roll_multiple::RollMultiple>(),
            ToolEntry::of::<skill_check::SkillCheck>(),
            ToolEntry::of::<apply_damage::ApplyDamage>(),
            ToolEntry::of::<get_character::GetCharacter>(),
            ToolEntry::of::<manage_character::ManageCharacter>(),
            ToolEntry::of::<manage_combat::ManageCombat>(),
            ToolEntry::of::<manage_session::ManageSession>(),
            ToolEntry::of::<get_rules::GetRules>(),
            ToolEntry::of::<odds::Odds>(),
        ]
    });
    &TOOLS
}

/// The tools of a player's seat, in the same order.
fn player_tools() -> &'static [ToolEntry] {
    static TOOLS: LazyLock<Vec<ToolEntry>> = LazyLock::new(|| {
        let narrowed = |tool: &ToolEntry| {
            Some(ToolEntry {
                input: player::input(tool.name, &tool.input)?,
                output: tool.output.clone(),
                of_player: true,
                ..*tool
            })
        };
        all_tools().iter().filter_map(narrowed).collect()
    });
    &TOOLS
}

/// The tools of that seat; all of them where callers have none.
pub fn tools_for(seat: Option<&Seat>) -> &'static [ToolEntry] {
    match seat.is_some_and(Seat::is_player) {
        true => player_tools(),
        false => all_tools(),
    }
}

/// The tool of that name, as that seat has it.
pub fn tool_for(seat: Option<&Seat>, name: &str) -> Option<&'static ToolEntry> {
    tools_for(seat).iter().find(|tool| tool.name == name)
}

/// The tool of that name.
pub fn tool_named(name: &str) -> Option<&'static ToolEntry> {
    all_tools().iter().find(|tool| tool.name == name)
}

#[cfg(test)]
mod tests {
    use super::all_tools;

    #[test]
    fn the_readme_lists_every_tool_in_order_and_says_which_write() {
        let readme = include_str!("../../README.md");
        let rows: Vec<(&str, &str)> = readme
            .lines()
            .filter_map(|line| line.strip_prefix("| `"))
            .map(|row| (row.split('`').next().unwrap(), row.trim_end_matches([' ', '|']).rsplit("| ").next().unwrap()))
            .collect();
        let tools: Vec<(&str, &str)> =
            all_tools().iter().map(|tool| (tool.name, if tool.read_only { "reads" } else { "writes" })).collect();
        assert_eq!(rows, tools);
    }
}
