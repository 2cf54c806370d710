//! The scene: the harbour-master's lock, something breathing behind the door, and a fight in rising water.

use serde_json::{Map, Value, json};

use super::server::Server;
use super::server::text;
use super::transcript::Transcript;
use crate::cli::output::Failed;

/// Words that players must never find in their copy of the log.
pub const HIDDEN_CONTEXT: &str = "do they hear the breathing?";
/// A note for the GM that players must never find either.
pub const HIDDEN_NOTE: &str = "his grandmother is Mag Sorley's aunt";

/// A server being played.
pub struct Scene<'a> {
    pub server: Server,
    pub(super) out: &'a mut Transcript,
    /// The last receipt.
    pub receipt: String,
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

    /// Calls a tool and prints its reply.
    pub(super) async fn tell(&mut self, tool: &str, call: Value) -> Result<Map<String, Value>, Failed> {
        let reply = self.server.call(tool, call).await?;
        if let Some(receipt) = reply.get("receipt").and_then(Value::as_str) {
            self.receipt = receipt.to_owned();
        }
        self.out.reply(&reply)?;
        Ok(reply)
    }
}
