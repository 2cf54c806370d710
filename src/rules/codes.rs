//! The stable names of findings, by area. A code is never reused for something else.

/// A file cannot be read, or not as text.
pub const UNREADABLE_FILE: &str = "document/unreadable-file";
/// A file is larger than the limit and was not read.
pub const FILE_TOO_LARGE: &str = "document/file-too-large";
/// All files together are larger than the limit; the later ones were not read.
pub const FILES_TOO_LARGE: &str = "document/files-too-large";
/// There are more findings than are reported.
pub const TOO_MANY_FINDINGS: &str = "document/too-many-findings";
/// There are more items of a kind than are read.
pub const TOO_MANY_ITEMS: &str = "document/too-many-items";
/// Rules stand both in `System.md` and in `System/`.
pub const TWO_HOMES: &str = "document/two-homes";
/// A heading is nearly that of a section.
pub const MISSPELT_HEADING: &str = "document/misspelt-heading";
/// A section's heading is not of level 2.
pub const HEADING_LEVEL: &str = "document/heading-level";
/// A bullet's label is nearly one that its section knows.
pub const MISSPELT_LABEL: &str = "document/misspelt-label";
/// A bullet's label is given twice where it counts once.
pub const REPEATED_LABEL: &str = "document/repeated-label";
/// Something looks like a rule and is not read as one.
pub const LOOKS_LIKE_A_RULE: &str = "document/looks-like-a-rule";
/// Rules stand below a heading that is no section's.
pub const UNKNOWN_SECTION: &str = "document/unknown-section";
/// A file is nearly called as the rules are.
pub const WRONG_NAME: &str = "document/wrong-name";
/// Part of a rule is left to the GM.
pub const LEFT_TO_GM: &str = "document/left-to-the-gm";
/// A link leads to a file that does not exist.
pub const BROKEN_LINK: &str = "document/broken-link";
/// A link leads to a heading that does not exist.
pub const BROKEN_ANCHOR: &str = "document/broken-anchor";

/// An expression cannot be read.
pub const UNREADABLE_FORMULA: &str = "formula/unreadable";
/// Something beside an expression could be meant as part of it and is not read.
pub const LEFT_OVER: &str = "formula/left-over";
/// An expression names something that nothing declares.
pub const UNDECLARED_NAME: &str = "formula/undeclared-name";

/// A die in a `- Dice:` bullet cannot be read.
pub const UNREADABLE_DIE: &str = "dice/unreadable-die";
/// A Visibility bullet cannot be read.
pub const UNREADABLE_VISIBILITY: &str = "dice/unreadable-visibility";
/// No die is named anywhere.
pub const NO_DICE: &str = "dice/none-named";
/// A check rolls a die that the Dice bullet leaves out.
pub const UNDECLARED_DIE: &str = "dice/undeclared-die";
/// Advantage keeps the worse die of a check, or disadvantage the better one.
pub const TURNED_ADVANTAGE: &str = "dice/turned-advantage";

/// Two attributes, or an attribute and a short form, have one name.
pub const DUPLICATE_ATTRIBUTE: &str = "attributes/duplicate";
/// A range cannot be read.
pub const UNREADABLE_RANGE: &str = "attributes/unreadable-range";
/// A row of a modifier table cannot be read.
pub const UNREADABLE_MODIFIER: &str = "attributes/unreadable-modifier";
/// A score in the range has no modifier.
pub const MODIFIER_GAP: &str = "attributes/modifier-gap";
/// A row of a modifier table whose scores have a modifier by a row above it.
pub const UNREACHABLE_MODIFIER: &str = "attributes/unreachable-modifier";
/// A name that every call uses for something else.
pub const RESERVED_NAME: &str = "attributes/reserved-name";

/// Two skills have one name.
pub const DUPLICATE_SKILL: &str = "skills/duplicate";
/// A skill is linked to an attribute that does not exist.
pub const UNKNOWN_ATTRIBUTE: &str = "skills/unknown-attribute";
/// Skills are linked to attributes and there are none at all.
pub const NO_ATTRIBUTES: &str = "skills/no-attributes";
/// Skills are declared, and no check adds them.
pub const UNUSED_SKILLS: &str = "skills/unused";

