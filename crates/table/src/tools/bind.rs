//! Binding arguments by a tool's schema: every bad one is reported at once, and what models are
//! known to send (`"15"` for 15, a list as JSON text) is read as meant, with a note.

use serde_json::{Map, Value};

use super::schema::{any_of, is_call, is_free, kind, meant_field, type_of, wanted};
use super::synonyms::{Meant, Synonyms, snake};
use rollbook_game::limits::LIMITS;
use rollbook_game::refusal::{Attempt, Code, Detail, Refusal};
use rollbook_text::names::{misspelt, printable, quoted, same, shortened, suggest};

/// What is wrong with a parameter that the tool does not have.
pub const NO_SUCH_PARAMETER: &str = "no such parameter";
/// Parameters of every call, which are not those of one in a list.
const COMMON: [&str; 4] = ["campaign", "detail", "request_id", "after"];
const DEPTH_MAX: usize = 6;
const BAD_MAX: usize = 20;
/// Characters of an argument's path that are shown.
const PATH_MAX: usize = 80;
/// Characters of a value that are quoted back.
const SHOWN_MAX: usize = 60;

#[derive(Debug)]
pub struct Bound {
    pub arguments: Map<String, Value>,
    pub notes: Vec<String>,
    /// Parameters that were sent under another name: `(sent, meant)`.
    pub renamed: Vec<(String, String)>,
}

#[derive(Debug)]
pub struct Unbound {
    pub bad: Vec<Detail>,
    /// Those that are not bad.
    pub arguments: Map<String, Value>,
    /// What does what was meant, where that is known of all that is bad.
    pub attempt: Option<Attempt>,
}

impl Unbound {
    pub fn refusal(mut self) -> Refusal {
        let more = self.bad.len().saturating_sub(BAD_MAX);
        self.bad.truncate(BAD_MAX);
        let line = |bad: &Detail| {
            format!(
                "{}: {} (valid: {})",
                bad.parameter, bad.issue, bad.valid_range
            )
        };
        let list: Vec<String> = self.bad.iter().map(line).collect();
        let more = if more > 0 {
            format!("; and {more} more")
        } else {
            String::new()
        };
        Refusal::new(
            Code::InvalidParameters,
            format!("{}{more}.", list.join("; ")),
        )
        .details(self.bad)
        .attempted(self.attempt)
    }
}

/// Reads the raw object by the schema; `maps`: the parameters under which the rules have a name.
/// Errors: all the bad arguments, beside those that are not.
pub fn bind(
    schema: &Map<String, Value>,
    synonyms: &Synonyms,
    maps: &dyn Fn(&str) -> Vec<&'static str>,
    raw: Map<String, Value>,
) -> Result<Bound, Unbound> {
    let mut binder = Binder {
        synonyms,
        maps,
        whole: schema,
        call: String::new(),
        raw: raw.clone(),
        attempt: Some(Attempt::default()),
        bad: Vec::new(),
        notes: Vec::new(),
        renamed: Vec::new(),
    };
    let arguments = binder.object(schema, raw, "", 0);
    match binder.bad.is_empty() {
        true => Ok(Bound {
            arguments,
            notes: binder.notes,
            renamed: binder.renamed,
        }),
        false => Err(Unbound {
            bad: binder.bad,
            arguments,
            attempt: binder.attempt,
        }),
    }
}

/// Refuses arguments of an external tool that lack what it requires or are not in its lists.
pub fn check(schema: &Map<String, Value>, arguments: &Map<String, Value>) -> Result<(), Refusal> {
    let properties = schema.get("properties").and_then(Value::as_object);
    let required = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str);
    let is_sent = |name: &str| arguments.get(name).is_some_and(|value| !value.is_null());
    let missing = required.filter(|name| !is_sent(name)).map(|name| {
        let known = properties.and_then(|properties| properties.get(name)?.as_object());
        (
            name,
            format!("Missing required parameter: {}", quoted(name)),
            known.map_or("a value".to_owned(), wanted),
        )
    });
    let unlisted = properties
        .into_iter()
        .flatten()
        .filter_map(|(name, schema)| {
            let allowed = schema.get("enum")?.as_array()?;
            let value = arguments
                .get(name)
                .filter(|value| !value.is_null() && !allowed.contains(value))?;
            let list: Vec<String> = allowed.iter().map(shown).collect();
            let issue = format!(
                "Invalid value for {}: {} is not one of them",
                quoted(name),
                shown(value)
            );
            Some((name.as_str(), issue, list.join(", ")))
        });
    let bad = missing.chain(unlisted).take(BAD_MAX);
    let bad: Vec<Detail> = bad
        .map(|(name, issue, range)| Detail {
            parameter: name.to_owned(),
            issue,
            valid_range: printable(&range),
        })
        .collect();
    if bad.is_empty() {
        return Ok(());
    }
    let lines: Vec<String> = bad
        .iter()
        .map(|bad| format!("{} (valid: {})", bad.issue, bad.valid_range))
        .collect();
    Err(Refusal::new(Code::InvalidParameters, format!("{}.", lines.join("; "))).details(bad))
}

