//! The dice at the shell, where something is refused.

use serde_json::Value;

use super::ran;

#[test]
fn a_program_reads_the_refusal_of_dice_as_json() {
    let folder = tempfile::tempdir().expect("a folder");
    for (command, text) in [("roll", "2d20 adv"), ("odds", "2d20 adv"), ("odds", "1000d1000"), ("roll", "2d6 >= 7")] {
        let came = ran(folder.path(), &[command, "--json", text]);
        let plain = ran(folder.path(), &[command, text]);
        assert_eq!((came.code, &came.err), (plain.code, &plain.err), "{command} {text}");
        assert_eq!(came.code, 2, "{came:?}");
        let refusal: Value = serde_json::from_str(&came.out).expect(&came.out);
        for field in ["code", "message", "hint", "example"] {
            assert!(refusal[field].as_str().is_some_and(|words| !words.is_empty()), "{field}: {refusal}");
        }
        let end = |at: usize| refusal["span"][at].as_u64().expect("a byte");
        assert!(end(0) < end(1) && end(1) <= text.len() as u64, "{refusal}");
    }
}

#[test]
fn a_trial_without_a_test_acquits_nobody() {
    let folder = tempfile::tempdir().expect("a folder");
    let came = ran(folder.path(), &["fairness", "5", "--rolls", "1000"]);
    assert_eq!((came.code, came.out.as_str()), (2, ""), "{came:?}");
    assert!(came.err.contains("Nothing here can be tested"), "{came:?}");
}
