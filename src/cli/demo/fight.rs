//! The fight in rising water, turn by turn.
//!
//! The server is killed in the middle of it, and the fight goes on from what the log knows.

use serde_json::{Map, Value, json};

use super::scene::Scene;
use super::server::{number, text};
use crate::cli::output::Failed;

/// Rounds after which the foes have had enough, so that every evening ends.
const ROUNDS_MAX: u64 = 30;

/// How a combatant attacks: skill, damage, and the number to reach.
struct Fighter {
    skill: &'static str,
    damage: &'static str,
    kind: &'static str,
    armour_opposite: i64,
}

impl Scene<'_> {
    /// Initiative, and water over the sill.
    pub async fn begin_the_fight(&mut self) -> Result<(), Failed> {
        self.out.heading("The Mess, ankle-deep")?;
        let call = json!({"action": "start", "title": "The Mess", "combatants": [
            {"name": "Jory Penrake"}, {"name": "Sabeth Quoin"},
            {"name": "Wrecker", "count": 2, "hp": 7, "attributes": {"STR": 12, "DEX": 12, "WIS": 8}}]});
        let reply = self.tell("manage_combat", call).await?;
        if order(&reply).len() != 4 {
            return Err(format!("four should stand in the order, not {}", order(&reply).len()));
        }
        self.out.gm("A sluice gives way below. Cold water sweeps the room and everybody in it.")?;
        for name in order(&reply) {
            self.hurt(&name, "1d4", "cold", "the wave").await?;
        }
        Ok(())
    }

    /// Three turns: the round is not over yet.
    pub async fn three_turns(&mut self) -> Result<(), Failed> {
        for _ in 0..3 {
            self.act().await?;
            let status = self.status().await?;
            if self.side_is_down(&status) {
                return Ok(());
            }
            self.tell_turn().await?;
        }
        Ok(())
    }

    /// Where the fight stands after the kill.
    pub async fn resume(&mut self) -> Result<(), Failed> {
        let status = self.status().await?;
        self.out.reply(&status)
    }

    /// Turn after turn until a side is down, then the GM ends it.
    pub async fn fight_to_the_end(&mut self) -> Result<(), Failed> {
        loop {
            let status = self.status().await?;
            if self.side_is_down(&status) || number(&status, "round") > ROUNDS_MAX {
                let outcome = match count_up(&status, "foes") {
                    0 => "the wreckers are down, and the Mess is quiet",
                    _ if count_up(&status, "players") == 0 => "the wreckers drag two wet heroes to the cellar",
                    _ => "the wreckers have had enough and run",
                };
                self.tell("manage_combat", json!({"action": "end", "outcome": outcome})).await?;
                return self.both_were_hurt(&status);
            }
            self.act().await?;
            let status = self.status().await?;
            if !self.side_is_down(&status) {
                self.tell_turn().await?;
            }
        }
    }

    /// The current combatant attacks the first of the other side who is not defeated.
    async fn act(&mut self) -> Result<(), Failed> {
        let status = self.status().await?;
        let current = status.get("current").and_then(Value::as_str).unwrap_or_default().to_owned();
        let foe = current.starts_with("Wrecker");
        let fighter = match current.as_str() {
            "Jory Penrake" => Fighter { skill: "Melee", damage: "1d12 + 2", kind: "piercing", armour_opposite: 10 },
            "Sabeth Quoin" => Fighter { skill: "Aim", damage: "1d8", kind: "piercing", armour_opposite: 10 },
            _ => Fighter { skill: "Melee", damage: "1d6 + 1", kind: "bludgeoning", armour_opposite: 12 },
        };
        let Some(target) = first_up(&status, if foe { "players" } else { "foes" }) else { return Ok(()) };
        let mut call = json!({"skill": fighter.skill, "character": current, "difficulty": fighter.armour_opposite,
            "context": format!("at {target}")});
        if let (true, Some(call)) = (foe, call.as_object_mut()) {
            // The Wrecker's description says +3: 1 from Strength, 2 from habit.
            call.insert("modifier".to_owned(), json!(2));
        }
        let reply = self.tell("skill_check", call).await?;
        if matches!(reply.get("outcome").and_then(Value::as_str), Some("success" | "critical_success")) {
            self.hurt(&target, fighter.damage, fighter.kind, &format!("{current}'s hit")).await?;
        }
        Ok(())
    }

    /// Rolls the damage and applies that very roll.
    async fn hurt(&mut self, target: &str, dice: &str, kind: &str, why: &str) -> Result<(), Failed> {
        let roll = self.tell("roll_dice", json!({"expression": dice, "context": format!("{why} on {target}")})).await?;
        let call = json!({"target": target, "roll": number(&roll, "log"), "damage_type": kind, "reason": why});
        self.tell("apply_damage", call).await.map(drop)
    }

    async fn tell_turn(&mut self) -> Result<Map<String, Value>, Failed> {
        self.tell("manage_combat", json!({"action": "next_turn"})).await
    }

    async fn status(&self) -> Result<Map<String, Value>, Failed> {
        self.server.call("manage_combat", json!({"action": "status"})).await
    }

    fn side_is_down(&self, status: &Map<String, Value>) -> bool {
        count_up(status, "foes") == 0 || count_up(status, "players") == 0
    }

    /// The wave saw to it that nobody left the fight dry; if somebody did, damage was lost.
    fn both_were_hurt(&self, status: &Map<String, Value>) -> Result<(), Failed> {
        let unhurt = places(status).find(|place| {
            let health = text(place, "health");
            health.split_once('/').is_some_and(|(now, max)| now == max)
        });
        match unhurt {
            Some(place) => Err(format!("{} was hit by the wave and has no wound", text(place, "name"))),
            None => Ok(()),
        }
    }
}

/// Everybody in the order of a fight.
fn places(status: &Map<String, Value>) -> impl Iterator<Item = &Value> {
    status.get("order").and_then(Value::as_array).into_iter().flatten()
}

/// Their names.
fn order(status: &Map<String, Value>) -> Vec<String> {
    places(status).map(|place| text(place, "name").to_owned()).collect()
}

fn up(place: &&Value, side: &str) -> bool {
    text(place, "side") == side && place.get("defeated").and_then(Value::as_bool) != Some(true)
}

/// How many of a side are not defeated.
fn count_up(status: &Map<String, Value>, side: &str) -> usize {
    places(status).filter(|place| up(place, side)).count()
}

/// The first of a side who is not defeated.
fn first_up(status: &Map<String, Value>, side: &str) -> Option<String> {
    places(status).find(|place| up(place, side)).map(|place| text(place, "name").to_owned())
}
