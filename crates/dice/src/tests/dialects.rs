//! What people who know Roll20, Foundry VTT or Avrae type, from the documentation of the three.
//!
//! Each line of `dialects.txt` is read as it says, or refused with that code; behind the code
//! stands what is offered instead, where the notation has something to offer.

use crate::read;

const DIALECTS: &str = include_str!("dialects.txt");

#[test]
fn what_other_programs_users_type_is_read_or_answered() {
    let mut checked = 0;
    for line in DIALECTS.lines().filter(|line| !line.starts_with("# ") && !line.is_empty()) {
        checked += 1;
        if let Some((text, wanted)) = line.split_once("  =>  ") {
            let expression = read(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
            assert_eq!(expression.as_str(), wanted, "{text}");
            continue;
        }
        let (text, wanted) = line.split_once("  =!  ").expect(line);
        let error = read(text).expect_err(text);
        let (code, offer) = wanted.split_once(": ").unwrap_or((wanted, ""));
        assert_eq!(error.code.as_str(), code, "{text}");
        assert!(read(&error.example).is_ok(), "{text}: {}", error.example);
        assert!(text.get(error.span.clone()).is_some(), "{text}: {:?}", error.span);
        if !offer.is_empty() {
            assert_eq!(error.example, offer, "{text}");
            assert!(error.hint.contains(offer), "{text}: {}", error.hint);
        }
    }
    assert!(checked > 190, "{checked} lines");
}
