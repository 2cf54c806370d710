//! Waiting until something happens.

use std::time::{Duration, Instant};

use super::{CallError, Caller, Campaign, Wants, closed};
use rollbook_game::view::Audience;
use rollbook_game::view::recap::LoggedEntry;
use rollbook_game::view::visibility::{seen, visible_turn};
use rollbook_text::names::same;

/// How often another process's writes are looked for.
const LOOK: Duration = Duration::from_secs(3);

/// What happened, in a line each, as the caller may know it; and whether it is the caller's turn.
struct Seen {
    lines: Vec<String>,
    is_turn: bool,
}

impl Campaign {
    /// Waits until the caller sees something, has the turn, or time is over. Answers what happened.
    pub async fn wait_for_news(
        &self,
        caller: Caller,
        limit: Duration,
    ) -> Result<Vec<String>, CallError> {
        let deadline = Instant::now() + limit;
        let mut news = self.news();
        let start = self.reading().await?.0.head.seq;
        loop {
            let Seen { lines, is_turn } = self.seen_since(start, &caller).await?;
            let left = deadline.saturating_duration_since(Instant::now());
            if !lines.is_empty() || is_turn || left.is_zero() || caller.gone.is_cancelled() {
                return Ok(lines);
            }
            tokio::select! {
                changed = news.changed() => changed.map_err(|_| closed())?,
                () = tokio::time::sleep(left.min(LOOK)) => {}
                () = caller.gone.cancelled() => {}
            }
        }
    }

    async fn seen_since(&self, start: u64, caller: &Caller) -> Result<Seen, CallError> {
        let (mut live, mut log) = self.reading().await?;
        let (live, log) = (&mut *live, &mut *log);
        let wants = Some(Wants::Since(start));
        let past = match caller.player() {
            Some(player) => live.past_for(log, wants, player).await?,
            None => live.past(log, wants).await?,
        };
        let logged = past.since;
        let players = |logged: &LoggedEntry| logged.players.as_ref().map(|seen| seen.text.clone());
        let Some(character) = caller.player() else {
            let line = |logged: &LoggedEntry| logged.entry.sentence(Audience::Gm, true);
            return Ok(Seen {
                lines: logged.iter().filter_map(line).collect(),
                is_turn: false,
            });
        };
        let state = seen(&live.state, character);
        let current = state
            .running_combat()
            .and_then(|combat| visible_turn(&state, combat));
        let current = current.and_then(|turn| state.characters.get(&turn.character));
        Ok(Seen {
            lines: logged.iter().filter_map(players).collect(),
            is_turn: current.is_some_and(|who| same(&who.name, character)),
        })
    }
}