struct Binder<'s> {
    synonyms: &'s Synonyms,
    maps: &'s dyn Fn(&str) -> Vec<&'static str>,
    whole: &'s Map<String, Value>,
    /// The path of the call that is read: the whole, or one in a list of calls.
    call: String,
    /// All arguments as they were sent.
    raw: Map<String, Value>,
    /// What mends all that is bad so far.
    attempt: Option<Attempt>,
    bad: Vec<Detail>,
    notes: Vec<String>,
    renamed: Vec<(String, String)>,
}

impl Binder<'_> {
    fn object(
        &mut self,
        schema: &Map<String, Value>,
        raw: Map<String, Value>,
        path: &str,
        depth: usize,
    ) -> Map<String, Value> {
        let empty = Map::new();
        let properties = schema
            .get("properties")
            .and_then(Value::as_object)
            .unwrap_or(&empty);
        let others = schema
            .get("additionalProperties")
            .and_then(Value::as_object);
        let mut bound = Map::new();
        // A parameter counts as sent under its own name or another one, even when it was refused.
        let mut sent: Vec<String> = raw
            .keys()
            .filter(|name| properties.contains_key(*name))
            .cloned()
            .collect();
        for (name, value) in raw {
            // A null is an argument that was left out.
            if value.is_null() {
                sent.retain(|known| *known != name);
                continue;
            }
            let at = shortened(
                &if path.is_empty() {
                    name.clone()
                } else {
                    format!("{path}.{name}")
                },
                PATH_MAX,
            );
            let meant = match properties.get(&name).and_then(Value::as_object).or(others) {
                Some(schema) => Some((name.clone(), schema)),
                None => match self.synonyms.meant(&name, properties) {
                    Meant::Parameter(other, _) if sent.contains(&other) => {
                        self.refuse(
                            &at,
                            format!("means {other}, which is sent, too"),
                            format!("{other} alone"),
                        );
                        None
                    }
                    Meant::Parameter(other, schema) => {
                        sent.push(other.clone());
                        if path == self.call {
                            self.renamed.push((name.clone(), other.clone()));
                        }
                        Some((other, schema))
                    }
                    Meant::Hint(hint) => {
                        let attempt = match value {
                            Value::Bool(false) => Some(Attempt::default()),
                            _ => self.synonyms.instead(hint, &name, &self.raw),
                        };
                        let shown = self.synonyms.shown_hint(hint, &name, &self.raw);
                        let issue = NO_SUCH_PARAMETER.to_owned();
                        self.refuse_for(&at, issue, shown, attempt.filter(|_| path.is_empty()));
                        None
                    }
                    Meant::Unknown => {
                        self.unknown(properties, &name, value.clone(), at.clone());
                        None
                    }
                },
            };
            if let Some((name, schema)) = meant
                && let Some(value) = self.value(schema, value, &at, depth + 1)
            {
                bound.insert(name, value);
            }
        }
        for name in schema
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
        {
            let path = if path.is_empty() {
                name.to_owned()
            } else {
                format!("{path}.{name}")
            };
            if !bound.contains_key(name) && !sent.iter().any(|known| known == name) {
                let wanted = properties
                    .get(name)
                    .and_then(Value::as_object)
                    .map_or("a value".to_owned(), wanted);
                self.refuse(&path, "missing".to_owned(), wanted);
            }
        }
        bound
    }

    fn value(
        &mut self,
        schema: &Map<String, Value>,
        raw: Value,
        path: &str,
        depth: usize,
    ) -> Option<Value> {
        if depth > DEPTH_MAX {
            self.refuse(
                path,
                "nested too deep".to_owned(),
                format!("at most {DEPTH_MAX} levels"),
            );
            return None;
        }
        let raw = self.number(schema, raw, path);
        let (whole, schema) = (schema, read_by(schema, &raw));
        let meant = self.coerced(schema, raw, path);
        match (type_of(schema), meant) {
            (Some("string"), Value::String(text)) => self.string(schema, text, path),
            (Some("integer"), Value::Number(number)) => self.integer(schema, &number, path),
            (Some("boolean"), Value::Bool(flag)) => Some(Value::Bool(flag)),
            (Some("array"), Value::Array(items)) => self.array(schema, items, path, depth),
            (Some("object"), Value::Object(fields)) if is_free(schema) => {
                Some(Value::Object(self.free_object(fields, path, depth)))
            }
            (Some("object"), Value::Object(fields)) => {
                Some(Value::Object(self.object(schema, fields, path, depth)))
            }
            (Some("integer"), Value::String(text)) if is_change(&text, path) => {
                let valid = "the number that it has then; apply_damage with track moves it";
                self.refuse(
                    path,
                    format!("{} is a change", shown(&text.into())),
                    valid.into(),
                );
                None
            }
            (Some("integer"), Value::String(text)) if is_dice(&text) => {
                let valid = format!("the total of roll_dice expression=\"{}\"", printable(&text));
                self.refuse(
                    path,
                    format!(
                        "{} is dice, and they are rolled first",
                        shown(&Value::String(text))
                    ),
                    valid,
                );
                None
            }
            (_, other) => {
                self.refuse(
                    path,
                    format!("{} is not {}", shown(&other), kind(whole)),
                    wanted(whole),
                );
                None
            }
        }
    }

    /// An object whose fields the caller names. The log has whole numbers; others are kept as text.
    fn free_object(
        &mut self,
        fields: Map<String, Value>,
        path: &str,
        depth: usize,
    ) -> Map<String, Value> {
        let kept = fields.into_iter().filter_map(|(name, value)| {
            let at = shortened(&format!("{path}.{name}"), PATH_MAX);
            Some((name, self.free_value(value, &at, depth + 1)?))
        });
        kept.collect()
    }

    fn free_value(&mut self, value: Value, path: &str, depth: usize) -> Option<Value> {
        if depth > DEPTH_MAX {
            self.refuse(
                path,
                "nested too deep".to_owned(),
                format!("at most {DEPTH_MAX} levels"),
            );
            return None;
        }
        match value {
            Value::Object(fields) => Some(Value::Object(self.free_object(fields, path, depth))),
            Value::Array(items) => {
                let kept = (0..).zip(items).filter_map(|(nth, value): (usize, Value)| {
                    self.free_value(value, &format!("{path}[{nth}]"), depth + 1)
                });
                Some(Value::Array(kept.collect()))
            }
            Value::Number(number) if !number.is_i64() => {
                let text = Value::String(number.to_string());
                self.notes
                    .push(format!("{path}: {number} read as {}", shown(&text)));
                Some(text)
            }
            other => Some(other),
        }
    }

    /// The number of a text that names its parameter beside it: `DC 15`.
    fn number(&mut self, schema: &Map<String, Value>, raw: Value, path: &str) -> Value {
        let takes_one = |one: &Map<String, Value>| type_of(one) == Some("integer");
        let name = self.meant(path).rsplit('.').next().unwrap_or(path);
        let text = raw.as_str().unwrap_or_default();
        let number = self.synonyms.number(name, text);
        match integer(number).map(Value::from) {
            Some(meant)
                if number != text && (takes_one(schema) || any_of(schema).any(takes_one)) =>
            {
                self.notes
                    .push(format!("{path}: {} read as {meant}", shown(&raw)));
                meant
            }
            _ => raw,
        }
    }

    /// What a model meant by a value of another type.
    fn coerced(&mut self, schema: &Map<String, Value>, raw: Value, path: &str) -> Value {
        let meant = match (type_of(schema), &raw) {
            (Some("integer"), Value::String(text)) if !is_change(text, path) => {
                integer(text).map(Value::from)
            }
            (Some("integer"), Value::Number(number)) if !number.is_i64() => {
                whole(number.as_f64()).map(Value::from)
            }
            (Some("boolean"), Value::String(text)) => match text.trim().to_lowercase().as_str() {
                "true" | "yes" => Some(Value::Bool(true)),
                "false" | "no" => Some(Value::Bool(false)),
                _ => None,
            },
            // A number where text is asked for reads the same, so there is nothing to note.
            (Some("string"), Value::Number(number)) => return Value::String(number.to_string()),
            (Some("array"), Value::String(text)) => match serde_json::from_str(text) {
                Ok(Value::Array(items)) => Some(Value::Array(items)),
                _ => Some(Value::Array(vec![raw.clone()])),
            },
            (Some("array"), Value::Object(_)) => Some(Value::Array(vec![raw.clone()])),
            (Some("object"), Value::String(text)) => match serde_json::from_str(text) {
                Ok(Value::Object(fields)) => Some(Value::Object(fields)),
                _ => meant_field(schema)
                    .map(|field| Value::Object(Map::from_iter([(field.to_owned(), raw.clone())]))),
            },
            _ => None,
        };
        match meant {
            Some(meant) => {
                self.notes
                    .push(format!("{path}: {} read as {}", shown(&raw), shown(&meant)));
                meant
            }
            None => raw,
        }
    }

    fn string(&mut self, schema: &Map<String, Value>, text: String, path: &str) -> Option<Value> {
        if let Some(allowed) = schema.get("enum").and_then(Value::as_array) {
            let lower = snake(text.trim());
            let found = allowed
                .iter()
                .filter_map(Value::as_str)
                .find(|word| same(word, &lower));
            if found.is_none() {
                let words: Vec<&str> = allowed.iter().filter_map(Value::as_str).collect();
                let parameter = self.meant(path).to_owned();
                let word = (parameter.as_str(), lower.as_str());
                let (suggestion, attempt) = match self.synonyms.word(word, path, &self.raw) {
                    Some((hint, attempt)) => {
                        let send = if attempt.is_some() { "send " } else { "" };
                        let shown = self.synonyms.shown_hint(hint, path, &self.raw);
                        (format!("; {send}{shown}"), attempt)
                    }
                    None => match self.synonyms.near_word(&lower, &words) {
                        Some(word) => {
                            let set = vec![(parameter, Value::from(word))];
                            let attempt = Attempt {
                                set,
                                ..Attempt::default()
                            };
                            (format!("; near: {word}"), Some(attempt))
                        }
                        None => (String::new(), None),
                    },
                };
                let issue = format!(
                    "{} is not one of them{suggestion}",
                    shown(&Value::String(text))
                );
                // The path of a part of an argument is no argument.
                let attempt = attempt.filter(|_| !path.contains(['.', '[']));
                self.refuse_for(path, issue, words.join(", "), attempt);
            }
            return found.map(Value::from);
        }
        match schema.get("maxLength").and_then(Value::as_u64) {
            Some(most) if text.chars().count() as u64 > most => {
                self.refuse(
                    path,
                    format!("{} characters long", text.chars().count()),
                    format!("at most {most} characters"),
                );
                None
            }
            _ => Some(Value::String(text)),
        }
    }

    fn integer(
        &mut self,
        schema: &Map<String, Value>,
        number: &serde_json::Number,
        path: &str,
    ) -> Option<Value> {
        let bound = |key: &str| {
            schema
                .get(key)
                .and_then(|bound| bound.as_i64().or_else(|| whole(bound.as_f64())))
        };
        let (low, high) = (
            bound("minimum").unwrap_or(i64::MIN),
            bound("maximum").unwrap_or(i64::MAX),
        );
        match number.as_i64().filter(|value| (low..=high).contains(value)) {
            Some(value) => Some(Value::from(value)),
            None => {
                self.refuse(
                    path,
                    format!("{number} is not {}", kind(schema)),
                    wanted(schema),
                );
                None
            }
        }
    }

    fn array(
        &mut self,
        schema: &Map<String, Value>,
        items: Vec<Value>,
        path: &str,
        depth: usize,
    ) -> Option<Value> {
        let most = schema
            .get("maxItems")
            .and_then(Value::as_u64)
            .unwrap_or_else(|| items_max(path));
        if items.len() as u64 > most {
            self.refuse(
                path,
                format!("{} items", items.len()),
                format!("at most {most} items"),
            );
            return None;
        }
        let item = schema.get("items").and_then(Value::as_object);
        let Some(item) = item.filter(|item| is_call(item) || !is_free(item)) else {
            return Some(Value::Array(items));
        };
        let call = is_call(item).then(|| self.call_in(item, path));
        let bound = (0..).zip(items).filter_map(|(nth, value): (usize, Value)| {
            let path = format!("{path}[{nth}]");
            if let Some(call) = &call {
                self.call.clone_from(&path);
                return self.value(call, value, &path, depth + 1);
            }
            self.value(item, value, &path, depth + 1)
        });
        let bound = bound.collect();
        self.call.clear();
        Some(Value::Array(bound))
    }

    /// The schema of a call in a list: the parameters of the whole, without what is said once.
    fn call_in(&self, item: &Map<String, Value>, list: &str) -> Map<String, Value> {
        let mut call = item.clone();
        call.insert("additionalProperties".to_owned(), Value::Bool(false));
        let properties = self.whole.get("properties").and_then(Value::as_object);
        let each = properties
            .into_iter()
            .flatten()
            .filter(|(name, _)| *name != list && !COMMON.contains(&name.as_str()));
        let each = each.map(|(name, schema)| (name.clone(), schema.clone()));
        call.insert("properties".to_owned(), Value::Object(each.collect()));
        call
    }

    /// The parameter's own name, under whatever name it was sent.
    fn meant<'p>(&'p self, path: &'p str) -> &'p str {
        self.renamed
            .iter()
            .find(|(sent, _)| sent == path)
            .map_or(path, |(_, meant)| meant)
    }

    fn unknown(&mut self, properties: &Map<String, Value>, name: &str, value: Value, path: String) {
        let known: Vec<&str> = properties.keys().map(String::as_str).collect();
        let suggestions = suggest(name, known.iter().copied());
        // A number under a name of its own is a score, a skill or a track of the rules.
        let score = value
            .as_i64()
            .filter(|_| properties.contains_key("attributes"));
        let valid = match score {
            _ if !suggestions.is_empty() => suggestions.join(", "),
            Some(score) => {
                let maps = ["attributes", "skills", "tracks"]
                    .into_iter()
                    .filter(|map| properties.contains_key(*map));
                let calls = maps.map(|map| format!("{map}={{\"{}\": {score}}}", quoted(name)));
                format!(
                    "{}, as the rules call it",
                    calls.collect::<Vec<_>>().join(" or ")
                )
            }
            // A check may ask for more than the tool knows: position, effect.
            None if properties.contains_key("values")
                && path == name
                && !value.is_object()
                && !value.is_array() =>
            {
                format!(
                    "values={{\"{}\": {}}} where the rules name it; else {}",
                    quoted(name),
                    shown(&value),
                    known.join(", ")
                )
            }
            None => known.join(", "),
        };
        let in_it = |known: &&&str| {
            format!("_{known}_").contains(&format!("_{name}_")) && suggestions.len() == 1
        };
        let meant =
            misspelt(name, known.iter().copied()).or_else(|| known.iter().find(in_it).copied());
        let set = |meant: &str, value| Attempt {
            set: vec![(meant.to_owned(), value)],
            ..Attempt::default()
        };
        let sent = value.clone();
        // `roll_type="advantage"`: the value is what can be sent.
        let named = value
            .as_str()
            .map(|word| self.synonyms.meant(word, properties));
        let (valid, attempt) = match (meant, named) {
            (None, Some(Meant::Parameter(flag, schema))) if type_of(schema) == Some("boolean") => {
                (format!("{flag}=true"), Some(set(&flag, true.into())))
            }
            (None, Some(Meant::Hint(hint))) if names_arguments(hint) => {
                let shown = self.synonyms.shown_hint(hint, name, &self.raw);
                (shown, self.synonyms.instead(hint, name, &self.raw))
            }
            (meant, _) => (valid, meant.map(|meant| set(meant, value))),
        };
        // Of a signed number it is open whether the score is that, or moves so far.
        let is_signed = shown(&sent).trim_start_matches('"').starts_with(['+', '-']);
        let mut maps = (self.maps)(name);
        maps.retain(|map| properties.contains_key(*map) && !name.contains('.'));
        let (valid, attempt) = match (attempt, maps.as_slice(), &sent) {
            (None, [map], Value::Number(_) | Value::String(_)) if !is_signed => (
                format!("{map}={{\"{}\": {}}}", quoted(name), shown(&sent)),
                Some(set(&format!("{map}.{name}"), sent.clone())),
            ),
            (attempt, ..) => (valid, attempt),
        };
        let attempt = attempt.filter(|_| path == name);
        self.refuse_for(&path, NO_SUCH_PARAMETER.to_owned(), valid, attempt);
    }

    fn refuse(&mut self, parameter: &str, issue: String, valid_range: String) {
        self.refuse_for(parameter, issue, valid_range, None);
    }

    /// Refuses an argument; with what mends it, where that is known.
    fn refuse_for(
        &mut self,
        parameter: &str,
        issue: String,
        valid_range: String,
        attempt: Option<Attempt>,
    ) {
        self.attempt = match (self.attempt.take(), attempt) {
            // All arguments go to the other tool, which looks at them itself.
            (_, Some(other)) if other.tool.is_some() => {
                self.bad.clear();
                Some(other)
            }
            (Some(other), next)
                if other.tool.is_some()
                    || next.is_none() && other.without.iter().any(|used| used == parameter) =>
            {
                self.attempt = Some(other);
                return;
            }
            (Some(mut all), Some(next)) => {
                all.set.extend(next.set);
                all.without.extend(next.without);
                Some(all)
            }
            _ => None,
        };
        self.bad.push(Detail {
            parameter: parameter.to_owned(),
            issue,
            valid_range,
        });
    }
}

