//! The tool foundation: registry, executor, built-in tools, a chat loop.
//!
//! Decided otherwise, and why:
//! - Errors are refusals with a code, every bad argument and what to send instead, not one
//!   sentence; those of registered tools begin with the source's words.
//! - A confirmation is a word that only the refusal names, so that nothing is destroyed by a flag
//!   that is always sent.
//! - Where the source rounds a half to the even number, `round` rounds it up, as dice are rounded.
//!   Numbers that are not whole have six significant digits in both; here `exact` has the fraction,
//!   and a power of ten is written `1.5e-9`. `%` has the sign of the dividend.
//! - `iso` has whole seconds.
//! - Of a reply with more calls than the answer has left, the rest is refused; the source would
//!   make them all.
//! - The source's tools read and write no file. One writes here: `manage_session action="begin"`, an
//!   adventure of the program by its name, never a path, into one fixed folder, and not over HTTP.
//! - A roll answers its dice as data, and a sentence of arithmetic instead of bold letters. Dice
//!   are bounded by the whole expression.

use std::sync::Arc;
use std::time::Duration;

use rollbook::play::assistant::Limits;
use rollbook::play::model::Api;
use rollbook_store::keys::Role;
use rollbook_table::session::{Caller, Seat};
use rollbook_table::tools::{
    Answering, CannotRegister, External, Form, Registry, ToolCall, ToolEntry, ToolResult,
    tool_named,
};
use serde_json::{Map, Value, json};

use crate::play::limits::calling;
use crate::play::rig::{Seat as Player, limits, may_call, whole};
use crate::table::{Table, each, has};
use crate::toolbox::{Toolbox, code, external};

fn named(name: &str, category: &str) -> ToolEntry {
    let mut tool = external(name, false, |sent| Box::pin(async { Ok(sent) }));
    tool.category = category.to_owned().into();
    tool
}

/// A tool with these parameters, which are all required.
fn taking(name: &str, properties: Value, run: fn(Map<String, Value>) -> Value) -> ToolEntry {
    let required: Vec<&String> = properties.as_object().expect("parameters").keys().collect();
    let input = json!({"type": "object", "properties": properties, "required": required});
    let about = External {
        name: name.to_owned(),
        category: "general".to_owned(),
        input: input.as_object().expect("an object").clone(),
        ..External::default()
    };
    ToolEntry::external(about, move |sent| {
        let result = run(sent);
        Box::pin(async move { Ok(Map::from_iter([("result".to_owned(), result)])) })
    })
}

fn names<'r>(tools: impl IntoIterator<Item = &'r Arc<ToolEntry>>) -> Vec<&'r str> {
    tools.into_iter().map(|tool| &*tool.name).collect()
}

#[test]
fn a_tool_is_registered_found_listed_and_taken_out() {
    let mut registry = Registry::default();
    let before = names(registry.all()).join(" ");
    registry.register(named("weather", "sky")).unwrap();
    assert_eq!(registry.get("weather").unwrap().category, "sky");
    assert_eq!(names(registry.category("sky")), ["weather"]);
    assert_eq!(registry.categories().last(), Some(&"sky"));
    assert_eq!(
        registry.schemas(Form::Mcp).last().unwrap()["name"],
        "weather"
    );
    assert!(registry.unregister("weather").is_some() && registry.unregister("weather").is_none());
    assert_eq!(names(registry.all()).join(" "), before);
}

#[test]
fn a_name_twice_and_a_name_that_no_api_takes_are_refused() {
    let mut registry = Registry::default();
    let taken = registry.register(named("roll_dice", "sky")).unwrap_err();
    assert_eq!(
        taken,
        CannotRegister::Taken {
            name: "roll_dice".to_owned(),
            category: "dice".to_owned()
        }
    );
    assert!(taken.to_string().contains("another name"), "{taken}");
    for bad in ["", "roll dice", "würfeln", &"x".repeat(65)] {
        assert!(
            matches!(
                registry.register(named(bad, "sky")),
                Err(CannotRegister::Name(_))
            ),
            "{bad}"
        );
    }
    let mut no_object = named("weather", "sky");
    no_object.input = Map::new().into();
    assert_eq!(
        registry.register(no_object),
        Err(CannotRegister::Input("weather".to_owned()))
    );
    assert_eq!(registry.all().len(), Registry::default().all().len());
}

