//! What the server says of itself: its name, its picture, what it can do, and what an assistant
//! should know.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use rmcp::model::{Icon, Implementation, ServerCapabilities, ServerConfig};

use rollbook_table::session::Seat;
use rollbook_table::tools::{INSTRUCTIONS, PLAYER_INSTRUCTIONS, Registry};

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
pub fn about(tools: &Registry) -> ServerConfig {
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
    info.instructions = Some(instructions(tools, None));
    info
}

/// What the assistant of a seat is told; where some of the seat's tools are off, which there are.
pub fn instructions(tools: &Registry, seat: Option<&Seat>) -> String {
    let whole = if seat.is_some_and(Seat::is_player) {
        PLAYER_INSTRUCTIONS
    } else {
        INSTRUCTIONS
    };
    let (all, seat_tools) = (Registry::default(), tools.of_seat(seat));
    if all
        .of_seat(seat)
        .iter()
        .all(|tool| seat_tools.iter().any(|of_seat| of_seat.name == tool.name))
    {
        return whole.to_owned();
    }
    let names: Vec<&str> = seat_tools.iter().map(|tool| &*tool.name).collect();
    // Before the rest: clients cut what is too long at its end.
    format!(
        "Of these tools this server has only: {}.\n\n{whole}",
        names.join(", ")
    )
}

fn icon() -> Icon {
    let picture = utf8_percent_encode(ICON.trim(), NOT_IN_ADDRESSES);
    Icon::new(format!("data:image/svg+xml,{picture}"))
        .with_mime_type("image/svg+xml")
        .with_sizes(vec!["any".to_owned()])
}
