//! The stable names of refusals, each with its page for `rollbook explain`. A code is never used for something else.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

/// Makes [`Code`]: a variant each, with its name in replies and the title of its page, whose text is in `codes.md`.
macro_rules! codes {
    ($($name:ident = $code:literal, $title:literal;)*) => {
        /// Why a call was refused.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum Code {
            $(#[doc = $title] #[serde(rename = $code)] $name,)*
        }

        impl Code {
            /// Every code, in the order of this file.
            pub const ALL: &[Code] = &[$(Code::$name),*];

            /// The name in replies and playtests, in snake case.
            pub const fn as_str(self) -> &'static str {
                match self { $(Code::$name => $code,)* }
            }

            fn title(self) -> &'static str {
                match self { $(Code::$name => $title,)* }
            }
        }
    };
}

codes! {
    InvalidParameters = "invalid_parameters", "The parameters of a call are wrong";
    LimitExceeded = "limit_exceeded", "A limit was passed";
    MissingValue = "missing_value", "A value that the call needs is not known";
    NotForPlayers = "not_for_players", "The table as it is does not allow what a player asks";
    NoEffect = "no_effect", "The call would change nothing";
    RequestIdConflict = "request_id_conflict", "A `request_id` was used for another call";
    AmbiguousName = "ambiguous_name", "A name could mean several";
    DuplicateName = "duplicate_name", "A name is taken";
    NamesHidden = "names_hidden", "A text for players names somebody whom they do not see";
    UnknownAttribute = "unknown_attribute", "The rules have no such attribute";
    UnknownSkill = "unknown_skill", "The rules have no such skill, or the sheet does not";
    UnknownAttack = "unknown_attack", "The character has no such attack";
    UnknownCheck = "unknown_check", "The rules have no such check";
    UnknownDifficulty = "unknown_difficulty", "The rules have no such difficulty";
    UnknownTrack = "unknown_track", "The rules have no such track";
    UnknownRest = "unknown_rest", "The rules have no such rest";
    UnknownCondition = "unknown_condition", "The rules declare no such condition";
    UnknownAdvance = "unknown_advance", "The rules declare nothing that can be spent on this";
    UnknownMitigation = "unknown_mitigation", "Nothing lessens damage by this name";
    UnknownRule = "unknown_rule", "The rules have no item of this kind and name";
    UnknownPage = "unknown_page", "The adventure has no such page, or no such random table";
    UnknownCampaign = "unknown_campaign", "There is no such campaign";
    UnknownCharacter = "unknown_character", "Nobody in the campaign has this name";
    UnknownTemplate = "unknown_template", "No template has this name";
    UnknownCombatant = "unknown_combatant", "Nobody in this fight has this name";
    UnknownEffect = "unknown_effect", "There is no such effect";
    UnknownEntry = "unknown_entry", "There is no such entry in the log, or not near enough to its end";
    UnknownItem = "unknown_item", "Somebody does not own such a thing";
    WhichCharacter = "which_character", "Several characters are on the page";
    WhichEntry = "which_entry", "Several blocks are on the page";
    WhichFollowUp = "which_follow_up", "A check can be followed in several ways";
    WhichTrack = "which_track", "The rules leave open which track takes a point";
    NoCharacter = "no_character", "Nobody was named, and nobody can be assumed";
    IsRetired = "is_retired", "Somebody who left the story was named";
    IsTemplate = "is_template", "A template was named";
    InCombat = "in_combat", "Somebody in a fight was named";
    CannotAct = "cannot_act", "Somebody who cannot act was named";
    TargetDead = "target_dead", "A dead character was named";
    TargetDown = "target_down", "Somebody who is to be attacked is down";
    NotTheirTurn = "not_their_turn", "It is somebody else's turn";
    NotEnough = "not_enough", "Somebody has less than the call takes";
    NotYet = "not_yet", "What this takes has not been earned";
    NotWhile = "not_while", "The check is made only in a certain state";
    WhichCheck = "which_check", "Several checks could be made, and the rules do not say which";
    NotACheck = "not_a_check", "The entry is not the roll of a check";
    NoFollowUp = "no_follow_up", "These rules follow no check";
    AlreadyFollowed = "already_followed", "The check was followed already";
    WrongOutcome = "wrong_outcome", "The check did not come out so that it can be followed";
    NoRules = "no_rules", "The rules have no checks";
    RuleBroken = "rule_broken", "A rule cannot be carried out";
    NoDiceChain = "no_dice_chain", "The rules have no dice chain";
    NoCombat = "no_combat", "No fight is going on";
    CombatRunning = "combat_running", "A fight is going on";
    NoTurns = "no_turns", "This fight has no turns";
    FixedStructure = "fixed_structure", "The rules have fights with turns only, or without turns only";
    NoPreviousTurn = "no_previous_turn", "There is no turn to go back to";
    NobodyUp = "nobody_up", "Nobody in the fight can act";
    CannotDelay = "cannot_delay", "Somebody has no turn that can be delayed";
    NoSession = "no_session", "No session is open";
    SessionOpen = "session_open", "A session is open";
    NotSealed = "not_sealed", "The entry cannot be opened";
    NothingToUndo = "nothing_to_undo", "There is nothing to undo";
    AlreadyUndone = "already_undone", "The entry is undone";
    ChangedSince = "changed_since", "What an entry changed was changed since";
    StillNeeded = "still_needed", "What an entry made is in use";
    TooOld = "too_old", "The entry lies too far back";
    InvalidDocument = "invalid_document", "The file is no character or monster";
    InvalidSheet = "invalid_sheet", "A character cannot be made of the block";
    Empty = "empty", "No dice were written";
    UnparseableInput = "unparseable_input", "The text is neither notation nor plain English";
    InvalidDie = "invalid_die", "A die that cannot exist";
    InvalidKeep = "invalid_keep", "Keep or drop that contradicts itself";
    InvalidAdvantageUsage = "invalid_advantage_usage", "Advantage without exactly one d20";
    OutOfScopeSyntax = "out_of_scope_syntax", "Notation of another program that Rollbook does not have";
    Ambiguous = "ambiguous", "Programs read the text differently";
    TypeMix = "type_mix", "Successes are mixed with pips";
    Duplicate = "duplicate", "One modifier stands twice";
    NonTerminating = "non_terminating", "Dice that may explode or be rerolled for ever";
    DivZero = "div_zero", "A division that may be by zero";
    Overflow = "overflow", "A number that may become too large";
    DrawFailed = "draw_failed", "The operating system gave no randomness";
    Busy = "busy", "The database is in use";
    Cancelled = "cancelled", "The call was taken back before its turn came";
    TimedOut = "timed_out", "The call took too long and was taken back";
    NotConfirmed = "not_confirmed", "What the call does cannot be taken back, and nobody confirmed it";
    Declined = "declined", "The person who was asked declined";
    TooSoon = "too_soon", "A tool was called again before its cool-down was over";
    UnknownTool = "unknown_tool", "There is no such tool";
    ToolFailed = "tool_failed", "A tool that is not Rollbook's own failed";
    Closed = "closed", "The server is shutting down";
    Clock = "clock", "The computer's clock cannot be right";
    Disk = "disk", "The disk is full or cannot be written, or the database server only reads";
    Moved = "moved", "The database is not where it was opened";
    NotOpened = "not_opened", "The database cannot be opened";
    NewerSchema = "newer_schema", "A newer Rollbook wrote the database";
    Unreachable = "unreachable", "The database server cannot be reached, or gave the call up";
    Damaged = "damaged", "The database is damaged, or was changed by hand";
    CampaignLost = "campaign_lost", "A campaign that was here is gone";
    HistoryLost = "history_lost", "The log is shorter than it was";
    Continued = "continued", "The campaign's log goes on in another";
    NoLoss = "no_loss", "There is no loss to accept";
}

