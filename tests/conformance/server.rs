//! `conformance ADVENTURE DATABASE`: Rollbook's endpoint over HTTP with the tools, prompts and
//! resources of the protocol's official conformance suite beside its own, on a free port of this
//! computer, for `tests/conformance/run --fixtures`.

mod fixtures;
mod shapes;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::routing::any;
use rollbook_server::http::BODY_MAX;
use rollbook_server::mcp::Server;
use rollbook_server::mcp::http::Endpoint;
use rollbook_table::session::Host;
use rollbook_table::session::adventure::Adventure;
use rollbook_table::tools::Registry;
use tokio::net::TcpListener;

use crate::fixtures::Fixtures;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(adventure), Some(database)) = (arguments.next(), arguments.next()) else {
        return Err("conformance takes an adventure's folder and a database".into());
    };
    let adventure = Adventure::read(Path::new(&adventure))?;
    rollbook::migrations::MIGRATIONS.hand_down();
    let host = Arc::new(Host::of_this_computer(
        adventure,
        PathBuf::from(database),
        None,
    ));
    let server = Server::new(host.clone(), Arc::new(Registry::default()));
    let endpoint = Endpoint::with_handler(&host, BODY_MAX, move || Fixtures(server.for_another()));
    let answer = |State(endpoint): State<Endpoint<Fixtures>>, request: Request| async move {
        endpoint.answer(None, request).await
    };
    let app = Router::new()
        .route("/mcp", any(answer))
        .with_state(endpoint);
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    eprintln!("rollbook serves http://{}/mcp", listener.local_addr()?);
    axum::serve(listener, app).await?;
    Ok(())
}
