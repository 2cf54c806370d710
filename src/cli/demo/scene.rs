//! The scene: the harbour-master's lock, something breathing behind the door, and a fight in rising water.

use serde_json::{Map, Value, json};

use super::server::Server;
use super::transcript::Transcript;
use crate::cli::Failed;

/// Words that players must never find in their copy of the log.
pub const HIDDEN_CONTEXT: &str = "do they hear the breathing?";
/// A note for the GM that players must never find either.
pub const HIDDEN_NOTE: &str = "his grandmother is Mag Sorley's aunt";

/// Rounds after which the foes have had enough, so that every evening ends.
const ROUNDS_MAX: u64 = 30;

/// A server being played.
pub struct Scene<'a> {
    pub server: Server,
    out: &'a mut Transcript,
    /// The last receipt.
    pub receipt: String,
}

/// Who strikes how: skill, damage, and the number to reach on whoever stands opposite.
struct Fighter {
    skill: &'static str,
    damage: &'static str,
    kind: &'static str,
    armour_opposite: i64,
}

impl<'a> Scene<'a> {
    /// A scene on that server.
    pub fn new(server: Server, out: &'a mut Transcript) -> Self {
        Scene { server, out, receipt: String::new() }
    }

    /// Two of the ready-made characters.
    pub async fn make_characters(&mut self) -> Result<(), Failed> {
        self.out.heading("Two lodgers of the Low Ward")?;
        self.tell("manage_session", json!({"action": "start", "title": "The dark lamp"})).await?;
        let jory = json!({"action": "create", "name": "Jory Penrake",
            "attributes": {"STR": 15, "DEX": 12, "CON": 14, "INT": 8, "WIS": 13, "CHA": 10},
            "skills": {"Melee": 3, "Athletics": 2, "Endurance": 2, "Perception": 2},
            "notes": "Dock porter. Boat hook, leather coat (Armour 12).", "gm_notes": HIDDEN_NOTE});
        let sabeth = json!({"action": "create", "name": "Sabeth Quoin",
            "attributes": {"STR": 8, "DEX": 15, "CON": 12, "INT": 14, "WIS": 13, "CHA": 10},
            "skills": {"Lockpicking": 3, "Stealth": 2, "Engineering": 2, "Aim": 2},
            "notes": "Locksmith. Crossbow, leather coat (Armour 12)."});
        for character in [jory, sabeth] {
            let reply = self.tell("manage_character", character).await?;
            let sheet = reply.get("sheet").and_then(Value::as_str).unwrap_or_default();
            let hit_points = sheet.lines().find(|line| line.contains("Hit points")).unwrap_or_default();
            self.out.gm(&format!(
                "      {}, worked out from System.md",
                hit_points.trim_start_matches("- ").replace("**", "")
            ))?;
        }
        Ok(())
    }

    /// A check everybody sees.
    pub async fn pick_the_lock(&mut self) -> Result<(), Failed> {
        self.out.heading("The harbour-master's lock")?;
        self.out.gm("The door is tarred oak, and the lock is newer than the door.")?;
        let call = json!({"skill": "Lockpicking", "character": "Sabeth Quoin", "difficulty": 15, "context": "the harbour-master's lock"});
        let reply = self.tell("skill_check", call).await?;
        let parts: Vec<String> = reply
            .get("modifiers")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .map(|part| {
                format!(
                    "{} {:+} ({})",
                    text(part, "name"),
                    part.get("value").and_then(Value::as_i64).unwrap_or(0),
                    text(part, "from")
                )
            })
            .collect();
        self.out.gm(&format!("      {}", parts.join(", ")))?;
        self.out.gm(match reply.get("outcome").and_then(Value::as_str) {
            Some("success" | "critical_success") => "The last pin lifts. Nobody heard.",
            _ => "The pick snaps, and somebody inside stops talking. Jory leans on the door until it gives.",
        })
    }