impl Code {
    /// The code of this name.
    pub fn named(name: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.as_str() == name)
    }

    /// What it means and what to do, as Markdown: a title and lines of text.
    pub fn page(self) -> &'static str {
        static PAGES: LazyLock<BTreeMap<&str, String>> = LazyLock::new(|| {
            let pages = include_str!("codes.md").split("## ").filter_map(|page| page.trim_end().split_once("\n\n"));
            let titled = pages.filter_map(|(code, text)| {
                let title = Code::named(code)?.title();
                Some((code, format!("# {title}\n\n {}\n", text.replace('\n', "\n "))))
            });
            titled.collect()
        });
        PAGES.get(self.as_str()).map_or("", String::as_str)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_known_by_its_name_and_the_dice_keep_theirs() {
        for code in Code::ALL.iter().copied() {
            assert_eq!(Code::named(code.as_str()), Some(code));
            assert_eq!(serde_json::to_value(code).expect("a name"), code.as_str());
            let (title, text) = code.page().split_once("\n\n").expect("a title and a text");
            assert!(title.starts_with("# ") && !title.contains('\n') && text.trim().ends_with('.'), "{code}: {title}");
        }
        for code in rollbook_dice::Code::ALL {
            assert_eq!(Code::from(code).as_str(), code.as_str());
        }
    }
}
