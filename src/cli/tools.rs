//! `rollbook tools`: what an assistant gets. It needs no adventure and no database.

use clap::Args;
use serde_json::{Value, json};

use crate::cli::args::{ToolsetsArg, Values, one_of};
use crate::cli::output::{Done, Failed, answer};
use rollbook_table::tools::{Category, Form, Registry, ToolEntry};

/// List the tools that an assistant gets, and what they cost.
///
/// Each with its schema, its set (`serve --toolsets`), whether it writes, the bytes that a client reads of it
/// at every start, and how long a call may take.
#[derive(Debug, Args)]
pub struct Tools {
    /// For programs: with schemas and descriptions.
    #[arg(long)]
    json: bool,
    /// How the schemas are written.
    #[arg(long, value_parser = one_of(FORMS), default_value = "mcp", requires = "json")]
    form: Form,
    #[command(flatten)]
    tools: ToolsetsArg,
}

const FORMS: &Values<Form> = &[
    ("mcp", Form::Mcp, "As the Model Context Protocol lists them"),
    ("function", Form::Function, "As chat APIs take functions"),
    (
        "anthropic",
        Form::Anthropic,
        "As the Anthropic Messages API takes them",
    ),
];

impl Tools {
    pub(super) fn run(self) -> Result<Done, Failed> {
        let registry = self.tools.registry(&Category::ALL)?;
        if !self.json {
            return answer(&listed(&registry));
        }
        let all = registry.all().iter().map(|tool| described(tool, self.form));
        answer(&format!("{:#}\n", all.collect::<Value>()))
    }
}

fn bytes(tool: &ToolEntry) -> usize {
    tool.schema(Form::Mcp).to_string().len()
}

fn is_on(tool: &ToolEntry) -> bool {
    tool.own_category()
        .is_some_and(|category| Category::DEFAULT.contains(&category))
}

fn described(tool: &ToolEntry, form: Form) -> Value {
    json!({
        "name": tool.name,
        "toolset": tool.category,
        "on_by_default": is_on(tool),
        "loaded_at_once": tool.hot,
        "writes": !tool.read_only,
        "bytes": bytes(tool),
        "time_limit_seconds": tool.time_limit.as_secs_f64(),
        "takes_confirm": tool.asks_first(),
        "cool_down_seconds": tool.cool_down().map(|time| time.as_secs_f64()),
        "tool": tool.schema(form),
    })
}

fn listed(registry: &Registry) -> String {
    let mut lines = Vec::new();
    for category in registry.categories() {
        let tools: Vec<_> = registry.category(category).collect();
        let off = if tools.iter().all(|tool| is_on(tool)) {
            ""
        } else {
            " (off by default)"
        };
        lines.push(format!("{category}{off}"));
        lines.extend(tools.into_iter().map(|tool| {
            let cool_down = tool.cool_down().map_or(String::new(), |time| {
                format!(", every {} s", time.as_secs_f64())
            });
            format!(
                "  {:<17} {:<6} {:>6} bytes, {} s{cool_down}  {}{}",
                tool.name,
                if tool.read_only { "reads" } else { "writes" },
                bytes(tool),
                tool.time_limit.as_secs_f64(),
                tool.title,
                if tool.hot { " (loaded at once)" } else { "" },
            )
        }));
    }
    let of = |some: fn(&ToolEntry) -> bool| -> usize {
        registry
            .all()
            .iter()
            .filter(|tool| some(tool))
            .map(|tool| bytes(tool))
            .sum()
    };
    let (on, hot, all) = (of(is_on), of(|tool| tool.hot), of(|_| true));
    lines.push(format!(
        "{all} bytes in all, {on} of the tools that are on by default, {hot} of those that clients load at once."
    ));
    lines.join("\n") + "\n"
}
