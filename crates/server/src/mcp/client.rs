//! A client of our own: what the demo and the story tests play through, so that they see what any
//! client sees; and what the tools of others are called through.

use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, ClientRequest,
    Implementation, ListToolsRequest, PaginatedRequestParams, ServerResult, Tool,
};
use rmcp::service::{ClientInitializeError, RunningService};
use rmcp::{RoleClient, ServiceExt};
use serde::Deserialize as _;
use serde_json::{Map, Value, json};
use tokio::io::{AsyncRead, AsyncWrite};

use rollbook_table::tools::External;
use rollbook_text::names::quoted;

/// Pages of a list of tools that are read; a server could go on for ever.
const PAGES_MAX: usize = 20;

/// A connected client.
pub struct Client {
    service: RunningService<RoleClient, ClientConfig>,
}

/// Why nothing came of saying hello, without the words of the program that runs it.
fn unanswered(error: &ClientInitializeError) -> String {
    match error {
        ClientInitializeError::ConnectionClosed(_)
        | ClientInitializeError::TransportError { .. } => {
            "it ended, or closed its input or output".to_owned()
        }
        ClientInitializeError::JsonRpcError(refused) => {
            format!("it refuses to begin ({})", refused.message)
        }
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
        Ok(Client {
            service: service
                .map_err(|error| format!("the server did not answer: {}", unanswered(&error)))?,
        })
    }

    /// The server's name and version, as it says them.
    pub fn server(&self) -> Option<String> {
        let info = self.service.peer_info()?;
        let server = info.server_info.as_ref()?;
        Some(format!("{} {}", server.name, server.version))
    }

    /// Calls a tool; answers its structured content. Errors: [`CallFailed::Refused`] with the
    /// refusal, [`CallFailed::Broken`] when no result came.
    pub async fn call(
        &self,
        tool: &str,
        arguments: Value,
    ) -> Result<Map<String, Value>, CallFailed> {
        let mut request = CallToolRequestParams::new(tool.to_owned());
        if let Value::Object(arguments) = arguments {
            request.arguments = Some(arguments);
        }
        let result = self
            .service
            .call_tool(request)
            .await
            .map_err(|error| CallFailed::Broken(error.to_string()))?;
        structured(result)
    }

    /// The names of the server's tools.
    /// Errors: When no list came.
    pub async fn tools(&self) -> Result<Vec<String>, CallFailed> {
        let tools = self
            .service
            .list_all_tools()
            .await
            .map_err(|error| CallFailed::Broken(error.to_string()))?;
        Ok(tools
            .into_iter()
            .map(|tool| tool.name.into_owned())
            .collect())
    }

    /// The server's tools with their words and schemas, in that category; of one that cannot be
    /// read, which it is and why. Errors: When no list came.
    pub async fn described(
        &self,
        category: &str,
    ) -> Result<Vec<Result<External, String>>, CallFailed> {
        let (mut all, mut cursor) = (Vec::new(), None);
        for _ in 0..PAGES_MAX {
            let page =
                ListToolsRequest::with_param(PaginatedRequestParams::default().with_cursor(cursor));
            let sent = self
                .service
                .send_request(ClientRequest::ListToolsRequest(page))
                .await;
            // A single tool of another shape makes a list of another shape, so each is read by
            // itself.
            let page = match sent.map_err(|error| CallFailed::Broken(error.to_string()))? {
                ServerResult::ListToolsResult(list) => json!(list),
                ServerResult::CustomResult(other) => other.0,
                _ => Value::Null,
            };
            let Some(tools) = page.get("tools").and_then(Value::as_array) else {
                return Err(CallFailed::Broken(
                    "what came is no list of tools".to_owned(),
                ));
            };
            all.extend(tools.iter().map(|tool| described(tool, category)));
            cursor = page
                .get("nextCursor")
                .and_then(Value::as_str)
                .map(str::to_owned);
            if cursor.is_none() {
                break;
            }
        }
        Ok(all)
    }

    /// Calls a tool of any server; answers its structured content where it has some, and its text as `summary`.
    /// Errors: [`CallFailed::Refused`] with the text of a result that is an error, [`CallFailed::Broken`] when no result came.
    pub async fn ask(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
    ) -> Result<Map<String, Value>, CallFailed> {
        let request = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let result = self
            .service
            .call_tool(request)
            .await
            .map_err(|error| CallFailed::Broken(error.to_string()))?;
        let texts: Vec<String> = result
            .content
            .iter()
            .filter_map(|block| Some(block.as_text()?.text.clone()))
            .collect();
        let mut answer = match result.structured_content {
            Some(Value::Object(fields)) => fields,
            Some(other) => Map::from_iter([("result".to_owned(), other)]),
            None => Map::new(),
        };
        answer.insert("summary".to_owned(), json!(texts.join("\n")));
        if result.is_error == Some(true) {
            Err(CallFailed::Refused(answer))
        } else {
            Ok(answer)
        }
    }

    /// Says goodbye; the server's end of input.
    pub async fn close(self) {
        let _ = self.service.cancel().await;
    }
}

fn described(tool: &Value, category: &str) -> Result<External, String> {
    let name = tool.get("name").and_then(Value::as_str).unwrap_or_default();
    let tool: Tool = Tool::deserialize(tool)
        .map_err(|error| format!("\"{}\" is no tool: {error}", quoted(name)))?;
    let hints = tool.annotations.unwrap_or_default();
    Ok(External {
        title: tool
            .title
            .or(hints.title)
            .unwrap_or_else(|| tool.name.to_string()),
        name: tool.name.into_owned(),
        description: tool.description.unwrap_or_default().into_owned(),
        category: category.to_owned(),
        input: tool.input_schema.as_ref().clone(),
        output: Map::new(),
        read_only: hints.read_only_hint == Some(true),
        destructive: hints.destructive_hint == Some(true),
    })
}

fn structured(result: CallToolResult) -> Result<Map<String, Value>, CallFailed> {
    let refused = result.is_error == Some(true);
    match result.structured_content {
        Some(Value::Object(content)) if refused => Err(CallFailed::Refused(content)),
        Some(Value::Object(content)) => Ok(content),
        _ => Err(CallFailed::Broken(
            "the result has no structured content".to_owned(),
        )),
    }
}
