//! Playing line by line on a throw-away campaign, and the playtest that the lines make.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Map, Value};

use super::arguments::faces;
use super::character::character;
use super::compare::{differs, rewritten, shape};
use super::read::{Step, expectation, typed, word};
use super::run::host;
use super::tray::Tray;
use crate::session::adventure::Adventure;
use crate::session::{CallError, Host};
use crate::tools::reply;
use rollbook_game::refusal::Code;
use rollbook_rules::System;
use rollbook_text::diagnostic::{Diagnostic, FileId, Span};

/// Fields that a recorded playtest expects, where a reply has them; else its summary.
const RECORDED: [&str; 8] = [
    "outcome",
    "label",
    "margin",
    "total",
    "successes",
    "incapacitated",
    "round",
    "current",
];

/// A throw-away campaign that is played line by line and records a playtest.
pub struct Interactive {
    system: System,
    host: Host,
    tray: Tray,
    /// Faces that fall before any other.
    next: Vec<i64>,
    last: Option<Map<String, Value>>,
    recorded: String,
}

#[derive(Debug, Default, PartialEq)]
pub struct Response {
    pub text: String,
    /// Whether the line was understood and held.
    pub fine: bool,
}

impl Response {
    fn fine(text: impl Into<String>) -> Response {
        Response {
            text: text.into(),
            fine: true,
        }
    }

    fn wrong(found: &Diagnostic) -> Response {
        let help: String = found
            .help
            .iter()
            .map(|help| format!("\n  {help}"))
            .collect();
        Response {
            text: format!("{}{help}", found.message),
            fine: false,
        }
    }
}

impl Interactive {
    /// A fresh campaign whose database lies in `folder`; these faces fall first, then real dice do.
    pub fn new(adventure: &Adventure, folder: &Path, dice: Vec<i64>) -> Interactive {
        let tray = Tray::pinned_then_real();
        let host = host(adventure, folder, &tray, "try");
        let (system, recorded) = (adventure.reading.system.clone(), String::new());
        Interactive {
            system,
            host,
            tray,
            next: dice,
            last: None,
            recorded,
        }
    }

    /// Does what one line says. `dice` comes before the call whose dice it says.
    pub async fn line(&mut self, line: &str) -> Response {
        let line = line.trim();
        let span = Span::new(FileId(0), 0..line.len());
        if line.is_empty() || line.starts_with('#') {
            return Response::fine("");
        }
        if let Some(rest) = word(line, "dice") {
            return match faces(rest) {
                Ok(faces) => {
                    self.next.extend(faces);
                    Response::fine("")
                }
                Err(word) => Response {
                    text: format!("`{word}` is no face of a die: dice 13 4 6"),
                    fine: false,
                },
            };
        }
        if line.starts_with(['=', '!']) {
            return self.compared(line, span);
        }
        let read = match word(line, "character") {
            Some(rest) => character(rest.trim(), span, &self.system),
            None => typed(line.strip_prefix('>').unwrap_or(line).trim(), span),
        };
        match read {
            Ok(step) => self.made(&step, line).await,
            Err(found) => Response::wrong(&found),
        }
    }

    /// The lines of a playtest of what was done and what came of it; empty when nothing was done.
    pub fn recorded(&self) -> &str {
        &self.recorded
    }

    /// Closes the campaign; its folder can be removed then.
    pub async fn close(self) {
        self.host.close().await;
    }

    async fn made(&mut self, step: &Step, line: &str) -> Response {
        self.tray.lay(&self.next);
        let answer = step.tool.call(&self.host, step.arguments.clone()).await;
        self.next = self.tray.left();
        if let Some(problem) = self.tray.problem() {
            // The given faces do not fit the dice, so they are not kept for the next call.
            self.next.clear();
            return Response {
                text: format!("{problem} Nothing was rolled."),
                fine: false,
            };
        }
        let (reply, code) = match answer {
            Ok(reply) => (reply, None),
            Err(CallError::Refusal(refusal)) => (reply::refused(&refusal), Some(refusal.code)),
            Err(CallError::Failure(reason)) => {
                return Response {
                    text: format!("The program failed: {reason}"),
                    fine: false,
                };
            }
        };
        self.record(line, &reply, code.map(Code::as_str));
        let summary = reply
            .get("summary")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let text = match &code {
            Some(code) => format!("refused ({code}): {summary}"),
            None => format!("{summary}{}\n  {}", noted(&reply), shape(&reply)),
        };
        self.last = Some(reply);
        Response::fine(text)
    }

    fn compared(&self, line: &str, span: Span) -> Response {
        let Some(reply) = &self.last else {
            return Response {
                text: "There is no reply yet: make a call first.".to_owned(),
                fine: false,
            };
        };
        if let Some(code) = line.strip_prefix('!') {
            let came = reply
                .get("code")
                .and_then(Value::as_str)
                .unwrap_or("nothing");
            return match came == code.trim() {
                true => Response::fine("holds"),
                false => Response {
                    text: format!("refused with {came}, not with {}", code.trim()),
                    fine: false,
                },
            };
        }
        match expectation(line.trim_start_matches('=').trim_start(), span) {
            Ok(expected) => match differs(&expected, reply, span) {
                Some((found, _)) => Response::wrong(&found),
                None => Response::fine("holds"),
            },
            Err(found) => Response::wrong(&found),
        }
    }

    fn record(&mut self, line: &str, reply: &Map<String, Value>, code: Option<&str>) {
        let typed = line.strip_prefix('>').unwrap_or(line).trim();
        let mark = if word(typed, "character").is_some() {
            ""
        } else {
            "> "
        };
        let out = &mut self.recorded;
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{mark}{typed}");
        let drawn = self.tray.drawn();
        if !drawn.is_empty() {
            let faces: Vec<String> = drawn.iter().map(i64::to_string).collect();
            let _ = writeln!(out, "dice {}", faces.join(" "));
        }
        if let Some(code) = code {
            let _ = writeln!(out, "! {code}");
        } else if !mark.is_empty() {
            let mut fields = RECORDED
                .into_iter()
                .filter(|field| reply.contains_key(*field))
                .peekable();
            let summary = if fields.peek().is_none() {
                Some("summary")
            } else {
                None
            };
            for field in fields.chain(summary) {
                if let Some(value) = reply.get(field) {
                    let _ = writeln!(out, "= {field}: {}", rewritten(value, false));
                }
            }
        }
    }
}

fn noted(reply: &Map<String, Value>) -> String {
    let notes = reply
        .get("noted")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str);
    notes.map(|note| format!("\n  noted: {note}")).collect()
}
