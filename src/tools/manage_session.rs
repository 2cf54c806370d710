//! `manage_session`: opens and closes sittings, and says where the game stands.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::get_character::brief;
use super::reply;
use super::tool::{Call, Tool};
use crate::game::decide::session;
use crate::game::decide::undo;
use crate::game::record::instant::iso;
use crate::game::record::state::CombatStatus;
use crate::game::refusal::Refusal;
use crate::game::table::Table;
use crate::session::live::View;
use crate::session::{Answer, CallError, Campaign, Common, Host, Purpose, Refers};

/// The tool.
pub struct ManageSession;

/// What to do.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Params {
    action: Action,
    /// For start.
    title: Option<String>,
    /// undo: any entry of the call to take back, else the last change.
    entry: Option<u64>,
}

/// What to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    Start,
    End,
    Status,
    Undo,
    AcceptLoss,
}

/// Where the game stands, or the sitting that was changed.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Reply {
    Status(Status),
    Changed {
        #[serde(skip_serializing_if = "Option::is_none")]
        session: Option<u32>,
    },
}

/// Where the game stands.
#[derive(Serialize, JsonSchema)]
pub struct Status {
    campaign: String,
    adventure: String,
    // The rules' title.
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<String>,
    // The open sitting's number.
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<u32>,
    // ISO-8601, UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    session_started: Option<String>,
    // Entries in the log.
    log_length: u64,
    /// The file the log lies in; nothing for players.
    database: String,
    // One line each.
    party: Vec<String>,
    // The running fight.
    #[serde(skip_serializing_if = "Option::is_none")]
    combat: Option<String>,
    /// What the author should look at.
    problems: Vec<String>,
}

impl Tool for ManageSession {
    const NAME: &'static str = "manage_session";
    const TITLE: &'static str = "Sessions";
    const DESCRIPTION: &'static str = "status says where the game stands. start opens a sitting, end closes it with a checkpoint. A write \
        outside a sitting opens one. undo takes back all one call changed, unless something changed the same since; naming an undo does it \
        again. Dice stay as they fell. accept_loss plays on after history_lost.";
    const HOT: bool = false;
    const READ_ONLY: bool = false;
    const DESTRUCTIVE: bool = true;
    const BRIEF: &'static [&'static str] = &["session", "party", "combat", "problems"];
    type Params = Params;
    type Reply = Reply;

    async fn call(host: &Host, mut call: Call, params: Params) -> Result<Answer<Reply>, CallError> {
        if params.action == Action::Undo {
            call.request.refers = Some(Refers::Undo(params.entry));
        }
        let reads = params.action == Action::Status;
        let purpose = if reads { Purpose::Read } else { Purpose::Write };
        let campaign = host.campaign(call.campaign.as_deref(), purpose).await?;
        let problems = problems(host);
        if reads {
            let database = host.database.display().to_string();
            let answer = campaign.read(call.request, |view| Ok(status(view, database, problems))).await?;
            // The status itself says which campaign it is of.
            return Ok(Answer { common: Common { campaign: None, ..answer.common }, ..answer });
        }
        let (ends, accepts_loss) = (params.action == Action::End, params.action == Action::AcceptLoss);
        call.request.accepts_loss = accepts_loss;
        let mut answer = campaign.write(call.request, move |table| manage(table, params)).await?;
        if (ends || accepts_loss) && !answer.common.replayed {
            write_checkpoint(&campaign, &mut answer, accepts_loss).await;
        }
        if ends && !answer.common.replayed {
            host.back_up().await;
        }
        Ok(answer)
    }
}

/// Writes the checkpoint; notes what had to be repaired for it, or says that it could not be written.
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
                false => "No checkpoint could be written beside the database: keep this reply's receipt instead.",
            };
            answer.common.next = Some(next.to_owned());
        }
    }
}

fn manage(table: &mut Table, params: Params) -> Result<Answer<Reply>, Refusal> {
    let ends = params.action == Action::End;
    match params.action {
        Action::Start => session::start(table, params.title)?,
        Action::End => session::end(table)?,
        Action::Undo => undo::undo(table, params.entry)?,
        Action::AcceptLoss => session::accept_loss(table)?,
        Action::Status => 0,
    };
    let mut common = reply::common(table);
    if ends && let Some(combat) = table.state.open_combat() {
        let title = combat.title.as_deref().unwrap_or("A fight");
        common.next = Some(format!(
            "{title} is not over: the next session goes on with it as it stands. manage_combat action=\"end\" closes it."
        ));
    }
    let session = table.state.sessions.values().next_back().map(|session| session.number);
    Ok(Answer::new(common, Reply::Changed { session }))
}

/// What could not be read of the rules, for the GM to tell the author.
fn problems(host: &Host) -> Vec<String> {
    let adventure = host.adventure();
    let reading = &adventure.reading;
    let plain = crate::diagnostic::render::plain(&reading.diagnostics, &reading.sources);
    let unread = adventure.problems.iter().map(|problem| problem.message.clone());
    unread.chain(plain.lines().map(str::to_owned)).take(20).collect()
}

fn status(view: &View, database: String, problems: Vec<String>) -> Answer<Reply> {
    let state = view.state;
    let open = state.open_session();
    let party = state
        .characters
        .values()
        .filter(|character| character.is_in_party())
        .map(|character| brief(view, character))
        .collect();
    let combat = state.open_combat().map(|combat| {
        let title = combat.title.as_deref().unwrap_or("a fight");
        let progress = match combat.status {
            CombatStatus::Setup => "prepared".to_owned(),
            _ => format!("round {}", combat.round),
        };
        format!("{title}, {progress}; manage_combat action=\"status\" shows it")
    });
    let system = &view.setting.system;
    let status = Status {
        campaign: view.setting.campaign.clone(),
        adventure: view.setting.adventure.clone(),
        rules: if system.narrative { None } else { system.title.clone() },
        session: open.map(|session| session.number),
        session_started: open.map(|session| iso(session.started_at)),
        log_length: view.head.seq,
        database,
        party,
        combat,
        problems,
    };
    let receipt = (view.head.seq > 0).then(|| view.head.receipt());
    Answer::new(Common { receipt, ..Common::of(summary(&status)) }, Reply::Status(status))
}

fn summary(reply: &Status) -> String {
    let rules = reply.rules.as_deref().unwrap_or("no rules: a narrative adventure");
    let session = reply.session.map_or("no session is open".to_owned(), |number| format!("session {number} is open"));
    let party = if reply.party.is_empty() {
        "nobody has made a character yet".to_owned()
    } else {
        format!("{} in the party", reply.party.len())
    };
    let combat = reply.combat.as_ref().map_or(String::new(), |combat| format!("; a fight: {combat}"));
    let problems = if reply.problems.is_empty() {
        String::new()
    } else {
        let many = reply.problems.len();
        format!("; the rules have {many} remark{}, see problems", if many == 1 { "" } else { "s" })
    };
    format!(
        "{} ({rules}): {session}, {party}, {} entries in the log{combat}{problems}.",
        reply.campaign, reply.log_length
    )
}
