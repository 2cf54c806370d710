//! What stands in a copy: a header, then one object an entry. Unknown and repeated fields are refused.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::game::view::Audience;

/// What a copy says of itself.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    pub rollbook: About,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    pub format: u32,
    pub audience: Audience,
    pub campaign: String,
    pub uuid: uuid::Uuid,
    /// What the log lacked when the copy was written, in a sentence.
    #[serde(default)]
    pub history_lost: Option<String>,
}

/// A line as it is read back.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Copied<'a> {
    pub n: Option<u64>,
    pub text: Option<String>,
    #[serde(borrow, default)]
    pub public: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub body: Option<&'a RawValue>,
    #[serde(borrow)]
    pub proof: Proof<'a>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proof<'a> {
    pub seq: u64,
    pub commitment: String,
    pub chain: String,
    pub salt: Option<String>,
    #[serde(borrow, default)]
    pub body: Option<&'a RawValue>,
}