/// Two checks have one name.
pub const DUPLICATE_CHECK: &str = "checks/duplicate";
/// Dice are named, and there is no check.
pub const NO_CHECK: &str = "checks/none";
/// A check has no name.
pub const NO_NAME: &str = "checks/no-name";
/// A check cannot be rolled with any value, or with its defaults.
pub const CANNOT_BE_ROLLED: &str = "checks/cannot-be-rolled";
/// A check has no Roll.
pub const NO_ROLL: &str = "checks/no-roll";
/// A *When* cell cannot be read.
pub const UNREADABLE_WHEN: &str = "checks/unreadable-when";
/// A label has no canonical outcome.
pub const NO_CANONICAL_OUTCOME: &str = "checks/no-canonical-outcome";
/// A Succeed bullet cannot be read.
pub const UNREADABLE_SUCCEED: &str = "checks/unreadable-succeed";
/// A Count bullet cannot be read.
pub const UNREADABLE_COUNT: &str = "checks/unreadable-count";
/// A Pairs bullet cannot be read.
pub const UNREADABLE_PAIRS: &str = "checks/unreadable-pairs";
/// What a natural face does cannot be read.
pub const UNREADABLE_STEP: &str = "checks/unreadable-step";
/// What may be done with a roll that was made cannot be read.
pub const UNREADABLE_FOLLOW_UP: &str = "checks/unreadable-follow-up";
/// What a row does to a track cannot be read.
pub const UNREADABLE_MOVE: &str = "checks/unreadable-move";
/// Who may make a check cannot be read.
pub const UNREADABLE_WHILE: &str = "checks/unreadable-while";
/// A row looks at the target or the margin of a check without a target.
pub const NO_TARGET: &str = "checks/no-target";
/// A row can never win.
pub const UNREACHABLE_ROW: &str = "checks/unreachable-row";
/// No row holds for some roll.
pub const FALLS_THROUGH: &str = "checks/falls-through";
/// Nothing that can be rolled succeeds.
pub const NEVER_SUCCEEDS: &str = "checks/never-succeeds";
/// Nothing that can be rolled fails.
pub const ALWAYS_SUCCEEDS: &str = "checks/always-succeeds";
/// Not everything that a check can come to was looked at.
pub const NOT_PROVEN: &str = "checks/not-proven";
/// A row asks for successes, and nothing says what a success is.
pub const SUCCESSES_WITHOUT_COUNT: &str = "checks/successes-without-count";
/// A row asks about opposing dice, and there are none.
pub const NO_OPPOSING_DICE: &str = "checks/no-opposing-dice";
/// A condition names dice that the check does not roll.
pub const UNKNOWN_GROUP: &str = "checks/unknown-group";
/// Two rows of a table have the same When.
pub const DUPLICATE_ROW: &str = "checks/duplicate-row";
/// A row stands below the one that says otherwise.
pub const BELOW_OTHERWISE: &str = "checks/below-otherwise";
/// A range in a condition is upside down.
pub const RANGE_UPSIDE_DOWN: &str = "checks/range-upside-down";
/// A check has a Target that no row looks at.
pub const UNUSED_TARGET: &str = "checks/unused-target";
/// A check counts successes that no row looks at.
pub const UNUSED_COUNT: &str = "checks/unused-count";
/// A check has Opposing dice that nothing looks at.
pub const UNUSED_OPPOSING_DICE: &str = "checks/unused-opposing-dice";
/// A check says what its modifier is and never adds it.
pub const UNUSED_MODIFIER: &str = "checks/unused-modifier";
/// An expression names `{modifier}` and what it is made of.
pub const COUNTED_TWICE: &str = "checks/counted-twice";
/// A natural face that the dice do not have.
pub const IMPOSSIBLE_NATURAL: &str = "checks/impossible-natural";
/// A table of a check lacks its When or its Outcome column.
pub const NO_WHEN: &str = "checks/no-when";
/// The columns of an outcome table have each other's header.
pub const SWAPPED_COLUMNS: &str = "checks/swapped-columns";
/// A row of an outcome table has too few cells, or too many.
pub const LOST_CELL: &str = "checks/lost-cell";
/// Numbers between two rows fall to `otherwise`.
pub const GAP: &str = "checks/gap";
/// A move is decided in sentences.
pub const MOVES_IN_PROSE: &str = "checks/moves-in-prose";
/// An outcome table has no rows.
pub const EMPTY_TABLE: &str = "checks/empty-table";

/// Two tracks have one name.
pub const DUPLICATE_TRACK: &str = "health/duplicate";
/// A trigger or a rest is about a track that does not exist.
pub const UNKNOWN_TRACK: &str = "health/unknown-track";
/// An expression cannot name a track, because an attribute or skill has its name.
pub const SHADOWED_TRACK: &str = "health/shadowed-track";
/// A track starts where it can never be.
pub const START_OUT_OF_RANGE: &str = "health/start-out-of-range";
/// A trigger brings a condition that is nearly one of the declared ones.
pub const UNDECLARED_CONDITION: &str = "health/undeclared-condition";

/// An initiative rule cannot be read.
pub const UNREADABLE_INITIATIVE: &str = "combat/unreadable-initiative";
/// A tie-break cannot be read.
pub const UNREADABLE_TIE: &str = "combat/unreadable-tie";
/// A part of the bullet about held effects cannot be read.
pub const UNREADABLE_HELD: &str = "combat/unreadable-held";

/// A condition changes something that is nearly a known name.
pub const UNKNOWN_NAME: &str = "conditions/unknown-name";
/// An effect of a condition is misspelt.
pub const UNREADABLE_EFFECT: &str = "conditions/unreadable-effect";
/// Two conditions have one name.
pub const DUPLICATE_CONDITION: &str = "conditions/duplicate";

/// Findings about what is not read, in whole or in part, although it looks like a rule.
pub const OVERLOOKED: [&str; 6] =
    [MOVES_IN_PROSE, MISSPELT_HEADING, MISSPELT_LABEL, LOOKS_LIKE_A_RULE, UNKNOWN_SECTION, LEFT_TO_GM];