/// Whether a hint's values are those of named arguments, and not that of what it is about.
fn names_arguments(hint: &str) -> bool {
    let mut values = hint.split('$').skip(1);
    values.all(|value| value.starts_with(|letter: char| letter.is_ascii_lowercase()))
}

/// How long a list may be: the game's own limit, so that the number in the refusal is accepted.
fn items_max(path: &str) -> u64 {
    let name = path.rsplit('.').next().unwrap_or(path);
    let most = match name {
        "combatants" => LIMITS.combatants,
        "inventory" => LIMITS.items,
        "apply_conditions" | "remove_conditions" => LIMITS.conditions,
        _ => LIMITS.rolls,
    };
    most as u64
}

/// Whether a text is by how much a track moves, where it is said how far it is.
fn is_change(text: &str, path: &str) -> bool {
    text.trim().starts_with('+') && path.contains("tracks.")
}

/// Whether a text is dice, with a number or without: `1d6`, `2d8+3`.
fn is_dice(text: &str) -> bool {
    text.chars().count() <= SHOWN_MAX / 2
        && text.contains(['d', 'D'])
        && rollbook_dice::parse(text).is_ok()
}

/// `15`, `+15`, `−15`, `#15`, `15.0`.
fn integer(text: &str) -> Option<i64> {
    let text = text.trim().trim_start_matches('#');
    let text = text.replace(rollbook_dice::is_minus, "-");
    text.parse().ok().or_else(|| whole(text.parse().ok()))
}

/// A number that is whole and exact in a double.
fn whole(number: Option<f64>) -> Option<i64> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "whole and below 2^53 by the filter"
    )]
    number
        .filter(|number| number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0)
        .map(|number| number as i64)
}

/// The schema that a value is read by, of several that of its type. A number or list as text is
/// one.
fn read_by<'s>(schema: &'s Map<String, Value>, value: &Value) -> &'s Map<String, Value> {
    let allowed = |wanted: &str| any_of(schema).find(|one| type_of(one) == Some(wanted));
    let found = match value {
        Value::String(text) => {
            let number = integer(text).and_then(|_| allowed("integer"));
            let list =
                || allowed("array").filter(|_| serde_json::from_str::<Vec<Value>>(text).is_ok());
            number
                .or_else(list)
                .or_else(|| allowed("string"))
                .or_else(|| allowed("object"))
        }
        Value::Array(_) => allowed("array"),
        Value::Object(_) => allowed("object"),
        Value::Null | Value::Bool(_) | Value::Number(_) => {
            allowed("integer").or_else(|| allowed("string"))
        }
    };
    found.unwrap_or(schema)
}

fn shown(value: &Value) -> String {
    printable(&shortened(&value.to_string(), SHOWN_MAX))
}
