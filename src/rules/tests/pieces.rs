//! What is rolled is one expression in backticks, and nothing beside it.

use super::{codes, system_md};

#[test]
fn a_roll_is_one_expression_in_backticks() {
    for roll in [
        "1d20 + {STR}",
        "`1d20` + {STR}",
        "`1d20` plus `{STR}`",
        "`1d20` or `2d10`",
        "`1d20 + {STR}` (minimum 3)",
        "`1d20` with advantage",
        "the best of `3d6`",
        "`1d20 + STR`",
    ] {
        let text = format!(
            "## Attributes\n- Strength (STR)\n- Range: 0 to 9\n\n## Checks\n### Any\n- Roll: {roll}\n- Target: {{difficulty}}\n"
        );
        let reading = system_md(&text);
        assert_eq!(codes(&reading), ["document/not-understood"], "{roll}");
        assert!(reading.system.checks.is_empty(), "{roll}: another roll than the author's is not made");
    }
}
