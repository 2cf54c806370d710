//! The tools as rmcp serves them.
//!
//! rmcp moves the future of a request some ten times, whatever the request is, and it is as large as
//! the largest of them: so what handlers await lies on the heap.

use std::convert::Infallible;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rmcp::model::{
    CallToolRequestMethod, CallToolRequestParams, CallToolResponse, CallToolResult,
    CompleteRequestMethod, CompleteRequestParams, CompleteResult, ConstString, ContentBlock,
    CustomRequest, CustomResult, DiscoverResult, ErrorCode, ErrorData, Extensions,
    GetPromptRequestMethod, GetPromptRequestParams, GetPromptResponse, InitializeRequestParams,
    InitializeResult, InitializeResultMethod, ListPromptsRequestMethod, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesRequestMethod, ListResourcesResult,
    ListToolsRequestMethod, ListToolsResult, PaginatedRequestParams, PingRequestMethod,
    ProgressNotificationParam, ProtocolVersion, ReadResourceRequestMethod,
    ReadResourceRequestParams, ReadResourceResponse, ServerConfig, SubscriptionFilter, Tool,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Map, Value, json};

use super::about::{about, instructions};
use super::elicit::{Asked, Asking, not_followed};
use super::listing::Listing;
use super::resources::Asker;
use super::{completion, prompts, resources};
use rollbook_game::refusal::Refusal;
use rollbook_table::session::{CallError, Caller, Host, Seat};
use rollbook_table::tools::{Answered, Form, Registry, ToolEntry, reply};
use rollbook_text::names::quoted;

/// How often a client is told that a call still runs.
const PROGRESS_EVERY: Duration = Duration::from_secs(2);
/// Where Claude Code sends its own id of a call.
const CALL_ID: &str = "claudecode/toolUseId";

/// A server for one host; clones share it.
#[derive(Clone)]
pub struct Server {
    host: Arc<Host>,
    tools: Arc<Registry>,
    shown: Arc<Shown>,
    listing: Arc<Listing>,
}

/// What clients are told of the server, once they asked; over HTTP each call asks for its own tool,
/// and rmcp for what the server is.
#[derive(Default)]
struct Shown {
    about: OnceLock<ServerConfig>,
    of_gm: OnceLock<Vec<Tool>>,
    of_players: OnceLock<Vec<Tool>>,
}

impl Server {
    fn asker<'a>(&'a self, seat: &'a Option<Arc<Seat>>) -> Asker<'a> {
        Asker {
            host: &self.host,
            seat: seat.as_ref(),
        }
    }

    /// A server for that host, with these tools.
    pub fn new(host: Arc<Host>, tools: Arc<Registry>) -> Self {
        Server {
            host,
            tools,
            shown: Arc::default(),
            listing: Arc::default(),
        }
    }

    /// The same server for another client.
    pub fn for_another(&self) -> Self {
        Server {
            listing: Arc::default(),
            ..self.clone()
        }
    }

    async fn instructions(&self, context: &RequestContext<RoleServer>) -> String {
        Box::pin(self.host.reload_if_changed()).await;
        let (seat, adventure) = (seat(&context.extensions), self.host.adventure());
        instructions(&self.tools, seat.as_deref(), &adventure.reading.system)
    }

    fn shown(&self, seat: Option<&Seat>) -> &[Tool] {
        let shown = if seat.is_some_and(Seat::is_player) {
            &self.shown.of_players
        } else {
            &self.shown.of_gm
        };
        shown.get_or_init(|| {
            self.tools
                .of_seat(seat)
                .iter()
                .map(|entry| tool(entry))
                .collect()
        })
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        self.shown.about.get_or_init(about).clone()
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        context.peer.set_peer_info(request.clone());
        let mut result = self.negotiate_initialize(&request)?;
        result.instructions = Some(Box::pin(self.instructions(&context)).await);
        Ok(result)
    }