#[test]
fn each_form_names_the_tool_and_takes_its_own_arguments() {
    let entry = tool_named("roll_dice").unwrap();
    let function = entry.schema(Form::Function);
    assert_eq!(
        (&function["type"], &function["function"]["name"]),
        (&json!("function"), &json!("roll_dice"))
    );
    let input = Value::Object((*entry.input).clone());
    assert_eq!(function["function"]["parameters"], input);
    assert_eq!(entry.schema(Form::Anthropic)["input_schema"], input);
    assert_eq!(entry.schema(Form::Mcp)["inputSchema"], input);
}

#[test]
fn a_registry_of_one_tool_lists_it_and_refuses_it_twice() {
    let mut registry = Registry::new();
    registry
        .register(named("test", "general"))
        .expect("the name is free");
    assert!(registry.get("test").is_some());
    assert_eq!(
        (names(registry.all()), registry.categories()),
        (vec!["test"], vec!["general"])
    );
    let twice = registry
        .register(named("test", "general"))
        .expect_err("it is there");
    assert!(twice.to_string().contains("already"), "{twice}");
    assert_eq!(registry.all().len(), 1);
}

#[test]
fn the_schemas_of_the_built_in_tools_are_those_of_functions() {
    let function = |name: &str| tool_named(name).expect("a tool").schema(Form::Function);
    let calculator = function("calculator");
    assert_eq!(
        (&calculator["type"], &calculator["function"]["name"]),
        (&json!("function"), &json!("calculator"))
    );
    let parameters = &calculator["function"]["parameters"];
    assert_eq!(
        (&parameters["type"], &parameters["required"]),
        (&json!("object"), &json!(["expression"]))
    );
    assert_eq!(parameters["properties"]["expression"]["type"], "string");
    assert!(parameters["properties"]["expression"]["description"].is_string());
    let time = function("get_time")["function"]["parameters"].clone();
    assert_eq!(
        time["properties"]["format"]["enum"],
        json!(["full", "date", "time", "iso"])
    );
    assert_eq!(time.get("required"), None);
}

#[test]
fn arguments_are_looked_at_before_a_tool_gets_them() {
    let mut toolbox = Toolbox::new();
    let number = json!({"type": "number"});
    let add = taking("add", json!({"a": number, "b": number}), |sent| {
        json!(sent["a"].as_i64().expect("a") + sent["b"].as_i64().expect("b"))
    });
    let greet = taking("greet", json!({"name": {"type": "string"}}), |sent| {
        json!(format!("Hello, {}", sent["name"]))
    });
    let scale = taking(
        "scale",
        json!({"unit": {"type": "string", "enum": ["C", "F"]}}),
        |_| json!("well"),
    );
    for tool in [add, greet, scale] {
        toolbox.registry.register(tool).expect("the name is free");
    }
    let added = toolbox
        .batch(vec![("add", json!({"a": 2, "b": 3}))])
        .remove(0);
    assert_eq!(
        (added.id.as_str(), added.is_error, &added.content["result"]),
        ("call 0", false, &json!(5))
    );
    let missing = toolbox.one("greet", json!({}));
    assert_eq!(code(&missing), "invalid_parameters");
    assert!(
        missing
            .summary()
            .starts_with("Missing required parameter: name"),
        "{}",
        missing.summary()
    );
    let wrong = toolbox.one("scale", json!({"unit": "K"}));
    assert!(
        wrong.summary().contains("Invalid value for unit")
            && wrong.summary().contains("\"C\", \"F\""),
        "{}",
        wrong.summary()
    );
    assert_eq!(
        toolbox.one("scale", json!({"unit": "F"})).content["result"],
        "well"
    );
    let format = toolbox.one("get_time", json!({"format": "unix"}));
    assert!(
        code(&format) == "invalid_parameters" && format.summary().contains("full, date, time, iso"),
        "{format:?}"
    );
    assert!(
        toolbox
            .one("calculator", json!({}))
            .summary()
            .contains("expression: missing")
    );
    let unknown = toolbox.one("weather", json!({}));
    assert!(
        unknown.summary().starts_with("Unknown tool \"weather\""),
        "{}",
        unknown.summary()
    );
}

