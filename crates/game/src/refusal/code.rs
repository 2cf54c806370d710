//! The stable names of refusals, each with its page for `rollbook explain`. A code is never used for something else.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Makes [`Code`]: a variant each, with its name in replies, and its page of a title and lines of text.
macro_rules! codes {
    ($($name:ident = $code:literal, $title:literal, $($line:literal)+;)*) => {
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

            /// What it means and what to do, as Markdown.
            pub const fn page(self) -> &'static str {
                match self { $(Code::$name => concat!("# ", $title, "\n\n", $(" ", $line, "\n"),+),)* }
            }
        }
    };
}

codes! {
    InvalidParameters = "invalid_parameters", "The parameters of a call are wrong",
        "One is missing, unknown, out of its range, or does not go with another. `details` names each with what it takes. Send"
        "the call again with these put right.";
    LimitExceeded = "limit_exceeded", "A limit was passed",
        "Every list, text and number of a call is bounded, and so is what a campaign holds. The refusal names the bound, and what to do.";
    MissingValue = "missing_value", "A value that the call needs is not known",
        "The rules ask for a number that is neither on the sheet nor in the call. The refusal names the parameter that brings it.";
    NotForPlayers = "not_for_players", "The table as it is does not allow what a player asks",
        "A player's seat sees what players see, and what stands against its call is nothing of that. The GM knows.";
    NoEffect = "no_effect", "The call would change nothing",
        "What it asks for is so already. In dice: a condition that no face meets, or that every face meets.";
    RequestIdConflict = "request_id_conflict", "A `request_id` was used for another call",
        "A repeated call with the same `request_id` acts once and gets the first answer. Another call needs another id.";
    AmbiguousName = "ambiguous_name", "A name could mean several",
        "All that it could mean are listed. Send one of them; the first is never chosen silently.";
    DuplicateName = "duplicate_name", "A name is taken",
        "Somebody or something of this name is there already. Change that, or send another name.";
    NamesHidden = "names_hidden", "A text for players names somebody whom they do not see",
        "Named is who rolls or is hit, and whom a text names: by the whole name, or by a word of it. What the name calls somebody (\"lady\""
        "of \"Lady in Grey\") counts in any case, everyday words (\"grey\") only where they are written as a name is. Send the text without"
        "the name, or the entry as the GM's (`visibility=\"gm\"`), or reveal the combatant first.";
    UnknownAttribute = "unknown_attribute", "The rules have no such attribute",
        "Near and known names are listed.";
    UnknownSkill = "unknown_skill", "The rules have no such skill, or the sheet does not",
        "Near and known names are listed. A check without `skill` may do.";
    UnknownAttack = "unknown_attack", "The character has no such attack",
        "Those on its sheet are listed. Send one of them, or `damage`; `manage_character action=\"update\"` with `attacks` writes one down.";
    UnknownCheck = "unknown_check", "The rules have no such check",
        "Near and known names are listed. Without `check` the first one of the rules is made.";
    UnknownDifficulty = "unknown_difficulty", "The rules have no such difficulty",
        "Send one of the rules' words, or a number.";
    UnknownTrack = "unknown_track", "The rules have no such track",
        "Near and known names are listed.";
    UnknownRest = "unknown_rest", "The rules have no such rest",
        "Near and known names are listed.";
    UnknownCondition = "unknown_condition", "The rules declare no such condition",
        "Send the near name, or `free=true` for a condition that is only a word: it is written down and has no effect.";
    UnknownAdvance = "unknown_advance", "The rules declare nothing that can be spent on this",
        "What can be bought is listed.";
    UnknownMitigation = "unknown_mitigation", "Nothing lessens damage by this name",
        "`bypass` takes the names of what the rules declare, and they are listed.";
    UnknownRule = "unknown_rule", "The rules have no item of this kind and name",
        "`get_rules` without parameters lists what there is.";
    UnknownPage = "unknown_page", "The adventure has no such page, or no such random table",
        "`from` takes a Markdown or JSON file of the adventure, and a heading after `#`; `table` the heading above a table. What there is is listed.";
    UnknownCampaign = "unknown_campaign", "There is no such campaign",
        "A reading call needs one that is there; a call that writes makes a new one.";
    UnknownCharacter = "unknown_character", "Nobody in the campaign has this name",
        "Near names are offered; `get_character` with `list=true` names everybody.";
    UnknownTemplate = "unknown_template", "No template has this name",
        "Foes of a kind are made from a template of the campaign. The refusal names the call that makes it from a stat block.";
    UnknownCombatant = "unknown_combatant", "Nobody in this fight has this name",
        "`manage_combat` with `action=\"status\"` names everybody.";
    UnknownEffect = "unknown_effect", "There is no such effect",
        "`manage_combat` with `action=\"status\"` shows who has what.";
    UnknownEntry = "unknown_entry", "There is no such entry in the log, or not near enough to its end",
        "Send the number that a reply gave as `log`.";
    UnknownItem = "unknown_item", "Somebody does not own such a thing",
        "What is owned is listed.";
    WhichCharacter = "which_character", "Several characters are on the page",
        "Name one of them, as listed.";
    WhichEntry = "which_entry", "Several blocks are on the page",
        "Name one of them, as listed.";
    WhichFollowUp = "which_follow_up", "A check can be followed in several ways",
        "Name one of them behind the entry's number: `again=\"#128 push\"`.";
    WhichTrack = "which_track", "The rules leave open which track takes a point",
        "Ask the player, and send the same call with `track`.";
    NoCharacter = "no_character", "Nobody was named, and nobody can be assumed",
        "Make a character, or name one.";
    IsRetired = "is_retired", "Somebody who left the story was named",
        "`manage_character` with `action=\"retire\"` brings them back.";
    IsTemplate = "is_template", "A template was named",
        "Foes are made from it; it does not act itself. The refusal shows the call that makes one.";
    InCombat = "in_combat", "Somebody in a fight was named",
        "Take them out of the fight, or end it, then send the call again.";
    CannotAct = "cannot_act", "Somebody who cannot act was named",
        "They are down, dead, or in a condition that forbids it.";
    TargetDead = "target_dead", "A dead character was named",
        "Neither damage nor healing reaches the dead. Take the condition away first where the story brings them back.";
    TargetDown = "target_down", "Somebody who is to be attacked is down",
        "An attack is for those who are up; they are named. To strike somebody who lies there, make the check without damage, then"
        "send apply_damage.";
    NotTheirTurn = "not_their_turn", "It is somebody else's turn",
        "`end_turn` ends the turn of the one who acts. Leave it out between turns, or send `manage_combat action=\"next_turn\"` first.";
    NotEnough = "not_enough", "Somebody has less than the call takes",
        "The refusal says how much there is.";
    NotYet = "not_yet", "What this takes has not been earned",
        "The refusal says what is missing. `override_reason` does it all the same, and the log says so.";
    NotWhile = "not_while", "The check is made only in a certain state",
        "`While` of the rules names it, such as dying. Name somebody in that state, or another check.";
    WhichCheck = "which_check", "Several checks could be made, and the rules do not say which",
        "The refusal lists them. Send `check` with one of the names.";
    NotACheck = "not_a_check", "The entry is not the roll of a check",
        "Only checks are followed. Send the number of one.";
    NoFollowUp = "no_follow_up", "These rules follow no check",
        "No follow-up is declared for it, so its rolls stand.";
    AlreadyFollowed = "already_followed", "The check was followed already",
        "Follow its last roll where the rules allow it, or make a new check.";
    WrongOutcome = "wrong_outcome", "The check did not come out so that it can be followed",
        "The rules follow it after certain outcomes only.";
    NoRules = "no_rules", "The rules have no checks",
        "State one in the call, by `roll` with `difficulty` or `rows`; or write checks into `System.md`.";
    RuleBroken = "rule_broken", "A rule cannot be carried out",
        "The author has to mend it; `rollbook check` shows what is wrong.";
    NoDiceChain = "no_dice_chain", "The rules have no dice chain",
        "Steps mean nothing without one, or the check's die is not on it.";
    NoCombat = "no_combat", "No fight is going on",
        "Start one with `manage_combat`.";
    CombatRunning = "combat_running", "A fight is going on",
        "Go on with it, or end it before another begins.";
    NoTurns = "no_turns", "This fight has no turns",
        "Nobody waits for a turn: act, and count a round with `action=\"next_round\"` where effects last for rounds.";
    FixedStructure = "fixed_structure", "The rules have fights with turns only, or without turns only",
        "Rules with `- Combat: hybrid` have both.";
    NoPreviousTurn = "no_previous_turn", "There is no turn to go back to",
        "`manage_session` with `action=\"undo\"` takes other changes back.";
    NobodyUp = "nobody_up", "Nobody in the fight can act",
        "Everybody is down, or nobody is there. Heal somebody, bring somebody in, or end the fight.";
    CannotDelay = "cannot_delay", "Somebody has no turn that can be delayed",
        "They acted in this round, wait already, or are down.";
    NoSession = "no_session", "No session is open",
        "Start one with `manage_session`, or just play on.";
    SessionOpen = "session_open", "A session is open",
        "End it before another begins, or just play on.";
    NotSealed = "not_sealed", "The entry cannot be opened",
        "Players see all of it, another entry opened it, or it holds the GM's notes. Send the entry of what they do not see.";
    NothingToUndo = "nothing_to_undo", "There is nothing to undo",
        "Dice stay as they fell, and a beginning stays. Send the entry of a change.";
    AlreadyUndone = "already_undone", "The entry is undone",
        "Undoing the undo does it again; the refusal names its entry.";
    ChangedSince = "changed_since", "What an entry changed was changed since",
        "Undo what came after it first, from the last on.";
    StillNeeded = "still_needed", "What an entry made is in use",
        "Undo what uses it first.";
    TooOld = "too_old", "The entry lies too far back",
        "Only recent entries are undone and followed. Set things right with `manage_character`, or make a new check.";
    InvalidDocument = "invalid_document", "The file is no character or monster",
        "JSON of Rollbook's own or of an open 5e data set is read, and Markdown with stat blocks.";
    InvalidSheet = "invalid_sheet", "A character cannot be made of the block",
        "The refusal says which line is wrong. `get_character` with `view=\"sheet\"` shows what one looks like.";
    Empty = "empty", "No dice were written",
        "Send notation such as `2d6+3`.";
    UnparseableInput = "unparseable_input", "The text is neither notation nor plain English",
        "`fault` shows the place, and `example` a text that is read. `rollbook explain language` has the notation.";
    InvalidDie = "invalid_die", "A die that cannot exist",
        "It has no sides, or there are none of it.";
    InvalidKeep = "invalid_keep", "Keep or drop that contradicts itself",
        "More dice are kept than are rolled, or two keeps do not go together.";
    InvalidAdvantageUsage = "invalid_advantage_usage", "Advantage without exactly one d20",
        "Keep the highest or lowest of other dice with `kh` and `kl`.";
    OutOfScopeSyntax = "out_of_scope_syntax", "Notation of another program that Rollbook does not have",
        "The hint says what to write instead, where there is something.";
    Ambiguous = "ambiguous", "Programs read the text differently",
        "The hint shows every reading, written so that only one is possible.";
    TypeMix = "type_mix", "Successes are mixed with pips",
        "Count successes on all dice, or on none.";
    Duplicate = "duplicate", "One modifier stands twice",
        "Write it once.";
    NonTerminating = "non_terminating", "Dice that may explode or be rerolled for ever",
        "Leave at least one face that ends it.";
    DivZero = "div_zero", "A division that may be by zero",
        "Divide by a number other than 0.";
    Overflow = "overflow", "A number that may become too large",
        "Use smaller numbers.";
    DrawFailed = "draw_failed", "The operating system gave no randomness",
        "Nothing was rolled. Send the call again.";
    Busy = "busy", "The database is in use",
        "Another process holds its lock. Send the same call again.";
    Cancelled = "cancelled", "The call was taken back before its turn came",
        "It was cancelled, or its client left. Send it again if it is still wanted.";
    TimedOut = "timed_out", "The call took too long and was taken back",
        "Send it again.";
    NotConfirmed = "not_confirmed", "What the call does cannot be taken back, and nobody confirmed it",
        "The refusal names the word to send as `confirm`. Ask the people at the table first.";
    Declined = "declined", "The person who was asked declined",
        "Nothing was rolled or changed. Go on without it, or ask them in your own words.";
    TooSoon = "too_soon", "A tool was called again before its cool-down was over",
        "The refusal says when it may be called again.";
    UnknownTool = "unknown_tool", "There is no such tool",
        "Near names are offered. Of one whose toolset is off the refusal says how the server is started with it.";
    ToolFailed = "tool_failed", "A tool that is not Rollbook's own failed",
        "The refusal has its words. Whether it did anything is not known.";
    Closed = "closed", "The server is shutting down",
        "Connect again.";
    Clock = "clock", "The computer's clock cannot be right",
        "Set it, and send the call again.";
    Disk = "disk", "The disk is full or cannot be written, or the database server only reads",
        "Make room, or see that the folder or the server can be written; then send the call again.";
    Moved = "moved", "The database is not where it was opened",
        "Put the file back with the `-wal` file beside it, or restart the server to play with what lies there now.";
    NotOpened = "not_opened", "The database cannot be opened",
        "The refusal says why.";
    NewerSchema = "newer_schema", "A newer Rollbook wrote the database",
        "Update this one.";
    Unreachable = "unreachable", "The database server cannot be reached, or gave the call up",
        "It was tried for as long as a call may take. See that the server runs, and send the call again.";
    Damaged = "damaged", "The database is damaged, or was changed by hand",
        "`rollbook verify` says what is wrong; the newest good backup is named.";
    CampaignLost = "campaign_lost", "A campaign that was here is gone",
        "Put the newer file back, or begin it anew with `manage_session` and `action=\"accept_loss\"`.";
    HistoryLost = "history_lost", "The log is shorter than it was",
        "An older file may lie here. Put the newer one back, or go on with `manage_session` and `action=\"accept_loss\"`.";
    Continued = "continued", "The campaign's log goes on in another",
        "It can still be read. Play in the campaign that the refusal names.";
    NoLoss = "no_loss", "There is no loss to accept",
        "Nothing of this log is known to be lost. Just play on.";
}

impl Code {
    /// The code of this name.
    pub fn named(name: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.as_str() == name)
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
