//! The tools, prompts and resources that the protocol's official conformance suite calls, beside
//! Rollbook's own. What each does is written in the suite.

#![expect(
    deprecated,
    reason = "the suite still calls what 2026-07-28 has given up"
)]

use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities,
    CompleteRequestParams, CompleteResult, ContentBlock, CustomRequest, CustomResult, ErrorData,
    GetPromptRequestParams, GetPromptResponse, GetPromptResult, InputRequiredResult,
    InputResponses, JsonObject, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, LoggingLevel, LoggingMessageNotificationParam,
    PaginatedRequestParams, ProgressNotificationParam, Prompt, PromptArgument,
    ReadResourceRequestParams, ReadResourceResponse, Resource, ResourceTemplate, ServerConfig,
    ServerRequest, SetLevelRequestParams, SubscribeRequestParams, SubscriptionFilter, Tool,
    UnsubscribeRequestParams,
};
use rmcp::service::{RequestContext, SubscriptionContext};
use rmcp::{RoleServer, ServerHandler};
use rollbook_server::mcp::Server;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::shapes::{
    PNG, defaults, eliciting, embedded, enums, form, headed, image, sampling, schema_2020_12, sound,
};

type Context = RequestContext<RoleServer>;

/// Between two notifications of one call.
const PAUSE: Duration = Duration::from_millis(50);
const CALLED: &str = "For the conformance suite.";
/// What a client has to send back as it is.
const STATE: &str = "rollbook-state-1";
const SECOND_STATE: &str = "rollbook-state-2";

/// Tools and their argument, where they have one.
const TOOLS: [(&str, Option<&str>); 23] = [
    ("test_simple_text", None),
    ("test_image_content", None),
    ("test_audio_content", None),
    ("test_embedded_resource", None),
    ("test_multiple_content_types", None),
    ("test_error_handling", None),
    ("test_tool_with_logging", None),
    ("test_logging_tool", None),
    ("test_tool_with_progress", None),
    ("test_sampling", Some("prompt")),
    ("test_elicitation", Some("message")),
    ("test_elicitation_sep1034_defaults", None),
    ("test_elicitation_sep1330_enums", None),
    ("test_missing_capability", None),
    ("test_streaming_elicitation", None),
    ("test_input_required_result_elicitation", None),
    ("test_input_required_result_sampling", None),
    ("test_input_required_result_list_roots", None),
    ("test_input_required_result_request_state", None),
    ("test_input_required_result_tampered_state", None),
    ("test_input_required_result_multiple_inputs", None),
    ("test_input_required_result_multi_round", None),
    ("test_input_required_result_capabilities", None),
];

/// Rollbook's server with the suite's tools, prompts and resources.
#[derive(Clone)]
pub struct Fixtures(pub Server);

impl ServerHandler for Fixtures {
    fn get_info(&self) -> ServerConfig {
        let mut info = self.0.get_info();
        info.capabilities.completions = Some(JsonObject::new());
        info.capabilities.logging = Some(JsonObject::new());
        if let Some(resources) = &mut info.capabilities.resources {
            resources.subscribe = Some(true);
        }
        info
    }