#[test]
fn a_tool_over_its_time_is_an_error_with_the_time() {
    let mut toolbox = Toolbox::new();
    let hangs = external("hangs", false, |_| Box::pin(std::future::pending()))
        .limited(Duration::from_millis(60));
    toolbox.registry.register(hangs).expect("the name is free");
    let result = toolbox.one("hangs", json!({}));
    assert_eq!(code(&result), "timed_out");
    assert!(
        result.summary().contains("within 0.06 seconds"),
        "{}",
        result.summary()
    );
}

#[test]
fn independent_calls_of_a_batch_run_side_by_side() {
    let mut toolbox = Toolbox::new();
    // Each waits for the other, so one after the other would never end.
    let barrier = Arc::new(tokio::sync::Barrier::new(3));
    for name in ["one", "two", "three"] {
        let barrier = barrier.clone();
        let look = move |_| {
            let barrier = barrier.clone();
            Box::pin(async move {
                barrier.wait().await;
                Ok(Map::from_iter([("summary".to_owned(), json!("met"))]))
            }) as Answering<'static>
        };
        let mut tool = external(name, false, look).limited(Duration::from_secs(20));
        tool.read_only = true;
        toolbox.registry.register(tool).expect("the name is free");
    }
    let results = toolbox.batch(vec![
        ("one", json!({})),
        ("two", json!({})),
        ("three", json!({})),
    ]);
    assert!(
        results.iter().all(|result| result.summary() == "met"),
        "{results:#?}"
    );
}

#[test]
fn a_tool_cools_down_for_each_caller_by_itself() {
    let mut toolbox = Toolbox::new();
    toolbox
        .registry
        .cool_down("odds", Duration::from_secs(3600))
        .expect("a tool");
    let dice = json!({"expression": "1d6"});
    assert!(!toolbox.one("odds", dice.clone()).is_error);
    assert_eq!(code(&toolbox.one("odds", dice.clone())), "too_soon");
    assert!(
        !toolbox.one("roll_dice", dice.clone()).is_error,
        "another tool is as it was"
    );
    let seat = Seat {
        key: "000000000001".to_owned(),
        campaign: "one".to_owned(),
        role: Role::Gm,
    };
    let other = Caller::of(Some(Arc::new(seat)));
    let call = ToolCall {
        id: "1".to_owned(),
        name: "odds".to_owned(),
        arguments: dice,
    };
    let result = toolbox.runtime.block_on(toolbox.registry.batch(
        &toolbox.host,
        &other,
        vec![call],
        |_, _| {},
    ));
    assert!(
        result[0]
            .content
            .get("code")
            .is_none_or(|code| code != "too_soon"),
        "{result:?}"
    );
}

#[test]
fn what_destroys_is_done_only_with_its_word() {
    let mut toolbox = Toolbox::new();
    let accept = toolbox.one("manage_session", json!({"action": "accept_loss"}));
    assert_eq!(code(&accept), "not_confirmed");
    assert!(
        accept.summary().contains("confirm=\"accept loss\""),
        "{}",
        accept.summary()
    );
    let choice = accept.choice.as_ref().expect("a question for a person");
    assert_eq!(
        (choice.parameter.as_str(), choice.options.as_slice()),
        ("confirm", &["accept loss".to_owned()][..])
    );
    let wrong = toolbox.one(
        "manage_session",
        json!({"action": "accept_loss", "confirm": "yes"}),
    );
    assert_eq!(code(&wrong), "not_confirmed");
    let right = toolbox.one(
        "manage_session",
        json!({"action": "accept_loss", "confirm": "Accept loss"}),
    );
    assert_eq!(code(&right), "no_loss", "with the word the call is made");

    let burns = external("burn", true, |arguments| {
        assert!(!arguments.contains_key("confirm"), "the word is Rollbook's");
        Box::pin(async { Ok(Map::from_iter([("summary".to_owned(), json!("burnt"))])) })
    });
    assert!(burns.input["properties"]["confirm"].is_object() && burns.asks_first());
    toolbox.registry.register(burns).expect("the name is free");
    let refused = toolbox.one("burn", json!({"text": "the map"}));
    assert_eq!(code(&refused), "not_confirmed");
    assert!(
        refused.summary().contains("confirm=\"burn\""),
        "{}",
        refused.summary()
    );
    assert_eq!(
        toolbox
            .one("burn", json!({"text": "the map", "confirm": "burn"}))
            .summary(),
        "burnt"
    );
}

