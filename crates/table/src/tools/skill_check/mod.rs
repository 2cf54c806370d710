//! `skill_check`: resolves a check by the adventure's rules.

mod params;
mod reply;

use params::{Group, Sent, SentTurn};
pub use params::{OpposedBy, damage};
pub use reply::One;
use reply::{Moved, Reply, Several, Turn, Turns};

use super::apply_damage;
use super::manage_combat::next_up;
use super::reply::{common, invalid, of_earlier_log};
use super::roll_reply::{LoggedRoll, RollReply};
use super::tool::{Alias, Call, Category, Tool};
use crate::session::{Answer, CallError, Common, Host, Purpose, Refers};
use crate::tools::parameter::Whom;
use rollbook_game::decide::attack::{self, AttackCall, Strike};
use rollbook_game::decide::check::{Follow, offers};
use rollbook_game::decide::{clock, combat};
use rollbook_game::record::entry::Visibility;
use rollbook_game::record::event::{CheckEvent, Event, Subject};
use rollbook_game::record::state::Kind;
use rollbook_game::refusal::Refusal;
use rollbook_game::table::Table;
use rollbook_text::names::{fold, quoted};

pub struct SkillCheck;

/// What to send for an opponent.
const VERSUS: &str = "opposed_by={\"character\": \"…\"} where both roll, else target=\"…\"";

impl Tool for SkillCheck {
    const NAME: &'static str = "skill_check";
    const TITLE: &'static str = "Skill check";
    const DESCRIPTION: &'static str = "Resolves a check, save or attack by the adventure's System.md: finds the skill's attribute, adds every \
        modifier, rolls, reads the outcome. Name the skill (or attribute), and the difficulty where the rules want one. An attack in one \
        call: character, skill, difficulty, target, damage=\"1d8+2\", end_turn=true.";
    const CATEGORY: Category = Category::Rules;
    const HOT: bool = true;
    const UNTOUCHED: &'static str = "Nothing was rolled.";
    const ALIASES: &'static [Alias] = &[
        (&["name", "attacker", "actor"], "character"),
        (&["reason", "description"], "context"),
        (&["vs", "versus"], VERSUS),
    ];
    const BRIEF: &'static [&'static str] = &[
        "outcome",
        "label",
        "margin",
        "results",
        "contest",
        "flags",
        "row_text",
        "follow_ups",
        "outcomes",
        "stated",
        "round",
        "current",
        "left",
    ];
    type Params = Sent;
    type Reply = Reply;

    async fn call(host: &Host, mut call: Call, sent: Sent) -> Result<Answer<Reply>, CallError> {
        let params = match sent {
            Sent::One(params) => *params,
            Sent::Turns(turns) => {
                let campaign = host
                    .campaign(call.campaign.as_deref(), Purpose::Write)
                    .await?;
                let is_player = call.request.caller.player().is_some();
                let answer = campaign.write(call.request, move |table| {
                    let mut answer = take_turns(table, turns)?;
                    let up = next_up(table).filter(|_| !is_player);
                    answer.common.next = answer.common.next.or(up);
                    Ok(answer)
                });
                return answer.await;
            }
        };
        let again = params.again.as_deref().map(follow).transpose()?;
        call.request.refers = again.as_ref().map(|follow| match follow.entry {
            Some(entry) => Refers::Entry(entry),
            None => Refers::LastCheck(match &params.character {
                Some(Whom::One(name)) => Some(name.clone()),
                Some(Whom::Several(_)) | None => None,
            }),
        });
        call.request.later = true;
        let is_player = call.request.caller.player().is_some();
        let campaign = host
            .campaign(call.campaign.as_deref(), Purpose::Write)
            .await?;
        let answer = campaign.write(call.request, move |table| {
            let group = params.group;
            if is_player {
                params.only_one_target(table.state)?;
            }
            let attack = params.attack(again, table)?;
            let (mut common, reply) = resolve(table, &attack, group)?;
            if attack.end_turn && !is_player {
                common.next = common.next.or_else(|| next_up(table));
            }
            Ok(Answer::new(common, reply))
        });
        answer.await
    }
}

/// Several turns, each undone by itself. Stops before one that is refused: the first refuses all.
fn take_turns(table: &mut Table, turns: Vec<SentTurn>) -> Result<Answer<Reply>, Refusal> {
    let (mut all, mut taken, mut left) = (Common::default(), Vec::new(), turns.into_iter());
    let mut turn = Turn::default();
    while let Some((params, _)) = left.as_slice().first().cloned() {
        let made = table.step(|table| {
            if all.log.is_some() {
                combat::check_nobody_waits(table)?;
            }
            let (group, ends) = (params.group, params.end_turn.unwrap_or(true));
            let mut attack = params.attack(None, table)?;
            combat::check_turn_of(table, attack.check.character.as_deref())?;
            attack.end_turn = ends || !attack.characters.is_empty();
            let made = resolve(table, &attack, group)?;
            clock::move_left(table);
            Ok((made, Turn::of(table)))
        });
        match made {
            Ok(((common, reply), began)) => {
                add_line(&mut all, common, &turn);
                taken.extend(reply);
                turn = began;
            }
            // Whoever is asked would answer for the whole call.
            Err(mut refusal) if all.log.is_none() => {
                refusal.aside.choice = None;
                return Err(refusal);
            }
            Err(refusal) => {
                all.next = Some(format!("{} left: {}", left.len(), refusal.summary));
                break;
            }
        }
        left.next();
    }
    table.first_entry = all.log;
    let reply = Turns {
        turns: taken,
        turn: Turn::of(table),
        left: left.map(|(_, sent)| sent).collect(),
    };
    Ok(Answer::new(all, Reply::Turns(reply)))
}

