//! `manage_session`: opens and closes sittings, remembers what happened, says where the game is.

mod begin;
mod clock;
mod entry;
mod memory;
mod params;
mod reply;
mod resume;
mod status;

use std::time::Duration;

use serde_json::{Map, Value};

use super::confirm::{Confirm, ConfirmBy};
use super::reply::common;
use super::tool::{Alias, Call, Category, Tool};
use crate::session::live::View;
use crate::session::{Answer, CallError, Campaign, Common, Host, Purpose, Refers, Wants};
pub use entry::shown_to;
use params::Action::{
    AcceptLoss, Advance, Adventures, Begin, Clock, Compare, End, Entry, List, Note, Recap, Resume,
    Reveal, Shuffle, Start, Status, Undo,
};
use params::Params;
use reply::Reply;
use rollbook_game::decide::{deck, reveal, session, undo};
use rollbook_game::refusal::{Code, Refusal};
use rollbook_game::table::Table;
use status::{add_standing, problems, status, status_for_player};

/// Seconds that a call may wait for something to happen.
const WAIT_MAX: u32 = 25;

pub struct ManageSession;

impl Tool for ManageSession {
    const NAME: &'static str = "manage_session";
    const TITLE: &'static str = "Sessions";
    const DESCRIPTION: &'static str = "resume says all you need to go on; status is shorter and names the rules' problems. start opens a \
        sitting, end closes it with a checkpoint; a write outside a sitting opens one. note remembers what the story needs. clock makes \
        (name, segments) or moves (name, tick) a clock or a track all share; get_character \"company\" shows them. advance lets time pass in the game (time), ends what \
        has lasted, moves what the rules move. shuffle puts all cards back into a deck of the rules that stays drawn. recap tells a \
        sitting, list names them. undo takes back all one call changed, unless something changed the same since; naming an undo does it \
        again. Dice stay as they fell. entry shows one in full; compare, a roll beside what was applied of it. reveal opens a hidden one (entry) to players, for good. accept_loss plays on after history_lost. Where no adventure is played, adventures lists those that come with the program and begin (name) writes one here.";
    const CATEGORY: Category = Category::Log;
    const SEARCH_HINT: &'static str =
        "begin or end a session, resume, save notes, clocks, time passes, recap, undo, history";
    const DESTRUCTIVE: bool = true;
    const BRIEF: &'static [&'static str] = &[
        "session",
        "sessions",
        "party",
        "clocks",
        "decks",
        "combat",
        "problems",
        "rolled",
        "applied",
        "untrusted_text",
    ];
    const ALIASES: &'static [Alias] = &[
        (&["note", "content", "reason"], "text"),
        (&["type", "category"], "kind"),
        (&["close", "thread", "resolves"], "closes"),
        (&["number"], "session"),
        (&["log"], "entry"),
        (&["max_bytes"], "budget"),
        (&["for"], "audience"),
        (&["clock", "track"], "name"),
        (&["size", "max"], "segments"),
        (&["ticks", "amount"], "tick"),
        (&["remove"], "done"),
        (&["duration", "how_long"], "time"),
    ];
    const WORDS: &'static [(&'static str, &'static str, &'static str)] = &[
        ("action", "scene", "action=\"note\" kind=\"scene\""),
        ("action", "discovery", "action=\"note\" kind=\"discovery\""),
        ("action", "thread", "action=\"note\" kind=\"thread\""),
        ("action", "add_thread", "action=\"note\" kind=\"thread\""),
        ("action", "add_note", "action=\"note\""),
        ("action", "tick", "action=\"clock\" tick=1; and name"),
        ("action", "open", "action=\"reveal\"; and entry"),
        (
            "action",
            "show",
            "action=\"reveal\" entry=128 for players, action=\"entry\" for you; a clock: action=\"clock\" visibility=\"public\"",
        ),
        ("action", "tick_clock", "action=\"clock\" tick=1; and name"),
        (
            "action",
            "save",
            "action=\"status\"; everything is kept already",
        ),
        ("action", "pass_time", "action=\"advance\""),
        (
            "action",
            "time",
            "action=\"advance\" time=\"2 hours\" lets it pass; action=\"status\" tells it",
        ),
        ("action", "track", "action=\"clock\""),
        ("action", "summary", "action=\"recap\""),
        (
            "action",
            "history",
            "action=\"recap\"; \"list\" for the sessions",
        ),
        ("action", "log", "action=\"note\" text=$text"),
        (
            "action",
            "log",
            "action=\"entry\" entry=128, by the number that a reply gave as log",
        ),
        ("action", "get_entry", "action=\"entry\""),
        ("kind", "quest", "kind=\"thread\""),
        ("audience", "players", "audience=\"player\""),
    ];
    const CONFIRM: Option<ConfirmBy> = Some(confirm);
    type Params = Params;
    type Reply = Reply;

    async fn call(host: &Host, mut call: Call, params: Params) -> Result<Answer<Reply>, CallError> {
        let action = params.action;
        action.refuse_unread(&params)?;
        call.request.wants = match action {
            Recap => Some(memory::wants(&params)?),
            List => Some(Wants::Sittings),
            Resume => Some(resume::wants(&params)),
            Entry => Some(Wants::Entry(entry::number(&params)?)),
            Compare => Some(Wants::Uses(entry::number(&params)?)),
            Status => Some(Wants::Rules),
            // They are of no campaign.
            Adventures => return begin::list(host),
            Begin => return begin::begin(host, params.name.as_deref()).await,
            Start | End | Note | Clock | Advance | Shuffle | Undo | Reveal | AcceptLoss => None,
        };
        if action == Undo {
            call.request.refers = Some(Refers::Undo(params.entry));
        }
        if action == Reveal {
            call.request.refers = Some(Refers::Sealed(entry::number(&params)?));
        }
        let purpose = if action.reads() {
            Purpose::Read
        } else {
            Purpose::Write
        };
        let name = call.campaign;
        let campaign = host.campaign(name.as_deref(), purpose).await?;
        if action.reads() {
            let news = match params.wait_s {
                Some(seconds) => {
                    let limit = Duration::from_secs(u64::from(seconds.min(WAIT_MAX)));
                    let news = tokio::select! {
                        news = campaign.wait_for_news(call.request.caller.clone(), limit) => news?,
                        () = host.waits_end() => Vec::new(),
                    };
                    if seconds > 0
                        && let Some(seat) = &call.request.caller.seat
                        && !host
                            .keyring
                            .is_good(seat)
                            .await
                            .map_err(CallError::Failure)?
                    {
                        let summary = "This key was revoked, or has expired, while the call waited. Ask for a new one.";
                        return Err(Refusal::new(Code::Closed, summary).into());
                    }
                    news
                }
                None => Vec::new(),
            };
            let player = call.request.caller.player().map(str::to_owned);
            let read = |view: &View| match &player {
                Some(player) if action == Status => Ok(status_for_player(view, player)),
                _ => read(host, view, &params),
            };
            let mut answer = campaign.read(call.request, read).await?;
            answer.common.since.splice(..0, news);
            // The status itself says which campaign it is of.
            let campaign = answer.common.campaign.clone().filter(|_| action != Status);
            return Ok(Answer {
                common: Common {
                    campaign,
                    ..answer.common
                },
                ..answer
            });
        }
        let (ends, accepts_loss) = (action == End, action == AcceptLoss);
        if ends || accepts_loss {
            // What follows is of what is on the disk.
            call.request.commit = None;
        }
        (call.request.accepts_loss, call.request.ends_session) = (accepts_loss, ends);
        let mut answer = campaign
            .write(call.request, move |table| manage(table, params))
            .await?;
        if (ends || accepts_loss) && !answer.common.replayed {
            write_checkpoint(&campaign, &mut answer, accepts_loss).await;
        }
        if ends && !answer.common.replayed {
            // So that the next search has less to do; it does what is left.
            if let Err(error) = campaign.index().await {
                tracing::warn!("the log's index was not brought up to date: {error}");
            }
            host.back_up(name.as_deref()).await;
        }
        Ok(answer)
    }
}

