//! A client of our own: what the demo and the story tests play through, so that they see what any client sees.

use rmcp::model::{CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, Implementation};
use rmcp::service::{ClientInitializeError, RunningService};
use rmcp::{RoleClient, ServiceExt};
use serde_json::{Map, Value};
use tokio::io::{AsyncRead, AsyncWrite};

/// A connected client.
pub struct Client {
    service: RunningService<RoleClient, ClientConfig>,
}

/// Why nothing came of saying hello, without the words of the program that runs it.
fn unanswered(error: &ClientInitializeError) -> String {
    match error {
        ClientInitializeError::ConnectionClosed(_) | ClientInitializeError::TransportError { .. } => {
            "it ended, or closed its input or output".to_owned()
        }
        ClientInitializeError::JsonRpcError(refused) => format!("it refuses to begin ({})", refused.message),
        _ => "what it said does not begin the protocol".to_owned(),
    }
}

/// A call that was not carried out.
#[derive(Debug, Clone, PartialEq)]
pub enum CallFailed {
    /// The tool refused: code, summary and what to send instead.
    Refused(Map<String, Value>),
    /// The protocol or the connection failed.
    Broken(String),
}

impl Client {
    /// Connects over the server's two ends and says hello (`initialize`).
    /// Errors: When the server does not answer as one.
    pub async fn connect<R, W>(read: R, write: W) -> Result<Client, String>
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let implementation = Implementation::new("rollbook", env!("CARGO_PKG_VERSION"));
        let config = ClientConfig::new(ClientCapabilities::default(), implementation);
        let service = config.serve((read, write)).await;
        Ok(Client { service: service.map_err(|error| format!("the server did not answer: {}", unanswered(&error)))? })
    }

    /// The server's name and version, as it says them.
    pub fn server(&self) -> Option<String> {
        let info = self.service.peer_info()?;
        let server = info.server_info.as_ref()?;
        Some(format!("{} {}", server.name, server.version))
    }

    /// Calls a tool; answers its structured content.
    /// Errors: [`CallFailed::Refused`] with the refusal, [`CallFailed::Broken`] when no result came.
    pub async fn call(&self, tool: &str, arguments: Value) -> Result<Map<String, Value>, CallFailed> {
        let mut request = CallToolRequestParams::new(tool.to_owned());
        if let Value::Object(arguments) = arguments {
            request.arguments = Some(arguments);
        }
        let result = self.service.call_tool(request).await.map_err(|error| CallFailed::Broken(error.to_string()))?;
        structured(result)
    }

    /// The names of the server's tools.
    /// Errors: When no list came.
    pub async fn tools(&self) -> Result<Vec<String>, CallFailed> {
        let tools = self.service.list_all_tools().await.map_err(|error| CallFailed::Broken(error.to_string()))?;
        Ok(tools.into_iter().map(|tool| tool.name.into_owned()).collect())
    }

    /// Says goodbye; the server's end of input.
    pub async fn close(self) {
        let _ = self.service.cancel().await;
    }
}

fn structured(result: CallToolResult) -> Result<Map<String, Value>, CallFailed> {
    let refused = result.is_error == Some(true);
    match result.structured_content {
        Some(Value::Object(content)) if refused => Err(CallFailed::Refused(content)),
        Some(Value::Object(content)) => Ok(content),
        _ => Err(CallFailed::Broken("the result has no structured content".to_owned())),
    }
}