    async fn on_initialized(&self, _: NotificationContext<RoleServer>) {
        Box::pin(self.host.prepare()).await;
    }

    async fn discover(
        &self,
        context: RequestContext<RoleServer>,
    ) -> Result<DiscoverResult, ErrorData> {
        let versions = self.supported_protocol_versions().into_owned();
        let mut result = DiscoverResult::from_server_info(versions, self.get_info());
        result.instructions = Some(Box::pin(self.instructions(&context)).await);
        Ok(result)
    }

    async fn list_tools(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        one_page(page)?;
        let seat = seat(&context.extensions);
        Ok(ListToolsResult::with_all_items(
            self.shown(seat.as_deref()).to_vec(),
        ))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let tool = request.name.clone();
        let answer = async {
            let seat = seat(&context.extensions);
            let entry = self
                .tools
                .for_seat(seat.as_deref(), &request.name)
                .map_err(|refusal| {
                    let names: Vec<&str> = self
                        .tools
                        .of_seat(seat.as_deref())
                        .iter()
                        .map(|tool| &*tool.name)
                        .collect();
                    ErrorData::invalid_params(refusal.summary, Some(json!({"tools": names})))
                })?;
            // A call that was cancelled is not dropped half-way: it ends by itself, at once where
            // it waits.
            let call_id = context
                .meta
                .get(CALL_ID)
                .and_then(Value::as_str)
                .map(str::to_owned);
            let caller = Caller {
                gone: context.ct.clone(),
                call_id,
                ..Caller::of(seat)
            };
            let call = async |arguments| {
                let answer = Box::pin(entry.call_for(caller.clone(), &self.host, arguments)).await;
                if !entry.read_only {
                    Box::pin(self.listing.look(&self.host)).await;
                }
                answer
            };
            let mut arguments = request.arguments.unwrap_or_default();
            let (responses, state) = (
                request.input_responses.as_ref(),
                request.request_state.as_deref(),
            );
            let mut asking =
                match Asking::begin(&mut arguments, responses, state, self.host.questions) {
                    Ok(asking) => asking,
                    Err(declined) => {
                        return Ok(refused(&declined, knows_structure(&context)).into());
                    }
                };
            let mut unfollowed = None;
            if let Some(follow_up) = asking.follow_up(&arguments) {
                entry.let_again(&caller);
                match call(follow_up).await {
                    // The roll is made, and the call that made it answers it again.
                    Err(CallError::Refusal(refusal)) if arguments.contains_key("request_id") => {
                        unfollowed = Some(refusal);
                    }
                    answer => return result(entry, answer, &context),
                }
            }
            asking.remember(&entry.name, &self.host, &mut arguments, &context);
            loop {
                let answer = call(arguments.clone()).await;
                match &answer {
                    Err(CallError::Refusal(refusal)) => {
                        let asked = match &refusal.aside.choice {
                            Some(choice) => {
                                Box::pin(asking.ask(choice, &arguments, &context)).await
                            }
                            None => Asked::Nobody,
                        };
                        match asked {
                            Asked::Answer(parameter, word) => {
                                arguments.insert(parameter, word.into());
                                continue;
                            }
                            Asked::Later(question) => {
                                return Ok(CallToolResponse::InputRequired(question));
                            }
                            Asked::Declined(declined) => {
                                return Ok(refused(&declined, knows_structure(&context)).into());
                            }
                            Asked::Nobody => {}
                        }
                    }
                    Ok(made) => {
                        match Box::pin(asking.ask_to_follow(made, &arguments, &context)).await {
                            Some(Ok(follow_up)) => {
                                entry.let_again(&caller);
                                match call(follow_up).await {
                                    Err(CallError::Refusal(refusal)) => unfollowed = Some(refusal),
                                    answer => return result(entry, answer, &context),
                                }
                            }
                            Some(Err(question)) => {
                                return Ok(CallToolResponse::InputRequired(question));
                            }
                            None => {}
                        }
                    }
                    Err(CallError::Failure(_)) => {}
                }
                let answer = match unfollowed {
                    Some(refusal) => answer.map(|made| not_followed(made, &refusal)),
                    None => answer,
                };
                return result(entry, answer, &context);
            }
        };
        tokio::select! {
            answer = answer => answer,
            never = Box::pin(report_progress(&context, &tool)) => match never {},
        }
    }

