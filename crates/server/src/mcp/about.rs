//! What the server says of itself: its name, its picture, what it can do, and what an assistant
//! should know.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use rmcp::model::{Icon, Implementation, ServerCapabilities, ServerConfig};

use rollbook_rules::System;
use rollbook_table::session::Seat;
use rollbook_table::tools::{self, INSTRUCTIONS_MAX, PLAYER_INSTRUCTIONS, Registry};

/// A die with twenty sides, for clients that show a picture of a server.
const ICON: &str = include_str!("icon.svg");
/// What an address cannot hold as it is.
const NOT_IN_ADDRESSES: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>');

/// What the server is and can do.
pub fn about() -> ServerConfig {
    let capabilities = ServerCapabilities::builder()
        .enable_tools()
        .enable_resources()
        .enable_resources_list_changed()
        .enable_prompts()
        .enable_completions()
        .build();
    let mut about = Implementation::new("rollbook", env!("CARGO_PKG_VERSION"));
    about.title = Some("Rollbook".to_owned());
    about.icons = Some(vec![icon()]);
    let mut info = ServerConfig::new(capabilities);
    info.server_info = about;
    info
}

/// What the assistant of a seat is told, by the rules at hand; where some of the seat's tools are
/// off, which there are.
pub fn instructions(registry: &Registry, seat: Option<&Seat>, system: &System) -> String {
    let (all, seat_tools) = (Registry::default(), registry.of_seat(seat));
    let is_on = |name: &str| seat_tools.iter().any(|tool| tool.name == name);
    // Before the rest: clients cut what is too long at its end.
    let only = match all.of_seat(seat).iter().all(|tool| is_on(&tool.name)) {
        true => String::new(),
        false => {
            let names: Vec<&str> = seat_tools.iter().map(|tool| &*tool.name).collect();
            format!(
                "Of these tools this server has only: {}.\n\n",
                names.join(", ")
            )
        }
    };
    let room = INSTRUCTIONS_MAX.saturating_sub(only.len());
    let whole = match seat.is_some_and(Seat::is_player) {
        true => PLAYER_INSTRUCTIONS.to_owned(),
        false => tools::instructions(system, room),
    };
    format!("{only}{whole}")
}

fn icon() -> Icon {
    let picture = utf8_percent_encode(ICON.trim(), NOT_IN_ADDRESSES);
    Icon::new(format!("data:image/svg+xml,{picture}"))
        .with_mime_type("image/svg+xml")
        .with_sizes(vec!["any".to_owned()])
}
