//! The APIs, and which one a model is behind.

use rollbook_text::names::quoted;
use rollbook_text::secrets::Secrets;

/// The API that a model is behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Api {
    Anthropic,
    /// Chat completions, as OpenAI and most servers of models have them.
    OpenAi,
    Ollama,
}

/// What is fixed of an API.
#[derive(Debug)]
pub struct Facts {
    /// How it is named before a model: `ollama:qwen3:8b`.
    pub name: &'static str,
    pub endpoint: &'static str,
    pub variable: Option<&'static str>,
    /// How much its models can read and write together, in tokens, where nothing else is given: of
    /// those that run on one's own computer, what fits into it.
    pub context: u32,
    /// Where it is asked, after its endpoint.
    pub(super) path: &'static str,
    /// Where it lists its models, where in that they are, and which field names one.
    pub(super) models: (&'static str, &'static str, &'static str),
}

impl Api {
    pub const ALL: [Api; 3] = [Api::Anthropic, Api::OpenAi, Api::Ollama];

    pub fn facts(self) -> &'static Facts {
        match self {
            Api::Anthropic => &Facts {
                name: "anthropic",
                endpoint: "https://api.anthropic.com",
                variable: Some("ANTHROPIC_API_KEY"),
                context: 120_000,
                path: "/v1/messages",
                models: ("/v1/models", "/data", "id"),
            },
            Api::OpenAi => &Facts {
                name: "openai",
                endpoint: "https://api.openai.com/v1",
                variable: Some("OPENAI_API_KEY"),
                context: 120_000,
                path: "/chat/completions",
                models: ("/models", "/data", "id"),
            },
            Api::Ollama => &Facts {
                name: "ollama",
                endpoint: "http://127.0.0.1:11434",
                variable: None,
                context: 32_000,
                path: "/api/chat",
                models: ("/api/tags", "/models", "name"),
            },
        }
    }

    /// The API of a model by its name: what is neither Anthropic's nor OpenAI's runs at home.
    fn guess(model: &str, has_endpoint: bool) -> Api {
        let is_numbered = model
            .strip_prefix('o')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        if model.starts_with("claude") {
            Api::Anthropic
        } else if has_endpoint
            || is_numbered
            || model.starts_with("gpt-")
            || model.starts_with("chatgpt-")
        {
            Api::OpenAi
        } else {
            Api::Ollama
        }
    }
}

/// A model, and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    pub api: Api,
    pub model: String,
    pub endpoint: String,
    /// What is masked in all that the endpoint says: the keys of every API.
    pub(super) secrets: Secrets,
}

impl Choice {
    /// What `--model` and `--endpoint` name; `key` looks up a variable. Errors: the model has
    /// no name, the endpoint is no address, or the API's own wants a key that is not set.
    pub fn parse(
        model: &str,
        endpoint: Option<&str>,
        key: impl Fn(&str) -> Option<String>,
    ) -> Result<Choice, String> {
        let model = model.trim();
        let named = |api: Api| {
            Some((
                api,
                model.strip_prefix(api.facts().name)?.strip_prefix(':')?,
            ))
        };
        let named = Api::ALL.into_iter().find_map(named);
        let (api, model) = named.unwrap_or_else(|| (Api::guess(model, endpoint.is_some()), model));
        let facts = api.facts();
        if model.is_empty()
            || model.contains(|letter: char| letter.is_whitespace() || letter.is_control())
        {
            return Err(format!(
                "--model: \"{}\" is no model's name. Send one as the API has it, with the API before it where it cannot be told from the \
                 name: claude-sonnet-4-5, openai:gpt-5, ollama:qwen3:8b",
                quoted(model)
            ));
        }
        let endpoint = match endpoint {
            Some(endpoint) => address(endpoint)?,
            None => facts.endpoint.to_owned(),
        };
        let held = |api: Api| {
            api.facts()
                .variable
                .and_then(&key)
                .map(|key| key.trim().to_owned())
        };
        let key = held(api).filter(|key| !key.is_empty());
        if let (Some(variable), None, true) = (facts.variable, &key, endpoint == facts.endpoint) {
            return Err(format!(
                "{variable} is not set, and {endpoint} wants a key. Set it to yours, or name a model of your own computer: --model \
                 ollama:qwen3:8b, or --endpoint http://127.0.0.1:8080/v1 for a server with OpenAI's API. Without --model the table works \
                 without any."
            ));
        }
        if let Some(key) = &key
            && key.contains(|letter: char| letter.is_control() || !letter.is_ascii())
        {
            let variable = facts.variable.unwrap_or_default();
            return Err(format!(
                "{variable} holds a character that no key has. Set it to the key alone"
            ));
        }
        let secrets = Secrets::new(key, Api::ALL.into_iter().filter_map(held));
        Ok(Choice {
            api,
            model: model.to_owned(),
            endpoint,
            secrets,
        })
    }