    async fn list_tools(
        &self,
        page: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListToolsResult, ErrorData> {
        let mut list = self.0.list_tools(page, context).await?;
        for (name, argument) in TOOLS {
            let properties: JsonObject = argument
                .map(|argument| (argument.to_owned(), json!({"type": "string"})))
                .into_iter()
                .collect();
            let schema = json!({"type": "object", "properties": properties, "required": argument.into_iter().collect::<Vec<_>>()});
            list.tools
                .push(Tool::new(name, CALLED, read::<JsonObject>(schema)?));
        }
        let tool = Tool::new(
            "json_schema_2020_12_tool",
            CALLED,
            read::<JsonObject>(schema_2020_12())?,
        );
        list.tools.push(tool);
        list.tools.extend(self.get_tool("test_custom_headers"));
        Ok(list)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        if name == "test_custom_headers" {
            return Some(Tool::new(
                "test_custom_headers",
                CALLED,
                read::<JsonObject>(headed()).ok()?,
            ));
        }
        self.0.get_tool(name)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: Context,
    ) -> Result<CallToolResponse, ErrorData> {
        let (responses, state) = (
            request.input_responses.as_ref(),
            request.request_state.as_deref(),
        );
        match &*request.name {
            "test_simple_text" | "json_schema_2020_12_tool" | "test_custom_headers" => {
                text("This is a simple text response for testing.")
            }
            "test_image_content" => content(json!([image()])),
            "test_audio_content" => content(json!([sound()])),
            "test_embedded_resource" => content(json!([embedded("test://embedded-resource")])),
            "test_multiple_content_types" => content(
                json!([{"type": "text", "text": "Multiple content types test:"}, image(), embedded("test://mixed-content-resource")]),
            ),
            "test_error_handling" => {
                let words = "This tool intentionally returns an error for testing";
                Ok(CallToolResult::error(vec![ContentBlock::text(words)]).into())
            }
            "test_tool_with_logging" => logged(&context).await,
            "test_logging_tool" => match context.meta.log_level() {
                Some(_) => logged(&context).await,
                None => text("No log level was asked for"),
            },
            "test_tool_with_progress" => progressed(&context).await,
            "test_sampling" => {
                let prompt = argument(&request, "prompt");
                asked(&context, "sampling/createMessage", sampling(prompt, 100)).await
            }
            "test_elicitation" => {
                let form = form(argument(&request, "message"), &["username", "email"]);
                asked(&context, "elicitation/create", form).await
            }
            "test_elicitation_sep1034_defaults" => {
                asked(&context, "elicitation/create", defaults()).await
            }
            "test_elicitation_sep1330_enums" => {
                asked(&context, "elicitation/create", enums()).await
            }
            "test_missing_capability" => match capabilities(&context).sampling {
                Some(_) => text("The client can sample"),
                None => Err(ErrorData::missing_required_client_capability(read(
                    json!({"sampling": {}}),
                )?)),
            },
            "test_input_required_result_elicitation" | "test_streaming_elicitation" => {
                match field(responses, "user_name", "name") {
                    Some(name) => text(&format!("Hello, {name}!")),
                    None => input_required(
                        json!({"user_name": eliciting("What is your name?", "name")}),
                        None,
                    ),
                }
            }
            "test_input_required_result_sampling" => {
                match responses.and_then(|all| all.get("capital_question")) {
                    Some(answer) => text(&answer.to_string()),
                    None => {
                        let question = sampling("What is the capital of France?", 100);
                        let asked = json!({"capital_question": {"method": "sampling/createMessage", "params": question}});
                        input_required(asked, None)
                    }
                }
            }
            "test_input_required_result_list_roots" => {
                match responses.and_then(|all| all.get("client_roots")) {
                    Some(roots) => text(&roots.to_string()),
                    None => input_required(
                        json!({"client_roots": {"method": "roots/list", "params": {}}}),
                        None,
                    ),
                }
            }
            "test_input_required_result_request_state"
            | "test_input_required_result_tampered_state" => match (known(state)?, responses) {
                (Some(_), Some(_)) => text("state-ok"),
                _ => input_required(
                    json!({"confirm": eliciting("Please confirm", "ok")}),
                    Some(STATE),
                ),
            },
            "test_input_required_result_multiple_inputs" => {
                let keys = ["user_name", "greeting", "client_roots"];
                match (known(state)?, responses) {
                    (Some(_), Some(all)) if keys.iter().all(|key| all.contains_key(*key)) => {
                        text("All is answered")
                    }
                    _ => {
                        let greeting = sampling("Generate a greeting", 50);
                        let wanted = json!({
                            "user_name": eliciting("What is your name?", "name"),
                            "greeting": {"method": "sampling/createMessage", "params": greeting},
                            "client_roots": {"method": "roots/list", "params": {}},
                        });
                        input_required(wanted, Some(STATE))
                    }
                }
            }
            "test_input_required_result_multi_round" => match known(state)? {
                Some(STATE) => {
                    let step = eliciting("Step 2: What is your favorite color?", "color");
                    input_required(json!({"step2": step}), Some(SECOND_STATE))
                }
                Some(_) => text("Both steps are answered"),
                None => input_required(
                    json!({"step1": eliciting("Step 1: What is your name?", "name")}),
                    Some(STATE),
                ),
            },
            "test_input_required_result_capabilities" => {
                let (able, mut wanted) = (capabilities(&context), JsonObject::new());
                if able.sampling.is_some() {
                    let params = sampling("Generate a greeting", 50);
                    wanted.insert(
                        "greeting".to_owned(),
                        json!({"method": "sampling/createMessage", "params": params}),
                    );
                }
                if able.elicitation.is_some() {
                    wanted.insert(
                        "user_name".to_owned(),
                        eliciting("What is your name?", "name"),
                    );
                }
                input_required(Value::Object(wanted), None)
            }
            _ => self.0.call_tool(request, context).await,
        }
    }

    async fn list_prompts(
        &self,
        page: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListPromptsResult, ErrorData> {
        let mut list = self.0.list_prompts(page, context).await?;
        let about = Some(CALLED);
        let needed = |name: &str| PromptArgument::new(name).with_required(true);
        let arguments = vec![needed("arg1"), needed("arg2")];
        list.prompts.extend([
            Prompt::new("test_simple_prompt", about, None),
            Prompt::new("test_prompt_with_arguments", about, Some(arguments)),
            Prompt::new(
                "test_prompt_with_embedded_resource",
                about,
                Some(vec![needed("resourceUri")]),
            ),
            Prompt::new("test_prompt_with_image", about, None),
            Prompt::new("test_input_required_result_prompt", about, None),
        ]);
        Ok(list)
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: Context,
    ) -> Result<GetPromptResponse, ErrorData> {
        let given = |name: &str| {
            let value = request
                .arguments
                .as_ref()
                .and_then(|all| all.get(name))
                .and_then(Value::as_str);
            value.unwrap_or_default().to_owned()
        };
        let words = |text: &str| json!({"type": "text", "text": text});
        match request.name.as_str() {
            "test_simple_prompt" => messages(&[words("This is a simple prompt for testing.")]),
            "test_prompt_with_arguments" => {
                let all = format!(
                    "Prompt with arguments: arg1='{}', arg2='{}'",
                    given("arg1"),
                    given("arg2")
                );
                messages(&[words(&all)])
            }
            "test_prompt_with_embedded_resource" => messages(&[
                embedded(&given("resourceUri")),
                words("Please process the embedded resource above."),
            ]),
            "test_prompt_with_image" => {
                messages(&[image(), words("Please analyze the image above.")])
            }
            "test_input_required_result_prompt" => {
                match field(request.input_responses.as_ref(), "user_context", "context") {
                    Some(context) => messages(&[words(&context)]),
                    None => {
                        let wanted = eliciting("What context should the prompt use?", "context");
                        let wanted = json!({"resultType": "input_required", "inputRequests": {"user_context": wanted}});
                        Ok(GetPromptResponse::InputRequired(read(wanted)?))
                    }
                }
            }
            _ => self.0.get_prompt(request, context).await,
        }
    }

    async fn list_resources(
        &self,
        page: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListResourcesResult, ErrorData> {
        let mut list = self.0.list_resources(page, context).await?;
        for (uri, kind) in [
            ("test://static-text", "text/plain"),
            ("test://static-binary", "image/png"),
        ] {
            let resource = Resource::new(uri, uri).with_description(CALLED);
            list.resources.push(resource.with_mime_type(kind));
        }
        Ok(list)
    }

    async fn list_resource_templates(
        &self,
        page: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let mut list = self.0.list_resource_templates(page, context).await?;
        list.resource_templates.push(ResourceTemplate::new(
            "test://template/{id}/data",
            "Data by id",
        ));
        Ok(list)
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: Context,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri.as_str();
        let id = uri
            .strip_prefix("test://template/")
            .and_then(|rest| rest.strip_suffix("/data"));
        let content = match (uri, id) {
            ("test://static-text", _) => {
                json!({"uri": uri, "mimeType": "text/plain", "text": "This is the content of the static text resource."})
            }
            ("test://static-binary", _) => {
                json!({"uri": uri, "mimeType": "image/png", "blob": PNG})
            }
            (_, Some(id)) => {
                let text =
                    json!({"id": id, "templateTest": true, "data": format!("Data for ID: {id}")})
                        .to_string();
                json!({"uri": uri, "mimeType": "application/json", "text": text})
            }
            (_, None) => return self.0.read_resource(request, context).await,
        };
        Ok(ReadResourceResponse::Complete(complete(
            json!({"contents": [content]}),
        )?))
    }

    async fn complete(
        &self,
        _: CompleteRequestParams,
        _: Context,
    ) -> Result<CompleteResult, ErrorData> {
        complete(json!({"completion": {"values": ["test"], "total": 1, "hasMore": false}}))
    }

    async fn set_level(&self, _: SetLevelRequestParams, _: Context) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn subscribe(&self, _: SubscribeRequestParams, _: Context) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn unsubscribe(&self, _: UnsubscribeRequestParams, _: Context) -> Result<(), ErrorData> {
        Ok(())
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        self.0.accepted_subscription_filter(requested)
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        self.0.listen(context).await
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: Context,
    ) -> Result<CustomResult, ErrorData> {
        self.0.on_custom_request(request, context).await
    }
}

/// A type of the protocol from the JSON that the suite names.
fn read<T: DeserializeOwned>(value: Value) -> Result<T, ErrorData> {
    serde_json::from_value(value)
        .map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

/// The same for a result, which says that it is complete.
fn complete<T: DeserializeOwned>(mut result: Value) -> Result<T, ErrorData> {
    if let Some(fields) = result.as_object_mut() {
        fields.insert("resultType".to_owned(), json!("complete"));
    }
    read(result)
}

fn content(blocks: Value) -> Result<CallToolResponse, ErrorData> {
    Ok(complete::<CallToolResult>(json!({"content": blocks}))?.into())
}

fn text(text: &str) -> Result<CallToolResponse, ErrorData> {
    content(json!([{"type": "text", "text": text}]))
}

fn messages(contents: &[Value]) -> Result<GetPromptResponse, ErrorData> {
    let messages: Vec<Value> = contents
        .iter()
        .map(|content| json!({"role": "user", "content": content}))
        .collect();
    Ok(GetPromptResponse::Complete(complete::<GetPromptResult>(
        json!({"messages": messages}),
    )?))
}

fn input_required(requests: Value, state: Option<&str>) -> Result<CallToolResponse, ErrorData> {
    let result =
        json!({"resultType": "input_required", "inputRequests": requests, "requestState": state});
    Ok(CallToolResponse::InputRequired(
        read::<InputRequiredResult>(result)?,
    ))
}

/// The state that came back, if it is one that was given out.
fn known(state: Option<&str>) -> Result<Option<&str>, ErrorData> {
    match state {
        None | Some(STATE | SECOND_STATE) => Ok(state),
        Some(_) => Err(ErrorData::invalid_params(
            "requestState is not as it was given out",
            None,
        )),
    }
}

/// What the client's user wrote into a field of a form.
fn field(responses: Option<&InputResponses>, key: &str, field: &str) -> Option<String> {
    responses?
        .get(key)?
        .get("content")?
        .get(field)?
        .as_str()
        .map(str::to_owned)
}

fn argument<'a>(request: &'a CallToolRequestParams, name: &str) -> &'a str {
    request
        .arguments
        .as_ref()
        .and_then(|all| all.get(name))
        .and_then(Value::as_str)
        .unwrap_or_default()
}

fn capabilities(context: &Context) -> ClientCapabilities {
    context.meta.client_capabilities().unwrap_or_default()
}

/// Asks a client of before 2026-07-28 while it waits for the tool's answer.
async fn asked(
    context: &Context,
    method: &str,
    params: Value,
) -> Result<CallToolResponse, ErrorData> {
    let request: ServerRequest = read(json!({"method": method, "params": params}))?;
    let answer = context.peer.send_request(request).await;
    let answer = answer.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
    let answer = serde_json::to_string(&answer).unwrap_or_default();
    text(&format!("The client answered: {answer}"))
}

async fn logged(context: &Context) -> Result<CallToolResponse, ErrorData> {
    for words in [
        "Tool execution started",
        "Tool processing data",
        "Tool execution completed",
    ] {
        let message = LoggingMessageNotificationParam::new(LoggingLevel::Info, json!(words));
        let _ = context.peer.notify_logging_message(message).await;
        tokio::time::sleep(PAUSE).await;
    }
    text("All was logged")
}

async fn progressed(context: &Context) -> Result<CallToolResponse, ErrorData> {
    for progress in [0.0, 50.0, 100.0] {
        if let Some(token) = context.meta.get_progress_token() {
            let progress = ProgressNotificationParam::new(token, progress).with_total(100.0);
            let _ = context.peer.notify_progress(progress).await;
        }
        tokio::time::sleep(PAUSE).await;
    }
    text("Progress was sent")
}