/// Adds a turn, in a line of its own, instead of the sentence that it begins.
fn add_line(all: &mut Common, turn: Common, began: &Turn) {
    let add = |text: &mut String, line: &str| {
        began.cut(text);
        let between = if text.is_empty() { "" } else { "\n" };
        text.push_str(&format!("{between}{line}"));
    };
    add(&mut all.summary, &turn.summary);
    if let Some(line) = &turn.player_text {
        add(all.player_text.get_or_insert_default(), line);
    }
    all.log = all.log.or(turn.log);
    let last = turn.entries.map(|[_, last]| last).or(turn.log);
    all.entries = all
        .log
        .zip(last)
        .filter(|(log, last)| log != last)
        .map(Into::into);
    all.noted = turn.noted;
    all.rule = all.rule.take().or(turn.rule);
    all.next = turn.next.or(all.next.take());
}

fn resolve(
    table: &mut Table,
    call: &AttackCall,
    group: Option<Group>,
) -> Result<(Common, Option<Reply>), Refusal> {
    let strikes = attack::decide(table, call)?;
    let follow_ups = match strikes.as_slice() {
        [only] if call.check.again.is_none() && !call.end_turn => follow_ups(table, only),
        _ => Vec::new(),
    };
    let mut made: Vec<One> = strikes
        .into_iter()
        .filter_map(|strike| one(table, strike))
        .collect();
    let turn = Turn::of(table);
    let mut common = common(table);
    let reply = match made.len() {
        0 => None,
        1 => made.pop().map(|mut one| {
            one.turn = turn;
            if common.next.is_none()
                && let Some(first) = follow_ups.first()
            {
                common.next = Some(format!(
                    "skill_check again=\"{first}\", if the player wants to."
                ));
            }
            one.follow_ups = follow_ups;
            Reply::One(Box::new(one))
        }),
        _ => {
            let several = Several::of(made, turn, !call.characters.is_empty(), group);
            several.say_together(&mut common);
            Some(Reply::Several(several))
        }
    };
    Ok((common, reply))
}

/// What the player of a character may do with the roll now: what to send as `again`.
fn follow_ups(table: &Table, strike: &Strike) -> Vec<String> {
    let Some(written) = table.written_at(strike.check) else {
        return Vec::new();
    };
    let Event::Check(event) = &written.entry.event else {
        return Vec::new();
    };
    let of = |who: &Subject| {
        table
            .state
            .characters
            .get(&who.id)
            .is_some_and(|character| character.kind == Kind::Player)
    };
    if !event.subject.as_ref().is_some_and(of) || written.entry.visibility != Visibility::Public {
        return Vec::new();
    }
    // What hurt another is undone and rolled anew, and not followed.
    let id = |who: &Option<Subject>| who.as_ref().map(|who| who.id);
    if strike.damage.is_some() && id(&event.against) != id(&event.subject) {
        return Vec::new();
    }
    let names = offers(table, (written.seq, &written.entry), event);
    names
        .iter()
        .map(|name| format!("#{} {}", written.seq, fold(name)))
        .collect()
}

fn one(table: &Table, strike: Strike) -> Option<One> {
    let written = table.written_at(strike.check)?;
    let Event::Check(event) = &written.entry.event else {
        return None;
    };
    let moved = Moved::by(table, event.subject.as_ref().map(|who| who.id));
    let mut one = One::of(
        written,
        CheckEvent::clone(event),
        LoggedRoll::of(written)?,
        moved,
    );
    one.damage_roll = strike
        .roll
        .and_then(|seq| table.written_at(seq))
        .and_then(RollReply::of);
    one.damage = strike
        .damage
        .map(|result| apply_damage::struck(table, result));
    Some(one)
}

fn follow(text: &str) -> Result<Follow, Refusal> {
    let number = text
        .trim()
        .trim_start_matches('#')
        .split_whitespace()
        .next()
        .and_then(|number| number.parse().ok());
    if let Some(number) = number.filter(|number: &i64| *number < 0) {
        return Err(of_earlier_log(
            "again",
            number,
            "Make the check anew, without again.",
        ));
    }
    Follow::parse(text).ok_or_else(|| {
        let summary = format!(
            "again names no entry. Send the number a reply gave as log, or last, and behind it which rule is meant where there are \
             several: again=\"#128\", again=\"last {}\".",
            quoted(text)
        );
        let valid_range = "\"#128\" or \"last\", and behind it the rule's name";
        invalid("again", &format!("{text:?} is no entry"), valid_range, summary)
    })
}