    /// A roll the players must not know of.
    pub async fn listen_in_secret(&mut self) -> Result<(), Failed> {
        self.out.heading("Behind the screen")?;
        let call = json!({"skill": "Perception", "character": "Jory Penrake", "difficulty": 12, "visibility": "gm",
            "context": HIDDEN_CONTEXT});
        let reply = self.tell("skill_check", call).await?;
        if reply.contains_key("player_text") {
            return Err("a hidden roll has words for the players".to_owned());
        }
        Ok(())
    }

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
                let outcome = match standing(&status, "foes") {
                    0 => "the wreckers are down, and the Mess is quiet",
                    _ if standing(&status, "players") == 0 => "the wreckers drag two wet heroes to the cellar",
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

    /// What must be the same before and after a kill.
    pub async fn snapshot(&self) -> Result<Map<String, Value>, Failed> {
        let mut snapshot = self.server.call("manage_combat", json!({"action": "status"})).await?;
        for name in ["Jory Penrake", "Sabeth Quoin"] {
            let sheet = self.server.call("get_character", json!({"character": name})).await?;
            snapshot.insert(name.to_owned(), Value::Object(sheet));
        }
        Ok(snapshot)
    }

    /// The GM closes the book.
    pub async fn end_of_session(&mut self) -> Result<(), Failed> {
        self.out.heading("Midnight")?;
        self.tell("manage_session", json!({"action": "end"})).await?;
        let status = self.server.call("manage_session", json!({"action": "status"})).await?;
        for line in status.get("party").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
            self.out.gm(line)?;
        }
        Ok(())
    }

    /// The current combatant strikes at the first of the other side who stands.
    async fn act(&mut self) -> Result<(), Failed> {
        let status = self.status().await?;
        let current = status.get("current").and_then(Value::as_str).unwrap_or_default().to_owned();
        let foe = current.starts_with("Wrecker");
        let fighter = match current.as_str() {
            "Jory Penrake" => Fighter { skill: "Melee", damage: "1d12 + 2", kind: "piercing", armour_opposite: 10 },
            "Sabeth Quoin" => Fighter { skill: "Aim", damage: "1d8", kind: "piercing", armour_opposite: 10 },
            _ => Fighter { skill: "Melee", damage: "1d6 + 1", kind: "bludgeoning", armour_opposite: 12 },
        };
        let Some(target) = first_standing(&status, if foe { "players" } else { "foes" }) else { return Ok(()) };
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

    /// Calls a tool and prints what it said.
    async fn tell(&mut self, tool: &str, call: Value) -> Result<Map<String, Value>, Failed> {
        let reply = self.server.call(tool, call).await?;
        if let Some(receipt) = reply.get("receipt").and_then(Value::as_str) {
            self.receipt = receipt.to_owned();
        }
        self.out.reply(&reply)?;
        Ok(reply)
    }

    fn side_is_down(&self, status: &Map<String, Value>) -> bool {
        standing(status, "foes") == 0 || standing(status, "players") == 0
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

fn places(status: &Map<String, Value>) -> impl Iterator<Item = &Value> {
    status.get("order").and_then(Value::as_array).into_iter().flatten()
}

fn order(status: &Map<String, Value>) -> Vec<String> {
    places(status).map(|place| text(place, "name").to_owned()).collect()
}

fn up(place: &&Value, side: &str) -> bool {
    text(place, "side") == side && place.get("defeated").and_then(Value::as_bool) != Some(true)
}

fn standing(status: &Map<String, Value>, side: &str) -> usize {
    places(status).filter(|place| up(place, side)).count()
}

fn first_standing(status: &Map<String, Value>, side: &str) -> Option<String> {
    places(status).find(|place| up(place, side)).map(|place| text(place, "name").to_owned())
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn number(reply: &Map<String, Value>, name: &str) -> u64 {
    reply.get(name).and_then(Value::as_u64).unwrap_or(0)
}