fn calculate(toolbox: &Toolbox, expression: &str) -> ToolResult {
    toolbox.one("calculator", json!({"expression": expression}))
}

#[test]
fn the_calculator_has_every_function_of_the_list() {
    let toolbox = Toolbox::new();
    for (expression, result) in [
        ("2 + 2", "4"),
        ("sqrt(16)", "4"),
        ("2**10", "1024"),
        ("47.50 * 0.15", "7.125"),
        ("10 / 4", "2.5"),
        ("10 / 5", "2"),
        ("1 / 3", "0.333333"),
        ("2 ** 3 ** 2", "512"),
        ("-2 ** 2", "-4"),
        ("abs(-3)", "3"),
        ("round(2.4)", "2"),
        ("round(2.346, 2)", "2.35"),
        ("min(3, 1, 2)", "1"),
        ("max(3, 1, 2)", "3"),
        ("min([3, 1, 2])", "1"),
        ("max([3, 1, 2])", "3"),
        ("sum([1,2])", "3"),
        ("sum([])", "0"),
        ("pow(2, 10)", "1024"),
        ("sin(0)", "0"),
        ("sin(pi / 2)", "1"),
        ("cos(0)", "1"),
        ("tan(pi / 4)", "1"),
        ("log(e)", "1"),
        ("log(8, 2)", "3"),
        ("log10(1000)", "3"),
        ("pi", "3.14159"),
        ("e", "2.71828"),
    ] {
        let answer = calculate(&toolbox, expression);
        assert_eq!(answer.content["result"], result, "{expression}: {answer:?}");
    }
    let third = calculate(&toolbox, "1/3").content;
    assert_eq!(
        (&third["result"], &third["exact"]),
        (&json!("0.333333"), &json!("1/3"))
    );
    // Arguments may come as text, as some APIs bring them.
    assert_eq!(
        toolbox
            .one("calculator", json!("{\"expression\": \"sqrt(16)\"}"))
            .content["result"],
        "4"
    );
}

#[test]
fn the_calculator_runs_no_code_and_its_numbers_are_bounded() {
    let toolbox = Toolbox::new();
    for unsafe_text in [
        "__import__('os').system('ls')",
        "open('/etc/passwd').read()",
        "eval('2')",
        "().__class__.__bases__",
        "lambda: 0",
        "[x for x in (1, 2)]",
        "sum([1, os])",
        "",
    ] {
        let refused = calculate(&toolbox, unsafe_text);
        assert_eq!(
            code(&refused),
            "invalid_parameters",
            "{unsafe_text}: {refused:?}"
        );
    }
    for (expression, wrong) in [
        ("9**9**9", "overflow"),
        ("1 / 0", "div_zero"),
        ("sqrt(-1)", "invalid_parameters"),
    ] {
        assert_eq!(
            code(&calculate(&toolbox, expression)),
            wrong,
            "{expression}"
        );
    }
}