/// Everything else that this tool does can be undone.
fn confirm(arguments: &Map<String, Value>) -> Option<Confirm> {
    let accepts = arguments
        .get("action")
        .is_some_and(|action| action == "accept_loss");
    accepts.then(|| Confirm {
        what: "accept_loss gives up, for good, the entries that this log lacks.".to_owned(),
        word: "accept loss".to_owned(),
    })
}

fn read(host: &Host, view: &View, params: &Params) -> Result<Answer<Reply>, Refusal> {
    Ok(match params.action {
        Entry => return entry::shown(view, params),
        Compare => return entry::compared(view, params),
        Recap => memory::story(view, params),
        List => memory::list(view),
        Resume => resume::answer(host, view, params),
        Status | Start | End | Note | Clock | Advance | Shuffle | Undo | Reveal | AcceptLoss
        | Adventures | Begin => status(view, host.database.to_string(), problems(host)),
    })
}

/// Writes the checkpoint; notes what had to be repaired, or that it could not be written.
async fn write_checkpoint(campaign: &Campaign, answer: &mut Answer<Reply>, accepts_loss: bool) {
    match campaign.checkpoint(accepts_loss).await {
        Ok(repaired) => answer.notes.extend(repaired),
        Err(error) => {
            // The session did end; only the proof outside the database is missing.
            tracing::warn!("no checkpoint was written: {error}");
            let next = match accepts_loss {
                true => {
                    "The checkpoint that says so could not be written beside the database: the next start asks again."
                }
                false => {
                    "No checkpoint could be written beside the database: keep this reply's receipt instead."
                }
            };
            answer.common.next = Some(next.to_owned());
        }
    }
}

fn manage(table: &mut Table, params: Params) -> Result<Answer<Reply>, Refusal> {
    let (ends, undoes) = (params.action == End, params.action == Undo);
    match params.action {
        Start => session::start(table, params.title)?,
        End => session::end(table)?,
        Note => memory::write(table, params)?,
        Clock => return clock::write(table, params),
        Advance => return clock::advance(table, params),
        Shuffle => deck::shuffle(
            table,
            params
                .deck
                .as_deref()
                .filter(|name| !name.trim().is_empty()),
        )?,
        Undo => undo::undo(table)?,
        Reveal => reveal::reveal(table)?,
        AcceptLoss => session::accept_loss(table)?,
        Status | Recap | List | Resume | Entry | Compare | Adventures | Begin => 0,
    };
    let mut common = common(table);
    if undoes {
        add_standing(table, &mut common);
    }
    if ends && let Some(combat) = table.state.open_combat() {
        let title = combat.title.as_deref().unwrap_or("A fight");
        common.next = Some(format!(
            "{title} is not over: the next session goes on with it as it stands. manage_combat action=\"end\" closes it."
        ));
    }
    let session = table
        .state
        .sessions
        .values()
        .next_back()
        .map(|session| session.number);
    Ok(Answer::new(common, Reply::Changed { session }))
}