    async fn list_prompts(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        one_page(page)?;
        // The prompts are the GM's: they lead through calls that no player's seat has.
        Ok(match sits_as_player(&context.extensions) {
            true => ListPromptsResult::default(),
            false => prompts::list(&self.tools),
        })
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        if sits_as_player(&context.extensions) {
            return Err(ErrorData::invalid_params(
                "A player's seat has no prompts.",
                None,
            ));
        }
        Box::pin(self.host.reload_if_changed()).await;
        let seat = seat(&context.extensions);
        Box::pin(prompts::get(self.asker(&seat), &self.tools, &request))
            .await
            .map(GetPromptResponse::Complete)
    }

    async fn list_resources(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        one_page(page)?;
        Box::pin(self.host.reload_if_changed()).await;
        let direct = context.meta.protocol_version().is_none();
        let resources = Box::pin(self.listing.asked(
            &self.host,
            seat(&context.extensions),
            direct.then(|| context.peer.clone()),
        ))
        .await;
        Ok(ListResourcesResult::with_all_items(resources))
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        let ours = SubscriptionFilter::builder()
            .resources_list_changed()
            .build();
        Some(requested.intersection(&ours))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let seat = seat(&context.request_context().extensions);
        Box::pin(self.listing.stream(&self.host, seat, context)).await
    }

    async fn list_resource_templates(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        one_page(page)?;
        let seat = seat(&context.extensions);
        Ok(resources::templates(self.asker(&seat)))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        Box::pin(self.host.reload_if_changed()).await;
        let seat = seat(&context.extensions);
        Box::pin(resources::read(self.asker(&seat), &request.uri))
            .await
            .map(ReadResourceResponse::Complete)
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        Box::pin(self.host.reload_if_changed()).await;
        let seat = seat(&context.extensions);
        Box::pin(completion::complete(self.asker(&seat), &request)).await
    }

    /// What rmcp could not read as any request it knows comes here too: a method we serve, with
    /// parameters of another shape.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let takes = match request.method.as_str() {
            CallToolRequestMethod::VALUE => {
                "name, a tool's name as text, and arguments, an object: {\"name\": \"roll_dice\", \"arguments\": {\"expression\": \"2d6+3\"}}"
            }
            ListToolsRequestMethod::VALUE
            | ListResourcesRequestMethod::VALUE
            | ListPromptsRequestMethod::VALUE => "no parameters, or cursor as text",
            GetPromptRequestMethod::VALUE => {
                "name, a prompt's name as text, and arguments, an object of texts"
            }
            ReadResourceRequestMethod::VALUE => "uri as text: {\"uri\": \"rollbook://rules\"}",
            CompleteRequestMethod::VALUE => {
                "ref, a prompt or a template of resources, and argument with name and value: {\"ref\": {\"type\": \"ref/prompt\", \"name\": \"check_rules\"}, \"argument\": {\"name\": \"section\", \"value\": \"Ch\"}}"
            }
            InitializeResultMethod::VALUE => {
                "protocolVersion, capabilities and clientInfo {name, version}"
            }
            PingRequestMethod::VALUE => "no parameters",
            other => return Err(not_served(other)),
        };
        Err(ErrorData::invalid_params(
            format!(
                "{} takes {takes}. Nothing was rolled or changed.",
                request.method
            ),
            None,
        ))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.shown(None)
            .iter()
            .find(|tool| tool.name == name)
            .cloned()
    }
}

