//! Why a line of a copy cannot be read, in words of our own. The verifier's page says the same.

use serde::de::IgnoredAny;
use serde_json::error::Category;

/// Of what is no JSON, as of a line that was cut.
const BROKEN: &str = "what stands there is no whole JSON; it was cut off or edited";
/// Of JSON that is no line of ours.
const OTHER_FIELDS: &str = "its fields are not those that an export writes";

/// What is to be said of an error.
pub fn why(error: &serde_json::Error, line: &[u8]) -> String {
    // Where a field is wrong and the line is broken behind it, that it is broken says more.
    let is_whole = error.classify() == Category::Data && serde_json::from_slice::<IgnoredAny>(line).is_ok();
    if is_whole { OTHER_FIELDS.to_owned() } else { BROKEN.to_owned() }
}
