//! Words that several prompts say.

/// Some clients split what was typed at its spaces and send the first word alone as the argument.
pub(super) const TYPED: &str =
    "some clients pass on only the first word of it: use everything that I typed behind the command";

/// A line each, with its number.
pub(super) fn numbered(steps: &[String]) -> String {
    (1..).zip(steps).map(|(at, step): (usize, &String)| format!("\n{at}. {step}")).collect()
}