/// Tells a client that asked for it every while that the call still runs; it waits for its turn,
/// for something to happen, or for a person.
async fn report_progress(context: &RequestContext<RoleServer>, tool: &str) -> Infallible {
    let Some(token) = context.meta.get_progress_token() else {
        return std::future::pending().await;
    };
    let mut passed = Duration::ZERO;
    loop {
        tokio::time::sleep(PROGRESS_EVERY).await;
        passed += PROGRESS_EVERY;
        let message = format!("{tool} has been running for {} seconds", passed.as_secs());
        let progress = ProgressNotificationParam::new(token.clone(), passed.as_secs_f64())
            .with_message(message);
        // Whether anybody is told makes no difference to the call.
        let _ = context.peer.notify_progress(progress).await;
    }
}

/// The seat of the key that a request over HTTP carried.
fn seat(extensions: &Extensions) -> Option<Arc<Seat>> {
    extensions
        .get::<axum::http::request::Parts>()?
        .extensions
        .get::<Arc<Seat>>()
        .cloned()
}

fn sits_as_player(extensions: &Extensions) -> bool {
    seat(extensions).is_some_and(|seat| seat.is_player())
}

/// A tool as clients list it.
pub fn tool(entry: &ToolEntry) -> Tool {
    let bare = || {
        Tool::new(
            entry.name.clone(),
            entry.description.clone(),
            (*entry.input).clone(),
        )
    };
    serde_json::from_value(entry.schema(Form::Mcp)).unwrap_or_else(|_| bare())
}

/// What the client gets of an answer.
fn result(
    entry: &ToolEntry,
    answer: Answered,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    // Older clients would not see more than the text.
    match answer {
        Ok(reply) => Ok(replied(reply, knows_structure(context)).into()),
        Err(CallError::Refusal(refusal)) => Ok(refused(&refusal, knows_structure(context)).into()),
        Err(CallError::Failure(reason)) => {
            tracing::error!(tool = &*entry.name, "{reason}");
            Err(ErrorData::internal_error(
                "Rollbook could not carry this out; nothing was rolled or changed. Its log says why.",
                None,
            ))
        }
    }
}

/// A reply: structured once, and what counts as the text. A client that knows no structured
/// content gets all of it as a second text.
fn replied(reply: Map<String, Value>, knows_structure: bool) -> CallToolResult {
    let content = in_text(reply::text(&reply), &reply, knows_structure);
    let mut result = CallToolResult::structured(Value::Object(reply));
    result.content = content;
    result
}

/// A refusal is a result the model reads, not a protocol error it does not see.
fn refused(refusal: &Refusal, knows_structure: bool) -> CallToolResult {
    let reply = reply::refused(refusal);
    let mut result = CallToolResult::error(in_text(refusal.in_words(), &reply, knows_structure));
    result.structured_content = Some(Value::Object(reply));
    result
}

/// The words, and for a client that knows no structured content all of the reply.
fn in_text(words: String, reply: &Map<String, Value>, knows_structure: bool) -> Vec<ContentBlock> {
    let mut content = vec![ContentBlock::text(words)];
    if !knows_structure {
        content.push(ContentBlock::text(Value::Object(reply.clone()).to_string()));
    }
    content
}

fn knows_structure(context: &RequestContext<RoleServer>) -> bool {
    context
        .protocol_version()
        .is_none_or(|version| version >= ProtocolVersion::V_2025_06_18)
}

/// Every list is one page, so no cursor was ever given out.
fn one_page(page: Option<PaginatedRequestParams>) -> Result<(), ErrorData> {
    let Some(cursor) = page.and_then(|page| page.cursor) else {
        return Ok(());
    };
    let message = format!(
        "There is no page \"{}\": this list is one page. Leave cursor out.",
        quoted(&cursor)
    );
    Err(ErrorData::invalid_params(message, None))
}

fn not_served(method: &str) -> ErrorData {
    ErrorData::new(
        ErrorCode::METHOD_NOT_FOUND,
        format!("{} is not served here", quoted(method)),
        None,
    )
}
