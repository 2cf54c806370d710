//! What a campaign remembers: notes, recaps, and the list of its sittings.

use super::params::{Params, whole_or_hidden};
use super::reply::{Reply, Sitting};
use crate::session::live::View;
use crate::session::{Answer, Common, Wants};
use crate::tools::reply::shown;
use rollbook_game::decide::note::{self, NoteCall};
use rollbook_game::record::instant::iso;
use rollbook_game::record::state::Session;
use rollbook_game::refusal::{Code, Detail, Refusal};
use rollbook_game::table::Table;
use rollbook_game::view::Audience;
use rollbook_game::view::recap::recap;

/// Bytes of a recap: when none are sent, at least, and at most.
const BUDGET: usize = 4000;
const BUDGET_MIN: usize = 500;
const BUDGET_MAX: usize = 20_000;

pub fn write(table: &mut Table, params: Params) -> Result<u64, Refusal> {
    let Some(text) = params.text else {
        let summary = "note needs text: what is to be remembered, such as text=\"The reeve lied about the key\".";
        return Err(Refusal::new(Code::InvalidParameters, summary));
    };
    let (visibility, reader) = shown(table.state, params.visibility.as_ref(), None)?;
    let visibility = whole_or_hidden(visibility)?.unwrap_or_default();
    table.reader = reader;
    let call = NoteCall {
        text,
        kind: params.kind.unwrap_or_default(),
        closes: params
            .closes
            .map(|thread| thread.to_string())
            .filter(|thread| !thread.trim().is_empty()),
        visibility,
    };
    note::note(table, call)
}

/// What a recap wants to know, if its budget can be kept to.
pub fn wants(params: &Params) -> Result<Wants, Refusal> {
    let budget = params.budget.unwrap_or(BUDGET);
    if !(BUDGET_MIN..=BUDGET_MAX).contains(&budget) {
        let range = format!("{BUDGET_MIN} to {BUDGET_MAX} bytes");
        let detail = Detail {
            parameter: "budget".to_owned(),
            issue: budget.to_string(),
            valid_range: range.clone(),
        };
        let summary = format!("budget: {budget}; it takes {range}.");
        return Err(Refusal::new(Code::LimitExceeded, summary).details(vec![detail]));
    }
    Ok(Wants::Story(params.session, audience(params)))
}

fn audience(params: &Params) -> Audience {
    params.audience.unwrap_or(Audience::Player)
}

/// The story of a sitting. The players' is made from what they saw, so it may be read to them.
pub fn story(view: &View, params: &Params) -> Answer<Reply> {
    let audience = audience(params);
    let Some(story) = &view.past.story else {
        return Answer::new(
            Common::of("Nothing was played yet, so there is nothing to tell."),
            None,
        );
    };
    let number = story.sitting.number;
    let title = view
        .state
        .sessions
        .get(&number)
        .map_or(String::new(), heading);
    let recap = recap(
        &title,
        view.state,
        &story.lines,
        audience,
        params.budget.unwrap_or(BUDGET),
    );
    let cut = "The sitting is very long: only its last part was read.".to_owned();
    let cut = story.cut.then_some(cut);
    let common = Common {
        player_text: (audience == Audience::Player).then(|| recap.text.clone()),
        next: (recap.left_out > 0).then(|| {
            format!(
                "A larger budget (up to {BUDGET_MAX}) has room for the {} lines left out.",
                recap.left_out
            )
        }),
        noted: cut.into_iter().collect(),
        ..Common::of(recap.text)
    };
    Answer::new(
        common,
        Reply::Changed {
            session: Some(number),
        },
    )
}

/// "Session 2: Half past nine"
fn heading(session: &Session) -> String {
    let title = session
        .title
        .as_ref()
        .map_or(String::new(), |title| format!(": {title}"));
    format!("Session {}{title}", session.number)
}

pub fn list(view: &View) -> Answer<Reply> {
    let sittings: Vec<Sitting> = view
        .past
        .sittings
        .iter()
        .filter_map(|sitting| {
            let row = view.state.sessions.get(&sitting.number)?;
            Some(Sitting {
                number: row.number,
                title: row.title.clone(),
                from: iso(row.started_at),
                to: row.ended_at.map(iso),
                entries: [sitting.first, sitting.last],
            })
        })
        .collect();
    let all = view.state.sessions.len();
    let open = view
        .state
        .open_session()
        .map_or(String::new(), |open| format!("; {} is open", heading(open)));
    let listed = if all > sittings.len() {
        format!(", the last {} are listed", sittings.len())
    } else {
        String::new()
    };
    let summary = match all {
        0 => "No session was played yet.".to_owned(),
        1 => format!("1 session{open}."),
        many => format!("{many} sessions{listed}{open}."),
    };
    Answer::new(Common::of(summary), Reply::Sessions { sessions: sittings })
}