#[test]
fn the_time_has_four_forms_and_any_zone() {
    let toolbox = Toolbox::new();
    let time = |arguments: Value| {
        toolbox.one("get_time", arguments).content["time"]
            .as_str()
            .expect("a time")
            .to_owned()
    };
    assert_eq!(time(json!({})), "Friday, November 20, 2026 at 07:30 PM UTC");
    for (format, wanted) in [
        ("full", "Saturday, November 21, 2026 at 04:30 AM JST"),
        ("date", "2026-11-21"),
        ("time", "04:30:00 JST"),
        ("iso", "2026-11-21T04:30:00+09:00"),
    ] {
        assert_eq!(
            time(json!({"timezone": "Asia/Tokyo", "format": format})),
            wanted
        );
    }
    assert_eq!(
        time(json!({"timezone": "America/New_York", "format": "time"})),
        "14:30:00 EST"
    );
    assert_eq!(
        time(json!({"timezone": "Europe/London", "format": "time"})),
        "19:30:00 GMT"
    );
    let unknown = toolbox.one("get_time", json!({"timezone": "Mars/Olympus"}));
    assert!(
        code(&unknown) == "invalid_parameters"
            && unknown.summary().contains("no time zone \"Mars/Olympus\"")
    );
}

#[test]
fn dice_are_rolled_by_their_notation_and_some_are_kept() {
    let mut table = Table::lockhouse();
    let mut roll = |notation: &str, faces: &[i64]| {
        table.dice(faces.iter().copied());
        table
            .roll_dice(json!({"notation": notation, "detail": "full"}))
            .value()
            .clone()
    };
    let one = roll("1d6", &[4]);
    assert_eq!(
        (&one["total"], &one["expression"], &one["individual_rolls"]),
        (&json!(4), &json!("1d6"), &json!([4]))
    );
    let kept = roll("4d6kh3", &[6, 4, 3, 2]);
    assert_eq!(
        (&kept["total"], &kept["individual_rolls"]),
        (&json!(13), &json!([6, 4, 3, 2]))
    );
    let of_each: Vec<&Value> = each(&kept["dice"]).map(|die| &die["kept"]).collect();
    assert_eq!(of_each, [true, true, true, false]);
    assert_eq!(roll("1d20+5", &[11])["total"], 16);
    assert_eq!(roll("3d6kh2", &[1, 5, 2])["total"], 7);
    assert_eq!(roll("3d6kl2-1", &[1, 5, 2])["total"], 2);
    for wrong in ["", "two", "1d6+"] {
        assert!(
            table.roll_dice(json!({"notation": wrong})).is_refused(),
            "{wrong}"
        );
    }
}

#[test]
fn the_rules_and_the_story_are_searched() {
    let found = Toolbox::new()
        .one("search_rules", json!({"query": "lockpicking"}))
        .content;
    assert!(
        found["places"]
            .as_array()
            .is_some_and(|places| !places.is_empty()),
        "{found:?}"
    );
}

#[tokio::test]
async fn a_chat_makes_calls_up_to_its_most_and_ends_with_an_answer_without_tools() {
    for api in Api::ALL {
        // Two calls in each reply, as long as it may.
        let fake = calling(api);
        let mut seat = Player::at(
            &fake,
            Limits {
                calls: 5,
                ..limits()
            },
        )
        .await;
        let before = seat.log_length().await;
        let (reply, happened) = seat.says("Roll for ever").await;
        assert_eq!(reply.unwrap(), "Enough. It is late.");
        assert_eq!(
            happened
                .iter()
                .filter(|event| event.starts_with("begun"))
                .count(),
            5,
            "{happened:?}"
        );
        assert!(
            happened
                .iter()
                .any(|event| event.starts_with("reached 5 calls are made")),
            "{happened:?}"
        );
        assert!(seat.log_length().await >= before + 5);
        let asked = fake.asked();
        assert_eq!(asked.len(), 4, "three batches, and the last answer");
        assert!(
            asked[..3].iter().all(|request| may_call(&request.body)) && !may_call(&asked[3].body),
            "{:?}",
            asked[3].body
        );
        // The sixth call was not made, and has a result all the same.
        let text = whole(&asked[3].body);
        has(
            &text,
            &[
                "Not done: this answer may make no more calls",
                "no more tools now",
            ],
        );
        let expected = "Enough. It is late.";
        assert_eq!(
            seat.says("And now?").await.0.unwrap(),
            expected,
            "the next answer has calls of its own"
        );
        assert!(may_call(&fake.asked()[4].body));
    }
}
