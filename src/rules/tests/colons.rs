//! Rules whose colon is missing are told of; and what stands in another language is read as a whole.

use super::{codes, sound, system_md};

#[test]
fn advantage_that_no_check_has_is_told_of() {
    let check = "## Checks\n### Test\n- Roll: `2d6`\n- Target: `7`\n";
    let hurt = "\n## Conditions\n- Hurt: disadvantage on checks\n";
    assert_eq!(codes(&system_md(&format!("{check}{hurt}"))), ["conditions/no-such-dice"]);
    sound(&format!("{check}- Advantage: `3d6kh2`\n- Disadvantage: `3d6kl2`\n{hurt}"));
    sound(&format!("{}{hurt}", check.replace("2d6", "1d20")));
}

#[test]
fn what_a_call_gives_may_go_from_a_number_to_another() {
    let reading = sound("## Checks\n### Test\n- Roll: `1d6 + {edge}`\n- Asks: edge 0 to 3\n- Target: `5`\n");
    let asked = reading.system.checks.first().and_then(|check| check.asked("edge")).expect("asked for");
    assert_eq!(asked.range(), Some((0, 3)));
}