    pub fn is_local(&self) -> bool {
        let host = self.endpoint.split_once("//").map_or("", |(_, rest)| rest);
        let host = host.split('/').next().unwrap_or_default();
        ["localhost", "127.", "[::1]"]
            .iter()
            .any(|local| host.starts_with(local))
    }

    /// Whether a key would be sent so that others on the way can read it.
    pub fn is_open(&self) -> bool {
        self.secrets.key().is_some() && self.endpoint.starts_with("http:") && !self.is_local()
    }
}

fn address(text: &str) -> Result<String, String> {
    let text = text.trim().trim_end_matches('/');
    let advice =
        "an address is wanted, such as http://127.0.0.1:11434 or https://api.example.org/v1";
    let rest = ["http://", "https://"]
        .iter()
        .find_map(|kind| text.strip_prefix(kind));
    let host = rest.map_or("", |rest| rest.split('/').next().unwrap_or_default());
    if host.contains('@') {
        let why = "--endpoint: an address with a password in it is not taken; keys are read from the environment";
        return Err(why.to_owned());
    }
    let is_address = !host.is_empty()
        && !text.contains(|letter: char| {
            letter.is_whitespace() || letter.is_control() || "?#".contains(letter)
        });
    match is_address && reqwest::Url::parse(text).is_ok() {
        true => Ok(text.to_owned()),
        false => Err(format!(
            "--endpoint: \"{}\" is none: {advice}",
            quoted(text)
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::{Api, Choice};

    fn choice(model: &str, endpoint: Option<&str>) -> Result<Choice, String> {
        Choice::parse(model, endpoint, |_| Some("sk-test".to_owned()))
    }

    #[test]
    fn the_name_says_which_api_it_is() {
        let server = Some("http://127.0.0.1:1234/v1");
        for (text, endpoint, api, model) in [
            (
                "claude-sonnet-4-5",
                None,
                Api::Anthropic,
                "claude-sonnet-4-5",
            ),
            ("gpt-5", None, Api::OpenAi, "gpt-5"),
            ("o3-mini", None, Api::OpenAi, "o3-mini"),
            ("olmo2", None, Api::Ollama, "olmo2"),
            ("qwen3:8b", None, Api::Ollama, "qwen3:8b"),
            ("qwen3:8b", server, Api::OpenAi, "qwen3:8b"),
            ("ollama:gpt-oss:20b", None, Api::Ollama, "gpt-oss:20b"),
            ("openai:claude-like", None, Api::OpenAi, "claude-like"),
        ] {
            let choice = choice(text, endpoint).unwrap();
            assert_eq!((choice.api, choice.model.as_str()), (api, model), "{text}");
        }
    }

    #[test]
    fn what_is_no_model_or_no_address_is_refused_with_what_to_send() {
        for model in ["", "  ", "openai:", "a model", "a\u{1b}b"] {
            assert!(
                choice(model, None).unwrap_err().contains("ollama:qwen3:8b"),
                "{model}"
            );
        }
        for endpoint in [
            "",
            "127.0.0.1:11434",
            "ftp://a",
            "http://",
            "http://a b",
            "http://a/?key=1",
            "http://[::1",
        ] {
            assert!(
                choice("m", Some(endpoint))
                    .unwrap_err()
                    .contains("http://127.0.0.1:11434"),
                "{endpoint}"
            );
        }
        assert!(
            choice("m", Some("https://me:pw@host/v1"))
                .unwrap_err()
                .contains("environment")
        );
        assert_eq!(
            choice("m", Some("http://h:1/v1/")).unwrap().endpoint,
            "http://h:1/v1"
        );
    }

    #[test]
    fn a_key_is_wanted_where_the_api_wants_one_is_never_shown_and_an_open_one_is_noticed() {
        let none = |model, endpoint| Choice::parse(model, endpoint, |_| None);
        assert!(
            none("claude-sonnet-4-5", None)
                .unwrap_err()
                .starts_with("ANTHROPIC_API_KEY is not set")
        );
        assert!(
            none("gpt-5", None)
                .unwrap_err()
                .starts_with("OPENAI_API_KEY is not set")
        );
        assert!(
            none("gpt-5", Some("http://127.0.0.1:1/v1")).is_ok() && none("qwen3", None).is_ok()
        );
        assert!(!format!("{:?}", choice("gpt-5", None).unwrap()).contains("sk-test"));
        let torn = Choice::parse("gpt-5", None, |_| Some("sk-\u{7}x".to_owned()));
        assert!(torn.unwrap_err().starts_with("OPENAI_API_KEY holds"));
        assert!(choice("m", Some("http://10.0.0.7/v1")).unwrap().is_open());
        for closed in [
            "https://10.0.0.7/v1",
            "http://localhost:1/v1",
            "http://127.0.0.1/v1",
            "http://[::1]:3/v1",
        ] {
            assert!(!choice("m", Some(closed)).unwrap().is_open(), "{closed}");
        }
    }
}
